/* Finding a position by time in an order view: the first visible record, in position order, with a timestamp at or above t, or the one with the largest. Positions rise
 * with the offsets of a partition, so each member is asked by its own time index, and the lowest position wins; whoever cannot better the best one so far is not
 * asked. Done in bounded steps, a few members each, because a view may have thousands. */
#pragma once

#include "broker/broker.h"
#include "compat/wire/error.h"

struct broker_view_lookup {
    struct br_uuid view;     /* topic id: the view may be deleted between steps */
    int64_t t;               /* first record at or after it */
    bool is_max;             /* the largest timestamp instead; the first of several */
    /* the rest is zero at first */
    bool has_begun, is_done, found;
    enum kw_error error;     /* when done */
    uint64_t position;
    int64_t timestamp;
    uint64_t end;            /* what the view shows when the lookup begins */
    uint32_t last_stream;    /* asked */
};

/* One step; call until is_done. OFFSET_NOT_AVAILABLE: sidecars are being made again, ask later. Thread: loop. May read the device, as lookups in partitions do. */
void broker_view_lookup_step(struct broker *b, struct broker_view_lookup *lookup);
