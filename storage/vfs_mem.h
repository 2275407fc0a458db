/* Files in memory with a fault model, for tests and the simulator.
 *
 * Every write since a file's last sync is remembered. crash() decides for each file, from the seed and its fault
 * settings, which of them reach the "disk": all, a prefix, any subset (reordering), one torn in the middle, one garbled
 * (random bytes in its range). Names: creations, renames and unlinks that were not followed by a sync of the directory may
 * be undone. Then every open handle is dead (BR_FAILED; it must still be closed) and the files hold what survived.
 *
 * A file that no fault setting matches keeps everything. Synced bytes are never touched: rot is a test's own write. */
#pragma once

#include "storage/vfs.h"

struct store_vfs_mem; /* contains a struct store_vfs first */

struct store_mem_faults {
    /* Percent chances per crash and file or directory. drop: a prefix of the unsynced changes survives, of random length. reorder: any half
     * of that. tear: of the last one only the bytes before a point, or any half of its 512-byte sectors. garble: up to 64 random bytes in
     * one of them. A directory knows drop and reorder; a rename within one directory is one change. */
    unsigned drop, tear, garble, reorder;
    bool keep_all; /* a process crash: the page cache survives */
};

struct store_vfs_mem *store_vfs_mem_new(uint64_t seed);
/* Every handle must have been closed. */
void store_vfs_mem_free(struct store_vfs_mem *mem);
struct store_vfs *store_vfs_mem_vfs(struct store_vfs_mem *mem);
/* faults by pattern of the path (fnmatch, '*' matches '/' too); the first set that matches counts, and setting a pattern again
 * replaces its faults in place. At most 16. */
void store_vfs_mem_set_faults(struct store_vfs_mem *mem, const char *pattern, struct store_mem_faults faults);
void store_vfs_mem_crash(struct store_vfs_mem *mem);

/* WRITE: writes and truncations. RENAME: all changes of names (creation, rename, unlink, mkdir, rmdir). */
enum store_mem_op { STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME, STORE_MEM_READ };
/* The nth next operation of the kind fails with err (a write having put down any part of its bytes), once; nth 0 turns it off. */
void store_vfs_mem_fail_at(struct store_vfs_mem *mem, enum store_mem_op op, unsigned long nth, enum br_err err);
/* As fail_at, but all later ones fail too, until turned off. */
void store_vfs_mem_fail_from(struct store_vfs_mem *mem, enum store_mem_op op, unsigned long nth, enum br_err err);
/* BR_NOSPACE once the files together would hold more than limit bytes (0 = no limit); what fits is written. */
void store_vfs_mem_set_limit(struct store_vfs_mem *mem, uint64_t limit);
/* Operations so far, for "fail at every point" loops. */
unsigned long store_vfs_mem_op_count(const struct store_vfs_mem *mem, enum store_mem_op op);
