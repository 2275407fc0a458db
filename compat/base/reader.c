#include "compat/base/reader.h"

static uint64_t read_leb(struct br_reader *r, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < bits; shift += 7) {
        const uint8_t *p = br_read_bytes(r, 1);
        if (!p)
            return 0;
        uint64_t part = *p & 0x7f;
        if (bits - shift < 7 && (part >> (bits - shift)) != 0)
            break; /* bits past the width */
        value |= part << shift;
        if (!(*p & 0x80))
            return value;
    }
    r->failed = true;
    return 0;
}

uint32_t br_read_uvarint(struct br_reader *r) { return (uint32_t)read_leb(r, 32); }
uint64_t br_read_uvarlong(struct br_reader *r) { return read_leb(r, 64); }

int32_t br_read_varint(struct br_reader *r)
{
    uint32_t v = br_read_uvarint(r);
    return (int32_t)((v >> 1) ^ (~(v & 1) + 1));
}

int64_t br_read_varlong(struct br_reader *r)
{
    uint64_t v = br_read_uvarlong(r);
    return (int64_t)((v >> 1) ^ (~(v & 1) + 1));
}

size_t br_put_uvarlong(uint8_t *p, uint64_t v)
{
    size_t n = 0;
    while (v >= 0x80) {
        p[n++] = (uint8_t)(v | 0x80);
        v >>= 7;
    }
    p[n++] = (uint8_t)v;
    return n;
}

static uint64_t zigzag(int64_t v) { return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63); }

size_t br_put_uvarint(uint8_t *p, uint32_t v) { return br_put_uvarlong(p, v); }
size_t br_put_varint(uint8_t *p, int32_t v) { return br_put_uvarlong(p, (uint32_t)zigzag(v)); }
size_t br_put_varlong(uint8_t *p, int64_t v) { return br_put_uvarlong(p, zigzag(v)); }

static size_t leb_size(uint64_t v)
{
    size_t n = 1;
    while (v >= 0x80) {
        v >>= 7;
        n++;
    }
    return n;
}

size_t br_uvarint_size(uint32_t v) { return leb_size(v); }
size_t br_varint_size(int32_t v) { return leb_size((uint32_t)zigzag(v)); }
size_t br_varlong_size(int64_t v) { return leb_size(zigzag(v)); }
