/* Made by kwgen.py from 35_describe_log_dirs.kw: do not edit. */
#include "compat/gen/35_describe_log_dirs.h"
#include "compat/wire/table.h"

static const struct kw_field kw_describe_log_dirs_request_topic_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_describe_log_dirs_request_topic, topic), 0,
     1, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", NULL, 0, offsetof(struct kw_describe_log_dirs_request_topic, partitions), offsetof(struct kw_describe_log_dirs_request_topic, partitions_count),
     1, 5, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_describe_log_dirs_request_topic = {"topic", kw_describe_log_dirs_request_topic_fields, sizeof(struct kw_describe_log_dirs_request_topic), 2, 0};

static const struct kw_field kw_describe_log_dirs_request_fields[] = {
    {"topics", &kw_describe_log_dirs_request_topic, 0, offsetof(struct kw_describe_log_dirs_request, topics), offsetof(struct kw_describe_log_dirs_request, topics_count),
     1, 5, 1, -1, KW_T_STRUCT, KW_F_ARRAY | KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_describe_log_dirs_request_root = {"DescribeLogDirsRequest", kw_describe_log_dirs_request_fields, sizeof(struct kw_describe_log_dirs_request), 1, 0};

const struct kw_message kw_describe_log_dirs_request = {"DescribeLogDirsRequest", 35, 1, 5, 2,
    &kw_describe_log_dirs_request_root};

static const struct kw_field kw_describe_log_dirs_response_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_describe_log_dirs_response_partition, partition_index), 0,
     1, 5, KW_NEVER, -1, KW_T_INT32, 0},
    {"partition_size", NULL, 0, offsetof(struct kw_describe_log_dirs_response_partition, partition_size), 0,
     1, 5, KW_NEVER, -1, KW_T_INT64, 0},
    {"offset_lag", NULL, 0, offsetof(struct kw_describe_log_dirs_response_partition, offset_lag), 0,
     1, 5, KW_NEVER, -1, KW_T_INT64, 0},
    {"is_future_key", NULL, 0, offsetof(struct kw_describe_log_dirs_response_partition, is_future_key), 0,
     1, 5, KW_NEVER, -1, KW_T_BOOL, 0},
};
const struct kw_struct kw_describe_log_dirs_response_partition = {"partition", kw_describe_log_dirs_response_partition_fields, sizeof(struct kw_describe_log_dirs_response_partition), 4, 0};

static const struct kw_field kw_describe_log_dirs_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_describe_log_dirs_response_topic, name), 0,
     1, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_describe_log_dirs_response_partition, 0, offsetof(struct kw_describe_log_dirs_response_topic, partitions), offsetof(struct kw_describe_log_dirs_response_topic, partitions_count),
     1, 5, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_describe_log_dirs_response_topic = {"topic", kw_describe_log_dirs_response_topic_fields, sizeof(struct kw_describe_log_dirs_response_topic), 2, 0};

static const struct kw_field kw_describe_log_dirs_response_result_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_describe_log_dirs_response_result, error_code), 0,
     1, 5, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"log_dir", NULL, 0, offsetof(struct kw_describe_log_dirs_response_result, log_dir), 0,
     1, 5, KW_NEVER, -1, KW_T_STRING, 0},
    {"topics", &kw_describe_log_dirs_response_topic, 0, offsetof(struct kw_describe_log_dirs_response_result, topics), offsetof(struct kw_describe_log_dirs_response_result, topics_count),
     1, 5, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"total_bytes", NULL, -1, offsetof(struct kw_describe_log_dirs_response_result, total_bytes), 0,
     4, 5, KW_NEVER, -1, KW_T_INT64, 0},
    {"usable_bytes", NULL, -1, offsetof(struct kw_describe_log_dirs_response_result, usable_bytes), 0,
     4, 5, KW_NEVER, -1, KW_T_INT64, 0},
    {"is_cordoned", NULL, 0, offsetof(struct kw_describe_log_dirs_response_result, is_cordoned), 0,
     5, 5, KW_NEVER, -1, KW_T_BOOL, 0},
};
const struct kw_struct kw_describe_log_dirs_response_result = {"result", kw_describe_log_dirs_response_result_fields, sizeof(struct kw_describe_log_dirs_response_result), 6, 0};

static const struct kw_field kw_describe_log_dirs_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_describe_log_dirs_response, throttle_time_ms), 0,
     1, 5, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_describe_log_dirs_response, error_code), 0,
     3, 5, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"results", &kw_describe_log_dirs_response_result, 0, offsetof(struct kw_describe_log_dirs_response, results), offsetof(struct kw_describe_log_dirs_response, results_count),
     1, 5, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_describe_log_dirs_response_root = {"DescribeLogDirsResponse", kw_describe_log_dirs_response_fields, sizeof(struct kw_describe_log_dirs_response), 3, 0};

const struct kw_message kw_describe_log_dirs_response = {"DescribeLogDirsResponse", 35, 1, 5, 2,
    &kw_describe_log_dirs_response_root};
