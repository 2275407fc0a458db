#include "storage/segment.h"
#include "compat/base/clock.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

#define INDEX_PENDING_MANY 64u   /* entries worth a write of their own */
#define REBUILD_FLUSH_ROWS 4096u /* rows a rebuild keeps in memory at most */

static const char *const suffixes[STORE_SEGMENT_FILES] = {".log", ".index", ".timeindex", ".positions"};

struct store_segment *store_segment_new(struct store_log *log, struct store_file_cache *files, const char *dir, int64_t base, int64_t end, int64_t bytes)
{
    struct store_segment *s = br_alloc(sizeof *s);
    BR_ASSERT(base >= 0 && end >= base);
    BR_ASSERT(bytes >= -1);
    s->files = files;
    s->log = log;
    s->stem = br_asprintf("%s/%020" PRId64, dir, base);
    s->log_path = br_asprintf("%s.log", s->stem);
    s->base = base;
    s->end = end;
    s->bytes = bytes;
    s->missing_from = INT64_MAX;
    s->is_loaded = bytes == 0;
    store_positions_init(&s->rows);
    store_index_init(&s->index);
    return s;
}

void store_segment_free(struct store_segment *s)
{
    if (!s)
        return;
    BR_ASSERT(!store_segment_is_held(s));
    BR_ASSERT(!br_link_is_in(&s->link));
    store_positions_clear(&s->rows);
    store_index_clear(&s->index);
    br_free(s->stem);
    br_free(s->log_path);
    br_free(s);
}

const char *store_segment_suffix(enum store_segment_file which)
{
    BR_ASSERT(which < STORE_SEGMENT_FILES);
    return suffixes[which];
}

char *store_segment_path(const struct store_segment *s, enum store_segment_file which)
{
    return br_asprintf("%s%s", s->stem, store_segment_suffix(which));
}

bool store_segment_is_held(const struct store_segment *s)
{
    for (unsigned i = 0; i < STORE_SEGMENT_FILES; i++)
        if (s->holds[i].refs > 0)
            return true;
    return false;
}

enum br_err store_segment_acquire(struct store_segment *s, enum store_segment_file which, int flags, struct store_handle **out)
{
    if (which == STORE_SEGMENT_LOG)
        return store_file_cache_acquire(s->files, s->log_path, flags, out);
    char *path = store_segment_path(s, which);
    enum br_err err = store_file_cache_acquire(s->files, path, flags, out);
    br_free(path);
    return err;
}

void store_segment_added(struct store_segment *s, const struct kw_batch *batch, uint32_t interval_bytes, int64_t now_ms)
{
    BR_ASSERT(s->is_loaded && !s->is_sealed);
    BR_ASSERT(batch->base_offset == s->end);
    int64_t end = kw_batch_last_offset(batch) + 1;
    BR_ASSERT(end - s->base <= (int64_t)INT32_MAX + 1);
    BR_ASSERT(s->bytes + batch->size <= UINT32_MAX);
    store_positions_add(&s->rows, (uint32_t)(batch->base_offset - s->base), (uint32_t)s->bytes);
    store_index_add(&s->index, interval_bytes, (uint32_t)(end - 1 - s->base), (uint32_t)s->bytes, batch->size, batch->max_timestamp);
    if (s->bytes == 0)
        s->first_ms = now_ms;
    s->last_ms = BR_MAX(s->last_ms, now_ms);
    s->bytes += batch->size;
    s->end = end;
    s->dirty |= 1u << STORE_SEGMENT_LOG;
}

/* ---- writing ---- */

static enum br_err write_index(struct store_segment *s, enum store_segment_file which)
{
    struct store_handle *h;
    enum br_err err = store_segment_acquire(s, which, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &h);
    if (err != BR_OK)
        return err;
    s->dirty |= (uint8_t)(1u << which);
    if (which == STORE_SEGMENT_INDEX)
        err = store_index_write_offsets(&s->index, store_handle_file(h));
    else
        err = store_index_write_times(&s->index, store_handle_file(h));
    store_file_cache_release(s->files, h);
    return err;
}

static enum br_err write_rows(struct store_segment *s, bool header)
{
    struct store_handle *h;
    enum br_err err = store_segment_acquire(s, STORE_SEGMENT_POSITIONS, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &h);
    if (err != BR_OK)
        return err;
    s->dirty |= 1u << STORE_SEGMENT_POSITIONS;
    if (header || s->rows.written == 0) {
        struct store_positions_header head = {s->base, s->first_ms, s->last_ms, s->index.offsets_written, s->index.times_written,
                                               s->positions != STORE_POSITIONS_KNOWN};
        err = store_positions_write_header(store_handle_file(h), &head);
        s->is_head_due &= err != BR_OK;
    }
    if (err == BR_OK)
        err = store_positions_write(&s->rows, store_handle_file(h));
    store_file_cache_release(s->files, h);
    if (err == BR_OK && s->is_sealed && s->rows.bound == s->rows.count)
        store_positions_shrink(&s->rows, 0);
    else if (err == BR_OK && s->rows.written - s->rows.first > 2 * STORE_SEGMENT_ROWS_KEPT)
        store_positions_shrink(&s->rows, STORE_SEGMENT_ROWS_KEPT);
    return err;
}

enum br_err store_segment_write_head(struct store_segment *s)
{
    BR_ASSERT(s->is_loaded);
    return write_rows(s, true);
}

/* Kafka has both index files from the first record on, empty ones too. */
static enum br_err make_index_files(struct store_segment *s)
{
    for (unsigned which = STORE_SEGMENT_INDEX; which <= STORE_SEGMENT_TIMEINDEX; which++) {
        struct store_handle *h;
        enum br_err err = store_segment_acquire(s, which, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &h);
        if (err != BR_OK)
            return err;
        store_file_cache_release(s->files, h);
        s->dirty |= (uint8_t)(1u << which);
    }
    s->has_index_files = true;
    return BR_OK;
}

enum br_err store_segment_flush(struct store_segment *s, bool all)
{
    enum br_err err = BR_OK;
    bool has_rows = s->rows.written < s->rows.bound;
    if (!s->is_loaded)
        return BR_OK;
    /* A sealed segment is finished as soon as its rows are bound: so finished ones are the older part of the chain. */
    bool write_all = all || s->is_sealed || store_index_pending(&s->index) >= INDEX_PENDING_MANY;
    bool write_head = (all && s->dirty) || s->is_head_due || (s->is_sealed && store_index_pending(&s->index) > 0);
    if (write_head && !s->has_index_files)
        err = make_index_files(s);
    if (write_all && err == BR_OK && s->index.offsets_pending > 0)
        err = write_index(s, STORE_SEGMENT_INDEX);
    if (write_all && err == BR_OK && s->index.times_pending > 0)
        err = write_index(s, STORE_SEGMENT_TIMEINDEX);
    if (err == BR_OK && (has_rows || write_head))
        err = write_rows(s, write_head);
    return err;
}

void store_segment_seal(struct store_segment *s)
{
    BR_ASSERT(!s->is_sealed);
    BR_ASSERT(s->is_loaded);
    store_index_seal(&s->index);
    s->is_sealed = true;
    s->is_head_due = true; /* also when the index has nothing to write: the time of the last append is in it */
    s->dirty |= 1u << STORE_SEGMENT_POSITIONS;
}

bool store_segment_is_unfinished(const struct store_segment *s)
{
    return s->is_loaded && (!s->is_sealed || s->is_head_due || s->rows.written < s->rows.count || store_index_pending(&s->index) > 0);
}

/* ---- knowing what is in the files ---- */

enum br_err store_segment_bytes(struct store_segment *s, int64_t *bytes)
{
    struct store_handle *h;
    if (s->bytes < 0) {
        BR_ASSERT(s->is_sealed && !s->is_loaded);
        enum br_err err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_READ, &h);
        if (err != BR_OK)
            return err == BR_NOT_FOUND ? BR_CORRUPT : err;
        err = store_file_size(store_handle_file(h), &s->bytes);
        store_file_cache_release(s->files, h);
        if (err != BR_OK) {
            s->bytes = -1;
            return err;
        }
    }
    *bytes = s->bytes;
    return BR_OK;
}

static void forget(struct store_segment *s)
{
    store_positions_clear(&s->rows);
    store_index_clear(&s->index);
    s->is_loaded = false;
}

static void set_unknown_times(struct store_segment *s)
{
    if (s->last_ms == 0) /* young: removing data early would be the worse mistake */
        s->first_ms = s->last_ms = br_clock_wall_ms();
}

static enum br_err acquire_to_read(struct store_segment *s, enum store_segment_file which, struct store_handle **out)
{
    enum br_err err = store_segment_acquire(s, which, STORE_OPEN_READ, out);
    return err == BR_NOT_FOUND ? BR_CORRUPT : err;
}

/* What a scan adds again: index entries of batches from index_from on, rows of batches from rows_from on. */
struct rescan {
    uint32_t interval_bytes;
    int64_t index_from, rows_from; /* file positions */
    bool spill;                    /* rows are written as they come, with no position: the whole segment is being rebuilt */
};

static enum br_err rescan_batch(struct store_segment *s, const struct rescan *how, const struct kw_batch *b, int64_t position)
{
    int64_t last = kw_batch_last_offset(b);
    BR_ASSERT(last - s->base <= INT32_MAX);
    if (position >= how->index_from)
        store_index_add(&s->index, how->interval_bytes, (uint32_t)(last - s->base), (uint32_t)position, b->size, b->max_timestamp);
    if (position < how->rows_from)
        return BR_OK;
    store_positions_add(&s->rows, (uint32_t)(b->base_offset - s->base), (uint32_t)position);
    if (!how->spill || s->rows.count - s->rows.written < REBUILD_FLUSH_ROWS)
        return BR_OK;
    s->rows.bound = s->rows.count;
    return write_rows(s, true);
}

/* Walks the batches from the lower of both places to the end of the segment, and proves that they end there. */
static enum br_err rescan(struct store_segment *s, const struct rescan *how)
{
    struct store_handle *h;
    struct store_scan scan;
    struct kw_batch b;
    int64_t position, next = s->base;
    enum br_err err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_READ, &h);
    if (err != BR_OK)
        return err == BR_NOT_FOUND ? BR_CORRUPT : err;
    BR_ASSERT(s->bytes > 0 && s->bytes <= UINT32_MAX);
    store_scan_init(&scan, store_handle_file(h), BR_MIN(how->index_from, how->rows_from), s->bytes, false);
    while ((err = store_scan_next(&scan, &b, &position)) == BR_OK) {
        if (b.base_offset < next || b.base_offset - s->base > (int64_t)INT32_MAX - b.last_offset_delta) {
            err = BR_CORRUPT;
            break;
        }
        next = kw_batch_last_offset(&b) + 1;
        if ((err = rescan_batch(s, how, &b, position)) != BR_OK)
            break;
    }
    store_file_cache_release(s->files, h);
    if (err == BR_EOF)
        err = next == s->end ? BR_OK : BR_CORRUPT;
    return err;
}

enum br_err store_segment_rebuild(struct store_segment *s, uint32_t interval_bytes)
{
    struct rescan how = {.interval_bytes = interval_bytes, .spill = true};
    bool is_cut;
    BR_ASSERT(s->bytes >= 0);
    forget(s);
    set_unknown_times(s);
    if (s->bytes == 0 || s->bytes > UINT32_MAX) {
        s->is_loaded = s->bytes == 0;
        return s->bytes == 0 ? BR_OK : BR_CORRUPT;
    }
    s->dirty |= 1u << STORE_SEGMENT_POSITIONS;
    s->is_new = true; /* its files may have to be made again */
    store_log_lacks_positions(s->log, s);
    enum br_err err = rescan(s, &how);
    if (err != BR_OK) {
        forget(s);
        return err;
    }
    br_log(BR_LOG_WARN, "storage", "rebuilt indexes segment=%s batches=%u", s->stem, s->rows.count);
    s->is_loaded = true;
    s->rows.bound = s->rows.count; /* to no position: it is not known here */
    if (s->is_sealed)
        store_index_seal(&s->index);
    err = store_segment_flush(s, true);
    return err == BR_OK ? store_segment_cut_files(s, &is_cut) : err;
}

/* ---- a sealed segment at first use ---- */

/* The last row is that of the last batch, and so none is missing. */
static enum br_err prove_last_row(struct store_segment *s, const struct store_positions_row *last, struct store_range *cold)
{
    struct store_handle *h;
    struct kw_batch b;
    uint8_t header[KW_BATCH_HEADER];
    if (last->file_position >= s->bytes || last->delta >= s->end - s->base)
        return BR_CORRUPT;
    enum br_err err = acquire_to_read(s, STORE_SEGMENT_LOG, &h);
    if (err != BR_OK)
        return err;
    err = store_scan_one(store_handle_file(h), last->file_position, s->bytes, cold != NULL, &b, header);
    store_file_cache_release(s->files, h);
    if (err == BR_OK && (b.base_offset != s->base + last->delta || last->file_position + b.size != s->bytes || kw_batch_last_offset(&b) + 1 > s->end))
        err = BR_CORRUPT;
    if (err == BR_OK && kw_batch_last_offset(&b) + 1 < s->end && s->missing_from == INT64_MAX) {
        s->missing_from = kw_batch_last_offset(&b) + 1;
        br_log(BR_LOG_ERROR, "storage", "offsets %lld to %lld are missing behind segment=%s", (long long)s->missing_from, (long long)s->end - 1, s->stem);
    }
    return err == BR_COLD ? store_segment_cold(s, STORE_SEGMENT_LOG, last->file_position, KW_BATCH_HEADER, cold) : err;
}

/* A head that makes no sense was being written when the power failed: it is written again and again, in place. The rows are not, and
 * prove themselves; so only the times and the index are not known then (last_ms 0). */
static enum br_err read_head(struct store_segment *s, struct store_file *file, bool nowait, struct store_positions_header *head)
{
    enum br_err err = store_positions_read_header(file, nowait, head);
    if (err == BR_CORRUPT || (err == BR_OK && head->segment_base != s->base)) {
        *head = (struct store_positions_header){.segment_base = s->base, .lacks_positions = true}; /* perhaps: it is not known */
        err = BR_OK;
    }
    return err;
}

static enum br_err load_rows(struct store_segment *s, struct store_range *cold, struct store_positions_header *head)
{
    struct store_handle *h;
    struct store_positions_reader r;
    struct store_positions_row last;
    int64_t size = 0, cold_at = 0;
    enum br_err err = acquire_to_read(s, STORE_SEGMENT_POSITIONS, &h);
    if (err != BR_OK)
        return err;
    err = read_head(s, store_handle_file(h), cold != NULL, head);
    if (err == BR_OK)
        err = store_file_size(store_handle_file(h), &size);
    int64_t rows = (size - STORE_POSITIONS_HEADER_BYTES) / STORE_POSITIONS_ROW_BYTES;
    bool fits = rows >= 1 && size <= STORE_POSITIONS_BYTES_MAX && size % STORE_POSITIONS_ROW_BYTES == 0;
    if (err == BR_OK && !fits)
        err = BR_CORRUPT;
    if (err == BR_OK) {
        s->rows.first = s->rows.written = s->rows.bound = s->rows.count = (uint32_t)rows;
        store_positions_reader_init(&r, &s->rows, store_handle_file(h), cold != NULL);
        err = store_positions_get(&r, (uint32_t)rows - 1, &last);
        cold_at = r.cold_at;
    }
    store_file_cache_release(s->files, h);
    if (err == BR_COLD)
        return store_segment_cold(s, STORE_SEGMENT_POSITIONS, cold_at, STORE_POSITIONS_BLOCK_BYTES, cold);
    if (err == BR_OK)
        err = prove_last_row(s, &last, cold);
    if (err != BR_OK)
        return err;
    s->first_ms = head->first_ms;
    s->last_ms = head->last_ms;
    set_unknown_times(s);
    if (head->lacks_positions)
        store_log_lacks_positions(s->log, s);
    return BR_OK;
}

/* Both index files into s->index. resume: as store_index_load has it, and waits; NULL: the segment is sealed, all of them. */
static enum br_err load_index(struct store_segment *s, const struct store_positions_header *head, int64_t *resume, struct store_range *cold)
{
    struct store_handle *offsets, *times;
    if (head->last_ms == 0)
        return BR_CORRUPT;
    enum br_err err = acquire_to_read(s, STORE_SEGMENT_INDEX, &offsets);
    if (err != BR_OK)
        return err;
    err = acquire_to_read(s, STORE_SEGMENT_TIMEINDEX, &times);
    if (err != BR_OK) {
        store_file_cache_release(s->files, offsets);
        return err;
    }
    if (resume)
        err = store_index_load(&s->index, store_handle_file(offsets), store_handle_file(times), head->index_count, head->time_count,
                               (uint32_t)(s->end - s->base), s->bytes, resume);
    else
        err = store_index_load_sealed(&s->index, store_handle_file(offsets), store_handle_file(times), head->index_count, head->time_count,
                                      cold != NULL);
    store_file_cache_release(s->files, offsets);
    store_file_cache_release(s->files, times);
    s->has_index_files = err == BR_OK;
    if (err == BR_COLD)
        return store_segment_cold(s, STORE_SEGMENT_TIMEINDEX, ((int64_t)head->time_count - 1) * STORE_TIME_ENTRY_BYTES, STORE_TIME_ENTRY_BYTES, cold);
    return err;
}

/* The index alone, when the sidecar is good: positions are worth keeping, they are in no other file of the segment. */
static enum br_err rebuild_index(struct store_segment *s, uint32_t interval_bytes)
{
    struct rescan how = {.interval_bytes = interval_bytes, .rows_from = s->bytes};
    bool is_cut;
    store_index_clear(&s->index);
    enum br_err err = rescan(s, &how);
    if (err != BR_OK)
        return err;
    br_log(BR_LOG_WARN, "storage", "rebuilt index segment=%s", s->stem);
    store_index_seal(&s->index);
    s->is_loaded = true;
    s->is_new = true; /* its files may have to be made again */
    s->dirty |= 1u << STORE_SEGMENT_POSITIONS;
    err = store_segment_flush(s, true);
    return err == BR_OK ? store_segment_cut_files(s, &is_cut) : err;
}

enum br_err store_segment_load(struct store_segment *s, uint32_t interval_bytes, struct store_range *cold)
{
    struct store_positions_header head = {0};
    int64_t bytes;
    if (s->is_loaded)
        return BR_OK;
    BR_ASSERT(s->is_sealed);
    enum br_err err = store_segment_bytes(s, &bytes);
    if (err != BR_OK)
        return err;
    if ((err = load_rows(s, cold, &head)) == BR_OK) {
        err = load_index(s, &head, NULL, cold);
        if (err == BR_CORRUPT)
            err = rebuild_index(s, interval_bytes);
    } else if (err == BR_CORRUPT) {
        err = store_segment_rebuild(s, interval_bytes);
    }
    if (err == BR_OK)
        s->is_loaded = true;
    else
        forget(s);
    return err;
}

/* ---- the segment in use when the state was saved ---- */

/* True when row i follows the one before it, and the segment has its batch, which ends at end_offset. *next: file position after the batch. */
static bool row_is_proved(struct store_segment *s, struct store_file *log, struct store_positions_reader *r, uint32_t i, int64_t end_offset, int64_t *next)
{
    struct store_positions_row row, before;
    struct kw_batch b;
    uint8_t header[KW_BATCH_HEADER];
    if (store_positions_get(r, i, &row) != BR_OK || (i > 0 && (store_positions_get(r, i - 1, &before) != BR_OK || before.delta >= row.delta)))
        return false;
    if (store_scan_one(log, row.file_position, s->bytes, false, &b, header) != BR_OK)
        return false;
    *next = (int64_t)row.file_position + b.size;
    return b.base_offset == s->base + row.delta && kw_batch_last_offset(&b) + 1 == end_offset;
}

/* How many rows of the sidecar are of batches below bound_end. They were synced, what follows them need not make sense: so a binary
 * search that led astray is seen by its answer, and then they are walked. */
static enum br_err find_bound(struct store_segment *s, struct store_file *log, struct store_file *file, int64_t bound_end, int64_t *next)
{
    struct store_positions_reader r;
    struct store_positions_row row;
    int64_t size, last = -1;
    uint32_t k = 0;
    enum br_err err = store_file_size(file, &size);
    if (err != BR_OK)
        return err;
    size = BR_MAX(BR_MIN(size, STORE_POSITIONS_BYTES_MAX), STORE_POSITIONS_HEADER_BYTES);
    s->rows.count = (uint32_t)((size - STORE_POSITIONS_HEADER_BYTES) / STORE_POSITIONS_ROW_BYTES);
    s->rows.first = s->rows.written = s->rows.bound = s->rows.count;
    *next = 0;
    store_positions_reader_init(&r, &s->rows, file, false);
    uint64_t end_delta = (uint64_t)BR_MAX(bound_end - s->base, 0);
    if ((err = store_positions_search(&r, STORE_BY_DELTA, end_delta, 0, s->rows.count, &k)) != BR_OK)
        return err;
    if (k > 0 && !row_is_proved(s, log, &r, k - 1, bound_end, next)) {
        for (k = 0; k < s->rows.count; k++, last = row.delta)
            if ((err = store_positions_get(&r, k, &row)) != BR_OK || row.delta >= end_delta || (int64_t)row.delta <= last)
                break;
        while (k > 0 && !row_is_proved(s, log, &r, k - 1, bound_end, next))
            k--;
    }
    if (err == BR_OK && k == 0 && end_delta > 0)
        err = BR_CORRUPT;
    s->rows.first = s->rows.written = s->rows.bound = s->rows.count = k;
    return err;
}

static enum br_err recover_from_files(struct store_segment *s, uint32_t interval_bytes, struct store_file *log, int64_t bound_end)
{
    struct store_positions_header head;
    struct store_handle *h;
    struct rescan how = {.interval_bytes = interval_bytes};
    enum br_err err = acquire_to_read(s, STORE_SEGMENT_POSITIONS, &h);
    if (err != BR_OK)
        return err;
    err = read_head(s, store_handle_file(h), false, &head);
    if (err == BR_OK)
        err = find_bound(s, log, store_handle_file(h), bound_end, &how.rows_from);
    store_file_cache_release(s->files, h);
    if (err != BR_OK)
        return err;
    s->first_ms = head.first_ms;
    s->last_ms = head.last_ms;
    if (head.lacks_positions)
        store_log_lacks_positions(s->log, s);
    uint32_t rows = s->rows.count;
    if ((err = load_index(s, &head, &how.index_from, NULL)) == BR_OK)
        err = rescan(s, &how);
    if (err == BR_CORRUPT) { /* the index may be at fault: once more without it */
        store_index_clear(&s->index);
        store_positions_cut(&s->rows, rows);
        how.index_from = 0;
        err = rescan(s, &how);
    }
    return err;
}

/* Rows at and above bound_end were written by a rebuild: they wait for their positions, in memory. */
static enum br_err unbind(struct store_segment *s, int64_t bound_end)
{
    struct store_handle *h;
    struct store_positions_reader r;
    struct store_positions_row row;
    struct store_positions waiting;
    uint32_t k;
    enum br_err err = store_segment_rows_file(s, &h);
    if (err != BR_OK)
        return err;
    store_positions_init(&waiting);
    store_positions_reader_init(&r, &s->rows, h ? store_handle_file(h) : NULL, false);
    err = store_positions_search(&r, STORE_BY_DELTA, (uint64_t)BR_MAX(bound_end - s->base, 0), 0, s->rows.count, &k);
    if (err == BR_OK)
        waiting.first = waiting.written = waiting.bound = waiting.count = k;
    for (uint32_t i = k; err == BR_OK && i < s->rows.count; i++)
        if ((err = store_positions_get(&r, i, &row)) == BR_OK)
            store_positions_add(&waiting, row.delta, row.file_position);
    store_file_cache_release(s->files, h);
    if (err != BR_OK) {
        store_positions_clear(&waiting);
        return err;
    }
    store_positions_clear(&s->rows);
    s->rows = waiting;
    return BR_OK;
}

enum br_err store_segment_recover(struct store_segment *s, uint32_t interval_bytes, int64_t bound_end)
{
    struct store_handle *h;
    int64_t size = 0;
    BR_ASSERT(s->bytes >= 0);
    BR_ASSERT(bound_end <= s->end);
    enum br_err err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_READ, &h);
    if (err != BR_OK)
        return err == BR_NOT_FOUND ? BR_CORRUPT : err;
    forget(s);
    err = store_file_size(store_handle_file(h), &size);
    if (err == BR_OK && (size < s->bytes || s->bytes > UINT32_MAX || (s->bytes == 0) != (s->end == s->base)))
        err = BR_CORRUPT;
    if (err == BR_OK && s->bytes > 0)
        err = recover_from_files(s, interval_bytes, store_handle_file(h), bound_end);
    if (err == BR_CORRUPT && size >= s->bytes && s->bytes > 0 && (err = store_segment_rebuild(s, interval_bytes)) == BR_OK)
        err = unbind(s, bound_end);
    store_file_cache_release(s->files, h);
    if (err != BR_OK)
        return err;
    s->is_loaded = true;
    /* An earlier run may have written or cut what it did not sync: once the segment is used again, all of it is synced. */
    s->dirty = (1u << STORE_SEGMENT_FILES) - 1;
    set_unknown_times(s);
    if (s->is_sealed)
        store_index_seal(&s->index);
    store_segment_check(s);
    return BR_OK;
}

enum br_err store_segment_cut_back(struct store_segment *s, uint32_t interval_bytes, int64_t offset)
{
    struct store_positions_reader r;
    struct store_positions_row row = {0};
    struct store_handle *h;
    uint32_t k = 0;
    BR_ASSERT(s->is_loaded);
    enum br_err err = store_segment_rows_file(s, &h);
    if (err != BR_OK)
        return err;
    store_positions_reader_init(&r, &s->rows, h ? store_handle_file(h) : NULL, false);
    err = store_positions_search(&r, STORE_BY_DELTA, (uint64_t)BR_MAX(offset - s->base, 0), 0, s->rows.count, &k);
    if (err == BR_OK && k < s->rows.count)
        err = store_positions_get(&r, k, &row);
    store_file_cache_release(s->files, h);
    if (err != BR_OK || k == s->rows.count)
        return err;
    store_positions_cut(&s->rows, k);
    s->bytes = row.file_position;
    s->end = s->base + row.delta;
    s->is_sealed = s->is_head_due = false;
    store_index_clear(&s->index);
    struct rescan how = {.interval_bytes = interval_bytes, .rows_from = s->bytes};
    err = s->bytes > 0 ? rescan(s, &how) : BR_OK;
    BR_ASSERT(err != BR_OK || s->rows.count == k);
    return err;
}

enum br_err store_segment_cut_files(struct store_segment *s, bool *is_cut)
{
    const int64_t sizes[STORE_SEGMENT_FILES] = {
        s->bytes, (int64_t)s->index.offsets_written * STORE_INDEX_ENTRY_BYTES, (int64_t)s->index.times_written * STORE_TIME_ENTRY_BYTES,
        STORE_POSITIONS_HEADER_BYTES + (int64_t)s->rows.written * STORE_POSITIONS_ROW_BYTES};
    BR_ASSERT(s->is_loaded);
    for (unsigned which = 0; which < STORE_SEGMENT_FILES; which++) {
        struct store_handle *h;
        int64_t size;
        enum br_err err = store_segment_acquire(s, which, STORE_OPEN_WRITE, &h);
        if (err == BR_NOT_FOUND)
            continue;
        if (err != BR_OK)
            return err;
        err = store_file_size(store_handle_file(h), &size);
        if (err == BR_OK && size > sizes[which]) {
            if (which == STORE_SEGMENT_LOG) /* written, and the process died before it said so; or a file of the journal is gone */
                br_log(BR_LOG_WARN, "storage", "%lld bytes from offset %lld on are cut: the journal does not have them segment=%s", (long long)(size - s->bytes), (long long)s->end, s->stem);
            s->dirty |= (uint8_t)(1u << which);
            *is_cut = true;
            err = store_file_truncate(store_handle_file(h), sizes[which]);
        }
        store_file_cache_release(s->files, h);
        if (err != BR_OK)
            return err;
    }
    return BR_OK;
}

/* ---- readers ---- */

static void released(struct store_hold *hold)
{
    struct store_segment *s = hold->owner;
    if (!s->log && !store_segment_is_held(s))
        store_segment_free(s);
}

enum br_err store_segment_hold(struct store_segment *s, enum store_segment_file which, struct store_range *range)
{
    struct store_hold *hold = &s->holds[which];
    BR_ASSERT(which < STORE_SEGMENT_FILES);
    if (hold->refs == 0) {
        enum br_err err = store_segment_acquire(s, which, STORE_OPEN_READ, &hold->handle);
        if (err != BR_OK)
            return err;
        hold->files = s->files;
        hold->owner = s;
        hold->released = released;
    }
    hold->refs++;
    range->file = store_handle_file(hold->handle);
    range->hold = hold;
    return BR_OK;
}

enum br_err store_segment_cold(struct store_segment *s, enum store_segment_file which, int64_t at, size_t len, struct store_range *cold)
{
    BR_ASSERT(cold != NULL);
    enum br_err err = store_segment_hold(s, which, cold);
    if (err != BR_OK)
        return err;
    store_range_around(cold, at, len);
    return BR_COLD;
}

enum br_err store_segment_rows_file(struct store_segment *s, struct store_handle **out)
{
    *out = NULL;
    BR_ASSERT(s->is_loaded);
    if (s->rows.first == 0)
        return BR_OK;
    return store_segment_acquire(s, STORE_SEGMENT_POSITIONS, STORE_OPEN_READ, out);
}

void store_segment_check(const struct store_segment *s)
{
    BR_ASSERT(s->base <= s->end);
    BR_ASSERT(s->bytes >= -1);
    if (!s->is_loaded)
        return;
    store_positions_check(&s->rows);
    store_index_check(&s->index);
    BR_ASSERT((s->rows.count == 0) == (s->bytes == 0)); /* S-11: one row for each batch */
    if (s->rows.count > s->rows.first) {
        const struct store_positions_row *last = &s->rows.rows[s->rows.count - s->rows.first - 1];
        BR_ASSERT(s->base + last->delta < s->end);
        BR_ASSERT(last->file_position < s->bytes);
    }
}
