/* compat/batch/validate: each row of what Produce refuses, with its code, record and order; and that nothing else passes. */
#include "compat/base/mem.h"
#include "compat/batch/prove.h"
#include "tests/support/harness.h"
#include "tests/unit/compat/batch_gen.h"
#include <limits.h>

#define S(text) br_str(text, sizeof(text) - 1)
#define NO_BYTES br_str(NULL, 0)
#define NOW 1700000000000

/* A batch made field by field, so that each can be wrong. */
struct maker {
    struct kw_batch header;
    struct br_buf records, bytes;
    struct kw_batch_rules rules;
    struct kw_batch_verdict verdict;
};

static void maker_init(struct maker *m)
{
    *m = (struct maker){
        .header = {.base_timestamp = NOW, .max_timestamp = NOW, .producer_id = -1, .producer_epoch = -1,
                   .base_sequence = -1, .leader_epoch = -1, .record_count = 1},
        .rules = gen_lenient_rules(),
    };
    br_buf_init(&m->records, 64 << 20);
    br_buf_init(&m->bytes, 64 << 20);
}

static void maker_clear(struct maker *m)
{
    br_buf_clear(&m->records);
    br_buf_clear(&m->bytes);
}

/* A record with these fields, no headers. */
static void maker_record(struct maker *m, int64_t timestamp_delta, int32_t offset_delta, struct br_str key,
                         struct br_str value)
{
    struct br_buf body;
    br_buf_init(&body, 1 << 20);
    br_buf_add8(&body, 0);
    br_buf_add_varlong(&body, timestamp_delta);
    br_buf_add_varint(&body, offset_delta);
    br_buf_add_varint(&body, br_str_is_null(key) ? -1 : (int32_t)key.len);
    br_buf_add(&body, key.data, key.len);
    br_buf_add_varint(&body, br_str_is_null(value) ? -1 : (int32_t)value.len);
    br_buf_add(&body, value.data, value.len);
    br_buf_add_varint(&body, 0);
    br_buf_add_varint(&m->records, (int32_t)body.len);
    br_buf_add(&m->records, body.data, body.len);
    br_buf_clear(&body);
}

/* Packs, writes the header, seals. */
static void maker_build(struct maker *m)
{
    br_buf_reset(&m->bytes);
    assert_non_null(br_buf_room(&m->bytes, KW_BATCH_HEADER));
    m->bytes.len = KW_BATCH_HEADER;
    int codec = m->header.attributes & KW_BATCH_CODEC_MASK;
    assert_int_equal(kw_zip_deflate(codec < KW_CODEC_COUNT ? codec : 0, INT_MIN, m->records.data, m->records.len, &m->bytes),
                     BR_OK);
    m->header.size = (uint32_t)m->bytes.len;
    kw_batch_write_header(m->bytes.data, &m->header);
}

static enum kw_error judge_bytes(struct maker *m, const uint8_t *data, size_t len)
{
    kw_batch_validate(data, len, &m->rules, &m->verdict);
    if (m->verdict.error == KW_NONE) {
        assert_null(m->verdict.message);
        assert_int_equal(m->verdict.record_index, -1);
    } else {
        assert_non_null(m->verdict.message);
    }
    return m->verdict.error;
}

static enum kw_error judge(struct maker *m)
{
    maker_build(m);
    return judge_bytes(m, m->bytes.data, m->bytes.len);
}

/* One good record. */
static void maker_good(struct maker *m)
{
    maker_init(m);
    maker_record(m, 0, 0, S("key"), S("value"));
}

static void test_good_batch_passes_in_every_codec(void **state BR_UNUSED)
{
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct maker m;
        maker_good(&m);
        m.header.attributes = (int16_t)codec;
        assert_int_equal(judge(&m), KW_NONE);
        assert_int_equal(m.verdict.batch.size, m.bytes.len);
        assert_int_equal(m.verdict.batch.record_count, 1);
        assert_ptr_equal(m.verdict.batch.data, m.bytes.data);
        assert_int_equal(m.verdict.max_timestamp, NOW);
        maker_clear(&m);
    }
}

static void test_no_batch_is_refused(void **state BR_UNUSED)
{
    struct maker m;
    maker_init(&m);
    assert_int_equal(judge_bytes(&m, NULL, 0), KW_INVALID_RECORD);
    maker_clear(&m);
}

static void test_two_batches_are_refused(void **state BR_UNUSED)
{
    struct maker m;
    struct br_buf twice;
    maker_good(&m);
    maker_build(&m);
    br_buf_init(&twice, 1000);
    br_buf_add(&twice, m.bytes.data, m.bytes.len);
    br_buf_add(&twice, m.bytes.data, m.bytes.len);
    assert_int_equal(judge_bytes(&m, twice.data, twice.len), KW_INVALID_RECORD);
    assert_int_equal(judge_bytes(&m, twice.data, m.bytes.len + 1), KW_INVALID_RECORD);
    assert_int_equal(judge_bytes(&m, twice.data, m.bytes.len), KW_NONE);
    br_buf_clear(&twice);
    maker_clear(&m);
}

static void test_other_magic_is_refused(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    maker_build(&m);
    for (int magic = 0; magic < 256; magic++) {
        m.bytes.data[16] = (uint8_t)magic;
        assert_int_equal(judge_bytes(&m, m.bytes.data, m.bytes.len), magic == 2 ? KW_NONE : KW_INVALID_RECORD);
    }
    maker_clear(&m);
}

/* Whole messages of the old formats, shorter than our header: key null, value "x". */
static void test_old_formats_are_told_apart_and_refused(void **state BR_UNUSED)
{
    static const uint8_t v0[] = "\0\0\0\0\0\0\0\0\0\0\0\x0f\x12\x34\x56\x78\0\0\xff\xff\xff\xff\0\0\0\1x";
    static const uint8_t v1[] = "\0\0\0\0\0\0\0\0\0\0\0\x17\x12\x34\x56\x78\1\0\0\0\1\x8b\xcf\xe5\x68\0\xff\xff\xff\xff\0\0\0\1x";
    struct maker m;
    maker_init(&m);
    assert_int_equal(judge_bytes(&m, v0, sizeof v0 - 1), KW_INVALID_RECORD);
    assert_non_null(strstr(m.verdict.message, "formats 0 and 1"));
    assert_int_equal(judge_bytes(&m, v1, sizeof v1 - 1), KW_INVALID_RECORD);
    assert_non_null(strstr(m.verdict.message, "formats 0 and 1"));
    maker_clear(&m);
}

static void test_base_offset_must_be_zero(void **state BR_UNUSED)
{
    static const int64_t bad[] = {1, -1, INT64_MAX, INT64_MIN};
    struct maker m;
    maker_good(&m);
    for (size_t i = 0; i < BR_COUNT(bad); i++) {
        m.header.base_offset = bad[i];
        assert_int_equal(judge(&m), KW_INVALID_RECORD);
    }
    maker_clear(&m);
}

static void test_length_must_match_the_bytes(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    maker_build(&m);
    uint32_t good = br_load32(m.bytes.data + 8);
    const uint32_t bad[] = {0, 48, 49, good - 1, good + 1, INT32_MAX - 12, INT32_MAX, 0x80000000u, UINT32_MAX};
    for (size_t i = 0; i < BR_COUNT(bad); i++) {
        br_store32(m.bytes.data + 8, bad[i]);
        assert_int_equal(judge_bytes(&m, m.bytes.data, m.bytes.len), KW_INVALID_RECORD);
    }
    maker_clear(&m);
}

static void test_checksum_is_checked_before_what_it_covers(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    m.header.attributes = KW_BATCH_CONTROL | 7; /* would be refused by two other rows */
    m.header.record_count = -5;
    maker_build(&m);
    m.bytes.data[m.bytes.len - 1] ^= 1;
    assert_int_equal(judge_bytes(&m, m.bytes.data, m.bytes.len), KW_CORRUPT_MESSAGE);
    maker_clear(&m);
}

static void test_count_must_be_above_zero_and_fit_the_last_delta(void **state BR_UNUSED)
{
    static const struct { int32_t count, last; } bad[] = {
        {0, -1}, {0, 0}, {-1, -2}, {INT32_MIN, INT32_MAX}, {1, 1}, {1, -1}, {2, 0}, {2, 1}, {INT32_MAX, INT32_MAX - 1}};
    struct maker m;
    maker_good(&m);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++)
        for (size_t i = 0; i < BR_COUNT(bad); i++) {
            m.header.attributes = (int16_t)codec;
            m.header.record_count = bad[i].count;
            m.header.last_offset_delta = bad[i].last;
            assert_int_equal(judge(&m), KW_INVALID_RECORD);
        }
    maker_clear(&m);
}

static void test_control_batch_and_delete_horizon_are_not_for_clients(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    m.header.attributes = KW_BATCH_CONTROL;
    assert_int_equal(judge(&m), KW_INVALID_RECORD);
    m.header.attributes = KW_BATCH_DELETE_HORIZON;
    assert_int_equal(judge(&m), KW_INVALID_RECORD);
    maker_clear(&m);
}

static void test_sizes_have_their_own_codes(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    maker_build(&m);
    uint32_t size = (uint32_t)m.bytes.len;
    m.rules.batch_bytes_max = size;
    m.rules.segment_bytes = size;
    assert_int_equal(judge(&m), KW_NONE);
    m.rules.segment_bytes = size - 1;
    assert_int_equal(judge(&m), KW_RECORD_LIST_TOO_LARGE);
    m.rules.batch_bytes_max = size - 1;
    assert_int_equal(judge(&m), KW_MESSAGE_TOO_LARGE);
    m.bytes.data[size - 1] ^= 1; /* size first: a client that splits need not resend what is too large anyway */
    assert_int_equal(judge_bytes(&m, m.bytes.data, size), KW_MESSAGE_TOO_LARGE);
    maker_clear(&m);
}

static void test_zstd_needs_produce_7_and_unknown_codecs_are_refused(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    m.header.attributes = KW_CODEC_ZSTD;
    m.rules.produce_version = 7;
    assert_int_equal(judge(&m), KW_NONE);
    m.rules.produce_version = 6;
    assert_int_equal(judge(&m), KW_UNSUPPORTED_COMPRESSION_TYPE);
    m.rules.produce_version = 3;
    m.header.attributes = KW_CODEC_LZ4;
    assert_int_equal(judge(&m), KW_NONE);
    m.rules.produce_version = 13;
    for (int16_t codec = 5; codec < 8; codec++) {
        m.header.attributes = codec;
        assert_int_equal(judge(&m), KW_UNSUPPORTED_COMPRESSION_TYPE);
    }
    maker_clear(&m);
}

static void test_unused_attribute_bits_pass(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    m.header.attributes = (int16_t)0xff80;
    assert_int_equal(judge(&m), KW_NONE);
    m.records.data[1] = 0x5a; /* of the record */
    assert_int_equal(judge(&m), KW_NONE);
    maker_clear(&m);
}

static void test_timestamp_type_is_the_topics(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    m.header.attributes = KW_BATCH_LOG_APPEND_TIME;
    assert_int_equal(judge(&m), KW_INVALID_TIMESTAMP);
    m.rules.is_log_append_time = true;
    assert_int_equal(judge(&m), KW_INVALID_TIMESTAMP);
    assert_int_equal(m.verdict.record_index, 0);
    m.header.attributes = 0;
    assert_int_equal(judge(&m), KW_NONE);
    maker_clear(&m);
}

/* Three records, the second with this timestamp; NOW is the batch's. */
static enum kw_error judge_second_timestamp(struct maker *m, int64_t timestamp)
{
    br_buf_reset(&m->records);
    m->header.record_count = 3;
    m->header.last_offset_delta = 2;
    m->header.base_timestamp = timestamp < 0 ? 0 : NOW; /* keeps the delta inside int64 */
    maker_record(m, NOW - m->header.base_timestamp, 0, S("a"), S("b"));
    maker_record(m, timestamp - m->header.base_timestamp, 1, S("a"), S("b"));
    maker_record(m, NOW - m->header.base_timestamp, 2, S("a"), S("b"));
    return judge(m);
}

static void test_timestamps_outside_the_limits_name_the_record(void **state BR_UNUSED)
{
    struct maker m;
    maker_init(&m);
    m.rules.before_max_ms = 1000;
    m.rules.after_max_ms = 500;
    for (int16_t codec = 0; codec < KW_CODEC_COUNT; codec++) {
        m.header.attributes = codec;
        assert_int_equal(judge_second_timestamp(&m, NOW - 1000), KW_NONE);
        assert_int_equal(judge_second_timestamp(&m, NOW + 500), KW_NONE);
        assert_int_equal(judge_second_timestamp(&m, -1), KW_NONE); /* the producer gave none */
        static const int64_t bad[] = {NOW - 1001, NOW + 501, 0, -2, INT64_MIN, INT64_MAX, NOW * 1000};
        for (size_t i = 0; i < BR_COUNT(bad); i++) {
            assert_int_equal(judge_second_timestamp(&m, bad[i]), KW_INVALID_TIMESTAMP);
            assert_int_equal(m.verdict.record_index, 1);
        }
    }
    m.header.attributes = 0;
    m.rules.is_log_append_time = true; /* the broker's clock will stand there */
    assert_int_equal(judge_second_timestamp(&m, NOW * 1000), KW_NONE);
    maker_clear(&m);
}

static void test_no_limits_let_every_timestamp_pass(void **state BR_UNUSED)
{
    static const int64_t stamps[] = {INT64_MIN, -2, -1, 0, 1, NOW * 1000, INT64_MAX};
    struct maker m;
    maker_init(&m);
    for (size_t i = 0; i < BR_COUNT(stamps); i++) {
        assert_int_equal(judge_second_timestamp(&m, stamps[i]), KW_NONE);
        assert_int_equal(m.verdict.max_timestamp, BR_MAX(stamps[i], NOW));
        assert_int_equal(m.verdict.max_timestamp_delta, stamps[i] > NOW ? 1 : 0);
    }
    maker_clear(&m);
}

static void test_timestamp_that_leaves_int64_is_refused(void **state BR_UNUSED)
{
    struct maker m;
    maker_init(&m);
    m.header.base_timestamp = INT64_MAX;
    maker_record(&m, 1, 0, S("a"), S("b"));
    assert_int_equal(judge(&m), KW_INVALID_TIMESTAMP);
    assert_int_equal(m.verdict.record_index, 0);
    m.header.base_timestamp = -2;
    br_buf_reset(&m.records);
    maker_record(&m, INT64_MIN, 0, S("a"), S("b"));
    assert_int_equal(judge(&m), KW_INVALID_TIMESTAMP);
    maker_clear(&m);
}

static void test_max_timestamp_is_proved_not_believed(void **state BR_UNUSED)
{
    static const int64_t told[] = {NOW + 9, NOW - 9, -1, 0, INT64_MAX, INT64_MIN};
    struct maker m;
    maker_init(&m);
    m.header.record_count = 4;
    m.header.last_offset_delta = 3;
    maker_record(&m, 5, 0, S("a"), S("b"));
    maker_record(&m, 70, 1, S("a"), S("b"));
    maker_record(&m, -9, 2, S("a"), S("b"));
    maker_record(&m, 70, 3, S("a"), S("b"));
    for (size_t i = 0; i < BR_COUNT(told); i++) {
        m.header.max_timestamp = told[i];
        assert_int_equal(judge(&m), KW_NONE);
        assert_int_equal(m.verdict.batch.max_timestamp, told[i]);
        assert_int_equal(m.verdict.max_timestamp, NOW + 70);
        assert_int_equal(m.verdict.max_timestamp_delta, 1);
    }
    maker_clear(&m);
}

static void test_null_key_on_a_compacted_topic_names_the_record(void **state BR_UNUSED)
{
    struct maker m;
    maker_init(&m);
    m.header.record_count = 3;
    m.header.last_offset_delta = 2;
    maker_record(&m, 0, 0, S(""), S("an empty key is a key"));
    maker_record(&m, 0, 1, NO_BYTES, S("b"));
    maker_record(&m, 0, 2, S("a"), NO_BYTES);
    for (int16_t codec = 0; codec < KW_CODEC_COUNT; codec++) {
        m.header.attributes = codec;
        m.rules.need_keys = false;
        assert_int_equal(judge(&m), KW_NONE);
        m.rules.need_keys = true;
        assert_int_equal(judge(&m), KW_INVALID_RECORD);
        assert_int_equal(m.verdict.record_index, 1);
        assert_non_null(strstr(m.verdict.message, "key"));
    }
    maker_clear(&m);
}

static void test_offset_deltas_count_from_zero_in_order(void **state BR_UNUSED)
{
    static const int32_t bad[][3] = {{1, 2, 3}, {0, 2, 1}, {0, 0, 1}, {0, 1, 1}, {0, 1, 3}, {-1, 0, 1}, {0, 1, INT32_MIN}};
    struct maker m;
    maker_init(&m);
    m.header.record_count = 3;
    m.header.last_offset_delta = 2;
    for (int16_t codec = 0; codec < KW_CODEC_COUNT; codec++)
        for (size_t i = 0; i < BR_COUNT(bad); i++) {
            m.header.attributes = codec;
            br_buf_reset(&m.records);
            for (int k = 0; k < 3; k++)
                maker_record(&m, 0, bad[i][k], S("a"), S("b"));
            assert_int_equal(judge(&m), KW_INVALID_RECORD);
        }
    maker_clear(&m);
}

#define B(text) {text, sizeof(text) - 1}

/* Bodies of one record, length varint first; all but the first are malformed. */
static const struct { const char *what; struct br_str bytes; } bodies[] = {
    {NULL, B("\x0e\0\0\0\1\2x\0")},
    {"length one too many", B("\x10\0\0\0\1\2x\0")},
    {"length one too few", B("\x0c\0\0\0\1\2x\0")},
    {"length 0", B("\0\0\0\0\1\2x\0")},
    {"length -1", B("\1\0\0\0\1\2x\0")},
    {"length INT32_MIN", B("\xff\xff\xff\xff\x0f\0\0\0\1\2x\0")},
    {"length INT32_MAX", B("\xfe\xff\xff\xff\x0f\0\0\0\1\2x\0")},
    {"timestamp past 64 bits by its tenth byte", B("\x20\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7e\0\1\2x\0")},
    {"offset varint of 6 bytes", B("\x18\0\0\x80\x80\x80\x80\x80\0\1\2x\0")},
    {"length varint of 6 bytes", B("\x8e\x80\x80\x80\x80\0\0\0\0\1\2x\0")},
    {"length varint past 32 bits", B("\x8e\x80\x80\x80\x10\0\0\0\1\2x\0")},
    {"only attributes", B("\2\0")},
    {"timestamp cut", B("\4\0\x80")},
    {"timestamp varlong of 11 bytes", B("\x22\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0\0\1\2x\0")},
    {"timestamp past 64 bits", B("\x20\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\2\0\1\2x\0")},
    {"offset past 32 bits", B("\x16\0\0\x80\x80\x80\x80\x10\1\2x\0")},
    {"offset missing", B("\4\0\0")},
    {"key longer than the record", B("\x0e\0\0\0\x0a\2x\0")},
    {"key length -2", B("\x0e\0\0\0\3\2x\0")},
    {"key length INT32_MAX", B("\x16\0\0\0\xfe\xff\xff\xff\x0f\2x\0")},
    {"value missing", B("\x08\0\0\0\1")},
    {"value longer than the record", B("\x0e\0\0\0\1\6x\0")},
    {"value length -2", B("\x0c\0\0\0\1\3\0")},
    {"header count missing", B("\x0c\0\0\0\1\2x")},
    {"header count -1", B("\x0e\0\0\0\1\2x\1")},
    {"header count 1, no header", B("\x0e\0\0\0\1\2x\2")},
    {"header count INT32_MAX", B("\x16\0\0\0\1\2x\xfe\xff\xff\xff\x0f")},
    {"header key null", B("\x12\0\0\0\1\2x\2\1\1")},
    {"header key cut", B("\x12\0\0\0\1\2x\2\4k")},
    {"header value missing", B("\x12\0\0\0\1\2x\2\2k")},
    {"header value cut", B("\x16\0\0\0\1\2x\2\2k\4v")},
    {"header value length -2", B("\x14\0\0\0\1\2x\2\2k\3")},
    {"header after the last", B("\x1a\0\0\0\1\2x\2\2k\2v\2k")},
    {"byte after the headers", B("\x18\0\0\0\1\2x\2\2k\2vz")},
};

/* The same bodies a byte at a time: none is whole in a piece, so that the byte machine reads them all. */
static void test_malformed_records_are_refused_in_pieces(void **state BR_UNUSED)
{
    struct kw_batch header = {.record_count = 1};
    struct kw_batch_rules rules = gen_lenient_rules();
    for (size_t i = 0; i < BR_COUNT(bodies); i++) {
        struct kw_prover p;
        bool is_good = true;
        kw_prover_init(&p, &header, &rules);
        for (size_t at = 0; at < bodies[i].bytes.len && is_good; at++)
            is_good = kw_prover_feed(&p, (const uint8_t *)bodies[i].bytes.data + at, 1);
        is_good = kw_prover_end(&p);
        if (is_good != (i == 0))
            fail_msg("%s", bodies[i].what ? bodies[i].what : "good");
        if (i > 0 && strstr(bodies[i].what, " past ") && !strstr(p.message, "Malformed"))
            fail_msg("%s: told as %s", bodies[i].what, p.message);
    }
}

static void test_malformed_records_are_refused(void **state BR_UNUSED)
{
    for (int16_t codec = 0; codec < KW_CODEC_COUNT; codec++)
        for (size_t i = 0; i < BR_COUNT(bodies); i++) {
            struct maker m;
            maker_init(&m);
            m.header.attributes = codec;
            br_buf_add(&m.records, bodies[i].bytes.data, bodies[i].bytes.len);
            enum kw_error want = i == 0 ? KW_NONE : KW_INVALID_RECORD;
            if (judge(&m) != want)
                fail_msg("codec %d, %s: %d", codec, bodies[i].what ? bodies[i].what : "good", m.verdict.error);
            maker_clear(&m);
        }
}

static void test_bytes_and_records_left_over_or_missing_are_refused(void **state BR_UNUSED)
{
    for (int16_t codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct maker m;
        maker_good(&m);
        m.header.attributes = codec;
        br_buf_add8(&m.records, 0);
        assert_int_equal(judge(&m), KW_INVALID_RECORD);
        assert_int_equal(m.verdict.record_index, -1);
        assert_non_null(strstr(m.verdict.message, "left over"));
        m.records.len--;
        maker_record(&m, 0, 1, S("key"), S("value")); /* one more than the header says */
        assert_int_equal(judge(&m), KW_INVALID_RECORD);
        m.header.record_count = 3; /* one less */
        m.header.last_offset_delta = 2;
        assert_int_equal(judge(&m), KW_INVALID_RECORD);
        m.header.record_count = 2;
        m.header.last_offset_delta = 1;
        assert_int_equal(judge(&m), KW_NONE);
        for (size_t len = m.records.len; len-- > 0;) {
            m.records.len = len;
            assert_int_equal(judge(&m), KW_INVALID_RECORD);
        }
        maker_clear(&m);
    }
}

static void test_broken_packing_is_an_invalid_record(void **state BR_UNUSED)
{
    for (int16_t codec = 1; codec < KW_CODEC_COUNT; codec++) {
        struct maker m;
        maker_good(&m);
        m.header.attributes = codec;
        maker_build(&m);
        for (size_t len = m.bytes.len - 1; len >= KW_BATCH_HEADER; len--) { /* the packed bytes cut, all else right */
            m.header.size = (uint32_t)len;
            kw_batch_write_header(m.bytes.data, &m.header);
            assert_int_equal(judge_bytes(&m, m.bytes.data, len), KW_INVALID_RECORD);
        }
        maker_clear(&m);
    }
}

static void test_too_much_when_inflated_is_too_large(void **state BR_UNUSED)
{
    for (int16_t codec = 1; codec < KW_CODEC_COUNT; codec++) {
        struct maker m;
        struct br_buf value;
        maker_init(&m);
        br_buf_init(&value, 1 << 20);
        memset(br_buf_room(&value, 1 << 19), 'x', 1 << 19);
        maker_record(&m, 0, 0, S("a"), br_str((const char *)value.data, 1 << 19));
        m.header.attributes = codec;
        m.rules.inflated_bytes_max = m.records.len;
        assert_int_equal(judge(&m), KW_NONE);
        m.rules.inflated_bytes_max--;
        assert_int_equal(judge(&m), KW_MESSAGE_TOO_LARGE);
        br_buf_clear(&value);
        maker_clear(&m);
    }
}

static void test_no_memory_is_a_retriable_error(void **state BR_UNUSED)
{
    struct maker m;
    maker_good(&m);
    m.header.attributes = KW_CODEC_LZ4;
    maker_build(&m);
    br_mem_fail_at(1);
    assert_int_equal(judge_bytes(&m, m.bytes.data, m.bytes.len), KW_KAFKA_STORAGE_ERROR);
    br_mem_fail_at(0);
    maker_clear(&m);
}

static void test_producer_fields_must_fit_together(void **state BR_UNUSED)
{
    static const struct { int64_t id; int16_t epoch; int32_t sequence; int16_t attributes; enum kw_error want; } rows[] = {
        {-1, -1, -1, 0, KW_NONE},
        {0, 0, 0, 0, KW_NONE},
        {5, 3, INT32_MAX, KW_BATCH_TRANSACTIONAL, KW_NONE},
        {5, 3, -1, 0, KW_INVALID_RECORD},
        {5, 3, INT32_MIN, 0, KW_INVALID_RECORD},
        {5, -1, 0, 0, KW_INVALID_RECORD},
        {-1, -1, -1, KW_BATCH_TRANSACTIONAL, KW_INVALID_RECORD},
    };
    for (size_t i = 0; i < BR_COUNT(rows); i++) {
        struct maker m;
        maker_good(&m);
        m.header.producer_id = rows[i].id;
        m.header.producer_epoch = rows[i].epoch;
        m.header.base_sequence = rows[i].sequence;
        m.header.attributes = rows[i].attributes;
        assert_int_equal(judge(&m), rows[i].want);
        maker_clear(&m);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_good_batch_passes_in_every_codec),
    cmocka_unit_test(test_no_batch_is_refused),
    cmocka_unit_test(test_two_batches_are_refused),
    cmocka_unit_test(test_other_magic_is_refused),
    cmocka_unit_test(test_old_formats_are_told_apart_and_refused),
    cmocka_unit_test(test_base_offset_must_be_zero),
    cmocka_unit_test(test_length_must_match_the_bytes),
    cmocka_unit_test(test_checksum_is_checked_before_what_it_covers),
    cmocka_unit_test(test_count_must_be_above_zero_and_fit_the_last_delta),
    cmocka_unit_test(test_control_batch_and_delete_horizon_are_not_for_clients),
    cmocka_unit_test(test_sizes_have_their_own_codes),
    cmocka_unit_test(test_zstd_needs_produce_7_and_unknown_codecs_are_refused),
    cmocka_unit_test(test_unused_attribute_bits_pass),
    cmocka_unit_test(test_timestamp_type_is_the_topics),
    cmocka_unit_test(test_timestamps_outside_the_limits_name_the_record),
    cmocka_unit_test(test_no_limits_let_every_timestamp_pass),
    cmocka_unit_test(test_timestamp_that_leaves_int64_is_refused),
    cmocka_unit_test(test_max_timestamp_is_proved_not_believed),
    cmocka_unit_test(test_null_key_on_a_compacted_topic_names_the_record),
    cmocka_unit_test(test_offset_deltas_count_from_zero_in_order),
    cmocka_unit_test(test_malformed_records_are_refused),
    cmocka_unit_test(test_malformed_records_are_refused_in_pieces),
    cmocka_unit_test(test_bytes_and_records_left_over_or_missing_are_refused),
    cmocka_unit_test(test_broken_packing_is_an_invalid_record),
    cmocka_unit_test(test_too_much_when_inflated_is_too_large),
    cmocka_unit_test(test_no_memory_is_a_retriable_error),
    cmocka_unit_test(test_producer_fields_must_fit_together),
};

HARNESS_MAIN("validate", tests)
