#include "compat/base/mem.h"

static unsigned long fail_at;

static void *or_die(void *ptr, size_t size)
{
    if (BR_UNLIKELY(!ptr)) {
        fprintf(stderr, "braid: out of memory (%zu bytes)\n", size);
        abort();
    }
    return ptr;
}

void *br_alloc(size_t size)
{
    return or_die(calloc(1, size ? size : 1), size);
}

void *br_alloc_array(size_t count, size_t size)
{
    return or_die(calloc(count ? count : 1, size ? size : 1), size);
}

void *br_realloc(void *ptr, size_t size)
{
    return or_die(realloc(ptr, size ? size : 1), size);
}

void *br_try_alloc(size_t size)
{
    if (fail_at && --fail_at == 0)
        return NULL;
    return malloc(size ? size : 1);
}

void br_free(void *ptr)
{
    free(ptr);
}

char *br_strndup(const char *text, size_t len)
{
    char *copy = br_alloc(len + 1);
    memcpy(copy, text, len);
    return copy;
}

char *br_strdup(const char *text)
{
    return br_strndup(text, strlen(text));
}

char *br_asprintf(const char *fmt, ...)
{
    va_list ap;
    char *text = NULL;
    va_start(ap, fmt);
    int len = vasprintf(&text, fmt, ap);
    va_end(ap);
    return len < 0 ? or_die(NULL, 0) : text;
}

void br_mem_fail_at(unsigned long nth)
{
    fail_at = nth;
}
