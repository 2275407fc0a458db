/* Made by kwgen.py from 33_alter_configs.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_alter_configs_request_config {
    struct br_str name;
    struct br_str value; /* null */
};
extern const struct kw_struct kw_alter_configs_request_config;

struct kw_alter_configs_request_resource {
    int8_t resource_type;
    struct br_str resource_name;
    struct kw_alter_configs_request_config *configs;
    int32_t configs_count;
};
extern const struct kw_struct kw_alter_configs_request_resource;

struct kw_alter_configs_request {
    struct kw_alter_configs_request_resource *resources;
    int32_t resources_count;
    bool validate_only;
};
extern const struct kw_message kw_alter_configs_request;

struct kw_alter_configs_response_resource {
    int16_t error_code;
    struct br_str error_message; /* null */
    int8_t resource_type;
    struct br_str resource_name;
};
extern const struct kw_struct kw_alter_configs_response_resource;

struct kw_alter_configs_response {
    int32_t throttle_time_ms;
    struct kw_alter_configs_response_resource *responses;
    int32_t responses_count;
};
extern const struct kw_message kw_alter_configs_response;
