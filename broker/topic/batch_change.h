/* Many catalog changes asked for by one admin request: each has its place in the answer, and the answer leaves when the last is applied (or the request
 * was cancelled meanwhile). */
#pragma once

#include "broker/request.h"
#include "compat/base/map.h"
#include "compat/base/mem.h"

struct broker_changes;

/* One change: `error` points into the answer. */
struct broker_change {
    struct broker_changes *all;
    int16_t *error;
    void (*applied)(struct broker_change *change, void *ctx); /* NULL, or fills more of the answer on success */
    void *ctx;
};

struct broker_changes {
    struct broker_request *req; /* NULL: cancelled */
    unsigned waiting;
    const void *response; /* in the request's arena */
};

/* Made for the request; response (in its arena) is sent once, by broker_changes_seal or the last change. */
struct broker_changes *broker_changes_new(struct broker_request *req, const void *response);
/* A change that is about to be started; pass it to the catalog as ctx with broker_change_done. */
struct broker_change *broker_changes_add(struct broker_changes *all, int16_t *error, void (*applied)(struct broker_change *change, void *ctx), void *ctx);
void broker_change_done(void *change, enum kw_error error);
/* Names in one request: a name given twice fails in each of its places and changes nothing, as in Kafka. */
struct broker_names {
    struct br_map seen;
};
void broker_names_init(struct broker_names *names);
void broker_names_clear(struct broker_names *names);
/* kind tells apart what may bear the same name; 0 where there is one kind. Note all first, then ask. */
void broker_names_note(struct broker_names *names, int kind, struct br_str name);
bool broker_names_is_twice(const struct broker_names *names, int kind, struct br_str name);

/* No more changes will be added. */
void broker_changes_seal(struct broker_changes *all);
