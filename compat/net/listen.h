/* Listening sockets: one name and port, all its addresses. Thread: the loop's. */
#pragma once

#include "compat/net/addr.h"
#include "compat/net/loop.h"

struct br_net_listener;

struct br_net_listen_opts {
    struct br_net_loop *loop;
    const char *host; /* "" = every interface, IPv6 and IPv4; a name stands for all its addresses */
    int port;         /* 0: a free one, the same for all addresses */
    int backlog;
    /* A new connection, non-blocking; the callee has the descriptor. host: where it comes from, borrowed. */
    void (*on_accept)(void *ctx, int fd, const char *host);
    void *ctx;
};

/* Binds and listens. BR_EXISTS: the port is taken; BR_INVALID: the host does not resolve; BR_DENIED, BR_IO. eb says host, port and why. */
BR_MUST_USE enum br_err br_net_listener_open(const struct br_net_listen_opts *opts, struct br_net_listener **out, struct br_errbuf *eb);
int br_net_listener_port(const struct br_net_listener *listener);
/* NULL is allowed. */
void br_net_listener_close(struct br_net_listener *listener);
