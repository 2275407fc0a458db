/* Made by kwgen.py from 46_list_partition_reassignments.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_list_partition_reassignments_request_topic {
    struct br_str name;
    int32_t *partition_indexes;
    int32_t partition_indexes_count;
};
extern const struct kw_struct kw_list_partition_reassignments_request_topic;

struct kw_list_partition_reassignments_request {
    int32_t timeout_ms; /* default 60000 */
    struct kw_list_partition_reassignments_request_topic *topics; /* null */
    int32_t topics_count;
};
extern const struct kw_message kw_list_partition_reassignments_request;

struct kw_list_partition_reassignments_response_partition {
    int32_t partition_index;
    int32_t *replicas;
    int32_t replicas_count;
    int32_t *adding_replicas;
    int32_t adding_replicas_count;
    int32_t *removing_replicas;
    int32_t removing_replicas_count;
};
extern const struct kw_struct kw_list_partition_reassignments_response_partition;

struct kw_list_partition_reassignments_response_topic {
    struct br_str name;
    struct kw_list_partition_reassignments_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_list_partition_reassignments_response_topic;

struct kw_list_partition_reassignments_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    struct kw_list_partition_reassignments_response_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_list_partition_reassignments_response;
