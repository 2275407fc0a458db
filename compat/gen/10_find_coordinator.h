/* Made by kwgen.py from 10_find_coordinator.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_find_coordinator_request {
    struct br_str key; /* v0-3 */
    int8_t key_type; /* v1-6 */
    struct br_str *coordinator_keys; /* v4-6 */
    int32_t coordinator_keys_count;
};
extern const struct kw_message kw_find_coordinator_request;

struct kw_find_coordinator_response_coordinator {
    struct br_str key; /* v4-6 */
    int32_t node_id; /* v4-6 */
    struct br_str host; /* v4-6 */
    int32_t port; /* v4-6 */
    int16_t error_code; /* v4-6 */
    struct br_str error_message; /* v4-6, null */
};
extern const struct kw_struct kw_find_coordinator_response_coordinator;

struct kw_find_coordinator_response {
    int32_t throttle_time_ms; /* v1-6 */
    int16_t error_code; /* v0-3 */
    struct br_str error_message; /* v1-3, null */
    int32_t node_id; /* v0-3 */
    struct br_str host; /* v0-3 */
    int32_t port; /* v0-3 */
    struct kw_find_coordinator_response_coordinator *coordinators; /* v4-6 */
    int32_t coordinators_count;
};
extern const struct kw_message kw_find_coordinator_response;
