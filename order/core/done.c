/* The done end of each stream of the local lane.
 *
 * An entry is done when it reached its class on every member and all earlier entries of its stream are done. With `need` = s of the
 * last fsync entry of the stream (itself included) this is: s <= written and need <= synced. need never falls within a stream, so the
 * done entries of a stream are always a prefix of it. Streams are kept only while something of theirs is not done. */
#include "order/core/core_int.h"
#include "compat/base/mem.h"

static uint32_t bucket_of(const struct order_done *done, uint32_t stream) { return (stream * 2654435761u) >> 7 & (done->size - 1); }

static void rehash(struct order_done *done)
{
    for (uint32_t b = 0; b < done->size; b++)
        done->buckets[b] = ORDER_NONE;
    for (uint32_t i = 0; i < done->count; i++) {
        uint32_t b = bucket_of(done, done->streams[i].stream);
        done->streams[i].next = done->buckets[b];
        done->buckets[b] = i;
    }
}

/* Only called when every record is in use, so that the first `count` are exactly the live ones. */
static void grow(struct order_done *done)
{
    BR_ASSERT(done->free == ORDER_NONE);
    BR_ASSERT(done->count == done->size);
    uint32_t size = done->size * 2;
    done->streams = br_realloc(done->streams, size * sizeof(*done->streams));
    done->buckets = br_realloc(done->buckets, size * sizeof(*done->buckets));
    for (uint32_t i = size; i > done->size; i--) {
        done->streams[i - 1] = (struct order_done_stream){.next = done->free};
        done->free = i - 1;
    }
    done->size = size;
    rehash(done);
}

void order_done_init(struct order_done *done, uint32_t limit)
{
    BR_ASSERT(limit > 0);
    *done = (struct order_done){.size = ORDER_SIZE_MIN, .limit = limit, .free = ORDER_NONE};
    done->streams = br_alloc_array(done->size, sizeof(*done->streams));
    done->buckets = br_alloc_array(done->size, sizeof(*done->buckets));
    for (uint32_t i = done->size; i > 0; i--) {
        done->streams[i - 1].next = done->free;
        done->free = i - 1;
    }
    rehash(done);
}

void order_done_clear(struct order_done *done)
{
    br_free(done->streams);
    br_free(done->buckets);
    *done = (struct order_done){0};
}

static uint32_t find_or_add(struct order_done *done, uint32_t stream, int64_t base_offset)
{
    uint32_t i = done->buckets[bucket_of(done, stream)];
    while (i != ORDER_NONE && done->streams[i].stream != stream)
        i = done->streams[i].next;
    if (i != ORDER_NONE)
        return i;
    BR_ASSERT(order_done_has_room(done, 1)); /* O-10: order_core_has_room was asked */
    if (done->free == ORDER_NONE)
        grow(done);
    i = done->free;
    struct order_done_stream *s = &done->streams[i];
    done->free = s->next;
    uint32_t *bucket = &done->buckets[bucket_of(done, stream)];
    *s = (struct order_done_stream){.stream = stream, .next = *bucket, .end = base_offset, .done_end = base_offset};
    *bucket = i;
    done->count++;
    return i;
}

static void forget(struct order_done *done, uint32_t index)
{
    struct order_done_stream *s = &done->streams[index];
    BR_ASSERT(s->pending == 0);
    BR_ASSERT(s->done_end == s->end); /* O-6 */
    uint32_t *at = &done->buckets[bucket_of(done, s->stream)];
    while (*at != index)
        at = &done->streams[*at].next;
    *at = s->next;
    s->next = done->free;
    done->free = index;
    done->count--;
}

void order_done_add(struct order_core *core, const struct order_entry *entry, uint64_t *need, uint32_t *stream)
{
    BR_ASSERT(entry->class == ORDER_PAGE_CACHE || entry->class == ORDER_FSYNC);
    *stream = find_or_add(&core->done, entry->member.stream, entry->member.base_offset);
    struct order_done_stream *s = &core->done.streams[*stream];
    BR_ASSERT(s->end == entry->member.base_offset); /* O-6: offsets are dense */
    s->end += entry->member.count;
    s->pending++;
    if (entry->class == ORDER_FSYNC)
        s->need = entry->id.s;
    *need = ORDER_MUTATED(DONE_OVERTAKES) && entry->class != ORDER_FSYNC ? 0 : s->need;
    if (ORDER_MUTATED(ACK_UNSYNCED))
        *need = 0;
}

static void mark(struct order_core *core, struct order_window_slot *w)
{
    struct order_done_stream *s = &core->done.streams[w->stream];
    BR_ASSERT(s->pending > 0);
    if (!ORDER_MUTATED(DONE_OVERTAKES))
        BR_ASSERT(s->done_end == w->entry.member.base_offset); /* O-6: every earlier entry of the stream is done */
    w->is_done = true;
    s->done_end = w->entry.member.base_offset + w->entry.member.count;
    s->pending--;
    if (s->step != core->step) {
        s->step = core->step;
        s->effect = core->effect_count;
        order_effect_add(core, ORDER_FX_DONE)->done.stream = s->stream;
    }
    struct order_effect *fx = &core->effects[s->effect];
    BR_ASSERT(fx->kind == ORDER_FX_DONE);
    fx->done.done_end = s->done_end;
    fx->done.s = w->entry.id.s;
    if (s->pending == 0)
        forget(&core->done, w->stream);
}

void order_done_advance(struct order_core *core, uint64_t from)
{
    struct order_client *c = &core->client;
    BR_ASSERT(c->synced <= c->written);
    BR_ASSERT(c->written < c->next);
    uint64_t end = ORDER_MUTATED(ACK_UNWRITTEN) ? c->next - 1 : c->written;
    for (uint64_t s = BR_MAX(from, c->first); s <= end; s++) {
        struct order_window_slot *w = order_window_at(c, s);
        if (!w->is_done && w->need <= c->synced)
            mark(core, w);
    }
    while (c->done < end && order_window_at(c, c->done + 1)->is_done)
        c->done++;
}
