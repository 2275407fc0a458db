#include "storage/index.h"
#include "compat/base/bytes.h"
#include "compat/base/mem.h"

#define WRITE_ENTRIES 256u /* encoded at a time */

void store_index_init(struct store_index *ix)
{
    *ix = (struct store_index){.max_timestamp = -1, .last_time = -1};
}

void store_index_clear(struct store_index *ix)
{
    br_free(ix->offsets);
    br_free(ix->times);
    store_index_init(ix);
}

static void add_offset(struct store_index *ix, uint32_t delta, uint32_t file_position)
{
    if (ix->offsets_pending == ix->offsets_cap) {
        ix->offsets_cap = BR_MAX(8u, ix->offsets_cap * 2);
        ix->offsets = br_realloc(ix->offsets, ix->offsets_cap * sizeof *ix->offsets);
    }
    ix->offsets[ix->offsets_pending++] = (struct store_index_entry){delta, file_position};
    BR_ASSERT(ix->offsets_pending <= ix->offsets_cap);
}

/* Only a timestamp above the last entry's gets one, so that timestamps rise. */
static void add_time(struct store_index *ix)
{
    if (ix->max_timestamp <= ix->last_time)
        return;
    if (ix->times_pending == ix->times_cap) {
        ix->times_cap = BR_MAX(8u, ix->times_cap * 2);
        ix->times = br_realloc(ix->times, ix->times_cap * sizeof *ix->times);
    }
    ix->times[ix->times_pending++] = (struct store_time_entry){ix->max_timestamp, ix->max_delta};
    ix->last_time = ix->max_timestamp;
    BR_ASSERT(ix->times_pending <= ix->times_cap);
}

void store_index_add(struct store_index *ix, uint32_t interval_bytes, uint32_t last_delta, uint32_t file_position, uint32_t size, int64_t max_timestamp)
{
    BR_ASSERT(size > 0);
    BR_ASSERT(last_delta <= INT32_MAX);
    if (max_timestamp > ix->max_timestamp) {
        ix->max_timestamp = max_timestamp;
        ix->max_delta = last_delta;
    }
    if (ix->bytes_since > interval_bytes) {
        add_offset(ix, last_delta, file_position);
        add_time(ix);
        ix->bytes_since = 0;
    }
    ix->bytes_since = size > UINT32_MAX - ix->bytes_since ? UINT32_MAX : ix->bytes_since + size;
}

void store_index_seal(struct store_index *ix)
{
    add_time(ix);
    BR_ASSERT(ix->last_time == ix->max_timestamp);
}

bool store_index_is_full(const struct store_index *ix)
{
    /* Room for one entry more is kept in .timeindex, for the one of the seal. */
    return ix->offsets_written + ix->offsets_pending >= STORE_INDEX_FILE_BYTES / STORE_INDEX_ENTRY_BYTES ||
           ix->times_written + ix->times_pending >= STORE_INDEX_FILE_BYTES / STORE_TIME_ENTRY_BYTES - 1;
}

enum br_err store_index_write_offsets(struct store_index *ix, struct store_file *file)
{
    uint8_t bytes[WRITE_ENTRIES * STORE_INDEX_ENTRY_BYTES];
    uint32_t done = 0;
    enum br_err err = BR_OK;
    BR_ASSERT(file != NULL);
    while (done < ix->offsets_pending && err == BR_OK) {
        uint32_t count = BR_MIN(WRITE_ENTRIES, ix->offsets_pending - done);
        for (uint32_t k = 0; k < count; k++) {
            br_store32(bytes + k * STORE_INDEX_ENTRY_BYTES, ix->offsets[done + k].delta);
            br_store32(bytes + k * STORE_INDEX_ENTRY_BYTES + 4, ix->offsets[done + k].file_position);
        }
        err = store_file_write(file, bytes, count * STORE_INDEX_ENTRY_BYTES, (int64_t)ix->offsets_written * STORE_INDEX_ENTRY_BYTES);
        if (err != BR_OK)
            break;
        done += count;
        ix->offsets_written += count;
    }
    ix->offsets_pending -= done;
    if (done > 0)
        memmove(ix->offsets, ix->offsets + done, ix->offsets_pending * sizeof *ix->offsets);
    return err;
}

enum br_err store_index_write_times(struct store_index *ix, struct store_file *file)
{
    uint8_t bytes[WRITE_ENTRIES * STORE_TIME_ENTRY_BYTES];
    uint32_t done = 0;
    enum br_err err = BR_OK;
    BR_ASSERT(file != NULL);
    while (done < ix->times_pending && err == BR_OK) {
        uint32_t count = BR_MIN(WRITE_ENTRIES, ix->times_pending - done);
        for (uint32_t k = 0; k < count; k++) {
            br_store64(bytes + k * STORE_TIME_ENTRY_BYTES, (uint64_t)ix->times[done + k].timestamp);
            br_store32(bytes + k * STORE_TIME_ENTRY_BYTES + 8, ix->times[done + k].delta);
        }
        err = store_file_write(file, bytes, count * STORE_TIME_ENTRY_BYTES, (int64_t)ix->times_written * STORE_TIME_ENTRY_BYTES);
        if (err != BR_OK)
            break;
        done += count;
        ix->times_written += count;
    }
    ix->times_pending -= done;
    if (done > 0)
        memmove(ix->times, ix->times + done, ix->times_pending * sizeof *ix->times);
    return err;
}

/* Reads count entries; BR_CORRUPT when the file is shorter. *bytes is br_alloc'd. */
static enum br_err read_entries(struct store_file *file, uint32_t count, uint32_t entry_bytes, uint8_t **bytes)
{
    size_t len = (size_t)count * entry_bytes;
    int64_t size;
    enum br_err err = store_file_size(file, &size);
    if (err == BR_OK && (size < (int64_t)len || len > STORE_INDEX_FILE_BYTES))
        err = BR_CORRUPT;
    if (err != BR_OK)
        return err;
    uint8_t *data = br_alloc(len + 1);
    err = len > 0 ? store_file_read(file, data, len, 0) : BR_OK;
    if (err != BR_OK) {
        br_free(data);
        return err == BR_EOF ? BR_CORRUPT : err;
    }
    *bytes = data;
    return BR_OK;
}

enum br_err store_index_load(struct store_index *ix, struct store_file *offsets, struct store_file *times, uint32_t offset_count,
                             uint32_t time_count, uint32_t end_delta, int64_t bytes, int64_t *resume)
{
    uint8_t *o = NULL, *t = NULL;
    BR_ASSERT(ix->offsets_written == 0 && ix->offsets_pending == 0);
    enum br_err err = read_entries(offsets, offset_count, STORE_INDEX_ENTRY_BYTES, &o);
    if (err == BR_OK)
        err = read_entries(times, time_count, STORE_TIME_ENTRY_BYTES, &t);
    int64_t last_delta = -1, last_position = 0, last_time = -1, last_time_delta = -1;
    uint32_t offsets_good = 0, times_good = 0;
    for (uint32_t i = 0; err == BR_OK && i < offset_count; i++, offsets_good++) {
        int64_t delta = br_load32(o + i * STORE_INDEX_ENTRY_BYTES), position = br_load32(o + i * STORE_INDEX_ENTRY_BYTES + 4);
        if (delta >= end_delta)
            break;
        if (delta <= last_delta || position <= last_position || position >= bytes)
            err = BR_CORRUPT;
        last_delta = delta, last_position = position;
    }
    for (uint32_t i = 0; err == BR_OK && i < time_count; i++, times_good++) {
        int64_t time = (int64_t)br_load64(t + i * STORE_TIME_ENTRY_BYTES), delta = br_load32(t + i * STORE_TIME_ENTRY_BYTES + 8);
        if (delta > last_delta) /* added with a later .index entry, or by a seal that is to come again */
            break;
        if (delta <= last_time_delta || time <= last_time)
            err = BR_CORRUPT;
        last_time = time, last_time_delta = delta;
    }
    br_free(o);
    br_free(t);
    if (err != BR_OK)
        return err;
    ix->offsets_written = offsets_good;
    ix->times_written = times_good;
    ix->max_timestamp = ix->last_time = last_time;
    ix->max_delta = last_time_delta < 0 ? 0 : (uint32_t)last_time_delta;
    *resume = last_position;
    store_index_check(ix);
    return BR_OK;
}

enum br_err store_index_load_sealed(struct store_index *ix, struct store_file *offsets, struct store_file *times, uint32_t offset_count,
                                    uint32_t time_count, bool nowait)
{
    int64_t offset_bytes, time_bytes;
    uint8_t last[STORE_TIME_ENTRY_BYTES] = {0};
    BR_ASSERT(ix->times_written == 0 && ix->times_pending == 0);
    enum br_err err = store_file_size(offsets, &offset_bytes);
    if (err == BR_OK)
        err = store_file_size(times, &time_bytes);
    if (err != BR_OK)
        return err;
    if (offset_bytes != (int64_t)offset_count * STORE_INDEX_ENTRY_BYTES || time_bytes != (int64_t)time_count * STORE_TIME_ENTRY_BYTES)
        return BR_CORRUPT;
    if (time_count > 0 && (err = store_file_read_as(times, last, sizeof last, time_bytes - (int64_t)sizeof last, nowait)) != BR_OK)
        return err;
    ix->offsets_written = offset_count;
    ix->times_written = time_count;
    ix->max_timestamp = ix->last_time = time_count > 0 ? (int64_t)br_load64(last) : -1;
    ix->max_delta = br_load32(last + 8);
    return BR_OK;
}

enum br_err store_index_floor_time(const struct store_index *ix, struct store_file *times, int64_t t, bool nowait, bool *found, uint32_t *delta)
{
    uint32_t low = 0, high = ix->times_pending;
    *found = false;
    while (low < high) { /* first waiting entry at or above t */
        uint32_t mid = low + (high - low) / 2;
        if (ix->times[mid].timestamp < t)
            low = mid + 1;
        else
            high = mid;
    }
    if (low > 0) {
        *found = true;
        *delta = ix->times[low - 1].delta;
        return BR_OK;
    }
    BR_ASSERT(ix->times_written == 0 || times != NULL);
    for (low = 0, high = ix->times_written; low < high;) {
        uint8_t bytes[STORE_TIME_ENTRY_BYTES];
        uint32_t mid = low + (high - low) / 2;
        enum br_err err = store_file_read_as(times, bytes, sizeof bytes, (int64_t)mid * STORE_TIME_ENTRY_BYTES, nowait);
        if (err != BR_OK)
            return err;
        if ((int64_t)br_load64(bytes) < t) {
            low = mid + 1;
            *found = true;
            *delta = br_load32(bytes + 8);
        } else {
            high = mid;
        }
    }
    return BR_OK;
}

void store_index_check(const struct store_index *ix)
{
    BR_ASSERT(ix->offsets_pending <= ix->offsets_cap);
    BR_ASSERT(ix->times_pending <= ix->times_cap);
    BR_ASSERT(ix->last_time <= ix->max_timestamp);
    for (uint32_t i = 1; i < ix->offsets_pending; i++)
        BR_ASSERT(ix->offsets[i - 1].delta < ix->offsets[i].delta && ix->offsets[i - 1].file_position < ix->offsets[i].file_position);
    for (uint32_t i = 1; i < ix->times_pending; i++)
        BR_ASSERT(ix->times[i - 1].timestamp < ix->times[i].timestamp && ix->times[i - 1].delta < ix->times[i].delta);
}
