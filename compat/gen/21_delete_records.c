/* Made by kwgen.py from 21_delete_records.kw: do not edit. */
#include "compat/gen/21_delete_records.h"
#include "compat/wire/table.h"

static const struct kw_field kw_delete_records_request_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_delete_records_request_partition, partition_index), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
    {"offset", NULL, 0, offsetof(struct kw_delete_records_request_partition, offset), 0,
     0, 2, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_delete_records_request_partition = {"partition", kw_delete_records_request_partition_fields, sizeof(struct kw_delete_records_request_partition), 2, 0};

static const struct kw_field kw_delete_records_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_delete_records_request_topic, name), 0,
     0, 2, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_delete_records_request_partition, 0, offsetof(struct kw_delete_records_request_topic, partitions), offsetof(struct kw_delete_records_request_topic, partitions_count),
     0, 2, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_delete_records_request_topic = {"topic", kw_delete_records_request_topic_fields, sizeof(struct kw_delete_records_request_topic), 2, 0};

static const struct kw_field kw_delete_records_request_fields[] = {
    {"topics", &kw_delete_records_request_topic, 0, offsetof(struct kw_delete_records_request, topics), offsetof(struct kw_delete_records_request, topics_count),
     0, 2, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"timeout_ms", NULL, 0, offsetof(struct kw_delete_records_request, timeout_ms), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_delete_records_request_root = {"DeleteRecordsRequest", kw_delete_records_request_fields, sizeof(struct kw_delete_records_request), 2, 0};

const struct kw_message kw_delete_records_request = {"DeleteRecordsRequest", 21, 0, 2, 2,
    &kw_delete_records_request_root};

static const struct kw_field kw_delete_records_response_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_delete_records_response_partition, partition_index), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
    {"low_watermark", NULL, 0, offsetof(struct kw_delete_records_response_partition, low_watermark), 0,
     0, 2, KW_NEVER, -1, KW_T_INT64, 0},
    {"error_code", NULL, 0, offsetof(struct kw_delete_records_response_partition, error_code), 0,
     0, 2, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
const struct kw_struct kw_delete_records_response_partition = {"partition", kw_delete_records_response_partition_fields, sizeof(struct kw_delete_records_response_partition), 3, 0};

static const struct kw_field kw_delete_records_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_delete_records_response_topic, name), 0,
     0, 2, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_delete_records_response_partition, 0, offsetof(struct kw_delete_records_response_topic, partitions), offsetof(struct kw_delete_records_response_topic, partitions_count),
     0, 2, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_delete_records_response_topic = {"topic", kw_delete_records_response_topic_fields, sizeof(struct kw_delete_records_response_topic), 2, 0};

static const struct kw_field kw_delete_records_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_delete_records_response, throttle_time_ms), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_delete_records_response_topic, 0, offsetof(struct kw_delete_records_response, topics), offsetof(struct kw_delete_records_response, topics_count),
     0, 2, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_delete_records_response_root = {"DeleteRecordsResponse", kw_delete_records_response_fields, sizeof(struct kw_delete_records_response), 2, 0};

const struct kw_message kw_delete_records_response = {"DeleteRecordsResponse", 21, 0, 2, 2,
    &kw_delete_records_response_root};
