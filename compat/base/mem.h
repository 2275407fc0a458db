/* The only place that calls malloc and free. Out of memory is fatal to the process except where a
 * caller asks with br_try_alloc (sizes that come from outside). */
#pragma once

#include "compat/base/base.h"

/* Zeroed memory of size bytes (size may be 0); never NULL. Freed by br_free. Thread: any. */
void *br_alloc(size_t size);
void *br_alloc_array(size_t count, size_t size);
/* As realloc; new bytes are not zeroed. Never NULL for size > 0. */
void *br_realloc(void *ptr, size_t size);
/* NULL when the system refuses, or when the test hook says so. */
BR_MUST_USE void *br_try_alloc(size_t size);
void br_free(void *ptr);
char *br_strdup(const char *text);
char *br_strndup(const char *text, size_t len);
/* A new string made as printf does. */
BR_PRINTF(1, 2) char *br_asprintf(const char *fmt, ...);

/* Test hook: the nth next br_try_alloc (1 = the next) fails; 0 turns it off. */
void br_mem_fail_at(unsigned long nth);
