/* The pool with and without threads. With threads the owner waits on a pipe that wake() writes to, as a loop would. */
#include "tests/support/harness.h"
#include "compat/base/mem.h"
#include "storage/io_pool.h"
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

struct job {
    struct store_io_job job; /* first */
    struct store_io_pool *pool;
    pthread_t ran_on;
    unsigned ran, done, *order, at_order;
    struct job *next; /* submitted by done */
};

static void run(struct store_io_job *j)
{
    struct job *job = (struct job *)j;
    job->ran++;
    job->ran_on = pthread_self();
}

static void done(struct store_io_job *j)
{
    struct job *job = (struct job *)j;
    assert_int_equal(job->ran, 1);
    job->done++;
    if (job->order)
        job->at_order = (*job->order)++;
    if (job->next)
        store_io_pool_submit(job->pool, &job->next->job);
}

static void test_without_threads_jobs_run_in_order_and_only_when_told(void **state)
{
    (void)state;
    struct store_io_pool *pool = store_io_pool_new(0, NULL, NULL);
    struct job jobs[5] = {0};
    unsigned order = 0;
    for (unsigned i = 0; i < 5; i++) {
        jobs[i] = (struct job){.job = {.run = run, .done = done}, .order = &order};
        store_io_pool_submit(pool, &jobs[i].job);
    }
    assert_int_equal(store_io_pool_reap(pool), 0);
    assert_int_equal(store_io_pool_busy(pool), 5);
    assert_int_equal(store_io_pool_run(pool, 3), 3);
    assert_int_equal(jobs[2].ran, 1);
    assert_int_equal(jobs[2].done, 0);
    assert_int_equal(jobs[3].ran, 0);
    assert_int_equal(store_io_pool_reap(pool), 3);
    assert_int_equal(store_io_pool_busy(pool), 2);
    store_io_pool_free(pool); /* runs and reaps the rest */
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(jobs[i].done, 1);
        assert_int_equal(jobs[i].at_order, i);
    }
}

static void test_drain_follows_jobs_that_done_submits(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads < 3; threads++) {
        struct store_io_pool *pool = store_io_pool_new(threads, NULL, NULL);
        struct job jobs[4] = {0};
        for (unsigned i = 0; i < 4; i++)
            jobs[i] = (struct job){.job = {.run = run, .done = done}, .pool = pool, .next = i < 3 ? &jobs[i + 1] : NULL};
        store_io_pool_submit(pool, &jobs[0].job);
        store_io_pool_drain(pool);
        assert_int_equal(jobs[3].done, 1);
        assert_int_equal(store_io_pool_busy(pool), 0);
        store_io_pool_free(pool);
    }
}

static int wake_pipe[2];

static void wake(void *ctx)
{
    (void)!write(*(int *)ctx, "w", 1);
}

static void test_threads_run_all_jobs_and_wake_the_owner(void **state)
{
    (void)state;
    enum { JOBS = 500 };
    assert_int_equal(pipe(wake_pipe), 0);
    struct store_io_pool *pool = store_io_pool_new(3, wake, &wake_pipe[1]);
    struct job *jobs = br_alloc_array(JOBS, sizeof *jobs);
    for (unsigned i = 0; i < JOBS; i++) {
        jobs[i] = (struct job){.job = {.run = run, .done = done}};
        store_io_pool_submit(pool, &jobs[i].job);
    }
    unsigned reaped = 0;
    while (reaped < JOBS) {
        struct pollfd p = {.fd = wake_pipe[0], .events = POLLIN};
        char byte;
        assert_int_equal(poll(&p, 1, 20000), 1); /* a wake that does not come fails here */
        assert_int_equal(read(wake_pipe[0], &byte, 1), 1);
        reaped += store_io_pool_reap(pool);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        assert_int_equal(jobs[i].ran, 1);
        assert_int_equal(jobs[i].done, 1);
        assert_false(pthread_equal(jobs[i].ran_on, pthread_self()));
    }
    store_io_pool_free(pool);
    br_free(jobs);
    close(wake_pipe[0]);
    close(wake_pipe[1]);
}

static void test_one_thread_keeps_the_order(void **state)
{
    (void)state;
    struct store_io_pool *pool = store_io_pool_new(1, NULL, NULL);
    struct job jobs[50] = {0};
    unsigned order = 0;
    for (unsigned i = 0; i < 50; i++) {
        jobs[i] = (struct job){.job = {.run = run, .done = done}, .order = &order};
        store_io_pool_submit(pool, &jobs[i].job);
    }
    store_io_pool_free(pool);
    for (unsigned i = 0; i < 50; i++)
        assert_int_equal(jobs[i].at_order, i);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_threads_jobs_run_in_order_and_only_when_told),
        cmocka_unit_test(test_drain_follows_jobs_that_done_submits),
        cmocka_unit_test(test_threads_run_all_jobs_and_wake_the_owner),
        cmocka_unit_test(test_one_thread_keeps_the_order),
    };
    return harness_run("storage.io_pool", tests, BR_COUNT(tests));
}
