/* Builds the parts in order, tears them down in reverse. One per process; nothing here is global. */
#pragma once

#include "broker/config.h"
#include "broker/topic/catalog.h"
#include "broker/wait.h"
#include "compat/zip/zip.h"
#include "order/driver/local.h"

struct br_net_loop;
struct broker_sessions;    /* broker/data/fetch_session.h */
struct broker_coordinator; /* broker/group/coordinator.h */
struct broker_server;      /* listeners and clients: broker/server.h */
struct broker_retention;   /* broker/data/retention.h */
struct broker_metadata_cache; /* broker/topic/metadata_cache.h */

struct broker {
    struct broker_config *config;
    struct br_net_loop *loop;
    struct broker_waits waits;
    struct store_identity identity; /* cluster id, node id, starts */
    struct store *store;            /* from the beginning of recovery on */
    struct order_local *order;
    struct broker_catalog *catalog;
    struct broker_metadata_cache *metadata;
    struct broker_sessions *sessions;
    struct broker_coordinator *groups;
    struct broker_server *server;
    struct broker_retention *retention;
    struct broker_watch_list stable_watchers; /* who waits for positions to be stable */
    struct broker_watch_list done_watchers;   /* who waits for anything to be done */
    struct store_io_pool *pool;      /* cold reads, checkpoints, deletions */
    struct kw_zip *zip;              /* decoder state of the loop thread */
    struct store_io_pool *sync_pool; /* the journal's sync thread */
    int64_t now_ms, wall_ms;        /* of this turn */
    bool is_stopping;
};

/* Opens the data directory (recovery), listens, prints the start line. Errors are one clear line in eb. config is given (on BR_OK). */
BR_MUST_USE enum br_err broker_open(struct broker_config *config, struct broker **out, struct br_errbuf *eb);
/* Runs until broker_stop; returns after a clean stop. */
void broker_run(struct broker *broker);
/* Thread: any (signal-safe). Drains within 2 s. */
void broker_stop(struct broker *broker);
void broker_close(struct broker *broker);

static inline int32_t broker_node_id(const struct broker *b) { return b->identity.node_id; }
/* Leader epoch of every partition in this start: counts up with each start. */
static inline int32_t broker_leader_epoch(const struct broker *b) { return (int32_t)b->identity.starts; }
