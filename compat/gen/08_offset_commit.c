/* Made by kwgen.py from 08_offset_commit.kw: do not edit. */
#include "compat/gen/08_offset_commit.h"
#include "compat/wire/table.h"

static const struct kw_field kw_offset_commit_request_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_offset_commit_request_partition, partition_index), 0,
     2, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"committed_offset", NULL, 0, offsetof(struct kw_offset_commit_request_partition, committed_offset), 0,
     2, 10, KW_NEVER, -1, KW_T_INT64, 0},
    {"committed_leader_epoch", NULL, -1, offsetof(struct kw_offset_commit_request_partition, committed_leader_epoch), 0,
     6, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"committed_metadata", NULL, 0, offsetof(struct kw_offset_commit_request_partition, committed_metadata), 0,
     2, 10, 2, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_offset_commit_request_partition = {"partition", kw_offset_commit_request_partition_fields, sizeof(struct kw_offset_commit_request_partition), 4, 0};

static const struct kw_field kw_offset_commit_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_offset_commit_request_topic, name), 0,
     2, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_offset_commit_request_topic, topic_id), 0,
     10, 10, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_offset_commit_request_partition, 0, offsetof(struct kw_offset_commit_request_topic, partitions), offsetof(struct kw_offset_commit_request_topic, partitions_count),
     2, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_offset_commit_request_topic = {"topic", kw_offset_commit_request_topic_fields, sizeof(struct kw_offset_commit_request_topic), 3, 0};

static const struct kw_field kw_offset_commit_request_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_offset_commit_request, group_id), 0,
     2, 10, KW_NEVER, -1, KW_T_STRING, 0},
    {"generation_id_or_member_epoch", NULL, -1, offsetof(struct kw_offset_commit_request, generation_id_or_member_epoch), 0,
     2, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"member_id", NULL, 0, offsetof(struct kw_offset_commit_request, member_id), 0,
     2, 10, KW_NEVER, -1, KW_T_STRING, 0},
    {"group_instance_id", NULL, 0, offsetof(struct kw_offset_commit_request, group_instance_id), 0,
     7, 10, 7, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"retention_time_ms", NULL, -1, offsetof(struct kw_offset_commit_request, retention_time_ms), 0,
     2, 4, KW_NEVER, -1, KW_T_INT64, 0},
    {"topics", &kw_offset_commit_request_topic, 0, offsetof(struct kw_offset_commit_request, topics), offsetof(struct kw_offset_commit_request, topics_count),
     2, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_offset_commit_request_root = {"OffsetCommitRequest", kw_offset_commit_request_fields, sizeof(struct kw_offset_commit_request), 6, 0};

const struct kw_message kw_offset_commit_request = {"OffsetCommitRequest", 8, 2, 10, 8,
    &kw_offset_commit_request_root};

static const struct kw_field kw_offset_commit_response_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_offset_commit_response_partition, partition_index), 0,
     2, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_offset_commit_response_partition, error_code), 0,
     2, 10, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
const struct kw_struct kw_offset_commit_response_partition = {"partition", kw_offset_commit_response_partition_fields, sizeof(struct kw_offset_commit_response_partition), 2, 0};

static const struct kw_field kw_offset_commit_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_offset_commit_response_topic, name), 0,
     2, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_offset_commit_response_topic, topic_id), 0,
     10, 10, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_offset_commit_response_partition, 0, offsetof(struct kw_offset_commit_response_topic, partitions), offsetof(struct kw_offset_commit_response_topic, partitions_count),
     2, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_offset_commit_response_topic = {"topic", kw_offset_commit_response_topic_fields, sizeof(struct kw_offset_commit_response_topic), 3, 0};

static const struct kw_field kw_offset_commit_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_offset_commit_response, throttle_time_ms), 0,
     3, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_offset_commit_response_topic, 0, offsetof(struct kw_offset_commit_response, topics), offsetof(struct kw_offset_commit_response, topics_count),
     2, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_offset_commit_response_root = {"OffsetCommitResponse", kw_offset_commit_response_fields, sizeof(struct kw_offset_commit_response), 2, 0};

const struct kw_message kw_offset_commit_response = {"OffsetCommitResponse", 8, 2, 10, 8,
    &kw_offset_commit_response_root};
