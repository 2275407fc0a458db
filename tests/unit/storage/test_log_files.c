/* What is in a log's files byte by byte, and what becomes of them: retention, removal, damage, failing and full disks. */
#include "compat/base/bytes.h"
#include "compat/base/crc32c.h"
#include "storage/epoch.h"
#include "tests/unit/storage/log_model.h"

static struct model m;
static struct store_vfs_mem *mem;

static int open_model(void **state BR_UNUSED)
{
    mem = store_vfs_mem_new(5);
    model_open(&m, store_vfs_mem_vfs(mem), mem, "data", 5);
    return 0;
}

static int close_model(void **state BR_UNUSED)
{
    model_close(&m);
    store_vfs_mem_free(mem);
    return 0;
}

static void append(unsigned batches)
{
    for (unsigned i = 0; i < batches; i++) {
        assert_int_equal(model_append(&m, 3, 200, 0, NULL, true), BR_OK);
        model_bind(&m, 1);
        m.now_ms += 100;
    }
    assert_int_equal(store_log_flush(m.log), BR_OK);
}

/* Bytes of a file of the log; the test fails when it is not there. */
static uint8_t *load(const char *name, size_t *len)
{
    uint8_t *data;
    char *path = br_asprintf("data/topic-0/%s", name);
    assert_int_equal(store_file_load(m.vfs, path, 1 << 20, &data, len), BR_OK);
    br_free(path);
    return data;
}

static bool exists(const char *name)
{
    struct store_file *file;
    char *path = br_asprintf("data/topic-0/%s", name);
    enum br_err err = store_file_open(m.vfs, path, STORE_OPEN_READ, &file);
    br_free(path);
    if (err == BR_OK)
        store_file_close(file);
    return err == BR_OK;
}

static char *name_of(int64_t base, const char *suffix)
{
    return br_asprintf("%020" PRId64 "%s", base, suffix);
}

static void remove_file(int64_t base, const char *suffix)
{
    char *name = name_of(base, suffix), *path = br_asprintf("data/topic-0/%s", name);
    assert_int_equal(m.vfs->ops->unlink(m.vfs, path), BR_OK);
    br_free(path);
    br_free(name);
}

/* ---- formats ---- */

static void check_text(const char *name, const char *want)
{
    size_t len;
    uint8_t *data = load(name, &len);
    assert_string_equal((const char *)data, want);
    br_free(data);
}

static void test_text_files_are_as_kafka_writes_them(void **state BR_UNUSED)
{
    append(2);
    assert_int_equal(store_log_set_epoch(m.log, m.epoch = 4), BR_OK);
    append(1);
    assert_int_equal(model_checkpoint(&m), BR_OK);
    check_text("leader-epoch-checkpoint", "0\n2\n0 0\n4 6\n");
    static const char lines[] = "version: 0\ntopic_id: AQIDBAUGBwgJCgsMDQ4PEA\n";
    char *want = br_asprintf("%sbraid_check: %08x\n", lines, br_crc32c(lines, sizeof lines - 1));
    check_text("partition.metadata", want);
    br_free(want);
}

static void test_epoch_text_that_makes_no_sense_is_refused(void **state BR_UNUSED)
{
    static const char *const bad[] = {"", "0\n", "1\n0\n", "0\n1\n", "0\n1\n3 4", "0\n1\n3 4\n5 6\n", "0\n2\n3 4\n3 5\n", "0\n2\n3 4\n5 4\n", "0\n1\n-3 4\n",
                                      "0\n1\n99999999999 4\n", "0\n1\n3 99999999999999999999\n"};
    struct store_epochs e;
    store_epochs_init(&e);
    for (unsigned i = 0; i < BR_COUNT(bad); i++) {
        assert_int_equal(store_epochs_parse(&e, br_str_c(bad[i])), BR_CORRUPT);
        assert_int_equal(e.count, 0);
    }
    assert_int_equal(store_epochs_parse(&e, br_str_c("0\n2\n3 4\n5 6\n")), BR_OK);
    assert_int_equal(e.count, 2);
    store_epochs_clear(&e);
}

static void test_indexes_and_sidecar_have_kafkas_bytes(void **state BR_UNUSED)
{
    /* Timestamps: 5, 3, 9, 9, 12. Sizes are equal, so an entry comes with every batch but the first once the interval is below a batch's size. */
    static const int64_t times[] = {5, 3, 9, 9, 12};
    m.config.index_interval_bytes = 50;
    store_log_set_config(m.log, &m.config);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(model_append(&m, 2, 10, 0, (int64_t[]){times[i], times[i]}, true), BR_OK);
    uint32_t size = m.batches[0].size;
    model_bind(&m, 4);
    assert_int_equal(model_checkpoint(&m), BR_OK);
    size_t len;
    uint8_t want[200], *data = load("00000000000000000000.index", &len);
    for (uint32_t i = 1; i < 5; i++) { /* last offset of the batch, where it begins */
        br_store32(want + (i - 1) * 8, i * 2 + 1);
        br_store32(want + (i - 1) * 8 + 4, i * size);
    }
    assert_int_equal(len, 32);
    assert_memory_equal(data, want, len);
    br_free(data);
    /* Largest timestamp so far and the last offset of the first batch that has it, when it grew. */
    static const struct { int64_t time; uint32_t delta; } entries[] = {{5, 1}, {9, 5}, {12, 9}};
    for (unsigned i = 0; i < 3; i++) {
        br_store64(want + i * 12, (uint64_t)entries[i].time);
        br_store32(want + i * 12 + 8, entries[i].delta);
    }
    data = load("00000000000000000000.timeindex", &len);
    assert_int_equal(len, 36);
    assert_memory_equal(data, want, len);
    br_free(data);
    data = load("00000000000000000000.positions", &len);
    assert_int_equal(len, 48 + 4 * 16); /* bound ones only */
    assert_memory_equal(data, "braidpos\0\0\0\1", 12);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(br_load32(data + 48 + i * 16), i * 2);
        assert_int_equal(br_load32(data + 48 + i * 16 + 4), i * size);
        assert_int_equal(br_load64(data + 48 + i * 16 + 8), m.batches[i].position);
    }
    br_free(data);
}

/* What kafka-dump-log checks, over many segments. */
static void test_every_index_entry_points_at_its_batch(void **state BR_UNUSED)
{
    for (unsigned i = 0; i < 300; i++) {
        int64_t t = m.now_ms + (int64_t)br_rand_below(&m.rand, 1000);
        assert_int_equal(model_append(&m, 1, (size_t)br_rand_below(&m.rand, 200), 0, &t, true), BR_OK);
    }
    model_bind(&m, 300);
    model_reopen(&m);
    unsigned segments = 0;
    for (size_t i = 0; i < m.count; i++) {
        int64_t base = m.batches[i].place.segment_base;
        if (i > 0 && base == m.batches[i - 1].place.segment_base)
            continue;
        segments++;
        size_t log_len, index_len, time_len;
        char *log_name = name_of(base, ".log"), *index_name = name_of(base, ".index"), *time_name = name_of(base, ".timeindex");
        uint8_t *log = load(log_name, &log_len), *index = load(index_name, &index_len), *times = load(time_name, &time_len);
        for (size_t at = 0; at < index_len; at += 8) {
            const uint8_t *b = log + br_load32(index + at + 4);
            assert_int_equal(br_load64(b) + br_load32(b + 23), base + br_load32(index + at));
        }
        int64_t last = -1;
        for (size_t at = 0; at < time_len; at += 12) {
            const uint8_t *b = log; /* the batch with this last offset */
            int64_t offset = base + br_load32(times + at + 8), t = (int64_t)br_load64(times + at);
            while ((int64_t)br_load64(b) + br_load32(b + 23) < offset)
                b += 12 + br_load32(b + 8);
            assert_int_equal(br_load64(b) + br_load32(b + 23), offset);
            assert_int_equal(br_load64(b + 35), t);
            assert_true(t > last);
            last = t;
        }
        br_free(log), br_free(index), br_free(times), br_free(log_name), br_free(index_name), br_free(time_name);
    }
    assert_true(segments > 5);
}

/* ---- lost caches ---- */

static void test_lost_index_files_are_made_again_and_positions_stay(void **state BR_UNUSED)
{
    append(30);
    model_reopen(&m);
    model_verify(&m);
    int64_t active = store_log_state(m.log)->active_base;
    size_t len, again_len;
    uint8_t *before = load("00000000000000000000.timeindex", &len);
    model_stop(&m);
    remove_file(0, ".timeindex");
    remove_file(active, ".index");
    model_start(&m);
    struct store_time_query q = store_time_query(m.batches[3].append_ms, m.end);
    assert_int_equal(store_log_ask_time(m.log, &q, NULL), BR_OK);
    assert_int_equal(q.offset, 9);
    model_verify(&m);
    uint8_t *after = load("00000000000000000000.timeindex", &again_len);
    assert_int_equal(len, again_len);
    assert_memory_equal(before, after, len);
    br_free(before);
    br_free(after);
}

static void test_lost_sidecar_is_made_again_and_can_be_bound_again(void **state BR_UNUSED)
{
    append(30);
    model_reopen(&m);
    model_stop(&m);
    remove_file(0, ".positions");
    model_start(&m);
    for (size_t i = 0; i < m.count; i++) { /* what the order log knows */
        assert_int_equal(store_log_bind(m.log, m.batches[i].base, m.batches[i].position), BR_OK);
        assert_int_equal(store_log_bind(m.log, m.batches[i].base, m.batches[i].position), BR_OK);
    }
    assert_int_equal(store_log_bind(m.log, m.batches[3].base, m.batches[3].position + 1), BR_CORRUPT);
    assert_int_equal(store_log_bind(m.log, m.batches[3].base + 1, m.batches[3].position + 1), BR_INVALID);
    model_verify(&m);
    model_reopen(&m);
    model_verify(&m);
}

static void test_a_missing_segment_is_damage_and_not_an_empty_log(void **state BR_UNUSED)
{
    append(3);
    assert_int_equal(model_checkpoint(&m), BR_OK);
    model_stop(&m);
    remove_file(0, ".log");
    struct store_log_opts opts = {.vfs = m.vfs, .root = m.root, .name = "topic-0", .topic_id = m.id, .config = m.config, .state = m.saved,
                                  .files = m.files = store_file_cache_new(m.vfs, 3)};
    store_log_new(&opts, &m.log);
    assert_int_equal(store_log_recover(m.log), BR_CORRUPT);
    struct store_place place;
    assert_int_equal(store_log_prepare(m.log, 100, 0, m.now_ms, &place), BR_CORRUPT);
}

/* A reader that asked for them over and over would get the last batch before them for ever. */
static void test_offsets_of_a_missing_segment_are_an_error(void **state BR_UNUSED)
{
    struct store_range range;
    append(60);
    assert_int_equal(model_checkpoint(&m), BR_OK);
    size_t k = m.count / 2;
    int64_t base = m.batches[k].place.segment_base;
    while (m.batches[k].place.segment_base == base)
        k--;
    model_stop(&m);
    remove_file(base, ".log");
    model_start(&m);
    assert_int_equal(store_log_read(m.log, m.batches[k].base, m.end, 1, true, &range), BR_OK);
    assert_int_equal(range.first_offset, m.batches[k].base);
    store_range_release(&range);
    assert_int_equal(store_log_read(m.log, base, m.end, 1000, true, &range), BR_CORRUPT);
}

/* ---- retention and removal ---- */

static void set_retention(int64_t ms, int64_t bytes)
{
    m.config.retention_ms = ms;
    m.config.retention_bytes = bytes;
    store_log_set_config(m.log, &m.config);
}

/* B03: client timestamps decide nothing. */
static void test_retention_goes_by_the_brokers_clock(void **state BR_UNUSED)
{
    static const int64_t odd[] = {4000000000000000, -1, 0, 1700000000000000};
    for (unsigned i = 0; i < 40; i++) {
        assert_int_equal(model_append(&m, 1, 400, 0, &odd[i % 4], true), BR_OK);
        m.now_ms += 1000;
    }
    model_bind(&m, 40);
    set_retention(10000, -1);
    int64_t start = store_log_retention_start(m.log, m.now_ms, m.end, NULL);
    const struct model_batch *kept = NULL;
    for (size_t i = 0; i < m.count && !kept; i++) /* the first segment whose last append is young enough */
        for (size_t k = i; k < m.count && m.batches[k].place.segment_base == m.batches[i].place.segment_base && !kept; k++)
            if (m.batches[k].append_ms >= m.now_ms - 10000)
                kept = &m.batches[i];
    while (kept->place.file_position > 0)
        kept--;
    assert_int_equal(start, kept->base);
    assert_int_equal(store_log_retention_start(m.log, m.now_ms, 3, NULL), 0); /* nothing that is not done yet */
    model_reopen(&m);
    assert_int_equal(store_log_retention_start(m.log, m.now_ms, m.end, NULL), start); /* times survive a restart */
    model_trim(&m, start);
    model_verify(&m);
}

/* Whatever of the index was written already when a segment was sealed. */
static void test_the_time_of_the_last_append_survives_a_restart(void **state BR_UNUSED)
{
    enum { FROM = 30, TO = 38, TIMES = 64 };
    int64_t before[TIMES], begin_ms = m.now_ms;
    m.config.index_interval_bytes = 0;
    append(1);
    for (uint32_t batches = FROM; batches < TO; batches++) { /* a segment each; about the middle all entries were written by themselves */
        m.config.segment_bytes = (batches + 1) * m.batches[0].size - 1;
        store_log_set_config(m.log, &m.config);
        for (unsigned i = 0; i < batches; i++)
            append(1);
    }
    assert_int_equal(model_checkpoint(&m), BR_OK);
    for (int i = 0; i < TIMES; i++) {
        set_retention((m.now_ms - begin_ms) * i / TIMES, -1);
        before[i] = store_log_retention_start(m.log, m.now_ms, m.end, NULL);
    }
    model_reopen(&m);
    for (int i = 0; i < TIMES; i++) {
        set_retention((m.now_ms - begin_ms) * i / TIMES, -1);
        assert_int_equal(store_log_retention_start(m.log, m.now_ms, m.end, NULL), before[i]);
    }
}

static void test_retention_by_size_keeps_the_active_segment(void **state BR_UNUSED)
{
    append(40);
    set_retention(-1, 9000);
    int64_t start = store_log_retention_start(m.log, m.now_ms, m.end, NULL);
    model_trim(&m, start);
    assert_true(start > 0);
    assert_true(store_log_bytes(m.log) >= 9000 && store_log_bytes(m.log) < 9000 + m.config.segment_bytes);
    set_retention(-1, 0);
    start = store_log_retention_start(m.log, m.now_ms, m.end, NULL);
    assert_int_equal(start, store_log_state(m.log)->active_base);
}

static void test_an_expired_active_segment_goes_and_offsets_go_on(void **state BR_UNUSED)
{
    append(2);
    set_retention(1000, -1);
    m.now_ms += 5000;
    assert_int_equal(store_log_retention_start(m.log, m.now_ms, m.end, NULL), m.end);
    append(1); /* meanwhile: in a segment of its own */
    assert_int_equal(store_log_state(m.log)->active_base, 6);
    model_trim(&m, 6);
    model_verify(&m);
    m.now_ms += 5000;
    model_trim(&m, store_log_retention_start(m.log, m.now_ms, m.end, NULL));
    assert_int_equal(m.start, 9);
    assert_int_equal(store_log_state(m.log)->active_base, -1);
    model_reopen(&m);
    assert_int_equal(store_log_state(m.log)->end, 9);
    append(1);
    assert_int_equal(m.batches[m.count - 1].base, 9);
    model_verify(&m);
}

static void test_segments_roll_by_size_and_by_the_brokers_clock(void **state BR_UNUSED)
{
    m.config.segment_ms = 1000;
    store_log_set_config(m.log, &m.config);
    append(1);
    m.now_ms += 1000;
    append(1);
    assert_int_equal(m.batches[1].place.segment_base, 3);
    m.config.segment_bytes = m.batches[1].size * 2;
    m.config.segment_ms = INT64_MAX;
    store_log_set_config(m.log, &m.config);
    append(2);
    assert_int_equal(m.batches[2].place.segment_base, 3);
    assert_int_equal(m.batches[3].place.segment_base, 9);
}

static void test_files_wait_for_readers_and_for_the_checkpoint(void **state BR_UNUSED)
{
    append(10);
    struct store_range range, second;
    assert_int_equal(store_log_read(m.log, 0, m.end, 500, true, &range), BR_OK);
    second = range;
    store_range_hold(&second);
    int64_t start = m.batches[9].place.segment_base;
    model_trim(&m, start);
    model_collect(&m);
    assert_true(exists("00000000000000000000.log")); /* a replay from the state on disk would ask for it */
    assert_int_equal(model_checkpoint(&m), BR_OK);
    model_collect(&m);
    assert_true(exists("00000000000000000000.log")); /* it is being read */
    uint8_t *bytes = br_alloc(range.length);
    store_range_release(&range);
    model_collect(&m);
    assert_true(exists("00000000000000000000.log"));
    assert_int_equal(store_file_read(second.file, bytes, second.length, second.file_position), BR_OK);
    assert_memory_equal(bytes, m.batches[0].bytes, m.batches[0].size);
    br_free(bytes);
    store_range_release(&second);
    model_collect(&m);
    assert_false(exists("00000000000000000000.log"));
    assert_false(exists("00000000000000000000.positions"));
    model_verify(&m);
}

static void test_a_range_outlives_its_log(void **state BR_UNUSED)
{
    append(2);
    struct store_range range;
    assert_int_equal(store_log_read(m.log, 0, m.end, 500, true, &range), BR_OK);
    assert_int_equal(store_log_delete(m.log), BR_OK);
    assert_false(exists("00000000000000000000.log"));
    model_collect(&m); /* unlinks, removes the directory */
    store_log_free(m.log);
    m.log = NULL;
    uint8_t byte;
    assert_int_equal(store_file_read(range.file, &byte, 1, range.file_position), BR_OK);
    store_range_release(&range);
}

/* The batch's own CRC leaves out base offset, length, leader epoch and magic: a torn page may hold any of them changed. */
static void test_replay_mends_every_byte_of_a_damaged_batch(void **state BR_UNUSED)
{
    append(2);
    const struct model_batch b = m.batches[1];
    for (uint32_t i = 0; i < b.size; i++) {
        struct store_file *file;
        uint8_t *bytes = br_alloc(b.size), byte = b.bytes[i] ^ 0x55;
        model_stop(&m);
        assert_int_equal(store_file_open(m.vfs, "data/topic-0/00000000000000000000.log", STORE_OPEN_WRITE, &file), BR_OK);
        assert_int_equal(store_file_write(file, &byte, 1, b.place.file_position + i), BR_OK);
        model_start(&m);
        assert_int_equal(m.end, b.next);
        assert_int_equal(store_file_read(file, bytes, b.size, b.place.file_position), BR_OK);
        assert_memory_equal(bytes, b.bytes, b.size);
        store_file_close(file);
        br_free(bytes);
    }
    model_verify(&m);
}

static void test_a_directory_of_another_topic_is_not_touched_by_replay(void **state BR_UNUSED)
{
    append(2);
    assert_int_equal(model_checkpoint(&m), BR_OK);
    struct store_log *log;
    struct store_log_opts opts = {.vfs = m.vfs, .root = m.root, .name = "topic-0", .topic_id = {{9}}, .config = m.config,
                                  .state = {.active_base = -1}, .files = m.files};
    store_log_new(&opts, &log);
    const struct model_batch *b = &m.batches[1];
    assert_int_equal(store_log_replay(log, &(struct store_place){0, 0}, b->size, br_load32(b->bytes + 17), 0, 0, 3, b->bytes, 1), BR_CORRUPT);
    assert_int_equal(store_log_recover(log), BR_OK);
    assert_int_equal(store_log_delete(log), BR_OK);
    store_log_free(log);
    assert_true(exists("00000000000000000000.log"));
    model_verify(&m);
}

/* What a loss of power made of the id is no other topic's: the rows come back from the journal. */
static void test_a_damaged_topic_id_does_not_make_the_directory_anothers(void **state BR_UNUSED)
{
    append(2);
    model_stop(&m);
    struct store_file *file;
    assert_int_equal(store_file_open(m.vfs, "data/topic-0/partition.metadata", STORE_OPEN_WRITE, &file), BR_OK);
    assert_int_equal(store_file_write(file, "B", 1, 25), BR_OK); /* a valid id, and not ours */
    store_file_close(file);
    for (size_t i = 0; i < m.count; i++)
        m.batches[i].has_payload = true;
    model_start(&m);
    assert_int_equal(store_log_state(m.log)->end, 6);
    model_verify(&m);
}

/* ---- costs ---- */

static unsigned long all_ops(void)
{
    return store_vfs_mem_op_count(mem, STORE_MEM_WRITE) + store_vfs_mem_op_count(mem, STORE_MEM_SYNC) +
           store_vfs_mem_op_count(mem, STORE_MEM_RENAME) + store_vfs_mem_op_count(mem, STORE_MEM_READ);
}

static void test_ten_thousand_logs_cost_nothing_until_they_are_used(void **state BR_UNUSED)
{
    enum { LOGS = 10000 };
    struct store_log **logs = br_alloc_array(LOGS, sizeof(struct store_log *));
    unsigned long before = all_ops();
    for (unsigned i = 0; i < LOGS; i++) {
        char name[30];
        snprintf(name, sizeof name, "many-%u", i);
        struct store_log_opts opts = {.vfs = m.vfs, .root = m.root, .name = name, .config = m.config, .state = {.active_base = -1}, .files = m.files};
        store_log_new(&opts, &logs[i]);
        assert_int_equal(store_log_recover(logs[i]), BR_OK);
        assert_int_equal(store_log_set_epoch(logs[i], 3), BR_OK);
        assert_null(store_log_sync_new(logs[i]));
        assert_null(store_log_garbage(logs[i]));
    }
    assert_int_equal(all_ops(), before);
    for (unsigned i = 0; i < LOGS; i++)
        store_log_free(logs[i]);
    br_free(logs);
}

/* B04: a start looks at the active segment, whatever lies before it. */
static void test_a_start_does_not_depend_on_the_data_there_is(void **state BR_UNUSED)
{
    unsigned long reads[2];
    for (unsigned k = 0; k < 2; k++) {
        append(k == 0 ? 20 : 400);
        assert_int_equal(model_checkpoint(&m), BR_OK);
        unsigned long before = store_vfs_mem_op_count(mem, STORE_MEM_READ);
        model_crash(&m, false);
        reads[k] = store_vfs_mem_op_count(mem, STORE_MEM_READ) - before;
    }
    assert_true(reads[1] <= reads[0] + 8);
}

static void test_the_tail_is_read_without_a_read(void **state BR_UNUSED)
{
    append(50);
    unsigned long before = all_ops();
    struct store_range range;
    assert_int_equal(store_log_read(m.log, m.batches[m.count - 2].base, m.end, 1 << 20, false, &range), BR_OK);
    assert_true(range.length > 0);
    assert_int_equal(all_ops(), before);
    store_range_release(&range);
    assert_int_equal(model_append(&m, 1, 10, 0, NULL, true), BR_OK);
    assert_int_equal(all_ops(), before + 1); /* one write */
}

/* ---- failing disks ---- */

/* Everything that writes, with the nth operation of a kind failing: what was refused is not there, the rest is, and so again after a start. */
static bool fail_at(enum store_mem_op op, unsigned long nth, enum br_err err)
{
    unsigned refused = 0;
    store_vfs_mem_fail_at(mem, op, nth, err);
    for (unsigned i = 0; i < 12; i++) {
        enum br_err got = model_append(&m, 2, 900, 0, NULL, true);
        refused += got != BR_OK;
        if (got != BR_OK)
            assert_int_equal(got, err);
        model_bind(&m, 1);
        refused += store_log_flush(m.log) != BR_OK;
        if (i == 6)
            refused += model_checkpoint(&m) != BR_OK;
    }
    bool was_hit = refused > 0;
    store_vfs_mem_fail_at(mem, op, 0, BR_OK);
    model_bind(&m, m.count);
    assert_int_equal(store_log_flush(m.log), BR_OK);
    model_verify(&m);
    if (nth % 2)
        assert_int_equal(model_checkpoint(&m), BR_OK);
    model_crash(&m, nth % 3 == 0);
    model_verify(&m);
    return was_hit;
}

static void fail_everywhere(enum store_mem_op op, enum br_err err)
{
    unsigned long hits = 0;
    store_vfs_mem_set_faults(mem, "*", (struct store_mem_faults){.drop = 60, .tear = 40, .reorder = 30});
    for (unsigned long nth = 1; nth < 60; nth++) {
        hits += fail_at(op, nth, err);
        model_trim(&m, m.end); /* a fresh one, nearly */
        assert_int_equal(model_checkpoint(&m), BR_OK);
        model_collect(&m);
    }
    assert_true(hits > 5);
}

static void test_no_failing_write_loses_or_invents_anything(void **state BR_UNUSED)
{
    fail_everywhere(STORE_MEM_WRITE, BR_IO);
}

static void test_no_failing_name_change_loses_or_invents_anything(void **state BR_UNUSED)
{
    fail_everywhere(STORE_MEM_RENAME, BR_NOSPACE);
}

static void test_a_failed_sync_is_made_good_by_the_next_checkpoint(void **state BR_UNUSED)
{
    store_vfs_mem_set_faults(mem, "*", (struct store_mem_faults){.drop = 100});
    for (unsigned long nth = 1; nth < 8; nth++) {
        append(8);
        store_vfs_mem_fail_at(mem, STORE_MEM_SYNC, nth, BR_NOSPACE);
        enum br_err err = model_checkpoint(&m);
        store_vfs_mem_fail_at(mem, STORE_MEM_SYNC, 0, BR_OK);
        assert_true(nth > 4 || err == BR_IO || err == BR_NOSPACE); /* a file's sync; a small file's replacement, which may be tried again */
        assert_int_equal(model_checkpoint(&m), BR_OK);
        model_crash(&m, true);
        assert_int_equal(m.end, (int64_t)nth * 24);
        model_verify(&m);
    }
}

/* B06. */
static void test_a_full_disk_refuses_appends_and_nothing_else(void **state BR_UNUSED)
{
    enum br_err err;
    store_vfs_mem_set_limit(mem, 64 << 10);
    for (unsigned i = 0; (err = model_append(&m, 3, 500, 0, NULL, true)) == BR_OK; i++)
        assert_true(i < 100);
    assert_int_equal(err, BR_NOSPACE);
    assert_int_equal(model_append(&m, 3, 500, 0, NULL, true), BR_NOSPACE);
    model_bind(&m, m.count);
    assert_int_equal(store_log_flush(m.log), BR_OK); /* the reserve is for this */
    model_verify(&m);
    model_reopen(&m);
    model_verify(&m);
    model_trim(&m, m.end / 2);
    assert_int_equal(model_checkpoint(&m), BR_OK);
    model_collect(&m);
    assert_int_equal(model_append(&m, 3, 500, 0, NULL, true), BR_OK);
    model_verify(&m);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_model, close_model)
    const struct CMUnitTest tests[] = {
        TEST(test_text_files_are_as_kafka_writes_them),
        TEST(test_epoch_text_that_makes_no_sense_is_refused),
        TEST(test_indexes_and_sidecar_have_kafkas_bytes),
        TEST(test_every_index_entry_points_at_its_batch),
        TEST(test_lost_index_files_are_made_again_and_positions_stay),
        TEST(test_lost_sidecar_is_made_again_and_can_be_bound_again),
        TEST(test_a_missing_segment_is_damage_and_not_an_empty_log),
        TEST(test_offsets_of_a_missing_segment_are_an_error),
        TEST(test_retention_goes_by_the_brokers_clock),
        TEST(test_the_time_of_the_last_append_survives_a_restart),
        TEST(test_retention_by_size_keeps_the_active_segment),
        TEST(test_an_expired_active_segment_goes_and_offsets_go_on),
        TEST(test_segments_roll_by_size_and_by_the_brokers_clock),
        TEST(test_files_wait_for_readers_and_for_the_checkpoint),
        TEST(test_a_range_outlives_its_log),
        TEST(test_replay_mends_every_byte_of_a_damaged_batch),
        TEST(test_a_directory_of_another_topic_is_not_touched_by_replay),
        TEST(test_a_damaged_topic_id_does_not_make_the_directory_anothers),
        TEST(test_ten_thousand_logs_cost_nothing_until_they_are_used),
        TEST(test_a_start_does_not_depend_on_the_data_there_is),
        TEST(test_the_tail_is_read_without_a_read),
        TEST(test_no_failing_write_loses_or_invents_anything),
        TEST(test_no_failing_name_change_loses_or_invents_anything),
        TEST(test_a_failed_sync_is_made_good_by_the_next_checkpoint),
        TEST(test_a_full_disk_refuses_appends_and_nothing_else),
    };
    return harness_run("storage.log_files", tests, BR_COUNT(tests));
}
