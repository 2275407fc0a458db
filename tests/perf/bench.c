/* The pieces of `make bench`: floors and clients, one subcommand each (tests/perf/README.md). bench.py starts them and does the arithmetic.
 *
 *   bench echo-server REQUEST RESPONSE        libevent, event + read/write; prints its port
 *   bench echo-client PORT REQUEST RESPONSE N one in flight; prints p50 and p99 in us
 *   bench produce PORT TOPIC N                the same with Produce requests of one record of 100 B, acks=all
 *   bench sizes PORT TOPIC                    bytes of that request and of its answer
 *   bench sync FILE BYTES N                   write + fdatasync on blocks written before; prints p50 and p99 in us
 *   bench ingest DIR                          answers a librdkafka producer, checks CRC-32C, appends to fresh files rolled at 1 GiB; prints its port
 *   bench load BROKERS TOPIC MIB              librdkafka producer, records of 1 KiB, acks=all; prints seconds */
#include "compat/base/clock.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "compat/gen/00_produce.h"
#include "compat/gen/03_metadata.h"
#include "compat/gen/18_api_versions.h"
#include "compat/wire/header.h"
#include "compat/wire/error.h"
#include <arpa/inet.h>
#include <event2/event.h>
#include <fcntl.h>
#include <librdkafka/rdkafka.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#define DIE(...) do { fprintf(stderr, "bench: " __VA_ARGS__); fputc('\n', stderr); exit(1); } while (0)

static int listen_any(int *port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 16) || getsockname(fd, (struct sockaddr *)&a, &len))
        DIE("cannot listen: %s", strerror(errno));
    *port = ntohs(a.sin_port);
    return fd;
}

static int connect_to(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    int one = 1, fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a))
        DIE("cannot connect to port %d: %s", port, strerror(errno));
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static bool read_all(int fd, void *buf, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t n = read(fd, (char *)buf + at, len - at);
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static void write_all(int fd, const void *buf, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t n = write(fd, (const char *)buf + at, len - at);
        if (n <= 0)
            DIE("write: %s", strerror(errno));
        at += (size_t)n;
    }
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void print_percentiles(int64_t *ns, size_t count)
{
    qsort(ns, count, sizeof *ns, by_value);
    printf("%.2f %.2f\n", (double)ns[count / 2] / 1000.0, (double)ns[count * 99 / 100] / 1000.0);
}

/* --- echo --- */

struct echo {
    struct event *event;
    size_t request, response, have;
    uint8_t buf[65536];
};

static void on_echo(evutil_socket_t fd, short what, void *arg)
{
    struct echo *e = arg;
    (void)what;
    ssize_t n = read(fd, e->buf, sizeof e->buf);
    if (n <= 0)
        exit(0);
    e->have += (size_t)n;
    while (e->have >= e->request) {
        e->have -= e->request;
        if (write(fd, e->buf, e->response) != (ssize_t)e->response)
            exit(1);
    }
}

static int echo_server(size_t request, size_t response)
{
    static struct echo e;
    int port, one = 1, fd = listen_any(&port);
    printf("%d\n", port);
    fflush(stdout);
    int client = accept(fd, NULL, NULL);
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    evutil_make_socket_nonblocking(client);
    struct event_base *base = event_base_new();
    e.request = request;
    e.response = response;
    e.event = event_new(base, client, EV_READ | EV_PERSIST, on_echo, &e);
    event_add(e.event, NULL);
    return event_base_dispatch(base);
}

static void round_trips(int fd, const void *request, size_t request_len, size_t response_len, size_t count)
{
    uint8_t answer[65536];
    int64_t *ns = br_alloc_array(count, sizeof *ns);
    for (size_t i = 0; i < count + count / 10; i++) { /* the first tenth warms up */
        int64_t start = br_clock_mono_ns();
        write_all(fd, request, request_len);
        if (!read_all(fd, answer, response_len))
            DIE("the other side closed");
        if (i >= count / 10)
            ns[i - count / 10] = br_clock_mono_ns() - start;
    }
    print_percentiles(ns, count);
}

/* --- produce --- */

static void make_produce(const char *topic, struct kw_out *out)
{
    struct br_buf batch;
    struct kw_batch_builder b;
    uint32_t size;
    char value[100];
    memset(value, 'v', sizeof value);
    br_buf_init(&batch, 1 << 20);
    int64_t now = br_clock_wall_ms();
    kw_batch_builder_init(&b, &batch, 0, now, 0);
    kw_batch_builder_add(&b, 0, now, br_str(NULL, 0), br_str(value, sizeof value), br_str(NULL, 0), 0, NULL, 0);
    if (kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &size) != BR_OK)
        DIE("cannot build a batch");
    struct kw_produce_request_partition p = {.index = 0, .records = {.data = batch.data, .len = size}};
    struct kw_produce_request_topic t = {.name = br_str_c(topic), .partitions = &p, .partitions_count = 1};
    struct kw_produce_request req = {.acks = -1, .timeout_ms = 30000, .topics = &t, .topics_count = 1};
    struct kw_request_header h = {.api_key = 0, .api_version = 9, .correlation_id = 7, .client_id = br_str_c("bench")};
    kw_out_init(out, 1 << 20);
    br_buf_add32(&out->bytes, 0);
    if (kw_request_header_encode(&h, out) != BR_OK || kw_encode(&kw_produce_request, 9, &req, out) != BR_OK)
        DIE("cannot encode a request");
    br_store32(out->bytes.data, (uint32_t)out->bytes.len - 4);
    br_buf_clear(&batch);
}

/* One exchange that must succeed; the answer's size, which every later one has too. */
static size_t produce_once(int fd, const struct kw_out *request)
{
    uint8_t answer[65536];
    write_all(fd, request->bytes.data, request->bytes.len);
    if (!read_all(fd, answer, 4))
        DIE("the broker closed the connection");
    size_t len = br_load32(answer);
    struct kw_produce_response response;
    struct br_arena arena;
    struct br_errbuf eb;
    int32_t correlation;
    if (len > sizeof answer - 4 || !read_all(fd, answer + 4, len))
        DIE("no whole answer");
    struct br_reader in = br_reader(answer + 4, len);
    br_arena_init(&arena, 1 << 20);
    if (kw_response_header_decode(&in, 0, 9, &correlation) != BR_OK || kw_decode(&kw_produce_response, 9, &in, &arena, &response, &eb) != BR_OK)
        DIE("answer does not decode");
    if (response.topics[0].partitions[0].error_code != 0)
        DIE("produce failed: %s", kw_error_name(response.topics[0].partitions[0].error_code));
    br_arena_clear(&arena);
    return 4 + len;
}

static int produce(int port, const char *topic, size_t count, bool sizes_only)
{
    struct kw_out request;
    int fd = connect_to(port);
    make_produce(topic, &request);
    size_t answer = produce_once(fd, &request);
    if (sizes_only)
        printf("%zu %zu\n", request.bytes.len, answer);
    else
        round_trips(fd, request.bytes.data, request.bytes.len, answer, count);
    return 0;
}

/* --- sync --- */

static int sync_floor(const char *path, size_t bytes, size_t count)
{
    enum { FILE_BYTES = 64 << 20 };
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    char *block = br_alloc(1 << 20);
    for (off_t at = 0; at < FILE_BYTES; at += 1 << 20) /* the pass before: blocks are written, then used again */
        if (pwrite(fd, block, 1 << 20, at) < 0)
            DIE("%s: %s", path, strerror(errno));
    fdatasync(fd);
    memset(block, 'x', bytes);
    int64_t *ns = br_alloc_array(count, sizeof *ns);
    off_t at = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t start = br_clock_mono_ns();
        if (pwrite(fd, block, bytes, at) < 0 || fdatasync(fd))
            DIE("%s: %s", path, strerror(errno));
        ns[i] = br_clock_mono_ns() - start;
        at = (at + (off_t)bytes) % (FILE_BYTES - (off_t)bytes);
    }
    print_percentiles(ns, count);
    close(fd);
    unlink(path);
    return 0;
}

/* --- ingest: what any broker must do at least --- */

struct ingest {
    const char *dir;
    int file, port;
    off_t file_bytes;
    unsigned files;
    int64_t offset;
    struct br_arena arena;
};

static void ingest_append(struct ingest *g, const uint8_t *data, size_t len)
{
    if (br_crc32c(data + 21, len - 21) != br_load32(data + 17))
        DIE("CRC does not match: magic %d, %zu bytes, batch_length %u", data[16], len, br_load32(data + 8));
    if (g->file < 0 || g->file_bytes + (off_t)len > (off_t)1 << 30) {
        char path[512];
        if (g->file >= 0)
            close(g->file);
        snprintf(path, sizeof path, "%s/%u.log", g->dir, g->files++);
        g->file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        g->file_bytes = 0;
    }
    if (write(g->file, data, len) != (ssize_t)len)
        DIE("write: %s", strerror(errno));
    g->file_bytes += (off_t)len;
}

static void ingest_answer(struct ingest *g, const struct kw_request_header *h, struct br_reader *in, struct kw_out *out)
{
    struct br_errbuf eb;
    if (h->api_key == 18) {
        struct kw_api_versions_response_api_version keys[] = {{0, 0, 9}, {1, 4, 11}, {3, 0, 8}, {18, 0, 3}}; /* without Fetch 4 librdkafka would write old batches */
        struct kw_api_versions_response r;
        kw_default(&kw_api_versions_response, &r);
        r.api_keys = keys;
        r.api_keys_count = 4;
        if (kw_encode(&kw_api_versions_response, h->api_version, &r, out) != BR_OK)
            DIE("encode");
    } else if (h->api_key == 3) {
        int32_t node = 1;
        struct kw_metadata_request req;
        struct kw_metadata_response r;
        struct kw_metadata_response_broker b = {.node_id = 1, .host = br_str_c("127.0.0.1"), .port = g->port};
        struct kw_metadata_response_partition p = {.leader_id = 1, .leader_epoch = 0, .replica_nodes = &node, .replica_nodes_count = 1, .isr_nodes = &node, .isr_nodes_count = 1};
        struct kw_metadata_response_topic t = {.name = br_str_c("bench"), .partitions = &p, .partitions_count = 1, .topic_authorized_operations = INT32_MIN};
        if (kw_decode(&kw_metadata_request, h->api_version, in, &g->arena, &req, &eb) != BR_OK)
            DIE("metadata: %s", eb.text);
        kw_default(&kw_metadata_response, &r);
        r.brokers = &b;
        r.brokers_count = 1;
        r.cluster_id = br_str_c("floor");
        r.controller_id = 1;
        r.topics = &t;
        r.topics_count = 1;
        if (kw_encode(&kw_metadata_response, h->api_version, &r, out) != BR_OK)
            DIE("encode");
    } else if (h->api_key == 0) {
        struct kw_produce_request req;
        struct kw_produce_response r;
        if (kw_decode(&kw_produce_request, h->api_version, in, &g->arena, &req, &eb) != BR_OK)
            DIE("produce: %s", eb.text);
        const struct kw_records *records = &req.topics[0].partitions[0].records;
        ingest_append(g, records->data, records->len);
        struct kw_produce_response_partition p = {.base_offset = g->offset, .log_append_time_ms = -1, .log_start_offset = 0, .current_leader = {-1, -1}};
        struct kw_produce_response_topic t = {.name = req.topics[0].name, .partitions = &p, .partitions_count = 1};
        g->offset += (int32_t)br_load32(records->data + 57);
        kw_default(&kw_produce_response, &r);
        r.topics = &t;
        r.topics_count = 1;
        if (kw_encode(&kw_produce_response, h->api_version, &r, out) != BR_OK)
            DIE("encode");
    } else {
        DIE("unexpected API %d", h->api_key);
    }
}

static bool ingest_frames(struct ingest *g, int fd, uint8_t *buf, size_t *have)
{
    size_t at = 0;
    struct kw_out out;
    kw_out_init(&out, 1 << 20);
    while (*have - at >= 4 && *have - at - 4 >= br_load32(buf + at)) {
        size_t len = br_load32(buf + at), start = out.bytes.len;
        struct br_reader in = br_reader(buf + at + 4, len);
        struct kw_request_header h;
        if (kw_request_header_decode(&in, &h) != BR_OK)
            DIE("bad header");
        br_buf_add32(&out.bytes, 0);
        kw_response_header_encode(h.api_key, h.api_version, h.correlation_id, &out);
        ingest_answer(g, &h, &in, &out);
        br_store32(out.bytes.data + start, (uint32_t)(out.bytes.len - start - 4));
        br_arena_reset(&g->arena);
        at += 4 + len;
    }
    if (out.bytes.len)
        write_all(fd, out.bytes.data, out.bytes.len);
    kw_out_clear(&out);
    memmove(buf, buf + at, *have - at);
    *have -= at;
    return true;
}

static int ingest(const char *dir)
{
    enum { CLIENTS = 16, BUF = 4 << 20 };
    struct ingest g = {.dir = dir, .file = -1};
    struct pollfd fds[CLIENTS + 1];
    uint8_t *bufs[CLIENTS + 1];
    size_t have[CLIENTS + 1] = {0};
    nfds_t count = 1;
    br_arena_init(&g.arena, 16 << 20);
    fds[0] = (struct pollfd){.fd = listen_any(&g.port), .events = POLLIN};
    printf("%d\n", g.port);
    fflush(stdout);
    while (poll(fds, count, 30000) > 0) {
        if (fds[0].revents && count <= CLIENTS) {
            int one = 1;
            bufs[count] = br_alloc(BUF);
            fds[count] = (struct pollfd){.fd = accept(fds[0].fd, NULL, NULL), .events = POLLIN};
            setsockopt(fds[count].fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
            count++;
        }
        for (nfds_t i = 1; i < count; i++) {
            if (fds[i].fd < 0 || !fds[i].revents)
                continue;
            ssize_t n = read(fds[i].fd, bufs[i] + have[i], BUF - have[i]);
            if (n <= 0) {
                close(fds[i].fd);
                fds[i].fd = -1;
                continue;
            }
            have[i] += (size_t)n;
            ingest_frames(&g, fds[i].fd, bufs[i], &have[i]);
        }
    }
    return 0;
}

/* --- load --- */

static void set(rd_kafka_conf_t *conf, const char *key, const char *value)
{
    char err[256];
    if (rd_kafka_conf_set(conf, key, value, err, sizeof err) != RD_KAFKA_CONF_OK)
        DIE("%s", err);
}

static unsigned long failed_count;

static void on_delivery(rd_kafka_t *rk, const rd_kafka_message_t *msg, void *opaque)
{
    (void)rk, (void)opaque;
    failed_count += msg->err != 0;
}

static int load(const char *brokers, const char *topic, size_t mib)
{
    char err[256], value[1024];
    rd_kafka_conf_t *conf = rd_kafka_conf_new();
    memset(value, 'v', sizeof value);
    set(conf, "bootstrap.servers", brokers);
    set(conf, "acks", "all");
    set(conf, "linger.ms", "5");
    set(conf, "batch.size", "1000000");
    set(conf, "queue.buffering.max.messages", "200000");
    set(conf, "queue.buffering.max.kbytes", "1000000");
    rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
    rd_kafka_t *rk = rd_kafka_new(RD_KAFKA_PRODUCER, conf, err, sizeof err);
    if (!rk)
        DIE("%s", err);
    rd_kafka_topic_t *t = rd_kafka_topic_new(rk, topic, NULL);
    int64_t start = br_clock_mono_ns();
    for (size_t i = 0; i < mib * 1024; i++) {
        while (rd_kafka_produce(t, 0, RD_KAFKA_MSG_F_COPY, value, sizeof value, NULL, 0, NULL) != 0) {
            if (rd_kafka_last_error() != RD_KAFKA_RESP_ERR__QUEUE_FULL)
                DIE("produce: %s", rd_kafka_err2str(rd_kafka_last_error()));
            rd_kafka_poll(rk, 10);
        }
        if (i % 1000 == 0)
            rd_kafka_poll(rk, 0);
    }
    if (rd_kafka_flush(rk, 60000) || failed_count)
        DIE("%lu records failed", failed_count);
    printf("%.3f\n", (double)(br_clock_mono_ns() - start) / 1e9);
    rd_kafka_topic_destroy(t);
    rd_kafka_destroy(rk);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
#define NUMBER(i) ((size_t)strtoul(argv[i], NULL, 10))
    if (strcmp(what, "echo-server") == 0 && argc == 4)
        return echo_server(NUMBER(2), NUMBER(3));
    if (strcmp(what, "echo-client") == 0 && argc == 6) {
        void *request = br_alloc(NUMBER(3));
        round_trips(connect_to((int)NUMBER(2)), request, NUMBER(3), NUMBER(4), NUMBER(5));
        return 0;
    }
    if (strcmp(what, "produce") == 0 && argc == 5)
        return produce((int)NUMBER(2), argv[3], NUMBER(4), false);
    if (strcmp(what, "sizes") == 0 && argc == 4)
        return produce((int)NUMBER(2), argv[3], 0, true);
    if (strcmp(what, "sync") == 0 && argc == 5)
        return sync_floor(argv[2], NUMBER(3), NUMBER(4));
    if (strcmp(what, "ingest") == 0 && argc == 3)
        return ingest(argv[2]);
    if (strcmp(what, "load") == 0 && argc == 5)
        return load(argv[2], argv[3], NUMBER(4));
    fprintf(stderr, "usage: see the head of tests/perf/bench.c\n");
    return 2;
}
