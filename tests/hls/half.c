// SPDX-License-Identifier: Apache-2.0
// Half arithmetic and functions (cl_khr_fp16), run on the golden model. References are exact where the extension wants
// the correctly rounded half (integers of 2^-48, double), and the host's functions in double for the others.
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"

enum { HALVES = 65536, POINTS_MAX = HALVES };

static uint64_t state = 88172645463325252u;

static uint32_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 16);
}

// ---- halves

static double value_of(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double x = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
             : exponent == 0 ? ldexp(fraction, -24)
                             : ldexp(fraction + 1024, exponent - 25);
  return (bits & 0x8000) != 0 ? -x : x;
}

static bool is_nan(uint16_t bits) {
  return (bits & 0x7FFF) > 0x7C00;
}

// To nearest even. Of doubles below 2^-26 nothing is left; others are cut to whole units in the last place of a half.
static uint16_t bits_of(double x) {
  uint16_t sign = signbit(x) ? 0x8000 : 0;
  double magnitude = fabs(x);
  if (isnan(x)) {
    return 0x7E00;
  }
  if (magnitude >= 65520) {
    return sign | 0x7C00;
  }
  int exponent;
  frexp(magnitude, &exponent);
  exponent = magnitude == 0 || exponent < -13 ? -13 : exponent;
  double units = nearbyint(ldexp(magnitude, 11 - exponent));  // exact but for nearbyint
  // 1024 units and more carry into the exponent field by themselves.
  return sign | (uint16_t)((exponent + 13) * 1024 + (int)units);
}

// Finite halves are integers of 2^-24, their products and sums of 2^-48: 81 bits.
static __int128 fixed(uint16_t bits) {
  return (__int128)ldexp(value_of(bits), 24);
}

static uint16_t bits_of_fixed(__int128 x, bool negative_zero) {
  bool is_negative = x < 0;
  unsigned __int128 magnitude = is_negative ? -(unsigned __int128)x : (unsigned __int128)x;
  uint16_t sign = is_negative || (x == 0 && negative_zero) ? 0x8000 : 0;
  int length = 0;
  while (length < 128 && magnitude >> length != 0) {
    length++;
  }
  int shift = length - 11 < 24 ? 24 : length - 11;  // subnormals keep units of 2^-24
  unsigned __int128 rest = magnitude & (((unsigned __int128)1 << shift) - 1), tie = (unsigned __int128)1 << (shift - 1);
  uint32_t units = (uint32_t)(magnitude >> shift);
  units += rest > tie || (rest == tie && (units & 1) != 0);
  uint32_t bits = (uint32_t)(shift - 24) * 1024 + units;
  return sign | (uint16_t)(bits > 0x7C00 ? 0x7C00 : bits);
}

static uint16_t reference_fma(uint16_t a, uint16_t b, uint16_t c) {
  double x = value_of(a), y = value_of(b), z = value_of(c);
  if (!isfinite(x) || !isfinite(y) || !isfinite(z)) {
    return bits_of(x * y + z);  // infinite or NaN
  }
  bool is_negative = !signbit(x) != !signbit(y);
  return bits_of_fixed(fixed(a) * fixed(b) + (fixed(c) << 24), is_negative && signbit(z));
}

static const uint16_t special[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x0002, 0x0003, 0x03FF, 0x83FF, 0x0400, 0x8400,
                                   0x0401, 0x1000, 0x1400, 0x3555, 0x3800, 0xB800, 0x3BFF, 0x3C00, 0xBC00, 0x3C01,
                                   0x3E00, 0x4000, 0xC000, 0x4200, 0x4248, 0xC248, 0x5C00, 0x63FF, 0x6400, 0x6800,
                                   0x7800, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFFFF};
enum { SPECIALS = sizeof special / sizeof *special };

static uint16_t random_half(void) {
  switch (next() % 4) {
    case 0:
      return special[next() % SPECIALS];
    case 1:
      return (uint16_t)((next() & 0x83FF) | (13 + next() % 5) << 10);  // about 1
    default:
      return (uint16_t)next();
  }
}

// ---- running expressions of half x, y, z

static uint16_t in[3][POINTS_MAX];

// All pairs of special halves, then random ones; z beside them. Returns how many.
static uint32_t fill_pairs(uint32_t random) {
  uint32_t count = 0;
  for (int a = 0; a < SPECIALS; a++) {
    for (int b = 0; b < SPECIALS; b++, count++) {
      in[0][count] = special[a];
      in[1][count] = special[b];
      in[2][count] = special[next() % SPECIALS];
    }
  }
  for (uint32_t i = 0; i < random; i++, count++) {
    for (int k = 0; k < 3; k++) {
      in[k][count] = random_half();
    }
  }
  return count / 64 * 64;
}

// Every half there is; where floats are software, a sixteenth of them unless there is time.
static uint32_t fill_all(void) {
  bool is_soft = getenv("HEDDLE_TEST_ISA") != NULL && getenv("HEDDLE_TEST_LONG") == NULL;
  uint32_t count = 0;
  for (uint32_t bits = 0; bits < HALVES; bits += is_soft ? 1 + next() % 31 : 1) {
    in[0][count++] = (uint16_t)bits;
  }
  while (count % 64 != 0) {
    in[0][count++] = 0x3C00;
  }
  return count;
}

// Compiling takes longer than running, so expressions of one kind are kernels k0, k1, ... of few programs.
enum { BATCH = 16, SOURCE_BYTES = 1 << 17 };

// Expressions lie `stride` bytes apart, each the first member of something. `type` is that of the results: half, or int
// or float for what is none. check() gets the results of one after the other, with the index of its expression.
static void evaluate(const void *expressions, size_t stride, int count, const char *type, uint32_t points, void *out,
                     void (*check)(int index, uint32_t points)) {
  static char source[SOURCE_BYTES];
  const size_t bytes = points * (strcmp(type, "half") == 0 ? 2 : 4);
  for (int first = 0; first < count; first += BATCH) {
    int end = first + BATCH < count ? first + BATCH : count;
    int used = snprintf(source, sizeof source, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    for (int i = first; i < end; i++) {
      used += snprintf(source + used, sizeof source - (size_t)used,
                       "kernel void k%d(global const half *a, global const half *b, global const half *c,\n"
                       "  global %s *out) { size_t i = get_global_id(0); half x = a[i], y = b[i], z = c[i];\n"
                       "  out[i] = %s; }\n",
                       i, type, *(const char *const *)((const char *)expressions + (size_t)i * stride));
    }
    struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
    for (int i = first; i < end; i++) {
      char kernel[16];
      snprintf(kernel, sizeof kernel, "k%d", i);
      run_kernel(
          &result,
          &(struct dispatch){.kernel = kernel,
                             .global = {points},
                             .local = {64},
                             .buffers = {{in[0], points * 2}, {in[1], points * 2}, {in[2], points * 2}, {out, bytes}}});
      check(i, points);
    }
    result_free(&result);
  }
}

static uint16_t halves[POINTS_MAX];
static int32_t ints[POINTS_MAX];
static float floats[POINTS_MAX];

static void expect_half(const char *expression, uint32_t i, uint16_t expected, uint16_t got) {
  cr_assert(got == expected || (is_nan(got) && is_nan(expected)),
            "%s with x = %04x (%a), y = %04x (%a), z = %04x: %04x (%a) expected, got %04x (%a)", expression, in[0][i],
            value_of(in[0][i]), in[1][i], value_of(in[1][i]), in[2][i], expected, value_of(expected), got,
            value_of(got));
}

// ---- between half and float

static const char *const widenings[] = {"x", "convert_float(x)", "vload_half(i, a)", "(float)a[i]"};

static void check_widening(int index, uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    double expected = value_of((uint16_t)i);
    cr_assert(isnan(expected) ? isnan(floats[i]) : floats[i] == expected && !signbit(floats[i]) == !signbit(expected),
              "%s with x = %04x: %a expected, got %a", widenings[index], i, expected, floats[i]);
  }
}

Test(half, widened_to_float_is_exact_for_every_half) {
  for (uint32_t i = 0; i < HALVES; i++) {
    in[0][i] = (uint16_t)i;
  }
  evaluate(widenings, sizeof *widenings, sizeof widenings / sizeof *widenings, "float", HALVES, floats, check_widening);
}

// At, just below and just above every half and every midpoint between two.
Test(half, float_rounds_to_nearest_even) {
  enum { NEIGHBOURS = 6, POINTS = 0x7C00 * NEIGHBOURS + 1024, CHUNK = POINTS / 64 * 64 };
  static float values[POINTS];
  static uint16_t out[2][POINTS];
  uint32_t count = 0;
  for (uint16_t bits = 0; bits < 0x7C00; bits++) {
    float at = (float)value_of(bits);
    float middle = bits == 0x7BFF ? 65520 : (float)((value_of(bits) + value_of((uint16_t)(bits + 1))) / 2);
    const float points[NEIGHBOURS] = {at,     nextafterf(at, -INFINITY),     nextafterf(at, INFINITY),
                                      middle, nextafterf(middle, -INFINITY), nextafterf(middle, INFINITY)};
    for (int k = 0; k < NEIGHBOURS; k++) {
      values[count] = count % 2 == 0 ? points[k] : -points[k];
      count++;
    }
  }
  for (; count < POINTS; count++) {
    uint32_t bits = count % 8 == 0 ? 0x7F800000u | next() : next();
    memcpy(&values[count], &bits, 4);
  }
  struct result result = compile_well(
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global const float *in, global half *cast, global half *stored) { size_t i = get_global_id(0);\n"
      "  cast[i] = (half)in[i]; vstore_half(in[i], i, stored); }\n",
      "-cl-std=CL3.0", NULL);
  run_kernel(&result,
             &(struct dispatch){.kernel = "k",
                                .global = {CHUNK},
                                .local = {64},
                                .buffers = {{values, sizeof values}, {out[0], sizeof *out}, {out[1], sizeof *out}}});
  result_free(&result);
  for (int way = 0; way < 2; way++) {
    for (uint32_t i = 0; i < CHUNK; i++) {
      uint16_t expected = bits_of(values[i]);
      cr_assert(out[way][i] == expected || (is_nan(out[way][i]) && is_nan(expected)), "%s(%a): %04x expected, got %04x",
                way == 0 ? "(half)" : "vstore_half", values[i], expected, out[way][i]);
      cr_assert((out[way][i] & 0x7FFF) <= 0x7E00, "(half)%a: a NaN of %04x", values[i], out[way][i]);
    }
  }
}

// ---- operators, correctly rounded

static uint16_t ref_add(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return reference_fma(x, 0x3C00, y);
}
static uint16_t ref_subtract(uint16_t x, uint16_t y, uint16_t z) {
  return ref_add(x, y ^ 0x8000, z);
}
static uint16_t ref_multiply(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return reference_fma(x, y, (x ^ y) & 0x8000);
}
// A quotient and a root of halves in double is never so near to halfway between two that rounding again matters.
static uint16_t ref_divide(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return bits_of(value_of(x) / value_of(y));
}
static uint16_t ref_sqrt(uint16_t x, uint16_t y, uint16_t z) {
  (void)y, (void)z;
  return bits_of(sqrt(value_of(x)));
}
static uint16_t ref_contracted(uint16_t x, uint16_t y, uint16_t z) {
  return bits_of((float)(value_of(x) * value_of(y)) + (float)value_of(z));
}
static uint16_t ref_negate(uint16_t x, uint16_t y, uint16_t z) {
  (void)y, (void)z;
  return x ^ 0x8000;
}
// The sign of zeros is that of the number; other results are exact.
static uint16_t ref_fmod(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return bits_of(fmod(value_of(x), value_of(y)));
}
static uint16_t ref_remainder(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return bits_of(remainder(value_of(x), value_of(y)));
}
static uint16_t ref_fdim(uint16_t x, uint16_t y, uint16_t z) {
  return is_nan(x) || is_nan(y) ? 0x7E00 : value_of(x) > value_of(y) ? ref_subtract(x, y, z) : 0;
}
static uint16_t ref_copysign(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return (x & 0x7FFF) | (y & 0x8000);
}
static uint16_t ref_fabs(uint16_t x, uint16_t y, uint16_t z) {
  (void)y, (void)z;
  return x & 0x7FFF;
}
static bool comes_before(uint16_t x, uint16_t y) {
  double a = value_of(x), b = value_of(y);
  return a < b || (a == b && signbit(a) && !signbit(b));
}
static uint16_t ref_fmin(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return is_nan(x) ? y : is_nan(y) || comes_before(x, y) ? x : y;
}
static uint16_t ref_fmax(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return is_nan(x) ? y : is_nan(y) || comes_before(y, x) ? x : y;
}
static uint16_t ref_maxmag(uint16_t x, uint16_t y, uint16_t z) {
  double a = fabs(value_of(x)), b = fabs(value_of(y));
  return a > b ? x : b > a ? y : ref_fmax(x, y, z);
}
static uint16_t ref_minmag(uint16_t x, uint16_t y, uint16_t z) {
  double a = fabs(value_of(x)), b = fabs(value_of(y));
  return a < b ? x : b < a ? y : ref_fmin(x, y, z);
}
static uint16_t ref_nextafter(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  double a = value_of(x), b = value_of(y);
  if (isnan(a) || isnan(b)) {
    return 0x7E00;
  }
  if (a == b) {
    return y;
  }
  if (a == 0) {
    return (uint16_t)(b > 0 ? 0x0001 : 0x8001);
  }
  return (uint16_t)((a < b) == (a > 0) ? x + 1 : x - 1);
}
static uint16_t ref_ldexp(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return bits_of(ldexp(value_of(x), y % 101 - 50));
}
static uint16_t ref_select(uint16_t x, uint16_t y, uint16_t z) {
  return z != 0 ? y : x;
}
static uint16_t ref_bitselect(uint16_t x, uint16_t y, uint16_t z) {
  return (uint16_t)((x & ~z) | (y & z));
}
static uint16_t ref_step(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return value_of(y) < value_of(x) ? 0 : 0x3C00;
}
static uint16_t ref_nan(uint16_t x, uint16_t y, uint16_t z) {
  (void)x, (void)y, (void)z;
  return 0x7E00;
}

static const struct exact {
  const char *expression;
  uint16_t (*reference)(uint16_t x, uint16_t y, uint16_t z);
} exact[] = {
    {"x + y", ref_add},
    {"x - y", ref_subtract},
    {"x * y", ref_multiply},
    {"x / y", ref_divide},
    {"-x", ref_negate},
    {"sqrt(x)", ref_sqrt},
    {"fma(x, y, z)", reference_fma},
    {"mad(x, y, z)", ref_contracted},
    {"fabs(x)", ref_fabs},
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
    {"ldexp(x, (int)as_ushort(y) % 101 - 50)", ref_ldexp},
    {"select(x, y, as_short(z))", ref_select},
    {"select(x, y, as_ushort(z))", ref_select},
    {"bitselect(x, y, z)", ref_bitselect},
    {"step(x, y)", ref_step},
    {"nan(as_ushort(x))", ref_nan},
};
enum { EXACT = sizeof exact / sizeof *exact };

static void check_exact(int index, uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    expect_half(exact[index].expression, i, exact[index].reference(in[0][i], in[1][i], in[2][i]), halves[i]);
  }
}

Test(half, operators_and_exact_functions_are_correctly_rounded, .timeout = 3000) {
  uint32_t points = fill_pairs(getenv("HEDDLE_TEST_LONG") != NULL ? 60000 : 8192);
  evaluate(exact, sizeof *exact, EXACT, "half", points, halves, check_exact);
}

// Products just beside the middle between two halves, on the side that only the addend's sign tells.
static const struct exact only_fma = {"fma(x, y, z)", reference_fma};

static void check_fma(int index, uint32_t points) {
  (void)index;
  for (uint32_t i = 0; i < points; i++) {
    expect_half("fma(x, y, z)", i, reference_fma(in[0][i], in[1][i], in[2][i]), halves[i]);
  }
}

Test(half, fma_is_rounded_once) {
  uint32_t count = 0;
  while (count < 8192) {
    uint16_t x = (uint16_t)(next() % 0x7800), y = (uint16_t)(next() % 0x7800), z = (uint16_t)(next() % 0x1000);
    double product = value_of(x) * value_of(y);
    uint16_t near = bits_of(product);
    if (near >= 0x7BFF || near < 0x0400) {
      continue;
    }
    // To what the product lacks to a midpoint of halves, or a little beside that.
    double lacks = (value_of(near) + value_of((uint16_t)(near + 1))) / 2 - product;
    in[0][count] = x;
    in[1][count] = y;
    in[2][count] = (uint16_t)(bits_of(lacks) ^ (next() % 4 == 0 ? 1 : 0) ^ (next() % 8 == 0 ? z : 0));
    count++;
  }
  evaluate(&only_fma, sizeof only_fma, 1, "half", count, halves, check_fma);
}

// ---- what gives an int

#define TRUTH(name, expression)              \
  static int is_##name(double x, double y) { \
    (void)y;                                 \
    return expression;                       \
  }
TRUTH(equal, x == y)
TRUTH(not_equal, x != y)
TRUTH(greater, x > y)
TRUTH(greater_equal, x >= y)
TRUTH(less, x < y)
TRUTH(less_equal, x <= y)
TRUTH(less_greater, x<y || x> y)
TRUTH(ordered, !isnan(x) && !isnan(y))
TRUTH(unordered, isnan(x) || isnan(y))
TRUTH(finite, isfinite(x))
TRUTH(inf, isinf(x) != 0)
TRUTH(a_nan, isnan(x))
TRUTH(normal, isfinite(x) && fabs(x) >= 0x1p-14)
TRUTH(true, x != 0)
TRUTH(sign, isnan(x) ? y < 0 : signbit(x) != 0)
TRUTH(ilogb, isnan(x) ? 0 : isinf(x) ? INT32_MAX : x == 0 ? INT32_MIN : ilogb(x))
TRUTH(frexp, isfinite(x) && x != 0 ? ilogb(x) + 1 : 0)

static const struct truth {
  const char *expression;
  int (*reference)(double x, double y);
} truths[] = {
    {"x == y", is_equal},
    {"x != y", is_not_equal},
    {"x > y", is_greater},
    {"x >= y", is_greater_equal},
    {"x < y", is_less},
    {"x <= y", is_less_equal},
    {"isequal(x, y)", is_equal},
    {"isnotequal(x, y)", is_not_equal},
    {"isgreater(x, y)", is_greater},
    {"isgreaterequal(x, y)", is_greater_equal},
    {"isless(x, y)", is_less},
    {"islessequal(x, y)", is_less_equal},
    {"islessgreater(x, y)", is_less_greater},
    {"isordered(x, y)", is_ordered},
    {"isunordered(x, y)", is_unordered},
    {"isfinite(x)", is_finite},
    {"isinf(x)", is_inf},
    {"isnan(x)", is_a_nan},
    {"isnormal(x)", is_normal},
    {"isnan(x) ? y < 0 : signbit(x)", is_sign},
    {"x && x", is_true},
    {"!x ? 0 : 1", is_true},
    {"(bool)x", is_true},
    {"isnan(x) && ilogb(x) == FP_ILOGBNAN ? 0 : ilogb(x)", is_ilogb},
    {"({ int e; frexp(x, &e); isfinite(x) ? e : 0; })", is_frexp},
};
enum { TRUTHS = sizeof truths / sizeof *truths };

static void check_truth(int index, uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    int expected = truths[index].reference(value_of(in[0][i]), value_of(in[1][i]));
    cr_assert_eq(ints[i], expected, "%s with x = %04x, y = %04x: %d expected, got %d", truths[index].expression,
                 in[0][i], in[1][i], expected, ints[i]);
  }
}

Test(half, comparisons_and_classes_are_those_of_the_values, .timeout = 600) {
  evaluate(truths, sizeof *truths, TRUTHS, "int", fill_pairs(2048), ints, check_truth);
}

// ---- functions within their units in the last place

// Distance in ulp of the exact value. Overflow is as good as a value just above the largest half.
static double error_in_ulp(uint16_t got, double exact_value) {
  double value = value_of(got);
  if (isnan(value) || isnan(exact_value)) {
    return isnan(value) && isnan(exact_value) ? 0 : INFINITY;
  }
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
                expression, in[0][i], value_of(in[0][i]), in[1][i], value_of(in[1][i]), expected, halves[i],
                value_of(halves[i]), error);
}

static void check_function(int index, uint32_t points) {
  const struct function *f = &functions[index];
  for (uint32_t i = 0; i < points; i++) {
    double expected = f->reference(value_of(in[0][i]));
    uint16_t bits = bits_of(expected), got = halves[i];
    if (f->is_exact) {
      // The sign of a zero is no matter of the text's for these.
      cr_assert((bits & 0x7FFF) == 0 ? (got & 0x7FFF) == 0 : got == bits || (is_nan(bits) && is_nan(got)),
                "%s with x = %04x: %04x expected, got %04x", f->expression, in[0][i], bits, got);
    } else {
      expect_within(f->expression, i, expected);
    }
  }
}

Test(half, functions_of_every_half_are_within_a_512th_ulp_of_correctly_rounded, .timeout = 3000) {
  evaluate(functions, sizeof *functions, FUNCTIONS, "half", fill_all(), halves, check_function);
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
    expect_within(of_two[index].expression, i, of_two[index].reference(value_of(in[0][i]), value_of(in[1][i])));
  }
}

Test(half, functions_of_two_are_within_a_512th_ulp_of_correctly_rounded, .timeout = 3000) {
  uint32_t points = fill_pairs(getenv("HEDDLE_TEST_LONG") != NULL ? 60000 : 4096);
  evaluate(of_two, sizeof *of_two, OF_TWO, "half", points, halves, check_function_of_two);
}

// ---- the language

static const char language[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "typedef struct { char tag; half value; half2 pair; } record;\n"
    "constant half table[4] = {0.5h, -1.5h, 0x1p-24h, HALF_MAX};\n"
    "half twice(half x) { return x + x; }\n"
    "kernel void k(global half *out, global int *ints, half value, half zero) {\n"
    "  local half shared[4]; private half own[3] = {1.0h, 2.0h, 3.0h};\n"
    "  int n = 0;\n"
    "  out[n++] = value; out[n++] = twice(value); out[n++] = table[(int)zero + 2]; out[n++] = table[(int)zero + 3];\n"
    "  out[n++] = HALF_MIN; out[n++] = HALF_EPSILON; out[n++] = 1.0h; out[n++] = as_half((short)0x1234);\n"
    "  record r = {1, value, (half2)(value, zero)}; out[n++] = r.value * r.pair.x;\n"
    "  shared[0] = value; barrier(CLK_LOCAL_MEM_FENCE); out[n++] = shared[0]++; out[n++] = shared[0];\n"
    "  own[(int)zero] += value; out[n++] = own[0]; half h = value; h /= 4; out[n++] = h; out[n++] = --h;\n"
    "  half4 v = (half4)(value, 1, 2, 3); v = v * v - v.wzyx; out[n++] = v.x; out[n++] = v.w;\n"
    "  out[n++] = (half)(value > zero ? 100000 : 1); out[n++] = (half)((uint)zero + 65519u); out[n++] = value + 1;\n"
    "  out[n++] = (half)(value * 2.0f); out[n++] = (half)(-70000l - (long)zero); out[n++] = value != zero ? zero : "
    "value;\n"
    "  ints[0] = sizeof(half); ints[1] = sizeof(half3); ints[2] = HALF_DIG * 100 + HALF_MANT_DIG; \n"
    "  ints[3] = as_ushort(value); ints[4] = (int)(value * 100); ints[5] = (uchar)value; ints[6] = "
    "(long)(half)-2.75f;\n"
    "  ints[7] = as_int((half2)(value, 1.0h)); short4 s = v > (half4)(0.0h); ints[8] = s.x * 10 + s.w;\n"
    "  ints[9] = vec_step(half3) * 100 + HALF_RADIX; ints[10] = HALF_MAX_EXP * 100 - HALF_MIN_EXP;\n"
    "}\n";

Test(half, is_a_type_like_any_other) {
  static const char *const versions[] = {"-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-opt-disable"};
  static const double expected[] = {2.5,      5,     0x1p-24, 65504, 0x1p-14,   0x1p-10, 1,    0x1.8dp-11,
                                    6.25,     2.5,   3.5,     3.5,   0.625,     -0.375,  3.25, 6.5,
                                    INFINITY, 65504, 3.5,     5,     -INFINITY, 0};
  static const int32_t expected_ints[] = {2, 8, 311, 0x4100, 250, 2, -2, 0x3C004100, -11, 402, 1613};
  for (int v = 0; v < 4; v++) {
    struct result result = compile_well(language, versions[v], NULL);
    uint16_t out[32] = {0};
    int32_t whole[16] = {0};
    run_kernel(&result,
               &(struct dispatch){
                   .kernel = "k", .buffers = {{out, sizeof out}, {whole, sizeof whole}}, .values = {bits_of(2.5), 0}});
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
      cr_expect_eq(out[i], bits_of(expected[i]), "%s, value %zu: %a expected, got %a", versions[v], i, expected[i],
                   value_of(out[i]));
    }
    for (size_t i = 0; i < sizeof expected_ints / sizeof *expected_ints; i++) {
      cr_expect_eq(whole[i], expected_ints[i], "%s, int %zu: %d expected, got %d", versions[v], i, expected_ints[i],
                   whole[i]);
    }
    result_free(&result);
  }
}

// ---- vectors

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
    "clamp(x, -1.0h, 1.0h)",
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
    "fmax(x, 1.0h)",
    "fmin(x, y)",
    "fmin(x, 1.0h)",
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
    "max(x, 1.0h)",
    "maxmag(x, y)",
    "min(x, y)",
    "min(x, 1.0h)",
    "minmag(x, y)",
    "mix(x, y, z)",
    "mix(x, y, 0.5h)",
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
    "smoothstep(0.0h, 2.0h, x)",
    "sqrt(x)",
    "step(x, y)",
    "step(1.0h, x)",
    "tan(x)",
    "tanh(x)",
    "tanpi(x)",
    "tgamma(x)",
    "trunc(x)",
    "bitselect(x, y, z)",
};
// With a vector of the width at the place of each N.
static const char *const of_widths[] = {
    "frexp(x, &(intN){(intN)0})",
    "lgamma_r(x, &(intN){(intN)0})",
    "modf(x, &(halfN){(halfN)0})",
    "fract(x, &(halfN){(halfN)0})",
    "sincos(x, &(halfN){(halfN)0})",
    "remquo(x, y, &(intN){(intN)0})",
    "ldexp(x, (intN)(-2))",
    "pown(x, (intN)(3))",
    "rootn(x, (intN)(3))",
    "select(x, y, (shortN)(as_shortN(z) >> (shortN)15))",
    "select(x, y, (ushortN)(as_ushortN(z) & (ushortN)0x8000))",
    "nan(as_ushortN(x))",
    "convert_halfN(x)",
    "convert_halfN(convert_floatN(x))",
    "convert_halfN_rtp(convert_intN_sat_rtn(x))",
    "convert_halfN_rtz(convert_ulongN_sat_rte(x))",
    "({ halfN w; modf(x, &w); w; })",
    "({ halfN w; fract(x, &w); w; })",
    "({ halfN c; sincos(x, &c); c; })",
    "({ intN e; frexp(x, &e); convert_halfN(e); })",
    "({ intN q; remquo(x, y, &q); convert_halfN(q); })",
    "convert_halfN(ilogb(x))",
    "convert_halfN(isless(x, y))",
    "convert_halfN(isnotequal(x, y))",
    "convert_halfN(isgreater(x, y))",
    "convert_halfN(isgreaterequal(x, y))",
    "convert_halfN(islessequal(x, y))",
    "convert_halfN(isequal(x, y))",
    "convert_halfN(islessgreater(x, y))",
    "convert_halfN(isordered(x, y))",
    "convert_halfN(isunordered(x, y))",
    "convert_halfN(isfinite(x))",
    "convert_halfN(isinf(x))",
    "convert_halfN(isnan(x))",
    "convert_halfN(isnormal(x))",
    "convert_halfN(signbit(x))",
};
enum { OF_VECTORS = sizeof of_vectors / sizeof *of_vectors, OF_WIDTHS = sizeof of_widths / sizeof *of_widths };

static void replace_n(const char *from, const char *n, char *to) {
  for (; *from != 0; from++) {
    to += *from == 'N' ? sprintf(to, "%s", n) : sprintf(to, "%c", *from);
  }
}

enum { ELEMENTS = 48, WIDTHS = 6, VECTOR_BATCH = 6 };
static const char *const widths[WIDTHS] = {"", "2", "3", "4", "8", "16"};

// Kernel k<index>_<width> for each width.
static int add_kernels(char *source, int index, const char *pattern) {
  char *at = source;
  for (int w = 0; w < WIDTHS; w++) {
    char text[1024];
    snprintf(text, sizeof text,
             "kernel void k%d_N(global const half *a, global const half *b, global const half *c, global half *out) {\n"
             "  size_t i = get_global_id(0); halfN x = vloadN(i, a), y = vloadN(i, b), z = vloadN(i, c);\n"
             "  vstoreN(%s, i, out); }\n",
             index, pattern);
    replace_n(text, widths[w], at);
    at += strlen(at);
  }
  return (int)(at - source);
}

static void run_width(const struct result *result, int index, int w, uint16_t *out) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "k%d_%s", index, widths[w]);
  run_kernel(
      result,
      &(struct dispatch){
          .kernel = kernel,
          .global = {ELEMENTS / (w == 0 ? 1 : (uint32_t)atoi(widths[w]))},
          .local = {1},
          .buffers = {{in[0], ELEMENTS * 2}, {in[1], ELEMENTS * 2}, {in[2], ELEMENTS * 2}, {out, ELEMENTS * 2}}});
}

// Scalars are tested above; a vector's elements are what they are, but that truth is -1 there.
static void expect_elements(const struct result *result, int index, const char *pattern) {
  uint16_t scalars[ELEMENTS], elements[ELEMENTS];
  bool is_truth = strstr(pattern, "(is") != NULL || strstr(pattern, "signbit") != NULL;
  run_width(result, index, 0, scalars);
  for (int w = 1; w < WIDTHS; w++) {
    run_width(result, index, w, elements);
    for (int e = 0; e < ELEMENTS; e++) {
      uint16_t expected = is_truth && scalars[e] == 0x3C00 ? 0xBC00 : scalars[e];
      cr_assert(elements[e] == expected || (is_nan(elements[e]) && is_nan(expected)),
                "%s of width %s, element %d of %04x, %04x, %04x: %04x expected, got %04x", pattern, widths[w], e,
                in[0][e], in[1][e], in[2][e], expected, elements[e]);
    }
  }
}

static void expect_all_elements(const char *const *patterns, int count) {
  static char source[SOURCE_BYTES];
  for (int first = 0; first < count; first += VECTOR_BATCH) {
    int end = first + VECTOR_BATCH < count ? first + VECTOR_BATCH : count;
    int used = snprintf(source, sizeof source,
                        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                        "#define vload(i, p) (p)[i]\n#define vstore(v, i, p) (p)[i] = (v)\n");
    for (int i = first; i < end; i++) {
      used += add_kernels(source + used, i, patterns[i]);
    }
    struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
    for (int i = first; i < end; i++) {
      expect_elements(&result, i, patterns[i]);
    }
    result_free(&result);
  }
}

Test(half, vectors_are_their_elements, .timeout = 3000) {
  for (int i = 0; i < ELEMENTS; i++) {
    for (int k = 0; k < 3; k++) {
      in[k][i] = random_half();
    }
  }
  expect_all_elements(of_vectors, OF_VECTORS);
  expect_all_elements(of_widths, OF_WIDTHS);
}

Test(half, geometric_functions_take_three_and_four_elements) {
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
             &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}, .values = {bits_of(2), bits_of(6)}});
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    cr_expect_eq(out[i], bits_of(expected[i]), "value %zu: %a expected, got %a", i, expected[i], value_of(out[i]));
  }
  result_free(&result);
}

// ---- moving halves: vector loads and stores, shuffles of elements, async copies, second results through every pointer

Test(half, vectors_are_loaded_stored_shuffled_and_copied) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "constant half fixed[4] = {1.0h, 2.0h, 3.0h, 4.0h};\n"
      "kernel void k(global half *in, global half *out, local half *shared) {\n"
      "  event_t copied = async_work_group_copy(shared, in, 16, 0); wait_group_events(1, &copied);\n"
      "  private half own[16]; vstore16(vload16(0, shared), 0, own); vstore8(vload8(1, own), 0, out);\n"
      "  vstore3(vload3(1, in), 0, out + 8); vstore4(vload4(0, fixed), 0, out + 11); vstore2(vload2(3, own), 0, out + "
      "15);\n"
      "  half4 v = vload4(0, in); vstore4(shuffle(v, (ushort4)(3, 2, 1, 4)), 0, out + 17);\n"
      "  vstore4(shuffle2(v, vload4(1, in), (ushort4)(7, 0, 5, 2)), 0, out + 21); prefetch(in, 4);\n"
      "  local half *l = shared; *l = fract(in[15] + 0.25h, l + 1); out[25] = l[0]; out[26] = l[1];\n"
      "  out[27] = modf(in[15] + 0.25h, out + 28); vstore_half(in[1], 29, out); vstore_half4_rtz(convert_float4(v), 0, "
      "out + 30);\n"
      "  copied = async_work_group_strided_copy(out + 34, shared + 2, 3, 2, 0); wait_group_events(1, &copied); }\n";
  uint16_t numbers[16], out[64] = {0};
  for (int i = 0; i < 16; i++) {
    numbers[i] = bits_of(i);
  }
  static const double expected[] = {8, 9, 10, 11, 12, 13,   14, 15,   3,  4, 5, 1, 2, 3, 4, 6, 7, 3, 2, 1,
                                    0, 7, 0,  5,  2,  0.25, 15, 0.25, 15, 1, 0, 1, 2, 3, 2, 0, 3, 0, 4};
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  run_kernel(&result,
             &(struct dispatch){
                 .kernel = "k", .buffers = {{numbers, sizeof numbers}, {out, sizeof out}}, .local_argument_bytes = 64});
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    cr_expect_eq(out[i], bits_of(expected[i]), "value %zu: %a expected, got %a", i, expected[i], value_of(out[i]));
  }
  result_free(&result);
}
