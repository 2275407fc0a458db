/* What order_log.c (opening, appending, reading), order_log_sync.c (checkpoints) and order_log_trim.c share. */
#pragma once

#include "compat/base/buf.h"
#include "storage/file_cache.h"
#include "storage/order_log.h"

/* limits */
#define ORDER_HEADER_BYTES 4096u
#define ORDER_ROWS_PER_FILE (1u << 20)
#define ORDER_BLOCK_ROWS 64u              /* rows per entry of the sparse index */
#define ORDER_INDEXES_MAX 16u             /* files whose index is kept */
#define ORDER_FILES_OPEN_MAX 16u
#define ORDER_FILES_MAX 65536u
#define ORDER_TURN_BYTES_MAX (64u << 20)
#define ORDER_CHUNK_ROWS 256u             /* read at a time */
#define ORDER_POSITION_MAX (UINT64_MAX >> 2)

struct order_file {
    uint64_t first;   /* position in its name */
    uint64_t rows;
    uint64_t *index;  /* position of each block's first row, UINT64_MAX: not looked up yet; NULL: none kept */
    size_t blocks;    /* entries of index */
    bool is_dirty;
};

/* Where trimming stands. One file at a time: count its live rows, then perhaps rewrite it next to the old one; the next
 * sync makes the new one durable, and then it takes the old one's place. */
struct order_trim {
    enum { ORDER_TRIM_COUNT, ORDER_TRIM_REWRITE, ORDER_TRIM_READY, ORDER_TRIM_SYNCING } phase;
    size_t file;
    uint64_t row, live;
    uint64_t last_end;               /* after the row looked at last */
    struct store_file *out;
    uint64_t out_rows;
    struct br_buf buf;               /* rows on their way out */
    bool has_run;
    struct store_order_row run;      /* dead rows folded so far */
};

struct store_order_log {
    struct store_vfs *vfs;
    char *dir;
    struct br_uuid cluster_id;
    int32_t node_id;
    uint32_t rows_per_file;
    struct store_file_cache *cache;
    struct order_file *files; /* by rising position; the last one is written */
    size_t file_count, file_cap;
    uint64_t end;             /* next position, of what is written */
    uint64_t vouched;         /* a durable checkpoint covers the rows below */
    struct br_buf turn;
    uint64_t turn_end;        /* next position, with the turn's rows */
    bool is_dir_dirty, is_failed, is_syncing;
    uint64_t *garbage;        /* files to remove */
    size_t garbage_count, garbage_cap;
    struct order_trim trim;
};

char *store_order_path(const struct store_order_log *log, uint64_t first);
void store_order_encode(const struct store_order_row *row, uint8_t bytes[static STORE_ORDER_ROW_BYTES]);
void store_order_header(const struct store_order_log *log, uint64_t first, uint8_t block[static ORDER_HEADER_BYTES]);
/* Rows [row, row+count) of a file as bytes; count <= ORDER_CHUNK_ROWS. cold: as in store_order_log_read. */
BR_MUST_USE enum br_err store_order_read_bytes(struct store_order_log *log, const struct order_file *f, uint64_t row, size_t count, uint8_t *bytes,
                                               struct store_range *cold);
static inline int64_t store_order_place(uint64_t row) { return ORDER_HEADER_BYTES + (int64_t)row * STORE_ORDER_ROW_BYTES; }
void store_order_index_drop(struct order_file *f);
/* Takes files[at] out of the list; the file itself goes at the next sync. */
void store_order_file_remove(struct store_order_log *log, size_t at);
/* trim: gives up a rewrite. */
void store_order_trim_abandon(struct store_order_log *log);
/* trim: the rewritten file is durable (or not): it takes the old one's place. */
void store_order_trim_finish(struct store_order_log *log, enum br_err err);
