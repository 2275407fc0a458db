/* OrderTail, version 0; Braid's own. The end of the order: linearizable (R11), or a hint at once; and its start. */
#include "broker/data/cut.h"
#include "broker/data/stable_wait.h"
#include "broker/data/steps.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/10000_order_tail.h"

struct order_tail {
    struct broker_request *req;
    struct broker_stable_wait stable;
    struct broker_steps steps;
    struct kw_order_tail_response response;
    uint64_t start;
};

static enum br_err find_start(struct broker_steps *steps, struct store_range *cold)
{
    return broker_cut_start(steps->broker, &BR_CONTAINER_OF(steps, struct order_tail, steps)->start, cold);
}

static void has_start(struct broker_steps *steps, enum br_err err)
{
    struct order_tail *t = BR_CONTAINER_OF(steps, struct order_tail, steps);
    if (err != BR_OK) /* then what is known without reading */
        t->start = store_order_log_start(store_order_log(steps->broker->store));
    t->response.start = (int64_t)BR_MIN(t->start, (uint64_t)t->response.tail);
    broker_reply(t->req, &t->response);
}

static void answer(struct order_tail *t, enum kw_error error)
{
    t->response.error_code = (int16_t)error;
    if (error == KW_KAFKA_STORAGE_ERROR)
        t->response.error_message = br_str_c("this node takes no more writes until it is restarted");
    t->response.tail = (int64_t)order_local_stable(t->req->broker->order).value;
    broker_steps_start(&t->steps, t->req->broker, INT32_MAX);
}

static void is_stable(struct broker_stable_wait *wait, enum broker_stable_result result)
{
    answer(BR_CONTAINER_OF(wait, struct order_tail, stable), result == BROKER_STABLE ? KW_NONE : result == BROKER_STABLE_LATE ? KW_REQUEST_TIMED_OUT : KW_KAFKA_STORAGE_ERROR);
}

static void cancel(struct broker_request *req)
{
    struct order_tail *t = req->state;
    broker_stable_wait_cancel(&t->stable);
    broker_steps_cancel(&t->steps);
}

void broker_handle_order_tail(struct broker_request *req)
{
    const struct kw_order_tail_request *body = req->body;
    struct order_tail *t = br_arena_alloc(&req->arena, sizeof *t);
    if (!t) {
        broker_request_close(req, "order tail is over its memory budget");
        return;
    }
    *t = (struct order_tail){.req = req, .stable = {.broker = req->broker, .done = is_stable}, .steps = {.run = find_start, .done = has_start}};
    kw_default(&kw_order_tail_response, &t->response);
    req->state = t;
    req->cancel = cancel;
    if (body->linearizable)
        broker_stable_wait_start(&t->stable, req->broker, order_local_tail(req->broker->order).value, body->timeout_ms);
    else
        answer(t, KW_NONE);
}
