/* Proves the records of one batch while their bytes pass by in pieces of any size, so that an inflated batch is never
 * whole in memory: lengths, offset deltas 0, 1, 2 ..., header counts, no byte missing or left over; and the rules
 * of the topic for single records (timestamps, keys).
 *
 * A record that lies wholly inside a piece is read by the contiguous parser; one that straddles pieces goes through
 * a byte machine that keeps one number and a count of bytes to pass over. Both give the same answers (a test
 * feeds the same bytes in both ways). */
#pragma once

#include "compat/batch/validate.h"

struct kw_prover {
    const struct kw_batch_rules *rules; /* borrowed while the prover is in use */
    int64_t base_timestamp;
    int64_t oldest_ms, newest_ms; /* bounds of a CreateTime stamp */
    int32_t count;                /* records the header promises */
    int32_t done;                 /* records proved */
    int64_t max_timestamp;        /* -1 before the first */
    int32_t max_timestamp_delta;
    enum kw_error error;
    int32_t record_index; /* culprit or -1 */
    const char *message;

    /* The byte machine, between pieces. */
    int field;             /* the field the next byte belongs to */
    uint64_t number;       /* varint under way */
    unsigned shift;        /* its bits so far */
    uint32_t record_left;  /* bytes of the record not seen */
    uint32_t skip;         /* bytes to pass over */
    int32_t headers_left;
    int64_t timestamp_delta;
    int32_t offset_delta;
    bool has_key;
};

/* b: header, already checked. */
void kw_prover_init(struct kw_prover *p, const struct kw_batch *b, const struct kw_batch_rules *rules);
/* The next bytes. False once an error is known; then error, record_index and message say it. */
bool kw_prover_feed(struct kw_prover *p, const uint8_t *data, size_t len);
/* After the last byte: false when bytes or records are missing. */
bool kw_prover_end(struct kw_prover *p);
