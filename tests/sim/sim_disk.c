#include "tests/sim/sim_disk.h"
#include "compat/base/mem.h"

static void *room(void *array, size_t count, size_t *size, size_t each)
{
    if (count < *size)
        return array;
    *size = *size ? *size * 2 : 64;
    return br_realloc(array, *size * each);
}

void sim_disk_clear(struct sim_disk *disk)
{
    br_free(disk->rows);
    br_free(disk->order);
    for (unsigned i = 0; i < SIM_STREAMS_MAX; i++)
        br_free(disk->segments[i].pieces);
    *disk = (struct sim_disk){0};
}

void sim_disk_add_row(struct sim_disk *disk, const struct sim_row *row)
{
    disk->rows = room(disk->rows, disk->row_count, &disk->row_size, sizeof(*row));
    disk->rows[disk->row_count++] = *row;
}

void sim_disk_add_piece(struct sim_disk *disk, uint32_t stream, struct sim_piece piece)
{
    struct sim_segment *s = &disk->segments[stream];
    s->pieces = room(s->pieces, s->count, &s->size, sizeof(piece));
    s->pieces[s->count++] = piece;
}

void sim_disk_add_order(struct sim_disk *disk, struct sim_order_row row)
{
    disk->order = room(disk->order, disk->order_count, &disk->order_size, sizeof(row));
    disk->order[disk->order_count++] = row;
}

struct sim_piece *sim_disk_find(struct sim_disk *disk, uint32_t stream, int64_t base)
{
    struct sim_segment *s = &disk->segments[stream];
    for (size_t i = s->count; i > 0; i--)
        if (s->pieces[i - 1].base == base)
            return &s->pieces[i - 1];
    return NULL;
}

struct sim_piece *sim_disk_at(struct sim_disk *disk, uint32_t stream, int64_t offset)
{
    struct sim_segment *s = &disk->segments[stream];
    for (size_t i = s->count; i > 0; i--)
        if (s->pieces[i - 1].base <= offset && offset < s->pieces[i - 1].base + s->pieces[i - 1].count)
            return &s->pieces[i - 1];
    return NULL;
}

void sim_disk_cut(struct sim_disk *disk, uint32_t stream, int64_t end)
{
    struct sim_segment *s = &disk->segments[stream];
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->pieces[i].base < end)
            s->pieces[kept++] = s->pieces[i];
    s->count = kept;
}

void sim_disk_sync_all(struct sim_disk *disk)
{
    disk->written = disk->synced = disk->row_count;
    disk->order_written = disk->order_synced = disk->order_count;
    for (unsigned i = 0; i < SIM_STREAMS_MAX; i++)
        for (size_t k = 0; k < disk->segments[i].count; k++)
            disk->segments[i].pieces[k].is_synced = true;
}

/* A file whose records must follow each other: how many of `unsynced` more are good after a power loss. */
static size_t good_prefix(struct sim_world *world, size_t unsynced)
{
    switch (sim_below(world, 4)) {
    case 0: return 0;
    case 1: return unsynced;
    default: return sim_below(world, unsynced + 1); /* torn, garbled or out of order from there */
    }
}

static void crash_segment(struct sim_world *world, struct sim_segment *s)
{
    uint64_t how = sim_below(world, 4);
    size_t kept = 0, limit = sim_below(world, s->count + 1);
    for (size_t i = 0; i < s->count; i++) {
        bool keep = s->pieces[i].is_synced || how == 0 || (how == 1 && i < limit) || (how == 2 && sim_chance(world, 50));
        if (keep)
            s->pieces[kept++] = s->pieces[i];
    }
    s->count = kept;
}

void sim_disk_crash(struct sim_world *world, struct sim_disk *disk, bool is_power_loss)
{
    disk->row_count = disk->written;
    disk->order_count = disk->order_written;
    if (is_power_loss) {
        disk->row_count = disk->synced + good_prefix(world, disk->written - disk->synced);
        disk->order_count = disk->order_synced + good_prefix(world, disk->order_written - disk->order_synced);
        for (unsigned i = 0; i < SIM_STREAMS_MAX; i++)
            crash_segment(world, &disk->segments[i]);
    }
    disk->written = disk->row_count;
    disk->order_written = disk->order_count;
}
