#include "broker/client.h"
#include "compat/base/bytes.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include <unistd.h>

#define SPARE_MAX 256u
#define ARENA_BUDGET ((size_t)64 << 20)        /* of one request's decoded body and answer structures */
#define ANSWER_MAX ((size_t)1 << 30)
#define HIGH_WATERMARK ((size_t)8 << 20)       /* queued output above which no further request starts */
#define PIPELINE_MAX 1000u                     /* unanswered requests of one connection */
#define FILE_RANGE_MIN ((size_t)32 << 10)      /* below it reading beats sendfile */
#define COPIED_FRAME 65536u                    /* up to this copied to the request, so that one that waits does not keep a whole chunk */
#define SPARE_BYTES 16384u                     /* a request object that used more is not kept for reuse as it is */

enum { KEY_PRODUCE = 0, KEY_FETCH = 1, KEY_JOIN_GROUP = 11, KEY_SYNC_GROUP = 14, KEY_ORDER_WAIT = 10001, KEY_ORDER_READ = 10002, KEY_ORDER_APPEND = 10006 };

/* --- slots --- */

static struct broker_slot *slot_of(struct broker_request *req)
{
    return BR_CONTAINER_OF(req, struct broker_slot, req);
}

static struct broker_slot *slot_new(struct broker_client *c)
{
    struct broker_server *s = c->server;
    struct broker_slot *slot;
    if (s->spare_count > 0) {
        struct broker_request *req = BR_LIST_FIRST(&s->spare, struct broker_request, link);
        br_list_remove(&req->link);
        s->spare_count--;
        slot = slot_of(req);
    } else {
        slot = br_alloc(sizeof *slot);
        br_arena_init(&slot->req.arena, ARENA_BUDGET);
        kw_out_init(&slot->answer, ANSWER_MAX);
    }
    struct br_arena arena = slot->req.arena;
    slot->req = (struct broker_request){.broker = s->broker, .client = c, .arena = arena, .now_ms = s->broker->now_ms, .wall_ms = s->broker->wall_ms};
    slot->buf = NULL;
    slot->is_answered = slot->has_answer = slot->is_applied = false;
    br_list_append(&c->requests, &slot->req.link);
    c->request_count++;
    return slot;
}

static void slot_free(struct broker_slot *slot)
{
    struct broker_client *c = slot->req.client;
    struct broker_server *s = c->server;
    br_list_remove(&slot->req.link);
    c->request_count--;
    if (slot->buf)
        br_net_buf_unref(slot->buf);
    slot->buf = NULL;
    s->held_bytes -= slot->held;
    slot->held = 0;
    if (slot->req.arena.used > SPARE_BYTES)
        br_arena_clear(&slot->req.arena);
    br_arena_reset(&slot->req.arena);
    kw_out_reset(&slot->answer);
    if (s->spare_count < SPARE_MAX && slot->answer.bytes.cap <= SPARE_BYTES) {
        br_list_append(&s->spare, &slot->req.link);
        s->spare_count++;
        return;
    }
    br_arena_clear(&slot->req.arena);
    kw_out_clear(&slot->answer);
    br_free(slot);
}

void broker_slots_free_spare(struct broker_server *s)
{
    BR_LIST_FOR_SAFE(req, next, &s->spare, struct broker_request, link) {
        struct broker_slot *slot = slot_of(req);
        br_list_remove(&req->link);
        br_arena_clear(&req->arena);
        kw_out_clear(&slot->answer);
        br_free(slot);
    }
}

/* --- answers --- */

static void mark_dirty(struct broker_client *c)
{
    if (!br_link_is_in(&c->dirty))
        br_list_append(&c->server->dirty, &c->dirty);
}

static void range_sent(void *ctx)
{
    store_range_release(ctx);
    br_free(ctx);
}

static void send_range(struct broker_client *c, const struct store_range *range, size_t len)
{
    struct store_range *held = br_alloc(sizeof *held);
    *held = *range;
    br_net_conn_write_file(c->conn, store_file_fd(range->file), range->file_position, len, range_sent, held);
}

/* A small range is read into the output, a large one leaves by sendfile. What is to be answered was in the page cache when the answer was made. */
static enum br_err write_range(struct broker_client *c, const struct store_range *range, size_t len)
{
    bool has_fd = store_file_fd(range->file) >= 0;
    if (len >= FILE_RANGE_MIN && has_fd) {
        send_range(c, range, len);
        return BR_OK;
    }
    uint8_t *bytes = br_alloc(len);
    enum br_err err = store_file_read_nowait(range->file, bytes, len, range->file_position);
    if (err == BR_COLD && has_fd) { /* some of it went in between: rare enough to leave it to sendfile */
        br_free(bytes);
        send_range(c, range, len);
        return BR_OK;
    }
    struct store_range done = *range;
    store_range_release(&done);
    if (err != BR_OK) {
        br_free(bytes);
        return err;
    }
    if (len <= 4096) {
        br_net_conn_write(c->conn, bytes, len);
        br_free(bytes);
    } else {
        br_net_conn_write_given(c->conn, bytes, len);
    }
    return BR_OK;
}

/* Moves one encoded answer to the connection. Ranges' holds go along or are given back. */
static void send_answer(struct broker_client *c, struct broker_slot *slot)
{
    struct kw_out *out = &slot->answer;
    size_t at = 0;
    enum br_err err = BR_OK;
    for (size_t i = 0; i < out->splice_count; i++) {
        struct kw_splice *splice = &out->splices[i];
        const struct store_range *range = splice->file;
        if (err != BR_OK || c->is_dead) {
            struct store_range drop = *range;
            store_range_release(&drop);
            continue;
        }
        br_net_conn_write(c->conn, out->bytes.data + at, splice->at - at);
        at = splice->at;
        err = write_range(c, range, splice->len);
    }
    if (c->is_dead)
        return;
    if (err != BR_OK) { /* part of the frame is out: only closing is left */
        broker_client_close(c, "stored bytes could not be read");
        return;
    }
    if (at == 0 && out->bytes.len > 65536) {
        br_net_conn_write_given(c->conn, out->bytes.data, out->bytes.len);
        out->bytes = (struct br_buf){.limit = out->bytes.limit};
    } else {
        br_net_conn_write(c->conn, out->bytes.data + at, out->bytes.len - at);
    }
}

/* The answers at the front that are ready leave, in request order. */
static void advance(struct broker_client *c)
{
    while (!br_list_is_empty(&c->requests)) {
        struct broker_slot *slot = slot_of(BR_LIST_FIRST(&c->requests, struct broker_request, link));
        if (!slot->is_answered)
            break;
        if (slot->has_answer)
            send_answer(c, slot);
        slot_free(slot);
        if (c->is_dead)
            return;
    }
    mark_dirty(c);
}

static bool can_start(const struct broker_client *c)
{
    return !c->applying && !c->is_closing && c->request_count < PIPELINE_MAX && br_net_conn_queued(c->conn) < HIGH_WATERMARK;
}

/* --- what handlers call --- */

void broker_request_applied(struct broker_request *req)
{
    struct broker_slot *slot = slot_of(req);
    struct broker_client *c = req->client;
    if (slot->is_applied)
        return;
    slot->is_applied = true;
    BR_ASSERT(c->applying == req);
    c->applying = NULL;
    mark_dirty(c); /* the next one starts when this one's handler has returned */
}

static void request_end(struct broker_request *req)
{
    struct broker_slot *slot = slot_of(req);
    BR_ASSERT(!slot->is_answered);
    req->cancel = NULL;
    broker_request_applied(req);
    slot->is_answered = true;
    if (BR_LIST_FIRST(&req->client->requests, struct broker_request, link) == req)
        advance(req->client);
}

static struct kw_out *answer_start(struct broker_request *req)
{
    struct kw_out *out = &slot_of(req)->answer;
    kw_out_reset(out);
    br_buf_add32(&out->bytes, 0);
    kw_response_header_encode(req->header.api_key, req->header.api_version, req->header.correlation_id, out);
    return out;
}

static void answer_end(struct broker_request *req, struct kw_out *out, enum br_err err)
{
    size_t size = err == BR_OK ? out->bytes.len - 4 + out->spliced_bytes : 0;
    if (err != BR_OK || size > INT32_MAX) {
        br_log(BR_LOG_ERROR, "broker", "answer of %s version=%d cannot be encoded: %s", req->api->name, req->header.api_version, br_err_text(err));
        broker_request_close(req, "its answer cannot be encoded");
        return;
    }
    br_store32(out->bytes.data, (uint32_t)size);
    slot_of(req)->has_answer = true;
    request_end(req);
}

void broker_reply(struct broker_request *req, const void *response)
{
    struct kw_out *out = answer_start(req);
    answer_end(req, out, kw_encode(req->api->response, req->header.api_version, response, out));
}

void broker_reply_encoded(struct broker_request *req, struct br_str body)
{
    struct kw_out *out = answer_start(req);
    br_buf_add(&out->bytes, body.data, body.len);
    answer_end(req, out, out->bytes.failed ? BR_TOO_LARGE : BR_OK);
}

void broker_reply_nothing(struct broker_request *req)
{
    request_end(req);
}

void broker_request_close(struct broker_request *req, const char *why)
{
    struct broker_client *c = req->client;
    c->is_closing = true;
    snprintf(c->why, sizeof c->why, "%s", why);
    br_net_conn_stop_reading(c->conn);
    request_end(req);
}

void broker_request_drop_frame(struct broker_request *req)
{
    struct broker_slot *slot = slot_of(req);
    if (slot->buf)
        br_net_buf_unref(slot->buf); /* stays until the end of the turn */
    slot->buf = NULL;
}

const char *broker_client_host(const struct broker_client *client) { return client->host; }
unsigned broker_client_listener(const struct broker_client *client) { return client->listener; }

const struct broker_listener *broker_request_listener(const struct broker_request *req)
{
    unsigned count;
    const struct broker_listener *listeners = broker_config_listeners(req->broker->config, &count);
    BR_ASSERT(req->client->listener < count);
    return &listeners[req->client->listener];
}

void broker_client_set_software(struct broker_client *client, struct br_str name, struct br_str version)
{
    snprintf(client->software, sizeof client->software, BR_STR_FMT, BR_STR_ARG(name));
    snprintf(client->software_version, sizeof client->software_version, BR_STR_FMT, BR_STR_ARG(version));
}

bool broker_client_is_libbraid(const struct broker_client *client) { return strcmp(client->software, "libbraid") == 0; }

/* --- the connection --- */

/* Record batches stay where they are: the journal borrows them, for longer than the request may live. */
static bool is_copied(const uint8_t *frame, size_t len)
{
    return len >= 2 && len <= COPIED_FRAME && br_load16(frame) != KEY_PRODUCE && br_load16(frame) != KEY_ORDER_APPEND;
}

/* A request that waits is charged with what it keeps. False: all requests that wait keep too much together, this one is refused. */
static bool hold(struct broker_client *c, struct broker_slot *slot)
{
    struct broker_server *s = c->server;
    slot->held = slot->req.arena.used + (slot->buf ? slot->buf->size : 0);
    s->held_bytes += slot->held;
    if (s->held_bytes <= s->budget)
        return true;
    br_log(BR_LOG_WARN, "client", "closed host=%s why=\"queued.max.request.bytes is used up by waiting requests\"", c->host);
    broker_client_close(c, NULL);
    return false;
}

static bool on_frame(void *ctx, struct br_net_buf *buf, uint8_t *frame, size_t len)
{
    struct broker_client *c = ctx;
    BR_ASSERT(can_start(c));
    c->active_ms = c->server->broker->now_ms;
    struct broker_slot *slot = slot_new(c);
    uint8_t *copy = is_copied(frame, len) ? br_arena_alloc(&slot->req.arena, len) : NULL;
    if (copy) {
        frame = memcpy(copy, frame, len);
    } else {
        slot->buf = buf;
        br_net_buf_ref(buf);
    }
    c->applying = &slot->req;
    if (!broker_dispatch(c, slot, frame, len)) {
        c->applying = NULL;
        slot_free(slot);
        c->is_closing = true;
        br_net_conn_stop_reading(c->conn);
        mark_dirty(c);
        return false;
    }
    if (c->applying == &slot->req && !hold(c, slot))
        return false;
    return can_start(c);
}

static void log_bad_length(struct broker_client *c, const uint8_t *b, size_t count)
{
    const char *looks = count >= 3 && b[0] == 0x16 && b[1] == 3 ? "a TLS hello on a plain listener"
                      : count >= 4 && (memcmp(b, "GET ", 4) == 0 || memcmp(b, "POST", 4) == 0 || memcmp(b, "HEAD", 4) == 0) ? "an HTTP request"
                      : "no Kafka request";
    br_log(BR_LOG_WARN, "client", "closed host=%s why=\"first bytes %02x%02x%02x%02x look like %s\"", c->host, b[0], b[1], b[2], b[3], looks);
}

static void on_close(void *ctx, enum br_net_why why, const uint8_t *bytes, size_t count)
{
    struct broker_client *c = ctx;
    if (why == BR_NET_EOF && broker_client_is_owed(c)) {
        c->is_half_closed = true;
        mark_dirty(c);
        return;
    }
    if (why == BR_NET_BAD_LENGTH)
        log_bad_length(c, bytes, count);
    broker_client_close(c, NULL);
}

/* A poll in front holds what came behind it: nothing of that has begun. */
bool broker_client_is_owed(const struct broker_client *c)
{
    if (br_net_conn_queued(c->conn) > 0)
        return true;
    BR_LIST_FOR(req, &c->requests, struct broker_request, link) {
        int16_t key = req->header.api_key;
        if (key != KEY_FETCH && key != KEY_JOIN_GROUP && key != KEY_SYNC_GROUP && key != KEY_ORDER_WAIT && key != KEY_ORDER_READ)
            return true;
    }
    return br_list_is_empty(&c->requests) && br_net_conn_has_frame(c->conn);
}

static bool is_finished(const struct broker_client *c)
{
    return c->is_closing ? br_list_is_empty(&c->requests) : c->is_half_closed && !broker_client_is_owed(c);
}

static void on_drained(void *ctx)
{
    mark_dirty(ctx);
}

void broker_client_open(struct broker_server *s, int fd, unsigned listener, const char *host)
{
    struct broker_client *c = br_alloc(sizeof *c);
    c->server = s;
    c->listener = listener;
    snprintf(c->host, sizeof c->host, "%s", host);
    c->active_ms = s->broker->now_ms;
    br_list_init(&c->requests);
    br_list_append(&s->clients, &c->link);
    s->client_count++;
    struct br_net_conn_opts opts = {
        .loop = s->broker->loop, .pool = s->pool, .fd = fd, .frame_bytes_max = broker_config_int(s->broker->config, "socket.request.max.bytes"),
        .on_frame = on_frame, .on_close = on_close, .on_drained = on_drained, .ctx = c,
    };
    c->conn = br_net_conn_new(&opts);
}

/* Withdraws what waits; the memory goes at the end of the turn, since we may be inside the connection's own calls. */
void broker_client_close(struct broker_client *c, const char *why)
{
    if (c->is_dead)
        return;
    c->is_dead = true;
    if (why)
        br_log(BR_LOG_INFO, "client", "closed host=%s software=%s why=\"%s\"", c->host, c->software[0] ? c->software : "?", why);
    br_net_conn_stop_reading(c->conn);
    c->applying = NULL;
    BR_LIST_FOR(req, &c->requests, struct broker_request, link) {
        if (req->cancel)
            req->cancel(req);
        req->cancel = NULL;
    }
    br_list_append(&c->server->closed, &c->closed);
}

void broker_client_free(struct broker_client *c)
{
    struct broker_server *s = c->server;
    while (!br_list_is_empty(&c->requests)) {
        struct broker_slot *slot = slot_of(BR_LIST_FIRST(&c->requests, struct broker_request, link));
        if (slot->is_answered)
            send_answer(c, slot); /* gives back the holds of its ranges */
        slot_free(slot);
    }
    if (br_link_is_in(&c->dirty))
        br_list_remove(&c->dirty);
    br_list_remove(&c->link);
    s->client_count--;
    br_net_conn_free(c->conn);
    br_free(c);
}

void broker_server_send(struct broker_server *s)
{
    BR_LIST_FOR(c, &s->dirty, struct broker_client, dirty)
        if (!c->is_dead && br_net_conn_queued(c->conn) > 0)
            br_net_conn_flush(c->conn);
}

void broker_server_flush(struct broker_server *s)
{
    struct br_list now;
    br_list_init(&now);
    while (!br_list_is_empty(&s->dirty)) {
        struct broker_client *c = BR_LIST_FIRST(&s->dirty, struct broker_client, dirty);
        br_list_remove(&c->dirty);
        if (c->is_dead)
            continue;
        bool is_empty = br_net_conn_flush(c->conn);
        if (c->is_dead)
            continue;
        if (is_empty && is_finished(c)) {
            broker_client_close(c, c->why[0] ? c->why : NULL);
            continue;
        }
        if (can_start(c))
            br_list_append(&now, &c->dirty); /* held frames go on after everybody's answers left */
    }
    while (!br_list_is_empty(&now)) {
        struct broker_client *c = BR_LIST_FIRST(&now, struct broker_client, dirty);
        br_list_remove(&c->dirty);
        if (!c->is_dead && can_start(c))
            br_net_conn_resume(c->conn);
        if (!c->is_dead && is_finished(c) && br_net_conn_queued(c->conn) == 0)
            mark_dirty(c); /* nothing will come that makes it so */
    }
}
