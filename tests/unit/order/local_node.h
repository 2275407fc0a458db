/* One node for tests of the embedded driver: four streams of fixed names, pools without threads unless asked, and an append that remembers what became of it. */
#pragma once

#include "tests/support/harness.h"
#include "compat/base/buf.h"
#include "compat/batch/batch.h"
#include "order/driver/local.h"
#include "storage/vfs_mem.h"

#define NODE_STREAMS 4u /* ids 2..5 */
#define NODE_SEGMENT_BYTES 65536u

struct node {
    /* set before node_open */
    struct store_vfs *vfs;
    const char *dir, *boot_id;
    unsigned threads;               /* of the two pools; 0: node_settle and the test run them */
    uint32_t journal_file_bytes;
    uint32_t ring_entries;
    enum order_class class[NODE_STREAMS];
    void (*on_catalog)(struct node *node, const struct store_row *row); /* during recovery; may be NULL */
    /* of the run */
    struct store *store;
    struct order_local *d;
    struct store_io_pool *pool, *sync_pool;
    struct store_identity identity;
    struct order_stream *streams[NODE_STREAMS];
    struct br_errbuf eb;
    unsigned failed_count;          /* calls of on_failed */
    enum br_err failed;
    unsigned open_appends;          /* tickets not told yet */
};

/* What became of an append. The caller frees it after it was told. */
struct node_append {
    struct order_ticket ticket;
    struct br_buf bytes;
    struct node *node;
    uint32_t value;
    bool is_told;
    enum br_err result;
};

enum br_err node_open(struct node *n);
/* clean as for order_local_close; frees the pools too. */
void node_close(struct node *n, bool clean);
/* The process dies: from here on it changes nothing. What it wrote stays in the page cache, and is as unsynced as it was. */
void node_kill(struct node *n, struct store_vfs_mem *mem);
/* The machine dies: the files hold what `faults` (for every path) leaves of what was not synced. */
void node_crash(struct node *n, struct store_vfs_mem *mem, struct store_mem_faults faults);
/* One record that begins with `value` and has `size` bytes in all. On error *out is NULL. */
enum br_err node_append(struct node *n, unsigned stream, uint32_t value, size_t size, int64_t now_ms, struct node_append **out);
enum br_err node_append_kind(struct node *n, struct order_stream *stream, enum order_kind kind, uint32_t value, size_t size, int64_t now_ms, struct node_append **out);
void node_append_free(struct node_append *a);
/* What became of several appends that belong together. */
struct node_together {
    struct node *node;
    unsigned count, told;
    enum br_err result; /* of the last told */
    struct node_piece {
        struct node_together *all;
        struct order_ticket ticket;
        struct br_buf bytes;
        struct kw_batch batch;
        struct order_append append;
    } pieces[NODE_STREAMS];
};
/* `value` to streams first..first+count-1: one record to the first, two to the next ..., each of `size` bytes. *out is there on errors too. */
enum br_err node_append_together(struct node *n, unsigned first, unsigned count, uint32_t value, size_t size, struct node_together **out, int *culprit);
void node_together_free(struct node_together *t);
/* Turns and syncs until nothing waits (pools without threads). */
void node_settle(struct node *n, int64_t now_ms);
/* Appends, settles and frees: BR_OK is an acknowledged record. */
enum br_err node_put(struct node *n, unsigned stream, uint32_t value);
/* True when the record at offset of the stream begins with value. */
bool node_has(struct node *n, unsigned stream, int64_t offset, uint32_t value);
int64_t node_end(struct node *n, unsigned stream); /* of the log */
/* Replaces `len` bytes of a file at `at`, past the fault model. */
void node_overwrite(struct store_vfs *vfs, const char *path, int64_t at, const void *bytes, size_t len);
