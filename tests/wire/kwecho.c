/* The C side of kwref.py. Reads lines `MESSAGE VERSION HEX` and answers each with `HEX TEXT`: what decoding and
 * encoding again gives, and the message as kw_print shows it; or with `error: why`. */
#include "compat/wire/codec.h"
#include "compat/wire/table.h"

#define LINE_MAX_BYTES (1 << 20)
#define BUDGET (4u << 20)

static char line[LINE_MAX_BYTES];
static uint8_t bytes[LINE_MAX_BYTES / 2];
static union {
    max_align_t align;
    char bytes[4096];
} msg;

static const struct kw_message *find(const char *name)
{
    for (size_t i = 0; i < kw_message_list_count; i++)
        if (strcmp(kw_message_list[i]->name, name) == 0)
            return kw_message_list[i];
    return NULL;
}

static size_t from_hex(const char *hex)
{
    size_t len = 0;
    for (unsigned v; sscanf(hex, "%2x", &v) == 1; hex += 2)
        bytes[len++] = (uint8_t)v;
    return len;
}

int main(void)
{
    struct br_arena arena;
    struct kw_out out;
    struct br_buf text;
    br_arena_init(&arena, BUDGET);
    kw_out_init(&out, BUDGET);
    br_buf_init(&text, BUDGET);
    while (fgets(line, sizeof line, stdin)) {
        char name[100];
        int version, at = 0;
        struct br_errbuf eb = {"unknown message"};
        if (sscanf(line, "%99s %d %n", name, &version, &at) < 2)
            return 2;
        const struct kw_message *type = find(name);
        struct br_reader in = br_reader(bytes, from_hex(line + at));
        br_arena_reset(&arena);
        kw_out_reset(&out);
        br_buf_reset(&text);
        if (!type || kw_struct_size(type) > sizeof msg || kw_decode(type, version, &in, &arena, &msg, &eb) != BR_OK ||
            br_reader_left(&in) || kw_encode(type, version, &msg, &out) != BR_OK) {
            printf("error: %s\n", br_reader_left(&in) ? "bytes left over" : eb.text);
            continue;
        }
        kw_print(type, version, &msg, &text);
        for (size_t i = 0; i < out.bytes.len; i++)
            printf("%02x", out.bytes.data[i]);
        printf(" %.*s\n", (int)text.len, (char *)text.data);
    }
    br_arena_clear(&arena);
    kw_out_clear(&out);
    br_buf_clear(&text);
    return 0;
}
