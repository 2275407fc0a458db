/* The `braid` command: one file per subcommand, each a function of its arguments. Talks to the broker through librdkafka, as any client does;
 * `dump` reads files. Exit status: 0 done, 1 failed (one clear line on stderr), 2 usage. */
#pragma once

#include "compat/base/base.h"
#include <librdkafka/rdkafka.h>

struct tool {
    const char *bootstrap;          /* --bootstrap-server */
    bool json;                      /* --json: one JSON object a line */
    bool is_order;                  /* what is read is a view: messages are shown with position and origin, where they carry it */
    const char *settings[32];       /* -X key=value, for librdkafka */
    unsigned setting_count;
};

int tool_topic(struct tool *t, int argc, char **argv);
int tool_produce(struct tool *t, int argc, char **argv);
int tool_consume(struct tool *t, int argc, char **argv);
int tool_order(struct tool *t, int argc, char **argv);
int tool_dump(struct tool *t, int argc, char **argv);

/* A client with the tool's settings; conf is given (may be NULL). NULL after an error line. */
rd_kafka_t *tool_client(struct tool *t, rd_kafka_type_t type, rd_kafka_conf_t *conf);
rd_kafka_conf_t *tool_conf(void);
void tool_conf_set(rd_kafka_conf_t *conf, const char *key, const char *value);
/* `braid: message` on stderr; returns 1. */
BR_PRINTF(1, 2) int tool_fail(const char *fmt, ...);
/* Whole decimal number in [min, max]; false after an error line that names what. */
bool tool_number(const char *what, const char *text, int64_t min, int64_t max, int64_t *out);
/* Set by SIGINT and SIGTERM, and when the output cannot be written: loops end. */
bool tool_interrupted(void);

/* braid order, through libbraid. Each returns an exit status. position -1: now. */
int tool_order_cut(struct tool *t, int64_t position, char **topics, int topic_count);
/* timeout_ms 0: 10 s. */
int tool_order_wait(struct tool *t, int64_t position, int64_t timeout_ms);
int tool_order_trim(struct tool *t, int64_t position);
int tool_order_position(struct tool *t, const char *topic, int32_t partition, int64_t offset);
int tool_order_record_at(struct tool *t, int64_t position);
/* from < 0: the end. count 0: until an interrupt. */
int tool_order_follow(struct tool *t, int64_t from, int64_t count, char **topics, int topic_count);

/* Bytes as a JSON string; what is not UTF-8 is shown as {"hex": ...}. The caller has it. */
struct json_t *tool_json_bytes(const void *data, size_t len);
/* Prints one message: text `partition offset key value` or a JSON object. Of an order view: position and origin, where the message carries it (headers braid.*). */
void tool_print_message(struct tool *t, const rd_kafka_message_t *msg);
/* Reads partition `partition` from `from` (an offset, or RD_KAFKA_OFFSET_BEGINNING / _END) until count messages (0: no limit), the end as it was at the start
 * (until_end) or an interrupt. each: NULL prints; else called for each message, false ends. Returns an exit status. */
int tool_read(struct tool *t, const char *topic, int32_t partition, int64_t from, int64_t count, bool until_end,
              bool (*each)(void *ctx, const rd_kafka_message_t *msg), void *ctx);
