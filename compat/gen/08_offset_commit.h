/* Made by kwgen.py from 08_offset_commit.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_offset_commit_request_partition {
    int32_t partition_index;
    int64_t committed_offset;
    int32_t committed_leader_epoch; /* v6-10, default -1 */
    struct br_str committed_metadata; /* null */
};
extern const struct kw_struct kw_offset_commit_request_partition;

struct kw_offset_commit_request_topic {
    struct br_str name; /* v2-9 */
    struct br_uuid topic_id; /* v10 */
    struct kw_offset_commit_request_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_offset_commit_request_topic;

struct kw_offset_commit_request {
    struct br_str group_id;
    int32_t generation_id_or_member_epoch; /* default -1 */
    struct br_str member_id;
    struct br_str group_instance_id; /* v7-10, null */
    int64_t retention_time_ms; /* v2-4, default -1 */
    struct kw_offset_commit_request_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_offset_commit_request;

struct kw_offset_commit_response_partition {
    int32_t partition_index;
    int16_t error_code;
};
extern const struct kw_struct kw_offset_commit_response_partition;

struct kw_offset_commit_response_topic {
    struct br_str name; /* v2-9 */
    struct br_uuid topic_id; /* v10 */
    struct kw_offset_commit_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_offset_commit_response_topic;

struct kw_offset_commit_response {
    int32_t throttle_time_ms; /* v3-10 */
    struct kw_offset_commit_response_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_offset_commit_response;
