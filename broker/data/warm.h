/* What must not wait for the device on the loop waits in the pool: a cold range is read into the page cache there, and then whoever came upon it tries again.
 * The job outlives its starter: connections close, topics are deleted, views go, and the pages come in all the same. Thread: loop. */
#pragma once

#include "broker/broker.h"

struct broker_warm;

/* Takes over the hold of *cold. done(ctx) is called once, from a later turn, when the pages are in or could not be brought in: the read that follows tells. */
struct broker_warm *broker_warm_start(struct broker *b, struct store_range *cold, void (*done)(void *ctx), void *ctx);
/* done will not be called. NULL: no effect. */
void broker_warm_cancel(struct broker_warm *warm);
