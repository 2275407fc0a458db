#!/bin/sh
# Adds up the result lines (PASS, FAIL, SKIP; see tests/support/harness.h) of the log files given, repeats what failed or was
# skipped, and ends with one line `N passed, N failed, N skipped`. A program that failed without a FAIL line of its own counts as
# one failure. Exit 1 when one failed or nothing ran.
[ $# -gt 0 ] || set -- /dev/null
awk '
function close_file() { if (bad != "" && !own) { print bad; f++ } bad = ""; own = 0 }
FNR == 1 { close_file() }
/^(PASS|FAIL|SKIP|ERROR|XPASS) .* \(exit status: [0-9]+\)$/ { # automake own verdict on the program
    if ($1 == "FAIL" || $1 == "ERROR") bad = "FAIL " $2 ": " $3 " " $4 " " $5
    next
}
/^PASS / { p++ }
/^FAIL / { f++; own = 1; print }
/^SKIP / { s++; print }
END { close_file(); printf "%d passed, %d failed, %d skipped\n", p, f, s; exit (f > 0 || p == 0) }' "$@"
