#!/bin/sh
# compat/gen is what kwgen.py makes of the schema files today, file by file, and every generated file is built.
cd "${srcdir:-.}" || exit 1
fresh=$(mktemp -d) || exit 1
trap 'rm -rf "$fresh"' EXIT
fail=0
python3 compat/schema/kwgen.py --root "$fresh" compat/gen compat/schema/*.kw || fail=1
diff -r compat/gen "$fresh/compat/gen" | head -20 | grep . && fail=1
for f in compat/gen/*.c; do
    grep -q "$f" compat/wire/local.mk || { echo "$f: not in compat/wire/local.mk"; fail=1; }
done
[ $fail = 0 ] && echo "PASS lint.generated" && exit 0
echo "FAIL lint.generated: run 'make regen'"
exit 1
