/* CreatePartitions, versions 0-3 (KAFKA.md J4). 2 flexible. The answer lists every topic asked for. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/topic/batch_change.h"
#include "compat/gen/37_create_partitions.h"

static enum kw_error check(struct broker_request *req, const struct kw_create_partitions_request_topic *in, struct broker_topic **out, struct br_errbuf *eb)
{
    struct broker *b = req->broker;
    struct broker_topic *t = broker_catalog_find(b->catalog, in->name);
    size_t most = (size_t)broker_config_int(b->config, "braid.partitions.max");
    if (!t)
        return KW_UNKNOWN_TOPIC_OR_PARTITION;
    if (t->is_view) {
        br_errbuf_set(eb, BR_INVALID, "an order view has one partition");
        return KW_INVALID_PARTITIONS;
    }
    if (in->count <= t->partition_count) {
        br_errbuf_set(eb, BR_INVALID, "the topic has %d partitions; %d is not more", t->partition_count, in->count);
        return KW_INVALID_PARTITIONS;
    }
    if ((size_t)in->count > most || broker_catalog_partition_total(b->catalog) > most - (size_t)(in->count - t->partition_count)) {
        br_errbuf_set(eb, BR_FULL, "%d partitions are too many: braid.partitions.max allows %zu in all", in->count, most);
        return KW_INVALID_PARTITIONS;
    }
    if (in->assignments_count >= 0 && in->assignments_count != in->count - t->partition_count) {
        br_errbuf_set(eb, BR_INVALID, "%d assignments for %d new partitions", in->assignments_count, in->count - t->partition_count);
        return KW_INVALID_REPLICA_ASSIGNMENT;
    }
    for (int32_t i = 0; i < in->assignments_count; i++) {
        if (in->assignments[i].broker_ids_count != 1 || in->assignments[i].broker_ids[0] != broker_node_id(b)) {
            br_errbuf_set(eb, BR_INVALID, "the only broker is %d", broker_node_id(b));
            return KW_INVALID_REPLICA_ASSIGNMENT;
        }
    }
    *out = t;
    return KW_NONE;
}

void broker_handle_create_partitions(struct broker_request *req)
{
    const struct kw_create_partitions_request *body = req->body;
    int32_t count = BR_MAX(body->topics_count, 0);
    struct kw_create_partitions_response *response = br_arena_alloc(&req->arena, sizeof *response);
    if (response) {
        kw_default(&kw_create_partitions_response, response);
        response->results = br_arena_array(&req->arena, (size_t)count, sizeof *response->results);
        response->results_count = count;
    }
    if (!response || !response->results) {
        broker_request_close(req, "create partitions is over its memory budget");
        return;
    }
    struct broker_changes *changes = broker_changes_new(req, response);
    struct br_map seen;
    static char named;
    br_map_init(&seen);
    for (int32_t i = 0; i < count; i++) {
        struct kw_create_partitions_response_result *out = &response->results[i];
        struct broker_topic *topic = NULL;
        struct br_errbuf eb = {{0}};
        out->name = body->topics[i].name;
        enum kw_error error = br_map_put_str(&seen, out->name, &named) ? KW_INVALID_REQUEST : check(req, &body->topics[i], &topic, &eb);
        if (error != KW_NONE) {
            out->error_code = (int16_t)error;
            out->error_message = br_str_c(br_arena_printf(&req->arena, "%s", eb.text[0] ? eb.text : kw_error_text(error)));
        } else if (!body->validate_only) {
            broker_catalog_grow(req->broker->catalog, topic, body->topics[i].count, broker_change_done, broker_changes_add(changes, &out->error_code, NULL, NULL));
        }
    }
    br_map_clear(&seen);
    broker_changes_seal(changes);
}
