/* OrderCut, version 0; Braid's own. What every partition held at one position: for each the offset of its first record at or above it. The answer does not depend on when it
 * is looked up, so it is put together over many turns. A cut never falls inside what was appended together: it goes down to the first of that. */
#include "broker/data/cut.h"
#include "broker/data/stable_wait.h"
#include "broker/data/steps.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/topic/catalog.h"
#include "compat/gen/10003_order_cut.h"

#define STEP_PARTITIONS 256 /* looked up in a turn */

struct order_cut {
    struct broker_request *req;
    struct broker_stable_wait stable;
    struct broker_steps steps;
    struct kw_order_cut_response response;
    int32_t topic, partition; /* where the walk is */
    bool has_topics;          /* response.topics are those there are */
};

static void answer(struct order_cut *c, enum kw_error error, const char *message)
{
    c->response.error_code = (int16_t)error;
    c->response.error_message = message ? br_str_c(message) : br_str(NULL, 0);
    if (error != KW_NONE)
        c->response.topics_count = 0;
    broker_reply(c->req, &c->response);
}

/* --- the topics --- */

/* The topics there are: all that have a record below a stable position. */
static bool note_topics(struct order_cut *c)
{
    const struct kw_order_cut_request *body = c->req->body;
    struct broker_catalog *catalog = c->req->broker->catalog;
    struct br_arena *arena = &c->req->arena;
    struct kw_order_cut_response *r = &c->response;
    struct broker_topic *topic;
    size_t at = 0, count = 0;
    while ((topic = broker_catalog_next(catalog, &at)))
        count += broker_cut_has_topic(topic, body->topics, body->topics_count);
    r->topics = br_arena_array(arena, count, sizeof *r->topics);
    for (at = 0; r->topics && (topic = broker_catalog_next(catalog, &at));) {
        if (!broker_cut_has_topic(topic, body->topics, body->topics_count))
            continue;
        struct kw_order_cut_response_topic *out = &r->topics[r->topics_count++];
        char *name = br_arena_strndup(arena, topic->name, strlen(topic->name));
        *out = (struct kw_order_cut_response_topic){.name = br_str_c(name ? name : ""), .topic_id = topic->id, .partitions_count = topic->partition_count};
        out->partitions = br_arena_array(arena, (size_t)topic->partition_count, sizeof *out->partitions);
        if (!name || !out->partitions)
            return false;
    }
    return r->topics != NULL;
}

/* Takes a topic that is gone out of the answer. */
static void drop_topic(struct order_cut *c)
{
    struct kw_order_cut_response *r = &c->response;
    memmove(&r->topics[c->topic], &r->topics[c->topic + 1], (size_t)(r->topics_count - c->topic - 1) * sizeof *r->topics);
    r->topics_count--;
    c->partition = 0;
}

static enum br_err look_up(struct order_cut *c, struct store_range *cold)
{
    struct kw_order_cut_response *r = &c->response;
    for (unsigned done = 0; c->topic < r->topics_count && done < STEP_PARTITIONS; done++) {
        struct kw_order_cut_response_topic *out = &r->topics[c->topic];
        struct broker_topic *topic = broker_catalog_find_id(c->req->broker->catalog, out->topic_id);
        uint64_t found;
        int64_t offset;
        if (!topic) {
            drop_topic(c);
            continue;
        }
        enum br_err err = store_log_seek(topic->partitions[c->partition]->store->log, (uint64_t)r->position, &offset, &found, cold);
        if (err != BR_OK)
            return err;
        out->partitions[c->partition] = (struct kw_order_cut_response_partition){c->partition, offset};
        if (++c->partition == out->partitions_count) {
            c->partition = 0;
            c->topic++;
        }
    }
    return BR_OK;
}

/* --- the request --- */

static enum br_err step(struct broker_steps *steps, struct store_range *cold)
{
    struct order_cut *c = BR_CONTAINER_OF(steps, struct order_cut, steps);
    enum br_err err = BR_OK;
    if (!c->has_topics) {
        uint64_t position = (uint64_t)c->response.position;
        if ((err = broker_cut_round_down(c->req->broker, &position, cold)) != BR_OK)
            return err;
        if (!note_topics(c))
            return BR_NOMEM;
        c->has_topics = true;
        c->response.position = (int64_t)position;
    }
    err = look_up(c, cold);
    steps->has_more = err == BR_OK && c->topic < c->response.topics_count;
    return err;
}

static void is_done(struct broker_steps *steps, enum br_err err)
{
    struct order_cut *c = BR_CONTAINER_OF(steps, struct order_cut, steps);
    if (err == BR_NOMEM)
        broker_request_close(c->req, "order cut names more partitions than fit its memory budget");
    else if (err == BR_TIMEOUT)
        answer(c, KW_REQUEST_TIMED_OUT, NULL);
    else
        answer(c, err == BR_OK ? KW_NONE : KW_KAFKA_STORAGE_ERROR, err == BR_OK ? NULL : br_err_text(err));
}

static void is_stable(struct broker_stable_wait *wait, enum broker_stable_result result)
{
    struct order_cut *c = BR_CONTAINER_OF(wait, struct order_cut, stable);
    c->response.position = (int64_t)wait->position;
    if (result == BROKER_STABLE)
        broker_steps_start(&c->steps, c->req->broker, ((const struct kw_order_cut_request *)c->req->body)->timeout_ms);
    else
        answer(c, result == BROKER_STABLE_LATE ? KW_REQUEST_TIMED_OUT : KW_KAFKA_STORAGE_ERROR, NULL);
}

static void cancel(struct broker_request *req)
{
    struct order_cut *c = req->state;
    broker_stable_wait_cancel(&c->stable);
    broker_steps_cancel(&c->steps);
}

void broker_handle_order_cut(struct broker_request *req)
{
    const struct kw_order_cut_request *body = req->body;
    struct broker *b = req->broker;
    struct order_cut *c = br_arena_alloc(&req->arena, sizeof *c);
    if (!c) {
        broker_request_close(req, "order cut is over its memory budget");
        return;
    }
    *c = (struct order_cut){.req = req, .stable = {.broker = b, .done = is_stable}, .steps = {.run = step, .done = is_done}};
    kw_default(&kw_order_cut_response, &c->response);
    req->state = c;
    req->cancel = cancel;
    if (body->position == -1) {
        broker_stable_wait_start(&c->stable, b, order_local_tail(b->order).value, body->timeout_ms);
        return;
    }
    uint64_t stable = order_local_stable(b->order).value, start = store_order_log_start(store_order_log(b->store));
    c->response.position = body->position;
    if (body->position < 0 || (uint64_t)body->position > stable || (uint64_t)body->position < start)
        answer(c, KW_OFFSET_OUT_OF_RANGE, (uint64_t)BR_MAX(body->position, 0) > stable ? "above what is stable" : "below the start of the order");
    else
        broker_steps_start(&c->steps, b, body->timeout_ms);
}
