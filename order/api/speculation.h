/* Speculation: a reader that takes records before their position is stable. A pure machine: answers to reads in, deliveries, confirmations and failures out.
 *
 * Two reads feed it. One goes on at `order_speculation_read_from`, also above stable; the other looks again at what was delivered, at
 * `order_speculation_confirm_from`, below stable. Their answers may come in any order, late or twice.
 *
 * - **A-1** What is delivered is contiguous in the order of one view: an answer that leaves a gap to what was delivered changes nothing.
 * - **A-2** A position is confirmed only when it is stable and each entry below it was compared, id by id, with a final one.
 * - **A-3** A new view makes all that is unconfirmed be compared again, before anything behind it is delivered.
 * - **A-4** The first difference j fails all from j on, and what is so is delivered from j. */
#pragma once

#include "compat/base/base.h"

/* Who an entry is: nothing else tells two entries at the same position apart. */
struct order_speculation_id {
    int64_t position; /* of the first record, of `count` */
    int64_t count;
    uint8_t topic_id[16];
    int32_t partition;
    int64_t offset; /* of the first record */
    uint32_t crc;
    int32_t leader_epoch;
};

/* What a read said: all that the order holds in [from, next). */
struct order_speculation_answer {
    int32_t view;
    int64_t stable; /* below it the entries are final, whatever the view */
    int64_t from, next;
    const struct order_speculation_id *entries; /* in order; the first may begin below `from`, if it reaches above it */
    size_t count;
};

struct order_speculation_out {
    /* Entry `index` of the answer. is_speculative false: confirmed before the answer is over. False: not now; it will be asked for again. */
    bool (*deliver)(void *ctx, size_t index, bool is_speculative);
    /* Everything delivered below is final. Rises. */
    void (*confirm)(void *ctx, int64_t position);
    /* Everything delivered at or above was wrong. */
    void (*fail)(void *ctx, int64_t position);
    void *ctx;
};

struct order_speculation {
    struct order_speculation_out out;
    int32_t view;
    int64_t confirmed, checked, next; /* confirmed <= checked <= next: final; compared in this view; delivered */
    struct order_speculation_id *ids; /* delivered and not confirmed, in order */
    size_t first, count, cap, limit;
};

/* from: where reading begins, or where everything below is known. limit: most entries that may be unconfirmed. */
void order_speculation_init(struct order_speculation *s, int64_t from, size_t limit, const struct order_speculation_out *out);
void order_speculation_clear(struct order_speculation *s);
/* BR_CORRUPT: no answer looks so; nothing changed. */
BR_MUST_USE enum br_err order_speculation_answer(struct order_speculation *s, const struct order_speculation_answer *answer);
/* What was learnt may be old (the connection was lost, or the position read from is gone): all that is unconfirmed is compared again. */
void order_speculation_recheck(struct order_speculation *s);
static inline int64_t order_speculation_read_from(const struct order_speculation *s) { return s->checked; }
static inline int64_t order_speculation_confirm_from(const struct order_speculation *s) { return s->confirmed; }
static inline bool order_speculation_is_unconfirmed(const struct order_speculation *s) { return s->confirmed < s->next; }
static inline bool order_speculation_is_full(const struct order_speculation *s) { return s->count == s->limit; }
