/* gzip by zlib: the gzip wrapper only, as Java writes and reads it; members may follow one another (RFC 1952). */
#include "compat/zip/zip_int.h"
#define ZLIB_CONST
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* largest window, gzip wrapper */

/* zlib counts in unsigned int. */
static unsigned next_part(size_t left) { return (unsigned)BR_MIN(left, (size_t)1 << 30); }

static enum br_err gzip_member(z_stream *z, size_t *left, struct zip_out *out, uint8_t *scratch)
{
    for (;;) {
        unsigned given = next_part(*left);
        z->avail_in = given;
        z->next_out = scratch;
        z->avail_out = ZIP_PIECE;
        int rc = inflate(z, Z_NO_FLUSH);
        *left -= given - z->avail_in;
        size_t got = ZIP_PIECE - z->avail_out;
        if (rc != Z_OK && rc != Z_STREAM_END)
            return rc == Z_MEM_ERROR ? BR_NOMEM : BR_CORRUPT; /* Z_BUF_ERROR: the input ends too early */
        enum br_err err = zip_out_add(out, scratch, got);
        if (err != BR_OK || rc == Z_STREAM_END)
            return err;
    }
}

static enum br_err gzip_inflate(struct kw_zip *zip, const uint8_t *in, size_t len, struct zip_out *out)
{
    z_stream z = {.next_in = in};
    if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
        return BR_NOMEM;
    enum br_err err;
    for (;;) {
        err = gzip_member(&z, &len, out, zip->scratch);
        if (err != BR_OK || len == 0)
            break;
        inflateReset(&z);
    }
    inflateEnd(&z);
    return err;
}

static enum br_err gzip_deflate(int level, const uint8_t *in, size_t len, struct br_buf *out, uint8_t *scratch)
{
    z_stream z = {.next_in = in};
    level = BR_MAX(-1, BR_MIN(level, 9));
    if (deflateInit2(&z, level, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return BR_NOMEM;
    enum br_err err;
    int rc;
    do {
        unsigned given = next_part(len);
        z.avail_in = given;
        z.next_out = scratch;
        z.avail_out = ZIP_PIECE;
        rc = deflate(&z, given == len ? Z_FINISH : Z_NO_FLUSH);
        BR_ASSERT(rc == Z_OK || rc == Z_STREAM_END);
        len -= given - z.avail_in;
        err = zip_buf_add(out, scratch, ZIP_PIECE - z.avail_out);
    } while (err == BR_OK && rc != Z_STREAM_END);
    deflateEnd(&z);
    return err;
}

const struct zip_codec zip_codec_gzip = {Z_DEFAULT_COMPRESSION, gzip_inflate, gzip_deflate};
