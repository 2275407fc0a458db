/* The handler table: one row per API key served; also what ApiVersions advertises (broker/dispatch.c holds the table, in key order). Each handler is one
 * file broker/api/NN_name.c whose head lists versions and what each changed. */
#pragma once

#include "compat/wire/api.h"

struct broker_request;

struct broker_handler {
    int16_t key;
    int16_t min, max;           /* served versions, within the schema's */
    int16_t advertised_min;     /* usually min; Produce says 0: see dispatch.c */
    /* Runs on the loop; must not block. Ends, now or later, in exactly one of broker_reply, broker_reply_nothing, broker_request_close. */
    void (*handle)(struct broker_request *req);
};

/* Handlers, one per file in broker/api. */
void broker_handle_produce(struct broker_request *req);
void broker_handle_fetch(struct broker_request *req);
void broker_handle_list_offsets(struct broker_request *req);
void broker_handle_metadata(struct broker_request *req);
void broker_handle_offset_commit(struct broker_request *req);
void broker_handle_offset_fetch(struct broker_request *req);
void broker_handle_find_coordinator(struct broker_request *req);
void broker_handle_join_group(struct broker_request *req);
void broker_handle_heartbeat(struct broker_request *req);
void broker_handle_leave_group(struct broker_request *req);
void broker_handle_sync_group(struct broker_request *req);
void broker_handle_api_versions(struct broker_request *req);
void broker_handle_create_topics(struct broker_request *req);
void broker_handle_delete_topics(struct broker_request *req);
void broker_handle_delete_records(struct broker_request *req);
void broker_handle_init_producer_id(struct broker_request *req);
void broker_handle_offset_for_leader_epoch(struct broker_request *req);
void broker_handle_describe_configs(struct broker_request *req);
void broker_handle_alter_configs(struct broker_request *req);
void broker_handle_describe_log_dirs(struct broker_request *req);
void broker_handle_create_partitions(struct broker_request *req);
void broker_handle_incremental_alter_configs(struct broker_request *req);
void broker_handle_list_partition_reassignments(struct broker_request *req);
void broker_handle_describe_cluster(struct broker_request *req);
void broker_handle_describe_topic_partitions(struct broker_request *req);
void broker_handle_order_tail(struct broker_request *req);
void broker_handle_order_wait(struct broker_request *req);
void broker_handle_order_read(struct broker_request *req);
void broker_handle_order_cut(struct broker_request *req);
void broker_handle_order_position(struct broker_request *req);
void broker_handle_order_trim(struct broker_request *req);
void broker_handle_order_append(struct broker_request *req);

/* Keys from here on are Braid's own: shown to, and served for, a client that named itself libbraid in ApiVersions, and to others unknown. */
#define BROKER_OWN_KEYS 10000

/* NULL when the key is not served. */
const struct broker_handler *broker_handler_find(int16_t key);
const struct broker_handler *broker_handler_all(size_t *count);
