#include "tests/unit/order/responder.h"
#include "compat/base/bytes.h"
#include "compat/base/mem.h"
#include "compat/gen/18_api_versions.h"
#include "compat/wire/api.h"
#include "compat/wire/header.h"
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTIONS 64

struct connection {
    struct responder *r;
    int fd, index;
    pthread_t thread;
};
struct responder {
    struct responder_opts opts;
    int fd;
    char address[32];
    pthread_t thread;
    pthread_mutex_t lock;
    struct connection connections[CONNECTIONS];
    int count;
    bool is_stopping;
};

static bool read_all(int fd, void *to, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t n = read(fd, (char *)to + at, len - at);
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

static void send_all(int fd, const void *from, size_t len)
{
    for (size_t at = 0; at < len;) {
        ssize_t n = send(fd, (const char *)from + at, len - at, MSG_NOSIGNAL);
        if (n <= 0)
            return;
        at += (size_t)n;
    }
}

static void versions(struct responder *r, struct kw_api_versions_response *out, struct br_arena *arena)
{
    size_t count, own = 0;
    const struct kw_api *all = kw_api_all(&count);
    out->api_keys = br_arena_array(arena, count, sizeof *out->api_keys);
    for (size_t i = 0; i < count; i++)
        if (all[i].key < 10000 || !r->opts.is_kafka)
            out->api_keys[own++] = (struct kw_api_versions_response_api_version){all[i].key, all[i].request->min, all[i].request->max};
    out->api_keys_count = (int32_t)own;
}

/* False: the connection is over. */
static bool one(struct connection *c, uint8_t *frame, size_t len, struct br_arena *arena)
{
    struct responder *r = c->r;
    struct br_reader in = br_reader(frame, len);
    struct kw_request_header header;
    struct kw_out out;
    static const uint8_t hole[4];
    BR_ASSERT(kw_request_header_decode(&in, &header) == BR_OK);
    if (r->opts.garbage) {
        send_all(c->fd, r->opts.garbage, r->opts.garbage_len);
        return true;
    }
    const struct kw_api *api = kw_api_find(header.api_key);
    void *request = br_arena_alloc(arena, kw_struct_size(api->request)), *response = br_arena_alloc(arena, kw_struct_size(api->response));
    BR_ASSERT(kw_decode(api->request, header.api_version, &in, arena, request, NULL) == BR_OK && br_reader_left(&in) == 0);
    kw_default(api->response, response);
    struct exchange x = {.key = header.api_key, .request = request, .response = response, .arena = arena, .connection = c->index};
    if (x.key == 18) {
        versions(r, response, arena);
    } else {
        pthread_mutex_lock(&r->lock);
        r->opts.answer(r->opts.ctx, &x);
        pthread_mutex_unlock(&r->lock);
    }
    if (x.is_dropped || x.is_ignored)
        return !x.is_dropped;
    kw_out_init(&out, (size_t)256 << 20);
    br_buf_add(&out.bytes, hole, sizeof hole);
    kw_response_header_encode(header.api_key, header.api_version, header.correlation_id, &out);
    BR_ASSERT(kw_encode(api->response, header.api_version, response, &out) == BR_OK);
    br_store32(out.bytes.data, (uint32_t)out.bytes.len - 4);
    send_all(c->fd, out.bytes.data, out.bytes.len);
    kw_out_clear(&out);
    return true;
}

static void *serve(void *arg)
{
    struct connection *c = arg;
    uint8_t head[4];
    bool goes_on = true;
    while (goes_on && read_all(c->fd, head, sizeof head)) {
        size_t len = br_load32(head);
        struct br_arena arena;
        uint8_t *frame = br_alloc(len);
        br_arena_init(&arena, (size_t)256 << 20);
        goes_on = read_all(c->fd, frame, len) && one(c, frame, len, &arena);
        br_arena_clear(&arena);
        br_free(frame);
    }
    shutdown(c->fd, SHUT_RDWR);
    return NULL;
}

static void *listen_on(void *arg)
{
    struct responder *r = arg;
    for (;;) {
        int fd = accept(r->fd, NULL, NULL);
        pthread_mutex_lock(&r->lock);
        bool is_over = fd < 0 || r->is_stopping || r->count == CONNECTIONS;
        if (!is_over) {
            struct connection *c = &r->connections[r->count];
            *c = (struct connection){.r = r, .fd = fd, .index = r->count++};
            BR_ASSERT(pthread_create(&c->thread, NULL, serve, c) == 0);
        }
        pthread_mutex_unlock(&r->lock);
        if (is_over) {
            if (fd >= 0)
                close(fd);
            return NULL;
        }
    }
}

struct responder *responder_start(const struct responder_opts *opts)
{
    struct responder *r = br_alloc(sizeof *r);
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof addr;
    r->opts = *opts;
    r->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    BR_ASSERT(bind(r->fd, (struct sockaddr *)&addr, sizeof addr) == 0 && listen(r->fd, 16) == 0 && getsockname(r->fd, (struct sockaddr *)&addr, &len) == 0);
    snprintf(r->address, sizeof r->address, "127.0.0.1:%d", ntohs(addr.sin_port));
    pthread_mutex_init(&r->lock, NULL);
    BR_ASSERT(pthread_create(&r->thread, NULL, listen_on, r) == 0);
    return r;
}

const char *responder_address(const struct responder *r) { return r->address; }

void responder_cut(struct responder *r)
{
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->count; i++)
        shutdown(r->connections[i].fd, SHUT_RDWR);
    pthread_mutex_unlock(&r->lock);
}

int responder_connections(struct responder *r)
{
    pthread_mutex_lock(&r->lock);
    int count = r->count;
    pthread_mutex_unlock(&r->lock);
    return count;
}

void responder_stop(struct responder *r)
{
    pthread_mutex_lock(&r->lock);
    r->is_stopping = true;
    pthread_mutex_unlock(&r->lock);
    shutdown(r->fd, SHUT_RDWR);
    pthread_join(r->thread, NULL);
    responder_cut(r);
    for (int i = 0; i < r->count; i++) {
        pthread_join(r->connections[i].thread, NULL);
        close(r->connections[i].fd);
    }
    close(r->fd);
    pthread_mutex_destroy(&r->lock);
    br_free(r);
}
