#include "tests/sim/check_order.h"
#include "compat/base/mem.h"

struct read {
    unsigned stream;
    int64_t base;
    uint32_t batch;
};
struct tail {
    uint64_t begun, tail;
};
struct sim_history {
    struct sim_batch *batches;
    size_t batch_count, batch_size;
    struct sim_order_row *shown; /* by position */
    size_t shown_count, shown_size;
    struct read *reads;
    size_t read_count, read_size;
    struct tail *tails;
    size_t tail_count, tail_size;
    int64_t done[SIM_STREAMS_MAX];
    uint64_t stable[SIM_NODES_MAX];
    uint64_t tail_seen;
    uint64_t acked;
};

static void *room(void *array, size_t count, size_t *size, size_t each)
{
    if (count < *size)
        return array;
    *size = *size ? *size * 2 : 64;
    return br_realloc(array, *size * each);
}

void sim_history_start(struct sim_world *world) { world->history = br_alloc(sizeof(*world->history)); }

void sim_history_end(struct sim_world *world)
{
    struct sim_history *h = world->history;
    br_free(h->batches);
    br_free(h->shown);
    br_free(h->reads);
    br_free(h->tails);
    br_free(h);
}

uint32_t sim_history_begin(struct sim_world *world, unsigned producer, unsigned stream, uint32_t epoch, uint32_t sequence, uint32_t count,
                           enum order_class class)
{
    struct sim_history *h = world->history;
    h->batches = room(h->batches, h->batch_count, &h->batch_size, sizeof(*h->batches));
    h->batches[h->batch_count] = (struct sim_batch){.producer = producer, .stream = stream, .epoch = epoch, .sequence = sequence,
                                                    .count = count, .class = class, .begun = world->tick, .base = -1,
                                                    .position = UINT64_MAX};
    return (uint32_t)h->batch_count++;
}

struct sim_batch *sim_history_batch(struct sim_world *world, uint32_t batch)
{
    BR_ASSERT(batch < world->history->batch_count);
    return &world->history->batches[batch];
}

uint64_t sim_history_acked(const struct sim_world *world) { return world->history->acked; }

void sim_history_answer(struct sim_world *world, uint32_t batch, int64_t base)
{
    struct sim_batch *b = sim_history_batch(world, batch);
    if (b->base >= 0 && b->base != base)
        sim_fail(world, 8, "batch %u answered with offset %" PRId64 " and with %" PRId64, batch, b->base, base);
    b->base = base;
}

void sim_history_ack(struct sim_world *world, uint32_t batch, int64_t base)
{
    struct sim_batch *b = sim_history_batch(world, batch);
    BR_ASSERT(b->base == base || world->is_failed);
    if (b->acked)
        return;
    b->acked = world->tick;
    world->history->acked++;
}

/* First shown row whose positions end after `position`. */
static size_t find_shown(const struct sim_history *h, uint64_t position)
{
    size_t low = 0, high = h->shown_count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (h->shown[mid].position + h->shown[mid].length > position)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

static bool is_same(const struct sim_order_row *a, const struct sim_order_row *b)
{
    return a->position == b->position && a->length == b->length && a->id.lane == b->id.lane && a->id.s == b->id.s && a->batch == b->batch;
}

void sim_history_show(struct sim_world *world, const struct sim_order_row *row)
{
    struct sim_history *h = world->history;
    size_t at = find_shown(h, row->position);
    if (at < h->shown_count) {
        if (!is_same(&h->shown[at], row) || h->shown[at].is_lost)
            sim_fail(world, 1, "position %" PRIu64 " was lane %u s %" PRIu64 ", is lane %u s %" PRIu64, row->position, h->shown[at].id.lane,
                     h->shown[at].id.s, row->id.lane, row->id.s);
        return;
    }
    struct sim_batch *b = sim_history_batch(world, row->batch);
    if (b->position != UINT64_MAX && !b->is_lost)
        sim_fail(world, 2, "batch %u at positions %" PRIu64 " and %" PRIu64, row->batch, b->position, row->position);
    if (row->length != BR_MAX(b->count, 1u))
        sim_fail(world, 2, "batch %u of %u records takes %" PRIu64 " positions", row->batch, b->count, row->length);
    b->position = row->position;
    h->shown = room(h->shown, h->shown_count, &h->shown_size, sizeof(*row));
    h->shown[h->shown_count++] = *row;
}

void sim_history_stable(struct sim_world *world, unsigned node, uint64_t end)
{
    struct sim_history *h = world->history;
    if (end < h->stable[node])
        sim_fail(world, 10, "stable of node %u went back from %" PRIu64 " to %" PRIu64, node, h->stable[node], end);
    h->stable[node] = end;
}

void sim_history_done(struct sim_world *world, unsigned stream, int64_t done_end)
{
    struct sim_history *h = world->history;
    if (done_end < h->done[stream])
        sim_fail(world, 10, "high watermark of stream %u went back from %" PRId64 " to %" PRId64, stream, h->done[stream], done_end);
    h->done[stream] = done_end;
}

void sim_history_read(struct sim_world *world, unsigned stream, int64_t base, uint32_t batch)
{
    struct sim_history *h = world->history;
    h->reads = room(h->reads, h->read_count, &h->read_size, sizeof(*h->reads));
    h->reads[h->read_count++] = (struct read){stream, base, batch};
}

void sim_history_tail(struct sim_world *world, uint64_t begun, uint64_t tail)
{
    struct sim_history *h = world->history;
    if (tail < h->tail_seen)
        sim_fail(world, 10, "tail went back from %" PRIu64 " to %" PRIu64, h->tail_seen, tail);
    h->tail_seen = tail;
    h->tails = room(h->tails, h->tail_count, &h->tail_size, sizeof(*h->tails));
    h->tails[h->tail_count++] = (struct tail){begun, tail};
}

static bool may_lose(const struct sim_batch *b, bool is_power_loss) { return is_power_loss && b->class == ORDER_PAGE_CACHE; }

static bool is_present(struct sim_disk *disk, const int64_t *ends, unsigned stream, int64_t base, uint32_t batch)
{
    struct sim_piece *p = sim_disk_find(disk, stream, base);
    return p && p->batch == batch && base + p->count <= ends[stream];
}

static void check_acked(struct sim_world *world, struct sim_disk *disk, const int64_t *ends, bool is_power_loss)
{
    struct sim_history *h = world->history;
    for (uint32_t i = 0; i < h->batch_count; i++) {
        struct sim_batch *b = &h->batches[i];
        if (b->base < 0 || b->is_lost || is_present(disk, ends, b->stream, b->base, i))
            continue;
        if (!may_lose(b, is_power_loss))
            sim_fail(world, 3, "batch %u was acknowledged at offset %" PRId64 " of stream %u and is gone", i, b->base, b->stream);
        b->is_lost = true;
    }
    size_t kept = 0;
    for (size_t i = 0; i < h->read_count; i++) {
        struct read r = h->reads[i];
        if (is_present(disk, ends, r.stream, r.base, r.batch)) {
            h->reads[kept++] = r;
            continue;
        }
        if (!may_lose(&h->batches[r.batch], is_power_loss))
            sim_fail(world, 9, "batch %u was read at offset %" PRId64 " of stream %u and is gone", r.batch, r.base, r.stream);
    }
    h->read_count = kept;
}

/* Every position once shown is the same now, or lost. */
static void check_shown(struct sim_world *world, struct sim_disk *disk, bool is_power_loss)
{
    struct sim_history *h = world->history;
    size_t at = 0;
    for (size_t i = 0; i < h->shown_count; i++) {
        struct sim_order_row *was = &h->shown[i];
        while (at < disk->order_count && disk->order[at].position + disk->order[at].length <= was->position)
            at++;
        const struct sim_order_row *is = at < disk->order_count && disk->order[at].position < was->position + was->length
                                             ? &disk->order[at]
                                             : NULL;
        struct sim_batch *b = &h->batches[was->batch];
        if (is && !is->is_lost && is_same(is, was) && !was->is_lost)
            continue;
        if (is && !is->is_lost) {
            sim_fail(world, 24, "position %" PRIu64 " was batch %u%s and is batch %u at %" PRIu64, was->position, was->batch,
                     was->is_lost ? " (lost)" : "", is->batch, is->position);
            return;
        }
        if (was->is_lost)
            continue;
        if (!may_lose(b, is_power_loss)) {
            sim_fail(world, 24, "position %" PRIu64 " was shown as batch %u and is lost", was->position, was->batch);
            return;
        }
        was->is_lost = b->is_lost = true;
    }
}

void sim_history_restart(struct sim_world *world, struct sim_disk *disk, const int64_t *ends, uint64_t next, bool is_power_loss)
{
    struct sim_history *h = world->history;
    check_acked(world, disk, ends, is_power_loss);
    check_shown(world, disk, is_power_loss);
    for (unsigned s = 0; s < world->stream_count; s++) {
        if (ends[s] < h->done[s] && !is_power_loss)
            sim_fail(world, 10, "stream %u ended at %" PRId64 ", and now at %" PRId64, s, h->done[s], ends[s]);
        h->done[s] = ends[s];
    }
    for (size_t i = 0; i < disk->order_count && !world->is_failed; i++)
        if (!disk->order[i].is_lost && disk->order[i].position >= h->stable[0])
            sim_history_show(world, &disk->order[i]);
    if (next < h->tail_seen && next < h->stable[0])
        sim_fail(world, 24, "next position %" PRIu64 " lies below the tail %" PRIu64 " answered before", next, h->tail_seen);
    sim_history_stable(world, 0, next);
    h->tail_seen = BR_MAX(h->tail_seen, next);
}

/* 4: an append that ended before another began lies before it. */
static void check_real_time(struct sim_world *world)
{
    struct sim_history *h = world->history;
    uint64_t least_ack = UINT64_MAX;
    for (size_t i = h->shown_count; i > 0; i--) {
        const struct sim_batch *b = &h->batches[h->shown[i - 1].batch];
        if (h->shown[i - 1].is_lost || b->position != h->shown[i - 1].position)
            continue;
        if (least_ack < b->begun)
            sim_fail(world, 4, "batch %u at position %" PRIu64 " began after a later one was acknowledged", h->shown[i - 1].batch, b->position);
        if (b->acked)
            least_ack = BR_MIN(least_ack, b->acked);
    }
}

/* 5: a tail covers every append acknowledged before it was asked. */
static void check_tails(struct sim_world *world)
{
    struct sim_history *h = world->history;
    for (size_t t = 0; t < h->tail_count; t++)
        for (size_t i = 0; i < h->batch_count; i++) {
            const struct sim_batch *b = &h->batches[i];
            if (b->acked && b->acked < h->tails[t].begun && !b->is_lost && b->position != UINT64_MAX && b->position >= h->tails[t].tail) {
                sim_fail(world, 5, "tail %" PRIu64 " does not cover batch %zu at %" PRIu64, h->tails[t].tail, i, b->position);
                return;
            }
        }
}

/* 6, 7, 8: along the order, per stream and per producer. */
static void check_streams(struct sim_world *world)
{
    struct sim_history *h = world->history;
    int64_t end[SIM_STREAMS_MAX] = {0};
    int64_t sequence[SIM_PRODUCERS_MAX];
    uint32_t epoch[SIM_PRODUCERS_MAX] = {0};
    for (unsigned p = 0; p < SIM_PRODUCERS_MAX; p++)
        sequence[p] = -1;
    for (size_t i = 0; i < h->shown_count; i++) {
        const struct sim_order_row *row = &h->shown[i];
        const struct sim_batch *b = &h->batches[row->batch];
        if (row->is_lost)
            continue;
        if (row->base != end[b->stream])
            sim_fail(world, 6, "stream %u goes on at offset %" PRId64 " after %" PRId64, b->stream, row->base, end[b->stream]);
        if (b->base >= 0 && b->base != row->base)
            sim_fail(world, 8, "batch %u was answered offset %" PRId64 ", the order says %" PRId64, row->batch, b->base, row->base);
        end[b->stream] += b->count;
        if (b->epoch < epoch[b->producer])
            sim_fail(world, 7, "producer %u: epoch %u after %u", b->producer, b->epoch, epoch[b->producer]);
        if (b->epoch > epoch[b->producer])
            sequence[b->producer] = -1;
        epoch[b->producer] = b->epoch;
        if (b->sequence != sequence[b->producer] + 1)
            sim_fail(world, 7, "producer %u: sequence %u after %" PRId64, b->producer, b->sequence, sequence[b->producer]);
        sequence[b->producer] = b->sequence;
    }
    for (size_t i = 0; i < h->read_count; i++)
        if (!world->has_dead && h->batches[h->reads[i].batch].position == UINT64_MAX)
            sim_fail(world, 9, "batch %u was read and is in no position", h->reads[i].batch);
    for (size_t i = 0; i < h->batch_count; i++)
        if (!world->has_dead && h->batches[i].base >= 0 && !h->batches[i].is_lost && h->batches[i].position == UINT64_MAX)
            sim_fail(world, 3, "batch %zu was acknowledged and is in no position", i);
}

void sim_history_check(struct sim_world *world)
{
    check_real_time(world);
    check_tails(world);
    check_streams(world);
}
