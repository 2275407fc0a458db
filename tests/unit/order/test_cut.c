/* Cuts as text: there and back, and every damage is told. */
#include "order/api/cut.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "tests/support/harness.h"

static struct braid_cut *example(void)
{
    struct braid_cut *cut = braid_cut_new(1234567890123);
    struct br_uuid a = {{1, 2, 3}}, b = {{9}};
    braid_cut_add(cut, br_str_c("orders"), a, 0, 5);
    braid_cut_add(cut, br_str_c("orders"), a, 1, 0);
    braid_cut_add(cut, br_str_c("orders"), a, 7, INT64_MAX);
    braid_cut_add(cut, br_str_c("pay.ments_2-x"), b, 0, 12);
    return cut;
}

static void a_cut_comes_back_from_its_text(void **state)
{
    struct braid_cut *cut = example(), *again;
    char *text = braid_cut_encode(cut);
    (void)state;
    assert_null(strpbrk(text, " \t\n'\"\\$"));
    assert_int_equal(braid_cut_decode(text, &again, NULL), BRAID_OK);
    assert_int_equal(braid_cut_position(again), 1234567890123);
    assert_int_equal(braid_cut_count(again), 4);
    for (size_t i = 0; i < 4; i++) {
        struct braid_cut_entry x = braid_cut_at(cut, i), y = braid_cut_at(again, i);
        assert_string_equal(x.topic, y.topic);
        assert_memory_equal(x.topic_id, y.topic_id, 16);
        assert_int_equal(x.partition, y.partition);
        assert_int_equal(x.offset, y.offset);
    }
    assert_int_equal(braid_cut_offset(again, "orders", 7), INT64_MAX);
    assert_int_equal(braid_cut_offset(again, "orders", 2), -1);
    assert_int_equal(braid_cut_at(again, 4).partition, -1);
    braid_cut_free(again);
    braid_cut_free(cut);
    braid_free(text);
}

static void a_cut_of_nothing_has_a_text_too(void **state)
{
    struct braid_cut *cut = braid_cut_new(0), *again;
    char *text = braid_cut_encode(cut);
    (void)state;
    assert_int_equal(strncmp(text, "braid-cut-1:0::", 15), 0);
    assert_int_equal(braid_cut_decode(text, &again, NULL), BRAID_OK);
    assert_int_equal(braid_cut_count(again), 0);
    braid_cut_free(again);
    braid_cut_free(cut);
    braid_free(text);
}

static void every_changed_or_missing_character_is_told(void **state)
{
    struct braid_cut *cut = example(), *again;
    char *text = braid_cut_encode(cut);
    size_t len = strlen(text);
    struct braid_error error;
    (void)state;
    for (size_t i = 0; i < len; i++) {
        char was = text[i];
        text[i] = (char)(was == 'x' ? 'y' : 'x');
        assert_int_equal(braid_cut_decode(text, &again, &error), BRAID_INVALID);
        assert_null(again);
        text[i] = '\0';
        assert_int_equal(braid_cut_decode(text, &again, &error), BRAID_INVALID);
        text[i] = was;
    }
    text[sizeof "braid-cut-" - 1] = '2';
    assert_int_equal(braid_cut_decode(text, &again, &error), BRAID_INVALID);
    assert_non_null(strstr(error.text, "version"));
    braid_cut_free(cut);
    braid_free(text);
}

/* The checksum is right: the form alone is wrong. */
static enum braid_err decode_sealed(const char *body)
{
    struct braid_cut *cut;
    char *text = br_asprintf("braid-cut-1:%s", body), *sealed = br_asprintf("%s:%08" PRIx32, text, br_crc32c(text, strlen(text)));
    enum braid_err err = braid_cut_decode(sealed, &cut, NULL);
    braid_cut_free(cut);
    br_free(text);
    br_free(sealed);
    return err;
}

static void what_no_cut_is_written_like_is_refused(void **state)
{
    static const char *const bad[] = {
        "", "1", ":", "-1:", "01:", "9223372036854775808:", "1:t", "1:t=AAAAAAAAAAAAAAAAAAAAAA", "1:t=AAAAAAAAAAAAAAAAAAAAAA=", "1:t=AAAAAAAAAAAAAAAAAAAAAA=0",
        "1:t=AAAAAAAAAAAAAAAAAAAAAA=0@", "1:t=AAAAAAAAAAAAAAAAAAAAAA=0@1,", "1:t=AAAAAAAAAAAAAAAAAAAAAA=0@1;", "1:t=AAAAAAAAAAAAAAAAAAAAAA=1@1,0@1",
        "1:t=AAAAAAAAAAAAAAAAAAAAAA=0@1,0@1", "1:t=AAAAAAAAAAAAAAAAAAAAAB=0@1", "1:=AAAAAAAAAAAAAAAAAAAAAA=0@1", "1:a b=AAAAAAAAAAAAAAAAAAAAAA=0@1",
        "1:t=AAAAAAAAAAAAAAAAAAAAAA=2147483648@1", "1:t=AAAAAAAAAAAAAAAAAAAAAA=0@1 ",
    };
    (void)state;
    assert_int_equal(decode_sealed("1:t=AAAAAAAAAAAAAAAAAAAAAA=0@1"), BRAID_OK);
    for (size_t i = 0; i < BR_COUNT(bad); i++)
        assert_int_equal(decode_sealed(bad[i]), BRAID_INVALID);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_cut_comes_back_from_its_text),
    cmocka_unit_test(a_cut_of_nothing_has_a_text_too),
    cmocka_unit_test(every_changed_or_missing_character_is_told),
    cmocka_unit_test(what_no_cut_is_written_like_is_refused),
};
HARNESS_MAIN("cut", tests)
