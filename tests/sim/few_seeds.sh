#!/bin/sh
# Fewer seeds, for builds with sanitizers.
exec "$builddir/tests/sim/braid-sim" --seeds 1-50
