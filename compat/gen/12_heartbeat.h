/* Made by kwgen.py from 12_heartbeat.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_heartbeat_request {
    struct br_str group_id;
    int32_t generation_id;
    struct br_str member_id;
    struct br_str group_instance_id; /* v3-4, null */
};
extern const struct kw_message kw_heartbeat_request;

struct kw_heartbeat_response {
    int32_t throttle_time_ms; /* v1-4 */
    int16_t error_code;
};
extern const struct kw_message kw_heartbeat_response;
