/* The bytes of one connection: however they are cut, held and resumed, exactly the whole frames come out, a bad length ends it, and nothing stays charged.
 * Input: how often to hold, how to cut, then the stream. */
#include "compat/base/bytes.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/net/conn.h"
#include "tests/fuzz/fuzz.h"
#include <sys/socket.h>
#include <unistd.h>

#define FRAME_MAX 300000
#define BUDGET (256u << 10)

struct owner {
    const uint8_t *stream;
    size_t size, at;       /* of the next frame that must come */
    unsigned frames, hold_every;
    bool is_closed, is_bad;
};

static bool on_frame(void *ctx, struct br_net_buf *buf, uint8_t *frame, size_t len)
{
    struct owner *o = ctx;
    BR_ASSERT(!o->is_bad);
    BR_ASSERT(o->size - o->at >= 4 && br_load32(o->stream + o->at) == len);
    BR_ASSERT(o->size - o->at - 4 >= len);
    BR_ASSERT(memcmp(o->stream + o->at + 4, frame, len) == 0);
    BR_ASSERT(frame >= buf->data && frame + len <= buf->data + buf->size);
    o->at += 4 + len;
    return !(o->hold_every && ++o->frames % o->hold_every == 0);
}

static void on_close(void *ctx, enum br_net_why why, const uint8_t *first, size_t count)
{
    struct owner *o = ctx;
    BR_ASSERT(!o->is_bad);
    BR_ASSERT(!o->is_closed || why == BR_NET_BAD_LENGTH); /* a bad frame may show behind the end of input */
    o->is_closed = true;
    o->is_bad = why == BR_NET_BAD_LENGTH;
    BR_ASSERT(o->is_bad || why == BR_NET_EOF);
    if (o->is_bad)
        BR_ASSERT(count >= 4 && memcmp(first, o->stream + o->at, 4) == 0);
}

static void on_drained(void *ctx) { (void)ctx; }

struct turn {
    struct br_net_loop *loop;
    struct br_net_pool *pool;
};

static void turn_end(void *ctx)
{
    struct turn *t = ctx;
    br_net_pool_turn_end(t->pool);
    br_net_loop_stop(t->loop);
}

static int64_t deadline(void *ctx)
{
    (void)ctx;
    return 0;
}

/* Feeds the stream in cuts, and resumes whatever holds, until nothing moves any more. */
static void feed(struct owner *o, struct br_net_conn *conn, struct turn *t, int fd, unsigned cut)
{
    struct br_net_turn turn = {.end = turn_end, .deadline = deadline, .ctx = t};
    size_t sent = 0;
    for (unsigned idle = 0; idle < 8;) {
        size_t part = 1 + (sent * 7 + cut * 131u) % (cut % 2 ? 17u : 20000u);
        size_t before = o->at;
        ssize_t n = sent < o->size ? send(fd, o->stream + sent, BR_MIN(part, o->size - sent), MSG_NOSIGNAL | MSG_DONTWAIT) : 0;
        if (n > 0)
            sent += (size_t)n;
        if (sent == o->size)
            shutdown(fd, SHUT_WR);
        br_net_loop_run(t->loop, &turn);
        if (!o->is_bad)
            br_net_conn_resume(conn);
        idle = n > 0 || o->at != before ? 0 : idle + 1;
    }
    BR_ASSERT(o->is_closed || sent < o->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fds[2];
    if (size < 2 || size > 400000)
        return 0;
    br_log_set_level(BR_LOG_ERROR);
    struct owner o = {.stream = data + 2, .size = size - 2, .hold_every = data[0] % 4};
    struct turn t = {.loop = br_net_loop_new(), .pool = br_net_pool_new(BUDGET)};
    int rc = socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds);
    BR_ASSERT(rc == 0);
    struct br_net_conn_opts opts = {.loop = t.loop, .pool = t.pool, .fd = fds[0], .frame_bytes_max = FRAME_MAX, .on_frame = on_frame, .on_close = on_close,
                                    .on_drained = on_drained, .ctx = &o};
    struct br_net_conn *conn = br_net_conn_new(&opts);
    feed(&o, conn, &t, fds[1], data[1]);
    size_t left = o.size - o.at; /* what is left is no whole frame, or a bad length */
    if (left >= 4) {
        int32_t len = (int32_t)br_load32(o.stream + o.at);
        BR_ASSERT(o.is_bad == (len < 0 || len > FRAME_MAX));
        BR_ASSERT(o.is_bad || left - 4 < (size_t)len);
    }
    br_net_conn_free(conn);
    BR_ASSERT(br_net_pool_charged(t.pool) == 0);
    br_net_pool_free(t.pool);
    br_net_loop_free(t.loop);
    close(fds[1]);
    return 0;
}
