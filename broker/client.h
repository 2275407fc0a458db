/* One client connection, for server.c, client.c and dispatch.c. */
#pragma once

#include "broker/server.h"
#include "compat/net/addr.h"

struct broker_client {
    struct broker_server *server;
    struct br_net_conn *conn;
    unsigned listener;
    char host[BR_NET_HOST_TEXT];
    char software[64], software_version[64];
    struct br_list requests;     /* slots in request order; the first leaves first */
    unsigned request_count;
    struct broker_request *applying; /* the last one that is not applied yet, or NULL */
    bool is_closing;             /* close once earlier answers left */
    bool is_half_closed;         /* nothing more is taken from it: close once what it is owed has left */
    bool is_dead;
    char why[160];
    int64_t active_ms;
    struct br_link link, dirty, closed;
};

/* A request and what only client.c sees of it. */
struct broker_slot {
    struct broker_request req;
    struct br_net_buf *buf;      /* the frame; NULL when dropped */
    struct kw_out answer;
    size_t held;                 /* counted in the server's held_bytes */
    bool is_answered, has_answer, is_applied;
};

void broker_client_open(struct broker_server *s, int fd, unsigned listener, const char *host);
void broker_client_close(struct broker_client *c, const char *why);
void broker_client_free(struct broker_client *c);
/* Whether somebody needs what is still to be answered or sent: a long poll that is cut short loses nothing. */
bool broker_client_is_owed(const struct broker_client *c);
/* Frees the request objects kept for reuse. */
void broker_slots_free_spare(struct broker_server *s);
/* Decodes the frame (kept by the slot, or in its arena) and runs its handler; false closes the connection (the reason was logged). dispatch.c */
bool broker_dispatch(struct broker_client *c, struct broker_slot *slot, uint8_t *frame, size_t len);
