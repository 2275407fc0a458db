/* compat/zip: every codec both ways, the framings that clients send, and what must be refused with bounded memory. */
#include "compat/zip/zip.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "tests/support/harness.h"
#include <limits.h>
#include <lz4frame.h>
#include <snappy-c.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#define MIB ((size_t)1 << 20)
#define PIECE_MAX ((size_t)64 << 10)

static struct br_buf new_buf(void)
{
    struct br_buf b;
    br_buf_init(&b, 256 * MIB);
    return b;
}

/* Lines that pack about as JSON does, or bytes that do not pack. */
static void add_text(struct br_buf *b, size_t len, bool is_random)
{
    struct br_rand r;
    br_rand_init(&r, len);
    while (b->len < len) {
        if (is_random)
            br_buf_add64(b, br_rand_u64(&r));
        else
            br_buf_printf(b, "{\"id\":%u,\"city\":\"%c\"}", (unsigned)br_rand_below(&r, 1000), (char)('a' + b->len % 26));
    }
    b->len = len;
}

struct collector {
    struct br_buf out;
    size_t piece_max, total, stop_at;
    long rss_max; /* pages */
};

static long rss_pages(void)
{
    long size = 0, rss = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld %ld", &size, &rss), 2);
    fclose(f);
    return rss;
}

static enum br_err collect(void *ctx, const uint8_t *data, size_t len)
{
    struct collector *c = ctx;
    br_buf_add(&c->out, data, len);
    c->piece_max = BR_MAX(c->piece_max, len);
    return BR_OK;
}

static enum br_err count_only(void *ctx, const uint8_t *data BR_UNUSED, size_t len)
{
    struct collector *c = ctx;
    c->total += len;
    c->rss_max = BR_MAX(c->rss_max, rss_pages());
    return c->stop_at && c->total >= c->stop_at ? BR_BUSY : BR_OK;
}

static void test_names_are_kafkas(void **state BR_UNUSED)
{
    static const char *const names[] = {"none", "gzip", "snappy", "lz4", "zstd"};
    for (int c = 0; c < KW_CODEC_COUNT; c++)
        assert_string_equal(kw_codec_name(c), names[c]);
    assert_null(kw_codec_name(-1));
    assert_null(kw_codec_name(KW_CODEC_COUNT));
}

static void round_trip(int codec, int level, size_t len, bool is_random)
{
    struct br_buf text = new_buf(), packed = new_buf();
    struct collector c = {.out = new_buf()};
    add_text(&text, len, is_random);
    br_buf_add(&packed, "before", 6);
    assert_int_equal(kw_zip_deflate(codec, level, text.data, len, &packed), BR_OK);
    assert_memory_equal(packed.data, "before", 6);
    assert_int_equal(kw_zip_inflate(codec, packed.data + 6, packed.len - 6, len, collect, &c), BR_OK);
    assert_int_equal(c.out.len, len);
    assert_true(c.piece_max <= PIECE_MAX);
    if (len > 0)
        assert_memory_equal(c.out.data, text.data, len);
    if (len > 0) /* one byte less than it gives */
        assert_int_equal(kw_zip_inflate(codec, packed.data + 6, packed.len - 6, len - 1, count_only, &c),
                         BR_TOO_LARGE);
    if (len >= 64 * 1024 && !is_random && codec != KW_CODEC_NONE)
        assert_true(packed.len < len / 2);
    br_buf_clear(&text);
    br_buf_clear(&packed);
    br_buf_clear(&c.out);
}

static void test_every_codec_gives_back_what_it_took(void **state BR_UNUSED)
{
    static const size_t sizes[] = {0, 1, 100, 32768, 32769, 65535, 65536, 65537, 200000, 1 << 20};
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++)
        for (size_t i = 0; i < BR_COUNT(sizes); i++) {
            round_trip(codec, INT_MIN, sizes[i], false);
            round_trip(codec, INT_MIN, sizes[i], true);
        }
}

static void test_levels_out_of_range_are_clamped(void **state BR_UNUSED)
{
    static const int levels[] = {INT_MIN + 1, -200000, -7, -1, 0, 1, 2, 3, 9, 12, 17, 22, 1000, INT_MAX};
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++)
        for (size_t i = 0; i < BR_COUNT(levels); i++)
            round_trip(codec, levels[i], 30000, false);
}

static void test_higher_levels_pack_tighter(void **state BR_UNUSED)
{
    static const struct { int codec, low, high; } cases[] = {
        {KW_CODEC_GZIP, 1, 9}, {KW_CODEC_LZ4, 9, 12}, {KW_CODEC_ZSTD, 1, 15}};
    struct br_buf text = new_buf(), low = new_buf(), high = new_buf();
    add_text(&text, 300000, false);
    for (size_t i = 0; i < BR_COUNT(cases); i++) {
        br_buf_reset(&low);
        br_buf_reset(&high);
        assert_int_equal(kw_zip_deflate(cases[i].codec, cases[i].low, text.data, text.len, &low), BR_OK);
        assert_int_equal(kw_zip_deflate(cases[i].codec, cases[i].high, text.data, text.len, &high), BR_OK);
        assert_true(high.len < low.len);
    }
    br_buf_clear(&text);
    br_buf_clear(&low);
    br_buf_clear(&high);
}

static void expect_inflates(int codec, const void *in, size_t len, const void *text, size_t text_len)
{
    struct br_buf out = new_buf();
    assert_int_equal(kw_zip_inflate_buf(codec, in, len, text_len, &out), BR_OK);
    assert_int_equal(out.len, text_len);
    if (text_len)
        assert_memory_equal(out.data, text, text_len);
    br_buf_clear(&out);
}

static enum br_err inflate_to_nothing(int codec, const void *in, size_t len)
{
    struct br_buf out = new_buf();
    br_buf_add(&out, "kept", 4);
    enum br_err err = kw_zip_inflate_buf(codec, in, len, 4 * MIB, &out);
    if (err != BR_OK) {
        assert_int_equal(out.len, 4);
        assert_false(out.failed);
    }
    br_buf_clear(&out);
    return err;
}

static void test_snappy_raw_block_is_taken(void **state BR_UNUSED)
{
    struct br_buf text = new_buf();
    add_text(&text, 150000, false);
    size_t len = snappy_max_compressed_length(text.len);
    char *block = br_alloc(len);
    assert_int_equal(snappy_compress((const char *)text.data, text.len, block, &len), SNAPPY_OK);
    expect_inflates(KW_CODEC_SNAPPY, block, len, text.data, text.len);
    for (size_t cut = 0; cut < len; cut += 1 + cut / 3)
        assert_int_equal(inflate_to_nothing(KW_CODEC_SNAPPY, block, cut), BR_CORRUPT);
    expect_inflates(KW_CODEC_SNAPPY, "\0", 1, "", 0);
    br_free(block);
    br_buf_clear(&text);
}

/* Bytes as snappy-java writes them: made by hand from its format, one chunk with the literal "abc". */
static void test_snappy_java_stream_is_taken(void **state BR_UNUSED)
{
    static const uint8_t head[] = "\x82SNAPPY\0\0\0\0\1\0\0\0\1";
    static const uint8_t one[] = "\x82SNAPPY\0\0\0\0\1\0\0\0\1\0\0\0\5\3\10abc";
    static const uint8_t two[] = "\x82SNAPPY\0\0\0\0\1\0\0\0\1\0\0\0\5\3\10abc\0\0\0\5\3\10def";
    static const uint8_t joined[] =
        "\x82SNAPPY\0\0\0\0\1\0\0\0\1\0\0\0\5\3\10abc\x82SNAPPY\0\0\0\0\1\0\0\0\1\0\0\0\5\3\10def";
    expect_inflates(KW_CODEC_SNAPPY, head, sizeof head - 1, "", 0);
    expect_inflates(KW_CODEC_SNAPPY, one, sizeof one - 1, "abc", 3);
    expect_inflates(KW_CODEC_SNAPPY, two, sizeof two - 1, "abcdef", 6);
    expect_inflates(KW_CODEC_SNAPPY, joined, sizeof joined - 1, "abcdef", 6);
    for (size_t cut = 17; cut < sizeof one - 1; cut++)
        assert_int_equal(inflate_to_nothing(KW_CODEC_SNAPPY, one, cut), BR_CORRUPT);
}

static void test_snappy_is_written_as_java_stream(void **state BR_UNUSED)
{
    struct br_buf out = new_buf();
    assert_int_equal(kw_zip_deflate(KW_CODEC_SNAPPY, INT_MIN, (const uint8_t *)"abc", 3, &out), BR_OK);
    assert_int_equal(out.len, 25);
    assert_memory_equal(out.data, "\x82SNAPPY\0\0\0\0\1\0\0\0\1\0\0\0\5\3\10abc", 25);
    br_buf_clear(&out);
}

static void test_snappy_old_stream_version_is_refused(void **state BR_UNUSED)
{
    assert_int_equal(inflate_to_nothing(KW_CODEC_SNAPPY, "\x82SNAPPY\0\0\0\0\0\0\0\0\1\0\0\0\5\3\10abc", 25), BR_CORRUPT);
    assert_int_equal(inflate_to_nothing(KW_CODEC_SNAPPY, "\x82SNAPPY\0\0\0\0\1\0\0\0\0\0\0\0\5\3\10abc", 25), BR_CORRUPT);
}

/* Two packed texts one after the other. */
static enum br_err inflate_joined(int codec)
{
    struct br_buf in = new_buf(), out = new_buf();
    assert_int_equal(kw_zip_deflate(codec, INT_MIN, (const uint8_t *)"hello ", 6, &in), BR_OK);
    assert_int_equal(kw_zip_deflate(codec, INT_MIN, (const uint8_t *)"world", 5, &in), BR_OK);
    enum br_err err = kw_zip_inflate_buf(codec, in.data, in.len, 11, &out);
    if (err == BR_OK) {
        assert_int_equal(out.len, 11);
        assert_memory_equal(out.data, "hello world", 11);
    }
    br_buf_clear(&in);
    br_buf_clear(&out);
    return err;
}

static void test_members_and_frames_may_follow_one_another(void **state BR_UNUSED)
{
    assert_int_equal(inflate_joined(KW_CODEC_GZIP), BR_OK);
    assert_int_equal(inflate_joined(KW_CODEC_SNAPPY), BR_OK);
    assert_int_equal(inflate_joined(KW_CODEC_ZSTD), BR_OK);
}

static void test_second_lz4_frame_is_refused(void **state BR_UNUSED)
{
    assert_int_equal(inflate_joined(KW_CODEC_LZ4), BR_CORRUPT);
}

static size_t lz4_frame(const struct br_buf *text, LZ4F_blockMode_t mode, char **frame)
{
    LZ4F_preferences_t prefs = {.frameInfo = {.blockSizeID = LZ4F_max64KB, .blockMode = mode,
                                              .contentChecksumFlag = LZ4F_contentChecksumEnabled}};
    size_t size = LZ4F_compressFrameBound(text->len, &prefs);
    *frame = br_alloc(size);
    size = LZ4F_compressFrame(*frame, size, text->data, text->len, &prefs);
    assert_false(LZ4F_isError(size));
    return size;
}

static void test_lz4_linked_blocks_are_refused_as_java_readers_do(void **state BR_UNUSED)
{
    struct br_buf text = new_buf();
    char *frame;
    add_text(&text, 300000, false);
    size_t len = lz4_frame(&text, LZ4F_blockLinked, &frame);
    assert_int_equal(inflate_to_nothing(KW_CODEC_LZ4, frame, len), BR_CORRUPT);
    br_free(frame);
    len = lz4_frame(&text, LZ4F_blockIndependent, &frame);
    expect_inflates(KW_CODEC_LZ4, frame, len, text.data, text.len);
    frame[len - 1] ^= 1; /* the checksum of the content */
    assert_int_equal(inflate_to_nothing(KW_CODEC_LZ4, frame, len), BR_CORRUPT);
    br_free(frame);
    br_buf_clear(&text);
}

static void test_every_truncation_and_every_left_over_byte_is_refused(void **state BR_UNUSED)
{
    static const int codecs[] = {KW_CODEC_GZIP, KW_CODEC_LZ4, KW_CODEC_ZSTD};
    struct br_buf text = new_buf(), packed = new_buf();
    add_text(&text, 3000, false);
    for (size_t i = 0; i < BR_COUNT(codecs); i++) {
        br_buf_reset(&packed);
        assert_int_equal(kw_zip_deflate(codecs[i], INT_MIN, text.data, text.len, &packed), BR_OK);
        for (size_t cut = 0; cut < packed.len; cut++)
            assert_int_equal(inflate_to_nothing(codecs[i], packed.data, cut), BR_CORRUPT);
        br_buf_add8(&packed, 0);
        assert_int_equal(inflate_to_nothing(codecs[i], packed.data, packed.len), BR_CORRUPT);
    }
    br_buf_clear(&text);
    br_buf_clear(&packed);
}

static void test_one_codec_is_not_taken_for_another(void **state BR_UNUSED)
{
    struct br_buf packed = new_buf();
    for (int from = 1; from < KW_CODEC_COUNT; from++) {
        br_buf_reset(&packed);
        assert_int_equal(kw_zip_deflate(from, INT_MIN, (const uint8_t *)"some text", 9, &packed), BR_OK);
        for (int to = 1; to < KW_CODEC_COUNT; to++)
            if (to != from)
                assert_int_not_equal(inflate_to_nothing(to, packed.data, packed.len), BR_OK);
    }
    br_buf_clear(&packed);
    assert_int_equal(inflate_to_nothing(5, "x", 1), BR_UNSUPPORTED);
    assert_int_equal(inflate_to_nothing(-1, "x", 1), BR_UNSUPPORTED);
}

static void test_damage_never_crashes(void **state BR_UNUSED)
{
    struct br_buf text = new_buf(), packed = new_buf();
    struct br_rand r;
    br_rand_init(&r, 7);
    add_text(&text, 70000, false);
    for (int codec = 1; codec < KW_CODEC_COUNT; codec++) {
        br_buf_reset(&packed);
        assert_int_equal(kw_zip_deflate(codec, INT_MIN, text.data, text.len, &packed), BR_OK);
        for (int round = 0; round < 300; round++) {
            size_t at = (size_t)br_rand_below(&r, round % 2 ? packed.len : BR_MIN(packed.len, (size_t)64));
            uint8_t old = packed.data[at];
            packed.data[at] = (uint8_t)br_rand_u64(&r);
            (void)inflate_to_nothing(codec, packed.data, packed.len);
            packed.data[at] = old;
        }
    }
    br_buf_clear(&text);
    br_buf_clear(&packed);
}

/* What a client could send to make the broker inflate 64 MiB of zeros; window_log for zstd, 0 for the default. */
static void make_bomb(int codec, int window_log, struct br_buf *out)
{
    size_t len = 64 * MIB;
    uint8_t *zeros = br_alloc(len);
    if (window_log) {
        ZSTD_CCtx *c = ZSTD_createCCtx();
        size_t room = ZSTD_compressBound(len);
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, window_log);
        ZSTD_inBuffer in = {zeros, len, 0};
        ZSTD_outBuffer dst = {br_buf_room(out, room), room, 0};
        ZSTD_compressStream2(c, &dst, &in, ZSTD_e_continue); /* so that no content size is declared */
        assert_int_equal(ZSTD_compressStream2(c, &dst, &in, ZSTD_e_end), 0);
        out->len += dst.pos;
        ZSTD_freeCCtx(c);
    } else {
        assert_int_equal(kw_zip_deflate(codec, INT_MIN, zeros, len, out), BR_OK);
    }
    br_free(zeros);
}

static void expect_defused(int codec, const struct br_buf *bomb, size_t cap)
{
    struct collector c = {.rss_max = 0};
    long before = rss_pages();
    assert_int_equal(kw_zip_inflate(codec, bomb->data, bomb->len, cap, count_only, &c), BR_TOO_LARGE);
    assert_true(c.total <= cap);
#ifndef __SANITIZE_ADDRESS__
    assert_true((size_t)(BR_MAX(c.rss_max, rss_pages()) - before) * 4096 < cap + 4 * MIB);
#else
    (void)before;
#endif
}

static void test_bombs_stop_at_the_cap_with_bounded_memory(void **state BR_UNUSED)
{
    struct br_buf bomb = new_buf();
    for (int codec = 1; codec < KW_CODEC_COUNT; codec++) {
        br_buf_reset(&bomb);
        make_bomb(codec, 0, &bomb);
        assert_true(bomb.len < 4 * MIB);
        expect_defused(codec, &bomb, MIB);
    }
    br_buf_reset(&bomb);
    make_bomb(KW_CODEC_ZSTD, 27, &bomb); /* a window of 128 MiB is taken, but not filled */
    expect_defused(KW_CODEC_ZSTD, &bomb, MIB);
    br_buf_clear(&bomb);
}

static void test_snappy_declared_length_is_checked_before_memory_is_reserved(void **state BR_UNUSED)
{
    /* 4 GiB - 1, 4 MiB + 1, and 1 MiB from 7 bytes: all too much for the cap or for the bytes */
    assert_int_equal(inflate_to_nothing(KW_CODEC_SNAPPY, "\xff\xff\xff\xff\x0f\0a", 7), BR_TOO_LARGE);
    assert_int_equal(inflate_to_nothing(KW_CODEC_SNAPPY, "\x81\x80\x80\x02\0aa", 7), BR_TOO_LARGE);
    br_mem_fail_at(2); /* the first is the scratch buffer of the call */
    assert_int_equal(inflate_to_nothing(KW_CODEC_SNAPPY, "\x80\x80\x40\0aaa", 7), BR_CORRUPT);
    br_mem_fail_at(0);
}

static void test_zstd_window_above_the_common_limit_is_refused(void **state BR_UNUSED)
{
    struct br_buf bomb = new_buf();
    make_bomb(KW_CODEC_ZSTD, 28, &bomb);
    assert_int_equal(inflate_to_nothing(KW_CODEC_ZSTD, bomb.data, bomb.len), BR_CORRUPT);
    br_buf_clear(&bomb);
}

static void test_sink_can_stop(void **state BR_UNUSED)
{
    struct br_buf text = new_buf(), packed = new_buf();
    add_text(&text, 3 * MIB, false);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct collector c = {.stop_at = 100000};
        br_buf_reset(&packed);
        assert_int_equal(kw_zip_deflate(codec, INT_MIN, text.data, text.len, &packed), BR_OK);
        assert_int_equal(kw_zip_inflate(codec, packed.data, packed.len, text.len, count_only, &c), BR_BUSY);
        assert_in_range(c.total, 100000, 100000 + PIECE_MAX);
    }
    br_buf_clear(&text);
    br_buf_clear(&packed);
}

static void test_output_limit_is_kept_and_nothing_half_written(void **state BR_UNUSED)
{
    struct br_buf text = new_buf(), packed = new_buf(), out;
    add_text(&text, 200000, true);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        br_buf_reset(&packed);
        assert_int_equal(kw_zip_deflate(codec, INT_MIN, text.data, text.len, &packed), BR_OK);
        for (size_t spare = 0; spare <= 1; spare++) { /* one byte short, and exactly enough */
            br_buf_init(&out, 3 + packed.len - 1 + spare);
            br_buf_add(&out, "abc", 3);
            assert_int_equal(kw_zip_deflate(codec, INT_MIN, text.data, text.len, &out), spare ? BR_OK : BR_TOO_LARGE);
            assert_int_equal(out.len, spare ? 3 + packed.len : 3);
            assert_false(out.failed);
            br_buf_clear(&out);
        }
    }
    br_buf_clear(&text);
    br_buf_clear(&packed);
}

static void test_no_memory_is_told(void **state BR_UNUSED)
{
    struct br_buf packed = new_buf(), out = new_buf();
    for (int codec = 1; codec < KW_CODEC_COUNT; codec++) {
        br_buf_reset(&packed);
        assert_int_equal(kw_zip_deflate(codec, INT_MIN, (const uint8_t *)"abcabcabc", 9, &packed), BR_OK);
        br_mem_fail_at(1);
        assert_int_equal(inflate_to_nothing(codec, packed.data, packed.len), BR_NOMEM);
        br_mem_fail_at(1);
        assert_int_equal(kw_zip_deflate(codec, INT_MIN, (const uint8_t *)"abc", 3, &out), BR_NOMEM);
        assert_int_equal(out.len, 0);
    }
    br_mem_fail_at(0);
    br_buf_clear(&packed);
    br_buf_clear(&out);
}

static void expect_kept(struct kw_zip *zip, int codec, const struct br_buf *packed, const struct br_buf *text)
{
    struct collector c = {.out = new_buf()};
    assert_int_equal(kw_zip_inflate_with(zip, codec, packed->data, packed->len, text->len, collect, &c), BR_OK);
    assert_int_equal(c.out.len, text->len);
    assert_memory_equal(c.out.data, text->data, text->len);
    br_buf_clear(&c.out);
}

static void test_kept_state_forgets_the_stream_before(void **state BR_UNUSED)
{
    struct kw_zip *zip = kw_zip_new();
    struct br_buf text = new_buf(), packed = new_buf();
    struct collector c = {.total = 0};
    add_text(&text, 300000, false);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        br_buf_reset(&packed);
        assert_int_equal(kw_zip_deflate(codec, INT_MIN, text.data, text.len, &packed), BR_OK);
        expect_kept(zip, codec, &packed, &text);
        /* left in the middle in three ways */
        c = (struct collector){.total = 0};
        assert_int_equal(kw_zip_inflate_with(zip, codec, packed.data, packed.len, 100, count_only, &c), BR_TOO_LARGE);
        if (codec != KW_CODEC_NONE)
            assert_int_equal(kw_zip_inflate_with(zip, codec, packed.data, packed.len / 2, MIB, count_only, &c), BR_CORRUPT);
        c = (struct collector){.stop_at = 1};
        assert_int_equal(kw_zip_inflate_with(zip, codec, packed.data, packed.len, MIB, count_only, &c), BR_BUSY);
        expect_kept(zip, codec, &packed, &text);
    }
    br_buf_clear(&text);
    br_buf_clear(&packed);
    kw_zip_free(zip);
    kw_zip_free(NULL);
}

static void test_kept_state_stays_small_after_a_large_window(void **state BR_UNUSED)
{
    struct kw_zip *zip = kw_zip_new();
    struct br_buf bomb = new_buf();
    struct collector c = {.total = 0};
    make_bomb(KW_CODEC_ZSTD, 27, &bomb);
    long before = rss_pages();
    assert_int_equal(kw_zip_inflate_with(zip, KW_CODEC_ZSTD, bomb.data, bomb.len, 64 * MIB, count_only, &c), BR_OK);
    assert_int_equal(c.total, 64 * MIB);
#ifndef __SANITIZE_ADDRESS__
    assert_true(c.rss_max > before + (long)(32 * MIB / 4096)); /* it was in use */
    assert_true(rss_pages() < before + (long)(KW_ZIP_KEPT_MAX / 4096));
#else
    (void)before;
#endif
    kw_zip_free(zip);
    br_buf_clear(&bomb);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_names_are_kafkas),
    cmocka_unit_test(test_every_codec_gives_back_what_it_took),
    cmocka_unit_test(test_levels_out_of_range_are_clamped),
    cmocka_unit_test(test_higher_levels_pack_tighter),
    cmocka_unit_test(test_snappy_raw_block_is_taken),
    cmocka_unit_test(test_snappy_java_stream_is_taken),
    cmocka_unit_test(test_snappy_is_written_as_java_stream),
    cmocka_unit_test(test_snappy_old_stream_version_is_refused),
    cmocka_unit_test(test_members_and_frames_may_follow_one_another),
    cmocka_unit_test(test_second_lz4_frame_is_refused),
    cmocka_unit_test(test_lz4_linked_blocks_are_refused_as_java_readers_do),
    cmocka_unit_test(test_every_truncation_and_every_left_over_byte_is_refused),
    cmocka_unit_test(test_one_codec_is_not_taken_for_another),
    cmocka_unit_test(test_damage_never_crashes),
    cmocka_unit_test(test_bombs_stop_at_the_cap_with_bounded_memory),
    cmocka_unit_test(test_snappy_declared_length_is_checked_before_memory_is_reserved),
    cmocka_unit_test(test_zstd_window_above_the_common_limit_is_refused),
    cmocka_unit_test(test_sink_can_stop),
    cmocka_unit_test(test_output_limit_is_kept_and_nothing_half_written),
    cmocka_unit_test(test_no_memory_is_told),
    cmocka_unit_test(test_kept_state_forgets_the_stream_before),
    cmocka_unit_test(test_kept_state_stays_small_after_a_large_window),
};

HARNESS_MAIN("zip", tests)
