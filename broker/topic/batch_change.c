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
