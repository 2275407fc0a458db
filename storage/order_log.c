/* Opening, appending and reading. Rows have one size and rise by position, so a read is a binary search: over the sparse index (entries
 * looked up when first needed, or noted at the append), then inside one block. Rows above the checkpoint are not trusted:
 * opening cuts them, durably, and the caller decides them again. */
#include "storage/order_log_int.h"
#include "compat/base/crc32c.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "storage/journal.h"

static const char magic[8] = {'B', 'R', 'A', 'I', 'D', 'O', 'R', 'D'};

_Static_assert(STORE_ORDER_ROW_BYTES == 64, "the byte table in FORMAT.md");

uint64_t store_order_row_length(const struct store_order_row *row)
{
    if (row->flags & STORE_ORDER_TRIMMED)
        return BR_MAX(row->count, 1u);
    return row->kind == STORE_ROW_DATA ? BR_MAX(row->count, 1u) : 1;
}

char *store_order_path(const struct store_order_log *log, uint64_t first)
{
    return br_asprintf("%s/%020" PRIu64 ".order", log->dir, first);
}

void store_order_encode(const struct store_order_row *row, uint8_t bytes[static STORE_ORDER_ROW_BYTES])
{
    br_store64(bytes, row->position);
    br_store32(bytes + 8, row->lane);
    br_store32(bytes + 12, row->stream);
    br_store64(bytes + 16, row->s);
    br_store64(bytes + 24, (uint64_t)row->base_offset);
    br_store32(bytes + 32, row->count);
    br_store32(bytes + 36, (uint32_t)row->leader_epoch);
    br_store64(bytes + 40, (uint64_t)row->max_timestamp);
    br_store32(bytes + 48, row->view);
    bytes[52] = row->kind;
    bytes[53] = row->flags;
    br_store16(bytes + 54, row->domain);
    br_store32(bytes + 56, row->batch_crc);
    br_store32(bytes + 60, br_crc32c(bytes, 60));
}

bool store_order_decode(const uint8_t bytes[static STORE_ORDER_ROW_BYTES], struct store_order_row *row)
{
    *row = (struct store_order_row){
        .position = br_load64(bytes),
        .lane = br_load32(bytes + 8),
        .stream = br_load32(bytes + 12),
        .s = br_load64(bytes + 16),
        .base_offset = (int64_t)br_load64(bytes + 24),
        .count = br_load32(bytes + 32),
        .leader_epoch = (int32_t)br_load32(bytes + 36),
        .max_timestamp = (int64_t)br_load64(bytes + 40),
        .view = br_load32(bytes + 48),
        .kind = bytes[52],
        .flags = bytes[53],
        .domain = br_load16(bytes + 54),
        .batch_crc = br_load32(bytes + 56),
    };
    return br_load32(bytes + 60) == br_crc32c(bytes, 60) && row->position <= ORDER_POSITION_MAX;
}

void store_order_header(const struct store_order_log *log, uint64_t first, uint8_t block[static ORDER_HEADER_BYTES])
{
    memset(block, 0, ORDER_HEADER_BYTES);
    memcpy(block, magic, sizeof magic);
    br_store32(block + 8, STORE_ORDER_VERSION);
    br_store32(block + 12, (uint32_t)log->node_id);
    memcpy(block + 16, log->cluster_id.bytes, sizeof log->cluster_id.bytes);
    br_store64(block + 32, first);
    br_store32(block + 60, br_crc32c(block, 60));
}

/* ---- files ---- */

void store_order_index_drop(struct order_file *f)
{
    br_free(f->index);
    f->index = NULL;
    f->blocks = 0;
}

static struct order_file *file_push(struct store_order_log *log, uint64_t first)
{
    BR_ASSERT(log->file_count == 0 || log->files[log->file_count - 1].first < first);
    if (log->file_count == log->file_cap) {
        log->file_cap = log->file_cap ? log->file_cap * 2 : 8;
        log->files = br_realloc(log->files, log->file_cap * sizeof *log->files);
    }
    struct order_file *f = &log->files[log->file_count++];
    *f = (struct order_file){.first = first};
    return f;
}

void store_order_file_remove(struct store_order_log *log, size_t at)
{
    BR_ASSERT(at < log->file_count);
    struct order_file *f = &log->files[at];
    char *path = store_order_path(log, f->first);
    store_file_cache_drop(log->cache, path);
    br_free(path);
    store_order_index_drop(f);
    if (log->garbage_count == log->garbage_cap) {
        log->garbage_cap = log->garbage_cap ? log->garbage_cap * 2 : 8;
        log->garbage = br_realloc(log->garbage, log->garbage_cap * sizeof *log->garbage);
    }
    log->garbage[log->garbage_count++] = f->first;
    memmove(f, f + 1, (log->file_count - at - 1) * sizeof *f);
    log->file_count--;
}

/* Makes room for the index of f, at the price of another file's when too many are kept. */
static void index_make(struct store_order_log *log, struct order_file *f)
{
    size_t blocks = (size_t)(BR_MAX(f->rows, (uint64_t)log->rows_per_file) + ORDER_BLOCK_ROWS - 1) / ORDER_BLOCK_ROWS;
    if (f->index && f->blocks >= blocks)
        return;
    unsigned kept = 0;
    struct order_file *oldest = NULL;
    for (size_t i = 0; i + 1 < log->file_count; i++)
        if (log->files[i].index && &log->files[i] != f) {
            kept++;
            oldest = oldest ? oldest : &log->files[i];
        }
    if (kept + 1 >= ORDER_INDEXES_MAX)
        store_order_index_drop(oldest);
    f->index = br_realloc(f->index, blocks * sizeof *f->index);
    for (size_t i = f->blocks; i < blocks; i++)
        f->index[i] = UINT64_MAX;
    f->blocks = blocks;
}

static enum br_err file_take(struct store_order_log *log, uint64_t first, int flags, struct store_handle **h)
{
    char *path = store_order_path(log, first);
    enum br_err err = store_file_cache_acquire(log->cache, path, flags, h);
    br_free(path);
    return err;
}

static void released(struct store_hold *hold)
{
    br_free(hold);
}

/* The reference to h goes over to *cold. */
static void hold(struct store_order_log *log, struct store_handle *h, struct store_range *cold)
{
    struct store_hold *own = br_alloc(sizeof *own);
    *own = (struct store_hold){.files = log->cache, .handle = h, .refs = 1, .released = released};
    *cold = (struct store_range){.file = store_handle_file(h), .hold = own};
}

enum br_err store_order_read_bytes(struct store_order_log *log, const struct order_file *f, uint64_t row, size_t count, uint8_t *bytes,
                                   struct store_range *cold)
{
    BR_ASSERT(count > 0 && count <= ORDER_CHUNK_ROWS);
    BR_ASSERT(row + count <= f->rows);
    struct store_handle *h;
    enum br_err err = file_take(log, f->first, STORE_OPEN_WRITE, &h);
    if (err != BR_OK)
        return err;
    size_t len = count * STORE_ORDER_ROW_BYTES;
    err = store_file_read_as(store_handle_file(h), bytes, len, store_order_place(row), cold != NULL);
    if (err == BR_COLD) {
        hold(log, h, cold);
        store_range_around(cold, store_order_place(row), len);
        return BR_COLD;
    }
    store_file_cache_release(log->cache, h);
    return err == BR_EOF ? BR_CORRUPT : err;
}

/* ---- appending ---- */

enum br_err store_order_log_add(struct store_order_log *log, const struct store_order_row *row)
{
    BR_ASSERT(row->position >= log->turn_end); /* S-5 */
    BR_ASSERT(row->position + store_order_row_length(row) <= ORDER_POSITION_MAX);
    if (log->is_failed)
        return BR_FAILED;
    uint8_t *bytes = br_buf_room(&log->turn, STORE_ORDER_ROW_BYTES);
    if (!bytes) {
        log->turn.failed = false;
        return BR_FULL;
    }
    store_order_encode(row, bytes);
    log->turn.len += STORE_ORDER_ROW_BYTES;
    log->turn_end = row->position + store_order_row_length(row);
    return BR_OK;
}

/* A new last file for the row at `first`, with its header, not synced. */
static enum br_err file_new(struct store_order_log *log, uint64_t first)
{
    uint8_t block[ORDER_HEADER_BYTES];
    struct store_handle *h = NULL;
    char *path = store_order_path(log, first);
    enum br_err err = store_file_cache_acquire(log->cache, path, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &h);
    if (err == BR_OK) {
        store_order_header(log, first, block);
        log->is_dir_dirty = true;
        err = store_file_truncate(store_handle_file(h), 0);
        if (err == BR_OK)
            err = store_file_write(store_handle_file(h), block, sizeof block, 0);
        store_file_cache_release(log->cache, h);
        if (err == BR_OK)
            file_push(log, first)->is_dirty = true;
        else {
            store_file_cache_drop(log->cache, path);
            if (log->vfs->ops->unlink(log->vfs, path) != BR_OK)
                log->is_failed = true;
        }
    }
    br_free(path);
    return err;
}

/* Puts the next rows of the turn, those that fit, into the last file. */
static enum br_err write_part(struct store_order_log *log, size_t *done)
{
    struct order_file *f = log->file_count ? &log->files[log->file_count - 1] : NULL;
    if (!f || f->rows >= log->rows_per_file) {
        enum br_err err = file_new(log, br_load64(log->turn.data + *done));
        if (err != BR_OK)
            return err;
        f = &log->files[log->file_count - 1];
    }
    size_t rows = (size_t)BR_MIN((uint64_t)(log->turn.len - *done) / STORE_ORDER_ROW_BYTES, log->rows_per_file - f->rows);
    struct store_handle *h;
    enum br_err err = file_take(log, f->first, STORE_OPEN_WRITE, &h);
    if (err != BR_OK)
        return err;
    f->is_dirty = true;
    err = store_file_write(store_handle_file(h), log->turn.data + *done, rows * STORE_ORDER_ROW_BYTES, store_order_place(f->rows));
    store_file_cache_release(log->cache, h);
    if (err != BR_OK)
        return err;
    index_make(log, f);
    for (size_t i = 0; i < rows; i++)
        if ((f->rows + i) % ORDER_BLOCK_ROWS == 0)
            f->index[(f->rows + i) / ORDER_BLOCK_ROWS] = br_load64(log->turn.data + *done + i * STORE_ORDER_ROW_BYTES);
    f->rows += rows;
    *done += rows * STORE_ORDER_ROW_BYTES;
    return BR_OK;
}

/* Takes a failed turn back: its new files go, the one it began in ends where it did. */
static enum br_err cut_back(struct store_order_log *log, size_t files_before, uint64_t rows_before)
{
    enum br_err err = BR_OK;
    while (log->file_count > files_before) {
        struct order_file *f = &log->files[log->file_count - 1];
        char *path = store_order_path(log, f->first);
        store_file_cache_drop(log->cache, path);
        store_order_index_drop(f);
        log->file_count--;
        if (err == BR_OK)
            err = log->vfs->ops->unlink(log->vfs, path);
        br_free(path);
    }
    if (err != BR_OK || files_before == 0)
        return err;
    struct order_file *f = &log->files[files_before - 1];
    struct store_handle *h;
    f->rows = rows_before;
    store_order_index_drop(f);
    err = file_take(log, f->first, STORE_OPEN_WRITE, &h);
    if (err == BR_OK) {
        err = store_file_truncate(store_handle_file(h), store_order_place(rows_before));
        store_file_cache_release(log->cache, h);
    }
    return err;
}

enum br_err store_order_log_write(struct store_order_log *log)
{
    enum br_err err = log->is_failed ? BR_FAILED : BR_OK;
    size_t files_before = log->file_count, done = 0;
    uint64_t rows_before = files_before ? log->files[files_before - 1].rows : 0;
    while (err == BR_OK && done < log->turn.len)
        err = write_part(log, &done);
    if (err == BR_OK) {
        log->end = log->turn_end;
    } else if (!log->is_failed) {
        br_log(BR_LOG_WARN, "order-log", "write failed: %s; the turn's rows are refused", br_err_text(err));
        if (cut_back(log, files_before, rows_before) != BR_OK)
            log->is_failed = true;
    }
    br_buf_reset(&log->turn);
    log->turn_end = log->end;
    BR_ASSERT(log->is_failed || log->turn.len == 0);
    return err;
}

/* ---- reading ---- */

uint64_t store_order_log_end(const struct store_order_log *log)
{
    return log->end;
}

uint64_t store_order_log_start(const struct store_order_log *log)
{
    return log->file_count ? log->files[0].first : log->end;
}

/* Position of a block's first row. */
static enum br_err block_position(struct store_order_log *log, struct order_file *f, uint64_t block, uint64_t *position, struct store_range *cold)
{
    uint8_t bytes[STORE_ORDER_ROW_BYTES];
    struct store_order_row row;
    index_make(log, f);
    if (f->index[block] == UINT64_MAX) {
        enum br_err err = store_order_read_bytes(log, f, block * ORDER_BLOCK_ROWS, 1, bytes, cold);
        if (err != BR_OK)
            return err;
        if (!store_order_decode(bytes, &row) || row.position < f->first || row.position >= log->end)
            return BR_CORRUPT;
        f->index[block] = row.position;
    }
    *position = f->index[block];
    return BR_OK;
}

/* The first row of f that reaches past p (position + length > p); f->rows when none does. */
static enum br_err find_row(struct store_order_log *log, struct order_file *f, uint64_t p, uint64_t *found, struct store_range *cold)
{
    uint64_t low = 0, high = (f->rows + ORDER_BLOCK_ROWS - 1) / ORDER_BLOCK_ROWS; /* the last block that begins at or below p is in [low, high) */
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2, position;
        enum br_err err = block_position(log, f, middle, &position, cold);
        if (err != BR_OK)
            return err;
        if (position <= p)
            low = middle;
        else
            high = middle;
    }
    uint8_t bytes[ORDER_BLOCK_ROWS * STORE_ORDER_ROW_BYTES];
    uint64_t row = low * ORDER_BLOCK_ROWS;
    size_t count = (size_t)BR_MIN(f->rows - row, (uint64_t)ORDER_BLOCK_ROWS);
    enum br_err err = store_order_read_bytes(log, f, row, count, bytes, cold);
    if (err != BR_OK)
        return err;
    for (size_t i = 0; i < count; i++) {
        struct store_order_row r;
        if (!store_order_decode(bytes + i * STORE_ORDER_ROW_BYTES, &r))
            return BR_CORRUPT;
        if (r.position + store_order_row_length(&r) > p) {
            *found = row + i;
            return BR_OK;
        }
    }
    *found = row + count;
    return BR_OK;
}

enum br_err store_order_log_read(struct store_order_log *log, uint64_t p, struct store_order_row *rows, unsigned max, unsigned *count,
                                 struct store_range *cold)
{
    BR_ASSERT(max > 0);
    size_t low = 0, high = log->file_count; /* the last file that begins at or below p, or the first one */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (log->files[middle].first <= p)
            low = middle;
        else
            high = middle;
    }
    unsigned got = 0;
    uint64_t last_end = 0;
    for (size_t i = low; i < log->file_count && got < max; i++) {
        struct order_file *f = &log->files[i];
        uint8_t bytes[ORDER_CHUNK_ROWS * STORE_ORDER_ROW_BYTES];
        uint64_t row = 0;
        enum br_err err = i == low ? find_row(log, f, p, &row, cold) : BR_OK;
        while (err == BR_OK && row < f->rows && got < max) {
            size_t n = (size_t)BR_MIN(BR_MIN(f->rows - row, (uint64_t)(max - got)), (uint64_t)ORDER_CHUNK_ROWS);
            err = store_order_read_bytes(log, f, row, n, bytes, cold);
            for (size_t k = 0; err == BR_OK && k < n; k++) {
                if (!store_order_decode(bytes + k * STORE_ORDER_ROW_BYTES, &rows[got]) || rows[got].position < last_end)
                    err = BR_CORRUPT;
                last_end = rows[got].position + store_order_row_length(&rows[got]);
                got++;
            }
            row += n;
        }
        if (err != BR_OK)
            return err;
    }
    *count = got;
    return BR_OK;
}

/* ---- closing, checking ---- */

void store_order_log_close(struct store_order_log *log)
{
    if (!log)
        return;
    BR_ASSERT(!log->is_syncing);
    store_order_trim_abandon(log);
    for (size_t i = 0; i < log->file_count; i++)
        store_order_index_drop(&log->files[i]);
    store_file_cache_free(log->cache);
    br_buf_clear(&log->trim.buf);
    br_buf_clear(&log->turn);
    br_free(log->garbage);
    br_free(log->files);
    br_free(log->dir);
    br_free(log);
}

void store_order_log_check(const struct store_order_log *log)
{
    BR_ASSERT(log->turn_end >= log->end);
    BR_ASSERT(log->turn.len % STORE_ORDER_ROW_BYTES == 0);
    for (size_t i = 0; i < log->file_count; i++) {
        const struct order_file *f = &log->files[i];
        BR_ASSERT(f->rows > 0);
        BR_ASSERT(f->first < log->end); /* S-5 */
        if (i > 0)
            BR_ASSERT(f[-1].first < f->first);
        for (size_t k = 0; k < f->blocks && k * ORDER_BLOCK_ROWS < f->rows; k++)
            BR_ASSERT(f->index[k] == UINT64_MAX || (f->index[k] >= f->first && f->index[k] < log->end));
    }
    BR_ASSERT(log->trim.phase == ORDER_TRIM_COUNT || log->trim.file + 1 < log->file_count);
}
