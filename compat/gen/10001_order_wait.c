/* Made by kwgen.py from 10001_order_wait.kw: do not edit. */
#include "compat/gen/10001_order_wait.h"
#include "compat/wire/table.h"

static const struct kw_field kw_order_wait_request_fields[] = {
    {"position", NULL, 0, offsetof(struct kw_order_wait_request, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"timeout_ms", NULL, 0, offsetof(struct kw_order_wait_request, timeout_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_order_wait_request_root = {"OrderWaitRequest", kw_order_wait_request_fields, sizeof(struct kw_order_wait_request), 2, 0};

const struct kw_message kw_order_wait_request = {"OrderWaitRequest", 10001, 0, 0, 0,
    &kw_order_wait_request_root};

static const struct kw_field kw_order_wait_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_order_wait_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_order_wait_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_order_wait_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"stable", NULL, 0, offsetof(struct kw_order_wait_response, stable), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
static const struct kw_struct kw_order_wait_response_root = {"OrderWaitResponse", kw_order_wait_response_fields, sizeof(struct kw_order_wait_response), 4, 0};

const struct kw_message kw_order_wait_response = {"OrderWaitResponse", 10001, 0, 0, 0,
    &kw_order_wait_response_root};
