#include "tests/unit/storage/cold_disk.h"
#include "compat/base/map.h"
#include "compat/base/mem.h"
#include "tests/support/harness.h"

#define PAGE 4096

struct pages { /* of one path: a byte each, 1: warm */
    uint8_t *warm;
    size_t count;
};

static const struct store_vfs_ops *real;
static struct store_vfs_ops cold;
static struct br_map paths; /* path -> struct pages */
static struct br_map files; /* pointer of an open file -> struct pages */
static unsigned waits;
static unsigned long reads;

static struct pages *pages_of(const char *path)
{
    struct pages *p = br_map_get(&paths, path, strlen(path));
    if (!p) {
        p = br_alloc(sizeof *p);
        br_map_put(&paths, path, strlen(path), p);
    }
    return p;
}

static void warm(struct store_file *file, int64_t at, size_t len)
{
    struct pages *p = br_map_get(&files, &file, sizeof file);
    size_t end = ((size_t)at + len + PAGE - 1) / PAGE;
    if (!p || len == 0)
        return;
    if (end > p->count) {
        p->warm = br_realloc(p->warm, end);
        memset(p->warm + p->count, 0, end - p->count);
        p->count = end;
    }
    memset(p->warm + at / PAGE, 1, end - (size_t)at / PAGE);
}

static bool is_warm(struct store_file *file, int64_t at, size_t len)
{
    const struct pages *p = br_map_get(&files, &file, sizeof file);
    for (size_t i = (size_t)at / PAGE; p && len > 0 && i <= ((size_t)at + len - 1) / PAGE; i++)
        if (i >= p->count || !p->warm[i])
            return false;
    return true;
}

static enum br_err cold_open(struct store_vfs *vfs, const char *path, int flags, struct store_file **out)
{
    enum br_err err = real->open(vfs, path, flags, out);
    if (err == BR_OK && !(flags & STORE_OPEN_DIRECTORY))
        br_map_put(&files, out, sizeof *out, pages_of(path));
    return err;
}

static void cold_close(struct store_file *file)
{
    br_map_remove(&files, &file, sizeof file);
    real->close(file);
}

static enum br_err cold_pread(struct store_file *file, void *buf, size_t len, int64_t at, bool nowait)
{
    int64_t size = 0;
    reads++;
    waits += !nowait;
    if (nowait && real->size(file, &size) == BR_OK && at < size && !is_warm(file, at, BR_MIN(len, (size_t)(size - at))))
        return BR_COLD;
    warm(file, at, len);
    return real->pread(file, buf, len, at, nowait);
}

static enum br_err cold_pwritev(struct store_file *file, const struct iovec *iov, int iov_count, int64_t at)
{
    size_t len = 0;
    for (int i = 0; i < iov_count; i++)
        len += iov[i].iov_len;
    warm(file, at, len);
    return real->pwritev(file, iov, iov_count, at);
}

static enum br_err cold_readahead(struct store_file *file, int64_t at, size_t len)
{
    warm(file, at, len);
    return real->readahead(file, at, len);
}

void cold_disk_begin(struct store_vfs *vfs)
{
    assert_null(real);
    real = vfs->ops;
    cold = *real;
    cold.open = cold_open;
    cold.close = cold_close;
    cold.pread = cold_pread;
    cold.pwritev = cold_pwritev;
    cold.readahead = cold_readahead;
    br_map_init(&paths);
    br_map_init(&files);
    vfs->ops = &cold;
    cold_disk_chill();
}

void cold_disk_end(struct store_vfs *vfs)
{
    size_t at = 0;
    assert_int_equal(br_map_count(&files), 0);
    for (struct br_map_entry *e; (e = br_map_next(&paths, &at));) {
        br_free(((struct pages *)e->value)->warm);
        br_free(e->value);
    }
    br_map_clear(&paths);
    br_map_clear(&files);
    vfs->ops = real;
    real = NULL;
}

void cold_disk_chill(void)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&paths, &at));)
        ((struct pages *)e->value)->count = 0;
    waits = 0;
    reads = 0;
}

unsigned cold_disk_waits(void) { return waits; }
unsigned long cold_disk_reads(void) { return reads; }
