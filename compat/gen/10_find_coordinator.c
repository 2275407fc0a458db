/* Made by kwgen.py from 10_find_coordinator.kw: do not edit. */
#include "compat/gen/10_find_coordinator.h"
#include "compat/wire/table.h"

static const struct kw_field kw_find_coordinator_request_fields[] = {
    {"key", NULL, 0, offsetof(struct kw_find_coordinator_request, key), 0,
     0, 3, KW_NEVER, -1, KW_T_STRING, 0},
    {"key_type", NULL, 0, offsetof(struct kw_find_coordinator_request, key_type), 0,
     1, 6, KW_NEVER, -1, KW_T_INT8, 0},
    {"coordinator_keys", NULL, 0, offsetof(struct kw_find_coordinator_request, coordinator_keys), offsetof(struct kw_find_coordinator_request, coordinator_keys_count),
     4, 6, KW_NEVER, -1, KW_T_STRING, KW_F_ARRAY},
};
static const struct kw_struct kw_find_coordinator_request_root = {"FindCoordinatorRequest", kw_find_coordinator_request_fields, sizeof(struct kw_find_coordinator_request), 3, 0};

const struct kw_message kw_find_coordinator_request = {"FindCoordinatorRequest", 10, 0, 6, 3,
    &kw_find_coordinator_request_root};

static const struct kw_field kw_find_coordinator_response_coordinator_fields[] = {
    {"key", NULL, 0, offsetof(struct kw_find_coordinator_response_coordinator, key), 0,
     4, 6, KW_NEVER, -1, KW_T_STRING, 0},
    {"node_id", NULL, 0, offsetof(struct kw_find_coordinator_response_coordinator, node_id), 0,
     4, 6, KW_NEVER, -1, KW_T_INT32, 0},
    {"host", NULL, 0, offsetof(struct kw_find_coordinator_response_coordinator, host), 0,
     4, 6, KW_NEVER, -1, KW_T_STRING, 0},
    {"port", NULL, 0, offsetof(struct kw_find_coordinator_response_coordinator, port), 0,
     4, 6, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_find_coordinator_response_coordinator, error_code), 0,
     4, 6, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_find_coordinator_response_coordinator, error_message), 0,
     4, 6, 4, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
};
const struct kw_struct kw_find_coordinator_response_coordinator = {"coordinator", kw_find_coordinator_response_coordinator_fields, sizeof(struct kw_find_coordinator_response_coordinator), 6, 0};

static const struct kw_field kw_find_coordinator_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_find_coordinator_response, throttle_time_ms), 0,
     1, 6, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_find_coordinator_response, error_code), 0,
     0, 3, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_find_coordinator_response, error_message), 0,
     1, 3, 1, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"node_id", NULL, 0, offsetof(struct kw_find_coordinator_response, node_id), 0,
     0, 3, KW_NEVER, -1, KW_T_INT32, 0},
    {"host", NULL, 0, offsetof(struct kw_find_coordinator_response, host), 0,
     0, 3, KW_NEVER, -1, KW_T_STRING, 0},
    {"port", NULL, 0, offsetof(struct kw_find_coordinator_response, port), 0,
     0, 3, KW_NEVER, -1, KW_T_INT32, 0},
    {"coordinators", &kw_find_coordinator_response_coordinator, 0, offsetof(struct kw_find_coordinator_response, coordinators), offsetof(struct kw_find_coordinator_response, coordinators_count),
     4, 6, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_find_coordinator_response_root = {"FindCoordinatorResponse", kw_find_coordinator_response_fields, sizeof(struct kw_find_coordinator_response), 7, 0};

const struct kw_message kw_find_coordinator_response = {"FindCoordinatorResponse", 10, 0, 6, 3,
    &kw_find_coordinator_response_root};
