#include "tests/unit/compat/batch_gen.h"
#include "tests/support/harness.h"
#include <ctype.h>
#include <limits.h>

static struct br_str random_bytes(struct br_rand *r, uint8_t *room, size_t len_max, bool may_be_null)
{
    if (may_be_null && br_rand_chance(r, 10))
        return br_str(NULL, 0);
    size_t len = br_rand_chance(r, 10) ? 0 : (size_t)br_rand_below(r, len_max + 1);
    uint8_t seed = (uint8_t)br_rand_u64(r);
    for (size_t i = 0; i < len; i++) /* packs a little */
        room[i] = seed;
    for (size_t i = 0; i < len; i += 1 + (size_t)br_rand_below(r, 10))
        room[i] = (uint8_t)br_rand_u64(r);
    return br_str((const char *)room, len);
}

uint32_t gen_batch(struct br_buf *out, struct br_rand *r, const struct gen_rules *rules, int64_t *max_timestamp,
                   int32_t *max_delta)
{
    struct kw_batch_builder b;
    struct br_buf room;
    uint32_t size;
    br_buf_init(&room, rules->value_max + 1024);
    uint8_t *bytes = br_buf_room(&room, rules->value_max + 1024);
    kw_batch_builder_init(&b, out, 0, rules->base_timestamp, 0);
    *max_timestamp = -1;
    *max_delta = 0;
    for (int32_t i = 0; i < rules->record_count; i++) {
        int64_t timestamp = rules->base_timestamp + (int64_t)br_rand_below(r, 2000) - 1000;
        struct kw_header headers[3];
        int32_t header_count = (int32_t)br_rand_below(r, 4);
        for (int32_t h = 0; h < header_count; h++) {
            headers[h].key = random_bytes(r, bytes + 300 * (size_t)h, 100, false);
            for (size_t at = 0; at < headers[h].key.len; at++) /* text, as Kafka says */
                bytes[300 * (size_t)h + at] = (uint8_t)(0x20 + (bytes[300 * (size_t)h + at] & 63));
            headers[h].value = random_bytes(r, bytes + 300 * (size_t)h + 100, 200, true);
        }
        struct br_str value = random_bytes(r, bytes + 1000, rules->value_max, true);
        struct br_str key = random_bytes(r, bytes + 900, 100, !rules->has_keys);
        kw_batch_builder_add(&b, i, timestamp, key, value, br_str(NULL, 0), 0, headers, header_count);
        if (timestamp > *max_timestamp) {
            *max_timestamp = timestamp;
            *max_delta = i;
        }
    }
    assert_int_equal(kw_batch_builder_finish(&b, rules->codec, INT_MIN, &size), BR_OK);
    br_buf_clear(&room);
    return size;
}

struct kw_batch_rules gen_lenient_rules(void)
{
    return (struct kw_batch_rules){
        .produce_version = 13,
        .batch_bytes_max = INT32_MAX,
        .segment_bytes = INT32_MAX,
        .inflated_bytes_max = (size_t)64 << 20,
        .before_max_ms = INT64_MAX,
        .after_max_ms = INT64_MAX,
        .now_ms = 1700000000000,
    };
}

static void print_bytes(struct br_buf *text, const char *name, struct br_str s)
{
    static const char digits[] = "0123456789abcdef";
    br_buf_printf(text, " %s=%s", name, br_str_is_null(s) ? "null" : "");
    uint8_t *room = br_buf_room(text, 2 * s.len);
    assert_non_null(room);
    for (size_t i = 0; i < s.len; i++) {
        *room++ = (uint8_t)digits[(uint8_t)s.data[i] >> 4];
        *room++ = (uint8_t)digits[s.data[i] & 15];
    }
    text->len += 2 * s.len;
}

enum br_err gen_print(const uint8_t *data, size_t len, struct br_buf *text)
{
    struct kw_batch b;
    struct kw_record_iter it;
    struct kw_record r;
    struct br_str key, value;
    struct br_buf plain;
    enum br_err err = kw_batch_view(data, len, &b);
    if (err != BR_OK || b.size != len)
        return BR_CORRUPT;
    br_buf_init(&plain, (size_t)64 << 20);
    err = kw_zip_inflate_buf(kw_batch_codec(&b), data + KW_BATCH_HEADER, len - KW_BATCH_HEADER, (size_t)64 << 20, &plain);
    if (err == BR_OK) {
        kw_record_iter_init(&it, &b, plain.data, plain.len);
        while ((err = kw_record_next(&it, &r)) == BR_OK) {
            br_buf_printf(text, "%lld %lld %d", (long long)r.offset, (long long)r.timestamp, r.attributes);
            print_bytes(text, "key", r.key);
            print_bytes(text, "value", r.value);
            while ((err = kw_record_next_header(&r, &key, &value)) == BR_OK) {
                print_bytes(text, "header", key);
                print_bytes(text, "is", value);
            }
            if (err != BR_EOF)
                break;
            br_buf_printf(text, "\n");
        }
    }
    br_buf_clear(&plain);
    return err == BR_EOF ? BR_OK : err;
}

void gen_read_hex(const char *path, struct br_buf *out)
{
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("cannot open %s", path);
    int c, high = -1;
    while ((c = fgetc(f)) != EOF) {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = fgetc(f);
        if (!isxdigit(c))
            continue;
        int digit = isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
        if (high >= 0)
            br_buf_add8(out, (uint8_t)(high << 4 | digit));
        high = high >= 0 ? -1 : digit;
    }
    fclose(f);
    assert_int_equal(high, -1);
}

const char *gen_source_path(const char *name)
{
    static char path[1024];
    const char *top = getenv("srcdir"); /* automake tells every test */
    snprintf(path, sizeof path, "%s/%s", top ? top : "..", name);
    return path;
}
