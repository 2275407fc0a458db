/* lz4 in its frame format, one frame. Java readers take only frames whose blocks do not refer to each other and
 * stop after the first frame, so other frames are refused and ours are written so. */
#include "compat/zip/zip_int.h"
#include "compat/base/mem.h"
#include <lz4frame.h>

enum {
    LZ4_LEVEL_DEFAULT = 9, /* Kafka's word for the fast compressor; every other level is the slow one's */
    LZ4_LEVEL_SLOW_MIN = 3,
    LZ4_FLAGS_AT = 4,
    LZ4_FLAG_INDEPENDENT = 0x20,
};

static enum br_err lz4_inflate(struct kw_zip *zip, const uint8_t *in, size_t len, struct zip_out *out)
{
    static const uint8_t magic[4] = {0x04, 0x22, 0x4d, 0x18};
    if (len <= LZ4_FLAGS_AT || memcmp(in, magic, sizeof magic) != 0 || !(in[LZ4_FLAGS_AT] & LZ4_FLAG_INDEPENDENT))
        return BR_CORRUPT;
    LZ4F_dctx *d;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&d, LZ4F_VERSION)))
        return BR_NOMEM;
    enum br_err err = BR_OK;
    for (;;) {
        size_t taken = len, got = ZIP_PIECE;
        size_t more = LZ4F_decompress(d, zip->scratch, &got, in, &taken, NULL);
        if (LZ4F_isError(more)) {
            err = BR_CORRUPT;
            break;
        }
        in += taken;
        len -= taken;
        err = zip_out_add(out, zip->scratch, got);
        if (err != BR_OK)
            break;
        if (more == 0) { /* end of the frame */
            err = len == 0 ? BR_OK : BR_CORRUPT;
            break;
        }
        if (taken == 0 && got == 0) { /* wants bytes that are not there */
            err = BR_CORRUPT;
            break;
        }
    }
    LZ4F_freeDecompressionContext(d);
    return err;
}

/* A block a call; nothing is kept back between calls (autoFlush), so that scratch can be sized once. */
static enum br_err lz4_write(LZ4F_cctx *c, const LZ4F_preferences_t *prefs, const uint8_t *in, size_t len,
                             struct br_buf *out, uint8_t *room, size_t room_size)
{
    size_t got = LZ4F_compressBegin(c, room, room_size, prefs);
    BR_ASSERT(!LZ4F_isError(got));
    enum br_err err = zip_buf_add(out, room, got);
    while (err == BR_OK && len > 0) {
        size_t part = BR_MIN(len, ZIP_PIECE);
        got = LZ4F_compressUpdate(c, room, room_size, in, part, NULL);
        BR_ASSERT(!LZ4F_isError(got));
        err = zip_buf_add(out, room, got);
        in += part;
        len -= part;
    }
    if (err != BR_OK)
        return err;
    got = LZ4F_compressEnd(c, room, room_size, NULL);
    BR_ASSERT(!LZ4F_isError(got));
    return zip_buf_add(out, room, got);
}

static enum br_err lz4_deflate(int level, const uint8_t *in, size_t len, struct br_buf *out,
                               uint8_t *scratch BR_UNUSED)
{
    LZ4F_preferences_t prefs = {
        .frameInfo = {.blockSizeID = LZ4F_max64KB, .blockMode = LZ4F_blockIndependent},
        .compressionLevel = level == LZ4_LEVEL_DEFAULT
            ? 0
            : BR_MAX(LZ4_LEVEL_SLOW_MIN, BR_MIN(level, LZ4F_compressionLevel_max())),
        .autoFlush = 1,
    };
    size_t room_size = BR_MAX(LZ4F_compressBound(ZIP_PIECE, &prefs), (size_t)LZ4F_HEADER_SIZE_MAX);
    uint8_t *room = br_try_alloc(room_size); /* a stored block is a little longer than scratch */
    if (!room)
        return BR_NOMEM;
    LZ4F_cctx *c;
    enum br_err err = BR_NOMEM;
    if (!LZ4F_isError(LZ4F_createCompressionContext(&c, LZ4F_VERSION))) {
        err = lz4_write(c, &prefs, in, len, out, room, room_size);
        LZ4F_freeCompressionContext(c);
    }
    br_free(room);
    return err;
}

const struct zip_codec zip_codec_lz4 = {LZ4_LEVEL_DEFAULT, lz4_inflate, lz4_deflate};
