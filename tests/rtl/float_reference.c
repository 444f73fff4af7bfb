// SPDX-License-Identifier: Apache-2.0
// See float_reference.h.
#include "tests/rtl/float_reference.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint32_t canonical(float value) {
  return isnan(value) ? CANONICAL_NAN : bits_of(value);
}

static void host_rounding(enum rounding mode) {
  static const int host[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
  fesetround(host[mode]);
}

// Adds so that what does not fit in a double shows in its last bit ("round to odd"): a second rounding to fewer bits is
// then as if there had been one.
static double add_to_odd(double a, double b) {
  volatile double sum = a + b;
  volatile double a_part = sum - b, b_part = sum - a_part;
  volatile double a_error = a - a_part, b_error = b - b_part;
  double error = a_error + b_error, result = sum;
  if (error == 0 || !isfinite(result))
    return result;
  uint64_t bits;
  memcpy(&bits, &result, sizeof bits);
  if ((error > 0) != (result > 0))
    bits--;
  bits |= 1;
  memcpy(&result, &bits, sizeof result);
  return result;
}

static bool rounds_up(bool negative, bool odd, uint64_t rest, uint64_t half, enum rounding mode) {
  switch (mode) {
    case NEAREST_EVEN:
      return rest > half || (rest == half && odd);
    case NEAREST_AWAY:
      return rest >= half;
    case DOWN:
      return negative && rest != 0;
    case UP:
      return !negative && rest != 0;
    default:
      return false;
  }
}

static uint32_t round_double(double value, enum rounding mode) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bool negative = bits >> 63 != 0;
  uint32_t sign = negative ? 0x80000000u : 0;
  if (isnan(value))
    return CANONICAL_NAN;
  if (isinf(value))
    return sign | 0x7F800000u;
  if (value == 0)
    return sign;
  int exponent;
  uint64_t mantissa = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);  // value = mantissa * 2^(exponent - 53)
  int quantum = exponent - 24 > -149 ? exponent - 24 : -149, drop = quantum - (exponent - 53);
  uint64_t keep = drop < 54 ? mantissa >> drop : 0, rest = drop < 54 ? mantissa & ((1ull << drop) - 1) : 1;
  uint64_t half = drop < 54 ? 1ull << (drop - 1) : 2;
  if (rounds_up(negative, keep & 1, rest, half, mode))
    keep++;
  uint64_t result = ((uint64_t)(quantum + 149) << 23) + keep;
  if (result >= 0x7F800000u) {
    bool away = mode == NEAREST_EVEN || mode == NEAREST_AWAY || mode == (negative ? DOWN : UP);
    result = away ? 0x7F800000u : 0x7F7FFFFFu;
  }
  return sign | (uint32_t)result;
}

uint32_t float_fused_by_integers(uint32_t a, uint32_t b, uint32_t c, enum rounding mode) {
  fesetround(FE_TONEAREST);
  double product = (double)float_of(a) * (double)float_of(b), addend = float_of(c);
  if (product == 0 && addend == 0 && signbit(product) != signbit(addend))
    return mode == DOWN ? 0x80000000u : 0;
  double sum = add_to_odd(product, addend);
  if (sum == 0 && (product != 0 || addend != 0))
    return mode == DOWN ? 0x80000000u : 0;
  return round_double(sum, mode);
}

uint32_t float_fused(uint32_t a, uint32_t b, uint32_t c, enum rounding mode) {
  if (mode == NEAREST_AWAY)
    return float_fused_by_integers(a, b, c, mode);
  host_rounding(mode);
  volatile float x = float_of(a), y = float_of(b), z = float_of(c);
  volatile float result = fmaf(x, y, z);
  fesetround(FE_TONEAREST);
  return canonical(result);
}

uint32_t float_add(uint32_t a, uint32_t b, enum rounding mode) {
  if (mode == NEAREST_AWAY)
    return float_fused_by_integers(a, 0x3F800000u, b, mode);
  host_rounding(mode);
  volatile float x = float_of(a), y = float_of(b);
  volatile float result = x + y;
  fesetround(FE_TONEAREST);
  return canonical(result);
}

uint32_t float_multiply(uint32_t a, uint32_t b, enum rounding mode) {
  if (mode == NEAREST_AWAY) {
    fesetround(FE_TONEAREST);
    return round_double((double)float_of(a) * (double)float_of(b), mode);
  }
  host_rounding(mode);
  volatile float x = float_of(a), y = float_of(b);
  volatile float result = x * y;
  fesetround(FE_TONEAREST);
  return canonical(result);
}

uint32_t float_divide(uint32_t a, uint32_t b, enum rounding mode) {
  if (mode == NEAREST_AWAY) {
    // A quotient of floats is never halfway between two normal ones: only what is subnormal can differ from nearest
    // even.
    fesetround(FE_TONEAREST);
    double x = float_of(a), y = float_of(b), quotient = x / y;
    if (isfinite(quotient) && y != 0 && isfinite(y)) {
      double error = -fma(quotient, y, -x) / y;
      uint64_t bits;
      memcpy(&bits, &quotient, sizeof bits);
      if (error != 0) {
        if ((error > 0) != (quotient > 0))
          bits--;
        bits |= 1;
        memcpy(&quotient, &bits, sizeof bits);
      }
    }
    return round_double(quotient, mode);
  }
  host_rounding(mode);
  volatile float x = float_of(a), y = float_of(b);
  volatile float result = x / y;
  fesetround(FE_TONEAREST);
  return canonical(result);
}

uint32_t float_root(uint32_t a, enum rounding mode) {
  // A root of a float is never halfway between two floats.
  host_rounding(mode);
  volatile float x = float_of(a);
  volatile float result = sqrtf(x);
  fesetround(FE_TONEAREST);
  return canonical(result);
}

uint32_t float_from_integer(uint32_t a, bool is_signed, enum rounding mode) {
  return round_double(is_signed ? (double)(int32_t)a : (double)a, mode);
}

uint32_t float_to_integer(uint32_t a, bool is_signed, enum rounding mode) {
  double value = float_of(a), lowest = is_signed ? INT32_MIN : 0, highest = is_signed ? INT32_MAX : UINT32_MAX;
  double magnitude = floor(fabs(value)), rest = fabs(value) - magnitude;
  uint64_t rest_bits = rest == 0 ? 0 : rest < ldexp(1, -60) ? 1 : (uint64_t)ldexp(rest, 60);
  if (isfinite(value) && rounds_up(value < 0, fmod(magnitude, 2) != 0, rest_bits, 1ull << 59, mode))
    magnitude += 1;
  double result = value < 0 ? -magnitude : magnitude;
  if (isnan(value) || result > highest)
    result = highest;
  if (result < lowest)
    result = lowest;
  return is_signed ? (uint32_t)(int32_t)result : (uint32_t)result;
}

// Total order without NaNs, -0 before +0.
static int64_t place(uint32_t bits) {
  return bits >> 31 ? -(int64_t)(bits & 0x7FFFFFFFu) - 1 : (int64_t)bits;
}

uint32_t float_minimum(uint32_t a, uint32_t b, bool maximum) {
  bool a_nan = isnan(float_of(a)), b_nan = isnan(float_of(b));
  if (a_nan || b_nan)
    return a_nan && b_nan ? (uint32_t)CANONICAL_NAN : a_nan ? b : a;
  return (place(a) < place(b)) != maximum ? a : b;
}

uint32_t float_compare(uint32_t a, uint32_t b, uint32_t funct3) {
  float x = float_of(a), y = float_of(b);
  return funct3 == 2 ? x == y : funct3 == 1 ? x < y : x <= y;
}

uint32_t float_class(uint32_t a) {
  bool negative = a >> 31 != 0;
  switch (fpclassify(float_of(a))) {
    case FP_NAN:
      return a & 0x400000u ? 1u << 9 : 1u << 8;
    case FP_INFINITE:
      return negative ? 1u << 0 : 1u << 7;
    case FP_ZERO:
      return negative ? 1u << 3 : 1u << 4;
    case FP_SUBNORMAL:
      return negative ? 1u << 2 : 1u << 5;
    default:
      return negative ? 1u << 1 : 1u << 6;
  }
}
