#!/bin/sh
# Functions with a named replacement. An exception is a comment `lint: allow NAME` on the line.
cd "${srcdir:-.}" || exit 1
files=$(find compat storage order broker -name '*.[ch]')
# Code only: strings and comments taken out, `file:line:text`.
code=$(grep -n '' $files | sed -E '/lint: allow/d; s/"([^"\\]|\\.)*"//g; s,//.*,,; s,/\*.*,,; /^[^:]+:[0-9]+:[[:space:]]*\*/d')
fail=0
ban() { # ban PATTERN "why" [file that may]
    hits=$(printf '%s\n' "$code" | grep -E "^[^:]+:[0-9]+:(.*[^_a-zA-Z0-9.>])?($1)[[:space:]]*\(" | grep -vE "${3:-^$}")
    [ -z "$hits" ] && return
    echo "$hits"
    echo "  -> $2"
    fail=1
}
ban 'malloc|calloc|realloc|free|strdup|strndup|asprintf' 'use compat/base/mem.h' '^compat/base/mem\.c:'
ban 'strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atoll|gets|alloca' 'unbounded or unchecked: use snprintf, br_str, strtoll'
ban 'localtime|gmtime|ctime|asctime|rand|srand|random' 'not thread-safe: localtime_r or br_rand'
ban 'clock_gettime|gettimeofday|time' 'use compat/base/clock.h' '^compat/base/clock\.c:'
ban 'sleep|usleep|nanosleep' 'a loop never sleeps'
ban 'exit|_exit' 'only main ends the process' '^broker/(main|tool/)'
todo=$(grep -nE '\b(TODO|FIXME|XXX|HACK)\b' $files)
[ -n "$todo" ] && { echo "$todo"; fail=1; }
[ $fail = 0 ] && echo "PASS lint.banned" && exit 0
echo "FAIL lint.banned: see above"
exit 1
