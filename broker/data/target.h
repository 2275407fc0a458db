/* From what a request names (topic by name or id, partition index) to the partition or the order view, with the error Kafka gives where there is
 * none, and the checks of leader epochs that Fetch, ListOffsets and OffsetForLeaderEpoch share. */
#pragma once

#include "broker/broker.h"
#include "compat/wire/error.h"

struct broker_target {
    enum kw_error error;                /* UNKNOWN_TOPIC_OR_PARTITION or UNKNOWN_TOPIC_ID: the rest is NULL */
    struct broker_topic *topic;
    struct broker_partition *partition; /* NULL for an order view: topic->view */
};

/* id zero: by name. Thread: loop. */
struct broker_target broker_target_find(struct broker *b, struct br_str name, struct br_uuid id, int32_t index);
/* current: what the client believes, -1 unchecked. FENCED_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH or NONE. */
enum kw_error broker_target_epoch_check(const struct broker_target *t, int32_t current);
/* The view's epoch is always 0. */
int32_t broker_target_epoch(const struct broker_target *t);
