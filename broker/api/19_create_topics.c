/* CreateTopics, versions 2-7. 4 defaults by -1, 5 flexible and what was made, 7 topic id.
 * The good topics of a request are made whatever the others are; answered when all are durable and applied. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/topic/batch_change.h"
#include "compat/gen/19_create_topics.h"

static void fill_configs(struct broker_request *req, const struct br_map *overrides, bool is_internal, struct kw_create_topics_response_topic *out)
{
    size_t count, n = 0;
    bool is_view = broker_topic_overrides_have_view(overrides);
    const struct broker_topic_key *keys = broker_topic_keys(&count);
    out->configs = br_arena_array(&req->arena, count, sizeof *out->configs);
    for (size_t i = 0; out->configs && i < count; i++) {
        char scratch[32];
        const char *from, *value = is_internal ? broker_topic_config_internal(&keys[i]) : NULL;
        if (!value)
            value = br_map_get(overrides, keys[i].name, strlen(keys[i].name));
        int8_t source = value ? 1 : 5;
        if (keys[i].is_dropped || (broker_topic_key_is_of_views(&keys[i]) && !is_view))
            continue;
        if (!value) {
            value = broker_topic_config_inherited(req->broker->config, &keys[i], &from, scratch);
            if (is_view && strcmp(keys[i].name, "compression.type") == 0) {
                value = broker_topic_config_view_codec(overrides);
                from = NULL;
            }
            source = from ? 4 : 5;
        }
        out->configs[n++] = (struct kw_create_topics_response_topic_config){.name = br_str_c(keys[i].name), .config_source = source,
            .value = value ? br_str_c(br_arena_strndup(&req->arena, value, strlen(value))) : br_str(NULL, 0)};
    }
    out->configs_count = out->configs ? (int32_t)n : -1; /* null when over the budget: the topic is made all the same */
}

static void applied(struct broker_change *change, void *ctx)
{
    struct kw_create_topics_response_topic *out = ctx;
    struct broker_request *req = change->all->req;
    struct broker_topic *t = broker_catalog_find(req->broker->catalog, out->name);
    if (!t)
        return;
    out->topic_id = t->id;
    fill_configs(req, &t->overrides, t->is_internal, out);
}

/* Partition count by number or by assignment. */
static enum kw_error count_partitions(struct broker *b, const struct kw_create_topics_request_topic *in, bool is_view, int version, int32_t *partitions,
                                      struct br_errbuf *eb)
{
    *partitions = in->num_partitions;
    if (in->assignments_count > 0) {
        if (in->num_partitions != -1 || in->replication_factor != -1) {
            br_errbuf_set(eb, BR_INVALID, "give either counts or assignments");
            return KW_INVALID_REQUEST;
        }
        char *seen = br_alloc((size_t)in->assignments_count);
        enum kw_error error = KW_NONE;
        for (int32_t i = 0; i < in->assignments_count && error == KW_NONE; i++) {
            const struct kw_create_topics_request_assignment *a = &in->assignments[i];
            bool fits = a->partition_index >= 0 && a->partition_index < in->assignments_count && !seen[a->partition_index] && a->broker_ids_count == 1 &&
                        a->broker_ids[0] == broker_node_id(b);
            if (fits)
                seen[a->partition_index] = 1;
            else
                error = KW_INVALID_REPLICA_ASSIGNMENT;
        }
        br_free(seen);
        if (error != KW_NONE)
            br_errbuf_set(eb, BR_INVALID, "assignments must name partitions 0 to n-1 once each, on broker %d", broker_node_id(b));
        *partitions = in->assignments_count;
        return error;
    }
    if (in->num_partitions == -1 && version >= 4)
        *partitions = is_view ? 1 : (int32_t)broker_config_int(b->config, "num.partitions");
    int64_t factor = in->replication_factor == -1 && version >= 4 ? broker_config_int(b->config, "default.replication.factor") : in->replication_factor;
    if (*partitions <= 0) {
        br_errbuf_set(eb, BR_INVALID, "number of partitions must be above 0, or -1 for the default");
        return KW_INVALID_PARTITIONS;
    }
    if (factor != 1) {
        br_errbuf_set(eb, BR_INVALID, "replication factor %" PRId64 ": there is 1 broker", factor);
        return KW_INVALID_REPLICATION_FACTOR;
    }
    return KW_NONE;
}

static enum kw_error check_one(struct broker_request *req, const struct kw_create_topics_request_topic *in, struct br_map *overrides, int32_t *partitions,
                               struct br_errbuf *eb)
{
    enum kw_error error = KW_NONE;
    for (int32_t i = 0; i < in->configs_count && error == KW_NONE; i++) {
        error = broker_topic_config_check(in->configs[i].name, in->configs[i].value, eb);
        const struct broker_topic_key *key = broker_topic_key_find(in->configs[i].name);
        if (error == KW_NONE && !key->is_dropped)
            br_free(br_map_put_str(overrides, in->configs[i].name, br_strndup(in->configs[i].value.data, in->configs[i].value.len)));
    }
    enum kw_error counts = count_partitions(req->broker, in, broker_topic_overrides_have_view(overrides), broker_request_version(req), partitions, error == KW_NONE ? eb : NULL);
    if (broker_catalog_find(req->broker->catalog, in->name) || broker_topic_name_check(in->name, NULL) != KW_NONE || (error == KW_NONE && counts == KW_NONE))
        return broker_catalog_check_create(req->broker->catalog, in->name, BR_MAX(*partitions, 1), overrides, eb);
    return error != KW_NONE ? error : counts;
}

static void create_one(struct broker_request *req, struct broker_changes *changes, const struct kw_create_topics_request_topic *in, bool validate_only,
                       bool is_twice, struct kw_create_topics_response_topic *out)
{
    struct br_errbuf eb = {{0}};
    struct br_map overrides;
    int32_t partitions = 0;
    br_map_init(&overrides);
    out->name = in->name;
    out->configs_count = -1;
    out->num_partitions = -1;
    out->replication_factor = -1;
    enum kw_error error = is_twice ? KW_INVALID_REQUEST : check_one(req, in, &overrides, &partitions, &eb);
    if (is_twice)
        br_errbuf_set(&eb, BR_INVALID, "the topic is named twice in this request");
    if (error == KW_NONE) {
        out->num_partitions = partitions;
        out->replication_factor = 1;
        bool is_internal = broker_topic_name_is_internal(in->name);
        if (validate_only)
            fill_configs(req, &overrides, is_internal, out);
        else
            broker_catalog_create(req->broker->catalog, in->name, partitions, &overrides, is_internal, broker_change_done,
                                  broker_changes_add(changes, &out->error_code, applied, out));
    } else {
        out->error_code = (int16_t)error;
        out->error_message = br_str_c(br_arena_printf(&req->arena, "%s", eb.text[0] ? eb.text : kw_error_text(error)));
    }
    broker_overrides_clear(&overrides);
}

void broker_handle_create_topics(struct broker_request *req)
{
    const struct kw_create_topics_request *body = req->body;
    struct kw_create_topics_response *response = br_arena_alloc(&req->arena, sizeof *response);
    int32_t count = BR_MAX(body->topics_count, 0);
    if (response) {
        kw_default(&kw_create_topics_response, response);
        response->topics = br_arena_array(&req->arena, (size_t)count, sizeof *response->topics);
        response->topics_count = count;
    }
    if (!response || !response->topics) {
        broker_request_close(req, "create topics is over its memory budget");
        return;
    }
    struct broker_changes *changes = broker_changes_new(req, response);
    struct broker_names names;
    broker_names_init(&names);
    for (int32_t i = 0; i < count; i++)
        broker_names_note(&names, 0, body->topics[i].name);
    for (int32_t i = 0; i < count; i++)
        create_one(req, changes, &body->topics[i], body->validate_only, broker_names_is_twice(&names, 0, body->topics[i].name), &response->topics[i]);
    broker_names_clear(&names);
    broker_changes_seal(changes);
}
