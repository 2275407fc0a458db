#include "broker/data/steps.h"

#define BUSY_MS 10 /* positions of a sidecar that was made again are on their way */

static void step(struct broker_steps *s);

static void is_warmed(void *ctx)
{
    struct broker_steps *s = ctx;
    s->warm = NULL;
    step(s);
}

static void is_next_turn(struct broker_wait *wait) { step(BR_CONTAINER_OF(wait, struct broker_steps, wait)); }

static void step_later(struct broker_steps *s, int64_t delay_ms)
{
    if (s->broker->now_ms >= s->deadline_ms)
        s->done(s, BR_TIMEOUT);
    else
        broker_wait_start(&s->broker->waits, &s->wait, s->broker->now_ms + delay_ms);
}

static void step(struct broker_steps *s)
{
    struct store_range cold = {0};
    s->has_more = false;
    enum br_err err = s->run(s, &cold);
    if (err == BR_COLD)
        s->warm = broker_warm_start(s->broker, &cold, is_warmed, s);
    else if (err == BR_BUSY || s->has_more)
        step_later(s, err == BR_BUSY ? BUSY_MS : 0);
    else
        s->done(s, err);
}

void broker_steps_start(struct broker_steps *s, struct broker *b, int32_t timeout_ms)
{
    BR_ASSERT(s->run && s->done);
    s->broker = b;
    s->wait.expire = is_next_turn;
    s->deadline_ms = b->now_ms + BR_MAX(timeout_ms, 0);
    step(s);
}

void broker_steps_cancel(struct broker_steps *s)
{
    if (!s->broker)
        return; /* not begun */
    broker_wait_stop(&s->broker->waits, &s->wait);
    broker_warm_cancel(s->warm);
}
