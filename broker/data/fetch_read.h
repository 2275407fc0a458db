/* Reads for one Fetch: what one partition (or the order view) gives within the limits, with every error in its place. */
#pragma once

#include "broker/broker.h"
#include "broker/data/fetch_session.h"
#include "compat/base/buf.h"

/* One partition asked for. */
struct broker_fetch_want {
    struct br_str topic;      /* empty when asked by id */
    struct br_uuid topic_id;
    const struct kw_fetch_request_partition *in;
    struct broker_session_part *part; /* of the session, or NULL */
    struct kw_fetch_response_partition out;
    struct store_range range; /* held when has_range; out.records.file points here */
    bool has_range;
    struct broker_watch watch;
    void *fetch;               /* the waiting fetch */
};

struct broker_fetch_limits {
    int version;
    bool read_committed;
    size_t bytes_left;   /* of the whole answer */
    bool has_bytes;      /* an earlier partition gave some: limits are strict now */
};

/* Fills want->out. View records are appended to view_bytes, which must not move until the answer is encoded: out.records then holds
 * their offset in `data` as an integer until the caller adds the base. Only BR_OK or BR_COLD: *cold (held) must be warmed. */
BR_MUST_USE enum br_err broker_fetch_read(struct broker *b, struct broker_fetch_want *want, struct broker_fetch_limits *limits,
                                          struct br_buf *view_bytes, struct store_range *cold);
/* Gives back what the read holds. */
void broker_fetch_want_release(struct broker_fetch_want *want);
