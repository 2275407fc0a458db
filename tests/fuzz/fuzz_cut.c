/* Texts of cuts: any bytes are refused, or read, and then written out again as the same text. Input: a text; behind a first byte of 1 its prefix and checksum are made
 * right. */
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "order/api/cut.h"
#include "tests/fuzz/fuzz.h"

static void check(const char *text)
{
    struct braid_cut *cut;
    struct braid_error error;
    if (braid_cut_decode(text, &cut, &error) != BRAID_OK) {
        BR_ASSERT(!cut && error.code == BRAID_INVALID && error.text[0]);
        return;
    }
    char *again = braid_cut_encode(cut);
    BR_ASSERT(strcmp(text, again) == 0);
    for (size_t i = 0; i < braid_cut_count(cut); i++)
        BR_ASSERT(braid_cut_at(cut, i).offset >= 0 && braid_cut_at(cut, i).partition >= 0);
    braid_free(again);
    braid_cut_free(cut);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool is_sealed = size > 0 && data[0] == 1;
    char *text = br_strndup((const char *)data + is_sealed, size - is_sealed);
    if (is_sealed) {
        char *body = br_asprintf("braid-cut-1:%s", text), *sealed = br_asprintf("%s:%08" PRIx32, body, br_crc32c(body, strlen(body)));
        br_free(body);
        check(sealed);
        br_free(sealed);
    } else {
        check(text);
    }
    br_free(text);
    return 0;
}
