/* The writing side of the journal. A turn's records are gathered in groups, one per file they go to, each behind its head; one
 * vectored write puts a group down. A sync runs in the pool over the files written by then.
 *
 * The number in a file's name is the generation of its records and is never used twice, not even when a power loss undoes the name: each
 * run first makes a file of its own run number durable, and takes all further numbers from that run. After a cut the journal goes on in a new
 * file, so that no byte left behind the cut can be read as one of its successors (journal_replay.c). */
#include "storage/journal_int.h"
#include "compat/base/crc32c.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

static const char magic[8] = {'B', 'R', 'A', 'I', 'D', 'J', 'N', 'L'};

char *store_journal_path(const char *dir, uint64_t seq)
{
    return br_asprintf("%s/%020" PRIu64 ".journal", dir, seq);
}

uint32_t store_journal_seed(uint64_t seq)
{
    uint8_t bytes[8];
    BR_ASSERT(seq < JOURNAL_SEQ_MAX);
    br_store64(bytes, seq);
    return br_crc32c(bytes, sizeof bytes);
}

void store_journal_encode(const struct store_row *row, uint32_t length, uint8_t bytes[static STORE_JOURNAL_ROW_BYTES])
{
    memset(bytes, 0, STORE_JOURNAL_ROW_BYTES);
    br_store32(bytes + 4, length);
    br_store64(bytes + 8, row->lsn);
    bytes[16] = row->kind;
    bytes[17] = row->class;
    br_store16(bytes + 18, row->flags);
    br_store32(bytes + 20, row->stream);
    br_store32(bytes + 24, (uint32_t)row->leader_epoch);
    br_store64(bytes + 28, (uint64_t)row->base_offset);
    br_store32(bytes + 36, row->count);
    br_store64(bytes + 40, (uint64_t)row->segment_base);
    br_store64(bytes + 48, (uint64_t)row->file_position);
    br_store32(bytes + 56, row->length);
    br_store32(bytes + 60, row->batch_crc);
    br_store64(bytes + 64, (uint64_t)row->max_timestamp);
    br_store64(bytes + 72, (uint64_t)row->producer_id);
    br_store16(bytes + 80, (uint16_t)row->producer_epoch);
    br_store32(bytes + 84, (uint32_t)row->base_sequence);
    br_store32(bytes + 88, row->lane);
    br_store64(bytes + 92, row->s);
}

void store_journal_decode(const uint8_t bytes[static STORE_JOURNAL_ROW_BYTES], struct store_row *row, uint32_t *length)
{
    *length = br_load32(bytes + 4);
    *row = (struct store_row){
        .lsn = br_load64(bytes + 8),
        .kind = bytes[16],
        .class = bytes[17],
        .flags = br_load16(bytes + 18),
        .stream = br_load32(bytes + 20),
        .leader_epoch = (int32_t)br_load32(bytes + 24),
        .base_offset = (int64_t)br_load64(bytes + 28),
        .count = br_load32(bytes + 36),
        .segment_base = (int64_t)br_load64(bytes + 40),
        .file_position = (int64_t)br_load64(bytes + 48),
        .length = br_load32(bytes + 56),
        .batch_crc = br_load32(bytes + 60),
        .max_timestamp = (int64_t)br_load64(bytes + 64),
        .producer_id = (int64_t)br_load64(bytes + 72),
        .producer_epoch = (int16_t)br_load16(bytes + 80),
        .base_sequence = (int32_t)br_load32(bytes + 84),
        .lane = br_load32(bytes + 88),
        .s = br_load64(bytes + 92),
    };
}

/* ---- files ---- */

static uint64_t file_room(const struct store_journal *j)
{
    return j->file_bytes - JOURNAL_HEADER_BYTES;
}

static struct journal_file *active(const struct store_journal *j)
{
    BR_ASSERT(j->file_count > 0);
    return &j->files[j->file_count - 1];
}

struct journal_file *store_journal_file_push(struct store_journal *j, struct journal_file file)
{
    BR_ASSERT(j->file_count == 0 || active(j)->seq < file.seq);
    BR_ASSERT(file.seq < j->next_seq);
    if (j->file_count == j->file_cap) {
        j->file_cap = j->file_cap ? j->file_cap * 2 : 8;
        j->files = br_realloc(j->files, j->file_cap * sizeof *j->files);
    }
    j->files[j->file_count++] = file;
    return active(j);
}

void store_journal_file_discard(struct store_journal *j, uint64_t seq)
{
    BR_ASSERT(seq < j->next_seq);
    if (j->free_count < JOURNAL_FREE_MAX) {
        j->free_seqs[j->free_count++] = seq;
        return;
    }
    if (j->garbage_count == j->garbage_cap) {
        j->garbage_cap = j->garbage_cap ? j->garbage_cap * 2 : 8;
        j->garbage = br_realloc(j->garbage, j->garbage_cap * sizeof *j->garbage);
    }
    j->garbage[j->garbage_count++] = seq;
}

static void encode_header(const struct store_journal *j, uint64_t seq, uint64_t first_lsn, uint8_t block[static JOURNAL_HEADER_BYTES])
{
    memset(block, 0, JOURNAL_HEADER_BYTES);
    memcpy(block, magic, sizeof magic);
    br_store32(block + 8, STORE_JOURNAL_VERSION);
    br_store32(block + 12, (uint32_t)j->node_id);
    memcpy(block + 16, j->cluster_id.bytes, sizeof j->cluster_id.bytes);
    br_store64(block + 32, seq);
    br_store64(block + 40, first_lsn);
    br_store32(block + 60, br_crc32c(block, 60));
}

enum br_err store_journal_file_new(struct store_journal *j, uint64_t seq, uint64_t first_lsn)
{
    BR_ASSERT(first_lsn <= JOURNAL_LSN_MAX);
    uint8_t block[JOURNAL_HEADER_BYTES];
    char *path = store_journal_path(j->dir, seq);
    struct store_file *file = NULL;
    bool is_there = false;
    enum br_err err = BR_NOT_FOUND;
    if (j->free_count > 0) {
        char *old = store_journal_path(j->dir, j->free_seqs[j->free_count - 1]);
        err = j->vfs->ops->rename(j->vfs, old, path);
        br_free(old);
        if (err == BR_OK) {
            j->free_count--;
            is_there = true;
            err = store_file_open(j->vfs, path, STORE_OPEN_WRITE, &file);
        }
    }
    if (!is_there) {
        err = store_file_open(j->vfs, path, STORE_OPEN_WRITE | STORE_OPEN_EXCL, &file);
        is_there = err == BR_OK;
    }
    j->is_dir_dirty |= is_there;
    if (err == BR_OK) {
        encode_header(j, seq, first_lsn, block);
        err = store_file_write(file, block, sizeof block, 0);
    }
    if (err == BR_OK) {
        store_journal_file_push(j, (struct journal_file){.seq = seq, .first_lsn = first_lsn, .file = file, .is_dirty = true});
    } else {
        store_file_close(file);
        if (is_there && j->vfs->ops->unlink(j->vfs, path) != BR_OK)
            err = BR_FAILED;
    }
    br_free(path);
    return err;
}

/* ---- a turn ---- */

static void turn_reset(struct store_journal *j)
{
    if (j->turn.cap > JOURNAL_KEEP_BUFFER)
        br_buf_clear(&j->turn);
    br_buf_reset(&j->turn);
    j->group_count = 0;
    j->ref_count = 0;
    j->next_lsn = j->written;
}

/* Starts the group that will hold a record of `size` bytes, in the active file if it fits there. False: too many groups. */
static bool begin_group(struct store_journal *j, size_t size)
{
    if (j->group_count == JOURNAL_GROUPS_MAX)
        return false;
    struct journal_file *a = active(j);
    struct journal_group g = {.lsn = j->next_lsn, .seq = a->seq, .file_end = a->first_lsn + file_room(j), .start = j->turn.len, .ref_start = j->ref_count};
    size_t need = STORE_JOURNAL_ROW_BYTES + size;
    if (j->group_count > 0 || j->must_roll || g.file_end < g.lsn || g.file_end - g.lsn < need) {
        g.seq = j->next_seq++;
        g.is_new_file = true;
        g.file_end = g.lsn + file_room(j);
    }
    BR_ASSERT(g.file_end - g.lsn >= need);
    uint8_t *head = br_buf_room(&j->turn, STORE_JOURNAL_ROW_BYTES);
    if (!head)
        return false;
    memset(head, 0, STORE_JOURNAL_ROW_BYTES); /* filled when the group is written */
    j->turn.len += STORE_JOURNAL_ROW_BYTES;
    j->next_lsn += STORE_JOURNAL_ROW_BYTES;
    j->groups[j->group_count++] = g;
    return true;
}

static void add_ref(struct store_journal *j, const void *data, size_t len)
{
    if (j->ref_count == j->ref_cap) {
        j->ref_cap = j->ref_cap ? j->ref_cap * 2 : 16;
        j->refs = br_realloc(j->refs, j->ref_cap * sizeof *j->refs);
    }
    j->refs[j->ref_count++] = (struct journal_ref){j->turn.len, data, len};
}

static bool needs_group(const struct store_journal *j, size_t size)
{
    return j->group_count == 0 || j->groups[j->group_count - 1].file_end - j->next_lsn < size;
}

enum br_err store_journal_fits(const struct store_journal *j, unsigned rows, size_t payload)
{
    BR_ASSERT(rows > 0);
    size_t size = (size_t)rows * STORE_JOURNAL_ROW_BYTES + payload;
    if (j->is_failed)
        return BR_FAILED;
    if (STORE_JOURNAL_ROW_BYTES + size > file_room(j))
        return BR_TOO_LARGE;
    if (j->turn.len + STORE_JOURNAL_ROW_BYTES + (size_t)rows * (STORE_JOURNAL_ROW_BYTES + JOURNAL_COPY_MAX) > JOURNAL_TURN_BYTES_MAX)
        return BR_FULL;
    return needs_group(j, size) && j->group_count == JOURNAL_GROUPS_MAX ? BR_FULL : BR_OK;
}

enum br_err store_journal_together(struct store_journal *j, unsigned rows, size_t payload)
{
    size_t size = (size_t)rows * STORE_JOURNAL_ROW_BYTES + payload;
    enum br_err err = store_journal_fits(j, rows, payload);
    if (err == BR_OK && needs_group(j, size) && !begin_group(j, size))
        err = BR_FULL;
    BR_ASSERT(err != BR_OK || !needs_group(j, size));
    return err;
}

enum br_err store_journal_add(struct store_journal *j, struct store_row *row, const void *payload)
{
    BR_ASSERT(row->kind != STORE_ROW_HEAD && row->kind <= STORE_ROW_FINAL);
    BR_ASSERT(!(row->flags & STORE_ROW_PAYLOAD));
    size_t len = payload ? row->length : 0, size = STORE_JOURNAL_ROW_BYTES + len;
    enum br_err err = store_journal_together(j, 1, len);
    if (err != BR_OK)
        return err;
    struct journal_group *g = &j->groups[j->group_count - 1];
    row->lsn = j->next_lsn;
    struct store_row out = *row;
    if (payload)
        out.flags |= STORE_ROW_PAYLOAD;
    uint8_t bytes[STORE_JOURNAL_ROW_BYTES];
    store_journal_encode(&out, (uint32_t)size, bytes);
    uint32_t crc = br_crc32c_extend(store_journal_seed(g->seq), bytes + 4, sizeof bytes - 4);
    br_store32(bytes, br_crc32c_extend(crc, payload, len));
    br_buf_add(&j->turn, bytes, sizeof bytes);
    if (len > 0 && len <= JOURNAL_COPY_MAX)
        br_buf_add(&j->turn, payload, len);
    else if (len > 0)
        add_ref(j, payload, len);
    BR_ASSERT(!j->turn.failed);
    g->rows++;
    j->next_lsn += size;
    BR_ASSERT(j->next_lsn <= g->file_end);
    return BR_OK;
}

static void finish_head(struct store_journal *j, const struct journal_group *g)
{
    struct store_row head = {.lsn = g->lsn, .kind = STORE_ROW_HEAD, .count = g->rows, .s = j->synced};
    uint8_t *bytes = j->turn.data + g->start;
    store_journal_encode(&head, STORE_JOURNAL_ROW_BYTES, bytes);
    br_store32(bytes, br_crc32c_extend(store_journal_seed(g->seq), bytes + 4, STORE_JOURNAL_ROW_BYTES - 4));
    BR_ASSERT(j->synced <= g->lsn); /* S-2: a head never vouches for itself */
}

/* The group's bytes as a vector: stretches of the buffer with the borrowed payloads between them. */
static int gather(struct store_journal *j, const struct journal_group *g, size_t end, size_t ref_end)
{
    size_t most = 2 * (ref_end - g->ref_start) + 1, count = 0, at = g->start;
    if (most > j->iov_cap) {
        j->iov_cap = most * 2;
        j->iov = br_realloc(j->iov, j->iov_cap * sizeof *j->iov);
    }
    for (size_t i = g->ref_start; i < ref_end; i++) {
        const struct journal_ref *ref = &j->refs[i];
        if (ref->at > at)
            j->iov[count++] = (struct iovec){j->turn.data + at, ref->at - at};
        j->iov[count++] = (struct iovec){(void *)(uintptr_t)ref->data, ref->len};
        at = ref->at;
    }
    if (end > at)
        j->iov[count++] = (struct iovec){j->turn.data + at, end - at};
    BR_ASSERT(count > 0 && count <= most);
    return (int)count;
}

static enum br_err write_group(struct store_journal *j, unsigned index)
{
    const struct journal_group *g = &j->groups[index];
    bool is_last = index + 1 == j->group_count;
    size_t end = is_last ? j->turn.len : j->groups[index + 1].start;
    size_t ref_end = is_last ? j->ref_count : j->groups[index + 1].ref_start;
    if (g->is_new_file) {
        enum br_err err = store_journal_file_new(j, g->seq, g->lsn);
        if (err != BR_OK)
            return err;
    }
    struct journal_file *f = active(j);
    BR_ASSERT(f->seq == g->seq);
    BR_ASSERT(g->lsn >= f->first_lsn);
    finish_head(j, g);
    f->is_dirty = true;
    int count = gather(j, g, end, ref_end); /* may move j->iov */
    return store_file_writev(f->file, j->iov, count, store_journal_place(f->first_lsn, g->lsn));
}

/* Takes back what the turn has put down: its new files go, the file it began in ends where it did. The journal goes on in a new file. */
static enum br_err cut_back(struct store_journal *j, size_t files_before)
{
    enum br_err err = BR_OK;
    while (j->file_count > files_before) {
        struct journal_file *f = active(j);
        char *path = store_journal_path(j->dir, f->seq);
        store_file_close(f->file);
        j->file_count--;
        if (err == BR_OK)
            err = j->vfs->ops->unlink(j->vfs, path);
        br_free(path);
    }
    struct journal_file *f = active(j);
    if (err == BR_OK && !j->groups[0].is_new_file) {
        f->is_dirty = true;
        err = store_file_truncate(f->file, store_journal_place(f->first_lsn, j->written));
    }
    j->must_roll = true;
    return err;
}

enum br_err store_journal_write(struct store_journal *j)
{
    BR_ASSERT(j->next_lsn >= j->written);
    enum br_err err = j->is_failed ? BR_FAILED : BR_OK;
    size_t files_before = j->file_count;
    for (unsigned i = 0; err == BR_OK && i < j->group_count; i++)
        err = write_group(j, i);
    if (err == BR_OK && j->group_count > 0) {
        j->must_roll = false;
        j->written = j->next_lsn;
        j->last_head_synced = j->synced;
    } else if (err != BR_OK && !j->is_failed) {
        br_log(BR_LOG_WARN, "journal", "write failed: %s; the turn is refused", br_err_text(err));
        if (err == BR_FAILED || cut_back(j, files_before) != BR_OK) {
            br_log(BR_LOG_ERROR, "journal", "cutting back after the failed write failed too: restart needed");
            j->is_failed = true;
        }
    }
    turn_reset(j);
    BR_ASSERT(j->next_lsn == j->written);
    return err;
}

/* ---- sync ---- */

static void sync_run(struct store_io_job *job)
{
    struct journal_sync *s = (struct journal_sync *)job;
    struct store_journal *j = s->journal; /* vfs and dir never change */
    for (size_t i = 0; i < s->file_count && s->err == BR_OK; i++)
        s->err = store_file_sync(s->files[i]);
    if (s->err == BR_OK && s->has_dir)
        s->err = store_dir_sync(j->vfs, j->dir);
    for (size_t i = 0; i < s->garbage_count && s->err == BR_OK; i++) {
        char *path = store_journal_path(j->dir, s->garbage[i]);
        (void)!j->vfs->ops->unlink(j->vfs, path); /* a file too many does no harm */
        br_free(path);
    }
}

static void sync_start(struct store_journal *j);

static void sync_done(struct store_io_job *job)
{
    struct journal_sync *s = (struct journal_sync *)job;
    struct store_journal *j = s->journal;
    enum br_err err = s->err;
    BR_ASSERT(j->is_sync_running);
    BR_ASSERT(s->lsn >= j->synced);
    j->is_sync_running = false;
    if (err == BR_OK && !j->is_failed) {
        j->synced = s->lsn;
        for (size_t i = 0; i < j->file_count; i++)
            if (j->files[i].seq <= s->last_seq)
                j->files[i].is_durable = true;
    } else {
        if (!j->is_failed)
            br_log(BR_LOG_ERROR, "journal", "sync failed: %s; writes are refused until a restart", br_err_text(err));
        err = err == BR_OK ? BR_FAILED : err;
        j->is_failed = true;
    }
    br_free(s->files);
    br_free(s->garbage);
    br_free(s);
    if (j->is_sync_asked) {
        j->is_sync_asked = false;
        if (!j->is_failed)
            sync_start(j);
    }
    if (j->on_synced)
        j->on_synced(j->on_synced_ctx, err, j->synced);
}

static void sync_start(struct store_journal *j)
{
    BR_ASSERT(!j->is_sync_running);
    BR_ASSERT(!j->is_failed);
    struct journal_sync *s = br_alloc(sizeof *s);
    s->job.run = sync_run;
    s->job.done = sync_done;
    s->journal = j;
    s->lsn = j->written;
    s->last_seq = active(j)->seq;
    s->files = br_alloc_array(j->file_count, sizeof *s->files);
    for (size_t i = 0; i < j->file_count; i++) {
        struct journal_file *f = &j->files[i];
        if (f->is_dirty)
            s->files[s->file_count++] = f->file;
        f->is_dirty = false;
    }
    s->has_dir = j->is_dir_dirty;
    j->is_dir_dirty = false;
    s->garbage = j->garbage;
    s->garbage_count = j->garbage_count;
    j->garbage = NULL;
    j->garbage_count = j->garbage_cap = 0;
    j->is_sync_running = true;
    store_io_pool_submit(j->pool, &s->job);
}

void store_journal_sync(struct store_journal *j)
{
    if (j->is_failed)
        return;
    if (j->is_sync_running)
        j->is_sync_asked = true;
    else
        sync_start(j);
}

void store_journal_on_synced(struct store_journal *j, void (*on_synced)(void *ctx, enum br_err err, uint64_t lsn), void *ctx)
{
    j->on_synced = on_synced;
    j->on_synced_ctx = ctx;
}

uint64_t store_journal_written(const struct store_journal *j)
{
    return j->written;
}

uint64_t store_journal_synced(const struct store_journal *j)
{
    return j->synced;
}

/* ---- room, recycling, end ---- */

enum br_err store_journal_has_room(struct store_journal *j, size_t bytes)
{
    if (j->is_failed)
        return BR_FAILED;
    if (bytes <= j->room_left) {
        j->room_left -= bytes;
        return BR_OK;
    }
    uint64_t left, total;
    enum br_err err = j->vfs->ops->space(j->vfs, j->dir, &left, &total);
    if (err != BR_OK)
        return err;
    /* One journal file stays in reserve for what must still be written; a quarter of the rest is given out before the next look, since
     * others write to the same file system. */
    uint64_t reserve = j->file_bytes;
    j->room_left = 0;
    if (left < reserve || left - reserve < bytes)
        return BR_NOSPACE;
    j->room_left = BR_MIN((left - reserve - bytes) / 4, (uint64_t)STORE_JOURNAL_FILE_BYTES);
    return BR_OK;
}

void store_journal_recycle(struct store_journal *j, uint64_t lsn)
{
    BR_ASSERT(lsn <= j->written);
    size_t gone = 0;
    /* S-4: a file is given up only once its successor and the successor's name are on the disk. */
    while (gone + 1 < j->file_count && j->files[gone + 1].first_lsn <= lsn && j->files[gone + 1].is_durable) {
        BR_ASSERT(!j->files[gone].is_dirty);
        store_file_close(j->files[gone].file);
        store_journal_file_discard(j, j->files[gone].seq);
        gone++;
    }
    memmove(j->files, j->files + gone, (j->file_count - gone) * sizeof *j->files);
    j->file_count -= gone;
    j->recycled = BR_MAX(j->recycled, lsn);
}

uint64_t store_journal_bytes(const struct store_journal *j)
{
    return j->written - j->recycled;
}

/* A last head says that everything is durable, so that rot in the last group is told from a torn tail too; and the file ends with it, so
 * that the next start has nothing to search behind it. Failures leave what a crash leaves. */
static void write_last_head(struct store_journal *j)
{
    struct journal_file *f = active(j);
    int64_t at = store_journal_place(f->first_lsn, j->written), size;
    for (size_t i = 0; i < j->file_count; i++)
        if (j->files[i].is_dirty && store_file_sync(j->files[i].file) != BR_OK)
            return;
    if (j->is_dir_dirty && store_dir_sync(j->vfs, j->dir) != BR_OK)
        return;
    j->synced = j->written;
    if (j->must_roll)
        return;
    enum br_err err = BR_OK;
    if (j->last_head_synced < j->synced && f->first_lsn + file_room(j) >= j->written + STORE_JOURNAL_ROW_BYTES) {
        uint8_t bytes[STORE_JOURNAL_ROW_BYTES];
        struct store_row head = {.lsn = j->written, .kind = STORE_ROW_HEAD, .s = j->synced};
        store_journal_encode(&head, sizeof bytes, bytes);
        br_store32(bytes, br_crc32c_extend(store_journal_seed(f->seq), bytes + 4, sizeof bytes - 4));
        err = store_file_write(f->file, bytes, sizeof bytes, at);
        at += sizeof bytes;
    }
    if (err == BR_OK && store_file_size(f->file, &size) == BR_OK && size > at)
        err = store_file_truncate(f->file, at);
    if (err == BR_OK)
        (void)!store_file_sync(f->file);
}

void store_journal_close(struct store_journal *j)
{
    if (!j)
        return;
    j->on_synced = NULL;
    if (j->is_sync_running)
        store_io_pool_drain(j->pool);
    BR_ASSERT(!j->is_sync_running);
    if (!j->is_failed && j->file_count > 0)
        write_last_head(j);
    for (size_t i = 0; i < j->file_count; i++)
        store_file_close(j->files[i].file);
    br_free(j->files);
    br_free(j->garbage);
    br_free(j->refs);
    br_free(j->iov);
    br_buf_clear(&j->turn);
    br_free(j->dir);
    br_free(j);
}

void store_journal_check(const struct store_journal *j)
{
    BR_ASSERT(j->synced <= j->written);      /* S-1 */
    BR_ASSERT(j->recycled <= j->written);
    BR_ASSERT(j->written <= j->next_lsn);
    BR_ASSERT((j->group_count == 0) == (j->next_lsn == j->written));
    BR_ASSERT(j->file_count > 0);
    BR_ASSERT(j->files[0].first_lsn <= j->recycled || j->recycled == 0); /* S-4: what was not recycled is there */
    BR_ASSERT(active(j)->first_lsn <= j->written);
    for (size_t i = 0; i < j->file_count; i++) {
        const struct journal_file *f = &j->files[i];
        BR_ASSERT(f->seq < j->next_seq); /* S-3: generations are never used twice */
        if (i > 0)
            BR_ASSERT(f[-1].seq < f->seq && f[-1].first_lsn <= f->first_lsn);
        for (unsigned k = 0; k < j->free_count; k++)
            BR_ASSERT(j->free_seqs[k] != f->seq);
    }
}
