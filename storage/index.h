/* Kafka's .index and .timeindex of one segment, exactly as Kafka writes them (FORMAT.md), for its tools and for lookups by time.
 *
 *   .index      one entry about every index.interval.bytes: last offset of a batch (relative to the segment's base) -> where the batch begins
 *   .timeindex  beside each of them, if it grew: largest timestamp so far -> last offset of the batch that has it; and once more when the
 *               segment is sealed
 *
 * Entries wait in memory and are written together: the files are caches that a scan of the segment makes again. Owner thread. */
#pragma once

#include "storage/vfs.h"

#define STORE_INDEX_ENTRY_BYTES 8u
#define STORE_TIME_ENTRY_BYTES 12u
#define STORE_INDEX_FILE_BYTES (10u << 20) /* Kafka's default segment.index.bytes: a segment with a fuller index is rolled */

struct store_index_entry {
    uint32_t delta, file_position;
};
struct store_time_entry {
    int64_t timestamp;
    uint32_t delta;
};

struct store_index {
    struct store_index_entry *offsets; /* not written yet */
    struct store_time_entry *times;    /* not written yet */
    uint32_t offsets_cap, times_cap;
    uint32_t offsets_pending, times_pending;
    uint32_t offsets_written, times_written; /* entries in the files */
    uint32_t bytes_since;                    /* written to the segment since the last .index entry's batch began */
    int64_t max_timestamp;                   /* largest so far; -1: none */
    uint32_t max_delta;                      /* last offset of the first batch that has it */
    int64_t last_time;                       /* timestamp of the last .timeindex entry; -1: none */
};

void store_index_init(struct store_index *ix);
void store_index_clear(struct store_index *ix);
/* A batch of size bytes was put at file_position; last_delta: its last offset, relative. */
void store_index_add(struct store_index *ix, uint32_t interval_bytes, uint32_t last_delta, uint32_t file_position, uint32_t size, int64_t max_timestamp);
/* The segment takes no more: the final .timeindex entry. */
void store_index_seal(struct store_index *ix);
bool store_index_is_full(const struct store_index *ix);
static inline uint32_t store_index_pending(const struct store_index *ix) { return ix->offsets_pending + ix->times_pending; }

/* Write the waiting entries of one file. */
BR_MUST_USE enum br_err store_index_write_offsets(struct store_index *ix, struct store_file *file);
BR_MUST_USE enum br_err store_index_write_times(struct store_index *ix, struct store_file *file);

/* Into an empty index: takes the first entries of both files, at most offset_count and time_count, those whose offsets lie below end_delta and file positions below
 * bytes. *resume: file position of the last .index entry's batch (0: none), from where batches are to be added again. BR_CORRUPT: shorter than
 * the counts say, or not rising. Blocks. */
BR_MUST_USE enum br_err store_index_load(struct store_index *ix, struct store_file *offsets, struct store_file *times, uint32_t offset_count,
                                         uint32_t time_count, uint32_t end_delta, int64_t bytes, int64_t *resume);
/* Into an empty index, of a sealed segment: the counts and the largest timestamp. BR_CORRUPT as above. nowait: BR_COLD when the last entry of
 * `times` is not in the page cache. */
BR_MUST_USE enum br_err store_index_load_sealed(struct store_index *ix, struct store_file *offsets, struct store_file *times, uint32_t offset_count,
                                                uint32_t time_count, bool nowait);
/* The last entry with a timestamp below t: no batch up to and with offset *delta has t or more. *found false: none. times: NULL when none is
 * written. nowait: BR_COLD when an entry is not in the page cache. */
BR_MUST_USE enum br_err store_index_floor_time(const struct store_index *ix, struct store_file *times, int64_t t, bool nowait, bool *found, uint32_t *delta);
void store_index_check(const struct store_index *ix);
