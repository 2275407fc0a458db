/* DescribeLogDirs, versions 1-5. 2 flexible, 3 top-level error, 4 sizes of the volume, 5 cordoned. One data directory. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/35_describe_log_dirs.h"

static void add_partition(const struct broker_topic *t, int32_t index, struct kw_describe_log_dirs_response_topic *out)
{
    out->partitions[out->partitions_count++] = (struct kw_describe_log_dirs_response_partition){
        .partition_index = index, .partition_size = (int64_t)store_log_bytes(t->partitions[index]->store->log)};
}

/* The partitions asked for (want NULL: all) that there are. False: over the memory budget. */
static bool add_topic(struct broker_request *req, const struct broker_topic *t, const struct kw_describe_log_dirs_request_topic *want,
                      struct kw_describe_log_dirs_response_result *result)
{
    struct kw_describe_log_dirs_response_topic *out = &result->topics[result->topics_count];
    int32_t count = want ? BR_MAX(want->partitions_count, 0) : t->partition_count;
    out->name = br_str_c(t->name);
    out->partitions = br_arena_array(&req->arena, (size_t)count, sizeof *out->partitions);
    out->partitions_count = 0;
    for (int32_t i = 0; out->partitions && i < count; i++) {
        int32_t index = want ? want->partitions[i] : i;
        if (index >= 0 && index < t->partition_count)
            add_partition(t, index, out);
    }
    result->topics_count += out->partitions_count > 0;
    return out->partitions != NULL;
}

void broker_handle_describe_log_dirs(struct broker_request *req)
{
    const struct kw_describe_log_dirs_request *body = req->body;
    struct broker *b = req->broker;
    const struct store_opts *opts = store_opts(b->store);
    struct kw_describe_log_dirs_response response;
    struct kw_describe_log_dirs_response_result result = {.log_dir = br_str_c(opts->dir), .total_bytes = -1, .usable_bytes = -1};
    uint64_t usable, total;
    kw_default(&kw_describe_log_dirs_response, &response);
    response.results = &result;
    response.results_count = 1;
    if (opts->vfs->ops->space(opts->vfs, opts->dir, &usable, &total) == BR_OK) {
        result.usable_bytes = (int64_t)usable;
        result.total_bytes = (int64_t)total;
    }
    if (store_failed(b->store) != BR_OK)
        result.error_code = KW_KAFKA_STORAGE_ERROR;
    bool all = body->topics_count < 0;
    size_t count = all ? br_map_count(broker_catalog_names(b->catalog)) : (size_t)body->topics_count, at = 0;
    result.topics = br_arena_array(&req->arena, count, sizeof *result.topics);
    bool fits = result.topics != NULL;
    if (all) {
        for (struct broker_topic *t; fits && (t = broker_catalog_next(b->catalog, &at));)
            fits = t->view || add_topic(req, t, NULL, &result);
    } else {
        for (size_t i = 0; fits && i < count; i++) {
            struct broker_topic *t = broker_catalog_find(b->catalog, body->topics[i].topic);
            fits = !t || t->view || add_topic(req, t, &body->topics[i], &result);
        }
    }
    if (fits)
        broker_reply(req, &response);
    else
        broker_request_close(req, "describe log dirs is over its memory budget");
}
