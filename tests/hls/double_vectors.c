// SPDX-License-Identifier: Apache-2.0
// Functions of vectors of double, run on the golden model, against those of their elements; second results through
// pointers; geometry.
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/doubles.h"
#include "tests/hls/vector_functions.h"

// Scalars are tested in double.c and double_maths.c.
Test(double_vectors, functions_of_vectors_are_those_of_their_elements, .timeout = 3000) {
  for (int i = 0; i < VECTOR_ELEMENTS; i++)
    for (int k = 0; k < 3; k++)
      double_in[k][i] = random_double();
  expect_functions_of_elements(&double_operands);
}

Test(double_vectors, geometry_takes_up_to_four_elements) {
  static const char source[] =
      "kernel void k(global double *out) { double two = out[0], six = out[1];\n"
      "  double4 a = (double4)(two, 3.0, six, 0.0), b = (double4)(1.0, two, 3.0, 4.0); double3 c = cross(a.xyz, "
      "b.xyz);\n"
      "  out[0] = dot(a, b); out[1] = dot(a.xyz, b.xyz); out[2] = length(a); out[3] = length(a.xyz);\n"
      "  out[4] = distance(a, b); out[5] = distance(a.xyz, b.xyz); out[6] = c.x; out[7] = c.y; out[8] = c.z;\n"
      "  double4 n = normalize((double4)(0.0, 3.0, two + two, 0.0)); out[9] = n.y; out[10] = n.z;\n"
      "  out[11] = cross(a, b).z; out[12] = cross(a, b).w; out[13] = dot(two, six); out[14] = length(-six);\n"
      "  out[15] = distance(two, six); out[16] = normalize(-six); out[17] = normalize((double2)(six, 0.0)).x;\n"
      "  out[18] = normalize((double3)(0.0, -two, 0.0)).y; out[19] = dot((double2)(two, six), (double2)(six, two));\n"
      "  out[20] = length((double2)(6e300, 8e300) * (two * 0.5)); }\n";
  const double expected[] = {26, 26, 7,  7, sqrt(27), sqrt(11), -3, 0,  1,  0.6,  0.8,
                             1,  0,  12, 6, 4,        -1,       1,  -1, 24, 1e301};
  struct result result = compile_well(source, "--double", "-cl-std=CL3.0", NULL);
  double out[32] = {2, 6};
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}});
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    cr_expect(fabs(out[i] - expected[i]) <= fabs(expected[i]) * 0x1p-52, "value %zu: %a expected, got %a", i,
              expected[i], out[i]);
  }
  result_free(&result);
}

Test(double_vectors, second_results_come_through_pointers_of_every_address_space) {
  static const char source[] =
      "kernel void k(global double *out, global int *whole) { local double l; private double p; private int n;\n"
      "  double x = out[0]; out[0] = modf(x, &p); out[1] = p; out[2] = fract(x, &l); out[3] = l;\n"
      "  out[4] = sincos(x, out + 5); out[6] = frexp(x, &n); out[7] = n; out[8] = remquo(x, 1.0, whole);\n"
      "  out[9] = lgamma_r(-x, whole + 1); double4 c; double4 s = sincos((double4)(x), &c); out[10] = s.w;\n"
      "  out[11] = c.w; }\n";
  static const char *const versions[] = {"-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int v = 0; v < 2; v++) {
    struct result result = compile_well(source, "--double", versions[v], NULL);
    double out[12] = {2.75}, x = 2.75;
    int whole[2];
    run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}, {whole, sizeof whole}}});
    const double expected[12] = {0.75, 2, 0.75, 2, sin(x), cos(x), 0.6875, 2, -0.25, lgamma(-x), sin(x), cos(x)};
    for (int i = 0; i < 12; i++) {
      cr_expect(fabs(out[i] - expected[i]) <= 1e-15, "%s, value %d: %a expected, got %a", versions[v], i, expected[i],
                out[i]);
    }
    cr_expect_eq(whole[0], 3);
    cr_expect_eq(whole[1], -1);
    result_free(&result);
  }
}
