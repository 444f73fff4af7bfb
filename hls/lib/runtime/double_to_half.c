// SPDX-License-Identifier: Apache-2.0
// __truncdfhf2: double to half, rounded once to nearest even. The half's bits come in a word. A NaN becomes the quiet
// NaN that RISC-V makes.
#include "hls/lib/runtime/double_bits.h"
#include "hls/lib/runtime/to_half.h"

uint32_t RUNTIME(__truncdfhf2)(double x);

uint32_t RUNTIME(__truncdfhf2)(double x) {
  uint64_t bits = bits_of(x), magnitude = bits & ~SIGN_BIT;
  if (is_nan(bits))
    return 0x7E00u;
  // What is left of the fraction's low half says no more than whether it is 0.
  uint32_t high = (uint32_t)(magnitude >> 32) | ((uint32_t)magnitude != 0);
  return round_to_half((uint32_t)(bits >> 48) & 0x8000u, high, FRACTION_BITS - 32, EXPONENT_BIAS);
}
