#include "broker/tool/tool.h"
#include "compat/base/mem.h"
#include <getopt.h>
#include <jansson.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t is_interrupted;

static void on_signal(int number)
{
    (void)number;
    is_interrupted = 1;
}

bool tool_interrupted(void)
{
    return is_interrupted || ferror(stdout);
}

int tool_fail(const char *fmt, ...)
{
    va_list ap;
    fflush(stdout);
    fputs("braid: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    return 1;
}

bool tool_number(const char *what, const char *text, int64_t min, int64_t max, int64_t *out)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < min || value > max) {
        tool_fail("%s: '%s' is not a number from %" PRId64 " to %" PRId64, what, text, min, max);
        return false;
    }
    *out = value;
    return true;
}

rd_kafka_conf_t *tool_conf(void)
{
    return rd_kafka_conf_new();
}

void tool_conf_set(rd_kafka_conf_t *conf, const char *key, const char *value)
{
    char err[256];
    if (rd_kafka_conf_set(conf, key, value, err, sizeof err) != RD_KAFKA_CONF_OK) {
        tool_fail("%s=%s: %s", key, value, err);
        exit(2);
    }
}

/* librdkafka's own lines are for debugging; the tool says what went wrong itself. */
static void on_log(const rd_kafka_t *rk, int level, const char *facility, const char *text)
{
    (void)rk;
    if (getenv("BRAID_DEBUG"))
        fprintf(stderr, "%%%d %s: %s\n", level, facility, text);
}

rd_kafka_t *tool_client(struct tool *t, rd_kafka_type_t type, rd_kafka_conf_t *conf)
{
    char err[512];
    if (!conf)
        conf = tool_conf();
    tool_conf_set(conf, "bootstrap.servers", t->bootstrap);
    tool_conf_set(conf, "client.id", "braid");
    for (unsigned i = 0; i < t->setting_count; i++) {
        char *copy = br_strdup(t->settings[i]), *eq = strchr(copy, '=');
        if (!eq) {
            tool_fail("-X %s: expected key=value", t->settings[i]);
            exit(2);
        }
        *eq = '\0';
        tool_conf_set(conf, copy, eq + 1);
        br_free(copy);
    }
    rd_kafka_conf_set_log_cb(conf, on_log);
    rd_kafka_t *rk = rd_kafka_new(type, conf, err, sizeof err);
    if (!rk)
        tool_fail("cannot start a client: %s", err);
    return rk;
}

static void usage(FILE *to)
{
    fputs("usage: braid [--bootstrap-server HOST:PORT] [--json] [-X key=value] COMMAND ...\n"
          "\n"
          "  topic list | create NAME [--partitions N] [--config key=value]... | describe NAME | delete NAME...\n"
          "  produce TOPIC [--partition N] [--key-separator S] [--acks all|1|0] [--compression CODEC]\n"
          "  consume TOPIC [--partition N] [--from beginning|end|OFFSET] [--count N] [--to-end]   (partition 0 by default)\n"
          "  consume TOPIC --group NAME [--from beginning|end] [--count N]   (all partitions)\n"
          "  order tail | read [--from POSITION] [--count N] | follow [--from POSITION] [--count N]   (each with [--view TOPIC])\n"
          "  order cut [--at POSITION] [TOPIC...] | wait POSITION [--timeout-ms N] | trim POSITION\n"
          "  order position TOPIC PARTITION OFFSET | position POSITION\n"
          "  order follow --speculative [--from POSITION] [--count N] [TOPIC...]\n"
          "  dump [--records] FILE...          words for .log, .index, .timeindex, .positions, .journal and .order files\n"
          "\n"
          "  --bootstrap-server HOST:PORT      default localhost:9092\n"
          "  --json                            one JSON object a line\n"
          "  -X key=value                      a librdkafka setting\n"
          "  --help, --version\n", to);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"bootstrap-server", required_argument, NULL, 'b'}, {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'}, {NULL, 0, NULL, 0},
    };
    static const struct {
        const char *name;
        int (*run)(struct tool *t, int argc, char **argv);
    } commands[] = {{"topic", tool_topic}, {"produce", tool_produce}, {"consume", tool_consume}, {"order", tool_order}, {"dump", tool_dump}};
    struct tool t = {.bootstrap = "localhost:9092"};
    for (int c; (c = getopt_long(argc, argv, "+b:jX:h", options, NULL)) != -1;) {
        switch (c) {
        case 'b': t.bootstrap = optarg; break;
        case 'j': t.json = true; break;
        case 'X':
            if (t.setting_count == BR_COUNT(t.settings))
                return tool_fail("too many -X");
            t.settings[t.setting_count++] = optarg;
            break;
        case 'h': usage(stdout); return 0;
        case 'v': printf("braid %s\n", PACKAGE_VERSION); return 0;
        default: usage(stderr); return 2;
        }
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_DFL);
    for (size_t i = 0; optind < argc && i < BR_COUNT(commands); i++) {
        if (strcmp(argv[optind], commands[i].name) != 0)
            continue;
        int first = optind;
        for (int arg = first + 1; arg < argc && strcmp(argv[arg], "--") != 0; arg++)
            if (strcmp(argv[arg], "--help") == 0) {
                usage(stdout);
                return 0;
            }
        argv[first] = argv[0]; /* getopt's messages begin with it */
        optind = 0; /* glibc: start anew, with permutation */
        int status = commands[i].run(&t, argc - first, argv + first);
        return fflush(stdout) == 0 && !ferror(stdout) ? status : tool_fail("the output could not be written");
    }
    if (optind < argc)
        tool_fail("'%s' is not a command", argv[optind]);
    usage(stderr);
    return 2;
}

json_t *tool_json_bytes(const void *data, size_t len)
{
    if (!data)
        return json_null();
    json_t *text = json_stringn(data, len);
    if (text)
        return text;
    char *hex = br_alloc(len * 2 + 1);
    for (size_t i = 0; i < len; i++)
        snprintf(hex + i * 2, 3, "%02x", ((const uint8_t *)data)[i]);
    text = json_pack("{s:s}", "hex", hex);
    br_free(hex);
    return text;
}

static const char *header_text(const rd_kafka_message_t *msg, const char *name, int *len)
{
    rd_kafka_headers_t *headers;
    const void *value;
    size_t size;
    *len = 0;
    if (rd_kafka_message_headers(msg, &headers) || rd_kafka_header_get_last(headers, name, &value, &size))
        return "";
    *len = (int)size;
    return value;
}

static void print_json(const rd_kafka_message_t *msg, bool is_order)
{
    rd_kafka_timestamp_type_t type;
    int64_t timestamp = rd_kafka_message_timestamp(msg, &type);
    json_t *o = json_object();
    if (is_order) {
        int topic_len, index_len, offset_len;
        const char *topic = header_text(msg, "braid.topic", &topic_len), *index = header_text(msg, "braid.partition", &index_len);
        const char *offset = header_text(msg, "braid.offset", &offset_len);
        json_object_set_new(o, "position", json_integer(msg->offset));
        json_object_set_new(o, "topic", json_stringn(topic, (size_t)topic_len));
        json_object_set_new(o, "partition", json_integer(strtoll(index, NULL, 10)));
        json_object_set_new(o, "offset", json_integer(strtoll(offset, NULL, 10)));
    } else {
        json_object_set_new(o, "topic", json_string(rd_kafka_topic_name(msg->rkt)));
        json_object_set_new(o, "partition", json_integer(msg->partition));
        json_object_set_new(o, "offset", json_integer(msg->offset));
    }
    json_object_set_new(o, "timestamp", json_integer(timestamp));
    json_object_set_new(o, "key", tool_json_bytes(msg->key, msg->key_len));
    json_object_set_new(o, "value", tool_json_bytes(msg->payload, msg->len));
    rd_kafka_headers_t *headers;
    json_t *list = json_array();
    if (rd_kafka_message_headers(msg, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
        const char *name;
        const void *value;
        size_t size;
        for (size_t i = 0; rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR; i++)
            if (!is_order || strncmp(name, "braid.", 6) != 0)
                json_array_append_new(list, json_pack("[s,o]", name, tool_json_bytes(value, size)));
    }
    json_object_set_new(o, "headers", list);
    json_dumpf(o, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(o);
}

void tool_print_message(struct tool *t, const rd_kafka_message_t *msg)
{
    int len;
    bool is_order = (t->is_order || strcmp(rd_kafka_topic_name(msg->rkt), "__order") == 0) && header_text(msg, "braid.topic", &len)[0];
    if (t->json) {
        print_json(msg, is_order);
        return;
    }
    if (is_order) {
        int topic_len, index_len, offset_len;
        const char *topic = header_text(msg, "braid.topic", &topic_len), *index = header_text(msg, "braid.partition", &index_len);
        const char *offset = header_text(msg, "braid.offset", &offset_len);
        printf("%10" PRId64 "  %.*s-%.*s @%.*s  ", msg->offset, topic_len, topic, index_len, index, offset_len, offset);
    } else {
        printf("%3d %10" PRId64 "  ", msg->partition, msg->offset);
    }
    fwrite(msg->key ? msg->key : "-", 1, msg->key ? msg->key_len : 1, stdout); /* all bytes: they may have a NUL among them */
    putchar('\t');
    fwrite(msg->payload ? msg->payload : "", 1, msg->payload ? msg->len : 0, stdout);
    putchar('\n');
}
