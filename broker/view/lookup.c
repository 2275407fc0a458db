#include "broker/view/lookup.h"
#include "broker/errmap.h"
#include "broker/view/view_int.h"
#include "compat/base/clock.h"

#define STEP_STREAMS 4096u /* passed in one step */
#define STEP_NS 1000000    /* no other member is asked after it; one takes a few ms at most */

/* Begins to ask a member. Offsets that can be the answer lie below the limit: visible, and below the best position so far. */
static enum br_err begin_asking(struct broker_view_lookup *l, struct store_log *log, struct store_range *cold)
{
    uint64_t found, below = l->found && l->kind == BROKER_VIEW_TIME ? BR_MIN(l->position, l->end) : l->end;
    int64_t limit;
    enum br_err err = store_log_seek(log, below, &limit, &found, cold);
    if (err != BR_OK)
        return err;
    l->query = l->kind == BROKER_VIEW_TIME ? store_time_query(l->t, limit) : store_max_time_query(limit);
    l->has_query = true;
    l->is_asked = limit <= store_log_state(log)->start; /* nothing to ask for */
    return BR_OK;
}

/* A member's answer, with its position: the best one so far? */
static void take(struct broker_view_lookup *l, uint64_t position)
{
    bool is_better = !l->found || (l->kind == BROKER_VIEW_TIME ? position < l->position
                                                               : l->query.timestamp > l->timestamp || (l->query.timestamp == l->timestamp && position < l->position));
    if (!is_better)
        return;
    l->found = true;
    l->position = position;
    l->timestamp = l->query.timestamp;
}

/* Goes on asking the member. BR_OK: it has said all. */
static enum br_err ask(struct broker_view_lookup *l, struct store_log *log, struct store_range *cold)
{
    struct store_place place;
    int64_t base;
    uint64_t position;
    enum br_err err = l->has_query ? BR_OK : begin_asking(l, log, cold);
    if (err == BR_OK && !l->is_asked) {
        err = store_log_ask_time(log, &l->query, cold);
        l->is_asked = err == BR_OK;
    }
    if (err != BR_OK)
        return err;
    if (l->query.found) {
        err = store_log_find(log, l->query.offset, &base, &place, &position, cold);
        if (err == BR_OK)
            take(l, position + (uint64_t)(l->query.offset - base));
    }
    return err;
}

static void end_lookup(struct broker_view_lookup *l, enum kw_error error)
{
    l->is_done = true;
    l->error = error;
}

/* The member that is being asked, or the next one; NULL when `passed` streams were looked at or none is left (then the lookup is done). */
static struct store_log *next_member(struct broker *b, struct broker_view_lookup *l, const struct broker_order_view *view, unsigned *passed)
{
    struct store *store = order_local_store(b->order);
    struct store_stream *stream = l->is_asking ? store_stream_find(store, l->last_stream) : NULL;
    l->is_asking = stream != NULL; /* else it was deleted */
    for (; !stream && *passed < STEP_STREAMS; ++*passed) {
        struct store_stream *next = store_stream_next(store, l->last_stream);
        if (!next) {
            end_lookup(l, KW_NONE);
            return NULL;
        }
        l->last_stream = next->id;
        const struct order_stream *order = next->owner;
        const struct broker_partition *p = order ? order->owner : NULL;
        if (p && view_has_topic(view, p->topic) && store_log_state(next->log)->start < store_log_state(next->log)->end)
            stream = next;
        l->is_asking = stream != NULL;
        l->has_query = false;
    }
    return stream ? stream->log : NULL;
}

static enum br_err find_start(struct broker_view_lookup *l, struct broker_order_view *view, struct store_range *cold)
{
    enum br_err err = broker_order_view_start(view, &l->position, cold);
    if (err == BR_COLD)
        return err;
    l->found = err == BR_OK;
    end_lookup(l, broker_errmap(err));
    return BR_OK;
}

enum br_err broker_view_lookup_step(struct broker *b, struct broker_view_lookup *l, struct store_range *cold)
{
    struct broker_topic *topic = broker_catalog_find_id(b->catalog, l->view);
    int64_t until_ns = br_clock_mono_ns() + STEP_NS;
    unsigned passed = 0;
    if (!topic || !topic->view) {
        end_lookup(l, KW_UNKNOWN_TOPIC_OR_PARTITION);
        return BR_OK;
    }
    if (l->kind == BROKER_VIEW_START)
        return find_start(l, topic->view, cold);
    if (!l->has_begun) {
        l->has_begun = true;
        l->end = broker_order_view_end(topic->view);
        l->last_stream = UINT32_MAX;
    }
    while (!l->is_done) {
        struct store_log *log = next_member(b, l, topic->view, &passed);
        if (!log)
            break;
        enum br_err err = ask(l, log, cold);
        if (err == BR_COLD)
            return err;
        l->has_query = false;
        l->is_asking = err == BR_RANGE; /* trimmed since it was asked: once more, from the start there is now */
        if (err != BR_OK && err != BR_RANGE)
            end_lookup(l, err == BR_BUSY ? KW_OFFSET_NOT_AVAILABLE : broker_errmap(err));
        if (br_clock_mono_ns() >= until_ns)
            break;
    }
    return BR_OK;
}
