#!/bin/sh
# 200 fixed seeds of each profile, and some of them twice for the same trace.
sim=$builddir/tests/sim/braid-sim
status=0
"$sim" --seeds 1-200 || status=1
"$sim" --replay 1-10 || status=1
"$sim" --profile node --seeds 1-200 || status=1
"$sim" --profile node --replay 1-5 || status=1
exit $status
