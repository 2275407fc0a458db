#include "broker/topic/metadata_cache.h"
#include "compat/base/mem.h"

#define ENTRIES 8 /* versions and listeners in use at a time; one may be megabytes */

struct entry {
    struct broker_metadata_key key;
    void *body;     /* NULL: free */
    size_t len;
    uint64_t used;  /* turn of the clock when it was last asked for */
};

struct broker_metadata_cache {
    struct entry entries[ENTRIES];
    uint64_t clock;
};

struct broker_metadata_cache *broker_metadata_cache_new(void)
{
    return br_alloc(sizeof(struct broker_metadata_cache));
}

void broker_metadata_cache_free(struct broker_metadata_cache *cache)
{
    if (!cache)
        return;
    for (unsigned i = 0; i < ENTRIES; i++)
        br_free(cache->entries[i].body);
    br_free(cache);
}

static bool key_eq(const struct broker_metadata_key *a, const struct broker_metadata_key *b)
{
    return a->catalog_version == b->catalog_version && a->listener == b->listener && a->version == b->version && a->topic_rights == b->topic_rights &&
           a->cluster_rights == b->cluster_rights;
}

struct br_str broker_metadata_cache_get(struct broker_metadata_cache *cache, const struct broker_metadata_key *key)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        struct entry *e = &cache->entries[i];
        if (!e->body || !key_eq(&e->key, key))
            continue;
        e->used = ++cache->clock;
        return br_str(e->body, e->len);
    }
    return br_str(NULL, 0);
}

void broker_metadata_cache_put(struct broker_metadata_cache *cache, const struct broker_metadata_key *key, void *body, size_t len)
{
    struct entry *oldest = &cache->entries[0];
    for (unsigned i = 0; i < ENTRIES; i++) {
        struct entry *e = &cache->entries[i];
        if (e->body && e->key.catalog_version != key->catalog_version) { /* nobody will ask for it again */
            br_free(e->body);
            *e = (struct entry){0};
        }
        if (e->used < oldest->used)
            oldest = e;
    }
    br_free(oldest->body);
    *oldest = (struct entry){.key = *key, .body = body, .len = len, .used = ++cache->clock};
}
