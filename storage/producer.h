/* Idempotence: per stream and producer id the epoch and the last five batches. Pure table, no I/O; kept in the node's state
 * file and rebuilt by replay of journal rows through the very same store_producer_apply. */
#pragma once

#include "compat/base/buf.h"
#include "compat/base/map.h"
#include "compat/base/reader.h"

#define STORE_PRODUCER_WINDOW 5

struct store_producer_batch {
    int32_t first_sequence, last_sequence;
    int64_t base_offset;
    int64_t timestamp; /* log_append_time answered (-1 for CreateTime) */
};
struct store_producer {
    int64_t producer_id;
    int16_t epoch;
    int64_t last_used_ms;
    unsigned count; /* of batches, oldest first */
    struct store_producer_batch batches[STORE_PRODUCER_WINDOW];
};
struct store_producers {
    struct br_map map; /* producer id -> struct store_producer */
};

void store_producers_init(struct store_producers *p);
void store_producers_clear(struct store_producers *p);
/* BR_OK append it; BR_DUPLICATE: *dup is the original; BR_SEQUENCE; BR_FENCED (epoch lower); BR_INVALID (sequence or epoch
 * below 0). Changes nothing. producer_id >= 0. never_held_data: an unknown id is accepted at any sequence when records may have been deleted, but
 * a first sequence above 0 on a partition that never held data is BR_SEQUENCE. Thread: owner, as all here. */
BR_MUST_USE enum br_err store_producer_check(const struct store_producers *p, int64_t producer_id, int16_t epoch, int32_t first_sequence,
                                             int32_t last_sequence, bool never_held_data, struct store_producer_batch *dup);
/* Records an appended batch. Live appends and replay both call it. */
void store_producer_apply(struct store_producers *p, int64_t producer_id, int16_t epoch, int32_t first_sequence, int32_t last_sequence,
                          int64_t base_offset, int64_t timestamp, int64_t now_ms);
/* Forgets ids not used for expiration_ms. At most `max` a call; returns how many. */
unsigned store_producers_expire(struct store_producers *p, int64_t now_ms, int64_t expiration_ms, unsigned max);
/* Appends the table (storage/FORMAT.md); borrows nothing. */
void store_producers_save(const struct store_producers *p, struct br_buf *out);
/* Into an empty table. BR_CORRUPT (and still empty) when the bytes are not what save writes; the reader stands after them on BR_OK. */
BR_MUST_USE enum br_err store_producers_load(struct store_producers *p, struct br_reader *in);
void store_producers_check(const struct store_producers *p);
