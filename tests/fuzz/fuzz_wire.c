/* Requests, responses, records and headers from outside. Byte 0 picks what, byte 1 the API key, byte 2 the version,
 * the rest is the message. What decodes must encode again, in no more bytes, and decode to the same once more (W-4). */
#include "compat/wire/api.h"
#include "compat/wire/header.h"
#include "compat/wire/table.h"
#include "tests/fuzz/fuzz.h"

#define BUDGET (1u << 20)

static union {
    max_align_t align;
    char bytes[4096];
} msg, copy;

/* What is not an API: the messages of records.kw. */
static const struct kw_message *pick_record(uint8_t n)
{
    const struct kw_message *last = NULL;
    size_t seen = 0;
    for (size_t i = 0; i < kw_message_list_count; i++)
        if (kw_message_list[i]->api_key < 0 && seen++ <= n)
            last = kw_message_list[i];
    return last;
}

static void check_message(const struct kw_message *type, int version, struct br_reader in)
{
    struct br_arena arena;
    struct kw_out out, again;
    struct br_buf text;
    struct br_errbuf eb = {""};
    size_t size = br_reader_left(&in);
    br_arena_init(&arena, BUDGET);
    kw_out_init(&out, size);
    kw_out_init(&again, size);
    br_buf_init(&text, 10000);
    BR_ASSERT(kw_struct_size(type) <= sizeof msg);
    enum br_err err = kw_decode(type, version, &in, &arena, &msg, &eb);
    BR_ASSERT(err == BR_OK || err == BR_CORRUPT || err == BR_NOMEM);
    BR_ASSERT((err == BR_OK) == (eb.text[0] == '\0'));
    BR_ASSERT(arena.used <= BUDGET);
    if (err == BR_OK) {
        size_t taken = size - br_reader_left(&in);
        kw_print(type, version, &msg, &text);
        BR_ASSERT(kw_encode(type, version, &msg, &out) == BR_OK);
        BR_ASSERT(out.bytes.len <= taken);
        struct br_reader second = br_reader(out.bytes.data, out.bytes.len);
        br_arena_reset(&arena);
        BR_ASSERT(kw_decode(type, version, &second, &arena, &copy, NULL) == BR_OK);
        BR_ASSERT(br_reader_left(&second) == 0);
        BR_ASSERT(kw_encode(type, version, &copy, &again) == BR_OK);
        BR_ASSERT(again.bytes.len == out.bytes.len);
        BR_ASSERT(out.bytes.len == 0 || memcmp(again.bytes.data, out.bytes.data, out.bytes.len) == 0);
    }
    br_arena_clear(&arena);
    kw_out_clear(&out);
    kw_out_clear(&again);
    br_buf_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct kw_request_header header;
    int32_t correlation_id;
    size_t count;
    const struct kw_api *all = kw_api_all(&count);
    if (size < 3)
        return 0;
    const struct kw_api *api = kw_api_find(data[1]);
    const struct kw_message *type = api ? api->request : all[data[1] % count].request;
    struct br_reader in = br_reader(data + 3, size - 3);
    switch (data[0] % 5) {
    case 0: break;
    case 1: type = kw_api_find(type->api_key)->response; break;
    case 2: type = pick_record(data[1]); break;
    case 3:
        (void)!kw_request_header_decode(&in, &header);
        return 0;
    default:
        (void)!kw_response_header_decode(&in, data[1], data[2], &correlation_id);
        return 0;
    }
    check_message(type, type->min + data[2] % (type->max - type->min + 1), in);
    return 0;
}
