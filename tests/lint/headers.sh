#!/bin/sh
# Each header compiles alone and has #pragma once.
cd "${srcdir:-.}" || exit 1
fail=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for h in $(find compat storage order broker -name '*.h'); do
    grep -q '^#pragma once' "$h" || { echo "$h: no #pragma once"; fail=1; }
    echo "#include \"$h\"" >"$tmp/one.c"
    ${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -fsyntax-only -I. ${HEADER_CFLAGS:-} "$tmp/one.c" 2>"$tmp/err" || { echo "$h:"; head -5 "$tmp/err"; fail=1; }
done
[ $fail = 0 ] && echo "PASS lint.headers" && exit 0
echo "FAIL lint.headers: see above"
exit 1
