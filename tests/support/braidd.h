/* A braidd of one's own for tests in C: a fresh directory, a port that stays its own over restarts. */
#pragma once

#include "compat/base/base.h"

struct braidd;
/* property: one override "key=value", or NULL. Waits until it listens. */
struct braidd *braidd_start(const char *property);
/* "127.0.0.1:PORT". */
const char *braidd_address(const struct braidd *b);
/* SIGKILL, and waits for the end. */
void braidd_kill(struct braidd *b);
/* After braidd_kill or braidd_term. */
void braidd_again(struct braidd *b);
/* SIGTERM; wants status 0. */
void braidd_term(struct braidd *b);
/* Ends and frees it. */
void braidd_stop(struct braidd *b);
/* Makes a topic with `braid topic create`. config: "key=value" or NULL. */
void braidd_topic(struct braidd *b, const char *name, int partitions, const char *config);
