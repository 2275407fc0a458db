/* A checkpoint's share of one log: the owner writes what waits and notes names, the pool syncs them. Files are opened anew in the pool: a sync
 * through any descriptor covers what others wrote, and no descriptor is held for 10,000 logs meanwhile. */
#include "storage/log_int.h"
#include "compat/base/mem.h"

/* What was dirty of one segment. */
struct taken {
    int64_t base;
    uint8_t dirty;
    bool is_new;
};

struct store_log_sync {
    struct store_log *log; /* NULL once it is freed; owner only */
    struct store_vfs *vfs;
    struct taken *taken;
    size_t taken_count;
    bool dir_was_new, is_done;
    char **paths;
    size_t count, cap;
    char *root, *dir;   /* to be synced, or NULL */
    char *epochs_path;  /* to be replaced, or NULL */
    struct br_buf epochs;
    enum br_err err;    /* of the owner's writes */
};

static void add_path(struct store_log_sync *sync, char *path)
{
    if (sync->count == sync->cap) {
        sync->cap = BR_MAX(4u, sync->cap * 2);
        sync->paths = br_realloc(sync->paths, sync->cap * sizeof(char *));
    }
    sync->paths[sync->count++] = path;
}

static void take_segment(struct store_log *log, struct store_log_sync *sync, struct store_segment *s)
{
    for (unsigned which = 0; which < STORE_SEGMENT_FILES; which++)
        if (s->dirty & (1u << which))
            add_path(sync, store_segment_path(s, which));
    sync->taken[sync->taken_count++] = (struct taken){s->base, s->dirty, s->is_new};
    if (s->is_new && !sync->dir)
        sync->dir = br_strdup(log->dir);
    s->dirty = 0;
    s->is_new = false;
}

struct store_log_sync *store_log_sync_new(struct store_log *log)
{
    BR_ASSERT(!log->sync);
    log->saved = (struct store_log_mark){log->state.bound_end, log->state.active_base};
    log->has_saved = true;
    if (log->dirty_base == INT64_MAX && !log->epochs_dirty && !log->dir_is_new)
        return NULL;
    struct store_log_sync *sync = br_alloc(sizeof *sync);
    sync->vfs = log->vfs;
    sync->log = log;
    log->sync = sync;
    br_buf_init(&sync->epochs, STORE_EPOCHS_FILE_BYTES_MAX);
    sync->err = store_log_flush_all(log);
    sync->dir_was_new = log->dir_is_new;
    sync->taken = br_alloc_array(log->count + 1, sizeof *sync->taken);
    if (log->dir_is_new) {
        sync->root = br_strdup(log->root);
        sync->dir = br_strdup(log->dir);
        add_path(sync, br_asprintf("%s/partition.metadata", log->dir));
    }
    for (size_t i = log->count; i-- > 0 && log->chain[i]->base >= log->dirty_base;)
        take_segment(log, sync, log->chain[i]);
    if (log->epochs_dirty && log->has_dir) {
        sync->epochs_path = br_asprintf("%s/leader-epoch-checkpoint", log->dir);
        store_epochs_format(&log->epochs, &sync->epochs);
    }
    log->dirty_base = INT64_MAX;
    log->epochs_dirty = log->dir_is_new = false;
    return sync;
}

/* A file that is gone was removed meanwhile, by right. */
static enum br_err forgive(enum br_err err)
{
    return err == BR_NOT_FOUND ? BR_OK : err;
}

/* For want of space too a failed sync has lost what it was to write, and a later one would not say so: never BR_NOSPACE, which may be tried again. */
static enum br_err sync_file(struct store_vfs *vfs, const char *path)
{
    struct store_file *file;
    enum br_err err = store_file_open(vfs, path, STORE_OPEN_READ, &file);
    if (err != BR_OK)
        return err;
    err = store_file_sync(file);
    store_file_close(file);
    return err == BR_NOSPACE ? BR_IO : err;
}

enum br_err store_log_sync_run(struct store_log_sync *sync)
{
    BR_ASSERT(sync != NULL);
    enum br_err err = sync->err;
    for (size_t i = 0; i < sync->count && err == BR_OK; i++)
        err = forgive(sync_file(sync->vfs, sync->paths[i]));
    if (err == BR_OK && sync->epochs.failed)
        err = BR_TOO_LARGE;
    if (err == BR_OK && sync->epochs_path)
        err = forgive(store_file_replace(sync->vfs, sync->epochs_path, sync->epochs.data, sync->epochs.len));
    if (err == BR_OK && sync->dir)
        err = forgive(store_dir_sync(sync->vfs, sync->dir));
    if (err == BR_OK && sync->root)
        err = store_dir_sync(sync->vfs, sync->root);
    sync->is_done = err == BR_OK;
    return err;
}

/* Nothing is known to be synced: all of it is dirty again. */
static void give_back(struct store_log *log, const struct store_log_sync *sync)
{
    for (size_t i = 0, k = 0; i < sync->taken_count; i++) {
        const struct taken *t = &sync->taken[sync->taken_count - 1 - i]; /* they were taken from the end of the chain */
        while (k < log->count && log->chain[k]->base < t->base)
            k++;
        if (k == log->count || log->chain[k]->base != t->base)
            continue; /* removed meanwhile */
        log->chain[k]->dirty |= t->dirty;
        log->chain[k]->is_new = log->chain[k]->is_new || t->is_new;
        store_log_touch(log, log->chain[k]);
    }
    log->dir_is_new = log->dir_is_new || (sync->dir_was_new && log->has_dir);
    log->epochs_dirty = log->epochs_dirty || sync->epochs_path;
}

void store_log_sync_abandon(struct store_log_sync *sync)
{
    if (sync)
        sync->log = NULL;
}

void store_log_sync_free(struct store_log_sync *sync)
{
    if (!sync)
        return;
    if (sync->log) {
        BR_ASSERT(sync->log->sync == sync);
        sync->log->sync = NULL;
        if (!sync->is_done)
            give_back(sync->log, sync);
    }
    br_free(sync->taken);
    for (size_t i = 0; i < sync->count; i++)
        br_free(sync->paths[i]);
    br_free(sync->paths);
    br_free(sync->root);
    br_free(sync->dir);
    br_free(sync->epochs_path);
    br_buf_clear(&sync->epochs);
    br_free(sync);
}

void store_log_checkpointed(struct store_log *log)
{
    BR_ASSERT(!log->sync);
    if (log->has_saved) /* else it is younger than the checkpoint */
        log->durable = log->saved;
}
