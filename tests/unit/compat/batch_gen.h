/* Batches for tests: random ones from a seed, and the records of a batch as text to compare. */
#pragma once

#include "compat/base/rand.h"
#include "compat/batch/builder.h"
#include "compat/batch/validate.h"

struct gen_rules {
    int32_t record_count;
    size_t value_max; /* bytes */
    int codec;
    bool has_keys; /* every record has a key */
    int64_t base_timestamp;
};

/* Appends a batch of base offset 0; returns its size. *max_timestamp, *max_delta: what a validator must find. */
uint32_t gen_batch(struct br_buf *out, struct br_rand *r, const struct gen_rules *rules, int64_t *max_timestamp,
                   int32_t *max_delta);
/* Rules that refuse nothing but malformed batches. */
struct kw_batch_rules gen_lenient_rules(void);
/* Inflates and prints every record: offset, timestamp, attributes, key, value, headers. Error as met. */
enum br_err gen_print(const uint8_t *data, size_t len, struct br_buf *text);
/* Reads lines of hex into out; skips what follows '#'. Fails the test when the file is not there. */
void gen_read_hex(const char *path, struct br_buf *out);
/* Path of a file of the source tree, in static storage. */
const char *gen_source_path(const char *name);
