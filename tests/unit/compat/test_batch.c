/* compat/batch: header, patches, records, builder. Bytes to compare with are written out by hand or were made by another
 * implementation (python3-kafka). */
#include "compat/base/crc32c.h"
#include "tests/support/harness.h"
#include "tests/unit/compat/batch_gen.h"
#include <limits.h>

#define S(text) br_str(text, sizeof(text) - 1)
#define NO_BYTES br_str(NULL, 0)

/* Three records: k=v with headers h=1 and n=null; null key, empty value; empty key, null value. */
static const uint8_t golden[] =
    "\x00\x00\x00\x00\x00\x00\x00\x00"           /* base offset */
    "\x00\x00\x00\x4f\x00\x00\x00\x00\x02"       /* length, leader epoch, magic */
    "\x75\x59\x72\x3d\x00\x00\x00\x00\x00\x02"   /* CRC, attributes, last offset delta */
    "\x00\x00\x01\x8b\xcf\xe5\x68\x00"           /* base timestamp 1700000000000 */
    "\x00\x00\x01\x8b\xcf\xe5\x68\x07"           /* max timestamp, 7 ms later */
    "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" /* producer id, epoch, sequence */
    "\x00\x00\x00\x03"                           /* count */
    "\x1e\x00\x00\x00\x02k\x02v\x04\x02h\x02" "1" "\x02n\x01"
    "\x0c\x00\x0e\x02\x01\x00\x00"
    "\x0c\x00\x01\x04\x00\x01\x00";
#define GOLDEN_SIZE (sizeof golden - 1)

static const char golden_text[] = "0 1700000000000 0 key=6b value=76 header=68 is=31 header=6e is=null\n"
                                  "1 1700000000007 0 key=null value=\n"
                                  "2 1699999999999 0 key= value=null\n";

static void expect_text(const uint8_t *data, size_t len, const char *want)
{
    struct br_buf text;
    br_buf_init(&text, 1 << 20);
    assert_int_equal(gen_print(data, len, &text), BR_OK);
    br_buf_add8(&text, 0);
    assert_string_equal((const char *)text.data, want);
    br_buf_clear(&text);
}

static void test_view_reads_the_golden_header(void **state BR_UNUSED)
{
    struct kw_batch b;
    assert_int_equal(GOLDEN_SIZE, 91);
    assert_int_equal(kw_batch_view(golden, KW_BATCH_HEADER, &b), BR_OK);
    assert_int_equal(b.size, 91);
    assert_int_equal(b.base_offset, 0);
    assert_int_equal(b.leader_epoch, 0);
    assert_int_equal(b.magic, 2);
    assert_int_equal(b.attributes, 0);
    assert_int_equal(b.last_offset_delta, 2);
    assert_int_equal(b.base_timestamp, 1700000000000);
    assert_int_equal(b.max_timestamp, 1700000000007);
    assert_int_equal(b.producer_id, -1);
    assert_int_equal(b.producer_epoch, -1);
    assert_int_equal(b.base_sequence, -1);
    assert_int_equal(b.record_count, 3);
    assert_true(kw_batch_crc_ok(&b));
    assert_false(kw_batch_has_producer(&b));
    expect_text(golden, GOLDEN_SIZE, golden_text);
}

static void test_view_refuses_short_long_and_other_magic(void **state BR_UNUSED)
{
    struct kw_batch b;
    uint8_t copy[GOLDEN_SIZE];
    memcpy(copy, golden, GOLDEN_SIZE);
    for (size_t len = 0; len < KW_BATCH_HEADER; len++)
        assert_int_equal(kw_batch_view(copy, len, &b), BR_EOF);
    static const uint32_t bad[] = {0, 48, INT32_MAX - 11, 0x80000000u, UINT32_MAX};
    for (size_t i = 0; i < BR_COUNT(bad); i++) {
        br_store32(copy + 8, bad[i]);
        assert_int_equal(kw_batch_view(copy, sizeof copy, &b), BR_CORRUPT);
    }
    static const uint32_t good[] = {49, INT32_MAX - 12};
    for (size_t i = 0; i < BR_COUNT(good); i++) {
        br_store32(copy + 8, good[i]);
        assert_int_equal(kw_batch_view(copy, sizeof copy, &b), BR_OK);
        assert_int_equal(b.size, good[i] + 12);
    }
    copy[16] = 1;
    assert_int_equal(kw_batch_view(copy, sizeof copy, &b), BR_UNSUPPORTED);
    assert_int_equal(b.magic, 1);
    assert_int_equal(b.size, INT32_MAX);
}

static void test_patch_stays_outside_the_crc(void **state BR_UNUSED)
{
    struct kw_batch b;
    uint8_t copy[GOLDEN_SIZE];
    memcpy(copy, golden, GOLDEN_SIZE);
    kw_batch_patch(copy, 0x1122334455667788, 77);
    assert_int_equal(kw_batch_view(copy, sizeof copy, &b), BR_OK);
    assert_int_equal(b.base_offset, 0x1122334455667788);
    assert_int_equal(kw_batch_last_offset(&b), 0x112233445566778a);
    assert_int_equal(b.leader_epoch, 77);
    assert_true(kw_batch_crc_ok(&b));
    assert_memory_equal(copy + 16, golden + 16, GOLDEN_SIZE - 16);
    assert_memory_equal(copy + 8, golden + 8, 4);
}

static void test_append_time_rules_every_record(void **state BR_UNUSED)
{
    struct kw_batch b;
    uint8_t copy[GOLDEN_SIZE];
    memcpy(copy, golden, GOLDEN_SIZE);
    kw_batch_set_append_time(copy, sizeof copy, 42);
    assert_int_equal(kw_batch_view(copy, sizeof copy, &b), BR_OK);
    assert_true(kw_batch_crc_ok(&b));
    assert_int_equal(b.attributes, KW_BATCH_LOG_APPEND_TIME);
    assert_int_equal(b.max_timestamp, 42);
    assert_int_equal(b.base_timestamp, 1700000000000);
    expect_text(copy, sizeof copy,
                "0 42 0 key=6b value=76 header=68 is=31 header=6e is=null\n"
                "1 42 0 key=null value=\n"
                "2 42 0 key= value=null\n");
}

static void test_max_timestamp_can_be_repaired(void **state BR_UNUSED)
{
    struct kw_batch b;
    uint8_t copy[GOLDEN_SIZE];
    memcpy(copy, golden, GOLDEN_SIZE);
    kw_batch_set_max_timestamp(copy, sizeof copy, 5);
    assert_int_equal(kw_batch_view(copy, sizeof copy, &b), BR_OK);
    assert_true(kw_batch_crc_ok(&b));
    assert_int_equal(b.max_timestamp, 5);
    kw_batch_set_max_timestamp(copy, sizeof copy, 1700000000007);
    assert_memory_equal(copy, golden, GOLDEN_SIZE);
}

static void build_golden(struct br_buf *out, uint32_t *size)
{
    struct kw_batch_builder b;
    struct kw_header headers[] = {{S("n"), NO_BYTES}};
    kw_batch_builder_init(&b, out, 0, 1700000000000, 0);
    kw_batch_builder_add(&b, 0, 1700000000000, S("k"), S("v"), S("\x02h\x02" "1"), 1, headers, 1);
    kw_batch_builder_add(&b, 1, 1700000000007, NO_BYTES, S(""), NO_BYTES, 0, NULL, 0);
    kw_batch_builder_add(&b, 2, 1699999999999, S(""), NO_BYTES, NO_BYTES, 0, NULL, 0);
    assert_int_equal(kw_batch_builder_size(&b), GOLDEN_SIZE);
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, size), BR_OK);
}

static void test_builder_writes_the_golden_bytes(void **state BR_UNUSED)
{
    struct br_buf out;
    uint32_t size;
    br_buf_init(&out, 1000);
    br_buf_add(&out, "before", 6);
    build_golden(&out, &size);
    assert_int_equal(size, GOLDEN_SIZE);
    assert_int_equal(out.len, 6 + GOLDEN_SIZE);
    assert_memory_equal(out.data, "before", 6);
    kw_batch_patch(out.data + 6, 0, 0); /* the golden one has leader epoch 0, ours starts with -1 */
    assert_memory_equal(out.data + 6, golden, GOLDEN_SIZE);
    br_buf_clear(&out);
}

static void test_builder_compresses_with_every_codec(void **state BR_UNUSED)
{
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct br_buf out;
        struct br_rand r;
        struct kw_batch b;
        struct br_buf plain_text, text;
        int64_t max;
        int32_t delta;
        struct gen_rules rules = {.record_count = 200, .value_max = 3000, .base_timestamp = 1700000000000};
        br_buf_init(&out, 64 << 20);
        br_buf_init(&plain_text, 64 << 20);
        br_buf_init(&text, 64 << 20);
        br_rand_init(&r, 5);
        uint32_t plain_size = gen_batch(&out, &r, &rules, &max, &delta);
        assert_int_equal(gen_print(out.data, plain_size, &plain_text), BR_OK);
        br_rand_init(&r, 5);
        rules.codec = codec;
        uint32_t size = gen_batch(&out, &r, &rules, &max, &delta);
        assert_int_equal(out.len, plain_size + size);
        assert_int_equal(kw_batch_view(out.data + plain_size, size, &b), BR_OK);
        assert_int_equal(kw_batch_codec(&b), codec);
        assert_true(kw_batch_crc_ok(&b));
        assert_true(codec == 0 ? size == plain_size : size < plain_size);
        assert_int_equal(gen_print(out.data + plain_size, size, &text), BR_OK);
        assert_int_equal(text.len, plain_text.len);
        assert_memory_equal(text.data, plain_text.data, text.len);
        br_buf_clear(&out);
        br_buf_clear(&plain_text);
        br_buf_clear(&text);
    }
}

static void test_builder_keeps_gaps_and_producer(void **state BR_UNUSED)
{
    struct br_buf out;
    struct kw_batch_builder b;
    struct kw_batch v;
    uint32_t size;
    br_buf_init(&out, 1000);
    kw_batch_builder_init(&b, &out, 100, 50, KW_BATCH_TRANSACTIONAL);
    kw_batch_builder_add(&b, 103, 60, S("a"), S("b"), NO_BYTES, 0, NULL, 0);
    kw_batch_builder_add(&b, 110, 55, S("c"), S("d"), NO_BYTES, 0, NULL, 0);
    kw_batch_builder_cover(&b, 120);
    b.producer_id = 9;
    b.producer_epoch = 3;
    b.base_sequence = 7;
    b.leader_epoch = 4;
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size), BR_OK);
    assert_int_equal(kw_batch_view(out.data, size, &v), BR_OK);
    assert_int_equal(v.base_offset, 100);
    assert_int_equal(kw_batch_last_offset(&v), 120);
    assert_int_equal(v.record_count, 2);
    assert_int_equal(v.max_timestamp, 60);
    assert_int_equal(v.producer_id, 9);
    assert_int_equal(v.producer_epoch, 3);
    assert_int_equal(v.base_sequence, 7);
    assert_int_equal(v.leader_epoch, 4);
    expect_text(out.data, size, "103 60 0 key=61 value=62\n110 55 0 key=63 value=64\n");
    br_buf_clear(&out);
}

static void test_builder_says_when_the_limit_is_met(void **state BR_UNUSED)
{
    for (size_t limit = 0; limit <= GOLDEN_SIZE; limit++) {
        struct br_buf out;
        struct kw_batch_builder b;
        uint32_t size;
        br_buf_init(&out, limit);
        kw_batch_builder_init(&b, &out, 0, 0, 0);
        kw_batch_builder_add(&b, 0, 0, S("a"), S("12345678901234567890123"), NO_BYTES, 0, NULL, 0);
        assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size),
                         limit < KW_BATCH_HEADER + 31 ? BR_TOO_LARGE : BR_OK);
        br_buf_clear(&out);
    }
}

static void test_builder_refuses_what_a_batch_cannot_say(void **state BR_UNUSED)
{
    struct br_buf out;
    struct kw_batch_builder b;
    uint32_t size;
    br_buf_init(&out, 1000);
    kw_batch_builder_init(&b, &out, 5, 0, 0);
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size), BR_RANGE);
    kw_batch_builder_init(&b, &out, 5, 0, 0);
    kw_batch_builder_add(&b, 5, 0, S("a"), S("b"), NO_BYTES, 0, NULL, 0);
    kw_batch_builder_cover(&b, 5 + (int64_t)INT32_MAX + 1);
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size), BR_RANGE);
    kw_batch_builder_cover(&b, 5 + (int64_t)INT32_MAX + 2);
    b.last_offset = 5 + (int64_t)INT32_MAX;
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size), BR_OK);
    br_buf_clear(&out);
}

static void test_builder_leaves_an_empty_batch_as_the_cleaner_does(void **state BR_UNUSED)
{
    struct br_buf out;
    struct kw_batch_builder b;
    struct kw_batch v;
    uint32_t size;
    br_buf_init(&out, 1000);
    kw_batch_builder_init(&b, &out, 5, -1, 0);
    b.producer_id = 4;
    b.producer_epoch = 0;
    b.base_sequence = 11;
    kw_batch_builder_cover(&b, 9);
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_ZSTD, 3, &size), BR_OK);
    assert_int_equal(size, KW_BATCH_HEADER);
    assert_int_equal(kw_batch_view(out.data, size, &v), BR_OK);
    assert_int_equal(v.attributes, 0);
    assert_int_equal(v.record_count, 0);
    assert_int_equal(kw_batch_last_offset(&v), 9);
    assert_int_equal(v.max_timestamp, -1);
    br_buf_clear(&out);
}

static void test_commit_marker_is_kafkas(void **state BR_UNUSED)
{
    struct br_buf out;
    struct kw_batch b;
    br_buf_init(&out, 1000);
    assert_int_equal(kw_control_batch(&out, 10, 10, 1000, KW_CONTROL_COMMIT, 7, 2, S("\0\0\0\0\0\5")), BR_OK);
    assert_int_equal(kw_batch_view(out.data, out.len, &b), BR_OK);
    assert_int_equal(b.size, out.len);
    assert_true(kw_batch_crc_ok(&b));
    assert_true(kw_batch_is_control(&b));
    assert_int_equal(b.attributes, KW_BATCH_CONTROL | KW_BATCH_TRANSACTIONAL);
    assert_int_equal(b.producer_id, 7);
    assert_int_equal(b.producer_epoch, 2);
    assert_int_equal(b.base_sequence, -1);
    assert_int_equal(b.record_count, 1);
    assert_int_equal(b.size, 78); /* Kafka's documented size of an end transaction marker */
    expect_text(out.data, out.len, "10 1000 0 key=00000001 value=000000000005\n");
    br_buf_clear(&out);
}

static void test_gap_batch_covers_the_gap(void **state BR_UNUSED)
{
    struct br_buf out, small;
    struct kw_batch b;
    br_buf_init(&out, 1000);
    assert_int_equal(kw_control_batch(&out, 10, 5000, 1000, KW_CONTROL_GAP, -1, -1, NO_BYTES), BR_OK);
    assert_int_equal(kw_batch_view(out.data, out.len, &b), BR_OK);
    assert_int_equal(b.attributes, KW_BATCH_CONTROL);
    assert_int_equal(b.base_offset, 10);
    assert_int_equal(b.last_offset_delta, 4990);
    assert_false(kw_batch_has_producer(&b));
    expect_text(out.data, out.len, "10 1000 0 key=00007fff value=\n");
    br_buf_init(&small, 70);
    br_buf_add(&small, "x", 1);
    assert_int_equal(kw_control_batch(&small, 10, 10, 1000, KW_CONTROL_GAP, -1, -1, NO_BYTES), BR_TOO_LARGE);
    assert_int_equal(small.len, 1);
    br_buf_clear(&out);
    br_buf_clear(&small);
}

static void test_recompress_changes_nothing_but_the_packing(void **state BR_UNUSED)
{
    struct br_rand r;
    struct br_buf first, second, first_text, second_text;
    int64_t max;
    int32_t delta;
    br_rand_init(&r, 9);
    for (int from = 0; from < KW_CODEC_COUNT; from++)
        for (int to = 0; to < KW_CODEC_COUNT; to++) {
            struct kw_batch a, b;
            struct gen_rules rules = {
                .record_count = 50, .value_max = 4000, .codec = from, .base_timestamp = 1700000000000};
            br_buf_init(&first, 1 << 20);
            br_buf_init(&second, 1 << 20);
            br_buf_init(&first_text, 1 << 22);
            br_buf_init(&second_text, 1 << 22);
            gen_batch(&first, &r, &rules, &max, &delta);
            kw_batch_patch(first.data, 1234, 5);
            assert_int_equal(kw_batch_view(first.data, first.len, &a), BR_OK);
            br_buf_add(&second, "before", 6);
            assert_int_equal(kw_batch_recompress(&a, to, INT_MIN, 1 << 20, &second), BR_OK);
            assert_int_equal(kw_batch_view(second.data + 6, second.len - 6, &b), BR_OK);
            assert_int_equal(b.size, second.len - 6);
            assert_true(kw_batch_crc_ok(&b));
            assert_int_equal(kw_batch_codec(&b), to);
            assert_int_equal(b.base_offset, 1234);
            assert_int_equal(b.leader_epoch, 5);
            assert_memory_equal(b.data + 23, a.data + 23, KW_BATCH_HEADER - 23);
            assert_int_equal(gen_print(first.data, first.len, &first_text), BR_OK);
            assert_int_equal(gen_print(second.data + 6, second.len - 6, &second_text), BR_OK);
            assert_int_equal(first_text.len, second_text.len);
            assert_memory_equal(first_text.data, second_text.data, first_text.len);
            br_buf_clear(&first);
            br_buf_clear(&second);
            br_buf_clear(&first_text);
            br_buf_clear(&second_text);
        }
}

static void test_recompress_keeps_its_limits(void **state BR_UNUSED)
{
    struct br_rand r;
    struct br_buf first, second;
    struct kw_batch a;
    int64_t max;
    int32_t delta;
    struct gen_rules rules = {.record_count = 50, .value_max = 4000, .codec = KW_CODEC_LZ4, .base_timestamp = 1};
    br_rand_init(&r, 9);
    br_buf_init(&first, 1 << 20);
    gen_batch(&first, &r, &rules, &max, &delta);
    assert_int_equal(kw_batch_view(first.data, first.len, &a), BR_OK);
    for (size_t limit = 0; limit < 2000; limit += 50) {
        br_buf_init(&second, limit);
        assert_int_equal(kw_batch_recompress(&a, KW_CODEC_NONE, INT_MIN, 1 << 20, &second), BR_TOO_LARGE);
        assert_int_equal(second.len, 0);
        br_buf_clear(&second);
    }
    br_buf_init(&second, 1 << 20);
    assert_int_equal(kw_batch_recompress(&a, KW_CODEC_ZSTD, INT_MIN, 1000, &second), BR_TOO_LARGE);
    assert_int_equal(second.len, 0);
    br_buf_clear(&first);
    br_buf_clear(&second);
}

static void test_iteration_stops_for_good_at_damage(void **state BR_UNUSED)
{
    uint8_t copy[GOLDEN_SIZE];
    struct kw_batch b;
    struct kw_record_iter it;
    struct kw_record r;
    memcpy(copy, golden, GOLDEN_SIZE);
    copy[KW_BATCH_HEADER + 16] = 0x0e; /* second record: one byte longer than it is */
    assert_int_equal(kw_batch_view(copy, sizeof copy, &b), BR_OK);
    kw_record_iter_init(&it, &b, copy + KW_BATCH_HEADER, sizeof copy - KW_BATCH_HEADER);
    assert_int_equal(kw_record_next(&it, &r), BR_OK);
    assert_int_equal(kw_record_next(&it, &r), BR_CORRUPT);
    assert_int_equal(kw_record_next(&it, &r), BR_CORRUPT);
    for (size_t len = 0; len < GOLDEN_SIZE - KW_BATCH_HEADER; len++) {
        enum br_err err;
        assert_int_equal(kw_batch_view(golden, GOLDEN_SIZE, &b), BR_OK);
        kw_record_iter_init(&it, &b, golden + KW_BATCH_HEADER, len);
        do
            err = kw_record_next(&it, &r);
        while (err == BR_OK);
        assert_int_equal(err, BR_CORRUPT);
    }
    b.record_count = 2; /* bytes left over */
    kw_record_iter_init(&it, &b, golden + KW_BATCH_HEADER, GOLDEN_SIZE - KW_BATCH_HEADER);
    assert_int_equal(kw_record_next(&it, &r), BR_OK);
    assert_int_equal(kw_record_next(&it, &r), BR_OK);
    assert_int_equal(kw_record_next(&it, &r), BR_CORRUPT);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_view_reads_the_golden_header),
    cmocka_unit_test(test_view_refuses_short_long_and_other_magic),
    cmocka_unit_test(test_patch_stays_outside_the_crc),
    cmocka_unit_test(test_append_time_rules_every_record),
    cmocka_unit_test(test_max_timestamp_can_be_repaired),
    cmocka_unit_test(test_builder_writes_the_golden_bytes),
    cmocka_unit_test(test_builder_compresses_with_every_codec),
    cmocka_unit_test(test_builder_keeps_gaps_and_producer),
    cmocka_unit_test(test_builder_says_when_the_limit_is_met),
    cmocka_unit_test(test_builder_refuses_what_a_batch_cannot_say),
    cmocka_unit_test(test_builder_leaves_an_empty_batch_as_the_cleaner_does),
    cmocka_unit_test(test_commit_marker_is_kafkas),
    cmocka_unit_test(test_gap_batch_covers_the_gap),
    cmocka_unit_test(test_recompress_changes_nothing_but_the_packing),
    cmocka_unit_test(test_recompress_keeps_its_limits),
    cmocka_unit_test(test_iteration_stops_for_good_at_damage),
};

HARNESS_MAIN("batch", tests)
