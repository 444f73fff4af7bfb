// SPDX-License-Identifier: Apache-2.0
// The maths, common and geometric functions of OpenCL C 3.0 for one type: for each what is asked of the device, the
// host's result in `real`, a wider type, and the error that the full profile allows (OpenCL C 3.0, section "Relative
// Error as ULPs"). For the quick test on 2,048 points (tests/hls) and for `make test-maths`. To be defined before:
// number, the type, with so many DIGITS (bits) and values below 2^EXPONENT_MAX; real; REAL(name) and NUMBER(name), the
// host's functions of both.
#ifndef HEDDLE_TESTS_MATHS_REFERENCES_H
#define HEDDLE_TESTS_MATHS_REFERENCES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/maths/points.h"

// Distance in ulp of the exact value. Overflow is as good as a value just above the largest number; a zero of the wrong
// sign is nothing.
static double error_in_ulp(number got, real exact) {
  const real beyond = REAL(ldexp)(1, EXPONENT_MAX);
  if (isnan(got) || isnan(exact))
    return isnan(got) && isnan(exact) ? 0 : INFINITY;
  if (got == 0 && exact == 0 && !signbit(got) != !signbit(exact))
    return INFINITY;
  real value = isinf(got) ? REAL(copysign)(beyond, got) : (real)got;
  if (REAL(fabs)(exact) > beyond)
    exact = REAL(copysign)(beyond, exact);
  const int least = 3 - EXPONENT_MAX;  // of subnormals
  int exponent;
  REAL(frexp)(exact, &exponent);
  real ulp = REAL(ldexp)(1, (exact == 0 || exponent < least ? least : exponent) - DIGITS);
  return (double)(REAL(fabs)(value - exact) / ulp);
}

static const real pi = 3.14159265358979323846264338327950288L;

static real half_turns(real (*function)(real), real x) {
  // Near a zero the rest is exact, and so the error is that of the function.
  return isfinite(x) ? function(pi * x) : (real)NAN;
}

// |x| less whole turns, and less half a turn where that is nearer: sin and cos change their signs.
static real reduced(real x, int *halves) {
  real turned = REAL(fmod)(x, 2), nearest = REAL(rint)(turned);
  *halves = (int)nearest;
  return turned - nearest;
}

static real ref_sinpi(real x, real y) {
  (void)y;
  int halves = 0;
  real rest = isfinite(x) ? reduced(x, &halves) : x;
  if (rest == 0)
    return REAL(copysign)(0, x);  // of each whole number
  real result = REAL(fabs)(rest) == (real)0.5 ? REAL(copysign)(1, rest) : half_turns(REAL(sin), rest);
  return halves % 2 != 0 ? -result : result;
}

static real ref_cospi(real x, real y) {
  (void)y;
  int halves = 0;
  real rest = isfinite(x) ? reduced(x, &halves) : x;
  if (REAL(fabs)(rest) == (real)0.5)
    return 0;
  // Next to a quarter turn: the sine of what is missing.
  real result =
      REAL(fabs)(rest) > (real)0.25 ? half_turns(REAL(sin), (real)0.5 - REAL(fabs)(rest)) : half_turns(REAL(cos), rest);
  return halves % 2 != 0 ? -result : result;
}

static real ref_tanpi(real x, real y) {
  if (isfinite(x) && REAL(fmod)(REAL(fabs)(x), 1) == (real)0.5)
    return REAL(copysign)((real)INFINITY, REAL(fmod)(REAL(fabs)(x), 2) == (real)0.5 ? x : -x);
  return ref_sinpi(x, y) / ref_cospi(x, y);
}

#define ONE(name, expression)              \
  static real ref_##name(real x, real y) { \
    (void)y;                               \
    return expression;                     \
  }
ONE(acos, REAL(acos)(x))
ONE(acosh, REAL(acosh)(x))
ONE(acospi, REAL(acos)(x) / pi)
ONE(asin, REAL(asin)(x))
ONE(asinh, REAL(asinh)(x))
ONE(asinpi, REAL(asin)(x) / pi)
ONE(atan, REAL(atan)(x))
ONE(atanh, REAL(atanh)(x))
ONE(atanpi, REAL(atan)(x) / pi)
ONE(cbrt, REAL(cbrt)(x))
ONE(cos, REAL(cos)(x))
ONE(cosh, REAL(cosh)(x))
ONE(degrees, x * (180 / pi))
ONE(erf, REAL(erf)(x))
ONE(erfc, REAL(erfc)(x))
ONE(exp, REAL(exp)(x))
ONE(exp2, REAL(exp2)(x))
ONE(exp10, REAL(pow)(10, x))
ONE(expm1, REAL(expm1)(x))
ONE(log, REAL(log)(x))
ONE(log2, REAL(log2)(x))
ONE(log10, REAL(log10)(x))
ONE(log1p, REAL(log1p)(x))
ONE(radians, x *(pi / 180))
ONE(rsqrt, 1 / REAL(sqrt)(x))
ONE(sin, REAL(sin)(x))
ONE(sinh, REAL(sinh)(x))
ONE(sqrt, REAL(sqrt)(x))
ONE(tan, REAL(tan)(x))
ONE(tanh, REAL(tanh)(x))
ONE(tgamma, x == -(real)INFINITY || (x < 0 && x == REAL(floor)(x)) ? (real)NAN : REAL(tgamma)(x))
#define TWO(name, expression)              \
  static real ref_##name(real x, real y) { \
    return expression;                     \
  }
TWO(atan2, REAL(atan2)(x, y))
TWO(atan2pi, REAL(atan2)(x, y) / pi)
TWO(hypot, REAL(hypot)(x, y))
TWO(pow, REAL(pow)(x, y))
TWO(powr, x < 0 || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)) || isnan(x) || isnan(y)
              ? (real)NAN
              : REAL(pow)(REAL(fabs)(x), y))

// The integer of pown and rootn, as convert_int_sat makes it.
static int whole_of(real y) {
  return isnan(y) ? 0 : y >= 0x1p31 ? INT32_MAX : y <= -0x1p31 ? INT32_MIN : (int)y;
}

static bool is_odd(int n) {
  return n % 2 != 0;
}

TWO(pown_of, REAL(pow)(x, whole_of(y)))

static real ref_rootn_of(real x, real y) {
  const int n = whole_of(y);
  if (n == 0 || isnan(x) || (x < 0 && !is_odd(n)))
    return (real)NAN;
  const real size = REAL(pow)(REAL(fabs)(x), 1 / (real)n);
  return is_odd(n) ? REAL(copysign)(size, x) : size;
}

// The lower seven bits of the whole quotient, with its sign. x / y is -128 to 128 after the first step, and exact.
static real ref_remquo(real x, real y) {
  if (!isfinite(x) || isnan(y) || y == 0)
    return 0;  // undefined
  const real least = isinf(y) ? x : REAL(fabs)(y) > REAL(ldexp)(1, EXPONENT_MAX - 8) ? x : REAL(fmod)(x, 128 * y);
  const real quotient = isinf(y) ? 0 : REAL(rint)((least - REAL(remainder)(least, y)) / y);
  return REAL(fmod)(quotient, 128);
}

static real ref_fract(real x, real y) {
  (void)y;
  const real below_one = 1 - REAL(ldexp)(1, -DIGITS);
  return isnan(x) ? x : isinf(x) ? REAL(copysign)(0, x) : x == 0 ? x : REAL(fmin)(x - REAL(floor)(x), below_one);
}

ONE(fabs, REAL(fabs)(x))
ONE(ceil, REAL(ceil)(x))
ONE(floor, REAL(floor)(x))
ONE(trunc, REAL(trunc)(x))
ONE(round, REAL(round)(x))
ONE(rint, REAL(rint)(x))
ONE(logb, REAL(logb)(x))
ONE(ilogb, isnan(x) ? (real)NAN : x == 0 ? (number)INT32_MIN : isinf(x) ? (number)INT32_MAX : REAL(ilogb)(x))
ONE(sign, isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
ONE(frexp, (isfinite(x) ? REAL(frexp)(x, &(int){0}) : x))

static real ref_frexp_exponent(real x, real y) {
  (void)y;
  int exponent = 0;
  if (isfinite(x))
    REAL(frexp)(x, &exponent);
  return isfinite(x) ? exponent : 0;  // for others the text says nothing
}

ONE(modf, isinf(x) ? REAL(copysign)(0, x) : REAL(copysign)(x - REAL(trunc)(x), x))
ONE(lgamma, REAL(lgamma)(x))
ONE(nan, ((void)x, (real)NAN))
#ifdef ONLY_OF_FLOAT
ONE(recip, 1 / x)
TWO(quotient_of_two, x / y)
#endif
TWO(add, (number)x + (number)y)
TWO(subtract, (number)x - (number)y)
TWO(multiply, (number)x *(number)y)
TWO(divide, (number)x / (number)y)
TWO(ldexp, REAL(ldexp)(x, whole_of(y) % 300))
TWO(copysign, REAL(copysign)(x, y))
TWO(fdim, isnan(x) || isnan(y) ? (real)NAN : x > y ? (number)x - (number)y : 0)
TWO(fmod, REAL(fmod)(x, y))
TWO(remainder, REAL(remainder)(x, y))
TWO(nextafter, NUMBER(nextafter)((number)x, (number)y))
TWO(step, y < x ? 0 : 1)

#define THREE(name, expression)                    \
  static real ref_##name(real x, real y, real z) { \
    (void)x, (void)y, (void)z;                     \
    return expression;                             \
  }
THREE(fmin, isnan(x) ? y : isnan(y) || x <= y ? x : y)
THREE(fmax, isnan(x) ? y : isnan(y) || x >= y ? x : y)
THREE(maxmag, REAL(fabs)(x) > REAL(fabs)(y) ? x : REAL(fabs)(y) > REAL(fabs)(x) ? y : ref_fmax(x, y, z))
THREE(minmag, REAL(fabs)(x) < REAL(fabs)(y) ? x : REAL(fabs)(y) < REAL(fabs)(x) ? y : ref_fmin(x, y, z))
THREE(fma, NUMBER(fma)((number)x, (number)y, (number)z))
THREE(not_fused, (number)((number)((number)x * (number)y)) + (number)z)
THREE(clamp, REAL(fmin)(REAL(fmax)(x, REAL(fmin)(y, z)), REAL(fmax)(y, z)))
THREE(mix, x + (y - x) * z)
THREE(max_of_two, x > y ? x : y)
THREE(min_of_two, x < y ? x : y)
THREE(ramp, REAL(fmin)(REAL(fmax)((z - REAL(floor)(x)) / 5, 0), 1))
THREE(smoothstep, ref_ramp(x, y, z) * ref_ramp(x, y, z) * (3 - 2 * ref_ramp(x, y, z)))
THREE(quotient, ref_remquo(x, y))
THREE(dot, x *y + y * z)
THREE(cross, z *y - x * x)
THREE(length2, REAL(hypot)(x, y))
THREE(length3, REAL(hypot)(REAL(hypot)(x, y), z))
THREE(length4, REAL(hypot)(REAL(hypot)(x, y), REAL(hypot)(z, 1)))
// In real the products are exact or nearly, so that differences lose little.
THREE(distance2, REAL(hypot)(x - y, y - z))
THREE(distance4, REAL(hypot)(REAL(hypot)(x - y, y - z), REAL(hypot)(z - x, z - 2)))
THREE(normalize2, x / REAL(hypot)(x, y))
THREE(normalize3, y / ref_length3(x, y, z))
THREE(normalize4, z / ref_length4(x, y, z))

// ---- absolute errors that the text allows

#define EPSILON REAL(ldexp)(1, 1 - DIGITS)
THREE(nothing, 0)
THREE(one, 1)
THREE(square, REAL(fmax)(x *x, REAL(fmax)(y *y, z *z)) * EPSILON)
THREE(of_mad, REAL(fabs)(ref_not_fused(x, y, z) - ref_fma(x, y, z)))

struct function {
  const char *expression;  // in OpenCL C, of x, y and z
  real (*reference)(real x, real y);
  double allowed;  // ulp; INFINITY: the text has no limit
  enum domain domain;
  real (*reference_of_three)(real x, real y, real z);  // instead of reference
  // Where the text allows an absolute error: `allowed` times this. The sign of a zero does not matter then.
  real (*tolerance)(real x, real y, real z);
};

#define OF_ONE(text, ref, limit) {.expression = text, .reference = ref, .allowed = limit}
#define OF_TURNS(text, ref, limit) {.expression = text, .reference = ref, .allowed = limit, .domain = TURNS}
#define OF_TWO(text, ref, limit) {.expression = text, .reference = ref, .allowed = limit, .domain = TWO_NUMBERS}
#define OF_THREE(text, ref, limit, where) \
  {.expression = text, .reference_of_three = ref, .allowed = limit, .domain = where}
#define WITHIN(text, ref, limit, where, absolute) \
  {.expression = text, .reference_of_three = ref, .allowed = limit, .domain = where, .tolerance = absolute}

#define OF_LENGTH(of_float, of_double) (DIGITS == 24 ? (of_float) : (of_double))

// T stands for the type.
static const struct function functions[] = {
    OF_ONE("rsqrt(x)", ref_rsqrt, 2),
    OF_ONE("acos(x)", ref_acos, 4),
    OF_ONE("acosh(x)", ref_acosh, 4),
    OF_ONE("acospi(x)", ref_acospi, 5),
    OF_ONE("asin(x)", ref_asin, 4),
    OF_ONE("asinh(x)", ref_asinh, 4),
    OF_ONE("asinpi(x)", ref_asinpi, 5),
    OF_ONE("atan(x)", ref_atan, 5),
    OF_TWO("atan2(x, y)", ref_atan2, 6),
    OF_TWO("atan2pi(x, y)", ref_atan2pi, 6),
    OF_ONE("atanh(x)", ref_atanh, 5),
    OF_ONE("atanpi(x)", ref_atanpi, 5),
    OF_ONE("cbrt(x)", ref_cbrt, 2),
    OF_ONE("cos(x)", ref_cos, 4),
    OF_ONE("cosh(x)", ref_cosh, 4),
    OF_ONE("cospi(x)", ref_cospi, 4),
    OF_ONE("degrees(x)", ref_degrees, 2),
    OF_ONE("erf(x)", ref_erf, 16),
    OF_ONE("erfc(x)", ref_erfc, 16),
    OF_ONE("exp(x)", ref_exp, 3),
    OF_ONE("exp2(x)", ref_exp2, 3),
    OF_ONE("exp10(x)", ref_exp10, 3),
    OF_ONE("expm1(x)", ref_expm1, 3),
    OF_TWO("hypot(x, y)", ref_hypot, 4),
    OF_ONE("log(x)", ref_log, 3),
    OF_ONE("log2(x)", ref_log2, 3),
    OF_ONE("log10(x)", ref_log10, 3),
    OF_ONE("log1p(x)", ref_log1p, 2),
    OF_TWO("pow(x, y)", ref_pow, 16),
    OF_TWO("powr(x, y)", ref_powr, 16),
    OF_TWO("pown(x, convert_int_sat(y))", ref_pown_of, 16),
    OF_ONE("radians(x)", ref_radians, 2),
    OF_TWO("rootn(x, convert_int_sat(y))", ref_rootn_of, 16),
    OF_ONE("sin(x)", ref_sin, 4),
    OF_ONE("sinh(x)", ref_sinh, 4),
    OF_ONE("sinpi(x)", ref_sinpi, 4),
    OF_ONE("tan(x)", ref_tan, 5),
    OF_ONE("tanh(x)", ref_tanh, 5),
    OF_ONE("tanpi(x)", ref_tanpi, 6),
    OF_ONE("tgamma(x)", ref_tgamma, 16),
    OF_ONE("sincos(x, &(T){0})", ref_sin, 4),
    OF_ONE("({ T c; sincos(x, &c); c; })", ref_cos, 4),
    OF_ONE("lgamma(x)", ref_lgamma, INFINITY),
    OF_ONE("lgamma_r(x, &(int){0})", ref_lgamma, INFINITY),
    // Correctly rounded, or exact.
    OF_TWO("x + y", ref_add, 0),
    OF_TWO("x - y", ref_subtract, 0),
    OF_TWO("x * y", ref_multiply, 0),
    OF_TWO("x / y", ref_divide, 0),
    OF_THREE("fma(x, y, z)", ref_fma, 0, THREE_NUMBERS),
    WITHIN("mad(x, y, z)", ref_fma, 1, THREE_NUMBERS, ref_of_mad),
    OF_ONE("sqrt(x)", ref_sqrt, DIGITS == 24 ? 0.5 : 0.5003),  // a little more: the reference's own error
    OF_ONE("fabs(x)", ref_fabs, 0),
    OF_ONE("ceil(x)", ref_ceil, 0),
    OF_ONE("floor(x)", ref_floor, 0),
    OF_ONE("trunc(x)", ref_trunc, 0),
    OF_ONE("round(x)", ref_round, 0),
    OF_ONE("rint(x)", ref_rint, 0),
    OF_TWO("copysign(x, y)", ref_copysign, 0),
    OF_TWO("fdim(x, y)", ref_fdim, 0),
    WITHIN("fmin(x, y)", ref_fmin, 0, TWO_NUMBERS, ref_nothing),
    WITHIN("fmax(x, y)", ref_fmax, 0, TWO_NUMBERS, ref_nothing),
    WITHIN("maxmag(x, y)", ref_maxmag, 0, TWO_NUMBERS, ref_nothing),
    WITHIN("minmag(x, y)", ref_minmag, 0, TWO_NUMBERS, ref_nothing),
    OF_TWO("nextafter(x, y)", ref_nextafter, 0),
    OF_ONE("logb(x)", ref_logb, 0),
    OF_ONE("isnan(x) ? x : (T)ilogb(x)", ref_ilogb, 0),
    OF_ONE("frexp(x, &(int){0})", ref_frexp, 0),
    OF_ONE("({ int e; frexp(x, &e); isfinite(x) ? (T)e : (T)0; })", ref_frexp_exponent, 0),
    OF_TWO("ldexp(x, convert_int_sat(y) % 300)", ref_ldexp, 0.5),
    OF_TWO("fmod(x, y)", ref_fmod, 0),
    OF_TWO("remainder(x, y)", ref_remainder, 0),
    OF_TWO("remquo(x, y, &(int){0})", ref_remainder, 0),
    WITHIN("({ int q; remquo(x, y, &q); isfinite(x) && !isnan(y) && y != 0 ? (T)q : (T)0; })", ref_quotient, 0,
           TWO_NUMBERS, ref_nothing),
    OF_ONE("modf(x, &(T){0})", ref_modf, 0),
    OF_ONE("({ T whole; modf(x, &whole); whole; })", ref_trunc, 0),
    OF_ONE("fract(x, &(T){0})", ref_fract, 0.5),
    OF_ONE("({ T whole; fract(x, &whole); whole; })", ref_floor, 0),
    OF_ONE("nan(as_uT(x))", ref_nan, 0),
    // Common functions.
    WITHIN("clamp(x, min(y, z), max(y, z))", ref_clamp, 0, BOUNDED, ref_nothing),
    WITHIN("max(x, y)", ref_max_of_two, 0, BOUNDED, ref_nothing),
    WITHIN("min(x, y)", ref_min_of_two, 0, BOUNDED, ref_nothing),
    WITHIN("mix(x, y, z)", ref_mix, 1e-3, FRACTION, ref_one),
    OF_TWO("step(x, y)", ref_step, 0),
    WITHIN("smoothstep(floor(x), floor(x) + 5, z)", ref_smoothstep, 1e-5, BOUNDED, ref_one),
    OF_ONE("sign(x)", ref_sign, 0),
    // Geometric functions.
    WITHIN("cross((T3)(x, y, z), (T3)(y, z, x)).y", ref_cross, 3, BOUNDED, ref_square),
    WITHIN("dot((T2)(x, y), (T2)(y, z))", ref_dot, 3, BOUNDED, ref_square),
    OF_THREE("distance((T2)(x, y), (T2)(y, z))", ref_distance2, OF_LENGTH(2.5, 5.5) + 2 * 2, BOUNDED),
    OF_THREE("distance((T4)(x, y, z, z), (T4)(y, z, x, 2))", ref_distance4, OF_LENGTH(2.5, 5.5) + 2 * 4, BOUNDED),
    OF_THREE("length((T2)(x, y))", ref_length2, OF_LENGTH(2.75 + 0.5 * 2, 5.5 + 2), BOUNDED),
    OF_THREE("length((T3)(x, y, z))", ref_length3, OF_LENGTH(2.75 + 0.5 * 3, 5.5 + 3), BOUNDED),
    OF_THREE("length((T4)(x, y, z, 1))", ref_length4, OF_LENGTH(2.75 + 0.5 * 4, 5.5 + 4), BOUNDED),
    OF_THREE("normalize((T2)(x, y)).x", ref_normalize2, OF_LENGTH(2, 4.5) + 2, BOUNDED),
    OF_THREE("normalize((T3)(x, y, z)).y", ref_normalize3, OF_LENGTH(2, 4.5) + 3, BOUNDED),
    OF_THREE("normalize((T4)(x, y, z, 1)).z", ref_normalize4, OF_LENGTH(2, 4.5) + 4, BOUNDED),
#ifdef ONLY_OF_FLOAT
    // Of less precision, or of as much as the device likes.
    OF_THREE("fast_distance((T2)(x, y), (T2)(y, z))", ref_distance2, 8191.5 + 2 * 2, BOUNDED),
    OF_THREE("fast_distance((T4)(x, y, z, z), (T4)(y, z, x, 2))", ref_distance4, 8191.5 + 2 * 4, BOUNDED),
    OF_THREE("fast_length((T2)(x, y))", ref_length2, 8191.5 + 2, BOUNDED),
    OF_THREE("fast_length((T4)(x, y, z, 1))", ref_length4, 8191.5 + 4, BOUNDED),
    OF_THREE("fast_normalize((T2)(x, y)).x", ref_normalize2, 8192 + 2, BOUNDED),
    OF_THREE("fast_normalize((T4)(x, y, z, 1)).z", ref_normalize4, 8192 + 4, BOUNDED),
    OF_TURNS("half_cos(x)", ref_cos, 8192),
    OF_TURNS("half_sin(x)", ref_sin, 8192),
    OF_TURNS("half_tan(x)", ref_tan, 8192),
    OF_ONE("half_exp(x)", ref_exp, 8192),
    OF_ONE("half_exp2(x)", ref_exp2, 8192),
    OF_ONE("half_exp10(x)", ref_exp10, 8192),
    OF_ONE("half_log(x)", ref_log, 8192),
    OF_ONE("half_log2(x)", ref_log2, 8192),
    OF_ONE("half_log10(x)", ref_log10, 8192),
    OF_ONE("half_rsqrt(x)", ref_rsqrt, 8192),
    OF_ONE("half_sqrt(x)", ref_sqrt, 8192),
    OF_ONE("half_recip(x)", ref_recip, 8192),
    OF_TWO("half_divide(x, y)", ref_quotient_of_two, 8192),
    OF_TWO("half_powr(x, y)", ref_powr, 8192),
    OF_TURNS("native_cos(x)", ref_cos, INFINITY),
    OF_TURNS("native_sin(x)", ref_sin, INFINITY),
    OF_TURNS("native_tan(x)", ref_tan, INFINITY),
    OF_ONE("native_exp(x)", ref_exp, INFINITY),
    OF_ONE("native_exp2(x)", ref_exp2, INFINITY),
    OF_ONE("native_exp10(x)", ref_exp10, INFINITY),
    OF_ONE("native_log(x)", ref_log, INFINITY),
    OF_ONE("native_log2(x)", ref_log2, INFINITY),
    OF_ONE("native_log10(x)", ref_log10, INFINITY),
    OF_ONE("native_rsqrt(x)", ref_rsqrt, INFINITY),
    OF_ONE("native_sqrt(x)", ref_sqrt, INFINITY),
    OF_ONE("native_recip(x)", ref_recip, INFINITY),
    OF_TWO("native_divide(x, y)", ref_quotient_of_two, INFINITY),
    OF_TWO("native_powr(x, y)", ref_powr, INFINITY),
#endif
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static real expected_of(const struct function *f, number x, number y, number z) {
  return f->reference_of_three ? f->reference_of_three(x, y, z) : f->reference(x, y);
}

// In what `allowed` counts.
static double error_of(const struct function *f, number x, number y, number z, number got) {
  const real exact = expected_of(f, x, y, z);
  if (!f->tolerance)
    return error_in_ulp(got, exact);
  const real tolerance = f->tolerance(x, y, z);
  if (!isfinite(tolerance))
    return 0;  // mad, where a product overflows: fused it may not
  if (!isfinite(exact) || !isfinite(got))
    return error_in_ulp(got, exact);
  const real error = REAL(fabs)(got - exact);
  return error == 0 ? 0 : (double)(error / tolerance);
}

#endif
