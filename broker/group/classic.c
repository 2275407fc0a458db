#include "broker/group/classic.h"
#include "broker/group/member.h"
#include "compat/base/mem.h"

struct group_pending {
    int64_t deadline_ms;
};

void group_core_init(struct group_core *g, struct group_limits limits)
{
    *g = (struct group_core){.limits = limits, .deadline_ms = INT64_MAX};
    br_list_init(&g->members);
    br_map_init(&g->by_id);
    br_map_init(&g->by_instance);
    br_map_init(&g->pending);
}

void group_core_clear(struct group_core *g)
{
    BR_LIST_FOR_SAFE(m, next, &g->members, struct group_member, link)
        group_member_remove(g, m);
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&g->pending, &at));)
        br_free(e->value);
    br_map_clear(&g->by_id);
    br_map_clear(&g->by_instance);
    br_map_clear(&g->pending);
    br_free(g->protocol_type);
    br_free(g->protocol);
    br_free(g->leader);
}

static struct group_effect *effect(struct group_effects *fx, enum group_effect_kind kind)
{
    if (fx->count == fx->cap) {
        fx->cap = fx->cap ? fx->cap * 2 : 16;
        fx->items = br_realloc(fx->items, fx->cap * sizeof *fx->items);
    }
    struct group_effect *e = &fx->items[fx->count++];
    *e = (struct group_effect){.kind = kind};
    return e;
}

void group_effects_clear(struct group_effects *fx)
{
    br_free(fx->items);
    *fx = (struct group_effects){0};
}

static void reply_join(struct group_effects *fx, struct group_member *m, enum kw_error error, bool with_members)
{
    if (!m->join_token)
        return;
    struct group_effect *e = effect(fx, GROUP_FX_JOIN);
    e->token = m->join_token;
    e->error = error;
    e->member = m;
    e->with_members = with_members;
    m->join_token = NULL;
}

static void reply_sync(struct group_effects *fx, struct group_member *m, enum kw_error error)
{
    if (!m->sync_token)
        return;
    struct group_effect *e = effect(fx, GROUP_FX_SYNC);
    e->token = m->sync_token;
    e->error = error;
    e->member = m;
    m->sync_token = NULL;
}

/* The member is about to go or to change its id: effects must not name it. */
static void detach(struct group_effects *fx, const struct group_member *m)
{
    for (size_t i = 0; i < fx->count; i++)
        if (fx->items[i].member == m)
            fx->items[i].member = NULL;
}

static void set_text(char **to, const char *text)
{
    char *copy = text ? br_strdup(text) : NULL;
    br_free(*to);
    *to = copy;
}

static bool is_leader(const struct group_core *g, const struct group_member *m)
{
    return g->leader && strcmp(g->leader, m->id) == 0;
}

static void renew(struct group_member *m, int64_t now_ms)
{
    m->deadline_ms = now_ms + m->session_timeout_ms;
}

static int64_t rebalance_timeout(const struct group_core *g)
{
    int64_t most = 0;
    BR_LIST_FOR(m, &g->members, struct group_member, link)
        most = BR_MAX(most, m->rebalance_timeout_ms);
    return most;
}

/* Starts a rebalance (or goes on with the one under way). */
static void prepare(struct group_core *g, int64_t now_ms, struct group_effects *fx)
{
    if (g->state == GROUP_PREPARING)
        return;
    bool was_empty = g->state == GROUP_EMPTY;
    BR_LIST_FOR(m, &g->members, struct group_member, link) {
        reply_sync(fx, m, KW_REBALANCE_IN_PROGRESS);
        m->has_joined = m->join_token != NULL;
        m->has_synced = false;
    }
    g->state = GROUP_PREPARING;
    g->is_persisting = false;
    g->deadline_ms = now_ms + rebalance_timeout(g);
    g->delay_until_ms = 0;
    if (was_empty) { /* wait for the others of a group that starts */
        g->delay_until_ms = now_ms + g->limits.initial_delay_ms;
        g->delay_limit_ms = now_ms + BR_MAX(rebalance_timeout(g), (int64_t)g->limits.initial_delay_ms);
        g->deadline_ms = g->delay_limit_ms;
    }
}

/* The protocol that all support and most prefer; the leader's order breaks ties. NULL: none in common. */
static const char *choose_protocol(const struct group_core *g)
{
    const struct group_member *first = BR_LIST_FIRST(&g->members, struct group_member, link);
    const char *best = NULL;
    unsigned best_votes = 0;
    for (unsigned i = 0; first && i < first->protocol_count; i++) {
        const char *candidate = first->protocols[i].name;
        unsigned votes = 0;
        bool all = true;
        BR_LIST_FOR(m, &g->members, struct group_member, link)
            all = all && group_member_supports(m, candidate);
        if (!all)
            continue;
        BR_LIST_FOR(m, &g->members, struct group_member, link) {
            for (unsigned p = 0; p < m->protocol_count; p++) { /* a vote goes to the first one that all support */
                bool common = true;
                BR_LIST_FOR(other, &g->members, struct group_member, link)
                    common = common && group_member_supports(other, m->protocols[p].name);
                if (common) {
                    votes += strcmp(m->protocols[p].name, candidate) == 0;
                    break;
                }
            }
        }
        if (!best || votes > best_votes) {
            best = candidate;
            best_votes = votes;
        }
    }
    return best;
}

/* Would the group have a protocol in common if a member came with these (replacing `self`, if any)? */
static bool fits_protocols(const struct group_core *g, const struct group_member *self, const struct group_join *in)
{
    if (in->protocol_count == 0 || in->protocol_type.len == 0)
        return false;
    bool is_alone = true;
    BR_LIST_FOR(m, &g->members, struct group_member, link)
        is_alone = is_alone && m == self;
    if (is_alone)
        return true;
    if (!g->protocol_type || !br_str_eq_c(in->protocol_type, g->protocol_type))
        return false;
    for (unsigned i = 0; i < in->protocol_count; i++) {
        bool all = true;
        char name[256];
        if (in->protocols[i].name.len >= sizeof name)
            continue;
        snprintf(name, sizeof name, BR_STR_FMT, BR_STR_ARG(in->protocols[i].name));
        BR_LIST_FOR(m, &g->members, struct group_member, link)
            all = all && (m == self || group_member_supports(m, name));
        if (all)
            return true;
    }
    return false;
}

static void end_sync(struct group_core *g, int64_t now_ms, enum kw_error error, struct group_effects *fx)
{
    BR_LIST_FOR(m, &g->members, struct group_member, link) {
        if (error != KW_NONE)
            group_member_set_assignment(m, br_str("", 0));
        if (m->sync_token)
            renew(m, now_ms);
        reply_sync(fx, m, error);
    }
}

/* Joins end: a new generation, answers to all who wait leave together. */
static void complete_joins(struct group_core *g, int64_t now_ms, struct group_effects *fx)
{
    BR_ASSERT(g->state == GROUP_PREPARING);
    BR_LIST_FOR_SAFE(m, next, &g->members, struct group_member, link)
        if (!m->has_joined && !m->instance_id) /* static members keep their place until their session ends */
            group_member_remove(g, m);
    g->generation++;
    g->delay_until_ms = 0;
    struct group_member *leader = g->leader ? group_core_member(g, br_str_c(g->leader)) : NULL;
    if (!leader || !leader->has_joined) { /* elect one of those who are here */
        leader = NULL;
        BR_LIST_FOR(m, &g->members, struct group_member, link)
            if (!leader && m->has_joined)
                leader = m;
    }
    const char *protocol = choose_protocol(g);
    if (br_list_is_empty(&g->members) || !leader || !protocol) {
        BR_LIST_FOR_SAFE(m, next, &g->members, struct group_member, link) {
            reply_join(fx, m, KW_INCONSISTENT_GROUP_PROTOCOL, false);
            detach(fx, m);
            group_member_remove(g, m);
        }
        g->state = GROUP_EMPTY;
        g->deadline_ms = INT64_MAX;
        set_text(&g->protocol, NULL);
        set_text(&g->leader, NULL);
        effect(fx, GROUP_FX_PERSIST);
        return;
    }
    set_text(&g->leader, leader->id);
    set_text(&g->protocol, protocol);
    g->state = GROUP_COMPLETING;
    g->deadline_ms = now_ms + rebalance_timeout(g);
    BR_LIST_FOR(m, &g->members, struct group_member, link) {
        m->has_synced = false;
        if (m->has_joined)
            renew(m, now_ms);
        m->has_joined = false;
        reply_join(fx, m, KW_NONE, is_leader(g, m));
    }
}

static void maybe_complete_joins(struct group_core *g, int64_t now_ms, struct group_effects *fx)
{
    if (g->state != GROUP_PREPARING || now_ms < g->delay_until_ms || br_map_count(&g->pending) > 0)
        return;
    BR_LIST_FOR(m, &g->members, struct group_member, link)
        if (!m->has_joined)
            return;
    complete_joins(g, now_ms, fx);
}

/* The member (new or known) waits for the rebalance with these protocols. */
static void wait_for_join(struct group_core *g, struct group_member *m, const struct group_join *in, void *token, int64_t now_ms, struct group_effects *fx)
{
    if (m->join_token && m->join_token != token) /* the same member on a second connection: the first is told to try again */
        reply_join(fx, m, KW_REBALANCE_IN_PROGRESS, false);
    group_member_set_protocols(m, in->protocols, in->protocol_count);
    m->session_timeout_ms = in->session_timeout_ms;
    m->rebalance_timeout_ms = in->rebalance_timeout_ms;
    if (!g->protocol_type || g->state == GROUP_EMPTY)
        set_text(&g->protocol_type, NULL);
    if (!g->protocol_type)
        g->protocol_type = br_strndup(in->protocol_type.data, in->protocol_type.len);
    prepare(g, now_ms, fx);
    m->join_token = token;
    m->has_joined = true;
    m->deadline_ms = INT64_MAX; /* a waiting member has no session to keep */
    if (g->delay_until_ms > now_ms) {
        int64_t until = now_ms + g->limits.initial_delay_ms;
        g->delay_until_ms = BR_MIN(BR_MAX(until, g->delay_until_ms), BR_MAX(g->delay_limit_ms, g->delay_until_ms));
    }
    maybe_complete_joins(g, now_ms, fx);
}

static void answer_join_now(struct group_core *g, struct group_member *m, void *token, bool with_members, bool skip, int64_t now_ms, struct group_effects *fx)
{
    renew(m, now_ms);
    m->join_token = token;
    reply_join(fx, m, KW_NONE, with_members);
    fx->items[fx->count - 1].skip_assignment = skip;
    BR_ASSERT(g->protocol != NULL);
}

/* The instance id is known: the new member id takes its place. */
static enum kw_error replace_static(struct group_core *g, struct group_member *m, const struct group_join *in, void *token, int64_t now_ms,
                                    struct group_effects *fx)
{
    bool same = group_member_has_protocols(m, in->protocols, in->protocol_count);
    reply_join(fx, m, KW_FENCED_INSTANCE_ID, false);
    reply_sync(fx, m, KW_FENCED_INSTANCE_ID);
    detach(fx, m);
    group_member_rename(g, m, in->new_id);
    m->session_timeout_ms = in->session_timeout_ms;
    m->rebalance_timeout_ms = in->rebalance_timeout_ms;
    if (g->state == GROUP_STABLE && same) {
        effect(fx, GROUP_FX_PERSIST); /* the new id must survive a restart */
        answer_join_now(g, m, token, is_leader(g, m), is_leader(g, m), now_ms, fx);
        return KW_NONE;
    }
    wait_for_join(g, m, in, token, now_ms, fx);
    return KW_NONE;
}

static enum kw_error join_without_id(struct group_core *g, const struct group_join *in, void *token, int64_t now_ms, struct group_effects *fx)
{
    bool is_static = !br_str_is_null(in->instance_id);
    struct group_member *m = is_static ? br_map_get_str(&g->by_instance, in->instance_id) : NULL;
    if (!fits_protocols(g, m, in))
        return KW_INCONSISTENT_GROUP_PROTOCOL;
    if (m)
        return replace_static(g, m, in, token, now_ms, fx);
    if (br_map_count(&g->by_id) + br_map_count(&g->pending) >= (size_t)g->limits.size_max)
        return KW_GROUP_MAX_SIZE_REACHED;
    if (in->requires_known_id && !is_static) {
        struct group_pending *pending = br_alloc(sizeof *pending);
        pending->deadline_ms = now_ms + in->session_timeout_ms;
        br_map_put_str(&g->pending, in->new_id, pending);
        return KW_MEMBER_ID_REQUIRED;
    }
    m = group_member_add(g, in->new_id, in->instance_id, in->client_id, in->client_host);
    wait_for_join(g, m, in, token, now_ms, fx);
    return KW_NONE;
}

static enum kw_error join_known(struct group_core *g, struct group_member *m, const struct group_join *in, void *token, int64_t now_ms,
                                struct group_effects *fx)
{
    bool same = group_member_has_protocols(m, in->protocols, in->protocol_count);
    if (g->state == GROUP_STABLE && same && !is_leader(g, m)) {
        answer_join_now(g, m, token, false, false, now_ms, fx);
    } else if (g->state == GROUP_COMPLETING && same) { /* its answer was lost */
        answer_join_now(g, m, token, is_leader(g, m), false, now_ms, fx);
    } else {
        wait_for_join(g, m, in, token, now_ms, fx);
    }
    return KW_NONE;
}

enum kw_error group_core_join(struct group_core *g, const struct group_join *in, void *token, int64_t now_ms, struct group_effects *fx)
{
    BR_ASSERT(token != NULL);
    if (in->member_id.len == 0)
        return join_without_id(g, in, token, now_ms, fx);
    struct group_member *m = group_core_member(g, in->member_id);
    struct group_member *by_instance = br_str_is_null(in->instance_id) ? NULL : br_map_get_str(&g->by_instance, in->instance_id);
    struct group_pending *pending = br_map_get_str(&g->pending, in->member_id);
    if (by_instance && by_instance != m)
        return KW_FENCED_INSTANCE_ID;
    if (!m && !pending)
        return KW_UNKNOWN_MEMBER_ID;
    if (!br_str_is_null(in->instance_id) && !by_instance)
        return KW_UNKNOWN_MEMBER_ID; /* a dynamic member's id does not become static */
    if (!fits_protocols(g, m, in))
        return KW_INCONSISTENT_GROUP_PROTOCOL;
    if (m)
        return join_known(g, m, in, token, now_ms, fx);
    br_free(br_map_remove_str(&g->pending, in->member_id));
    m = group_member_add(g, in->member_id, in->instance_id, in->client_id, in->client_host);
    wait_for_join(g, m, in, token, now_ms, fx);
    return KW_NONE;
}

/* The member that speaks, or why it may not. */
static enum kw_error find_member(const struct group_core *g, struct br_str member_id, struct br_str instance_id, struct group_member **out)
{
    struct group_member *m = group_core_member(g, member_id);
    if (!br_str_is_null(instance_id)) {
        struct group_member *by_instance = br_map_get_str(&g->by_instance, instance_id);
        if (!by_instance)
            return KW_UNKNOWN_MEMBER_ID;
        if (by_instance != m)
            return KW_FENCED_INSTANCE_ID;
    }
    if (!m)
        return KW_UNKNOWN_MEMBER_ID;
    *out = m;
    return KW_NONE;
}

static void take_assignments(struct group_core *g, const struct group_assignment_in *assignments, unsigned count)
{
    BR_LIST_FOR(m, &g->members, struct group_member, link)
        group_member_set_assignment(m, br_str("", 0)); /* those left out get nothing */
    for (unsigned i = 0; i < count; i++) {
        struct group_member *to = group_core_member(g, assignments[i].member_id);
        if (to)
            group_member_set_assignment(to, assignments[i].assignment);
    }
}

enum kw_error group_core_sync(struct group_core *g, struct br_str member_id, struct br_str instance_id, int32_t generation, struct br_str protocol_type,
                              struct br_str protocol, const struct group_assignment_in *assignments, unsigned count, void *token, int64_t now_ms,
                              struct group_effects *fx)
{
    struct group_member *m = NULL;
    enum kw_error error = find_member(g, member_id, instance_id, &m);
    if (error != KW_NONE)
        return error;
    if (generation != g->generation)
        return KW_ILLEGAL_GENERATION;
    if ((!br_str_is_null(protocol_type) && g->protocol_type && !br_str_eq_c(protocol_type, g->protocol_type)) ||
        (!br_str_is_null(protocol) && g->protocol && !br_str_eq_c(protocol, g->protocol)))
        return KW_INCONSISTENT_GROUP_PROTOCOL;
    renew(m, now_ms);
    switch (g->state) {
    case GROUP_EMPTY: return KW_UNKNOWN_MEMBER_ID;
    case GROUP_PREPARING: return KW_REBALANCE_IN_PROGRESS;
    case GROUP_STABLE:
        m->has_synced = true;
        m->sync_token = token;
        reply_sync(fx, m, KW_NONE);
        return KW_NONE;
    case GROUP_COMPLETING: break;
    }
    if (m->sync_token && m->sync_token != token)
        reply_sync(fx, m, KW_REBALANCE_IN_PROGRESS);
    m->sync_token = token;
    m->has_synced = true;
    if (is_leader(g, m) && !g->is_persisting) {
        take_assignments(g, assignments, count);
        g->is_persisting = true;
        effect(fx, GROUP_FX_PERSIST);
    }
    return KW_NONE;
}

void group_core_persisted(struct group_core *g, enum kw_error error, int64_t now_ms, struct group_effects *fx)
{
    if (g->state != GROUP_COMPLETING || !g->is_persisting)
        return; /* another rebalance began meanwhile, or an empty group was stored */
    g->is_persisting = false;
    if (error != KW_NONE) {
        end_sync(g, now_ms, error, fx);
        prepare(g, now_ms, fx);
        return;
    }
    g->state = GROUP_STABLE;
    g->deadline_ms = now_ms + rebalance_timeout(g); /* for members that have not synced yet */
    end_sync(g, now_ms, KW_NONE, fx);
}

enum kw_error group_core_heartbeat(struct group_core *g, struct br_str member_id, struct br_str instance_id, int32_t generation, int64_t now_ms)
{
    struct group_member *m = NULL;
    enum kw_error error = find_member(g, member_id, instance_id, &m);
    if (error != KW_NONE)
        return error;
    if (generation != g->generation)
        return KW_ILLEGAL_GENERATION;
    if (!m->join_token)
        renew(m, now_ms);
    return g->state == GROUP_PREPARING ? KW_REBALANCE_IN_PROGRESS : KW_NONE;
}

static void remove_member(struct group_core *g, struct group_member *m, enum kw_error error, int64_t now_ms, struct group_effects *fx)
{
    reply_join(fx, m, error, false);
    reply_sync(fx, m, error);
    detach(fx, m);
    group_member_remove(g, m);
    if (g->state == GROUP_STABLE || g->state == GROUP_COMPLETING)
        prepare(g, now_ms, fx);
    maybe_complete_joins(g, now_ms, fx);
}

enum kw_error group_core_leave(struct group_core *g, struct br_str member_id, struct br_str instance_id, int64_t now_ms, struct group_effects *fx)
{
    struct group_pending *pending = br_map_get_str(&g->pending, member_id);
    if (pending && br_str_is_null(instance_id)) {
        br_free(br_map_remove_str(&g->pending, member_id));
        maybe_complete_joins(g, now_ms, fx);
        return KW_NONE;
    }
    struct group_member *m = NULL;
    if (!br_str_is_null(instance_id) && member_id.len == 0) { /* a tool removes a static member by its instance id */
        m = br_map_get_str(&g->by_instance, instance_id);
        if (!m)
            return KW_UNKNOWN_MEMBER_ID;
    } else {
        enum kw_error error = find_member(g, member_id, instance_id, &m);
        if (error != KW_NONE)
            return error;
    }
    remove_member(g, m, KW_UNKNOWN_MEMBER_ID, now_ms, fx);
    return KW_NONE;
}

enum kw_error group_core_commit_check(struct group_core *g, struct br_str member_id, struct br_str instance_id, int32_t generation, int64_t now_ms)
{
    if (generation < 0 && member_id.len == 0 && br_str_is_null(instance_id)) /* a tool, or a consumer that assigns itself */
        return g->state == GROUP_EMPTY ? KW_NONE : KW_UNKNOWN_MEMBER_ID;
    struct group_member *m = NULL;
    enum kw_error error = find_member(g, member_id, instance_id, &m);
    if (error != KW_NONE)
        return error;
    if (generation != g->generation)
        return KW_ILLEGAL_GENERATION;
    if (g->state == GROUP_COMPLETING)
        return KW_REBALANCE_IN_PROGRESS;
    if (!m->join_token)
        renew(m, now_ms);
    return KW_NONE;
}

void group_core_forget_token(struct group_core *g, void *token, int64_t now_ms)
{
    BR_LIST_FOR(m, &g->members, struct group_member, link) {
        if (m->join_token == token) {
            m->join_token = NULL; /* it counts as joined; its session runs again */
            renew(m, now_ms);
        }
        if (m->sync_token == token)
            m->sync_token = NULL;
    }
}

static void expire_pending(struct group_core *g, int64_t now_ms)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&g->pending, &at));) {
        struct group_pending *pending = e->value;
        if (pending->deadline_ms <= now_ms)
            br_free(br_map_remove(&g->pending, e->key, e->key_len));
    }
}

static void expire_members(struct group_core *g, int64_t now_ms, struct group_effects *fx)
{
    BR_LIST_FOR_SAFE(m, next, &g->members, struct group_member, link) {
        if (m->deadline_ms > now_ms)
            continue;
        reply_join(fx, m, KW_UNKNOWN_MEMBER_ID, false);
        reply_sync(fx, m, KW_UNKNOWN_MEMBER_ID);
        detach(fx, m);
        group_member_remove(g, m);
        if (g->state == GROUP_STABLE || g->state == GROUP_COMPLETING)
            prepare(g, now_ms, fx);
    }
    if (br_list_is_empty(&g->members) && g->state == GROUP_PREPARING && br_map_count(&g->pending) == 0)
        g->delay_until_ms = 0;
}

/* COMPLETING ends without the leader, or STABLE with members that never synced: they go. */
static void expire_syncs(struct group_core *g, int64_t now_ms, struct group_effects *fx)
{
    bool is_gone = false;
    BR_LIST_FOR_SAFE(m, next, &g->members, struct group_member, link) {
        if (m->has_synced || m->instance_id)
            continue;
        BR_ASSERT(!m->join_token && !m->sync_token);
        group_member_remove(g, m);
        is_gone = true;
    }
    g->deadline_ms = INT64_MAX;
    if (is_gone || g->state == GROUP_COMPLETING)
        prepare(g, now_ms, fx);
}

void group_core_tick(struct group_core *g, int64_t now_ms, struct group_effects *fx)
{
    expire_pending(g, now_ms);
    expire_members(g, now_ms, fx);
    if (g->delay_until_ms <= now_ms)
        g->delay_until_ms = 0; /* over, also when members to come still hold the rebalance up: a deadline is never in the past */
    if ((g->state == GROUP_COMPLETING || g->state == GROUP_STABLE) && g->deadline_ms <= now_ms && !g->is_persisting)
        expire_syncs(g, now_ms, fx);
    if (g->state == GROUP_PREPARING && g->deadline_ms <= now_ms && g->delay_until_ms <= now_ms)
        complete_joins(g, now_ms, fx);
    maybe_complete_joins(g, now_ms, fx);
}

int64_t group_core_deadline(const struct group_core *g)
{
    int64_t first = g->is_persisting ? INT64_MAX : g->deadline_ms;
    if (g->state == GROUP_PREPARING && g->delay_until_ms > 0)
        first = BR_MIN(first, g->delay_until_ms);
    BR_LIST_FOR(m, &g->members, struct group_member, link)
        first = BR_MIN(first, m->deadline_ms);
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&g->pending, &at));)
        first = BR_MIN(first, ((struct group_pending *)e->value)->deadline_ms);
    return first;
}

struct group_member *group_core_member(const struct group_core *g, struct br_str id)
{
    return br_map_get_str(&g->by_id, id);
}

struct br_str group_core_metadata(const struct group_core *g, const struct group_member *m)
{
    for (unsigned i = 0; g->protocol && i < m->protocol_count; i++)
        if (strcmp(m->protocols[i].name, g->protocol) == 0)
            return m->protocols[i].metadata;
    return br_str("", 0);
}

struct group_member *group_core_restore_member(struct group_core *g, struct br_str id, struct br_str instance_id, struct br_str client_id, struct br_str client_host,
                                               int32_t rebalance_timeout_ms, int32_t session_timeout_ms, struct br_str subscription, struct br_str assignment,
                                               int64_t now_ms)
{
    struct group_member *m = group_member_add(g, id, instance_id, client_id, client_host);
    struct group_protocol_in protocol = {br_str_c(g->protocol ? g->protocol : ""), subscription};
    group_member_set_protocols(m, &protocol, 1);
    group_member_set_assignment(m, assignment);
    m->rebalance_timeout_ms = rebalance_timeout_ms;
    m->session_timeout_ms = session_timeout_ms;
    m->has_synced = true;
    renew(m, now_ms);
    return m;
}

const char *group_state_name(enum group_state state)
{
    static const char *const names[] = {"Empty", "PreparingRebalance", "CompletingRebalance", "Stable"};
    return names[state];
}

void group_core_check(const struct group_core *g)
{
    size_t members = 0, statics = 0;
    BR_LIST_FOR(m, &g->members, struct group_member, link) {
        members++;
        statics += m->instance_id != NULL;
        BR_ASSERT(group_core_member(g, br_str_c(m->id)) == m);                               /* K-1 */
        if (m->instance_id)
            BR_ASSERT(br_map_get(&g->by_instance, m->instance_id, strlen(m->instance_id)) == m); /* K-1 */
        if (m->join_token)
            BR_ASSERT(g->state == GROUP_PREPARING);                                          /* K-2 */
        if (m->sync_token)
            BR_ASSERT(g->state == GROUP_COMPLETING);                                         /* K-2 */
        if (!m->join_token)
            BR_ASSERT(m->deadline_ms != INT64_MAX);                                          /* K-3 */
    }
    BR_ASSERT(members == br_map_count(&g->by_id) && statics == br_map_count(&g->by_instance)); /* K-1 */
    if (g->state == GROUP_EMPTY)
        BR_ASSERT(members == 0);                                                             /* K-4 */
    if (g->state == GROUP_STABLE || g->state == GROUP_COMPLETING) {
        BR_ASSERT(members > 0 && g->protocol && g->protocol_type);                           /* K-4 */
        BR_ASSERT(g->leader && group_core_member(g, br_str_c(g->leader)) != NULL);           /* K-5 */
    }
}
