/* What the core asks of its driver: the whole output of order/core. Effects sit in a bounded array owned by the core, valid until the
 * next step; the driver runs them in order and adds no rule of its own. A reply that depends on durability is emitted only after the core was fed the event
 * that says so (STYLE.md 7.3). */
#pragma once

#include "order/core/event.h"

enum order_effect_kind {
    ORDER_FX_SYNC,    /* make the journal durable (all written so far) */
    ORDER_FX_DONE,    /* entries of this stream up to offset `done_end` are done: high watermark, tickets with s <= s */
    ORDER_FX_BIND,    /* entry has this position: write its order-log row and sidecar row */
    ORDER_FX_ROWS,    /* end of a run of binds: write the buffers, then feed ORDER_EV_ROWS with `end` */
    ORDER_FX_STABLE,  /* nothing below `end` ever changes: readers of positions may see it */
    ORDER_FX_RELEASE, /* ring slots of the lane up to s are free */
    ORDER_FX_SEND,    /* message to a peer */
    ORDER_FX_STORE,   /* entry of another node's lane: add its rows (and bytes) to the journal, then feed ORDER_EV_STORED; never when alone (one member, one lane) */
};

struct order_effect {
    enum order_effect_kind kind;
    union {
        struct {
            uint32_t stream;
            int64_t done_end;
            uint64_t s; /* of the last entry of this stream that became done */
        } done;
        struct {
            struct order_entry entry;
            struct order_position position;
            uint32_t view;
        } bind;
        struct order_position end; /* ROWS, STABLE */
        struct order_entry_id release;
        struct order_entry store;
        struct {
            int32_t to;
            struct order_message *message; /* in the core's pool until the next step */
        } send;
    };
};
