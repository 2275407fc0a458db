#include "broker/config.h"
#include "compat/base/buf.h"
#include "compat/base/log.h"
#include "compat/base/map.h"
#include "compat/base/mem.h"
#include "compat/net/addr.h"

#define KEY(name, type, kind, def, valid, doc) {name, BROKER_T_##type, BROKER_K_##kind, def, valid, false, doc},
static const struct broker_config_key keys[] = {
#include "broker/config_keys.def"
};
#undef KEY

#define LISTENERS_MAX 16

/* Keys that belong to something this release does not have; set, they change nothing and are named at start. Those whose loss would weaken security are in
 * the table, refused. */
static const char *const families[] = {"confluent.", "controller.quorum.", "group.share.", "group.streams.", "kafka.metrics.", "log.cleaner.", "metadata.log.",
                                       "password.encoder.", "remote.log.", "replica.fetch.", "replica.socket.", "sasl.kerberos.", "sasl.login.",
                                       "sasl.oauthbearer.", "sasl.server.", "ssl."};

struct value {
    const struct broker_config_key *key;
    char *set; /* from file or override; NULL: the default holds */
};

struct broker_config {
    struct value values[BR_COUNT(keys)];
    struct br_map index;   /* name -> struct value */
    struct br_map others;  /* key -> char *value: of families, and unknown */
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
    br_map_init(&config->index);
    br_map_init(&config->others);
    for (size_t i = 0; i < BR_COUNT(keys); i++) {
        config->values[i].key = &keys[i];
        void *twice = br_map_put(&config->index, keys[i].name, strlen(keys[i].name), &config->values[i]);
        BR_ASSERT(twice == NULL);
    }
    return config;
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
    for (size_t i = 0; i < BR_COUNT(keys); i++)
        br_free(config->values[i].set);
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&config->others, &at));)
        br_free(e->value);
    br_map_clear(&config->others);
    br_map_clear(&config->index);
    br_free(config);
}

/* --- values --- */

/* "a|b|c" */
static bool is_one_of(const char *words, const char *value)
{
    size_t len = strlen(value);
    if (strchr(value, '|'))
        return false;
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
        for (size_t n = len; n && item[n - 1] == ' ';)
            item[--n] = '\0';
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

static enum br_err check_value(const struct broker_config_key *key, const char *text, struct br_errbuf *eb)
{
    const char *valid = key->valid, *shown = key->type == BROKER_T_PASSWORD ? "***" : text;
    bool is_default = key->default_value && strcmp(text, key->default_value) == 0;
    if (key->kind == BROKER_K_REFUSED && !is_default && text[0])
        return br_errbuf_set(eb, BR_UNSUPPORTED, "%s=%.100s: refused: %s", key->name, shown, key->doc);
    if (key->kind != BROKER_K_ACTS && !text[0])
        return BR_OK;
    if (broker_config_value_valid(key->type, valid, text))
        return BR_OK;
    if (valid && valid[0] == '[')
        return br_errbuf_set(eb, BR_INVALID, "%s=%.100s: must be %s in %s", key->name, shown, type_name(key->type), valid);
    return br_errbuf_set(eb, BR_INVALID, "%s=%.100s: must be %s%s", key->name, shown, valid ? "one of " : type_name(key->type), valid ? valid : "");
}

/* Keys that the table does not have. */
static bool is_space(char c) { return c == ' ' || c == '\t'; }

static enum br_err set_other(struct broker_config *config, struct br_str key, const char *text, struct br_errbuf *eb)
{
    if (key.len > 14 && strncmp(key.data, "listener.name.", 14) == 0)
        return br_errbuf_set(eb, BR_UNSUPPORTED, BR_STR_FMT ": refused: TLS and SASL are not available in this release", BR_STR_ARG(key));
    if (key.len > 6 && strncmp(key.data, "braid.", 6) == 0) /* no file of Kafka's has such a key: it is mistyped */
        return br_errbuf_set(eb, BR_INVALID, "%.*s: no such setting; --keys lists them", (int)BR_MIN(key.len, (size_t)80), key.data);
    br_free(br_map_put_str(&config->others, br_str(key.data ? key.data : "", key.len), br_strdup(text)));
    return BR_OK;
}

enum br_err broker_config_set(struct broker_config *config, struct br_str key, struct br_str value, struct br_errbuf *eb)
{
    struct value *v = br_map_get_str(&config->index, key);
    while (value.len && is_space(value.data[0])) /* blanks around a value are never meant */
        value = br_str(value.data + 1, value.len - 1);
    while (value.len && is_space(value.data[value.len - 1]))
        value.len--;
    char *text = br_strndup(value.data ? value.data : "", value.len);
    if (v && v->key->type == BROKER_T_BOOLEAN) /* TRUE is true */
        for (char *c = text; *c; c++)
            *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + ('a' - 'A') : *c);
    enum br_err err = v ? check_value(v->key, text, eb) : set_other(config, key, text, eb);
    if (err == BR_OK && v) {
        br_free(v->set);
        v->set = text;
        return BR_OK;
    }
    br_free(text);
    return err;
}

const char *broker_config_get(const struct broker_config *config, const char *key, bool *is_set)
{
    const struct value *v = br_map_get(&config->index, key, strlen(key));
    BR_ASSERT(v != NULL);
    if (is_set)
        *is_set = v->set != NULL;
    return v->set ? v->set : v->key->default_value;
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

/* --- limits of single addresses --- */

struct per_ip_ctx {
    const char *host; /* NULL: only check */
    int64_t found;    /* -1: not named */
    struct br_errbuf *eb;
};

/* address:count; an IPv6 address may stand in brackets. */
static enum br_err per_ip_item(void *arg, const char *item, size_t len)
{
    struct per_ip_ctx *ctx = arg;
    char text[128], *end;
    snprintf(text, sizeof text, "%.*s", (int)len, item);
    char *colon = strrchr(text, ':'), *host = text;
    if (!colon || colon == text || len >= sizeof text)
        return br_errbuf_set(ctx->eb, BR_INVALID, "max.connections.per.ip.overrides=%s: must be address:count, comma separated", text);
    errno = 0;
    long long count = strtoll(colon + 1, &end, 10);
    if (end == colon + 1 || *end || errno || count < 0)
        return br_errbuf_set(ctx->eb, BR_INVALID, "max.connections.per.ip.overrides=%s: the count must be a number from 0", text);
    *colon = '\0';
    if (host[0] == '[' && colon[-1] == ']') {
        host++;
        colon[-1] = '\0';
    }
    char normal[BR_NET_HOST_TEXT];
    if (!br_net_addr_normal(host, normal))
        return br_errbuf_set(ctx->eb, BR_INVALID, "max.connections.per.ip.overrides: %s is no address", host);
    if (ctx->host && strcmp(ctx->host, normal) == 0)
        ctx->found = count;
    return BR_OK;
}

static enum br_err per_ip_check(const char *overrides, struct br_errbuf *eb)
{
    struct per_ip_ctx ctx = {.eb = eb};
    return each_item(overrides, per_ip_item, &ctx);
}

int64_t broker_config_per_ip_max(const struct broker_config *config, const char *host)
{
    struct per_ip_ctx ctx = {.host = host, .found = -1};
    enum br_err err = each_item(broker_config_get(config, "max.connections.per.ip.overrides", NULL), per_ip_item, &ctx);
    BR_ASSERT(err == BR_OK); /* checked by broker_config_finish */
    return ctx.found >= 0 ? ctx.found : broker_config_int(config, "max.connections.per.ip");
}

/* --- listeners --- */

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

/* Every interface: nothing a client could connect to. */
static bool is_any(const char *host)
{
    return !host[0] || strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0;
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
        .advertised_host = is_any(text.host) ? NULL : br_strdup(text.host),
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
    if (is_any(text.host))
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

static bool is_of_family(const char *name)
{
    for (size_t i = 0; i < BR_COUNT(families); i++)
        if (strncmp(name, families[i], strlen(families[i])) == 0)
            return true;
    return false;
}

/* One line for all that was accepted without effect, however many. */
static void name_ineffective(const struct broker_config *config)
{
    struct br_buf line;
    size_t at = 0;
    br_buf_init(&line, 16384);
    for (size_t i = 0; i < BR_COUNT(keys); i++) {
        const struct value *v = &config->values[i];
        bool is_default = v->set && v->key->default_value && strcmp(v->key->default_value, v->set) == 0;
        if (v->set && v->key->kind == BROKER_K_ACCEPTED && !is_default)
            br_buf_printf(&line, " %s", v->key->name);
    }
    for (struct br_map_entry *e; (e = br_map_next(&config->others, &at));)
        if (is_of_family(e->key))
            br_buf_printf(&line, " %.80s", e->key);
    if (line.len)
        br_log(BR_LOG_INFO, "config", "accepted without effect:%.*s", (int)line.len, (const char *)line.data);
    br_buf_clear(&line);
    at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&config->others, &at));)
        if (!is_of_family(e->key))
            br_log(BR_LOG_WARN, "config", "unknown key=%.80s", e->key);
}

/* Settings that only make sense together. */
static enum br_err cross_check(const struct broker_config *config, struct br_errbuf *eb)
{
    const char *dirs = broker_config_get(config, "log.dirs", NULL), *voters = broker_config_get(config, "controller.quorum.voters", NULL);
    int64_t node = broker_config_int(config, "node.id"), broker = broker_config_int(config, "broker.id");
    if (dirs && strchr(dirs, ','))
        return br_errbuf_set(eb, BR_UNSUPPORTED, "log.dirs=%.200s: one directory, please; several are not available in this release", dirs);
    if (node >= 0 && broker >= 0 && node != broker)
        return br_errbuf_set(eb, BR_INVALID, "node.id=%" PRId64 " and broker.id=%" PRId64 ": must be the same where both are given", node, broker);
    if (broker_config_int(config, "group.min.session.timeout.ms") > broker_config_int(config, "group.max.session.timeout.ms"))
        return br_errbuf_set(eb, BR_INVALID, "group.min.session.timeout.ms: must not be above group.max.session.timeout.ms");
    if (voters && strchr(voters, ','))
        br_log(BR_LOG_WARN, "config", "controller.quorum.voters names several nodes: this node is one by itself, nothing is replicated");
    return per_ip_check(broker_config_get(config, "max.connections.per.ip.overrides", NULL), eb);
}

/* What clients are told where nothing was said: the bound host, or this machine's name. */
static void fill_advertised(struct broker_config *config)
{
    char name[256] = "";
    for (unsigned i = 0; i < config->listener_count; i++) {
        struct broker_listener *l = &config->listeners[i];
        if (l->advertised_host)
            continue;
        if (!name[0])
            br_net_own_name(name, sizeof name);
        l->advertised_host = br_strdup(name);
    }
}

enum br_err broker_config_finish(struct broker_config *config, struct br_errbuf *eb)
{
    struct listener_ctx ctx = {config, eb};
    const char *listeners = broker_config_get(config, "listeners", NULL);
    if (!listeners)
        listeners = config->has_file ? "PLAINTEXT://:9092" : "PLAINTEXT://localhost:9092";
    clear_listeners(config);
    enum br_err err = cross_check(config, eb);
    if (err == BR_OK)
        err = each_item(listeners, add_listener, &ctx);
    if (err == BR_OK && config->listener_count == 0)
        err = br_errbuf_set(eb, BR_INVALID, "listeners=%.200s: no listener for clients", listeners);
    if (err == BR_OK)
        err = each_item(broker_config_get(config, "advertised.listeners", NULL), set_advertised, &ctx);
    if (err != BR_OK)
        return err;
    fill_advertised(config);
    name_ineffective(config);
    return BR_OK;
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
