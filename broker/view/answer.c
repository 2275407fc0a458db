#include "broker/view/answer.h"
#include "compat/zip/zip.h"

#define ANSWER_MAX ((size_t)1 << 20)
#define COMPRESSED_MAX ((size_t)256 << 10) /* before compression: the loop does it */
#define INFLATED_MAX ((size_t)64 << 20)    /* as Produce let in */

void broker_view_buffers_init(struct broker_view_buffers *buffers)
{
    br_buf_init(&buffers->raw, INFLATED_MAX);
    br_buf_init(&buffers->inflated, INFLATED_MAX);
}

void broker_view_buffers_clear(struct broker_view_buffers *buffers)
{
    br_buf_clear(&buffers->raw);
    br_buf_clear(&buffers->inflated);
}

/* What one large batch needed is not kept for ever. */
static void shrink(struct br_buf *buf)
{
    if (buf->cap > 4 * ANSWER_MAX)
        br_buf_clear(buf);
}

void broker_view_buffers_shrink(struct broker_view_buffers *buffers)
{
    shrink(&buffers->raw);
    shrink(&buffers->inflated);
}

void broker_view_answer_init(struct broker_view_answer *a, const struct broker_topic_settings *settings, struct broker_view_buffers *buffers, struct br_buf *out,
                             size_t max_bytes, uint64_t from, struct store_range *cold)
{
    size_t most = settings->has_order_headers && settings->compression > KW_CODEC_NONE ? COMPRESSED_MAX : ANSWER_MAX;
    *a = (struct broker_view_answer){
        .settings = settings, .buffers = buffers, .out = out, .begin = out->len, .max_bytes = BR_MIN(max_bytes, most), .from = from, .cold = cold};
}

enum br_err broker_view_answer_close(struct broker_view_answer *a)
{
    uint32_t size;
    if (!a->is_open)
        return BR_OK;
    a->is_open = false;
    a->batch.leader_epoch = 0;
    /* A record larger than an answer was small where it is stored, if it was compressed: as small it leaves, so that readers who are slow to take it cost little. */
    bool is_large = a->out->len - a->begin > ANSWER_MAX;
    return kw_batch_builder_finish(&a->batch, is_large && a->codec == KW_CODEC_NONE ? a->source_codec : a->codec, a->level, &size);
}

/* Whether so many bytes more still fit; what comes first always does. */
static bool has_room(struct broker_view_answer *a, size_t bytes)
{
    a->is_full = a->records > 0 && a->out->len - a->begin + bytes > a->max_bytes;
    return !a->is_full;
}

/* The whole batch of the row, in buffers->raw. It is asked for by an offset that is left: the log's start may lie inside it. */
static enum br_err read_source(struct broker_view_answer *a, struct broker_partition *partition, const struct store_order_row *row, int64_t first, struct kw_batch *batch)
{
    struct br_buf *raw = &a->buffers->raw;
    struct store_range range;
    enum br_err err = store_log_read(partition->store->log, first, row->base_offset + row->count, 1, true, &range);
    if (err == BR_COLD)
        *a->cold = range; /* the sidecar's: the hold goes with it */
    if (err != BR_OK)
        return err;
    br_buf_reset(raw);
    uint8_t *room = range.length ? br_buf_room(raw, range.length) : NULL;
    err = room ? store_file_read_nowait(range.file, room, range.length, range.file_position) : BR_CORRUPT;
    if (err == BR_COLD) {
        *a->cold = range; /* the hold goes with it */
        return BR_COLD;
    }
    store_range_release(&range);
    return err == BR_OK ? kw_batch_view(room, range.length, batch) : err;
}

static enum br_err inflate(struct broker_view_answer *a, const struct kw_batch *batch, struct br_str *records)
{
    const uint8_t *packed = batch->data + KW_BATCH_HEADER;
    struct br_buf *inflated = &a->buffers->inflated;
    *records = br_str((const char *)packed, batch->size - KW_BATCH_HEADER);
    if (kw_batch_codec(batch) == KW_CODEC_NONE)
        return BR_OK;
    br_buf_reset(inflated);
    enum br_err err = kw_zip_inflate_buf(kw_batch_codec(batch), packed, batch->size - KW_BATCH_HEADER, INFLATED_MAX, inflated);
    *records = br_str((const char *)inflated->data, inflated->len);
    return err;
}

/* The stored batch with the position as its base offset: both that and the leader epoch lie outside the CRC. */
static enum br_err add_as_stored(struct broker_view_answer *a, const struct store_order_row *row, const struct kw_batch *batch)
{
    if (!has_room(a, batch->size))
        return BR_OK;
    size_t at = a->out->len;
    br_buf_add(a->out, batch->data, batch->size);
    if (a->out->failed)
        return BR_TOO_LARGE;
    kw_batch_patch(a->out->data + at, (int64_t)row->position, 0);
    a->records += row->count;
    return BR_OK;
}

/* Closes the run where the next record cannot be in it: another timestamp type; another time under LogAppendTime, which all records of a batch share; positions
 * further apart than a batch can hold. */
static enum br_err fit_run(struct broker_view_answer *a, const struct store_order_row *row, const struct kw_batch *batch)
{
    bool is_append_time = (batch->attributes & KW_BATCH_LOG_APPEND_TIME) != 0;
    enum br_err err = BR_OK;
    if (a->is_open && (is_append_time != a->is_append_time || (is_append_time && batch->max_timestamp != a->append_time) ||
                       row->position + row->count - (uint64_t)a->batch.base_offset > INT32_MAX))
        err = broker_view_answer_close(a);
    a->is_append_time = is_append_time;
    a->append_time = batch->max_timestamp;
    a->codec = a->settings->has_order_headers ? BR_MAX(a->settings->compression, KW_CODEC_NONE) : kw_batch_codec(batch);
    a->level = a->settings->compression_level;
    a->source_codec = kw_batch_codec(batch);
    return err;
}

static void add_record(struct broker_view_answer *a, const struct kw_record *record, uint64_t position, const struct kw_header *headers, int32_t header_count)
{
    if (!a->is_open) {
        kw_batch_builder_init(&a->batch, a->out, (int64_t)position, record->timestamp, a->is_append_time ? KW_BATCH_LOG_APPEND_TIME : 0);
        a->is_open = true;
    }
    struct br_str raw = br_str((const char *)record->headers.at, br_reader_left(&record->headers));
    kw_batch_builder_add(&a->batch, (int64_t)position, record->timestamp, record->key, record->value, raw, record->header_count, headers, header_count);
    a->records++;
}

static enum br_err add_anew(struct broker_view_answer *a, const struct broker_partition *partition, const struct store_order_row *row, int64_t first,
                            const struct kw_batch *batch, struct br_str records)
{
    char index[16], offset[24];
    struct kw_header headers[3] = {
        {br_str_c("braid.topic"), br_str_c(partition->topic->name)},
        {br_str_c("braid.partition"), br_str(index, (size_t)snprintf(index, sizeof index, "%d", partition->index))},
        {br_str_c("braid.offset"), {0}},
    };
    int32_t header_count = a->settings->has_order_headers ? 3 : 0;
    struct kw_record_iter it;
    struct kw_record record;
    enum br_err err = fit_run(a, row, batch);
    kw_record_iter_init(&it, batch, (const uint8_t *)records.data, records.len);
    while (err == BR_OK && (err = kw_record_next(&it, &record)) == BR_OK) {
        uint64_t position = row->position + (uint64_t)(record.offset - row->base_offset);
        if (record.offset < first || position < a->from)
            continue;
        if (!has_room(a, record.body_len + 128 + strlen(partition->topic->name)))
            return BR_OK;
        headers[2].value = br_str(offset, (size_t)snprintf(offset, sizeof offset, "%" PRId64, record.offset));
        add_record(a, &record, position, headers, header_count);
    }
    if (err == BR_EOF)
        err = a->settings->has_order_headers ? BR_OK : broker_view_answer_close(a);
    return err;
}

enum br_err broker_view_answer_add(struct broker_view_answer *a, struct broker_partition *partition, const struct store_order_row *row, int64_t first)
{
    struct kw_batch batch;
    struct br_str records;
    enum br_err err = read_source(a, partition, row, first, &batch);
    if (err != BR_OK)
        return err;
    if (!a->settings->has_order_headers && first == row->base_offset)
        return add_as_stored(a, row, &batch);
    err = inflate(a, &batch, &records); /* without headers: the first records were removed, and must not be shown */
    return err == BR_OK ? add_anew(a, partition, row, first, &batch, records) : err;
}

enum br_err broker_view_answer_gap(struct broker_view_answer *a, uint64_t to, int64_t now_ms)
{
    BR_ASSERT(a->records == 0 && to > a->from);
    size_t at = a->out->len;
    uint64_t last = BR_MIN(to - 1, a->from + INT32_MAX);
    enum br_err err = kw_control_batch(a->out, (int64_t)a->from, (int64_t)last, now_ms, KW_CONTROL_GAP, -1, -1, br_str("", 0));
    if (err == BR_OK)
        kw_batch_patch(a->out->data + at, (int64_t)a->from, 0);
    return err;
}
