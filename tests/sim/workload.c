#include "tests/sim/workload.h"
#include "compat/base/mem.h"
#include "tests/sim/sim_net.h"
#include "tests/sim/sim_node.h"

#define IN_FLIGHT 5u
#define RETRY_NS 3000000

struct producer {
    unsigned stream;
    enum order_class class;
    uint32_t epoch, sequence, records; /* sequence counts batches, records what they hold */
    bool is_known;                     /* an answer came in this epoch: before it only one batch is sent */
    uint32_t batches[IN_FLIGHT]; /* unanswered, oldest first */
    unsigned count;
    uint64_t generation; /* of the retry timer */
};
struct sim_clients {
    struct producer producers[SIM_PRODUCERS_MAX];
};
struct request {
    uint32_t batch;
};
struct response {
    uint32_t batch;
    bool is_refused;
    int64_t base;
};

static unsigned node_of(const struct sim_world *world, const struct producer *p) { return p->stream % world->node_count; }
static unsigned index_of(const struct sim_world *world, const struct producer *p) { return (unsigned)(p - world->clients->producers); }

static void send_all(struct sim_world *world, struct producer *p);

static void retry(struct sim_world *world, struct sim_event *event)
{
    struct producer *p = &world->clients->producers[event->a];
    if (p->generation == event->b && p->count)
        send_all(world, p);
}

static void arm(struct sim_world *world, struct producer *p)
{
    p->generation++;
    sim_at(world, sim_delay(world, RETRY_NS, 20 * RETRY_NS), retry, index_of(world, p), p->generation, NULL);
}

static void respond(struct sim_world *world, struct sim_event *event)
{
    const struct response *r = event->data;
    struct producer *p = &world->clients->producers[event->b - world->node_count];
    if (!r->is_refused)
        sim_history_ack(world, r->batch, r->base);
    if (!r->is_refused && sim_history_batch(world, r->batch)->epoch == p->epoch)
        p->is_known = true;
    unsigned i = 0;
    while (i < p->count && p->batches[i] != r->batch)
        i++;
    if (i == p->count)
        return; /* answered before */
    if (r->is_refused)
        return; /* the timer sends it again, in order */
    memmove(&p->batches[i], &p->batches[i + 1], (p->count - i - 1) * sizeof(p->batches[0]));
    p->count--;
}

static void reply(struct sim_world *world, unsigned node, uint32_t batch, bool is_refused, int64_t base)
{
    struct response r = {batch, is_refused, base};
    sim_net_send(world, node, world->node_count + sim_history_batch(world, batch)->producer, &r, sizeof(r), respond);
}

void sim_clients_answer(struct sim_world *world, unsigned node, uint32_t batch, int64_t base)
{
    sim_history_answer(world, batch, base);
    reply(world, node, batch, false, base);
}

static void request(struct sim_world *world, struct sim_event *event)
{
    unsigned node = (unsigned)event->b;
    uint32_t batch = ((const struct request *)event->data)->batch;
    int64_t base = -1;
    switch (sim_node_produce(world, node, batch, &base)) {
    case SIM_REFUSED: reply(world, node, batch, true, -1); break;
    case SIM_WAITS: break;
    case SIM_ANSWERED: sim_clients_answer(world, node, batch, base); break;
    }
}

static void send(struct sim_world *world, struct producer *p, uint32_t batch)
{
    struct request r = {batch};
    sim_net_send(world, world->node_count + index_of(world, p), node_of(world, p), &r, sizeof(r), request);
}

static void send_all(struct sim_world *world, struct producer *p)
{
    for (unsigned i = 0; i < p->count; i++)
        send(world, p, p->batches[i]);
    arm(world, p);
}

static void produce(struct sim_world *world, struct sim_event *event)
{
    struct producer *p = &world->clients->producers[event->a];
    if (world->is_calm)
        return;
    /* Counted from the oldest unanswered one: the node remembers the last five of a producer. */
    uint32_t under_way = p->count ? p->sequence - sim_history_batch(world, p->batches[0])->sequence : 0;
    if (under_way < (p->is_known ? IN_FLIGHT : 1)) {
        enum order_class class = p->class;
        if (!world->is_embedded && sim_chance(world, 20)) /* the class of a stream may change */
            class = sim_chance(world, 50) ? ORDER_FSYNC : ORDER_PAGE_CACHE;
        uint32_t batch = sim_history_begin(world, index_of(world, p), p->stream, p->epoch, p->sequence++, 1 + (uint32_t)sim_below(world, 4),
                                           class);
        sim_history_batch(world, batch)->first_record = p->records;
        p->records += sim_history_batch(world, batch)->count;
        p->batches[p->count++] = batch;
        send(world, p, batch);
        if (p->count == 1)
            arm(world, p);
    }
    sim_at(world, sim_delay(world, 10000, 3000000), produce, event->a, 0, NULL);
}

void sim_clients_start(struct sim_world *world)
{
    world->clients = br_alloc(sizeof(*world->clients));
    for (unsigned i = 0; i < world->producer_count; i++) {
        struct producer *p = &world->clients->producers[i];
        p->stream = (unsigned)sim_below(world, world->stream_count);
        p->class = p->stream & 1 ? ORDER_PAGE_CACHE : ORDER_FSYNC; /* of the stream: alternating */
        sim_at(world, sim_delay(world, 1000, 1000000), produce, i, 0, NULL);
    }
}

void sim_clients_end(struct sim_world *world) { br_free(world->clients); }

void sim_clients_connected(struct sim_world *world, unsigned producer) { send_all(world, &world->clients->producers[producer]); }

void sim_clients_power_lost(struct sim_world *world)
{
    for (unsigned i = 0; i < world->producer_count; i++) {
        struct producer *p = &world->clients->producers[i];
        if (p->class != ORDER_PAGE_CACHE && !(world->mixed_streams & (1u << p->stream)))
            continue;
        p->epoch++;
        p->sequence = p->records = 0;
        p->is_known = false;
        p->count = 0; /* their fate is open: never answered, so never promised */
    }
}

bool sim_clients_are_idle(const struct sim_world *world)
{
    for (unsigned i = 0; i < world->producer_count; i++)
        if (world->clients->producers[i].count)
            return false;
    return true;
}
