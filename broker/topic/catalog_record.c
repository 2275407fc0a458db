/* Catalog records: version 1, kind 1, then the fields of the kind, big-endian; strings with 2-byte lengths (broker/topic/README.md). */
#include "broker/topic/catalog_int.h"
#include "compat/base/mem.h"

void catalog_record_clear(struct catalog_record *r)
{
    broker_overrides_clear(&r->overrides);
}

static void put_text(struct br_buf *out, const char *text, size_t len)
{
    br_buf_add16(out, (uint16_t)len);
    br_buf_add(out, text, len);
}

static void put_overrides(struct br_buf *out, const struct br_map *overrides)
{
    size_t at = 0;
    br_buf_add16(out, (uint16_t)br_map_count(overrides));
    for (struct br_map_entry *e; (e = br_map_next(overrides, &at));) {
        put_text(out, e->key, e->key_len);
        put_text(out, e->value, strlen(e->value));
    }
}

void catalog_record_write(const struct catalog_record *r, struct br_buf *out)
{
    br_buf_add8(out, CATALOG_RECORD_VERSION);
    br_buf_add8(out, (uint8_t)r->kind);
    if (r->kind == CATALOG_COUNTERS) {
        br_buf_add32(out, r->next_stream);
        br_buf_add64(out, (uint64_t)r->next_producer_id);
        return;
    }
    br_buf_add(out, r->id.bytes, sizeof r->id.bytes);
    if (r->kind == CATALOG_TOPIC || r->kind == CATALOG_VIEW)
        put_text(out, r->name.data, r->name.len);
    if (r->kind == CATALOG_TOPIC)
        br_buf_add8(out, r->is_internal);
    if (r->kind == CATALOG_VIEW) {
        br_buf_add64(out, r->view_end);
        br_buf_add64(out, r->view_seen);
    }
    if (r->kind == CATALOG_GROW)
        br_buf_add32(out, (uint32_t)r->first_index);
    if (r->kind == CATALOG_TOPIC || r->kind == CATALOG_GROW) {
        br_buf_add16(out, (uint16_t)r->run_count);
        for (unsigned i = 0; i < r->run_count; i++) {
            br_buf_add32(out, r->runs[i].first);
            br_buf_add32(out, (uint32_t)r->runs[i].count);
        }
    }
    if (r->kind == CATALOG_TOPIC || r->kind == CATALOG_VIEW || r->kind == CATALOG_ALTER)
        put_overrides(out, &r->overrides);
}

static struct br_str get_text(struct br_reader *in)
{
    size_t len = br_read16(in);
    return br_str((const char *)br_read_bytes(in, len), len);
}

static void get_overrides(struct br_reader *in, struct br_map *overrides)
{
    unsigned count = br_read16(in);
    for (unsigned i = 0; i < count && !in->failed; i++) {
        struct br_str key = get_text(in), value = get_text(in);
        if (!in->failed)
            br_free(br_map_put_str(overrides, key, br_strndup(value.data, value.len)));
    }
}

/* False: more runs than fit, an empty one, or partitions beyond what an index can name. */
static bool get_runs(struct br_reader *in, struct catalog_record *out)
{
    int64_t total = out->first_index;
    out->run_count = br_read16(in);
    if (out->run_count > BR_COUNT(out->runs) || out->first_index < 0)
        return false;
    for (unsigned i = 0; i < out->run_count; i++) {
        uint32_t first = br_read32(in);
        int32_t count = (int32_t)br_read32(in);
        total += count;
        if (count <= 0 || total > INT32_MAX || first > UINT32_MAX - (uint32_t)count)
            return false;
        out->runs[i] = (struct catalog_run){first, count};
    }
    return true;
}

enum br_err catalog_record_read(struct br_str bytes, struct catalog_record *out)
{
    struct br_reader in = br_reader(bytes.data, bytes.len);
    *out = (struct catalog_record){0};
    br_map_init(&out->overrides);
    if (br_read8(&in) != CATALOG_RECORD_VERSION)
        return in.failed ? BR_CORRUPT : BR_VERSION;
    out->kind = br_read8(&in);
    if (out->kind == CATALOG_COUNTERS) {
        out->next_stream = br_read32(&in);
        out->next_producer_id = (int64_t)br_read64(&in);
        return in.failed || br_reader_left(&in) > 0 ? BR_CORRUPT : BR_OK;
    }
    if (out->kind < CATALOG_TOPIC || out->kind > CATALOG_VIEW)
        return BR_VERSION;
    const uint8_t *id = br_read_bytes(&in, sizeof out->id.bytes);
    if (id)
        memcpy(out->id.bytes, id, sizeof out->id.bytes);
    if (out->kind == CATALOG_TOPIC || out->kind == CATALOG_VIEW) {
        out->name = get_text(&in);
        if (out->name.len == 0 || out->name.len > CATALOG_NAME_MAX)
            return BR_CORRUPT;
    }
    if (out->kind == CATALOG_TOPIC)
        out->is_internal = br_read8(&in) != 0;
    if (out->kind == CATALOG_VIEW) {
        out->view_end = br_read64(&in);
        out->view_seen = br_read64(&in);
    }
    if (out->kind == CATALOG_GROW)
        out->first_index = (int32_t)br_read32(&in);
    if ((out->kind == CATALOG_TOPIC || out->kind == CATALOG_GROW) && !get_runs(&in, out))
        return BR_CORRUPT;
    if (out->kind == CATALOG_TOPIC || out->kind == CATALOG_VIEW || out->kind == CATALOG_ALTER)
        get_overrides(&in, &out->overrides);
    bool is_whole = !in.failed && br_reader_left(&in) == 0;
    if (is_whole && (out->kind != CATALOG_VIEW || br_map_get_str(&out->overrides, br_str_c("braid.order.view"))))
        return BR_OK;
    catalog_record_clear(out);
    return BR_CORRUPT;
}
