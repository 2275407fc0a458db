/* InitProducerId, versions 0-5. 2 flexible, 3 id and epoch in (KIP-360).
 * Without a transactional id: a new id with epoch 0, whatever was sent. Transactions are not available: with one,
 * TRANSACTIONAL_ID_AUTHORIZATION_FAILED, which clients show at once. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/base/mem.h"
#include "compat/gen/22_init_producer_id.h"

struct init {
    struct broker_request *req;
};

static void answer(struct broker_request *req, enum kw_error error, int64_t producer_id)
{
    struct kw_init_producer_id_response response;
    kw_default(&kw_init_producer_id_response, &response);
    response.error_code = (int16_t)error;
    response.producer_id = producer_id;
    response.producer_epoch = error == KW_NONE ? 0 : -1;
    broker_reply(req, &response);
}

static void given(void *ctx, enum kw_error error, int64_t producer_id)
{
    struct init *init = ctx;
    struct broker_request *req = init->req;
    br_free(init);
    if (req)
        answer(req, error, producer_id);
}

static void cancel(struct broker_request *req)
{
    ((struct init *)req->state)->req = NULL;
}

void broker_handle_init_producer_id(struct broker_request *req)
{
    const struct kw_init_producer_id_request *body = req->body;
    if (!br_str_is_null(body->transactional_id)) {
        answer(req, body->transactional_id.len == 0 ? KW_INVALID_REQUEST : KW_TRANSACTIONAL_ID_AUTHORIZATION_FAILED, -1);
        return;
    }
    struct init *init = br_alloc(sizeof *init);
    init->req = req;
    req->state = init;
    req->cancel = cancel;
    broker_catalog_producer_id(req->broker->catalog, given, init);
}
