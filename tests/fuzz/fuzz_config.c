/* Properties files: any bytes are refused with a line that names the place, or read; what was read is the same when it is written out and read again, and
 * each value is one that its key allows. Input: a file. */
#include "broker/config.h"
#include "compat/base/buf.h"
#include "compat/base/log.h"
#include "tests/fuzz/fuzz.h"

/* Escaped so that reading gives it back. */
static void write_value(struct br_buf *out, const char *key, const char *value)
{
    br_buf_printf(out, "%s=", key);
    for (const char *c = value; *c; c++) {
        if (*c == '\n' || *c == '\r' || *c == '\t' || *c == '\f')
            br_buf_printf(out, "\\%c", *c == '\n' ? 'n' : *c == '\r' ? 'r' : *c == '\t' ? 't' : 'f');
        else if (*c == '\\' || *c == ' ')
            br_buf_printf(out, "\\%c", *c);
        else
            br_buf_add8(out, (uint8_t)*c);
    }
    br_buf_add8(out, '\n');
}

static void check_again(const struct broker_config *config)
{
    struct broker_config *again = broker_config_new();
    struct br_errbuf eb = {{0}};
    struct br_buf text;
    size_t count;
    const struct broker_config_key *keys = broker_config_keys(&count);
    br_buf_init(&text, (size_t)8 << 20);
    for (size_t i = 0; i < count; i++) {
        bool is_set;
        const char *value = broker_config_get(config, keys[i].name, &is_set);
        if (!is_set)
            continue;
        BR_ASSERT(keys[i].kind != BROKER_K_ACTS || broker_config_value_valid(keys[i].type, keys[i].valid, value));
        write_value(&text, keys[i].name, value);
    }
    BR_ASSERT(!text.failed);
    enum br_err err = broker_config_parse(again, "again", text.data ? (const char *)text.data : "", text.len, &eb);
    BR_ASSERT(err == BR_OK);
    for (size_t i = 0; i < count; i++) {
        bool was_set, is_set;
        const char *was = broker_config_get(config, keys[i].name, &was_set), *is = broker_config_get(again, keys[i].name, &is_set);
        BR_ASSERT(was_set == is_set);
        BR_ASSERT(was == is || strcmp(was, is) == 0);
    }
    br_buf_clear(&text);
    broker_config_free(again);
}

/* Listeners on every interface ask the resolver for this machine's name: not here. */
static bool asks_resolver(const struct broker_config *config)
{
    const char *listeners = broker_config_get(config, "listeners", NULL);
    return listeners && (strstr(listeners, "://:") || strstr(listeners, "0.0.0.0") || strstr(listeners, "::"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct broker_config *config = broker_config_new();
    struct br_errbuf eb = {{0}};
    br_log_set_level(BR_LOG_ERROR);
    if (broker_config_parse(config, "f", (const char *)data, size, &eb) != BR_OK) {
        BR_ASSERT(strncmp(eb.text, "f:", 2) == 0);
        broker_config_free(config);
        return 0;
    }
    check_again(config);
    if (!asks_resolver(config) && broker_config_finish(config, &eb) == BR_OK) {
        unsigned count;
        const struct broker_listener *l = broker_config_listeners(config, &count);
        BR_ASSERT(count > 0);
        for (unsigned i = 0; i < count; i++)
            BR_ASSERT(l[i].port >= 0 && l[i].port <= 65535 && l[i].advertised_host && l[i].advertised_host[0]);
        BR_ASSERT(broker_config_per_ip_max(config, "127.0.0.1") >= 0);
    }
    broker_config_free(config);
    return 0;
}
