/* Made by kwgen.py from 75_describe_topic_partitions.kw: do not edit. */
#include "compat/gen/75_describe_topic_partitions.h"
#include "compat/wire/table.h"

static const struct kw_field kw_describe_topic_partitions_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_describe_topic_partitions_request_topic, name), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
};
const struct kw_struct kw_describe_topic_partitions_request_topic = {"topic", kw_describe_topic_partitions_request_topic_fields, sizeof(struct kw_describe_topic_partitions_request_topic), 1, 0};

static const struct kw_field kw_describe_topic_partitions_request_cursor_fields[] = {
    {"topic_name", NULL, 0, offsetof(struct kw_describe_topic_partitions_request_cursor, topic_name), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition_index", NULL, 0, offsetof(struct kw_describe_topic_partitions_request_cursor, partition_index), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_describe_topic_partitions_request_cursor = {"cursor", kw_describe_topic_partitions_request_cursor_fields, sizeof(struct kw_describe_topic_partitions_request_cursor), 2, 0};

static const struct kw_field kw_describe_topic_partitions_request_fields[] = {
    {"topics", &kw_describe_topic_partitions_request_topic, 0, offsetof(struct kw_describe_topic_partitions_request, topics), offsetof(struct kw_describe_topic_partitions_request, topics_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"response_partition_limit", NULL, 2000, offsetof(struct kw_describe_topic_partitions_request, response_partition_limit), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"cursor", &kw_describe_topic_partitions_request_cursor, 0, offsetof(struct kw_describe_topic_partitions_request, cursor), 0,
     0, 0, 0, -1, KW_T_STRUCT, KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_describe_topic_partitions_request_root = {"DescribeTopicPartitionsRequest", kw_describe_topic_partitions_request_fields, sizeof(struct kw_describe_topic_partitions_request), 3, 0};

const struct kw_message kw_describe_topic_partitions_request = {"DescribeTopicPartitionsRequest", 75, 0, 0, 0,
    &kw_describe_topic_partitions_request_root};

static const struct kw_field kw_describe_topic_partitions_response_partition_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"partition_index", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, partition_index), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_id", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, leader_id), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_epoch", NULL, -1, offsetof(struct kw_describe_topic_partitions_response_partition, leader_epoch), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"replica_nodes", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, replica_nodes), offsetof(struct kw_describe_topic_partitions_response_partition, replica_nodes_count),
     0, 0, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
    {"isr_nodes", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, isr_nodes), offsetof(struct kw_describe_topic_partitions_response_partition, isr_nodes_count),
     0, 0, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
    {"eligible_leader_replicas", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, eligible_leader_replicas), offsetof(struct kw_describe_topic_partitions_response_partition, eligible_leader_replicas_count),
     0, 0, 0, -1, KW_T_INT32, KW_F_ARRAY | KW_F_DEFAULT_NULL},
    {"last_known_elr", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, last_known_elr), offsetof(struct kw_describe_topic_partitions_response_partition, last_known_elr_count),
     0, 0, 0, -1, KW_T_INT32, KW_F_ARRAY | KW_F_DEFAULT_NULL},
    {"offline_replicas", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_partition, offline_replicas), offsetof(struct kw_describe_topic_partitions_response_partition, offline_replicas_count),
     0, 0, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_describe_topic_partitions_response_partition = {"partition", kw_describe_topic_partitions_response_partition_fields, sizeof(struct kw_describe_topic_partitions_response_partition), 9, 0};

static const struct kw_field kw_describe_topic_partitions_response_topic_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_topic, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"name", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_topic, name), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"topic_id", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_topic, topic_id), 0,
     0, 0, KW_NEVER, -1, KW_T_UUID, 0},
    {"is_internal", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_topic, is_internal), 0,
     0, 0, KW_NEVER, -1, KW_T_BOOL, 0},
    {"partitions", &kw_describe_topic_partitions_response_partition, 0, offsetof(struct kw_describe_topic_partitions_response_topic, partitions), offsetof(struct kw_describe_topic_partitions_response_topic, partitions_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"topic_authorized_operations", NULL, -2147483648, offsetof(struct kw_describe_topic_partitions_response_topic, topic_authorized_operations), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_describe_topic_partitions_response_topic = {"topic", kw_describe_topic_partitions_response_topic_fields, sizeof(struct kw_describe_topic_partitions_response_topic), 6, 0};

static const struct kw_field kw_describe_topic_partitions_response_cursor_fields[] = {
    {"topic_name", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_cursor, topic_name), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition_index", NULL, 0, offsetof(struct kw_describe_topic_partitions_response_cursor, partition_index), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_describe_topic_partitions_response_cursor = {"cursor", kw_describe_topic_partitions_response_cursor_fields, sizeof(struct kw_describe_topic_partitions_response_cursor), 2, 0};

static const struct kw_field kw_describe_topic_partitions_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_describe_topic_partitions_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_describe_topic_partitions_response_topic, 0, offsetof(struct kw_describe_topic_partitions_response, topics), offsetof(struct kw_describe_topic_partitions_response, topics_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"next_cursor", &kw_describe_topic_partitions_response_cursor, 0, offsetof(struct kw_describe_topic_partitions_response, next_cursor), 0,
     0, 0, 0, -1, KW_T_STRUCT, KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_describe_topic_partitions_response_root = {"DescribeTopicPartitionsResponse", kw_describe_topic_partitions_response_fields, sizeof(struct kw_describe_topic_partitions_response), 3, 0};

const struct kw_message kw_describe_topic_partitions_response = {"DescribeTopicPartitionsResponse", 75, 0, 0, 0,
    &kw_describe_topic_partitions_response_root};
