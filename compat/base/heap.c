#include "compat/base/heap.h"
#include "compat/base/mem.h"

void br_heap_init(struct br_heap *heap)
{
    *heap = (struct br_heap){0};
}

void br_heap_clear(struct br_heap *heap)
{
    for (size_t i = 1; i <= heap->count; i++)
        heap->nodes[i]->index = 0;
    br_free(heap->nodes);
    br_heap_init(heap);
}

static bool is_before(const struct br_heap_node *a, const struct br_heap_node *b)
{
    return a->key != b->key ? a->key < b->key : a->order < b->order;
}

static void set(struct br_heap *heap, size_t i, struct br_heap_node *node)
{
    heap->nodes[i] = node;
    node->index = i;
}

static void sift_up(struct br_heap *heap, size_t i)
{
    struct br_heap_node *node = heap->nodes[i];
    for (; i > 1 && is_before(node, heap->nodes[i / 2]); i /= 2)
        set(heap, i, heap->nodes[i / 2]);
    set(heap, i, node);
}

static void sift_down(struct br_heap *heap, size_t i)
{
    struct br_heap_node *node = heap->nodes[i];
    for (size_t child; (child = i * 2) <= heap->count; i = child) {
        if (child < heap->count && is_before(heap->nodes[child + 1], heap->nodes[child]))
            child++;
        if (!is_before(heap->nodes[child], node))
            break;
        set(heap, i, heap->nodes[child]);
    }
    set(heap, i, node);
}

void br_heap_push(struct br_heap *heap, struct br_heap_node *node, int64_t key)
{
    BR_ASSERT(node->index == 0);
    if (heap->count + 1 >= heap->cap) {
        heap->cap = heap->cap ? heap->cap * 2 : 16;
        heap->nodes = br_realloc(heap->nodes, heap->cap * sizeof *heap->nodes);
    }
    node->key = key;
    node->order = heap->next_order++;
    set(heap, ++heap->count, node);
    sift_up(heap, heap->count);
}

struct br_heap_node *br_heap_peek(const struct br_heap *heap)
{
    return heap->count ? heap->nodes[1] : NULL;
}

void br_heap_remove(struct br_heap *heap, struct br_heap_node *node)
{
    size_t i = node->index;
    if (i == 0)
        return;
    BR_ASSERT(i <= heap->count && heap->nodes[i] == node);
    struct br_heap_node *last = heap->nodes[heap->count--];
    node->index = 0;
    if (last != node) {
        set(heap, i, last);
        sift_up(heap, i);
        sift_down(heap, last->index);
    }
}
