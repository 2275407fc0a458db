/* The shard interface: where bound batches of a stream live. One table of functions; the local backend (segments) is
 * storage/shard_local.c. Shaped so that a Kafka-backed shard fits later: appends complete later, tails cannot be cut, reads are by offset. */
#pragma once

#include "storage/log.h"

struct store_shard;
struct store_shard_ops {
    const char *name; /* "local" */
    bool can_truncate; /* a black box cannot: records are then tagged (position, view) and the reader keeps the highest view */
    /* All that can refuse, before anything is assigned. */
    enum br_err (*prepare)(struct store_shard *shard, struct store_log *log, uint32_t size, int64_t max_timestamp, int64_t now_ms, struct store_place *place);
    /* Accepts the batch; local: in the page cache when it returns. */
    enum br_err (*append)(struct store_shard *shard, struct store_log *log, const struct kw_batch *batch, int64_t max_timestamp,
                          int64_t max_timestamp_offset, int64_t now_ms, const struct store_place *place);
    enum br_err (*read)(struct store_shard *shard, struct store_log *log, int64_t offset, int64_t limit, size_t max_bytes, bool at_least_one, struct store_range *out);
};
struct store_shard {
    const struct store_shard_ops *ops;
};
struct store_shard *store_shard_local(void);
