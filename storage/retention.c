/* What a log may forget, and how its files go: by age on the broker's clock (never a client's timestamp), by size, and whole.
 *
 * A removed segment leaves the chain at once. Its files wait until no reader holds it, and until no replay from the state on disk can ask
 * for it: that begins at the first batch that had no position, so one wholly below that, and not the saved active one, may go. */
#include "storage/log_int.h"
#include "compat/base/mem.h"

#define DIR_NAME_MAX 255

/* ---- the start ---- */

void store_log_drop_segment(struct store_log *log, size_t i)
{
    struct store_segment *s = log->chain[i];
    BR_ASSERT(i < log->count);
    if (s->base == log->state.active_base) {
        BR_ASSERT(i + 1 == log->count);
        store_file_cache_release(log->files, log->append_handle);
        log->append_handle = NULL;
        log->state.active_base = -1;
        log->state.active_bytes = 0;
    }
    memmove(log->chain + i, log->chain + i + 1, (log->count - i - 1) * sizeof(struct store_segment *));
    log->count--;
    s->is_sealed = true;
    br_list_append(&log->removed, &s->link);
}

void store_log_set_start(struct store_log *log, int64_t start)
{
    BR_ASSERT(start >= 0);
    start = BR_MIN(start, log->state.end); /* a TRIM may have outlived the batches it removed */
    if (start > log->state.start)
        log->epochs_dirty = log->epochs_dirty || log->count > 0;
    log->state.start = BR_MAX(start, log->state.start); /* S-13: never back */
    if (!log->is_attached)
        return; /* recover looks again */
    while (log->count > 0 && log->chain[0]->end <= log->state.start && log->chain[0]->bytes != 0)
        store_log_drop_segment(log, 0);
    int64_t kept = log->count > 0 ? log->chain[0]->base : log->state.end;
    log->state.bound_end = BR_MAX(log->state.bound_end, kept);
    store_epochs_trim(&log->epochs, log->state.start);
}

/* True when the segment's last append is older than retention.ms. */
static bool is_expired(struct store_log *log, struct store_segment *s, int64_t now_ms, struct store_range *cold)
{
    if (log->config.retention_ms < 0)
        return false;
    if (store_segment_load(s, log->config.index_interval_bytes, cold) != BR_OK)
        return false; /* kept: an error is no reason to lose data */
    return s->bytes > 0 && s->last_ms < now_ms - log->config.retention_ms;
}

int64_t store_log_retention_start(struct store_log *log, int64_t now_ms, int64_t limit, struct store_range *cold)
{
    int64_t start = log->state.start, bytes;
    if (store_log_attach(log) != BR_OK || log->is_damaged)
        return start;
    BR_ASSERT(limit <= log->state.end);
    BR_ASSERT(!cold || !cold->hold);
    uint64_t left = log->config.retention_bytes >= 0 ? store_log_bytes(log) : 0;
    for (size_t i = 0; i < log->count; i++) {
        struct store_segment *s = log->chain[i];
        bool is_active = s->base == log->state.active_base;
        if (s->end > limit || s->bytes == 0)
            break;
        bool goes = is_expired(log, s, now_ms, cold);
        if (cold && cold->hold)
            break;
        if (!goes && !is_active && log->config.retention_bytes >= 0 && store_segment_bytes(s, &bytes) == BR_OK)
            goes = left >= (uint64_t)log->config.retention_bytes + (uint64_t)bytes;
        if (!goes)
            break;
        if (is_active)
            log->roll_next = true; /* what is appended from now on lives in a segment of its own */
        left -= BR_MIN(left, (uint64_t)BR_MAX(s->bytes, 0));
        start = BR_MAX(start, s->end);
    }
    return start;
}

uint64_t store_log_bytes(const struct store_log *log)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < log->count; i++) {
        int64_t bytes;
        if (store_segment_bytes(log->chain[i], &bytes) == BR_OK)
            sum += (uint64_t)bytes;
    }
    return sum;
}

/* ---- garbage ---- */

struct garbage {
    struct store_io_job job; /* first */
    struct store_vfs *vfs;
    char **paths;
    size_t count, cap;
    char *dir; /* or NULL */
};

static void garbage_add(struct garbage *g, char *path)
{
    if (g->count == g->cap) {
        g->cap = BR_MAX(8u, g->cap * 2);
        g->paths = br_realloc(g->paths, g->cap * sizeof(char *));
    }
    g->paths[g->count++] = path;
}

static enum br_err each_in_dir(void *ctx, const char *name)
{
    struct garbage *g = ctx;
    garbage_add(g, br_asprintf("%s/%s", g->dir, name));
    return BR_OK;
}

/* What cannot be removed now is found again at the next start: below the log's start, or by its directory's name. */
static void garbage_run(struct store_io_job *job)
{
    struct garbage *g = (struct garbage *)job;
    if (g->dir)
        (void)g->vfs->ops->list(g->vfs, g->dir, each_in_dir, g);
    for (size_t i = 0; i < g->count; i++)
        (void)g->vfs->ops->unlink(g->vfs, g->paths[i]);
    if (g->dir)
        (void)g->vfs->ops->rmdir(g->vfs, g->dir);
}

static void garbage_done(struct store_io_job *job)
{
    struct garbage *g = (struct garbage *)job;
    for (size_t i = 0; i < g->count; i++)
        br_free(g->paths[i]);
    br_free(g->paths);
    br_free(g->dir);
    br_free(g);
}

static struct garbage *garbage_new(struct store_vfs *vfs)
{
    struct garbage *g = br_alloc(sizeof *g);
    BR_ASSERT(vfs != NULL);
    g->job.run = garbage_run;
    g->job.done = garbage_done;
    g->vfs = vfs;
    return g;
}

struct store_io_job *store_log_dir_garbage(struct store_vfs *vfs, const char *path)
{
    struct garbage *g = garbage_new(vfs);
    g->dir = br_strdup(path);
    return &g->job;
}

static bool may_go(const struct store_log *log, const struct store_segment *s)
{
    bool is_asked = s->end > log->durable.bound_end || s->base == log->durable.active_base;
    return !store_segment_is_held(s) && !is_asked;
}

struct store_io_job *store_log_garbage(struct store_log *log)
{
    struct garbage *g = NULL;
    BR_LIST_FOR_SAFE(s, next, &log->removed, struct store_segment, link) {
        if (!may_go(log, s))
            continue;
        g = g ? g : garbage_new(log->vfs);
        br_list_remove(&s->link);
        for (unsigned which = STORE_SEGMENT_FILES; which-- > 0;) {
            char *path = store_segment_path(s, which);
            store_file_cache_drop(log->files, path);
            garbage_add(g, path);
        }
        store_segment_free(s);
    }
    if (log->removed_dir) {
        g = g ? g : garbage_new(log->vfs);
        BR_ASSERT(g->dir == NULL);
        g->dir = log->removed_dir;
        log->removed_dir = NULL;
    }
    return g ? &g->job : NULL;
}

/* ---- the whole log ---- */

enum br_err store_log_rename_away(struct store_log *log)
{
    struct br_uuid id = br_uuid_random();
    char hex[33];
    BR_ASSERT(!log->removed_dir);
    for (unsigned i = 0; i < 16; i++)
        snprintf(hex + 2 * i, 3, "%02x", id.bytes[i]);
    int name_bytes = DIR_NAME_MAX - (int)strlen(".-delete") - 32;
    char *to = br_asprintf("%s/%.*s.%s-delete", log->root, name_bytes, log->name, hex);
    store_file_cache_drop_dir(log->files, log->dir);
    enum br_err err = log->vfs->ops->rename(log->vfs, log->dir, to);
    if (err == BR_OK)
        log->removed_dir = to;
    else
        br_free(to);
    return err == BR_NOT_FOUND ? BR_OK : err;
}

static void orphan(struct store_segment *s)
{
    s->log = NULL;
    if (!store_segment_is_held(s))
        store_segment_free(s);
}

void store_log_free_segments(struct store_log *log)
{
    while (log->count > 0)
        orphan(log->chain[--log->count]);
    BR_LIST_FOR_SAFE(s, next, &log->removed, struct store_segment, link) {
        br_list_remove(&s->link);
        orphan(s);
    }
    br_free(log->chain);
    log->chain = NULL;
    log->cap = 0;
    BR_ASSERT(br_list_is_empty(&log->removed));
}

enum br_err store_log_delete(struct store_log *log)
{
    BR_ASSERT(!log->is_deleted);
    enum br_err err = store_log_attach(log);
    if (err == BR_OK && !log->is_foreign)
        err = store_log_rename_away(log);
    if (err != BR_OK)
        return err;
    store_file_cache_release(log->files, log->append_handle);
    log->append_handle = NULL;
    store_log_free_segments(log);
    store_epochs_clear(&log->epochs);
    log->state = (struct store_log_state){.active_base = -1};
    log->stray_count = 0;
    log->dirty_base = INT64_MAX;
    log->has_dir = log->dir_is_new = log->epochs_dirty = false;
    log->is_deleted = true;
    return BR_OK;
}
