/* Made by kwgen.py from 18_api_versions.kw: do not edit. */
#include "compat/gen/18_api_versions.h"
#include "compat/wire/table.h"

static const struct kw_field kw_api_versions_request_fields[] = {
    {"client_software_name", NULL, 0, offsetof(struct kw_api_versions_request, client_software_name), 0,
     3, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"client_software_version", NULL, 0, offsetof(struct kw_api_versions_request, client_software_version), 0,
     3, 4, KW_NEVER, -1, KW_T_STRING, 0},
};
static const struct kw_struct kw_api_versions_request_root = {"ApiVersionsRequest", kw_api_versions_request_fields, sizeof(struct kw_api_versions_request), 2, 0};

const struct kw_message kw_api_versions_request = {"ApiVersionsRequest", 18, 0, 4, 3,
    &kw_api_versions_request_root};

static const struct kw_field kw_api_versions_response_api_version_fields[] = {
    {"api_key", NULL, 0, offsetof(struct kw_api_versions_response_api_version, api_key), 0,
     0, 4, KW_NEVER, -1, KW_T_INT16, 0},
    {"min_version", NULL, 0, offsetof(struct kw_api_versions_response_api_version, min_version), 0,
     0, 4, KW_NEVER, -1, KW_T_INT16, 0},
    {"max_version", NULL, 0, offsetof(struct kw_api_versions_response_api_version, max_version), 0,
     0, 4, KW_NEVER, -1, KW_T_INT16, 0},
};
const struct kw_struct kw_api_versions_response_api_version = {"api_version", kw_api_versions_response_api_version_fields, sizeof(struct kw_api_versions_response_api_version), 3, 0};

static const struct kw_field kw_api_versions_response_supported_feature_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_api_versions_response_supported_feature, name), 0,
     3, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"min_version", NULL, 0, offsetof(struct kw_api_versions_response_supported_feature, min_version), 0,
     3, 4, KW_NEVER, -1, KW_T_INT16, 0},
    {"max_version", NULL, 0, offsetof(struct kw_api_versions_response_supported_feature, max_version), 0,
     3, 4, KW_NEVER, -1, KW_T_INT16, 0},
};
const struct kw_struct kw_api_versions_response_supported_feature = {"supported_feature", kw_api_versions_response_supported_feature_fields, sizeof(struct kw_api_versions_response_supported_feature), 3, 0};

static const struct kw_field kw_api_versions_response_finalized_feature_fields[] = {
    {"name", NULL, 0, offsetof(struct kw_api_versions_response_finalized_feature, name), 0,
     3, 4, KW_NEVER, -1, KW_T_STRING, 0},
    {"max_version_level", NULL, 0, offsetof(struct kw_api_versions_response_finalized_feature, max_version_level), 0,
     3, 4, KW_NEVER, -1, KW_T_INT16, 0},
    {"min_version_level", NULL, 0, offsetof(struct kw_api_versions_response_finalized_feature, min_version_level), 0,
     3, 4, KW_NEVER, -1, KW_T_INT16, 0},
};
const struct kw_struct kw_api_versions_response_finalized_feature = {"finalized_feature", kw_api_versions_response_finalized_feature_fields, sizeof(struct kw_api_versions_response_finalized_feature), 3, 0};

static const struct kw_field kw_api_versions_response_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_api_versions_response, error_code), 0,
     0, 4, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"api_keys", &kw_api_versions_response_api_version, 0, offsetof(struct kw_api_versions_response, api_keys), offsetof(struct kw_api_versions_response, api_keys_count),
     0, 4, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_api_versions_response, throttle_time_ms), 0,
     1, 4, KW_NEVER, -1, KW_T_INT32, 0},
    {"supported_features", &kw_api_versions_response_supported_feature, 0, offsetof(struct kw_api_versions_response, supported_features), offsetof(struct kw_api_versions_response, supported_features_count),
     3, 4, KW_NEVER, 0, KW_T_STRUCT, KW_F_ARRAY},
    {"finalized_features_epoch", NULL, -1, offsetof(struct kw_api_versions_response, finalized_features_epoch), 0,
     3, 4, KW_NEVER, 1, KW_T_INT64, 0},
    {"finalized_features", &kw_api_versions_response_finalized_feature, 0, offsetof(struct kw_api_versions_response, finalized_features), offsetof(struct kw_api_versions_response, finalized_features_count),
     3, 4, KW_NEVER, 2, KW_T_STRUCT, KW_F_ARRAY},
    {"zk_migration_ready", NULL, 0, offsetof(struct kw_api_versions_response, zk_migration_ready), 0,
     3, 4, KW_NEVER, 3, KW_T_BOOL, 0},
};
static const struct kw_struct kw_api_versions_response_root = {"ApiVersionsResponse", kw_api_versions_response_fields, sizeof(struct kw_api_versions_response), 7, 4};

const struct kw_message kw_api_versions_response = {"ApiVersionsResponse", 18, 0, 4, 3,
    &kw_api_versions_response_root};
