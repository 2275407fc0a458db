/* braid-sim: runs worlds from seeds, one or a range; proves with one mutation at a time that the checks notice.
 *
 *   braid-sim --seed N [--steps N] [--mutation NAME] [--trace]     one world; the trace hash is printed
 *   braid-sim --seeds A-B [--steps N]                              a result line a batch of seeds
 *   braid-sim --mutations [--steps N]                              a result line a mutation: some seed of a small range must fail
 *   braid-sim --replay A-B                                         each seed twice: same trace
 *
 * --profile node with any of them: the real driver and the real storage over memory files instead of the models. */
#include "compat/base/log.h"
#include "order/core/core_int.h"
#include "tests/sim/world.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define BATCH 25u
#define MUTATION_SEEDS 60u
#define STEPS 20000u
#define NODE_STEPS 8000u /* of the profile node, which does more in each */

enum order_mutation order_mutation = ORDER_MUTATION_NONE;

/* properties: those of tests/sim/README.md; 15 stands for an invariant of the core (an assertion), 21 for liveness. Each is broken by some seed. */
struct mutation {
    const char *name;
    enum order_mutation order;
    enum sim_mutation sim;
    int properties[2];
    int node_properties[2]; /* in the profile node; 0: the mutation is of a rule that only the model's driver has, or of a group */
};
static const struct mutation mutations[] = {
    {"accept-gap", ORDER_MUTATION_ACCEPT_GAP, SIM_MUTATION_NONE, {3}, {0}},
    {"ack-early", ORDER_MUTATION_ACK_EARLY, SIM_MUTATION_NONE, {3}, {0}},
    {"ack-unsynced", ORDER_MUTATION_ACK_UNSYNCED, SIM_MUTATION_NONE, {3}, {3}},
    {"ack-unwritten", ORDER_MUTATION_ACK_UNWRITTEN, SIM_MUTATION_NONE, {3}, {0}},
    {"done-overtakes", ORDER_MUTATION_DONE_OVERTAKES, SIM_MUTATION_NONE, {3}, {0}},
    {"skip-undone", ORDER_MUTATION_SKIP_UNDONE, SIM_MUTATION_NONE, {4}, {0}},
    {"stable-undone", ORDER_MUTATION_STABLE_UNDONE, SIM_MUTATION_NONE, {9}, {9}},
    {"stable-unpushed", ORDER_MUTATION_STABLE_UNPUSHED, SIM_MUTATION_NONE, {15}, {0}},
    {"push-appends", ORDER_MUTATION_PUSH_APPENDS, SIM_MUTATION_NONE, {1}, {0}},
    {"any-view", ORDER_MUTATION_ANY_VIEW, SIM_MUTATION_NONE, {3, 15}, {0}},
    {"recount", ORDER_MUTATION_RECOUNT, SIM_MUTATION_NONE, {2}, {15}},
    {"no-rewind", ORDER_MUTATION_NO_REWIND, SIM_MUTATION_NONE, {21}, {0}},
    {"ceiling-ignored", ORDER_MUTATION_NONE, SIM_MUTATION_CEILING_IGNORED, {10, 24}, {24}},
    {"no-start-sync", ORDER_MUTATION_NONE, SIM_MUTATION_NO_START_SYNC, {24}, {0}},
    {"lost-stream-goes-on", ORDER_MUTATION_NONE, SIM_MUTATION_LOST_STREAM_GOES_ON, {6}, {0}},
    {"recycle-early", ORDER_MUTATION_NONE, SIM_MUTATION_RECYCLE_EARLY, {3}, {0}},
    {"forget-producers", ORDER_MUTATION_NONE, SIM_MUTATION_FORGET_PRODUCERS, {2}, {0}},
    {"sequence-gap", ORDER_MUTATION_NONE, SIM_MUTATION_SEQUENCE_GAP, {7}, {0}},
    {"retry-answers-end", ORDER_MUTATION_NONE, SIM_MUTATION_RETRY_ANSWERS_END, {8}, {8}},
    {"lost-not-counted", ORDER_MUTATION_NONE, SIM_MUTATION_LOST_NOT_COUNTED, {24}, {0}},
    {"tail-is-stable", ORDER_MUTATION_NONE, SIM_MUTATION_TAIL_IS_STABLE, {5}, {5}},
    {"read-above-done", ORDER_MUTATION_NONE, SIM_MUTATION_READ_ABOVE_DONE, {9}, {9}},
    {"offset-gap", ORDER_MUTATION_NONE, SIM_MUTATION_OFFSET_GAP, {6}, {0}},
    {"no-dedup", ORDER_MUTATION_NONE, SIM_MUTATION_NO_DEDUP, {2, 8}, {0}},
};

static struct sim_world world; /* large */

static void say_replay(const struct sim_options *o, const char *mutation)
{
    printf("  replay: braid-sim%s --seed %" PRIu64 " --steps %" PRIu64 "%s%s --trace\n", o->is_real ? " --profile node" : "", o->seed, o->steps, mutation ? " --mutation " : "",
           mutation ? mutation : "");
}

static int run_seed(struct sim_options o, const char *mutation)
{
    bool ok = sim_run(&world, &o);
    if (!ok) {
        printf("seed %" PRIu64 ": property %u: %s\n", o.seed, world.property, world.why);
        say_replay(&o, mutation);
        return 1;
    }
    printf("seed %" PRIu64 ": %s, %u members, %u nodes, trace %016" PRIx64 "\n", o.seed, world.is_embedded ? "embedded" : "group",
           world.member_count, world.node_count, world.hash);
    return 0;
}

/* A child per batch, so that a failed assertion is one failed batch and still names its seed. */
static int in_child(int (*run)(struct sim_options, const char *), struct sim_options o, const char *arg)
{
    fflush(stdout);
    pid_t pid = fork();
    BR_ASSERT(pid >= 0);
    if (pid == 0) {
        int status = run(o, arg);
        fflush(stdout);
        _exit(status);
    }
    int status = 0;
    BR_ASSERT(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static struct sim_options current;
static void on_abort(int signal)
{
    (void)signal;
    char line[120];
    int n = snprintf(line, sizeof(line), "  replay: braid-sim%s --seed %" PRIu64 " --steps %" PRIu64 " --trace\n", current.is_real ? " --profile node" : "",
                     current.seed, current.steps);
    if (write(STDOUT_FILENO, line, (size_t)n) < 0)
        _exit(3);
    _exit(2);
}

static int run_batch(struct sim_options o, const char *arg)
{
    (void)arg;
    signal(SIGABRT, on_abort);
    signal(SIGSEGV, on_abort);
    for (unsigned i = 0; i < BATCH; i++, o.seed++) {
        current = o;
        if (!sim_run(&world, &o)) {
            printf("seed %" PRIu64 ": property %u: %s\n", o.seed, world.property, world.why);
            say_replay(&o, NULL);
            return 1;
        }
    }
    return 0;
}

static int run_range(struct sim_options o, uint64_t first, uint64_t last)
{
    int failed = 0;
    for (uint64_t s = first; s <= last; s += BATCH) {
        o.seed = s;
        int status = in_child(run_batch, o, NULL);
        printf(status ? "FAIL sim.%s_seeds_%" PRIu64 "_to_%" PRIu64 ": see the replay line above\n" : "PASS sim.%s_seeds_%" PRIu64 "_to_%" PRIu64 "\n",
               o.is_real ? "node" : "core", s, s + BATCH - 1);
        failed |= status != 0;
    }
    return failed;
}

/* Exit status: 0 nothing noticed, else 1 + property. */
static int run_mutated(struct sim_options o, const char *arg)
{
    (void)arg;
    if (!freopen("/dev/null", "w", stderr)) /* assertions are expected here */
        return 0;
    return sim_run(&world, &o) ? 0 : 1 + (int)world.property;
}

static void set_mutation(const struct mutation *m, struct sim_options *o)
{
    order_mutation = m->order;
    o->mutation = m->sim;
}

/* The first seed at which the property fails; 0: none does. */
static uint64_t seed_that_breaks(struct sim_options o, int property)
{
    for (o.seed = 1; o.seed <= MUTATION_SEEDS; o.seed++) {
        int status = in_child(run_mutated, o, NULL);
        if (status == (property == 15 ? 128 + SIGABRT : 1 + property))
            return o.seed;
    }
    return 0;
}

static int run_mutations(struct sim_options o)
{
    const char *profile = o.is_real ? "node." : "";
    int failed = 0;
    for (unsigned k = 0; k < BR_COUNT(mutations); k++) {
        const struct mutation *m = &mutations[k];
        set_mutation(m, &o);
        const int *properties = o.is_real ? m->node_properties : m->properties;
        for (unsigned i = 0; i < BR_COUNT(m->properties) && properties[i]; i++) {
            int property = properties[i];
            uint64_t seed = seed_that_breaks(o, property);
            if (seed)
                printf("PASS sim.mutation.%s%s_breaks_property_%d\n  at seed %" PRIu64 "\n", profile, m->name, property, seed);
            else
                printf("FAIL sim.mutation.%s%s_breaks_property_%d: no seed of 1 to %u noticed\n", profile, m->name, property, MUTATION_SEEDS);
            failed |= seed == 0;
        }
    }
    return failed;
}

static int run_replay(struct sim_options o, uint64_t first, uint64_t last)
{
    for (o.seed = first; o.seed <= last; o.seed++) {
        uint64_t hash[2];
        for (unsigned i = 0; i < 2; i++) {
            sim_run(&world, &o);
            hash[i] = world.hash;
        }
        if (hash[0] != hash[1]) {
            printf("FAIL sim.replay: seed %" PRIu64 " gave two traces\n", o.seed);
            return 1;
        }
    }
    printf("PASS sim.replay_%s\n", o.is_real ? "node" : "core");
    return 0;
}

static const struct mutation *find_mutation(const char *name)
{
    for (unsigned k = 0; k < BR_COUNT(mutations); k++)
        if (strcmp(mutations[k].name, name) == 0)
            return &mutations[k];
    return NULL;
}

static int usage(void)
{
    fputs("usage: braid-sim --seed N [--steps N] [--mutation NAME] [--trace]\n"
          "       braid-sim --seeds A-B | --mutations | --replay A-B  [--steps N]\n"
          "       --profile node: the real driver and storage\nmutations:",
          stderr);
    for (unsigned k = 0; k < BR_COUNT(mutations); k++)
        fprintf(stderr, " %s", mutations[k].name);
    fputs("\n", stderr);
    return 64;
}

int main(int argc, char **argv)
{
    struct sim_options o = {0};
    const char *mutation = NULL, *range = NULL;
    enum { NOTHING, ONE, SEEDS, MUTATIONS, REPLAY } what = NOTHING;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--trace") == 0)
            o.is_traced = true;
        else if (strcmp(argv[i], "--profile") == 0) {
            if (strcmp(value, "node") != 0)
                return usage();
            o.is_real = true, i++;
        } else if (strcmp(argv[i], "--mutations") == 0)
            what = MUTATIONS;
        else if (strcmp(argv[i], "--seed") == 0)
            what = ONE, o.seed = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--steps") == 0)
            o.steps = strtoull(value, NULL, 10), i++;
        else if (strcmp(argv[i], "--mutation") == 0)
            mutation = value, i++;
        else if (strcmp(argv[i], "--seeds") == 0)
            what = SEEDS, range = value, i++;
        else if (strcmp(argv[i], "--replay") == 0)
            what = REPLAY, range = value, i++;
        else
            return usage();
    }
    if (o.steps == 0)
        o.steps = o.is_real ? NODE_STEPS : STEPS;
    unsigned long long first = 0, last = 0;
    br_log_set_level(o.is_traced ? BR_LOG_WARN : BR_LOG_NONE); /* what the driver reports is expected here */
    if (range && (sscanf(range, "%llu-%llu", &first, &last) != 2 || last < first))
        return usage();
    if (mutation) {
        const struct mutation *m = find_mutation(mutation);
        if (!m)
            return usage();
        set_mutation(m, &o);
    }
    switch (what) {
    case ONE: return run_seed(o, mutation);
    case SEEDS: return run_range(o, first, last);
    case MUTATIONS: return run_mutations(o);
    case REPLAY: return run_replay(o, first, last);
    case NOTHING: break;
    }
    return usage();
}
