/* The contiguous record parser, inline because Produce runs it over every record. Included by compat/batch only.
 *
 * Record: length varint; attributes int8; timestamp delta varlong; offset delta varint; key and value, each a length
 * varint (-1 null) and bytes; header count varint; headers, each key (never null) and value. Varints are zig-zag. */
#pragma once

#include "compat/base/bytes.h"

struct raw_record {
    const uint8_t *body; /* after the length varint */
    uint32_t body_len;
    int8_t attributes;
    int64_t timestamp_delta;
    int32_t offset_delta;
    const uint8_t *key, *value; /* NULL: null */
    uint32_t key_len, value_len;
    int32_t header_count;
    const uint8_t *headers; /* to the end of the body */
};

/* Zig-zag number of at most `bits` bits at *at; false when it is cut, too long or overflows. */
static inline bool raw_varlong_slow(const uint8_t **at, const uint8_t *end, unsigned bits, int64_t *out)
{
    const uint8_t *p = *at;
    uint64_t v = 0;
    for (unsigned shift = 0; shift < bits && p < end; shift += 7) {
        uint64_t part = *p & 0x7f;
        if (bits - shift < 7 && (part >> (bits - shift)) != 0)
            return false;
        v |= part << shift;
        if (!(*p++ & 0x80)) {
            *out = (int64_t)((v >> 1) ^ (~(v & 1) + 1));
            *at = p;
            return true;
        }
    }
    return false;
}

static inline bool raw_varlong(const uint8_t **at, const uint8_t *end, int64_t *out)
{
    const uint8_t *p = *at;
    if (BR_LIKELY(p < end && *p < 0x80)) {
        *out = (int64_t)(*p >> 1) ^ -(int64_t)(*p & 1);
        *at = p + 1;
        return true;
    }
    return raw_varlong_slow(at, end, 64, out);
}

static inline bool raw_varint(const uint8_t **at, const uint8_t *end, int32_t *out)
{
    const uint8_t *p = *at;
    if (BR_LIKELY(p < end && *p < 0x80)) {
        *out = (*p >> 1) ^ -(*p & 1);
        *at = p + 1;
        return true;
    }
    if (BR_LIKELY(end - p >= 2 && p[1] < 0x80)) {
        int v = (p[0] & 0x7f) | p[1] << 7;
        *out = (v >> 1) ^ -(v & 1);
        *at = p + 2;
        return true;
    }
    int64_t wide;
    if (!raw_varlong_slow(at, end, 32, &wide))
        return false;
    *out = (int32_t)wide;
    return true;
}

/* A length varint and its bytes; -1 gives NULL, a lower length is refused. */
static inline bool raw_bytes(const uint8_t **at, const uint8_t *end, const uint8_t **data, uint32_t *len)
{
    int32_t n;
    if (!raw_varint(at, end, &n) || n < -1)
        return false;
    *data = NULL;
    *len = 0;
    if (n == -1)
        return true;
    if (n > end - *at)
        return false;
    *data = *at;
    *len = (uint32_t)n;
    *at += n;
    return true;
}

static inline bool raw_header(const uint8_t **at, const uint8_t *end, const uint8_t **key, uint32_t *key_len,
                              const uint8_t **value, uint32_t *value_len)
{
    return raw_bytes(at, end, key, key_len) && *key && raw_bytes(at, end, value, value_len);
}

/* The len > 0 bytes after a record's length varint; all but the headers' content. */
static inline bool raw_record_body(const uint8_t *p, uint32_t len, struct raw_record *out)
{
    const uint8_t *stop = p + len;
    out->body = p;
    out->body_len = len;
    out->attributes = (int8_t)*p++;
    if (!raw_varlong(&p, stop, &out->timestamp_delta) || !raw_varint(&p, stop, &out->offset_delta)
        || !raw_bytes(&p, stop, &out->key, &out->key_len) || !raw_bytes(&p, stop, &out->value, &out->value_len)
        || !raw_varint(&p, stop, &out->header_count) || out->header_count < 0)
        return false;
    out->headers = p;
    return true;
}

/* True when the headers are well-formed and end where the record does. */
static inline bool raw_record_headers_ok(const struct raw_record *r)
{
    const uint8_t *p = r->headers, *stop = r->body + r->body_len;
    for (int32_t i = 0; i < r->header_count; i++) {
        const uint8_t *key, *value;
        uint32_t key_len, value_len;
        if (!raw_header(&p, stop, &key, &key_len, &value, &value_len))
            return false;
    }
    return p == stop;
}
