/* The order view `__order`: a virtual topic of one partition whose offset is the position. A scan of the order log; the records of each visible row are
 * read from their partition, re-encoded with the headers braid.topic, braid.partition and braid.offset after the producer's own, and put into
 * uncompressed batches of equal timestamp type.
 *
 * Visible: DATA rows of user topics, not lost or void, at or above their partition's log start. Everything else is a gap. */
#pragma once

#include "broker/broker.h"
#include "compat/base/buf.h"
#include "compat/wire/error.h"

#define BROKER_ORDER_TOPIC "__order"

struct broker_order_view *broker_order_view_new(struct broker *b);
void broker_order_view_free(struct broker_order_view *v);
/* stable moved: takes the new rows into account. Called before the watchers of stable are woken. */
void broker_order_view_advance(struct broker_order_view *v);
/* One past the last member record at or below stable; never goes back (also not when records are removed). */
int64_t broker_order_view_end(struct broker_order_view *v);
/* Position of the first member record left, or the end. Amortised: each row is passed once. */
int64_t broker_order_view_start(struct broker_order_view *v);
/* Appends whole batches for a reader at `position` to out: at most max_bytes, but at least one record when there is one. Nothing appended: position == end.
 * Where nothing visible is left before the end (or before the bound on one call's scan), one gap batch covers the stretch.
 * BR_RANGE: position above the end, or below a member record that was removed. Below the start is well where nothing was: a reader that had everything
 * stays in range when the first record after it comes. BR_COLD: *cold (held) must be warmed in the pool first. Work bounded per call. */
BR_MUST_USE enum br_err broker_order_view_read(struct broker_order_view *v, int64_t position, size_t max_bytes, struct br_buf *out,
                                               struct store_range *cold);
