/* A target with a bug on purpose: canary.sh asserts that the replay tells. Without it a replay that runs nothing
 * would look like one that finds nothing. */
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    BR_ASSERT(size < 6 || memcmp(data, "canary", 6) != 0);
    return 0;
}
