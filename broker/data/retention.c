#include "broker/data/retention.h"
#include "broker/data/warm.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"

#define SLICE_PARTITIONS 64  /* looked at in one turn */
#define SLICE_ROWS 4096      /* of the order log */
#define SLICE_PRODUCERS 256
#define PAUSE_MS 5           /* between slices */

struct broker_retention {
    struct broker *broker;
    struct broker_wait timer;
    uint32_t last_stream;    /* looked at in this round; UINT32_MAX: none yet */
    bool is_trimming_order;
    struct broker_warm *warm; /* the round goes on when it is done */
};

static void is_warmed(void *ctx)
{
    struct broker_retention *r = ctx;
    r->warm = NULL;
    broker_wait_start(&r->broker->waits, &r->timer, r->broker->now_ms);
}

/* What is cold is looked at again: r->warm is set. */
static void trim_log(struct broker_retention *r, struct order_stream *stream)
{
    struct broker *b = r->broker;
    struct store_log *log = stream->store->log;
    struct store_range cold = {0};
    int64_t was = store_log_state(log)->start, start = store_log_retention_start(log, b->wall_ms, stream->done_end, &cold);
    if (cold.hold)
        r->warm = broker_warm_start(b, &cold, is_warmed, r);
    if (start <= was)
        return;
    br_log(BR_LOG_INFO, "retention", "log=%s start=%" PRId64 " was=%" PRId64, store_log_name(log), start, was);
    enum br_err err = order_local_trim(b->order, stream, start, NULL, NULL);
    if (err != BR_OK)
        br_log(BR_LOG_WARN, "retention", "log=%s cannot be trimmed: %s", store_log_name(log), br_err_text(err));
}

static void trim_partition(struct broker_retention *r, struct broker_partition *p)
{
    struct broker *b = r->broker;
    store_producers_expire(&p->store->producers, b->wall_ms, broker_config_int(b->config, "producer.id.expiration.ms"), SLICE_PRODUCERS);
    if (p->topic->settings.can_delete && !p->topic->is_internal)
        trim_log(r, p->order);
}

/* A row whose stream is gone, or whose records all lie below the stream's start. */
static bool is_row_dead(void *ctx, const struct store_order_row *row)
{
    struct broker_retention *r = ctx;
    struct store_stream *stream = store_stream_find(order_local_store(r->broker->order), row->stream);
    return !stream || row->base_offset + row->count <= store_log_state(stream->log)->start;
}

static void look_at_streams(struct broker_retention *r)
{
    struct store *store = order_local_store(r->broker->order);
    for (int i = 0; i < SLICE_PARTITIONS; i++) {
        struct store_stream *stream = store_stream_next(store, r->last_stream);
        if (!stream) {
            r->is_trimming_order = true;
            return;
        }
        struct order_stream *order = stream->owner;
        if (order && order->owner)
            trim_partition(r, order->owner);
        else if (order) /* control entries and the catalog: done ones are in a snapshot, or in the journal until they are */
            trim_log(r, order);
        if (r->warm)
            return;
        r->last_stream = stream->id;
    }
}

/* True at the end of the round. */
static bool look_at_order(struct broker_retention *r)
{
    struct store_range cold = {0};
    struct store *store = order_local_store(r->broker->order);
    unsigned looked = store_order_log_trim(store_order_log(store), is_row_dead, r, SLICE_ROWS, &cold);
    if (cold.hold)
        r->warm = broker_warm_start(r->broker, &cold, is_warmed, r);
    if (r->warm || looked > 0)
        return false;
    r->is_trimming_order = false;
    r->last_stream = UINT32_MAX;
    store_collect(store);
    return true;
}

static void round_step(struct broker_wait *wait)
{
    struct broker_retention *r = BR_CONTAINER_OF(wait, struct broker_retention, timer);
    struct broker *b = r->broker;
    bool is_end = false;
    if (r->is_trimming_order)
        is_end = look_at_order(r);
    else
        look_at_streams(r);
    if (!r->warm)
        broker_wait_start(&b->waits, wait, b->now_ms + (is_end ? broker_config_int(b->config, "log.retention.check.interval.ms") : PAUSE_MS));
}

struct broker_retention *broker_retention_new(struct broker *b)
{
    struct broker_retention *r = br_alloc(sizeof *r);
    r->broker = b;
    r->last_stream = UINT32_MAX;
    r->timer.expire = round_step;
    broker_wait_start(&b->waits, &r->timer, b->now_ms + broker_config_int(b->config, "log.retention.check.interval.ms"));
    return r;
}

void broker_retention_free(struct broker_retention *r)
{
    if (!r)
        return;
    broker_wait_stop(&r->broker->waits, &r->timer);
    broker_warm_cancel(r->warm);
    br_free(r);
}
