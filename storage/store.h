/* The node's store: one data directory with its lock, identity, journal, order log, partition logs and state file; opening it is
 * recovery, a checkpoint bounds the next one.
 *
 *   braid-data/
 *     meta.properties        version, cluster.id, node.id, directory.id (Kafka's format)
 *     .lock
 *     state                  the state file, replaced atomically at each checkpoint (storage/FORMAT.md)
 *     boot                   view number, incarnation, leader epoch: one counter synced once a start, and the boot id of the machine
 *     clean                  the counter of the last start that ended in a clean stop
 *     journal/ order/        redo log; order log
 *     TOPIC-PARTITION/       segments
 *
 * The store never asks who orders: the order layer's driver passes what it decided. The catalog is opaque bytes here. */
#pragma once

#include "storage/io_pool.h"
#include "storage/journal.h"
#include "storage/log.h"
#include "storage/order_log.h"
#include "storage/producer.h"

struct store;
struct store_identity;

struct store_stream {
    uint32_t id;      /* from the catalog, never reused; 0 is __braid_log, 1 the catalog */
    struct store_log *log;
    struct store_producers producers;
    void *owner;      /* the order layer's handle */
    int64_t trim_to;  /* recovery: the largest start that a replayed TRIM asks for */
};

struct store_opts {
    struct store_vfs *vfs;
    const char *dir;
    int32_t node_id;             /* -1: as meta.properties says, or 1 */
    struct br_uuid cluster_id;   /* zero: as meta.properties says, or a new one */
    struct store_log_config internal_config; /* for streams 0 and 1 */
    uint32_t journal_file_bytes, order_rows_per_file; /* 0: defaults; small in tests */
    unsigned files_max;          /* descriptors the LRU may hold */
    const char *boot_id;         /* NULL: the machine's; tests name their own */
    struct store_io_pool *pool;      /* checkpoints, deletions, cold reads */
    struct store_io_pool *sync_pool; /* one thread */
    /* Recovery callbacks, in this order. begin: identity is known and the store may be asked for streams 0 and 1. snapshot: the catalog's bytes of the state file (len 0 in a new directory): it must call store_stream_add for every stream but 0 and 1.
     * catalog: a CATALOG entry found in the journal, in LSN order: may add and remove streams. row: every other row (after the store replayed it into its
     * stream), is_lost: its bytes are not there, position kept; unknown streams are passed with stream NULL. replayed: all rows were seen, logs not yet cut. */
    void (*begin)(void *ctx, struct store *store, const struct store_identity *identity);
    enum br_err (*snapshot)(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb);
    enum br_err (*catalog)(void *ctx, const struct store_row *row, struct br_errbuf *eb);
    enum br_err (*row)(void *ctx, const struct store_row *row, struct store_stream *stream, bool is_lost, struct br_errbuf *eb);
    /* Order log rows at or above the checkpoint that the previous run had written, before they are decided again. */
    void (*old_row)(void *ctx, const struct store_order_row *row);
    /* A checkpoint asks for the catalog's snapshot. */
    void (*save_catalog)(void *ctx, struct br_buf *out);
    void *ctx;
};

struct store_identity {
    struct br_uuid cluster_id;
    int32_t node_id;
    uint32_t starts;       /* counts up at each start: view number, incarnation and leader epoch of this start */
    bool is_new;           /* the directory was made now */
    bool was_clean;        /* last stop was clean */
    bool lost_power;       /* unclean stop and another boot id: unsynced bytes may be gone */
    uint64_t next_position; /* at the checkpoint: where the order log was kept below; then rows follow */
    uint64_t position_ceiling; /* with lost_power: the next position after replay is at least this */
    uint32_t lane;         /* last lane used and its last s, at the checkpoint */
    uint64_t lane_s;
};

/* Opens (locks, checks formats, recovers). Errors are one clear line in eb: BR_LOCKED, BR_VERSION, BR_CORRUPT, BR_DENIED, BR_NOSPACE ... Blocks: yes. */
BR_MUST_USE enum br_err store_open(const struct store_opts *opts, struct store **out, struct store_identity *identity, struct br_errbuf *eb);
/* Ends recovery: cuts logs beyond their last good row, checks the order log's end. After this appends are allowed. */
BR_MUST_USE enum br_err store_start(struct store *store, struct br_errbuf *eb);
/* clean: the caller has just made a checkpoint of everything; marks a clean stop (never after a failed write). */
void store_close(struct store *store, bool clean);

struct store_journal *store_journal(struct store *store);
struct store_order_log *store_order_log(struct store *store);
const struct store_opts *store_opts(const struct store *store);

/* name: directory ("topic-3"). During recovery the state file's part for the id, if any, is applied. The pointer is stable. */
BR_MUST_USE enum br_err store_stream_add(struct store *store, uint32_t id, const char *name, struct br_uuid topic_id,
                                         const struct store_log_config *config, struct store_stream **out);
/* Forgets it and deletes its directory in the pool. Only after the CATALOG entry that says so is durable. */
void store_stream_remove(struct store *store, uint32_t id);
struct store_stream *store_stream_find(struct store *store, uint32_t id); /* NULL when unknown */
/* Walks by rising id: 0 first; NULL at the end. */
struct store_stream *store_stream_next(struct store *store, uint32_t after_or_minus_one);

/* Starts a checkpoint when none runs: notes what is dirty and the journal's end, syncs in the pool, replaces the state file, recycles the journal. `position`: next position
 * (all rows below it written), lane and s: last ordered. done may be NULL. Loop's part is bounded; BR_BUSY when one runs. */
BR_MUST_USE enum br_err store_checkpoint(struct store *store, uint64_t position, uint32_t lane, uint64_t lane_s, void (*done)(void *ctx, enum br_err err), void *ctx);
/* True when enough journal has been written since the last one (64 MiB by default, or 60 s with anything written). */
bool store_checkpoint_is_due(const struct store *store, int64_t now_ms);
/* The first failure that made the store refuse writes, or BR_OK. */
enum br_err store_failed(const struct store *store);
void store_fail(struct store *store, enum br_err err);
/* The body of a TRIM entry: a plain batch of stream 0 whose one record has key = stream id (4 bytes) and value = new start (8 bytes). */
BR_MUST_USE enum br_err store_trim_body(uint32_t stream, int64_t start, int64_t now_ms, struct br_buf *out);
/* Positions that sidecars lost (a damaged or missing file) come back from the order log: one step, which looks at up to max_rows rows of it and, at the end of a
 * pass, syncs those sidecars. False: nothing is left to do. Call after the turn's rows are written and bound. Thread: owner. Blocks: a step waits for its rows and
 * sidecars, the last one for the syncs; all of it only after damage. */
bool store_feed_positions(struct store *store, unsigned max_rows);
/* Runs garbage (deleted segments and directories) in the pool. Call now and then. */
void store_collect(struct store *store);
