/* braid produce: lines of standard input become records. */
#include "broker/tool/tool.h"
#include <getopt.h>

struct counts {
    uint64_t sent, failed;
    char first_error[256];
};

static void on_delivery(rd_kafka_t *rk, const rd_kafka_message_t *msg, void *opaque)
{
    struct counts *counts = opaque;
    (void)rk;
    if (!msg->err) {
        counts->sent++;
        return;
    }
    if (counts->failed++ == 0)
        snprintf(counts->first_error, sizeof counts->first_error, "%s", rd_kafka_err2str(msg->err));
}

static int produce_lines(rd_kafka_t *rk, const char *topic, int32_t partition, const char *separator)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t len;
    int status = 0;
    while (status == 0 && !tool_interrupted() && (len = getline(&line, &cap, stdin)) >= 0) {
        if (len > 0 && line[len - 1] == '\n')
            len--;
        const char *value = line, *key = NULL;
        size_t key_len = 0, value_len = (size_t)len;
        char *at = separator ? memmem(line, (size_t)len, separator, strlen(separator)) : NULL;
        if (at) {
            key = line;
            key_len = (size_t)(at - line);
            value = at + strlen(separator);
            value_len = (size_t)len - key_len - strlen(separator);
        }
        for (;;) {
            rd_kafka_resp_err_t err = rd_kafka_producev(rk, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                RD_KAFKA_V_KEY(key, key_len), RD_KAFKA_V_VALUE((void *)(uintptr_t)value, value_len), RD_KAFKA_V_END);
            if (err != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
                if (err)
                    status = tool_fail("%s: %s", topic, rd_kafka_err2str(err));
                break;
            }
            rd_kafka_poll(rk, 100);
        }
        rd_kafka_poll(rk, 0);
    }
    free(line); /* lint: allow free (of getline) */
    return status;
}

int tool_produce(struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {
        {"partition", required_argument, NULL, 'p'}, {"key-separator", required_argument, NULL, 'k'}, {"acks", required_argument, NULL, 'a'},
        {"compression", required_argument, NULL, 'z'}, {NULL, 0, NULL, 0},
    };
    int64_t partition = RD_KAFKA_PARTITION_UA;
    const char *separator = NULL, *acks = "all", *codec = "none";
    for (int c; (c = getopt_long(argc, argv, "p:k:a:z:", options, NULL)) != -1;) {
        switch (c) {
        case 'p': if (!tool_number("--partition", optarg, 0, INT32_MAX, &partition)) return 2; break;
        case 'k': separator = optarg[0] ? optarg : NULL; break;
        case 'a': acks = optarg; break;
        case 'z': codec = optarg; break;
        default: return 2;
        }
    }
    if (optind + 1 != argc) {
        tool_fail("produce takes one topic");
        return 2;
    }
    struct counts counts = {0};
    rd_kafka_conf_t *conf = tool_conf();
    tool_conf_set(conf, "acks", acks);
    tool_conf_set(conf, "compression.codec", codec);
    tool_conf_set(conf, "linger.ms", "5");
    tool_conf_set(conf, "message.timeout.ms", "15000");
    if (strcmp(acks, "all") == 0 || strcmp(acks, "-1") == 0)
        tool_conf_set(conf, "enable.idempotence", "true");
    rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
    rd_kafka_conf_set_opaque(conf, &counts);
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_PRODUCER, conf);
    if (!rk)
        return 1;
    int status = produce_lines(rk, argv[optind], (int32_t)partition, separator);
    rd_kafka_flush(rk, 20000);
    rd_kafka_destroy(rk);
    if (counts.failed)
        return tool_fail("%" PRIu64 " of %" PRIu64 " records were not written: %s (broker %s)", counts.failed, counts.failed + counts.sent,
                         counts.first_error, t->bootstrap);
    if (t->json)
        printf("{\"topic\":\"%s\",\"records\":%" PRIu64 "}\n", argv[optind], counts.sent);
    return status;
}
