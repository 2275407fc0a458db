/* The bit fields that "authorized operations" ask for: a bit for each operation by its protocol number. Without access control every operation that the
 * kind of resource knows is permitted. */
#pragma once

#include <stdint.h>

enum broker_operation { BROKER_OP_READ = 3, BROKER_OP_WRITE, BROKER_OP_CREATE, BROKER_OP_DELETE, BROKER_OP_ALTER, BROKER_OP_DESCRIBE, BROKER_OP_CLUSTER_ACTION,
                        BROKER_OP_DESCRIBE_CONFIGS, BROKER_OP_ALTER_CONFIGS, BROKER_OP_IDEMPOTENT_WRITE };

#define BROKER_RIGHTS_NOT_ASKED INT32_MIN
#define BROKER_RIGHTS_GROUP (1 << BROKER_OP_READ | 1 << BROKER_OP_DELETE | 1 << BROKER_OP_DESCRIBE)
#define BROKER_RIGHTS_TOPIC                                                                                                                                       \
    (1 << BROKER_OP_READ | 1 << BROKER_OP_WRITE | 1 << BROKER_OP_CREATE | 1 << BROKER_OP_DELETE | 1 << BROKER_OP_ALTER | 1 << BROKER_OP_DESCRIBE |              \
     1 << BROKER_OP_DESCRIBE_CONFIGS | 1 << BROKER_OP_ALTER_CONFIGS)
#define BROKER_RIGHTS_CLUSTER                                                                                                                                     \
    (1 << BROKER_OP_CREATE | 1 << BROKER_OP_ALTER | 1 << BROKER_OP_DESCRIBE | 1 << BROKER_OP_CLUSTER_ACTION | 1 << BROKER_OP_DESCRIBE_CONFIGS |                \
     1 << BROKER_OP_ALTER_CONFIGS | 1 << BROKER_OP_IDEMPOTENT_WRITE)
