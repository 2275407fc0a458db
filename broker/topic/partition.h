/* One partition on its owner loop: its log, its order handle, who waits for its data. */
#pragma once

#include "broker/wait.h"
#include "order/driver/local.h"

struct broker;
struct broker_topic;

struct broker_partition {
    struct broker_topic *topic;
    int32_t index;
    struct store_stream *store;   /* log and producers */
    struct order_stream *order;   /* done_end (high watermark), leader epoch, class */
    bool is_deleted;              /* its topic is gone: whoever is woken now must let go of it */
    struct broker_watch_list watchers; /* fetches waiting for data */
};

static inline int64_t broker_partition_start(const struct broker_partition *p) { return store_log_state(p->store->log)->start; }
static inline int64_t broker_partition_high_watermark(const struct broker_partition *p) { return p->order->done_end; }
/* Last stable offset: the high watermark until transactions exist. */
static inline int64_t broker_partition_last_stable(const struct broker_partition *p) { return p->order->done_end; }
