/* Topic settings: every key that Kafka knows with its default, what is refused and why, what a topic inherits from the broker. */
#include "tests/support/harness.h"
#include "broker/topic/config.h"
#include "broker/view/filter.h"
#include "compat/base/mem.h"
#include "compat/zip/zip.h"

static const struct {
    const char *name, *value, *synonym;
} kafka[] = {
    {"cleanup.policy", "delete", "log.cleanup.policy"},
    {"retention.ms", "604800000", "log.retention.ms"},
    {"retention.bytes", "-1", "log.retention.bytes"},
    {"segment.bytes", "1073741824", "log.segment.bytes"},
    {"segment.ms", "604800000", "log.roll.ms"},
    {"segment.jitter.ms", "0", "log.roll.jitter.ms"},
    {"segment.index.bytes", "10485760", "log.index.size.max.bytes"},
    {"index.interval.bytes", "4096", "log.index.interval.bytes"},
    {"max.message.bytes", "1048588", "message.max.bytes"},
    {"min.insync.replicas", "1", "min.insync.replicas"},
    {"unclean.leader.election.enable", "false", "unclean.leader.election.enable"},
    {"compression.type", "producer", "compression.type"},
    {"compression.gzip.level", "-1", "compression.gzip.level"},
    {"compression.lz4.level", "9", "compression.lz4.level"},
    {"compression.zstd.level", "3", "compression.zstd.level"},
    {"message.timestamp.type", "CreateTime", "log.message.timestamp.type"},
    {"message.timestamp.before.max.ms", "9223372036854775807", "log.message.timestamp.before.max.ms"},
    {"message.timestamp.after.max.ms", "3600000", "log.message.timestamp.after.max.ms"},
    {"delete.retention.ms", "86400000", "log.cleaner.delete.retention.ms"},
    {"min.compaction.lag.ms", "0", "log.cleaner.min.compaction.lag.ms"},
    {"max.compaction.lag.ms", "9223372036854775807", "log.cleaner.max.compaction.lag.ms"},
    {"min.cleanable.dirty.ratio", "0.5", "log.cleaner.min.cleanable.ratio"},
    {"file.delete.delay.ms", "60000", "log.segment.delete.delay.ms"},
    {"flush.messages", "9223372036854775807", "log.flush.interval.messages"},
    {"flush.ms", "9223372036854775807", "log.flush.interval.ms"},
    {"preallocate", "false", "log.preallocate"},
    {"follower.replication.throttled.replicas", "", NULL},
    {"leader.replication.throttled.replicas", "", NULL},
    {"remote.storage.enable", "false", NULL},
    {"local.retention.ms", "-2", "log.local.retention.ms"},
    {"local.retention.bytes", "-2", "log.local.retention.bytes"},
    {"remote.log.copy.disable", "false", NULL},
    {"remote.log.delete.on.disable", "false", NULL},
};

static enum kw_error check(const char *key, const char *value, struct br_errbuf *eb)
{
    return broker_topic_config_check(br_str_c(key), br_str_c(value), eb);
}

static void test_every_topic_key_of_kafka_is_known_with_its_default(void **state)
{
    struct broker_config *config = broker_config_new();
    (void)state;
    for (size_t i = 0; i < BR_COUNT(kafka); i++) {
        char scratch[32];
        const char *from;
        const struct broker_topic_key *key = broker_topic_key_find(br_str_c(kafka[i].name));
        if (!key)
            print_error("%s is not known\n", kafka[i].name);
        assert_non_null(key);
        assert_string_equal(key->default_value, kafka[i].value);
        assert_string_equal(broker_topic_config_inherited(config, key, &from, scratch), kafka[i].value);
        assert_null(from);
        assert_true((key->broker_synonym == NULL) == (kafka[i].synonym == NULL));
        if (kafka[i].synonym)
            assert_string_equal(key->broker_synonym, kafka[i].synonym);
        assert_int_equal(check(kafka[i].name, kafka[i].value, NULL), KW_NONE);
        assert_true(key->doc && key->doc[0]);
    }
    broker_config_free(config);
}

static void test_every_synonym_is_a_broker_key_with_the_same_default(void **state)
{
    size_t count;
    const struct broker_topic_key *keys = broker_topic_keys(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        if (!keys[i].broker_synonym)
            continue;
        const struct broker_config_key *b = broker_config_key_find(br_str_c(keys[i].broker_synonym));
        if (!b)
            print_error("%s: no broker key %s\n", keys[i].name, keys[i].broker_synonym);
        assert_non_null(b);
        if (b->default_value && b->type != BROKER_T_DOUBLE)
            assert_string_equal(b->default_value, keys[i].default_value);
    }
}

static void test_values_that_cannot_be_obeyed_are_refused_with_a_message_that_names_them(void **state)
{
    static const char *const bad[][2] = {
        {"cleanup.policy", "compact"}, {"cleanup.policy", "compact,delete"}, {"cleanup.policy", "compactt"}, {"cleanup.policy", ""},
        {"compression.type", "SNAPPY"}, {"compression.type", ""}, {"compression.gzip.level", "10"}, {"retention.ms", "abc"}, {"retention.ms", "-2"}, {"retention.ms", "1.5"},
        {"retention.ms", "9223372036854775808"}, {"retention.ms", ""}, {"segment.bytes", "1048575"}, {"segment.bytes", "2147483648"}, {"segment.ms", "0"},
        {"max.message.bytes", "-1"}, {"min.insync.replicas", "0"}, {"message.timestamp.type", "createtime"}, {"remote.storage.enable", "true"},
        {"preallocate", "yes"}, {"braid.durability", "memory"}, {"min.cleanable.dirty.ratio", "half"},
    };
    (void)state;
    for (size_t i = 0; i < BR_COUNT(bad); i++) {
        struct br_errbuf eb = {{0}};
        enum kw_error error = check(bad[i][0], bad[i][1], &eb);
        if (error != KW_INVALID_CONFIG)
            print_error("%s=%s: %d\n", bad[i][0], bad[i][1], error);
        assert_int_equal(error, KW_INVALID_CONFIG);
        assert_non_null(strstr(eb.text, bad[i][0]));
        assert_non_null(strstr(eb.text, bad[i][1]));
    }
    struct br_errbuf eb = {{0}};
    check("cleanup.policy", "compact", &eb);
    assert_non_null(strstr(eb.text, "not available"));
}

static void test_unknown_keys_are_refused_by_name_and_keys_of_older_kafka_dropped(void **state)
{
    static const char *const unknown[] = {"log.retention.minutes", "log.retention.ms", "retention", "", "RETENTION.MS", "braid.order"};
    static const char *const old[] = {"message.format.version", "message.downconversion.enable", "message.timestamp.difference.max.ms"};
    (void)state;
    for (size_t i = 0; i < BR_COUNT(unknown); i++) {
        struct br_errbuf eb = {{0}};
        assert_int_equal(check(unknown[i], "1", &eb), KW_INVALID_CONFIG);
        assert_non_null(strstr(eb.text, "unknown"));
        assert_non_null(strstr(eb.text, unknown[i]));
    }
    for (size_t i = 0; i < BR_COUNT(old); i++) {
        assert_int_equal(check(old[i], "2.8-IV1", NULL), KW_NONE);
        assert_true(broker_topic_key_find(br_str_c(old[i]))->is_dropped);
    }
    assert_int_equal(check("retention.ms", NULL, NULL), KW_INVALID_CONFIG); /* null */
    assert_int_equal(broker_topic_config_check(br_str_c("preallocate"), br_str("true\0x", 6), NULL), KW_INVALID_CONFIG);
}

static bool is_member(const char *list, const char *name)
{
    struct broker_view_filter f;
    broker_view_filter_init(&f, list);
    bool has = broker_view_filter_has(&f, br_str_c(name));
    broker_view_filter_clear(&f);
    return has;
}

static void test_a_view_names_its_members_or_a_prefix_of_theirs(void **state)
{
    static const char *const good[] = {"a", "a,b", " a , b ", "app-*", "*", "a,*", "a,a", "__mine*", "a.b,c_d"};
    static const char *const bad[][2] = {{"", "''"}, {"a,,b", "''"}, {"a,", "''"}, {",a", "''"}, {"a b", "'a b'"}, {"ok,a*b", "'a*b'"}, {"**", "'**'"}, {"a/b", "'a/b'"},
                                         {"x,__order", "__order"}, {"__consumer_offsets", "__consumer_offsets"}, {"..", "'..'"}, {"tab\t*", "'tab"}};
    (void)state;
    for (size_t i = 0; i < BR_COUNT(good); i++)
        assert_int_equal(check("braid.order.view", good[i], NULL), KW_NONE);
    for (size_t i = 0; i < BR_COUNT(bad); i++) {
        struct br_errbuf eb = {{0}};
        assert_int_equal(check("braid.order.view", bad[i][0], &eb), KW_INVALID_CONFIG);
        assert_non_null(strstr(eb.text, "braid.order.view"));
        assert_non_null(strstr(eb.text, bad[i][1]));
    }
    assert_true(is_member("a, b", "a") && is_member("a, b", "b") && !is_member("a, b", "ab") && !is_member("a, b", ""));
    assert_true(is_member("x,app-*", "app-") && is_member("app-*,x", "app-1") && !is_member("app-*", "app") && !is_member("app-*", "xapp-1"));
    assert_true(is_member("*", "anything"));
}

static enum kw_error check_together(struct br_errbuf *eb, const char *const (*pairs)[2])
{
    struct br_map overrides;
    br_map_init(&overrides);
    for (; (*pairs)[0]; pairs++) {
        assert_int_equal(check((*pairs)[0], (*pairs)[1], NULL), KW_NONE);
        br_map_put(&overrides, (*pairs)[0], strlen((*pairs)[0]), br_strdup((*pairs)[1]));
    }
    enum kw_error error = broker_topic_overrides_check(&overrides, eb);
    broker_overrides_clear(&overrides);
    return error;
}

#define TOGETHER(...) ((const char *const[][2]){__VA_ARGS__, {NULL, NULL}})

static void test_settings_of_data_do_not_fit_a_view_nor_a_views_settings_a_topic(void **state)
{
    static const char *const unfit[][2] = {{"cleanup.policy", "delete"}, {"retention.ms", "1"}, {"min.insync.replicas", "1"}, {"segment.bytes", "1048576"},
                                           {"braid.durability", "fsync"}, {"message.timestamp.type", "CreateTime"}, {"compression.type", "producer"}};
    struct br_errbuf eb = {{0}};
    (void)state;
    for (size_t i = 0; i < BR_COUNT(unfit); i++) {
        assert_int_equal(check_together(&eb, TOGETHER({"braid.order.view", "a"}, {unfit[i][0], unfit[i][1]})), KW_INVALID_CONFIG);
        assert_non_null(strstr(eb.text, unfit[i][0]));
        assert_int_equal(check_together(&eb, TOGETHER({unfit[i][0], unfit[i][1]})), KW_NONE);
    }
    assert_int_equal(check_together(&eb, TOGETHER({"braid.order.view", "a"}, {"compression.type", "zstd"}, {"compression.zstd.level", "7"})), KW_NONE);
    assert_int_equal(check_together(&eb, TOGETHER({"braid.order.view", "a"}, {"flush.ms", "1"}, {"braid.order.headers", "true"})), KW_NONE);
    assert_int_equal(check_together(&eb, TOGETHER({"braid.order.view", "a"}, {"braid.order.headers", "false"}, {"compression.type", "producer"})), KW_NONE);
    assert_int_equal(check_together(&eb, TOGETHER({"braid.order.view", "a"}, {"braid.order.headers", "false"}, {"compression.type", "zstd"})), KW_INVALID_CONFIG);
    assert_int_equal(check_together(&eb, TOGETHER({"braid.order.headers", "true"})), KW_INVALID_CONFIG);
}

static void test_a_view_does_not_take_the_brokers_codec(void **state)
{
    struct broker_config *config = broker_config_new();
    struct broker_topic_settings settings;
    struct br_map overrides;
    (void)state;
    assert_int_equal(broker_config_set(config, br_str_c("compression.type"), br_str_c("gzip"), NULL), BR_OK);
    br_map_init(&overrides);
    br_map_put(&overrides, "braid.order.view", 16, br_strdup("a"));
    broker_topic_settings_make(config, &overrides, false, &settings);
    assert_int_equal(settings.compression, KW_CODEC_NONE);
    assert_true(settings.has_order_headers);
    br_map_put(&overrides, "compression.type", 16, br_strdup("lz4"));
    broker_topic_settings_make(config, &overrides, false, &settings);
    assert_int_equal(settings.compression, KW_CODEC_LZ4);
    br_free(br_map_put(&overrides, "braid.order.headers", 19, br_strdup("false")));
    br_free(br_map_remove(&overrides, "compression.type", 16));
    broker_topic_settings_make(config, &overrides, false, &settings);
    assert_int_equal(settings.compression, -1);
    assert_false(settings.has_order_headers);
    broker_overrides_clear(&overrides);
    broker_config_free(config);
}

static void test_a_value_may_be_as_long_as_a_record_can_hold_and_no_longer(void **state)
{
    char *text = br_alloc(BROKER_TOPIC_VALUE_MAX + 1);
    (void)state;
    memset(text, '1', BROKER_TOPIC_VALUE_MAX + 1);
    struct br_str key = br_str_c("leader.replication.throttled.replicas");
    assert_int_equal(broker_topic_config_check(key, br_str(text, BROKER_TOPIC_VALUE_MAX), NULL), KW_NONE);
    assert_int_equal(broker_topic_config_check(key, br_str(text, BROKER_TOPIC_VALUE_MAX + 1), NULL), KW_INVALID_CONFIG);
    br_free(text);
}

static void set(struct broker_config *config, const char *key, const char *value)
{
    struct br_errbuf eb;
    assert_int_equal(broker_config_set(config, br_str_c(key), br_str_c(value), &eb), BR_OK);
}

static int64_t retention(struct broker_config *config, const struct br_map *overrides)
{
    struct broker_topic_settings s;
    broker_topic_settings_make(config, overrides, false, &s);
    return s.log.retention_ms;
}

static void test_a_topic_takes_its_own_value_then_ms_then_minutes_then_hours(void **state)
{
    struct broker_config *config = broker_config_new();
    struct br_map own;
    char scratch[32];
    const char *from;
    const struct broker_topic_key *key = broker_topic_key_find(br_str_c("retention.ms"));
    (void)state;
    br_map_init(&own);
    assert_int_equal(retention(config, &own), 604800000);
    set(config, "log.retention.hours", "2");
    assert_int_equal(retention(config, &own), 7200000);
    set(config, "log.retention.minutes", "3");
    assert_int_equal(retention(config, &own), 180000);
    broker_topic_config_inherited(config, key, &from, scratch);
    assert_string_equal(from, "log.retention.minutes");
    set(config, "log.retention.ms", "4");
    assert_int_equal(retention(config, &own), 4);
    br_map_put(&own, "retention.ms", 12, br_strdup("-1"));
    assert_int_equal(retention(config, &own), -1);
    broker_overrides_clear(&own);
    set(config, "log.retention.hours", "-1");
    broker_config_free(config);
}

static void test_settings_are_parsed_for_the_data_path(void **state)
{
    struct broker_config *config = broker_config_new();
    struct broker_topic_settings s;
    struct br_map own;
    (void)state;
    br_map_init(&own);
    broker_topic_settings_make(config, &own, false, &s);
    assert_true(s.can_delete && !s.is_log_append_time && s.compression == -1 && s.durability == ORDER_FSYNC);
    assert_int_equal(s.max_message_bytes, 1048588);
    br_map_put(&own, "compression.type", 16, br_strdup("zstd"));
    br_map_put(&own, "compression.zstd.level", 22, br_strdup("-7"));
    br_map_put(&own, "message.timestamp.type", 22, br_strdup("LogAppendTime"));
    br_map_put(&own, "braid.durability", 16, br_strdup("page-cache"));
    br_map_put(&own, "segment.bytes", 13, br_strdup("2147483647"));
    broker_topic_settings_make(config, &own, false, &s);
    assert_true(s.is_log_append_time && s.durability == ORDER_PAGE_CACHE);
    assert_int_equal(s.compression, KW_CODEC_ZSTD);
    assert_int_equal(s.compression_level, -7);
    assert_int_equal(s.log.segment_bytes, INT32_MAX);
    broker_overrides_clear(&own);
    broker_config_free(config);
}

static void test_internal_topics_keep_everything_in_the_strongest_class_whatever_is_set(void **state)
{
    struct broker_config *config = broker_config_new();
    struct broker_topic_settings s;
    struct br_map own;
    (void)state;
    br_map_init(&own);
    set(config, "log.retention.ms", "1000");
    set(config, "log.retention.bytes", "1000");
    set(config, "braid.durability", "page-cache");
    br_map_put(&own, "retention.ms", 12, br_strdup("5"));
    broker_topic_settings_make(config, &own, true, &s);
    assert_int_equal(s.log.retention_ms, -1);
    assert_int_equal(s.log.retention_bytes, -1);
    assert_int_equal(s.durability, ORDER_FSYNC);
    broker_topic_settings_make(config, &own, false, &s);
    assert_int_equal(s.log.retention_ms, 5);
    assert_int_equal(s.durability, ORDER_PAGE_CACHE);
    broker_overrides_clear(&own);
    broker_config_free(config);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_every_topic_key_of_kafka_is_known_with_its_default),
    cmocka_unit_test(test_every_synonym_is_a_broker_key_with_the_same_default),
    cmocka_unit_test(test_values_that_cannot_be_obeyed_are_refused_with_a_message_that_names_them),
    cmocka_unit_test(test_unknown_keys_are_refused_by_name_and_keys_of_older_kafka_dropped),
    cmocka_unit_test(test_a_view_names_its_members_or_a_prefix_of_theirs),
    cmocka_unit_test(test_settings_of_data_do_not_fit_a_view_nor_a_views_settings_a_topic),
    cmocka_unit_test(test_a_view_does_not_take_the_brokers_codec),
    cmocka_unit_test(test_a_value_may_be_as_long_as_a_record_can_hold_and_no_longer),
    cmocka_unit_test(test_a_topic_takes_its_own_value_then_ms_then_minutes_then_hours),
    cmocka_unit_test(test_settings_are_parsed_for_the_data_path),
    cmocka_unit_test(test_internal_topics_keep_everything_in_the_strongest_class_whatever_is_set),
};
HARNESS_MAIN("topic_config", tests)
