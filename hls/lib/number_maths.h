// SPDX-License-Identifier: Apache-2.0
// Maths and common functions (OpenCL C 3.0, sections 6.15.2 and 6.15.4) of NUMBER that code generation knows, or that
// are a few operations on bits. float_type.h or double_type.h come first.
#ifndef HEDDLE_HLS_LIB_NUMBER_MATHS_H
#define HEDDLE_HLS_LIB_NUMBER_MATHS_H

#include "hls/lib/vectors.h"

// One instruction where the device has floating point of that type, else a function of the run-time library.
NUMBER OVERLOAD sqrt(NUMBER x) {
  return BUILTIN(sqrt)(x);
}

NUMBER OVERLOAD fma(NUMBER a, NUMBER b, NUMBER c) {
  return BUILTIN(fma)(a, b, c);
}

NUMBER OVERLOAD fabs(NUMBER x) {
  return BUILTIN(fabs)(x);
}

NUMBER OVERLOAD copysign(NUMBER x, NUMBER y) {
  return BUILTIN(copysign)(x, y);
}

NUMBER OVERLOAD fmin(NUMBER a, NUMBER b) {
  return BUILTIN(fmin)(a, b);
}

NUMBER OVERLOAD fmax(NUMBER a, NUMBER b) {
  return BUILTIN(fmax)(a, b);
}

NUMBER OVERLOAD floor(NUMBER x) {
  return BUILTIN(floor)(x);
}

NUMBER OVERLOAD ceil(NUMBER x) {
  return BUILTIN(ceil)(x);
}

NUMBER OVERLOAD trunc(NUMBER x) {
  return BUILTIN(trunc)(x);
}

NUMBER OVERLOAD rint(NUMBER x) {
  return BUILTIN(rint)(x);
}

NUMBER OVERLOAD round(NUMBER x) {
  return BUILTIN(round)(x);
}

NUMBER OVERLOAD rsqrt(NUMBER x) {
  return (NUMBER)1 / sqrt(x);
}

NUMBER OVERLOAD nan(WORD payload) {
  return AS_NUMBER(INFINITY_BITS | QUIET_BIT | (payload & (QUIET_BIT - 1)));
}

NUMBER OVERLOAD fdim(NUMBER x, NUMBER y) {
  return isunordered(x, y) ? QUIET_NAN : x > y ? x - y : (NUMBER)0;
}

// Bits of numbers count up away from zero.
NUMBER OVERLOAD nextafter(NUMBER x, NUMBER y) {
  if (isunordered(x, y))
    return QUIET_NAN;
  if (x == y)
    return y;
  if (MAGNITUDE(x) == 0)
    return AS_NUMBER((AS_WORD(y) & SIGN_BIT) | 1);
  return AS_NUMBER((x < y) == (AS_SIGNED(x) > 0) ? AS_SIGNED(x) + 1 : AS_SIGNED(x) - 1);
}

// The common functions may do as they like with NaN.
NUMBER OVERLOAD min(NUMBER a, NUMBER b) {
  return fmin(a, b);
}

NUMBER OVERLOAD max(NUMBER a, NUMBER b) {
  return fmax(a, b);
}

NUMBER OVERLOAD clamp(NUMBER x, NUMBER low, NUMBER high) {
  return min(max(x, low), high);
}

// libclc's made +0 of -0.
static NUMBER fraction(NUMBER x, private NUMBER *whole) {
  *whole = floor(x);
  NUMBER most = AS_NUMBER(ONE_BITS - 1);
  return isinf(x) ? copysign((NUMBER)0, x) : x == (NUMBER)0 || isnan(x) ? x + x : fmin(x - *whole, most);
}

ELEMENTS_1(NUMBER, sqrt, NUMBER)
ELEMENTS_3(NUMBER, fma, NUMBER, NUMBER, NUMBER)
ELEMENTS_1(NUMBER, fabs, NUMBER)
ELEMENTS_2(NUMBER, copysign, NUMBER, NUMBER)
ELEMENTS_2(NUMBER, fmin, NUMBER, NUMBER)
ELEMENTS_2S(NUMBER, fmin, NUMBER, NUMBER)
ELEMENTS_2(NUMBER, fmax, NUMBER, NUMBER)
ELEMENTS_2S(NUMBER, fmax, NUMBER, NUMBER)
ELEMENTS_1(NUMBER, floor, NUMBER)
ELEMENTS_1(NUMBER, ceil, NUMBER)
ELEMENTS_1(NUMBER, trunc, NUMBER)
ELEMENTS_1(NUMBER, rint, NUMBER)
ELEMENTS_1(NUMBER, round, NUMBER)
ELEMENTS_1(NUMBER, rsqrt, NUMBER)
ELEMENTS_1(NUMBER, nan, WORD)
ELEMENTS_2(NUMBER, fdim, NUMBER, NUMBER)
ELEMENTS_2(NUMBER, nextafter, NUMBER, NUMBER)
ELEMENTS_2(NUMBER, min, NUMBER, NUMBER)
ELEMENTS_2S(NUMBER, min, NUMBER, NUMBER)
ELEMENTS_2(NUMBER, max, NUMBER, NUMBER)
ELEMENTS_2S(NUMBER, max, NUMBER, NUMBER)
ELEMENTS_3(NUMBER, clamp, NUMBER, NUMBER, NUMBER)
ELEMENTS_3S(NUMBER, clamp, NUMBER, NUMBER, NUMBER)
SECOND_RESULT(NUMBER, fract, fraction, global)
SECOND_RESULT(NUMBER, fract, fraction, local)
SECOND_RESULT(NUMBER, fract, fraction, private)
SECOND_RESULT(NUMBER, fract, fraction, generic)

#endif
