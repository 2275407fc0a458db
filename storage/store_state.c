/* The small files of a data directory: meta.properties, boot, clean, state (storage/FORMAT.md). Each is replaced atomically. */
#include "compat/base/clock.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "compat/base/reader.h"
#include "storage/store_int.h"

#define META_VERSION 1
#define SMALL_MAX 65536u
#define POSITION_CEILING ((uint64_t)1 << 32)

static const char boot_magic[8] = "BRBOOT\0", state_magic[8] = "BRSTATE", clean_magic[8] = "BRCLEAN";

char *store_path(const struct store *store, const char *name)
{
    return br_asprintf("%s/%s", store->dir, name);
}

/* --- files of ours: magic 8, version 4, cluster id 16, node id 4, crc 4 (of what follows), body --- */

#define HEAD_BYTES 36u

static void begin_file(const struct store *store, const char magic[static 8], struct br_buf *out)
{
    br_buf_init(out, STORE_STATE_MAX);
    br_buf_add(out, magic, 8);
    br_buf_add32(out, STORE_FORMAT_VERSION);
    br_buf_add(out, store->identity.cluster_id.bytes, 16);
    br_buf_add32(out, (uint32_t)store->identity.node_id);
    br_buf_add32(out, 0);
}

static void seal_file(struct br_buf *out)
{
    br_store32(out->data + HEAD_BYTES - 4, br_crc32c(out->data + HEAD_BYTES, out->len - HEAD_BYTES));
}

static enum br_err write_file(struct store *store, const char *name, struct br_buf *out)
{
    char *path = store_path(store, name);
    seal_file(out);
    enum br_err err = out->failed ? BR_TOO_LARGE : store_file_replace(store->opts.vfs, path, out->data, out->len);
    br_free(path);
    return err;
}

/* BR_NOT_FOUND when absent. *data is br_alloc'd and given on BR_OK only; *body reads what follows the head. */
static enum br_err read_file(struct store *store, const char *name, const char magic[static 8], uint8_t **data, struct br_reader *body,
                             struct br_errbuf *eb)
{
    char *path = store_path(store, name);
    uint8_t *d;
    size_t len;
    enum br_err err = store_file_load(store->opts.vfs, path, STORE_STATE_MAX, &d, &len);
    if (err != BR_OK) {
        if (err != BR_NOT_FOUND)
            br_errbuf_set(eb, err, "%s: %s", path, br_err_text(err));
        br_free(path);
        return err;
    }
    if (len < HEAD_BYTES || memcmp(d, magic, 8) != 0)
        err = br_errbuf_set(eb, BR_CORRUPT, "%s: not a file of this kind", path);
    else if (br_load32(d + 8) != STORE_FORMAT_VERSION)
        err = br_errbuf_set(eb, BR_VERSION, "%s: format version %u is not known to this release", path, br_load32(d + 8));
    else if (memcmp(d + 12, store->identity.cluster_id.bytes, 16) != 0 || br_load32(d + 28) != (uint32_t)store->identity.node_id)
        err = br_errbuf_set(eb, BR_INVALID, "%s: belongs to another cluster or node", path);
    else if (br_load32(d + 32) != br_crc32c(d + HEAD_BYTES, len - HEAD_BYTES))
        err = br_errbuf_set(eb, BR_CORRUPT, "%s: checksum does not match", path);
    if (err == BR_OK) {
        *data = d;
        *body = br_reader(d + HEAD_BYTES, len - HEAD_BYTES);
    } else {
        br_free(d);
    }
    br_free(path);
    return err;
}

/* --- meta.properties --- */

/* The value of key in `key=value` lines, copied into out; false when absent. */
static bool meta_value(const char *text, const char *key, char *out, size_t size)
{
    size_t len = strlen(key);
    for (const char *at = text; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        if (strncmp(at, key, len) != 0 || at[len] != '=')
            continue;
        size_t n = strcspn(at + len + 1, "\r\n");
        snprintf(out, size, "%.*s", (int)n, at + len + 1);
        return true;
    }
    return false;
}

static enum br_err parse_meta(struct store *store, const char *path, const char *text, struct br_errbuf *eb)
{
    char value[64];
    struct store_identity *id = &store->identity;
    if (!meta_value(text, "version", value, sizeof value) || strtol(value, NULL, 10) != META_VERSION)
        return br_errbuf_set(eb, BR_VERSION, "%s: version is not 1: this layout is not known to this release", path);
    if (!meta_value(text, "cluster.id", value, sizeof value) || br_uuid_parse(br_str_c(value), &id->cluster_id) != BR_OK)
        return br_errbuf_set(eb, BR_CORRUPT, "%s: no valid cluster.id", path);
    if (!meta_value(text, "node.id", value, sizeof value))
        return br_errbuf_set(eb, BR_CORRUPT, "%s: no node.id", path);
    id->node_id = (int32_t)strtol(value, NULL, 10);
    if (store->opts.node_id >= 0 && store->opts.node_id != id->node_id)
        return br_errbuf_set(eb, BR_INVALID, "%s: the directory belongs to node %d, but node.id is %d", path, id->node_id, store->opts.node_id);
    if (!br_uuid_is_zero(store->opts.cluster_id) && !br_uuid_eq(store->opts.cluster_id, id->cluster_id))
        return br_errbuf_set(eb, BR_INVALID, "%s: the directory belongs to another cluster", path);
    return BR_OK;
}

static enum br_err write_meta(struct store *store, const char *path)
{
    char cluster[BR_UUID_TEXT], directory[BR_UUID_TEXT];
    struct store_identity *id = &store->identity;
    id->is_new = true;
    id->node_id = store->opts.node_id >= 0 ? store->opts.node_id : 1;
    id->cluster_id = br_uuid_is_zero(store->opts.cluster_id) ? br_uuid_random() : store->opts.cluster_id;
    br_uuid_text(id->cluster_id, cluster);
    br_uuid_text(br_uuid_random(), directory);
    char *text = br_asprintf("version=%d\ncluster.id=%s\nnode.id=%d\ndirectory.id=%s\n", META_VERSION, cluster, id->node_id, directory);
    enum br_err err = store_file_replace(store->opts.vfs, path, text, strlen(text));
    br_free(text);
    return err;
}

enum br_err store_identity_open(struct store *store, struct br_errbuf *eb)
{
    uint8_t *data;
    size_t len;
    char *path = store_path(store, "meta.properties");
    enum br_err err = store_file_load(store->opts.vfs, path, SMALL_MAX, &data, &len);
    if (err == BR_OK) {
        err = parse_meta(store, path, (const char *)data, eb);
        br_free(data);
    } else if (err == BR_NOT_FOUND) {
        err = write_meta(store, path);
        if (err != BR_OK)
            br_errbuf_set(eb, err, "%s: cannot be written: %s", path, br_err_text(err));
    } else {
        br_errbuf_set(eb, err, "%s: %s", path, br_err_text(err));
    }
    br_free(path);
    return err;
}

/* --- boot and clean --- */

static void read_boot_id(char out[static STORE_BOOT_ID])
{
    uint8_t text[STORE_BOOT_ID] = {0};
    struct store_file *file; /* of the running machine, also when the data lies elsewhere */
    if (store_file_open(store_vfs_posix(), "/proc/sys/kernel/random/boot_id", STORE_OPEN_READ, &file) == BR_OK) {
        if (store_file_read(file, text, 36, 0) != BR_OK)
            text[0] = '\0';
        store_file_close(file);
    }
    memcpy(out, text, STORE_BOOT_ID);
}

/* A machine that does not say its boot may have been restarted. */
static bool is_other_boot(const struct store *store, const void *boot_id)
{
    return store->boot_id[0] == '\0' || memcmp(store->boot_id, boot_id, STORE_BOOT_ID) != 0;
}

static uint32_t read_counter(struct store *store, const char *name, const char magic[static 8], char *boot_id, enum br_err *err, struct br_errbuf *eb)
{
    uint8_t *data;
    struct br_reader body;
    *err = read_file(store, name, magic, &data, &body, eb);
    if (*err == BR_NOT_FOUND)
        *err = BR_OK;
    else if (*err == BR_OK) {
        uint32_t count = br_read32(&body);
        const uint8_t *id = br_read_bytes(&body, STORE_BOOT_ID);
        if (id && boot_id)
            memcpy(boot_id, id, STORE_BOOT_ID);
        br_free(data);
        return count;
    }
    return 0;
}

static enum br_err write_counter(struct store *store, const char *name, const char magic[static 8], uint32_t count, const char *boot_id)
{
    struct br_buf out;
    begin_file(store, magic, &out);
    br_buf_add32(&out, count);
    br_buf_add(&out, boot_id, STORE_BOOT_ID);
    enum br_err err = write_file(store, name, &out);
    br_buf_clear(&out);
    return err;
}

/* Counts this start up before anything else is trusted: no two starts share a number. */
enum br_err store_boot_next(struct store *store, struct br_errbuf *eb)
{
    enum br_err err;
    if (!store->opts.boot_id)
        read_boot_id(store->boot_id);
    else
        snprintf(store->boot_id, sizeof store->boot_id, "%s", store->opts.boot_id);
    uint32_t last = read_counter(store, "boot", boot_magic, store->last_boot_id, &err, eb);
    if (err != BR_OK)
        return err;
    uint32_t clean = read_counter(store, "clean", clean_magic, NULL, &err, eb);
    if (err != BR_OK)
        return err;
    store->identity.starts = last + 1;
    store->identity.was_clean = last == 0 || clean == last;
    /* Until the state file says otherwise; see store_state_load. */
    store->identity.lost_power = !store->identity.was_clean && is_other_boot(store, store->last_boot_id);
    err = write_counter(store, "boot", boot_magic, last + 1, store->boot_id);
    return err == BR_OK ? BR_OK : br_errbuf_set(eb, err, "%s/boot: cannot be written: %s", store->dir, br_err_text(err));
}

enum br_err store_clean_mark(struct store *store)
{
    return write_counter(store, "clean", clean_magic, store->identity.starts, store->boot_id);
}

/* --- state --- */

static void save_stream(const struct store_stream *stream, struct br_buf *out)
{
    const struct store_log_state *s = store_log_state(stream->log);
    br_buf_add32(out, stream->id);
    br_buf_add64(out, (uint64_t)s->start);
    br_buf_add64(out, (uint64_t)s->end);
    br_buf_add64(out, (uint64_t)s->active_base);
    br_buf_add64(out, (uint64_t)s->active_bytes);
    br_buf_add32(out, (uint32_t)s->leader_epoch);
    br_buf_add64(out, (uint64_t)s->end_timestamp);
    br_buf_add64(out, (uint64_t)s->bound_end);
    size_t at = out->len;
    br_buf_add32(out, 0);
    store_producers_save(&stream->producers, out);
    if (!out->failed)
        br_store32(out->data + at, (uint32_t)(out->len - at - 4));
}

void store_state_save(struct store *store, uint64_t lsn, uint64_t position, uint32_t lane, uint64_t lane_s, struct br_buf *out)
{
    begin_file(store, state_magic, out);
    br_buf_add64(out, lsn);
    br_buf_add64(out, position);
    br_buf_add64(out, position + POSITION_CEILING);
    br_buf_add64(out, store_order_log_end(store->order_log));
    br_buf_add32(out, lane);
    br_buf_add64(out, lane_s);
    br_buf_add(out, store->boot_id, STORE_BOOT_ID);
    size_t at = out->len;
    br_buf_add32(out, 0);
    store->opts.save_catalog(store->opts.ctx, out);
    if (!out->failed)
        br_store32(out->data + at, (uint32_t)(out->len - at - 4));
    br_buf_add32(out, (uint32_t)store->stream_count);
    for (size_t i = 0; i < store->stream_count; i++)
        save_stream(store->streams[i], out);
    seal_file(out);
}

static void load_stream(struct store *store, struct br_reader *in)
{
    struct store_saved *saved = br_alloc(sizeof *saved);
    uint32_t id = br_read32(in);
    saved->log.start = (int64_t)br_read64(in);
    saved->log.end = (int64_t)br_read64(in);
    saved->log.active_base = (int64_t)br_read64(in);
    saved->log.active_bytes = (int64_t)br_read64(in);
    saved->log.leader_epoch = (int32_t)br_read32(in);
    saved->log.end_timestamp = (int64_t)br_read64(in);
    saved->log.bound_end = (int64_t)br_read64(in);
    saved->producers_len = br_read32(in);
    saved->producers = br_read_bytes(in, saved->producers_len);
    br_free(br_map_put(&store->saved, &id, sizeof id, saved));
}

enum br_err store_state_load(struct store *store, struct br_errbuf *eb)
{
    struct br_reader in;
    enum br_err err = read_file(store, "state", state_magic, &store->state_bytes, &in, eb);
    if (err == BR_NOT_FOUND) { /* no checkpoint yet: everything is in the journal from its start */
        store->identity.position_ceiling = POSITION_CEILING;
        return BR_OK;
    }
    if (err != BR_OK)
        return err;
    store->replay_from = br_read64(&in);
    store->identity.next_position = br_read64(&in);
    store->identity.position_ceiling = br_read64(&in);
    store->order_end = br_read64(&in);
    store->identity.lane = br_read32(&in);
    store->identity.lane_s = br_read64(&in);
    /* Against the boot of the last checkpoint, not of the last start: a start that died before its first checkpoint has settled nothing, and the
     * positions given out before the loss of power are still open. */
    const uint8_t *boot_id = br_read_bytes(&in, STORE_BOOT_ID);
    store->identity.lost_power = boot_id && !store->identity.was_clean && is_other_boot(store, boot_id);
    store->catalog_len = br_read32(&in);
    store->catalog = br_read_bytes(&in, store->catalog_len);
    uint32_t count = br_read32(&in);
    for (uint32_t i = 0; i < count && !in.failed; i++)
        load_stream(store, &in);
    if (in.failed || br_reader_left(&in) > 0)
        return br_errbuf_set(eb, BR_CORRUPT, "%s/state: not what this release writes", store->dir);
    return BR_OK;
}
