/* The core of one node with one member: what an embedded order layer does, event by event. */
#include "order/core/core.h"
#include "tests/support/harness.h"

struct node {
    struct order_core *core;
    const struct order_effect *fx;
    unsigned count;
    uint64_t lsn;
    int64_t ends[8]; /* per stream */
};

static void step(struct node *n, struct order_event e)
{
    n->fx = order_core_step(n->core, &e, &n->count);
    order_core_check(n->core);
}

static struct node begin(uint32_t ring, uint32_t streams)
{
    struct node n = {.core = order_core_new(&(struct order_core_opts){.ring_entries = ring, .streams_max = streams}), .lsn = 1000};
    struct order_start start = {.node = 1, .view = 3, .members = {1}, .member_count = 1, .lane = 9, .next = {50}, .lsn = 1000};
    step(&n, (struct order_event){.kind = ORDER_EV_START, .start = &start});
    assert_int_equal(n.count, 0);
    return n;
}

static void append(struct node *n, uint32_t stream, uint32_t count, enum order_class class)
{
    assert_true(order_core_has_room(n->core, 1));
    n->lsn += 100;
    struct order_entry e = {.id = {9, order_core_next_s(n->core)}, .kind = ORDER_DATA, .class = class, .lsn_end = n->lsn,
                            .member = {.stream = stream, .base_offset = n->ends[stream], .count = count}};
    n->ends[stream] += count;
    step(n, (struct order_event){.kind = ORDER_EV_APPEND, .entry = e});
    assert_int_equal(n->count, 0);
}

static void written(struct node *n) { step(n, (struct order_event){.kind = ORDER_EV_WRITTEN, .lsn = n->lsn}); }
static void synced(struct node *n, uint64_t lsn) { step(n, (struct order_event){.kind = ORDER_EV_SYNCED, .lsn = lsn}); }
static void rows(struct node *n, uint64_t end) { step(n, (struct order_event){.kind = ORDER_EV_ROWS, .end = {end}}); }

static unsigned count_of(const struct node *n, enum order_effect_kind kind)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n->count; i++)
        count += n->fx[i].kind == kind;
    return count;
}

static const struct order_effect *first_of(const struct node *n, enum order_effect_kind kind)
{
    for (unsigned i = 0; i < n->count; i++)
        if (n->fx[i].kind == kind)
            return &n->fx[i];
    return NULL;
}

static void test_page_cache_entry_is_done_when_written(void **state)
{
    (void)state;
    struct node n = begin(64, 8);
    append(&n, 2, 3, ORDER_PAGE_CACHE);
    written(&n);
    assert_int_equal(count_of(&n, ORDER_FX_SYNC), 0);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.done_end, 3);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.s, 1);
    assert_int_equal(first_of(&n, ORDER_FX_BIND)->bind.position.value, 50);
    assert_int_equal(first_of(&n, ORDER_FX_ROWS)->end.value, 53);
    assert_null(first_of(&n, ORDER_FX_STABLE));
    rows(&n, 53);
    assert_int_equal(first_of(&n, ORDER_FX_STABLE)->end.value, 53);
    assert_int_equal(first_of(&n, ORDER_FX_RELEASE)->release.s, 1);
    assert_int_equal(order_core_stable(n.core).value, 53);
    assert_int_equal(order_core_tail(n.core).value, 53);
    order_core_free(n.core);
}

/* O-2, O-5 */
static void test_fsync_entry_is_done_and_stable_only_when_synced(void **state)
{
    (void)state;
    struct node n = begin(64, 8);
    append(&n, 2, 1, ORDER_FSYNC);
    uint64_t lsn = n.lsn;
    written(&n);
    assert_int_equal(n.fx[0].kind, ORDER_FX_SYNC);
    assert_int_equal(count_of(&n, ORDER_FX_DONE), 0);
    assert_int_equal(count_of(&n, ORDER_FX_BIND), 1);
    rows(&n, 51);
    assert_int_equal(count_of(&n, ORDER_FX_STABLE), 0);
    assert_int_equal(order_core_tail(n.core).value, 51);
    assert_int_equal(order_core_stable(n.core).value, 50);
    synced(&n, lsn);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.done_end, 1);
    assert_int_equal(first_of(&n, ORDER_FX_STABLE)->end.value, 51);
    order_core_free(n.core);
}

/* O-6 */
static void test_page_cache_entry_waits_for_earlier_fsync_entry_of_its_stream(void **state)
{
    (void)state;
    struct node n = begin(64, 8);
    append(&n, 2, 1, ORDER_FSYNC);
    append(&n, 2, 2, ORDER_PAGE_CACHE);
    append(&n, 3, 4, ORDER_PAGE_CACHE);
    uint64_t lsn = n.lsn;
    written(&n);
    assert_int_equal(count_of(&n, ORDER_FX_DONE), 1);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.stream, 3);
    synced(&n, lsn - 200);
    assert_int_equal(count_of(&n, ORDER_FX_DONE), 1);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.stream, 2);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.done_end, 3);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.s, 2);
    order_core_free(n.core);
}

/* O-3: positions in ring order, one entry at least one. */
static void test_positions_follow_the_ring_and_count_records(void **state)
{
    (void)state;
    struct node n = begin(64, 8);
    append(&n, 2, 3, ORDER_PAGE_CACHE);
    append(&n, 3, 0, ORDER_PAGE_CACHE);
    append(&n, 2, 2, ORDER_PAGE_CACHE);
    written(&n);
    uint64_t want[] = {50, 53, 54}, k = 0;
    for (unsigned i = 0; i < n.count; i++)
        if (n.fx[i].kind == ORDER_FX_BIND)
            assert_int_equal(n.fx[i].bind.position.value, want[k++]);
    assert_int_equal(k, 3);
    assert_int_equal(order_core_tail(n.core).value, 56);
    order_core_free(n.core);
}

/* O-7: what comes while a round or a sync runs goes into the next. */
static void test_one_round_and_one_sync_run_at_a_time(void **state)
{
    (void)state;
    struct node n = begin(64, 8);
    append(&n, 2, 1, ORDER_FSYNC);
    written(&n);
    uint64_t first = n.lsn;
    append(&n, 2, 1, ORDER_FSYNC);
    append(&n, 2, 1, ORDER_FSYNC);
    written(&n);
    assert_int_equal(n.count, 0);
    rows(&n, 51);
    assert_int_equal(count_of(&n, ORDER_FX_BIND), 2);
    synced(&n, first);
    assert_int_equal(n.fx[0].kind, ORDER_FX_SYNC);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.done_end, 1);
    assert_int_equal(first_of(&n, ORDER_FX_STABLE)->end.value, 51);
    synced(&n, n.lsn);
    assert_int_equal(count_of(&n, ORDER_FX_SYNC), 0);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.done_end, 3);
    order_core_free(n.core);
}

static void test_stable_never_passes_entry_of_another_stream_that_is_not_done(void **state)
{
    (void)state;
    struct node n = begin(64, 8);
    append(&n, 2, 1, ORDER_PAGE_CACHE);
    append(&n, 3, 1, ORDER_FSYNC);
    append(&n, 2, 1, ORDER_PAGE_CACHE);
    uint64_t lsn = n.lsn;
    written(&n);
    assert_int_equal(first_of(&n, ORDER_FX_DONE)->done.done_end, 2);
    rows(&n, 53);
    assert_int_equal(first_of(&n, ORDER_FX_STABLE)->end.value, 51);
    synced(&n, lsn);
    assert_int_equal(first_of(&n, ORDER_FX_STABLE)->end.value, 53);
    order_core_free(n.core);
}

/* O-10: full is a normal answer, at the limit and not before. */
static void test_full_ring_refuses_until_entries_are_ordered(void **state)
{
    (void)state;
    struct node n = begin(256, 8);
    for (int i = 0; i < 256; i++)
        append(&n, 2, 1, ORDER_PAGE_CACHE);
    assert_false(order_core_has_room(n.core, 1));
    written(&n);
    assert_false(order_core_has_room(n.core, 1));
    rows(&n, 50 + 256);
    assert_true(order_core_has_room(n.core, 1));
    for (int i = 0; i < 256; i++)
        append(&n, 2, 1, ORDER_PAGE_CACHE);
    assert_false(order_core_has_room(n.core, 1));
    order_core_free(n.core);
}

static void test_full_stream_table_refuses_until_one_is_done(void **state)
{
    (void)state;
    struct node n = begin(64, 3);
    for (uint32_t i = 0; i < 3; i++)
        append(&n, i, 1, ORDER_FSYNC);
    assert_false(order_core_has_room(n.core, 1));
    written(&n);
    synced(&n, n.lsn);
    assert_int_equal(count_of(&n, ORDER_FX_DONE), 3);
    assert_true(order_core_has_room(n.core, 1));
    order_core_free(n.core);
}

/* O-4: rounds take the ring in order, so its ends never pass each other (order_core_check after each step). */
static void test_many_streams_and_a_grown_ring_work_and_shrink_when_idle(void **state)
{
    (void)state;
    struct node n = {.core = order_core_new(&(struct order_core_opts){.ring_entries = 4096, .streams_max = 5000}), .lsn = 10};
    struct order_start start = {.node = 1, .view = 1, .members = {1}, .member_count = 1, .lane = 9, .lsn = 10};
    step(&n, (struct order_event){.kind = ORDER_EV_START, .start = &start});
    assert_true(order_core_deadline(n.core) == INT64_MAX);
    for (uint32_t i = 0; i < 4000; i++) {
        n.lsn++;
        struct order_entry e = {.id = {9, i + 1}, .kind = ORDER_DATA, .class = ORDER_FSYNC, .lsn_end = n.lsn,
                                .member = {.stream = i * 7, .base_offset = 5, .count = 1}};
        struct order_event ev = {.kind = ORDER_EV_APPEND, .entry = e};
        n.fx = order_core_step(n.core, &ev, &n.count);
    }
    written(&n);
    uint64_t bound = count_of(&n, ORDER_FX_BIND);
    assert_true(bound < 4000);
    synced(&n, n.lsn);
    assert_int_equal(count_of(&n, ORDER_FX_DONE), 4000);
    while (order_core_stable(n.core).value < 4000) {
        rows(&n, bound);
        bound += count_of(&n, ORDER_FX_BIND);
    }
    int64_t deadline = order_core_deadline(n.core);
    assert_true(deadline < INT64_MAX);
    step(&n, (struct order_event){.kind = ORDER_EV_TICK, .now_ns = deadline});
    assert_true(order_core_deadline(n.core) == INT64_MAX);
    order_core_free(n.core);
}

/* O-11 */
static void test_nothing_is_said_after_the_journal_failed(void **state)
{
    (void)state;
    struct node n = begin(64, 8);
    append(&n, 2, 1, ORDER_FSYNC);
    written(&n);
    step(&n, (struct order_event){.kind = ORDER_EV_FAILED});
    assert_int_equal(n.count, 0);
    synced(&n, n.lsn);
    assert_int_equal(n.count, 0);
    rows(&n, 51);
    assert_int_equal(n.count, 0);
    assert_false(order_core_has_room(n.core, 1));
    assert_int_equal(order_core_stable(n.core).value, 50);
    order_core_free(n.core);
}

static void test_same_events_give_same_effects(void **state)
{
    (void)state;
    struct node a = begin(64, 8), b = begin(64, 8);
    for (uint32_t i = 0; i < 40; i++) {
        append(&a, i % 3, i, i % 2 ? ORDER_FSYNC : ORDER_PAGE_CACHE);
        append(&b, i % 3, i, i % 2 ? ORDER_FSYNC : ORDER_PAGE_CACHE);
        written(&a);
        written(&b);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.fx, b.fx, a.count * sizeof(*a.fx));
    }
    order_core_free(a.core);
    order_core_free(b.core);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_page_cache_entry_is_done_when_written),
    cmocka_unit_test(test_fsync_entry_is_done_and_stable_only_when_synced),
    cmocka_unit_test(test_page_cache_entry_waits_for_earlier_fsync_entry_of_its_stream),
    cmocka_unit_test(test_positions_follow_the_ring_and_count_records),
    cmocka_unit_test(test_one_round_and_one_sync_run_at_a_time),
    cmocka_unit_test(test_stable_never_passes_entry_of_another_stream_that_is_not_done),
    cmocka_unit_test(test_full_ring_refuses_until_entries_are_ordered),
    cmocka_unit_test(test_full_stream_table_refuses_until_one_is_done),
    cmocka_unit_test(test_many_streams_and_a_grown_ring_work_and_shrink_when_idle),
    cmocka_unit_test(test_nothing_is_said_after_the_journal_failed),
    cmocka_unit_test(test_same_events_give_same_effects),
};
HARNESS_MAIN("order.core", tests)
