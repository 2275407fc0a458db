/* Which topics an order view shows, by name: `orders,payments,app-*`. An item that ends in `*` is a prefix (`*` alone: every user topic). Spaces around
 * items are passed over. Whether a topic is a user topic at all is not asked here. */
#pragma once

#include "compat/base/err.h"
#include "compat/base/map.h"

struct broker_view_filter {
    struct br_map names;     /* item -> a mark */
    struct br_str *prefixes; /* in text */
    size_t prefix_count;
    char *text;
};

/* Takes the next item off the list; false at its end. */
bool broker_view_filter_next(struct br_str *list, struct br_str *item);
/* False: the value is unfit; eb names the item that is empty, no topic name, or internal. */
bool broker_view_filter_check(struct br_str value, struct br_errbuf *eb);
/* value: checked; copied. */
void broker_view_filter_init(struct broker_view_filter *f, const char *value);
void broker_view_filter_clear(struct broker_view_filter *f);
/* One item: the name itself, or a prefix of it followed by `*`. */
bool broker_view_item_has(struct br_str item, struct br_str name);
bool broker_view_filter_has(const struct broker_view_filter *f, struct br_str name);
