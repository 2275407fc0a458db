/* An event-sourced aggregate: a stock of 50 pieces, whose events lie in one stream. Four writers take pieces at the same time. Each reads the events, decides, and
 * appends its event only if the stream still ends where it read to; who loses reads on and decides again. Never is a piece sold twice.
 * Usage: aggregate BROKERS, with a topic `stock`. */
#include "examples/braid_common.h"
#include <pthread.h>

enum { PIECES = 50, WRITERS = 4 };

struct writer {
    struct braid_client *client;
    int id;
    int64_t next, end; /* of the order, read so far; of the stream */
    int left, mine, lost;
};

static void apply(struct writer *w, const struct braid_record *r)
{
    char who[16];
    snprintf(who, sizeof who, "%.*s", (int)r->key_len, (const char *)r->key);
    w->left += (int)number_of(r);
    w->mine += strtol(who, NULL, 10) == w->id;
    w->end = r->offset + 1;
}

/* Reads on until the stream's end is `end` at least. */
static void read_on(struct writer *w, int64_t end)
{
    const char *topics[] = {"stock"};
    struct braid_filter filter = {topics, 1};
    while (w->end < end) {
        struct braid_records records;
        struct braid_error error;
        must(braid_read_blocking(w->client, w->next, &filter, &(struct braid_limits){.wait_ms = 1000}, &records, &error), "read", &error);
        for (size_t i = 0; i < records.count; i++)
            apply(w, &records.items[i]);
        w->next = records.next;
        braid_records_clear(&records);
    }
}

static void *take_pieces(void *arg)
{
    struct writer *w = arg;
    char who[16];
    read_on(w, w->end + 1);
    while (w->left > 0) {
        struct braid_message event = text_message("-1 taken");
        event.key = who;
        event.key_len = (size_t)snprintf(who, sizeof who, "%d", w->id);
        struct braid_append append = to_stream("stock", 0, &event);
        struct braid_appended at;
        struct braid_error error;
        append.is_conditional = true;
        append.expected_end = w->end;
        enum braid_err err = braid_append_blocking(w->client, &append, 1, 0, &at, NULL, &error);
        /* The answer was lost, or another was first: either way the stream tells what happened. */
        if (err == BRAID_UNKNOWN && at.end_offset < 0)
            continue; /* not known how far to read: the next attempt says */
        if (err != BRAID_OK && err != BRAID_MISMATCH && err != BRAID_UNKNOWN)
            must(err, "append", &error);
        w->lost += err == BRAID_MISMATCH;
        read_on(w, at.end_offset);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    struct braid_message opening = text_message("50 delivered");
    struct braid_append append = to_stream("stock", 0, &opening);
    struct braid_appended at;
    struct braid_error error;
    int sold = 0, lost = 0, left = 0;
    if (argc != 2)
        return fprintf(stderr, "usage: aggregate BROKERS\n"), 2;
    struct braid_client *client = connect_to(argv[1]);
    must(braid_append_blocking(client, &append, 1, BRAID_SYNC, &at, NULL, &error), "append", &error);
    for (int i = 0; i < WRITERS; i++) {
        writers[i] = (struct writer){.client = client, .id = i + 1, .next = at.position, .end = at.base_offset};
        pthread_create(&threads[i], NULL, take_pieces, &writers[i]);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        sold += writers[i].mine;
        lost += writers[i].lost;
        left += writers[i].left;
    }
    braid_close(client);
    printf("%d of %d pieces sold by %d writers, %d decisions taken again\n", sold, PIECES, WRITERS, lost);
    return sold != PIECES || left != 0;
}
