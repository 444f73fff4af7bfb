// SPDX-License-Identifier: Apache-2.0
// Maths functions of double, run on the golden model, against the host's in long double: errors in units in the last
// place (ulp) within what the full profile of OpenCL C 3.0 allows (section 7.4).
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/hls/doubles.h"

typedef long double real;

// Distance in ulp of the exact value. Overflow is as good as a value just above the largest double; a zero of the wrong
// sign is nothing.
static double error_in_ulp(double got, real exact) {
  const real beyond = ldexpl(1, 1024);
  if (isnan(got) || isnan(exact)) {
    return isnan(got) && isnan(exact) ? 0 : INFINITY;
  }
  if (got == 0 && exact == 0 && !signbit(got) != !signbit(exact)) {
    return INFINITY;
  }
  real value = isinf(got) ? copysignl(beyond, got) : (real)got;
  if (fabsl(exact) > beyond) {
    exact = copysignl(beyond, exact);
  }
  int exponent;
  frexpl(exact, &exponent);
  real ulp = ldexpl(1, (exact == 0 || exponent < -1021 ? -1021 : exponent) - 53);
  return (double)(fabsl(value - exact) / ulp);
}

static const real pi = 3.14159265358979323846264338327950288L;

static real half_turns(real (*function)(real), real x) {
  // Near a zero the rest is exact, and so the error is that of the function.
  return isfinite(x) ? function(pi * x) : (real)NAN;
}

// |x| less whole turns, and less half a turn where that is nearer: sin and cos change their signs.
static real reduced(real x, int *halves) {
  real turned = fmodl(x, 2), nearest = rintl(turned);
  *halves = (int)nearest;
  return turned - nearest;
}

static real ref_sinpi(real x, real y) {
  (void)y;
  int halves = 0;
  real rest = isfinite(x) ? reduced(x, &halves) : x;
  if (rest == 0) {
    return copysignl(0, x);  // of each whole number
  }
  real result = fabsl(rest) == 0.5L ? copysignl(1, rest) : half_turns(sinl, rest);
  return halves % 2 != 0 ? -result : result;
}

static real ref_cospi(real x, real y) {
  (void)y;
  int halves = 0;
  real rest = isfinite(x) ? reduced(x, &halves) : x;
  if (fabsl(rest) == 0.5L) {
    return 0;
  }
  // Next to a quarter turn: the sine of what is missing.
  real result = fabsl(rest) > 0.25L ? half_turns(sinl, 0.5L - fabsl(rest)) : half_turns(cosl, rest);
  return halves % 2 != 0 ? -result : result;
}

static real ref_tanpi(real x, real y) {
  if (isfinite(x) && fmodl(fabsl(x), 1) == 0.5L) {
    return copysignl((real)INFINITY, fmodl(fabsl(x), 2) == 0.5L ? x : -x);
  }
  return ref_sinpi(x, y) / ref_cospi(x, y);
}

#define ONE(name, expression)              \
  static real ref_##name(real x, real y) { \
    (void)y;                               \
    return expression;                     \
  }
ONE(acos, acosl(x))
ONE(acosh, acoshl(x))
ONE(acospi, acosl(x) / pi)
ONE(asin, asinl(x))
ONE(asinh, asinhl(x))
ONE(asinpi, asinl(x) / pi)
ONE(atan, atanl(x))
ONE(atanh, atanhl(x))
ONE(atanpi, atanl(x) / pi)
ONE(cbrt, cbrtl(x))
ONE(cos, cosl(x))
ONE(cosh, coshl(x))
ONE(degrees, x * (180 / pi))
ONE(erf, erfl(x))
ONE(erfc, erfcl(x))
ONE(exp, expl(x))
ONE(exp2, exp2l(x))
ONE(exp10, powl(10, x))
ONE(expm1, expm1l(x))
ONE(log, logl(x))
ONE(log2, log2l(x))
ONE(log10, log10l(x))
ONE(log1p, log1pl(x))
ONE(radians, x *(pi / 180))
ONE(rsqrt, 1 / sqrtl(x))
ONE(sin, sinl(x))
ONE(sinh, sinhl(x))
ONE(sqrt, sqrtl(x))
ONE(tan, tanl(x))
ONE(tanh, tanhl(x))
ONE(tgamma, x == -(real)INFINITY || (x < 0 && x == floorl(x)) ? (real)NAN : tgammal(x))
ONE(rootn, copysignl(cbrtl(x), x))
ONE(rootn4, x < 0 ? (real)NAN : powl(fabsl(x), 0.25L))
ONE(length, sqrtl(x *x + 9))
#define TWO(name, expression)              \
  static real ref_##name(real x, real y) { \
    return expression;                     \
  }
TWO(atan2, atan2l(x, y))
TWO(atan2pi, atan2l(x, y) / pi)
TWO(hypot, hypotl(x, y))
TWO(pow, powl(x, y))
TWO(powr, x < 0 || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)) || isnan(x) || isnan(y)
              ? (real)NAN
              : powl(fabsl(x), y))
TWO(pown, powl(x, isnan(y) ? -40 : (int)fmaxl(fminl(y, 40), -40)))

static const struct function {
  const char *expression;  // in OpenCL C, of x and y
  real (*reference)(real x, real y);
  double allowed;  // ulp
} functions[] = {
    {"sqrt(x)", ref_sqrt, 0.5003},  // correctly rounded, but for the reference's own error
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
    {"length((double2)(x, 3.0))", ref_length, 7.5},
    {"log(x)", ref_log, 3},
    {"log2(x)", ref_log2, 3},
    {"log10(x)", ref_log10, 3},
    {"log1p(x)", ref_log1p, 2},
    {"pow(x, y)", ref_pow, 16},
    {"powr(x, y)", ref_powr, 16},
    {"pown(x, isnan(y) ? -40 : (int)clamp(y, -40.0, 40.0))", ref_pown, 16},
    {"radians(x)", ref_radians, 2},
    {"rootn(x, 3)", ref_rootn, 16},
    {"rootn(x, 4)", ref_rootn4, 16},
    {"sin(x)", ref_sin, 4},
    {"sincos(x, &(double){0})", ref_sin, 4},
    {"({ double c; sincos(x, &c); c; })", ref_cos, 4},
    {"sinh(x)", ref_sinh, 4},
    {"sinpi(x)", ref_sinpi, 4},
    {"tan(x)", ref_tan, 5},
    {"tanh(x)", ref_tanh, 5},
    {"tanpi(x)", ref_tanpi, 6},
    {"tgamma(x)", ref_tgamma, 16},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static double results[DOUBLE_POINTS_MAX];

static void check_function(int index, uint32_t points) {
  const struct function *f = &functions[index];
  double worst = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < points; i++) {
    double error = error_in_ulp(results[i], f->reference(double_in[0][i], double_in[1][i]));
    if (error > worst) {
      worst = error;
      at = i;
    }
  }
  if (getenv("HEDDLE_TEST_VERBOSE") != NULL) {
    fprintf(stderr, "%-28s %8.3f ulp of %g, x = %a, y = %a, got %a, expected %La\n", f->expression, worst, f->allowed,
            double_in[0][at], double_in[1][at], results[at], f->reference(double_in[0][at], double_in[1][at]));
  }
  cr_expect_leq(worst, f->allowed, "%s with x = %a, y = %a: %La expected, got %a: %.2f ulp, %.1f allowed",
                f->expression, double_in[0][at], double_in[1][at], f->reference(double_in[0][at], double_in[1][at]),
                results[at], worst, f->allowed);
}

Test(double_maths, errors_are_within_the_full_profile, .timeout = 3000) {
  uint32_t points = double_points(4096);
  double_fill(points);
  double_evaluate(functions, sizeof *functions, FUNCTIONS, "double", 8, points, results, check_function);
}
