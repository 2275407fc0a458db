/* From an API key to its tables. Every schema file is listed; which keys are served, and advertised, is
 * the broker's handler table. */
#pragma once

#include "compat/wire/codec.h"

struct kw_api {
    int16_t key;
    const char *name; /* Kafka's spelling, "Produce" */
    const struct kw_message *request, *response; /* equal version ranges */
};

/* NULL when there is no schema for the key. */
const struct kw_api *kw_api_find(int16_t key);
/* All of them by rising key; *count is set. */
const struct kw_api *kw_api_all(size_t *count);
