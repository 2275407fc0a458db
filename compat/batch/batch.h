/* Record batch v2 of the Kafka protocol: view of the header, CRC, and the few bytes a broker may patch.
 *
 * Base offset, length and leader epoch lie outside the CRC and are patched in place; LogAppendTime rewrites
 * timestamps and CRC too. Nothing else of a client's batch ever changes. */
#pragma once

#include "compat/base/bytes.h"
#include "compat/base/err.h"

#define KW_BATCH_HEADER 61u   /* bytes before the records */
#define KW_BATCH_OVERHEAD 12u /* base_offset + batch_length, not counted by batch_length */
#define KW_BATCH_MAGIC 2
#define KW_BATCH_MAGIC_AT 16u /* the same place in formats 0, 1 and 2 */

enum {
    KW_BATCH_CODEC_MASK = 0x07,
    KW_BATCH_LOG_APPEND_TIME = 0x08,
    KW_BATCH_TRANSACTIONAL = 0x10,
    KW_BATCH_CONTROL = 0x20,
    KW_BATCH_DELETE_HORIZON = 0x40,
};

/* A parsed header; data is borrowed. */
struct kw_batch {
    const uint8_t *data; /* whole batch, from base_offset */
    uint32_t size;       /* whole batch, 12 + batch_length */
    int64_t base_offset;
    int32_t leader_epoch;
    int8_t magic;
    uint32_t crc;
    int16_t attributes;
    int32_t last_offset_delta;
    int64_t base_timestamp, max_timestamp;
    int64_t producer_id;
    int16_t producer_epoch;
    int32_t base_sequence;
    int32_t record_count;
};

static inline int kw_batch_codec(const struct kw_batch *b) { return b->attributes & KW_BATCH_CODEC_MASK; }
static inline int64_t kw_batch_last_offset(const struct kw_batch *b) { return b->base_offset + b->last_offset_delta; }
/* Any negative id means none, as in Kafka. */
static inline bool kw_batch_has_producer(const struct kw_batch *b) { return b->producer_id >= 0; }
static inline bool kw_batch_is_control(const struct kw_batch *b) { return (b->attributes & KW_BATCH_CONTROL) != 0; }

/* Parses the header at data. Needs only the first 61 bytes to be there: size may exceed len.
 * BR_EOF: fewer than 61 bytes; BR_CORRUPT: length below 49 or above INT32_MAX - 12; BR_UNSUPPORTED: magic is not 2
 * (magic and size are set). Does not check the CRC. */
BR_MUST_USE enum br_err kw_batch_view(const uint8_t *data, size_t len, struct kw_batch *out);
/* True when the CRC of bytes 21..end matches; all bytes must be there. */
bool kw_batch_crc_ok(const struct kw_batch *b);
/* Writes base offset and leader epoch into the bytes (outside the CRC). */
void kw_batch_patch(uint8_t *data, int64_t base_offset, int32_t leader_epoch);
/* LogAppendTime: sets attribute bit 3 and max_timestamp, then the CRC. */
void kw_batch_set_append_time(uint8_t *data, uint32_t size, int64_t time_ms);
/* Stores max_timestamp, then the CRC: repairs a header that disagrees with its records, as Kafka does. */
void kw_batch_set_max_timestamp(uint8_t *data, uint32_t size, int64_t time_ms);
/* Recomputes and stores the CRC, for what we build or patch ourselves. size >= 61. */
void kw_batch_seal(uint8_t *data, uint32_t size);
/* Writes all of the header from b (data and crc of b are not used; b->size is the whole batch's) and seals it: the
 * records must be in place already. */
void kw_batch_write_header(uint8_t *data, const struct kw_batch *b);
