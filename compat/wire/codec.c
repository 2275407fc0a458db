/* The interpreter of the tables in compat/gen: default, decode, encode.
 *
 * One walk over a structure's rows does everything; a row says where the field lies in the C struct, in which
 * versions it exists and what it holds. Both walks keep the first thing that went wrong and go on with nothing
 * to do, so that only loops test for it. What comes off the wire is compared with the bytes left before memory is
 * taken for it, and memory is taken from the request's arena alone.
 * Not here: what a message means, and headers (header.c). */
#include "compat/wire/codec.h"
#include "compat/wire/table.h"
#include "compat/base/mem.h"

/* kwgen.py refuses more than 6 levels of fields, and the root is one more structure. */
#define DEPTH_MAX 8
/* Kafka's own limit on strings, in both encodings. */
#define STRING_MAX INT16_MAX

static const struct {
    uint8_t memory, wire; /* size in an array in memory; fewest bytes on the wire */
} sizes[] = {
    [KW_T_BOOL] = {sizeof(bool), 1},
    [KW_T_INT8] = {1, 1},
    [KW_T_INT16] = {2, 2},
    [KW_T_UINT16] = {2, 2},
    [KW_T_INT32] = {4, 4},
    [KW_T_UINT32] = {4, 4},
    [KW_T_INT64] = {8, 8},
    [KW_T_FLOAT64] = {8, 8},
    [KW_T_UUID] = {sizeof(struct br_uuid), 16},
    [KW_T_STRING] = {sizeof(struct br_str), 1},
    [KW_T_BYTES] = {sizeof(struct br_str), 1},
    [KW_T_RECORDS] = {sizeof(struct kw_records), 1},
    [KW_T_STRUCT] = {0, 1},
};

size_t kw_element_size(const struct kw_field *f)
{
    return f->type == KW_T_STRUCT ? f->sub->size : sizes[f->type].memory;
}

/* A nullable structure lies behind a pointer, any other inside its parent. */
static bool is_pointer(const struct kw_field *f)
{
    return f->type == KW_T_STRUCT && f->null_from != KW_NEVER && !(f->flags & KW_F_ARRAY);
}

static void *items_of(const struct kw_field *f, const void *parent)
{
    void *items;
    memcpy(&items, (const char *)parent + f->offset, sizeof items);
    return items;
}

static void set_items(const struct kw_field *f, void *parent, void *items)
{
    memcpy((char *)parent + f->offset, &items, sizeof items);
}

static int32_t *count_of(const struct kw_field *f, const void *parent)
{
    return (int32_t *)(void *)((char *)parent + f->count_offset);
}

/* --- defaults --- */

static void default_struct(const struct kw_struct *type, void *at);

static void default_number(const struct kw_field *f, void *at)
{
    BR_ASSERT(f->type <= KW_T_FLOAT64);
    switch (f->type) {
    case KW_T_BOOL: *(bool *)at = f->number != 0; break;
    case KW_T_INT8: *(int8_t *)at = (int8_t)f->number; break;
    case KW_T_INT16: *(int16_t *)at = (int16_t)f->number; break;
    case KW_T_UINT16: *(uint16_t *)at = (uint16_t)f->number; break;
    case KW_T_INT32: *(int32_t *)at = (int32_t)f->number; break;
    case KW_T_UINT32: *(uint32_t *)at = (uint32_t)f->number; break;
    case KW_T_INT64: *(int64_t *)at = f->number; break;
    case KW_T_FLOAT64: *(double *)at = (double)f->number; break;
    default: break;
    }
}

static void default_field(const struct kw_field *f, void *parent)
{
    bool null = f->flags & KW_F_DEFAULT_NULL;
    char *at = (char *)parent + f->offset;
    if (f->flags & KW_F_ARRAY) {
        set_items(f, parent, NULL);
        *count_of(f, parent) = null ? -1 : 0;
        return;
    }
    if (is_pointer(f)) {
        set_items(f, parent, NULL);
        return;
    }
    switch (f->type) {
    case KW_T_UUID: memset(at, 0, sizeof(struct br_uuid)); break;
    case KW_T_STRING:
    case KW_T_BYTES: *(struct br_str *)(void *)at = br_str(null ? NULL : "", 0); break;
    case KW_T_RECORDS: *(struct kw_records *)(void *)at = (struct kw_records){.is_null = null}; break;
    case KW_T_STRUCT: default_struct(f->sub, at); break;
    default: default_number(f, at);
    }
}

static void default_struct(const struct kw_struct *type, void *at)
{
    for (unsigned i = 0; i < type->count; i++)
        default_field(&type->fields[i], at);
}

void kw_default(const struct kw_message *type, void *msg)
{
    default_struct(type->root, msg);
}

void *kw_array_new(const struct kw_struct *type, struct br_arena *arena, size_t count)
{
    char *items = br_arena_array(arena, BR_MAX(count, (size_t)1), type->size);
    for (size_t i = 0; items && i < count; i++)
        default_struct(type, items + i * type->size);
    return items;
}

size_t kw_struct_size(const struct kw_message *type)
{
    return type->root->size;
}

static bool is_default_number(const struct kw_field *f, const void *at)
{
    BR_ASSERT(f->type <= KW_T_FLOAT64);
    switch (f->type) {
    case KW_T_BOOL: return *(const bool *)at == (f->number != 0);
    case KW_T_INT8: return *(const int8_t *)at == f->number;
    case KW_T_INT16: return *(const int16_t *)at == f->number;
    case KW_T_UINT16: return *(const uint16_t *)at == f->number;
    case KW_T_INT32: return *(const int32_t *)at == f->number;
    case KW_T_UINT32: return *(const uint32_t *)at == f->number;
    case KW_T_INT64: return *(const int64_t *)at == f->number;
    case KW_T_FLOAT64: return *(const double *)at == (double)f->number;
    default: break;
    }
    return false;
}

bool kw_field_is_default(const struct kw_field *f, const void *parent)
{
    bool null = f->flags & KW_F_DEFAULT_NULL;
    const char *at = (const char *)parent + f->offset;
    if (f->flags & KW_F_ARRAY)
        return null ? *count_of(f, parent) < 0 : *count_of(f, parent) == 0;
    if (is_pointer(f))
        return items_of(f, parent) == NULL;
    switch (f->type) {
    case KW_T_UUID: return br_uuid_is_zero(*(const struct br_uuid *)(const void *)at);
    case KW_T_STRING:
    case KW_T_BYTES: {
        const struct br_str *s = (const void *)at;
        return null ? s->data == NULL : s->data != NULL && s->len == 0;
    }
    case KW_T_STRUCT:
        for (unsigned i = 0; i < f->sub->count; i++)
            if (!kw_field_is_default(&f->sub->fields[i], at))
                return false;
        return true;
    default: return is_default_number(f, at);
    }
}

/* --- decode --- */

struct decoder {
    struct br_reader in;
    struct br_arena *arena;
    struct br_errbuf *eb;
    enum br_err err; /* the first thing wrong */
    int version;
    bool flexible;
    unsigned depth;
    const char *path[DEPTH_MAX + 1]; /* message, then a field a level; for texts */
};

static void fail(struct decoder *d, enum br_err err, const char *why)
{
    char path[256];
    size_t len = 0;
    if (d->err != BR_OK)
        return;
    d->err = err;
    d->in.failed = true;
    if (!d->eb)
        return;
    path[0] = '\0';
    for (unsigned i = 0; i <= d->depth && len < sizeof path; i++)
        len += (size_t)snprintf(path + len, sizeof path - len, "%s%s", i ? "." : "", d->path[i]);
    (void)br_errbuf_set(d->eb, err, "%s: %s", path, why);
}

/* A length or count: -1 is null, anything else fits into int32 and is not negative. */
static int32_t read_length(struct decoder *d, const struct kw_field *f, bool is_short)
{
    int64_t n;
    if (d->flexible)
        n = (int64_t)br_read_uvarint(&d->in) - 1;
    else if (is_short)
        n = (int16_t)br_read16(&d->in);
    else
        n = (int32_t)br_read32(&d->in);
    if (d->in.failed) {
        fail(d, BR_CORRUPT, "bytes end inside a length");
        return -1;
    }
    if (n < -1 || n > INT32_MAX) {
        fail(d, BR_CORRUPT, "impossible length");
        return -1;
    }
    if (n == -1 && f->null_from > d->version)
        fail(d, BR_CORRUPT, "null where none is allowed");
    return (int32_t)n;
}

/* Borrowed bytes after their length. */
static struct br_str read_blob(struct decoder *d, const struct kw_field *f, bool is_string)
{
    int32_t len = read_length(d, f, is_string);
    if (len < 0 || d->err != BR_OK)
        return br_str(NULL, 0);
    if (is_string && len > STRING_MAX) {
        fail(d, BR_CORRUPT, "string too long");
        return br_str(NULL, 0);
    }
    const uint8_t *p = br_read_bytes(&d->in, (size_t)len);
    if (!p && len > 0)
        fail(d, BR_CORRUPT, "bytes end inside it");
    return br_str(len == 0 ? "" : (const char *)p, p ? (size_t)len : 0);
}

static void decode_struct(struct decoder *d, const struct kw_struct *type, void *at);

/* One value of the field's type: the field itself or an element of its array. */
static void decode_value(struct decoder *d, const struct kw_field *f, void *at)
{
    switch (f->type) {
    case KW_T_BOOL: *(bool *)at = br_read8(&d->in) != 0; break;
    case KW_T_INT8: *(int8_t *)at = (int8_t)br_read8(&d->in); break;
    case KW_T_INT16:
    case KW_T_UINT16: *(uint16_t *)at = br_read16(&d->in); break;
    case KW_T_INT32:
    case KW_T_UINT32: *(uint32_t *)at = br_read32(&d->in); break;
    case KW_T_INT64:
    case KW_T_FLOAT64: {
        uint64_t bits = br_read64(&d->in);
        memcpy(at, &bits, sizeof bits);
        break;
    }
    case KW_T_UUID: {
        const uint8_t *p = br_read_bytes(&d->in, sizeof(struct br_uuid));
        if (p)
            memcpy(at, p, sizeof(struct br_uuid));
        break;
    }
    case KW_T_STRING: *(struct br_str *)at = read_blob(d, f, true); break;
    case KW_T_BYTES: *(struct br_str *)at = read_blob(d, f, false); break;
    case KW_T_RECORDS: {
        struct br_str s = read_blob(d, f, false);
        *(struct kw_records *)at = (struct kw_records){(const uint8_t *)s.data, s.len, NULL, s.data == NULL};
        break;
    }
    default: decode_struct(d, f->sub, at);
    }
    if (d->in.failed)
        fail(d, BR_CORRUPT, "bytes end inside it");
}

static void decode_array(struct decoder *d, const struct kw_field *f, void *parent)
{
    size_t size = kw_element_size(f);
    int32_t count = read_length(d, f, false);
    default_field(f, parent);
    *count_of(f, parent) = -1;
    if (count < 0 || d->err != BR_OK)
        return;
    /* W-1, before the allocation below */
    if (count > KW_ARRAY_MAX || (size_t)count > br_reader_left(&d->in) / sizes[f->type].wire) {
        fail(d, BR_CORRUPT, "array count does not fit the bytes left");
        return;
    }
    *count_of(f, parent) = 0;
    if (count == 0)
        return;
    char *items = br_arena_array(d->arena, (size_t)count, size);
    if (!items) {
        fail(d, BR_NOMEM, "no memory left for this request");
        return;
    }
    for (int32_t i = 0; i < count && d->err == BR_OK; i++)
        decode_value(d, f, items + (size_t)i * size);
    set_items(f, parent, items);
    *count_of(f, parent) = count;
}

/* A byte in front: negative for null. */
static void decode_pointer(struct decoder *d, const struct kw_field *f, void *parent)
{
    int8_t mark = (int8_t)br_read8(&d->in);
    default_field(f, parent);
    if (d->in.failed)
        fail(d, BR_CORRUPT, "bytes end before it");
    if (mark < 0 && f->null_from > d->version)
        fail(d, BR_CORRUPT, "null where none is allowed");
    if (mark < 0 || d->err != BR_OK)
        return;
    void *item = br_arena_alloc(d->arena, f->sub->size);
    if (!item) {
        fail(d, BR_NOMEM, "no memory left for this request");
        return;
    }
    decode_struct(d, f->sub, item);
    set_items(f, parent, item);
}

static void decode_field(struct decoder *d, const struct kw_field *f, void *parent)
{
    BR_ASSERT(d->depth < DEPTH_MAX);
    d->path[++d->depth] = f->name;
    if (f->flags & KW_F_ARRAY)
        decode_array(d, f, parent);
    else if (is_pointer(f))
        decode_pointer(d, f, parent);
    else
        decode_value(d, f, (char *)parent + f->offset);
    d->depth--;
}

static const struct kw_field *find_tag(const struct kw_struct *type, int version, uint32_t tag)
{
    for (unsigned i = 0; i < type->count; i++) {
        const struct kw_field *f = &type->fields[i];
        if (f->tag >= 0 && (uint32_t)f->tag == tag)
            return f->first <= version && version <= f->last ? f : NULL;
    }
    return NULL;
}

bool kw_tag_next(struct br_reader *in, uint32_t *tag, struct br_reader *value)
{
    *tag = br_read_uvarint(in);
    uint32_t size = br_read_uvarint(in);
    const uint8_t *p = br_read_bytes(in, size);
    if (!p)
        return false;
    *value = br_reader(p, size);
    return true;
}

bool kw_tag_count(struct br_reader *in, uint32_t *count)
{
    *count = br_read_uvarint(in);
    /* A tag takes two bytes at least. */
    if (*count > KW_TAGS_MAX || *count > br_reader_left(in) / 2)
        in->failed = true;
    return !in->failed;
}

/* A known tag is decoded inside its declared size, an unknown one (also one of another version) is passed over.
 * Tags in any order are taken, as Kafka does. */
static void decode_tags(struct decoder *d, const struct kw_struct *type, void *at)
{
    uint32_t count, tag;
    if (!kw_tag_count(&d->in, &count)) {
        fail(d, BR_CORRUPT, "bad tag section");
        return;
    }
    for (uint32_t i = 0; i < count && d->err == BR_OK; i++) {
        struct br_reader value;
        if (!kw_tag_next(&d->in, &tag, &value)) {
            fail(d, BR_CORRUPT, "bad tag section");
            return;
        }
        const struct kw_field *f = find_tag(type, d->version, tag);
        if (!f)
            continue;
        struct br_reader after = d->in;
        d->in = value;
        decode_field(d, f, at);
        if (br_reader_left(&d->in) > 0)
            fail(d, BR_CORRUPT, "tagged field shorter than its declared size");
        if (d->err == BR_OK)
            d->in = after;
    }
}

static void decode_struct(struct decoder *d, const struct kw_struct *type, void *at)
{
    for (unsigned i = 0; i < type->count && d->err == BR_OK; i++) {
        const struct kw_field *f = &type->fields[i];
        if (f->tag < 0 && f->first <= d->version && d->version <= f->last)
            decode_field(d, f, at);
        else
            default_field(f, at);
    }
    if (d->flexible && d->err == BR_OK)
        decode_tags(d, type, at);
}

enum br_err kw_decode(const struct kw_message *type, int version, struct br_reader *in, struct br_arena *arena,
                      void *msg, struct br_errbuf *eb)
{
    struct decoder d = {.in = *in, .arena = arena, .eb = eb, .version = version, .path = {type->name}};
    if (version < type->min || version > type->max)
        return br_errbuf_set(eb, BR_UNSUPPORTED, "%s: version %d", type->name, version);
    d.flexible = version >= type->flexible_from;
    if (d.in.failed)
        fail(&d, BR_CORRUPT, "reader has failed before");
    else
        decode_struct(&d, type->root, msg);
    if (d.err == BR_OK)
        *in = d.in; /* W-2: only now */
    return d.err;
}
