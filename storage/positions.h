/* The sidecar BASE.positions of a segment: one row per batch {relative offset, file position, position in the total order} (FORMAT.md).
 *
 * Every read of a log finds its batches here. A row exists in memory from the append on, gets its position when it is bound, and
 * is written to the file by the next flush; the newest rows stay in memory, so that the tail is found without a system call.
 *
 *   row:   0 ......... first ......... written ......... bound ......... count
 *          file only   | memory and file |  memory, bound  | memory, no position yet
 *
 * Owner thread. */
#pragma once

#include "storage/vfs.h"

#define STORE_POSITION_NONE UINT64_MAX
#define STORE_POSITIONS_HEADER_BYTES 48u
#define STORE_POSITIONS_ROW_BYTES 16u
#define STORE_POSITIONS_BLOCK_BYTES (64u * STORE_POSITIONS_ROW_BYTES) /* read at a time */
#define STORE_POSITIONS_BYTES_MAX (STORE_POSITIONS_HEADER_BYTES + (int64_t)UINT32_MAX / 61 * STORE_POSITIONS_ROW_BYTES)

struct store_positions_row {
    uint32_t delta;         /* base offset of the batch - base of the segment */
    uint32_t file_position; /* of the batch in the .log */
    uint64_t position;      /* STORE_POSITION_NONE: not bound, or not known */
};

struct store_positions {
    struct store_positions_row *rows; /* [first, count) */
    uint32_t cap;
    uint32_t first, written, bound, count;
};

/* What the head of the file tells about the segment. */
struct store_positions_header {
    int64_t segment_base;
    int64_t first_ms, last_ms; /* broker's clock at the first and last append */
    uint32_t index_count, time_count; /* entries of .index and .timeindex when it was written */
    bool lacks_positions; /* the rows were made again, and not all have their position yet */
};

/* A place to search from: the file may be NULL when all rows are in memory. Rows of the file are kept a block at a time. */
struct store_positions_reader {
    const struct store_positions *positions;
    struct store_file *file;
    bool nowait;     /* BR_COLD rather than waiting */
    int64_t cold_at; /* after BR_COLD: file position of the block that is not there, STORE_POSITIONS_BLOCK_BYTES at most */
    uint32_t block_first, block_count;
    struct store_positions_row block[STORE_POSITIONS_BLOCK_BYTES / STORE_POSITIONS_ROW_BYTES];
};

enum store_positions_key { STORE_BY_DELTA, STORE_BY_FILE_POSITION, STORE_BY_POSITION };

/* The caller's memory; empty. clear frees the rows. */
void store_positions_init(struct store_positions *p);
void store_positions_clear(struct store_positions *p);
/* A batch was appended. delta and file_position rise. */
void store_positions_add(struct store_positions *p, uint32_t delta, uint32_t file_position);
/* The next row without position gets it. There is one. */
void store_positions_bind(struct store_positions *p, uint64_t position);
/* The first row that has no position yet; bound < count. */
const struct store_positions_row *store_positions_next(const struct store_positions *p);
/* Forgets rows from index on, in memory; the file is cut by the caller. Rows at first and after only. */
void store_positions_cut(struct store_positions *p, uint32_t count);

void store_positions_reader_init(struct store_positions_reader *r, const struct store_positions *p, struct store_file *file, bool nowait);
/* Row i < count. BR_EOF: the file is shorter than it should be. */
BR_MUST_USE enum br_err store_positions_get(struct store_positions_reader *r, uint32_t i, struct store_positions_row *out);
/* Index of the first row in [low, high) whose key is at or above value; high when none. Needs a file only where first > low. */
BR_MUST_USE enum br_err store_positions_search(struct store_positions_reader *r, enum store_positions_key key, uint64_t value, uint32_t low,
                                               uint32_t high, uint32_t *index);

/* Writes the bound rows that are not in the file. */
BR_MUST_USE enum br_err store_positions_write(struct store_positions *p, struct store_file *file);
/* Gives row i < written its position, in the file and in memory. */
BR_MUST_USE enum br_err store_positions_rewrite(struct store_positions *p, struct store_file *file, uint32_t i, uint64_t position);
/* Gives up memory of rows that are in the file, but for the newest `keep`. */
void store_positions_shrink(struct store_positions *p, uint32_t keep);
BR_MUST_USE enum br_err store_positions_write_header(struct store_file *file, const struct store_positions_header *header);
/* BR_CORRUPT: not such a header (short, other magic or version, CRC). */
BR_MUST_USE enum br_err store_positions_read_header(struct store_file *file, bool nowait, struct store_positions_header *out);
void store_positions_check(const struct store_positions *p);
