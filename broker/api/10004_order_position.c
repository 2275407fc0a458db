/* OrderPosition, version 0; Braid's own. From offsets to positions by the sidecars, from positions to offsets by the order log; over many turns when much is asked. */
#include "broker/data/steps.h"
#include "broker/data/target.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/topic/catalog.h"
#include "compat/gen/10004_order_position.h"

#define STEP_QUESTIONS 256 /* looked up in a turn */

struct order_position_ask {
    struct broker_request *req;
    struct broker_steps steps;
    struct kw_order_position_response response;
    int32_t done; /* offsets, then positions */
};

static enum br_err find_position(struct broker *b, const struct kw_order_position_request_offset *in, struct kw_order_position_response_offset *out, struct store_range *cold)
{
    struct broker_target target = broker_target_find(b, in->topic, (struct br_uuid){{0}}, in->partition);
    struct broker_partition *p = target.partition;
    struct store_place place;
    int64_t base;
    uint64_t position;
    *out = (struct kw_order_position_response_offset){.position = -1};
    out->error_code = (int16_t)(target.error != KW_NONE || (p && !target.topic->is_internal) ? target.error : KW_INVALID_TOPIC_EXCEPTION);
    if (out->error_code != KW_NONE)
        return BR_OK;
    if (in->offset < broker_partition_start(p) || in->offset >= store_log_state(p->store->log)->end) {
        out->error_code = KW_OFFSET_OUT_OF_RANGE;
        return BR_OK;
    }
    enum br_err err = store_log_find(p->store->log, in->offset, &base, &place, &position, cold);
    if (err != BR_OK)
        return err;
    if (position == UINT64_MAX || position + (uint64_t)(in->offset - base) >= order_local_stable(b->order).value)
        out->error_code = KW_OFFSET_NOT_AVAILABLE;
    else
        out->position = (int64_t)(position + (uint64_t)(in->offset - base));
    return BR_OK;
}

static struct broker_partition *partition_of(struct broker *b, const struct store_order_row *row)
{
    struct store_stream *stream = row->kind == STORE_ROW_DATA ? store_stream_find(b->store, row->stream) : NULL;
    struct order_stream *order = stream ? stream->owner : NULL;
    return order ? order->owner : NULL;
}

static enum br_err find_offset(struct broker *b, int64_t asked, struct kw_order_position_response_position *out, struct store_range *cold)
{
    struct store_order_row row;
    unsigned count = 0;
    *out = (struct kw_order_position_response_position){.error_code = KW_OFFSET_OUT_OF_RANGE, .topic = br_str_c(""), .partition = -1, .offset = -1};
    if (asked >= 0 && (uint64_t)asked >= order_local_stable(b->order).value) {
        out->error_code = KW_OFFSET_NOT_AVAILABLE;
        return BR_OK;
    }
    enum br_err err = asked < 0 ? BR_OK : order_local_read(b->order, order_position((uint64_t)asked), &row, 1, &count, cold);
    if (err != BR_OK || count == 0 || row.position > (uint64_t)asked || row.flags & (STORE_ORDER_LOST | STORE_ORDER_VOID | STORE_ORDER_TRIMMED | STORE_ORDER_CONTROL))
        return err;
    struct broker_partition *p = partition_of(b, &row);
    int64_t offset = row.base_offset + (int64_t)((uint64_t)asked - row.position);
    if (!p || p->topic->is_internal || offset < broker_partition_start(p))
        return BR_OK;
    *out = (struct kw_order_position_response_position){.topic = br_str_c(p->topic->name), .partition = p->index, .offset = offset};
    return BR_OK;
}

static enum br_err step(struct broker_steps *steps, struct store_range *cold)
{
    struct order_position_ask *a = BR_CONTAINER_OF(steps, struct order_position_ask, steps);
    const struct kw_order_position_request *body = a->req->body;
    struct kw_order_position_response *r = &a->response;
    enum br_err err = BR_OK;
    for (int32_t n = 0; n < STEP_QUESTIONS && a->done < r->offsets_count + r->positions_count; n++, a->done++) {
        int32_t i = a->done - r->offsets_count;
        if (i < 0)
            err = find_position(steps->broker, &body->offsets[a->done], &r->offsets[a->done], cold);
        else
            err = find_offset(steps->broker, body->positions[i], &r->positions[i], cold);
        if (err == BR_OK && i >= 0 && r->positions[i].error_code == KW_NONE) { /* the topic may be deleted before the answer leaves */
            char *name = br_arena_strndup(&a->req->arena, r->positions[i].topic.data, r->positions[i].topic.len);
            r->positions[i].topic.data = name;
            err = name ? BR_OK : BR_NOMEM;
        }
        if (err != BR_OK)
            return err;
    }
    steps->has_more = a->done < r->offsets_count + r->positions_count;
    return BR_OK;
}

static void is_done(struct broker_steps *steps, enum br_err err)
{
    struct order_position_ask *a = BR_CONTAINER_OF(steps, struct order_position_ask, steps);
    if (err == BR_NOMEM) {
        broker_request_close(a->req, "order position is over its memory budget");
        return;
    }
    if (err != BR_OK) {
        a->response.error_code = err == BR_TIMEOUT ? KW_REQUEST_TIMED_OUT : KW_KAFKA_STORAGE_ERROR;
        a->response.error_message = br_str_c(br_err_text(err));
        a->response.offsets_count = a->response.positions_count = 0;
    }
    broker_reply(a->req, &a->response);
}

static void cancel(struct broker_request *req)
{
    broker_steps_cancel(&((struct order_position_ask *)req->state)->steps);
}

void broker_handle_order_position(struct broker_request *req)
{
    const struct kw_order_position_request *body = req->body;
    struct order_position_ask *a = br_arena_alloc(&req->arena, sizeof *a);
    int32_t offsets = BR_MAX(body->offsets_count, 0), positions = BR_MAX(body->positions_count, 0);
    if (a) {
        *a = (struct order_position_ask){.req = req, .steps = {.run = step, .done = is_done}};
        kw_default(&kw_order_position_response, &a->response);
        a->response.offsets = br_arena_array(&req->arena, (size_t)offsets, sizeof *a->response.offsets);
        a->response.positions = br_arena_array(&req->arena, (size_t)positions, sizeof *a->response.positions);
        a->response.offsets_count = offsets;
        a->response.positions_count = positions;
    }
    if (!a || !a->response.offsets || !a->response.positions) {
        broker_request_close(req, "order position is over its memory budget");
        return;
    }
    req->state = a;
    req->cancel = cancel;
    broker_steps_start(&a->steps, req->broker, 30000);
}
