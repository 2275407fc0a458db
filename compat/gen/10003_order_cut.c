/* Made by kwgen.py from 10003_order_cut.kw: do not edit. */
#include "compat/gen/10003_order_cut.h"
#include "compat/wire/table.h"

static const struct kw_field kw_order_cut_request_fields[] = {
    {"position", NULL, 0, offsetof(struct kw_order_cut_request, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"topics", NULL, 0, offsetof(struct kw_order_cut_request, topics), offsetof(struct kw_order_cut_request, topics_count),
     0, 0, 0, -1, KW_T_STRING, KW_F_ARRAY | KW_F_DEFAULT_NULL},
    {"timeout_ms", NULL, 0, offsetof(struct kw_order_cut_request, timeout_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_order_cut_request_root = {"OrderCutRequest", kw_order_cut_request_fields, sizeof(struct kw_order_cut_request), 3, 0};

const struct kw_message kw_order_cut_request = {"OrderCutRequest", 10003, 0, 0, 0,
    &kw_order_cut_request_root};

static const struct kw_field kw_order_cut_response_partition_fields[] = {
    {"partition", NULL, 0, offsetof(struct kw_order_cut_response_partition, partition), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"offset", NULL, 0, offsetof(struct kw_order_cut_response_partition, offset), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_order_cut_response_partition = {"partition", kw_order_cut_response_partition_fields, sizeof(struct kw_order_cut_response_partition), 2, 0};

static const struct kw_field kw_order_cut_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_order_cut_response_topic, name), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_order_cut_response_topic, topic_id), 0,
     0, 0, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_order_cut_response_partition, 0, offsetof(struct kw_order_cut_response_topic, partitions), offsetof(struct kw_order_cut_response_topic, partitions_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_order_cut_response_topic = {"topic", kw_order_cut_response_topic_fields, sizeof(struct kw_order_cut_response_topic), 3, 0};

static const struct kw_field kw_order_cut_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_order_cut_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_order_cut_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_order_cut_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"position", NULL, 0, offsetof(struct kw_order_cut_response, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"topics", &kw_order_cut_response_topic, 0, offsetof(struct kw_order_cut_response, topics), offsetof(struct kw_order_cut_response, topics_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_order_cut_response_root = {"OrderCutResponse", kw_order_cut_response_fields, sizeof(struct kw_order_cut_response), 5, 0};

const struct kw_message kw_order_cut_response = {"OrderCutResponse", 10003, 0, 0, 0,
    &kw_order_cut_response_root};
