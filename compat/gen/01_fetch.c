/* Made by kwgen.py from 01_fetch.kw: do not edit. */
#include "compat/gen/01_fetch.h"
#include "compat/wire/table.h"

static const struct kw_field kw_fetch_request_replica_state_fields[] = {
    {"replica_id", NULL, -1, offsetof(struct kw_fetch_request_replica_state, replica_id), 0,
     15, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"replica_epoch", NULL, -1, offsetof(struct kw_fetch_request_replica_state, replica_epoch), 0,
     15, 18, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_fetch_request_replica_state = {"replica_state", kw_fetch_request_replica_state_fields, sizeof(struct kw_fetch_request_replica_state), 2, 0};

static const struct kw_field kw_fetch_request_partition_fields[] = {
    {"partition", NULL, 0, offsetof(struct kw_fetch_request_partition, partition), 0,
     4, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"current_leader_epoch", NULL, -1, offsetof(struct kw_fetch_request_partition, current_leader_epoch), 0,
     9, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"fetch_offset", NULL, 0, offsetof(struct kw_fetch_request_partition, fetch_offset), 0,
     4, 18, KW_NEVER, -1, KW_T_INT64, 0},
    {"last_fetched_epoch", NULL, -1, offsetof(struct kw_fetch_request_partition, last_fetched_epoch), 0,
     12, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"log_start_offset", NULL, -1, offsetof(struct kw_fetch_request_partition, log_start_offset), 0,
     5, 18, KW_NEVER, -1, KW_T_INT64, 0},
    {"partition_max_bytes", NULL, 0, offsetof(struct kw_fetch_request_partition, partition_max_bytes), 0,
     4, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"replica_directory_id", NULL, 0, offsetof(struct kw_fetch_request_partition, replica_directory_id), 0,
     17, 18, KW_NEVER, 0, KW_T_UUID, 0},
    {"high_watermark", NULL, 9223372036854775807, offsetof(struct kw_fetch_request_partition, high_watermark), 0,
     18, 18, KW_NEVER, 1, KW_T_INT64, 0},
};
const struct kw_struct kw_fetch_request_partition = {"partition", kw_fetch_request_partition_fields, sizeof(struct kw_fetch_request_partition), 8, 2};

static const struct kw_field kw_fetch_request_topic_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_fetch_request_topic, topic), 0,
     4, 12, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_fetch_request_topic, topic_id), 0,
     13, 18, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_fetch_request_partition, 0, offsetof(struct kw_fetch_request_topic, partitions), offsetof(struct kw_fetch_request_topic, partitions_count),
     4, 18, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_fetch_request_topic = {"topic", kw_fetch_request_topic_fields, sizeof(struct kw_fetch_request_topic), 3, 0};

static const struct kw_field kw_fetch_request_forgotten_topic_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_fetch_request_forgotten_topic, topic), 0,
     7, 12, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_fetch_request_forgotten_topic, topic_id), 0,
     13, 18, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", NULL, 0, offsetof(struct kw_fetch_request_forgotten_topic, partitions), offsetof(struct kw_fetch_request_forgotten_topic, partitions_count),
     7, 18, KW_NEVER, -1, KW_T_INT32, KW_F_ARRAY},
};
const struct kw_struct kw_fetch_request_forgotten_topic = {"forgotten_topic", kw_fetch_request_forgotten_topic_fields, sizeof(struct kw_fetch_request_forgotten_topic), 3, 0};

static const struct kw_field kw_fetch_request_fields[] = {
    {"cluster_id", NULL, 0, offsetof(struct kw_fetch_request, cluster_id), 0,
     12, 18, 12, 0, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"replica_id", NULL, -1, offsetof(struct kw_fetch_request, replica_id), 0,
     4, 14, KW_NEVER, -1, KW_T_INT32, 0},
    {"replica_state", &kw_fetch_request_replica_state, 0, offsetof(struct kw_fetch_request, replica_state), 0,
     15, 18, KW_NEVER, 1, KW_T_STRUCT, 0},
    {"max_wait_ms", NULL, 0, offsetof(struct kw_fetch_request, max_wait_ms), 0,
     4, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"min_bytes", NULL, 0, offsetof(struct kw_fetch_request, min_bytes), 0,
     4, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"max_bytes", NULL, 2147483647, offsetof(struct kw_fetch_request, max_bytes), 0,
     4, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"isolation_level", NULL, 0, offsetof(struct kw_fetch_request, isolation_level), 0,
     4, 18, KW_NEVER, -1, KW_T_INT8, 0},
    {"session_id", NULL, 0, offsetof(struct kw_fetch_request, session_id), 0,
     7, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"session_epoch", NULL, -1, offsetof(struct kw_fetch_request, session_epoch), 0,
     7, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_fetch_request_topic, 0, offsetof(struct kw_fetch_request, topics), offsetof(struct kw_fetch_request, topics_count),
     4, 18, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"forgotten_topics", &kw_fetch_request_forgotten_topic, 0, offsetof(struct kw_fetch_request, forgotten_topics), offsetof(struct kw_fetch_request, forgotten_topics_count),
     7, 18, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"rack_id", NULL, 0, offsetof(struct kw_fetch_request, rack_id), 0,
     11, 18, KW_NEVER, -1, KW_T_STRING, 0},
};
static const struct kw_struct kw_fetch_request_root = {"FetchRequest", kw_fetch_request_fields, sizeof(struct kw_fetch_request), 12, 2};

const struct kw_message kw_fetch_request = {"FetchRequest", 1, 4, 18, 12,
    &kw_fetch_request_root};

static const struct kw_field kw_fetch_response_epoch_end_fields[] = {
    {"epoch", NULL, -1, offsetof(struct kw_fetch_response_epoch_end, epoch), 0,
     12, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"end_offset", NULL, -1, offsetof(struct kw_fetch_response_epoch_end, end_offset), 0,
     12, 18, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_fetch_response_epoch_end = {"epoch_end", kw_fetch_response_epoch_end_fields, sizeof(struct kw_fetch_response_epoch_end), 2, 0};

static const struct kw_field kw_fetch_response_leader_fields[] = {
    {"leader_id", NULL, -1, offsetof(struct kw_fetch_response_leader, leader_id), 0,
     12, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"leader_epoch", NULL, -1, offsetof(struct kw_fetch_response_leader, leader_epoch), 0,
     12, 18, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_fetch_response_leader = {"leader", kw_fetch_response_leader_fields, sizeof(struct kw_fetch_response_leader), 2, 0};

static const struct kw_field kw_fetch_response_snapshot_fields[] = {
    {"end_offset", NULL, -1, offsetof(struct kw_fetch_response_snapshot, end_offset), 0,
     12, 18, KW_NEVER, -1, KW_T_INT64, 0},
    {"epoch", NULL, -1, offsetof(struct kw_fetch_response_snapshot, epoch), 0,
     12, 18, KW_NEVER, -1, KW_T_INT32, 0},
};
const struct kw_struct kw_fetch_response_snapshot = {"snapshot", kw_fetch_response_snapshot_fields, sizeof(struct kw_fetch_response_snapshot), 2, 0};

static const struct kw_field kw_fetch_response_aborted_fields[] = {
    {"producer_id", NULL, 0, offsetof(struct kw_fetch_response_aborted, producer_id), 0,
     4, 18, KW_NEVER, -1, KW_T_INT64, 0},
    {"first_offset", NULL, 0, offsetof(struct kw_fetch_response_aborted, first_offset), 0,
     4, 18, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_fetch_response_aborted = {"aborted", kw_fetch_response_aborted_fields, sizeof(struct kw_fetch_response_aborted), 2, 0};

static const struct kw_field kw_fetch_response_partition_fields[] = {
    {"partition_index", NULL, 0, offsetof(struct kw_fetch_response_partition, partition_index), 0,
     4, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_fetch_response_partition, error_code), 0,
     4, 18, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"high_watermark", NULL, 0, offsetof(struct kw_fetch_response_partition, high_watermark), 0,
     4, 18, KW_NEVER, -1, KW_T_INT64, 0},
    {"last_stable_offset", NULL, -1, offsetof(struct kw_fetch_response_partition, last_stable_offset), 0,
     4, 18, KW_NEVER, -1, KW_T_INT64, 0},
    {"log_start_offset", NULL, -1, offsetof(struct kw_fetch_response_partition, log_start_offset), 0,
     5, 18, KW_NEVER, -1, KW_T_INT64, 0},
    {"diverging_epoch", &kw_fetch_response_epoch_end, 0, offsetof(struct kw_fetch_response_partition, diverging_epoch), 0,
     12, 18, KW_NEVER, 0, KW_T_STRUCT, 0},
    {"current_leader", &kw_fetch_response_leader, 0, offsetof(struct kw_fetch_response_partition, current_leader), 0,
     12, 18, KW_NEVER, 1, KW_T_STRUCT, 0},
    {"snapshot_id", &kw_fetch_response_snapshot, 0, offsetof(struct kw_fetch_response_partition, snapshot_id), 0,
     12, 18, KW_NEVER, 2, KW_T_STRUCT, 0},
    {"aborted_transactions", &kw_fetch_response_aborted, 0, offsetof(struct kw_fetch_response_partition, aborted_transactions), offsetof(struct kw_fetch_response_partition, aborted_transactions_count),
     4, 18, 4, -1, KW_T_STRUCT, KW_F_ARRAY | KW_F_DEFAULT_NULL},
    {"preferred_read_replica", NULL, -1, offsetof(struct kw_fetch_response_partition, preferred_read_replica), 0,
     11, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"records", NULL, 0, offsetof(struct kw_fetch_response_partition, records), 0,
     4, 18, 4, -1, KW_T_RECORDS, 0},
};
const struct kw_struct kw_fetch_response_partition = {"partition", kw_fetch_response_partition_fields, sizeof(struct kw_fetch_response_partition), 11, 3};

static const struct kw_field kw_fetch_response_topic_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_fetch_response_topic, topic), 0,
     4, 12, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_fetch_response_topic, topic_id), 0,
     13, 18, KW_NEVER, -1, KW_T_UUID, 0},
    {"partitions", &kw_fetch_response_partition, 0, offsetof(struct kw_fetch_response_topic, partitions), offsetof(struct kw_fetch_response_topic, partitions_count),
     4, 18, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_fetch_response_topic = {"topic", kw_fetch_response_topic_fields, sizeof(struct kw_fetch_response_topic), 3, 0};

static const struct kw_field kw_fetch_response_node_fields[] = {
    {"node_id", NULL, 0, offsetof(struct kw_fetch_response_node, node_id), 0,
     16, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"host", NULL, 0, offsetof(struct kw_fetch_response_node, host), 0,
     16, 18, KW_NEVER, -1, KW_T_STRING, 0},
    {"port", NULL, 0, offsetof(struct kw_fetch_response_node, port), 0,
     16, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"rack", NULL, 0, offsetof(struct kw_fetch_response_node, rack), 0,
     16, 18, 16, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_fetch_response_node = {"node", kw_fetch_response_node_fields, sizeof(struct kw_fetch_response_node), 4, 0};

static const struct kw_field kw_fetch_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_fetch_response, throttle_time_ms), 0,
     4, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_fetch_response, error_code), 0,
     7, 18, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"session_id", NULL, 0, offsetof(struct kw_fetch_response, session_id), 0,
     7, 18, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", &kw_fetch_response_topic, 0, offsetof(struct kw_fetch_response, topics), offsetof(struct kw_fetch_response, topics_count),
     4, 18, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"node_endpoints", &kw_fetch_response_node, 0, offsetof(struct kw_fetch_response, node_endpoints), offsetof(struct kw_fetch_response, node_endpoints_count),
     16, 18, KW_NEVER, 0, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_fetch_response_root = {"FetchResponse", kw_fetch_response_fields, sizeof(struct kw_fetch_response), 5, 1};

const struct kw_message kw_fetch_response = {"FetchResponse", 1, 4, 18, 12,
    &kw_fetch_response_root};
