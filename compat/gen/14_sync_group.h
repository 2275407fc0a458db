/* Made by kwgen.py from 14_sync_group.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_sync_group_request_assignment {
    struct br_str member_id;
    struct br_str assignment;
};
extern const struct kw_struct kw_sync_group_request_assignment;

struct kw_sync_group_request {
    struct br_str group_id;
    int32_t generation_id;
    struct br_str member_id;
    struct br_str group_instance_id; /* v3-5, null */
    struct br_str protocol_type; /* v5, null */
    struct br_str protocol_name; /* v5, null */
    struct kw_sync_group_request_assignment *assignments;
    int32_t assignments_count;
};
extern const struct kw_message kw_sync_group_request;

struct kw_sync_group_response {
    int32_t throttle_time_ms; /* v1-5 */
    int16_t error_code;
    struct br_str protocol_type; /* v5, null */
    struct br_str protocol_name; /* v5, null */
    struct br_str assignment;
};
extern const struct kw_message kw_sync_group_response;
