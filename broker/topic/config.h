/* Topic settings: one table of every key Kafka knows with its broker synonym, what Braid does with it (obey, refuse some values with a reason,
 * ignore openly), and a parsed form that the data path reads. */
#pragma once

#include "broker/config.h"
#include "compat/base/map.h"
#include "compat/wire/error.h"
#include "order/core/ids.h"
#include "storage/log.h"

struct broker_topic_key {
    const char *name;
    enum broker_config_type type;
    const char *default_value;
    const char *broker_synonym; /* "log.retention.ms", or NULL */
    const char *valid;
    bool is_obeyed;             /* false: accepted, shown, without effect */
    bool is_dropped;            /* gone from 4.x: accepted and silently dropped (old scripts send them) */
    bool is_fixed;              /* fixed at creation (braid.order.view) */
    const char *doc;
};
const struct broker_topic_key *broker_topic_keys(size_t *count);
const struct broker_topic_key *broker_topic_key_find(struct br_str name);

/* What the data path needs, parsed; defaults from the broker's properties. */
struct broker_topic_settings {
    struct store_log_config log;
    uint32_t max_message_bytes;
    int compression;          /* enum kw_codec, or -1 = producer */
    int compression_level;    /* of the chosen codec; INT_MIN default */
    bool is_log_append_time;
    int64_t before_max_ms, after_max_ms;
    int32_t min_insync_replicas;
    enum order_class durability; /* braid.durability */
    bool can_delete;          /* cleanup.policy has delete */
    bool has_order_headers;   /* braid.order.headers, of an order view */
};

#define BROKER_TOPIC_VALUE_MAX 32767 /* bytes of one setting: catalog records have 2-byte lengths */

/* Overrides: key -> char * value, both owned by the map. */
void broker_overrides_clear(struct br_map *overrides);
void broker_overrides_copy(struct br_map *to, const struct br_map *from); /* `to` is made; whatever it held is not freed */

/* Checks one override. KW_NONE, or INVALID_CONFIG with a message naming key, value and what is allowed. */
enum kw_error broker_topic_config_check(struct br_str key, struct br_str value, struct br_errbuf *eb);
/* Checks overrides, each good by itself, together: INVALID_CONFIG for what does not fit an order view, or is for views only. */
enum kw_error broker_topic_overrides_check(const struct br_map *overrides, struct br_errbuf *eb);
/* Whether they make the topic an order view. */
bool broker_topic_overrides_have_view(const struct br_map *overrides);
/* Settings of filtered views only: shown and set on no other topic. */
bool broker_topic_key_is_of_views(const struct broker_topic_key *key);
/* The default of compression.type on an order view: the broker's property is for stored batches. */
const char *broker_topic_config_view_codec(const struct br_map *overrides);
/* What holds on internal topics whatever the broker's properties say, and cannot be changed there: group state must not age out and lies in the strongest
 * class. NULL: the key is free. */
const char *broker_topic_config_internal(const struct broker_topic_key *key);
/* overrides: key -> char * value. */
void broker_topic_settings_make(const struct broker_config *config, const struct br_map *overrides, bool is_internal, struct broker_topic_settings *out);

/* The value a topic has without an override: from the broker's properties (*from: which), else the default (*from NULL). May use scratch. */
const char *broker_topic_config_inherited(const struct broker_config *config, const struct broker_topic_key *key, const char **from, char scratch[static 32]);
