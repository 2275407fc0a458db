#include "broker/broker.h"
#include "broker/data/fetch_session.h"
#include "broker/data/retention.h"
#include "broker/group/coordinator.h"
#include "broker/server.h"
#include "broker/topic/metadata_cache.h"
#include "broker/view/order_view.h"
#include "compat/base/clock.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/net/addr.h"
#include "compat/net/loop.h"
#include <sys/resource.h>

#define DRAIN_MS 1500      /* answers may still leave for so long after a stop was asked */
#define CONTROL_SEGMENT_BYTES (4u << 20) /* of the logs of control entries and of the catalog: what counts of them is in the journal and the snapshot */
#define CONTROL_LOG_BYTES (16 << 20)
#define TURN_REPEATS 8     /* held requests served in one turn before other connections are read again */

/* --- callbacks of the order layer --- */

static void on_done(void *ctx, struct order_stream *stream)
{
    struct broker_partition *partition = stream->owner;
    if (partition)
        broker_watch_wake(&partition->watchers);
    broker_watch_wake(&((struct broker *)ctx)->done_watchers);
}

static void on_stable(void *ctx, struct order_position end)
{
    struct broker *b = ctx;
    (void)end;
    broker_views_stable(broker_catalog_views(b->catalog));
    broker_watch_wake(&b->stable_watchers);
}

/* Answers leave before the order round's writes; the rest of the turn sends what comes later. */
static void on_told(void *ctx)
{
    struct broker *b = ctx;
    if (b->server)
        broker_server_send(b->server);
}

static void on_failed(void *ctx, enum br_err err)
{
    struct broker *b = ctx;
    size_t at = 0;
    br_log(BR_LOG_ERROR, "storage", "writes are refused from now on: %s. Reads go on. Restart once the disk is in order", br_err_text(err));
    if (!b->catalog)
        return;
    for (struct broker_topic *t; (t = broker_catalog_next(b->catalog, &at));)
        for (int32_t i = 0; !t->view && i < t->partition_count; i++)
            broker_watch_wake(&t->partitions[i]->watchers);
    broker_views_wake_all(broker_catalog_views(b->catalog));
    broker_watch_wake(&b->stable_watchers);
}

static void on_begin(void *ctx, struct store *store, const struct store_identity *identity)
{
    struct broker *b = ctx;
    b->store = store;
    b->identity = *identity;
}

static enum br_err catalog_snapshot(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    return broker_catalog_load(((struct broker *)ctx)->catalog, data, len, eb);
}

static enum br_err catalog_entry(void *ctx, const struct store_row *row, struct br_errbuf *eb)
{
    return broker_catalog_replay(((struct broker *)ctx)->catalog, row, eb);
}

static void catalog_save(void *ctx, struct br_buf *out)
{
    broker_catalog_save(((struct broker *)ctx)->catalog, out);
}

/* --- opening --- */

static void raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* braid.files.max, but half of the limit at most: connections and directories must find descriptors too. */
static unsigned files_max(const struct broker_config *config)
{
    struct rlimit limit;
    unsigned most = (unsigned)broker_config_int(config, "braid.files.max");
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur / 2 >= most)
        return most;
    most = (unsigned)BR_MAX(limit.rlim_cur / 2, (rlim_t)16);
    br_log(BR_LOG_INFO, "broker", "files of partitions open at once=%u: the limit of open files is %llu", most, (unsigned long long)limit.rlim_cur);
    return most;
}

static const char *data_dir(const struct broker_config *config)
{
    const char *dir = broker_config_get(config, "log.dirs", NULL);
    if (!dir)
        dir = broker_config_get(config, "log.dir", NULL);
    return dir ? dir : "./braid-data";
}

static int32_t wanted_node_id(const struct broker_config *config)
{
    int64_t id = broker_config_int(config, "node.id");
    return (int32_t)(id >= 0 ? id : broker_config_int(config, "broker.id"));
}

static enum br_err open_order(struct broker *b, struct br_errbuf *eb)
{
    struct broker_topic_settings defaults;
    struct br_map none;
    const char *cluster = broker_config_get(b->config, "cluster.id", NULL);
    struct br_uuid cluster_id = {{0}};
    if (cluster && cluster[0] && br_uuid_parse(br_str_c(cluster), &cluster_id) != BR_OK)
        return br_errbuf_set(eb, BR_INVALID, "cluster.id=%s: must be 22 characters of URL-safe base64", cluster);
    br_map_init(&none);
    broker_topic_settings_make(b->config, &none, false, &defaults);
    struct order_local_opts opts = {
        .store = {
            .vfs = store_vfs_posix(), .dir = data_dir(b->config), .node_id = wanted_node_id(b->config), .cluster_id = cluster_id,
            .internal_config = defaults.log,
            .journal_file_bytes = (uint32_t)broker_config_int(b->config, "braid.journal.file.bytes"),
            .files_max = files_max(b->config),
            .pool = b->pool, .sync_pool = b->sync_pool,
            .begin = on_begin, .snapshot = catalog_snapshot, .catalog = catalog_entry, .save_catalog = catalog_save, .ctx = b,
        },
        .ring_entries = (uint32_t)broker_config_int(b->config, "braid.ring.entries"),
        .default_class = defaults.durability,
        .ctx = b, .on_done = on_done, .on_told = on_told, .on_stable = on_stable, .on_failed = on_failed,
    };
    opts.store.internal_config.retention_ms = -1;
    opts.store.internal_config.retention_bytes = CONTROL_LOG_BYTES;
    opts.store.internal_config.segment_bytes = CONTROL_SEGMENT_BYTES;
    return order_local_open(&opts, &b->order, &b->identity, eb);
}

static void on_wake(void *ctx)
{
    struct broker *b = ctx;
    store_io_pool_reap(b->sync_pool);
    store_io_pool_reap(b->pool);
}

static void say_started(struct broker *b, int64_t started_ns)
{
    unsigned count;
    const struct broker_listener *l = broker_config_listeners(b->config, &count);
    char cluster[BR_UUID_TEXT];
    br_uuid_text(b->identity.cluster_id, cluster);
    for (unsigned i = 0; i < count; i++) {
        char bound[320], advertised[320];
        br_net_host_port_text(l[i].host, l[i].port, bound, sizeof bound);
        br_net_host_port_text(l[i].advertised_host, l[i].advertised_port, advertised, sizeof advertised);
        br_log(BR_LOG_INFO, "broker", "listening name=%s bound=%s advertised=%s", l[i].name, bound, advertised);
    }
    br_log(BR_LOG_INFO, "broker", "started version=%s node=%d cluster=%s data=%s durability=%s start_ms=%" PRId64 "%s", PACKAGE_VERSION, broker_node_id(b), cluster,
           data_dir(b->config), broker_config_get(b->config, "braid.durability", NULL), (br_clock_mono_ns() - started_ns) / 1000000,
           b->identity.is_new ? " new_directory=true" : b->identity.was_clean ? "" : " recovered=true");
}

static void read_time(struct broker *b)
{
    b->now_ms = br_clock_mono_ms();
    b->wall_ms = br_clock_wall_ms();
}

enum br_err broker_open(struct broker_config *config, struct broker **out, struct br_errbuf *eb)
{
    int64_t started_ns = br_clock_mono_ns();
    struct broker *b = br_alloc(sizeof *b);
    raise_file_limit();
    b->config = config;
    b->loop = br_net_loop_new();
    read_time(b);
    broker_waits_init(&b->waits);
    broker_watch_list_init(&b->stable_watchers);
    broker_watch_list_init(&b->done_watchers);
    b->pool = store_io_pool_new(2, br_net_loop_wake, b->loop);
    b->sync_pool = store_io_pool_new(1, br_net_loop_wake, b->loop);
    br_net_loop_on_wake(b->loop, on_wake, b);
    b->zip = kw_zip_new();
    b->catalog = broker_catalog_new(b);
    b->metadata = broker_metadata_cache_new();
    enum br_err err = open_order(b, eb);
    if (err == BR_OK) {
        broker_catalog_start(b->catalog);
        b->sessions = broker_sessions_new((unsigned)broker_config_int(config, "max.incremental.fetch.session.cache.slots"));
        b->groups = broker_coordinator_new(b);
        err = broker_coordinator_load(b->groups, eb);
    }
    if (err == BR_OK) {
        b->retention = broker_retention_new(b);
        b->server = broker_server_new(b);
        err = broker_server_listen(b->server, eb);
    }
    if (err != BR_OK) {
        b->config = NULL; /* still the caller's */
        broker_close(b);
        return err;
    }
    say_started(b, started_ns);
    *out = b;
    return BR_OK;
}

/* --- running --- */

static int64_t next_deadline(void *ctx)
{
    struct broker *b = ctx;
    struct br_heap_node *first = br_heap_peek(&b->waits.heap);
    return first ? first->key : INT64_MAX;
}

static void turn_begin(void *ctx)
{
    struct broker *b = ctx;
    b->now_ms = br_net_loop_now_ms(b->loop);
    b->wall_ms = br_net_loop_wall_ms(b->loop);
}

/* One turn's tail: order what was appended, send the answers, let held requests go on. */
static void turn_end(void *ctx)
{
    struct broker *b = ctx;
    broker_waits_run(&b->waits, b->now_ms);
    for (int i = 0; i < TURN_REPEATS; i++) {
        order_local_turn(b->order, b->wall_ms);
        broker_server_flush(b->server);
        if (br_list_is_empty(&b->server->dirty))
            break;
    }
    if (!br_list_is_empty(&b->server->dirty) || order_local_has_work(b->order))
        br_net_loop_wake(b->loop);
    broker_server_turn_end(b->server);
}

struct stopper {
    struct broker_wait wait;
    struct broker *broker;
    int64_t until_ms;
};

static void check_drained(struct broker_wait *wait)
{
    struct stopper *s = BR_CONTAINER_OF(wait, struct stopper, wait);
    struct broker *b = s->broker;
    if (broker_server_open_requests(b->server) == 0 || b->now_ms >= s->until_ms)
        br_net_loop_stop(b->loop);
    else
        broker_wait_start(&b->waits, wait, b->now_ms + 10);
}

void broker_run(struct broker *b)
{
    struct br_net_turn turn = {.begin = turn_begin, .end = turn_end, .deadline = next_deadline, .ctx = b};
    struct stopper stopper = {.wait.expire = check_drained, .broker = b};
    br_net_loop_run(b->loop, &turn); /* until broker_stop */
    read_time(b);
    b->is_stopping = true;
    br_log(BR_LOG_INFO, "broker", "stopping");
    broker_server_drain(b->server);
    stopper.until_ms = b->now_ms + DRAIN_MS;
    broker_wait_start(&b->waits, &stopper.wait, b->now_ms);
    br_net_loop_run(b->loop, &turn);
    broker_wait_stop(&b->waits, &stopper.wait); /* a second signal ends the wait early, and ours lies on this stack */
}

void broker_stop(struct broker *b)
{
    br_net_loop_stop(b->loop);
}

void broker_close(struct broker *b)
{
    b->is_stopping = true;
    broker_server_free(b->server);
    b->server = NULL; /* what the driver still tells has nobody to go to */
    if (b->order)
        order_local_close(b->order, true); /* ends what is under way: retention's trims and the groups' records are told, so they are there still */
    broker_retention_free(b->retention);
    broker_coordinator_free(b->groups);
    if (b->sessions)
        broker_sessions_free(b->sessions);
    broker_metadata_cache_free(b->metadata);
    broker_catalog_free(b->catalog);
    kw_zip_free(b->zip);
    store_io_pool_free(b->sync_pool);
    store_io_pool_free(b->pool);
    broker_waits_clear(&b->waits);
    br_net_loop_free(b->loop);
    broker_config_free(b->config);
    br_free(b);
}
