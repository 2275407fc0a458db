/* Seeded generator (xoshiro256**, Blackman and Vigna 2018) whose whole state is in the struct; and the
 * system's entropy apart from it. Cores use only the first. */
#pragma once

#include "compat/base/base.h"

struct br_rand {
    uint64_t s[4];
};

void br_rand_init(struct br_rand *r, uint64_t seed);
uint64_t br_rand_u64(struct br_rand *r);
/* 0 <= result < below; below > 0. */
uint64_t br_rand_below(struct br_rand *r, uint64_t below);
/* True in about percent of 100 calls. */
bool br_rand_chance(struct br_rand *r, unsigned percent);
/* Bytes from the system. Aborts when it has none. Thread: any. */
void br_entropy(void *out, size_t len);
