// SPDX-License-Identifier: Apache-2.0
// Between half and float: __extendhfsf2 is exact, __truncsfhf2 rounds to nearest even. Halves are their bits in a word;
// what lies above them in the argument counts for nothing. A NaN becomes the quiet NaN that RISC-V makes.
#include "hls/lib/runtime/float_bits.h"

float RUNTIME(__extendhfsf2)(uint32_t half_bits);
uint32_t RUNTIME(__truncsfhf2)(float x);

float RUNTIME(__extendhfsf2)(uint32_t half_bits) {
  uint32_t sign = half_bits << 16 & SIGN_BIT;
  uint32_t magnitude = half_bits << 13 & 0x0FFFE000u;  // exponent and fraction where a float has them
  if (magnitude >= 0x0F800000u) {
    return float_of(magnitude > 0x0F800000u ? QUIET_NAN_BITS : sign | INFINITY_BITS);
  }
  if (magnitude >= 0x00800000u) {
    return float_of(sign | (magnitude + ((127u - 15u) << 23)));
  }
  if (magnitude == 0) {
    return float_of(sign);
  }
  // Subnormal: the leading one goes to bit 23, where it adds 1 to the exponent.
  int zeros = __builtin_clz(magnitude) - 8;
  return float_of(sign | (((uint32_t)(127 - 15 - zeros) << 23) + (magnitude << zeros)));
}

uint32_t RUNTIME(__truncsfhf2)(float x) {
  uint32_t bits = bits_of(x);
  uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & ~SIGN_BIT;
  if (magnitude > INFINITY_BITS) {
    return 0x7E00u;
  }
  if (magnitude >= 0x47800000u) {
    return sign | 0x7C00u;  // 65536 and above
  }
  uint32_t value = magnitude - ((127u - 15u) << 23);
  uint32_t shift = 13;
  if (magnitude < 0x38800000u) {
    // Below the smallest normal half: the leading one is no longer implied, and more bits go.
    if (magnitude < 0x33000000u) {
      return sign;  // below half the smallest subnormal
    }
    value = (magnitude & 0x007FFFFFu) | 0x00800000u;
    shift = 13 + 113 - (magnitude >> 23);
  }
  // To nearest, ties to even; a carry goes into the exponent, up to infinity, as the encoding is made for it.
  uint32_t odd = value >> shift & 1;
  return sign | (value + (1u << (shift - 1)) - 1 + odd) >> shift;
}
