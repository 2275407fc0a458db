/* The parts of one core. Each role has its own struct and file; they meet in struct order_core and call each other directly. */
#pragma once

#include "order/core/core.h"
#include "order/core/message_body.h"
#include "order/core/mutation.h"

/* limits */
#define ORDER_SIZE_MIN 64u        /* first size of ring, window and tables; they double */
#define ORDER_ROUND_MAX 256u      /* binds of one round with one member; ORDER_BATCH_MAX with more */
#define ORDER_IDLE_NS 10000000000 /* a grown ring is given back after it was empty this long */
#define ORDER_NONE UINT32_MAX

/* done.c: a stream of the local lane with an entry that is not done. */
struct order_done_stream {
    uint32_t stream;
    uint32_t next;    /* in the bucket, or in the free list */
    uint32_t pending; /* entries not done */
    uint64_t need;    /* last s of class fsync: nothing after it is done before it is synced */
    int64_t end;      /* next offset */
    int64_t done_end;
    uint64_t step;    /* when `effect` was emitted */
    unsigned effect;
};
struct order_done {
    struct order_done_stream *streams;
    uint32_t *buckets; /* as many as streams: a power of two */
    uint32_t size, limit, count, free;
};

/* append.c: the lane client. Window of the local lane: entries first <= s < next. */
struct order_window_slot {
    struct order_entry entry;
    uint64_t need;   /* this s must be synced before the entry is done; 0: none */
    uint32_t stream; /* index in order_done */
    bool is_done;
};
struct order_member_acks {
    bool is_up;        /* link */
    bool is_ready;     /* hello answered */
    uint64_t sent;     /* highest s sent on this link */
    uint64_t last, written, synced, ordered; /* as acknowledged */
    uint64_t done_told;
};
struct order_client {
    uint32_t lane;
    struct order_window_slot *slots;
    uint32_t size, limit;
    uint64_t first, next;
    uint64_t local_written, local_synced; /* by the journal of this node */
    uint64_t written, synced;             /* on every member and here */
    uint64_t done;                        /* all s up to here are done */
    uint64_t released;                    /* V as last told by ORDER_FX_RELEASE */
    struct order_member_acks members[ORDER_MEMBERS_MAX];
};

/* replica.c: the sequencing replica. Slot indexes count up and never restart. */
struct order_slot {
    struct order_entry entry;
    uint64_t position; /* of its first record; at the leader */
    bool is_ordered;   /* waits only for older slots to leave */
};
struct order_lane {
    uint32_t lane;
    int32_t node;
    uint64_t last, written, synced;
    uint64_t ordered; /* V */
    uint64_t done;    /* as the lane's client says */
    uint64_t told;    /* sum of the counts last acknowledged: an ACK is due when it differs */
    bool is_rewind;
    bool is_ack_due;
};
struct order_replica {
    bool is_member;
    uint64_t nonce;
    struct order_slot *slots;
    uint32_t size, limit;
    uint64_t head, tail;
    uint64_t stored, written, synced; /* slots below: rows placed, in the page cache, on disk */
    struct order_lane lanes[ORDER_LANES_MAX];
    unsigned lane_count;
    uint32_t credit; /* entries a lane may have accepted and not ordered */
};

/* binder.c: the orderer beside the leader. */
struct order_binder {
    bool is_leader;
    uint64_t next;   /* position of the next entry to arrive */
    uint64_t bound;  /* slots below are in a round begun */
    uint64_t pushed; /* slots below have their rows on f+1 holders */
    uint64_t round_end; /* position; the round runs while bound > pushed */
    uint64_t holder_end[ORDER_MEMBERS_MAX];
};

/* holder.c: the order log of this node. Positions. */
struct order_holder {
    uint64_t bound;  /* binds emitted below */
    uint64_t rows;   /* rows written below */
    uint64_t told;   /* stable as the orderer says */
    uint64_t stable; /* exposed: never above rows */
};

struct order_core {
    struct order_start config;
    bool is_started, is_failed;
    uint32_t lanes_max;
    unsigned self; /* index in members, or ORDER_NONE */
    int64_t now_ns, idle_since_ns;
    uint64_t step;
    uint64_t append_lsn; /* lsn_end of the last local entry */
    uint64_t written_lsn, synced_lsn;
    uint64_t want_lsn;  /* written, of class fsync */
    uint64_t sync_lsn;  /* asked for; one sync runs while it is above synced_lsn */
    struct order_client client;
    struct order_done done;
    struct order_replica replica;
    struct order_binder binder;
    struct order_holder holder;
    struct order_effect *effects;
    unsigned effect_count, effect_size, effect_limit;
    struct order_message *messages; /* NULL when alone: one member and one lane, both here */
    unsigned message_count, message_size;
};

/* core.c */
struct order_effect *order_effect_add(struct order_core *core, enum order_effect_kind kind);
/* A message of this view to a peer; filled by the caller. */
struct order_message *order_message_add(struct order_core *core, int32_t to, enum order_message_kind kind);
/* One member and one lane, both here: nobody to talk to. */
static inline bool order_is_single(const struct order_core *core) { return core->messages == NULL; }

/* done.c */
void order_done_init(struct order_done *done, uint32_t limit);
void order_done_clear(struct order_done *done);
static inline bool order_done_has_room(const struct order_done *done, unsigned count) { return done->limit - done->count >= count; }
/* Notes a new entry of the local lane: *need and *stream for its window slot. */
void order_done_add(struct order_core *core, const struct order_entry *entry, uint64_t *need, uint32_t *stream);
/* Looks again at what became written or synced and emits one ORDER_FX_DONE a stream. from: first s that may have changed. */
void order_done_advance(struct order_core *core, uint64_t from);

/* append.c */
void order_client_start(struct order_core *core);
bool order_client_has_room(const struct order_core *core, unsigned count);
void order_client_append(struct order_core *core, const struct order_entry *entry);
void order_client_hello(struct order_core *core, int32_t peer, bool is_up);
void order_client_ack(struct order_core *core, int32_t from, const struct order_message *m);
/* The ends of this node's journal, as numbers of the lane. */
void order_client_follow(struct order_core *core);
/* Counts acknowledgements, then sends what is due. */
void order_client_settle(struct order_core *core);
/* Emits ORDER_FX_RELEASE when V of the lane moved on every member. */
void order_client_release(struct order_core *core);
static inline struct order_window_slot *order_window_at(const struct order_client *client, uint64_t s)
{
    return &client->slots[s & (client->size - 1)];
}

/* replica.c */
void order_replica_start(struct order_core *core);
struct order_lane *order_replica_lane(struct order_core *core, uint32_t lane);
/* A new entry with s = last + 1 at the end of the ring. */
void order_replica_accept(struct order_core *core, struct order_lane *lane, const struct order_entry *entry);
void order_replica_hello(struct order_core *core, int32_t from, const struct order_message *m);
void order_replica_append(struct order_core *core, const struct order_message *m);
void order_replica_stored(struct order_core *core, uint64_t lsn);
/* Moves the written and synced ends after the journal's. */
void order_replica_settle(struct order_core *core);
/* ACKs that are due. */
void order_replica_answer(struct order_core *core);
/* V of a lane moves; slots leave from the head. */
void order_replica_order(struct order_core *core, struct order_lane *lane, uint64_t s);
void order_replica_ordered(struct order_core *core, const struct order_message *m);
/* Frees slots whose entries are ordered; shrinks an idle ring. */
void order_replica_release(struct order_core *core);
void order_replica_shrink(struct order_core *core);
static inline struct order_slot *order_slot_at(const struct order_replica *r, uint64_t index) { return &r->slots[index & (r->size - 1)]; }

/* binder.c */
void order_binder_start(struct order_core *core);
/* Gives the slot its position: at arrival (R3). */
void order_binder_arrive(struct order_core *core, struct order_slot *slot);
void order_binder_pushed(struct order_core *core, int32_t from, struct order_position end);
void order_binder_link(struct order_core *core, int32_t peer);
/* Ends a finished round, moves stable, begins the next. */
void order_binder_settle(struct order_core *core);

/* holder.c */
void order_holder_start(struct order_core *core);
void order_holder_bind(struct order_core *core, const struct order_entry *entry, uint64_t position);
void order_holder_rows_end(struct order_core *core);
void order_holder_rows(struct order_core *core, struct order_position end);
void order_holder_push(struct order_core *core, int32_t from, const struct order_message *m);
void order_holder_stable(struct order_core *core, uint64_t end);
