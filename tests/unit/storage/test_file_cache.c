#include "tests/support/harness.h"
#include "compat/base/rand.h"
#include "storage/file_cache.h"
#include "storage/vfs_mem.h"

struct bench {
    struct store_vfs_mem *mem;
    struct store_vfs *vfs;
    struct store_file_cache *cache;
};

static void bench_init(struct bench *b, unsigned max)
{
    b->mem = store_vfs_mem_new(1);
    b->vfs = store_vfs_mem_vfs(b->mem);
    b->cache = store_file_cache_new(b->vfs, max);
    assert_int_equal(b->vfs->ops->mkdir(b->vfs, "t-1"), BR_OK);
    assert_int_equal(b->vfs->ops->mkdir(b->vfs, "t-10"), BR_OK);
}

static void bench_clear(struct bench *b)
{
    store_file_cache_free(b->cache);
    store_vfs_mem_free(b->mem);
}

static struct store_handle *take(struct bench *b, const char *path, int flags)
{
    struct store_handle *h = NULL;
    assert_int_equal(store_file_cache_acquire(b->cache, path, flags, &h), BR_OK);
    store_file_cache_check(b->cache);
    return h;
}

static void put(struct bench *b BR_UNUSED, struct store_handle *h, char c)
{
    assert_int_equal(store_file_write(store_handle_file(h), &c, 1, 0), BR_OK);
}

static char get(struct store_handle *h)
{
    char c = 0;
    assert_int_equal(store_file_read(store_handle_file(h), &c, 1, 0), BR_OK);
    return c;
}

enum { RW = STORE_OPEN_WRITE | STORE_OPEN_CREATE };

static void test_idle_files_stay_open_up_to_max_and_the_longest_unused_goes(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 3);
    char path[16];
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "f%d", i);
        struct store_handle *h = take(&b, path, RW);
        put(&b, h, (char)('a' + i));
        store_file_cache_release(b.cache, h);
        assert_true(store_file_cache_open_count(b.cache) <= 3);
    }
    struct store_handle *h = take(&b, "f0", STORE_OPEN_READ); /* closed meanwhile, with bytes never synced */
    assert_int_equal(get(h), 'a');
    store_file_cache_release(b.cache, h);
    bench_clear(&b);
}

static void test_referenced_files_stay_open_past_max(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 2);
    struct store_handle *h[5];
    char path[16];
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "f%d", i);
        h[i] = take(&b, path, RW);
        put(&b, h[i], (char)('a' + i));
    }
    assert_int_equal(store_file_cache_open_count(b.cache), 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(get(h[i]), 'a' + i);
    store_file_cache_ref(h[0]);
    store_file_cache_release(b.cache, h[0]);
    for (int i = 0; i < 5; i++)
        store_file_cache_release(b.cache, h[i]);
    assert_true(store_file_cache_open_count(b.cache) <= 2);
    store_file_cache_check(b.cache);
    bench_clear(&b);
}

static void test_same_path_is_one_descriptor_until_dropped(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 4);
    struct store_handle *one = take(&b, "f", RW), *two = take(&b, "f", STORE_OPEN_READ), *none;
    assert_ptr_equal(one, two);
    put(&b, one, 'x');
    assert_int_equal(store_file_cache_acquire(b.cache, "f", RW | STORE_OPEN_EXCL, &none), BR_EXISTS);
    store_file_cache_drop(b.cache, "f");
    assert_int_equal(b.vfs->ops->unlink(b.vfs, "f"), BR_OK);
    struct store_handle *fresh = take(&b, "f", RW | STORE_OPEN_EXCL);
    put(&b, fresh, 'y');
    assert_int_equal(get(two), 'x'); /* who held it reads on */
    store_file_cache_release(b.cache, one);
    store_file_cache_release(b.cache, two);
    assert_int_equal(store_file_cache_open_count(b.cache), 1);
    assert_int_equal(get(fresh), 'y');
    store_file_cache_release(b.cache, fresh);
    bench_clear(&b);
}

static void test_reader_then_writer_reopens_for_writing(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 4);
    struct store_handle *w = take(&b, "f", RW);
    put(&b, w, 'x');
    store_file_cache_drop(b.cache, "f");
    store_file_cache_release(b.cache, w);
    struct store_handle *r = take(&b, "f", STORE_OPEN_READ);
    w = take(&b, "f", STORE_OPEN_WRITE);
    put(&b, w, 'z');
    assert_int_equal(get(r), 'z');
    store_file_cache_release(b.cache, r);
    store_file_cache_release(b.cache, w);
    bench_clear(&b);
}

static void test_dropping_a_directory_leaves_its_longer_named_neighbour(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 8);
    struct store_handle *h = take(&b, "t-1/a", RW), *n = take(&b, "t-10/a", RW);
    store_file_cache_release(b.cache, h);
    store_file_cache_release(b.cache, n);
    store_file_cache_drop_dir(b.cache, "t-1");
    store_file_cache_check(b.cache);
    assert_int_equal(store_file_cache_open_count(b.cache), 1);
    bench_clear(&b);
}

static void test_missing_file_is_not_found_and_leaves_nothing(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 2);
    struct store_handle *h;
    assert_int_equal(store_file_cache_acquire(b.cache, "nothing", STORE_OPEN_READ, &h), BR_NOT_FOUND);
    assert_int_equal(store_file_cache_open_count(b.cache), 0);
    bench_clear(&b);
}

static void test_any_mix_of_calls_keeps_the_invariants(void **state)
{
    (void)state;
    struct bench b;
    struct store_handle *held[12] = {0};
    struct br_rand r;
    char path[16];
    br_rand_init(&r, 3);
    bench_init(&b, 5);
    for (int i = 0; i < 5000; i++) {
        size_t k = (size_t)br_rand_below(&r, BR_COUNT(held));
        snprintf(path, sizeof path, "t-1/%u", (unsigned)br_rand_below(&r, 9));
        if (held[k]) {
            store_file_cache_release(b.cache, held[k]);
            held[k] = NULL;
        } else {
            held[k] = take(&b, path, RW);
        }
        if (br_rand_chance(&r, 10))
            store_file_cache_drop(b.cache, path);
        if (br_rand_chance(&r, 2))
            store_file_cache_drop_dir(b.cache, "t-1");
        store_file_cache_check(b.cache);
    }
    for (size_t k = 0; k < BR_COUNT(held); k++)
        store_file_cache_release(b.cache, held[k]);
    bench_clear(&b);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_files_stay_open_up_to_max_and_the_longest_unused_goes),
        cmocka_unit_test(test_referenced_files_stay_open_past_max),
        cmocka_unit_test(test_same_path_is_one_descriptor_until_dropped),
        cmocka_unit_test(test_reader_then_writer_reopens_for_writing),
        cmocka_unit_test(test_dropping_a_directory_leaves_its_longer_named_neighbour),
        cmocka_unit_test(test_missing_file_is_not_found_and_leaves_nothing),
        cmocka_unit_test(test_any_mix_of_calls_keeps_the_invariants),
    };
    return harness_run("storage.file_cache", tests, BR_COUNT(tests));
}
