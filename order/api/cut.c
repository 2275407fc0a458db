/* Cuts as values and as text:
 *
 *   braid-cut-1:POSITION:TOPIC=TOPIC-ID=PARTITION@OFFSET,PARTITION@OFFSET;TOPIC=...:CRC
 *
 * CRC is the CRC-32C of all before the last colon, eight hex digits. Numbers are decimal without signs or leading zeros, so that a cut has one text. */
#include "order/api/cut.h"
#include "compat/base/buf.h"
#include "compat/base/crc32c.h"
#include "compat/base/mem.h"
#include "order/api/client_int.h"

#define PREFIX "braid-cut-"
#define FORMAT "1"
#define TOPIC_NAME_MAX 249
#define TEXT_MAX ((size_t)256 << 20)

struct cut_topic {
    char *name;
    struct br_uuid id;
};
struct cut_entry {
    uint32_t topic;
    int32_t partition;
    int64_t offset;
};
struct braid_cut {
    int64_t position;
    struct cut_topic *topics;
    size_t topic_count, topic_cap;
    struct cut_entry *entries;
    size_t count, cap;
};

struct braid_cut *braid_cut_new(int64_t position)
{
    struct braid_cut *cut = br_alloc(sizeof *cut);
    cut->position = position;
    return cut;
}

void braid_cut_free(struct braid_cut *cut)
{
    if (!cut)
        return;
    for (size_t i = 0; i < cut->topic_count; i++)
        br_free(cut->topics[i].name);
    br_free(cut->topics);
    br_free(cut->entries);
    br_free(cut);
}

void braid_cut_add(struct braid_cut *cut, struct br_str topic, struct br_uuid topic_id, int32_t partition, int64_t offset)
{
    struct cut_topic *last = cut->topic_count ? &cut->topics[cut->topic_count - 1] : NULL;
    if (!last || !br_str_eq_c(topic, last->name) || !br_uuid_eq(topic_id, last->id)) {
        if (cut->topic_count == cut->topic_cap) {
            cut->topic_cap = BR_MAX(cut->topic_cap * 2, (size_t)8);
            cut->topics = br_realloc(cut->topics, cut->topic_cap * sizeof *cut->topics);
        }
        cut->topics[cut->topic_count++] = (struct cut_topic){br_strndup(topic.data, topic.len), topic_id};
    }
    if (cut->count == cut->cap) {
        cut->cap = BR_MAX(cut->cap * 2, (size_t)16);
        cut->entries = br_realloc(cut->entries, cut->cap * sizeof *cut->entries);
    }
    cut->entries[cut->count++] = (struct cut_entry){(uint32_t)cut->topic_count - 1, partition, offset};
}

int64_t braid_cut_position(const struct braid_cut *cut) { return cut->position; }
size_t braid_cut_count(const struct braid_cut *cut) { return cut->count; }

struct braid_cut_entry braid_cut_at(const struct braid_cut *cut, size_t index)
{
    struct braid_cut_entry out = {.partition = -1, .offset = -1};
    if (index >= cut->count)
        return out;
    const struct cut_entry *e = &cut->entries[index];
    out.topic = cut->topics[e->topic].name;
    memcpy(out.topic_id, cut->topics[e->topic].id.bytes, sizeof out.topic_id);
    out.partition = e->partition;
    out.offset = e->offset;
    return out;
}

int64_t braid_cut_offset(const struct braid_cut *cut, const char *topic, int32_t partition)
{
    for (size_t i = 0; i < cut->count; i++)
        if (cut->entries[i].partition == partition && strcmp(cut->topics[cut->entries[i].topic].name, topic) == 0)
            return cut->entries[i].offset;
    return -1;
}

/* --- text --- */

char *braid_cut_encode(const struct braid_cut *cut)
{
    struct br_buf out;
    br_buf_init(&out, TEXT_MAX);
    br_buf_printf(&out, PREFIX FORMAT ":%" PRId64 ":", cut->position);
    for (size_t i = 0; i < cut->count; i++) {
        const struct cut_entry *e = &cut->entries[i];
        if (i == 0 || e->topic != e[-1].topic) {
            char id[BR_UUID_TEXT];
            br_uuid_text(cut->topics[e->topic].id, id);
            br_buf_printf(&out, "%s%s=%s=", i ? ";" : "", cut->topics[e->topic].name, id);
        } else {
            br_buf_add8(&out, ',');
        }
        br_buf_printf(&out, "%d@%" PRId64, (int)e->partition, e->offset);
    }
    uint32_t crc = br_crc32c(out.data, out.len);
    br_buf_printf(&out, ":%08" PRIx32, crc);
    br_buf_add8(&out, '\0');
    BR_ASSERT(!out.failed); /* no broker has so many partitions */
    return (char *)out.data;
}

/* Takes the number at the front, if it is written in the one way. */
static bool take_number(struct br_str *in, int64_t max, int64_t *out)
{
    size_t n = 0;
    int64_t value = 0;
    while (n < in->len && in->data[n] >= '0' && in->data[n] <= '9') {
        int digit = in->data[n++] - '0';
        if (value > (max - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (n == 0 || (n > 1 && in->data[0] == '0'))
        return false;
    *in = br_str(in->data + n, in->len - n);
    *out = value;
    return true;
}

static bool take_char(struct br_str *in, char ch)
{
    if (in->len == 0 || in->data[0] != ch)
        return false;
    *in = br_str(in->data + 1, in->len - 1);
    return true;
}

static bool take_until(struct br_str *in, char stop, struct br_str *out)
{
    const char *end = in->len ? memchr(in->data, stop, in->len) : NULL;
    if (!end)
        return false;
    *out = br_str(in->data, (size_t)(end - in->data));
    *in = br_str(end + 1, in->len - out->len - 1);
    return true;
}

static bool is_topic_name(struct br_str s)
{
    if (s.len == 0 || s.len > TOPIC_NAME_MAX)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char ch = s.data[i];
        if (!(ch >= 'a' && ch <= 'z') && !(ch >= 'A' && ch <= 'Z') && !(ch >= '0' && ch <= '9') && ch != '.' && ch != '_' && ch != '-')
            return false;
    }
    return true;
}

/* One topic: its partitions rise. */
static bool take_topic(struct br_str *in, struct braid_cut *cut)
{
    struct br_str name, id_text;
    struct br_uuid id;
    int64_t last = -1, partition, offset;
    if (!take_until(in, '=', &name) || !is_topic_name(name) || !take_until(in, '=', &id_text) || br_uuid_parse(id_text, &id) != BR_OK)
        return false;
    size_t topics = cut->topic_count;
    do {
        if (!take_number(in, INT32_MAX, &partition) || partition <= last || !take_char(in, '@') || !take_number(in, INT64_MAX, &offset))
            return false;
        last = partition;
        braid_cut_add(cut, name, id, (int32_t)partition, offset);
    } while (take_char(in, ','));
    return cut->topic_count == topics + 1; /* each topic once, in one piece */
}

static bool take_body(struct br_str in, struct braid_cut *cut)
{
    if (!take_number(&in, INT64_MAX, &cut->position) || !take_char(&in, ':'))
        return false;
    while (in.len > 0)
        if ((cut->count > 0 && !take_char(&in, ';')) || !take_topic(&in, cut))
            return false;
    return true;
}

enum braid_err braid_cut_decode(const char *text, struct braid_cut **out, struct braid_error *error)
{
    const size_t prefix = sizeof PREFIX - 1, head = sizeof PREFIX FORMAT ":" - 1, tail = 9;
    size_t len = strlen(text);
    char crc[10];
    *out = NULL;
    if (strncmp(text, PREFIX, prefix) != 0)
        return braid_error_set(error, BRAID_INVALID, 0, "not the text of a cut: it does not begin with " PREFIX FORMAT);
    if (strncmp(text, PREFIX FORMAT ":", head) != 0)
        return braid_error_set(error, BRAID_INVALID, 0, "a cut of another version than " FORMAT);
    if (len < head + tail)
        return braid_error_set(error, BRAID_INVALID, 0, "the text of the cut is cut short");
    snprintf(crc, sizeof crc, ":%08" PRIx32, br_crc32c(text, len - tail));
    if (memcmp(text + len - tail, crc, tail) != 0)
        return braid_error_set(error, BRAID_INVALID, 0, "the text of the cut is damaged: its checksum is wrong");
    struct braid_cut *cut = braid_cut_new(0);
    if (!take_body(br_str(text + head, len - head - tail), cut)) {
        braid_cut_free(cut);
        return braid_error_set(error, BRAID_INVALID, 0, "the text of the cut is malformed, though its checksum is right");
    }
    *out = cut;
    return BRAID_OK;
}
