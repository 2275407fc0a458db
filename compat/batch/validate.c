/* Order of the checks: form of the frame, then sizes, then the CRC, and only then what the CRC covers, so that damage
 * on the way is always CORRUPT_MESSAGE, which clients retry, and never a refusal of good data. */
#include "compat/batch/validate.h"
#include "compat/batch/prove.h"

static bool refuse(struct kw_batch_verdict *v, enum kw_error error, const char *message)
{
    v->error = error;
    v->message = message;
    return false;
}

static bool refuse_magic(struct kw_batch_verdict *v, int8_t magic)
{
    if (magic == 0 || magic == 1)
        return refuse(v, KW_INVALID_RECORD, "Message formats 0 and 1 are not supported: send record batches (magic 2)");
    return refuse(v, KW_INVALID_RECORD, "Unknown magic: only record batches with magic 2 are accepted");
}

/* Exactly one batch of format 2, and no other byte. */
static bool check_frame(const uint8_t *data, size_t len, struct kw_batch_verdict *v)
{
    if (len == 0)
        return refuse(v, KW_INVALID_RECORD, "A partition needs exactly one record batch, got none");
    enum br_err err = len > KW_BATCH_MAGIC_AT && data[KW_BATCH_MAGIC_AT] != KW_BATCH_MAGIC
        ? BR_UNSUPPORTED /* old messages can be shorter than our header: told by the magic alone */
        : kw_batch_view(data, len, &v->batch);
    switch (err) {
    case BR_OK:
        break;
    case BR_UNSUPPORTED:
        return refuse_magic(v, (int8_t)data[KW_BATCH_MAGIC_AT]);
    case BR_EOF:
        return refuse(v, KW_INVALID_RECORD, "Record batch is shorter than its header");
    default:
        return refuse(v, KW_INVALID_RECORD, "Batch length is out of range");
    }
    if (v->batch.size > len)
        return refuse(v, KW_INVALID_RECORD, "Batch length is more than the bytes sent");
    if (v->batch.size < len)
        return refuse(v, KW_INVALID_RECORD, "A partition needs exactly one record batch, got more bytes after it");
    return true;
}

static bool check_outside_crc(const struct kw_batch_rules *rules, struct kw_batch_verdict *v)
{
    if (v->batch.base_offset != 0)
        return refuse(v, KW_INVALID_RECORD, "Base offset of a batch from a client must be 0");
    if (v->batch.size > rules->batch_bytes_max)
        return refuse(v, KW_MESSAGE_TOO_LARGE, "Record batch is larger than max.message.bytes");
    if (v->batch.size > rules->segment_bytes)
        return refuse(v, KW_RECORD_LIST_TOO_LARGE, "Record batch is larger than segment.bytes");
    if (!kw_batch_crc_ok(&v->batch))
        return refuse(v, KW_CORRUPT_MESSAGE, "Record batch does not match its checksum");
    return true;
}

static bool check_attributes(const struct kw_batch_rules *rules, struct kw_batch_verdict *v)
{
    int codec = kw_batch_codec(&v->batch);
    if (kw_codec_name(codec) == NULL)
        return refuse(v, KW_UNSUPPORTED_COMPRESSION_TYPE, "Unknown compression codec");
    if (codec == KW_CODEC_ZSTD && rules->produce_version < KW_PRODUCE_VERSION_ZSTD)
        return refuse(v, KW_UNSUPPORTED_COMPRESSION_TYPE, "zstd needs Produce version 7 or later");
    if (kw_batch_is_control(&v->batch))
        return refuse(v, KW_INVALID_RECORD, "Clients are not allowed to write control records");
    if (v->batch.attributes & KW_BATCH_DELETE_HORIZON) /* would give base_timestamp another meaning */
        return refuse(v, KW_INVALID_RECORD, "Clients are not allowed to set a delete horizon");
    if (v->batch.attributes & KW_BATCH_LOG_APPEND_TIME) {
        v->record_index = 0;
        return refuse(v, KW_INVALID_TIMESTAMP, "Producers are not allowed to set the timestamp type to LogAppendTime");
    }
    return true;
}

static bool check_counts(struct kw_batch_verdict *v)
{
    if (v->batch.record_count <= 0)
        return refuse(v, KW_INVALID_RECORD, "Record count must be above 0");
    if (v->batch.last_offset_delta != v->batch.record_count - 1)
        return refuse(v, KW_INVALID_RECORD, "Last offset delta does not fit the record count");
    return true;
}

static bool check_producer(struct kw_batch_verdict *v)
{
    if (!kw_batch_has_producer(&v->batch)) {
        if (v->batch.attributes & KW_BATCH_TRANSACTIONAL)
            return refuse(v, KW_INVALID_RECORD, "A transactional batch needs a producer id");
        return true;
    }
    if (v->batch.base_sequence < 0)
        return refuse(v, KW_INVALID_RECORD, "A batch with a producer id needs a base sequence of 0 or more");
    if (v->batch.producer_epoch < 0)
        return refuse(v, KW_INVALID_RECORD, "A batch with a producer id needs a producer epoch of 0 or more");
    return true;
}

static enum br_err prove_piece(void *prover, const uint8_t *data, size_t len)
{
    return kw_prover_feed(prover, data, len) ? BR_OK : BR_INVALID;
}

static bool refuse_inflate(struct kw_batch_verdict *v, enum br_err err)
{
    if (err == BR_TOO_LARGE)
        return refuse(v, KW_MESSAGE_TOO_LARGE, "Record batch is too large when decompressed");
    if (err == BR_NOMEM) /* retriable: the batch may be good */
        return refuse(v, KW_KAFKA_STORAGE_ERROR, "No memory to decompress the record batch");
    return refuse(v, KW_INVALID_RECORD, "Record batch cannot be decompressed");
}

static bool check_records(const struct kw_batch_rules *rules, struct kw_batch_verdict *v)
{
    struct kw_prover prover;
    kw_prover_init(&prover, &v->batch, rules);
    enum br_err err = kw_zip_inflate_with(rules->zip, kw_batch_codec(&v->batch), v->batch.data + KW_BATCH_HEADER,
                                          v->batch.size - KW_BATCH_HEADER, rules->inflated_bytes_max, prove_piece,
                                          &prover);
    if (prover.error == KW_NONE) {
        if (err != BR_OK)
            return refuse_inflate(v, err);
        kw_prover_end(&prover);
    }
    v->record_index = prover.record_index;
    v->max_timestamp = prover.max_timestamp;
    v->max_timestamp_delta = prover.max_timestamp_delta;
    return prover.error == KW_NONE || refuse(v, prover.error, prover.message);
}

void kw_batch_validate(const uint8_t *data, size_t len, const struct kw_batch_rules *rules,
                       struct kw_batch_verdict *out)
{
    *out = (struct kw_batch_verdict){.error = KW_NONE, .record_index = -1, .max_timestamp = -1};
    bool is_good = check_frame(data, len, out) && check_outside_crc(rules, out) && check_attributes(rules, out)
        && check_counts(out) && check_producer(out) && check_records(rules, out);
    BR_ASSERT(is_good == (out->error == KW_NONE));
}
