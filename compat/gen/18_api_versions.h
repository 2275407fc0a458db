/* Made by kwgen.py from 18_api_versions.kw: do not edit. */
#pragma once

#include "compat/wire/codec.h"

struct kw_api_versions_request {
    struct br_str client_software_name; /* v3-4 */
    struct br_str client_software_version; /* v3-4 */
};
extern const struct kw_message kw_api_versions_request;

struct kw_api_versions_response_api_version {
    int16_t api_key;
    int16_t min_version;
    int16_t max_version;
};
extern const struct kw_struct kw_api_versions_response_api_version;

struct kw_api_versions_response_supported_feature {
    struct br_str name; /* v3-4 */
    int16_t min_version; /* v3-4 */
    int16_t max_version; /* v3-4 */
};
extern const struct kw_struct kw_api_versions_response_supported_feature;

struct kw_api_versions_response_finalized_feature {
    struct br_str name; /* v3-4 */
    int16_t max_version_level; /* v3-4 */
    int16_t min_version_level; /* v3-4 */
};
extern const struct kw_struct kw_api_versions_response_finalized_feature;

struct kw_api_versions_response {
    int16_t error_code;
    struct kw_api_versions_response_api_version *api_keys;
    int32_t api_keys_count;
    int32_t throttle_time_ms; /* v1-4 */
    struct kw_api_versions_response_supported_feature *supported_features; /* v3-4, tag 0 */
    int32_t supported_features_count;
    int64_t finalized_features_epoch; /* v3-4, tag 1, default -1 */
    struct kw_api_versions_response_finalized_feature *finalized_features; /* v3-4, tag 2 */
    int32_t finalized_features_count;
    bool zk_migration_ready; /* v3-4, tag 3 */
};
extern const struct kw_message kw_api_versions_response;
