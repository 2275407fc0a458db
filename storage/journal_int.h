/* What journal.c (writing) and journal_replay.c (opening) share. */
#pragma once

#include "compat/base/buf.h"
#include "storage/journal.h"

/* limits */
#define JOURNAL_HEADER_BYTES 4096u          /* a block of its own: record writes never touch it */
#define JOURNAL_FREE_MAX 4u                 /* files kept for reuse */
#define JOURNAL_TURN_BYTES_MAX (256u << 20) /* rows and small payloads of one turn */
#define JOURNAL_GROUPS_MAX 64u              /* files one turn may touch */
#define JOURNAL_COPY_MAX 8192u              /* payloads up to this size are copied into the turn's buffer, larger ones written from where they are */
#define JOURNAL_KEEP_BUFFER (1u << 20)      /* a turn's buffer above this is given back */
#define JOURNAL_LSN_MAX (UINT64_MAX >> 2)
#define JOURNAL_RUN 1000000000u             /* file numbers of one run; the next run starts at the next multiple */
#define JOURNAL_SEQ_MAX ((uint64_t)JOURNAL_RUN * JOURNAL_RUN)

_Static_assert(STORE_JOURNAL_FILE_BYTES > JOURNAL_HEADER_BYTES + 2 * STORE_JOURNAL_ROW_BYTES, "a file holds at least a group of one row");

/* A file that may hold records still needed. */
struct journal_file {
    uint64_t seq;        /* its name; also the generation that its records are checked with */
    uint64_t first_lsn;
    struct store_file *file;
    bool is_dirty;       /* written since the last sync was started */
    bool is_durable;     /* file and name are on the disk */
};

/* A large payload of this turn, borrowed: goes after `at` bytes of the buffer. */
struct journal_ref {
    size_t at;
    const void *data;
    size_t len;
};

/* The part of a turn that goes to one file. */
struct journal_group {
    uint64_t seq, lsn, file_end; /* file_end: LSN at which the file is full */
    bool is_new_file;
    uint32_t rows;
    size_t start, ref_start;     /* in the buffer; in refs */
};

struct journal_sync {
    struct store_io_job job; /* first */
    struct store_journal *journal;
    struct store_file **files;
    uint64_t last_seq; /* newest file covered */
    uint64_t *garbage; /* files to remove */
    size_t file_count, garbage_count;
    uint64_t lsn;      /* everything below is durable on success */
    bool has_dir;
    enum br_err err;
};

struct store_journal {
    struct store_vfs *vfs;
    char *dir;
    struct br_uuid cluster_id;
    int32_t node_id;
    uint32_t file_bytes;
    struct store_io_pool *pool;

    struct journal_file *files; /* oldest first; the last one is written */
    size_t file_count, file_cap;
    uint64_t free_seqs[JOURNAL_FREE_MAX];
    unsigned free_count;
    uint64_t *garbage;
    size_t garbage_count, garbage_cap;
    uint64_t next_seq;

    struct br_buf turn;
    struct journal_group groups[JOURNAL_GROUPS_MAX];
    unsigned group_count;
    struct journal_ref *refs;
    size_t ref_count, ref_cap;
    struct iovec *iov;
    size_t iov_cap;
    uint64_t next_lsn; /* after what the turn holds */

    uint64_t written, synced, recycled;
    uint64_t last_head_synced; /* what the last head on disk says */
    uint64_t room_left;        /* bytes that fit by the last look at the file system */
    bool must_roll;            /* the active file's tail was cut: go on in a new one */
    bool is_dir_dirty;
    bool is_failed;
    bool is_sync_running, is_sync_asked;
    void (*on_synced)(void *ctx, enum br_err err, uint64_t lsn);
    void *on_synced_ctx;
};

/* dir/SEQ.journal, br_alloc'd. */
char *store_journal_path(const char *dir, uint64_t seq);
/* row -> 104 bytes with length and all but the CRC. */
void store_journal_encode(const struct store_row *row, uint32_t length, uint8_t bytes[static STORE_JOURNAL_ROW_BYTES]);
static inline int64_t store_journal_place(uint64_t first_lsn, uint64_t lsn) { return (int64_t)(lsn - first_lsn) + JOURNAL_HEADER_BYTES; }
/* Makes a file named seq, from a free one if there is one, with its header, not synced. On failure nothing is left of it, else BR_FAILED. */
BR_MUST_USE enum br_err store_journal_file_new(struct store_journal *j, uint64_t seq, uint64_t first_lsn);
struct journal_file *store_journal_file_push(struct store_journal *j, struct journal_file file);
/* Free when there is room, else removed at the next sync. */
void store_journal_file_discard(struct store_journal *j, uint64_t seq);
