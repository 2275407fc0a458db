#!/bin/sh
# Tests the tester: each rule switched off must make a property fail.
sim=$builddir/tests/sim/braid-sim
status=0
"$sim" --mutations || status=1
"$sim" --profile node --mutations || status=1
exit $status
