/* Appending: messages into batches, batches into one request. */
#include "compat/base/clock.h"
#include "compat/gen/10006_order_append.h"
#include "order/api/client_int.h"
#include "order/api/records.h"

enum { KEY_APPEND = 10006 };

struct append_call {
    struct braid_call call;
    size_t count;
    struct stream {
        int64_t expected_end; /* -1: any */
        int64_t records;
    } streams[];
};

/* What was expected did not hold, on the second sending: was it the first that moved the end? Another end than ours would be lower, or the same by chance. */
static bool may_be_ours(const struct append_call *a, size_t index, int64_t end)
{
    return index < a->count && end >= a->streams[index].expected_end + a->streams[index].records;
}

static void append_done(struct braid_call *call, const struct braid_answer *from)
{
    struct append_call *a = BR_CONTAINER_OF(call, struct append_call, call);
    struct braid_answer answer = *from;
    const struct kw_order_append_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    if (r && (size_t)r->appends_count != a->count && (answer.error == BRAID_OK || answer.error == BRAID_MISMATCH)) {
        r = NULL;
        answer = (struct braid_answer){.error = BRAID_UNKNOWN, .text = "an answer that does not fit the append"};
    }
    if (r && answer.error == BRAID_TIMEOUT && r->failed_index == -1)
        answer.error = BRAID_NOT_STABLE; /* appended all the same */
    size_t failed = r && r->failed_index >= 0 ? (size_t)r->failed_index : SIZE_MAX;
    if (r && answer.error == BRAID_MISMATCH && call->was_resent && failed < a->count && may_be_ours(a, failed, r->appends[failed].end_offset)) {
        answer.error = BRAID_UNKNOWN;
        answer.text = "sent again after a lost answer, and the end had moved: the records at the expected end tell by whom";
    }
    struct braid_result result = braid_result_of(&answer);
    result.failed_index = failed;
    struct braid_appended *appended = br_alloc_array(a->count, sizeof *appended);
    for (size_t i = 0; i < a->count; i++) {
        bool is_there = r && i < (size_t)BR_MAX(r->appends_count, 0);
        appended[i] = is_there ? (struct braid_appended){r->appends[i].base_offset, r->appends[i].end_offset, r->appends[i].position} : (struct braid_appended){-1, -1, -1};
    }
    result.appended = appended;
    result.appended_count = a->count;
    if (answer.error == BRAID_OK && a->count > 0)
        result.position = appended[0].position;
    braid_call_tell(call, &result);
    br_free(appended);
    br_free(a);
}

/* Fills one element; its batch lies behind the others in `batches` at *at. */
static enum braid_err build_one(const struct braid_client *client, const struct braid_append *in, struct br_buf *batches, int64_t now_ms, struct stream *stream)
{
    if (!in->topic || in->partition < 0 || (in->is_conditional && in->expected_end < 0))
        return BRAID_INVALID;
    *stream = (struct stream){in->is_conditional ? in->expected_end : -1, (int64_t)in->message_count};
    return braid_batch_build(in->messages, in->message_count, client->options.codec, now_ms, batches);
}

static enum braid_err append_init(struct append_call *a, struct braid_client *client, const struct braid_append *appends, unsigned flags)
{
    int timeout_ms = client->options.request_timeout_ms;
    struct kw_order_append_request request = {.sync = (flags & BRAID_SYNC) != 0, .timeout_ms = timeout_ms, .appends_count = (int32_t)a->count};
    struct br_buf batches;
    size_t *ends = br_alloc_array(a->count, sizeof *ends);
    enum braid_err err = BRAID_OK;
    int64_t now_ms = br_clock_wall_ms();
    br_buf_init(&batches, BR_MIN(client->options.buffered_bytes_max, (size_t)INT32_MAX / 2));
    for (size_t i = 0; i < a->count && err == BRAID_OK; i++) {
        err = build_one(client, &appends[i], &batches, now_ms, &a->streams[i]);
        a->call.is_conditional = a->call.is_conditional || appends[i].is_conditional;
        ends[i] = batches.len;
    }
    request.appends = br_alloc_array(a->count, sizeof *request.appends);
    for (size_t i = 0; i < a->count && err == BRAID_OK; i++) {
        size_t start = i ? ends[i - 1] : 0;
        request.appends[i] = (struct kw_order_append_request_append){br_str_c(appends[i].topic), appends[i].partition, a->streams[i].expected_end,
                                                                     {.data = batches.data + start, .len = ends[i] - start}};
    }
    if (err == BRAID_OK)
        err = braid_call_init(&a->call, client, KEY_APPEND, &request, timeout_ms);
    br_free(request.appends);
    br_free(ends);
    br_buf_clear(&batches);
    return err;
}

enum braid_err braid_append(struct braid_client *client, const struct braid_append *appends, size_t count, unsigned flags, braid_done done, void *ctx)
{
    if (!appends || count == 0 || count > INT16_MAX || !done || (flags & ~BRAID_SYNC))
        return BRAID_INVALID;
    struct append_call *a = br_alloc(sizeof *a + count * sizeof *a->streams);
    a->count = count;
    a->call.is_append = true;
    a->call.finish = append_done;
    a->call.done = done;
    a->call.ctx = ctx;
    enum braid_err err = append_init(a, client, appends, flags);
    if (err == BRAID_OK)
        err = braid_call_submit(&a->call);
    if (err != BRAID_OK)
        br_free(a);
    return err;
}
