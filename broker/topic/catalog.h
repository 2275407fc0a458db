/* The catalog: topics by name and id, their overrides, stream ids, producer-id blocks. Every change is one CATALOG entry in the total order: the change's
 * record is appended to stream 1, and applied when it is done, by the very same broker_catalog_apply as a replay. Reported as done only when applied. */
#pragma once

#include "broker/topic/config.h"
#include "broker/topic/partition.h"
#include "compat/base/uuid.h"

struct broker_topic {
    char *name;
    struct br_uuid id;
    int32_t partition_count;
    struct broker_partition **partitions;
    struct br_map overrides;               /* key -> char *; only those set */
    struct broker_topic_settings settings; /* in force */
    bool is_internal;                      /* __consumer_offsets, __order */
    struct broker_order_view *view;        /* NULL, or what it shows: then it has one partition and no stream (`partitions` is NULL) */
    struct broker_order_view **views;      /* that it is a member of; kept by broker/view */
    size_t views_count;
    /* Changes on their way, so that the next one starts from what will be, not from what is. */
    int32_t partitions_growing;
    struct br_map next_overrides;          /* while alters_waiting > 0 */
    unsigned alters_waiting;
};

struct broker_catalog;
struct broker_order_view; /* broker/view/order_view.h */
struct broker_views;

/* A change waiting for its entry. done(ctx, error) on the loop, after it was applied (or failed). */
typedef void (*broker_catalog_done)(void *ctx, enum kw_error error);

struct broker_catalog *broker_catalog_new(struct broker *broker);
void broker_catalog_free(struct broker_catalog *c);
/* Recovery callbacks of order_local_opts.store. */
enum br_err broker_catalog_load(void *catalog, const uint8_t *data, size_t len, struct br_errbuf *eb);
enum br_err broker_catalog_replay(void *catalog, const struct store_row *row, struct br_errbuf *eb);
void broker_catalog_save(void *catalog, struct br_buf *out);
/* After recovery: makes the order handles of all partitions, with this start's leader epoch. */
void broker_catalog_start(struct broker_catalog *c);

struct broker_topic *broker_catalog_find(struct broker_catalog *c, struct br_str name);        /* NULL: none */
struct broker_topic *broker_catalog_find_id(struct broker_catalog *c, struct br_uuid id);
/* NULL: no such topic or partition, or a view. */
struct broker_partition *broker_catalog_partition(struct broker_catalog *c, struct br_str topic, int32_t index);
/* Walks topics by order of creation; *at starts at 0; NULL at the end. */
struct broker_topic *broker_catalog_next(struct broker_catalog *c, size_t *at);
struct broker_views *broker_catalog_views(struct broker_catalog *c);
const struct br_map *broker_catalog_names(const struct broker_catalog *c); /* name -> topic */
uint64_t broker_catalog_version(const struct broker_catalog *c); /* rises with every change: caches key on it */
size_t broker_catalog_partition_total(const struct broker_catalog *c);

/* KW_NONE or INVALID_TOPIC_EXCEPTION with the reason. */
enum kw_error broker_topic_name_check(struct br_str name, struct br_errbuf *eb);
/* Whether the topic's creation is on its way. */
bool broker_catalog_is_creating(const struct broker_catalog *c, struct br_str name);
/* Names that are internal whoever makes them. */
bool broker_topic_name_is_internal(struct br_str name);
/* Checks everything CreateTopics must (names, collisions, counts, overrides, limits) without changing anything. */
enum kw_error broker_catalog_check_create(struct broker_catalog *c, struct br_str name, int32_t partitions, const struct br_map *overrides, struct br_errbuf *eb);
/* After a successful check. overrides are copied. Two racing creations make it once (the second gets TOPIC_ALREADY_EXISTS). */
void broker_catalog_create(struct broker_catalog *c, struct br_str name, int32_t partitions, const struct br_map *overrides, bool is_internal,
                           broker_catalog_done done, void *ctx);
void broker_catalog_delete(struct broker_catalog *c, struct broker_topic *topic, broker_catalog_done done, void *ctx);
/* Partitions and overrides as they will be once the changes on their way are applied. */
static inline int32_t broker_topic_partitions_next(const struct broker_topic *t) { return t->partition_count + t->partitions_growing; }
static inline const struct br_map *broker_topic_overrides_next(const struct broker_topic *t)
{
    return t->alters_waiting > 0 ? &t->next_overrides : &t->overrides;
}
/* Everything that CreatePartitions must check: INVALID_PARTITIONS (a view, not more than now, over the limit) or POLICY_VIOLATION (over the limit in all). */
enum kw_error broker_catalog_check_grow(struct broker_catalog *c, const struct broker_topic *topic, int32_t partitions, struct br_errbuf *eb);
/* To `partitions` in all; after a successful check. */
void broker_catalog_grow(struct broker_catalog *c, struct broker_topic *topic, int32_t partitions, broker_catalog_done done, void *ctx);
/* Replaces the topic's overrides; build the new ones from broker_topic_overrides_next. */
void broker_catalog_alter(struct broker_catalog *c, struct broker_topic *topic, const struct br_map *overrides, broker_catalog_done done, void *ctx);
/* A producer id never given before. done gets it; ids are taken from durable blocks of 1,000. */
void broker_catalog_producer_id(struct broker_catalog *c, void (*done)(void *ctx, enum kw_error error, int64_t producer_id), void *ctx);
