/* DescribeConfigs, versions 1-4. 3 type and documentation, 4 flexible.
 * Every known key with its value in force and where it came from: 1 topic, 4 broker's file or override, 5 default. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/32_describe_configs.h"

enum { RESOURCE_TOPIC = 2, RESOURCE_BROKER = 4, RESOURCE_LOGGER = 8, RESOURCE_CLIENT_METRICS = 16, RESOURCE_GROUP = 32 };
enum { SOURCE_TOPIC = 1, SOURCE_STATIC = 4, SOURCE_DEFAULT = 5 };

struct describe {
    struct broker_request *req;
    const struct kw_describe_configs_request *body;
    const struct kw_describe_configs_request_resource *in;
    struct kw_describe_configs_response_result *out;
    size_t cap;
};

static bool is_wanted(const struct describe *d, const char *name)
{
    if (d->in->configuration_keys_count <= 0)
        return true;
    for (int32_t i = 0; i < d->in->configuration_keys_count; i++)
        if (br_str_eq_c(d->in->configuration_keys[i], name))
            return true;
    return false;
}

static struct br_str copy(struct describe *d, const char *value)
{
    return value ? br_str_c(br_arena_strndup(&d->req->arena, value, strlen(value))) : br_str(NULL, 0);
}

/* The next entry, or NULL when the arena is spent. */
static struct kw_describe_configs_response_config *add(struct describe *d, const char *name, const char *value, enum broker_config_type type, int source,
                                                       const char *doc, bool read_only)
{
    if ((size_t)d->out->configs_count == d->cap)
        return NULL;
    struct kw_describe_configs_response_config *c = &d->out->configs[d->out->configs_count++];
    bool is_secret = type == BROKER_T_PASSWORD;
    *c = (struct kw_describe_configs_response_config){.name = br_str_c(name), .value = is_secret ? br_str(NULL, 0) : copy(d, value), .read_only = read_only,
        .config_source = (int8_t)source, .is_sensitive = is_secret, .config_type = (int8_t)type};
    if (d->body->include_documentation)
        c->documentation = br_str_c(doc);
    if (d->body->include_synonyms)
        c->synonyms = br_arena_array(&d->req->arena, 3, sizeof *c->synonyms);
    return c;
}

static void add_synonym(struct describe *d, struct kw_describe_configs_response_config *c, const char *name, const char *value, int source)
{
    if (c && c->synonyms && c->synonyms_count < 3)
        c->synonyms[c->synonyms_count++] = (struct kw_describe_configs_response_synonym){.name = br_str_c(name),
            .value = c->is_sensitive ? br_str(NULL, 0) : copy(d, value), .source = (int8_t)source};
}

static enum kw_error describe_topic(struct describe *d)
{
    struct broker_topic *t = broker_catalog_find(d->req->broker->catalog, d->in->resource_name);
    struct br_errbuf eb;
    if (!t)
        return broker_topic_name_check(d->in->resource_name, &eb) != KW_NONE ? KW_INVALID_TOPIC_EXCEPTION : KW_UNKNOWN_TOPIC_OR_PARTITION;
    size_t count;
    const struct broker_topic_key *keys = broker_topic_keys(&count);
    d->cap = count;
    d->out->configs = br_arena_array(&d->req->arena, count, sizeof *d->out->configs);
    for (size_t i = 0; d->out->configs && i < count; i++) {
        char scratch[32];
        const char *from, *own = br_map_get(&t->overrides, keys[i].name, strlen(keys[i].name));
        const char *inherited = broker_topic_config_inherited(d->req->broker->config, &keys[i], &from, scratch);
        bool is_elsewhere = broker_topic_key_is_of_views(&keys[i]) && !broker_topic_overrides_have_view(&t->overrides);
        if (keys[i].is_dropped || is_elsewhere || !is_wanted(d, keys[i].name))
            continue;
        const char *fixed = t->is_internal && !t->view ? broker_topic_config_internal(&keys[i]) : NULL;
        if (fixed) /* what is in force */
            own = fixed;
        if (t->view && strcmp(keys[i].name, "compression.type") == 0) {
            inherited = broker_topic_config_view_codec(&t->overrides);
            from = NULL;
        }
        struct kw_describe_configs_response_config *c = add(d, keys[i].name, own ? own : inherited, keys[i].type,
                                                            own ? SOURCE_TOPIC : from ? SOURCE_STATIC : SOURCE_DEFAULT, keys[i].doc, keys[i].is_fixed || fixed || (t->view && t->is_internal));
        if (own)
            add_synonym(d, c, keys[i].name, own, SOURCE_TOPIC);
        if (from)
            add_synonym(d, c, from, inherited, SOURCE_STATIC);
        if (keys[i].default_value)
            add_synonym(d, c, keys[i].broker_synonym ? keys[i].broker_synonym : keys[i].name, keys[i].default_value, SOURCE_DEFAULT);
    }
    return KW_NONE;
}

static enum kw_error describe_broker(struct describe *d, struct br_errbuf *eb)
{
    char own[16];
    snprintf(own, sizeof own, "%d", broker_node_id(d->req->broker));
    if (d->in->resource_name.len == 0)
        return KW_NONE; /* cluster-wide dynamic defaults: there are none */
    if (!br_str_eq_c(d->in->resource_name, own)) {
        br_errbuf_set(eb, BR_INVALID, "this is broker %s", own);
        return KW_INVALID_REQUEST;
    }
    size_t count;
    const struct broker_config_key *keys = broker_config_keys(&count);
    d->cap = count;
    d->out->configs = br_arena_array(&d->req->arena, count, sizeof *d->out->configs);
    for (size_t i = 0; d->out->configs && i < count; i++) {
        bool is_set;
        const char *value = broker_config_get(d->req->broker->config, keys[i].name, &is_set);
        if (!is_wanted(d, keys[i].name))
            continue;
        if (strcmp(keys[i].name, "node.id") == 0 || strcmp(keys[i].name, "broker.id") == 0) /* -1 leaves it to the data directory */
            value = own;
        struct kw_describe_configs_response_config *c = add(d, keys[i].name, value, keys[i].type, is_set ? SOURCE_STATIC : SOURCE_DEFAULT, keys[i].doc, true);
        if (is_set)
            add_synonym(d, c, keys[i].name, value, SOURCE_STATIC);
        if (keys[i].default_value)
            add_synonym(d, c, keys[i].name, keys[i].default_value, SOURCE_DEFAULT);
    }
    return KW_NONE;
}

void broker_handle_describe_configs(struct broker_request *req)
{
    const struct kw_describe_configs_request *body = req->body;
    struct kw_describe_configs_response response;
    kw_default(&kw_describe_configs_response, &response);
    response.results_count = BR_MAX(body->resources_count, 0);
    response.results = br_arena_array(&req->arena, (size_t)response.results_count, sizeof *response.results);
    bool fits = response.results != NULL;
    for (int32_t i = 0; fits && i < response.results_count; i++) {
        struct describe d = {.req = req, .body = body, .in = &body->resources[i], .out = &response.results[i]};
        struct br_errbuf eb = {{0}};
        enum kw_error error = KW_NONE;
        d.out->resource_type = d.in->resource_type;
        d.out->resource_name = d.in->resource_name;
        switch (d.in->resource_type) {
        case RESOURCE_TOPIC: error = describe_topic(&d); break;
        case RESOURCE_BROKER: error = describe_broker(&d, &eb); break;
        case RESOURCE_CLIENT_METRICS:
        case RESOURCE_GROUP: break; /* nothing can be set there: no entries */
        default:
            error = KW_INVALID_REQUEST;
            br_errbuf_set(&eb, BR_INVALID, "resource type %d is not known", d.in->resource_type);
        }
        fits = d.out->configs || d.cap == 0;
        d.out->error_code = (int16_t)error;
        if (error != KW_NONE)
            d.out->error_message = br_str_c(br_arena_printf(&req->arena, "%s", eb.text[0] ? eb.text : kw_error_text(error)));
    }
    if (fits)
        broker_reply(req, &response);
    else
        broker_request_close(req, "describe configs is over its memory budget");
}
