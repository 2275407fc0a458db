/* Made by kwgen.py from records.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_offset_commit_key {
    struct br_str group;
    struct br_str topic;
    int32_t partition;
};
extern const struct kw_message kw_offset_commit_key;

struct kw_offset_commit_value {
    int64_t offset;
    int32_t leader_epoch; /* v3-4, default -1 */
    struct br_str metadata;
    int64_t commit_timestamp;
    int64_t expire_timestamp; /* v1, default -1 */
    struct br_uuid topic_id; /* v4, tag 0 */
};
extern const struct kw_message kw_offset_commit_value;

struct kw_group_metadata_key {
    struct br_str group;
};
extern const struct kw_message kw_group_metadata_key;

struct kw_group_metadata_value_member {
    struct br_str member_id;
    struct br_str group_instance_id; /* v3-4, null */
    struct br_str client_id;
    struct br_str client_host;
    int32_t rebalance_timeout; /* v1-4 */
    int32_t session_timeout;
    struct br_str subscription;
    struct br_str assignment;
};
extern const struct kw_struct kw_group_metadata_value_member;

struct kw_group_metadata_value {
    struct br_str protocol_type;
    int32_t generation;
    struct br_str protocol; /* null */
    struct br_str leader; /* null */
    int64_t current_state_timestamp; /* v2-4, default -1 */
    struct kw_group_metadata_value_member *members;
    int32_t members_count;
};
extern const struct kw_message kw_group_metadata_value;

struct kw_consumer_subscription_owned {
    struct br_str topic; /* v1-3 */
    int32_t *partitions; /* v1-3 */
    int32_t partitions_count;
};
extern const struct kw_struct kw_consumer_subscription_owned;

struct kw_consumer_subscription {
    struct br_str *topics;
    int32_t topics_count;
    struct br_str user_data; /* null */
    struct kw_consumer_subscription_owned *owned_partitions; /* v1-3 */
    int32_t owned_partitions_count;
    int32_t generation_id; /* v2-3, default -1 */
    struct br_str rack_id; /* v3, null */
};
extern const struct kw_message kw_consumer_subscription;

struct kw_consumer_assignment_assigned {
    struct br_str topic;
    int32_t *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_consumer_assignment_assigned;

struct kw_consumer_assignment {
    struct kw_consumer_assignment_assigned *assigned_partitions;
    int32_t assigned_partitions_count;
    struct br_str user_data; /* null */
};
extern const struct kw_message kw_consumer_assignment;
