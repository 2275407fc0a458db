#include "tests/support/harness.h"
#include "compat/base/buf.h"
#include "compat/base/crc32c.h"
#include "compat/base/heap.h"
#include "compat/base/map.h"
#include "compat/base/reader.h"
#include "compat/base/uuid.h"

static void test_crc32c_gives_the_published_check_value(void **state)
{
    (void)state;
    assert_int_equal(br_crc32c("123456789", 9), 0xe3069283u);
    assert_int_equal(br_crc32c_extend(br_crc32c("1234", 4), "56789", 5), 0xe3069283u);
}

static void test_varints_round_trip_at_their_edges(void **state)
{
    (void)state;
    static const int64_t values[] = {0, 1, -1, 63, 64, -64, -65, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < BR_COUNT(values); i++) {
        uint8_t b[10];
        size_t n = br_put_varlong(b, values[i]);
        assert_int_equal(n, br_varlong_size(values[i]));
        struct br_reader r = br_reader(b, n);
        assert_true(br_read_varlong(&r) == values[i] && !r.failed && br_reader_left(&r) == 0);
    }
}

static void test_varint_longer_than_its_width_fails(void **state)
{
    (void)state;
    static const uint8_t six[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, wide[] = {0xff, 0xff, 0xff, 0xff, 0x1f};
    struct br_reader r = br_reader(six, sizeof six);
    br_read_uvarint(&r);
    assert_true(r.failed);
    r = br_reader(wide, sizeof wide);
    br_read_uvarint(&r);
    assert_true(r.failed);
}

static void test_map_keeps_insertion_order_through_removals(void **state)
{
    (void)state;
    struct br_map map;
    br_map_init(&map);
    static int value;
    for (int round = 0; round < 50; round++)
        for (int i = 0; i < 200; i++) {
            br_map_put(&map, &i, sizeof i, &value);
            int gone = (i * 7 + round) % 200;
            br_map_remove(&map, &gone, sizeof gone);
        }
    size_t at = 0, seen = 0;
    for (struct br_map_entry *e; (e = br_map_next(&map, &at)); seen++)
        assert_ptr_equal(br_map_get(&map, e->key, e->key_len), &value);
    assert_int_equal(seen, br_map_count(&map));
    br_map_clear(&map);
}

static void test_heap_gives_least_first_and_ties_in_order(void **state)
{
    (void)state;
    struct br_heap heap;
    struct br_heap_node nodes[64] = {{0}};
    br_heap_init(&heap);
    for (int i = 0; i < 64; i++)
        br_heap_push(&heap, &nodes[i], i * 37 % 8);
    br_heap_remove(&heap, &nodes[5]);
    int64_t last = -1;
    struct br_heap_node *prev = NULL;
    int count = 0;
    for (struct br_heap_node *n; (n = br_heap_peek(&heap)); count++) {
        assert_true(n->key >= last && (n->key != last || n > prev));
        last = n->key;
        prev = n;
        br_heap_remove(&heap, n);
    }
    assert_int_equal(count, 63);
    br_heap_clear(&heap);
}

/* NULL plus 0 is undefined in C: the sanitizer run watches these. */
static void test_nothing_is_room_and_can_be_read(void **state)
{
    (void)state;
    struct br_buf b;
    br_buf_init(&b, 10);
    br_buf_add(&b, NULL, 0);
    assert_false(b.failed);
    assert_non_null(br_buf_room(&b, 0));
    br_buf_clear(&b);
    struct br_reader r = br_reader(NULL, 0);
    assert_int_equal(br_reader_left(&r), 0);
    assert_int_equal(br_read8(&r), 0);
    assert_true(r.failed);
}

static void test_uuid_text_round_trips(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct br_uuid a = br_uuid_random(), b;
        char text[BR_UUID_TEXT];
        br_uuid_text(a, text);
        assert_int_equal(strlen(text), 22);
        assert_int_equal(br_uuid_parse(br_str_c(text), &b), BR_OK);
        assert_true(br_uuid_eq(a, b));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_crc32c_gives_the_published_check_value),
    cmocka_unit_test(test_varints_round_trip_at_their_edges),
    cmocka_unit_test(test_varint_longer_than_its_width_fails),
    cmocka_unit_test(test_map_keeps_insertion_order_through_removals),
    cmocka_unit_test(test_heap_gives_least_first_and_ties_in_order),
    cmocka_unit_test(test_nothing_is_room_and_can_be_read),
    cmocka_unit_test(test_uuid_text_round_trips),
};
HARNESS_MAIN("base", tests)
