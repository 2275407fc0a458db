/* AlterConfigs, versions 0-2. 2 flexible. Replaces all settings of a topic: keys not named return to their default. */
#include "broker/handler.h"
#include "broker/topic/alter.h"
#include "compat/gen/33_alter_configs.h"

void broker_handle_alter_configs(struct broker_request *req)
{
    const struct kw_alter_configs_request *body = req->body;
    int32_t count = BR_MAX(body->resources_count, 0);
    struct kw_alter_configs_response *response = br_arena_alloc(&req->arena, sizeof *response);
    if (response) {
        kw_default(&kw_alter_configs_response, response);
        response->responses = br_arena_array(&req->arena, (size_t)count, sizeof *response->responses);
        response->responses_count = count;
    }
    if (!response || !response->responses) {
        broker_request_close(req, "alter configs is over its memory budget");
        return;
    }
    struct broker_changes *changes = broker_changes_new(req, response);
    struct broker_names names;
    broker_names_init(&names);
    for (int32_t i = 0; i < count; i++)
        broker_names_note(&names, body->resources[i].resource_type, body->resources[i].resource_name);
    for (int32_t i = 0; i < count; i++) {
        const struct kw_alter_configs_request_resource *in = &body->resources[i];
        struct kw_alter_configs_response_resource *out = &response->responses[i];
        struct broker_alter_op *ops = br_arena_array(&req->arena, (size_t)BR_MAX(in->configs_count, 0), sizeof *ops);
        struct broker_alter alter = {.resource_type = in->resource_type, .resource_name = in->resource_name, .replaces_all = true,
                                     .validate_only = body->validate_only, .is_twice = broker_names_is_twice(&names, in->resource_type, in->resource_name)};
        out->resource_type = in->resource_type;
        out->resource_name = in->resource_name;
        for (int32_t k = 0; ops && k < in->configs_count; k++)
            ops[k] = (struct broker_alter_op){.name = in->configs[k].name, .value = in->configs[k].value, .op = BROKER_ALTER_SET};
        if (ops)
            broker_alter_resource(changes, &alter, ops, in->configs_count, &out->error_code, &out->error_message);
        else
            out->error_code = KW_INVALID_REQUEST;
    }
    broker_names_clear(&names);
    broker_changes_seal(changes);
}
