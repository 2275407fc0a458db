/* Links between endpoints (nodes first, then producers): each direction in order with delay; a reset loses what is under way, all of it or
 * some of it, and what survives may arrive after newer messages of the next connection. */
#pragma once

#include "tests/sim/world.h"

void sim_net_start(struct sim_world *world);
void sim_net_end(struct sim_world *world);
/* data is copied; deliver gets the copy as event->data with a = from, b = to. Dropped when the link is down. */
void sim_net_send(struct sim_world *world, unsigned from, unsigned to, const void *data, size_t len,
                  void (*deliver)(struct sim_world *, struct sim_event *));
bool sim_net_is_up(const struct sim_world *world, unsigned a, unsigned b);
/* Takes the link down, and up again after a while. */
void sim_net_reset(struct sim_world *world, unsigned a, unsigned b);
/* All links of an endpoint go down (crash: nothing under way to it survives) or up. */
void sim_net_cut(struct sim_world *world, unsigned a);
void sim_net_join(struct sim_world *world, unsigned a);
