#include "compat/base/buf.h"
#include "compat/base/mem.h"
#include "compat/base/reader.h"

void br_buf_init(struct br_buf *buf, size_t limit)
{
    *buf = (struct br_buf){.limit = limit};
}

uint8_t *br_buf_room(struct br_buf *buf, size_t len)
{
    if (buf->failed || len > buf->limit || buf->len > buf->limit - len) {
        buf->failed = true;
        return NULL;
    }
    if (buf->cap - buf->len < len || !buf->data) { /* room for nothing is not NULL either */
        size_t cap = BR_MAX(BR_MAX(buf->cap * 2, (size_t)256), buf->len + len);
        buf->data = br_realloc(buf->data, cap);
        buf->cap = cap;
    }
    return buf->data + buf->len;
}

void br_buf_add(struct br_buf *buf, const void *data, size_t len)
{
    if (len == 0)
        return;
    uint8_t *room = br_buf_room(buf, len);
    if (room) {
        memcpy(room, data, len);
        buf->len += len;
    }
}

void br_buf_add8(struct br_buf *buf, uint8_t v)
{
    br_buf_add(buf, &v, 1);
}

void br_buf_add16(struct br_buf *buf, uint16_t v)
{
    uint8_t b[2];
    br_store16(b, v);
    br_buf_add(buf, b, sizeof b);
}

void br_buf_add32(struct br_buf *buf, uint32_t v)
{
    uint8_t b[4];
    br_store32(b, v);
    br_buf_add(buf, b, sizeof b);
}

void br_buf_add64(struct br_buf *buf, uint64_t v)
{
    uint8_t b[8];
    br_store64(b, v);
    br_buf_add(buf, b, sizeof b);
}

void br_buf_add_uvarint(struct br_buf *buf, uint32_t v)
{
    uint8_t b[10];
    br_buf_add(buf, b, br_put_uvarint(b, v));
}

void br_buf_add_varint(struct br_buf *buf, int32_t v)
{
    uint8_t b[10];
    br_buf_add(buf, b, br_put_varint(b, v));
}

void br_buf_add_varlong(struct br_buf *buf, int64_t v)
{
    uint8_t b[10];
    br_buf_add(buf, b, br_put_varlong(b, v));
}

void br_buf_printf(struct br_buf *buf, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    if (len >= 0 && br_buf_room(buf, (size_t)len + 1)) {
        vsnprintf((char *)buf->data + buf->len, (size_t)len + 1, fmt, again);
        buf->len += (size_t)len;
    }
    va_end(again);
    va_end(ap);
}

void br_buf_reset(struct br_buf *buf)
{
    buf->len = 0;
    buf->failed = false;
}

void br_buf_clear(struct br_buf *buf)
{
    br_free(buf->data);
    *buf = (struct br_buf){.limit = buf->limit};
}
