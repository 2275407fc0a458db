/* Made by kwgen.py from records.kw: do not edit. */
#include "compat/gen/records.h"
#include "compat/wire/table.h"

static const struct kw_field kw_offset_commit_key_fields[] = {
    {"group", NULL, 0, offsetof(struct kw_offset_commit_key, group), 0,
     0, 1, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic", NULL, 0, offsetof(struct kw_offset_commit_key, topic), 0,
     0, 1, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition", NULL, 0, offsetof(struct kw_offset_commit_key, partition), 0,
     0, 1, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_offset_commit_key_root = {"OffsetCommitKey", kw_offset_commit_key_fields, sizeof(struct kw_offset_commit_key), 3, 0};

const struct kw_message kw_offset_commit_key = {"OffsetCommitKey", -1, 0, 1, KW_NEVER,
    &kw_offset_commit_key_root};

static const struct kw_field kw_offset_commit_value_fields[] = {
    {"offset", NULL, 0, offsetof(struct kw_offset_commit_value, offset), 0,
     0, 4, KW_NEVER, -1, KW_T_INT64, 0},
    {"leader_epoch", NULL, -1, offsetof(struct kw_offset_commit_value, leader_epoch), 0,
     3, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"metadata", NULL, 0, offsetof(struct kw_offset_commit_value, metadata), 0,
     0, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"commit_timestamp", NULL, 0, offsetof(struct kw_offset_commit_value, commit_timestamp), 0,
     0, 4, KW_NEVER, -1, KW_T_INT64, 0},
    {"expire_timestamp", NULL, -1, offsetof(struct kw_offset_commit_value, expire_timestamp), 0,
     1, 1, KW_NEVER, -1, KW_T_INT64, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_offset_commit_value, topic_id), 0,
     4, 4, KW_NEVER, 0, KW_T_UUID, 0},
};
static const struct kw_struct kw_offset_commit_value_root = {"OffsetCommitValue", kw_offset_commit_value_fields, sizeof(struct kw_offset_commit_value), 6, 1};

const struct kw_message kw_offset_commit_value = {"OffsetCommitValue", -1, 0, 4, 4,
    &kw_offset_commit_value_root};

static const struct kw_field kw_group_metadata_key_fields[] = {
    {"group", NULL, 0, offsetof(struct kw_group_metadata_key, group), 0,
     2, 2, KW_NEVER, -1, KW_T_STRING, 0},
};
static const struct kw_struct kw_group_metadata_key_root = {"GroupMetadataKey", kw_group_metadata_key_fields, sizeof(struct kw_group_metadata_key), 1, 0};

const struct kw_message kw_group_metadata_key = {"GroupMetadataKey", -1, 2, 2, KW_NEVER,
    &kw_group_metadata_key_root};

static const struct kw_field kw_group_metadata_value_member_fields[] = {
    {"member_id", NULL, 0, offsetof(struct kw_group_metadata_value_member, member_id), 0,
     0, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_group_metadata_value_member, group_instance_id), 0,
     3, 4, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"client_id", NULL, 0, offsetof(struct kw_group_metadata_value_member, client_id), 0,
     0, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"client_host", NULL, 0, offsetof(struct kw_group_metadata_value_member, client_host), 0,
     0, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"rebalance_timeout", NULL, 0, offsetof(struct kw_group_metadata_value_member, rebalance_timeout), 0,
     1, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"session_timeout", NULL, 0, offsetof(struct kw_group_metadata_value_member, session_timeout), 0,
     0, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"subscription", NULL, 0, offsetof(struct kw_group_metadata_value_member, subscription), 0,
     0, 4, KW_NEVER, -1, KW_T_BYTES, 0},
    {"assignment", NULL, 0, offsetof(struct kw_group_metadata_value_member, assignment), 0,
     0, 4, KW_NEVER, -1, KW_T_BYTES, 0},
};
const struct kw_struct kw_group_metadata_value_member = {"member", kw_group_metadata_value_member_fields, sizeof(struct kw_group_metadata_value_member), 8, 0};

static const struct kw_field kw_group_metadata_value_fields[] = {
    {"protocol_type", NULL, 0, offsetof(struct kw_group_metadata_value, protocol_type), 0,
     0, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"generation", NULL, 0, offsetof(struct kw_group_metadata_value, generation), 0,
     0, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"protocol", NULL, 0, offsetof(struct kw_group_metadata_value, protocol), 0,
     0, 4, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"leader", NULL, 0, offsetof(struct kw_group_metadata_value, leader), 0,
     0, 4, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"current_state_timestamp", NULL, -1, offsetof(struct kw_group_metadata_value, current_state_timestamp), 0,
     2, 4, KW_NEVER, -1, KW_T_INT64, 0},
    {"members", &kw_group_metadata_value_member, 0, offsetof(struct kw_group_metadata_value, members), offsetof(struct kw_group_metadata_value, members_count),
     0, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_group_metadata_value_root = {"GroupMetadataValue", kw_group_metadata_value_fields, sizeof(struct kw_group_metadata_value), 6, 0};

const struct kw_message kw_group_metadata_value = {"GroupMetadataValue", -1, 0, 4, 4,
    &kw_group_metadata_value_root};

static const struct kw_field kw_consumer_subscription_owned_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_consumer_subscription_owned, topic), 0,
     1, 3, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", NULL, 0, offsetof(struct kw_consumer_subscription_owned, partitions), offsetof(struct kw_consumer_subscription_owned, partitions_count),
     1, 3, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_consumer_subscription_owned = {"owned", kw_consumer_subscription_owned_fields, sizeof(struct kw_consumer_subscription_owned), 2, 0};

static const struct kw_field kw_consumer_subscription_fields[] = {
    {"topics", NULL, 0, offsetof(struct kw_consumer_subscription, topics), offsetof(struct kw_consumer_subscription, topics_count),
     0, 3, KW_NEVER, -1, KW_T_STRING, KW_F_ARRAY},
    {"user_data", NULL, 0, offsetof(struct kw_consumer_subscription, user_data), 0,
     0, 3, 0, -1, KW_T_BYTES, KW_F_DEFAULT_NULL},
    {"owned_partitions", &kw_consumer_subscription_owned, 0, offsetof(struct kw_consumer_subscription, owned_partitions), offsetof(struct kw_consumer_subscription, owned_partitions_count),
     1, 3, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"generation_id", NULL, -1, offsetof(struct kw_consumer_subscription, generation_id), 0,
     2, 3, KW_NEVER, -1, KW_T_INT32, 0},
    {"rack_id", NULL, 0, offsetof(struct kw_consumer_subscription, rack_id), 0,
     3, 3, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_consumer_subscription_root = {"ConsumerSubscription", kw_consumer_subscription_fields, sizeof(struct kw_consumer_subscription), 5, 0};

const struct kw_message kw_consumer_subscription = {"ConsumerSubscription", -1, 0, 3, KW_NEVER,
    &kw_consumer_subscription_root};

static const struct kw_field kw_consumer_assignment_assigned_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_consumer_assignment_assigned, topic), 0,
     0, 3, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", NULL, 0, offsetof(struct kw_consumer_assignment_assigned, partitions), offsetof(struct kw_consumer_assignment_assigned, partitions_count),
     0, 3, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_consumer_assignment_assigned = {"assigned", kw_consumer_assignment_assigned_fields, sizeof(struct kw_consumer_assignment_assigned), 2, 0};

static const struct kw_field kw_consumer_assignment_fields[] = {
    {"assigned_partitions", &kw_consumer_assignment_assigned, 0, offsetof(struct kw_consumer_assignment, assigned_partitions), offsetof(struct kw_consumer_assignment, assigned_partitions_count),
     0, 3, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"user_data", NULL, 0, offsetof(struct kw_consumer_assignment, user_data), 0,
     0, 3, 0, -1, KW_T_BYTES, KW_F_DEFAULT_NULL},
};
static const struct kw_struct kw_consumer_assignment_root = {"ConsumerAssignment", kw_consumer_assignment_fields, sizeof(struct kw_consumer_assignment), 2, 0};

const struct kw_message kw_consumer_assignment = {"ConsumerAssignment", -1, 0, 3, KW_NEVER,
    &kw_consumer_assignment_root};
