/* What the embedded driver does when things fail: a full disk, a failed write or sync, a crash at each operation of a checkpoint, a stop and a
 * recovery, a class that changes, more than the journal can take. Whatever happens, what was acknowledged stays (S-20, O-20). */
#include "tests/unit/order/local_node.h"
#include "compat/base/mem.h"

static const struct store_mem_faults drop = {.drop = 100, .reorder = 50, .tear = 50};

struct mem_node {
    struct node n;
    struct store_vfs_mem *mem;
};

static struct mem_node *new_node(uint64_t seed)
{
    struct mem_node *m = br_alloc(sizeof *m);
    m->mem = store_vfs_mem_new(seed);
    m->n = (struct node){.vfs = store_vfs_mem_vfs(m->mem), .dir = "data", .boot_id = "one", .journal_file_bytes = 65536,
                         .class = {ORDER_FSYNC, ORDER_FSYNC, ORDER_PAGE_CACHE, ORDER_PAGE_CACHE}};
    return m;
}

static void free_node(struct mem_node *m)
{
    if (m->n.d)
        node_close(&m->n, true);
    store_vfs_mem_free(m->mem);
    br_free(m);
}

static void die(struct mem_node *m, bool power)
{
    if (power)
        node_crash(&m->n, m->mem, drop);
    else
        node_kill(&m->n, m->mem);
}

static void reopen(struct mem_node *m)
{
    enum br_err err = node_open(&m->n);
    if (err != BR_OK)
        print_error("open: %s %s\n", br_err_text(err), m->n.eb.text);
    assert_int_equal(err, BR_OK);
}

static void test_what_was_appended_is_done_stable_readable_and_there_after_a_kill(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct store_order_row rows[8];
    unsigned count;
    reopen(m);
    assert_true(n->identity.is_new);
    for (uint32_t i = 0; i < NODE_STREAMS; i++) {
        assert_int_equal(node_put(n, i, 100 + i), BR_OK);
        assert_int_equal(n->streams[i]->done_end, 1);
    }
    assert_int_equal(order_local_stable(n->d).value, 4);
    for (int life = 0; life < 2; life++) {
        assert_int_equal(order_local_read(n->d, order_position(0), rows, 8, &count, NULL), BR_OK);
        assert_int_equal(count, 4);
        for (uint32_t i = 0; i < 4; i++) {
            assert_int_equal(rows[i].position, i);
            assert_int_equal(rows[i].stream, i + 2);
            assert_int_equal(rows[i].base_offset, 0);
            assert_true(node_has(n, i, 0, 100 + i));
        }
        node_kill(n, m->mem);
        reopen(m);
        assert_false(n->identity.was_clean);
        assert_false(n->identity.lost_power);
        assert_int_equal(order_local_stable(n->d).value, 4);
    }
    free_node(m);
}

/* O-21: fsync after page-cache: the earlier batches lie before the acknowledged one, so they must be on the disk too. */
static void test_a_stream_that_becomes_fsync_keeps_what_it_acknowledges_from_then_on(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct mem_node *m = new_node(seed);
        struct node *n = &m->n;
        enum br_err err;
        reopen(m);
        uint32_t count = 0;
        for (uint32_t flips = 0; flips < 3; flips++) {
            n->streams[2]->class = ORDER_PAGE_CACHE;
            for (uint32_t i = 0; i <= seed % 4; i++)
                assert_int_equal(node_put(n, 2, count++), BR_OK);
            if (seed % 3 == 0) { /* a checkpoint that began before the last of them does not count */
                assert_int_equal(store_checkpoint(n->store, order_local_tail(n->d).value, n->identity.starts, 0, NULL, NULL), BR_OK);
                assert_int_equal(node_put(n, 2, count++), BR_OK);
            }
            n->streams[2]->class = ORDER_FSYNC;
            for (int turns = 0; (err = node_put(n, 2, count)) == BR_FULL; turns++) {
                assert_true(turns < 5);
                order_local_turn(n->d, 3000);
                store_io_pool_drain(n->pool);
            }
            assert_int_equal(err, BR_OK); /* acknowledged as fsync */
            count++;
        }
        n->boot_id = "two";
        node_crash(n, m->mem, drop);
        reopen(m);
        assert_true(n->identity.lost_power);
        assert_int_equal(node_end(n, 2), count);
        for (uint32_t i = 0; i < count; i++)
            assert_true(node_has(n, 2, i, i));
        free_node(m);
    }
}

/* O-22: fails each single operation of a stop in turn. A clean mark says that nothing needs the journal or the page cache. */
static void test_a_stop_is_clean_only_when_its_checkpoint_is_on_the_disk(void **state)
{
    (void)state;
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    unsigned clean_count = 0, unclean_count = 0;
    for (unsigned k = 0; k < BR_COUNT(ops); k++) {
        for (unsigned long nth = 1; nth < 40; nth++) {
            struct mem_node *m = new_node(nth);
            struct node *n = &m->n;
            reopen(m);
            for (uint32_t i = 0; i < 8; i++)
                assert_int_equal(node_put(n, i % 4, i), BR_OK);
            store_vfs_mem_fail_at(m->mem, ops[k], nth, nth % 2 ? BR_NOSPACE : BR_IO);
            node_close(n, true);
            store_vfs_mem_fail_at(m->mem, ops[k], 0, BR_OK);
            n->boot_id = "two";
            node_crash(n, m->mem, drop);
            reopen(m);
            if (n->identity.was_clean) {
                for (uint32_t i = 0; i < 8; i++)
                    assert_true(node_has(n, i % 4, i / 4, i));
                assert_int_equal(order_local_stable(n->d).value, 8);
            } else {
                assert_true(n->identity.lost_power);
                assert_true(order_local_stable(n->d).value >= n->identity.position_ceiling);
            }
            n->identity.was_clean ? clean_count++ : unclean_count++;
            for (uint32_t i = 0; i < 8; i++)
                assert_true(i % 4 >= 2 || node_has(n, i % 4, i / 4, i)); /* fsync: always */
            free_node(m);
        }
    }
    assert_true(clean_count > 0 && unclean_count > 0);
}

static void test_a_batch_that_no_journal_file_holds_is_refused_and_the_node_goes_on(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_append *a;
    reopen(m);
    assert_int_equal(node_append(n, 0, 1, 70000, 2000, &a), BR_TOO_LARGE);
    assert_int_equal(node_end(n, 0), 0); /* nothing was assigned */
    assert_int_equal(node_append(n, 2, 2, 70000, 2000, &a), BR_OK); /* page-cache: the journal has its row only */
    node_settle(n, 0);
    assert_int_equal(a->result, BR_OK);
    node_append_free(a);
    assert_int_equal(node_put(n, 0, 3), BR_OK);
    assert_int_equal(n->failed_count, 0);
    free_node(m);
}

static void test_a_turn_with_more_than_the_journal_takes_is_refused_in_part_and_the_node_goes_on(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_append *all[200];
    unsigned count = 0;
    reopen(m);
    enum br_err err = BR_OK;
    while (count < 200 && (err = node_append(n, 0, count, 40000, 2000, &all[count])) == BR_OK) /* one a file */
        count++;
    assert_int_equal(err, BR_FULL);
    assert_true(count > 10);
    assert_int_equal(node_end(n, 0), count);
    node_settle(n, 0);
    for (unsigned i = 0; i < count; i++) {
        assert_true(all[i]->is_told);
        assert_int_equal(all[i]->result, BR_OK);
        node_append_free(all[i]);
    }
    assert_int_equal(node_put(n, 0, 1000), BR_OK);
    assert_int_equal(n->failed_count, 0);
    free_node(m);
}

static void test_a_full_disk_refuses_before_anything_is_assigned_and_writes_resume_by_themselves(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    uint32_t counts[NODE_STREAMS] = {0};
    reopen(m);
    store_vfs_mem_set_limit(m->mem, 3 << 20);
    for (unsigned round = 0; round < 3; round++) {
        enum br_err err;
        for (unsigned i = 0; i < NODE_STREAMS; i++) {
            for (;;) {
                struct node_append *a;
                uint32_t value = i * 100000 + counts[i];
                err = node_append(n, i, value, 5000, 2000, &a);
                if (err != BR_OK)
                    break;
                node_settle(n, 1);
                assert_int_equal(a->result, BR_OK);
                node_append_free(a);
                counts[i]++;
                assert_true(counts[i] < 10000);
            }
            assert_int_equal(err, BR_NOSPACE);
            assert_int_equal(node_end(n, i), counts[i]);
        }
        assert_int_equal(n->failed_count, 0); /* nothing had to be given up */
        assert_true(node_has(n, 0, 0, 0)); /* reads go on */
        if (round == 1) { /* a start while it is full */
            node_kill(n, m->mem);
            reopen(m);
            for (unsigned i = 0; i < NODE_STREAMS; i++)
                assert_int_equal(node_end(n, i), counts[i]);
        }
        store_vfs_mem_set_limit(m->mem, (uint64_t)(6 + 3 * round) << 20); /* space returns */
    }
    for (unsigned i = 0; i < NODE_STREAMS; i++)
        for (uint32_t k = 0; k < counts[i]; k++)
            assert_true(node_has(n, i, k, i * 100000 + k));
    free_node(m);
}

static void test_a_failed_sync_tells_the_waiting_refuses_writes_once_for_all_and_leaves_reads(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_append *a, *b;
    reopen(m);
    assert_int_equal(node_put(n, 0, 1), BR_OK);
    assert_int_equal(node_put(n, 2, 2), BR_OK);
    store_vfs_mem_fail_at(m->mem, STORE_MEM_SYNC, 1, BR_IO);
    assert_int_equal(node_append(n, 0, 3, 100, 2000, &a), BR_OK);
    assert_int_equal(node_append(n, 1, 4, 100, 2000, &b), BR_OK);
    node_settle(n, 0);
    assert_true(a->is_told && b->is_told);
    assert_int_equal(a->result, BR_FAILED);
    assert_int_equal(b->result, BR_FAILED);
    node_append_free(a);
    node_append_free(b);
    assert_int_equal(n->streams[0]->done_end, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(node_append(n, 0, 5, 100, 2000, &a), BR_FAILED);
        assert_int_equal(node_append(n, 2, 5, 100, 2000, &a), BR_FAILED);
        node_settle(n, 1);
    }
    assert_int_equal(n->failed_count, 1);
    assert_int_equal(n->failed, BR_IO);
    assert_true(node_has(n, 0, 0, 1) && node_has(n, 2, 0, 2));
    node_close(n, true); /* asked for, not granted */
    reopen(m);
    assert_false(n->identity.was_clean);
    assert_true(node_has(n, 0, 0, 1) && node_has(n, 2, 0, 2));
    free_node(m);
}

static void test_a_failed_journal_write_refuses_the_turn_and_what_was_acknowledged_stays(void **state)
{
    (void)state;
    static const enum br_err errs[] = {BR_IO, BR_NOSPACE};
    for (unsigned e = 0; e < BR_COUNT(errs); e++) {
        struct mem_node *m = new_node(e + 1);
        struct node *n = &m->n;
        struct node_append *a, *b;
        reopen(m);
        assert_int_equal(node_put(n, 0, 1), BR_OK);
        assert_int_equal(node_append(n, 0, 2, 100, 2000, &a), BR_OK);
        assert_int_equal(node_append(n, 3, 3, 100, 2000, &b), BR_OK);
        store_vfs_mem_fail_at(m->mem, STORE_MEM_WRITE, 1, errs[e]);
        node_settle(n, 0);
        assert_int_equal(a->result, BR_FAILED);
        assert_int_equal(b->result, BR_FAILED);
        assert_int_equal(n->failed_count, 1);
        node_append_free(a);
        node_append_free(b);
        node_close(n, true);
        reopen(m);
        assert_false(n->identity.was_clean);
        assert_int_equal(node_end(n, 0), 1);
        assert_int_equal(node_end(n, 3), 0);
        assert_int_equal(node_put(n, 0, 4), BR_OK);
        assert_true(node_has(n, 0, 1, 4));
        free_node(m);
    }
}

static void test_an_io_error_of_a_segment_ends_all_writes_and_a_full_disk_does_not(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_append *a, *waiting;
    reopen(m);
    assert_int_equal(node_put(n, 0, 1), BR_OK);
    store_vfs_mem_fail_at(m->mem, STORE_MEM_WRITE, 1, BR_NOSPACE);
    assert_int_equal(node_append(n, 0, 2, 100, 2000, &a), BR_NOSPACE);
    assert_int_equal(node_put(n, 0, 3), BR_OK);
    assert_true(node_has(n, 0, 1, 3));
    assert_int_equal(node_append(n, 1, 4, 100, 2000, &waiting), BR_OK);
    store_vfs_mem_fail_at(m->mem, STORE_MEM_WRITE, 1, BR_IO);
    assert_int_equal(node_append(n, 0, 5, 100, 2000, &a), BR_IO);
    assert_false(waiting->is_told); /* never from within order_append */
    assert_int_equal(node_append(n, 1, 6, 100, 2000, &a), BR_FAILED);
    node_settle(n, 0);
    assert_int_equal(waiting->result, BR_FAILED);
    node_append_free(waiting);
    assert_int_equal(n->failed_count, 1);
    node_close(n, true);
    reopen(m);
    assert_false(n->identity.was_clean);
    assert_int_equal(node_end(n, 0), 2);
    assert_int_equal(node_end(n, 1), 0);
    free_node(m);
}

/* S-21: DeleteRecords up to the end while appends go on, then a kill: the appends are in the segment that the trim would have emptied. */
static void test_appends_beside_a_trim_up_to_the_end_survive_a_kill(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NODE_STREAMS; i++) {
        struct mem_node *m = new_node(i + 1);
        struct node *n = &m->n;
        struct node_append *a;
        reopen(m);
        for (uint32_t k = 0; k < 5; k++)
            assert_int_equal(node_put(n, i, k), BR_OK);
        assert_int_equal(order_local_trim(n->d, n->streams[i], 5, NULL, NULL), BR_OK);
        assert_int_equal(node_append(n, i, 5, 100, 2000, &a), BR_OK);
        node_settle(n, 0);
        assert_int_equal(a->result, BR_OK);
        node_append_free(a);
        assert_int_equal(node_put(n, i, 6), BR_OK);
        assert_int_equal(store_log_state(n->streams[i]->store->log)->start, 5);
        node_kill(n, m->mem);
        reopen(m);
        assert_int_equal(store_log_state(n->streams[i]->store->log)->start, 5);
        assert_int_equal(node_end(n, i), 7);
        assert_true(node_has(n, i, 5, 5) && node_has(n, i, 6, 6));
        free_node(m);
    }
}

static void checkpoint_result(void *ctx, enum br_err err)
{
    *(enum br_err *)ctx = err;
}

/* Each operation of a checkpoint fails in turn, then the process or the machine dies. */
static void test_a_checkpoint_that_fails_anywhere_loses_nothing(void **state)
{
    (void)state;
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    for (unsigned k = 0; k < BR_COUNT(ops); k++) {
        bool is_past = false;
        for (unsigned long nth = 1; nth < 60 && !is_past; nth++) {
            struct mem_node *m = new_node(nth);
            struct node *n = &m->n;
            enum br_err result = BR_BUSY;
            reopen(m);
            for (uint32_t i = 0; i < 12; i++)
                assert_int_equal(node_put(n, i % 4, i), BR_OK);
            unsigned long before = store_vfs_mem_op_count(m->mem, ops[k]);
            store_vfs_mem_fail_from(m->mem, ops[k], nth, BR_IO);
            assert_int_equal(store_checkpoint(n->store, order_local_tail(n->d).value, n->identity.starts, 12, checkpoint_result, &result), BR_OK);
            store_io_pool_run(n->pool, 1);
            if (nth % 2) { /* an append races with it */
                struct node_append *a;
                if (node_append(n, 0, 12, 100, 2000, &a) == BR_OK) {
                    node_settle(n, 0);
                    node_append_free(a);
                }
            }
            store_io_pool_reap(n->pool);
            is_past = store_vfs_mem_op_count(m->mem, ops[k]) - before < nth;
            if (is_past)
                assert_int_equal(result, BR_OK);
            bool power = nth % 3 == 0;
            n->boot_id = power ? "two" : "one";
            die(m, power);
            reopen(m);
            for (uint32_t i = 0; i < 12; i++)
                assert_true((power && i % 4 >= 2 && result != BR_OK) || node_has(n, i % 4, i / 4, i));
            free_node(m);
        }
        assert_true(is_past);
    }
}

static void test_a_checkpoint_on_a_full_disk_leaves_the_old_state_and_is_not_tried_each_turn(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_append *a;
    uint32_t count = 0;
    reopen(m);
    while (store_journal_bytes(store_journal(n->store)) < 70000) {
        assert_int_equal(node_append(n, 0, count++, 1000, 2000, &a), BR_OK);
        node_settle(n, 0); /* time 0: no checkpoint */
        node_append_free(a);
    }
    store_vfs_mem_fail_from(m->mem, STORE_MEM_RENAME, 1, BR_NOSPACE);
    unsigned tries = 0;
    for (int64_t now_ms = 100000; now_ms < 100100; now_ms++) { /* a hundred turns in a tenth of a second */
        order_local_turn(n->d, now_ms);
        tries += store_io_pool_busy(n->pool) > 0;
        store_io_pool_drain(n->pool);
    }
    assert_true(tries >= 1 && tries <= 2);
    assert_int_equal(n->failed_count, 0);
    store_vfs_mem_fail_from(m->mem, STORE_MEM_RENAME, 0, BR_OK);
    order_local_turn(n->d, 200000); /* later it is */
    assert_true(store_io_pool_busy(n->pool) > 0);
    store_io_pool_drain(n->pool);
    assert_int_equal(store_journal_bytes(store_journal(n->store)), 0);
    node_kill(n, m->mem);
    reopen(m);
    assert_int_equal(node_end(n, 0), count);
    free_node(m);
}

/* A sync that failed for want of space has lost pages all the same: later syncs prove nothing. */
static void test_a_sync_that_finds_the_disk_full_is_a_failed_sync(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    enum br_err result = BR_OK;
    reopen(m);
    assert_int_equal(node_put(n, 2, 1), BR_OK);
    store_vfs_mem_fail_at(m->mem, STORE_MEM_SYNC, 1, BR_NOSPACE);
    assert_int_equal(store_checkpoint(n->store, order_local_tail(n->d).value, n->identity.starts, 1, checkpoint_result, &result), BR_OK);
    store_io_pool_drain(n->pool);
    assert_int_equal(result, BR_IO);
    order_local_turn(n->d, 1);
    assert_int_equal(n->failed_count, 1);
    free_node(m);
}

/* Recovery dies at each of its operations, several times over, and the one that is let through has everything. */
static void test_a_recovery_that_dies_anywhere_can_begin_again(void **state)
{
    (void)state;
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct mem_node *m = new_node(seed);
        struct node *n = &m->n;
        bool power = seed % 2;
        reopen(m);
        for (uint32_t i = 0; i < 40; i++) {
            assert_int_equal(node_put(n, i % 4, i), BR_OK);
            if (i == 20)
                store_io_pool_drain(n->pool);
            if (i == 15)
                assert_int_equal(store_checkpoint(n->store, order_local_tail(n->d).value, n->identity.starts, 16, NULL, NULL), BR_OK);
        }
        uint64_t stable = order_local_stable(n->d).value;
        n->boot_id = power ? "two" : "one";
        die(m, power);
        bool is_open = false;
        for (unsigned long nth = 1; !is_open; nth += 1 + seed % 3) {
            assert_true(nth < 300);
            store_vfs_mem_fail_from(m->mem, ops[seed % 3], nth, BR_IO);
            is_open = node_open(n) == BR_OK;
            store_vfs_mem_fail_from(m->mem, ops[seed % 3], 0, BR_OK);
            die(m, power);
        }
        reopen(m);
        assert_true(order_local_stable(n->d).value >= stable);
        for (uint32_t i = 0; i < 40; i++)
            assert_true((power && i % 4 >= 2 && i > 15) || node_has(n, i % 4, i / 4, i));
        struct store_order_row row;
        unsigned count;
        for (uint64_t p = 0; !power && p < 40; p++) { /* as they were shown */
            assert_int_equal(order_local_read(n->d, order_position(p), &row, 1, &count, NULL), BR_OK);
            assert_int_equal(count, 1);
            assert_int_equal(row.position, p);
            assert_int_equal(row.stream, p % 4 + 2);
            assert_int_equal(row.base_offset, p / 4);
        }
        free_node(m);
    }
}

/* --- S-7: what a replay acts upon is durable --- */

static struct store_vfs_mem *catalog_mem;

/* The entry deletes a topic, the pool is at once done with its files, and the start dies. */
static void delete_and_die(struct node *n, const struct store_row *row)
{
    (void)row;
    store_stream_remove(n->store, 2);
    store_io_pool_drain(n->pool);
    store_vfs_mem_fail_from(catalog_mem, STORE_MEM_SYNC, 1, BR_IO);
}

static unsigned catalog_seen;

static void note_catalog(struct node *n, const struct store_row *row)
{
    (void)row;
    store_stream_remove(n->store, 2);
    catalog_seen++;
}

static void test_an_entry_that_a_replay_acts_upon_cannot_be_lost_afterwards(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct mem_node *m = new_node(seed);
        struct node *n = &m->n;
        struct node_append *a;
        catalog_mem = m->mem;
        catalog_seen = 0;
        reopen(m);
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(node_put(n, 0, i), BR_OK);
        store_io_pool_drain(n->pool);
        assert_int_equal(store_checkpoint(n->store, order_local_tail(n->d).value, n->identity.starts, 5, NULL, NULL), BR_OK);
        store_io_pool_drain(n->pool);
        assert_int_equal(node_append_kind(n, store_stream_find(n->store, 1)->owner, ORDER_CATALOG, 9, 100, 2000, &a), BR_OK);
        order_local_turn(n->d, 0); /* written, not synced */
        node_kill(n, m->mem);
        node_append_free(a);
        n->on_catalog = delete_and_die;
        assert_int_not_equal(node_open(n), BR_OK);
        store_vfs_mem_fail_from(m->mem, STORE_MEM_SYNC, 0, BR_OK);
        n->boot_id = "two";
        node_crash(n, m->mem, drop);
        n->on_catalog = note_catalog;
        reopen(m);
        assert_int_equal(catalog_seen, 1); /* the files may be gone, so the entry that said so must be there */
        assert_null(n->streams[0]);
        free_node(m);
    }
}

/* --- the machine's boot id --- */

static void test_a_machine_that_does_not_say_its_boot_counts_as_restarted(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    n->boot_id = "";
    reopen(m);
    assert_int_equal(node_put(n, 0, 1), BR_OK);
    node_kill(n, m->mem);
    reopen(m);
    assert_true(n->identity.lost_power);
    assert_true(node_has(n, 0, 0, 1));
    assert_true(order_local_stable(n->d).value >= n->identity.position_ceiling);
    free_node(m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_what_was_appended_is_done_stable_readable_and_there_after_a_kill),
    cmocka_unit_test(test_a_stream_that_becomes_fsync_keeps_what_it_acknowledges_from_then_on),
    cmocka_unit_test(test_a_stop_is_clean_only_when_its_checkpoint_is_on_the_disk),
    cmocka_unit_test(test_a_batch_that_no_journal_file_holds_is_refused_and_the_node_goes_on),
    cmocka_unit_test(test_a_turn_with_more_than_the_journal_takes_is_refused_in_part_and_the_node_goes_on),
    cmocka_unit_test(test_a_full_disk_refuses_before_anything_is_assigned_and_writes_resume_by_themselves),
    cmocka_unit_test(test_a_failed_sync_tells_the_waiting_refuses_writes_once_for_all_and_leaves_reads),
    cmocka_unit_test(test_a_failed_journal_write_refuses_the_turn_and_what_was_acknowledged_stays),
    cmocka_unit_test(test_an_io_error_of_a_segment_ends_all_writes_and_a_full_disk_does_not),
    cmocka_unit_test(test_appends_beside_a_trim_up_to_the_end_survive_a_kill),
    cmocka_unit_test(test_a_checkpoint_that_fails_anywhere_loses_nothing),
    cmocka_unit_test(test_a_checkpoint_on_a_full_disk_leaves_the_old_state_and_is_not_tried_each_turn),
    cmocka_unit_test(test_a_sync_that_finds_the_disk_full_is_a_failed_sync),
    cmocka_unit_test(test_a_recovery_that_dies_anywhere_can_begin_again),
    cmocka_unit_test(test_an_entry_that_a_replay_acts_upon_cannot_be_lost_afterwards),
    cmocka_unit_test(test_a_machine_that_does_not_say_its_boot_counts_as_restarted),
};
HARNESS_MAIN("local_faults", tests)
