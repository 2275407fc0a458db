/* The order log tells again what a sidecar lost: a pass over it from its start, a step at a time (log_positions.c has the states). */
#include "compat/base/log.h"
#include "storage/store_int.h"

#define FEED_ROWS 64u /* read at a time */

static bool begin(struct store *store)
{
    bool lacks = false;
    store->lacks_positions = false;
    for (size_t i = 0; i < store->stream_count; i++)
        lacks |= store_log_feed_begin(store->streams[i]->log);
    store->feed_next = store_order_log_start(store->order_log);
    return lacks;
}

static enum br_err feed_row(struct store *store, const struct store_order_row *row)
{
    const uint8_t nobody = STORE_ORDER_LOST | STORE_ORDER_VOID | STORE_ORDER_TRIMMED;
    struct store_stream *stream = row->flags & nobody ? NULL : store_stream_find(store, row->stream);
    if (!stream || row->base_offset < 0 || row->base_offset >= store_log_state(stream->log)->bound_end)
        return BR_OK;
    enum br_err err = store_log_bind(stream->log, row->base_offset, row->position);
    if (err == BR_INVALID || err == BR_CORRUPT) { /* one file against another: the rest is still worth having */
        br_log(BR_LOG_ERROR, "storage", "log=%s offset=%" PRId64 ": the order log has it at position %" PRIu64 ", the log does not", store_log_name(stream->log),
               row->base_offset, row->position);
        return BR_OK;
    }
    return err;
}

static enum br_err end(struct store *store)
{
    enum br_err err = BR_OK;
    store->is_feeding = false;
    for (size_t i = 0; i < store->stream_count && err == BR_OK; i++)
        err = store_log_feed_end(store->streams[i]->log);
    return err;
}

bool store_feed_positions(struct store *store, unsigned max_rows)
{
    struct store_order_row rows[FEED_ROWS];
    enum br_err err = BR_OK;
    unsigned count = 1;
    if (!store->is_feeding && !store->lacks_positions)
        return false;
    if (!store->is_feeding)
        store->is_feeding = begin(store);
    for (unsigned seen = 0; store->is_feeding && seen < max_rows && count > 0 && err == BR_OK; seen += count) {
        err = store_order_log_read(store->order_log, store->feed_next, rows, FEED_ROWS, &count, NULL);
        for (unsigned i = 0; i < count && err == BR_OK; i++) {
            err = feed_row(store, &rows[i]);
            store->feed_next = rows[i].position + store_order_row_length(&rows[i]);
        }
    }
    if (store->is_feeding && (count == 0 || err != BR_OK)) {
        enum br_err err_end = err == BR_OK ? end(store) : err;
        store->is_feeding = false;
        if (err_end != BR_OK)
            br_log(BR_LOG_ERROR, "storage", "positions could not be told again: %s; the next start tries again", br_err_text(err_end));
    }
    return store->is_feeding || store->lacks_positions;
}
