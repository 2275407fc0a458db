/* Idempotent producers, each with one stream and up to five batches under way; they send again after a reset, a crash or a refusal. */
#pragma once

#include "tests/sim/world.h"

void sim_clients_start(struct sim_world *world);
void sim_clients_end(struct sim_world *world);
/* The node answers a batch. */
void sim_clients_answer(struct sim_world *world, unsigned node, uint32_t batch, int64_t base);
/* A connection to the producer's node came up. */
void sim_clients_connected(struct sim_world *world, unsigned producer);
/* Producers of page-cache streams may find a gap in their sequences: they raise their epoch, as clients do. */
void sim_clients_power_lost(struct sim_world *world);
/* Every batch sent is answered. */
bool sim_clients_are_idle(const struct sim_world *world);
