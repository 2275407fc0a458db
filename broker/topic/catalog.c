#include "broker/topic/catalog.h"
#include "broker/group/coordinator.h"
#include "broker/topic/catalog_int.h"
#include "broker/view/filter.h"
#include "broker/view/order_view.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/batch/record.h"

#define FIRST_STREAM 2          /* 0 is __braid_log, 1 the catalog */
#define FIRST_PRODUCER_ID 1
#define VIEWS_MAX 1000          /* order views: each new topic is matched with each */

/* --- names --- */

enum kw_error broker_topic_name_check(struct br_str name, struct br_errbuf *eb)
{
    const char *why = NULL;
    if (name.len == 0)
        why = "is empty";
    else if (name.len > CATALOG_NAME_MAX)
        why = "is longer than 249 bytes";
    else if (br_str_eq_c(name, ".") || br_str_eq_c(name, ".."))
        why = "cannot be . or ..";
    for (size_t i = 0; !why && i < name.len; i++) {
        char ch = name.data[i];
        if (!((ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z') || ch == '.' || ch == '_' || ch == '-'))
            why = "may hold letters, digits, '.', '_' and '-' only";
    }
    if (!why)
        return KW_NONE;
    br_errbuf_set(eb, BR_INVALID, "topic name '%.*s' %s", (int)BR_MIN(name.len, (size_t)60), name.data ? name.data : "", why);
    return KW_INVALID_TOPIC_EXCEPTION;
}

bool broker_topic_name_is_internal(struct br_str name)
{
    return br_str_eq_c(name, BROKER_OFFSETS_TOPIC) || br_str_eq_c(name, "__transaction_state") || br_str_eq_c(name, "__share_group_state");
}

size_t catalog_fold(char out[static CATALOG_NAME_MAX + 1], struct br_str name)
{
    size_t len = BR_MIN(name.len, (size_t)CATALOG_NAME_MAX);
    for (size_t i = 0; i < len; i++)
        out[i] = name.data[i] == '.' ? '_' : name.data[i];
    return len;
}

/* --- topics --- */

static void topic_free(struct broker_topic *t)
{
    for (int32_t i = 0; i < t->partition_count && t->partitions; i++)
        br_free(t->partitions[i]);
    br_free(t->partitions);
    br_free(t->views);
    broker_overrides_clear(&t->overrides);
    broker_overrides_clear(&t->next_overrides);
    br_free(t->name);
    br_free(t);
}

static void index_topic(struct broker_catalog *c, struct broker_topic *t)
{
    char folded[CATALOG_NAME_MAX + 1];
    br_map_put(&c->by_name, t->name, strlen(t->name), t);
    br_map_put(&c->by_id, t->id.bytes, sizeof t->id.bytes, t);
    br_map_put(&c->folded, folded, catalog_fold(folded, br_str_c(t->name)), t);
    c->version++;
}

static void unindex_topic(struct broker_catalog *c, struct broker_topic *t)
{
    char folded[CATALOG_NAME_MAX + 1];
    br_map_remove(&c->by_name, t->name, strlen(t->name));
    br_map_remove(&c->by_id, t->id.bytes, sizeof t->id.bytes);
    br_map_remove(&c->folded, folded, catalog_fold(folded, br_str_c(t->name)));
    c->version++;
}

static void apply_settings(struct broker_catalog *c, struct broker_topic *t)
{
    broker_topic_settings_make(c->broker->config, &t->overrides, t->is_internal, &t->settings);
    for (int32_t i = 0; i < t->partition_count && t->partitions; i++) {
        store_log_set_config(t->partitions[i]->store->log, &t->settings.log);
        if (t->partitions[i]->order)
            t->partitions[i]->order->class = t->settings.durability;
    }
}

static void go_live(struct broker_catalog *c, struct broker_partition *p)
{
    p->order = order_local_stream(c->broker->order, p->store);
    p->order->owner = p;
    p->order->class = p->topic->settings.durability;
}

static enum kw_error add_partitions(struct broker_catalog *c, struct broker_topic *t, const struct catalog_record *r)
{
    int32_t count = t->partition_count;
    for (unsigned i = 0; i < r->run_count; i++)
        count += r->runs[i].count;
    t->partitions = br_realloc(t->partitions, (size_t)count * sizeof *t->partitions);
    for (unsigned i = 0; i < r->run_count; i++) {
        for (int32_t k = 0; k < r->runs[i].count; k++) {
            struct broker_partition *p = br_alloc(sizeof *p);
            uint32_t stream = r->runs[i].first + (uint32_t)k;
            char *name = br_asprintf("%s-%d", t->name, t->partition_count);
            p->topic = t;
            p->index = t->partition_count;
            broker_watch_list_init(&p->watchers);
            enum br_err err = store_stream_add(c->broker->store, stream, name, t->id, &t->settings.log, &p->store);
            br_free(name);
            if (err != BR_OK) {
                br_free(p);
                return KW_KAFKA_STORAGE_ERROR;
            }
            t->partitions[t->partition_count++] = p;
            c->partitions++;
            c->next_stream = BR_MAX(c->next_stream, stream + 1);
            if (c->is_live)
                go_live(c, p);
        }
    }
    c->version++;
    return KW_NONE;
}

static enum kw_error apply_topic(struct broker_catalog *c, struct catalog_record *r)
{
    if (broker_catalog_find(c, r->name))
        return KW_TOPIC_ALREADY_EXISTS;
    struct broker_topic *t = br_alloc(sizeof *t);
    t->name = br_strndup(r->name.data, r->name.len);
    t->id = r->id;
    t->is_internal = r->is_internal;
    br_map_init(&t->next_overrides);
    broker_overrides_copy(&t->overrides, &r->overrides);
    apply_settings(c, t);
    index_topic(c, t);
    if (r->kind == CATALOG_VIEW) {
        t->partition_count = 1;
        broker_views_add(c->views, t, br_map_get_str(&t->overrides, br_str_c("braid.order.view")), r->view_end, r->view_seen);
        return KW_NONE;
    }
    enum kw_error error = add_partitions(c, t, r);
    broker_views_join(c->views, t);
    return error;
}

static void apply_delete(struct broker_catalog *c, struct broker_topic *t)
{
    unindex_topic(c, t);
    if (t->view) {
        broker_views_remove(t->view);
        t->partition_count = 0;
    }
    broker_views_leave(c->views, t);
    for (int32_t i = 0; i < t->partition_count; i++)
        t->partitions[i]->is_deleted = true;
    for (int32_t i = 0; i < t->partition_count; i++) {
        struct broker_partition *p = t->partitions[i];
        broker_watch_wake(&p->watchers);
        if (p->order)
            order_local_stream_free(c->broker->order, p->order);
        store_stream_remove(c->broker->store, p->store->id);
        c->partitions--;
    }
    if (c->is_live)
        broker_coordinator_topic_deleted(c->broker->groups);
    topic_free(t);
}

enum kw_error catalog_apply(struct broker_catalog *c, struct catalog_record *r)
{
    if (r->kind == CATALOG_COUNTERS) {
        c->next_stream = BR_MAX(c->next_stream, r->next_stream);
        c->producer_block_end = BR_MAX(c->producer_block_end, r->next_producer_id);
        return KW_NONE;
    }
    if (r->kind == CATALOG_TOPIC || r->kind == CATALOG_VIEW)
        return apply_topic(c, r);
    struct broker_topic *t = broker_catalog_find_id(c, r->id);
    if (!t)
        return KW_UNKNOWN_TOPIC_OR_PARTITION;
    if (r->kind == CATALOG_DELETE) {
        apply_delete(c, t);
        return KW_NONE;
    }
    if (r->kind == CATALOG_GROW) /* one that counted on a growth that failed is refused, live and in replay alike */
        return r->first_index == t->partition_count ? add_partitions(c, t, r) : KW_INVALID_PARTITIONS;
    broker_overrides_clear(&t->overrides);
    broker_overrides_copy(&t->overrides, &r->overrides);
    apply_settings(c, t);
    c->version++;
    return KW_NONE;
}

/* --- recovery --- */

struct broker_catalog *broker_catalog_new(struct broker *b)
{
    struct broker_catalog *c = br_alloc(sizeof *c);
    c->broker = b;
    br_map_init(&c->by_name);
    br_map_init(&c->by_id);
    br_map_init(&c->creating);
    br_map_init(&c->folded);
    br_list_init(&c->producer_waiters);
    c->next_stream = FIRST_STREAM;
    c->next_producer_id = c->producer_block_end = FIRST_PRODUCER_ID;
    struct broker_topic *t = br_alloc(sizeof *t);
    t->name = br_strdup(BROKER_ORDER_TOPIC);
    memcpy(t->id.bytes, "braid.order.view", 16); /* one and the same everywhere: the view is made, not stored */
    t->partition_count = 1;
    t->is_internal = true;
    br_map_init(&t->overrides);
    br_map_init(&t->next_overrides);
    broker_topic_settings_make(b->config, &t->overrides, false, &t->settings);
    t->settings.compression = KW_CODEC_NONE;
    index_topic(c, t);
    c->views = broker_views_new(b);
    broker_views_add(c->views, t, NULL, 0, 0);
    return c;
}

void broker_catalog_free(struct broker_catalog *c)
{
    if (!c)
        return;
    size_t at = 0;
    for (struct broker_topic *t; (t = broker_catalog_next(c, &at));)
        if (t->view)
            broker_views_remove(t->view);
    at = 0;
    for (struct broker_topic *t; (t = broker_catalog_next(c, &at));)
        topic_free(t);
    broker_views_free(c->views);
    br_map_clear(&c->by_name);
    br_map_clear(&c->by_id);
    br_map_clear(&c->creating);
    br_map_clear(&c->folded);
    br_free(c);
}

/* The snapshot is the same records, each after its 4-byte length. */
enum br_err broker_catalog_load(void *catalog, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    struct broker_catalog *c = catalog;
    struct br_reader in = br_reader(data, len);
    while (br_reader_left(&in) > 0) {
        size_t size = br_read32(&in);
        const uint8_t *bytes = br_read_bytes(&in, size);
        struct catalog_record r;
        enum br_err err = bytes ? catalog_record_read(br_str((const char *)bytes, size), &r) : BR_CORRUPT;
        if (err != BR_OK)
            return br_errbuf_set(eb, err, "the catalog in the state file: %s", br_err_text(err));
        enum kw_error error = catalog_apply(c, &r);
        catalog_record_clear(&r);
        if (error != KW_NONE)
            return br_errbuf_set(eb, BR_CORRUPT, "the catalog in the state file: %s", kw_error_text(error));
    }
    return BR_OK;
}

enum br_err broker_catalog_replay(void *catalog, const struct store_row *row, struct br_errbuf *eb)
{
    struct broker_catalog *c = catalog;
    struct kw_batch batch;
    struct kw_record_iter it;
    struct kw_record record;
    enum br_err err = row->payload ? kw_batch_view(row->payload, row->length, &batch) : BR_CORRUPT;
    if (err != BR_OK)
        return br_errbuf_set(eb, err, "catalog entry without its body");
    kw_record_iter_init(&it, &batch, batch.data + KW_BATCH_HEADER, batch.size - KW_BATCH_HEADER);
    while ((err = kw_record_next(&it, &record)) == BR_OK) {
        struct catalog_record r;
        err = catalog_record_read(record.value, &r);
        if (err != BR_OK)
            return br_errbuf_set(eb, err, "catalog entry: %s", br_err_text(err));
        enum kw_error error = catalog_apply(c, &r); /* a change that lost a race was refused live and is refused again */
        catalog_record_clear(&r);
        if (error == KW_KAFKA_STORAGE_ERROR)
            return br_errbuf_set(eb, BR_IO, "catalog entry cannot be applied");
    }
    return err == BR_EOF ? BR_OK : err;
}

static void save_record(const struct catalog_record *r, struct br_buf *out)
{
    size_t at = out->len;
    br_buf_add32(out, 0);
    catalog_record_write(r, out);
    if (!out->failed)
        br_store32(out->data + at, (uint32_t)(out->len - at - 4));
}

static void save_view(const struct broker_topic *t, struct br_buf *out)
{
    struct catalog_record r = {.kind = CATALOG_VIEW, .id = t->id, .name = br_str_c(t->name), .overrides = t->overrides,
                               .view_end = broker_order_view_end(t->view), .view_seen = broker_order_view_seen(t->view)};
    save_record(&r, out);
}

static void save_topic(const struct broker_topic *t, struct br_buf *out)
{
    struct catalog_record r = {.kind = CATALOG_TOPIC, .id = t->id, .name = br_str_c(t->name), .is_internal = t->is_internal, .overrides = t->overrides};
    bool is_first = true;
    for (int32_t i = 0; i < t->partition_count; i++) {
        uint32_t stream = t->partitions[i]->store->id;
        struct catalog_run *last = r.run_count ? &r.runs[r.run_count - 1] : NULL;
        if (last && last->first + (uint32_t)last->count == stream) {
            last->count++;
            continue;
        }
        if (r.run_count == BR_COUNT(r.runs)) { /* grown very often: what follows is written as growth */
            save_record(&r, out);
            r = (struct catalog_record){.kind = CATALOG_GROW, .id = t->id, .first_index = i};
            is_first = false;
        }
        r.runs[r.run_count++] = (struct catalog_run){stream, 1};
    }
    if (is_first || r.run_count > 0)
        save_record(&r, out);
}

void broker_catalog_save(void *catalog, struct br_buf *out)
{
    struct broker_catalog *c = catalog;
    struct catalog_record counters = {.kind = CATALOG_COUNTERS, .next_stream = c->next_stream, .next_producer_id = c->producer_block_end};
    size_t at = 0;
    save_record(&counters, out);
    for (struct broker_topic *t; (t = broker_catalog_next(c, &at));)
        if (!t->view)
            save_topic(t, out);
        else if (!t->is_internal)
            save_view(t, out);
}

void broker_catalog_start(struct broker_catalog *c)
{
    size_t at = 0;
    c->is_live = true;
    c->next_producer_id = c->producer_block_end; /* the rest of the last block is never given: ids are plenty */
    for (struct broker_topic *t; (t = broker_catalog_next(c, &at));)
        for (int32_t i = 0; !t->view && i < t->partition_count; i++)
            go_live(c, t->partitions[i]);
    broker_views_start(c->views);
}

/* --- look-ups --- */

struct broker_topic *broker_catalog_find(struct broker_catalog *c, struct br_str name) { return br_map_get_str(&c->by_name, name); }
struct broker_topic *broker_catalog_find_id(struct broker_catalog *c, struct br_uuid id) { return br_map_get(&c->by_id, id.bytes, sizeof id.bytes); }
bool broker_catalog_is_creating(const struct broker_catalog *c, struct br_str name)
{
    char folded[CATALOG_NAME_MAX + 1];
    const char *creating = br_map_get(&c->creating, folded, catalog_fold(folded, name));
    return creating && br_str_eq_c(name, creating);
}

struct broker_views *broker_catalog_views(struct broker_catalog *c) { return c->views; }
const struct br_map *broker_catalog_names(const struct broker_catalog *c) { return &c->by_name; }
uint64_t broker_catalog_version(const struct broker_catalog *c) { return c->version; }
size_t broker_catalog_partition_total(const struct broker_catalog *c) { return c->partitions; }

struct broker_partition *broker_catalog_partition(struct broker_catalog *c, struct br_str topic, int32_t index)
{
    struct broker_topic *t = broker_catalog_find(c, topic);
    return t && !t->view && index >= 0 && index < t->partition_count ? t->partitions[index] : NULL;
}

struct broker_topic *broker_catalog_next(struct broker_catalog *c, size_t *at)
{
    struct br_map_entry *e = br_map_next(&c->by_name, at);
    return e ? e->value : NULL;
}

/* Whether so many more partitions fit; `asked` is what the client named. */
static enum kw_error check_limit(const struct broker_catalog *c, int32_t asked, int32_t more, struct br_errbuf *eb)
{
    size_t most = (size_t)broker_config_int(c->broker->config, "braid.partitions.max");
    size_t now = c->partitions + c->partitions_pending;
    if ((size_t)more <= most && now <= most - (size_t)more)
        return KW_NONE;
    br_errbuf_set(eb, BR_FULL, "%d partitions are too many: braid.partitions.max allows %zu in all, there are %zu", asked, most, now);
    return (size_t)more > most ? KW_INVALID_PARTITIONS : KW_POLICY_VIOLATION;
}

/* Neither a topic nor one that is being made may have the name, nor one that folds to the same. */
static enum kw_error check_name_free(const struct broker_catalog *c, struct br_str name, struct br_errbuf *eb)
{
    char folded[CATALOG_NAME_MAX + 1];
    size_t len = catalog_fold(folded, name);
    const struct broker_topic *topic = br_map_get(&c->folded, folded, len);
    const char *other = topic ? topic->name : br_map_get(&c->creating, folded, len);
    if (!other)
        return KW_NONE;
    if (br_str_eq_c(name, other)) {
        br_errbuf_set(eb, BR_EXISTS, "topic %s exists already", other);
        return KW_TOPIC_ALREADY_EXISTS;
    }
    br_errbuf_set(eb, BR_EXISTS, "topic " BR_STR_FMT " collides with %s: '.' and '_' are the same in metric names", BR_STR_ARG(name), other);
    return KW_INVALID_TOPIC_EXCEPTION;
}

/* Names in the list that views exist under, and the view's own: views show no views. */
static enum kw_error check_view(struct broker_catalog *c, struct br_str name, const char *filter, int32_t partitions, struct br_errbuf *eb)
{
    struct br_str rest = br_str_c(filter), item;
    if (broker_topic_name_is_internal(name)) {
        br_errbuf_set(eb, BR_INVALID, "braid.order.view: " BR_STR_FMT " is internal, and keeps data of its own", BR_STR_ARG(name));
        return KW_INVALID_CONFIG;
    }
    if (partitions != 1) {
        br_errbuf_set(eb, BR_INVALID, "an order view has one partition, not %d", partitions);
        return KW_INVALID_PARTITIONS;
    }
    while (broker_view_filter_next(&rest, &item)) {
        const struct broker_topic *topic = broker_catalog_find(c, item);
        if (br_str_eq(item, name) || (topic && topic->view)) {
            br_errbuf_set(eb, BR_INVALID, "braid.order.view: " BR_STR_FMT " is an order view, and views show no views", BR_STR_ARG(item));
            return KW_INVALID_CONFIG;
        }
    }
    if (broker_views_count(c->views) < VIEWS_MAX)
        return KW_NONE;
    br_errbuf_set(eb, BR_FULL, "there are %d order views, and no more are allowed", VIEWS_MAX);
    return KW_POLICY_VIOLATION;
}

enum kw_error broker_catalog_check_create(struct broker_catalog *c, struct br_str name, int32_t partitions, const struct br_map *overrides, struct br_errbuf *eb)
{
    enum kw_error error = broker_topic_name_check(name, eb);
    if (error == KW_NONE)
        error = check_name_free(c, name, eb);
    if (error != KW_NONE)
        return error;
    if (partitions <= 0) {
        br_errbuf_set(eb, BR_INVALID, "number of partitions must be above 0");
        return KW_INVALID_PARTITIONS;
    }
    size_t at = 0;
    for (struct br_map_entry *e; overrides && (e = br_map_next(overrides, &at));) {
        error = broker_topic_config_check(br_str(e->key, e->key_len), br_str_c(e->value), eb);
        if (error != KW_NONE)
            return error;
    }
    if (overrides && (error = broker_topic_overrides_check(overrides, eb)) != KW_NONE)
        return error;
    if (overrides && broker_topic_overrides_have_view(overrides))
        return check_view(c, name, br_map_get_str(overrides, br_str_c("braid.order.view")), partitions, eb);
    return check_limit(c, partitions, partitions, eb);
}

enum kw_error broker_catalog_check_grow(struct broker_catalog *c, const struct broker_topic *t, int32_t partitions, struct br_errbuf *eb)
{
    int32_t now = broker_topic_partitions_next(t);
    if (t->view) {
        br_errbuf_set(eb, BR_INVALID, "an order view has one partition");
        return KW_INVALID_PARTITIONS;
    }
    if (partitions <= now) {
        br_errbuf_set(eb, BR_INVALID, "the topic has %d partitions; %d is not more", now, partitions);
        return KW_INVALID_PARTITIONS;
    }
    return check_limit(c, partitions, partitions - now, eb);
}
