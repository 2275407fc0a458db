/* Positions of an order view that take some looking for: its start, and positions by time. By time means the first visible record, in position order, with a timestamp
 * at or above t, or the one with the largest. Positions rise with the offsets of a partition, so each member is asked by its own time index, and the lowest
 * position wins; members are asked for what lies below the best one so far. A few members a step, because a view may have thousands. */
#pragma once

#include "broker/broker.h"
#include "compat/wire/error.h"

struct broker_view_lookup {
    struct br_uuid view; /* topic id: the view may be deleted between steps */
    enum { BROKER_VIEW_START, BROKER_VIEW_TIME, BROKER_VIEW_MAX_TIME } kind;
    int64_t t;           /* TIME: first record at or after it; MAX_TIME: first of those with the largest */
    /* the rest is zero at first */
    bool has_begun, is_done, found;
    enum kw_error error; /* when done */
    uint64_t position;
    int64_t timestamp;
    uint64_t end;        /* what the view shows when the lookup begins */
    uint32_t last_stream; /* asked, or (is_asking) being asked; */
    bool is_asking, has_query, is_asked; /* its query was begun; and answered */
    struct store_time_query query;
};

/* One step; call until is_done. OFFSET_NOT_AVAILABLE: sidecars are being made again, ask later. BR_COLD: *cold (held) must be warmed before the next step. Thread: loop. */
BR_MUST_USE enum br_err broker_view_lookup_step(struct broker *b, struct broker_view_lookup *lookup, struct store_range *cold);
