/* The catalog over files in memory: records both ways, changes that overlap, and that snapshot + replay is the live state after crashes of the process and of the
 * machine, with checkpoints at any moment. Changes are acknowledged in class fsync, so none that was acknowledged may be missing. */
#include "tests/support/harness.h"
#include "broker/broker.h"
#include "broker/group/coordinator.h"
#include "broker/topic/catalog_int.h"
#include "broker/view/order_view.h"
#include "compat/base/clock.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "compat/batch/builder.h"
#include "storage/vfs_mem.h"

#define NAMES 8
#define CHECKPOINT_DUE_MS 61000

struct model {
    bool exists;
    int32_t partitions;
    int retention;      /* 0: no override */
    unsigned waiting;   /* changes not acknowledged yet: either state is right after a crash */
};

struct world {
    struct broker b;
    struct br_rand r;
    struct store_vfs_mem *mem;
    char boot_id[32];
    int boots;
    struct model models[NAMES];
    int64_t last_producer_id;
    unsigned waiting;
};

/* --- a broker without sockets --- */

static void on_begin(void *ctx, struct store *store, const struct store_identity *identity)
{
    struct broker *b = &((struct world *)ctx)->b;
    b->store = store;
    b->identity = *identity;
}

static enum br_err on_snapshot(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    return broker_catalog_load(((struct world *)ctx)->b.catalog, data, len, eb);
}

static enum br_err on_catalog(void *ctx, const struct store_row *row, struct br_errbuf *eb)
{
    return broker_catalog_replay(((struct world *)ctx)->b.catalog, row, eb);
}

static void on_save(void *ctx, struct br_buf *out)
{
    broker_catalog_save(((struct world *)ctx)->b.catalog, out);
}

static void on_failed(void *ctx, enum br_err err)
{
    (void)ctx, (void)err;
}

static void open_broker(struct world *w)
{
    struct broker *b = &w->b;
    struct br_errbuf eb = {{0}};
    b->catalog = broker_catalog_new(b);
    b->groups = broker_coordinator_new(b);
    struct order_local_opts opts = {
        .store = {.vfs = store_vfs_mem_vfs(w->mem), .dir = "data", .node_id = 1, .cluster_id = {{7}},
                  .internal_config = {.segment_bytes = 16384, .segment_ms = INT64_MAX, .index_interval_bytes = 512, .retention_ms = -1, .retention_bytes = -1},
                  .journal_file_bytes = 65536, .order_rows_per_file = 64, .files_max = 16, .boot_id = w->boot_id, .pool = b->pool, .sync_pool = b->sync_pool,
                  .begin = on_begin, .snapshot = on_snapshot, .catalog = on_catalog, .save_catalog = on_save, .ctx = w},
        .ring_entries = 256, .default_class = ORDER_FSYNC, .ctx = w, .on_failed = on_failed,
    };
    enum br_err err = order_local_open(&opts, &b->order, &b->identity, &eb);
    if (err != BR_OK)
        print_error("open: %s %s\n", br_err_text(err), eb.text);
    assert_int_equal(err, BR_OK);
    broker_catalog_start(b->catalog);
}

static void close_broker(struct world *w, bool clean)
{
    order_local_close(w->b.order, clean);
    broker_coordinator_free(w->b.groups);
    broker_catalog_free(w->b.catalog);
    w->b.order = NULL;
}

static struct world *world_new(uint64_t seed)
{
    struct world *w = br_alloc(sizeof *w);
    struct br_errbuf eb;
    br_rand_init(&w->r, seed);
    w->mem = store_vfs_mem_new(seed);
    w->b.config = broker_config_new();
    assert_int_equal(broker_config_finish(w->b.config, &eb), BR_OK);
    broker_waits_init(&w->b.waits);
    w->b.pool = store_io_pool_new(0, NULL, NULL);
    w->b.sync_pool = store_io_pool_new(0, NULL, NULL);
    w->b.wall_ms = br_clock_wall_ms();
    snprintf(w->boot_id, sizeof w->boot_id, "boot-0");
    open_broker(w);
    return w;
}

static void world_free(struct world *w)
{
    close_broker(w, true);
    store_io_pool_free(w->b.pool);
    store_io_pool_free(w->b.sync_pool);
    broker_waits_clear(&w->b.waits);
    broker_config_free(w->b.config);
    store_vfs_mem_free(w->mem);
    br_free(w);
}

static void turn(struct world *w) { order_local_turn(w->b.order, w->b.wall_ms); }

static void sync_all(struct world *w)
{
    turn(w);
    store_io_pool_drain(w->b.sync_pool);
    turn(w);
}

/* power: what was not synced is lost in part. */
static void crash(struct world *w, bool power)
{
    struct store_mem_faults faults = {.keep_all = !power, .drop = 60, .tear = 40, .garble = 20, .reorder = 40};
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    store_vfs_mem_set_faults(w->mem, "*", faults);
    if (power)
        snprintf(w->boot_id, sizeof w->boot_id, "boot-%d", ++w->boots);
    store_vfs_mem_crash(w->mem);
    for (unsigned k = 0; k < BR_COUNT(ops); k++) /* the dead process changes nothing any more */
        store_vfs_mem_fail_from(w->mem, ops[k], 1, BR_IO);
    close_broker(w, false);
    for (unsigned k = 0; k < BR_COUNT(ops); k++)
        store_vfs_mem_fail_from(w->mem, ops[k], 0, BR_OK);
    open_broker(w);
}

/* --- changes --- */

struct outcome {
    bool is_done;
    enum kw_error error;
};

static void on_outcome(void *ctx, enum kw_error error)
{
    struct outcome *o = ctx;
    assert_false(o->is_done);
    *o = (struct outcome){true, error};
}

static struct broker_topic *find(struct world *w, const char *name) { return broker_catalog_find(w->b.catalog, br_str_c(name)); }

static void create(struct world *w, const char *name, int32_t partitions, struct outcome *o)
{
    struct br_map none;
    br_map_init(&none);
    broker_catalog_create(w->b.catalog, br_str_c(name), partitions, &none, false, on_outcome, o);
}

static void alter(struct world *w, struct broker_topic *t, const char *key, const char *value, struct outcome *o)
{
    struct br_map next;
    broker_overrides_copy(&next, broker_topic_overrides_next(t));
    br_free(br_map_put(&next, key, strlen(key), br_strdup(value)));
    broker_catalog_alter(w->b.catalog, t, &next, on_outcome, o);
    broker_overrides_clear(&next);
}

static void test_a_topic_is_there_when_its_creation_is_durable_and_not_before(void **state)
{
    struct world *w = world_new(1);
    struct outcome o = {0};
    (void)state;
    uint64_t version = broker_catalog_version(w->b.catalog);
    create(w, "orders", 3, &o);
    turn(w);
    assert_false(o.is_done);
    assert_null(find(w, "orders"));
    assert_true(broker_catalog_is_creating(w->b.catalog, br_str_c("orders")));
    sync_all(w);
    assert_true(o.is_done && o.error == KW_NONE);
    struct broker_topic *t = find(w, "orders");
    assert_int_equal(t->partition_count, 3);
    assert_ptr_equal(broker_catalog_find_id(w->b.catalog, t->id), t);
    assert_non_null(broker_catalog_partition(w->b.catalog, br_str_c("orders"), 2)->order);
    assert_null(broker_catalog_partition(w->b.catalog, br_str_c("orders"), 3));
    assert_true(broker_catalog_version(w->b.catalog) > version);
    assert_false(broker_catalog_is_creating(w->b.catalog, br_str_c("orders")));
    world_free(w);
}

static void test_two_creations_at_a_time_make_a_topic_once_and_folded_names_collide(void **state)
{
    struct world *w = world_new(2);
    struct outcome a = {0}, b = {0};
    struct br_errbuf eb;
    (void)state;
    create(w, "a.b", 1, &a);
    create(w, "a.b", 2, &b);
    assert_int_equal(b.error, KW_TOPIC_ALREADY_EXISTS);
    for (int round = 0; round < 2; round++) { /* while it is being made, and when it is there */
        assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("a.b"), 1, NULL, &eb), KW_TOPIC_ALREADY_EXISTS);
        assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("a_b"), 1, NULL, &eb), KW_INVALID_TOPIC_EXCEPTION);
        assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("a-b"), 1, NULL, &eb), KW_NONE);
        sync_all(w);
    }
    assert_int_equal(a.error, KW_NONE);
    assert_int_equal(find(w, "a.b")->partition_count, 1);
    world_free(w);
}

static void test_overlapping_growths_and_settings_of_a_topic_all_take_effect(void **state)
{
    struct world *w = world_new(3);
    struct outcome o = {0}, g3 = {0}, g5 = {0}, a1 = {0}, a2 = {0};
    struct br_errbuf eb;
    (void)state;
    create(w, "t", 1, &o);
    sync_all(w);
    struct broker_topic *t = find(w, "t");
    broker_catalog_grow(w->b.catalog, t, 3, on_outcome, &g3);
    assert_int_equal(broker_catalog_check_grow(w->b.catalog, t, 3, &eb), KW_INVALID_PARTITIONS); /* not more than it will have */
    assert_int_equal(broker_catalog_check_grow(w->b.catalog, t, 5, &eb), KW_NONE);
    broker_catalog_grow(w->b.catalog, t, 5, on_outcome, &g5);
    alter(w, t, "retention.ms", "1000", &a1);
    alter(w, t, "segment.ms", "2000", &a2);
    assert_int_equal(t->partition_count, 1);
    sync_all(w);
    assert_true(g3.is_done && g5.is_done && a1.is_done && a2.is_done);
    assert_int_equal(g3.error | g5.error | a1.error | a2.error, KW_NONE);
    assert_int_equal(t->partition_count, 5);
    assert_int_equal(t->settings.log.retention_ms, 1000);
    assert_int_equal(t->settings.log.segment_ms, 2000);
    assert_int_equal(broker_topic_partitions_next(t), 5);
    assert_ptr_equal(broker_topic_overrides_next(t), &t->overrides);
    world_free(w);
}

static void test_a_change_behind_a_deletion_finds_no_topic(void **state)
{
    struct world *w = world_new(4);
    struct outcome o = {0}, d1 = {0}, d2 = {0}, g = {0}, a = {0};
    (void)state;
    create(w, "t", 2, &o);
    sync_all(w);
    struct broker_topic *t = find(w, "t");
    struct br_uuid id = t->id;
    broker_catalog_delete(w->b.catalog, t, on_outcome, &d1);
    broker_catalog_grow(w->b.catalog, t, 4, on_outcome, &g);
    alter(w, t, "retention.ms", "1", &a);
    broker_catalog_delete(w->b.catalog, t, on_outcome, &d2);
    sync_all(w);
    assert_int_equal(d1.error, KW_NONE);
    assert_true(g.is_done && a.is_done && d2.is_done);
    assert_int_equal(g.error, KW_UNKNOWN_TOPIC_OR_PARTITION);
    assert_int_equal(a.error, KW_UNKNOWN_TOPIC_OR_PARTITION);
    assert_int_equal(d2.error, KW_UNKNOWN_TOPIC_OR_PARTITION);
    assert_null(broker_catalog_find_id(w->b.catalog, id));
    assert_int_equal(broker_catalog_partition_total(w->b.catalog), 0);
    create(w, "t", 1, &(struct outcome){0});
    sync_all(w);
    assert_false(br_uuid_eq(find(w, "t")->id, id)); /* B10 */
    world_free(w);
}

static void test_partitions_are_limited_in_all_with_those_on_their_way(void **state)
{
    struct world *w = world_new(5);
    struct br_errbuf eb;
    (void)state;
    assert_int_equal(broker_config_set(w->b.config, br_str_c("braid.partitions.max"), br_str_c("10"), &eb), BR_OK);
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("big"), 1000000, NULL, &eb), KW_INVALID_PARTITIONS);
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("big"), INT32_MAX, NULL, &eb), KW_INVALID_PARTITIONS);
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("none"), 0, NULL, &eb), KW_INVALID_PARTITIONS);
    create(w, "t", 8, &(struct outcome){0});
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("u"), 3, NULL, &eb), KW_POLICY_VIOLATION);
    assert_non_null(strstr(eb.text, "braid.partitions.max"));
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("u"), 2, NULL, &eb), KW_NONE);
    sync_all(w);
    assert_int_equal(broker_catalog_check_grow(w->b.catalog, find(w, "t"), 11, &eb), KW_POLICY_VIOLATION);
    assert_int_equal(broker_catalog_check_grow(w->b.catalog, find(w, "t"), 10, &eb), KW_NONE);
    assert_int_equal(broker_catalog_check_grow(w->b.catalog, find(w, "__order"), 2, &eb), KW_INVALID_PARTITIONS);
    world_free(w);
}

static void test_a_checkpoint_between_write_and_sync_loses_no_acknowledged_change(void **state)
{
    struct world *w = world_new(6);
    struct outcome o = {0};
    (void)state;
    create(w, "t", 2, &o);
    turn(w);                                  /* its row is in the journal, not synced, not applied */
    w->b.wall_ms += CHECKPOINT_DUE_MS;
    turn(w);
    store_io_pool_drain(w->b.pool);           /* a checkpoint that was started here would be whole now */
    assert_false(o.is_done);
    sync_all(w);
    assert_true(o.is_done && o.error == KW_NONE);
    crash(w, false);
    assert_non_null(find(w, "t"));
    w->b.wall_ms += 2 * CHECKPOINT_DUE_MS;
    create(w, "u", 1, &(struct outcome){0});
    sync_all(w);
    store_io_pool_drain(w->b.pool);           /* this one is made, and has both topics */
    crash(w, false);
    assert_non_null(find(w, "t"));
    assert_non_null(find(w, "u"));
    world_free(w);
}

static void test_topic_names_are_those_of_kafka(void **state)
{
    char name[260];
    struct br_errbuf eb;
    static const char *const bad[] = {"", ".", "..", "a b", "a/b", "\xc3\xa4", "a:b", "a\n"};
    (void)state;
    memset(name, 'x', sizeof name);
    assert_int_equal(broker_topic_name_check(br_str(name, 249), &eb), KW_NONE);
    assert_int_equal(broker_topic_name_check(br_str(name, 250), &eb), KW_INVALID_TOPIC_EXCEPTION);
    for (size_t i = 0; i < BR_COUNT(bad); i++)
        assert_int_equal(broker_topic_name_check(br_str_c(bad[i]), &eb), KW_INVALID_TOPIC_EXCEPTION);
    assert_int_equal(broker_topic_name_check(br_str_c("Az09._-"), &eb), KW_NONE);
    assert_int_equal(broker_topic_name_check(br_str("a\0b", 3), &eb), KW_INVALID_TOPIC_EXCEPTION);
}

/* --- records --- */

static void random_record(struct br_rand *r, struct catalog_record *out, char *name)
{
    *out = (struct catalog_record){.kind = (enum catalog_kind)(1 + br_rand_below(r, 6)), .id = br_uuid_random(), .is_internal = br_rand_chance(r, 30)};
    br_map_init(&out->overrides);
    out->name = br_str(name, 1 + br_rand_below(r, 249));
    out->first_index = (int32_t)br_rand_below(r, 1000);
    out->run_count = (unsigned)br_rand_below(r, 65);
    for (unsigned i = 0; i < out->run_count; i++)
        out->runs[i] = (struct catalog_run){(uint32_t)br_rand_below(r, 1u << 31), 1 + (int32_t)br_rand_below(r, 10000)};
    for (uint64_t n = br_rand_below(r, 4); n > 0; n--) {
        char key[16];
        snprintf(key, sizeof key, "key.%d", (int)br_rand_below(r, 9));
        br_free(br_map_put(&out->overrides, key, strlen(key), br_strdup(br_rand_chance(r, 30) ? "" : "value")));
    }
    if (out->kind == CATALOG_VIEW)
        br_free(br_map_put(&out->overrides, "braid.order.view", 16, br_strdup("a,b*")));
    out->view_end = br_rand_below(r, UINT64_MAX);
    out->view_seen = br_rand_below(r, UINT64_MAX);
    out->next_stream = (uint32_t)br_rand_below(r, UINT32_MAX);
    out->next_producer_id = (int64_t)br_rand_below(r, INT64_MAX);
}

static void test_records_come_back_as_they_were_and_no_part_of_one_is_taken_for_one(void **state)
{
    struct br_rand r;
    char name[250];
    (void)state;
    memset(name, 'n', sizeof name);
    br_rand_init(&r, 11);
    for (int round = 0; round < 300; round++) {
        struct catalog_record in, out;
        struct br_buf bytes, again;
        random_record(&r, &in, name);
        br_buf_init(&bytes, 1 << 20);
        br_buf_init(&again, 1 << 20);
        catalog_record_write(&in, &bytes);
        assert_int_equal(catalog_record_read(br_str((char *)bytes.data, bytes.len), &out), BR_OK);
        catalog_record_write(&out, &again);
        assert_int_equal(again.len, bytes.len);
        assert_memory_equal(again.data, bytes.data, bytes.len);
        catalog_record_clear(&out);
        for (size_t len = 0; len < bytes.len; len++) {
            uint8_t *part = br_alloc(len + 1); /* of its exact size, so that a sanitizer sees a read past it */
            memcpy(part, bytes.data, len);
            assert_int_not_equal(catalog_record_read(br_str((char *)part, len), &out), BR_OK);
            br_free(part);
        }
        br_buf_add8(&bytes, 0);
        assert_int_equal(catalog_record_read(br_str((char *)bytes.data, bytes.len), &out), BR_CORRUPT);
        for (int k = 0; k < 50; k++) { /* garbled: refused or read, never more */
            size_t at = br_rand_below(&r, bytes.len - 1);
            uint8_t was = bytes.data[at];
            bytes.data[at] = (uint8_t)br_rand_below(&r, 256);
            if (catalog_record_read(br_str((char *)bytes.data, bytes.len - 1), &out) == BR_OK)
                catalog_record_clear(&out);
            bytes.data[at] = was;
        }
        br_buf_clear(&bytes);
        br_buf_clear(&again);
        catalog_record_clear(&in);
    }
}

static void test_records_of_a_later_release_are_told_from_rot(void **state)
{
    struct catalog_record out;
    (void)state;
    assert_int_equal(catalog_record_read(br_str("\2\1", 2), &out), BR_VERSION);
    assert_int_equal(catalog_record_read(br_str("\1\11", 2), &out), BR_VERSION);
    assert_int_equal(catalog_record_read(br_str("\1\0", 2), &out), BR_VERSION);
    assert_int_equal(catalog_record_read(br_str("", 0), &out), BR_CORRUPT);
}

/* --- order views --- */

static void make_view(struct world *w, const char *name, const char *members)
{
    struct br_map overrides;
    struct outcome o = {0};
    br_map_init(&overrides);
    br_map_put(&overrides, "braid.order.view", 16, br_strdup(members));
    broker_catalog_create(w->b.catalog, br_str_c(name), 1, &overrides, false, on_outcome, &o);
    broker_overrides_clear(&overrides);
    sync_all(w);
    assert_true(o.is_done && o.error == KW_NONE);
}

static void append(struct world *w, const char *topic, int32_t index)
{
    struct kw_batch_builder builder;
    struct kw_batch batch;
    struct br_buf bytes;
    uint32_t size;
    struct order_ticket ticket = {0};
    br_buf_init(&bytes, 1 << 16);
    kw_batch_builder_init(&builder, &bytes, 0, 1000, 0);
    for (int i = 0; i < 3; i++)
        kw_batch_builder_add(&builder, i, 1000, br_str(NULL, 0), br_str_c("value"), br_str(NULL, 0), 0, NULL, 0);
    assert_int_equal(kw_batch_builder_finish(&builder, KW_CODEC_NONE, 0, &size), BR_OK);
    assert_int_equal(kw_batch_view(bytes.data, bytes.len, &batch), BR_OK);
    struct order_append a = {.kind = ORDER_DATA, .data = bytes.data, .batch = &batch, .max_timestamp = 1000};
    assert_int_equal(order_append(w->b.order, broker_catalog_partition(w->b.catalog, br_str_c(topic), index)->order, &a, &ticket, w->b.wall_ms), BR_OK);
    sync_all(w);
    br_buf_clear(&bytes);
}

static uint64_t view_end(struct world *w, const char *name) { return broker_order_view_end(find(w, name)->view); }

static void checkpoint(struct world *w)
{
    w->b.wall_ms += 2 * CHECKPOINT_DUE_MS;
    sync_all(w);
    store_io_pool_drain(w->b.pool);
}

/* Members and others get records, members go; crashes and checkpoints at any moment: an end is what it was, whoever is left. */
static void test_the_end_of_a_view_is_the_same_after_every_crash(void **state)
{
    static const char *const names[] = {"m-1", "m-2", "other"};
    (void)state;
    for (uint64_t seed = 100; seed < 112; seed++) {
        struct world *w = world_new(seed);
        uint64_t end = 0, last = 0, order_end = 0;
        make_view(w, "v", "m-*");
        for (int i = 0; i < 60; i++) {
            const char *name = names[br_rand_below(&w->r, 3)];
            struct broker_topic *t = find(w, name);
            uint64_t what = br_rand_below(&w->r, 10);
            if (!t) {
                create(w, name, 2, &(struct outcome){0});
                sync_all(w);
            } else if (what < 2) {
                broker_catalog_delete(w->b.catalog, t, on_outcome, &(struct outcome){0});
                sync_all(w);
            } else {
                append(w, name, (int32_t)br_rand_below(&w->r, 2));
                order_end = view_end(w, "__order");
                assert_true(order_end > last);
                last = order_end;
                if (name[0] == 'm')
                    end = order_end;
            }
            assert_int_equal(view_end(w, "v"), end);
            if (br_rand_chance(&w->r, 15))
                checkpoint(w);
            if (br_rand_chance(&w->r, 20)) {
                crash(w, br_rand_chance(&w->r, 50));
                assert_int_equal(view_end(w, "v"), end);
                assert_int_equal(view_end(w, "__order"), order_end);
            }
        }
        world_free(w);
    }
}

static void test_a_view_begins_with_what_its_members_have(void **state)
{
    struct world *w = world_new(7);
    struct br_errbuf eb;
    struct br_map overrides;
    (void)state;
    for (int round = 0; round < 2; round++) {
        create(w, round ? "b" : "a", 2, &(struct outcome){0});
        sync_all(w);
        append(w, round ? "b" : "a", 1);
    }
    uint64_t end = view_end(w, "__order");
    checkpoint(w);
    make_view(w, "of-a", "a");
    make_view(w, "of-b", "b*");
    make_view(w, "of-none", "c");
    for (int round = 0; round < 3; round++) {
        assert_int_equal(view_end(w, "of-b"), end);
        assert_true(view_end(w, "of-a") > 0 && view_end(w, "of-a") < end);
        assert_int_equal(view_end(w, "of-none"), 0);
        if (round == 0) { /* nothing but the view's own record knows them then */
            broker_catalog_delete(w->b.catalog, find(w, "b"), on_outcome, &(struct outcome){0});
            sync_all(w);
        }
        crash(w, round == 1);
    }
    br_map_init(&overrides);
    br_map_put(&overrides, "braid.order.view", 16, br_strdup("a,of-a"));
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("w"), 1, &overrides, &eb), KW_INVALID_CONFIG);
    assert_non_null(strstr(eb.text, "of-a"));
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("w"), 2, &overrides, &eb), KW_INVALID_PARTITIONS);
    br_free(br_map_put(&overrides, "braid.order.view", 16, br_strdup("w")));
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("w"), 1, &overrides, &eb), KW_INVALID_CONFIG);
    br_free(br_map_put(&overrides, "braid.order.view", 16, br_strdup("a*")));
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("__consumer_offsets"), 1, &overrides, &eb), KW_INVALID_CONFIG);
    assert_int_equal(broker_catalog_check_create(w->b.catalog, br_str_c("w"), 1, &overrides, &eb), KW_NONE);
    broker_overrides_clear(&overrides);
    assert_int_equal(broker_catalog_partition_total(w->b.catalog), 2);
    world_free(w);
}

/* --- random lives --- */

struct step {
    struct world *w;
    struct model *m;
    enum catalog_kind kind;
    int32_t partitions;
    int retention;
};

static void step_done(void *ctx, enum kw_error error)
{
    struct step *s = ctx;
    s->m->waiting--;
    s->w->waiting--;
    if (error == KW_NONE) {
        s->m->exists = s->kind != CATALOG_DELETE;
        if (s->kind == CATALOG_TOPIC)
            s->m->retention = 0;
        if (s->kind == CATALOG_TOPIC || s->kind == CATALOG_GROW)
            s->m->partitions = s->partitions;
        if (s->kind == CATALOG_ALTER)
            s->m->retention = s->retention;
    }
    br_free(s);
}

static void producer_given(void *ctx, enum kw_error error, int64_t id)
{
    struct world *w = ctx;
    if (error != KW_NONE)
        return;
    assert_true(id > w->last_producer_id); /* D1: none is given twice, over all lives */
    w->last_producer_id = id;
}

static void change_one(struct world *w)
{
    char name[8], value[16];
    struct br_map overrides;
    struct br_errbuf eb;
    unsigned i = (unsigned)br_rand_below(&w->r, NAMES);
    struct broker_catalog *c = w->b.catalog;
    struct step s = {.w = w, .m = &w->models[i], .kind = CATALOG_TOPIC};
    snprintf(name, sizeof name, "t-%u", i);
    struct broker_topic *t = find(w, name);
    if (t)
        s.kind = (enum catalog_kind)(CATALOG_DELETE + br_rand_below(&w->r, 3));
    s.partitions = (t ? broker_topic_partitions_next(t) : 0) + 1 + (int32_t)br_rand_below(&w->r, 3);
    s.retention = 1 + (int)br_rand_below(&w->r, 1000);
    if (!t && broker_catalog_check_create(c, br_str_c(name), s.partitions, NULL, &eb) != KW_NONE)
        return;
    struct step *step = br_alloc(sizeof *step);
    *step = s;
    s.m->waiting++;
    w->waiting++;
    snprintf(value, sizeof value, "%d", s.retention);
    br_map_init(&overrides);
    if (s.kind == CATALOG_ALTER)
        br_map_put(&overrides, "retention.ms", 12, br_strdup(value));
    switch (s.kind) {
    case CATALOG_TOPIC: broker_catalog_create(c, br_str_c(name), s.partitions, &overrides, false, step_done, step); break;
    case CATALOG_DELETE: broker_catalog_delete(c, t, step_done, step); break;
    case CATALOG_GROW: broker_catalog_grow(c, t, s.partitions, step_done, step); break;
    case CATALOG_ALTER: broker_catalog_alter(c, t, &overrides, step_done, step); break;
    case CATALOG_COUNTERS:
    case CATALOG_VIEW: break;
    }
    broker_overrides_clear(&overrides);
}

static void run_some(struct world *w)
{
    for (unsigned n = 1 + (unsigned)br_rand_below(&w->r, 60); n > 0; n--) {
        switch (br_rand_below(&w->r, 8)) {
        case 0: turn(w); break;
        case 1:
            store_io_pool_run(w->b.sync_pool, 1);
            store_io_pool_reap(w->b.sync_pool);
            break;
        case 2:
            w->b.wall_ms += CHECKPOINT_DUE_MS;
            turn(w);
            if (br_rand_chance(&w->r, 50))
                store_io_pool_run(w->b.pool, 4);
            break;
        case 3:
            store_io_pool_run(w->b.pool, 1 + (unsigned)br_rand_below(&w->r, 3));
            store_io_pool_reap(w->b.pool);
            break;
        case 4: broker_catalog_producer_id(w->b.catalog, producer_given, w); break;
        default: change_one(w); break;
        }
    }
}

/* The snapshot without its first record: the counters may be ahead of what was ever written. */
static void save(struct world *w, struct br_buf *out)
{
    br_buf_init(out, 1 << 24);
    broker_catalog_save(w->b.catalog, out);
    size_t skip = 4 + br_load32(out->data);
    out->len -= skip;
    memmove(out->data, out->data + skip, out->len);
}

static void check_models(struct world *w)
{
    for (unsigned i = 0; i < NAMES; i++) {
        struct model *m = &w->models[i];
        char name[8], value[16];
        snprintf(name, sizeof name, "t-%u", i);
        struct broker_topic *t = find(w, name);
        if (m->waiting == 0) {
            assert_true((t != NULL) == m->exists);
            if (!t)
                continue;
            snprintf(value, sizeof value, "%d", m->retention);
            const char *now = br_map_get(&t->overrides, "retention.ms", 12);
            assert_int_equal(t->partition_count, m->partitions);
            assert_string_equal(now ? now : "0", value);
        }
        m->exists = t != NULL; /* either was right */
        m->partitions = t ? t->partition_count : 0;
        const char *now = t ? br_map_get(&t->overrides, "retention.ms", 12) : NULL;
        m->retention = now ? (int)strtol(now, NULL, 10) : 0;
        m->waiting = 0;
        for (int32_t p = 0; t && p < t->partition_count; p++) {
            assert_int_equal(t->partitions[p]->index, p);
            assert_ptr_equal(t->partitions[p]->order->owner, t->partitions[p]);
        }
    }
}

static void run_seed(uint64_t seed)
{
    struct world *w = world_new(seed);
    for (int life = 0; life < 8; life++) {
        struct br_buf before, after;
        run_some(w);
        bool is_quiet = br_rand_chance(&w->r, 50);
        for (int i = 0; is_quiet && w->waiting > 0; i++) {
            assert_true(i < 100);
            sync_all(w);
        }
        struct model models[NAMES];
        memcpy(models, w->models, sizeof models); /* closing tells every waiter that it failed: what they waited for may be there all the same */
        save(w, &before);
        crash(w, br_rand_chance(&w->r, 50));
        memcpy(w->models, models, sizeof models);
        check_models(w);
        save(w, &after);
        if (is_quiet) {
            assert_int_equal(before.len, after.len);
            assert_memory_equal(before.data, after.data, after.len);
        }
        br_buf_clear(&before);
        br_buf_clear(&after);
    }
    world_free(w);
}

static void test_snapshot_and_replay_are_the_live_state_after_any_crash(void **state)
{
    const char *one = getenv("BRAID_SEED");
    (void)state;
    for (uint64_t seed = one ? strtoull(one, NULL, 10) : 1; seed <= (one ? strtoull(one, NULL, 10) : 150); seed++) {
        if (getenv("BRAID_VERBOSE"))
            fprintf(stderr, "seed %" PRIu64 "\n", seed);
        run_seed(seed);
    }
}

static void test_a_topic_grown_a_hundred_times_is_saved_and_loaded_whole(void **state)
{
    struct world *w = world_new(7);
    struct br_buf before, after;
    (void)state;
    create(w, "t", 1, &(struct outcome){0});
    create(w, "u", 1, &(struct outcome){0});
    sync_all(w);
    for (int32_t n = 2; n <= 101; n++) { /* in turns: no two partitions of a topic have neighbouring stream ids */
        struct outcome a = {0}, b = {0};
        broker_catalog_grow(w->b.catalog, find(w, "t"), n, on_outcome, &a);
        broker_catalog_grow(w->b.catalog, find(w, "u"), n, on_outcome, &b);
        sync_all(w);
        assert_true(a.is_done && b.is_done && a.error == KW_NONE && b.error == KW_NONE);
    }
    save(w, &before);
    close_broker(w, true); /* a clean stop: all is in the snapshot */
    open_broker(w);
    save(w, &after);
    assert_int_equal(find(w, "t")->partition_count, 101);
    assert_int_equal(before.len, after.len);
    assert_memory_equal(before.data, after.data, after.len);
    br_buf_clear(&before);
    br_buf_clear(&after);
    world_free(w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_a_topic_is_there_when_its_creation_is_durable_and_not_before),
    cmocka_unit_test(test_two_creations_at_a_time_make_a_topic_once_and_folded_names_collide),
    cmocka_unit_test(test_overlapping_growths_and_settings_of_a_topic_all_take_effect),
    cmocka_unit_test(test_a_change_behind_a_deletion_finds_no_topic),
    cmocka_unit_test(test_partitions_are_limited_in_all_with_those_on_their_way),
    cmocka_unit_test(test_a_checkpoint_between_write_and_sync_loses_no_acknowledged_change),
    cmocka_unit_test(test_topic_names_are_those_of_kafka),
    cmocka_unit_test(test_records_come_back_as_they_were_and_no_part_of_one_is_taken_for_one),
    cmocka_unit_test(test_records_of_a_later_release_are_told_from_rot),
    cmocka_unit_test(test_snapshot_and_replay_are_the_live_state_after_any_crash),
    cmocka_unit_test(test_a_topic_grown_a_hundred_times_is_saved_and_loaded_whole),
    cmocka_unit_test(test_the_end_of_a_view_is_the_same_after_every_crash),
    cmocka_unit_test(test_a_view_begins_with_what_its_members_have),
};
HARNESS_MAIN("catalog", tests)
