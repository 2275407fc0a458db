/* Made by kwgen.py from 09_offset_fetch.kw: do not edit. */
#include "compat/gen/09_offset_fetch.h"
#include "compat/wire/table.h"

static const struct kw_field kw_offset_fetch_request_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_offset_fetch_request_topic, name), 0,
     1, 7, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition_indexes", NULL, 0, offsetof(struct kw_offset_fetch_request_topic, partition_indexes), offsetof(struct kw_offset_fetch_request_topic, partition_indexes_count),
     1, 7, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_offset_fetch_request_topic = {"topic", kw_offset_fetch_request_topic_fields, sizeof(struct kw_offset_fetch_request_topic), 2, 0};

static const struct kw_field kw_offset_fetch_request_group_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_offset_fetch_request_group_topic, name), 0,
     8, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_offset_fetch_request_group_topic, topic_id), 0,
     10, 10, KW_NEVER, -1, KW_T_UUID, 0},
    {"partition_indexes", NULL, 0, offsetof(struct kw_offset_fetch_request_group_topic, partition_indexes), offsetof(struct kw_offset_fetch_request_group_topic, partition_indexes_count),
     8, 10, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_offset_fetch_request_group_topic = {"group_topic", kw_offset_fetch_request_group_topic_fields, sizeof(struct kw_offset_fetch_request_group_topic), 3, 0};

static const struct kw_field kw_offset_fetch_request_group_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_offset_fetch_request_group, group_id), 0,
     8, 10, KW_NEVER, -1, KW_T_STRING, 0},
    {"member_id", NULL, 0, offsetof(struct kw_offset_fetch_request_group, member_id), 0,
     9, 10, 9, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"member_epoch", NULL, -1, offsetof(struct kw_offset_fetch_request_group, member_epoch), 0,
     9, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_offset_fetch_request_group_topic, 0, offsetof(struct kw_offset_fetch_request_group, topics), offsetof(struct kw_offset_fetch_request_group, topics_count),
     8, 10, 8, -1, KW_T_STRUCT, KW_F_ARRAY | KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_offset_fetch_request_group = {"group", kw_offset_fetch_request_group_fields, sizeof(struct kw_offset_fetch_request_group), 4, 0};

static const struct kw_field kw_offset_fetch_request_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_offset_fetch_request, group_id), 0,
     1, 7, KW_NEVER, -1, KW_T_STRING, 0},
    {"topics", &kw_offset_fetch_request_topic, 0, offsetof(struct kw_offset_fetch_request, topics), offsetof(struct kw_offset_fetch_request, topics_count),
     1, 7, 2, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"groups", &kw_offset_fetch_request_group, 0, offsetof(struct kw_offset_fetch_request, groups), offsetof(struct kw_offset_fetch_request, groups_count),
     8, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"require_stable", NULL, 0, offsetof(struct kw_offset_fetch_request, require_stable), 0,
     7, 10, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_offset_fetch_request_root = {"OffsetFetchRequest", kw_offset_fetch_request_fields, sizeof(struct kw_offset_fetch_request), 4, 0};

const struct kw_message kw_offset_fetch_request = {"OffsetFetchRequest", 9, 1, 10, 6,
    &kw_offset_fetch_request_root};

static const struct kw_field kw_offset_fetch_response_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_offset_fetch_response_partition, partition_index), 0,
     1, 7, KW_NEVER, -1, KW_T_INT32, 0},
    {"committed_offset", NULL, 0, offsetof(struct kw_offset_fetch_response_partition, committed_offset), 0,
     1, 7, KW_NEVER, -1, KW_T_INT64, 0},
    {"committed_leader_epoch", NULL, -1, offsetof(struct kw_offset_fetch_response_partition, committed_leader_epoch), 0,
     5, 7, KW_NEVER, -1, KW_T_INT32, 0},
    {"metadata", NULL, 0, offsetof(struct kw_offset_fetch_response_partition, metadata), 0,
     1, 7, 1, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"error_code", NULL, 0, offsetof(struct kw_offset_fetch_response_partition, error_code), 0,
     1, 7, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
const struct kw_struct kw_offset_fetch_response_partition = {"partition", kw_offset_fetch_response_partition_fields, sizeof(struct kw_offset_fetch_response_partition), 5, 0};

static const struct kw_field kw_offset_fetch_response_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_offset_fetch_response_topic, name), 0,
     1, 7, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_offset_fetch_response_partition, 0, offsetof(struct kw_offset_fetch_response_topic, partitions), offsetof(struct kw_offset_fetch_response_topic, partitions_count),
     1, 7, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_offset_fetch_response_topic = {"topic", kw_offset_fetch_response_topic_fields, sizeof(struct kw_offset_fetch_response_topic), 2, 0};

static const struct kw_field kw_offset_fetch_response_group_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_offset_fetch_response_group_partition, partition_index), 0,
     8, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"committed_offset", NULL, 0, offsetof(struct kw_offset_fetch_response_group_partition, committed_offset), 0,
     8, 10, KW_NEVER, -1, KW_T_INT64, 0},
    {"committed_leader_epoch", NULL, -1, offsetof(struct kw_offset_fetch_response_group_partition, committed_leader_epoch), 0,
     8, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"metadata", NULL, 0, offsetof(struct kw_offset_fetch_response_group_partition, metadata), 0,
     8, 10, 8, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"error_code", NULL, 0, offsetof(struct kw_offset_fetch_response_group_partition, error_code), 0,
     8, 10, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
const struct kw_struct kw_offset_fetch_response_group_partition = {"group_partition", kw_offset_fetch_response_group_partition_fields, sizeof(struct kw_offset_fetch_response_group_partition), 5, 0};

static const struct kw_field kw_offset_fetch_response_group_topic_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_offset_fetch_response_group_topic, name), 0,
     8, 9, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_offset_fetch_response_group_topic, topic_id), 0,
     10, 10, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_offset_fetch_response_group_partition, 0, offsetof(struct kw_offset_fetch_response_group_topic, partitions), offsetof(struct kw_offset_fetch_response_group_topic, partitions_count),
     8, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_offset_fetch_response_group_topic = {"group_topic", kw_offset_fetch_response_group_topic_fields, sizeof(struct kw_offset_fetch_response_group_topic), 3, 0};

static const struct kw_field kw_offset_fetch_response_group_fields[] = {
    {"group_id", NULL, 0, offsetof(struct kw_offset_fetch_response_group, group_id), 0,
     8, 10, KW_NEVER, -1, KW_T_STRING, 0},
    {"topics", &kw_offset_fetch_response_group_topic, 0, offsetof(struct kw_offset_fetch_response_group, topics), offsetof(struct kw_offset_fetch_response_group, topics_count),
     8, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"error_code", NULL, 0, offsetof(struct kw_offset_fetch_response_group, error_code), 0,
     8, 10, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
};
const struct kw_struct kw_offset_fetch_response_group = {"group", kw_offset_fetch_response_group_fields, sizeof(struct kw_offset_fetch_response_group), 3, 0};

static const struct kw_field kw_offset_fetch_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_offset_fetch_response, throttle_time_ms), 0,
     3, 10, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_offset_fetch_response_topic, 0, offsetof(struct kw_offset_fetch_response, topics), offsetof(struct kw_offset_fetch_response, topics_count),
     1, 7, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"error_code", NULL, 0, offsetof(struct kw_offset_fetch_response, error_code), 0,
     2, 7, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"groups", &kw_offset_fetch_response_group, 0, offsetof(struct kw_offset_fetch_response, groups), offsetof(struct kw_offset_fetch_response, groups_count),
     8, 10, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_offset_fetch_response_root = {"OffsetFetchResponse", kw_offset_fetch_response_fields, sizeof(struct kw_offset_fetch_response), 4, 0};

const struct kw_message kw_offset_fetch_response = {"OffsetFetchResponse", 9, 1, 10, 6,
    &kw_offset_fetch_response_root};
