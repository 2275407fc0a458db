/* Walking a segment: every number read is bytes from outside until proved. */
#include "storage/segment.h"
#include "compat/base/mem.h"

void store_scan_init(struct store_scan *scan, struct store_file *file, int64_t at, int64_t limit, bool nowait)
{
    BR_ASSERT(file != NULL);
    BR_ASSERT(at >= 0 && at <= limit);
    scan->file = file;
    scan->at = at;
    scan->limit = limit;
    scan->buffer_at = 0;
    scan->buffer_bytes = 0;
    scan->nowait = nowait;
    scan->reads = 0;
}

/* The header at `at`, from the buffer or with what follows it into the buffer: small batches share a read. */
static enum br_err fill(struct store_scan *scan, int64_t at)
{
    bool is_there = at >= scan->buffer_at && at + (int64_t)KW_BATCH_HEADER <= scan->buffer_at + (int64_t)scan->buffer_bytes;
    if (is_there)
        return BR_OK;
    scan->buffer_bytes = (size_t)BR_MIN((int64_t)sizeof scan->buffer, scan->limit - at);
    scan->buffer_at = at;
    scan->reads++;
    enum br_err err = store_file_read_as(scan->file, scan->buffer, scan->buffer_bytes, at, scan->nowait);
    if (err != BR_OK)
        scan->buffer_bytes = 0;
    return err;
}

/* Checks what a header alone can show. */
static enum br_err view(const uint8_t *header, int64_t left, struct kw_batch *out)
{
    enum br_err err = kw_batch_view(header, KW_BATCH_HEADER, out);
    if (err != BR_OK || out->size > left)
        return BR_CORRUPT;
    if (out->base_offset < 0 || out->last_offset_delta < 0 || out->base_offset > INT64_MAX - INT32_MAX - 1)
        return BR_CORRUPT;
    return BR_OK;
}

enum br_err store_scan_next(struct store_scan *scan, struct kw_batch *out, int64_t *file_position)
{
    int64_t left = scan->limit - scan->at;
    BR_ASSERT(left >= 0);
    if (left == 0)
        return BR_EOF;
    if (left < KW_BATCH_HEADER)
        return BR_CORRUPT;
    enum br_err err = fill(scan, scan->at);
    if (err != BR_OK)
        return err == BR_EOF ? BR_CORRUPT : err;
    struct kw_batch b;
    if ((err = view(scan->buffer + (scan->at - scan->buffer_at), left, &b)) != BR_OK)
        return err;
    *file_position = scan->at;
    *out = b;
    scan->at += b.size;
    BR_ASSERT(scan->at <= scan->limit);
    return BR_OK;
}

enum br_err store_scan_one(struct store_file *file, int64_t at, int64_t limit, bool nowait, struct kw_batch *out, uint8_t header[KW_BATCH_HEADER])
{
    if (at < 0 || limit - at < (int64_t)KW_BATCH_HEADER)
        return BR_CORRUPT;
    enum br_err err = store_file_read_as(file, header, KW_BATCH_HEADER, at, nowait);
    if (err != BR_OK)
        return err == BR_EOF ? BR_CORRUPT : err;
    return view(header, limit - at, out);
}

enum br_err store_scan_verify(struct store_file *file, int64_t at, int64_t base_offset, int32_t leader_epoch, uint32_t length, uint32_t batch_crc,
                              struct kw_batch *out)
{
    int64_t size;
    BR_ASSERT(at >= 0);
    if (length < KW_BATCH_HEADER)
        return BR_CORRUPT;
    enum br_err err = store_file_size(file, &size);
    if (err != BR_OK)
        return err;
    if (size < at || size - at < length)
        return BR_CORRUPT;
    uint8_t *data = br_try_alloc(length);
    if (!data)
        return BR_NOMEM;
    err = store_file_read(file, data, length, at);
    if (err == BR_OK)
        err = view(data, length, out);
    if (err == BR_OK && (out->base_offset != base_offset || out->leader_epoch != leader_epoch || out->size != length || out->crc != batch_crc ||
                         !kw_batch_crc_ok(out))) /* the crc leaves out what stands before it: each of these is compared */
        err = BR_CORRUPT;
    br_free(data);
    out->data = NULL;
    return err == BR_EOF ? BR_CORRUPT : err;
}
