#include "storage/range.h"

#define AROUND_BYTES ((int64_t)1 << 20)

void store_range_hold(struct store_range *range)
{
    struct store_hold *hold = range->hold;
    if (!hold)
        return;
    BR_ASSERT(hold->refs > 0);
    hold->refs++;
}

void store_range_release(struct store_range *range)
{
    struct store_hold *hold = range->hold;
    range->hold = NULL;
    range->file = NULL;
    if (!hold)
        return;
    BR_ASSERT(hold->refs > 0);
    if (--hold->refs > 0)
        return;
    store_file_cache_release(hold->files, hold->handle);
    hold->handle = NULL;
    hold->released(hold); /* it may be gone now */
}

void store_range_warm(const struct store_range *range)
{
    if (!range->file || range->length == 0)
        return;
    (void)range->file->vfs->ops->readahead(range->file, range->file_position, range->length);
}

void store_range_around(struct store_range *range, int64_t at, size_t len)
{
    BR_ASSERT(at >= 0);
    BR_ASSERT(at <= INT64_MAX - AROUND_BYTES);
    range->file_position = at - at % AROUND_BYTES;
    range->length = (size_t)BR_MAX(AROUND_BYTES, at + (int64_t)len - range->file_position);
}
