/* Builds the batches that a broker writes itself: catalog, group offsets, order views, gap and marker batches. */
#pragma once

#include "compat/base/buf.h"
#include "compat/batch/record.h"
#include "compat/zip/zip.h"

struct kw_header {
    struct br_str key, value;
};

struct kw_batch_builder {
    struct br_buf *out;     /* batch is appended here, given back complete by finish */
    size_t start;           /* of the batch in out */
    int64_t base_offset, last_offset;
    int64_t base_timestamp, max_timestamp;
    int32_t count;
    int16_t attributes;
    /* -1 after init; a caller that rewrites stored batches sets them before finish. */
    int32_t leader_epoch;
    int64_t producer_id;
    int16_t producer_epoch;
    int32_t base_sequence;
};

/* attributes: bits besides the codec's (control, transactional, LogAppendTime). base_timestamp: ms. out is borrowed until
 * finish; bytes already in it stay. */
void kw_batch_builder_init(struct kw_batch_builder *b, struct br_buf *out, int64_t base_offset, int64_t base_timestamp,
                           int16_t attributes);
/* Adds a record; offsets rise. key/value data NULL: null. Header bytes may come in two parts: `raw_headers`, encoded
 * header entries copied as they are (raw_header_count of them), then `headers` (keys never null). Past out's limit
 * nothing is stored and finish says so. */
void kw_batch_builder_add(struct kw_batch_builder *b, int64_t offset, int64_t timestamp, struct br_str key,
                          struct br_str value, struct br_str raw_headers, int32_t raw_header_count,
                          const struct kw_header *headers, int32_t header_count);
/* Bytes the batch has now, uncompressed. */
size_t kw_batch_builder_size(const struct kw_batch_builder *b);
/* Last offset of the batch, when it is to cover more than its last record (gaps). */
void kw_batch_builder_cover(struct kw_batch_builder *b, int64_t last_offset);
/* Compresses when codec != 0, writes the header, CRC. BR_TOO_LARGE: out's limit, BR_RANGE: no record and nothing
 * covered, or offsets further apart than INT32_MAX: the caller cuts out back to where the batch began.
 * *size: bytes of the batch. */
BR_MUST_USE enum br_err kw_batch_builder_finish(struct kw_batch_builder *b, int codec, int level, uint32_t *size);

/* A control batch of one record: key {version 0, type}, value given (may be empty). last_offset >= base_offset covers a gap.
 * producer_id -1 for none. Types: 0 abort, 1 commit; 32767 is our gap batch, which order views send where nothing visible is left. */
#define KW_CONTROL_ABORT 0
#define KW_CONTROL_COMMIT 1
#define KW_CONTROL_GAP 32767
BR_MUST_USE enum br_err kw_control_batch(struct br_buf *out, int64_t base_offset, int64_t last_offset, int64_t timestamp,
                                         int16_t type, int64_t producer_id, int16_t producer_epoch, struct br_str value);
/* Rewrites a whole batch with another codec, keeping offsets, timestamps, producer fields and record bytes (topic
 * compression.type). src must have been validated; the same codec copies it. Appends to out. BR_TOO_LARGE: out's limit or
 * inflated_max; out is then as long as before. */
BR_MUST_USE enum br_err kw_batch_recompress(const struct kw_batch *src, int codec, int level, size_t inflated_max,
                                            struct br_buf *out);
