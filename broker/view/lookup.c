#include "broker/view/lookup.h"
#include "broker/errmap.h"
#include "broker/view/view_int.h"

#define STEP_STREAMS 4096u /* passed in one step */
#define STEP_ASKED 8u      /* members asked by time in one step */

/* Offsets of the partition that can be the answer lie in [start, *limit): visible, and below the best position so far. */
static enum br_err find_limit(const struct broker_view_lookup *l, const struct broker_partition *p, int64_t *limit)
{
    uint64_t found, below = l->found && !l->is_max ? BR_MIN(l->position, l->end) : l->end;
    return store_log_seek(p->store->log, below, limit, &found, NULL);
}

static enum br_err ask(struct broker_view_lookup *l, struct broker_partition *p)
{
    struct store_log *log = p->store->log;
    struct store_place place;
    int64_t limit, offset, timestamp, base;
    uint64_t position;
    bool found = false;
    enum br_err err = find_limit(l, p, &limit);
    if (err != BR_OK || limit <= store_log_state(log)->start)
        return err;
    err = l->is_max ? store_log_find_max_time(log, limit, &found, &offset, &timestamp) : store_log_find_time(log, l->t, limit, &found, &offset, &timestamp);
    if (err != BR_OK || !found || (l->is_max && l->found && timestamp < l->timestamp))
        return err;
    err = store_log_find(log, offset, &base, &place, &position, NULL);
    if (err != BR_OK)
        return err;
    position += (uint64_t)(offset - base);
    if (l->found && position >= l->position && (!l->is_max || timestamp == l->timestamp))
        return BR_OK;
    l->found = true;
    l->position = position;
    l->timestamp = timestamp;
    return BR_OK;
}

static void end_lookup(struct broker_view_lookup *l, enum kw_error error)
{
    l->is_done = true;
    l->error = error;
}

void broker_view_lookup_step(struct broker *b, struct broker_view_lookup *l)
{
    struct broker_topic *topic = broker_catalog_find_id(b->catalog, l->view);
    unsigned asked = 0;
    if (!topic || !topic->view) {
        end_lookup(l, KW_UNKNOWN_TOPIC_OR_PARTITION);
        return;
    }
    if (!l->has_begun) {
        l->has_begun = true;
        l->end = broker_order_view_end(topic->view);
        l->last_stream = UINT32_MAX;
    }
    for (unsigned passed = 0; passed < STEP_STREAMS && asked < STEP_ASKED; passed++) {
        struct store_stream *stream = store_stream_next(order_local_store(b->order), l->last_stream);
        if (!stream) {
            end_lookup(l, KW_NONE);
            return;
        }
        l->last_stream = stream->id;
        struct order_stream *order = stream->owner;
        struct broker_partition *p = order ? order->owner : NULL;
        const struct store_log_state *state = store_log_state(stream->log);
        if (!p || state->start >= state->end || !view_has_topic(topic->view, p->topic))
            continue;
        asked++;
        enum br_err err = ask(l, p);
        if (err != BR_OK) {
            end_lookup(l, err == BR_BUSY ? KW_OFFSET_NOT_AVAILABLE : broker_errmap(err));
            return;
        }
    }
}
