/* Record batch v2: header, CRC and the bytes that are patched in place. */
#include "compat/batch/batch.h"
#include "compat/base/crc32c.h"

enum { /* places in the header; all numbers big-endian */
    AT_BASE_OFFSET = 0,
    AT_LENGTH = 8,
    AT_LEADER_EPOCH = 12,
    AT_MAGIC = KW_BATCH_MAGIC_AT,
    AT_CRC = 17,
    AT_ATTRIBUTES = 21,
    AT_LAST_DELTA = 23,
    AT_BASE_TIMESTAMP = 27,
    AT_MAX_TIMESTAMP = 35,
    AT_PRODUCER_ID = 43,
    AT_PRODUCER_EPOCH = 51,
    AT_BASE_SEQUENCE = 53,
    AT_COUNT = 57,
};

_Static_assert(AT_COUNT + 4 == KW_BATCH_HEADER, "the count is the header's last field");
_Static_assert(AT_LENGTH + 4 == KW_BATCH_OVERHEAD, "the length counts what follows it");

enum br_err kw_batch_view(const uint8_t *data, size_t len, struct kw_batch *out)
{
    if (len < KW_BATCH_HEADER)
        return BR_EOF;
    uint32_t length = br_load32(data + AT_LENGTH);
    if (length < KW_BATCH_HEADER - KW_BATCH_OVERHEAD || length > INT32_MAX - KW_BATCH_OVERHEAD)
        return BR_CORRUPT;
    out->magic = (int8_t)data[AT_MAGIC];
    out->size = length + KW_BATCH_OVERHEAD;
    if (out->magic != KW_BATCH_MAGIC)
        return BR_UNSUPPORTED;
    out->data = data;
    out->base_offset = (int64_t)br_load64(data + AT_BASE_OFFSET);
    out->leader_epoch = (int32_t)br_load32(data + AT_LEADER_EPOCH);
    out->crc = br_load32(data + AT_CRC);
    out->attributes = (int16_t)br_load16(data + AT_ATTRIBUTES);
    out->last_offset_delta = (int32_t)br_load32(data + AT_LAST_DELTA);
    out->base_timestamp = (int64_t)br_load64(data + AT_BASE_TIMESTAMP);
    out->max_timestamp = (int64_t)br_load64(data + AT_MAX_TIMESTAMP);
    out->producer_id = (int64_t)br_load64(data + AT_PRODUCER_ID);
    out->producer_epoch = (int16_t)br_load16(data + AT_PRODUCER_EPOCH);
    out->base_sequence = (int32_t)br_load32(data + AT_BASE_SEQUENCE);
    out->record_count = (int32_t)br_load32(data + AT_COUNT);
    return BR_OK;
}

static uint32_t crc_of(const uint8_t *data, uint32_t size)
{
    return br_crc32c(data + AT_ATTRIBUTES, size - AT_ATTRIBUTES);
}

bool kw_batch_crc_ok(const struct kw_batch *b)
{
    return crc_of(b->data, b->size) == b->crc;
}

void kw_batch_patch(uint8_t *data, int64_t base_offset, int32_t leader_epoch)
{
    br_store64(data + AT_BASE_OFFSET, (uint64_t)base_offset);
    br_store32(data + AT_LEADER_EPOCH, (uint32_t)leader_epoch);
}

void kw_batch_set_append_time(uint8_t *data, uint32_t size, int64_t time_ms)
{
    br_store16(data + AT_ATTRIBUTES, br_load16(data + AT_ATTRIBUTES) | KW_BATCH_LOG_APPEND_TIME);
    kw_batch_set_max_timestamp(data, size, time_ms);
}

void kw_batch_set_max_timestamp(uint8_t *data, uint32_t size, int64_t time_ms)
{
    br_store64(data + AT_MAX_TIMESTAMP, (uint64_t)time_ms);
    kw_batch_seal(data, size);
}

void kw_batch_seal(uint8_t *data, uint32_t size)
{
    BR_ASSERT(size >= KW_BATCH_HEADER);
    br_store32(data + AT_CRC, crc_of(data, size));
}

void kw_batch_write_header(uint8_t *data, const struct kw_batch *b)
{
    BR_ASSERT(b->size >= KW_BATCH_HEADER);
    br_store64(data + AT_BASE_OFFSET, (uint64_t)b->base_offset);
    br_store32(data + AT_LENGTH, b->size - KW_BATCH_OVERHEAD);
    br_store32(data + AT_LEADER_EPOCH, (uint32_t)b->leader_epoch);
    data[AT_MAGIC] = KW_BATCH_MAGIC;
    br_store16(data + AT_ATTRIBUTES, (uint16_t)b->attributes);
    br_store32(data + AT_LAST_DELTA, (uint32_t)b->last_offset_delta);
    br_store64(data + AT_BASE_TIMESTAMP, (uint64_t)b->base_timestamp);
    br_store64(data + AT_MAX_TIMESTAMP, (uint64_t)b->max_timestamp);
    br_store64(data + AT_PRODUCER_ID, (uint64_t)b->producer_id);
    br_store16(data + AT_PRODUCER_EPOCH, (uint16_t)b->producer_epoch);
    br_store32(data + AT_BASE_SEQUENCE, (uint32_t)b->base_sequence);
    br_store32(data + AT_COUNT, (uint32_t)b->record_count);
    kw_batch_seal(data, b->size);
}
