/* Java properties files: '#' and '!' comments, '=' or ':' or blank after the key, backslash escapes, continued lines. */
#include "broker/config.h"
#include "compat/base/buf.h"
#include "storage/vfs.h"
#include "compat/base/mem.h"

#define FILE_MAX ((size_t)1 << 20)

struct parser {
    const char *at, *end;
    int line;
    const char *why; /* what is wrong in the present line, or NULL */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\f';
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static void add_code(struct br_buf *out, unsigned code) /* as UTF-8 */
{
    if (code < 0x80) {
        br_buf_add8(out, (uint8_t)code);
    } else if (code < 0x800) {
        br_buf_add8(out, (uint8_t)(0xc0 | code >> 6));
        br_buf_add8(out, (uint8_t)(0x80 | (code & 0x3f)));
    } else {
        br_buf_add8(out, (uint8_t)(0xe0 | code >> 12));
        br_buf_add8(out, (uint8_t)(0x80 | (code >> 6 & 0x3f)));
        br_buf_add8(out, (uint8_t)(0x80 | (code & 0x3f)));
    }
}

/* After a backslash. */
static void read_escape(struct parser *p, struct br_buf *out)
{
    if (p->at == p->end)
        return;
    char c = *p->at++;
    if (c == '\r' && p->at < p->end && *p->at == '\n')
        c = *p->at++;
    if (c == '\n' || c == '\r') { /* the line goes on; leading blanks of the next are dropped */
        p->line++;
        while (p->at < p->end && is_blank(*p->at))
            p->at++;
        return;
    }
    if (c == 'u' && p->end - p->at >= 4) {
        unsigned code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = hex_digit(p->at[i]);
            if (digit < 0) {
                p->why = "malformed \\uXXXX";
                return;
            }
            code = code << 4 | (unsigned)digit;
        }
        p->at += 4;
        add_code(out, code);
        return;
    }
    br_buf_add8(out, (uint8_t)(c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'f' ? '\f' : c));
}

static void read_text(struct parser *p, struct br_buf *out, bool is_key)
{
    while (p->at < p->end && *p->at != '\n' && *p->at != '\r') {
        if (is_key && (*p->at == '=' || *p->at == ':' || is_blank(*p->at)))
            return;
        char c = *p->at++;
        if (c == '\\')
            read_escape(p, out);
        else
            br_buf_add8(out, (uint8_t)c);
    }
}

static void skip_separator(struct parser *p)
{
    while (p->at < p->end && is_blank(*p->at))
        p->at++;
    if (p->at < p->end && (*p->at == '=' || *p->at == ':'))
        p->at++;
    while (p->at < p->end && is_blank(*p->at))
        p->at++;
}

enum br_err broker_config_parse(struct broker_config *config, const char *name, const char *text, size_t len, struct br_errbuf *eb)
{
    size_t mark = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* an editor's byte order mark */
    struct parser p = {text + mark, text + len, 1, NULL};
    struct br_buf key, value;
    enum br_err err = BR_OK;
    br_buf_init(&key, FILE_MAX);
    br_buf_init(&value, FILE_MAX);
    while (err == BR_OK && p.at < p.end) {
        if (is_blank(*p.at) || *p.at == '\r' || *p.at == '\n') {
            p.line += *p.at++ == '\n';
            continue;
        }
        int line = p.line;
        if (*p.at == '#' || *p.at == '!') {
            while (p.at < p.end && *p.at != '\n')
                p.at++;
            continue;
        }
        br_buf_reset(&key);
        br_buf_reset(&value);
        read_text(&p, &key, true);
        skip_separator(&p);
        read_text(&p, &value, false);
        struct br_errbuf why = {{0}};
        if (memchr(key.data ? key.data : (uint8_t *)"", 0, key.len) || memchr(value.data ? value.data : (uint8_t *)"", 0, value.len))
            p.why = "a NUL byte";
        err = p.why ? BR_INVALID
            : broker_config_set(config, br_str((char *)key.data, key.len), br_str((char *)value.data, value.len), &why);
        if (err != BR_OK)
            br_errbuf_set(eb, err, "%s:%d: %.400s", name, line, p.why ? p.why : why.text);
    }
    br_buf_clear(&key);
    br_buf_clear(&value);
    return err;
}

enum br_err broker_config_load(struct broker_config *config, const char *path, struct br_errbuf *eb)
{
    uint8_t *data;
    size_t len;
    enum br_err err = store_file_load(store_vfs_posix(), path, FILE_MAX, &data, &len);
    if (err != BR_OK)
        return br_errbuf_set(eb, err, "%s: %s", path, br_err_text(err));
    broker_config_note_file(config);
    err = broker_config_parse(config, path, (const char *)data, len, eb);
    br_free(data);
    return err;
}
