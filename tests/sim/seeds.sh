#!/bin/sh
# 200 fixed seeds, and some of them twice for the same trace.
"$builddir/tests/sim/braid-sim" --seeds 1-200
status=$?
"$builddir/tests/sim/braid-sim" --replay 1-10 || status=1
exit $status
