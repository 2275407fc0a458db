/* One segment of a partition log: BASE.log with its .index, .timeindex and .positions, and who is reading it.
 *
 * The log appends to the last segment of its chain; the others are sealed. What is known of a sealed segment is read from its files at first
 * use; what does not fit there is made again by a scan. Internal to storage/log*.c. Owner thread. */
#pragma once

#include "compat/base/list.h"
#include "compat/batch/batch.h"
#include "storage/file_cache.h"
#include "storage/index.h"
#include "storage/log.h"
#include "storage/positions.h"

enum store_segment_file { STORE_SEGMENT_LOG, STORE_SEGMENT_INDEX, STORE_SEGMENT_TIMEINDEX, STORE_SEGMENT_POSITIONS, STORE_SEGMENT_FILES };

#define STORE_SEGMENT_NAME_DIGITS 20
#define STORE_SEGMENT_ROWS_KEPT 256u /* newest sidecar rows kept in memory though they are written */

struct store_segment {
    struct store_file_cache *files; /* borrowed */
    struct store_log *log;          /* NULL: the log is gone, the last range frees the segment */
    char *stem;                     /* DIR/BASE */
    char *log_path;                 /* DIR/BASE.log */
    int64_t base, end;              /* offsets; end is exclusive */
    int64_t bytes;                  /* valid length of .log; -1: not looked up yet */
    int64_t first_ms, last_ms;      /* broker's clock at first and last append; 0: not known */
    int64_t missing_from;           /* the segment behind this one is gone: nothing is known of [missing_from, end); INT64_MAX */
    bool is_sealed;                 /* takes no appends */
    bool is_loaded;                 /* rows and index are known */
    bool is_head_due;               /* sealed, but the head of .positions is not the last one yet */
    bool has_index_files;
    bool is_new;                    /* names of its files are not synced yet */
    enum { STORE_POSITIONS_KNOWN, STORE_POSITIONS_LACKING, STORE_POSITIONS_FED } positions; /* of rows that were made again: log_positions.c */
    uint8_t dirty;                  /* bit per enum store_segment_file: written since the last sync */
    struct store_positions rows;
    struct store_index index;
    struct store_hold holds[STORE_SEGMENT_FILES]; /* files that ranges were handed out of */
    struct br_link link;            /* the log's removed segments */
};

/* dir: of the log. bytes -1: sealed, looked up at first use. The segment is not loaded unless it is empty (bytes 0). */
struct store_segment *store_segment_new(struct store_log *log, struct store_file_cache *files, const char *dir, int64_t base, int64_t end, int64_t bytes);
/* No range may be held. */
void store_segment_free(struct store_segment *s);
/* br_alloc'd. */
char *store_segment_path(const struct store_segment *s, enum store_segment_file which);
/* The suffix with its dot. */
const char *store_segment_suffix(enum store_segment_file which);
bool store_segment_is_held(const struct store_segment *s);

/* One reference to the file in the cache; given back by store_file_cache_release. flags as in vfs.h. */
BR_MUST_USE enum br_err store_segment_acquire(struct store_segment *s, enum store_segment_file which, int flags, struct store_handle **out);
/* A batch of which the header is given lies at s->bytes now: rows, index, end and times follow. */
void store_segment_added(struct store_segment *s, const struct kw_batch *batch, uint32_t interval_bytes, int64_t now_ms);
/* No more appends: the last index entries wait for the next flush. */
void store_segment_seal(struct store_segment *s);
/* Writes bound sidecar rows. all: index entries and the sidecar's head too; else only when many wait. */
BR_MUST_USE enum br_err store_segment_flush(struct store_segment *s, bool all);
/* True while a flush may still have to write something. */
bool store_segment_is_unfinished(const struct store_segment *s);

/* Makes rows and index known. cold: NULL to wait for the device; else BR_COLD fills it with a held range to warm. */
BR_MUST_USE enum br_err store_segment_load(struct store_segment *s, uint32_t interval_bytes, struct store_range *cold);
/* At a start: s->bytes and s->end are what the state vouches for, rows below bound_end are in the sidecar. BR_CORRUPT: the segment does not hold that. */
BR_MUST_USE enum br_err store_segment_recover(struct store_segment *s, uint32_t interval_bytes, int64_t bound_end);
/* Makes index and rows (without positions) again by a scan of the .log. A loaded segment may be asked: what was known is forgotten first. */
BR_MUST_USE enum br_err store_segment_rebuild(struct store_segment *s, uint32_t interval_bytes);
/* Ends the segment at the batch that begins at offset, in memory: that batch and later ones are not in it any more. It takes appends again. */
BR_MUST_USE enum br_err store_segment_cut_back(struct store_segment *s, uint32_t interval_bytes, int64_t offset);
/* Cuts files that are longer than what is known of them. Opens and asks each. *is_cut is set when one was. */
BR_MUST_USE enum br_err store_segment_cut_files(struct store_segment *s, bool *is_cut);
/* The valid length, looked up if need be. */
BR_MUST_USE enum br_err store_segment_bytes(struct store_segment *s, int64_t *bytes);

/* A range of the file, with a reference of its own to the segment; the caller sets its place. */
BR_MUST_USE enum br_err store_segment_hold(struct store_segment *s, enum store_segment_file which, struct store_range *range);
/* A read of len bytes of the file at `at` would have waited: *cold is what to warm. BR_COLD, or why it cannot be held. */
BR_MUST_USE enum br_err store_segment_cold(struct store_segment *s, enum store_segment_file which, int64_t at, size_t len, struct store_range *cold);
/* The sidecar for a reader, or NULL in *out when all rows are in memory. */
BR_MUST_USE enum br_err store_segment_rows_file(struct store_segment *s, struct store_handle **out);
void store_segment_check(const struct store_segment *s);
/* Writes the sidecar's head and the bound rows that are not in it. */
BR_MUST_USE enum br_err store_segment_write_head(struct store_segment *s);
/* log_positions.c: rows of the segment have no position, though they were bound: the order log has them. */
void store_log_lacks_positions(struct store_log *log, struct store_segment *s);

/* ---- segment_scan.c: walks the batch headers of a .log ---- */

struct store_scan {
    struct store_file *file; /* borrowed */
    int64_t at, limit;       /* file positions: of the next batch, of the end */
    int64_t buffer_at;
    size_t buffer_bytes;
    bool nowait;             /* BR_COLD rather than waiting; at is where it was then */
    unsigned reads;          /* so far */
    uint8_t buffer[4096];
};
void store_scan_init(struct store_scan *scan, struct store_file *file, int64_t at, int64_t limit, bool nowait);
/* The header of the next batch; *file_position: where it begins. out->data holds the header only, until the next call. BR_EOF at the limit;
 * BR_CORRUPT: not a batch, or one that reaches past the limit. */
BR_MUST_USE enum br_err store_scan_next(struct store_scan *scan, struct kw_batch *out, int64_t *file_position);
/* One header. nowait: BR_COLD rather than waiting. */
BR_MUST_USE enum br_err store_scan_one(struct store_file *file, int64_t at, int64_t limit, bool nowait, struct kw_batch *out, uint8_t header[KW_BATCH_HEADER]);
/* Whole batch at `at`, proved: base offset, leader epoch, length, CRC. BR_CORRUPT when it is not there. out->data is NULL: the header's numbers only. */
BR_MUST_USE enum br_err store_scan_verify(struct store_file *file, int64_t at, int64_t base_offset, int32_t leader_epoch, uint32_t length, uint32_t batch_crc,
                                          struct kw_batch *out);
