/* Made by kwgen.py from 00_produce.kw: do not edit. */
#include "compat/gen/00_produce.h"
#include "compat/wire/table.h"

static const struct kw_field kw_produce_request_partition_fields[] = {
    {"index", NULL, 0, offsetof(struct kw_produce_request_partition, index), 0,
     3, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"records", NULL, 0, offsetof(struct kw_produce_request_partition, records), 0,
     3, 13, 3, -1, KW_T_RECORDS, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_produce_request_partition = {"partition", kw_produce_request_partition_fields, sizeof(struct kw_produce_request_partition), 2, 0};

static const struct kw_field kw_produce_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_produce_request_topic, name), 0,
     3, 12, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_produce_request_topic, topic_id), 0,
     13, 13, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_produce_request_partition, 0, offsetof(struct kw_produce_request_topic, partitions), offsetof(struct kw_produce_request_topic, partitions_count),
     3, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_produce_request_topic = {"topic", kw_produce_request_topic_fields, sizeof(struct kw_produce_request_topic), 3, 0};

static const struct kw_field kw_produce_request_fields[] = {
    {"transactional_id", NULL, 0, offsetof(struct kw_produce_request, transactional_id), 0,
     3, 13, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"acks", NULL, 0, offsetof(struct kw_produce_request, acks), 0,
     3, 13, KW_NEVER, -1, KW_T_INT16, 0},
    {"timeout_ms", NULL, 0, offsetof(struct kw_produce_request, timeout_ms), 0,
     3, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_produce_request_topic, 0, offsetof(struct kw_produce_request, topics), offsetof(struct kw_produce_request, topics_count),
     3, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_produce_request_root = {"ProduceRequest", kw_produce_request_fields, sizeof(struct kw_produce_request), 4, 0};

const struct kw_message kw_produce_request = {"ProduceRequest", 0, 3, 13, 9,
    &kw_produce_request_root};

static const struct kw_field kw_produce_response_record_error_fields[] = {
    {"batch_index", NULL, 0, offsetof(struct kw_produce_response_record_error, batch_index), 0,
     8, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"batch_index_error_message", NULL, 0, offsetof(struct kw_produce_response_record_error, batch_index_error_message), 0,
     8, 13, 8, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_produce_response_record_error = {"record_error", kw_produce_response_record_error_fields, sizeof(struct kw_produce_response_record_error), 2, 0};

static const struct kw_field kw_produce_response_leader_fields[] = {
    {"leader_id", NULL, -1, offsetof(struct kw_produce_response_leader, leader_id), 0,
     10, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_epoch", NULL, -1, offsetof(struct kw_produce_response_leader, leader_epoch), 0,
     10, 13, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_produce_response_leader = {"leader", kw_produce_response_leader_fields, sizeof(struct kw_produce_response_leader), 2, 0};

static const struct kw_field kw_produce_response_partition_fields[] = {
    {"index", NULL, 0, offsetof(struct kw_produce_response_partition, index), 0,
     3, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_produce_response_partition, error_code), 0,
     3, 13, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"base_offset", NULL, 0, offsetof(struct kw_produce_response_partition, base_offset), 0,
     3, 13, KW_NEVER, -1, KW_T_INT64, 0},
    {"log_append_time_ms", NULL, -1, offsetof(struct kw_produce_response_partition, log_append_time_ms), 0,
     3, 13, KW_NEVER, -1, KW_T_INT64, 0},
    {"log_start_offset", NULL, -1, offsetof(struct kw_produce_response_partition, log_start_offset), 0,
     5, 13, KW_NEVER, -1, KW_T_INT64, 0},
    {"record_errors", &kw_produce_response_record_error, 0, offsetof(struct kw_produce_response_partition, record_errors), offsetof(struct kw_produce_response_partition, record_errors_count),
     8, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"error_message", NULL, 0, offsetof(struct kw_produce_response_partition, error_message), 0,
     8, 13, 8, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"current_leader", &kw_produce_response_leader, 0, offsetof(struct kw_produce_response_partition, current_leader), 0,
     10, 13, KW_NEVER, 0, KW_T_STRUCT, 0},
};
const struct kw_struct kw_produce_response_partition = {"partition", kw_produce_response_partition_fields, sizeof(struct kw_produce_response_partition), 8, 1};

static const struct kw_field kw_produce_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_produce_response_topic, name), 0,
     3, 12, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_produce_response_topic, topic_id), 0,
     13, 13, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_produce_response_partition, 0, offsetof(struct kw_produce_response_topic, partitions), offsetof(struct kw_produce_response_topic, partitions_count),
     3, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_produce_response_topic = {"topic", kw_produce_response_topic_fields, sizeof(struct kw_produce_response_topic), 3, 0};

static const struct kw_field kw_produce_response_node_fields[] = {
    {"node_id", NULL, 0, offsetof(struct kw_produce_response_node, node_id), 0,
     10, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"host", NULL, 0, offsetof(struct kw_produce_response_node, host), 0,
     10, 13, KW_NEVER, -1, KW_T_STRING, 0},
    {"port", NULL, 0, offsetof(struct kw_produce_response_node, port), 0,
     10, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"rack", NULL, 0, offsetof(struct kw_produce_response_node, rack), 0,
     10, 13, 10, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_produce_response_node = {"node", kw_produce_response_node_fields, sizeof(struct kw_produce_response_node), 4, 0};

static const struct kw_field kw_produce_response_fields[] = {
    {"topics", &kw_produce_response_topic, 0, offsetof(struct kw_produce_response, topics), offsetof(struct kw_produce_response, topics_count),
     3, 13, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_produce_response, throttle_time_ms), 0,
     3, 13, KW_NEVER, -1, KW_T_INT32, 0},
    {"node_endpoints", &kw_produce_response_node, 0, offsetof(struct kw_produce_response, node_endpoints), offsetof(struct kw_produce_response, node_endpoints_count),
     10, 13, KW_NEVER, 0, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_produce_response_root = {"ProduceResponse", kw_produce_response_fields, sizeof(struct kw_produce_response), 3, 1};

const struct kw_message kw_produce_response = {"ProduceResponse", 0, 3, 13, 9,
    &kw_produce_response_root};
