/* Made by kwgen.py from 10002_order_read.kw: do not edit. */
#include "compat/gen/10002_order_read.h"
#include "compat/wire/table.h"

static const struct kw_field kw_order_read_request_fields[] = {
    {"position", NULL, 0, offsetof(struct kw_order_read_request, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"max_bytes", NULL, 0, offsetof(struct kw_order_read_request, max_bytes), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"max_wait_ms", NULL, 0, offsetof(struct kw_order_read_request, max_wait_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"topics", NULL, 0, offsetof(struct kw_order_read_request, topics), offsetof(struct kw_order_read_request, topics_count),
     0, 0, 0, -1, KW_T_STRING, KW_F_ARRAY | KW_F_DEFAULT_NULL},
    {"speculative", NULL, 0, offsetof(struct kw_order_read_request, speculative), 0,
     0, 0, KW_NEVER, -1, KW_T_BOOL, 0},
};
static const struct kw_struct kw_order_read_request_root = {"OrderReadRequest", kw_order_read_request_fields, sizeof(struct kw_order_read_request), 5, 0};

const struct kw_message kw_order_read_request = {"OrderReadRequest", 10002, 0, 0, 0,
    &kw_order_read_request_root};

static const struct kw_field kw_order_read_response_entry_fields[] = {
    {"position", NULL, 0, offsetof(struct kw_order_read_response_entry, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"topic", NULL, 0, offsetof(struct kw_order_read_response_entry, topic), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"topic_id", NULL, 0, offsetof(struct kw_order_read_response_entry, topic_id), 0,
     0, 0, KW_NEVER, -1, KW_T_UUID, 0},
    {"partition", NULL, 0, offsetof(struct kw_order_read_response_entry, partition), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"first_offset", NULL, 0, offsetof(struct kw_order_read_response_entry, first_offset), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"flags", NULL, 0, offsetof(struct kw_order_read_response_entry, flags), 0,
     0, 0, KW_NEVER, -1, KW_T_INT8, 0},
    {"batch", NULL, 0, offsetof(struct kw_order_read_response_entry, batch), 0,
     0, 0, KW_NEVER, -1, KW_T_RECORDS, 0},
};
const struct kw_struct kw_order_read_response_entry = {"entry", kw_order_read_response_entry_fields, sizeof(struct kw_order_read_response_entry), 7, 0};

static const struct kw_field kw_order_read_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_order_read_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_order_read_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_order_read_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"view", NULL, 0, offsetof(struct kw_order_read_response, view), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"stable", NULL, 0, offsetof(struct kw_order_read_response, stable), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"start", NULL, 0, offsetof(struct kw_order_read_response, start), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"next_position", NULL, 0, offsetof(struct kw_order_read_response, next_position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
    {"entries", &kw_order_read_response_entry, 0, offsetof(struct kw_order_read_response, entries), offsetof(struct kw_order_read_response, entries_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_order_read_response_root = {"OrderReadResponse", kw_order_read_response_fields, sizeof(struct kw_order_read_response), 8, 0};

const struct kw_message kw_order_read_response = {"OrderReadResponse", 10002, 0, 0, 0,
    &kw_order_read_response_root};
