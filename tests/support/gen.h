/* Random messages from the tables of compat/gen: every field that the version has gets a value that is now and
 * then its default, an extreme, null or empty, and else anything. */
#pragma once

#include "compat/base/rand.h"
#include "compat/wire/codec.h"

/* Fills msg (kw_struct_size bytes). Arrays and strings come from the arena, which must be large: some 100 kB. */
void gen_message(const struct kw_message *type, int version, struct br_rand *rand, struct br_arena *arena, void *msg);
