/* One node: the real order core, a driver that runs its effects on a simulated disk and network, the owner's side of its streams, and
 * for the embedded node recovery after a crash. */
#pragma once

#include "order/core/message_body.h"
#include "order/core/mutation.h"
#include "tests/sim/check_order.h"

struct sim_pending { /* answered when done */
    uint32_t stream, batch;
    int64_t base, end;
};
struct sim_sequences { /* of a producer, rebuilt by recovery */
    bool is_known;
    uint32_t epoch, next;
};
struct sim_node {
    bool is_up;
    unsigned index;
    uint32_t incarnation; /* events of an earlier one are void */
    uint32_t lane;
    int64_t paused_until_ns;
    struct order_core *core;
    struct sim_disk disk;
    bool is_turn_due, is_checkpoint_running;
    int64_t ends[SIM_STREAMS_MAX], done[SIM_STREAMS_MAX]; /* of the streams it owns: stream % nodes == index */
    struct sim_sequences sequences[SIM_PRODUCERS_MAX];
    struct sim_pending *pending;
    size_t pending_count, pending_size;
    uint64_t order_shown; /* rows of the order log below were shown */
    uint64_t tail_begun, tail_asked; /* an open tail check; 0: none */
};

void sim_nodes_start(struct sim_world *world);
void sim_nodes_end(struct sim_world *world);
bool sim_node_is_up(const struct sim_world *world, unsigned node);
void sim_node_link(struct sim_world *world, unsigned node, unsigned peer, bool is_up);
/* A batch at its owner: answered at once (sent again, *base: where it is), answered later when done, or refused (full, failed, out of
 * sequence). */
enum sim_verdict { SIM_REFUSED, SIM_WAITS, SIM_ANSWERED };
enum sim_verdict sim_node_produce(struct sim_world *world, unsigned node, uint32_t batch, int64_t *base);
void sim_node_crash(struct sim_world *world, unsigned node, bool is_power_loss);
void sim_node_checkpoint(struct sim_world *world, unsigned node);
/* A reader of offsets of one stream, of positions, a tail check. */
void sim_node_read(struct sim_world *world, unsigned node);
void sim_node_tail(struct sim_world *world, unsigned node);
/* A message as another view or another incarnation would have sent it. */
void sim_node_ghost(struct sim_world *world, unsigned from, unsigned to);
bool sim_node_is_idle(const struct sim_world *world, unsigned node);
