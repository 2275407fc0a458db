#include "order/driver/local.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "order/driver/local_int.h"

#define RING_DEFAULT 65536u
#define ROWS_READ_MAX 4096u
#define AHEAD_MAX 128u
#define DRAIN_PASSES 1000
#define FEED_ROWS 4096u /* looked at in a turn */

/* --- infos: what the order row needs, from append until it is stable --- */

void local_info_add(struct order_local *d, const struct local_info *info)
{
    if (d->info_tail - d->info_head == d->info_cap) {
        uint64_t cap = d->info_cap ? d->info_cap * 2 : 256;
        struct local_info *infos = br_alloc_array(cap, sizeof *infos);
        for (uint64_t i = d->info_head; i < d->info_tail; i++)
            infos[i & (cap - 1)] = d->infos[i & (d->info_cap - 1)];
        br_free(d->infos);
        d->infos = infos;
        d->info_cap = cap;
    }
    d->infos[d->info_tail++ & (d->info_cap - 1)] = *info;
}

static const struct local_info *info_of(const struct order_local *d, uint64_t s)
{
    BR_ASSERT(d->info_head < d->info_tail);
    uint64_t first = d->infos[d->info_head & (d->info_cap - 1)].s;
    BR_ASSERT(s >= first && s - first < d->info_tail - d->info_head);
    const struct local_info *info = &d->infos[(d->info_head + (s - first)) & (d->info_cap - 1)];
    BR_ASSERT(info->s == s);
    return info;
}

static void infos_release(struct order_local *d, uint64_t s)
{
    while (d->info_head < d->info_tail && d->infos[d->info_head & (d->info_cap - 1)].s <= s)
        d->info_head++;
}

static struct store_order_row row_of(const struct order_local *d, const struct order_entry *e, struct order_position position)
{
    const struct local_info *info = info_of(d, e->id.s);
    return (struct store_order_row){
        .position = position.value, .lane = e->id.lane, .stream = e->member.stream, .s = e->id.s, .base_offset = e->member.base_offset,
        .count = e->member.count, .leader_epoch = e->member.leader_epoch, .max_timestamp = info->max_timestamp, .view = d->identity.starts, .kind = (uint8_t)e->kind,
        .flags = info->flags, .batch_crc = info->batch_crc,
    };
}

/* --- failure --- */

static void fail_stream(struct order_stream *stream, struct br_list *to)
{
    BR_LIST_FOR_SAFE(t, next, &stream->tickets, struct order_ticket, link) {
        br_list_remove(&t->link);
        br_list_append(to, &t->link);
    }
}

static void tell_all(struct br_list *tickets, enum br_err err)
{
    while (!br_list_is_empty(tickets)) {
        struct order_ticket *t = BR_LIST_FIRST(tickets, struct order_ticket, link);
        br_list_remove(&t->link);
        t->done(t, err);
    }
}

/* The node can no longer write: nothing more is acknowledged, reads go on. */
void local_fail(struct order_local *d, enum br_err err)
{
    struct br_list gone;
    struct order_event event = {.kind = ORDER_EV_FAILED};
    unsigned count;
    store_fail(d->store, err);
    if (d->told_failed)
        return;
    d->told_failed = true;
    order_core_step(d->core, &event, &count);
    tell_all(&d->closed, BR_CLOSED);
    br_list_init(&gone);
    uint32_t id = UINT32_MAX;
    for (struct store_stream *s; (s = store_stream_next(d->store, id)); id = s->id)
        if (s->owner)
            fail_stream(s->owner, &gone);
    tell_all(&gone, BR_FAILED);
    if (d->opts.on_failed)
        d->opts.on_failed(d->opts.ctx, err);
}

/* What failed since the last turn (an append, a checkpoint) ends this one. */
static bool has_failed(struct order_local *d)
{
    enum br_err failed = store_failed(d->store);
    if (failed != BR_OK)
        local_fail(d, failed);
    return d->told_failed;
}

/* --- effects --- */

static void run_done(struct order_local *d, const struct order_effect *fx)
{
    struct store_stream *store = store_stream_find(d->store, fx->done.stream);
    struct order_stream *stream = store ? store->owner : NULL;
    if (!stream)
        return; /* removed meanwhile */
    BR_ASSERT(fx->done.done_end >= stream->done_end);
    stream->done_end = fx->done.done_end;
    if (!br_link_is_in(&stream->done_link))
        br_list_append(&d->done_streams, &stream->done_link);
    while (!br_list_is_empty(&stream->tickets)) {
        struct order_ticket *t = BR_LIST_FIRST(&stream->tickets, struct order_ticket, link);
        if (t->s > fx->done.s)
            break;
        br_list_remove(&t->link);
        br_list_append(&d->completed, &t->link);
    }
}

static enum br_err run_bind(struct order_local *d, const struct order_effect *fx)
{
    const struct order_entry *e = &fx->bind.entry;
    struct store_order_row row = row_of(d, e, fx->bind.position);
    BR_ASSERT(fx->bind.view == row.view);
    enum br_err err = store_order_log_add(store_order_log(d->store), &row);
    d->recent[d->recent_count++ % LOCAL_RECENT] = row;
    struct store_stream *stream = store_stream_find(d->store, row.stream);
    if (err == BR_OK && stream) {
        err = store_log_bind(stream->log, row.base_offset, row.position);
        struct order_stream *owner = stream->owner;
        if (owner && !br_link_is_in(&owner->bound_link))
            br_list_append(&d->bound_streams, &owner->bound_link);
    }
    d->last_s = e->id.s;
    return err;
}

static enum br_err write_rows(struct order_local *d)
{
    enum br_err err = store_order_log_write(store_order_log(d->store));
    while (!br_list_is_empty(&d->bound_streams)) {
        struct order_stream *stream = BR_LIST_FIRST(&d->bound_streams, struct order_stream, bound_link);
        br_list_remove(&stream->bound_link);
        if (err == BR_OK)
            err = store_log_flush(stream->store->log);
    }
    return err;
}

static void rows_failed(struct order_local *d, enum br_err err)
{
    br_log(BR_LOG_ERROR, "order", "order rows cannot be written: %s", br_err_text(err));
    local_fail(d, err);
}

/* Feeds one event and runs its effects. Rows and completions wait for the turn's end. */
void local_step(struct order_local *d, const struct order_event *event)
{
    unsigned count;
    enum br_err err = BR_OK;
    if (d->told_failed)
        return;
    const struct order_effect *effects = order_core_step(d->core, event, &count);
    for (unsigned i = 0; i < count && err == BR_OK; i++) {
        const struct order_effect *fx = &effects[i];
        switch (fx->kind) {
        case ORDER_FX_SYNC:
            d->is_syncing = true;
            store_journal_sync(store_journal(d->store));
            break;
        case ORDER_FX_DONE: run_done(d, fx); break;
        case ORDER_FX_BIND: err = run_bind(d, fx); break;
        case ORDER_FX_ROWS:
            BR_ASSERT(!d->rows_wait);
            d->rows_wait = true;
            d->rows_end = fx->end;
            break;
        case ORDER_FX_STABLE: d->stable_moved = true; break;
        case ORDER_FX_RELEASE: infos_release(d, fx->release.s); break;
        case ORDER_FX_STORE:
        case ORDER_FX_SEND: BR_ASSERT(!"one member sends nothing"); break;
        }
    }
    if (err != BR_OK)
        rows_failed(d, err);
}

/* The order round's end: rows to the page cache, stable moves; the core may begin the next round at once. */
static void finish_rounds(struct order_local *d, int64_t now_ms)
{
    while (d->rows_wait && !d->told_failed) {
        enum br_err err = write_rows(d);
        if (err != BR_OK) {
            rows_failed(d, err);
            return;
        }
        d->rows_wait = false;
        struct order_event event = {.kind = ORDER_EV_ROWS, .now_ns = now_ms * 1000000, .end = d->rows_end};
        local_step(d, &event);
    }
}

/* Tells what became done and stable. Callbacks may append: that is for the next turn. */
static void complete(struct order_local *d)
{
    struct br_list tickets;
    while (!br_list_is_empty(&d->done_streams)) {
        struct order_stream *stream = BR_LIST_FIRST(&d->done_streams, struct order_stream, done_link);
        br_list_remove(&stream->done_link);
        if (d->opts.on_done)
            d->opts.on_done(d->opts.ctx, stream);
    }
    br_list_init(&tickets);
    while (!br_list_is_empty(&d->completed)) {
        struct order_ticket *t = BR_LIST_FIRST(&d->completed, struct order_ticket, link);
        br_list_remove(&t->link);
        br_list_append(&tickets, &t->link);
    }
    tell_all(&tickets, BR_OK);
    if (!d->has_appended)
        tell_all(&d->closed, BR_CLOSED);
    if (d->stable_moved) {
        d->stable_moved = false;
        if (d->opts.on_stable)
            d->opts.on_stable(d->opts.ctx, order_core_stable(d->core));
    }
}

static void on_synced(void *ctx, enum br_err err, uint64_t lsn)
{
    struct order_local *d = ctx;
    if (err != BR_OK) {
        br_log(BR_LOG_ERROR, "storage", "journal cannot be synced: %s", br_err_text(err));
        local_fail(d, err);
        return;
    }
    d->is_syncing = false; /* set again by the step when more was written meanwhile; the rows of this round are due all the same */
    d->has_synced = true;
    struct order_event event = {.kind = ORDER_EV_SYNCED, .lsn = lsn};
    local_step(d, &event);
    complete(d);
}

/* --- open and close --- */

static void core_start(struct order_local *d)
{
    struct order_core_opts opts = {.ring_entries = d->opts.ring_entries ? d->opts.ring_entries : RING_DEFAULT, .streams_max = 1u << 20, .lanes_max = 1};
    struct order_start start = {
        .node = d->identity.node_id, .view = d->identity.starts, .nonce = d->identity.starts, .members = {d->identity.node_id}, .nonces = {d->identity.starts},
        .member_count = 1, .lane = d->lane, .next = order_position(d->next), .lsn = store_journal_written(store_journal(d->store)),
    };
    struct order_event event = {.kind = ORDER_EV_START, .start = &start};
    d->core = order_core_new(&opts);
    local_step(d, &event);
}

/* The broker's callbacks, with its own context. */
static enum br_err local_snapshot(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    struct order_local *d = ctx;
    return d->opts.store.snapshot(d->opts.store.ctx, data, len, eb);
}

static enum br_err local_catalog(void *ctx, const struct store_row *row, struct br_errbuf *eb)
{
    struct order_local *d = ctx;
    return d->opts.store.catalog(d->opts.store.ctx, row, eb);
}

static void local_save_catalog(void *ctx, struct br_buf *out)
{
    struct order_local *d = ctx;
    d->opts.store.save_catalog(d->opts.store.ctx, out);
}

enum br_err order_local_open(const struct order_local_opts *opts, struct order_local **out, struct store_identity *identity, struct br_errbuf *eb)
{
    struct order_local *d = br_alloc(sizeof *d);
    struct store *store = NULL;
    d->opts = *opts;
    d->recent = br_alloc_array(LOCAL_RECENT, sizeof *d->recent);
    br_list_init(&d->done_streams);
    br_list_init(&d->bound_streams);
    br_list_init(&d->completed);
    br_list_init(&d->closed);
    struct store_opts wrapped = opts->store;
    wrapped.begin = local_begin;
    wrapped.old_row = local_old_row;
    wrapped.row = local_replay_row;
    wrapped.ctx = d;
    wrapped.snapshot = local_snapshot;
    wrapped.catalog = local_catalog;
    wrapped.save_catalog = local_save_catalog;
    enum br_err err = store_open(&wrapped, &store, &d->identity, eb);
    if (err == BR_OK) {
        d->store = store;
        store_journal_on_synced(store_journal(store), on_synced, d);
        err = local_recover_end(d, eb);
        if (err != BR_OK)
            store_close(store, false);
    }
    if (err != BR_OK) {
        br_free(d->old_rows);
        br_free(d->recent);
        br_free(d);
        return err;
    }
    core_start(d);
    d->log_stream = order_local_stream(d, store_stream_find(store, 0));
    d->catalog_stream = order_local_stream(d, store_stream_find(store, 1));
    d->log_stream->class = d->catalog_stream->class = ORDER_FSYNC;
    *identity = d->identity;
    *out = d;
    return BR_OK;
}

/* Everything appended becomes done and stable; each pass is one sync. False: it does not. */
static bool drain(struct order_local *d)
{
    for (int i = 0; i < DRAIN_PASSES && !d->told_failed; i++) {
        order_local_turn(d, 0);
        store_io_pool_drain(d->opts.store.sync_pool);
        store_io_pool_drain(d->opts.store.pool);
        if (order_local_is_settled(d) && order_core_stable(d->core).value == order_core_tail(d->core).value)
            return !has_failed(d);
    }
    return false;
}

void order_local_close(struct order_local *d, bool clean)
{
    if (!d)
        return;
    clean = clean && drain(d) && local_checkpoint_wait(d) == BR_OK; /* O-22: the mark says that the state file has everything */
    store_io_pool_drain(d->opts.store.pool);
    store_journal_on_synced(store_journal(d->store), NULL, NULL);
    struct br_list gone;
    br_list_init(&gone);
    uint32_t id = UINT32_MAX;
    for (struct store_stream *s; (s = store_stream_next(d->store, id)); id = s->id)
        if (s->owner)
            fail_stream(s->owner, &gone);
    tell_all(&gone, BR_CLOSED);
    tell_all(&d->closed, BR_CLOSED);
    id = UINT32_MAX;
    for (struct store_stream *s; (s = store_stream_next(d->store, id)); id = s->id)
        order_local_stream_free(d, s->owner);
    store_close(d->store, clean);
    order_core_free(d->core);
    br_free(d->infos);
    br_free(d->recent);
    br_free(d);
}

struct store *order_local_store(struct order_local *d) { return d->store; }

struct order_stream *order_local_stream(struct order_local *d, struct store_stream *stream)
{
    if (stream->owner)
        return stream->owner;
    struct order_stream *s = br_alloc(sizeof *s);
    s->store = stream;
    s->class = d->opts.default_class;
    s->leader_epoch = (int32_t)d->identity.starts;
    s->done_end = store_log_state(stream->log)->end; /* all that recovery kept is durable now */
    br_list_init(&s->tickets);
    stream->owner = s;
    return s;
}

void order_local_stream_free(struct order_local *d, struct order_stream *stream)
{
    if (!stream)
        return;
    fail_stream(stream, &d->closed);
    if (!d->has_appended || d->told_failed)
        tell_all(&d->closed, BR_CLOSED);
    if (br_link_is_in(&stream->done_link))
        br_list_remove(&stream->done_link);
    if (br_link_is_in(&stream->bound_link))
        br_list_remove(&stream->bound_link);
    stream->store->owner = NULL;
    br_free(stream);
}

/* --- the turn --- */

/* A CATALOG or TRIM entry changes state when it is done, not when it is written. Between the two its row lies below the journal's end and its change in no
 * snapshot yet: a checkpoint would lose it. Such entries are few and last one sync, so the checkpoint waits for a turn without any. */
static bool has_open_control(const struct order_local *d)
{
    return !br_list_is_empty(&d->log_stream->tickets) || !br_list_is_empty(&d->catalog_stream->tickets);
}

/* The end of a checkpoint: page-cache records below where it began are on disk. */
static void covered(void *ctx, enum br_err err)
{
    struct order_local *d = ctx;
    uint32_t id = UINT32_MAX;
    for (struct store_stream *s; err == BR_OK && (s = store_stream_next(d->store, id)); id = s->id) {
        struct order_stream *stream = s->owner;
        if (stream && stream->cached_end <= stream->covering_end)
            stream->cached_end = 0;
    }
}

static void start_checkpoint(struct order_local *d)
{
    enum br_err err = store_checkpoint(d->store, local_next_position(d), d->lane, d->last_s, covered, d);
    if (err == BR_BUSY)
        return; /* wants_checkpoint stays */
    if (err != BR_OK) {
        local_fail(d, err);
        return;
    }
    d->wants_checkpoint = false;
    uint32_t id = UINT32_MAX;
    for (struct store_stream *s; (s = store_stream_next(d->store, id)); id = s->id)
        if (s->owner)
            ((struct order_stream *)s->owner)->covering_end = store_log_state(s->log)->end;
}

void order_local_turn(struct order_local *d, int64_t now_ms)
{
    if (has_failed(d))
        return;
    if (d->has_appended) {
        d->has_appended = false;
        enum br_err err = store_journal_write(store_journal(d->store));
        if (err != BR_OK) {
            br_log(BR_LOG_ERROR, "storage", "journal cannot be written: %s", br_err_text(err));
            local_fail(d, err);
            return;
        }
        struct order_event event = {.kind = ORDER_EV_WRITTEN, .now_ns = now_ms * 1000000, .lsn = store_journal_written(store_journal(d->store))};
        local_step(d, &event);
        complete(d);
    }
    if (d->rows_wait && (!d->is_syncing || d->has_synced)) {
        d->has_synced = false;
        if (d->opts.on_told)
            d->opts.on_told(d->opts.ctx);
        finish_rounds(d, now_ms);
        complete(d);
    }
    if (now_ms && order_local_is_settled(d) && !d->told_failed && (d->wants_checkpoint || store_checkpoint_is_due(d->store, now_ms)))
        start_checkpoint(d);
    d->is_feeding = !d->rows_wait && !d->told_failed && store_feed_positions(d->store, FEED_ROWS);
    (void)has_failed(d);
}

bool order_local_has_work(const struct order_local *d)
{
    return !d->told_failed && (d->has_appended || d->is_feeding || store_failed(d->store) != BR_OK);
}

bool order_local_is_settled(const struct order_local *d)
{
    return !d->has_appended && !d->rows_wait && !has_open_control(d);
}

struct order_position order_local_stable(const struct order_local *d) { return order_core_stable(d->core); }
struct order_position order_local_tail(const struct order_local *d) { return order_core_tail(d->core); }

/* From memory when the row that p falls on, and all after it, are among the last ones bound. */
static bool read_recent(const struct order_local *d, uint64_t p, uint64_t stable, struct store_order_row *rows, unsigned max, unsigned *count)
{
    uint64_t first = d->recent_count > LOCAL_RECENT ? d->recent_count - LOCAL_RECENT : 0;
    if (d->recent_count == 0 || p < d->recent[first % LOCAL_RECENT].position)
        return false;
    uint64_t lo = first, hi = d->recent_count; /* the last row at or below p */
    while (hi - lo > 1) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (d->recent[mid % LOCAL_RECENT].position <= p)
            lo = mid;
        else
            hi = mid;
    }
    for (uint64_t i = lo; i < d->recent_count && *count < max; i++) {
        const struct store_order_row *row = &d->recent[i % LOCAL_RECENT];
        if (row->position >= stable)
            break;
        if (i == lo && row->position + store_order_row_length(row) <= p)
            continue;
        rows[(*count)++] = *row;
    }
    return true;
}

enum br_err order_local_read(struct order_local *d, struct order_position p, struct store_order_row *rows, unsigned max, unsigned *count,
                             struct store_range *cold)
{
    uint64_t stable = order_core_stable(d->core).value;
    *count = 0;
    if (p.value >= stable)
        return BR_OK;
    if (read_recent(d, p.value, stable, rows, max, count))
        return BR_OK;
    enum br_err err = store_order_log_read(store_order_log(d->store), p.value, rows, BR_MIN(max, ROWS_READ_MAX), count, cold);
    while (err == BR_OK && *count > 0 && rows[*count - 1].position >= stable)
        --*count;
    return err;
}

unsigned order_local_read_ahead(struct order_local *d, struct order_position p, struct store_order_row *rows, unsigned max)
{
    struct order_ahead ahead[AHEAD_MAX];
    unsigned count = order_core_ahead(d->core, p, ahead, BR_MIN(max, AHEAD_MAX));
    for (unsigned i = 0; i < count; i++)
        rows[i] = row_of(d, &ahead[i].entry, ahead[i].position);
    return count;
}

void order_local_check(const struct order_local *d)
{
    order_core_check(d->core);
    BR_ASSERT(d->info_head <= d->info_tail && d->info_tail - d->info_head <= d->info_cap);
    store_journal_check(store_journal(d->store));
    store_order_log_check(store_order_log(d->store));
}
