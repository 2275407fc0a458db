#include "broker/topic/batch_change.h"

static void cancel(struct broker_request *req)
{
    ((struct broker_changes *)req->state)->req = NULL;
}

struct broker_changes *broker_changes_new(struct broker_request *req, const void *response)
{
    struct broker_changes *all = br_alloc(sizeof *all);
    *all = (struct broker_changes){.req = req, .waiting = 1, .response = response};
    req->state = all;
    req->cancel = cancel;
    return all;
}

struct broker_change *broker_changes_add(struct broker_changes *all, int16_t *error, void (*applied)(struct broker_change *change, void *ctx), void *ctx)
{
    struct broker_change *change = br_alloc(sizeof *change);
    *change = (struct broker_change){.all = all, .error = error, .applied = applied, .ctx = ctx};
    all->waiting++;
    return change;
}

void broker_changes_seal(struct broker_changes *all)
{
    struct broker_request *req = all->req;
    BR_ASSERT(all->waiting > 0);
    if (--all->waiting > 0)
        return;
    const void *response = all->response;
    br_free(all);
    if (req)
        broker_reply(req, response);
}

void broker_change_done(void *ptr, enum kw_error error)
{
    struct broker_change *change = ptr;
    struct broker_changes *all = change->all;
    if (all->req) {
        *change->error = (int16_t)error;
        if (error == KW_NONE && change->applied)
            change->applied(change, change->ctx);
    }
    br_free(change);
    broker_changes_seal(all);
}

/* --- names given twice --- */

static char once, twice; /* their addresses are marks */

static char *name_key(int kind, struct br_str name)
{
    return br_asprintf("%d " BR_STR_FMT, kind, BR_STR_ARG(name));
}

void broker_names_init(struct broker_names *names) { br_map_init(&names->seen); }
void broker_names_clear(struct broker_names *names) { br_map_clear(&names->seen); }

void broker_names_note(struct broker_names *names, int kind, struct br_str name)
{
    char *key = name_key(kind, name);
    bool is_known = br_map_get(&names->seen, key, strlen(key)) != NULL;
    br_map_put(&names->seen, key, strlen(key), is_known ? &twice : &once);
    br_free(key);
}

bool broker_names_is_twice(const struct broker_names *names, int kind, struct br_str name)
{
    char *key = name_key(kind, name);
    bool is_twice = br_map_get(&names->seen, key, strlen(key)) == &twice;
    br_free(key);
    return is_twice;
}
