// SPDX-License-Identifier: Apache-2.0
// sqrtf: the bits of the root.
#include "hls/lib/runtime/float_bits.h"
#include "hls/lib/runtime/sqrt.h"

static float root_of(uint32_t fraction, int exponent) {
  // That of fraction * 2^26, times 2^(exponent / 2 - 13). 25 bits of it: one more than the result has, and what remains
  // says on which side of it the true root lies.
  uint64_t rest = 0;
  uint32_t root = 0;
  uint64_t radicand = (uint64_t)fraction << 26;
  for (int i = 50; i >= 0; i -= 2) {
    rest = rest << 2 | (radicand >> i & 3);
    uint64_t trial = (uint64_t)root << 2 | 1;
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  // The root is never halfway between two floats, so sticky alone rounds it.
  return round_to_number(0, (uint64_t)root << 8 | (rest != 0), exponent / 2 - 13 - 8, 0);
}
