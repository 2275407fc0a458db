/* Lets another implementation judge ours: `batch_judge make SEED COUNT` writes batches, a line of hex each, of every codec
 * asked for in the rest of the arguments; `batch_judge check` reads such lines and writes for each the verdict, the
 * records, and a line with a dot. */
#include "tests/support/harness.h"
#include "tests/unit/compat/batch_gen.h"

#define MAX ((size_t)64 << 20)

static int make(uint64_t seed, int count, char **codecs, int codec_count)
{
    struct br_rand r;
    br_rand_init(&r, seed);
    for (int i = 0; i < count; i++) {
        struct br_buf out;
        int64_t max;
        int32_t delta;
        struct gen_rules rules = {.record_count = 1 + (int32_t)br_rand_below(&r, 30),
                                  .value_max = i % 10 == 0 ? 20000 : 300,
                                  .codec = (int)strtol(codecs[i % codec_count], NULL, 10),
                                  .base_timestamp = 1700000000000};
        br_buf_init(&out, MAX);
        gen_batch(&out, &r, &rules, &max, &delta);
        for (size_t k = 0; k < out.len; k++)
            printf("%02x", out.data[k]);
        printf("\n");
        br_buf_clear(&out);
    }
    return 0;
}

static void check_one(const struct br_buf *bytes)
{
    struct kw_batch_rules rules = gen_lenient_rules();
    struct kw_batch_verdict v;
    struct br_buf text;
    br_buf_init(&text, MAX);
    kw_batch_validate(bytes->data, bytes->len, &rules, &v);
    printf("%d %lld %d\n", v.error, (long long)v.max_timestamp, v.max_timestamp_delta);
    if (v.error == KW_NONE && gen_print(bytes->data, bytes->len, &text) == BR_OK)
        printf("%.*s", (int)text.len, (char *)text.data);
    printf(".\n");
    br_buf_clear(&text);
}

static int check(void)
{
    struct br_buf bytes;
    int c, high = -1;
    br_buf_init(&bytes, MAX);
    while ((c = getchar()) != EOF) {
        if (c == '\n') {
            check_one(&bytes);
            br_buf_reset(&bytes);
            continue;
        }
        int digit = c <= '9' ? c - '0' : c - 'a' + 10;
        if (high >= 0)
            br_buf_add8(&bytes, (uint8_t)(high << 4 | digit));
        high = high >= 0 ? -1 : digit;
    }
    br_buf_clear(&bytes);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 4 && strcmp(argv[1], "make") == 0)
        return make(strtoull(argv[2], NULL, 10), (int)strtol(argv[3], NULL, 10), argv + 4, argc - 4);
    if (argc == 2 && strcmp(argv[1], "check") == 0)
        return check();
    fprintf(stderr, "usage: batch_judge make SEED COUNT CODEC... | batch_judge check\n");
    return 2;
}
