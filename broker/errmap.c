#include "broker/errmap.h"
#include "compat/base/base.h"

enum kw_error broker_errmap(enum br_err err)
{
    switch (err) {
    case BR_OK: return KW_NONE;
    case BR_FULL:
    case BR_BUSY: return KW_NOT_ENOUGH_REPLICAS; /* retriable, and says that nothing was appended */
    case BR_NOSPACE:
    case BR_IO:
    case BR_FAILED:
    case BR_COLD:
    case BR_CLOSED: return KW_KAFKA_STORAGE_ERROR; /* retriable */
    case BR_RANGE: return KW_OFFSET_OUT_OF_RANGE;
    case BR_TOO_LARGE: return KW_MESSAGE_TOO_LARGE;
    case BR_CORRUPT: return KW_CORRUPT_MESSAGE;
    case BR_UNSUPPORTED: return KW_UNSUPPORTED_VERSION;
    case BR_FENCED: return KW_INVALID_PRODUCER_EPOCH;
    case BR_SEQUENCE: return KW_OUT_OF_ORDER_SEQUENCE_NUMBER;
    case BR_DUPLICATE: return KW_DUPLICATE_SEQUENCE_NUMBER;
    case BR_INVALID: return KW_INVALID_REQUEST;
    default: return KW_UNKNOWN_SERVER_ERROR;
    }
}
