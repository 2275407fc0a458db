#!/bin/sh
# Files end at 1,000 lines and functions at 70. A function already longer is listed in lengths.allow with its length, which may only shrink (a ratchet).
cd "${srcdir:-.}" || exit 1
fail=0
for f in $(find compat storage order broker tests examples -name '*.[ch]' -o -name '*.py' -path '*compat/schema*' | grep -v '/gen/'); do
    n=$(wc -l <"$f")
    [ "$n" -le 1000 ] || { echo "$f: $n lines"; fail=1; }
done
allow=tests/lint/lengths.allow
found=$(awk '
FNR == 1 { start = 0 }
/^[a-zA-Z_].*[^;]$/ && !/^(#|struct [a-z_0-9]+ \{|enum|union|typedef|static const struct|extern)/ { sig = $0; sig_line = FNR }
/^\{/ { start = FNR }
/^\}/ && start { if (FNR - start - 1 > 70) { match(sig, /[a-z_A-Z0-9]+\(/); print FILENAME ":" substr(sig, RSTART, RLENGTH - 1), FNR - start - 1 } start = 0 }
' $(find compat storage order broker -name '*.c' | grep -v '/gen/'))
IFS='
'
for row in $found; do
    name=${row% *} n=${row##* }
    limit=$(sed -n "s|^$name ||p" $allow 2>/dev/null)
    [ -n "$limit" ] && [ "$n" -le "$limit" ] && continue
    echo "$name: $n lines in one function"
    fail=1
done
[ $fail = 0 ] && echo "PASS lint.lengths" && exit 0
echo "FAIL lint.lengths: see above"
exit 1
