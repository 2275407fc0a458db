/* The disk of one simulated node, as rows rather than bytes: journal, segments of each stream, order log, state file. A process crash keeps
 * what was written; a power loss decides for each file on its own what of the unsynced part stays: all, none, a prefix, any subset. Of the
 * journal and the order log only the part before the first hole is good, as their checksums would find. */
#pragma once

#include "tests/sim/world.h"

struct sim_row {
    struct order_entry entry;
    uint32_t batch; /* in the history */
    uint64_t lsn_end;
};
struct sim_piece { /* a batch in a segment */
    uint32_t batch, count;
    int64_t base;
    bool is_synced;
};
struct sim_segment {
    struct sim_piece *pieces;
    size_t count, size;
};
struct sim_order_row {
    uint64_t position, length;
    struct order_entry_id id;
    uint32_t batch, stream;
    int64_t base;
    bool is_lost;
};
struct sim_state {
    size_t row;        /* journal rows below are covered */
    uint64_t position; /* next position after them */
    uint64_t ceiling;
    int64_t ends[SIM_STREAMS_MAX];
};
struct sim_disk {
    struct sim_row *rows;
    size_t row_count, row_size;
    size_t written, synced;
    struct sim_segment segments[SIM_STREAMS_MAX];
    struct sim_order_row *order;
    size_t order_count, order_size, order_written, order_synced;
    struct sim_state state;
};

void sim_disk_clear(struct sim_disk *disk);
void sim_disk_add_row(struct sim_disk *disk, const struct sim_row *row);
void sim_disk_add_piece(struct sim_disk *disk, uint32_t stream, struct sim_piece piece);
void sim_disk_add_order(struct sim_disk *disk, struct sim_order_row row);
/* The piece that begins at base, or NULL. */
struct sim_piece *sim_disk_find(struct sim_disk *disk, uint32_t stream, int64_t base);
/* The piece that holds offset, or NULL. */
struct sim_piece *sim_disk_at(struct sim_disk *disk, uint32_t stream, int64_t offset);
void sim_disk_cut(struct sim_disk *disk, uint32_t stream, int64_t end);
void sim_disk_sync_all(struct sim_disk *disk);
void sim_disk_crash(struct sim_world *world, struct sim_disk *disk, bool is_power_loss);
