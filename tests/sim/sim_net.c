#include "tests/sim/sim_net.h"
#include "compat/base/mem.h"
#include "tests/sim/sim_node.h"
#include "tests/sim/workload.h"

#define ENDS (SIM_NODES_MAX + SIM_PRODUCERS_MAX)

struct link {
    uint64_t epoch; /* of the connection */
    int64_t last_ns; /* deliveries of one connection stay in order */
    uint64_t dead_epoch; /* the receiver crashed: nothing of these connections survives */
    bool is_up;
};
struct sim_net {
    struct link links[ENDS][ENDS]; /* [from][to] */
};
struct packet {
    uint64_t epoch;
    bool survives; /* a reset: it was in the receiver's buffer already */
    void (*deliver)(struct sim_world *, struct sim_event *);
    _Alignas(16) uint8_t data[];
};

void sim_net_start(struct sim_world *world) { world->net = br_alloc(sizeof(*world->net)); }
void sim_net_end(struct sim_world *world) { br_free(world->net); }

bool sim_net_is_up(const struct sim_world *world, unsigned a, unsigned b) { return world->net->links[a][b].is_up; }

static bool is_node(const struct sim_world *world, unsigned end) { return end < world->node_count; }

static void arrive(struct sim_world *world, struct sim_event *event)
{
    struct packet *p = event->data;
    struct link *link = &world->net->links[event->a][event->b];
    bool is_old = p->epoch != link->epoch, survives = p->survives && p->epoch > link->dead_epoch;
    bool is_alive = !is_node(world, (unsigned)event->b) || sim_node_is_up(world, (unsigned)event->b);
    if (!is_alive || (is_old && !survives))
        return;
    struct sim_event inner = {.a = event->a, .b = event->b, .data = p->data};
    p->deliver(world, &inner);
}

void sim_net_send(struct sim_world *world, unsigned from, unsigned to, const void *data, size_t len,
                  void (*deliver)(struct sim_world *, struct sim_event *))
{
    struct link *link = &world->net->links[from][to];
    if (!link->is_up)
        return;
    struct packet *p = br_alloc(sizeof(*p) + len);
    p->epoch = link->epoch;
    p->survives = sim_chance(world, 30);
    p->deliver = deliver;
    memcpy(p->data, data, len);
    int64_t at = BR_MAX(world->now_ns + sim_delay(world, 5000, world->is_calm ? 50000 : 2000000), link->last_ns + 1);
    link->last_ns = at;
    sim_at(world, at - world->now_ns, arrive, from, to, p);
}

static void set_up(struct sim_world *world, unsigned a, unsigned b, bool is_up)
{
    struct link *out = &world->net->links[a][b], *in = &world->net->links[b][a];
    if (out->is_up == is_up)
        return;
    sim_trace(world, "link %u-%u %s", a, b, is_up ? "up" : "down");
    out->is_up = in->is_up = is_up;
    out->epoch++;
    in->epoch++;
    out->last_ns = in->last_ns = world->now_ns;
    if (is_node(world, a) && is_node(world, b)) {
        sim_node_link(world, a, b, is_up);
        sim_node_link(world, b, a, is_up);
    } else if (is_up) {
        sim_clients_connected(world, BR_MAX(a, b) - world->node_count);
    }
}

static void reconnect(struct sim_world *world, struct sim_event *event)
{
    unsigned a = (unsigned)event->a, b = (unsigned)event->b;
    bool can = (!is_node(world, a) || sim_node_is_up(world, a)) && (!is_node(world, b) || sim_node_is_up(world, b));
    if (can)
        set_up(world, a, b, true);
}

void sim_net_reset(struct sim_world *world, unsigned a, unsigned b)
{
    if (!sim_net_is_up(world, a, b))
        return;
    set_up(world, a, b, false);
    sim_at(world, sim_delay(world, 1000, 5000000), reconnect, a, b, NULL);
}

static unsigned end_count(const struct sim_world *world) { return world->node_count + world->producer_count; }

void sim_net_cut(struct sim_world *world, unsigned a)
{
    for (unsigned b = 0; b < end_count(world); b++) {
        if (b == a)
            continue;
        struct link *in = &world->net->links[b][a];
        in->dead_epoch = in->epoch;
        set_up(world, a, b, false);
    }
}

void sim_net_join(struct sim_world *world, unsigned a)
{
    for (unsigned b = 0; b < end_count(world); b++) {
        bool can = b != a && (is_node(world, a) || is_node(world, b)) && (!is_node(world, b) || sim_node_is_up(world, b));
        if (can && (is_node(world, a) || sim_node_is_up(world, b)))
            set_up(world, a, b, true);
    }
}
