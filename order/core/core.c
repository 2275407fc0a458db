/* Dispatch of one node's order core: takes an event apart, hands it to the roles it concerns, then lets each role settle in the order of
 * the life of an entry: journal ends, acknowledgements, done, round, stable. */
#include "order/core/core_int.h"
#include "compat/base/mem.h"

static uint32_t power_of_two_below(uint32_t n)
{
    uint32_t p = 1;
    while (p <= n / 2)
        p *= 2;
    return p;
}

struct order_core *order_core_new(const struct order_core_opts *opts)
{
    BR_ASSERT(opts->ring_entries > 0);
    BR_ASSERT(opts->lanes_max <= ORDER_LANES_MAX);
    struct order_core *core = br_alloc(sizeof(*core));
    uint32_t lanes = core->lanes_max = BR_MAX(opts->lanes_max, 1u);
    core->replica.credit = power_of_two_below(BR_MAX(opts->ring_entries / lanes, 1u));
    core->replica.limit = power_of_two_below(BR_MAX(opts->ring_entries, core->replica.credit * lanes));
    if (core->replica.limit < core->replica.credit * lanes)
        core->replica.limit *= 2;
    order_done_init(&core->done, opts->streams_max);
    core->effect_limit = opts->streams_max + ORDER_ROUND_MAX + ORDER_BATCH_MAX + 4 * (ORDER_MEMBERS_MAX + ORDER_LANES_MAX) + 8;
    core->effect_size = BR_MIN(ORDER_SIZE_MIN, core->effect_limit);
    core->effects = br_alloc_array(core->effect_size, sizeof(*core->effects));
    return core;
}

void order_core_free(struct order_core *core)
{
    if (!core)
        return;
    order_done_clear(&core->done);
    br_free(core->client.slots);
    br_free(core->replica.slots);
    br_free(core->effects);
    br_free(core->messages);
    br_free(core);
}

struct order_effect *order_effect_add(struct order_core *core, enum order_effect_kind kind)
{
    if (core->effect_count == core->effect_size) {
        BR_ASSERT(core->effect_size < core->effect_limit);
        core->effect_size = BR_MIN(core->effect_size * 2, core->effect_limit);
        core->effects = br_realloc(core->effects, core->effect_size * sizeof(*core->effects));
    }
    BR_ASSERT(core->effect_count < core->effect_size);
    struct order_effect *fx = &core->effects[core->effect_count++];
    memset(fx, 0, sizeof(*fx));
    fx->kind = kind;
    return fx;
}

struct order_message *order_message_add(struct order_core *core, int32_t to, enum order_message_kind kind)
{
    BR_ASSERT(core->message_count < core->message_size);
    BR_ASSERT(to != core->config.node);
    struct order_message *m = &core->messages[core->message_count++];
    memset(m, 0, sizeof(*m));
    m->kind = kind;
    m->view = core->config.view;
    struct order_effect *fx = order_effect_add(core, ORDER_FX_SEND);
    fx->send.to = to;
    fx->send.message = m;
    return m;
}

static void start(struct order_core *core, const struct order_start *s)
{
    BR_ASSERT(!core->is_started);
    BR_ASSERT(s->member_count >= 1 && s->member_count <= ORDER_MEMBERS_MAX);
    core->config = *s;
    core->self = ORDER_NONE;
    for (unsigned i = 0; i < s->member_count; i++)
        if (s->members[i] == s->node)
            core->self = i;
    core->append_lsn = core->written_lsn = core->synced_lsn = core->want_lsn = core->sync_lsn = s->lsn;
    if (s->member_count > 1 || core->self == ORDER_NONE || core->lanes_max > 1) {
        core->message_size = 4 * (ORDER_MEMBERS_MAX + ORDER_LANES_MAX);
        core->messages = br_alloc_array(core->message_size, sizeof(*core->messages));
    }
    core->idle_since_ns = core->now_ns;
    order_replica_start(core);
    order_client_start(core);
    order_holder_start(core);
    order_binder_start(core);
    core->is_started = true;
}

static void journal_moved(struct order_core *core, uint64_t *end, uint64_t lsn)
{
    BR_ASSERT(end == &core->written_lsn || end == &core->synced_lsn);
    *end = BR_MAX(*end, lsn);
    BR_ASSERT(core->synced_lsn <= core->written_lsn); /* O-4: WRITTEN is fed before SYNCED */
}

static void message(struct order_core *core, int32_t from, const struct order_message *m)
{
    BR_ASSERT(!order_is_single(core));
    BR_ASSERT(from != core->config.node);
    if (m->view != core->config.view && !ORDER_MUTATED(ANY_VIEW))
        return; /* O-8 */
    switch (m->kind) {
    case ORDER_MSG_HELLO: order_replica_hello(core, from, m); break;
    case ORDER_MSG_APPEND: order_replica_append(core, m); break;
    case ORDER_MSG_ACK: order_client_ack(core, from, m); break;
    case ORDER_MSG_PUSH: order_holder_push(core, from, m); break;
    case ORDER_MSG_PUSHED: order_binder_pushed(core, from, m->end); break;
    case ORDER_MSG_ORDERED: order_replica_ordered(core, m); break;
    case ORDER_MSG_STABLE: order_holder_stable(core, m->end.value); break;
    }
}

/* One sync runs at a time; what is written meanwhile waits for the next: group commit. */
static void request_sync(struct order_core *core)
{
    if (core->want_lsn <= core->synced_lsn || core->sync_lsn > core->synced_lsn)
        return;
    core->sync_lsn = core->written_lsn;
    order_effect_add(core, ORDER_FX_SYNC);
    BR_ASSERT(core->sync_lsn >= core->want_lsn); /* O-7 */
}

static void settle(struct order_core *core)
{
    BR_ASSERT(core->is_started);
    if (core->replica.is_member)
        order_replica_settle(core);
    order_client_follow(core);
    request_sync(core); /* first: the device works while the rest is told */
    order_client_settle(core);
    order_binder_settle(core);
    order_client_release(core);
    if (!order_is_single(core))
        order_replica_answer(core);
    BR_ASSERT(core->effect_count <= core->effect_limit);
}

const struct order_effect *order_core_step(struct order_core *core, const struct order_event *event, unsigned *count)
{
    BR_ASSERT(core->is_started == (event->kind != ORDER_EV_START));
    core->step++;
    core->now_ns = BR_MAX(core->now_ns, event->now_ns);
    core->effect_count = core->message_count = 0;
    *count = 0;
    if (core->is_failed) {
        BR_ASSERT(event->kind != ORDER_EV_APPEND); /* O-11 */
        return core->effects;
    }
    switch (event->kind) {
    case ORDER_EV_START: start(core, event->start); break;
    case ORDER_EV_APPEND: order_client_append(core, &event->entry); break;
    case ORDER_EV_WRITTEN: journal_moved(core, &core->written_lsn, event->lsn); break;
    case ORDER_EV_SYNCED: journal_moved(core, &core->synced_lsn, event->lsn); break;
    case ORDER_EV_ROWS: order_holder_rows(core, event->end); break;
    case ORDER_EV_MESSAGE: message(core, event->message.from, event->message.message); break;
    case ORDER_EV_LINK:
        order_client_hello(core, event->link.peer, event->link.is_up);
        if (event->link.is_up)
            order_binder_link(core, event->link.peer);
        break;
    case ORDER_EV_TICK:
        if (core->replica.is_member)
            order_replica_shrink(core);
        break;
    case ORDER_EV_FAILED: core->is_failed = true; return core->effects;
    case ORDER_EV_STORED: order_replica_stored(core, event->lsn); break;
    }
    /* An append alone changes nothing until its rows are written, except that other members can have it. */
    if (event->kind != ORDER_EV_APPEND || !order_is_single(core) || ORDER_MUTATED(ACK_UNWRITTEN))
        settle(core);
    *count = core->effect_count;
    return core->effects;
}

bool order_core_has_room(const struct order_core *core, unsigned count)
{
    BR_ASSERT(count > 0);
    if (!core->is_started || core->is_failed)
        return false;
    return order_client_has_room(core, count) && order_done_has_room(&core->done, count);
}

uint64_t order_core_next_s(const struct order_core *core) { return core->client.next; }

struct order_position order_core_tail(const struct order_core *core)
{
    return order_position(core->binder.is_leader ? core->binder.next : core->holder.stable);
}

struct order_position order_core_stable(const struct order_core *core) { return order_position(core->holder.stable); }

int64_t order_core_deadline(const struct order_core *core)
{
    const struct order_replica *r = &core->replica;
    bool is_grown = r->is_member && r->size > ORDER_SIZE_MIN && r->head == r->tail;
    return is_grown ? core->idle_since_ns + ORDER_IDLE_NS : INT64_MAX;
}
