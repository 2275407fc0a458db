/* Made by kwgen.py from 37_create_partitions.kw: do not edit. */
#include "compat/gen/37_create_partitions.h"
#include "compat/wire/table.h"

static const struct kw_field kw_create_partitions_request_assignment_fields[] = {
    {"broker_ids", NULL, 0, offsetof(struct kw_create_partitions_request_assignment, broker_ids), offsetof(struct kw_create_partitions_request_assignment, broker_ids_count),
     0, 3, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_create_partitions_request_assignment = {"assignment", kw_create_partitions_request_assignment_fields, sizeof(struct kw_create_partitions_request_assignment), 1, 0};

static const struct kw_field kw_create_partitions_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_create_partitions_request_topic, name), 0,
     0, 3, KW_NEVER, -1, KW_T_STRING, 0},
    {"count", NULL, 0, offsetof(struct kw_create_partitions_request_topic, count), 0,
     0, 3, KW_NEVER, -1, KW_T_INT32, 0},
    {"assignments", &kw_create_partitions_request_assignment, 0, offsetof(struct kw_create_partitions_request_topic, assignments), offsetof(struct kw_create_partitions_request_topic, assignments_count),
     0, 3, 0, -1, KW_T_STRUCT, KW_F_ARRAY | KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_create_partitions_request_topic = {"topic", kw_create_partitions_request_topic_fields, sizeof(struct kw_create_partitions_request_topic), 3, 0};

static const struct kw_field kw_create_partitions_request_fields[] = {
    {"topics", &kw_create_partitions_request_topic, 0, offsetof(struct kw_create_partitions_request, topics), offsetof(struct kw_create_partitions_request, topics_count),
     0, 3, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"timeout_ms", NULL, 0, offsetof(struct kw_create_partitions_request, timeout_ms), 0,
     0, 3, KW_NEVER, -1, KW_T_INT32, 0},
    {"validate_only", NULL, 0, offsetof(struct kw_create_partitions_request, validate_only), 0,
     0, 3, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_create_partitions_request_root = {"CreatePartitionsRequest", kw_create_partitions_request_fields, sizeof(struct kw_create_partitions_request), 3, 0};

const struct kw_message kw_create_partitions_request = {"CreatePartitionsRequest", 37, 0, 3, 2,
    &kw_create_partitions_request_root};

static const struct kw_field kw_create_partitions_response_result_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_create_partitions_response_result, name), 0,
     0, 3, KW_NEVER, -1, KW_T_STRING, 0},
    {"error_code", NULL, 0, offsetof(struct kw_create_partitions_response_result, error_code), 0,
     0, 3, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_create_partitions_response_result, error_message), 0,
     0, 3, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_create_partitions_response_result = {"result", kw_create_partitions_response_result_fields, sizeof(struct kw_create_partitions_response_result), 3, 0};

static const struct kw_field kw_create_partitions_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_create_partitions_response, throttle_time_ms), 0,
     0, 3, KW_NEVER, -1, KW_T_INT32, 0},
    {"results", &kw_create_partitions_response_result, 0, offsetof(struct kw_create_partitions_response, results), offsetof(struct kw_create_partitions_response, results_count),
     0, 3, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_create_partitions_response_root = {"CreatePartitionsResponse", kw_create_partitions_response_fields, sizeof(struct kw_create_partitions_response), 2, 0};

const struct kw_message kw_create_partitions_response = {"CreatePartitionsResponse", 37, 0, 3, 2,
    &kw_create_partitions_response_root};
