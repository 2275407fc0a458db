/* The order log: position -> entry, 64-byte rows (ORDER.md 3c), on every broker. Files of 2^20 rows named by the first row's position (20 digits, `.order`), header
 * {magic, format version, cluster id, node id, first position, lane table}, a sparse index in memory (first position and running max timestamp per 64 rows).
 * Rows hold absolute positions, so a jump (the ceiling after a power loss, a `trimmed` run) is a gap between rows. */
#pragma once

#include "compat/base/uuid.h"
#include "storage/vfs.h"

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

struct store_order_log;
struct store_order_log_opts {
    struct store_vfs *vfs;
    const char *dir;
    struct br_uuid cluster_id;
    int32_t node_id;
    uint32_t rows_per_file; /* 0: 2^20 */
};
/* Opens and cuts everything at or above position `keep_below` (what the checkpoint vouches for; later rows are decided again from the journal, and
 * come out equal). old(ctx, row): each good row that is cut, so that the caller can assert that it comes out equal. */
BR_MUST_USE enum br_err store_order_log_open(const struct store_order_log_opts *opts, uint64_t keep_below,
                                             void (*old)(void *ctx, const struct store_order_row *row), void *ctx,
                                             struct store_order_log **out, struct br_errbuf *eb);
void store_order_log_close(struct store_order_log *log);
/* Appends to the turn's buffer; positions rise. */
BR_MUST_USE enum br_err store_order_log_add(struct store_order_log *log, const struct store_order_row *row);
/* Writes the buffer to the page cache. Rows are readable after it. */
BR_MUST_USE enum br_err store_order_log_write(struct store_order_log *log);
uint64_t store_order_log_end(const struct store_order_log *log);   /* next position after the last row */
uint64_t store_order_log_start(const struct store_order_log *log); /* position of the first row kept, or end */
/* First row whose positions reach to or past p (row.position + length > p): at most max rows from there. *count 0: none. Buffered reads; whole files stay in the page cache
 * at the tail. */
BR_MUST_USE enum br_err store_order_log_read(struct store_order_log *log, uint64_t p, struct store_order_row *rows, unsigned max, unsigned *count);
/* Live rows: `dead(ctx, stream, base_offset)` is asked for rows of a file when its stream's start moved; files with none left are removed, below 1/4 rewritten with runs
 * folded into one trimmed row (DESIGN.md 14). Work is bounded by max_rows a call; returns rows looked at (0: done). */
unsigned store_order_log_trim(struct store_order_log *log, bool (*dead)(void *ctx, const struct store_order_row *row), void *ctx, unsigned max_rows);
/* For a checkpoint: as store_log_sync_*. */
struct store_order_sync;
struct store_order_sync *store_order_log_sync_new(struct store_order_log *log);
enum br_err store_order_log_sync_run(struct store_order_sync *sync);
void store_order_log_sync_free(struct store_order_sync *sync);
void store_order_log_check(const struct store_order_log *log);
