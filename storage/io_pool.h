/* Threads that wait for devices so that loops need not. Jobs of one pool run in any order unless the pool has one
 * thread; completions come back on the owner's thread. The journal has a pool of one thread (the sync thread). */
#pragma once

#include "compat/base/list.h"

struct store_io_pool;

struct store_io_job {
    void (*run)(struct store_io_job *job);  /* on a pool thread; may block */
    void (*done)(struct store_io_job *job); /* on the owner's thread, from store_io_pool_reap */
    struct br_link link;                    /* the pool's */
};

/* threads >= 1. wake(ctx): called from a pool thread when completions wait; it must only signal the owner (write an
 * eventfd). threads == 0: nothing runs until store_io_pool_run, for tests and the simulator. */
struct store_io_pool *store_io_pool_new(unsigned threads, void (*wake)(void *ctx), void *ctx);
/* Waits for running jobs; queued ones are run too. Reaps. */
void store_io_pool_free(struct store_io_pool *pool);
/* The job is the caller's until done is called. Thread: owner. Blocks: no. */
void store_io_pool_submit(struct store_io_pool *pool, struct store_io_job *job);
/* Calls done of the finished jobs. Thread: owner. Returns how many. */
unsigned store_io_pool_reap(struct store_io_pool *pool);
/* Jobs submitted and not reaped. */
unsigned store_io_pool_busy(const struct store_io_pool *pool);
/* threads == 0: runs up to max queued jobs (in order), without reaping. */
unsigned store_io_pool_run(struct store_io_pool *pool, unsigned max);
/* Blocks until nothing is queued or running, then reaps. For shutdown, start-up and tests. */
void store_io_pool_drain(struct store_io_pool *pool);
