#include "tests/sim/world.h"
#include "compat/base/mem.h"
#include "tests/sim/real_node.h"
#include "tests/sim/sim_net.h"
#include "tests/sim/sim_node.h"
#include "tests/sim/workload.h"

#define CALM_STEPS 200000u /* by then everything must have completed */

uint64_t sim_below(struct sim_world *world, uint64_t below) { return br_rand_below(&world->rand, below); }
bool sim_chance(struct sim_world *world, unsigned percent) { return br_rand_chance(&world->rand, percent); }

int64_t sim_delay(struct sim_world *world, int64_t min_ns, int64_t max_ns)
{
    int64_t span = max_ns - min_ns;
    if (!sim_chance(world, 10))
        span /= 20;
    return min_ns + (int64_t)sim_below(world, (uint64_t)span + 1);
}

void sim_at(struct sim_world *world, int64_t delay_ns, void (*run)(struct sim_world *, struct sim_event *), uint64_t a, uint64_t b, void *data)
{
    struct sim_event *e = br_alloc(sizeof(*e));
    *e = (struct sim_event){.run = run, .a = a, .b = b, .data = data};
    br_heap_push(&world->heap, &e->node, world->now_ns + delay_ns);
}

void sim_fail(struct sim_world *world, unsigned property, const char *fmt, ...)
{
    if (world->is_failed)
        return;
    world->is_failed = true;
    world->property = property;
    va_list args;
    va_start(args, fmt);
    vsnprintf(world->why, sizeof(world->why), fmt, args);
    va_end(args);
}

void sim_trace(struct sim_world *world, const char *fmt, ...)
{
    char line[200];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);
    for (const char *c = line; *c; c++)
        world->hash = (world->hash ^ (uint8_t)*c) * 1099511628211u;
    world->hash = (world->hash ^ (uint64_t)world->now_ns) * 1099511628211u;
    if (world->options.is_traced)
        printf("%12" PRId64 " %s\n", world->now_ns, line);
}

static void fault(struct sim_world *world, struct sim_event *event);

static void one_fault(struct sim_world *world)
{
    unsigned ends = world->node_count + world->producer_count;
    unsigned node = (unsigned)sim_below(world, world->node_count);
    if (world->is_embedded) {
        switch (sim_below(world, 6)) {
        case 0: sim_node_crash(world, 0, true); break;
        case 1: sim_node_crash(world, 0, false); break;
        case 2: case 3: sim_node_checkpoint(world, 0); break;
        default: sim_net_reset(world, 0, 1 + (unsigned)sim_below(world, world->producer_count)); break;
        }
        return;
    }
    if (world->may_die && sim_chance(world, 3))
        sim_node_crash(world, node, false);
    switch (sim_below(world, 4)) {
    case 0: sim_node_ghost(world, node, (unsigned)sim_below(world, world->node_count)); break;
    case 1: world->nodes[node].paused_until_ns = world->now_ns + sim_delay(world, 100000, 20000000); break;
    default: {
        unsigned other = (unsigned)sim_below(world, ends);
        if (other != node)
            sim_net_reset(world, node, other);
        break;
    }
    }
}

static void fault(struct sim_world *world, struct sim_event *event)
{
    (void)event;
    if (world->is_calm)
        return;
    one_fault(world);
    sim_at(world, sim_delay(world, 500000, 30000000), fault, 0, 0, NULL);
}

static void look(struct sim_world *world, struct sim_event *event)
{
    for (unsigned i = 0; i < world->node_count; i++) {
        sim_node_read(world, i);
        if (sim_chance(world, 50))
            sim_node_tail(world, i);
    }
    sim_at(world, sim_delay(world, 100000, 4000000), look, event->a, 0, NULL);
}

static void choose_shape(struct sim_world *world)
{
    world->is_embedded = world->options.is_real || sim_chance(world, 50);
    world->member_count = world->is_embedded ? 1 : 1 + (unsigned)sim_below(world, 3);
    world->node_count = world->is_embedded ? 1 : BR_MAX(world->member_count, 2u) + (unsigned)sim_below(world, 2);
    world->may_die = !world->is_embedded && sim_chance(world, 20);
    world->stream_count = 2 + (unsigned)sim_below(world, SIM_STREAMS_MAX - 1);
    world->producer_count = 1 + (unsigned)sim_below(world, SIM_PRODUCERS_MAX);
}

static bool is_complete(const struct sim_world *world)
{
    bool is_idle = sim_clients_are_idle(world);
    for (unsigned i = 0; i < world->node_count && is_idle; i++)
        is_idle = sim_node_is_idle(world, i);
    return is_idle;
}

static void run_one(struct sim_world *world)
{
    struct br_heap_node *node = br_heap_peek(&world->heap);
    BR_ASSERT(node != NULL);
    br_heap_remove(&world->heap, node);
    struct sim_event *e = BR_CONTAINER_OF(node, struct sim_event, node);
    BR_ASSERT(node->key >= world->now_ns);
    world->now_ns = node->key;
    world->tick++;
    e->run(world, e);
    br_free(e->data);
    br_free(e);
}

static void start(struct sim_world *world, const struct sim_options *options)
{
    *world = (struct sim_world){.options = *options, .now_ns = 1000, .hash = 14695981039346656037u};
    br_rand_init(&world->rand, options->seed);
    br_heap_init(&world->heap);
    choose_shape(world);
    sim_history_start(world);
    sim_net_start(world);
    sim_clients_start(world);
    sim_nodes_start(world);
    for (unsigned i = 0; i < world->node_count; i++)
        sim_net_join(world, i);
    sim_at(world, 500000, look, 0, 0, NULL);
    sim_at(world, sim_delay(world, 100000, 5000000), fault, 0, 0, NULL);
}

static void end(struct sim_world *world)
{
    for (struct br_heap_node *node; (node = br_heap_peek(&world->heap)) != NULL;) {
        struct sim_event *e = BR_CONTAINER_OF(node, struct sim_event, node);
        br_heap_remove(&world->heap, node);
        br_free(e->data);
        br_free(e);
    }
    br_heap_clear(&world->heap);
    sim_nodes_end(world);
    sim_clients_end(world);
    sim_net_end(world);
    sim_history_end(world);
}

bool sim_run(struct sim_world *world, const struct sim_options *options)
{
    start(world, options);
    for (uint64_t i = 0; i < options->steps && !world->is_failed; i++)
        run_one(world);
    world->is_calm = true; /* faults stop; everything must complete now */
    if (world->real && !world->is_failed)
        real_node_calm(world);
    for (uint64_t i = 0; i < (world->has_dead ? options->steps : CALM_STEPS) && !world->is_failed && !is_complete(world); i++)
        run_one(world);
    if (!world->is_failed && !world->has_dead && !is_complete(world))
        sim_fail(world, 21, "faults have stopped and something never completes");
    if (!world->is_failed && world->real)
        real_node_reopen(world);
    if (!world->is_failed)
        sim_history_check(world);
    end(world);
    return !world->is_failed;
}
