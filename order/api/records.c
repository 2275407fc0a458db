#include "order/api/records.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "compat/zip/zip.h"

enum { FLAG_FIRST = 1, FLAG_LAST = 2 };

/* --- from batches --- */

static bool is_whole(struct braid_batch *b, const struct kw_order_read_response_entry *entry)
{
    if (kw_batch_view(entry->batch.data, entry->batch.len, &b->head) != BR_OK || b->head.size != entry->batch.len || !kw_batch_crc_ok(&b->head))
        return false;
    int64_t count = (int64_t)b->head.last_offset_delta + 1;
    return entry->position >= 0 && b->head.base_offset >= 0 && count >= 1 && entry->position <= INT64_MAX - count && b->head.base_offset <= INT64_MAX - count;
}

enum braid_err braid_batch_open(struct braid_batch *b, const struct kw_order_read_response_entry *entry, size_t inflated_max)
{
    *b = (struct braid_batch){.entry = entry};
    if (!is_whole(b, entry))
        return BRAID_CORRUPT;
    const uint8_t *records = b->head.data + KW_BATCH_HEADER;
    size_t len = b->head.size - KW_BATCH_HEADER;
    int codec = kw_batch_codec(&b->head);
    br_buf_init(&b->plain, inflated_max);
    if (codec != KW_CODEC_NONE && b->head.record_count > 0) {
        if (kw_zip_inflate_buf(codec, records, len, inflated_max, &b->plain) != BR_OK) {
            br_buf_clear(&b->plain);
            return BRAID_CORRUPT;
        }
        records = b->plain.data;
        len = b->plain.len;
    }
    kw_record_iter_init(&b->iter, &b->head, records, len);
    b->topic = br_strndup(entry->topic.data, entry->topic.len);
    return BRAID_OK;
}

static enum braid_err read_headers(struct braid_batch *b, struct kw_record *r)
{
    struct br_str key, value;
    size_t count = 0;
    enum br_err err;
    while ((err = kw_record_next_header(r, &key, &value)) == BR_OK) {
        if (count == b->header_cap) {
            b->header_cap = BR_MAX(b->header_cap * 2, (size_t)8);
            b->headers = br_realloc(b->headers, b->header_cap * sizeof *b->headers);
        }
        b->headers[count++] = (struct braid_header){key.data, key.len, value.data, value.len};
    }
    b->record.headers = b->headers;
    b->record.header_count = count;
    return err == BR_EOF ? BRAID_OK : BRAID_CORRUPT;
}

enum braid_err braid_batch_next(struct braid_batch *b)
{
    struct kw_record r;
    const struct kw_order_read_response_entry *e = b->entry;
    enum br_err err = BR_EOF;
    if (kw_batch_is_control(&b->head))
        return BRAID_CLOSED; /* for readers of transactions only */
    do {
        err = kw_record_next(&b->iter, &r);
    } while (err == BR_OK && r.offset < e->first_offset);
    if (err != BR_OK)
        return err == BR_EOF ? BRAID_CLOSED : BRAID_CORRUPT;
    if (r.offset > kw_batch_last_offset(&b->head))
        return BRAID_CORRUPT;
    b->record = (struct braid_record){
        .position = e->position + (r.offset - b->head.base_offset),
        .topic = b->topic,
        .partition = e->partition,
        .offset = r.offset,
        .timestamp = r.timestamp,
        .key = r.key.data,
        .key_len = r.key.len,
        .value = r.value.data,
        .value_len = r.value.len,
        .is_first = (e->flags & FLAG_FIRST) && r.offset == b->head.base_offset,
        .is_last = (e->flags & FLAG_LAST) && r.offset == kw_batch_last_offset(&b->head),
    };
    return read_headers(b, &r);
}

void braid_batch_close(struct braid_batch *b)
{
    br_buf_clear(&b->plain);
    br_free(b->topic);
    br_free(b->headers);
    *b = (struct braid_batch){0};
}

/* --- to batches --- */

static bool is_fit(const void *data, size_t len) { return data || len == 0; }

static enum braid_err check_message(const struct braid_message *m)
{
    if (!is_fit(m->key, m->key_len) || !is_fit(m->value, m->value_len) || (m->header_count > 0 && !m->headers) || m->header_count > INT16_MAX || m->timestamp < 0)
        return BRAID_INVALID;
    for (size_t i = 0; i < m->header_count; i++)
        if (!m->headers[i].key || !is_fit(m->headers[i].value, m->headers[i].value_len))
            return BRAID_INVALID;
    return BRAID_OK;
}

static void add_message(struct kw_batch_builder *b, int64_t offset, const struct braid_message *m, int64_t now_ms, struct kw_header *headers)
{
    for (size_t i = 0; i < m->header_count; i++)
        headers[i] = (struct kw_header){br_str(m->headers[i].key, m->headers[i].key_len), br_str(m->headers[i].value, m->headers[i].value_len)};
    kw_batch_builder_add(b, offset, m->timestamp ? m->timestamp : now_ms, br_str(m->key, m->key_len), br_str(m->value, m->value_len), br_str(NULL, 0), 0, headers,
                         (int32_t)m->header_count);
}

enum braid_err braid_batch_build(const struct braid_message *messages, size_t count, enum braid_codec codec, int64_t now_ms, struct br_buf *out)
{
    struct kw_batch_builder b;
    size_t header_max = 0;
    uint32_t size;
    if (!messages || count == 0 || count > INT32_MAX)
        return BRAID_INVALID;
    for (size_t i = 0; i < count; i++) {
        if (check_message(&messages[i]) != BRAID_OK)
            return BRAID_INVALID;
        header_max = BR_MAX(header_max, messages[i].header_count);
    }
    struct kw_header *headers = br_alloc_array(header_max, sizeof *headers);
    kw_batch_builder_init(&b, out, 0, messages[0].timestamp ? messages[0].timestamp : now_ms, 0);
    for (size_t i = 0; i < count && !out->failed; i++)
        add_message(&b, (int64_t)i, &messages[i], now_ms, headers);
    br_free(headers);
    return kw_batch_builder_finish(&b, (int)codec, INT32_MIN, &size) == BR_OK ? BRAID_OK : BRAID_TOO_LARGE;
}

/* --- records that are kept --- */

static const void *copy_bytes(const void *data, size_t len)
{
    return data ? br_strndup(data, len) : NULL;
}

void braid_record_list_add(struct braid_record_list *list, const struct braid_record *r)
{
    if (list->count == list->cap) {
        list->cap = BR_MAX(list->cap * 2, (size_t)16);
        list->items = br_realloc(list->items, list->cap * sizeof *list->items);
    }
    struct braid_record *to = &list->items[list->count++];
    *to = *r;
    to->topic = br_strdup(r->topic);
    to->key = copy_bytes(r->key, r->key_len);
    to->value = copy_bytes(r->value, r->value_len);
    struct braid_header *headers = r->header_count ? br_alloc_array(r->header_count, sizeof *headers) : NULL;
    for (size_t i = 0; i < r->header_count; i++)
        headers[i] = (struct braid_header){copy_bytes(r->headers[i].key, r->headers[i].key_len), r->headers[i].key_len,
                                           copy_bytes(r->headers[i].value, r->headers[i].value_len), r->headers[i].value_len};
    to->headers = headers;
}

void braid_record_list_clear(struct braid_record_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct braid_record *r = &list->items[i];
        for (size_t h = 0; h < r->header_count; h++) {
            br_free((void *)r->headers[h].key);
            br_free((void *)r->headers[h].value);
        }
        br_free((void *)r->headers);
        br_free((void *)r->topic);
        br_free((void *)r->key);
        br_free((void *)r->value);
    }
    br_free(list->items);
    *list = (struct braid_record_list){0};
}
