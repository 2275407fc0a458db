/* Group coordinator: drives the group machines. Loads them from __consumer_offsets at start, persists what they ask for, runs their timers, answers
 * requests. State reaches the tables by group_record only: a commit is applied when its record is done, by the same code as a replay.
 *
 * One coordinator a node for now; groups are found by their partition of __consumer_offsets so that several nodes later change only who owns it. */
#pragma once

#include "broker/broker.h"
#include "broker/group/record.h"

#define BROKER_OFFSETS_TOPIC "__consumer_offsets"

struct broker_coordinator;

struct broker_group {
    char *id;
    struct group_core core;
    struct group_offsets offsets;
    struct broker_wait timer;
    struct broker_coordinator *coordinator;
    int64_t empty_since_ms; /* wall clock; for the expiry of offsets */
};

struct broker_coordinator *broker_coordinator_new(struct broker *b);
void broker_coordinator_free(struct broker_coordinator *c);
/* Replays __consumer_offsets. Blocks (start-up). */
BR_MUST_USE enum br_err broker_coordinator_load(struct broker_coordinator *c, struct br_errbuf *eb);
/* True when the offsets topic exists; else starts making it, and done is called when it does (or could not be made). */
bool broker_coordinator_is_ready(struct broker_coordinator *c);
void broker_coordinator_prepare(struct broker_coordinator *c, void (*done)(void *ctx, enum kw_error error), void *ctx);

/* Not empty, and without NUL: names of groups, members and protocols are C strings here, and one must not stand for another. */
bool broker_group_id_is_valid(struct br_str id);
/* NULL when unknown and not `create`; id is valid. */
struct broker_group *broker_coordinator_group(struct broker_coordinator *c, struct br_str id, bool create);
/* Next group in order of creation; *at starts at 0. */
struct broker_group *broker_coordinator_next(struct broker_coordinator *c, size_t *at);
/* Runs the effects of an event on the group: answers joins and syncs, persists, restarts the timer, drops a group that is of no use any more. Clears fx. */
void broker_group_run(struct broker_group *group, struct group_effects *fx);

/* One commit: `count` offsets of one group, in one batch. done on the loop with the error of the append; then they are in group->offsets. */
struct group_commit_item {
    struct br_str topic, metadata;
    int32_t partition, leader_epoch;
    int64_t offset, expire_ms; /* -1: by the broker's retention */
};
void broker_coordinator_commit(struct broker_coordinator *c, struct broker_group *group, const struct group_commit_item *items, size_t count,
                               void (*done)(void *ctx, enum kw_error error), void *ctx);
/* A topic is gone from the catalog: so are its commits. */
void broker_coordinator_topic_deleted(struct broker_coordinator *c);

/* Kafka's partition of a group: Java's string hash of its UTF-16 form, sign bit cleared, mod n. */
int32_t broker_group_partition(struct br_str group, int32_t partition_count);

/* Answers of waiting requests; in api/11_join_group.c and 14_sync_group.c. */
void broker_join_group_answer(void *token, struct broker_group *group, const struct group_effect *effect);
void broker_sync_group_answer(void *token, struct broker_group *group, const struct group_effect *effect);
