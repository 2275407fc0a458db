/* Positions of a log's batches: given by the order round, and by the order log to a sidecar that had to be made again.
 *
 *   a sidecar is damaged or gone --> rebuilt from the .log, no positions (LACKING) --> a pass over the order log (FED) --> synced, then its head says so (KNOWN)
 *
 * The head says LACKING from the first row on, so that a crash in between begins again. */
#include "storage/log_int.h"
#include "compat/base/log.h"

_Static_assert(STORE_POSITION_NONE == UINT64_MAX, "store_log_find says UINT64_MAX for a batch without position");

/* A row below bound_end: a replay says again what is there, or what a rebuilt sidecar does not know. */
static enum br_err bind_again(struct store_log *log, int64_t base_offset, uint64_t position)
{
    struct store_positions_reader r;
    struct store_positions_row row;
    struct store_handle *h;
    uint32_t i;
    size_t at = store_log_find_segment(log, base_offset);
    if (at == log->count)
        return BR_OK; /* removed since */
    struct store_segment *s = log->chain[at];
    enum br_err err = store_segment_load(s, log->config.index_interval_bytes, NULL);
    if (err == BR_OK)
        err = store_segment_acquire(s, STORE_SEGMENT_POSITIONS, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &h);
    if (err != BR_OK)
        return err;
    store_positions_reader_init(&r, &s->rows, store_handle_file(h), false);
    err = store_positions_search(&r, STORE_BY_DELTA, (uint64_t)(base_offset - s->base), 0, s->rows.bound, &i);
    if (err == BR_OK && i == s->rows.bound)
        err = BR_INVALID;
    if (err == BR_OK)
        err = store_positions_get(&r, i, &row);
    if (err == BR_OK && row.delta != base_offset - s->base)
        err = BR_INVALID;
    if (err == BR_OK && row.position != position) {
        if (row.position != STORE_POSITION_NONE)
            err = BR_CORRUPT;
        else if (i >= s->rows.written)
            s->rows.rows[i - s->rows.first].position = position;
        else if ((err = store_positions_rewrite(&s->rows, store_handle_file(h), i, position)) == BR_OK)
            s->dirty |= 1u << STORE_SEGMENT_POSITIONS;
        store_log_touch(log, s);
    }
    store_file_cache_release(log->files, h);
    return err;
}

enum br_err store_log_bind(struct store_log *log, int64_t base_offset, uint64_t position)
{
    BR_ASSERT(position != STORE_POSITION_NONE);
    enum br_err err = store_log_attach(log);
    if (err != BR_OK)
        return err;
    if (base_offset >= log->state.end)
        return BR_INVALID;
    if (base_offset < log->state.bound_end)
        return bind_again(log, base_offset, position);
    size_t at = store_log_find_segment(log, base_offset);
    if (at == log->count || base_offset != log->state.bound_end)
        return BR_INVALID;
    struct store_segment *s = log->chain[at];
    BR_ASSERT(s->is_loaded); /* S-12: rows that wait for a position are in memory */
    BR_ASSERT(s->rows.bound < s->rows.count);
    if (s->base + store_positions_next(&s->rows)->delta != base_offset)
        return BR_INVALID;
    store_positions_bind(&s->rows, position);
    store_log_touch(log, s);
    s->dirty |= 1u << STORE_SEGMENT_POSITIONS;
    log->state.bound_end = s->rows.bound < s->rows.count ? s->base + store_positions_next(&s->rows)->delta : s->end;
    return BR_OK;
}

/* ---- positions of a sidecar that was made again ---- */

void store_log_lacks_positions(struct store_log *log, struct store_segment *s)
{
    s->positions = STORE_POSITIONS_LACKING;
    if (log && log->lacks_positions)
        *log->lacks_positions = true;
}

bool store_log_feed_begin(struct store_log *log)
{
    bool lacks = false;
    for (size_t i = 0; i < log->count; i++) {
        if (log->chain[i]->positions == STORE_POSITIONS_KNOWN || !log->chain[i]->is_loaded) /* one that could not be made again is asked anew when it is loaded */
            continue;
        log->chain[i]->positions = STORE_POSITIONS_FED;
        lacks = true;
    }
    return lacks;
}

/* Rows that the order log does not have lie below the log's start: it is trimmed there. They get position 0, so that positions rise. */
static enum br_err fill_rest(struct store_segment *s, struct store_file *file)
{
    struct store_positions_reader r;
    struct store_positions_row row;
    enum br_err err = BR_OK;
    store_positions_reader_init(&r, &s->rows, file, false);
    for (uint32_t i = 0; err == BR_OK && i < s->rows.bound; i++) {
        err = store_positions_get(&r, i, &row);
        if (err != BR_OK || row.position != STORE_POSITION_NONE)
            continue;
        if (s->base + row.delta >= s->log->state.start)
            br_log(BR_LOG_ERROR, "storage", "log=%s offset=%" PRId64 " has no position: the order log does not have it", s->log->name, s->base + row.delta);
        err = store_positions_rewrite(&s->rows, file, i, 0);
    }
    return err;
}

static enum br_err finish(struct store_segment *s)
{
    struct store_handle *h;
    enum br_err err = store_segment_write_head(s); /* with what is still in memory only */
    if (err != BR_OK)
        return err;
    err = store_segment_acquire(s, STORE_SEGMENT_POSITIONS, STORE_OPEN_WRITE, &h);
    if (err != BR_OK)
        return err;
    BR_ASSERT(s->rows.written == s->rows.bound);
    err = fill_rest(s, store_handle_file(h));
    if (err == BR_OK)
        err = store_file_sync(store_handle_file(h));
    store_file_cache_release(s->files, h);
    if (err != BR_OK)
        return err;
    s->positions = STORE_POSITIONS_KNOWN;
    br_log(BR_LOG_INFO, "storage", "positions are known again segment=%s batches=%u", s->stem, s->rows.bound);
    return store_segment_write_head(s);
}

enum br_err store_log_feed_end(struct store_log *log)
{
    enum br_err err = BR_OK;
    for (size_t i = 0; i < log->count && err == BR_OK; i++) {
        if (log->chain[i]->positions != STORE_POSITIONS_FED)
            continue;
        err = finish(log->chain[i]);
        store_log_touch(log, log->chain[i]);
    }
    return err;
}
