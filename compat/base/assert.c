#include "compat/base/base.h"

static unsigned long odd_count;

void br_assert_failed(const char *expr, const char *file, int line)
{
    fprintf(stderr, "braid: assertion failed: %s at %s:%d (this is a bug; please report it)\n",
            expr, file, line);
    fflush(stderr);
    abort();
}

unsigned long br_odd_count(void)
{
    return __atomic_load_n(&odd_count, __ATOMIC_RELAXED);
}

void br_odd_seen(const char *expr, const char *file, int line)
{
    if (__atomic_fetch_add(&odd_count, 1, __ATOMIC_RELAXED) < 10)
        fprintf(stderr, "braid: odd: %s at %s:%d\n", expr, file, line);
}
