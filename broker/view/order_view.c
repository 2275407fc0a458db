#include "broker/view/order_view.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "compat/zip/zip.h"

#define ANSWER_MAX ((size_t)1 << 20)      /* of one answer */
#define ROWS 64u                          /* rows read at once */
#define SCAN_MAX 65536u                   /* invisible rows passed in one call */
#define INFLATED_MAX ((size_t)64 << 20)   /* as Produce let in */

struct broker_order_view {
    struct broker *broker;
    uint64_t scanned;  /* rows below were taken into `end` */
    uint64_t end;      /* one past the last member record */
    uint64_t start;    /* no visible row below */
    uint64_t lost_end; /* one past the last member record below start: whoever stands at or above it has missed nothing */
    struct br_buf raw, inflated; /* one source batch; kept between calls */
};

/* The partition of a row's stream, or NULL when the topic is gone. */
static struct broker_partition *row_partition(const struct broker_order_view *v, const struct store_order_row *row)
{
    struct store_stream *stream = store_stream_find(order_local_store(v->broker->order), row->stream);
    struct order_stream *order = stream ? stream->owner : NULL;
    return order ? order->owner : NULL;
}

/* Was it ever a record of a user topic? Rows of deleted topics count: the end does not go back. */
static bool row_is_member(const struct broker_order_view *v, const struct store_order_row *row)
{
    if (row->flags & STORE_ORDER_TRIMMED)
        return true;
    if (row->kind != STORE_ROW_DATA || (row->flags & (STORE_ORDER_LOST | STORE_ORDER_VOID)) || row->stream < 2)
        return false;
    const struct broker_partition *partition = row_partition(v, row);
    return !partition || !partition->topic->is_internal;
}

/* First offset of the row that may be shown, or -1 when none may. */
static int64_t row_first_visible(const struct broker_partition *partition, const struct store_order_row *row)
{
    if (!partition || partition->topic->is_internal || row->kind != STORE_ROW_DATA || row->count == 0 ||
        (row->flags & (STORE_ORDER_LOST | STORE_ORDER_VOID | STORE_ORDER_TRIMMED | STORE_ORDER_CONTROL)))
        return -1;
    int64_t start = broker_partition_start(partition);
    if (start >= row->base_offset + row->count)
        return -1;
    return BR_MAX(start, row->base_offset);
}

static uint64_t row_end(const struct store_order_row *row)
{
    bool many = (row->kind == STORE_ROW_DATA || (row->flags & STORE_ORDER_TRIMMED)) && row->count > 1;
    return row->position + (many ? row->count : 1);
}

/* Finds the last member row at start-up by reading back from the stable end in growing steps. */
static void find_end(struct broker_order_view *v)
{
    uint64_t stable = order_local_stable(v->broker->order).value, hi = stable;
    uint64_t first = store_order_log_start(store_order_log(order_local_store(v->broker->order)));
    struct store_order_row rows[ROWS];
    for (uint64_t step = 4096; hi > first && v->end == 0; step *= 2) {
        uint64_t lo = hi - first > step ? hi - step : first;
        for (uint64_t p = lo; p < hi;) {
            unsigned count = 0;
            if (order_local_read(v->broker->order, order_position(p), rows, ROWS, &count, NULL) != BR_OK || count == 0)
                break;
            for (unsigned i = 0; i < count; i++)
                if (row_is_member(v, &rows[i]))
                    v->end = row_end(&rows[i]);
            p = row_end(&rows[count - 1]);
        }
        hi = lo;
    }
    v->scanned = stable;
}

struct broker_order_view *broker_order_view_new(struct broker *b)
{
    struct broker_order_view *v = br_alloc(sizeof *v);
    v->broker = b;
    v->start = v->lost_end = store_order_log_start(store_order_log(order_local_store(b->order)));
    br_buf_init(&v->raw, INFLATED_MAX);
    br_buf_init(&v->inflated, INFLATED_MAX);
    find_end(v);
    return v;
}

void broker_order_view_free(struct broker_order_view *v)
{
    if (!v)
        return;
    br_buf_clear(&v->raw);
    br_buf_clear(&v->inflated);
    br_free(v);
}

void broker_order_view_advance(struct broker_order_view *v)
{
    uint64_t stable = order_local_stable(v->broker->order).value;
    struct store_order_row rows[ROWS];
    while (v->scanned < stable) {
        unsigned count = 0;
        if (order_local_read(v->broker->order, order_position(v->scanned), rows, ROWS, &count, NULL) != BR_OK || count == 0) {
            v->scanned = stable;
            return;
        }
        for (unsigned i = 0; i < count; i++) {
            if (row_is_member(v, &rows[i])) {
                if (v->start >= v->end) /* nothing was left to read: the new record is the first, and none between was a member */
                    v->start = BR_MAX(v->start, rows[i].position);
                v->end = BR_MAX(v->end, row_end(&rows[i]));
            }
            v->scanned = row_end(&rows[i]);
        }
    }
}

int64_t broker_order_view_end(struct broker_order_view *v)
{
    broker_order_view_advance(v);
    return (int64_t)v->end;
}

int64_t broker_order_view_start(struct broker_order_view *v)
{
    uint64_t end = (uint64_t)broker_order_view_end(v);
    uint64_t kept = store_order_log_start(store_order_log(order_local_store(v->broker->order)));
    struct store_order_row rows[ROWS];
    if (v->start < BR_MIN(kept, end)) /* trimmed from the order log: what was there is not known any more */
        v->start = v->lost_end = BR_MIN(kept, end);
    for (unsigned passed = 0; v->start < end && passed < SCAN_MAX;) {
        unsigned count = 0;
        if (order_local_read(v->broker->order, order_position(v->start), rows, ROWS, &count, NULL) != BR_OK || count == 0)
            break;
        for (unsigned i = 0; i < count && v->start < end; i++, passed++) {
            int64_t first = row_first_visible(row_partition(v, &rows[i]), &rows[i]);
            if (first >= 0) {
                v->start = BR_MAX(v->start, rows[i].position + (uint64_t)(first - rows[i].base_offset));
                if (first > rows[i].base_offset)
                    v->lost_end = BR_MAX(v->lost_end, v->start);
                return (int64_t)v->start;
            }
            v->start = BR_MIN(end, row_end(&rows[i]));
            if (row_is_member(v, &rows[i]))
                v->lost_end = BR_MAX(v->lost_end, v->start);
        }
    }
    return (int64_t)v->start;
}

/* One answer under construction: the batch that is open, and what the next row may still add. */
struct view_answer {
    struct broker_order_view *view;
    struct br_buf *out;
    size_t max_bytes;
    uint64_t from;       /* records below are not wanted */
    struct kw_batch_builder batch;
    bool is_open, is_append_time, is_full;
    int64_t append_time; /* of the last source batch */
    uint64_t records;
    struct store_range *cold;
};

static enum br_err answer_close(struct view_answer *a)
{
    uint32_t size;
    if (!a->is_open)
        return BR_OK;
    a->is_open = false;
    return kw_batch_builder_finish(&a->batch, KW_CODEC_NONE, 0, &size);
}

/* The whole batch of the row. It is asked for by an offset that is left: the log's start may lie inside it. */
static enum br_err read_source(struct view_answer *a, struct broker_partition *partition, const struct store_order_row *row, int64_t first,
                               struct kw_batch *batch, struct br_str *records)
{
    struct broker_order_view *v = a->view;
    struct store_range range;
    enum br_err err = store_log_read(partition->store->log, first, row->base_offset + row->count, 1, true, &range);
    if (err == BR_COLD)
        *a->cold = range; /* the sidecar's: the hold goes with it */
    if (err != BR_OK)
        return err;
    br_buf_reset(&v->raw);
    uint8_t *room = range.length ? br_buf_room(&v->raw, range.length) : NULL;
    err = room ? store_file_read_nowait(range.file, room, range.length, range.file_position) : BR_CORRUPT;
    if (err == BR_COLD) {
        *a->cold = range; /* the hold goes with it */
        return BR_COLD;
    }
    store_range_release(&range);
    if (err == BR_OK)
        err = kw_batch_view(room, range.length, batch);
    if (err != BR_OK)
        return err;
    if (kw_batch_codec(batch) == KW_CODEC_NONE) {
        *records = br_str((const char *)room + KW_BATCH_HEADER, batch->size - KW_BATCH_HEADER);
        return BR_OK;
    }
    br_buf_reset(&v->inflated);
    err = kw_zip_inflate_buf(kw_batch_codec(batch), room + KW_BATCH_HEADER, batch->size - KW_BATCH_HEADER, INFLATED_MAX, &v->inflated);
    *records = br_str((const char *)v->inflated.data, v->inflated.len);
    return err;
}

static void add_record(struct view_answer *a, const struct kw_record *record, uint64_t position, const struct kw_header headers[static 3])
{
    if (!a->is_open) {
        kw_batch_builder_init(&a->batch, a->out, (int64_t)position, record->timestamp, a->is_append_time ? KW_BATCH_LOG_APPEND_TIME : 0);
        a->is_open = true;
    }
    struct br_str raw = br_str((const char *)record->headers.at, br_reader_left(&record->headers));
    kw_batch_builder_add(&a->batch, (int64_t)position, record->timestamp, record->key, record->value, raw, record->header_count, headers, 3);
    a->records++;
}

/* Adds the row's records from the first wanted one on, until the answer is full. */
static enum br_err add_row(struct view_answer *a, struct broker_partition *partition, const struct store_order_row *row, int64_t first)
{
    struct kw_batch batch;
    struct br_str records;
    enum br_err err = read_source(a, partition, row, first, &batch, &records);
    if (err != BR_OK)
        return err;
    bool is_append_time = (batch.attributes & KW_BATCH_LOG_APPEND_TIME) != 0;
    /* Under LogAppendTime all records of a batch share its one timestamp, so another one begins another batch. */
    if (a->is_open && (is_append_time != a->is_append_time || (is_append_time && batch.max_timestamp != a->append_time)))
        err = answer_close(a);
    a->is_append_time = is_append_time;
    a->append_time = batch.max_timestamp;
    char index[16], offset[24];
    struct kw_header headers[3] = {
        {br_str_c("braid.topic"), br_str_c(partition->topic->name)},
        {br_str_c("braid.partition"), br_str(index, (size_t)snprintf(index, sizeof index, "%d", partition->index))},
        {br_str_c("braid.offset"), {0}},
    };
    struct kw_record_iter it;
    struct kw_record record;
    kw_record_iter_init(&it, &batch, (const uint8_t *)records.data, records.len);
    while (err == BR_OK && (err = kw_record_next(&it, &record)) == BR_OK) {
        uint64_t position = row->position + (uint64_t)(record.offset - row->base_offset);
        if (record.offset < first || position < a->from)
            continue;
        size_t need = record.body_len + 128 + strlen(partition->topic->name);
        if (a->records > 0 && a->out->len + need > a->max_bytes) {
            a->is_full = true;
            return BR_OK;
        }
        headers[2].value = br_str(offset, (size_t)snprintf(offset, sizeof offset, "%" PRId64, record.offset));
        add_record(a, &record, position, headers);
    }
    return err == BR_EOF ? BR_OK : err;
}

/* Walks rows from a->from to the end. *reached: where the walk stopped. */
static enum br_err scan(struct view_answer *a, uint64_t end, uint64_t *reached)
{
    struct broker_order_view *v = a->view;
    struct store_order_row rows[ROWS];
    unsigned passed = 0;
    *reached = a->from;
    while (*reached < end && !a->is_full && passed < SCAN_MAX) {
        unsigned count = 0;
        enum br_err err = order_local_read(v->broker->order, order_position(*reached), rows, ROWS, &count, NULL);
        if (err != BR_OK)
            return err;
        if (count == 0) {
            *reached = end;
            return BR_OK;
        }
        for (unsigned i = 0; i < count && !a->is_full && *reached < end; i++, passed++) {
            struct broker_partition *partition = row_partition(v, &rows[i]);
            int64_t first = row_first_visible(partition, &rows[i]);
            if (first >= 0)
                err = add_row(a, partition, &rows[i], first);
            if (err == BR_COLD && a->records > 0) { /* give what is there; the next fetch warms */
                store_range_release(a->cold);
                *a->cold = (struct store_range){0};
                a->is_full = true;
                return BR_OK;
            }
            if (err != BR_OK)
                return err;
            if (!a->is_full)
                *reached = row_end(&rows[i]);
        }
    }
    return BR_OK;
}

enum br_err broker_order_view_read(struct broker_order_view *v, int64_t position, size_t max_bytes, struct br_buf *out,
                                   struct store_range *cold)
{
    int64_t end = broker_order_view_end(v), start = broker_order_view_start(v);
    if (position > end || (position < start && position < (int64_t)v->lost_end))
        return BR_RANGE;
    if (position == end)
        return BR_OK;
    struct view_answer a = {.view = v, .out = out, .max_bytes = BR_MIN(max_bytes, ANSWER_MAX), .from = (uint64_t)position, .cold = cold};
    uint64_t reached;
    size_t before = out->len;
    enum br_err err = scan(&a, (uint64_t)end, &reached);
    if (err == BR_OK)
        err = answer_close(&a);
    if (err == BR_OK && a.records == 0) { /* removal left nothing here: one control batch takes the reader past it */
        BR_ASSERT(reached > (uint64_t)position);
        reached = BR_MIN(reached, (uint64_t)end);
        err = kw_control_batch(out, position, (int64_t)reached - 1, v->broker->wall_ms, KW_CONTROL_GAP, -1, -1, br_str("", 0));
    }
    if (err != BR_OK)
        out->len = before;
    return err;
}
