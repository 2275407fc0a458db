/* The reader that speculates (order/api/speculation.h): rule by rule, and against a model of an order whose unstable end changes with each view, whose answers
 * come late, twice and out of order. */
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include "order/api/speculation.h"
#include "tests/support/harness.h"

#define ROWS 400
#define VIEWS 64
#define PENDING 12
#define ANSWER_ROWS 12
#define SEEDS 400

typedef struct order_speculation_id id_t_;

/* --- the order --- */

struct row {
    id_t_ id;
    bool is_gap; /* a position that no reader is shown */
};
struct view {
    struct row rows[ROWS];
    size_t count;
};
struct answer {
    struct order_speculation_answer a;
    id_t_ entries[ANSWER_ROWS];
    bool is_used;
};
struct world {
    struct br_rand rand;
    struct view views[VIEWS]; /* the last one is the present */
    int32_t view;
    size_t stable; /* rows */
    uint32_t next_crc;
    struct answer pending[PENDING];
    struct order_speculation s;
    /* the consumer */
    id_t_ got[ROWS];
    size_t got_count;
    int64_t got_next, confirmed;
    const struct answer *now;
    unsigned fails, finals;
    unsigned refuse_percent;
};

static struct view *present(struct world *w) { return &w->views[w->view]; }
static int64_t row_end(const struct row *r) { return r->id.position + r->id.count; }
static int64_t position_at(const struct view *v, size_t row) { return row == 0 ? 0 : row_end(&v->rows[row - 1]); }
static int64_t stable_end(struct world *w) { return position_at(present(w), w->stable); }

static bool same(const id_t_ *a, const id_t_ *b)
{
    return a->position == b->position && a->count == b->count && a->crc == b->crc && a->partition == b->partition && a->offset == b->offset;
}

static void place(struct view *v, size_t from)
{
    for (size_t i = from; i < v->count; i++)
        v->rows[i].id.position = position_at(v, i);
}

static void append(struct world *w)
{
    struct view *v = present(w);
    if (v->count == ROWS)
        return;
    struct row *r = &v->rows[v->count++];
    *r = (struct row){.is_gap = br_rand_chance(&w->rand, 15)};
    r->id = (id_t_){.count = r->is_gap ? 1 : 1 + (int64_t)br_rand_below(&w->rand, 4), .crc = w->next_crc++, .partition = (int32_t)br_rand_below(&w->rand, 3)};
    place(v, v->count - 1);
}

/* Above stable: another order, some lost, some new. */
static void change_view(struct world *w)
{
    if (w->view + 1 == VIEWS)
        return;
    w->views[w->view + 1] = w->views[w->view];
    w->view++;
    struct view *v = present(w);
    for (size_t i = w->stable; i + 1 < v->count; i++) {
        size_t k = i + br_rand_below(&w->rand, BR_MIN(v->count - i, (size_t)3));
        struct row r = v->rows[i];
        v->rows[i] = v->rows[k];
        v->rows[k] = r;
    }
    if (v->count > w->stable && br_rand_chance(&w->rand, 30)) {
        size_t gone = w->stable + br_rand_below(&w->rand, v->count - w->stable);
        memmove(&v->rows[gone], &v->rows[gone + 1], (v->count - gone - 1) * sizeof *v->rows);
        v->count--;
    }
    place(v, w->stable);
}

/* What the broker would say now. */
static bool make_answer(struct world *w, int64_t from, bool is_speculative, struct answer *out)
{
    struct view *v = present(w);
    size_t end = is_speculative ? v->count : w->stable, row = 0, looked = 0;
    if (from > position_at(v, end))
        return false; /* out of range */
    *out = (struct answer){.is_used = true};
    while (row < end && row_end(&v->rows[row]) <= from)
        row++;
    for (; row < end && looked < ANSWER_ROWS; row++, looked++)
        if (!v->rows[row].is_gap)
            out->entries[out->a.count++] = v->rows[row].id;
    out->a.view = w->view;
    out->a.stable = stable_end(w);
    out->a.from = from;
    out->a.next = BR_MAX(from, position_at(v, row));
    return true;
}

/* --- the consumer --- */

static bool take(void *ctx, size_t index, bool is_speculative)
{
    struct world *w = ctx;
    const id_t_ *e = &w->now->a.entries[index];
    if (br_rand_chance(&w->rand, w->refuse_percent))
        return false;
    assert_true(e->position >= w->got_next); /* */
    assert_true(w->got_count < ROWS);
    w->got[w->got_count++] = *e;
    w->got_next = e->position + e->count;
    w->finals += !is_speculative;
    if (!is_speculative)
        assert_true(w->got_next <= stable_end(w));
    return true;
}

/* final, and nothing but what is. */
static void is_confirmed(void *ctx, int64_t position)
{
    struct world *w = ctx;
    struct view *v = present(w);
    size_t k = 0;
    assert_true(position > w->confirmed && position <= stable_end(w));
    for (size_t i = 0; i < w->stable && v->rows[i].id.position < position; i++) {
        if (v->rows[i].is_gap)
            continue;
        assert_true(k < w->got_count && same(&w->got[k], &v->rows[i].id));
        k++;
    }
    assert_true(k == w->got_count || w->got[k].position >= position);
    w->confirmed = position;
}

static void failed(void *ctx, int64_t position)
{
    struct world *w = ctx;
    assert_true(position >= w->confirmed);
    while (w->got_count > 0 && w->got[w->got_count - 1].position + w->got[w->got_count - 1].count > position)
        w->got_count--;
    w->got_next = position;
    w->fails++;
}

/* what counts as compared is the order of the machine's view. */
static void check_view(struct world *w)
{
    if (w->s.view < 0)
        return;
    const struct view *v = &w->views[w->s.view];
    size_t k = 0;
    while (k < w->got_count && w->got[k].position < w->s.confirmed)
        k++;
    for (size_t i = 0; i < v->count && row_end(&v->rows[i]) <= w->s.checked; i++) {
        if (v->rows[i].is_gap || v->rows[i].id.position < w->s.confirmed)
            continue;
        assert_true(k < w->got_count && same(&w->got[k], &v->rows[i].id));
        k++;
    }
    assert_true(k == w->got_count || w->got[k].position >= w->s.checked || w->s.checked < w->s.next);
}

static void feed(struct world *w, struct answer *answer)
{
    answer->a.entries = answer->entries;
    w->now = answer;
    assert_int_equal(order_speculation_answer(&w->s, &answer->a), BR_OK);
    check_view(w);
    assert_int_equal(w->s.confirmed, BR_MAX(w->confirmed, (int64_t)0));
}

static void world_init(struct world *w, uint64_t seed, size_t limit)
{
    struct order_speculation_out out = {take, is_confirmed, failed, w};
    memset(w, 0, sizeof *w);
    br_rand_init(&w->rand, seed);
    order_speculation_init(&w->s, 0, limit, &out);
}

static void ask_one(struct world *w)
{
    struct answer *slot = &w->pending[br_rand_below(&w->rand, PENDING)];
    bool is_speculative = br_rand_chance(&w->rand, 60);
    int64_t from = is_speculative ? order_speculation_read_from(&w->s) : order_speculation_confirm_from(&w->s);
    if (!make_answer(w, from, is_speculative, slot)) {
        slot->is_used = false;
        order_speculation_recheck(&w->s);
    }
}

static void step(struct world *w)
{
    uint64_t dice = br_rand_below(&w->rand, 100);
    if (dice < 30) {
        append(w);
    } else if (dice < 42) {
        size_t more = w->stable + br_rand_below(&w->rand, 4);
        w->stable = BR_MIN(present(w)->count, more);
    } else if (dice < 45) {
        change_view(w);
    } else if (dice < 72) {
        ask_one(w);
    } else if (dice < 74) {
        order_speculation_recheck(&w->s);
    } else {
        struct answer *slot = &w->pending[br_rand_below(&w->rand, PENDING)];
        if (slot->is_used)
            feed(w, slot); /* stays: it may come again */
        if (br_rand_chance(&w->rand, 50))
            slot->is_used = false;
    }
}

/* Nothing changes any more: all is delivered and confirmed in the end. */
static void settle(struct world *w)
{
    struct answer answer;
    w->stable = present(w)->count;
    w->refuse_percent = 0;
    for (int i = 0; i < ROWS * 4 && w->confirmed < stable_end(w); i++) {
        if (!make_answer(w, order_speculation_read_from(&w->s), true, &answer))
            order_speculation_recheck(&w->s);
        else
            feed(w, &answer);
        if (make_answer(w, order_speculation_confirm_from(&w->s), false, &answer))
            feed(w, &answer);
    }
    assert_int_equal(w->confirmed, stable_end(w));
    assert_false(order_speculation_is_unconfirmed(&w->s));
    order_speculation_clear(&w->s);
}

static void any_order_of_answers_and_views_ends_in_the_final_order(void **state)
{
    struct world *w = br_alloc(sizeof *w);
    unsigned fails = 0, finals = 0, views = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        world_init(w, seed, seed % 3 == 0 ? 5 : 1000);
        w->refuse_percent = seed % 5 == 0 ? 20 : 0;
        for (int i = 0; i < 600; i++)
            step(w);
        settle(w);
        fails += w->fails;
        finals += w->finals;
        views += (unsigned)w->view;
    }
    br_free(w);
    assert_true(fails > SEEDS && finals > SEEDS && views > SEEDS); /* the model does what it is for */
}

/* --- rule by rule --- */

struct fixed {
    char log[256];
    struct order_speculation s;
    bool is_refusing;
};

static void note(struct fixed *f, char what, int64_t n)
{
    size_t len = strlen(f->log);
    snprintf(f->log + len, sizeof f->log - len, "%c%" PRId64 " ", what, n);
}

static bool note_deliver(void *ctx, size_t index, bool is_speculative)
{
    struct fixed *f = ctx;
    if (f->is_refusing)
        return false;
    note(f, is_speculative ? 's' : 'd', (int64_t)index);
    return true;
}
static void note_confirm(void *ctx, int64_t position) { note(ctx, 'c', position); }
static void note_fail(void *ctx, int64_t position) { note(ctx, 'f', position); }

static id_t_ one(int64_t position, uint32_t crc) { return (id_t_){.position = position, .count = 2, .crc = crc}; }

static const char *say(struct fixed *f, int32_t view, int64_t stable, int64_t from, int64_t next, const id_t_ *entries, size_t count)
{
    f->log[0] = '\0';
    assert_int_equal(order_speculation_answer(&f->s, &(struct order_speculation_answer){view, stable, from, next, entries, count}), BR_OK);
    return f->log;
}

static void fixed_init(struct fixed *f)
{
    struct order_speculation_out out = {note_deliver, note_confirm, note_fail, f};
    *f = (struct fixed){.log = ""};
    order_speculation_init(&f->s, 0, 100, &out);
}

static void what_is_delivered_is_confirmed_by_a_comparison_below_stable(void **state)
{
    struct fixed f;
    id_t_ e[] = {one(0, 1), one(2, 2), one(4, 3)};
    (void)state;
    fixed_init(&f);
    assert_string_equal(say(&f, 1, 2, 0, 6, e, 3), "d0 s1 s2 c2 ");
    assert_string_equal(say(&f, 1, 6, 6, 6, NULL, 0), ""); /* stable alone confirms nothing */
    assert_string_equal(say(&f, 1, 6, 4, 6, e + 2, 1), ""); /* nor one entry what lies before it */
    assert_string_equal(say(&f, 1, 6, 2, 4, e + 1, 1), "c4 ");
    assert_string_equal(say(&f, 1, 5, 4, 6, e + 2, 1), ""); /* a stable end inside an entry is none for it */
    assert_string_equal(say(&f, 1, 6, 4, 6, e + 2, 1), "c6 ");
    order_speculation_clear(&f.s);
}

static void the_first_difference_fails_and_what_is_so_is_delivered_from_it(void **state)
{
    struct fixed f;
    id_t_ was[] = {one(0, 1), one(2, 2), one(4, 3)}, is[] = {one(0, 1), one(2, 9), one(4, 2), one(6, 3)};
    (void)state;
    fixed_init(&f);
    assert_string_equal(say(&f, 1, 0, 0, 6, was, 3), "s0 s1 s2 ");
    assert_string_equal(say(&f, 2, 4, 0, 8, is, 4), "c2 f2 d1 s2 s3 c4 ");
    order_speculation_clear(&f.s);
}

static void a_new_view_is_compared_before_anything_behind_it_is_delivered(void **state)
{
    struct fixed f;
    id_t_ was[] = {one(0, 1), one(2, 2)}, is[] = {one(0, 1), one(2, 3), one(4, 2)};
    (void)state;
    fixed_init(&f);
    assert_string_equal(say(&f, 1, 0, 0, 4, was, 2), "s0 s1 ");
    assert_string_equal(say(&f, 2, 0, 4, 6, is + 2, 1), ""); /* 2 is at 4 now, so what was delivered at 2 is not what it was */
    assert_int_equal(order_speculation_read_from(&f.s), 0);
    assert_string_equal(say(&f, 2, 0, 0, 6, is, 3), "f2 s1 s2 ");
    assert_string_equal(say(&f, 1, 0, 0, 4, was, 2), ""); /* an old view tells only what is final */
    order_speculation_clear(&f.s);
}

static void a_gap_blocks_and_a_refused_delivery_comes_again(void **state)
{
    struct fixed f;
    id_t_ e[] = {one(0, 1), one(2, 2)};
    (void)state;
    fixed_init(&f);
    assert_string_equal(say(&f, 1, 4, 2, 4, e + 1, 1), ""); /* */
    f.is_refusing = true;
    assert_string_equal(say(&f, 1, 4, 0, 4, e, 2), "");
    assert_int_equal(order_speculation_read_from(&f.s), 0);
    f.is_refusing = false;
    assert_string_equal(say(&f, 1, 4, 0, 4, e, 2), "d0 d1 c4 ");
    order_speculation_clear(&f.s);
}

static void a_record_where_a_gap_was_fails_what_is_behind(void **state)
{
    struct fixed f;
    id_t_ was[] = {one(4, 1)}, is[] = {one(2, 2), one(4, 1)};
    (void)state;
    fixed_init(&f);
    assert_string_equal(say(&f, 1, 2, 0, 6, was, 1), "s0 c2 ");
    assert_string_equal(say(&f, 2, 6, 2, 6, is, 2), "f2 d0 d1 c6 "); /* */
    order_speculation_clear(&f.s);
}

static void answers_that_make_no_sense_change_nothing(void **state)
{
    struct fixed f;
    id_t_ twice[] = {one(0, 1), one(1, 2)}, behind[] = {one(4, 1)}, before[] = {one(0, 1)};
    (void)state;
    fixed_init(&f);
    assert_int_equal(order_speculation_answer(&f.s, &(struct order_speculation_answer){1, 9, 0, 9, twice, 2}), BR_CORRUPT);
    assert_int_equal(order_speculation_answer(&f.s, &(struct order_speculation_answer){1, 9, 0, 5, behind, 1}), BR_CORRUPT);
    assert_int_equal(order_speculation_answer(&f.s, &(struct order_speculation_answer){1, 9, 2, 5, before, 1}), BR_CORRUPT);
    assert_int_equal(order_speculation_answer(&f.s, &(struct order_speculation_answer){1, 9, 3, 2, NULL, 0}), BR_CORRUPT);
    assert_string_equal(f.log, "");
    order_speculation_clear(&f.s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_delivered_is_confirmed_by_a_comparison_below_stable),
    cmocka_unit_test(the_first_difference_fails_and_what_is_so_is_delivered_from_it),
    cmocka_unit_test(a_new_view_is_compared_before_anything_behind_it_is_delivered),
    cmocka_unit_test(a_gap_blocks_and_a_refused_delivery_comes_again),
    cmocka_unit_test(a_record_where_a_gap_was_fails_what_is_behind),
    cmocka_unit_test(answers_that_make_no_sense_change_nothing),
    cmocka_unit_test(any_order_of_answers_and_views_ends_in_the_final_order),
};
HARNESS_MAIN("speculation", tests)
