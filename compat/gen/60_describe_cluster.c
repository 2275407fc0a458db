/* Made by kwgen.py from 60_describe_cluster.kw: do not edit. */
#include "compat/gen/60_describe_cluster.h"
#include "compat/wire/table.h"

static const struct kw_field kw_describe_cluster_request_fields[] = {
    {"include_cluster_authorized_operations", NULL, 0, offsetof(struct kw_describe_cluster_request, include_cluster_authorized_operations), 0,
     0, 2, KW_NEVER, -1, KW_T_BOOL, 0},
    {"endpoint_type", NULL, 1, offsetof(struct kw_describe_cluster_request, endpoint_type), 0,
     1, 2, KW_NEVER, -1, KW_T_INT8, 0},
    {"include_fenced_brokers", NULL, 0, offsetof(struct kw_describe_cluster_request, include_fenced_brokers), 0,
     2, 2, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_describe_cluster_request_root = {"DescribeClusterRequest", kw_describe_cluster_request_fields, sizeof(struct kw_describe_cluster_request), 3, 0};

const struct kw_message kw_describe_cluster_request = {"DescribeClusterRequest", 60, 0, 2, 0,
    &kw_describe_cluster_request_root};

static const struct kw_field kw_describe_cluster_response_broker_fields[] = {
    {"broker_id", NULL, 0, offsetof(struct kw_describe_cluster_response_broker, broker_id), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
    {"host", NULL, 0, offsetof(struct kw_describe_cluster_response_broker, host), 0,
     0, 2, KW_NEVER, -1, KW_T_STRING, 0},
    {"port", NULL, 0, offsetof(struct kw_describe_cluster_response_broker, port), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
    {"rack", NULL, 0, offsetof(struct kw_describe_cluster_response_broker, rack), 0,
     0, 2, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"is_fenced", NULL, 0, offsetof(struct kw_describe_cluster_response_broker, is_fenced), 0,
     2, 2, KW_NEVER, -1, KW_T_BOOL, 0},
};
const struct kw_struct kw_describe_cluster_response_broker = {"broker", kw_describe_cluster_response_broker_fields, sizeof(struct kw_describe_cluster_response_broker), 5, 0};

static const struct kw_field kw_describe_cluster_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_describe_cluster_response, throttle_time_ms), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_describe_cluster_response, error_code), 0,
     0, 2, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_describe_cluster_response, error_message), 0,
     0, 2, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"endpoint_type", NULL, 1, offsetof(struct kw_describe_cluster_response, endpoint_type), 0,
     1, 2, KW_NEVER, -1, KW_T_INT8, 0},
    {"cluster_id", NULL, 0, offsetof(struct kw_describe_cluster_response, cluster_id), 0,
     0, 2, KW_NEVER, -1, KW_T_STRING, 0},
    {"controller_id", NULL, -1, offsetof(struct kw_describe_cluster_response, controller_id), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
    {"brokers", &kw_describe_cluster_response_broker, 0, offsetof(struct kw_describe_cluster_response, brokers), offsetof(struct kw_describe_cluster_response, brokers_count),
     0, 2, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"cluster_authorized_operations", NULL, -2147483648, offsetof(struct kw_describe_cluster_response, cluster_authorized_operations), 0,
     0, 2, KW_NEVER, -1, KW_T_INT32, 0},
};
static const struct kw_struct kw_describe_cluster_response_root = {"DescribeClusterResponse", kw_describe_cluster_response_fields, sizeof(struct kw_describe_cluster_response), 8, 0};

const struct kw_message kw_describe_cluster_response = {"DescribeClusterResponse", 60, 0, 2, 0,
    &kw_describe_cluster_response_root};
