/* The whole order layer in one process: the default of the single-node broker (f = 0, one lane). Owns the critical section of
 * Offset, lane number, journal LSN, segment bytes and journal row of an append are given together, with nothing in between.
 *
 * One loop turn:  order_append ... order_append, then order_local_turn:
 *   journal write -> core is told "rows written" -> effects (sync request; done; positions bound) -> done callbacks (replies are queued)
 *   -> on_told (replies leave) -> order-log rows, sidecar rows -> core is told -> stable moves -> position readers wake
 * A finished sync (from the sync pool's reap) feeds the core; the turn that follows runs the same tail. While a sync runs the rows wait for
 * its end: stable could not pass what it makes done, and writes beside it would only slow it down. */
#pragma once

#include "order/core/ids.h"
#include "storage/store.h"

struct order_local;

/* A stream on its owner. One per partition, made by order_local_stream. */
struct order_stream {
    struct store_stream *store;
    enum order_class class;   /* braid.durability in force; may be set at any time, later appends use it. Raised to fsync, appends get BR_FULL until a
                               * checkpoint has put the page-cache records before them on disk (O-21) */
    int32_t leader_epoch;     /* of this start */
    int64_t done_end;         /* high watermark: below it everything is done. Readers see up to here */
    uint64_t stable_position_end; /* one past the position of its last record that is stable; 0: none */
    void *owner;              /* the broker's partition */
    struct br_list tickets;   /* the driver's: appends that wait, in order */
    struct br_link done_link, bound_link; /* the driver's */
    int64_t cached_end;       /* the driver's: end of the last page-cache record that no checkpoint covers; 0: none */
    int64_t covering_end;     /* the driver's: log end when the last checkpoint began */
};

/* A waiting append; embedded in the caller's object, which must live until done is called. */
struct order_ticket {
    struct order_stream *stream;
    int64_t base_offset, end_offset; /* given at append */
    struct order_position position;  /* of the first record, given at append; stable once order_local_stable has passed it */
    uint64_t s;                      /* lane number */
    /* On the loop, at the end of the turn (or later, after a sync), never inside order_append: err BR_OK, or BR_FAILED / BR_IO / BR_NOSPACE when the entry will never be
     * acknowledged. NULL: nobody waits; the ticket is only filled in. */
    void (*done)(struct order_ticket *ticket, enum br_err err);
    struct br_link link; /* the driver's */
};

struct order_append {
    enum order_kind kind;       /* ORDER_DATA, or a control kind whose body is a batch of stream 0 or 1 */
    uint8_t *data;              /* the batch; its first 16 bytes (and timestamps, under LogAppendTime) are patched in place; borrowed until return of the
                                   turn (the journal row may carry it): give bytes that stay until order_local_turn returns */
    const struct kw_batch *batch; /* its validated view */
    int64_t max_timestamp;
    int32_t max_timestamp_delta;
    bool set_append_time;       /* LogAppendTime: time = max(previous in stream, now) */
    int64_t append_time;        /* out: what was set */
};

struct order_local_opts {
    struct store_opts store;    /* its recovery callbacks are wrapped: the driver binds positions of replayed rows itself; ctx and callbacks are the broker's */
    uint32_t ring_entries;      /* entries not yet ordered; full: BR_FULL before anything is assigned. 0: 65536 */
    enum order_class default_class;
    void *ctx;
    /* The done end of a stream moved (high watermark): wake fetches. */
    void (*on_done)(void *ctx, struct order_stream *stream);
    /* What became done was told: answers may leave before the order round writes its rows. NULL: nothing to do. */
    void (*on_told)(void *ctx);
    /* stable moved to this exclusive end: wake position readers. */
    void (*on_stable)(void *ctx, struct order_position end);
    /* The node can no longer write; said once. */
    void (*on_failed)(void *ctx, enum br_err err);
};

BR_MUST_USE enum br_err order_local_open(const struct order_local_opts *opts, struct order_local **out, struct store_identity *identity,
                                         struct br_errbuf *eb);
/* clean: waits for the last sync, writes a checkpoint, marks the clean stop. Tickets still waiting get BR_CLOSED. */
void order_local_close(struct order_local *d, bool clean);

struct store *order_local_store(struct order_local *d);
/* Makes (or finds) the handle of a stream that store_stream_add made. */
struct order_stream *order_local_stream(struct order_local *d, struct store_stream *stream);
/* Whoever waits gets BR_CLOSED, with this turn's end when something was appended in it: the journal borrows its bytes until then. */
void order_local_stream_free(struct order_local *d, struct order_stream *stream);

/* The append seam: called after all validation. Returns with base offset, end offset and s in the ticket, or an error and nothing assigned:
 * BR_FULL (ring, or what the journal takes in one turn), BR_TOO_LARGE (no journal file holds it), BR_NOSPACE (resumes by itself), BR_FAILED, BR_IO (the node ends its writes).
 * Calls no ticket's done. Thread: loop. Blocks: no. */
BR_MUST_USE enum br_err order_append(struct order_local *d, struct order_stream *stream, struct order_append *append, struct order_ticket *ticket,
                                     int64_t now_ms);
/* One of several appends that belong together. */
struct order_append_item {
    struct order_stream *stream; /* each once */
    struct order_append *append;
    struct order_ticket *ticket;
    struct store_place place; /* the driver's */
};
#define ORDER_APPENDS_MAX 256u
/* Appends all of them or none (O-23): at consecutive positions in the order given, with nothing in between, and after a crash all are there or none is. Several: BR_INVALID unless all streams are of
 * class fsync. On an error nothing is assigned, no ticket's done will be called, and *culprit is the item that was refused, or -1: there is no room for them together. One error
 * comes too late for that, a device that fails between two of them: BR_IO, the node ends its writes, and the next start finds none of them. count: 1..ORDER_APPENDS_MAX. Otherwise as order_append. */
BR_MUST_USE enum br_err order_append_all(struct order_local *d, struct order_append_item *items, unsigned count, int64_t now_ms, int *culprit);
/* Ends the loop turn. Cheap when nothing was appended. */
void order_local_turn(struct order_local *d, int64_t now_ms);

/* Position readers. stable end: exclusive. tail: linearizable for one node = the end of the ring now (R11): covers every append acknowledged before the call;
 * it becomes stable soon. */
struct order_position order_local_stable(const struct order_local *d);
/* True when a turn left work that no event will bring up again (a trim, a checkpoint step): turn once more soon. */
bool order_local_has_work(const struct order_local *d);
/* Every entry appended has its rows written, and none waits that changes state when done (CATALOG, TRIM): a checkpoint may be made (the driver makes its own; for tests). */
bool order_local_is_settled(const struct order_local *d);
struct order_position order_local_tail(const struct order_local *d);
/* Rows at or after p, below stable; as store_order_log_read, cold too. */
BR_MUST_USE enum br_err order_local_read(struct order_local *d, struct order_position p, struct store_order_row *rows, unsigned max, unsigned *count,
                                         struct store_range *cold);
/* Rows above stable that reach past p, in order, of entries that are done with all before them (R14): they become stable as they are unless this node dies first. Returns how many. */
unsigned order_local_read_ahead(struct order_local *d, struct order_position p, struct store_order_row *rows, unsigned max);
/* Appends a TRIM entry for the stream (log start moves to `start` once durable), then moves the start and frees segments; done may be NULL. */
BR_MUST_USE enum br_err order_local_trim(struct order_local *d, struct order_stream *stream, int64_t start, void (*done)(void *ctx, enum br_err err), void *ctx);
void order_local_check(const struct order_local *d);
