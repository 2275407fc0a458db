/* Changing settings, shared by AlterConfigs (33) and IncrementalAlterConfigs (44): one resource at a time, checked whole, then one catalog change. Settings of
 * brokers, loggers, groups and client metrics cannot be changed at run time in this release: refused with the reason. */
#pragma once

#include "broker/topic/batch_change.h"
#include "broker/broker.h"

enum { BROKER_ALTER_SET = 0, BROKER_ALTER_DELETE = 1, BROKER_ALTER_APPEND = 2, BROKER_ALTER_SUBTRACT = 3 };

struct broker_alter {
    int8_t resource_type;
    struct br_str resource_name;
    bool replaces_all; /* AlterConfigs: keys not named return to their default */
    bool validate_only;
    bool is_twice;     /* the resource is named twice in the request */
};
struct broker_alter_op {
    struct br_str name, value;
    int8_t op;
};
/* Error code now, or later through the change. The message is in the request's arena; *message null without one. */
void broker_alter_resource(struct broker_changes *changes, const struct broker_alter *alter, const struct broker_alter_op *ops, int32_t count, int16_t *error,
                           struct br_str *message);
