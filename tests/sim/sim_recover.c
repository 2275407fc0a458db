/* Start, crash and recovery of a node (f = 0). The journal's good prefix is replayed in LSN order from the last checkpoint; a
 * batch that is not there ends its stream, later rows of it are lost; positions come out as they were; after a power loss the next position is the
 * checkpoint's ceiling. Everything replayed is made durable, and a new checkpoint taken, before anything is served. */
#include "compat/base/mem.h"
#include "tests/sim/real_node.h"
#include "tests/sim/sim_net.h"
#include "tests/sim/sim_node.h"
#include "tests/sim/workload.h"

static void start_core(struct sim_world *world, struct sim_node *n, uint64_t next)
{
    uint32_t ring = 1u << (4 + sim_below(world, 5)); /* 16 .. SIM_RING_MAX */
    n->core = order_core_new(&(struct order_core_opts){.ring_entries = ring, .streams_max = 1 + (uint32_t)sim_below(world, 8),
                                                       .lanes_max = world->is_embedded ? 1 : world->node_count});
    n->incarnation++;
    n->lane = n->incarnation * 10 + n->index + 1;
    struct order_start start = {.node = (int32_t)n->index + 1, .view = world->is_embedded ? n->incarnation : 2,
                                .nonce = 100 + n->index, .member_count = world->member_count, .lane = n->lane, .next = {next},
                                .lsn = n->disk.row_count ? n->disk.rows[n->disk.row_count - 1].lsn_end : 0};
    for (unsigned m = 0; m < world->member_count; m++) {
        start.members[m] = (int32_t)m + 1;
        start.nonces[m] = 100 + m;
    }
    struct order_event e = {.kind = ORDER_EV_START, .now_ns = world->now_ns, .start = &start};
    unsigned count;
    order_core_step(n->core, &e, &count);
    BR_ASSERT(count == 0);
    n->is_up = true;
    n->is_turn_due = n->is_checkpoint_running = false;
    n->pending_count = 0;
    n->tail_begun = 0;
    n->order_shown = n->disk.order_count;
}

void sim_nodes_start(struct sim_world *world)
{
    if (world->options.is_real) {
        real_node_start(world);
        return;
    }
    world->nodes = br_alloc_array(world->node_count, sizeof(*world->nodes));
    for (unsigned i = 0; i < world->node_count; i++) {
        world->nodes[i].index = i;
        world->nodes[i].disk.state.ceiling = SIM_CEILING;
        start_core(world, &world->nodes[i], 0);
    }
}

void sim_nodes_end(struct sim_world *world)
{
    if (world->real) {
        real_node_end(world);
        return;
    }
    for (unsigned i = 0; i < world->node_count; i++) {
        order_core_free(world->nodes[i].core);
        sim_disk_clear(&world->nodes[i].disk);
        br_free(world->nodes[i].pending);
    }
    br_free(world->nodes);
}

/* Rebuilds what follows the checkpoint; returns the next position. */
static uint64_t replay(struct sim_world *world, struct sim_node *n)
{
    struct sim_disk *d = &n->disk;
    bool has_ended[SIM_STREAMS_MAX] = {false};
    uint64_t position = d->state.position;
    memcpy(n->ends, d->state.ends, sizeof(n->ends));
    while (d->order_count && d->order[d->order_count - 1].position >= position)
        d->order_count--; /* decided again below, and come out equal */
    for (size_t i = d->state.row; i < d->row_count; i++) {
        const struct sim_row *row = &d->rows[i];
        const struct order_member *m = &row->entry.member;
        struct sim_piece *p = sim_disk_find(d, m->stream, m->base_offset);
        bool is_there = p && p->batch == row->batch;
        if (row->entry.class == ORDER_FSYNC && !is_there) { /* the row carries the batch */
            struct sim_piece piece = {.batch = row->batch, .count = m->count, .base = m->base_offset};
            if (p)
                *p = piece;
            else
                sim_disk_add_piece(d, m->stream, piece);
            is_there = true;
        }
        has_ended[m->stream] |= !is_there || m->base_offset != n->ends[m->stream];
        if (SIM_MUTATED(world, LOST_STREAM_GOES_ON))
            has_ended[m->stream] = !is_there;
        struct sim_order_row out = {.position = position, .length = order_entry_positions(&row->entry), .id = row->entry.id,
                                    .batch = row->batch, .stream = m->stream, .base = m->base_offset, .is_lost = has_ended[m->stream]};
        if (!out.is_lost)
            n->ends[m->stream] = m->base_offset + m->count;
        if (out.is_lost && SIM_MUTATED(world, LOST_NOT_COUNTED))
            continue;
        sim_disk_add_order(d, out);
        position += out.length;
    }
    return position;
}

static void rebuild_sequences(struct sim_world *world, struct sim_node *n)
{
    memset(n->sequences, 0, sizeof(n->sequences));
    if (SIM_MUTATED(world, FORGET_PRODUCERS))
        return;
    for (size_t i = 0; i < n->disk.order_count; i++) {
        const struct sim_order_row *row = &n->disk.order[i];
        const struct sim_batch *b = sim_history_batch(world, row->batch);
        if (!row->is_lost)
            n->sequences[b->producer] = (struct sim_sequences){true, b->epoch, b->sequence + 1};
    }
}

static void restart(struct sim_world *world, struct sim_event *event)
{
    struct sim_node *n = &world->nodes[event->a];
    bool is_power_loss = event->b;
    struct sim_disk *d = &n->disk;
    uint64_t next = replay(world, n);
    if (is_power_loss && !SIM_MUTATED(world, CEILING_IGNORED)) {
        BR_ASSERT(next <= d->state.ceiling);
        next = d->state.ceiling;
    }
    for (unsigned s = 0; s < world->stream_count; s++)
        sim_disk_cut(d, s, n->ends[s]);
    memcpy(n->done, n->ends, sizeof(n->done));
    rebuild_sequences(world, n);
    if (!SIM_MUTATED(world, NO_START_SYNC)) {
        sim_disk_sync_all(d);
        d->state = (struct sim_state){.row = d->row_count, .position = next, .ceiling = next + SIM_CEILING};
        memcpy(d->state.ends, n->ends, sizeof(n->ends));
    } else {
        d->written = d->row_count;
        d->order_written = d->order_count;
    }
    sim_history_restart(world, d, n->ends, next, is_power_loss);
    for (unsigned s = 0; s < world->stream_count && SIM_MUTATED(world, OFFSET_GAP); s++)
        n->ends[s]++;
    start_core(world, n, next);
    sim_trace(world, "node %u up: view %u next %" PRIu64, n->index, n->incarnation, next);
    if (is_power_loss)
        sim_clients_power_lost(world);
    sim_net_join(world, n->index);
}

void sim_node_crash(struct sim_world *world, unsigned node, bool is_power_loss)
{
    if (world->real) {
        real_node_crash(world, is_power_loss);
        return;
    }
    struct sim_node *n = &world->nodes[node];
    if (!n->is_up)
        return;
    sim_trace(world, "node %u %s", node, is_power_loss ? "loses power" : "is killed");
    n->is_up = false;
    order_core_free(n->core);
    n->core = NULL;
    sim_net_cut(world, node);
    sim_disk_crash(world, &n->disk, is_power_loss);
    world->has_dead |= !world->is_embedded; /* nothing names it a member again before views can change */
    if (world->is_embedded)
        sim_at(world, sim_delay(world, 1000000, 50000000), restart, node, is_power_loss, NULL);
}
