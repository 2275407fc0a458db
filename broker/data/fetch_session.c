#include "broker/data/fetch_session.h"
#include "compat/base/bytes.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"

#define IDLE_MS 120000 /* an idle session may make room for a new one after this (Kafka's min.incremental.fetch.session.eviction.ms) */
#define PARTS_MAX 100000 /* of one session; a client that wants more is served without one */

struct broker_sessions {
    struct br_map by_id; /* int32 -> session */
    struct br_list lru;  /* least recently used first */
    unsigned slots;
};

struct broker_sessions *broker_sessions_new(unsigned slots)
{
    struct broker_sessions *s = br_alloc(sizeof *s);
    br_map_init(&s->by_id);
    br_list_init(&s->lru);
    s->slots = slots;
    return s;
}

static void part_free(struct broker_session_part *part)
{
    br_list_remove(&part->link);
    br_free(part->topic);
    br_free(part);
}

static void session_free(struct broker_sessions *s, struct broker_session *session)
{
    br_map_remove(&s->by_id, &session->id, sizeof session->id);
    br_list_remove(&session->lru);
    BR_LIST_FOR_SAFE(part, next, &session->parts, struct broker_session_part, link)
        part_free(part);
    br_map_clear(&session->by_key);
    br_free(session);
}

void broker_sessions_free(struct broker_sessions *s)
{
    BR_LIST_FOR_SAFE(session, next, &s->lru, struct broker_session, lru)
        session_free(s, session);
    br_map_clear(&s->by_id);
    br_free(s);
}

unsigned broker_sessions_count(const struct broker_sessions *s)
{
    return (unsigned)br_map_count(&s->by_id);
}

/* Key of a partition: index, then the name or the id. */
static size_t part_key(uint8_t *key, bool by_id, struct br_str topic, struct br_uuid id, int32_t index)
{
    br_store32(key, (uint32_t)index);
    size_t len = by_id ? sizeof id.bytes : BR_MIN(topic.len, (size_t)512);
    if (len)
        memcpy(key + 4, by_id ? (const void *)id.bytes : topic.data, len);
    return len + 4;
}

static void session_put(struct broker_session *session, struct br_str topic, struct br_uuid id, const struct kw_fetch_request_partition *want)
{
    uint8_t key[516];
    size_t len = part_key(key, session->by_id, topic, id, want->partition);
    struct broker_session_part *part = br_map_get(&session->by_key, key, len);
    if (!part) {
        if (br_map_count(&session->by_key) >= PARTS_MAX)
            return;
        part = br_alloc(sizeof *part);
        part->topic = br_strndup(topic.len ? topic.data : "", topic.len);
        part->topic_len = topic.len;
        part->topic_id = id;
        part->high_watermark = part->log_start = -2;
        br_map_put(&session->by_key, key, len, part);
        br_list_append(&session->parts, &part->link);
    }
    part->want = *want;
}

static void session_add_all(struct broker_session *session, const struct kw_fetch_request *body)
{
    for (int32_t t = 0; t < body->topics_count; t++) {
        const struct kw_fetch_request_topic *topic = &body->topics[t];
        for (int32_t i = 0; i < topic->partitions_count; i++)
            session_put(session, topic->topic, topic->topic_id, &topic->partitions[i]);
    }
}

static void session_forget(struct broker_session *session, const struct kw_fetch_request *body)
{
    for (int32_t t = 0; t < body->forgotten_topics_count; t++) {
        const struct kw_fetch_request_forgotten_topic *topic = &body->forgotten_topics[t];
        for (int32_t i = 0; i < topic->partitions_count; i++) {
            uint8_t key[516];
            size_t len = part_key(key, session->by_id, topic->topic, topic->topic_id, topic->partitions[i]);
            struct broker_session_part *part = br_map_remove(&session->by_key, key, len);
            if (part)
                part_free(part);
        }
    }
}

static struct broker_session *session_new(struct broker_sessions *s, bool by_id, int64_t now_ms)
{
    if (br_map_count(&s->by_id) >= s->slots) {
        struct broker_session *oldest = BR_LIST_FIRST(&s->lru, struct broker_session, lru);
        if (!oldest || oldest->is_busy || now_ms - oldest->used_ms < IDLE_MS)
            return NULL;
        session_free(s, oldest);
    }
    struct broker_session *session = br_alloc(sizeof *session);
    do {
        br_entropy(&session->id, sizeof session->id);
        session->id &= INT32_MAX;
    } while (session->id == 0 || br_map_get(&s->by_id, &session->id, sizeof session->id));
    session->by_id = by_id;
    session->epoch = 1;
    session->used_ms = now_ms;
    br_map_init(&session->by_key);
    br_list_init(&session->parts);
    br_map_put(&s->by_id, &session->id, sizeof session->id, session);
    br_list_append(&s->lru, &session->lru);
    return session;
}

struct broker_session_use broker_session_begin(struct broker_sessions *s, const struct kw_fetch_request *body, bool by_id, int64_t now_ms)
{
    struct broker_session *session = NULL;
    if (body->session_id != 0) {
        session = br_map_get(&s->by_id, &body->session_id, sizeof body->session_id);
        if (session && !session->is_busy && body->session_epoch <= 0) {
            session_free(s, session); /* epoch -1 closes, 0 replaces it by a new one */
            session = NULL;
        } else if (body->session_epoch > 0 && !session) {
            return (struct broker_session_use){.error = KW_FETCH_SESSION_ID_NOT_FOUND};
        }
    }
    if (body->session_epoch == -1)
        return (struct broker_session_use){.error = KW_NONE};
    if (body->session_epoch == 0) {
        session = body->topics_count > 0 ? session_new(s, by_id, now_ms) : NULL;
        if (session)
            session_add_all(session, body);
        return (struct broker_session_use){.session = session};
    }
    if (!session)
        return (struct broker_session_use){.error = KW_FETCH_SESSION_ID_NOT_FOUND};
    if (session->by_id != by_id)
        return (struct broker_session_use){.error = KW_FETCH_SESSION_TOPIC_ID_ERROR};
    if (session->is_busy || session->epoch != body->session_epoch)
        return (struct broker_session_use){.error = KW_INVALID_FETCH_SESSION_EPOCH};
    session->epoch = session->epoch == INT32_MAX ? 1 : session->epoch + 1;
    session->used_ms = now_ms;
    br_list_remove(&session->lru);
    br_list_append(&s->lru, &session->lru);
    session_add_all(session, body);
    session_forget(session, body);
    return (struct broker_session_use){.session = session, .is_incremental = true};
}

bool broker_session_can_omit(struct broker_session *session, struct broker_session_part *part,
                             const struct kw_fetch_response_partition *answer)
{
    bool has_records = answer->records.len > 0;
    bool is_same = !has_records && answer->error_code == KW_NONE && part->error == KW_NONE &&
                   answer->diverging_epoch.epoch < 0 && answer->preferred_read_replica < 0 &&
                   part->high_watermark == answer->high_watermark && part->log_start == answer->log_start_offset;
    part->high_watermark = answer->high_watermark;
    part->log_start = answer->log_start_offset;
    part->error = answer->error_code;
    if (has_records) {
        br_list_remove(&part->link);
        br_list_append(&session->parts, &part->link);
    }
    return is_same;
}
