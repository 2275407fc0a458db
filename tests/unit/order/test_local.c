/* The embedded driver over files that lie: random appends in both durability classes, streams that change theirs, syncs, checkpoints and trims, then a kill of the process
 * (what it wrote stays in the page cache, unsynced), a crash of the machine (each file drops, tears, garbles or reorders what was not synced, on its own) or a stop, then
 * recovery; again and again from a seed.
 *
 * What must hold (properties 1-3, 6, 10, 24 of the order layer; O-20, S-20): what was done in its class is at its offset, byte for byte; a position once shown
 * is later that record or marked lost; no position is given twice; offsets are dense; the stable end never goes back. */
#include "tests/support/harness.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "compat/batch/builder.h"
#include "order/driver/local.h"
#include "storage/vfs_mem.h"

#define STREAMS 4 /* ids 2..5: fsync, the next two either, page-cache */
#define BATCHES 600

struct batch_model {
    int64_t base, end;
    uint32_t value;    /* in each of its records */
    bool is_done, is_hard; /* hard: survives a loss of power once done */
};

struct stream_model {
    struct batch_model batches[BATCHES];
    unsigned count;
    int64_t trimmed, trim_asked; /* the start is at least, at most */
};

struct shown {
    uint64_t position;
    uint32_t stream;
    int64_t base;
};

struct world {
    struct br_rand r;
    struct store_vfs_mem *mem;
    struct store_io_pool *pool, *sync_pool;
    struct order_local *d;
    struct store_identity identity;
    struct order_stream *streams[STREAMS];
    struct stream_model models[STREAMS];
    struct shown shown[STREAMS * BATCHES * 2];
    unsigned shown_count;
    uint64_t stable, scanned;
    char boot_id[32];
    int boots;
    uint32_t next_value;
    bool has_failed;
};

/* A waiting append; keeps its batch's bytes until done. */
struct pending {
    struct order_ticket ticket;
    struct br_buf bytes;
    struct world *w;
    unsigned stream;
    unsigned batch;
};

static enum br_err on_snapshot(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    struct world *w = ctx;
    struct store_log_config config = {.segment_bytes = 4096, .segment_ms = INT64_MAX, .index_interval_bytes = 512, .retention_ms = -1, .retention_bytes = -1};
    (void)data, (void)len, (void)eb;
    for (uint32_t i = 0; i < STREAMS; i++) {
        struct store_stream *s;
        struct br_uuid id = {{(uint8_t)(i + 1)}};
        char name[8];
        snprintf(name, sizeof name, "t-%u", i);
        if (store_stream_add(w->d ? order_local_store(w->d) : (struct store *)w->streams[0], i + 2, name, id, &config, &s) != BR_OK)
            return BR_IO;
    }
    return BR_OK;
}

static void on_begin(void *ctx, struct store *store, const struct store_identity *identity)
{
    struct world *w = ctx;
    (void)identity;
    w->streams[0] = (struct order_stream *)(void *)store; /* only until the streams exist */
}

static enum br_err on_catalog(void *ctx, const struct store_row *row, struct br_errbuf *eb)
{
    (void)ctx, (void)row, (void)eb;
    return BR_OK;
}

static void on_save(void *ctx, struct br_buf *out)
{
    (void)ctx;
    br_buf_add8(out, 1);
}

static void on_stable(void *ctx, struct order_position end)
{
    struct world *w = ctx;
    assert_true(end.value >= w->stable);
    w->stable = end.value;
}

static void on_failed(void *ctx, enum br_err err)
{
    (void)err;
    ((struct world *)ctx)->has_failed = true;
}

static enum br_err try_open(struct world *w)
{
    struct br_errbuf eb = {{0}};
    struct order_local_opts opts = {
        .store = {.vfs = store_vfs_mem_vfs(w->mem), .dir = "data", .node_id = 1, .cluster_id = {{7}},
                  .internal_config = {.segment_bytes = 4096, .segment_ms = INT64_MAX, .index_interval_bytes = 512, .retention_ms = -1, .retention_bytes = -1},
                  .journal_file_bytes = 65536, .order_rows_per_file = 64, .files_max = 16, .boot_id = w->boot_id, .pool = w->pool, .sync_pool = w->sync_pool,
                  .begin = on_begin, .snapshot = on_snapshot, .catalog = on_catalog, .save_catalog = on_save, .ctx = w},
        .ring_entries = 256, .default_class = ORDER_FSYNC, .ctx = w, .on_stable = on_stable, .on_failed = on_failed,
    };
    w->has_failed = false;
    w->d = NULL;
    enum br_err err = order_local_open(&opts, &w->d, &w->identity, &eb);
    if (err != BR_OK) {
        if (err != BR_IO)
            print_error("open: %s %s\n", br_err_text(err), eb.text);
        return err;
    }
    for (uint32_t i = 0; i < STREAMS; i++) {
        w->streams[i] = order_local_stream(w->d, store_stream_find(order_local_store(w->d), i + 2));
        w->streams[i]->class = i < 2 ? ORDER_FSYNC : ORDER_PAGE_CACHE;
    }
    return BR_OK;
}

static void open_node(struct world *w) { assert_int_equal(try_open(w), BR_OK); }

static void on_done(struct order_ticket *ticket, enum br_err err)
{
    struct pending *p = BR_CONTAINER_OF(ticket, struct pending, ticket);
    if (err == BR_OK) {
        p->w->models[p->stream].batches[p->batch].is_done = true;
        assert_true(p->w->streams[p->stream]->done_end >= ticket->end_offset);
    }
    br_buf_clear(&p->bytes);
    br_free(p);
}

static enum br_err append_to(struct world *w, unsigned i)
{
    struct stream_model *m = &w->models[i];
    if (m->count == BATCHES)
        return BR_FULL;
    struct pending *p = br_alloc(sizeof *p);
    struct kw_batch_builder b;
    struct kw_batch batch;
    uint32_t size;
    unsigned count = 1 + (unsigned)br_rand_below(&w->r, 5);
    uint32_t value = w->next_value++;
    char text[200];
    memset(text, 'x', sizeof text);
    memcpy(text, &value, sizeof value);
    br_buf_init(&p->bytes, 1 << 20);
    kw_batch_builder_init(&b, &p->bytes, 0, 1000, 0);
    for (unsigned k = 0; k < count; k++)
        kw_batch_builder_add(&b, k, 1000 + k, br_str(NULL, 0), br_str(text, 4 + br_rand_below(&w->r, 190)), br_str(NULL, 0), 0, NULL, 0);
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size), BR_OK);
    assert_int_equal(kw_batch_view(p->bytes.data, p->bytes.len, &batch), BR_OK);
    p->ticket.done = on_done;
    p->w = w;
    p->stream = i;
    p->batch = m->count;
    struct order_append a = {.kind = ORDER_DATA, .data = p->bytes.data, .batch = &batch, .max_timestamp = batch.max_timestamp, .max_timestamp_delta = (int32_t)count - 1};
    enum br_err err = order_append(w->d, w->streams[i], &a, &p->ticket, 2000);
    if (err != BR_OK) {
        br_buf_clear(&p->bytes);
        br_free(p);
        return err;
    }
    assert_int_equal(p->ticket.base_offset, m->count ? m->batches[m->count - 1].end : 0); /* dense */
    m->batches[m->count++] = (struct batch_model){.base = p->ticket.base_offset, .end = p->ticket.end_offset, .value = value, .is_hard = w->streams[i]->class == ORDER_FSYNC};
    return BR_OK;
}

static void append_one(struct world *w)
{
    enum br_err err = append_to(w, (unsigned)br_rand_below(&w->r, STREAMS));
    assert_true(err != BR_CORRUPT); /* full and failed are answers */
}

struct trim_model {
    struct world *w;
    unsigned stream;
    int64_t start;
};

static void on_trimmed(void *ctx, enum br_err err)
{
    struct trim_model *t = ctx;
    struct stream_model *m = &t->w->models[t->stream];
    if (err == BR_OK)
        m->trimmed = BR_MAX(m->trimmed, t->start);
    br_free(t);
}

static void trim_one(struct world *w)
{
    unsigned i = (unsigned)br_rand_below(&w->r, STREAMS);
    struct stream_model *m = &w->models[i];
    struct trim_model *t = br_alloc(sizeof *t);
    *t = (struct trim_model){.w = w, .stream = i, .start = (int64_t)br_rand_below(&w->r, (uint64_t)w->streams[i]->done_end + 1)};
    if (order_local_trim(w->d, w->streams[i], t->start, on_trimmed, t) == BR_OK)
        m->trim_asked = BR_MAX(m->trim_asked, t->start);
    else
        br_free(t);
}

/* What a reader of positions sees now is remembered. */
static void look(struct world *w)
{
    struct store_order_row rows[32];
    unsigned count = 1;
    while (count > 0 && w->shown_count + 32 < BR_COUNT(w->shown)) {
        assert_int_equal(order_local_read(w->d, order_position(w->scanned), rows, 32, &count, NULL), BR_OK);
        for (unsigned k = 0; k < count; k++) {
            assert_true(rows[k].position >= w->scanned && rows[k].position < w->stable);
            w->scanned = rows[k].position + BR_MAX(rows[k].count, 1u);
            if (rows[k].stream >= 2 && !(rows[k].flags & STORE_ORDER_LOST))
                w->shown[w->shown_count++] = (struct shown){rows[k].position, rows[k].stream, rows[k].base_offset};
        }
    }
}

static void run_some(struct world *w)
{
    for (unsigned steps = 1 + (unsigned)br_rand_below(&w->r, 60); steps > 0 && !w->has_failed; steps--) {
        if (br_rand_chance(&w->r, 3))
            trim_one(w);
        if (br_rand_chance(&w->r, 4))
            w->streams[1 + br_rand_below(&w->r, 2)]->class = br_rand_chance(&w->r, 50) ? ORDER_FSYNC : ORDER_PAGE_CACHE;
        switch (br_rand_below(&w->r, 8)) {
        case 0: order_local_turn(w->d, 3000); break;
        case 1:
            store_io_pool_run(w->sync_pool, 1);
            store_io_pool_reap(w->sync_pool);
            break;
        case 2:
            order_local_turn(w->d, 3000);
            if (br_rand_chance(&w->r, 30) && order_local_is_settled(w->d) && store_checkpoint(order_local_store(w->d), order_local_tail(w->d).value, w->identity.starts, 0, NULL, NULL) == BR_OK && br_rand_chance(&w->r, 50))
                store_io_pool_run(w->pool, 4);
            break;
        case 3:
            store_io_pool_run(w->pool, 1 + (unsigned)br_rand_below(&w->r, 3));
            store_io_pool_reap(w->pool);
            break;
        case 4: look(w); break;
        default: append_one(w); break;
        }
        order_local_check(w->d);
    }
}

/* The model follows what recovery kept, which must be all that was promised. */
static void check_kept(struct world *w, bool power)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        struct stream_model *m = &w->models[i];
        int64_t end = w->streams[i]->done_end, start = store_log_state(w->streams[i]->store->log)->start;
        while (m->count > 0 && m->batches[m->count - 1].end > end) {
            const struct batch_model *last = &m->batches[--m->count];
            bool must_be_there = last->is_done && (last->is_hard || !power);
            if (must_be_there)
                print_error("stream %u: done batch at %" PRId64 " is gone, the log ends at %" PRId64 "\n", i, last->base, end);
            assert_false(must_be_there);
        }
        assert_int_equal(m->count ? m->batches[m->count - 1].end : 0, end);
        for (unsigned k = 0; k < m->count; k++)
            m->batches[k].is_done = m->batches[k].is_hard = true; /* durable now */
        assert_true(start >= BR_MIN(m->trimmed, end) && start <= m->trim_asked);
        m->trimmed = m->trim_asked = start;
    }
}

static void crash(struct world *w)
{
    bool power = br_rand_chance(&w->r, 50);
    struct store_mem_faults faults = {.drop = 60, .tear = 40, .garble = 20, .reorder = 40};
    store_vfs_mem_set_faults(w->mem, "*", faults);
    if (power) {
        if (br_rand_chance(&w->r, 30)) /* one of the files at its worst, the others whole */
            store_vfs_mem_set_faults(w->mem, br_rand_chance(&w->r, 50) ? "*/order/*" : "*/t-*/*", (struct store_mem_faults){.drop = 100, .reorder = 50});
        snprintf(w->boot_id, sizeof w->boot_id, "boot-%d", ++w->boots);
    }
    if (power) /* else what was written stays in the page cache, as unsynced as it was */
        store_vfs_mem_crash(w->mem);
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    for (unsigned k = 0; k < BR_COUNT(ops); k++) /* the dead process' jobs change nothing any more */
        store_vfs_mem_fail_from(w->mem, ops[k], 1, BR_IO);
    order_local_close(w->d, false);
    for (unsigned k = 0; k < BR_COUNT(ops); k++)
        store_vfs_mem_fail_from(w->mem, ops[k], 0, BR_OK);
    store_vfs_mem_set_faults(w->mem, "*/order/*", faults);
    store_vfs_mem_set_faults(w->mem, "*/t-*/*", faults);
    w->d = NULL;
    w->scanned = 0;
    uint64_t stable = w->stable;
    w->stable = 0;
    open_node(w);
    w->stable = order_local_stable(w->d).value;
    assert_true(w->stable >= stable); /* never goes back */
    check_kept(w, power);
}

/* A stop, and the power goes afterwards: nothing is missing, nothing is left to decide. */
static void stop(struct world *w)
{
    order_local_close(w->d, true);
    w->d = NULL;
    if (br_rand_chance(&w->r, 50)) {
        store_vfs_mem_set_faults(w->mem, "*", (struct store_mem_faults){.drop = 60, .reorder = 40});
        store_vfs_mem_crash(w->mem);
        snprintf(w->boot_id, sizeof w->boot_id, "boot-%d", ++w->boots);
    }
    uint64_t stable = w->stable;
    w->stable = w->scanned = 0;
    open_node(w);
    w->stable = order_local_stable(w->d).value;
    assert_int_equal(w->stable, stable);
    assert_true(w->identity.was_clean && !w->identity.lost_power);
    check_kept(w, false);
}

static void check_content(struct world *w)
{
    for (unsigned i = 0; i < STREAMS; i++) {
        struct stream_model *m = &w->models[i];
        for (unsigned k = 0; k < m->count; k++) {
            if (m->batches[k].base < store_log_state(w->streams[i]->store->log)->start)
                continue;
            struct store_range range;
            uint8_t bytes[4096];
            struct kw_batch b;
            struct kw_record_iter it;
            struct kw_record record;
            assert_int_equal(store_log_read(w->streams[i]->store->log, m->batches[k].base, m->batches[k].end, 1, true, &range), BR_OK);
            assert_true(range.length > 0 && range.length <= sizeof bytes);
            assert_int_equal(store_file_read(range.file, bytes, range.length, range.file_position), BR_OK);
            store_range_release(&range);
            assert_int_equal(kw_batch_view(bytes, range.length, &b), BR_OK);
            assert_true(kw_batch_crc_ok(&b));
            assert_int_equal(b.base_offset, m->batches[k].base);
            kw_record_iter_init(&it, &b, bytes + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER);
            assert_int_equal(kw_record_next(&it, &record), BR_OK);
            assert_memory_equal(record.value.data, &m->batches[k].value, 4);
        }
    }
}

/* Each position that was ever shown is that record now, or lost (O-20, property 24). */
static void check_shown(struct world *w)
{
    for (unsigned k = 0; k < w->shown_count; k++) {
        struct store_order_row row;
        unsigned count;
        assert_int_equal(order_local_read(w->d, order_position(w->shown[k].position), &row, 1, &count, NULL), BR_OK);
        if (count == 0 || row.position != w->shown[k].position)
            continue; /* a gap: lost with the power */
        if (row.flags & STORE_ORDER_LOST)
            continue;
        assert_int_equal(row.stream, w->shown[k].stream);
        assert_int_equal(row.base_offset, w->shown[k].base);
    }
}

static void run_seed(uint64_t seed)
{
    struct world *w = br_alloc(sizeof *w);
    br_rand_init(&w->r, seed);
    w->mem = store_vfs_mem_new(seed);
    w->pool = store_io_pool_new(0, NULL, NULL);
    w->sync_pool = store_io_pool_new(0, NULL, NULL);
    snprintf(w->boot_id, sizeof w->boot_id, "boot-0");
    open_node(w);
    w->stable = order_local_stable(w->d).value;
    for (unsigned lives = 0; lives < 8; lives++) {
        run_some(w);
        if (br_rand_chance(&w->r, 15) && !w->has_failed)
            stop(w);
        else
            crash(w);
        check_content(w);
        check_shown(w);
    }
    order_local_close(w->d, true);
    open_node(w);
    assert_true(w->identity.was_clean);
    check_content(w);
    check_shown(w);
    order_local_close(w->d, true);
    store_io_pool_free(w->pool);
    store_io_pool_free(w->sync_pool);
    store_vfs_mem_free(w->mem);
    br_free(w);
}

static void test_crashes_of_process_and_machine_keep_what_each_class_promises(void **state)
{
    (void)state;
    const char *one = getenv("BRAID_SEED");
    for (uint64_t seed = one ? strtoull(one, NULL, 10) : 1; seed <= (one ? strtoull(one, NULL, 10) : 400); seed++) {
        if (getenv("BRAID_VERBOSE"))
            fprintf(stderr, "seed %" PRIu64 "\n", seed);
        run_seed(seed);
    }
}

static struct world *begin(uint64_t seed)
{
    struct world *w = br_alloc(sizeof *w);
    br_rand_init(&w->r, seed);
    w->mem = store_vfs_mem_new(seed);
    w->pool = store_io_pool_new(0, NULL, NULL);
    w->sync_pool = store_io_pool_new(0, NULL, NULL);
    snprintf(w->boot_id, sizeof w->boot_id, "boot-0");
    open_node(w);
    return w;
}

static void end(struct world *w)
{
    order_local_close(w->d, true);
    store_io_pool_free(w->pool);
    store_io_pool_free(w->sync_pool);
    store_vfs_mem_free(w->mem);
    br_free(w);
}

/* O-21 */
static void test_class_raised_to_fsync_waits_for_a_checkpoint(void **state)
{
    (void)state;
    struct world *w = begin(1);
    assert_int_equal(append_to(w, 3), BR_OK);
    order_local_turn(w->d, 3000);
    w->streams[3]->class = ORDER_FSYNC;
    assert_int_equal(append_to(w, 3), BR_FULL);
    assert_int_equal(append_to(w, 0), BR_OK); /* other streams go on */
    for (int i = 0; i < 4; i++) {
        order_local_turn(w->d, 3000);
        store_io_pool_run(w->sync_pool, 4);
        store_io_pool_reap(w->sync_pool);
    }
    assert_int_equal(append_to(w, 3), BR_FULL);
    store_io_pool_run(w->pool, 4);
    store_io_pool_reap(w->pool);
    assert_int_equal(append_to(w, 3), BR_OK);
    end(w);
}

static void kill_node(struct world *w)
{
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    store_vfs_mem_set_faults(w->mem, "*", (struct store_mem_faults){.keep_all = true});
    store_vfs_mem_crash(w->mem);
    for (unsigned k = 0; k < BR_COUNT(ops); k++)
        store_vfs_mem_fail_from(w->mem, ops[k], 1, BR_IO);
    if (w->d)
        order_local_close(w->d, false);
    for (unsigned k = 0; k < BR_COUNT(ops); k++)
        store_vfs_mem_fail_from(w->mem, ops[k], 0, BR_IO);
}

/* O-20: the old order rows go file by file; a start that died between two of them must not read as damage at the next. */
static void test_recovery_that_died_at_any_change_of_names_is_followed_by_a_good_one(void **state)
{
    (void)state;
    bool has_passed = false;
    for (unsigned long nth = 1; !has_passed && nth < 200; nth++) {
        struct world *w = begin(nth);
        for (int i = 0; i < 300; i++) { /* several files of the order log */
            assert_int_equal(append_to(w, 2), BR_OK);
            order_local_turn(w->d, 3000);
        }
        kill_node(w);
        store_vfs_mem_fail_from(w->mem, STORE_MEM_RENAME, nth, BR_IO);
        w->stable = 0;
        has_passed = try_open(w) == BR_OK;
        if (!has_passed)
            w->d = NULL;
        kill_node(w);
        w->stable = 0;
        open_node(w);
        assert_int_equal(w->streams[2]->done_end, w->models[2].batches[w->models[2].count - 1].end);
        end(w);
    }
    assert_true(has_passed);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_class_raised_to_fsync_waits_for_a_checkpoint),
    cmocka_unit_test(test_recovery_that_died_at_any_change_of_names_is_followed_by_a_good_one),
    cmocka_unit_test(test_crashes_of_process_and_machine_keep_what_each_class_promises),
};
HARNESS_MAIN("local", tests)
