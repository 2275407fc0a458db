#include "broker/view/filter.h"
#include "broker/topic/catalog.h"
#include "broker/view/order_view.h"
#include "compat/base/mem.h"

static char mark; /* its address says that a name is there */

bool broker_view_filter_next(struct br_str *list, struct br_str *item)
{
    if (br_str_is_null(*list))
        return false;
    const char *comma = list->len ? memchr(list->data, ',', list->len) : NULL;
    *item = br_str(list->data, comma ? (size_t)(comma - list->data) : list->len);
    *list = comma ? br_str(comma + 1, list->len - item->len - 1) : br_str(NULL, 0);
    while (item->len > 0 && item->data[0] == ' ')
        *item = br_str(item->data + 1, item->len - 1);
    while (item->len > 0 && item->data[item->len - 1] == ' ')
        item->len--;
    return true;
}

/* Cuts the `*` off; true when there was one. */
static bool is_prefix(struct br_str *item)
{
    if (item->len == 0 || item->data[item->len - 1] != '*')
        return false;
    item->len--;
    return true;
}

bool broker_view_filter_check(struct br_str value, struct br_errbuf *eb)
{
    struct br_str rest = value, item;
    while (broker_view_filter_next(&rest, &item)) {
        struct br_str name = item;
        bool may_be_empty = is_prefix(&name);
        if (name.len == 0 && may_be_empty)
            continue;
        if (broker_topic_name_check(name, eb) != KW_NONE) {
            char why[sizeof eb->text / 2];
            snprintf(why, sizeof why, "%.*s", (int)sizeof why - 1, eb ? eb->text : "");
            br_errbuf_set(eb, BR_INVALID, "braid.order.view: '%.*s' is neither a topic name nor a prefix followed by *: %s", (int)BR_MIN(item.len, (size_t)100), item.data, why);
            return false;
        }
        if (!may_be_empty && (broker_topic_name_is_internal(name) || br_str_eq_c(name, BROKER_ORDER_TOPIC))) {
            br_errbuf_set(eb, BR_INVALID, "braid.order.view: " BR_STR_FMT " is internal, and no view shows internal topics", BR_STR_ARG(name));
            return false;
        }
    }
    return true;
}

void broker_view_filter_init(struct broker_view_filter *f, const char *value)
{
    *f = (struct broker_view_filter){.text = br_strdup(value)};
    br_map_init(&f->names);
    struct br_str rest = br_str_c(f->text), item;
    while (broker_view_filter_next(&rest, &item)) {
        if (is_prefix(&item)) {
            f->prefixes = br_realloc(f->prefixes, (f->prefix_count + 1) * sizeof *f->prefixes);
            f->prefixes[f->prefix_count++] = item;
        } else {
            br_map_put_str(&f->names, item, &mark);
        }
    }
}

void broker_view_filter_clear(struct broker_view_filter *f)
{
    br_map_clear(&f->names);
    br_free(f->prefixes);
    br_free(f->text);
    *f = (struct broker_view_filter){0};
}

static bool begins_with(struct br_str name, struct br_str prefix)
{
    return name.len >= prefix.len && (prefix.len == 0 || memcmp(name.data, prefix.data, prefix.len) == 0);
}

bool broker_view_item_has(struct br_str item, struct br_str name)
{
    return is_prefix(&item) ? begins_with(name, item) : br_str_eq(name, item);
}

bool broker_view_filter_has(const struct broker_view_filter *f, struct br_str name)
{
    if (br_map_get_str(&f->names, name))
        return true;
    for (size_t i = 0; i < f->prefix_count; i++)
        if (begins_with(name, f->prefixes[i]))
            return true;
    return false;
}
