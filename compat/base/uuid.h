/* 16-byte identifiers and Kafka's 22-character text form (URL-safe base64 without padding). */
#pragma once

#include "compat/base/str.h"

struct br_uuid {
    uint8_t bytes[16];
};

#define BR_UUID_TEXT 23 /* 22 characters and the NUL */

/* Random, version 4; never one whose text begins with '-' and never zero. Thread: any. */
struct br_uuid br_uuid_random(void);
static inline bool br_uuid_eq(struct br_uuid a, struct br_uuid b) { return memcmp(a.bytes, b.bytes, 16) == 0; }
static inline bool br_uuid_is_zero(struct br_uuid a) { return br_uuid_eq(a, (struct br_uuid){{0}}); }
void br_uuid_text(struct br_uuid id, char text[BR_UUID_TEXT]);
/* BR_INVALID when it is not such a text. */
BR_MUST_USE enum br_err br_uuid_parse(struct br_str text, struct br_uuid *out);
