/* JoinGroup, versions 0-9. 1 rebalance timeout, 4 member ids first (KIP-394), 5 static members, 6 flexible, 7 protocol type, 8 reason, 9 skip_assignment.
 * Decisions are in broker/group/classic.c; this file checks the request and writes the answer. */
#include "broker/group/coordinator.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/11_join_group.h"

static void answer_error(struct broker_request *req, enum kw_error error, struct br_str member_id)
{
    struct kw_join_group_response response;
    kw_default(&kw_join_group_response, &response);
    response.error_code = (int16_t)error;
    response.generation_id = -1;
    response.leader = br_str("", 0);
    response.member_id = member_id;
    if (broker_request_version(req) < 7)
        response.protocol_name = br_str("", 0);
    broker_reply(req, &response);
}

static void fill_members(struct broker_request *req, const struct group_core *g, struct kw_join_group_response *response)
{
    size_t count = br_map_count(&g->by_id), i = 0;
    response->members = br_arena_array(&req->arena, count, sizeof *response->members);
    if (!response->members)
        return;
    BR_LIST_FOR(m, &g->members, struct group_member, link)
        response->members[i++] = (struct kw_join_group_response_member){
            .member_id = br_str_c(m->id), .group_instance_id = br_str_c(m->instance_id), .metadata = group_core_metadata(g, m)};
    response->members_count = (int32_t)count;
}

void broker_join_group_answer(void *token, struct broker_group *group, const struct group_effect *effect)
{
    struct broker_request *req = token;
    const struct kw_join_group_request *body = req->body;
    const struct group_core *g = &group->core;
    struct kw_join_group_response response;
    req->cancel = NULL;
    if (effect->error != KW_NONE || !effect->member) {
        answer_error(req, effect->error != KW_NONE ? effect->error : KW_UNKNOWN_MEMBER_ID, body->member_id.data ? body->member_id : br_str("", 0));
        return;
    }
    kw_default(&kw_join_group_response, &response);
    response.generation_id = g->generation;
    response.protocol_type = br_str_c(g->protocol_type);
    response.protocol_name = br_str_c(g->protocol);
    response.leader = br_str_c(g->leader);
    response.member_id = br_str_c(effect->member->id);
    response.skip_assignment = effect->skip_assignment && broker_request_version(req) >= 9;
    if (effect->skip_assignment && broker_request_version(req) < 9)
        response.leader = body->member_id; /* not its own new id: an old client must not compute an assignment nobody waits for */
    else if (effect->with_members)
        fill_members(req, g, &response);
    broker_reply(req, &response);
}

static bool has_nul(struct br_str s)
{
    return s.len > 0 && memchr(s.data, 0, s.len);
}

static enum kw_error check(struct broker *b, const struct kw_join_group_request *body)
{
    size_t bytes = 0;
    if (!broker_group_id_is_valid(body->group_id))
        return KW_INVALID_GROUP_ID;
    if (has_nul(body->group_instance_id) || has_nul(body->protocol_type))
        return KW_INVALID_REQUEST;
    if (body->session_timeout_ms < broker_config_int(b->config, "group.min.session.timeout.ms") ||
        body->session_timeout_ms > broker_config_int(b->config, "group.max.session.timeout.ms"))
        return KW_INVALID_SESSION_TIMEOUT;
    if (body->protocols_count <= 0 || body->protocols_count > GROUP_PROTOCOLS_MAX)
        return KW_INCONSISTENT_GROUP_PROTOCOL;
    for (int32_t i = 0; i < body->protocols_count; i++) {
        if (has_nul(body->protocols[i].name))
            return KW_INVALID_REQUEST;
        bytes += body->protocols[i].metadata.len + body->protocols[i].name.len;
    }
    return bytes > GROUP_MEMBER_BYTES_MAX ? KW_INVALID_REQUEST : KW_NONE;
}

static void cancel(struct broker_request *req)
{
    struct broker_group *group = req->state;
    struct group_effects none = {0};
    group_core_forget_token(&group->core, req, req->broker->now_ms);
    broker_group_run(group, &none); /* the member's session runs again: the timer must know */
}

/* client.id-UUID, as Kafka makes them. */
static struct br_str new_member_id(struct broker_request *req, const struct kw_join_group_request *body)
{
    struct br_uuid id = br_uuid_random();
    const uint8_t *u = id.bytes;
    struct br_str prefix = br_str_is_null(body->group_instance_id) ? req->header.client_id : body->group_instance_id;
    char *text = br_arena_printf(&req->arena,
        BR_STR_FMT "-%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", (int)BR_MIN(prefix.len, (size_t)255), prefix.data ? prefix.data : "",
        u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7], u[8], u[9], u[10], u[11], u[12], u[13], u[14], u[15]);
    return br_str_c(text);
}

void broker_handle_join_group(struct broker_request *req)
{
    const struct kw_join_group_request *body = req->body;
    struct broker *b = req->broker;
    struct br_str member_id = body->member_id.data ? body->member_id : br_str("", 0);
    enum kw_error error = check(b, body);
    if (error == KW_NONE && !broker_coordinator_is_ready(b->groups))
        error = KW_COORDINATOR_NOT_AVAILABLE;
    struct broker_group *group = error == KW_NONE ? broker_coordinator_group(b->groups, body->group_id, member_id.len == 0) : NULL;
    if (error == KW_NONE && !group)
        error = member_id.len ? KW_UNKNOWN_MEMBER_ID : KW_COORDINATOR_NOT_AVAILABLE;
    struct group_protocol_in *protocols = br_arena_array(&req->arena, (size_t)BR_MAX(body->protocols_count, 0), sizeof *protocols);
    struct br_str new_id = new_member_id(req, body);
    if (error != KW_NONE || !protocols || br_str_is_null(new_id)) {
        answer_error(req, error != KW_NONE ? error : KW_INVALID_REQUEST, member_id);
        return;
    }
    for (int32_t i = 0; i < body->protocols_count; i++)
        protocols[i] = (struct group_protocol_in){body->protocols[i].name, body->protocols[i].metadata};
    struct group_join in = {
        .member_id = member_id, .instance_id = body->group_instance_id, .client_id = req->header.client_id,
        .client_host = br_str_c(br_arena_printf(&req->arena, "/%s", broker_client_host(req->client))), .protocol_type = body->protocol_type,
        .protocols = protocols, .protocol_count = (unsigned)body->protocols_count, .session_timeout_ms = body->session_timeout_ms,
        .rebalance_timeout_ms = body->rebalance_timeout_ms > 0 ? body->rebalance_timeout_ms : body->session_timeout_ms,
        .requires_known_id = broker_request_version(req) >= 4, .new_id = new_id,
    };
    struct group_effects fx = {0};
    req->state = group;
    req->cancel = cancel;
    error = group_core_join(&group->core, &in, req, b->now_ms, &fx);
    if (error != KW_NONE) {
        req->cancel = NULL;
        answer_error(req, error, error == KW_MEMBER_ID_REQUIRED ? new_id : member_id);
    }
    broker_group_run(group, &fx);
}
