/* Headers by hand: they must be read before it is known which table the body needs, and they break the schema's
 * rules twice (the client id of a flexible header is a two-byte-length string; an ApiVersions answer has a header
 * without tags, since its reader cannot know yet what the broker speaks). */
#include "compat/wire/header.h"
#include "compat/wire/api.h"
#include "compat/wire/table.h"

#define API_VERSIONS 18

static bool skip_tags(struct br_reader *in)
{
    uint32_t count, tag;
    struct br_reader value;
    if (!kw_tag_count(in, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!kw_tag_next(in, &tag, &value))
            return false;
    return true;
}

enum br_err kw_request_header_decode(struct br_reader *in, struct kw_request_header *out)
{
    *out = (struct kw_request_header){.api_key = -1, .api_version = -1};
    int16_t key = (int16_t)br_read16(in), version = (int16_t)br_read16(in);
    uint32_t correlation_id = br_read32(in);
    if (in->failed)
        return BR_CORRUPT;
    out->api_key = key;
    out->api_version = version;
    out->correlation_id = (int32_t)correlation_id;

    int16_t len = (int16_t)br_read16(in);
    const uint8_t *client_id = len > 0 ? br_read_bytes(in, (size_t)len) : NULL;
    if (in->failed || len < -1)
        return BR_CORRUPT;
    if (len >= 0)
        out->client_id = br_str(len ? (const char *)client_id : "", (size_t)len);

    const struct kw_api *api = kw_api_find(key);
    if (!api || version < api->request->min || version > api->request->max)
        return BR_UNSUPPORTED;
    if (version >= api->request->flexible_from && !skip_tags(in))
        return BR_CORRUPT;
    return BR_OK;
}

enum br_err kw_request_header_encode(const struct kw_request_header *header, struct kw_out *out)
{
    const struct kw_api *api = kw_api_find(header->api_key);
    struct br_buf *b = &out->bytes;
    if (header->client_id.len > INT16_MAX)
        return BR_INVALID;
    br_buf_add16(b, (uint16_t)header->api_key);
    br_buf_add16(b, (uint16_t)header->api_version);
    br_buf_add32(b, (uint32_t)header->correlation_id);
    br_buf_add16(b, header->client_id.data ? (uint16_t)header->client_id.len : UINT16_MAX);
    br_buf_add(b, header->client_id.data, header->client_id.len);
    if (api && header->api_version >= api->request->flexible_from)
        br_buf_add_uvarint(b, 0);
    return b->failed ? BR_TOO_LARGE : BR_OK;
}

static bool is_response_flexible(int16_t api_key, int16_t api_version)
{
    const struct kw_api *api = kw_api_find(api_key);
    return api && api_key != API_VERSIONS && api_version >= api->response->flexible_from;
}

void kw_response_header_encode(int16_t api_key, int16_t api_version, int32_t correlation_id, struct kw_out *out)
{
    br_buf_add32(&out->bytes, (uint32_t)correlation_id);
    if (is_response_flexible(api_key, api_version))
        br_buf_add_uvarint(&out->bytes, 0);
}

enum br_err kw_response_header_decode(struct br_reader *in, int16_t api_key, int16_t api_version,
                                      int32_t *correlation_id)
{
    uint32_t id = br_read32(in);
    if (in->failed || (is_response_flexible(api_key, api_version) && !skip_tags(in)))
        return BR_CORRUPT;
    *correlation_id = (int32_t)id;
    return BR_OK;
}
