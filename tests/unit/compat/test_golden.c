/* Batches captured from librdkafka (tests/golden/batches): they pass, and read back as what was given to the client. */
#include "tests/support/harness.h"
#include "tests/unit/compat/batch_gen.h"

#define MAX ((size_t)8 << 20)

static void read_golden(const char *name, struct br_buf *out)
{
    char file[128];
    snprintf(file, sizeof file, "tests/golden/batches/%s.hex", name);
    br_buf_init(out, MAX);
    gen_read_hex(gen_source_path(file), out);
}

static void expect_passes(const char *name, int codec, int32_t count, const struct br_buf *want)
{
    struct br_buf bytes, text;
    struct kw_batch_verdict v;
    struct kw_batch_rules rules = gen_lenient_rules();
    read_golden(name, &bytes);
    kw_batch_validate(bytes.data, bytes.len, &rules, &v);
    assert_int_equal(v.error, KW_NONE);
    assert_int_equal(kw_batch_codec(&v.batch), codec);
    assert_int_equal(v.batch.record_count, count);
    assert_int_equal(v.batch.max_timestamp, v.max_timestamp);
    br_buf_init(&text, MAX);
    assert_int_equal(gen_print(bytes.data, bytes.len, &text), BR_OK);
    assert_int_equal(text.len, want->len);
    assert_memory_equal(text.data, want->data, want->len);
    br_buf_clear(&bytes);
    br_buf_clear(&text);
}

static void read_text(const char *name, struct br_buf *out)
{
    FILE *f = fopen(gen_source_path(name), "r");
    if (!f)
        fail_msg("cannot open %s", name);
    br_buf_init(out, MAX);
    for (int c; (c = fgetc(f)) != EOF;)
        br_buf_add8(out, (uint8_t)c);
    fclose(f);
}

static void test_small_batches_of_every_codec_read_back(void **state BR_UNUSED)
{
    struct br_buf want;
    read_text("tests/golden/batches/small.txt", &want);
    assert_true(want.len > 300);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++)
        expect_passes(kw_codec_name(codec), codec, 5, &want);
    expect_passes("idempotent", KW_CODEC_NONE, 5, &want);
    br_buf_clear(&want);
}

/* The records that capture.py gives in the large cases. */
static void make_large(struct br_buf *out)
{
    static const char line[] = "{\"line\":\"the same again and again\"}";
    br_buf_init(out, MAX);
    for (int i = 0; i < 300; i++) {
        br_buf_printf(out, "%d %lld 0 key=6b%02x value=", i, 1700000000000LL + i, '0' + i % 7);
        for (int n = 0; n < 20 + i % 3; n++)
            for (const char *c = line; *c; c++)
                br_buf_printf(out, "%02x", (unsigned char)*c);
        br_buf_printf(out, "\n");
    }
}

static void test_large_batches_of_every_codec_read_back(void **state BR_UNUSED)
{
    struct br_buf want;
    make_large(&want);
    for (int codec = 1; codec < KW_CODEC_COUNT; codec++) {
        char name[32];
        snprintf(name, sizeof name, "%s-large", kw_codec_name(codec));
        expect_passes(name, codec, 300, &want);
    }
    br_buf_clear(&want);
}

static void test_idempotent_producer_is_seen(void **state BR_UNUSED)
{
    struct br_buf bytes;
    struct kw_batch b;
    read_golden("idempotent", &bytes);
    assert_int_equal(kw_batch_view(bytes.data, bytes.len, &b), BR_OK);
    assert_true(kw_batch_has_producer(&b));
    assert_int_equal(b.producer_id, 4711);
    assert_int_equal(b.producer_epoch, 2);
    assert_int_equal(b.base_sequence, 0);
    br_buf_clear(&bytes);
}

static void test_old_format_is_refused_by_name(void **state BR_UNUSED)
{
    struct br_buf bytes;
    struct kw_batch_verdict v;
    struct kw_batch_rules rules = gen_lenient_rules();
    read_golden("old-format", &bytes);
    kw_batch_validate(bytes.data, bytes.len, &rules, &v);
    assert_int_equal(v.error, KW_INVALID_RECORD);
    assert_non_null(strstr(v.message, "formats 0 and 1"));
    br_buf_clear(&bytes);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_small_batches_of_every_codec_read_back),
    cmocka_unit_test(test_large_batches_of_every_codec_read_back),
    cmocka_unit_test(test_idempotent_producer_is_seen),
    cmocka_unit_test(test_old_format_is_refused_by_name),
};

HARNESS_MAIN("golden", tests)
