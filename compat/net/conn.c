#include "compat/net/conn.h"
#include "compat/base/bytes.h"
#include "compat/base/mem.h"
#include <event2/event.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#define CHUNK_BYTES 65536u
#define CHUNKS_KEPT 16u
#define GROWTH 16u                          /* a big frame's buffer is at most so many times what has come of it */
#define LOW_WATERMARK ((size_t)256 << 10)
#define FLUSH_BYTES_MAX ((size_t)4 << 20)   /* of one connection at a time; then others are served */
#define RESUMES_PER_TURN 16
#define IOV_MAX_USED 64

struct br_net_pool {
    struct br_list free_chunks, dead; /* dead: until the end of the turn */
    unsigned free_count;
    size_t budget, charged;
    struct br_list paused; /* connections that wait for the budget */
    struct br_net_buf *overdrawn; /* the one that may go over it, so that frames which are all part in cannot wait for each other */
};

/* Output: bytes (owned), or a file range. */
struct segment {
    struct br_link link;
    uint8_t *data; /* NULL: file */
    size_t at, len, cap;
    int fd;
    int64_t file_at;
    void (*release)(void *ctx);
    void *ctx;
};

struct br_net_conn {
    struct br_net_conn_opts opts;
    struct event *read_event, *write_event;
    struct br_net_buf *in; /* bytes [start, end) are not parsed yet */
    size_t start, end;
    struct br_list out;
    size_t queued;
    int64_t partial_since;
    bool is_held, is_reading, is_read_stopped, is_closed, is_pumping, is_ended, was_above;
    struct br_link paused;
};

/* --- buffers --- */

static struct br_net_buf *buf_new(struct br_net_pool *pool, size_t size)
{
    if (size == CHUNK_BYTES && !br_list_is_empty(&pool->free_chunks)) {
        struct br_net_buf *buf = BR_LIST_FIRST(&pool->free_chunks, struct br_net_buf, link);
        br_list_remove(&buf->link);
        pool->free_count--;
        buf->refs = 1;
        return buf;
    }
    struct br_net_buf *buf = br_try_alloc(sizeof *buf + size);
    if (buf)
        *buf = (struct br_net_buf){.pool = pool, .refs = 1, .size = size};
    return buf;
}

void br_net_buf_ref(struct br_net_buf *buf)
{
    BR_ASSERT(buf->refs > 0);
    buf->refs++;
}

void br_net_buf_unref(struct br_net_buf *buf)
{
    BR_ASSERT(buf->refs > 0);
    if (--buf->refs > 0)
        return;
    if (buf->pool->overdrawn == buf)
        buf->pool->overdrawn = NULL;
    buf->pool->charged -= buf->charged;
    buf->charged = 0;
    br_list_append(&buf->pool->dead, &buf->link);
}

struct br_net_pool *br_net_pool_new(size_t budget_bytes)
{
    struct br_net_pool *pool = br_alloc(sizeof *pool);
    pool->budget = budget_bytes;
    br_list_init(&pool->free_chunks);
    br_list_init(&pool->dead);
    br_list_init(&pool->paused);
    return pool;
}

void br_net_pool_free(struct br_net_pool *pool)
{
    if (!pool)
        return;
    br_net_pool_turn_end(pool);
    BR_LIST_FOR_SAFE(buf, next, &pool->free_chunks, struct br_net_buf, link) {
        br_list_remove(&buf->link);
        br_free(buf);
    }
    br_free(pool);
}

size_t br_net_pool_charged(const struct br_net_pool *pool)
{
    return pool->charged;
}

static void conn_pump(struct br_net_conn *conn);

void br_net_pool_turn_end(struct br_net_pool *pool)
{
    BR_LIST_FOR_SAFE(buf, next, &pool->dead, struct br_net_buf, link) {
        br_list_remove(&buf->link);
        if (buf->size == CHUNK_BYTES && pool->free_count < CHUNKS_KEPT) {
            br_list_append(&pool->free_chunks, &buf->link);
            pool->free_count++;
        } else {
            br_free(buf);
        }
    }
    struct br_net_conn *conn; /* who cannot go on yet gets in line again, at the end */
    for (int i = 0; i < RESUMES_PER_TURN && (!pool->overdrawn || pool->charged < pool->budget); i++) {
        conn = BR_LIST_FIRST(&pool->paused, struct br_net_conn, paused);
        if (!conn)
            break;
        br_list_remove(&conn->paused);
        conn_pump(conn);
    }
}

/* --- reading --- */

static void set_reading(struct br_net_conn *conn, bool on)
{
    if (on == conn->is_reading)
        return;
    conn->is_reading = on;
    if (on)
        event_add(conn->read_event, NULL);
    else
        event_del(conn->read_event);
}

static void conn_dead(struct br_net_conn *conn, enum br_net_why why, const uint8_t *bytes, size_t count)
{
    if (conn->is_closed)
        return;
    conn->is_closed = true;
    set_reading(conn, false);
    event_del(conn->write_event);
    conn->opts.on_close(conn->opts.ctx, why, bytes, count);
}

/* Charges a buffer that is kept, in place of `old` if that is not NULL. False: over the budget; the connection is in line for it. */
static bool charge(struct br_net_conn *conn, struct br_net_buf *buf, const struct br_net_buf *old)
{
    struct br_net_pool *pool = conn->opts.pool;
    if (buf->charged > 0)
        return true;
    size_t after = pool->charged - (old ? old->charged : 0) + buf->size;
    if (after > pool->budget && pool->overdrawn && pool->overdrawn != old) {
        if (!br_link_is_in(&conn->paused))
            br_list_append(&pool->paused, &conn->paused);
        return false;
    }
    if (after > pool->budget)
        pool->overdrawn = buf;
    if (br_link_is_in(&conn->paused))
        br_list_remove(&conn->paused);
    buf->charged = buf->size;
    pool->charged += buf->size;
    return true;
}

/* Makes room to read on with a frame of `need` bytes, part of which is in. A big one's buffer grows with what comes, so that announcing a big frame costs
 * nobody else the budget. False: over the budget, or dead. */
static bool make_room(struct br_net_conn *conn, size_t need)
{
    size_t have = conn->end - conn->start, room = conn->in->size - conn->start;
    size_t want = need <= CHUNK_BYTES ? CHUNK_BYTES : BR_MIN(need, BR_MAX(have * GROWTH, (size_t)CHUNK_BYTES));
    BR_ASSERT(have < need);
    if (room >= BR_MIN(need, want))
        return charge(conn, conn->in, NULL);
    struct br_net_buf *buf = buf_new(conn->opts.pool, want);
    if (!buf) {
        conn_dead(conn, BR_NET_OVER_BUDGET, NULL, 0);
        return false;
    }
    if (!charge(conn, buf, conn->in)) {
        br_net_buf_unref(buf);
        return false;
    }
    memcpy(buf->data, conn->in->data + conn->start, have);
    br_net_buf_unref(conn->in);
    conn->in = buf;
    conn->start = 0;
    conn->end = have;
    return true;
}

static void drop_input_if_empty(struct br_net_conn *conn)
{
    if (!conn->in || conn->start != conn->end)
        return;
    br_net_buf_unref(conn->in);
    conn->in = NULL;
    conn->start = conn->end = 0;
}

/* Hands out whole frames until one holds, input ends, or the connection dies. True: one at least. */
static bool parse(struct br_net_conn *conn)
{
    bool is_any = false;
    while (conn->in && !conn->is_held && !conn->is_closed && !conn->is_read_stopped) {
        size_t have = conn->end - conn->start;
        if (have < 4)
            break;
        uint8_t *at = conn->in->data + conn->start;
        int32_t len = (int32_t)br_load32(at);
        if (len < 0 || len > conn->opts.frame_bytes_max) {
            conn_dead(conn, BR_NET_BAD_LENGTH, at, have);
            break;
        }
        if (have - 4 < (size_t)len)
            break;
        conn->start += 4 + (size_t)len;
        is_any = true;
        conn->is_held = !conn->opts.on_frame(conn->opts.ctx, conn->in, at + 4, (size_t)len);
    }
    return is_any;
}

/* Whether more can be read behind what is in the input buffer. */
static bool can_read_on(struct br_net_conn *conn)
{
    size_t have = conn->end - conn->start;
    if (conn->is_held)
        return charge(conn, conn->in, NULL) && conn->end < conn->in->size;
    return make_room(conn, have >= 4 ? 4 + (size_t)br_load32(conn->in->data + conn->start) : 4);
}

static void conn_pump(struct br_net_conn *conn)
{
    if (conn->is_pumping || conn->is_closed)
        return;
    conn->is_pumping = true;
    bool is_any = parse(conn);
    conn->is_pumping = false;
    if (conn->is_closed)
        return;
    drop_input_if_empty(conn);
    if (conn->is_read_stopped || conn->is_ended) {
        conn->partial_since = 0;
        return;
    }
    bool can_read = !conn->in || can_read_on(conn);
    if (conn->is_closed)
        return;
    /* The peer owes us the rest of a frame only while we read. */
    bool is_owed = conn->in && !conn->is_held && can_read;
    if (!is_owed)
        conn->partial_since = 0;
    else if (is_any || !conn->partial_since)
        conn->partial_since = br_net_loop_now_ms(conn->opts.loop);
    set_reading(conn, can_read);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct br_net_conn *conn = arg;
    (void)what;
    br_net_loop_begin(conn->opts.loop);
    if (!conn->in) {
        conn->in = buf_new(conn->opts.pool, CHUNK_BYTES);
        if (!conn->in) {
            conn_dead(conn, BR_NET_OVER_BUDGET, NULL, 0);
            return;
        }
        conn->start = conn->end = 0;
    }
    if (conn->end == conn->in->size) { /* held and full, or waiting for the budget */
        set_reading(conn, false);
        return;
    }
    ssize_t n = recv(fd, conn->in->data + conn->end, conn->in->size - conn->end, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        drop_input_if_empty(conn);
        return;
    }
    if (n < 0) {
        conn_dead(conn, BR_NET_ERROR, NULL, 0);
        return;
    }
    if (n == 0) {
        conn->is_ended = true;
        conn->partial_since = 0;
        set_reading(conn, false);
        drop_input_if_empty(conn);
        conn->opts.on_close(conn->opts.ctx, BR_NET_EOF, NULL, 0);
        return;
    }
    conn->end += (size_t)n;
    conn_pump(conn);
}

void br_net_conn_resume(struct br_net_conn *conn)
{
    conn->is_held = false;
    conn_pump(conn);
}

void br_net_conn_stop_reading(struct br_net_conn *conn)
{
    conn->is_read_stopped = true;
    set_reading(conn, false);
}

int64_t br_net_conn_partial_since(const struct br_net_conn *conn, size_t *bytes)
{
    *bytes = conn->end - conn->start;
    return conn->partial_since;
}

bool br_net_conn_has_frame(const struct br_net_conn *conn)
{
    size_t have = conn->end - conn->start;
    return conn->in && !conn->is_read_stopped && have >= 4 && have - 4 >= br_load32(conn->in->data + conn->start);
}

/* --- writing --- */

static struct segment *segment_new(struct br_net_conn *conn, size_t len)
{
    struct segment *seg = br_alloc(sizeof *seg);
    seg->len = len;
    br_list_append(&conn->out, &seg->link);
    conn->queued += len;
    return seg;
}

static void segment_free(struct segment *seg)
{
    br_list_remove(&seg->link);
    if (seg->release)
        seg->release(seg->ctx);
    br_free(seg->data);
    br_free(seg);
}

/* Nothing is never queued: a piece without bytes would not be sent, so never end. */
void br_net_conn_write(struct br_net_conn *conn, const void *data, size_t len)
{
    if (len == 0)
        return;
    struct segment *last = br_list_is_empty(&conn->out) ? NULL : BR_CONTAINER_OF(conn->out.head.prev, struct segment, link);
    if (last && last->data && last->cap - last->len >= len) {
        memcpy(last->data + last->len, data, len);
        last->len += len;
        conn->queued += len;
        return;
    }
    struct segment *seg = segment_new(conn, len);
    seg->cap = BR_MAX(len, (size_t)1024);
    seg->data = br_alloc(seg->cap);
    memcpy(seg->data, data, len);
}

void br_net_conn_write_given(struct br_net_conn *conn, uint8_t *data, size_t len)
{
    if (len == 0) {
        br_free(data);
        return;
    }
    struct segment *seg = segment_new(conn, len);
    seg->data = data;
    seg->cap = len;
}

void br_net_conn_write_file(struct br_net_conn *conn, int fd, int64_t at, size_t len, void (*release)(void *ctx), void *ctx)
{
    if (len == 0) {
        release(ctx);
        return;
    }
    struct segment *seg = segment_new(conn, len);
    seg->fd = fd;
    seg->file_at = at;
    seg->release = release;
    seg->ctx = ctx;
}

static ssize_t send_bytes(struct br_net_conn *conn)
{
    struct iovec iov[IOV_MAX_USED];
    size_t count = 0;
    bool more = false;
    BR_LIST_FOR(seg, &conn->out, struct segment, link) {
        if (!seg->data || count == IOV_MAX_USED) {
            more = true; /* a file range follows: one packet train */
            break;
        }
        iov[count++] = (struct iovec){seg->data + seg->at, seg->len - seg->at};
    }
    struct msghdr msg = {.msg_iov = iov, .msg_iovlen = count};
    return sendmsg(conn->opts.fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT | (more ? MSG_MORE : 0));
}

static ssize_t send_file(struct br_net_conn *conn, struct segment *seg)
{
    off_t at = seg->file_at + (off_t)seg->at;
    ssize_t n = sendfile(conn->opts.fd, seg->fd, &at, seg->len - seg->at);
    return n == 0 ? -1 : n; /* the file is shorter than promised */
}

static void sent(struct br_net_conn *conn, size_t n)
{
    conn->queued -= n;
    while (n > 0) {
        struct segment *seg = BR_LIST_FIRST(&conn->out, struct segment, link);
        size_t part = BR_MIN(n, seg->len - seg->at);
        seg->at += part;
        n -= part;
        if (seg->at == seg->len)
            segment_free(seg);
    }
}

/* The rest goes when the socket is writable. */
static bool wait_writable(struct br_net_conn *conn)
{
    event_add(conn->write_event, NULL);
    conn->was_above = conn->was_above || conn->queued > LOW_WATERMARK;
    return false;
}

bool br_net_conn_flush(struct br_net_conn *conn)
{
    size_t total = 0;
    while (!br_list_is_empty(&conn->out) && !conn->is_closed) {
        struct segment *seg = BR_LIST_FIRST(&conn->out, struct segment, link);
        if (total >= FLUSH_BYTES_MAX)
            return wait_writable(conn);
        errno = 0;
        ssize_t n = seg->data ? send_bytes(conn) : send_file(conn, seg);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return wait_writable(conn);
        if (n < 0) {
            conn_dead(conn, BR_NET_ERROR, NULL, 0);
            return true;
        }
        sent(conn, (size_t)n);
        total += (size_t)n;
    }
    return true;
}

static void on_writable(evutil_socket_t fd, short what, void *arg)
{
    struct br_net_conn *conn = arg;
    (void)fd;
    (void)what;
    br_net_loop_begin(conn->opts.loop);
    br_net_conn_flush(conn);
    if (!conn->is_closed && conn->was_above && conn->queued <= LOW_WATERMARK) {
        conn->was_above = false;
        conn->opts.on_drained(conn->opts.ctx);
    } else if (!conn->is_closed && conn->queued == 0) {
        conn->opts.on_drained(conn->opts.ctx);
    }
}

size_t br_net_conn_queued(const struct br_net_conn *conn)
{
    return conn->queued;
}

struct br_net_conn *br_net_conn_new(const struct br_net_conn_opts *opts)
{
    struct br_net_conn *conn = br_alloc(sizeof *conn);
    conn->opts = *opts;
    br_list_init(&conn->out);
    conn->read_event = event_new(br_net_loop_base(opts->loop), opts->fd, EV_READ | EV_PERSIST, on_readable, conn);
    conn->write_event = event_new(br_net_loop_base(opts->loop), opts->fd, EV_WRITE, on_writable, conn);
    set_reading(conn, true);
    return conn;
}

void br_net_conn_free(struct br_net_conn *conn)
{
    BR_ASSERT(!conn->is_pumping);
    event_free(conn->read_event);
    event_free(conn->write_event);
    BR_LIST_FOR_SAFE(seg, next, &conn->out, struct segment, link)
        segment_free(seg);
    if (conn->in)
        br_net_buf_unref(conn->in);
    if (br_link_is_in(&conn->paused))
        br_list_remove(&conn->paused);
    close(conn->opts.fd);
    br_free(conn);
}
