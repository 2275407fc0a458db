/* Filters as requests carry them. */
#pragma once

#include "compat/base/mem.h"
#include "compat/base/str.h"
#include "order/api/braid.h"

/* NULL: every topic. */
static inline bool braid_filter_is_fit(const struct braid_filter *filter)
{
    for (size_t i = 0; filter && i < filter->count; i++)
        if (!filter->topics || !filter->topics[i] || !filter->topics[i][0])
            return false;
    return !filter || filter->count < INT16_MAX;
}

/* A list to be freed with br_free, its names borrowed; count -1: every topic. */
static inline struct br_str *braid_filter_topics(const struct braid_filter *filter, int32_t *count)
{
    *count = filter && filter->count > 0 ? (int32_t)filter->count : -1;
    struct br_str *topics = *count > 0 ? br_alloc_array(filter->count, sizeof *topics) : NULL;
    for (int32_t i = 0; i < *count; i++)
        topics[i] = br_str_c(filter->topics[i]);
    return topics;
}
