/* Request and response headers, the list of APIs, and the list of errors. */
#include "compat/wire/header.h"
#include "compat/wire/api.h"
#include "compat/wire/error.h"
#include "tests/support/harness.h"

static enum br_err decode(const char *data, size_t len, struct kw_request_header *h, size_t *left)
{
    struct br_reader in = br_reader(data, len);
    enum br_err err = kw_request_header_decode(&in, h);
    *left = br_reader_left(&in);
    return err;
}

static void test_a_flexible_request_header_has_a_plain_client_id_and_tags(void **state BR_UNUSED)
{
    struct kw_request_header h;
    size_t left;
    /* Metadata 12, null client id, no tags; then two bytes of body. */
    assert_int_equal(decode("\0\3\0\x0c\0\0\1\0\xff\xff\0BB", 13, &h, &left), BR_OK);
    assert_int_equal(h.api_key, 3);
    assert_int_equal(h.api_version, 12);
    assert_int_equal(h.correlation_id, 256);
    assert_true(br_str_is_null(h.client_id));
    assert_int_equal(left, 2);
    /* A client id and a tag that nobody knows. */
    assert_int_equal(decode("\0\3\0\x0c\0\0\1\0\0\2me\1\x63\3abcB", 19, &h, &left), BR_OK);
    assert_true(br_str_eq_c(h.client_id, "me"));
    assert_int_equal(left, 1);
}

static void test_a_plain_request_header_ends_with_the_client_id(void **state BR_UNUSED)
{
    struct kw_request_header h;
    size_t left;
    assert_int_equal(decode("\0\3\0\x08\0\0\0\1\0\0BB", 12, &h, &left), BR_OK);
    assert_false(br_str_is_null(h.client_id));
    assert_int_equal(h.client_id.len, 0);
    assert_int_equal(left, 2);
}

static void test_every_prefix_of_a_request_header_fails(void **state BR_UNUSED)
{
    const char whole[] = "\0\3\0\x0c\0\0\1\0\0\2me\1\x63\3abc";
    struct kw_request_header h;
    size_t left;
    for (size_t len = 0; len < sizeof whole - 1; len++) {
        assert_int_equal(decode(whole, len, &h, &left), BR_CORRUPT);
        assert_int_equal(h.api_key, len >= 8 ? 3 : -1);
        assert_int_equal(h.correlation_id, len >= 8 ? 256 : 0);
    }
    assert_int_equal(decode("\0\3\0\x0c\0\0\1\0\xff\xfe\0", 11, &h, &left), BR_CORRUPT);
}

static void test_unknown_keys_and_versions_are_told_with_what_could_be_read(void **state BR_UNUSED)
{
    struct kw_request_header h;
    size_t left;
    assert_int_equal(decode("\0\x12\0\x63\0\0\0\7\0\2mejunk", 16, &h, &left), BR_UNSUPPORTED);
    assert_int_equal(h.api_key, 18);
    assert_int_equal(h.api_version, 99);
    assert_int_equal(h.correlation_id, 7);
    assert_true(br_str_eq_c(h.client_id, "me"));
    assert_int_equal(decode("\x7f\0\0\0\0\0\0\7\0\2me", 12, &h, &left), BR_UNSUPPORTED);
    assert_int_equal(h.api_key, 0x7f00);
    assert_int_equal(decode("\0\3\xff\xff\0\0\0\7\0\2me", 12, &h, &left), BR_UNSUPPORTED);
    assert_int_equal(h.api_version, -1);
}

static void test_request_headers_of_every_version_come_back(void **state BR_UNUSED)
{
    size_t count;
    const struct kw_api *all = kw_api_all(&count);
    struct kw_out out;
    kw_out_init(&out, 1000);
    for (size_t i = 0; i < count; i++)
        for (int16_t v = all[i].request->min; v <= all[i].request->max; v++) {
            struct kw_request_header h = {all[i].key, v, -5, br_str_c("client")}, back;
            struct br_reader in;
            kw_out_reset(&out);
            assert_int_equal(kw_request_header_encode(&h, &out), BR_OK);
            in = br_reader(out.bytes.data, out.bytes.len);
            assert_int_equal(kw_request_header_decode(&in, &back), BR_OK);
            assert_int_equal(br_reader_left(&in), 0);
            assert_int_equal(back.api_key, h.api_key);
            assert_int_equal(back.api_version, v);
            assert_int_equal(back.correlation_id, -5);
            assert_true(br_str_eq(back.client_id, h.client_id));
        }
    kw_out_clear(&out);
}

static size_t response_header_size(int16_t key, int16_t version)
{
    struct kw_out out;
    int32_t id;
    kw_out_init(&out, 100);
    kw_response_header_encode(key, version, 77, &out);
    size_t len = out.bytes.len;
    struct br_reader in = br_reader(out.bytes.data, len);
    assert_int_equal(kw_response_header_decode(&in, key, version, &id), BR_OK);
    assert_int_equal(id, 77);
    assert_int_equal(br_reader_left(&in), 0);
    for (size_t part = 0; part < len; part++) {
        in = br_reader(out.bytes.data, part);
        assert_int_equal(kw_response_header_decode(&in, key, version, &id), BR_CORRUPT);
    }
    kw_out_clear(&out);
    return len;
}

static void test_a_flexible_response_header_has_tags_but_for_api_versions(void **state BR_UNUSED)
{
    assert_int_equal(response_header_size(3, 8), 4);
    assert_int_equal(response_header_size(3, 9), 5);
    assert_int_equal(response_header_size(46, 0), 5);
    for (int16_t v = 0; v <= 4; v++)
        assert_int_equal(response_header_size(18, v), 4);
    assert_int_equal(response_header_size(18, 99), 4);
    assert_int_equal(response_header_size(9999, 3), 4);
}

static void test_every_api_is_listed_once_by_rising_key(void **state BR_UNUSED)
{
    size_t count;
    const struct kw_api *all = kw_api_all(&count);
    assert_true(count >= 25);
    for (size_t i = 0; i < count; i++) {
        if (i)
            assert_true(all[i - 1].key < all[i].key);
        assert_ptr_equal(kw_api_find(all[i].key), &all[i]);
        assert_int_equal(all[i].request->min, all[i].response->min);
        assert_int_equal(all[i].request->max, all[i].response->max);
        assert_int_equal(all[i].request->flexible_from, all[i].response->flexible_from);
        assert_int_equal(all[i].request->api_key, all[i].key);
        assert_int_equal(strncmp(all[i].request->name, all[i].name, strlen(all[i].name)), 0);
        assert_string_equal(all[i].response->name + strlen(all[i].name), "Response");
    }
    assert_string_equal(kw_api_find(22)->name, "InitProducerId");
    assert_null(kw_api_find(-1));
    assert_null(kw_api_find(4));
    assert_null(kw_api_find(INT16_MAX));
}

static void test_errors_have_kafkas_names_and_say_whether_to_retry(void **state BR_UNUSED)
{
    assert_string_equal(kw_error_name(0), "NONE");
    assert_string_equal(kw_error_name(-1), "UNKNOWN_SERVER_ERROR");
    assert_string_equal(kw_error_name(6), "NOT_LEADER_OR_FOLLOWER");
    assert_string_equal(kw_error_name(133), "SHARE_SESSION_LIMIT_REACHED");
    assert_string_equal(kw_error_name(134), "UNKNOWN");
    assert_string_equal(kw_error_text(3), "no such topic or partition");
    assert_string_equal(kw_error_text(-2), "unknown error");
    assert_true(kw_error_is_retriable(KW_NOT_LEADER_OR_FOLLOWER));
    assert_true(kw_error_is_retriable(KW_CONCURRENT_TRANSACTIONS));
    assert_false(kw_error_is_retriable(KW_BROKER_NOT_AVAILABLE));
    assert_false(kw_error_is_retriable(KW_INVALID_REQUEST));
    assert_false(kw_error_is_retriable(134));
}

static void test_the_error_list_has_no_gap(void **state BR_UNUSED)
{
    for (int code = -1; code <= 133; code++)
        assert_string_not_equal(kw_error_name(code), "UNKNOWN");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_flexible_request_header_has_a_plain_client_id_and_tags),
    cmocka_unit_test(test_a_plain_request_header_ends_with_the_client_id),
    cmocka_unit_test(test_every_prefix_of_a_request_header_fails),
    cmocka_unit_test(test_unknown_keys_and_versions_are_told_with_what_could_be_read),
    cmocka_unit_test(test_request_headers_of_every_version_come_back),
    cmocka_unit_test(test_a_flexible_response_header_has_tags_but_for_api_versions),
    cmocka_unit_test(test_every_api_is_listed_once_by_rising_key),
    cmocka_unit_test(test_errors_have_kafkas_names_and_say_whether_to_retry),
    cmocka_unit_test(test_the_error_list_has_no_gap),
};

HARNESS_MAIN("header", tests)
