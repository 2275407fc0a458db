/* Deadlines and watch lists: what is due runs once and in order, whatever the callbacks start, stop, add and remove meanwhile. */
#include "broker/wait.h"
#include "compat/base/rand.h"
#include "tests/support/harness.h"

static struct broker_waits waits;
static char order[64];
static int64_t now;

static int setup(void **state)
{
    (void)state;
    broker_waits_init(&waits);
    memset(order, 0, sizeof order);
    now = 1000;
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    broker_waits_clear(&waits);
    return 0;
}

struct timer {
    struct broker_wait wait;
    struct timer *other; /* stopped by the callback */
    int64_t again_ms;    /* started again with this delay, if > 0; at once if -1 */
    char name;
    int runs;
};

static void expired(struct broker_wait *wait)
{
    struct timer *t = BR_CONTAINER_OF(wait, struct timer, wait);
    assert_false(broker_wait_is_on(wait));
    t->runs++;
    order[strlen(order)] = t->name;
    if (t->other)
        broker_wait_stop(&waits, &t->other->wait);
    if (t->again_ms)
        broker_wait_start(&waits, wait, now + BR_MAX(t->again_ms, (int64_t)0));
}

static struct timer timer(char name) { return (struct timer){.wait.expire = expired, .name = name}; }

static void test_what_is_due_runs_once_in_the_order_of_deadlines(void **state)
{
    struct timer a = timer('a'), b = timer('b'), c = timer('c'), d = timer('d');
    (void)state;
    assert_int_equal(broker_waits_run(&waits, now), -1);
    broker_wait_start(&waits, &c.wait, now + 30);
    broker_wait_start(&waits, &a.wait, now + 10);
    broker_wait_start(&waits, &b.wait, now + 10);
    broker_wait_start(&waits, &d.wait, now + 31);
    assert_int_equal(broker_waits_run(&waits, now + 9), 1);
    assert_string_equal(order, "");
    assert_int_equal(broker_waits_run(&waits, now + 30), 1);
    assert_string_equal(order, "abc");
    assert_int_equal(broker_waits_run(&waits, now + 31), -1);
    assert_string_equal(order, "abcd");
}

static void test_a_wait_can_be_moved_and_stopped(void **state)
{
    struct timer a = timer('a'), b = timer('b');
    (void)state;
    broker_wait_start(&waits, &a.wait, now + 1);
    broker_wait_start(&waits, &a.wait, now + 50);
    broker_wait_start(&waits, &b.wait, now + 1);
    broker_wait_stop(&waits, &b.wait);
    broker_wait_stop(&waits, &b.wait); /* no effect */
    assert_false(broker_wait_is_on(&b.wait));
    assert_int_equal(broker_waits_run(&waits, now + 49), 1);
    assert_int_equal(broker_waits_run(&waits, now + 50), -1);
    assert_string_equal(order, "a");
}

static void test_a_callback_may_stop_one_that_is_due_too(void **state)
{
    struct timer a = timer('a'), b = timer('b');
    (void)state;
    a.other = &b;
    broker_wait_start(&waits, &a.wait, now);
    broker_wait_start(&waits, &b.wait, now);
    broker_waits_run(&waits, now);
    assert_string_equal(order, "a");
    assert_false(broker_wait_is_on(&b.wait));
}

static void test_one_that_is_due_again_at_once_does_not_hold_the_turn(void **state)
{
    struct timer a = timer('a');
    (void)state;
    a.again_ms = -1;
    broker_wait_start(&waits, &a.wait, now);
    assert_int_equal(broker_waits_run(&waits, now), 0);
    assert_int_equal(a.runs, 1);
    broker_wait_stop(&waits, &a.wait);
}

struct watcher {
    struct broker_watch watch;
    struct broker_watch_list *again; /* adds itself again */
    struct watcher *removes;
    int wakes;
};

static void woken(struct broker_watch *watch)
{
    struct watcher *w = BR_CONTAINER_OF(watch, struct watcher, watch);
    assert_false(br_link_is_in(&watch->link));
    w->wakes++;
    if (w->again)
        broker_watch_add(w->again, watch);
    if (w->removes)
        broker_watch_remove(&w->removes->watch);
}

static void test_waking_takes_all_that_were_there_and_none_that_come(void **state)
{
    struct broker_watch_list list;
    struct watcher a = {.watch.wake = woken, .again = &list}, b = {.watch.wake = woken}, c = {.watch.wake = woken};
    (void)state;
    broker_watch_list_init(&list);
    broker_watch_wake(&list);
    broker_watch_add(&list, &a.watch);
    broker_watch_add(&list, &b.watch);
    broker_watch_wake(&list);
    assert_int_equal(a.wakes, 1);
    assert_int_equal(b.wakes, 1);
    broker_watch_add(&list, &c.watch);
    broker_watch_wake(&list);
    assert_int_equal(a.wakes, 2);
    assert_int_equal(b.wakes, 1);
    assert_int_equal(c.wakes, 1);
    broker_watch_remove(&a.watch);
    broker_watch_remove(&a.watch); /* no effect */
    broker_watch_wake(&list);
    assert_int_equal(a.wakes, 2);
}

static void test_a_watcher_may_remove_others_that_are_being_woken(void **state)
{
    struct broker_watch_list list;
    struct watcher a = {.watch.wake = woken}, b = {.watch.wake = woken}, c = {.watch.wake = woken};
    (void)state;
    broker_watch_list_init(&list);
    a.removes = &b;
    c.removes = &a; /* in no list by then */
    broker_watch_add(&list, &a.watch);
    broker_watch_add(&list, &b.watch);
    broker_watch_add(&list, &c.watch);
    broker_watch_wake(&list);
    assert_int_equal(a.wakes, 1);
    assert_int_equal(b.wakes, 0);
    assert_int_equal(c.wakes, 1);
}

/* Against a plain array of deadlines. */
static void test_random_starts_and_stops_run_what_a_list_would(void **state)
{
    enum { TIMERS = 40, STEPS = 5000 };
    static struct timer all[TIMERS];
    static int64_t due[TIMERS];
    static int want[TIMERS];
    struct br_rand rand;
    (void)state;
    br_rand_init(&rand, 7);
    for (int i = 0; i < TIMERS; i++)
        all[i] = timer('.');
    for (int step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)(br_rand_u64(&rand) % TIMERS);
        if (br_rand_u64(&rand) % 3) {
            due[i] = now + (int64_t)(br_rand_u64(&rand) % 50);
            broker_wait_start(&waits, &all[i].wait, due[i]);
        } else {
            due[i] = 0;
            broker_wait_stop(&waits, &all[i].wait);
        }
        now += (int64_t)(br_rand_u64(&rand) % 3);
        memset(order, 0, sizeof order);
        broker_waits_run(&waits, now);
        for (int k = 0; k < TIMERS; k++) {
            if (due[k] && due[k] <= now) {
                due[k] = 0;
                want[k]++;
            }
            assert_int_equal(all[k].runs, want[k]);
            assert_int_equal(broker_wait_is_on(&all[k].wait), due[k] != 0);
        }
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    CASE(test_what_is_due_runs_once_in_the_order_of_deadlines),
    CASE(test_a_wait_can_be_moved_and_stopped),
    CASE(test_a_callback_may_stop_one_that_is_due_too),
    CASE(test_one_that_is_due_again_at_once_does_not_hold_the_turn),
    CASE(test_waking_takes_all_that_were_there_and_none_that_come),
    CASE(test_a_watcher_may_remove_others_that_are_being_woken),
    CASE(test_random_starts_and_stops_run_what_a_list_would),
};
HARNESS_MAIN("wait", tests)
