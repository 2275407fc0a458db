/* What the codec files share: one table row a codec, and the two ends of a stream, both of which keep the limits.
 * Included by zip*.c only. */
#pragma once

#include "compat/zip/zip.h"

#define ZIP_PIECE ((size_t)64 << 10) /* bytes handed to a sink, or to an output buffer, at a time */

/* Where inflated bytes go: counts them against the cap and cuts them into pieces. */
struct zip_out {
    size_t left; /* bytes the cap still allows */
    kw_zip_sink sink;
    void *ctx;
};

/* BR_TOO_LARGE past the cap (nothing of data is delivered then), else what the sink says. */
BR_MUST_USE enum br_err zip_out_add(struct zip_out *out, const uint8_t *data, size_t len);

/* Kept by the owner, or on the stack of one call. */
struct kw_zip {
    uint8_t *scratch; /* ZIP_PIECE bytes, or NULL until needed */
    void *zstd;       /* ZSTD_DCtx, or NULL */
};

struct zip_codec {
    int level_default;
    /* zip->scratch is there. */
    enum br_err (*inflate)(struct kw_zip *zip, const uint8_t *in, size_t len, struct zip_out *out);
    /* scratch: ZIP_PIECE bytes. Appends to out; BR_TOO_LARGE at its limit. level is the codec's own, clamped by the codec. */
    enum br_err (*deflate)(int level, const uint8_t *in, size_t len, struct br_buf *out, uint8_t *scratch);
};

/* Gives back the zstd decoder when it holds more than size_max bytes. */
void zip_zstd_trim(struct kw_zip *zip, size_t size_max);

extern const struct zip_codec zip_codec_gzip, zip_codec_snappy, zip_codec_lz4, zip_codec_zstd;

/* br_buf_add that tells at once. */
BR_MUST_USE enum br_err zip_buf_add(struct br_buf *out, const void *data, size_t len);
