/* An answer that takes more than one turn: lookups in bounded steps, with waits for what is cold or not known yet, and a deadline. Thread: loop. */
#pragma once

#include "broker/broker.h"
#include "broker/data/warm.h"

struct broker_steps {
    struct broker *broker;
    struct broker_wait wait;
    struct broker_warm *warm;
    int64_t deadline_ms;
    bool has_more; /* set by run with BR_OK: once more in the next turn */
    /* One step, bounded. BR_COLD (*cold held: it is warmed) and BR_BUSY: the same step is run again. */
    enum br_err (*run)(struct broker_steps *steps, struct store_range *cold);
    /* Called once; nothing waits any more. BR_TIMEOUT: the deadline came first; else what run answered last. */
    void (*done)(struct broker_steps *steps, enum br_err err);
};

/* The caller's memory, zeroed, with run and done set; done may be called before this returns. timeout_ms < 0 counts as 0: one step each is tried all the same. */
void broker_steps_start(struct broker_steps *steps, struct broker *b, int32_t timeout_ms);
/* done will not be called. */
void broker_steps_cancel(struct broker_steps *steps);
