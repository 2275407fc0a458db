#include "broker/group/record.h"
#include "compat/base/mem.h"
#include "compat/gen/records.h"

#define KEY_OFFSET 1
#define KEY_GROUP 2
#define VALUE_VERSION 3
#define VALUE_VERSION_EXPIRY 1

/* One structure after its int16 version; our own structures always fit. */
static void put(const struct kw_message *type, int16_t prefix, int version, const void *msg, struct br_buf *to)
{
    struct kw_out out;
    kw_out_init(&out, to->limit);
    br_buf_add16(to, (uint16_t)prefix);
    if (kw_encode(type, version, msg, &out) == BR_OK)
        br_buf_add(to, out.bytes.data, out.bytes.len);
    else
        to->failed = true;
    kw_out_clear(&out);
}

void group_record_offset_key(struct br_str group, struct br_str topic, int32_t partition, struct br_buf *key)
{
    struct kw_offset_commit_key k = {.group = group, .topic = topic, .partition = partition};
    put(&kw_offset_commit_key, KEY_OFFSET, KEY_OFFSET, &k, key);
}

void group_record_offset_value(int64_t offset, int32_t leader_epoch, struct br_str metadata, int64_t commit_ms, int64_t expire_ms, struct br_buf *value)
{
    int version = expire_ms >= 0 ? VALUE_VERSION_EXPIRY : VALUE_VERSION;
    struct kw_offset_commit_value v = {.offset = offset, .leader_epoch = leader_epoch, .metadata = metadata.data ? metadata : br_str("", 0),
                                       .commit_timestamp = commit_ms, .expire_timestamp = expire_ms};
    put(&kw_offset_commit_value, (int16_t)version, version, &v, value);
}

void group_record_group_key(struct br_str group, struct br_buf *key)
{
    struct kw_group_metadata_key k = {.group = group};
    put(&kw_group_metadata_key, KEY_GROUP, KEY_GROUP, &k, key);
}

void group_record_group_value(const struct group_core *g, int64_t wall_ms, struct br_buf *value)
{
    size_t count = br_map_count(&g->by_id), i = 0;
    struct kw_group_metadata_value_member *members = br_alloc_array(count, sizeof *members);
    BR_LIST_FOR(m, &g->members, struct group_member, link)
        members[i++] = (struct kw_group_metadata_value_member){
            .member_id = br_str_c(m->id), .group_instance_id = br_str_c(m->instance_id), .client_id = br_str_c(m->client_id),
            .client_host = br_str_c(m->client_host), .rebalance_timeout = m->rebalance_timeout_ms, .session_timeout = m->session_timeout_ms,
            .subscription = group_core_metadata(g, m), .assignment = m->assignment,
        };
    struct kw_group_metadata_value v = {
        .protocol_type = br_str_c(g->protocol_type ? g->protocol_type : ""), .generation = g->generation, .protocol = br_str_c(g->protocol),
        .leader = br_str_c(g->leader), .current_state_timestamp = wall_ms, .members = members, .members_count = (int32_t)count,
    };
    put(&kw_group_metadata_value, VALUE_VERSION, VALUE_VERSION, &v, value);
    br_free(members);
}

static enum br_err decode(const struct kw_message *type, int version, struct br_reader *in, struct br_arena *arena, void *msg)
{
    struct br_errbuf eb;
    if (version < type->min || version > type->max)
        return BR_CORRUPT;
    return kw_decode(type, version, in, arena, msg, &eb);
}

static enum br_err parse_offset(struct br_reader *key, int version, struct br_reader *value, struct br_arena *arena, struct group_record *out)
{
    struct kw_offset_commit_key k;
    struct kw_offset_commit_value v;
    enum br_err err = decode(&kw_offset_commit_key, version, key, arena, &k);
    if (err != BR_OK)
        return err;
    out->kind = GROUP_RECORD_OFFSET;
    out->group = k.group;
    out->topic = k.topic;
    out->partition = k.partition;
    if (out->is_tombstone)
        return BR_OK;
    err = decode(&kw_offset_commit_value, br_read16(value), value, arena, &v);
    out->offset = v.offset;
    out->leader_epoch = v.leader_epoch;
    out->metadata = v.metadata;
    out->commit_ms = v.commit_timestamp;
    out->expire_ms = v.expire_timestamp;
    return err;
}

static enum br_err parse_group(struct br_reader *key, struct br_reader *value, struct br_arena *arena, struct group_record *out)
{
    struct kw_group_metadata_key k;
    enum br_err err = decode(&kw_group_metadata_key, KEY_GROUP, key, arena, &k);
    if (err != BR_OK)
        return err;
    out->kind = GROUP_RECORD_GROUP;
    out->group = k.group;
    if (out->is_tombstone)
        return BR_OK;
    struct kw_group_metadata_value *v = br_arena_alloc(arena, sizeof *v);
    if (!v)
        return BR_NOMEM;
    out->value = v;
    return decode(&kw_group_metadata_value, br_read16(value), value, arena, v);
}

enum br_err group_record_parse(struct br_str key, struct br_str value, struct br_arena *arena, struct group_record *out)
{
    struct br_reader k = br_reader(key.data ? key.data : "", key.len), v = br_reader(value.data ? value.data : "", value.len);
    *out = (struct group_record){.is_tombstone = br_str_is_null(value), .leader_epoch = -1};
    int version = br_read16(&k);
    if (k.failed)
        return BR_CORRUPT;
    if (version <= KEY_OFFSET)
        return parse_offset(&k, version, &v, arena, out);
    if (version == KEY_GROUP)
        return parse_group(&k, &v, arena, out);
    return BR_OK;
}

static char *copy_or_null(struct br_str text)
{
    return br_str_is_null(text) ? NULL : br_strndup(text.data, text.len);
}

void group_record_restore(struct group_core *g, const struct group_record *record, int64_t now_ms)
{
    const struct kw_group_metadata_value *v = record->value;
    g->generation = v->generation;
    g->protocol_type = v->protocol_type.len ? copy_or_null(v->protocol_type) : NULL;
    g->protocol = copy_or_null(v->protocol);
    g->leader = copy_or_null(v->leader);
    g->state_since_ms = v->current_state_timestamp;
    g->state = v->members_count > 0 ? GROUP_STABLE : GROUP_EMPTY;
    for (int32_t i = 0; i < v->members_count; i++) {
        const struct kw_group_metadata_value_member *m = &v->members[i];
        if (m->member_id.len == 0 || group_core_member(g, m->member_id))
            continue;
        group_core_restore_member(g, m->member_id, m->group_instance_id, m->client_id, m->client_host, m->rebalance_timeout, m->session_timeout,
                                  m->subscription, m->assignment, now_ms);
    }
    struct group_member *first = BR_LIST_FIRST(&g->members, struct group_member, link);
    if (!first) {
        g->state = GROUP_EMPTY;
        return;
    }
    if (!g->leader || !group_core_member(g, br_str_c(g->leader))) { /* a record of another writer may lack what we always store */
        br_free(g->leader);
        g->leader = br_strdup(first->id);
    }
    g->protocol = g->protocol ? g->protocol : br_strdup("");
    g->protocol_type = g->protocol_type ? g->protocol_type : br_strdup("consumer");
}
