/* One simulated world: everything in it follows from the seed. Time is a number, events run one at a time in the order of their time, and
 * nothing depends on addresses, so a seed replays bit-exact. */
#pragma once

#include "compat/base/heap.h"
#include "compat/base/rand.h"
#include "order/core/core.h"

#define SIM_NODES_MAX 5u
#define SIM_STREAMS_MAX 8u
#define SIM_PRODUCERS_MAX 6u
#define SIM_RING_MAX 256u
#define SIM_CEILING 3000u /* positions a checkpoint gives out ahead */

/* Rules of the driver and of recovery that can be switched off; those of the core are in order/core/mutation.h. */
enum sim_mutation {
    SIM_MUTATION_NONE,
    SIM_MUTATION_CEILING_IGNORED,   /* after a power loss the next position is what the journal's prefix says */
    SIM_MUTATION_NO_START_SYNC,     /* a restarted node serves what it replayed before it is on disk */
    SIM_MUTATION_LOST_STREAM_GOES_ON, /* a missing batch does not end its stream */
    SIM_MUTATION_RECYCLE_EARLY,     /* the checkpoint is taken before the segments are synced */
    SIM_MUTATION_FORGET_PRODUCERS,  /* sequences are not rebuilt by replay */
    SIM_MUTATION_RETRY_ANSWERS_END, /* a duplicate is answered with the current end */
    SIM_MUTATION_LOST_NOT_COUNTED,  /* a lost entry gives its positions to the next */
    SIM_MUTATION_TAIL_IS_STABLE,    /* tail check answers the stable end */
    SIM_MUTATION_READ_ABOVE_DONE,   /* readers of offsets see everything written */
    SIM_MUTATION_OFFSET_GAP,        /* a restarted stream goes on one offset too far */
    SIM_MUTATION_NO_DEDUP,          /* a sequence seen before is appended again */
    SIM_MUTATION_SEQUENCE_GAP,      /* a batch is appended though an earlier one of its producer is missing */
    SIM_MUTATION_COUNT,
};

struct sim_world;
struct sim_event {
    struct br_heap_node node;
    void (*run)(struct sim_world *world, struct sim_event *event);
    uint64_t a, b;
    void *data; /* owned by the event when set: freed after run */
};

struct sim_options {
    uint64_t seed;
    uint64_t steps; /* of the safety phase */
    enum sim_mutation mutation;
    bool is_traced;
    bool is_real; /* profile node: the real driver and storage over memory files */
};

struct sim_world {
    struct sim_options options;
    struct br_rand rand;
    int64_t now_ns;
    uint64_t tick;   /* events run: the real-time order of the checks */
    uint64_t hash;   /* of the trace */
    bool is_calm;    /* faults have stopped: liveness phase */
    bool is_failed;
    unsigned property; /* of README.md that failed; 0: an invariant or liveness */
    char why[256];
    struct br_heap heap;
    unsigned member_count, node_count, stream_count, producer_count;
    bool is_embedded; /* one node that crashes and restarts; else several, and who crashes stays away: only safety is left */
    bool may_die, has_dead;
    uint32_t mixed_streams; /* bit: the class of the stream was altered */
    struct sim_net *net;
    struct sim_node *nodes;
    struct real_node *real; /* instead of nodes, in the profile node */
    struct sim_history *history;
    struct sim_clients *clients;
};

#define SIM_MUTATED(world, m) ((world)->options.mutation == (SIM_MUTATION_##m))

/* Runs the seed; true when nothing failed. */
bool sim_run(struct sim_world *world, const struct sim_options *options);
/* run(world, event) after delay_ns. data (may be NULL) is freed by the world. */
void sim_at(struct sim_world *world, int64_t delay_ns, void (*run)(struct sim_world *, struct sim_event *), uint64_t a, uint64_t b, void *data);
/* Notes the first failure; the run stops at the next event. */
BR_PRINTF(3, 4) void sim_fail(struct sim_world *world, unsigned property, const char *fmt, ...);
/* One line of the trace: hashed always, printed with --trace. */
BR_PRINTF(2, 3) void sim_trace(struct sim_world *world, const char *fmt, ...);
uint64_t sim_below(struct sim_world *world, uint64_t below);
bool sim_chance(struct sim_world *world, unsigned percent);
/* min..max, mostly near min: a long tail like that of a network or a disk. */
int64_t sim_delay(struct sim_world *world, int64_t min_ns, int64_t max_ns);
