/* ListPartitionReassignments, version 0: none is ever under way with one broker. */
#include "broker/handler.h"
#include "broker/request.h"
#include "compat/gen/46_list_partition_reassignments.h"

void broker_handle_list_partition_reassignments(struct broker_request *req)
{
    struct kw_list_partition_reassignments_response response;
    kw_default(&kw_list_partition_reassignments_response, &response);
    broker_reply(req, &response);
}
