/* Made by kwgen.py from 12_heartbeat.kw: do not edit. */
#include "compat/gen/12_heartbeat.h"
#include "compat/wire/table.h"

static const struct kw_field kw_heartbeat_request_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_heartbeat_request, group_id), 0,
     0, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"generation_id", NULL, 0, offsetof(struct kw_heartbeat_request, generation_id), 0,
     0, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"member_id", NULL, 0, offsetof(struct kw_heartbeat_request, member_id), 0,
     0, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_heartbeat_request, group_instance_id), 0,
     3, 4, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_heartbeat_request_root = {"HeartbeatRequest", kw_heartbeat_request_fields, sizeof(struct kw_heartbeat_request), 4, 0};

const struct kw_message kw_heartbeat_request = {"HeartbeatRequest", 12, 0, 4, 4,
    &kw_heartbeat_request_root};

static const struct kw_field kw_heartbeat_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_heartbeat_response, throttle_time_ms), 0,
     1, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_heartbeat_response, error_code), 0,
     0, 4, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
static const struct kw_struct kw_heartbeat_response_root = {"HeartbeatResponse", kw_heartbeat_response_fields, sizeof(struct kw_heartbeat_response), 2, 0};

const struct kw_message kw_heartbeat_response = {"HeartbeatResponse", 12, 0, 4, 4,
    &kw_heartbeat_response_root};
