/* What the files of a log share: storage/log*.c, retention.c. */
#pragma once

#include "storage/epoch.h"
#include "storage/log.h"
#include "storage/segment.h"

/* What a replay from a state may ask for: rows of batches from bound_end on, in the active segment and later ones. */
struct store_log_mark {
    int64_t bound_end, active_base;
};

struct store_log {
    struct store_vfs *vfs;          /* borrowed */
    struct store_file_cache *files; /* borrowed */
    char *root, *name, *dir;        /* dir: ROOT/NAME */
    struct br_uuid topic_id;
    struct store_log_config config;
    bool *lacks_positions;        /* borrowed; the store's */
    struct store_log_state state;
    struct store_segment **chain; /* by base; when state.active_base >= 0 the last one takes appends */
    size_t count, cap;
    struct store_epochs epochs;

    bool is_attached;      /* the directory was looked at */
    bool has_dir;          /* and is there, ours */
    bool is_foreign;       /* there is one of another topic under our name */
    bool is_failed;        /* an append that failed could not be cut back: no more of them */
    bool is_damaged;       /* what the state vouches for is not there */
    bool is_ended;         /* a replayed row failed: later ones are lost */
    bool is_deleted;       /* store_log_delete was called */
    bool roll_next;        /* retention wants the active segment out of use */
    bool dir_is_new, epochs_dirty;
    int64_t *strays;       /* bases of segments at or beyond the state's end: adopted by replay, or removed by recover */
    size_t stray_count;

    struct store_place prepared;
    struct store_handle *append_handle; /* of the active .log between prepare and append */
    uint64_t unchecked_bytes;           /* may be appended before the free space is looked at again */
    int64_t dirty_base;                 /* segments from here on may be dirty */

    struct store_log_mark durable, saved; /* of the last state on disk; of the last sync_new */
    bool has_saved;
    struct store_log_sync *sync; /* between sync_new and sync_free, or NULL */
    struct br_list removed; /* segments out of the chain that wait for readers or a checkpoint */
    char *removed_dir;      /* renamed directory, to be emptied */
};

/* The segment that takes appends, or NULL. */
static inline struct store_segment *store_log_active(const struct store_log *log)
{
    return log->state.active_base >= 0 && log->count > 0 ? log->chain[log->count - 1] : NULL;
}

/* Looks at the directory once: chain, strays, epochs, the active segment as the state has it. Damage is noted, not returned. */
BR_MUST_USE enum br_err store_log_attach(struct store_log *log);
/* Makes the directory and partition.metadata when they are not there. */
BR_MUST_USE enum br_err store_log_make_dir(struct store_log *log);
/* Appends an empty segment at the end of the log, sealing the active one. keep: bytes that the file already has are left for a replay to prove. */
BR_MUST_USE enum br_err store_log_roll(struct store_log *log, bool keep);
/* One segment more at the end of the chain. */
void store_log_push(struct store_log *log, struct store_segment *s);
/* A segment of the chain is written to: it will be synced. */
void store_log_touch(struct store_log *log, const struct store_segment *s);
/* Bookkeeping of a batch that lies at the end of the active segment. */
void store_log_added(struct store_log *log, const struct kw_batch *batch, int64_t now_ms);
/* Index in the chain of the segment that has the offset (the last whose base is at or below it); count when there is none. */
size_t store_log_find_segment(const struct store_log *log, int64_t offset);
/* Row of the batch that contains the offset. The segment is loaded. *next: base offset of the batch after it (or the segment's end). cold: as in store_log_find. */
BR_MUST_USE enum br_err store_log_find_row(struct store_segment *s, int64_t offset, struct store_positions_row *row, int64_t *next, struct store_range *cold);
/* Takes the segment at i out of the chain; its files become garbage. */
void store_log_drop_segment(struct store_log *log, size_t i);
/* Frees chain and removed segments; those that are held become their readers'. */
void store_log_free_segments(struct store_log *log);
/* Removes the files of segments at or beyond the end that no replay asked for. */
BR_MUST_USE enum br_err store_log_remove_strays(struct store_log *log);
/* Renames the directory to NAME.UUID-delete and leaves it in removed_dir. BR_OK when there is none. */
BR_MUST_USE enum br_err store_log_rename_away(struct store_log *log);
/* Forgets the log: it is being freed while a sync runs. */
void store_log_sync_abandon(struct store_log_sync *sync);
/* Flush of everything that waits: before a sync. */
BR_MUST_USE enum br_err store_log_flush_all(struct store_log *log);
