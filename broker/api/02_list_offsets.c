/* ListOffsets, versions 1-11.
 * 2 isolation level, 4 leader epochs, 6 flexible, 7 max timestamp (-3), 8 local start (-4), 9 tiered end (-5), 11 pending upload (-6).
 *
 * What is asked of an order view is linearizable: the answer waits until the views' ends cover the ring's end at the time of the call (R11), so that it covers every
 * append acknowledged before. Lookups by time, and starts of views, are then done one after another, a little in each turn; none waits for the device. */
#include "broker/broker.h"
#include "broker/data/target.h"
#include "broker/data/warm.h"
#include "broker/errmap.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/view/lookup.h"
#include "broker/view/order_view.h"
#include "compat/base/bytes.h"
#include "compat/base/clock.h"
#include "compat/gen/02_list_offsets.h"

enum { LATEST = -1, EARLIEST = -2, MAX_TIMESTAMP = -3, EARLIEST_LOCAL = -4, LATEST_TIERED = -5, EARLIEST_PENDING = -6 };

#define TURN_NS 2000000 /* no lookup is begun or gone on with after it in one turn; a part of one takes a few ms at most */

/* What takes longer, its place in the request, and its answer. */
struct question {
    int32_t topic, part;
    enum kw_error error;
    int64_t offset, timestamp;
    int32_t leader_epoch;
};

struct list_offsets {
    struct broker_request *req;
    struct broker_watch watch;
    struct broker_wait wait;  /* for the next turn */
    uint64_t tail;            /* views must cover it before anything is told of them */
    struct question *questions; /* in the order of the request */
    size_t count, done;
    /* the question that is being answered */
    bool has_begun;
    struct br_uuid id;        /* of its topic, which may go and come back meanwhile */
    struct broker_view_lookup lookup;
    struct store_time_query query;
    struct broker_warm *warm;
};

static bool is_by_time(int64_t timestamp) { return timestamp >= 0 || timestamp == MAX_TIMESTAMP; }

static bool is_special_known(int64_t timestamp, int version)
{
    static const int since[] = {[-LATEST] = 0, [-EARLIEST] = 0, [-MAX_TIMESTAMP] = 7, [-EARLIEST_LOCAL] = 8, [-LATEST_TIERED] = 9,
                                [-EARLIEST_PENDING] = 11};
    return timestamp >= EARLIEST_PENDING && version >= since[-timestamp];
}

static int64_t partition_limit(const struct broker_request *req, const struct broker_partition *p)
{
    const struct kw_list_offsets_request *body = req->body;
    return body->isolation_level == 1 ? broker_partition_last_stable(p) : broker_partition_high_watermark(p);
}

/* --- questions --- */

/* BR_COLD: q is not answered yet; *cold is held when something must be warmed first. */
static enum br_err ask_partition(struct list_offsets *l, struct broker_partition *p, int64_t timestamp, struct question *q, struct store_range *cold)
{
    int64_t limit = partition_limit(l->req, p);
    if (!l->has_begun)
        l->query = timestamp == MAX_TIMESTAMP ? store_max_time_query(limit) : store_time_query(timestamp, limit);
    l->has_begun = true;
    enum br_err err = store_log_ask_time(p->store->log, &l->query, cold);
    if (err == BR_OK && l->query.found) {
        q->offset = l->query.offset;
        q->timestamp = l->query.timestamp;
        q->leader_epoch = p->order->leader_epoch;
    }
    return err;
}

static enum br_err ask_view(struct list_offsets *l, struct broker_topic *topic, int64_t timestamp, struct question *q, struct store_range *cold)
{
    struct broker_view_lookup *lookup = &l->lookup;
    if (!l->has_begun) {
        *lookup = (struct broker_view_lookup){.view = topic->id, .kind = BROKER_VIEW_START, .t = timestamp};
        if (is_by_time(timestamp))
            lookup->kind = timestamp == MAX_TIMESTAMP ? BROKER_VIEW_MAX_TIME : BROKER_VIEW_TIME;
    }
    l->has_begun = true;
    enum br_err err = broker_view_lookup_step(l->req->broker, lookup, cold);
    if (err != BR_OK || !lookup->is_done)
        return BR_COLD;
    q->error = lookup->error;
    if (q->error == KW_NONE && lookup->found) {
        q->offset = (int64_t)lookup->position;
        q->timestamp = lookup->kind == BROKER_VIEW_START ? -1 : lookup->timestamp;
        q->leader_epoch = 0;
    }
    return BR_OK;
}

/* True when the question is answered. */
static bool ask(struct list_offsets *l, struct question *q, struct store_range *cold)
{
    const struct kw_list_offsets_request *body = l->req->body;
    const struct kw_list_offsets_request_partition *in = &body->topics[q->topic].partitions[q->part];
    struct broker_target target = broker_target_find(l->req->broker, body->topics[q->topic].name, (struct br_uuid){{0}}, in->partition_index);
    if (target.error == KW_NONE)
        target.error = broker_target_epoch_check(&target, in->current_leader_epoch);
    if (target.error == KW_NONE && l->has_begun && !br_uuid_eq(l->id, target.topic->id))
        target.error = KW_UNKNOWN_TOPIC_OR_PARTITION;
    if (target.error == KW_NONE && in->timestamp < 0 && !is_special_known(in->timestamp, broker_request_version(l->req)))
        target.error = KW_UNSUPPORTED_VERSION;
    q->error = target.error;
    if (target.error != KW_NONE)
        return true;
    l->id = target.topic->id;
    enum br_err err = target.partition ? ask_partition(l, target.partition, in->timestamp, q, cold) : ask_view(l, target.topic, in->timestamp, q, cold);
    if (err == BR_COLD)
        return false;
    if (err != BR_OK)
        q->error = broker_errmap(err);
    return true;
}

/* --- answers --- */

/* What is known at once. */
static enum kw_error list_one(struct broker_request *req, struct br_str topic, const struct kw_list_offsets_request_partition *in,
                              struct kw_list_offsets_response_partition *out)
{
    struct broker_target target = broker_target_find(req->broker, topic, (struct br_uuid){{0}}, in->partition_index);
    if (target.error == KW_NONE)
        target.error = broker_target_epoch_check(&target, in->current_leader_epoch);
    if (target.error != KW_NONE)
        return target.error;
    if (in->timestamp < 0 && !is_special_known(in->timestamp, broker_request_version(req)))
        return KW_UNSUPPORTED_VERSION;
    out->leader_epoch = broker_target_epoch(&target);
    switch (in->timestamp) {
    case LATEST: out->offset = target.partition ? partition_limit(req, target.partition) : (int64_t)broker_order_view_end(target.topic->view); return KW_NONE;
    case EARLIEST:
    case EARLIEST_LOCAL:
        if (!target.partition) /* a view that was none when the request came */
            return KW_UNKNOWN_TOPIC_OR_PARTITION;
        out->offset = broker_partition_start(target.partition);
        return KW_NONE;
    default: /* no tier: nothing there */
        out->leader_epoch = target.partition ? -1 : 0;
        return KW_NONE;
    }
}

/* Topic and partition pairs named more than once: key -> a non-NULL value that says so. */
static size_t pair_key(uint8_t key[static 516], struct br_str topic, int32_t index)
{
    size_t len = BR_MIN(topic.len, (size_t)512);
    br_store32(key, (uint32_t)index);
    if (len)
        memcpy(key + 4, topic.data, len);
    return len + 4;
}

static char once, twice;

static void count_pairs(const struct kw_list_offsets_request *body, struct br_map *seen)
{
    uint8_t key[516];
    for (int32_t t = 0; t < body->topics_count; t++) {
        for (int32_t i = 0; i < body->topics[t].partitions_count; i++) {
            size_t len = pair_key(key, body->topics[t].name, body->topics[t].partitions[i].partition_index);
            br_map_put(seen, key, len, br_map_get(seen, key, len) ? &twice : &once);
        }
    }
}

static bool is_named_twice(const struct br_map *seen, struct br_str topic, int32_t index)
{
    uint8_t key[516];
    size_t len = pair_key(key, topic, index);
    return br_map_get(seen, key, len) == &twice;
}

/* The question of this place of the request, or NULL. Places are asked in order. */
static const struct question *take_question(const struct list_offsets *l, size_t *at, int32_t topic, int32_t part)
{
    if (*at == l->count || l->questions[*at].topic != topic || l->questions[*at].part != part)
        return NULL;
    return &l->questions[(*at)++];
}

static enum kw_error answer_question(const struct question *q, struct kw_list_offsets_response_partition *out)
{
    out->offset = q->offset;
    out->timestamp = q->timestamp;
    out->leader_epoch = q->leader_epoch;
    return q->error;
}

static void list_offsets_answer(struct broker_request *req, const struct list_offsets *l)
{
    size_t at = 0;
    const struct kw_list_offsets_request *body = req->body;
    struct kw_list_offsets_response response;
    struct br_map seen;
    br_map_init(&seen);
    count_pairs(body, &seen);
    kw_default(&kw_list_offsets_response, &response);
    response.topics_count = BR_MAX(body->topics_count, 0);
    response.topics = br_arena_array(&req->arena, (size_t)response.topics_count, sizeof *response.topics);
    for (int32_t t = 0; response.topics && t < response.topics_count; t++) {
        const struct kw_list_offsets_request_topic *in = &body->topics[t];
        struct kw_list_offsets_response_topic *out = &response.topics[t];
        out->name = in->name;
        out->partitions_count = BR_MAX(in->partitions_count, 0);
        out->partitions = br_arena_array(&req->arena, (size_t)out->partitions_count, sizeof *out->partitions);
        if (!out->partitions) {
            response.topics = NULL;
            break;
        }
        for (int32_t i = 0; i < out->partitions_count; i++) {
            struct kw_list_offsets_response_partition *part = &out->partitions[i];
            int32_t index = in->partitions[i].partition_index;
            *part = (struct kw_list_offsets_response_partition){.partition_index = index, .timestamp = -1, .offset = -1, .leader_epoch = -1};
            const struct question *q = take_question(l, &at, t, i);
            enum kw_error error = KW_INVALID_REQUEST;
            if (!is_named_twice(&seen, in->name, index))
                error = q ? answer_question(q, part) : list_one(req, in->name, &in->partitions[i], part);
            part->error_code = (int16_t)error;
            if (part->error_code != KW_NONE)
                part->offset = part->timestamp = -1;
        }
    }
    br_map_clear(&seen);
    if (response.topics)
        broker_reply(req, &response);
    else
        broker_request_close(req, "list offsets names more partitions than fit its memory budget");
}

static void is_warmed(void *ctx);

/* Questions, for as long as this turn may; then the answer. */
static void go_on(struct broker_wait *wait)
{
    struct list_offsets *l = BR_CONTAINER_OF(wait, struct list_offsets, wait);
    struct broker *b = l->req->broker;
    struct store_range cold = {0};
    int64_t until_ns = br_clock_mono_ns() + TURN_NS;
    while (l->done < l->count) {
        bool is_answered = ask(l, &l->questions[l->done], &cold);
        l->done += is_answered;
        l->has_begun = l->has_begun && !is_answered;
        if (cold.hold) {
            l->warm = broker_warm_start(b, &cold, is_warmed, l);
            return;
        }
        if (br_clock_mono_ns() >= until_ns && l->done < l->count) {
            broker_wait_start(&b->waits, &l->wait, b->now_ms);
            return;
        }
    }
    list_offsets_answer(l->req, l);
}

static void is_warmed(void *ctx)
{
    struct list_offsets *l = ctx;
    l->warm = NULL;
    go_on(&l->wait);
}

static void stable_moved(struct broker_watch *watch)
{
    struct list_offsets *l = BR_CONTAINER_OF(watch, struct list_offsets, watch);
    struct broker *b = l->req->broker;
    bool has_failed = store_failed(order_local_store(b->order)) != BR_OK; /* then stable stands still: tell what is known */
    if (broker_views_seen(broker_catalog_views(b->catalog)) >= l->tail || has_failed)
        go_on(&l->wait);
    else
        broker_watch_add(&b->stable_watchers, watch);
}

static void list_offsets_cancel(struct broker_request *req)
{
    struct list_offsets *l = req->state;
    broker_watch_remove(&l->watch);
    broker_wait_stop(&req->broker->waits, &l->wait);
    broker_warm_cancel(l->warm);
}

/* Counts the questions, and notes them where there is room. *asks_views: something is asked of a view. */
static size_t find_questions(struct broker *b, const struct kw_list_offsets_request *body, struct question *questions, bool *asks_views)
{
    size_t count = 0;
    *asks_views = false;
    for (int32_t t = 0; t < body->topics_count; t++) {
        const struct broker_topic *topic = broker_catalog_find(b->catalog, body->topics[t].name);
        bool is_view = topic && topic->view;
        for (int32_t i = 0; i < body->topics[t].partitions_count; i++) {
            int64_t timestamp = body->topics[t].partitions[i].timestamp;
            bool is_start = timestamp == EARLIEST || timestamp == EARLIEST_LOCAL;
            *asks_views |= is_view;
            if (!is_by_time(timestamp) && !(is_view && is_start))
                continue;
            if (questions)
                questions[count] = (struct question){.topic = t, .part = i, .offset = -1, .timestamp = -1, .leader_epoch = -1};
            count++;
        }
    }
    return count;
}

void broker_handle_list_offsets(struct broker_request *req)
{
    struct broker *b = req->broker;
    bool asks_views;
    size_t count = find_questions(b, req->body, NULL, &asks_views);
    struct list_offsets *l = br_arena_alloc(&req->arena, sizeof *l);
    struct question *questions = br_arena_array(&req->arena, count, sizeof *questions);
    if (!l || !questions) {
        broker_request_close(req, "list offsets is over its memory budget");
        return;
    }
    find_questions(b, req->body, questions, &asks_views);
    *l = (struct list_offsets){.req = req, .watch.wake = stable_moved, .wait.expire = go_on, .questions = questions, .count = count,
                               .tail = asks_views ? order_local_tail(b->order).value : 0};
    req->state = l;
    req->cancel = list_offsets_cancel;
    stable_moved(&l->watch);
}
