/* One batch on its way in: all that Produce and OrderAppend ask of it and of where it goes, before anything is assigned. What they do not share is sequences
 * (Produce) and expected ends (OrderAppend). Thread: loop. */
#pragma once

#include "broker/data/target.h"
#include "compat/base/buf.h"
#include "compat/batch/validate.h"

struct broker_request;

/* The caller's memory, zeroed. */
struct broker_intake {
    struct broker_partition *partition; /* set by the first call */
    const char *message;                /* static text about an error, or NULL */
    struct kw_batch_verdict verdict;    /* its batch is what is to be appended: the request's bytes, or recompressed */
    struct br_buf recompressed;         /* must stay until the end of the turn: the journal borrows it */
};

/* Whether this client may append there. is_all: the append is to be acknowledged by all replicas. */
enum kw_error broker_intake_target(struct broker_intake *in, struct broker_request *req, const struct broker_target *target, bool is_all);
/* Proves the bytes. produce_version: what the client's Produce would be. An error may name a record: verdict.record_index. */
enum kw_error broker_intake_prove(struct broker_intake *in, struct broker_request *req, int produce_version, const uint8_t *data, size_t len);
/* Under the topic's codec, if it has one of its own. */
enum kw_error broker_intake_recompress(struct broker_intake *in);
/* What order_append is to be given; borrows in. */
struct order_append broker_intake_append(struct broker_intake *in);
void broker_intake_clear(struct broker_intake *in);
