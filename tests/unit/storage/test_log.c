/* Partition logs: random histories against a model, over memory files that crash and over the real disk (S-10, S-11, S-12, S-13: store_log_check after each
 * step, and every byte, row and cut compared with the model). */
#include "tests/unit/storage/log_model.h"

#define SEEDS 60u

/* A step, and now and then a stop. */
static void run(struct store_vfs *vfs, struct store_vfs_mem *mem, const char *root, uint64_t seed, unsigned steps, bool lose_power)
{
    struct model m;
    model_open(&m, vfs, mem, root, seed);
    for (unsigned i = 0; i < steps; i++) {
        model_step(&m);
        if (br_rand_chance(&m.rand, 3)) {
            if (br_rand_chance(&m.rand, 30))
                model_reopen(&m);
            else
                model_crash(&m, lose_power && br_rand_chance(&m.rand, 60));
            model_verify(&m);
        }
    }
    model_verify(&m);
    model_close(&m);
}

static void run_in_memory(bool lose_power, struct store_mem_faults faults)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct store_vfs_mem *mem = store_vfs_mem_new(seed);
        store_vfs_mem_set_faults(mem, "*", faults);
        print_message("seed %" PRIu64 "\n", seed);
        run(store_vfs_mem_vfs(mem), mem, "data", seed, 300, lose_power);
        store_vfs_mem_free(mem);
    }
}

static void test_log_is_as_the_model_across_process_crashes(void **state BR_UNUSED)
{
    run_in_memory(false, (struct store_mem_faults){.keep_all = true});
}

static void test_log_keeps_what_the_journal_vouches_for_across_power_losses(void **state BR_UNUSED)
{
    run_in_memory(true, (struct store_mem_faults){.drop = 50, .tear = 40, .garble = 30, .reorder = 30});
}

static void test_log_is_as_the_model_on_the_real_disk(void **state BR_UNUSED)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        char *root = br_asprintf("%s/log-%" PRIu64, harness_tmpdir(), seed);
        run(store_vfs_posix(), NULL, root, seed, 300, false);
        br_free(root);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_is_as_the_model_across_process_crashes),
        cmocka_unit_test(test_log_keeps_what_the_journal_vouches_for_across_power_losses),
        cmocka_unit_test(test_log_is_as_the_model_on_the_real_disk),
    };
    return harness_run("storage.log", tests, BR_COUNT(tests));
}
