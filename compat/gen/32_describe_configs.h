/* Made by kwgen.py from 32_describe_configs.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_describe_configs_request_resource {
    int8_t resource_type;
    struct br_str resource_name;
    struct br_str *configuration_keys; /* null */
    int32_t configuration_keys_count;
};
extern const struct kw_struct kw_describe_configs_request_resource;

struct kw_describe_configs_request {
    struct kw_describe_configs_request_resource *resources;
    int32_t resources_count;
    bool include_synonyms;
    bool include_documentation; /* v3-4 */
};
extern const struct kw_message kw_describe_configs_request;

struct kw_describe_configs_response_synonym {
    struct br_str name;
    struct br_str value; /* null */
    int8_t source;
};
extern const struct kw_struct kw_describe_configs_response_synonym;

struct kw_describe_configs_response_config {
    struct br_str name;
    struct br_str value; /* null */
    bool read_only;
    int8_t config_source; /* default -1 */
    bool is_sensitive;
    struct kw_describe_configs_response_synonym *synonyms;
    int32_t synonyms_count;
    int8_t config_type; /* v3-4 */
    struct br_str documentation; /* v3-4, null */
};
extern const struct kw_struct kw_describe_configs_response_config;

struct kw_describe_configs_response_result {
    int16_t error_code;
    struct br_str error_message; /* null */
    int8_t resource_type;
    struct br_str resource_name;
    struct kw_describe_configs_response_config *configs;
    int32_t configs_count;
};
extern const struct kw_struct kw_describe_configs_response_result;

struct kw_describe_configs_response {
    int32_t throttle_time_ms;
    struct kw_describe_configs_response_result *results;
    int32_t results_count;
};
extern const struct kw_message kw_describe_configs_response;
