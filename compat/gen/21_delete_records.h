/* Made by kwgen.py from 21_delete_records.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_delete_records_request_partition {
    int32_t partition_index;
    int64_t offset;
};
extern const struct kw_struct kw_delete_records_request_partition;

struct kw_delete_records_request_topic {
    struct br_str name;
    struct kw_delete_records_request_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_delete_records_request_topic;

struct kw_delete_records_request {
    struct kw_delete_records_request_topic *topics;
    int32_t topics_count;
    int32_t timeout_ms;
};
extern const struct kw_message kw_delete_records_request;

struct kw_delete_records_response_partition {
    int32_t partition_index;
    int64_t low_watermark;
    int16_t error_code;
};
extern const struct kw_struct kw_delete_records_response_partition;

struct kw_delete_records_response_topic {
    struct br_str name;
    struct kw_delete_records_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_delete_records_response_topic;

struct kw_delete_records_response {
    int32_t throttle_time_ms;
    struct kw_delete_records_response_topic *topics;
    int32_t topics_count;
};
extern const struct kw_message kw_delete_records_response;
