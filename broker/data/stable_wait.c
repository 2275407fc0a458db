#include "broker/data/stable_wait.h"

static void end(struct broker_stable_wait *w, enum broker_stable_result result)
{
    broker_stable_wait_cancel(w);
    w->done(w, result);
}

static void stable_moved(struct broker_watch *watch)
{
    struct broker_stable_wait *w = BR_CONTAINER_OF(watch, struct broker_stable_wait, watch);
    struct broker *b = w->broker;
    if (order_local_stable(b->order).value >= w->position)
        end(w, BROKER_STABLE);
    else if (store_failed(b->store) != BR_OK)
        end(w, BROKER_STABLE_FAILED);
    else
        broker_watch_add(&b->stable_watchers, watch);
}

static void expire(struct broker_wait *wait)
{
    end(BR_CONTAINER_OF(wait, struct broker_stable_wait, wait), BROKER_STABLE_LATE);
}

void broker_stable_wait_start(struct broker_stable_wait *w, struct broker *b, uint64_t position, int32_t timeout_ms)
{
    BR_ASSERT(w->done);
    w->broker = b;
    w->position = position;
    w->watch.wake = stable_moved;
    w->wait.expire = expire;
    broker_wait_start(&b->waits, &w->wait, b->now_ms + BR_MAX(timeout_ms, 0));
    stable_moved(&w->watch);
}

void broker_stable_wait_cancel(struct broker_stable_wait *w)
{
    broker_watch_remove(&w->watch);
    broker_wait_stop(&w->broker->waits, &w->wait);
}
