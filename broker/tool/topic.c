/* braid topic: list, create, describe, delete. */
#include "broker/tool/tool.h"
#include "compat/base/mem.h"
#include <getopt.h>
#include <jansson.h>

#define WAIT_MS 10000

static int topic_list(struct tool *t)
{
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_PRODUCER, NULL);
    const struct rd_kafka_metadata *md;
    if (!rk)
        return 1;
    rd_kafka_resp_err_t err = rd_kafka_metadata(rk, 1, NULL, &md, WAIT_MS);
    if (err) {
        rd_kafka_destroy(rk);
        return tool_fail("cannot list topics: %s (broker %s)", rd_kafka_err2str(err), t->bootstrap);
    }
    if (!t->json)
        printf("%-40s %s\n", "TOPIC", "PARTITIONS");
    for (int i = 0; i < md->topic_cnt; i++)
        printf(t->json ? "{\"topic\":\"%s\",\"partitions\":%d}\n" : "%-40s %d\n", md->topics[i].topic, md->topics[i].partition_cnt);
    rd_kafka_metadata_destroy(md);
    rd_kafka_destroy(rk);
    return 0;
}

/* Waits for the result of an admin call. NULL after an error line. */
static rd_kafka_event_t *admin_wait(rd_kafka_queue_t *queue)
{
    rd_kafka_event_t *event = rd_kafka_queue_poll(queue, WAIT_MS + 5000);
    if (!event) {
        tool_fail("no answer");
        return NULL;
    }
    if (rd_kafka_event_error(event)) {
        tool_fail("%s", rd_kafka_event_error_string(event));
        rd_kafka_event_destroy(event);
        return NULL;
    }
    return event;
}

/* Result per topic of create and delete. */
static int print_results(struct tool *t, const rd_kafka_topic_result_t **results, size_t count, const char *done)
{
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        if (rd_kafka_topic_result_error(results[i]))
            status = tool_fail("%s: %s", rd_kafka_topic_result_name(results[i]),
                               rd_kafka_topic_result_error_string(results[i]) ? rd_kafka_topic_result_error_string(results[i])
                                                                              : rd_kafka_err2str(rd_kafka_topic_result_error(results[i])));
        else
            printf(t->json ? "{\"topic\":\"%s\",\"result\":\"%s\"}\n" : "%s %s\n", rd_kafka_topic_result_name(results[i]), done);
    }
    return status;
}

static int topic_create(struct tool *t, const char *name, int64_t partitions, char **configs, unsigned config_count)
{
    char err[512];
    rd_kafka_NewTopic_t *topic = rd_kafka_NewTopic_new(name, (int)partitions, -1, err, sizeof err);
    if (!topic)
        return tool_fail("%s: %s", name, err);
    for (unsigned i = 0; i < config_count; i++) {
        char *copy = br_strdup(configs[i]), *eq = strchr(copy, '=');
        if (!eq) {
            tool_fail("--config %s: expected key=value", configs[i]);
            return 2;
        }
        *eq = '\0';
        rd_kafka_NewTopic_set_config(topic, copy, eq + 1);
        br_free(copy);
    }
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_PRODUCER, NULL);
    if (!rk)
        return 1;
    rd_kafka_queue_t *queue = rd_kafka_queue_new(rk);
    rd_kafka_CreateTopics(rk, &topic, 1, NULL, queue);
    rd_kafka_event_t *event = admin_wait(queue);
    int status = 1;
    if (event) {
        size_t count;
        const rd_kafka_topic_result_t **results = rd_kafka_CreateTopics_result_topics(rd_kafka_event_CreateTopics_result(event), &count);
        status = print_results(t, results, count, "created");
        rd_kafka_event_destroy(event);
    }
    rd_kafka_NewTopic_destroy(topic);
    rd_kafka_queue_destroy(queue);
    rd_kafka_destroy(rk);
    return status;
}

static int topic_delete(struct tool *t, char **names, int name_count)
{
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_PRODUCER, NULL);
    if (!rk)
        return 1;
    rd_kafka_queue_t *queue = rd_kafka_queue_new(rk);
    rd_kafka_DeleteTopic_t **topics = br_alloc_array((size_t)name_count, sizeof *topics);
    for (int i = 0; i < name_count; i++)
        topics[i] = rd_kafka_DeleteTopic_new(names[i]);
    rd_kafka_DeleteTopics(rk, topics, (size_t)name_count, NULL, queue);
    rd_kafka_event_t *event = admin_wait(queue);
    int status = 1;
    if (event) {
        size_t count;
        const rd_kafka_topic_result_t **results = rd_kafka_DeleteTopics_result_topics(rd_kafka_event_DeleteTopics_result(event), &count);
        status = print_results(t, results, count, "deleted");
        rd_kafka_event_destroy(event);
    }
    rd_kafka_DeleteTopic_destroy_array(topics, (size_t)name_count);
    br_free(topics);
    rd_kafka_queue_destroy(queue);
    rd_kafka_destroy(rk);
    return status;
}

/* Values may be any text: some keys are taken as they come. */
static void print_config_json(const char *name, const char *value, bool is_default)
{
    json_t *o = json_pack("{s:s,s:s%,s:b}", "config", name, "value", value, strlen(value), "is_default", is_default);
    if (!o)
        o = json_pack("{s:s,s:n,s:b}", "config", name, "value", "is_default", is_default); /* not UTF-8 */
    json_dumpf(o, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(o);
}

static void describe_configs(struct tool *t, rd_kafka_t *rk, const char *name)
{
    rd_kafka_queue_t *queue = rd_kafka_queue_new(rk);
    rd_kafka_ConfigResource_t *resource = rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, name);
    rd_kafka_DescribeConfigs(rk, &resource, 1, NULL, queue);
    rd_kafka_event_t *event = admin_wait(queue);
    if (event) {
        size_t count, entries;
        const rd_kafka_ConfigResource_t **resources = rd_kafka_DescribeConfigs_result_resources(rd_kafka_event_DescribeConfigs_result(event), &count);
        const rd_kafka_ConfigEntry_t **list = count ? rd_kafka_ConfigResource_configs(resources[0], &entries) : NULL;
        for (size_t i = 0; list && i < entries; i++) {
            const char *value = rd_kafka_ConfigEntry_value(list[i]);
            bool is_set = rd_kafka_ConfigEntry_source(list[i]) == RD_KAFKA_CONFIG_SOURCE_DYNAMIC_TOPIC_CONFIG;
            if (t->json)
                print_config_json(rd_kafka_ConfigEntry_name(list[i]), value ? value : "", !is_set);
            else if (is_set || strncmp(rd_kafka_ConfigEntry_name(list[i]), "braid.", 6) == 0)
                printf("  %s=%s%s\n", rd_kafka_ConfigEntry_name(list[i]), value ? value : "", is_set ? "" : " (default)");
        }
        rd_kafka_event_destroy(event);
    }
    rd_kafka_ConfigResource_destroy(resource);
    rd_kafka_queue_destroy(queue);
}

static int topic_describe(struct tool *t, const char *name)
{
    rd_kafka_conf_t *conf = tool_conf();
    tool_conf_set(conf, "allow.auto.create.topics", "false");
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_CONSUMER, conf);
    const struct rd_kafka_metadata *md;
    if (!rk)
        return 1;
    rd_kafka_topic_t *topic = rd_kafka_topic_new(rk, name, NULL);
    rd_kafka_resp_err_t err = rd_kafka_metadata(rk, 0, topic, &md, WAIT_MS);
    rd_kafka_topic_destroy(topic);
    if (!err && md->topic_cnt > 0)
        err = md->topics[0].err;
    if (err) {
        rd_kafka_destroy(rk);
        return tool_fail("%s: %s", name, rd_kafka_err2str(err));
    }
    if (!t->json)
        printf("%s\n%9s %8s %12s %12s\n", name, "PARTITION", "LEADER", "START", "END");
    for (int i = 0; i < md->topics[0].partition_cnt; i++) {
        int64_t low = -1, high = -1;
        rd_kafka_query_watermark_offsets(rk, name, md->topics[0].partitions[i].id, &low, &high, WAIT_MS);
        printf(t->json ? "{\"topic\":\"%s\",\"partition\":%d,\"leader\":%d,\"start\":%" PRId64 ",\"end\":%" PRId64 "}\n" : "%.0s%9d %8d %12" PRId64 " %12" PRId64 "\n",
               name, md->topics[0].partitions[i].id, md->topics[0].partitions[i].leader, low, high);
    }
    rd_kafka_metadata_destroy(md);
    describe_configs(t, rk, name);
    rd_kafka_destroy(rk);
    return 0;
}

int tool_topic(struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {
        {"partitions", required_argument, NULL, 'p'}, {"config", required_argument, NULL, 'c'}, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0},
    };
    int64_t partitions = -1;
    char *configs[64];
    unsigned config_count = 0;
    for (int c; (c = getopt_long(argc, argv, "p:c:j", options, NULL)) != -1;) {
        switch (c) {
        case 'p': if (!tool_number("--partitions", optarg, 1, INT32_MAX, &partitions)) return 2; break;
        case 'c':
            if (config_count == BR_COUNT(configs))
                return tool_fail("too many --config");
            configs[config_count++] = optarg;
            break;
        case 'j': t->json = true; break;
        default: return 2;
        }
    }
    int left = argc - optind;
    const char *verb = left > 0 ? argv[optind] : "";
    if (strcmp(verb, "list") == 0 && left == 1)
        return topic_list(t);
    if (strcmp(verb, "create") == 0 && left == 2)
        return topic_create(t, argv[optind + 1], partitions, configs, config_count);
    if (strcmp(verb, "describe") == 0 && left == 2)
        return topic_describe(t, argv[optind + 1]);
    if (strcmp(verb, "delete") == 0 && left >= 2)
        return topic_delete(t, argv + optind + 1, left - 1);
    tool_fail("topic takes list, create NAME, describe NAME, or delete NAME...");
    return 2;
}
