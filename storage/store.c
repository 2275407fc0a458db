#include "compat/base/clock.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "storage/store_int.h"

struct store_journal *store_journal(struct store *store) { return store->journal; }
struct store_order_log *store_order_log(struct store *store) { return store->order_log; }
const struct store_opts *store_opts(const struct store *store) { return &store->opts; }
enum br_err store_failed(const struct store *store) { return store->failed; }

void store_fail(struct store *store, enum br_err err)
{
    BR_ASSERT(err != BR_OK);
    if (store->failed == BR_OK)
        store->failed = err;
}

/* --- streams --- */

/* Index of the first stream with an id above `id`. */
static size_t stream_index(const struct store *store, int64_t id)
{
    size_t lo = 0, hi = store->stream_count;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if ((int64_t)store->streams[mid]->id <= id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

struct store_stream *store_stream_find(struct store *store, uint32_t id)
{
    size_t i = stream_index(store, (int64_t)id - 1);
    return i < store->stream_count && store->streams[i]->id == id ? store->streams[i] : NULL;
}

struct store_stream *store_stream_next(struct store *store, uint32_t after_or_minus_one)
{
    size_t i = stream_index(store, after_or_minus_one == UINT32_MAX ? -1 : (int64_t)after_or_minus_one);
    return i < store->stream_count ? store->streams[i] : NULL;
}

static void stream_insert(struct store *store, struct store_stream *stream)
{
    if (store->stream_count == store->stream_cap) {
        store->stream_cap = store->stream_cap ? store->stream_cap * 2 : 64;
        store->streams = br_realloc(store->streams, store->stream_cap * sizeof *store->streams);
    }
    size_t at = stream_index(store, stream->id);
    memmove(store->streams + at + 1, store->streams + at, (store->stream_count - at) * sizeof *store->streams);
    store->streams[at] = stream;
    store->stream_count++;
}

enum br_err store_stream_add(struct store *store, uint32_t id, const char *name, struct br_uuid topic_id,
                             const struct store_log_config *config, struct store_stream **out)
{
    BR_ASSERT(store_stream_find(store, id) == NULL);
    struct store_log_opts opts = {.vfs = store->opts.vfs, .root = store->dir, .name = name, .topic_id = topic_id, .config = *config,
                                  .state = {.active_base = -1}, .files = store->files, .lacks_positions = &store->lacks_positions};
    struct store_saved *saved = store->is_recovering ? br_map_remove(&store->saved, &id, sizeof id) : NULL;
    struct store_stream *stream = br_alloc(sizeof *stream);
    enum br_err err = BR_OK;
    stream->id = id;
    store_producers_init(&stream->producers);
    if (saved) {
        struct br_reader in = br_reader(saved->producers, saved->producers_len);
        opts.state = saved->log;
        err = store_producers_load(&stream->producers, &in);
        br_free(saved);
    }
    if (err != BR_OK) {
        br_free(stream);
        return err;
    }
    store_log_new(&opts, &stream->log);
    stream_insert(store, stream);
    *out = stream;
    return BR_OK;
}

static void stream_free(struct store_stream *stream)
{
    store_producers_clear(&stream->producers);
    store_log_free(stream->log);
    br_free(stream);
}

/* Garbage of a log that is gone too: the job keeps the log until its files are removed. */
struct removal {
    struct store_io_job job;
    struct store_stream *stream;
    struct store_io_job *files;
};

static void removal_run(struct store_io_job *job)
{
    struct removal *r = BR_CONTAINER_OF(job, struct removal, job);
    if (r->files)
        r->files->run(r->files);
}

static void removal_done(struct store_io_job *job)
{
    struct removal *r = BR_CONTAINER_OF(job, struct removal, job);
    if (r->files)
        r->files->done(r->files);
    if (r->stream)
        stream_free(r->stream);
    br_free(r);
}

static void submit_removal(struct store *store, struct store_stream *stream, struct store_io_job *files)
{
    struct removal *r = br_alloc(sizeof *r);
    *r = (struct removal){.job = {.run = removal_run, .done = removal_done}, .stream = stream, .files = files};
    store_io_pool_submit(store->opts.pool, &r->job);
}

void store_stream_remove(struct store *store, uint32_t id)
{
    size_t at = stream_index(store, (int64_t)id - 1);
    BR_ASSERT(at < store->stream_count && store->streams[at]->id == id);
    struct store_stream *stream = store->streams[at];
    memmove(store->streams + at, store->streams + at + 1, (store->stream_count - at - 1) * sizeof *store->streams);
    store->stream_count--;
    enum br_err err = store_log_delete(stream->log);
    if (err != BR_OK)
        br_log(BR_LOG_WARN, "storage", "directory=%s cannot be removed: %s", store_log_name(stream->log), br_err_text(err));
    submit_removal(store, stream, store_log_garbage(stream->log));
}

void store_collect(struct store *store)
{
    for (size_t i = 0; i < store->stream_count; i++) {
        struct store_io_job *files = store_log_garbage(store->streams[i]->log);
        if (files)
            submit_removal(store, NULL, files);
    }
}

/* --- trims --- */

enum br_err store_trim_body(uint32_t stream, int64_t start, int64_t now_ms, struct br_buf *out)
{
    uint8_t key[4], value[8];
    struct kw_batch_builder b;
    uint32_t size;
    br_store32(key, stream);
    br_store64(value, (uint64_t)start);
    kw_batch_builder_init(&b, out, 0, now_ms, 0);
    kw_batch_builder_add(&b, 0, now_ms, br_str((char *)key, 4), br_str((char *)value, 8), br_str(NULL, 0), 0, NULL, 0);
    return kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size);
}

/* S-21: a start moves when the TRIM is done, which is after later batches were appended: here too it moves only when all rows are replayed. At once, it could take
 * away the segment that the next row goes on in. */
static enum br_err replay_trim(struct store *store, const struct store_row *row)
{
    struct kw_batch batch;
    struct kw_record_iter it;
    struct kw_record record;
    enum br_err err = row->payload ? kw_batch_view(row->payload, row->length, &batch) : BR_CORRUPT;
    if (err != BR_OK)
        return err;
    kw_record_iter_init(&it, &batch, batch.data + KW_BATCH_HEADER, batch.size - KW_BATCH_HEADER);
    while ((err = kw_record_next(&it, &record)) == BR_OK) {
        if (record.key.len != 4 || record.value.len != 8)
            return BR_CORRUPT;
        struct store_stream *stream = store_stream_find(store, br_load32((const uint8_t *)record.key.data));
        int64_t start = (int64_t)br_load64((const uint8_t *)record.value.data);
        if (stream)
            stream->trim_to = BR_MAX(stream->trim_to, start);
    }
    return err == BR_EOF ? BR_OK : err;
}

/* --- recovery --- */

static enum br_err replay_into_log(struct store *store, const struct store_row *row, struct store_stream *stream, bool *is_lost)
{
    struct store_place place = {row->segment_base, row->file_position};
    static char ended;
    if (br_map_get(&store->ended, &row->stream, sizeof row->stream)) {
        *is_lost = true;
        return BR_OK;
    }
    enum br_err err = store_log_replay(stream->log, &place, row->length, row->batch_crc, row->leader_epoch, row->base_offset, row->count, row->payload,
                                       br_clock_wall_ms());
    if (err == BR_CORRUPT) { /* the first row that fails ends the stream */
        br_log(BR_LOG_WARN, "storage", "log=%s offset=%" PRId64 " is lost: its bytes did not survive; so are later ones", store_log_name(stream->log), row->base_offset);
        br_map_put(&store->ended, &row->stream, sizeof row->stream, &ended);
        *is_lost = true;
        return BR_OK;
    }
    if (err == BR_OK && (row->flags & STORE_ROW_APPEND_TIME))
        store_log_set_end_timestamp(stream->log, row->max_timestamp);
    if (err == BR_OK && row->producer_id >= 0 && row->kind == STORE_ROW_DATA) {
        int32_t last = (int32_t)(((int64_t)row->base_sequence + row->count - 1) & INT32_MAX);
        store_producer_apply(&stream->producers, row->producer_id, row->producer_epoch, row->base_sequence, last, row->base_offset,
                             row->flags & STORE_ROW_APPEND_TIME ? row->max_timestamp : -1, br_clock_wall_ms());
    }
    return err;
}

static enum br_err replay_row(void *ctx, const struct store_row *row)
{
    struct store *store = ctx;
    struct store_stream *stream = store_stream_find(store, row->stream);
    struct br_errbuf eb = {{0}};
    bool is_lost = false;
    enum br_err err = BR_OK;
    if (row->kind == STORE_ROW_HEAD)
        return BR_OK;
    if (stream)
        err = replay_into_log(store, row, stream, &is_lost);
    if (err == BR_OK && row->kind == STORE_ROW_CATALOG)
        err = store->opts.catalog(store->opts.ctx, row, &eb);
    if (err == BR_OK && row->kind == STORE_ROW_TRIM)
        err = replay_trim(store, row);
    if (err == BR_OK)
        err = store->opts.row(store->opts.ctx, row, store_stream_find(store, row->stream), is_lost, &eb);
    if (err != BR_OK)
        br_log(BR_LOG_ERROR, "storage", "replay stopped lsn=%" PRIu64 " kind=%d stream=%u: %s %s", row->lsn, row->kind, row->stream, br_err_text(err), eb.text);
    return err;
}

static enum br_err open_lock(struct store *store, struct br_errbuf *eb)
{
    struct store_vfs *vfs = store->opts.vfs;
    enum br_err err = store_dir_make_all(vfs, store->dir); /* its name too must survive a loss of power */
    if (err != BR_OK)
        return br_errbuf_set(eb, err, "data directory %s cannot be made: %s", store->dir, br_err_text(err));
    char *path = store_path(store, ".lock");
    err = store_file_open(vfs, path, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &store->lock);
    if (err != BR_OK)
        br_errbuf_set(eb, err, "%s: %s", path, br_err_text(err));
    else if ((err = vfs->ops->lock(store->lock)) != BR_OK)
        br_errbuf_set(eb, err, "data directory %s is in use by another process", store->dir);
    br_free(path);
    return err;
}

static enum br_err open_logs(struct store *store, struct br_errbuf *eb)
{
    struct store_stream *stream;
    char *path = store_path(store, "order");
    struct store_order_log_opts order = {.vfs = store->opts.vfs, .dir = path, .cluster_id = store->identity.cluster_id, .node_id = store->identity.node_id,
                                         .rows_per_file = store->opts.order_rows_per_file};
    enum br_err err = store_order_log_open(&order, store->identity.next_position, store->opts.old_row, store->opts.ctx, &store->order_log, eb);
    br_free(path);
    if (err == BR_OK && store_order_log_end(store->order_log) < store->order_end)
        err = br_errbuf_set(eb, BR_CORRUPT, "order log %s/order ends at position %" PRIu64 ", the last checkpoint had it up to %" PRIu64 ": rows or files are gone", store->dir,
                            store_order_log_end(store->order_log), store->order_end);
    if (err == BR_OK)
        err = store_stream_add(store, 0, "__braid_log-0", (struct br_uuid){{0}}, &store->opts.internal_config, &stream);
    if (err == BR_OK)
        err = store_stream_add(store, 1, "__braid_catalog-0", (struct br_uuid){{0}}, &store->opts.internal_config, &stream);
    if (err != BR_OK)
        return err;
    store->opts.begin(store->opts.ctx, store, &store->identity);
    err = store->opts.snapshot(store->opts.ctx, store->catalog, store->catalog_len, eb);
    if (err != BR_OK)
        return err;
    uint64_t end;
    path = store_path(store, "journal");
    struct store_journal_opts journal = {.vfs = store->opts.vfs, .dir = path, .cluster_id = store->identity.cluster_id, .node_id = store->identity.node_id,
                                         .file_bytes = store->opts.journal_file_bytes, .sync_pool = store->opts.sync_pool};
    err = store_journal_open(&journal, store->replay_from, replay_row, store, &store->journal, &end, eb);
    br_free(path);
    if (err != BR_OK && !eb->text[0])
        br_errbuf_set(eb, err, "recovery of %s failed: %s", store->dir, br_err_text(err));
    return err;
}

enum br_err store_open(const struct store_opts *opts, struct store **out, struct store_identity *identity, struct br_errbuf *eb)
{
    struct store *store = br_alloc(sizeof *store);
    store->opts = *opts;
    store->dir = br_strdup(opts->dir);
    store->is_recovering = true;
    store->checkpoint_ms = br_clock_wall_ms();
    br_map_init(&store->saved);
    br_map_init(&store->ended);
    store->files = store_file_cache_new(opts->vfs, opts->files_max ? opts->files_max : 1024);
    enum br_err err = open_lock(store, eb);
    if (err == BR_OK)
        err = store_identity_open(store, eb);
    if (err == BR_OK)
        err = store_boot_next(store, eb);
    if (err == BR_OK)
        err = store_state_load(store, eb);
    if (err == BR_OK)
        err = open_logs(store, eb);
    if (err != BR_OK) {
        store_close(store, false);
        return err;
    }
    *identity = store->identity;
    *out = store;
    return BR_OK;
}

static void forget_recovery(struct store *store)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&store->saved, &at));)
        br_free(e->value);
    br_map_clear(&store->saved);
    br_map_clear(&store->ended);
    br_free(store->state_bytes);
    store->state_bytes = NULL;
    store->is_recovering = false;
}

enum br_err store_start(struct store *store, struct br_errbuf *eb)
{
    for (size_t i = 0; i < store->stream_count; i++) {
        store_log_set_start(store->streams[i]->log, store->streams[i]->trim_to);
        enum br_err err = store_log_recover(store->streams[i]->log);
        if (err != BR_OK)
            return br_errbuf_set(eb, err, "%s/%s: %s", store->dir, store_log_name(store->streams[i]->log), br_err_text(err));
    }
    forget_recovery(store);
    return BR_OK;
}

void store_close(struct store *store, bool clean)
{
    if (!store)
        return;
    store_io_pool_drain(store->opts.sync_pool);
    store_io_pool_drain(store->opts.pool);
    BR_ASSERT(!store->checkpoint);
    if (clean && store->failed == BR_OK && store_clean_mark(store) != BR_OK)
        br_log(BR_LOG_WARN, "storage", "the clean stop could not be noted");
    forget_recovery(store);
    if (store->journal)
        store_journal_close(store->journal);
    if (store->order_log)
        store_order_log_close(store->order_log);
    for (size_t i = 0; i < store->stream_count; i++)
        stream_free(store->streams[i]);
    br_free(store->streams);
    store_file_cache_free(store->files);
    store_file_close(store->lock);
    br_free(store->dir);
    br_free(store);
}
