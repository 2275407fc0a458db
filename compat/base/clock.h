/* The only clock. A loop reads the time once a turn and hands that value down. Thread: any. */
#pragma once

#include "compat/base/base.h"

int64_t br_clock_mono_ns(void); /* never goes back; for deadlines */
int64_t br_clock_mono_ms(void);
int64_t br_clock_wall_ms(void); /* Unix time; for record timestamps and retention */

/* Test hook: with fake != 0 both clocks stand still at the given values; 0, 0 turns it off. */
void br_clock_set_fake(int64_t mono_ms, int64_t wall_ms);
