/* Batches: whatever the bytes, validation and iteration do not crash; what passes can be walked to its end, repacked and
 * passes again; and the prover answers the same however the records are cut.
 *
 * Input: a byte of choices, then the batch. Length, magic, base offset and CRC are made right first (unless a choice bit
 * says not to), so that the code behind them is reached. */
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "compat/batch/prove.h"
#include "tests/fuzz/fuzz.h"
#include <limits.h>

#define CAP ((size_t)1 << 20)

enum { RAW = 1, NEED_KEYS = 2, APPEND_TIME = 4, TIME_LIMITS = 8, FIX_COUNT = 16, OLD_PRODUCE = 32 };

static struct kw_batch_rules rules_of(uint8_t choice)
{
    return (struct kw_batch_rules){
        .produce_version = choice & OLD_PRODUCE ? 6 : 13,
        .batch_bytes_max = CAP,
        .segment_bytes = CAP,
        .inflated_bytes_max = CAP,
        .is_log_append_time = (choice & APPEND_TIME) != 0,
        .before_max_ms = choice & TIME_LIMITS ? 1000 : INT64_MAX,
        .after_max_ms = choice & TIME_LIMITS ? 1000 : INT64_MAX,
        .now_ms = 1700000000000,
        .need_keys = (choice & NEED_KEYS) != 0,
    };
}

static void make_right(uint8_t *bytes, size_t size, uint8_t choice)
{
    br_store64(bytes, 0);
    br_store32(bytes + 8, (uint32_t)size - KW_BATCH_OVERHEAD);
    bytes[KW_BATCH_MAGIC_AT] = KW_BATCH_MAGIC;
    if (choice & FIX_COUNT)
        br_store32(bytes + 23, br_load32(bytes + 57) - 1);
    kw_batch_seal(bytes, (uint32_t)size);
}

/* Records of the batch with their headers; the error that ended it. */
static enum br_err walk(const struct kw_batch *b, const uint8_t *records, size_t len, int32_t *count)
{
    struct kw_record_iter it;
    struct kw_record r;
    struct br_str key, value;
    enum br_err err;
    *count = 0;
    kw_record_iter_init(&it, b, records, len);
    while ((err = kw_record_next(&it, &r)) == BR_OK) {
        int32_t headers = 0;
        while ((err = kw_record_next_header(&r, &key, &value)) == BR_OK)
            headers++;
        BR_ASSERT(err == BR_EOF);
        BR_ASSERT(headers == r.header_count);
        ++*count;
    }
    return err;
}

static void check_pieces(const struct kw_batch *b, const struct kw_batch_rules *rules, const struct br_buf *plain,
                         size_t piece)
{
    struct kw_prover whole, cut;
    kw_prover_init(&whole, b, rules);
    kw_prover_init(&cut, b, rules);
    kw_prover_feed(&whole, plain->data, plain->len);
    for (size_t at = 0; at < plain->len; at += BR_MIN(piece, plain->len - at))
        if (!kw_prover_feed(&cut, plain->data + at, BR_MIN(piece, plain->len - at)))
            break;
    BR_ASSERT(kw_prover_end(&whole) == kw_prover_end(&cut));
    BR_ASSERT(whole.error == cut.error);
    BR_ASSERT(whole.record_index == cut.record_index);
    BR_ASSERT(whole.message == cut.message);
    BR_ASSERT(whole.max_timestamp == cut.max_timestamp);
    BR_ASSERT(whole.max_timestamp_delta == cut.max_timestamp_delta);
}

static void check_passed(const struct kw_batch_verdict *v, const struct kw_batch_rules *rules)
{
    struct br_buf packed;
    struct kw_batch_verdict again;
    struct kw_batch_rules wider = *rules;
    wider.batch_bytes_max = wider.segment_bytes = INT32_MAX;
    wider.produce_version = 13;
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        br_buf_init(&packed, 4 * CAP);
        BR_ASSERT(kw_batch_recompress(&v->batch, codec, INT_MIN, CAP, &packed) == BR_OK);
        kw_batch_validate(packed.data, packed.len, &wider, &again);
        BR_ASSERT(again.error == KW_NONE);
        BR_ASSERT(again.batch.record_count == v->batch.record_count);
        BR_ASSERT(again.max_timestamp == v->max_timestamp);
        br_buf_clear(&packed);
    }
}

static void check(const uint8_t *bytes, size_t size, uint8_t choice)
{
    struct kw_batch_rules rules = rules_of(choice);
    struct kw_batch_verdict v;
    struct kw_batch b;
    struct br_buf plain;
    int32_t count = 0;
    kw_batch_validate(bytes, size, &rules, &v);
    BR_ASSERT((v.error == KW_NONE) == (v.message == NULL));
    if (kw_batch_view(bytes, size, &b) != BR_OK || b.size > size)
        return;
    br_buf_init(&plain, CAP);
    if (kw_zip_inflate_buf(kw_batch_codec(&b), bytes + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER, CAP, &plain) == BR_OK) {
        enum br_err err = walk(&b, plain.data, plain.len, &count);
        if (v.error == KW_NONE) {
            BR_ASSERT(err == BR_EOF);
            BR_ASSERT(count == b.record_count);
            check_passed(&v, &rules);
        }
        if (b.record_count > 0) /* else the prover is not asked */
            check_pieces(&b, &rules, &plain, 1 + (size_t)choice % 7);
    } else {
        BR_ASSERT(v.error != KW_NONE);
    }
    br_buf_clear(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    uint8_t *bytes = br_alloc(size - 1);
    memcpy(bytes, data + 1, size - 1);
    if (!(data[0] & RAW) && size - 1 >= KW_BATCH_HEADER)
        make_right(bytes, size - 1, data[0]);
    check(bytes, size - 1, data[0]);
    br_free(bytes);
    return 0;
}
