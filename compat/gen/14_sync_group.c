/* Made by kwgen.py from 14_sync_group.kw: do not edit. */
#include "compat/gen/14_sync_group.h"
#include "compat/wire/table.h"

static const struct kw_field kw_sync_group_request_assignment_fields[] = {
    {"member_id", NULL, 0, offsetof(struct kw_sync_group_request_assignment, member_id), 0,
     0, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"assignment", NULL, 0, offsetof(struct kw_sync_group_request_assignment, assignment), 0,
     0, 5, KW_NEVER, -1, KW_T_BYTES, 0},
};
const struct kw_struct kw_sync_group_request_assignment = {"assignment", kw_sync_group_request_assignment_fields, sizeof(struct kw_sync_group_request_assignment), 2, 0};

static const struct kw_field kw_sync_group_request_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_sync_group_request, group_id), 0,
     0, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"generation_id", NULL, 0, offsetof(struct kw_sync_group_request, generation_id), 0,
     0, 5, KW_NEVER, -1, KW_T_INT32, 0},
    {"member_id", NULL, 0, offsetof(struct kw_sync_group_request, member_id), 0,
     0, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_sync_group_request, group_instance_id), 0,
     3, 5, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"protocol_type", NULL, 0, offsetof(struct kw_sync_group_request, protocol_type), 0,
     5, 5, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"protocol_name", NULL, 0, offsetof(struct kw_sync_group_request, protocol_name), 0,
     5, 5, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"assignments", &kw_sync_group_request_assignment, 0, offsetof(struct kw_sync_group_request, assignments), offsetof(struct kw_sync_group_request, assignments_count),
     0, 5, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_sync_group_request_root = {"SyncGroupRequest", kw_sync_group_request_fields, sizeof(struct kw_sync_group_request), 7, 0};

const struct kw_message kw_sync_group_request = {"SyncGroupRequest", 14, 0, 5, 4,
    &kw_sync_group_request_root};

static const struct kw_field kw_sync_group_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_sync_group_response, throttle_time_ms), 0,
     1, 5, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_sync_group_response, error_code), 0,
     0, 5, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"protocol_type", NULL, 0, offsetof(struct kw_sync_group_response, protocol_type), 0,
     5, 5, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"protocol_name", NULL, 0, offsetof(struct kw_sync_group_response, protocol_name), 0,
     5, 5, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"assignment", NULL, 0, offsetof(struct kw_sync_group_response, assignment), 0,
     0, 5, KW_NEVER, -1, KW_T_BYTES, 0},
};
static const struct kw_struct kw_sync_group_response_root = {"SyncGroupResponse", kw_sync_group_response_fields, sizeof(struct kw_sync_group_response), 5, 0};

const struct kw_message kw_sync_group_response = {"SyncGroupResponse", 14, 0, 5, 4,
    &kw_sync_group_response_root};
