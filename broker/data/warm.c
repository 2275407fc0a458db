#include "broker/data/warm.h"
#include "compat/base/mem.h"

struct broker_warm {
    struct store_io_job job;
    struct store_range range;
    void (*done)(void *ctx); /* NULL: cancelled */
    void *ctx;
};

static void warm_run(struct store_io_job *job)
{
    store_range_warm(&BR_CONTAINER_OF(job, struct broker_warm, job)->range);
}

static void warm_done(struct store_io_job *job)
{
    struct broker_warm *w = BR_CONTAINER_OF(job, struct broker_warm, job);
    void (*done)(void *ctx) = w->done;
    void *ctx = w->ctx;
    store_range_release(&w->range);
    br_free(w);
    if (done)
        done(ctx);
}

struct broker_warm *broker_warm_start(struct broker *b, struct store_range *cold, void (*done)(void *ctx), void *ctx)
{
    struct broker_warm *w = br_alloc(sizeof *w);
    BR_ASSERT(cold->hold != NULL);
    *w = (struct broker_warm){.job = {.run = warm_run, .done = warm_done}, .range = *cold, .done = done, .ctx = ctx};
    *cold = (struct store_range){0};
    store_io_pool_submit(b->pool, &w->job);
    return w;
}

void broker_warm_cancel(struct broker_warm *w)
{
    if (w)
        w->done = NULL;
}
