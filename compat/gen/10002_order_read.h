/* Made by kwgen.py from 10002_order_read.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_order_read_request {
    int64_t position;
    int32_t max_bytes;
    int32_t max_wait_ms;
    struct br_str *topics; /* null */
    int32_t topics_count;
    bool speculative;
};
extern const struct kw_message kw_order_read_request;

struct kw_order_read_response_entry {
    int64_t position;
    struct br_str topic;
    struct br_uuid topic_id;
    int32_t partition;
    int64_t first_offset;
    int8_t flags;
    struct kw_records batch;
};
extern const struct kw_struct kw_order_read_response_entry;

struct kw_order_read_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    int32_t view;
    int64_t stable;
    int64_t start;
    int64_t next_position;
    struct kw_order_read_response_entry *entries;
    int32_t entries_count;
};
extern const struct kw_message kw_order_read_response;
