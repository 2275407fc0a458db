#!/bin/sh
# Adds up the result lines (PASS, FAIL, SKIP; see tests/support/harness.h) of the files given, repeats what failed
# or was skipped, and ends with one line `N passed, N failed, N skipped`. Exit 1 when one failed or nothing ran.
grep -hE '^(FAIL|SKIP) ' "$@" /dev/null
cat "$@" /dev/null | awk '
/^PASS / { p++ } /^FAIL / { f++ } /^SKIP / { s++ }
END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit (f > 0 || p == 0) }'
