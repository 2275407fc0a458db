#include "broker/data/cut.h"
#include "broker/view/filter.h"
#include "broker/view/order_view.h"

#define RUNS_MAX 64u /* trimmed runs in a row; each file of the order log begins a new one */

bool broker_cut_has_topic(const struct broker_topic *topic, const struct br_str *names, int32_t count)
{
    if (topic->is_internal || topic->view)
        return false;
    bool has = count < 0;
    for (int32_t i = 0; !has && i < count; i++)
        has = broker_view_item_has(names[i], br_str_c(topic->name));
    return has;
}

enum br_err broker_cut_start(struct broker *b, uint64_t *start, struct store_range *cold)
{
    struct broker_order_view *all = broker_catalog_find(b->catalog, br_str_c(BROKER_ORDER_TOPIC))->view;
    uint64_t first;
    enum br_err err = broker_order_view_start(all, &first, cold);
    if (err == BR_OK)
        *start = first < broker_order_view_end(all) ? first : order_local_stable(b->order).value;
    return err;
}

/* The first row at or after p that is no trimmed run; *row is one when there is none (yet), or too many runs follow each other. */
static enum br_err row_above(struct broker *b, uint64_t p, struct store_order_row *row, struct store_range *cold)
{
    enum br_err err = BR_OK;
    unsigned count = 1;
    row->flags = STORE_ORDER_TRIMMED;
    for (unsigned runs = 0; err == BR_OK && count > 0 && (row->flags & STORE_ORDER_TRIMMED) && runs < RUNS_MAX; runs++) {
        err = order_local_read(b->order, order_position(p), row, 1, &count, cold);
        if (err == BR_OK && count == 0)
            row->flags = STORE_ORDER_TRIMMED;
        else if (err == BR_OK)
            p = row->position + store_order_row_length(row);
    }
    return err;
}

/* Does an entry of several rows lie around p? Its rows below p have no last, those above no first. Rows of what was removed may be folded into trimmed runs: then the ones next to the run
 * tell, and of two halves that each lost their other one it cannot be seen that they are two. While the row at p is not stable the one before tells alone. */
static enum br_err is_within(struct broker *b, uint64_t p, bool *within, struct store_range *cold)
{
    struct store_order_row row;
    enum br_err err = row_above(b, p, &row, cold);
    *within = false;
    if (err == BR_OK && !(row.flags & STORE_ORDER_TRIMMED)) {
        if (row.position < p) /* one batch lies around p */
            *within = !(row.flags & STORE_ORDER_FIRST) || !(row.flags & STORE_ORDER_LAST);
        if (row.position < p || (row.flags & STORE_ORDER_FIRST))
            return BR_OK;
    }
    *within = err == BR_OK;
    return err;
}

enum br_err broker_cut_round_down(struct broker *b, uint64_t *position, struct store_range *cold)
{
    struct store_order_row row;
    uint64_t p = *position, to = p, at = p;
    unsigned count = 0;
    bool within;
    enum br_err err = is_within(b, p, &within, cold);
    for (unsigned rows = 0; err == BR_OK && within && at > 0 && rows < 2 * ORDER_APPENDS_MAX; rows++) {
        err = order_local_read(b->order, order_position(at - 1), &row, 1, &count, cold);
        if (err != BR_OK || count == 0 || row.position >= at) /* what lay there is not known, or nothing did */
            break;
        at = row.position;
        if (row.flags & STORE_ORDER_TRIMMED)
            continue;
        bool is_around = at + store_order_row_length(&row) > p;
        if ((row.flags & STORE_ORDER_LAST) && !is_around) /* of the entry before */
            break;
        to = at;
        if (row.flags & STORE_ORDER_FIRST)
            break;
    }
    if (err == BR_OK)
        *position = to;
    return err;
}
