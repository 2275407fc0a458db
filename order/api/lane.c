/* A lane: one connection, made when needed, greeted with ApiVersions, made again after a loss. It keeps what was sent in order, since answers come in that order. */
#include "compat/base/arena.h"
#include "compat/base/clock.h"
#include "compat/gen/18_api_versions.h"
#include "compat/wire/api.h"
#include "compat/wire/header.h"
#include "order/api/client_int.h"
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#define ATTEMPT_MS 5000 /* to connect and be greeted */
#define BACKOFF_MIN_MS 50
#define BACKOFF_MAX_MS 2000
#define READ_BYTES ((size_t)256 << 10) /* at a time */
#define GREETING_MAX ((size_t)256 << 10)
#define GREETING_ID (-1)
#define ARENA_BYTES ((size_t)64 << 20)

enum { API_VERSIONS = 18, OWN_FIRST = 10000, OWN_LAST = 10031 };

static void lane_down(struct braid_lane *lane, enum braid_err error, const char *why);

/* --- sending --- */

static void send_frame(struct braid_lane *lane, struct braid_call *call)
{
    call->correlation_id = lane->next_correlation++ & INT32_MAX;
    br_store32(call->frame.data + 8, (uint32_t)call->correlation_id); /* after length, key and version */
    bufferevent_write(lane->bev, call->frame.data, call->frame.len);
    lane->bytes_in_flight += call->frame.len;
    call->is_sent = true;
}

static void connect_lane(struct braid_lane *lane);

void braid_lane_pump(struct braid_lane *lane)
{
    struct braid_call *call;
    if (lane->state == BRAID_LANE_DOWN && !br_list_is_empty(&lane->queue))
        connect_lane(lane);
    while (lane->state == BRAID_LANE_READY && (call = BR_LIST_FIRST(&lane->queue, struct braid_call, link))) {
        size_t after = lane->bytes_in_flight + call->frame.len;
        if (lane->bytes_in_flight > 0 && after > lane->client->options.in_flight_bytes_max)
            break;
        if (!(lane->served & 1u << (call->api_key - OWN_FIRST))) {
            braid_call_fail(call, BRAID_UNSUPPORTED, "an older Braid broker, which does not serve this");
            continue;
        }
        br_list_remove(&call->link);
        br_list_append(&lane->sent, &call->link);
        send_frame(lane, call);
    }
}

void braid_lane_add(struct braid_lane *lane, struct braid_call *call)
{
    call->lane = lane;
    br_list_append(&lane->queue, &call->link);
    braid_lane_pump(lane);
}

static bool is_in(const struct br_list *list, const struct braid_call *call)
{
    BR_LIST_FOR(it, list, struct braid_call, link)
        if (it == call)
            return true;
    return false;
}

void braid_lane_remove(struct braid_lane *lane, struct braid_call *call)
{
    bool was_sent = call->is_sent && lane->state == BRAID_LANE_READY && is_in(&lane->sent, call);
    br_list_remove(&call->link);
    call->lane = NULL;
    if (was_sent && !lane->client->is_over)
        lane_down(lane, BRAID_UNREACHABLE, "an answer did not come in time");
}

/* --- a connection ends --- */

/* What was sent and may be sent again goes back to the front of the queue, in its order; an append does not, unless it is conditional. */
static void take_back(struct braid_lane *lane)
{
    struct br_list lost;
    struct braid_call *call;
    br_list_init(&lost);
    while (!br_list_is_empty(&lane->sent)) {
        call = BR_CONTAINER_OF(lane->sent.head.prev, struct braid_call, link);
        br_list_remove(&call->link);
        if (call->is_append && (!call->is_conditional || call->was_resent)) {
            call->lane = NULL;
            br_list_prepend(&lost, &call->link);
            continue;
        }
        call->was_resent = true;
        br_list_prepend(&lane->queue, &call->link);
    }
    while ((call = BR_LIST_FIRST(&lost, struct braid_call, link)))
        braid_call_fail(call, BRAID_UNKNOWN, "the connection was lost before the answer: it may have been appended or not");
}

static void fail_all(struct braid_lane *lane, enum braid_err error, const char *text)
{
    struct br_list calls;
    struct braid_call *call;
    br_list_init(&calls);
    while ((call = BR_LIST_FIRST(&lane->queue, struct braid_call, link))) { /* not those that a callback adds */
        br_list_remove(&call->link);
        call->lane = NULL;
        br_list_append(&calls, &call->link);
    }
    while ((call = BR_LIST_FIRST(&calls, struct braid_call, link)))
        braid_call_fail(call, call->was_resent && call->is_append ? BRAID_UNKNOWN : error, text);
}

/* error: BRAID_UNREACHABLE is tried again; anything else says that this peer is no use, and ends what waits for it. */
static void lane_down(struct braid_lane *lane, enum braid_err error, const char *why)
{
    struct braid_client *client = lane->client;
    char text[BRAID_TEXT_MAX];
    bool had_worked = lane->state == BRAID_LANE_READY;
    snprintf(text, sizeof text, "%s: %s", client->addresses[lane->address].text, why);
    memcpy(lane->trouble, text, sizeof lane->trouble);
    if (lane->bev)
        bufferevent_free(lane->bev);
    lane->bev = NULL;
    lane->state = BRAID_LANE_DOWN;
    lane->bytes_in_flight = 0;
    braid_alarm_clear(client, &lane->alarm);
    lane->backoff_ms = had_worked || lane->backoff_ms == 0 ? BACKOFF_MIN_MS : BR_MIN(lane->backoff_ms * 2, BACKOFF_MAX_MS);
    lane->not_before_ms = br_clock_mono_ms() + lane->backoff_ms;
    if (!had_worked)
        lane->address = (lane->address + 1) % client->address_count;
    take_back(lane);
    if (error != BRAID_UNREACHABLE)
        fail_all(lane, error, text);
    braid_lane_pump(lane);
}

/* --- the greeting --- */

static void greet(struct braid_lane *lane)
{
    struct kw_request_header header = {.api_key = API_VERSIONS, .api_version = 3, .correlation_id = GREETING_ID, .client_id = br_str_c(lane->client->options.client_id)};
    struct kw_api_versions_request request;
    struct kw_out out;
    uint8_t length[4];
    kw_default(&kw_api_versions_request, &request);
    request.client_software_name = br_str_c("libbraid");
    request.client_software_version = br_str_c(PACKAGE_VERSION);
    kw_out_init(&out, 1 << 16);
    enum br_err err = kw_request_header_encode(&header, &out);
    if (err == BR_OK)
        err = kw_encode(&kw_api_versions_request, 3, &request, &out);
    BR_ASSERT(err == BR_OK); /* our own words */
    br_store32(length, (uint32_t)out.bytes.len);
    bufferevent_write(lane->bev, length, sizeof length);
    bufferevent_write(lane->bev, out.bytes.data, out.bytes.len);
    kw_out_clear(&out);
}

/* A broker that does not know version 3 answers in the layout of version 0: it is none of ours. */
static void greeted(struct braid_lane *lane, const uint8_t *frame, size_t len)
{
    struct br_reader in = br_reader(frame, len);
    struct br_arena arena;
    struct kw_api_versions_response response;
    int32_t id = 0;
    uint32_t served = 0;
    br_arena_init(&arena, GREETING_MAX * 4);
    bool is_answer = kw_response_header_decode(&in, API_VERSIONS, 3, &id) == BR_OK && id == GREETING_ID;
    struct br_reader code = in;
    bool is_old = is_answer && br_read16(&code) == KW_UNSUPPORTED_VERSION;
    if (is_answer && !is_old)
        is_answer = kw_decode(&kw_api_versions_response, 3, &in, &arena, &response, NULL) == BR_OK && br_reader_left(&in) == 0;
    for (int32_t i = 0; is_answer && !is_old && i < response.api_keys_count; i++)
        if (response.api_keys[i].api_key >= OWN_FIRST && response.api_keys[i].api_key <= OWN_LAST && response.api_keys[i].min_version == 0)
            served |= 1u << (response.api_keys[i].api_key - OWN_FIRST);
    br_arena_clear(&arena);
    if (!is_answer) {
        lane_down(lane, BRAID_PROTOCOL, "its answer to ApiVersions is none: not a Kafka port?");
    } else if (served == 0) {
        lane_down(lane, BRAID_UNSUPPORTED, "a Kafka broker, but not Braid: it has no total order");
    } else {
        lane->state = BRAID_LANE_READY;
        lane->served = served;
        lane->backoff_ms = 0;
        lane->generation++;
        lane->trouble[0] = '\0';
        braid_alarm_clear(lane->client, &lane->alarm);
    }
}

/* --- receiving --- */

static void answered(struct braid_lane *lane, const uint8_t *frame, size_t len)
{
    struct braid_call *call = BR_LIST_FIRST(&lane->sent, struct braid_call, link);
    struct br_reader in = br_reader(frame, len);
    struct br_arena arena;
    int32_t id;
    if (!call || kw_response_header_decode(&in, call->api_key, 0, &id) != BR_OK || id != call->correlation_id) {
        lane_down(lane, BRAID_PROTOCOL, "an answer that nobody asked for");
        return;
    }
    const struct kw_api *api = kw_api_find(call->api_key);
    br_arena_init(&arena, ARENA_BYTES);
    void *body = br_arena_alloc(&arena, kw_struct_size(api->response));
    struct braid_answer answer = {.error = BRAID_OK, .body = body};
    if (!body || kw_decode(api->response, 0, &in, &arena, body, NULL) != BR_OK || br_reader_left(&in) > 0)
        answer = (struct braid_answer){.error = call->is_append ? BRAID_UNKNOWN : BRAID_PROTOCOL, .text = "an answer that cannot be read"};
    lane->bytes_in_flight -= call->frame.len;
    br_list_remove(&call->link);
    call->lane = NULL;
    braid_call_end(call, &answer);
    br_arena_clear(&arena);
}

static void on_read(struct bufferevent *bev, void *arg)
{
    struct braid_lane *lane = arg;
    struct braid_client *client = lane->client;
    struct evbuffer *in = bufferevent_get_input(bev);
    while (lane->bev == bev) {
        uint8_t head[4];
        size_t have = evbuffer_get_length(in), max = lane->state == BRAID_LANE_READY ? client->options.answer_bytes_max : GREETING_MAX;
        if (evbuffer_copyout(in, head, sizeof head) < (ssize_t)sizeof head)
            break;
        size_t len = br_load32(head);
        if (len < 4 || len > max) {
            lane_down(lane, BRAID_PROTOCOL, len <= INT32_MAX && lane->state == BRAID_LANE_READY ? "an answer larger than answer_bytes_max" : "not a Kafka port: its answer has no sensible length");
            break;
        }
        if (have - 4 < len)
            break;
        uint8_t *frame = evbuffer_pullup(in, (ssize_t)(4 + len));
        BR_ASSERT(frame);
        if (lane->state == BRAID_LANE_READY)
            answered(lane, frame + 4, len);
        else
            greeted(lane, frame + 4, len);
        if (lane->bev == bev)
            evbuffer_drain(in, 4 + len);
    }
    braid_lane_pump(lane);
    braid_client_arm(client);
}

/* A connection that is refused at once leaves no error code behind. */
static const char *why_failed(const struct braid_lane *lane, short what, int status)
{
    if (what & BEV_EVENT_EOF)
        return "it closed the connection";
    if (lane->state == BRAID_LANE_CONNECTING && (status == 0 || status == EAGAIN || status == EINPROGRESS))
        status = ECONNREFUSED;
    return evutil_socket_error_to_string(status);
}

static void on_event(struct bufferevent *bev, short what, void *arg)
{
    struct braid_lane *lane = arg;
    struct braid_client *client = lane->client;
    if (what & BEV_EVENT_CONNECTED) {
        int on = 1;
        setsockopt(bufferevent_getfd(bev), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        lane->state = BRAID_LANE_GREETING;
        greet(lane);
    } else {
        lane_down(lane, BRAID_UNREACHABLE, why_failed(lane, what, EVUTIL_SOCKET_ERROR()));
    }
    braid_client_arm(client);
}

/* --- connecting --- */

static void try_now(struct braid_lane *lane)
{
    struct braid_client *client = lane->client;
    const struct braid_address *address = &client->addresses[lane->address];
    lane->bev = bufferevent_socket_new(client->base, -1, BEV_OPT_CLOSE_ON_FREE);
    BR_ASSERT(lane->bev);
    lane->state = BRAID_LANE_CONNECTING;
    bufferevent_setcb(lane->bev, on_read, NULL, on_event, lane);
    bufferevent_set_max_single_read(lane->bev, READ_BYTES);
    bufferevent_setwatermark(lane->bev, EV_READ, 0, client->options.answer_bytes_max + 4);
    braid_alarm_set(client, &lane->alarm, br_clock_mono_ms() + ATTEMPT_MS);
    struct bufferevent *bev = lane->bev;
    if (bufferevent_socket_connect(bev, address->addr, (int)address->len) < 0) {
        if (lane->bev == bev) /* on_event was not called */
            lane_down(lane, BRAID_UNREACHABLE, "no socket");
        return;
    }
    if (lane->bev == bev)
        bufferevent_enable(bev, EV_READ | EV_WRITE);
}

static void ring(struct braid_alarm *alarm)
{
    struct braid_lane *lane = BR_CONTAINER_OF(alarm, struct braid_lane, alarm);
    if (lane->state == BRAID_LANE_DOWN)
        braid_lane_pump(lane);
    else
        lane_down(lane, BRAID_UNREACHABLE, lane->state == BRAID_LANE_CONNECTING ? "no connection within 5 s" : "connected, but no answer within 5 s");
}

static void connect_lane(struct braid_lane *lane)
{
    if (br_clock_mono_ms() >= lane->not_before_ms)
        try_now(lane);
    else
        braid_alarm_set(lane->client, &lane->alarm, lane->not_before_ms);
}

struct braid_lane *braid_lane_new(struct braid_client *client)
{
    struct braid_lane *lane = br_alloc(sizeof *lane);
    lane->client = client;
    lane->alarm.ring = ring;
    br_list_init(&lane->queue);
    br_list_init(&lane->sent);
    return lane;
}

void braid_lane_free(struct braid_lane *lane)
{
    BR_ASSERT(braid_lane_is_idle(lane));
    braid_alarm_clear(lane->client, &lane->alarm);
    if (lane->bev)
        bufferevent_free(lane->bev);
    br_free(lane);
}
