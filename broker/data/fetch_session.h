/* Incremental fetch sessions (KIP-227): what a client told once and what it was last answered. Sans-IO: a session is only a
 * cache, its answers must equal those of full fetches. */
#pragma once

#include "compat/base/list.h"
#include "compat/base/map.h"
#include "compat/gen/01_fetch.h"
#include "compat/wire/error.h"

struct broker_sessions;

/* One partition of a session, in the order it is to be served: those that brought data go to the end, so that none starves. */
struct broker_session_part {
    struct br_link link;
    char *topic; /* "" when the session goes by ids */
    size_t topic_len;
    struct br_uuid topic_id;
    struct kw_fetch_request_partition want; /* newest state told by the client */
    /* Last answered, to leave out what did not change; -2: nothing yet. */
    int64_t high_watermark, log_start;
    int16_t error;
};

struct broker_session {
    int32_t id, epoch; /* epoch: the next one expected */
    bool by_id;
    bool is_busy;          /* a request of it is being served */
    int64_t used_ms;
    struct br_map by_key;
    struct br_list parts;
    struct br_link lru;
};

struct broker_sessions *broker_sessions_new(unsigned slots);
void broker_sessions_free(struct broker_sessions *s);
unsigned broker_sessions_count(const struct broker_sessions *s);

/* What a request means for sessions. */
struct broker_session_use {
    enum kw_error error;            /* top-level: the answer holds nothing else */
    struct broker_session *session; /* NULL: a fetch without one */
    bool is_incremental;            /* leave out what did not change */
};
/* Applies the request's epoch, partitions and forgotten topics. A new session may be refused (cache full): session NULL, error NONE, then the answer's id
 * is 0. by_id: version >= 13. Thread: loop. */
struct broker_session_use broker_session_begin(struct broker_sessions *s, const struct kw_fetch_request *body, bool by_id, int64_t now_ms);
/* Whether an incremental answer may leave the partition out; notes the answer and moves the part to the end when it brought records. */
bool broker_session_can_omit(struct broker_session *session, struct broker_session_part *part,
                             const struct kw_fetch_response_partition *answer);
