/* libbraid and a broker: every call, and a subscription over kills of the broker. What a broker never does is in tests/unit/order/test_client.c. */
#include "compat/base/mem.h"
#include "order/api/braid.h"
#include "tests/support/braidd.h"
#include "tests/support/harness.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static struct braidd *broker; /* shared by the tests that leave it alone */
static struct braid_client *client;

static void need_broker(void)
{
    if (broker)
        return;
    broker = braidd_start(NULL);
    braidd_topic(broker, "a", 4, NULL);
    braidd_topic(broker, "b", 2, NULL);
    braidd_topic(broker, "cache", 1, "braid.durability=page-cache");
    assert_int_equal(braid_open(braidd_address(broker), NULL, &client, NULL), BRAID_OK);
}

static struct braid_append to(const char *topic, int32_t partition, const struct braid_message *messages, size_t count)
{
    return (struct braid_append){.topic = topic, .partition = partition, .messages = messages, .message_count = count};
}

static struct braid_appended append_text(struct braid_client *c, const char *topic, int32_t partition, const char *text, unsigned flags)
{
    struct braid_message m = {.value = text, .value_len = strlen(text)};
    struct braid_append a = to(topic, partition, &m, 1);
    struct braid_appended at;
    struct braid_error error;
    if (braid_append_blocking(c, &a, 1, flags, &at, NULL, &error) != BRAID_OK)
        fail_msg("append: %s", error.text);
    return at;
}

static void appended_records_have_offsets_and_positions(void **state)
{
    int64_t position, tail, start, offset;
    char *topic;
    int32_t partition;
    (void)state;
    need_broker();
    struct braid_appended one = append_text(client, "a", 1, "x", 0), two = append_text(client, "a", 1, "y", BRAID_SYNC);
    assert_int_equal(one.position, -1);
    assert_int_equal(two.base_offset, one.end_offset);
    assert_int_equal(braid_tail_blocking(client, &tail, &start, NULL), BRAID_OK);
    assert_true(start >= 0 && start <= two.position && two.position < tail);
    assert_int_equal(braid_tail_hint_blocking(client, &position, NULL, NULL), BRAID_OK);
    assert_true(position <= tail);
    assert_int_equal(braid_position_of_blocking(client, "a", 1, two.base_offset, &position, NULL), BRAID_OK);
    assert_int_equal(position, two.position);
    assert_int_equal(braid_record_at_blocking(client, position, &topic, &partition, &offset, NULL), BRAID_OK);
    assert_string_equal(topic, "a");
    assert_int_equal(partition, 1);
    assert_int_equal(offset, two.base_offset);
    braid_free(topic);
    assert_int_equal(braid_wait_blocking(client, position + 1, 0, &tail, NULL), BRAID_OK);
    assert_int_equal(braid_wait_blocking(client, position + 1000000, 50, &tail, NULL), BRAID_TIMEOUT);
    assert_true(tail > position);
}

static void what_is_not_there_is_told(void **state)
{
    struct braid_message m = {.value = "x", .value_len = 1};
    struct braid_append a = to("nowhere", 0, &m, 1), b = to("a", 99, &m, 1);
    struct braid_cut *cut;
    struct braid_records records;
    struct braid_error error;
    int64_t position, offset;
    int32_t partition;
    char *topic;
    (void)state;
    need_broker();
    assert_int_equal(braid_append_blocking(client, &a, 1, 0, NULL, NULL, NULL), BRAID_NO_TOPIC);
    assert_int_equal(braid_append_blocking(client, &b, 1, 0, NULL, NULL, NULL), BRAID_NO_TOPIC);
    assert_int_equal(braid_position_of_blocking(client, "nowhere", 0, 0, &position, NULL), BRAID_NO_TOPIC);
    assert_int_equal(braid_position_of_blocking(client, "a", 0, 1000000, &position, NULL), BRAID_OUT_OF_RANGE);
    assert_int_equal(braid_record_at_blocking(client, 1000000, &topic, &partition, &offset, NULL), BRAID_NOT_STABLE);
    assert_int_equal(braid_cut_blocking(client, 1000000, NULL, &cut, &error), BRAID_OUT_OF_RANGE);
    assert_null(cut);
    assert_int_equal(braid_read_blocking(client, 1000000, NULL, NULL, &records, NULL), BRAID_OUT_OF_RANGE);
    braid_records_clear(&records);
}

static void a_conditional_append_wins_once_and_the_loser_learns_the_end(void **state)
{
    struct braid_message m = {.value = "x", .value_len = 1};
    struct braid_append a = to("b", 1, &m, 1);
    struct braid_appended at;
    size_t failed;
    (void)state;
    need_broker();
    int64_t end = append_text(client, "b", 1, "first", 0).end_offset;
    a.is_conditional = true;
    a.expected_end = end;
    assert_int_equal(braid_append_blocking(client, &a, 1, 0, &at, &failed, NULL), BRAID_OK);
    assert_int_equal(at.base_offset, end);
    assert_int_equal(braid_append_blocking(client, &a, 1, 0, &at, &failed, NULL), BRAID_MISMATCH);
    assert_int_equal(failed, 0);
    assert_int_equal(at.end_offset, end + 1);
}

static void several_streams_are_appended_together_or_not_at_all(void **state)
{
    struct braid_message m[] = {{.value = "1", .value_len = 1}, {.value = "2", .value_len = 1}};
    struct braid_append a[] = {to("a", 0, m, 2), to("b", 0, m, 1), to("a", 2, m, 2)};
    struct braid_appended at[3];
    struct braid_cut *cut;
    size_t failed;
    (void)state;
    need_broker();
    assert_int_equal(braid_append_blocking(client, a, 3, BRAID_SYNC, at, NULL, NULL), BRAID_OK);
    assert_int_equal(at[1].position, at[0].position + 2);
    assert_int_equal(at[2].position, at[0].position + 3);
    for (int64_t p = at[0].position + 1; p < at[0].position + 5; p++) { /* no cut falls inside */
        assert_int_equal(braid_cut_blocking(client, p, NULL, &cut, NULL), BRAID_OK);
        assert_int_equal(braid_cut_position(cut), at[0].position);
        assert_int_equal(braid_cut_offset(cut, "a", 2), at[2].base_offset);
        braid_cut_free(cut);
    }
    int64_t end = at[0].end_offset;
    a[2].is_conditional = true;
    a[2].expected_end = at[2].end_offset + 5;
    assert_int_equal(braid_append_blocking(client, a, 3, 0, at, &failed, NULL), BRAID_MISMATCH);
    assert_int_equal(failed, 2);
    assert_int_equal(append_text(client, "a", 0, "z", 0).base_offset, end); /* nothing of it is there */
    a[2] = to("cache", 0, m, 1);
    assert_int_equal(braid_append_blocking(client, a, 3, 0, at, &failed, NULL), BRAID_REFUSED);
}

static void a_cut_holds_what_is_below_its_position_and_comes_back_from_text(void **state)
{
    const char *topics[] = {"a*"};
    struct braid_filter filter = {topics, 1};
    struct braid_cut *cut, *again;
    (void)state;
    need_broker();
    int64_t before = append_text(client, "a", 3, "in", 0).end_offset;
    assert_int_equal(braid_cut_blocking(client, BRAID_NOW, &filter, &cut, NULL), BRAID_OK);
    append_text(client, "a", 3, "out", 0);
    assert_int_equal(braid_cut_count(cut), 4);
    assert_int_equal(braid_cut_offset(cut, "a", 3), before);
    assert_int_equal(braid_cut_offset(cut, "b", 0), -1);
    char *text = braid_cut_encode(cut);
    assert_int_equal(braid_cut_decode(text, &again, NULL), BRAID_OK);
    struct braid_records records;
    assert_int_equal(braid_read_blocking(client, braid_cut_position(again), &filter, NULL, &records, NULL), BRAID_OK);
    assert_int_equal(records.count, 1);
    assert_memory_equal(records.items[0].value, "out", 3);
    assert_int_equal(records.items[0].offset, before);
    braid_records_clear(&records);
    braid_free(text);
    braid_cut_free(cut);
    braid_cut_free(again);
}

static void records_come_back_as_they_went_in_with_every_codec(void **state)
{
    (void)state;
    need_broker();
    for (int codec = BRAID_CODEC_NONE; codec <= BRAID_CODEC_ZSTD; codec++) {
        struct braid_options options = {.codec = (enum braid_codec)codec};
        struct braid_header headers[] = {{"h", 1, "v", 1}, {"null", 4, NULL, 0}};
        char value[2000];
        memset(value, 'a' + codec, sizeof value);
        struct braid_message m[] = {{.key = "k", .key_len = 1, .value = value, .value_len = sizeof value, .headers = headers, .header_count = 2, .timestamp = 1700000000000},
                                    {.value = "", .value_len = 0}};
        struct braid_append a = to("a", 0, m, 2);
        struct braid_appended at;
        struct braid_client *c;
        struct braid_records records;
        assert_int_equal(braid_open(braidd_address(broker), &options, &c, NULL), BRAID_OK);
        assert_int_equal(braid_append_blocking(c, &a, 1, BRAID_SYNC, &at, NULL, NULL), BRAID_OK);
        assert_int_equal(braid_read_blocking(c, at.position, NULL, NULL, &records, NULL), BRAID_OK);
        assert_int_equal(records.count, 2);
        const struct braid_record *r = records.items;
        assert_true(r->position == at.position && r->offset == at.base_offset && r->partition == 0 && r->timestamp == 1700000000000);
        assert_true(r->key_len == 1 && r->value_len == sizeof value && memcmp(r->value, value, sizeof value) == 0);
        assert_true(r->header_count == 2 && r->headers[0].key_len == 1 && memcmp(r->headers[0].value, "v", 1) == 0 && !r->headers[1].value);
        assert_true(r[1].key == NULL && r[1].value && r[1].value_len == 0 && r[0].is_first && !r[0].is_last && r[1].is_last);
        braid_records_clear(&records);
        braid_close(c);
    }
}

/* --- subscriptions --- */

#define NUMBERS 4096

/* Appends numbers until told to stop, and notes how each went. */
struct writer {
    struct braid_client *client;
    pthread_t thread;
    atomic_int is_over, acknowledged;
    int32_t partition;
    unsigned char fate[NUMBERS]; /* enum braid_err + 1; 0: not sent */
    int64_t position[NUMBERS];
};

static void *write_numbers(void *arg)
{
    struct writer *w = arg;
    for (int i = 0; i < NUMBERS && !atomic_load(&w->is_over); i++) {
        char text[16];
        struct braid_message m = {.value = text, .value_len = (size_t)snprintf(text, sizeof text, "%d", i)};
        struct braid_append a = to("numbers", w->partition, &m, 1);
        struct braid_appended at;
        w->fate[i] = (unsigned char)(braid_append_blocking(w->client, &a, 1, BRAID_SYNC, &at, NULL, NULL) + 1);
        w->position[i] = at.position;
        atomic_fetch_add(&w->acknowledged, w->fate[i] == BRAID_OK + 1);
    }
    return NULL;
}

/* What a subscriber got; the state that fail() takes back. */
struct reader {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int seen[2][NUMBERS]; /* by partition and number: times */
    struct item {
        int64_t position;
        int partition, number;
    } items[2 * NUMBERS];
    int count;
    int64_t confirmed;
    bool is_wrong, has_ended;
    int speculative, fails;
};

static void take(void *ctx, const struct braid_record *r, bool is_speculative)
{
    struct reader *s = ctx;
    char text[16];
    snprintf(text, sizeof text, "%.*s", (int)r->value_len, (const char *)r->value);
    pthread_mutex_lock(&s->lock);
    struct item item = {r->position, r->partition, (int)strtol(text, NULL, 10)};
    s->is_wrong = s->is_wrong || (s->count > 0 && s->items[s->count - 1].position >= item.position) || s->count == 2 * NUMBERS || r->position < s->confirmed;
    s->seen[item.partition][item.number]++;
    s->items[s->count++] = item;
    s->speculative += is_speculative;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void confirm(void *ctx, int64_t position)
{
    struct reader *s = ctx;
    pthread_mutex_lock(&s->lock);
    s->is_wrong = s->is_wrong || position <= s->confirmed;
    s->confirmed = position;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void take_back(void *ctx, int64_t position)
{
    struct reader *s = ctx;
    pthread_mutex_lock(&s->lock);
    s->fails++;
    s->is_wrong = s->is_wrong || position < s->confirmed;
    while (s->count > 0 && s->items[s->count - 1].position >= position) {
        s->count--;
        s->seen[s->items[s->count].partition][s->items[s->count].number]--;
    }
    pthread_mutex_unlock(&s->lock);
}

static void reader_ended(void *ctx, const struct braid_error *error, int64_t position, int64_t start)
{
    struct reader *s = ctx;
    (void)position, (void)start;
    pthread_mutex_lock(&s->lock);
    s->has_ended = true;
    s->is_wrong = s->is_wrong || error->code != BRAID_CLOSED;
    pthread_mutex_unlock(&s->lock);
}

static const struct braid_subscriber subscriber = {.deliver = take, .confirm = confirm, .fail = take_back, .ended = reader_ended};

static void follow_over_kills(unsigned flags)
{
    static struct writer writers[2];
    static struct reader reader;
    struct braidd *b = braidd_start(NULL);
    struct braid_subscription *sub;
    struct braid_client *c;
    int64_t tail;
    memset(writers, 0, sizeof writers);
    reader = (struct reader){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .confirmed = -1};
    braidd_topic(b, "numbers", 2, NULL);
    braidd_topic(b, "other", 1, NULL);
    assert_int_equal(braid_open(braidd_address(b), NULL, &c, NULL), BRAID_OK);
    const char *topics[] = {"num*"};
    assert_int_equal(braid_subscribe(c, BRAID_FROM_START, &(struct braid_filter){topics, 1}, flags, 0, &subscriber, &reader, &sub), BRAID_OK);
    for (int i = 0; i < 2; i++) {
        writers[i].client = c;
        writers[i].partition = i;
        assert_int_equal(pthread_create(&writers[i].thread, NULL, write_numbers, &writers[i]), 0);
    }
    for (int kills = 0; kills < 4; kills++) {
        int now = atomic_load(&writers[0].acknowledged) + 40;
        while (atomic_load(&writers[0].acknowledged) < now)
            usleep(1000);
        if (kills == 3)
            break;
        if (kills == 1)
            braidd_term(b);
        else
            braidd_kill(b);
        braidd_again(b);
    }
    for (int i = 0; i < 2; i++) {
        atomic_store(&writers[i].is_over, 1);
        pthread_join(writers[i].thread, NULL);
    }
    assert_int_equal(braid_tail_blocking(c, &tail, NULL, NULL), BRAID_OK);
    append_text(c, "other", 0, "not followed", 0);
    struct braid_appended last = append_text(c, "numbers", 0, "4095", BRAID_SYNC);
    pthread_mutex_lock(&reader.lock);
    while (reader.count == 0 || reader.items[reader.count - 1].position < last.position || (flags && reader.confirmed <= last.position))
        pthread_cond_wait(&reader.changed, &reader.lock);
    pthread_mutex_unlock(&reader.lock);
    braid_close(c);
    assert_true(reader.has_ended);
    assert_false(reader.is_wrong);
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < NUMBERS - 1; i++) {
            int fate = writers[p].fate[i] - 1;
            assert_true(reader.seen[p][i] <= 1);
            if (fate == BRAID_OK || fate == BRAID_NOT_STABLE)
                assert_int_equal(reader.seen[p][i], 1);
            else if (fate != BRAID_UNKNOWN)
                assert_int_equal(reader.seen[p][i], 0);
        }
    for (int i = 0; i < reader.count - 1; i++) {
        const struct item *it = &reader.items[i];
        if (writers[it->partition].fate[it->number] == BRAID_OK + 1)
            assert_int_equal(it->position, writers[it->partition].position[it->number]);
    }
    braidd_stop(b);
}

static void a_subscription_goes_on_over_kills_and_restarts_without_gap_or_double(void **state)
{
    (void)state;
    follow_over_kills(0);
}

static void a_speculative_subscription_confirms_the_same(void **state)
{
    (void)state;
    follow_over_kills(BRAID_SPECULATIVE);
}

static long memory_kib(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_true(f && fscanf(f, "%*d %ld", &pages) == 1);
    fclose(f);
    return pages * 4;
}

struct slow {
    atomic_int count;
    long most;
};

static void take_slowly(void *ctx, const struct braid_record *r, bool is_speculative)
{
    struct slow *s = ctx;
    (void)r, (void)is_speculative;
    usleep(200); /* slower than the broker */
    long now = memory_kib();
    s->most = BR_MAX(s->most, now);
    atomic_fetch_add(&s->count, 1);
}

static void a_slow_subscriber_is_behind_and_not_in_memory(void **state)
{
    static char value[16384];
    struct braid_message m[16];
    struct braid_append a;
    struct slow slow = {0};
    struct braid_subscription *sub;
    struct braid_client *c;
    const char *topics[] = {"big"};
    (void)state;
    need_broker();
    braidd_topic(broker, "big", 1, NULL);
    for (size_t i = 0; i < BR_COUNT(m); i++)
        m[i] = (struct braid_message){.value = value, .value_len = sizeof value};
    a = to("big", 0, m, BR_COUNT(m));
    for (int i = 0; i < 160; i++) /* 40 MiB */
        assert_int_equal(braid_append_blocking(client, &a, 1, 0, NULL, NULL, NULL), BRAID_OK);
    assert_int_equal(braid_open(braidd_address(broker), NULL, &c, NULL), BRAID_OK);
    long before = memory_kib();
    assert_int_equal(braid_subscribe(c, BRAID_FROM_START, &(struct braid_filter){topics, 1}, 0, 0, &(struct braid_subscriber){.deliver = take_slowly}, &slow, &sub), BRAID_OK);
    while (atomic_load(&slow.count) < 160 * 16)
        usleep(1000);
    braid_close(c);
#ifndef __SANITIZE_ADDRESS__ /* which keeps freed memory */
    assert_true(slow.most - before < 16 * 1024);
#else
    (void)before;
#endif
}

static void what_is_trimmed_is_gone_and_a_reader_of_it_is_told(void **state)
{
    struct braid_records records;
    int64_t start, tail;
    (void)state;
    need_broker();
    append_text(client, "a", 0, "gone", 0);
    struct braid_appended kept = append_text(client, "a", 0, "kept", BRAID_SYNC);
    assert_int_equal(braid_trim_blocking(client, kept.position, &start, NULL), BRAID_OK);
    assert_int_equal(start, kept.position);
    assert_int_equal(braid_read_blocking(client, 0, NULL, NULL, &records, NULL), BRAID_OUT_OF_RANGE);
    assert_int_equal(records.start, kept.position);
    braid_records_clear(&records);
    assert_int_equal(braid_read_blocking(client, start, NULL, NULL, &records, NULL), BRAID_OK);
    assert_int_equal(records.count, 1);
    braid_records_clear(&records);
    assert_int_equal(braid_tail_blocking(client, &tail, &start, NULL), BRAID_OK);
    assert_int_equal(braid_trim_blocking(client, BRAID_NOW, &start, NULL), BRAID_OK);
    assert_true(start >= tail);
}

static void the_broker_stops_well(void **state)
{
    (void)state;
    need_broker();
    braid_close(client);
    braidd_stop(broker);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(appended_records_have_offsets_and_positions),
    cmocka_unit_test(what_is_not_there_is_told),
    cmocka_unit_test(a_conditional_append_wins_once_and_the_loser_learns_the_end),
    cmocka_unit_test(several_streams_are_appended_together_or_not_at_all),
    cmocka_unit_test(a_cut_holds_what_is_below_its_position_and_comes_back_from_text),
    cmocka_unit_test(records_come_back_as_they_went_in_with_every_codec),
    cmocka_unit_test(a_subscription_goes_on_over_kills_and_restarts_without_gap_or_double),
    cmocka_unit_test(a_speculative_subscription_confirms_the_same),
    cmocka_unit_test(a_slow_subscriber_is_behind_and_not_in_memory),
    cmocka_unit_test(what_is_trimmed_is_gone_and_a_reader_of_it_is_told),
    cmocka_unit_test(the_broker_stops_well),
};
HARNESS_MAIN("libbraid", tests)
