#include "compat/base/uuid.h"
#include "compat/base/rand.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

struct br_uuid br_uuid_random(void)
{
    struct br_uuid id;
    do {
        br_entropy(id.bytes, sizeof id.bytes);
        id.bytes[6] = (uint8_t)((id.bytes[6] & 0x0f) | 0x40);
        id.bytes[8] = (uint8_t)((id.bytes[8] & 0x3f) | 0x80);
    } while (id.bytes[0] >> 2 == 62); /* '-' first would look like an option to tools */
    return id;
}

void br_uuid_text(struct br_uuid id, char text[BR_UUID_TEXT])
{
    uint32_t bits = 0;
    int have = 0, n = 0;
    for (int i = 0; i < 16; i++) {
        bits = bits << 8 | id.bytes[i];
        for (have += 8; have >= 6; have -= 6)
            text[n++] = alphabet[bits >> (have - 6) & 63];
    }
    text[n++] = alphabet[bits << (6 - have) & 63];
    text[n] = '\0';
}

enum br_err br_uuid_parse(struct br_str text, struct br_uuid *out)
{
    struct br_uuid id;
    uint32_t bits = 0;
    int have = 0, n = 0;
    if (text.len != 22)
        return BR_INVALID;
    for (size_t i = 0; i < text.len; i++) {
        const char *at = text.data[i] ? strchr(alphabet, text.data[i]) : NULL;
        if (!at)
            return BR_INVALID;
        bits = bits << 6 | (uint32_t)(at - alphabet);
        have += 6;
        if (have >= 8 && n < 16) {
            id.bytes[n++] = (uint8_t)(bits >> (have - 8));
            have -= 8;
        }
    }
    if (have != 4 || (bits & 15) != 0)
        return BR_INVALID;
    *out = id;
    return BR_OK;
}
