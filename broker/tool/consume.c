/* braid consume, and the reading loop that `order` shares. */
#include "broker/tool/tool.h"
#include "compat/base/mem.h"
#include <getopt.h>
#include <jansson.h>

#define POLL_MS 200
#define CONNECT_MS 10000

int tool_read(struct tool *t, const char *topic, int32_t partition, int64_t from, int64_t count, bool until_end,
              bool (*each)(void *ctx, const rd_kafka_message_t *msg), void *ctx)
{
    rd_kafka_conf_t *conf = tool_conf();
    tool_conf_set(conf, "enable.partition.eof", "true");
    tool_conf_set(conf, "group.id", "braid");
    tool_conf_set(conf, "enable.auto.commit", "false");
    tool_conf_set(conf, "auto.offset.reset", "error");
    tool_conf_set(conf, "fetch.wait.max.ms", "100");
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_CONSUMER, conf);
    if (!rk)
        return 1;
    int64_t low, high, left = count, end = INT64_MAX;
    int status = 0;
    rd_kafka_resp_err_t err = rd_kafka_query_watermark_offsets(rk, topic, partition, &low, &high, CONNECT_MS);
    if (err) {
        status = tool_fail("%s-%d: %s (broker %s)", topic, partition, rd_kafka_err2str(err), t->bootstrap);
        rd_kafka_destroy(rk);
        return status;
    }
    if (from >= 0 && (from < low || from > high)) {
        status = tool_fail("%s-%d: %" PRId64 " is outside what is kept, %" PRId64 " to %" PRId64, topic, partition, from, low, high);
        rd_kafka_destroy(rk);
        return status;
    }
    if (until_end)
        end = high;
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, topic, partition)->offset = from;
    rd_kafka_assign(rk, list);
    rd_kafka_topic_partition_list_destroy(list);
    bool is_done = until_end && (low >= high || from == RD_KAFKA_OFFSET_END || from >= end);
    while (!is_done && !tool_interrupted()) {
        rd_kafka_message_t *msg = rd_kafka_consumer_poll(rk, POLL_MS);
        if (!msg) {
            fflush(stdout);
            continue;
        }
        if (msg->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
            fflush(stdout);
            is_done = until_end && msg->offset >= end;
        } else if (msg->err) {
            status = tool_fail("%s-%d: %s", topic, partition, rd_kafka_message_errstr(msg));
            is_done = true;
        } else {
            if (!each)
                tool_print_message(t, msg);
            is_done = (each && !each(ctx, msg)) || (count > 0 && --left == 0) || msg->offset + 1 >= end;
        }
        rd_kafka_message_destroy(msg);
    }
    fflush(stdout);
    rd_kafka_consumer_close(rk);
    rd_kafka_destroy(rk);
    return status;
}

/* In a group: until interrupted or count; commits what it printed. */
static int consume_group(struct tool *t, const char *topic, const char *group, const char *from, int64_t count)
{
    rd_kafka_conf_t *conf = tool_conf();
    tool_conf_set(conf, "group.id", group);
    tool_conf_set(conf, "auto.offset.reset", strcmp(from, "end") == 0 ? "latest" : "earliest");
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_CONSUMER, conf);
    if (!rk)
        return 1;
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, topic, RD_KAFKA_PARTITION_UA);
    rd_kafka_resp_err_t err = rd_kafka_subscribe(rk, list);
    rd_kafka_topic_partition_list_destroy(list);
    int status = err ? tool_fail("%s: %s", topic, rd_kafka_err2str(err)) : 0;
    for (int64_t left = count; status == 0 && !tool_interrupted() && (count == 0 || left > 0);) {
        rd_kafka_message_t *msg = rd_kafka_consumer_poll(rk, POLL_MS);
        if (!msg) {
            fflush(stdout);
            continue;
        }
        if (msg->err)
            status = tool_fail("%s: %s", topic, rd_kafka_message_errstr(msg));
        else {
            tool_print_message(t, msg);
            left--;
        }
        rd_kafka_message_destroy(msg);
    }
    fflush(stdout);
    rd_kafka_consumer_close(rk);
    rd_kafka_destroy(rk);
    return status;
}

int tool_consume(struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {
        {"partition", required_argument, NULL, 'p'}, {"from", required_argument, NULL, 'f'}, {"count", required_argument, NULL, 'c'},
        {"to-end", no_argument, NULL, 'e'}, {"group", required_argument, NULL, 'g'}, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0},
    };
    int64_t partition = -1, count = 0, offset;
    const char *from = "beginning", *group = NULL;
    bool until_end = false;
    for (int c; (c = getopt_long(argc, argv, "p:f:c:eg:j", options, NULL)) != -1;) {
        switch (c) {
        case 'p': if (!tool_number("--partition", optarg, 0, INT32_MAX, &partition)) return 2; break;
        case 'c': if (!tool_number("--count", optarg, 1, INT64_MAX, &count)) return 2; break;
        case 'f': from = optarg; break;
        case 'e': until_end = true; break;
        case 'g': group = optarg; break;
        case 'j': t->json = true; break;
        default: return 2;
        }
    }
    if (optind + 1 != argc) {
        tool_fail("consume takes one topic");
        return 2;
    }
    if (group && (partition >= 0 || until_end || (strcmp(from, "beginning") != 0 && strcmp(from, "end") != 0))) {
        tool_fail("--partition, --to-end and an offset do not go with --group");
        return 2;
    }
    if (group)
        return consume_group(t, argv[optind], group, from, count);
    if (strcmp(from, "beginning") == 0)
        offset = RD_KAFKA_OFFSET_BEGINNING;
    else if (strcmp(from, "end") == 0)
        offset = RD_KAFKA_OFFSET_END;
    else if (!tool_number("--from", from, 0, INT64_MAX, &offset))
        return 2;
    return tool_read(t, argv[optind], (int32_t)BR_MAX(partition, 0), offset, count, until_end, NULL, NULL);
}
