/* Codecs: no bytes may crash inflate or get past its cap; what inflates must come back the same after packing again; and
 * any bytes survive packing. Input: codec, then the packed bytes. */
#include "compat/zip/zip.h"
#include "compat/base/mem.h"
#include "tests/fuzz/fuzz.h"
#include <limits.h>

#define CAP ((size_t)1 << 20)

static void round_trip(int codec, const uint8_t *data, size_t len)
{
    struct br_buf packed, plain;
    br_buf_init(&packed, 2 * CAP);
    br_buf_init(&plain, CAP);
    BR_ASSERT(kw_zip_deflate(codec, INT_MIN, data, len, &packed) == BR_OK);
    BR_ASSERT(kw_zip_inflate_buf(codec, packed.data, packed.len, len, &plain) == BR_OK);
    BR_ASSERT(plain.len == len);
    BR_ASSERT(len == 0 || memcmp(plain.data, data, len) == 0);
    br_buf_clear(&packed);
    br_buf_clear(&plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct br_buf plain, again;
    if (size < 1)
        return 0;
    int codec = data[0] % (KW_CODEC_COUNT + 1); /* one past: an unknown number */
    br_buf_init(&plain, CAP);
    br_buf_init(&again, CAP);
    enum br_err err = kw_zip_inflate_buf(codec, data + 1, size - 1, CAP, &plain);
    BR_ASSERT(plain.len <= CAP);
    if (err == BR_OK) {
        BR_ASSERT(kw_zip_inflate_buf(codec, data + 1, size - 1, plain.len, &again) == BR_OK);
        BR_ASSERT(plain.len == 0
                  || kw_zip_inflate_buf(codec, data + 1, size - 1, plain.len - 1, &again) == BR_TOO_LARGE);
        round_trip(codec, plain.data, plain.len);
    } else {
        BR_ASSERT(plain.len == 0);
    }
    if (codec < KW_CODEC_COUNT)
        round_trip(codec, data + 1, size - 1);
    br_buf_clear(&plain);
    br_buf_clear(&again);
    return 0;
}
