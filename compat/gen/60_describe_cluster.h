/* Made by kwgen.py from 60_describe_cluster.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_describe_cluster_request {
    bool include_cluster_authorized_operations;
    int8_t endpoint_type; /* v1-2, default 1 */
    bool include_fenced_brokers; /* v2 */
};
extern const struct kw_message kw_describe_cluster_request;

struct kw_describe_cluster_response_broker {
    int32_t broker_id;
    struct br_str host;
    int32_t port;
    struct br_str rack; /* null */
    bool is_fenced; /* v2 */
};
extern const struct kw_struct kw_describe_cluster_response_broker;

struct kw_describe_cluster_response {
    int32_t throttle_time_ms;
    int16_t error_code;
    struct br_str error_message; /* null */
    int8_t endpoint_type; /* v1-2, default 1 */
    struct br_str cluster_id;
    int32_t controller_id; /* default -1 */
    struct kw_describe_cluster_response_broker *brokers;
    int32_t brokers_count;
    int32_t cluster_authorized_operations; /* default -2147483648 */
};
extern const struct kw_message kw_describe_cluster_response;
