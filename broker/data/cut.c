#include "broker/data/cut.h"
#include "broker/view/filter.h"
#include "broker/view/order_view.h"

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

static bool has_flags(const struct store_order_row *row, unsigned flags) { return (row->flags & flags) == flags; }

/* Walks down, row by row. Rows of what is removed may be folded into a trimmed run: then the rest says what it was. A row that begins at the position and is no first lies within;
 * so does the position after a row that is no last, which is all that tells when the row at the position is not stable yet. */
enum br_err broker_cut_round_down(struct broker *b, uint64_t *position, struct store_range *cold)
{
    struct store_order_row row;
    unsigned count;
    uint64_t p = *position, to = p, at = p;
    enum br_err err = order_local_read(b->order, order_position(p), &row, 1, &count, cold);
    bool is_within = err == BR_OK && count > 0 && row.position == p && !(row.flags & (STORE_ORDER_FIRST | STORE_ORDER_TRIMMED));
    while (err == BR_OK && at > 0) {
        err = order_local_read(b->order, order_position(at - 1), &row, 1, &count, cold);
        if (err != BR_OK || count == 0 || row.position >= at) /* what lay there is not known, or nothing did */
            break;
        bool is_around = row.position + store_order_row_length(&row) > p;
        if (row.flags & STORE_ORDER_TRIMMED) {
            if (!is_within || is_around)
                break;
        } else if (is_around ? has_flags(&row, STORE_ORDER_FIRST | STORE_ORDER_LAST) : has_flags(&row, STORE_ORDER_LAST)) {
            break;
        } else {
            is_within = true;
            to = row.position;
            if (row.flags & STORE_ORDER_FIRST)
                break;
        }
        at = row.position;
    }
    if (err == BR_OK)
        *position = to;
    return err;
}
