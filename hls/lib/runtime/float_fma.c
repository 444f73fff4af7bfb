// SPDX-License-Identifier: Apache-2.0
// fmaf: a * b + c with one rounding.
#include "hls/lib/runtime/float_bits.h"

float RUNTIME(fmaf)(float a, float b, float c);

float RUNTIME(fmaf)(float a, float b, float c) {
  uint32_t x = bits_of(a), y = bits_of(b), z = bits_of(c);
  uint32_t magnitude_x = x & ~SIGN_BIT, magnitude_y = y & ~SIGN_BIT, magnitude_z = z & ~SIGN_BIT;
  // Where one of them is infinite, NaN or zero, the product is exact or special, and so multiply and add do it.
  if (magnitude_x >= INFINITY_BITS || magnitude_y >= INFINITY_BITS || magnitude_z >= INFINITY_BITS ||
      magnitude_x == 0 || magnitude_y == 0) {
    // A finite product must not overflow on its way to an infinite or NaN c.
    return magnitude_x < INFINITY_BITS && magnitude_y < INFINITY_BITS && magnitude_z >= INFINITY_BITS ? c : a * b + c;
  }
  uint32_t sign = (x ^ y) & SIGN_BIT;
  int exponent_x, exponent_y, exponent_z;
  uint64_t product = (uint64_t)take_apart(magnitude_x, &exponent_x) * take_apart(magnitude_y, &exponent_y);
  int exponent = exponent_x + exponent_y;
  if (magnitude_z == 0)
    return round_to_number(sign, product, exponent, 0);
  uint64_t addend = take_apart(magnitude_z, &exponent_z);
  uint32_t sign_z = z & SIGN_BIT;

  // Both with bit 62 as their leading one, which leaves room for the sum's carry.
  int zeros = __builtin_clzll(product) - 1;
  product <<= zeros;
  exponent -= zeros;
  addend <<= 62 - 23;
  exponent_z -= 62 - 23;

  // The larger first.
  if (exponent_z > exponent || (exponent_z == exponent && addend > product)) {
    uint64_t fraction = product;
    product = addend;
    addend = fraction;
    int other = exponent;
    exponent = exponent_z;
    exponent_z = other;
    uint32_t other_sign = sign;
    sign = sign_z;
    sign_z = other_sign;
  }
  int shift = exponent - exponent_z;
  int sticky = 0;
  if (shift > 0) {
    sticky = shift >= 64 ? 1 : (addend << (64 - shift)) != 0;
    addend = shift >= 64 ? 0 : addend >> shift;
  }
  if (sign == sign_z)
    return round_to_number(sign, product + addend, exponent, sticky);
  uint64_t difference = product - addend - (uint64_t)sticky;  // the bits cut off borrow from it and stay sticky
  // Equal magnitudes give +0.
  return difference == 0 && !sticky ? 0.0f : round_to_number(sign, difference, exponent, sticky);
}
