/* Leader epochs of one log and where each begins (KIP-320), and Kafka's text file leader-epoch-checkpoint. Pure table; the log
 * reads and writes the file. Epochs and start offsets rise strictly. Owner thread. */
#pragma once

#include "compat/base/buf.h"
#include "compat/base/str.h"

#define STORE_EPOCHS_FILE_BYTES_MAX (1u << 20)

struct store_epoch {
    int32_t epoch;
    int64_t start;
};
struct store_epochs {
    struct store_epoch *list;
    unsigned count, cap;
};

void store_epochs_init(struct store_epochs *e);
void store_epochs_clear(struct store_epochs *e);
/* `epoch` begins at offset start. Entries that it contradicts (of higher or equal epochs, or that begin at or after start) go first, as in
 * Kafka. True when the table changed. */
bool store_epochs_set(struct store_epochs *e, int32_t epoch, int64_t start);
/* Forgets what begins at or after end. */
void store_epochs_cut(struct store_epochs *e, int64_t end);
/* The log starts at start now: of the entries that begin below it the last one is kept, and begins there. */
void store_epochs_trim(struct store_epochs *e, int64_t start);
/* -1 when there is none. */
int32_t store_epochs_latest(const struct store_epochs *e);
/* The largest epoch <= asked and where the next one begins (log_end for the latest). asked above the latest, below 0, or an empty table:
 * -1/-1. Asked below the first: asked itself ends where the first begins, as Kafka says. */
void store_epochs_end(const struct store_epochs *e, int32_t asked, int64_t log_end, int32_t *epoch, int64_t *end);
/* Kafka's text: version 0, count, then a line "epoch start" each. */
void store_epochs_format(const struct store_epochs *e, struct br_buf *out);
/* Into an empty table. BR_CORRUPT (and still empty): not such a text. */
BR_MUST_USE enum br_err store_epochs_parse(struct store_epochs *e, struct br_str text);
void store_epochs_check(const struct store_epochs *e);
