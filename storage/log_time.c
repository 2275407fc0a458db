/* Lookups by time. Only what was proved when a batch was stored is trusted: its header's max_timestamp. A batch that may hold the
 * answer is read and inflated, so that the record itself is named, for every codec and timestamp type. Segments are passed over by their
 * largest timestamp, and stretches of one by .timeindex. */
#include "storage/log_int.h"
#include "compat/base/mem.h"
#include "compat/batch/record.h"
#include "compat/zip/zip.h"

#define INFLATED_BYTES_MAX ((size_t)1 << 30) /* it was inflated within the topic's limits once: this only bounds rot */

#define SHARE 32768u      /* 1 to 3 ms: units of work of one call that must not wait: a header is one */
#define READ_UNITS 16u    /* a read of headers */
#define LOAD_UNITS 1024u  /* a segment at first use: a few files are opened */
#define UNIT_BYTES 64u    /* of a batch that is read, and of what it inflates to */

/* One call: what is left of its share, and the held range when it ends early. cold NULL: it waits, and has no share. */
struct walk {
    struct store_log *log;
    struct store_time_query *q;
    struct store_range *cold;
    unsigned left;
};

static void spend(struct walk *w, uint64_t units)
{
    w->left -= (unsigned)BR_MIN(units, w->left);
}

static bool is_spent(const struct walk *w)
{
    return w->cold && w->left == 0;
}

static void take(struct store_time_query *q, int64_t offset, int64_t timestamp)
{
    BR_ASSERT(offset >= q->from && offset < q->limit);
    q->found = true;
    q->offset = offset;
    q->timestamp = timestamp;
    q->best = -1;
    if (q->is_max)
        q->t = timestamp;
}

/* As take, for a batch with this offset of which no record was looked at: it is named at the end, when no later batch has a larger one. */
static void take_batch(struct store_time_query *q, int64_t offset, int64_t timestamp)
{
    BR_ASSERT(q->is_max);
    take(q, offset, timestamp);
    q->best = offset;
}

/* True when a record with this timestamp is (so far) the answer. Timestamps below 0 mean none. */
static bool is_wanted(const struct store_time_query *q, int64_t timestamp)
{
    return q->is_max ? timestamp > q->t : timestamp >= q->t;
}

/* Looks through the records of a batch. */
static enum br_err ask_records(struct store_time_query *q, const struct kw_batch *b, const uint8_t *records, size_t len)
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

static enum br_err ask_batch(struct walk *w, struct store_time_query *q, struct store_segment *s, struct store_file *file, const struct kw_batch *header,
                             int64_t at)
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
    spend(w, header->size / UNIT_BYTES);
    enum br_err err = store_file_read_as(file, data, header->size, at, w->cold != NULL);
    if (err == BR_OK)
        err = kw_batch_view(data, header->size, &b);
    if (err == BR_OK && kw_batch_codec(&b) == KW_CODEC_NONE) {
        err = ask_records(q, &b, data + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER);
    } else if (err == BR_OK) {
        br_buf_init(&inflated, INFLATED_BYTES_MAX);
        err = kw_zip_inflate_buf(kw_batch_codec(&b), data + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER, INFLATED_BYTES_MAX, &inflated);
        spend(w, inflated.len / UNIT_BYTES);
        if (err == BR_OK)
            err = ask_records(q, &b, inflated.data, inflated.len);
        br_buf_clear(&inflated);
    }
    br_free(data);
    if (err == BR_COLD)
        return store_segment_cold(s, STORE_SEGMENT_LOG, at, header->size, w->cold);
    return err == BR_EOF ? BR_CORRUPT : err;
}

/* The last offset of the segment that .timeindex rules out, or -1. */
static enum br_err floor_offset(struct walk *w, struct store_segment *s, int64_t *offset)
{
    struct store_handle *h = NULL;
    bool found = false;
    uint32_t delta = 0;
    enum br_err err = BR_OK;
    if (s->index.times_written > 0)
        err = store_segment_acquire(s, STORE_SEGMENT_TIMEINDEX, STORE_OPEN_READ, &h);
    if (err == BR_OK)
        err = store_index_floor_time(&s->index, h ? store_handle_file(h) : NULL, w->q->t, w->cold != NULL, &found, &delta);
    store_file_cache_release(s->files, h);
    if (err == BR_COLD) /* all of it: the search jumps about */
        return store_segment_cold(s, STORE_SEGMENT_TIMEINDEX, 0, (size_t)s->index.times_written * STORE_TIME_ENTRY_BYTES, w->cold);
    *offset = found ? s->base + delta : -1;
    return err;
}

/* Where in the segment the walk begins: after the batches that the query's start, or .timeindex, rules out. */
static enum br_err first_batch(struct walk *w, struct store_segment *s, int64_t *at)
{
    struct store_positions_row row;
    int64_t next, from = BR_MAX(w->q->from, s->base), ruled_out = -1;
    enum br_err err;
    if (!w->q->is_max) {
        if ((err = floor_offset(w, s, &ruled_out)) != BR_OK)
            return err;
        from = BR_MAX(from, ruled_out + 1);
    }
    if (from >= s->end) {
        *at = s->bytes;
        return BR_OK;
    }
    if ((err = store_log_find_row(s, from, &row, &next, w->cold)) == BR_OK)
        *at = row.file_position;
    return err;
}

/* All records of the batch may be the answer: its header says enough of the largest timestamp. */
static bool is_whole(const struct store_time_query *q, const struct kw_batch *b)
{
    return b->base_offset >= q->from && kw_batch_last_offset(b) < q->limit && b->record_count > 0;
}

static enum br_err ask_header(struct walk *w, struct store_segment *s, struct store_file *file, const struct kw_batch *b, int64_t at)
{
    struct store_time_query *q = w->q;
    if (kw_batch_last_offset(b) < q->from || !is_wanted(q, b->max_timestamp))
        return BR_OK;
    if (!q->is_max || !is_whole(q, b))
        return ask_batch(w, q, s, file, b, at);
    take_batch(q, kw_batch_last_offset(b), b->max_timestamp);
    return BR_OK;
}

/* From q->at on, where the walk is begun. */
static enum br_err walk_segment(struct walk *w, struct store_segment *s)
{
    struct store_time_query *q = w->q;
    struct store_scan scan;
    struct store_handle *h;
    struct kw_batch b;
    unsigned reads = 0;
    int64_t at;
    enum br_err err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_READ, &h);
    if (err != BR_OK)
        return err;
    store_scan_init(&scan, store_handle_file(h), q->at, s->bytes, w->cold != NULL);
    for (;;) {
        q->at = scan.at;
        if (is_spent(w))
            err = store_segment_cold(s, STORE_SEGMENT_LOG, q->at, 1, w->cold);
        else if ((err = store_scan_next(&scan, &b, &at)) == BR_COLD)
            err = store_segment_cold(s, STORE_SEGMENT_LOG, q->at, sizeof scan.buffer, w->cold);
        if (err == BR_OK && b.base_offset >= q->limit)
            err = BR_EOF;
        spend(w, 1 + (scan.reads - reads) * READ_UNITS);
        reads = scan.reads;
        if (err != BR_OK || (err = ask_header(w, s, store_handle_file(h), &b, at)) != BR_OK || (q->found && !q->is_max))
            break;
    }
    store_file_cache_release(s->files, h);
    return err == BR_EOF ? BR_OK : err;
}

/* True when no record of the segment within the query's stretch can be the answer. */
static bool is_ruled_out(const struct store_time_query *q, const struct store_segment *s)
{
    return s->bytes == 0 || s->end <= q->from || s->base >= q->limit || !is_wanted(q, s->index.max_timestamp);
}

static enum br_err ask_segment(struct walk *w, struct store_segment *s)
{
    struct store_time_query *q = w->q;
    enum br_err err;
    if (q->segment != s->base)
        q->at = -1;
    q->segment = s->base;
    if (!s->is_loaded && is_spent(w))
        return store_segment_cold(s, STORE_SEGMENT_POSITIONS, 0, 1, w->cold);
    if (!s->is_loaded)
        spend(w, LOAD_UNITS);
    if ((err = store_segment_load(s, w->log->config.index_interval_bytes, w->cold)) != BR_OK)
        return err;
    if (q->at < 0 && is_ruled_out(q, s))
        return BR_OK;
    if (q->is_max && s->base >= q->from && s->end <= q->limit) { /* its index says it all */
        if (s->index.max_delta >= s->end - s->base)
            return BR_CORRUPT;
        take_batch(q, s->base + s->index.max_delta, s->index.max_timestamp);
        return BR_OK;
    }
    if (q->at < 0 && (err = first_batch(w, s, &q->at)) != BR_OK)
        return err;
    return walk_segment(w, s);
}

static void begin(struct walk *w)
{
    struct store_time_query *q = w->q;
    q->has_begun = true;
    q->limit = BR_MIN(q->limit, w->log->state.end);
    q->from = q->next = w->log->state.start;
    q->segment = q->at = q->best = -1;
    q->found = false;
    if (q->is_max)
        q->t = -1;
}

/* The record of the batch that is known to have the largest timestamp. BR_RANGE: the log begins inside that batch by now. */
static enum br_err name_best(struct walk *w)
{
    struct store_time_query first = *w->q; /* of its records, the first one at or after that time */
    struct store_positions_row row;
    struct store_handle *h;
    struct kw_batch b;
    uint8_t header[KW_BATCH_HEADER];
    int64_t next;
    size_t i = store_log_find_segment(w->log, first.best);
    BR_ASSERT(first.is_max && first.found);
    if (i == w->log->count || first.best >= w->log->chain[i]->end)
        return BR_CORRUPT;
    struct store_segment *s = w->log->chain[i];
    enum br_err err = store_segment_load(s, w->log->config.index_interval_bytes, w->cold);
    if (err == BR_OK)
        err = store_log_find_row(s, first.best, &row, &next, w->cold);
    if (err == BR_OK)
        err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_READ, &h);
    if (err != BR_OK)
        return err;
    first.found = first.is_max = false;
    err = store_scan_one(store_handle_file(h), row.file_position, s->bytes, w->cold != NULL, &b, header);
    if (err == BR_COLD)
        err = store_segment_cold(s, STORE_SEGMENT_LOG, row.file_position, KW_BATCH_HEADER, w->cold);
    else if (err == BR_OK && b.base_offset < first.from)
        err = kw_batch_last_offset(&b) < first.from ? BR_CORRUPT : BR_RANGE;
    else if (err == BR_OK)
        err = ask_batch(w, &first, s, store_handle_file(h), &b, row.file_position);
    store_file_cache_release(s->files, h);
    if (err == BR_OK && !first.found)
        err = BR_CORRUPT;
    if (err == BR_OK)
        take(w->q, first.offset, first.timestamp);
    return err;
}

static enum br_err ask_log(struct walk *w)
{
    struct store_time_query *q = w->q;
    struct store_log *log = w->log;
    enum br_err err = store_log_attach(log);
    if (err != BR_OK)
        return err;
    if (!q->has_begun || (q->found && q->offset < log->state.start)) /* or what was found is removed since */
        begin(w);
    q->from = BR_MAX(q->from, log->state.start);
    q->next = BR_MAX(q->next, q->from);
    while (q->next < q->limit && log->count > 0 && (q->is_max || !q->found)) {
        size_t i = store_log_find_segment(log, q->next);
        struct store_segment *s = log->chain[i < log->count ? i : 0];
        if (s->base >= q->limit || s->end <= q->next)
            break;
        if ((err = ask_segment(w, s)) != BR_OK)
            return err;
        q->next = s->end;
    }
    return q->best >= 0 ? name_best(w) : BR_OK;
}

struct store_time_query store_time_query(int64_t t, int64_t limit)
{
    BR_ASSERT(limit >= 0);
    return (struct store_time_query){.t = t, .limit = limit, .offset = -1, .timestamp = -1};
}

struct store_time_query store_max_time_query(int64_t limit)
{
    BR_ASSERT(limit >= 0);
    return (struct store_time_query){.t = -1, .is_max = true, .limit = limit, .offset = -1, .timestamp = -1};
}

enum br_err store_log_ask_time(struct store_log *log, struct store_time_query *q, struct store_range *cold)
{
    struct walk w = {.log = log, .q = q, .cold = cold, .left = SHARE};
    BR_ASSERT(q->limit >= 0);
    enum br_err err;
    while ((err = ask_log(&w)) == BR_RANGE)
        begin(&w);
    BR_ASSERT(err != BR_COLD || (cold && cold->hold)); /* S-14 */
    if (err == BR_OK && !q->found)
        q->offset = q->timestamp = -1;
    return err;
}
