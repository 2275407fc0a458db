#include "tests/support/gen.h"
#include "compat/wire/table.h"

struct gen {
    struct br_rand *rand;
    struct br_arena *arena;
    int version;
};

static void *must(void *p)
{
    BR_ASSERT(p);
    return p;
}

static int64_t number(struct gen *g)
{
    static const int64_t extremes[] = {0, 1, -1, INT8_MIN, INT8_MAX, INT16_MIN, INT16_MAX, INT32_MIN, INT32_MAX,
                                       INT64_MIN, INT64_MAX};
    if (br_rand_chance(g->rand, 40))
        return extremes[br_rand_below(g->rand, BR_COUNT(extremes))];
    return (int64_t)br_rand_u64(g->rand);
}

static size_t length(struct gen *g)
{
    /* Now and then long enough for a compact length of two bytes. */
    return br_rand_chance(g->rand, 5) ? 127 + br_rand_below(g->rand, 3) : br_rand_below(g->rand, 7);
}

static struct br_str string(struct gen *g, bool nullable)
{
    if (nullable && br_rand_chance(g->rand, 30))
        return br_str(NULL, 0);
    size_t len = length(g);
    char *data = must(br_arena_alloc(g->arena, len + 1));
    for (size_t i = 0; i < len; i++)
        data[i] = (char)br_rand_below(g->rand, 256);
    return br_str(data, len);
}

static void fill_struct(struct gen *g, const struct kw_struct *type, void *at);

static void fill_value(struct gen *g, const struct kw_field *f, void *at)
{
    bool nullable = f->null_from <= g->version && !(f->flags & KW_F_ARRAY);
    int64_t n = number(g);
    struct br_str s;
    switch (f->type) {
    case KW_T_BOOL: *(bool *)at = n & 1; break;
    case KW_T_INT8: *(int8_t *)at = (int8_t)n; break;
    case KW_T_INT16:
    case KW_T_UINT16: *(int16_t *)at = (int16_t)n; break;
    case KW_T_INT32:
    case KW_T_UINT32: *(int32_t *)at = (int32_t)n; break;
    case KW_T_INT64: *(int64_t *)at = n; break;
    case KW_T_FLOAT64: *(double *)at = (double)n; break;
    case KW_T_UUID:
        for (int i = 0; i < 16; i++)
            ((struct br_uuid *)at)->bytes[i] = (uint8_t)(n >> (i % 8));
        break;
    case KW_T_STRING:
    case KW_T_BYTES: *(struct br_str *)at = string(g, nullable); break;
    case KW_T_RECORDS:
        s = string(g, nullable);
        *(struct kw_records *)at = (struct kw_records){(const uint8_t *)s.data, s.len, NULL, s.data == NULL};
        break;
    default: fill_struct(g, f->sub, at);
    }
}

static void fill_field(struct gen *g, const struct kw_field *f, void *parent)
{
    char *at = (char *)parent + f->offset;
    bool null = f->null_from <= g->version && br_rand_chance(g->rand, 25);
    if (f->flags & KW_F_ARRAY) {
        size_t size = kw_element_size(f);
        int32_t count = null ? -1 : (int32_t)(f->type == KW_T_STRUCT ? br_rand_below(g->rand, 3) : length(g));
        char *items = count > 0 ? must(br_arena_array(g->arena, (size_t)count, size)) : NULL;
        for (int32_t i = 0; i < count; i++)
            fill_value(g, f, items + (size_t)i * size);
        memcpy(at, &items, sizeof items);
        memcpy((char *)parent + f->count_offset, &count, sizeof count);
    } else if (f->type == KW_T_STRUCT && f->null_from != KW_NEVER) {
        void *item = null ? NULL : must(br_arena_alloc(g->arena, f->sub->size));
        if (item)
            fill_struct(g, f->sub, item);
        memcpy(at, &item, sizeof item);
    } else {
        fill_value(g, f, at);
    }
}

static void fill_struct(struct gen *g, const struct kw_struct *type, void *at)
{
    /* The defaults first, as kw_array_new sets them: a structure alone has no function for it. */
    void *fresh = must(kw_array_new(type, g->arena, 1));
    memcpy(at, fresh, type->size);
    for (unsigned i = 0; i < type->count; i++) {
        const struct kw_field *f = &type->fields[i];
        if (f->first <= g->version && g->version <= f->last && br_rand_chance(g->rand, f->tag < 0 ? 90 : 50))
            fill_field(g, f, at);
    }
}

void gen_message(const struct kw_message *type, int version, struct br_rand *rand, struct br_arena *arena, void *msg)
{
    struct gen g = {rand, arena, version};
    fill_struct(&g, type->root, msg);
}
