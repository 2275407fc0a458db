/* A least-recently-used cache of open descriptors, shared by the partition logs: 10,000 partitions, a few thousand open files.
 *
 * A file is named by its path. acquire gives a handle with one reference; while referenced it stays open, afterwards it is
 * kept until room is needed. Referenced files never count as a reason to refuse: `max` bounds what is kept open idle, so
 * the caller bounds how many handles it holds at once. A file with bytes not yet synced may be closed: the page cache keeps them, and a
 * sync through another descriptor of the same file covers them (and reports an error not yet reported).
 *
 * Thread: the calls by the owner only; the file of a referenced handle may be read or synced by a pool thread meanwhile. */
#pragma once

#include "storage/vfs.h"

struct store_file_cache;
struct store_handle; /* an open file and its references */

/* max >= 1: open files kept when nobody references them (together with the referenced ones). vfs: borrowed until free. */
struct store_file_cache *store_file_cache_new(struct store_vfs *vfs, unsigned max);
/* No handle may be referenced any more. */
void store_file_cache_free(struct store_file_cache *cache);

/* The file at path (copied), open for at least what flags (enum store_open, not DIRECTORY) ask. CREATE makes it when absent (the caller
 * syncs the directory); EXCL: BR_EXISTS when it is there. *out: one reference, given back by store_file_cache_release.
 * Errors are those of the open; BR_FULL when the process has no descriptor left and none is idle. Blocks: on an open, briefly. */
BR_MUST_USE enum br_err store_file_cache_acquire(struct store_file_cache *cache, const char *path, int flags, struct store_handle **out);
/* One more reference to a handle that has one. */
void store_file_cache_ref(struct store_handle *handle);
/* Gives back one reference. NULL: no effect. The last one of a dropped file closes it. */
void store_file_cache_release(struct store_file_cache *cache, struct store_handle *handle);
/* Borrowed while the handle is referenced. */
struct store_file *store_handle_file(const struct store_handle *handle);

/* Forgets the path: call before it is renamed, unlinked or replaced. An idle file is closed at once; a referenced one stays usable by its
 * holders (it reads the old content) and is closed at the last release; the next acquire opens the path anew. */
void store_file_cache_drop(struct store_file_cache *cache, const char *path);
/* As drop for every path below the directory ("topic-3" drops "topic-3/...", not "topic-31/..."). */
void store_file_cache_drop_dir(struct store_file_cache *cache, const char *dir);

/* Files open now, idle and referenced (dropped ones that are still held count too). */
unsigned store_file_cache_open_count(const struct store_file_cache *cache);
void store_file_cache_check(const struct store_file_cache *cache);
