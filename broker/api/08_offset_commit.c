/* OffsetCommit, versions 2-10. 2-4 a retention time, 6 leader epochs, 7 static members, 8 flexible, 9 member epochs and GROUP_ID_NOT_FOUND, 10 topic ids.
 * Acknowledged when the record is done by the class of __consumer_offsets. */
#include "broker/data/target.h"
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/base/mem.h"
#include "compat/gen/08_offset_commit.h"

struct commit {
    struct broker_request *req; /* NULL: cancelled */
    struct kw_offset_commit_response *response;
};

static bool make_answer(struct broker_request *req, struct kw_offset_commit_response *response)
{
    const struct kw_offset_commit_request *body = req->body;
    kw_default(&kw_offset_commit_response, response);
    response->topics_count = BR_MAX(body->topics_count, 0);
    response->topics = br_arena_array(&req->arena, (size_t)response->topics_count, sizeof *response->topics);
    if (!response->topics)
        return false;
    for (int32_t t = 0; t < response->topics_count; t++) {
        const struct kw_offset_commit_request_topic *in = &body->topics[t];
        struct kw_offset_commit_response_topic *out = &response->topics[t];
        out->name = in->name;
        out->topic_id = in->topic_id;
        out->partitions_count = BR_MAX(in->partitions_count, 0);
        out->partitions = br_arena_array(&req->arena, (size_t)out->partitions_count, sizeof *out->partitions);
        if (!out->partitions)
            return false;
        for (int32_t i = 0; i < out->partitions_count; i++)
            out->partitions[i].partition_index = in->partitions[i].partition_index;
    }
    return true;
}

static void set_all(struct kw_offset_commit_response *response, enum kw_error error)
{
    for (int32_t t = 0; t < response->topics_count; t++)
        for (int32_t i = 0; i < response->topics[t].partitions_count; i++)
            if (response->topics[t].partitions[i].error_code == KW_NONE)
                response->topics[t].partitions[i].error_code = (int16_t)error;
}

static void commit_done(void *ctx, enum kw_error error)
{
    struct commit *commit = ctx;
    struct broker_request *req = commit->req;
    struct kw_offset_commit_response *response = commit->response;
    br_free(commit);
    if (!req)
        return;
    set_all(response, error);
    broker_reply(req, response);
}

static void cancel(struct broker_request *req)
{
    ((struct commit *)req->state)->req = NULL;
}

/* Fills items with what may be committed; errors go into the answer. */
static size_t collect(struct broker_request *req, struct kw_offset_commit_response *response, struct group_commit_item *items)
{
    const struct kw_offset_commit_request *body = req->body;
    size_t metadata_max = (size_t)broker_config_int(req->broker->config, "offset.metadata.max.bytes"), count = 0;
    int64_t keep_ms = body->retention_time_ms, expire_ms = keep_ms < 0 ? -1 : keep_ms > INT64_MAX - req->wall_ms ? INT64_MAX : req->wall_ms + keep_ms;
    for (int32_t t = 0; t < body->topics_count; t++) {
        for (int32_t i = 0; i < body->topics[t].partitions_count; i++) {
            const struct kw_offset_commit_request_partition *in = &body->topics[t].partitions[i];
            struct kw_offset_commit_response_partition *out = &response->topics[t].partitions[i];
            struct broker_target target = broker_target_find(req->broker, body->topics[t].name, body->topics[t].topic_id, in->partition_index);
            if (target.error != KW_NONE)
                out->error_code = (int16_t)target.error;
            else if (in->committed_metadata.len > metadata_max)
                out->error_code = KW_OFFSET_METADATA_TOO_LARGE;
            else
                items[count++] = (struct group_commit_item){.topic = br_str_c(target.topic->name), .partition = in->partition_index,
                    .offset = in->committed_offset, .leader_epoch = in->committed_leader_epoch, .metadata = in->committed_metadata, .expire_ms = expire_ms};
        }
    }
    return count;
}

static enum kw_error check_group(struct broker_request *req, struct broker_group **out)
{
    const struct kw_offset_commit_request *body = req->body;
    struct broker *b = req->broker;
    if (!broker_group_id_is_valid(body->group_id))
        return KW_INVALID_GROUP_ID;
    if (!broker_coordinator_is_ready(b->groups))
        return KW_COORDINATOR_NOT_AVAILABLE;
    struct broker_group *group = broker_coordinator_group(b->groups, body->group_id, false);
    if (!group && body->generation_id_or_member_epoch >= 0)
        return broker_request_version(req) >= 9 ? KW_GROUP_ID_NOT_FOUND : KW_ILLEGAL_GENERATION;
    if (!group)
        group = broker_coordinator_group(b->groups, body->group_id, true);
    if (!group)
        return KW_COORDINATOR_NOT_AVAILABLE;
    *out = group;
    struct group_effects none = {0};
    enum kw_error error = group_core_commit_check(&group->core, body->member_id, body->group_instance_id, body->generation_id_or_member_epoch, b->now_ms);
    broker_group_run(group, &none);
    return error;
}

void broker_handle_offset_commit(struct broker_request *req)
{
    struct kw_offset_commit_response *response = br_arena_alloc(&req->arena, sizeof *response);
    size_t total = 0;
    if (!response || !make_answer(req, response)) {
        broker_request_close(req, "offset commit names more partitions than fit its memory budget");
        return;
    }
    for (int32_t t = 0; t < response->topics_count; t++)
        total += (size_t)response->topics[t].partitions_count;
    struct group_commit_item *items = br_arena_array(&req->arena, total, sizeof *items);
    struct broker_group *group = NULL;
    enum kw_error error = check_group(req, &group);
    if (error != KW_NONE || !items) {
        set_all(response, error != KW_NONE ? error : KW_INVALID_REQUEST);
        broker_reply(req, response);
        return;
    }
    size_t count = collect(req, response, items);
    if (count == 0) {
        broker_reply(req, response);
        return;
    }
    struct commit *commit = br_alloc(sizeof *commit);
    *commit = (struct commit){.req = req, .response = response};
    req->state = commit;
    req->cancel = cancel;
    broker_coordinator_commit(req->broker->groups, group, items, count, commit_done, commit);
}
