/* Made by kwgen.py from 00_produce.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_produce_request_partition {
    int32_t index;
    struct kw_records records; /* null */
};
extern const struct kw_struct kw_produce_request_partition;

struct kw_produce_request_topic {
    struct br_str name; /* v3-12 */
    struct br_uuid topic_id; /* v13 */
    struct kw_produce_request_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_produce_request_topic;

struct kw_produce_request {
    struct br_str transactional_id; /* null */
    int16_t acks;
    int32_t timeout_ms;
    struct kw_produce_request_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_produce_request;

struct kw_produce_response_record_error {
    int32_t batch_index; /* v8-13 */
    struct br_str batch_index_error_message; /* v8-13, null */
};
extern const struct kw_struct kw_produce_response_record_error;

struct kw_produce_response_leader {
    int32_t leader_id; /* v10-13, default -1 */
    int32_t leader_epoch; /* v10-13, default -1 */
};
extern const struct kw_struct kw_produce_response_leader;

struct kw_produce_response_partition {
    int32_t index;
    int16_t error_code;
    int64_t base_offset;
    int64_t log_append_time_ms; /* default -1 */
    int64_t log_start_offset; /* v5-13, default -1 */
    struct kw_produce_response_record_error *record_errors; /* v8-13 */
    int32_t record_errors_count;
    struct br_str error_message; /* v8-13, null */
    struct kw_produce_response_leader current_leader; /* v10-13, tag 0 */
};
extern const struct kw_struct kw_produce_response_partition;

struct kw_produce_response_topic {
    struct br_str name; /* v3-12 */
    struct br_uuid topic_id; /* v13 */
    struct kw_produce_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_produce_response_topic;

struct kw_produce_response_node {
    int32_t node_id; /* v10-13 */
    struct br_str host; /* v10-13 */
    int32_t port; /* v10-13 */
    struct br_str rack; /* v10-13, null */
};
extern const struct kw_struct kw_produce_response_node;

struct kw_produce_response {
    struct kw_produce_response_topic *topics;
    int32_t topics_count;
    int32_t throttle_time_ms;
    struct kw_produce_response_node *node_endpoints; /* v10-13, tag 0 */
    int32_t node_endpoints_count;
};
extern const struct kw_message kw_produce_response;
