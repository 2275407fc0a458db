/* Records inside a batch: iteration over inflated record bytes, and headers. Borrowed slices only. */
#pragma once

#include "compat/base/reader.h"
#include "compat/batch/batch.h"

struct kw_record {
    int64_t offset;    /* base offset + delta */
    int64_t timestamp; /* base + delta, or the batch's max_timestamp under LogAppendTime */
    int8_t attributes;
    struct br_str key, value; /* data NULL: null */
    int32_t header_count;
    struct br_reader headers; /* read with kw_record_next_header */
    const uint8_t *body;      /* the record's bytes after its length varint */
    uint32_t body_len;
};

/* Walks inflated records of one batch. */
struct kw_record_iter {
    struct br_reader in;
    struct kw_batch batch;
    int32_t left; /* records still to come by the header's count */
};

/* records: the inflated bytes after the 61-byte header (for codec none, b->data + 61). */
void kw_record_iter_init(struct kw_record_iter *it, const struct kw_batch *b, const uint8_t *records, size_t len);
/* BR_EOF at the end; BR_CORRUPT for a malformed record, or bytes left over after the last. */
BR_MUST_USE enum br_err kw_record_next(struct kw_record_iter *it, struct kw_record *out);
/* BR_EOF after the last header. value.data NULL: null. */
BR_MUST_USE enum br_err kw_record_next_header(struct kw_record *r, struct br_str *key, struct br_str *value);
