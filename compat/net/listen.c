#include "compat/net/listen.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include <event2/event.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#define ADDRESSES_MAX 16    /* of one name */
#define ACCEPTS_PER_TURN 64 /* then other connections are served */
#define PAUSE_MS 100        /* without descriptors a waiting connection would turn the loop for ever */

struct socket {
    struct br_net_listener *listener;
    struct event *event;
    int fd;
    struct sockaddr_storage addr;
    socklen_t addr_len;
};

struct br_net_listener {
    struct br_net_listen_opts opts;
    struct event *pause;
    struct socket sockets[ADDRESSES_MAX];
    unsigned count;
    int port;
};

static void on_pause_end(evutil_socket_t fd, short what, void *arg)
{
    struct br_net_listener *l = arg;
    (void)fd;
    (void)what;
    br_net_loop_begin(l->opts.loop);
    for (unsigned i = 0; i < l->count; i++)
        event_add(l->sockets[i].event, NULL);
}

static void pause_accepting(struct br_net_listener *l, int why)
{
    struct timeval tv = {.tv_usec = PAUSE_MS * 1000};
    br_log(BR_LOG_ERROR, "net", "cannot accept: %s; raise the limit of open files", strerror(why));
    for (unsigned i = 0; i < l->count; i++)
        event_del(l->sockets[i].event);
    event_add(l->pause, &tv);
}

static void on_acceptable(evutil_socket_t listen_fd, short what, void *arg)
{
    struct br_net_listener *l = ((struct socket *)arg)->listener;
    int one = 1;
    (void)what;
    br_net_loop_begin(l->opts.loop);
    for (int i = 0; i < ACCEPTS_PER_TURN; i++) {
        struct sockaddr_storage peer;
        socklen_t len = sizeof peer;
        char host[BR_NET_HOST_TEXT];
        int fd = accept4(listen_fd, (struct sockaddr *)&peer, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                pause_accepting(l, errno);
            return;
        }
        br_net_addr_text((struct sockaddr *)&peer, len, host);
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
        l->opts.on_accept(l->opts.ctx, fd, host);
    }
}

static in_port_t *port_of(struct sockaddr_storage *addr)
{
    return addr->ss_family == AF_INET6 ? &((struct sockaddr_in6 *)addr)->sin6_port : &((struct sockaddr_in *)addr)->sin_port;
}

/* -1, errno set. */
static int socket_open(const struct sockaddr_storage *addr, socklen_t len, int backlog)
{
    int one = 1, only = 0, fd = socket(addr->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (addr->ss_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only);
    if (bind(fd, (const struct sockaddr *)addr, len) == 0 && listen(fd, backlog) == 0)
        return fd;
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
}

/* Some hosts files name one address twice. */
static bool is_open(const struct br_net_listener *l, const struct sockaddr_storage *addr, socklen_t len)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->sockets[i].addr_len == len && memcmp(&l->sockets[i].addr, addr, len) == 0)
            return true;
    return false;
}

/* 0, or the errno of the failure. */
static int add_address(struct br_net_listener *l, const struct sockaddr *given, socklen_t len)
{
    struct socket *s = &l->sockets[l->count];
    struct sockaddr_storage addr = {0};
    BR_ASSERT(len <= sizeof addr);
    memcpy(&addr, given, len);
    *port_of(&addr) = htons((uint16_t)l->port); /* with port 0 the later addresses take the first one's */
    if (l->count == ADDRESSES_MAX || is_open(l, &addr, len))
        return 0;
    int fd = socket_open(&addr, len, l->opts.backlog);
    if (fd < 0)
        return errno;
    *s = (struct socket){.listener = l, .fd = fd, .addr = addr, .addr_len = len};
    socklen_t bound_len = sizeof s->addr;
    getsockname(fd, (struct sockaddr *)&s->addr, &bound_len);
    l->port = ntohs(*port_of(&s->addr));
    s->event = event_new(br_net_loop_base(l->opts.loop), fd, EV_READ | EV_PERSIST, on_acceptable, s);
    event_add(s->event, NULL);
    l->count++;
    return 0;
}

/* An address that this machine does not have (IPv6 of "localhost") is passed over while another one can be bound; a taken port is not. */
static int add_all(struct br_net_listener *l, const struct addrinfo *list)
{
    int last = EADDRNOTAVAIL;
    for (const struct addrinfo *ai = list; ai; ai = ai->ai_next) {
        int err = add_address(l, ai->ai_addr, ai->ai_addrlen);
        if (err == EADDRINUSE || err == EACCES)
            return err;
        last = err ? err : last;
    }
    return l->count > 0 ? 0 : last;
}

static int open_all(struct br_net_listener *l, struct br_errbuf *eb)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *list;
    if (l->opts.host[0] == '\0') {
        struct sockaddr_in6 any6 = {.sin6_family = AF_INET6};
        struct sockaddr_in any4 = {.sin_family = AF_INET};
        int err = add_address(l, (struct sockaddr *)&any6, sizeof any6); /* takes IPv4 too */
        return err == 0 || err == EADDRINUSE || err == EACCES ? err : add_address(l, (struct sockaddr *)&any4, sizeof any4);
    }
    int rc = getaddrinfo(l->opts.host, NULL, &hints, &list);
    if (rc != 0) {
        br_errbuf_set(eb, BR_INVALID, "cannot listen on %s: %s", l->opts.host, gai_strerror(rc));
        return -1;
    }
    int err = add_all(l, list);
    freeaddrinfo(list);
    return err;
}

enum br_err br_net_listener_open(const struct br_net_listen_opts *opts, struct br_net_listener **out, struct br_errbuf *eb)
{
    struct br_net_listener *l = br_alloc(sizeof *l);
    char where[320];
    l->opts = *opts;
    l->port = opts->port;
    l->pause = evtimer_new(br_net_loop_base(opts->loop), on_pause_end, l);
    int err = open_all(l, eb);
    if (err == 0) {
        l->opts.host = NULL; /* borrowed until here */
        *out = l;
        return BR_OK;
    }
    br_net_listener_close(l);
    if (err < 0)
        return BR_INVALID;
    br_net_host_port_text(opts->host, opts->port, where, sizeof where);
    return br_errbuf_set(eb, err == EADDRINUSE ? BR_EXISTS : err == EACCES ? BR_DENIED : BR_IO, "cannot listen on %s: %s", where, strerror(err));
}

int br_net_listener_port(const struct br_net_listener *listener) { return listener->port; }

void br_net_listener_close(struct br_net_listener *l)
{
    if (!l)
        return;
    for (unsigned i = 0; i < l->count; i++) {
        event_free(l->sockets[i].event);
        close(l->sockets[i].fd);
    }
    event_free(l->pause);
    br_free(l);
}
