/* OrderRead, version 0; Braid's own. Stored batches in the total order, untouched, as file ranges. A call walks the order log from its position on, some rows a turn, until it has
 * something to give; where nothing follows it waits, woken by what becomes stable (or, speculative, done). It never goes on over a place where records were removed that
 * stood before the first one left. */
#include "broker/data/cut.h"
#include "broker/data/steps.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/topic/catalog.h"
#include "compat/base/log.h"
#include "compat/gen/10002_order_read.h"

#define ROWS 64u            /* read at once */
#define STEP_ROWS 1024u     /* walked in a turn */
#define CALL_ROWS 65536u    /* walked for one answer */
#define ENTRIES_MAX 4096
#define BYTES_MAX (50 << 20)

struct order_read {
    struct broker_request *req;
    struct broker_steps steps;
    struct broker_wait deadline;  /* of the long poll */
    struct broker_wait again;     /* speculative: in the next turn, after those who wait for what is done were told */
    struct broker_watch watch;
    struct kw_order_read_response response;
    int32_t entries_cap;
    uint64_t next, start;
    size_t bytes, bytes_max;
    unsigned walked;
    bool is_full, is_at_end, is_late;
};

static void drop_entries(struct order_read *r)
{
    for (int32_t i = 0; i < r->response.entries_count; i++)
        store_range_release((struct store_range *)(uintptr_t)r->response.entries[i].batch.file);
    r->response.entries_count = 0;
}

static void detach(struct order_read *r)
{
    broker_steps_cancel(&r->steps);
    broker_wait_stop(&r->req->broker->waits, &r->deadline);
    broker_wait_stop(&r->req->broker->waits, &r->again);
    broker_watch_remove(&r->watch);
}

static void cancel(struct broker_request *req) { detach(req->state); }

static void answer(struct order_read *r, enum kw_error error, const char *message)
{
    struct broker *b = r->req->broker;
    detach(r);
    if (error != KW_NONE)
        drop_entries(r);
    r->response.error_code = (int16_t)error;
    r->response.error_message = message ? br_str_c(message) : br_str(NULL, 0);
    r->response.view = (int32_t)b->identity.starts;
    r->response.stable = (int64_t)order_local_stable(b->order).value;
    r->response.start = (int64_t)r->start;
    r->response.next_position = (int64_t)r->next;
    broker_reply(r->req, &r->response); /* the ranges go along */
}

/* --- one row --- */

static struct broker_partition *partition_of(struct broker *b, const struct store_order_row *row)
{
    struct store_stream *stream = store_stream_find(b->store, row->stream);
    struct order_stream *order = stream ? stream->owner : NULL;
    return order ? order->owner : NULL;
}

/* A row below the first record left: were there records that a reader of this position has not seen? A folded stretch, and a topic that is gone, count as such. */
static bool is_loss(const struct order_read *r, const struct store_order_row *row, const struct broker_partition *p)
{
    if (BR_MAX(row->position, r->next) >= r->start || (row->flags & STORE_ORDER_VOID))
        return false;
    return (row->flags & STORE_ORDER_TRIMMED) || (row->kind == STORE_ROW_DATA && (!p || !p->topic->is_internal));
}

/* The next entry, zeroed; NULL: over the budget. */
static struct kw_order_read_response_entry *new_entry(struct order_read *r)
{
    struct kw_order_read_response *out = &r->response;
    if (out->entries_count == r->entries_cap) {
        int32_t cap = r->entries_cap ? r->entries_cap * 2 : 64;
        struct kw_order_read_response_entry *more = br_arena_array(&r->req->arena, (size_t)cap, sizeof *more);
        if (!more)
            return NULL;
        if (out->entries_count > 0)
            memcpy(more, out->entries, (size_t)out->entries_count * sizeof *more);
        out->entries = more;
        r->entries_cap = cap;
    }
    return &out->entries[out->entries_count];
}

/* Both ends in the page cache: good evidence that sending it will not wait for the device. */
static enum br_err look_at(const struct store_range *range)
{
    uint8_t byte;
    enum br_err err = store_file_read_nowait(range->file, &byte, 1, range->file_position);
    return err == BR_OK ? store_file_read_nowait(range->file, &byte, 1, range->file_position + (int64_t)range->length - 1) : err;
}

static enum br_err add_batch(struct order_read *r, struct broker_partition *p, const struct store_order_row *row, int64_t first, struct store_range *cold)
{
    struct store_range range;
    enum br_err err = store_log_read(p->store->log, first, row->base_offset + row->count, 1, true, &range);
    if (err == BR_OK && range.length == 0)
        return BR_CORRUPT;
    if (err == BR_OK && (range.first_offset != row->base_offset || (err = look_at(&range)) != BR_OK) && err != BR_COLD) {
        br_log(BR_LOG_ERROR, "order", "position=%" PRIu64 " log=%s offset=%" PRId64 " is not where the order log has it", row->position, store_log_name(p->store->log), row->base_offset);
        store_range_release(&range);
        return BR_CORRUPT;
    }
    if (err == BR_COLD)
        *cold = range; /* the hold goes with it */
    if (err != BR_OK)
        return err;
    struct store_range *held = br_arena_alloc(&r->req->arena, sizeof *held);
    struct kw_order_read_response_entry *entry = new_entry(r);
    r->is_full = !held || !entry || (r->response.entries_count > 0 && r->bytes + range.length > r->bytes_max);
    if (r->is_full) {
        store_range_release(&range);
        return held && entry ? BR_OK : BR_NOMEM;
    }
    *held = range;
    *entry = (struct kw_order_read_response_entry){
        .position = (int64_t)row->position, .topic = br_str_c(p->topic->name), .topic_id = p->topic->id, .partition = p->index, .first_offset = first,
        .flags = (int8_t)(row->flags & (STORE_ORDER_FIRST | STORE_ORDER_LAST)), .batch = {.len = range.length, .file = held},
    };
    r->response.entries_count++;
    r->bytes += range.length;
    r->is_full = r->bytes >= r->bytes_max || r->response.entries_count == ENTRIES_MAX;
    return BR_OK;
}

static enum br_err take_row(struct order_read *r, const struct store_order_row *row, struct store_range *cold)
{
    const struct kw_order_read_request *body = r->req->body;
    struct broker_partition *p = partition_of(r->req->broker, row);
    uint64_t end = row->position + store_order_row_length(row);
    enum br_err err = BR_OK;
    if (is_loss(r, row, p))
        return BR_RANGE;
    bool is_record = row->kind == STORE_ROW_DATA && row->count > 0 && !(row->flags & (STORE_ORDER_CONTROL | STORE_ORDER_LOST | STORE_ORDER_VOID | STORE_ORDER_TRIMMED));
    if (p && is_record && row->base_offset + row->count > broker_partition_start(p) && broker_cut_has_topic(p->topic, body->topics, body->topics_count)) {
        int32_t before = r->response.entries_count;
        err = add_batch(r, p, row, BR_MAX(row->base_offset, broker_partition_start(p)), cold);
        if (err != BR_OK || r->response.entries_count == before) /* full: it comes first in the next answer */
            return err;
    }
    r->next = end;
    r->walked++;
    return BR_OK;
}

/* --- the walk --- */

static enum br_err read_rows(struct order_read *r, struct store_order_row *rows, unsigned *count, struct store_range *cold)
{
    const struct kw_order_read_request *body = r->req->body;
    struct order_local *order = r->req->broker->order;
    uint64_t stable = order_local_stable(order).value;
    enum br_err err = order_local_read(order, order_position(r->next), rows, ROWS, count, cold);
    if (err != BR_OK || *count > 0)
        return err;
    r->next = BR_MAX(r->next, stable); /* what lies between the last row and stable was never used */
    if (body->speculative)
        *count = order_local_read_ahead(order, order_position(r->next), rows, ROWS);
    return BR_OK;
}

static enum br_err step(struct broker_steps *steps, struct store_range *cold)
{
    struct order_read *r = BR_CONTAINER_OF(steps, struct order_read, steps);
    struct store_order_row rows[ROWS];
    unsigned count, walked = r->walked;
    enum br_err err = broker_cut_start(steps->broker, &r->start, cold);
    r->is_at_end = false;
    if (err == BR_OK && r->next < r->start && r->next < store_order_log_start(store_order_log(steps->broker->store)))
        err = BR_RANGE;
    while (err == BR_OK && !r->is_full && !r->is_at_end && r->walked - walked < STEP_ROWS) {
        err = read_rows(r, rows, &count, cold);
        r->is_at_end = err == BR_OK && count == 0;
        for (unsigned i = 0; err == BR_OK && i < count && !r->is_full; i++)
            err = take_row(r, &rows[i], cold);
    }
    if (err == BR_COLD && r->response.entries_count > 0) { /* give what is there; the next call warms */
        store_range_release(cold);
        *cold = (struct store_range){0};
        return BR_OK;
    }
    if (err != BR_OK && err != BR_COLD)
        drop_entries(r);
    steps->has_more = err == BR_OK && r->response.entries_count == 0 && !r->is_at_end && r->walked < CALL_ROWS && !r->is_late;
    return err;
}

static void is_walked(struct broker_steps *steps, enum br_err err)
{
    struct order_read *r = BR_CONTAINER_OF(steps, struct order_read, steps);
    const struct kw_order_read_request *body = r->req->body;
    struct broker *b = steps->broker;
    if (err == BR_NOMEM) {
        detach(r);
        broker_request_close(r->req, "order read is over its memory budget");
        return;
    }
    if (err == BR_RANGE)
        answer(r, KW_OFFSET_OUT_OF_RANGE, "records that stood there were removed");
    else if (err != BR_OK)
        answer(r, KW_KAFKA_STORAGE_ERROR, br_err_text(err));
    else if (r->response.entries_count > 0 || !r->is_at_end || r->is_late)
        answer(r, KW_NONE, NULL);
    else
        broker_watch_add(body->speculative ? &b->done_watchers : &b->stable_watchers, &r->watch);
}

static void walk(struct order_read *r)
{
    r->walked = 0;
    r->steps = (struct broker_steps){.run = step, .done = is_walked};
    broker_steps_start(&r->steps, r->req->broker, INT32_MAX);
}

static void walk_again(struct broker_wait *wait) { walk(BR_CONTAINER_OF(wait, struct order_read, again)); }

static void has_more(struct broker_watch *watch)
{
    struct order_read *r = BR_CONTAINER_OF(watch, struct order_read, watch);
    const struct kw_order_read_request *body = r->req->body;
    if (body->speculative)
        broker_wait_start(&r->req->broker->waits, &r->again, r->req->broker->now_ms);
    else
        walk(r);
}

static void expire(struct broker_wait *wait)
{
    struct order_read *r = BR_CONTAINER_OF(wait, struct order_read, deadline);
    r->is_late = true;
    if (br_link_is_in(&r->watch.link)) /* else a step is due, and answers */
        answer(r, KW_NONE, NULL);
}

void broker_handle_order_read(struct broker_request *req)
{
    const struct kw_order_read_request *body = req->body;
    struct order_read *r = br_arena_alloc(&req->arena, sizeof *r);
    if (!r) {
        broker_request_close(req, "order read is over its memory budget");
        return;
    }
    *r = (struct order_read){.req = req, .steps = {.run = step, .done = is_walked}, .deadline.expire = expire, .again.expire = walk_again, .watch.wake = has_more, .next = (uint64_t)body->position,
                             .bytes_max = (size_t)BR_MIN(BR_MAX(body->max_bytes, 1), BYTES_MAX), .is_late = body->max_wait_ms <= 0};
    kw_default(&kw_order_read_response, &r->response);
    req->state = r;
    req->cancel = cancel;
    if (body->position < 0 || r->next > order_local_tail(req->broker->order).value) {
        r->start = store_order_log_start(store_order_log(req->broker->store));
        answer(r, KW_OFFSET_OUT_OF_RANGE, body->position < 0 ? "a position is not negative" : "above the end");
        return;
    }
    if (!r->is_late)
        broker_wait_start(&req->broker->waits, &r->deadline, req->now_ms + body->max_wait_ms);
    walk(r);
}
