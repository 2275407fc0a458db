libcompat_a_SOURCES += \
	%D%/table.h \
	%D%/codec.h %D%/codec.c %D%/encode.c \
	%D%/print.c \
	%D%/header.h %D%/header.c \
	%D%/api.h %D%/api.c \
	%D%/error.h %D%/error.c

# Output of kwgen.py: committed, refreshed by `make regen` alone, compared by tests/lint/generated.sh.
libcompat_a_SOURCES += \
	compat/gen/00_produce.h compat/gen/00_produce.c \
	compat/gen/01_fetch.h compat/gen/01_fetch.c \
	compat/gen/02_list_offsets.h compat/gen/02_list_offsets.c \
	compat/gen/03_metadata.h compat/gen/03_metadata.c \
	compat/gen/08_offset_commit.h compat/gen/08_offset_commit.c \
	compat/gen/09_offset_fetch.h compat/gen/09_offset_fetch.c \
	compat/gen/10_find_coordinator.h compat/gen/10_find_coordinator.c \
	compat/gen/11_join_group.h compat/gen/11_join_group.c \
	compat/gen/12_heartbeat.h compat/gen/12_heartbeat.c \
	compat/gen/13_leave_group.h compat/gen/13_leave_group.c \
	compat/gen/14_sync_group.h compat/gen/14_sync_group.c \
	compat/gen/18_api_versions.h compat/gen/18_api_versions.c \
	compat/gen/19_create_topics.h compat/gen/19_create_topics.c \
	compat/gen/20_delete_topics.h compat/gen/20_delete_topics.c \
	compat/gen/21_delete_records.h compat/gen/21_delete_records.c \
	compat/gen/22_init_producer_id.h compat/gen/22_init_producer_id.c \
	compat/gen/23_offset_for_leader_epoch.h compat/gen/23_offset_for_leader_epoch.c \
	compat/gen/32_describe_configs.h compat/gen/32_describe_configs.c \
	compat/gen/33_alter_configs.h compat/gen/33_alter_configs.c \
	compat/gen/35_describe_log_dirs.h compat/gen/35_describe_log_dirs.c \
	compat/gen/37_create_partitions.h compat/gen/37_create_partitions.c \
	compat/gen/44_incremental_alter_configs.h compat/gen/44_incremental_alter_configs.c \
	compat/gen/46_list_partition_reassignments.h compat/gen/46_list_partition_reassignments.c \
	compat/gen/60_describe_cluster.h compat/gen/60_describe_cluster.c \
	compat/gen/75_describe_topic_partitions.h compat/gen/75_describe_topic_partitions.c \
	compat/gen/10000_order_tail.h compat/gen/10000_order_tail.c \
	compat/gen/10001_order_wait.h compat/gen/10001_order_wait.c \
	compat/gen/10002_order_read.h compat/gen/10002_order_read.c \
	compat/gen/10003_order_cut.h compat/gen/10003_order_cut.c \
	compat/gen/10004_order_position.h compat/gen/10004_order_position.c \
	compat/gen/10005_order_trim.h compat/gen/10005_order_trim.c \
	compat/gen/10006_order_append.h compat/gen/10006_order_append.c \
	compat/gen/records.h compat/gen/records.c \
	compat/gen/all.c

EXTRA_DIST += compat/schema/kwgen.py compat/schema/README.md %D%/README.md \
	compat/schema/00_produce.kw \
	compat/schema/01_fetch.kw \
	compat/schema/02_list_offsets.kw \
	compat/schema/03_metadata.kw \
	compat/schema/08_offset_commit.kw \
	compat/schema/09_offset_fetch.kw \
	compat/schema/10_find_coordinator.kw \
	compat/schema/11_join_group.kw \
	compat/schema/12_heartbeat.kw \
	compat/schema/13_leave_group.kw \
	compat/schema/14_sync_group.kw \
	compat/schema/18_api_versions.kw \
	compat/schema/19_create_topics.kw \
	compat/schema/20_delete_topics.kw \
	compat/schema/21_delete_records.kw \
	compat/schema/22_init_producer_id.kw \
	compat/schema/23_offset_for_leader_epoch.kw \
	compat/schema/32_describe_configs.kw \
	compat/schema/33_alter_configs.kw \
	compat/schema/35_describe_log_dirs.kw \
	compat/schema/37_create_partitions.kw \
	compat/schema/44_incremental_alter_configs.kw \
	compat/schema/46_list_partition_reassignments.kw \
	compat/schema/60_describe_cluster.kw \
	compat/schema/75_describe_topic_partitions.kw \
	compat/schema/10000_order_tail.kw \
	compat/schema/10001_order_wait.kw \
	compat/schema/10002_order_read.kw \
	compat/schema/10003_order_cut.kw \
	compat/schema/10004_order_position.kw \
	compat/schema/10005_order_trim.kw \
	compat/schema/10006_order_append.kw \
	compat/schema/records.kw

.PHONY: regen
regen:
	cd $(srcdir) && python3 compat/schema/kwgen.py compat/gen compat/schema/*.kw
