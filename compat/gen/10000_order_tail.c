/* Made by kwgen.py from 10000_order_tail.kw: do not edit. */
#include "compat/gen/10000_order_tail.h"
#include "compat/wire/table.h"

static const struct kw_field kw_order_tail_request_fields[] = {
    {"linearizable", NULL, 0, offsetof(struct kw_order_tail_request, linearizable), 0,
     0, 0, KW_NEVER, -1, KW_T_BOOL, 0},
    {"timeout_ms", NULL, 0, offsetof(struct kw_order_tail_request, timeout_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_order_tail_request_root = {"OrderTailRequest", kw_order_tail_request_fields, sizeof(struct kw_order_tail_request), 2, 0};

const struct kw_message kw_order_tail_request = {"OrderTailRequest", 10000, 0, 0, 0,
    &kw_order_tail_request_root};

static const struct kw_field kw_order_tail_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_order_tail_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_order_tail_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_order_tail_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"tail", NULL, 0, offsetof(struct kw_order_tail_response, tail), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"start", NULL, 0, offsetof(struct kw_order_tail_response, start), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
static const struct kw_struct kw_order_tail_response_root = {"OrderTailResponse", kw_order_tail_response_fields, sizeof(struct kw_order_tail_response), 5, 0};

const struct kw_message kw_order_tail_response = {"OrderTailResponse", 10000, 0, 0, 0,
    &kw_order_tail_response_root};
