#include "broker/group/coordinator.h"
#include "broker/errmap.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/base/arena.h"
#include "compat/batch/builder.h"
#include "compat/gen/records.h"

#define GROUPS_MAX 100000u
#define READ_BYTES ((size_t)1 << 20)
#define RECORDS_MAX ((size_t)8 << 20) /* of one write */

struct broker_coordinator {
    struct broker *broker;
    struct br_map groups; /* id -> struct broker_group */
    struct broker_wait expiry;
    bool is_preparing;
    struct br_list preparing; /* struct prepare_waiter */
    size_t load_errors;
};

struct prepare_waiter {
    void (*done)(void *ctx, enum kw_error error);
    void *ctx;
    struct br_link link;
};

/* One write to __consumer_offsets under way; owns its batch until it is done. */
struct group_write {
    struct broker_coordinator *coordinator;
    struct order_ticket ticket;
    struct br_buf bytes;
    char *group_id;
    bool is_group_record;
    void (*done)(void *ctx, enum kw_error error);
    void *ctx;
};

int32_t broker_group_partition(struct br_str group, int32_t partition_count)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < group.len;) { /* UTF-8 to UTF-16 code units */
        uint8_t c = (uint8_t)group.data[i];
        unsigned len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        uint32_t code = len == 1 ? c : c & (0x7fu >> len);
        for (unsigned k = 1; k < len && i + k < group.len; k++)
            code = code << 6 | ((uint8_t)group.data[i + k] & 0x3f);
        i += len;
        if (code >= 0x10000) {
            hash = hash * 31 + (0xd800 + ((code - 0x10000) >> 10));
            code = 0xdc00 + ((code - 0x10000) & 0x3ff);
        }
        hash = hash * 31 + code;
    }
    return (int32_t)(hash & INT32_MAX) % partition_count;
}

static struct broker_topic *offsets_topic(struct broker_coordinator *c)
{
    return broker_catalog_find(c->broker->catalog, br_str_c(BROKER_OFFSETS_TOPIC));
}

static void expire_offsets(struct broker_wait *wait);
static void drop_orphans(struct broker_group *group);

struct broker_coordinator *broker_coordinator_new(struct broker *b)
{
    struct broker_coordinator *c = br_alloc(sizeof *c);
    c->broker = b;
    br_map_init(&c->groups);
    br_list_init(&c->preparing);
    c->expiry.expire = expire_offsets;
    return c;
}

static void group_free(struct broker_group *group)
{
    struct broker_coordinator *c = group->coordinator;
    broker_wait_stop(&c->broker->waits, &group->timer);
    br_map_remove(&c->groups, group->id, strlen(group->id));
    group_core_clear(&group->core);
    group_offsets_clear(&group->offsets);
    br_free(group->id);
    br_free(group);
}

void broker_coordinator_free(struct broker_coordinator *c)
{
    if (!c)
        return;
    size_t at = 0;
    for (struct broker_group *g; (g = broker_coordinator_next(c, &at));)
        group_free(g);
    br_map_clear(&c->groups);
    broker_wait_stop(&c->broker->waits, &c->expiry);
    br_free(c);
}

static void group_expired(struct broker_wait *wait)
{
    struct broker_group *group = BR_CONTAINER_OF(wait, struct broker_group, timer);
    struct group_effects fx = {0};
    group_core_tick(&group->core, group->coordinator->broker->now_ms, &fx);
    broker_group_run(group, &fx);
}

bool broker_group_id_is_valid(struct br_str id)
{
    return id.len > 0 && !memchr(id.data, 0, id.len);
}

struct broker_group *broker_coordinator_group(struct broker_coordinator *c, struct br_str id, bool create)
{
    struct broker_group *group = br_map_get_str(&c->groups, id);
    if (group || !create || br_map_count(&c->groups) >= GROUPS_MAX)
        return group;
    group = br_alloc(sizeof *group);
    group->id = br_strndup(id.data, id.len);
    group->coordinator = c;
    group->timer.expire = group_expired;
    group->empty_since_ms = c->broker->wall_ms;
    struct group_limits limits = {
        .size_max = (int32_t)broker_config_int(c->broker->config, "group.max.size"),
        .initial_delay_ms = (int32_t)broker_config_int(c->broker->config, "group.initial.rebalance.delay.ms"),
    };
    group_core_init(&group->core, limits);
    group_offsets_init(&group->offsets);
    br_map_put_str(&c->groups, id, group);
    return group;
}

struct broker_group *broker_coordinator_next(struct broker_coordinator *c, size_t *at)
{
    struct br_map_entry *e = br_map_next(&c->groups, at);
    return e ? e->value : NULL;
}

/* --- making the topic --- */

static void topic_made(void *ctx, enum kw_error error)
{
    struct broker_coordinator *c = ctx;
    c->is_preparing = false;
    if (error == KW_TOPIC_ALREADY_EXISTS)
        error = KW_NONE;
    BR_LIST_FOR_SAFE(w, next, &c->preparing, struct prepare_waiter, link) {
        br_list_remove(&w->link);
        w->done(w->ctx, error);
        br_free(w);
    }
}

bool broker_coordinator_is_ready(struct broker_coordinator *c)
{
    return offsets_topic(c) != NULL;
}

void broker_coordinator_prepare(struct broker_coordinator *c, void (*done)(void *ctx, enum kw_error error), void *ctx)
{
    struct prepare_waiter *w = br_alloc(sizeof *w);
    *w = (struct prepare_waiter){.done = done, .ctx = ctx};
    br_list_append(&c->preparing, &w->link);
    if (c->is_preparing)
        return;
    c->is_preparing = true;
    struct br_map overrides;
    br_map_init(&overrides);
    int32_t partitions = (int32_t)broker_config_int(c->broker->config, "offsets.topic.num.partitions");
    broker_catalog_create(c->broker->catalog, br_str_c(BROKER_OFFSETS_TOPIC), partitions, &overrides, true, topic_made, c);
}

/* --- writing --- */

static void write_free(struct group_write *w)
{
    br_buf_clear(&w->bytes);
    br_free(w->group_id);
    br_free(w);
}

static enum br_err apply_batch(struct broker_coordinator *c, const uint8_t *data, size_t len, bool is_replay, size_t *used);

/* As Kafka tells it: a consumer that reads of storage gives up for good, one that must find its coordinator again tries again. */
static enum kw_error write_error(enum br_err err)
{
    enum kw_error error = broker_errmap(err);
    return error == KW_KAFKA_STORAGE_ERROR ? KW_NOT_COORDINATOR : error;
}

static void write_done(struct order_ticket *ticket, enum br_err err)
{
    struct group_write *w = BR_CONTAINER_OF(ticket, struct group_write, ticket);
    struct broker_coordinator *c = w->coordinator;
    size_t used;
    if (c->broker->is_stopping && err != BR_OK) {
        write_free(w);
        return;
    }
    if (err == BR_OK)
        err = apply_batch(c, w->bytes.data, w->bytes.len, false, &used);
    struct broker_group *group = w->is_group_record ? broker_coordinator_group(c, br_str_c(w->group_id), false) : NULL;
    if (group) {
        struct group_effects fx = {0};
        group_core_persisted(&group->core, write_error(err), c->broker->now_ms, &fx);
        broker_group_run(group, &fx);
    }
    if (w->done)
        w->done(w->ctx, write_error(err));
    write_free(w);
}

static struct group_write *write_new(struct broker_coordinator *c, const char *group_id)
{
    struct group_write *w = br_alloc(sizeof *w);
    w->coordinator = c;
    w->group_id = br_strdup(group_id);
    w->ticket.done = write_done;
    br_buf_init(&w->bytes, RECORDS_MAX);
    return w;
}

/* Appends the finished batch; on failure done is told at once, and the error returned. */
static enum kw_error write_start(struct group_write *w)
{
    struct broker_coordinator *c = w->coordinator;
    struct broker_topic *topic = offsets_topic(c);
    struct kw_batch batch;
    enum br_err err = topic && !w->bytes.failed ? kw_batch_view(w->bytes.data, w->bytes.len, &batch) : BR_FAILED;
    if (err == BR_OK) {
        struct broker_partition *p = topic->partitions[broker_group_partition(br_str_c(w->group_id), topic->partition_count)];
        struct order_append append = {.kind = ORDER_DATA, .data = w->bytes.data, .batch = &batch, .max_timestamp = batch.max_timestamp};
        err = order_append(c->broker->order, p->order, &append, &w->ticket, c->broker->wall_ms);
    }
    if (err == BR_OK)
        return KW_NONE;
    if (w->done)
        w->done(w->ctx, write_error(err));
    write_free(w);
    return write_error(err);
}

static void add_record(struct kw_batch_builder *b, int64_t *offset, int64_t now, const struct br_buf *key, const struct br_buf *value)
{
    struct br_str k = br_str((const char *)key->data, key->len);
    struct br_str v = value ? br_str((const char *)value->data, value->len) : br_str(NULL, 0);
    kw_batch_builder_add(b, (*offset)++, now, k, v, br_str(NULL, 0), 0, NULL, 0);
}

static void persist_group(struct broker_group *group)
{
    struct broker_coordinator *c = group->coordinator;
    struct group_write *w = write_new(c, group->id);
    struct br_buf key, value;
    struct kw_batch_builder b;
    uint32_t size;
    int64_t offset = 0, now = c->broker->wall_ms;
    br_buf_init(&key, RECORDS_MAX);
    br_buf_init(&value, RECORDS_MAX);
    group->core.state_since_ms = now;
    group_record_group_key(br_str_c(group->id), &key);
    group_record_group_value(&group->core, now, &value);
    kw_batch_builder_init(&b, &w->bytes, 0, now, 0);
    add_record(&b, &offset, now, &key, &value);
    bool fits = !key.failed && !value.failed && kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size) == BR_OK;
    w->bytes.failed = !fits;
    br_buf_clear(&key);
    br_buf_clear(&value);
    w->is_group_record = true;
    enum kw_error error = KW_COORDINATOR_NOT_AVAILABLE;
    if (fits && offsets_topic(c))
        error = write_start(w);
    else
        write_free(w);
    if (error == KW_NONE)
        return; /* the end of the write tells the group */
    struct group_effects fx = {0};
    group_core_persisted(&group->core, error, c->broker->now_ms, &fx);
    broker_group_run(group, &fx);
}

void broker_coordinator_commit(struct broker_coordinator *c, struct broker_group *group, const struct group_commit_item *items, size_t count,
                               void (*done)(void *ctx, enum kw_error error), void *ctx)
{
    struct group_write *w = write_new(c, group->id);
    struct br_buf key, value;
    struct kw_batch_builder b;
    uint32_t size;
    int64_t offset = 0, now = c->broker->wall_ms;
    br_buf_init(&key, RECORDS_MAX);
    br_buf_init(&value, RECORDS_MAX);
    w->done = done;
    w->ctx = ctx;
    kw_batch_builder_init(&b, &w->bytes, 0, now, 0);
    for (size_t i = 0; i < count; i++) {
        br_buf_reset(&key);
        br_buf_reset(&value);
        group_record_offset_key(br_str_c(group->id), items[i].topic, items[i].partition, &key);
        group_record_offset_value(items[i].offset, items[i].leader_epoch, items[i].metadata, now, items[i].expire_ms, &value);
        add_record(&b, &offset, now, &key, &value);
        w->bytes.failed = w->bytes.failed || key.failed || value.failed;
    }
    if (kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size) != BR_OK)
        w->bytes.failed = true;
    br_buf_clear(&key);
    br_buf_clear(&value);
    (void)write_start(w);
}

/* Tombstones for these offsets of a group; and for the group itself when `whole`. */
static void write_tombstones(struct broker_group *group, const struct group_offset **gone, size_t count, bool whole)
{
    struct broker_coordinator *c = group->coordinator;
    struct group_write *w = write_new(c, group->id);
    struct br_buf key;
    struct kw_batch_builder b;
    uint32_t size;
    int64_t offset = 0, now = c->broker->wall_ms;
    br_buf_init(&key, RECORDS_MAX);
    kw_batch_builder_init(&b, &w->bytes, 0, now, 0);
    for (size_t i = 0; i < count; i++) {
        br_buf_reset(&key);
        group_record_offset_key(br_str_c(group->id), br_str_c(gone[i]->topic), gone[i]->partition, &key);
        add_record(&b, &offset, now, &key, NULL);
    }
    if (whole) {
        br_buf_reset(&key);
        group_record_group_key(br_str_c(group->id), &key);
        add_record(&b, &offset, now, &key, NULL);
    }
    br_buf_clear(&key);
    if (kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size) != BR_OK)
        w->bytes.failed = true;
    (void)write_start(w);
}

/* --- applying: live and replay --- */

static void apply_record(struct broker_coordinator *c, const struct group_record *r, bool is_replay)
{
    struct broker_group *group = broker_coordinator_group(c, r->group, !r->is_tombstone);
    if (!group)
        return;
    if (r->kind == GROUP_RECORD_OFFSET) {
        if (r->is_tombstone)
            group_offsets_remove(&group->offsets, r->topic, r->partition);
        else if (is_replay || broker_catalog_find(c->broker->catalog, r->topic)) /* else deleted while the commit was under way */
            group_offsets_put(&group->offsets, r->topic, r->partition, r->offset, r->leader_epoch, r->metadata, r->commit_ms, r->expire_ms);
        return;
    }
    if (!is_replay) { /* the machine has moved already; a tombstone of a group that came back to life meanwhile is overtaken by its next record */
        if (r->is_tombstone && group->core.state == GROUP_EMPTY && br_map_count(&group->core.pending) == 0 && group_offsets_count(&group->offsets) == 0)
            group_free(group);
        return;
    }
    struct group_limits limits = group->core.limits;
    group_core_clear(&group->core);
    group_core_init(&group->core, limits);
    if (r->is_tombstone) {
        if (group_offsets_count(&group->offsets) == 0)
            group_free(group);
        return;
    }
    group_record_restore(&group->core, r, c->broker->now_ms);
    group->empty_since_ms = r->value->current_state_timestamp >= 0 ? r->value->current_state_timestamp : c->broker->wall_ms;
}

/* *used: bytes of the batch at data. */
static enum br_err apply_batch(struct broker_coordinator *c, const uint8_t *data, size_t len, bool is_replay, size_t *used)
{
    struct kw_batch batch;
    struct br_buf inflated;
    struct br_arena arena;
    struct kw_record_iter it;
    struct kw_record record;
    enum br_err err = kw_batch_view(data, len, &batch);
    if (err != BR_OK || batch.size > len)
        return BR_CORRUPT;
    *used = batch.size;
    br_buf_init(&inflated, (size_t)128 << 20);
    br_arena_init(&arena, (size_t)64 << 20);
    err = kw_zip_inflate_buf(kw_batch_codec(&batch), data + KW_BATCH_HEADER, batch.size - KW_BATCH_HEADER, inflated.limit, &inflated);
    if (err == BR_OK)
        kw_record_iter_init(&it, &batch, inflated.data, inflated.len);
    while (err == BR_OK && !kw_batch_is_control(&batch) && (err = kw_record_next(&it, &record)) == BR_OK) {
        struct group_record r;
        if (group_record_parse(record.key, record.value, &arena, &r) != BR_OK)
            c->load_errors++;
        else if (r.kind != GROUP_RECORD_OTHER)
            apply_record(c, &r, is_replay);
        br_arena_reset(&arena);
    }
    br_arena_clear(&arena);
    br_buf_clear(&inflated);
    return err == BR_EOF ? BR_OK : err;
}

static enum br_err load_partition(struct broker_coordinator *c, struct broker_partition *p, struct br_buf *bytes)
{
    int64_t offset = broker_partition_start(p), end = broker_partition_high_watermark(p);
    while (offset < end) {
        struct store_range range;
        enum br_err err = store_log_read(p->store->log, offset, end, READ_BYTES, true, &range);
        if (err == BR_COLD) { /* a load waits: it is part of the start */
            store_range_warm(&range);
            store_range_release(&range);
            continue;
        }
        if (err != BR_OK)
            return err;
        br_buf_reset(bytes);
        uint8_t *room = range.length ? br_buf_room(bytes, range.length) : NULL;
        err = room ? store_file_read(range.file, room, range.length, range.file_position) : BR_CORRUPT;
        int64_t next = range.next_offset;
        size_t length = range.length;
        store_range_release(&range);
        for (size_t at = 0, used = 0; err == BR_OK && at < length; at += used)
            err = apply_batch(c, room + at, length - at, true, &used);
        if (err != BR_OK)
            return err;
        BR_ASSERT(next > offset);
        offset = next;
    }
    return BR_OK;
}

enum br_err broker_coordinator_load(struct broker_coordinator *c, struct br_errbuf *eb)
{
    struct broker_topic *topic = offsets_topic(c);
    struct br_buf bytes;
    br_buf_init(&bytes, (size_t)256 << 20);
    for (int32_t i = 0; topic && i < topic->partition_count; i++) {
        enum br_err err = load_partition(c, topic->partitions[i], &bytes);
        if (err != BR_OK) {
            br_buf_clear(&bytes);
            return br_errbuf_set(eb, err, "%s-%d cannot be read: %s", BROKER_OFFSETS_TOPIC, i, br_err_text(err));
        }
    }
    br_buf_clear(&bytes);
    if (c->load_errors)
        br_log(BR_LOG_WARN, "group", "undecodable_records=%zu passed over", c->load_errors);
    size_t at = 0;
    for (struct broker_group *g; (g = broker_coordinator_next(c, &at));) {
        struct group_effects none = {0};
        broker_group_run(g, &none);
        drop_orphans(g); /* the node may have died between the deletion of a topic and the tombstones of its commits */
    }
    broker_wait_start(&c->broker->waits, &c->expiry, c->broker->now_ms + broker_config_int(c->broker->config, "offsets.retention.check.interval.ms"));
    return BR_OK;
}

/* --- running --- */

void broker_group_run(struct broker_group *group, struct group_effects *fx)
{
    struct broker *b = group->coordinator->broker;
    bool persist = false;
    for (size_t i = 0; i < fx->count; i++) {
        const struct group_effect *e = &fx->items[i];
        switch (e->kind) {
        case GROUP_FX_JOIN: broker_join_group_answer(e->token, group, e); break;
        case GROUP_FX_SYNC: broker_sync_group_answer(e->token, group, e); break;
        case GROUP_FX_PERSIST: persist = true; break;
        }
    }
    group_effects_clear(fx);
    if (group->core.state == GROUP_EMPTY && persist)
        group->empty_since_ms = b->wall_ms;
    int64_t deadline = group_core_deadline(&group->core);
    if (deadline == INT64_MAX)
        broker_wait_stop(&b->waits, &group->timer);
    else
        broker_wait_start(&b->waits, &group->timer, deadline);
    if (persist)
        persist_group(group);
}

/* Offsets go when the group has had no members for offsets.retention.minutes, and each offset is that old too. */
static void expire_group(struct broker_group *group, int64_t now, int64_t retention_ms)
{
    if (group->core.state != GROUP_EMPTY || br_map_count(&group->core.pending) > 0)
        return;
    const struct group_offset **gone = br_alloc_array(group_offsets_count(&group->offsets), sizeof *gone);
    size_t count = 0, at = 0;
    bool never_had_members = group->core.generation == 0;
    for (const struct group_offset *o; (o = group_offsets_next(&group->offsets, &at));) {
        int64_t since = never_had_members ? o->commit_ms : BR_MAX(o->commit_ms, group->empty_since_ms);
        if (o->expire_ms >= 0 ? now >= o->expire_ms : now - since >= retention_ms)
            gone[count++] = o;
    }
    bool whole = count == group_offsets_count(&group->offsets) && now - group->empty_since_ms >= BR_MIN(retention_ms, (int64_t)60000);
    if (count > 0 || whole)
        write_tombstones(group, gone, count, whole);
    br_free(gone);
}

static void expire_offsets(struct broker_wait *wait)
{
    struct broker_coordinator *c = BR_CONTAINER_OF(wait, struct broker_coordinator, expiry);
    const struct broker_config *config = c->broker->config;
    int64_t retention_ms = broker_config_int(config, "offsets.retention.minutes") * 60000;
    size_t at = 0;
    if (offsets_topic(c))
        for (struct broker_group *g; (g = broker_coordinator_next(c, &at));)
            expire_group(g, c->broker->wall_ms, retention_ms);
    broker_wait_start(&c->broker->waits, &c->expiry, c->broker->now_ms + broker_config_int(config, "offsets.retention.check.interval.ms"));
}

/* Drops a group's commits of topics that are not there: from the table at once, from the log by tombstones. */
static void drop_orphans(struct broker_group *g)
{
    struct broker *b = g->coordinator->broker;
    const struct group_offset **gone = br_alloc_array(group_offsets_count(&g->offsets), sizeof *gone);
    size_t count = 0, walk = 0;
    for (const struct group_offset *o; (o = group_offsets_next(&g->offsets, &walk));)
        if (!broker_catalog_find(b->catalog, br_str_c(o->topic)))
            gone[count++] = o;
    if (count > 0)
        write_tombstones(g, gone, count, false);
    for (size_t i = 0; i < count; i++)
        group_offsets_remove(&g->offsets, br_str_c(gone[i]->topic), gone[i]->partition);
    br_free(gone);
}

void broker_coordinator_topic_deleted(struct broker_coordinator *c)
{
    size_t at = 0;
    for (struct broker_group *g; (g = broker_coordinator_next(c, &at));)
        drop_orphans(g);
}
