/* What happened, as clients and readers saw it, and whether the properties of the order hold (tests/sim/README.md lists them). Checks that
 * can be made at once are; the rest when a node has restarted and at the end. */
#pragma once

#include "tests/sim/sim_disk.h"

/* A batch a producer sent. */
struct sim_batch {
    unsigned producer, stream;
    uint32_t epoch, sequence, count;
    uint32_t first_record;      /* of the producer's records in this epoch */
    enum order_class class;
    uint64_t begun, acked;      /* ticks, at the producer; acked 0: never */
    int64_t base;               /* as the node answered; -1: it has not */
    uint64_t position;          /* as exposed; UINT64_MAX */
    bool is_lost;               /* a power loss may and did take it */
};

void sim_history_start(struct sim_world *world);
void sim_history_end(struct sim_world *world);
uint32_t sim_history_begin(struct sim_world *world, unsigned producer, unsigned stream, uint32_t epoch, uint32_t sequence, uint32_t count,
                           enum order_class class);
struct sim_batch *sim_history_batch(struct sim_world *world, uint32_t batch);
/* The node answers; the producer gets the answer. */
void sim_history_answer(struct sim_world *world, uint32_t batch, int64_t base);
void sim_history_ack(struct sim_world *world, uint32_t batch, int64_t base);
/* A node shows this row to readers of positions. */
void sim_history_show(struct sim_world *world, const struct sim_order_row *row);
/* A node's stable or high watermark moved: from, to. */
void sim_history_stable(struct sim_world *world, unsigned node, uint64_t end);
void sim_history_done(struct sim_world *world, unsigned stream, int64_t done_end);
/* A reader of offsets got this batch. */
void sim_history_read(struct sim_world *world, unsigned stream, int64_t base, uint32_t batch);
/* A tail check that began at a tick was answered. */
void sim_history_tail(struct sim_world *world, uint64_t begun, uint64_t tail);
/* The embedded node is back: its disk as recovered, ends of its streams, next position. */
void sim_history_restart(struct sim_world *world, struct sim_disk *disk, const int64_t *ends, uint64_t next, bool is_power_loss);
/* All is calm and complete: the remaining properties. */
void sim_history_check(struct sim_world *world);
uint64_t sim_history_acked(const struct sim_world *world);
