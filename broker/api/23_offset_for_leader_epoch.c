/* OffsetForLeaderEpoch, versions 2-4 (KIP-320). 3 replica id, 4 flexible.
 * Answers the largest epoch at or below the one asked and where it ends; -1/-1 without error when there is none. */
#include "broker/broker.h"
#include "broker/data/target.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/view/order_view.h"
#include "compat/gen/23_offset_for_leader_epoch.h"

static enum kw_error epoch_one(struct broker *b, struct br_str topic, const struct kw_offset_for_leader_epoch_request_partition *in,
                               struct kw_offset_for_leader_epoch_response_partition *out)
{
    struct broker_target target = broker_target_find(b, topic, (struct br_uuid){{0}}, in->partition);
    if (target.error == KW_NONE)
        target.error = broker_target_epoch_check(&target, in->current_leader_epoch);
    if (target.error != KW_NONE)
        return target.error;
    if (target.partition) {
        store_log_epoch_end(target.partition->store->log, in->leader_epoch, &out->leader_epoch, &out->end_offset);
    } else if (in->leader_epoch >= 0) { /* the view's one epoch */
        out->leader_epoch = 0;
        out->end_offset = (int64_t)broker_order_view_end(target.topic->view);
    }
    return KW_NONE;
}

void broker_handle_offset_for_leader_epoch(struct broker_request *req)
{
    const struct kw_offset_for_leader_epoch_request *body = req->body;
    struct kw_offset_for_leader_epoch_response response;
    kw_default(&kw_offset_for_leader_epoch_response, &response);
    response.topics_count = BR_MAX(body->topics_count, 0);
    response.topics = br_arena_array(&req->arena, (size_t)response.topics_count, sizeof *response.topics);
    for (int32_t t = 0; response.topics && t < response.topics_count; t++) {
        const struct kw_offset_for_leader_epoch_request_topic *in = &body->topics[t];
        struct kw_offset_for_leader_epoch_response_topic *out = &response.topics[t];
        out->topic = in->topic;
        out->partitions_count = BR_MAX(in->partitions_count, 0);
        out->partitions = br_arena_array(&req->arena, (size_t)out->partitions_count, sizeof *out->partitions);
        for (int32_t i = 0; out->partitions && i < out->partitions_count; i++) {
            struct kw_offset_for_leader_epoch_response_partition *part = &out->partitions[i];
            *part = (struct kw_offset_for_leader_epoch_response_partition){.partition = in->partitions[i].partition, .leader_epoch = -1,
                                                                           .end_offset = -1};
            part->error_code = epoch_one(req->broker, in->topic, &in->partitions[i], part);
        }
        if (!out->partitions)
            response.topics = NULL;
    }
    if (response.topics)
        broker_reply(req, &response);
    else
        broker_request_close(req, "offset for leader epoch names more partitions than fit its memory budget");
}
