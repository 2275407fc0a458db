#include "storage/positions.h"
#include "compat/base/bytes.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"

#define MAGIC "braidpos"
#define FORMAT_VERSION 1u
#define LACKS_POSITIONS 1u /* flag */
#define WRITE_ROWS 256u /* encoded at a time */

_Static_assert(STORE_POSITIONS_HEADER_BYTES % STORE_POSITIONS_ROW_BYTES == 0, "rows stay aligned, so that none straddles a sector");

void store_positions_init(struct store_positions *p)
{
    *p = (struct store_positions){0};
}

void store_positions_clear(struct store_positions *p)
{
    br_free(p->rows);
    store_positions_init(p);
}

void store_positions_add(struct store_positions *p, uint32_t delta, uint32_t file_position)
{
    uint32_t used = p->count - p->first;
    BR_ASSERT(p->count < UINT32_MAX);
    if (used > 0) {
        BR_ASSERT(p->rows[used - 1].delta < delta);
        BR_ASSERT(p->rows[used - 1].file_position < file_position);
    }
    if (used == p->cap) {
        p->cap = BR_MAX(8u, p->cap * 2);
        p->rows = br_realloc(p->rows, p->cap * sizeof *p->rows);
    }
    p->rows[used] = (struct store_positions_row){delta, file_position, STORE_POSITION_NONE};
    p->count++;
}

void store_positions_bind(struct store_positions *p, uint64_t position)
{
    BR_ASSERT(p->bound < p->count);
    BR_ASSERT(p->bound >= p->first);
    p->rows[p->bound - p->first].position = position;
    p->bound++;
}

const struct store_positions_row *store_positions_next(const struct store_positions *p)
{
    BR_ASSERT(p->bound < p->count);
    BR_ASSERT(p->bound >= p->first);
    return &p->rows[p->bound - p->first];
}

void store_positions_cut(struct store_positions *p, uint32_t count)
{
    BR_ASSERT(count <= p->count);
    p->count = count;
    p->bound = BR_MIN(p->bound, count);
    p->written = BR_MIN(p->written, count);
    p->first = BR_MIN(p->first, count); /* then nothing is in memory */
    store_positions_check(p);
}

/* ---- search ---- */

void store_positions_reader_init(struct store_positions_reader *r, const struct store_positions *p, struct store_file *file, bool nowait)
{
    r->positions = p;
    r->file = file;
    r->nowait = nowait;
    r->cold_at = 0;
    r->block_first = r->block_count = 0;
}

static int64_t row_at(uint32_t i)
{
    return STORE_POSITIONS_HEADER_BYTES + (int64_t)i * STORE_POSITIONS_ROW_BYTES;
}

static enum br_err load_block(struct store_positions_reader *r, uint32_t i)
{
    uint8_t bytes[BR_COUNT(r->block) * STORE_POSITIONS_ROW_BYTES];
    uint32_t first = i - i % (uint32_t)BR_COUNT(r->block);
    uint32_t count = BR_MIN((uint32_t)BR_COUNT(r->block), r->positions->written - first);
    size_t len = count * STORE_POSITIONS_ROW_BYTES;
    enum br_err err = store_file_read_as(r->file, bytes, len, row_at(first), r->nowait);
    if (err == BR_COLD)
        r->cold_at = row_at(first);
    if (err != BR_OK)
        return err;
    for (uint32_t k = 0; k < count; k++) {
        const uint8_t *b = bytes + k * STORE_POSITIONS_ROW_BYTES;
        r->block[k] = (struct store_positions_row){br_load32(b), br_load32(b + 4), br_load64(b + 8)};
    }
    r->block_first = first;
    r->block_count = count;
    return BR_OK;
}

enum br_err store_positions_get(struct store_positions_reader *r, uint32_t i, struct store_positions_row *out)
{
    const struct store_positions *p = r->positions;
    BR_ASSERT(i < p->count);
    if (i >= p->first) {
        *out = p->rows[i - p->first];
        return BR_OK;
    }
    BR_ASSERT(r->file != NULL);
    if (i < r->block_first || i >= r->block_first + r->block_count) {
        enum br_err err = load_block(r, i);
        if (err != BR_OK)
            return err;
    }
    *out = r->block[i - r->block_first];
    return BR_OK;
}

static uint64_t key_of(const struct store_positions_row *row, enum store_positions_key key)
{
    return key == STORE_BY_DELTA ? row->delta : key == STORE_BY_FILE_POSITION ? row->file_position : row->position;
}

enum br_err store_positions_search(struct store_positions_reader *r, enum store_positions_key key, uint64_t value, uint32_t low, uint32_t high,
                                   uint32_t *index)
{
    const struct store_positions *p = r->positions;
    struct store_positions_row row;
    BR_ASSERT(low <= high);
    BR_ASSERT(high <= p->count);
    /* The rows in memory are asked first: at the tail they hold the answer. */
    if (low < p->first && p->first < high && key_of(&p->rows[0], key) < value)
        low = p->first;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        enum br_err err = store_positions_get(r, mid, &row);
        if (err != BR_OK)
            return err;
        if (key_of(&row, key) < value)
            low = mid + 1;
        else
            high = mid;
    }
    *index = low;
    return BR_OK;
}

/* ---- file ---- */

enum br_err store_positions_write(struct store_positions *p, struct store_file *file)
{
    uint8_t bytes[WRITE_ROWS * STORE_POSITIONS_ROW_BYTES];
    BR_ASSERT(p->written >= p->first);
    BR_ASSERT(p->bound >= p->written);
    while (p->written < p->bound) {
        uint32_t count = BR_MIN(WRITE_ROWS, p->bound - p->written);
        for (uint32_t k = 0; k < count; k++) {
            const struct store_positions_row *row = &p->rows[p->written + k - p->first];
            uint8_t *b = bytes + k * STORE_POSITIONS_ROW_BYTES;
            br_store32(b, row->delta);
            br_store32(b + 4, row->file_position);
            br_store64(b + 8, row->position);
        }
        enum br_err err = store_file_write(file, bytes, count * STORE_POSITIONS_ROW_BYTES, row_at(p->written));
        if (err != BR_OK)
            return err; /* the rows stay in memory; the next write puts them at the same place */
        p->written += count;
    }
    return BR_OK;
}

enum br_err store_positions_rewrite(struct store_positions *p, struct store_file *file, uint32_t i, uint64_t position)
{
    uint8_t bytes[8];
    BR_ASSERT(i < p->written);
    br_store64(bytes, position);
    enum br_err err = store_file_write(file, bytes, sizeof bytes, row_at(i) + 8);
    if (err == BR_OK && i >= p->first)
        p->rows[i - p->first].position = position;
    return err;
}

void store_positions_shrink(struct store_positions *p, uint32_t keep)
{
    uint32_t low = BR_MIN(p->written, p->count > keep ? p->count - keep : 0);
    BR_ASSERT(p->written <= p->count);
    if (low <= p->first)
        return;
    uint32_t used = p->count - low;
    memmove(p->rows, p->rows + (low - p->first), used * sizeof *p->rows);
    p->first = low;
    if (used == 0) {
        br_free(p->rows);
        p->rows = NULL;
        p->cap = 0;
    }
    store_positions_check(p);
}

enum br_err store_positions_write_header(struct store_file *file, const struct store_positions_header *h)
{
    uint8_t bytes[STORE_POSITIONS_HEADER_BYTES] = MAGIC;
    BR_ASSERT(h->segment_base >= 0);
    br_store16(bytes + 8, h->lacks_positions ? LACKS_POSITIONS : 0);
    br_store16(bytes + 10, FORMAT_VERSION);
    br_store64(bytes + 16, (uint64_t)h->segment_base);
    br_store64(bytes + 24, (uint64_t)h->first_ms);
    br_store64(bytes + 32, (uint64_t)h->last_ms);
    br_store32(bytes + 40, h->index_count);
    br_store32(bytes + 44, h->time_count);
    br_store32(bytes + 12, br_crc32c(bytes + 16, sizeof bytes - 16));
    return store_file_write(file, bytes, sizeof bytes, 0);
}

enum br_err store_positions_read_header(struct store_file *file, bool nowait, struct store_positions_header *h)
{
    uint8_t bytes[STORE_POSITIONS_HEADER_BYTES];
    BR_ASSERT(file != NULL);
    enum br_err err = store_file_read_as(file, bytes, sizeof bytes, 0, nowait);
    if (err != BR_OK)
        return err == BR_EOF ? BR_CORRUPT : err;
    bool is_ours = memcmp(bytes, MAGIC, 8) == 0 && br_load16(bytes + 10) == FORMAT_VERSION;
    if (!is_ours || br_load32(bytes + 12) != br_crc32c(bytes + 16, sizeof bytes - 16))
        return BR_CORRUPT;
    *h = (struct store_positions_header){
        .segment_base = (int64_t)br_load64(bytes + 16),
        .first_ms = (int64_t)br_load64(bytes + 24),
        .last_ms = (int64_t)br_load64(bytes + 32),
        .index_count = br_load32(bytes + 40),
        .time_count = br_load32(bytes + 44),
        .lacks_positions = br_load16(bytes + 8) & LACKS_POSITIONS,
    };
    return BR_OK;
}

void store_positions_check(const struct store_positions *p)
{
    BR_ASSERT(p->first <= p->written);
    BR_ASSERT(p->written <= p->bound);
    BR_ASSERT(p->bound <= p->count);
    BR_ASSERT(p->count - p->first <= p->cap);
    for (uint32_t i = 1; i < p->count - p->first; i++) {
        BR_ASSERT(p->rows[i - 1].delta < p->rows[i].delta);
        BR_ASSERT(p->rows[i - 1].file_position < p->rows[i].file_position);
    }
}
