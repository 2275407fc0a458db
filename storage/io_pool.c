/* One queue, one mutex, two conditions. A pool without threads runs jobs only when told, on the caller's thread. */
#include "storage/io_pool.h"
#include "compat/base/mem.h"
#include <pthread.h>
#include <signal.h>

#define THREADS_MAX 64u

struct store_io_pool {
    pthread_mutex_t lock; /* guards all below but threads */
    pthread_cond_t work;  /* queued is not empty, or stopping */
    pthread_cond_t idle;  /* nothing queued or running */
    struct br_list queued, finished;
    unsigned queued_count, running, finished_count;
    bool is_stopping;
    void (*wake)(void *ctx);
    void *ctx;
    unsigned thread_count;
    pthread_t threads[THREADS_MAX];
};

/* Under the lock: takes the first job, runs it without the lock, files it as finished. */
static void run_one(struct store_io_pool *pool)
{
    struct store_io_job *job = BR_LIST_FIRST(&pool->queued, struct store_io_job, link);
    BR_ASSERT(job != NULL);
    br_list_remove(&job->link);
    pool->queued_count--;
    pool->running++;
    pthread_mutex_unlock(&pool->lock);
    job->run(job);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
    br_list_append(&pool->finished, &job->link);
    pool->finished_count++;
    if (pool->queued_count == 0 && pool->running == 0)
        pthread_cond_broadcast(&pool->idle);
}

static void *thread_main(void *arg)
{
    struct store_io_pool *pool = arg;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->queued_count == 0 && !pool->is_stopping)
            pthread_cond_wait(&pool->work, &pool->lock);
        if (pool->queued_count == 0)
            break;
        run_one(pool);
        bool is_first = pool->finished_count == 1; /* later ones are covered by the first wake */
        if (is_first && pool->wake) {
            pthread_mutex_unlock(&pool->lock);
            pool->wake(pool->ctx);
            pthread_mutex_lock(&pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct store_io_pool *store_io_pool_new(unsigned threads, void (*wake)(void *ctx), void *ctx)
{
    BR_ASSERT(threads <= THREADS_MAX);
    struct store_io_pool *pool = br_alloc(sizeof *pool);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    br_list_init(&pool->queued);
    br_list_init(&pool->finished);
    pool->wake = wake;
    pool->ctx = ctx;
    /* Signals are the main thread's. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; pool->thread_count < threads; pool->thread_count++) {
        int rc = pthread_create(&pool->threads[pool->thread_count], NULL, thread_main, pool);
        BR_ASSERT(rc == 0 || pool->thread_count > 0);
        if (rc != 0)
            break; /* fewer threads do the same work */
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pool;
}

void store_io_pool_free(struct store_io_pool *pool)
{
    if (!pool)
        return;
    store_io_pool_drain(pool);
    pthread_mutex_lock(&pool->lock);
    pool->is_stopping = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    BR_ASSERT(pool->queued_count == 0);
    BR_ASSERT(pool->running == 0);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    br_free(pool);
}

void store_io_pool_submit(struct store_io_pool *pool, struct store_io_job *job)
{
    BR_ASSERT(!br_link_is_in(&job->link));
    BR_ASSERT(job->run && job->done);
    pthread_mutex_lock(&pool->lock);
    BR_ASSERT(!pool->is_stopping);
    br_list_append(&pool->queued, &job->link);
    pool->queued_count++;
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_signal(&pool->work); /* after the unlock: the woken thread must not wait for us at once (two switches on the ack path) */
}

unsigned store_io_pool_reap(struct store_io_pool *pool)
{
    /* Only what is finished now: jobs submitted by done() wait for the next call, so that one call is bounded. */
    struct br_list mine;
    br_list_init(&mine);
    pthread_mutex_lock(&pool->lock);
    BR_LIST_FOR_SAFE(job, next, &pool->finished, struct store_io_job, link) {
        br_list_remove(&job->link);
        br_list_append(&mine, &job->link);
    }
    pool->finished_count = 0;
    pthread_mutex_unlock(&pool->lock);
    unsigned count = 0;
    BR_LIST_FOR_SAFE(job, next, &mine, struct store_io_job, link) {
        br_list_remove(&job->link);
        job->done(job); /* the job may be gone after this */
        count++;
    }
    return count;
}

unsigned store_io_pool_busy(const struct store_io_pool *pool)
{
    struct store_io_pool *p = (struct store_io_pool *)(uintptr_t)pool; /* locking changes nothing that is seen */
    pthread_mutex_lock(&p->lock);
    unsigned busy = p->queued_count + p->running + p->finished_count;
    pthread_mutex_unlock(&p->lock);
    return busy;
}

unsigned store_io_pool_run(struct store_io_pool *pool, unsigned max)
{
    BR_ASSERT(pool->thread_count == 0);
    unsigned count = 0;
    pthread_mutex_lock(&pool->lock);
    for (; count < max && pool->queued_count > 0; count++)
        run_one(pool);
    pthread_mutex_unlock(&pool->lock);
    return count;
}

void store_io_pool_drain(struct store_io_pool *pool)
{
    do { /* done() may submit more */
        pthread_mutex_lock(&pool->lock);
        if (pool->thread_count == 0)
            while (pool->queued_count > 0)
                run_one(pool);
        else
            while (pool->queued_count > 0 || pool->running > 0)
                pthread_cond_wait(&pool->idle, &pool->lock);
        pthread_mutex_unlock(&pool->lock);
        store_io_pool_reap(pool);
    } while (store_io_pool_busy(pool) > 0);
}
