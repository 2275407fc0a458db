/* braid order: the total order, read as the topic __order, or as a filtered view. */
#include "broker/tool/tool.h"
#include <getopt.h>

#define ORDER_TOPIC "__order"

struct order_options {
    int64_t from, count, timeout_ms;
    bool is_speculative;
};

static int order_tail(struct tool *t, const char *view)
{
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_CONSUMER, NULL);
    int64_t low, high;
    if (!rk)
        return 1;
    rd_kafka_resp_err_t err = rd_kafka_query_watermark_offsets(rk, view, 0, &low, &high, 10000);
    rd_kafka_destroy(rk);
    if (err)
        return tool_fail("%s: %s (broker %s)", view, rd_kafka_err2str(err), t->bootstrap);
    printf(t->json ? "{\"start\":%" PRId64 ",\"end\":%" PRId64 "}\n" : "first position kept %" PRId64 ", end %" PRId64 "\n", low, high);
    return 0;
}

static bool is_verb(const char *verb, const char *name, int left, int most)
{
    return strcmp(verb, name) == 0 && left >= 1 && left - 1 <= most;
}

/* What is asked through libbraid; -1: not that. */
static int order_api(struct tool *t, int left, char **argv, const struct order_options *o)
{
    const char *verb = left > 0 ? argv[0] : "";
    int64_t position, partition, offset;
    if (is_verb(verb, "cut", left, INT16_MAX))
        return tool_order_cut(t, o->from < 0 ? -1 : o->from, argv + 1, left - 1);
    if (is_verb(verb, "wait", left, 1) && left == 2)
        return tool_number("POSITION", argv[1], 0, INT64_MAX, &position) ? tool_order_wait(t, position, o->timeout_ms) : 2;
    if (is_verb(verb, "trim", left, 1) && left == 2)
        return tool_number("POSITION", argv[1], 0, INT64_MAX, &position) ? tool_order_trim(t, position) : 2;
    if (is_verb(verb, "position", left, 1) && left == 2)
        return tool_number("POSITION", argv[1], 0, INT64_MAX, &position) ? tool_order_record_at(t, position) : 2;
    if (is_verb(verb, "position", left, 3) && left == 4)
        return tool_number("PARTITION", argv[2], 0, INT32_MAX, &partition) && tool_number("OFFSET", argv[3], 0, INT64_MAX, &offset)
                   ? tool_order_position(t, argv[1], (int32_t)partition, offset)
                   : 2;
    if (is_verb(verb, "follow", left, INT16_MAX) && o->is_speculative)
        return tool_order_follow(t, o->from, o->count, argv + 1, left - 1);
    return -1;
}

int tool_order(struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {
        {"from", required_argument, NULL, 'f'}, {"view", required_argument, NULL, 'v'}, {"count", required_argument, NULL, 'c'}, {"json", no_argument, NULL, 'j'},
        {"speculative", no_argument, NULL, 's'}, {"timeout-ms", required_argument, NULL, 't'}, {"at", required_argument, NULL, 'a'}, {NULL, 0, NULL, 0},
    };
    const char *view = ORDER_TOPIC;
    struct order_options o = {.from = RD_KAFKA_OFFSET_BEGINNING};
    t->is_order = true;
    for (int c; (c = getopt_long(argc, argv, "f:c:jv:", options, NULL)) != -1;) {
        switch (c) {
        case 'f': if (!tool_number("--from", optarg, 0, INT64_MAX, &o.from)) return 2; break;
        case 'a': if (!tool_number("--at", optarg, 0, INT64_MAX, &o.from)) return 2; break;
        case 'c': if (!tool_number("--count", optarg, 1, INT64_MAX, &o.count)) return 2; break;
        case 't': if (!tool_number("--timeout-ms", optarg, 1, INT32_MAX, &o.timeout_ms)) return 2; break;
        case 's': o.is_speculative = true; break;
        case 'j': t->json = true; break;
        case 'v': view = optarg; break;
        default: return 2;
        }
    }
    int left = argc - optind;
    const char *verb = left > 0 ? argv[optind] : "";
    if (strcmp(verb, "tail") == 0 && left == 1)
        return order_tail(t, view);
    if (strcmp(verb, "read") == 0 && left == 1)
        return tool_read(t, view, 0, o.from, o.count, true, NULL, NULL);
    if (strcmp(verb, "follow") == 0 && left == 1 && !o.is_speculative)
        return tool_read(t, view, 0, o.from == RD_KAFKA_OFFSET_BEGINNING ? RD_KAFKA_OFFSET_END : o.from, o.count, false, NULL, NULL);
    int status = strcmp(view, ORDER_TOPIC) == 0 ? order_api(t, left, argv + optind, &o) : -1;
    if (status >= 0)
        return status;
    tool_fail("order takes tail, read or follow (each with --view TOPIC), follow --speculative, cut [--at POSITION] [TOPIC...], wait POSITION, trim POSITION, "
              "position TOPIC PARTITION OFFSET, or position POSITION");
    return 2;
}
