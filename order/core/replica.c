/* The sequencing replica: accepts the entries of each lane without a gap (R1) into a ring, and drops them once they are ordered.
 *
 *   head ........ synced ........ written ........ stored ........ tail        slot indexes; each <= the next
 *                 on disk         page cache       rows placed     accepted
 *
 * Entries leave in the leader's order, which at the leader is the ring's own. At a follower an entry may be ordered before an older one of
 * another lane; its slot then waits, marked, until the older ones have gone or the ring needs the room. */
#include "order/core/core_int.h"
#include "compat/base/mem.h"

void order_replica_start(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    BR_ASSERT(r->slots == NULL);
    BR_ASSERT(r->credit > 0);
    r->nonce = core->config.nonce;
    r->is_member = core->self != ORDER_NONE;
    if (!r->is_member)
        return;
    r->size = BR_MIN(ORDER_SIZE_MIN, r->limit);
    r->slots = br_alloc_array(r->size, sizeof(*r->slots));
    if (core->config.lane) {
        r->lanes[0] = (struct order_lane){.lane = core->config.lane, .node = core->config.node};
        r->lane_count = 1;
    }
    BR_ASSERT((r->size & (r->size - 1)) == 0);
}

struct order_lane *order_replica_lane(struct order_core *core, uint32_t lane)
{
    struct order_replica *r = &core->replica;
    for (unsigned i = 0; i < r->lane_count; i++)
        if (r->lanes[i].lane == lane)
            return &r->lanes[i];
    return NULL;
}

/* Follower: slots already ordered give way to the others. Cursors move with what is below them. */
static void squeeze(struct order_replica *r)
{
    uint64_t to = r->head;
    uint64_t *cursors[] = {&r->synced, &r->written, &r->stored};
    uint64_t moved[] = {r->synced, r->written, r->stored};
    for (uint64_t from = r->head; from < r->tail; from++) {
        struct order_slot *slot = order_slot_at(r, from);
        if (!slot->is_ordered) {
            *order_slot_at(r, to++) = *slot;
            continue;
        }
        for (unsigned k = 0; k < BR_COUNT(cursors); k++)
            if (*cursors[k] > from)
                moved[k]--;
    }
    r->synced = moved[0];
    r->written = moved[1];
    r->stored = moved[2];
    r->tail = to;
    BR_ASSERT(r->synced <= r->written);
    BR_ASSERT(r->stored <= r->tail);
}

static void resize(struct order_replica *r, uint32_t size)
{
    BR_ASSERT(r->tail - r->head <= size);
    BR_ASSERT(size <= r->limit);
    struct order_replica old = *r;
    r->size = size;
    r->slots = br_alloc_array(size, sizeof(*r->slots));
    for (uint64_t i = old.head; i < old.tail; i++)
        *order_slot_at(r, i) = *order_slot_at(&old, i);
    br_free(old.slots);
}

static void make_room(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    if (r->tail - r->head < r->size)
        return;
    if (r->size < r->limit)
        resize(r, r->size * 2);
    else
        squeeze(r);
    BR_ASSERT(r->tail - r->head < r->size); /* O-10: credits keep the rest below the limit */
}

void order_replica_accept(struct order_core *core, struct order_lane *lane, const struct order_entry *entry)
{
    struct order_replica *r = &core->replica;
    if (!ORDER_MUTATED(ACCEPT_GAP))
        BR_ASSERT(entry->id.s == lane->last + 1); /* O-1, R1 */
    BR_ASSERT(lane->last - lane->ordered < r->credit || ORDER_MUTATED(ACCEPT_GAP)); /* O-10, R12 */
    make_room(core);
    struct order_slot *slot = order_slot_at(r, r->tail);
    *slot = (struct order_slot){.entry = *entry};
    r->tail++;
    lane->last = entry->id.s;
    if (core->binder.is_leader)
        order_binder_arrive(core, slot);
    if (lane->node == core->config.node) {
        /* Its rows lie in this node's journal already; those of other lanes accepted before do as well, or follow in turn. */
        if (r->stored + 1 == r->tail)
            r->stored = r->tail;
        return;
    }
    slot->entry.lsn_end = 0;
    order_effect_add(core, ORDER_FX_STORE)->store = slot->entry;
}

void order_replica_stored(struct order_core *core, uint64_t lsn)
{
    struct order_replica *r = &core->replica;
    BR_ASSERT(r->stored < r->tail);
    struct order_slot *slot = order_slot_at(r, r->stored);
    BR_ASSERT(slot->entry.lsn_end == 0);
    BR_ASSERT(lsn > core->append_lsn); /* O-1: one journal, LSNs rise */
    core->append_lsn = lsn;
    slot->entry.lsn_end = lsn;
    r->stored++;
    while (r->stored < r->tail && order_slot_at(r, r->stored)->entry.lsn_end)
        r->stored++;
}

void order_replica_hello(struct order_core *core, int32_t from, const struct order_message *m)
{
    struct order_replica *r = &core->replica;
    if (!r->is_member || (m->nonce != r->nonce && !ORDER_MUTATED(ANY_VIEW)))
        return; /* O-8, R8 */
    struct order_lane *lane = order_replica_lane(core, m->lane);
    if (!lane) {
        if ((r->lane_count + 1) * r->credit > r->limit || r->lane_count == ORDER_LANES_MAX)
            return; /* O-10: no credit left to give */
        lane = &r->lanes[r->lane_count++];
        *lane = (struct order_lane){.lane = m->lane, .node = from};
    }
    lane->node = from;
    lane->is_rewind = lane->is_ack_due = true;
    BR_ASSERT(lane->lane != 0);
}

void order_replica_append(struct order_core *core, const struct order_message *m)
{
    struct order_replica *r = &core->replica;
    BR_ASSERT(m->append.count <= ORDER_BATCH_MAX);
    struct order_lane *lane = r->is_member ? order_replica_lane(core, m->lane) : NULL;
    if (!lane || (m->nonce != r->nonce && !ORDER_MUTATED(ANY_VIEW)))
        return; /* O-8 */
    for (unsigned i = 0; i < m->append.count; i++) {
        const struct order_entry *e = &m->append.entries[i];
        if (e->id.s <= lane->last)
            continue; /* sent again: acknowledged again below */
        bool has_credit = lane->last - lane->ordered < r->credit;
        if ((e->id.s != lane->last + 1 && !ORDER_MUTATED(ACCEPT_GAP)) || !has_credit) {
            lane->is_rewind = true;
            break;
        }
        order_replica_accept(core, lane, e);
    }
    lane->is_ack_due = true;
    lane->done = BR_MAX(lane->done, BR_MIN(m->append.done, lane->last));
    BR_ASSERT(lane->ordered <= lane->last || ORDER_MUTATED(ACCEPT_GAP)); /* O-2 */
}

void order_replica_settle(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    while (r->written < r->stored) {
        const struct order_entry *e = &order_slot_at(r, r->written)->entry;
        if (e->lsn_end > core->written_lsn)
            break;
        struct order_lane *lane = order_replica_lane(core, e->id.lane);
        lane->written = BR_MAX(lane->written, e->id.s);
        if (e->class == ORDER_FSYNC)
            core->want_lsn = BR_MAX(core->want_lsn, e->lsn_end);
        r->written++;
    }
    while (r->synced < r->written) {
        const struct order_entry *e = &order_slot_at(r, r->synced)->entry;
        if (e->lsn_end > core->synced_lsn)
            break;
        struct order_lane *lane = order_replica_lane(core, e->id.lane);
        lane->synced = BR_MAX(lane->synced, e->id.s);
        r->synced++;
    }
    BR_ASSERT(r->synced <= r->written); /* O-4 */
    BR_ASSERT(r->written <= r->stored);
}

void order_replica_answer(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    for (unsigned i = 0; i < r->lane_count; i++) {
        struct order_lane *lane = &r->lanes[i];
        if (lane->node == core->config.node)
            continue;
        uint64_t now = lane->written + lane->synced + lane->ordered;
        if (now == lane->told && !lane->is_ack_due)
            continue;
        struct order_message *m = order_message_add(core, lane->node, ORDER_MSG_ACK);
        m->nonce = r->nonce;
        m->lane = lane->lane;
        m->ack.last = lane->last;
        m->ack.written = lane->written;
        m->ack.synced = lane->synced;
        m->ack.ordered = lane->ordered;
        m->ack.is_rewind = lane->is_rewind;
        lane->told = now;
        lane->is_rewind = lane->is_ack_due = false;
        if (!ORDER_MUTATED(ACCEPT_GAP))
            BR_ASSERT(lane->written <= lane->last); /* O-2 */
    }
}

void order_replica_order(struct order_core *core, struct order_lane *lane, uint64_t s)
{
    BR_ASSERT(s <= lane->last); /* O-2: V never passes what was received */
    BR_ASSERT(s >= lane->ordered || !core->binder.is_leader); /* O-9 */
    lane->ordered = BR_MAX(lane->ordered, s);
    /* Ordered means done, on this member too: what its class asked for has been waited for. */
    lane->written = BR_MAX(lane->written, lane->ordered);
    lane->synced = BR_MAX(lane->synced, lane->ordered);
}

void order_replica_ordered(struct order_core *core, const struct order_message *m)
{
    struct order_replica *r = &core->replica;
    BR_ASSERT(m->ordered.count <= ORDER_LANES_MAX);
    if (!r->is_member || core->binder.is_leader)
        return;
    for (unsigned i = 0; i < m->ordered.count; i++) {
        struct order_lane *lane = order_replica_lane(core, m->ordered.vector[i].lane);
        if (lane)
            order_replica_order(core, lane, m->ordered.vector[i].s);
    }
    for (uint64_t i = r->head; i < r->tail; i++) {
        struct order_slot *slot = order_slot_at(r, i);
        if (slot->entry.id.s <= order_replica_lane(core, slot->entry.id.lane)->ordered)
            slot->is_ordered = true;
    }
    order_replica_release(core);
}

void order_replica_release(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    while (r->head < r->stored && order_slot_at(r, r->head)->is_ordered)
        r->head++;
    r->synced = BR_MAX(r->synced, r->head);
    r->written = BR_MAX(r->written, r->head);
    BR_ASSERT(r->synced <= r->written); /* O-4 */
    BR_ASSERT(r->written <= r->stored);
    if (r->head == r->tail)
        core->idle_since_ns = core->now_ns;
}

void order_replica_shrink(struct order_core *core)
{
    struct order_replica *r = &core->replica;
    uint32_t size = BR_MIN(ORDER_SIZE_MIN, r->limit);
    BR_ASSERT(r->is_member);
    if (r->head != r->tail || r->size == size || core->now_ns - core->idle_since_ns < ORDER_IDLE_NS)
        return;
    resize(r, size);
    struct order_client *c = &core->client;
    if (c->lane == 0 || c->first != c->next || c->size <= size)
        return;
    br_free(c->slots);
    c->size = size;
    c->slots = br_alloc_array(size, sizeof(*c->slots));
    BR_ASSERT(c->size <= c->limit);
}
