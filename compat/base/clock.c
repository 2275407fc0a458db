#include "compat/base/clock.h"

static int64_t fake_mono_ms, fake_wall_ms;

static int64_t read_ns(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int64_t br_clock_mono_ns(void)
{
    return fake_mono_ms ? fake_mono_ms * 1000000 : read_ns(CLOCK_MONOTONIC);
}

int64_t br_clock_mono_ms(void)
{
    return br_clock_mono_ns() / 1000000;
}

int64_t br_clock_wall_ms(void)
{
    return fake_wall_ms ? fake_wall_ms : read_ns(CLOCK_REALTIME) / 1000000;
}

void br_clock_set_fake(int64_t mono_ms, int64_t wall_ms)
{
    fake_mono_ms = mono_ms;
    fake_wall_ms = wall_ms;
}
