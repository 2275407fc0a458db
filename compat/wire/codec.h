/* Table-driven codec for every Kafka message, peer message and internal-topic record.
 *
 * kwgen.py turns compat/schema/NN_name.kw into C structs and constant tables (compat/gen); this
 * interpreter is the only code that reads or writes them. C shape of a schema type:
 *   bool int8 int16 uint16 int32 uint32 int64 float64   the C type
 *   string (null)          struct br_str, data == NULL is null
 *   bytes (null)           struct br_str as well
 *   records                struct kw_records
 *   uuid                   struct br_uuid
 *   []T                    `T *name; int32_t name_count;` with count -1 for null
 *   structure              embedded; `structure null` is a pointer, NULL for null
 * Fields absent at a version decode to their default and are not encoded.
 * Names: message `kw_produce_request` is both the struct tag and its `const struct kw_message`. A nested
 * structure is `kw_produce_request_partition` after the type word written in the schema. */
#pragma once

#include "compat/base/arena.h"
#include "compat/base/buf.h"
#include "compat/base/reader.h"
#include "compat/base/uuid.h"

struct kw_struct; /* a table made by kwgen: see compat/wire/table.h */

struct kw_message {
    const char *name; /* "ProduceRequest" */
    int16_t api_key;  /* -1 for records and peer structures */
    int16_t min, max; /* versions that can be coded */
    int16_t flexible_from; /* INT16_MAX: never */
    const struct kw_struct *root;
};

/* Record bytes. Decoding borrows `data` from the frame. For encoding either data/len, or (data NULL, len > 0)
 * `file`: an opaque range that the writer of the frame later puts in place (kw_out.splices). data NULL and
 * len 0 and is_null: null. */
struct kw_records {
    const uint8_t *data;
    size_t len;
    const void *file;
    bool is_null;
};

/* Where an encoded message goes: bytes, and the places at which file ranges are to be inserted. */
struct kw_splice {
    size_t at; /* offset in bytes before which the range belongs */
    const void *file;
    size_t len;
};
struct kw_out {
    struct br_buf bytes;
    struct kw_splice *splices;
    size_t splice_count, splice_cap;
    size_t spliced_bytes; /* sum of their lengths */
};
/* limit: most bytes, spliced ones included. Allocates nothing yet. */
void kw_out_init(struct kw_out *out, size_t limit);
/* Empties it, keeps memory and limit. */
void kw_out_reset(struct kw_out *out);
/* Frees the bytes and the list of splices; the files belong to whoever named them. */
void kw_out_clear(struct kw_out *out);

/* Fills *msg (struct of the message, sizes from the table) from the reader. Arrays and nested structures come
 * from the arena; strings, bytes and records are borrowed from the reader's buffer. A count or length is
 * compared with the bytes left before anything is reserved; at most KW_ARRAY_MAX elements, KW_TAGS_MAX tags.
 * BR_CORRUPT: malformed (message in eb, naming the field); BR_NOMEM: arena budget; BR_UNSUPPORTED: version.
 * Trailing bytes are left in the reader. After an error the reader is where it was and *msg means nothing.
 * Thread: any. Allocates: arena. */
BR_MUST_USE enum br_err kw_decode(const struct kw_message *type, int version, struct br_reader *in,
                                  struct br_arena *arena, void *msg, struct br_errbuf *eb);
/* Appends msg. Fields that the version lacks are skipped. BR_TOO_LARGE when the limit of out was met,
 * BR_INVALID when a non-nullable field is null at this version or a string is longer than 32767 bytes. After an error
 * out is as it was before. Thread: any. Allocates: out. */
BR_MUST_USE enum br_err kw_encode(const struct kw_message *type, int version, const void *msg, struct kw_out *out);
/* Sets every field to its schema default. */
void kw_default(const struct kw_message *type, void *msg);
/* An array of count nested structures, each with every field at its schema default; NULL when the arena refuses.
 * Arrays of answers are made with this, not with br_arena_alloc: zeroed strings are null, and most are not nullable.
 * `kw_array_new(&kw_fetch_response_topic, arena, 3)`; count 1 also serves a nullable structure. */
BR_MUST_USE void *kw_array_new(const struct kw_struct *type, struct br_arena *arena, size_t count);
/* sizeof the message's struct. */
size_t kw_struct_size(const struct kw_message *type);
/* One line of text, `Name{field=value, ...}`; fields marked secret show as ***. Cut at the buffer's limit. */
void kw_print(const struct kw_message *type, int version, const void *msg, struct br_buf *text);

#define KW_ARRAY_MAX 1000000
#define KW_TAGS_MAX 10000
