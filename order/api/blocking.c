/* The blocking forms: the call, and a wait for its callback, which copies what it is shown. */
#include "order/api/client_int.h"
#include "order/api/records.h"

struct wait {
    pthread_mutex_t lock;
    pthread_cond_t is_told;
    bool is_done;
    struct braid_error error;
    /* Copied from the result. */
    int64_t position, start, offset;
    int32_t partition;
    size_t failed_index;
    struct braid_appended *appended;
    struct braid_record_list records;
    struct braid_cut *cut;
    char *topic;
};

static void told(void *ctx, const struct braid_result *r)
{
    struct wait *w = ctx;
    pthread_mutex_lock(&w->lock);
    braid_error_set(&w->error, r->error, r->broker_code, "%s", r->text);
    w->position = r->position;
    w->start = r->start;
    w->offset = r->offset;
    w->partition = r->partition;
    w->failed_index = r->failed_index;
    w->cut = r->cut;
    w->topic = r->topic ? br_strdup(r->topic) : NULL;
    if (w->appended)
        memcpy(w->appended, r->appended, r->appended_count * sizeof *r->appended);
    for (size_t i = 0; i < r->record_count; i++)
        braid_record_list_add(&w->records, &r->records[i]);
    w->is_done = true;
    pthread_cond_signal(&w->is_told);
    pthread_mutex_unlock(&w->lock);
}

/* What can be waited for: the client's own thread brings the callback, so it must not be the one that waits. */
static enum braid_err wait_init(struct wait *w, const struct braid_client *client)
{
    *w = (struct wait){.lock = PTHREAD_MUTEX_INITIALIZER, .is_told = PTHREAD_COND_INITIALIZER, .position = -1, .offset = -1, .partition = -1, .failed_index = SIZE_MAX};
    return !client->has_own_thread || braid_client_is_loop(client) ? BRAID_MISUSE : BRAID_OK;
}

/* err: what the call itself said. */
static enum braid_err wait_end(struct wait *w, enum braid_err err, struct braid_error *error)
{
    if (err == BRAID_OK) {
        pthread_mutex_lock(&w->lock);
        while (!w->is_done)
            pthread_cond_wait(&w->is_told, &w->lock);
        pthread_mutex_unlock(&w->lock);
    } else {
        braid_error_set(&w->error, err, 0, "%s", braid_err_text(err));
    }
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->is_told);
    if (error)
        *error = w->error;
    return w->error.code;
}

enum braid_err braid_append_blocking(struct braid_client *client, const struct braid_append *appends, size_t count, unsigned flags, struct braid_appended *appended,
                                     size_t *failed_index, struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    w.appended = appended;
    if (err == BRAID_OK)
        err = braid_append(client, appends, count, flags, told, &w);
    err = wait_end(&w, err, error);
    if (failed_index)
        *failed_index = w.failed_index;
    return err;
}

static enum braid_err tail_blocking(struct braid_client *client, enum braid_err (*ask)(struct braid_client *, braid_done, void *), int64_t *tail, int64_t *start,
                                    struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    if (err == BRAID_OK)
        err = ask(client, told, &w);
    err = wait_end(&w, err, error);
    *tail = w.position;
    if (start)
        *start = w.start;
    return err;
}

enum braid_err braid_tail_blocking(struct braid_client *client, int64_t *tail, int64_t *start, struct braid_error *error)
{
    return tail_blocking(client, braid_tail, tail, start, error);
}

enum braid_err braid_tail_hint_blocking(struct braid_client *client, int64_t *tail, int64_t *start, struct braid_error *error)
{
    return tail_blocking(client, braid_tail_hint, tail, start, error);
}

enum braid_err braid_wait_blocking(struct braid_client *client, int64_t position, int timeout_ms, int64_t *stable, struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    if (err == BRAID_OK)
        err = braid_wait(client, position, timeout_ms, told, &w);
    err = wait_end(&w, err, error);
    if (stable)
        *stable = w.position;
    return err;
}

enum braid_err braid_position_of_blocking(struct braid_client *client, const char *topic, int32_t partition, int64_t offset, int64_t *position,
                                          struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    if (err == BRAID_OK)
        err = braid_position_of(client, topic, partition, offset, told, &w);
    err = wait_end(&w, err, error);
    *position = w.position;
    return err;
}

enum braid_err braid_record_at_blocking(struct braid_client *client, int64_t position, char **topic, int32_t *partition, int64_t *offset, struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    if (err == BRAID_OK)
        err = braid_record_at(client, position, told, &w);
    err = wait_end(&w, err, error);
    *topic = w.topic;
    *partition = w.partition;
    *offset = w.offset;
    return err;
}

enum braid_err braid_trim_blocking(struct braid_client *client, int64_t position, int64_t *start, struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    if (err == BRAID_OK)
        err = braid_trim(client, position, told, &w);
    err = wait_end(&w, err, error);
    if (start)
        *start = w.start;
    return err;
}

enum braid_err braid_cut_blocking(struct braid_client *client, int64_t position, const struct braid_filter *filter, struct braid_cut **out, struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    if (err == BRAID_OK)
        err = braid_cut(client, position, filter, told, &w);
    err = wait_end(&w, err, error);
    *out = w.cut;
    return err;
}

enum braid_err braid_read_blocking(struct braid_client *client, int64_t position, const struct braid_filter *filter, const struct braid_limits *limits,
                                   struct braid_records *out, struct braid_error *error)
{
    struct wait w;
    enum braid_err err = wait_init(&w, client);
    if (err == BRAID_OK)
        err = braid_read(client, position, filter, limits, told, &w);
    err = wait_end(&w, err, error);
    *out = (struct braid_records){w.records.items, w.records.count, w.position, w.start};
    return err;
}

void braid_records_clear(struct braid_records *records)
{
    struct braid_record_list list = {(struct braid_record *)records->items, records->count, records->count};
    braid_record_list_clear(&list);
    *records = (struct braid_records){0};
}
