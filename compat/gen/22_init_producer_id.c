/* Made by kwgen.py from 22_init_producer_id.kw: do not edit. */
#include "compat/gen/22_init_producer_id.h"
#include "compat/wire/table.h"

static const struct kw_field kw_init_producer_id_request_fields[] = {
    {"transactional_id", NULL, 0, offsetof(struct kw_init_producer_id_request, transactional_id), 0,
     0, 5, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"transaction_timeout_ms", NULL, 0, offsetof(struct kw_init_producer_id_request, transaction_timeout_ms), 0,
     0, 5, KW_NEVER, -1, KW_T_INT32, 0},
    {"producer_id", NULL, -1, offsetof(struct kw_init_producer_id_request, producer_id), 0,
     3, 5, KW_NEVER, -1, KW_T_INT64, 0},
    {"producer_epoch", NULL, -1, offsetof(struct kw_init_producer_id_request, producer_epoch), 0,
     3, 5, KW_NEVER, -1, KW_T_INT16, 0},
};
static const struct kw_struct kw_init_producer_id_request_root = {"InitProducerIdRequest", kw_init_producer_id_request_fields, sizeof(struct kw_init_producer_id_request), 4, 0};

const struct kw_message kw_init_producer_id_request = {"InitProducerIdRequest", 22, 0, 5, 2,
    &kw_init_producer_id_request_root};

static const struct kw_field kw_init_producer_id_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_init_producer_id_response, throttle_time_ms), 0,
     0, 5, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_init_producer_id_response, error_code), 0,
     0, 5, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"producer_id", NULL, -1, offsetof(struct kw_init_producer_id_response, producer_id), 0,
     0, 5, KW_NEVER, -1, KW_T_INT64, 0},
    {"producer_epoch", NULL, 0, offsetof(struct kw_init_producer_id_response, producer_epoch), 0,
     0, 5, KW_NEVER, -1, KW_T_INT16, 0},
};
static const struct kw_struct kw_init_producer_id_response_root = {"InitProducerIdResponse", kw_init_producer_id_response_fields, sizeof(struct kw_init_producer_id_response), 4, 0};

const struct kw_message kw_init_producer_id_response = {"InitProducerIdResponse", 22, 0, 5, 2,
    &kw_init_producer_id_response_root};
