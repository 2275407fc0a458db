/* Made by kwgen.py from 10005_order_trim.kw: do not edit. */
#include "compat/gen/10005_order_trim.h"
#include "compat/wire/table.h"

static const struct kw_field kw_order_trim_request_fields[] = {
    {"position", NULL, 0, offsetof(struct kw_order_trim_request, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"timeout_ms", NULL, 0, offsetof(struct kw_order_trim_request, timeout_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_order_trim_request_root = {"OrderTrimRequest", kw_order_trim_request_fields, sizeof(struct kw_order_trim_request), 2, 0};

const struct kw_message kw_order_trim_request = {"OrderTrimRequest", 10005, 0, 0, 0,
    &kw_order_trim_request_root};

static const struct kw_field kw_order_trim_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_order_trim_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_order_trim_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_order_trim_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"start", NULL, 0, offsetof(struct kw_order_trim_response, start), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
static const struct kw_struct kw_order_trim_response_root = {"OrderTrimResponse", kw_order_trim_response_fields, sizeof(struct kw_order_trim_response), 4, 0};

const struct kw_message kw_order_trim_response = {"OrderTrimResponse", 10005, 0, 0, 0,
    &kw_order_trim_response_root};
