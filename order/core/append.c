/* The lane client: numbers the entries of this node, sends each to every member, counts their cumulative acknowledgements, and sends
 * again after a link came back. With one member, this node, there is nothing to send: the journal alone decides. */
#include "order/core/core_int.h"
#include "compat/base/mem.h"

static bool is_remote(const struct order_core *core, unsigned member) { return member != core->self; }

void order_client_start(struct order_core *core)
{
    struct order_client *c = &core->client;
    BR_ASSERT(c->slots == NULL);
    c->lane = core->config.lane;
    c->first = c->next = 1;
    c->limit = core->replica.credit;
    if (c->lane == 0)
        return;
    c->size = BR_MIN(ORDER_SIZE_MIN, c->limit);
    c->slots = br_alloc_array(c->size, sizeof(*c->slots));
    BR_ASSERT((c->size & (c->size - 1)) == 0);
}

/* V as far as this node knows: what every member took out of its ring. */
static uint64_t ordered_everywhere(const struct order_core *core)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < core->config.member_count; i++)
        least = BR_MIN(least, core->client.members[i].ordered);
    return least;
}

bool order_client_has_room(const struct order_core *core, unsigned count)
{
    const struct order_client *c = &core->client;
    if (c->lane == 0)
        return false;
    return c->next - c->first + count <= c->limit && c->next - 1 - ordered_everywhere(core) + count <= c->limit;
}

static void grow(struct order_client *c)
{
    BR_ASSERT(c->size < c->limit);
    BR_ASSERT(c->next - c->first == c->size);
    struct order_client old = *c;
    c->size *= 2;
    c->slots = br_alloc_array(c->size, sizeof(*c->slots));
    for (uint64_t s = old.first; s < old.next; s++)
        *order_window_at(c, s) = *order_window_at(&old, s);
    br_free(old.slots);
}

void order_client_append(struct order_core *core, const struct order_entry *entry)
{
    struct order_client *c = &core->client;
    BR_ASSERT(entry->id.lane == c->lane);
    BR_ASSERT(entry->id.s == c->next); /* O-1 */
    BR_ASSERT(entry->lsn_end > core->append_lsn); /* O-1: journal order is lane order */
    BR_ASSERT(entry->lsn_end > core->written_lsn);
    BR_ASSERT(order_client_has_room(core, 1)); /* O-10 */
    if (c->next - c->first == c->size)
        grow(c);
    struct order_window_slot *w = order_window_at(c, c->next);
    *w = (struct order_window_slot){.entry = *entry};
    order_done_add(core, entry, &w->need, &w->stream);
    core->append_lsn = entry->lsn_end;
    c->next++;
    if (core->replica.is_member)
        order_replica_accept(core, order_replica_lane(core, c->lane), entry);
}

void order_client_hello(struct order_core *core, int32_t peer, bool is_up)
{
    struct order_client *c = &core->client;
    for (unsigned i = 0; i < core->config.member_count; i++) {
        if (core->config.members[i] != peer || !is_remote(core, i))
            continue;
        c->members[i].is_up = is_up;
        c->members[i].is_ready = false;
        if (!is_up || c->lane == 0)
            continue;
        struct order_message *m = order_message_add(core, peer, ORDER_MSG_HELLO);
        m->nonce = core->config.nonces[i];
        m->lane = c->lane;
        if (ORDER_MUTATED(NO_REWIND) && c->members[i].sent)
            c->members[i].is_ready = true;
    }
}

void order_client_ack(struct order_core *core, int32_t from, const struct order_message *m)
{
    struct order_client *c = &core->client;
    if (m->lane != c->lane)
        return;
    for (unsigned i = 0; i < core->config.member_count; i++) {
        struct order_member_acks *acks = &c->members[i];
        if (core->config.members[i] != from || !is_remote(core, i))
            continue;
        if (m->nonce != core->config.nonces[i] && !ORDER_MUTATED(ANY_VIEW))
            return; /* O-8, R8: a member that restarted is none until a view names it */
        if (!ORDER_MUTATED(ANY_VIEW))
            BR_ASSERT(m->ack.last < c->next); /* O-1: nobody has what was not sent */
        acks->last = BR_MAX(acks->last, m->ack.last);
        acks->written = BR_MAX(acks->written, m->ack.written);
        acks->synced = BR_MAX(acks->synced, m->ack.synced);
        acks->ordered = BR_MAX(acks->ordered, m->ack.ordered);
        if (m->ack.is_rewind && !ORDER_MUTATED(NO_REWIND))
            acks->sent = acks->last; /* not m->ack.last: an answer of the link before may come late */
        if (m->ack.is_rewind) {
            acks->is_ready = true;
            acks->done_told = 0;
        }
        acks->sent = BR_MAX(acks->sent, acks->last);
    }
}

/* What left the window was done, so it holds the ends back no more. */
void order_client_follow(struct order_core *core)
{
    struct order_client *c = &core->client;
    if (c->lane == 0)
        return;
    c->local_written = BR_MAX(c->local_written, c->first - 1);
    c->local_synced = BR_MAX(c->local_synced, c->first - 1);
    while (c->local_written + 1 < c->next) {
        const struct order_entry *e = &order_window_at(c, c->local_written + 1)->entry;
        if (e->lsn_end > core->written_lsn)
            break;
        if (e->class == ORDER_FSYNC)
            core->want_lsn = BR_MAX(core->want_lsn, e->lsn_end);
        c->local_written++;
    }
    while (c->local_synced < c->local_written &&
           order_window_at(c, c->local_synced + 1)->entry.lsn_end <= core->synced_lsn)
        c->local_synced++;
    BR_ASSERT(c->local_synced <= c->local_written);
    BR_ASSERT(c->local_written < c->next);
}

/* R2: the least count over this node and every member. */
static void count_acks(struct order_core *core)
{
    struct order_client *c = &core->client;
    uint64_t written = c->local_written, synced = c->local_synced;
    for (unsigned i = 0; i < core->config.member_count; i++) {
        if (!is_remote(core, i)) {
            c->members[i].last = order_replica_lane(core, c->lane)->last;
            continue;
        }
        if (ORDER_MUTATED(ACK_EARLY) && i > 0)
            continue;
        written = BR_MIN(written, c->members[i].written);
        synced = BR_MIN(synced, c->members[i].synced);
    }
    BR_ASSERT(written >= c->written); /* O-9 */
    uint64_t from = synced > c->synced ? c->done + 1 : c->written + 1;
    if (written == c->written && synced == c->synced && !ORDER_MUTATED(ACK_UNWRITTEN))
        return;
    c->written = written;
    c->synced = BR_MIN(synced, written);
    order_done_advance(core, from);
}

void order_client_release(struct order_core *core)
{
    struct order_client *c = &core->client;
    if (c->lane == 0)
        return;
    if (core->replica.is_member)
        c->members[core->self].ordered = order_replica_lane(core, c->lane)->ordered;
    uint64_t ordered = ordered_everywhere(core);
    BR_ASSERT(ordered < c->next); /* O-2 */
    BR_ASSERT(ordered >= c->released); /* O-9 */
    if (ordered > c->released)
        order_effect_add(core, ORDER_FX_RELEASE)->release = (struct order_entry_id){c->lane, c->released = ordered};
}

/* An entry leaves the window when it is done and no member can ask for it again in this view. */
static void forget(struct order_core *core)
{
    struct order_client *c = &core->client;
    uint64_t end = c->done;
    for (unsigned i = 0; i < core->config.member_count; i++)
        end = BR_MIN(end, c->members[i].last);
    BR_ASSERT(end < c->next);
    c->first = BR_MAX(c->first, end + 1);
    if (core->replica.is_member) {
        struct order_lane *lane = order_replica_lane(core, c->lane);
        BR_ASSERT(lane->last + 1 == c->next); /* O-1: the own member has all */
        lane->done = BR_MAX(lane->done, c->done);
    }
}

/* At most one APPEND a member and step: while something is under way its ACK brings the next step. */
static void send(struct order_core *core, unsigned i)
{
    struct order_client *c = &core->client;
    struct order_member_acks *acks = &c->members[i];
    if (!acks->is_up || !acks->is_ready)
        return;
    uint64_t end = BR_MIN(c->next - 1, acks->ordered + c->limit); /* O-10, R12 */
    uint64_t count = end > acks->sent ? BR_MIN(end - acks->sent, ORDER_BATCH_MAX) : 0;
    if (count == 0 && (i != 0 || c->done == acks->done_told))
        return; /* only the leader needs to hear the done end by itself */
    struct order_message *m = order_message_add(core, core->config.members[i], ORDER_MSG_APPEND);
    m->nonce = core->config.nonces[i];
    m->lane = c->lane;
    m->append.done = acks->done_told = c->done;
    m->append.count = (unsigned)count;
    for (uint64_t k = 0; k < count; k++) {
        BR_ASSERT(acks->sent + 1 + k >= c->first);
        m->append.entries[k] = order_window_at(c, acks->sent + 1 + k)->entry;
    }
    acks->sent += count;
}

void order_client_settle(struct order_core *core)
{
    struct order_client *c = &core->client;
    if (c->lane == 0)
        return;
    count_acks(core);
    forget(core);
    for (unsigned i = 0; i < core->config.member_count; i++)
        if (is_remote(core, i))
            send(core, i);
    BR_ASSERT(c->done <= c->written || ORDER_MUTATED(ACK_UNWRITTEN)); /* O-2 */
    BR_ASSERT(c->first <= c->done + 1);
}
