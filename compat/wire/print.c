/* Any message as one line of text, for logs, `braid dump` and golden tests. Bytes from outside are escaped, so that
 * a line stays a line; fields that the schema marks secret are masked. */
#include "compat/wire/codec.h"
#include "compat/wire/error.h"
#include "compat/wire/table.h"

#define BYTES_SHOWN 16

static void print_string(struct br_buf *text, const struct br_str *s)
{
    if (!s->data) {
        br_buf_printf(text, "null");
        return;
    }
    br_buf_add8(text, '"');
    for (size_t i = 0; i < s->len && !text->failed; i++) {
        unsigned char c = (unsigned char)s->data[i];
        if (c < 0x20 || c > 0x7e)
            br_buf_printf(text, "\\x%02x", c);
        else if (c == '"' || c == '\\')
            br_buf_printf(text, "\\%c", c);
        else
            br_buf_add8(text, c);
    }
    br_buf_add8(text, '"');
}

static void print_bytes(struct br_buf *text, const void *data, size_t len, bool null)
{
    if (null) {
        br_buf_printf(text, "null");
        return;
    }
    br_buf_printf(text, "%zu bytes", len);
    for (size_t i = 0; data && i < len && i < BYTES_SHOWN; i++)
        br_buf_printf(text, "%s%02x", i ? "" : " ", ((const uint8_t *)data)[i]);
    if (len > BYTES_SHOWN || (len && !data))
        br_buf_printf(text, "..");
}

static void print_struct(const struct kw_struct *type, int version, const void *at, struct br_buf *text);

static void print_value(const struct kw_field *f, int version, const void *at, struct br_buf *text)
{
    switch (f->type) {
    case KW_T_BOOL: br_buf_printf(text, "%s", *(const bool *)at ? "true" : "false"); break;
    case KW_T_INT8: br_buf_printf(text, "%d", *(const int8_t *)at); break;
    case KW_T_INT16:
        if (f->flags & KW_F_ERROR && strcmp(kw_error_name(*(const int16_t *)at), "UNKNOWN") != 0)
            br_buf_printf(text, "%s", kw_error_name(*(const int16_t *)at));
        else
            br_buf_printf(text, "%d", *(const int16_t *)at);
        break;
    case KW_T_UINT16: br_buf_printf(text, "%u", *(const uint16_t *)at); break;
    case KW_T_INT32: br_buf_printf(text, "%" PRId32, *(const int32_t *)at); break;
    case KW_T_UINT32: br_buf_printf(text, "%" PRIu32, *(const uint32_t *)at); break;
    case KW_T_INT64: br_buf_printf(text, "%" PRId64, *(const int64_t *)at); break;
    case KW_T_FLOAT64: br_buf_printf(text, "%.17g", *(const double *)at); break;
    case KW_T_UUID: {
        char id[BR_UUID_TEXT];
        br_uuid_text(*(const struct br_uuid *)at, id);
        br_buf_printf(text, "%s", id);
        break;
    }
    case KW_T_STRING: print_string(text, at); break;
    case KW_T_BYTES: {
        const struct br_str *s = at;
        print_bytes(text, s->data, s->len, s->data == NULL);
        break;
    }
    case KW_T_RECORDS: {
        const struct kw_records *r = at;
        print_bytes(text, r->data, r->len, r->is_null);
        break;
    }
    default: print_struct(f->sub, version, at, text);
    }
}

static void print_field(const struct kw_field *f, int version, const void *parent, struct br_buf *text)
{
    const char *at = (const char *)parent + f->offset;
    br_buf_printf(text, "%s=", f->name);
    if (f->flags & KW_F_SECRET) { /* W-5: before anything looks at the value */
        br_buf_printf(text, "***");
    } else if (f->flags & KW_F_ARRAY) {
        int32_t count;
        const char *items;
        memcpy(&count, (const char *)parent + f->count_offset, sizeof count);
        memcpy(&items, at, sizeof items);
        br_buf_printf(text, count < 0 ? "null" : "[");
        for (int32_t i = 0; i < count && !text->failed; i++) {
            br_buf_printf(text, i ? ", " : "");
            print_value(f, version, items + (size_t)i * kw_element_size(f), text);
        }
        br_buf_printf(text, count < 0 ? "" : "]");
    } else if (f->type == KW_T_STRUCT && f->null_from != KW_NEVER) {
        const void *item;
        memcpy(&item, at, sizeof item);
        if (item)
            print_struct(f->sub, version, item, text);
        else
            br_buf_printf(text, "null");
    } else {
        print_value(f, version, at, text);
    }
}

/* A tagged field at its default would not be sent: it is not shown either. */
static void print_struct(const struct kw_struct *type, int version, const void *at, struct br_buf *text)
{
    const char *comma = "";
    br_buf_add8(text, '{');
    for (unsigned i = 0; i < type->count && !text->failed; i++) {
        const struct kw_field *f = &type->fields[i];
        if (version < f->first || version > f->last || (f->tag >= 0 && kw_field_is_default(f, at)))
            continue;
        br_buf_printf(text, "%s", comma);
        print_field(f, version, at, text);
        comma = ", ";
    }
    br_buf_add8(text, '}');
}

void kw_print(const struct kw_message *type, int version, const void *msg, struct br_buf *text)
{
    br_buf_printf(text, "%s", type->name);
    print_struct(type->root, version, msg, text);
}
