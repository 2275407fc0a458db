/* Made by kwgen.py from 09_offset_fetch.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_offset_fetch_request_topic {
    struct br_str name; /* v1-7 */
    int32_t *partition_indexes; /* v1-7 */
    int32_t partition_indexes_count;
};
extern const struct kw_struct kw_offset_fetch_request_topic;

struct kw_offset_fetch_request_group_topic {
    struct br_str name; /* v8-9 */
    struct br_uuid topic_id; /* v10 */
    int32_t *partition_indexes; /* v8-10 */
    int32_t partition_indexes_count;
};
extern const struct kw_struct kw_offset_fetch_request_group_topic;

struct kw_offset_fetch_request_group {
    struct br_str group_id; /* v8-10 */
    struct br_str member_id; /* v9-10, null */
    int32_t member_epoch; /* v9-10, default -1 */
    struct kw_offset_fetch_request_group_topic *topics; /* v8-10, null */
    int32_t topics_count;
};
extern const struct kw_struct kw_offset_fetch_request_group;

struct kw_offset_fetch_request {
    struct br_str group_id; /* v1-7 */
    struct kw_offset_fetch_request_topic *topics; /* v1-7, null v2+ */
    int32_t topics_count;
    struct kw_offset_fetch_request_group *groups; /* v8-10 */
    int32_t groups_count;
    bool require_stable; /* v7-10 */
};
extern const struct kw_message kw_offset_fetch_request;

struct kw_offset_fetch_response_partition {
    int32_t partition_index; /* v1-7 */
    int64_t committed_offset; /* v1-7 */
    int32_t committed_leader_epoch; /* v5-7, default -1 */
    struct br_str metadata; /* v1-7, null */
    int16_t error_code; /* v1-7 */
};
extern const struct kw_struct kw_offset_fetch_response_partition;

struct kw_offset_fetch_response_topic {
    struct br_str name; /* v1-7 */
    struct kw_offset_fetch_response_partition *partitions; /* v1-7 */
    int32_t partitions_count;
};
extern const struct kw_struct kw_offset_fetch_response_topic;

struct kw_offset_fetch_response_group_partition {
    int32_t partition_index; /* v8-10 */
    int64_t committed_offset; /* v8-10 */
    int32_t committed_leader_epoch; /* v8-10, default -1 */
    struct br_str metadata; /* v8-10, null */
    int16_t error_code; /* v8-10 */
};
extern const struct kw_struct kw_offset_fetch_response_group_partition;

struct kw_offset_fetch_response_group_topic {
    struct br_str name; /* v8-9 */
    struct br_uuid topic_id; /* v10 */
    struct kw_offset_fetch_response_group_partition *partitions; /* v8-10 */
    int32_t partitions_count;
};
extern const struct kw_struct kw_offset_fetch_response_group_topic;

struct kw_offset_fetch_response_group {
    struct br_str group_id; /* v8-10 */
    struct kw_offset_fetch_response_group_topic *topics; /* v8-10 */
    int32_t topics_count;
    int16_t error_code; /* v8-10 */
};
extern const struct kw_struct kw_offset_fetch_response_group;

struct kw_offset_fetch_response {
    int32_t throttle_time_ms; /* v3-10 */
    struct kw_offset_fetch_response_topic *topics; /* v1-7 */
    int32_t topics_count;
    int16_t error_code; /* v2-7 */
    struct kw_offset_fetch_response_group *groups; /* v8-10 */
    int32_t groups_count;
};
extern const struct kw_message kw_offset_fetch_response;
