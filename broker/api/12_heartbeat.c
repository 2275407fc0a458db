/* Heartbeat, versions 0-4. 3 static members, 4 flexible. */
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/12_heartbeat.h"

void broker_handle_heartbeat(struct broker_request *req)
{
    const struct kw_heartbeat_request *body = req->body;
    struct kw_heartbeat_response response;
    kw_default(&kw_heartbeat_response, &response);
    struct broker_group *group = body->group_id.len ? broker_coordinator_group(req->broker->groups, body->group_id, false) : NULL;
    enum kw_error error = body->group_id.len == 0 ? KW_INVALID_GROUP_ID : KW_UNKNOWN_MEMBER_ID;
    if (group) {
        struct group_effects none = {0};
        error = group_core_heartbeat(&group->core, body->member_id, body->group_instance_id, body->generation_id, req->broker->now_ms);
        broker_group_run(group, &none); /* a session was renewed: the timer moves */
    }
    response.error_code = (int16_t)error;
    broker_reply(req, &response);
}
