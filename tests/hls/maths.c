// SPDX-License-Identifier: Apache-2.0
// Maths functions, run on the golden model, against the host's in double, and the edge cases of section 7.5.1 that
// libraries miss.
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef float number;
typedef double real;
#define REAL(name) name
#define NUMBER(name) name##f
#define ONLY_OF_FLOAT
enum { DIGITS = 24, EXPONENT_MAX = 128 };

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/maths_checks.h"

Test(maths, errors_are_within_the_full_profile, .timeout = 3000) {
  const struct operands operands = {.type = "float", .integer = "int", .bytes = 4};
  expect_small_errors(&operands, is_long_test() ? CHECKED_POINTS_MAX : 2048);
}

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}

// Evaluates float expressions, one after the other, on one work-item.
static void expect_bits(const char *const expressions[][2], int count) {
  char source[8192];
  int used = snprintf(source, sizeof source, "kernel void k(global float *out, float zero) {\n");
  for (int i = 0; i < count; i++) {
    used += snprintf(source + used, sizeof source - (size_t)used, "out[%d] = %s; out[%d] = %s;\n", 2 * i,
                     expressions[i][0], 2 * i + 1, expressions[i][1]);
  }
  snprintf(source + used, sizeof source - (size_t)used, "}\n");
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  float out[128];
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}});
  for (int i = 0; i < count; i++) {
    cr_expect(bits_of(out[2 * i]) == bits_of(out[2 * i + 1]) || (isnan(out[2 * i]) && isnan(out[2 * i + 1])),
              "%s: %a expected, got %a", expressions[i][0], out[2 * i + 1], out[2 * i]);
  }
  result_free(&result);
}

// zero is not known to the compiler, so that nothing is computed by it.
Test(maths, edge_cases_are_those_of_the_specification) {
  static const char *const cases[][2] = {
      {"sinpi(zero - 0.0f)", "0.0f"},
      {"sinpi(zero - 3.0f)", "-0.0f"},
      {"sinpi(zero + 3.0f)", "0.0f"},
      {"cospi(zero + 2.5f)", "0.0f"},
      {"tanpi(zero - 2.0f)", "-0.0f"},
      {"tanpi(zero + 1.0f)", "-0.0f"},
      {"tanpi(zero + 0.5f)", "INFINITY"},
      {"tanpi(zero + 1.5f)", "-INFINITY"},
      {"tgamma(copysign(zero, -1.0f))", "-INFINITY"},
      {"tgamma(zero - 3.0f)", "NAN"},
      {"lgamma(zero - INFINITY)", "INFINITY"},
      {"lgamma_r(zero - INFINITY, &(int){0})", "INFINITY"},
      {"lgamma((float2)(zero - INFINITY)).y", "INFINITY"},
      // For these the text allows any error; infinity is none of the errors that programs expect.
      {"fabs(lgamma(zero - 0x1p-66f) - 45.7477139f) < 1e-4f ? 1.0f : 0.0f", "1.0f"},
      {"fabs(lgamma_r(zero - 0x1.8p-65f, &(int){0}) - 44.6491016f) < 1e-4f ? 1.0f : 0.0f", "1.0f"},
      {"fabs(lgamma((float2)(zero - 0x1p-69f)).y - 47.8271555f) < 1e-4f ? 1.0f : 0.0f", "1.0f"},
      {"({ int s; lgamma_r(zero - 0x1p-66f, &s); (float)s; })", "-1.0f"},
      {"({ int s; lgamma_r(zero + 0x1p-66f, &s); (float)s; })", "1.0f"},
      {"remainder(zero - 6.0f, 3.0f)", "-0.0f"},
      {"fmod(zero - 6.0f, 3.0f)", "-0.0f"},
      {"pown(copysign(zero, -1.0f), -3)", "-INFINITY"},
      {"rootn(zero - 27.0f, 3)", "-3.0f"},
      {"ldexp(zero + 1.0f, -149)", "0x1p-149f"},
      {"exp2(zero - 149.0f)", "0x1p-149f"},
      {"exp(zero - 100.0f)", "0x1.bp-145f"},
      {"fract(zero - 0x1p-30f, &(float){0})", "0x1.fffffep-1f"},
      {"fract(copysign(zero, -1.0f), &(float){0})", "-0.0f"},
      {"fract(zero - INFINITY, &(float){0})", "-0.0f"},
      {"nan(7u)", "NAN"},
      {"maxmag(zero - 3.0f, 2.0f)", "-3.0f"},
      {"minmag(zero - 3.0f, 2.0f)", "2.0f"},
      {"fma(zero + 0x1.000002p0f, 0x1.000002p0f, -0x1.000004p0f)", "0x1p-46f"},
      {"fma(zero + 0x1p-149f, 0x1p-1f, 0x1p-149f)", "0x1p-148f"},
      {"half_sqrt(zero + 4.0f)", "2.0f"},
      {"native_divide(zero + 4.0f, 2.0f)", "2.0f"},
      {"length((float2)(3.0f, zero + 4.0f))", "5.0f"},
      {"dot((float4)(1.0f, 2.0f, 3.0f, zero + 4.0f), (float4)(1.0f))", "10.0f"},
      {"cross((float3)(1.0f, zero, 0.0f), (float3)(0.0f, 1.0f, 0.0f)).z", "1.0f"},
      {"smoothstep(0.0f, 2.0f, zero + 1.0f)", "0.5f"},
      {"mix(zero + 1.0f, 3.0f, 0.5f)", "2.0f"},
      {"clamp(zero + 9.0f, 1.0f, 3.0f)", "3.0f"},
      {"sign(zero - 9.0f)", "-1.0f"},
      {"step(zero + 1.0f, 0.5f)", "0.0f"},
      {"degrees(zero + M_PI_F)", "180.0f"},
  };
  expect_bits(cases, sizeof cases / sizeof *cases);
}

Test(maths, second_results_come_through_pointers_of_every_address_space) {
  static const char source[] =
      "kernel void k(global float *out, global int *whole, float x) { local float l; private float p; private int n;\n"
      "  out[0] = modf(x, &p); out[1] = p; out[2] = fract(x, &l); out[3] = l; out[4] = sincos(x, out + 5);\n"
      "  out[6] = frexp(x, &n); out[7] = n; out[8] = remquo(x, 1.0f, whole); out[9] = lgamma_r(-x, whole + 1);\n"
      "  float4 c; float4 s = sincos((float4)(x), &c); out[10] = s.w; out[11] = c.w; }\n";
  static const char *const versions[] = {"-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int v = 0; v < 2; v++) {
    struct result result = compile_well(source, versions[v], NULL);
    float out[12], x = 2.75f;
    int whole[2];
    uint32_t bits = bits_of(x);
    run_kernel(&result, &(struct dispatch){
                            .kernel = "k", .buffers = {{out, sizeof out}, {whole, sizeof whole}}, .values = {bits}});
    const float expected[12] = {0.75f,   2, 0.75f,  2,           sinf(x), cosf(x),
                                0.6875f, 2, -0.25f, lgammaf(-x), sinf(x), cosf(x)};
    for (int i = 0; i < 12; i++) {
      cr_expect_float_eq(out[i], expected[i], 3e-6f, "%s, value %d: %a expected, got %a", versions[v], i, expected[i],
                         out[i]);
    }
    cr_expect_eq(whole[0], 3);
    cr_expect_eq(whole[1], -1);
    result_free(&result);
  }
}
