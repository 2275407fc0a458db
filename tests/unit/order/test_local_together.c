/* Appends that belong together (O-23): consecutive positions named by the first, refused with nothing assigned, and after a kill or a loss of power at any
 * operation all there or none. */
#include "tests/unit/order/local_node.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"

static const struct store_mem_faults faults = {.drop = 60, .reorder = 50, .tear = 60, .garble = 30};

struct mem_node {
    struct node n;
    struct store_vfs_mem *mem;
};

static struct mem_node *new_node(uint64_t seed)
{
    struct mem_node *m = br_alloc(sizeof *m);
    m->mem = store_vfs_mem_new(seed);
    m->n = (struct node){.vfs = store_vfs_mem_vfs(m->mem), .dir = "data", .boot_id = "one", .journal_file_bytes = 65536,
                         .class = {ORDER_FSYNC, ORDER_FSYNC, ORDER_FSYNC, ORDER_PAGE_CACHE}};
    assert_int_equal(node_open(&m->n), BR_OK);
    return m;
}

static void free_node(struct mem_node *m)
{
    if (m->n.d)
        node_close(&m->n, true);
    store_vfs_mem_free(m->mem);
    br_free(m);
}

static void test_they_take_consecutive_positions_and_their_rows_say_first_and_last(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_together *t;
    struct store_order_row rows[8];
    int culprit;
    unsigned count;
    assert_int_equal(node_put(n, 0, 1), BR_OK);
    assert_int_equal(node_append_together(n, 0, 3, 2, 100, &t, &culprit), BR_OK);
    for (unsigned i = 0, at = 1; i < 3; at += ++i) {
        assert_int_equal(t->pieces[i].ticket.position.value, at);
        assert_int_equal(t->pieces[i].ticket.end_offset - t->pieces[i].ticket.base_offset, i + 1);
        assert_int_equal(t->pieces[i].ticket.s, t->pieces[0].ticket.s + i);
    }
    node_settle(n, 0);
    assert_int_equal(t->told, 3);
    assert_int_equal(t->result, BR_OK);
    node_together_free(t);
    assert_int_equal(node_put(n, 1, 3), BR_OK);
    for (int life = 0; life < 2; life++) { /* a replay gives the same flags */
        static const uint8_t want[] = {STORE_ORDER_FIRST | STORE_ORDER_LAST, STORE_ORDER_FIRST, 0, STORE_ORDER_LAST, STORE_ORDER_FIRST | STORE_ORDER_LAST};
        assert_int_equal(order_local_read(n->d, order_position(0), rows, 8, &count, NULL), BR_OK);
        assert_int_equal(count, 5);
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(rows[i].flags, want[i]);
        assert_int_equal(order_local_stable(n->d).value, 8);
        node_kill(n, m->mem);
        assert_int_equal(node_open(n), BR_OK);
    }
    free_node(m);
}

static void test_a_refusal_assigns_nothing_and_the_node_goes_on(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_together *t;
    int culprit;
    node_close(n, true);
    n->ring_entries = 8;
    assert_int_equal(node_open(n), BR_OK);
    assert_int_equal(node_append_together(n, 1, 3, 1, 100, &t, &culprit), BR_INVALID); /* the third is of class page-cache */
    assert_int_equal(culprit, 2);
    node_together_free(t);
    assert_int_equal(node_append_together(n, 0, 3, 1, 12000, &t, &culprit), BR_TOO_LARGE); /* each fits a journal file, all do not */
    assert_int_equal(culprit, -1);
    node_together_free(t);
    struct node_append *a[6];
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(node_append(n, 3, i, 100, 2000, &a[i]), BR_OK);
    assert_int_equal(node_append_together(n, 0, 3, 1, 100, &t, &culprit), BR_FULL); /* two slots are left */
    node_together_free(t);
    store_vfs_mem_set_limit(m->mem, 1);
    assert_int_equal(node_append_together(n, 0, 2, 1, 100, &t, &culprit), BR_NOSPACE);
    node_together_free(t);
    store_vfs_mem_set_limit(m->mem, 0);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(node_end(n, i), 0);
    assert_int_equal(node_append_together(n, 0, 2, 1, 100, &t, &culprit), BR_OK);
    node_settle(n, 0);
    assert_int_equal(t->told, 2);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(a[i]->result, BR_OK);
        node_append_free(a[i]);
    }
    assert_int_equal(n->failed_count, 0);
    node_together_free(t);
    free_node(m);
}

static void test_a_device_that_fails_between_two_of_them_ends_the_writes_and_leaves_none(void **state)
{
    (void)state;
    for (unsigned long nth = 1; nth <= 4; nth++) /* the third is the last one's segment, the fourth the journal */
        for (int err = 0; err < 2; err++) {
            struct mem_node *m = new_node(nth);
            struct node *n = &m->n;
            struct node_together *t;
            int culprit;
            for (unsigned i = 0; i < 3; i++)
                assert_int_equal(node_put(n, i, 1), BR_OK);
            store_vfs_mem_fail_at(m->mem, STORE_MEM_WRITE, nth, err ? BR_NOSPACE : BR_IO);
            enum br_err got = node_append_together(n, 0, 3, 2, 100, &t, &culprit);
            assert_int_equal(got, nth == 4 ? BR_OK : nth == 1 && err ? BR_NOSPACE : BR_IO);
            node_settle(n, 0);
            assert_int_equal(t->told, nth == 4 ? 3 : 0); /* of what was refused nobody hears twice */
            if (nth == 4)
                assert_int_equal(t->result, BR_FAILED);
            assert_int_equal(n->failed_count, nth > 1 || !err);
            node_together_free(t);
            node_close(n, true);
            assert_int_equal(node_open(n), BR_OK);
            for (unsigned i = 0; i < 3; i++) {
                assert_int_equal(node_end(n, i), 1);
                assert_int_equal(node_put(n, i, 3), BR_OK);
            }
            free_node(m);
        }
}

/* Not of several, but of what is borrowed: a topic may be deleted in the turn of its last append. */
static void test_who_waits_for_a_stream_that_goes_is_told_after_the_journal_has_the_bytes(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_append *a;
    assert_int_equal(node_append(n, 0, 1, 20000, 2000, &a), BR_OK);
    order_local_stream_free(n->d, n->streams[0]);
    n->streams[0] = NULL;
    assert_false(a->is_told);
    order_local_turn(n->d, 0);
    assert_true(a->is_told);
    assert_int_equal(a->result, BR_CLOSED);
    node_append_free(a);
    node_settle(n, 0);
    assert_int_equal(node_put(n, 1, 2), BR_OK);
    free_node(m);
}

/* --- ahead of what is stable --- */

/* O-24: while a sync runs the order round waits, and page-cache entries are done long before they are stable. */
static void test_what_is_done_is_shown_ahead_up_to_the_first_that_is_not_O_24(void **state)
{
    (void)state;
    struct mem_node *m = new_node(1);
    struct node *n = &m->n;
    struct node_append *a[6];
    struct store_order_row ahead[8], rows[8];
    unsigned count;
    assert_int_equal(node_put(n, 0, 1), BR_OK);
    assert_int_equal(order_local_read_ahead(n->d, order_position(0), ahead, 8), 0);
    assert_int_equal(node_append(n, 3, 2, 100, 2000, &a[0]), BR_OK);
    assert_int_equal(node_append(n, 3, 3, 100, 2000, &a[1]), BR_OK);
    assert_int_equal(order_local_read_ahead(n->d, order_position(0), ahead, 8), 0); /* not written */
    assert_int_equal(node_append(n, 0, 4, 100, 2000, &a[2]), BR_OK);
    assert_int_equal(node_append(n, 3, 5, 100, 2000, &a[3]), BR_OK);
    order_local_turn(n->d, 0); /* the sync for the third has begun */
    assert_true(a[0]->is_told && a[1]->is_told && !a[2]->is_told && a[3]->is_told);
    assert_int_equal(order_local_stable(n->d).value, 1);
    assert_int_equal(order_local_read_ahead(n->d, order_position(0), ahead, 8), 2); /* the fourth is done, and follows one that is not */
    assert_int_equal(order_local_read_ahead(n->d, order_position(1), ahead, 1), 1);
    assert_int_equal(order_local_read_ahead(n->d, order_position(2), ahead + 1, 8), 1);
    node_settle(n, 0);
    assert_int_equal(order_local_stable(n->d).value, 5);
    assert_int_equal(order_local_read(n->d, order_position(1), rows, 8, &count, NULL), BR_OK);
    assert_int_equal(count, 4);
    for (unsigned i = 0; i < 2; i++)
        assert_memory_equal(&rows[i], &ahead[i], sizeof rows[i]);
    assert_int_equal(order_local_read_ahead(n->d, order_position(0), ahead, 8), 0);
    for (unsigned i = 0; i < 4; i++)
        node_append_free(a[i]);
    free_node(m);
}

/* --- crashes --- */

struct life {
    struct node_together *several[16];
    struct node_append *single[16];
    unsigned several_count, single_count;
    uint32_t acknowledged, begun; /* appends of several: all streams have one record, two, three of each */
};

static void one_turn(struct node *n, struct br_rand *rand, struct life *life)
{
    struct node_together *t;
    struct node_append *a;
    int culprit;
    size_t size = br_rand_chance(rand, 30) ? 5000 : 50; /* more than a page, and soon over the end of a journal file */
    if (br_rand_chance(rand, 40) && node_append(n, 3, 7, 3000, 2000, &a) == BR_OK)
        life->single[life->single_count++] = a;
    if (node_append_together(n, 0, 3, life->begun, size, &t, &culprit) != BR_OK) {
        node_together_free(t);
    } else {
        life->begun++;
        life->several[life->several_count++] = t;
    }
    if (br_rand_chance(rand, 40) && node_append(n, 3, 7, 30, 2000, &a) == BR_OK)
        life->single[life->single_count++] = a;
}

/* Up to an operation that is the last. What came back: as many of each kind in all streams, and no fewer than were acknowledged. How many begun ones are not there. */
static unsigned live_and_die(struct mem_node *m, struct br_rand *rand, enum store_mem_op op, unsigned long nth, bool power)
{
    struct node *n = &m->n;
    struct life life = {.begun = (uint32_t)node_end(n, 0)};
    uint32_t before = life.begun;
    bool is_over = false;
    store_vfs_mem_fail_from(m->mem, op, nth, BR_IO);
    for (unsigned i = 0; i < 6 && n->failed_count == 0 && !is_over; i++) {
        one_turn(n, rand, &life);
        is_over = br_rand_chance(rand, 20);
        if (is_over) /* its sync never comes */
            order_local_turn(n->d, 3000);
        else
            node_settle(n, 70000 * (i + 1)); /* a checkpoint is due now and then */
        if (br_rand_chance(rand, 50))
            store_io_pool_drain(n->pool);
    }
    for (unsigned i = 0; i < life.several_count; i++)
        life.acknowledged += life.several[i]->told == 3 && life.several[i]->result == BR_OK;
    if (power)
        node_crash(n, m->mem, faults);
    else
        node_kill(n, m->mem);
    store_vfs_mem_fail_from(m->mem, op, 0, BR_OK);
    for (unsigned i = 0; i < life.several_count; i++) {
        assert_int_equal(life.several[i]->told, 3);
        node_together_free(life.several[i]);
    }
    for (unsigned i = 0; i < life.single_count; i++)
        node_append_free(life.single[i]);
    if (power)
        n->boot_id = strcmp(n->boot_id, "one") == 0 ? "two" : "one";
    enum br_err err = node_open(n);
    if (err != BR_OK)
        fail_msg("op %d nth %lu: %s %s", (int)op, nth, br_err_text(err), n->eb.text);
    uint32_t end = (uint32_t)node_end(n, 0);
    assert_true(end >= before + life.acknowledged && end <= life.begun);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(node_end(n, i), end * (i + 1)); /* O-23 */
        for (uint32_t k = 0; k < end; k++)
            assert_true(node_has(n, i, k * (i + 1), k));
    }
    return life.begun - end;
}

static void test_after_a_crash_at_any_operation_all_are_there_or_none_O_23(void **state)
{
    (void)state;
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    unsigned gone = 0, kept = 0;
    for (unsigned power = 0; power < 2; power++)
        for (unsigned k = 0; k < BR_COUNT(ops); k++)
            for (unsigned long nth = 1; nth <= (k == 0 ? 80 : 25); nth++) {
                struct br_rand rand;
                struct mem_node *m = new_node(nth + 1000 * power);
                br_rand_init(&rand, nth);
                for (unsigned life = 0; life < 3; life++)
                    gone += live_and_die(m, &rand, ops[k], nth, power == 1);
                kept += (unsigned)node_end(&m->n, 0);
                free_node(m);
            }
    assert_true(gone > 20 && kept > 200);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_they_take_consecutive_positions_and_their_rows_say_first_and_last),
    cmocka_unit_test(test_a_refusal_assigns_nothing_and_the_node_goes_on),
    cmocka_unit_test(test_a_device_that_fails_between_two_of_them_ends_the_writes_and_leaves_none),
    cmocka_unit_test(test_who_waits_for_a_stream_that_goes_is_told_after_the_journal_has_the_bytes),
    cmocka_unit_test(test_what_is_done_is_shown_ahead_up_to_the_first_that_is_not_O_24),
    cmocka_unit_test(test_after_a_crash_at_any_operation_all_are_there_or_none_O_23),
};
HARNESS_MAIN("order.local_together", tests)
