/* ListOffsets, versions 1-11.
 * 2 isolation level, 4 leader epochs, 6 flexible, 7 max timestamp (-3), 8 local start (-4), 9 tiered end (-5), 11 pending upload (-6).
 *
 * What is asked of an order view is linearizable: the answer waits until stable covers the ring's end at the time of the call (R11), so that it covers every append
 * acknowledged before. What takes some looking for in views is then found in steps, a step a turn; what is cold is warmed in the pool in between. */
#include "broker/broker.h"
#include "broker/data/target.h"
#include "broker/data/warm.h"
#include "broker/errmap.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/view/lookup.h"
#include "broker/view/order_view.h"
#include "compat/base/bytes.h"
#include "compat/gen/02_list_offsets.h"

enum { LATEST = -1, EARLIEST = -2, MAX_TIMESTAMP = -3, EARLIEST_LOCAL = -4, LATEST_TIERED = -5, EARLIEST_PENDING = -6 };

/* A lookup in a view, and its place in the request. */
struct view_lookup {
    struct broker_view_lookup lookup;
    int32_t topic, part;
};

struct list_offsets {
    struct broker_request *req;
    struct broker_watch watch;
    struct broker_wait wait; /* for the next step of a lookup */
    struct broker_warm *warm;
    uint64_t tail;           /* stable must reach this before anything is told of a view */
    struct view_lookup *lookups; /* in the order of the request */
    size_t count, done;      /* of them */
};

static bool is_special_known(int64_t timestamp, int version)
{
    static const int since[] = {[-LATEST] = 0, [-EARLIEST] = 0, [-MAX_TIMESTAMP] = 7, [-EARLIEST_LOCAL] = 8, [-LATEST_TIERED] = 9,
                                [-EARLIEST_PENDING] = 11};
    return timestamp >= EARLIEST_PENDING && version >= since[-timestamp];
}

static enum kw_error list_view(struct broker_order_view *view, int64_t timestamp, const struct broker_view_lookup *lookup,
                               struct kw_list_offsets_response_partition *out)
{
    out->leader_epoch = 0;
    if (timestamp == LATEST)
        out->offset = (int64_t)broker_order_view_end(view);
    if (timestamp == LATEST || timestamp == LATEST_TIERED || timestamp == EARLIEST_PENDING)
        return KW_NONE;
    if (!lookup || lookup->error != KW_NONE) /* no lookup: the topic was not a view when the request came */
        return lookup ? lookup->error : KW_UNKNOWN_TOPIC_OR_PARTITION;
    if (lookup->found) {
        out->offset = (int64_t)lookup->position;
        out->timestamp = lookup->kind == BROKER_VIEW_START ? -1 : lookup->timestamp;
    } else {
        out->leader_epoch = -1;
    }
    return KW_NONE;
}

static enum kw_error list_partition(struct broker_partition *p, int64_t timestamp, int64_t limit, struct kw_list_offsets_response_partition *out)
{
    bool found = false;
    enum br_err err = BR_OK;
    switch (timestamp) {
    case LATEST: out->offset = limit; break;
    case EARLIEST:
    case EARLIEST_LOCAL: out->offset = broker_partition_start(p); break;
    case LATEST_TIERED:
    case EARLIEST_PENDING: return KW_NONE; /* no tier: nothing there */
    case MAX_TIMESTAMP: err = store_log_find_max_time(p->store->log, limit, &found, &out->offset, &out->timestamp); break;
    default: err = store_log_find_time(p->store->log, timestamp, limit, &found, &out->offset, &out->timestamp); break;
    }
    if (err != BR_OK)
        return broker_errmap(err);
    if (!found && (timestamp >= 0 || timestamp == MAX_TIMESTAMP)) {
        out->offset = out->timestamp = -1;
        return KW_NONE;
    }
    out->leader_epoch = p->order->leader_epoch;
    return KW_NONE;
}

static enum kw_error list_one(struct broker_request *req, const struct kw_list_offsets_request *body, struct br_str topic,
                              const struct kw_list_offsets_request_partition *in, const struct broker_view_lookup *lookup,
                              struct kw_list_offsets_response_partition *out)
{
    struct broker_target target = broker_target_find(req->broker, topic, (struct br_uuid){{0}}, in->partition_index);
    if (target.error == KW_NONE)
        target.error = broker_target_epoch_check(&target, in->current_leader_epoch);
    if (target.error != KW_NONE)
        return target.error;
    if (in->timestamp < 0 && !is_special_known(in->timestamp, broker_request_version(req)))
        return KW_UNSUPPORTED_VERSION;
    if (!target.partition)
        return list_view(target.topic->view, in->timestamp, lookup, out);
    int64_t limit = body->isolation_level == 1 ? broker_partition_last_stable(target.partition) : broker_partition_high_watermark(target.partition);
    return list_partition(target.partition, in->timestamp, limit, out);
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

/* The lookup made for this place of the request, or NULL. Places are asked in order. */
static const struct broker_view_lookup *take_lookup(const struct list_offsets *l, size_t *at, int32_t topic, int32_t part)
{
    if (!l || *at == l->count || l->lookups[*at].topic != topic || l->lookups[*at].part != part)
        return NULL;
    return &l->lookups[(*at)++].lookup;
}

/* l: NULL when nothing was asked of a view. */
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
            const struct broker_view_lookup *lookup = take_lookup(l, &at, t, i);
            enum kw_error error = KW_INVALID_REQUEST;
            if (!is_named_twice(&seen, in->name, index))
                error = list_one(req, body, in->name, &in->partitions[i], lookup, part);
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

/* One step of the lookups a turn; then the answer. */
static void step_lookups(struct list_offsets *l)
{
    struct broker *b = l->req->broker;
    struct store_range cold = {0};
    if (l->done < l->count) {
        struct broker_view_lookup *lookup = &l->lookups[l->done].lookup;
        if (broker_view_lookup_step(b, lookup, &cold) == BR_COLD) {
            l->warm = broker_warm_start(b, &cold, is_warmed, l);
            return;
        }
        l->done += lookup->is_done;
    }
    if (l->done < l->count)
        broker_wait_start(&b->waits, &l->wait, b->now_ms);
    else
        list_offsets_answer(l->req, l);
}

static void is_warmed(void *ctx)
{
    struct list_offsets *l = ctx;
    l->warm = NULL;
    step_lookups(l);
}

static void is_next_turn(struct broker_wait *wait)
{
    step_lookups(BR_CONTAINER_OF(wait, struct list_offsets, wait));
}

static void stable_moved(struct broker_watch *watch)
{
    struct list_offsets *l = BR_CONTAINER_OF(watch, struct list_offsets, watch);
    struct broker *b = l->req->broker;
    bool has_failed = store_failed(order_local_store(b->order)) != BR_OK; /* then stable stands still: tell what is known */
    if (order_local_stable(b->order).value >= l->tail || has_failed)
        step_lookups(l);
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

/* Counts what is asked of views, and what of it must be looked for: noted in `lookups` unless that is NULL. */
static size_t find_view_questions(struct broker *b, const struct kw_list_offsets_request *body, struct view_lookup *lookups, size_t *lookup_count)
{
    size_t count = 0;
    *lookup_count = 0;
    for (int32_t t = 0; t < body->topics_count; t++) {
        struct broker_topic *topic = broker_catalog_find(b->catalog, body->topics[t].name);
        for (int32_t i = 0; topic && topic->view && i < body->topics[t].partitions_count; i++, count++) {
            int64_t timestamp = body->topics[t].partitions[i].timestamp;
            struct view_lookup l = {.lookup = {.view = topic->id, .kind = BROKER_VIEW_TIME, .t = timestamp}, .topic = t, .part = i};
            if (timestamp == MAX_TIMESTAMP)
                l.lookup.kind = BROKER_VIEW_MAX_TIME;
            else if (timestamp == EARLIEST || timestamp == EARLIEST_LOCAL)
                l.lookup.kind = BROKER_VIEW_START;
            else if (timestamp < 0)
                continue;
            if (lookups)
                lookups[*lookup_count] = l;
            ++*lookup_count;
        }
    }
    return count;
}

void broker_handle_list_offsets(struct broker_request *req)
{
    struct broker *b = req->broker;
    size_t lookup_count;
    if (find_view_questions(b, req->body, NULL, &lookup_count) == 0) {
        list_offsets_answer(req, NULL);
        return;
    }
    struct list_offsets *l = br_arena_alloc(&req->arena, sizeof *l);
    struct view_lookup *lookups = br_arena_array(&req->arena, lookup_count, sizeof *lookups);
    if (!l || !lookups) {
        broker_request_close(req, "list offsets is over its memory budget");
        return;
    }
    *l = (struct list_offsets){.req = req, .watch.wake = stable_moved, .wait.expire = is_next_turn, .tail = order_local_tail(b->order).value, .lookups = lookups};
    find_view_questions(b, req->body, lookups, &l->count);
    req->state = l;
    req->cancel = list_offsets_cancel;
    stable_moved(&l->watch);
}
