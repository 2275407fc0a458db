/* Batches that a broker writes itself. Records are encoded straight into the output behind a hole for the header;
 * finish packs them if asked, and fills the hole. */
#include "compat/batch/builder.h"
#include "compat/base/reader.h"

void kw_batch_builder_init(struct kw_batch_builder *b, struct br_buf *out, int64_t base_offset, int64_t base_timestamp,
                           int16_t attributes)
{
    static const uint8_t hole[KW_BATCH_HEADER];
    BR_ASSERT((attributes & KW_BATCH_CODEC_MASK) == 0);
    *b = (struct kw_batch_builder){
        .out = out,
        .start = out->len,
        .base_offset = base_offset,
        .last_offset = base_offset - 1,
        .base_timestamp = base_timestamp,
        .max_timestamp = -1,
        .attributes = attributes,
        .leader_epoch = -1,
        .producer_id = -1,
        .producer_epoch = -1,
        .base_sequence = -1,
    };
    br_buf_add(out, hole, sizeof hole);
}

static size_t bytes_size(struct br_str s)
{
    return br_str_is_null(s) ? br_varint_size(-1) : br_varint_size((int32_t)s.len) + s.len;
}

static void add_bytes(struct br_buf *out, struct br_str s)
{
    br_buf_add_varint(out, br_str_is_null(s) ? -1 : (int32_t)s.len);
    br_buf_add(out, s.data, s.len);
}

/* Lengths are int32 in a record; out's limit is what bounds them in practice. */
static bool is_too_long(struct br_str s) { return s.len > INT32_MAX / 4; }

void kw_batch_builder_add(struct kw_batch_builder *b, int64_t offset, int64_t timestamp, struct br_str key,
                          struct br_str value, struct br_str raw_headers, int32_t raw_header_count,
                          const struct kw_header *headers, int32_t header_count)
{
    BR_ASSERT(offset > b->last_offset);
    BR_ASSERT(raw_header_count >= 0 && header_count >= 0);
    int32_t offset_delta = (int32_t)(offset - b->base_offset);
    int64_t timestamp_delta = (int64_t)((uint64_t)timestamp - (uint64_t)b->base_timestamp);
    size_t size = 1 + br_varlong_size(timestamp_delta) + br_varint_size(offset_delta) + bytes_size(key)
        + bytes_size(value) + br_varint_size(raw_header_count + header_count) + raw_headers.len;
    bool is_refused = is_too_long(key) || is_too_long(value) || is_too_long(raw_headers);
    for (int32_t i = 0; i < header_count; i++) {
        size += bytes_size(headers[i].key) + bytes_size(headers[i].value);
        is_refused = is_refused || is_too_long(headers[i].key) || is_too_long(headers[i].value);
    }
    if (is_refused || size > INT32_MAX) {
        b->out->failed = true;
        return;
    }
    br_buf_add_varint(b->out, (int32_t)size);
    size_t body = b->out->len;
    br_buf_add8(b->out, 0);
    br_buf_add_varlong(b->out, timestamp_delta);
    br_buf_add_varint(b->out, offset_delta);
    add_bytes(b->out, key);
    add_bytes(b->out, value);
    br_buf_add_varint(b->out, raw_header_count + header_count);
    br_buf_add(b->out, raw_headers.data, raw_headers.len);
    for (int32_t i = 0; i < header_count; i++) {
        BR_ASSERT(!br_str_is_null(headers[i].key));
        add_bytes(b->out, headers[i].key);
        add_bytes(b->out, headers[i].value);
    }
    BR_ASSERT(b->out->failed || b->out->len - body == size);
    b->last_offset = offset;
    b->max_timestamp = BR_MAX(b->max_timestamp, timestamp);
    b->count++;
}

size_t kw_batch_builder_size(const struct kw_batch_builder *b)
{
    return b->out->len - b->start;
}

void kw_batch_builder_cover(struct kw_batch_builder *b, int64_t last_offset)
{
    BR_ASSERT(last_offset >= b->last_offset);
    b->last_offset = last_offset;
}

/* Replaces out's bytes from `at` on by their packed form. */
static enum br_err pack_tail(struct br_buf *out, size_t at, int codec, int level)
{
    struct br_buf packed;
    br_buf_init(&packed, out->limit - at);
    enum br_err err = kw_zip_deflate(codec, level, out->data + at, out->len - at, &packed);
    if (err == BR_OK) {
        out->len = at;
        br_buf_add(out, packed.data, packed.len);
        BR_ASSERT(!out->failed);
    }
    br_buf_clear(&packed);
    return err;
}

enum br_err kw_batch_builder_finish(struct kw_batch_builder *b, int codec, int level, uint32_t *size)
{
    struct br_buf *out = b->out;
    int64_t span = b->last_offset - b->base_offset;
    if (out->failed)
        return BR_TOO_LARGE;
    if (span < 0 || span > INT32_MAX)
        return BR_RANGE;
    if (b->count == 0)
        codec = KW_CODEC_NONE; /* nothing to pack: readers find 61 bytes that stand for themselves */
    if (codec != KW_CODEC_NONE) {
        enum br_err err = pack_tail(out, b->start + KW_BATCH_HEADER, codec, level);
        if (err != BR_OK)
            return err;
    }
    if (out->len - b->start > INT32_MAX)
        return BR_TOO_LARGE;
    struct kw_batch h = {
        .size = (uint32_t)(out->len - b->start),
        .base_offset = b->base_offset,
        .leader_epoch = b->leader_epoch,
        .attributes = (int16_t)(b->attributes | codec),
        .last_offset_delta = (int32_t)span,
        .base_timestamp = b->base_timestamp,
        .max_timestamp = b->max_timestamp,
        .producer_id = b->producer_id,
        .producer_epoch = b->producer_epoch,
        .base_sequence = b->base_sequence,
        .record_count = b->count,
    };
    kw_batch_write_header(out->data + b->start, &h);
    *size = h.size;
    return BR_OK;
}

enum br_err kw_control_batch(struct br_buf *out, int64_t base_offset, int64_t last_offset, int64_t timestamp,
                             int16_t type, int64_t producer_id, int16_t producer_epoch, struct br_str value)
{
    struct kw_batch_builder b;
    uint8_t key[4]; /* version 0, type */
    uint32_t size;
    size_t before = out->len;
    bool is_marker = type == KW_CONTROL_ABORT || type == KW_CONTROL_COMMIT;
    BR_ASSERT(last_offset >= base_offset);
    br_store16(key, 0);
    br_store16(key + 2, (uint16_t)type);
    kw_batch_builder_init(&b, out, base_offset, timestamp,
                          (int16_t)(KW_BATCH_CONTROL | (is_marker ? KW_BATCH_TRANSACTIONAL : 0)));
    b.producer_id = producer_id;
    b.producer_epoch = producer_epoch;
    kw_batch_builder_add(&b, base_offset, timestamp, br_str((const char *)key, sizeof key),
                         br_str(value.data ? value.data : "", value.len), br_str(NULL, 0), 0, NULL, 0);
    kw_batch_builder_cover(&b, last_offset);
    enum br_err err = kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size);
    if (err != BR_OK)
        out->len = before;
    return err;
}

enum br_err kw_batch_recompress(const struct kw_batch *src, int codec, int level, size_t inflated_max,
                                struct br_buf *out)
{
    struct br_buf plain;
    size_t start = out->len;
    const uint8_t *records = src->data + KW_BATCH_HEADER;
    size_t records_len = src->size - KW_BATCH_HEADER;
    int from = kw_batch_codec(src);
    enum br_err err = BR_OK;
    br_buf_init(&plain, inflated_max);
    if (codec != from && from != KW_CODEC_NONE && src->record_count > 0) {
        err = kw_zip_inflate_buf(from, records, records_len, inflated_max, &plain);
        records = plain.data;
        records_len = plain.len;
    }
    if (err == BR_OK)
        err = br_buf_room(out, KW_BATCH_HEADER) ? BR_OK : BR_TOO_LARGE;
    if (err == BR_OK) {
        out->len += KW_BATCH_HEADER;
        int pack = codec == from || src->record_count == 0 ? KW_CODEC_NONE : codec;
        err = kw_zip_deflate(pack, level, records, records_len, out);
    }
    br_buf_clear(&plain);
    if (err == BR_OK && out->len - start > INT32_MAX)
        err = BR_TOO_LARGE;
    if (err != BR_OK) {
        out->len = start;
        return err;
    }
    struct kw_batch h = *src;
    h.size = (uint32_t)(out->len - start);
    h.attributes = (int16_t)((src->attributes & ~KW_BATCH_CODEC_MASK) | codec);
    kw_batch_write_header(out->data + start, &h);
    return BR_OK;
}
