/* The table of codecs and what they have in common: cap, pieces, scratch, and giving a buffer back as it was. */
#include "compat/zip/zip_int.h"
#include "compat/base/mem.h"
#include <limits.h>

static const char *const names[KW_CODEC_COUNT] = {"none", "gzip", "snappy", "lz4", "zstd"};

static const struct zip_codec *const codecs[KW_CODEC_COUNT] = {
    [KW_CODEC_GZIP] = &zip_codec_gzip,
    [KW_CODEC_SNAPPY] = &zip_codec_snappy,
    [KW_CODEC_LZ4] = &zip_codec_lz4,
    [KW_CODEC_ZSTD] = &zip_codec_zstd,
};

static bool is_known(int codec) { return codec >= 0 && codec < KW_CODEC_COUNT; }

const char *kw_codec_name(int codec)
{
    return is_known(codec) ? names[codec] : NULL;
}

enum br_err zip_out_add(struct zip_out *out, const uint8_t *data, size_t len)
{
    if (len > out->left)
        return BR_TOO_LARGE;
    out->left -= len;
    while (len > 0) {
        size_t part = BR_MIN(len, ZIP_PIECE);
        enum br_err err = out->sink(out->ctx, data, part);
        if (err != BR_OK)
            return err;
        data += part;
        len -= part;
    }
    return BR_OK;
}

enum br_err zip_buf_add(struct br_buf *out, const void *data, size_t len)
{
    br_buf_add(out, data, len);
    return out->failed ? BR_TOO_LARGE : BR_OK;
}

struct kw_zip *kw_zip_new(void)
{
    return br_alloc(sizeof(struct kw_zip));
}

static void zip_clear(struct kw_zip *zip)
{
    zip_zstd_trim(zip, 0);
    br_free(zip->scratch);
}

void kw_zip_free(struct kw_zip *zip)
{
    if (!zip)
        return;
    zip_clear(zip);
    br_free(zip);
}

static enum br_err inflate_packed(struct kw_zip *zip, int codec, const uint8_t *in, size_t len, struct zip_out *out)
{
    if (!zip->scratch)
        zip->scratch = br_try_alloc(ZIP_PIECE);
    if (!zip->scratch)
        return BR_NOMEM;
    enum br_err err = codecs[codec]->inflate(zip, in, len, out);
    zip_zstd_trim(zip, KW_ZIP_KEPT_MAX - ZIP_PIECE);
    return err;
}

enum br_err kw_zip_inflate_with(struct kw_zip *zip, int codec, const uint8_t *in, size_t len, size_t cap,
                                kw_zip_sink sink, void *ctx)
{
    struct zip_out out = {.left = cap, .sink = sink, .ctx = ctx};
    if (!is_known(codec))
        return BR_UNSUPPORTED;
    if (codec == KW_CODEC_NONE)
        return zip_out_add(&out, in, len);
    if (len == 0)
        return BR_CORRUPT; /* no codec writes nothing, not even for nothing */
    if (zip)
        return inflate_packed(zip, codec, in, len, &out);
    struct kw_zip once = {NULL, NULL};
    enum br_err err = inflate_packed(&once, codec, in, len, &out);
    zip_clear(&once);
    return err;
}

enum br_err kw_zip_inflate(int codec, const uint8_t *in, size_t len, size_t cap, kw_zip_sink sink, void *ctx)
{
    return kw_zip_inflate_with(NULL, codec, in, len, cap, sink, ctx);
}

static enum br_err sink_to_buf(void *ctx, const uint8_t *data, size_t len)
{
    return zip_buf_add(ctx, data, len);
}

enum br_err kw_zip_inflate_buf(int codec, const uint8_t *in, size_t len, size_t cap, struct br_buf *out)
{
    size_t before = out->len;
    bool had_failed = out->failed;
    enum br_err err = kw_zip_inflate(codec, in, len, cap, sink_to_buf, out);
    if (err != BR_OK) {
        out->len = before;
        out->failed = had_failed;
    }
    return err;
}

enum br_err kw_zip_deflate(int codec, int level, const uint8_t *in, size_t len, struct br_buf *out)
{
    size_t before = out->len;
    bool had_failed = out->failed;
    if (!is_known(codec))
        return BR_UNSUPPORTED;
    enum br_err err;
    if (codec == KW_CODEC_NONE) {
        err = zip_buf_add(out, in, len);
    } else {
        uint8_t *scratch = br_try_alloc(ZIP_PIECE);
        if (!scratch)
            return BR_NOMEM;
        if (level == INT_MIN)
            level = codecs[codec]->level_default;
        err = codecs[codec]->deflate(level, in, len, out, scratch);
        br_free(scratch);
    }
    if (err != BR_OK) {
        out->len = before;
        out->failed = had_failed;
    }
    return err;
}
