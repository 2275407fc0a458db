/* Made by kwgen.py from 75_describe_topic_partitions.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_describe_topic_partitions_request_topic {
    struct br_str name;
};
extern const struct kw_struct kw_describe_topic_partitions_request_topic;

struct kw_describe_topic_partitions_request_cursor {
    struct br_str topic_name;
    int32_t partition_index;
};
extern const struct kw_struct kw_describe_topic_partitions_request_cursor;

struct kw_describe_topic_partitions_request {
    struct kw_describe_topic_partitions_request_topic *topics;
    int32_t topics_count;
    int32_t response_partition_limit; /* default 2000 */
    struct kw_describe_topic_partitions_request_cursor *cursor; /* null */
};
extern const struct kw_message kw_describe_topic_partitions_request;

struct kw_describe_topic_partitions_response_partition {
    int16_t error_code;
    int32_t partition_index;
    int32_t leader_id;
    int32_t leader_epoch; /* default -1 */
    int32_t *replica_nodes;
    int32_t replica_nodes_count;
    int32_t *isr_nodes;
    int32_t isr_nodes_count;
    int32_t *eligible_leader_replicas; /* null */
    int32_t eligible_leader_replicas_count;
    int32_t *last_known_elr; /* null */
    int32_t last_known_elr_count;
    int32_t *offline_replicas;
    int32_t offline_replicas_count;
};
extern const struct kw_struct kw_describe_topic_partitions_response_partition;

struct kw_describe_topic_partitions_response_topic {
    int16_t error_code;
    struct br_str name; /* null */
    struct br_uuid topic_id;
    bool is_internal;
    struct kw_describe_topic_partitions_response_partition *partitions;
    int32_t partitions_count;
    int32_t topic_authorized_operations; /* default -2147483648 */
};
extern const struct kw_struct kw_describe_topic_partitions_response_topic;

struct kw_describe_topic_partitions_response_cursor {
    struct br_str topic_name;
    int32_t partition_index;
};
extern const struct kw_struct kw_describe_topic_partitions_response_cursor;

struct kw_describe_topic_partitions_response {
    int32_t throttle_time_ms;
    struct kw_describe_topic_partitions_response_topic *topics;
    int32_t topics_count;
    struct kw_describe_topic_partitions_response_cursor *next_cursor; /* null */
};
extern const struct kw_message kw_describe_topic_partitions_response;
