/* Files in memory with a fault model, for tests and the simulator.
 *
 * Every write since a file's last sync is remembered. crash() decides for each file, from the seed and its fault
 * settings, which of them reach the "disk": all, a prefix, any subset (reordering), one torn in the middle, one garbled
 * (random bytes in its range). Names: creations, renames and unlinks that were not followed by a sync of the directory may
 * be undone. Then every open handle is dead (BR_FAILED) and the files hold what survived. */
#pragma once

#include "storage/vfs.h"

struct store_vfs_mem; /* contains a struct store_vfs first */

struct store_mem_faults {
    unsigned drop, tear, garble, reorder; /* percent chances per crash and file */
    bool keep_all;                        /* a process crash: the page cache survives */
};

struct store_vfs_mem *store_vfs_mem_new(uint64_t seed);
void store_vfs_mem_free(struct store_vfs_mem *mem);
struct store_vfs *store_vfs_mem_vfs(struct store_vfs_mem *mem);
/* faults by pattern of the path (fnmatch); the first set that matches counts. At most 16. */
void store_vfs_mem_set_faults(struct store_vfs_mem *mem, const char *pattern, struct store_mem_faults faults);
void store_vfs_mem_crash(struct store_vfs_mem *mem);
/* The nth next write, sync or (kind as in the enum) fails with err; 0 turns it off. Bytes: BR_NOSPACE once the files
 * together hold more than limit bytes (0 = no limit). */
enum store_mem_op { STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME, STORE_MEM_READ };
void store_vfs_mem_fail_at(struct store_vfs_mem *mem, enum store_mem_op op, unsigned long nth, enum br_err err);
void store_vfs_mem_set_limit(struct store_vfs_mem *mem, uint64_t limit);
/* Operations so far, for "fail at every point" loops. */
unsigned long store_vfs_mem_op_count(const struct store_vfs_mem *mem, enum store_mem_op op);
