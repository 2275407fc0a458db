/* The embedded node with the real driver and the real storage (order_local over store_vfs_mem): same producers, same faults, same checks.
 * Pools have no threads; each of their jobs runs, and is reaped, at a time the seed chooses. */
#pragma once

#include "tests/sim/sim_node.h"

void real_node_start(struct sim_world *world);
void real_node_end(struct sim_world *world);
bool real_node_is_up(const struct sim_world *world);
enum sim_verdict real_node_produce(struct sim_world *world, uint32_t batch, int64_t *base);
void real_node_read(struct sim_world *world);
void real_node_tail(struct sim_world *world);
void real_node_crash(struct sim_world *world, bool is_power_loss);
void real_node_checkpoint(struct sim_world *world);
bool real_node_is_idle(const struct sim_world *world);
/* Faults have stopped: what failed is restarted. */
void real_node_calm(struct sim_world *world);
/* Stops cleanly, opens again, and compares once more. */
void real_node_reopen(struct sim_world *world);
