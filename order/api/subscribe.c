/* Subscriptions: reads one after another, each on a connection of the subscription's own. A speculative one has two: one goes on, the other looks again. */
#include "compat/base/clock.h"
#include "compat/gen/10000_order_tail.h"
#include "order/api/client_int.h"
#include "order/api/filter.h"
#include "order/api/records.h"
#include "order/api/speculation.h"
#include <stdatomic.h>

#define WAIT_MS 2000         /* the broker holds a read so long for the first record */
#define RETRY_MS 500         /* after trouble */
#define DEFAULT_BYTES (1 << 20)
#define UNCONFIRMED_MAX 65536 /* entries */

enum { KEY_TAIL = 10000, KEY_READ = 10002 };
enum wanted { RUN, PAUSE, STOP };
enum { ONWARD, AGAIN, READERS }; /* the second only with speculation */

struct reader {
    struct braid_lane *lane;
    struct braid_call *call; /* under way, or NULL */
};

struct braid_subscription {
    struct br_link link;
    struct braid_client *client;
    struct braid_subscriber user;
    void *ctx;
    atomic_int wanted;
    bool is_speculative;
    bool is_ended; /* ended by error at the next step */
    bool has_from;
    int64_t from; /* of the user */
    int64_t next; /* position of the next record; with speculation the machine knows */
    int64_t start;
    struct braid_error error;
    struct br_str *topics; /* owned, -1: all */
    int32_t topic_count;
    int32_t bytes_max;
    struct reader readers[READERS];
    unsigned generation; /* of the connection that `spec` was fed from */
    struct order_speculation spec;
    const struct kw_order_read_response *answer; /* while the machine works on it */
    struct braid_alarm retry;
};

struct sub_call {
    struct braid_call call;
    struct braid_subscription *sub; /* NULL: it is gone */
    int which;
    int64_t from;
};

struct braid_subscription *braid_subscription_of_link(struct br_link *link) { return BR_CONTAINER_OF(link, struct braid_subscription, link); }

/* --- the user --- */

static bool is_wanted(struct braid_subscription *sub) { return atomic_load(&sub->wanted) == RUN; }

static void deliver(struct braid_subscription *sub, const struct braid_record *record, bool is_speculative)
{
    sub->client->is_in_callback = true;
    sub->user.deliver(sub->ctx, record, is_speculative);
    sub->client->is_in_callback = false;
}

static void spec_confirm(void *ctx, int64_t position)
{
    struct braid_subscription *sub = ctx;
    if (!sub->user.confirm)
        return;
    sub->client->is_in_callback = true;
    sub->user.confirm(sub->ctx, position);
    sub->client->is_in_callback = false;
}

static void spec_fail(void *ctx, int64_t position)
{
    struct braid_subscription *sub = ctx;
    if (!sub->user.fail)
        return;
    sub->client->is_in_callback = true;
    sub->user.fail(sub->ctx, position);
    sub->client->is_in_callback = false;
}

static void tell_trouble(struct braid_subscription *sub, const struct braid_answer *answer)
{
    struct braid_error error;
    braid_error_set(&error, answer->error, answer->broker_code, "%s", answer->text ? answer->text : braid_err_text(answer->error));
    if (!sub->user.trouble)
        return;
    sub->client->is_in_callback = true;
    sub->user.trouble(sub->ctx, &error);
    sub->client->is_in_callback = false;
}

/* The end comes at the next step, when no answer is being worked on. */
static void end_soon(struct braid_subscription *sub, enum braid_err err, int broker_code, const char *text, int64_t start)
{
    if (sub->is_ended)
        return;
    sub->is_ended = true;
    sub->start = start;
    braid_error_set(&sub->error, err, broker_code, "%s", text ? text : braid_err_text(err));
    braid_client_wake(sub->client);
}

/* --- records --- */

/* Delivers an entry's records at or above `from`. False: paused or stopped before its end, at *next. */
static bool deliver_entry(struct braid_subscription *sub, const struct kw_order_read_response_entry *entry, int64_t *next, bool is_speculative, bool is_whole)
{
    struct braid_batch batch;
    enum braid_err err = braid_batch_open(&batch, entry, sub->client->options.answer_bytes_max);
    bool goes_on = true;
    if (err == BRAID_OK) {
        while ((err = braid_batch_next(&batch)) == BRAID_OK) {
            if (batch.record.position < *next)
                continue;
            if (!is_whole && !is_wanted(sub)) {
                goes_on = false;
                break;
            }
            *next = batch.record.position + 1;
            deliver(sub, &batch.record, is_speculative);
        }
        braid_batch_close(&batch);
    }
    if (err == BRAID_CORRUPT) {
        char text[BRAID_TEXT_MAX];
        snprintf(text, sizeof text, "the batch at position %" PRId64 " (" BR_STR_FMT "-%d) is damaged", entry->position, BR_STR_ARG(entry->topic), (int)entry->partition);
        end_soon(sub, BRAID_CORRUPT, 0, text, 0);
        return false;
    }
    return goes_on;
}

static void take_plain(struct braid_subscription *sub, const struct kw_order_read_response *r)
{
    for (int32_t i = 0; i < r->entries_count; i++)
        if (!deliver_entry(sub, &r->entries[i], &sub->next, false, false))
            return;
    if (is_wanted(sub))
        sub->next = BR_MAX(sub->next, r->next_position);
}

static bool spec_deliver(void *ctx, size_t index, bool is_speculative)
{
    struct braid_subscription *sub = ctx;
    int64_t next = sub->spec.next;
    return is_wanted(sub) && !sub->is_ended && deliver_entry(sub, &sub->answer->entries[index], &next, is_speculative, true);
}

static bool id_of(const struct kw_order_read_response_entry *entry, struct order_speculation_id *id)
{
    struct kw_batch head;
    if (kw_batch_view(entry->batch.data, entry->batch.len, &head) != BR_OK || head.last_offset_delta < 0)
        return false;
    *id = (struct order_speculation_id){.position = entry->position, .count = (int64_t)head.last_offset_delta + 1, .partition = entry->partition,
                                        .offset = head.base_offset, .crc = head.crc, .leader_epoch = head.leader_epoch};
    memcpy(id->topic_id, entry->topic_id.bytes, sizeof id->topic_id);
    return true;
}

static void take_speculative(struct braid_subscription *sub, int which, int64_t from, const struct kw_order_read_response *r)
{
    unsigned generation = sub->readers[which].lane->generation;
    struct order_speculation_id *ids = br_alloc_array((size_t)r->entries_count, sizeof *ids);
    bool is_fit = true;
    if (which == ONWARD && generation != sub->generation) {
        if (sub->generation != 0)
            order_speculation_recheck(&sub->spec);
        sub->generation = generation;
    }
    for (int32_t i = 0; i < r->entries_count && is_fit; i++)
        is_fit = id_of(&r->entries[i], &ids[i]);
    struct order_speculation_answer answer = {.view = r->view, .stable = r->stable, .from = from, .next = r->next_position, .entries = ids, .count = (size_t)r->entries_count};
    sub->answer = r;
    if (!is_fit || order_speculation_answer(&sub->spec, &answer) != BR_OK)
        end_soon(sub, BRAID_PROTOCOL, 0, "an answer whose entries do not follow each other", 0);
    sub->answer = NULL;
    sub->next = sub->spec.next;
    br_free(ids);
}

/* --- answers --- */

static void go_on(struct braid_subscription *sub);

static void trouble(struct braid_subscription *sub, const struct sub_call *sc, const struct braid_answer *answer, int64_t start)
{
    switch (answer->error) {
    case BRAID_TIMEOUT:
    case BRAID_UNREACHABLE:
    case BRAID_STORAGE:
        tell_trouble(sub, answer);
        braid_alarm_set(sub->client, &sub->retry, br_clock_mono_ms() + RETRY_MS);
        return;
    case BRAID_OUT_OF_RANGE:
        if (sub->is_speculative && sc->from > order_speculation_confirm_from(&sub->spec)) {
            order_speculation_recheck(&sub->spec); /* what was delivered there is gone, with the broker that had it */
            braid_alarm_set(sub->client, &sub->retry, br_clock_mono_ms());
            return;
        }
        break;
    default:
        break;
    }
    end_soon(sub, answer->error, answer->broker_code, answer->text, start);
}

/* Takes the call off its subscription; NULL: it is over. */
static struct braid_subscription *call_over(struct sub_call *sc)
{
    struct braid_subscription *sub = sc->sub;
    if (sub)
        sub->readers[sc->which].call = NULL;
    return sub && !sub->is_ended ? sub : NULL;
}

static void read_answered(struct braid_call *call, const struct braid_answer *from)
{
    struct sub_call *sc = BR_CONTAINER_OF(call, struct sub_call, call);
    struct braid_subscription *sub = call_over(sc);
    struct braid_answer answer = *from;
    const struct kw_order_read_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    if (sub && answer.error != BRAID_OK) {
        trouble(sub, sc, &answer, r ? r->start : 0);
    } else if (sub && r) {
        if (sub->is_speculative)
            take_speculative(sub, sc->which, sc->from, r);
        else
            take_plain(sub, r);
        go_on(sub);
    }
    br_free(sc);
}

static void begin_at(struct braid_subscription *sub, int64_t position)
{
    static const struct order_speculation_out out = {spec_deliver, spec_confirm, spec_fail, NULL};
    sub->has_from = true;
    sub->next = position;
    if (sub->is_speculative) {
        order_speculation_init(&sub->spec, position, UNCONFIRMED_MAX, &out);
        sub->spec.out.ctx = sub;
    }
}

static void tail_answered(struct braid_call *call, const struct braid_answer *from)
{
    struct sub_call *sc = BR_CONTAINER_OF(call, struct sub_call, call);
    struct braid_subscription *sub = call_over(sc);
    struct braid_answer answer = *from;
    const struct kw_order_tail_response *r = answer.body;
    char text[BRAID_TEXT_MAX];
    if (r)
        braid_answer_check(&answer, r->error_code, r->error_message, text);
    if (sub && answer.error != BRAID_OK) {
        trouble(sub, sc, &answer, 0);
    } else if (sub && r) {
        begin_at(sub, sub->from == BRAID_FROM_START ? r->start : r->tail);
        go_on(sub);
    }
    br_free(sc);
}

/* --- questions --- */

static void ask(struct braid_subscription *sub, int which, int16_t key, const void *request, int timeout_ms, int64_t from,
                void (*finish)(struct braid_call *, const struct braid_answer *))
{
    struct reader *reader = &sub->readers[which];
    struct sub_call *sc = br_alloc(sizeof *sc);
    sc->sub = sub;
    sc->which = which;
    sc->from = from;
    if (braid_call_init(&sc->call, sub->client, key, request, timeout_ms) != BRAID_OK) {
        br_free(sc);
        end_soon(sub, BRAID_TOO_LARGE, 0, "the filter does not fit a request", 0);
        return;
    }
    sc->call.finish = finish;
    if (!reader->lane)
        reader->lane = braid_lane_new(sub->client);
    reader->call = &sc->call;
    braid_call_start(&sc->call, reader->lane);
}

static void ask_read(struct braid_subscription *sub, int which, int64_t from)
{
    struct kw_order_read_request request = {
        .position = from, .max_bytes = sub->bytes_max, .max_wait_ms = WAIT_MS, .topics = sub->topics, .topics_count = sub->topic_count,
        .speculative = sub->is_speculative && which == ONWARD,
    };
    ask(sub, which, KEY_READ, &request, WAIT_MS + sub->client->options.request_timeout_ms, from, read_answered);
}

/* Asks for what is wanted and not asked yet. */
static void go_on(struct braid_subscription *sub)
{
    if (!is_wanted(sub) || sub->is_ended || br_heap_has(&sub->retry.node))
        return;
    if (!sub->has_from && !sub->readers[ONWARD].call) {
        struct kw_order_tail_request request = {.linearizable = true, .timeout_ms = sub->client->options.request_timeout_ms};
        ask(sub, ONWARD, KEY_TAIL, &request, request.timeout_ms, sub->from, tail_answered);
    }
    if (!sub->has_from)
        return;
    if (!sub->is_speculative) {
        if (!sub->readers[ONWARD].call)
            ask_read(sub, ONWARD, sub->next);
        return;
    }
    if (!sub->readers[ONWARD].call && !order_speculation_is_full(&sub->spec))
        ask_read(sub, ONWARD, order_speculation_read_from(&sub->spec));
    if (!sub->readers[AGAIN].call && order_speculation_is_unconfirmed(&sub->spec))
        ask_read(sub, AGAIN, order_speculation_confirm_from(&sub->spec));
}

static void retry(struct braid_alarm *alarm)
{
    go_on(BR_CONTAINER_OF(alarm, struct braid_subscription, retry));
}

/* --- life --- */

void braid_subscription_step(struct braid_subscription *sub)
{
    static const struct braid_error stopped = {BRAID_CLOSED, 0, "the subscription was stopped"};
    if (sub->is_ended || atomic_load(&sub->wanted) == STOP)
        braid_subscription_end(sub, sub->is_ended ? &sub->error : &stopped, sub->start);
    else
        go_on(sub);
}

void braid_subscription_end(struct braid_subscription *sub, const struct braid_error *error, int64_t start)
{
    struct braid_client *client = sub->client;
    struct braid_error last = *error;
    sub->is_ended = true;
    if (br_link_is_in(&sub->link))
        br_list_remove(&sub->link);
    braid_alarm_clear(client, &sub->retry);
    for (int i = 0; i < READERS; i++) {
        struct reader *reader = &sub->readers[i];
        if (reader->call) {
            BR_CONTAINER_OF(reader->call, struct sub_call, call)->sub = NULL;
            braid_call_fail(reader->call, BRAID_CLOSED, "the subscription ended");
        }
        if (reader->lane)
            braid_lane_free(reader->lane);
    }
    if (sub->user.ended) {
        client->is_in_callback = true;
        sub->user.ended(sub->ctx, &last, sub->has_from ? sub->next : -1, start);
        client->is_in_callback = false;
    }
    order_speculation_clear(&sub->spec);
    for (int32_t i = 0; i < sub->topic_count; i++)
        br_free((char *)sub->topics[i].data);
    br_free(sub->topics);
    br_free(sub);
}

enum braid_err braid_subscribe(struct braid_client *client, int64_t from, const struct braid_filter *filter, unsigned flags, size_t bytes_max,
                               const struct braid_subscriber *subscriber, void *ctx, struct braid_subscription **out)
{
    if (from < BRAID_FROM_END || !braid_filter_is_fit(filter) || (flags & ~BRAID_SPECULATIVE) || bytes_max > INT32_MAX || !subscriber || !subscriber->deliver || !out)
        return BRAID_INVALID;
    struct braid_subscription *sub = br_alloc(sizeof *sub);
    sub->client = client;
    sub->user = *subscriber;
    sub->ctx = ctx;
    sub->is_speculative = (flags & BRAID_SPECULATIVE) != 0;
    sub->from = from;
    sub->bytes_max = (int32_t)(bytes_max ? bytes_max : DEFAULT_BYTES);
    sub->retry.ring = retry;
    sub->topics = braid_filter_topics(filter, &sub->topic_count);
    for (int32_t i = 0; i < sub->topic_count; i++)
        sub->topics[i].data = br_strdup(sub->topics[i].data);
    if (from >= 0)
        begin_at(sub, from);
    *out = sub;
    pthread_mutex_lock(&client->lock);
    bool is_closing = client->is_closing;
    if (!is_closing)
        br_list_append(&client->new_subs, &sub->link);
    pthread_mutex_unlock(&client->lock);
    if (!is_closing) {
        braid_client_wake(client);
        return BRAID_OK;
    }
    *out = NULL;
    sub->user.ended = NULL;
    braid_subscription_end(sub, &sub->error, 0);
    return BRAID_CLOSED;
}

static void want(struct braid_subscription *sub, enum wanted wanted)
{
    int now = atomic_load(&sub->wanted);
    while (now != STOP && !atomic_compare_exchange_weak(&sub->wanted, &now, (int)wanted)) {
    }
    braid_client_wake(sub->client);
}

void braid_subscription_pause(struct braid_subscription *sub) { want(sub, PAUSE); }
void braid_subscription_resume(struct braid_subscription *sub) { want(sub, RUN); }
void braid_subscription_stop(struct braid_subscription *sub) { want(sub, STOP); }
