/* The questions about the order: each is a request, and how its response becomes a result. */
#include "compat/gen/10000_order_tail.h"
#include "compat/gen/10001_order_wait.h"
#include "compat/gen/10003_order_cut.h"
#include "compat/gen/10004_order_position.h"
#include "compat/gen/10005_order_trim.h"
#include "order/api/client_int.h"
#include "order/api/cut.h"
#include "order/api/filter.h"

enum { KEY_TAIL = 10000, KEY_WAIT = 10001, KEY_CUT = 10003, KEY_POSITION = 10004, KEY_TRIM = 10005 };

/* Makes a plain call of a request and hands it over. */
static enum braid_err ask(struct braid_client *client, int16_t key, const void *request, int timeout_ms, bool is_long,
                          void (*finish)(struct braid_call *, const struct braid_answer *), braid_done done, void *ctx)
{
    struct braid_call *call = br_alloc(sizeof *call);
    enum braid_err err = done ? braid_call_init(call, client, key, request, timeout_ms) : BRAID_INVALID;
    call->finish = finish;
    call->done = done;
    call->ctx = ctx;
    call->is_long = is_long;
    if (err == BRAID_OK)
        err = braid_call_submit(call);
    if (err != BRAID_OK)
        br_free(call);
    return err;
}

static void tell_and_free(struct braid_call *call, const struct braid_result *result)
{
    braid_call_tell(call, result);
    br_free(call);
}

/* --- tail --- */

static void tail_done(struct braid_call *call, const struct braid_answer *from)
{
    struct braid_answer answer = *from;
    const struct kw_order_tail_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    struct braid_result result = braid_result_of(&answer);
    if (r) {
        result.position = r->tail;
        result.start = r->start;
    }
    tell_and_free(call, &result);
}

static enum braid_err tail(struct braid_client *client, bool linearizable, braid_done done, void *ctx)
{
    int timeout_ms = client->options.request_timeout_ms;
    struct kw_order_tail_request request = {.linearizable = linearizable, .timeout_ms = timeout_ms};
    return ask(client, KEY_TAIL, &request, timeout_ms, false, tail_done, done, ctx);
}

enum braid_err braid_tail(struct braid_client *client, braid_done done, void *ctx) { return tail(client, true, done, ctx); }
enum braid_err braid_tail_hint(struct braid_client *client, braid_done done, void *ctx) { return tail(client, false, done, ctx); }

/* --- wait --- */

static void wait_done(struct braid_call *call, const struct braid_answer *from)
{
    struct braid_answer answer = *from;
    const struct kw_order_wait_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    struct braid_result result = braid_result_of(&answer);
    if (r)
        result.position = r->stable;
    tell_and_free(call, &result);
}

enum braid_err braid_wait(struct braid_client *client, int64_t position, int timeout_ms, braid_done done, void *ctx)
{
    if (position < 0 || timeout_ms < 0)
        return BRAID_INVALID;
    timeout_ms = timeout_ms ? timeout_ms : client->options.request_timeout_ms;
    struct kw_order_wait_request request = {.position = position, .timeout_ms = timeout_ms};
    return ask(client, KEY_WAIT, &request, timeout_ms, true, wait_done, done, ctx);
}

/* --- positions --- */

static void position_done(struct braid_call *call, const struct braid_answer *from)
{
    struct braid_answer answer = *from;
    const struct kw_order_position_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    if (r && answer.error == BRAID_OK && r->offsets_count != 1)
        answer = (struct braid_answer){.error = BRAID_PROTOCOL};
    else if (r && answer.error == BRAID_OK)
        braid_answer_check(&answer, r->offsets[0].error_code, br_str(NULL, 0), text);
    struct braid_result result = braid_result_of(&answer);
    if (result.error == BRAID_OK && r)
        result.position = r->offsets[0].position;
    tell_and_free(call, &result);
}

enum braid_err braid_position_of(struct braid_client *client, const char *topic, int32_t partition, int64_t offset, braid_done done, void *ctx)
{
    if (!topic || partition < 0 || offset < 0)
        return BRAID_INVALID;
    struct kw_order_position_request_offset one = {br_str_c(topic), partition, offset};
    struct kw_order_position_request request = {.offsets = &one, .offsets_count = 1};
    return ask(client, KEY_POSITION, &request, client->options.request_timeout_ms, false, position_done, done, ctx);
}

static void record_at_done(struct braid_call *call, const struct braid_answer *from)
{
    struct braid_answer answer = *from;
    const struct kw_order_position_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    if (r && answer.error == BRAID_OK && r->positions_count != 1)
        answer = (struct braid_answer){.error = BRAID_PROTOCOL};
    else if (r && answer.error == BRAID_OK)
        braid_answer_check(&answer, r->positions[0].error_code, br_str(NULL, 0), text);
    struct braid_result result = braid_result_of(&answer);
    char *topic = NULL;
    if (result.error == BRAID_OK && r) {
        topic = br_strndup(r->positions[0].topic.data, r->positions[0].topic.len);
        result.topic = topic;
        result.partition = r->positions[0].partition;
        result.offset = r->positions[0].offset;
    }
    tell_and_free(call, &result);
    br_free(topic);
}

enum braid_err braid_record_at(struct braid_client *client, int64_t position, braid_done done, void *ctx)
{
    if (position < 0)
        return BRAID_INVALID;
    struct kw_order_position_request request = {.positions = &position, .positions_count = 1};
    return ask(client, KEY_POSITION, &request, client->options.request_timeout_ms, false, record_at_done, done, ctx);
}

/* --- trim --- */

static void trim_done(struct braid_call *call, const struct braid_answer *from)
{
    struct braid_answer answer = *from;
    const struct kw_order_trim_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    struct braid_result result = braid_result_of(&answer);
    if (r)
        result.start = r->start;
    tell_and_free(call, &result);
}

enum braid_err braid_trim(struct braid_client *client, int64_t position, braid_done done, void *ctx)
{
    if (position < BRAID_NOW)
        return BRAID_INVALID;
    int timeout_ms = client->options.request_timeout_ms;
    struct kw_order_trim_request request = {.position = position, .timeout_ms = timeout_ms};
    return ask(client, KEY_TRIM, &request, timeout_ms, false, trim_done, done, ctx);
}

/* --- cut --- */

static struct braid_cut *cut_of(const struct kw_order_cut_response *r)
{
    struct braid_cut *cut = braid_cut_new(r->position);
    for (int32_t t = 0; t < r->topics_count; t++) {
        const struct kw_order_cut_response_topic *topic = &r->topics[t];
        for (int32_t p = 0; p < topic->partitions_count; p++)
            braid_cut_add(cut, topic->name, topic->topic_id, topic->partitions[p].partition, topic->partitions[p].offset);
    }
    return cut;
}

static void cut_done(struct braid_call *call, const struct braid_answer *from)
{
    struct braid_answer answer = *from;
    const struct kw_order_cut_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    struct braid_result result = braid_result_of(&answer);
    if (r && result.error == BRAID_OK) {
        result.position = r->position;
        result.cut = cut_of(r);
    }
    tell_and_free(call, &result);
}

enum braid_err braid_cut(struct braid_client *client, int64_t position, const struct braid_filter *filter, braid_done done, void *ctx)
{
    if (position < BRAID_NOW || !braid_filter_is_fit(filter))
        return BRAID_INVALID;
    int timeout_ms = client->options.request_timeout_ms;
    struct kw_order_cut_request request = {.position = position, .timeout_ms = timeout_ms};
    request.topics = braid_filter_topics(filter, &request.topics_count);
    enum braid_err err = ask(client, KEY_CUT, &request, timeout_ms, false, cut_done, done, ctx);
    br_free(request.topics);
    return err;
}
