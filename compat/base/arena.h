/* Bump allocator with a byte budget: memory that lives as long as one request.
 * Full is a normal answer (NULL). Reset keeps the first block and the budget. */
#pragma once

#include "compat/base/base.h"

struct br_arena {
    struct br_arena_block *head; /* newest block */
    size_t used, budget;         /* bytes handed out; most that may be */
};

/* budget: bytes, > 0. Allocates nothing yet. */
void br_arena_init(struct br_arena *arena, size_t budget);
/* Zeroed, 16-byte aligned; NULL when the budget is spent or the system refuses. Freed with the arena. */
BR_MUST_USE void *br_arena_alloc(struct br_arena *arena, size_t size);
BR_MUST_USE void *br_arena_array(struct br_arena *arena, size_t count, size_t size);
/* A NUL-terminated copy; NULL when over the budget. */
BR_MUST_USE char *br_arena_strndup(struct br_arena *arena, const char *text, size_t len);
BR_MUST_USE BR_PRINTF(2, 3) char *br_arena_printf(struct br_arena *arena, const char *fmt, ...);
void br_arena_reset(struct br_arena *arena);
void br_arena_clear(struct br_arena *arena);
