#!/bin/sh
# braid.conf(5) is what the table says; the manual pages are well formed.
top=$(cd "${srcdir:-.}" && pwd)
out=$(mktemp)
trap 'rm -f "$out"' EXIT
/usr/bin/python3 "$top/man/make_conf_man.py" "${builddir:-.}/braidd" >"$out" && cmp -s "$out" "$top/man/braid.conf.5" &&
    echo "PASS lint.conf_man" || { echo "FAIL lint.conf_man: man/braid.conf.5 is stale: make regen-man"; exit 1; }
command -v mandoc >/dev/null || { echo "SKIP lint.mandoc: no mandoc here"; exit 0; }
bad=$(mandoc -T lint -W warning "$top"/man/*.[1358] 2>&1)
[ -z "$bad" ] && echo "PASS lint.mandoc" && exit 0
echo "$bad" | head -5
echo "FAIL lint.mandoc: see above"
exit 1
