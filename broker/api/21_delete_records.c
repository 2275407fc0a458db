/* DeleteRecords, versions 0-2. 2 flexible. Answered when the new start is durable. */
#include "broker/broker.h"
#include "broker/data/target.h"
#include "broker/errmap.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/base/mem.h"
#include "compat/gen/21_delete_records.h"

struct deletion {
    struct broker_request *req; /* NULL: cancelled */
    struct kw_delete_records_response *response;
    unsigned waiting;
};

/* One partition's trim. */
struct piece {
    struct deletion *all;
    struct kw_delete_records_response_partition *out;
    int64_t start;
};

static void finish(struct deletion *all)
{
    if (--all->waiting > 0)
        return;
    struct broker_request *req = all->req;
    struct kw_delete_records_response *response = all->response;
    br_free(all);
    if (req)
        broker_reply(req, response);
}

static void trimmed(void *ctx, enum br_err err)
{
    struct piece *piece = ctx;
    struct deletion *all = piece->all;
    if (all->req) {
        piece->out->error_code = (int16_t)broker_errmap(err);
        piece->out->low_watermark = err == BR_OK ? piece->start : -1;
    }
    br_free(piece);
    finish(all);
}

static void cancel(struct broker_request *req)
{
    ((struct deletion *)req->state)->req = NULL;
}

static enum kw_error delete_one(struct deletion *all, struct br_str topic, const struct kw_delete_records_request_partition *in,
                                struct kw_delete_records_response_partition *out)
{
    struct broker *b = all->req->broker;
    struct broker_target target = broker_target_find(b, topic, (struct br_uuid){{0}}, in->partition_index);
    if (target.error != KW_NONE)
        return target.error;
    if (target.topic->is_internal)
        return KW_INVALID_TOPIC_EXCEPTION;
    if (target.topic->view || !target.topic->settings.can_delete) /* a view's records are its members' */
        return KW_POLICY_VIOLATION;
    int64_t end = broker_partition_high_watermark(target.partition), start = broker_partition_start(target.partition);
    int64_t to = in->offset == -1 ? end : in->offset;
    if (to < 0 || to > end)
        return KW_OFFSET_OUT_OF_RANGE;
    if (to <= start) {
        out->low_watermark = start;
        return KW_NONE;
    }
    struct piece *piece = br_alloc(sizeof *piece);
    *piece = (struct piece){.all = all, .out = out, .start = to};
    all->waiting++;
    enum br_err err = order_local_trim(b->order, target.partition->order, to, trimmed, piece);
    if (err != BR_OK) {
        all->waiting--;
        br_free(piece);
    }
    return broker_errmap(err);
}

void broker_handle_delete_records(struct broker_request *req)
{
    const struct kw_delete_records_request *body = req->body;
    struct kw_delete_records_response *response = br_arena_alloc(&req->arena, sizeof *response);
    bool fits = response != NULL;
    if (fits) {
        kw_default(&kw_delete_records_response, response);
        response->topics_count = BR_MAX(body->topics_count, 0);
        response->topics = br_arena_array(&req->arena, (size_t)response->topics_count, sizeof *response->topics);
        fits = response->topics != NULL;
    }
    for (int32_t t = 0; fits && t < response->topics_count; t++) {
        struct kw_delete_records_response_topic *out = &response->topics[t];
        out->name = body->topics[t].name;
        out->partitions_count = BR_MAX(body->topics[t].partitions_count, 0);
        out->partitions = br_arena_array(&req->arena, (size_t)out->partitions_count, sizeof *out->partitions);
        fits = out->partitions != NULL;
    }
    if (!fits) {
        broker_request_close(req, "delete records names more partitions than fit its memory budget");
        return;
    }
    struct deletion *all = br_alloc(sizeof *all);
    *all = (struct deletion){.req = req, .response = response, .waiting = 1};
    req->state = all;
    req->cancel = cancel;
    for (int32_t t = 0; t < response->topics_count; t++) {
        for (int32_t i = 0; i < response->topics[t].partitions_count; i++) {
            struct kw_delete_records_response_partition *out = &response->topics[t].partitions[i];
            out->partition_index = body->topics[t].partitions[i].partition_index;
            out->low_watermark = -1;
            out->error_code = (int16_t)delete_one(all, body->topics[t].name, &body->topics[t].partitions[i], out);
        }
    }
    finish(all);
}
