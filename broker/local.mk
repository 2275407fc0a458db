noinst_LIBRARIES += libbroker.a
libbroker_a_SOURCES = \
	%D%/handler.h %D%/request.h %D%/broker.h \
	%D%/client.h %D%/client.c \
	%D%/config.h %D%/config.c %D%/config_file.c %D%/config_keys.def \
	%D%/dispatch.c \
	%D%/errmap.h %D%/errmap.c \
	%D%/server.h %D%/server.c \
	%D%/wait.h %D%/wait.c \
	%D%/api/00_produce.c \
	%D%/api/01_fetch.c \
	%D%/api/02_list_offsets.c \
	%D%/api/08_offset_commit.c \
	%D%/api/09_offset_fetch.c \
	%D%/api/10_find_coordinator.c \
	%D%/api/11_join_group.c \
	%D%/api/12_heartbeat.c \
	%D%/api/13_leave_group.c \
	%D%/api/14_sync_group.c \
	%D%/api/18_api_versions.c \
	%D%/api/23_offset_for_leader_epoch.c \
	%D%/api/10000_order_tail.c \
	%D%/api/10001_order_wait.c \
	%D%/api/10002_order_read.c \
	%D%/api/10003_order_cut.c \
	%D%/api/10004_order_position.c \
	%D%/api/10005_order_trim.c \
	%D%/api/10006_order_append.c \
	%D%/data/fetch_read.h %D%/data/fetch_read.c \
	%D%/data/fetch_session.h %D%/data/fetch_session.c \
	%D%/data/cut.h %D%/data/cut.c \
	%D%/data/intake.h %D%/data/intake.c \
	%D%/data/retention.h %D%/data/retention.c \
	%D%/data/stable_wait.h %D%/data/stable_wait.c \
	%D%/data/steps.h %D%/data/steps.c \
	%D%/data/target.h %D%/data/target.c \
	%D%/data/warm.h %D%/data/warm.c \
	%D%/group/classic.h %D%/group/classic.c \
	%D%/group/coordinator.h %D%/group/coordinator.c \
	%D%/group/member.h %D%/group/member.c \
	%D%/group/offsets.h %D%/group/offsets.c \
	%D%/group/record.h %D%/group/record.c \
	%D%/view/answer.h %D%/view/answer.c \
	%D%/view/filter.h %D%/view/filter.c \
	%D%/view/lookup.h %D%/view/lookup.c \
	%D%/view/order_view.h %D%/view/order_view.c \
	%D%/view/view_int.h %D%/view/views.c

bin_PROGRAMS += braid
braid_SOURCES = %D%/tool/tool.h %D%/tool/main.c %D%/tool/consume.c %D%/tool/dump.c %D%/tool/order.c %D%/tool/order_api.c %D%/tool/produce.c %D%/tool/topic.c
braid_CFLAGS = $(AM_CFLAGS) $(RDKAFKA_CFLAGS)
braid_LDADD = libbraid.a $(STORAGE_LIBS) $(RDKAFKA_LIBS) $(JANSSON_LIBS)

libbroker_a_SOURCES += \
	%D%/broker.c \
	%D%/api/03_metadata.c \
	%D%/api/19_create_topics.c \
	%D%/api/20_delete_topics.c \
	%D%/api/21_delete_records.c \
	%D%/api/22_init_producer_id.c \
	%D%/api/32_describe_configs.c \
	%D%/api/33_alter_configs.c \
	%D%/api/35_describe_log_dirs.c \
	%D%/api/37_create_partitions.c \
	%D%/api/44_incremental_alter_configs.c \
	%D%/api/46_list_partition_reassignments.c \
	%D%/api/60_describe_cluster.c \
	%D%/api/75_describe_topic_partitions.c \
	%D%/topic/alter.h %D%/topic/alter.c \
	%D%/topic/batch_change.h %D%/topic/batch_change.c \
	%D%/topic/catalog.h %D%/topic/catalog_int.h %D%/topic/catalog.c %D%/topic/catalog_change.c %D%/topic/catalog_record.c \
	%D%/topic/config.h %D%/topic/config.c \
	%D%/topic/metadata_cache.h %D%/topic/metadata_cache.c \
	%D%/topic/rights.h \
	%D%/topic/partition.h

sbin_PROGRAMS += braidd
braidd_SOURCES = %D%/main.c
braidd_LDADD = $(BROKER_LIBS)
