/* Request and response headers: version 1 or 2 by the flexibility of the request's
 * version; client_id is a two-byte-length string in both. ApiVersions answers always use header v0. */
#pragma once

#include "compat/wire/codec.h"

struct kw_request_header {
    int16_t api_key, api_version;
    int32_t correlation_id;
    struct br_str client_id; /* borrowed; may be null */
};

/* Reads the header at the start of a frame (after its length). Sets key, version and correlation id as far as they
 * could be read even when it fails, so that the log can name them. BR_UNSUPPORTED: unknown key or version (the
 * client id is still read where the layout allows). */
BR_MUST_USE enum br_err kw_request_header_decode(struct br_reader *in, struct kw_request_header *out);
/* Writes a request header, for clients and tests. */
BR_MUST_USE enum br_err kw_request_header_encode(const struct kw_request_header *header, struct kw_out *out);
/* Writes correlation id and, where the answer's layout has one, an empty tag section. */
void kw_response_header_encode(int16_t api_key, int16_t api_version, int32_t correlation_id, struct kw_out *out);
/* Reads it, for clients and tests. */
BR_MUST_USE enum br_err kw_response_header_decode(struct br_reader *in, int16_t api_key, int16_t api_version,
                                                  int32_t *correlation_id);
