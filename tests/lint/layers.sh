#!/bin/sh
# Includes point one way: compat <- storage <- order <- broker; order/core sees compat/base and itself only.
cd "${srcdir:-.}" || exit 1
bad=$(
    grep -nE '#include "(storage|order|broker|tests)/' -r compat --include='*.[ch]'
    grep -nE '#include "(order|broker|tests)/' -r storage --include='*.[ch]'
    grep -nE '#include "(broker|tests)/' -r order --include='*.[ch]'
    grep -nE '#include "tests/' -r broker --include='*.[ch]'
    grep -nE '#include "(compat/(net|wire|gen|batch|zip|schema)|storage|order/(driver|api))/' -r order/core --include='*.[ch]'
    grep -nE '#include "\.\.?/' -r compat storage order broker tests --include='*.[ch]'
)
[ -z "$bad" ] && echo "PASS lint.layers" && exit 0
echo "$bad"
echo "FAIL lint.layers: an include points the wrong way"
exit 1
