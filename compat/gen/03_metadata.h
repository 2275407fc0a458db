/* Made by kwgen.py from 03_metadata.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_metadata_request_topic {
    struct br_uuid topic_id; /* v10-13 */
    struct br_str name; /* null v10+ */
};
extern const struct kw_struct kw_metadata_request_topic;

struct kw_metadata_request {
    struct kw_metadata_request_topic *topics; /* null v1+ */
    int32_t topics_count;
    bool allow_auto_topic_creation; /* v4-13, default true */
    bool include_cluster_authorized_operations; /* v8-10 */
    bool include_topic_authorized_operations; /* v8-13 */
};
extern const struct kw_message kw_metadata_request;

struct kw_metadata_response_broker {
    int32_t node_id;
    struct br_str host;
    int32_t port;
    struct br_str rack; /* v1-13, null */
};
extern const struct kw_struct kw_metadata_response_broker;

struct kw_metadata_response_partition {
    int16_t error_code;
    int32_t partition_index;
    int32_t leader_id;
    int32_t leader_epoch; /* v7-13, default -1 */
    int32_t *replica_nodes;
    int32_t replica_nodes_count;
    int32_t *isr_nodes;
    int32_t isr_nodes_count;
    int32_t *offline_replicas; /* v5-13 */
    int32_t offline_replicas_count;
};
extern const struct kw_struct kw_metadata_response_partition;

struct kw_metadata_response_topic {
    int16_t error_code;
    struct br_str name; /* null v12+ */
    struct br_uuid topic_id; /* v10-13 */
    bool is_internal; /* v1-13 */
    struct kw_metadata_response_partition *partitions;
    int32_t partitions_count;
    int32_t topic_authorized_operations; /* v8-13, default -2147483648 */
};
extern const struct kw_struct kw_metadata_response_topic;

struct kw_metadata_response {
    int32_t throttle_time_ms; /* v3-13 */
    struct kw_metadata_response_broker *brokers;
    int32_t brokers_count;
    struct br_str cluster_id; /* v2-13, null */
    int32_t controller_id; /* v1-13, default -1 */
    struct kw_metadata_response_topic *topics;
    int32_t topics_count;
    int32_t cluster_authorized_operations; /* v8-10, default -2147483648 */
    int16_t error_code; /* v13 */
};
extern const struct kw_message kw_metadata_response;
