/* The order log of this node: takes rows by position, never "at the end", so that a repeated PUSH changes nothing; exposes stable only over
 * rows that are there. */
#include "order/core/core_int.h"

void order_holder_start(struct order_core *core)
{
    struct order_holder *h = &core->holder;
    BR_ASSERT(h->bound == 0);
    h->bound = h->rows = h->told = h->stable = core->config.next.value;
    BR_ASSERT(h->stable == core->config.next.value);
}

void order_holder_bind(struct order_core *core, const struct order_entry *entry, uint64_t position)
{
    struct order_holder *h = &core->holder;
    BR_ASSERT(position == h->bound || ORDER_MUTATED(RECOUNT)); /* O-3 */
    BR_ASSERT(position >= h->stable || ORDER_MUTATED(RECOUNT)); /* O-9: nothing below stable is written again */
    struct order_effect *fx = order_effect_add(core, ORDER_FX_BIND);
    fx->bind.entry = *entry;
    fx->bind.position = order_position(position);
    fx->bind.view = core->config.view;
    h->bound = position + (ORDER_MUTATED(RECOUNT) ? 1 : order_entry_positions(entry));
}

void order_holder_rows_end(struct order_core *core)
{
    struct order_holder *h = &core->holder;
    BR_ASSERT(h->bound > h->rows);
    order_effect_add(core, ORDER_FX_ROWS)->end = order_position(h->bound);
    BR_ASSERT(h->stable <= h->rows);
}

static void expose(struct order_core *core)
{
    struct order_holder *h = &core->holder;
    uint64_t end = ORDER_MUTATED(STABLE_UNPUSHED) ? h->told : BR_MIN(h->told, h->rows);
    BR_ASSERT(end >= h->stable); /* O-9 */
    if (end == h->stable)
        return;
    h->stable = end;
    order_effect_add(core, ORDER_FX_STABLE)->end = order_position(end);
    BR_ASSERT(h->stable <= h->rows || ORDER_MUTATED(STABLE_UNPUSHED)); /* O-9 */
}

void order_holder_rows(struct order_core *core, struct order_position end)
{
    struct order_holder *h = &core->holder;
    BR_ASSERT(end.value >= h->rows);
    BR_ASSERT(end.value <= h->bound);
    h->rows = end.value;
    if (core->binder.is_leader) {
        order_binder_pushed(core, core->config.node, end);
        return;
    }
    order_message_add(core, core->config.members[0], ORDER_MSG_PUSHED)->end = end;
    expose(core);
}

void order_holder_push(struct order_core *core, int32_t from, const struct order_message *m)
{
    struct order_holder *h = &core->holder;
    BR_ASSERT(m->push.count <= ORDER_BATCH_MAX);
    if (from != core->config.members[0] || core->self == ORDER_NONE || m->push.position.value > h->bound)
        return;
    uint64_t position = m->push.position.value, bound = h->bound;
    if (ORDER_MUTATED(PUSH_APPENDS))
        position = bound;
    for (unsigned i = 0; i < m->push.count; i++) {
        const struct order_entry *e = &m->push.entries[i];
        if (position == h->bound)
            order_holder_bind(core, e, position);
        position += ORDER_MUTATED(RECOUNT) ? 1 : order_entry_positions(e);
    }
    if (h->bound > bound)
        order_holder_rows_end(core);
    else if (h->rows == h->bound)
        order_message_add(core, from, ORDER_MSG_PUSHED)->end = order_position(h->rows);
    BR_ASSERT(h->bound >= bound);
}

void order_holder_stable(struct order_core *core, uint64_t end)
{
    struct order_holder *h = &core->holder;
    BR_ASSERT(core->is_started);
    h->told = BR_MAX(h->told, end);
    if (core->self == ORDER_NONE)
        h->rows = h->bound = BR_MAX(h->rows, h->told); /* keeps no order log: only passes the news to its readers */
    expose(core);
    BR_ASSERT(h->told >= h->stable);
}
