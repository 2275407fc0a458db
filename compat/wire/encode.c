/* The other half of the interpreter (codec.c has the idea): from C structs to bytes.
 *
 * A tagged field's size stands before its bytes; it is put in front of them afterwards, since tagged fields are
 * few and short. kwgen.py sees to it that no records, and so no splice, lie inside one.
 * Lengths are written in their shortest form, and nothing is written that could be left out (W-4). */
#include "compat/wire/codec.h"
#include "compat/wire/table.h"
#include "compat/base/mem.h"

struct encoder {
    struct kw_out *out;
    enum br_err err; /* the first thing wrong, but for the limit (out->bytes.failed) */
    int version;
    bool flexible;
};

void kw_out_init(struct kw_out *out, size_t limit)
{
    *out = (struct kw_out){0};
    br_buf_init(&out->bytes, limit);
}

void kw_out_reset(struct kw_out *out)
{
    br_buf_reset(&out->bytes);
    out->splice_count = 0;
    out->spliced_bytes = 0;
}

void kw_out_clear(struct kw_out *out)
{
    size_t limit = out->bytes.limit;
    br_buf_clear(&out->bytes);
    br_free(out->splices);
    kw_out_init(out, limit);
}

static void add_splice(struct kw_out *out, const struct kw_records *r)
{
    if (out->splice_count == out->splice_cap) {
        out->splice_cap = BR_MAX(out->splice_cap * 2, (size_t)8);
        out->splices = br_realloc(out->splices, out->splice_cap * sizeof *out->splices);
    }
    out->splices[out->splice_count++] = (struct kw_splice){out->bytes.len, r->file, r->len};
    out->spliced_bytes += r->len;
}

static void invalid(struct encoder *e)
{
    if (e->err == BR_OK)
        e->err = BR_INVALID;
}

/* len < 0 is null. */
static void put_length(struct encoder *e, const struct kw_field *f, int64_t len, bool is_short)
{
    struct br_buf *b = &e->out->bytes;
    if (len > (is_short ? INT16_MAX : INT32_MAX) || (len < 0 && f->null_from > e->version)) {
        invalid(e);
        return;
    }
    if (e->flexible)
        br_buf_add_uvarint(b, (uint32_t)(len + 1));
    else if (is_short)
        br_buf_add16(b, (uint16_t)len);
    else
        br_buf_add32(b, (uint32_t)len);
}

static int64_t clamp(size_t len)
{
    return len > INT32_MAX ? INT64_MAX : (int64_t)len;
}

static void put_blob(struct encoder *e, const struct kw_field *f, const struct br_str *s, bool is_string)
{
    put_length(e, f, s->data ? clamp(s->len) : -1, is_string);
    if (s->data && e->err == BR_OK)
        br_buf_add(&e->out->bytes, s->data, s->len);
}

static void put_records(struct encoder *e, const struct kw_field *f, const struct kw_records *r)
{
    BR_ASSERT(r->data || !r->len || r->file);
    BR_ASSERT(!r->is_null || !r->len);
    put_length(e, f, r->is_null ? -1 : clamp(r->len), false);
    if (r->is_null || e->err != BR_OK)
        return;
    if (r->data)
        br_buf_add(&e->out->bytes, r->data, r->len);
    else if (r->len && !e->out->bytes.failed)
        add_splice(e->out, r);
}

static void encode_struct(struct encoder *e, const struct kw_struct *type, const void *at);

static void encode_value(struct encoder *e, const struct kw_field *f, const void *at)
{
    struct br_buf *b = &e->out->bytes;
    switch (f->type) {
    case KW_T_BOOL: br_buf_add8(b, *(const bool *)at); break;
    case KW_T_INT8: br_buf_add8(b, *(const uint8_t *)at); break;
    case KW_T_INT16:
    case KW_T_UINT16: br_buf_add16(b, *(const uint16_t *)at); break;
    case KW_T_INT32:
    case KW_T_UINT32: br_buf_add32(b, *(const uint32_t *)at); break;
    case KW_T_INT64:
    case KW_T_FLOAT64: {
        uint64_t bits;
        memcpy(&bits, at, sizeof bits);
        br_buf_add64(b, bits);
        break;
    }
    case KW_T_UUID: br_buf_add(b, at, sizeof(struct br_uuid)); break;
    case KW_T_STRING: put_blob(e, f, at, true); break;
    case KW_T_BYTES: put_blob(e, f, at, false); break;
    case KW_T_RECORDS: put_records(e, f, at); break;
    default: encode_struct(e, f->sub, at);
    }
}

static void encode_field(struct encoder *e, const struct kw_field *f, const void *parent)
{
    const char *at = (const char *)parent + f->offset;
    if (f->flags & KW_F_ARRAY) {
        size_t size = kw_element_size(f);
        int32_t count;
        const char *items;
        memcpy(&count, (const char *)parent + f->count_offset, sizeof count);
        memcpy(&items, at, sizeof items);
        BR_ASSERT(count <= 0 || items);
        put_length(e, f, count < 0 ? -1 : count, false);
        for (int32_t i = 0; i < count && e->err == BR_OK && !e->out->bytes.failed; i++)
            encode_value(e, f, items + (size_t)i * size);
    } else if (f->type == KW_T_STRUCT && f->null_from != KW_NEVER) {
        const void *item;
        memcpy(&item, at, sizeof item);
        if (!item && f->null_from > e->version)
            invalid(e);
        br_buf_add8(&e->out->bytes, item ? 1 : UINT8_MAX);
        if (item)
            encode_struct(e, f->sub, item);
    } else {
        encode_value(e, f, at);
    }
}

/* Moves what follows `start` up by the length that is put there. */
static void put_size_before(struct br_buf *b, size_t start)
{
    uint8_t text[5];
    size_t size = b->len - start, len = br_put_uvarint(text, (uint32_t)size);
    if (!br_buf_room(b, len))
        return;
    memmove(b->data + start + len, b->data + start, size);
    memcpy(b->data + start, text, len);
    b->len += len;
}

/* W-3 */
static bool is_sent(const struct encoder *e, const struct kw_field *f, const void *at)
{
    return f->tag >= 0 && f->first <= e->version && e->version <= f->last && !kw_field_is_default(f, at);
}

static void encode_tags(struct encoder *e, const struct kw_struct *type, const void *at)
{
    struct br_buf *b = &e->out->bytes;
    uint32_t count = 0;
    for (unsigned i = 0; type->tag_count && i < type->count; i++)
        count += is_sent(e, &type->fields[i], at);
    br_buf_add_uvarint(b, count);
    for (unsigned i = 0; count && i < type->count; i++) {
        const struct kw_field *f = &type->fields[i];
        if (!is_sent(e, f, at))
            continue;
        size_t splices = e->out->splice_count;
        br_buf_add_uvarint(b, (uint32_t)f->tag);
        size_t start = b->len;
        encode_field(e, f, at);
        BR_ASSERT(e->out->splice_count == splices);
        if (!b->failed)
            put_size_before(b, start);
    }
}

static void encode_struct(struct encoder *e, const struct kw_struct *type, const void *at)
{
    for (unsigned i = 0; i < type->count; i++) {
        const struct kw_field *f = &type->fields[i];
        if (f->tag < 0 && f->first <= e->version && e->version <= f->last)
            encode_field(e, f, at);
    }
    if (e->flexible)
        encode_tags(e, type, at);
}

enum br_err kw_encode(const struct kw_message *type, int version, const void *msg, struct kw_out *out)
{
    struct encoder e = {.out = out, .version = version};
    size_t len = out->bytes.len, splices = out->splice_count, spliced = out->spliced_bytes;
    if (version < type->min || version > type->max)
        return BR_UNSUPPORTED;
    if (out->bytes.failed)
        return BR_TOO_LARGE;
    e.flexible = version >= type->flexible_from;
    encode_struct(&e, type->root, msg);
    if (e.err == BR_OK &&
        (out->bytes.failed || out->spliced_bytes > out->bytes.limit - out->bytes.len))
        e.err = BR_TOO_LARGE;
    if (e.err != BR_OK) { /* W-2 */
        BR_ASSERT(out->bytes.len >= len);
        BR_ASSERT(out->splice_count >= splices);
        out->bytes.len = len;
        out->bytes.failed = false;
        out->splice_count = splices;
        out->spliced_bytes = spliced;
    }
    return e.err;
}
