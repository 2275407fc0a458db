#include "broker/server.h"
#include "broker/client.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include <arpa/inet.h>
#include <event2/event.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#define SWEEP_MS 1000
#define ACCEPTS_PER_TURN 64

struct broker_acceptor {
    struct broker_server *server;
    struct event *event;
    int fd;
    unsigned listener;
};

struct ip_count {
    unsigned count;
};

void broker_slots_free_spare(struct broker_server *s);

static void sweep(struct broker_wait *wait)
{
    struct broker_server *s = BR_CONTAINER_OF(wait, struct broker_server, sweep);
    int64_t now = s->broker->now_ms, idle = broker_config_int(s->broker->config, "connections.max.idle.ms");
    int64_t partial_max = broker_config_int(s->broker->config, "braid.request.receive.timeout.ms");
    BR_LIST_FOR_SAFE(c, next, &s->clients, struct broker_client, link) {
        int64_t partial = br_net_conn_partial_since(c->conn);
        if (c->is_dead)
            continue;
        if (partial && now - partial > partial_max)
            broker_client_close(c, "a request did not arrive whole in time");
        else if (idle >= 0 && now - c->active_ms > idle && br_list_is_empty(&c->requests))
            broker_client_close(c, NULL); /* A11: clients take it as normal */
    }
    broker_wait_start(&s->broker->waits, &s->sweep, now + SWEEP_MS);
}

struct broker_server *broker_server_new(struct broker *b)
{
    struct broker_server *s = br_alloc(sizeof *s);
    s->broker = b;
    s->pool = br_net_pool_new((size_t)broker_config_int(b->config, "queued.max.request.bytes"));
    br_list_init(&s->clients);
    br_list_init(&s->dirty);
    br_list_init(&s->closed);
    br_list_init(&s->spare);
    br_map_init(&s->per_ip);
    s->sweep.expire = sweep;
    return s;
}

static bool may_accept(struct broker_server *s, const char *host)
{
    const struct broker_config *config = s->broker->config;
    struct ip_count *ip = br_map_get(&s->per_ip, host, strlen(host));
    if ((int64_t)s->client_count >= broker_config_int(config, "max.connections")) {
        br_log(BR_LOG_WARN, "server", "refused host=%s why=\"max.connections reached\"", host);
        return false;
    }
    if (ip && (int64_t)ip->count >= broker_config_int(config, "max.connections.per.ip")) {
        br_log(BR_LOG_WARN, "server", "refused host=%s why=\"max.connections.per.ip reached\"", host);
        return false;
    }
    return true;
}

static void count_ip(struct broker_server *s, const char *host, int by)
{
    struct ip_count *ip = br_map_get(&s->per_ip, host, strlen(host));
    if (!ip) {
        ip = br_alloc(sizeof *ip);
        br_map_put(&s->per_ip, host, strlen(host), ip);
    }
    ip->count += (unsigned)by;
    if (ip->count == 0)
        br_free(br_map_remove(&s->per_ip, host, strlen(host)));
}

static void on_accept(evutil_socket_t listen_fd, short what, void *arg)
{
    struct broker_acceptor *a = arg;
    struct broker_server *s = a->server;
    (void)what;
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        struct sockaddr_storage peer;
        socklen_t len = sizeof peer;
        char host[48] = "?";
        int one = 1;
        int fd = accept4(listen_fd, (struct sockaddr *)&peer, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE)
                br_log(BR_LOG_ERROR, "server", "cannot accept: %s; raise the limit of open files", strerror(errno));
            return;
        }
        getnameinfo((struct sockaddr *)&peer, len, host, sizeof host, NULL, 0, NI_NUMERICHOST);
        if (s->broker->is_stopping || !may_accept(s, host)) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
        count_ip(s, host, 1);
        broker_client_open(s, fd, a->listener, host);
    }
}

/* Binds one address; -1 and a message on failure. */
static int bind_one(const struct addrinfo *ai, int backlog, int *port)
{
    int one = 1, fd = socket(ai->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_storage bound;
    socklen_t len = sizeof bound;
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (ai->ai_family == AF_INET6) {
        int only = 0;
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
    }
    if (bind(fd, ai->ai_addr, ai->ai_addrlen) != 0 || listen(fd, backlog) != 0 || getsockname(fd, (struct sockaddr *)&bound, &len) != 0) {
        int saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    *port = ntohs(bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port : ((struct sockaddr_in *)&bound)->sin_port);
    return fd;
}

static void add_acceptor(struct broker_server *s, int fd, unsigned listener)
{
    struct broker_acceptor *a = &s->acceptors[s->acceptor_count++];
    *a = (struct broker_acceptor){.server = s, .fd = fd, .listener = listener};
    a->event = event_new(br_net_loop_base(s->broker->loop), fd, EV_READ | EV_PERSIST, on_accept, a);
    event_add(a->event, NULL);
}

/* All addresses of a name ("localhost" is both 127.0.0.1 and ::1): at least one must bind. */
static enum br_err listen_one(struct broker_server *s, struct broker_listener *l, unsigned index, struct br_errbuf *eb)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list;
    char port[16];
    int backlog = (int)broker_config_int(s->broker->config, "socket.listen.backlog.size"), bound = 0, last = 0;
    snprintf(port, sizeof port, "%d", l->port);
    if (l->host[0] == '\0')
        hints.ai_family = AF_INET6; /* takes IPv4 too */
    int rc = getaddrinfo(l->host[0] ? l->host : NULL, port, &hints, &list);
    if (rc != 0)
        return br_errbuf_set(eb, BR_INVALID, "listeners: %s: %s", l->host, gai_strerror(rc));
    for (struct addrinfo *ai = list; ai; ai = ai->ai_next) {
        struct sockaddr_storage address;
        struct addrinfo again = *ai;
        memcpy(&address, ai->ai_addr, ai->ai_addrlen);
        if (bound && l->port > 0) { /* with port 0 the second address takes the first one's port */
            if (ai->ai_family == AF_INET6)
                ((struct sockaddr_in6 *)&address)->sin6_port = htons((uint16_t)l->port);
            else
                ((struct sockaddr_in *)&address)->sin_port = htons((uint16_t)l->port);
        }
        again.ai_addr = (struct sockaddr *)&address;
        int got, fd = s->acceptor_count < 64 ? bind_one(&again, backlog, &got) : -1;
        if (fd < 0) {
            last = errno;
            if (last == EADDRINUSE)
                break;
            continue;
        }
        l->port = got;
        add_acceptor(s, fd, index);
        bound++;
    }
    if (!bound && l->host[0] == '\0' && list) { /* no IPv6 here */
        struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons((uint16_t)l->port)};
        struct addrinfo v4 = {.ai_family = AF_INET, .ai_addr = (struct sockaddr *)&any, .ai_addrlen = sizeof any};
        int got, fd = last == EADDRINUSE ? -1 : bind_one(&v4, backlog, &got);
        if (fd >= 0) {
            l->port = got;
            add_acceptor(s, fd, index);
            bound = 1;
        }
    }
    freeaddrinfo(list);
    if (!bound || last == EADDRINUSE)
        return br_errbuf_set(eb, BR_EXISTS, "cannot listen on %s:%d: %s", l->host[0] ? l->host : "*", l->port, strerror(last));
    if (l->advertised_port == 0)
        l->advertised_port = l->port;
    return BR_OK;
}

enum br_err broker_server_listen(struct broker_server *s, struct br_errbuf *eb)
{
    unsigned count;
    broker_config_listeners(s->broker->config, &count);
    struct broker_listener *listeners = broker_config_listeners_mut(s->broker->config);
    s->acceptors = br_alloc_array(64, sizeof *s->acceptors);
    for (unsigned i = 0; i < count; i++) {
        enum br_err err = listen_one(s, &listeners[i], i, eb);
        if (err != BR_OK)
            return err;
    }
    broker_wait_start(&s->broker->waits, &s->sweep, s->broker->now_ms + SWEEP_MS);
    return BR_OK;
}

static void stop_listening(struct broker_server *s)
{
    for (unsigned i = 0; i < s->acceptor_count; i++) {
        event_free(s->acceptors[i].event);
        close(s->acceptors[i].fd);
    }
    s->acceptor_count = 0;
}

void broker_server_drain(struct broker_server *s)
{
    stop_listening(s);
    BR_LIST_FOR_SAFE(c, next, &s->clients, struct broker_client, link) {
        if (c->is_dead)
            continue;
        br_net_conn_stop_reading(c->conn);
        c->is_closing = true;
        if (br_list_is_empty(&c->requests) && br_net_conn_queued(c->conn) == 0)
            broker_client_close(c, NULL);
    }
}

unsigned broker_server_open_requests(const struct broker_server *s)
{
    unsigned count = 0;
    BR_LIST_FOR(c, &s->clients, struct broker_client, link)
        count += c->is_dead ? 0 : c->request_count + (br_net_conn_queued(c->conn) > 0);
    return count;
}

void broker_server_turn_end(struct broker_server *s)
{
    while (!br_list_is_empty(&s->closed)) {
        struct broker_client *c = BR_LIST_FIRST(&s->closed, struct broker_client, closed);
        br_list_remove(&c->closed);
        count_ip(s, c->host, -1);
        broker_client_free(c);
    }
    br_net_pool_turn_end(s->pool);
}

void broker_server_free(struct broker_server *s)
{
    if (!s)
        return;
    stop_listening(s);
    broker_wait_stop(&s->broker->waits, &s->sweep);
    BR_LIST_FOR_SAFE(c, next, &s->clients, struct broker_client, link)
        broker_client_close(c, NULL);
    broker_server_turn_end(s);
    broker_slots_free_spare(s);
    br_net_pool_free(s->pool);
    br_map_clear(&s->per_ip);
    br_free(s->acceptors);
    br_free(s);
}
