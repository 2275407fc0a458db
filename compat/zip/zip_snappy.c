/* snappy, in its two framings. Java clients write a stream: a 16-byte head, then chunks of {length, raw block}.
 * librdkafka and the Go clients write one raw block. All of them read the stream, so that is what we write.
 *
 * A raw block cannot be inflated in pieces: its declared length is checked against the cap, and against what its
 * bytes could give at most, before memory is reserved. */
#include "compat/zip/zip_int.h"
#include "compat/base/mem.h"
#include <snappy-c.h>

#define STREAM_HEAD 16
#define STREAM_CHUNK ((size_t)32 << 10) /* of plain bytes in the chunks we write, as Java's default */
#define EXPANSION_MAX 22                /* a copy of 64 bytes takes 3 */

/* Magic, version 1, oldest compatible version 1. No raw block begins so: it would copy before its first byte. */
static const uint8_t stream_head[STREAM_HEAD] = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0, 0, 0, 0, 1, 0, 0, 0, 1};
enum { STREAM_MAGIC = 8 };

static enum br_err block_inflate(const uint8_t *in, size_t len, struct zip_out *out)
{
    size_t plain;
    if (snappy_uncompressed_length((const char *)in, len, &plain) != SNAPPY_OK)
        return BR_CORRUPT;
    if (plain > out->left)
        return BR_TOO_LARGE;
    if (plain / EXPANSION_MAX > len)
        return BR_CORRUPT;
    char *text = br_try_alloc(plain);
    if (!text)
        return BR_NOMEM;
    enum br_err err = BR_CORRUPT;
    if (snappy_uncompress((const char *)in, len, text, &plain) == SNAPPY_OK)
        err = zip_out_add(out, (const uint8_t *)text, plain);
    br_free(text);
    return err;
}

static bool is_stream(const uint8_t *in, size_t len)
{
    return len >= STREAM_HEAD && memcmp(in, stream_head, STREAM_MAGIC) == 0;
}

static enum br_err snappy_inflate(struct kw_zip *zip BR_UNUSED, const uint8_t *in, size_t len, struct zip_out *out)
{
    if (!is_stream(in, len))
        return block_inflate(in, len, out);
    if (br_load32(in + 8) == 0 || br_load32(in + 12) == 0)
        return BR_CORRUPT; /* Java readers refuse versions below 1 */
    for (size_t at = STREAM_HEAD; at < len;) {
        size_t left = len - at;
        if (is_stream(in + at, left)) { /* streams may follow one another */
            at += STREAM_HEAD;
            continue;
        }
        if (left < 4)
            return BR_CORRUPT;
        size_t chunk = br_load32(in + at);
        if (chunk > left - 4)
            return BR_CORRUPT;
        enum br_err err = block_inflate(in + at + 4, chunk, out);
        if (err != BR_OK)
            return err;
        at += 4 + chunk;
    }
    return BR_OK;
}

static enum br_err snappy_deflate(int level BR_UNUSED, const uint8_t *in, size_t len, struct br_buf *out,
                                  uint8_t *scratch)
{
    BR_ASSERT(4 + snappy_max_compressed_length(STREAM_CHUNK) <= ZIP_PIECE);
    enum br_err err = zip_buf_add(out, stream_head, sizeof stream_head);
    for (size_t at = 0; err == BR_OK && at < len;) {
        size_t plain = BR_MIN(len - at, STREAM_CHUNK);
        size_t packed = ZIP_PIECE - 4;
        snappy_status status = snappy_compress((const char *)in + at, plain, (char *)scratch + 4, &packed);
        BR_ASSERT(status == SNAPPY_OK);
        br_store32(scratch, (uint32_t)packed);
        err = zip_buf_add(out, scratch, 4 + packed);
        at += plain;
    }
    return err;
}

const struct zip_codec zip_codec_snappy = {0, snappy_inflate, snappy_deflate};
