/* A checkpoint bounds recovery: everything the journal below it describes is synced, then the state file says so, then the journal below is free
 * (S-20: in this order). Noting what is dirty is the loop's part; syncing is the pool's. */
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "storage/store_int.h"

#define DUE_MS 60000
#define RETRY_MS 1000 /* after one that a full disk refused */

struct store_checkpoint {
    struct store_io_job job;
    struct store *store;
    struct store_log_sync **logs;
    size_t log_count;
    struct store_order_sync *order;
    struct br_buf state;
    uint64_t lsn, position;
    enum br_err err;
    void (*done)(void *ctx, enum br_err err);
    void *ctx;
};

static void checkpoint_run(struct store_io_job *job)
{
    struct store_checkpoint *c = BR_CONTAINER_OF(job, struct store_checkpoint, job);
    enum br_err err = BR_OK;
    for (size_t i = 0; i < c->log_count && err == BR_OK; i++)
        err = store_log_sync_run(c->logs[i]);
    if (err == BR_OK && c->order)
        err = store_order_log_sync_run(c->order);
    if (err == BR_OK) {
        char *path = store_path(c->store, "state");
        err = c->state.failed ? BR_TOO_LARGE : store_file_replace(c->store->opts.vfs, path, c->state.data, c->state.len);
        br_free(path);
    }
    c->err = err;
}

static void checkpoint_done(struct store_io_job *job)
{
    struct store_checkpoint *c = BR_CONTAINER_OF(job, struct store_checkpoint, job);
    struct store *store = c->store;
    store->checkpoint = NULL;
    store->has_failed_checkpoint = c->err != BR_OK;
    for (size_t i = 0; i < c->log_count; i++)
        store_log_sync_free(c->logs[i]);
    if (c->order)
        store_order_log_sync_free(c->order);
    if (c->err == BR_OK) {
        for (size_t i = 0; i < store->stream_count; i++)
            store_log_checkpointed(store->streams[i]->log);
        store_order_log_vouch(store->order_log, c->position);
        store_journal_recycle(store->journal, c->lsn);
        store_collect(store);
    } else {
        br_log(BR_LOG_ERROR, "storage", "checkpoint failed: %s", br_err_text(c->err));
        if (c->err != BR_NOSPACE) /* a full disk leaves the old state file, which still holds */
            store_fail(store, c->err);
    }
    if (c->done)
        c->done(c->ctx, c->err);
    br_buf_clear(&c->state);
    br_free(c->logs);
    br_free(c);
}

enum br_err store_checkpoint(struct store *store, uint64_t position, uint32_t lane, uint64_t lane_s, void (*done)(void *ctx, enum br_err err), void *ctx)
{
    if (store->checkpoint)
        return BR_BUSY;
    if (store->failed != BR_OK)
        return BR_FAILED;
    struct store_checkpoint *c = br_alloc(sizeof *c);
    *c = (struct store_checkpoint){.job = {.run = checkpoint_run, .done = checkpoint_done}, .store = store, .done = done, .ctx = ctx};
    c->logs = br_alloc_array(store->stream_count, sizeof *c->logs);
    c->lsn = store_journal_written(store->journal);
    c->position = position;
    for (size_t i = 0; i < store->stream_count; i++) {
        struct store_log_sync *sync = store_log_sync_new(store->streams[i]->log);
        if (sync)
            c->logs[c->log_count++] = sync;
    }
    c->order = store_order_log_sync_new(store->order_log);
    store_state_save(store, c->lsn, position, lane, lane_s, &c->state);
    store->checkpoint = c;
    store_io_pool_submit(store->opts.pool, &c->job);
    return BR_OK;
}

bool store_checkpoint_is_due(const struct store *store, int64_t now_ms)
{
    struct store *s = (struct store *)(uintptr_t)store;
    uint64_t bytes = store_journal_bytes(store->journal);
    if (store->checkpoint || store->failed != BR_OK || bytes == 0)
        return false;
    uint64_t due_bytes = store->opts.journal_file_bytes ? store->opts.journal_file_bytes : STORE_JOURNAL_FILE_BYTES; /* one file of journal */
    int64_t since_ms = now_ms - store->checkpoint_ms;
    if ((bytes < due_bytes && since_ms < DUE_MS) || (store->has_failed_checkpoint && since_ms < RETRY_MS))
        return false;
    s->checkpoint_ms = now_ms;
    return true;
}
