/* All views of a broker: who is a member of which, and their ends. One walk over the new rows of the order log serves every view.
 *
 * Ends survive: the catalog's snapshot has each view's end, and the position up to which rows are in it. After a start the rows from there on are walked again, and rows
 * of members deleted meanwhile count too (their deletion was replayed, so it is known whose they were). */
#include "broker/data/warm.h"
#include "broker/view/view_int.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

static char mark; /* its address says that a stream is there */

struct broker_views *broker_views_new(struct broker *b)
{
    struct broker_views *views = br_alloc(sizeof *views);
    views->broker = b;
    br_list_init(&views->list);
    broker_view_buffers_init(&views->buffers);
    return views;
}

void broker_views_free(struct broker_views *views)
{
    if (!views)
        return;
    BR_ASSERT(br_list_is_empty(&views->list));
    broker_warm_cancel(views->warm);
    broker_view_buffers_clear(&views->buffers);
    br_free(views);
}

size_t broker_views_count(const struct broker_views *views) { return views->count; }

/* --- rows --- */

uint64_t view_row_end(const struct store_order_row *row) { return row->position + store_order_row_length(row); }

enum br_err view_rows(struct broker_views *views, uint64_t p, struct store_order_row *rows, unsigned *count, struct store_range *cold)
{
    struct broker *b = views->broker;
    *count = 0;
    if (views->is_live)
        return order_local_read(b->order, order_position(p), rows, VIEW_ROWS, count, cold);
    struct store_order_log *log = store_order_log(b->store);
    return p < store_order_log_end(log) ? store_order_log_read(log, p, rows, VIEW_ROWS, count, cold) : BR_OK;
}

struct broker_partition *view_row_partition(struct broker_views *views, const struct store_order_row *row)
{
    struct store_stream *stream = store_stream_find(order_local_store(views->broker->order), row->stream);
    struct order_stream *order = stream ? stream->owner : NULL;
    return order ? order->owner : NULL;
}

bool view_row_is_data(const struct store_order_row *row)
{
    return row->kind == STORE_ROW_DATA && !(row->flags & (STORE_ORDER_VOID | STORE_ORDER_TRIMMED)) && row->stream >= 2;
}

/* --- members --- */

bool view_has_topic(const struct broker_order_view *v, const struct broker_topic *topic)
{
    for (size_t i = 0; i < topic->views_count; i++)
        if (topic->views[i] == v)
            return true;
    return false;
}

bool view_row_is_member(const struct broker_order_view *v, const struct store_order_row *row)
{
    if (row->flags & STORE_ORDER_TRIMMED)
        return v->is_all;
    if (!view_row_is_data(row))
        return false;
    const struct broker_partition *partition = view_row_partition(v->all, row);
    return partition ? view_has_topic(v, partition->topic) : v->is_all;
}

/* Whether the names are enough: what a view of this filter shows. */
static bool is_wanted(const struct broker_view_filter *filter, const struct broker_topic *topic)
{
    return !topic->is_internal && !topic->view && (!filter || broker_view_filter_has(filter, br_str_c(topic->name)));
}

static void join(struct broker_order_view *v, struct broker_topic *topic)
{
    if (!is_wanted(v->is_all ? NULL : &v->filter, topic))
        return;
    topic->views = br_realloc(topic->views, (topic->views_count + 1) * sizeof *topic->views);
    topic->views[topic->views_count++] = v;
    br_map_put(&v->members, topic->id.bytes, sizeof topic->id.bytes, topic);
}

static void forget_view(struct broker_topic *topic, const struct broker_order_view *v)
{
    for (size_t i = 0; i < topic->views_count; i++)
        if (topic->views[i] == v) {
            topic->views[i] = topic->views[--topic->views_count];
            return;
        }
}

/* Recovery: rows know streams only. */
static void note_streams(struct br_map *streams, const struct broker_topic *topic)
{
    for (int32_t i = 0; i < topic->partition_count; i++) {
        uint32_t stream = topic->partitions[i]->store->id;
        br_map_put(streams, &stream, sizeof stream, &mark);
    }
}

void broker_views_join(struct broker_views *views, struct broker_topic *topic)
{
    BR_LIST_FOR(v, &views->list, struct broker_order_view, link)
        join(v, topic);
}

static void advance(struct broker_views *views, struct store_range *cold);

void broker_views_leave(struct broker_views *views, struct broker_topic *topic)
{
    if (views->is_live)
        advance(views, NULL); /* its stable records are in the ends: the one time that the loop may wait for rows, if those of a moment ago left the page cache */
    for (size_t i = 0; i < topic->views_count; i++) {
        struct broker_order_view *v = topic->views[i];
        if (!views->is_live && !v->is_all)
            note_streams(&v->gone, topic);
        br_map_remove(&v->members, topic->id.bytes, sizeof topic->id.bytes);
    }
    br_free(topic->views);
    topic->views = NULL;
    topic->views_count = 0;
}

/* Rows that became stable since `seen` was noted, and where the first record may lie. Waits for the device: at a start, or for rows written moments ago. */
static void go_live(struct broker_order_view *v)
{
    struct broker_views *views = v->all;
    struct broker *b = views->broker;
    struct store_order_row rows[VIEW_ROWS];
    unsigned count = 0;
    while (v->seen < views->scanned && view_rows(views, v->seen, rows, &count, NULL) == BR_OK && count > 0) {
        for (unsigned i = 0; i < count; i++)
            if (rows[i].position < views->scanned && view_row_is_member(v, &rows[i]))
                v->end = BR_MAX(v->end, view_row_end(&rows[i]));
        v->seen = view_row_end(&rows[count - 1]);
    }
    v->start = v->clean_from = v->lost_end = BR_MIN(store_order_log_start(store_order_log(order_local_store(b->order))), v->end);
}

struct broker_order_view *broker_views_add(struct broker_views *views, struct broker_topic *topic, const char *filter, uint64_t end, uint64_t seen)
{
    struct broker_order_view *v = br_alloc(sizeof *v);
    size_t at = 0;
    v->all = views;
    v->topic = topic;
    v->is_all = filter == NULL;
    v->end = end;
    v->seen = seen;
    br_map_init(&v->members);
    br_map_init(&v->gone);
    broker_watch_list_init(&v->watchers);
    if (filter)
        broker_view_filter_init(&v->filter, filter);
    topic->view = v;
    br_list_append(&views->list, &v->link);
    views->count += !v->is_all;
    for (struct broker_topic *t; filter && (t = broker_catalog_next(views->broker->catalog, &at));)
        join(v, t);
    if (views->is_live)
        go_live(v);
    return v;
}

void broker_views_remove(struct broker_order_view *v)
{
    size_t at = 0;
    v->topic->view = NULL; /* who is woken finds no view */
    broker_watch_wake(&v->watchers);
    for (struct br_map_entry *e; (e = br_map_next(&v->members, &at));)
        forget_view(e->value, v);
    br_list_remove(&v->link);
    v->all->count -= !v->is_all;
    br_map_clear(&v->members);
    br_map_clear(&v->gone);
    if (!v->is_all)
        broker_view_filter_clear(&v->filter);
    br_free(v);
}

/* --- ends --- */

void view_extend(struct broker_order_view *v, const struct store_order_row *row)
{
    if (v->start >= v->end) { /* nothing was left to read: this is the first record, and since the end so far there was no other */
        v->clean_from = v->lost_end = v->end;
        v->start = row->position;
        v->has_first = true;
        v->first_stream = row->stream;
        v->first_offset = row->base_offset;
    }
    if (view_row_end(row) > v->end) {
        v->end = view_row_end(row);
        v->has_moved = true;
    }
}

/* A row that is stable now. */
static void see_row(struct broker_views *views, const struct store_order_row *row)
{
    if (!view_row_is_data(row))
        return;
    const struct broker_partition *partition = view_row_partition(views, row);
    if (partition) {
        for (size_t i = 0; i < partition->topic->views_count; i++)
            view_extend(partition->topic->views[i], row);
        return;
    }
    BR_LIST_FOR(v, &views->list, struct broker_order_view, link)
        if (v->is_all)
            view_extend(v, row);
}

/* The view's end as of the replayed rows (waits for the device), without the help of partitions, which are not live yet. */
static void catch_up(struct broker_order_view *v)
{
    struct br_map *streams = &v->gone;
    struct store_order_row rows[VIEW_ROWS];
    unsigned count = 0;
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&v->members, &at));)
        note_streams(streams, e->value);
    enum br_err err;
    while ((err = view_rows(v->all, v->seen, rows, &count, NULL)) == BR_OK && count > 0) {
        for (unsigned i = 0; i < count; i++)
            if (view_row_is_data(&rows[i]) && br_map_get(streams, &rows[i].stream, sizeof rows[i].stream))
                v->end = BR_MAX(v->end, view_row_end(&rows[i]));
        v->seen = view_row_end(&rows[count - 1]);
    }
    if (err != BR_OK) { /* too high an end is a gap; too low a one goes back */
        br_log(BR_LOG_ERROR, "order", "the order log cannot be read from position %" PRIu64 " on: %s", v->seen, br_err_text(err));
        v->end = v->seen = store_order_log_end(store_order_log(v->all->broker->store));
    }
    br_map_clear(streams);
}

static void is_warmed(void *ctx)
{
    struct broker_views *views = ctx;
    views->warm = NULL;
    broker_views_stable(views);
    broker_watch_wake(&views->broker->stable_watchers);
}

/* The hold of *cold is taken. At a stop nobody wants to know any more. */
static void go_on_warmed(struct broker_views *views, struct store_range *cold)
{
    if (views->warm || !views->broker->server)
        store_range_release(cold);
    else
        views->warm = broker_warm_start(views->broker, cold, is_warmed, views);
}

/* cold: as in order_local_read; held when the rows from `scanned` on must be warmed first. */
static void advance(struct broker_views *views, struct store_range *cold)
{
    struct store_order_row rows[VIEW_ROWS];
    uint64_t stable = order_local_stable(views->broker->order).value;
    while (views->scanned < stable) {
        unsigned count = 0;
        enum br_err err = view_rows(views, views->scanned, rows, &count, cold);
        if (err == BR_COLD)
            return;
        if (err != BR_OK || count == 0) {
            views->scanned = stable;
            return;
        }
        for (unsigned i = 0; i < count; i++)
            see_row(views, &rows[i]);
        views->scanned = view_row_end(&rows[count - 1]);
    }
}

void broker_views_advance(struct broker_views *views)
{
    struct store_range cold = {0};
    if (!views->is_live) {
        BR_LIST_FOR(v, &views->list, struct broker_order_view, link)
            if (!v->is_all)
                catch_up(v);
        return;
    }
    advance(views, &cold);
    if (cold.hold)
        go_on_warmed(views, &cold);
}

uint64_t broker_views_seen(const struct broker_views *views)
{
    BR_ASSERT(views->is_live);
    return views->scanned;
}

/* Finds the last member row by reading back from the stable end in growing steps. Waits for the device: at a start only. */
static uint64_t find_end(struct broker_order_view *v)
{
    struct broker_views *views = v->all;
    uint64_t hi = order_local_stable(views->broker->order).value, end = 0;
    uint64_t first = store_order_log_start(store_order_log(order_local_store(views->broker->order)));
    struct store_order_row rows[VIEW_ROWS];
    for (uint64_t step = 4096; hi > first && end == 0; step *= 2) {
        uint64_t lo = hi - first > step ? hi - step : first;
        for (uint64_t p = lo; p < hi;) {
            unsigned count = 0;
            enum br_err err = view_rows(views, p, rows, &count, NULL);
            if (err != BR_OK) { /* too high an end is a gap; too low a one goes back */
                br_log(BR_LOG_ERROR, "order", "the order log cannot be read from position %" PRIu64 " on: %s", p, br_err_text(err));
                return order_local_stable(views->broker->order).value;
            }
            if (count == 0)
                break;
            for (unsigned i = 0; i < count; i++)
                if (view_row_is_member(v, &rows[i]))
                    end = view_row_end(&rows[i]);
            p = view_row_end(&rows[count - 1]);
        }
        hi = lo;
    }
    return end;
}

void broker_views_start(struct broker_views *views)
{
    broker_views_advance(views);
    views->is_live = true;
    views->scanned = order_local_stable(views->broker->order).value;
    BR_LIST_FOR(v, &views->list, struct broker_order_view, link) {
        if (v->is_all) {
            v->end = find_end(v);
            v->seen = views->scanned;
        }
        go_live(v);
    }
}

void broker_views_stable(struct broker_views *views)
{
    if (!views->is_live)
        return;
    broker_views_advance(views);
    BR_LIST_FOR(v, &views->list, struct broker_order_view, link) {
        if (!v->has_moved)
            continue;
        v->has_moved = false;
        broker_watch_wake(&v->watchers);
    }
}

void broker_views_wake_all(struct broker_views *views)
{
    BR_LIST_FOR(v, &views->list, struct broker_order_view, link)
        broker_watch_wake(&v->watchers);
}

/* One past the last record left in the partition below position `stable`; 0: none. */
static enum br_err partition_end(const struct broker_partition *p, uint64_t stable, uint64_t *end, struct store_range *cold)
{
    struct store_log *log = p->store->log;
    struct store_place place;
    int64_t cut, base;
    uint64_t position, found;
    *end = 0;
    enum br_err err = store_log_seek(log, stable, &cut, &found, cold);
    if (err != BR_OK || cut <= store_log_state(log)->start)
        return err;
    err = store_log_find(log, cut - 1, &base, &place, &position, cold);
    if (err == BR_OK)
        *end = position + (uint64_t)(cut - base);
    return err;
}

void broker_views_foresee(struct broker_views *views, const char *filter, uint64_t *end, uint64_t *seen)
{
    struct broker_view_filter wanted;
    size_t at = 0;
    uint64_t last;
    struct store_range cold = {0};
    enum br_err err = BR_OK;
    broker_views_advance(views);
    *seen = views->scanned;
    *end = 0;
    broker_view_filter_init(&wanted, filter);
    for (struct broker_topic *t; err == BR_OK && (t = broker_catalog_next(views->broker->catalog, &at));)
        for (int32_t i = 0; err == BR_OK && is_wanted(&wanted, t) && i < t->partition_count; i++)
            if ((err = partition_end(t->partitions[i], *seen, &last, &cold)) == BR_OK)
                *end = BR_MAX(*end, last);
    broker_view_filter_clear(&wanted);
    if (err == BR_COLD)
        store_range_release(&cold);
    if (err != BR_OK) { /* no member record lies above what __order shows */
        struct broker_order_view *all = BR_LIST_FIRST(&views->list, struct broker_order_view, link);
        br_log(BR_LOG_WARN, "order", "a view begins with the end of %s: %s", BROKER_ORDER_TOPIC, br_err_text(err));
        *end = all->end;
    }
}

struct broker_watch_list *broker_order_view_watchers(struct broker_order_view *v) { return &v->watchers; }

uint64_t broker_order_view_end(struct broker_order_view *v)
{
    broker_views_advance(v->all);
    return v->end;
}

uint64_t broker_order_view_seen(const struct broker_order_view *v) { return v->all->is_live ? v->all->scanned : v->seen; }
