/* Made by kwgen.py from all schema files of compat/gen: do not edit. */
#include "compat/wire/api.h"
#include "compat/wire/table.h"
#include "compat/gen/00_produce.h"
#include "compat/gen/01_fetch.h"
#include "compat/gen/02_list_offsets.h"
#include "compat/gen/03_metadata.h"
#include "compat/gen/08_offset_commit.h"
#include "compat/gen/09_offset_fetch.h"
#include "compat/gen/10000_order_tail.h"
#include "compat/gen/10001_order_wait.h"
#include "compat/gen/10002_order_read.h"
#include "compat/gen/10003_order_cut.h"
#include "compat/gen/10004_order_position.h"
#include "compat/gen/10005_order_trim.h"
#include "compat/gen/10006_order_append.h"
#include "compat/gen/10_find_coordinator.h"
#include "compat/gen/11_join_group.h"
#include "compat/gen/12_heartbeat.h"
#include "compat/gen/13_leave_group.h"
#include "compat/gen/14_sync_group.h"
#include "compat/gen/18_api_versions.h"
#include "compat/gen/19_create_topics.h"
#include "compat/gen/20_delete_topics.h"
#include "compat/gen/21_delete_records.h"
#include "compat/gen/22_init_producer_id.h"
#include "compat/gen/23_offset_for_leader_epoch.h"
#include "compat/gen/32_describe_configs.h"
#include "compat/gen/33_alter_configs.h"
#include "compat/gen/35_describe_log_dirs.h"
#include "compat/gen/37_create_partitions.h"
#include "compat/gen/44_incremental_alter_configs.h"
#include "compat/gen/46_list_partition_reassignments.h"
#include "compat/gen/60_describe_cluster.h"
#include "compat/gen/75_describe_topic_partitions.h"
#include "compat/gen/records.h"

const struct kw_api kw_api_list[] = {
    {0, "Produce", &kw_produce_request, &kw_produce_response},
    {1, "Fetch", &kw_fetch_request, &kw_fetch_response},
    {2, "ListOffsets", &kw_list_offsets_request, &kw_list_offsets_response},
    {3, "Metadata", &kw_metadata_request, &kw_metadata_response},
    {8, "OffsetCommit", &kw_offset_commit_request, &kw_offset_commit_response},
    {9, "OffsetFetch", &kw_offset_fetch_request, &kw_offset_fetch_response},
    {10, "FindCoordinator", &kw_find_coordinator_request, &kw_find_coordinator_response},
    {11, "JoinGroup", &kw_join_group_request, &kw_join_group_response},
    {12, "Heartbeat", &kw_heartbeat_request, &kw_heartbeat_response},
    {13, "LeaveGroup", &kw_leave_group_request, &kw_leave_group_response},
    {14, "SyncGroup", &kw_sync_group_request, &kw_sync_group_response},
    {18, "ApiVersions", &kw_api_versions_request, &kw_api_versions_response},
    {19, "CreateTopics", &kw_create_topics_request, &kw_create_topics_response},
    {20, "DeleteTopics", &kw_delete_topics_request, &kw_delete_topics_response},
    {21, "DeleteRecords", &kw_delete_records_request, &kw_delete_records_response},
    {22, "InitProducerId", &kw_init_producer_id_request, &kw_init_producer_id_response},
    {23, "OffsetForLeaderEpoch", &kw_offset_for_leader_epoch_request, &kw_offset_for_leader_epoch_response},
    {32, "DescribeConfigs", &kw_describe_configs_request, &kw_describe_configs_response},
    {33, "AlterConfigs", &kw_alter_configs_request, &kw_alter_configs_response},
    {35, "DescribeLogDirs", &kw_describe_log_dirs_request, &kw_describe_log_dirs_response},
    {37, "CreatePartitions", &kw_create_partitions_request, &kw_create_partitions_response},
    {44, "IncrementalAlterConfigs", &kw_incremental_alter_configs_request, &kw_incremental_alter_configs_response},
    {46, "ListPartitionReassignments", &kw_list_partition_reassignments_request, &kw_list_partition_reassignments_response},
    {60, "DescribeCluster", &kw_describe_cluster_request, &kw_describe_cluster_response},
    {75, "DescribeTopicPartitions", &kw_describe_topic_partitions_request, &kw_describe_topic_partitions_response},
    {10000, "OrderTail", &kw_order_tail_request, &kw_order_tail_response},
    {10001, "OrderWait", &kw_order_wait_request, &kw_order_wait_response},
    {10002, "OrderRead", &kw_order_read_request, &kw_order_read_response},
    {10003, "OrderCut", &kw_order_cut_request, &kw_order_cut_response},
    {10004, "OrderPosition", &kw_order_position_request, &kw_order_position_response},
    {10005, "OrderTrim", &kw_order_trim_request, &kw_order_trim_response},
    {10006, "OrderAppend", &kw_order_append_request, &kw_order_append_response},
};
const size_t kw_api_list_count = 32;

const struct kw_message *const kw_message_list[] = {
    &kw_produce_request,
    &kw_produce_response,
    &kw_fetch_request,
    &kw_fetch_response,
    &kw_list_offsets_request,
    &kw_list_offsets_response,
    &kw_metadata_request,
    &kw_metadata_response,
    &kw_offset_commit_request,
    &kw_offset_commit_response,
    &kw_offset_fetch_request,
    &kw_offset_fetch_response,
    &kw_order_tail_request,
    &kw_order_tail_response,
    &kw_order_wait_request,
    &kw_order_wait_response,
    &kw_order_read_request,
    &kw_order_read_response,
    &kw_order_cut_request,
    &kw_order_cut_response,
    &kw_order_position_request,
    &kw_order_position_response,
    &kw_order_trim_request,
    &kw_order_trim_response,
    &kw_order_append_request,
    &kw_order_append_response,
    &kw_find_coordinator_request,
    &kw_find_coordinator_response,
    &kw_join_group_request,
    &kw_join_group_response,
    &kw_heartbeat_request,
    &kw_heartbeat_response,
    &kw_leave_group_request,
    &kw_leave_group_response,
    &kw_sync_group_request,
    &kw_sync_group_response,
    &kw_api_versions_request,
    &kw_api_versions_response,
    &kw_create_topics_request,
    &kw_create_topics_response,
    &kw_delete_topics_request,
    &kw_delete_topics_response,
    &kw_delete_records_request,
    &kw_delete_records_response,
    &kw_init_producer_id_request,
    &kw_init_producer_id_response,
    &kw_offset_for_leader_epoch_request,
    &kw_offset_for_leader_epoch_response,
    &kw_describe_configs_request,
    &kw_describe_configs_response,
    &kw_alter_configs_request,
    &kw_alter_configs_response,
    &kw_describe_log_dirs_request,
    &kw_describe_log_dirs_response,
    &kw_create_partitions_request,
    &kw_create_partitions_response,
    &kw_incremental_alter_configs_request,
    &kw_incremental_alter_configs_response,
    &kw_list_partition_reassignments_request,
    &kw_list_partition_reassignments_response,
    &kw_describe_cluster_request,
    &kw_describe_cluster_response,
    &kw_describe_topic_partitions_request,
    &kw_describe_topic_partitions_response,
    &kw_offset_commit_key,
    &kw_offset_commit_value,
    &kw_group_metadata_key,
    &kw_group_metadata_value,
    &kw_consumer_subscription,
    &kw_consumer_assignment,
};
const size_t kw_message_list_count = 70;
