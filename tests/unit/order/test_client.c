/* libbraid against a peer that misbehaves on purpose: lost, late, damaged and missing answers; limits; threads. What a broker answers is tested with one
 * (tests/interop). */
#include "compat/base/clock.h"
#include "compat/base/mem.h"
#include "compat/gen/10000_order_tail.h"
#include "compat/gen/10001_order_wait.h"
#include "compat/gen/10002_order_read.h"
#include "compat/gen/10006_order_append.h"
#include "compat/wire/error.h"
#include "order/api/records.h"
#include "tests/support/harness.h"
#include "tests/unit/order/responder.h"
#include <event2/event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* What the peer is to do, and what it saw. */
struct script {
    atomic_int drop_appends; /* drop the connection at so many more */
    atomic_bool is_applied; /* a dropped append counts as appended */
    atomic_llong end;      /* of the one stream */
    atomic_int appends, tails;
    atomic_bool is_silent;
    int64_t log_end;       /* positions of the order: one batch of two records at each even one */
    atomic_int drop_reads;
    atomic_bool is_damaged;
    size_t value_bytes;
    atomic_int view;       /* says itself in the first byte of values from changed_from on */
    atomic_llong changed_from;
    atomic_llong unstable; /* positions at the end that are not stable */
};

static void answer_append(struct script *s, struct exchange *x)
{
    const struct kw_order_append_request *q = x->request;
    struct kw_order_append_response *r = x->response;
    int64_t expected = q->appends[0].expected_end;
    s->appends++;
    r->appends_count = q->appends_count;
    r->appends = br_arena_array(x->arena, (size_t)q->appends_count, sizeof *r->appends);
    if (expected >= 0 && expected != s->end) {
        r->error_code = KW_EXPECTED_END_MISMATCH;
        r->failed_index = 0;
        r->appends[0].end_offset = s->end;
        return;
    }
    bool is_dropped = s->drop_appends > 0 && s->drop_appends-- > 0;
    if (!is_dropped || s->is_applied) {
        r->appends[0] = (struct kw_order_append_response_append){s->end, s->end + 1, q->sync ? 100 + s->end : -1};
        s->end++;
    }
    x->is_dropped = is_dropped;
}

static void answer_read(struct script *s, struct exchange *x)
{
    const struct kw_order_read_request *q = x->request;
    struct kw_order_read_response *r = x->response;
    char *value = br_alloc(s->value_bytes + 1);
    struct braid_message m[2] = {{.value = value, .value_len = s->value_bytes, .timestamp = 1}, {.key = "k", .key_len = 1, .timestamp = 2}};
    int64_t at = q->position & ~(int64_t)1;
    int64_t end = q->speculative ? s->log_end : s->log_end - s->unstable;
    r->stable = s->log_end - s->unstable;
    r->view = s->view;
    r->next_position = q->position;
    r->entries = kw_array_new(&kw_order_read_response_entry, x->arena, 4);
    r->entries_count = 0;
    for (; at < end && r->entries_count < 4; at += 2) {
        struct br_buf batch;
        br_buf_init(&batch, 1 << 24);
        value[0] = (char)(at >= s->changed_from ? s->view : 0);
        assert_int_equal(braid_batch_build(m, 2, BRAID_CODEC_LZ4, 0, &batch), BRAID_OK);
        uint8_t *copy = br_arena_alloc(x->arena, batch.len);
        memcpy(copy, batch.data, batch.len);
        kw_batch_patch(copy, at / 2 * 2, 0);
        copy[batch.len - 1] ^= s->is_damaged;
        r->entries[r->entries_count++] = (struct kw_order_read_response_entry){
            .position = at, .topic = br_str_c("t"), .partition = 3, .first_offset = at, .flags = 3, .batch = {.data = copy, .len = batch.len}};
        r->next_position = at + 2;
        br_buf_clear(&batch);
    }
    if (r->entries_count == 0)
        usleep(2000); /* as if it had waited */
    br_free(value);
    x->is_dropped = s->drop_reads > 0 && s->drop_reads-- > 0;
}

static void answer(void *ctx, struct exchange *x)
{
    struct script *s = ctx;
    if (s->is_silent)
        x->is_ignored = true;
    else if (x->key == 10000)
        ((struct kw_order_tail_response *)x->response)->tail = ++s->tails;
    else if (x->key == 10001)
        ((struct kw_order_wait_response *)x->response)->stable = ((const struct kw_order_wait_request *)x->request)->position;
    else if (x->key == 10002)
        answer_read(s, x);
    else if (x->key == 10006)
        answer_append(s, x);
}

struct rig {
    struct script script;
    struct responder *peer;
    struct braid_client *client;
};

static void rig_open(struct rig *rig, const struct braid_options *options)
{
    struct responder_opts opts = {.answer = answer, .ctx = &rig->script};
    rig->peer = responder_start(&opts);
    assert_int_equal(braid_open(responder_address(rig->peer), options, &rig->client, NULL), BRAID_OK);
}

static void rig_close(struct rig *rig)
{
    assert_int_equal(braid_close(rig->client), BRAID_OK);
    responder_stop(rig->peer);
}

static const struct braid_message hello = {.value = "hello", .value_len = 5};

static enum braid_err append_at(struct rig *rig, int64_t expected, struct braid_appended *out, struct braid_error *error)
{
    struct braid_append a = {.topic = "t", .messages = &hello, .message_count = 1, .is_conditional = expected >= 0, .expected_end = expected};
    return braid_append_blocking(rig->client, &a, 1, 0, out, NULL, error);
}

/* --- wrong peers --- */

static void ask_wrong_peer(const struct responder_opts *opts, enum braid_err want, const char *words)
{
    struct responder *peer = responder_start(opts);
    struct braid_client *client;
    struct braid_error error;
    int64_t tail;
    assert_int_equal(braid_open(responder_address(peer), NULL, &client, NULL), BRAID_OK);
    assert_int_equal(braid_tail_blocking(client, &tail, NULL, &error), want);
    assert_non_null(strstr(error.text, words));
    assert_non_null(strstr(error.text, responder_address(peer)));
    braid_close(client);
    responder_stop(peer);
}

static void a_peer_that_is_no_broker_is_told_at_once(void **state)
{
    static const char http[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", junk[] = {0, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8}, small[] = {0, 0, 0, 0};
    (void)state;
    ask_wrong_peer(&(struct responder_opts){.garbage = http, .garbage_len = sizeof http - 1}, BRAID_PROTOCOL, "not a Kafka port");
    ask_wrong_peer(&(struct responder_opts){.garbage = junk, .garbage_len = sizeof junk}, BRAID_PROTOCOL, "not a Kafka port");
    ask_wrong_peer(&(struct responder_opts){.garbage = small, .garbage_len = sizeof small}, BRAID_PROTOCOL, "not a Kafka port");
}

static void a_kafka_without_braids_keys_is_told_at_once(void **state)
{
    static const char old[] = {0, 0, 0, 10, (char)255, (char)255, (char)255, (char)255, 0, 35, 0, 0, 0, 0}; /* UNSUPPORTED_VERSION, in the layout of version 0 */
    (void)state;
    ask_wrong_peer(&(struct responder_opts){.is_kafka = true}, BRAID_UNSUPPORTED, "not Braid");
    ask_wrong_peer(&(struct responder_opts){.garbage = old, .garbage_len = sizeof old}, BRAID_UNSUPPORTED, "not Braid");
}

static void nobody_there_is_told_in_time_with_the_reason(void **state)
{
    struct braid_options options = {.request_timeout_ms = 100};
    struct rig rig = {0};
    struct braid_error error;
    int64_t tail;
    (void)state;
    rig_open(&rig, &options);
    responder_stop(rig.peer);
    assert_int_equal(braid_tail_blocking(rig.client, &tail, NULL, &error), BRAID_UNREACHABLE);
    assert_non_null(strstr(error.text, "refused"));
    braid_close(rig.client);
    assert_int_equal(braid_open("nowhere", NULL, &rig.client, &error), BRAID_INVALID);
    assert_int_equal(braid_open("", NULL, &rig.client, &error), BRAID_INVALID);
}

static void the_next_address_is_tried_when_one_is_dead(void **state)
{
    struct rig rig = {0}, dead = {0};
    struct braid_client *client;
    int64_t tail;
    (void)state;
    rig_open(&rig, NULL);
    rig_open(&dead, NULL);
    char *both = br_asprintf("%s,%s", responder_address(dead.peer), responder_address(rig.peer));
    rig_close(&dead);
    assert_int_equal(braid_open(both, NULL, &client, NULL), BRAID_OK);
    assert_int_equal(braid_tail_blocking(client, &tail, NULL, NULL), BRAID_OK);
    braid_close(client);
    br_free(both);
    rig_close(&rig);
}

/* --- lost answers --- */

static void an_append_whose_answer_was_lost_is_unknown_and_not_sent_again(void **state)
{
    struct rig rig = {.script = {.drop_appends = 1, .is_applied = true}};
    struct braid_appended at;
    (void)state;
    rig_open(&rig, NULL);
    assert_int_equal(append_at(&rig, -1, &at, NULL), BRAID_UNKNOWN);
    assert_int_equal(rig.script.appends, 1);
    assert_int_equal(append_at(&rig, -1, &at, NULL), BRAID_OK); /* on a new connection */
    assert_int_equal(at.base_offset, 1);
    rig_close(&rig);
}

static void a_conditional_append_is_sent_again_and_what_that_cannot_decide_is_unknown(void **state)
{
    struct rig rig = {.script = {.drop_appends = 1, .end = 7}};
    struct braid_appended at;
    (void)state;
    rig_open(&rig, NULL);
    assert_int_equal(append_at(&rig, 7, &at, NULL), BRAID_OK); /* lost before it was appended */
    assert_int_equal(rig.script.appends, 2);
    assert_int_equal(at.base_offset, 7);
    rig.script.drop_appends = 1;
    rig.script.is_applied = true;
    assert_int_equal(append_at(&rig, 8, &at, NULL), BRAID_UNKNOWN); /* ours, but who knows */
    assert_int_equal(at.end_offset, 9);
    rig.script.drop_appends = 2;
    rig.script.is_applied = false;
    assert_int_equal(append_at(&rig, 9, &at, NULL), BRAID_UNKNOWN); /* once more, not for ever */
    assert_int_equal(rig.script.appends, 6);
    assert_int_equal(append_at(&rig, 5, &at, NULL), BRAID_MISMATCH);
    assert_int_equal(at.end_offset, 9);
    rig_close(&rig);
}

static void questions_are_asked_again_after_a_loss(void **state)
{
    struct rig rig = {.script = {.log_end = 8, .drop_reads = 3}};
    struct braid_records records;
    (void)state;
    rig_open(&rig, NULL);
    assert_int_equal(braid_read_blocking(rig.client, 3, NULL, NULL, &records, NULL), BRAID_OK);
    assert_int_equal(records.count, 5);
    assert_int_equal(records.items[0].position, 3);
    assert_int_equal(records.next, 8);
    braid_records_clear(&records);
    rig_close(&rig);
}

static void no_answer_in_time_is_told_and_the_next_call_works(void **state)
{
    struct rig rig = {.script = {.is_silent = true}};
    struct braid_options options = {.request_timeout_ms = 50};
    struct braid_appended at;
    int64_t tail;
    (void)state;
    rig_open(&rig, &options);
    assert_int_equal(braid_tail_blocking(rig.client, &tail, NULL, NULL), BRAID_TIMEOUT);
    assert_int_equal(append_at(&rig, -1, &at, NULL), BRAID_UNKNOWN);
    rig.script.is_silent = false;
    assert_int_equal(append_at(&rig, -1, &at, NULL), BRAID_OK);
    rig_close(&rig);
}

/* --- records --- */

static void records_come_decoded_within_the_limits(void **state)
{
    struct rig rig = {.script = {.log_end = 1000, .value_bytes = 10}};
    struct braid_records records;
    (void)state;
    rig_open(&rig, NULL);
    assert_int_equal(braid_read_blocking(rig.client, 4, NULL, &(struct braid_limits){.records_max = 3}, &records, NULL), BRAID_OK);
    assert_int_equal(records.count, 3);
    assert_int_equal(records.next, 7);
    const struct braid_record *r = &records.items[1];
    assert_int_equal(r->position, 5);
    assert_int_equal(r->offset, 5);
    assert_int_equal(r->partition, 3);
    assert_string_equal(r->topic, "t");
    assert_memory_equal(r->key, "k", 1);
    assert_null(r->value);
    assert_true(!r->is_first && r->is_last && records.items[0].is_first);
    assert_int_equal(records.items[0].value_len, 10);
    braid_records_clear(&records);
    rig.script.is_damaged = true;
    assert_int_equal(braid_read_blocking(rig.client, 4, NULL, NULL, &records, NULL), BRAID_CORRUPT);
    braid_records_clear(&records);
    rig_close(&rig);
}

/* A subscriber that checks that nothing is missing and nothing comes twice. */
struct follower {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct braid_subscription *sub;
    int64_t next, stop_at, pause_at;
    enum braid_err end;
    bool is_ended, is_wrong, is_paused;
    int troubles;
};

static void followed(void *ctx, const struct braid_record *record, bool is_speculative)
{
    struct follower *f = ctx;
    pthread_mutex_lock(&f->lock);
    f->is_wrong = f->is_wrong || is_speculative || record->position != f->next || f->is_paused;
    f->next++;
    if (f->next == f->stop_at)
        braid_subscription_stop(f->sub);
    if (f->next == f->pause_at) {
        braid_subscription_pause(f->sub);
        f->is_paused = true;
    }
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void follower_ended(void *ctx, const struct braid_error *error, int64_t position, int64_t start)
{
    struct follower *f = ctx;
    (void)start;
    pthread_mutex_lock(&f->lock);
    f->is_ended = true;
    f->is_wrong = f->is_wrong || position != f->next;
    f->end = error->code;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void follower_trouble(void *ctx, const struct braid_error *error)
{
    struct follower *f = ctx;
    (void)error;
    pthread_mutex_lock(&f->lock);
    f->troubles++;
    pthread_mutex_unlock(&f->lock);
}

static const struct braid_subscriber subscriber = {.deliver = followed, .ended = follower_ended, .trouble = follower_trouble};

static void follow(struct rig *rig, struct follower *f, int64_t from)
{
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->changed, NULL);
    f->next = from;
    pthread_mutex_lock(&f->lock); /* sub is set before the first record looks */
    assert_int_equal(braid_subscribe(rig->client, from, NULL, 0, 0, &subscriber, f, &f->sub), BRAID_OK);
    pthread_mutex_unlock(&f->lock);
}

static void until(struct follower *f, bool (*is_so)(const struct follower *))
{
    pthread_mutex_lock(&f->lock);
    while (!is_so(f))
        pthread_cond_wait(&f->changed, &f->lock);
    pthread_mutex_unlock(&f->lock);
}

static bool has_ended(const struct follower *f) { return f->is_ended; }
static bool has_paused(const struct follower *f) { return f->is_paused; }

static void a_subscription_goes_on_over_losses_without_gap_or_double(void **state)
{
    struct rig rig = {.script = {.log_end = 300, .drop_reads = 5}};
    struct follower f = {.stop_at = 300};
    (void)state;
    rig_open(&rig, NULL);
    follow(&rig, &f, 1);
    until(&f, has_ended);
    assert_false(f.is_wrong);
    assert_int_equal(f.end, BRAID_CLOSED);
    assert_true(responder_connections(rig.peer) >= 6);
    rig_close(&rig);
}

static void a_paused_subscription_is_still_and_resumes_where_it_was(void **state)
{
    struct rig rig = {.script = {.log_end = 100}};
    struct follower f = {.pause_at = 43, .stop_at = 99}; /* inside a batch */
    struct braid_records records;
    (void)state;
    rig_open(&rig, NULL);
    follow(&rig, &f, 0);
    until(&f, has_paused);
    for (int i = 0; i < 20; i++) { /* others are served meanwhile */
        assert_int_equal(braid_read_blocking(rig.client, 0, NULL, NULL, &records, NULL), BRAID_OK);
        braid_records_clear(&records);
    }
    pthread_mutex_lock(&f.lock);
    assert_int_equal(f.next, 43);
    f.is_paused = false;
    f.pause_at = -1;
    pthread_mutex_unlock(&f.lock);
    braid_subscription_resume(f.sub);
    until(&f, has_ended);
    assert_false(f.is_wrong);
    rig_close(&rig);
}

static void a_damaged_batch_ends_a_subscription_before_any_of_it(void **state)
{
    struct rig rig = {.script = {.log_end = 10, .is_damaged = true}};
    struct follower f = {.stop_at = -1};
    (void)state;
    rig_open(&rig, NULL);
    follow(&rig, &f, 0);
    until(&f, has_ended);
    assert_int_equal(f.end, BRAID_CORRUPT);
    assert_int_equal(f.next, 0);
    assert_false(f.is_wrong);
    rig_close(&rig);
}

/* A subscriber ahead of stable: what it holds, what of it is confirmed. */
struct gambler {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int views[64]; /* by position: the view that the record is of */
    int64_t next, confirmed, failed_at;
    int fails, speculative;
    bool is_wrong;
};

static void gamble(void *ctx, const struct braid_record *r, bool is_speculative)
{
    struct gambler *g = ctx;
    pthread_mutex_lock(&g->lock);
    g->is_wrong = g->is_wrong || r->position != g->next || r->position < g->confirmed;
    g->views[r->position] = r->value ? ((const char *)r->value)[0] : -1;
    g->next = r->position + 1;
    g->speculative += is_speculative;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

static void gamble_confirmed(void *ctx, int64_t position)
{
    struct gambler *g = ctx;
    pthread_mutex_lock(&g->lock);
    g->is_wrong = g->is_wrong || position <= g->confirmed || position > g->next;
    g->confirmed = position;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

static void gamble_failed(void *ctx, int64_t position)
{
    struct gambler *g = ctx;
    pthread_mutex_lock(&g->lock);
    g->is_wrong = g->is_wrong || position < g->confirmed || position >= g->next;
    g->next = g->failed_at = position;
    g->fails++;
    pthread_mutex_unlock(&g->lock);
}

static void gamble_until(struct gambler *g, int64_t next, int64_t confirmed)
{
    pthread_mutex_lock(&g->lock);
    while (g->next < next || g->confirmed < confirmed)
        pthread_cond_wait(&g->changed, &g->lock);
    pthread_mutex_unlock(&g->lock);
}

static void speculation_is_taken_back_by_a_new_view_and_confirmed_when_it_is_stable(void **state)
{
    static const struct braid_subscriber spec = {.deliver = gamble, .confirm = gamble_confirmed, .fail = gamble_failed};
    struct rig rig = {.script = {.log_end = 20, .unstable = 10, .view = 1, .changed_from = 12, .value_bytes = 4}};
    struct gambler g = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .failed_at = -1};
    struct braid_subscription *sub;
    (void)state;
    rig_open(&rig, NULL);
    assert_int_equal(braid_subscribe(rig.client, 0, NULL, BRAID_SPECULATIVE, 0, &spec, &g, &sub), BRAID_OK);
    gamble_until(&g, 20, 10);
    assert_int_equal(g.confirmed, 10); /* never above stable */
    assert_int_equal(g.views[12], 1);
    responder_cut(rig.peer); /* the same is there after a loss: nothing fails */
    rig.script.unstable = 8;
    gamble_until(&g, 20, 12);
    assert_int_equal(g.fails, 0);
    rig.script.view = 2; /* from 12 on it is another order */
    rig.script.unstable = 0;
    gamble_until(&g, 20, 20);
    pthread_mutex_lock(&g.lock);
    assert_int_equal(g.failed_at, 12);
    assert_int_equal(g.views[10], 0);
    for (int i = 12; i < 20; i += 2)
        assert_int_equal(g.views[i], 2);
    assert_true(g.speculative >= 10);
    assert_false(g.is_wrong);
    pthread_mutex_unlock(&g.lock);
    rig_close(&rig);
}

static void closing_ends_calls_and_subscriptions(void **state)
{
    struct rig rig = {.script = {.is_silent = true}};
    struct follower f = {.stop_at = -1};
    (void)state;
    rig_open(&rig, NULL);
    follow(&rig, &f, 0);
    rig_close(&rig);
    assert_true(f.is_ended && f.end == BRAID_CLOSED);
}

/* --- limits, threads, bases --- */

struct counter {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done, good, misuses, last;
    struct braid_client *client;
};

static void counted(void *ctx, const struct braid_result *result)
{
    struct counter *c = ctx;
    int64_t tail;
    bool is_misuse = braid_tail_blocking(c->client, &tail, NULL, NULL) == BRAID_MISUSE && braid_close(c->client) == BRAID_MISUSE;
    pthread_mutex_lock(&c->lock);
    c->done++;
    c->good += result->error == BRAID_OK;
    c->misuses += is_misuse;
    pthread_cond_broadcast(&c->changed);
    pthread_mutex_unlock(&c->lock);
}

static void more_than_is_allowed_in_flight_is_refused_at_once(void **state)
{
    struct rig rig = {0};
    struct braid_options options = {.buffered_bytes_max = 20000};
    struct counter c = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    char big[4000] = {0};
    struct braid_message m = {.value = big, .value_len = sizeof big};
    struct braid_append a = {.topic = "t", .messages = &m, .message_count = 1};
    int taken = 0, refused = 0;
    (void)state;
    rig.script.is_silent = true;
    rig_open(&rig, &options);
    c.client = rig.client;
    for (int i = 0; i < 20; i++) {
        enum braid_err err = braid_append(rig.client, &a, 1, 0, counted, &c);
        taken += err == BRAID_OK;
        refused += err == BRAID_FULL;
    }
    assert_true(taken >= 3 && taken <= 5 && taken + refused == 20);
    rig_close(&rig);
    assert_int_equal(c.done, taken); /* each told once */
    assert_int_equal(c.good, 0);
}

static void *ask_many(void *arg)
{
    struct rig *rig = arg;
    for (int i = 0; i < 200; i++) {
        int64_t value;
        struct braid_appended at;
        if (braid_tail_blocking(rig->client, &value, NULL, NULL) != BRAID_OK || braid_wait_blocking(rig->client, i, 0, &value, NULL) != BRAID_OK || value != i ||
            append_at(rig, -1, &at, NULL) != BRAID_OK)
            return "wrong";
    }
    return NULL;
}

static void threads_share_a_client(void **state)
{
    struct rig rig = {0};
    pthread_t threads[4];
    (void)state;
    rig_open(&rig, NULL);
    for (size_t i = 0; i < BR_COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_many, &rig), 0);
    for (size_t i = 0; i < BR_COUNT(threads); i++) {
        void *why;
        pthread_join(threads[i], &why);
        assert_null(why);
    }
    assert_int_equal(rig.script.appends, 800);
    assert_int_equal(rig.script.end, 800);
    rig_close(&rig);
}

static void more_waits_than_connections_wait_for_each_other(void **state)
{
    struct rig rig = {0};
    struct counter c = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    (void)state;
    rig_open(&rig, NULL);
    c.client = rig.client;
    for (int i = 0; i < 500; i++)
        assert_int_equal(braid_wait(rig.client, i, 0, counted, &c), BRAID_OK);
    pthread_mutex_lock(&c.lock);
    while (c.done < 500)
        pthread_cond_wait(&c.changed, &c.lock);
    pthread_mutex_unlock(&c.lock);
    assert_int_equal(c.good, 500);
    assert_true(responder_connections(rig.peer) <= 8);
    rig_close(&rig);
}

static void a_callback_may_not_block_the_client(void **state)
{
    struct rig rig = {0};
    struct counter c = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    (void)state;
    rig_open(&rig, NULL);
    c.client = rig.client;
    assert_int_equal(braid_tail(rig.client, counted, &c), BRAID_OK);
    pthread_mutex_lock(&c.lock);
    while (c.done == 0)
        pthread_cond_wait(&c.changed, &c.lock);
    pthread_mutex_unlock(&c.lock);
    assert_int_equal(c.misuses, 1);
    rig_close(&rig);
}

static void on_own_base(void *ctx, const struct braid_result *result)
{
    struct event_base *base = ctx;
    assert_int_equal(result->error, BRAID_OK);
    event_base_loopbreak(base);
}

static void a_client_runs_on_the_callers_base(void **state)
{
    struct rig rig = {0};
    struct event_base *base = event_base_new();
    struct braid_options options = {.base = base};
    int64_t tail;
    (void)state;
    rig_open(&rig, &options);
    assert_int_equal(braid_tail_blocking(rig.client, &tail, NULL, NULL), BRAID_MISUSE);
    assert_int_equal(braid_tail(rig.client, on_own_base, base), BRAID_OK);
    event_base_dispatch(base);
    assert_int_equal(rig.script.tails, 1);
    rig_close(&rig);
    event_base_free(base);
}

static void arguments_that_make_no_sense_are_refused(void **state)
{
    struct rig rig = {0};
    struct braid_append a = {.topic = "t", .messages = &hello, .message_count = 1, .is_conditional = true, .expected_end = -1};
    struct braid_message bad = {.value_len = 5};
    struct braid_append b = {.topic = "t", .messages = &bad, .message_count = 1}, none = {.topic = "t", .messages = &hello};
    const char *empty[] = {""};
    struct braid_subscription *sub;
    struct counter c = {0};
    (void)state;
    rig_open(&rig, NULL);
    assert_int_equal(braid_append(rig.client, &a, 1, 0, counted, &c), BRAID_INVALID);
    assert_int_equal(braid_append(rig.client, &b, 1, 0, counted, &c), BRAID_INVALID);
    assert_int_equal(braid_append(rig.client, &none, 1, 0, counted, &c), BRAID_INVALID);
    assert_int_equal(braid_append(rig.client, &none, 0, 0, counted, &c), BRAID_INVALID);
    assert_int_equal(braid_wait(rig.client, -1, 0, counted, &c), BRAID_INVALID);
    assert_int_equal(braid_tail(rig.client, NULL, &c), BRAID_INVALID);
    assert_int_equal(braid_read(rig.client, 0, &(struct braid_filter){empty, 1}, NULL, counted, &c), BRAID_INVALID);
    assert_int_equal(braid_subscribe(rig.client, -9, NULL, 0, 0, &subscriber, NULL, &sub), BRAID_INVALID);
    rig_close(&rig);
    assert_int_equal(c.done, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_peer_that_is_no_broker_is_told_at_once),
    cmocka_unit_test(a_kafka_without_braids_keys_is_told_at_once),
    cmocka_unit_test(nobody_there_is_told_in_time_with_the_reason),
    cmocka_unit_test(the_next_address_is_tried_when_one_is_dead),
    cmocka_unit_test(an_append_whose_answer_was_lost_is_unknown_and_not_sent_again),
    cmocka_unit_test(a_conditional_append_is_sent_again_and_what_that_cannot_decide_is_unknown),
    cmocka_unit_test(questions_are_asked_again_after_a_loss),
    cmocka_unit_test(no_answer_in_time_is_told_and_the_next_call_works),
    cmocka_unit_test(records_come_decoded_within_the_limits),
    cmocka_unit_test(a_subscription_goes_on_over_losses_without_gap_or_double),
    cmocka_unit_test(a_paused_subscription_is_still_and_resumes_where_it_was),
    cmocka_unit_test(a_damaged_batch_ends_a_subscription_before_any_of_it),
    cmocka_unit_test(speculation_is_taken_back_by_a_new_view_and_confirmed_when_it_is_stable),
    cmocka_unit_test(closing_ends_calls_and_subscriptions),
    cmocka_unit_test(more_than_is_allowed_in_flight_is_refused_at_once),
    cmocka_unit_test(threads_share_a_client),
    cmocka_unit_test(more_waits_than_connections_wait_for_each_other),
    cmocka_unit_test(a_callback_may_not_block_the_client),
    cmocka_unit_test(a_client_runs_on_the_callers_base),
    cmocka_unit_test(arguments_that_make_no_sense_are_refused),
};
HARNESS_MAIN("client", tests)
