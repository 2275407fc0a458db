/* A log whose files are not in the page cache: who must not wait never does, is told what to warm, and gets the answer of one who waits. */
#include "storage/segment.h"
#include "tests/unit/storage/cold_disk.h"
#include "tests/unit/storage/log_model.h"

#define TRIES_MAX 60u

static struct model m;
static struct store_vfs_mem *mem;

static int open_model(void **state BR_UNUSED)
{
    mem = store_vfs_mem_new(5);
    cold_disk_begin(store_vfs_mem_vfs(mem));
    model_open(&m, store_vfs_mem_vfs(mem), mem, "data", 5);
    return 0;
}

static int close_model(void **state BR_UNUSED)
{
    model_close(&m);
    cold_disk_end(m.vfs);
    store_vfs_mem_free(mem);
    return 0;
}

/* After BR_COLD: what a pool thread does. */
static void warm(struct store_range *cold, unsigned *tries)
{
    assert_non_null(cold->hold);
    assert_true(++*tries < TRIES_MAX);
    store_range_warm(cold);
    store_range_release(cold);
    *cold = (struct store_range){0};
}

/* Nothing is known of sealed segments, and nothing is in the page cache. */
static void forget_all(void)
{
    model_reopen(&m);
    cold_disk_chill();
}

static unsigned ask(struct store_time_query *q)
{
    struct store_range cold = {0};
    unsigned tries = 0;
    enum br_err err;
    while ((err = store_log_ask_time(m.log, q, &cold)) == BR_COLD)
        warm(&cold, &tries);
    assert_int_equal(err, BR_OK);
    return tries;
}

static void check_query(struct store_time_query q)
{
    struct store_time_query waiting = q;
    forget_all();
    ask(&q);
    assert_int_equal(cold_disk_waits(), 0);
    assert_int_equal(store_log_ask_time(m.log, &waiting, NULL), BR_OK);
    assert_int_equal(q.found, waiting.found);
    assert_int_equal(q.offset, waiting.offset);
    assert_int_equal(q.timestamp, waiting.timestamp);
}

static void check_place(int64_t offset)
{
    struct store_range cold = {0};
    struct store_place place;
    const struct model_batch *b = m.batches;
    int64_t base, cut;
    uint64_t position, found;
    unsigned tries = 0;
    enum br_err err;
    while (b->next <= offset)
        b++;
    forget_all();
    while ((err = store_log_find(m.log, offset, &base, &place, &position, &cold)) == BR_COLD)
        warm(&cold, &tries);
    assert_int_equal(err, BR_OK);
    assert_int_equal(base, b->base);
    assert_int_equal(position, b->position);
    cold_disk_chill();
    while ((err = store_log_seek(m.log, position, &cut, &found, &cold)) == BR_COLD)
        warm(&cold, &tries);
    assert_int_equal(err, BR_OK);
    assert_int_equal(cut, BR_MAX(b->base, m.start));
    assert_int_equal(cold_disk_waits(), 0);
    forget_all();
    struct store_range range;
    while ((err = store_log_read(m.log, offset, m.end, 1000, true, &range)) == BR_COLD)
        warm(&range, &tries);
    assert_int_equal(err, BR_OK);
    assert_int_equal(range.first_offset, b->base);
    assert_int_equal(cold_disk_waits(), 0);
    store_range_release(&range);
}

/* S-14. */
static void test_nobody_waits_who_must_not(void **state BR_UNUSED)
{
    for (unsigned i = 0; i < 120; i++) {
        int64_t stamps[4];
        int32_t count = 1 + (int32_t)br_rand_below(&m.rand, 4);
        for (int32_t k = 0; k < count; k++)
            stamps[k] = m.now_ms + (int64_t)br_rand_below(&m.rand, 50) - 25;
        m.now_ms += (int64_t)br_rand_below(&m.rand, 20);
        assert_int_equal(model_append(&m, count, 100, br_rand_chance(&m.rand, 50) ? 4 : 0, stamps, true), BR_OK);
        model_bind(&m, 1);
    }
    model_trim(&m, m.end / 10);
    assert_true(m.batches[0].place.segment_base != m.batches[m.count / 2].place.segment_base);
    for (unsigned i = 0; i < 20; i++) {
        int64_t offset = m.start + (int64_t)br_rand_below(&m.rand, (uint64_t)(m.end - m.start));
        check_place(offset);
        check_query(store_time_query(m.batches[br_rand_below(&m.rand, m.count)].append_ms, i % 2 ? m.end : offset));
        check_query(store_max_time_query(i % 2 ? m.end : offset));
    }
    model_verify(&m);
}

static void test_retention_waits_for_no_head_of_a_segment(void **state BR_UNUSED)
{
    struct store_range cold = {0};
    unsigned tries = 0;
    for (unsigned i = 0; i < 60; i++) {
        assert_int_equal(model_append(&m, 3, 200, 0, NULL, true), BR_OK);
        model_bind(&m, 1);
        m.now_ms += 100;
    }
    m.config.retention_ms = 3000;
    forget_all();
    store_log_set_config(m.log, &m.config);
    int64_t start = store_log_retention_start(m.log, m.now_ms, m.end, &cold);
    while (cold.hold) {
        warm(&cold, &tries);
        start = store_log_retention_start(m.log, m.now_ms, m.end, &cold);
    }
    assert_int_equal(cold_disk_waits(), 0);
    assert_true(tries > 0 && start > 0);
    assert_int_equal(start, store_log_retention_start(m.log, m.now_ms, m.end, NULL));
}

/* What a cold read holds lives as long as the hold. */
static void test_what_is_to_be_warmed_outlives_its_log(void **state BR_UNUSED)
{
    struct store_range cold = {0};
    struct store_time_query q = store_time_query(m.now_ms, 1000);
    for (unsigned i = 0; i < 20; i++) {
        assert_int_equal(model_append(&m, 3, 300, 0, NULL, true), BR_OK);
        model_bind(&m, 1);
    }
    forget_all();
    assert_int_equal(store_log_ask_time(m.log, &q, &cold), BR_COLD);
    assert_int_equal(store_log_delete(m.log), BR_OK);
    model_collect(&m);
    store_log_free(m.log);
    m.log = NULL;
    store_range_warm(&cold);
    store_range_release(&cold);
}

/* ---- a log that cannot be looked through at once ---- */

enum { MANY = 90000, FOUND = MANY - 7 };

/* One segment whose first batch has a large timestamp, so that its index says nothing, and all others small ones; the first is removed. Then a second segment. */
static void append_many(void)
{
    m.config.segment_bytes = 1 << 30;
    store_log_set_config(m.log, &m.config);
    for (int64_t i = 0; i < MANY; i++) {
        assert_int_equal(model_append(&m, 1, 10, 0, (int64_t[]){i == 0 ? 1000 : i == FOUND ? 700 : 5}, true), BR_OK);
        model_bind(&m, 1);
        if (i % 200 == 0)
            assert_int_equal(store_log_flush(m.log), BR_OK);
    }
    m.config.segment_bytes = 100;
    store_log_set_config(m.log, &m.config);
    assert_int_equal(model_append(&m, 1, 10, 0, (int64_t[]){6}, true), BR_OK);
    model_bind(&m, 1);
    assert_int_equal(m.batches[MANY].place.segment_base, MANY);
    model_trim(&m, 1);
}

static void test_work_without_an_index_is_done_in_shares(void **state BR_UNUSED)
{
    append_many();
    forget_all();
    struct store_time_query q = store_time_query(500, m.end);
    struct store_range cold = {0};
    unsigned long most = 0;
    unsigned calls = 0;
    enum br_err err = BR_COLD;
    for (unsigned tries = 0; err == BR_COLD; calls++) {
        unsigned long before = cold_disk_reads();
        err = store_log_ask_time(m.log, &q, &cold);
        most = BR_MAX(most, cold_disk_reads() - before);
        if (err == BR_COLD)
            warm(&cold, &tries);
    }
    assert_int_equal(err, BR_OK);
    assert_true(q.found);
    assert_int_equal(q.offset, FOUND);
    assert_int_equal(cold_disk_waits(), 0);
    assert_true(most <= 2048 + 8);
    /* All is in the page cache now: a call ends because of its share alone. */
    q = store_time_query(500, m.end);
    assert_true(ask(&q) >= 1);
    assert_int_equal(q.offset, FOUND);
    q = store_time_query(2000, m.end); /* ruled out at once */
    assert_int_equal(ask(&q), 0);
    assert_false(q.found);
    q = store_max_time_query(m.end);
    assert_true(ask(&q) >= 1);
    assert_int_equal(q.offset, FOUND);
    /* A sidecar of more than a MiB is warmed where it is searched. */
    assert_true(MANY * STORE_POSITIONS_ROW_BYTES > 1 << 20);
    for (int64_t offset = 1; offset < MANY; offset += MANY / 5)
        check_place(offset);
}

static void test_a_query_goes_on_over_changes_of_the_log(void **state BR_UNUSED)
{
    append_many();
    forget_all();
    struct store_range cold = {0};
    unsigned tries = 0;
    /* The largest so far is found, and then it is removed. */
    struct store_time_query q = store_max_time_query(FOUND);
    while (!q.found) {
        assert_int_equal(store_log_ask_time(m.log, &q, &cold), BR_COLD);
        warm(&cold, &tries);
    }
    assert_int_equal(q.timestamp, 5);
    model_trim(&m, 100);
    ask(&q);
    assert_int_equal(q.offset, 100);
    /* The segment that is being walked is removed, others are appended. */
    q = store_time_query(6, m.end + 1000);
    assert_int_equal(store_log_ask_time(m.log, &q, &cold), BR_COLD);
    warm(&cold, &tries);
    assert_int_equal(model_append(&m, 1, 10, 0, (int64_t[]){9000}, true), BR_OK);
    model_trim(&m, MANY);
    ask(&q);
    assert_int_equal(q.offset, MANY);
    assert_int_equal(q.timestamp, 6);
    /* All of it is removed. */
    q = store_time_query(6, m.end);
    q.limit = m.end;
    model_trim(&m, m.end);
    ask(&q);
    assert_false(q.found);
    assert_int_equal(q.offset, -1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_model, close_model)
    const struct CMUnitTest tests[] = {
        TEST(test_nobody_waits_who_must_not),
        TEST(test_retention_waits_for_no_head_of_a_segment),
        TEST(test_what_is_to_be_warmed_outlives_its_log),
        TEST(test_work_without_an_index_is_done_in_shares),
        TEST(test_a_query_goes_on_over_changes_of_the_log),
    };
    return harness_run("storage.log_cold", tests, BR_COUNT(tests));
}
