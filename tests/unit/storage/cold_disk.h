/* A disk whose pages are cold until they are read ahead, read by someone who waits, or written: the page cache as a test needs it. It takes the place of a vfs's
 * operations, one vfs at a time. */
#pragma once

#include "storage/vfs.h"

/* Before the first file is opened; all that is opened before the end goes through it. */
void cold_disk_begin(struct store_vfs *vfs);
/* After the last file is closed. */
void cold_disk_end(struct store_vfs *vfs);
/* Nothing is in the page cache any more. */
void cold_disk_chill(void);
/* Reads since the last chill that were ready to wait, whether or not they had to. */
unsigned cold_disk_waits(void);
/* Reads since the last chill, of both kinds. */
unsigned long cold_disk_reads(void);
