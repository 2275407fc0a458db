/* What a fuzz target is: one function, which libFuzzer calls with bytes it thinks up (`make fuzz`), or replay_main.c
 * with the files of a corpus (`make check`, any compiler). It returns 0 and ends the process when something is wrong. */
#pragma once

#include "compat/base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
