/* Made by kwgen.py from 02_list_offsets.kw: do not edit. */
#include "compat/gen/02_list_offsets.h"
#include "compat/wire/table.h"

static const struct kw_field kw_list_offsets_request_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_list_offsets_request_partition, partition_index), 0,
     1, 11, KW_NEVER, -1, KW_T_INT32, 0},
    {"current_leader_epoch", NULL, -1, offsetof(struct kw_list_offsets_request_partition, current_leader_epoch), 0,
     4, 11, KW_NEVER, -1, KW_T_INT32, 0},
    {"timestamp", NULL, 0, offsetof(struct kw_list_offsets_request_partition, timestamp), 0,
     1, 11, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_list_offsets_request_partition = {"partition", kw_list_offsets_request_partition_fields, sizeof(struct kw_list_offsets_request_partition), 3, 0};

static const struct kw_field kw_list_offsets_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_list_offsets_request_topic, name), 0,
     1, 11, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_list_offsets_request_partition, 0, offsetof(struct kw_list_offsets_request_topic, partitions), offsetof(struct kw_list_offsets_request_topic, partitions_count),
     1, 11, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_list_offsets_request_topic = {"topic", kw_list_offsets_request_topic_fields, sizeof(struct kw_list_offsets_request_topic), 2, 0};

static const struct kw_field kw_list_offsets_request_fields[] = {
    {"replica_id", NULL, -1, offsetof(struct kw_list_offsets_request, replica_id), 0,
     1, 11, KW_NEVER, -1, KW_T_INT32, 0},
    {"isolation_level", NULL, 0, offsetof(struct kw_list_offsets_request, isolation_level), 0,
     2, 11, KW_NEVER, -1, KW_T_INT8, 0},
    {"topics", &kw_list_offsets_request_topic, 0, offsetof(struct kw_list_offsets_request, topics), offsetof(struct kw_list_offsets_request, topics_count),
     1, 11, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"timeout_ms", NULL, 0, offsetof(struct kw_list_offsets_request, timeout_ms), 0,
     10, 11, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_list_offsets_request_root = {"ListOffsetsRequest", kw_list_offsets_request_fields, sizeof(struct kw_list_offsets_request), 4, 0};

const struct kw_message kw_list_offsets_request = {"ListOffsetsRequest", 2, 1, 11, 6,
    &kw_list_offsets_request_root};

static const struct kw_field kw_list_offsets_response_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_list_offsets_response_partition, partition_index), 0,
     1, 11, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_list_offsets_response_partition, error_code), 0,
     1, 11, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"timestamp", NULL, -1, offsetof(struct kw_list_offsets_response_partition, timestamp), 0,
     1, 11, KW_NEVER, -1, KW_T_INT64, 0},
    {"offset", NULL, -1, offsetof(struct kw_list_offsets_response_partition, offset), 0,
     1, 11, KW_NEVER, -1, KW_T_INT64, 0},
    {"leader_epoch", NULL, -1, offsetof(struct kw_list_offsets_response_partition, leader_epoch), 0,
     4, 11, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_list_offsets_response_partition = {"partition", kw_list_offsets_response_partition_fields, sizeof(struct kw_list_offsets_response_partition), 5, 0};

static const struct kw_field kw_list_offsets_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_list_offsets_response_topic, name), 0,
     1, 11, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_list_offsets_response_partition, 0, offsetof(struct kw_list_offsets_response_topic, partitions), offsetof(struct kw_list_offsets_response_topic, partitions_count),
     1, 11, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_list_offsets_response_topic = {"topic", kw_list_offsets_response_topic_fields, sizeof(struct kw_list_offsets_response_topic), 2, 0};

static const struct kw_field kw_list_offsets_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_list_offsets_response, throttle_time_ms), 0,
     2, 11, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_list_offsets_response_topic, 0, offsetof(struct kw_list_offsets_response, topics), offsetof(struct kw_list_offsets_response, topics_count),
     1, 11, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_list_offsets_response_root = {"ListOffsetsResponse", kw_list_offsets_response_fields, sizeof(struct kw_list_offsets_response), 2, 0};

const struct kw_message kw_list_offsets_response = {"ListOffsetsResponse", 2, 1, 11, 6,
    &kw_list_offsets_response_root};
