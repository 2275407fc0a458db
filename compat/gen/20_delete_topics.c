/* Made by kwgen.py from 20_delete_topics.kw: do not edit. */
#include "compat/gen/20_delete_topics.h"
#include "compat/wire/table.h"

static const struct kw_field kw_delete_topics_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_delete_topics_request_topic, name), 0,
     6, 6, 6, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"topic_id", NULL, 0, offsetof(struct kw_delete_topics_request_topic, topic_id), 0,
     6, 6, KW_NEVER, -1, KW_T_UUID, 0},
};
const struct kw_struct kw_delete_topics_request_topic = {"topic", kw_delete_topics_request_topic_fields, sizeof(struct kw_delete_topics_request_topic), 2, 0};

static const struct kw_field kw_delete_topics_request_fields[] = {
    {"topic_names", NULL, 0, offsetof(struct kw_delete_topics_request, topic_names), offsetof(struct kw_delete_topics_request, topic_names_count),
     1, 5, KW_NEVER, -1, KW_T_STRING, KW_F_ARRAY},
    {"topics", &kw_delete_topics_request_topic, 0, offsetof(struct kw_delete_topics_request, topics), offsetof(struct kw_delete_topics_request, topics_count),
     6, 6, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"timeout_ms", NULL, 0, offsetof(struct kw_delete_topics_request, timeout_ms), 0,
     1, 6, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_delete_topics_request_root = {"DeleteTopicsRequest", kw_delete_topics_request_fields, sizeof(struct kw_delete_topics_request), 3, 0};

const struct kw_message kw_delete_topics_request = {"DeleteTopicsRequest", 20, 1, 6, 4,
    &kw_delete_topics_request_root};

static const struct kw_field kw_delete_topics_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_delete_topics_response_topic, name), 0,
     1, 6, 6, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_delete_topics_response_topic, topic_id), 0,
     6, 6, KW_NEVER, -1, KW_T_UUID, 0},
    {"error_code", NULL, 0, offsetof(struct kw_delete_topics_response_topic, error_code), 0,
     1, 6, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_delete_topics_response_topic, error_message), 0,
     5, 6, 5, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_delete_topics_response_topic = {"topic", kw_delete_topics_response_topic_fields, sizeof(struct kw_delete_topics_response_topic), 4, 0};

static const struct kw_field kw_delete_topics_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_delete_topics_response, throttle_time_ms), 0,
     1, 6, KW_NEVER, -1, KW_T_INT32, 0},
    {"responses", &kw_delete_topics_response_topic, 0, offsetof(struct kw_delete_topics_response, responses), offsetof(struct kw_delete_topics_response, responses_count),
     1, 6, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_delete_topics_response_root = {"DeleteTopicsResponse", kw_delete_topics_response_fields, sizeof(struct kw_delete_topics_response), 2, 0};

const struct kw_message kw_delete_topics_response = {"DeleteTopicsResponse", 20, 1, 6, 4,
    &kw_delete_topics_response_root};
