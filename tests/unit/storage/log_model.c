#include "tests/unit/storage/log_model.h"
#include "storage/positions.h"
#include <limits.h>

#define NAME "topic-0"

static void open_log(struct model *m)
{
    struct store_log_opts opts = {.vfs = m->vfs, .root = m->root, .name = NAME, .topic_id = m->id, .config = m->config,
                                  .state = m->saved, .files = m->files = store_file_cache_new(m->vfs, 3)};
    store_log_new(&opts, &m->log);
}

void model_open(struct model *m, struct store_vfs *vfs, struct store_vfs_mem *mem, const char *root, uint64_t seed)
{
    *m = (struct model){.vfs = vfs, .mem = mem, .root = root, .now_ms = 1700000000000, .next_position = 1000,
                        .config = {.segment_bytes = 4000, .segment_ms = 1000000, .index_interval_bytes = 300, .retention_ms = -1, .retention_bytes = -1},
                        .saved = {.active_base = -1}};
    br_rand_init(&m->rand, seed);
    m->id = (struct br_uuid){{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
    assert_int_equal(vfs->ops->mkdir(vfs, root), BR_OK);
    if (mem)
        assert_int_equal(store_dir_sync(vfs, "."), BR_OK);
    open_log(m);
    assert_int_equal(store_log_recover(m->log), BR_OK);
    assert_int_equal(store_log_set_epoch(m->log, m->epoch), BR_OK);
}

static void close_log(struct model *m)
{
    store_log_free(m->log);
    store_file_cache_check(m->files);
    store_file_cache_free(m->files);
    m->log = NULL;
}

void model_close(struct model *m)
{
    close_log(m);
    for (size_t i = 0; i < m->count; i++)
        br_free(m->batches[i].bytes);
    br_free(m->batches);
}

static void build(struct model *m, struct br_buf *out, int32_t count, size_t value_bytes, int codec, const int64_t *timestamps)
{
    struct kw_batch_builder b;
    uint32_t size;
    char value[2000];
    assert_true(value_bytes <= sizeof value);
    for (size_t i = 0; i < value_bytes; i++)
        value[i] = (char)('a' + br_rand_below(&m->rand, 26));
    br_buf_init(out, 1 << 20);
    kw_batch_builder_init(&b, out, m->end, timestamps ? timestamps[0] : m->now_ms, 0);
    b.leader_epoch = m->epoch;
    for (int32_t i = 0; i < count; i++)
        kw_batch_builder_add(&b, m->end + i, timestamps ? timestamps[i] : m->now_ms, br_str(NULL, 0), br_str(value, value_bytes), br_str(NULL, 0), 0, NULL, 0);
    assert_int_equal(kw_batch_builder_finish(&b, codec, INT_MIN, &size), BR_OK);
    assert_int_equal(size, out->len);
    if (m->append_time)
        kw_batch_set_append_time(out->data, size, m->now_ms);
}

enum br_err model_append(struct model *m, int32_t count, size_t value_bytes, int codec, const int64_t *timestamps, bool has_payload)
{
    struct br_buf bytes;
    struct store_place place;
    struct kw_batch view;
    build(m, &bytes, count, value_bytes, codec, timestamps);
    assert_int_equal(kw_batch_view(bytes.data, bytes.len, &view), BR_OK);
    enum br_err err = store_log_prepare(m->log, view.size, view.max_timestamp, m->now_ms, &place);
    if (err == BR_OK)
        err = store_log_append(m->log, &view, view.max_timestamp, m->end, m->now_ms, &place);
    store_log_check(m->log);
    if (err != BR_OK) {
        br_buf_clear(&bytes);
        return err;
    }
    if (m->count == m->cap) {
        m->cap = BR_MAX(64u, m->cap * 2);
        m->batches = br_realloc(m->batches, m->cap * sizeof *m->batches);
    }
    m->batches[m->count++] = (struct model_batch){.base = m->end, .next = m->end + count, .bytes = bytes.data, .size = view.size, .epoch = m->epoch,
                                                  .place = place, .has_payload = has_payload, .append_ms = m->now_ms};
    m->end += count;
    assert_int_equal(store_log_state(m->log)->end, m->end);
    return BR_OK;
}

void model_bind(struct model *m, size_t count)
{
    for (; count > 0 && m->bound < m->count; count--) {
        struct model_batch *b = &m->batches[m->bound++];
        b->position = m->next_position + br_rand_below(&m->rand, 20);
        b->is_known = true;
        m->next_position = b->position + (uint64_t)(b->next - b->base);
        assert_int_equal(store_log_bind(m->log, b->base, b->position), BR_OK);
    }
    store_log_check(m->log);
}

void model_trim(struct model *m, int64_t start)
{
    assert_true(start >= m->start && start <= m->end);
    m->journal_synced = m->count;
    m->start = m->trim_synced = start;
    store_log_set_start(m->log, start);
    store_log_check(m->log);
}

enum br_err model_checkpoint(struct model *m)
{
    struct store_log_sync *sync = store_log_sync_new(m->log);
    struct store_log_state state = *store_log_state(m->log);
    enum br_err err = sync ? store_log_sync_run(sync) : BR_OK;
    store_log_sync_free(sync);
    if (err != BR_OK)
        return err;
    store_log_checkpointed(m->log);
    m->saved = state;
    m->saved_from = m->bound;
    m->journal_synced = m->count;
    return BR_OK;
}

void model_collect(struct model *m)
{
    struct store_io_job *job = store_log_garbage(m->log);
    if (!job)
        return;
    job->run(job);
    job->done(job);
}

/* Rows of the journal in order, the TRIM last: as a start of the node has them. */
static void replay(struct model *m, size_t rows, bool may_lose)
{
    bool is_ended = false;
    for (size_t i = m->saved_from; i < rows; i++) {
        const struct model_batch *b = &m->batches[i];
        enum br_err err = store_log_replay(m->log, &b->place, b->size, br_load32(b->bytes + 17), b->epoch, b->base, (uint32_t)(b->next - b->base),
                                           b->has_payload ? b->bytes : NULL, m->now_ms);
        if (is_ended || (may_lose && !b->has_payload && b->base >= m->saved.end && err != BR_OK)) {
            assert_int_equal(err, BR_CORRUPT);
            if (!is_ended)
                rows = i + 1; /* the first to fail ends the stream; one more is asked, to see that it is refused */
            is_ended = true;
        } else {
            assert_int_equal(err, BR_OK);
        }
    }
    size_t kept = 0;
    while (kept < m->count && m->batches[kept].base < store_log_state(m->log)->end)
        kept++;
    for (size_t i = kept; i < m->count; i++)
        br_free(m->batches[i].bytes);
    m->count = kept;
    m->journal_synced = kept;
    m->bound = BR_MIN(m->bound, kept);
    m->end = store_log_state(m->log)->end;
}

static void start(struct model *m, size_t rows, bool lose_power)
{
    open_log(m);
    replay(m, rows, lose_power);
    m->start = BR_MAX(m->saved.start, BR_MIN(m->trim_synced, m->end));
    m->trim_synced = BR_MIN(m->trim_synced, m->end);
    store_log_set_start(m->log, m->trim_synced);
    assert_int_equal(store_log_recover(m->log), BR_OK);
    m->start = store_log_state(m->log)->start;
    assert_true(m->start >= m->trim_synced);
    /* Order is decided again for what the checkpoint had not; after a loss of power at other positions. */
    m->bound = m->saved_from;
    if (lose_power)
        m->next_position += 1u << 20;
    for (size_t i = m->bound; i < m->count; i++)
        m->batches[i].is_known = false;
    if (!lose_power)
        m->next_position = m->bound > 0 ? m->batches[m->bound - 1].position + (uint64_t)(m->batches[m->bound - 1].next - m->batches[m->bound - 1].base) : 1000;
    model_bind(m, m->count);
    assert_int_equal(store_log_flush(m->log), BR_OK);
    assert_int_equal(store_log_set_epoch(m->log, ++m->epoch), BR_OK);
}

void model_stop(struct model *m)
{
    close_log(m);
}

void model_start(struct model *m)
{
    start(m, m->count, false);
}

void model_crash(struct model *m, bool lose_power)
{
    size_t rows = m->count;
    close_log(m);
    if (lose_power) {
        rows = BR_MAX(m->journal_synced, m->saved_from);
        rows += (size_t)br_rand_below(&m->rand, m->count - rows + 1);
        store_vfs_mem_crash(m->mem);
    }
    start(m, rows, lose_power);
}

void model_reopen(struct model *m)
{
    assert_int_equal(model_checkpoint(m), BR_OK);
    model_crash(m, false);
}

/* ---- verify ---- */

static const struct model_batch *batch_at(const struct model *m, int64_t offset)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->batches[i].next > offset)
            return &m->batches[i];
    return NULL;
}

static void verify_range(struct model *m, int64_t offset, int64_t limit, size_t max_bytes, bool at_least_one)
{
    struct store_range range;
    enum br_err err = store_log_read(m->log, offset, limit, max_bytes, at_least_one, &range);
    if (offset < m->start || offset > m->end) {
        assert_int_equal(err, BR_RANGE);
        return;
    }
    assert_int_equal(err, BR_OK);
    const struct model_batch *b = batch_at(m, offset);
    /* How many whole batches fit, in one segment. */
    size_t length = 0;
    int64_t next = offset;
    for (const struct model_batch *i = b; i && offset < limit && i < m->batches + m->count && i->place.segment_base == b->place.segment_base; i++) {
        bool fits = length + i->size <= max_bytes || (length == 0 && at_least_one);
        if (!fits || i->next > limit)
            break;
        length += i->size;
        next = i->next;
    }
    assert_int_equal(range.length, length);
    assert_int_equal(range.next_offset, next);
    if (length == 0)
        return;
    assert_int_equal(range.first_offset, b->base);
    uint8_t *bytes = br_alloc(length);
    assert_int_equal(store_file_read(range.file, bytes, length, range.file_position), BR_OK);
    for (size_t at = 0; at < length; at += b->size, b++)
        assert_memory_equal(bytes + at, b->bytes, b->size);
    br_free(bytes);
    store_range_release(&range);
}

static void verify_epochs(struct model *m)
{
    int32_t found;
    int64_t end;
    for (int32_t asked = -1; asked <= m->epoch + 1; asked++) {
        int32_t best = -1, first = -1;
        int64_t best_end = -1, first_start = -1;
        for (size_t i = 0; i < m->count; i++) {
            const struct model_batch *b = &m->batches[i];
            if (b->next <= m->start)
                continue;
            if (first < 0)
                first = b->epoch, first_start = BR_MAX(b->base, m->start);
            if (b->epoch <= asked)
                best = b->epoch, best_end = b->next;
        }
        if (asked == m->epoch)
            best = asked, best_end = m->end;
        if (best < 0 && asked >= 0 && asked < m->epoch) /* below the first one known */
            best = asked, best_end = first >= 0 ? first_start : m->end;
        if (asked < 0 || asked > m->epoch)
            best = -1, best_end = -1;
        store_log_epoch_end(m->log, asked, &found, &end);
        assert_int_equal(found, best);
        assert_int_equal(end, best_end);
    }
}

static void verify_find(struct model *m, int64_t offset)
{
    int64_t base;
    struct store_place place;
    uint64_t position;
    enum br_err err = store_log_find(m->log, offset, &base, &place, &position, NULL);
    if (offset < m->start || offset >= m->end) {
        assert_int_equal(err, BR_RANGE);
        return;
    }
    assert_int_equal(err, BR_OK);
    const struct model_batch *b = batch_at(m, offset);
    assert_int_equal(base, b->base);
    assert_int_equal(place.segment_base, b->place.segment_base);
    assert_int_equal(place.file_position, b->place.file_position);
    assert_true(position == (b->is_known ? b->position : UINT64_MAX));
}

/* What the order log does for a sidecar that was made again. */
static void feed(struct model *m)
{
    assert_true(store_log_feed_begin(m->log));
    for (size_t i = 0; i < m->count; i++)
        if (m->batches[i].is_known && m->batches[i].base < store_log_state(m->log)->bound_end && m->batches[i].next > m->start)
            assert_int_equal(store_log_bind(m->log, m->batches[i].base, m->batches[i].position), BR_OK);
    assert_int_equal(store_log_feed_end(m->log), BR_OK);
}

static void verify_cut(struct model *m, uint64_t p)
{
    int64_t offset, want = m->end;
    uint64_t found, want_found = STORE_POSITION_NONE;
    enum br_err err = store_log_seek(m->log, p, &offset, &found, NULL);
    if (err == BR_BUSY) {
        feed(m);
        err = store_log_seek(m->log, p, &offset, &found, NULL);
    }
    assert_int_equal(err, BR_OK);
    for (size_t i = 0; i < m->count && want == m->end; i++)
        for (int64_t o = BR_MAX(m->batches[i].base, m->start); o < m->batches[i].next; o++) {
            uint64_t at = m->batches[i].is_known ? m->batches[i].position + (uint64_t)(o - m->batches[i].base) : STORE_POSITION_NONE;
            if (at >= p) {
                want = o;
                want_found = at;
                break;
            }
        }
    assert_int_equal(offset, want);
    assert_int_equal(found, want_found);
    assert_int_equal(store_log_cut(m->log, p, &offset), BR_OK);
    assert_int_equal(offset, want);
}

void model_verify(struct model *m)
{
    store_log_check(m->log);
    store_file_cache_check(m->files);
    assert_int_equal(store_log_state(m->log)->start, m->start);
    assert_int_equal(store_log_state(m->log)->end, m->end);
    for (int64_t offset = m->start; offset < m->end;) { /* all of it, as a reader goes */
        struct store_range range;
        assert_int_equal(store_log_read(m->log, offset, m->end, 1500, true, &range), BR_OK);
        assert_true(range.length > 0);
        int64_t next = range.next_offset;
        store_range_release(&range);
        verify_range(m, offset, m->end, 1500, true);
        offset = next;
    }
    for (unsigned i = 0; i < 10; i++) {
        int64_t span = m->end + 3, offset = (int64_t)br_rand_below(&m->rand, (uint64_t)span);
        verify_range(m, offset, (int64_t)br_rand_below(&m->rand, (uint64_t)span), (size_t)br_rand_below(&m->rand, 4000), br_rand_chance(&m->rand, 50));
        verify_find(m, offset);
        verify_cut(m, 990 + br_rand_below(&m->rand, m->next_position - 980));
    }
    verify_range(m, m->end, m->end, 100, true);
    verify_range(m, m->end + 1, m->end + 5, 100, true);
    verify_epochs(m);
}

void model_step(struct model *m)
{
    struct br_rand *r = &m->rand;
    uint64_t what = br_rand_below(r, 100);
    m->now_ms += (int64_t)br_rand_below(r, 2000);
    if (what < 60)
        assert_int_equal(model_append(m, 1 + (int32_t)br_rand_below(r, 5), (size_t)br_rand_below(r, 600), br_rand_chance(r, 30) ? KW_CODEC_LZ4 : 0, NULL,
                                      br_rand_chance(r, 50)), BR_OK);
    else if (what < 80)
        model_bind(m, (size_t)br_rand_below(r, 6));
    else if (what < 88)
        assert_int_equal(store_log_flush(m->log), BR_OK);
    else if (what < 91)
        m->journal_synced = m->count;
    else if (what < 94)
        assert_int_equal(model_checkpoint(m), BR_OK);
    else if (what < 96 && m->end > m->start)
        model_trim(m, m->start + (int64_t)br_rand_below(r, (uint64_t)(m->end - m->start) / (br_rand_chance(r, 10) ? 1 : 4) + 1));
    else if (what < 98)
        model_collect(m);
    else
        model_verify(m);
}
