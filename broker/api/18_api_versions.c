/* ApiVersions, versions 0-4. 1 throttle time, 3 flexible, client software and features, 4 features with minimum 0.
 * The answer's header is always version 0; a version above ours is answered in version 0 with UNSUPPORTED_VERSION and the list.
 * No feature is shown and the epoch stays -1, unknown: nothing here is switched by one, UpdateFeatures is not served, and transaction.version or group.version
 * would make clients use what is not there. */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/18_api_versions.h"

/* Letters and digits, with '-' and '.' inside. */
static bool is_software_text(struct br_str s)
{
    if (s.len == 0 || s.len > 255)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char ch = s.data[i];
        bool alnum = (ch >= '0' && ch <= '9') || (ch >= 'A' && ch <= 'Z') || (ch >= 'a' && ch <= 'z');
        if (!alnum && !((ch == '-' || ch == '.') && i > 0 && i + 1 < s.len))
            return false;
    }
    return true;
}

void broker_handle_api_versions(struct broker_request *req)
{
    const struct kw_api_versions_request *body = req->body; /* NULL: a version above ours */
    struct kw_api_versions_response response;
    kw_default(&kw_api_versions_response, &response);
    size_t count;
    const struct broker_handler *handlers = broker_handler_all(&count);
    if (!body) {
        response.error_code = KW_UNSUPPORTED_VERSION;
    } else if (broker_request_version(req) >= 3) {
        if (!is_software_text(body->client_software_name) || !is_software_text(body->client_software_version)) {
            response.error_code = KW_INVALID_REQUEST;
            broker_reply(req, &response);
            return;
        }
        broker_client_set_software(req->client, body->client_software_name, body->client_software_version);
    }
    response.api_keys = br_arena_array(&req->arena, count, sizeof *response.api_keys);
    if (!response.api_keys) {
        broker_request_close(req, "out of memory budget");
        return;
    }
    response.api_keys_count = 0;
    for (size_t i = 0; i < count; i++)
        if (handlers[i].key < BROKER_OWN_KEYS || broker_client_is_libbraid(req->client))
            response.api_keys[response.api_keys_count++] = (struct kw_api_versions_response_api_version){handlers[i].key, handlers[i].advertised_min, handlers[i].max};
    broker_reply(req, &response);
}
