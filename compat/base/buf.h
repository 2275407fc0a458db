/* Growing byte buffer with a limit told when it is made: appending past it sets `failed` and
 * stores nothing more, so that a writer tests once at the end. */
#pragma once

#include "compat/base/bytes.h"
#include "compat/base/str.h"

struct br_buf {
    uint8_t *data;
    size_t len, cap, limit;
    bool failed;
};

/* limit: most bytes it may hold. Allocates nothing yet. */
void br_buf_init(struct br_buf *buf, size_t limit);
/* Room for len more bytes, at data + len (not counted yet), or NULL when over the limit. */
uint8_t *br_buf_room(struct br_buf *buf, size_t len);
void br_buf_add(struct br_buf *buf, const void *data, size_t len);
void br_buf_add8(struct br_buf *buf, uint8_t v);
void br_buf_add16(struct br_buf *buf, uint16_t v);
void br_buf_add32(struct br_buf *buf, uint32_t v);
void br_buf_add64(struct br_buf *buf, uint64_t v);
void br_buf_add_uvarint(struct br_buf *buf, uint32_t v);
void br_buf_add_varint(struct br_buf *buf, int32_t v);
void br_buf_add_varlong(struct br_buf *buf, int64_t v);
BR_PRINTF(2, 3) void br_buf_printf(struct br_buf *buf, const char *fmt, ...);
/* Empties it and clears `failed`; keeps the memory. */
void br_buf_reset(struct br_buf *buf);
void br_buf_clear(struct br_buf *buf);
