/* Messages between cores (ORDER.md 3.1), as plain structs. With one process and f = 0 none leaves it; the simulator carries them over links that
 * delay, reset and repeat. Wire form: PROTOCOL.md, when several processes exist. */
#pragma once

#include "order/core/ids.h"

enum order_message_kind {
    ORDER_MSG_HELLO, ORDER_MSG_APPEND, ORDER_MSG_ACK, ORDER_MSG_PUSH, ORDER_MSG_PUSHED, ORDER_MSG_ORDERED, ORDER_MSG_ORDERED_OK, ORDER_MSG_STABLE,
};

struct order_message; /* defined by the core's owner: order/core/message_body.h */
