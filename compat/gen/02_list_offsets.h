/* Made by kwgen.py from 02_list_offsets.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_list_offsets_request_partition {
    int32_t partition_index;
    int32_t current_leader_epoch; /* v4-11, default -1 */
    int64_t timestamp;
};
extern const struct kw_struct kw_list_offsets_request_partition;

struct kw_list_offsets_request_topic {
    struct br_str name;
    struct kw_list_offsets_request_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_list_offsets_request_topic;

struct kw_list_offsets_request {
    int32_t replica_id; /* default -1 */
    int8_t isolation_level; /* v2-11 */
    struct kw_list_offsets_request_topic *topics;
    int32_t topics_count;
    int32_t timeout_ms; /* v10-11 */
};
extern const struct kw_message kw_list_offsets_request;

struct kw_list_offsets_response_partition {
    int32_t partition_index;
    int16_t error_code;
    int64_t timestamp; /* default -1 */
    int64_t offset; /* default -1 */
    int32_t leader_epoch; /* v4-11, default -1 */
};
extern const struct kw_struct kw_list_offsets_response_partition;

struct kw_list_offsets_response_topic {
    struct br_str name;
    struct kw_list_offsets_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_list_offsets_response_topic;

struct kw_list_offsets_response {
    int32_t throttle_time_ms; /* v2-11 */
    struct kw_list_offsets_response_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_list_offsets_response;
