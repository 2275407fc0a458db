/* A client: its loop, the way of a call into it, and its end. */
#include "compat/base/clock.h"
#include "order/api/client_int.h"
#include <event2/event.h>
#include <netdb.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define DEFAULT_TIMEOUT_MS 30000
#define DEFAULT_IN_FLIGHT ((size_t)4 << 20)
#define DEFAULT_BUFFERED ((size_t)32 << 20)
#define DEFAULT_ANSWER ((size_t)64 << 20)

/* --- alarms --- */

void braid_alarm_set(struct braid_client *client, struct braid_alarm *alarm, int64_t at_ms)
{
    br_heap_remove(&client->alarms, &alarm->node);
    br_heap_push(&client->alarms, &alarm->node, at_ms);
}

void braid_alarm_clear(struct braid_client *client, struct braid_alarm *alarm)
{
    br_heap_remove(&client->alarms, &alarm->node);
}

void braid_client_arm(struct braid_client *client)
{
    struct br_heap_node *first = br_heap_peek(&client->alarms);
    if (!first) {
        evtimer_del(client->timer);
        return;
    }
    int64_t wait = BR_MAX(first->key - br_clock_mono_ms(), (int64_t)0);
    struct timeval tv = {.tv_sec = wait / 1000, .tv_usec = wait % 1000 * 1000};
    evtimer_add(client->timer, &tv);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
    struct braid_client *client = arg;
    struct br_heap_node *node;
    int64_t now = br_clock_mono_ms();
    (void)fd, (void)what;
    while ((node = br_heap_peek(&client->alarms)) && node->key <= now) {
        struct braid_alarm *alarm = BR_CONTAINER_OF(node, struct braid_alarm, node);
        br_heap_remove(&client->alarms, node);
        alarm->ring(alarm);
    }
    braid_client_arm(client);
}

/* --- the inbox --- */

bool braid_client_is_loop(const struct braid_client *client)
{
    return client->has_own_thread && pthread_equal(pthread_self(), client->thread);
}

void braid_client_wake(struct braid_client *client)
{
    uint64_t one = 1;
    if (write(client->wake_fd, &one, sizeof one) < 0)
        BR_ASSERT(errno == EAGAIN); /* the counter is full: it wakes */
}

/* A lane for a call that may wait long; NULL: all are in use. */
static struct braid_lane *long_lane(struct braid_client *client)
{
    BR_LIST_FOR(lane, &client->long_lanes, struct braid_lane, link)
        if (braid_lane_is_idle(lane))
            return lane;
    if (client->long_lane_count == BRAID_LONG_LANES_MAX)
        return NULL;
    struct braid_lane *lane = braid_lane_new(client);
    br_list_append(&client->long_lanes, &lane->link);
    client->long_lane_count++;
    return lane;
}

void braid_client_lane_is_free(struct braid_client *client)
{
    if (!br_list_is_empty(&client->waiting) && !client->is_over)
        braid_client_wake(client); /* not at once: it may be that each that gets the lane fails and frees it again */
}

static void give_lanes(struct braid_client *client)
{
    struct braid_call *call;
    struct braid_lane *lane;
    while ((call = BR_LIST_FIRST(&client->waiting, struct braid_call, link)) && (lane = long_lane(client))) {
        br_list_remove(&call->link);
        braid_lane_add(lane, call);
    }
}

static void take_call(struct braid_client *client, struct braid_call *call)
{
    if (!call->is_long) {
        braid_call_start(call, client->main);
        return;
    }
    braid_call_start(call, NULL);
    br_list_append(&client->waiting, &call->link);
}

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
    struct braid_client *client = arg;
    uint64_t count;
    (void)what;
    if (read(fd, &count, sizeof count) < 0)
        BR_ASSERT(errno == EAGAIN);
    for (;;) {
        pthread_mutex_lock(&client->lock);
        struct braid_call *call = BR_LIST_FIRST(&client->inbox, struct braid_call, link);
        if (call)
            br_list_remove(&call->link);
        pthread_mutex_unlock(&client->lock);
        if (!call)
            break;
        take_call(client, call);
    }
    give_lanes(client);
    for (;;) {
        pthread_mutex_lock(&client->lock);
        struct br_link *link = br_list_is_empty(&client->new_subs) ? NULL : client->new_subs.head.next;
        if (link) {
            br_list_remove(link);
            br_list_append(&client->subs, link);
        }
        pthread_mutex_unlock(&client->lock);
        if (!link)
            break;
    }
    for (struct br_link *link = client->subs.head.next, *next; link != &client->subs.head; link = next) {
        next = link->next;
        braid_subscription_step(braid_subscription_of_link(link));
    }
    pthread_mutex_lock(&client->lock);
    bool is_over = client->is_closing && client->has_own_thread;
    pthread_mutex_unlock(&client->lock);
    if (is_over)
        event_base_loopbreak(client->base);
    braid_client_arm(client);
}

/* --- opening --- */

static enum braid_err resolve_one(struct braid_client *client, const char *host_port, struct braid_error *error)
{
    char host[256];
    const char *colon = strrchr(host_port, ':');
    size_t len = colon ? (size_t)(colon - host_port) : 0;
    if (!colon || len == 0 || len >= sizeof host || !colon[1])
        return braid_error_set(error, BRAID_INVALID, 0, "'%s' is not host:port", host_port);
    bool is_bracketed = host_port[0] == '[' && colon[-1] == ']';
    snprintf(host, sizeof host, "%.*s", (int)(is_bracketed ? len - 2 : len), host_port + is_bracketed);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list;
    int status = getaddrinfo(host, colon + 1, &hints, &list);
    if (status != 0)
        return braid_error_set(error, BRAID_INVALID, 0, "%s: %s", host_port, gai_strerror(status));
    for (struct addrinfo *a = list; a && client->address_count < BRAID_ADDRESSES_MAX; a = a->ai_next) {
        struct braid_address *out = &client->addresses[client->address_count++];
        out->addr = br_alloc(a->ai_addrlen);
        memcpy(out->addr, a->ai_addr, a->ai_addrlen);
        out->len = a->ai_addrlen;
        snprintf(out->text, sizeof out->text, "%s", host_port);
    }
    freeaddrinfo(list);
    return BRAID_OK;
}

static enum braid_err resolve(struct braid_client *client, const char *bootstrap, struct braid_error *error)
{
    const char *at = bootstrap ? bootstrap : "";
    enum braid_err err = *at ? BRAID_OK : braid_error_set(error, BRAID_INVALID, 0, "no host:port to start from");
    while (err == BRAID_OK && *at) {
        size_t len = strcspn(at, ",");
        char *one = br_strndup(at, len);
        err = resolve_one(client, one, error);
        br_free(one);
        at += len + (at[len] == ',');
    }
    return err;
}

static enum braid_err take_options(struct braid_client *client, const struct braid_options *options, struct braid_error *error)
{
    struct braid_options *o = &client->options;
    if (options)
        *o = *options;
    if (o->request_timeout_ms < 0 || o->codec < BRAID_CODEC_NONE || o->codec > BRAID_CODEC_ZSTD || o->answer_bytes_max > INT32_MAX / 2)
        return braid_error_set(error, BRAID_INVALID, 0, "an option is out of range");
    o->request_timeout_ms = o->request_timeout_ms ? o->request_timeout_ms : DEFAULT_TIMEOUT_MS;
    o->in_flight_bytes_max = o->in_flight_bytes_max ? o->in_flight_bytes_max : DEFAULT_IN_FLIGHT;
    o->buffered_bytes_max = o->buffered_bytes_max ? o->buffered_bytes_max : DEFAULT_BUFFERED;
    o->answer_bytes_max = o->answer_bytes_max ? o->answer_bytes_max : DEFAULT_ANSWER;
    o->client_id = br_strdup(o->client_id ? o->client_id : "libbraid");
    return BRAID_OK;
}

static void *run(void *arg)
{
    struct braid_client *client = arg;
    event_base_loop(client->base, EVLOOP_NO_EXIT_ON_EMPTY);
    return NULL;
}

/* Signals are the program's: the thread takes none. A write to a closed socket must not end the process either. */
static enum braid_err start_thread(struct braid_client *client, struct braid_error *error)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    int status = pthread_create(&client->thread, NULL, run, client);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return status == 0 ? BRAID_OK : braid_error_set(error, BRAID_FULL, 0, "no thread for the client: error %d", status);
}

static enum braid_err start_loop(struct braid_client *client, struct braid_error *error)
{
    client->has_own_thread = !client->options.base;
    client->base = client->options.base;
    if (client->has_own_thread) {
        struct event_config *config = event_config_new();
        event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK);
        client->base = event_base_new_with_config(config);
        event_config_free(config);
    }
    client->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (!client->base || client->wake_fd < 0)
        return braid_error_set(error, BRAID_FULL, 0, "no descriptors left");
    client->wake_event = event_new(client->base, client->wake_fd, EV_READ | EV_PERSIST, on_wake, client);
    client->timer = evtimer_new(client->base, on_timer, client);
    event_add(client->wake_event, NULL);
    client->main = braid_lane_new(client);
    return client->has_own_thread ? start_thread(client, error) : BRAID_OK;
}

static void client_free(struct braid_client *client)
{
    if (client->main)
        braid_lane_free(client->main);
    BR_LIST_FOR_SAFE(lane, next, &client->long_lanes, struct braid_lane, link) {
        br_list_remove(&lane->link);
        braid_lane_free(lane);
    }
    if (client->wake_event)
        event_free(client->wake_event);
    if (client->timer)
        event_free(client->timer);
    if (client->has_own_thread && client->base)
        event_base_free(client->base);
    if (client->wake_fd >= 0)
        close(client->wake_fd);
    for (size_t i = 0; i < client->address_count; i++)
        br_free(client->addresses[i].addr);
    br_heap_clear(&client->alarms);
    pthread_mutex_destroy(&client->lock);
    br_free((char *)client->options.client_id);
    br_free(client);
}

enum braid_err braid_open(const char *bootstrap, const struct braid_options *options, struct braid_client **out, struct braid_error *error)
{
    struct braid_client *client = br_alloc(sizeof *client);
    *out = NULL;
    client->wake_fd = -1;
    pthread_mutex_init(&client->lock, NULL);
    br_list_init(&client->inbox);
    br_list_init(&client->new_subs);
    br_list_init(&client->long_lanes);
    br_list_init(&client->waiting);
    br_list_init(&client->subs);
    br_heap_init(&client->alarms);
    enum braid_err err = take_options(client, options, error);
    if (err == BRAID_OK)
        err = resolve(client, bootstrap, error);
    if (err == BRAID_OK)
        err = start_loop(client, error);
    if (err != BRAID_OK)
        client_free(client);
    else
        *out = client;
    return err;
}

/* --- closing --- */

static void end_calls(struct br_list *list)
{
    struct braid_call *call;
    while ((call = BR_LIST_FIRST(list, struct braid_call, link)))
        braid_call_fail(call, BRAID_CLOSED, "the client was closed");
}

static void end_lane(struct braid_lane *lane)
{
    end_calls(&lane->sent);
    end_calls(&lane->queue);
}

enum braid_err braid_close(struct braid_client *client)
{
    static const struct braid_error closed = {BRAID_CLOSED, 0, "the client was closed"};
    if (!client)
        return BRAID_OK;
    if (braid_client_is_loop(client) || (!client->has_own_thread && client->is_in_callback))
        return BRAID_MISUSE;
    pthread_mutex_lock(&client->lock);
    client->is_closing = true;
    pthread_mutex_unlock(&client->lock);
    if (client->has_own_thread) {
        braid_client_wake(client);
        pthread_join(client->thread, NULL);
    }
    client->is_over = true;
    struct br_list *subs[] = {&client->subs, &client->new_subs};
    for (size_t i = 0; i < BR_COUNT(subs); i++)
        while (!br_list_is_empty(subs[i]))
            braid_subscription_end(braid_subscription_of_link(subs[i]->head.next), &closed, 0);
    end_calls(&client->inbox);
    end_calls(&client->waiting);
    end_lane(client->main);
    BR_LIST_FOR(lane, &client->long_lanes, struct braid_lane, link)
        end_lane(lane);
    client_free(client);
    return BRAID_OK;
}

void braid_free(void *ptr)
{
    br_free(ptr);
}
