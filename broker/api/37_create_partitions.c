/* CreatePartitions, versions 0-3. 2 flexible. The answer lists every topic asked for. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/topic/batch_change.h"
#include "compat/gen/37_create_partitions.h"

static enum kw_error check(struct broker_request *req, const struct kw_create_partitions_request_topic *in, struct broker_topic **out, struct br_errbuf *eb)
{
    struct broker *b = req->broker;
    struct broker_topic *t = broker_catalog_find(b->catalog, in->name);
    if (!t)
        return KW_UNKNOWN_TOPIC_OR_PARTITION;
    enum kw_error error = broker_catalog_check_grow(b->catalog, t, in->count, eb);
    if (error != KW_NONE)
        return error;
    int32_t more = in->count - broker_topic_partitions_next(t);
    if (in->assignments_count >= 0 && in->assignments_count != more) {
        br_errbuf_set(eb, BR_INVALID, "%d assignments for %d new partitions", in->assignments_count, more);
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
    struct broker_names names;
    broker_names_init(&names);
    for (int32_t i = 0; i < count; i++)
        broker_names_note(&names, 0, body->topics[i].name);
    for (int32_t i = 0; i < count; i++) {
        struct kw_create_partitions_response_result *out = &response->results[i];
        struct broker_topic *topic = NULL;
        struct br_errbuf eb = {{0}};
        out->name = body->topics[i].name;
        bool is_twice = broker_names_is_twice(&names, 0, out->name);
        enum kw_error error = is_twice ? KW_INVALID_REQUEST : check(req, &body->topics[i], &topic, &eb);
        if (is_twice)
            br_errbuf_set(&eb, BR_INVALID, "the topic is named twice in this request");
        if (error != KW_NONE) {
            out->error_code = (int16_t)error;
            out->error_message = br_str_c(br_arena_printf(&req->arena, "%s", eb.text[0] ? eb.text : kw_error_text(error)));
        } else if (!body->validate_only) {
            broker_catalog_grow(req->broker->catalog, topic, body->topics[i].count, broker_change_done, broker_changes_add(changes, &out->error_code, NULL, NULL));
        }
    }
    broker_names_clear(&names);
    broker_changes_seal(changes);
}
