#!/bin/sh
# Fewer seeds, for builds with sanitizers.
sim=$builddir/tests/sim/braid-sim
status=0
"$sim" --seeds 1-50 || status=1
"$sim" --profile node --seeds 1-50 || status=1
exit $status
