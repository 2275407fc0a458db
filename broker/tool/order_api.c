/* braid order cut, wait, trim, position, follow --speculative: what Kafka's protocol has no request for, through libbraid. */
#include "broker/tool/tool.h"
#include "compat/base/mem.h"
#include "order/api/braid.h"
#include <jansson.h>
#include <pthread.h>

/* NULL after an error line. */
static struct braid_client *open_client(struct tool *t)
{
    struct braid_client *client;
    struct braid_error error;
    char *address = br_asprintf(strchr(t->bootstrap, ':') ? "%s" : "%s:9092", t->bootstrap);
    if (braid_open(address, &(struct braid_options){.request_timeout_ms = 10000, .client_id = "braid"}, &client, &error) != BRAID_OK)
        tool_fail("%s", error.text);
    br_free(address);
    return client;
}

static int closed(struct braid_client *client, enum braid_err err, const struct braid_error *error)
{
    braid_close(client);
    return err == BRAID_OK ? 0 : tool_fail("%s", error->text);
}

/* --- cut --- */

static void print_cut(struct tool *t, const struct braid_cut *cut)
{
    char *text = braid_cut_encode(cut);
    json_t *list = json_array();
    if (!t->json)
        printf("%s\n", text);
    for (size_t i = 0; i < braid_cut_count(cut); i++) {
        struct braid_cut_entry e = braid_cut_at(cut, i);
        if (t->json)
            json_array_append_new(list, json_pack("{s:s,s:i,s:I}", "topic", e.topic, "partition", (int)e.partition, "offset", (json_int_t)e.offset));
        else
            printf("%10" PRId64 "  %s-%d\n", e.offset, e.topic, (int)e.partition);
    }
    json_t *o = json_pack("{s:I,s:s,s:o}", "position", (json_int_t)braid_cut_position(cut), "cut", text, "partitions", list);
    if (t->json) {
        json_dumpf(o, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(o);
    braid_free(text);
}

int tool_order_cut(struct tool *t, int64_t position, char **topics, int topic_count)
{
    struct braid_client *client = open_client(t);
    struct braid_cut *cut;
    struct braid_error error;
    struct braid_filter filter = {(const char *const *)topics, (size_t)topic_count};
    if (!client)
        return 1;
    enum braid_err err = braid_cut_blocking(client, position, &filter, &cut, &error);
    if (err == BRAID_OK)
        print_cut(t, cut);
    braid_cut_free(cut);
    return closed(client, err, &error);
}

/* --- wait, trim, position --- */

int tool_order_wait(struct tool *t, int64_t position, int64_t timeout_ms)
{
    struct braid_client *client = open_client(t);
    struct braid_error error;
    int64_t stable;
    if (!client)
        return 1;
    enum braid_err err = braid_wait_blocking(client, position, (int)timeout_ms, &stable, &error);
    if (err == BRAID_OK)
        printf(t->json ? "{\"stable\":%" PRId64 "}\n" : "stable up to %" PRId64 "\n", stable);
    else if (err == BRAID_TIMEOUT && stable >= 0)
        snprintf(error.text, sizeof error.text, "not in time: stable up to %" PRId64, stable);
    return closed(client, err, &error);
}

int tool_order_trim(struct tool *t, int64_t position)
{
    struct braid_client *client = open_client(t);
    struct braid_error error;
    int64_t start;
    if (!client)
        return 1;
    enum braid_err err = braid_trim_blocking(client, position, &start, &error);
    if (err == BRAID_OK)
        printf(t->json ? "{\"start\":%" PRId64 "}\n" : "first position kept %" PRId64 "\n", start);
    return closed(client, err, &error);
}

int tool_order_position(struct tool *t, const char *topic, int32_t partition, int64_t offset)
{
    struct braid_client *client = open_client(t);
    struct braid_error error;
    int64_t position;
    if (!client)
        return 1;
    enum braid_err err = braid_position_of_blocking(client, topic, partition, offset, &position, &error);
    if (err == BRAID_OK)
        printf(t->json ? "{\"position\":%" PRId64 "}\n" : "%" PRId64 "\n", position);
    else
        snprintf(error.text, sizeof error.text, "%.100s-%d offset %" PRId64 ": %s", topic, (int)partition, offset, braid_err_text(err));
    return closed(client, err, &error);
}

int tool_order_record_at(struct tool *t, int64_t position)
{
    struct braid_client *client = open_client(t);
    struct braid_error error;
    char *topic;
    int32_t partition;
    int64_t offset;
    if (!client)
        return 1;
    enum braid_err err = braid_record_at_blocking(client, position, &topic, &partition, &offset, &error);
    if (err == BRAID_OK)
        printf(t->json ? "{\"topic\":\"%s\",\"partition\":%d,\"offset\":%" PRId64 "}\n" : "%s-%d @%" PRId64 "\n", topic, (int)partition, offset);
    braid_free(topic);
    return closed(client, err, &error);
}

/* --- follow --speculative --- */

struct follow {
    struct tool *t;
    struct braid_subscription *sub;
    int64_t count; /* records to be confirmed until the end; 0: none */
    int64_t *positions; /* of what was delivered and not confirmed */
    size_t unconfirmed, cap;
    int64_t confirmed;
    pthread_mutex_t lock;
    pthread_cond_t is_over;
    bool has_ended;
    struct braid_error error;
};

static void follow_deliver(void *ctx, const struct braid_record *r, bool is_speculative)
{
    struct follow *f = ctx;
    if (f->unconfirmed == f->cap) {
        f->cap = BR_MAX(f->cap * 2, (size_t)64);
        f->positions = br_realloc(f->positions, f->cap * sizeof *f->positions);
    }
    f->positions[f->unconfirmed++] = r->position;
    if (!f->t->json) {
        printf("%c%9" PRId64 "  %s-%d @%" PRId64 "  ", is_speculative ? '?' : ' ', r->position, r->topic, (int)r->partition, r->offset);
        fwrite(r->key ? r->key : "-", 1, r->key ? r->key_len : 1, stdout);
        putchar('\t');
        fwrite(r->value ? r->value : "", 1, r->value ? r->value_len : 0, stdout);
        putchar('\n');
        return;
    }
    json_t *o = json_pack("{s:s,s:b,s:I,s:s,s:i,s:I,s:I,s:o,s:o}", "event", "record", "speculative", is_speculative, "position", (json_int_t)r->position, "topic", r->topic,
                          "partition", (int)r->partition, "offset", (json_int_t)r->offset, "timestamp", (json_int_t)r->timestamp, "key", tool_json_bytes(r->key, r->key_len),
                          "value", tool_json_bytes(r->value, r->value_len));
    json_dumpf(o, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(o);
}

static void follow_confirm(void *ctx, int64_t position)
{
    struct follow *f = ctx;
    printf(f->t->json ? "{\"event\":\"confirm\",\"position\":%" PRId64 "}\n" : "confirmed below %" PRId64 "\n", position);
    fflush(stdout);
    size_t n = 0;
    while (n < f->unconfirmed && f->positions[n] < position)
        n++;
    f->unconfirmed -= n;
    f->confirmed += (int64_t)n;
    memmove(f->positions, f->positions + n, f->unconfirmed * sizeof *f->positions);
    if (f->count > 0 && f->confirmed >= f->count)
        braid_subscription_stop(f->sub);
}

static void follow_fail(void *ctx, int64_t position)
{
    struct follow *f = ctx;
    while (f->unconfirmed > 0 && f->positions[f->unconfirmed - 1] >= position)
        f->unconfirmed--;
    printf(f->t->json ? "{\"event\":\"fail\",\"position\":%" PRId64 "}\n" : "failed from %" PRId64 " on\n", position);
}

static void follow_ended(void *ctx, const struct braid_error *error, int64_t position, int64_t start)
{
    struct follow *f = ctx;
    (void)position, (void)start;
    pthread_mutex_lock(&f->lock);
    f->error = *error;
    f->has_ended = true;
    pthread_cond_signal(&f->is_over);
    pthread_mutex_unlock(&f->lock);
}

int tool_order_follow(struct tool *t, int64_t from, int64_t count, char **topics, int topic_count)
{
    static const struct braid_subscriber subscriber = {.deliver = follow_deliver, .confirm = follow_confirm, .fail = follow_fail, .ended = follow_ended};
    struct follow f = {.t = t, .count = count, .lock = PTHREAD_MUTEX_INITIALIZER, .is_over = PTHREAD_COND_INITIALIZER};
    struct braid_filter filter = {(const char *const *)topics, (size_t)topic_count};
    struct braid_client *client = open_client(t);
    if (!client)
        return 1;
    enum braid_err err = braid_subscribe(client, from < 0 ? BRAID_FROM_END : from, &filter, BRAID_SPECULATIVE, 0, &subscriber, &f, &f.sub);
    pthread_mutex_lock(&f.lock);
    while (err == BRAID_OK && !f.has_ended && !tool_interrupted()) {
        struct timespec until;
        timespec_get(&until, TIME_UTC);
        until.tv_sec++; /* to see an interrupt */
        pthread_cond_timedwait(&f.is_over, &f.lock, &until);
    }
    bool is_good = err == BRAID_OK && (!f.has_ended || f.error.code == BRAID_CLOSED);
    pthread_mutex_unlock(&f.lock);
    braid_close(client);
    br_free(f.positions);
    return is_good ? 0 : tool_fail("%s", err == BRAID_OK ? f.error.text : braid_err_text(err));
}
