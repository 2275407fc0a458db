/* Everything Produce must prove about the bytes of one partition before an offset is assigned, except who sent them.
 * Compressed batches are inflated once, in a stream, and their record count, offset deltas and lengths proved. */
#pragma once

#include "compat/batch/batch.h"
#include "compat/wire/error.h"
#include "compat/zip/zip.h"

#define KW_PRODUCE_VERSION_ZSTD 7

struct kw_batch_rules {
    int produce_version;          /* zstd needs 7 */
    uint32_t batch_bytes_max;     /* max.message.bytes */
    uint32_t segment_bytes;       /* above it RECORD_LIST_TOO_LARGE */
    size_t inflated_bytes_max;    /* cap of one batch's inflated records */
    bool is_log_append_time;      /* message.timestamp.type */
    int64_t before_max_ms, after_max_ms; /* message.timestamp.{before,after}.max.ms; INT64_MAX: no limit */
    int64_t now_ms;               /* wall clock */
    bool need_keys;               /* compacted topic */
    struct kw_zip *zip;           /* kept codec state of the calling thread (compat/zip), or NULL */
};

struct kw_batch_verdict {
    enum kw_error error;
    int32_t record_index; /* the culprit for record_errors (v8+), or -1 */
    const char *message;  /* static text for error_message, or NULL */
    struct kw_batch batch; /* valid when error is NONE */
    /* Proved: the largest timestamp of the records, -1 when none has one, whatever the topic's timestamp type. When it
     * is not batch.max_timestamp, kw_batch_set_max_timestamp repairs the header before the batch is stored, or
     * lookups by time would go wrong (Kafka does the same). */
    int64_t max_timestamp;
    int32_t max_timestamp_delta; /* offset delta of the first record that has it */
};

/* Checks one partition's record bytes: exactly one magic-2 batch. Old formats (magic 0, 1): INVALID_RECORD with
 * a message. Allocates only through kw_zip. Thread: any (rules->zip's owner). */
void kw_batch_validate(const uint8_t *data, size_t len, const struct kw_batch_rules *rules,
                       struct kw_batch_verdict *out);
