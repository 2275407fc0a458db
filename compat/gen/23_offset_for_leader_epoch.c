/* Made by kwgen.py from 23_offset_for_leader_epoch.kw: do not edit. */
#include "compat/gen/23_offset_for_leader_epoch.h"
#include "compat/wire/table.h"

static const struct kw_field kw_offset_for_leader_epoch_request_partition_fields[] = {
    {"partition", NULL, 0, offsetof(struct kw_offset_for_leader_epoch_request_partition, partition), 0,
     2, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"current_leader_epoch", NULL, -1, offsetof(struct kw_offset_for_leader_epoch_request_partition, current_leader_epoch), 0,
     2, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_epoch", NULL, 0, offsetof(struct kw_offset_for_leader_epoch_request_partition, leader_epoch), 0,
     2, 4, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_offset_for_leader_epoch_request_partition = {"partition", kw_offset_for_leader_epoch_request_partition_fields, sizeof(struct kw_offset_for_leader_epoch_request_partition), 3, 0};

static const struct kw_field kw_offset_for_leader_epoch_request_topic_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_offset_for_leader_epoch_request_topic, topic), 0,
     2, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_offset_for_leader_epoch_request_partition, 0, offsetof(struct kw_offset_for_leader_epoch_request_topic, partitions), offsetof(struct kw_offset_for_leader_epoch_request_topic, partitions_count),
     2, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_offset_for_leader_epoch_request_topic = {"topic", kw_offset_for_leader_epoch_request_topic_fields, sizeof(struct kw_offset_for_leader_epoch_request_topic), 2, 0};

static const struct kw_field kw_offset_for_leader_epoch_request_fields[] = {
    {"replica_id", NULL, -2, offsetof(struct kw_offset_for_leader_epoch_request, replica_id), 0,
     3, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_offset_for_leader_epoch_request_topic, 0, offsetof(struct kw_offset_for_leader_epoch_request, topics), offsetof(struct kw_offset_for_leader_epoch_request, topics_count),
     2, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_offset_for_leader_epoch_request_root = {"OffsetForLeaderEpochRequest", kw_offset_for_leader_epoch_request_fields, sizeof(struct kw_offset_for_leader_epoch_request), 2, 0};

const struct kw_message kw_offset_for_leader_epoch_request = {"OffsetForLeaderEpochRequest", 23, 2, 4, 4,
    &kw_offset_for_leader_epoch_request_root};

static const struct kw_field kw_offset_for_leader_epoch_response_partition_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_offset_for_leader_epoch_response_partition, error_code), 0,
     2, 4, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"partition", NULL, 0, offsetof(struct kw_offset_for_leader_epoch_response_partition, partition), 0,
     2, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_epoch", NULL, -1, offsetof(struct kw_offset_for_leader_epoch_response_partition, leader_epoch), 0,
     2, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"end_offset", NULL, -1, offsetof(struct kw_offset_for_leader_epoch_response_partition, end_offset), 0,
     2, 4, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_offset_for_leader_epoch_response_partition = {"partition", kw_offset_for_leader_epoch_response_partition_fields, sizeof(struct kw_offset_for_leader_epoch_response_partition), 4, 0};

static const struct kw_field kw_offset_for_leader_epoch_response_topic_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_offset_for_leader_epoch_response_topic, topic), 0,
     2, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"partitions", &kw_offset_for_leader_epoch_response_partition, 0, offsetof(struct kw_offset_for_leader_epoch_response_topic, partitions), offsetof(struct kw_offset_for_leader_epoch_response_topic, partitions_count),
     2, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_offset_for_leader_epoch_response_topic = {"topic", kw_offset_for_leader_epoch_response_topic_fields, sizeof(struct kw_offset_for_leader_epoch_response_topic), 2, 0};

static const struct kw_field kw_offset_for_leader_epoch_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_offset_for_leader_epoch_response, throttle_time_ms), 0,
     2, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_offset_for_leader_epoch_response_topic, 0, offsetof(struct kw_offset_for_leader_epoch_response, topics), offsetof(struct kw_offset_for_leader_epoch_response, topics_count),
     2, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_offset_for_leader_epoch_response_root = {"OffsetForLeaderEpochResponse", kw_offset_for_leader_epoch_response_fields, sizeof(struct kw_offset_for_leader_epoch_response), 2, 0};

const struct kw_message kw_offset_for_leader_epoch_response = {"OffsetForLeaderEpochResponse", 23, 2, 4, 4,
    &kw_offset_for_leader_epoch_response_root};
