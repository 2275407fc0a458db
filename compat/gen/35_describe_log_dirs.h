/* Made by kwgen.py from 35_describe_log_dirs.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_describe_log_dirs_request_topic {
    struct br_str topic;
    int32_t *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_describe_log_dirs_request_topic;

struct kw_describe_log_dirs_request {
    struct kw_describe_log_dirs_request_topic *topics; /* null */
    int32_t topics_count;
};
extern const struct kw_message kw_describe_log_dirs_request;

struct kw_describe_log_dirs_response_partition {
    int32_t partition_index;
    int64_t partition_size;
    int64_t offset_lag;
    bool is_future_key;
};
extern const struct kw_struct kw_describe_log_dirs_response_partition;

struct kw_describe_log_dirs_response_topic {
    struct br_str name;
    struct kw_describe_log_dirs_response_partition *partitions;
    int32_t partitions_count;
};
extern const struct kw_struct kw_describe_log_dirs_response_topic;

struct kw_describe_log_dirs_response_result {
    int16_t error_code;
    struct br_str log_dir;
    struct kw_describe_log_dirs_response_topic *topics;
    int32_t topics_count;
    int64_t total_bytes; /* v4-5, default -1 */
    int64_t usable_bytes; /* v4-5, default -1 */
    bool is_cordoned; /* v5 */
};
extern const struct kw_struct kw_describe_log_dirs_response_result;

struct kw_describe_log_dirs_response {
    int32_t throttle_time_ms;
    int16_t error_code; /* v3-5 */
    struct kw_describe_log_dirs_response_result *results;
    int32_t results_count;
};
extern const struct kw_message kw_describe_log_dirs_response;
