/* What the requests about the order share: which topics one means, and where the order may be cut. Thread: loop. */
#pragma once

#include "broker/broker.h"

/* User topics only, never internal ones or views. names: topics or prefixes ("app-*"); count < 0: every user topic. */
bool broker_cut_has_topic(const struct broker_topic *topic, const struct br_str *names, int32_t count);
/* Position of the first record of a user topic that is left, or stable. cold: as order_local_read. */
BR_MUST_USE enum br_err broker_cut_start(struct broker *b, uint64_t *start, struct store_range *cold);
/* Takes a position (at or below stable) that lies within what was appended together down to the first of that (O-23); inside one batch a cut may fall. *position only on BR_OK.
 * cold: as order_local_read. Where removed rows are folded it may go down further than
 * need be, never less. Looks at some hundred rows at most. */
BR_MUST_USE enum br_err broker_cut_round_down(struct broker *b, uint64_t *position, struct store_range *cold);
