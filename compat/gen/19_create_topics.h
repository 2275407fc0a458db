/* Made by kwgen.py from 19_create_topics.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_create_topics_request_assignment {
    int32_t partition_index;
    int32_t *broker_ids;
    int32_t broker_ids_count;
};
extern const struct kw_struct kw_create_topics_request_assignment;

struct kw_create_topics_request_config {
    struct br_str name;
    struct br_str value; /* null */
};
extern const struct kw_struct kw_create_topics_request_config;

struct kw_create_topics_request_topic {
    struct br_str name;
    int32_t num_partitions;
    int16_t replication_factor;
    struct kw_create_topics_request_assignment *assignments;
    int32_t assignments_count;
    struct kw_create_topics_request_config *configs;
    int32_t configs_count;
};
extern const struct kw_struct kw_create_topics_request_topic;

struct kw_create_topics_request {
    struct kw_create_topics_request_topic *topics;
    int32_t topics_count;
    int32_t timeout_ms; /* default 60000 */
    bool validate_only;
};
extern const struct kw_message kw_create_topics_request;

struct kw_create_topics_response_topic_config {
    struct br_str name; /* v5-7 */
    struct br_str value; /* v5-7, null */
    bool read_only; /* v5-7 */
    int8_t config_source; /* v5-7, default -1 */
    bool is_sensitive; /* v5-7 */
};
extern const struct kw_struct kw_create_topics_response_topic_config;

struct kw_create_topics_response_topic {
    struct br_str name;
    struct br_uuid topic_id; /* v7 */
    int16_t error_code;
    struct br_str error_message; /* null */
    int16_t topic_config_error_code; /* v5-7, tag 0 */
    int32_t num_partitions; /* v5-7, default -1 */
    int16_t replication_factor; /* v5-7, default -1 */
    struct kw_create_topics_response_topic_config *configs; /* v5-7, null */
    int32_t configs_count;
};
extern const struct kw_struct kw_create_topics_response_topic;

struct kw_create_topics_response {
    int32_t throttle_time_ms;
    struct kw_create_topics_response_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_create_topics_response;
