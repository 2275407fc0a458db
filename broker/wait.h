/* Waiting: deadlines in one heap per loop, and watch lists that an event wakes. A long poll is a broker_wait (its deadline) plus a
 * broker_watch in each thing it waits for; group timers are broker_waits alone. All on the loop. */
#pragma once

#include "compat/base/heap.h"
#include "compat/base/list.h"

struct broker_waits {
    struct br_heap heap; /* keys: monotonic ms */
};

struct broker_wait {
    struct br_heap_node node;
    void (*expire)(struct broker_wait *wait); /* removed from the heap before the call */
};

void broker_waits_init(struct broker_waits *waits);
void broker_waits_clear(struct broker_waits *waits);
/* (Re)starts. deadline_ms: monotonic. */
void broker_wait_start(struct broker_waits *waits, struct broker_wait *wait, int64_t deadline_ms);
void broker_wait_stop(struct broker_waits *waits, struct broker_wait *wait);
static inline bool broker_wait_is_on(const struct broker_wait *wait) { return br_heap_has(&wait->node); }
/* Runs what is due; returns ms to the next deadline (-1: none). */
int64_t broker_waits_run(struct broker_waits *waits, int64_t now_ms);

/* Something that can be waited for (a partition's new data, stable-gp). */
struct broker_watch_list {
    struct br_list list;
};
struct broker_watch {
    struct br_link link;
    void (*wake)(struct broker_watch *watch); /* removed from the list before the call; may add itself again */
};
void broker_watch_list_init(struct broker_watch_list *list);
void broker_watch_add(struct broker_watch_list *list, struct broker_watch *watch);
void broker_watch_remove(struct broker_watch *watch); /* no effect when in no list */
/* Wakes everything that was in the list when called. */
void broker_watch_wake(struct broker_watch_list *list);
