/* Made by kwgen.py from 23_offset_for_leader_epoch.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_offset_for_leader_epoch_request_partition {
    int32_t partition;
    int32_t current_leader_epoch; /* default -1 */
    int32_t leader_epoch;
};
extern const struct kw_struct kw_offset_for_leader_epoch_request_partition;

struct kw_offset_for_leader_epoch_request_topic {
    struct br_str topic;
    struct kw_offset_for_leader_epoch_request_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_offset_for_leader_epoch_request_topic;

struct kw_offset_for_leader_epoch_request {
    int32_t replica_id; /* v3-4, default -2 */
    struct kw_offset_for_leader_epoch_request_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_offset_for_leader_epoch_request;

struct kw_offset_for_leader_epoch_response_partition {
    int16_t error_code;
    int32_t partition;
    int32_t leader_epoch; /* default -1 */
    int64_t end_offset; /* default -1 */
};
extern const struct kw_struct kw_offset_for_leader_epoch_response_partition;

struct kw_offset_for_leader_epoch_response_topic {
    struct br_str topic;
    struct kw_offset_for_leader_epoch_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_offset_for_leader_epoch_response_topic;

struct kw_offset_for_leader_epoch_response {
    int32_t throttle_time_ms;
    struct kw_offset_for_leader_epoch_response_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_offset_for_leader_epoch_response;
