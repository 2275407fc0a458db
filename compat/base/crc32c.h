/* CRC-32C (Castagnoli), by ISA-L. Thread: any. */
#pragma once

#include "compat/base/base.h"

/* Of one piece. */
uint32_t br_crc32c(const void *data, size_t len);
/* Goes on from the result for the bytes before. br_crc32c(d, n) == br_crc32c_extend(0, d, n). */
uint32_t br_crc32c_extend(uint32_t crc, const void *data, size_t len);
