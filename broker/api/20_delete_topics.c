/* DeleteTopics, versions 1-6. 4 flexible, 5 messages, 6 by id. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/topic/batch_change.h"
#include "compat/gen/20_delete_topics.h"

static enum kw_error find(struct broker_request *req, struct br_str name, struct br_uuid id, struct broker_topic **out, const char **why)
{
    struct broker_catalog *c = req->broker->catalog;
    bool by_id = !br_uuid_is_zero(id);
    if (!broker_config_bool(req->broker->config, "delete.topic.enable"))
        return broker_request_version(req) < 3 ? KW_INVALID_REQUEST : KW_TOPIC_DELETION_DISABLED;
    if (by_id == !br_str_is_null(name)) {
        *why = "give either a name or an id";
        return KW_INVALID_REQUEST;
    }
    *out = by_id ? broker_catalog_find_id(c, id) : broker_catalog_find(c, name);
    if (!*out)
        return by_id ? KW_UNKNOWN_TOPIC_ID : KW_UNKNOWN_TOPIC_OR_PARTITION;
    if ((*out)->is_internal) {
        *why = "internal topics cannot be deleted";
        return KW_INVALID_TOPIC_EXCEPTION;
    }
    return KW_NONE;
}

/* Topics by id: those named twice, by name and id mixed, are one. */
static void note(struct broker_request *req, struct broker_names *names, struct br_str name, struct br_uuid id)
{
    struct broker_topic *topic = NULL;
    const char *why;
    if (find(req, name, id, &topic, &why) == KW_NONE)
        broker_names_note(names, 0, br_str_c(topic->name));
}

static void delete_one(struct broker_request *req, struct broker_changes *changes, const struct broker_names *names, struct br_str name, struct br_uuid id,
                       struct kw_delete_topics_response_topic *out)
{
    struct broker_topic *topic = NULL;
    const char *why = NULL;
    *out = (struct kw_delete_topics_response_topic){.name = name, .topic_id = id};
    enum kw_error error = find(req, name, id, &topic, &why);
    if (error == KW_NONE && broker_names_is_twice(names, 0, br_str_c(topic->name))) {
        error = KW_INVALID_REQUEST;
        why = "the topic is named twice in this request";
    }
    if (error != KW_NONE) {
        out->error_code = (int16_t)error;
        out->error_message = br_str_c(why ? why : kw_error_text(error));
        return;
    }
    out->topic_id = topic->id;
    char *copy = br_arena_strndup(&req->arena, topic->name, strlen(topic->name)); /* the topic is gone when the answer leaves */
    out->name = br_str_c(copy ? copy : "");
    broker_catalog_delete(req->broker->catalog, topic, broker_change_done, broker_changes_add(changes, &out->error_code, NULL, NULL));
}

void broker_handle_delete_topics(struct broker_request *req)
{
    const struct kw_delete_topics_request *body = req->body;
    bool by_struct = broker_request_version(req) >= 6;
    int32_t count = BR_MAX(by_struct ? body->topics_count : body->topic_names_count, 0);
    struct kw_delete_topics_response *response = br_arena_alloc(&req->arena, sizeof *response);
    if (response) {
        kw_default(&kw_delete_topics_response, response);
        response->responses = br_arena_array(&req->arena, (size_t)count, sizeof *response->responses);
        response->responses_count = count;
    }
    if (!response || !response->responses) {
        broker_request_close(req, "delete topics is over its memory budget");
        return;
    }
    struct broker_changes *changes = broker_changes_new(req, response);
    const struct br_uuid no_id = {{0}};
    struct broker_names names;
    broker_names_init(&names);
    for (int32_t i = 0; i < count; i++)
        note(req, &names, by_struct ? body->topics[i].name : body->topic_names[i], by_struct ? body->topics[i].topic_id : no_id);
    for (int32_t i = 0; i < count; i++)
        delete_one(req, changes, &names, by_struct ? body->topics[i].name : body->topic_names[i], by_struct ? body->topics[i].topic_id : no_id,
                   &response->responses[i]);
    broker_names_clear(&names);
    broker_changes_seal(changes);
}
