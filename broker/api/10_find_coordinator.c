/* FindCoordinator, versions 0-6. 1 key types, 3 flexible, 4 many keys at once, 6 share groups (refused).
 * The first call makes __consumer_offsets; until that is durable the answer waits. Transactional ids (type 1) are sent here too: InitProducerId then says why
 * transactions are refused. */
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/server.h"
#include "compat/base/mem.h"
#include "compat/gen/10_find_coordinator.h"

enum { TYPE_GROUP = 0, TYPE_TRANSACTION = 1 };

static void fill(struct broker_request *req, struct br_str key, enum kw_error error, struct kw_find_coordinator_response_coordinator *out)
{
    const struct kw_find_coordinator_request *body = req->body;
    *out = (struct kw_find_coordinator_response_coordinator){.key = key, .node_id = -1, .host = br_str("", 0), .port = -1};
    if (error == KW_NONE && body->key_type != TYPE_GROUP && body->key_type != TYPE_TRANSACTION)
        error = KW_INVALID_REQUEST;
    if (error == KW_NONE && body->key_type == TYPE_GROUP && !broker_group_id_is_valid(key))
        error = KW_INVALID_GROUP_ID;
    out->error_code = (int16_t)error;
    if (error != KW_NONE) {
        out->error_message = br_str_c(kw_error_text(error));
        return;
    }
    const struct broker_listener *listener = broker_request_listener(req);
    out->node_id = broker_node_id(req->broker);
    out->host = br_str_c(listener->advertised_host);
    out->port = listener->advertised_port;
}

static void answer(struct broker_request *req, enum kw_error error)
{
    const struct kw_find_coordinator_request *body = req->body;
    struct kw_find_coordinator_response response;
    struct kw_find_coordinator_response_coordinator one;
    kw_default(&kw_find_coordinator_response, &response);
    if (broker_request_version(req) < 4) {
        fill(req, body->key, error, &one);
        response.error_code = one.error_code;
        response.error_message = one.error_message;
        response.node_id = one.node_id;
        response.host = one.host;
        response.port = one.port;
    } else {
        response.coordinators_count = BR_MAX(body->coordinator_keys_count, 0);
        response.coordinators = br_arena_array(&req->arena, (size_t)response.coordinators_count, sizeof *response.coordinators);
        if (!response.coordinators) {
            broker_request_close(req, "find coordinator names more keys than fit its memory budget");
            return;
        }
        for (int32_t i = 0; i < response.coordinators_count; i++)
            fill(req, body->coordinator_keys[i], error, &response.coordinators[i]);
    }
    broker_reply(req, &response);
}

/* The request may be cancelled while the topic is made: `state` then points to nothing. */
struct find_wait {
    struct broker_request *req;
};

static void topic_ready(void *ctx, enum kw_error error)
{
    struct find_wait *wait = ctx;
    struct broker_request *req = wait->req;
    br_free(wait);
    if (req)
        answer(req, error == KW_NONE ? KW_NONE : KW_COORDINATOR_NOT_AVAILABLE);
}

static void cancel(struct broker_request *req)
{
    ((struct find_wait *)req->state)->req = NULL;
}

void broker_handle_find_coordinator(struct broker_request *req)
{
    const struct kw_find_coordinator_request *body = req->body;
    struct broker_coordinator *groups = req->broker->groups;
    if (body->key_type != TYPE_GROUP || broker_coordinator_is_ready(groups)) {
        answer(req, KW_NONE);
        return;
    }
    struct find_wait *wait = br_alloc(sizeof *wait);
    wait->req = req;
    req->state = wait;
    req->cancel = cancel;
    broker_coordinator_prepare(groups, topic_ready, wait);
}
