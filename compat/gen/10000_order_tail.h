/* Made by kwgen.py from 10000_order_tail.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_order_tail_request {
    bool linearizable;
    int32_t timeout_ms;
};
extern const struct kw_message kw_order_tail_request;

struct kw_order_tail_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    int64_t tail;
    int64_t start;
};
extern const struct kw_message kw_order_tail_response;
