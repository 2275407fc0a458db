/* LeaveGroup, versions 0-5. 3 many members with an error each (KIP-345), 4 flexible, 5 reason. */
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/13_leave_group.h"

static enum kw_error leave(struct broker_request *req, struct broker_group *group, struct br_str member_id, struct br_str instance_id)
{
    struct group_effects fx = {0};
    if (!group)
        return KW_UNKNOWN_MEMBER_ID;
    enum kw_error error = group_core_leave(&group->core, member_id, instance_id, req->broker->now_ms, &fx);
    broker_group_run(group, &fx);
    return error;
}

void broker_handle_leave_group(struct broker_request *req)
{
    const struct kw_leave_group_request *body = req->body;
    struct kw_leave_group_response response;
    kw_default(&kw_leave_group_response, &response);
    struct broker_group *group = broker_coordinator_group(req->broker->groups, body->group_id, false);
    if (body->group_id.len == 0) {
        response.error_code = KW_INVALID_GROUP_ID;
    } else if (broker_request_version(req) < 3) {
        response.error_code = (int16_t)leave(req, group, body->member_id, br_str(NULL, 0));
    } else {
        response.members_count = BR_MAX(body->members_count, 0);
        response.members = br_arena_array(&req->arena, (size_t)response.members_count, sizeof *response.members);
        if (!response.members) {
            broker_request_close(req, "leave group names more members than fit its memory budget");
            return;
        }
        for (int32_t i = 0; i < response.members_count; i++) {
            const struct kw_leave_group_request_member *m = &body->members[i];
            response.members[i] = (struct kw_leave_group_response_member){
                .member_id = m->member_id, .group_instance_id = m->group_instance_id,
                .error_code = (int16_t)leave(req, group, m->member_id, m->group_instance_id)};
        }
    }
    broker_reply(req, &response);
}
