/* Made by kwgen.py from 10005_order_trim.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_order_trim_request {
    int64_t position;
    int32_t timeout_ms;
};
extern const struct kw_message kw_order_trim_request;

struct kw_order_trim_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    int64_t start;
};
extern const struct kw_message kw_order_trim_response;
