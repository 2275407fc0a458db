/* One random trace of file operations gives the same answers in memory and on the real disk; and what the lying layer may and may not do at
 * a crash. */
#include "tests/support/harness.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "storage/vfs_mem.h"

enum { RW = STORE_OPEN_WRITE | STORE_OPEN_CREATE };

static enum br_err fold_name(void *ctx, const char *name)
{
    uint32_t *sum = ctx;
    *sum = br_crc32c_extend(*sum, name, strlen(name) + 1);
    return BR_OK;
}

/* Every answer is folded into the result. */
static uint32_t run_trace(struct store_vfs *vfs, const char *root, uint64_t seed)
{
    struct br_rand r;
    uint32_t sum = 0;
    char a[700], b[700];
    uint8_t bytes[3000];
    br_rand_init(&r, seed);
    for (int i = 0; i < 400; i++) {
        snprintf(a, sizeof a, "%s/%s%u", root, br_rand_chance(&r, 50) ? "d/" : "", (unsigned)br_rand_below(&r, 6));
        snprintf(b, sizeof b, "%s/%u", root, (unsigned)br_rand_below(&r, 6));
        struct store_file *f = NULL;
        enum br_err err = BR_OK;
        int64_t size = 0;
        size_t len = 1 + (size_t)br_rand_below(&r, sizeof bytes - 1), at = (size_t)br_rand_below(&r, 5000), half = len / 2;
        switch (br_rand_below(&r, 9)) {
        case 0: err = vfs->ops->rename(vfs, a, b); break;
        case 1: err = vfs->ops->unlink(vfs, a); break;
        case 2: snprintf(b, sizeof b, "%s/d", root); err = vfs->ops->mkdir(vfs, b); break;
        case 3: err = vfs->ops->list(vfs, root, fold_name, &sum); break;
        case 4:
            memset(bytes, i, half);
            err = store_file_replace(vfs, b, bytes, half);
            break;
        case 5: {
            uint8_t *data = NULL;
            size_t got = 0;
            if ((err = store_file_load(vfs, a, 4000, &data, &got)) == BR_OK)
                sum = br_crc32c_extend(sum, data, got);
            br_free(data);
            break;
        }
        default:
            err = store_file_open(vfs, a, (int)br_rand_below(&r, 8), &f);
            if (err != BR_OK)
                break;
            memset(bytes, i, sizeof bytes);
            err = store_file_size(f, &size);
            if (br_rand_chance(&r, 60)) {
                struct iovec iov[3] = {{bytes, half}, {bytes, 0}, {bytes + half, len - half}};
                enum br_err w = store_file_writev(f, iov, 3, (int64_t)at);
                sum = sum * 31 + (w == BR_OK);
            }
            if (br_rand_chance(&r, 30))
                sum = sum * 31 + (store_file_truncate(f, (int64_t)at) == BR_OK);
            if (br_rand_chance(&r, 30))
                err = store_file_sync(f);
            enum br_err got = store_file_read(f, bytes, len, (int64_t)at);
            sum = sum * 31 + (uint32_t)got;
            if (got == BR_OK)
                sum = br_crc32c_extend(sum, bytes, len);
            store_file_close(f);
        }
        sum = sum * 31 + (uint32_t)err * 7 + (uint32_t)size;
    }
    return sum;
}

static void test_the_same_trace_gives_the_same_answers_on_the_real_disk(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        char dir[600];
        snprintf(dir, sizeof dir, "%s/v%u", harness_tmpdir(), (unsigned)seed);
        struct store_vfs_mem *mem = store_vfs_mem_new(seed);
        struct store_vfs *vfs = store_vfs_mem_vfs(mem), *real = store_vfs_posix();
        assert_int_equal(vfs->ops->mkdir(vfs, "v"), BR_OK);
        assert_int_equal(store_dir_make(real, dir), BR_OK);
        assert_int_equal(run_trace(vfs, "v", seed), run_trace(real, dir, seed));
        store_vfs_mem_free(mem);
    }
}

static void test_lock_is_exclusive_until_close_on_both(void **state)
{
    (void)state;
    char path[600];
    struct store_vfs_mem *mem = store_vfs_mem_new(1);
    struct store_vfs *both[] = {store_vfs_mem_vfs(mem), store_vfs_posix()};
    snprintf(path, sizeof path, "%s/lock", harness_tmpdir());
    for (size_t i = 0; i < 2; i++) {
        struct store_file *a, *b;
        const char *name = i ? path : "lock";
        assert_int_equal(store_file_open(both[i], name, RW, &a), BR_OK);
        assert_int_equal(store_file_open(both[i], name, RW, &b), BR_OK);
        assert_int_equal(both[i]->ops->lock(a), BR_OK);
        assert_int_equal(both[i]->ops->lock(b), BR_LOCKED);
        store_file_close(a);
        assert_int_equal(both[i]->ops->lock(b), BR_OK);
        store_file_close(b);
    }
    store_vfs_mem_free(mem);
}

static void put(struct store_vfs *vfs, const char *path, char c, size_t at, bool sync)
{
    struct store_file *f;
    assert_int_equal(store_file_open(vfs, path, RW, &f), BR_OK);
    assert_int_equal(store_file_write(f, &c, 1, (int64_t)at), BR_OK);
    if (sync)
        assert_int_equal(store_file_sync(f), BR_OK);
    store_file_close(f);
}

/* The file's content as text, or NULL. */
static char *text_of(struct store_vfs *vfs, const char *path)
{
    uint8_t *data = NULL;
    size_t len;
    return store_file_load(vfs, path, 100, &data, &len) == BR_OK ? (char *)data : NULL;
}

static void test_crash_keeps_what_was_synced_and_may_drop_the_rest(void **state)
{
    (void)state;
    unsigned kept = 0, dropped = 0, nameless = 0, holes = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct store_vfs_mem *mem = store_vfs_mem_new(seed);
        struct store_vfs *vfs = store_vfs_mem_vfs(mem);
        store_vfs_mem_set_faults(mem, "*", (struct store_mem_faults){.drop = 50, .reorder = 50});
        put(vfs, "synced", 'a', 0, true);
        assert_int_equal(store_dir_sync(vfs, "."), BR_OK);
        put(vfs, "synced", 'b', 1, false);
        put(vfs, "synced", 'c', 2, false);
        put(vfs, "new", 'x', 0, true); /* its bytes are safe, its name is not */
        struct store_file *dead;
        assert_int_equal(store_file_open(vfs, "synced", RW, &dead), BR_OK);
        store_vfs_mem_crash(mem);
        char c;
        assert_int_equal(store_file_read(dead, &c, 1, 0), BR_FAILED);
        assert_int_equal(store_file_write(dead, "z", 1, 0), BR_FAILED);
        assert_int_equal(store_file_sync(dead), BR_FAILED);
        store_file_close(dead);
        struct store_file *f;
        int64_t size;
        char got[3] = {0};
        assert_int_equal(store_file_open(vfs, "synced", RW, &f), BR_OK);
        assert_int_equal(store_file_size(f, &size), BR_OK);
        assert_int_equal(store_file_read(f, got, (size_t)size, 0), BR_OK);
        store_file_close(f);
        assert_int_equal(got[0], 'a');
        kept += got[1] == 'b' && got[2] == 'c';
        dropped += size == 1;
        holes += size == 3 && got[1] == 0;
        char *text = text_of(vfs, "new");
        nameless += text == NULL;
        if (text)
            assert_string_equal(text, "x");
        br_free(text);
        store_vfs_mem_free(mem);
    }
    assert_true(kept > 30 && dropped > 30 && nameless > 30 && holes > 10);
}

static void test_replace_is_all_or_nothing_at_every_failing_operation(void **state)
{
    (void)state;
    for (int op = STORE_MEM_WRITE; op <= STORE_MEM_RENAME; op++)
        for (unsigned long nth = 1; nth <= 4; nth++)
            for (uint64_t seed = 1; seed <= 20; seed++) {
                struct store_vfs_mem *mem = store_vfs_mem_new(seed);
                struct store_vfs *vfs = store_vfs_mem_vfs(mem);
                assert_int_equal(store_file_replace(vfs, "f", "old", 3), BR_OK);
                store_vfs_mem_fail_at(mem, (enum store_mem_op)op, nth, BR_IO);
                enum br_err err = store_file_replace(vfs, "f", "new", 3);
                store_vfs_mem_fail_at(mem, (enum store_mem_op)op, 0, BR_OK);
                store_vfs_mem_set_faults(mem, "*", (struct store_mem_faults){.drop = 60, .tear = 50, .garble = 50, .reorder = 50});
                store_vfs_mem_crash(mem);
                char *text = text_of(vfs, "f");
                assert_non_null(text);
                if (err == BR_OK || strcmp(text, "old") != 0)
                    assert_string_equal(text, "new");
                br_free(text);
                store_vfs_mem_free(mem);
            }
}

static void test_full_memory_disk_takes_what_fits_and_frees_what_is_unlinked(void **state)
{
    (void)state;
    struct store_vfs_mem *mem = store_vfs_mem_new(1);
    struct store_vfs *vfs = store_vfs_mem_vfs(mem);
    struct store_file *f;
    uint64_t left, total;
    store_vfs_mem_set_limit(mem, 10);
    assert_int_equal(store_file_open(vfs, "f", RW, &f), BR_OK);
    assert_int_equal(store_file_write(f, "12345678", 8, 0), BR_OK);
    assert_int_equal(store_file_write(f, "12345678", 8, 8), BR_NOSPACE);
    assert_int_equal(vfs->ops->space(vfs, "f", &left, &total), BR_OK);
    assert_true(left == 0 && total == 10);
    store_file_close(f);
    assert_int_equal(vfs->ops->unlink(vfs, "f"), BR_OK);
    assert_int_equal(vfs->ops->space(vfs, ".", &left, &total), BR_OK);
    assert_true(left == 10);
    store_vfs_mem_free(mem);
}

static void test_real_reads_past_the_end_and_without_waiting(void **state)
{
    (void)state;
    char path[600], c[2];
    struct store_file *f;
    snprintf(path, sizeof path, "%s/one", harness_tmpdir());
    put(store_vfs_posix(), path, 'q', 0, true);
    assert_int_equal(store_file_open(store_vfs_posix(), path, STORE_OPEN_READ, &f), BR_OK);
    assert_int_equal(store_file_read(f, c, 2, 0), BR_EOF);
    assert_int_equal(f->vfs->ops->readahead(f, 0, 4096), BR_OK);
    assert_int_equal(store_file_read_nowait(f, c, 1, 0), BR_OK);
    assert_int_equal(c[0], 'q');
    assert_true(store_file_fd(f) >= 0);
    store_file_close(f);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_trace_gives_the_same_answers_on_the_real_disk),
        cmocka_unit_test(test_lock_is_exclusive_until_close_on_both),
        cmocka_unit_test(test_crash_keeps_what_was_synced_and_may_drop_the_rest),
        cmocka_unit_test(test_replace_is_all_or_nothing_at_every_failing_operation),
        cmocka_unit_test(test_full_memory_disk_takes_what_fits_and_frees_what_is_unlinked),
        cmocka_unit_test(test_real_reads_past_the_end_and_without_waiting),
    };
    return harness_run("storage.vfs", tests, BR_COUNT(tests));
}
