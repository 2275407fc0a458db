/* Iteration over records and headers. */
#include "compat/batch/record.h"
#include "compat/batch/record_int.h"

void kw_record_iter_init(struct kw_record_iter *it, const struct kw_batch *b, const uint8_t *records, size_t len)
{
    it->in = br_reader(records, len);
    it->batch = *b;
    it->left = b->record_count;
}

static struct br_str as_str(const uint8_t *data, uint32_t len) { return br_str((const char *)data, len); }

/* Numbers from outside may leave the range of int64: they wrap, as they do for Java readers. */
static int64_t add_wrapping(int64_t a, int64_t b) { return (int64_t)((uint64_t)a + (uint64_t)b); }

enum br_err kw_record_next(struct kw_record_iter *it, struct kw_record *out)
{
    struct br_reader *in = &it->in;
    struct raw_record raw;
    if (in->failed)
        return BR_CORRUPT;
    if (it->left <= 0) {
        in->failed = in->at != in->end || it->left < 0;
        return in->failed ? BR_CORRUPT : BR_EOF;
    }
    int32_t len;
    if (!raw_varint(&in->at, in->end, &len) || len < 1 || len > in->end - in->at
        || !raw_record_body(in->at, (uint32_t)len, &raw) || !raw_record_headers_ok(&raw)) {
        in->failed = true;
        return BR_CORRUPT;
    }
    in->at += len;
    it->left--;
    out->offset = add_wrapping(it->batch.base_offset, raw.offset_delta);
    out->timestamp = it->batch.attributes & KW_BATCH_LOG_APPEND_TIME
        ? it->batch.max_timestamp
        : add_wrapping(it->batch.base_timestamp, raw.timestamp_delta);
    out->attributes = raw.attributes;
    out->key = as_str(raw.key, raw.key_len);
    out->value = as_str(raw.value, raw.value_len);
    out->header_count = raw.header_count;
    out->headers = br_reader(raw.headers, (size_t)(raw.body + raw.body_len - raw.headers));
    out->body = raw.body;
    out->body_len = raw.body_len;
    return BR_OK;
}

enum br_err kw_record_next_header(struct kw_record *r, struct br_str *key, struct br_str *value)
{
    const uint8_t *k, *v;
    uint32_t k_len, v_len;
    if (r->headers.failed)
        return BR_CORRUPT;
    if (r->headers.at == r->headers.end)
        return BR_EOF;
    if (!raw_header(&r->headers.at, r->headers.end, &k, &k_len, &v, &v_len)) {
        r->headers.failed = true;
        return BR_CORRUPT;
    }
    *key = as_str(k, k_len);
    *value = as_str(v, v_len);
    return BR_OK;
}
