/* Included first by every file: attributes and functions that must not be used.
 *
 * Knows nothing of Kafka. A banned function does not compile; the ones that other
 * libraries' headers mention (malloc, free) are kept out by tests/lint/banned.sh. */
#pragma once

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <sys/types.h>
#include <sys/uio.h>

#define BR_MUST_USE __attribute__((warn_unused_result))
#define BR_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#define BR_NORETURN __attribute__((noreturn))
#define BR_UNUSED __attribute__((unused))
#define BR_LIKELY(x) __builtin_expect(!!(x), 1)
#define BR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define BR_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BR_CONTAINER_OF(ptr, type, member) ((type *)(void *)((char *)(ptr) - offsetof(type, member)))
#define BR_MIN(a, b) ((a) < (b) ? (a) : (b))
#define BR_MAX(a, b) ((a) > (b) ? (a) : (b))

#include "compat/base/assert.h"
#include "compat/base/err.h"

#pragma GCC poison strcpy strcat strtok atoi atol gets localtime gmtime
