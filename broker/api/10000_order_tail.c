/* OrderTail, version 0; Braid's own. The end of the order: linearizable (R11), or a hint at once. */
#include "broker/data/stable_wait.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/view/order_view.h"
#include "compat/gen/10000_order_tail.h"

struct order_tail {
    struct broker_request *req;
    struct broker_stable_wait stable;
};

static void answer(struct broker_request *req, enum kw_error error)
{
    struct broker *b = req->broker;
    struct kw_order_tail_response response;
    kw_default(&kw_order_tail_response, &response);
    response.error_code = (int16_t)error;
    response.error_message = error == KW_KAFKA_STORAGE_ERROR ? br_str_c("this node takes no more writes until it is restarted") : br_str(NULL, 0);
    response.tail = (int64_t)order_local_stable(b->order).value;
    response.start = (int64_t)store_order_log_start(store_order_log(b->store));
    broker_reply(req, &response);
}

static void is_stable(struct broker_stable_wait *wait, enum broker_stable_result result)
{
    struct order_tail *t = BR_CONTAINER_OF(wait, struct order_tail, stable);
    answer(t->req, result == BROKER_STABLE ? KW_NONE : result == BROKER_STABLE_LATE ? KW_REQUEST_TIMED_OUT : KW_KAFKA_STORAGE_ERROR);
}

static void cancel(struct broker_request *req)
{
    broker_stable_wait_cancel(&((struct order_tail *)req->state)->stable);
}

void broker_handle_order_tail(struct broker_request *req)
{
    const struct kw_order_tail_request *body = req->body;
    if (!body->linearizable) {
        answer(req, KW_NONE);
        return;
    }
    struct order_tail *t = br_arena_alloc(&req->arena, sizeof *t);
    if (!t) {
        broker_request_close(req, "order tail is over its memory budget");
        return;
    }
    *t = (struct order_tail){.req = req, .stable.done = is_stable};
    req->state = t;
    req->cancel = cancel;
    broker_stable_wait_start(&t->stable, req->broker, order_local_tail(req->broker->order).value, body->timeout_ms);
}
