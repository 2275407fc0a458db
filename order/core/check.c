/* Invariants between the roles of one node (order/README.md); the simulator runs this after every step. */
#include "order/core/core_int.h"

/* O-1, O-3, O-5: walks the ring. */
static void check_ring(const struct order_core *core)
{
    const struct order_replica *r = &core->replica;
    uint64_t last[ORDER_LANES_MAX] = {0};
    uint64_t position = core->holder.stable;
    for (uint64_t i = r->head; i < r->tail; i++) {
        const struct order_slot *slot = order_slot_at(r, i);
        unsigned k = 0;
        while (k < r->lane_count && r->lanes[k].lane != slot->entry.id.lane)
            k++;
        BR_ASSERT(k < r->lane_count);
        BR_ASSERT(last[k] == 0 || slot->entry.id.s > last[k]); /* O-1 */
        if (!slot->is_ordered && last[k] >= r->lanes[k].ordered && last[k])
            BR_ASSERT(slot->entry.id.s == last[k] + 1); /* O-1 */
        last[k] = slot->entry.id.s;
        if (!core->binder.is_leader)
            continue;
        BR_ASSERT(slot->position == position); /* O-3 */
        BR_ASSERT(!slot->is_ordered);
        position += order_entry_positions(&slot->entry);
    }
    if (core->binder.is_leader)
        BR_ASSERT(position == core->binder.next); /* O-3 */
    for (unsigned k = 0; k < r->lane_count; k++)
        BR_ASSERT(last[k] == 0 || last[k] == r->lanes[k].last); /* O-1 */
}

static void check_lanes(const struct order_core *core)
{
    const struct order_replica *r = &core->replica;
    for (unsigned k = 0; k < r->lane_count; k++) {
        const struct order_lane *lane = &r->lanes[k];
        BR_ASSERT(lane->ordered <= lane->last); /* O-2 */
        BR_ASSERT(lane->synced <= lane->written); /* O-2 */
        BR_ASSERT(lane->written <= lane->last); /* O-2 */
        if (core->binder.is_leader)
            BR_ASSERT(lane->ordered <= lane->done && lane->done <= lane->last); /* O-2, O-5 */
        BR_ASSERT(lane->last - lane->ordered <= r->credit); /* O-10 */
    }
}

static void check_client(const struct order_core *core)
{
    const struct order_client *c = &core->client;
    BR_ASSERT(c->first >= 1 && c->first <= c->done + 1); /* O-2 */
    BR_ASSERT(c->done <= c->written && c->written < c->next); /* O-2 */
    BR_ASSERT(c->synced <= c->written); /* O-2 */
    BR_ASSERT(c->next - c->first <= c->limit); /* O-10 */
    uint32_t pending = 0;
    for (uint64_t s = c->first; s < c->next; s++) {
        const struct order_window_slot *w = order_window_at(c, s);
        BR_ASSERT(w->entry.id.s == s); /* O-1 */
        BR_ASSERT(!w->is_done || (s <= c->written && w->need <= c->synced)); /* O-6 */
        BR_ASSERT(w->is_done || s > c->written || w->need > c->synced); /* O-6: nothing that could be done waits */
        pending += !w->is_done;
    }
    uint32_t counted = 0;
    for (uint32_t b = 0; b < core->done.size; b++)
        for (uint32_t i = core->done.buckets[b]; i != ORDER_NONE; i = core->done.streams[i].next) {
            BR_ASSERT(core->done.streams[i].pending > 0);
            BR_ASSERT(core->done.streams[i].done_end <= core->done.streams[i].end); /* O-6 */
            counted += core->done.streams[i].pending;
        }
    BR_ASSERT(counted == pending);
}

void order_core_check(const struct order_core *core)
{
    if (!core->is_started)
        return;
    const struct order_replica *r = &core->replica;
    const struct order_binder *b = &core->binder;
    const struct order_holder *h = &core->holder;
    BR_ASSERT(core->synced_lsn <= core->written_lsn); /* O-4 */
    BR_ASSERT(core->sync_lsn <= core->written_lsn); /* O-7 */
    BR_ASSERT(r->head <= r->synced && r->synced <= r->written && r->written <= r->stored && r->stored <= r->tail); /* O-4 */
    BR_ASSERT(r->tail - r->head <= r->size && r->size <= BR_MAX(r->limit, r->size)); /* O-10 */
    BR_ASSERT(h->stable <= h->told); /* O-9 */
    BR_ASSERT(h->stable <= h->rows && h->rows <= h->bound); /* O-9 */
    if (b->is_leader) {
        BR_ASSERT(r->head <= b->pushed && b->pushed <= b->bound && b->bound <= r->written); /* O-4 */
        BR_ASSERT(h->bound == b->round_end && b->round_end <= b->next); /* O-3 */
    }
    check_ring(core);
    check_lanes(core);
    if (core->client.lane)
        check_client(core);
}
