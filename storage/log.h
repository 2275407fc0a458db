/* One partition's log: a chain of segments in Kafka's own format so that kafka-dump-log reads them.
 * Directory TOPIC-PARTITION: BASE.log .index .timeindex .positions (ours: the sidecar), leader-epoch-checkpoint,
 * partition.metadata. The directory appears at the first append; files are opened on first use and closed by an LRU.
 *
 * A log is told where things go and never asks who orders: it takes batches whose offsets are already decided. It knows the
 * log end; who may read how far (the done end) is the caller's. Owner thread only; slow parts (sync, deletion, cold reads) are
 * handed to the io pool by the caller through the calls marked "pool". */
#pragma once

#include "compat/base/uuid.h"
#include "compat/batch/batch.h"
#include "storage/io_pool.h"
#include "storage/range.h"

struct store_log;

struct store_log_config {          /* topic settings that act here; may change while open */
    uint32_t segment_bytes;        /* segment.bytes */
    int64_t segment_ms;            /* segment.ms, on the broker's clock */
    uint32_t index_interval_bytes; /* index.interval.bytes */
    int64_t retention_ms;          /* -1: none */
    int64_t retention_bytes;       /* -1: none */
};

/* What the node's state file keeps of a log (and what a fresh one starts from: all zero, active -1). */
struct store_log_state {
    int64_t start;          /* log start offset */
    int64_t end;            /* next offset */
    int64_t active_base;    /* base of the active segment; -1: none yet */
    int64_t active_bytes;   /* its valid length at the checkpoint */
    int32_t leader_epoch;
    int64_t end_timestamp;  /* last LogAppendTime given out, 0 if none (it must not go back); the caller's (store_log_set_end_timestamp) */
    int64_t bound_end;      /* batches below it have their row in a sidecar; rows at and above it are bound again after a start */
};

struct store_log_opts {
    struct store_vfs *vfs;
    const char *root;        /* data directory */
    const char *name;        /* "topic-3": the directory's name */
    struct br_uuid topic_id; /* for partition.metadata */
    struct store_log_config config;
    struct store_log_state state;
    struct store_file_cache *files; /* shared LRU of descriptors; storage/file_cache.h */
    bool *lacks_positions;   /* set when a sidecar had to be made again; may be NULL */
};

/* Allocates; touches no file. *out is freed by store_log_free. */
void store_log_new(const struct store_log_opts *opts, struct store_log **out);
void store_log_free(struct store_log *log);
const struct store_log_state *store_log_state(const struct store_log *log);
const char *store_log_name(const struct store_log *log);
struct br_uuid store_log_topic_id(const struct store_log *log);
void store_log_set_config(struct store_log *log, const struct store_log_config *config);

/* Where a batch was put. */
struct store_place {
    int64_t segment_base, file_position;
};

/* Rolls when due and decides the place of the next batch of `size` bytes, without writing: all that can fail for want of space or
 * descriptors fails here (BR_NOSPACE, BR_IO, BR_FULL). */
BR_MUST_USE enum br_err store_log_prepare(struct store_log *log, uint32_t size, int64_t batch_max_timestamp, int64_t now_ms,
                                          struct store_place *place);
/* Writes the whole batch (its header already patched with base offset == log end) at the place given by the preceding prepare. Keeps .index and
 * .timeindex entries in memory until the next flush of indexes (they are throw-away caches). A failed or short write cuts the
 * tail back; if that fails the log is failed (BR_FAILED from then on). max_timestamp and its offset are the proved ones. */
BR_MUST_USE enum br_err store_log_append(struct store_log *log, const struct kw_batch *batch, int64_t max_timestamp,
                                         int64_t max_timestamp_offset, int64_t now_ms, const struct store_place *place);
/* The LogAppendTime given to the batch just appended, kept in the state. */
void store_log_set_end_timestamp(struct store_log *log, int64_t time_ms);
/* Gives the batch with this base offset its position in the total order (a 16-byte row of the segment's sidecar: relative offset 4,
 * file position 4, position 8). Rows come in offset order; buffered, written by store_log_flush. */
BR_MUST_USE enum br_err store_log_bind(struct store_log *log, int64_t base_offset, uint64_t position);
/* Writes buffered index and sidecar rows to the page cache. Called by the driver at the end of a turn with binds. */
BR_MUST_USE enum br_err store_log_flush(struct store_log *log);

/* Replay of one journal row: payload present, writes it at its place; absent, checks length and CRC there. BR_CORRUPT: the row's bytes are
 * not there ("lost"; the caller ends this stream). Advances the end on BR_OK. */
BR_MUST_USE enum br_err store_log_replay(struct store_log *log, const struct store_place *place, uint32_t length, uint32_t batch_crc,
                                         int32_t leader_epoch, int64_t base_offset, uint32_t count, const uint8_t *payload, int64_t now_ms);
/* After replay, and at the first opening of a log that had no rows: cuts files beyond the end, removes segments above it, rebuilds indexes where they do not
 * fit. Cheap for a log that is as its state says. */
BR_MUST_USE enum br_err store_log_recover(struct store_log *log);

/* A run of whole batches in one segment, as a file range held until store_range_release: whole batches from the one containing `offset`, below `limit` (exclusive offset: done end or last stable offset), at most max_bytes unless at_least_one
 * and the first batch alone is longer. Never crosses a segment: call again from next_offset. length 0 when offset == limit. BR_RANGE: below the start
 * or above the end. BR_COLD: what had to be looked at is not in the page cache; *out is what to warm (storage/range.h). Never waits for the device, but where a sidecar is
 * lost or damaged and must be made again by a scan. */
BR_MUST_USE enum br_err store_log_read(struct store_log *log, int64_t offset, int64_t limit, size_t max_bytes, bool at_least_one,
                                       struct store_range *out);

/* Place of the batch that contains offset (through the sidecar or index), and its position in the total order if bound (else UINT64_MAX). BR_RANGE as above.
 * cold: NULL waits for the device; else BR_COLD fills it with a held range to warm. */
BR_MUST_USE enum br_err store_log_find(struct store_log *log, int64_t offset, int64_t *batch_base, struct store_place *place, uint64_t *position,
                                       struct store_range *cold);

/* A lookup by time in one log, in as many calls as it takes. The caller's memory; made by one of the two below, and dropped at any time. */
struct store_time_query {
    int64_t t, limit;
    bool is_max;
    bool found;                /* the answer, after BR_OK; false: there is none */
    int64_t offset, timestamp; /* -1 when there is none */
    /* the log's: where it stands */
    bool has_begun;
    int64_t from, next;        /* offsets: where the log began, below which all is done */
    int64_t segment, at;       /* the segment being walked and the file position in it; at -1: it is not begun */
    int64_t best;              /* is_max: an offset in the batch with the largest timestamp so far, its record is not named yet; -1 */
};
/* First record below limit whose timestamp is at or above t. */
struct store_time_query store_time_query(int64_t t, int64_t limit);
/* First of the records below limit with the largest timestamp. */
struct store_time_query store_max_time_query(int64_t limit);
/* Goes on with the query, for every codec and timestamp type (inflates the batch where needed). cold: NULL waits for the device until the answer is there;
 * else BR_COLD fills it with a held range to warm, also when a call has done its share of work (32 Ki headers, or 2 MiB of batches read and inflated) and the
 * query should go on in a later turn. The log may be appended to and trimmed in between. */
BR_MUST_USE enum br_err store_log_ask_time(struct store_log *log, struct store_time_query *query, struct store_range *cold);
/* Positions of a sidecar that had to be made again are in the order log only. begin: false when none lacks any; else store_log_bind is called with every row of
 * the order log that is of this stream, in any pieces, while appends and binds go on; and end writes down that all are known. A sidecar that is made again in between waits
 * for the next time. end blocks (a sync for each such sidecar). Thread: owner. */
bool store_log_feed_begin(struct store_log *log);
BR_MUST_USE enum br_err store_log_feed_end(struct store_log *log);
/* The first record left whose position is at or above `position`: its offset, and its position in *found (UINT64_MAX: it has none yet, or there is no such
 * record and the offset is the end). BR_BUSY: positions are being fed. cold: NULL waits for the device; else BR_COLD fills it with a held range to warm. */
BR_MUST_USE enum br_err store_log_seek(struct store_log *log, uint64_t position, int64_t *offset, uint64_t *found, struct store_range *cold);
/* The cut of position p for this stream: the offset that store_log_seek gives. Blocks on the device. */
BR_MUST_USE enum br_err store_log_cut(struct store_log *log, uint64_t position, int64_t *offset);

/* Leader epochs (KIP-320): records that `epoch` starts at the log end; largest epoch <= asked and its end offset, -1/-1 when unknown. */
BR_MUST_USE enum br_err store_log_set_epoch(struct store_log *log, int32_t epoch);
void store_log_epoch_end(struct store_log *log, int32_t asked, int32_t *epoch, int64_t *end_offset);

/* What retention by time and size would remove now: the new start offset (== start when nothing). Whole segments only, never the active one unless it is
 * older than retention_ms altogether (then it is rolled first, as Kafka does). limit: done end. cold: NULL waits for the device; else it comes with its
 * hold NULL, and is held when the next segment must be looked at first: what is known so far is the answer then. */
int64_t store_log_retention_start(struct store_log *log, int64_t now_ms, int64_t limit, struct store_range *cold);
/* Moves the start (never back, and no further than the end). Readers below it get BR_RANGE at once. Segments wholly below are unlinked from the chain; their files are removed by
 * store_log_delete_garbage (pool). Call only after the TRIM is durable. */
void store_log_set_start(struct store_log *log, int64_t start);
/* Takes the files to remove (paths and open segments whose last reader has gone) as a job to run in the pool; NULL when none. */
struct store_io_job *store_log_garbage(struct store_log *log);
/* A job that empties and removes a directory: one that store_log_delete renamed and a stop left over (its name ends in "-delete"). path: copied. */
struct store_io_job *store_log_dir_garbage(struct store_vfs *vfs, const char *path);
/* Sync of everything written since the last call, for a checkpoint: a job for the pool that syncs segments, sidecars, indexes; *failed is set in the job. NULL when clean. */
struct store_log_sync;
struct store_log_sync *store_log_sync_new(struct store_log *log); /* owner: notes what is dirty (cheap) */
enum br_err store_log_sync_run(struct store_log_sync *sync);      /* pool */
/* owner. A sync that was not run, or failed, leaves the log as dirty as it was. The log may be gone by now. */
void store_log_sync_free(struct store_log_sync *sync);
/* The state that was read right after the last store_log_sync_new (of every log, clean ones too) is on disk now. Files of removed segments that a
 * replay from the state before it might still ask for become garbage only here. Thread: owner. */
void store_log_checkpointed(struct store_log *log);
/* Renames the directory to NAME.UUID-delete; files go in the pool. The log is empty and closed then. */
BR_MUST_USE enum br_err store_log_delete(struct store_log *log);
uint64_t store_log_bytes(const struct store_log *log); /* of the .log files, for DescribeLogDirs and retention */
void store_log_check(struct store_log *log); /* asserts the numbered invariants of storage/README.md */
