#include "broker/data/intake.h"
#include "broker/request.h"
#include "compat/batch/builder.h"

#define INFLATED_MAX ((size_t)64 << 20) /* of one compressed batch; more is MESSAGE_TOO_LARGE */

enum kw_error broker_intake_target(struct broker_intake *in, struct broker_request *req, const struct broker_target *target, bool is_all)
{
    if (target->error != KW_NONE)
        return target->error;
    if (target->topic->view || (target->topic->is_internal && !br_str_eq_c(req->header.client_id, "__admin_client"))) {
        in->message = target->topic->view ? "an order view cannot be written to" : "internal topic";
        return KW_INVALID_TOPIC_EXCEPTION;
    }
    in->partition = target->partition;
    if (is_all && target->topic->settings.min_insync_replicas > 1) {
        in->message = "min.insync.replicas is above the one replica there is";
        return KW_NOT_ENOUGH_REPLICAS;
    }
    return KW_NONE;
}

enum kw_error broker_intake_prove(struct broker_intake *in, struct broker_request *req, int produce_version, const uint8_t *data, size_t len)
{
    const struct broker_topic_settings *settings = &in->partition->topic->settings;
    struct kw_batch_rules rules = {
        .produce_version = produce_version,
        .batch_bytes_max = settings->max_message_bytes,
        .segment_bytes = settings->log.segment_bytes,
        .inflated_bytes_max = INFLATED_MAX,
        .is_log_append_time = settings->is_log_append_time,
        .before_max_ms = settings->before_max_ms,
        .after_max_ms = settings->after_max_ms,
        .now_ms = req->wall_ms,
        .zip = req->broker->zip,
    };
    kw_batch_validate(data, len, &rules, &in->verdict);
    in->message = in->verdict.message;
    if (in->verdict.error == KW_NONE && (in->verdict.batch.attributes & KW_BATCH_TRANSACTIONAL))
        return KW_INVALID_TXN_STATE;
    return in->verdict.error;
}

enum kw_error broker_intake_recompress(struct broker_intake *in)
{
    const struct broker_topic_settings *settings = &in->partition->topic->settings;
    struct kw_batch *batch = &in->verdict.batch;
    if (settings->compression < 0 || settings->compression == kw_batch_codec(batch))
        return KW_NONE;
    br_buf_init(&in->recompressed, INFLATED_MAX);
    enum br_err err = kw_batch_recompress(batch, settings->compression, settings->compression_level, INFLATED_MAX, &in->recompressed);
    if (err == BR_OK)
        err = kw_batch_view(in->recompressed.data, in->recompressed.len, batch);
    if (err != BR_OK)
        return err == BR_TOO_LARGE ? KW_MESSAGE_TOO_LARGE : KW_INVALID_RECORD;
    if (batch->size > settings->max_message_bytes)
        return KW_MESSAGE_TOO_LARGE;
    return batch->size > settings->log.segment_bytes ? KW_RECORD_LIST_TOO_LARGE : KW_NONE;
}

struct order_append broker_intake_append(struct broker_intake *in)
{
    return (struct order_append){
        .kind = ORDER_DATA,
        .data = (uint8_t *)(uintptr_t)in->verdict.batch.data, /* the frame is ours to patch */
        .batch = &in->verdict.batch,
        .max_timestamp = in->verdict.max_timestamp,
        .max_timestamp_delta = in->verdict.max_timestamp_delta,
        .set_append_time = in->partition->topic->settings.is_log_append_time,
        .append_time = -1,
    };
}

void broker_intake_clear(struct broker_intake *in)
{
    br_buf_clear(&in->recompressed);
}
