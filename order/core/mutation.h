/* Rules switched off one at a time, so that the simulator can prove that its checks notice. Compiled only with -DORDER_MUTATIONS
 * (braid-sim's own copy of the core); in the product every ORDER_MUTATED is the constant false. */
#pragma once

enum order_mutation {
    ORDER_MUTATION_NONE,
    ORDER_MUTATION_ACCEPT_GAP,       /* R1: an entry is accepted whatever came before it */
    ORDER_MUTATION_ACK_EARLY,        /* R2: done without waiting for every member */
    ORDER_MUTATION_ACK_UNSYNCED,     /* class fsync is done when written */
    ORDER_MUTATION_ACK_UNWRITTEN,    /* done before all earlier journal bytes are written */
    ORDER_MUTATION_DONE_OVERTAKES,   /* a page-cache entry is done before an earlier fsync entry of its stream */
    ORDER_MUTATION_SKIP_UNDONE,      /* R3: the round takes done entries first */
    ORDER_MUTATION_STABLE_UNDONE,    /* R4 iii: stable passes an entry that is not done */
    ORDER_MUTATION_STABLE_UNPUSHED,  /* R4 i: stable before the holders have the rows */
    ORDER_MUTATION_PUSH_APPENDS,     /* a repeated PUSH is applied again at the end */
    ORDER_MUTATION_ANY_VIEW,         /* R5, R8: view and nonce are not looked at */
    ORDER_MUTATION_RECOUNT,          /* a DATA entry takes one position */
    ORDER_MUTATION_NO_REWIND,        /* after a reset the lane goes on where it was */
    ORDER_MUTATION_COUNT,
};

#ifdef ORDER_MUTATIONS
extern enum order_mutation order_mutation;
#define ORDER_MUTATED(m) (order_mutation == (ORDER_MUTATION_##m))
#define ORDER_MUTATED_ANY (order_mutation != ORDER_MUTATION_NONE)
#else
#define ORDER_MUTATED(m) false
#define ORDER_MUTATED_ANY false
#endif
