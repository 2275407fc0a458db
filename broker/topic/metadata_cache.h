/* Full Metadata answers, encoded once per (version, listener, what was asked) and catalog version, and given to all who ask until the catalog changes: with
 * 10,000 partitions and hundreds of clients the encoding would take the loop. A handful of entries, the least used one goes. */
#pragma once

#include "compat/base/str.h"

struct broker_metadata_cache;

struct broker_metadata_key {
    uint64_t catalog_version;
    unsigned listener;
    int16_t version;
    bool topic_rights, cluster_rights; /* authorized operations were asked for */
};

struct broker_metadata_cache *broker_metadata_cache_new(void);
void broker_metadata_cache_free(struct broker_metadata_cache *cache);
/* The encoded body, valid until the next put; the null slice when there is none. */
struct br_str broker_metadata_cache_get(struct broker_metadata_cache *cache, const struct broker_metadata_key *key);
/* body is given (made by br_alloc). */
void broker_metadata_cache_put(struct broker_metadata_cache *cache, const struct broker_metadata_key *key, void *body, size_t len);
