/* Shared by catalog*.c only. */
#pragma once

#include "broker/broker.h"
#include "compat/base/reader.h"

/* Kinds of catalog records; numbers are on disk. */
enum catalog_kind { CATALOG_TOPIC = 1, CATALOG_DELETE = 2, CATALOG_GROW = 3, CATALOG_ALTER = 4, CATALOG_COUNTERS = 5, CATALOG_VIEW = 6 };
#define CATALOG_RECORD_VERSION 1

/* A run of stream ids for consecutive partitions. */
struct catalog_run {
    uint32_t first;
    int32_t count;
};

/* A record, taken apart; strings borrowed. */
struct catalog_record {
    enum catalog_kind kind;
    struct br_uuid id;
    struct br_str name;
    bool is_internal;
    struct catalog_run runs[64];
    unsigned run_count;
    int32_t first_index;      /* GROW: the partition that the first run begins with */
    struct br_map overrides;  /* key -> char * owned by the record; moved out by whoever keeps it */
    uint64_t view_end, view_seen; /* VIEW: as broker_views_add takes them */
    uint32_t next_stream;     /* COUNTERS */
    int64_t next_producer_id;
};

struct broker_catalog {
    struct broker *broker;
    struct br_map by_name, by_id;     /* -> struct broker_topic */
    struct br_map creating;           /* names whose entry is on its way, folded -> char * name */
    struct br_map folded;             /* names with '.' as '_' -> count of topics: such names exclude each other */
    uint64_t version;
    uint32_t next_stream;             /* first id never given */
    int64_t next_producer_id;         /* in the block at hand */
    int64_t producer_block_end;       /* durable: ids below it are ours to give */
    size_t partitions, partitions_pending;
    struct br_list producer_waiters;
    bool is_live;                     /* after recovery */
    struct broker_views *views;
};

#define CATALOG_NAME_MAX 249 /* bytes of a topic's name */

/* The name with '.' as '_': both are one in metric names. Returns its length. */
size_t catalog_fold(char out[static CATALOG_NAME_MAX + 1], struct br_str name);
void catalog_record_clear(struct catalog_record *r);
void catalog_record_write(const struct catalog_record *r, struct br_buf *out);
BR_MUST_USE enum br_err catalog_record_read(struct br_str bytes, struct catalog_record *out);
/* The one place where the catalog changes, live and in replay. UNKNOWN_TOPIC_OR_PARTITION: the topic is gone. */
enum kw_error catalog_apply(struct broker_catalog *c, struct catalog_record *r);
