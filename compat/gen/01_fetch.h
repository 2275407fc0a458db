/* Made by kwgen.py from 01_fetch.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_fetch_request_replica_state {
    int32_t replica_id; /* v15-18, default -1 */
    int64_t replica_epoch; /* v15-18, default -1 */
};
extern const struct kw_struct kw_fetch_request_replica_state;

struct kw_fetch_request_partition {
    int32_t partition;
    int32_t current_leader_epoch; /* v9-18, default -1 */
    int64_t fetch_offset;
    int32_t last_fetched_epoch; /* v12-18, default -1 */
    int64_t log_start_offset; /* v5-18, default -1 */
    int32_t partition_max_bytes;
    struct br_uuid replica_directory_id; /* v17-18, tag 0 */
    int64_t high_watermark; /* v18, tag 1, default 9223372036854775807 */
};
extern const struct kw_struct kw_fetch_request_partition;

struct kw_fetch_request_topic {
    struct br_str topic; /* v4-12 */
    struct br_uuid topic_id; /* v13-18 */
    struct kw_fetch_request_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_fetch_request_topic;

struct kw_fetch_request_forgotten_topic {
    struct br_str topic; /* v7-12 */
    struct br_uuid topic_id; /* v13-18 */
    int32_t *partitions; /* v7-18 */
    int32_t partitions_count;
};
extern const struct kw_struct kw_fetch_request_forgotten_topic;

struct kw_fetch_request {
    struct br_str cluster_id; /* v12-18, null, tag 0 */
    int32_t replica_id; /* v4-14, default -1 */
    struct kw_fetch_request_replica_state replica_state; /* v15-18, tag 1 */
    int32_t max_wait_ms;
    int32_t min_bytes;
    int32_t max_bytes; /* default 2147483647 */
    int8_t isolation_level;
    int32_t session_id; /* v7-18 */
    int32_t session_epoch; /* v7-18, default -1 */
    struct kw_fetch_request_topic *topics;
    int32_t topics_count;
    struct kw_fetch_request_forgotten_topic *forgotten_topics; /* v7-18 */
    int32_t forgotten_topics_count;
    struct br_str rack_id; /* v11-18 */
};
extern const struct kw_message kw_fetch_request;

struct kw_fetch_response_epoch_end {
    int32_t epoch; /* v12-18, default -1 */
    int64_t end_offset; /* v12-18, default -1 */
};
extern const struct kw_struct kw_fetch_response_epoch_end;

struct kw_fetch_response_leader {
    int32_t leader_id; /* v12-18, default -1 */
    int32_t leader_epoch; /* v12-18, default -1 */
};
extern const struct kw_struct kw_fetch_response_leader;

struct kw_fetch_response_snapshot {
    int64_t end_offset; /* v12-18, default -1 */
    int32_t epoch; /* v12-18, default -1 */
};
extern const struct kw_struct kw_fetch_response_snapshot;

struct kw_fetch_response_aborted {
    int64_t producer_id;
    int64_t first_offset;
};
extern const struct kw_struct kw_fetch_response_aborted;

struct kw_fetch_response_partition {
    int32_t partition_index;
    int16_t error_code;
    int64_t high_watermark;
    int64_t last_stable_offset; /* default -1 */
    int64_t log_start_offset; /* v5-18, default -1 */
    struct kw_fetch_response_epoch_end diverging_epoch; /* v12-18, tag 0 */
    struct kw_fetch_response_leader current_leader; /* v12-18, tag 1 */
    struct kw_fetch_response_snapshot snapshot_id; /* v12-18, tag 2 */
    struct kw_fetch_response_aborted *aborted_transactions; /* null */
    int32_t aborted_transactions_count;
    int32_t preferred_read_replica; /* v11-18, default -1 */
    struct kw_records records; /* null, default empty */
};
extern const struct kw_struct kw_fetch_response_partition;

struct kw_fetch_response_topic {
    struct br_str topic; /* v4-12 */
    struct br_uuid topic_id; /* v13-18 */
    struct kw_fetch_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_fetch_response_topic;

struct kw_fetch_response_node {
    int32_t node_id; /* v16-18 */
    struct br_str host; /* v16-18 */
    int32_t port; /* v16-18 */
    struct br_str rack; /* v16-18, null */
};
extern const struct kw_struct kw_fetch_response_node;

struct kw_fetch_response {
    int32_t throttle_time_ms;
    int16_t error_code; /* v7-18 */
    int32_t session_id; /* v7-18 */
    struct kw_fetch_response_topic *topics;
    int32_t topics_count;
    struct kw_fetch_response_node *node_endpoints; /* v16-18, tag 0 */
    int32_t node_endpoints_count;
};
extern const struct kw_message kw_fetch_response;
