/* Made by kwgen.py from 11_join_group.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_join_group_request_protocol {
    struct br_str name;
    struct br_str metadata;
};
extern const struct kw_struct kw_join_group_request_protocol;

struct kw_join_group_request {
    struct br_str group_id;
    int32_t session_timeout_ms;
    int32_t rebalance_timeout_ms; /* v1-9, default -1 */
    struct br_str member_id;
    struct br_str group_instance_id; /* v5-9, null */
    struct br_str protocol_type;
    struct kw_join_group_request_protocol *protocols;
    int32_t protocols_count;
    struct br_str reason; /* v8-9, null */
};
extern const struct kw_message kw_join_group_request;

struct kw_join_group_response_member {
    struct br_str member_id;
    struct br_str group_instance_id; /* v5-9, null */
    struct br_str metadata;
};
extern const struct kw_struct kw_join_group_response_member;

struct kw_join_group_response {
    int32_t throttle_time_ms; /* v2-9 */
    int16_t error_code;
    int32_t generation_id; /* default -1 */
    struct br_str protocol_type; /* v7-9, null */
    struct br_str protocol_name; /* null v7+ */
    struct br_str leader;
    bool skip_assignment; /* v9 */
    struct br_str member_id;
    struct kw_join_group_response_member *members;
    int32_t members_count;
};
extern const struct kw_message kw_join_group_response;
