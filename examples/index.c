/* An index over all documents: how often each word occurs. After each piece it stores itself and the cut it belongs to, in one file, atomically; killed at any moment it
 * goes on from the stored cut, and counts nothing twice and nothing not.
 * Usage: index BROKERS FILE COUNT, with a topic `docs`: until COUNT documents are in the index. */
#include "examples/braid_common.h"

enum { WORDS = 1000, PIECE = 10 };

struct index {
    struct braid_cut *cut; /* everything below it is in */
    long documents;
    struct {
        char word[32];
        long count;
    } words[WORDS];
    int word_count;
};

static void add_word(struct index *index, const char *word, long count)
{
    int i = 0;
    while (i < index->word_count && strcmp(index->words[i].word, word) != 0)
        i++;
    if (i == WORDS)
        return;
    if (i == index->word_count)
        snprintf(index->words[index->word_count++].word, sizeof index->words[i].word, "%s", word);
    index->words[i].count += count;
}

static void add_document(struct index *index, const struct braid_record *r)
{
    char text[256], *rest = text, *word;
    snprintf(text, sizeof text, "%.*s", (int)r->value_len, (const char *)r->value);
    index->documents++;
    while ((word = strtok_r(rest, " ", &rest)))
        add_word(index, word, 1);
}

static void load(struct index *index, const char *path)
{
    char line[4096], word[32];
    long count;
    struct braid_error error;
    FILE *f = fopen(path, "r");
    if (!f)
        return; /* the first time */
    if (!fgets(line, sizeof line, f))
        must(BRAID_INVALID, path, NULL);
    line[strcspn(line, "\n")] = '\0';
    must(braid_cut_decode(line, &index->cut, &error), path, &error);
    if (fscanf(f, "%ld\n", &index->documents) != 1)
        must(BRAID_INVALID, path, NULL);
    while (fscanf(f, "%31s %ld\n", word, &count) == 2)
        add_word(index, word, count);
    fclose(f);
}

static void store(const struct index *index, const char *path)
{
    char temporary[512], *cut = braid_cut_encode(index->cut);
    snprintf(temporary, sizeof temporary, "%s.new", path);
    FILE *f = fopen(temporary, "w");
    if (!f)
        must(BRAID_INVALID, temporary, NULL);
    fprintf(f, "%s\n%ld\n", cut, index->documents);
    for (int i = 0; i < index->word_count; i++)
        fprintf(f, "%s %ld\n", index->words[i].word, index->words[i].count);
    if (fclose(f) != 0 || rename(temporary, path) != 0)
        must(BRAID_INVALID, path, NULL);
    braid_free(cut);
}

int main(int argc, char **argv)
{
    static struct index index;
    const char *topics[] = {"docs"};
    struct braid_filter filter = {topics, 1};
    struct braid_limits limits = {.records_max = PIECE, .wait_ms = 1000};
    struct braid_error error;
    if (argc != 4)
        return fprintf(stderr, "usage: index BROKERS FILE COUNT\n"), 2;
    struct braid_client *client = connect_to(argv[1]);
    load(&index, argv[2]);
    printf("from %s: %ld documents\n", index.cut ? "the stored cut" : "the start", index.documents);
    int64_t position = index.cut ? braid_cut_position(index.cut) : 0;
    while (index.documents < strtol(argv[3], NULL, 10)) {
        struct braid_records records;
        struct braid_cut *cut;
        must(braid_read_blocking(client, position, &filter, &limits, &records, &error), "read", &error);
        for (size_t i = 0; i < records.count; i++)
            add_document(&index, &records.items[i]);
        position = records.next;
        braid_records_clear(&records);
        must(braid_cut_blocking(client, position, &filter, &cut, &error), "cut", &error);
        if (braid_cut_position(cut) != position) { /* inside what was appended together: what the index holds is no cut yet */
            braid_cut_free(cut);
            continue;
        }
        braid_cut_free(index.cut);
        index.cut = cut;
        store(&index, argv[2]);
    }
    braid_cut_free(index.cut);
    braid_close(client);
    return 0;
}
