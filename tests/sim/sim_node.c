#include "tests/sim/sim_node.h"
#include "compat/base/mem.h"
#include "tests/sim/real_node.h"
#include "tests/sim/sim_net.h"
#include "tests/sim/workload.h"

#define LSN_ROW 100u      /* journal bytes of a row */

static int32_t node_id(unsigned index) { return (int32_t)index + 1; }
static struct sim_node *node_at(struct sim_world *world, uint64_t index) { return &world->nodes[index]; }
bool sim_node_is_up(const struct sim_world *world, unsigned node)
{
    return world->real ? real_node_is_up(world) : world->nodes[node].is_up;
}


static void step(struct sim_world *world, struct sim_node *n, struct order_event *event);

static void later(struct sim_world *world, struct sim_node *n, int64_t min_ns, int64_t max_ns,
                  void (*run)(struct sim_world *, struct sim_event *), uint64_t value)
{
    uint64_t *data = br_alloc(sizeof(*data));
    *data = value;
    int64_t pause = BR_MAX(n->paused_until_ns - world->now_ns, 0);
    sim_at(world, pause + sim_delay(world, min_ns, max_ns), run, n->index, n->incarnation, data);
}

/* The node the event is for, or NULL when it crashed meanwhile. */
static struct sim_node *alive(struct sim_world *world, const struct sim_event *event)
{
    struct sim_node *n = node_at(world, event->a);
    return n->is_up && n->incarnation == event->b ? n : NULL;
}

static void sync_done(struct sim_world *world, struct sim_event *event)
{
    struct sim_node *n = alive(world, event);
    if (!n)
        return;
    uint64_t rows = *(uint64_t *)event->data;
    n->disk.synced = BR_MAX(n->disk.synced, rows);
    struct order_event e = {.kind = ORDER_EV_SYNCED, .now_ns = world->now_ns, .lsn = n->disk.rows[n->disk.synced - 1].lsn_end};
    step(world, n, &e);
}

/* The end of a loop turn: one journal write. */
static void turn(struct sim_world *world, struct sim_event *event)
{
    struct sim_node *n = alive(world, event);
    if (!n)
        return;
    n->is_turn_due = false;
    if (n->disk.written == n->disk.row_count)
        return;
    n->disk.written = n->disk.row_count;
    struct order_event e = {.kind = ORDER_EV_WRITTEN, .now_ns = world->now_ns, .lsn = n->disk.rows[n->disk.written - 1].lsn_end};
    step(world, n, &e);
}

static void want_turn(struct sim_world *world, struct sim_node *n)
{
    if (n->is_turn_due)
        return;
    n->is_turn_due = true;
    later(world, n, 1000, 100000, turn, 0);
}

static void rows_written(struct sim_world *world, struct sim_event *event)
{
    struct sim_node *n = alive(world, event);
    if (!n)
        return;
    uint64_t end = *(uint64_t *)event->data;
    while (n->disk.order_written < n->disk.order_count && n->disk.order[n->disk.order_written].position < end)
        n->disk.order_written++;
    struct order_event e = {.kind = ORDER_EV_ROWS, .now_ns = world->now_ns, .end = order_position(end)};
    step(world, n, &e);
}

static uint64_t add_row(struct sim_node *n, const struct order_entry *entry, uint32_t batch)
{
    uint64_t lsn = n->disk.row_count ? n->disk.rows[n->disk.row_count - 1].lsn_end : 0;
    struct sim_row row = {.entry = *entry, .batch = batch, .lsn_end = lsn + LSN_ROW};
    row.entry.lsn_end = row.lsn_end;
    sim_disk_add_row(&n->disk, &row);
    return row.lsn_end;
}

/* What the model puts where a batch's bytes would be: the entry of any node can be told its batch. */
static uint32_t batch_of(struct sim_world *world, const struct order_entry *entry)
{
    struct sim_node *owner = node_at(world, entry->member.stream % world->node_count);
    const struct sim_piece *p = sim_disk_find(&owner->disk, entry->member.stream, entry->member.base_offset);
    return p ? p->batch : UINT32_MAX;
}

/* R2: an entry that is done is on every member, at its class. */
static void check_copies(struct sim_world *world, const struct sim_node *n, uint32_t stream, int64_t done_end)
{
    for (size_t k = n->disk.row_count; k > 0; k--) {
        const struct order_entry *e = &n->disk.rows[k - 1].entry;
        if (e->id.lane != n->lane || e->member.stream != stream || e->member.base_offset >= done_end)
            continue;
        if (e->member.base_offset < n->done[stream])
            return;
        for (unsigned m = 0; m < world->member_count; m++) {
            const struct sim_disk *disk = &world->nodes[m].disk;
            size_t limit = e->class == ORDER_FSYNC ? disk->synced : disk->written, i = limit;
            while (i > 0 && (disk->rows[i - 1].entry.id.lane != e->id.lane || disk->rows[i - 1].entry.id.s != e->id.s))
                i--;
            if (i == 0)
                sim_fail(world, 3, "lane %u s %" PRIu64 " is done, but not %s at node %u", e->id.lane, e->id.s,
                         e->class == ORDER_FSYNC ? "on disk" : "written", m);
        }
    }
}

static void become_done(struct sim_world *world, struct sim_node *n, uint32_t stream, int64_t done_end)
{
    sim_trace(world, "node %u stream %u done %" PRId64, n->index, stream, done_end);
    check_copies(world, n, stream, done_end);
    n->done[stream] = done_end;
    sim_history_done(world, stream, done_end);
    size_t kept = 0;
    for (size_t i = 0; i < n->pending_count; i++) {
        struct sim_pending p = n->pending[i];
        if (p.stream == stream && p.end <= done_end)
            sim_clients_answer(world, n->index, p.batch, p.base);
        else
            n->pending[kept++] = p;
    }
    n->pending_count = kept;
}

static void become_stable(struct sim_world *world, struct sim_node *n, uint64_t end)
{
    sim_trace(world, "node %u stable %" PRIu64, n->index, end);
    sim_history_stable(world, n->index, end);
    while (n->order_shown < n->disk.order_count && n->disk.order[n->order_shown].position < end) {
        if (n->order_shown >= n->disk.order_written) {
            sim_fail(world, 1, "node %u exposes position %" PRIu64 " before its row is written", n->index, n->disk.order[n->order_shown].position);
            return;
        }
        const struct sim_order_row *row = &n->disk.order[n->order_shown++];
        const struct sim_node *owner = node_at(world, row->stream % world->node_count);
        if (row->base + sim_history_batch(world, row->batch)->count > owner->done[row->stream])
            sim_fail(world, 9, "position %" PRIu64 " is exposed before its entry is done", row->position);
        sim_history_show(world, row);
    }
    if (n->tail_begun && n->tail_asked <= end) {
        sim_history_tail(world, n->tail_begun, n->tail_asked);
        n->tail_begun = 0;
    }
}

static void bind(struct sim_world *world, struct sim_node *n, const struct order_effect *fx)
{
    const struct order_entry *e = &fx->bind.entry;
    sim_trace(world, "node %u binds lane %u s %" PRIu64 " at %" PRIu64, n->index, e->id.lane, e->id.s, fx->bind.position.value);
    struct sim_order_row row = {.position = fx->bind.position.value, .length = order_entry_positions(e), .id = e->id,
                                .batch = batch_of(world, e), .stream = e->member.stream, .base = e->member.base_offset};
    if (ORDER_MUTATED(RECOUNT))
        row.length = 1;
    sim_disk_add_order(&n->disk, row);
}

struct envelope {
    struct order_message message;
};

static void deliver(struct sim_world *world, struct sim_event *event)
{
    struct sim_node *n = node_at(world, event->b);
    const struct envelope *env = event->data;
    if (!n->is_up)
        return;
    if (n->paused_until_ns > world->now_ns) { /* stopped: the message waits in its socket, in order */
        struct envelope *copy = br_alloc(sizeof(*copy));
        *copy = *env;
        sim_at(world, n->paused_until_ns - world->now_ns, deliver, event->a, event->b, copy);
        return;
    }
    sim_trace(world, "node %u gets %d from %u", n->index, (int)env->message.kind, (unsigned)event->a);
    struct order_event e = {.kind = ORDER_EV_MESSAGE, .now_ns = world->now_ns, .message = {node_id((unsigned)event->a), &env->message}};
    step(world, n, &e);
}

/* Runs the effects in order. Steps they ask for come after: effects live until the next step. */
static void step(struct sim_world *world, struct sim_node *n, struct order_event *event)
{
    unsigned count, stores = 0;
    uint64_t lsns[ORDER_BATCH_MAX];
    const struct order_effect *fx = order_core_step(n->core, event, &count);
    if (world->options.mutation == SIM_MUTATION_NONE && !ORDER_MUTATED_ANY)
        order_core_check(n->core);
    for (unsigned i = 0; i < count && !world->is_failed; i++)
        switch (fx[i].kind) {
        case ORDER_FX_SYNC: later(world, n, 200000, world->is_calm ? 1000000 : 20000000, sync_done, n->disk.written); break;
        case ORDER_FX_DONE: become_done(world, n, fx[i].done.stream, fx[i].done.done_end); break;
        case ORDER_FX_BIND: bind(world, n, &fx[i]); break;
        case ORDER_FX_ROWS: later(world, n, 0, 50000, rows_written, fx[i].end.value); break;
        case ORDER_FX_STABLE: become_stable(world, n, fx[i].end.value); break;
        case ORDER_FX_RELEASE: sim_trace(world, "node %u releases %" PRIu64, n->index, fx[i].release.s); break;
        case ORDER_FX_SEND:
            sim_net_send(world, n->index, (unsigned)fx[i].send.to - 1, fx[i].send.message, sizeof(struct order_message), deliver);
            break;
        case ORDER_FX_STORE:
            BR_ASSERT(stores < ORDER_BATCH_MAX);
            lsns[stores++] = add_row(n, &fx[i].store, batch_of(world, &fx[i].store));
            want_turn(world, n);
            break;
        }
    for (unsigned i = 0; i < stores && !world->is_failed; i++) {
        struct order_event stored = {.kind = ORDER_EV_STORED, .now_ns = world->now_ns, .lsn = lsns[i]};
        step(world, n, &stored);
    }
}

void sim_node_link(struct sim_world *world, unsigned node, unsigned peer, bool is_up)
{
    BR_ASSERT(!world->real);
    struct sim_node *n = node_at(world, node);
    if (!n->is_up)
        return;
    struct order_event e = {.kind = ORDER_EV_LINK, .now_ns = world->now_ns, .link = {node_id(peer), is_up}};
    step(world, n, &e);
}

static bool append(struct sim_world *world, unsigned node, uint32_t batch)
{
    struct sim_node *n = node_at(world, node);
    const struct sim_batch *b = sim_history_batch(world, batch);
    if (!n->is_up || !order_core_has_room(n->core, 1))
        return false;
    BR_ASSERT(b->stream % world->node_count == node);
    if (world->is_embedded && order_core_tail(n->core).value + 2 * SIM_RING_MAX > n->disk.state.ceiling) {
        sim_node_checkpoint(world, node); /* positions given out ahead run short */
        return false;
    }
    struct order_entry e = {.id = {n->lane, order_core_next_s(n->core)}, .kind = ORDER_DATA, .class = b->class,
                            .member = {.stream = b->stream, .leader_epoch = (int32_t)n->incarnation, .base_offset = n->ends[b->stream],
                                       .count = b->count}};
    sim_trace(world, "node %u appends batch %u: stream %u offset %" PRId64 " s %" PRIu64, node, batch, b->stream, n->ends[b->stream], e.id.s);
    sim_disk_add_piece(&n->disk, b->stream, (struct sim_piece){.batch = batch, .count = b->count, .base = n->ends[b->stream]});
    e.lsn_end = add_row(n, &e, batch);
    n->ends[b->stream] += b->count;
    if (n->pending_count == n->pending_size)
        n->pending = br_realloc(n->pending, (n->pending_size = n->pending_size ? n->pending_size * 2 : 64) * sizeof(*n->pending));
    n->pending[n->pending_count++] = (struct sim_pending){b->stream, batch, e.member.base_offset, n->ends[b->stream]};
    struct order_event event = {.kind = ORDER_EV_APPEND, .now_ns = world->now_ns, .entry = e};
    step(world, n, &event);
    want_turn(world, n);
    return true;
}

/* Where the batch lies on the owner's disk, or -1. *is_done: below the high watermark. */
static int64_t find_batch(struct sim_world *world, struct sim_node *n, uint32_t batch, bool *is_done)
{
    const struct sim_batch *b = sim_history_batch(world, batch);
    const struct sim_segment *s = &n->disk.segments[b->stream];
    for (size_t i = s->count; i > 0; i--)
        if (s->pieces[i - 1].batch == batch) {
            *is_done = s->pieces[i - 1].base + s->pieces[i - 1].count <= n->done[b->stream];
            return s->pieces[i - 1].base;
        }
    return -1;
}

/* The broker's side of idempotence: append, answer again, or refuse. */
enum sim_verdict sim_node_produce(struct sim_world *world, unsigned node, uint32_t batch, int64_t *base)
{
    if (world->real)
        return real_node_produce(world, batch, base);
    struct sim_node *n = node_at(world, node);
    const struct sim_batch *b = sim_history_batch(world, batch);
    struct sim_sequences *q = &n->sequences[b->producer];
    bool is_new_epoch = !q->is_known || b->epoch > q->epoch, is_done;
    bool is_next = is_new_epoch ? (b->sequence == 0 || (SIM_MUTATED(world, FORGET_PRODUCERS) && n->incarnation > 1))
                                : b->epoch == q->epoch && b->sequence == q->next;
    bool is_old = !is_new_epoch && b->epoch == q->epoch && b->sequence < q->next;
    if (!is_new_epoch && b->epoch == q->epoch && b->sequence > q->next && SIM_MUTATED(world, SEQUENCE_GAP))
        is_next = true;
    if (is_old && SIM_MUTATED(world, NO_DEDUP))
        is_next = true;
    if (is_next && append(world, node, batch)) {
        *q = (struct sim_sequences){true, b->epoch, b->sequence + 1};
        return SIM_WAITS;
    }
    if (!is_old || is_next)
        return SIM_REFUSED;
    *base = find_batch(world, n, batch, &is_done);
    BR_ASSERT(*base >= 0 || world->options.mutation != SIM_MUTATION_NONE || ORDER_MUTATED_ANY);
    if (!is_done || *base < 0)
        return SIM_WAITS; /* the original is answered when it is done */
    if (SIM_MUTATED(world, RETRY_ANSWERS_END))
        *base = n->ends[b->stream];
    return SIM_ANSWERED;
}

void sim_node_read(struct sim_world *world, unsigned node)
{
    if (world->real) {
        real_node_read(world);
        return;
    }
    struct sim_node *n = node_at(world, node);
    for (unsigned s = node; s < world->stream_count && n->is_up; s += world->node_count) {
        int64_t end = SIM_MUTATED(world, READ_ABOVE_DONE) ? n->ends[s] : n->done[s];
        if (end == 0)
            continue;
        int64_t offset = sim_chance(world, 50) ? end - 1 : (int64_t)sim_below(world, (uint64_t)end);
        const struct sim_piece *p = sim_disk_at(&n->disk, s, offset);
        if (!p)
            sim_fail(world, 6, "offset %" PRId64 " of stream %u lies below the high watermark and is not there", offset, s);
        else
            sim_history_read(world, s, p->base, p->batch);
    }
}

void sim_node_tail(struct sim_world *world, unsigned node)
{
    if (world->real) {
        real_node_tail(world);
        return;
    }
    struct sim_node *n = node_at(world, node);
    if (!n->is_up || n->tail_begun || world->member_count > 1 || node != 0)
        return;
    n->tail_begun = world->tick;
    n->tail_asked = SIM_MUTATED(world, TAIL_IS_STABLE) ? order_core_stable(n->core).value : order_core_tail(n->core).value;
    if (n->tail_asked <= order_core_stable(n->core).value) {
        sim_history_tail(world, n->tail_begun, n->tail_asked);
        n->tail_begun = 0;
    }
}

void sim_node_ghost(struct sim_world *world, unsigned from, unsigned to)
{
    struct sim_node *n = node_at(world, to), *sender = node_at(world, from);
    static const enum order_message_kind kinds[] = {ORDER_MSG_ACK, ORDER_MSG_STABLE, ORDER_MSG_PUSHED, ORDER_MSG_ORDERED};
    if (!n->is_up || !sender->is_up || from == to || n->paused_until_ns > world->now_ns)
        return;
    struct envelope env = {.message = {.kind = kinds[sim_below(world, BR_COUNT(kinds))], .view = 1, .nonce = 100 + from, .lane = n->lane}};
    uint64_t s = order_core_next_s(n->core) - 1;
    if (sim_chance(world, 50)) { /* this view, another incarnation: only an ACK can be told by it */
        env.message.kind = ORDER_MSG_ACK;
        env.message.view = 2;
        env.message.nonce += 50;
    }
    switch (env.message.kind) {
    case ORDER_MSG_ACK:
        env.message.ack.last = env.message.ack.written = env.message.ack.synced = s;
        break;
    case ORDER_MSG_ORDERED:
        env.message.ordered.count = 1;
        env.message.ordered.vector[0] = (struct order_entry_id){n->lane, s + 3};
        break;
    default:
        env.message.end = order_position(order_core_stable(n->core).value + 5);
        break;
    }
    struct order_event e = {.kind = ORDER_EV_MESSAGE, .now_ns = world->now_ns, .message = {node_id(from), &env.message}};
    step(world, n, &e);
}

/* f = 0: the journal rows that are bound and in the order log can be covered. */
static void checkpoint_done(struct sim_world *world, struct sim_event *event)
{
    struct sim_node *n = alive(world, event);
    if (!n)
        return;
    const struct sim_state *next = event->data;
    struct sim_disk *d = &n->disk;
    for (unsigned s = 0; s < world->stream_count; s++)
        for (size_t i = 0; i < d->segments[s].count; i++)
            if (d->segments[s].pieces[i].base < next->ends[s])
                d->segments[s].pieces[i].is_synced = true;
    while (d->order_synced < d->order_written && d->order[d->order_synced].position < next->position)
        d->order_synced++;
    d->state = *next;
    n->is_checkpoint_running = false;
    sim_trace(world, "node %u checkpoint at row %zu position %" PRIu64, n->index, next->row, next->position);
}

void sim_node_checkpoint(struct sim_world *world, unsigned node)
{
    if (world->real) {
        real_node_checkpoint(world);
        return;
    }
    struct sim_node *n = node_at(world, node);
    if (!n->is_up || n->is_checkpoint_running || !world->is_embedded)
        return;
    struct sim_disk *d = &n->disk;
    struct sim_state *next = br_alloc(sizeof(*next));
    *next = d->state;
    /* Rows bound and in the order log's file: the ring is the journal's order, so they are a prefix of it. */
    uint64_t position = d->order_written ? d->order[d->order_written - 1].position + d->order[d->order_written - 1].length : 0;
    next->position = BR_MAX(next->position, position);
    size_t at = d->order_written;
    while (at > 0 && d->order[at - 1].position >= d->state.position)
        at--;
    for (; at < d->order_written; at++)
        if (next->row < d->written) {
            if (!d->order[at].is_lost)
                next->ends[d->order[at].stream] = d->order[at].base + d->rows[next->row].entry.member.count;
            next->row++;
        }
    next->ceiling = order_core_tail(n->core).value + SIM_CEILING;
    n->is_checkpoint_running = true;
    if (SIM_MUTATED(world, RECYCLE_EARLY))
        d->state = *next;
    sim_at(world, sim_delay(world, 100000, 10000000), checkpoint_done, n->index, n->incarnation, next);
}

bool sim_node_is_idle(const struct sim_world *world, unsigned node)
{
    if (world->real)
        return real_node_is_idle(world);
    const struct sim_node *n = &world->nodes[node];
    return n->is_up && world->nodes[0].is_up && n->pending_count == 0 && !n->tail_begun && n->disk.written == n->disk.row_count &&
           order_core_stable(n->core).value == order_core_tail(world->nodes[0].core).value;
}
