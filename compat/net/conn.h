/* A connection: bytes in as length-prefixed frames, bytes and file ranges out. event + read and writev, no bufferevents: system calls are what costs.
 *
 * In: one read per readiness into a pooled 64 KiB chunk; frames are handed out in place. What is kept of a frame that is not whole yet is charged to the
 * pool's budget before it is reserved, and a big frame's buffer grows with what has come. Over the budget a connection is not read. A frame's buffer is
 * counted (br_net_buf): whoever keeps the frame holds it. Freed buffers live until the end of the turn, so that what borrows them for the turn (the
 * journal) may. Out: queued until br_net_conn_flush; what the socket does not take waits for it. Thread: the loop's, all of it. */
#pragma once

#include "compat/base/list.h"
#include "compat/base/str.h"
#include "compat/net/loop.h"

struct br_net_conn;
struct br_net_pool;

/* Counted buffer of one or more frames. */
struct br_net_buf {
    struct br_net_pool *pool;
    unsigned refs;
    size_t size, charged;
    struct br_link link;
    _Alignas(16) uint8_t data[];
};
void br_net_buf_ref(struct br_net_buf *buf);
void br_net_buf_unref(struct br_net_buf *buf);

/* Chunks, the budget of frames that are being received or held, and buffers that wait for the end of the turn. One a loop. One
 * connection at a time may go over the budget with its frame, so that it is never above the budget and one frame, and nobody waits for ever. */
struct br_net_pool *br_net_pool_new(size_t budget_bytes);
/* After its connections. */
void br_net_pool_free(struct br_net_pool *pool);
/* Frees what was let go in this turn, and lets one connection in line for the budget go on: may call its callbacks. */
void br_net_pool_turn_end(struct br_net_pool *pool);
size_t br_net_pool_charged(const struct br_net_pool *pool);

enum br_net_why { BR_NET_EOF, BR_NET_ERROR, BR_NET_BAD_LENGTH, BR_NET_OVER_BUDGET };

struct br_net_conn_opts {
    struct br_net_loop *loop;
    struct br_net_pool *pool;
    int fd;                       /* given; non-blocking */
    int64_t frame_bytes_max;      /* socket.request.max.bytes */
    /* One whole frame (without its length). False: hold: no further frame until br_net_conn_resume. */
    bool (*on_frame)(void *ctx, struct br_net_buf *buf, uint8_t *frame, size_t len);
    /* The owner frees the connection, now of no more use; not from inside on_frame. first_bytes: of the bad frame, for the log. BR_NET_EOF says only that
     * the peer sends no more: whole frames that are in can still be resumed and answers flushed before it is freed. */
    void (*on_close)(void *ctx, enum br_net_why why, const uint8_t *first_bytes, size_t count);
    void (*on_drained)(void *ctx); /* output fell below the low watermark */
    void *ctx;
};
struct br_net_conn *br_net_conn_new(const struct br_net_conn_opts *opts);
void br_net_conn_free(struct br_net_conn *conn);

/* Lets held frames go on; may call on_frame. */
void br_net_conn_resume(struct br_net_conn *conn);
/* Stops reading for good (the connection closes once its output left). */
void br_net_conn_stop_reading(struct br_net_conn *conn);
/* Copied. Nothing of it leaves before br_net_conn_flush. */
void br_net_conn_write(struct br_net_conn *conn, const void *data, size_t len);
/* data was br_alloc'd; given. */
void br_net_conn_write_given(struct br_net_conn *conn, uint8_t *data, size_t len);
/* len bytes of fd from offset at; release(ctx) when sent or dropped. */
void br_net_conn_write_file(struct br_net_conn *conn, int fd, int64_t at, size_t len, void (*release)(void *ctx), void *ctx);
/* Sends what the socket takes, a few MiB at most at a time; the rest follows by itself. True when nothing is left. on_close may be called. */
bool br_net_conn_flush(struct br_net_conn *conn);
size_t br_net_conn_queued(const struct br_net_conn *conn);
/* A frame is part in and the peer owes the rest: since when (monotonic ms), else 0. bytes: what is in. */
int64_t br_net_conn_partial_since(const struct br_net_conn *conn, size_t *bytes);
/* A whole frame is in that was not handed out yet. */
bool br_net_conn_has_frame(const struct br_net_conn *conn);
