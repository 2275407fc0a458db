#include "broker/data/fetch_read.h"
#include "broker/data/target.h"
#include "broker/errmap.h"
#include "broker/view/order_view.h"
#include "compat/base/bytes.h"
#include "compat/base/log.h"
#include "compat/zip/zip.h"

void broker_fetch_want_release(struct broker_fetch_want *want)
{
    if (want->has_range)
        store_range_release(&want->range);
    want->has_range = false;
    want->out.records = (struct kw_records){0};
}

#define HEAD_BYTES 27u           /* of a batch, to its last offset delta */
#define SAMPLE_BYTES (128 << 10) /* the kernel's usual read-ahead: what comes and goes together */

/* Where the batch that begins here ends, by what its head says, and the offset after it; false when this is no batch of the range. */
static bool read_head(const uint8_t head[static HEAD_BYTES], const struct store_range *range, size_t at, size_t *end, int64_t *next)
{
    int64_t base = (int64_t)br_load64(head), delta = (int32_t)br_load32(head + HEAD_BYTES - 4);
    size_t size = (size_t)br_load32(head + 8) + KW_BATCH_OVERHEAD;
    *end = at + size;
    *next = base + delta + 1;
    return head[KW_BATCH_MAGIC_AT] == KW_BATCH_MAGIC && delta >= 0 && size >= KW_BATCH_HEADER && size <= range->length - at && base >= range->first_offset &&
           base < range->next_offset;
}

/* The range begins with the batch that it should, and another follows: a client that is sent anything else stands still for ever. Of the others the reader sees for itself.
 * Both ends and places in between are in the page cache: good evidence that sendfile will not wait for the device. BR_COLD: they are not; BR_CORRUPT: it is not what it should be. */
static enum br_err look_at(const struct store_range *range)
{
    uint8_t head[HEAD_BYTES], byte;
    size_t end = 0, at;
    int64_t next;
    int64_t last = range->file_position + (int64_t)range->length - 1;
    if (range->length < KW_BATCH_HEADER)
        return BR_CORRUPT;
    enum br_err err = store_file_read_nowait(range->file, head, sizeof head, range->file_position);
    for (int64_t sample = range->file_position + SAMPLE_BYTES; err == BR_OK && sample < last; sample += SAMPLE_BYTES)
        err = store_file_read_nowait(range->file, &byte, 1, sample);
    if (err == BR_OK)
        err = store_file_read_nowait(range->file, &byte, 1, last);
    if (err != BR_OK)
        return err == BR_EOF ? BR_CORRUPT : err;
    if (!read_head(head, range, 0, &end, &next) || (int64_t)br_load64(head) != range->first_offset || range->length - end < (end < range->length ? KW_BATCH_HEADER : 0))
        return BR_CORRUPT;
    if (end == range->length)
        return next == range->next_offset ? BR_OK : BR_CORRUPT;
    at = end;
    err = store_file_read_nowait(range->file, head, sizeof head, range->file_position + (int64_t)at);
    if (err == BR_OK && (!read_head(head, range, at, &end, &(int64_t){0}) || (int64_t)br_load64(head) < next))
        err = BR_CORRUPT;
    return err == BR_EOF ? BR_CORRUPT : err;
}

static enum br_err read_log(struct broker_partition *p, struct broker_fetch_want *want, struct broker_fetch_limits *limits,
                            struct store_range *cold)
{
    struct kw_fetch_response_partition *out = &want->out;
    int64_t limit = limits->read_committed ? out->last_stable_offset : out->high_watermark;
    int64_t end = store_log_state(p->store->log)->end;
    if (want->in->fetch_offset < out->log_start_offset || want->in->fetch_offset > end) {
        out->error_code = KW_OFFSET_OUT_OF_RANGE;
        return BR_OK;
    }
    if (want->in->fetch_offset >= limit)
        return BR_OK;
    size_t max_bytes = BR_MIN((size_t)BR_MAX(want->in->partition_max_bytes, 0), limits->bytes_left);
    if (limits->has_bytes && max_bytes < KW_BATCH_HEADER)
        return BR_OK;
    struct store_range range = {0};
    enum br_err err = store_log_read(p->store->log, want->in->fetch_offset, limit, max_bytes, !limits->has_bytes, &range);
    if (err == BR_OK && range.length > 0 && (err = look_at(&range)) != BR_OK && err != BR_COLD) {
        br_log(BR_LOG_ERROR, "fetch", "damaged batch log=%s offset=%" PRId64 ": %s", store_log_name(p->store->log), range.first_offset, br_err_text(err));
        store_range_release(&range);
    }
    if (err == BR_COLD) {
        *cold = range;
        return err;
    }
    if (err != BR_OK) {
        out->error_code = broker_errmap(err);
        return BR_OK;
    }
    if (range.length == 0)
        return BR_OK;
    want->range = range;
    want->has_range = true;
    out->records = (struct kw_records){.len = range.length, .file = &want->range};
    return BR_OK;
}

static enum br_err read_view(struct broker_order_view *view, struct broker_fetch_want *want, struct broker_fetch_limits *limits, struct br_buf *bytes,
                             struct store_range *cold)
{
    struct kw_fetch_response_partition *out = &want->out;
    size_t before = bytes->len;
    uint64_t start;
    out->high_watermark = out->last_stable_offset = (int64_t)broker_order_view_end(view);
    enum br_err err = broker_order_view_start(view, &start, cold);
    if (err == BR_COLD)
        return err;
    out->log_start_offset = (int64_t)start;
    size_t max_bytes = BR_MIN((size_t)BR_MAX(want->in->partition_max_bytes, 0), limits->bytes_left);
    if (limits->has_bytes && max_bytes < 1024)
        return BR_OK;
    if (err == BR_OK)
        err = broker_order_view_read(view, want->in->fetch_offset, max_bytes, bytes, cold);
    if (err == BR_COLD)
        return err;
    if (err != BR_OK)
        out->error_code = err == BR_RANGE ? KW_OFFSET_OUT_OF_RANGE : KW_KAFKA_STORAGE_ERROR;
    else if (bytes->len > before) /* an offset for now: the buffer may still move */
        out->records = (struct kw_records){.data = (const uint8_t *)(uintptr_t)before, .len = bytes->len - before};
    return BR_OK;
}

/* KIP-320: the reader's log left ours at or before what it asks for. */
static bool has_diverged(struct broker_partition *p, const struct kw_fetch_request_partition *in, struct kw_fetch_response_partition *out)
{
    int32_t epoch;
    int64_t end;
    if (in->last_fetched_epoch < 0)
        return false;
    store_log_epoch_end(p->store->log, in->last_fetched_epoch, &epoch, &end);
    if (epoch < 0 || (epoch >= in->last_fetched_epoch && end >= in->fetch_offset))
        return false;
    out->diverging_epoch.epoch = epoch;
    out->diverging_epoch.end_offset = end;
    return true;
}

static void set_defaults(struct broker_fetch_want *want, const struct broker_fetch_limits *limits)
{
    want->out = (struct kw_fetch_response_partition){
        .partition_index = want->in->partition,
        .high_watermark = -1, .last_stable_offset = -1, .log_start_offset = -1,
        .diverging_epoch = {.epoch = -1, .end_offset = -1},
        .current_leader = {.leader_id = -1, .leader_epoch = -1},
        .snapshot_id = {.end_offset = -1, .epoch = -1},
        .aborted_transactions_count = limits->read_committed ? 0 : -1,
        .preferred_read_replica = -1,
    };
}

enum br_err broker_fetch_read(struct broker *b, struct broker_fetch_want *want, struct broker_fetch_limits *limits,
                              struct br_buf *view_bytes, struct store_range *cold)
{
    struct kw_fetch_response_partition *out = &want->out;
    set_defaults(want, limits);
    struct broker_target target = broker_target_find(b, want->topic, want->topic_id, want->in->partition);
    if (target.error == KW_NONE)
        target.error = broker_target_epoch_check(&target, want->in->current_leader_epoch);
    if (target.error == KW_NONE && limits->version < 10 && target.topic->settings.compression == KW_CODEC_ZSTD)
        target.error = KW_UNSUPPORTED_COMPRESSION_TYPE;
    if (target.error != KW_NONE) {
        out->error_code = target.error;
        if (target.error == KW_FENCED_LEADER_EPOCH) {
            out->current_leader.leader_id = broker_node_id(b);
            out->current_leader.leader_epoch = broker_target_epoch(&target);
        }
        return BR_OK;
    }
    enum br_err err;
    if (target.partition) {
        out->high_watermark = broker_partition_high_watermark(target.partition);
        out->last_stable_offset = broker_partition_last_stable(target.partition);
        out->log_start_offset = broker_partition_start(target.partition);
        if (has_diverged(target.partition, want->in, out))
            return BR_OK;
        err = read_log(target.partition, want, limits, cold);
    } else {
        err = read_view(target.topic->view, want, limits, view_bytes, cold);
    }
    if (err != BR_OK)
        return err;
    limits->bytes_left -= BR_MIN(limits->bytes_left, out->records.len);
    limits->has_bytes = limits->has_bytes || out->records.len > 0;
    return BR_OK;
}
