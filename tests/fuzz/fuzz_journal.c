/* Any bytes as the journal's files: opening ends in an error or in records that are sound, and then the journal can be written, closed and
 * opened again, and gives the same records and the new ones (S-1).
 *
 * Input: a byte of choices, 2 bytes of where the first file ends, then the bytes of one or two files. With bit 0 the headers and the CRCs along
 * the chain of lengths are made right first, so that the code behind them is reached. */
#include "compat/base/bytes.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "storage/journal_int.h"
#include "storage/vfs_mem.h"
#include "tests/fuzz/fuzz.h"

enum { FIX = 1, TWO_FILES = 2, FROM_MIDDLE = 4, MIDDLE = 500 };

struct seen {
    uint64_t next_lsn, from;
    size_t count;
    uint32_t sum;
};

static enum br_err each(void *ctx, const struct store_row *row)
{
    struct seen *s = ctx;
    uint8_t bytes[STORE_JOURNAL_ROW_BYTES];
    BR_ASSERT(row->kind != STORE_ROW_HEAD && row->kind <= STORE_ROW_FINAL);
    BR_ASSERT(row->lsn >= s->next_lsn && row->lsn >= s->from);
    BR_ASSERT(!row->payload == !(row->flags & STORE_ROW_PAYLOAD));
    store_journal_encode(row, STORE_JOURNAL_ROW_BYTES, bytes);
    s->sum = br_crc32c_extend(s->sum, bytes, sizeof bytes);
    if (row->payload)
        s->sum = br_crc32c_extend(s->sum, row->payload, row->length);
    s->next_lsn = row->lsn + STORE_JOURNAL_ROW_BYTES;
    s->count++;
    return BR_OK;
}

static void make_right(uint8_t *bytes, size_t size, uint64_t seq, uint64_t first_lsn)
{
    if (size < JOURNAL_HEADER_BYTES)
        return;
    memcpy(bytes, "BRAIDJNL", 8);
    br_store32(bytes + 8, STORE_JOURNAL_VERSION);
    br_store32(bytes + 12, 1);
    memset(bytes + 16, 0, 16);
    br_store64(bytes + 32, seq);
    br_store64(bytes + 40, first_lsn);
    br_store32(bytes + 60, br_crc32c(bytes, 60));
    for (size_t at = JOURNAL_HEADER_BYTES; size - at >= STORE_JOURNAL_ROW_BYTES;) {
        uint32_t length = br_load32(bytes + at + 4);
        if (length < STORE_JOURNAL_ROW_BYTES || length > size - at)
            break;
        br_store64(bytes + at + 8, first_lsn + at - JOURNAL_HEADER_BYTES);
        br_store32(bytes + at, br_crc32c_extend(store_journal_seed(seq), bytes + at + 4, length - 4));
        at += length;
    }
}

static void put_file(struct store_vfs *vfs, const char *path, const uint8_t *data, size_t size, uint64_t seq, uint64_t first_lsn, bool fix)
{
    /* The header is given as 64 bytes and grown to its block, so that corpora stay small. */
    size_t head = BR_MIN(size, (size_t)64), whole = size < 64 ? size : size - 64 + JOURNAL_HEADER_BYTES;
    uint8_t *bytes = br_alloc(whole);
    memcpy(bytes, data, head);
    if (size > 64)
        memcpy(bytes + JOURNAL_HEADER_BYTES, data + 64, size - 64);
    if (fix)
        make_right(bytes, whole, seq, first_lsn);
    BR_ASSERT(store_file_replace(vfs, path, bytes, whole) == BR_OK);
    br_free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3 || size > 20000)
        return 0;
    uint8_t choice = data[0];
    size_t split = br_load16(data + 1) % (size - 2);
    struct store_vfs_mem *mem = store_vfs_mem_new(1);
    struct store_vfs *vfs = store_vfs_mem_vfs(mem);
    struct store_io_pool *pool = store_io_pool_new(0, NULL, NULL);
    BR_ASSERT(store_dir_make(vfs, "j") == BR_OK);
    data += 3, size -= 3;
    split = choice & TWO_FILES ? split : size;
    put_file(vfs, "j/00000000001000000000.journal", data, split, JOURNAL_RUN, 0, choice & FIX);
    if (choice & TWO_FILES)
        put_file(vfs, "j/00000000001000000001.journal", data + split, size - split, JOURNAL_RUN + 1, split > 64 ? split - 64 : 0, choice & FIX);

    struct store_journal_opts opts = {.vfs = vfs, .dir = "j", .node_id = 1, .file_bytes = 8192, .sync_pool = pool};
    struct store_journal *j;
    struct br_errbuf eb = {""};
    struct seen first = {0}, again = {0};
    uint64_t end, from = choice & FROM_MIDDLE ? MIDDLE : 0;
    first.from = again.from = from;
    if (store_journal_open(&opts, from, each, &first, &j, &end, &eb) == BR_OK) {
        struct store_row row = {.kind = STORE_ROW_NOOP, .flags = STORE_ROW_FIRST | STORE_ROW_LAST, .s = 42};
        BR_ASSERT(end >= from);
        BR_ASSERT(store_journal_add(j, &row, NULL) == BR_OK);
        BR_ASSERT(store_journal_write(j) == BR_OK);
        store_journal_check(j);
        store_journal_close(j);
        BR_ASSERT(each(&first, &row) == BR_OK);
        BR_ASSERT(store_journal_open(&opts, from, each, &again, &j, &end, &eb) == BR_OK);
        BR_ASSERT(again.count == first.count && again.sum == first.sum);
        store_journal_close(j);
    } else {
        BR_ASSERT(eb.text[0] != 0);
    }
    store_io_pool_free(pool);
    store_vfs_mem_free(mem);
    return 0;
}
