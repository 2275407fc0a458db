/* The append seam: all that can refuse first, then offset, lane number, segment bytes, journal row and ring slot with nothing in between. */
#include "compat/base/clock.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "order/driver/local_int.h"
#include "storage/shard.h"

static uint8_t order_flags(const struct kw_batch *b)
{
    return (uint8_t)((kw_batch_is_control(b) ? STORE_ORDER_CONTROL : 0) | (b->attributes & KW_BATCH_TRANSACTIONAL ? STORE_ORDER_TRANSACTIONAL : 0));
}

/* What one stream may refuse. Prepared logs keep their place: nothing else is appended before the caller's append. */
static enum br_err prepare(struct order_local *d, struct order_append_item *item, int64_t now_ms)
{
    struct order_stream *stream = item->stream;
    struct store_shard *shard = store_shard_local();
    /* O-21: earlier records of the stream are in no journal payload. After a loss of power they could be gone, and replay would end the stream
     * before this one, though it is on disk. */
    if (stream->class == ORDER_FSYNC && stream->cached_end > 0) {
        d->wants_checkpoint = true;
        return BR_FULL;
    }
    if (store_log_state(stream->store->log)->leader_epoch != stream->leader_epoch) {
        enum br_err err = store_log_set_epoch(stream->store->log, stream->leader_epoch);
        if (err != BR_OK)
            return err;
    }
    return shard->ops->prepare(shard, stream->store->log, item->append->batch->size, item->append->max_timestamp, now_ms, &item->place);
}

/* All that can refuse. */
static enum br_err can_append(struct order_local *d, struct order_append_item *items, unsigned count, int64_t now_ms, int *culprit)
{
    size_t bytes = 0, payload = 0;
    *culprit = count == 1 ? 0 : -1;
    if (d->told_failed || store_failed(d->store) != BR_OK)
        return BR_FAILED;
    if (!order_core_has_room(d->core, count))
        return BR_FULL;
    for (unsigned i = 0; i < count; i++) {
        bytes += items[i].append->batch->size;
        if (items[i].stream->class == ORDER_FSYNC) {
            payload += items[i].append->batch->size;
        } else if (count > 1) {
            *culprit = (int)i;
            return BR_INVALID;
        }
    }
    struct store_journal *journal = store_journal(d->store);
    enum br_err err = store_journal_fits(journal, count, payload);
    if (err == BR_OK)
        err = store_journal_has_room(journal, bytes * 2 + (size_t)count * STORE_JOURNAL_ROW_BYTES);
    for (unsigned i = 0; err == BR_OK && i < count; i++) {
        err = prepare(d, &items[i], now_ms);
        if (err != BR_OK)
            *culprit = (int)i;
    }
    if (err == BR_OK && count > 1)
        err = store_journal_together(journal, count, payload);
    return err;
}

/* What the storage answers, as order_append says it. Refused for want of space or room, the log is as it was; a damaged or failed log refuses for itself; anything else is
 * a device that failed: the node ends its writes. Its waiting tickets are told by the turn, never from within order_append. */
static enum br_err refused(struct order_local *d, enum br_err err)
{
    switch (err) {
    case BR_NOSPACE:
        br_log(BR_LOG_WARN, "storage", "no space: records are refused until there is some dir=%s", store_opts(d->store)->dir);
        return err;
    case BR_FULL:
    case BR_TOO_LARGE:
    case BR_INVALID:
    case BR_FAILED: return err;
    case BR_CORRUPT: return BR_FAILED;
    default:
        br_log(BR_LOG_ERROR, "storage", "append failed: %s; writes are refused until a restart", br_err_text(err));
        store_fail(d->store, err);
        return BR_IO;
    }
}

/* Offset, epoch and (LogAppendTime) time go into the batch's bytes; *b is its view from then on. */
static void patch(struct order_stream *stream, struct order_append *a, int64_t now_ms, struct kw_batch *b)
{
    const struct store_log_state *state = store_log_state(stream->store->log);
    kw_batch_patch(a->data, state->end, stream->leader_epoch);
    if (a->set_append_time) {
        a->append_time = BR_MAX(state->end_timestamp, now_ms);
        kw_batch_set_append_time(a->data, a->batch->size, a->append_time);
        a->max_timestamp = a->append_time;
        a->max_timestamp_delta = 0;
    } else if (a->kind == ORDER_DATA && a->max_timestamp != a->batch->max_timestamp) {
        kw_batch_set_max_timestamp(a->data, a->batch->size, a->max_timestamp); /* the proved one, as Kafka stores it */
    }
    enum br_err err = kw_batch_view(a->data, a->batch->size, b);
    BR_ASSERT(err == BR_OK);
    BR_ASSERT(b->base_offset == state->end);
}

static struct store_row make_row(const struct order_local *d, const struct order_stream *stream, const struct order_append *a, const struct kw_batch *b,
                                 const struct store_place *place, uint16_t part)
{
    bool by_producer = b->producer_id >= 0;
    return (struct store_row){
        .kind = (uint8_t)a->kind, .class = (uint8_t)stream->class,
        .flags = (uint16_t)(part | (a->set_append_time ? STORE_ROW_APPEND_TIME : 0)),
        .stream = stream->store->id, .leader_epoch = stream->leader_epoch, .base_offset = b->base_offset, .count = (uint32_t)b->last_offset_delta + 1,
        .segment_base = place->segment_base, .file_position = place->file_position, .length = b->size, .batch_crc = b->crc, .max_timestamp = a->max_timestamp,
        .producer_id = by_producer ? b->producer_id : -1, .producer_epoch = by_producer ? b->producer_epoch : -1, .base_sequence = by_producer ? b->base_sequence : -1,
        .lane = d->lane, .s = order_core_next_s(d->core),
    };
}

static void note_producer(struct order_stream *stream, const struct order_append *a, const struct store_row *row, int64_t now_ms)
{
    if (row->producer_id < 0 || a->kind != ORDER_DATA)
        return;
    int32_t last = (int32_t)(((int64_t)row->base_sequence + row->count - 1) & INT32_MAX);
    store_producer_apply(&stream->store->producers, row->producer_id, row->producer_epoch, row->base_sequence, last, row->base_offset,
                         a->set_append_time ? a->append_time : -1, now_ms);
}

/* Offset, lane number, segment bytes, journal row and ring slot. part: STORE_ROW_FIRST, STORE_ROW_LAST. An error: this one is not there (the log cut it back). */
static enum br_err append_one(struct order_local *d, struct order_append_item *item, uint16_t part, int64_t now_ms)
{
    struct order_stream *stream = item->stream;
    struct order_append *a = item->append;
    struct order_ticket *ticket = item->ticket;
    struct kw_batch b;
    patch(stream, a, now_ms, &b);
    struct store_shard *shard = store_shard_local();
    enum br_err err = shard->ops->append(shard, stream->store->log, &b, a->max_timestamp, b.base_offset + a->max_timestamp_delta, now_ms, &item->place);
    if (err != BR_OK)
        return err;
    struct store_row row = make_row(d, stream, a, &b, &item->place, part);
    err = store_journal_add(store_journal(d->store), &row, stream->class == ORDER_FSYNC ? a->data : NULL);
    BR_ASSERT(err == BR_OK); /* can_append asked */
    if (a->set_append_time)
        store_log_set_end_timestamp(stream->store->log, a->append_time);
    note_producer(stream, a, &row, now_ms);
    if (stream->class != ORDER_FSYNC)
        stream->cached_end = b.base_offset + row.count;
    ticket->stream = stream;
    ticket->base_offset = b.base_offset;
    ticket->end_offset = b.base_offset + row.count;
    ticket->position = order_core_tail(d->core);
    ticket->s = row.s;
    if (ticket->done)
        br_list_append(&stream->tickets, &ticket->link);
    local_info_add(d, &(struct local_info){.s = row.s, .max_timestamp = a->max_timestamp, .batch_crc = b.crc, .flags = (uint8_t)(local_order_part(part) | order_flags(&b))});
    struct order_event event = {
        .kind = ORDER_EV_APPEND, .now_ns = now_ms * 1000000,
        .entry = {.id = {d->lane, row.s}, .kind = a->kind, .class = stream->class,
                  .lsn_end = row.lsn + STORE_JOURNAL_ROW_BYTES + (stream->class == ORDER_FSYNC ? row.length : 0),
                  .member = {.stream = row.stream, .leader_epoch = row.leader_epoch, .base_offset = row.base_offset, .count = row.count}},
    };
    d->has_appended = true;
    local_step(d, &event);
    BR_ASSERT(order_core_next_s(d->core) == row.s + 1);
    return BR_OK;
}

/* O-23: the first `count` are in this turn's buffers and cannot be taken back, and what belongs to them is not. The node writes no journal any more, so they never were. */
static enum br_err give_up(struct order_local *d, struct order_append_item *items, unsigned count, enum br_err err)
{
    br_log(BR_LOG_ERROR, "storage", "append failed between others that belong together: %s; writes are refused until a restart", br_err_text(err));
    store_fail(d->store, err);
    for (unsigned i = 0; i < count; i++)
        if (items[i].ticket->done)
            br_list_remove(&items[i].ticket->link);
    return BR_IO;
}

enum br_err order_append_all(struct order_local *d, struct order_append_item *items, unsigned count, int64_t now_ms, int *culprit)
{
    BR_ASSERT(count >= 1 && count <= ORDER_APPENDS_MAX);
    enum br_err err = can_append(d, items, count, now_ms, culprit);
    if (err != BR_OK)
        return refused(d, err);
    for (unsigned i = 0; i < count; i++) {
        err = append_one(d, &items[i], (uint16_t)((i == 0 ? STORE_ROW_FIRST : 0) | (i + 1 == count ? STORE_ROW_LAST : 0)), now_ms);
        if (err != BR_OK)
            return i == 0 ? refused(d, err) : give_up(d, items, i, err);
    }
    return BR_OK;
}

enum br_err order_append(struct order_local *d, struct order_stream *stream, struct order_append *append, struct order_ticket *ticket, int64_t now_ms)
{
    struct order_append_item item = {.stream = stream, .append = append, .ticket = ticket};
    int culprit;
    return order_append_all(d, &item, 1, now_ms, &culprit);
}

/* --- trims --- */

struct trim {
    struct order_local *driver;
    struct order_ticket ticket;
    struct br_buf body;
    uint32_t stream;
    int64_t start;
    void (*done)(void *ctx, enum br_err err);
    void *ctx;
};

static void trim_done(struct order_ticket *ticket, enum br_err err)
{
    struct trim *trim = BR_CONTAINER_OF(ticket, struct trim, ticket);
    struct store_stream *stream = err == BR_OK ? store_stream_find(trim->driver->store, trim->stream) : NULL;
    if (stream && trim->start > store_log_state(stream->log)->start)
        store_log_set_start(stream->log, trim->start);
    if (trim->done)
        trim->done(trim->ctx, err);
    br_buf_clear(&trim->body);
    br_free(trim);
}

enum br_err order_local_trim(struct order_local *d, struct order_stream *stream, int64_t start, void (*done)(void *ctx, enum br_err err), void *ctx)
{
    struct trim *trim = br_alloc(sizeof *trim);
    struct kw_batch batch;
    int64_t now_ms = br_clock_wall_ms();
    BR_ASSERT(start <= stream->done_end);
    *trim = (struct trim){.driver = d, .ticket.done = trim_done, .stream = stream->store->id, .start = start, .done = done, .ctx = ctx};
    br_buf_init(&trim->body, 4096);
    enum br_err err = store_trim_body(trim->stream, start, now_ms, &trim->body);
    if (err == BR_OK)
        err = kw_batch_view(trim->body.data, trim->body.len, &batch);
    if (err == BR_OK) {
        struct order_append append = {.kind = ORDER_TRIM, .data = trim->body.data, .batch = &batch, .max_timestamp = batch.max_timestamp};
        err = order_append(d, d->log_stream, &append, &trim->ticket, now_ms);
    }
    if (err != BR_OK) {
        br_buf_clear(&trim->body);
        br_free(trim);
    }
    return err;
}
