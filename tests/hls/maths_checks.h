// SPDX-License-Identifier: Apache-2.0
// Maths functions of a type, run on the golden model, against the host's in `real`, a wider one: errors in units in the
// last place (ulp) within what the full profile of OpenCL C 3.0 allows (section 7.4). To be defined before: number, the
// type, with so many DIGITS (bits) and values below 2^EXPONENT_MAX; real; REAL(name), the host's function of real.
#ifndef HEDDLE_TESTS_HLS_MATHS_CHECKS_H
#define HEDDLE_TESTS_HLS_MATHS_CHECKS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/hls/expressions.h"

// Distance in ulp of the exact value. Overflow is as good as a value just above the largest number; a zero of the wrong
// sign is nothing.
static double error_in_ulp(number got, real exact) {
  const real beyond = REAL(ldexp)(1, EXPONENT_MAX);
  if (isnan(got) || isnan(exact)) {
    return isnan(got) && isnan(exact) ? 0 : INFINITY;
  }
  if (got == 0 && exact == 0 && !signbit(got) != !signbit(exact)) {
    return INFINITY;
  }
  real value = isinf(got) ? REAL(copysign)(beyond, got) : (real)got;
  if (REAL(fabs)(exact) > beyond) {
    exact = REAL(copysign)(beyond, exact);
  }
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
  if (rest == 0) {
    return REAL(copysign)(0, x);  // of each whole number
  }
  real result = REAL(fabs)(rest) == (real)0.5 ? REAL(copysign)(1, rest) : half_turns(REAL(sin), rest);
  return halves % 2 != 0 ? -result : result;
}

static real ref_cospi(real x, real y) {
  (void)y;
  int halves = 0;
  real rest = isfinite(x) ? reduced(x, &halves) : x;
  if (REAL(fabs)(rest) == (real)0.5) {
    return 0;
  }
  // Next to a quarter turn: the sine of what is missing.
  real result =
      REAL(fabs)(rest) > (real)0.25 ? half_turns(REAL(sin), (real)0.5 - REAL(fabs)(rest)) : half_turns(REAL(cos), rest);
  return halves % 2 != 0 ? -result : result;
}

static real ref_tanpi(real x, real y) {
  if (isfinite(x) && REAL(fmod)(REAL(fabs)(x), 1) == (real)0.5) {
    return REAL(copysign)((real)INFINITY, REAL(fmod)(REAL(fabs)(x), 2) == (real)0.5 ? x : -x);
  }
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
ONE(rootn, REAL(copysign)(REAL(cbrt)(x), x))
ONE(rootn4, x < 0 ? (real)NAN : REAL(pow)(REAL(fabs)(x), (real)0.25))
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
TWO(pown, REAL(pow)(x, isnan(y) ? -40 : (int)REAL(fmax)(REAL(fmin)(y, 40), -40)))

struct function {
  const char *expression;  // in OpenCL C, of x and y
  real (*reference)(real x, real y);
  double allowed;  // ulp
};

static const struct function functions[] = {
    {"rsqrt(x)", ref_rsqrt, 2},
    {"acos(x)", ref_acos, 4},
    {"acosh(x)", ref_acosh, 4},
    {"acospi(x)", ref_acospi, 5},
    {"asin(x)", ref_asin, 4},
    {"asinh(x)", ref_asinh, 4},
    {"asinpi(x)", ref_asinpi, 5},
    {"atan(x)", ref_atan, 5},
    {"atan2(x, y)", ref_atan2, 6},
    {"atan2pi(x, y)", ref_atan2pi, 6},
    {"atanh(x)", ref_atanh, 5},
    {"atanpi(x)", ref_atanpi, 5},
    {"cbrt(x)", ref_cbrt, 2},
    {"cos(x)", ref_cos, 4},
    {"cosh(x)", ref_cosh, 4},
    {"cospi(x)", ref_cospi, 4},
    {"degrees(x)", ref_degrees, 2},
    {"erf(x)", ref_erf, 16},
    {"erfc(x)", ref_erfc, 16},
    {"exp(x)", ref_exp, 3},
    {"exp2(x)", ref_exp2, 3},
    {"exp10(x)", ref_exp10, 3},
    {"expm1(x)", ref_expm1, 3},
    {"hypot(x, y)", ref_hypot, 4},
    {"log(x)", ref_log, 3},
    {"log2(x)", ref_log2, 3},
    {"log10(x)", ref_log10, 3},
    {"log1p(x)", ref_log1p, 2},
    {"pow(x, y)", ref_pow, 16},
    {"powr(x, y)", ref_powr, 16},
    {"pown(x, isnan(y) ? -40 : clamp(convert_int_sat(y), -40, 40))", ref_pown, 16},
    {"radians(x)", ref_radians, 2},
    {"rootn(x, 3)", ref_rootn, 16},
    {"rootn(x, 4)", ref_rootn4, 16},
    {"sin(x)", ref_sin, 4},
    {"sinh(x)", ref_sinh, 4},
    {"sinpi(x)", ref_sinpi, 4},
    {"tan(x)", ref_tan, 5},
    {"tanh(x)", ref_tanh, 5},
    {"tanpi(x)", ref_tanpi, 6},
    {"tgamma(x)", ref_tgamma, 16},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, POINTS_MAX = 65536 };

static number results[POINTS_MAX];

// What check_function() is about.
static const struct operands *of;
static const struct function *checked;

static void check_function(int index, uint32_t points) {
  const struct function *f = &checked[index];
  const number *x = of->in[0], *y = of->in[1];
  double worst = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < points; i++) {
    double error = error_in_ulp(results[i], f->reference(x[i], y[i]));
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  double exact = (double)f->reference(x[at], y[at]);
  if (getenv("HEDDLE_TEST_VERBOSE") != NULL) {
    fprintf(stderr, "%-28s %8.3f ulp of %g, x = %a, y = %a: %a expected, got %a\n", f->expression, worst, f->allowed,
            x[at], y[at], exact, results[at]);
  }
  cr_expect_leq(worst, f->allowed, "%s with x = %a, y = %a: %a expected, got %a: %.2f ulp, %.1f allowed", f->expression,
                x[at], y[at], exact, results[at], worst, f->allowed);
}

static void expect_small_errors(const struct operands *operands, const struct function *list, int count,
                                uint32_t points) {
  of = operands;
  checked = list;
  evaluate(of, list, sizeof *list, count, of->type, of->bytes, points, results, check_function);
}

#endif
