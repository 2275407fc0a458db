/* The orderer beside the leader. A position is given when an entry arrives in the leader's ring, and the ring is taken in order, never
 * skipping (R3). A round binds what is written here and not yet bound, and ends when f+1 holders have its rows; the next begins at once if
 * there is something to bind: self-clocked, no tick. Stable follows, held back by the first entry that is not done (R4).
 *
 *   head = stable ........ pushed ........ bound ........ written ........ tail
 *   leaves the ring        rows on f+1     in the round   may be bound     next position */
#include "order/core/core_int.h"

static uint64_t positions_of(const struct order_entry *e) { return ORDER_MUTATED(RECOUNT) ? 1 : order_entry_positions(e); }

void order_binder_start(struct order_core *core)
{
    struct order_binder *b = &core->binder;
    b->is_leader = core->self == 0;
    b->next = b->round_end = core->config.next.value;
    for (unsigned i = 0; i < core->config.member_count; i++)
        b->holder_end[i] = b->next;
    BR_ASSERT(b->bound == core->replica.tail);
    BR_ASSERT(b->pushed == b->bound);
}

void order_binder_arrive(struct order_core *core, struct order_slot *slot)
{
    struct order_binder *b = &core->binder;
    BR_ASSERT(b->is_leader);
    slot->position = b->next;
    b->next += positions_of(&slot->entry);
    BR_ASSERT(b->next > slot->position); /* O-3 */
}

static bool is_done(struct order_core *core, const struct order_slot *slot)
{
    return slot->entry.id.s <= order_replica_lane(core, slot->entry.id.lane)->done;
}

static void push(struct order_core *core, unsigned member)
{
    const struct order_binder *b = &core->binder;
    BR_ASSERT(b->bound > b->pushed);
    BR_ASSERT(b->bound - b->pushed <= ORDER_BATCH_MAX);
    struct order_message *m = order_message_add(core, core->config.members[member], ORDER_MSG_PUSH);
    m->push.position = order_position(order_slot_at(&core->replica, b->pushed)->position);
    m->push.count = (unsigned)(b->bound - b->pushed);
    for (unsigned k = 0; k < m->push.count; k++)
        m->push.entries[k] = order_slot_at(&core->replica, b->pushed + k)->entry;
}

#ifdef ORDER_MUTATIONS
/* Brings the first done entry forward, past those that are not: what R3 forbids. False: none is done. */
static bool skip_undone(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    struct order_binder *b = &core->binder;
    uint64_t at = b->bound;
    while (at < r->written && !is_done(core, order_slot_at(r, at)))
        at++;
    if (at == r->written || at == b->bound)
        return at < r->written;
    uint64_t position = order_slot_at(r, b->bound)->position;
    struct order_slot first = *order_slot_at(r, at);
    for (uint64_t i = at; i > b->bound; i--)
        *order_slot_at(r, i) = *order_slot_at(r, i - 1);
    *order_slot_at(r, b->bound) = first;
    for (uint64_t i = b->bound; i <= at; i++) {
        order_slot_at(r, i)->position = position;
        position += positions_of(&order_slot_at(r, i)->entry);
    }
    return true;
}
#endif

static void begin_round(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    struct order_binder *b = &core->binder;
    unsigned max = order_is_single(core) ? ORDER_ROUND_MAX : ORDER_BATCH_MAX;
    BR_ASSERT(b->bound == b->pushed); /* O-7 */
    while (b->bound < r->written && b->bound - b->pushed < max) {
#ifdef ORDER_MUTATIONS
        if (ORDER_MUTATED(SKIP_UNDONE) && !skip_undone(core))
            break;
#endif
        const struct order_slot *slot = order_slot_at(r, b->bound);
        BR_ASSERT(slot->position == b->round_end || ORDER_MUTATED(RECOUNT)); /* O-3 */
        order_holder_bind(core, &slot->entry, slot->position);
        b->round_end = slot->position + positions_of(&slot->entry);
        b->bound++;
    }
    if (ORDER_MUTATED(SKIP_UNDONE) && b->bound == b->pushed)
        return;
    BR_ASSERT(b->bound > b->pushed);
    for (unsigned i = 1; i < core->config.member_count; i++)
        push(core, i);
    order_holder_rows_end(core);
}

void order_binder_pushed(struct order_core *core, int32_t from, struct order_position end)
{
    struct order_binder *b = &core->binder;
    if (!b->is_leader)
        return;
    for (unsigned i = 0; i < core->config.member_count; i++)
        if (core->config.members[i] == from) {
            BR_ASSERT(end.value <= b->round_end || ORDER_MUTATED(ANY_VIEW) || ORDER_MUTATED(PUSH_APPENDS));
            b->holder_end[i] = BR_MAX(b->holder_end[i], end.value);
        }
    BR_ASSERT(b->round_end <= b->next || ORDER_MUTATED(SKIP_UNDONE));
}

/* f+1 holders, all of them members in this release: order log copies elsewhere do not count. */
static bool is_round_over(const struct order_core *core)
{
    const struct order_binder *b = &core->binder;
    unsigned count = 0;
    for (unsigned i = 0; i < core->config.member_count; i++)
        count += b->holder_end[i] >= b->round_end;
    BR_ASSERT(count <= core->config.member_count);
    return count == core->config.member_count || ORDER_MUTATED(STABLE_UNPUSHED);
}

static void tell_ordered(struct order_core *core, int32_t to)
{
    struct order_replica *r = &core->replica;
    struct order_message *m = order_message_add(core, to, ORDER_MSG_ORDERED);
    m->ordered.count = r->lane_count;
    for (unsigned i = 0; i < r->lane_count; i++)
        m->ordered.vector[i] = (struct order_entry_id){r->lanes[i].lane, r->lanes[i].ordered};
}

static bool is_member(const struct order_core *core, int32_t node)
{
    for (unsigned i = 0; i < core->config.member_count; i++)
        if (core->config.members[i] == node)
            return true;
    return false;
}

static void tell_stable(struct order_core *core, int32_t to)
{
    struct order_message *m = order_message_add(core, to, ORDER_MSG_STABLE);
    m->end = order_position(core->holder.stable);
    BR_ASSERT(to != core->config.node);
}

static void tell_all(struct order_core *core)
{
    const struct order_replica *r = &core->replica;
    for (unsigned i = 1; i < core->config.member_count; i++) {
        tell_ordered(core, core->config.members[i]);
        tell_stable(core, core->config.members[i]);
    }
    for (unsigned i = 0; i < r->lane_count; i++)
        if (!is_member(core, r->lanes[i].node))
            tell_stable(core, r->lanes[i].node);
}

void order_binder_link(struct order_core *core, int32_t peer)
{
    struct order_binder *b = &core->binder;
    if (!b->is_leader)
        return;
    for (unsigned i = 1; i < core->config.member_count; i++)
        if (core->config.members[i] == peer) {
            if (b->bound > b->pushed)
                push(core, i);
            tell_ordered(core, peer);
        }
    tell_stable(core, peer);
    BR_ASSERT(core->message_count > 0);
}

static void advance_stable(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    struct order_binder *b = &core->binder;
    uint64_t end = core->holder.stable, index = r->head;
    while (index < b->pushed) {
        struct order_slot *slot = order_slot_at(r, index);
        struct order_lane *lane = order_replica_lane(core, slot->entry.id.lane);
        if (!is_done(core, slot) && !ORDER_MUTATED(STABLE_UNDONE))
            break; /* O-5 */
        BR_ASSERT(slot->position == end || ORDER_MUTATED(RECOUNT)); /* O-3 */
        slot->is_ordered = true;
        order_replica_order(core, lane, slot->entry.id.s);
        end = slot->position + positions_of(&slot->entry);
        index++;
    }
    if (index == r->head)
        return;
    order_holder_stable(core, end);
    order_replica_release(core);
    BR_ASSERT(r->head == index); /* O-4: at the leader the head is the stable end */
    if (!order_is_single(core))
        tell_all(core);
}

unsigned order_core_ahead(struct order_core *core, struct order_position p, struct order_ahead *out, unsigned max)
{
    const struct order_replica *r = &core->replica;
    unsigned count = 0;
    if (!core->is_started || core->is_failed || !core->binder.is_leader)
        return 0;
    for (uint64_t index = r->head; index < r->tail && count < max; index++) {
        const struct order_slot *slot = order_slot_at(r, index);
        if (!is_done(core, slot))
            break; /* O-24: nothing is shown past it */
        if (slot->position + positions_of(&slot->entry) > p.value)
            out[count++] = (struct order_ahead){slot->entry, order_position(slot->position)};
    }
    BR_ASSERT(count == 0 || out[0].position.value >= core->holder.stable); /* O-5 */
    return count;
}

void order_binder_settle(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    struct order_binder *b = &core->binder;
    if (!b->is_leader)
        return;
    if (b->bound > b->pushed && is_round_over(core))
        b->pushed = b->bound;
    advance_stable(core);
    if (b->bound == b->pushed && b->bound < r->written)
        begin_round(core);
    BR_ASSERT(b->pushed <= b->bound); /* O-4 */
    BR_ASSERT(b->bound <= r->written);
}
