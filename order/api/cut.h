/* The value of a cut: a position, and the end of every partition at it. */
#pragma once

#include "compat/base/uuid.h"
#include "order/api/braid.h"

struct braid_cut *braid_cut_new(int64_t position);
/* Topic names and ids are copied; entries stay in the order added, those of a topic together. */
void braid_cut_add(struct braid_cut *cut, struct br_str topic, struct br_uuid topic_id, int32_t partition, int64_t offset);
