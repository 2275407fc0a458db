#include "compat/net/loop.h"
#include "compat/base/clock.h"
#include "compat/base/mem.h"
#include <event2/event.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct br_net_loop {
    struct event_base *base;
    struct event *wake_event, *timer;
    int wake_fd;
    void (*wake)(void *ctx);
    void *wake_ctx;
    int64_t now_ms, wall_ms;
    const struct br_net_turn *turn;
    bool has_begun;   /* this turn */
    int64_t timer_at; /* what the timer is set to; INT64_MAX: not set */
    volatile int is_stopping; /* set from signal handlers */
};

static void read_time(struct br_net_loop *loop)
{
    loop->now_ms = br_clock_mono_ms();
    loop->wall_ms = br_clock_wall_ms();
}

void br_net_loop_begin(struct br_net_loop *loop)
{
    if (loop->has_begun)
        return;
    loop->has_begun = true;
    read_time(loop);
    if (loop->turn && loop->turn->begin)
        loop->turn->begin(loop->turn->ctx);
}

static void on_wake_fd(evutil_socket_t fd, short what, void *arg)
{
    struct br_net_loop *loop = arg;
    uint64_t count;
    (void)what;
    br_net_loop_begin(loop);
    if (read(fd, &count, sizeof count) < 0) /* one read takes the whole count */
        BR_COUNT_IF(errno != EAGAIN);
    if (loop->wake)
        loop->wake(loop->wake_ctx);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct br_net_loop *loop = arg;
    (void)fd;
    (void)what;
    br_net_loop_begin(loop);
    loop->timer_at = INT64_MAX; /* the turn itself is what was wanted. The kernel's coarse clock may be early: the deadline is then set again */
}

struct br_net_loop *br_net_loop_new(void)
{
    struct br_net_loop *loop = br_alloc(sizeof *loop);
    struct event_config *config = event_config_new();
    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
    loop->base = event_base_new_with_config(config);
    event_config_free(config);
    loop->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    BR_ASSERT(loop->base && loop->wake_fd >= 0);
    loop->wake_event = event_new(loop->base, loop->wake_fd, EV_READ | EV_PERSIST, on_wake_fd, loop);
    loop->timer = evtimer_new(loop->base, on_timer, loop);
    event_add(loop->wake_event, NULL);
    read_time(loop);
    loop->timer_at = INT64_MAX;
    return loop;
}

void br_net_loop_free(struct br_net_loop *loop)
{
    if (!loop)
        return;
    event_free(loop->wake_event);
    event_free(loop->timer);
    event_base_free(loop->base);
    close(loop->wake_fd);
    br_free(loop);
}

static void set_timer(struct br_net_loop *loop, int64_t deadline_ms)
{
    if (deadline_ms == INT64_MAX) {
        event_del(loop->timer);
        return;
    }
    int64_t wait = BR_MAX(deadline_ms - br_clock_mono_ms(), (int64_t)0);
    struct timeval tv = {.tv_sec = wait / 1000, .tv_usec = wait % 1000 * 1000};
    event_add(loop->timer, &tv);
}

void br_net_loop_run(struct br_net_loop *loop, const struct br_net_turn *turn)
{
    loop->turn = turn;
    while (!loop->is_stopping) {
        int64_t deadline = turn->deadline(turn->ctx);
        if (deadline != loop->timer_at) { /* re-arming an unchanged timer would cost a heap move a turn */
            set_timer(loop, deadline);
            loop->timer_at = deadline;
        }
        loop->has_begun = false;
        event_base_loop(loop->base, EVLOOP_ONCE);
        br_net_loop_begin(loop); /* where no callback did */
        turn->end(turn->ctx);
    }
    loop->turn = NULL;
    loop->is_stopping = 0;
}

void br_net_loop_stop(struct br_net_loop *loop)
{
    loop->is_stopping = 1;
    br_net_loop_wake(loop);
}

void br_net_loop_wake(void *ptr)
{
    struct br_net_loop *loop = ptr;
    uint64_t one = 1;
    int saved = errno;
    if (write(loop->wake_fd, &one, sizeof one) < 0)
        BR_COUNT_IF(errno != EAGAIN);
    errno = saved;
}

void br_net_loop_on_wake(struct br_net_loop *loop, void (*wake)(void *ctx), void *ctx)
{
    loop->wake = wake;
    loop->wake_ctx = ctx;
}

int64_t br_net_loop_now_ms(const struct br_net_loop *loop) { return loop->now_ms; }
int64_t br_net_loop_wall_ms(const struct br_net_loop *loop) { return loop->wall_ms; }
struct event_base *br_net_loop_base(struct br_net_loop *loop) { return loop->base; }
