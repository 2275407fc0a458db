#include "broker/wait.h"

void broker_waits_init(struct broker_waits *waits) { br_heap_init(&waits->heap); }
void broker_waits_clear(struct broker_waits *waits) { br_heap_clear(&waits->heap); }

void broker_wait_start(struct broker_waits *waits, struct broker_wait *wait, int64_t deadline_ms)
{
    br_heap_remove(&waits->heap, &wait->node);
    br_heap_push(&waits->heap, &wait->node, deadline_ms);
}

void broker_wait_stop(struct broker_waits *waits, struct broker_wait *wait) { br_heap_remove(&waits->heap, &wait->node); }

int64_t broker_waits_run(struct broker_waits *waits, int64_t now_ms)
{
    struct br_heap_node *node;
    size_t left = waits->heap.count; /* one that is due again at once waits for the next turn */
    while ((node = br_heap_peek(&waits->heap)) && node->key <= now_ms && left-- > 0) {
        struct broker_wait *wait = BR_CONTAINER_OF(node, struct broker_wait, node);
        br_heap_remove(&waits->heap, node);
        wait->expire(wait);
    }
    return node ? node->key - now_ms : -1;
}

void broker_watch_list_init(struct broker_watch_list *list) { br_list_init(&list->list); }

void broker_watch_add(struct broker_watch_list *list, struct broker_watch *watch)
{
    BR_ASSERT(!br_link_is_in(&watch->link));
    br_list_append(&list->list, &watch->link);
}

void broker_watch_remove(struct broker_watch *watch)
{
    if (br_link_is_in(&watch->link))
        br_list_remove(&watch->link);
}

/* A woken watch may add itself again, and may remove others: the ones there now are moved to a list of their own first. */
void broker_watch_wake(struct broker_watch_list *list)
{
    struct br_list now;
    br_list_init(&now);
    if (br_list_is_empty(&list->list))
        return;
    now.head = list->list.head;
    now.head.next->prev = now.head.prev->next = &now.head;
    br_list_init(&list->list);
    while (!br_list_is_empty(&now)) {
        struct broker_watch *watch = BR_LIST_FIRST(&now, struct broker_watch, link);
        br_list_remove(&watch->link);
        watch->wake(watch);
    }
}
