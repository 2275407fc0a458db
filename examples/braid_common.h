/* What the examples of libbraid share: a client, one record appended, or a message and the end. In a program of your own: #include <braid.h>. */
#pragma once

#include "order/api/braid.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(enum braid_err err, const char *what, const struct braid_error *error)
{
    if (err == BRAID_OK)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, braid_err_name(err), error ? error->text : braid_err_text(err));
    exit(1);
}

static struct braid_client *connect_to(const char *brokers)
{
    struct braid_client *client;
    struct braid_error error;
    must(braid_open(brokers, NULL, &client, &error), brokers, &error);
    return client;
}

/* A record whose value is text. */
static inline struct braid_message text_message(const char *text)
{
    return (struct braid_message){.value = text, .value_len = strlen(text)};
}

static inline struct braid_append to_stream(const char *topic, int32_t partition, const struct braid_message *message)
{
    return (struct braid_append){.topic = topic, .partition = partition, .messages = message, .message_count = 1};
}

/* The number that a record's value begins with. */
static inline long number_of(const struct braid_record *record)
{
    char text[24];
    snprintf(text, sizeof text, "%.*s", (int)record->value_len, (const char *)record->value);
    return strtol(text, NULL, 10);
}
