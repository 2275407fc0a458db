/* Made by kwgen.py from 19_create_topics.kw: do not edit. */
#include "compat/gen/19_create_topics.h"
#include "compat/wire/table.h"

static const struct kw_field kw_create_topics_request_assignment_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_create_topics_request_assignment, partition_index), 0,
     2, 7, KW_NEVER, -1, KW_T_INT32, 0},
    {"broker_ids", NULL, 0, offsetof(struct kw_create_topics_request_assignment, broker_ids), offsetof(struct kw_create_topics_request_assignment, broker_ids_count),
     2, 7, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_create_topics_request_assignment = {"assignment", kw_create_topics_request_assignment_fields, sizeof(struct kw_create_topics_request_assignment), 2, 0};

static const struct kw_field kw_create_topics_request_config_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_create_topics_request_config, name), 0,
     2, 7, KW_NEVER, -1, KW_T_STRING, 0},
    {"value", NULL, 0, offsetof(struct kw_create_topics_request_config, value), 0,
     2, 7, 2, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_create_topics_request_config = {"config", kw_create_topics_request_config_fields, sizeof(struct kw_create_topics_request_config), 2, 0};

static const struct kw_field kw_create_topics_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_create_topics_request_topic, name), 0,
     2, 7, KW_NEVER, -1, KW_T_STRING, 0},
    {"num_partitions", NULL, 0, offsetof(struct kw_create_topics_request_topic, num_partitions), 0,
     2, 7, KW_NEVER, -1, KW_T_INT32, 0},
    {"replication_factor", NULL, 0, offsetof(struct kw_create_topics_request_topic, replication_factor), 0,
     2, 7, KW_NEVER, -1, KW_T_INT16, 0},
    {"assignments", &kw_create_topics_request_assignment, 0, offsetof(struct kw_create_topics_request_topic, assignments), offsetof(struct kw_create_topics_request_topic, assignments_count),
     2, 7, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"configs", &kw_create_topics_request_config, 0, offsetof(struct kw_create_topics_request_topic, configs), offsetof(struct kw_create_topics_request_topic, configs_count),
     2, 7, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_create_topics_request_topic = {"topic", kw_create_topics_request_topic_fields, sizeof(struct kw_create_topics_request_topic), 5, 0};

static const struct kw_field kw_create_topics_request_fields[] = {
    {"topics", &kw_create_topics_request_topic, 0, offsetof(struct kw_create_topics_request, topics), offsetof(struct kw_create_topics_request, topics_count),
     2, 7, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"timeout_ms", NULL, 60000, offsetof(struct kw_create_topics_request, timeout_ms), 0,
     2, 7, KW_NEVER, -1, KW_T_INT32, 0},
    {"validate_only", NULL, 0, offsetof(struct kw_create_topics_request, validate_only), 0,
     2, 7, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_create_topics_request_root = {"CreateTopicsRequest", kw_create_topics_request_fields, sizeof(struct kw_create_topics_request), 3, 0};

const struct kw_message kw_create_topics_request = {"CreateTopicsRequest", 19, 2, 7, 5,
    &kw_create_topics_request_root};

static const struct kw_field kw_create_topics_response_topic_config_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_create_topics_response_topic_config, name), 0,
     5, 7, KW_NEVER, -1, KW_T_STRING, 0},
    {"value", NULL, 0, offsetof(struct kw_create_topics_response_topic_config, value), 0,
     5, 7, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"read_only", NULL, 0, offsetof(struct kw_create_topics_response_topic_config, read_only), 0,
     5, 7, KW_NEVER, -1, KW_T_BOOL, 0},
    {"config_source", NULL, -1, offsetof(struct kw_create_topics_response_topic_config, config_source), 0,
     5, 7, KW_NEVER, -1, KW_T_INT8, 0},
    {"is_sensitive", NULL, 0, offsetof(struct kw_create_topics_response_topic_config, is_sensitive), 0,
     5, 7, KW_NEVER, -1, KW_T_BOOL, 0},
};
const struct kw_struct kw_create_topics_response_topic_config = {"topic_config", kw_create_topics_response_topic_config_fields, sizeof(struct kw_create_topics_response_topic_config), 5, 0};

static const struct kw_field kw_create_topics_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_create_topics_response_topic, name), 0,
     2, 7, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_create_topics_response_topic, topic_id), 0,
     7, 7, KW_NEVER, -1, KW_T_UUID, 0},
    {"error_code", NULL, 0, offsetof(struct kw_create_topics_response_topic, error_code), 0,
     2, 7, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_create_topics_response_topic, error_message), 0,
     2, 7, 2, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"topic_config_error_code", NULL, 0, offsetof(struct kw_create_topics_response_topic, topic_config_error_code), 0,
     5, 7, KW_NEVER, 0, KW_T_INT16, KW_F_ERROR},
    {"num_partitions", NULL, -1, offsetof(struct kw_create_topics_response_topic, num_partitions), 0,
     5, 7, KW_NEVER, -1, KW_T_INT32, 0},
    {"replication_factor", NULL, -1, offsetof(struct kw_create_topics_response_topic, replication_factor), 0,
     5, 7, KW_NEVER, -1, KW_T_INT16, 0},
    {"configs", &kw_create_topics_response_topic_config, 0, offsetof(struct kw_create_topics_response_topic, configs), offsetof(struct kw_create_topics_response_topic, configs_count),
     5, 7, 5, -1, KW_T_STRUCT, KW_F_ARRAY | KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_create_topics_response_topic = {"topic", kw_create_topics_response_topic_fields, sizeof(struct kw_create_topics_response_topic), 8, 1};

static const struct kw_field kw_create_topics_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_create_topics_response, throttle_time_ms), 0,
     2, 7, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_create_topics_response_topic, 0, offsetof(struct kw_create_topics_response, topics), offsetof(struct kw_create_topics_response, topics_count),
     2, 7, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_create_topics_response_root = {"CreateTopicsResponse", kw_create_topics_response_fields, sizeof(struct kw_create_topics_response), 2, 0};

const struct kw_message kw_create_topics_response = {"CreateTopicsResponse", 19, 2, 7, 5,
    &kw_create_topics_response_root};
