/* The codec over every version of every message, and what it must refuse. Invariants: W-1 the huge counts, W-2 the
 * prefixes and the refused encodes, W-3 tags at their default, W-5 the masked secret; W-4 is fuzz_wire.c's. */
#include "compat/wire/codec.h"
#include "compat/gen/03_metadata.h"
#include "compat/gen/01_fetch.h"
#include "compat/gen/35_describe_log_dirs.h"
#include "compat/gen/44_incremental_alter_configs.h"
#include "compat/gen/75_describe_topic_partitions.h"
#include "compat/gen/09_offset_fetch.h"
#include "compat/wire/table.h"
#include "compat/base/mem.h"
#include "tests/support/gen.h"
#include "tests/support/harness.h"

#define BUDGET (4u << 20)
#define MSG_MAX 1024 /* bytes of any message's struct */

union any {
    max_align_t align;
    char bytes[MSG_MAX];
};

struct fixture {
    struct br_arena arena;
    struct kw_out out, again;
    struct br_buf text, text_again;
    struct br_rand rand;
    struct br_errbuf eb;
};

static int setup(void **state)
{
    struct fixture *x = br_alloc(sizeof *x);
    br_arena_init(&x->arena, BUDGET);
    kw_out_init(&x->out, BUDGET);
    kw_out_init(&x->again, BUDGET);
    br_buf_init(&x->text, BUDGET);
    br_buf_init(&x->text_again, BUDGET);
    br_rand_init(&x->rand, 20);
    *state = x;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *x = *state;
    br_arena_clear(&x->arena);
    kw_out_clear(&x->out);
    kw_out_clear(&x->again);
    br_buf_clear(&x->text);
    br_buf_clear(&x->text_again);
    br_free(x);
    return 0;
}

static void reset(struct fixture *x)
{
    br_arena_reset(&x->arena);
    kw_out_reset(&x->out);
    kw_out_reset(&x->again);
    br_buf_reset(&x->text);
    br_buf_reset(&x->text_again);
}

/* A random message of the type, encoded into out. */
static void make(struct fixture *x, const struct kw_message *type, int version, union any *msg)
{
    assert_true(kw_struct_size(type) <= MSG_MAX);
    reset(x);
    gen_message(type, version, &x->rand, &x->arena, msg);
    assert_int_equal(kw_encode(type, version, msg, &x->out), BR_OK);
}

static enum br_err decode(struct fixture *x, const struct kw_message *type, int version, const void *data, size_t len,
                          void *msg)
{
    struct br_reader in = br_reader(data, len);
    return kw_decode(type, version, &in, &x->arena, msg, &x->eb);
}

static void test_every_version_of_every_message_survives_decode_and_encode(void **state)
{
    struct fixture *x = *state;
    union any msg, copy;
    for (size_t m = 0; m < kw_message_list_count; m++) {
        const struct kw_message *type = kw_message_list[m];
        for (int version = type->min; version <= type->max; version++)
            for (int round = 0; round < 25; round++) {
                make(x, type, version, &msg);
                struct br_reader in = br_reader(x->out.bytes.data, x->out.bytes.len);
                memset(&copy, 0xa5, sizeof copy);
                assert_int_equal(kw_decode(type, version, &in, &x->arena, &copy, &x->eb), BR_OK);
                assert_int_equal(br_reader_left(&in), 0);
                assert_int_equal(kw_encode(type, version, &copy, &x->again), BR_OK);
                assert_int_equal(x->again.bytes.len, x->out.bytes.len);
                if (x->out.bytes.len)
                    assert_memory_equal(x->again.bytes.data, x->out.bytes.data, x->out.bytes.len);
                kw_print(type, version, &msg, &x->text);
                kw_print(type, version, &copy, &x->text_again);
                assert_int_equal(x->text.len, x->text_again.len);
                assert_memory_equal(x->text.data, x->text_again.data, x->text.len);
            }
    }
}

static void test_every_prefix_of_a_message_fails_and_moves_nothing(void **state)
{
    struct fixture *x = *state;
    union any msg, copy;
    for (size_t m = 0; m < kw_message_list_count; m++) {
        const struct kw_message *type = kw_message_list[m];
        for (int version = type->min; version <= type->max; version++) {
            make(x, type, version, &msg);
            size_t whole = BR_MIN(x->out.bytes.len, (size_t)600);
            for (size_t len = 0; len < whole; len++) {
                /* A block of exactly this size, so that the address sanitizer sees a byte too far. */
                uint8_t *part = br_alloc(len);
                if (len)
                    memcpy(part, x->out.bytes.data, len);
                struct br_reader in = br_reader(part, len);
                assert_int_equal(kw_decode(type, version, &in, &x->arena, &copy, &x->eb), BR_CORRUPT);
                assert_ptr_equal(in.at, part);
                assert_int_equal(strncmp(x->eb.text, type->name, strlen(type->name)), 0);
                br_free(part);
            }
        }
    }
}

static void test_damaged_messages_are_refused_or_decode_to_something_sound(void **state)
{
    struct fixture *x = *state;
    union any msg, copy;
    unsigned ok = 0, refused = 0;
    for (size_t m = 0; m < kw_message_list_count; m++) {
        const struct kw_message *type = kw_message_list[m];
        for (int version = type->min; version <= type->max; version++)
            for (int round = 0; round < 25; round++) {
                make(x, type, version, &msg);
                if (!x->out.bytes.len)
                    continue;
                for (unsigned n = 0; n < 3; n++)
                    x->out.bytes.data[br_rand_below(&x->rand, x->out.bytes.len)] = (uint8_t)br_rand_u64(&x->rand);
                enum br_err err = decode(x, type, version, x->out.bytes.data, x->out.bytes.len, &copy);
                assert_true(err == BR_OK || err == BR_CORRUPT);
                ok += err == BR_OK;
                refused += err != BR_OK;
                if (err == BR_OK)
                    assert_int_equal(kw_encode(type, version, &copy, &x->again), BR_OK);
            }
    }
    assert_true(ok > 100 && refused > 100);
}

static void test_versions_outside_the_range_are_unsupported(void **state)
{
    struct fixture *x = *state;
    union any msg;
    kw_default(&kw_fetch_request, &msg);
    assert_int_equal(decode(x, &kw_fetch_request, 3, "", 0, &msg), BR_UNSUPPORTED);
    assert_int_equal(decode(x, &kw_fetch_request, 19, "", 0, &msg), BR_UNSUPPORTED);
    assert_int_equal(kw_encode(&kw_fetch_request, 3, &msg, &x->out), BR_UNSUPPORTED);
    assert_int_equal(kw_encode(&kw_fetch_request, 19, &msg, &x->out), BR_UNSUPPORTED);
}

static void test_a_huge_array_count_is_refused_without_memory(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request msg;
    const uint8_t plain[] = {0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0};
    const uint8_t negative[] = {0xff, 0xff, 0xff, 0xfe};
    const uint8_t compact[] = {0x80, 0x80, 0x80, 0x80, 0x08, 0, 0, 0, 0};
    const uint8_t largest[] = {0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0};
    assert_int_equal(decode(x, &kw_metadata_request, 1, plain, sizeof plain, &msg), BR_CORRUPT);
    assert_int_equal(decode(x, &kw_metadata_request, 1, negative, sizeof negative, &msg), BR_CORRUPT);
    assert_int_equal(decode(x, &kw_metadata_request, 12, compact, sizeof compact, &msg), BR_CORRUPT);
    assert_int_equal(decode(x, &kw_metadata_request, 12, largest, sizeof largest, &msg), BR_CORRUPT);
    assert_int_equal(x->arena.used, 0);
    assert_string_equal(x->eb.text, "MetadataRequest.topics: impossible length");
}

static void test_an_array_of_more_than_the_limit_is_refused(void **state)
{
    struct fixture *x = *state;
    struct kw_describe_log_dirs_request msg;
    size_t len = 4 + 3 + 4 + 4 * ((size_t)KW_ARRAY_MAX + 1);
    uint8_t *data = br_alloc(len);
    br_store32(data, 1);
    br_store16(data + 4, 1);
    data[6] = 't';
    br_store32(data + 7, KW_ARRAY_MAX);
    assert_int_equal(decode(x, &kw_describe_log_dirs_request, 1, data, len, &msg), BR_OK);
    assert_int_equal(msg.topics[0].partitions_count, KW_ARRAY_MAX);
    br_arena_reset(&x->arena);
    br_store32(data + 7, KW_ARRAY_MAX + 1);
    assert_int_equal(decode(x, &kw_describe_log_dirs_request, 1, data, len, &msg), BR_CORRUPT);
    br_free(data);
}

static void test_the_arena_budget_ends_a_decode(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request msg;
    uint8_t data[4 + 2 * 100] = {0, 0, 0, 100}; /* a hundred empty names */
    struct br_arena small;
    br_arena_init(&small, 100 * sizeof(struct kw_metadata_request_topic) / 2);
    struct br_reader in = br_reader(data, sizeof data);
    assert_int_equal(kw_decode(&kw_metadata_request, 1, &in, &small, &msg, &x->eb), BR_NOMEM);
    br_arena_clear(&small);
    br_arena_init(&small, 100 * sizeof(struct kw_metadata_request_topic) + 16);
    assert_int_equal(kw_decode(&kw_metadata_request, 1, &in, &small, &msg, &x->eb), BR_OK);
    br_arena_clear(&small);
}

static void test_a_refused_allocation_ends_a_decode(void **state)
{
    struct fixture *x = *state;
    union any msg, copy;
    struct br_arena fresh;
    do
        make(x, &kw_metadata_response, 12, &msg);
    while (x->out.bytes.len < 100);
    br_arena_init(&fresh, BUDGET);
    br_mem_fail_at(1);
    struct br_reader in = br_reader(x->out.bytes.data, x->out.bytes.len);
    assert_int_equal(kw_decode(&kw_metadata_response, 12, &in, &fresh, &copy, &x->eb), BR_NOMEM);
    br_mem_fail_at(0);
    br_arena_clear(&fresh);
}

static void test_null_is_refused_where_the_version_has_none(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request msg;
    assert_int_equal(decode(x, &kw_metadata_request, 0, "\xff\xff\xff\xff", 4, &msg), BR_CORRUPT);
    assert_string_equal(x->eb.text, "MetadataRequest.topics: null where none is allowed");
    assert_int_equal(decode(x, &kw_metadata_request, 1, "\xff\xff\xff\xff", 4, &msg), BR_OK);
    assert_int_equal(msg.topics_count, -1);
    assert_int_equal(decode(x, &kw_metadata_request, 1, "\0\0\0\1\xff\xff", 6, &msg), BR_CORRUPT);
    assert_string_equal(x->eb.text, "MetadataRequest.topics.name: null where none is allowed");
}

static void test_a_string_above_the_limit_is_refused(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request msg;
    uint8_t *data = br_alloc(40000);
    data[0] = 2; /* one topic */
    memcpy(data + 1, "\x81\x80\x02", 3); /* compact length 32768 + 1 */
    assert_int_equal(decode(x, &kw_metadata_request, 9, data, 40000, &msg), BR_CORRUPT);
    assert_string_equal(x->eb.text, "MetadataRequest.topics.name: string too long");
    memcpy(data + 1, "\x80\x80\x02", 3);
    assert_int_equal(decode(x, &kw_metadata_request, 9, data, 40000, &msg), BR_OK);
    assert_int_equal(msg.topics[0].name.len, INT16_MAX);
    br_free(data);
}

/* Topics null, all tags that follow are the message's. */
#define META9 "\0\1\0\0"

static void test_unknown_tags_are_skipped(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request msg;
    struct br_reader in = br_reader(META9 "\2\x63\3abc\x64\0!", 13);
    assert_int_equal(kw_decode(&kw_metadata_request, 9, &in, &x->arena, &msg, &x->eb), BR_OK);
    assert_int_equal(br_reader_left(&in), 1);
    assert_true(msg.allow_auto_topic_creation);
}

static void test_tag_sections_that_cannot_be_are_refused(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request msg;
    uint8_t many[4 + 3 + 2 * (KW_TAGS_MAX + 1)] = META9 "\x91\x4e"; /* KW_TAGS_MAX + 1 */
    assert_int_equal(decode(x, &kw_metadata_request, 9, many, sizeof many, &msg), BR_CORRUPT);
    assert_int_equal(decode(x, &kw_metadata_request, 9, META9 "\1\x63\4abc", 10, &msg), BR_CORRUPT);
    assert_int_equal(decode(x, &kw_metadata_request, 9, META9 "\2\x63\0", 7, &msg), BR_CORRUPT);
    many[4] = 0x90;
    assert_int_equal(decode(x, &kw_metadata_request, 9, many, sizeof many, &msg), BR_OK);
}

/* A Fetch request without topics; the tag section is appended. */
static enum br_err decode_fetch_tags(struct fixture *x, const char *tags, size_t len, struct kw_fetch_request *msg)
{
    kw_default(&kw_fetch_request, msg);
    kw_out_reset(&x->out);
    assert_int_equal(kw_encode(&kw_fetch_request, 15, msg, &x->out), BR_OK);
    x->out.bytes.len--; /* the empty section */
    br_buf_add(&x->out.bytes, tags, len);
    return decode(x, &kw_fetch_request, 15, x->out.bytes.data, x->out.bytes.len, msg);
}

static void test_a_known_tag_must_fill_its_declared_size(void **state)
{
    struct fixture *x = *state;
    struct kw_fetch_request msg;
    assert_int_equal(decode_fetch_tags(x, "\1\0\4\3ab\0", 7, &msg), BR_CORRUPT);
    assert_int_equal(decode_fetch_tags(x, "\1\0\2\3ab", 6, &msg), BR_CORRUPT);
    assert_int_equal(decode_fetch_tags(x, "\1\0\3\3ab", 6, &msg), BR_OK);
    assert_true(br_str_eq_c(msg.cluster_id, "ab"));
    assert_int_equal(decode_fetch_tags(x, "\2\x63\0\0\3\3ab", 8, &msg), BR_OK);
    assert_true(br_str_eq_c(msg.cluster_id, "ab"));
}

static void test_a_tag_at_its_default_is_not_sent(void **state)
{
    struct fixture *x = *state;
    struct kw_fetch_response msg;
    kw_default(&kw_fetch_response, &msg);
    assert_int_equal(kw_encode(&kw_fetch_response, 16, &msg, &x->out), BR_OK);
    /* throttle 4, error 2, session 4, no topics 1, no tags 1 */
    assert_int_equal(x->out.bytes.len, 12);
    assert_int_equal(x->out.bytes.data[11], 0);
    struct kw_fetch_response_node node = {7, br_str_c("h"), 9092, br_str(NULL, 0)};
    msg.node_endpoints = &node;
    msg.node_endpoints_count = 1;
    kw_out_reset(&x->out);
    assert_int_equal(kw_encode(&kw_fetch_response, 16, &msg, &x->out), BR_OK);
    const char tags[] = "\1\0\x0d\2\0\0\0\7\2h\0\0\x23\x84\0\0";
    assert_int_equal(x->out.bytes.len, 11 + sizeof tags - 1);
    assert_memory_equal(x->out.bytes.data + 11, tags, sizeof tags - 1);
    /* A version that lacks it does not send it. */
    kw_out_reset(&x->out);
    assert_int_equal(kw_encode(&kw_fetch_response, 15, &msg, &x->out), BR_OK);
    assert_int_equal(x->out.bytes.len, 12);
}

static void test_absent_fields_decode_to_their_defaults(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request request;
    struct kw_metadata_response response;
    assert_int_equal(decode(x, &kw_metadata_request, 0, "\0\0\0\0", 4, &request), BR_OK);
    assert_true(request.allow_auto_topic_creation);
    assert_int_equal(request.topics_count, 0);
    assert_int_equal(decode(x, &kw_metadata_response, 0, "\0\0\0\0\0\0\0\0", 8, &response), BR_OK);
    assert_int_equal(response.controller_id, -1);
    assert_int_equal(response.cluster_authorized_operations, INT32_MIN);
    assert_true(br_str_is_null(response.cluster_id));
}

static void test_a_nullable_structure_has_a_byte_in_front(void **state)
{
    struct fixture *x = *state;
    struct kw_describe_topic_partitions_request msg;
    assert_int_equal(decode(x, &kw_describe_topic_partitions_request, 0, "\1\0\0\0\5\xff\0", 7, &msg), BR_OK);
    assert_null(msg.cursor);
    assert_int_equal(
        decode(x, &kw_describe_topic_partitions_request, 0, "\1\0\0\0\5\1\2t\0\0\0\3\0\0", 14, &msg), BR_OK);
    assert_true(br_str_eq_c(msg.cursor->topic_name, "t"));
    assert_int_equal(msg.cursor->partition_index, 3);
    assert_int_equal(kw_encode(&kw_describe_topic_partitions_request, 0, &msg, &x->out), BR_OK);
    assert_memory_equal(x->out.bytes.data, "\1\0\0\0\5\1\2t\0\0\0\3\0\0", 14);
}

static void test_arrays_made_for_answers_are_at_their_defaults(void **state)
{
    struct fixture *x = *state;
    struct kw_fetch_response_partition *p = kw_array_new(&kw_fetch_response_partition, &x->arena, 2);
    assert_int_equal(p[1].log_start_offset, -1);
    assert_int_equal(p[1].current_leader.leader_id, -1);
    assert_int_equal(p[1].aborted_transactions_count, -1);
    assert_false(p[1].records.is_null);
    assert_non_null(kw_array_new(&kw_fetch_response_partition, &x->arena, 0));
    assert_null(kw_array_new(&kw_fetch_response_partition, &x->arena, BUDGET));
}

static void test_encode_refuses_null_and_leaves_the_output_as_it_was(void **state)
{
    struct fixture *x = *state;
    struct kw_offset_fetch_request msg;
    kw_default(&kw_offset_fetch_request, &msg);
    br_buf_add8(&x->out.bytes, 42);
    msg.group_id = br_str(NULL, 0);
    assert_int_equal(kw_encode(&kw_offset_fetch_request, 1, &msg, &x->out), BR_INVALID);
    msg.group_id = br_str_c("g");
    msg.topics_count = -1;
    assert_int_equal(kw_encode(&kw_offset_fetch_request, 1, &msg, &x->out), BR_INVALID);
    assert_int_equal(x->out.bytes.len, 1);
    assert_int_equal(kw_encode(&kw_offset_fetch_request, 2, &msg, &x->out), BR_OK);
    assert_memory_equal(x->out.bytes.data, "\x2a\0\1g\xff\xff\xff\xff", 8);
}

static void test_encode_ends_at_the_limit_of_its_output(void **state)
{
    struct fixture *x = *state;
    union any msg;
    struct kw_out small;
    do
        make(x, &kw_fetch_response, 13, &msg);
    while (x->out.bytes.len < 60);
    size_t whole = x->out.bytes.len;
    for (size_t limit = 0; limit <= whole; limit++) {
        kw_out_init(&small, limit);
        enum br_err err = kw_encode(&kw_fetch_response, 13, &msg, &small);
        assert_int_equal(err, limit == whole ? BR_OK : BR_TOO_LARGE);
        assert_int_equal(small.bytes.len, limit == whole ? whole : 0);
        kw_out_clear(&small);
    }
}

static void test_file_ranges_leave_room_where_their_bytes_belong(void **state)
{
    struct fixture *x = *state;
    struct kw_fetch_response msg, copy;
    char file[2][100];
    memset(file[0], 'a', 100);
    memset(file[1], 'b', 100);
    kw_default(&kw_fetch_response, &msg);
    msg.topics = kw_array_new(&kw_fetch_response_topic, &x->arena, 1);
    msg.topics_count = 1;
    msg.topics->partitions = kw_array_new(&kw_fetch_response_partition, &x->arena, 3);
    msg.topics->partitions_count = 3;
    for (int i = 0; i < 2; i++)
        msg.topics->partitions[i].records = (struct kw_records){.len = 100, .file = file[i]};
    assert_int_equal(kw_encode(&kw_fetch_response, 12, &msg, &x->out), BR_OK);
    assert_int_equal(x->out.splice_count, 2);
    assert_int_equal(x->out.spliced_bytes, 200);
    size_t at = 0;
    for (size_t i = 0; i < 2; i++) { /* what the writer of the frame does */
        const struct kw_splice *s = &x->out.splices[i];
        br_buf_add(&x->again.bytes, x->out.bytes.data + at, s->at - at);
        br_buf_add(&x->again.bytes, s->file, s->len);
        at = s->at;
    }
    br_buf_add(&x->again.bytes, x->out.bytes.data + at, x->out.bytes.len - at);
    assert_int_equal(decode(x, &kw_fetch_response, 12, x->again.bytes.data, x->again.bytes.len, &copy), BR_OK);
    assert_memory_equal(copy.topics->partitions[0].records.data, file[0], 100);
    assert_memory_equal(copy.topics->partitions[1].records.data, file[1], 100);
    assert_int_equal(copy.topics->partitions[2].records.len, 0);
    /* Their bytes count against the limit. */
    kw_out_reset(&x->out);
    x->out.bytes.limit = 250;
    assert_int_equal(kw_encode(&kw_fetch_response, 12, &msg, &x->out), BR_TOO_LARGE);
    assert_int_equal(x->out.splice_count, 0);
    assert_int_equal(x->out.spliced_bytes, 0);
}

static void test_strings_are_borrowed_from_the_frame(void **state)
{
    struct fixture *x = *state;
    struct kw_metadata_request msg;
    const char frame[] = "\0\0\0\1\0\3abc\0\0";
    assert_int_equal(decode(x, &kw_metadata_request, 1, frame, 9, &msg), BR_OK);
    assert_ptr_equal(msg.topics[0].name.data, frame + 6);
}

static void test_print_shows_fields_of_the_version_and_masks_secrets(void **state)
{
    struct fixture *x = *state;
    struct kw_incremental_alter_configs_request msg;
    struct kw_incremental_alter_configs_request_config config = {br_str_c("k\"\n\xc3"), 1, br_str_c("hush")};
    struct kw_incremental_alter_configs_request_resource resource = {2, br_str_c("t"), &config, 1};
    kw_default(&kw_incremental_alter_configs_request, &msg);
    msg.resources = &resource;
    msg.resources_count = 1;
    kw_print(&kw_incremental_alter_configs_request, 0, &msg, &x->text);
    br_buf_add8(&x->text, 0);
    assert_string_equal((char *)x->text.data,
                        "IncrementalAlterConfigsRequest{resources=[{resource_type=2, resource_name=\"t\", "
                        "configs=[{name=\"k\\\"\\x0a\\xc3\", config_operation=1, value=***}]}], validate_only=false}");
}

static void test_print_names_errors_and_shows_nulls_bytes_and_ids(void **state)
{
    struct fixture *x = *state;
    struct kw_fetch_response msg;
    struct kw_fetch_response_partition p[2];
    struct kw_fetch_response_topic topic = {.partitions = p, .partitions_count = 2};
    kw_default(&kw_fetch_response, &msg);
    memcpy(p, kw_array_new(&kw_fetch_response_partition, &x->arena, 2), sizeof p);
    p[0].error_code = 6;
    p[0].current_leader.leader_id = 3;
    p[1].error_code = 999;
    p[1].records = (struct kw_records){(const uint8_t *)"0123456789abcdefg", 17, NULL, false};
    msg.topics = &topic;
    msg.topics_count = 1;
    kw_print(&kw_fetch_response, 13, &msg, &x->text);
    br_buf_add8(&x->text, 0);
    assert_string_equal(
        (char *)x->text.data,
        "FetchResponse{throttle_time_ms=0, error_code=NONE, session_id=0, topics=[{topic_id=AAAAAAAAAAAAAAAAAAAAAA, "
        "partitions=[{partition_index=0, error_code=NOT_LEADER_OR_FOLLOWER, high_watermark=0, last_stable_offset=-1, "
        "log_start_offset=-1, current_leader={leader_id=3, leader_epoch=-1}, aborted_transactions=null, "
        "preferred_read_replica=-1, records=0 bytes}, {partition_index=0, error_code=999, high_watermark=0, "
        "last_stable_offset=-1, log_start_offset=-1, aborted_transactions=null, preferred_read_replica=-1, "
        "records=17 bytes 30313233343536373839616263646566..}]}]}");
}

static void test_print_ends_at_the_limit_of_its_buffer(void **state)
{
    struct fixture *x = *state;
    struct kw_fetch_response msg;
    struct br_buf small;
    kw_default(&kw_fetch_response, &msg);
    br_buf_init(&small, 20);
    kw_print(&kw_fetch_response, 13, &msg, &small);
    assert_true(small.failed);
    assert_true(small.len <= 20);
    assert_memory_equal(small.data, "FetchResponse{", 14);
    br_buf_clear(&small);
    (void)x;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    TEST(test_every_version_of_every_message_survives_decode_and_encode),
    TEST(test_every_prefix_of_a_message_fails_and_moves_nothing),
    TEST(test_damaged_messages_are_refused_or_decode_to_something_sound),
    TEST(test_versions_outside_the_range_are_unsupported),
    TEST(test_a_huge_array_count_is_refused_without_memory),
    TEST(test_an_array_of_more_than_the_limit_is_refused),
    TEST(test_the_arena_budget_ends_a_decode),
    TEST(test_a_refused_allocation_ends_a_decode),
    TEST(test_null_is_refused_where_the_version_has_none),
    TEST(test_a_string_above_the_limit_is_refused),
    TEST(test_unknown_tags_are_skipped),
    TEST(test_tag_sections_that_cannot_be_are_refused),
    TEST(test_a_known_tag_must_fill_its_declared_size),
    TEST(test_a_tag_at_its_default_is_not_sent),
    TEST(test_absent_fields_decode_to_their_defaults),
    TEST(test_a_nullable_structure_has_a_byte_in_front),
    TEST(test_arrays_made_for_answers_are_at_their_defaults),
    TEST(test_encode_refuses_null_and_leaves_the_output_as_it_was),
    TEST(test_encode_ends_at_the_limit_of_its_output),
    TEST(test_file_ranges_leave_room_where_their_bytes_belong),
    TEST(test_strings_are_borrowed_from_the_frame),
    TEST(test_print_shows_fields_of_the_version_and_masks_secrets),
    TEST(test_print_names_errors_and_shows_nulls_bytes_and_ids),
    TEST(test_print_ends_at_the_limit_of_its_buffer),
};

HARNESS_MAIN("wire", tests)
