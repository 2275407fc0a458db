/* Opening the journal: which files count, which records are good, and whether a bad one is the torn tail or rot.
 *
 * A file covers the LSNs from its first one up to the least first LSN of any later file: a later file that begins lower was made after a cut, and
 * what the earlier one holds from there on was cut. So the covers follow each other without gaps, and nothing has to be wiped.
 *
 * The first bad record ends the journal, unless a head anywhere after it (same generation as its file, good CRC) says that more than
 * that was synced: then bytes that had reached the disk are gone, and to go on would lose acknowledged records silently. */
#include "storage/journal_int.h"
#include "compat/base/crc32c.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

#define WINDOW_BYTES (256u << 10)
#define FILES_MAX 65536u

static const char magic[8] = {'B', 'R', 'A', 'I', 'D', 'J', 'N', 'L'};

struct found_file {
    uint64_t seq, first_lsn;
    uint64_t cover_end; /* LSN; <= first_lsn: covers nothing */
    bool is_valid;      /* the header is good and its own */
    bool is_live;       /* holds records that were replayed */
};

struct replay {
    struct store_journal *j;
    struct found_file *found;
    size_t count, cap;
    struct br_errbuf *eb;
    store_journal_each each;
    void *ctx;
    /* the file being read */
    struct store_file *file;
    int64_t size;
    uint8_t *window;
    size_t window_cap, window_len;
    int64_t window_at;
};

static enum br_err found_name(void *ctx, const char *name)
{
    struct replay *r = ctx;
    if (strlen(name) != 28 || strcmp(name + 20, ".journal") != 0 || strspn(name, "0123456789") != 20)
        return BR_OK; /* not ours */
    if (r->count == FILES_MAX)
        return BR_TOO_LARGE;
    if (r->count == r->cap) {
        r->cap = r->cap ? r->cap * 2 : 16;
        r->found = br_realloc(r->found, r->cap * sizeof *r->found);
    }
    uint64_t seq = strtoull(name, NULL, 10);
    if (seq == 0 || seq >= JOURNAL_SEQ_MAX - JOURNAL_RUN)
        return BR_OK;
    r->found[r->count++] = (struct found_file){.seq = seq};
    return BR_OK;
}

static enum br_err fail_at(struct replay *r, enum br_err err, uint64_t seq, int64_t at, const char *what)
{
    return br_errbuf_set(r->eb, err, "journal file %s/%020" PRIu64 ".journal at byte %lld: %s", r->j->dir, seq, (long long)at, what);
}

/* ---- reading ---- */

static enum br_err file_enter(struct replay *r, uint64_t seq)
{
    BR_ASSERT(r->file == NULL);
    char *path = store_journal_path(r->j->dir, seq);
    enum br_err err = store_file_open(r->j->vfs, path, STORE_OPEN_WRITE, &r->file);
    if (err == BR_OK)
        err = store_file_size(r->file, &r->size);
    r->window_len = 0;
    if (err != BR_OK)
        br_errbuf_set(r->eb, err, "journal file %s: %s", path, br_err_text(err));
    br_free(path);
    return err;
}

static void file_leave(struct replay *r)
{
    store_file_close(r->file);
    r->file = NULL;
}

/* Bytes [at, at+len) of the file through the window; *data is NULL when the file ends before or len is absurd. */
static enum br_err look(struct replay *r, int64_t at, size_t len, const uint8_t **data)
{
    BR_ASSERT(at >= 0);
    *data = NULL;
    if (at > r->size || len > (uint64_t)(r->size - at))
        return BR_OK;
    if (at >= r->window_at && (uint64_t)(at - r->window_at) + len <= r->window_len) {
        *data = r->window + (at - r->window_at);
        return BR_OK;
    }
    size_t want = (size_t)BR_MIN((uint64_t)BR_MAX(len, (size_t)WINDOW_BYTES), (uint64_t)(r->size - at));
    if (want > r->window_cap) {
        uint8_t *bigger = br_try_alloc(want);
        if (!bigger)
            return BR_NOMEM;
        br_free(r->window);
        r->window = bigger;
        r->window_cap = want;
    }
    r->window_len = 0;
    enum br_err err = store_file_read(r->file, r->window, want, at);
    if (err != BR_OK)
        return err;
    r->window_at = at;
    r->window_len = want;
    *data = r->window;
    return BR_OK;
}

/* ---- headers and covers ---- */

/* The CRC's place and range hold for every version, so that an unknown version is told from a torn header. */
static enum br_err read_header(struct replay *r, struct found_file *f)
{
    const uint8_t *b;
    enum br_err err = file_enter(r, f->seq);
    if (err == BR_OK)
        err = look(r, 0, 64, &b);
    if (err != BR_OK || !b || memcmp(b, magic, sizeof magic) != 0 || br_load32(b + 60) != br_crc32c(b, 60))
        return err;
    if (br_load32(b + 8) != STORE_JOURNAL_VERSION)
        return fail_at(r, BR_VERSION, f->seq, 8, "a format version this release does not know");
    f->first_lsn = br_load64(b + 40);
    f->is_valid = br_load64(b + 32) == f->seq && f->first_lsn <= JOURNAL_LSN_MAX / 2;
    if (!f->is_valid)
        return BR_OK; /* a reuse whose rename or header was lost: nothing in it was ever synced under this name */
    if (memcmp(b + 16, r->j->cluster_id.bytes, 16) != 0 || (int32_t)br_load32(b + 12) != r->j->node_id)
        return fail_at(r, BR_INVALID, f->seq, 12, "belongs to another cluster or node");
    return BR_OK;
}

static enum br_err read_headers(struct replay *r)
{
    enum br_err err = r->j->vfs->ops->list(r->j->vfs, r->j->dir, found_name, r);
    if (err != BR_OK)
        return br_errbuf_set(r->eb, err, "journal directory %s: %s", r->j->dir, br_err_text(err));
    for (size_t i = 0; i < r->count; i++) {
        BR_ASSERT(i == 0 || r->found[i - 1].seq < r->found[i].seq); /* listed in sorted order */
        err = read_header(r, &r->found[i]);
        file_leave(r);
        if (err != BR_OK)
            return err;
    }
    uint64_t least = UINT64_MAX;
    for (size_t i = r->count; i-- > 0;) {
        struct found_file *f = &r->found[i];
        f->cover_end = least;
        if (f->is_valid)
            least = BR_MIN(least, f->first_lsn);
    }
    /* S-3: numbers of an earlier run may have been used for files whose names are lost. */
    uint64_t newest = r->count ? r->found[r->count - 1].seq : 0;
    r->j->next_seq = (newest / JOURNAL_RUN + 1) * JOURNAL_RUN;
    return BR_OK;
}

/* Index of the file that covers lsn, or count. */
static size_t file_covering(const struct replay *r, uint64_t lsn)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->found[i].is_valid && r->found[i].first_lsn <= lsn && lsn < r->found[i].cover_end)
            return i;
    return r->count;
}

/* ---- records ---- */

/* The record at lsn of the file entered, CRC checked. *good false: none. */
static enum br_err read_record(struct replay *r, const struct found_file *f, uint64_t lsn, struct store_row *row, uint32_t *length, bool *good)
{
    const uint8_t *b;
    int64_t at = store_journal_place(f->first_lsn, lsn);
    *good = false;
    enum br_err err = look(r, at, STORE_JOURNAL_ROW_BYTES, &b);
    if (err != BR_OK || !b)
        return err;
    store_journal_decode(b, row, length);
    if (row->lsn != lsn || *length < STORE_JOURNAL_ROW_BYTES || *length > f->cover_end - lsn)
        return BR_OK;
    err = look(r, at, *length, &b);
    if (err != BR_OK || !b)
        return err;
    uint32_t crc = br_crc32c_extend(store_journal_seed(f->seq), b + 4, *length - 4);
    if (crc != br_load32(b))
        return BR_OK;
    *good = true;
    if (row->flags & STORE_ROW_PAYLOAD)
        row->payload = b + STORE_JOURNAL_ROW_BYTES;
    return BR_OK;
}

/* What no torn write makes: a record with a good CRC that this release cannot have written. */
static enum br_err check_meaning(struct replay *r, const struct found_file *f, const struct store_row *row, uint32_t length, bool is_first)
{
    int64_t at = store_journal_place(f->first_lsn, row->lsn);
    if (row->kind > STORE_ROW_FINAL || row->class > STORE_CLASS_FSYNC || (row->flags & ~(unsigned)STORE_ROW_FLAGS))
        return fail_at(r, BR_VERSION, f->seq, at, "a record of a kind this release does not know");
    if (row->kind != STORE_ROW_HEAD && is_first != ((row->flags & STORE_ROW_FIRST) != 0))
        return fail_at(r, BR_CORRUPT, f->seq, at, is_first ? "a record that goes on with an entry, and none has begun" : "a record that begins an entry within another");
    uint32_t payload = length - STORE_JOURNAL_ROW_BYTES;
    bool fits = row->flags & STORE_ROW_PAYLOAD ? payload == row->length && row->kind != STORE_ROW_HEAD : payload == 0;
    return fits ? BR_OK : fail_at(r, BR_CORRUPT, f->seq, at, "length and payload disagree");
}

/* The record at lsn with its meaning checked; *good false: none. */
static enum br_err take_record(struct replay *r, const struct found_file *f, uint64_t lsn, bool is_first, struct store_row *row, uint32_t *length, bool *good)
{
    enum br_err err = read_record(r, f, lsn, row, length, good);
    if (err != BR_OK)
        return fail_at(r, err, f->seq, store_journal_place(f->first_lsn, lsn), br_err_text(err));
    return *good ? check_meaning(r, f, row, *length, is_first) : BR_OK;
}

/* S-8: what was appended together, from the record at lsn (of `length`) on: whether all of it is there, up to the last. */
static enum br_err look_for_last(struct replay *r, const struct found_file *f, uint64_t lsn, uint32_t length, bool *good)
{
    struct store_row row;
    do {
        lsn += length;
        *good = false;
        enum br_err err = lsn < f->cover_end ? take_record(r, f, lsn, false, &row, &length, good) : BR_OK;
        if (err != BR_OK || !*good)
            return err;
        if (row.kind == STORE_ROW_HEAD)
            return fail_at(r, BR_CORRUPT, f->seq, store_journal_place(f->first_lsn, lsn), "a head within what was appended together");
    } while (!(row.flags & STORE_ROW_LAST));
    return BR_OK;
}

/* One record after the other; *is_first: an entry begins here. *good false: the journal ends here. */
static enum br_err replay_record(struct replay *r, const struct found_file *f, uint64_t lsn, bool *is_first, uint32_t *length, bool *good)
{
    struct store_row row;
    enum br_err err = take_record(r, f, lsn, *is_first, &row, length, good);
    if (err != BR_OK || !*good || row.kind == STORE_ROW_HEAD)
        return err;
    if (*is_first && !(row.flags & STORE_ROW_LAST)) {
        err = look_for_last(r, f, lsn, *length, good);
        if (err == BR_OK && *good) /* the look may have moved the window, and the payload with it */
            err = take_record(r, f, lsn, true, &row, length, good);
        if (err != BR_OK || !*good)
            return err;
    }
    *is_first = (row.flags & STORE_ROW_LAST) != 0;
    return r->each(r->ctx, &row);
}

/* Replays the file entered from *lsn to the first bad record or the end of its cover. */
static enum br_err replay_file(struct replay *r, const struct found_file *f, uint64_t *lsn)
{
    bool is_first = true;
    while (*lsn < f->cover_end) {
        uint32_t length;
        bool good;
        enum br_err err = replay_record(r, f, *lsn, &is_first, &length, &good);
        if (err == BR_OK && !good && !is_first) /* S-8: it was there when it was looked for */
            err = fail_at(r, BR_IO, f->seq, store_journal_place(f->first_lsn, *lsn), "reads differ");
        if (err != BR_OK || !good)
            return err;
        *lsn += length;
    }
    BR_ASSERT(is_first);
    BR_ASSERT(*lsn == f->cover_end);
    return BR_OK;
}

/* S-2: looks for a head in the file entered, from byte `at` on, that says more than `end` was synced. */
static enum br_err look_for_vouch(struct replay *r, const struct found_file *f, int64_t at, uint64_t end, bool *vouched)
{
    const size_t step = WINDOW_BYTES / 2;
    for (; at + STORE_JOURNAL_ROW_BYTES <= r->size && !*vouched; at += step) {
        size_t len = (size_t)BR_MIN((int64_t)(step + STORE_JOURNAL_ROW_BYTES - 1), r->size - at);
        const uint8_t *b;
        enum br_err err = look(r, at, len, &b);
        if (err != BR_OK)
            return err;
        BR_ASSERT(b != NULL);
        const uint8_t *last = b + len - STORE_JOURNAL_ROW_BYTES, *p = b;
        for (const uint8_t *q; p <= last && (q = memchr(p + 7, STORE_JOURNAL_ROW_BYTES, (size_t)(last - p) + 1)); p++) {
            p = q - 7; /* byte 7 is the low byte of the length */
            uint64_t lsn = br_load64(p + 8), synced = br_load64(p + 92);
            if (p[16] != STORE_ROW_HEAD || br_load32(p + 4) != STORE_JOURNAL_ROW_BYTES || lsn < end || lsn >= f->cover_end || synced <= end)
                continue;
            if (br_load32(p) == br_crc32c_extend(store_journal_seed(f->seq), p + 4, STORE_JOURNAL_ROW_BYTES - 4))
                *vouched = true;
        }
    }
    return BR_OK;
}

/* The journal ends at `end` in found[index] (or before all files). BR_CORRUPT when more was synced once. */
static enum br_err check_tail(struct replay *r, size_t index, uint64_t end)
{
    int64_t bad_at = index < r->count ? store_journal_place(r->found[index].first_lsn, end) : 0;
    for (size_t i = index < r->count ? index : 0; i < r->count; i++) {
        const struct found_file *f = &r->found[i];
        bool vouched = false;
        enum br_err err = file_enter(r, f->seq);
        if (err == BR_OK)
            err = look_for_vouch(r, f, i == index ? bad_at : JOURNAL_HEADER_BYTES, end, &vouched);
        file_leave(r);
        if (err != BR_OK)
            return err;
        if (vouched)
            return fail_at(r, BR_CORRUPT, r->found[index < r->count ? index : 0].seq, bad_at,
                           "damaged, and later records show that it had reached the disk");
    }
    return BR_OK;
}

/* ---- opening ---- */

/* S-7: what a replay tells is durable before it is told: who hears of a record acts upon it (removes the files of a deleted topic), and
 * nothing is shown that a power loss could still take. */
static enum br_err sync_before_replay(struct replay *r, const struct found_file *f)
{
    BR_ASSERT(r->file != NULL);
    enum br_err err = store_file_sync(r->file);
    return err == BR_OK ? BR_OK : fail_at(r, err, f->seq, 0, br_err_text(err));
}

static enum br_err keep_file(struct replay *r, struct found_file *f, uint64_t end)
{
    BR_ASSERT(end >= f->first_lsn);
    if (end == f->first_lsn) { /* empty: the new file takes its place */
        file_leave(r);
        return BR_OK;
    }
    f->is_live = true;
    store_journal_file_push(r->j, (struct journal_file){.seq = f->seq, .first_lsn = f->first_lsn, .file = r->file, .is_durable = true});
    r->file = NULL;
    return BR_OK;
}

static enum br_err replay_all(struct replay *r, uint64_t from, uint64_t *end)
{
    size_t index = file_covering(r, from);
    bool is_fresh = from == 0;
    for (size_t i = 0; i < r->count; i++)
        is_fresh = is_fresh && !r->found[i].is_valid;
    if (index == r->count && !is_fresh)
        return br_errbuf_set(r->eb, BR_CORRUPT, "journal %s: no file holds byte %" PRIu64 ", where the last checkpoint ends", r->j->dir, from);
    uint64_t lsn = from;
    enum br_err err = r->count > 0 ? store_dir_sync(r->j->vfs, r->j->dir) : BR_OK;
    if (err != BR_OK)
        return br_errbuf_set(r->eb, err, "journal directory %s: %s", r->j->dir, br_err_text(err));
    while (index < r->count) {
        struct found_file *f = &r->found[index];
        err = file_enter(r, f->seq);
        if (err == BR_OK)
            err = sync_before_replay(r, f);
        if (err == BR_OK)
            err = replay_file(r, f, &lsn);
        if (err == BR_OK)
            err = keep_file(r, f, lsn);
        if (err != BR_OK)
            return err;
        if (lsn < f->cover_end)
            break;
        index = file_covering(r, lsn);
        BR_ASSERT(index < r->count); /* covers have no gaps */
    }
    *end = lsn;
    return check_tail(r, index, lsn);
}

/* Each run goes on in a file of its own: bytes behind the cut stay where they are, and the new file's name makes the run number durable
 * before any record is written under it. */
static enum br_err make_active(struct replay *r, uint64_t end)
{
    struct store_journal *j = r->j;
    for (size_t i = 0; i < r->count; i++)
        if (!r->found[i].is_live)
            store_journal_file_discard(j, r->found[i].seq);
    uint64_t seq = j->next_seq++;
    enum br_err err = store_journal_file_new(j, seq, end);
    if (err == BR_OK)
        err = store_file_sync(j->files[j->file_count - 1].file);
    if (err == BR_OK)
        err = store_dir_sync(j->vfs, j->dir);
    if (err != BR_OK)
        return br_errbuf_set(r->eb, err, "journal %s: cannot make a file: %s", j->dir, br_err_text(err));
    j->files[j->file_count - 1].is_dirty = false;
    j->files[j->file_count - 1].is_durable = true;
    j->is_dir_dirty = false;
    return BR_OK;
}

enum br_err store_journal_open(const struct store_journal_opts *opts, uint64_t from, store_journal_each each, void *ctx,
                               struct store_journal **out, uint64_t *end, struct br_errbuf *eb)
{
    struct store_journal *j = br_alloc(sizeof *j);
    j->vfs = opts->vfs;
    j->dir = br_strdup(opts->dir);
    j->cluster_id = opts->cluster_id;
    j->node_id = opts->node_id;
    j->file_bytes = opts->file_bytes ? opts->file_bytes : STORE_JOURNAL_FILE_BYTES;
    j->pool = opts->sync_pool;
    br_buf_init(&j->turn, JOURNAL_TURN_BYTES_MAX);
    BR_ASSERT(j->file_bytes >= JOURNAL_HEADER_BYTES + 2 * STORE_JOURNAL_ROW_BYTES);

    struct replay r = {.j = j, .eb = eb, .each = each, .ctx = ctx};
    uint64_t lsn = from;
    enum br_err err = from <= JOURNAL_LSN_MAX / 2 ? store_dir_make(j->vfs, j->dir) : BR_CORRUPT;
    if (err != BR_OK)
        br_errbuf_set(eb, err, "journal directory %s: %s", j->dir, br_err_text(err));
    else
        err = read_headers(&r);
    if (err == BR_OK)
        err = replay_all(&r, from, &lsn);
    if (err == BR_OK)
        err = make_active(&r, lsn);
    file_leave(&r);
    br_free(r.window);
    br_free(r.found);
    if (err != BR_OK) {
        j->is_failed = true; /* so that closing writes nothing */
        store_journal_close(j);
        return err;
    }
    j->written = j->synced = j->next_lsn = lsn;
    j->last_head_synced = from;
    j->recycled = from;
    store_journal_check(j);
    *out = j;
    *end = lsn;
    return BR_OK;
}
