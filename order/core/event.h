/* What a driver tells the core: the whole input of order/core. Each event carries the time. No pointers into the driver's memory
 * outlive order_core_step. */
#pragma once

#include "order/core/ids.h"
#include "order/core/message.h"

enum order_event_kind {
    ORDER_EV_START,     /* first event: identity, view, recovered positions */
    ORDER_EV_APPEND,    /* the local lane has a new entry: s is given here by the caller's critical section and checked (R1) */
    ORDER_EV_WRITTEN,   /* journal bytes below lsn are written (page cache) */
    ORDER_EV_SYNCED,    /* journal bytes below lsn are durable */
    ORDER_EV_ROWS,      /* order-log and sidecar rows below position `end` are written by the local holder */
    ORDER_EV_MESSAGE,   /* from a peer */
    ORDER_EV_LINK,      /* a link to a peer went up (hello exchanged) or down */
    ORDER_EV_TICK,      /* time passed; only for order_core_deadline */
    ORDER_EV_FAILED,    /* the journal failed: nothing more will be written or acknowledged */
    ORDER_EV_STORED,    /* the oldest entry asked for by ORDER_FX_STORE now has its rows below lsn; never when alone (one member, one lane) */
};

/* A member of an entry: one stream's batch. */
struct order_member {
    uint32_t stream;
    int32_t leader_epoch;
    int64_t base_offset;
    uint32_t count; /* records */
};

struct order_entry {
    struct order_entry_id id;
    enum order_kind kind;
    enum order_class class;
    uint64_t lsn_end;      /* journal end of its rows at this node */
    struct order_member member; /* first cut: exactly one member an entry; chained entries come with transactions */
};
/* Positions an entry takes: max(1, records) for DATA, else 1. */
static inline uint64_t order_entry_positions(const struct order_entry *e)
{
    return e->kind == ORDER_DATA && e->member.count > 1 ? e->member.count : 1;
}

struct order_event {
    enum order_event_kind kind;
    int64_t now_ns;
    union {
        struct order_start *start;     /* ORDER_EV_START, see core.h */
        struct order_entry entry;      /* ORDER_EV_APPEND */
        uint64_t lsn;                  /* ORDER_EV_WRITTEN, ORDER_EV_SYNCED, ORDER_EV_STORED */
        struct order_position end;     /* ORDER_EV_ROWS */
        struct {
            int32_t from;
            const struct order_message *message;
        } message;
        struct {
            int32_t peer;
            bool is_up;
        } link;
    };
};
