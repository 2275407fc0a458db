/* Result lines of every test, in any language: one line a unit, added up by tests/summary.sh into the closing
 * `N passed, N failed, N skipped`.
 *
 *   PASS name
 *   FAIL name: why
 *   SKIP name: why
 *
 * C unit tests: a table of cmocka tests run by HARNESS_MAIN, one group a program. The unit is a test function, a
 * batch of seeds, a corpus, a client case. */
#pragma once

#include "compat/base/base.h"
#include <setjmp.h>
#include <cmocka.h>

/* Runs the group and prints the result lines; exit status 1 when one failed. */
int harness_run(const char *group, const struct CMUnitTest *tests, size_t count);

#define HARNESS_MAIN(group, tests) \
    int main(void) { return harness_run(group, tests, sizeof(tests) / sizeof((tests)[0])); }

/* A fresh empty directory under $TMPDIR or /tmp, removed with its content at exit. */
const char *harness_tmpdir(void);
