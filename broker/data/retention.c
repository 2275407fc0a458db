#include "broker/data/retention.h"
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
};

static void trim_log(struct broker *b, struct order_stream *stream)
{
    struct store_log *log = stream->store->log;
    int64_t was = store_log_state(log)->start, start = store_log_retention_start(log, b->wall_ms, stream->done_end);
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
        trim_log(b, p->order);
}

/* A row whose stream is gone, or whose records all lie below the stream's start. */
static bool is_row_dead(void *ctx, const struct store_order_row *row)
{
    struct broker_retention *r = ctx;
    struct store_stream *stream = store_stream_find(order_local_store(r->broker->order), row->stream);
    return !stream || row->base_offset + row->count <= store_log_state(stream->log)->start;
}

static void round_step(struct broker_wait *wait)
{
    struct broker_retention *r = BR_CONTAINER_OF(wait, struct broker_retention, timer);
    struct broker *b = r->broker;
    struct store *store = order_local_store(b->order);
    int64_t again = PAUSE_MS;
    if (r->is_trimming_order) {
        if (store_order_log_trim(store_order_log(store), is_row_dead, r, SLICE_ROWS, NULL) == 0) {
            r->is_trimming_order = false;
            r->last_stream = UINT32_MAX;
            store_collect(store);
            again = broker_config_int(b->config, "log.retention.check.interval.ms");
        }
    } else {
        struct store_stream *stream = NULL;
        for (int i = 0; i < SLICE_PARTITIONS && (stream = store_stream_next(store, r->last_stream)); i++) {
            struct order_stream *order = stream->owner;
            r->last_stream = stream->id;
            if (order && order->owner)
                trim_partition(r, order->owner);
            else if (order) /* control entries and the catalog: done ones are in a snapshot, or in the journal until they are */
                trim_log(b, order);
        }
        r->is_trimming_order = stream == NULL;
    }
    broker_wait_start(&b->waits, wait, b->now_ms + again);
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
    br_free(r);
}
