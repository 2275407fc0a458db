/* DescribeCluster, versions 0-2. 1 endpoint type (KIP-919), 2 fenced brokers (KIP-1073). */
#include "broker/broker.h"
#include "broker/handler.h"
#include "broker/request.h"
#include "broker/server.h"
#include "broker/topic/rights.h"
#include "compat/gen/60_describe_cluster.h"

enum { ENDPOINT_BROKERS = 1, ENDPOINT_CONTROLLERS = 2 };

void broker_handle_describe_cluster(struct broker_request *req)
{
    const struct kw_describe_cluster_request *body = req->body;
    const struct broker_listener *l = broker_request_listener(req);
    struct kw_describe_cluster_response response;
    char cluster[BR_UUID_TEXT];
    br_uuid_text(req->broker->identity.cluster_id, cluster);
    kw_default(&kw_describe_cluster_response, &response);
    struct kw_describe_cluster_response_broker self = {.broker_id = broker_node_id(req->broker), .host = br_str_c(l->advertised_host), .port = l->advertised_port,
                                                       .rack = br_str_c(broker_config_get(req->broker->config, "broker.rack", NULL))};
    response.cluster_id = br_str_c(cluster);
    response.endpoint_type = body->endpoint_type;
    if (broker_request_version(req) >= 1 && body->endpoint_type != ENDPOINT_BROKERS) {
        response.error_code = body->endpoint_type == ENDPOINT_CONTROLLERS ? KW_MISMATCHED_ENDPOINT_TYPE : KW_UNSUPPORTED_ENDPOINT_TYPE;
        response.error_message = br_str_c(kw_error_text(response.error_code));
    } else {
        response.controller_id = broker_node_id(req->broker);
        response.brokers = &self;
        response.brokers_count = 1;
        if (body->include_cluster_authorized_operations)
            response.cluster_authorized_operations = BROKER_RIGHTS_CLUSTER;
    }
    broker_reply(req, &response);
}
