/* Made by kwgen.py from 10003_order_cut.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_order_cut_request {
    int64_t position;
    struct br_str *topics; /* null */
    int32_t topics_count;
    int32_t timeout_ms;
};
extern const struct kw_message kw_order_cut_request;

struct kw_order_cut_response_partition {
    int32_t partition;
    int64_t offset;
};
extern const struct kw_struct kw_order_cut_response_partition;

struct kw_order_cut_response_topic {
    struct br_str name;
    struct br_uuid topic_id;
    struct kw_order_cut_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_order_cut_response_topic;

struct kw_order_cut_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    int64_t position;
    struct kw_order_cut_response_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_order_cut_response;
