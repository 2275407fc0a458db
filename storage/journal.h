/* The journal: a physical redo log. Rows say which batch lies where; rows of class fsync carry the batch too.
 * One write for all rows of a loop turn, one fdatasync for all partitions (group commit, by a sync thread), files
 * of 64 MiB that grow by use and are recycled.
 *
 * Record, big-endian (also in storage/FORMAT.md, the byte table outranks this comment):
 *   0  4  crc        CRC-32C of bytes 4..end of the record, started with the file's generation (so that records left by an
 *                    earlier use of recycled blocks never pass)
 *   4  4  length     whole record
 *   8  8  lsn        of its first byte; LSNs count bytes and never restart
 *  16  1  kind       enum store_row_kind
 *  17  1  class      enum store_class
 *  18  2  flags      bit 0 payload follows, 1 payload by reference, 2 first of entry, 3 last of entry, 4 chained (overflow), 5 append time
 *  20  4  stream     24  4 leader epoch    28  8 base offset    36  4 count (records)   40  8 segment base
 *  48  8  file position   56  4 batch length   60  4 batch CRC    64  8 max timestamp   72  8 producer id
 *  80  2  producer epoch  82  2 zero  84  4 base sequence   88  4 lane   92  8 s   100  4 zero
 *  104 n  payload
 * Each group written at once begins with a head record (kind HEAD) that holds the LSN synced before it: a bad record below it
 * is rot (refuse to start, naming file and offset), above it the torn tail (cut). */
#pragma once

#include "compat/base/base.h"
#include "compat/base/uuid.h"
#include "storage/io_pool.h"
#include "storage/vfs.h"

/* Entry kinds; numbers are on disk and never change. HEAD is the journal's own. */
enum store_row_kind {
    STORE_ROW_HEAD = 0, STORE_ROW_DATA = 1, STORE_ROW_FENCE = 2, STORE_ROW_COMMIT = 3, STORE_ROW_ABORT = 4, STORE_ROW_MARKER = 5,
    STORE_ROW_NOOP = 6, STORE_ROW_BARRIER = 7, STORE_ROW_CATALOG = 8, STORE_ROW_TRIM = 9, STORE_ROW_TRUNCATE = 10,
    STORE_ROW_PREPARE = 11, STORE_ROW_FINAL = 12,
};
enum store_class { STORE_CLASS_MEMORY = 0, STORE_CLASS_PAGE_CACHE = 1, STORE_CLASS_FSYNC = 2 };
enum { STORE_ROW_FIRST = 4, STORE_ROW_LAST = 8, STORE_ROW_PAYLOAD = 1, STORE_ROW_BY_REFERENCE = 2, STORE_ROW_CHAINED = 16,
       STORE_ROW_APPEND_TIME = 32, /* the batch's time is the broker's: max timestamp is what was answered */
       STORE_ROW_FLAGS = 63 /* all of them: a row with another one is of a later release */ };

struct store_row {
    uint64_t lsn;
    uint8_t kind, class;
    uint16_t flags;
    uint32_t stream;
    int32_t leader_epoch;
    int64_t base_offset;
    uint32_t count;        /* records; positions of the entry are max(1, records) for DATA, else 1 */
    int64_t segment_base;  /* names the segment file */
    int64_t file_position;
    uint32_t length;       /* of the batch */
    uint32_t batch_crc;    /* the batch's own CRC field */
    int64_t max_timestamp;
    int64_t producer_id;
    int16_t producer_epoch;
    int32_t base_sequence;
    uint32_t lane;
    uint64_t s;
    const uint8_t *payload; /* NULL without; borrowed */
};

#define STORE_JOURNAL_FILE_BYTES (64u << 20)
#define STORE_JOURNAL_ROW_BYTES 104u
#define STORE_JOURNAL_VERSION 1u

struct store_journal;

struct store_journal_opts {
    struct store_vfs *vfs;
    const char *dir;            /* of the journal files; made when absent */
    struct br_uuid cluster_id;  /* in every file's head */
    int32_t node_id;
    uint32_t file_bytes;        /* 0: the default */
    struct store_io_pool *sync_pool; /* one thread; or zero threads in tests */
};

/* Each valid record in LSN order from `from`; it is durable by then (S-7). Anything but BR_OK stops the replay and is returned. */
typedef enum br_err (*store_journal_each)(void *ctx, const struct store_row *row);

/* Opens, replays from LSN `from` (the last checkpoint's), cuts the torn tail, and is then ready to append after the last valid
 * record. *end: LSN after it. BR_CORRUPT with the file and offset in eb for rot; BR_VERSION for an unknown format.
 * Thread: owner. Blocks: yes (start-up). */
BR_MUST_USE enum br_err store_journal_open(const struct store_journal_opts *opts, uint64_t from, store_journal_each each, void *ctx,
                                           struct store_journal **out, uint64_t *end, struct br_errbuf *eb);
void store_journal_close(struct store_journal *j);

/* Whether so many records with so much payload in all can be added to this turn, one file holding them all: what store_journal_add (one) and store_journal_together (more)
 * would answer, asked before anything is assigned. */
BR_MUST_USE enum br_err store_journal_fits(const struct store_journal *j, unsigned rows, size_t payload);
/* The next `rows` records go to one file behind one head (S-8): called before the first of them; each store_journal_add of them is BR_OK then. */
BR_MUST_USE enum br_err store_journal_together(struct store_journal *j, unsigned rows, size_t payload);
/* Adds a record to this turn's buffer; row->lsn is set. payload (length bytes) is borrowed until store_journal_write returns.
 * BR_TOO_LARGE: does not fit a file; BR_FULL: this turn holds too much; BR_FAILED after an earlier failure. Thread: owner. Blocks: no. */
BR_MUST_USE enum br_err store_journal_add(struct store_journal *j, struct store_row *row, const void *payload);
/* Writes this turn's records (head first) to the page cache: on BR_OK all bytes below store_journal_written() are written.
 * A failure (BR_NOSPACE, BR_IO) cuts the tail back and drops the turn's records; if that fails too the journal is failed. */
BR_MUST_USE enum br_err store_journal_write(struct store_journal *j);
uint64_t store_journal_written(const struct store_journal *j); /* LSN: exclusive end */
uint64_t store_journal_synced(const struct store_journal *j);  /* LSN: exclusive end */
/* Makes everything written so far durable; several calls while one sync runs are folded into the next. on_synced(ctx, err, lsn) is called from
 * store_io_pool_reap of the sync pool for each finished sync. After an error the journal is failed for good (never retried). */
void store_journal_sync(struct store_journal *j);
void store_journal_on_synced(struct store_journal *j, void (*on_synced)(void *ctx, enum br_err err, uint64_t lsn), void *ctx);
/* Checks, before anything is assigned, that bytes more (record overhead included) will fit the file system's room reserve. */
BR_MUST_USE enum br_err store_journal_has_room(struct store_journal *j, size_t bytes);
/* Files wholly below lsn become free and are reused. Only after the state file that says so is durable. */
void store_journal_recycle(struct store_journal *j, uint64_t lsn);
uint64_t store_journal_bytes(const struct store_journal *j); /* since the last recycle point: when to checkpoint */
void store_journal_check(const struct store_journal *j);

/* For readers of files (braid dump): a record's 104 bytes taken apart; payload is not set. *length: the record's. */
void store_journal_decode(const uint8_t bytes[static STORE_JOURNAL_ROW_BYTES], struct store_row *row, uint32_t *length);
/* What the CRC of a record in file seq starts with. */
uint32_t store_journal_seed(uint64_t seq);
