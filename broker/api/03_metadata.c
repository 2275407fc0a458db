/* Metadata, versions 0-13. 1 null means all, 2 cluster id, 4 auto-creation flag, 5 offline replicas, 7 leader epochs, 8 authorized operations, 9 flexible,
 * 10 topic ids, 12 by id, 13 top-level error.
 *
 * Topics that are named, missing and may be made are made first; the answer waits until they are there, so that the next Produce finds a leader. */
#include "broker/broker.h"
#include "broker/data/target.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/server.h"
#include "compat/base/mem.h"
#include "compat/gen/03_metadata.h"

/* Creations under way for one request; outlives it when it is cancelled. */
struct creation {
    struct broker_request *req;
    unsigned waiting;
};

static void fill_partition(struct broker_request *req, const struct broker_topic *t, int32_t i, int32_t *node, struct kw_metadata_response_partition *out)
{
    struct broker_target target = {.partition = t->is_view ? NULL : t->partitions[i]};
    *out = (struct kw_metadata_response_partition){
        .partition_index = i, .leader_id = broker_node_id(req->broker), .leader_epoch = broker_target_epoch(&target),
        .replica_nodes = node, .replica_nodes_count = 1, .isr_nodes = node, .isr_nodes_count = 1,
    };
}

static bool fill_topic(struct broker_request *req, const struct broker_topic *t, int32_t *node, struct kw_metadata_response_topic *out)
{
    *out = (struct kw_metadata_response_topic){.name = br_str_c(t->name), .topic_id = t->id, .is_internal = t->is_internal,
                                               .partitions_count = t->partition_count, .topic_authorized_operations = INT32_MIN};
    out->partitions = br_arena_array(&req->arena, (size_t)t->partition_count, sizeof *out->partitions);
    for (int32_t i = 0; out->partitions && i < t->partition_count; i++)
        fill_partition(req, t, i, node, &out->partitions[i]);
    return out->partitions != NULL;
}

static bool fill_named(struct broker_request *req, const struct kw_metadata_request_topic *in, int32_t *node, struct kw_metadata_response_topic *out)
{
    struct broker_catalog *c = req->broker->catalog;
    struct br_errbuf eb;
    bool by_id = !br_uuid_is_zero(in->topic_id);
    *out = (struct kw_metadata_response_topic){.name = in->name, .topic_id = in->topic_id, .topic_authorized_operations = INT32_MIN};
    if (broker_request_version(req) < 12 && (by_id || br_str_is_null(in->name))) { /* B11 */
        out->name = br_str_is_null(in->name) ? br_str("", 0) : in->name;
        out->error_code = KW_INVALID_REQUEST;
        return true;
    }
    struct broker_topic *t = by_id ? broker_catalog_find_id(c, in->topic_id) : broker_catalog_find(c, in->name);
    if (t)
        return fill_topic(req, t, node, out);
    if (by_id)
        out->error_code = KW_UNKNOWN_TOPIC_ID;
    else
        out->error_code = (int16_t)broker_topic_name_check(in->name, &eb);
    if (out->error_code == KW_NONE)
        out->error_code = KW_UNKNOWN_TOPIC_OR_PARTITION;
    return true;
}

static bool fill_topics(struct broker_request *req, int32_t *node, struct kw_metadata_response *response)
{
    const struct kw_metadata_request *body = req->body;
    struct broker_catalog *c = req->broker->catalog;
    bool all = body->topics_count < 0 || (broker_request_version(req) == 0 && body->topics_count == 0); /* B1 */
    size_t count = all ? br_map_count(broker_catalog_names(c)) : (size_t)body->topics_count, at = 0;
    response->topics = br_arena_array(&req->arena, count, sizeof *response->topics);
    response->topics_count = 0;
    if (!response->topics)
        return false;
    if (all) {
        for (struct broker_topic *t; (t = broker_catalog_next(c, &at));)
            if (!fill_topic(req, t, node, &response->topics[response->topics_count++]))
                return false;
        return true;
    }
    for (size_t i = 0; i < count; i++)
        if (!fill_named(req, &body->topics[i], node, &response->topics[response->topics_count++]))
            return false;
    return true;
}

static void answer(struct broker_request *req)
{
    struct broker *b = req->broker;
    const struct broker_listener *l = broker_request_listener(req);
    struct kw_metadata_response response;
    char cluster[BR_UUID_TEXT];
    int32_t node = broker_node_id(b);
    br_uuid_text(b->identity.cluster_id, cluster);
    kw_default(&kw_metadata_response, &response);
    struct kw_metadata_response_broker self = {.node_id = node, .host = br_str_c(l->advertised_host), .port = l->advertised_port,
                                               .rack = br_str_c(broker_config_get(b->config, "broker.rack", NULL))};
    response.brokers = &self;
    response.brokers_count = 1;
    response.cluster_id = br_str_c(cluster);
    response.controller_id = node;
    if (fill_topics(req, &node, &response))
        broker_reply(req, &response);
    else
        broker_request_close(req, "metadata is over its memory budget");
}

static void created(void *ctx, enum kw_error error)
{
    struct creation *creation = ctx;
    (void)error; /* the answer says what is there */
    if (--creation->waiting > 0)
        return;
    struct broker_request *req = creation->req;
    br_free(creation);
    if (req) {
        req->cancel = NULL;
        answer(req);
    }
}

static void cancel(struct broker_request *req)
{
    ((struct creation *)req->state)->req = NULL;
}

void broker_handle_metadata(struct broker_request *req)
{
    const struct kw_metadata_request *body = req->body;
    struct broker *b = req->broker;
    bool may_create = broker_config_bool(b->config, "auto.create.topics.enable") && (broker_request_version(req) < 4 || body->allow_auto_topic_creation) &&
                      broker_config_int(b->config, "default.replication.factor") == 1;
    int32_t partitions = (int32_t)broker_config_int(b->config, "num.partitions");
    struct creation *creation = br_alloc(sizeof *creation);
    creation->req = req;
    creation->waiting = 1;
    req->state = creation;
    req->cancel = cancel;
    for (int32_t i = 0; may_create && i < body->topics_count; i++) {
        struct br_errbuf eb;
        struct br_map none;
        br_map_init(&none);
        if (br_str_is_null(body->topics[i].name) || !br_uuid_is_zero(body->topics[i].topic_id) ||
            broker_catalog_check_create(b->catalog, body->topics[i].name, partitions, NULL, &eb) != KW_NONE)
            continue;
        creation->waiting++;
        broker_catalog_create(b->catalog, body->topics[i].name, partitions, &none, br_str_eq_c(body->topics[i].name, "__consumer_offsets"), created, creation);
    }
    created(creation, KW_NONE);
}
