/* Made by kwgen.py from 13_leave_group.kw: do not edit. */
#include "compat/gen/13_leave_group.h"
#include "compat/wire/table.h"

static const struct kw_field kw_leave_group_request_member_fields[] = {
    {"member_id", NULL, 0, offsetof(struct kw_leave_group_request_member, member_id), 0,
     3, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_leave_group_request_member, group_instance_id), 0,
     3, 5, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"reason", NULL, 0, offsetof(struct kw_leave_group_request_member, reason), 0,
     5, 5, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_leave_group_request_member = {"member", kw_leave_group_request_member_fields, sizeof(struct kw_leave_group_request_member), 3, 0};

static const struct kw_field kw_leave_group_request_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_leave_group_request, group_id), 0,
     0, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"member_id", NULL, 0, offsetof(struct kw_leave_group_request, member_id), 0,
     0, 2, KW_NEVER, -1, KW_T_STRING, 0},
    {"members", &kw_leave_group_request_member, 0, offsetof(struct kw_leave_group_request, members), offsetof(struct kw_leave_group_request, members_count),
     3, 5, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_leave_group_request_root = {"LeaveGroupRequest", kw_leave_group_request_fields, sizeof(struct kw_leave_group_request), 3, 0};

const struct kw_message kw_leave_group_request = {"LeaveGroupRequest", 13, 0, 5, 4,
    &kw_leave_group_request_root};

static const struct kw_field kw_leave_group_response_member_fields[] = {
    {"member_id", NULL, 0, offsetof(struct kw_leave_group_response_member, member_id), 0,
     3, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_leave_group_response_member, group_instance_id), 0,
     3, 5, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"error_code", NULL, 0, offsetof(struct kw_leave_group_response_member, error_code), 0,
     3, 5, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
const struct kw_struct kw_leave_group_response_member = {"member", kw_leave_group_response_member_fields, sizeof(struct kw_leave_group_response_member), 3, 0};

static const struct kw_field kw_leave_group_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_leave_group_response, throttle_time_ms), 0,
     1, 5, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_leave_group_response, error_code), 0,
     0, 5, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"members", &kw_leave_group_response_member, 0, offsetof(struct kw_leave_group_response, members), offsetof(struct kw_leave_group_response, members_count),
     3, 5, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_leave_group_response_root = {"LeaveGroupResponse", kw_leave_group_response_fields, sizeof(struct kw_leave_group_response), 3, 0};

const struct kw_message kw_leave_group_response = {"LeaveGroupResponse", 13, 0, 5, 4,
    &kw_leave_group_response_root};
