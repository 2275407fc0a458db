/* Cursor over one buffer with a sticky error: read every field, test once.
 * After an error every read gives 0 / NULL and moves nothing. Borrowed bytes only. */
#pragma once

#include "compat/base/bytes.h"
#include "compat/base/str.h"

struct br_reader {
    const uint8_t *at, *end;
    bool failed;
};

static inline struct br_reader br_reader(const void *data, size_t len)
{
    const uint8_t *at = data ? data : (const void *)""; /* arithmetic on NULL is undefined even for + 0 */
    return (struct br_reader){at, at + len, false};
}
static inline size_t br_reader_left(const struct br_reader *r) { return (size_t)(r->end - r->at); }
/* The next len bytes, or NULL (and failed) when fewer are left. */
static inline const uint8_t *br_read_bytes(struct br_reader *r, size_t len)
{
    if (r->failed || br_reader_left(r) < len) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *p = r->at;
    r->at += len;
    return p;
}
static inline uint8_t br_read8(struct br_reader *r) { const uint8_t *p = br_read_bytes(r, 1); return p ? *p : 0; }
static inline uint16_t br_read16(struct br_reader *r) { const uint8_t *p = br_read_bytes(r, 2); return p ? br_load16(p) : 0; }
static inline uint32_t br_read32(struct br_reader *r) { const uint8_t *p = br_read_bytes(r, 4); return p ? br_load32(p) : 0; }
static inline uint64_t br_read64(struct br_reader *r) { const uint8_t *p = br_read_bytes(r, 8); return p ? br_load64(p) : 0; }
/* Unsigned LEB128, at most 5 (32) or 10 (64) bytes; longer or overflowing fails. */
uint32_t br_read_uvarint(struct br_reader *r);
uint64_t br_read_uvarlong(struct br_reader *r);
/* Zig-zag forms, as inside Kafka records. */
int32_t br_read_varint(struct br_reader *r);
int64_t br_read_varlong(struct br_reader *r);

/* Writers: put the number at p, return its length (at most 5 / 10 bytes). */
size_t br_put_uvarint(uint8_t *p, uint32_t v);
size_t br_put_uvarlong(uint8_t *p, uint64_t v);
size_t br_put_varint(uint8_t *p, int32_t v);
size_t br_put_varlong(uint8_t *p, int64_t v);
size_t br_uvarint_size(uint32_t v);
size_t br_varint_size(int32_t v);
size_t br_varlong_size(int64_t v);
