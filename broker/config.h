/* Broker properties: Kafka's names keep their meaning, Braid's own begin with `braid.`. One table (broker/config_keys.def) says of each key: name, type,
 * default, range, one of four kinds, whether DescribeConfigs shows it, documentation. Kinds: acts; accepted without effect yet (one
 * line at start names those set); refused with the reason (ignoring it would weaken security or durability); unknown (warning). braid.conf(5) is made from the table. */
#pragma once

#include "compat/base/base.h"
#include "compat/base/str.h"

enum broker_config_type { BROKER_T_BOOLEAN = 1, BROKER_T_STRING, BROKER_T_INT, BROKER_T_SHORT, BROKER_T_LONG, BROKER_T_DOUBLE, BROKER_T_LIST,
                          BROKER_T_CLASS, BROKER_T_PASSWORD }; /* 1-9: numbers of DescribeConfigs */
enum broker_config_kind { BROKER_K_ACTS, BROKER_K_ACCEPTED, BROKER_K_REFUSED };

struct broker_config_key {
    const char *name;
    enum broker_config_type type;
    enum broker_config_kind kind;
    const char *default_value; /* NULL: none (shown as null) */
    const char *valid;         /* for people and for the check: "[0,9223372036854775807]", "a|b|c", NULL anything */
    bool is_dynamic;           /* changeable at run time (AlterConfigs on BROKER): false until then = read_only */
    const char *doc;           /* one sentence; for REFUSED: the reason */
};
const struct broker_config_key *broker_config_keys(size_t *count);
const struct broker_config_key *broker_config_key_find(struct br_str name);

struct broker_listener {
    char *name;                      /* "PLAINTEXT" */
    char *host;                      /* "" = all interfaces */
    int port;                        /* 0: any free port; the bound one after start */
    char *advertised_host;
    int advertised_port;
};

struct broker_config; /* values by key, in force */

/* Defaults only. */
struct broker_config *broker_config_new(void);
void broker_config_free(struct broker_config *config);
/* Java properties file: comments, continuation lines, escapes. BR_INVALID with `file:line: key: why, what is allowed` in eb. */
BR_MUST_USE enum br_err broker_config_load(struct broker_config *config, const char *path, struct br_errbuf *eb);
/* One `key=value`, as --override. */
BR_MUST_USE enum br_err broker_config_set(struct broker_config *config, struct br_str key, struct br_str value, struct br_errbuf *eb);
/* After the last set: cross-checks, listeners, synonyms; logs the lines about accepted and unknown keys. */
BR_MUST_USE enum br_err broker_config_finish(struct broker_config *config, struct br_errbuf *eb);

/* Value as text: set, else default; NULL when there is none. is_set (may be NULL): came from file or override (source 4, static). */
const char *broker_config_get(const struct broker_config *config, const char *key, bool *is_set);
int64_t broker_config_int(const struct broker_config *config, const char *key);
bool broker_config_bool(const struct broker_config *config, const char *key);
/* max.connections.per.ip, or its override for this address. After broker_config_finish. */
int64_t broker_config_per_ip_max(const struct broker_config *config, const char *host);
/* After broker_config_finish; as many as it says, in the order of the file. */
const struct broker_listener *broker_config_listeners(const struct broker_config *config, unsigned *count);
struct broker_listener *broker_config_listeners_mut(struct broker_config *config); /* bound ports are filled in at start */

/* A file was given: without `listeners` Kafka's default (all interfaces) holds instead of localhost. */
void broker_config_note_file(struct broker_config *config);
/* Whether a value fits a type and its `valid` text; shared with topic settings. */
bool broker_config_value_valid(enum broker_config_type type, const char *valid, const char *value);
/* Properties from memory, as broker_config_load; name is used in messages. */
BR_MUST_USE enum br_err broker_config_parse(struct broker_config *config, const char *name, const char *text, size_t len, struct br_errbuf *eb);
