// SPDX-License-Identifier: Apache-2.0
// cl_khr_kernel_clock. The device has one clock for all its work-items, so that every scope reads the same; it counts
// cycles since reset (contract/DEVICE.md).
#include "hls/lib/device.h"

// x the low word, y the high one. Where the high word changes between its two reads, the low one has wrapped, and the
// moment at which it did is as good an answer as any in between.
static uint2 BUILTIN read_clock(void) {
  uint before = CLOCK_CSR(HEDDLE_CSR_CYCLE_HIGH), low = CLOCK_CSR(HEDDLE_CSR_CYCLE), high = CLOCK_CSR(HEDDLE_CSR_CYCLE_HIGH);
  return (uint2)(before == high ? low : 0, high);
}

#define CLOCK(scope)                               \
  uint2 BUILTIN clock_read_hilo_##scope(void) {    \
    return read_clock();                           \
  }                                                \
  ulong BUILTIN clock_read_##scope(void) {         \
    return as_ulong(read_clock());                 \
  }
CLOCK(device)
CLOCK(work_group)
CLOCK(sub_group)
