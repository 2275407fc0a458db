/* OrderAppend, version 0; Braid's own. Appends to several streams at consecutive positions, all of them or none (O-23), each only if its stream ends where it is expected
 * to. Everything that can refuse is asked of all appends before the first is made, and the ends are compared in the same turn, so of those who expect one end one wins.
 * What must outlive the request (tickets cannot be withdrawn, the journal borrows bytes to the end of the turn) is in struct order_appends. */
#include "broker/data/intake.h"
#include "broker/data/stable_wait.h"
#include "broker/errmap.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/base/mem.h"
#include "compat/gen/10006_order_append.h"

#define ARENA_BYTES (1u << 20)
#define PRODUCE_VERSION 13 /* what batches may be */

struct part {
    struct order_appends *all;
    struct broker_intake intake;
    struct order_append append;
    struct order_ticket ticket;
};

struct order_appends {
    struct broker_request *req;       /* NULL once it was answered or cancelled */
    struct broker_stable_wait stable; /* sync */
    struct broker_wait timeout;       /* not sync */
    struct br_arena arena;
    struct kw_order_append_response response;
    struct part *parts;
    unsigned count, tickets;          /* not told yet */
    bool is_sync;
};

static void release(struct order_appends *a)
{
    if (a->req || a->tickets > 0)
        return;
    for (unsigned i = 0; i < a->count; i++)
        broker_intake_clear(&a->parts[i].intake);
    br_arena_clear(&a->arena);
    br_free(a);
}

/* Nothing waits any more. */
static void detach(struct order_appends *a)
{
    if (a->stable.broker)
        broker_stable_wait_cancel(&a->stable);
    broker_wait_stop(&a->req->broker->waits, &a->timeout);
    a->req = NULL;
}

static void answer(struct order_appends *a, enum kw_error error, int failed_index, const char *message)
{
    struct broker_request *req = a->req;
    detach(a);
    a->response.error_code = (int16_t)error;
    a->response.failed_index = failed_index;
    a->response.error_message = message ? br_str_c(message) : br_str(NULL, 0);
    broker_reply(req, &a->response);
    release(a);
}

static void cancel(struct broker_request *req)
{
    struct order_appends *a = req->state;
    detach(a);
    release(a);
}

static void answer_in_doubt(struct order_appends *a)
{
    answer(a, KW_KAFKA_STORAGE_ERROR, -1, "given up before they were durable: this node takes no more writes, or a topic was deleted");
}

static void ticket_done(struct order_ticket *ticket, enum br_err err)
{
    struct order_appends *a = BR_CONTAINER_OF(ticket, struct part, ticket)->all;
    BR_ASSERT(a->tickets > 0);
    a->tickets--;
    if (!a->req)
        release(a);
    else if (err != BR_OK)
        answer_in_doubt(a);
    else if (a->tickets == 0 && !a->is_sync)
        answer(a, KW_NONE, -1, NULL);
}

static void is_stable(struct broker_stable_wait *wait, enum broker_stable_result result)
{
    struct order_appends *a = BR_CONTAINER_OF(wait, struct order_appends, stable);
    if (result == BROKER_STABLE_FAILED) {
        answer_in_doubt(a);
        return;
    }
    for (unsigned i = 0; result == BROKER_STABLE && i < a->count; i++)
        a->response.appends[i].position = (int64_t)a->parts[i].ticket.position.value;
    answer(a, result == BROKER_STABLE ? KW_NONE : KW_REQUEST_TIMED_OUT, -1, NULL);
}

static void expire(struct broker_wait *wait)
{
    answer(BR_CONTAINER_OF(wait, struct order_appends, timeout), KW_REQUEST_TIMED_OUT, -1, NULL);
}

/* --- what can refuse --- */

static enum kw_error check_part(struct order_appends *a, unsigned i, const struct kw_order_append_request_append *in)
{
    struct broker_intake *intake = &a->parts[i].intake;
    struct broker_target target = broker_target_find(a->req->broker, in->topic, (struct br_uuid){{0}}, in->partition);
    enum kw_error error = broker_intake_target(intake, a->req, &target, true);
    if (error != KW_NONE)
        return error;
    for (unsigned k = 0; k < i; k++)
        if (a->parts[k].intake.partition == intake->partition) {
            intake->message = "named twice";
            return KW_INVALID_REQUEST;
        }
    if (in->expected_end < -1) {
        intake->message = "an expected end is an offset, or -1";
        return KW_INVALID_REQUEST;
    }
    if (a->count > 1 && intake->partition->order->class != ORDER_FSYNC) {
        intake->message = "appended together are streams of braid.durability fsync only";
        return KW_POLICY_VIOLATION;
    }
    error = broker_intake_prove(intake, a->req, PRODUCE_VERSION, in->records.data, in->records.len);
    if (error == KW_NONE && kw_batch_has_producer(&intake->verdict.batch)) {
        intake->message = "a batch with a producer id";
        return KW_INVALID_RECORD;
    }
    return error == KW_NONE ? broker_intake_recompress(intake) : error;
}

static enum kw_error check_end(struct order_appends *a, unsigned i, int64_t expected)
{
    a->response.appends[i].end_offset = store_log_state(a->parts[i].intake.partition->store->log)->end;
    return expected == -1 || expected == a->response.appends[i].end_offset ? KW_NONE : KW_EXPECTED_END_MISMATCH;
}

/* --- the request --- */

static enum kw_error append(struct order_appends *a, int *culprit)
{
    struct order_append_item items[ORDER_APPENDS_MAX];
    for (unsigned i = 0; i < a->count; i++) {
        struct part *part = &a->parts[i];
        part->append = broker_intake_append(&part->intake);
        part->ticket.done = ticket_done;
        items[i] = (struct order_append_item){.stream = part->intake.partition->order, .append = &part->append, .ticket = &part->ticket};
    }
    enum br_err err = order_append_all(a->req->broker->order, items, a->count, a->req->wall_ms, culprit);
    if (err != BR_OK)
        return broker_errmap(err);
    a->tickets = a->count;
    for (unsigned i = 0; i < a->count; i++) {
        a->response.appends[i].base_offset = a->parts[i].ticket.base_offset;
        a->response.appends[i].end_offset = a->parts[i].ticket.end_offset;
    }
    return KW_NONE;
}

static void append_and_wait(struct order_appends *a, const struct kw_order_append_request *body)
{
    enum kw_error error = KW_NONE;
    int culprit = 0;
    unsigned i = 0;
    for (; error == KW_NONE && i < a->count; i++)
        error = check_part(a, i, &body->appends[i]);
    if (error == KW_NONE)
        for (i = 0; error == KW_NONE && i < a->count; i++)
            error = check_end(a, i, body->appends[i].expected_end);
    if (error != KW_NONE) {
        answer(a, error, (int)i - 1, a->parts[i - 1].intake.message);
        return;
    }
    error = append(a, &culprit);
    if (error != KW_NONE) {
        answer(a, error, culprit, culprit < 0 ? "there is no room for all of them together" : NULL);
        return;
    }
    struct broker_request *req = a->req;
    int32_t timeout_ms = BR_MAX(body->timeout_ms, 0);
    uint64_t end = a->parts[a->count - 1].ticket.position.value + a->parts[a->count - 1].intake.verdict.batch.record_count;
    broker_request_applied(req);
    broker_request_drop_frame(req);
    if (a->is_sync)
        broker_stable_wait_start(&a->stable, req->broker, end, timeout_ms);
    else
        broker_wait_start(&req->broker->waits, &a->timeout, req->now_ms + timeout_ms);
}

void broker_handle_order_append(struct broker_request *req)
{
    const struct kw_order_append_request *body = req->body;
    struct order_appends *a = br_alloc(sizeof *a);
    a->req = req;
    a->is_sync = body->sync;
    a->stable.done = is_stable;
    a->timeout.expire = expire;
    br_arena_init(&a->arena, ARENA_BYTES);
    kw_default(&kw_order_append_response, &a->response);
    req->state = a;
    req->cancel = cancel;
    if (body->appends_count < 1 || body->appends_count > (int32_t)ORDER_APPENDS_MAX) {
        answer(a, KW_INVALID_REQUEST, -1, "between 1 and 256 appends");
        return;
    }
    a->parts = br_arena_array(&a->arena, (size_t)body->appends_count, sizeof *a->parts);
    a->response.appends = br_arena_array(&a->arena, (size_t)body->appends_count, sizeof *a->response.appends);
    BR_ASSERT(a->parts && a->response.appends); /* a few hundred bytes each */
    a->count = (unsigned)body->appends_count;
    a->response.appends_count = body->appends_count;
    for (unsigned i = 0; i < a->count; i++) {
        a->parts[i].all = a;
        a->response.appends[i] = (struct kw_order_append_response_append){.base_offset = -1, .end_offset = -1, .position = -1};
    }
    append_and_wait(a, body);
}
