// SPDX-License-Identifier: Apache-2.0
#include "tests/hls/vector_functions.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"

// N stands for the width, T for the type, I for the integer type of its size.
static const char *const functions[] = {
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
    "clamp(x, (T)-1, (T)1)",
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
    "fmax(x, (T)1)",
    "fmin(x, y)",
    "fmin(x, (T)1)",
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
    "max(x, (T)1)",
    "maxmag(x, y)",
    "min(x, y)",
    "min(x, (T)1)",
    "minmag(x, y)",
    "mix(x, y, z)",
    "mix(x, y, (T)0.5f)",
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
    "smoothstep((T)0, (T)2, x)",
    "sqrt(x)",
    "step(x, y)",
    "step((T)1, x)",
    "tan(x)",
    "tanh(x)",
    "tanpi(x)",
    "tgamma(x)",
    "trunc(x)",
    "bitselect(x, y, z)",
    "frexp(x, &(intN){(intN)0})",
    "lgamma_r(x, &(intN){(intN)0})",
    "modf(x, &(TN){(TN)0})",
    "fract(x, &(TN){(TN)0})",
    "sincos(x, &(TN){(TN)0})",
    "remquo(x, y, &(intN){(intN)0})",
    "ldexp(x, (intN)(-2))",
    "pown(x, (intN)(3))",
    "rootn(x, (intN)(3))",
    "select(x, y, (IN)(as_IN(z) >> (IN)(sizeof(I) * 8 - 1)))",
    "select(x, y, (uIN)(as_uIN(z) & (uIN)((uI)1 << (sizeof(I) * 8 - 1))))",
    "nan(as_uIN(x))",
    "convert_TN(x)",
    "convert_TN(convert_floatN(x))",
    "convert_TN_rtp(convert_intN_sat_rtn(x))",
    "convert_TN_rtp(convert_longN_sat_rtn(x))",
    "convert_TN_rtz(convert_ulongN_sat_rte(x))",
    "({ TN w; modf(x, &w); w; })",
    "({ TN w; fract(x, &w); w; })",
    "({ TN c; sincos(x, &c); c; })",
    "({ intN e; frexp(x, &e); convert_TN(e); })",
    "({ intN q; remquo(x, y, &q); convert_TN(q); })",
    "convert_TN(ilogb(x))",
    "convert_TN(isless(x, y))",
    "convert_TN(isnotequal(x, y))",
    "convert_TN(isgreater(x, y))",
    "convert_TN(isgreaterequal(x, y))",
    "convert_TN(islessequal(x, y))",
    "convert_TN(isequal(x, y))",
    "convert_TN(islessgreater(x, y))",
    "convert_TN(isordered(x, y))",
    "convert_TN(isunordered(x, y))",
    "convert_TN(isfinite(x))",
    "convert_TN(isinf(x))",
    "convert_TN(isnan(x))",
    "convert_TN(isnormal(x))",
    "convert_TN(signbit(x))",
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, WIDTHS = 6, BATCH = 8, SOURCE_BYTES = 1 << 17 };
static const char *const widths[WIDTHS] = {"", "2", "3", "4", "8", "16"};

static const struct operands *of;

// Adds kernel k<index>_<width>, and returns its length.
static int add_kernel(char *source, int index, int w) {
  char text[1024];
  snprintf(text, sizeof text,
           "kernel void k%d_N(global const T *a, global const T *b, global const T *c, global T *out) {\n"
           "  size_t i = get_global_id(0); TN x = vloadN(i, a), y = vloadN(i, b), z = vloadN(i, c);\n"
           "  vstoreN(%s, i, out); }\n",
           index, functions[index]);
  int used = 0;
  for (const char *c = text; *c != 0; c++)
    if (*c == 'N' || *c == 'T' || *c == 'I')
      used += sprintf(source + used, "%s", *c == 'N' ? widths[w] : *c == 'T' ? of->type : of->integer);
    else
      source[used++] = *c;
  source[used] = 0;
  return used;
}

static void run_width(const struct result *result, int index, int w, void *out) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "k%d_%s", index, widths[w]);
  const size_t bytes = VECTOR_ELEMENTS * of->bytes;
  run_kernel(result,
             &(struct dispatch){.kernel = kernel,
                                .global = {VECTOR_ELEMENTS / (w == 0 ? 1 : (uint32_t)atoi(widths[w]))},
                                .local = {1},
                                .buffers = {{of->in[0], bytes}, {of->in[1], bytes}, {of->in[2], bytes}, {out, bytes}}});
}

// A vector's elements are what scalars are, but that truth is -1 there.
static void expect_elements(const struct result *result, int index) {
  unsigned char scalars[VECTOR_ELEMENTS * 8], elements[VECTOR_ELEMENTS * 8];
  bool is_truth = strstr(functions[index], "(is") || strstr(functions[index], "signbit");
  run_width(result, index, 0, scalars);
  for (int w = 1; w < WIDTHS; w++) {
    run_width(result, index, w, elements);
    for (size_t e = 0; e < VECTOR_ELEMENTS; e++) {
      size_t at = e * of->bytes;
      double expected = of->value_of(scalars + at), got = of->value_of(elements + at);
      expected = is_truth && expected == 1 ? -1 : expected;
      cr_assert((isnan(got) && isnan(expected)) || (got == expected && !signbit(got) == !signbit(expected)),
                "%s of width %s, element %zu of %a, %a, %a: %a expected, got %a", functions[index], widths[w], e,
                of->value_of((const char *)of->in[0] + at), of->value_of((const char *)of->in[1] + at),
                of->value_of((const char *)of->in[2] + at), expected, got);
    }
  }
}

void expect_functions_of_elements(const struct operands *operands) {
  static char source[SOURCE_BYTES];
  of = operands;
  for (int first = 0; first < FUNCTIONS; first += BATCH) {
    int end = first + BATCH < FUNCTIONS ? first + BATCH : FUNCTIONS;
    int used = snprintf(source, sizeof source,
                        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                        "#define vload(i, p) (p)[i]\n#define vstore(v, i, p) (p)[i] = (v)\n");
    for (int i = first; i < end; i++)
      for (int w = 0; w < WIDTHS; w++)
        used += add_kernel(source + used, i, w);
    struct result result = compile_well(source, "-cl-std=CL3.0", of->option, NULL);
    for (int i = first; i < end; i++)
      expect_elements(&result, i);
    result_free(&result);
  }
}
