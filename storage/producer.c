/* Idempotence per stream: Kafka's rules for sequences of a producer id. */
#include "storage/producer.h"
#include "compat/base/mem.h"

#define PRODUCERS_MAX 1000000u /* most ids one saved table may name */
#define SAVED_BATCH_BYTES 24u
#define SAVED_PRODUCER_BYTES 19u

_Static_assert(STORE_PRODUCER_WINDOW <= UINT8_MAX, "the saved count is one byte");

static int32_t next_sequence(int32_t sequence)
{
    return sequence == INT32_MAX ? 0 : sequence + 1;
}

void store_producers_init(struct store_producers *p)
{
    br_map_init(&p->map);
}

void store_producers_clear(struct store_producers *p)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&p->map, &at));)
        br_free(e->value);
    br_map_clear(&p->map);
}

static struct store_producer *find(const struct store_producers *p, int64_t producer_id)
{
    return br_map_get(&p->map, &producer_id, sizeof producer_id);
}

enum br_err store_producer_check(const struct store_producers *p, int64_t producer_id, int16_t epoch, int32_t first_sequence,
                                 int32_t last_sequence, bool never_held_data, struct store_producer_batch *dup)
{
    BR_ASSERT(producer_id >= 0);
    BR_ASSERT(dup != NULL);
    if (first_sequence < 0 || last_sequence < 0 || epoch < 0)
        return BR_INVALID;
    const struct store_producer *known = find(p, producer_id);
    if (!known) /* anything goes, except a first batch that cannot be the first where nothing can have been deleted */
        return never_held_data && first_sequence > 0 ? BR_SEQUENCE : BR_OK;
    BR_ASSERT(known->count > 0);
    BR_ASSERT(known->count <= STORE_PRODUCER_WINDOW);
    if (epoch < known->epoch)
        return BR_FENCED;
    if (epoch > known->epoch)
        return first_sequence == 0 ? BR_OK : BR_SEQUENCE;
    for (unsigned i = 0; i < known->count; i++) {
        const struct store_producer_batch *b = &known->batches[i];
        if (b->first_sequence == first_sequence && b->last_sequence == last_sequence) {
            *dup = *b;
            return BR_DUPLICATE;
        }
    }
    int32_t last = known->batches[known->count - 1].last_sequence;
    return first_sequence == next_sequence(last) ? BR_OK : BR_SEQUENCE;
}

void store_producer_apply(struct store_producers *p, int64_t producer_id, int16_t epoch, int32_t first_sequence, int32_t last_sequence,
                          int64_t base_offset, int64_t timestamp, int64_t now_ms)
{
    BR_ASSERT(producer_id >= 0);
    struct store_producer *known = find(p, producer_id);
    if (!known) {
        known = br_alloc(sizeof *known);
        known->producer_id = producer_id;
        known->epoch = epoch;
        br_map_put(&p->map, &producer_id, sizeof producer_id, known);
    }
    if (known->epoch != epoch) { /* the window belongs to one epoch */
        known->epoch = epoch;
        known->count = 0;
    }
    if (known->count == STORE_PRODUCER_WINDOW) {
        memmove(known->batches, known->batches + 1, (STORE_PRODUCER_WINDOW - 1) * sizeof known->batches[0]);
        known->count--;
    }
    known->batches[known->count++] = (struct store_producer_batch){first_sequence, last_sequence, base_offset, timestamp};
    known->last_used_ms = now_ms;
    BR_ASSERT(known->count <= STORE_PRODUCER_WINDOW);
}

unsigned store_producers_expire(struct store_producers *p, int64_t now_ms, int64_t expiration_ms, unsigned max)
{
    unsigned gone = 0;
    size_t at = 0;
    for (struct br_map_entry *e; gone < max && (e = br_map_next(&p->map, &at));) {
        struct store_producer *known = e->value;
        if (now_ms - known->last_used_ms < expiration_ms)
            continue;
        br_map_remove(&p->map, &known->producer_id, sizeof known->producer_id);
        br_free(known);
        gone++;
    }
    return gone;
}

void store_producers_save(const struct store_producers *p, struct br_buf *out)
{
    br_buf_add32(out, (uint32_t)br_map_count(&p->map));
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&p->map, &at));) {
        const struct store_producer *known = e->value;
        br_buf_add64(out, (uint64_t)known->producer_id);
        br_buf_add16(out, (uint16_t)known->epoch);
        br_buf_add64(out, (uint64_t)known->last_used_ms);
        br_buf_add8(out, (uint8_t)known->count);
        for (unsigned i = 0; i < known->count; i++) {
            const struct store_producer_batch *b = &known->batches[i];
            br_buf_add32(out, (uint32_t)b->first_sequence);
            br_buf_add32(out, (uint32_t)b->last_sequence);
            br_buf_add64(out, (uint64_t)b->base_offset);
            br_buf_add64(out, (uint64_t)b->timestamp);
        }
    }
}

/* One id. False: not what save writes. */
static bool load_one(struct store_producers *p, struct br_reader *in)
{
    struct store_producer v = {0};
    v.producer_id = (int64_t)br_read64(in);
    v.epoch = (int16_t)br_read16(in);
    v.last_used_ms = (int64_t)br_read64(in);
    v.count = br_read8(in);
    if (in->failed || v.producer_id < 0 || v.epoch < 0 || v.count == 0 || v.count > STORE_PRODUCER_WINDOW || find(p, v.producer_id))
        return false;
    for (unsigned i = 0; i < v.count; i++) {
        struct store_producer_batch *b = &v.batches[i];
        b->first_sequence = (int32_t)br_read32(in);
        b->last_sequence = (int32_t)br_read32(in);
        b->base_offset = (int64_t)br_read64(in);
        b->timestamp = (int64_t)br_read64(in);
        if (b->first_sequence < 0 || b->last_sequence < 0 || b->base_offset < 0 || (i > 0 && b->base_offset <= b[-1].base_offset))
            return false;
    }
    if (in->failed)
        return false;
    struct store_producer *known = br_alloc(sizeof *known);
    *known = v;
    br_map_put(&p->map, &v.producer_id, sizeof v.producer_id, known);
    return true;
}

enum br_err store_producers_load(struct store_producers *p, struct br_reader *in)
{
    BR_ASSERT(br_map_count(&p->map) == 0);
    uint32_t count = br_read32(in);
    bool good = !in->failed && count <= PRODUCERS_MAX &&
                count <= br_reader_left(in) / (SAVED_PRODUCER_BYTES + SAVED_BATCH_BYTES);
    for (uint32_t i = 0; good && i < count; i++)
        good = load_one(p, in);
    if (good)
        return BR_OK;
    store_producers_clear(p);
    return BR_CORRUPT;
}

void store_producers_check(const struct store_producers *p)
{
    size_t at = 0;
    for (struct br_map_entry *e; (e = br_map_next(&p->map, &at));) {
        const struct store_producer *known = e->value;
        BR_ASSERT(e->key_len == sizeof known->producer_id && memcmp(e->key, &known->producer_id, e->key_len) == 0);
        BR_ASSERT(known->count > 0 && known->count <= STORE_PRODUCER_WINDOW);
        for (unsigned i = 1; i < known->count; i++) { /* what was applied was in sequence and at rising offsets */
            BR_ASSERT(known->batches[i].base_offset > known->batches[i - 1].base_offset);
        }
    }
}
