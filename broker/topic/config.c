#include "broker/topic/config.h"
#include "compat/zip/zip.h"
#include <limits.h>

#define MAX_LONG "9223372036854775807"
#define NUMBER "[-1," MAX_LONG "]"

/* KAFKA.md 4.1: every topic key that Kafka knows. */
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

enum kw_error broker_topic_config_check(struct br_str key, struct br_str value, struct br_errbuf *eb)
{
    const struct broker_topic_key *known = broker_topic_key_find(key);
    char text[256];
    if (!known) {
        br_errbuf_set(eb, BR_INVALID, "unknown topic config " BR_STR_FMT, BR_STR_ARG(key));
        return KW_INVALID_CONFIG;
    }
    if (br_str_is_null(value)) {
        br_errbuf_set(eb, BR_INVALID, "%s: null is no value", known->name);
        return KW_INVALID_CONFIG;
    }
    if (known->is_dropped)
        return KW_NONE;
    snprintf(text, sizeof text, BR_STR_FMT, BR_STR_ARG(value));
    if (value.len < sizeof text && memchr(value.data, 0, value.len) == NULL && broker_config_value_valid(known->type, known->valid, text) &&
        !(known->type != BROKER_T_LIST && value.len == 0) && !(strcmp(known->name, "cleanup.policy") == 0 && value.len == 0))
        return KW_NONE;
    br_errbuf_set(eb, BR_INVALID, "invalid value %.80s for %s: allowed is %s. %s", text, known->name, known->valid ? known->valid : "any value of its type", known->doc);
    return KW_INVALID_CONFIG;
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

/* Value in force of one key. */
static const char *in_force(const struct broker_config *config, const struct br_map *overrides, const char *name, char scratch[static 32])
{
    const struct broker_topic_key *key = broker_topic_key_find(br_str_c(name));
    const char *from, *value = br_map_get(overrides, name, strlen(name));
    BR_ASSERT(key != NULL);
    return value ? value : broker_topic_config_inherited(config, key, &from, scratch);
}

static int64_t number(const struct broker_config *config, const struct br_map *overrides, const char *name)
{
    char scratch[32];
    return strtoll(in_force(config, overrides, name, scratch), NULL, 10);
}

void broker_topic_settings_make(const struct broker_config *config, const struct br_map *overrides, struct broker_topic_settings *out)
{
    char scratch[32];
    *out = (struct broker_topic_settings){
        .log = {
            .segment_bytes = (uint32_t)number(config, overrides, "segment.bytes"),
            .segment_ms = number(config, overrides, "segment.ms"),
            .index_interval_bytes = (uint32_t)number(config, overrides, "index.interval.bytes"),
            .retention_ms = number(config, overrides, "retention.ms"),
            .retention_bytes = number(config, overrides, "retention.bytes"),
        },
        .max_message_bytes = (uint32_t)number(config, overrides, "max.message.bytes"),
        .compression = -1, .compression_level = INT_MIN,
        .is_log_append_time = strcmp(in_force(config, overrides, "message.timestamp.type", scratch), "LogAppendTime") == 0,
        .before_max_ms = number(config, overrides, "message.timestamp.before.max.ms"),
        .after_max_ms = number(config, overrides, "message.timestamp.after.max.ms"),
        .min_insync_replicas = (int32_t)number(config, overrides, "min.insync.replicas"),
        .durability = strcmp(in_force(config, overrides, "braid.durability", scratch), "page-cache") == 0 ? ORDER_PAGE_CACHE : ORDER_FSYNC,
        .can_delete = true,
    };
    const char *codec = in_force(config, overrides, "compression.type", scratch);
    if (strcmp(codec, "uncompressed") == 0)
        out->compression = KW_CODEC_NONE;
    for (int i = KW_CODEC_GZIP; i < KW_CODEC_COUNT; i++)
        if (strcmp(codec, kw_codec_name(i)) == 0)
            out->compression = i;
    if (out->compression == KW_CODEC_GZIP)
        out->compression_level = (int)number(config, overrides, "compression.gzip.level");
    if (out->compression == KW_CODEC_LZ4)
        out->compression_level = (int)number(config, overrides, "compression.lz4.level");
    if (out->compression == KW_CODEC_ZSTD)
        out->compression_level = (int)number(config, overrides, "compression.zstd.level");
}
