/* Messages between cores, as plain structs. With one process and f = 0 none leaves it; the simulator carries them over links that
 * delay, reset and repeat. They have no wire form yet: it comes with several processes. */
#pragma once

#include "order/core/ids.h"

enum order_message_kind {
    ORDER_MSG_HELLO,   /* lane client to member, first on a link: which lane; answered by an ACK that says where to go on */
    ORDER_MSG_APPEND,  /* lane client to member: entries s, s+1 ..., and the lane's done end */
    ORDER_MSG_ACK,     /* member to lane client: cumulative counts */
    ORDER_MSG_PUSH,    /* orderer to holder: entries in order and the position of the first */
    ORDER_MSG_PUSHED,  /* holder to orderer: rows below this position are written */
    ORDER_MSG_ORDERED, /* orderer to member: V, one s a lane */
    ORDER_MSG_STABLE,  /* orderer to all: the stable end */
};

struct order_message; /* order/core/message_body.h */
