#!/bin/sh
# The canary's corpus must fail, and must say which input.
out=$("${builddir:-.}/tests/fuzz/fuzz_canary" 2>/dev/null)
rc=$?
if [ $rc = 1 ] && echo "$out" | grep -q '^FAIL fuzz.canary.canary: 1 of 2 inputs' && echo "$out" | grep -q '^input .*/sings: '; then
    echo "PASS fuzz.canary_is_told"
    exit 0
fi
echo "FAIL fuzz.canary_is_told: status $rc, $(echo "$out" | head -c 200 | tr '\n' ' ' | sed 's/FAIL/fail/')"
exit 1
