#!/bin/sh
# Tests the tester: each rule switched off must make a property fail.
exec "$builddir/tests/sim/braid-sim" --mutations
