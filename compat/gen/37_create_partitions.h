/* Made by kwgen.py from 37_create_partitions.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_create_partitions_request_assignment {
    int32_t *broker_ids;
    int32_t broker_ids_count;
};
extern const struct kw_struct kw_create_partitions_request_assignment;

struct kw_create_partitions_request_topic {
    struct br_str name;
    int32_t count;
    struct kw_create_partitions_request_assignment *assignments; /* null */
    int32_t assignments_count;
};
extern const struct kw_struct kw_create_partitions_request_topic;

struct kw_create_partitions_request {
    struct kw_create_partitions_request_topic *topics;
    int32_t topics_count;
    int32_t timeout_ms;
    bool validate_only;
};
extern const struct kw_message kw_create_partitions_request;

struct kw_create_partitions_response_result {
    struct br_str name;
    int16_t error_code;
    struct br_str error_message; /* null */
};
extern const struct kw_struct kw_create_partitions_response_result;

struct kw_create_partitions_response {
    int32_t throttle_time_ms;
    struct kw_create_partitions_response_result *results;
    int32_t results_count;
};
extern const struct kw_message kw_create_partitions_response;
