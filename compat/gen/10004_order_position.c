/* Made by kwgen.py from 10004_order_position.kw: do not edit. */
#include "compat/gen/10004_order_position.h"
#include "compat/wire/table.h"

static const struct kw_field kw_order_position_request_offset_fields[] = {
    {"topic", NULL, 0, offsetof(struct kw_order_position_request_offset, topic), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition", NULL, 0, offsetof(struct kw_order_position_request_offset, partition), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"offset", NULL, 0, offsetof(struct kw_order_position_request_offset, offset), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_order_position_request_offset = {"offset", kw_order_position_request_offset_fields, sizeof(struct kw_order_position_request_offset), 3, 0};

static const struct kw_field kw_order_position_request_fields[] = {
    {"offsets", &kw_order_position_request_offset, 0, offsetof(struct kw_order_position_request, offsets), offsetof(struct kw_order_position_request, offsets_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"positions", NULL, 0, offsetof(struct kw_order_position_request, positions), offsetof(struct kw_order_position_request, positions_count),
     0, 0, KW_NEVER, -1, KW_T_INT64, KW_F_ARRAY},
};
static const struct kw_struct kw_order_position_request_root = {"OrderPositionRequest", kw_order_position_request_fields, sizeof(struct kw_order_position_request), 2, 0};

const struct kw_message kw_order_position_request = {"OrderPositionRequest", 10004, 0, 0, 0,
    &kw_order_position_request_root};

static const struct kw_field kw_order_position_response_offset_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_order_position_response_offset, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"position", NULL, -1, offsetof(struct kw_order_position_response_offset, position), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_order_position_response_offset = {"offset", kw_order_position_response_offset_fields, sizeof(struct kw_order_position_response_offset), 2, 0};

static const struct kw_field kw_order_position_response_position_fields[] = {
    {"error_code", NULL, 0, offsetof(struct kw_order_position_response_position, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"topic", NULL, 0, offsetof(struct kw_order_position_response_position, topic), 0,
     0, 0, KW_NEVER, -1, KW_T_STRING, 0},
    {"partition", NULL, -1, offsetof(struct kw_order_position_response_position, partition), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"offset", NULL, -1, offsetof(struct kw_order_position_response_position, offset), 0,
     0, 0, KW_NEVER, -1, KW_T_INT64, 0},
};
const struct kw_struct kw_order_position_response_position = {"position", kw_order_position_response_position_fields, sizeof(struct kw_order_position_response_position), 4, 0};

static const struct kw_field kw_order_position_response_fields[] = {
    {"throttle_time_ms", NULL, 0, offsetof(struct kw_order_position_response, throttle_time_ms), 0,
     0, 0, KW_NEVER, -1, KW_T_INT32, 0},
    {"error_code", NULL, 0, offsetof(struct kw_order_position_response, error_code), 0,
     0, 0, KW_NEVER, -1, KW_T_INT16, KW_F_ERROR},
    {"error_message", NULL, 0, offsetof(struct kw_order_position_response, error_message), 0,
     0, 0, 0, -1, KW_T_STRING, KW_F_DEFAULT_NULL},
    {"offsets", &kw_order_position_response_offset, 0, offsetof(struct kw_order_position_response, offsets), offsetof(struct kw_order_position_response, offsets_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
    {"positions", &kw_order_position_response_position, 0, offsetof(struct kw_order_position_response, positions), offsetof(struct kw_order_position_response, positions_count),
     0, 0, KW_NEVER, -1, KW_T_STRUCT, KW_F_ARRAY},
};
static const struct kw_struct kw_order_position_response_root = {"OrderPositionResponse", kw_order_position_response_fields, sizeof(struct kw_order_position_response), 5, 0};

const struct kw_message kw_order_position_response = {"OrderPositionResponse", 10004, 0, 0, 0,
    &kw_order_position_response_root};
