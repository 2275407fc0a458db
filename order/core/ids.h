/* Identities of the order layer. */
#pragma once

#include "compat/base/base.h"

/* Place in the total order; its own type so that an offset is never taken for one. */
struct order_position {
    uint64_t value;
};
static inline struct order_position order_position(uint64_t value) { return (struct order_position){value}; }

/* A lane is one (broker, thread, incarnation); the number is issued with the incarnation and never reused. */
struct order_entry_id {
    uint32_t lane;
    uint64_t s; /* 1, 2, 3 ... in its lane */
};

/* Numbers are on disk; the same as enum store_row_kind (checked by a static assertion in order/driver). */
enum order_kind {
    ORDER_DATA = 1, ORDER_FENCE, ORDER_COMMIT, ORDER_ABORT, ORDER_MARKER, ORDER_NOOP, ORDER_BARRIER, ORDER_CATALOG, ORDER_TRIM,
    ORDER_TRUNCATE, ORDER_PREPARE, ORDER_FINAL,
};
enum order_class { ORDER_MEMORY, ORDER_PAGE_CACHE, ORDER_FSYNC };
