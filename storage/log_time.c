/* Lookups by time. Only what was proved when a batch was stored is trusted: its header's max_timestamp. A batch that may hold the
 * answer is read and inflated, so that the record itself is named, for every codec and timestamp type. Segments are passed over by their
 * largest timestamp, and stretches of one by .timeindex. */
#include "storage/log_int.h"
#include "compat/base/mem.h"
#include "compat/batch/record.h"
#include "compat/zip/zip.h"

#define INFLATED_BYTES_MAX ((size_t)1 << 30) /* it was inflated within the topic's limits once: this only bounds rot */

/* What is looked for, and the stretch of offsets it must lie in. */
struct query {
    int64_t from, limit; /* offsets */
    int64_t t;           /* first record at or after it; with is_max: the largest timestamp so far */
    bool is_max;
    bool found;
    int64_t offset, timestamp;
};

static void take(struct query *q, int64_t offset, int64_t timestamp)
{
    BR_ASSERT(offset >= q->from && offset < q->limit);
    q->found = true;
    q->offset = offset;
    q->timestamp = timestamp;
    if (q->is_max)
        q->t = timestamp;
}

/* True when a record with this timestamp is (so far) the answer. Timestamps below 0 mean none. */
static bool is_wanted(const struct query *q, int64_t timestamp)
{
    return q->is_max ? timestamp > q->t : timestamp >= q->t;
}

/* Looks through the records of a batch. */
static enum br_err ask_records(struct query *q, const struct kw_batch *b, const uint8_t *records, size_t len)
{
    struct kw_record_iter it;
    struct kw_record r;
    enum br_err err;
    kw_record_iter_init(&it, b, records, len);
    while ((err = kw_record_next(&it, &r)) == BR_OK) {
        if (r.offset < q->from || !is_wanted(q, r.timestamp))
            continue;
        if (r.offset >= q->limit)
            break;
        take(q, r.offset, r.timestamp);
        if (!q->is_max)
            break;
    }
    return err == BR_EOF ? BR_OK : err;
}

static enum br_err ask_batch(struct query *q, struct store_file *file, const struct kw_batch *header, int64_t at)
{
    struct kw_batch b;
    struct br_buf inflated;
    BR_ASSERT(kw_batch_last_offset(header) >= q->from);
    if (header->attributes & KW_BATCH_LOG_APPEND_TIME && header->record_count > 0) {
        take(q, BR_MAX(header->base_offset, q->from), header->max_timestamp); /* all records have it */
        return BR_OK;
    }
    uint8_t *data = br_try_alloc(header->size);
    if (!data)
        return BR_NOMEM;
    enum br_err err = store_file_read(file, data, header->size, at);
    if (err == BR_OK)
        err = kw_batch_view(data, header->size, &b);
    if (err == BR_OK && kw_batch_codec(&b) == KW_CODEC_NONE) {
        err = ask_records(q, &b, data + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER);
    } else if (err == BR_OK) {
        br_buf_init(&inflated, INFLATED_BYTES_MAX);
        err = kw_zip_inflate_buf(kw_batch_codec(&b), data + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER, INFLATED_BYTES_MAX, &inflated);
        if (err == BR_OK)
            err = ask_records(q, &b, inflated.data, inflated.len);
        br_buf_clear(&inflated);
    }
    br_free(data);
    return err == BR_EOF ? BR_CORRUPT : err;
}

/* Where in the segment the walk begins: after the batches that the query's start, or .timeindex, rules out. */
static enum br_err first_batch(struct store_segment *s, const struct query *q, int64_t *at)
{
    struct store_positions_row row;
    struct store_handle *h = NULL;
    int64_t next, from = BR_MAX(q->from, s->base);
    bool found = false;
    uint32_t delta = 0;
    enum br_err err = BR_OK;
    if (!q->is_max) {
        if (s->index.times_written > 0)
            err = store_segment_acquire(s, STORE_SEGMENT_TIMEINDEX, STORE_OPEN_READ, &h);
        if (err == BR_OK)
            err = store_index_floor_time(&s->index, h ? store_handle_file(h) : NULL, q->t, &found, &delta);
        store_file_cache_release(s->files, h);
        if (err != BR_OK)
            return err;
        if (found)
            from = BR_MAX(from, s->base + delta + 1);
    }
    if (from >= s->end) {
        *at = s->bytes;
        return BR_OK;
    }
    if ((err = store_log_find_row(s, from, &row, &next)) == BR_OK)
        *at = row.file_position;
    return err;
}

static enum br_err ask_segment(struct query *q, struct store_segment *s)
{
    struct store_scan scan;
    struct store_handle *h;
    struct kw_batch b;
    int64_t at;
    enum br_err err = first_batch(s, q, &at);
    if (err != BR_OK)
        return err;
    if ((err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_READ, &h)) != BR_OK)
        return err;
    store_scan_init(&scan, store_handle_file(h), at, s->bytes);
    while ((err = store_scan_next(&scan, &b, &at)) == BR_OK && b.base_offset < q->limit) {
        if (kw_batch_last_offset(&b) < q->from || !is_wanted(q, b.max_timestamp))
            continue;
        if ((err = ask_batch(q, store_handle_file(h), &b, at)) != BR_OK || (q->found && !q->is_max))
            break;
    }
    store_file_cache_release(s->files, h);
    return err == BR_EOF ? BR_OK : err;
}

/* True when no record of the segment within the query's stretch can be the answer. */
static bool is_ruled_out(const struct query *q, const struct store_segment *s)
{
    return s->bytes == 0 || s->end <= q->from || s->base >= q->limit || !is_wanted(q, s->index.max_timestamp);
}

static enum br_err ask_log(struct store_log *log, struct query *q, bool *found, int64_t *offset, int64_t *timestamp)
{
    enum br_err err = store_log_attach(log);
    q->from = log->state.start;
    q->limit = BR_MIN(q->limit, log->state.end);
    size_t count = q->from < q->limit ? log->count : 0;
    for (size_t i = 0; err == BR_OK && i < count && (q->is_max || !q->found); i++) {
        struct store_segment *s = log->chain[i];
        if (s->base >= q->limit)
            break;
        err = store_segment_load(s, log->config.index_interval_bytes, NULL);
        if (err == BR_OK && !is_ruled_out(q, s))
            err = ask_segment(q, s);
    }
    if (err != BR_OK)
        return err;
    *found = q->found;
    *offset = q->found ? q->offset : -1;
    *timestamp = q->found ? q->timestamp : -1;
    return BR_OK;
}

enum br_err store_log_find_time(struct store_log *log, int64_t t, int64_t limit, bool *found, int64_t *offset, int64_t *timestamp)
{
    struct query q = {.limit = limit, .t = t};
    BR_ASSERT(limit >= 0);
    return ask_log(log, &q, found, offset, timestamp);
}

enum br_err store_log_find_max_time(struct store_log *log, int64_t limit, bool *found, int64_t *offset, int64_t *timestamp)
{
    struct query q = {.limit = limit, .t = -1, .is_max = true};
    BR_ASSERT(limit >= 0);
    return ask_log(log, &q, found, offset, timestamp);
}
