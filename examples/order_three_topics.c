/* Cause and effect across partitions: an order, then (once it is acknowledged) its payment, then its shipment, each on another topic. An ordinary consumer of
 * __order sees every shipment after its payment and every payment after its order; no single Kafka partition could promise that.
 * What was in the order before it started is passed over: the end of __order covers it. Usage: order_three_topics BROKERS */
#include "examples/common.h"

enum { COUNT = 200, STEPS = 3 };
static const char *const topics[STEPS] = {"orders", "payments", "shipments"};

static rd_kafka_t *producer;
static int delivered[STEPS];

/* The effect is produced when its cause is acknowledged. */
static void send_step(int step, int number)
{
    char value[32];
    int len = snprintf(value, sizeof value, "%d", number);
    rd_kafka_resp_err_t err = rd_kafka_producev(producer, RD_KAFKA_V_TOPIC(topics[step]), RD_KAFKA_V_VALUE(value, (size_t)len),
                                                RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_OPAQUE((void *)(intptr_t)step), RD_KAFKA_V_END);
    if (err)
        die(topics[step], rd_kafka_err2str(err));
}

static void on_delivery(rd_kafka_t *rk, const rd_kafka_message_t *msg, void *opaque)
{
    int step = (int)(intptr_t)msg->_private;
    (void)rk, (void)opaque;
    if (msg->err)
        die("delivery", rd_kafka_err2str(msg->err));
    delivered[step]++;
    if (step + 1 < STEPS) {
        char text[32];
        snprintf(text, sizeof text, "%.*s", (int)msg->len, (const char *)msg->payload);
        send_step(step + 1, (int)strtol(text, NULL, 10));
    }
}

/* Which step a record of the order belongs to, or -1. */
static int step_of(const rd_kafka_message_t *msg)
{
    rd_kafka_headers_t *headers;
    const void *topic;
    size_t len;
    if (rd_kafka_message_headers(msg, &headers) || rd_kafka_header_get_last(headers, "braid.topic", &topic, &len))
        return -1;
    for (int step = 0; step < STEPS; step++)
        if (strlen(topics[step]) == len && memcmp(topics[step], topic, len) == 0)
            return step;
    return -1;
}

int main(int argc, char **argv)
{
    int reached[COUNT] = {0}, seen = 0, wrong = 0;
    int64_t low, first = 0, last = -1;
    time_t until = time(NULL) + 30;
    if (argc != 2)
        die("usage", "order_three_topics BROKERS");
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
    producer = client(RD_KAFKA_PRODUCER, conf, (const char *const[]){"bootstrap.servers", argv[1], "enable.idempotence", "true", NULL});
    rd_kafka_resp_err_t err = rd_kafka_query_watermark_offsets(producer, "__order", 0, &low, &first, 10000);
    if (err)
        die("__order", rd_kafka_err2str(err));
    for (int i = 0; i < COUNT; i++)
        send_step(0, i);
    while (delivered[STEPS - 1] < COUNT && time(NULL) < until)
        rd_kafka_poll(producer, 100);
    rd_kafka_destroy(producer);

    rd_kafka_t *reader = client(RD_KAFKA_CONSUMER, rd_kafka_conf_new(), (const char *const[]){"bootstrap.servers", argv[1], "group.id", "order-reader",
                                                                                              "auto.offset.reset", "earliest", NULL});
    subscribe(reader, "__order");
    while (seen < COUNT * STEPS && time(NULL) < until) {
        rd_kafka_message_t *msg = rd_kafka_consumer_poll(reader, 500);
        int step = msg && !msg->err && msg->offset >= first ? step_of(msg) : -1;
        if (step >= 0) {
            char *text = strndup(msg->payload, msg->len);
            int number = (int)strtol(text, NULL, 10);
            free(text);
            wrong += number < 0 || number >= COUNT || reached[number] != step || msg->offset <= last;
            if (number >= 0 && number < COUNT)
                reached[number] = step + 1;
            last = msg->offset;
            seen++;
        }
        if (msg)
            rd_kafka_message_destroy(msg);
    }
    rd_kafka_consumer_close(reader);
    rd_kafka_destroy(reader);
    printf("%d records of three topics in one order, %d out of place\n", seen, wrong);
    return seen == COUNT * STEPS && wrong == 0 ? 0 : 1;
}
