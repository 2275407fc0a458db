/* Shared by local*.c only. */
#pragma once

#include "order/core/core.h"
#include "order/driver/local.h"

#define LOCAL_RECENT 256u

/* What the order log needs of an entry and the core does not carry; in order of s, from append until it is stable. */
struct local_info {
    uint64_t s;
    int64_t max_timestamp;
    uint32_t batch_crc;
    uint8_t flags;
};

struct order_local {
    struct order_local_opts opts;
    struct store *store;
    struct store_identity identity;
    struct order_core *core;
    struct order_stream *log_stream;   /* stream 0: bodies of TRIM entries */
    struct order_stream *catalog_stream;
    struct local_info *infos;          /* ring of info_cap (a power of two), [info_head, info_tail) */
    uint64_t info_head, info_tail, info_cap;
    struct store_order_row *recent;    /* the last LOCAL_RECENT rows bound, by index modulo: readers at the tail need no file */
    uint64_t recent_count;
    bool is_syncing;                   /* a journal sync was asked for and has not ended */
    bool has_synced;                   /* one ended since rows were last written: they wait no longer */
    bool rows_wait;                    /* a round's rows are in the buffers, to be written after the answers have left */
    struct order_position rows_end;    /* ... up to here */
    bool has_appended;                 /* rows in the journal's turn buffer */
    struct br_list done_streams;       /* their high watermark moved */
    struct br_list bound_streams;      /* sidecar rows wait to be written */
    struct br_list completed;          /* tickets to be told BR_OK */
    struct br_list closed;             /* tickets of streams that are gone; their bytes are borrowed until the journal's write */
    bool stable_moved, told_failed;
    bool is_feeding;                   /* a sidecar waits for its positions: store_feed_positions has more to do */
    bool wants_checkpoint;             /* a stream's class was raised: see order_stream.class */
    uint32_t lane;
    uint64_t last_s;                   /* last s whose row is written */
    /* recovery */
    uint64_t next;                     /* position of the next replayed row */
    struct store_order_row *old_rows;  /* what the previous run had written above the checkpoint */
    size_t old_count, old_cap, old_at;
    unsigned since_flush;
};

/* local_recover.c */
void local_begin(void *ctx, struct store *store, const struct store_identity *identity);
void local_old_row(void *ctx, const struct store_order_row *row);
enum br_err local_replay_row(void *ctx, const struct store_row *row, struct store_stream *stream, bool is_lost, struct br_errbuf *eb);
BR_MUST_USE enum br_err local_recover_end(struct order_local *d, struct br_errbuf *eb);
uint64_t local_next_position(const struct order_local *d); /* above every row and the ceiling of this start */
BR_MUST_USE enum br_err local_checkpoint_wait(struct order_local *d); /* blocks: start and stop only */

/* First and last, from a journal row's flags to an order row's. */
static inline uint8_t local_order_part(unsigned flags)
{
    return (uint8_t)((flags & STORE_ROW_FIRST ? STORE_ORDER_FIRST : 0) | (flags & STORE_ROW_LAST ? STORE_ORDER_LAST : 0));
}

/* local.c */
void local_fail(struct order_local *d, enum br_err err);
void local_step(struct order_local *d, const struct order_event *event);
void local_info_add(struct order_local *d, const struct local_info *info);
