#include "compat/base/map.h"
#include "compat/base/mem.h"

#define REMOVED UINT32_MAX

static uint32_t hash_bytes(const void *key, size_t len)
{
    const uint8_t *p = key;
    uint64_t h = 0xcbf29ce484222325u; /* FNV-1a, folded and mixed */
    for (size_t i = 0; i < len; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return (uint32_t)(h >> 32);
}

void br_map_init(struct br_map *map)
{
    *map = (struct br_map){0};
}

void br_map_clear(struct br_map *map)
{
    for (size_t i = 0; i < map->used; i++)
        br_free(map->entries[i].key);
    br_free(map->entries);
    br_free(map->slots);
    br_map_init(map);
}

/* The slot that holds the key, or slot_count. */
static size_t find_slot(const struct br_map *map, const void *key, size_t len, uint32_t hash)
{
    if (map->slot_count == 0)
        return 0; /* equals slot_count: absent */
    size_t mask = map->slot_count - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        uint32_t at = map->slots[i];
        if (at == 0)
            return map->slot_count;
        if (at == REMOVED)
            continue;
        const struct br_map_entry *e = &map->entries[at - 1];
        if (e->hash == hash && e->key_len == len && (len == 0 || memcmp(e->key, key, len) == 0))
            return i;
    }
}

static void place(struct br_map *map, uint32_t index)
{
    size_t mask = map->slot_count - 1, i = map->entries[index].hash & mask;
    while (map->slots[i] != 0 && map->slots[i] != REMOVED)
        i = (i + 1) & mask;
    map->slots[i] = index + 1;
}

/* Drops the holes and makes room for at least one more. */
static void rebuild(struct br_map *map)
{
    size_t live = 0;
    for (size_t i = 0; i < map->used; i++)
        if (map->entries[i].key)
            map->entries[live++] = map->entries[i];
    BR_ASSERT(live == map->live);
    map->used = live;
    size_t cap = map->cap ? map->cap : 8;
    while (cap < live + live / 2 + 1)
        cap *= 2;
    map->entries = br_realloc(map->entries, cap * sizeof *map->entries);
    map->cap = cap;
    map->slot_count = cap * 2;
    br_free(map->slots);
    map->slots = br_alloc_array(map->slot_count, sizeof *map->slots);
    for (size_t i = 0; i < live; i++)
        place(map, (uint32_t)i);
}

void *br_map_get(const struct br_map *map, const void *key, size_t key_len)
{
    size_t slot = find_slot(map, key, key_len, hash_bytes(key, key_len));
    return slot < map->slot_count ? map->entries[map->slots[slot] - 1].value : NULL;
}

void *br_map_put(struct br_map *map, const void *key, size_t key_len, void *value)
{
    BR_ASSERT(value != NULL);
    uint32_t hash = hash_bytes(key, key_len);
    size_t slot = find_slot(map, key, key_len, hash);
    if (slot < map->slot_count) {
        struct br_map_entry *e = &map->entries[map->slots[slot] - 1];
        void *old = e->value;
        e->value = value;
        return old;
    }
    if (map->used == map->cap)
        rebuild(map);
    map->entries[map->used] = (struct br_map_entry){br_strndup(key_len ? key : "", key_len), key_len, hash, value};
    map->live++;
    place(map, (uint32_t)map->used++);
    return NULL;
}

void *br_map_remove(struct br_map *map, const void *key, size_t key_len)
{
    size_t slot = find_slot(map, key, key_len, hash_bytes(key, key_len));
    if (slot >= map->slot_count)
        return NULL;
    struct br_map_entry *e = &map->entries[map->slots[slot] - 1];
    void *value = e->value;
    br_free(e->key);
    e->key = NULL;
    e->value = NULL;
    map->slots[slot] = REMOVED;
    map->live--;
    return value;
}

struct br_map_entry *br_map_next(const struct br_map *map, size_t *at)
{
    while (*at < map->used) {
        struct br_map_entry *e = &map->entries[(*at)++];
        if (e->key)
            return e;
    }
    return NULL;
}
