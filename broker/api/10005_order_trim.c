/* OrderTrim, version 0; Braid's own. What DeleteRecords does, for every partition of every user topic whose records may be deleted, at the cut of one position. Trims begin over
 * many turns; answered when all are durable. A trim cannot be withdrawn, so what it needs is in struct order_trim, freed with the last of them. */
#include "broker/data/cut.h"
#include "broker/data/steps.h"
#include "broker/errmap.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/topic/catalog.h"
#include "compat/base/mem.h"
#include "compat/gen/10005_order_trim.h"

#define STEP_PARTITIONS 64 /* begun in a turn */

struct order_trim {
    struct broker_request *req; /* NULL: answered or cancelled */
    struct broker_steps steps;  /* begins the trims; then looks for the start */
    struct broker_wait deadline;
    uint64_t position;
    struct br_uuid *topics;     /* in the request's arena */
    size_t topic_count, topic;
    int32_t partition;          /* where the walk is */
    bool is_rounded, is_begun;  /* all trims */
    unsigned waiting;
    enum br_err err;            /* of a trim */
    uint64_t start;
};

static void release(struct order_trim *t)
{
    if (!t->req && t->waiting == 0)
        br_free(t);
}

static void detach(struct order_trim *t)
{
    broker_steps_cancel(&t->steps);
    broker_wait_stop(&t->req->broker->waits, &t->deadline);
    t->req = NULL;
}

static void answer(struct order_trim *t, enum kw_error error, const char *message)
{
    struct broker_request *req = t->req;
    struct kw_order_trim_response response;
    kw_default(&kw_order_trim_response, &response);
    response.error_code = (int16_t)error;
    response.error_message = message ? br_str_c(message) : br_str(NULL, 0);
    response.start = error == KW_NONE ? (int64_t)t->start : -1;
    detach(t);
    broker_reply(req, &response);
    release(t);
}

static void cancel(struct broker_request *req)
{
    struct order_trim *t = req->state;
    detach(t);
    release(t);
}

static void expire(struct broker_wait *wait) { answer(BR_CONTAINER_OF(wait, struct order_trim, deadline), KW_REQUEST_TIMED_OUT, NULL); }

/* --- when all trims are durable: what is left --- */

static enum br_err find_start(struct broker_steps *steps, struct store_range *cold)
{
    return broker_cut_start(steps->broker, &BR_CONTAINER_OF(steps, struct order_trim, steps)->start, cold);
}

static void has_start(struct broker_steps *steps, enum br_err err)
{
    answer(BR_CONTAINER_OF(steps, struct order_trim, steps), broker_errmap(err), err == BR_OK ? NULL : br_err_text(err));
}

static void finish(struct order_trim *t)
{
    if (t->err != BR_OK) {
        answer(t, KW_KAFKA_STORAGE_ERROR, br_err_text(t->err));
        return;
    }
    t->steps = (struct broker_steps){.run = find_start, .done = has_start};
    broker_steps_start(&t->steps, t->req->broker, INT32_MAX);
}

static void trimmed(void *ctx, enum br_err err)
{
    struct order_trim *t = ctx;
    t->waiting--;
    if (t->err == BR_OK)
        t->err = err;
    if (!t->req)
        release(t);
    else if (t->is_begun && t->waiting == 0)
        finish(t);
}

/* --- the trims --- */

static enum br_err trim_one(struct order_trim *t, struct broker_partition *p, struct store_range *cold)
{
    int64_t offset;
    uint64_t found;
    enum br_err err = store_log_seek(p->store->log, t->position, &offset, &found, cold);
    if (err != BR_OK)
        return err;
    offset = BR_MIN(offset, broker_partition_high_watermark(p)); /* what has no position yet is not below it */
    if (offset <= broker_partition_start(p))
        return BR_OK;
    err = order_local_trim(t->req->broker->order, p->order, offset, trimmed, t);
    t->waiting += err == BR_OK;
    return err == BR_FULL ? BR_BUSY : err;
}

static enum br_err begin(struct broker_steps *steps, struct store_range *cold)
{
    struct order_trim *t = BR_CONTAINER_OF(steps, struct order_trim, steps);
    if (!t->is_rounded) {
        enum br_err err = broker_cut_round_down(steps->broker, &t->position, cold);
        if (err != BR_OK)
            return err;
        t->is_rounded = true;
    }
    for (unsigned n = 0; n < STEP_PARTITIONS && t->topic < t->topic_count; n++) {
        struct broker_topic *topic = broker_catalog_find_id(steps->broker->catalog, t->topics[t->topic]);
        if (!topic || t->partition == topic->partition_count || !topic->settings.can_delete) {
            t->partition = 0;
            t->topic++;
            continue;
        }
        enum br_err err = trim_one(t, topic->partitions[t->partition], cold);
        if (err != BR_OK)
            return err;
        t->partition++;
    }
    steps->has_more = t->topic < t->topic_count;
    return BR_OK;
}

static void is_begun(struct broker_steps *steps, enum br_err err)
{
    struct order_trim *t = BR_CONTAINER_OF(steps, struct order_trim, steps);
    t->is_begun = true;
    if (err != BR_OK)
        answer(t, KW_KAFKA_STORAGE_ERROR, br_err_text(err));
    else if (t->waiting == 0)
        finish(t);
}

static bool note_topics(struct order_trim *t)
{
    struct broker_catalog *catalog = t->req->broker->catalog;
    size_t at = 0, count = 0;
    for (struct broker_topic *topic; (topic = broker_catalog_next(catalog, &at));)
        count += broker_cut_has_topic(topic, NULL, -1);
    t->topics = br_arena_array(&t->req->arena, count, sizeof *t->topics);
    at = 0;
    for (struct broker_topic *topic; t->topics && (topic = broker_catalog_next(catalog, &at));)
        if (broker_cut_has_topic(topic, NULL, -1))
            t->topics[t->topic_count++] = topic->id;
    return t->topics != NULL;
}

void broker_handle_order_trim(struct broker_request *req)
{
    const struct kw_order_trim_request *body = req->body;
    uint64_t stable = order_local_stable(req->broker->order).value;
    struct order_trim *t = br_alloc(sizeof *t);
    *t = (struct order_trim){.req = req, .steps = {.run = begin, .done = is_begun}, .deadline.expire = expire,
                             .position = body->position == -1 ? stable : (uint64_t)body->position};
    req->state = t;
    req->cancel = cancel;
    if (body->position < -1 || t->position > stable) {
        answer(t, KW_OFFSET_OUT_OF_RANGE, "no position at or below what is stable");
        return;
    }
    if (!note_topics(t)) {
        detach(t);
        release(t);
        broker_request_close(req, "order trim is over its memory budget");
        return;
    }
    broker_wait_start(&req->broker->waits, &t->deadline, req->now_ms + BR_MAX(body->timeout_ms, 0));
    broker_steps_start(&t->steps, req->broker, INT32_MAX);
}
