// SPDX-License-Identifier: Apache-2.0
// Functions of vectors of double, run on the golden model, against those of their elements; second results through
// pointers; geometry.
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/doubles.h"

static const char *const of_vectors[] = {
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "-x",
    "fma(x, y, z)",
    "mad(x, y, z)",
    "acos(x)",
    "acosh(x)",
    "acospi(x)",
    "asin(x)",
    "asinh(x)",
    "asinpi(x)",
    "atan(x)",
    "atan2(x, y)",
    "atan2pi(x, y)",
    "atanh(x)",
    "atanpi(x)",
    "cbrt(x)",
    "ceil(x)",
    "clamp(x, -fabs(y), fabs(y))",
    "clamp(x, -1.0, 1.0)",
    "copysign(x, y)",
    "cos(x)",
    "cosh(x)",
    "cospi(x)",
    "degrees(x)",
    "erf(x)",
    "erfc(x)",
    "exp(x)",
    "exp10(x)",
    "exp2(x)",
    "expm1(x)",
    "fabs(x)",
    "fdim(x, y)",
    "floor(x)",
    "fmax(x, y)",
    "fmax(x, 1.0)",
    "fmin(x, y)",
    "fmin(x, 1.0)",
    "fmod(x, y)",
    "hypot(x, y)",
    "ldexp(x, 3)",
    "lgamma(x)",
    "log(x)",
    "log10(x)",
    "log1p(x)",
    "log2(x)",
    "logb(x)",
    "max(x, y)",
    "max(x, 1.0)",
    "maxmag(x, y)",
    "min(x, y)",
    "min(x, 1.0)",
    "minmag(x, y)",
    "mix(x, y, z)",
    "mix(x, y, 0.5)",
    "nextafter(x, y)",
    "pow(x, y)",
    "powr(x, y)",
    "radians(x)",
    "remainder(x, y)",
    "rint(x)",
    "round(x)",
    "rsqrt(x)",
    "sign(x)",
    "sin(x)",
    "sinh(x)",
    "sinpi(x)",
    "smoothstep(x, y, z)",
    "smoothstep(0.0, 2.0, x)",
    "sqrt(x)",
    "step(x, y)",
    "step(1.0, x)",
    "tan(x)",
    "tanh(x)",
    "tanpi(x)",
    "tgamma(x)",
    "trunc(x)",
    "bitselect(x, y, z)",
    // With a vector of the width at the place of each N.
    "frexp(x, &(intN){(intN)0})",
    "lgamma_r(x, &(intN){(intN)0})",
    "modf(x, &(doubleN){(doubleN)0})",
    "fract(x, &(doubleN){(doubleN)0})",
    "sincos(x, &(doubleN){(doubleN)0})",
    "remquo(x, y, &(intN){(intN)0})",
    "ldexp(x, (intN)(-2))",
    "pown(x, (intN)(3))",
    "rootn(x, (intN)(3))",
    "select(x, y, (longN)(as_longN(z) >> (longN)63))",
    "select(x, y, (ulongN)(as_ulongN(z) & (ulongN)(1ul << 63)))",
    "nan(as_ulongN(x))",
    "convert_doubleN(x)",
    "convert_doubleN(convert_floatN(x))",
    "convert_doubleN_rtp(convert_longN_sat_rtn(x))",
    "convert_doubleN_rtz(convert_ulongN_sat_rte(x))",
    "({ doubleN w; modf(x, &w); w; })",
    "({ doubleN w; fract(x, &w); w; })",
    "({ doubleN c; sincos(x, &c); c; })",
    "({ intN e; frexp(x, &e); convert_doubleN(e); })",
    "({ intN q; remquo(x, y, &q); convert_doubleN(q); })",
    "convert_doubleN(ilogb(x))",
    "convert_doubleN(isless(x, y))",
    "convert_doubleN(isnotequal(x, y))",
    "convert_doubleN(isgreater(x, y))",
    "convert_doubleN(isgreaterequal(x, y))",
    "convert_doubleN(islessequal(x, y))",
    "convert_doubleN(isequal(x, y))",
    "convert_doubleN(islessgreater(x, y))",
    "convert_doubleN(isordered(x, y))",
    "convert_doubleN(isunordered(x, y))",
    "convert_doubleN(isfinite(x))",
    "convert_doubleN(isinf(x))",
    "convert_doubleN(isnan(x))",
    "convert_doubleN(isnormal(x))",
    "convert_doubleN(signbit(x))",
};
enum { OF_VECTORS = sizeof of_vectors / sizeof *of_vectors, ELEMENTS = 48, WIDTHS = 6, VECTOR_BATCH = 8 };
static const char *const widths[WIDTHS] = {"", "2", "3", "4", "8", "16"};

// Kernel k<index>_<width>.
static int add_kernel(char *source, int index, const char *width) {
  char text[1024];
  int used = 0;
  snprintf(text, sizeof text,
           "kernel void k%d_N(global const double *a, global const double *b, global const double *c, global double "
           "*out) {\n  size_t i = get_global_id(0); doubleN x = vloadN(i, a), y = vloadN(i, b), z = vloadN(i, c);\n"
           "  vstoreN(%s, i, out); }\n",
           index, of_vectors[index]);
  for (const char *c = text; *c != 0; c++) {
    used += *c == 'N' ? sprintf(source + used, "%s", width) : sprintf(source + used, "%c", *c);
  }
  return used;
}

static void run_width(const struct result *result, int index, int w, double *out) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "k%d_%s", index, widths[w]);
  run_kernel(result, &(struct dispatch){.kernel = kernel,
                                        .global = {ELEMENTS / (w == 0 ? 1 : (uint32_t)atoi(widths[w]))},
                                        .local = {1},
                                        .buffers = {{double_in[0], ELEMENTS * 8},
                                                    {double_in[1], ELEMENTS * 8},
                                                    {double_in[2], ELEMENTS * 8},
                                                    {out, ELEMENTS * 8}}});
}

// Scalars are tested in double.c and double_maths.c; a vector's elements are what they are, but that truth is -1 there.
static void expect_elements(const struct result *result, int index) {
  double scalars[ELEMENTS], elements[ELEMENTS];
  bool is_truth = strstr(of_vectors[index], "(is") != NULL || strstr(of_vectors[index], "signbit") != NULL;
  run_width(result, index, 0, scalars);
  for (int w = 1; w < WIDTHS; w++) {
    run_width(result, index, w, elements);
    for (int e = 0; e < ELEMENTS; e++) {
      double expected = is_truth && scalars[e] == 1 ? -1 : scalars[e];
      cr_assert(double_is_same(elements[e], expected), "%s of width %s, element %d of %a, %a, %a: %a expected, got %a",
                of_vectors[index], widths[w], e, double_in[0][e], double_in[1][e], double_in[2][e], expected,
                elements[e]);
    }
  }
}

Test(double_vectors, functions_of_vectors_are_those_of_their_elements, .timeout = 3000) {
  static char source[1 << 17];
  for (int i = 0; i < ELEMENTS; i++) {
    for (int k = 0; k < 3; k++) {
      double_in[k][i] = random_double();
    }
  }
  for (int first = 0; first < OF_VECTORS; first += VECTOR_BATCH) {
    int end = first + VECTOR_BATCH < OF_VECTORS ? first + VECTOR_BATCH : OF_VECTORS;
    int used = snprintf(source, sizeof source, "#define vload(i, p) (p)[i]\n#define vstore(v, i, p) (p)[i] = (v)\n");
    for (int i = first; i < end; i++) {
      for (int w = 0; w < WIDTHS; w++) {
        used += add_kernel(source + used, i, widths[w]);
      }
    }
    struct result result = compile_well(source, "--double", "-cl-std=CL3.0", NULL);
    for (int i = first; i < end; i++) {
      expect_elements(&result, i);
    }
    result_free(&result);
  }
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
  static const char *const versions[] = {"-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0"};
  for (int v = 0; v < 3; v++) {
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
