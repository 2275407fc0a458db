/* Members of a classic group: making, changing, finding and removing them. The machine's decisions are in classic.c. */
#include "broker/group/member.h"
#include "compat/base/mem.h"

static struct br_str copy_bytes(struct br_str in)
{
    return br_str(br_strndup(in.data ? in.data : "", in.len), in.len);
}

static void free_protocols(struct group_member *m)
{
    for (unsigned i = 0; i < m->protocol_count; i++) {
        br_free(m->protocols[i].name);
        br_free((char *)(uintptr_t)m->protocols[i].metadata.data);
    }
    br_free(m->protocols);
    m->protocols = NULL;
    m->protocol_count = 0;
}

void group_member_set_assignment(struct group_member *m, struct br_str assignment)
{
    br_free((char *)(uintptr_t)m->assignment.data);
    m->assignment = copy_bytes(assignment);
}

void group_member_set_protocols(struct group_member *m, const struct group_protocol_in *protocols, unsigned count)
{
    free_protocols(m);
    m->protocols = br_alloc_array(count, sizeof *m->protocols);
    m->protocol_count = count;
    for (unsigned i = 0; i < count; i++) {
        m->protocols[i].name = br_strndup(protocols[i].name.len ? protocols[i].name.data : "", protocols[i].name.len);
        m->protocols[i].metadata = copy_bytes(protocols[i].metadata);
    }
}

bool group_member_has_protocols(const struct group_member *m, const struct group_protocol_in *protocols, unsigned count)
{
    if (m->protocol_count != count)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (!br_str_eq_c(protocols[i].name, m->protocols[i].name) || !br_str_eq(protocols[i].metadata, m->protocols[i].metadata))
            return false;
    return true;
}

bool group_member_supports(const struct group_member *m, const char *protocol)
{
    for (unsigned i = 0; i < m->protocol_count; i++)
        if (strcmp(m->protocols[i].name, protocol) == 0)
            return true;
    return false;
}

struct group_member *group_member_add(struct group_core *g, struct br_str id, struct br_str instance_id, struct br_str client_id, struct br_str client_host)
{
    struct group_member *m = br_alloc(sizeof *m);
    m->id = br_strndup(id.data, id.len);
    m->instance_id = br_str_is_null(instance_id) ? NULL : br_strndup(instance_id.data, instance_id.len);
    m->client_id = br_strndup(client_id.len ? client_id.data : "", client_id.len);
    m->client_host = br_strndup(client_host.len ? client_host.data : "", client_host.len);
    m->assignment = copy_bytes(br_str("", 0));
    m->deadline_ms = INT64_MAX;
    br_list_append(&g->members, &m->link);
    BR_ASSERT(br_map_put_str(&g->by_id, id, m) == NULL);
    if (m->instance_id)
        br_map_put_str(&g->by_instance, instance_id, m);
    return m;
}

void group_member_remove(struct group_core *g, struct group_member *m)
{
    BR_ASSERT(br_map_remove(&g->by_id, m->id, strlen(m->id)) == m);
    if (m->instance_id && br_map_get(&g->by_instance, m->instance_id, strlen(m->instance_id)) == m)
        br_map_remove(&g->by_instance, m->instance_id, strlen(m->instance_id));
    if (g->leader && strcmp(g->leader, m->id) == 0) {
        br_free(g->leader);
        g->leader = NULL;
    }
    br_list_remove(&m->link);
    free_protocols(m);
    br_free((char *)(uintptr_t)m->assignment.data);
    br_free(m->id);
    br_free(m->instance_id);
    br_free(m->client_id);
    br_free(m->client_host);
    br_free(m);
}

void group_member_rename(struct group_core *g, struct group_member *m, struct br_str id)
{
    bool is_leader = g->leader && strcmp(g->leader, m->id) == 0;
    br_map_remove(&g->by_id, m->id, strlen(m->id));
    br_free(m->id);
    m->id = br_strndup(id.data, id.len);
    br_map_put_str(&g->by_id, id, m);
    if (is_leader) {
        br_free(g->leader);
        g->leader = br_strdup(m->id);
    }
}
