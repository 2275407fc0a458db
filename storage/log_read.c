/* Finding batches: by offset, by position in the total order, and runs of them for readers. */
#include "storage/log_int.h"

size_t store_log_find_segment(const struct store_log *log, int64_t offset)
{
    size_t low = 0, high = log->count;
    if (high > 0 && log->chain[high - 1]->base <= offset)
        return high - 1; /* the tail is asked most */
    while (low < high) { /* first whose base is above */
        size_t mid = low + (high - low) / 2;
        if (log->chain[mid]->base <= offset)
            low = mid + 1;
        else
            high = mid;
    }
    return low > 0 ? low - 1 : log->count;
}

/* ---- ranges ---- */

struct span {
    struct store_positions_row first, next; /* first batch; the one after the last, or the segment's end */
};

/* The whole batches from the one with offset on that end at or below limit and fit max_bytes. */
static enum br_err find_span(struct store_segment *s, struct store_positions_reader *r, int64_t offset, int64_t limit, size_t max_bytes,
                             bool at_least_one, struct span *out)
{
    uint32_t i, by_offset, by_bytes, count = s->rows.count;
    uint64_t end_delta = (uint64_t)(BR_MIN(limit, s->end) - s->base);
    enum br_err err = store_positions_search(r, STORE_BY_DELTA, (uint64_t)(offset - s->base) + 1, 0, count, &i);
    if (err != BR_OK)
        return err;
    if (i == 0)
        return BR_CORRUPT;
    i--;
    if ((err = store_positions_get(r, i, &out->first)) != BR_OK)
        return err;
    /* The batch after the last one begins at or below both bounds. */
    uint64_t end_position = (uint64_t)out->first.file_position + BR_MIN(max_bytes, UINT32_MAX);
    by_offset = by_bytes = count;
    if (limit < s->end) {
        if ((err = store_positions_search(r, STORE_BY_DELTA, end_delta + 1, i, count, &by_offset)) != BR_OK)
            return err;
        by_offset--;
    }
    if (end_position < (uint64_t)s->bytes) {
        uint64_t most = i + (end_position - out->first.file_position) / KW_BATCH_HEADER + 2; /* rows that fit if each batch is empty */
        if ((err = store_positions_search(r, STORE_BY_FILE_POSITION, end_position + 1, i, (uint32_t)BR_MIN(most, count), &by_bytes)) != BR_OK)
            return err;
        by_bytes--;
    }
    uint32_t next = BR_MIN(by_offset, by_bytes);
    if (next == i && at_least_one && by_offset > i)
        next = i + 1;
    out->next = (struct store_positions_row){.delta = (uint32_t)(s->end - s->base), .file_position = (uint32_t)s->bytes};
    if (next < count && (err = store_positions_get(r, next, &out->next)) != BR_OK)
        return err;
    /* The rows may come from a file: one that rotted must not send anyone astray. */
    bool fits = out->first.delta <= offset - s->base && out->next.file_position <= s->bytes && (next == i || out->next.delta > offset - s->base) &&
                (next == i ? out->next.file_position == out->first.file_position : out->next.file_position > out->first.file_position) &&
                (next == i || out->next.delta <= end_delta);
    return fits ? BR_OK : BR_CORRUPT;
}

enum br_err store_log_read(struct store_log *log, int64_t offset, int64_t limit, size_t max_bytes, bool at_least_one,
                           struct store_range *out)
{
    struct store_positions_reader r;
    struct store_handle *rows_file;
    struct span span;
    *out = (struct store_range){.first_offset = offset, .next_offset = offset};
    enum br_err err = store_log_attach(log);
    if (err != BR_OK)
        return err;
    if (offset < log->state.start || offset > log->state.end)
        return BR_RANGE;
    limit = BR_MIN(limit, log->state.end);
    if (offset >= limit)
        return BR_OK;
    size_t at = store_log_find_segment(log, offset);
    if (at == log->count)
        return BR_CORRUPT;
    struct store_segment *s = log->chain[at];
    if ((err = store_segment_load(s, log->config.index_interval_bytes, out)) != BR_OK)
        return err;
    if (offset >= s->missing_from)
        return BR_CORRUPT;
    if ((err = store_segment_rows_file(s, &rows_file)) != BR_OK)
        return err;
    store_positions_reader_init(&r, &s->rows, rows_file ? store_handle_file(rows_file) : NULL, true);
    err = find_span(s, &r, offset, limit, max_bytes, at_least_one, &span);
    store_file_cache_release(log->files, rows_file);
    if (err == BR_COLD)
        return store_segment_cold(s, STORE_SEGMENT_POSITIONS, r.cold_at, STORE_POSITIONS_BLOCK_BYTES, out);
    if (err != BR_OK || span.next.file_position == span.first.file_position)
        return err;
    BR_ASSERT(span.next.file_position > span.first.file_position);
    if ((err = store_segment_hold(s, STORE_SEGMENT_LOG, out)) != BR_OK)
        return err;
    out->file_position = span.first.file_position;
    out->length = span.next.file_position - span.first.file_position;
    out->first_offset = s->base + span.first.delta;
    out->next_offset = s->base + span.next.delta;
    BR_ASSERT(out->first_offset <= offset && offset < out->next_offset && out->next_offset <= limit);
    return BR_OK;
}

/* ---- one batch ---- */

enum br_err store_log_find_row(struct store_segment *s, int64_t offset, struct store_positions_row *row, int64_t *next, struct store_range *cold)
{
    struct store_positions_reader r;
    struct store_positions_row after;
    struct store_handle *h;
    uint32_t i = 0;
    BR_ASSERT(offset >= s->base && offset < s->end);
    if (offset >= s->missing_from)
        return BR_CORRUPT;
    enum br_err err = store_segment_rows_file(s, &h);
    if (err != BR_OK)
        return err;
    store_positions_reader_init(&r, &s->rows, h ? store_handle_file(h) : NULL, cold != NULL);
    err = store_positions_search(&r, STORE_BY_DELTA, (uint64_t)(offset - s->base) + 1, 0, s->rows.count, &i);
    if (err == BR_OK && i == 0)
        err = BR_CORRUPT;
    if (err == BR_OK)
        err = store_positions_get(&r, i - 1, row);
    *next = s->end;
    if (err == BR_OK && i < s->rows.count && (err = store_positions_get(&r, i, &after)) == BR_OK)
        *next = s->base + after.delta;
    store_file_cache_release(s->files, h);
    if (err == BR_COLD)
        return store_segment_cold(s, STORE_SEGMENT_POSITIONS, r.cold_at, STORE_POSITIONS_BLOCK_BYTES, cold);
    /* The rows may come from a file that rotted. */
    if (err == BR_OK && (s->base + row->delta > offset || *next <= offset || *next > s->end || row->file_position >= s->bytes))
        err = BR_CORRUPT;
    return err;
}

enum br_err store_log_find(struct store_log *log, int64_t offset, int64_t *batch_base, struct store_place *place, uint64_t *position,
                            struct store_range *cold)
{
    struct store_positions_row row;
    int64_t next;
    enum br_err err = store_log_attach(log);
    if (err != BR_OK)
        return err;
    if (offset < log->state.start || offset >= log->state.end)
        return BR_RANGE;
    size_t at = store_log_find_segment(log, offset);
    if (at == log->count)
        return BR_CORRUPT;
    struct store_segment *s = log->chain[at];
    if ((err = store_segment_load(s, log->config.index_interval_bytes, cold)) != BR_OK || (err = store_log_find_row(s, offset, &row, &next, cold)) != BR_OK)
        return err;
    *batch_base = s->base + row.delta;
    *place = (struct store_place){s->base, row.file_position};
    *position = row.position;
    BR_ASSERT(*batch_base <= offset && offset < next);
    return BR_OK;
}

/* ---- cuts ---- */

/* Where a record lies: its offset and its position in the total order, STORE_POSITION_NONE when it has none yet. */
struct found {
    int64_t offset;
    uint64_t position;
};

/* The first record of the segment whose position is at or above p; s->end when there is none. */
static enum br_err seek_rows(struct store_segment *s, struct store_positions_reader *r, uint64_t p, struct found *out)
{
    struct store_positions_row row;
    uint32_t i = 0;
    *out = (struct found){s->end, STORE_POSITION_NONE};
    enum br_err err = store_positions_search(r, STORE_BY_POSITION, p, 0, s->rows.count, &i);
    if (err == BR_OK && i < s->rows.count && (err = store_positions_get(r, i, &row)) == BR_OK)
        *out = (struct found){s->base + row.delta, row.position};
    if (err == BR_OK && out->offset > s->end)
        err = BR_CORRUPT;
    /* The batch before it may reach to p: position of a record = position of its batch + its place in the batch. */
    if (err == BR_OK && i > 0 && (err = store_positions_get(r, i - 1, &row)) == BR_OK) {
        uint64_t in_batch = p - row.position;
        int64_t length = out->offset - (s->base + row.delta);
        BR_ASSERT(row.position < p);
        if (length <= 0)
            err = BR_CORRUPT;
        else if (in_batch < (uint64_t)length)
            *out = (struct found){s->base + row.delta + (int64_t)in_batch, p};
    }
    return err;
}

/* The record at `offset` of the segment. */
static enum br_err position_rows(struct store_segment *s, struct store_positions_reader *r, int64_t offset, struct found *out)
{
    struct store_positions_row row;
    uint32_t i = 0;
    enum br_err err = store_positions_search(r, STORE_BY_DELTA, (uint64_t)(offset - s->base) + 1, 0, s->rows.count, &i);
    if (err == BR_OK)
        err = i > 0 ? store_positions_get(r, i - 1, &row) : BR_CORRUPT;
    if (err == BR_OK)
        *out = (struct found){offset, row.position == STORE_POSITION_NONE ? row.position : row.position + (uint64_t)(offset - s->base - row.delta)};
    return err;
}

/* By position, or (offset >= 0) by offset. cold: NULL to wait for the device. */
static enum br_err seek_segment(struct store_log *log, struct store_segment *s, int64_t offset, uint64_t p, struct store_range *cold, struct found *out)
{
    struct store_positions_reader r;
    struct store_handle *h;
    enum br_err err = store_segment_load(s, log->config.index_interval_bytes, cold);
    if (err == BR_OK && s->positions != STORE_POSITIONS_KNOWN)
        err = BR_BUSY;
    if (err == BR_OK)
        err = store_segment_rows_file(s, &h);
    if (err != BR_OK)
        return err;
    store_positions_reader_init(&r, &s->rows, h ? store_handle_file(h) : NULL, cold != NULL);
    err = offset >= 0 ? position_rows(s, &r, offset, out) : seek_rows(s, &r, p, out);
    store_file_cache_release(log->files, h);
    return err == BR_COLD ? store_segment_cold(s, STORE_SEGMENT_POSITIONS, r.cold_at, STORE_POSITIONS_BLOCK_BYTES, cold) : err;
}

enum br_err store_log_seek(struct store_log *log, uint64_t position, int64_t *offset, uint64_t *found, struct store_range *cold)
{
    struct found best = {log->state.end, STORE_POSITION_NONE};
    size_t low = 0, high;
    enum br_err err = store_log_attach(log);
    if (err != BR_OK)
        return err;
    best.offset = log->state.end;
    high = log->count;
    /* The first segment that holds the answer; positions rise along the chain. The newest is asked most. */
    for (size_t mid = high > 0 ? high - 1 : 0; low < high; mid = low + (high - low) / 2) {
        struct store_segment *s = log->chain[mid];
        struct found here;
        if (s->bytes == 0) { /* the active one, before its first batch */
            high = mid;
            continue;
        }
        if ((err = seek_segment(log, s, -1, position, cold, &here)) != BR_OK)
            return err;
        if (here.offset < s->end) {
            best = here;
            high = mid;
        } else {
            low = mid + 1;
        }
    }
    if (best.offset < log->state.start && log->state.start < log->state.end) {
        size_t at = store_log_find_segment(log, log->state.start);
        err = at < log->count ? seek_segment(log, log->chain[at], log->state.start, 0, cold, &best) : BR_CORRUPT;
    }
    *offset = BR_MAX(best.offset, log->state.start);
    *found = best.position;
    return err;
}

enum br_err store_log_cut(struct store_log *log, uint64_t position, int64_t *offset)
{
    uint64_t found;
    return store_log_seek(log, position, offset, &found, NULL);
}

/* ---- leader epochs ---- */

enum br_err store_log_set_epoch(struct store_log *log, int32_t epoch)
{
    BR_ASSERT(epoch >= 0);
    enum br_err err = store_log_attach(log);
    if (err != BR_OK)
        return err;
    if (epoch < log->state.leader_epoch)
        return BR_FENCED;
    log->state.leader_epoch = epoch;
    store_epochs_set(&log->epochs, epoch, log->state.end);
    return BR_OK;
}

void store_log_epoch_end(struct store_log *log, int32_t asked, int32_t *epoch, int64_t *end_offset)
{
    *epoch = -1;
    *end_offset = -1;
    if (store_log_attach(log) == BR_OK)
        store_epochs_end(&log->epochs, asked, log->state.end, epoch, end_offset);
}
