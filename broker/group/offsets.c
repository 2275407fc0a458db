#include "broker/group/offsets.h"
#include "compat/base/bytes.h"
#include "compat/base/mem.h"

#define KEY_MAX (4 + 256)

/* Partition, then the topic's name (at most 249 bytes; a longer one is cut and can never have been committed). */
static size_t make_key(uint8_t key[static KEY_MAX], struct br_str topic, int32_t partition)
{
    size_t len = BR_MIN(topic.len, (size_t)256);
    br_store32(key, (uint32_t)partition);
    if (len)
        memcpy(key + 4, topic.data, len);
    return len + 4;
}

static void offset_free(struct group_offset *o)
{
    if (!o)
        return;
    br_free(o->topic);
    br_free(o->metadata);
    br_free(o);
}

void group_offsets_init(struct group_offsets *o)
{
    br_map_init(&o->map);
}

void group_offsets_clear(struct group_offsets *o)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&o->map, &at));)
        offset_free(e->value);
    br_map_clear(&o->map);
}

void group_offsets_put(struct group_offsets *o, struct br_str topic, int32_t partition, int64_t offset, int32_t leader_epoch, struct br_str metadata,
                       int64_t commit_ms, int64_t expire_ms)
{
    uint8_t key[KEY_MAX];
    struct group_offset *item = br_alloc(sizeof *item);
    *item = (struct group_offset){
        .topic = br_strndup(topic.len ? topic.data : "", topic.len), .partition = partition, .offset = offset, .leader_epoch = leader_epoch,
        .metadata = br_strndup(metadata.len ? metadata.data : "", metadata.len), .metadata_len = metadata.len, .commit_ms = commit_ms, .expire_ms = expire_ms,
    };
    offset_free(br_map_put(&o->map, key, make_key(key, topic, partition), item));
}

void group_offsets_remove(struct group_offsets *o, struct br_str topic, int32_t partition)
{
    uint8_t key[KEY_MAX];
    offset_free(br_map_remove(&o->map, key, make_key(key, topic, partition)));
}

const struct group_offset *group_offsets_get(const struct group_offsets *o, struct br_str topic, int32_t partition)
{
    uint8_t key[KEY_MAX];
    return br_map_get(&o->map, key, make_key(key, topic, partition));
}

const struct group_offset *group_offsets_next(const struct group_offsets *o, size_t *at)
{
    struct br_map_entry *e = br_map_next(&o->map, at);
    return e ? e->value : NULL;
}
