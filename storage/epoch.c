#include "storage/epoch.h"
#include "compat/base/mem.h"

void store_epochs_init(struct store_epochs *e)
{
    *e = (struct store_epochs){0};
}

void store_epochs_clear(struct store_epochs *e)
{
    br_free(e->list);
    store_epochs_init(e);
}

bool store_epochs_set(struct store_epochs *e, int32_t epoch, int64_t start)
{
    BR_ASSERT(epoch >= 0);
    BR_ASSERT(start >= 0);
    if (e->count > 0 && e->list[e->count - 1].epoch == epoch && e->list[e->count - 1].start <= start)
        return false; /* it has begun already */
    while (e->count > 0 && (e->list[e->count - 1].epoch >= epoch || e->list[e->count - 1].start >= start))
        e->count--;
    if (e->count == e->cap) {
        e->cap = BR_MAX(2u, e->cap * 2);
        e->list = br_realloc(e->list, e->cap * sizeof *e->list);
    }
    e->list[e->count++] = (struct store_epoch){epoch, start};
    store_epochs_check(e);
    return true;
}

void store_epochs_cut(struct store_epochs *e, int64_t end)
{
    while (e->count > 0 && e->list[e->count - 1].start >= end)
        e->count--;
    store_epochs_check(e);
}

void store_epochs_trim(struct store_epochs *e, int64_t start)
{
    unsigned below = 0;
    while (below < e->count && e->list[below].start < start)
        below++;
    if (below == 0)
        return;
    unsigned gone = below - 1;
    if (below < e->count && e->list[below].start == start)
        gone = below; /* the next one begins right there: nothing of this one is left */
    else
        e->list[gone].start = start;
    memmove(e->list, e->list + gone, (e->count - gone) * sizeof *e->list);
    e->count -= gone;
    store_epochs_check(e);
}

int32_t store_epochs_latest(const struct store_epochs *e)
{
    return e->count > 0 ? e->list[e->count - 1].epoch : -1;
}

void store_epochs_end(const struct store_epochs *e, int32_t asked, int64_t log_end, int32_t *epoch, int64_t *end)
{
    unsigned above = 0; /* the first entry above asked */
    *epoch = -1;
    *end = -1;
    if (asked < 0 || asked > store_epochs_latest(e))
        return;
    while (above < e->count && e->list[above].epoch <= asked)
        above++;
    *epoch = above > 0 ? e->list[above - 1].epoch : asked;
    *end = above < e->count ? e->list[above].start : log_end;
}

void store_epochs_format(const struct store_epochs *e, struct br_buf *out)
{
    br_buf_printf(out, "0\n%u\n", e->count);
    for (unsigned i = 0; i < e->count; i++)
        br_buf_printf(out, "%" PRId32 " %" PRId64 "\n", e->list[i].epoch, e->list[i].start);
}

/* Takes digits and the character after them; false when it is anything else or above max. */
static bool take_number(struct br_str *text, char after, int64_t max, int64_t *out)
{
    int64_t v = 0;
    size_t i = 0;
    for (; i < text->len && text->data[i] >= '0' && text->data[i] <= '9'; i++) {
        int digit = text->data[i] - '0';
        if (v > (max - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    if (i == 0 || i >= text->len || text->data[i] != after)
        return false;
    text->data += i + 1;
    text->len -= i + 1;
    *out = v;
    return true;
}

enum br_err store_epochs_parse(struct store_epochs *e, struct br_str text)
{
    int64_t version, count, epoch, start, last_epoch = -1, last_start = -1;
    BR_ASSERT(e->count == 0);
    if (!take_number(&text, '\n', INT32_MAX, &version) || version != 0 || !take_number(&text, '\n', STORE_EPOCHS_FILE_BYTES_MAX, &count))
        return BR_CORRUPT;
    for (int64_t i = 0; i < count; i++) {
        bool is_good = take_number(&text, ' ', INT32_MAX, &epoch) && take_number(&text, '\n', INT64_MAX, &start);
        if (!is_good || epoch <= last_epoch || start <= last_start) {
            store_epochs_clear(e);
            return BR_CORRUPT;
        }
        last_epoch = epoch, last_start = start;
        store_epochs_set(e, (int32_t)epoch, start);
    }
    if (text.len == 0)
        return BR_OK;
    store_epochs_clear(e);
    return BR_CORRUPT;
}

void store_epochs_check(const struct store_epochs *e)
{
    BR_ASSERT(e->count <= e->cap);
    for (unsigned i = 0; i < e->count; i++) {
        BR_ASSERT(e->list[i].epoch >= 0 && e->list[i].start >= 0);
        if (i > 0)
            BR_ASSERT(e->list[i - 1].epoch < e->list[i].epoch && e->list[i - 1].start < e->list[i].start);
    }
}
