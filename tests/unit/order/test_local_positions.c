/* A sidecar that is damaged or gone gets its positions from the order log: the same cuts as before, whatever happens in between, and no wrong one meanwhile. */
#include "tests/unit/order/local_node.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"

#define RECORDS 240u

struct run {
    struct node n;
    struct store_vfs_mem *mem;
    int64_t cuts[RECORDS + 1][NODE_STREAMS]; /* [p]: offsets below it */
    uint32_t count;
};

static void put(struct run *r, unsigned stream)
{
    struct node_append *a;
    assert_true(r->count < RECORDS);
    assert_int_equal(node_append(&r->n, stream, r->count, 4000, 2000, &a), BR_OK);
    node_settle(&r->n, 0);
    assert_int_equal(a->result, BR_OK);
    node_append_free(a);
    memcpy(r->cuts[r->count + 1], r->cuts[r->count], sizeof r->cuts[0]);
    r->cuts[++r->count][stream]++;
}

/* A node with three segments or more in each stream, stopped. */
static struct run *new_run(uint64_t seed)
{
    struct run *r = br_alloc(sizeof *r);
    struct br_rand rand;
    br_rand_init(&rand, seed);
    r->mem = store_vfs_mem_new(seed);
    r->n = (struct node){.vfs = store_vfs_mem_vfs(r->mem), .dir = "data", .boot_id = "one", .journal_file_bytes = 1 << 20,
                         .class = {ORDER_FSYNC, ORDER_FSYNC, ORDER_PAGE_CACHE, ORDER_PAGE_CACHE}};
    assert_int_equal(node_open(&r->n), BR_OK);
    while (r->count < RECORDS - 20)
        put(r, (unsigned)br_rand_below(&rand, NODE_STREAMS));
    node_close(&r->n, true);
    return r;
}

static void free_run(struct run *r)
{
    if (r->n.d)
        node_close(&r->n, true);
    store_vfs_mem_free(r->mem);
    br_free(r);
}

struct names {
    char *list[64];
    unsigned count;
};
static enum br_err note_sidecar(void *ctx, const char *name)
{
    struct names *names = ctx;
    size_t len = strlen(name);
    if (len > 10 && strcmp(name + len - 10, ".positions") == 0)
        names->list[names->count++] = br_asprintf("%s", name);
    return BR_OK;
}

/* what: 0 removed, 1 the head is garbage, 2 the last row is garbage. Every `step`th sidecar of the stream. Returns how many. */
static unsigned damage(struct run *r, unsigned stream, unsigned step, unsigned what)
{
    struct names names = {.count = 0};
    unsigned done = 0;
    char *dir = br_asprintf("data/t-%u", stream);
    assert_int_equal(r->n.vfs->ops->list(r->n.vfs, dir, note_sidecar, &names), BR_OK);
    for (unsigned i = 0; i < names.count; i++) {
        char *path = br_asprintf("%s/%s", dir, names.list[i]);
        struct store_file *file;
        int64_t size;
        if (i % step == 0) {
            assert_int_equal(store_file_open(r->n.vfs, path, STORE_OPEN_READ, &file), BR_OK);
            assert_int_equal(store_file_size(file, &size), BR_OK);
            store_file_close(file);
            if (what == 0)
                assert_int_equal(r->n.vfs->ops->unlink(r->n.vfs, path), BR_OK);
            else
                node_overwrite(r->n.vfs, path, what == 1 ? 20 : size - 16, "garbage", 7);
            done++;
        }
        br_free(path);
        br_free(names.list[i]);
    }
    br_free(dir);
    return done;
}

/* Every cut, or BR_BUSY; returns how many were busy. */
static unsigned check_cuts(struct run *r)
{
    unsigned busy = 0;
    for (uint32_t p = 0; p <= r->count; p++) {
        for (unsigned s = 0; s < NODE_STREAMS; s++) {
            int64_t offset;
            enum br_err err = store_log_cut(r->n.streams[s]->store->log, p, &offset);
            if (err == BR_BUSY) {
                busy++;
                continue;
            }
            assert_int_equal(err, BR_OK);
            assert_int_equal(offset, r->cuts[p][s]);
        }
    }
    return busy;
}

static void feed(struct run *r)
{
    for (int i = 0; i < 100; i++)
        order_local_turn(r->n.d, 0);
    assert_false(order_local_has_work(r->n.d));
}

static void test_a_lost_sidecar_gets_its_positions_back(void **state BR_UNUSED)
{
    for (unsigned what = 0; what < 3; what++) {
        struct run *r = new_run(what + 1);
        assert_int_equal(node_open(&r->n), BR_OK);
        assert_int_equal(check_cuts(r), 0);
        node_close(&r->n, true);
        assert_true(damage(r, 1, 2, what) >= 2);
        damage(r, 3, 1, what);
        assert_int_equal(node_open(&r->n), BR_OK);
        assert_true(check_cuts(r) > 0);
        put(r, 1); /* life goes on meanwhile */
        feed(r);
        assert_int_equal(check_cuts(r), 0);
        put(r, 3);
        put(r, 1);
        assert_int_equal(check_cuts(r), 0);
        node_close(&r->n, true);
        assert_int_equal(node_open(&r->n), BR_OK); /* written down: nothing is left to do */
        assert_int_equal(check_cuts(r), 0);
        free_run(r);
    }
}

static void test_a_crash_while_positions_come_back_begins_again(void **state BR_UNUSED)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct run *r = new_run(seed);
        damage(r, (unsigned)(seed % NODE_STREAMS), 1, (unsigned)(seed % 3));
        r->n.class[2] = r->n.class[3] = ORDER_FSYNC; /* what is put must stay */
        assert_int_equal(node_open(&r->n), BR_OK);
        assert_true(check_cuts(r) > 0);
        for (uint64_t i = 0; i < seed % 4; i++)
            put(r, (unsigned)((seed + i) % NODE_STREAMS));
        store_vfs_mem_fail_from(r->mem, seed & 1 ? STORE_MEM_WRITE : STORE_MEM_SYNC, 1 + seed / 4, BR_IO);
        for (int i = 0; i < 100; i++)
            order_local_turn(r->n.d, 0);
        node_crash(&r->n, r->mem, (struct store_mem_faults){.drop = 50, .reorder = 50, .tear = 30});
        assert_int_equal(node_open(&r->n), BR_OK);
        check_cuts(r); /* never a wrong one */
        feed(r);
        assert_int_equal(check_cuts(r), 0);
        free_run(r);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_lost_sidecar_gets_its_positions_back),
    cmocka_unit_test(test_a_crash_while_positions_come_back_begins_again),
};
HARNESS_MAIN("order.local_positions", tests)
