/* Shared by store*.c only. */
#pragma once

#include "compat/base/map.h"
#include "storage/file_cache.h"
#include "storage/store.h"

#define STORE_FORMAT_VERSION 1u
#define STORE_STATE_MAX ((size_t)1 << 30)
#define STORE_BOOT_ID 40

/* What the state file says of a stream, until the stream is added. */
struct store_saved {
    struct store_log_state log;
    const uint8_t *producers;
    size_t producers_len;
};

struct store {
    struct store_opts opts;
    char *dir;
    struct store_file *lock;
    struct store_identity identity;
    struct store_file_cache *files;
    struct store_journal *journal;
    struct store_order_log *order_log;
    struct store_stream **streams; /* by rising id */
    size_t stream_count, stream_cap;
    /* recovery */
    bool is_recovering;
    uint8_t *state_bytes;          /* of the state file; saved entries point into it */
    struct br_map saved;           /* id -> struct store_saved */
    struct br_map ended;           /* ids of streams whose row failed: later rows are lost */
    const uint8_t *catalog;
    size_t catalog_len;
    uint64_t replay_from, order_end; /* of the state file: the journal's byte, the order log's end at the checkpoint */
    char boot_id[STORE_BOOT_ID], last_boot_id[STORE_BOOT_ID];
    /* running */
    struct store_checkpoint *checkpoint; /* under way, or NULL */
    int64_t checkpoint_ms;               /* when the last one was due */
    bool has_failed_checkpoint;          /* the last one did */
    enum br_err failed;
    /* positions for sidecars that were made again: store_feed.c */
    bool lacks_positions, is_feeding;
    uint64_t feed_next;
};

char *store_path(const struct store *store, const char *name); /* br_free */

/* store_state.c */
BR_MUST_USE enum br_err store_identity_open(struct store *store, struct br_errbuf *eb);
BR_MUST_USE enum br_err store_boot_next(struct store *store, struct br_errbuf *eb);
BR_MUST_USE enum br_err store_state_load(struct store *store, struct br_errbuf *eb);
void store_state_save(struct store *store, uint64_t lsn, uint64_t position, uint32_t lane, uint64_t lane_s, struct br_buf *out);
BR_MUST_USE enum br_err store_clean_mark(struct store *store);
