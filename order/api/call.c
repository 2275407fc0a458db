/* A call on its way: encoded by any thread, started, ended and told on the loop's. And what errors are called. */
#include "compat/base/clock.h"
#include "compat/wire/api.h"
#include "compat/wire/header.h"
#include "order/api/client_int.h"

#define GRACE_MS 1000 /* after its timeout the broker has said so; later, it will not */
#define CALL_OVERHEAD 512u

/* --- errors --- */

static const struct {
    const char *name, *text;
} errors[] = {
    [BRAID_OK] = {"OK", "no error"},
    [BRAID_FULL] = {"FULL", "too much is under way: nothing was sent"},
    [BRAID_TIMEOUT] = {"TIMEOUT", "not done in time"},
    [BRAID_UNREACHABLE] = {"UNREACHABLE", "no broker could be reached"},
    [BRAID_NOT_STABLE] = {"NOT_STABLE", "has no stable position yet"},
    [BRAID_UNKNOWN] = {"UNKNOWN", "the answer was lost: it may have been appended or not"},
    [BRAID_MISMATCH] = {"MISMATCH", "the stream ends elsewhere than expected"},
    [BRAID_OUT_OF_RANGE] = {"OUT_OF_RANGE", "past the end, or removed"},
    [BRAID_STORAGE] = {"STORAGE", "the broker cannot write any more until it is restarted"},
    [BRAID_NO_TOPIC] = {"NO_TOPIC", "no such topic or partition"},
    [BRAID_TOO_LARGE] = {"TOO_LARGE", "too large"},
    [BRAID_INVALID] = {"INVALID", "an argument makes no sense"},
    [BRAID_REFUSED] = {"REFUSED", "the broker refuses"},
    [BRAID_MISUSE] = {"MISUSE", "not from a callback, and not with a base of one's own"},
    [BRAID_UNSUPPORTED] = {"UNSUPPORTED", "the peer is no Braid broker"},
    [BRAID_PROTOCOL] = {"PROTOCOL", "what came is no answer"},
    [BRAID_CORRUPT] = {"CORRUPT", "a batch is damaged"},
    [BRAID_CLOSED] = {"CLOSED", "closed"},
};

const char *braid_err_name(enum braid_err err)
{
    return (size_t)err < BR_COUNT(errors) ? errors[err].name : "?";
}

const char *braid_err_text(enum braid_err err)
{
    return (size_t)err < BR_COUNT(errors) ? errors[err].text : "?";
}

enum braid_err braid_error_set(struct braid_error *error, enum braid_err code, int broker_code, const char *fmt, ...)
{
    va_list ap;
    if (!error)
        return code;
    error->code = code;
    error->broker_code = broker_code;
    va_start(ap, fmt);
    vsnprintf(error->text, sizeof error->text, fmt, ap);
    va_end(ap);
    return code;
}

enum braid_err braid_err_of_broker(int code)
{
    switch (code) {
    case KW_NONE: return BRAID_OK;
    case KW_REQUEST_TIMED_OUT: return BRAID_TIMEOUT;
    case KW_OFFSET_OUT_OF_RANGE: return BRAID_OUT_OF_RANGE;
    case KW_OFFSET_NOT_AVAILABLE: return BRAID_NOT_STABLE;
    case KW_UNKNOWN_TOPIC_OR_PARTITION:
    case KW_UNKNOWN_TOPIC_ID: return BRAID_NO_TOPIC;
    case KW_EXPECTED_END_MISMATCH: return BRAID_MISMATCH;
    case KW_KAFKA_STORAGE_ERROR: return BRAID_STORAGE;
    case KW_MESSAGE_TOO_LARGE:
    case KW_RECORD_LIST_TOO_LARGE: return BRAID_TOO_LARGE;
    case KW_INVALID_REQUEST: return BRAID_INVALID;
    default: return BRAID_REFUSED;
    }
}

void braid_answer_check(struct braid_answer *answer, int16_t code, struct br_str message, char text[BRAID_TEXT_MAX])
{
    answer->error = braid_err_of_broker(code);
    answer->broker_code = code;
    if (answer->error == BRAID_OK)
        return;
    snprintf(text, BRAID_TEXT_MAX, "%s" BR_STR_FMT, message.len ? "" : kw_error_text(code), BR_STR_ARG(message));
    answer->text = text;
}

/* --- the caller's side --- */

enum braid_err braid_call_init(struct braid_call *call, struct braid_client *client, int16_t api_key, const void *request, int timeout_ms)
{
    const struct kw_api *api = kw_api_find(api_key);
    struct kw_request_header header = {.api_key = api_key, .client_id = br_str_c(client->options.client_id)};
    struct kw_out out;
    static const uint8_t length[4];
    BR_ASSERT(api);
    kw_out_init(&out, BR_MIN(client->options.buffered_bytes_max, (size_t)INT32_MAX / 2));
    br_buf_add(&out.bytes, length, sizeof length);
    enum br_err err = kw_request_header_encode(&header, &out);
    if (err == BR_OK)
        err = kw_encode(api->request, 0, request, &out);
    if (err != BR_OK) {
        kw_out_clear(&out);
        return err == BR_TOO_LARGE ? BRAID_TOO_LARGE : BRAID_INVALID;
    }
    br_store32(out.bytes.data, (uint32_t)out.bytes.len - 4);
    call->client = client;
    call->api_key = api_key;
    call->frame = out.bytes;
    call->timeout_ms = timeout_ms;
    return BRAID_OK;
}

enum braid_err braid_call_submit(struct braid_call *call)
{
    struct braid_client *client = call->client;
    size_t charged = call->frame.len + CALL_OVERHEAD;
    enum braid_err err = BRAID_OK;
    bool was_empty = false;
    pthread_mutex_lock(&client->lock);
    if (client->is_closing)
        err = BRAID_CLOSED;
    else if (client->buffered > 0 && client->buffered + charged > client->options.buffered_bytes_max)
        err = BRAID_FULL; /* one alone always goes */
    if (err == BRAID_OK) {
        was_empty = br_list_is_empty(&client->inbox);
        client->buffered += charged;
        call->charged = charged;
        br_list_append(&client->inbox, &call->link);
    }
    pthread_mutex_unlock(&client->lock);
    if (was_empty)
        braid_client_wake(client);
    if (err != BRAID_OK)
        br_buf_clear(&call->frame);
    return err;
}

/* --- the loop's side --- */

static void late(struct braid_alarm *alarm)
{
    struct braid_call *call = BR_CONTAINER_OF(alarm, struct braid_call, deadline);
    struct braid_lane *lane = call->lane;
    char text[BRAID_TEXT_MAX];
    bool is_ready = lane && lane->state == BRAID_LANE_READY;
    if (call->is_sent && call->is_append) {
        braid_call_fail(call, BRAID_UNKNOWN, "no answer in time: it may have been appended or not");
    } else if (call->is_sent || is_ready || !lane) {
        braid_call_fail(call, BRAID_TIMEOUT, call->is_sent ? "no answer in time" : "not sent in time: too much was under way");
    } else {
        snprintf(text, sizeof text, "%s", lane->trouble[0] ? lane->trouble : "no connection in time");
        braid_call_fail(call, BRAID_UNREACHABLE, text);
    }
}

void braid_call_start(struct braid_call *call, struct braid_lane *lane)
{
    call->deadline.ring = late;
    braid_alarm_set(call->client, &call->deadline, br_clock_mono_ms() + call->timeout_ms + GRACE_MS);
    if (lane)
        braid_lane_add(lane, call);
}

void braid_call_end(struct braid_call *call, const struct braid_answer *answer)
{
    struct braid_client *client = call->client;
    struct braid_lane *lane = call->lane;
    braid_alarm_clear(client, &call->deadline);
    if (lane)
        braid_lane_remove(lane, call);
    else if (br_link_is_in(&call->link))
        br_list_remove(&call->link);
    if (call->is_long)
        braid_client_lane_is_free(client);
    if (call->charged > 0) {
        pthread_mutex_lock(&client->lock);
        client->buffered -= call->charged;
        pthread_mutex_unlock(&client->lock);
    }
    br_buf_clear(&call->frame);
    call->finish(call, answer);
}

void braid_call_fail(struct braid_call *call, enum braid_err error, const char *text)
{
    struct braid_answer answer = {.error = error, .text = text};
    if (error == BRAID_CLOSED && call->is_append && call->is_sent)
        answer = (struct braid_answer){.error = BRAID_UNKNOWN, .text = "the client was closed before the answer"};
    braid_call_end(call, &answer);
}

struct braid_result braid_result_of(const struct braid_answer *answer)
{
    return (struct braid_result){
        .error = answer->error,
        .broker_code = answer->broker_code,
        .text = answer->error == BRAID_OK ? "" : answer->text ? answer->text : braid_err_text(answer->error),
        .position = -1,
        .failed_index = SIZE_MAX,
        .partition = -1,
        .offset = -1,
    };
}

void braid_call_tell(struct braid_call *call, const struct braid_result *result)
{
    call->client->is_in_callback = true;
    call->done(call->ctx, result);
    call->client->is_in_callback = false;
}
