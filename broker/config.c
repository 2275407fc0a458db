#include "broker/config.h"
#include "compat/base/log.h"
#include "compat/base/map.h"
#include "compat/base/mem.h"

#define KEY(name, type, kind, def, valid, doc) {name, BROKER_T_##type, BROKER_K_##kind, def, valid, false, doc},
static const struct broker_config_key keys[] = {
#include "broker/config_keys.def"
};
#undef KEY

#define LISTENERS_MAX 16

struct broker_config {
    struct br_map set;     /* key -> char *value, from file or override */
    struct br_map unknown;
    struct broker_listener listeners[LISTENERS_MAX];
    unsigned listener_count;
    bool has_file;
};

const struct broker_config_key *broker_config_keys(size_t *count)
{
    *count = BR_COUNT(keys);
    return keys;
}

const struct broker_config_key *broker_config_key_find(struct br_str name)
{
    for (size_t i = 0; i < BR_COUNT(keys); i++)
        if (br_str_eq_c(name, keys[i].name))
            return &keys[i];
    return NULL;
}

struct broker_config *broker_config_new(void)
{
    struct broker_config *config = br_alloc(sizeof *config);
    br_map_init(&config->set);
    br_map_init(&config->unknown);
    return config;
}

static void clear_values(struct br_map *map)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(map, &at));)
        br_free(e->value);
    br_map_clear(map);
}

static void clear_listeners(struct broker_config *config)
{
    for (unsigned i = 0; i < config->listener_count; i++) {
        br_free(config->listeners[i].name);
        br_free(config->listeners[i].host);
        br_free(config->listeners[i].advertised_host);
    }
    config->listener_count = 0;
}

void broker_config_free(struct broker_config *config)
{
    if (!config)
        return;
    clear_listeners(config);
    clear_values(&config->set);
    clear_values(&config->unknown);
    br_free(config);
}

/* --- values --- */

/* "a|b|c" */
static bool is_one_of(const char *words, const char *value)
{
    size_t len = strlen(value);
    for (const char *at = words; at; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, value, len) == 0 && (at[len] == '|' || at[len] == '\0'))
            return true;
    }
    return false;
}

/* Each element of a comma-separated list. */
static bool list_is_valid(const char *words, const char *value)
{
    while (*value) {
        char item[64];
        size_t len = strcspn(value, ",");
        while (len && *value == ' ') {
            value++;
            len--;
        }
        if (len >= sizeof item)
            return false;
        memcpy(item, value, len);
        item[len] = '\0';
        if (!is_one_of(words, item))
            return false;
        value += len;
        value += *value == ',';
    }
    return true;
}

static bool number_is_valid(const char *range, const char *value, bool is_double)
{
    char *end;
    errno = 0;
    if (is_double) {
        strtod(value, &end);
        return end != value && *end == '\0';
    }
    long long v = strtoll(value, &end, 10), min = INT64_MIN, max = INT64_MAX;
    if (end == value || *end || errno)
        return false;
    if (range && sscanf(range, "[%lld,%lld]", &min, &max) != 2)
        return true;
    return v >= min && v <= max;
}

bool broker_config_value_valid(enum broker_config_type type, const char *valid, const char *value)
{
    switch (type) {
    case BROKER_T_BOOLEAN: return is_one_of(valid ? valid : "true|false", value);
    case BROKER_T_INT: return number_is_valid(valid ? valid : "[-2147483648,2147483647]", value, false);
    case BROKER_T_SHORT: return number_is_valid(valid && valid[0] == '[' ? valid : "[-32768,32767]", value, false) && (!valid || valid[0] == '[' || is_one_of(valid, value));
    case BROKER_T_LONG: return number_is_valid(valid, value, false);
    case BROKER_T_DOUBLE: return number_is_valid(NULL, value, true);
    case BROKER_T_LIST: return !valid || list_is_valid(valid, value);
    default: return !valid || is_one_of(valid, value);
    }
}

static const char *type_name(enum broker_config_type type)
{
    static const char *const names[] = {"", "true or false", "text", "a number", "a number", "a number", "a number", "a list", "a class name", "text"};
    return names[type];
}

enum br_err broker_config_set(struct broker_config *config, struct br_str key, struct br_str value, struct br_errbuf *eb)
{
    const struct broker_config_key *known = broker_config_key_find(key);
    char *text = br_strndup(value.data ? value.data : "", value.len);
    enum br_err err = BR_OK;
    if (known && known->kind == BROKER_K_REFUSED && (!known->default_value || strcmp(text, known->default_value) != 0) && text[0])
        err = br_errbuf_set(eb, BR_UNSUPPORTED, "%s=%s: refused: %s", known->name, known->type == BROKER_T_PASSWORD ? "***" : text, known->doc);
    else if (known && !broker_config_value_valid(known->type, known->valid, text) && !(known->kind == BROKER_K_ACCEPTED && !text[0]))
        err = br_errbuf_set(eb, BR_INVALID, "%s=%s: must be %s%s%s", known->name, text, known->valid && known->valid[0] != '[' ? "one of " : type_name(known->type),
                            known->valid && known->valid[0] == '[' ? " in " : "", known->valid ? known->valid : "");
    else if (!known && (strncmp(key.data ? key.data : "", "listener.name.", BR_MIN(key.len, (size_t)14)) == 0) && key.len > 14)
        err = br_errbuf_set(eb, BR_UNSUPPORTED, BR_STR_FMT ": refused: TLS and SASL are not available in this release", BR_STR_ARG(key));
    if (err == BR_OK)
        br_free(br_map_put_str(known ? &config->set : &config->unknown, key, br_strdup(text)));
    br_free(text);
    return err;
}

const char *broker_config_get(const struct broker_config *config, const char *key, bool *is_set)
{
    const char *value = br_map_get(&config->set, key, strlen(key));
    if (is_set)
        *is_set = value != NULL;
    if (value)
        return value;
    const struct broker_config_key *known = broker_config_key_find(br_str_c(key));
    BR_ASSERT(known != NULL);
    return known->default_value;
}

int64_t broker_config_int(const struct broker_config *config, const char *key)
{
    const char *value = broker_config_get(config, key, NULL);
    BR_ASSERT(value != NULL);
    return strtoll(value, NULL, 10);
}

bool broker_config_bool(const struct broker_config *config, const char *key)
{
    const char *value = broker_config_get(config, key, NULL);
    return value && strcmp(value, "true") == 0;
}

/* --- listeners --- */

struct listener_text {
    char name[64], host[256];
    int port;
};

/* NAME://host:port; an IPv6 address in brackets. */
static enum br_err parse_listener(const char *key, const char *text, size_t len, struct listener_text *out, struct br_errbuf *eb)
{
    char item[400], *host, *colon;
    if (len >= sizeof item)
        return br_errbuf_set(eb, BR_INVALID, "%s: entry is too long", key);
    memcpy(item, text, len);
    item[len] = '\0';
    char *sep = strstr(item, "://");
    colon = strrchr(item, ':');
    if (!sep || !colon || colon <= sep + 2 || sep == item || (size_t)(sep - item) >= sizeof out->name)
        return br_errbuf_set(eb, BR_INVALID, "%s=%s: must be NAME://host:port", key, item);
    host = sep + 3;
    char *end;
    long port = strtol(colon + 1, &end, 10);
    if (*end || end == colon + 1 || port < 0 || port > 65535)
        return br_errbuf_set(eb, BR_INVALID, "%s=%s: the port must be 0 to 65535", key, item);
    size_t host_len = (size_t)(colon - host);
    if (host_len >= 2 && host[0] == '[' && host[host_len - 1] == ']') {
        host++;
        host_len -= 2;
    }
    if (host_len >= sizeof out->host)
        return br_errbuf_set(eb, BR_INVALID, "%s: host name is too long", key);
    *out = (struct listener_text){.port = (int)port};
    memcpy(out->name, item, (size_t)(sep - item));
    memcpy(out->host, host, host_len);
    return BR_OK;
}

/* Calls each for every entry of a comma-separated list, blanks trimmed. */
static enum br_err each_item(const char *list, enum br_err (*each)(void *ctx, const char *item, size_t len), void *ctx)
{
    while (list && *list) {
        size_t len = strcspn(list, ",");
        const char *item = list;
        size_t n = len;
        while (n && (*item == ' ' || *item == '\t')) {
            item++;
            n--;
        }
        while (n && (item[n - 1] == ' ' || item[n - 1] == '\t'))
            n--;
        enum br_err err = n ? each(ctx, item, n) : BR_OK;
        if (err != BR_OK)
            return err;
        list += len;
        list += *list == ',';
    }
    return BR_OK;
}

struct listener_ctx {
    struct broker_config *config;
    struct br_errbuf *eb;
};

static bool list_has(const char *list, const char *word)
{
    size_t len = strlen(word);
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',') {
        while (*at == ' ')
            at++;
        if (strncasecmp(at, word, len) == 0 && (at[len] == ',' || at[len] == '\0' || at[len] == ' '))
            return true;
    }
    return false;
}

/* Security protocol of a listener: by the map, else its own name. */
static bool is_plaintext(const struct broker_config *config, const char *name)
{
    const char *map = broker_config_get(config, "listener.security.protocol.map", NULL);
    char entry[128];
    snprintf(entry, sizeof entry, "%s:PLAINTEXT", name);
    if (map && list_has(map, entry))
        return true;
    snprintf(entry, sizeof entry, "%s:", name);
    for (const char *at = map; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (strncasecmp(at, entry, strlen(entry)) == 0)
            return false;
    return strcasecmp(name, "PLAINTEXT") == 0;
}

static enum br_err add_listener(void *arg, const char *item, size_t len)
{
    struct listener_ctx *ctx = arg;
    struct broker_config *config = ctx->config;
    struct listener_text text;
    enum br_err err = parse_listener("listeners", item, len, &text, ctx->eb);
    const char *controllers = broker_config_get(config, "controller.listener.names", NULL);
    if (err != BR_OK || (controllers && list_has(controllers, text.name)))
        return err;
    if (!is_plaintext(config, text.name))
        return br_errbuf_set(ctx->eb, BR_UNSUPPORTED, "listeners: %s is not PLAINTEXT: TLS and SASL are not available in this release", text.name);
    if (config->listener_count == LISTENERS_MAX)
        return br_errbuf_set(ctx->eb, BR_INVALID, "listeners: at most %d", LISTENERS_MAX);
    for (unsigned i = 0; i < config->listener_count; i++)
        if (strcasecmp(config->listeners[i].name, text.name) == 0)
            return br_errbuf_set(ctx->eb, BR_INVALID, "listeners: %s is named twice", text.name);
    config->listeners[config->listener_count++] = (struct broker_listener){
        .name = br_strdup(text.name), .host = br_strdup(text.host), .port = text.port,
        .advertised_host = br_strdup(text.host[0] && strcmp(text.host, "0.0.0.0") != 0 && strcmp(text.host, "::") != 0 ? text.host : "localhost"),
    };
    return BR_OK;
}

static enum br_err set_advertised(void *arg, const char *item, size_t len)
{
    struct listener_ctx *ctx = arg;
    struct listener_text text;
    enum br_err err = parse_listener("advertised.listeners", item, len, &text, ctx->eb);
    const char *controllers = broker_config_get(ctx->config, "controller.listener.names", NULL);
    if (err != BR_OK || (controllers && list_has(controllers, text.name)))
        return err;
    if (!text.host[0] || strcmp(text.host, "0.0.0.0") == 0)
        return br_errbuf_set(ctx->eb, BR_INVALID, "advertised.listeners: %s needs an address that clients can reach", text.name);
    for (unsigned i = 0; i < ctx->config->listener_count; i++) {
        struct broker_listener *l = &ctx->config->listeners[i];
        if (strcasecmp(l->name, text.name) != 0)
            continue;
        br_free(l->advertised_host);
        l->advertised_host = br_strdup(text.host);
        l->advertised_port = text.port;
        return BR_OK;
    }
    return br_errbuf_set(ctx->eb, BR_INVALID, "advertised.listeners: %s is not among listeners", text.name);
}

static void name_ineffective(const struct broker_config *config)
{
    char line[900] = "";
    size_t at = 0, len = 0;
    for (struct br_map_entry *e; (e = br_map_next(&config->set, &at));) {
        const struct broker_config_key *key = broker_config_key_find(br_str(e->key, e->key_len));
        bool is_default = key->default_value && strcmp(key->default_value, e->value) == 0;
        if (key->kind == BROKER_K_ACCEPTED && !is_default && len < sizeof line - 80)
            len += (size_t)snprintf(line + len, sizeof line - len, " %s", e->key);
    }
    if (len)
        br_log(BR_LOG_INFO, "config", "accepted without effect:%s", line);
    at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&config->unknown, &at));)
        br_log(BR_LOG_WARN, "config", "unknown key=%s", e->key);
}

enum br_err broker_config_finish(struct broker_config *config, struct br_errbuf *eb)
{
    struct listener_ctx ctx = {config, eb};
    const char *listeners = broker_config_get(config, "listeners", NULL);
    if (!listeners)
        listeners = config->has_file ? "PLAINTEXT://:9092" : "PLAINTEXT://localhost:9092";
    clear_listeners(config);
    enum br_err err = each_item(listeners, add_listener, &ctx);
    if (err == BR_OK && config->listener_count == 0)
        err = br_errbuf_set(eb, BR_INVALID, "listeners=%s: no listener for clients", listeners);
    if (err == BR_OK)
        err = each_item(broker_config_get(config, "advertised.listeners", NULL), set_advertised, &ctx);
    const char *dirs = broker_config_get(config, "log.dirs", NULL);
    if (err == BR_OK && dirs && strchr(dirs, ','))
        err = br_errbuf_set(eb, BR_UNSUPPORTED, "log.dirs=%s: one directory, please; several are not available in this release", dirs);
    if (err == BR_OK)
        name_ineffective(config);
    return err;
}

const struct broker_listener *broker_config_listeners(const struct broker_config *config, unsigned *count)
{
    *count = config->listener_count;
    return config->listeners;
}

struct broker_listener *broker_config_listeners_mut(struct broker_config *config)
{
    return config->listeners;
}

void broker_config_note_file(struct broker_config *config)
{
    config->has_file = true;
}
