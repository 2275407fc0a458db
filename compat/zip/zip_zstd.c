/* zstd, streaming; frames may follow one another.
 *
 * A frame declares its window, up to 128 MiB for the strongest levels, and Kafka takes them all. The library
 * reserves the window but touches only what it writes, so memory in use stays below the smaller of window and cap. */
#include "compat/zip/zip_int.h"
#include <zstd.h>
#include <zstd_errors.h>

enum { ZSTD_WINDOW_LOG = 27 }; /* 128 MiB, the largest that Java and C readers take unasked */

static enum br_err zstd_error(size_t rc)
{
    return ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation ? BR_NOMEM : BR_CORRUPT;
}

/* The kept decoder, ready for a new stream. */
static ZSTD_DCtx *decoder(struct kw_zip *zip)
{
    if (zip->zstd) {
        ZSTD_DCtx_reset(zip->zstd, ZSTD_reset_session_only);
        return zip->zstd;
    }
    ZSTD_DCtx *d = ZSTD_createDCtx();
    if (d && ZSTD_isError(ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG))) {
        ZSTD_freeDCtx(d);
        d = NULL;
    }
    zip->zstd = d;
    return d;
}

void zip_zstd_trim(struct kw_zip *zip, size_t size_max)
{
    if (zip->zstd && ZSTD_sizeof_DCtx(zip->zstd) > size_max) {
        ZSTD_freeDCtx(zip->zstd);
        zip->zstd = NULL;
    }
}

static enum br_err zstd_inflate(struct kw_zip *zip, const uint8_t *in, size_t len, struct zip_out *out)
{
    ZSTD_DCtx *d = decoder(zip);
    if (!d)
        return BR_NOMEM;
    enum br_err err = BR_OK;
    ZSTD_inBuffer src = {in, len, 0};
    size_t more = 1; /* 0 exactly at the end of a frame */
    while (err == BR_OK && !(src.pos == src.size && more == 0)) {
        ZSTD_outBuffer dst = {zip->scratch, ZIP_PIECE, 0};
        size_t before = src.pos;
        more = ZSTD_decompressStream(d, &dst, &src);
        if (ZSTD_isError(more))
            err = zstd_error(more);
        else if (dst.pos == 0 && src.pos == before && more != 0)
            err = BR_CORRUPT; /* wants bytes that are not there */
        else
            err = zip_out_add(out, zip->scratch, dst.pos);
    }
    return err;
}

static enum br_err zstd_deflate(int level, const uint8_t *in, size_t len, struct br_buf *out, uint8_t *scratch)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    if (!c)
        return BR_NOMEM;
    enum br_err err = BR_OK;
    level = BR_MAX(ZSTD_minCLevel(), BR_MIN(level, ZSTD_maxCLevel()));
    if (ZSTD_isError(ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level))
        || ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(c, len)))
        err = BR_NOMEM;
    ZSTD_inBuffer src = {in, len, 0};
    size_t more = 1;
    while (err == BR_OK && more != 0) {
        ZSTD_outBuffer dst = {scratch, ZIP_PIECE, 0};
        more = ZSTD_compressStream2(c, &dst, &src, ZSTD_e_end);
        err = ZSTD_isError(more) ? BR_NOMEM : zip_buf_add(out, scratch, dst.pos);
    }
    ZSTD_freeCCtx(c);
    return err;
}

const struct zip_codec zip_codec_zstd = {3, zstd_inflate, zstd_deflate};
