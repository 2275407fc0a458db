/* OrderWait, version 0; Braid's own. Answered once every position below the one asked is stable. */
#include "broker/data/stable_wait.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/10001_order_wait.h"

struct order_wait {
    struct broker_request *req;
    struct broker_stable_wait stable;
};

static void answer(struct broker_request *req, enum kw_error error, const char *message)
{
    struct kw_order_wait_response response;
    kw_default(&kw_order_wait_response, &response);
    response.error_code = (int16_t)error;
    response.error_message = message ? br_str_c(message) : br_str(NULL, 0);
    response.stable = (int64_t)order_local_stable(req->broker->order).value;
    broker_reply(req, &response);
}

static void is_stable(struct broker_stable_wait *wait, enum broker_stable_result result)
{
    struct broker_request *req = BR_CONTAINER_OF(wait, struct order_wait, stable)->req;
    if (result == BROKER_STABLE_FAILED)
        answer(req, KW_KAFKA_STORAGE_ERROR, "this node takes no more writes until it is restarted");
    else
        answer(req, result == BROKER_STABLE ? KW_NONE : KW_REQUEST_TIMED_OUT, NULL);
}

static void cancel(struct broker_request *req)
{
    broker_stable_wait_cancel(&((struct order_wait *)req->state)->stable);
}

void broker_handle_order_wait(struct broker_request *req)
{
    const struct kw_order_wait_request *body = req->body;
    if (body->position < 0) {
        answer(req, KW_INVALID_REQUEST, "a position is not negative");
        return;
    }
    struct order_wait *w = br_arena_alloc(&req->arena, sizeof *w);
    if (!w) {
        broker_request_close(req, "order wait is over its memory budget");
        return;
    }
    *w = (struct order_wait){.req = req, .stable.done = is_stable};
    req->state = w;
    req->cancel = cancel;
    broker_stable_wait_start(&w->stable, req->broker, (uint64_t)body->position, body->timeout_ms);
}
