// SPDX-License-Identifier: Apache-2.0
// __truncdfhf2: double to half, rounded once to nearest even. The half's bits come in a word. A NaN becomes the quiet
// NaN that RISC-V makes.
#include "hls/lib/runtime/double_bits.h"

uint32_t RUNTIME(__truncdfhf2)(double x);

uint32_t RUNTIME(__truncdfhf2)(double x) {
  uint64_t bits = bits_of_double(x), magnitude = bits & ~DOUBLE_SIGN_BIT;
  uint32_t sign = (uint32_t)(bits >> 48) & 0x8000u;
  if (magnitude > DOUBLE_INFINITY_BITS) {
    return 0x7E00u;
  }
  // What is left of the fraction's low half says no more than whether it is 0.
  uint32_t high = (uint32_t)(magnitude >> 32) | ((uint32_t)magnitude != 0);
  if (high >= 0x40F00000u) {
    return sign | 0x7C00u;  // 65536 and above
  }
  uint32_t value = high - ((1023u - 15u) << 20);
  uint32_t shift = 10;
  if (high < 0x3F100000u) {
    // Below the smallest normal half: the leading one is no longer implied, and more bits go.
    if (high < 0x3E600000u) {
      return sign;  // below half the smallest subnormal
    }
    value = (high & 0x000FFFFFu) | 0x00100000u;
    shift = 10 + 1009 - (high >> 20);
  }
  // To nearest, ties to even; a carry goes into the exponent, up to infinity, as the encoding is made for it.
  uint32_t odd = value >> shift & 1;
  return sign | (value + (1u << (shift - 1)) - 1 + odd) >> shift;
}
