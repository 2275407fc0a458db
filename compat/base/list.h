/* Intrusive doubly linked list. A node not in a list has next == NULL. */
#pragma once

#include "compat/base/base.h"

struct br_link {
    struct br_link *next, *prev;
};
struct br_list {
    struct br_link head; /* head.next is the first */
};

static inline void br_list_init(struct br_list *l) { l->head.next = l->head.prev = &l->head; }
static inline bool br_list_is_empty(const struct br_list *l) { return l->head.next == &l->head; }
static inline bool br_link_is_in(const struct br_link *n) { return n->next != NULL; }
static inline void br_list_append(struct br_list *l, struct br_link *n)
{
    n->prev = l->head.prev;
    n->next = &l->head;
    n->prev->next = n;
    l->head.prev = n;
}
static inline void br_list_prepend(struct br_list *l, struct br_link *n)
{
    n->next = l->head.next;
    n->prev = &l->head;
    n->next->prev = n;
    l->head.next = n;
}
static inline void br_list_remove(struct br_link *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    n->next = n->prev = NULL;
}
/* First entry or NULL. */
#define BR_LIST_FIRST(list, type, member) \
    (br_list_is_empty(list) ? NULL : BR_CONTAINER_OF((list)->head.next, type, member))
/* Walks in order; `it` must not be removed inside the body. */
#define BR_LIST_FOR(it, list, type, member)                                     \
    for (type *it = BR_CONTAINER_OF((list)->head.next, type, member);           \
         &it->member != &(list)->head; it = BR_CONTAINER_OF(it->member.next, type, member))
/* As above, but `it` may be removed or freed. */
#define BR_LIST_FOR_SAFE(it, tmp, list, type, member)                           \
    for (type *it = BR_CONTAINER_OF((list)->head.next, type, member),           \
              *tmp = BR_CONTAINER_OF(it->member.next, type, member);            \
         &it->member != &(list)->head;                                          \
         it = tmp, tmp = BR_CONTAINER_OF(it->member.next, type, member))
