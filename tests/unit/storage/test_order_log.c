/* The order log against a model: every row ever written, and which are dead. After any trace of writes, trims, checkpoints and crashes, reading from 0 gives
 * each live row unchanged, each dead one either unchanged or covered by a `trimmed` row, in rising order without a hole (S-5, S-6). */
#include "tests/support/harness.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "storage/journal.h"
#include "storage/order_log.h"
#include "storage/vfs_mem.h"
#include "tests/unit/storage/cold_disk.h"

#define ROWS_MAX 6000u

struct bench {
    uint64_t seed;
    struct br_rand rand;
    struct store_vfs_mem *mem;
    struct store_order_log_opts opts;
    struct store_order_log *log;
    struct store_order_row rows[ROWS_MAX];
    size_t count;      /* written */
    size_t turn;       /* added after them */
    uint64_t next;     /* next position */
    uint64_t keep;     /* at the last checkpoint */
    size_t old_at;     /* next model row that an old row must equal */
    bool old_checked;
    uint32_t dead_below; /* rows with s below it are dead, except every nth */
    uint32_t live_every;
    bool dead_moved;
};

static bool is_dead(void *ctx, const struct store_order_row *row)
{
    const struct bench *b = ctx;
    return row->s < b->dead_below && row->s % b->live_every != 0;
}

static bool same(const struct store_order_row *a, const struct store_order_row *b)
{
    return a->position == b->position && a->lane == b->lane && a->stream == b->stream && a->s == b->s && a->base_offset == b->base_offset &&
           a->count == b->count && a->leader_epoch == b->leader_epoch && a->max_timestamp == b->max_timestamp && a->view == b->view &&
           a->kind == b->kind && a->flags == b->flags && a->domain == b->domain && a->batch_crc == b->batch_crc;
}

static void on_old(void *ctx, const struct store_order_row *row)
{
    struct bench *b = ctx;
    assert_true(row->position >= b->keep);
    if (!b->old_checked)
        return;
    while (b->old_at < b->count && b->rows[b->old_at].position < row->position)
        b->old_at++; /* whole files may be missing */
    assert_true(b->old_at < b->count && same(row, &b->rows[b->old_at]));
    b->old_at++;
}

static enum br_err open_log(struct bench *b)
{
    struct br_errbuf eb = {""};
    b->old_at = 0;
    enum br_err err = store_order_log_open(&b->opts, b->keep, on_old, b, &b->log, &eb);
    if (err != BR_OK) {
        b->log = NULL;
        assert_non_null(strstr(eb.text, "ord"));
        return err;
    }
    size_t keep = 0;
    while (keep < b->count && b->rows[keep].position < b->keep)
        keep++;
    b->count = keep;
    b->turn = 0;
    b->next = BR_MAX(b->keep, store_order_log_end(b->log)); /* never a position twice */
    return BR_OK;
}

static void add_rows(struct bench *b, unsigned n)
{
    struct br_rand *r = &b->rand;
    for (; n > 0 && b->count + b->turn < ROWS_MAX; n--) {
        if (br_rand_chance(r, 3))
            b->next += br_rand_below(r, 1000); /* a jump */
        struct store_order_row *row = &b->rows[b->count + b->turn];
        *row = (struct store_order_row){
            .position = b->next, .lane = (uint32_t)br_rand_u64(r), .stream = (uint32_t)br_rand_below(r, 5), .s = b->count + b->turn,
            .base_offset = (int64_t)br_rand_u64(r), .count = (uint32_t)br_rand_below(r, 20), .leader_epoch = (int32_t)br_rand_u64(r),
            .max_timestamp = (int64_t)br_rand_below(r, 100000), .view = 1, .kind = br_rand_chance(r, 80) ? STORE_ROW_DATA : STORE_ROW_COMMIT,
            .flags = STORE_ORDER_FIRST | STORE_ORDER_LAST, .domain = 7, .batch_crc = (uint32_t)br_rand_u64(r)};
        if (store_order_log_add(b->log, row) != BR_OK)
            return;
        b->next += store_order_row_length(row);
        b->turn++;
    }
}

static enum br_err end_turn(struct bench *b)
{
    enum br_err err = store_order_log_write(b->log);
    if (err == BR_OK)
        b->count += b->turn;
    b->turn = 0;
    b->next = BR_MAX(b->keep, b->count ? b->rows[b->count - 1].position + store_order_row_length(&b->rows[b->count - 1]) : 0);
    store_order_log_check(b->log);
    return err;
}

static enum br_err checkpoint(struct bench *b)
{
    uint64_t position = b->next;
    struct store_order_sync *s = store_order_log_sync_new(b->log);
    if (br_rand_chance(&b->rand, 30)) { /* the loop goes on meanwhile */
        add_rows(b, 3);
        (void)end_turn(b);
        store_order_log_trim(b->log, is_dead, b, 50, NULL);
    }
    enum br_err err = store_order_log_sync_run(s);
    store_order_log_sync_free(s);
    if (err == BR_OK && br_rand_chance(&b->rand, 90)) { /* else the state file was not replaced any more */
        b->keep = position;
        store_order_log_vouch(b->log, position);
    }
    store_order_log_check(b->log);
    return err;
}

/* Reads everything and compares it with the model. */
static void check_all(struct bench *b)
{
    struct store_order_row got[97];
    uint64_t p = 0, last_end = 0;
    size_t at = 0;
    bool is_first = true;
    for (;;) {
        unsigned n;
        assert_int_equal(store_order_log_read(b->log, p, got, BR_COUNT(got), &n, NULL), BR_OK);
        for (unsigned i = 0; i < n; i++) {
            const struct store_order_row *g = &got[i];
            uint64_t end = g->position + store_order_row_length(g);
            assert_true(g->position >= last_end); /* S-5 */
            if (is_first)
                for (; at < b->count && b->rows[at].position < store_order_log_start(b->log); at++)
                    if (!is_dead(b, &b->rows[at])) /* S-6: only the dead go */
                        fail_msg("seed %llu: row %zu at %llu lives and is gone; start %llu", (unsigned long long)b->seed, at,
                                 (unsigned long long)b->rows[at].position, (unsigned long long)store_order_log_start(b->log));
            is_first = false;
            if (g->flags & STORE_ORDER_TRIMMED) {
                for (; at < b->count && b->rows[at].position < end; at++) {
                    if (!is_dead(b, &b->rows[at]) || b->rows[at].position < g->position)
                        fail_msg("seed %llu: row %zu at %llu, s %llu of %u, is covered by [%llu, %llu)", (unsigned long long)b->seed, at,
                                 (unsigned long long)b->rows[at].position, (unsigned long long)b->rows[at].s, b->dead_below,
                                 (unsigned long long)g->position, (unsigned long long)end);
                    assert_true(b->rows[at].max_timestamp <= g->max_timestamp);
                }
            } else {
                assert_true(at < b->count && same(g, &b->rows[at])); /* S-6: no hole */
                at++;
            }
            last_end = end;
        }
        if (n == 0)
            break;
        p = last_end;
    }
    for (; at < b->count; at++) { /* S-6: nothing live is missing at the end */
        assert_true(is_first && is_dead(b, &b->rows[at]));
    }
    assert_true(last_end <= store_order_log_end(b->log));
}

static void check_reads(struct bench *b)
{
    for (unsigned i = 0; i < 10 && b->count > 0; i++) {
        const struct store_order_row *want = &b->rows[br_rand_below(&b->rand, b->count)];
        if (is_dead(b, want))
            continue;
        struct store_order_row got;
        unsigned n;
        uint64_t p = want->position + br_rand_below(&b->rand, store_order_row_length(want)); /* anywhere in the batch */
        assert_int_equal(store_order_log_read(b->log, p, &got, 1, &n, NULL), BR_OK);
        if (n != 1 || !same(&got, want))
            fail_msg("seed %llu: asked for %llu, row %zu at %llu, got %u rows, at %llu, s %llu, flags %u", (unsigned long long)b->seed, (unsigned long long)p,
                     (size_t)(want - b->rows), (unsigned long long)want->position, n, (unsigned long long)got.position, (unsigned long long)got.s, got.flags);
    }
}

static void step(struct bench *b)
{
    switch (br_rand_below(&b->rand, 10)) {
    case 0: (void)checkpoint(b); break;
    case 1:
        if (br_rand_chance(&b->rand, 50) && b->count > 0) {
            uint32_t below = (uint32_t)br_rand_below(&b->rand, b->count);
            b->dead_below = BR_MAX(b->dead_below, below); /* starts only move up */
        }
        for (unsigned n = 3; n > 0 && store_order_log_trim(b->log, is_dead, b, 1 + (unsigned)br_rand_below(&b->rand, 300), NULL) > 0; n--)
            store_order_log_check(b->log);
        break;
    case 2: check_reads(b); break;
    default:
        add_rows(b, (unsigned)br_rand_below(&b->rand, 40));
        (void)end_turn(b);
    }
}

static struct bench *bench_new(uint64_t seed, struct store_vfs_mem *mem, const char *dir, uint32_t rows_per_file)
{
    struct bench *b = br_alloc(sizeof *b);
    b->seed = seed;
    b->mem = mem;
    b->live_every = 11;
    b->old_checked = true;
    br_rand_init(&b->rand, seed);
    b->opts = (struct store_order_log_opts){.vfs = mem ? store_vfs_mem_vfs(mem) : store_vfs_posix(), .dir = dir, .cluster_id = {{9}},
                                            .node_id = 3, .rows_per_file = rows_per_file};
    assert_int_equal(open_log(b), BR_OK);
    return b;
}

static void bench_free(struct bench *b)
{
    store_order_log_close(b->log);
    store_vfs_mem_free(b->mem);
    br_free(b);
}

static void run_seed(uint64_t seed, bool has_failures)
{
    struct bench *b = bench_new(seed, store_vfs_mem_new(seed), "ord", 10 + (uint32_t)(seed % 150));
    b->live_every = 2 + (uint32_t)(seed % 40);
    b->old_checked = !has_failures; /* a refused turn may be followed by another one for the same positions */
    for (unsigned cycle = 0; cycle < 4; cycle++) {
        if (has_failures)
            store_vfs_mem_fail_at(b->mem, (enum store_mem_op)br_rand_below(&b->rand, 3), 1 + br_rand_below(&b->rand, 30), BR_NOSPACE);
        for (unsigned n = 10 + (unsigned)br_rand_below(&b->rand, 40); n > 0; n--)
            step(b);
        for (int op = STORE_MEM_WRITE; op <= STORE_MEM_READ; op++)
            store_vfs_mem_fail_at(b->mem, (enum store_mem_op)op, 0, BR_OK);
        check_all(b);
        store_vfs_mem_set_faults(b->mem, "*", (struct store_mem_faults){
            .drop = (unsigned)br_rand_below(&b->rand, 101), .tear = (unsigned)br_rand_below(&b->rand, 101),
            .garble = (unsigned)br_rand_below(&b->rand, 60), .reorder = (unsigned)br_rand_below(&b->rand, 60),
            .keep_all = br_rand_chance(&b->rand, 20)});
        store_vfs_mem_crash(b->mem);
        store_order_log_close(b->log);
        enum br_err err = open_log(b);
        if (err != BR_OK)
            fail_msg("seed %llu, cycle %u: %s", (unsigned long long)seed, cycle, br_err_text(err));
        check_all(b);
        check_reads(b);
    }
    bench_free(b);
}

static void test_rows_below_the_checkpoint_survive_every_crash_S_5_S_6(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 800; seed++)
        run_seed(seed, false);
}

static void test_the_same_holds_when_operations_fail_before_the_crash(void **state)
{
    (void)state;
    for (uint64_t seed = 50001; seed <= 50800; seed++)
        run_seed(seed, true);
}

static void test_write_failing_at_each_point_leaves_what_was_there(void **state)
{
    (void)state;
    for (unsigned long nth = 1; nth <= 30; nth++)
        for (int lasting = 0; lasting < 2; lasting++) {
            struct bench *b = bench_new(nth, store_vfs_mem_new(nth), "ord", 16);
            add_rows(b, 10);
            assert_int_equal(end_turn(b), BR_OK);
            (lasting ? store_vfs_mem_fail_from : store_vfs_mem_fail_at)(b->mem, STORE_MEM_WRITE, nth, BR_NOSPACE);
            for (unsigned i = 0; i < 20; i++) {
                add_rows(b, 20);
                (void)end_turn(b);
            }
            store_vfs_mem_fail_at(b->mem, STORE_MEM_WRITE, 0, BR_OK);
            check_all(b);
            bench_free(b);
        }
}

static void test_failed_sync_fails_the_log_for_good(void **state)
{
    (void)state;
    struct bench *b = bench_new(1, store_vfs_mem_new(1), "ord", 16);
    add_rows(b, 10);
    assert_int_equal(end_turn(b), BR_OK);
    store_vfs_mem_fail_at(b->mem, STORE_MEM_SYNC, 1, BR_IO);
    struct store_order_sync *s = store_order_log_sync_new(b->log);
    assert_int_equal(store_order_log_sync_run(s), BR_IO);
    store_order_log_sync_free(s);
    struct store_order_row row = {.position = b->next};
    assert_int_equal(store_order_log_add(b->log, &row), BR_FAILED);
    assert_int_equal(store_order_log_write(b->log), BR_FAILED);
    check_all(b); /* still readable */
    bench_free(b);
}

static void sync_and_vouch(struct bench *b)
{
    struct store_order_sync *s = store_order_log_sync_new(b->log);
    assert_int_equal(store_order_log_sync_run(s), BR_OK);
    store_order_log_sync_free(s);
    b->keep = b->next;
    store_order_log_vouch(b->log, b->keep);
}

static enum br_err count_name(void *ctx, const char *name BR_UNUSED)
{
    ++*(unsigned *)ctx;
    return BR_OK;
}

static void test_trimming_everything_leaves_the_last_file_and_few_bytes_S_6(void **state)
{
    (void)state;
    struct bench *b = bench_new(2, store_vfs_mem_new(2), "ord", 100);
    for (unsigned i = 0; i < 25; i++) {
        add_rows(b, 40);
        assert_int_equal(end_turn(b), BR_OK);
    }
    b->dead_below = (uint32_t)b->count;
    b->live_every = 350; /* 0, 350, 700: live ones keep their files, folded */
    for (unsigned i = 0; i < 40; i++) {
        while (store_order_log_trim(b->log, is_dead, b, 64, NULL) > 0)
            ;
        sync_and_vouch(b);
    }
    check_all(b);
    struct store_order_row rows[200];
    unsigned n, files = 0;
    assert_int_equal(store_order_log_read(b->log, 0, rows, BR_COUNT(rows), &n, NULL), BR_OK);
    assert_true(n <= 3 * 3 + 8 + 100);
    assert_true(rows[0].s == 0 && (rows[1].flags & STORE_ORDER_TRIMMED));
    b->live_every = 1000000;
    b->dead_below = (uint32_t)b->count;
    b->rows[0].s = 1; /* the model forgets that 0 was live by its number */
    for (unsigned i = 0; i < 40; i++) {
        while (store_order_log_trim(b->log, is_dead, b, 64, NULL) > 0)
            ;
        sync_and_vouch(b);
    }
    assert_int_equal(b->opts.vfs->ops->list(b->opts.vfs, "ord", count_name, &files), BR_OK);
    assert_true(files <= 11); /* row 0 is live by its number and keeps what follows it */
    bench_free(b);
}

static void test_rot_below_the_checkpoint_is_refused_or_found_by_the_reader(void **state)
{
    (void)state;
    for (unsigned row = 0; row < 40; row++) {
        struct bench *b = bench_new(4, store_vfs_mem_new(4), "ord", 1000);
        add_rows(b, 40);
        assert_int_equal(end_turn(b), BR_OK);
        sync_and_vouch(b);
        const uint64_t end = store_order_log_end(b->log);
        store_order_log_close(b->log);
        struct store_file *f;
        uint8_t byte = 0xee;
        assert_int_equal(store_file_open(b->opts.vfs, "ord/00000000000000000000.order", STORE_OPEN_WRITE, &f), BR_OK);
        assert_int_equal(store_file_write(f, &byte, 1, 4096 + row * 64 + 17), BR_OK);
        store_file_close(f);
        struct br_errbuf eb = {""};
        enum br_err err = store_order_log_open(&b->opts, b->keep, NULL, NULL, &b->log, &eb);
        if (row == 39) { /* the last one: only who knows the end can tell */
            assert_int_equal(err, BR_OK);
            assert_true(store_order_log_end(b->log) < end);
            bench_free(b);
            continue;
        }
        assert_int_equal(err, BR_CORRUPT);
        char want[32];
        snprintf(want, sizeof want, "at byte %u", 4096 + row * 64);
        assert_non_null(strstr(eb.text, want));
        b->log = NULL;
        bench_free(b);
    }
}

static void test_foreign_node_is_refused(void **state)
{
    (void)state;
    struct bench *b = bench_new(5, store_vfs_mem_new(5), "ord", 100);
    add_rows(b, 5);
    assert_int_equal(end_turn(b), BR_OK);
    sync_and_vouch(b);
    store_order_log_close(b->log);
    b->opts.node_id = 4;
    assert_int_equal(open_log(b), BR_INVALID);
    bench_free(b);
}

/* S-14: asks until it is warm; whoever must not wait does not, and gets what one who waits gets. */
static void check_cold_read(struct bench *b, uint64_t p)
{
    struct store_order_row got[97], want[97];
    struct store_range cold;
    unsigned n, want_n, tries = 0;
    enum br_err err;
    cold_disk_chill();
    while ((err = store_order_log_read(b->log, p, got, BR_COUNT(got), &n, &cold)) == BR_COLD) {
        assert_true(++tries < 20);
        store_range_warm(&cold);
        store_range_release(&cold);
    }
    assert_int_equal(err, BR_OK);
    assert_int_equal(cold_disk_waits(), 0);
    assert_int_equal(store_order_log_read(b->log, p, want, BR_COUNT(want), &want_n, NULL), BR_OK);
    assert_int_equal(n, want_n);
    for (unsigned i = 0; i < n; i++)
        assert_true(same(&got[i], &want[i]));
}

static void test_cold_rows_are_warmed_and_nobody_waits(void **state)
{
    (void)state;
    struct store_vfs_mem *mem = store_vfs_mem_new(6);
    cold_disk_begin(store_vfs_mem_vfs(mem));
    struct bench *b = bench_new(6, mem, "ord", 700);
    while (b->count < ROWS_MAX) {
        add_rows(b, 100);
        assert_int_equal(end_turn(b), BR_OK);
    }
    sync_and_vouch(b);
    store_order_log_close(b->log); /* the sparse index is forgotten too */
    assert_int_equal(open_log(b), BR_OK);
    for (unsigned i = 0; i < 200; i++)
        check_cold_read(b, br_rand_below(&b->rand, store_order_log_end(b->log)));
    /* A held file is trimmed away, and another one takes its name. */
    struct store_order_row row;
    struct store_range cold = {0}, held;
    unsigned n;
    cold_disk_chill();
    assert_int_equal(store_order_log_read(b->log, 0, &row, 1, &n, &held), BR_COLD);
    b->dead_below = (uint32_t)b->count;
    b->live_every = 350;
    unsigned warmed = 0;
    for (unsigned passes = 0; passes < 20; passes++) {
        while (store_order_log_trim(b->log, is_dead, b, 64, &cold) > 0 || cold.hold) {
            warmed += cold.hold != NULL;
            store_range_warm(&cold);
            store_range_release(&cold);
        }
        assert_int_equal(cold_disk_waits(), 0);
        sync_and_vouch(b);
    }
    assert_true(warmed > 0);
    check_all(b);
    store_range_warm(&held);
    store_range_release(&held);
    store_order_log_close(b->log);
    b->log = NULL;
    b->mem = NULL;
    bench_free(b);
    cold_disk_end(store_vfs_mem_vfs(mem));
    store_vfs_mem_free(mem);
}

static uint64_t run_trace(uint64_t seed, struct store_vfs_mem *mem, const char *dir)
{
    struct bench *b = bench_new(seed, mem, dir, 50);
    for (unsigned cycle = 0; cycle < 3; cycle++) {
        for (unsigned n = 0; n < 50; n++)
            step(b);
        store_order_log_close(b->log);
        assert_int_equal(open_log(b), BR_OK);
        check_all(b);
    }
    uint64_t sum = store_order_log_end(b->log) * 1000003 + store_order_log_start(b->log) * 31 + b->count;
    bench_free(b);
    return sum;
}

static void test_the_same_trace_gives_the_same_on_the_real_disk(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        char dir[600];
        snprintf(dir, sizeof dir, "%s/ord%u", harness_tmpdir(), (unsigned)seed);
        assert_true(run_trace(seed, store_vfs_mem_new(1), "ord") == run_trace(seed, NULL, dir));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_below_the_checkpoint_survive_every_crash_S_5_S_6),
        cmocka_unit_test(test_the_same_holds_when_operations_fail_before_the_crash),
        cmocka_unit_test(test_write_failing_at_each_point_leaves_what_was_there),
        cmocka_unit_test(test_failed_sync_fails_the_log_for_good),
        cmocka_unit_test(test_trimming_everything_leaves_the_last_file_and_few_bytes_S_6),
        cmocka_unit_test(test_rot_below_the_checkpoint_is_refused_or_found_by_the_reader),
        cmocka_unit_test(test_foreign_node_is_refused),
        cmocka_unit_test(test_cold_rows_are_warmed_and_nobody_waits),
        cmocka_unit_test(test_the_same_trace_gives_the_same_on_the_real_disk),
    };
    return harness_run("storage.order_log", tests, BR_COUNT(tests));
}
