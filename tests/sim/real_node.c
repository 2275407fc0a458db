#include "tests/sim/real_node.h"
#include "compat/base/clock.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "order/driver/local.h"
#include "storage/vfs_mem.h"
#include "tests/sim/sim_net.h"
#include "tests/sim/workload.h"

#define FIRST_STREAM 2u          /* ids below are internal */
#define WALL_MS 1700000000000    /* the clock of the world begins here */
#define CHECKPOINT_MS 61000      /* a checkpoint is due after a minute */
#define BATCH_BYTES_MAX 4096u
#define READ_BYTES 65536u

/* An append that waits; lives until it is told. */
struct ticket {
    struct order_ticket ticket;
    struct sim_world *world;
    uint32_t batch;
    struct br_buf data;
};
struct real_node {
    struct store_vfs_mem *mem;
    struct store_io_pool *pool, *sync_pool;
    struct order_local *driver; /* NULL: down */
    struct order_stream *streams[SIM_STREAMS_MAX];
    struct sim_disk shadow;     /* pieces: which batch was put where */
    uint32_t incarnation, boots;
    bool is_stopping;           /* tickets are told that nothing will come */
    bool is_turn_due, is_pool_due[2];
    bool has_lost_power;        /* since it was last up */
    bool has_failed;            /* the driver said so: only a crash follows */
    bool was_frail;             /* an operation may have failed since it was last up: a log or the node may refuse until a restart */
    bool is_clean;              /* as the last start found the stop before it */
    bool is_frail;              /* device operations fail from some point on: a crash in the middle of something */
    int64_t skew_ms;            /* of the wall clock */
    uint64_t shown;             /* positions below were shown */
    uint64_t tail_begun, tail_asked;
    uint32_t segment_bytes;
};

static void set_clock(struct sim_world *world)
{
    int64_t ms = world->now_ns / 1000000 + 1;
    br_clock_set_fake(ms, WALL_MS + world->real->skew_ms + ms);
}
static int64_t wall_ms(struct sim_world *world) { return WALL_MS + world->real->skew_ms + world->now_ns / 1000000 + 1; }

bool real_node_is_up(const struct sim_world *world) { return world->real->driver != NULL; }

/* --- time: turns and pools --- */

static bool is_current(struct sim_world *world, const struct sim_event *event)
{
    set_clock(world);
    return world->real->driver && world->real->incarnation == event->b;
}

static void look_at_pools(struct sim_world *world);

static void turn(struct sim_world *world, struct sim_event *event)
{
    if (!is_current(world, event))
        return;
    world->real->is_turn_due = false;
    order_local_turn(world->real->driver, wall_ms(world));
    if (!ORDER_MUTATED_ANY)
        order_local_check(world->real->driver);
    look_at_pools(world);
}

static void want_turn(struct sim_world *world)
{
    struct real_node *n = world->real;
    if (n->is_turn_due)
        return;
    n->is_turn_due = true;
    sim_at(world, sim_delay(world, 1000, 100000), turn, 0, n->incarnation, NULL);
}

static struct store_io_pool *pool_at(struct real_node *n, uint64_t which) { return which ? n->sync_pool : n->pool; }

static void pool_reaps(struct sim_world *world, struct sim_event *event)
{
    if (!is_current(world, event))
        return;
    world->real->is_pool_due[event->a] = false;
    store_io_pool_reap(pool_at(world->real, event->a));
    want_turn(world);
    look_at_pools(world);
}

static void pool_runs(struct sim_world *world, struct sim_event *event)
{
    if (!is_current(world, event))
        return;
    store_io_pool_run(pool_at(world->real, event->a), 1);
    sim_at(world, sim_delay(world, 1000, 500000), pool_reaps, event->a, event->b, NULL);
}

static void look_at_pools(struct sim_world *world)
{
    struct real_node *n = world->real;
    for (uint64_t which = 0; which < 2; which++) {
        if (n->is_pool_due[which] || store_io_pool_busy(pool_at(n, which)) == 0)
            continue;
        n->is_pool_due[which] = true;
        sim_at(world, sim_delay(world, 100000, world->is_calm ? 1000000 : 20000000), pool_runs, which, n->incarnation, NULL);
    }
}

/* --- reading back what is stored --- */

static uint32_t batch_in(const struct kw_batch *b)
{
    struct kw_record_iter it;
    struct kw_record record;
    kw_record_iter_init(&it, b, b->data + KW_BATCH_HEADER, b->size - KW_BATCH_HEADER);
    if (kw_record_next(&it, &record) != BR_OK || record.key.len != 4)
        return UINT32_MAX;
    return br_load32((const uint8_t *)record.key.data);
}

/* Adds each batch of [offset, limit) to `view`; false when it cannot be read. */
static bool read_batches(struct sim_world *world, unsigned stream, int64_t offset, int64_t limit, size_t max_bytes, struct sim_disk *view)
{
    struct store_log *log = world->real->streams[stream]->store->log;
    uint8_t *bytes = br_alloc(READ_BYTES + BATCH_BYTES_MAX);
    bool is_good = true;
    while (offset < limit && is_good) {
        struct store_range range;
        enum br_err err = store_log_read(log, offset, limit, BR_MIN(max_bytes, READ_BYTES), true, &range);
        if (err != BR_OK || range.length == 0) {
            sim_fail(world, 6, "stream %u cannot be read at %" PRId64 ": %s", stream, offset, br_err_text(err));
            break;
        }
        BR_ASSERT(range.length <= READ_BYTES + BATCH_BYTES_MAX);
        is_good = store_file_read(range.file, bytes, range.length, range.file_position) == BR_OK;
        store_range_release(&range);
        for (size_t at = 0; at < range.length && is_good;) {
            struct kw_batch b;
            is_good = kw_batch_view(bytes + at, range.length - at, &b) == BR_OK && b.size <= range.length - at && kw_batch_crc_ok(&b);
            if (!is_good)
                break;
            sim_disk_add_piece(view, stream, (struct sim_piece){.batch = batch_in(&b), .count = (uint32_t)b.last_offset_delta + 1,
                                                                .base = b.base_offset, .is_synced = true});
            at += b.size;
        }
        offset = range.next_offset;
        if (max_bytes < READ_BYTES)
            break;
    }
    br_free(bytes);
    if (!is_good)
        sim_fail(world, 3, "stream %u below %" PRId64 " does not hold good batches", stream, limit);
    return is_good && !world->is_failed;
}

static uint32_t batch_at(struct sim_world *world, unsigned stream, int64_t base)
{
    const struct sim_piece *p = sim_disk_find(&world->real->shadow, stream, base);
    return p ? p->batch : UINT32_MAX;
}

static struct sim_order_row to_row(struct sim_world *world, const struct store_order_row *r)
{
    struct sim_order_row row = {.position = r->position, .length = BR_MAX(r->count, 1u), .id = {r->lane, r->s},
                                .stream = r->stream - FIRST_STREAM, .base = r->base_offset, .is_lost = r->flags & STORE_ORDER_LOST};
    row.batch = row.is_lost ? UINT32_MAX : batch_at(world, row.stream, row.base);
    return row;
}

/* Rows of [from, to) that are not lost go to show; all go to view when given. */
static void read_rows(struct sim_world *world, uint64_t from, uint64_t to, struct sim_disk *view)
{
    struct store_order_row rows[64];
    unsigned count = 1;
    while (from < to && count > 0 && !world->is_failed) {
        enum br_err err = order_local_read(world->real->driver, order_position(from), rows, BR_COUNT(rows), &count, NULL);
        if (err != BR_OK) {
            sim_fail(world, 1, "positions from %" PRIu64 " cannot be read: %s", from, br_err_text(err));
            return;
        }
        for (unsigned i = 0; i < count && rows[i].position < to; i++) {
            struct sim_order_row row = to_row(world, &rows[i]);
            from = row.position + row.length;
            if (rows[i].stream < FIRST_STREAM)
                continue;
            if (!row.is_lost && row.batch == UINT32_MAX) {
                sim_fail(world, 24, "position %" PRIu64 " names stream %u offset %" PRId64 ", where no batch is", row.position, row.stream, row.base);
                return;
            }
            if (view) {
                sim_disk_add_order(view, row);
                continue;
            }
            if (row.is_lost)
                continue;
            if (row.base + (int64_t)row.length > world->real->streams[row.stream]->done_end)
                sim_fail(world, 9, "position %" PRIu64 " is exposed before its entry is done", row.position);
            sim_history_show(world, &row);
        }
        if (count > 0 && rows[count - 1].position >= to)
            return;
    }
}

/* --- callbacks of the driver --- */

static unsigned index_of(const struct order_stream *stream) { return stream->store->id - FIRST_STREAM; }

static void on_done(void *ctx, struct order_stream *stream)
{
    struct sim_world *world = ctx;
    if (stream->store->id < FIRST_STREAM || world->real->is_stopping)
        return;
    sim_trace(world, "stream %u done %" PRId64, index_of(stream), stream->done_end);
    sim_history_done(world, index_of(stream), stream->done_end);
}

static void on_stable(void *ctx, struct order_position end)
{
    struct sim_world *world = ctx;
    struct real_node *n = world->real;
    if (n->is_stopping)
        return;
    sim_trace(world, "stable %" PRIu64, end.value);
    sim_history_stable(world, 0, end.value);
    read_rows(world, n->shown, end.value, NULL);
    n->shown = end.value;
    if (n->tail_begun && n->tail_asked <= end.value) {
        sim_history_tail(world, n->tail_begun, n->tail_asked);
        n->tail_begun = 0;
    }
}

static void crash_soon(struct sim_world *world, struct sim_event *event)
{
    if (is_current(world, event))
        real_node_crash(world, event->a);
}

static void on_failed(void *ctx, enum br_err err)
{
    struct sim_world *world = ctx;
    struct real_node *n = world->real;
    if (n->is_stopping)
        return;
    sim_trace(world, "driver failed: %s", br_err_text(err));
    n->has_failed = true;
    if (!n->was_frail)
        sim_fail(world, 0, "the driver failed without a fault: %s", br_err_text(err));
    sim_at(world, sim_delay(world, 1000, 1000000), crash_soon, sim_below(world, 2), n->incarnation, NULL);
}

static void ticket_done(struct order_ticket *t, enum br_err err)
{
    struct ticket *w = BR_CONTAINER_OF(t, struct ticket, ticket);
    struct sim_world *world = w->world;
    if (err == BR_OK && !world->real->is_stopping)
        sim_clients_answer(world, 0, w->batch, t->base_offset);
    br_buf_clear(&w->data);
    br_free(w);
}

static enum br_err on_row(void *ctx, const struct store_row *row, struct store_stream *stream, bool is_lost, struct br_errbuf *eb)
{
    (void)stream, (void)eb;
    if (is_lost)
        sim_trace(ctx, "row of stream %u offset %" PRId64 " is lost", row->stream, row->base_offset);
    return BR_OK;
}

static enum br_err on_catalog(void *ctx, const struct store_row *row, struct br_errbuf *eb)
{
    (void)ctx, (void)row, (void)eb;
    return BR_OK;
}

static struct store_log_config log_config(const struct sim_world *world)
{
    return (struct store_log_config){.segment_bytes = world->real->segment_bytes, .segment_ms = INT64_MAX, .index_interval_bytes = 256,
                                     .retention_ms = -1, .retention_bytes = -1};
}

struct opening {
    struct sim_world *world;
    struct store *store;
};
static struct opening opening; /* the store of the open under way, known from `begin` on */

static void on_begin(void *ctx, struct store *store, const struct store_identity *identity)
{
    (void)identity;
    opening = (struct opening){ctx, store};
}

static enum br_err on_snapshot(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    struct sim_world *world = ctx;
    struct store_log_config config = log_config(world);
    enum br_err err = BR_OK;
    (void)data, (void)len, (void)eb;
    for (uint32_t i = 0; i < world->stream_count && err == BR_OK; i++) {
        char name[32];
        struct store_stream *stream;
        struct br_uuid id = {{1, (uint8_t)i}};
        snprintf(name, sizeof(name), "t%u-0", i);
        err = store_stream_add(opening.store, FIRST_STREAM + i, name, id, &config, &stream);
    }
    return err;
}

static void save_catalog(void *ctx, struct br_buf *out)
{
    (void)ctx;
    br_buf_add8(out, 1);
}

/* --- start and stop --- */

static struct order_local_opts options(struct sim_world *world, char boot_id[static 37])
{
    struct real_node *n = world->real;
    snprintf(boot_id, 37, "00000000-0000-0000-0000-%012u", n->boots);
    return (struct order_local_opts){
        .store = {.vfs = store_vfs_mem_vfs(n->mem), .dir = "data", .node_id = 1, .cluster_id = {{7}}, .internal_config = log_config(world),
                  .journal_file_bytes = 16384, .order_rows_per_file = 128, .files_max = 16, .boot_id = boot_id, .pool = n->pool,
                  .sync_pool = n->sync_pool, .begin = on_begin, .snapshot = on_snapshot, .catalog = on_catalog, .row = on_row,
                  .save_catalog = save_catalog, .ctx = world},
        .ring_entries = SIM_RING_MAX, .default_class = ORDER_FSYNC, .ctx = world, .on_done = on_done, .on_stable = on_stable,
        .on_failed = on_failed};
}

static void restart_later(struct sim_world *world);

/* The disk as the recovered node shows it. */
static void compare(struct sim_world *world, bool is_power_loss)
{
    struct real_node *n = world->real;
    struct sim_disk view = {0};
    int64_t ends[SIM_STREAMS_MAX] = {0};
    for (unsigned s = 0; s < world->stream_count; s++) {
        ends[s] = n->streams[s]->done_end;
        read_batches(world, s, 0, ends[s], READ_BYTES, &view);
    }
    for (unsigned s = 0; s < SIM_STREAMS_MAX; s++) {
        br_free(n->shadow.segments[s].pieces);
        n->shadow.segments[s] = view.segments[s];
        view.segments[s] = (struct sim_segment){0};
    }
    uint64_t next = order_local_tail(n->driver).value;
    read_rows(world, 0, next, &view);
    for (unsigned s = 0; s < world->stream_count; s++)
        view.segments[s] = n->shadow.segments[s];
    if (!world->is_failed)
        sim_history_restart(world, &view, ends, next, is_power_loss);
    memset(view.segments, 0, sizeof(view.segments));
    n->shown = next;
    sim_disk_clear(&view);
}

static bool open_node(struct sim_world *world)
{
    struct real_node *n = world->real;
    char boot_id[37];
    struct order_local_opts opts = options(world, boot_id);
    struct store_identity identity;
    struct br_errbuf eb = {{0}};
    n->is_stopping = false;
    set_clock(world);
    enum br_err err = order_local_open(&opts, &n->driver, &identity, &eb);
    if (err != BR_OK) {
        n->driver = NULL;
        sim_trace(world, "open failed: %s", eb.text);
        if (!n->is_frail)
            sim_fail(world, 3, "the node does not start: %s", eb.text);
        return false;
    }
    n->incarnation++;
    n->is_turn_due = n->is_pool_due[0] = n->is_pool_due[1] = false;
    n->has_failed = n->was_frail = false;
    n->is_clean = identity.was_clean;
    n->tail_begun = 0;
    for (unsigned s = 0; s < world->stream_count; s++) {
        n->streams[s] = order_local_stream(n->driver, store_stream_find(order_local_store(n->driver), FIRST_STREAM + s));
        n->streams[s]->class = s & 1 ? ORDER_PAGE_CACHE : ORDER_FSYNC;
    }
    sim_trace(world, "node up: start %u next %" PRIu64 "%s", identity.starts, order_local_tail(n->driver).value,
              identity.lost_power ? " after loss of power" : "");
    order_local_check(n->driver);
    return true;
}

static const enum store_mem_op device_ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};

/* Device operations fail from a point on: what comes after it never reaches the disk. */
static void make_frail(struct sim_world *world, unsigned operations)
{
    struct real_node *n = world->real;
    n->is_frail = n->was_frail = true;
    store_vfs_mem_fail_from(n->mem, device_ops[sim_below(world, BR_COUNT(device_ops))], 1 + sim_below(world, operations), BR_IO);
}

static void make_firm(struct sim_world *world)
{
    struct real_node *n = world->real;
    n->is_frail = false;
    for (unsigned i = 0; i < BR_COUNT(device_ops); i++)
        store_vfs_mem_fail_from(n->mem, device_ops[i], 0, BR_IO);
}

static void crash_disk(struct sim_world *world, bool is_power_loss)
{
    struct real_node *n = world->real;
    static const char *const patterns[] = {"data/journal*", "data/order*", "*.log", "*.positions", "*"};
    for (unsigned i = 0; i < BR_COUNT(patterns); i++) {
        struct store_mem_faults f = {.keep_all = !is_power_loss || sim_chance(world, 20)};
        if (!f.keep_all)
            f = (struct store_mem_faults){.drop = (unsigned)sim_below(world, 101), .tear = (unsigned)sim_below(world, 60),
                                          .garble = (unsigned)sim_below(world, 40), .reorder = (unsigned)sim_below(world, 60)};
        store_vfs_mem_set_faults(n->mem, patterns[i], f);
    }
    store_vfs_mem_crash(n->mem);
    n->has_lost_power |= is_power_loss;
    if (is_power_loss && !SIM_MUTATED(world, CEILING_IGNORED))
        n->boots++;
}

static void restart(struct sim_world *world, struct sim_event *event)
{
    struct real_node *n = world->real;
    (void)event;
    if (!world->is_calm && sim_chance(world, 30))
        make_frail(world, 60);
    if (!open_node(world)) { /* it crashed while it recovered */
        bool is_power_loss = sim_chance(world, 50);
        sim_trace(world, "crash in recovery%s", is_power_loss ? " by loss of power" : "");
        make_firm(world);
        crash_disk(world, is_power_loss);
        restart_later(world);
        return;
    }
    make_firm(world);
    compare(world, n->has_lost_power);
    if (n->has_lost_power)
        sim_clients_power_lost(world);
    n->has_lost_power = false;
    if (!world->is_calm && sim_chance(world, 30))
        make_frail(world, 400);
    sim_net_join(world, 0);
}

static void restart_later(struct sim_world *world)
{
    if (!world->is_failed)
        sim_at(world, sim_delay(world, 1000000, 50000000), restart, 0, 0, NULL);
}

static void stop(struct sim_world *world, bool clean)
{
    struct real_node *n = world->real;
    n->is_stopping = true;
    order_local_close(n->driver, clean);
    n->driver = NULL;
}

void real_node_crash(struct sim_world *world, bool is_power_loss)
{
    struct real_node *n = world->real;
    if (!n->driver)
        return;
    sim_trace(world, "node %s", is_power_loss ? "loses power" : "is killed");
    sim_net_cut(world, 0);
    make_firm(world);
    crash_disk(world, is_power_loss);
    for (unsigned i = 0; i < BR_COUNT(device_ops); i++) /* what close still tries goes nowhere, also through new handles */
        store_vfs_mem_fail_from(n->mem, device_ops[i], 1, BR_IO);
    stop(world, false);
    make_firm(world);
    restart_later(world);
}

void real_node_start(struct sim_world *world)
{
    struct real_node *n = world->real = br_alloc(sizeof(*n));
    n->mem = store_vfs_mem_new(br_rand_u64(&world->rand));
    n->pool = store_io_pool_new(0, NULL, NULL);
    n->sync_pool = store_io_pool_new(0, NULL, NULL);
    n->segment_bytes = 1000 + (uint32_t)sim_below(world, 8000);
    if (open_node(world))
        compare(world, false);
}

void real_node_end(struct sim_world *world)
{
    struct real_node *n = world->real;
    if (n->driver)
        stop(world, false);
    store_io_pool_free(n->pool);
    store_io_pool_free(n->sync_pool);
    store_vfs_mem_free(n->mem);
    sim_disk_clear(&n->shadow);
    br_free(n);
    world->real = NULL;
    br_clock_set_fake(0, 0);
}

void real_node_reopen(struct sim_world *world)
{
    struct real_node *n = world->real;
    bool must_be_clean = !n->was_frail, is_power_loss = sim_chance(world, 50);
    sim_trace(world, "clean stop");
    make_firm(world);
    stop(world, true);
    if (is_power_loss) /* the machine is restarted meanwhile: a clean stop has everything on disk */
        crash_disk(world, true);
    n->has_lost_power = false;
    if (!open_node(world))
        return;
    if (must_be_clean && !n->is_clean)
        sim_fail(world, 3, "a clean stop was not clean");
    compare(world, is_power_loss && !n->is_clean);
    if (is_power_loss && !n->is_clean)
        sim_clients_power_lost(world);
}

void real_node_calm(struct sim_world *world)
{
    make_firm(world);
    if (world->real->was_frail)
        real_node_crash(world, false);
}

/* --- work --- */

static void build(struct sim_world *world, uint32_t batch, struct br_buf *out, struct kw_batch *view)
{
    const struct sim_batch *b = sim_history_batch(world, batch);
    uint8_t key[4];
    char value[64];
    struct kw_batch_builder builder;
    uint32_t size;
    br_store32(key, batch);
    memset(value, 'a' + (int)(batch % 26), sizeof(value));
    br_buf_init(out, BATCH_BYTES_MAX);
    kw_batch_builder_init(&builder, out, 0, wall_ms(world), 0);
    builder.producer_id = 1000 + (int64_t)b->producer;
    builder.producer_epoch = (int16_t)b->epoch;
    builder.base_sequence = (int32_t)b->first_record;
    for (uint32_t i = 0; i < b->count; i++)
        kw_batch_builder_add(&builder, i, wall_ms(world), br_str((char *)key, 4), br_str(value, batch % sizeof(value)), br_str(NULL, 0), 0, NULL, 0);
    enum br_err err = kw_batch_builder_finish(&builder, KW_CODEC_NONE, 0, &size);
    BR_ASSERT(err == BR_OK);
    err = kw_batch_view(out->data, out->len, view);
    BR_ASSERT(err == BR_OK);
}

static enum sim_verdict append(struct sim_world *world, struct order_stream *stream, uint32_t batch)
{
    struct ticket *t = br_alloc(sizeof(*t));
    struct kw_batch view;
    *t = (struct ticket){.ticket.done = ticket_done, .world = world, .batch = batch};
    build(world, batch, &t->data, &view);
    struct order_append a = {.kind = ORDER_DATA, .data = t->data.data, .batch = &view, .max_timestamp = view.max_timestamp};
    enum br_err err = order_append(world->real->driver, stream, &a, &t->ticket, wall_ms(world));
    if (err != BR_OK) {
        if (err != BR_FULL && !world->real->was_frail)
            sim_fail(world, 0, "append refused without a fault: %s", br_err_text(err));
        br_buf_clear(&t->data);
        br_free(t);
        want_turn(world); /* as every loop ends in one */
        return SIM_REFUSED;
    }
    sim_history_batch(world, batch)->class = stream->class;
    sim_trace(world, "append batch %u: stream %u offset %" PRId64 " s %" PRIu64, batch, index_of(stream), t->ticket.base_offset, t->ticket.s);
    sim_disk_add_piece(&world->real->shadow, index_of(stream),
                       (struct sim_piece){.batch = batch, .count = sim_history_batch(world, batch)->count, .base = t->ticket.base_offset});
    want_turn(world);
    return SIM_WAITS;
}

enum sim_verdict real_node_produce(struct sim_world *world, uint32_t batch, int64_t *base)
{
    const struct sim_batch *b = sim_history_batch(world, batch);
    struct order_stream *stream = world->real->streams[b->stream];
    struct store_producer_batch dup;
    set_clock(world);
    int32_t first = (int32_t)b->first_record, last = first + (int32_t)b->count - 1;
    enum br_err err = store_producer_check(&stream->store->producers, 1000 + (int64_t)b->producer, (int16_t)b->epoch, first, last,
                                           store_log_state(stream->store->log)->end == 0, &dup);
    if (err == BR_OK)
        return append(world, stream, batch);
    if (err != BR_DUPLICATE)
        return SIM_REFUSED;
    *base = SIM_MUTATED(world, RETRY_ANSWERS_END) ? stream->done_end : dup.base_offset;
    return dup.base_offset < stream->done_end ? SIM_ANSWERED : SIM_WAITS;
}

static void read_offset(struct sim_world *world, unsigned s)
{
    struct real_node *n = world->real;
    int64_t end = SIM_MUTATED(world, READ_ABOVE_DONE) ? store_log_state(n->streams[s]->store->log)->end : n->streams[s]->done_end;
    struct sim_disk view = {0};
    if (end == 0)
        return;
    int64_t offset = sim_chance(world, 50) ? end - 1 : (int64_t)sim_below(world, (uint64_t)end);
    if (read_batches(world, s, offset, end, 1, &view) && view.segments[s].count) {
        const struct sim_piece *p = &view.segments[s].pieces[0];
        if (p->base > offset || p->base + p->count <= offset || p->batch == UINT32_MAX)
            sim_fail(world, 6, "asked for offset %" PRId64 " of stream %u, got batch %u at %" PRId64, offset, s, p->batch, p->base);
        else
            sim_history_read(world, s, p->base, p->batch);
    }
    sim_disk_clear(&view);
}

/* Offset to position, through the sidecar: the same as the order log says. */
static void check_sidecar(struct sim_world *world, unsigned s)
{
    struct real_node *n = world->real;
    int64_t end = n->streams[s]->done_end, base;
    struct store_place place;
    uint64_t position;
    if (end == 0)
        return;
    int64_t offset = (int64_t)sim_below(world, (uint64_t)end);
    enum br_err err = store_log_find(n->streams[s]->store->log, offset, &base, &place, &position, NULL);
    if (err != BR_OK) {
        sim_fail(world, 6, "offset %" PRId64 " of stream %u is not found: %s", offset, s, br_err_text(err));
        return;
    }
    uint32_t batch = batch_at(world, s, base);
    if (batch == UINT32_MAX || position == UINT64_MAX || position >= order_local_stable(n->driver).value)
        return;
    if (sim_history_batch(world, batch)->position != position)
        sim_fail(world, 1, "stream %u offset %" PRId64 " has position %" PRIu64 " in the order log, %" PRIu64 " in the sidecar", s, base,
                 sim_history_batch(world, batch)->position, position);
}

void real_node_read(struct sim_world *world)
{
    struct real_node *n = world->real;
    set_clock(world);
    for (unsigned s = 0; s < world->stream_count && n->driver && !world->is_failed; s++) {
        read_offset(world, s);
        check_sidecar(world, s);
    }
    uint64_t stable = n->driver ? order_local_stable(n->driver).value : 0;
    if (stable > 0 && !world->is_failed) {
        uint64_t p = sim_below(world, stable);
        read_rows(world, p, BR_MIN(stable, p + 50), NULL);
    }
}

void real_node_tail(struct sim_world *world)
{
    struct real_node *n = world->real;
    if (!n->driver || n->tail_begun)
        return;
    n->tail_begun = world->tick;
    n->tail_asked = SIM_MUTATED(world, TAIL_IS_STABLE) ? order_local_stable(n->driver).value : order_local_tail(n->driver).value;
    if (n->tail_asked <= order_local_stable(n->driver).value) {
        sim_history_tail(world, n->tail_begun, n->tail_asked);
        n->tail_begun = 0;
    }
}

void real_node_checkpoint(struct sim_world *world)
{
    struct real_node *n = world->real;
    if (!n->driver)
        return;
    if (sim_chance(world, 30)) { /* braid.durability is altered */
        struct order_stream *stream = n->streams[sim_below(world, world->stream_count)];
        world->mixed_streams |= 1u << index_of(stream);
        sim_trace(world, "class of stream %u altered" /* O-21 */, index_of(stream));
        stream->class = stream->class == ORDER_FSYNC ? ORDER_PAGE_CACHE : ORDER_FSYNC;
        return;
    }
    if (sim_chance(world, 20) && !n->has_failed) {
        sim_net_cut(world, 0);
        real_node_reopen(world);
        sim_net_join(world, 0);
        return;
    }
    n->skew_ms += CHECKPOINT_MS; /* a minute passes: the next turn finds one due */
    set_clock(world);
    want_turn(world);
}

bool real_node_is_idle(const struct sim_world *world)
{
    const struct real_node *n = world->real;
    return n->driver && !n->tail_begun && !order_local_has_work(n->driver) &&
           order_local_stable(n->driver).value == order_local_tail(n->driver).value;
}
