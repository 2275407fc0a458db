/* From a frame to its handler: the table of what is served, header, version check, body. */
#include "broker/client.h"
#include "broker/handler.h"
#include "compat/base/log.h"

/* In key order. The advertised minimum of Produce keeps old librdkafka from dropping compression (KAFKA-18659). */
static const struct broker_handler handlers[] = {
    {0, 3, 13, 0, broker_handle_produce},
    {1, 4, 18, 4, broker_handle_fetch},
    {2, 1, 11, 1, broker_handle_list_offsets},
    {3, 0, 13, 0, broker_handle_metadata},
    {8, 2, 10, 2, broker_handle_offset_commit},
    {9, 1, 10, 1, broker_handle_offset_fetch},
    {10, 0, 6, 0, broker_handle_find_coordinator},
    {11, 0, 9, 0, broker_handle_join_group},
    {12, 0, 4, 0, broker_handle_heartbeat},
    {13, 0, 5, 0, broker_handle_leave_group},
    {14, 0, 5, 0, broker_handle_sync_group},
    {18, 0, 4, 0, broker_handle_api_versions},
    {19, 2, 7, 2, broker_handle_create_topics},
    {20, 1, 6, 1, broker_handle_delete_topics},
    {21, 0, 2, 0, broker_handle_delete_records},
    {22, 0, 5, 0, broker_handle_init_producer_id},
    {23, 2, 4, 2, broker_handle_offset_for_leader_epoch},
    {32, 1, 4, 1, broker_handle_describe_configs},
    {33, 0, 2, 0, broker_handle_alter_configs},
    {35, 1, 5, 1, broker_handle_describe_log_dirs},
    {37, 0, 3, 0, broker_handle_create_partitions},
    {44, 0, 1, 0, broker_handle_incremental_alter_configs},
    {46, 0, 0, 0, broker_handle_list_partition_reassignments},
    {60, 0, 2, 0, broker_handle_describe_cluster},
    {75, 0, 0, 0, broker_handle_describe_topic_partitions},
    {10000, 0, 0, 0, broker_handle_order_tail},
    {10001, 0, 0, 0, broker_handle_order_wait},
    {10002, 0, 0, 0, broker_handle_order_read},
    {10003, 0, 0, 0, broker_handle_order_cut},
    {10004, 0, 0, 0, broker_handle_order_position},
    {10005, 0, 0, 0, broker_handle_order_trim},
    {10006, 0, 0, 0, broker_handle_order_append},
};

const struct broker_handler *broker_handler_all(size_t *count)
{
    *count = BR_COUNT(handlers);
    return handlers;
}

const struct broker_handler *broker_handler_find(int16_t key)
{
    for (size_t i = 0; i < BR_COUNT(handlers); i++)
        if (handlers[i].key == key)
            return &handlers[i];
    return NULL;
}

static void log_refused(const struct broker_client *c, const struct kw_request_header *h, const char *why)
{
    const struct kw_api *api = kw_api_find(h->api_key);
    br_log(BR_LOG_WARN, "client", "closed host=%s client_id=\"" BR_STR_FMT "\" api=%s(%d) version=%d why=\"%s\"", c->host, BR_STR_ARG(h->client_id),
           api ? api->name : "?", h->api_key, h->api_version, why);
}

bool broker_dispatch(struct broker_client *c, struct broker_slot *slot, uint8_t *frame, size_t len)
{
    struct broker_request *req = &slot->req;
    struct br_reader in = br_reader(frame, len);
    struct br_errbuf eb = {{0}};
    enum br_err err = kw_request_header_decode(&in, &req->header);
    const struct broker_handler *handler = broker_handler_find(req->header.api_key);
    if (req->header.api_key >= BROKER_OWN_KEYS && !broker_client_is_libbraid(c))
        handler = NULL;
    req->api = kw_api_find(req->header.api_key);
    /* ApiVersions above what we know is answered in version 0 with our range; its body is not parsed. */
    bool is_unknown_version = handler && (req->header.api_version < handler->min || req->header.api_version > handler->max);
    if (handler && handler->key == 18 && is_unknown_version && !in.failed) {
        req->header.api_version = 0;
        req->body = NULL;
        handler->handle(req);
        return true;
    }
    if (err != BR_OK || !handler || !req->api || is_unknown_version) {
        log_refused(c, &req->header, !handler ? "unknown api key" : is_unknown_version ? "version not served" : "malformed request header");
        return false;
    }
    void *body = br_arena_alloc(&req->arena, kw_struct_size(req->api->request));
    err = body ? kw_decode(req->api->request, req->header.api_version, &in, &req->arena, body, &eb) : BR_NOMEM;
    if (err == BR_OK && br_reader_left(&in) > 0) {
        snprintf(eb.text, sizeof eb.text, "%zu bytes after the last field", br_reader_left(&in));
        err = BR_CORRUPT;
    }
    if (err != BR_OK) {
        log_refused(c, &req->header, eb.text[0] ? eb.text : br_err_text(err));
        return false;
    }
    req->body = body;
    if (!br_str_is_null(req->header.client_id)) { /* outlives the frame */
        char *copy = br_arena_strndup(&req->arena, req->header.client_id.data, req->header.client_id.len);
        req->header.client_id = br_str(copy ? copy : "", copy ? req->header.client_id.len : 0);
    }
    handler->handle(req);
    return true;
}
