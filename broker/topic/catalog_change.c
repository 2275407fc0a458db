/* Changes: a record becomes a CATALOG entry in the total order, and is applied when that is durable, by the same catalog_apply as in a replay. */
#include "broker/errmap.h"
#include "broker/topic/catalog.h"
#include "broker/topic/catalog_int.h"
#include "broker/view/order_view.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"

#define PRODUCER_BLOCK 1000

struct change {
    struct broker_catalog *catalog;
    struct order_ticket ticket;
    struct br_buf body;      /* the batch; the journal borrows it */
    struct br_buf record;
    char *creating;          /* name reserved until done, or NULL */
    struct br_uuid topic;    /* GROW, ALTER: counts in the topic while it waits */
    bool is_alter;
    int32_t partitions;      /* counted as pending */
    broker_catalog_done done;
    void *ctx;
};

static void change_free(struct change *ch)
{
    struct broker_catalog *c = ch->catalog;
    struct broker_topic *t = ch->creating ? NULL : broker_catalog_find_id(c, ch->topic); /* NULL too when it is gone meanwhile */
    if (ch->creating) {
        char folded[CATALOG_NAME_MAX + 1];
        br_map_remove(&c->creating, folded, catalog_fold(folded, br_str_c(ch->creating)));
    }
    if (t && ch->is_alter && --t->alters_waiting == 0)
        broker_overrides_clear(&t->next_overrides);
    if (t)
        t->partitions_growing -= ch->partitions;
    c->partitions_pending -= (size_t)ch->partitions;
    br_free(ch->creating);
    br_buf_clear(&ch->body);
    br_buf_clear(&ch->record);
    br_free(ch);
}

static void change_done(struct order_ticket *ticket, enum br_err err)
{
    struct change *ch = BR_CONTAINER_OF(ticket, struct change, ticket);
    enum kw_error error = broker_errmap(err);
    broker_catalog_done done = ch->done;
    void *ctx = ch->ctx;
    if (err == BR_OK) {
        struct catalog_record r;
        err = catalog_record_read(br_str((const char *)ch->record.data, ch->record.len), &r);
        BR_ASSERT(err == BR_OK);
        error = catalog_apply(ch->catalog, &r);
        catalog_record_clear(&r);
    }
    change_free(ch);
    if (done)
        done(ctx, error);
}

/* ch->record holds the bytes. */
static void change_start(struct change *ch)
{
    struct broker *b = ch->catalog->broker;
    struct kw_batch_builder builder;
    struct kw_batch batch;
    uint32_t size;
    br_buf_init(&ch->body, (size_t)64 << 20);
    kw_batch_builder_init(&builder, &ch->body, 0, b->wall_ms, 0);
    kw_batch_builder_add(&builder, 0, b->wall_ms, br_str(NULL, 0), br_str((const char *)ch->record.data, ch->record.len), br_str(NULL, 0), 0, NULL, 0);
    enum br_err err = ch->record.failed ? BR_TOO_LARGE : kw_batch_builder_finish(&builder, KW_CODEC_NONE, 0, &size);
    if (err == BR_OK)
        err = kw_batch_view(ch->body.data, ch->body.len, &batch);
    if (err == BR_OK) {
        struct order_append append = {.kind = ORDER_CATALOG, .data = ch->body.data, .batch = &batch, .max_timestamp = batch.max_timestamp};
        struct order_stream *stream = store_stream_find(b->store, 1)->owner;
        ch->ticket.done = change_done;
        err = order_append(b->order, stream, &append, &ch->ticket, b->wall_ms);
    }
    if (err != BR_OK)
        change_done(&ch->ticket, err);
}

static struct change *change_new(struct broker_catalog *c, const struct catalog_record *r, broker_catalog_done done, void *ctx)
{
    struct change *ch = br_alloc(sizeof *ch);
    ch->catalog = c;
    ch->done = done;
    ch->ctx = ctx;
    br_buf_init(&ch->record, (size_t)16 << 20);
    catalog_record_write(r, &ch->record);
    return ch;
}

/* Stream ids are given when the change starts and never again, whether it comes to pass or not. */
static struct catalog_run take_streams(struct broker_catalog *c, int32_t count)
{
    struct catalog_run run = {c->next_stream, count};
    BR_ASSERT(count > 0 && c->next_stream <= UINT32_MAX - (uint32_t)count);
    c->next_stream += (uint32_t)count;
    return run;
}

void broker_catalog_create(struct broker_catalog *c, struct br_str name, int32_t partitions, const struct br_map *overrides, bool is_internal,
                           broker_catalog_done done, void *ctx)
{
    char folded[CATALOG_NAME_MAX + 1];
    size_t folded_len = catalog_fold(folded, name);
    if (broker_catalog_find(c, name) || br_map_get(&c->creating, folded, folded_len)) {
        done(ctx, KW_TOPIC_ALREADY_EXISTS);
        return;
    }
    struct catalog_record r = {.kind = CATALOG_TOPIC, .id = br_uuid_random(), .name = name, .is_internal = is_internal, .overrides = *overrides}; /* borrowed for the writing */
    const char *filter = br_map_get_str(overrides, br_str_c("braid.order.view"));
    if (filter) {
        r.kind = CATALOG_VIEW;
        broker_views_foresee(c->views, filter, &r.view_end, &r.view_seen);
        partitions = 0; /* with data */
    } else {
        r.run_count = 1;
        r.runs[0] = take_streams(c, partitions);
    }
    struct change *ch = change_new(c, &r, done, ctx);
    ch->creating = br_strndup(name.data, name.len);
    ch->partitions = partitions;
    c->partitions_pending += (size_t)partitions;
    br_map_put(&c->creating, folded, folded_len, ch->creating);
    change_start(ch);
}

void broker_catalog_delete(struct broker_catalog *c, struct broker_topic *topic, broker_catalog_done done, void *ctx)
{
    struct catalog_record r = {.kind = CATALOG_DELETE, .id = topic->id};
    change_start(change_new(c, &r, done, ctx));
}

void broker_catalog_grow(struct broker_catalog *c, struct broker_topic *topic, int32_t partitions, broker_catalog_done done, void *ctx)
{
    struct catalog_record r = {.kind = CATALOG_GROW, .id = topic->id, .run_count = 1, .first_index = broker_topic_partitions_next(topic)};
    int32_t more = partitions - r.first_index;
    r.runs[0] = take_streams(c, more);
    struct change *ch = change_new(c, &r, done, ctx);
    ch->topic = topic->id;
    ch->partitions = more;
    topic->partitions_growing += more;
    c->partitions_pending += (size_t)more;
    change_start(ch);
}

void broker_catalog_alter(struct broker_catalog *c, struct broker_topic *topic, const struct br_map *overrides, broker_catalog_done done, void *ctx)
{
    struct catalog_record r = {.kind = CATALOG_ALTER, .id = topic->id, .overrides = *overrides};
    struct change *ch = change_new(c, &r, done, ctx);
    struct br_map next;
    ch->topic = topic->id;
    ch->is_alter = true;
    broker_overrides_copy(&next, overrides);
    broker_overrides_clear(&topic->next_overrides);
    topic->next_overrides = next;
    topic->alters_waiting++;
    change_start(ch);
}

/* --- producer ids --- */

struct producer_waiter {
    void (*done)(void *ctx, enum kw_error error, int64_t producer_id);
    void *ctx;
    struct br_link link;
};

static void serve_waiters(void *ctx, enum kw_error error)
{
    struct broker_catalog *c = ctx;
    struct br_list now;
    br_list_init(&now);
    BR_LIST_FOR_SAFE(w, next, &c->producer_waiters, struct producer_waiter, link) {
        br_list_remove(&w->link);
        br_list_append(&now, &w->link);
    }
    while (!br_list_is_empty(&now)) {
        struct producer_waiter *w = BR_LIST_FIRST(&now, struct producer_waiter, link);
        br_list_remove(&w->link);
        if (error != KW_NONE)
            w->done(w->ctx, error, -1);
        else
            broker_catalog_producer_id(c, w->done, w->ctx);
        br_free(w);
    }
}

void broker_catalog_producer_id(struct broker_catalog *c, void (*done)(void *ctx, enum kw_error error, int64_t producer_id), void *ctx)
{
    if (c->next_producer_id < c->producer_block_end) {
        done(ctx, KW_NONE, c->next_producer_id++);
        return;
    }
    bool is_asking = !br_list_is_empty(&c->producer_waiters);
    struct producer_waiter *w = br_alloc(sizeof *w);
    *w = (struct producer_waiter){.done = done, .ctx = ctx};
    br_list_append(&c->producer_waiters, &w->link);
    if (is_asking)
        return;
    struct catalog_record r = {.kind = CATALOG_COUNTERS, .next_stream = c->next_stream, .next_producer_id = c->producer_block_end + PRODUCER_BLOCK};
    change_start(change_new(c, &r, serve_waiters, c));
}
