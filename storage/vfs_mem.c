/* A file tree in memory, twice: what the processes see, and what is on the disk. Writes and truncations of a file wait in its list
 * until a sync carries them over; changes of names wait in their directory's list. A crash decides, file by
 * file, which waiting ones reach the disk, then makes the disk what is seen.
 *
 * The mutex is there because a sync may run on a pool thread (vfs.h); it is held for each whole call. */
#include "storage/vfs_mem.h"
#include "compat/base/list.h"
#include "compat/base/map.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include <fnmatch.h>
#include <pthread.h>

#define FAULT_SETS_MAX 16
#define PATH_MAX_BYTES 1024u
#define FILE_BYTES_MAX ((int64_t)1 << 32)
#define SECTOR_BYTES 512u

struct content {
    uint8_t *data;
    size_t len, cap;
};

/* A change of a file that no sync has covered. data NULL: truncation to `at`. */
struct change {
    struct change *next;
    size_t at, len;
    uint8_t *data;
};

/* A change of a directory that no sync has covered: name now means node, or nothing. pair: the other half of a rename within the
 * directory, kept or dropped together with this one (it follows directly). */
struct name_change {
    struct name_change *next;
    char *name;
    struct node *node;
    bool pair;
};

struct node {
    struct br_link link; /* mem->nodes, in order of making */
    unsigned refs;       /* names (seen and on disk), name changes, handles */
    unsigned names;      /* names seen */
    bool is_directory;
    char *path; /* the last one, for fault patterns */
    struct content seen, disk;
    struct change *changes, **changes_end;
    struct br_map seen_names, disk_names; /* of a directory: name -> node */
    struct name_change *name_changes, **name_changes_end;
    struct handle *locked_by;
};

struct handle {
    struct store_file file; /* first */
    struct store_vfs_mem *mem;
    struct node *node;
    bool is_writable;
    unsigned long crashes; /* of mem when opened: another number now means dead */
};

struct fault_set {
    char *pattern;
    struct store_mem_faults faults;
};

struct fail {
    unsigned long count; /* operations so far */
    unsigned long at;    /* the operation that fails; 0: none */
    bool is_lasting;
    enum br_err err;
};

struct store_vfs_mem {
    struct store_vfs vfs; /* first */
    pthread_mutex_t lock;
    struct br_rand rand;
    struct br_list nodes;
    struct node *root;
    struct fault_set sets[FAULT_SETS_MAX];
    unsigned set_count;
    struct fail fails[STORE_MEM_READ + 1];
    uint64_t bytes, limit;
    unsigned long crashes;
};

static struct store_vfs_mem *mem_of(struct store_vfs *vfs)
{
    return (struct store_vfs_mem *)vfs;
}

/* ---- content ---- */

static void content_resize(struct content *c, size_t len)
{
    if (len > c->cap) {
        c->cap = BR_MAX(len, c->cap * 2);
        c->data = br_realloc(c->data, c->cap);
    }
    if (len > c->len)
        memset(c->data + c->len, 0, len - c->len);
    c->len = len;
}

static void content_put(struct content *c, size_t at, const uint8_t *data, size_t len)
{
    if (at + len > c->len)
        content_resize(c, at + len);
    if (len > 0)
        memcpy(c->data + at, data, len);
}

static void content_apply(struct content *c, const struct change *change)
{
    if (change->data)
        content_put(c, change->at, change->data, change->len);
    else
        content_resize(c, change->at);
}

static void content_copy(struct content *to, const struct content *from)
{
    to->len = 0;
    content_put(to, 0, from->data, from->len);
}

/* ---- nodes ---- */

static struct node *node_new(struct store_vfs_mem *mem, const char *path, bool is_directory)
{
    struct node *n = br_alloc(sizeof *n);
    n->path = br_strdup(path);
    n->is_directory = is_directory;
    n->changes_end = &n->changes;
    n->name_changes_end = &n->name_changes;
    br_map_init(&n->seen_names);
    br_map_init(&n->disk_names);
    br_list_append(&mem->nodes, &n->link);
    return n;
}

static void changes_clear(struct node *n)
{
    for (struct change *c = n->changes, *next; c; c = next) {
        next = c->next;
        br_free(c->data);
        br_free(c);
    }
    n->changes = NULL;
    n->changes_end = &n->changes;
}

static void node_free(struct node *n)
{
    changes_clear(n);
    for (struct name_change *c = n->name_changes, *next; c; c = next) {
        next = c->next;
        br_free(c->name);
        br_free(c);
    }
    br_map_clear(&n->seen_names);
    br_map_clear(&n->disk_names);
    br_free(n->seen.data);
    br_free(n->disk.data);
    br_free(n->path);
    br_list_remove(&n->link);
    br_free(n);
}

static void node_unref(struct node *n)
{
    BR_ASSERT(n->refs > 0);
    if (--n->refs > 0)
        return;
    size_t at = 0; /* a directory nobody names any more lets go of what it names */
    for (struct br_map_entry *e; (e = br_map_next(&n->disk_names, &at));)
        node_unref(e->value);
    at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&n->seen_names, &at));)
        node_unref(e->value);
    for (struct name_change *c = n->name_changes; c; c = c->next)
        if (c->node)
            node_unref(c->node);
    node_free(n);
}

static void map_set(struct br_map *map, const char *name, struct node *node)
{
    struct node *old = node ? br_map_put(map, name, strlen(name), node) : br_map_remove(map, name, strlen(name));
    if (node)
        node->refs++;
    if (old)
        node_unref(old);
}

/* Changes what a name means, for all to see, and remembers it for the disk. */
static void name_set(struct store_vfs_mem *mem, struct node *dir, const char *name, struct node *node, bool pair)
{
    BR_ASSERT(dir->is_directory);
    struct node *old = br_map_get(&dir->seen_names, name, strlen(name));
    if (old && --old->names == 0)
        mem->bytes -= old->seen.len;
    if (node && node->names++ == 0)
        mem->bytes += node->seen.len;
    struct name_change *c = br_alloc(sizeof *c);
    *c = (struct name_change){.name = br_strdup(name), .node = node, .pair = pair};
    if (node)
        node->refs++;
    *dir->name_changes_end = c;
    dir->name_changes_end = &c->next;
    map_set(&dir->seen_names, name, node);
}

/* Takes the first waiting change off the list; apply: it reaches the disk. */
static void name_change_pop(struct node *dir, bool apply)
{
    struct name_change *c = dir->name_changes;
    if (!(dir->name_changes = c->next))
        dir->name_changes_end = &dir->name_changes;
    if (apply)
        map_set(&dir->disk_names, c->name, c->node);
    if (c->node)
        node_unref(c->node);
    br_free(c->name);
    br_free(c);
}

/* ---- paths ---- */

/* Finds the directory that holds path's last part. name: that part, borrowed from path. */
static enum br_err find_parent(struct store_vfs_mem *mem, const char *path, struct node **dir, const char **name)
{
    if (strlen(path) >= PATH_MAX_BYTES)
        return BR_INVALID;
    struct node *at = mem->root;
    for (;;) {
        while (*path == '/')
            path++;
        const char *slash = strchr(path, '/');
        if (!slash)
            break;
        size_t len = (size_t)(slash - path);
        if (!(len == 1 && path[0] == '.')) {
            at = br_map_get(&at->seen_names, path, len);
            if (!at || !at->is_directory)
                return BR_NOT_FOUND;
        }
        path = slash + 1;
    }
    *dir = at;
    *name = path;
    return BR_OK;
}

/* *node NULL when there is no such name. */
static enum br_err find(struct store_vfs_mem *mem, const char *path, struct node **dir, const char **name, struct node **node)
{
    enum br_err err = find_parent(mem, path, dir, name);
    if (err != BR_OK)
        return err;
    bool is_self = (*name)[0] == 0 || strcmp(*name, ".") == 0;
    *node = is_self ? *dir : br_map_get(&(*dir)->seen_names, *name, strlen(*name));
    return BR_OK;
}

static enum br_err count_op(struct store_vfs_mem *mem, enum store_mem_op op)
{
    struct fail *f = &mem->fails[op];
    f->count++;
    if (f->at == 0 || f->count < f->at)
        return BR_OK;
    if (!f->is_lasting)
        f->at = 0;
    return f->err;
}

/* ---- operations; each under the lock ---- */

static enum br_err open_locked(struct store_vfs_mem *mem, const char *path, int flags, struct store_file **out)
{
    struct node *dir, *node;
    const char *name;
    enum br_err err = find(mem, path, &dir, &name, &node);
    if (err != BR_OK)
        return err;
    if (node && (flags & STORE_OPEN_EXCL))
        return BR_EXISTS;
    if (node && node->is_directory != ((flags & STORE_OPEN_DIRECTORY) != 0))
        return node->is_directory ? BR_INVALID : BR_NOT_FOUND;
    if (!node) {
        if (!(flags & (STORE_OPEN_CREATE | STORE_OPEN_EXCL)) || (flags & STORE_OPEN_DIRECTORY))
            return BR_NOT_FOUND;
        if ((err = count_op(mem, STORE_MEM_RENAME)) != BR_OK)
            return err;
        node = node_new(mem, path, false);
        name_set(mem, dir, name, node, false);
    }
    struct handle *h = br_alloc(sizeof *h);
    h->file.vfs = &mem->vfs;
    h->mem = mem;
    h->node = node;
    h->is_writable = (flags & STORE_OPEN_WRITE) != 0;
    h->crashes = mem->crashes;
    node->refs++;
    *out = &h->file;
    return BR_OK;
}

static enum br_err mem_open(struct store_vfs *vfs, const char *path, int flags, struct store_file **out)
{
    struct store_vfs_mem *mem = mem_of(vfs);
    pthread_mutex_lock(&mem->lock);
    enum br_err err = open_locked(mem, path, flags, out);
    pthread_mutex_unlock(&mem->lock);
    return err;
}

/* The handle with the lock held, or NULL (lock not held) when it died in a crash. */
static struct handle *enter(struct store_file *file)
{
    struct handle *h = (struct handle *)file;
    pthread_mutex_lock(&h->mem->lock);
    if (h->crashes == h->mem->crashes)
        return h;
    pthread_mutex_unlock(&h->mem->lock);
    return NULL;
}

static enum br_err leave(struct handle *h, enum br_err err)
{
    pthread_mutex_unlock(&h->mem->lock);
    return err;
}

static void mem_close(struct store_file *file)
{
    struct handle *h = (struct handle *)file;
    struct store_vfs_mem *mem = h->mem;
    pthread_mutex_lock(&mem->lock);
    if (h->node->locked_by == h)
        h->node->locked_by = NULL;
    node_unref(h->node);
    pthread_mutex_unlock(&mem->lock);
    br_free(h);
}

static enum br_err mem_pread(struct store_file *file, void *buf, size_t len, int64_t at, bool nowait BR_UNUSED)
{
    struct handle *h = enter(file);
    if (!h)
        return BR_FAILED;
    enum br_err err = count_op(h->mem, STORE_MEM_READ);
    if (err != BR_OK)
        return leave(h, err);
    const struct content *c = &h->node->seen;
    if ((uint64_t)at > c->len || len > c->len - (size_t)at)
        return leave(h, BR_EOF);
    if (len > 0)
        memcpy(buf, c->data + at, len);
    return leave(h, BR_OK);
}

/* data NULL: truncation to `at`. */
static void change_add(struct node *n, size_t at, const uint8_t *data, size_t len)
{
    struct change *c = br_alloc(sizeof *c);
    *c = (struct change){.at = at, .len = len};
    if (data) {
        c->data = br_alloc(len);
        memcpy(c->data, data, len);
    }
    *n->changes_end = c;
    n->changes_end = &c->next;
    content_apply(&n->seen, c);
}

static void count_growth(struct store_vfs_mem *mem, const struct node *n, size_t before)
{
    if (n->names > 0)
        mem->bytes += n->seen.len - before; /* wraps when it shrank; the sum is right */
}

static enum br_err write_locked(struct handle *h, const uint8_t *data, size_t len, size_t at)
{
    struct store_vfs_mem *mem = h->mem;
    struct node *n = h->node;
    if (!h->is_writable || n->is_directory)
        return BR_INVALID;
    if (at + len > (uint64_t)FILE_BYTES_MAX)
        return BR_TOO_LARGE;
    enum br_err err = count_op(mem, STORE_MEM_WRITE);
    size_t fits = len;
    if (err != BR_OK) /* as a device fails: somewhere in the middle */
        fits = (size_t)br_rand_below(&mem->rand, len + 1);
    size_t grows = at + len > n->seen.len ? at + len - n->seen.len : 0;
    if (err == BR_OK && mem->limit && mem->bytes + grows > mem->limit) {
        uint64_t lack = mem->bytes + grows - mem->limit;
        fits = lack < len ? len - (size_t)lack : 0;
        err = BR_NOSPACE;
    }
    size_t before = n->seen.len;
    if (fits > 0)
        change_add(n, at, data, fits);
    count_growth(mem, n, before);
    return err;
}

static enum br_err mem_pwritev(struct store_file *file, const struct iovec *iov, int iov_count, int64_t at)
{
    size_t len = 0;
    for (int i = 0; i < iov_count; i++)
        len += iov[i].iov_len;
    uint8_t *data = br_alloc(len), *p = data; /* one change, however many pieces */
    for (int i = 0; i < iov_count; i++) {
        if (iov[i].iov_len > 0)
            memcpy(p, iov[i].iov_base, iov[i].iov_len);
        p += iov[i].iov_len;
    }
    struct handle *h = enter(file);
    enum br_err err = h ? leave(h, write_locked(h, data, len, (size_t)at)) : BR_FAILED;
    br_free(data);
    return err;
}

static enum br_err mem_truncate(struct store_file *file, int64_t size)
{
    struct handle *h = enter(file);
    if (!h)
        return BR_FAILED;
    if (!h->is_writable || h->node->is_directory)
        return leave(h, BR_INVALID);
    if (size > FILE_BYTES_MAX)
        return leave(h, BR_TOO_LARGE);
    enum br_err err = count_op(h->mem, STORE_MEM_WRITE);
    if (err != BR_OK)
        return leave(h, err);
    size_t before = h->node->seen.len;
    change_add(h->node, (size_t)size, NULL, 0);
    count_growth(h->mem, h->node, before);
    return leave(h, BR_OK);
}

static void disk_all(struct node *n)
{
    for (const struct change *c = n->changes; c; c = c->next)
        content_apply(&n->disk, c);
    changes_clear(n);
    while (n->name_changes)
        name_change_pop(n, true);
}

static enum br_err mem_sync(struct store_file *file)
{
    struct handle *h = enter(file);
    if (!h)
        return BR_FAILED;
    enum br_err err = count_op(h->mem, STORE_MEM_SYNC);
    if (err == BR_OK)
        disk_all(h->node);
    return leave(h, err);
}

static enum br_err mem_size(struct store_file *file, int64_t *size)
{
    struct handle *h = enter(file);
    if (!h)
        return BR_FAILED;
    *size = (int64_t)h->node->seen.len;
    return leave(h, BR_OK);
}

static int mem_fd(struct store_file *file BR_UNUSED)
{
    return -1;
}

static enum br_err mem_readahead(struct store_file *file BR_UNUSED, int64_t at BR_UNUSED, size_t len BR_UNUSED)
{
    return BR_OK;
}

static enum br_err rename_locked(struct store_vfs_mem *mem, const char *from, const char *to)
{
    struct node *from_dir, *to_dir, *node, *old;
    const char *from_name, *to_name;
    enum br_err err = find(mem, from, &from_dir, &from_name, &node);
    if (err == BR_OK)
        err = find(mem, to, &to_dir, &to_name, &old);
    if (err == BR_OK && !node)
        err = BR_NOT_FOUND;
    if (err == BR_OK && old && old != node && (old->is_directory || node->is_directory))
        err = BR_EXISTS;
    if (err == BR_OK)
        err = count_op(mem, STORE_MEM_RENAME);
    if (err != BR_OK || old == node)
        return err;
    node->refs++;
    name_set(mem, to_dir, to_name, node, from_dir == to_dir);
    name_set(mem, from_dir, from_name, NULL, false);
    br_free(node->path);
    node->path = br_strdup(to);
    node_unref(node);
    return BR_OK;
}

static enum br_err mem_rename(struct store_vfs *vfs, const char *from, const char *to)
{
    struct store_vfs_mem *mem = mem_of(vfs);
    pthread_mutex_lock(&mem->lock);
    enum br_err err = rename_locked(mem, from, to);
    pthread_mutex_unlock(&mem->lock);
    return err;
}

/* Removes a file or an empty directory. */
static enum br_err remove_name(struct store_vfs *vfs, const char *path, bool is_directory)
{
    struct store_vfs_mem *mem = mem_of(vfs);
    struct node *dir, *node;
    const char *name;
    pthread_mutex_lock(&mem->lock);
    enum br_err err = find(mem, path, &dir, &name, &node);
    if (err == BR_OK && (!node || node->is_directory != is_directory))
        err = BR_NOT_FOUND;
    if (err == BR_OK && is_directory && br_map_count(&node->seen_names) > 0)
        err = BR_EXISTS;
    if (err == BR_OK)
        err = count_op(mem, STORE_MEM_RENAME);
    if (err == BR_OK)
        name_set(mem, dir, name, NULL, false);
    pthread_mutex_unlock(&mem->lock);
    return err;
}

static enum br_err mem_unlink(struct store_vfs *vfs, const char *path)
{
    return remove_name(vfs, path, false);
}

static enum br_err mem_rmdir(struct store_vfs *vfs, const char *path)
{
    return remove_name(vfs, path, true);
}

static enum br_err mem_mkdir(struct store_vfs *vfs, const char *path)
{
    struct store_vfs_mem *mem = mem_of(vfs);
    struct node *dir, *node;
    const char *name;
    pthread_mutex_lock(&mem->lock);
    enum br_err err = find(mem, path, &dir, &name, &node);
    if (err == BR_OK && node && !node->is_directory)
        err = BR_EXISTS;
    if (err == BR_OK && !node) {
        err = count_op(mem, STORE_MEM_RENAME);
        if (err == BR_OK)
            name_set(mem, dir, name, node_new(mem, path, true), false);
    }
    pthread_mutex_unlock(&mem->lock);
    return err;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static enum br_err mem_list(struct store_vfs *vfs, const char *path, enum br_err (*each)(void *ctx, const char *name), void *ctx)
{
    struct store_vfs_mem *mem = mem_of(vfs);
    struct node *dir, *node;
    const char *name;
    char **names = NULL;
    size_t count = 0;
    pthread_mutex_lock(&mem->lock);
    enum br_err err = find(mem, path, &dir, &name, &node);
    if (err == BR_OK && (!node || !node->is_directory))
        err = BR_NOT_FOUND;
    if (err == BR_OK) {
        names = br_alloc_array(br_map_count(&node->seen_names), sizeof *names);
        size_t at = 0;
        for (struct br_map_entry *e; (e = br_map_next(&node->seen_names, &at));)
            names[count++] = br_strdup(e->key);
    }
    pthread_mutex_unlock(&mem->lock);
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

static enum br_err mem_lock(struct store_file *file)
{
    struct handle *h = enter(file);
    if (!h)
        return BR_FAILED;
    struct node *n = h->node;
    if (n->locked_by && n->locked_by != h)
        return leave(h, BR_LOCKED);
    n->locked_by = h;
    return leave(h, BR_OK);
}

static enum br_err mem_space(struct store_vfs *vfs, const char *path BR_UNUSED, uint64_t *free_bytes, uint64_t *total_bytes)
{
    struct store_vfs_mem *mem = mem_of(vfs);
    pthread_mutex_lock(&mem->lock);
    *total_bytes = mem->limit ? mem->limit : (uint64_t)1 << 40;
    *free_bytes = *total_bytes > mem->bytes ? *total_bytes - mem->bytes : 0;
    pthread_mutex_unlock(&mem->lock);
    return BR_OK;
}

/* ---- crash ---- */

static struct store_mem_faults faults_of(const struct store_vfs_mem *mem, const char *path)
{
    for (unsigned i = 0; i < mem->set_count; i++)
        if (fnmatch(mem->sets[i].pattern, path, 0) == 0)
            return mem->sets[i].faults;
    return (struct store_mem_faults){0};
}

/* Part of a write: what came before a point, or any of its sectors. */
static void apply_torn(struct store_vfs_mem *mem, struct content *disk, const struct change *c)
{
    if (br_rand_chance(&mem->rand, 50)) {
        content_put(disk, c->at, c->data, (size_t)br_rand_below(&mem->rand, c->len));
        return;
    }
    for (size_t done = 0; done < c->len;) {
        size_t part = BR_MIN(c->len - done, SECTOR_BYTES - (c->at + done) % SECTOR_BYTES);
        if (br_rand_chance(&mem->rand, 50))
            content_put(disk, c->at + done, c->data + done, part);
        done += part;
    }
}

static void crash_file(struct store_vfs_mem *mem, struct node *n, struct store_mem_faults faults)
{
    size_t count = 0;
    for (const struct change *c = n->changes; c; c = c->next)
        count++;
    if (count == 0)
        return;
    struct br_rand *r = &mem->rand;
    size_t kept = br_rand_chance(r, faults.drop) ? (size_t)br_rand_below(r, count + 1) : count;
    bool is_any = br_rand_chance(r, faults.reorder);
    size_t torn = br_rand_chance(r, faults.tear) && kept > 0 ? kept - 1 : SIZE_MAX;
    size_t garbled = br_rand_chance(r, faults.garble) && kept > 0 ? (size_t)br_rand_below(r, kept) : SIZE_MAX;
    size_t i = 0;
    for (const struct change *c = n->changes; c && i < kept; c = c->next, i++) {
        if (is_any && br_rand_chance(r, 50))
            continue;
        if (i == torn && c->data && c->len > 0)
            apply_torn(mem, &n->disk, c);
        else
            content_apply(&n->disk, c);
        if (i == garbled && c->data && c->len > 0 && c->at < n->disk.len) {
            size_t end = BR_MIN(c->at + c->len, n->disk.len);
            size_t from = c->at + (size_t)br_rand_below(r, end - c->at);
            size_t bytes = 1 + (size_t)br_rand_below(r, BR_MIN(end - from, (size_t)64));
            for (size_t k = 0; k < bytes; k++)
                n->disk.data[from + k] = (uint8_t)br_rand_u64(r);
        }
    }
    changes_clear(n);
}

static void crash_directory(struct store_vfs_mem *mem, struct node *n, struct store_mem_faults faults)
{
    size_t count = 0;
    for (const struct name_change *c = n->name_changes; c; c = c->next)
        count++;
    if (count == 0)
        return;
    struct br_rand *r = &mem->rand;
    size_t kept = br_rand_chance(r, faults.drop) ? (size_t)br_rand_below(r, count + 1) : count;
    bool is_any = br_rand_chance(r, faults.reorder), keep = false, was_pair = false;
    for (size_t i = 0; n->name_changes; i++) {
        if (!was_pair) /* a rename is one step */
            keep = i < kept && !(is_any && br_rand_chance(r, 50));
        was_pair = n->name_changes->pair;
        name_change_pop(n, keep);
    }
}

/* What is on the disk is what is seen. */
static void restart_node(struct node *n)
{
    content_copy(&n->seen, &n->disk);
    n->locked_by = NULL;
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&n->disk_names, &at));)
        ((struct node *)e->value)->refs++;
    at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&n->seen_names, &at));)
        node_unref(e->value);
    br_map_clear(&n->seen_names);
    at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&n->disk_names, &at));)
        br_map_put(&n->seen_names, e->key, e->key_len, e->value);
}

/* Counts names and bytes anew, from the root (directories have one name each, so this ends). */
static void count_names(struct store_vfs_mem *mem, struct node *dir)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&dir->seen_names, &at));) {
        struct node *n = e->value;
        if (n->names++ == 0)
            mem->bytes += n->seen.len;
        if (n->is_directory)
            count_names(mem, n);
    }
}

void store_vfs_mem_crash(struct store_vfs_mem *mem)
{
    pthread_mutex_lock(&mem->lock);
    mem->crashes++;
    BR_LIST_FOR(n, &mem->nodes, struct node, link) {
        n->refs++; /* stays in the list while it is walked */
        n->names = 0;
    }
    BR_LIST_FOR(n, &mem->nodes, struct node, link) {
        struct store_mem_faults faults = faults_of(mem, n->path);
        if (faults.keep_all) {
            disk_all(n);
            continue;
        }
        crash_file(mem, n, faults);
        crash_directory(mem, n, faults);
    }
    BR_LIST_FOR(n, &mem->nodes, struct node, link)
        restart_node(n);
    mem->bytes = 0;
    count_names(mem, mem->root);
    struct br_list kept;
    br_list_init(&kept);
    while (!br_list_is_empty(&mem->nodes)) { /* freeing one may free others that come later */
        struct node *n = BR_LIST_FIRST(&mem->nodes, struct node, link);
        br_list_remove(&n->link);
        br_list_append(&kept, &n->link);
        node_unref(n);
    }
    while (!br_list_is_empty(&kept)) {
        struct node *n = BR_LIST_FIRST(&kept, struct node, link);
        br_list_remove(&n->link);
        br_list_append(&mem->nodes, &n->link);
    }
    pthread_mutex_unlock(&mem->lock);
}

/* ---- set-up ---- */

static const struct store_vfs_ops mem_ops = {
    .open = mem_open, .close = mem_close, .pread = mem_pread, .pwritev = mem_pwritev, .sync = mem_sync,
    .truncate = mem_truncate, .size = mem_size, .fd = mem_fd, .readahead = mem_readahead, .rename = mem_rename,
    .unlink = mem_unlink, .mkdir = mem_mkdir, .rmdir = mem_rmdir, .list = mem_list, .lock = mem_lock, .space = mem_space,
};

struct store_vfs_mem *store_vfs_mem_new(uint64_t seed)
{
    struct store_vfs_mem *mem = br_alloc(sizeof *mem);
    mem->vfs.ops = &mem_ops;
    pthread_mutex_init(&mem->lock, NULL);
    br_rand_init(&mem->rand, seed);
    br_list_init(&mem->nodes);
    mem->root = node_new(mem, "/", true);
    mem->root->refs = 1;
    return mem;
}

void store_vfs_mem_free(struct store_vfs_mem *mem)
{
    if (!mem)
        return;
    node_unref(mem->root);
    BR_ASSERT(br_list_is_empty(&mem->nodes)); /* else a handle was left open */
    for (unsigned i = 0; i < mem->set_count; i++)
        br_free(mem->sets[i].pattern);
    pthread_mutex_destroy(&mem->lock);
    br_free(mem);
}

struct store_vfs *store_vfs_mem_vfs(struct store_vfs_mem *mem)
{
    return &mem->vfs;
}

void store_vfs_mem_set_faults(struct store_vfs_mem *mem, const char *pattern, struct store_mem_faults faults)
{
    for (unsigned i = 0; i < mem->set_count; i++)
        if (strcmp(mem->sets[i].pattern, pattern) == 0) {
            mem->sets[i].faults = faults;
            return;
        }
    BR_ASSERT(mem->set_count < FAULT_SETS_MAX);
    mem->sets[mem->set_count++] = (struct fault_set){br_strdup(pattern), faults};
}

static void set_fail(struct store_vfs_mem *mem, enum store_mem_op op, unsigned long nth, enum br_err err, bool is_lasting)
{
    BR_ASSERT((size_t)op < BR_COUNT(mem->fails));
    pthread_mutex_lock(&mem->lock);
    struct fail *f = &mem->fails[op];
    *f = (struct fail){.count = f->count, .at = nth ? f->count + nth : 0, .is_lasting = is_lasting, .err = err};
    pthread_mutex_unlock(&mem->lock);
}

void store_vfs_mem_fail_at(struct store_vfs_mem *mem, enum store_mem_op op, unsigned long nth, enum br_err err)
{
    set_fail(mem, op, nth, err, false);
}

void store_vfs_mem_fail_from(struct store_vfs_mem *mem, enum store_mem_op op, unsigned long nth, enum br_err err)
{
    set_fail(mem, op, nth, err, true);
}

void store_vfs_mem_set_limit(struct store_vfs_mem *mem, uint64_t limit)
{
    pthread_mutex_lock(&mem->lock);
    mem->limit = limit;
    pthread_mutex_unlock(&mem->lock);
}

unsigned long store_vfs_mem_op_count(const struct store_vfs_mem *mem, enum store_mem_op op)
{
    return mem->fails[op].count;
}
