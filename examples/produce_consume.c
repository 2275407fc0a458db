/* Produces 1,000 records with acks=all and consumes them in a group. Usage: produce_consume BROKERS TOPIC */
#include "examples/common.h"

enum { COUNT = 1000 };

static int delivered;

static void on_delivery(rd_kafka_t *rk, const rd_kafka_message_t *msg, void *opaque)
{
    (void)rk, (void)opaque;
    if (msg->err)
        die("delivery", rd_kafka_err2str(msg->err));
    delivered++;
}

static void produce(const char *brokers, const char *topic)
{
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
    rd_kafka_t *rk = client(RD_KAFKA_PRODUCER, conf, (const char *const[]){"bootstrap.servers", brokers, "enable.idempotence", "true", NULL});
    for (int i = 0; i < COUNT; i++) {
        char value[32];
        int len = snprintf(value, sizeof value, "record %d", i);
        rd_kafka_resp_err_t err = rd_kafka_producev(rk, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_VALUE(value, (size_t)len), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                                                    RD_KAFKA_V_END);
        if (err)
            die("produce", rd_kafka_err2str(err));
        rd_kafka_poll(rk, 0);
    }
    rd_kafka_flush(rk, 10000);
    rd_kafka_destroy(rk);
}

static int consume(const char *brokers, const char *topic)
{
    int count = 0;
    time_t until = time(NULL) + 20;
    rd_kafka_t *rk = client(RD_KAFKA_CONSUMER, rd_kafka_conf_new(), (const char *const[]){"bootstrap.servers", brokers, "group.id", "example",
                                                                                          "auto.offset.reset", "earliest", NULL});
    subscribe(rk, topic);
    while (count < COUNT && time(NULL) < until) {
        rd_kafka_message_t *msg = rd_kafka_consumer_poll(rk, 500);
        if (msg && !msg->err)
            count++;
        if (msg)
            rd_kafka_message_destroy(msg);
    }
    rd_kafka_consumer_close(rk);
    rd_kafka_destroy(rk);
    return count;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        die("usage", "produce_consume BROKERS TOPIC");
    produce(argv[1], argv[2]);
    int consumed = consume(argv[1], argv[2]);
    printf("%d delivered, %d consumed\n", delivered, consumed);
    return delivered == COUNT && consumed == COUNT ? 0 : 1;
}
