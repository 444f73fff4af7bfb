// SPDX-License-Identifier: Apache-2.0
// Rounding to whole numbers: floorf, ceilf, truncf, roundf, and to nearest even rintf, nearbyintf, roundevenf.
#include "hls/lib/runtime/float_bits.h"

float RUNTIME(floorf)(float x);
float RUNTIME(ceilf)(float x);
float RUNTIME(truncf)(float x);
float RUNTIME(roundf)(float x);
float RUNTIME(rintf)(float x);
float RUNTIME(nearbyintf)(float x);
float RUNTIME(roundevenf)(float x);

// Number of fraction bits behind the binary point: 24 or more for |x| < 1, 0 or less for whole numbers.
static inline int fraction_bits(uint32_t bits) {
  return 127 + 23 - (int)(bits >> 23 & 0xFF);
}

// Whole, infinite or NaN; a signalling NaN comes back quiet.
static inline float already_whole(float x) {
  return x != x ? x + x : x;
}

float RUNTIME(truncf)(float x) {
  uint32_t bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0) {
    return already_whole(x);
  }
  return float_of(count > 23 ? bits & SIGN_BIT : bits & ~((1u << count) - 1));
}

// Cuts the fraction off and adds one to the magnitude of what is left if there was any on that side. Adding to the bits
// carries from the fraction into the exponent.
static inline float round_away_if(float x, uint32_t away_sign) {
  uint32_t bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0) {
    return already_whole(x);
  }
  uint32_t sign = bits & SIGN_BIT;
  if (count > 23) {
    return float_of((bits & ~SIGN_BIT) != 0 && sign == away_sign ? sign | 0x3F800000u : sign);
  }
  uint32_t mask = (1u << count) - 1;
  if ((bits & mask) != 0 && sign == away_sign) {
    bits += mask;
  }
  return float_of(bits & ~mask);
}

float RUNTIME(floorf)(float x) {
  return round_away_if(x, SIGN_BIT);
}

float RUNTIME(ceilf)(float x) {
  return round_away_if(x, 0);
}

// Halves away from zero.
float RUNTIME(roundf)(float x) {
  uint32_t bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0) {
    return already_whole(x);
  }
  if (count > 23) {
    return float_of((bits & SIGN_BIT) | (count == 24 ? 0x3F800000u : 0));  // count 24: 0.5 <= |x| < 1
  }
  bits += 1u << (count - 1);
  return float_of(bits & ~((1u << count) - 1));
}

// Halves to the even neighbour.
float RUNTIME(rintf)(float x) {
  uint32_t bits = bits_of(x);
  int count = fraction_bits(bits);
  if (count <= 0) {
    return already_whole(x);
  }
  if (count > 23) {
    return float_of((bits & SIGN_BIT) | ((bits & ~SIGN_BIT) > 0x3F000000u ? 0x3F800000u : 0));
  }
  uint32_t odd = bits >> count & 1;  // of 1.x this is the lowest bit of the exponent, 127: odd, like the whole number 1
  bits += (1u << (count - 1)) - 1 + odd;
  return float_of(bits & ~((1u << count) - 1));
}

float RUNTIME(nearbyintf)(float x) {
  return RUNTIME(rintf)(x);
}

float RUNTIME(roundevenf)(float x) {
  return RUNTIME(rintf)(x);
}
