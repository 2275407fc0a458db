/* Assertions find our own bugs; bytes from outside never reach one unchecked.
 * BR_ASSERT stays on in release builds; BR_DEBUG_ASSERT is for costly checks (on with -DBR_DEBUG).
 * BR_COUNT_IF counts what is odd but harmless. Depends on nothing. */
#pragma once

/* Prints the expression and place to stderr and aborts. Thread: any. */
__attribute__((noreturn, cold)) void br_assert_failed(const char *expr, const char *file, int line);

#define BR_ASSERT(cond) ((cond) ? (void)0 : br_assert_failed(#cond, __FILE__, __LINE__))
#ifdef BR_DEBUG
#define BR_DEBUG_ASSERT(cond) BR_ASSERT(cond)
#else
#define BR_DEBUG_ASSERT(cond) ((void)sizeof(cond))
#endif

/* Times the odd-but-harmless condition was seen since start, over all sites. Thread: any. */
unsigned long br_odd_count(void);
void br_odd_seen(const char *expr, const char *file, int line);
#define BR_COUNT_IF(cond) ((cond) ? br_odd_seen(#cond, __FILE__, __LINE__) : (void)0)
