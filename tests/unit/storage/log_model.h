/* A log under test beside a model of it in plain memory: batches, a journal of rows, checkpoints and crashes. */
#pragma once

#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "compat/batch/builder.h"
#include "storage/file_cache.h"
#include "storage/log.h"
#include "storage/vfs_mem.h"
#include "tests/support/harness.h"

struct model_batch {
    int64_t base, next;
    uint8_t *bytes;
    uint32_t size;
    int32_t epoch;
    struct store_place place;
    bool has_payload;   /* its journal row carries the batch */
    bool is_known;      /* position is known to the log */
    uint64_t position;
    int64_t append_ms;
};

struct model {
    struct store_vfs *vfs;
    struct store_vfs_mem *mem; /* NULL on the real disk */
    const char *root;
    struct store_file_cache *files;
    struct store_log *log;
    struct store_log_config config;
    struct br_uuid id;
    struct br_rand rand;
    int64_t now_ms;
    int32_t epoch;
    bool append_time; /* message.timestamp.type=LogAppendTime */

    struct model_batch *batches; /* every one ever appended and not lost; also the journal's DATA rows */
    size_t count, cap;
    size_t bound;        /* batches below have a position */
    uint64_t next_position;
    int64_t start, end;
    size_t journal_synced; /* rows a power loss cannot take */
    int64_t trim_synced;   /* of the durable TRIM rows */

    struct store_log_state saved; /* the state file */
    size_t saved_from;            /* journal rows from here on are replayed */
};

/* A fresh directory of name root in vfs, one log. */
void model_open(struct model *m, struct store_vfs *vfs, struct store_vfs_mem *mem, const char *root, uint64_t seed);
void model_close(struct model *m);
/* Stops without a word (the page cache stays) and starts again: replay, recover, binds. lose_power: and the disk forgets; mem only. */
void model_crash(struct model *m, bool lose_power);
/* As model_crash(m, false), but for the start, which it leaves undone: the log is NULL. */
void model_stop(struct model *m);
/* The start after it. */
void model_start(struct model *m);
/* A clean stop and start. */
void model_reopen(struct model *m);
/* Appends a batch of count records, value_bytes each, max timestamp = now unless timestamps are given (count of them). */
enum br_err model_append(struct model *m, int32_t count, size_t value_bytes, int codec, const int64_t *timestamps, bool has_payload);
void model_bind(struct model *m, size_t count);
/* The TRIM is durable when it returns. */
void model_trim(struct model *m, int64_t start);
enum br_err model_checkpoint(struct model *m);
void model_collect(struct model *m);
/* Everything the log can be asked, against the model. */
void model_verify(struct model *m);
/* One random step. */
void model_step(struct model *m);
