/* Made by kwgen.py from 13_leave_group.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_leave_group_request_member {
    struct br_str member_id; /* v3-5 */
    struct br_str group_instance_id; /* v3-5, null */
    struct br_str reason; /* v5, null */
};
extern const struct kw_struct kw_leave_group_request_member;

struct kw_leave_group_request {
    struct br_str group_id;
    struct br_str member_id; /* v0-2 */
    struct kw_leave_group_request_member *members; /* v3-5 */
    int32_t members_count;
};
extern const struct kw_message kw_leave_group_request;

struct kw_leave_group_response_member {
    struct br_str member_id; /* v3-5 */
    struct br_str group_instance_id; /* v3-5, null */
    int16_t error_code; /* v3-5 */
};
extern const struct kw_struct kw_leave_group_response_member;

struct kw_leave_group_response {
    int32_t throttle_time_ms; /* v1-5 */
    int16_t error_code;
    struct kw_leave_group_response_member *members; /* v3-5 */
    int32_t members_count;
};
extern const struct kw_message kw_leave_group_response;
