/* Stored batches as records, and messages as a batch. */
#pragma once

#include "compat/base/buf.h"
#include "compat/batch/record.h"
#include "compat/gen/10002_order_read.h"
#include "order/api/braid.h"

/* One entry of an OrderRead answer, opened. Borrows the entry's bytes. */
struct braid_batch {
    const struct kw_order_read_response_entry *entry;
    struct kw_batch head;
    struct kw_record_iter iter;
    struct br_buf plain; /* inflated records */
    char *topic;
    struct braid_header *headers;
    size_t header_cap;
    struct braid_record record; /* the last one read; borrowed until the next */
};

/* Checks checksum, form and that the entry fits together, and inflates. BRAID_CORRUPT: then nothing is held. Thread: any. */
enum braid_err braid_batch_open(struct braid_batch *batch, const struct kw_order_read_response_entry *entry, size_t inflated_max);
/* The next record that is left; BRAID_CLOSED at the end, BRAID_CORRUPT. */
enum braid_err braid_batch_next(struct braid_batch *batch);
void braid_batch_close(struct braid_batch *batch);

/* Appends one batch of the messages, offsets from 0. BRAID_INVALID: none, or a part that makes no sense; BRAID_TOO_LARGE: out's limit. */
enum braid_err braid_batch_build(const struct braid_message *messages, size_t count, enum braid_codec codec, int64_t now_ms, struct br_buf *out);

/* Records that own their bytes. */
struct braid_record_list {
    struct braid_record *items;
    size_t count, cap;
};
void braid_record_list_add(struct braid_record_list *list, const struct braid_record *record);
void braid_record_list_clear(struct braid_record_list *list);
