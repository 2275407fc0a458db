/* Metadata, versions 0-13. 1 null means all, 2 cluster id, 4 auto-creation flag, 5 offline replicas, 7 leader epochs, 8 authorized operations, 9 flexible,
 * 10 topic ids, 12 by id, 13 top-level error.
 *
 * Topics that are named, missing and may be made are made first; the answer waits until they are there, so that the next Produce finds a leader. A
 * topic that somebody else is making just now is LEADER_NOT_AVAILABLE: the client asks again. Answers about all topics come from a cache. */
#include "broker/broker.h"
#include "broker/data/target.h"
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/server.h"
#include "compat/base/mem.h"
#include "broker/topic/metadata_cache.h"
#include "broker/topic/rights.h"
#include "compat/gen/03_metadata.h"

#define ANSWER_MAX ((size_t)1 << 30)

/* Creations under way for one request; outlives it when it is cancelled. */
struct creation {
    struct broker_request *req;
    unsigned waiting;
};

static void fill_partition(struct broker_request *req, const struct broker_topic *t, int32_t i, int32_t *node, struct kw_metadata_response_partition *out)
{
    struct broker_target target = {.partition = t->view ? NULL : t->partitions[i]};
    *out = (struct kw_metadata_response_partition){
        .partition_index = i, .leader_id = broker_node_id(req->broker), .leader_epoch = broker_target_epoch(&target),
        .replica_nodes = node, .replica_nodes_count = 1, .isr_nodes = node, .isr_nodes_count = 1,
    };
}

static bool fill_topic(struct broker_request *req, const struct broker_topic *t, int32_t *node, struct kw_metadata_response_topic *out)
{
    const struct kw_metadata_request *body = req->body;
    *out = (struct kw_metadata_response_topic){
        .name = br_str_c(t->name), .topic_id = t->id, .is_internal = t->is_internal, .partitions_count = t->partition_count,
        .topic_authorized_operations = body->include_topic_authorized_operations ? BROKER_RIGHTS_TOPIC : BROKER_RIGHTS_NOT_ASKED};
    out->partitions = br_arena_array(&req->arena, (size_t)t->partition_count, sizeof *out->partitions);
    for (int32_t i = 0; out->partitions && i < t->partition_count; i++)
        fill_partition(req, t, i, node, &out->partitions[i]);
    return out->partitions != NULL;
}

/* Why a topic is not there. */
static enum kw_error missing(struct broker_catalog *c, struct br_str name)
{
    struct br_errbuf eb;
    enum kw_error error = broker_topic_name_check(name, &eb);
    if (error != KW_NONE)
        return error;
    return broker_catalog_is_creating(c, name) ? KW_LEADER_NOT_AVAILABLE : KW_UNKNOWN_TOPIC_OR_PARTITION;
}

static bool fill_named(struct broker_request *req, const struct kw_metadata_request_topic *in, int32_t *node, struct kw_metadata_response_topic *out)
{
    struct broker_catalog *c = req->broker->catalog;
    bool by_id = !br_uuid_is_zero(in->topic_id);
    *out = (struct kw_metadata_response_topic){.name = in->name, .topic_id = in->topic_id, .topic_authorized_operations = BROKER_RIGHTS_NOT_ASKED};
    if (broker_request_version(req) < 12 && (by_id || br_str_is_null(in->name))) {
        out->name = br_str_is_null(in->name) ? br_str("", 0) : in->name;
        out->error_code = KW_INVALID_REQUEST;
        return true;
    }
    struct broker_topic *t = by_id ? broker_catalog_find_id(c, in->topic_id) : broker_catalog_find(c, in->name);
    if (t)
        return fill_topic(req, t, node, out);
    out->error_code = (int16_t)(by_id ? KW_UNKNOWN_TOPIC_ID : missing(c, in->name));
    return true;
}

/* All topics: null from version 1 on, empty in version 0. */
static bool wants_all(const struct broker_request *req)
{
    const struct kw_metadata_request *body = req->body;
    return body->topics_count < 0 || (broker_request_version(req) == 0 && body->topics_count == 0);
}

static bool fill_topics(struct broker_request *req, int32_t *node, struct kw_metadata_response *response)
{
    const struct kw_metadata_request *body = req->body;
    struct broker_catalog *c = req->broker->catalog;
    bool all = wants_all(req);
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

static struct broker_metadata_key cache_key(const struct broker_request *req)
{
    const struct kw_metadata_request *body = req->body;
    return (struct broker_metadata_key){
        .catalog_version = broker_catalog_version(req->broker->catalog), .listener = broker_client_listener(req->client),
        .version = (int16_t)broker_request_version(req), .topic_rights = body->include_topic_authorized_operations,
        .cluster_rights = body->include_cluster_authorized_operations};
}

/* Encodes, keeps and sends an answer about all topics. */
static void reply_and_keep(struct broker_request *req, const struct kw_metadata_response *response)
{
    struct kw_out out;
    kw_out_init(&out, ANSWER_MAX);
    enum br_err err = kw_encode(&kw_metadata_response, broker_request_version(req), response, &out);
    if (err != BR_OK) {
        kw_out_clear(&out);
        broker_request_close(req, "metadata is longer than an answer may be");
        return;
    }
    struct broker_metadata_key key = cache_key(req);
    struct broker_metadata_cache *cache = req->broker->metadata;
    broker_metadata_cache_put(cache, &key, out.bytes.data, out.bytes.len); /* given */
    out.bytes.data = NULL;
    kw_out_clear(&out);
    broker_reply_encoded(req, broker_metadata_cache_get(cache, &key));
}

static void answer(struct broker_request *req)
{
    struct broker *b = req->broker;
    const struct kw_metadata_request *body = req->body;
    if (wants_all(req)) {
        struct broker_metadata_key key = cache_key(req);
        struct br_str kept = broker_metadata_cache_get(b->metadata, &key);
        if (!br_str_is_null(kept)) {
            broker_reply_encoded(req, kept);
            return;
        }
    }
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
    if (body->include_cluster_authorized_operations)
        response.cluster_authorized_operations = BROKER_RIGHTS_CLUSTER;
    if (!fill_topics(req, &node, &response))
        broker_request_close(req, "metadata is over its memory budget");
    else if (wants_all(req))
        reply_and_keep(req, &response);
    else
        broker_reply(req, &response);
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
    struct creation *creation = br_alloc(sizeof *creation);
    creation->req = req;
    creation->waiting = 1;
    req->state = creation;
    req->cancel = cancel;
    for (int32_t i = 0; may_create && i < body->topics_count; i++) {
        struct br_str name = body->topics[i].name;
        struct br_errbuf eb;
        struct br_map none;
        br_map_init(&none);
        int32_t partitions = (int32_t)broker_config_int(b->config, br_str_eq_c(name, BROKER_OFFSETS_TOPIC) ? "offsets.topic.num.partitions" : "num.partitions");
        if (br_str_is_null(name) || !br_uuid_is_zero(body->topics[i].topic_id) ||
            broker_catalog_check_create(b->catalog, name, partitions, NULL, &eb) != KW_NONE)
            continue;
        creation->waiting++;
        broker_catalog_create(b->catalog, name, partitions, &none, broker_topic_name_is_internal(name), created, creation);
    }
    created(creation, KW_NONE);
}
