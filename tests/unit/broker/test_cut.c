/* Where the order may be cut (O-23), against a list of what was appended: for every position, with rows still there, removed, and folded into trimmed runs, before and after a
 * restart. The order layer is real, on a memory disk; of the broker there is nothing. */
#include "tests/unit/order/local_node.h"
#include "broker/data/cut.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"

#define ENTRIES_MAX 400u

/* Rows of one entry: the first lies at `position`. */
struct entry {
    uint64_t position, end;
    unsigned first_stream, count;
    int64_t bases[NODE_STREAMS];
};

struct world {
    struct node n;
    struct store_vfs_mem *mem;
    struct br_rand rand;
    struct entry entries[ENTRIES_MAX];
    unsigned count;
};

static void append_any(struct world *w)
{
    struct entry *e = &w->entries[w->count++];
    struct node_together *t;
    int culprit;
    *e = (struct entry){.first_stream = (unsigned)br_rand_below(&w->rand, 3), .count = 1};
    if (br_rand_chance(&w->rand, 70)) {
        e->first_stream = (unsigned)br_rand_below(&w->rand, 2);
        e->count = 2 + (unsigned)br_rand_below(&w->rand, NODE_STREAMS - 1 - e->first_stream);
    }
    assert_int_equal(node_append_together(&w->n, e->first_stream, e->count, 1, 20, &t, &culprit), BR_OK);
    e->position = t->pieces[0].ticket.position.value;
    e->end = t->pieces[e->count - 1].ticket.position.value + e->count;
    for (unsigned i = 0; i < e->count; i++)
        e->bases[i] = t->pieces[i].ticket.base_offset;
    node_settle(&w->n, 0);
    node_together_free(t);
}

static bool is_left(struct world *w, const struct entry *e, unsigned i)
{
    return e->bases[i] + (int64_t)i + 1 > store_log_state(w->n.streams[e->first_stream + i]->store->log)->start;
}

/* Of an entry with records left a cut takes the first row left or all of it; rows that are gone may be passed over. */
static void check_position(struct world *w, uint64_t p)
{
    struct broker b = {.order = w->n.d, .store = w->n.store};
    uint64_t to = p;
    assert_int_equal(broker_cut_round_down(&b, &to, NULL), BR_OK);
    assert_true(to <= p);
    for (unsigned k = 0; k < w->count; k++) {
        const struct entry *e = &w->entries[k];
        bool has_below = false, has_above = false;
        uint64_t at = e->position;
        for (unsigned i = 0; i < e->count; at += ++i) {
            has_below |= is_left(w, e, i) && at < to;
            has_above |= is_left(w, e, i) && at >= to;
        }
        if (e->count > 1 && has_below && has_above)
            fail_msg("position %llu: the cut at %llu parts what was appended at %llu..%llu", (unsigned long long)p, (unsigned long long)to, (unsigned long long)e->position,
                     (unsigned long long)e->end);
        bool is_within = e->count > 1 && p > e->position && p < e->end, is_whole = true;
        for (unsigned i = 0; i < e->count; i++)
            is_whole &= is_left(w, e, i);
        if (is_within && is_whole)
            assert_int_equal(to, e->position);
        else if (p == e->position && is_left(w, e, 0) && k > 0 && is_left(w, e - 1, e[-1].count - 1))
            assert_int_equal(to, p); /* no further than needed */
    }
}

static void check_all(struct world *w)
{
    for (uint64_t p = 0; p <= order_local_stable(w->n.d).value; p++)
        check_position(w, p);
}

static bool is_dead(void *ctx, const struct store_order_row *row)
{
    struct world *w = ctx;
    struct store_stream *s = store_stream_find(w->n.store, row->stream);
    return row->kind != STORE_ROW_DATA || row->base_offset + row->count <= store_log_state(s->log)->start;
}

/* Removes some of each stream, and what that leaves of the order log. */
static void trim(struct world *w)
{
    struct store_range cold = {0};
    for (unsigned i = 0; i < 3; i++) {
        const struct store_log_state *state = store_log_state(w->n.streams[i]->store->log);
        int64_t to = state->start + (int64_t)br_rand_below(&w->rand, (uint64_t)(state->end - state->start) + 1);
        if (br_rand_chance(&w->rand, 70) && to > state->start)
            assert_int_equal(order_local_trim(w->n.d, w->n.streams[i], to, NULL, NULL), BR_OK);
        node_settle(&w->n, 0);
    }
    for (int k = 0; k < 2; k++) { /* a rewritten file takes its place at a checkpoint */
        struct store_order_row row;
        unsigned count;
        assert_int_equal(order_local_read(w->n.d, order_position(order_local_stable(w->n.d).value - 1), &row, 1, &count, NULL), BR_OK);
        assert_int_equal(store_checkpoint(w->n.store, order_local_tail(w->n.d).value, row.lane, row.s, NULL, NULL), BR_OK);
        store_io_pool_drain(w->n.pool);
        for (int i = 0; i < 1000 && store_order_log_trim(store_order_log(w->n.store), is_dead, w, 1000, &cold) > 0; i++)
            ;
        assert_null(cold.hold);
    }
}

static void test_a_cut_parts_nothing_that_was_appended_together_O_23(void **state)
{
    (void)state;
    unsigned folded = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct world *w = br_alloc(sizeof *w);
        w->mem = store_vfs_mem_new(seed);
        w->n = (struct node){.vfs = store_vfs_mem_vfs(w->mem), .dir = "data", .boot_id = "one", .class = {ORDER_FSYNC, ORDER_FSYNC, ORDER_FSYNC, ORDER_FSYNC}};
        br_rand_init(&w->rand, seed);
        assert_int_equal(node_open(&w->n), BR_OK);
        for (unsigned round = 0; round < 4; round++) {
            for (unsigned i = 0; i < 90; i++)
                append_any(w);
            check_all(w);
            trim(w);
            check_all(w);
            if (round % 2) {
                node_kill(&w->n, w->mem);
                assert_int_equal(node_open(&w->n), BR_OK);
                check_all(w);
            }
        }
        struct store_order_row rows[512];
        unsigned count;
        assert_int_equal(order_local_read(w->n.d, order_position(0), rows, 512, &count, NULL), BR_OK);
        for (unsigned i = 0; i < count; i++)
            folded += (rows[i].flags & STORE_ORDER_TRIMMED) != 0;
        node_close(&w->n, true);
        store_vfs_mem_free(w->mem);
        br_free(w);
    }
    assert_true(folded > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_cut_parts_nothing_that_was_appended_together_O_23),
};
HARNESS_MAIN("broker.cut", tests)
