/* See prove.h. */
#include "compat/batch/prove.h"
#include "compat/batch/record_int.h"

/*            .------------------------------- record_left == 0 and no header left --------------.
 *            v                                                                                   |
 * LENGTH -> ATTRIBUTES -> TIMESTAMP -> OFFSET -> KEY -> VALUE -> HEADER_COUNT -> HEADER_KEY -> HEADER_VALUE
 *                                                (skip)  (skip)                   (skip)  ^     (skip) |
 *                                                                                         '------------' */
enum field {
    FIELD_LENGTH,
    FIELD_ATTRIBUTES,
    FIELD_TIMESTAMP,
    FIELD_OFFSET,
    FIELD_KEY,
    FIELD_VALUE,
    FIELD_HEADER_COUNT,
    FIELD_HEADER_KEY,
    FIELD_HEADER_VALUE,
};

static const char text_malformed[] = "Malformed record";
static const char text_more[] = "Bytes left over after the last record";
static const char text_fewer[] = "Fewer records than the batch header says";
static const char text_delta[] = "Record offsets are not consecutive from 0";
static const char text_no_key[] = "Compacted topic cannot accept a record without a key";
static const char text_timestamp[] = "Timestamp out of the range that the topic allows";

static int64_t add_saturating(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum))
        return b < 0 ? INT64_MIN : INT64_MAX;
    return sum;
}

static int64_t sub_saturating(int64_t a, int64_t b)
{
    int64_t rest;
    if (__builtin_sub_overflow(a, b, &rest))
        return b < 0 ? INT64_MAX : INT64_MIN;
    return rest;
}

void kw_prover_init(struct kw_prover *p, const struct kw_batch *b, const struct kw_batch_rules *rules)
{
    *p = (struct kw_prover){
        .rules = rules,
        .base_timestamp = b->base_timestamp,
        .oldest_ms = INT64_MIN,
        .newest_ms = INT64_MAX,
        .count = b->record_count,
        .max_timestamp = -1,
        .record_index = -1,
    };
    if (rules->is_log_append_time)
        return;
    if (rules->before_max_ms < INT64_MAX) /* else every stamp passes, also the negative ones */
        p->oldest_ms = sub_saturating(rules->now_ms, rules->before_max_ms);
    if (rules->after_max_ms < INT64_MAX)
        p->newest_ms = add_saturating(rules->now_ms, rules->after_max_ms);
}

static bool refuse(struct kw_prover *p, enum kw_error error, const char *message)
{
    p->error = error;
    p->message = message;
    p->record_index = p->done < p->count ? p->done : -1;
    return false;
}

static bool refuse_malformed(struct kw_prover *p)
{
    return refuse(p, KW_INVALID_RECORD, text_malformed);
}

/* Rules that look at the fields, once the record's form is proved. */
static inline bool record_done(struct kw_prover *p, int64_t timestamp_delta, int32_t offset_delta, bool has_key)
{
    int64_t timestamp;
    if (BR_UNLIKELY(offset_delta != p->done))
        return refuse(p, KW_INVALID_RECORD, text_delta);
    if (BR_UNLIKELY(!has_key && p->rules->need_keys))
        return refuse(p, KW_INVALID_RECORD, text_no_key);
    if (BR_UNLIKELY(__builtin_add_overflow(p->base_timestamp, timestamp_delta, &timestamp)))
        return refuse(p, KW_INVALID_TIMESTAMP, text_timestamp);
    /* -1 says that the producer gave none */
    if (BR_UNLIKELY((timestamp < p->oldest_ms || timestamp > p->newest_ms) && timestamp != -1))
        return refuse(p, KW_INVALID_TIMESTAMP, text_timestamp);
    if (timestamp > p->max_timestamp) {
        p->max_timestamp = timestamp;
        p->max_timestamp_delta = offset_delta;
    }
    p->done++;
    return true;
}

/* Reads the records that lie wholly in the piece, from a record's first byte on. *at stops at the first that does not. */
static bool feed_whole(struct kw_prover *p, const uint8_t **at, const uint8_t *end)
{
    while (*at < end && p->done < p->count) {
        const uint8_t *next = *at;
        int32_t len;
        struct raw_record r;
        if (!raw_varint(&next, end, &len) || len > end - next)
            return true; /* goes on in the next piece, or is wrong: the byte machine tells */
        if (len < 1 || !raw_record_body(next, (uint32_t)len, &r) || !raw_record_headers_ok(&r))
            return refuse_malformed(p);
        if (!record_done(p, r.timestamp_delta, r.offset_delta, r.key != NULL))
            return false;
        *at = next + len;
    }
    return true;
}

static void expect(struct kw_prover *p, enum field field)
{
    p->field = (int)field;
    p->number = 0;
    p->shift = 0;
}

/* The bytes of a key, a value or a header part follow; -1 is null. */
static bool expect_bytes(struct kw_prover *p, int64_t len, bool may_be_null, enum field next)
{
    if (len < (may_be_null ? -1 : 0) || len > (int64_t)p->record_left)
        return refuse_malformed(p);
    p->skip = len > 0 ? (uint32_t)len : 0;
    expect(p, next);
    return true;
}

/* Headers are over when none is left: then the record must be over too, and its skipped bytes with it. */
static bool end_record(struct kw_prover *p)
{
    if (p->record_left != p->skip)
        return refuse_malformed(p);
    expect(p, FIELD_LENGTH);
    return record_done(p, p->timestamp_delta, p->offset_delta, p->has_key);
}

static bool field_done(struct kw_prover *p, int64_t v)
{
    switch ((enum field)p->field) {
    case FIELD_LENGTH:
        if (v < 1)
            return refuse_malformed(p);
        p->record_left = (uint32_t)v;
        expect(p, FIELD_ATTRIBUTES);
        return true;
    case FIELD_ATTRIBUTES:
        expect(p, FIELD_TIMESTAMP);
        return true;
    case FIELD_TIMESTAMP:
        p->timestamp_delta = v;
        expect(p, FIELD_OFFSET);
        return true;
    case FIELD_OFFSET:
        p->offset_delta = (int32_t)v;
        expect(p, FIELD_KEY);
        return true;
    case FIELD_KEY:
        p->has_key = v >= 0;
        return expect_bytes(p, v, true, FIELD_VALUE);
    case FIELD_VALUE:
        return expect_bytes(p, v, true, FIELD_HEADER_COUNT);
    case FIELD_HEADER_COUNT:
        if (v < 0)
            return refuse_malformed(p);
        p->headers_left = (int32_t)v;
        expect(p, FIELD_HEADER_KEY);
        return v > 0 || end_record(p);
    case FIELD_HEADER_KEY:
        return expect_bytes(p, v, false, FIELD_HEADER_VALUE);
    case FIELD_HEADER_VALUE:
        p->headers_left--;
        return expect_bytes(p, v, true, FIELD_HEADER_KEY) && (p->headers_left > 0 || end_record(p));
    }
    return refuse_malformed(p);
}

/* One byte of a number (or the attributes). */
static bool feed_byte(struct kw_prover *p, uint8_t byte)
{
    unsigned bits = p->field == FIELD_TIMESTAMP ? 64 : 32;
    if (p->field != FIELD_LENGTH) {
        if (p->record_left == 0)
            return refuse_malformed(p);
        p->record_left--;
    }
    if (p->field == FIELD_ATTRIBUTES)
        return field_done(p, 0); /* any value: kept as the client sent it */
    uint64_t part = byte & 0x7f;
    if (p->shift >= bits || (bits - p->shift < 7 && (part >> (bits - p->shift)) != 0))
        return refuse_malformed(p);
    p->number |= part << p->shift;
    p->shift += 7;
    if (byte & 0x80)
        return true;
    return field_done(p, (int64_t)((p->number >> 1) ^ (~(p->number & 1) + 1)));
}

static bool is_between_records(const struct kw_prover *p)
{
    return p->field == FIELD_LENGTH && p->shift == 0 && p->skip == 0;
}

bool kw_prover_feed(struct kw_prover *p, const uint8_t *data, size_t len)
{
    if (p->error != KW_NONE || len == 0) /* nothing may come as NULL */
        return p->error == KW_NONE;
    const uint8_t *at = data, *end = data + len;
    while (at < end) {
        if (p->skip > 0) {
            uint32_t part = (uint32_t)BR_MIN((size_t)(end - at), (size_t)p->skip);
            p->skip -= part;
            p->record_left -= part;
            at += part;
            continue;
        }
        if (is_between_records(p)) {
            if (!feed_whole(p, &at, end))
                return false;
            if (at == end)
                break;
            if (p->done == p->count)
                return refuse(p, KW_INVALID_RECORD, text_more);
        }
        if (!feed_byte(p, *at++))
            return false;
    }
    return true;
}

bool kw_prover_end(struct kw_prover *p)
{
    if (p->error != KW_NONE)
        return false;
    if (p->field != FIELD_LENGTH && p->record_left == 0)
        return refuse_malformed(p); /* the record is over before its fields are */
    if (p->done != p->count || !is_between_records(p))
        return refuse(p, KW_INVALID_RECORD, text_fewer);
    return true;
}
