#include "storage/file_cache.h"
#include "compat/base/list.h"
#include "compat/base/map.h"
#include "compat/base/mem.h"

struct store_handle {
    struct store_file *file;
    char *path;          /* its key in the map; NULL once dropped */
    struct br_link idle; /* in cache->idle while nobody references it */
    unsigned refs;
    bool is_writable;
};

struct store_file_cache {
    struct store_vfs *vfs;
    struct br_map by_path; /* -> struct store_handle, dropped ones left out */
    struct br_list idle;   /* longest unused first */
    unsigned max, open_count;
};

struct store_file_cache *store_file_cache_new(struct store_vfs *vfs, unsigned max)
{
    BR_ASSERT(vfs != NULL);
    BR_ASSERT(max > 0);
    struct store_file_cache *cache = br_alloc(sizeof *cache);
    cache->vfs = vfs;
    cache->max = max;
    br_map_init(&cache->by_path);
    br_list_init(&cache->idle);
    return cache;
}

static void close_handle(struct store_file_cache *cache, struct store_handle *h)
{
    BR_ASSERT(h->refs == 0);
    BR_ASSERT(cache->open_count > 0);
    if (br_link_is_in(&h->idle))
        br_list_remove(&h->idle);
    if (h->path) {
        void *gone = br_map_remove(&cache->by_path, h->path, strlen(h->path));
        BR_ASSERT(gone == h);
    }
    store_file_close(h->file);
    br_free(h->path);
    br_free(h);
    cache->open_count--;
}

void store_file_cache_free(struct store_file_cache *cache)
{
    if (!cache)
        return;
    BR_LIST_FOR_SAFE(h, next, &cache->idle, struct store_handle, idle)
        close_handle(cache, h);
    BR_ASSERT(cache->open_count == 0);
    BR_ASSERT(br_map_count(&cache->by_path) == 0);
    br_map_clear(&cache->by_path);
    br_free(cache);
}

/* Closes the longest unused file. False when all are referenced. */
static bool evict_one(struct store_file_cache *cache)
{
    struct store_handle *h = BR_LIST_FIRST(&cache->idle, struct store_handle, idle);
    if (!h)
        return false;
    close_handle(cache, h);
    return true;
}

/* The handle leaves the map; closed now, or at its last release. */
static void drop_handle(struct store_file_cache *cache, struct store_handle *h)
{
    BR_ASSERT(h->path != NULL);
    void *gone = br_map_remove(&cache->by_path, h->path, strlen(h->path));
    BR_ASSERT(gone == h);
    br_free(h->path);
    h->path = NULL;
    if (h->refs == 0)
        close_handle(cache, h);
}

static void take(struct store_handle *h)
{
    if (h->refs++ == 0 && br_link_is_in(&h->idle))
        br_list_remove(&h->idle);
    BR_ASSERT(h->refs > 0);
    BR_ASSERT(!br_link_is_in(&h->idle));
}

enum br_err store_file_cache_acquire(struct store_file_cache *cache, const char *path, int flags, struct store_handle **out)
{
    BR_ASSERT(!(flags & STORE_OPEN_DIRECTORY));
    struct store_handle *h = br_map_get(&cache->by_path, path, strlen(path));
    if (h && (flags & STORE_OPEN_EXCL))
        return BR_EXISTS;
    if (h && (flags & STORE_OPEN_WRITE) && !h->is_writable) {
        drop_handle(cache, h); /* its readers keep the old descriptor; it is the same file */
        h = NULL;
    }
    if (h) {
        take(h);
        *out = h;
        return BR_OK;
    }
    while (cache->open_count >= cache->max && evict_one(cache))
        ;
    struct store_file *file;
    enum br_err err;
    do
        err = store_file_open(cache->vfs, path, flags, &file);
    while (err == BR_FULL && evict_one(cache));
    if (err != BR_OK)
        return err;
    h = br_alloc(sizeof *h);
    h->file = file;
    h->path = br_strdup(path);
    h->is_writable = (flags & STORE_OPEN_WRITE) != 0;
    cache->open_count++;
    void *before = br_map_put(&cache->by_path, path, strlen(path), h);
    BR_ASSERT(before == NULL);
    take(h);
    *out = h;
    return BR_OK;
}

void store_file_cache_ref(struct store_handle *h)
{
    BR_ASSERT(h->refs > 0);
    h->refs++;
}

void store_file_cache_release(struct store_file_cache *cache, struct store_handle *h)
{
    if (!h)
        return;
    BR_ASSERT(h->refs > 0);
    BR_ASSERT(!br_link_is_in(&h->idle));
    if (--h->refs > 0)
        return;
    if (h->path && cache->open_count <= cache->max)
        br_list_append(&cache->idle, &h->idle);
    else
        close_handle(cache, h);
}

struct store_file *store_handle_file(const struct store_handle *h)
{
    BR_ASSERT(h->refs > 0);
    return h->file;
}

void store_file_cache_drop(struct store_file_cache *cache, const char *path)
{
    struct store_handle *h = br_map_get(&cache->by_path, path, strlen(path));
    if (h)
        drop_handle(cache, h);
}

void store_file_cache_drop_dir(struct store_file_cache *cache, const char *dir)
{
    size_t len = strlen(dir), at = 0;
    BR_ASSERT(len > 0 && dir[len - 1] != '/');
    for (struct br_map_entry *e; (e = br_map_next(&cache->by_path, &at));)
        if (e->key_len > len && e->key[len] == '/' && memcmp(e->key, dir, len) == 0)
            drop_handle(cache, e->value);
}

unsigned store_file_cache_open_count(const struct store_file_cache *cache)
{
    return cache->open_count;
}

void store_file_cache_check(const struct store_file_cache *cache)
{
    size_t at = 0, idle = 0;
    for (struct br_map_entry *e; (e = br_map_next(&cache->by_path, &at));) {
        const struct store_handle *h = e->value;
        BR_ASSERT(h->path && strcmp(h->path, e->key) == 0);
        BR_ASSERT((h->refs == 0) == br_link_is_in(&h->idle));
        idle += h->refs == 0;
    }
    size_t listed = 0;
    BR_LIST_FOR(h, &cache->idle, struct store_handle, idle)
        listed++;
    BR_ASSERT(listed == idle);
    BR_ASSERT(idle <= cache->max);
    BR_ASSERT(cache->open_count >= br_map_count(&cache->by_path));
}
