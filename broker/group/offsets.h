/* Committed offsets of one group: topic and partition -> offset, leader epoch, metadata. Changed only by group_offsets_put and _remove, which live commits (once
 * durable) and replay both reach through broker/group/record.c: the table is a pure function of the log. */
#pragma once

#include "compat/base/map.h"
#include "compat/base/str.h"

struct group_offset {
    char *topic;
    int32_t partition;
    int64_t offset;
    int32_t leader_epoch;
    char *metadata;
    size_t metadata_len;
    int64_t commit_ms; /* wall clock */
    int64_t expire_ms; /* wall clock; -1: by the broker's retention */
};

struct group_offsets {
    struct br_map map;
};

void group_offsets_init(struct group_offsets *o);
void group_offsets_clear(struct group_offsets *o);
void group_offsets_put(struct group_offsets *o, struct br_str topic, int32_t partition, int64_t offset, int32_t leader_epoch, struct br_str metadata,
                       int64_t commit_ms, int64_t expire_ms);
void group_offsets_remove(struct group_offsets *o, struct br_str topic, int32_t partition);
const struct group_offset *group_offsets_get(const struct group_offsets *o, struct br_str topic, int32_t partition);
/* Walk in order of first commit; *at starts at 0; NULL at the end. */
const struct group_offset *group_offsets_next(const struct group_offsets *o, size_t *at);
static inline size_t group_offsets_count(const struct group_offsets *o) { return br_map_count(&o->map); }
