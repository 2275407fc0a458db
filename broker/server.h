/* Listeners, clients and their requests: accepting within the limits, frames to requests, answers in request order. */
#pragma once

#include "broker/broker.h"
#include "broker/request.h"
#include "compat/net/conn.h"

struct broker_server {
    struct broker *broker;
    struct br_net_pool *pool;
    size_t budget;               /* queued.max.request.bytes: for requests that come in, and once more for those that wait */
    size_t held_bytes;           /* of those that wait */
    struct br_list clients;
    struct br_list dirty;        /* clients with output of this turn */
    struct br_list closed;       /* freed at the end of the turn */
    struct br_list spare;        /* request objects kept for reuse */
    unsigned spare_count, client_count;
    struct br_map per_ip;        /* address -> struct ip_count */
    struct broker_acceptor *acceptors;  /* one a listener, same index */
    unsigned acceptor_count;
    struct broker_wait sweep;    /* idle and stuck connections */
};

struct broker_server *broker_server_new(struct broker *b);
/* Binds every listener; fills in bound ports. Errors name the address. */
BR_MUST_USE enum br_err broker_server_listen(struct broker_server *s, struct br_errbuf *eb);
/* No new connections, no new requests; a connection closes when what it is owed has left (a long poll is owed nothing). */
void broker_server_drain(struct broker_server *s);
/* Requests that have not been answered yet. */
unsigned broker_server_open_requests(const struct broker_server *s);
/* Sends what is queued, and nothing else: no request starts. */
void broker_server_send(struct broker_server *s);
/* Sends this turn's answers, closes what is to be closed, lets held requests go on. */
void broker_server_flush(struct broker_server *s);
/* Frees what ended in this turn. */
void broker_server_turn_end(struct broker_server *s);
void broker_server_free(struct broker_server *s);

/* Listener the request came in on: answers give its advertised address. */
const struct broker_listener *broker_request_listener(const struct broker_request *req);
