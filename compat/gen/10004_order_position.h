/* Made by kwgen.py from 10004_order_position.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_order_position_request_offset {
    struct br_str topic;
    int32_t partition;
    int64_t offset;
};
extern const struct kw_struct kw_order_position_request_offset;

struct kw_order_position_request {
    struct kw_order_position_request_offset *offsets;
    int32_t offsets_count;
    int64_t *positions;
    int32_t positions_count;
};
extern const struct kw_message kw_order_position_request;

struct kw_order_position_response_offset {
    int16_t error_code;
    int64_t position; /* default -1 */
};
extern const struct kw_struct kw_order_position_response_offset;

struct kw_order_position_response_position {
    int16_t error_code;
    struct br_str topic;
    int32_t partition; /* default -1 */
    int64_t offset; /* default -1 */
};
extern const struct kw_struct kw_order_position_response_position;

struct kw_order_position_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    struct kw_order_position_response_offset *offsets;
    int32_t offsets_count;
    struct kw_order_position_response_position *positions;
    int32_t positions_count;
};
extern const struct kw_message kw_order_position_response;
