// SPDX-License-Identifier: Apache-2.0
// Functions of half (cl_khr_fp16), run on the golden model: within a little of correctly rounded, against the host's
// functions in double; and those of vectors.
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/halves.h"
#include "tests/hls/random.h"
#include "tests/hls/vector_functions.h"

static uint16_t halves[HALF_POINTS_MAX];

// ---- functions within their units in the last place

// Distance in ulp of the exact value. Overflow is as good as a value just above the largest half.
static double error_in_ulp(uint16_t got, double exact_value) {
  double value = half_value(got);
  if (isnan(value) || isnan(exact_value))
    return isnan(value) && isnan(exact_value) ? 0 : INFINITY;
  value = isinf(value) ? copysign(65536, value) : value;
  exact_value = fabs(exact_value) > 65536 ? copysign(65536, exact_value) : exact_value;
  int exponent;
  frexp(exact_value, &exponent);
  return fabs(value - exact_value) / ldexp(1, (exact_value == 0 || exponent < -13 ? -13 : exponent) - 11);
}

#define ONE(name, expression)    \
  static double name(double x) { \
    return expression;           \
  }
ONE(ref_acospi, acos(x) / M_PI)
ONE(ref_asinpi, asin(x) / M_PI)
ONE(ref_atanpi, atan(x) / M_PI)
ONE(ref_cospi, !isfinite(x) ? NAN : fmod(fabs(x), 1) == 0.5 ? 0 : cos(M_PI * fmod(x, 2)))
ONE(ref_sinpi, !isfinite(x) ? NAN : fmod(x, 1) == 0 ? 0 * x : sin(M_PI * fmod(x, 2)))
ONE(ref_tanpi, !isfinite(x)              ? NAN
               : fmod(x, 1) == 0         ? 0 * x
               : fmod(fabs(x), 1) == 0.5 ? copysign(INFINITY, fmod(fabs(x), 2) == 0.5 ? x : -x)
                                         : tan(M_PI * fmod(x, 2)))
ONE(ref_exp10, pow(10, x))
ONE(ref_rsqrt, 1 / sqrt(x))
ONE(ref_tgamma, x == -INFINITY || (x < 0 && x == floor(x)) ? NAN : tgamma(x))
ONE(ref_degrees, x * (180 / M_PI))
ONE(ref_radians, x *(M_PI / 180))
ONE(ref_sign, isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : x)
ONE(ref_fract, isnan(x) ? NAN : isinf(x) ? 0 : fmin(x - floor(x), 0x1.ffcp-1))
ONE(ref_frexp, (isfinite(x) ? frexp(x, &(int){0}) : x))
ONE(ref_modf, isinf(x) ? copysign(0, x) : modf(x, &(double){0}))
ONE(ref_cube_root, copysign(cbrt(x), x))
ONE(ref_cube, x * x * x)
ONE(ref_quarter, fmin(fmax(x / 4, 0), 1))
ONE(ref_smoothstep, isnan(x) ? 0 : ref_quarter(x) * ref_quarter(x) * (3 - 2 * ref_quarter(x)))
ONE(ref_clamp, isnan(x) ? 0 : fmin(fmax(x, -1), 3))

static const struct function {
  const char *expression;
  double (*reference)(double x);
  bool is_exact;  // or rounded once
} functions[] = {
    {"ceil(x)", ceil, true},
    {"floor(x)", floor, true},
    {"trunc(x)", trunc, true},
    {"round(x)", round, true},
    {"rint(x)", nearbyint, true},
    {"logb(x)", logb, true},
    {"sign(x)", ref_sign, true},
    {"fract(x, &(half){0})", ref_fract, true},
    {"frexp(x, &(int){0})", ref_frexp, true},
    {"modf(x, &(half){0})", ref_modf, true},
    {"({ half whole; modf(x, &whole); whole; })", trunc, true},
    {"({ half whole; fract(x, &whole); whole; })", floor, true},
    {"isnan(x) ? 0.0h : clamp(x, -1.0h, 3.0h)", ref_clamp, true},
    {"isnan(x) ? 0.0h : smoothstep(0.0h, 4.0h, x)", ref_smoothstep, false},
    {"acos(x)", acos, false},
    {"acosh(x)", acosh, false},
    {"acospi(x)", ref_acospi, false},
    {"asin(x)", asin, false},
    {"asinh(x)", asinh, false},
    {"asinpi(x)", ref_asinpi, false},
    {"atan(x)", atan, false},
    {"atanh(x)", atanh, false},
    {"atanpi(x)", ref_atanpi, false},
    {"cbrt(x)", cbrt, false},
    {"cos(x)", cos, false},
    {"cosh(x)", cosh, false},
    {"cospi(x)", ref_cospi, false},
    {"degrees(x)", ref_degrees, false},
    {"radians(x)", ref_radians, false},
    {"erf(x)", erf, false},
    {"erfc(x)", erfc, false},
    {"exp(x)", exp, false},
    {"exp2(x)", exp2, false},
    {"exp10(x)", ref_exp10, false},
    {"expm1(x)", expm1, false},
    {"log(x)", log, false},
    {"log2(x)", log2, false},
    {"log10(x)", log10, false},
    {"log1p(x)", log1p, false},
    {"rsqrt(x)", ref_rsqrt, false},
    {"sin(x)", sin, false},
    {"sincos(x, &(half){0})", sin, false},
    {"({ half c; sincos(x, &c); c; })", cos, false},
    {"sinh(x)", sinh, false},
    {"sinpi(x)", ref_sinpi, false},
    {"tan(x)", tan, false},
    {"tanh(x)", tanh, false},
    {"tanpi(x)", ref_tanpi, false},
    {"tgamma(x)", ref_tgamma, false},
    {"rootn(x, 3)", ref_cube_root, false},
    {"pown(x, 3)", ref_cube, false},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

// 16 ulp of float are 1/512 of a half's. The extension allows 2 to 4 ulp of half.
static const double ALLOWED = 0.502;

static void expect_within(const char *expression, uint32_t i, double expected) {
  double error = error_in_ulp(halves[i], expected);
  cr_assert_leq(error, ALLOWED, "%s with x = %04x (%a), y = %04x (%a): %a expected, got %04x (%a): %.3f ulp",
                expression, half_in[0][i], half_value(half_in[0][i]), half_in[1][i], half_value(half_in[1][i]),
                expected, halves[i], half_value(halves[i]), error);
}

static void check_function(int index, uint32_t points) {
  const struct function *f = &functions[index];
  for (uint32_t i = 0; i < points; i++) {
    double expected = f->reference(half_value(half_in[0][i]));
    uint16_t bits = half_bits(expected), got = halves[i];
    if (f->is_exact) {
      // The sign of a zero is no matter of the text's for these.
      cr_assert((bits & 0x7FFF) == 0 ? (got & 0x7FFF) == 0 : got == bits || (half_is_nan(bits) && half_is_nan(got)),
                "%s with x = %04x: %04x expected, got %04x", f->expression, half_in[0][i], bits, got);
    } else {
      expect_within(f->expression, i, expected);
    }
  }
}

Test(half_functions, of_every_half_are_within_a_512th_ulp_of_correctly_rounded, .timeout = 3000) {
  half_evaluate(functions, sizeof *functions, FUNCTIONS, "half", half_fill_all(), halves, check_function);
}

static const char *const logarithms_of_gamma[] = {"lgamma(x)", "lgamma_r(x, &(int){0})",
                                                  "({ int sign; lgamma_r(x, &sign); (half)sign; })"};

// The text allows any error here. Next to the zeros of the result there is one in ulp, elsewhere none to speak of.
static void check_lgamma(int index, uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    double x = half_value(half_in[0][i]), expected, got = half_value(halves[i]);
    int sign;
    expected = lgamma_r(x, &sign);
    if (index < 2) {
      cr_assert((isnan(expected) && isnan(got)) || got == expected || error_in_ulp(halves[i], expected) <= ALLOWED ||
                    fabs(got - expected) < 1e-4,
                "%s with x = %a: %a expected, got %a", logarithms_of_gamma[index], x, expected, got);
    } else if (isfinite(x) && isfinite(expected)) {
      cr_assert_eq(got, sign, "sign of gamma(%a): %d expected, got %a", x, sign, got);
    }
  }
}

Test(half_functions, logarithms_of_gamma_have_small_errors_and_signs, .timeout = 600) {
  half_evaluate(logarithms_of_gamma, sizeof *logarithms_of_gamma, 3, "half", half_fill_all(), halves, check_lgamma);
}

#define TWO(name, expression)              \
  static double name(double x, double y) { \
    return expression;                     \
  }
TWO(ref_atan2pi, atan2(x, y) / M_PI)
TWO(ref_powr, x < 0 || (x == 0 && y == 0) || (isinf(x) && y == 0) || (x == 1 && isinf(y)) || isnan(x) || isnan(y)
                  ? NAN
                  : pow(fabs(x), y))
TWO(ref_mix, x + (y - x) * 0.25)
TWO(ref_dot, x *y + x)
TWO(ref_length, sqrt(x *x + y * y))
TWO(ref_distance, sqrt((x - y) * (x - y) + (y - 1) * (y - 1)))

static const struct function_of_two {
  const char *expression;
  double (*reference)(double x, double y);
} of_two[] = {
    {"atan2(x, y)", atan2},
    {"atan2pi(x, y)", ref_atan2pi},
    {"hypot(x, y)", hypot},
    {"pow(x, y)", pow},
    {"powr(x, y)", ref_powr},
    {"isfinite(x) && isfinite(y) ? mix(x, y, 0.25h) : (half)((float)x + ((float)y - (float)x) * 0.25f)", ref_mix},
    {"dot((half2)(x, 1.0h), (half2)(y, x))", ref_dot},
    {"length((half2)(x, y))", ref_length},
    {"distance((half2)(x, y), (half2)(y, 1.0h))", ref_distance},
};
enum { OF_TWO = sizeof of_two / sizeof *of_two };

static void check_function_of_two(int index, uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    expect_within(of_two[index].expression, i,
                  of_two[index].reference(half_value(half_in[0][i]), half_value(half_in[1][i])));
  }
}

Test(half_functions, of_two_halves_are_within_a_512th_ulp_of_correctly_rounded, .timeout = 3000) {
  uint32_t points = half_fill_pairs(is_long_test() ? 60000 : 4096);
  half_evaluate(of_two, sizeof *of_two, OF_TWO, "half", points, halves, check_function_of_two);
}

// ---- vectors

// Scalars are tested above and in half.c.
Test(half_functions, of_vectors_are_those_of_their_elements, .timeout = 3000) {
  for (int i = 0; i < VECTOR_ELEMENTS; i++)
    for (int k = 0; k < 3; k++)
      half_in[k][i] = random_half();
  expect_functions_of_elements(&half_operands);
}

Test(half_functions, of_geometry_take_three_and_four_elements) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global half *out, half two, half six) {\n"
      "  half4 a = (half4)(two, 3.0h, six, 0.0h), b = (half4)(1.0h, two, 3.0h, 4.0h); half3 c = cross(a.xyz, b.xyz);\n"
      "  out[0] = dot(a, b); out[1] = dot(a.xyz, b.xyz); out[2] = length(a); out[3] = length(a.xyz);\n"
      "  out[4] = distance(a, b); out[5] = distance(a.xyz, b.xyz); out[6] = c.x; out[7] = c.y; out[8] = c.z;\n"
      "  half4 n = normalize((half4)(0.0h, 3.0h, two + two, 0.0h)); out[9] = n.y; out[10] = n.z;\n"
      "  out[11] = cross(a, b).z; out[12] = cross(a, b).w; out[13] = dot(two, six); out[14] = length(-six);\n"
      "  out[15] = distance(two, six); out[16] = normalize(-six); out[17] = normalize((half2)(six, 0.0h)).x;\n"
      "  out[18] = normalize((half3)(0.0h, -two, 0.0h)).y; out[19] = dot((half2)(two, six), (half2)(six, two)); }\n";
  static const double expected[] = {26,  26, 7, 7,  0x1.4c8p2, 0x1.a88p1, -3, 0, 1,  0.6,
                                    0.8, 1,  0, 12, 6,         4,         -1, 1, -1, 24};
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  uint16_t out[32] = {0};
  run_kernel(&result,
             &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}, .values = {half_bits(2), half_bits(6)}});
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    cr_expect_eq(out[i], half_bits(expected[i]), "value %zu: %a expected, got %a", i, expected[i], half_value(out[i]));
  result_free(&result);
}
