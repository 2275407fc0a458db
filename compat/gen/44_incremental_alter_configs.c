/* Made by kwgen.py from 44_incremental_alter_configs.kw: do not edit. */
#include "compat/gen/44_incremental_alter_configs.h"
#include "compat/wire/table.h"

static const struct kw_field kw_incremental_alter_configs_request_config_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_incremental_alter_configs_request_config, name), 0,
     0, 1, KW_NEVER, -1, KW_T_STRING, 0},
    {"config_operation", NULL, 0, offsetof(struct kw_incremental_alter_configs_request_config, config_operation), 0,
     0, 1, KW_NEVER, -1, KW_T_INT8, 0},
    {"value", NULL, 0, offsetof(struct kw_incremental_alter_configs_request_config, value), 0,
     0, 1, 0, -1, KW_T_STRING, KW_F_SECRET | KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_incremental_alter_configs_request_config = {"config", kw_incremental_alter_configs_request_config_fields, sizeof(struct kw_incremental_alter_configs_request_config), 3, 0};

static const struct kw_field kw_incremental_alter_configs_request_resource_fields[] = {
    {"resource_type", NULL, 0, offsetof(struct kw_incremental_alter_configs_request_resource, resource_type), 0,
     0, 1, KW_NEVER, -1, KW_T_INT8, 0},
    {"resource_name", NULL, 0, offsetof(struct kw_incremental_alter_configs_request_resource, resource_name), 0,
     0, 1, KW_NEVER, -1, KW_T_STRING, 0},
    {"configs", &kw_incremental_alter_configs_request_config, 0, offsetof(struct kw_incremental_alter_configs_request_resource, configs), offsetof(struct kw_incremental_alter_configs_request_resource, configs_count),
     0, 1, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_incremental_alter_configs_request_resource = {"resource", kw_incremental_alter_configs_request_resource_fields, sizeof(struct kw_incremental_alter_configs_request_resource), 3, 0};

static const struct kw_field kw_incremental_alter_configs_request_fields[] = {
    {"resources", &kw_incremental_alter_configs_request_resource, 0, offsetof(struct kw_incremental_alter_configs_request, resources), offsetof(struct kw_incremental_alter_configs_request, resources_count),
     0, 1, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"validate_only", NULL, 0, offsetof(struct kw_incremental_alter_configs_request, validate_only), 0,
     0, 1, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_incremental_alter_configs_request_root = {"IncrementalAlterConfigsRequest", kw_incremental_alter_configs_request_fields, sizeof(struct kw_incremental_alter_configs_request), 2, 0};

const struct kw_message kw_incremental_alter_configs_request = {"IncrementalAlterConfigsRequest", 44, 0, 1, 1,
    &kw_incremental_alter_configs_request_root};

static const struct kw_field kw_incremental_alter_configs_response_resource_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_incremental_alter_configs_response_resource, error_code), 0,
     0, 1, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_incremental_alter_configs_response_resource, error_message), 0,
     0, 1, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"resource_type", NULL, 0, offsetof(struct kw_incremental_alter_configs_response_resource, resource_type), 0,
     0, 1, KW_NEVER, -1, KW_T_INT8, 0},
    {"resource_name", NULL, 0, offsetof(struct kw_incremental_alter_configs_response_resource, resource_name), 0,
     0, 1, KW_NEVER, -1, KW_T_STRING, 0},
};
const struct kw_struct kw_incremental_alter_configs_response_resource = {"resource", kw_incremental_alter_configs_response_resource_fields, sizeof(struct kw_incremental_alter_configs_response_resource), 4, 0};

static const struct kw_field kw_incremental_alter_configs_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_incremental_alter_configs_response, throttle_time_ms), 0,
     0, 1, KW_NEVER, -1, KW_T_INT32, 0},
    {"responses", &kw_incremental_alter_configs_response_resource, 0, offsetof(struct kw_incremental_alter_configs_response, responses), offsetof(struct kw_incremental_alter_configs_response, responses_count),
     0, 1, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_incremental_alter_configs_response_root = {"IncrementalAlterConfigsResponse", kw_incremental_alter_configs_response_fields, sizeof(struct kw_incremental_alter_configs_response), 2, 0};

const struct kw_message kw_incremental_alter_configs_response = {"IncrementalAlterConfigsResponse", 44, 0, 1, 1,
    &kw_incremental_alter_configs_response_root};
