/* One node's order state machine: step(core, event) -> effects. Roles inside: lane client (fan out, count acks), sequencing replica (ring),
 * orderer beside the leader (bind positions, move stable), order-log holder, readers' tail. With f = 0 all of them are this node. No I/O, no clock.
 * Memory: the ring and the tables double up to the limits of order_core_opts and never beyond, so that an idle node stays small. */
#pragma once

#include "order/core/effect.h"
#include "order/core/event.h"

#define ORDER_MEMBERS_MAX 7

/* ORDER_EV_START: who this node is and where the order stands. */
struct order_start {
    int32_t node;                       /* this node's id */
    uint32_t view;                      /* view number; rises with every start at f = 0 */
    uint64_t nonce;                     /* of this replica in this view (R8) */
    int32_t members[ORDER_MEMBERS_MAX]; /* sequencing replicas, the leader first */
    uint64_t nonces[ORDER_MEMBERS_MAX]; /* of the members in this view; with one member its own, not read */
    unsigned member_count;              /* f + 1 */
    uint32_t lane;                      /* this node's lane: a new number for each incarnation; 0: none */
    struct order_position next;         /* first position not yet given */
    uint64_t lsn;                       /* journal end: written and durable below it */
};

struct order_core;

struct order_core_opts {
    uint32_t ring_entries;   /* most entries not yet ordered */
    uint32_t streams_max;    /* most streams with an entry not yet done */
    uint32_t lanes_max;      /* lanes that share the ring, each with an equal credit (R12); 0: one */
};

/* Never NULL; freed by order_core_free. Thread: owner (all of this header). */
struct order_core *order_core_new(const struct order_core_opts *opts);
void order_core_free(struct order_core *core);
/* Effects are valid until the next step. *count is set. After ORDER_EV_FAILED there are none. Blocks: no. Allocates: when a table doubles. */
const struct order_effect *order_core_step(struct order_core *core, const struct order_event *event, unsigned *count);
/* Room for so many more ORDER_EV_APPEND, each of another stream perhaps: asked before anything is assigned. */
bool order_core_has_room(const struct order_core *core, unsigned count);
/* Next s of the local lane; next position (end of the ring: R11 tail for f = 0); stable end. */
uint64_t order_core_next_s(const struct order_core *core);
struct order_position order_core_tail(const struct order_core *core);
struct order_position order_core_stable(const struct order_core *core);
/* Entries above stable that are done, with all before them, from the one that reaches past p on: what becomes stable next, at these positions unless a view change comes first (R14). At the leader;
 * elsewhere none. Returns how many. */
struct order_ahead {
    struct order_entry entry;
    struct order_position position;
};
unsigned order_core_ahead(struct order_core *core, struct order_position p, struct order_ahead *out, unsigned max);
/* When to feed ORDER_EV_TICK next, ns; INT64_MAX: never. */
int64_t order_core_deadline(const struct order_core *core);
/* Asserts the numbered invariants of order/README.md. */
void order_core_check(const struct order_core *core);
