// SPDX-License-Identifier: Apache-2.0
// Double as a type (cl_khr_fp64, heddlec --double): operators, and functions whose result is correctly rounded or no
// double, run on the golden model and compared bit for bit with the host's.
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/doubles.h"
#include "tests/hls/truths.h"

// ---- correctly rounded, or exact

#define EXACT(name, expression)                            \
  static double ref_##name(double x, double y, double z) { \
    (void)x, (void)y, (void)z;                             \
    return expression;                                     \
  }
static bool comes_before(double x, double y) {
  return x < y || (x == y && signbit(x) && !signbit(y));
}
static double least(double x, double y) {
  return isnan(x) ? y : isnan(y) || comes_before(x, y) ? x : y;
}
static double most(double x, double y) {
  return isnan(x) ? y : isnan(y) || comes_before(y, x) ? x : y;
}
static double fraction(double x, double *whole) {
  *whole = floor(x);
  return isinf(x) ? copysign(0, x) : isnan(x) ? x : x == 0 ? x : fmin(x - *whole, 0x1.fffffffffffffp-1);
}
EXACT(add, x + y)
EXACT(subtract, x - y)
EXACT(multiply, x *y)
EXACT(divide, x / y)
EXACT(negate, -x)
EXACT(sqrt, sqrt(x))
EXACT(fma, fma(x, y, z))
EXACT(mad, x *y + z)
EXACT(fabs, fabs(x))
EXACT(ceil, ceil(x))
EXACT(floor, floor(x))
EXACT(trunc, trunc(x))
EXACT(round, round(x))
EXACT(rint, rint(x))
EXACT(copysign, copysign(x, y))
EXACT(fmin, least(x, y))
EXACT(fmax, most(x, y))
EXACT(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : most(x, y))
EXACT(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : least(x, y))
EXACT(fdim, isnan(x) || isnan(y) ? NAN : x > y ? x - y : 0)
EXACT(fmod, fmod(x, y))
EXACT(remainder, remainder(x, y))
EXACT(nextafter, nextafter(x, y))
EXACT(ldexp, ldexp(x, (int)(double_bits(y) >> 40) % 2300))
EXACT(frexp, isfinite(x) ? frexp(x, &(int){0}) : x)
EXACT(modf, modf(x, &(double){0}))
EXACT(modf_whole, (modf(x, &y), y))
EXACT(fract, fraction(x, &y))
EXACT(fract_whole, (fraction(x, &y), y))
EXACT(logb, logb(x))
EXACT(sign, isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
EXACT(step, y < x ? 0 : 1)
EXACT(select, double_bits(z) != 0 ? y : x)
EXACT(bitselect, double_of((double_bits(x) & ~double_bits(z)) | (double_bits(y) & double_bits(z))))
EXACT(nan, NAN)
EXACT(lgamma_if_infinite, isinf(x) ? INFINITY : 0)
EXACT(to_float_and_back, (float)x)
// Two roundings, as the text allows for contractions; none is made (docs/decisions/double.md).
EXACT(not_contracted, ({
        volatile double product = x * y;
        product + z;
      }))

static const struct exact {
  const char *expression;
  double (*reference)(double x, double y, double z);
} exact[] = {
    {"x + y", ref_add},
    {"x - y", ref_subtract},
    {"x * y", ref_multiply},
    {"x / y", ref_divide},
    {"-x", ref_negate},
    {"x * y + z", ref_not_contracted},
    {"sqrt(x)", ref_sqrt},
    {"fma(x, y, z)", ref_fma},
    {"mad(x, y, z)", ref_mad},
    {"fabs(x)", ref_fabs},
    {"ceil(x)", ref_ceil},
    {"floor(x)", ref_floor},
    {"trunc(x)", ref_trunc},
    {"round(x)", ref_round},
    {"rint(x)", ref_rint},
    {"copysign(x, y)", ref_copysign},
    {"fmin(x, y)", ref_fmin},
    {"fmax(x, y)", ref_fmax},
    {"isnan(x) || isnan(y) ? fmin(x, y) : min(x, y)", ref_fmin},
    {"isnan(x) || isnan(y) ? fmax(x, y) : max(x, y)", ref_fmax},
    {"maxmag(x, y)", ref_maxmag},
    {"minmag(x, y)", ref_minmag},
    {"fdim(x, y)", ref_fdim},
    {"fmod(x, y)", ref_fmod},
    {"remainder(x, y)", ref_remainder},
    {"remquo(x, y, &(int){0})", ref_remainder},
    {"nextafter(x, y)", ref_nextafter},
    {"ldexp(x, (int)(as_ulong(y) >> 40) % 2300)", ref_ldexp},
    {"frexp(x, &(int){0})", ref_frexp},
    {"modf(x, &(double){0})", ref_modf},
    {"({ double w; modf(x, &w); w; })", ref_modf_whole},
    {"fract(x, &(double){0})", ref_fract},
    {"({ double w; fract(x, &w); w; })", ref_fract_whole},
    {"logb(x)", ref_logb},
    {"sign(x)", ref_sign},
    {"isnan(x) || isnan(y) ? 1.0 : step(x, y)", ref_step},
    {"select(x, y, as_long(z))", ref_select},
    {"select(x, y, as_ulong(z))", ref_select},
    {"bitselect(x, y, z)", ref_bitselect},
    {"nan(as_ulong(x))", ref_nan},
    {"isinf(x) ? lgamma(x) : 0.0", ref_lgamma_if_infinite},
    {"isinf(x) ? lgamma_r(x, &(int){0}) : 0.0", ref_lgamma_if_infinite},
    {"(double)(float)x", ref_to_float_and_back},
    {"convert_double(convert_float_rte(x))", ref_to_float_and_back},
    {"dot(x, y)", ref_multiply},
    {"distance(x, y)", ref_subtract},
};
enum { EXACTS = sizeof exact / sizeof *exact };

static double doubles[DOUBLE_POINTS_MAX];

static void check_exact(int index, uint32_t points) {
  const struct exact *e = &exact[index];
  for (uint32_t i = 0; i < points; i++) {
    double x = double_in[0][i], y = double_in[1][i], z = double_in[2][i], got = doubles[i];
    double expected = e->reference(x, y, z);
    if (strncmp(e->expression, "distance", 8) == 0)
      expected = fabs(expected);
    cr_expect(double_is_same(got, expected), "%s with x = %a, y = %a, z = %a: %a expected, got %a", e->expression, x, y,
              z, expected, got);
    if (!double_is_same(got, expected))
      break;
    // What moves no bits only computes quiet NaNs.
    cr_expect(!isnan(got) || (double_bits(got) & 0x0008000000000000) != 0 || strstr(e->expression, "select") ||
                  strchr("-fc", *e->expression),
              "%s with x = %a, y = %a, z = %a: a signalling NaN", e->expression, x, y, z);
  }
}

Test(double, operators_and_exact_functions_are_correctly_rounded, .timeout = 3000) {
  uint32_t points = double_points(8192);
  double_fill(points);
  double_evaluate(exact, sizeof *exact, EXACTS, "double", 8, points, doubles, check_exact);
}

// ---- what gives an int

static int quotient(double x, double y) {
  int n;
  (void)remquo(x, y, &n);
  // Seven bits of it and its sign.
  return !isfinite(x) || isnan(y) || y == 0 ? 0 : n < 0 ? -(-n & 7) : n & 7;
}
static int exponent(double x) {
  int e = 0;
  return isfinite(x) && frexp(x, &e) != 2 ? e : 0;  // no fraction is 2
}
TRUTH(normal, isnormal(x))
TRUTH(signbit, signbit(x) != 0)
TRUTH(ilogb, isnan(x) ? INT32_MAX : x == 0 ? -INT32_MAX : isinf(x) ? INT32_MAX : ilogb(x))
TRUTH(exponent, exponent(x))
TRUTH(quotient, quotient(x, y))

static const struct truth truths[] = {
    {"isnormal(x)", is_normal},
    {"signbit(x)", is_signbit},
    {"isnan(x) ? INT_MAX : x == 0.0 && ilogb(x) == FP_ILOGB0 ? -INT_MAX : ilogb(x)", is_ilogb},
    {"({ int e; frexp(x, &e); isfinite(x) ? e : 0; })", is_exponent},
    {"({ int q; remquo(x, y, &q); !isfinite(x) || isnan(y) || y == 0.0 ? 0 : q < 0 ? -(-q & 7) : q & 7; })",
     is_quotient},
};
enum { TRUTHS = sizeof truths / sizeof *truths };

Test(double, comparisons_classes_and_exponents, .timeout = 3000) {
  uint32_t points = double_points(4096);
  double_fill(points);
  expect_comparisons(&double_operands, points);
  expect_truths(&double_operands, truths, TRUTHS, points);
}
