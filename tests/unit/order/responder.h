/* A port that answers libbraid's requests as a test wants: what a broker cannot be made to do on purpose (answers that are lost, late, damaged or never given). */
#pragma once

#include "compat/base/arena.h"
#include <pthread.h>

struct exchange {
    int16_t key;
    const void *request;
    void *response; /* all defaults */
    struct br_arena *arena;
    int connection;   /* counted from 0 */
    bool is_dropped;  /* close the connection instead of answering */
    bool is_ignored;  /* no answer at all */
};

struct responder_opts {
    bool is_kafka;        /* shows no keys of Braid's */
    const char *garbage;  /* said to the first request instead of an answer, or NULL */
    size_t garbage_len;
    void (*answer)(void *ctx, struct exchange *x); /* one at a time */
    void *ctx;
};

struct responder;
struct responder *responder_start(const struct responder_opts *opts);
const char *responder_address(const struct responder *r);
/* Closes all that is open; new connections are taken. */
void responder_cut(struct responder *r);
int responder_connections(struct responder *r);
void responder_stop(struct responder *r);
