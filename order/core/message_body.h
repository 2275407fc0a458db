/* What a message holds. Every one carries the sender's view; a receiver in another view drops it (O-8). */
#pragma once

#include "order/core/event.h"

#define ORDER_LANES_MAX 16 /* lanes a replica keeps */
#define ORDER_BATCH_MAX 64 /* entries of one APPEND or PUSH */

struct order_message {
    enum order_message_kind kind;
    uint32_t view;
    uint64_t nonce; /* HELLO, APPEND: of the member addressed; ACK: of the member that answers (R8) */
    uint32_t lane;  /* HELLO, APPEND, ACK */
    union {
        struct {
            uint64_t last;    /* accepted without a gap */
            uint64_t written; /* in this member's page cache */
            uint64_t synced;  /* on its disk */
            uint64_t ordered; /* V: gives credit back */
            bool is_rewind;   /* a gap or a new link: send again from last + 1 */
        } ack;
        struct {
            uint64_t done; /* every entry of the lane up to here is done */
            unsigned count;
            struct order_entry entries[ORDER_BATCH_MAX];
        } append;
        struct {
            struct order_position position;
            unsigned count;
            struct order_entry entries[ORDER_BATCH_MAX];
        } push;
        struct {
            unsigned count;
            struct order_entry_id vector[ORDER_LANES_MAX];
        } ordered;
        struct order_position end; /* PUSHED, STABLE */
    };
};
