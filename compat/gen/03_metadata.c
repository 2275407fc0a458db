/* Made by kwgen.py from 03_metadata.kw: do not edit. */
#include "compat/gen/03_metadata.h"
#include "compat/wire/table.h"

static const struct kw_field kw_metadata_request_topic_fields[] = {
    {"topic_id", NULL, 0, offsetof(struct kw_metadata_request_topic, topic_id), 0,
     10, 13, KW_NEVER, -1, KW_T_UUID, 0},
    {"name", NULL, 0, offsetof(struct kw_metadata_request_topic, name), 0,
     0, 13, 10, -1, KW_T_STRING, 0},
};
const struct kw_struct kw_metadata_request_topic = {"topic", kw_metadata_request_topic_fields, sizeof(struct kw_metadata_request_topic), 2, 0};

static const struct kw_field kw_metadata_request_fields[] = {
    {"topics", &kw_metadata_request_topic, 0, offsetof(struct kw_metadata_request, topics), offsetof(struct kw_metadata_request, topics_count),
     0, 13, 1, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"allow_auto_topic_creation", NULL, 1, offsetof(struct kw_metadata_request, allow_auto_topic_creation), 0,
     4, 13, KW_NEVER, -1, KW_T_BOOL, 0},
    {"include_cluster_authorized_operations", NULL, 0, offsetof(struct kw_metadata_request, include_cluster_authorized_operations), 0,
     8, 10, KW_NEVER, -1, KW_T_BOOL, 0},
    {"include_topic_authorized_operations", NULL, 0, offsetof(struct kw_metadata_request, include_topic_authorized_operations), 0,
     8, 13, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_metadata_request_root = {"MetadataRequest", kw_metadata_request_fields, sizeof(struct kw_metadata_request), 4, 0};

const struct kw_message kw_metadata_request = {"MetadataRequest", 3, 0, 13, 9,
    &kw_metadata_request_root};

static const struct kw_field kw_metadata_response_broker_fields[] = {
    {"node_id", NULL, 0, offsetof(struct kw_metadata_response_broker, node_id), 0,
     0, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"host", NULL, 0, offsetof(struct kw_metadata_response_broker, host), 0,
     0, 13, KW_NEVER, -1, KW_T_STRING, 0},
    {"port", NULL, 0, offsetof(struct kw_metadata_response_broker, port), 0,
     0, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"rack", NULL, 0, offsetof(struct kw_metadata_response_broker, rack), 0,
     1, 13, 1, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_metadata_response_broker = {"broker", kw_metadata_response_broker_fields, sizeof(struct kw_metadata_response_broker), 4, 0};

static const struct kw_field kw_metadata_response_partition_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_metadata_response_partition, error_code), 0,
     0, 13, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"partition_index", NULL, 0, offsetof(struct kw_metadata_response_partition, partition_index), 0,
     0, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_id", NULL, 0, offsetof(struct kw_metadata_response_partition, leader_id), 0,
     0, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_epoch", NULL, -1, offsetof(struct kw_metadata_response_partition, leader_epoch), 0,
     7, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"replica_nodes", NULL, 0, offsetof(struct kw_metadata_response_partition, replica_nodes), offsetof(struct kw_metadata_response_partition, replica_nodes_count),
     0, 13, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
    {"isr_nodes", NULL, 0, offsetof(struct kw_metadata_response_partition, isr_nodes), offsetof(struct kw_metadata_response_partition, isr_nodes_count),
     0, 13, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
    {"offline_replicas", NULL, 0, offsetof(struct kw_metadata_response_partition, offline_replicas), offsetof(struct kw_metadata_response_partition, offline_replicas_count),
     5, 13, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_metadata_response_partition = {"partition", kw_metadata_response_partition_fields, sizeof(struct kw_metadata_response_partition), 7, 0};

static const struct kw_field kw_metadata_response_topic_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_metadata_response_topic, error_code), 0,
     0, 13, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"name", NULL, 0, offsetof(struct kw_metadata_response_topic, name), 0,
     0, 13, 12, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_metadata_response_topic, topic_id), 0,
     10, 13, KW_NEVER, -1, KW_T_UUID, 0},
    {"is_internal", NULL, 0, offsetof(struct kw_metadata_response_topic, is_internal), 0,
     1, 13, KW_NEVER, -1, KW_T_BOOL, 0},
    {"partitions", &kw_metadata_response_partition, 0, offsetof(struct kw_metadata_response_topic, partitions), offsetof(struct kw_metadata_response_topic, partitions_count),
     0, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"topic_authorized_operations", NULL, -2147483648, offsetof(struct kw_metadata_response_topic, topic_authorized_operations), 0,
     8, 13, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_metadata_response_topic = {"topic", kw_metadata_response_topic_fields, sizeof(struct kw_metadata_response_topic), 6, 0};

static const struct kw_field kw_metadata_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_metadata_response, throttle_time_ms), 0,
     3, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"brokers", &kw_metadata_response_broker, 0, offsetof(struct kw_metadata_response, brokers), offsetof(struct kw_metadata_response, brokers_count),
     0, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"cluster_id", NULL, 0, offsetof(struct kw_metadata_response, cluster_id), 0,
     2, 13, 2, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"controller_id", NULL, -1, offsetof(struct kw_metadata_response, controller_id), 0,
     1, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_metadata_response_topic, 0, offsetof(struct kw_metadata_response, topics), offsetof(struct kw_metadata_response, topics_count),
     0, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"cluster_authorized_operations", NULL, -2147483648, offsetof(struct kw_metadata_response, cluster_authorized_operations), 0,
     8, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_metadata_response, error_code), 0,
     13, 13, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
static const struct kw_struct kw_metadata_response_root = {"MetadataResponse", kw_metadata_response_fields, sizeof(struct kw_metadata_response), 7, 0};

const struct kw_message kw_metadata_response = {"MetadataResponse", 3, 0, 13, 9,
    &kw_metadata_response_root};
