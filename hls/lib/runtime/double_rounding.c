// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers: floor, ceil, trunc, round, and to nearest even rint, nearbyint, roundeven.
#include "hls/lib/runtime/double_bits.h"

double RUNTIME(floor)(double x);
double RUNTIME(ceil)(double x);
double RUNTIME(trunc)(double x);
double RUNTIME(round)(double x);
double RUNTIME(rint)(double x);
double RUNTIME(nearbyint)(double x);
double RUNTIME(roundeven)(double x);

// Number of fraction bits behind the binary point: 53 or more for |x| < 1, 0 or less for whole numbers.
static inline int double_fraction_bits(uint64_t bits) {
  return 1023 + 52 - (int)(bits >> 52 & 0x7FF);
}

// Whole, infinite or NaN; a signalling NaN comes back quiet.
static inline double already_whole_double(uint64_t bits) {
  return double_of((bits & ~DOUBLE_SIGN_BIT) > DOUBLE_INFINITY_BITS ? DOUBLE_QUIET_NAN_BITS : bits);
}

double RUNTIME(trunc)(double x) {
  uint64_t bits = bits_of_double(x);
  int count = double_fraction_bits(bits);
  if (count <= 0) {
    return already_whole_double(bits);
  }
  return double_of(count > 52 ? bits & DOUBLE_SIGN_BIT : bits & ~(((uint64_t)1 << count) - 1));
}

// Cuts the fraction off and adds one to the magnitude of what is left if there was any on that side. Adding to the bits
// carries from the fraction into the exponent.
static inline double round_double_away_if(double x, uint64_t away_sign) {
  uint64_t bits = bits_of_double(x);
  int count = double_fraction_bits(bits);
  if (count <= 0) {
    return already_whole_double(bits);
  }
  uint64_t sign = bits & DOUBLE_SIGN_BIT;
  if (count > 52) {
    return double_of((bits & ~DOUBLE_SIGN_BIT) != 0 && sign == away_sign ? sign | DOUBLE_ONE_BITS : sign);
  }
  uint64_t mask = ((uint64_t)1 << count) - 1;
  if ((bits & mask) != 0 && sign == away_sign) {
    bits += mask;
  }
  return double_of(bits & ~mask);
}

double RUNTIME(floor)(double x) {
  return round_double_away_if(x, DOUBLE_SIGN_BIT);
}

double RUNTIME(ceil)(double x) {
  return round_double_away_if(x, 0);
}

// Halves away from zero.
double RUNTIME(round)(double x) {
  uint64_t bits = bits_of_double(x);
  int count = double_fraction_bits(bits);
  if (count <= 0) {
    return already_whole_double(bits);
  }
  if (count > 52) {
    return double_of((bits & DOUBLE_SIGN_BIT) | (count == 53 ? DOUBLE_ONE_BITS : 0));  // count 53: 0.5 <= |x| < 1
  }
  bits += (uint64_t)1 << (count - 1);
  return double_of(bits & ~(((uint64_t)1 << count) - 1));
}

// Halves to the even neighbour.
double RUNTIME(rint)(double x) {
  uint64_t bits = bits_of_double(x);
  int count = double_fraction_bits(bits);
  if (count <= 0) {
    return already_whole_double(bits);
  }
  if (count > 52) {
    uint64_t half = DOUBLE_ONE_BITS - (DOUBLE_FRACTION_MASK + 1);
    return double_of((bits & DOUBLE_SIGN_BIT) | ((bits & ~DOUBLE_SIGN_BIT) > half ? DOUBLE_ONE_BITS : 0));
  }
  // Of 1.x the last bit that stays is the lowest of the exponent, 1023: odd, like the whole number 1.
  uint64_t odd = bits >> count & 1;
  bits += ((uint64_t)1 << (count - 1)) - 1 + odd;
  return double_of(bits & ~(((uint64_t)1 << count) - 1));
}

double RUNTIME(nearbyint)(double x) {
  return RUNTIME(rint)(x);
}

double RUNTIME(roundeven)(double x) {
  return RUNTIME(rint)(x);
}
