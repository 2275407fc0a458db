/* Opening: what lies below the checkpoint must be there and good at its end; what lies above is shown to the caller once and cut, and the
 * cut is durable before anything new is written, so that no row of an older run can come back later. */
#include "storage/order_log_int.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"

static const char magic[8] = {'B', 'R', 'A', 'I', 'D', 'O', 'R', 'D'};

struct opening {
    struct store_order_log *log;
    uint64_t keep_below;
    void (*old)(void *ctx, const struct store_order_row *row);
    void *ctx;
    struct br_errbuf *eb;
    uint64_t *firsts; /* of the names found */
    size_t count, cap;
    char **strays; /* temporary files */
    size_t stray_count;
    uint64_t old_end; /* of the old rows shown */
    bool old_stopped;
};

static enum br_err fail_in(struct opening *o, enum br_err err, uint64_t first, int64_t at, const char *what)
{
    return br_errbuf_set(o->eb, err, "order log file %s/%020" PRIu64 ".order at byte %lld: %s", o->log->dir, first, (long long)at, what);
}

static enum br_err found_name(void *ctx, const char *name)
{
    struct opening *o = ctx;
    if (strlen(name) < 26 || strspn(name, "0123456789") != 20 || strncmp(name + 20, ".order", 6) != 0)
        return BR_OK;
    if (strcmp(name + 26, ".tmp") == 0) {
        if (o->stray_count == 16)
            return BR_OK; /* the next opening takes the rest */
        o->strays[o->stray_count++] = br_asprintf("%s/%s", o->log->dir, name);
        return BR_OK;
    }
    uint64_t first = strtoull(name, NULL, 10);
    if (name[26] != 0 || first > ORDER_POSITION_MAX)
        return BR_OK;
    if (o->count == ORDER_FILES_MAX)
        return BR_TOO_LARGE;
    if (o->count == o->cap) {
        o->cap = o->cap ? o->cap * 2 : 16;
        o->firsts = br_realloc(o->firsts, o->cap * sizeof *o->firsts);
    }
    o->firsts[o->count++] = first;
    return BR_OK;
}

/* Reads header and size. *is_good false: no file this log could have finished. */
static enum br_err look_at(struct opening *o, uint64_t first, uint64_t *rows, bool *is_good)
{
    struct store_order_log *log = o->log;
    char *path = store_order_path(log, first);
    struct store_file *file = NULL;
    int64_t size = 0;
    uint8_t b[64];
    enum br_err err = store_file_open(log->vfs, path, STORE_OPEN_READ, &file);
    br_free(path);
    if (err == BR_OK)
        err = store_file_size(file, &size);
    *is_good = false;
    if (err == BR_OK && size >= (int64_t)ORDER_HEADER_BYTES) {
        err = store_file_read(file, b, sizeof b, 0);
        *is_good = err == BR_OK && memcmp(b, magic, sizeof magic) == 0 && br_load32(b + 60) == br_crc32c(b, 60) && br_load64(b + 32) == first;
    }
    store_file_close(file);
    if (err != BR_OK)
        return fail_in(o, err, first, 0, br_err_text(err));
    if (!*is_good)
        return BR_OK;
    if (br_load32(b + 8) != STORE_ORDER_VERSION)
        return fail_in(o, BR_VERSION, first, 8, "a format version this release does not know");
    if (memcmp(b + 16, log->cluster_id.bytes, 16) != 0 || (int32_t)br_load32(b + 12) != log->node_id)
        return fail_in(o, BR_INVALID, first, 12, "belongs to another cluster or node");
    *rows = (uint64_t)(size - (int64_t)ORDER_HEADER_BYTES) / STORE_ORDER_ROW_BYTES;
    return BR_OK;
}

/* Is row i good and below the checkpoint? */
static enum br_err is_kept(struct opening *o, const struct order_file *f, uint64_t i, bool *kept, bool *good)
{
    uint8_t bytes[STORE_ORDER_ROW_BYTES];
    struct store_order_row row;
    enum br_err err = store_order_read_bytes(o->log, f, i, 1, bytes, NULL);
    if (err != BR_OK)
        return fail_in(o, err, f->first, store_order_place(i), br_err_text(err));
    *good = store_order_decode(bytes, &row);
    *kept = *good && row.position < o->keep_below;
    return BR_OK;
}

/* First row that the checkpoint does not vouch for. A bad row with a vouched one after it is rot. */
static enum br_err find_cut(struct opening *o, const struct order_file *f, uint64_t *cut)
{
    uint64_t low = 0, high = f->rows;
    bool kept, good = true;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        enum br_err err = is_kept(o, f, middle, &kept, &good);
        if (err != BR_OK)
            return err;
        if (kept)
            low = middle + 1;
        else
            high = middle;
    }
    *cut = low;
    if (low == f->rows)
        return BR_OK;
    enum br_err err = is_kept(o, f, low, &kept, &good);
    for (uint64_t i = low + 1; err == BR_OK && !good && i < f->rows; i++) {
        bool later_good;
        err = is_kept(o, f, i, &kept, &later_good);
        if (err == BR_OK && kept)
            return fail_in(o, BR_CORRUPT, f->first, store_order_place(low), "damaged below the last checkpoint");
    }
    return err;
}

/* Shows the rows from `row` on, as long as they are good and rise. */
static enum br_err show_old(struct opening *o, const struct order_file *f, uint64_t row)
{
    uint8_t bytes[ORDER_CHUNK_ROWS * STORE_ORDER_ROW_BYTES];
    while (row < f->rows && !o->old_stopped) {
        size_t n = (size_t)BR_MIN(f->rows - row, (uint64_t)ORDER_CHUNK_ROWS);
        enum br_err err = store_order_read_bytes(o->log, f, row, n, bytes, NULL);
        if (err != BR_OK)
            return fail_in(o, err, f->first, store_order_place(row), br_err_text(err));
        for (size_t i = 0; i < n && !o->old_stopped; i++) {
            struct store_order_row r;
            o->old_stopped = !store_order_decode(bytes + i * STORE_ORDER_ROW_BYTES, &r) || r.position < o->old_end;
            if (o->old_stopped)
                break;
            o->old_end = r.position + store_order_row_length(&r);
            if (o->old)
                o->old(o->ctx, &r);
        }
        row += n;
    }
    return BR_OK;
}

static enum br_err remove_file(struct opening *o, uint64_t first)
{
    char *path = store_order_path(o->log, first);
    store_file_cache_drop(o->log->cache, path);
    enum br_err err = o->log->vfs->ops->unlink(o->log->vfs, path);
    br_free(path);
    o->log->is_dir_dirty = true;
    return err == BR_OK ? BR_OK : fail_in(o, err, first, 0, br_err_text(err));
}

/* Cuts the last file after `rows` rows, durably. */
static enum br_err cut_file(struct opening *o, struct order_file *f, uint64_t rows)
{
    struct store_handle *h;
    char *path = store_order_path(o->log, f->first);
    enum br_err err = store_file_cache_acquire(o->log->cache, path, STORE_OPEN_WRITE, &h);
    br_free(path);
    if (err == BR_OK) {
        err = store_file_truncate(store_handle_file(h), store_order_place(rows));
        if (err == BR_OK)
            err = store_file_sync(store_handle_file(h));
        store_file_cache_release(o->log->cache, h);
    }
    f->rows = rows;
    return err == BR_OK ? BR_OK : fail_in(o, err, f->first, store_order_place(rows), br_err_text(err));
}

static enum br_err take_file(struct opening *o, uint64_t first, bool is_last_kept)
{
    struct store_order_log *log = o->log;
    struct order_file one = {.first = first};
    bool is_good;
    enum br_err err = look_at(o, first, &one.rows, &is_good);
    if (err != BR_OK)
        return err;
    if (first >= o->keep_below) { /* none of it is vouched for */
        if (is_good && one.rows > 0)
            err = show_old(o, &one, 0);
        o->old_stopped |= !is_good;
        return err == BR_OK ? remove_file(o, first) : err;
    }
    if (!is_good || one.rows == 0)
        return fail_in(o, BR_CORRUPT, first, 0, "the header is damaged, or the rows are gone");
    uint64_t cut = one.rows;
    if (is_last_kept && (err = find_cut(o, &one, &cut)) == BR_OK)
        err = show_old(o, &one, cut);
    if (err != BR_OK)
        return err;
    if (cut == 0)
        return fail_in(o, BR_CORRUPT, first, store_order_place(0), "damaged below the last checkpoint");
    if (log->file_count == log->file_cap) {
        log->file_cap = log->file_cap ? log->file_cap * 2 : 8;
        log->files = br_realloc(log->files, log->file_cap * sizeof *log->files);
    }
    log->files[log->file_count++] = one;
    return is_last_kept ? cut_file(o, &log->files[log->file_count - 1], cut) : BR_OK;
}

/* The last block must be good and rise, and end at or below the checkpoint. */
static enum br_err check_end(struct opening *o)
{
    struct store_order_log *log = o->log;
    if (log->file_count == 0)
        return BR_OK;
    const struct order_file *f = &log->files[log->file_count - 1];
    uint8_t bytes[ORDER_BLOCK_ROWS * STORE_ORDER_ROW_BYTES];
    size_t n = (size_t)BR_MIN(f->rows, (uint64_t)ORDER_BLOCK_ROWS);
    uint64_t row = f->rows - n;
    enum br_err err = store_order_read_bytes(log, f, row, n, bytes, NULL);
    if (err != BR_OK)
        return fail_in(o, err, f->first, store_order_place(row), br_err_text(err));
    for (size_t i = 0; i < n; i++) {
        struct store_order_row r;
        bool good = store_order_decode(bytes + i * STORE_ORDER_ROW_BYTES, &r) && r.position >= BR_MAX(log->end, f->first);
        if (!good || r.position + store_order_row_length(&r) > o->keep_below)
            return fail_in(o, BR_CORRUPT, f->first, store_order_place(row + i), "damaged below the last checkpoint");
        log->end = r.position + store_order_row_length(&r);
    }
    return BR_OK;
}

static enum br_err open_all(struct opening *o)
{
    struct store_order_log *log = o->log;
    enum br_err err = o->keep_below <= ORDER_POSITION_MAX ? store_dir_make(log->vfs, log->dir) : BR_CORRUPT;
    if (err == BR_OK)
        err = log->vfs->ops->list(log->vfs, log->dir, found_name, o);
    for (size_t i = 0; err == BR_OK && i < o->stray_count; i++) {
        log->is_dir_dirty = true;
        err = log->vfs->ops->unlink(log->vfs, o->strays[i]);
    }
    if (err != BR_OK)
        return br_errbuf_set(o->eb, err, "order log directory %s: %s", log->dir, br_err_text(err));
    for (size_t i = 0; err == BR_OK && i < o->count; i++)
        err = take_file(o, o->firsts[i], i + 1 == o->count || o->firsts[i + 1] >= o->keep_below);
    if (err == BR_OK)
        err = check_end(o);
    if (err == BR_OK && log->is_dir_dirty) {
        err = store_dir_sync(log->vfs, log->dir);
        if (err != BR_OK)
            br_errbuf_set(o->eb, err, "order log directory %s: %s", log->dir, br_err_text(err));
        log->is_dir_dirty = false;
    }
    return err;
}

enum br_err store_order_log_open(const struct store_order_log_opts *opts, uint64_t keep_below,
                                 void (*old)(void *ctx, const struct store_order_row *row), void *ctx,
                                 struct store_order_log **out, struct br_errbuf *eb)
{
    struct store_order_log *log = br_alloc(sizeof *log);
    log->vfs = opts->vfs;
    log->dir = br_strdup(opts->dir);
    log->cluster_id = opts->cluster_id;
    log->node_id = opts->node_id;
    log->rows_per_file = opts->rows_per_file ? opts->rows_per_file : ORDER_ROWS_PER_FILE;
    log->cache = store_file_cache_new(opts->vfs, ORDER_FILES_OPEN_MAX);
    br_buf_init(&log->turn, ORDER_TURN_BYTES_MAX);
    br_buf_init(&log->trim.buf, ORDER_TURN_BYTES_MAX);
    char *strays[16];
    struct opening o = {.log = log, .keep_below = keep_below, .old = old, .ctx = ctx, .eb = eb, .strays = strays};
    enum br_err err = open_all(&o);
    for (size_t i = 0; i < o.stray_count; i++)
        br_free(strays[i]);
    br_free(o.firsts);
    if (err != BR_OK) {
        store_order_log_close(log);
        return err;
    }
    log->turn_end = log->end;
    log->vouched = keep_below;
    BR_ASSERT(log->end <= keep_below);
    store_order_log_check(log);
    *out = log;
    return BR_OK;
}
