/* One answer of an order view under construction: records of visible rows, in the order given, become batches whose offsets are positions. It knows nothing of
 * where the rows come from.
 *
 * With headers (the default) records are encoded anew, with braid.topic, braid.partition and braid.offset after the producer's headers, in runs of equal
 * timestamp type, compressed as the view says. Without, each stored batch is copied as it is but for base offset and leader epoch. */
#pragma once

#include "broker/broker.h"
#include "compat/batch/builder.h"

/* What one source batch needs; kept between answers. */
struct broker_view_buffers {
    struct br_buf raw, inflated;
};
void broker_view_buffers_init(struct broker_view_buffers *buffers);
void broker_view_buffers_clear(struct broker_view_buffers *buffers);
/* After an answer: gives up what only a large batch needed. */
void broker_view_buffers_shrink(struct broker_view_buffers *buffers);

struct broker_view_answer {
    const struct broker_topic_settings *settings; /* of the view */
    struct broker_view_buffers *buffers;
    struct br_buf *out;
    size_t begin, max_bytes; /* where it begins in out; what it may have there */
    uint64_t from;           /* records below are not wanted */
    uint64_t records;        /* so far */
    bool is_full;            /* the row given last did not fit whole, or nothing more may follow */
    struct kw_batch_builder batch; /* the run that is open */
    bool is_open, is_append_time;
    int codec, level;
    int source_codec;   /* of the last source batch */
    int64_t append_time;     /* of the last source batch */
    struct store_range *cold;
};

/* settings, buffers, out and cold are borrowed. At most max_bytes, but at least one record; more than 1 MiB (256 KiB where it is compressed) is cut down. */
void broker_view_answer_init(struct broker_view_answer *a, const struct broker_topic_settings *settings, struct broker_view_buffers *buffers, struct br_buf *out,
                             size_t max_bytes, uint64_t from, struct store_range *cold);
/* Adds the row's records from offset `first` (the first visible one) on, as many as fit. BR_COLD: *cold (held) must be warmed first; nothing of the row was added. */
BR_MUST_USE enum br_err broker_view_answer_add(struct broker_view_answer *a, struct broker_partition *partition, const struct store_order_row *row, int64_t first);
/* Ends the open run. The answer is complete then. */
BR_MUST_USE enum br_err broker_view_answer_close(struct broker_view_answer *a);
/* Instead of records: one control batch over [from, to). Longer than a batch can be: as much as fits. */
BR_MUST_USE enum br_err broker_view_answer_gap(struct broker_view_answer *a, uint64_t to, int64_t now_ms);
