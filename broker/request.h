/* What a handler gets, and how it answers.
 *
 * Requests of one connection: one starts when every earlier one has been *applied* (its order decided), not answered; answers leave in request order (slots
 * in broker/client.c). Produce calls broker_request_applied after its appends, so five of them share one group commit; every other API is applied by its
 * reply, so a waiting Fetch holds later requests of its own connection, as in Kafka.
 *
 * Memory: the decoded body and the frame (small ones in the arena) live until the request ends; record bytes in the frame may be patched in place. An applied Produce
 * needs its frame only until the end of the turn (the journal borrows it): broker_request_drop_frame gives it back early. */
#pragma once

#include "broker/wait.h"
#include "compat/base/arena.h"
#include "compat/wire/api.h"
#include "compat/wire/error.h"
#include "compat/wire/header.h"

struct broker;
struct broker_client;

struct broker_request {
    struct broker *broker;
    struct broker_client *client;
    const struct kw_api *api;
    struct kw_request_header header; /* client_id is borrowed from the frame; copied to the arena by dispatch */
    const void *body;                /* decoded request, for instance const struct kw_fetch_request * */
    struct br_arena arena;           /* budget of its own; what a waiting request has in it is charged to queued.max.request.bytes */
    int64_t now_ms;                  /* monotonic, this turn */
    int64_t wall_ms;                 /* Unix time, this turn */
    void *state;                     /* the handler's own, from the arena */
    /* Set by a handler that waits: called when the client went away or the broker stops. Must withdraw every wait and watch. An order ticket cannot be
     * withdrawn: what its callback needs must not lie in the request's arena, and must know that the request is gone. No reply may follow. */
    void (*cancel)(struct broker_request *req);
    struct br_link link;             /* the client's */
};

/* Version of the API this request came in. */
static inline int broker_request_version(const struct broker_request *req) { return req->header.api_version; }

/* Encodes and queues the answer, ends the request (req is dead after it). Ranges in kw_records.file are struct store_range *, held by the caller; the
 * reply takes over one hold of each. */
void broker_reply(struct broker_request *req, const void *response);
/* The same with a body that was encoded before, at this request's version; copied. */
void broker_reply_encoded(struct broker_request *req, struct br_str body);
/* Ends without an answer (Produce acks=0). */
void broker_reply_nothing(struct broker_request *req);
/* Closes the connection once earlier answers have left; `why` goes to the log (rate limited). Ends the request. */
void broker_request_close(struct broker_request *req, const char *why);
/* Lets the next request of the connection start. */
void broker_request_applied(struct broker_request *req);
/* The frame's bytes (body's borrowed strings and records) are not needed after this turn. */
void broker_request_drop_frame(struct broker_request *req);

/* Who asked, and where from. */
const char *broker_client_host(const struct broker_client *client); /* "127.0.0.1" */
/* Index of the listener it came in on: answers give that listener's advertised address. */
unsigned broker_client_listener(const struct broker_client *client);
/* name and version from ApiVersions v3+, or "" */
void broker_client_set_software(struct broker_client *client, struct br_str name, struct br_str version);
bool broker_client_is_libbraid(const struct broker_client *client); /* by that name */
