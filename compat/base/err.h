/* Our own error codes. Kafka's codes are another type, enum kw_error; broker/errmap.c turns one
 * into the other. One list gives code, text and class. */
#pragma once

#include <stddef.h>

/* Classes: retry (may pass by itself), refuse (the caller's input or state), fatal (stop using it). */
#define BR_ERR_LIST(X)                                              \
    X(OK, "ok", NONE)                                               \
    X(NOMEM, "out of memory or over its budget", RETRY)             \
    X(FULL, "full", RETRY)                                          \
    X(BUSY, "busy", RETRY)                                          \
    X(TIMEOUT, "timed out", RETRY)                                  \
    X(NOSPACE, "no space left on the device", RETRY)                \
    X(COLD, "bytes are not in the page cache", RETRY)               \
    X(CLOSED, "closed", REFUSE)                                     \
    X(EOF, "end of data", REFUSE)                                   \
    X(RANGE, "out of range", REFUSE)                                \
    X(EXISTS, "exists already", REFUSE)                             \
    X(NOT_FOUND, "not found", REFUSE)                               \
    X(INVALID, "invalid", REFUSE)                                   \
    X(TOO_LARGE, "too large", REFUSE)                               \
    X(UNSUPPORTED, "unsupported", REFUSE)                           \
    X(CORRUPT, "corrupt", REFUSE)                                   \
    X(FENCED, "fenced", REFUSE)                                     \
    X(SEQUENCE, "out of sequence", REFUSE)                          \
    X(DUPLICATE, "duplicate", REFUSE)                               \
    X(DENIED, "permission denied", REFUSE)                          \
    X(LOCKED, "locked by another process", REFUSE)                  \
    X(VERSION, "unknown format version", FATAL)                     \
    X(IO, "input/output error", FATAL)                              \
    X(FAILED, "failed earlier; restart needed", FATAL)

enum br_err {
#define X(name, text, class) BR_##name,
    BR_ERR_LIST(X)
#undef X
};

enum br_err_class { BR_CLASS_NONE, BR_CLASS_RETRY, BR_CLASS_REFUSE, BR_CLASS_FATAL };

/* Text of a code, static storage. Thread: any. */
const char *br_err_text(enum br_err err);
enum br_err_class br_err_class(enum br_err err);
/* Translates errno at the place of the failed call. 0 is BR_OK. */
enum br_err br_err_from_errno(int err_no);

/* Detail for people, on start-up, configuration and tool paths. */
struct br_errbuf {
    char text[512];
};

/* Writes the detail (cut at the buffer's end) and returns err, so that `return br_errbuf_set(...)` reads well.
 * eb may be NULL. */
__attribute__((format(printf, 3, 4))) enum br_err br_errbuf_set(struct br_errbuf *eb, enum br_err err,
                                                                const char *fmt, ...);
