/* Group state to and from records of __consumer_offsets in Kafka's formats: keys 0 and 1 offset commit (values 0-4, we write 3 or 1), key 2 group
 * metadata (values 0-4, we write 3). */
#pragma once

#include "broker/group/classic.h"
#include "broker/group/offsets.h"
#include "compat/base/buf.h"

/* Key and value bytes, int16 version first; value left untouched for a tombstone. */
void group_record_offset_key(struct br_str group, struct br_str topic, int32_t partition, struct br_buf *key);
/* expire_ms: -1, or a wall clock that the client asked for; then the older value version 1 is written, which has it but no leader epoch. */
void group_record_offset_value(int64_t offset, int32_t leader_epoch, struct br_str metadata, int64_t commit_ms, int64_t expire_ms, struct br_buf *value);
void group_record_group_key(struct br_str group, struct br_buf *key);
/* wall_ms: stored as the time of the state. */
void group_record_group_value(const struct group_core *g, int64_t wall_ms, struct br_buf *value);

/* What a record says. Strings are borrowed from the key and value. */
enum group_record_kind { GROUP_RECORD_OTHER, GROUP_RECORD_OFFSET, GROUP_RECORD_GROUP };
struct group_record {
    enum group_record_kind kind; /* OTHER: a key type of a later release, passed over */
    bool is_tombstone;
    struct br_str group, topic;
    int32_t partition;
    int64_t offset, commit_ms, expire_ms;
    int32_t leader_epoch;
    struct br_str metadata;
    const struct kw_group_metadata_value *value; /* GROUP: in the arena */
};
struct br_arena;
/* BR_CORRUPT: not decodable. */
BR_MUST_USE enum br_err group_record_parse(struct br_str key, struct br_str value, struct br_arena *arena, struct group_record *out);
/* Sets a core (initialised, empty) to what a group record says. */
void group_record_restore(struct group_core *g, const struct group_record *record, int64_t now_ms);
