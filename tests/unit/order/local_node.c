#include "tests/unit/order/local_node.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"

static const struct store_log_config config = {.segment_bytes = NODE_SEGMENT_BYTES, .segment_ms = INT64_MAX, .index_interval_bytes = 512, .retention_ms = -1, .retention_bytes = -1};

static void on_begin(void *ctx, struct store *store, const struct store_identity *identity)
{
    struct node *n = ctx;
    (void)identity;
    n->store = store;
}

static enum br_err on_snapshot(void *ctx, const uint8_t *data, size_t len, struct br_errbuf *eb)
{
    struct node *n = ctx;
    (void)data, (void)len, (void)eb;
    for (uint32_t i = 0; i < NODE_STREAMS; i++) {
        struct store_stream *s;
        char name[8];
        snprintf(name, sizeof name, "t-%u", i);
        enum br_err err = store_stream_add(n->store, i + 2, name, (struct br_uuid){{(uint8_t)(i + 1)}}, &config, &s);
        if (err != BR_OK)
            return err;
    }
    return BR_OK;
}

static enum br_err on_catalog(void *ctx, const struct store_row *row, struct br_errbuf *eb)
{
    struct node *n = ctx;
    (void)eb;
    if (n->on_catalog)
        n->on_catalog(n, row);
    return BR_OK;
}

static void on_save(void *ctx, struct br_buf *out)
{
    (void)ctx;
    br_buf_add8(out, 1);
}

static void on_failed(void *ctx, enum br_err err)
{
    struct node *n = ctx;
    n->failed_count++;
    n->failed = err;
}

enum br_err node_open(struct node *n)
{
    n->pool = store_io_pool_new(n->threads, NULL, NULL);
    n->sync_pool = store_io_pool_new(n->threads ? 1 : 0, NULL, NULL);
    struct order_local_opts opts = {
        .store = {.vfs = n->vfs, .dir = n->dir, .node_id = 1, .cluster_id = {{7}}, .internal_config = config, .journal_file_bytes = n->journal_file_bytes,
                  .order_rows_per_file = 64, .files_max = 16, .boot_id = n->boot_id, .pool = n->pool, .sync_pool = n->sync_pool,
                  .begin = on_begin, .snapshot = on_snapshot, .catalog = on_catalog, .save_catalog = on_save, .ctx = n},
        .ring_entries = n->ring_entries, .default_class = ORDER_FSYNC, .ctx = n, .on_failed = on_failed,
    };
    n->d = NULL;
    n->failed_count = 0;
    n->open_appends = 0;
    n->eb.text[0] = '\0';
    enum br_err err = order_local_open(&opts, &n->d, &n->identity, &n->eb);
    if (err != BR_OK) {
        store_io_pool_free(n->pool);
        store_io_pool_free(n->sync_pool);
        return err;
    }
    n->store = order_local_store(n->d);
    for (uint32_t i = 0; i < NODE_STREAMS; i++) {
        struct store_stream *s = store_stream_find(n->store, i + 2);
        n->streams[i] = s ? order_local_stream(n->d, s) : NULL;
        if (s)
            n->streams[i]->class = n->class[i];
    }
    return BR_OK;
}

void node_close(struct node *n, bool clean)
{
    order_local_close(n->d, clean);
    n->d = NULL;
    store_io_pool_free(n->pool);
    store_io_pool_free(n->sync_pool);
    assert_int_equal(n->open_appends, 0); /* everybody who waited was told */
}

void node_crash(struct node *n, struct store_vfs_mem *mem, struct store_mem_faults faults)
{
    store_vfs_mem_set_faults(mem, "*", faults);
    store_vfs_mem_crash(mem);
    node_kill(n, mem);
}

void node_kill(struct node *n, struct store_vfs_mem *mem)
{
    static const enum store_mem_op ops[] = {STORE_MEM_WRITE, STORE_MEM_SYNC, STORE_MEM_RENAME};
    for (unsigned k = 0; k < BR_COUNT(ops); k++)
        store_vfs_mem_fail_from(mem, ops[k], 1, BR_IO);
    if (n->d)
        node_close(n, false);
    for (unsigned k = 0; k < BR_COUNT(ops); k++)
        store_vfs_mem_fail_from(mem, ops[k], 0, BR_OK);
}

static void on_told(struct order_ticket *ticket, enum br_err err)
{
    struct node_append *a = BR_CONTAINER_OF(ticket, struct node_append, ticket);
    assert_false(a->is_told);
    a->is_told = true;
    a->result = err;
    a->node->open_appends--;
    if (err == BR_OK)
        assert_true(ticket->stream->done_end >= ticket->end_offset);
}

enum br_err node_append_kind(struct node *n, struct order_stream *stream, enum order_kind kind, uint32_t value, size_t size, int64_t now_ms, struct node_append **out)
{
    struct node_append *a = br_alloc(sizeof *a);
    struct kw_batch_builder b;
    struct kw_batch batch;
    uint32_t batch_size;
    char *text = br_alloc(BR_MAX(size, sizeof value));
    memcpy(text, &value, sizeof value);
    br_buf_init(&a->bytes, (size_t)1 << 26);
    kw_batch_builder_init(&b, &a->bytes, 0, 1000, 0);
    kw_batch_builder_add(&b, 0, 1000, br_str(NULL, 0), br_str(text, BR_MAX(size, sizeof value)), br_str(NULL, 0), 0, NULL, 0);
    assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &batch_size), BR_OK);
    assert_int_equal(kw_batch_view(a->bytes.data, a->bytes.len, &batch), BR_OK);
    br_free(text);
    a->ticket.done = on_told;
    a->node = n;
    a->value = value;
    n->open_appends++;
    struct order_append append = {.kind = kind, .data = a->bytes.data, .batch = &batch, .max_timestamp = batch.max_timestamp};
    enum br_err err = order_append(n->d, stream, &append, &a->ticket, now_ms);
    *out = a;
    if (err != BR_OK) {
        assert_false(a->is_told);
        n->open_appends--;
        node_append_free(a);
        *out = NULL;
    }
    return err;
}

enum br_err node_append(struct node *n, unsigned stream, uint32_t value, size_t size, int64_t now_ms, struct node_append **out)
{
    return node_append_kind(n, n->streams[stream], ORDER_DATA, value, size, now_ms, out);
}

void node_append_free(struct node_append *a)
{
    br_buf_clear(&a->bytes);
    br_free(a);
}

/* --- several that belong together --- */

static void on_piece_told(struct order_ticket *ticket, enum br_err err)
{
    struct node_together *t = BR_CONTAINER_OF(ticket, struct node_piece, ticket)->all;
    t->told++;
    t->result = err;
    t->node->open_appends--;
}

enum br_err node_append_together(struct node *n, unsigned first, unsigned count, uint32_t value, size_t size, struct node_together **out, int *culprit)
{
    struct node_together *t = br_alloc(sizeof *t);
    struct order_append_item items[NODE_STREAMS];
    char *text = br_alloc(BR_MAX(size, sizeof value));
    memcpy(text, &value, sizeof value);
    *t = (struct node_together){.node = n, .count = count};
    for (unsigned i = 0; i < count; i++) {
        struct node_piece *p = &t->pieces[i];
        struct kw_batch_builder b;
        uint32_t batch_size;
        br_buf_init(&p->bytes, (size_t)1 << 26);
        kw_batch_builder_init(&b, &p->bytes, 0, 1000, 0);
        for (unsigned k = 0; k <= i; k++) /* one more record each */
            kw_batch_builder_add(&b, k, 1000, br_str(NULL, 0), br_str(text, BR_MAX(size, sizeof value)), br_str(NULL, 0), 0, NULL, 0);
        assert_int_equal(kw_batch_builder_finish(&b, KW_CODEC_NONE, 0, &batch_size), BR_OK);
        assert_int_equal(kw_batch_view(p->bytes.data, p->bytes.len, &p->batch), BR_OK);
        p->all = t;
        p->ticket.done = on_piece_told;
        p->append = (struct order_append){.kind = ORDER_DATA, .data = p->bytes.data, .batch = &p->batch, .max_timestamp = p->batch.max_timestamp};
        items[i] = (struct order_append_item){.stream = n->streams[first + i], .append = &p->append, .ticket = &p->ticket};
    }
    br_free(text);
    enum br_err err = order_append_all(n->d, items, count, 2000, culprit);
    if (err == BR_OK)
        n->open_appends += count;
    *out = t;
    return err;
}

void node_together_free(struct node_together *t)
{
    for (unsigned i = 0; i < t->count; i++)
        br_buf_clear(&t->pieces[i].bytes);
    br_free(t);
}

void node_settle(struct node *n, int64_t now_ms)
{
    for (int i = 0; i < 4; i++) { /* rows written; the sync that was asked; what it made done; its rows */
        order_local_turn(n->d, now_ms);
        store_io_pool_drain(n->sync_pool);
    }
    order_local_check(n->d);
}

enum br_err node_put(struct node *n, unsigned stream, uint32_t value)
{
    struct node_append *a;
    enum br_err err = node_append(n, stream, value, 100, 2000, &a);
    if (err != BR_OK)
        return err;
    node_settle(n, 0);
    assert_true(a->is_told);
    err = a->result;
    node_append_free(a);
    return err;
}

bool node_has(struct node *n, unsigned stream, int64_t offset, uint32_t value)
{
    struct store_range range;
    struct kw_batch b;
    struct kw_record_iter it;
    struct kw_record record;
    struct store_log *log = n->streams[stream]->store->log;
    enum br_err err = store_log_read(log, offset, store_log_state(log)->end, 1, true, &range);
    for (int i = 0; err == BR_COLD && i < 1000; i++) { /* not in the page cache: as a reader does it */
        store_range_warm(&range);
        store_range_release(&range);
        err = store_log_read(log, offset, store_log_state(log)->end, 1, true, &range);
    }
    if (err != BR_OK)
        return false;
    if (range.length == 0 || range.first_offset != offset) {
        store_range_release(&range);
        return false;
    }
    uint8_t *bytes = br_alloc(range.length);
    bool has = store_file_read(range.file, bytes, range.length, range.file_position) == BR_OK && kw_batch_view(bytes, range.length, &b) == BR_OK && kw_batch_crc_ok(&b);
    store_range_release(&range);
    if (has) {
        kw_record_iter_init(&it, &b, bytes + KW_BATCH_HEADER, b.size - KW_BATCH_HEADER);
        has = kw_record_next(&it, &record) == BR_OK && memcmp(record.value.data, &value, sizeof value) == 0;
    }
    br_free(bytes);
    return has;
}

int64_t node_end(struct node *n, unsigned stream)
{
    return store_log_state(n->streams[stream]->store->log)->end;
}

void node_overwrite(struct store_vfs *vfs, const char *path, int64_t at, const void *bytes, size_t len)
{
    struct store_file *file;
    assert_int_equal(store_file_open(vfs, path, STORE_OPEN_WRITE, &file), BR_OK);
    assert_int_equal(store_file_write(file, bytes, len, at), BR_OK);
    assert_int_equal(store_file_sync(file), BR_OK);
    store_file_close(file);
}
