// SPDX-License-Identifier: Apache-2.0
// Maths, common and geometric functions of half (cl_khr_fp16): those of float, of the halves widened, rounded to half.
// What is not exact in float is within 16 ulp of it there, of which a half's ulp has 8,192. fma, nextafter, nan and
// fract are not like that.
#include "hls/lib/vectors.h"

// clang declares a built-in function by itself only where no other of its name is declared.
#define DECLARE(type, name, ...) type OVERLOAD name(__VA_ARGS__);

#define WIDE(n, x) __builtin_convertvector(x, float##n)
#define NARROW(n, x) __builtin_convertvector(x, half##n)

#define ONE_N(n, name)                 \
  DECLARE(float##n, name, float##n)    \
  half##n OVERLOAD name(half##n x) {   \
    return NARROW(n, name(WIDE(n, x))); \
  }
#define ONE(name)                \
  DECLARE(float, name, float)    \
  half OVERLOAD name(half x) {   \
    return (half)name((float)x); \
  }                              \
  FOR_WIDTHS(ONE_N, name)
ONE(acos)
ONE(acosh)
ONE(acospi)
ONE(asin)
ONE(asinh)
ONE(asinpi)
ONE(atan)
ONE(atanh)
ONE(atanpi)
ONE(cbrt)
ONE(ceil)
ONE(cos)
ONE(cosh)
ONE(cospi)
ONE(degrees)
ONE(erf)
ONE(erfc)
ONE(exp)
ONE(exp10)
ONE(exp2)
ONE(expm1)
ONE(fabs)
ONE(floor)
ONE(lgamma)
ONE(log)
ONE(log10)
ONE(log1p)
ONE(log2)
ONE(logb)
ONE(radians)
ONE(rint)
ONE(round)
ONE(rsqrt)
ONE(sign)
ONE(sin)
ONE(sinh)
ONE(sinpi)
ONE(sqrt)
ONE(tan)
ONE(tanh)
ONE(tanpi)
ONE(tgamma)
ONE(trunc)

#define TWO_N(n, name)                             \
  DECLARE(float##n, name, float##n, float##n)      \
  half##n OVERLOAD name(half##n a, half##n b) {    \
    return NARROW(n, name(WIDE(n, a), WIDE(n, b))); \
  }
#define TWO(name)                          \
  DECLARE(float, name, float, float)       \
  half OVERLOAD name(half a, half b) {     \
    return (half)name((float)a, (float)b); \
  }                                        \
  FOR_WIDTHS(TWO_N, name)
TWO(atan2)
TWO(atan2pi)
TWO(copysign)
TWO(fdim)
TWO(fmax)
TWO(fmin)
TWO(fmod)
TWO(hypot)
TWO(max)
TWO(maxmag)
TWO(min)
TWO(minmag)
TWO(pow)
TWO(powr)
TWO(remainder)
TWO(step)

#define THREE_N(n, name)                                       \
  DECLARE(float##n, name, float##n, float##n, float##n)        \
  half##n OVERLOAD name(half##n a, half##n b, half##n c) {     \
    return NARROW(n, name(WIDE(n, a), WIDE(n, b), WIDE(n, c))); \
  }
#define THREE(name)                                  \
  DECLARE(float, name, float, float, float)          \
  half OVERLOAD name(half a, half b, half c) {       \
    return (half)name((float)a, (float)b, (float)c); \
  }                                                  \
  FOR_WIDTHS(THREE_N, name)
THREE(clamp)
THREE(mad)
THREE(mix)
THREE(smoothstep)

// Scalars that go with every element.
#define AND_SCALAR_N(n, name)                \
  half##n OVERLOAD name(half##n a, half b) { \
    return name(a, (half##n)b);              \
  }
FOR_WIDTHS(AND_SCALAR_N, fmax)
FOR_WIDTHS(AND_SCALAR_N, fmin)
FOR_WIDTHS(AND_SCALAR_N, max)
FOR_WIDTHS(AND_SCALAR_N, min)
#define OTHERS_N(n, unused)                                      \
  half##n OVERLOAD step(half edge, half##n x) {                  \
    return step((half##n)edge, x);                               \
  }                                                              \
  half##n OVERLOAD smoothstep(half low, half high, half##n x) {  \
    return smoothstep((half##n)low, (half##n)high, x);           \
  }                                                              \
  half##n OVERLOAD clamp(half##n x, half low, half high) {       \
    return clamp(x, (half##n)low, (half##n)high);                \
  }                                                              \
  half##n OVERLOAD mix(half##n x, half##n y, half a) {           \
    return mix(x, y, (half##n)a);                                \
  }
FOR_WIDTHS(OTHERS_N, )

#define AND_INT_N(n, name)                       \
  DECLARE(float##n, name, float##n, int##n)      \
  half##n OVERLOAD name(half##n x, int##n k) {   \
    return NARROW(n, name(WIDE(n, x), k));       \
  }
#define AND_INT(name)                   \
  DECLARE(float, name, float, int)      \
  half OVERLOAD name(half x, int k) {   \
    return (half)name((float)x, k);     \
  }                                     \
  FOR_WIDTHS(AND_INT_N, name)
AND_INT(ldexp)
AND_INT(pown)
AND_INT(rootn)
#define LDEXP_N(n, unused)                     \
  half##n OVERLOAD ldexp(half##n x, int k) {   \
    return ldexp(x, (int##n)k);                \
  }
FOR_WIDTHS(LDEXP_N, )

#define ILOGB_N(n, unused)            \
  DECLARE(int##n, ilogb, float##n)    \
  int##n OVERLOAD ilogb(half##n x) {  \
    return ilogb(WIDE(n, x));         \
  }
DECLARE(int, ilogb, float)
int OVERLOAD ilogb(half x) {
  return ilogb((float)x);
}
FOR_WIDTHS(ILOGB_N, )

// The product is exact in float. The sum is rounded there to the neighbour with an odd last bit, unless it is exact: a
// half is never in doubt about that one, so that rounding again is as rounding once.
half OVERLOAD fma(half a, half b, half c) {
#pragma STDC FP_CONTRACT OFF
  float product = (float)a * (float)b, addend = c;
  float sum = product + addend;
  // What the sum lost. Where it is infinite or NaN, this is NaN, and nothing is done.
  float rest = sum - product;
  float lost = (product - (sum - rest)) + (addend - rest);
  uint bits = as_uint(sum);
  if ((lost > 0.0f || lost < 0.0f) && (bits & 1) == 0) {
    bits += (lost < 0.0f) == (sum < 0.0f) ? 1 : -1;
  }
  return (half)as_float(bits);
}
ELEMENTS_3(half, fma, half, half, half)

half OVERLOAD nan(ushort payload) {
  return as_half((ushort)(0x7E00 | (payload & 0x01FF)));
}
ELEMENTS_1(half, nan, ushort)

// Bits of halves count up away from zero.
half OVERLOAD nextafter(half x, half y) {
  if (isunordered(x, y)) {
    return as_half((ushort)0x7E00);
  }
  if (x == y) {
    return y;
  }
  ushort bits = as_ushort(x);
  if ((bits & 0x7FFF) == 0) {
    return as_half((ushort)((as_ushort(y) & 0x8000) | 1));
  }
  return as_half((ushort)((x < y) == (x > 0.0h) ? bits + 1 : bits - 1));
}
ELEMENTS_2(half, nextafter, half, half)

// A second result through a pointer.
#define DECLARE_RESULT_N(n, name, P) DECLARE(float##n, name, float##n, private P##n *)
#define DECLARE_RESULT(name, P) \
  DECLARE(float, name, float, private P *) FOR_WIDTHS(DECLARE_RESULT_N, name, P)
DECLARE_RESULT(fract, float)
DECLARE_RESULT(frexp, int)
DECLARE_RESULT(lgamma_r, int)
DECLARE_RESULT(modf, float)
DECLARE_RESULT(sincos, float)
#define DECLARE_REMQUO_N(n, unused) DECLARE(float##n, remquo, float##n, float##n, private int##n *)
DECLARE(float, remquo, float, float, private int *)
FOR_WIDTHS(DECLARE_REMQUO_N, )

#define RESULT_N(n, name, P, narrow, space)                  \
  half##n OVERLOAD name(half##n x, space P##n *second) {     \
    narrow##n value;                                         \
    float##n result = name(WIDE(n, x), &value);              \
    *second = __builtin_convertvector(value, P##n);          \
    return NARROW(n, result);                                \
  }
#define RESULT(name, P, narrow, space)             \
  half OVERLOAD name(half x, space P *second) {    \
    narrow value;                                  \
    float result = name((float)x, &value);         \
    *second = (P)value;                            \
    return (half)result;                           \
  }                                                \
  FOR_WIDTHS(RESULT_N, name, P, narrow, space)

#define REMQUO_N(n, space)                                                     \
  half##n OVERLOAD remquo(half##n x, half##n y, space int##n *quotient) {      \
    int##n value;                                                              \
    float##n result = remquo(WIDE(n, x), WIDE(n, y), &value);                  \
    *quotient = value;                                                         \
    return NARROW(n, result);                                                  \
  }

// x - floor(x) may round to 1, which a fraction is not.
#define FRACT_N(n, space)                                      \
  half##n OVERLOAD fract(half##n x, space half##n *whole) {    \
    half##n result, wholes;                                    \
    for (int i = 0; i < n; i++) {                              \
      half one;                                                \
      result[i] = fract(x[i], &one);                           \
      wholes[i] = one;                                         \
    }                                                          \
    *whole = wholes;                                           \
    return result;                                             \
  }

#define RESULTS(space)                                                      \
  RESULT(frexp, int, int, space)                                            \
  RESULT(lgamma_r, int, int, space)                                         \
  RESULT(modf, half, float, space)                                          \
  RESULT(sincos, half, float, space)                                        \
  half OVERLOAD remquo(half x, half y, space int *quotient) {               \
    int value;                                                              \
    float result = remquo((float)x, (float)y, &value);                      \
    *quotient = value;                                                      \
    return (half)result;                                                    \
  }                                                                         \
  FOR_WIDTHS(REMQUO_N, space)                                               \
  half OVERLOAD fract(half x, space half *whole) {                          \
    float floor_of_x;                                                       \
    half result = (half)fract((float)x, &floor_of_x);                       \
    *whole = (half)floor_of_x;                                              \
    return result == 1.0h ? 0x1.ffcp-1h : result;                           \
  }                                                                         \
  FOR_WIDTHS(FRACT_N, space)
RESULTS(generic)
RESULTS(global)
RESULTS(local)
RESULTS(private)

#define GEOMETRIC_N(n)                              \
  DECLARE(float, dot, float##n, float##n)           \
  DECLARE(float, length, float##n)                  \
  DECLARE(float, distance, float##n, float##n)      \
  DECLARE(float##n, normalize, float##n)            \
  half OVERLOAD dot(half##n a, half##n b) {         \
    return (half)dot(WIDE(n, a), WIDE(n, b));       \
  }                                                 \
  half OVERLOAD length(half##n x) {                 \
    return (half)length(WIDE(n, x));                \
  }                                                 \
  half OVERLOAD distance(half##n a, half##n b) {    \
    return (half)distance(WIDE(n, a), WIDE(n, b));  \
  }                                                 \
  half##n OVERLOAD normalize(half##n x) {           \
    return NARROW(n, normalize(WIDE(n, x)));        \
  }
GEOMETRIC_N(2)
GEOMETRIC_N(3)
GEOMETRIC_N(4)
#define CROSS_N(n)                                  \
  DECLARE(float##n, cross, float##n, float##n)      \
  half##n OVERLOAD cross(half##n a, half##n b) {    \
    return NARROW(n, cross(WIDE(n, a), WIDE(n, b))); \
  }
CROSS_N(3)
CROSS_N(4)
half OVERLOAD dot(half a, half b) {
  return a * b;
}
half OVERLOAD length(half x) {
  return fabs(x);
}
half OVERLOAD distance(half a, half b) {
  return (half)fabs((float)a - (float)b);
}
half OVERLOAD normalize(half x) {
  return sign(x);
}
