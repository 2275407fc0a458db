/* Rows D2 to D7 of the idempotence rules, and that a saved table answers as the one it came from. */
#include "tests/support/harness.h"
#include "compat/base/rand.h"
#include "storage/producer.h"

struct bench {
    struct store_producers p;
    struct store_producer_batch dup;
};

static void apply(struct bench *b, int64_t id, int16_t epoch, int32_t first, int32_t last, int64_t offset)
{
    store_producer_apply(&b->p, id, epoch, first, last, offset, offset + 1000, 5);
    store_producers_check(&b->p);
}

static enum br_err check(struct bench *b, int64_t id, int16_t epoch, int32_t first, int32_t last)
{
    return store_producer_check(&b->p, id, epoch, first, last, false, &b->dup);
}

static void test_any_of_the_last_five_batches_is_a_duplicate_with_its_first_answer(void **state)
{
    (void)state;
    struct bench b = {0};
    for (int i = 0; i < 7; i++)
        apply(&b, 1, 0, i * 10, i * 10 + 9, i * 100);
    for (int i = 2; i < 7; i++) {
        assert_int_equal(check(&b, 1, 0, i * 10, i * 10 + 9), BR_DUPLICATE);
        assert_int_equal(b.dup.base_offset, i * 100);
        assert_int_equal(b.dup.timestamp, i * 100 + 1000);
    }
    assert_int_equal(check(&b, 1, 0, 10, 19), BR_SEQUENCE); /* older than five */
    assert_int_equal(check(&b, 1, 0, 60, 68), BR_SEQUENCE); /* not the same batch */
    store_producers_clear(&b.p);
}

static void test_next_sequence_is_last_plus_one_and_wraps_to_zero(void **state)
{
    (void)state;
    struct bench b = {0};
    apply(&b, 1, 0, 0, 9, 0);
    assert_int_equal(check(&b, 1, 0, 10, 12), BR_OK);
    assert_int_equal(check(&b, 1, 0, 11, 12), BR_SEQUENCE);
    assert_int_equal(check(&b, 1, 0, 9, 12), BR_SEQUENCE);
    apply(&b, 2, 0, INT32_MAX - 4, INT32_MAX, 10);
    assert_int_equal(check(&b, 2, 0, 0, 3), BR_OK);
    assert_int_equal(check(&b, 2, 0, 1, 3), BR_SEQUENCE);
    apply(&b, 3, 0, INT32_MAX - 1, 1, 20); /* a batch may wrap inside */
    assert_int_equal(check(&b, 3, 0, 2, 2), BR_OK);
    assert_int_equal(check(&b, 3, 0, INT32_MAX - 1, 1), BR_DUPLICATE);
    store_producers_clear(&b.p);
}

static void test_lower_epoch_is_fenced_and_a_higher_one_starts_at_zero(void **state)
{
    (void)state;
    struct bench b = {0};
    apply(&b, 1, 5, 0, 9, 0);
    assert_int_equal(check(&b, 1, 4, 10, 19), BR_FENCED);
    assert_int_equal(check(&b, 1, 4, 0, 9), BR_FENCED);
    assert_int_equal(check(&b, 1, 6, 10, 19), BR_SEQUENCE);
    assert_int_equal(check(&b, 1, 6, 0, 9), BR_OK);
    apply(&b, 1, 6, 0, 9, 10);
    assert_int_equal(check(&b, 1, 6, 0, 9), BR_DUPLICATE);
    assert_int_equal(b.dup.base_offset, 10); /* of this epoch, not of the one before */
    assert_int_equal(check(&b, 1, 5, 10, 19), BR_FENCED);
    store_producers_clear(&b.p);
}

static void test_unknown_id_may_start_anywhere_unless_nothing_was_ever_there(void **state)
{
    (void)state;
    struct bench b = {0};
    assert_int_equal(store_producer_check(&b.p, 1, 0, 77, 80, false, &b.dup), BR_OK);
    assert_int_equal(store_producer_check(&b.p, 1, 0, 77, 80, true, &b.dup), BR_SEQUENCE);
    assert_int_equal(store_producer_check(&b.p, 1, 3, 0, 80, true, &b.dup), BR_OK);
    assert_int_equal(br_map_count(&b.p.map), 0); /* asking changes nothing */
}

static void test_ids_expire_by_last_use_a_few_a_call(void **state)
{
    (void)state;
    struct bench b = {0};
    for (int i = 0; i < 10; i++)
        store_producer_apply(&b.p, i, 0, 0, 0, i, -1, 100 * i);
    assert_int_equal(store_producers_expire(&b.p, 1000, 500, 4), 4);
    assert_int_equal(store_producers_expire(&b.p, 1000, 500, 4), 2);
    assert_int_equal(store_producers_expire(&b.p, 1000, 500, 4), 0);
    assert_int_equal(check(&b, 5, 0, 0, 0), BR_OK);        /* forgotten */
    assert_int_equal(check(&b, 6, 0, 0, 0), BR_DUPLICATE); /* 400 ms old */
    store_producers_check(&b.p);
    store_producers_clear(&b.p);
}

static void test_negative_sequence_is_invalid(void **state)
{
    (void)state;
    struct bench b = {0};
    assert_int_equal(check(&b, 1, 0, -1, -1), BR_INVALID);
    apply(&b, 1, 0, 0, 0, 0);
    assert_int_equal(check(&b, 1, 0, -1, 0), BR_INVALID);
    store_producers_clear(&b.p);
}

static void test_saved_table_answers_as_the_live_one(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct br_rand r;
        struct bench live = {0}, loaded = {0};
        struct br_buf buf, again;
        br_rand_init(&r, seed);
        for (int i = 0; i < 200; i++) {
            int32_t first = (int32_t)br_rand_below(&r, 5);
            apply(&live, (int64_t)br_rand_below(&r, 20), (int16_t)br_rand_below(&r, 3), first, first + 1, i);
        }
        br_buf_init(&buf, 1 << 20);
        br_buf_init(&again, 1 << 20);
        store_producers_save(&live.p, &buf);
        struct br_reader in = br_reader(buf.data, buf.len);
        assert_int_equal(store_producers_load(&loaded.p, &in), BR_OK);
        assert_int_equal(br_reader_left(&in), 0);
        store_producers_check(&loaded.p);
        for (int64_t id = 0; id < 20; id++)
            for (int16_t epoch = 0; epoch < 3; epoch++)
                for (int32_t first = 0; first < 6; first++) {
                    enum br_err a = check(&live, id, epoch, first, first + 1), b = check(&loaded, id, epoch, first, first + 1);
                    assert_int_equal(a, b);
                    if (a == BR_DUPLICATE)
                        assert_int_equal(live.dup.base_offset, loaded.dup.base_offset);
                }
        store_producers_save(&loaded.p, &again);
        assert_int_equal(again.len, buf.len);
        assert_memory_equal(again.data, buf.data, buf.len);
        br_buf_clear(&buf);
        br_buf_clear(&again);
        store_producers_clear(&live.p);
        store_producers_clear(&loaded.p);
    }
}

static void test_damaged_table_is_refused_or_still_sound(void **state)
{
    (void)state;
    struct bench live = {0};
    struct br_buf buf;
    for (int i = 0; i < 30; i++)
        apply(&live, i % 4, 0, i, i, i);
    br_buf_init(&buf, 1 << 20);
    store_producers_save(&live.p, &buf);
    store_producers_clear(&live.p);
    for (size_t len = 0; len < buf.len; len++) {
        struct br_reader in = br_reader(buf.data, len);
        assert_int_equal(store_producers_load(&live.p, &in), BR_CORRUPT);
    }
    for (size_t bit = 0; bit < buf.len * 8; bit++) {
        buf.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
        struct br_reader in = br_reader(buf.data, buf.len);
        if (store_producers_load(&live.p, &in) == BR_OK)
            store_producers_check(&live.p);
        store_producers_clear(&live.p);
        buf.data[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    br_buf_clear(&buf);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_of_the_last_five_batches_is_a_duplicate_with_its_first_answer),
        cmocka_unit_test(test_next_sequence_is_last_plus_one_and_wraps_to_zero),
        cmocka_unit_test(test_lower_epoch_is_fenced_and_a_higher_one_starts_at_zero),
        cmocka_unit_test(test_unknown_id_may_start_anywhere_unless_nothing_was_ever_there),
        cmocka_unit_test(test_ids_expire_by_last_use_a_few_a_call),
        cmocka_unit_test(test_negative_sequence_is_invalid),
        cmocka_unit_test(test_saved_table_answers_as_the_live_one),
        cmocka_unit_test(test_damaged_table_is_refused_or_still_sound),
    };
    return harness_run("storage.producer", tests, BR_COUNT(tests));
}
