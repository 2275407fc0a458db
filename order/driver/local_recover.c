/* Recovery of a single node: a view change whose survivor is its own journal. Positions are not decided anew: rows below the checkpoint are in
 * the order log; replayed rows take the following positions in LSN order, which is the order they were bound in, so they come out as they were shown. */
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "order/driver/local_int.h"

#define OLD_ROWS_MAX (4u << 20)  /* compared after a crash; more than a checkpoint interval holds */
#define FLUSH_EVERY 4096         /* replayed rows between writes of the buffers */

_Static_assert((int)STORE_ROW_DATA == (int)ORDER_DATA && (int)STORE_ROW_FINAL == (int)ORDER_FINAL, "one numbering of entry kinds");
_Static_assert((int)STORE_CLASS_FSYNC == (int)ORDER_FSYNC && (int)STORE_CLASS_PAGE_CACHE == (int)ORDER_PAGE_CACHE, "one numbering of classes");

void local_begin(void *ctx, struct store *store, const struct store_identity *identity)
{
    struct order_local *d = ctx;
    d->store = store;
    d->identity = *identity;
    d->next = identity->next_position;
    if (d->opts.store.begin)
        d->opts.store.begin(d->opts.store.ctx, store, identity);
}

void local_old_row(void *ctx, const struct store_order_row *row)
{
    struct order_local *d = ctx;
    if (d->old_count == OLD_ROWS_MAX)
        return;
    if (d->old_count == d->old_cap) {
        d->old_cap = d->old_cap ? d->old_cap * 2 : 1024;
        d->old_rows = br_realloc(d->old_rows, d->old_cap * sizeof *d->old_rows);
    }
    d->old_rows[d->old_count++] = *row;
}

/* O-20: what an earlier run had bound comes out equal. After a loss of power the old rows prove nothing: they may be torn. */
static enum br_err compare_old(struct order_local *d, const struct store_order_row *row, struct br_errbuf *eb)
{
    while (d->old_at < d->old_count && d->old_rows[d->old_at].position < row->position)
        d->old_at++;
    if (d->identity.lost_power || d->old_at == d->old_count)
        return BR_OK;
    const struct store_order_row *old = &d->old_rows[d->old_at];
    if (old->position >= row->position + store_order_row_length(row))
        return BR_OK; /* not there any more: a recovery that was cut short had begun to remove the old rows */
    if (old->position == row->position && old->lane == row->lane && old->s == row->s && old->stream == row->stream && old->base_offset == row->base_offset)
        return BR_OK;
    return br_errbuf_set(eb, BR_CORRUPT, "position %" PRIu64 " was stream %u offset %" PRId64 " and would become stream %u offset %" PRId64,
                         row->position, old->stream, old->base_offset, row->stream, row->base_offset);
}

static enum br_err flush(struct order_local *d)
{
    enum br_err err = store_order_log_write(store_order_log(d->store));
    uint32_t id = UINT32_MAX;
    for (struct store_stream *s; err == BR_OK && (s = store_stream_next(d->store, id)); id = s->id)
        err = store_log_flush(s->log);
    d->since_flush = 0;
    return err;
}

enum br_err local_replay_row(void *ctx, const struct store_row *row, struct store_stream *stream, bool is_lost, struct br_errbuf *eb)
{
    struct order_local *d = ctx;
    uint64_t positions = row->kind == STORE_ROW_DATA && row->count > 1 ? row->count : 1;
    struct store_order_row order = {
        .position = d->next, .lane = row->lane, .stream = row->stream, .s = row->s, .base_offset = row->base_offset, .count = row->count,
        .leader_epoch = row->leader_epoch, .max_timestamp = row->max_timestamp, .view = row->lane, .kind = row->kind,
        .flags = (uint8_t)(local_order_part(row->flags) | (is_lost ? STORE_ORDER_LOST : 0)), .batch_crc = row->batch_crc,
    };
    enum br_err err = compare_old(d, &order, eb);
    if (err == BR_OK)
        err = store_order_log_add(store_order_log(d->store), &order);
    if (err == BR_OK && stream && !is_lost)
        err = store_log_bind(stream->log, row->base_offset, d->next);
    if (err == BR_OK && ++d->since_flush >= FLUSH_EVERY)
        err = flush(d);
    d->next += positions;
    BR_ASSERT(d->next > order.position);
    if (err == BR_OK && d->opts.store.row)
        err = d->opts.store.row(d->opts.store.ctx, row, stream, is_lost, eb);
    return err;
}

static void checkpointed(void *ctx, enum br_err err)
{
    *(enum br_err *)ctx = err;
}

uint64_t local_next_position(const struct order_local *d)
{
    return BR_MAX(store_order_log_end(store_order_log(d->store)), d->next);
}

enum br_err local_checkpoint_wait(struct order_local *d)
{
    enum br_err result = BR_IO;
    enum br_err err = store_checkpoint(d->store, local_next_position(d), d->lane, d->last_s, checkpointed, &result);
    store_io_pool_drain(d->opts.store.pool);
    return err == BR_OK ? result : err;
}

enum br_err local_recover_end(struct order_local *d, struct br_errbuf *eb)
{
    enum br_err err = store_start(d->store, eb);
    if (err == BR_OK)
        err = flush(d);
    if (err != BR_OK)
        return err;
    if (d->identity.lost_power && d->next < d->identity.position_ceiling) /* no position is ever given twice */
        d->next = d->identity.position_ceiling;
    if (d->identity.lost_power)
        br_log(BR_LOG_WARN, "storage", "the machine was restarted without a clean stop: page-cache records that were not on disk are lost; next_position=%" PRIu64, d->next);
    d->lane = d->identity.starts;
    br_free(d->old_rows);
    d->old_rows = NULL;
    /* From here on everything replayed is durable: a crash in recovery finds either the old state or this one. */
    err = local_checkpoint_wait(d);
    return err == BR_OK ? BR_OK : br_errbuf_set(eb, err, "%s: the checkpoint after recovery failed: %s", d->opts.store.dir, br_err_text(err));
}
