#include "storage/vfs.h"
#include "compat/base/mem.h"

enum br_err store_file_open(struct store_vfs *vfs, const char *path, int flags, struct store_file **out)
{
    BR_ASSERT(vfs && path && path[0]);
    return vfs->ops->open(vfs, path, flags, out);
}

void store_file_close(struct store_file *file)
{
    if (file)
        file->vfs->ops->close(file);
}

enum br_err store_file_read_as(struct store_file *file, void *buf, size_t len, int64_t at, bool nowait)
{
    BR_ASSERT(at >= 0);
    return file->vfs->ops->pread(file, buf, len, at, nowait);
}

enum br_err store_file_read(struct store_file *file, void *buf, size_t len, int64_t at)
{
    return store_file_read_as(file, buf, len, at, false);
}

enum br_err store_file_read_nowait(struct store_file *file, void *buf, size_t len, int64_t at)
{
    return store_file_read_as(file, buf, len, at, true);
}

enum br_err store_file_write(struct store_file *file, const void *buf, size_t len, int64_t at)
{
    struct iovec iov = {(void *)(uintptr_t)buf, len};
    return store_file_writev(file, &iov, 1, at);
}

enum br_err store_file_writev(struct store_file *file, const struct iovec *iov, int iov_count, int64_t at)
{
    BR_ASSERT(at >= 0);
    BR_ASSERT(iov_count > 0);
    return file->vfs->ops->pwritev(file, iov, iov_count, at);
}

enum br_err store_file_sync(struct store_file *file)
{
    return file->vfs->ops->sync(file);
}

enum br_err store_file_truncate(struct store_file *file, int64_t size)
{
    BR_ASSERT(size >= 0);
    return file->vfs->ops->truncate(file, size);
}

enum br_err store_file_size(struct store_file *file, int64_t *size)
{
    return file->vfs->ops->size(file, size);
}

int store_file_fd(struct store_file *file)
{
    return file->vfs->ops->fd(file);
}

enum br_err store_dir_sync(struct store_vfs *vfs, const char *path)
{
    struct store_file *dir;
    enum br_err err = store_file_open(vfs, path, STORE_OPEN_DIRECTORY, &dir);
    if (err != BR_OK)
        return err;
    err = store_file_sync(dir);
    store_file_close(dir);
    return err;
}

/* The directory part of a path, br_alloc'd. */
static char *parent_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return br_strdup(".");
    return slash == path ? br_strdup("/") : br_strndup(path, (size_t)(slash - path));
}

enum br_err store_dir_make(struct store_vfs *vfs, const char *path)
{
    enum br_err err = vfs->ops->mkdir(vfs, path);
    if (err != BR_OK)
        return err;
    char *parent = parent_of(path);
    err = store_dir_sync(vfs, parent);
    br_free(parent);
    return err;
}

enum br_err store_dir_make_all(struct store_vfs *vfs, const char *path)
{
    enum br_err err = store_dir_make(vfs, path);
    if (err != BR_NOT_FOUND || !strchr(path, '/'))
        return err;
    char *parent = parent_of(path);
    err = strcmp(parent, path) == 0 ? BR_NOT_FOUND : store_dir_make_all(vfs, parent);
    br_free(parent);
    return err == BR_OK ? store_dir_make(vfs, path) : err;
}

enum br_err store_file_load(struct store_vfs *vfs, const char *path, size_t limit, uint8_t **data, size_t *len)
{
    struct store_file *file;
    enum br_err err = store_file_open(vfs, path, STORE_OPEN_READ, &file);
    if (err != BR_OK)
        return err;
    uint8_t *bytes = NULL;
    int64_t size = 0;
    err = store_file_size(file, &size);
    if (err == BR_OK && (uint64_t)size > limit)
        err = BR_TOO_LARGE;
    if (err == BR_OK && !(bytes = br_try_alloc((size_t)size + 1)))
        err = BR_NOMEM;
    if (err == BR_OK)
        err = store_file_read(file, bytes, (size_t)size, 0);
    store_file_close(file);
    if (err != BR_OK) {
        br_free(bytes);
        return err;
    }
    bytes[size] = 0;
    *data = bytes;
    *len = (size_t)size;
    return BR_OK;
}

enum br_err store_file_replace(struct store_vfs *vfs, const char *path, const void *data, size_t len)
{
    char *tmp = br_asprintf("%s.tmp", path), *dir = parent_of(path);
    struct store_file *file = NULL;
    enum br_err err = store_file_open(vfs, tmp, STORE_OPEN_WRITE | STORE_OPEN_CREATE, &file);
    if (err == BR_OK)
        err = store_file_truncate(file, 0);
    if (err == BR_OK && len > 0)
        err = store_file_write(file, data, len, 0);
    if (err == BR_OK)
        err = store_file_sync(file);
    store_file_close(file);
    if (err == BR_OK)
        err = vfs->ops->rename(vfs, tmp, path);
    if (err == BR_OK)
        err = store_dir_sync(vfs, dir);
    br_free(tmp);
    br_free(dir);
    return err;
}
