// SPDX-License-Identifier: Apache-2.0
// Between half and float: __extendhfsf2 is exact, __truncsfhf2 rounds to nearest even. Halves are their bits in a word;
// what lies above them in the argument counts for nothing. A NaN becomes the quiet NaN that RISC-V makes.
#include "hls/lib/runtime/float_bits.h"
#include "hls/lib/runtime/to_half.h"

float RUNTIME(__extendhfsf2)(uint32_t half_bits);
uint32_t RUNTIME(__truncsfhf2)(float x);

float RUNTIME(__extendhfsf2)(uint32_t half_bits) {
  uint32_t sign = half_bits << 16 & SIGN_BIT;
  uint32_t magnitude = half_bits << 13 & 0x0FFFE000u;  // exponent and fraction where a float has them
  if (magnitude >= 0x0F800000u)
    return number_of(magnitude > 0x0F800000u ? QUIET_NAN_BITS : sign | INFINITY_BITS);
  if (magnitude >= 0x00800000u)
    return number_of(sign | (magnitude + ((127u - 15u) << 23)));
  if (magnitude == 0)
    return number_of(sign);
  // Subnormal: the leading one goes to bit 23, where it adds 1 to the exponent.
  int zeros = __builtin_clz(magnitude) - 8;
  return number_of(sign | (((uint32_t)(127 - 15 - zeros) << 23) + (magnitude << zeros)));
}

uint32_t RUNTIME(__truncsfhf2)(float x) {
  uint32_t bits = bits_of(x);
  return is_nan(bits) ? 0x7E00u : round_to_half(bits >> 16 & 0x8000u, bits & ~SIGN_BIT, FRACTION_BITS, EXPONENT_BIAS);
}
