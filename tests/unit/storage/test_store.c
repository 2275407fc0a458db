/* The data directory as one thing: who it belongs to, what it refuses, what its state file and its journal bring back, and which streams a lost row ends. */
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "storage/store.h"
#include "storage/vfs_mem.h"
#include "tests/support/harness.h"
#include <sys/wait.h>
#include <unistd.h>

#define STREAMS 3u /* ids 2..4 */

static const struct store_log_config config = {.segment_bytes = 1 << 20, .segment_ms = INT64_MAX, .index_interval_bytes = 4096, .retention_ms = -1, .retention_bytes = -1};

struct node {
    struct store_vfs *vfs;
    const char *dir, *boot_id;
    int32_t node_id;
    struct br_uuid cluster_id;
    struct store *store;
    struct store_identity identity;
    struct store_io_pool *pool, *sync_pool;
    struct br_errbuf eb;
    unsigned streams;              /* that the catalog knows */
    char snapshot[32];             /* as it came back */
    unsigned rows, lost_rows, unknown_rows;
    uint64_t s;
};

static void on_begin(void *ctx, struct store *store, const struct store_identity *identity)
{
    struct node *n = ctx;
    (void)identity;
    n->store = store;
}

static enum br_err on_snapshot(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    struct node *n = ctx;
    (void)eb;
    snprintf(n->snapshot, sizeof n->snapshot, "%.*s", (int)len, len ? (const char *)data : "");
    for (uint32_t i = 0; i < n->streams; i++) {
        struct store_stream *s;
        char name[16];
        snprintf(name, sizeof name, "t-%u", i);
        enum br_err err = store_stream_add(n->store, i + 2, name, (struct br_uuid){{(uint8_t)(i + 1)}}, &config, &s);
        if (err != BR_OK)
            return err;
    }
    return BR_OK;
}

static enum br_err on_catalog(void *ctx, const struct store_row *row, struct br_errbuf *eb)
{
    (void)ctx, (void)row, (void)eb;
    return BR_OK;
}

static enum br_err on_row(void *ctx, const struct store_row *row, struct store_stream *stream, bool is_lost, struct br_errbuf *eb)
{
    struct node *n = ctx;
    (void)eb;
    n->rows++;
    n->lost_rows += is_lost;
    n->unknown_rows += stream == NULL;
    assert_true(!stream || stream->id == row->stream);
    return BR_OK;
}

static void on_save(void *ctx, struct br_buf *out)
{
    (void)ctx;
    br_buf_add(out, "catalog bytes", 13);
}

static enum br_err open_store(struct node *n)
{
    n->pool = store_io_pool_new(0, NULL, NULL);
    n->sync_pool = store_io_pool_new(0, NULL, NULL);
    n->rows = n->lost_rows = n->unknown_rows = 0;
    n->eb.text[0] = '\0';
    struct store_opts opts = {.vfs = n->vfs, .dir = n->dir, .node_id = n->node_id, .cluster_id = n->cluster_id, .internal_config = config, .files_max = 16,
                              .boot_id = n->boot_id, .pool = n->pool, .sync_pool = n->sync_pool, .begin = on_begin, .snapshot = on_snapshot,
                              .catalog = on_catalog, .row = on_row, .save_catalog = on_save, .ctx = n};
    struct store *store = NULL;
    enum br_err err = store_open(&opts, &store, &n->identity, &n->eb);
    n->store = store;
    if (err == BR_OK && (err = store_start(store, &n->eb)) != BR_OK)
        store_close(store, false);
    if (err != BR_OK) {
        store_io_pool_free(n->pool);
        store_io_pool_free(n->sync_pool);
        n->store = NULL;
    }
    return err;
}

static void close_store(struct node *n, bool clean)
{
    store_close(n->store, clean);
    n->store = NULL;
    store_io_pool_free(n->pool);
    store_io_pool_free(n->sync_pool);
}

static void store_result(void *ctx, enum br_err err) { *(enum br_err *)ctx = err; }

static enum br_err checkpoint(struct node *n)
{
    enum br_err result = BR_BUSY;
    enum br_err err = store_checkpoint(n->store, n->s, 1, n->s, store_result, &result);
    store_io_pool_drain(n->pool);
    return err == BR_OK ? result : err;
}

/* A batch of `count` records as a driver appends it; its row stays in the journal's turn. */
static void put(struct node *n, uint32_t id, uint32_t count, int64_t producer_id, int32_t sequence, bool has_payload)
{
    struct store_stream *stream = store_stream_find(n->store, id);
    struct store_place place;
    struct kw_batch_builder b;
    struct kw_batch batch;
    struct br_buf bytes;
    uint32_t size;
    int64_t end = store_log_state(stream->log)->end;
    br_buf_init(&bytes, 1 << 20);
    kw_batch_builder_init(&b, &bytes, end, 1000, 0);
    for (uint32_t i = 0; i < count; i++)
        kw_batch_builder_add(&b, end + i, 1000, br_str(NULL, 0), br_str("value", 5), br_str(NULL, 0), 0, NULL, 0);
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size), BR_OK);
    assert_int_equal(kw_batch_view(bytes.data, size, &batch), BR_OK);
    assert_int_equal(store_log_prepare(stream->log, size, 1000, 1, &place), BR_OK);
    assert_int_equal(store_log_append(stream->log, &batch, 1000, end, 1, &place), BR_OK);
    struct store_row row = {.kind = STORE_ROW_DATA, .class = has_payload ? STORE_CLASS_FSYNC : STORE_CLASS_PAGE_CACHE, .flags = STORE_ROW_FIRST | STORE_ROW_LAST,
                            .stream = id, .leader_epoch = batch.leader_epoch, .base_offset = end, .count = count, .segment_base = place.segment_base,
                            .file_position = place.file_position, .length = size, .batch_crc = batch.crc, .max_timestamp = 1000, .producer_id = producer_id,
                            .producer_epoch = 0, .base_sequence = sequence, .lane = 1, .s = ++n->s};
    assert_int_equal(store_journal_add(store_journal(n->store), &row, has_payload ? bytes.data : NULL), BR_OK);
    assert_int_equal(store_journal_write(store_journal(n->store)), BR_OK);
    if (producer_id >= 0)
        store_producer_apply(&stream->producers, producer_id, 0, sequence, sequence + (int32_t)count - 1, end, -1, 1);
    br_buf_clear(&bytes);
}

static struct store_vfs_mem *mem;
static struct node n;

static int begin(void **state BR_UNUSED)
{
    mem = store_vfs_mem_new(1);
    n = (struct node){.vfs = store_vfs_mem_vfs(mem), .dir = "data", .boot_id = "one", .node_id = 1, .streams = STREAMS};
    return 0;
}

static int finish(void **state BR_UNUSED)
{
    if (n.store)
        close_store(&n, false);
    store_vfs_mem_free(mem);
    return 0;
}

static char *text_of(const char *path)
{
    uint8_t *data;
    size_t len;
    assert_int_equal(store_file_load(n.vfs, path, 1 << 20, &data, &len), BR_OK);
    return (char *)data;
}

/* --- identity --- */

static void test_a_new_directory_gets_an_identity_in_kafkas_format_and_keeps_it(void **state BR_UNUSED)
{
    n.node_id = -1;
    assert_int_equal(open_store(&n), BR_OK);
    struct br_uuid cluster = n.identity.cluster_id;
    char want[BR_UUID_TEXT], line[128];
    assert_true(n.identity.is_new && n.identity.was_clean && !n.identity.lost_power);
    assert_int_equal(n.identity.node_id, 1);
    assert_int_equal(n.identity.starts, 1);
    close_store(&n, false);
    char *text = text_of("data/meta.properties");
    br_uuid_text(cluster, want);
    snprintf(line, sizeof line, "version=1\ncluster.id=%s\nnode.id=1\ndirectory.id=", want);
    assert_memory_equal(text, line, strlen(line));
    br_free(text);
    for (uint32_t starts = 2; starts < 5; starts++) {
        assert_int_equal(open_store(&n), BR_OK);
        assert_true(br_uuid_eq(n.identity.cluster_id, cluster));
        assert_int_equal(n.identity.starts, starts);
        assert_false(n.identity.is_new);
        assert_false(n.identity.was_clean);
        assert_int_equal(checkpoint(&n), BR_OK);
        close_store(&n, false);
    }
}

static void test_a_directory_of_another_node_or_cluster_is_refused_and_left_as_it_is(void **state BR_UNUSED)
{
    assert_int_equal(open_store(&n), BR_OK);
    struct br_uuid cluster = n.identity.cluster_id;
    close_store(&n, false);
    n.node_id = 2;
    assert_int_equal(open_store(&n), BR_INVALID);
    assert_non_null(strstr(n.eb.text, "node 1"));
    n.node_id = 1;
    n.cluster_id = (struct br_uuid){{9}};
    assert_int_equal(open_store(&n), BR_INVALID);
    n.cluster_id = cluster;
    assert_int_equal(open_store(&n), BR_OK);
    assert_int_equal(n.identity.starts, 2); /* a refusal counts no start */
}

static void overwrite(const char *path, int64_t at, const void *bytes, size_t len)
{
    struct store_file *file;
    assert_int_equal(store_file_open(n.vfs, path, STORE_OPEN_WRITE, &file), BR_OK);
    assert_int_equal(store_file_write(file, bytes, len, at), BR_OK);
    store_file_close(file);
}

static void test_unknown_versions_are_refused_in_one_line_that_names_the_file(void **state BR_UNUSED)
{
    static const struct {
        const char *path;
        int64_t at;
        const char *bytes, *was;
        size_t len;
    } cases[] = {
        {"data/meta.properties", 8, "2", "1", 1},
        {"data/boot", 8, "\0\0\0\2", "\0\0\0\1", 4},
        {"data/clean", 8, "\0\0\0\2", "\0\0\0\1", 4},
        {"data/state", 8, "\0\0\0\2", "\0\0\0\1", 4},
    };
    assert_int_equal(open_store(&n), BR_OK);
    assert_int_equal(checkpoint(&n), BR_OK);
    close_store(&n, true);
    for (unsigned i = 0; i < BR_COUNT(cases); i++) {
        overwrite(cases[i].path, cases[i].at, cases[i].bytes, cases[i].len);
        assert_int_equal(open_store(&n), BR_VERSION);
        assert_non_null(strstr(n.eb.text, cases[i].path));
        assert_null(strchr(n.eb.text, '\n'));
        overwrite(cases[i].path, cases[i].at, cases[i].was, cases[i].len);
    }
    assert_int_equal(open_store(&n), BR_OK); /* as it was */
}

static void test_each_damaged_byte_of_the_small_files_is_noticed(void **state BR_UNUSED)
{
    static const char *const paths[] = {"data/boot", "data/clean", "data/state"};
    assert_int_equal(open_store(&n), BR_OK);
    put(&n, 2, 3, 7, 0, true);
    assert_int_equal(checkpoint(&n), BR_OK);
    close_store(&n, true);
    for (unsigned i = 0; i < BR_COUNT(paths); i++) {
        uint8_t *data;
        size_t len;
        assert_int_equal(store_file_load(n.vfs, paths[i], 1 << 20, &data, &len), BR_OK);
        for (size_t at = 0; at < len; at++) {
            uint8_t bad = data[at] ^ 0x10;
            overwrite(paths[i], (int64_t)at, &bad, 1);
            enum br_err err = open_store(&n);
            if (err == BR_OK)
                print_error("%s: byte %zu\n", paths[i], at);
            assert_true(err == BR_CORRUPT || err == BR_VERSION || err == BR_INVALID);
            assert_non_null(strstr(n.eb.text, paths[i]));
            overwrite(paths[i], (int64_t)at, &data[at], 1);
        }
        br_free(data);
    }
}

/* --- two processes --- */

static void test_a_directory_in_use_is_refused_to_a_second_opener(void **state BR_UNUSED)
{
    struct node other = n;
    assert_int_equal(open_store(&n), BR_OK);
    assert_int_equal(open_store(&other), BR_LOCKED);
    assert_non_null(strstr(other.eb.text, "in use"));
    close_store(&n, false);
    assert_int_equal(open_store(&n), BR_OK);
    assert_int_equal(n.identity.starts, 2);
}

static void test_a_directory_in_use_is_refused_to_a_second_process(void **state BR_UNUSED)
{
    int ready[2], stop[2], status;
    char byte, *dir = br_asprintf("%s/two", harness_tmpdir());
    n.vfs = store_vfs_posix();
    n.dir = dir;
    assert_int_equal(pipe(ready), 0);
    assert_int_equal(pipe(stop), 0);
    pid_t child = fork();
    if (child == 0) { /* holds it until it is told */
        close(stop[1]);
        bool ok = open_store(&n) == BR_OK && write(ready[1], "r", 1) == 1;
        ok = ok && read(stop[0], &byte, 1) == 0;
        _exit(ok ? 0 : 1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(open_store(&n), BR_LOCKED);
    close(stop[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(open_store(&n), BR_OK); /* the lock went with its process */
    close_store(&n, false);
    close(ready[0]);
    close(stop[0]);
    br_free(dir);
}

/* --- what comes back --- */

static void save_producers(struct br_buf *out)
{
    br_buf_init(out, 1 << 20);
    for (uint32_t id = 2; id < 2 + STREAMS; id++)
        store_producers_save(&store_stream_find(n.store, id)->producers, out);
}

/* The state file and the rows after it give what the running node had, wherever the checkpoint was made. */
static void test_state_and_replay_together_are_what_was_live(void **state BR_UNUSED)
{
    for (unsigned at = 0; at <= 12; at++) {
        n.dir = br_asprintf("data%u", at);
        n.s = 0;
        assert_int_equal(open_store(&n), BR_OK);
        int32_t sequences[STREAMS] = {0};
        for (unsigned i = 0; i < 12; i++) {
            uint32_t k = i % STREAMS, count = 1 + i % 3;
            if (i == at)
                assert_int_equal(checkpoint(&n), BR_OK);
            put(&n, k + 2, count, 100 + k, sequences[k], i % 2);
            sequences[k] += (int32_t)count;
        }
        struct br_buf before, after;
        struct store_log_state logs[STREAMS];
        for (uint32_t k = 0; k < STREAMS; k++)
            logs[k] = *store_log_state(store_stream_find(n.store, k + 2)->log);
        save_producers(&before);
        close_store(&n, false);
        assert_int_equal(open_store(&n), BR_OK);
        assert_int_equal(n.rows, at < 12 ? 12 - at : 12);
        assert_int_equal(n.lost_rows, 0);
        assert_string_equal(n.snapshot, at < 12 ? "catalog bytes" : "");
        save_producers(&after);
        assert_int_equal(before.len, after.len);
        for (uint32_t k = 0; k < STREAMS; k++) {
            struct store_stream *s = store_stream_find(n.store, k + 2);
            const struct store_log_state *now = store_log_state(s->log);
            struct store_producer_batch dup;
            assert_true(now->start == logs[k].start && now->end == logs[k].end && now->active_base == logs[k].active_base && now->active_bytes == logs[k].active_bytes);
            assert_int_equal(store_producer_check(&s->producers, 100 + k, 0, sequences[k], sequences[k], false, &dup), BR_OK);       /* the next one */
            assert_int_equal(store_producer_check(&s->producers, 100 + k, 0, sequences[k] + 1, sequences[k] + 1, false, &dup), BR_SEQUENCE);
            assert_int_equal(store_producer_check(&s->producers, 100 + k, 0, 0, (int32_t)(k % 3), false, &dup), BR_DUPLICATE);         /* the first */
            assert_int_equal(dup.base_offset, 0);
        }
        br_buf_clear(&before);
        br_buf_clear(&after);
        close_store(&n, false);
        br_free((char *)(uintptr_t)n.dir);
    }
}

/* The first row that fails ends its stream; others go on; rows of streams that nobody knows keep their places. */
static void test_a_lost_row_ends_its_stream_and_no_other(void **state BR_UNUSED)
{
    assert_int_equal(open_store(&n), BR_OK);
    for (unsigned i = 0; i < 4; i++)
        for (uint32_t id = 2; id < 2 + STREAMS; id++)
            put(&n, id, 1, -1, -1, id == 4);
    close_store(&n, false);
    struct store_file *file;
    int64_t size;
    assert_int_equal(store_file_open(n.vfs, "data/t-0/00000000000000000000.log", STORE_OPEN_WRITE, &file), BR_OK);
    assert_int_equal(store_file_size(file, &size), BR_OK);
    assert_int_equal(store_file_write(file, "x", 1, size / 4 + 40), BR_OK); /* in the second of four */
    store_file_close(file);
    assert_int_equal(store_file_open(n.vfs, "data/t-2/00000000000000000000.log", STORE_OPEN_WRITE, &file), BR_OK);
    assert_int_equal(store_file_truncate(file, 10), BR_OK); /* its rows bring their bytes */
    store_file_close(file);
    assert_int_equal(open_store(&n), BR_OK);
    assert_int_equal(n.rows, 12);
    assert_int_equal(n.lost_rows, 3);
    assert_int_equal(store_log_state(store_stream_find(n.store, 2)->log)->end, 1);
    assert_int_equal(store_log_state(store_stream_find(n.store, 3)->log)->end, 4);
    assert_int_equal(store_log_state(store_stream_find(n.store, 4)->log)->end, 4);
    close_store(&n, false);
    n.streams = 2;
    assert_int_equal(open_store(&n), BR_OK);
    assert_int_equal(n.rows, 12);
    assert_int_equal(n.unknown_rows, 4);
}

/* S-20 */
static void test_one_checkpoint_runs_at_a_time_and_frees_the_journal_when_it_is_over(void **state BR_UNUSED)
{
    assert_int_equal(open_store(&n), BR_OK);
    put(&n, 2, 1, -1, -1, true);
    assert_true(store_journal_bytes(store_journal(n.store)) > 0);
    assert_int_equal(store_checkpoint(n.store, 1, 1, 1, NULL, NULL), BR_OK);
    assert_int_equal(store_checkpoint(n.store, 1, 1, 1, NULL, NULL), BR_BUSY);
    assert_true(store_journal_bytes(store_journal(n.store)) > 0);
    store_io_pool_drain(n.pool);
    assert_int_equal(store_journal_bytes(store_journal(n.store)), 0);
    assert_false(store_checkpoint_is_due(n.store, INT64_MAX / 2)); /* nothing was written since */
    put(&n, 2, 1, -1, -1, true);
    assert_true(store_checkpoint_is_due(n.store, INT64_MAX / 2));
    store_fail(n.store, BR_IO);
    assert_int_equal(store_checkpoint(n.store, 2, 1, 2, NULL, NULL), BR_FAILED);
    close_store(&n, true); /* asked for */
    assert_int_equal(open_store(&n), BR_OK);
    assert_false(n.identity.was_clean); /* never after a failure */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
static const struct CMUnitTest tests[] = {
    TEST(test_a_new_directory_gets_an_identity_in_kafkas_format_and_keeps_it),
    TEST(test_a_directory_of_another_node_or_cluster_is_refused_and_left_as_it_is),
    TEST(test_unknown_versions_are_refused_in_one_line_that_names_the_file),
    TEST(test_each_damaged_byte_of_the_small_files_is_noticed),
    TEST(test_a_directory_in_use_is_refused_to_a_second_opener),
    TEST(test_a_directory_in_use_is_refused_to_a_second_process),
    TEST(test_state_and_replay_together_are_what_was_live),
    TEST(test_a_lost_row_ends_its_stream_and_no_other),
    TEST(test_one_checkpoint_runs_at_a_time_and_frees_the_journal_when_it_is_over),
};
HARNESS_MAIN("store", tests)
