/* libbraid: the total order of a Braid broker, for programs in C.
 *
 * Every record of every partition has a position in one order. This library appends to partitions, alone or several at once and all or nothing, reads and follows the
 * order, and asks about it. libbraid(3) explains it; this file is the reference.
 *
 * A call without `_blocking` returns at once. It either refuses (its own result is not BRAID_OK, and nothing else happens), or its callback comes exactly once.
 * Callbacks come on the client's thread, or on the thread that runs the caller's event base; never inside the call itself, never two at a time for a client. They should
 * return soon: the client waits for them. They may make calls without `_blocking`. What a callback is shown is borrowed until it returns.
 *
 * Threads: every function may be called from any thread, but braid_close. Memory: the library copies what it is given. When malloc fails the process ends.
 * Positions and offsets count from 0; ends are exclusive: a tail, an end or a stable position is one past the last. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct braid_client;
struct braid_cut;
struct braid_subscription;
struct event_base; /* of libevent */

/* --- errors --- */

enum braid_err {
    BRAID_OK,
    /* May pass by itself: try again. */
    BRAID_FULL,        /* buffered_bytes_max is reached: nothing was sent. Go on when a callback has come */
    BRAID_TIMEOUT,     /* not done in time. Of an append: nothing was appended */
    BRAID_UNREACHABLE, /* no broker could be reached in time: nothing was sent. The text says what was tried last */
    BRAID_NOT_STABLE,  /* has no stable position yet. Of braid_append with BRAID_SYNC: appended, and durable, but its position was not known in time */
    /* Look before going on. */
    BRAID_UNKNOWN,     /* the answer to an append was lost: it may have been appended or not. It was not sent again */
    BRAID_MISMATCH,    /* a conditional append: the stream ends elsewhere, see end_offset. Nothing was appended */
    BRAID_OUT_OF_RANGE,/* the position or offset is past the end, or what stood there was removed: `start` says where to go on */
    BRAID_STORAGE,     /* the broker cannot write any more, until it is restarted. An append may have been appended or not */
    /* The call is at fault, or its target. */
    BRAID_NO_TOPIC,    /* no such topic or partition */
    BRAID_TOO_LARGE,   /* more than the broker takes, or than answer_bytes_max */
    BRAID_INVALID,     /* an argument that makes no sense; damaged text of a cut */
    BRAID_REFUSED,     /* the broker refuses: broker_code and the text say why */
    BRAID_MISUSE,      /* a blocking call from a callback, or of a client on the caller's base */
    /* The peer is at fault. */
    BRAID_UNSUPPORTED, /* the peer speaks Kafka's protocol, but not the part of Braid's that is needed */
    BRAID_PROTOCOL,    /* what came is no answer */
    BRAID_CORRUPT,     /* a batch whose checksum or content is wrong */
    BRAID_CLOSED,      /* the client was closed, or the subscription stopped */
};

/* The name of a code without BRAID_, and what it means; static text. */
const char *braid_err_name(enum braid_err err);
const char *braid_err_text(enum braid_err err);

/* An error in detail. */
struct braid_error {
    enum braid_err code;
    int broker_code; /* Kafka's error code where the broker gave one, else 0 */
    char text[256];  /* for people */
};

/* --- client --- */

enum braid_codec { BRAID_CODEC_NONE, BRAID_CODEC_GZIP, BRAID_CODEC_SNAPPY, BRAID_CODEC_LZ4, BRAID_CODEC_ZSTD };

/* Zero for each: the default in brackets. */
struct braid_options {
    struct event_base *base;    /* run on this base, by the thread that runs it. It needs no locks. [a thread of the client's own] */
    int request_timeout_ms;     /* for each call, connecting included [30000] */
    size_t in_flight_bytes_max; /* requests sent on a connection and not answered yet; what is more waits [4 MiB] */
    size_t buffered_bytes_max;  /* requests that are not answered yet, all together; what is more gets BRAID_FULL [32 MiB] */
    size_t answer_bytes_max;    /* one answer, and one batch when it is inflated [64 MiB] */
    enum braid_codec codec;     /* how appended batches are compressed [none] */
    const char *client_id;      /* [libbraid] */
};

/* bootstrap: "host:port[,host:port...]". Names are resolved here, once. Connects when something is asked, and again after a loss, with growing pauses up to 2 s.
 * options and error may be NULL. BRAID_INVALID: an address or an option is wrong. */
enum braid_err braid_open(const char *bootstrap, const struct braid_options *options, struct braid_client **out, struct braid_error *error);
/* Ends what is under way with BRAID_CLOSED (appends that were sent: BRAID_UNKNOWN) and all subscriptions; when it returns, no callback comes any more. Not from a
 * callback (BRAID_MISUSE, nothing happens); a client on the caller's base: on the thread of that base. NULL is allowed. */
enum braid_err braid_close(struct braid_client *client);

/* --- records --- */

struct braid_header {
    const char *key;
    size_t key_len;
    const void *value; /* NULL: null */
    size_t value_len;
};

/* What is appended. */
struct braid_message {
    const void *key; /* NULL: null */
    size_t key_len;
    const void *value; /* NULL: null */
    size_t value_len;
    const struct braid_header *headers;
    size_t header_count;
    int64_t timestamp; /* ms since 1970; 0: now */
};

/* What is read. */
struct braid_record {
    int64_t position;
    const char *topic;
    int32_t partition;
    int64_t offset;
    int64_t timestamp;
    const void *key;
    size_t key_len;
    const void *value;
    size_t value_len;
    const struct braid_header *headers;
    size_t header_count;
    /* First and last record of what was appended by one call; a filter may have left them out. */
    bool is_first, is_last;
};

/* One stream and what goes there. */
struct braid_append {
    const char *topic;
    int32_t partition;
    const struct braid_message *messages; /* one at least; they become one batch */
    size_t message_count;
    bool is_conditional; /* only if the stream ends at expected_end */
    int64_t expected_end;
};

struct braid_appended {
    int64_t base_offset; /* of the first record */
    int64_t end_offset;  /* one past the last. Of a stream that ended elsewhere: where */
    int64_t position;    /* of the first record; -1 without BRAID_SYNC */
};

/* --- results --- */

/* What a callback is told. Fields that the call does not name are 0, -1 or NULL. */
struct braid_result {
    enum braid_err error;
    int broker_code;
    const char *text; /* never NULL; "" without an error */
    int64_t position, start;
    const struct braid_appended *appended;
    size_t appended_count;
    size_t failed_index; /* of the append that was refused; SIZE_MAX: of none */
    const struct braid_record *records;
    size_t record_count;
    struct braid_cut *cut; /* given: braid_cut_free */
    const char *topic;
    int32_t partition;
    int64_t offset;
};
typedef void (*braid_done)(void *ctx, const struct braid_result *result);

/* --- appending --- */

/* Appends to `count` streams of one broker, each named once: all of it or nothing, at consecutive positions in the order given. One stream is the common case.
 * Done when the records are as durable as their topics promise: appended[i].base_offset, end_offset. With BRAID_SYNC: when their positions are stable, and
 * appended[i].position says them. Appends are sent in the order of the calls.
 *
 * An append whose answer was lost is never sent again (BRAID_UNKNOWN), unless one of its streams is conditional: then sending it again cannot append twice, since the
 * first success moved the end. It is sent once more; if that finds the end moved so far that the first attempt may have done it, the result is BRAID_UNKNOWN with the
 * end in appended[failed_index].end_offset: reading the stream from expected_end tells whose records they are. If it moved less, the result is BRAID_MISMATCH.
 *
 * BRAID_MISMATCH: failed_index, and the actual end there. BRAID_REFUSED: several streams, one of them in durability class page-cache. */
#define BRAID_SYNC 1u
enum braid_err braid_append(struct braid_client *client, const struct braid_append *appends, size_t count, unsigned flags, braid_done done, void *ctx);

/* --- the order --- */

/* Topics by name or prefix ("app-*"). count 0: every topic. */
struct braid_filter {
    const char *const *topics;
    size_t count;
};

/* position: the end of the order, covering every append that was acknowledged anywhere before the call. start: no record is left below. */
enum braid_err braid_tail(struct braid_client *client, braid_done done, void *ctx);
/* The same without waiting, and perhaps lower. */
enum braid_err braid_tail_hint(struct braid_client *client, braid_done done, void *ctx);
/* Done once every position below the one given is stable; position: how far it is. timeout_ms 0: the client's; BRAID_TIMEOUT. */
enum braid_err braid_wait(struct braid_client *client, int64_t position, int timeout_ms, braid_done done, void *ctx);
/* position: that of a record. BRAID_OUT_OF_RANGE: no such record; BRAID_NOT_STABLE; BRAID_NO_TOPIC. */
enum braid_err braid_position_of(struct braid_client *client, const char *topic, int32_t partition, int64_t offset, braid_done done, void *ctx);
/* topic, partition, offset: of the record at a position. BRAID_OUT_OF_RANGE: none has it, or it was removed; BRAID_NOT_STABLE. */
enum braid_err braid_record_at(struct braid_client *client, int64_t position, braid_done done, void *ctx);
/* Removes every record of every user topic below a position (-1: all that is stable). A position inside what was appended together is taken down to its first.
 * start: the first that is left. */
enum braid_err braid_trim(struct braid_client *client, int64_t position, braid_done done, void *ctx);

struct braid_limits {
    size_t bytes_max;   /* of stored batches; at least one is read [1 MiB] */
    size_t records_max; /* [no limit] */
    int wait_ms;        /* when there is nothing yet, wait so long for the first record [0] */
};
/* Stable records from a position on. position: where to read on. filter and limits may be NULL. BRAID_OUT_OF_RANGE: with start. */
enum braid_err braid_read(struct braid_client *client, int64_t position, const struct braid_filter *filter, const struct braid_limits *limits, braid_done done, void *ctx);

/* --- cuts --- */

/* What every partition held at one position of the order: a consistent snapshot of all of them. Reading the order from its position on gives the rest. */
#define BRAID_NOW (-1)
/* cut, position: BRAID_NOW covers every append acknowledged before the call. Inside what was appended together it goes down to the first of that.
 * BRAID_OUT_OF_RANGE: not stable, or below the start. */
enum braid_err braid_cut(struct braid_client *client, int64_t position, const struct braid_filter *filter, braid_done done, void *ctx);

struct braid_cut_entry {
    const char *topic;
    uint8_t topic_id[16];
    int32_t partition;
    int64_t offset; /* one past the last record that is in */
};
void braid_cut_free(struct braid_cut *cut);
int64_t braid_cut_position(const struct braid_cut *cut);
size_t braid_cut_count(const struct braid_cut *cut);
/* Entry `index` of `count`, by topic and partition as the broker listed them; its topic lives as long as the cut. */
struct braid_cut_entry braid_cut_at(const struct braid_cut *cut, size_t index);
/* The offset of one partition; -1: not in the cut. */
int64_t braid_cut_offset(const struct braid_cut *cut, const char *topic, int32_t partition);
/* One line of printable text without spaces, with version and checksum. Freed with braid_free. */
char *braid_cut_encode(const struct braid_cut *cut);
/* BRAID_INVALID: no such text, of another version, or damaged; error (may be NULL) says which. */
enum braid_err braid_cut_decode(const char *text, struct braid_cut **out, struct braid_error *error);
void braid_free(void *ptr);

/* --- following --- */

#define BRAID_FROM_START (-1) /* the first record left */
#define BRAID_FROM_END (-2)   /* what is appended from now on */

/* All but deliver may be NULL. */
struct braid_subscriber {
    /* The records in their order, each once; after a loss of the connection too. is_speculative: only with BRAID_SPECULATIVE, see there. */
    void (*deliver)(void *ctx, const struct braid_record *record, bool is_speculative);
    /* Every record delivered below the position is final. */
    void (*confirm)(void *ctx, int64_t position);
    /* Nothing delivered at or above the position was so: forget it. What is so comes next. */
    void (*fail)(void *ctx, int64_t position);
    /* The broker is not to be reached, or cannot serve for now; the subscription goes on trying. */
    void (*trouble)(void *ctx, const struct braid_error *error);
    /* The last callback: the subscription is gone. BRAID_CLOSED: it was stopped. BRAID_OUT_OF_RANGE: records were removed before they were read, and start is the
     * first that is left. position: where reading would go on. */
    void (*ended)(void *ctx, const struct braid_error *error, int64_t position, int64_t start);
};

/* Delivers records as soon as they are durable, before their position is stable, with is_speculative; then confirms or fails them. A record that comes without
 * is_speculative is final already. Never hand on what is not confirmed. */
#define BRAID_SPECULATIVE 1u
/* from: a position (that of a cut, for instance), BRAID_FROM_START or BRAID_FROM_END. One answer of up to bytes_max (0: 1 MiB; a larger batch comes whole) is in memory
 * at a time, and no more is asked for while the callbacks are at work. *out lives until `ended` returns. */
enum braid_err braid_subscribe(struct braid_client *client, int64_t from, const struct braid_filter *filter, unsigned flags, size_t bytes_max,
                               const struct braid_subscriber *subscriber, void *ctx, struct braid_subscription **out);
/* No record is delivered after it returns (from a callback) or soon (from elsewhere; with BRAID_SPECULATIVE, a batch under way is finished), until resume. */
void braid_subscription_pause(struct braid_subscription *subscription);
void braid_subscription_resume(struct braid_subscription *subscription);
/* As pause, for good; `ended` follows. */
void braid_subscription_stop(struct braid_subscription *subscription);

/* --- blocking forms --- */

/* As the calls above; they return the result. error may be NULL. For clients with a thread of their own, not from callbacks (BRAID_MISUSE). */
/* appended: count elements, or NULL. failed_index may be NULL. */
enum braid_err braid_append_blocking(struct braid_client *client, const struct braid_append *appends, size_t count, unsigned flags, struct braid_appended *appended,
                                     size_t *failed_index, struct braid_error *error);
/* start may be NULL. */
enum braid_err braid_tail_blocking(struct braid_client *client, int64_t *tail, int64_t *start, struct braid_error *error);
enum braid_err braid_tail_hint_blocking(struct braid_client *client, int64_t *tail, int64_t *start, struct braid_error *error);
/* stable may be NULL. */
enum braid_err braid_wait_blocking(struct braid_client *client, int64_t position, int timeout_ms, int64_t *stable, struct braid_error *error);
enum braid_err braid_position_of_blocking(struct braid_client *client, const char *topic, int32_t partition, int64_t offset, int64_t *position,
                                          struct braid_error *error);
/* topic is freed with braid_free. */
enum braid_err braid_record_at_blocking(struct braid_client *client, int64_t position, char **topic, int32_t *partition, int64_t *offset, struct braid_error *error);
/* start may be NULL. */
enum braid_err braid_trim_blocking(struct braid_client *client, int64_t position, int64_t *start, struct braid_error *error);
enum braid_err braid_cut_blocking(struct braid_client *client, int64_t position, const struct braid_filter *filter, struct braid_cut **out, struct braid_error *error);

struct braid_records {
    const struct braid_record *items;
    size_t count;
    int64_t next; /* where to read on */
    int64_t start; /* with BRAID_OUT_OF_RANGE */
};
/* out is cleared with braid_records_clear, after an error too. */
enum braid_err braid_read_blocking(struct braid_client *client, int64_t position, const struct braid_filter *filter, const struct braid_limits *limits,
                                   struct braid_records *out, struct braid_error *error);
void braid_records_clear(struct braid_records *records);

#ifdef __cplusplus
}
#endif
