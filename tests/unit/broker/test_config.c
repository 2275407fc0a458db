/* Broker properties: the file format, the four kinds of key, refusals that name key, value and what is allowed, listeners, limits of addresses. */
#include "broker/config.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "tests/support/harness.h"
#include <unistd.h>

static struct broker_config *config;

static int setup(void **state)
{
    (void)state;
    br_log_set_level(BR_LOG_ERROR);
    config = broker_config_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    broker_config_free(config);
    return 0;
}

static enum br_err set(const char *key, const char *value, struct br_errbuf *eb)
{
    return broker_config_set(config, br_str_c(key), br_str_c(value), eb);
}

static void must_set(const char *key, const char *value)
{
    struct br_errbuf eb = {{0}};
    if (set(key, value, &eb) != BR_OK)
        fail_msg("%s", eb.text);
}

static enum br_err parse(const char *text, struct br_errbuf *eb)
{
    return broker_config_parse(config, "test.properties", text, strlen(text), eb);
}

static void must_parse(const char *text)
{
    struct br_errbuf eb = {{0}};
    if (parse(text, &eb) != BR_OK)
        fail_msg("%s", eb.text);
}

static void must_finish(void)
{
    struct br_errbuf eb = {{0}};
    if (broker_config_finish(config, &eb) != BR_OK)
        fail_msg("%s", eb.text);
}

static void assert_value(const char *key, const char *value)
{
    assert_string_equal(broker_config_get(config, key, NULL), value);
}

/* --- the file format --- */

static void test_keys_end_at_equals_colon_or_blank(void **state)
{
    (void)state;
    must_parse("num.partitions=3\nbroker.rack: a b \ncluster.id  x\n\t message.max.bytes =\t9\nlog.retention.hours:7\n");
    assert_value("num.partitions", "3");
    assert_value("broker.rack", "a b");
    assert_value("cluster.id", "x");
    assert_value("message.max.bytes", "9");
    assert_value("log.retention.hours", "7");
}

static void test_comments_blank_lines_and_line_ends_of_every_kind_are_passed_over(void **state)
{
    (void)state;
    must_parse("# one=1\n!two=2\n\n   \n  # indented=3\r\nnum.partitions=4\r\nbroker.rack=r\rdefault.replication.factor=1");
    assert_value("num.partitions", "4");
    assert_value("broker.rack", "r");
}

static void test_a_backslash_continues_a_line_and_a_comment_does_not(void **state)
{
    (void)state;
    must_parse("broker.rack=a\\\n    b\\\r\n\tc\n# comment \\\nnum.partitions=2\n");
    assert_value("broker.rack", "abc");
    assert_value("num.partitions", "2");
}

static void test_escapes_become_what_they_mean(void **state)
{
    (void)state;
    must_parse("broker.rack=\\u00e4\\t\\=\\:\\\\ \\u20ac\\x\nnum\\.partitions=5\n");
    assert_value("broker.rack", "\xc3\xa4\t=:\\ \xe2\x82\xac" "x");
    assert_value("num.partitions", "5");
    must_parse("broker.rack=\\");
    assert_value("broker.rack", "");
    must_parse("broker.rack=\\u12");
}

static void test_the_last_of_two_values_holds(void **state)
{
    (void)state;
    must_parse("num.partitions=2\nnum.partitions=8\n");
    assert_value("num.partitions", "8");
    must_set("num.partitions", "9");
    assert_value("num.partitions", "9");
}

static void test_an_error_names_file_and_line(void **state)
{
    struct br_errbuf eb;
    (void)state;
    assert_int_equal(parse("# c\nbroker.rack=a\\\n  b\n\nnum.partitions=many\n", &eb), BR_INVALID);
    assert_non_null(strstr(eb.text, "test.properties:5: num.partitions=many: must be a number in [1,2147483647]"));
    assert_int_equal(broker_config_parse(config, "f", "num.partitions=1\0002", 18, &eb), BR_INVALID);
    assert_non_null(strstr(eb.text, "f:1"));
}

static void test_a_file_is_read_and_a_missing_one_named(void **state)
{
    char path[512];
    struct br_errbuf eb;
    (void)state;
    snprintf(path, sizeof path, "%s/server.properties", harness_tmpdir());
    assert_int_not_equal(broker_config_load(config, path, &eb), BR_OK);
    assert_non_null(strstr(eb.text, path));
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("num.partitions=6\n", f);
    fclose(f);
    assert_int_equal(broker_config_load(config, path, &eb), BR_OK);
    assert_int_equal(broker_config_int(config, "num.partitions"), 6);
}

/* --- values --- */

static void test_every_default_is_valid(void **state)
{
    size_t count;
    const struct broker_config_key *keys = broker_config_keys(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const char *value = keys[i].default_value;
        if (value && value[0] && !broker_config_value_valid(keys[i].type, keys[i].valid, value))
            fail_msg("%s=%s is not what is allowed: %s", keys[i].name, value, keys[i].valid ? keys[i].valid : "its type");
        if (value)
            must_set(keys[i].name, value); /* a file that spells out a default starts */
        assert_true(keys[i].doc[0] != '\0');
    }
    must_finish();
}

static void test_bad_values_name_what_is_allowed(void **state)
{
    static const struct {
        const char *key, *value, *says;
    } cases[] = {
        {"num.partitions", "0", "in [1,2147483647]"}, {"num.partitions", "2147483648", "in [1,"}, {"num.partitions", "", "a number"},
        {"num.partitions", "1 2", "a number"}, {"num.partitions", "0x10", "a number"}, {"num.partitions", "99999999999999999999", "a number"},
        {"log.retention.ms", "1h", "a number"}, {"compression.type", "rar", "one of producer|"}, {"compression.type", "gzip|snappy", "one of"},
        {"compression.type", "GZIP", "one of"}, {"braid.durability", "memory", "fsync|page-cache"}, {"auto.create.topics.enable", "yes", "true|false"},
        {"log.cleanup.policy", "compact", "delete"}, {"log.cleanup.policy", "delete,compact", "delete"}, {"process.roles", "broker,voter", "broker|controller"},
    };
    (void)state;
    for (size_t i = 0; i < BR_COUNT(cases); i++) {
        struct br_errbuf eb = {{0}};
        assert_int_equal(set(cases[i].key, cases[i].value, &eb), BR_INVALID);
        if (!strstr(eb.text, cases[i].key) || !strstr(eb.text, cases[i].value) || !strstr(eb.text, cases[i].says))
            fail_msg("%s", eb.text);
        const struct broker_config_key *key = broker_config_key_find(br_str_c(cases[i].key));
        const char *now = broker_config_get(config, cases[i].key, NULL);
        assert_true(now == key->default_value); /* unchanged */
    }
}

static void test_booleans_are_read_in_any_case(void **state)
{
    (void)state;
    must_set("auto.create.topics.enable", "FALSE");
    assert_false(broker_config_bool(config, "auto.create.topics.enable"));
    must_set("auto.create.topics.enable", "True");
    assert_true(broker_config_bool(config, "auto.create.topics.enable"));
}

static void test_the_ends_of_a_range_are_allowed(void **state)
{
    (void)state;
    must_set("num.partitions", "1");
    must_set("num.partitions", "2147483647");
    must_set("log.retention.bytes", "9223372036854775807");
    assert_true(broker_config_int(config, "log.retention.bytes") == INT64_MAX);
    must_set("log.retention.bytes", "-1");
    assert_int_equal(set("log.retention.bytes", "-2", NULL), BR_INVALID);
}

static void test_what_weakens_security_is_refused_and_passwords_are_not_shown(void **state)
{
    struct br_errbuf eb = {{0}};
    (void)state;
    assert_int_equal(set("ssl.key.password", "secret", &eb), BR_UNSUPPORTED);
    assert_non_null(strstr(eb.text, "ssl.key.password=***: refused: TLS"));
    assert_null(strstr(eb.text, "secret"));
    assert_int_equal(set("authorizer.class.name", "x.Y", &eb), BR_UNSUPPORTED);
    assert_int_equal(set("listener.name.a.ssl.keystore.location", "x", &eb), BR_UNSUPPORTED);
    assert_int_equal(set("ssl.client.auth", "required", &eb), BR_UNSUPPORTED);
    must_set("ssl.client.auth", "none"); /* nothing is asked for */
    must_set("authorizer.class.name", "");
}

static void test_unknown_keys_and_families_are_accepted(void **state)
{
    (void)state;
    must_set("no.such.key", "1");
    must_set("confluent.license.topic", "x");
    must_set("ssl.protocol", "TLSv1.3");
    must_set("", "x");
    must_finish();
}

static void test_a_mistyped_key_of_our_own_is_refused(void **state)
{
    struct br_errbuf eb = {{0}};
    (void)state;
    assert_int_equal(set("braid.durabilty", "fsync", &eb), BR_INVALID);
    assert_non_null(strstr(eb.text, "braid.durabilty: no such setting"));
}

static void test_blanks_around_values_and_a_byte_order_mark_mean_nothing(void **state)
{
    struct br_errbuf eb = {{0}};
    (void)state;
    must_set("num.partitions", " 4\t");
    assert_value("num.partitions", "4");
    must_parse("\xef\xbb\xbfnum.partitions=5\n");
    assert_value("num.partitions", "5");
    assert_int_equal(parse("a=1\nb=\\u00zz\n", &eb), BR_INVALID);
    assert_non_null(strstr(eb.text, "test.properties:2: malformed \\u"));
}

static void test_the_source_of_a_value_is_told(void **state)
{
    bool is_set = true;
    (void)state;
    assert_string_equal(broker_config_get(config, "num.partitions", &is_set), "1");
    assert_false(is_set);
    must_set("num.partitions", "1");
    assert_string_equal(broker_config_get(config, "num.partitions", &is_set), "1");
    assert_true(is_set);
    assert_null(broker_config_get(config, "broker.rack", &is_set));
    assert_false(is_set);
}

static void test_two_node_ids_must_agree(void **state)
{
    struct br_errbuf eb = {{0}};
    (void)state;
    must_set("node.id", "1");
    must_set("broker.id", "2");
    assert_int_equal(broker_config_finish(config, &eb), BR_INVALID);
    assert_non_null(strstr(eb.text, "broker.id=2"));
    must_set("broker.id", "1");
    must_finish();
}

static void test_several_directories_are_refused(void **state)
{
    struct br_errbuf eb = {{0}};
    (void)state;
    must_set("log.dirs", "/a,/b");
    assert_int_equal(broker_config_finish(config, &eb), BR_UNSUPPORTED);
    assert_non_null(strstr(eb.text, "log.dirs=/a,/b"));
}

/* --- listeners --- */

static const struct broker_listener *listener(unsigned i)
{
    unsigned count;
    const struct broker_listener *all = broker_config_listeners(config, &count);
    assert_true(i < count);
    return &all[i];
}

static unsigned listener_count(void)
{
    unsigned count;
    broker_config_listeners(config, &count);
    return count;
}

static void test_without_a_file_it_is_localhost_and_with_one_every_interface(void **state)
{
    (void)state;
    must_finish();
    assert_int_equal(listener_count(), 1);
    assert_string_equal(listener(0)->host, "localhost");
    assert_int_equal(listener(0)->port, 9092);
    assert_string_equal(listener(0)->advertised_host, "localhost");
    broker_config_note_file(config);
    must_finish();
    assert_string_equal(listener(0)->host, "");
    assert_true(strlen(listener(0)->advertised_host) > 0);
}

static void test_listeners_are_taken_apart(void **state)
{
    (void)state;
    must_set("listeners", " IN://10.0.0.1:9092 , OUT://[::1]:0,PLAINTEXT://:9094");
    must_set("listener.security.protocol.map", "IN:PLAINTEXT, out:plaintext,SSL:SSL");
    must_set("advertised.listeners", "OUT://kafka.example:19092,IN://[fd00::1]:1");
    must_finish();
    assert_int_equal(listener_count(), 3);
    assert_string_equal(listener(0)->name, "IN");
    assert_string_equal(listener(0)->host, "10.0.0.1");
    assert_string_equal(listener(0)->advertised_host, "fd00::1");
    assert_int_equal(listener(0)->advertised_port, 1);
    assert_string_equal(listener(1)->host, "::1");
    assert_int_equal(listener(1)->port, 0);
    assert_string_equal(listener(1)->advertised_host, "kafka.example");
    assert_int_equal(listener(1)->advertised_port, 19092);
    assert_string_equal(listener(2)->host, "");
    assert_int_equal(listener(2)->advertised_port, 0); /* the bound one, later */
}

static void test_controllers_listeners_are_left_out(void **state)
{
    struct br_errbuf eb = {{0}};
    (void)state;
    must_set("listeners", "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093");
    must_set("controller.listener.names", "CONTROLLER");
    must_set("advertised.listeners", "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093");
    must_finish();
    assert_int_equal(listener_count(), 1);
    must_set("listeners", "CONTROLLER://localhost:9093");
    assert_int_equal(broker_config_finish(config, &eb), BR_INVALID);
    assert_non_null(strstr(eb.text, "no listener for clients"));
}

static void test_bad_listeners_are_named(void **state)
{
    static const struct {
        const char *listeners, *map, *advertised, *says;
    } cases[] = {
        {"nonsense", NULL, NULL, "listeners=nonsense: must be NAME://host:port"},
        {"PLAINTEXT://host", NULL, NULL, "must be NAME://host:port"},
        {"://host:1", NULL, NULL, "must be NAME://host:port"},
        {"PLAINTEXT://host:70000", NULL, NULL, "0 to 65535"},
        {"PLAINTEXT://host:", NULL, NULL, "0 to 65535"},
        {"PLAINTEXT://host:-1", NULL, NULL, "0 to 65535"},
        {"SSL://host:1", NULL, NULL, "SSL is not PLAINTEXT"},
        {"IN://host:1", NULL, NULL, "IN is not PLAINTEXT"},
        {"PLAINTEXT://host:1", "PLAINTEXT:SASL_SSL", NULL, "is not PLAINTEXT"},
        {"PLAINTEXT://a:1,PLAINTEXT://b:2", NULL, NULL, "named twice"},
        {"PLAINTEXT://a:1", NULL, "OTHER://a:1", "OTHER is not among listeners"},
        {"PLAINTEXT://a:1", NULL, "PLAINTEXT://0.0.0.0:1", "address that clients can reach"},
        {"PLAINTEXT://a:1", NULL, "PLAINTEXT://:1", "address that clients can reach"},
    };
    (void)state;
    for (size_t i = 0; i < BR_COUNT(cases); i++) {
        struct br_errbuf eb = {{0}};
        struct broker_config *own = broker_config_new();
        assert_int_equal(broker_config_set(own, br_str_c("listeners"), br_str_c(cases[i].listeners), &eb), BR_OK);
        if (cases[i].map)
            assert_int_equal(broker_config_set(own, br_str_c("listener.security.protocol.map"), br_str_c(cases[i].map), &eb), BR_OK);
        if (cases[i].advertised)
            assert_int_equal(broker_config_set(own, br_str_c("advertised.listeners"), br_str_c(cases[i].advertised), &eb), BR_OK);
        assert_int_not_equal(broker_config_finish(own, &eb), BR_OK);
        if (!strstr(eb.text, cases[i].says))
            fail_msg("%s: %s", cases[i].listeners, eb.text);
        broker_config_free(own);
    }
}

static void test_limits_of_single_addresses_override_the_common_one(void **state)
{
    struct br_errbuf eb = {{0}};
    (void)state;
    must_set("max.connections.per.ip", "7");
    must_set("max.connections.per.ip.overrides", "127.0.0.1:200, [::1]:0,fd00::2:3");
    must_finish();
    assert_int_equal(broker_config_per_ip_max(config, "127.0.0.1"), 200);
    assert_int_equal(broker_config_per_ip_max(config, "::1"), 0);
    assert_int_equal(broker_config_per_ip_max(config, "fd00::2"), 3);
    assert_int_equal(broker_config_per_ip_max(config, "127.0.0.2"), 7);
    static const char *const bad[] = {"127.0.0.1", "127.0.0.1:", ":3", "127.0.0.1:x", "127.0.0.1:-1", "a:1;b:2"};
    for (size_t i = 0; i < BR_COUNT(bad); i++) {
        must_set("max.connections.per.ip.overrides", bad[i]);
        assert_int_equal(broker_config_finish(config, &eb), BR_INVALID);
        assert_non_null(strstr(eb.text, "max.connections.per.ip.overrides"));
    }
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    CASE(test_keys_end_at_equals_colon_or_blank),
    CASE(test_comments_blank_lines_and_line_ends_of_every_kind_are_passed_over),
    CASE(test_a_backslash_continues_a_line_and_a_comment_does_not),
    CASE(test_escapes_become_what_they_mean),
    CASE(test_the_last_of_two_values_holds),
    CASE(test_an_error_names_file_and_line),
    CASE(test_a_file_is_read_and_a_missing_one_named),
    CASE(test_every_default_is_valid),
    CASE(test_bad_values_name_what_is_allowed),
    CASE(test_booleans_are_read_in_any_case),
    CASE(test_the_ends_of_a_range_are_allowed),
    CASE(test_what_weakens_security_is_refused_and_passwords_are_not_shown),
    CASE(test_unknown_keys_and_families_are_accepted),
    CASE(test_a_mistyped_key_of_our_own_is_refused),
    CASE(test_blanks_around_values_and_a_byte_order_mark_mean_nothing),
    CASE(test_the_source_of_a_value_is_told),
    CASE(test_two_node_ids_must_agree),
    CASE(test_several_directories_are_refused),
    CASE(test_without_a_file_it_is_localhost_and_with_one_every_interface),
    CASE(test_listeners_are_taken_apart),
    CASE(test_controllers_listeners_are_left_out),
    CASE(test_bad_listeners_are_named),
    CASE(test_limits_of_single_addresses_override_the_common_one),
};
HARNESS_MAIN("config", tests)
