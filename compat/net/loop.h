/* One libevent base and its turn: wait for events, run them all, then the owner's end-of-turn work. The time is read once a turn, behind the wait: what an
 * event callback sees is not the time at which the loop fell asleep. libevent stays inside compat/net. */
#pragma once

#include "compat/base/base.h"

struct br_net_loop;
struct event_base;

struct br_net_turn {
    /* Before the first event of a turn, the turn's time just read. May be NULL. */
    void (*begin)(void *ctx);
    /* After all events of a turn ran. */
    void (*end)(void *ctx);
    /* Monotonic ms at which the next turn must come at the latest; INT64_MAX: only when something happens. */
    int64_t (*deadline)(void *ctx);
    void *ctx;
};

struct br_net_loop *br_net_loop_new(void);
void br_net_loop_free(struct br_net_loop *loop);
/* Runs turns until br_net_loop_stop. Thread: the loop's. */
void br_net_loop_run(struct br_net_loop *loop, const struct br_net_turn *turn);
/* Thread: any; signal-safe. */
void br_net_loop_stop(struct br_net_loop *loop);
/* Makes the loop turn soon and call what br_net_loop_on_wake set. Thread: any; signal-safe. ctx is the loop (for io pools). */
void br_net_loop_wake(void *loop);
void br_net_loop_on_wake(struct br_net_loop *loop, void (*wake)(void *ctx), void *ctx);
/* Time of this turn. */
int64_t br_net_loop_now_ms(const struct br_net_loop *loop);
int64_t br_net_loop_wall_ms(const struct br_net_loop *loop);
/* For compat/net: the base, and what each event callback calls first. */
struct event_base *br_net_loop_base(struct br_net_loop *loop);
void br_net_loop_begin(struct br_net_loop *loop);
