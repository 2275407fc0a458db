/* OffsetFetch, versions 1-10. 2 all topics (null) and a top-level error, 5 leader epochs, 6 flexible, 7 require_stable, 8 many groups, 9 member epochs, 10 topic ids.
 * Never committed: offset -1 without error; an error stands where this version has a field for it (FIELD: "unknown", "none" and "error" differ). */
#include "broker/data/target.h"
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/09_offset_fetch.h"

/* Both shapes of the request (one group until 7, many from 8) as one. */
struct want_topic {
    struct br_str name;
    struct br_uuid id;
    const int32_t *partitions;
    int32_t count;
};

static void no_offset(struct kw_offset_fetch_response_group_partition *out, int32_t index, enum kw_error error)
{
    *out = (struct kw_offset_fetch_response_group_partition){.partition_index = index, .committed_offset = -1, .committed_leader_epoch = -1,
                                                             .metadata = br_str("", 0), .error_code = (int16_t)error};
}

static void put_offset(struct kw_offset_fetch_response_group_partition *out, const struct group_offset *o)
{
    *out = (struct kw_offset_fetch_response_group_partition){.partition_index = o->partition, .committed_offset = o->offset,
        .committed_leader_epoch = o->leader_epoch, .metadata = br_str(o->metadata, o->metadata_len)};
}

static bool fetch_named(struct broker_request *req, const struct broker_group *group, const struct want_topic *want, enum kw_error error,
                        struct kw_offset_fetch_response_group_topic *out)
{
    struct br_str name = want->name;
    if (!br_uuid_is_zero(want->id)) {
        struct broker_topic *topic = broker_catalog_find_id(req->broker->catalog, want->id);
        error = error == KW_NONE && !topic ? KW_UNKNOWN_TOPIC_ID : error;
        name = br_str_c(topic ? topic->name : "");
    }
    out->name = name;
    out->topic_id = want->id;
    out->partitions_count = BR_MAX(want->count, 0);
    out->partitions = br_arena_array(&req->arena, (size_t)out->partitions_count, sizeof *out->partitions);
    if (!out->partitions)
        return false;
    for (int32_t i = 0; i < out->partitions_count; i++) {
        const struct group_offset *o = group && error == KW_NONE ? group_offsets_get(&group->offsets, name, want->partitions[i]) : NULL;
        if (o)
            put_offset(&out->partitions[i], o);
        else
            no_offset(&out->partitions[i], want->partitions[i], error);
    }
    return true;
}

static int by_topic(const void *a, const void *b)
{
    const struct group_offset *x = *(const struct group_offset *const *)a, *y = *(const struct group_offset *const *)b;
    int order = strcmp(x->topic, y->topic);
    return order ? order : (x->partition > y->partition) - (x->partition < y->partition);
}

/* Every committed offset of the group, by topic. */
static bool fetch_all(struct broker_request *req, const struct broker_group *group, struct kw_offset_fetch_response_group *out)
{
    size_t total = group ? group_offsets_count(&group->offsets) : 0, count = 0, at = 0;
    const struct group_offset **all = br_arena_array(&req->arena, total, sizeof *all);
    struct kw_offset_fetch_response_group_partition *parts = br_arena_array(&req->arena, total, sizeof *parts);
    out->topics = br_arena_array(&req->arena, total, sizeof *out->topics);
    out->topics_count = 0;
    if (!all || !parts || !out->topics)
        return false;
    for (const struct group_offset *o; group && (o = group_offsets_next(&group->offsets, &at));)
        all[count++] = o;
    qsort(all, count, sizeof *all, by_topic);
    struct kw_offset_fetch_response_group_topic *topic = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!topic || !br_str_eq_c(topic->name, all[i]->topic)) {
            struct broker_topic *known = broker_catalog_find(req->broker->catalog, br_str_c(all[i]->topic));
            topic = &out->topics[out->topics_count++];
            *topic = (struct kw_offset_fetch_response_group_topic){.name = br_str_c(all[i]->topic), .partitions = parts + i};
            if (known)
                topic->topic_id = known->id;
        }
        put_offset(&parts[i], all[i]);
        topic->partitions_count++;
    }
    return true;
}

static enum kw_error group_error(struct broker_request *req, struct br_str id)
{
    if (!broker_group_id_is_valid(id))
        return KW_INVALID_GROUP_ID;
    return broker_coordinator_is_ready(req->broker->groups) ? KW_NONE : KW_COORDINATOR_NOT_AVAILABLE;
}

/* One group's answer. wants NULL: all topics. False: over the memory budget. */
static bool fetch_group(struct broker_request *req, struct br_str id, const struct want_topic *wants, int32_t count,
                        struct kw_offset_fetch_response_group *out)
{
    *out = (struct kw_offset_fetch_response_group){.group_id = id};
    enum kw_error error = group_error(req, id);
    struct broker_group *group = error == KW_NONE ? broker_coordinator_group(req->broker->groups, id, false) : NULL;
    out->error_code = (int16_t)error;
    if (!wants)
        return fetch_all(req, group, out);
    out->topics = br_arena_array(&req->arena, (size_t)count, sizeof *out->topics);
    out->topics_count = count;
    if (!out->topics)
        return false;
    for (int32_t t = 0; t < count; t++)
        if (!fetch_named(req, group, &wants[t], error, &out->topics[t]))
            return false;
    return true;
}

/* Until version 7 the one group's answer lies at the top level. */
static bool flatten(struct broker_request *req, const struct kw_offset_fetch_response_group *group, struct kw_offset_fetch_response *response)
{
    response->error_code = group->error_code;
    response->topics_count = group->topics_count;
    response->topics = br_arena_array(&req->arena, (size_t)group->topics_count, sizeof *response->topics);
    if (!response->topics)
        return false;
    for (int32_t t = 0; t < group->topics_count; t++) {
        const struct kw_offset_fetch_response_group_topic *in = &group->topics[t];
        struct kw_offset_fetch_response_topic *out = &response->topics[t];
        out->name = in->name;
        out->partitions_count = in->partitions_count;
        out->partitions = br_arena_array(&req->arena, (size_t)in->partitions_count, sizeof *out->partitions);
        if (!out->partitions)
            return false;
        for (int32_t i = 0; i < in->partitions_count; i++)
            out->partitions[i] = (struct kw_offset_fetch_response_partition){
                .partition_index = in->partitions[i].partition_index, .committed_offset = in->partitions[i].committed_offset,
                .committed_leader_epoch = in->partitions[i].committed_leader_epoch, .metadata = in->partitions[i].metadata,
                .error_code = in->partitions[i].error_code};
    }
    return true;
}

static bool fetch_one_old(struct broker_request *req, const struct kw_offset_fetch_request *body, struct kw_offset_fetch_response *response)
{
    struct want_topic *wants = NULL;
    struct kw_offset_fetch_response_group group;
    if (body->topics_count >= 0 && !(wants = br_arena_array(&req->arena, (size_t)body->topics_count, sizeof *wants)))
        return false;
    for (int32_t t = 0; t < body->topics_count; t++)
        wants[t] = (struct want_topic){.name = body->topics[t].name, .partitions = body->topics[t].partition_indexes,
                                       .count = body->topics[t].partition_indexes_count};
    return fetch_group(req, body->group_id, wants, body->topics_count, &group) && flatten(req, &group, response);
}

static bool fetch_many(struct broker_request *req, const struct kw_offset_fetch_request *body, struct kw_offset_fetch_response *response)
{
    response->groups_count = BR_MAX(body->groups_count, 0);
    response->groups = br_arena_array(&req->arena, (size_t)response->groups_count, sizeof *response->groups);
    for (int32_t g = 0; response->groups && g < response->groups_count; g++) {
        const struct kw_offset_fetch_request_group *in = &body->groups[g];
        struct want_topic *wants = NULL;
        if (in->topics_count >= 0 && !(wants = br_arena_array(&req->arena, (size_t)in->topics_count, sizeof *wants)))
            return false;
        for (int32_t t = 0; t < in->topics_count; t++)
            wants[t] = (struct want_topic){.name = in->topics[t].name, .id = in->topics[t].topic_id, .partitions = in->topics[t].partition_indexes,
                                           .count = in->topics[t].partition_indexes_count};
        if (!fetch_group(req, in->group_id, wants, in->topics_count, &response->groups[g]))
            return false;
    }
    return response->groups != NULL;
}

void broker_handle_offset_fetch(struct broker_request *req)
{
    const struct kw_offset_fetch_request *body = req->body;
    struct kw_offset_fetch_response response;
    kw_default(&kw_offset_fetch_response, &response);
    bool fits = broker_request_version(req) >= 8 ? fetch_many(req, body, &response) : fetch_one_old(req, body, &response);
    if (fits)
        broker_reply(req, &response);
    else
        broker_request_close(req, "offset fetch names more partitions than fit its memory budget");
}
