/* SyncGroup, versions 0-5. 3 static members, 4 flexible, 5 protocol type and name. Held until the leader's assignment is durable. */
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/14_sync_group.h"

static void answer(struct broker_request *req, enum kw_error error, const struct group_core *g, struct br_str assignment)
{
    struct kw_sync_group_response response;
    kw_default(&kw_sync_group_response, &response);
    response.error_code = (int16_t)error;
    response.assignment = assignment;
    if (g) {
        response.protocol_type = br_str_c(g->protocol_type);
        response.protocol_name = br_str_c(g->protocol);
    }
    broker_reply(req, &response);
}

void broker_sync_group_answer(void *token, struct broker_group *group, const struct group_effect *effect)
{
    struct broker_request *req = token;
    req->cancel = NULL;
    if (effect->error == KW_NONE && effect->member)
        answer(req, KW_NONE, &group->core, effect->member->assignment);
    else
        answer(req, effect->error != KW_NONE ? effect->error : KW_UNKNOWN_MEMBER_ID, NULL, br_str("", 0));
}

static void cancel(struct broker_request *req)
{
    struct broker_group *group = req->state;
    group_core_forget_token(&group->core, req, req->broker->now_ms);
}

void broker_handle_sync_group(struct broker_request *req)
{
    const struct kw_sync_group_request *body = req->body;
    struct broker_group *group = body->group_id.len ? broker_coordinator_group(req->broker->groups, body->group_id, false) : NULL;
    if (!group) {
        answer(req, body->group_id.len ? KW_UNKNOWN_MEMBER_ID : KW_INVALID_GROUP_ID, NULL, br_str("", 0));
        return;
    }
    unsigned count = (unsigned)BR_MAX(body->assignments_count, 0);
    struct group_assignment_in *assignments = br_arena_array(&req->arena, count, sizeof *assignments);
    if (!assignments) {
        broker_request_close(req, "sync group names more members than fit its memory budget");
        return;
    }
    for (unsigned i = 0; i < count; i++)
        assignments[i] = (struct group_assignment_in){body->assignments[i].member_id, body->assignments[i].assignment};
    struct group_effects fx = {0};
    req->state = group;
    req->cancel = cancel;
    enum kw_error error = group_core_sync(&group->core, body->member_id, body->group_instance_id, body->generation_id, body->protocol_type, body->protocol_name,
                                          assignments, count, req, req->broker->now_ms, &fx);
    if (error != KW_NONE) {
        req->cancel = NULL;
        answer(req, error, NULL, br_str("", 0));
    }
    broker_group_run(group, &fx);
}
