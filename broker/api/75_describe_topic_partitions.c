/* DescribeTopicPartitions, version 0 (KIP-966): topics by name, a page at a time. */
#include "broker/broker.h"
#include "broker/data/target.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/topic/rights.h"
#include "compat/gen/75_describe_topic_partitions.h"

struct page {
    struct broker_request *req;
    struct kw_describe_topic_partitions_response response;
    struct kw_describe_topic_partitions_response_cursor cursor;
    int32_t left, node;
};

static int by_name(const void *a, const void *b)
{
    const struct broker_topic *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* False: over the memory budget. */
static bool add_topic(struct page *p, const struct broker_topic *t, int32_t from)
{
    struct kw_describe_topic_partitions_response_topic *out = &p->response.topics[p->response.topics_count++];
    int32_t count = BR_MAX(BR_MIN(t->partition_count - from, p->left), 0);
    *out = (struct kw_describe_topic_partitions_response_topic){.name = br_str_c(t->name), .topic_id = t->id, .is_internal = t->is_internal,
                                                                .topic_authorized_operations = BROKER_RIGHTS_TOPIC, .partitions_count = count};
    out->partitions = br_arena_array(&p->req->arena, (size_t)count, sizeof *out->partitions);
    for (int32_t i = 0; out->partitions && i < count; i++) {
        struct broker_target target = {.partition = t->view ? NULL : t->partitions[from + i]};
        out->partitions[i] = (struct kw_describe_topic_partitions_response_partition){
            .partition_index = from + i, .leader_id = p->node, .leader_epoch = broker_target_epoch(&target), .replica_nodes = &p->node, .replica_nodes_count = 1,
            .isr_nodes = &p->node, .isr_nodes_count = 1};
    }
    p->left -= count;
    if (from + count < t->partition_count) {
        p->cursor = (struct kw_describe_topic_partitions_response_cursor){.topic_name = out->name, .partition_index = from + count};
        p->response.next_cursor = &p->cursor;
    }
    return out->partitions != NULL;
}

static void add_missing(struct page *p, struct br_str name)
{
    struct br_errbuf eb;
    enum kw_error error = broker_topic_name_check(name, &eb);
    p->response.topics[p->response.topics_count++] = (struct kw_describe_topic_partitions_response_topic){
        .error_code = (int16_t)(error != KW_NONE ? error : KW_UNKNOWN_TOPIC_OR_PARTITION), .name = name, .topic_authorized_operations = BROKER_RIGHTS_NOT_ASKED};
}

/* Topics asked for (none named: all), sorted by name; those that are missing are answered at once. */
static const struct broker_topic **collect(struct page *p, size_t *count)
{
    const struct kw_describe_topic_partitions_request *body = p->req->body;
    struct broker_catalog *c = p->req->broker->catalog;
    bool all = body->topics_count <= 0;
    size_t most = all ? br_map_count(broker_catalog_names(c)) : (size_t)body->topics_count, at = 0;
    const struct broker_topic **topics = br_arena_array(&p->req->arena, most, sizeof *topics);
    p->response.topics = br_arena_array(&p->req->arena, most, sizeof *p->response.topics);
    *count = 0;
    if (!topics || !p->response.topics)
        return NULL;
    if (all)
        for (struct broker_topic *t; (t = broker_catalog_next(c, &at));)
            topics[(*count)++] = t;
    for (int32_t i = 0; !all && i < body->topics_count; i++) {
        struct broker_topic *t = broker_catalog_find(c, body->topics[i].name);
        if (t)
            topics[(*count)++] = t;
        else if (!body->cursor) /* said once, on the first page */
            add_missing(p, body->topics[i].name);
    }
    qsort(topics, *count, sizeof *topics, by_name);
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) /* a name given twice is answered once */
        if (kept == 0 || topics[kept - 1] != topics[i])
            topics[kept++] = topics[i];
    *count = kept;
    return topics;
}

void broker_handle_describe_topic_partitions(struct broker_request *req)
{
    const struct kw_describe_topic_partitions_request *body = req->body;
    struct page p = {.req = req, .node = broker_node_id(req->broker)};
    int32_t cap = (int32_t)broker_config_int(req->broker->config, "max.request.partition.size.limit");
    size_t count;
    kw_default(&kw_describe_topic_partitions_response, &p.response);
    p.left = BR_MAX(BR_MIN(body->response_partition_limit, cap), 1);
    const struct broker_topic **topics = collect(&p, &count);
    bool fits = topics != NULL;
    for (size_t i = 0; fits && i < count && !p.response.next_cursor; i++) {
        int32_t from = 0;
        if (body->cursor) {
            struct br_str at = body->cursor->topic_name;
            int order = strncmp(topics[i]->name, at.data ? at.data : "", at.len);
            if (order < 0 || (order == 0 && strlen(topics[i]->name) < at.len))
                continue;
            if (br_str_eq_c(at, topics[i]->name))
                from = BR_MAX(BR_MIN(body->cursor->partition_index, topics[i]->partition_count), 0);
        }
        if (p.left == 0) { /* the page ended with the topic before */
            p.cursor = (struct kw_describe_topic_partitions_response_cursor){.topic_name = br_str_c(topics[i]->name), .partition_index = from};
            p.response.next_cursor = &p.cursor;
            break;
        }
        fits = add_topic(&p, topics[i], from);
    }
    if (fits)
        broker_reply(req, &p.response);
    else
        broker_request_close(req, "describe topic partitions is over its memory budget");
}
