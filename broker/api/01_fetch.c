/* Fetch, versions 4-18.
 * 7 sessions, 9 leader epochs, 11 rack, 12 flexible and diverging epochs, 13 topic ids, 16 leader hints.
 *
 * Readers always read segments, as file ranges; the order view's records are made in memory. A fetch that may wait watches each of its
 * partitions and is woken by the append that gives it bytes, never by polling. Cold ranges are read ahead in the pool first. */
#include "broker/broker.h"
#include "broker/data/fetch_read.h"
#include "broker/data/fetch_session.h"
#include "broker/data/target.h"
#include "broker/data/warm.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/view/order_view.h"
#include "compat/base/mem.h"

struct fetch {
    struct broker_request *req;
    const struct kw_fetch_request *body;
    struct broker_session_use use;
    struct broker_fetch_want *wants;
    size_t count;
    struct broker_wait wait;
    int64_t deadline_ms;
    struct br_buf view_bytes;
    struct broker_warm *warm;
    size_t warmed;           /* how often, since all of it was read */
    bool is_watching;
};

static void fetch_try(struct fetch *f, bool is_last_call);

static void stop_watching(struct fetch *f)
{
    if (!f->is_watching)
        return;
    f->is_watching = false;
    broker_wait_stop(&f->req->broker->waits, &f->wait);
    for (size_t i = 0; i < f->count; i++)
        broker_watch_remove(&f->wants[i].watch);
}

static void release_reads(struct fetch *f)
{
    for (size_t i = 0; i < f->count; i++)
        broker_fetch_want_release(&f->wants[i]);
    br_buf_reset(&f->view_bytes);
}

/* Ends the fetch's own state; req is about to be answered or gone. */
static void fetch_end(struct fetch *f)
{
    stop_watching(f);
    br_buf_clear(&f->view_bytes);
    if (f->use.session)
        f->use.session->is_busy = false;
    broker_warm_cancel(f->warm);
}

static void fetch_cancel(struct broker_request *req)
{
    struct fetch *f = req->state;
    release_reads(f);
    fetch_end(f);
}

static void fetch_wake(struct broker_watch *watch)
{
    struct broker_fetch_want *want = BR_CONTAINER_OF(watch, struct broker_fetch_want, watch);
    fetch_try(want->fetch, false);
}

static void fetch_expire(struct broker_wait *wait)
{
    fetch_try(BR_CONTAINER_OF(wait, struct fetch, wait), true);
}

static void start_watching(struct fetch *f)
{
    struct broker *b = f->req->broker;
    if (!f->is_watching)
        broker_wait_start(&b->waits, &f->wait, f->deadline_ms);
    f->is_watching = true;
    for (size_t i = 0; i < f->count; i++) {
        struct broker_fetch_want *want = &f->wants[i];
        struct broker_target target = broker_target_find(b, want->topic, want->topic_id, want->in->partition);
        if (target.error == KW_NONE && !br_link_is_in(&want->watch.link))
            broker_watch_add(target.partition ? &target.partition->watchers : broker_order_view_watchers(target.topic->view), &want->watch);
    }
}

static void is_warmed(void *ctx)
{
    struct fetch *f = ctx;
    f->warm = NULL;
    f->warmed++;
    fetch_try(f, f->req->broker->now_ms >= f->deadline_ms);
}

/* Groups neighbouring partitions of one topic, leaving out what an incremental answer may omit. */
static bool make_topics(struct fetch *f, struct kw_fetch_response *response)
{
    struct br_arena *arena = &f->req->arena;
    response->topics = br_arena_array(arena, f->count, sizeof *response->topics);
    struct kw_fetch_response_partition *parts = br_arena_array(arena, f->count, sizeof *parts);
    if (!response->topics || !parts)
        return false;
    struct kw_fetch_response_topic *topic = NULL;
    response->topics_count = 0;
    for (size_t i = 0; i < f->count; i++) {
        struct broker_fetch_want *want = &f->wants[i];
        if (want->out.records.len > 0 && !want->out.records.file)
            want->out.records.data = f->view_bytes.data + (uintptr_t)want->out.records.data;
        bool omit = want->part && broker_session_can_omit(f->use.session, want->part, &want->out);
        if (f->use.is_incremental && omit)
            continue;
        if (!topic || !br_str_eq(topic->topic, want->topic) || !br_uuid_eq(topic->topic_id, want->topic_id)) {
            topic = &response->topics[response->topics_count++];
            *topic = (struct kw_fetch_response_topic){.topic = want->topic, .topic_id = want->topic_id, .partitions = parts};
        }
        *parts++ = want->out;
        topic->partitions_count++;
    }
    return true;
}

static void fetch_answer(struct fetch *f)
{
    struct broker_request *req = f->req;
    struct kw_fetch_response response;
    stop_watching(f);
    kw_default(&kw_fetch_response, &response);
    response.session_id = f->use.session ? f->use.session->id : 0;
    if (!make_topics(f, &response)) {
        release_reads(f);
        fetch_end(f);
        broker_request_close(req, "fetch names more partitions than fit its memory budget");
        return;
    }
    /* f lives in the request's arena, which goes with the reply: what it holds is taken out before. */
    struct br_buf view_bytes = f->view_bytes;
    if (f->use.session)
        f->use.session->is_busy = false;
    broker_reply(req, &response); /* takes the ranges' holds, copies the view's bytes */
    br_buf_clear(&view_bytes);
}

static bool is_error(const struct broker_fetch_want *want)
{
    return want->out.error_code != KW_NONE || want->out.diverging_epoch.epoch >= 0;
}

/* A fetch is warmed a few times for each partition. When what was warmed is cold again by then, memory is short: it asks for less and less, so that it gets something. */
static size_t patient_bytes(const struct fetch *f, size_t bytes)
{
    size_t patience = 8 + 5 * f->count;
    return f->warmed <= patience ? bytes : bytes >> BR_MIN(f->warmed - patience, (size_t)31);
}

static void fetch_try(struct fetch *f, bool is_last_call)
{
    struct broker *b = f->req->broker;
    struct store_range cold = {0};
    size_t bytes = 0;
    bool has_error = false;
    if (f->warm)
        return;
    size_t max_bytes = (size_t)BR_MAX(f->body->max_bytes, 0), cap = (size_t)broker_config_int(b->config, "fetch.max.bytes");
    struct broker_fetch_limits limits = {
        .version = broker_request_version(f->req),
        .read_committed = f->body->isolation_level == 1,
        .bytes_left = patient_bytes(f, BR_MIN(max_bytes, cap)),
    };
    for (size_t i = 0; i < f->count; i++) {
        enum br_err err = broker_fetch_read(b, &f->wants[i], &limits, &f->view_bytes, &cold);
        if (err == BR_COLD) {
            release_reads(f);
            f->warm = broker_warm_start(b, &cold, is_warmed, f);
            return;
        }
        BR_ASSERT(err == BR_OK);
        bytes += f->wants[i].out.records.len;
        has_error = has_error || is_error(&f->wants[i]);
    }
    f->warmed = 0;
    int32_t min_bytes = BR_MIN(f->body->min_bytes, (int32_t)BR_MIN(limits.bytes_left + bytes, (size_t)INT32_MAX));
    bool is_enough = (int64_t)bytes >= min_bytes || has_error || f->count == 0;
    if (is_enough || is_last_call || f->body->max_wait_ms <= 0) {
        fetch_answer(f);
        return;
    }
    release_reads(f);
    start_watching(f);
}

static bool collect_wants(struct fetch *f)
{
    const struct kw_fetch_request *body = f->body;
    struct br_arena *arena = &f->req->arena;
    if (f->use.session) {
        f->wants = br_arena_array(arena, br_map_count(&f->use.session->by_key), sizeof *f->wants);
        if (!f->wants)
            return false;
        BR_LIST_FOR(part, &f->use.session->parts, struct broker_session_part, link)
            f->wants[f->count++] = (struct broker_fetch_want){.topic = br_str(part->topic, part->topic_len), .topic_id = part->topic_id,
                                                              .in = &part->want, .part = part};
        return true;
    }
    size_t total = 0;
    for (int32_t t = 0; t < body->topics_count; t++)
        total += (size_t)BR_MAX(body->topics[t].partitions_count, 0);
    f->wants = br_arena_array(arena, total, sizeof *f->wants);
    if (!f->wants)
        return false;
    for (int32_t t = 0; t < body->topics_count; t++)
        for (int32_t i = 0; i < body->topics[t].partitions_count; i++)
            f->wants[f->count++] = (struct broker_fetch_want){.topic = body->topics[t].topic, .topic_id = body->topics[t].topic_id,
                                                              .in = &body->topics[t].partitions[i]};
    return true;
}

void broker_handle_fetch(struct broker_request *req)
{
    const struct kw_fetch_request *body = req->body;
    struct fetch *f = br_arena_alloc(&req->arena, sizeof *f);
    struct kw_fetch_response refusal;
    if (!f) {
        broker_request_close(req, "fetch is over its memory budget");
        return;
    }
    *f = (struct fetch){.req = req, .body = body, .wait.expire = fetch_expire};
    br_buf_init(&f->view_bytes, (size_t)256 << 20);
    bool has_sessions = broker_request_version(req) >= 7;
    if (has_sessions)
        f->use = broker_session_begin(req->broker->sessions, body, broker_request_version(req) >= 13, req->now_ms);
    if (f->use.error != KW_NONE) {
        kw_default(&kw_fetch_response, &refusal);
        refusal.error_code = f->use.error;
        broker_reply(req, &refusal);
        return;
    }
    if (f->use.session)
        f->use.session->is_busy = true;
    req->state = f;
    req->cancel = fetch_cancel;
    f->deadline_ms = req->now_ms + BR_MAX(body->max_wait_ms, 0);
    if (!collect_wants(f)) {
        fetch_end(f);
        broker_request_close(req, "fetch names more partitions than fit its memory budget");
        return;
    }
    for (size_t i = 0; i < f->count; i++) {
        f->wants[i].watch.wake = fetch_wake;
        f->wants[i].fetch = f;
    }
    fetch_try(f, false);
}
