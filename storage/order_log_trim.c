/* Trimming: the log stays as long as the live batches need, not longer. Files are looked at one after another, a few rows a call, the
 * last one never. No live row left in the first file: it goes, and the start moves up. Less than a quarter alive (or none, further
 * in): the file is rewritten with each run of dead rows folded into one `trimmed` row that keeps the run's positions,
 * so that a reader of positions sees what is gone named as gone (S-6). */
#include "storage/order_log_int.h"
#include "compat/base/mem.h"
#include "storage/journal.h"

static char *tmp_path(const struct store_order_log *log)
{
    char *path = store_order_path(log, log->files[log->trim.file].first), *tmp = br_asprintf("%s.tmp", path);
    br_free(path);
    return tmp;
}

/* Ends the work on a file; the next one is `file`. */
static void trim_reset(struct store_order_log *log, size_t file)
{
    struct order_trim *t = &log->trim;
    store_file_close(t->out);
    br_buf_clear(&t->buf);
    *t = (struct order_trim){.phase = ORDER_TRIM_COUNT, .file = file, .buf = t->buf};
}

void store_order_trim_abandon(struct store_order_log *log)
{
    struct order_trim *t = &log->trim;
    BR_ASSERT(t->phase != ORDER_TRIM_SYNCING);
    if (t->phase != ORDER_TRIM_COUNT) {
        char *tmp = tmp_path(log);
        (void)!log->vfs->ops->unlink(log->vfs, tmp); /* the next opening removes it too */
        br_free(tmp);
    }
    trim_reset(log, t->file + 1);
}

void store_order_trim_finish(struct store_order_log *log, enum br_err err)
{
    struct order_trim *t = &log->trim;
    BR_ASSERT(t->phase == ORDER_TRIM_SYNCING);
    BR_ASSERT(t->file + 1 < log->file_count);
    t->phase = ORDER_TRIM_READY;
    struct order_file *f = &log->files[t->file];
    BR_ASSERT(t->out_rows > 0 && t->out_rows < f->rows);
    char *path = store_order_path(log, f->first), *tmp = tmp_path(log);
    if (err == BR_OK) {
        store_file_cache_drop(log->cache, path);
        err = log->vfs->ops->rename(log->vfs, tmp, path);
    }
    if (err == BR_OK) {
        log->is_dir_dirty = true;
        f->rows = t->out_rows;
        store_order_index_drop(f);
        trim_reset(log, t->file + 1);
    } else {
        store_order_trim_abandon(log);
    }
    br_free(path);
    br_free(tmp);
}

static enum br_err flush_out(struct order_trim *t)
{
    if (t->buf.len == 0)
        return BR_OK;
    enum br_err err = store_file_write(t->out, t->buf.data, t->buf.len, store_order_place(t->out_rows));
    t->out_rows += t->buf.len / STORE_ORDER_ROW_BYTES;
    br_buf_reset(&t->buf);
    return err;
}

static void put_out(struct order_trim *t, const struct store_order_row *row)
{
    uint8_t bytes[STORE_ORDER_ROW_BYTES];
    store_order_encode(row, bytes);
    br_buf_add(&t->buf, bytes, sizeof bytes);
    BR_ASSERT(!t->buf.failed);
}

static void end_run(struct order_trim *t)
{
    if (t->has_run)
        put_out(t, &t->run);
    t->has_run = false;
}

/* Adds a dead row to the run; what lies between them was never used and is folded in too. */
static void fold(struct order_trim *t, const struct store_order_row *row)
{
    uint64_t end = row->position + store_order_row_length(row);
    BR_ASSERT(!t->has_run || row->position >= t->run.position + t->run.count);
    if (t->has_run && end - t->run.position > UINT32_MAX)
        end_run(t);
    if (!t->has_run)
        t->run = (struct store_order_row){.position = row->position, .max_timestamp = row->max_timestamp, .base_offset = -1,
                                          .leader_epoch = -1, .kind = STORE_ROW_NOOP, .flags = STORE_ORDER_TRIMMED};
    t->has_run = true;
    t->run.count = (uint32_t)(end - t->run.position);
    t->run.max_timestamp = BR_MAX(t->run.max_timestamp, row->max_timestamp);
}

static enum br_err begin_rewrite(struct store_order_log *log)
{
    struct order_trim *t = &log->trim;
    uint8_t block[ORDER_HEADER_BYTES];
    char *tmp = tmp_path(log);
    t->phase = ORDER_TRIM_REWRITE;
    t->row = 0;
    t->last_end = 0;
    enum br_err err = store_file_open(log->vfs, tmp, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &t->out);
    br_free(tmp);
    store_order_header(log, log->files[t->file].first, block);
    if (err == BR_OK)
        err = store_file_truncate(t->out, 0);
    if (err == BR_OK)
        err = store_file_write(t->out, block, sizeof block, 0);
    return err;
}

/* All rows of the file were seen. */
static enum br_err end_of_file(struct store_order_log *log)
{
    struct order_trim *t = &log->trim;
    const struct order_file *f = &log->files[t->file];
    if (t->phase == ORDER_TRIM_REWRITE) {
        end_run(t);
        enum br_err err = flush_out(t);
        if (err == BR_OK && t->out_rows >= f->rows)
            err = BR_INVALID; /* nothing gained: rows came back to life, which the caller's word excludes */
        if (err == BR_OK)
            t->phase = ORDER_TRIM_READY;
        return err;
    }
    if (t->live == 0 && t->file == 0) {
        store_order_file_remove(log, 0);
        trim_reset(log, 0);
        return BR_OK;
    }
    if (t->live * 4 < f->rows && f->rows > 1)
        return begin_rewrite(log);
    trim_reset(log, t->file + 1);
    return BR_OK;
}

/* Looks at the next rows of the current file. */
static enum br_err look(struct store_order_log *log, bool (*dead)(void *ctx, const struct store_order_row *row), void *ctx, size_t n, struct store_range *cold)
{
    struct order_trim *t = &log->trim;
    uint8_t bytes[ORDER_CHUNK_ROWS * STORE_ORDER_ROW_BYTES];
    enum br_err err = store_order_read_bytes(log, &log->files[t->file], t->row, n, bytes, cold);
    if (err == BR_COLD)
        return err;
    for (size_t i = 0; err == BR_OK && i < n; i++) {
        struct store_order_row row;
        if (!store_order_decode(bytes + i * STORE_ORDER_ROW_BYTES, &row) || row.position < t->last_end)
            return BR_CORRUPT; /* left as it is: reading will say so */
        t->last_end = row.position + store_order_row_length(&row);
        bool is_dead = (row.flags & STORE_ORDER_TRIMMED) || dead(ctx, &row);
        t->live += !is_dead;
        if (t->phase != ORDER_TRIM_REWRITE)
            continue;
        if (is_dead) {
            fold(t, &row);
        } else {
            end_run(t);
            put_out(t, &row);
        }
    }
    t->row += n;
    return err == BR_OK ? flush_out(t) : err;
}

void store_order_log_vouch(struct store_order_log *log, uint64_t position)
{
    BR_ASSERT(position >= log->vouched);
    BR_ASSERT(position <= ORDER_POSITION_MAX);
    log->vouched = position;
}

/* Rows above the checkpoint are decided again after a crash: they must come out as they were, so they stay. */
static bool may_trim(const struct store_order_log *log, size_t file)
{
    return file + 1 < log->file_count && log->files[file + 1].first <= log->vouched;
}

unsigned store_order_log_trim(struct store_order_log *log, bool (*dead)(void *ctx, const struct store_order_row *row), void *ctx, unsigned max_rows,
                              struct store_range *cold)
{
    struct order_trim *t = &log->trim;
    unsigned looked = 0;
    BR_ASSERT(max_rows > 0);
    BR_ASSERT(!cold || !cold->hold);
    while (looked < max_rows && !log->is_failed) {
        if (t->phase == ORDER_TRIM_READY || t->phase == ORDER_TRIM_SYNCING)
            break; /* the next sync goes on */
        if (!may_trim(log, t->file)) {
            if (looked == 0)
                trim_reset(log, 0);
            break;
        }
        const struct order_file *f = &log->files[t->file];
        size_t n = (size_t)BR_MIN(BR_MIN(f->rows - t->row, (uint64_t)(max_rows - looked)), (uint64_t)ORDER_CHUNK_ROWS);
        enum br_err err = look(log, dead, ctx, n, cold);
        if (err == BR_COLD)
            break;
        looked += (unsigned)n;
        if (err == BR_OK && t->row == f->rows)
            err = end_of_file(log);
        if (err != BR_OK)
            store_order_trim_abandon(log);
    }
    return looked;
}
