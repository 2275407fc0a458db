#!/bin/sh
# Every folder with code has a README.md of at most 120 lines, and names no file that is not there; no comment names a document that is not there.
cd "${srcdir:-.}" || exit 1
fail=0
for d in $(find compat storage order broker tests examples man -type d ! -path '*/gen' ! -path '*corpus*' ! -path '*golden*' ! -path '*/__pycache__*'); do
    [ -n "$(find "$d" -maxdepth 1 -name '*.[ch]' -o -maxdepth 1 -name '*.py' -o -maxdepth 1 -name '*.kw')" ] || continue
    case "$d" in broker/api | tests/unit* | tests/lint | tests/support | tests/wire) continue ;; esac # described by the README above them
    [ -f "$d/README.md" ] || { echo "$d: no README.md"; fail=1; continue; }
    [ "$(wc -l <"$d/README.md")" -le 120 ] || { echo "$d/README.md: longer than 120 lines"; fail=1; }
    for name in $(grep -oE '`[a-z0-9_/]+\.(c|h|py|kw|sh|md|def)`' "$d/README.md" | tr -d '`'); do
        [ -e "$d/$name" ] || [ -e "$name" ] || { echo "$d/README.md: names $name, which is not there"; fail=1; }
    done
done
for name in $(grep -rohE '\b[A-Z]+\.md\b' compat storage order broker tests examples --include='*.[ch]' --include='*.py' --include='*.def' | sort -u); do
    [ -n "$(find . -maxdepth 4 -name "$name")" ] || { echo "$name: named in code, not there"; fail=1; }
done
[ $fail = 0 ] && echo "PASS lint.readmes" && exit 0
echo "FAIL lint.readmes: see above"
exit 1
