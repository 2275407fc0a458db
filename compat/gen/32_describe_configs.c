/* Made by kwgen.py from 32_describe_configs.kw: do not edit. */
#include "compat/gen/32_describe_configs.h"
#include "compat/wire/table.h"

static const struct kw_field kw_describe_configs_request_resource_fields[] = {
    {"resource_type", NULL, 0, offsetof(struct kw_describe_configs_request_resource, resource_type), 0,
     1, 4, KW_NEVER, -1, KW_T_INT8, 0},
    {"resource_name", NULL, 0, offsetof(struct kw_describe_configs_request_resource, resource_name), 0,
     1, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"configuration_keys", NULL, 0, offsetof(struct kw_describe_configs_request_resource, configuration_keys), offsetof(struct kw_describe_configs_request_resource, configuration_keys_count),
     1, 4, 1, -1, KW_T_STRING, KW_F_ARRAY | KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_describe_configs_request_resource = {"resource", kw_describe_configs_request_resource_fields, sizeof(struct kw_describe_configs_request_resource), 3, 0};

static const struct kw_field kw_describe_configs_request_fields[] = {
    {"resources", &kw_describe_configs_request_resource, 0, offsetof(struct kw_describe_configs_request, resources), offsetof(struct kw_describe_configs_request, resources_count),
     1, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"include_synonyms", NULL, 0, offsetof(struct kw_describe_configs_request, include_synonyms), 0,
     1, 4, KW_NEVER, -1, KW_T_BOOL, 0},
    {"include_documentation", NULL, 0, offsetof(struct kw_describe_configs_request, include_documentation), 0,
     3, 4, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_describe_configs_request_root = {"DescribeConfigsRequest", kw_describe_configs_request_fields, sizeof(struct kw_describe_configs_request), 3, 0};

const struct kw_message kw_describe_configs_request = {"DescribeConfigsRequest", 32, 1, 4, 4,
    &kw_describe_configs_request_root};

static const struct kw_field kw_describe_configs_response_synonym_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_describe_configs_response_synonym, name), 0,
     1, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"value", NULL, 0, offsetof(struct kw_describe_configs_response_synonym, value), 0,
     1, 4, 1, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"source", NULL, 0, offsetof(struct kw_describe_configs_response_synonym, source), 0,
     1, 4, KW_NEVER, -1, KW_T_INT8, 0},
};
const struct kw_struct kw_describe_configs_response_synonym = {"synonym", kw_describe_configs_response_synonym_fields, sizeof(struct kw_describe_configs_response_synonym), 3, 0};

static const struct kw_field kw_describe_configs_response_config_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_describe_configs_response_config, name), 0,
     1, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"value", NULL, 0, offsetof(struct kw_describe_configs_response_config, value), 0,
     1, 4, 1, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"read_only", NULL, 0, offsetof(struct kw_describe_configs_response_config, read_only), 0,
     1, 4, KW_NEVER, -1, KW_T_BOOL, 0},
    {"config_source", NULL, -1, offsetof(struct kw_describe_configs_response_config, config_source), 0,
     1, 4, KW_NEVER, -1, KW_T_INT8, 0},
    {"is_sensitive", NULL, 0, offsetof(struct kw_describe_configs_response_config, is_sensitive), 0,
     1, 4, KW_NEVER, -1, KW_T_BOOL, 0},
    {"synonyms", &kw_describe_configs_response_synonym, 0, offsetof(struct kw_describe_configs_response_config, synonyms), offsetof(struct kw_describe_configs_response_config, synonyms_count),
     1, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"config_type", NULL, 0, offsetof(struct kw_describe_configs_response_config, config_type), 0,
     3, 4, KW_NEVER, -1, KW_T_INT8, 0},
    {"documentation", NULL, 0, offsetof(struct kw_describe_configs_response_config, documentation), 0,
     3, 4, 3, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_describe_configs_response_config = {"config", kw_describe_configs_response_config_fields, sizeof(struct kw_describe_configs_response_config), 8, 0};

static const struct kw_field kw_describe_configs_response_result_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_describe_configs_response_result, error_code), 0,
     1, 4, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_describe_configs_response_result, error_message), 0,
     1, 4, 1, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"resource_type", NULL, 0, offsetof(struct kw_describe_configs_response_result, resource_type), 0,
     1, 4, KW_NEVER, -1, KW_T_INT8, 0},
    {"resource_name", NULL, 0, offsetof(struct kw_describe_configs_response_result, resource_name), 0,
     1, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"configs", &kw_describe_configs_response_config, 0, offsetof(struct kw_describe_configs_response_result, configs), offsetof(struct kw_describe_configs_response_result, configs_count),
     1, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
const struct kw_struct kw_describe_configs_response_result = {"result", kw_describe_configs_response_result_fields, sizeof(struct kw_describe_configs_response_result), 5, 0};

static const struct kw_field kw_describe_configs_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_describe_configs_response, throttle_time_ms), 0,
     1, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"results", &kw_describe_configs_response_result, 0, offsetof(struct kw_describe_configs_response, results), offsetof(struct kw_describe_configs_response, results_count),
     1, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_describe_configs_response_root = {"DescribeConfigsResponse", kw_describe_configs_response_fields, sizeof(struct kw_describe_configs_response), 2, 0};

const struct kw_message kw_describe_configs_response = {"DescribeConfigsResponse", 32, 1, 4, 4,
    &kw_describe_configs_response_root};
