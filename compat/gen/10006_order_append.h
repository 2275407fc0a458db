/* Made by kwgen.py from 10006_order_append.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_order_append_request_append {
    struct br_str topic;
    int32_t partition;
    int64_t expected_end;
    struct kw_records records;
};
extern const struct kw_struct kw_order_append_request_append;

struct kw_order_append_request {
    bool sync;
    int32_t timeout_ms;
    struct kw_order_append_request_append *appends;
    int32_t appends_count;
};
extern const struct kw_message kw_order_append_request;

struct kw_order_append_response_append {
    int64_t base_offset; /* default -1 */
    int64_t end_offset; /* default -1 */
    int64_t position; /* default -1 */
};
extern const struct kw_struct kw_order_append_response_append;

struct kw_order_append_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    int32_t failed_index; /* default -1 */
    struct kw_order_append_response_append *appends;
    int32_t appends_count;
};
extern const struct kw_message kw_order_append_response;
