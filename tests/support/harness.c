#include "tests/support/harness.h"
#include <ftw.h>
#include <unistd.h>

static char tmpdir[512];

static int remove_one(const char *path, const struct stat *st BR_UNUSED, int flag BR_UNUSED, struct FTW *ftw BR_UNUSED)
{
    return remove(path);
}

static void remove_tmpdir(void)
{
    nftw(tmpdir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *harness_tmpdir(void)
{
    if (!tmpdir[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(tmpdir, sizeof tmpdir, "%s/braid-test-XXXXXX", base ? base : "/tmp");
        if (!mkdtemp(tmpdir))
            abort();
        atexit(remove_tmpdir);
    }
    return tmpdir;
}

/* One cmocka run a test, so that each result is known without parsing cmocka's output. */
int harness_run(const char *group, const struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    for (size_t i = 0; i < count; i++) {
        fflush(stdout);
        int rc = _cmocka_run_group_tests(tests[i].name, &tests[i], 1, NULL, NULL);
        if (rc != 0)
            failed = 1;
        printf("%s %s.%s%s\n", rc == 0 ? "PASS" : "FAIL", group, tests[i].name, rc == 0 ? "" : ": see above");
        fflush(stdout);
    }
    return failed;
}
