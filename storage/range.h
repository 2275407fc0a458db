/* A run of bytes of a file that stays open while it is held: what a reader is handed out, or what must be in the page cache before a read that would
 * have waited is tried again.
 *
 * S-14: a read that must not wait gets a `struct store_range *cold` (NULL: it waits). BR_COLD fills it with a held range: give it to store_range_warm on a
 * pool thread, release it, ask again. Nothing else of the answer is set then. */
#pragma once

#include "storage/file_cache.h"

/* Why a file is open. The owner's object may be gone before the last reference is. */
struct store_hold {
    struct store_file_cache *files; /* outlives it */
    struct store_handle *handle;
    unsigned refs;
    void (*released)(struct store_hold *hold); /* after the last reference, the handle is given back */
    void *owner;
};

struct store_range {
    struct store_file *file;
    int64_t file_position;
    size_t length;
    int64_t first_offset;  /* of batches: base offset of the first one (<= the offset asked) */
    int64_t next_offset;   /* after the last batch of the range */
    struct store_hold *hold;
};

/* Thread: owner. One more reference; one less, and *range names no file any more. */
void store_range_hold(struct store_range *range);
void store_range_release(struct store_range *range);
/* Brings the bytes into the page cache. Thread: pool; blocks. The range is held by the caller. Only a hint: the read that follows tells. */
void store_range_warm(const struct store_range *range);
/* Sets the place to warm for a read of len bytes at `at`: the aligned MiB around them too, since searches and walks go on nearby. */
void store_range_around(struct store_range *range, int64_t at, size_t len);
