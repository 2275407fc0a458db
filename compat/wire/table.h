/* The tables that kwgen.py writes and codec.c and print.c read: one row a field. Included by those and by
 * compat/gen (and by the tests' random messages); everyone else sees struct kw_message and the C structs. */
#pragma once

#include "compat/wire/api.h"

enum kw_field_type {
    KW_T_BOOL, KW_T_INT8, KW_T_INT16, KW_T_UINT16, KW_T_INT32, KW_T_UINT32, KW_T_INT64, KW_T_FLOAT64,
    KW_T_UUID, KW_T_STRING, KW_T_BYTES, KW_T_RECORDS, KW_T_STRUCT,
};

#define KW_F_ARRAY 1        /* `T *name; int32_t name_count`, the type is the element's */
#define KW_F_SECRET 2       /* printed as *** */
#define KW_F_DEFAULT_NULL 4
#define KW_F_ERROR 8        /* an int16 that is a Kafka error code: printed by name */

#define KW_NEVER INT16_MAX

struct kw_field {
    const char *name;
    const struct kw_struct *sub; /* of KW_T_STRUCT */
    int64_t number;              /* default of a number or bool */
    uint16_t offset, count_offset;
    int16_t first, last; /* versions that have the field */
    int16_t null_from;   /* first version that may be null, or KW_NEVER */
    int16_t tag;         /* -1: not tagged */
    uint8_t type, flags;
};

struct kw_struct {
    const char *name;
    const struct kw_field *fields; /* in wire order */
    uint32_t size;                 /* of the C struct */
    uint16_t count, tag_count;     /* fields; those of them that are tagged */
};

extern const struct kw_api kw_api_list[];
extern const size_t kw_api_list_count;
/* Every message of compat/gen: requests, responses, records. */
extern const struct kw_message *const kw_message_list[];
extern const size_t kw_message_list_count;

/* Bytes of one value of the field in memory: of an element, if it is an array. Thread: any. */
size_t kw_element_size(const struct kw_field *f);
/* Whether the field of this structure has its schema default. Not for records. Thread: any. */
bool kw_field_is_default(const struct kw_field *f, const void *parent);

/* The start of a tag section. False, and the reader failed, when it cannot be. */
bool kw_tag_count(struct br_reader *in, uint32_t *count);
/* The next tag, and a reader over its value alone. False, and the reader failed, when bytes end. */
bool kw_tag_next(struct br_reader *in, uint32_t *tag, struct br_reader *value);
