/* braid dump: files of a data directory in words (storage/FORMAT.md). Reads only; a broker may run on them. */
#include "broker/tool/tool.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "compat/batch/record.h"
#include "compat/zip/zip.h"
#include "storage/journal.h"
#include "storage/order_log.h"
#include <getopt.h>

#define FILE_MAX_BYTES ((size_t)4 << 30)
#define INFLATED_MAX ((size_t)1 << 30)
#define HEADER_BYTES 4096u /* of journal and order files */

struct dump {
    struct tool *t;
    const char *path;
    const uint8_t *data;
    size_t len;
    bool records;
};

static int damaged(const struct dump *d, size_t at, const char *why)
{
    return tool_fail("%s: byte %zu: %s", d->path, at, why);
}

static void print_records(const struct dump *d, const struct kw_batch *b)
{
    struct br_buf inflated;
    struct kw_record_iter it;
    struct kw_record r;
    br_buf_init(&inflated, INFLATED_MAX);
    if (kw_zip_inflate_buf(kw_batch_codec(b), b->data + KW_BATCH_HEADER, b->size - KW_BATCH_HEADER, INFLATED_MAX, &inflated) == BR_OK) {
        kw_record_iter_init(&it, b, inflated.data, inflated.len);
        while (kw_record_next(&it, &r) == BR_OK)
            printf(d->t->json ? "{\"offset\":%" PRId64 ",\"timestamp\":%" PRId64 ",\"key_bytes\":%zd,\"value_bytes\":%zd,\"headers\":%d}\n"
                              : "    offset %" PRId64 " timestamp %" PRId64 " key %zd value %zd bytes, %d headers\n",
                   r.offset, r.timestamp, r.key.data ? (ssize_t)r.key.len : -1, r.value.data ? (ssize_t)r.value.len : -1, r.header_count);
    }
    br_buf_clear(&inflated);
}

static int dump_segment(const struct dump *d)
{
    for (size_t at = 0; at < d->len;) {
        struct kw_batch b;
        if (kw_batch_view(d->data + at, d->len - at, &b) != BR_OK || b.size > d->len - at)
            return damaged(d, at, "no whole batch");
        bool is_good = kw_batch_crc_ok(&b);
        printf(d->t->json ? "{\"position\":%zu,\"base_offset\":%" PRId64 ",\"last_offset\":%" PRId64 ",\"records\":%d,\"bytes\":%u,\"codec\":\"%s\",\"leader_epoch\":%d,"
                            "\"max_timestamp\":%" PRId64 ",\"producer_id\":%" PRId64 ",\"base_sequence\":%d,\"control\":%s,\"crc_ok\":%s}\n"
                          : "%zu: offsets %" PRId64 " to %" PRId64 ", %d records, %u bytes, %s, epoch %d, max timestamp %" PRId64 ", producer %" PRId64
                            " sequence %d, control %s, crc ok %s\n",
               at, b.base_offset, kw_batch_last_offset(&b), b.record_count, b.size, kw_codec_name(kw_batch_codec(&b)) ? kw_codec_name(kw_batch_codec(&b)) : "?", b.leader_epoch,
               b.max_timestamp, b.producer_id, b.base_sequence, kw_batch_is_control(&b) ? "true" : "false", is_good ? "true" : "false");
        if (!is_good)
            return damaged(d, at, "CRC does not match");
        if (d->records)
            print_records(d, &b);
        at += b.size;
    }
    return 0;
}

static int dump_index(const struct dump *d)
{
    for (size_t at = 0; at + 8 <= d->len; at += 8)
        printf(d->t->json ? "{\"relative_offset\":%u,\"file_position\":%u}\n" : "last offset +%u at %u\n", br_load32(d->data + at), br_load32(d->data + at + 4));
    return 0;
}

static int dump_timeindex(const struct dump *d)
{
    for (size_t at = 0; at + 12 <= d->len; at += 12)
        printf(d->t->json ? "{\"timestamp\":%" PRId64 ",\"relative_offset\":%u}\n" : "timestamp %" PRId64 " at offset +%u\n", (int64_t)br_load64(d->data + at),
               br_load32(d->data + at + 8));
    return 0;
}

static int dump_positions(const struct dump *d)
{
    if (d->len < 48 || memcmp(d->data, "braidpos", 8) != 0 || br_load32(d->data + 12) != br_crc32c(d->data + 16, 32))
        return damaged(d, 0, "not a sidecar's head");
    for (size_t at = 48; at + 16 <= d->len; at += 16)
        printf(d->t->json ? "{\"relative_offset\":%u,\"file_position\":%u,\"position\":%" PRIu64 "}\n" : "offset +%u at %u has position %" PRIu64 "\n",
               br_load32(d->data + at), br_load32(d->data + at + 4), br_load64(d->data + at + 8));
    return 0;
}

static const char *kind_name(unsigned kind)
{
    static const char *const names[] = {"head", "data", "fence", "commit", "abort", "marker", "noop", "barrier", "catalog", "trim", "truncate", "prepare", "final"};
    return kind < BR_COUNT(names) ? names[kind] : "?";
}

static int dump_journal(const struct dump *d)
{
    if (d->len < HEADER_BYTES || memcmp(d->data, "BRAIDJNL", 8) != 0)
        return damaged(d, 0, "not a journal file");
    uint64_t seq = br_load64(d->data + 32);
    if (!d->t->json)
        printf("file %" PRIu64 ", first lsn %" PRIu64 "\n", seq, br_load64(d->data + 40));
    for (size_t at = HEADER_BYTES; at + STORE_JOURNAL_ROW_BYTES <= d->len;) {
        struct store_row row;
        uint32_t length;
        store_journal_decode(d->data + at, &row, &length);
        if (length < STORE_JOURNAL_ROW_BYTES || length > d->len - at ||
            br_load32(d->data + at) != br_crc32c_extend(store_journal_seed(seq), d->data + at + 4, length - 4)) {
            if (!d->t->json)
                printf("%zu: end of what this file's records vouch for\n", at);
            return 0;
        }
        if (row.kind == STORE_ROW_HEAD)
            printf(d->t->json ? "{\"lsn\":%" PRIu64 ",\"kind\":\"%s\",\"records\":%u,\"synced\":%" PRIu64 "}\n" : "lsn %" PRIu64 " %s of %u records, synced below %" PRIu64 "\n", row.lsn,
                   kind_name(row.kind), row.count, row.s);
        else
            printf(d->t->json ? "{\"lsn\":%" PRIu64 ",\"kind\":\"%s\",\"stream\":%u,\"base_offset\":%" PRId64 ",\"records\":%u,\"class\":%u,\"payload_bytes\":%u,\"segment\":%" PRId64
                                ",\"file_position\":%" PRId64 ",\"lane\":%u,\"s\":%" PRIu64 "}\n"
                              : "lsn %" PRIu64 " %s stream %u offset %" PRId64 ", %u records, class %u, payload %u bytes, segment %" PRId64 " at %" PRId64 ", lane %u entry %" PRIu64 "\n",
                   row.lsn, kind_name(row.kind), row.stream, row.base_offset, row.count, row.class, length - STORE_JOURNAL_ROW_BYTES, row.segment_base, row.file_position, row.lane,
                   row.s);
        at += length;
    }
    return 0;
}

static int dump_order(const struct dump *d)
{
    if (d->len < HEADER_BYTES || memcmp(d->data, "BRAIDORD", 8) != 0)
        return damaged(d, 0, "not an order log file");
    for (size_t at = HEADER_BYTES; at + STORE_ORDER_ROW_BYTES <= d->len; at += STORE_ORDER_ROW_BYTES) {
        struct store_order_row row;
        if (!store_order_decode(d->data + at, &row))
            return damaged(d, at, "row does not match its CRC");
        printf(d->t->json ? "{\"position\":%" PRIu64 ",\"kind\":\"%s\",\"stream\":%u,\"base_offset\":%" PRId64 ",\"records\":%u,\"lane\":%u,\"s\":%" PRIu64 ",\"flags\":%u}\n"
                          : "position %" PRIu64 " %s stream %u offset %" PRId64 ", %u records, lane %u entry %" PRIu64 ", flags %u\n",
               row.position, kind_name(row.kind), row.stream, row.base_offset, row.count, row.lane, row.s, row.flags);
    }
    return 0;
}

static int dump_file(struct tool *t, const char *path, bool records)
{
    static const struct {
        const char *suffix;
        int (*run)(const struct dump *d);
    } kinds[] = {{".log", dump_segment}, {".index", dump_index}, {".timeindex", dump_timeindex}, {".positions", dump_positions}, {".journal", dump_journal}, {".order", dump_order}};
    for (size_t i = 0; i < BR_COUNT(kinds); i++) {
        size_t len = strlen(kinds[i].suffix), path_len = strlen(path);
        if (path_len < len || strcmp(path + path_len - len, kinds[i].suffix) != 0)
            continue;
        uint8_t *data;
        struct dump d = {.t = t, .path = path, .records = records};
        enum br_err err = store_file_load(store_vfs_posix(), path, FILE_MAX_BYTES, &data, &d.len);
        if (err != BR_OK)
            return tool_fail("%s: %s", path, br_err_text(err));
        d.data = data;
        int status = kinds[i].run(&d);
        br_free(data);
        return status;
    }
    tool_fail("%s: not a .log, .index, .timeindex, .positions, .journal or .order file", path);
    return 2;
}

int tool_dump(struct tool *t, int argc, char **argv)
{
    static const struct option options[] = {{"records", no_argument, NULL, 'r'}, {"json", no_argument, NULL, 'j'}, {NULL, 0, NULL, 0}};
    bool records = false;
    int status = 0;
    for (int c; (c = getopt_long(argc, argv, "rj", options, NULL)) != -1;) {
        switch (c) {
        case 'r': records = true; break;
        case 'j': t->json = true; break;
        default: return 2;
        }
    }
    if (optind == argc) {
        tool_fail("dump takes files");
        return 2;
    }
    for (int i = optind; i < argc; i++) {
        int one = dump_file(t, argv[i], records);
        status = one > status ? one : status;
    }
    return status;
}
