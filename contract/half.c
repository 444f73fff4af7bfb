// SPDX-License-Identifier: Apache-2.0
// Halves by the double and the float that hold them exactly (half.h).
#include "contract/half.h"

#include <math.h>
#include <string.h>

enum { FRACTION_BITS = 10, LEAST_EXPONENT = -14, BIAS = 15, SIGN = 0x8000, INFINITE = 0x7C00, QUIET_NAN = 0x7E00 };

uint16_t heddle_half_of(double number) {
  const uint16_t sign = signbit(number) ? SIGN : 0;
  if (isnan(number))
    return sign | QUIET_NAN;
  if (isinf(number))
    return sign | INFINITE;
  const int exponent = number == 0 || ilogb(number) < LEAST_EXPONENT ? LEAST_EXPONENT : ilogb(number);
  if (exponent > BIAS)
    return sign | INFINITE;
  // In units of the last place. A fraction that rounds up to the next power of two carries into the exponent.
  const unsigned units = (unsigned)nearbyint(ldexp(fabs(number), FRACTION_BITS - exponent));
  const unsigned bits = units + ((unsigned)(exponent - LEAST_EXPONENT) << FRACTION_BITS);
  return (uint16_t)(sign | (bits < INFINITE ? bits : INFINITE));
}

double heddle_half_value(uint16_t half) {
  // The bits of a half become those of a float 2^112 times smaller, subnormals too; then infinities and NaNs.
  const uint32_t magnitude = (uint32_t)(half & 0x7FFF) << 13, sign = (uint32_t)(half & 0x8000) << 16;
  const uint32_t word = (half & 0x7C00) == 0x7C00 ? sign | 0x7F800000u | magnitude : sign | magnitude;
  float value;
  memcpy(&value, &word, sizeof value);
  return (half & 0x7C00) == 0x7C00 ? (double)value : (double)value * 0x1p112;
}
