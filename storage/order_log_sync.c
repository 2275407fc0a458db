/* Checkpoints of the order log: the owner notes what to sync, a pool thread opens those files by name and syncs them (which covers what was
 * written through other descriptors), the owner then swaps in a rewritten file. */
#include "storage/order_log_int.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

struct store_order_sync {
    struct store_order_log *log;
    char **paths;    /* to sync */
    size_t count;
    uint64_t *garbage;
    size_t garbage_count;
    bool has_dir, has_trim;
    enum br_err err;
};

struct store_order_sync *store_order_log_sync_new(struct store_order_log *log)
{
    BR_ASSERT(!log->is_syncing);
    struct store_order_sync *s = br_alloc(sizeof *s);
    s->log = log;
    s->err = log->is_failed ? BR_FAILED : BR_OK; /* what an earlier sync lost is not made good by a later one */
    s->paths = br_alloc_array(log->file_count + 1, sizeof *s->paths);
    for (size_t i = 0; i < log->file_count; i++) {
        if (log->files[i].is_dirty)
            s->paths[s->count++] = store_order_path(log, log->files[i].first);
        log->files[i].is_dirty = false;
    }
    if (log->trim.phase == ORDER_TRIM_READY) {
        log->trim.phase = ORDER_TRIM_SYNCING;
        s->has_trim = true;
        char *path = store_order_path(log, log->files[log->trim.file].first);
        s->paths[s->count++] = br_asprintf("%s.tmp", path);
        br_free(path);
    }
    s->has_dir = log->is_dir_dirty || log->garbage_count > 0;
    log->is_dir_dirty = false;
    s->garbage = log->garbage;
    s->garbage_count = log->garbage_count;
    log->garbage = NULL;
    log->garbage_count = log->garbage_cap = 0;
    log->is_syncing = true;
    return s;
}

static enum br_err sync_path(struct store_vfs *vfs, const char *path)
{
    struct store_file *file;
    enum br_err err = store_file_open(vfs, path, STORE_OPEN_WRITE, &file);
    if (err == BR_NOT_FOUND)
        return BR_OK; /* trimmed away meanwhile */
    if (err != BR_OK)
        return err;
    err = store_file_sync(file);
    store_file_close(file);
    return err == BR_NOSPACE ? BR_IO : err; /* a sync is never tried again */
}

enum br_err store_order_log_sync_run(struct store_order_sync *s)
{
    BR_ASSERT(s->log->is_syncing);
    struct store_vfs *vfs = s->log->vfs; /* vfs and dir never change */
    for (size_t i = 0; i < s->count && s->err == BR_OK; i++)
        s->err = sync_path(vfs, s->paths[i]);
    for (size_t i = 0; i < s->garbage_count && s->err == BR_OK; i++) {
        char *path = store_order_path(s->log, s->garbage[i]);
        (void)!vfs->ops->unlink(vfs, path); /* a dead file too many does no harm; opening keeps it, trimming finds it again */
        br_free(path);
    }
    if (s->err == BR_OK && s->has_dir)
        s->err = store_dir_sync(vfs, s->log->dir);
    return s->err;
}

void store_order_log_sync_free(struct store_order_sync *s)
{
    if (!s)
        return;
    struct store_order_log *log = s->log;
    BR_ASSERT(log->is_syncing);
    log->is_syncing = false;
    if (s->err != BR_OK && !log->is_failed) {
        br_log(BR_LOG_ERROR, "order-log", "sync failed: %s; writes are refused until a restart", br_err_text(s->err));
        log->is_failed = true;
    }
    if (s->has_trim)
        store_order_trim_finish(log, s->err);
    for (size_t i = 0; i < s->count; i++)
        br_free(s->paths[i]);
    br_free(s->paths);
    br_free(s->garbage);
    br_free(s);
}
