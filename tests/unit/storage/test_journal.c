/* The journal against a model: the list of records added, and how far it said they are synced. A trace of adds, writes, syncs, recycles
 * and crashes comes from a seed; after each crash the records that come back must be a prefix of the model's that reaches at least
 * as far as was reported synced (S-1), whatever the disk did with the rest. */
#include "tests/support/harness.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "storage/journal.h"
#include "storage/vfs_mem.h"

#define ROWS_MAX 4000u
#define PAYLOAD_MAX 20000u
#define WHOLE (STORE_ROW_FIRST | STORE_ROW_LAST) /* an entry of one row */

struct model_row {
    struct store_row row;
    uint8_t *payload;
};

struct model {
    struct model_row rows[ROWS_MAX]; /* everything added and not refused, in LSN order */
    size_t count;
    struct model_row turn[64];       /* of this turn */
    size_t turn_count;
    struct model_row dropped[ROWS_MAX]; /* turns that were refused after something of them may have been written */
    size_t dropped_count;
    uint64_t boundaries[ROWS_MAX]; /* ends of turns: where a checkpoint may lie */
    size_t boundary_count;
    uint64_t from, synced, synced_by_callback;
    enum br_err sync_err;
    struct model_row replayed[ROWS_MAX];
    size_t replayed_count;
};

struct bench {
    uint64_t seed;
    struct br_rand rand;
    struct store_vfs_mem *mem; /* NULL: the real disk */
    struct store_io_pool *pool;
    struct store_journal_opts opts;
    struct store_journal *j;
    struct model *m;
};

static const struct br_uuid cluster = {{1, 2, 3}};

static void clear_rows(struct model_row *rows, size_t *count, size_t from)
{
    for (size_t i = from; i < *count; i++)
        br_free(rows[i].payload);
    *count = BR_MIN(*count, from);
}

static void on_synced(void *ctx, enum br_err err, uint64_t lsn)
{
    struct model *m = ctx;
    if (err == BR_OK) {
        assert_true(lsn >= m->synced_by_callback);
        m->synced_by_callback = lsn;
    } else {
        m->sync_err = err;
    }
}

static enum br_err collect(void *ctx, const struct store_row *row)
{
    struct model *m = ctx;
    assert_true(m->replayed_count < ROWS_MAX);
    struct model_row *r = &m->replayed[m->replayed_count++];
    *r = (struct model_row){.row = *row};
    if (row->payload) {
        r->payload = br_alloc(row->length);
        memcpy(r->payload, row->payload, row->length);
    }
    r->row.payload = NULL;
    return BR_OK;
}

static bool same(const struct model_row *a, const struct model_row *b)
{
    const struct store_row *x = &a->row, *y = &b->row;
    return x->lsn == y->lsn && x->kind == y->kind && x->class == y->class && x->flags == y->flags && x->stream == y->stream &&
           x->leader_epoch == y->leader_epoch && x->base_offset == y->base_offset && x->count == y->count &&
           x->segment_base == y->segment_base && x->file_position == y->file_position && x->length == y->length &&
           x->batch_crc == y->batch_crc && x->max_timestamp == y->max_timestamp && x->producer_id == y->producer_id &&
           x->producer_epoch == y->producer_epoch && x->base_sequence == y->base_sequence && x->lane == y->lane && x->s == y->s &&
           !a->payload == !b->payload && (!a->payload || memcmp(a->payload, b->payload, x->length) == 0);
}

/* Replayed rows: the model's from m->from on, up to any point; there they may go on with one refused turn, as far as it got. */
static void check_replay(struct bench *b, uint64_t end)
{
    struct model *m = b->m;
    size_t at = 0, i = 0;
    while (at < m->count && m->rows[at].row.lsn < m->from)
        at++;
    while (i < m->replayed_count && at < m->count && same(&m->rows[at], &m->replayed[i]))
        i++, at++;
    bool ends_in_refused = false;
    if (i < m->replayed_count) {
        uint64_t lsn = m->replayed[i].row.lsn;
        for (size_t k = 0; k < m->dropped_count && !ends_in_refused; k++) {
            size_t n = 0;
            while (m->dropped[k].row.lsn == lsn && i + n < m->replayed_count && k + n < m->dropped_count && same(&m->dropped[k + n], &m->replayed[i + n]))
                n++;
            ends_in_refused = i + n == m->replayed_count;
        }
        if (!ends_in_refused)
            fail_msg("seed %llu: record at %llu is not the model's (%llu)", (unsigned long long)b->seed, (unsigned long long)lsn,
                     (unsigned long long)(at < m->count ? m->rows[at].row.lsn : 0));
    }
    if (m->replayed_count > 0) { /* S-8 */
        assert_true(m->replayed[0].row.flags & STORE_ROW_FIRST);
        assert_true(m->replayed[m->replayed_count - 1].row.flags & STORE_ROW_LAST);
    }
    assert_true(end >= m->synced); /* S-1 */
    if (at < m->count && !ends_in_refused)
        assert_true(m->rows[at].row.lsn >= m->synced);
    /* From here on the model is what came back. */
    size_t keep = 0;
    while (keep < m->count && m->rows[keep].row.lsn < m->from)
        keep++;
    clear_rows(m->rows, &m->count, keep);
    for (i = 0; i < m->replayed_count; i++)
        m->rows[m->count++] = m->replayed[i];
    m->replayed_count = 0;
    clear_rows(m->dropped, &m->dropped_count, 0);
    m->boundary_count = 0;
    m->boundaries[m->boundary_count++] = end;
    m->synced = m->synced_by_callback = end;
    m->sync_err = BR_OK;
}

static enum br_err open_journal(struct bench *b)
{
    struct br_errbuf eb = {""};
    uint64_t end = 0;
    struct model *m = b->m;
    enum br_err err = store_journal_open(&b->opts, m->from, collect, m, &b->j, &end, &eb);
    if (err != BR_OK) {
        b->j = NULL;
        clear_rows(m->replayed, &m->replayed_count, 0);
        if (!strstr(eb.text, "jnl"))
            fail_msg("no place named: %s", eb.text);
        return err;
    }
    assert_int_equal(store_journal_written(b->j), end);
    assert_int_equal(store_journal_synced(b->j), end);
    store_journal_on_synced(b->j, on_synced, m);
    check_replay(b, end);
    return BR_OK;
}

static struct model_row any_row(struct bench *b)
{
    struct br_rand *r = &b->rand;
    struct model_row row = {.row = {
        .kind = (uint8_t)(1 + br_rand_below(r, STORE_ROW_FINAL)), .class = (uint8_t)br_rand_below(r, 3),
        .flags = WHOLE, .stream = (uint32_t)br_rand_u64(r), .leader_epoch = (int32_t)br_rand_u64(r),
        .base_offset = (int64_t)br_rand_u64(r), .count = (uint32_t)br_rand_u64(r), .segment_base = (int64_t)br_rand_u64(r),
        .file_position = (int64_t)br_rand_u64(r), .length = (uint32_t)br_rand_below(r, 300), .batch_crc = (uint32_t)br_rand_u64(r),
        .max_timestamp = (int64_t)br_rand_u64(r), .producer_id = (int64_t)br_rand_u64(r), .producer_epoch = (int16_t)br_rand_u64(r),
        .base_sequence = (int32_t)br_rand_u64(r), .lane = (uint32_t)br_rand_u64(r), .s = br_rand_u64(r)}};
    if (br_rand_chance(r, 60)) {
        if (br_rand_chance(r, 5))
            row.row.length = (uint32_t)br_rand_below(r, PAYLOAD_MAX);
        row.payload = br_alloc(row.row.length);
        memset(row.payload, (int)br_rand_u64(r), row.row.length);
    }
    return row;
}

/* The row is the model's on BR_OK. */
static enum br_err add_to_turn(struct bench *b, struct model_row row)
{
    struct model *m = b->m;
    struct store_row given = row.row;
    enum br_err err = store_journal_add(b->j, &given, row.payload);
    if (err != BR_OK)
        return err;
    row.row.lsn = given.lsn;
    if (row.payload)
        row.row.flags |= STORE_ROW_PAYLOAD;
    m->turn[m->turn_count++] = row;
    return BR_OK;
}

static void add_row(struct bench *b)
{
    struct model *m = b->m;
    if (m->turn_count == BR_COUNT(m->turn) || m->count + m->turn_count + 1 >= ROWS_MAX)
        return;
    struct model_row row = any_row(b);
    enum br_err err = add_to_turn(b, row);
    if (err != BR_OK) {
        assert_true(err == BR_FAILED || err == BR_TOO_LARGE);
        br_free(row.payload);
    }
}

/* Two to five rows that are there together or not at all. */
static void add_together(struct bench *b)
{
    struct model *m = b->m;
    struct model_row rows[5];
    unsigned count = 2 + (unsigned)br_rand_below(&b->rand, 4);
    size_t payload = 0;
    if (m->turn_count + count > BR_COUNT(m->turn) || m->count + m->turn_count + count >= ROWS_MAX)
        return;
    for (unsigned i = 0; i < count; i++) {
        rows[i] = any_row(b);
        rows[i].row.flags = (uint16_t)((i == 0 ? STORE_ROW_FIRST : 0) | (i + 1 == count ? STORE_ROW_LAST : 0));
        payload += rows[i].payload ? rows[i].row.length : 0;
    }
    enum br_err err = store_journal_together(b->j, count, payload);
    assert_true(err == BR_OK || err == BR_FAILED || err == BR_TOO_LARGE);
    for (unsigned i = 0; i < count; i++) {
        if (err == BR_OK)
            assert_int_equal(add_to_turn(b, rows[i]), BR_OK);
        else
            br_free(rows[i].payload);
    }
}

static enum br_err end_turn(struct bench *b)
{
    struct model *m = b->m;
    enum br_err err = store_journal_write(b->j);
    for (size_t i = 0; i < m->turn_count; i++) {
        if (err == BR_OK)
            m->rows[m->count++] = m->turn[i];
        else if (m->dropped_count < ROWS_MAX)
            m->dropped[m->dropped_count++] = m->turn[i];
    }
    m->turn_count = 0;
    if (err == BR_OK && m->boundary_count < ROWS_MAX)
        m->boundaries[m->boundary_count++] = store_journal_written(b->j);
    store_journal_check(b->j);
    return err;
}

static void reap(struct bench *b)
{
    store_io_pool_reap(b->pool);
    assert_true(store_journal_synced(b->j) >= b->m->synced);
    b->m->synced = store_journal_synced(b->j);
    store_journal_check(b->j);
}

static void checkpoint(struct bench *b)
{
    struct model *m = b->m;
    uint64_t lsn = m->boundaries[br_rand_below(&b->rand, m->boundary_count)];
    if (lsn < m->from || lsn > m->synced)
        return;
    m->from = lsn; /* the state file says so, durably */
    store_journal_recycle(b->j, lsn);
    store_journal_check(b->j);
}

static void step(struct bench *b)
{
    switch (br_rand_below(&b->rand, 10)) {
    case 0: store_journal_sync(b->j); break;
    case 1: (void)store_io_pool_run(b->pool, 1); break;
    case 2: reap(b); break;
    case 3: checkpoint(b); break;
    default:
        for (unsigned n = (unsigned)br_rand_below(&b->rand, 6); n > 0; n--)
            br_rand_chance(&b->rand, 25) ? add_together(b) : add_row(b);
        (void)end_turn(b);
    }
}

static void bench_init(struct bench *b, uint64_t seed, struct store_vfs_mem *mem, const char *dir)
{
    *b = (struct bench){.seed = seed, .mem = mem};
    br_rand_init(&b->rand, seed);
    b->pool = store_io_pool_new(0, NULL, NULL);
    b->m = br_alloc(sizeof *b->m);
    b->opts = (struct store_journal_opts){
        .vfs = mem ? store_vfs_mem_vfs(mem) : store_vfs_posix(), .dir = dir, .cluster_id = cluster, .node_id = 1,
        .file_bytes = 4096u + 400u + (uint32_t)br_rand_below(&b->rand, br_rand_chance(&b->rand, 70) ? 4000 : 60000), .sync_pool = b->pool};
}

static void bench_clear(struct bench *b)
{
    store_journal_close(b->j);
    store_io_pool_free(b->pool);
    store_vfs_mem_free(b->mem);
    clear_rows(b->m->rows, &b->m->count, 0);
    clear_rows(b->m->turn, &b->m->turn_count, 0);
    clear_rows(b->m->dropped, &b->m->dropped_count, 0);
    br_free(b->m);
}

static void crash(struct bench *b)
{
    store_vfs_mem_crash(b->mem);
    store_journal_close(b->j); /* its files are dead: it can write nothing */
    b->j = NULL;
    clear_rows(b->m->turn, &b->m->turn_count, 0);
}

static struct store_mem_faults any_faults(struct br_rand *r)
{
    struct store_mem_faults f = {.drop = (unsigned)br_rand_below(r, 101), .tear = (unsigned)br_rand_below(r, 101),
                                 .garble = (unsigned)br_rand_below(r, 60), .reorder = (unsigned)br_rand_below(r, 60)};
    f.keep_all = br_rand_chance(r, 15);
    return f;
}

static void run_crash_seed(uint64_t seed, bool has_failures)
{
    struct bench b;
    bench_init(&b, seed, store_vfs_mem_new(seed), "jnl");
    assert_int_equal(open_journal(&b), BR_OK);
    unsigned cycles = 2 + (unsigned)br_rand_below(&b.rand, 5);
    for (unsigned c = 0; c < cycles; c++) {
        if (has_failures)
            store_vfs_mem_fail_at(b.mem, (enum store_mem_op)br_rand_below(&b.rand, 3), 1 + br_rand_below(&b.rand, 30),
                                  br_rand_chance(&b.rand, 50) ? BR_NOSPACE : BR_IO);
        for (unsigned n = 5 + (unsigned)br_rand_below(&b.rand, 40); n > 0; n--)
            step(&b);
        store_vfs_mem_set_faults(b.mem, "*", any_faults(&b.rand));
        for (int op = STORE_MEM_WRITE; op <= STORE_MEM_READ; op++)
            store_vfs_mem_fail_at(b.mem, (enum store_mem_op)op, 0, BR_OK);
        crash(&b);
        enum br_err err = open_journal(&b);
        if (err != BR_OK)
            fail_msg("seed %llu, cycle %u: %s", (unsigned long long)seed, c, br_err_text(err));
    }
    bench_clear(&b);
}

static void test_synced_records_survive_every_crash_and_nothing_else_but_a_prefix_S_1(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2500; seed++)
        run_crash_seed(seed, false);
}

static void test_the_same_holds_when_operations_fail_before_the_crash(void **state)
{
    (void)state;
    for (uint64_t seed = 100001; seed <= 102500; seed++)
        run_crash_seed(seed, true);
}

static void fill(struct bench *b, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) {
        add_row(b);
        assert_int_equal(end_turn(b), BR_OK);
        store_journal_sync(b->j);
        store_io_pool_run(b->pool, 1);
        reap(b);
    }
}

static void test_write_failing_at_each_point_refuses_the_turn_or_fails_the_journal(void **state)
{
    (void)state;
    for (unsigned long nth = 1; nth <= 40; nth++)
        for (int op = STORE_MEM_WRITE; op <= STORE_MEM_RENAME; op++)
            for (int lasting = 0; lasting < 2; lasting++) {
                struct bench b;
                bench_init(&b, 7, store_vfs_mem_new(nth), "jnl");
                b.opts.file_bytes = 4096 + 1500;
                assert_int_equal(open_journal(&b), BR_OK);
                (lasting ? store_vfs_mem_fail_from : store_vfs_mem_fail_at)(b.mem, (enum store_mem_op)op, nth, BR_NOSPACE);
                for (unsigned i = 0; i < 60; i++)
                    step(&b);
                store_vfs_mem_fail_at(b.mem, (enum store_mem_op)op, 0, BR_OK);
                store_vfs_mem_set_faults(b.mem, "*", (struct store_mem_faults){.keep_all = nth % 2, .drop = 50, .tear = 50});
                crash(&b);
                assert_int_equal(open_journal(&b), BR_OK);
                bench_clear(&b);
            }
}

static void test_disk_that_is_full_for_a_while_refuses_and_then_resumes(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 3, store_vfs_mem_new(3), "jnl");
    b.opts.file_bytes = 4096 + 4096;
    assert_int_equal(open_journal(&b), BR_OK);
    fill(&b, 3);
    store_vfs_mem_set_limit(b.mem, 6000);
    assert_int_equal(store_journal_has_room(b.j, 100), BR_NOSPACE);
    unsigned refused = 0;
    for (unsigned i = 0; i < 60; i++) {
        add_row(&b);
        refused += end_turn(&b) == BR_NOSPACE;
    }
    assert_true(refused > 0);
    store_vfs_mem_set_limit(b.mem, 0);
    assert_int_equal(store_journal_has_room(b.j, 100), BR_OK);
    fill(&b, 20);
    store_journal_close(b.j);
    assert_int_equal(open_journal(&b), BR_OK);
    bench_clear(&b);
}

static void test_failed_sync_fails_the_journal_for_good(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 5, store_vfs_mem_new(5), "jnl");
    assert_int_equal(open_journal(&b), BR_OK);
    fill(&b, 3);
    uint64_t synced = store_journal_synced(b.j);
    store_vfs_mem_fail_at(b.mem, STORE_MEM_SYNC, 1, BR_IO);
    add_row(&b);
    assert_int_equal(end_turn(&b), BR_OK);
    store_journal_sync(b.j);
    store_io_pool_drain(b.pool);
    assert_int_equal(b.m->sync_err, BR_IO);
    assert_int_equal(store_journal_synced(b.j), synced);
    struct store_row row = {.kind = STORE_ROW_NOOP, .flags = WHOLE};
    assert_int_equal(store_journal_add(b.j, &row, NULL), BR_FAILED);
    assert_int_equal(store_journal_write(b.j), BR_FAILED);
    assert_int_equal(store_journal_has_room(b.j, 1), BR_FAILED);
    unsigned long syncs = store_vfs_mem_op_count(b.mem, STORE_MEM_SYNC);
    store_journal_sync(b.j);
    store_io_pool_drain(b.pool);
    assert_int_equal(store_vfs_mem_op_count(b.mem, STORE_MEM_SYNC), syncs);
    bench_clear(&b);
}

static void test_syncs_asked_while_one_runs_are_folded_into_one(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 6, store_vfs_mem_new(6), "jnl");
    assert_int_equal(open_journal(&b), BR_OK);
    add_row(&b);
    assert_int_equal(end_turn(&b), BR_OK);
    uint64_t first = store_journal_written(b.j);
    store_journal_sync(b.j);
    for (int i = 0; i < 10; i++) {
        add_row(&b);
        assert_int_equal(end_turn(&b), BR_OK);
        store_journal_sync(b.j);
    }
    unsigned long syncs = store_vfs_mem_op_count(b.mem, STORE_MEM_SYNC);
    assert_int_equal(store_io_pool_run(b.pool, 10), 1);
    reap(&b);
    assert_int_equal(store_journal_synced(b.j), first); /* what was written when it began */
    assert_int_equal(store_io_pool_run(b.pool, 10), 1);
    reap(&b);
    assert_int_equal(store_journal_synced(b.j), store_journal_written(b.j));
    assert_int_equal(store_io_pool_busy(b.pool), 0);
    assert_true(store_vfs_mem_op_count(b.mem, STORE_MEM_SYNC) <= syncs + 4);
    bench_clear(&b);
}

static enum br_err count_name(void *ctx, const char *name)
{
    *(unsigned *)ctx += strstr(name, ".journal") != NULL;
    return BR_OK;
}

/* S-3 and S-4: reuse goes round and round, and a crash in between loses nothing. */
static void test_files_are_recycled_and_their_number_stays_bounded_S_3(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 9, store_vfs_mem_new(9), "jnl");
    b.opts.file_bytes = 4096 + 2000;
    assert_int_equal(open_journal(&b), BR_OK);
    for (unsigned i = 0; i < 600; i++) {
        fill(&b, 1);
        b.m->from = b.m->synced;
        store_journal_recycle(b.j, b.m->from);
        store_journal_check(b.j);
        unsigned files = 0;
        assert_int_equal(b.opts.vfs->ops->list(b.opts.vfs, "jnl", count_name, &files), BR_OK);
        assert_true(files <= 7);
    }
    assert_true(store_journal_written(b.j) > 30 * 2000);
    store_vfs_mem_set_faults(b.mem, "*", (struct store_mem_faults){.drop = 100});
    fill(&b, 2);
    crash(&b);
    assert_int_equal(open_journal(&b), BR_OK);
    bench_clear(&b);
}

/* Flips one byte of the nth file (0: the oldest) in the directory. */
struct nth {
    unsigned left;
    char name[64];
};
static enum br_err pick_name(void *ctx, const char *name)
{
    struct nth *n = ctx;
    if (n->left-- == 0)
        snprintf(n->name, sizeof n->name, "jnl/%s", name);
    return BR_OK;
}
static void flip(struct bench *b, unsigned file, int64_t at)
{
    struct nth n = {.left = file};
    struct store_file *f;
    uint8_t byte;
    assert_int_equal(b->opts.vfs->ops->list(b->opts.vfs, "jnl", pick_name, &n), BR_OK);
    assert_int_equal(store_file_open(b->opts.vfs, n.name, STORE_OPEN_WRITE, &f), BR_OK);
    assert_int_equal(store_file_read(f, &byte, 1, at), BR_OK);
    byte ^= 0x40;
    assert_int_equal(store_file_write(f, &byte, 1, at), BR_OK);
    store_file_close(f);
}

/* S-2: the heads after a record vouch for it. */
static void test_rot_below_what_was_synced_is_refused_with_file_and_offset_S_2(void **state)
{
    (void)state;
    for (unsigned turn = 0; turn < 12; turn++) {
        struct bench b;
        bench_init(&b, 11, store_vfs_mem_new(11), "jnl");
        b.opts.file_bytes = 4096 + 3000;
        assert_int_equal(open_journal(&b), BR_OK);
        fill(&b, 12);
        const uint64_t lsn = b.m->rows[turn].row.lsn;
        store_journal_close(b.j); /* the last head vouches for the last turn too */
        b.j = NULL;
        bool is_first = lsn < 3000 - 400;
        if (is_first)
            flip(&b, 0, (int64_t)(4096 + lsn + 20));
        else
            flip(&b, 1, 4096 + 20); /* the head of the second file's first group */
        struct br_errbuf eb = {""};
        struct store_journal *j;
        uint64_t end;
        assert_int_equal(store_journal_open(&b.opts, 0, collect, b.m, &j, &end, &eb), BR_CORRUPT);
        char want[32];
        snprintf(want, sizeof want, "at byte %llu", (unsigned long long)(is_first ? 4096 + lsn : 4096));
        assert_non_null(strstr(eb.text, want));
        assert_non_null(strstr(eb.text, is_first ? "000.journal" : "001.journal"));
        clear_rows(b.m->replayed, &b.m->replayed_count, 0);
        bench_clear(&b);
    }
}

static void test_rotten_header_of_a_file_in_use_is_refused(void **state)
{
    (void)state;
    for (unsigned file = 0; file < 2; file++) {
        struct bench b;
        bench_init(&b, 12, store_vfs_mem_new(12), "jnl");
        b.opts.file_bytes = 4096 + 1500;
        assert_int_equal(open_journal(&b), BR_OK);
        fill(&b, 30);
        store_journal_close(b.j);
        b.j = NULL;
        flip(&b, file, 41);
        assert_int_equal(open_journal(&b), BR_CORRUPT);
        bench_clear(&b);
    }
}

static void test_torn_tail_is_cut_and_cut_bytes_never_come_back_S_3(void **state)
{
    (void)state;
    /* Records of one size: what lies behind a cut would fit exactly behind the new records. */
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct bench b;
        bench_init(&b, seed, store_vfs_mem_new(seed), "jnl");
        assert_int_equal(open_journal(&b), BR_OK);
        for (unsigned cycle = 0; cycle < 4; cycle++) {
            for (unsigned i = 0; i < 6; i++) {
                struct model_row row = {.row = {.kind = STORE_ROW_DATA, .flags = WHOLE, .stream = cycle, .s = i}};
                struct store_row given = row.row;
                assert_int_equal(store_journal_add(b.j, &given, NULL), BR_OK);
                row.row = given;
                b.m->turn[b.m->turn_count++] = row;
                assert_int_equal(end_turn(&b), BR_OK);
            }
            store_vfs_mem_set_faults(b.mem, "*.journal", (struct store_mem_faults){.reorder = 100, .tear = 30});
            crash(&b);
            assert_int_equal(open_journal(&b), BR_OK);
        }
        bench_clear(&b);
    }
}

/* A turn of rows of one size, so that rows of different turns fit behind each other. */
static enum br_err even_turn(struct bench *b, uint32_t tag)
{
    for (unsigned i = 0; i < 12; i++) {
        struct model_row row = {.row = {.kind = STORE_ROW_DATA, .flags = WHOLE, .stream = tag, .s = i}};
        assert_int_equal(store_journal_add(b->j, &row.row, NULL), BR_OK);
        b->m->turn[b->m->turn_count++] = row;
    }
    return end_turn(b);
}

static void test_refused_turn_never_mixes_with_the_one_written_after_it_S_3(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        struct bench b;
        bench_init(&b, seed, store_vfs_mem_new(seed), "jnl");
        b.opts.file_bytes = 4096 + 20000;
        assert_int_equal(open_journal(&b), BR_OK);
        assert_int_equal(even_turn(&b, 1), BR_OK);
        store_vfs_mem_fail_at(b.mem, STORE_MEM_WRITE, 1, BR_NOSPACE);
        assert_int_equal(even_turn(&b, 2), BR_NOSPACE);
        assert_int_equal(even_turn(&b, 3), BR_OK);
        store_vfs_mem_set_faults(b.mem, "*", (struct store_mem_faults){.tear = 100, .reorder = 100});
        crash(&b);
        assert_int_equal(open_journal(&b), BR_OK);
        bench_clear(&b);
    }
}

/* Three rows after another, and one after them: the file ends, or has a bad byte, at each place in turn. */
static void test_what_was_appended_together_is_there_whole_or_not_at_all_S_8(void **state)
{
    (void)state;
    const struct store_row single = {.kind = STORE_ROW_DATA, .flags = WHOLE, .length = 40};
    static const uint8_t payload[60];
    for (int garble = 0; garble < 2; garble++) {
        for (int64_t at = 0; ; at++) {
            struct bench b;
            bench_init(&b, 1, store_vfs_mem_new(1), "jnl");
            b.opts.file_bytes = 4096 + 4096;
            assert_int_equal(open_journal(&b), BR_OK);
            struct store_row row = single;
            assert_int_equal(store_journal_add(b.j, &row, payload), BR_OK);
            assert_int_equal(store_journal_together(b.j, 3, 180), BR_OK);
            uint64_t ends[6] = {[1] = row.lsn + 104 + 40};
            for (unsigned i = 0; i < 3; i++) {
                row = (struct store_row){.kind = STORE_ROW_DATA, .flags = (uint16_t)(i == 0 ? STORE_ROW_FIRST : i == 2 ? STORE_ROW_LAST : 0), .length = 60, .s = i};
                assert_int_equal(store_journal_add(b.j, &row, payload), BR_OK);
            }
            ends[4] = row.lsn + 104 + 60;
            row = single;
            assert_int_equal(store_journal_add(b.j, &row, payload), BR_OK);
            ends[5] = row.lsn + 104 + 40;
            assert_int_equal(store_journal_write(b.j), BR_OK);
            crash(&b); /* nothing is lost by itself: then the bytes are as they were written */
            struct store_file *file;
            uint8_t byte;
            assert_int_equal(store_file_open(b.opts.vfs, "jnl/00000000001000000000.journal", STORE_OPEN_WRITE, &file), BR_OK);
            uint64_t lsn = ends[1] - 104 - 40 + (uint64_t)at;
            assert_int_equal(store_file_read(file, &byte, 1, 4096 + (int64_t)lsn), BR_OK);
            byte ^= 0x10;
            assert_int_equal(garble ? store_file_write(file, &byte, 1, 4096 + (int64_t)lsn) : store_file_truncate(file, 4096 + (int64_t)lsn), BR_OK);
            store_file_close(file);
            struct br_errbuf eb;
            uint64_t end;
            assert_int_equal(store_journal_open(&b.opts, 0, collect, b.m, &b.j, &end, &eb), BR_OK);
            size_t want = lsn < ends[1] ? 0 : lsn < ends[4] ? 1 : 4;
            assert_int_equal(b.m->replayed_count, want);
            if (want > 0)
                assert_int_equal(end, ends[want]);
            clear_rows(b.m->replayed, &b.m->replayed_count, 0);
            bench_clear(&b);
            if (lsn + 1 == ends[5])
                break;
        }
    }
}

static void test_what_was_appended_together_lies_in_one_file_and_what_fits_none_is_refused_S_8(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 14, store_vfs_mem_new(14), "jnl");
    b.opts.file_bytes = 4096 + 1000;
    assert_int_equal(open_journal(&b), BR_OK);
    assert_int_equal(store_journal_together(b.j, 2, 1000 - 3 * STORE_JOURNAL_ROW_BYTES + 1), BR_TOO_LARGE);
    assert_int_equal(store_journal_together(b.j, 9, 0), BR_TOO_LARGE);
    for (unsigned turn = 0; turn < 20; turn++) { /* a file has room for nine: a second five does not fit behind the first, but some of its rows would */
        assert_int_equal(store_journal_together(b.j, 5, 0), BR_OK);
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(add_to_turn(&b, (struct model_row){.row = {.kind = STORE_ROW_DATA, .flags = (uint16_t)(i == 0 ? STORE_ROW_FIRST : i == 4 ? STORE_ROW_LAST : 0)}}), BR_OK);
        if (turn % 3 == 0)
            assert_int_equal(end_turn(&b), BR_OK);
    }
    assert_int_equal(end_turn(&b), BR_OK);
    b.m->synced = store_journal_written(b.j); /* closing syncs */
    store_journal_close(b.j);
    assert_int_equal(open_journal(&b), BR_OK);
    assert_int_equal(b.m->count, 100);
    bench_clear(&b);
}

static void test_unknown_version_and_foreign_cluster_are_refused(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 13, store_vfs_mem_new(13), "jnl");
    assert_int_equal(open_journal(&b), BR_OK);
    fill(&b, 2);
    store_journal_close(b.j);
    b.j = NULL;
    b.opts.node_id = 2;
    assert_int_equal(open_journal(&b), BR_INVALID);
    b.opts.node_id = 1;
    assert_int_equal(open_journal(&b), BR_OK);
    bench_clear(&b);
}

static void test_record_that_fits_no_file_is_refused_and_the_largest_is_not(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 14, store_vfs_mem_new(14), "jnl");
    b.opts.file_bytes = 4096 + 30000;
    assert_int_equal(open_journal(&b), BR_OK);
    uint8_t *payload = br_alloc(30000);
    struct model_row row = {.row = {.kind = STORE_ROW_DATA, .flags = WHOLE, .length = 30000 - 2 * STORE_JOURNAL_ROW_BYTES + 1}, .payload = payload};
    assert_int_equal(store_journal_add(b.j, &row.row, payload), BR_TOO_LARGE);
    row.row.length--;
    struct store_row given = row.row;
    assert_int_equal(store_journal_add(b.j, &given, payload), BR_OK);
    row.row = given;
    row.row.flags |= STORE_ROW_PAYLOAD;
    b.m->turn[b.m->turn_count++] = row;
    assert_int_equal(end_turn(&b), BR_OK);
    fill(&b, 2);
    store_journal_close(b.j);
    assert_int_equal(open_journal(&b), BR_OK);
    bench_clear(&b);
}

/* One trace, clean restarts in it; what came back is folded into one number. */
static uint64_t run_trace(uint64_t seed, struct store_vfs_mem *mem, const char *dir)
{
    struct bench b;
    bench_init(&b, seed, mem, dir);
    uint64_t sum = 0;
    assert_int_equal(open_journal(&b), BR_OK);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        for (unsigned n = 0; n < 60; n++)
            step(&b);
        store_journal_close(b.j);
        b.m->synced = 0; /* by itself closing syncs; nothing was promised */
        assert_int_equal(open_journal(&b), BR_OK);
        sum = sum * 31 + b.m->count * 7 + store_journal_written(b.j);
    }
    bench_clear(&b);
    return sum;
}

static void test_the_same_trace_gives_the_same_on_the_real_disk(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        char dir[600];
        snprintf(dir, sizeof dir, "%s/jnl%u", harness_tmpdir(), (unsigned)seed);
        assert_true(run_trace(seed, store_vfs_mem_new(1), "jnl") == run_trace(seed, NULL, dir));
    }
}

static void test_sync_thread_runs_beside_the_writer(void **state)
{
    (void)state;
    char dir[600];
    struct bench b;
    snprintf(dir, sizeof dir, "%s/jnl-thread", harness_tmpdir());
    bench_init(&b, 21, NULL, dir);
    store_io_pool_free(b.pool);
    b.pool = b.opts.sync_pool = store_io_pool_new(1, NULL, NULL);
    assert_int_equal(open_journal(&b), BR_OK);
    for (unsigned i = 0; i < 300; i++) {
        add_row(&b);
        assert_int_equal(end_turn(&b), BR_OK);
        store_journal_sync(b.j);
        reap(&b);
        if (i % 20 == 0)
            checkpoint(&b);
    }
    store_io_pool_drain(b.pool);
    reap(&b);
    assert_int_equal(store_journal_synced(b.j), store_journal_written(b.j));
    store_journal_close(b.j);
    assert_int_equal(open_journal(&b), BR_OK);
    bench_clear(&b);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_synced_records_survive_every_crash_and_nothing_else_but_a_prefix_S_1),
        cmocka_unit_test(test_the_same_holds_when_operations_fail_before_the_crash),
        cmocka_unit_test(test_write_failing_at_each_point_refuses_the_turn_or_fails_the_journal),
        cmocka_unit_test(test_disk_that_is_full_for_a_while_refuses_and_then_resumes),
        cmocka_unit_test(test_failed_sync_fails_the_journal_for_good),
        cmocka_unit_test(test_syncs_asked_while_one_runs_are_folded_into_one),
        cmocka_unit_test(test_files_are_recycled_and_their_number_stays_bounded_S_3),
        cmocka_unit_test(test_rot_below_what_was_synced_is_refused_with_file_and_offset_S_2),
        cmocka_unit_test(test_rotten_header_of_a_file_in_use_is_refused),
        cmocka_unit_test(test_torn_tail_is_cut_and_cut_bytes_never_come_back_S_3),
        cmocka_unit_test(test_refused_turn_never_mixes_with_the_one_written_after_it_S_3),
        cmocka_unit_test(test_what_was_appended_together_is_there_whole_or_not_at_all_S_8),
        cmocka_unit_test(test_what_was_appended_together_lies_in_one_file_and_what_fits_none_is_refused_S_8),
        cmocka_unit_test(test_unknown_version_and_foreign_cluster_are_refused),
        cmocka_unit_test(test_record_that_fits_no_file_is_refused_and_the_largest_is_not),
        cmocka_unit_test(test_the_same_trace_gives_the_same_on_the_real_disk),
        cmocka_unit_test(test_sync_thread_runs_beside_the_writer),
    };
    return harness_run("storage.journal", tests, BR_COUNT(tests));
}
