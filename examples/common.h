/* What the examples share: a client with settings, or a message and the end. */
#pragma once

#include <librdkafka/rdkafka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void die(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

/* settings: key, value, key, value, ..., NULL. */
static rd_kafka_t *client(rd_kafka_type_t type, rd_kafka_conf_t *conf, const char *const *settings)
{
    char err[512];
    for (; *settings; settings += 2)
        if (rd_kafka_conf_set(conf, settings[0], settings[1], err, sizeof err) != RD_KAFKA_CONF_OK)
            die(settings[0], err);
    rd_kafka_t *rk = rd_kafka_new(type, conf, err, sizeof err);
    if (!rk)
        die("client", err);
    return rk;
}

static void subscribe(rd_kafka_t *rk, const char *topic)
{
    rd_kafka_topic_partition_list_t *list = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(list, topic, RD_KAFKA_PARTITION_UA);
    rd_kafka_resp_err_t err = rd_kafka_subscribe(rk, list);
    if (err)
        die(topic, rd_kafka_err2str(err));
    rd_kafka_topic_partition_list_destroy(list);
}
