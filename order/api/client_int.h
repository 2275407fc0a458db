/* The inside of a client. Any thread makes a call (encodes it) and hands it over in the inbox, under the lock; everything else belongs to the loop's thread. */
#pragma once

#include "compat/base/heap.h"
#include "compat/base/list.h"
#include "compat/base/mem.h"
#include "compat/wire/codec.h"
#include "compat/wire/error.h"
#include "order/api/braid.h"
#include <pthread.h>

struct bufferevent;
struct event;

/* --- errors --- */

/* Fills error (may be NULL) and returns its code. */
BR_PRINTF(4, 5) enum braid_err braid_error_set(struct braid_error *error, enum braid_err code, int broker_code, const char *fmt, ...);
/* What a broker's code means to a caller. */
enum braid_err braid_err_of_broker(int code);

/* --- alarms --- */

/* What the client's heap of deadlines holds. Thread: the loop's. */
struct braid_alarm {
    struct br_heap_node node;
    void (*ring)(struct braid_alarm *alarm); /* it is out of the heap by then */
};

/* --- calls --- */

/* How a call ended: a decoded response, or an error without one. All borrowed. */
struct braid_answer {
    enum braid_err error;
    int broker_code;
    const char *text;
    const void *body; /* NULL unless error is BRAID_OK */
};

/* One request and what becomes of its answer. The first member of a call's own structure, which `finish` frees. */
struct braid_call {
    struct br_link link; /* in the inbox, the client's waiting calls, or a lane's queue or what it has sent */
    struct braid_alarm deadline;
    struct braid_client *client;
    struct braid_lane *lane; /* NULL: on none yet */
    int16_t api_key;
    int32_t correlation_id;
    struct br_buf frame; /* whole, length included */
    size_t charged;      /* of buffered_bytes_max */
    int timeout_ms;
    bool is_long;        /* may wait in the broker for something to happen: has a connection to itself */
    bool is_append;      /* not to be sent twice ... */
    bool is_conditional; /* ... unless this; then once */
    bool is_sent;        /* at least once */
    bool was_resent;
    /* Once, on the loop's thread. Frees the call. */
    void (*finish)(struct braid_call *call, const struct braid_answer *answer);
    braid_done done;
    void *ctx;
};

/* Encodes a request and fills in what each call has; on an error nothing is left of it. Thread: any. */
enum braid_err braid_call_init(struct braid_call *call, struct braid_client *client, int16_t api_key, const void *request, int timeout_ms);
/* Hands a call over to the loop. BRAID_FULL, BRAID_CLOSED: it was not taken, and is cleared. Thread: any. */
enum braid_err braid_call_submit(struct braid_call *call);
/* Starts the clock of a call and puts it on a lane. Thread: the loop's. */
void braid_call_start(struct braid_call *call, struct braid_lane *lane);
/* Takes it from wherever it is and finishes it. */
void braid_call_end(struct braid_call *call, const struct braid_answer *answer);
void braid_call_fail(struct braid_call *call, enum braid_err error, const char *text);
/* The result of a call about which nothing is known but how it ended. */
struct braid_result braid_result_of(const struct braid_answer *answer);
/* Tells the user, once. Clears the call; the structure around it is the caller's to free. */
void braid_call_tell(struct braid_call *call, const struct braid_result *result);
/* Room for a broker's message as text. */
#define BRAID_TEXT_MAX 256
/* Makes the broker's error that a response carries the answer's own. */
void braid_answer_check(struct braid_answer *answer, int16_t code, struct br_str message, char text[BRAID_TEXT_MAX]);

/* --- lanes --- */

enum braid_lane_state { BRAID_LANE_DOWN, BRAID_LANE_CONNECTING, BRAID_LANE_GREETING, BRAID_LANE_READY };

/* A connection that is made when a call needs it, and made again after a loss. Answers come in the order of the requests. */
struct braid_lane {
    struct br_link link; /* among the client's long lanes */
    struct braid_client *client;
    enum braid_lane_state state;
    struct bufferevent *bev;
    size_t address;           /* index of the one in use, or to try next */
    struct br_list queue, sent;
    size_t bytes_in_flight;
    int32_t next_correlation;
    int backoff_ms;           /* 0: the last connection worked */
    int64_t not_before_ms;    /* of the next attempt */
    struct braid_alarm alarm; /* to try again, or to give up an attempt */
    unsigned generation;      /* counts connections that worked */
    uint32_t served;          /* bit i: the peer serves key 10000 + i */
    char trouble[BRAID_TEXT_MAX]; /* why the last attempt failed */
};

struct braid_lane *braid_lane_new(struct braid_client *client);
/* Without calls. */
void braid_lane_free(struct braid_lane *lane);
/* Behind the others; sent when there is room and a connection. */
void braid_lane_add(struct braid_lane *lane, struct braid_call *call);
/* Takes a call off. When it was sent, the connection goes: answers could not be told apart any more. */
void braid_lane_remove(struct braid_lane *lane, struct braid_call *call);
static inline bool braid_lane_is_idle(const struct braid_lane *lane) { return br_list_is_empty(&lane->queue) && br_list_is_empty(&lane->sent); }
/* A connected socket said something, or a timer rang: what can be sent is. */
void braid_lane_pump(struct braid_lane *lane);

/* --- the client --- */

#define BRAID_ADDRESSES_MAX 32
#define BRAID_LONG_LANES_MAX 8 /* calls that wait in the broker at one time; more wait here */

struct braid_address {
    void *addr; /* struct sockaddr */
    size_t len;
    char text[80];
};

struct braid_client {
    struct braid_options options; /* defaults filled in */
    struct braid_address addresses[BRAID_ADDRESSES_MAX];
    size_t address_count;
    struct event_base *base;
    bool has_own_thread;
    pthread_t thread;
    int wake_fd;
    struct event *wake_event, *timer;

    pthread_mutex_t lock;    /* guards the next four */
    struct br_list inbox;    /* calls */
    struct br_list new_subs; /* subscriptions asked for */
    size_t buffered;         /* bytes of calls that are not answered */
    bool is_closing;

    struct braid_lane *main;            /* what is answered soon, in the order of the calls */
    struct br_list long_lanes, waiting; /* lanes; calls that wait for one */
    size_t long_lane_count;
    struct br_list subs;
    struct br_heap alarms;
    bool is_in_callback;
    bool is_over;                       /* closing: nothing is made again */
};

/* Makes the loop look at the inbox and the subscriptions. Thread: any. */
void braid_client_wake(struct braid_client *client);
bool braid_client_is_loop(const struct braid_client *client);
void braid_alarm_set(struct braid_client *client, struct braid_alarm *alarm, int64_t at_ms);
void braid_alarm_clear(struct braid_client *client, struct braid_alarm *alarm);
/* Sets the timer to the first alarm: at the end of each event's callback. */
void braid_client_arm(struct braid_client *client);
/* A call that had a lane to itself is over: one that waits may have it, soon. */
void braid_client_lane_is_free(struct braid_client *client);

/* --- subscriptions --- */

/* New, or something was said to it: goes on, pauses, or ends (which frees it). */
void braid_subscription_step(struct braid_subscription *sub);
void braid_subscription_end(struct braid_subscription *sub, const struct braid_error *error, int64_t start);
struct braid_subscription *braid_subscription_of_link(struct br_link *link);
