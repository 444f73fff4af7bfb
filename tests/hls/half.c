// SPDX-License-Identifier: Apache-2.0
// Half as a type (cl_khr_fp16), its operators, and functions whose result is correctly rounded or no half, run on the
// golden model. References are exact: integers of 2^-48, or double where that is as good.
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/halves.h"
#include "tests/hls/random.h"
#include "tests/hls/truths.h"

// Finite halves are integers of 2^-24, their products and sums of 2^-48: 81 bits.
static __int128 fixed(uint16_t bits) {
  return (__int128)ldexp(half_value(bits), 24);
}

static uint16_t bits_of_fixed(__int128 x, bool negative_zero) {
  bool is_negative = x < 0;
  unsigned __int128 magnitude = is_negative ? -(unsigned __int128)x : (unsigned __int128)x;
  uint16_t sign = is_negative || (x == 0 && negative_zero) ? 0x8000 : 0;
  int length = 0;
  while (length < 128 && magnitude >> length != 0)
    length++;
  int shift = length - 11 < 24 ? 24 : length - 11;  // subnormals keep units of 2^-24
  unsigned __int128 rest = magnitude & (((unsigned __int128)1 << shift) - 1), tie = (unsigned __int128)1 << (shift - 1);
  uint32_t units = (uint32_t)(magnitude >> shift);
  units += rest > tie || (rest == tie && (units & 1) != 0);
  uint32_t bits = (uint32_t)(shift - 24) * 1024 + units;
  return sign | (uint16_t)(bits > 0x7C00 ? 0x7C00 : bits);
}

static uint16_t reference_fma(uint16_t a, uint16_t b, uint16_t c) {
  double x = half_value(a), y = half_value(b), z = half_value(c);
  if (!isfinite(x) || !isfinite(y) || !isfinite(z))
    return half_bits(x * y + z);  // infinite or NaN
  bool is_negative = !signbit(x) != !signbit(y);
  return bits_of_fixed(fixed(a) * fixed(b) + (fixed(c) << 24), is_negative && signbit(z));
}

static uint16_t halves[HALF_POINTS_MAX];
static float floats[HALF_POINTS_MAX];

static void expect_half(const char *expression, uint32_t i, uint16_t expected, uint16_t got) {
  cr_assert(got == expected || (half_is_nan(got) && half_is_nan(expected)),
            "%s with x = %04x (%a), y = %04x (%a), z = %04x: %04x (%a) expected, got %04x (%a)", expression,
            half_in[0][i], half_value(half_in[0][i]), half_in[1][i], half_value(half_in[1][i]), half_in[2][i], expected,
            half_value(expected), got, half_value(got));
}

// ---- between half and float

static const char *const widenings[] = {"x", "convert_float(x)", "vload_half(i, a)", "(float)a[i]"};

static void check_widening(int index, uint32_t points) {
  for (uint32_t i = 0; i < points; i++) {
    double expected = half_value((uint16_t)i);
    cr_assert(isnan(expected) ? isnan(floats[i]) : floats[i] == expected && !signbit(floats[i]) == !signbit(expected),
              "%s with x = %04x: %a expected, got %a", widenings[index], i, expected, floats[i]);
  }
}

Test(half, widened_to_float_is_exact_for_every_half) {
  for (uint32_t i = 0; i < HALF_COUNT; i++)
    half_in[0][i] = (uint16_t)i;
  half_evaluate(widenings, sizeof *widenings, sizeof widenings / sizeof *widenings, "float", HALF_COUNT, floats,
                check_widening);
}

// At, just below and just above every half and every midpoint between two.
Test(half, float_rounds_to_nearest_even) {
  enum { NEIGHBOURS = 6, POINTS = 0x7C00 * NEIGHBOURS + 1024, CHUNK = POINTS / 64 * 64 };
  static float values[POINTS];
  static uint16_t out[2][POINTS];
  uint32_t count = 0;
  for (uint16_t bits = 0; bits < 0x7C00; bits++) {
    float at = (float)half_value(bits);
    float middle = bits == 0x7BFF ? 65520 : (float)((half_value(bits) + half_value((uint16_t)(bits + 1))) / 2);
    const float points[NEIGHBOURS] = {at,     nextafterf(at, -INFINITY),     nextafterf(at, INFINITY),
                                      middle, nextafterf(middle, -INFINITY), nextafterf(middle, INFINITY)};
    for (int k = 0; k < NEIGHBOURS; k++) {
      values[count] = count % 2 == 0 ? points[k] : -points[k];
      count++;
    }
  }
  for (; count < POINTS; count++) {
    uint32_t bits = count % 8 == 0 ? 0x7F800000u | random_word() : random_word();
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
      uint16_t expected = half_bits(values[i]);
      cr_assert(out[way][i] == expected || (half_is_nan(out[way][i]) && half_is_nan(expected)),
                "%s(%a): %04x expected, got %04x", way == 0 ? "(half)" : "vstore_half", values[i], expected,
                out[way][i]);
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
  return half_bits(half_value(x) / half_value(y));
}
static uint16_t ref_sqrt(uint16_t x, uint16_t y, uint16_t z) {
  (void)y, (void)z;
  return half_bits(sqrt(half_value(x)));
}
static uint16_t ref_contracted(uint16_t x, uint16_t y, uint16_t z) {
  return half_bits((float)(half_value(x) * half_value(y)) + (float)half_value(z));
}
static uint16_t ref_negate(uint16_t x, uint16_t y, uint16_t z) {
  (void)y, (void)z;
  return x ^ 0x8000;
}
// The sign of zeros is that of the number; other results are exact.
static uint16_t ref_fmod(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return half_bits(fmod(half_value(x), half_value(y)));
}
static uint16_t ref_remainder(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return half_bits(remainder(half_value(x), half_value(y)));
}
static uint16_t ref_fdim(uint16_t x, uint16_t y, uint16_t z) {
  return half_is_nan(x) || half_is_nan(y) ? 0x7E00 : half_value(x) > half_value(y) ? ref_subtract(x, y, z) : 0;
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
  double a = half_value(x), b = half_value(y);
  return a < b || (a == b && signbit(a) && !signbit(b));
}
static uint16_t ref_fmin(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return half_is_nan(x) ? y : half_is_nan(y) || comes_before(x, y) ? x : y;
}
static uint16_t ref_fmax(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return half_is_nan(x) ? y : half_is_nan(y) || comes_before(y, x) ? x : y;
}
static uint16_t ref_maxmag(uint16_t x, uint16_t y, uint16_t z) {
  double a = fabs(half_value(x)), b = fabs(half_value(y));
  return a > b ? x : b > a ? y : ref_fmax(x, y, z);
}
static uint16_t ref_minmag(uint16_t x, uint16_t y, uint16_t z) {
  double a = fabs(half_value(x)), b = fabs(half_value(y));
  return a < b ? x : b < a ? y : ref_fmin(x, y, z);
}
static uint16_t ref_nextafter(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  double a = half_value(x), b = half_value(y);
  if (isnan(a) || isnan(b))
    return 0x7E00;
  if (a == b)
    return y;
  if (a == 0)
    return (uint16_t)(b > 0 ? 0x0001 : 0x8001);
  return (uint16_t)((a < b) == (a > 0) ? x + 1 : x - 1);
}
static uint16_t ref_ldexp(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return half_bits(ldexp(half_value(x), y % 101 - 50));
}
static uint16_t ref_select(uint16_t x, uint16_t y, uint16_t z) {
  return z != 0 ? y : x;
}
static uint16_t ref_bitselect(uint16_t x, uint16_t y, uint16_t z) {
  return (uint16_t)((x & ~z) | (y & z));
}
static uint16_t ref_step(uint16_t x, uint16_t y, uint16_t z) {
  (void)z;
  return half_value(y) < half_value(x) ? 0 : 0x3C00;
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
    expect_half(exact[index].expression, i, exact[index].reference(half_in[0][i], half_in[1][i], half_in[2][i]),
                halves[i]);
  }
}

Test(half, operators_and_exact_functions_are_correctly_rounded, .timeout = 3000) {
  uint32_t points = half_fill_pairs(is_long_test() ? 60000 : 8192);
  half_evaluate(exact, sizeof *exact, EXACT, "half", points, halves, check_exact);
}

// Products just beside the middle between two halves, on the side that only the addend's sign tells.
static const struct exact only_fma = {"fma(x, y, z)", reference_fma};

static void check_fma(int index, uint32_t points) {
  (void)index;
  for (uint32_t i = 0; i < points; i++)
    expect_half("fma(x, y, z)", i, reference_fma(half_in[0][i], half_in[1][i], half_in[2][i]), halves[i]);
}

Test(half, fma_is_rounded_once) {
  uint32_t count = 0;
  while (count < 8192) {
    uint16_t x = (uint16_t)(random_word() % 0x7800), y = (uint16_t)(random_word() % 0x7800),
             z = (uint16_t)(random_word() % 0x1000);
    double product = half_value(x) * half_value(y);
    uint16_t near = half_bits(product);
    if (near >= 0x7BFF || near < 0x0400)
      continue;
    // To what the product lacks to a midpoint of halves, or a little beside that.
    double lacks = (half_value(near) + half_value((uint16_t)(near + 1))) / 2 - product;
    half_in[0][count] = x;
    half_in[1][count] = y;
    half_in[2][count] =
        (uint16_t)(half_bits(lacks) ^ (random_word() % 4 == 0 ? 1 : 0) ^ (random_word() % 8 == 0 ? z : 0));
    count++;
  }
  half_evaluate(&only_fma, sizeof only_fma, 1, "half", count, halves, check_fma);
}

// ---- what gives an int

TRUTH(normal, isfinite(x) && fabs(x) >= 0x1p-14)
TRUTH(true, x != 0)
TRUTH(sign, isnan(x) ? y < 0 : signbit(x) != 0)
TRUTH(ilogb, isnan(x) ? 0 : isinf(x) ? INT32_MAX : x == 0 ? INT32_MIN : ilogb(x))
TRUTH(remquo, ({
        int quotient = 0;
        remquo(x, y, &quotient);
        isfinite(x) && !isnan(y) && y != 0 ? quotient % 8 : 0;
      }))
TRUTH(frexp, isfinite(x) && x != 0 ? ilogb(x) + 1 : 0)

static const struct truth truths[] = {
    {"isnormal(x)", is_normal},
    {"isnan(x) ? y < 0 : signbit(x)", is_sign},
    {"x && x", is_true},
    {"!x ? 0 : 1", is_true},
    {"(bool)x", is_true},
    {"isnan(x) && ilogb(x) == FP_ILOGBNAN ? 0 : ilogb(x)", is_ilogb},
    {"({ int q; remquo(x, y, &q); isfinite(x) && !isnan(y) && y != 0.0h ? q % 8 : 0; })", is_remquo},
    {"({ int e; frexp(x, &e); isfinite(x) ? e : 0; })", is_frexp},
};
enum { TRUTHS = sizeof truths / sizeof *truths };

Test(half, comparisons_and_classes_are_those_of_the_values, .timeout = 600) {
  uint32_t points = half_fill_pairs(2048);
  expect_comparisons(&half_operands, points);
  expect_truths(&half_operands, truths, TRUTHS, points);
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
  static const char *const versions[] = {"-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-opt-disable"};
  static const double expected[] = {2.5,      5,     0x1p-24, 65504, 0x1p-14,   0x1p-10, 1,    0x1.8dp-11,
                                    6.25,     2.5,   3.5,     3.5,   0.625,     -0.375,  3.25, 6.5,
                                    INFINITY, 65504, 3.5,     5,     -INFINITY, 0};
  static const int32_t expected_ints[] = {2, 8, 311, 0x4100, 250, 2, -2, 0x3C004100, -11, 402, 1613};
  for (int v = 0; v < 3; v++) {
    struct result result = compile_well(language, versions[v], NULL);
    uint16_t out[32] = {0};
    int32_t whole[16] = {0};
    run_kernel(&result, &(struct dispatch){.kernel = "k",
                                           .buffers = {{out, sizeof out}, {whole, sizeof whole}},
                                           .values = {half_bits(2.5), 0}});
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
      cr_expect_eq(out[i], half_bits(expected[i]), "%s, value %zu: %a expected, got %a", versions[v], i, expected[i],
                   half_value(out[i]));
    }
    for (size_t i = 0; i < sizeof expected_ints / sizeof *expected_ints; i++) {
      cr_expect_eq(whole[i], expected_ints[i], "%s, int %zu: %d expected, got %d", versions[v], i, expected_ints[i],
                   whole[i]);
    }
    result_free(&result);
  }
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
      "  out[27] = modf(in[15] + 0.25h, out + 28); vstore_half(in[1], 29, out); "
      "vstore_half4_rtz(convert_float4(v), 0, "
      "out + 30);\n"
      "  copied = async_work_group_strided_copy(out + 34, shared + 2, 3, 2, 0); wait_group_events(1, &copied); }\n";
  uint16_t numbers[16], out[64] = {0};
  for (int i = 0; i < 16; i++)
    numbers[i] = half_bits(i);
  static const double expected[] = {8, 9, 10, 11, 12, 13,   14, 15,   3,  4, 5, 1, 2, 3, 4, 6, 7, 3, 2, 1,
                                    0, 7, 0,  5,  2,  0.25, 15, 0.25, 15, 1, 0, 1, 2, 3, 2, 0, 3, 0, 4};
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  run_kernel(&result,
             &(struct dispatch){
                 .kernel = "k", .buffers = {{numbers, sizeof numbers}, {out, sizeof out}}, .local_argument_bytes = 64});
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    cr_expect_eq(out[i], half_bits(expected[i]), "value %zu: %a expected, got %a", i, expected[i], half_value(out[i]));
  result_free(&result);
}

// Arrays of short hold what programs know as halves, also where half is no type of theirs: the functions of memory read
// and write them whatever they were declared as, though through a pointer to half a program may not (C's rules on
// aliasing). Arrays are so long that their loops stay loops.
Test(half, memory_functions_take_halves_from_arrays_of_short) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "#define N 40\n"
      "kernel void load(global const short *in, global float *out) {\n"
      "  volatile private short own[N]; for (int i = 0; i < N; i++) own[i] = in[i];\n"
      "  vstore16(vload_half16(1, (private half *)own), 0, out);\n"
      "  vstore16(convert_float16(vload16(1, (private half *)own)), 1, out); }\n"
      "kernel void store(global const float *in, global short *out) {\n"
      "  float16 v = vload16(0, in); volatile private short own[N]; for (int i = 0; i < N; i++) own[i] = 0;\n"
      "  vstore_half16(v, 0, (private half *)own + 1); vstore16(convert_half16(v), 1, (private half *)own + 1);\n"
      "  for (int i = 0; i < N; i++) out[i] = own[i]; }\n";
  enum { N = 40 };
  uint16_t in[N], stored[N] = {0};
  float numbers[16], loaded[32] = {0};
  for (int i = 0; i < N; i++)
    in[i] = half_bits(i);
  for (int i = 0; i < 16; i++)
    numbers[i] = (float)(i + 1);
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  run_kernel(&result, &(struct dispatch){.kernel = "load", .buffers = {{in, sizeof in}, {loaded, sizeof loaded}}});
  run_kernel(&result,
             &(struct dispatch){.kernel = "store", .buffers = {{numbers, sizeof numbers}, {stored, sizeof stored}}});
  for (int i = 0; i < 32; i++)
    cr_expect_eq(loaded[i], 16 + i % 16, "float %d: %d expected, got %a", i, 16 + i % 16, loaded[i]);
  for (int i = 0; i < N; i++) {
    const int expected = i == 0 || i > 32 ? 0 : 1 + (i - 1) % 16;
    cr_expect_eq(stored[i], half_bits(expected), "half %d: %d expected, got %a", i, expected, half_value(stored[i]));
  }
  result_free(&result);
}
