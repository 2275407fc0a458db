#include "compat/base/arena.h"
#include "compat/base/mem.h"

#define BLOCK_BYTES 4096u
#define ALIGN 16u

struct br_arena_block {
    struct br_arena_block *next; /* older */
    size_t size, used;           /* of data */
    _Alignas(16) unsigned char data[];
};

void br_arena_init(struct br_arena *arena, size_t budget)
{
    BR_ASSERT(budget > 0);
    *arena = (struct br_arena){.budget = budget};
}

void *br_arena_alloc(struct br_arena *arena, size_t size)
{
    if (size > arena->budget || arena->used > arena->budget - size)
        return NULL;
    size_t need = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    struct br_arena_block *block = arena->head;
    if (!block || block->size - block->used < need) {
        size_t room = block ? BR_MIN(block->size * 2, 1u << 20) : BLOCK_BYTES - sizeof *block;
        room = BR_MAX(room, need);
        block = br_try_alloc(sizeof *block + room);
        if (!block)
            return NULL;
        block->next = arena->head;
        block->size = room;
        block->used = 0;
        arena->head = block;
    }
    void *ptr = block->data + block->used;
    block->used += need;
    arena->used += size;
    return memset(ptr, 0, size);
}

void *br_arena_array(struct br_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    return br_arena_alloc(arena, count * size);
}

char *br_arena_strndup(struct br_arena *arena, const char *text, size_t len)
{
    char *copy = br_arena_alloc(arena, len + 1);
    if (copy && len)
        memcpy(copy, text, len);
    return copy;
}

char *br_arena_printf(struct br_arena *arena, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int len = vsnprintf(NULL, 0, fmt, ap);
    char *text = len < 0 ? NULL : br_arena_alloc(arena, (size_t)len + 1);
    if (text)
        vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    va_end(ap);
    return text;
}

void br_arena_reset(struct br_arena *arena)
{
    while (arena->head && arena->head->next) {
        struct br_arena_block *next = arena->head->next;
        br_free(arena->head);
        arena->head = next;
    }
    if (arena->head)
        arena->head->used = 0;
    arena->used = 0;
}

void br_arena_clear(struct br_arena *arena)
{
    br_arena_reset(arena);
    br_free(arena->head);
    arena->head = NULL;
}
