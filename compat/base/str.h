/* A slice: pointer and length, not owned, by value. data may be NULL (null, as against empty). */
#pragma once

#include "compat/base/base.h"

struct br_str {
    const char *data;
    size_t len;
};

static inline struct br_str br_str(const char *data, size_t len) { return (struct br_str){data, len}; }
/* Of a C string; NULL gives the null slice. */
static inline struct br_str br_str_c(const char *text) { return (struct br_str){text, text ? strlen(text) : 0}; }
static inline bool br_str_is_null(struct br_str s) { return s.data == NULL; }
static inline bool br_str_eq(struct br_str a, struct br_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}
static inline bool br_str_eq_c(struct br_str a, const char *b) { return br_str_eq(a, br_str_c(b)); }
#define BR_STR_FMT "%.*s"
#define BR_STR_ARG(s) (int)(s).len, (s).data ? (s).data : ""
