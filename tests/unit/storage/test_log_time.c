/* Lookups by time against a scan of every record: all codecs, both timestamp types, equal timestamps, times that go backwards, starts and limits
 * inside a batch (FIELD-REPORTS A06, A08). */
#include "compat/batch/record.h"
#include "compat/zip/zip.h"
#include "tests/unit/storage/log_model.h"

struct stamp {
    int64_t offset, timestamp;
};
struct stamps {
    struct stamp list[4000];
    size_t count;
};

static void read_stamps(const struct model *m, struct stamps *out)
{
    out->count = 0;
    for (size_t i = 0; i < m->count; i++) {
        struct kw_batch b;
        struct kw_record_iter it;
        struct kw_record r;
        struct br_buf plain;
        br_buf_init(&plain, 1 << 20);
        assert_int_equal(kw_batch_view(m->batches[i].bytes, m->batches[i].size, &b), BR_OK);
        assert_int_equal(kw_zip_inflate_buf(kw_batch_codec(&b), b.data + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER, 1 << 20, &plain), BR_OK);
        kw_record_iter_init(&it, &b, plain.data, plain.len);
        while (kw_record_next(&it, &r) == BR_OK) {
            assert_true(out->count < BR_COUNT(out->list));
            out->list[out->count++] = (struct stamp){r.offset, r.timestamp};
        }
        br_buf_clear(&plain);
    }
}

static void check_time(struct model *m, const struct stamps *all, int64_t t, int64_t limit)
{
    bool want = false;
    struct stamp best = {-1, -1};
    struct store_time_query got = store_time_query(t, limit);
    assert_int_equal(store_log_ask_time(m->log, &got, NULL), BR_OK);
    for (size_t i = 0; i < all->count && !want; i++)
        if (all->list[i].offset >= m->start && all->list[i].offset < limit && all->list[i].timestamp >= t)
            want = true, best = all->list[i];
    assert_int_equal(got.found, want);
    assert_int_equal(got.offset, best.offset);
    assert_int_equal(got.timestamp, best.timestamp);
}

static void check_max(struct model *m, const struct stamps *all, int64_t limit)
{
    struct stamp best = {-1, -1};
    struct store_time_query got = store_max_time_query(limit);
    assert_int_equal(store_log_ask_time(m->log, &got, NULL), BR_OK);
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].offset >= m->start && all->list[i].offset < limit && all->list[i].timestamp > best.timestamp)
            best = all->list[i];
    assert_int_equal(got.found, best.offset >= 0);
    assert_int_equal(got.offset, best.offset);
    assert_int_equal(got.timestamp, best.timestamp);
}

static void check_all(struct model *m)
{
    static struct stamps all;
    read_stamps(m, &all);
    for (unsigned i = 0; i < 60; i++) {
        int64_t limit = br_rand_chance(&m->rand, 50) ? m->end : m->start + (int64_t)br_rand_below(&m->rand, (uint64_t)(m->end - m->start) + 1);
        int64_t t = all.count == 0 ? 0 : all.list[br_rand_below(&m->rand, all.count)].timestamp + (int64_t)br_rand_below(&m->rand, 3) - 1;
        check_time(m, &all, BR_MAX(t, 0), limit);
        check_max(m, &all, limit);
    }
    check_time(m, &all, 0, m->end);
    check_time(m, &all, INT64_MAX, m->end);
    check_max(m, &all, m->start);
}

static void run(bool append_time, int codec, uint64_t seed)
{
    struct model m;
    struct store_vfs_mem *mem = store_vfs_mem_new(seed);
    model_open(&m, store_vfs_mem_vfs(mem), mem, "data", seed);
    m.append_time = append_time;
    check_all(&m);
    for (unsigned i = 0; i < 150; i++) {
        int64_t stamps[8];
        int32_t count = 1 + (int32_t)br_rand_below(&m.rand, 8);
        for (int32_t k = 0; k < count; k++) { /* about now, often equal, sometimes far back, ahead, or none */
            stamps[k] = m.now_ms + (int64_t)br_rand_below(&m.rand, 5) * 10 - 20;
            if (br_rand_chance(&m.rand, 5))
                stamps[k] = br_rand_chance(&m.rand, 30) ? -1 : m.now_ms - 100000 + (int64_t)br_rand_below(&m.rand, 200000);
        }
        m.now_ms += br_rand_chance(&m.rand, 50) ? (int64_t)br_rand_below(&m.rand, 20) : 0;
        assert_int_equal(model_append(&m, count, (size_t)br_rand_below(&m.rand, 100), codec, stamps, true), BR_OK);
        model_bind(&m, 1);
        if (i % 3 == 0)
            assert_int_equal(store_log_flush(m.log), BR_OK);
        if (i % 40 == 39)
            model_trim(&m, m.start + (m.end - m.start) / 5);
        if (i % 25 == 24)
            check_all(&m);
        if (i % 60 == 59) {
            if (i % 120 == 59)
                model_reopen(&m);
            else
                model_crash(&m, false);
            check_all(&m);
        }
    }
    model_close(&m);
    store_vfs_mem_free(mem);
}

static void test_time_lookup_is_as_a_scan_for_every_codec(void **state BR_UNUSED)
{
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++)
        for (uint64_t seed = 1; seed <= 4; seed++)
            run(false, codec, seed + 100 * (uint64_t)codec);
}

static void test_time_lookup_is_as_a_scan_under_log_append_time(void **state BR_UNUSED)
{
    for (int codec = 0; codec < KW_CODEC_COUNT; codec += 2)
        run(true, codec, 7 + (uint64_t)codec);
}

/* A06, by hand. */
static void test_time_lookup_names_the_first_of_equal_timestamps(void **state BR_UNUSED)
{
    struct model m;
    struct store_vfs_mem *mem = store_vfs_mem_new(1);
    model_open(&m, store_vfs_mem_vfs(mem), mem, "data", 1);
    struct store_time_query q;
    assert_int_equal(model_append(&m, 4, 10, KW_CODEC_ZSTD, (int64_t[]){0, 10, 10, 20}, true), BR_OK);
    for (int64_t t = 5; t <= 10; t += 5) {
        q = store_time_query(t, m.end);
        assert_int_equal(store_log_ask_time(m.log, &q, NULL), BR_OK);
        assert_true(q.found);
        assert_int_equal(q.offset, 1);
        assert_int_equal(q.timestamp, 10);
    }
    q = store_time_query(21, m.end);
    assert_int_equal(store_log_ask_time(m.log, &q, NULL), BR_OK);
    assert_false(q.found);
    assert_int_equal(q.offset, -1);
    model_close(&m);
    store_vfs_mem_free(mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_lookup_is_as_a_scan_for_every_codec),
        cmocka_unit_test(test_time_lookup_is_as_a_scan_under_log_append_time),
        cmocka_unit_test(test_time_lookup_names_the_first_of_equal_timestamps),
    };
    return harness_run("storage.log_time", tests, BR_COUNT(tests));
}
