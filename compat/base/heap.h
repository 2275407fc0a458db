/* Intrusive binary heap of deadlines: the least `key` first, ties in order of insertion. */
#pragma once

#include "compat/base/base.h"

struct br_heap_node {
    int64_t key;    /* for instance a deadline in ms */
    uint64_t order; /* set by the heap */
    size_t index;   /* set by the heap; 0 = not in a heap */
};
struct br_heap {
    struct br_heap_node **nodes; /* 1-based */
    size_t count, cap;
    uint64_t next_order;
};

void br_heap_init(struct br_heap *heap);
void br_heap_clear(struct br_heap *heap);
void br_heap_push(struct br_heap *heap, struct br_heap_node *node, int64_t key);
/* The first node or NULL; stays in the heap. */
struct br_heap_node *br_heap_peek(const struct br_heap *heap);
/* No effect when the node is in no heap. */
void br_heap_remove(struct br_heap *heap, struct br_heap_node *node);
static inline bool br_heap_has(const struct br_heap_node *node) { return node->index != 0; }
