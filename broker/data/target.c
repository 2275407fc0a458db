#include "broker/data/target.h"

struct broker_target broker_target_find(struct broker *b, struct br_str name, struct br_uuid id, int32_t index)
{
    bool by_id = !br_uuid_is_zero(id) || name.len == 0; /* no topic has an empty name: a request by id with the zero id */
    struct broker_topic *topic = by_id ? broker_catalog_find_id(b->catalog, id) : broker_catalog_find(b->catalog, name);
    if (!topic)
        return (struct broker_target){.error = by_id ? KW_UNKNOWN_TOPIC_ID : KW_UNKNOWN_TOPIC_OR_PARTITION};
    if (index < 0 || index >= topic->partition_count)
        return (struct broker_target){.error = KW_UNKNOWN_TOPIC_OR_PARTITION};
    return (struct broker_target){.topic = topic, .partition = topic->view ? NULL : topic->partitions[index]};
}

int32_t broker_target_epoch(const struct broker_target *t)
{
    return t->partition ? t->partition->order->leader_epoch : 0;
}

enum kw_error broker_target_epoch_check(const struct broker_target *t, int32_t current)
{
    int32_t ours = broker_target_epoch(t);
    if (current < 0 || current == ours)
        return KW_NONE;
    return current < ours ? KW_FENCED_LEADER_EPOCH : KW_UNKNOWN_LEADER_EPOCH;
}
