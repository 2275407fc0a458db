/* The local shard: bound batches live in the partition log itself. */
#include "storage/shard.h"

static enum br_err local_prepare(struct store_shard *shard BR_UNUSED, struct store_log *log, uint32_t size, int64_t max_timestamp, int64_t now_ms,
                                 struct store_place *place)
{
    return store_log_prepare(log, size, max_timestamp, now_ms, place);
}

static enum br_err local_append(struct store_shard *shard BR_UNUSED, struct store_log *log, const struct kw_batch *batch, int64_t max_timestamp,
                                int64_t max_timestamp_offset, int64_t now_ms, const struct store_place *place)
{
    return store_log_append(log, batch, max_timestamp, max_timestamp_offset, now_ms, place);
}

static enum br_err local_read(struct store_shard *shard BR_UNUSED, struct store_log *log, int64_t offset, int64_t limit, size_t max_bytes,
                              bool at_least_one, struct store_range *out)
{
    return store_log_read(log, offset, limit, max_bytes, at_least_one, out);
}

static const struct store_shard_ops local_ops = {
    .name = "local", .can_truncate = true, .prepare = local_prepare, .append = local_append, .read = local_read,
};

struct store_shard *store_shard_local(void)
{
    static struct store_shard shard = {&local_ops};
    return &shard;
}
