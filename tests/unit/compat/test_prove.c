/* The prover against itself and against damage: pieces of any size give one answer, and what passes can be walked. */
#include "compat/batch/prove.h"
#include "tests/support/harness.h"
#include "tests/unit/compat/batch_gen.h"

#define MAX ((size_t)64 << 20)
#define NOW 1700000000000

struct answer {
    enum kw_error error;
    int32_t record_index;
    const char *message;
    int64_t max_timestamp;
    int32_t max_timestamp_delta;
};

/* piece 0: sizes drawn from r. */
static struct answer prove_in_pieces(const struct kw_batch *b, const struct kw_batch_rules *rules, const uint8_t *data,
                                     size_t len, size_t piece, struct br_rand *r)
{
    struct kw_prover p;
    bool is_good = true;
    kw_prover_init(&p, b, rules);
    for (size_t at = 0; at < len && is_good;) {
        size_t part = piece ? piece : (size_t)br_rand_below(r, 50);
        part = BR_MIN(len - at, part);
        is_good = kw_prover_feed(&p, data + at, part);
        at += part;
    }
    is_good = kw_prover_end(&p);
    assert_int_equal(is_good, p.error == KW_NONE);
    return (struct answer){p.error, p.record_index, p.message, p.max_timestamp, p.max_timestamp_delta};
}

static void expect_same(struct answer a, struct answer b)
{
    assert_int_equal(a.error, b.error);
    assert_int_equal(a.record_index, b.record_index);
    assert_ptr_equal(a.message, b.message);
    assert_int_equal(a.max_timestamp, b.max_timestamp);
    assert_int_equal(a.max_timestamp_delta, b.max_timestamp_delta);
}

static void test_pieces_of_any_size_give_one_answer(void **state BR_UNUSED)
{
    static const size_t pieces[] = {1, 2, 3, 7, 64, 1000, 0};
    struct br_rand r;
    struct kw_batch_rules rules = gen_lenient_rules();
    int refused = 0, passed = 0;
    br_rand_init(&r, 11);
    rules.before_max_ms = 990;
    rules.after_max_ms = 990;
    for (int round = 0; round < 400; round++) {
        struct br_buf out;
        struct kw_batch b;
        int64_t max;
        int32_t delta;
        struct gen_rules gen = {.record_count = 1 + (int32_t)br_rand_below(&r, 20), .value_max = 400,
                                .has_keys = round % 2, .base_timestamp = NOW};
        br_buf_init(&out, MAX);
        gen_batch(&out, &r, &gen, &max, &delta);
        assert_int_equal(kw_batch_view(out.data, out.len, &b), BR_OK);
        rules.need_keys = round % 4 == 0;
        for (int damage = 0; damage < 10; damage++) {
            uint8_t *records = out.data + KW_BATCH_HEADER;
            size_t len = out.len - KW_BATCH_HEADER;
            if (damage > 0)
                records[br_rand_below(&r, len)] ^= (uint8_t)(1u << br_rand_below(&r, 8));
            if (damage == 9)
                len = (size_t)br_rand_below(&r, len);
            struct answer whole = prove_in_pieces(&b, &rules, records, len, len ? len : 1, &r);
            for (size_t i = 0; i < BR_COUNT(pieces); i++)
                expect_same(whole, prove_in_pieces(&b, &rules, records, len, pieces[i], &r));
            whole.error == KW_NONE ? passed++ : refused++;
        }
        br_buf_clear(&out);
    }
    assert_true(passed > 100 && refused > 1000);
}

static void test_no_bytes_are_too_few_records(void **state BR_UNUSED)
{
    struct kw_batch b = {.record_count = 1};
    struct kw_batch_rules rules = gen_lenient_rules();
    struct kw_prover p;
    kw_prover_init(&p, &b, &rules);
    assert_true(kw_prover_feed(&p, NULL, 0));
    assert_false(kw_prover_end(&p));
    assert_int_equal(p.error, KW_INVALID_RECORD);
}

static void test_random_batches_pass_and_read_back_in_every_codec(void **state BR_UNUSED)
{
    struct br_rand r;
    struct kw_batch_rules rules = gen_lenient_rules();
    br_rand_init(&r, 3);
    for (int round = 0; round < 100; round++) {
        struct br_buf out, text, plain_text;
        struct kw_batch_verdict v;
        int64_t max;
        int32_t delta;
        /* one in ten is larger than a piece */
        struct gen_rules gen = {.record_count = 1 + (int32_t)br_rand_below(&r, 40),
                                .value_max = round % 10 == 0 ? 100000 : 1000, .has_keys = true, .base_timestamp = NOW};
        struct br_rand again = r;
        br_buf_init(&plain_text, MAX);
        for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
            r = again; /* the same records */
            gen.codec = codec;
            br_buf_init(&out, MAX);
            br_buf_init(&text, MAX);
            uint32_t size = gen_batch(&out, &r, &gen, &max, &delta);
            rules.need_keys = true;
            kw_batch_validate(out.data, size, &rules, &v);
            assert_int_equal(v.error, KW_NONE);
            assert_int_equal(v.batch.record_count, gen.record_count);
            assert_int_equal(v.batch.max_timestamp, max);
            assert_int_equal(v.max_timestamp, max);
            assert_int_equal(v.max_timestamp_delta, delta);
            assert_int_equal(gen_print(out.data, size, codec ? &text : &plain_text), BR_OK);
            if (codec) {
                assert_int_equal(text.len, plain_text.len);
                assert_memory_equal(text.data, plain_text.data, text.len);
            }
            br_buf_clear(&out);
            br_buf_clear(&text);
        }
        br_buf_clear(&plain_text);
    }
}

/* Where a changed byte must lead. */
static enum kw_error expected(size_t at)
{
    if (at >= 12 && at < 16) /* leader epoch: the broker's own, outside the CRC */
        return KW_NONE;
    return at < 17 ? KW_INVALID_RECORD : KW_CORRUPT_MESSAGE;
}

static void test_every_changed_byte_is_found_or_outside_the_crc(void **state BR_UNUSED)
{
    static const int masks[] = {1, 2, 4, 8, 16, 32, 64, 128, 255, 0x0f, 0xf0};
    struct br_rand r;
    struct kw_batch_rules rules = gen_lenient_rules();
    br_rand_init(&r, 8);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct br_buf out;
        struct kw_batch_verdict v;
        int64_t max;
        int32_t delta;
        struct gen_rules gen = {.record_count = 5, .value_max = 60, .codec = codec, .base_timestamp = NOW};
        br_buf_init(&out, MAX);
        gen_batch(&out, &r, &gen, &max, &delta);
        for (size_t at = 0; at < out.len; at++)
            for (size_t i = 0; i < BR_COUNT(masks); i++) {
                out.data[at] ^= (uint8_t)masks[i];
                kw_batch_validate(out.data, out.len, &rules, &v);
                assert_int_equal(v.error, expected(at));
                out.data[at] ^= (uint8_t)masks[i];
            }
        br_buf_clear(&out);
    }
}

static void test_every_truncation_is_refused(void **state BR_UNUSED)
{
    struct br_rand r;
    struct kw_batch_rules rules = gen_lenient_rules();
    br_rand_init(&r, 9);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct br_buf out;
        struct kw_batch_verdict v;
        int64_t max;
        int32_t delta;
        struct gen_rules gen = {.record_count = 20, .value_max = 200, .codec = codec, .base_timestamp = NOW};
        br_buf_init(&out, MAX);
        gen_batch(&out, &r, &gen, &max, &delta);
        for (size_t len = 0; len < out.len; len++) {
            kw_batch_validate(out.data, len, &rules, &v);
            assert_int_equal(v.error, KW_INVALID_RECORD);
        }
        br_buf_clear(&out);
    }
}

/* Changes bytes behind a right CRC. What then passes must be a batch that can be walked to its end. */
static void test_garbage_behind_a_right_crc_is_refused_or_harmless(void **state BR_UNUSED)
{
    struct br_rand r;
    struct kw_batch_rules rules = gen_lenient_rules();
    rules.inflated_bytes_max = 1 << 20;
    br_rand_init(&r, 10);
    int passed = 0, refused = 0;
    for (int round = 0; round < 4000; round++) {
        struct br_buf out, text;
        struct kw_batch_verdict v;
        int64_t max;
        int32_t delta;
        struct gen_rules gen = {.record_count = 1 + (int32_t)br_rand_below(&r, 10), .value_max = 100,
                                .codec = round % KW_CODEC_COUNT, .base_timestamp = NOW};
        br_buf_init(&out, MAX);
        br_buf_init(&text, MAX);
        uint32_t size = gen_batch(&out, &r, &gen, &max, &delta);
        for (uint64_t n = 1 + br_rand_below(&r, 4); n > 0; n--)
            out.data[21 + br_rand_below(&r, size - 21)] = (uint8_t)br_rand_u64(&r);
        if (br_rand_chance(&r, 10))
            for (uint32_t at = KW_BATCH_HEADER; at < size; at++)
                out.data[at] = (uint8_t)br_rand_u64(&r);
        kw_batch_seal(out.data, size);
        kw_batch_validate(out.data, size, &rules, &v);
        assert_int_not_equal(v.error, KW_CORRUPT_MESSAGE);
        if (v.error == KW_NONE) {
            assert_int_equal(gen_print(out.data, size, &text), BR_OK);
            passed++;
        } else {
            refused++;
        }
        br_buf_clear(&out);
        br_buf_clear(&text);
    }
    assert_true(passed > 100 && refused > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_pieces_of_any_size_give_one_answer),
    cmocka_unit_test(test_no_bytes_are_too_few_records),
    cmocka_unit_test(test_random_batches_pass_and_read_back_in_every_codec),
    cmocka_unit_test(test_every_changed_byte_is_found_or_outside_the_crc),
    cmocka_unit_test(test_every_truncation_is_refused),
    cmocka_unit_test(test_garbage_behind_a_right_crc_is_refused_or_harmless),
};

HARNESS_MAIN("prove", tests)
