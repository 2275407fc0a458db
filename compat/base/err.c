#include "compat/base/base.h"

static const struct {
    const char *text;
    enum br_err_class class;
} errs[] = {
#define X(name, text, class) [BR_##name] = {text, BR_CLASS_##class},
    BR_ERR_LIST(X)
#undef X
};

const char *br_err_text(enum br_err err)
{
    return (size_t)err < BR_COUNT(errs) ? errs[err].text : "unknown error";
}

enum br_err_class br_err_class(enum br_err err)
{
    return (size_t)err < BR_COUNT(errs) ? errs[err].class : BR_CLASS_FATAL;
}

enum br_err br_err_from_errno(int err_no)
{
    switch (err_no) {
    case 0: return BR_OK;
    case ENOMEM: return BR_NOMEM;
    case ENOSPC:
    case EFBIG:
    case EDQUOT: return BR_NOSPACE;
    case EEXIST: return BR_EXISTS;
    case ENOENT:
    case ENOTDIR: return BR_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS: return BR_DENIED;
    case EINVAL: return BR_INVALID;
    case EMFILE:
    case ENFILE: return BR_FULL;
    case EWOULDBLOCK: return BR_BUSY;
    case EPIPE:
    case ECONNRESET: return BR_CLOSED;
    default: return BR_IO;
    }
}

enum br_err br_errbuf_set(struct br_errbuf *eb, enum br_err err, const char *fmt, ...)
{
    if (eb) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(eb->text, sizeof eb->text, fmt, ap);
        va_end(ap);
    }
    return err;
}
