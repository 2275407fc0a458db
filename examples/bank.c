/* A bank whose eight accounts lie on eight partitions. A transfer is one append to two of them, both or neither; while two threads transfer, cuts are taken, and at
 * every cut the money is all there: no cut falls inside a transfer. Usage: bank BROKERS, with a topic `accounts` of eight partitions. */
#include "examples/braid_common.h"
#include <pthread.h>

enum { ACCOUNTS = 8, OPENING = 100, TRANSFERS = 100, CUTS = 30 };

/* Appends to several accounts at once; amounts[i] goes to accounts[i]. Returns the position of the first. */
static int64_t book(struct braid_client *client, const int *accounts, const int *amounts, int count)
{
    struct braid_message messages[ACCOUNTS];
    struct braid_append appends[ACCOUNTS];
    struct braid_appended at[ACCOUNTS];
    struct braid_error error;
    char text[ACCOUNTS][16];
    for (int i = 0; i < count; i++) {
        snprintf(text[i], sizeof text[i], "%d", amounts[i]);
        messages[i] = text_message(text[i]);
        appends[i] = to_stream("accounts", accounts[i], &messages[i]);
    }
    must(braid_append_blocking(client, appends, (size_t)count, BRAID_SYNC, at, NULL, &error), "transfer", &error);
    return at[0].position;
}

static void *transfer(void *arg)
{
    struct braid_client *client = arg;
    for (int i = 1; i <= TRANSFERS; i++) {
        int from = i % ACCOUNTS, to = (i * 3 + 1) % ACCOUNTS;
        if (from != to)
            book(client, (int[]){from, to}, (int[]){-i, i}, 2);
    }
    return NULL;
}

/* The sum of all accounts at a cut: every record below its position. The cut's offsets must say the same. */
static long total_at(struct braid_client *client, const struct braid_cut *cut, int64_t from, int *wrong)
{
    const char *topics[] = {"accounts"};
    struct braid_filter filter = {topics, 1};
    int64_t next = from, ends[ACCOUNTS] = {0};
    long total = 0;
    while (next < braid_cut_position(cut)) {
        struct braid_records records;
        struct braid_error error;
        must(braid_read_blocking(client, next, &filter, NULL, &records, &error), "read", &error);
        for (size_t i = 0; i < records.count && records.items[i].position < braid_cut_position(cut); i++) {
            total += number_of(&records.items[i]);
            ends[records.items[i].partition] = records.items[i].offset + 1;
        }
        next = records.next;
        braid_records_clear(&records);
    }
    for (int p = 0; p < ACCOUNTS; p++)
        *wrong += braid_cut_offset(cut, "accounts", p) != ends[p];
    return total;
}

int main(int argc, char **argv)
{
    int all[ACCOUNTS], opening[ACCOUNTS], wrong = 0;
    pthread_t threads[2];
    struct braid_error error;
    if (argc != 2)
        return fprintf(stderr, "usage: bank BROKERS\n"), 2;
    struct braid_client *client = connect_to(argv[1]);
    for (int i = 0; i < ACCOUNTS; i++) {
        all[i] = i;
        opening[i] = OPENING;
    }
    int64_t first = book(client, all, opening, ACCOUNTS);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, transfer, client);
    for (int i = 0; i < CUTS; i++) {
        struct braid_cut *cut;
        int64_t tail;
        must(braid_tail_blocking(client, &tail, NULL, &error), "tail", &error);
        /* Now, and at any position there is: both are cuts between transfers. */
        int64_t at = i % 2 ? first + ACCOUNTS + (tail - first - ACCOUNTS) * i / CUTS : BRAID_NOW;
        must(braid_cut_blocking(client, at, NULL, &cut, &error), "cut", &error);
        wrong += total_at(client, cut, first, &wrong) != ACCOUNTS * OPENING;
        braid_cut_free(cut);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    braid_close(client);
    printf("%d cuts, %d with a wrong total\n", CUTS, wrong);
    return wrong != 0;
}
