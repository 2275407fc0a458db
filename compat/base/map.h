/* Map from bytes to a pointer: open addressing, walks in the order of insertion (so nothing depends on
 * addresses or hash values). Keys are copied. */
#pragma once

#include "compat/base/str.h"

struct br_map_entry {
    char *key; /* owned; NUL-terminated for convenience; NULL when removed */
    size_t key_len;
    uint32_t hash;
    void *value;
};
struct br_map {
    struct br_map_entry *entries; /* in insertion order, with holes */
    size_t used, live, cap;
    uint32_t *slots; /* entry index + 1; 0 empty, UINT32_MAX removed */
    size_t slot_count;
};

void br_map_init(struct br_map *map);
void br_map_clear(struct br_map *map);
/* NULL when absent. */
void *br_map_get(const struct br_map *map, const void *key, size_t key_len);
/* Sets the value (not NULL) and returns the one it replaced, or NULL. */
void *br_map_put(struct br_map *map, const void *key, size_t key_len, void *value);
/* Returns the removed value or NULL. */
void *br_map_remove(struct br_map *map, const void *key, size_t key_len);
static inline size_t br_map_count(const struct br_map *map) { return map->live; }
/* Walk: start with *at = 0; NULL at the end. Removing the entry just returned is allowed, adding is not. */
struct br_map_entry *br_map_next(const struct br_map *map, size_t *at);

static inline void *br_map_get_str(const struct br_map *m, struct br_str k) { return br_map_get(m, k.data, k.len); }
static inline void *br_map_put_str(struct br_map *m, struct br_str k, void *v) { return br_map_put(m, k.data, k.len, v); }
static inline void *br_map_remove_str(struct br_map *m, struct br_str k) { return br_map_remove(m, k.data, k.len); }
