/* Log lines: one event a line, `time LEVEL component event key=value ...`, to stderr. Repeats of one call
 * site are limited to 10 in 10 s; how many were held back is said with the next one. Nothing per record.
 * Error means an operator must act. Thread: any. */
#pragma once

#include "compat/base/base.h"

enum br_log_level { BR_LOG_NONE = -1 /* only for set_level: silence */, BR_LOG_ERROR, BR_LOG_WARN, BR_LOG_INFO, BR_LOG_DEBUG };

struct br_log_site {
    int64_t window_ms;
    unsigned count, held;
};

void br_log_set_level(enum br_log_level most);
BR_PRINTF(4, 5) void br_log_write(struct br_log_site *site, enum br_log_level level, const char *component,
                                  const char *fmt, ...);
#define br_log(level, component, ...)                                   \
    do {                                                                \
        static struct br_log_site br_log_site_;                         \
        br_log_write(&br_log_site_, level, component, __VA_ARGS__);     \
    } while (0)
