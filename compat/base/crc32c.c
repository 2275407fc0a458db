#include "compat/base/crc32c.h"
#include <isa-l.h>

uint32_t br_crc32c_extend(uint32_t crc, const void *data, size_t len)
{
    const unsigned char *p = data;
    uint32_t state = ~crc;
    while (len > 0) { /* ISA-L takes an int */
        int part = (int)BR_MIN(len, (size_t)1 << 30);
        state = crc32_iscsi((unsigned char *)(uintptr_t)p, part, state);
        p += part;
        len -= (size_t)part;
    }
    return ~state;
}

uint32_t br_crc32c(const void *data, size_t len)
{
    return br_crc32c_extend(0, data, len);
}
