/* Made by kwgen.py from 10006_order_append.kw: do not edit. */
#include "compat/gen/10006_order_append.h"
#include "compat/wire/table.h"

static const struct kw_field kw_order_append_request_append_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_order_append_request_append, topic), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition", NULL, 0, offsetof(struct kw_order_append_request_append, partition), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"expected_end", NULL, 0, offsetof(struct kw_order_append_request_append, expected_end), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"records", NULL, 0, offsetof(struct kw_order_append_request_append, records), 0,
     0, 0, KW_NEVER, -1, KW_T_RECORDS, 0},
};
const struct kw_struct kw_order_append_request_append = {"append", kw_order_append_request_append_fields, sizeof(struct kw_order_append_request_append), 4, 0};

static const struct kw_field kw_order_append_request_fields[] = {
    {"sync", NULL, 0, offsetof(struct kw_order_append_request, sync), 0,
     0, 0, KW_NEVER, -1, KW_T_BOOL, 0},
    {"timeout_ms", NULL, 0, offsetof(struct kw_order_append_request, timeout_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"appends", &kw_order_append_request_append, 0, offsetof(struct kw_order_append_request, appends), offsetof(struct kw_order_append_request, appends_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_order_append_request_root = {"OrderAppendRequest", kw_order_append_request_fields, sizeof(struct kw_order_append_request), 3, 0};

const struct kw_message kw_order_append_request = {"OrderAppendRequest", 10006, 0, 0, 0,
    &kw_order_append_request_root};

static const struct kw_field kw_order_append_response_append_fields[] = {
    {"base_offset", NULL, -1, offsetof(struct kw_order_append_response_append, base_offset), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"end_offset", NULL, -1, offsetof(struct kw_order_append_response_append, end_offset), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"position", NULL, -1, offsetof(struct kw_order_append_response_append, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_order_append_response_append = {"append", kw_order_append_response_append_fields, sizeof(struct kw_order_append_response_append), 3, 0};

static const struct kw_field kw_order_append_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_order_append_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_order_append_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_order_append_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"failed_index", NULL, -1, offsetof(struct kw_order_append_response, failed_index), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"appends", &kw_order_append_response_append, 0, offsetof(struct kw_order_append_response, appends), offsetof(struct kw_order_append_response, appends_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_order_append_response_root = {"OrderAppendResponse", kw_order_append_response_fields, sizeof(struct kw_order_append_response), 5, 0};

const struct kw_message kw_order_append_response = {"OrderAppendResponse", 10006, 0, 0, 0,
    &kw_order_append_response_root};
