/* The real file system. errno is turned into enum br_err here and nowhere above. */
#include "storage/vfs.h"
#include "compat/base/mem.h"
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define NAMES_MAX 1000000u /* most names listed of one directory */
#define WARM_BYTES 16384u  /* read at a time when bytes are brought into the page cache */

struct posix_file {
    struct store_file file; /* first */
    int fd;
};

static int fd_of(struct store_file *file)
{
    return ((struct posix_file *)file)->fd;
}

static enum br_err last_error(void)
{
    return br_err_from_errno(errno);
}

static enum br_err posix_open(struct store_vfs *vfs, const char *path, int flags, struct store_file **out)
{
    int how = O_CLOEXEC | (flags & STORE_OPEN_WRITE ? O_RDWR : O_RDONLY);
    if (flags & STORE_OPEN_DIRECTORY)
        how = O_CLOEXEC | O_RDONLY | O_DIRECTORY;
    if (flags & STORE_OPEN_CREATE)
        how |= O_CREAT;
    if (flags & STORE_OPEN_EXCL)
        how |= O_CREAT | O_EXCL;
    int fd = open(path, how, 0640);
    if (fd < 0)
        return last_error();
    struct posix_file *f = br_alloc(sizeof *f);
    f->file.vfs = vfs;
    f->fd = fd;
    *out = &f->file;
    return BR_OK;
}

static void posix_close(struct store_file *file)
{
    close(fd_of(file));
    br_free(file);
}

static enum br_err posix_pread(struct store_file *file, void *buf, size_t len, int64_t at, bool nowait)
{
    uint8_t *p = buf;
    int flags = nowait ? RWF_NOWAIT : 0;
    while (len > 0) {
        struct iovec iov = {p, len};
        ssize_t n = preadv2(fd_of(file), &iov, 1, at, flags);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && flags && errno == EOPNOTSUPP) {
            flags = 0; /* a file system without it: waiting is the only way */
            continue;
        }
        if (n < 0)
            return flags && errno == EAGAIN ? BR_COLD : last_error();
        if (n == 0)
            return BR_EOF;
        p += n;
        at += n;
        len -= (size_t)n;
    }
    return BR_OK;
}

/* Goes on after short writes; the caller's vector is left alone. */
static enum br_err posix_pwritev(struct store_file *file, const struct iovec *iov, int iov_count, int64_t at)
{
    size_t skip = 0; /* of the first piece */
    while (iov_count > 0) {
        if (iov->iov_len == skip) {
            iov++, iov_count--, skip = 0;
            continue;
        }
        ssize_t n;
        if (skip > 0)
            n = pwrite(fd_of(file), (uint8_t *)iov->iov_base + skip, iov->iov_len - skip, at);
        else
            n = pwritev(fd_of(file), iov, BR_MIN(iov_count, IOV_MAX), at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return last_error();
        if (n == 0)
            return BR_IO;
        at += n;
        for (size_t done = (size_t)n; done > 0;) {
            size_t part = BR_MIN(done, iov->iov_len - skip);
            done -= part;
            skip += part;
            if (skip == iov->iov_len)
                iov++, iov_count--, skip = 0;
        }
    }
    return BR_OK;
}

static enum br_err posix_sync(struct store_file *file)
{
    struct stat st;
    if (fstat(fd_of(file), &st) < 0)
        return last_error();
    /* A failed sync is not asked again: the pages it failed on may be marked clean by then. */
    int rc = S_ISDIR(st.st_mode) ? fsync(fd_of(file)) : fdatasync(fd_of(file));
    return rc < 0 ? last_error() : BR_OK;
}

static enum br_err posix_truncate(struct store_file *file, int64_t size)
{
    while (ftruncate(fd_of(file), size) < 0)
        if (errno != EINTR)
            return last_error();
    return BR_OK;
}

static enum br_err posix_size(struct store_file *file, int64_t *size)
{
    struct stat st;
    if (fstat(fd_of(file), &st) < 0)
        return last_error();
    *size = st.st_size;
    return BR_OK;
}

/* readahead(2) only starts the reads; the reads that follow wait for them, so that a non-waiting read passes after this. */
static enum br_err posix_readahead(struct store_file *file, int64_t at, size_t len)
{
    uint8_t scratch[WARM_BYTES];
    (void)readahead(fd_of(file), at, len);
    while (len > 0) {
        ssize_t n = pread(fd_of(file), scratch, BR_MIN(len, sizeof scratch), at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return last_error();
        if (n == 0)
            return BR_OK;
        at += n;
        len -= (size_t)n;
    }
    return BR_OK;
}

static enum br_err posix_rename(struct store_vfs *vfs BR_UNUSED, const char *from, const char *to)
{
    return rename(from, to) < 0 ? last_error() : BR_OK;
}

static enum br_err posix_unlink(struct store_vfs *vfs BR_UNUSED, const char *path)
{
    return unlink(path) < 0 ? last_error() : BR_OK;
}

static enum br_err posix_mkdir(struct store_vfs *vfs BR_UNUSED, const char *path)
{
    struct stat st;
    if (mkdir(path, 0750) == 0)
        return BR_OK;
    if (errno == EEXIST && stat(path, &st) == 0)
        return S_ISDIR(st.st_mode) ? BR_OK : BR_EXISTS;
    return last_error();
}

static enum br_err posix_rmdir(struct store_vfs *vfs BR_UNUSED, const char *path)
{
    return rmdir(path) < 0 ? last_error() : BR_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum br_err posix_list(struct store_vfs *vfs BR_UNUSED, const char *path,
                              enum br_err (*each)(void *ctx, const char *name), void *ctx)
{
    DIR *dir = opendir(path);
    if (!dir)
        return last_error();
    char **names = NULL;
    size_t count = 0, cap = 0;
    enum br_err err = BR_OK;
    for (;;) {
        errno = 0;
        struct dirent *entry = readdir(dir);
        if (!entry) {
            err = last_error();
            break;
        }
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (count == NAMES_MAX) {
            err = BR_TOO_LARGE;
            break;
        }
        if (count == cap) {
            cap = cap ? cap * 2 : 64;
            names = br_realloc(names, cap * sizeof *names);
        }
        names[count++] = br_strdup(entry->d_name);
    }
    closedir(dir);
    if (count > 0)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        if (err == BR_OK)
            err = each(ctx, names[i]);
        br_free(names[i]);
    }
    br_free(names);
    return err;
}

static enum br_err posix_lock(struct store_file *file)
{
    if (flock(fd_of(file), LOCK_EX | LOCK_NB) == 0)
        return BR_OK;
    return errno == EWOULDBLOCK ? BR_LOCKED : last_error();
}

static enum br_err posix_space(struct store_vfs *vfs BR_UNUSED, const char *path, uint64_t *free_bytes, uint64_t *total_bytes)
{
    struct statvfs st;
    if (statvfs(path, &st) < 0)
        return last_error();
    *free_bytes = (uint64_t)st.f_bavail * st.f_frsize;
    *total_bytes = (uint64_t)st.f_blocks * st.f_frsize;
    return BR_OK;
}

static const struct store_vfs_ops posix_ops = {
    .open = posix_open, .close = posix_close, .pread = posix_pread, .pwritev = posix_pwritev, .sync = posix_sync,
    .truncate = posix_truncate, .size = posix_size, .fd = fd_of, .readahead = posix_readahead, .rename = posix_rename,
    .unlink = posix_unlink, .mkdir = posix_mkdir, .rmdir = posix_rmdir, .list = posix_list, .lock = posix_lock,
    .space = posix_space,
};

struct store_vfs *store_vfs_posix(void)
{
    static struct store_vfs vfs = {&posix_ops};
    return &vfs;
}
