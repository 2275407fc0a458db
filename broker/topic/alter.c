#include "broker/topic/alter.h"
#include "broker/topic/catalog_int.h"

enum { RESOURCE_TOPIC = 2, RESOURCE_BROKER = 4 };

/* Whether the comma-separated list has the element. */
static bool has_item(const char *list, const char *item, size_t len)
{
    for (const char *at = list; at && *at;) {
        size_t size = strcspn(at, ",");
        if (size == len && memcmp(at, item, len) == 0)
            return true;
        at += size;
        at += *at == ',';
    }
    return false;
}

/* Adds the elements of `from` that are (or are not) in `in`. */
static void add_items(struct br_buf *out, const char *from, const char *in, bool wants_in)
{
    for (const char *at = from; at && *at;) {
        size_t len = strcspn(at, ",");
        if (len > 0 && has_item(in, at, len) == wants_in) {
            if (out->len > 0)
                br_buf_add8(out, ',');
            br_buf_add(out, at, len);
        }
        at += len;
        at += *at == ',';
    }
}

/* The list with the elements of `value` added at the end, or taken away; both comma separated. NULL: too long. */
static char *edit_list(const char *list, struct br_str value, bool append)
{
    struct br_buf out;
    char *items = br_strndup(value.data, value.len);
    br_buf_init(&out, BROKER_TOPIC_VALUE_MAX);
    add_items(&out, list, append ? "" : items, false);
    if (append)
        add_items(&out, items, list, false);
    char *text = out.failed ? NULL : br_strndup(out.data ? (char *)out.data : "", out.len);
    br_buf_clear(&out);
    br_free(items);
    return text;
}

static enum kw_error apply_op(struct broker *b, const struct broker_topic *topic, struct br_map *overrides, const struct broker_alter_op *op, struct br_errbuf *eb)
{
    const struct broker_topic_key *key = broker_topic_key_find(op->name);
    if (!key) {
        br_errbuf_set(eb, BR_INVALID, "unknown topic config %.*s", (int)BR_MIN(op->name.len, (size_t)80), op->name.data);
        return KW_INVALID_CONFIG;
    }
    if (key->is_fixed) {
        br_errbuf_set(eb, BR_INVALID, "%s is fixed when the topic is created", key->name);
        return KW_INVALID_CONFIG;
    }
    if (topic->is_internal && broker_topic_config_internal(key)) {
        br_errbuf_set(eb, BR_INVALID, "%s of an internal topic is always %s", key->name, broker_topic_config_internal(key));
        return KW_INVALID_CONFIG;
    }
    if (op->op == BROKER_ALTER_DELETE) {
        br_free(br_map_remove_str(overrides, op->name));
        return KW_NONE;
    }
    if (br_str_is_null(op->value)) {
        br_errbuf_set(eb, BR_INVALID, "%s: null is no value", key->name);
        return KW_INVALID_REQUEST;
    }
    char *value;
    if (op->op == BROKER_ALTER_SET) {
        value = br_strndup(op->value.data, op->value.len);
    } else if (op->op == BROKER_ALTER_APPEND || op->op == BROKER_ALTER_SUBTRACT) {
        char scratch[32];
        const char *from, *now = br_map_get_str(overrides, op->name);
        if (key->type != BROKER_T_LIST) {
            br_errbuf_set(eb, BR_INVALID, "%s is not a list", key->name);
            return KW_INVALID_CONFIG;
        }
        value = edit_list(now ? now : broker_topic_config_inherited(b->config, key, &from, scratch), op->value, op->op == BROKER_ALTER_APPEND);
        if (!value) {
            br_errbuf_set(eb, BR_INVALID, "the value of %s would be longer than %d bytes", key->name, BROKER_TOPIC_VALUE_MAX);
            return KW_INVALID_CONFIG;
        }
    } else {
        br_errbuf_set(eb, BR_INVALID, "operation %d is not known", op->op);
        return KW_INVALID_REQUEST;
    }
    enum kw_error error = broker_topic_config_check(op->name, br_str_c(value), eb);
    if (error != KW_NONE || key->is_dropped)
        br_free(value);
    else
        br_free(br_map_put_str(overrides, op->name, value));
    return error;
}

static enum kw_error check_resource(struct broker *b, const struct broker_alter *alter, struct broker_topic **out, struct br_errbuf *eb)
{
    if (alter->is_twice) {
        br_errbuf_set(eb, BR_INVALID, "the resource is named twice in this request");
        return KW_INVALID_REQUEST;
    }
    if (alter->resource_type != RESOURCE_TOPIC) {
        br_errbuf_set(eb, BR_UNSUPPORTED, "%s settings cannot be changed at run time in this release: use server.properties",
                      alter->resource_type == RESOURCE_BROKER ? "broker" : "these");
        return KW_INVALID_REQUEST;
    }
    *out = broker_catalog_find(b->catalog, alter->resource_name);
    if (!*out)
        return broker_topic_name_check(alter->resource_name, eb) != KW_NONE ? KW_INVALID_TOPIC_EXCEPTION : KW_UNKNOWN_TOPIC_OR_PARTITION;
    if ((*out)->view && (*out)->is_internal) {
        br_errbuf_set(eb, BR_INVALID, "%s has no settings of its own", (*out)->name);
        return KW_INVALID_CONFIG;
    }
    return KW_NONE;
}

/* The settings that the operations change: none of two changes at a time is lost. What is fixed stays, named or not. */
static void start_from(struct br_map *overrides, const struct broker_topic *topic, bool replaces_all)
{
    size_t at = 0;
    broker_overrides_copy(overrides, broker_topic_overrides_next(topic));
    for (struct br_map_entry *e; replaces_all && (e = br_map_next(overrides, &at));)
        if (!broker_topic_key_find(br_str(e->key, e->key_len))->is_fixed)
            br_free(br_map_remove(overrides, e->key, e->key_len));
}

void broker_alter_resource(struct broker_changes *changes, const struct broker_alter *alter, const struct broker_alter_op *ops, int32_t count, int16_t *error,
                           struct br_str *message)
{
    struct broker_request *req = changes->req;
    struct broker *b = req->broker;
    struct broker_topic *topic = NULL;
    struct br_errbuf eb = {{0}};
    struct br_map overrides, seen;
    static char named;
    br_map_init(&overrides);
    br_map_init(&seen);
    enum kw_error code = check_resource(b, alter, &topic, &eb);
    if (code == KW_NONE)
        start_from(&overrides, topic, alter->replaces_all);
    for (int32_t i = 0; code == KW_NONE && i < count; i++) {
        if (br_map_put_str(&seen, ops[i].name, &named)) {
            br_errbuf_set(&eb, BR_INVALID, BR_STR_FMT " is named twice", BR_STR_ARG(ops[i].name));
            code = KW_INVALID_REQUEST;
        } else {
            code = apply_op(b, topic, &overrides, &ops[i], &eb);
        }
    }
    if (code == KW_NONE)
        code = broker_topic_overrides_check(&overrides, &eb);
    *error = (int16_t)code;
    *message = br_str(NULL, 0);
    if (code != KW_NONE)
        *message = br_str_c(br_arena_printf(&req->arena, "%s", eb.text[0] ? eb.text : kw_error_text(code)));
    else if (!alter->validate_only)
        broker_catalog_alter(b->catalog, topic, &overrides, broker_change_done, broker_changes_add(changes, error, NULL, NULL));
    broker_overrides_clear(&overrides);
    br_map_clear(&seen);
}
