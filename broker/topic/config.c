#include "broker/topic/config.h"
#include "broker/view/filter.h"
#include "compat/base/mem.h"
#include "compat/zip/zip.h"
#include <limits.h>

#define MAX_LONG "9223372036854775807"
#define NUMBER "[-1," MAX_LONG "]"

/* Every topic key that Kafka knows. */
static const struct broker_topic_key keys[] = {
    {"cleanup.policy", BROKER_T_LIST, "delete", "log.cleanup.policy", "delete", true, false, false, "delete: old segments go. compact is not available in this release."},
    {"retention.ms", BROKER_T_LONG, "604800000", "log.retention.ms", NUMBER, true, false, false, "Age at which segments go, by the broker's clock; -1 never."},
    {"retention.bytes", BROKER_T_LONG, "-1", "log.retention.bytes", NUMBER, true, false, false, "Size above which the oldest segments go; -1 none."},
    {"segment.bytes", BROKER_T_INT, "1073741824", "log.segment.bytes", "[1048576,2147483647]", true, false, false, "Size of a segment."},
    {"segment.ms", BROKER_T_LONG, "604800000", "log.roll.ms", "[1," MAX_LONG "]", true, false, false, "Age at which a segment is closed, by the broker's clock."},
    {"index.interval.bytes", BROKER_T_INT, "4096", "log.index.interval.bytes", "[0,2147483647]", true, false, false, "An index entry about every so many bytes."},
    {"max.message.bytes", BROKER_T_INT, "1048588", "message.max.bytes", "[0,2147483647]", true, false, false, "Largest batch."},
    {"min.insync.replicas", BROKER_T_INT, "1", "min.insync.replicas", "[1,2147483647]", true, false, false, "acks=all needs this many in-sync replicas; there is one."},
    {"compression.type", BROKER_T_STRING, "producer", "compression.type", "producer|uncompressed|gzip|snappy|lz4|zstd", true, false, false, "Codec that batches are stored with."},
    {"compression.gzip.level", BROKER_T_INT, "-1", "compression.gzip.level", "[-1,9]", true, false, false, "Level when recompressing."},
    {"compression.lz4.level", BROKER_T_INT, "9", "compression.lz4.level", "[1,17]", true, false, false, "Level when recompressing."},
    {"compression.zstd.level", BROKER_T_INT, "3", "compression.zstd.level", "[-131072,22]", true, false, false, "Level when recompressing."},
    {"message.timestamp.type", BROKER_T_STRING, "CreateTime", "log.message.timestamp.type", "CreateTime|LogAppendTime", true, false, false, "Whose time records carry."},
    {"message.timestamp.before.max.ms", BROKER_T_LONG, MAX_LONG, "log.message.timestamp.before.max.ms", "[0," MAX_LONG "]", true, false, false, "How far in the past a timestamp may lie."},
    {"message.timestamp.after.max.ms", BROKER_T_LONG, "3600000", "log.message.timestamp.after.max.ms", "[0," MAX_LONG "]", true, false, false, "How far in the future a timestamp may lie."},
    {"braid.durability", BROKER_T_STRING, "fsync", "braid.durability", "fsync|page-cache", true, false, false, "What an acknowledgement means: on stable storage, or written to the page cache."},
    {"braid.order.view", BROKER_T_LIST, "", NULL, NULL, true, false, true, "Makes the topic an order view of the user topics named (a trailing * makes a prefix, * alone is all): one partition whose offset is the position in the total order. Fixed when the topic is created."},
    {"braid.order.headers", BROKER_T_BOOLEAN, "true", NULL, "true|false", true, false, false, "Of an order view: records carry braid.topic, braid.partition and braid.offset after their own headers. false: stored batches are served as they are, but for their offset."},
    {"unclean.leader.election.enable", BROKER_T_BOOLEAN, "false", "unclean.leader.election.enable", "true|false", false, false, false, "There is one replica: no election can be unclean."},
    {"segment.jitter.ms", BROKER_T_LONG, "0", "log.roll.jitter.ms", "[0," MAX_LONG "]", false, false, false, "No effect."},
    {"segment.index.bytes", BROKER_T_INT, "10485760", "log.index.size.max.bytes", "[4,2147483647]", false, false, false, "No effect: indexes grow as needed."},
    {"delete.retention.ms", BROKER_T_LONG, "86400000", "log.cleaner.delete.retention.ms", "[0," MAX_LONG "]", false, false, false, "No effect: there is no compaction."},
    {"min.compaction.lag.ms", BROKER_T_LONG, "0", "log.cleaner.min.compaction.lag.ms", "[0," MAX_LONG "]", false, false, false, "No effect: there is no compaction."},
    {"max.compaction.lag.ms", BROKER_T_LONG, MAX_LONG, "log.cleaner.max.compaction.lag.ms", "[1," MAX_LONG "]", false, false, false, "No effect: there is no compaction."},
    {"min.cleanable.dirty.ratio", BROKER_T_DOUBLE, "0.5", "log.cleaner.min.cleanable.ratio", NULL, false, false, false, "No effect: there is no compaction."},
    {"file.delete.delay.ms", BROKER_T_LONG, "60000", "log.segment.delete.delay.ms", "[0," MAX_LONG "]", false, false, false, "No effect: files go when their last reader has gone."},
    {"flush.messages", BROKER_T_LONG, MAX_LONG, "log.flush.interval.messages", "[1," MAX_LONG "]", false, false, false, "No effect: braid.durability decides."},
    {"flush.ms", BROKER_T_LONG, MAX_LONG, "log.flush.interval.ms", "[0," MAX_LONG "]", false, false, false, "No effect: braid.durability decides."},
    {"preallocate", BROKER_T_BOOLEAN, "false", "log.preallocate", "true|false", false, false, false, "No effect."},
    {"follower.replication.throttled.replicas", BROKER_T_LIST, "", NULL, NULL, false, false, false, "No effect: there is one replica."},
    {"leader.replication.throttled.replicas", BROKER_T_LIST, "", NULL, NULL, false, false, false, "No effect: there is one replica."},
    {"remote.storage.enable", BROKER_T_BOOLEAN, "false", NULL, "false", false, false, false, "There is no tiered storage."},
    {"local.retention.ms", BROKER_T_LONG, "-2", "log.local.retention.ms", "[-2," MAX_LONG "]", false, false, false, "No effect: there is no tiered storage."},
    {"local.retention.bytes", BROKER_T_LONG, "-2", "log.local.retention.bytes", "[-2," MAX_LONG "]", false, false, false, "No effect: there is no tiered storage."},
    {"remote.log.copy.disable", BROKER_T_BOOLEAN, "false", NULL, "true|false", false, false, false, "No effect: there is no tiered storage."},
    {"remote.log.delete.on.disable", BROKER_T_BOOLEAN, "false", NULL, "true|false", false, false, false, "No effect: there is no tiered storage."},
    {"message.format.version", BROKER_T_STRING, NULL, NULL, NULL, false, true, false, "Gone from Kafka 4."},
    {"message.downconversion.enable", BROKER_T_BOOLEAN, NULL, NULL, NULL, false, true, false, "Gone from Kafka 4."},
    {"message.timestamp.difference.max.ms", BROKER_T_LONG, NULL, NULL, NULL, false, true, false, "Gone from Kafka 4."},
};

const struct broker_topic_key *broker_topic_keys(size_t *count)
{
    *count = BR_COUNT(keys);
    return keys;
}

const struct broker_topic_key *broker_topic_key_find(struct br_str name)
{
    for (size_t i = 0; i < BR_COUNT(keys); i++)
        if (br_str_eq_c(name, keys[i].name))
            return &keys[i];
    return NULL;
}

void broker_overrides_clear(struct br_map *overrides)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(overrides, &at));)
        br_free(e->value);
    br_map_clear(overrides);
}

void broker_overrides_copy(struct br_map *to, const struct br_map *from)
{
    size_t at = 0;
    br_map_init(to);
    for (struct br_map_entry *e; (e = br_map_next(from, &at));)
        br_map_put(to, e->key, e->key_len, br_strdup(e->value));
}

enum kw_error broker_topic_config_check(struct br_str key, struct br_str value, struct br_errbuf *eb)
{
    const struct broker_topic_key *known = broker_topic_key_find(key);
    if (!known) {
        br_errbuf_set(eb, BR_INVALID, "unknown topic config %.*s", (int)BR_MIN(key.len, (size_t)80), key.data ? key.data : "");
        return KW_INVALID_CONFIG;
    }
    if (br_str_is_null(value)) {
        br_errbuf_set(eb, BR_INVALID, "%s: null is no value", known->name);
        return KW_INVALID_CONFIG;
    }
    if (known->is_dropped)
        return KW_NONE;
    if (value.len > BROKER_TOPIC_VALUE_MAX) {
        br_errbuf_set(eb, BR_INVALID, "the value of %s is longer than %d bytes", known->name, BROKER_TOPIC_VALUE_MAX);
        return KW_INVALID_CONFIG;
    }
    char *text = br_strndup(value.data, value.len);
    bool may_be_empty = known->type == BROKER_T_LIST && !known->valid;
    if (strcmp(known->name, "braid.order.view") == 0 && strlen(text) == value.len) {
        bool fits = broker_view_filter_check(value, eb);
        br_free(text);
        return fits ? KW_NONE : KW_INVALID_CONFIG;
    }
    bool is_valid = strlen(text) == value.len && (value.len > 0 || may_be_empty) && broker_config_value_valid(known->type, known->valid, text);
    if (!is_valid)
        br_errbuf_set(eb, BR_INVALID, "invalid value '%.80s' for %s: allowed is %s. %s", text, known->name, known->valid ? known->valid : "any value of its type",
                      known->doc);
    br_free(text);
    return is_valid ? KW_NONE : KW_INVALID_CONFIG;
}

bool broker_topic_overrides_have_view(const struct br_map *overrides) { return br_map_get_str(overrides, br_str_c("braid.order.view")) != NULL; }

bool broker_topic_key_is_of_views(const struct broker_topic_key *key) { return strncmp(key->name, "braid.order.", 12) == 0; }

static bool has_order_headers(const struct br_map *overrides)
{
    const char *value = br_map_get_str(overrides, br_str_c("braid.order.headers"));
    return !value || strcmp(value, "true") == 0;
}

const char *broker_topic_config_view_codec(const struct br_map *overrides) { return has_order_headers(overrides) ? "uncompressed" : "producer"; }

/* What acts on topics with data does nothing on a view, so it is refused there rather than passed over. */
static bool fits_view(const struct br_map *overrides, const char *key, const char *value, struct br_errbuf *eb)
{
    bool is_codec = strcmp(key, "compression.type") == 0;
    if (is_codec && has_order_headers(overrides) && strcmp(value, "producer") == 0)
        br_errbuf_set(eb, BR_INVALID, "compression.type=producer: an order view encodes records anew; only with braid.order.headers=false are batches served as stored");
    else if (is_codec && !has_order_headers(overrides) && strcmp(value, "producer") != 0)
        br_errbuf_set(eb, BR_INVALID, "compression.type=%s: with braid.order.headers=false batches are served as stored", value);
    else if (is_codec || strncmp(key, "braid.order.", 12) == 0 || strncmp(key, "compression.", 12) == 0 || !broker_topic_key_find(br_str_c(key))->is_obeyed)
        return true;
    else
        br_errbuf_set(eb, BR_INVALID, "%s=%.80s does not fit an order view, which has no data of its own", key, value);
    return false;
}

enum kw_error broker_topic_overrides_check(const struct br_map *overrides, struct br_errbuf *eb)
{
    size_t at = 0;
    bool is_view = broker_topic_overrides_have_view(overrides);
    if (!is_view && br_map_get_str(overrides, br_str_c("braid.order.headers"))) {
        br_errbuf_set(eb, BR_INVALID, "braid.order.headers is of order views: braid.order.view is not set");
        return KW_INVALID_CONFIG;
    }
    for (struct br_map_entry *e; is_view && (e = br_map_next(overrides, &at));)
        if (!fits_view(overrides, e->key, e->value, eb))
            return KW_INVALID_CONFIG;
    return KW_NONE;
}

const char *broker_topic_config_internal(const struct broker_topic_key *key)
{
    static const char *const fixed[][2] = {
        {"cleanup.policy", "delete"}, {"retention.ms", "-1"}, {"retention.bytes", "-1"}, {"max.message.bytes", "2147483647"}, {"braid.durability", "fsync"}};
    for (size_t i = 0; i < BR_COUNT(fixed); i++)
        if (strcmp(key->name, fixed[i][0]) == 0)
            return fixed[i][1];
    return NULL;
}

const char *broker_topic_config_inherited(const struct broker_config *config, const struct broker_topic_key *key, const char **from, char scratch[static 32])
{
    static const struct {
        const char *topic, *synonym;
        int64_t factor;
    } also[] = {{"retention.ms", "log.retention.minutes", 60000}, {"retention.ms", "log.retention.hours", 3600000}, {"segment.ms", "log.roll.hours", 3600000}};
    bool is_set = false;
    *from = NULL;
    if (!key->broker_synonym)
        return key->default_value;
    const char *value = broker_config_get(config, key->broker_synonym, &is_set);
    if (is_set) {
        *from = key->broker_synonym;
        return value;
    }
    for (size_t i = 0; i < BR_COUNT(also); i++) {
        if (strcmp(also[i].topic, key->name) != 0)
            continue;
        value = broker_config_get(config, also[i].synonym, &is_set);
        if (!is_set)
            continue;
        int64_t number = strtoll(value, NULL, 10);
        *from = also[i].synonym;
        snprintf(scratch, 32, "%" PRId64, number < 0 ? number : number * also[i].factor);
        return scratch;
    }
    return key->default_value;
}

/* Where the values of one topic come from. */
struct sources {
    const struct broker_config *config;
    const struct br_map *overrides;
    bool is_internal;
};

/* Value in force of one key. */
static const char *in_force(const struct sources *s, const char *name, char scratch[static 32])
{
    const struct broker_topic_key *key = broker_topic_key_find(br_str_c(name));
    BR_ASSERT(key != NULL);
    const char *from, *value = s->is_internal ? broker_topic_config_internal(key) : NULL;
    if (!value)
        value = br_map_get(s->overrides, name, strlen(name));
    return value ? value : broker_topic_config_inherited(s->config, key, &from, scratch);
}

static int64_t number(const struct sources *s, const char *name)
{
    char scratch[32];
    return strtoll(in_force(s, name, scratch), NULL, 10);
}

void broker_topic_settings_make(const struct broker_config *config, const struct br_map *overrides, bool is_internal, struct broker_topic_settings *out)
{
    char scratch[32];
    const struct sources sources = {config, overrides, is_internal}, *s = &sources;
    *out = (struct broker_topic_settings){
        .log = {
            .segment_bytes = (uint32_t)number(s, "segment.bytes"),
            .segment_ms = number(s, "segment.ms"),
            .index_interval_bytes = (uint32_t)number(s, "index.interval.bytes"),
            .retention_ms = number(s, "retention.ms"),
            .retention_bytes = number(s, "retention.bytes"),
        },
        .max_message_bytes = (uint32_t)number(s, "max.message.bytes"),
        .compression = -1, .compression_level = INT_MIN,
        .is_log_append_time = strcmp(in_force(s, "message.timestamp.type", scratch), "LogAppendTime") == 0,
        .before_max_ms = number(s, "message.timestamp.before.max.ms"),
        .after_max_ms = number(s, "message.timestamp.after.max.ms"),
        .min_insync_replicas = (int32_t)number(s, "min.insync.replicas"),
        .durability = strcmp(in_force(s, "braid.durability", scratch), "page-cache") == 0 ? ORDER_PAGE_CACHE : ORDER_FSYNC,
        .can_delete = true,
        .has_order_headers = has_order_headers(overrides),
    };
    const char *codec = in_force(s, "compression.type", scratch);
    if (broker_topic_overrides_have_view(overrides) && !br_map_get_str(overrides, br_str_c("compression.type")))
        codec = broker_topic_config_view_codec(overrides); /* not the broker's: that is for stored batches */
    if (strcmp(codec, "uncompressed") == 0)
        out->compression = KW_CODEC_NONE;
    for (int i = KW_CODEC_GZIP; i < KW_CODEC_COUNT; i++)
        if (strcmp(codec, kw_codec_name(i)) == 0)
            out->compression = i;
    if (out->compression == KW_CODEC_GZIP)
        out->compression_level = (int)number(s, "compression.gzip.level");
    if (out->compression == KW_CODEC_LZ4)
        out->compression_level = (int)number(s, "compression.lz4.level");
    if (out->compression == KW_CODEC_ZSTD)
        out->compression_level = (int)number(s, "compression.zstd.level");
}
