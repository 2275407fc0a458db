/* A change feed merged from three tables, each a topic of its own: customers, orders, lines. A row is written when the one it refers to is acknowledged; a subscription to
 * the three in their one order never sees a row before what it refers to, and nothing of other topics.
 * Usage: change_feed BROKERS, with topics `customers`, `orders`, `lines` and `noise`. */
#include "examples/braid_common.h"
#include <pthread.h>

enum { ROWS = 60, TABLES = 3 };
static const char *const tables[TABLES] = {"customers", "orders", "lines"};

/* What the feed has shown; under the lock, since callbacks come on the client's thread. */
struct feed {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int reached[ROWS]; /* tables in which row i was seen */
    int seen, wrong;
    int64_t next;
};

static void on_change(void *ctx, const struct braid_record *r, bool is_speculative)
{
    struct feed *f = ctx;
    int table = 0;
    long row = number_of(r);
    (void)is_speculative;
    while (table < TABLES && strcmp(tables[table], r->topic) != 0)
        table++;
    pthread_mutex_lock(&f->lock);
    f->wrong += table == TABLES || row < 0 || row >= ROWS || f->reached[row] != table || r->position < f->next;
    if (row >= 0 && row < ROWS)
        f->reached[row] = table + 1;
    f->next = r->position + 1;
    f->seen++;
    pthread_cond_signal(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

static void write_row(struct braid_client *client, const char *topic, int row)
{
    char text[16];
    struct braid_error error;
    snprintf(text, sizeof text, "%d", row);
    struct braid_message message = text_message(text);
    struct braid_append append = to_stream(topic, 0, &message);
    must(braid_append_blocking(client, &append, 1, 0, NULL, NULL, &error), topic, &error);
}

static void *write_rows(void *arg)
{
    for (int row = 0; row < ROWS; row++) {
        for (int table = 0; table < TABLES; table++)
            write_row(arg, tables[table], row);
        write_row(arg, "noise", row);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct feed feed = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    struct braid_filter filter = {tables, TABLES};
    struct braid_subscriber subscriber = {.deliver = on_change};
    struct braid_subscription *subscription;
    struct braid_error error;
    pthread_t writer;
    int64_t tail;
    if (argc != 2)
        return fprintf(stderr, "usage: change_feed BROKERS\n"), 2;
    struct braid_client *client = connect_to(argv[1]);
    must(braid_tail_blocking(client, &tail, NULL, &error), "tail", &error);
    must(braid_subscribe(client, tail, &filter, 0, 0, &subscriber, &feed, &subscription), "subscribe", NULL);
    pthread_create(&writer, NULL, write_rows, client);
    pthread_mutex_lock(&feed.lock);
    while (feed.seen < ROWS * TABLES)
        pthread_cond_wait(&feed.changed, &feed.lock);
    pthread_mutex_unlock(&feed.lock);
    pthread_join(writer, NULL);
    braid_close(client);
    printf("%d changes of three tables in one order, %d out of place\n", feed.seen, feed.wrong);
    return feed.seen != ROWS * TABLES || feed.wrong != 0;
}
