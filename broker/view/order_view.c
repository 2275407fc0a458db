/* One view: its start, and reading. Rows are found by walking the order log; where many rows pass without a record of the view, the members' sidecars are asked
 * for the next one instead. So a dense view costs what its rows cost, and a sparse one no more than twice the cheaper of the two ways. */
#include "broker/view/view_int.h"

#define SCAN_MAX 65536u   /* rows passed in one call, or partitions asked */
#define JUMP_MIN 64u      /* rows without a record before the sidecars are asked, */
#define JUMP_ROWS 16u     /* or so many for each partition: about what asking one costs */
#define START_ROWS 4096u  /* walked for the first record, so that it is known what lay before it */

/* First offset of the row that is visible in the view, or -1 when none is. */
static int64_t first_visible(const struct broker_order_view *v, const struct broker_partition *partition, const struct store_order_row *row)
{
    if (!partition || !view_row_is_data(row) || row->count == 0 || (row->flags & (STORE_ORDER_CONTROL | STORE_ORDER_LOST)) || !view_has_topic(v, partition->topic))
        return -1;
    int64_t start = broker_partition_start(partition);
    if (start >= row->base_offset + row->count)
        return -1;
    return BR_MAX(start, row->base_offset);
}

/* A row without a visible record: may the view have had one there? A stretch that was folded may have held members; rows of a topic that is gone are a loss to `__order`
 * only: a filtered view cannot tell whose they were, and has holes there anyway. */
static bool may_be_loss(const struct broker_order_view *v, const struct store_order_row *row)
{
    return (row->flags & STORE_ORDER_TRIMMED) || view_row_is_member(v, row);
}

enum br_err view_jump(struct broker_order_view *v, uint64_t p, uint64_t *next, uint32_t *stream, int64_t *offset, struct store_range *cold)
{
    size_t at = 0;
    unsigned asked = 1;
    *next = UINT64_MAX;
    for (struct br_map_entry *e; (e = br_map_next(&v->members, &at));) {
        const struct broker_topic *topic = e->value;
        for (int32_t i = 0; i < topic->partition_count; i++) {
            struct store_stream *store = topic->partitions[i]->store;
            const struct store_log_state *state = store_log_state(store->log);
            int64_t found_offset;
            uint64_t found;
            if (state->start >= state->end)
                continue;
            asked++;
            enum br_err err = store_log_seek(store->log, p, &found_offset, &found, cold);
            if (err != BR_OK)
                return err;
            if (found < *next) {
                *next = found;
                *stream = store->id;
                *offset = found_offset;
            }
        }
    }
    v->asked = asked;
    return BR_OK;
}

/* --- the start --- */

static bool first_is_left(const struct broker_order_view *v)
{
    const struct store_stream *stream = v->has_first ? store_stream_find(order_local_store(v->all->broker->order), v->first_stream) : NULL;
    return stream && store_log_state(stream->log)->start <= v->first_offset;
}

/* Walks on from the start. *is_there: it stands at the first record, or at the end. */
static enum br_err walk_start(struct broker_order_view *v, bool *is_there, struct store_range *cold)
{
    struct store_order_row rows[VIEW_ROWS];
    unsigned count = 0;
    *is_there = true;
    for (unsigned passed = 0; v->start < v->end && passed < START_ROWS;) {
        enum br_err err = view_rows(v->all, v->start, rows, &count, cold);
        if (err != BR_OK || count == 0) {
            *is_there = false;
            return err;
        }
        for (unsigned i = 0; i < count && v->start < v->end; i++, passed++) {
            int64_t first = first_visible(v, view_row_partition(v->all, &rows[i]), &rows[i]);
            if (first >= 0) {
                v->start = BR_MAX(v->start, rows[i].position + (uint64_t)(first - rows[i].base_offset));
                if (first > rows[i].base_offset)
                    v->lost_end = v->start;
                v->has_first = true;
                v->first_stream = rows[i].stream;
                v->first_offset = first;
                return BR_OK;
            }
            v->start = BR_MIN(v->end, BR_MAX(v->start, view_row_end(&rows[i])));
            if (may_be_loss(v, &rows[i]))
                v->lost_end = v->start;
        }
    }
    *is_there = v->start >= v->end;
    return BR_OK;
}

static enum br_err jump_start(struct broker_order_view *v, struct store_range *cold)
{
    uint64_t next;
    enum br_err err = view_jump(v, v->start, &next, &v->first_stream, &v->first_offset, cold);
    if (err != BR_OK)
        return err;
    v->has_first = next < v->end;
    v->start = BR_MIN(next, v->end);
    return BR_OK;
}

enum br_err broker_order_view_start(struct broker_order_view *v, uint64_t *start, struct store_range *cold)
{
    broker_views_advance(v->all);
    enum br_err err = BR_OK;
    bool is_there;
    if (v->start < v->end && !first_is_left(v)) {
        uint64_t kept = BR_MIN(store_order_log_start(store_order_log(order_local_store(v->all->broker->order))), v->end);
        if (v->has_first) /* it was removed */
            v->lost_end = BR_MAX(v->lost_end, v->start + 1);
        v->has_first = false;
        if (v->start < kept) /* trimmed from the order log: what was there is not known any more */
            v->start = v->lost_end = kept;
        err = walk_start(v, &is_there, cold);
        if (err != BR_COLD && !is_there) /* rows that cannot be read do not hide what lies behind them */
            err = jump_start(v, cold);
        v->clean_from = err == BR_OK && is_there ? v->lost_end : v->start;
    }
    *start = v->start;
    return err == BR_BUSY ? BR_OK : err;
}

/* --- reading --- */

struct scan {
    struct broker_order_view *view;
    struct broker_view_answer answer;
    uint64_t end, reached; /* where the walk is to end; where it is */
    unsigned passed;       /* rows and partitions looked at */
    unsigned idle;         /* rows since the last record */
    bool may_jump;         /* sidecars know positions */
};

/* Rows before the first record left were not looked at when the start moved: a reader that stands there is told when a record was removed. */
static bool is_loss(const struct scan *s, const struct store_order_row *row, int64_t first)
{
    const struct broker_order_view *v = s->view;
    if (s->answer.from >= v->clean_from || row->position >= v->start)
        return false;
    return first < 0 ? may_be_loss(v, row) : row->position + (uint64_t)(first - row->base_offset) > s->answer.from && first > row->base_offset;
}

static enum br_err scan_row(struct scan *s, const struct store_order_row *row)
{
    struct broker_partition *partition = view_row_partition(s->view->all, row);
    int64_t first = first_visible(s->view, partition, row);
    s->passed++;
    if (is_loss(s, row, first)) {
        s->view->lost_end = BR_MAX(s->view->lost_end, BR_MIN(view_row_end(row), s->view->start));
        return BR_RANGE;
    }
    s->idle = first >= 0 ? 0 : s->idle + 1;
    enum br_err err = first >= 0 ? broker_view_answer_add(&s->answer, partition, row, first) : BR_OK;
    if (err == BR_OK && !s->answer.is_full)
        s->reached = view_row_end(row);
    return err;
}

/* Over many rows at once. */
static enum br_err scan_jump(struct scan *s)
{
    uint64_t next;
    uint32_t stream;
    int64_t offset;
    enum br_err err = view_jump(s->view, s->reached, &next, &stream, &offset, s->answer.cold);
    s->idle = 0;
    if (err == BR_BUSY)
        s->may_jump = false;
    if (err != BR_OK)
        return err == BR_BUSY ? BR_OK : err;
    s->passed += s->view->asked;
    s->reached = BR_MIN(next, s->end);
    return BR_OK;
}

static enum br_err scan_step(struct scan *s)
{
    struct store_order_row rows[VIEW_ROWS];
    unsigned count = 0;
    if (s->may_jump && s->reached >= s->view->start && s->idle >= BR_MAX(JUMP_MIN, JUMP_ROWS * s->view->asked))
        return scan_jump(s);
    enum br_err err = view_rows(s->view->all, s->reached, rows, &count, s->answer.cold);
    if (err == BR_OK && count == 0)
        s->reached = s->end;
    for (unsigned i = 0; err == BR_OK && i < count && !s->answer.is_full && s->reached < s->end; i++)
        err = scan_row(s, &rows[i]);
    return err;
}

static enum br_err scan(struct scan *s)
{
    while (s->reached < s->end && !s->answer.is_full && s->passed < SCAN_MAX) {
        enum br_err err = scan_step(s);
        if (err == BR_COLD && s->answer.records > 0) { /* give what is there; the next fetch warms */
            store_range_release(s->answer.cold);
            *s->answer.cold = (struct store_range){0};
            return BR_OK;
        }
        if (err != BR_OK)
            return err;
    }
    return BR_OK;
}

enum br_err broker_order_view_read(struct broker_order_view *v, int64_t position, size_t max_bytes, struct br_buf *out, struct store_range *cold)
{
    uint64_t start, from = (uint64_t)position;
    enum br_err err = broker_order_view_start(v, &start, cold);
    if (err != BR_OK)
        return err;
    if (position < 0 || from > v->end || (from < start && from < v->lost_end))
        return BR_RANGE;
    if (from == v->end)
        return BR_OK;
    struct scan s = {.view = v, .end = v->end, .may_jump = true, .reached = from >= v->clean_from ? BR_MAX(from, start) : from};
    size_t before = out->len;
    broker_view_answer_init(&s.answer, &v->topic->settings, &v->all->buffers, out, max_bytes, from, cold);
    err = scan(&s);
    if (err == BR_OK)
        err = broker_view_answer_close(&s.answer);
    if (err == BR_OK && s.answer.records == 0) { /* removal left nothing here: one control batch takes the reader past it */
        BR_ASSERT(s.reached > from);
        err = broker_view_answer_gap(&s.answer, BR_MIN(s.reached, s.end), v->all->broker->wall_ms);
    }
    broker_view_buffers_shrink(&v->all->buffers);
    if (err != BR_OK)
        out->len = before;
    return err;
}
