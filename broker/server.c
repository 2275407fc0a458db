#include "broker/server.h"
#include "broker/client.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/net/listen.h"
#include <unistd.h>

#define SWEEP_MS 1000
#define RECEIVE_BYTES_PER_MS 64 /* a large request may take longer than the time-out if it comes at least as fast as this */

#define BUDGET_DEFAULT ((size_t)512 << 20)

struct broker_acceptor {
    struct broker_server *server;
    struct br_net_listener *listener;
    unsigned index;
};

struct ip_count {
    unsigned count;
};

static void sweep(struct broker_wait *wait)
{
    struct broker_server *s = BR_CONTAINER_OF(wait, struct broker_server, sweep);
    int64_t now = s->broker->now_ms, idle = broker_config_int(s->broker->config, "connections.max.idle.ms");
    int64_t partial_max = broker_config_int(s->broker->config, "braid.request.receive.timeout.ms");
    BR_LIST_FOR_SAFE(c, next, &s->clients, struct broker_client, link) {
        size_t bytes;
        int64_t partial = br_net_conn_partial_since(c->conn, &bytes);
        if (c->is_dead)
            continue;
        if (partial && now - partial > partial_max + (int64_t)(bytes / RECEIVE_BYTES_PER_MS))
            broker_client_close(c, "a request did not arrive whole in time");
        else if (idle >= 0 && now - c->active_ms > idle && br_list_is_empty(&c->requests))
            broker_client_close(c, NULL); /* clients take it as normal */
    }
    broker_wait_start(&s->broker->waits, &s->sweep, now + SWEEP_MS);
}

struct broker_server *broker_server_new(struct broker *b)
{
    struct broker_server *s = br_alloc(sizeof *s);
    s->broker = b;
    int64_t budget = broker_config_int(b->config, "queued.max.request.bytes");
    s->budget = budget > 0 ? (size_t)budget : BUDGET_DEFAULT;
    s->pool = br_net_pool_new(s->budget);
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
    if ((ip ? (int64_t)ip->count : 0) >= broker_config_per_ip_max(config, host)) {
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

static void on_accept(void *ctx, int fd, const char *host)
{
    struct broker_acceptor *a = ctx;
    struct broker_server *s = a->server;
    if (s->broker->is_stopping || !may_accept(s, host)) {
        close(fd);
        return;
    }
    count_ip(s, host, 1);
    broker_client_open(s, fd, a->index, host);
}

enum br_err broker_server_listen(struct broker_server *s, struct br_errbuf *eb)
{
    unsigned count;
    broker_config_listeners(s->broker->config, &count);
    struct broker_listener *listeners = broker_config_listeners_mut(s->broker->config);
    s->acceptors = br_alloc_array(count, sizeof *s->acceptors);
    for (; s->acceptor_count < count; s->acceptor_count++) {
        struct broker_listener *l = &listeners[s->acceptor_count];
        struct broker_acceptor *a = &s->acceptors[s->acceptor_count];
        struct br_net_listen_opts opts = {
            .loop = s->broker->loop, .host = l->host, .port = l->port, .backlog = (int)broker_config_int(s->broker->config, "socket.listen.backlog.size"),
            .on_accept = on_accept, .ctx = a,
        };
        *a = (struct broker_acceptor){.server = s, .index = s->acceptor_count};
        enum br_err err = br_net_listener_open(&opts, &a->listener, eb);
        if (err != BR_OK)
            return err;
        l->port = br_net_listener_port(a->listener);
        l->advertised_port = l->advertised_port ? l->advertised_port : l->port;
    }
    broker_wait_start(&s->broker->waits, &s->sweep, s->broker->now_ms + SWEEP_MS);
    return BR_OK;
}

static void stop_listening(struct broker_server *s)
{
    for (unsigned i = 0; i < s->acceptor_count; i++)
        br_net_listener_close(s->acceptors[i].listener);
    s->acceptor_count = 0;
}

void broker_server_drain(struct broker_server *s)
{
    stop_listening(s);
    BR_LIST_FOR_SAFE(c, next, &s->clients, struct broker_client, link) {
        if (c->is_dead)
            continue;
        br_net_conn_stop_reading(c->conn);
        c->is_half_closed = true;
        if (!broker_client_is_owed(c))
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
