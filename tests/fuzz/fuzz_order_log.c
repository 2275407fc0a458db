/* Any bytes as the order log's files: opening ends in an error or in a log that can be read from every position, trimmed, appended to and opened
 * again (S-5).
 *
 * Input: a byte of choices, 2 bytes of where the first file ends, 2 bytes of the checkpoint's position, then the bytes of one or two files.
 * With bit 0 headers and CRCs are made right first. */
#include "compat/base/bytes.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "storage/order_log_int.h"
#include "storage/vfs_mem.h"
#include "tests/fuzz/fuzz.h"

enum { FIX = 1, TWO_FILES = 2, SECOND = 100 };

static bool is_dead(void *ctx BR_UNUSED, const struct store_order_row *row)
{
    return row->s % 8 != 0;
}

static void on_old(void *ctx, const struct store_order_row *row)
{
    uint64_t *last = ctx;
    BR_ASSERT(row->position >= *last);
    *last = row->position;
}

static void put_file(struct store_vfs *vfs, const char *path, const uint8_t *data, size_t size, uint64_t first, bool fix)
{
    size_t head = BR_MIN(size, (size_t)64), whole = size < 64 ? size : size - 64 + ORDER_HEADER_BYTES;
    uint8_t *bytes = br_alloc(whole);
    memcpy(bytes, data, head);
    if (size > 64)
        memcpy(bytes + ORDER_HEADER_BYTES, data + 64, size - 64);
    if (fix && size >= 64) {
        struct store_order_log shape = {.node_id = 1};
        uint8_t block[ORDER_HEADER_BYTES];
        store_order_header(&shape, first, block);
        memcpy(bytes, block, BR_MIN(whole, sizeof block));
    }
    for (size_t at = ORDER_HEADER_BYTES; fix && at + STORE_ORDER_ROW_BYTES <= whole; at += STORE_ORDER_ROW_BYTES)
        br_store32(bytes + at + 60, br_crc32c(bytes + at, 60));
    BR_ASSERT(store_file_replace(vfs, path, bytes, whole) == BR_OK);
    br_free(bytes);
}

/* Every answer rises, or is an error. */
static void read_all(struct store_order_log *log)
{
    struct store_order_row rows[10];
    unsigned n;
    for (uint64_t p = 0; p < store_order_log_end(log);) {
        if (store_order_log_read(log, p, rows, BR_COUNT(rows), &n, NULL) != BR_OK || n == 0)
            return;
        uint64_t next = rows[n - 1].position + store_order_row_length(&rows[n - 1]);
        if (next <= p)
            return; /* rows that do not rise: found when the checkpoint's end was not theirs */
        p = next;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 5 || size > 20000)
        return 0;
    uint8_t choice = data[0];
    size_t split = br_load16(data + 1) % (size - 4);
    uint64_t keep = br_load16(data + 3), last = 0;
    struct store_vfs_mem *mem = store_vfs_mem_new(1);
    struct store_vfs *vfs = store_vfs_mem_vfs(mem);
    BR_ASSERT(store_dir_make(vfs, "o") == BR_OK);
    data += 5, size -= 5;
    split = choice & TWO_FILES ? split : size;
    put_file(vfs, "o/00000000000000000000.order", data, split, 0, choice & FIX);
    if (choice & TWO_FILES)
        put_file(vfs, "o/00000000000000000100.order", data + split, size - split, SECOND, choice & FIX);

    struct store_order_log_opts opts = {.vfs = vfs, .dir = "o", .node_id = 1, .rows_per_file = 20};
    struct store_order_log *log;
    struct br_errbuf eb = {""};
    if (store_order_log_open(&opts, keep, on_old, &last, &log, &eb) == BR_OK) {
        read_all(log);
        while (store_order_log_trim(log, is_dead, NULL, 50, NULL) > 0)
            ;
        struct store_order_row row = {.position = keep, .count = 1, .kind = 1};
        BR_ASSERT(store_order_log_add(log, &row) == BR_OK);
        BR_ASSERT(store_order_log_write(log) == BR_OK);
        struct store_order_sync *s = store_order_log_sync_new(log);
        BR_ASSERT(store_order_log_sync_run(s) == BR_OK);
        store_order_log_sync_free(s);
        read_all(log);
        store_order_log_close(log);
        /* The end is sound by now; what lies far below it is checked when it is read. */
        if (store_order_log_open(&opts, keep + 1, NULL, NULL, &log, &eb) == BR_OK) {
            BR_ASSERT(store_order_log_end(log) == keep + 1);
            store_order_log_close(log);
        }
    } else {
        BR_ASSERT(eb.text[0] != 0);
    }
    store_vfs_mem_free(mem);
    return 0;
}
