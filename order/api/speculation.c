#include "order/api/speculation.h"
#include "compat/base/mem.h"

void order_speculation_init(struct order_speculation *s, int64_t from, size_t limit, const struct order_speculation_out *out)
{
    BR_ASSERT(from >= 0 && limit > 0);
    *s = (struct order_speculation){.out = *out, .view = -1, .confirmed = from, .checked = from, .next = from, .limit = limit};
}

void order_speculation_clear(struct order_speculation *s)
{
    br_free(s->ids);
    s->ids = NULL;
    s->first = s->count = s->cap = 0;
}

void order_speculation_recheck(struct order_speculation *s)
{
    s->checked = s->confirmed;
}

/* --- what is delivered and not confirmed --- */

static struct order_speculation_id *id_at(struct order_speculation *s, size_t i) { return &s->ids[s->first + i]; }
static int64_t end_of(const struct order_speculation_id *id) { return id->position + id->count; }

static void push(struct order_speculation *s, const struct order_speculation_id *id)
{
    BR_ASSERT(s->count < s->limit);
    if (s->first + s->count == s->cap) {
        if (s->first > s->cap / 2) { /* the front is free: move down */
            memmove(s->ids, s->ids + s->first, s->count * sizeof *s->ids);
            s->first = 0;
        } else {
            s->cap = BR_MAX(s->cap * 2, (size_t)64);
            s->ids = br_realloc(s->ids, s->cap * sizeof *s->ids);
        }
    }
    *id_at(s, s->count++) = *id;
}

static void confirm(struct order_speculation *s, int64_t position)
{
    if (position <= s->confirmed)
        return;
    while (s->count > 0 && id_at(s, 0)->position < position) {
        BR_ASSERT(end_of(id_at(s, 0)) <= position); /* never inside an entry */
        s->first++;
        s->count--;
    }
    s->confirmed = position;
    s->checked = BR_MAX(s->checked, position);
    BR_ASSERT(s->checked <= s->next); /* */
    s->out.confirm(s->out.ctx, position);
}

static void fail(struct order_speculation *s, int64_t position)
{
    BR_ASSERT(position >= s->confirmed && position < s->next);
    while (s->count > 0 && end_of(id_at(s, s->count - 1)) > position)
        s->count--;
    s->next = s->checked = position; /* below it nothing differs */
    s->out.fail(s->out.ctx, position);
}

static bool is_same(const struct order_speculation_id *a, const struct order_speculation_id *b)
{
    return a->position == b->position && a->count == b->count && memcmp(a->topic_id, b->topic_id, sizeof a->topic_id) == 0 && a->partition == b->partition &&
           a->offset == b->offset && a->crc == b->crc && a->leader_epoch == b->leader_epoch;
}

/* --- an answer --- */

static bool is_sane(const struct order_speculation_answer *a)
{
    int64_t at = a->from;
    if (a->from < 0 || a->next < a->from || a->stable < 0)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct order_speculation_id *e = &a->entries[i];
        if (e->position < 0 || e->count < 1 || e->position > INT64_MAX - e->count || (i > 0 && e->position < at) || end_of(e) <= a->from || end_of(e) > a->next)
            return false;
        at = end_of(e);
    }
    return true;
}

/* The first position in [from, end), above what is confirmed, where what was delivered is not what the answer says, or -1. *index: the answer's entry there, or the
 * first behind. */
static int64_t first_difference(struct order_speculation *s, const struct order_speculation_answer *a, int64_t end, size_t *index)
{
    size_t i = 0, k = 0;
    int64_t start = BR_MAX(a->from, s->confirmed);
    while (k < s->count && end_of(id_at(s, k)) <= start)
        k++;
    while (i < a->count && end_of(&a->entries[i]) <= start)
        i++;
    for (;; i++, k++) {
        const struct order_speculation_id *mine = k < s->count && id_at(s, k)->position < end ? id_at(s, k) : NULL;
        const struct order_speculation_id *other = i < a->count && a->entries[i].position < end ? &a->entries[i] : NULL;
        *index = i;
        if (!mine && !other)
            return -1;
        if (!mine || !other || !is_same(mine, other))
            return BR_MAX(BR_MIN(mine ? mine->position : INT64_MAX, other ? other->position : INT64_MAX), start);
    }
}

/* An answer that begins inside an entry that was delivered tells nothing of it, but where reading itself began inside one. */
static bool begins_inside(struct order_speculation *s, int64_t from)
{
    size_t k = 0;
    while (k < s->count && end_of(id_at(s, k)) <= from)
        k++;
    return k < s->count && id_at(s, k)->position < from && from != s->confirmed;
}

/* Delivers the entries from `index` on that lie in [next, end). True: all of them. */
static bool deliver(struct order_speculation *s, const struct order_speculation_answer *a, size_t index, int64_t end, int64_t final_end)
{
    for (; index < a->count && end_of(&a->entries[index]) <= end; index++) {
        const struct order_speculation_id *e = &a->entries[index];
        bool is_final = a->from <= s->confirmed && end_of(e) <= final_end;
        if (end_of(e) <= s->next)
            continue;
        if (s->count == s->limit || !s->out.deliver(s->out.ctx, index, !is_final)) {
            s->next = BR_MAX(s->next, e->position);
            return false;
        }
        push(s, e);
        s->next = end_of(e);
    }
    s->next = BR_MAX(s->next, end);
    return true;
}

enum br_err order_speculation_answer(struct order_speculation *s, const struct order_speculation_answer *a)
{
    size_t index;
    if (!is_sane(a))
        return BR_CORRUPT;
    if (a->view > s->view) {
        s->view = a->view;
        order_speculation_recheck(s); /* */
    }
    bool is_current = a->view == s->view, may_confirm = a->from <= s->confirmed;
    int64_t final_end = BR_MIN(a->stable, a->next), end = is_current ? a->next : final_end;
    for (size_t i = 0; i < a->count; i++) /* a stable end inside an entry is not one for it */
        if (a->entries[i].position < final_end && end_of(&a->entries[i]) > final_end)
            final_end = a->entries[i].position;
    end = is_current ? end : final_end;
    if (a->from > s->checked || end <= a->from || (!is_current && !may_confirm) || begins_inside(s, a->from))
        return BR_OK; /* a gap, or nothing to learn */
    int64_t compared = BR_MIN(end, s->next), j = first_difference(s, a, compared, &index);
    if (j >= 0) {
        if (may_confirm)
            confirm(s, BR_MIN(j, final_end));
        fail(s, j); /* */
    } else {
        s->checked = BR_MAX(s->checked, compared);
    }
    if (s->checked == s->next && end > s->next) { /* everything before was compared */
        deliver(s, a, j >= 0 ? index : 0, end, final_end);
        s->checked = s->next;
    }
    if (may_confirm)
        confirm(s, BR_MIN(final_end, s->checked));
    BR_ASSERT(s->confirmed <= s->checked && s->checked <= s->next);
    return BR_OK;
}
