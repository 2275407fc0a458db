/* Made by kwgen.py from 11_join_group.kw: do not edit. */
#include "compat/gen/11_join_group.h"
#include "compat/wire/table.h"

static const struct kw_field kw_join_group_request_protocol_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_join_group_request_protocol, name), 0,
     0, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"metadata", NULL, 0, offsetof(struct kw_join_group_request_protocol, metadata), 0,
     0, 9, KW_NEVER, -1, KW_T_BYTES, 0},
};
const struct kw_struct kw_join_group_request_protocol = {"protocol", kw_join_group_request_protocol_fields, sizeof(struct kw_join_group_request_protocol), 2, 0};

static const struct kw_field kw_join_group_request_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_join_group_request, group_id), 0,
     0, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"session_timeout_ms", NULL, 0, offsetof(struct kw_join_group_request, session_timeout_ms), 0,
     0, 9, KW_NEVER, -1, KW_T_INT32, 0},
    {"rebalance_timeout_ms", NULL, -1, offsetof(struct kw_join_group_request, rebalance_timeout_ms), 0,
     1, 9, KW_NEVER, -1, KW_T_INT32, 0},
    {"member_id", NULL, 0, offsetof(struct kw_join_group_request, member_id), 0,
     0, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_join_group_request, group_instance_id), 0,
     5, 9, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"protocol_type", NULL, 0, offsetof(struct kw_join_group_request, protocol_type), 0,
     0, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"protocols", &kw_join_group_request_protocol, 0, offsetof(struct kw_join_group_request, protocols), offsetof(struct kw_join_group_request, protocols_count),
     0, 9, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"reason", NULL, 0, offsetof(struct kw_join_group_request, reason), 0,
     8, 9, 8, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_join_group_request_root = {"JoinGroupRequest", kw_join_group_request_fields, sizeof(struct kw_join_group_request), 8, 0};

const struct kw_message kw_join_group_request = {"JoinGroupRequest", 11, 0, 9, 6,
    &kw_join_group_request_root};

static const struct kw_field kw_join_group_response_member_fields[] = {
    {"member_id", NULL, 0, offsetof(struct kw_join_group_response_member, member_id), 0,
     0, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_join_group_response_member, group_instance_id), 0,
     5, 9, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"metadata", NULL, 0, offsetof(struct kw_join_group_response_member, metadata), 0,
     0, 9, KW_NEVER, -1, KW_T_BYTES, 0},
};
const struct kw_struct kw_join_group_response_member = {"member", kw_join_group_response_member_fields, sizeof(struct kw_join_group_response_member), 3, 0};

static const struct kw_field kw_join_group_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_join_group_response, throttle_time_ms), 0,
     2, 9, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_join_group_response, error_code), 0,
     0, 9, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"generation_id", NULL, -1, offsetof(struct kw_join_group_response, generation_id), 0,
     0, 9, KW_NEVER, -1, KW_T_INT32, 0},
    {"protocol_type", NULL, 0, offsetof(struct kw_join_group_response, protocol_type), 0,
     7, 9, 7, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"protocol_name", NULL, 0, offsetof(struct kw_join_group_response, protocol_name), 0,
     0, 9, 7, -1, KW_T_STRING, 0},
    {"leader", NULL, 0, offsetof(struct kw_join_group_response, leader), 0,
     0, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"skip_assignment", NULL, 0, offsetof(struct kw_join_group_response, skip_assignment), 0,
     9, 9, KW_NEVER, -1, KW_T_BOOL, 0},
    {"member_id", NULL, 0, offsetof(struct kw_join_group_response, member_id), 0,
     0, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"members", &kw_join_group_response_member, 0, offsetof(struct kw_join_group_response, members), offsetof(struct kw_join_group_response, members_count),
     0, 9, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_join_group_response_root = {"JoinGroupResponse", kw_join_group_response_fields, sizeof(struct kw_join_group_response), 9, 0};

const struct kw_message kw_join_group_response = {"JoinGroupResponse", 11, 0, 9, 6,
    &kw_join_group_response_root};
