/* The order log: position -> entry, 64-byte rows, on every broker. Files of 2^20 rows named by the first row's position (20 digits, `.order`), header
 * {magic, format version, cluster id, node id, first position, lane table}, a sparse index in memory (first position per 64 rows).
 * Rows hold absolute positions, so a jump (the ceiling after a power loss, a `trimmed` run) is a gap between rows. */
#pragma once

#include "compat/base/uuid.h"
#include "storage/range.h"

enum { STORE_ORDER_FIRST = 1, STORE_ORDER_LAST = 2, STORE_ORDER_VOID = 4, STORE_ORDER_LOST = 8, STORE_ORDER_TRIMMED = 16,
       STORE_ORDER_CONTROL = 32, STORE_ORDER_TRANSACTIONAL = 64 };

struct store_order_row {
    uint64_t position; /* of the first record */
    uint32_t lane, stream;
    uint64_t s;
    int64_t base_offset;
    uint32_t count; /* records; positions taken: max(1, count) for DATA, else 1; a trimmed run: its length */
    int32_t leader_epoch;
    int64_t max_timestamp;
    uint32_t view;
    uint8_t kind, flags;
    uint16_t domain;
    uint32_t batch_crc;
};
#define STORE_ORDER_ROW_BYTES 64u
#define STORE_ORDER_VERSION 1u

/* Positions the row takes: its count for a trimmed run, max(1, count) for DATA, else 1. Thread: any. */
uint64_t store_order_row_length(const struct store_order_row *row);

struct store_order_log;
struct store_order_log_opts {
    struct store_vfs *vfs;
    const char *dir;
    struct br_uuid cluster_id;
    int32_t node_id;
    uint32_t rows_per_file; /* 0: 2^20 */
};
/* Opens and cuts everything at or above position `keep_below` (what the checkpoint vouches for: a row boundary; later rows are decided again from the
 * journal, and come out equal). old(ctx, row): each good row that is cut, by rising position, so that the caller can see that it comes out equal; may be NULL.
 * The cut is durable on return. BR_CORRUPT with file and offset in eb: damaged below keep_below (the end is looked at, the rest when it is read); BR_VERSION;
 * BR_INVALID: of another cluster or node. The end may lie below keep_below (positions jump); that the last rows went missing is for the caller to see, who noted store_order_log_end at the
 * checkpoint. Blocks: yes. */
BR_MUST_USE enum br_err store_order_log_open(const struct store_order_log_opts *opts, uint64_t keep_below,
                                             void (*old)(void *ctx, const struct store_order_row *row), void *ctx,
                                             struct store_order_log **out, struct br_errbuf *eb);
void store_order_log_close(struct store_order_log *log);
/* Appends to the turn's buffer; positions rise. BR_FULL: the turn holds too much; BR_FAILED after an earlier failure. */
BR_MUST_USE enum br_err store_order_log_add(struct store_order_log *log, const struct store_order_row *row);
/* Writes the buffer to the page cache. Rows are readable after it. On failure none of the turn's rows is there (cut back), or the log is failed. */
BR_MUST_USE enum br_err store_order_log_write(struct store_order_log *log);
uint64_t store_order_log_end(const struct store_order_log *log);   /* next position after the last row */
uint64_t store_order_log_start(const struct store_order_log *log); /* position of the first row kept, or end */
/* First row whose positions reach to or past p (row.position + length > p): at most max rows from there. *count 0: none. cold: NULL waits for the device; else
 * BR_COLD, as storage/range.h has it. A hold must be given back before the log is closed; the file it holds may be trimmed meanwhile. */
BR_MUST_USE enum br_err store_order_log_read(struct store_order_log *log, uint64_t p, struct store_order_row *rows, unsigned max, unsigned *count,
                                             struct store_range *cold);
/* Says that a durable checkpoint (the state file is replaced) now vouches for the rows below position: what the next opening will be given as keep_below, at least. Trimming
 * touches only files wholly below it; at first it is keep_below of the opening. Never falls. */
void store_order_log_vouch(struct store_order_log *log, uint64_t position);
/* `dead(ctx, row)` is asked for each row of each file below the checkpoint but the last (true for good once true): a first file with no live row is removed, a file with less than 1/4 is
 * rewritten with runs folded into one trimmed row. Work is bounded by max_rows a call; returns rows looked at (0: this pass is done, or a rewritten
 * file waits for the next sync to take its place). Call again from time to time while streams' starts move. Writes go to the page cache. cold: NULL
 * waits for the device; else it comes with its hold NULL, and is held when rows must be warmed before this goes on (0 is no end of a pass then). */
unsigned store_order_log_trim(struct store_order_log *log, bool (*dead)(void *ctx, const struct store_order_row *row), void *ctx, unsigned max_rows,
                              struct store_range *cold);
/* For a checkpoint: new (owner) notes what is dirty, run (pool, blocks) syncs it and removes trimmed files, free (owner) ends it; one at a time. After a failed run
 * the log is failed. */
struct store_order_sync;
struct store_order_sync *store_order_log_sync_new(struct store_order_log *log);
BR_MUST_USE enum br_err store_order_log_sync_run(struct store_order_sync *sync);
void store_order_log_sync_free(struct store_order_sync *sync);
void store_order_log_check(const struct store_order_log *log);
/* For readers of files (braid dump): false when the row's CRC does not match. */
BR_MUST_USE bool store_order_decode(const uint8_t bytes[static STORE_ORDER_ROW_BYTES], struct store_order_row *row);
