/* Produce, versions 3-13 (0 is advertised, see dispatch.c).
 * 5 log_start_offset, 7 zstd, 8 record_errors and messages, 9 flexible, 10 leader hints, 12 TV2, 13 topic ids.
 *
 * Every check that can refuse comes before order_append; partitions fail one by one. The request is applied when all its batches have
 * offsets; it is answered when they are done (acks=-1), at the end of this turn (acks=1), or never (acks=0). What must outlive the
 * request (tickets cannot be withdrawn) is in struct produce, freed with the last of them. */
#include "broker/broker.h"
#include "broker/data/intake.h"
#include "broker/errmap.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/base/mem.h"
#include "compat/gen/00_produce.h"

#define PRODUCE_ARENA (16u << 20)

struct produce_part {
    struct produce *produce;
    struct order_ticket ticket;
    struct broker_watch watch;        /* a duplicate of a batch that is not done yet */
    struct broker_intake intake;
    int64_t wait_end;                 /* ... until the done end reaches this */
    bool is_waiting;
    struct kw_produce_response_partition *answer;
};

struct produce {
    struct broker_request *req;       /* NULL once it was answered or cancelled */
    struct broker_wait timeout;
    struct br_arena arena;            /* answer and parts */
    struct kw_produce_response response;
    struct produce_part *parts;
    size_t part_count, waiting, tickets;
    int16_t acks;
    bool has_error;
};

static void produce_release(struct produce *p)
{
    if (p->req || p->tickets > 0)
        return;
    for (size_t i = 0; i < p->part_count; i++) {
        broker_watch_remove(&p->parts[i].watch);
        broker_intake_clear(&p->parts[i].intake);
    }
    br_arena_clear(&p->arena);
    br_free(p);
}

static void produce_answer(struct produce *p)
{
    struct broker_request *req = p->req;
    p->req = NULL;
    broker_wait_stop(&req->broker->waits, &p->timeout);
    broker_reply(req, &p->response);
    produce_release(p);
}

static void part_finish(struct produce_part *part, enum kw_error error)
{
    struct produce *p = part->produce;
    if (!part->is_waiting)
        return;
    part->is_waiting = false;
    if (error != KW_NONE) {
        part->answer->error_code = error;
        part->answer->base_offset = -1;
        part->answer->log_append_time_ms = -1;
    }
    BR_ASSERT(p->waiting > 0);
    if (--p->waiting == 0 && p->req)
        produce_answer(p);
}

static void ticket_done(struct order_ticket *ticket, enum br_err err)
{
    struct produce_part *part = BR_CONTAINER_OF(ticket, struct produce_part, ticket);
    struct produce *p = part->produce;
    BR_ASSERT(p->tickets > 0);
    p->tickets--;
    if (p->req)
        part_finish(part, broker_errmap(err));
    else
        produce_release(p);
}

static void duplicate_wake(struct broker_watch *watch)
{
    struct produce_part *part = BR_CONTAINER_OF(watch, struct produce_part, watch);
    if (part->intake.partition->is_deleted)
        part_finish(part, KW_UNKNOWN_TOPIC_OR_PARTITION);
    else if (part->intake.partition->order->done_end >= part->wait_end)
        part_finish(part, KW_NONE);
    else if (store_failed(order_local_store(part->produce->req->broker->order)) != BR_OK)
        part_finish(part, KW_KAFKA_STORAGE_ERROR);
    else
        broker_watch_add(&part->intake.partition->watchers, watch);
}

static void produce_expired(struct broker_wait *wait)
{
    struct produce *p = BR_CONTAINER_OF(wait, struct produce, timeout);
    for (size_t i = 0; i < p->part_count; i++) {
        struct produce_part *part = &p->parts[i];
        if (!part->is_waiting)
            continue;
        part->is_waiting = false;
        broker_watch_remove(&part->watch);
        part->answer->error_code = KW_REQUEST_TIMED_OUT;
        part->answer->base_offset = -1;
    }
    p->waiting = 0;
    produce_answer(p);
}

static void produce_cancel(struct broker_request *req)
{
    struct produce *p = req->state;
    broker_wait_stop(&req->broker->waits, &p->timeout);
    for (size_t i = 0; i < p->part_count; i++)
        broker_watch_remove(&p->parts[i].watch);
    p->req = NULL;
    produce_release(p);
}

/* What the batch's producer fields allow: BR_OK, or the error; a duplicate fills the answer and may have to wait. */
static enum kw_error check_sequence(struct produce_part *part, const struct kw_batch *batch, bool *is_duplicate)
{
    struct broker_partition *partition = part->intake.partition;
    const struct store_log_state *log = store_log_state(partition->store->log);
    struct store_producer_batch first;
    if (batch->producer_id < 0)
        return KW_NONE;
    int32_t last_sequence = (int32_t)(((int64_t)batch->base_sequence + batch->last_offset_delta) & INT32_MAX);
    enum br_err err = store_producer_check(&partition->store->producers, batch->producer_id, batch->producer_epoch,
                                           batch->base_sequence, last_sequence, log->end == 0, &first);
    if (err != BR_DUPLICATE)
        return broker_errmap(err);
    *is_duplicate = true;
    part->answer->base_offset = first.base_offset;
    part->answer->log_append_time_ms = first.timestamp;
    part->wait_end = first.base_offset + batch->record_count;
    if (part->produce->acks == -1 && partition->order->done_end < part->wait_end) {
        part->is_waiting = true;
        part->produce->waiting++;
        broker_watch_add(&partition->watchers, &part->watch);
    }
    return KW_NONE;
}

/* One record error with its index (v8+), for verdicts that name a record. */
static void name_culprit(struct produce *p, struct kw_produce_response_partition *answer, const struct kw_batch_verdict *verdict)
{
    answer->error_message = br_str_c(verdict->message);
    struct kw_produce_response_record_error *error = verdict->record_index < 0 ? NULL : br_arena_alloc(&p->arena, sizeof *error);
    if (!error)
        return;
    error->batch_index = verdict->record_index;
    error->batch_index_error_message = answer->error_message;
    answer->record_errors = error;
    answer->record_errors_count = 1;
}

static enum kw_error append_batch(struct produce_part *part)
{
    struct produce *p = part->produce;
    struct broker_request *req = p->req;
    struct broker_intake *in = &part->intake;
    bool is_duplicate = false;
    enum kw_error error = check_sequence(part, &in->verdict.batch, &is_duplicate);
    if (error != KW_NONE || is_duplicate)
        return error;
    error = broker_intake_recompress(in);
    if (error != KW_NONE)
        return error;
    struct order_append append = broker_intake_append(in);
    /* A recompressed batch must outlive the turn, since the journal borrows it: then acks=0 and 1 keep a ticket too. */
    bool has_ticket = p->acks == -1 || in->recompressed.len > 0;
    part->ticket.done = has_ticket ? ticket_done : NULL;
    enum br_err err = order_append(req->broker->order, in->partition->order, &append, &part->ticket, req->wall_ms);
    if (err != BR_OK)
        return broker_errmap(err);
    part->answer->base_offset = part->ticket.base_offset;
    part->answer->log_append_time_ms = append.set_append_time ? append.append_time : -1;
    p->tickets += has_ticket;
    if (p->acks == -1) {
        part->is_waiting = true;
        p->waiting++;
    }
    return KW_NONE;
}

static enum kw_error produce_partition(struct produce_part *part, const struct kw_produce_request *body, struct br_str topic_name,
                                       struct br_uuid topic_id, const struct kw_produce_request_partition *in)
{
    struct produce *p = part->produce;
    struct broker_request *req = p->req;
    struct broker_target target = broker_target_find(req->broker, topic_name, topic_id, in->index);
    if (body->acks < -1 || body->acks > 1)
        return KW_INVALID_REQUIRED_ACKS;
    enum kw_error error = broker_intake_target(&part->intake, req, &target, body->acks == -1);
    if (part->intake.partition)
        part->answer->log_start_offset = broker_partition_start(part->intake.partition);
    if (error != KW_NONE) {
        if (part->intake.message)
            part->answer->error_message = br_str_c(part->intake.message);
        return error;
    }
    error = broker_intake_prove(&part->intake, req, broker_request_version(req), in->records.data, in->records.len);
    if (part->intake.verdict.error != KW_NONE)
        name_culprit(p, part->answer, &part->intake.verdict);
    return error == KW_NONE ? append_batch(part) : error;
}

/* The answer's tree with room for every partition; names copied, since the frame goes early. False: over the arena's budget. */
static bool make_answer(struct produce *p, const struct kw_produce_request *body)
{
    size_t count = 0;
    for (int32_t t = 0; t < body->topics_count; t++)
        count += (size_t)BR_MAX(body->topics[t].partitions_count, 0);
    kw_default(&kw_produce_response, &p->response);
    p->parts = br_arena_array(&p->arena, count, sizeof *p->parts);
    p->response.topics = br_arena_array(&p->arena, (size_t)BR_MAX(body->topics_count, 0), sizeof *p->response.topics);
    p->response.topics_count = BR_MAX(body->topics_count, 0);
    if (!p->parts || !p->response.topics)
        return false;
    for (int32_t t = 0; t < body->topics_count; t++) {
        const struct kw_produce_request_topic *in = &body->topics[t];
        struct kw_produce_response_topic *out = &p->response.topics[t];
        out->name = br_str(br_arena_strndup(&p->arena, in->name.data ? in->name.data : "", in->name.len), in->name.len);
        out->topic_id = in->topic_id;
        out->partitions_count = BR_MAX(in->partitions_count, 0);
        out->partitions = br_arena_array(&p->arena, (size_t)out->partitions_count, sizeof *out->partitions);
        if (!out->name.data || !out->partitions)
            return false;
    }
    p->part_count = count;
    return true;
}

static void produce_all(struct produce *p, const struct kw_produce_request *body)
{
    size_t next = 0;
    for (int32_t t = 0; t < body->topics_count; t++) {
        for (int32_t i = 0; i < body->topics[t].partitions_count; i++) {
            const struct kw_produce_request_partition *in = &body->topics[t].partitions[i];
            struct produce_part *part = &p->parts[next++];
            part->produce = p;
            part->watch.wake = duplicate_wake;
            part->answer = &p->response.topics[t].partitions[i];
            *part->answer = (struct kw_produce_response_partition){
                .index = in->index, .base_offset = -1, .log_append_time_ms = -1, .log_start_offset = -1,
                .current_leader = {.leader_id = -1, .leader_epoch = -1},
            };
            enum kw_error error = produce_partition(part, body, body->topics[t].name, body->topics[t].topic_id, in);
            part->answer->error_code = error;
            if (error != KW_NONE) {
                p->has_error = true;
                part->answer->base_offset = -1;
            }
        }
    }
    BR_ASSERT(next == p->part_count);
}

void broker_handle_produce(struct broker_request *req)
{
    const struct kw_produce_request *body = req->body;
    struct produce *p = br_alloc(sizeof *p);
    p->req = req;
    p->acks = body->acks;
    p->timeout.expire = produce_expired;
    br_arena_init(&p->arena, PRODUCE_ARENA);
    if (!make_answer(p, body)) {
        p->req = NULL;
        produce_release(p);
        broker_request_close(req, "produce request names more partitions than fit its memory budget");
        return;
    }
    req->state = p;
    req->cancel = produce_cancel;
    produce_all(p, body);
    if (p->acks == 0) { /* no bytes ever come back; an error can only be shown by closing */
        bool has_error = p->has_error;
        p->req = NULL;
        if (has_error)
            broker_request_close(req, "produce with acks=0 failed");
        else
            broker_reply_nothing(req);
        produce_release(p);
        return;
    }
    if (p->waiting == 0) {
        produce_answer(p);
        return;
    }
    broker_wait_start(&req->broker->waits, &p->timeout, req->now_ms + BR_MAX(body->timeout_ms, 0));
    broker_request_applied(req);
    broker_request_drop_frame(req);
}
