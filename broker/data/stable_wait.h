/* Waiting until every position below one is stable: how an answer comes to cover what was acknowledged before it was asked (R11). Thread: loop. */
#pragma once

#include "broker/broker.h"

enum broker_stable_result { BROKER_STABLE, BROKER_STABLE_LATE, BROKER_STABLE_FAILED };

struct broker_stable_wait {
    struct broker *broker;
    struct broker_watch watch;
    struct broker_wait wait;
    uint64_t position;
    /* Called once; nothing waits any more. LATE: the deadline came first. FAILED: this node takes no more writes, stable stands still below the position. */
    void (*done)(struct broker_stable_wait *wait, enum broker_stable_result result);
};

/* The caller's memory, zeroed, with done set. done may be called before this returns. timeout_ms < 0 counts as 0. */
void broker_stable_wait_start(struct broker_stable_wait *wait, struct broker *b, uint64_t position, int32_t timeout_ms);
/* done will not be called. */
void broker_stable_wait_cancel(struct broker_stable_wait *wait);
