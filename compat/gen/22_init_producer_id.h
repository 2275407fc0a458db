/* Made by kwgen.py from 22_init_producer_id.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_init_producer_id_request {
    struct br_str transactional_id; /* null */
    int32_t transaction_timeout_ms;
    int64_t producer_id; /* v3-5, default -1 */
    int16_t producer_epoch; /* v3-5, default -1 */
};
extern const struct kw_message kw_init_producer_id_request;

struct kw_init_producer_id_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    int64_t producer_id; /* default -1 */
    int16_t producer_epoch;
};
extern const struct kw_message kw_init_producer_id_response;
