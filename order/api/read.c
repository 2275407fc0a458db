/* Reading a piece of the order. */
#include "order/api/client_int.h"
#include "order/api/filter.h"
#include "order/api/records.h"

enum { KEY_READ = 10002, DEFAULT_BYTES = 1 << 20 };

struct read_call {
    struct braid_call call;
    int64_t from;
    size_t records_max;
};

/* Adds an entry's records from `from` on; true when there may be more. */
static bool add_entry(struct read_call *rc, const struct kw_order_read_response_entry *entry, struct braid_record_list *list, struct braid_result *result)
{
    struct braid_batch batch;
    enum braid_err err = braid_batch_open(&batch, entry, rc->call.client->options.answer_bytes_max);
    if (err != BRAID_OK) {
        result->error = err;
        return false;
    }
    while ((err = braid_batch_next(&batch)) == BRAID_OK) {
        if (batch.record.position < rc->from)
            continue;
        if (list->count == rc->records_max) {
            result->position = batch.record.position;
            break;
        }
        braid_record_list_add(list, &batch.record);
    }
    braid_batch_close(&batch);
    if (err == BRAID_CORRUPT)
        result->error = err;
    return err == BRAID_CLOSED;
}

static void read_done(struct braid_call *call, const struct braid_answer *from)
{
    struct read_call *rc = BR_CONTAINER_OF(call, struct read_call, call);
    struct braid_answer answer = *from;
    const struct kw_order_read_response *r = answer.body;
    struct braid_record_list list = {0};
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    struct braid_result result = braid_result_of(&answer);
    if (r) {
        result.start = r->start;
        result.position = r->next_position;
    }
    for (int32_t i = 0; r && result.error == BRAID_OK && i < r->entries_count; i++)
        if (!add_entry(rc, &r->entries[i], &list, &result))
            break;
    if (result.error == BRAID_CORRUPT)
        result.text = braid_err_text(BRAID_CORRUPT);
    if (result.error == BRAID_OK) {
        result.records = list.items;
        result.record_count = list.count;
    }
    braid_call_tell(call, &result);
    braid_record_list_clear(&list);
    br_free(rc);
}

enum braid_err braid_read(struct braid_client *client, int64_t position, const struct braid_filter *filter, const struct braid_limits *limits, braid_done done, void *ctx)
{
    struct braid_limits l = limits ? *limits : (struct braid_limits){0};
    if (position < 0 || !braid_filter_is_fit(filter) || !done || l.wait_ms < 0 || l.bytes_max > INT32_MAX)
        return BRAID_INVALID;
    struct kw_order_read_request request = {.position = position, .max_bytes = (int32_t)(l.bytes_max ? l.bytes_max : DEFAULT_BYTES), .max_wait_ms = l.wait_ms};
    request.topics = braid_filter_topics(filter, &request.topics_count);
    struct read_call *rc = br_alloc(sizeof *rc);
    rc->from = position;
    rc->records_max = l.records_max ? l.records_max : SIZE_MAX;
    enum braid_err err = braid_call_init(&rc->call, client, KEY_READ, &request, client->options.request_timeout_ms + l.wait_ms);
    br_free(request.topics);
    rc->call.finish = read_done;
    rc->call.done = done;
    rc->call.ctx = ctx;
    rc->call.is_long = l.wait_ms > 0;
    if (err == BRAID_OK)
        err = braid_call_submit(&rc->call);
    if (err != BRAID_OK)
        br_free(rc);
    return err;
}
