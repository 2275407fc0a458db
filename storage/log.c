#include "storage/log_int.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

#define SPACE_CHECK_BYTES ((uint64_t)1 << 20)    /* appended between two looks at the free space */
#define SPACE_RESERVE_BYTES ((uint64_t)16 << 20) /* kept free, or 1/64 of a small disk: for the journal, indexes and a start */


void store_log_new(const struct store_log_opts *opts, struct store_log **out)
{
    struct store_log *log = br_alloc(sizeof *log);
    BR_ASSERT(opts->vfs && opts->files);
    BR_ASSERT(opts->state.start <= opts->state.end);
    log->vfs = opts->vfs;
    log->files = opts->files;
    log->root = br_strdup(opts->root);
    log->name = br_strdup(opts->name);
    log->dir = br_asprintf("%s/%s", opts->root, opts->name);
    log->topic_id = opts->topic_id;
    log->config = opts->config;
    log->lacks_positions = opts->lacks_positions;
    log->state = opts->state;
    log->durable = (struct store_log_mark){log->state.bound_end, log->state.active_base};
    log->dirty_base = INT64_MAX;
    store_epochs_init(&log->epochs);
    br_list_init(&log->removed);
    *out = log;
}

void store_log_free(struct store_log *log)
{
    if (!log)
        return;
    store_file_cache_release(log->files, log->append_handle);
    store_log_sync_abandon(log->sync);
    store_log_free_segments(log);
    store_epochs_clear(&log->epochs);
    br_free(log->strays);
    br_free(log->removed_dir);
    br_free(log->root);
    br_free(log->name);
    br_free(log->dir);
    br_free(log);
}

const struct store_log_state *store_log_state(const struct store_log *log)
{
    return &log->state;
}

const char *store_log_name(const struct store_log *log)
{
    return log->name;
}

struct br_uuid store_log_topic_id(const struct store_log *log)
{
    return log->topic_id;
}

void store_log_set_config(struct store_log *log, const struct store_log_config *config)
{
    log->config = *config;
}

void store_log_set_end_timestamp(struct store_log *log, int64_t time_ms)
{
    BR_ASSERT(time_ms >= 0);
    log->state.end_timestamp = BR_MAX(log->state.end_timestamp, time_ms); /* a replay says old ones again */
}

void store_log_touch(struct store_log *log, const struct store_segment *s)
{
    BR_ASSERT(s->log == log);
    log->dirty_base = BR_MIN(log->dirty_base, s->base);
}

/* Oldest first, so that what is finished stays the older part of the chain, also when a write fails. */
static enum br_err flush_all(struct store_log *log, bool all)
{
    size_t i = log->count;
    while (i > 0 && store_segment_is_unfinished(log->chain[i - 1]))
        i--;
    for (; i < log->count; i++) {
        enum br_err err = store_segment_flush(log->chain[i], all);
        if (log->chain[i]->dirty)
            store_log_touch(log, log->chain[i]);
        if (err != BR_OK)
            return err;
    }
    return BR_OK;
}

/* ---- append ---- */

void store_log_push(struct store_log *log, struct store_segment *s)
{
    if (log->count == log->cap) {
        log->cap = BR_MAX(4u, log->cap * 2);
        log->chain = br_realloc(log->chain, log->cap * sizeof(struct store_segment *));
    }
    if (log->count > 0)
        BR_ASSERT(log->chain[log->count - 1]->end <= s->base);
    log->chain[log->count++] = s;
}

enum br_err store_log_roll(struct store_log *log, bool keep)
{
    struct store_segment *old = store_log_active(log);
    struct store_handle *h;
    enum br_err err;
    BR_ASSERT(log->has_dir);
    BR_ASSERT(!old || old->end == log->state.end);
    struct store_segment *s = store_segment_new(log, log->files, log->dir, log->state.end, log->state.end, 0);
    /* The new file first: it is what can fail. A file of this name is left over from an append that failed. */
    err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &h);
    if (err == BR_OK) {
        err = keep ? BR_OK : store_file_truncate(store_handle_file(h), 0);
        store_file_cache_release(log->files, h);
    }
    if (err == BR_OK && old && !old->is_sealed)
        store_segment_seal(old);
    if (err == BR_OK)
        err = flush_all(log, true);
    if (err != BR_OK) {
        store_segment_free(s);
        return err;
    }
    if (old)
        store_log_touch(log, old);
    store_log_push(log, s);
    s->is_new = true;
    store_log_touch(log, s);
    log->state.active_base = s->base;
    log->state.active_bytes = 0;
    log->roll_next = false;
    return BR_OK;
}

static bool is_roll_due(const struct store_log *log, const struct store_segment *s, uint32_t size, int64_t now_ms)
{
    if (s->is_sealed)
        return true; /* a roll that failed half way */
    if (s->bytes == 0)
        return false;
    if (log->roll_next || s->bytes + size > (int64_t)log->config.segment_bytes || now_ms - s->first_ms >= log->config.segment_ms)
        return true;
    /* A batch has fewer records than bytes: its last offset stays within the 31 bits of an index entry. */
    return s->end - s->base + size > INT32_MAX || s->bytes + size > INT32_MAX || store_index_is_full(&s->index);
}

static enum br_err check_space(struct store_log *log, uint32_t size)
{
    uint64_t free_bytes, total_bytes;
    if (size <= log->unchecked_bytes)
        return BR_OK;
    enum br_err err = log->vfs->ops->space(log->vfs, log->root, &free_bytes, &total_bytes);
    if (err != BR_OK)
        return err;
    uint64_t needed = size + BR_MIN(SPACE_RESERVE_BYTES, total_bytes / 64);
    if (free_bytes < needed)
        return BR_NOSPACE;
    log->unchecked_bytes = size + BR_MIN(SPACE_CHECK_BYTES, (free_bytes - needed) / 8);
    return BR_OK;
}

enum br_err store_log_prepare(struct store_log *log, uint32_t size, int64_t batch_max_timestamp BR_UNUSED, int64_t now_ms,
                              struct store_place *place)
{
    BR_ASSERT(size >= KW_BATCH_HEADER);
    BR_ASSERT(!log->is_deleted);
    if (log->is_failed)
        return BR_FAILED;
    enum br_err err = store_log_attach(log);
    if (err == BR_OK && log->is_damaged)
        err = BR_CORRUPT;
    if (err == BR_OK && log->stray_count > 0)
        err = store_log_remove_strays(log);
    if (err == BR_OK)
        err = check_space(log, size);
    if (err == BR_OK)
        err = store_log_make_dir(log);
    if (err != BR_OK)
        return err;
    struct store_segment *s = store_log_active(log);
    if (!s || is_roll_due(log, s, size, now_ms)) {
        store_file_cache_release(log->files, log->append_handle);
        log->append_handle = NULL;
        if ((err = store_log_roll(log, false)) != BR_OK)
            return err;
        s = store_log_active(log);
    }
    if (!log->append_handle) {
        err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_WRITE, &log->append_handle);
        if (err != BR_OK)
            return err;
    }
    log->prepared = *place = (struct store_place){s->base, s->bytes};
    return BR_OK;
}

void store_log_added(struct store_log *log, const struct kw_batch *batch, int64_t now_ms)
{
    struct store_segment *s = store_log_active(log);
    BR_ASSERT(s != NULL);
    store_segment_added(s, batch, log->config.index_interval_bytes, now_ms);
    store_log_touch(log, s);
    log->state.end = s->end;
    log->state.active_bytes = s->bytes;
    if (batch->leader_epoch > store_epochs_latest(&log->epochs))
        store_epochs_set(&log->epochs, batch->leader_epoch, batch->base_offset);
    log->state.leader_epoch = BR_MAX(log->state.leader_epoch, batch->leader_epoch);
    /* An epoch is written to its file only once it has a batch: a start of 10,000 partitions that each begin one writes nothing. */
    if (log->epochs.count > 0 && log->epochs.list[log->epochs.count - 1].start == batch->base_offset)
        log->epochs_dirty = true;
}

enum br_err store_log_append(struct store_log *log, const struct kw_batch *batch, int64_t max_timestamp BR_UNUSED,
                             int64_t max_timestamp_offset BR_UNUSED, int64_t now_ms, const struct store_place *place)
{
    struct store_segment *s = store_log_active(log);
    struct kw_batch stored; /* as the bytes have it: the caller may have patched them after the view was made */
    BR_ASSERT(s && log->append_handle);
    BR_ASSERT(place->segment_base == log->prepared.segment_base && place->file_position == log->prepared.file_position);
    BR_ASSERT(place->segment_base == s->base && place->file_position == s->bytes);
    enum br_err err = kw_batch_view(batch->data, batch->size, &stored);
    BR_ASSERT(err == BR_OK && stored.size == batch->size);
    BR_ASSERT(stored.base_offset == log->state.end); /* S-10: no gap, no overlap */
    struct store_file *file = store_handle_file(log->append_handle);
    err = store_file_write(file, batch->data, batch->size, s->bytes);
    if (err == BR_OK) {
        store_log_added(log, &stored, now_ms);
        log->unchecked_bytes -= BR_MIN(log->unchecked_bytes, batch->size);
    } else {
        log->unchecked_bytes = 0;
        if (store_file_truncate(file, s->bytes) != BR_OK) {
            log->is_failed = true;
            br_log(BR_LOG_ERROR, "storage", "append failed and its bytes could not be cut off log=%s", log->name);
        }
    }
    store_file_cache_release(log->files, log->append_handle);
    log->append_handle = NULL;
    return err;
}

/* ---- flushing, checking ---- */

enum br_err store_log_flush(struct store_log *log)
{
    return flush_all(log, false);
}

enum br_err store_log_flush_all(struct store_log *log)
{
    return flush_all(log, true);
}

void store_log_check(struct store_log *log)
{
    const struct store_log_state *state = &log->state;
    BR_ASSERT(state->start >= 0 && state->start <= state->end); /* S-13 */
    BR_ASSERT(state->bound_end <= state->end);
    BR_ASSERT(log->count <= log->cap);
    store_epochs_check(&log->epochs);
    if (!log->is_attached || log->is_damaged)
        return;
    BR_ASSERT((state->active_base >= 0) ? log->count > 0 : true);
    for (size_t i = 0; i < log->count; i++) {
        const struct store_segment *s = log->chain[i];
        store_segment_check(s);
        BR_ASSERT(s->log == log);
        if (i + 1 < log->count)
            BR_ASSERT(s->end == log->chain[i + 1]->base); /* S-10: no gap, no overlap */
        if (i + 1 < log->count)
            BR_ASSERT(s->is_sealed);
    }
    if (log->count > 0)
        BR_ASSERT(log->chain[log->count - 1]->end == state->end);
    if (state->active_base >= 0) {
        const struct store_segment *s = log->chain[log->count - 1];
        BR_ASSERT(s->base == state->active_base);
        BR_ASSERT(s->bytes == state->active_bytes);
    }
}
