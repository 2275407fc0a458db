/* File operations as a table, so that the disk can be made to lie: storage/vfs_posix.c is the real one,
 * storage/vfs_mem.c keeps files in memory and, at a chosen crash, drops, tears, garbles or reorders what was
 * not synced (each file on its own).
 *
 * Thread: a file may be written by its owner while another thread syncs it; everything else by one thread at a time. */
#pragma once

#include "compat/base/base.h"

struct store_vfs;
struct store_file;

enum store_open {
    STORE_OPEN_READ = 0,
    STORE_OPEN_WRITE = 1,  /* reading and writing */
    STORE_OPEN_CREATE = 2, /* made when absent */
    STORE_OPEN_EXCL = 4,   /* BR_EXISTS when present */
    STORE_OPEN_DIRECTORY = 8,
};

struct store_vfs_ops {
    enum br_err (*open)(struct store_vfs *vfs, const char *path, int flags, struct store_file **out);
    void (*close)(struct store_file *file);
    /* Reads exactly len or fails: BR_EOF when the file ends before; nowait: BR_COLD instead of waiting for the device. */
    enum br_err (*pread)(struct store_file *file, void *buf, size_t len, int64_t at, bool nowait);
    /* Writes all or fails; after a failure the bytes in [at, at+len) are undefined. */
    enum br_err (*pwritev)(struct store_file *file, const struct iovec *iov, int iov_count, int64_t at);
    enum br_err (*sync)(struct store_file *file);               /* data and length; for a directory its entries */
    enum br_err (*truncate)(struct store_file *file, int64_t size);
    enum br_err (*size)(struct store_file *file, int64_t *size);
    int (*fd)(struct store_file *file);                         /* -1 when there is none (memory) */
    enum br_err (*readahead)(struct store_file *file, int64_t at, size_t len); /* may wait for the device */
    enum br_err (*rename)(struct store_vfs *vfs, const char *from, const char *to);
    enum br_err (*unlink)(struct store_vfs *vfs, const char *path);
    enum br_err (*mkdir)(struct store_vfs *vfs, const char *path); /* BR_OK when it exists */
    enum br_err (*rmdir)(struct store_vfs *vfs, const char *path);
    /* Calls each for every name in the directory ('.' and '..' left out), in sorted order. */
    enum br_err (*list)(struct store_vfs *vfs, const char *path, enum br_err (*each)(void *ctx, const char *name), void *ctx);
    /* Takes an exclusive lock held until close: BR_LOCKED when another process has it. */
    enum br_err (*lock)(struct store_file *file);
    /* Free and total bytes of the file system that holds path. */
    enum br_err (*space)(struct store_vfs *vfs, const char *path, uint64_t *free_bytes, uint64_t *total_bytes);
};

struct store_vfs {
    const struct store_vfs_ops *ops;
};
struct store_file {
    struct store_vfs *vfs;
};

/* The real file system. One static object; nothing to free. */
struct store_vfs *store_vfs_posix(void);

/* Thin calls through the table; every failing one leaves errno as the system gave it where there was one. */
BR_MUST_USE enum br_err store_file_open(struct store_vfs *vfs, const char *path, int flags, struct store_file **out);
void store_file_close(struct store_file *file); /* NULL: no effect */
BR_MUST_USE enum br_err store_file_read(struct store_file *file, void *buf, size_t len, int64_t at);
BR_MUST_USE enum br_err store_file_read_nowait(struct store_file *file, void *buf, size_t len, int64_t at);
/* One or the other. */
BR_MUST_USE enum br_err store_file_read_as(struct store_file *file, void *buf, size_t len, int64_t at, bool nowait);
BR_MUST_USE enum br_err store_file_write(struct store_file *file, const void *buf, size_t len, int64_t at);
BR_MUST_USE enum br_err store_file_writev(struct store_file *file, const struct iovec *iov, int iov_count, int64_t at);
BR_MUST_USE enum br_err store_file_sync(struct store_file *file);
BR_MUST_USE enum br_err store_file_truncate(struct store_file *file, int64_t size);
BR_MUST_USE enum br_err store_file_size(struct store_file *file, int64_t *size);
int store_file_fd(struct store_file *file);
/* Opens the directory, syncs it, closes it. */
BR_MUST_USE enum br_err store_dir_sync(struct store_vfs *vfs, const char *path);
/* Makes the directory when absent and syncs its parent, so that it is there after a power loss. */
BR_MUST_USE enum br_err store_dir_make(struct store_vfs *vfs, const char *path);
/* The same with all directories above it. */
BR_MUST_USE enum br_err store_dir_make_all(struct store_vfs *vfs, const char *path);
/* Whole small file (at most limit bytes) into a br_alloc'd buffer with a NUL after it. */
BR_MUST_USE enum br_err store_file_load(struct store_vfs *vfs, const char *path, size_t limit, uint8_t **data, size_t *len);
/* Replaces path atomically: write path.tmp, sync, rename, sync the directory (SQLite's and every database's recipe). */
BR_MUST_USE enum br_err store_file_replace(struct store_vfs *vfs, const char *path, const void *data, size_t len);
