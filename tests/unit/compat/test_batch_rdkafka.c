/* librdkafka as judge of what we write: its mock cluster stores our batches of every codec as they come, and its consumer,
 * checking CRCs, must give back every record. */
#include "tests/support/harness.h"
#include "tests/unit/compat/batch_gen.h"
#include <arpa/inet.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX ((size_t)8 << 20)
#define RECORDS 200
#define POLLS_MAX 300 /* of 100 ms, in all */

struct world {
    rd_kafka_t *owner;
    rd_kafka_mock_cluster_t *cluster;
    const char *bootstrap; /* host:port */
};

static rd_kafka_t *new_client(rd_kafka_type_t type, const char *bootstrap)
{
    char why[256];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    if (bootstrap) {
        assert_int_equal(rd_kafka_conf_set(conf, "bootstrap.servers", bootstrap, why, sizeof why), RD_KAFKA_CONF_OK);
        assert_int_equal(rd_kafka_conf_set(conf, "group.id", "g", why, sizeof why), RD_KAFKA_CONF_OK);
        assert_int_equal(rd_kafka_conf_set(conf, "check.crcs", "true", why, sizeof why), RD_KAFKA_CONF_OK);
    }
    rd_kafka_t *rk = rd_kafka_new(type, conf, why, sizeof why);
    if (!rk)
        fail_msg("%s", why);
    return rk;
}

static void world_open(struct world *w)
{
    w->owner = new_client(RD_KAFKA_PRODUCER, NULL);
    w->cluster = rd_kafka_mock_cluster_new(w->owner, 1);
    assert_non_null(w->cluster);
    w->bootstrap = rd_kafka_mock_cluster_bootstraps(w->cluster);
}

static void world_close(struct world *w)
{
    rd_kafka_mock_cluster_destroy(w->cluster);
    rd_kafka_destroy(w->owner);
}

static int dial(const char *bootstrap)
{
    const char *colon = strrchr(bootstrap, ':');
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)strtol(colon + 1, NULL, 10)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void add_text(struct br_buf *b, const char *text)
{
    br_buf_add16(b, (uint16_t)strlen(text));
    br_buf_add(b, text, strlen(text));
}

/* A Produce 3 request with the batch as it is; returns the error code of its partition. */
static int produce(const struct world *w, const char *topic, const struct br_buf *batch)
{
    struct br_buf request;
    uint8_t answer[1024];
    size_t got = 0;
    br_buf_init(&request, MAX);
    br_buf_add32(&request, 0); /* length, below */
    br_buf_add16(&request, 0);
    br_buf_add16(&request, 3);
    br_buf_add32(&request, 99);
    br_buf_add16(&request, UINT16_MAX); /* no client id */
    br_buf_add16(&request, UINT16_MAX); /* no transactional id */
    br_buf_add16(&request, 1);
    br_buf_add32(&request, 10000);
    br_buf_add32(&request, 1);
    add_text(&request, topic);
    br_buf_add32(&request, 1);
    br_buf_add32(&request, 0);
    br_buf_add32(&request, (uint32_t)batch->len);
    br_buf_add(&request, batch->data, batch->len);
    br_store32(request.data, (uint32_t)request.len - 4);
    int fd = dial(w->bootstrap);
    for (size_t sent = 0; sent < request.len;) {
        ssize_t n = send(fd, request.data + sent, request.len - sent, MSG_NOSIGNAL);
        assert_true(n > 0);
        sent += (size_t)n;
    }
    while (got < 4 || got < 4 + br_load32(answer)) {
        ssize_t n = recv(fd, answer + got, sizeof answer - got, 0);
        assert_true(n > 0);
        got += (size_t)n;
    }
    close(fd);
    br_buf_clear(&request);
    size_t at = 4 + 4 + 4 + 2 + strlen(topic) + 4 + 4; /* length, correlation, topics, name, partitions, index */
    assert_true(got >= at + 2);
    return (int16_t)br_load16(answer + at);
}

static void add_hex(struct br_buf *out, const char *name, const void *data, size_t len)
{
    br_buf_printf(out, " %s=%s", name, data ? "" : "null");
    for (size_t i = 0; i < len; i++)
        br_buf_printf(out, "%02x", ((const uint8_t *)data)[i]);
}

static void add_message(struct br_buf *out, const rd_kafka_message_t *m)
{
    rd_kafka_headers_t *headers;
    br_buf_printf(out, "%lld %lld 0", (long long)m->offset, (long long)rd_kafka_message_timestamp(m, NULL));
    add_hex(out, "key", m->key, m->key_len);
    add_hex(out, "value", m->payload, m->len);
    if (rd_kafka_message_headers(m, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
        const char *name;
        const void *value;
        size_t len;
        for (size_t i = 0; rd_kafka_header_get_all(headers, i, &name, &value, &len) == RD_KAFKA_RESP_ERR_NO_ERROR; i++) {
            add_hex(out, "header", name, strlen(name));
            add_hex(out, "is", value, len);
        }
    }
    br_buf_printf(out, "\n");
}

/* Consumes count records of partition 0 from the start, as text. */
static void consume(const struct world *w, const char *topic, int count, struct br_buf *out)
{
    rd_kafka_t *rk = new_client(RD_KAFKA_CONSUMER, w->bootstrap);
    rd_kafka_topic_partition_list_t *where = rd_kafka_topic_partition_list_new(1);
    rd_kafka_topic_partition_list_add(where, topic, 0)->offset = 0;
    assert_int_equal(rd_kafka_assign(rk, where), RD_KAFKA_RESP_ERR_NO_ERROR);
    rd_kafka_topic_partition_list_destroy(where);
    for (int polls = 0; count > 0 && polls < POLLS_MAX; polls++) {
        rd_kafka_message_t *m = rd_kafka_consumer_poll(rk, 100);
        if (!m)
            continue;
        if (m->err)
            fail_msg("%s", rd_kafka_message_errstr(m));
        add_message(out, m);
        rd_kafka_message_destroy(m);
        polls--;
        count--;
    }
    rd_kafka_consumer_close(rk);
    rd_kafka_destroy(rk);
    assert_int_equal(count, 0);
}

static void expect_read(const struct world *w, const char *topic, const struct br_buf *batch)
{
    struct br_buf want, got;
    br_buf_init(&want, MAX);
    br_buf_init(&got, MAX);
    assert_int_equal(rd_kafka_mock_topic_create(w->cluster, topic, 1, 1), RD_KAFKA_RESP_ERR_NO_ERROR);
    assert_int_equal(gen_print(batch->data, batch->len, &want), BR_OK);
    assert_int_equal(produce(w, topic, batch), 0);
    consume(w, topic, RECORDS, &got);
    assert_int_equal(got.len, want.len);
    assert_memory_equal(got.data, want.data, want.len);
    br_buf_clear(&want);
    br_buf_clear(&got);
}

static void test_librdkafka_reads_every_codec(void **state BR_UNUSED)
{
    struct world w;
    struct br_rand r;
    world_open(&w);
    br_rand_init(&r, 21);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct br_buf batch;
        int64_t max;
        int32_t delta;
        struct gen_rules rules = {.record_count = RECORDS, .value_max = 3000, .codec = codec,
                                  .base_timestamp = 1700000000000};
        br_buf_init(&batch, MAX);
        gen_batch(&batch, &r, &rules, &max, &delta);
        expect_read(&w, kw_codec_name(codec), &batch);
        br_buf_clear(&batch);
    }
    world_close(&w);
}

static void test_librdkafka_reads_recompressed_batches(void **state BR_UNUSED)
{
    struct world w;
    struct br_rand r;
    world_open(&w);
    br_rand_init(&r, 22);
    for (int codec = 0; codec < KW_CODEC_COUNT; codec++) {
        struct br_buf first, second;
        struct kw_batch b;
        int64_t max;
        int32_t delta;
        struct gen_rules rules = {.record_count = RECORDS, .value_max = 500, .codec = KW_CODEC_GZIP,
                                  .base_timestamp = 1700000000000};
        br_buf_init(&first, MAX);
        br_buf_init(&second, MAX);
        gen_batch(&first, &r, &rules, &max, &delta);
        assert_int_equal(kw_batch_view(first.data, first.len, &b), BR_OK);
        assert_int_equal(kw_batch_recompress(&b, codec, 3, MAX, &second), BR_OK);
        kw_batch_set_append_time(second.data, (uint32_t)second.len, 1800000000000);
        expect_read(&w, kw_codec_name(codec), &second);
        br_buf_clear(&first);
        br_buf_clear(&second);
    }
    world_close(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_librdkafka_reads_every_codec),
    cmocka_unit_test(test_librdkafka_reads_recompressed_batches),
};

HARNESS_MAIN("batch_rdkafka", tests)
