/* Any bytes as the files of a segment: a start ends in an error or in a log that can be asked everything, appended to, checkpointed and started again
 * (S-10, S-11). Whatever the caches say, no range leaves its segment and no answer leaves the log.
 *
 * Input: a byte of choices; 2 bytes each: lengths of .log, .index and .timeindex (the rest is .positions), end offset, bound end, valid bytes; then the
 * files. SEALED: an empty segment follows, so that the files are believed until they are read. FIX makes the sidecar's head right, NO_ROWS leaves
 * the sidecar out. */
#include "compat/base/bytes.h"
#include "compat/base/crc32c.h"
#include "compat/base/log.h"
#include "compat/base/mem.h"
#include "compat/batch/builder.h"
#include "storage/file_cache.h"
#include "storage/log.h"
#include "storage/vfs_mem.h"
#include "tests/fuzz/fuzz.h"

enum { SEALED = 1, FIX = 2, NO_ROWS = 4, START = 8, HEAD = 13 };

struct input {
    uint8_t choice;
    size_t log, index, time;
    int64_t end, bound_end, bytes;
};

static void put(struct store_vfs *vfs, const char *name, const uint8_t *data, size_t size)
{
    char *path = br_asprintf("d/t-0/%s", name);
    BR_ASSERT(store_file_replace(vfs, path, data, size) == BR_OK);
    br_free(path);
}

static void put_rows(struct store_vfs *vfs, const struct input *in, const uint8_t *data, size_t size)
{
    uint8_t *bytes = br_alloc(size + 1);
    memcpy(bytes, data, size);
    if ((in->choice & FIX) && size >= 48) {
        memcpy(bytes, "braidpos\0\0\0\1", 12);
        br_store64(bytes + 16, 0);
        br_store32(bytes + 12, br_crc32c(bytes + 16, 32));
    }
    put(vfs, "00000000000000000000.positions", bytes, size);
    br_free(bytes);
}

static void put_files(struct store_vfs *vfs, const struct input *in, const uint8_t *data, size_t size)
{
    size_t log = BR_MIN(in->log, size), index = BR_MIN(in->index, size - log), time = BR_MIN(in->time, size - log - index);
    put(vfs, "00000000000000000000.log", data, log);
    put(vfs, "00000000000000000000.index", data + log, index);
    put(vfs, "00000000000000000000.timeindex", data + log + index, time);
    if (!(in->choice & NO_ROWS))
        put_rows(vfs, in, data + log + index + time, size - log - index - time);
    if (in->choice & SEALED) {
        char *name = br_asprintf("%020" PRId64 ".log", in->end);
        put(vfs, name, data, 0);
        br_free(name);
    }
}

/* Errors are answers too; crashes and answers outside the log are not. */
static void ask(struct store_log *log)
{
    const struct store_log_state *s = store_log_state(log);
    struct store_range range;
    struct store_place place;
    uint64_t position;
    int64_t a;
    for (int64_t offset = s->start; offset < s->end; offset += 1 + (s->end - s->start) / 50) {
        if (store_log_read(log, offset, s->end, 300, true, &range) == BR_OK) {
            if (range.length > 0)
                BR_ASSERT(range.first_offset <= offset && offset < range.next_offset && range.next_offset <= s->end);
            store_range_release(&range);
        }
        if (store_log_find(log, offset, &a, &place, &position, NULL) == BR_OK)
            BR_ASSERT(a <= offset);
    }
    for (int64_t t = 0; t < 40; t += 7) {
        struct store_time_query q = store_time_query(t, s->end);
        if (store_log_ask_time(log, &q, NULL) == BR_OK && q.found)
            BR_ASSERT(q.offset >= s->start && q.offset < s->end && q.timestamp >= t);
        if (store_log_cut(log, (uint64_t)t, &a) == BR_OK)
            BR_ASSERT(a >= s->start && a <= s->end);
    }
    struct store_time_query max = store_max_time_query(s->end);
    if (store_log_ask_time(log, &max, NULL) == BR_OK && max.found)
        BR_ASSERT(max.offset >= s->start && max.offset < s->end);
    (void)store_log_retention_start(log, 1000000, s->end, NULL);
}

static void append(struct store_log *log)
{
    struct br_buf out;
    struct kw_batch_builder b;
    struct kw_batch batch;
    struct store_place place;
    uint32_t size;
    int64_t end = store_log_state(log)->end;
    br_buf_init(&out, 1000);
    kw_batch_builder_init(&b, &out, end, 30, 0);
    kw_batch_builder_add(&b, end, 30, br_str(NULL, 0), br_str_c("x"), br_str(NULL, 0), 0, NULL, 0);
    BR_ASSERT(kw_batch_builder_finish(&b, 0, 0, &size) == BR_OK && kw_batch_view(out.data, out.len, &batch) == BR_OK);
    BR_ASSERT(store_log_prepare(log, size, 30, 100, &place) == BR_OK);
    BR_ASSERT(store_log_append(log, &batch, 30, end, 100, &place) == BR_OK);
    br_buf_clear(&out);
}

/* One start; true when the log is sound. *state is what a checkpoint at its end says. */
static bool run(struct store_vfs *vfs, struct store_log_state *state)
{
    struct store_file_cache *files = store_file_cache_new(vfs, 4);
    struct store_log *log;
    struct store_log_opts opts = {.vfs = vfs, .root = "d", .name = "t-0", .state = *state, .files = files,
                                  .config = {1000, 1000000, 100, 500, 100000}};
    store_log_new(&opts, &log);
    bool is_sound = store_log_recover(log) == BR_OK;
    if (is_sound) {
        store_log_check(log);
        ask(log);
        append(log);
        store_log_check(log);
        ask(log);
        struct store_log_sync *sync = store_log_sync_new(log);
        BR_ASSERT(sync && store_log_sync_run(sync) == BR_OK);
        *state = *store_log_state(log);
        store_log_sync_free(sync);
    }
    store_log_free(log);
    store_file_cache_free(files);
    return is_sound;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD || size > 20000)
        return 0;
    struct input in = {data[0], br_load16(data + 1), br_load16(data + 3), br_load16(data + 5), br_load16(data + 7), br_load16(data + 9), br_load16(data + 11)};
    struct store_vfs_mem *mem = store_vfs_mem_new(1);
    struct store_vfs *vfs = store_vfs_mem_vfs(mem);
    BR_ASSERT(store_dir_make(vfs, "d") == BR_OK && store_dir_make(vfs, "d/t-0") == BR_OK);
    put_files(vfs, &in, data + HEAD, size - HEAD);
    struct store_log_state state = {.start = in.choice & START ? in.end / 2 : 0, .end = in.end, .bound_end = BR_MIN(in.bound_end, in.end),
                                    .active_base = 0, .active_bytes = in.bytes};
    if ((in.choice & SEALED) && in.end > 0)
        state = (struct store_log_state){.start = state.start, .end = in.end, .bound_end = in.end, .active_base = in.end};
    br_log_set_level(BR_LOG_ERROR);
    if (run(vfs, &state))
        BR_ASSERT(run(vfs, &state)); /* what was sound stays so */
    store_vfs_mem_free(mem);
    return 0;
}
