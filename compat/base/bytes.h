/* Big-endian loads and stores: the only way wire and disk bytes become numbers. */
#pragma once

#include "compat/base/base.h"

static inline uint8_t br_load8(const uint8_t *p) { return p[0]; }
static inline uint16_t br_load16(const uint8_t *p) { uint16_t v; memcpy(&v, p, 2); return __builtin_bswap16(v); }
static inline uint32_t br_load32(const uint8_t *p) { uint32_t v; memcpy(&v, p, 4); return __builtin_bswap32(v); }
static inline uint64_t br_load64(const uint8_t *p) { uint64_t v; memcpy(&v, p, 8); return __builtin_bswap64(v); }
static inline void br_store8(uint8_t *p, uint8_t v) { p[0] = v; }
static inline void br_store16(uint8_t *p, uint16_t v) { v = __builtin_bswap16(v); memcpy(p, &v, 2); }
static inline void br_store32(uint8_t *p, uint32_t v) { v = __builtin_bswap32(v); memcpy(p, &v, 4); }
static inline void br_store64(uint8_t *p, uint64_t v) { v = __builtin_bswap64(v); memcpy(p, &v, 8); }

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "byte swaps above assume a little-endian machine");
