#!/bin/sh
# Numbered invariants (O-3, S-7 ...): each one a README states is cited by an assertion in code and by a test, and none is cited that is not stated.
cd "${srcdir:-.}" || exit 1
stated=$(grep -ohE '\*\*[A-Z]-[0-9]+\*\*' $(find compat storage order broker -name README.md) /dev/null | tr -d '*' | sort -u)
cited=$(grep -ohE '\b[ABKNOSW]-[0-9]+\b' $(find compat storage order broker -name '*.[ch]') /dev/null | sort -u)
tested=$(grep -ohE '\b[ABKNOSW]-[0-9]+\b' $(find tests -name '*.[ch]' -o -name '*.py') /dev/null | sort -u)
fail=0
for i in $stated; do
    echo "$cited" | grep -qx -e "$i" || { echo "$i: stated in a README, cited by no code"; fail=1; }
    echo "$tested" | grep -qx -e "$i" || { echo "$i: stated in a README, cited by no test"; fail=1; }
done
for i in $cited; do
    echo "$stated" | grep -qx -e "$i" || { echo "$i: cited in code, stated in no README (as **$i**)"; fail=1; }
done
[ $fail = 0 ] && echo "PASS lint.invariants" && exit 0
echo "FAIL lint.invariants: see above"
exit 1
