/* Kafka's error codes (public protocol guide): number, name, whether clients retry, and a short text. From 10000 on Braid's own, of its own requests alone. */
#pragma once

#include "compat/base/base.h"

#define KW_ERROR_LIST(X) \
    X(-1, UNKNOWN_SERVER_ERROR, 0, "unexpected error in the server") \
    X(0, NONE, 0, "no error") \
    X(1, OFFSET_OUT_OF_RANGE, 0, "offset outside the log") \
    X(2, CORRUPT_MESSAGE, 1, "checksum or framing does not match") \
    X(3, UNKNOWN_TOPIC_OR_PARTITION, 1, "no such topic or partition") \
    X(4, INVALID_FETCH_SIZE, 0, "invalid fetch size") \
    X(5, LEADER_NOT_AVAILABLE, 1, "no leader yet") \
    X(6, NOT_LEADER_OR_FOLLOWER, 1, "not the leader of this partition") \
    X(7, REQUEST_TIMED_OUT, 1, "timed out") \
    X(8, BROKER_NOT_AVAILABLE, 0, "broker not available") \
    X(9, REPLICA_NOT_AVAILABLE, 1, "replica not available") \
    X(10, MESSAGE_TOO_LARGE, 0, "batch larger than max.message.bytes") \
    X(11, STALE_CONTROLLER_EPOCH, 0, "controller epoch is old") \
    X(12, OFFSET_METADATA_TOO_LARGE, 0, "metadata longer than offset.metadata.max.bytes") \
    X(13, NETWORK_EXCEPTION, 1, "connection lost before the answer") \
    X(14, COORDINATOR_LOAD_IN_PROGRESS, 1, "coordinator is loading") \
    X(15, COORDINATOR_NOT_AVAILABLE, 1, "coordinator not available") \
    X(16, NOT_COORDINATOR, 1, "not the coordinator") \
    X(17, INVALID_TOPIC_EXCEPTION, 0, "invalid topic") \
    X(18, RECORD_LIST_TOO_LARGE, 0, "batch larger than a segment") \
    X(19, NOT_ENOUGH_REPLICAS, 1, "fewer in-sync replicas than required") \
    X(20, NOT_ENOUGH_REPLICAS_AFTER_APPEND, 1, "fewer in-sync replicas than required, after append") \
    X(21, INVALID_REQUIRED_ACKS, 0, "acks must be -1, 0 or 1") \
    X(22, ILLEGAL_GENERATION, 0, "generation is not the current one") \
    X(23, INCONSISTENT_GROUP_PROTOCOL, 0, "protocol type or protocols do not fit the group") \
    X(24, INVALID_GROUP_ID, 0, "invalid group id") \
    X(25, UNKNOWN_MEMBER_ID, 0, "unknown member id") \
    X(26, INVALID_SESSION_TIMEOUT, 0, "session timeout out of range") \
    X(27, REBALANCE_IN_PROGRESS, 0, "rebalance in progress") \
    X(28, INVALID_COMMIT_OFFSET_SIZE, 0, "offset commit too large") \
    X(29, TOPIC_AUTHORIZATION_FAILED, 0, "no right on the topic") \
    X(30, GROUP_AUTHORIZATION_FAILED, 0, "no right on the group") \
    X(31, CLUSTER_AUTHORIZATION_FAILED, 0, "no right on the cluster") \
    X(32, INVALID_TIMESTAMP, 0, "timestamp out of range") \
    X(33, UNSUPPORTED_SASL_MECHANISM, 0, "SASL mechanism not enabled") \
    X(34, ILLEGAL_SASL_STATE, 0, "request not allowed in this SASL state") \
    X(35, UNSUPPORTED_VERSION, 0, "version not supported") \
    X(36, TOPIC_ALREADY_EXISTS, 0, "topic exists already") \
    X(37, INVALID_PARTITIONS, 0, "invalid number of partitions") \
    X(38, INVALID_REPLICATION_FACTOR, 0, "invalid replication factor") \
    X(39, INVALID_REPLICA_ASSIGNMENT, 0, "invalid replica assignment") \
    X(40, INVALID_CONFIG, 0, "invalid configuration") \
    X(41, NOT_CONTROLLER, 1, "not the controller") \
    X(42, INVALID_REQUEST, 0, "invalid request") \
    X(43, UNSUPPORTED_FOR_MESSAGE_FORMAT, 0, "not supported by the message format") \
    X(44, POLICY_VIOLATION, 0, "refused by policy") \
    X(45, OUT_OF_ORDER_SEQUENCE_NUMBER, 0, "sequence number out of order") \
    X(46, DUPLICATE_SEQUENCE_NUMBER, 0, "duplicate sequence number") \
    X(47, INVALID_PRODUCER_EPOCH, 0, "producer epoch is old") \
    X(48, INVALID_TXN_STATE, 0, "not allowed in this transaction state") \
    X(49, INVALID_PRODUCER_ID_MAPPING, 0, "producer id is not that of the transactional id") \
    X(50, INVALID_TRANSACTION_TIMEOUT, 0, "transaction timeout out of range") \
    X(51, CONCURRENT_TRANSACTIONS, 1, "another transaction is being ended") \
    X(52, TRANSACTION_COORDINATOR_FENCED, 0, "transaction coordinator fenced") \
    X(53, TRANSACTIONAL_ID_AUTHORIZATION_FAILED, 0, "no right on the transactional id") \
    X(54, SECURITY_DISABLED, 0, "no authorizer is configured") \
    X(55, OPERATION_NOT_ATTEMPTED, 0, "not attempted") \
    X(56, KAFKA_STORAGE_ERROR, 1, "storage error") \
    X(57, LOG_DIR_NOT_FOUND, 0, "log directory not found") \
    X(58, SASL_AUTHENTICATION_FAILED, 0, "authentication failed") \
    X(59, UNKNOWN_PRODUCER_ID, 0, "unknown producer id") \
    X(60, REASSIGNMENT_IN_PROGRESS, 0, "reassignment in progress") \
    X(61, DELEGATION_TOKEN_AUTH_DISABLED, 0, "delegation tokens are disabled") \
    X(62, DELEGATION_TOKEN_NOT_FOUND, 0, "no such delegation token") \
    X(63, DELEGATION_TOKEN_OWNER_MISMATCH, 0, "delegation token of another owner") \
    X(64, DELEGATION_TOKEN_REQUEST_NOT_ALLOWED, 0, "token requests not allowed on this connection") \
    X(65, DELEGATION_TOKEN_AUTHORIZATION_FAILED, 0, "no right on the delegation token") \
    X(66, DELEGATION_TOKEN_EXPIRED, 0, "delegation token has expired") \
    X(67, INVALID_PRINCIPAL_TYPE, 0, "principal type not supported") \
    X(68, NON_EMPTY_GROUP, 0, "group has members") \
    X(69, GROUP_ID_NOT_FOUND, 0, "no such group") \
    X(70, FETCH_SESSION_ID_NOT_FOUND, 1, "no such fetch session") \
    X(71, INVALID_FETCH_SESSION_EPOCH, 1, "fetch session epoch does not fit") \
    X(72, LISTENER_NOT_FOUND, 1, "listener not found") \
    X(73, TOPIC_DELETION_DISABLED, 0, "topic deletion is disabled") \
    X(74, FENCED_LEADER_EPOCH, 1, "leader epoch is older than the broker's") \
    X(75, UNKNOWN_LEADER_EPOCH, 1, "leader epoch is newer than the broker's") \
    X(76, UNSUPPORTED_COMPRESSION_TYPE, 0, "compression type not supported") \
    X(77, STALE_BROKER_EPOCH, 0, "broker epoch has changed") \
    X(78, OFFSET_NOT_AVAILABLE, 1, "offset not available yet") \
    X(79, MEMBER_ID_REQUIRED, 0, "join again with the member id given") \
    X(80, PREFERRED_LEADER_NOT_AVAILABLE, 1, "preferred leader not available") \
    X(81, GROUP_MAX_SIZE_REACHED, 0, "group is full") \
    X(82, FENCED_INSTANCE_ID, 0, "another member has taken this instance id") \
    X(83, ELIGIBLE_LEADERS_NOT_AVAILABLE, 1, "no eligible leader") \
    X(84, ELECTION_NOT_NEEDED, 1, "election not needed") \
    X(85, NO_REASSIGNMENT_IN_PROGRESS, 0, "no reassignment in progress") \
    X(86, GROUP_SUBSCRIBED_TO_TOPIC, 0, "group is subscribed to the topic") \
    X(87, INVALID_RECORD, 0, "invalid record or batch") \
    X(88, UNSTABLE_OFFSET_COMMIT, 1, "offsets of an open transaction") \
    X(89, THROTTLING_QUOTA_EXCEEDED, 1, "quota exceeded") \
    X(90, PRODUCER_FENCED, 0, "a newer producer has taken over") \
    X(91, RESOURCE_NOT_FOUND, 0, "resource not found") \
    X(92, DUPLICATE_RESOURCE, 0, "resource named twice") \
    X(93, UNACCEPTABLE_CREDENTIAL, 0, "credential not acceptable") \
    X(94, INCONSISTENT_VOTER_SET, 0, "inconsistent voter set") \
    X(95, INVALID_UPDATE_VERSION, 0, "invalid update version") \
    X(96, FEATURE_UPDATE_FAILED, 0, "feature update failed") \
    X(97, PRINCIPAL_DESERIALIZATION_FAILURE, 0, "principal could not be read") \
    X(98, SNAPSHOT_NOT_FOUND, 0, "snapshot not found") \
    X(99, POSITION_OUT_OF_RANGE, 0, "position out of range") \
    X(100, UNKNOWN_TOPIC_ID, 1, "no topic has this id") \
    X(101, DUPLICATE_BROKER_REGISTRATION, 0, "broker id is in use") \
    X(102, BROKER_ID_NOT_REGISTERED, 0, "broker id is not registered") \
    X(103, INCONSISTENT_TOPIC_ID, 1, "topic id does not match the log") \
    X(104, INCONSISTENT_CLUSTER_ID, 0, "cluster id does not match") \
    X(105, TRANSACTIONAL_ID_NOT_FOUND, 0, "no such transactional id") \
    X(106, FETCH_SESSION_TOPIC_ID_ERROR, 1, "topic ids and names mixed in a session") \
    X(107, INELIGIBLE_REPLICA, 0, "replica is not eligible") \
    X(108, NEW_LEADER_ELECTED, 0, "a new leader was elected") \
    X(109, OFFSET_MOVED_TO_TIERED_STORAGE, 0, "offset is in tiered storage") \
    X(110, FENCED_MEMBER_EPOCH, 0, "member epoch is fenced") \
    X(111, UNRELEASED_INSTANCE_ID, 0, "instance id is still in use") \
    X(112, UNSUPPORTED_ASSIGNOR, 0, "assignor not supported") \
    X(113, STALE_MEMBER_EPOCH, 0, "member epoch is stale") \
    X(114, MISMATCHED_ENDPOINT_TYPE, 0, "endpoint type does not match") \
    X(115, UNSUPPORTED_ENDPOINT_TYPE, 0, "endpoint type not supported") \
    X(116, UNKNOWN_CONTROLLER_ID, 0, "unknown controller id") \
    X(117, UNKNOWN_SUBSCRIPTION_ID, 0, "telemetry subscription is not the current one") \
    X(118, TELEMETRY_TOO_LARGE, 0, "telemetry push too large") \
    X(119, INVALID_REGISTRATION, 0, "broker registration not valid") \
    X(120, TRANSACTION_ABORTABLE, 0, "abort the transaction and go on") \
    X(121, INVALID_RECORD_STATE, 0, "record is not in a state to be acknowledged") \
    X(122, SHARE_SESSION_NOT_FOUND, 0, "no such share session") \
    X(123, INVALID_SHARE_SESSION_EPOCH, 0, "share session epoch does not fit") \
    X(124, FENCED_STATE_EPOCH, 0, "share state epoch is old") \
    X(125, INVALID_VOTER_KEY, 0, "voter key does not match") \
    X(126, DUPLICATE_VOTER, 0, "voter is in the set already") \
    X(127, VOTER_NOT_FOUND, 0, "no such voter") \
    X(128, INVALID_REGULAR_EXPRESSION, 0, "invalid regular expression") \
    X(129, REBOOTSTRAP_REQUIRED, 0, "bootstrap again") \
    X(130, STREAMS_INVALID_TOPOLOGY, 0, "invalid topology") \
    X(131, STREAMS_INVALID_TOPOLOGY_EPOCH, 0, "topology epoch does not fit") \
    X(132, STREAMS_TOPOLOGY_FENCED, 0, "topology is old") \
    X(133, SHARE_SESSION_LIMIT_REACHED, 1, "too many share sessions") \
    X(10000, EXPECTED_END_MISMATCH, 0, "the stream ends elsewhere than expected")

enum kw_error {
#define X(code, name, retriable, text) KW_##name = (code),
    KW_ERROR_LIST(X)
#undef X
};

/* Kafka's name of the code, or "UNKNOWN"; static storage. */
const char *kw_error_name(int code);
/* Short text for people. */
const char *kw_error_text(int code);
bool kw_error_is_retriable(int code);
