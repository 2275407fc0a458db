/* Connections over a socket pair: frames in however they are cut, holding and resuming, the budget, the end of input, output with file ranges; listening
 * sockets; the loop's timer and wake. */
#include "compat/base/buf.h"
#include "compat/base/clock.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "compat/net/conn.h"
#include "compat/net/listen.h"
#include "tests/support/harness.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define FRAME_MAX (4 << 20)

/* What a connection told its owner. */
struct owner {
    struct br_net_conn *conn;
    struct br_buf got;       /* payloads, one after the other */
    unsigned frames, closes, drains;
    unsigned hold_every;     /* hold after each n-th frame; 0 never */
    enum br_net_why why;
    uint8_t first[8];
    size_t first_count;
    struct br_net_buf *kept; /* of the last frame, when keeps is set */
    uint8_t *kept_frame;
    bool keeps;
};

static struct br_net_loop *loop;
static struct br_net_pool *pool;
static struct owner one, two;
static int peer, peer_two;
static int64_t turn_deadline;
static bool (*until)(void);

static bool on_frame(void *ctx, struct br_net_buf *buf, uint8_t *frame, size_t len)
{
    struct owner *o = ctx;
    br_buf_add(&o->got, frame, len);
    o->frames++;
    if (o->keeps) {
        br_net_buf_ref(buf);
        o->kept = buf;
        o->kept_frame = frame;
    }
    return !o->hold_every || o->frames % o->hold_every;
}

static void on_close(void *ctx, enum br_net_why why, const uint8_t *first, size_t count)
{
    struct owner *o = ctx;
    o->closes++;
    o->why = why;
    o->first_count = BR_MIN(count, sizeof o->first);
    if (count)
        memcpy(o->first, first, o->first_count);
}

static void on_drained(void *ctx) { ((struct owner *)ctx)->drains++; }

static void open_one(struct owner *o, int *other_end)
{
    int fds[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    *o = (struct owner){0};
    br_buf_init(&o->got, (size_t)64 << 20);
    struct br_net_conn_opts opts = {.loop = loop, .pool = pool, .fd = fds[0], .frame_bytes_max = FRAME_MAX, .on_frame = on_frame, .on_close = on_close,
                                    .on_drained = on_drained, .ctx = o};
    o->conn = br_net_conn_new(&opts);
    *other_end = fds[1];
}

static void make(size_t budget)
{
    loop = br_net_loop_new();
    pool = br_net_pool_new(budget);
    open_one(&one, &peer);
    open_one(&two, &peer_two);
}

static int setup(void **state)
{
    (void)state;
    br_log_set_level(BR_LOG_ERROR);
    make(8 << 20);
    return 0;
}

static int setup_small_budget(void **state)
{
    (void)state;
    make(256 << 10);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    br_net_conn_free(one.conn);
    br_net_conn_free(two.conn);
    assert_int_equal(br_net_pool_charged(pool), 0); /* nothing stays charged */
    br_net_pool_free(pool);
    br_net_loop_free(loop);
    br_buf_clear(&one.got);
    br_buf_clear(&two.got);
    close(peer);
    close(peer_two);
    return 0;
}

/* --- turns --- */

static void turn_end(void *ctx)
{
    (void)ctx;
    br_net_pool_turn_end(pool);
    if (!until || until() || br_clock_mono_ms() >= turn_deadline)
        br_net_loop_stop(loop);
}

static int64_t deadline(void *ctx)
{
    (void)ctx;
    return turn_deadline;
}

/* Turns until the condition holds, 5 s at most; without one: what is ready now. */
static void turn(bool (*condition)(void))
{
    struct br_net_turn turn = {.end = turn_end, .deadline = deadline};
    until = condition;
    turn_deadline = br_clock_mono_ms() + (condition ? 5000 : 0);
    br_net_loop_run(loop, &turn);
    if (condition)
        assert_true(condition());
}

static void turns(void)
{
    for (int i = 0; i < 20; i++)
        turn(NULL);
}

static bool is_one_closed(void) { return one.closes > 0; }

static void send_all(int fd, const void *data, size_t len)
{
    const uint8_t *at = data;
    while (len > 0) {
        ssize_t n = write(fd, at, len);
        if (n < 0) {
            assert_int_equal(errno, EAGAIN);
            turn(NULL);
            if (fd == peer)
                br_net_conn_resume(one.conn);
            continue;
        }
        at += n;
        len -= (size_t)n;
    }
}

/* count frames with lengths from `lengths`, filled with what tells them apart; their payloads into want. */
static void make_stream(struct br_buf *stream, struct br_buf *want, const uint32_t *lengths, size_t count)
{
    br_buf_init(stream, (size_t)64 << 20);
    br_buf_init(want, (size_t)64 << 20);
    for (size_t i = 0; i < count; i++) {
        br_buf_add32(stream, lengths[i]);
        uint8_t *room = br_buf_room(stream, lengths[i]);
        assert_non_null(room);
        for (uint32_t k = 0; k < lengths[i]; k++)
            room[k] = (uint8_t)(i * 31 + k * 7);
        br_buf_add(want, room, lengths[i]);
        stream->len += lengths[i];
    }
}

/* --- frames in --- */

static void test_frames_come_out_whole_however_they_are_cut(void **state)
{
    enum { FRAMES = 60 };
    static uint32_t lengths[FRAMES];
    struct br_rand rand;
    struct br_buf stream, want;
    (void)state;
    br_rand_init(&rand, 3);
    for (int round = 0; round < 6; round++) {
        for (size_t i = 0; i < FRAMES; i++)
            lengths[i] = (uint32_t)(br_rand_chance(&rand, 80) ? br_rand_below(&rand, 300) : br_rand_below(&rand, 200000));
        make_stream(&stream, &want, lengths, FRAMES);
        br_buf_reset(&one.got);
        one.frames = 0;
        one.hold_every = (unsigned)(round % 3);
        for (size_t at = 0; at < stream.len;) {
            size_t part = 1 + (size_t)br_rand_below(&rand, br_rand_chance(&rand, 50) ? 20 : 100000);
            part = BR_MIN(stream.len - at, part);
            send_all(peer, stream.data + at, part);
            at += part;
            turn(NULL);
            br_net_conn_resume(one.conn);
        }
        for (int i = 0; i < 1000 && one.frames < FRAMES; i++) {
            turn(NULL);
            br_net_conn_resume(one.conn);
        }
        assert_int_equal(one.frames, FRAMES);
        assert_int_equal(one.got.len, want.len);
        assert_memory_equal(one.got.data, want.data, want.len);
        br_buf_clear(&stream);
        br_buf_clear(&want);
    }
    turns();
    assert_int_equal(br_net_pool_charged(pool), 0);
}

static void test_held_frames_wait_for_resume(void **state)
{
    uint8_t three[] = {0, 0, 0, 1, 'a', 0, 0, 0, 1, 'b', 0, 0, 0, 1, 'c'};
    size_t bytes;
    (void)state;
    one.hold_every = 1;
    send_all(peer, three, sizeof three);
    turns();
    assert_int_equal(one.frames, 1);
    assert_true(br_net_conn_has_frame(one.conn));
    assert_true(br_net_conn_partial_since(one.conn, &bytes) == 0); /* nobody owes anything */
    br_net_conn_resume(one.conn);
    assert_int_equal(one.frames, 2);
    br_net_conn_resume(one.conn);
    assert_int_equal(one.frames, 3);
    assert_false(br_net_conn_has_frame(one.conn));
    assert_memory_equal(one.got.data, "abc", 3);
}

static void test_a_kept_frame_stays_while_others_come(void **state)
{
    static uint8_t big[100000];
    uint8_t small[] = {0, 0, 0, 2, 'h', 'i'};
    (void)state;
    one.keeps = true;
    send_all(peer, small, sizeof small);
    turns();
    struct br_net_buf *kept = one.kept;
    uint8_t *frame = one.kept_frame;
    one.keeps = false;
    for (int i = 0; i < 50; i++) {
        memset(big, i, sizeof big);
        memcpy(big, (uint8_t[]){0, 1, 0x86, 0x9c}, 4);
        send_all(peer, big, sizeof big);
        send_all(peer_two, big, sizeof big);
        turns();
    }
    assert_memory_equal(frame, "hi", 2);
    assert_int_equal(one.frames, 51);
    br_net_buf_unref(kept);
}

static void test_a_length_that_cannot_be_closes_with_its_first_bytes(void **state)
{
    static const uint8_t bad[][8] = {{0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4}, {0x80, 0, 0, 0, 0, 0, 0, 0}, {0x16, 3, 1, 0, 1, 0, 0, 0}, {'G', 'E', 'T', ' ', '/', 0, 0, 0}};
    static const uint8_t limit[] = {0, 0x40, 0, 1}, fits[] = {0, 0x40, 0, 0};
    (void)state;
    send_all(peer_two, fits, sizeof fits);
    turns();
    assert_int_equal(two.closes, 0);
    for (size_t i = 0; i < BR_COUNT(bad); i++) {
        struct owner o;
        int end;
        open_one(&o, &end);
        send_all(end, bad[i], sizeof bad[i]);
        turns();
        assert_int_equal(o.closes, 1);
        assert_int_equal(o.why, BR_NET_BAD_LENGTH);
        assert_memory_equal(o.first, bad[i], 8);
        br_net_conn_free(o.conn);
        close(end);
    }
    send_all(peer, limit, sizeof limit);
    turn(is_one_closed);
    assert_int_equal(one.why, BR_NET_BAD_LENGTH);
}

/* --- the budget --- */

static void test_announcing_a_big_frame_reserves_next_to_nothing(void **state)
{
    static const uint8_t announced[] = {0, 0x3f, 0, 0, 1, 2, 3};
    size_t bytes;
    (void)state;
    send_all(peer, announced, sizeof announced);
    turns();
    assert_true(br_net_pool_charged(pool) <= 65536);
    assert_true(br_net_conn_partial_since(one.conn, &bytes) > 0);
    assert_int_equal(bytes, sizeof announced);
    static uint8_t part[80000];
    send_all(peer, part, sizeof part);
    turns();
    assert_true(br_net_pool_charged(pool) <= 20 * sizeof part);
    br_net_conn_partial_since(one.conn, &bytes);
    assert_int_equal(bytes, sizeof announced + sizeof part);
}

static int send_some(int fd, const uint8_t *data, size_t len)
{
    ssize_t n = write(fd, data, len);
    assert_true(n > 0 || errno == EAGAIN);
    return n > 0 ? (int)n : 0;
}

/* Three want 200 KiB each of 256: the second may go over, the third waits until one is whole. */
static void test_over_the_budget_one_goes_on_and_others_wait_and_small_frames_pass(void **state)
{
    static uint8_t big[200 << 10];
    static const uint8_t ping[] = {0, 0, 0, 1, 'p'};
    struct owner third, fourth;
    int end, other_end;
    size_t bytes, in_third = 0;
    (void)state;
    open_one(&third, &end);
    open_one(&fourth, &other_end);
    memcpy(big, (uint8_t[]){0, 3, 0x1f, 0xfc}, 4);
    send_all(peer, big, sizeof big - 1);
    send_all(peer_two, big, sizeof big - 1);
    turns();
    assert_true(br_net_pool_charged(pool) >= 2 * sizeof big);
    for (int i = 0; i < 50 && in_third < sizeof big - 1; i++) { /* the socket fills up */
        in_third += (size_t)send_some(end, big + in_third, sizeof big - 1 - in_third);
        turns();
    }
    assert_true(br_net_pool_charged(pool) <= (256 << 10) + sizeof big);
    assert_true(br_net_conn_partial_since(third.conn, &bytes) == 0); /* it is we who do not read */
    assert_true(br_net_conn_partial_since(two.conn, &bytes) > 0);
    send_all(other_end, ping, sizeof ping);
    turns();
    assert_int_equal(fourth.frames, 1);
    send_all(peer, big + sizeof big - 1, 1);
    send_all(peer_two, big + sizeof big - 1, 1);
    turns();
    assert_int_equal(one.frames, 1);
    assert_int_equal(two.frames, 1);
    for (int i = 0; i < 50 && third.frames == 0; i++) { /* its turn */
        in_third += in_third < sizeof big ? (size_t)send_some(end, big + in_third, sizeof big - in_third) : 0;
        turns();
    }
    assert_int_equal(third.frames, 1);
    br_net_conn_free(third.conn);
    br_net_conn_free(fourth.conn);
    close(end);
    close(other_end);
    br_buf_clear(&third.got);
    br_buf_clear(&fourth.got);
}

static void test_a_frame_above_the_whole_budget_comes_in_alone(void **state)
{
    static uint8_t huge[1 << 20];
    (void)state;
    memcpy(huge, (uint8_t[]){0, 0x0f, 0xff, 0xfc}, 4);
    send_all(peer, huge, sizeof huge);
    for (int i = 0; i < 50 && one.frames == 0; i++)
        turn(NULL);
    assert_int_equal(one.frames, 1);
    turns();
    assert_int_equal(br_net_pool_charged(pool), 0);
}

static void test_a_steady_stream_is_never_late(void **state)
{
    static uint8_t frame[4 + 1000];
    size_t bytes;
    int64_t since;
    (void)state;
    memcpy(frame, (uint8_t[]){0, 0, 3, 0xe8}, 4);
    br_clock_set_fake(1000, 1000);
    send_all(peer, frame, 500);
    turn(NULL);
    since = br_net_conn_partial_since(one.conn, &bytes);
    assert_int_equal(since, 1000);
    br_clock_set_fake(5000, 5000);
    send_all(peer, frame + 500, 504);
    send_all(peer, frame, 500); /* always half a frame in, but each one is whole in time */
    turn(NULL);
    turn(NULL);
    assert_int_equal(one.frames, 1);
    since = br_net_conn_partial_since(one.conn, &bytes);
    assert_int_equal(since, 5000);
    br_clock_set_fake(9000, 9000);
    send_all(peer, frame + 500, 4);
    turn(NULL);
    since = br_net_conn_partial_since(one.conn, &bytes);
    assert_int_equal(since, 5000); /* a few bytes more do not renew it */
    br_clock_set_fake(0, 0);
}

/* --- the end of input --- */

static void test_after_the_end_of_input_frames_and_answers_still_go(void **state)
{
    uint8_t two_frames[] = {0, 0, 0, 1, 'a', 0, 0, 0, 1, 'b', 0, 0, 0, 9, 'c'}, got[16];
    (void)state;
    one.hold_every = 1;
    send_all(peer, two_frames, sizeof two_frames);
    shutdown(peer, SHUT_WR);
    turn(is_one_closed);
    assert_int_equal(one.why, BR_NET_EOF);
    assert_int_equal(one.frames, 1);
    assert_true(br_net_conn_has_frame(one.conn));
    br_net_conn_resume(one.conn);
    assert_int_equal(one.frames, 2);
    assert_false(br_net_conn_has_frame(one.conn)); /* the third never comes whole */
    br_net_conn_resume(one.conn);
    br_net_conn_write(one.conn, "answer", 6);
    assert_true(br_net_conn_flush(one.conn));
    assert_int_equal(read(peer, got, sizeof got), 6);
    turns();
    assert_int_equal(one.closes, 1); /* told once */
}

static void test_stop_reading_leaves_what_is_in_alone(void **state)
{
    uint8_t two_frames[] = {0, 0, 0, 1, 'a', 0, 0, 0, 1, 'b'};
    (void)state;
    one.hold_every = 1;
    send_all(peer, two_frames, sizeof two_frames);
    turns();
    br_net_conn_stop_reading(one.conn);
    br_net_conn_resume(one.conn);
    send_all(peer, two_frames, sizeof two_frames);
    turns();
    assert_int_equal(one.frames, 1);
    assert_false(br_net_conn_has_frame(one.conn));
}

static void test_a_peer_that_is_gone_is_an_error_when_written_to(void **state)
{
    (void)state;
    close(peer);
    peer = -1;
    br_net_conn_write(one.conn, "x", 1);
    br_net_conn_flush(one.conn);
    assert_int_equal(one.closes, 1);
    assert_int_equal(one.why, BR_NET_ERROR);
}

/* --- output --- */

static unsigned released;
static void on_release(void *ctx)
{
    (void)ctx;
    released++;
}

static void read_all(struct br_buf *out, size_t len)
{
    int64_t end = br_clock_mono_ms() + 10000;
    while (out->len < len && br_clock_mono_ms() < end) {
        uint8_t *room = br_buf_room(out, 100000);
        assert_non_null(room);
        ssize_t n = read(peer, room, 100000);
        out->len += n > 0 ? (size_t)n : 0;
        turn(NULL);
    }
}

static void test_bytes_and_file_ranges_leave_in_order(void **state)
{
    struct br_buf want, got;
    char path[512];
    static uint8_t content[300000];
    (void)state;
    released = 0;
    br_buf_init(&want, (size_t)64 << 20);
    br_buf_init(&got, (size_t)64 << 20);
    snprintf(path, sizeof path, "%s/range", harness_tmpdir());
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)(i * i >> 3);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, content, sizeof content), (ssize_t)sizeof content);
    for (unsigned i = 0; i < 30; i++) {
        char text[64];
        int len = snprintf(text, sizeof text, "answer %u;", i);
        br_net_conn_write(one.conn, text, (size_t)len);
        br_buf_add(&want, text, (size_t)len);
        br_net_conn_write(one.conn, text, 0);
        size_t at = i * 1000, count = i % 5 == 0 ? 0 : 40000 * (i % 4);
        br_net_conn_write_file(one.conn, fd, (int64_t)at, count, on_release, NULL);
        br_buf_add(&want, content + at, count);
        uint8_t *given = br_alloc(5000);
        memset(given, (int)i, 5000);
        br_buf_add(&want, given, i % 2 ? 5000 : 0);
        br_net_conn_write_given(one.conn, given, i % 2 ? 5000 : 0);
    }
    assert_int_equal(br_net_conn_queued(one.conn), want.len);
    br_net_conn_flush(one.conn);
    read_all(&got, want.len);
    assert_int_equal(got.len, want.len);
    assert_memory_equal(got.data, want.data, want.len);
    assert_int_equal(br_net_conn_queued(one.conn), 0);
    assert_int_equal(released, 30);
    assert_true(one.drains > 0);
    close(fd);
    br_buf_clear(&want);
    br_buf_clear(&got);
}

static void test_a_file_shorter_than_promised_closes_and_gives_its_hold_back(void **state)
{
    char path[512];
    (void)state;
    released = 0;
    snprintf(path, sizeof path, "%s/short", harness_tmpdir());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(fd, "abc", 3), 3);
    br_net_conn_write_file(one.conn, fd, 0, 10, on_release, NULL);
    br_net_conn_write_file(one.conn, fd, 0, 3, on_release, NULL);
    br_net_conn_flush(one.conn);
    assert_int_equal(one.closes, 1);
    br_net_conn_free(one.conn);
    assert_int_equal(released, 2);
    close(fd);
    close(peer);
    open_one(&one, &peer);
}

static void test_one_flush_is_bounded(void **state)
{
    size_t total = (size_t)24 << 20;
    struct br_buf got;
    (void)state;
    br_buf_init(&got, (size_t)64 << 20);
    br_net_conn_write_given(one.conn, br_alloc(total), total);
    assert_false(br_net_conn_flush(one.conn));
    assert_true(br_net_conn_queued(one.conn) >= total - ((size_t)8 << 20));
    read_all(&got, total);
    assert_int_equal(got.len, total);
    br_buf_clear(&got);
}

/* --- listening --- */

static unsigned accepted;
static int accepted_fd;
static char accepted_host[BR_NET_HOST_TEXT];

static void on_accept(void *ctx, int fd, const char *host)
{
    (void)ctx;
    accepted++;
    accepted_fd = fd;
    snprintf(accepted_host, sizeof accepted_host, "%s", host);
}

static bool is_accepted(void) { return accepted > 0; }

static int connect_to(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
    return fd;
}

static void test_a_listener_takes_a_free_port_and_tells_who_comes(void **state)
{
    static const char *const hosts[] = {"127.0.0.1", "localhost", "0.0.0.0", ""};
    (void)state;
    for (size_t i = 0; i < BR_COUNT(hosts); i++) {
        struct br_net_listener *l;
        struct br_errbuf eb = {{0}};
        struct br_net_listen_opts opts = {.loop = loop, .host = hosts[i], .backlog = 5, .on_accept = on_accept};
        accepted = 0;
        if (br_net_listener_open(&opts, &l, &eb) != BR_OK)
            fail_msg("%s", eb.text);
        assert_true(br_net_listener_port(l) > 0);
        int fd = connect_to(br_net_listener_port(l));
        turn(is_accepted);
        assert_string_equal(accepted_host, "127.0.0.1"); /* also through an IPv6 socket */
        assert_true(fcntl(accepted_fd, F_GETFL) & O_NONBLOCK);
        close(fd);
        close(accepted_fd);
        br_net_listener_close(l);
    }
}

static void test_a_taken_port_and_a_host_that_is_not_are_named(void **state)
{
    struct br_net_listener *l, *other;
    struct br_errbuf eb = {{0}};
    struct br_net_listen_opts opts = {.loop = loop, .host = "127.0.0.1", .backlog = 5, .on_accept = on_accept};
    char port[16];
    (void)state;
    assert_int_equal(br_net_listener_open(&opts, &l, &eb), BR_OK);
    opts.port = br_net_listener_port(l);
    snprintf(port, sizeof port, ":%d", opts.port);
    assert_int_equal(br_net_listener_open(&opts, &other, &eb), BR_EXISTS);
    assert_non_null(strstr(eb.text, "127.0.0.1"));
    assert_non_null(strstr(eb.text, port));
    opts.host = "192.0.2.1"; /* of no machine */
    assert_int_equal(br_net_listener_open(&opts, &other, &eb), BR_IO);
    assert_non_null(strstr(eb.text, "192.0.2.1"));
    opts.host = "bad host name";
    assert_int_equal(br_net_listener_open(&opts, &other, &eb), BR_INVALID);
    assert_non_null(strstr(eb.text, "bad host name"));
    br_net_listener_close(l);
}

static void test_addresses_have_one_spelling(void **state)
{
    char text[BR_NET_HOST_TEXT];
    (void)state;
    assert_true(br_net_addr_normal("0:0:0:0:0:0:0:1", text));
    assert_string_equal(text, "::1");
    assert_true(br_net_addr_normal("127.0.0.1", text));
    assert_false(br_net_addr_normal("localhost", text));
    assert_false(br_net_addr_normal("1.2.3", text));
    br_net_host_port_text("fd00::1", 9, text, sizeof text);
    assert_string_equal(text, "[fd00::1]:9");
    br_net_host_port_text("", 9092, text, sizeof text);
    assert_string_equal(text, "*:9092");
    br_net_own_name(text, sizeof text);
    assert_true(text[0] != '\0');
}

/* --- the loop --- */

static unsigned wakes;
static void on_wake(void *ctx)
{
    (void)ctx;
    wakes++;
}
static bool is_woken(void) { return wakes > 0; }

static void test_wakes_are_gathered_and_deadlines_turn_the_loop(void **state)
{
    (void)state;
    wakes = 0;
    br_net_loop_on_wake(loop, on_wake, NULL);
    br_net_loop_wake(loop);
    br_net_loop_wake(loop);
    turn(is_woken);
    assert_int_equal(wakes, 1);
    int64_t began = br_clock_mono_ms();
    struct br_net_turn turn = {.end = turn_end, .deadline = deadline};
    until = is_one_closed; /* never */
    turn_deadline = began + 30;
    br_net_loop_run(loop, &turn);
    assert_true(br_clock_mono_ms() - began >= 30);
    assert_true(br_net_loop_now_ms(loop) >= began + 30);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
static const struct CMUnitTest tests[] = {
    CASE(test_frames_come_out_whole_however_they_are_cut),
    CASE(test_held_frames_wait_for_resume),
    CASE(test_a_kept_frame_stays_while_others_come),
    CASE(test_a_length_that_cannot_be_closes_with_its_first_bytes),
    CASE(test_announcing_a_big_frame_reserves_next_to_nothing),
    cmocka_unit_test_setup_teardown(test_over_the_budget_one_goes_on_and_others_wait_and_small_frames_pass, setup_small_budget, teardown),
    cmocka_unit_test_setup_teardown(test_a_frame_above_the_whole_budget_comes_in_alone, setup_small_budget, teardown),
    CASE(test_a_steady_stream_is_never_late),
    CASE(test_after_the_end_of_input_frames_and_answers_still_go),
    CASE(test_stop_reading_leaves_what_is_in_alone),
    CASE(test_a_peer_that_is_gone_is_an_error_when_written_to),
    CASE(test_bytes_and_file_ranges_leave_in_order),
    CASE(test_a_file_shorter_than_promised_closes_and_gives_its_hold_back),
    CASE(test_one_flush_is_bounded),
    CASE(test_a_listener_takes_a_free_port_and_tells_who_comes),
    CASE(test_a_taken_port_and_a_host_that_is_not_are_named),
    CASE(test_addresses_have_one_spelling),
    CASE(test_wakes_are_gathered_and_deadlines_turn_the_loop),
};
HARNESS_MAIN("net", tests)
