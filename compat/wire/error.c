#include "compat/wire/error.h"

const char *kw_error_name(int code)
{
    switch (code) {
#define X(code_, name, retriable, text) case code_: return #name;
        KW_ERROR_LIST(X)
#undef X
    }
    return "UNKNOWN";
}

const char *kw_error_text(int code)
{
    switch (code) {
#define X(code_, name, retriable, text) case code_: return text;
        KW_ERROR_LIST(X)
#undef X
    }
    return "unknown error";
}

bool kw_error_is_retriable(int code)
{
    switch (code) {
#define X(code_, name, retriable, text) case code_: return retriable;
        KW_ERROR_LIST(X)
#undef X
    }
    return false;
}
