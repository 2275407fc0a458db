/* A log at a start: what the directory holds against what the state says, and the journal's rows on top of it (the journal
 * decides, a segment may be ahead of it or behind).
 *
 *   segments up to the saved active one   the chain; the active one up to its saved length, the rest of it is cut
 *   segments beyond it                    strays: a replayed row that names one adopts it, recover removes the others
 */
#include "storage/log_int.h"
#include "compat/base/crc32c.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

#define SEGMENTS_MAX 1000000u /* most of one log */
#define METADATA_BYTES_MAX 4096u

/* Segments of which any file is there. */
struct listing {
    struct listed {
        int64_t base;
        bool has_log; /* a file without its .log is what a removal or a loss of power left over */
    } *list;
    size_t count, cap;
};

/* The base offset of "00000000000000000042.log" and the like, or -1. */
static int64_t base_of_name(const char *name, bool *is_log)
{
    int64_t base = 0;
    for (unsigned i = 0; i < STORE_SEGMENT_NAME_DIGITS; i++) {
        if (name[i] < '0' || name[i] > '9' || base > (INT64_MAX - (name[i] - '0')) / 10)
            return -1;
        base = base * 10 + (name[i] - '0');
    }
    for (unsigned which = 0; which < STORE_SEGMENT_FILES; which++) {
        *is_log = which == STORE_SEGMENT_LOG;
        if (strcmp(name + STORE_SEGMENT_NAME_DIGITS, store_segment_suffix(which)) == 0)
            return base;
    }
    return -1;
}

static enum br_err each_name(void *ctx, const char *name)
{
    struct listing *l = ctx;
    bool is_log;
    int64_t base = base_of_name(name, &is_log);
    if (base < 0)
        return BR_OK;
    if (l->count == 0 || l->list[l->count - 1].base != base) {
        if (l->count == SEGMENTS_MAX)
            return BR_TOO_LARGE;
        if (l->count == l->cap) {
            l->cap = BR_MAX(8u, l->cap * 2);
            l->list = br_realloc(l->list, l->cap * sizeof *l->list);
        }
        BR_ASSERT(l->count == 0 || l->list[l->count - 1].base < base); /* the names come sorted */
        l->list[l->count++] = (struct listed){.base = base};
    }
    l->list[l->count - 1].has_log |= is_log;
    return BR_OK;
}

/* ---- the small files ---- */

/* Kafka reads two lines. The third says that they are as written: one damaged byte of an id makes another valid id, and a directory taken for another topic's
 * would be left alone. */
static char *format_metadata(struct br_uuid topic_id)
{
    char text[BR_UUID_TEXT];
    br_uuid_text(topic_id, text);
    char *lines = br_asprintf("version: 0\ntopic_id: %s\n", text);
    char *all = br_asprintf("%sbraid_check: %08x\n", lines, br_crc32c(lines, strlen(lines)));
    br_free(lines);
    return all;
}

/* True when the file names a topic; *id is it. */
static bool read_metadata(struct store_log *log, struct br_uuid *id)
{
    static const char start[] = "version: 0\ntopic_id: ";
    const size_t skip = sizeof start - 1, id_bytes = BR_UUID_TEXT - 1;
    uint8_t *data;
    size_t len;
    char *path = br_asprintf("%s/partition.metadata", log->dir);
    enum br_err err = store_file_load(log->vfs, path, METADATA_BYTES_MAX, &data, &len);
    br_free(path);
    if (err != BR_OK)
        return false;
    bool is_good = len > skip + id_bytes && memcmp(data, start, skip) == 0 &&
                   br_uuid_parse(br_str((const char *)data + skip, id_bytes), id) == BR_OK;
    if (is_good) {
        char *expected = format_metadata(*id);
        is_good = strlen(expected) == len && memcmp(data, expected, len) == 0;
        br_free(expected);
    }
    br_free(data);
    return is_good;
}

static enum br_err write_metadata(struct store_log *log)
{
    struct store_file *file;
    char *path = br_asprintf("%s/partition.metadata", log->dir), *content = format_metadata(log->topic_id);
    enum br_err err = store_file_open(log->vfs, path, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &file);
    if (err == BR_OK) {
        err = store_file_truncate(file, 0);
        if (err == BR_OK)
            err = store_file_write(file, content, strlen(content), 0);
        store_file_close(file);
    }
    br_free(path);
    br_free(content);
    return err;
}

enum br_err store_log_make_dir(struct store_log *log)
{
    BR_ASSERT(log->is_attached);
    if (log->has_dir)
        return BR_OK;
    enum br_err err = log->is_foreign ? store_log_rename_away(log) : BR_OK;
    if (err == BR_OK)
        err = log->vfs->ops->mkdir(log->vfs, log->dir);
    if (err == BR_OK)
        err = write_metadata(log);
    if (err != BR_OK)
        return err;
    log->has_dir = log->dir_is_new = true;
    log->is_foreign = false;
    return BR_OK;
}

/* An epoch file that is missing or makes no sense: every batch header says its epoch. */
static enum br_err rebuild_epochs(struct store_log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        struct store_segment *s = log->chain[i];
        struct store_scan scan;
        struct store_handle *h;
        struct kw_batch b;
        int64_t bytes, at;
        enum br_err err = store_segment_bytes(s, &bytes);
        if (err == BR_OK)
            err = store_segment_acquire(s, STORE_SEGMENT_LOG, STORE_OPEN_READ, &h);
        if (err != BR_OK)
            return err == BR_NOT_FOUND ? BR_CORRUPT : err;
        store_scan_init(&scan, store_handle_file(h), 0, bytes, false);
        while ((err = store_scan_next(&scan, &b, &at)) == BR_OK)
            if (b.leader_epoch > store_epochs_latest(&log->epochs))
                store_epochs_set(&log->epochs, b.leader_epoch, b.base_offset);
        store_file_cache_release(log->files, h);
        if (err != BR_EOF)
            return err;
    }
    log->epochs_dirty = true;
    return BR_OK;
}

static enum br_err load_epochs(struct store_log *log)
{
    uint8_t *data;
    size_t len;
    if (log->count == 0)
        return BR_OK;
    char *path = br_asprintf("%s/leader-epoch-checkpoint", log->dir);
    enum br_err err = store_file_load(log->vfs, path, STORE_EPOCHS_FILE_BYTES_MAX, &data, &len);
    br_free(path);
    if (err == BR_OK) {
        err = store_epochs_parse(&log->epochs, br_str((const char *)data, len));
        br_free(data);
    }
    if (err == BR_NOT_FOUND || err == BR_CORRUPT || err == BR_TOO_LARGE)
        err = log->state.end > log->state.start ? rebuild_epochs(log) : BR_OK;
    /* Epochs that began after the state was saved come again with the rows that began them. */
    store_epochs_cut(&log->epochs, log->state.end);
    return err;
}

/* ---- attach ---- */

static enum br_err recover_chain(struct store_log *log)
{
    uint32_t interval = log->config.index_interval_bytes;
    int64_t bound = log->state.bound_end;
    if (log->count == 0 || bound > log->state.end)
        bound = log->state.end;
    else if (bound < log->chain[0]->base)
        bound = log->chain[0]->base;
    log->state.bound_end = bound;
    for (size_t i = 0; i < log->count; i++) {
        struct store_segment *s = log->chain[i];
        int64_t bytes;
        if (s->is_sealed && bound >= s->end)
            continue; /* synced as a whole, long ago: looked at when it is read */
        enum br_err err = store_segment_bytes(s, &bytes);
        if (err == BR_OK)
            err = store_segment_recover(s, interval, BR_MIN(BR_MAX(bound, s->base), s->end));
        if (err != BR_OK)
            return err;
    }
    return BR_OK;
}

static enum br_err build_chain(struct store_log *log, const struct listing *l)
{
    const struct store_log_state *state = &log->state;
    log->strays = br_alloc_array(l->count + 1, sizeof *log->strays);
    for (size_t i = 0; i < l->count; i++) {
        int64_t base = l->list[i].base;
        bool is_active = base == state->active_base;
        if (base > state->active_base || !l->list[i].has_log) {
            log->strays[log->stray_count++] = base;
            continue;
        }
        if (log->count > 0)
            log->chain[log->count - 1]->end = base;
        if (base > state->end)
            return BR_CORRUPT;
        struct store_segment *s = store_segment_new(log, log->files, log->dir, base, state->end, is_active ? state->active_bytes : -1);
        s->is_sealed = !is_active;
        store_log_push(log, s);
    }
    bool has_active = log->count > 0 && log->chain[log->count - 1]->base == state->active_base;
    bool is_whole = state->active_base >= 0 ? has_active : state->start == state->end;
    return is_whole ? recover_chain(log) : BR_CORRUPT;
}

static void clear_chain(struct store_log *log)
{
    while (log->count > 0)
        store_segment_free(log->chain[--log->count]);
    store_epochs_clear(&log->epochs);
    br_free(log->strays);
    log->strays = NULL;
    log->stray_count = 0;
}

enum br_err store_log_attach(struct store_log *log)
{
    struct listing l = {0};
    struct br_uuid id;
    if (log->is_attached)
        return BR_OK;
    BR_ASSERT(log->count == 0 && !log->is_deleted);
    enum br_err err = log->vfs->ops->list(log->vfs, log->dir, each_name, &l);
    bool exists = err == BR_OK;
    if (err == BR_NOT_FOUND)
        err = BR_OK;
    if (err == BR_OK && exists) {
        bool has_id = read_metadata(log, &id);
        log->is_foreign = has_id && !br_uuid_eq(id, log->topic_id);
        log->has_dir = has_id && !log->is_foreign;
        log->dir_is_new = log->has_dir && log->state.active_base < 0; /* the state does not vouch for its name */
        l.count = log->is_foreign ? 0 : l.count;
    }
    if (err == BR_OK)
        err = build_chain(log, &l);
    if (err == BR_OK)
        err = load_epochs(log);
    br_free(l.list);
    if (err != BR_OK)
        clear_chain(log);
    if (err == BR_CORRUPT) {
        log->is_damaged = true;
        err = BR_OK;
    }
    log->is_attached = err == BR_OK;
    return err;
}

/* ---- replay ---- */

/* The log ends at offset, where a batch begins: what lies beyond goes when recover is called. */
static enum br_err cut_back(struct store_log *log, int64_t offset)
{
    struct store_segment *s = NULL;
    BR_ASSERT(offset < log->state.end);
    while (log->count > 0 && (s = log->chain[log->count - 1])->base >= offset && log->count > 1) {
        log->strays = br_realloc(log->strays, (log->stray_count + 1) * sizeof *log->strays);
        log->strays[log->stray_count++] = s->base;
        log->count--;
        store_segment_free(s);
        s = log->chain[log->count - 1];
    }
    BR_ASSERT(s != NULL && !store_segment_is_held(s));
    enum br_err err = store_segment_load(s, log->config.index_interval_bytes, NULL);
    if (err == BR_OK)
        err = store_segment_cut_back(s, log->config.index_interval_bytes, offset);
    if (err != BR_OK)
        return err;
    s->is_sealed = false;
    log->state.end = s->end;
    log->state.start = BR_MIN(log->state.start, s->end);
    log->state.active_base = s->base;
    log->state.active_bytes = s->bytes;
    log->state.bound_end = BR_MIN(log->state.bound_end, s->end);
    store_epochs_cut(&log->epochs, s->end);
    store_log_touch(log, s);
    return BR_OK;
}

struct replayed {
    const struct store_place *place;
    uint32_t length, batch_crc, count;
    int32_t leader_epoch;
    int64_t base_offset;
    const uint8_t *payload;
};

/* The row's batch is in the file, or is put there from the payload. */
static enum br_err prove_or_write(struct store_segment *s, const struct replayed *row, struct kw_batch *out)
{
    struct store_handle *h;
    enum br_err err = store_segment_acquire(s, STORE_SEGMENT_LOG, row->payload ? STORE_OPEN_WRITE | STORE_OPEN_CREATE : STORE_OPEN_READ, &h);
    if (err != BR_OK)
        return err == BR_NOT_FOUND ? BR_CORRUPT : err;
    BR_ASSERT(row->place->file_position >= 0);
    err = store_scan_verify(store_handle_file(h), row->place->file_position, row->base_offset, row->leader_epoch, row->length, row->batch_crc, out);
    if (err == BR_CORRUPT && row->payload) {
        bool is_good = kw_batch_view(row->payload, row->length, out) == BR_OK && out->size == row->length &&
                       out->base_offset == row->base_offset && out->crc == row->batch_crc && out->last_offset_delta >= 0 && kw_batch_crc_ok(out);
        if (is_good)
            err = store_file_write(store_handle_file(h), row->payload, row->length, row->place->file_position);
        s->dirty |= 1u << STORE_SEGMENT_LOG;
    }
    store_file_cache_release(s->files, h);
    out->data = NULL; /* only the header's numbers are used */
    if (err != BR_OK)
        return err;
    bool fits = out->leader_epoch == row->leader_epoch && (row->count == (uint32_t)out->record_count || row->count == (uint32_t)out->last_offset_delta + 1);
    return fits ? BR_OK : BR_CORRUPT;
}

/* A row of a batch that was there when the state was saved, but had no position yet. */
static enum br_err replay_old(struct store_log *log, const struct replayed *row)
{
    struct kw_batch b;
    size_t at = store_log_find_segment(log, row->base_offset);
    if (at == log->count || row->base_offset + row->count <= log->state.start)
        return BR_OK; /* removed: the file may be gone, after a durable TRIM that comes later in the journal */
    struct store_segment *s = log->chain[at];
    int64_t bytes;
    enum br_err err = store_segment_bytes(s, &bytes);
    if (err != BR_OK)
        return err;
    bool fits = row->place->segment_base == s->base && row->place->file_position <= bytes - row->length;
    err = fits ? prove_or_write(s, row, &b) : BR_CORRUPT;
    if (err == BR_OK)
        store_log_touch(log, s);
    if (err != BR_CORRUPT)
        return err;
    err = cut_back(log, row->base_offset);
    return err == BR_OK ? BR_CORRUPT : err;
}

static enum br_err replay_new(struct store_log *log, const struct replayed *row, int64_t now_ms)
{
    struct store_segment *s = store_log_active(log);
    struct kw_batch b;
    enum br_err err = BR_OK;
    if (row->base_offset != log->state.end || (!log->has_dir && !row->payload && log->stray_count == 0))
        return BR_CORRUPT;
    bool goes_on = s && row->place->segment_base == s->base && row->place->file_position == s->bytes;
    bool begins = row->place->segment_base == row->base_offset && row->place->file_position == 0;
    if (!goes_on && !begins)
        return BR_CORRUPT;
    if (!goes_on) {
        if (!log->has_dir)
            err = store_log_make_dir(log);
        if (err == BR_OK)
            err = store_log_roll(log, true);
        if (err != BR_OK)
            return err;
        s = store_log_active(log);
        size_t kept = 0; /* it is no stray */
        for (size_t i = 0; i < log->stray_count; i++)
            if (log->strays[i] != s->base)
                log->strays[kept++] = log->strays[i];
        log->stray_count = kept;
    }
    if (row->length > INT32_MAX - s->bytes)
        return BR_CORRUPT;
    err = prove_or_write(s, row, &b);
    if (err == BR_OK && kw_batch_last_offset(&b) - s->base > INT32_MAX)
        err = BR_CORRUPT;
    if (err == BR_OK)
        store_log_added(log, &b, now_ms);
    return err;
}

enum br_err store_log_replay(struct store_log *log, const struct store_place *place, uint32_t length, uint32_t batch_crc,
                             int32_t leader_epoch, int64_t base_offset, uint32_t count, const uint8_t *payload, int64_t now_ms)
{
    struct replayed row = {place, length, batch_crc, count, leader_epoch, base_offset, payload};
    enum br_err err = store_log_attach(log);
    if (err != BR_OK)
        return err;
    if (log->is_damaged || log->is_foreign || log->is_ended || length < KW_BATCH_HEADER || base_offset < 0 || place->file_position < 0)
        return BR_CORRUPT;
    err = base_offset < log->state.end ? replay_old(log, &row) : replay_new(log, &row, now_ms);
    if (err == BR_CORRUPT)
        log->is_ended = true; /* the first row that fails ends the stream */
    return err;
}

/* ---- recover ---- */

static enum br_err remove_segment_files(struct store_log *log, int64_t base)
{
    for (unsigned which = STORE_SEGMENT_FILES; which-- > 0;) { /* .log last: while it is there the others are looked for */
        char *path = br_asprintf("%s/%020" PRId64 "%s", log->dir, base, store_segment_suffix(which));
        store_file_cache_drop(log->files, path);
        enum br_err err = log->vfs->ops->unlink(log->vfs, path);
        br_free(path);
        if (err != BR_OK && err != BR_NOT_FOUND)
            return err;
    }
    return BR_OK;
}

enum br_err store_log_remove_strays(struct store_log *log)
{
    while (log->stray_count > 0) {
        br_log(BR_LOG_WARN, "storage", "a segment from offset %lld on is removed: the journal does not have it log=%s", (long long)log->strays[log->stray_count - 1], log->name);
        enum br_err err = remove_segment_files(log, log->strays[log->stray_count - 1]);
        if (err != BR_OK)
            return err;
        log->stray_count--;
    }
    BR_ASSERT(log->stray_count == 0);
    return BR_OK;
}

enum br_err store_log_recover(struct store_log *log)
{
    enum br_err err = store_log_attach(log);
    if (err == BR_OK && log->is_damaged) {
        br_log(BR_LOG_ERROR, "storage", "log is not as its state says log=%s end=%" PRId64, log->name, log->state.end);
        err = BR_CORRUPT;
    }
    if (err == BR_OK)
        err = store_log_remove_strays(log);
    if (err != BR_OK)
        return err;
    if (log->count > 0 && log->chain[0]->base > log->state.start) { /* not our doing: files go only after a durable TRIM */
        br_log(BR_LOG_ERROR, "storage", "offsets %lld to %lld are missing, the log begins behind them log=%s", (long long)log->state.start,
               (long long)log->chain[0]->base - 1, log->name);
        log->state.start = BR_MIN(log->chain[0]->base, log->state.end);
    }
    store_log_set_start(log, log->state.start);
    for (size_t i = 0; i < log->count; i++) {
        bool is_cut = false;
        if (!log->chain[i]->is_loaded)
            continue;
        if ((err = store_segment_cut_files(log->chain[i], &is_cut)) != BR_OK)
            return err;
        if (is_cut)
            store_log_touch(log, log->chain[i]);
    }
    log->is_ended = false;
    store_log_check(log);
    return BR_OK;
}
