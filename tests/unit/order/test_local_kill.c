/* The embedded driver on the real disk, with threads: a child process appends to streams of both classes, raises and lowers them, trims and makes checkpoints, and tells
 * through a pipe what was acknowledged and what a reader of positions saw. It is killed at a random number of such words. What it told must be there: each record at its
 * offset, each position that record's (O-20). */
#include "tests/unit/order/local_node.h"
#include "compat/base/clock.h"
#include "compat/base/mem.h"
#include "compat/base/rand.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 30
#define WORDS_MAX 500  /* of a round */
#define OPEN_MAX 64u   /* appends under way in the child */

enum word_kind { WORD_ACK, WORD_SHOWN, WORD_TRIM };

struct word {
    enum word_kind kind;
    uint32_t stream; /* 0..3 */
    uint32_t value;
    int64_t offset;  /* TRIM: the start that is asked for */
    uint64_t position;
};

struct told {
    struct word *words;
    size_t count, cap;
    int64_t trim_asked[NODE_STREAMS];
};

/* --- the child --- */

static void say(int fd, struct word word)
{
    if (write(fd, &word, sizeof word) != (ssize_t)sizeof word)
        _exit(3); /* the parent is gone */
}

static void tell_finished(struct node_append **open, unsigned *count, int fd)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < *count; i++) {
        struct node_append *a = open[i];
        if (!a->is_told) {
            open[kept++] = a;
            continue;
        }
        if (a->result != BR_OK)
            _exit(4);
        say(fd, (struct word){.kind = WORD_ACK, .stream = a->ticket.stream->store->id - 2, .offset = a->ticket.base_offset, .value = a->value});
        node_append_free(a);
    }
    *count = kept;
}

static void tell_positions(struct node *n, uint64_t *scanned, int fd)
{
    struct store_order_row rows[64];
    unsigned count = 1;
    while (count > 0) {
        if (order_local_read(n->d, order_position(*scanned), rows, 64, &count, NULL) != BR_OK)
            _exit(5);
        for (unsigned i = 0; i < count; i++) {
            *scanned = rows[i].position + store_order_row_length(&rows[i]);
            if (rows[i].stream >= 2 && !(rows[i].flags & STORE_ORDER_LOST))
                say(fd, (struct word){.kind = WORD_SHOWN, .stream = rows[i].stream - 2, .offset = rows[i].base_offset, .position = rows[i].position});
        }
    }
}

static void work(struct node *n, uint32_t round, int fd)
{
    struct br_rand r;
    struct node_append *open[OPEN_MAX];
    unsigned count = 0;
    br_rand_init(&r, round);
    if (node_open(n) != BR_OK) {
        fprintf(stderr, "child: %s\n", n->eb.text);
        _exit(2);
    }
    uint64_t scanned = order_local_stable(n->d).value;
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t stream = (uint32_t)br_rand_below(&r, NODE_STREAMS), value = round << 20 | i;
        enum br_err err = count < OPEN_MAX ? node_append(n, stream, value, 4 + br_rand_below(&r, 3000), br_clock_wall_ms(), &open[count]) : BR_FULL;
        if (err == BR_OK)
            count++;
        else if (err != BR_FULL)
            _exit(6);
        if (br_rand_chance(&r, 3))
            n->streams[1 + br_rand_below(&r, 2)]->class = br_rand_chance(&r, 50) ? ORDER_FSYNC : ORDER_PAGE_CACHE;
        if (br_rand_chance(&r, 1)) {
            int64_t start = (int64_t)br_rand_below(&r, (uint64_t)n->streams[stream]->done_end + 1);
            say(fd, (struct word){.kind = WORD_TRIM, .stream = stream, .offset = start});
            if (order_local_trim(n->d, n->streams[stream], start, NULL, NULL) != BR_OK)
                _exit(7);
        }
        if (br_rand_chance(&r, 30) || count == OPEN_MAX) {
            order_local_turn(n->d, br_clock_wall_ms());
            if (count == OPEN_MAX)
                store_io_pool_drain(n->sync_pool);
            else
                store_io_pool_reap(n->sync_pool);
            store_io_pool_reap(n->pool);
            order_local_turn(n->d, br_clock_wall_ms());
            tell_finished(open, &count, fd);
            tell_positions(n, &scanned, fd);
        }
    }
    _exit(0);
}

/* --- the parent --- */

static void hear(struct told *t, const struct word *word)
{
    if (word->kind == WORD_TRIM) {
        t->trim_asked[word->stream] = BR_MAX(t->trim_asked[word->stream], word->offset);
        return;
    }
    if (t->count == t->cap) {
        t->cap = t->cap ? t->cap * 2 : 1024;
        t->words = br_realloc(t->words, t->cap * sizeof *t->words);
    }
    t->words[t->count++] = *word;
}

/* Listens to `words` words, kills, and hears out what was said before. */
static void run_and_kill(struct node *n, struct told *t, uint32_t round, unsigned words)
{
    int fds[2], status;
    struct word word;
    assert_int_equal(pipe(fds), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(fds[0]);
        work(n, round, fds[1]);
    }
    close(fds[1]);
    bool is_alive = true;
    unsigned heard = 0;
    while (read(fds[0], &word, sizeof word) == (ssize_t)sizeof word) { /* ends with the child's death */
        hear(t, &word);
        if (++heard >= words && is_alive) {
            assert_int_equal(kill(child, SIGKILL), 0);
            is_alive = false;
        }
    }
    close(fds[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
        print_error("round %u: the child ended by itself with %d\n", round, WEXITSTATUS(status));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void check_told(struct node *n, const struct told *t)
{
    int64_t starts[NODE_STREAMS];
    for (unsigned i = 0; i < NODE_STREAMS; i++) {
        starts[i] = store_log_state(n->streams[i]->store->log)->start;
        assert_true(starts[i] <= t->trim_asked[i]);
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct word *w = &t->words[i];
        struct store_order_row row;
        unsigned count;
        if (w->offset < starts[w->stream])
            continue;
        if (w->kind == WORD_ACK) {
            bool is_there = node_has(n, w->stream, w->offset, w->value);
            if (!is_there)
                print_error("stream %u offset %" PRId64 ": the acknowledged record is not there\n", w->stream, w->offset);
            assert_true(is_there);
            continue;
        }
        assert_int_equal(order_local_read(n->d, order_position(w->position), &row, 1, &count, NULL), BR_OK);
        assert_int_equal(count, 1);
        assert_int_equal(row.position, w->position);
        assert_int_equal(row.stream, w->stream + 2);
        assert_int_equal(row.base_offset, w->offset);
        assert_false(row.flags & STORE_ORDER_LOST);
    }
}

static void test_thirty_kills_of_a_real_process_lose_nothing_that_was_told(void **state)
{
    (void)state;
    struct told t = {0};
    struct br_rand r;
    char *dir = br_asprintf("%s/kill", harness_tmpdir());
    struct node n = {.vfs = store_vfs_posix(), .dir = dir, .boot_id = "one", .journal_file_bytes = 65536,
                     .class = {ORDER_FSYNC, ORDER_FSYNC, ORDER_PAGE_CACHE, ORDER_PAGE_CACHE}};
    br_rand_init(&r, 1);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        n.threads = 1; /* the child's; here there are none when it forks */
        run_and_kill(&n, &t, round, 1 + (unsigned)br_rand_below(&r, WORDS_MAX));
        if (round % 3 == 0)
            continue; /* the next child recovers */
        n.threads = 0;
        enum br_err err = node_open(&n);
        if (err != BR_OK)
            print_error("round %u: %s\n", round, n.eb.text);
        assert_int_equal(err, BR_OK);
        assert_false(n.identity.was_clean || n.identity.lost_power);
        check_told(&n, &t);
        node_close(&n, round % 4 == 0);
    }
    n.threads = 0;
    assert_int_equal(node_open(&n), BR_OK);
    check_told(&n, &t);
    assert_true(t.count > ROUNDS);
    node_close(&n, true);
    br_free(t.words);
    br_free(dir);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_thirty_kills_of_a_real_process_lose_nothing_that_was_told),
};
HARNESS_MAIN("local_kill", tests)
