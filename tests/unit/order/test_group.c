/* Cores of a group, fed by hand: what a member, the leader and a lane client say to each other. */
#include "order/core/core.h"
#include "order/core/message_body.h"
#include "tests/support/harness.h"

struct node {
    struct order_core *core;
    const struct order_effect *fx;
    unsigned count;
};

static void step(struct node *n, struct order_event e)
{
    n->fx = order_core_step(n->core, &e, &n->count);
    order_core_check(n->core);
}

/* Members 1 (leader) and 2, nonces 101 and 102, view 5; lane = 10 * node. */
static struct node begin(int32_t id)
{
    struct node n = {.core = order_core_new(&(struct order_core_opts){.ring_entries = 64, .streams_max = 8, .lanes_max = 2})};
    struct order_start start = {.node = id, .view = 5, .nonce = 100 + (uint64_t)id, .members = {1, 2}, .nonces = {101, 102},
                                .member_count = 2, .lane = (uint32_t)id * 10, .next = {7}};
    step(&n, (struct order_event){.kind = ORDER_EV_START, .start = &start});
    return n;
}

static const struct order_message *sent(const struct node *n, enum order_message_kind kind)
{
    for (unsigned i = 0; i < n->count; i++)
        if (n->fx[i].kind == ORDER_FX_SEND && n->fx[i].send.message->kind == kind)
            return n->fx[i].send.message;
    return NULL;
}

static const struct order_effect *effect(const struct node *n, enum order_effect_kind kind)
{
    for (unsigned i = 0; i < n->count; i++)
        if (n->fx[i].kind == kind)
            return &n->fx[i];
    return NULL;
}

static void get(struct node *n, int32_t from, const struct order_message *m)
{
    struct order_message copy = *m;
    step(n, (struct order_event){.kind = ORDER_EV_MESSAGE, .message = {from, &copy}});
}

static struct order_entry entry(uint32_t lane, uint64_t s, enum order_class class)
{
    return (struct order_entry){.id = {lane, s}, .kind = ORDER_DATA, .class = class, .lsn_end = s * 100,
                                .member = {.stream = lane, .base_offset = (int64_t)s - 1, .count = 1}};
}

static struct order_message hello(uint32_t lane, uint64_t nonce)
{
    return (struct order_message){.kind = ORDER_MSG_HELLO, .view = 5, .nonce = nonce, .lane = lane};
}

static struct order_message appends(uint32_t lane, uint64_t nonce, uint64_t first, unsigned count)
{
    struct order_message m = {.kind = ORDER_MSG_APPEND, .view = 5, .nonce = nonce, .lane = lane, .append = {.count = count}};
    for (unsigned i = 0; i < count; i++)
        m.append.entries[i] = entry(lane, first + i, ORDER_PAGE_CACHE);
    return m;
}

/* O-1: R1. */
static void test_member_refuses_a_gap_and_says_where_to_go_on(void **state)
{
    (void)state;
    struct node n = begin(2);
    struct order_message m = hello(10, 102);
    get(&n, 1, &m);
    assert_true(sent(&n, ORDER_MSG_ACK)->ack.is_rewind);
    m = appends(10, 102, 2, 3);
    get(&n, 1, &m);
    assert_null(effect(&n, ORDER_FX_STORE));
    assert_int_equal(sent(&n, ORDER_MSG_ACK)->ack.last, 0);
    assert_true(sent(&n, ORDER_MSG_ACK)->ack.is_rewind);
    order_core_free(n.core);
}

static void test_member_accepts_a_repeated_entry_once(void **state)
{
    (void)state;
    struct node n = begin(2);
    struct order_message m = hello(10, 102);
    get(&n, 1, &m);
    m = appends(10, 102, 1, 2);
    get(&n, 1, &m);
    assert_int_equal(effect(&n, ORDER_FX_STORE)->store.id.s, 1);
    assert_int_equal(sent(&n, ORDER_MSG_ACK)->ack.last, 2);
    m = appends(10, 102, 1, 3);
    get(&n, 1, &m);
    assert_int_equal(effect(&n, ORDER_FX_STORE)->store.id.s, 3);
    assert_int_equal(sent(&n, ORDER_MSG_ACK)->ack.last, 3);
    assert_false(sent(&n, ORDER_MSG_ACK)->ack.is_rewind);
    order_core_free(n.core);
}

/* O-8: R5, R8. */
static void test_another_view_or_nonce_changes_nothing(void **state)
{
    (void)state;
    struct node n = begin(2);
    struct order_message m = hello(10, 999);
    get(&n, 1, &m);
    assert_int_equal(n.count, 0);
    m = hello(10, 102);
    m.view = 4;
    get(&n, 1, &m);
    assert_int_equal(n.count, 0);
    m = (struct order_message){.kind = ORDER_MSG_STABLE, .view = 6, .end = {50}};
    get(&n, 1, &m);
    assert_int_equal(n.count, 0);
    assert_int_equal(order_core_stable(n.core).value, 7);
    order_core_free(n.core);
}

/* O-10: R12. */
static void test_lane_over_its_credit_is_refused(void **state)
{
    (void)state;
    struct node n = begin(2);
    struct order_message m = hello(10, 102);
    get(&n, 1, &m);
    m = appends(10, 102, 1, 40); /* the credit is half of the ring: 32 */
    get(&n, 1, &m);
    assert_int_equal(sent(&n, ORDER_MSG_ACK)->ack.last, 32);
    assert_true(sent(&n, ORDER_MSG_ACK)->ack.is_rewind);
    order_core_free(n.core);
}

static void test_third_lane_of_two_gets_no_answer(void **state)
{
    (void)state;
    struct node n = begin(2); /* its own lane is one */
    struct order_message m = hello(10, 102);
    get(&n, 1, &m);
    assert_non_null(sent(&n, ORDER_MSG_ACK));
    m = hello(30, 102);
    get(&n, 3, &m);
    assert_null(sent(&n, ORDER_MSG_ACK));
    order_core_free(n.core);
}

/* O-2: R2. */
static void test_entry_is_done_when_every_member_has_it(void **state)
{
    (void)state;
    struct node a = begin(1);
    step(&a, (struct order_event){.kind = ORDER_EV_LINK, .link = {2, true}});
    assert_non_null(sent(&a, ORDER_MSG_HELLO));
    struct order_message ack = {.kind = ORDER_MSG_ACK, .view = 5, .nonce = 102, .lane = 10, .ack = {.is_rewind = true}};
    get(&a, 2, &ack);
    step(&a, (struct order_event){.kind = ORDER_EV_APPEND, .entry = entry(10, 1, ORDER_FSYNC)});
    assert_int_equal(sent(&a, ORDER_MSG_APPEND)->append.count, 1);
    step(&a, (struct order_event){.kind = ORDER_EV_WRITTEN, .lsn = 100});
    step(&a, (struct order_event){.kind = ORDER_EV_SYNCED, .lsn = 100});
    assert_null(effect(&a, ORDER_FX_DONE));
    ack.ack.is_rewind = false;
    ack.ack.last = ack.ack.written = 1;
    get(&a, 2, &ack);
    assert_null(effect(&a, ORDER_FX_DONE));
    ack.ack.synced = 1;
    get(&a, 2, &ack);
    assert_int_equal(effect(&a, ORDER_FX_DONE)->done.done_end, 1);
    order_core_free(a.core);
}

static void test_lane_is_sent_again_from_where_the_member_stands(void **state)
{
    (void)state;
    struct node a = begin(1);
    step(&a, (struct order_event){.kind = ORDER_EV_LINK, .link = {2, true}});
    struct order_message ack = {.kind = ORDER_MSG_ACK, .view = 5, .nonce = 102, .lane = 10, .ack = {.is_rewind = true}};
    get(&a, 2, &ack);
    for (uint64_t s = 1; s <= 3; s++)
        step(&a, (struct order_event){.kind = ORDER_EV_APPEND, .entry = entry(10, s, ORDER_PAGE_CACHE)});
    step(&a, (struct order_event){.kind = ORDER_EV_LINK, .link = {2, false}});
    step(&a, (struct order_event){.kind = ORDER_EV_LINK, .link = {2, true}});
    assert_null(sent(&a, ORDER_MSG_APPEND)); /* not before the member has said where */
    ack.ack.last = 1;
    get(&a, 2, &ack);
    assert_int_equal(sent(&a, ORDER_MSG_APPEND)->append.count, 2);
    assert_int_equal(sent(&a, ORDER_MSG_APPEND)->append.entries[0].id.s, 2);
    order_core_free(a.core);
}

/* O-3, O-9: a PUSH is applied by position. */
static void test_repeated_push_writes_no_row_twice(void **state)
{
    (void)state;
    struct node b = begin(2);
    struct order_message push = {.kind = ORDER_MSG_PUSH, .view = 5, .push = {.position = {7}, .count = 2}};
    push.push.entries[0] = entry(10, 1, ORDER_PAGE_CACHE);
    push.push.entries[1] = entry(10, 2, ORDER_PAGE_CACHE);
    get(&b, 1, &push);
    assert_int_equal(effect(&b, ORDER_FX_BIND)->bind.position.value, 7);
    assert_int_equal(effect(&b, ORDER_FX_ROWS)->end.value, 9);
    get(&b, 1, &push);
    assert_null(effect(&b, ORDER_FX_BIND));
    assert_null(sent(&b, ORDER_MSG_PUSHED)); /* the rows are not written yet */
    step(&b, (struct order_event){.kind = ORDER_EV_ROWS, .end = {9}});
    assert_int_equal(sent(&b, ORDER_MSG_PUSHED)->end.value, 9);
    get(&b, 1, &push);
    assert_int_equal(sent(&b, ORDER_MSG_PUSHED)->end.value, 9);
    push.push.position.value = 20; /* a gap: something was lost with a link */
    get(&b, 1, &push);
    assert_null(effect(&b, ORDER_FX_BIND));
    order_core_free(b.core);
}

static void test_holder_exposes_stable_only_over_rows_it_has(void **state)
{
    (void)state;
    struct node b = begin(2);
    struct order_message stable = {.kind = ORDER_MSG_STABLE, .view = 5, .end = {8}};
    get(&b, 1, &stable);
    assert_null(effect(&b, ORDER_FX_STABLE));
    struct order_message push = {.kind = ORDER_MSG_PUSH, .view = 5, .push = {.position = {7}, .count = 1}};
    push.push.entries[0] = entry(10, 1, ORDER_PAGE_CACHE);
    get(&b, 1, &push);
    step(&b, (struct order_event){.kind = ORDER_EV_ROWS, .end = {8}});
    assert_int_equal(effect(&b, ORDER_FX_STABLE)->end.value, 8);
    order_core_free(b.core);
}

/* A follower's ring lets go of entries in the leader's order, which may differ from its own. */
static void test_follower_frees_a_full_ring_out_of_its_own_order(void **state)
{
    (void)state;
    struct node n = begin(2);
    struct order_message m = hello(10, 102);
    get(&n, 1, &m);
    step(&n, (struct order_event){.kind = ORDER_EV_APPEND, .entry = entry(20, 1, ORDER_PAGE_CACHE)});
    step(&n, (struct order_event){.kind = ORDER_EV_WRITTEN, .lsn = 100});
    uint64_t lsn = 100;
    for (uint64_t s = 1; s <= 200; s++) { /* more than the ring holds: the old own entry stays at the head all the while */
        m = appends(10, 102, s, 1);
        get(&n, 1, &m);
        assert_int_equal(effect(&n, ORDER_FX_STORE)->store.id.s, s);
        lsn += 100;
        step(&n, (struct order_event){.kind = ORDER_EV_STORED, .lsn = lsn});
        step(&n, (struct order_event){.kind = ORDER_EV_WRITTEN, .lsn = lsn});
        assert_int_equal(sent(&n, ORDER_MSG_ACK)->ack.written, s);
        struct order_message ordered = {.kind = ORDER_MSG_ORDERED, .view = 5, .ordered = {.count = 1, .vector = {{10, s}}}};
        get(&n, 1, &ordered);
        assert_int_equal(sent(&n, ORDER_MSG_ACK)->ack.ordered, s);
    }
    order_core_free(n.core);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_member_refuses_a_gap_and_says_where_to_go_on),
    cmocka_unit_test(test_member_accepts_a_repeated_entry_once),
    cmocka_unit_test(test_another_view_or_nonce_changes_nothing),
    cmocka_unit_test(test_lane_over_its_credit_is_refused),
    cmocka_unit_test(test_third_lane_of_two_gets_no_answer),
    cmocka_unit_test(test_entry_is_done_when_every_member_has_it),
    cmocka_unit_test(test_lane_is_sent_again_from_where_the_member_stands),
    cmocka_unit_test(test_repeated_push_writes_no_row_twice),
    cmocka_unit_test(test_holder_exposes_stable_only_over_rows_it_has),
    cmocka_unit_test(test_follower_frees_a_full_ring_out_of_its_own_order),
};
HARNESS_MAIN("order.group", tests)
