/* Made by kwgen.py from 46_list_partition_reassignments.kw: do not edit. */
#include "compat/gen/46_list_partition_reassignments.h"
#include "compat/wire/table.h"

static const struct kw_field kw_list_partition_reassignments_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_list_partition_reassignments_request_topic, name), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition_indexes", NULL, 0, offsetof(struct kw_list_partition_reassignments_request_topic, partition_indexes), offsetof(struct kw_list_partition_reassignments_request_topic, partition_indexes_count),
     0, 0, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_list_partition_reassignments_request_topic = {"topic", kw_list_partition_reassignments_request_topic_fields, sizeof(struct kw_list_partition_reassignments_request_topic), 2, 0};

static const struct kw_field kw_list_partition_reassignments_request_fields[] = {
    {"timeout_ms", NULL, 60000, offsetof(struct kw_list_partition_reassignments_request, timeout_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_list_partition_reassignments_request_topic, 0, offsetof(struct kw_list_partition_reassignments_request, topics), offsetof(struct kw_list_partition_reassignments_request, topics_count),
     0, 0, 0, -1, KW_T_STRUCT, KW_F_ARRAY | KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_list_partition_reassignments_request_root = {"ListPartitionReassignmentsRequest", kw_list_partition_reassignments_request_fields, sizeof(struct kw_list_partition_reassignments_request), 2, 0};

const struct kw_message kw_list_partition_reassignments_request = {"ListPartitionReassignmentsRequest", 46, 0, 0, 0,
    &kw_list_partition_reassignments_request_root};

static const struct kw_field kw_list_partition_reassignments_response_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_list_partition_reassignments_response_partition, partition_index), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"replicas", NULL, 0, offsetof(struct kw_list_partition_reassignments_response_partition, replicas), offsetof(struct kw_list_partition_reassignments_response_partition, replicas_count),
     0, 0, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
    {"adding_replicas", NULL, 0, offsetof(struct kw_list_partition_reassignments_response_partition, adding_replicas), offsetof(struct kw_list_partition_reassignments_response_partition, adding_replicas_count),
     0, 0, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
    {"removing_replicas", NULL, 0, offsetof(struct kw_list_partition_reassignments_response_partition, removing_replicas), offsetof(struct kw_list_partition_reassignments_response_partition, removing_replicas_count),
     0, 0, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_list_partition_reassignments_response_partition = {"partition", kw_list_partition_reassignments_response_partition_fields, sizeof(struct kw_list_partition_reassignments_response_partition), 4, 0};

static const struct kw_field kw_list_partition_reassignments_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_list_partition_reassignments_response_topic, name), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_list_partition_reassignments_response_partition, 0, offsetof(struct kw_list_partition_reassignments_response_topic, partitions), offsetof(struct kw_list_partition_reassignments_response_topic, partitions_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_list_partition_reassignments_response_topic = {"topic", kw_list_partition_reassignments_response_topic_fields, sizeof(struct kw_list_partition_reassignments_response_topic), 2, 0};

static const struct kw_field kw_list_partition_reassignments_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_list_partition_reassignments_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_list_partition_reassignments_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_list_partition_reassignments_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"topics", &kw_list_partition_reassignments_response_topic, 0, offsetof(struct kw_list_partition_reassignments_response, topics), offsetof(struct kw_list_partition_reassignments_response, topics_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_list_partition_reassignments_response_root = {"ListPartitionReassignmentsResponse", kw_list_partition_reassignments_response_fields, sizeof(struct kw_list_partition_reassignments_response), 4, 0};

const struct kw_message kw_list_partition_reassignments_response = {"ListPartitionReassignmentsResponse", 46, 0, 0, 0,
    &kw_list_partition_reassignments_response_root};
