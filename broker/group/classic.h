/* The classic group protocol as a sans-IO machine (Kafka protocol guide "group membership"; KIP-345 static members, KIP-394
 * member ids first). No I/O, clock, entropy or log: each call is an event with its time, what must happen comes back as effects.
 *
 *             join                    all joined, or deadline                  leader's sync is persisted
 *   EMPTY ----------> PREPARING ------------------------------> COMPLETING ------------------------------> STABLE
 *     ^                ^    | nobody joined                         |  join, leave, member expires            |
 *     |________________|____|                                       |_________________________________________|
 *                      |______________________________________________________________________________________| -> PREPARING
 *
 * Memory is the machine's own (members are made by clients), bounded by the limits below. Tokens are opaque: whoever waits for the answer. */
#pragma once

#include "compat/base/list.h"
#include "compat/base/map.h"
#include "compat/base/str.h"
#include "compat/wire/error.h"

#define GROUP_PROTOCOLS_MAX 64          /* of one member */
#define GROUP_MEMBER_BYTES_MAX (1 << 20) /* metadata of one member, all protocols */

enum group_state { GROUP_EMPTY, GROUP_PREPARING, GROUP_COMPLETING, GROUP_STABLE };

struct group_protocol {
    char *name;
    struct br_str metadata; /* owned */
};

struct group_member {
    char *id, *instance_id /* NULL: dynamic */, *client_id, *client_host;
    int32_t rebalance_timeout_ms, session_timeout_ms;
    struct group_protocol *protocols;
    unsigned protocol_count;
    struct br_str assignment; /* owned */
    void *join_token;         /* who waits for the join answer, or NULL */
    void *sync_token;
    bool has_joined;          /* in the rebalance under way (also when its client has gone since) */
    bool has_synced;          /* in the COMPLETING state */
    int64_t deadline_ms;      /* session: the member leaves by it unless heard from */
    struct br_link link;
};

struct group_limits {
    int32_t size_max, initial_delay_ms;
};

struct group_core {
    enum group_state state;
    int32_t generation;
    char *protocol_type, *protocol; /* NULL: none */
    char *leader;                   /* member id, or NULL */
    struct br_list members;         /* in order of joining */
    struct br_map by_id, by_instance;
    struct br_map pending;          /* ids given out by MEMBER_ID_REQUIRED -> struct group_pending */
    int64_t state_since_ms;         /* wall clock of the last change of state, as stored */
    int64_t deadline_ms;            /* PREPARING: joins end; COMPLETING: syncs end */
    int64_t delay_until_ms;         /* PREPARING from EMPTY: the initial delay in force, 0 none */
    int64_t delay_limit_ms;         /* ... which is extended up to this */
    bool is_persisting;             /* the leader's assignment is on its way to the log */
    struct group_limits limits;
};

enum group_effect_kind { GROUP_FX_JOIN, GROUP_FX_SYNC, GROUP_FX_PERSIST };

struct group_effect {
    enum group_effect_kind kind;
    void *token;                 /* JOIN, SYNC: whom to answer */
    enum kw_error error;
    const struct group_member *member; /* valid until the next event; NULL with an error */
    bool with_members;           /* JOIN: to the leader */
    bool skip_assignment;        /* JOIN v9: static leader came back */
};
struct group_effects {
    struct group_effect *items;
    size_t count, cap;
};
void group_effects_clear(struct group_effects *fx);

struct group_join {
    struct br_str member_id, instance_id /* data NULL: dynamic */, client_id, client_host, protocol_type;
    const struct group_protocol_in {
        struct br_str name, metadata;
    } *protocols;
    unsigned protocol_count;
    int32_t session_timeout_ms, rebalance_timeout_ms;
    bool requires_known_id;  /* v4+: MEMBER_ID_REQUIRED first */
    struct br_str new_id;    /* a fresh id, used when one is to be given (entropy comes from outside) */
};

void group_core_init(struct group_core *g, struct group_limits limits);
void group_core_clear(struct group_core *g);

/* Anything but KW_NONE is the answer (with MEMBER_ID_REQUIRED the id to use is in->new_id); else it comes as an effect, now or later. */
enum kw_error group_core_join(struct group_core *g, const struct group_join *in, void *token, int64_t now_ms, struct group_effects *fx);
struct group_assignment_in {
    struct br_str member_id, assignment;
};
enum kw_error group_core_sync(struct group_core *g, struct br_str member_id, struct br_str instance_id, int32_t generation, struct br_str protocol_type,
                              struct br_str protocol, const struct group_assignment_in *assignments, unsigned count, void *token, int64_t now_ms,
                              struct group_effects *fx);
enum kw_error group_core_heartbeat(struct group_core *g, struct br_str member_id, struct br_str instance_id, int32_t generation, int64_t now_ms);
enum kw_error group_core_leave(struct group_core *g, struct br_str member_id, struct br_str instance_id, int64_t now_ms, struct group_effects *fx);
/* Whether this member may commit offsets now; generation < 0: a commit by a tool or a consumer without a group. Renews the session. */
enum kw_error group_core_commit_check(struct group_core *g, struct br_str member_id, struct br_str instance_id, int32_t generation, int64_t now_ms);
/* The record asked for by GROUP_FX_PERSIST is durable, or failed. */
void group_core_persisted(struct group_core *g, enum kw_error error, int64_t now_ms, struct group_effects *fx);
/* The client that waits with this token has gone: its member stays until its session ends. */
void group_core_forget_token(struct group_core *g, void *token, int64_t now_ms);
/* Runs what is due at now. */
void group_core_tick(struct group_core *g, int64_t now_ms, struct group_effects *fx);
/* When tick is to be called next; INT64_MAX: never. */
int64_t group_core_deadline(const struct group_core *g);
struct group_member *group_core_member(const struct group_core *g, struct br_str id);
/* Metadata of a member for the protocol in force, or empty. */
struct br_str group_core_metadata(const struct group_core *g, const struct group_member *m);
/* Adds a member as a stored record says (replay). */
struct group_member *group_core_restore_member(struct group_core *g, struct br_str id, struct br_str instance_id, struct br_str client_id, struct br_str client_host,
                                               int32_t rebalance_timeout_ms, int32_t session_timeout_ms, struct br_str subscription, struct br_str assignment,
                                               int64_t now_ms);
const char *group_state_name(enum group_state state); /* as Kafka shows it */
/* Asserts the numbered invariants of broker/group/README.md. */
void group_core_check(const struct group_core *g);
