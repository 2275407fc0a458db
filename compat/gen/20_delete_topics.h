/* Made by kwgen.py from 20_delete_topics.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_delete_topics_request_topic {
    struct br_str name; /* v6, null */
    struct br_uuid topic_id; /* v6 */
};
extern const struct kw_struct kw_delete_topics_request_topic;

struct kw_delete_topics_request {
    struct br_str *topic_names; /* v1-5 */
    int32_t topic_names_count;
    struct kw_delete_topics_request_topic *topics; /* v6 */
    int32_t topics_count;
    int32_t timeout_ms;
};
extern const struct kw_message kw_delete_topics_request;

struct kw_delete_topics_response_topic {
    struct br_str name; /* null v6+ */
    struct br_uuid topic_id; /* v6 */
    int16_t error_code;
    struct br_str error_message; /* v5-6, null */
};
extern const struct kw_struct kw_delete_topics_response_topic;

struct kw_delete_topics_response {
    int32_t throttle_time_ms;
    struct kw_delete_topics_response_topic *responses;
    int32_t responses_count;
};
extern const struct kw_message kw_delete_topics_response;
