/* Order views: virtual topics of one partition whose offset is the position. `__order` shows the records of every user topic; a filtered view (a topic made with
 * braid.order.view) those of its members. A view has no data of its own: rows of the order log say where the records lie.
 *
 * Visible in a view: DATA rows of its members, not lost or void, at or above their partition's log start. Everything else is a gap. Members are user topics
 * only, never internal ones or views; they join when they are made, and are gone when they are deleted. Thread: loop. */
#pragma once

#include "broker/broker.h"
#include "compat/base/buf.h"
#include "compat/wire/error.h"

#define BROKER_ORDER_TOPIC "__order"

/* --- all views; the catalog's part --- */

struct broker_views *broker_views_new(struct broker *b);
void broker_views_free(struct broker_views *views);
/* Filtered ones. */
size_t broker_views_count(const struct broker_views *views);
/* A view of the topic, whose settings and name are set; topics that are there join. filter NULL: all. `end` is the view's end as far as positions below `seen` go; the rest
 * follows from the order log. */
struct broker_order_view *broker_views_add(struct broker_views *views, struct broker_topic *topic, const char *filter, uint64_t end, uint64_t seen);
/* Wakes and forgets its readers. */
void broker_views_remove(struct broker_order_view *view);
/* A user topic is there, before its first record; or goes, while it and its partitions still are. */
void broker_views_join(struct broker_views *views, struct broker_topic *topic);
void broker_views_leave(struct broker_views *views, struct broker_topic *topic);
/* What a view that is made now would begin with: the end among what is stable, and the stable end itself. Asks sidecars of all members; where one is not in the
 * page cache, or is being made again, the end is that of `__order`, above which no member record lies. */
void broker_views_foresee(struct broker_views *views, const char *filter, uint64_t *end, uint64_t *seen);
/* After recovery, when the order is open. */
void broker_views_start(struct broker_views *views);
/* Takes every row into account that is stable; in recovery, that was replayed. Rows that are not in the page cache any more are brought there first: this goes
 * on by itself then, and those who wait for stable are woken again. */
void broker_views_advance(struct broker_views *views);
/* Below it every row is in the ends of all views. Live only. */
uint64_t broker_views_seen(const struct broker_views *views);
/* stable moved: as advance, and wakes the readers of views with new records. */
void broker_views_stable(struct broker_views *views);
void broker_views_wake_all(struct broker_views *views);

/* --- one view --- */

/* Who waits for new records of the view. */
struct broker_watch_list *broker_order_view_watchers(struct broker_order_view *v);
/* One past the last member record below broker_views_seen; never goes back (also not when records are removed, or by a restart). */
uint64_t broker_order_view_end(struct broker_order_view *v);
/* Below it every row is accounted for. */
uint64_t broker_order_view_seen(const struct broker_order_view *v);
/* *start: position of the first member record left, or the end. Cheap while that record is there. cold: as in store_log_seek. While sidecars are made again it may
 * lie lower. An error leaves what is known. */
BR_MUST_USE enum br_err broker_order_view_start(struct broker_order_view *v, uint64_t *start, struct store_range *cold);
/* Appends whole batches for a reader at `position` to out: at most max_bytes, but at least one record when there is one. Nothing appended: position == end.
 * Where nothing visible is left before the end (or before the bound on one call's scan), one gap batch covers the stretch.
 * BR_RANGE: position above the end, or below a member record that was removed and stood before the first one left. Below the start is well where nothing was: a reader
 * that had everything stays in range when the first record after it comes. BR_COLD: *cold (held) must be warmed in the pool first. Work bounded per call. */
BR_MUST_USE enum br_err broker_order_view_read(struct broker_order_view *v, int64_t position, size_t max_bytes, struct br_buf *out,
                                               struct store_range *cold);
