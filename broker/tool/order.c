/* braid order: the total order, read as the topic __order, or as a filtered view. */
#include "broker/tool/tool.h"
#include <getopt.h>

#define ORDER_TOPIC "__order"

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

struct sought {
    const char *topic, *partition;
    char offset[24];
    int64_t position; /* -1: not seen */
    int64_t passed;
};

static bool header_is(const rd_kafka_message_t *msg, const char *name, const char *text)
{
    rd_kafka_headers_t *headers;
    const void *value;
    size_t size;
    return !rd_kafka_message_headers(msg, &headers) && !rd_kafka_header_get_last(headers, name, &value, &size) && size == strlen(text) &&
           memcmp(value, text, size) == 0;
}

static bool is_sought(void *ctx, const rd_kafka_message_t *msg)
{
    struct sought *s = ctx;
    if (++s->passed % 1000000 == 0)
        fprintf(stderr, "braid: looked at %" PRId64 " records, position %" PRId64 "\n", s->passed, msg->offset);
    if (!header_is(msg, "braid.topic", s->topic) || !header_is(msg, "braid.partition", s->partition) || !header_is(msg, "braid.offset", s->offset))
        return true;
    s->position = msg->offset;
    return false;
}

/* Reads the order from the first position the record can have: a record's position is never below its offset. */
static int order_position(struct tool *t, char **argv)
{
    int64_t partition, offset, low, high;
    if (!tool_number("PARTITION", argv[1], 0, INT32_MAX, &partition) || !tool_number("OFFSET", argv[2], 0, INT64_MAX, &offset))
        return 2;
    rd_kafka_t *rk = tool_client(t, RD_KAFKA_CONSUMER, NULL);
    if (!rk)
        return 1;
    rd_kafka_resp_err_t err = rd_kafka_query_watermark_offsets(rk, argv[0], (int32_t)partition, &low, &high, 10000);
    if (!err && (offset < low || offset >= high)) {
        rd_kafka_destroy(rk);
        return tool_fail("%s-%s holds offsets %" PRId64 " to %" PRId64, argv[0], argv[1], low, high - 1);
    }
    if (!err)
        err = rd_kafka_query_watermark_offsets(rk, ORDER_TOPIC, 0, &low, &high, 10000);
    rd_kafka_destroy(rk);
    if (err)
        return tool_fail("%s: %s (broker %s)", argv[0], rd_kafka_err2str(err), t->bootstrap);
    struct sought s = {.topic = argv[0], .position = -1};
    char index[16];
    snprintf(index, sizeof index, "%d", (int)partition);
    snprintf(s.offset, sizeof s.offset, "%" PRId64, offset);
    s.partition = index;
    int status = tool_read(t, ORDER_TOPIC, 0, BR_MAX(low, BR_MIN(offset, high)), 0, true, is_sought, &s);
    if (status != 0)
        return status;
    if (s.position < 0)
        return tool_fail("%s-%s offset %s is not in the order", argv[0], argv[1], s.offset);
    printf(t->json ? "{\"position\":%" PRId64 "}\n" : "%" PRId64 "\n", s.position);
    return 0;
}

int tool_order(struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {
        {"from", required_argument, NULL, 'f'}, {"view", required_argument, NULL, 'v'}, {"count", required_argument, NULL, 'c'}, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0},
    };
    const char *view = ORDER_TOPIC;
    int64_t from = RD_KAFKA_OFFSET_BEGINNING, count = 0;
    t->is_order = true;
    for (int c; (c = getopt_long(argc, argv, "f:c:jv:", options, NULL)) != -1;) {
        switch (c) {
        case 'f': if (!tool_number("--from", optarg, 0, INT64_MAX, &from)) return 2; break;
        case 'c': if (!tool_number("--count", optarg, 1, INT64_MAX, &count)) return 2; break;
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
        return tool_read(t, view, 0, from, count, true, NULL, NULL);
    if (strcmp(verb, "follow") == 0 && left == 1)
        return tool_read(t, view, 0, from == RD_KAFKA_OFFSET_BEGINNING ? RD_KAFKA_OFFSET_END : from, count, false, NULL, NULL);
    if (strcmp(verb, "position") == 0 && left == 4 && strcmp(view, ORDER_TOPIC) == 0)
        return order_position(t, argv + optind + 1);
    tool_fail("order takes tail, read or follow (each with --view TOPIC), or position TOPIC PARTITION OFFSET");
    return 2;
}
