// SPDX-License-Identifier: Apache-2.0
// Operands for which OpenCL C leaves the value open, but nothing else: divisions by zero and of what has no quotient,
// conversions out of range, shifts beyond the width (OpenCL C 3.0, sections 6.3, 6.4.3 and 6.5). Run on the golden
// model: what has a value has the right one, the rest has some value of its type, and the code around them runs.
#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"

static const struct type {
  const char *name;
  int bits, is_signed;
} types[] = {{"char", 8, 1}, {"uchar", 8, 0}, {"short", 16, 1}, {"ushort", 16, 0},
             {"int", 32, 1}, {"uint", 32, 0}, {"long", 64, 1},  {"ulong", 64, 0}};
enum { TYPES = 8, ITEMS = 16, TEXT = 65536 };

// How a kernel may ask whether a division has a quotient. NO_QUOTIENT stands for that, z for a divisor of 0.
static const char *const forms[] = {
    "T z = b == 0, q = a OP b; if (z) q = 0; R(q, NO_QUOTIENT)",
    "T q = a OP b; if (NO_QUOTIENT) q = 0; R(q, NO_QUOTIENT)",
    "T q = a OP b; R(NO_QUOTIENT ? (T)0 : q, NO_QUOTIENT)",
    "T q = quotient(a, b); R(q, NO_QUOTIENT)",
    "T q = 0; if (b) q = a OP b; R(q, NO_QUOTIENT)",
    "T q = a; q OP##= b; if (q == 0 && b == 0) q = 1; R(q, NO_QUOTIENT)",
};
enum { FORMS = sizeof forms / sizeof *forms };

static int64_t extended(const struct type *t, uint64_t bits) {
  const int shift = 64 - t->bits;
  return t->is_signed ? (int64_t)(bits << shift) >> shift : (int64_t)(bits << shift >> shift);
}

static uint64_t lowest(const struct type *t) {
  return t->is_signed ? 1ull << (t->bits - 1) : 0;
}

static bool has_quotient(const struct type *t, uint64_t a, uint64_t b) {
  const uint64_t mask = UINT64_MAX >> (64 - t->bits);
  return (b & mask) != 0 && !(t->is_signed && (a & mask) == lowest(t) && (b & mask) == mask);
}

static uint64_t expected(const struct type *t, uint64_t a, uint64_t b, bool is_remainder) {
  const int64_t x = extended(t, a), y = extended(t, b);
  if (t->is_signed)
    return (uint64_t)(is_remainder ? x % y : x / y);
  return is_remainder ? (uint64_t)x % (uint64_t)y : (uint64_t)x / (uint64_t)y;
}

// Dividends and divisors: the ends of the range, 0, -1, and others.
static uint64_t operand(const struct type *t, int item, bool is_divisor) {
  const uint64_t ends[] = {0, ~0ull, lowest(t), lowest(t) - 1, 7, 100, 3, 1};
  return ends[is_divisor ? item % 3 : (item / 3) % 8];
}

static const char *replaced(char *text, const char *form, const char *operator) {
  char *to = text;
  while (*form != 0) {
    const int skip = strncmp(form, "OP##", 4) == 0 ? 4 : strncmp(form, "OP", 2) == 0 ? 2 : 0;
    *to++ = skip != 0 ? *operator : *form;
    form += skip != 0 ? skip : 1;
  }
  *to = 0;
  return text;
}

// One kernel for each form: writes the value, and 1 or 2 behind it.
static void write_divisions(char *source, const struct type *t, const char *operator) {
  char body[512];
  int used = snprintf(source, TEXT,
                      "typedef %s T;\n#define LOW (T)%s\n"
                      "#define NO_QUOTIENT (b == 0 || (LOW != 0 && a == LOW && b == (T)-1))\n"
                      "#define R(value, flag) o[i] = value; said[i] = (flag) ? 1 : 2;\n"
                      "T quotient(T a, T b) { return a %s b; }\n",
                      t->name,
                      !t->is_signed   ? "0"
                      : t->bits == 64 ? "(1ul << 63)"
                      : t->bits == 32 ? "(1u << 31)"
                      : t->bits == 16 ? "0x8000"
                                      : "0x80",
                      operator);
  for (int form = 0; form < FORMS; form++) {
    used += snprintf(source + used, TEXT - (size_t)used,
                     "kernel void k%d(global const T *as, global const T *bs, global T *o, global int *said) {\n"
                     "  size_t i = get_global_id(0); T a = as[i], b = bs[i]; %s }\n",
                     form, replaced(body, forms[form], operator));
  }
  for (int n = 2; n <= 16; n *= 2) {
    used += snprintf(source + used, TEXT - (size_t)used,
                     "kernel void v%d(global const T *as, global const T *bs, global T *o, global int *said) {\n"
                     "  size_t i = get_global_id(0); if (i * %d >= %d) return;\n"
                     "  %s%d a = vload%d(i, as), b = vload%d(i, bs), q = a %s b;\n"
                     "  vstore%d(q, i, o);\n"
                     "  for (size_t j = i * %d; j < i * %d + %d; j++) {\n"
                     "    T a = as[j], b = bs[j]; said[j] = NO_QUOTIENT ? 1 : 2; } }\n",
                     n, n, ITEMS, t->name, n, n, n, operator, n, n, n, n);
  }
}

static void check_divisions(const struct result *compiled, const char *kernel, const struct type *t,
                            const char *operator, int rotation) {
  uint8_t a[ITEMS * 8], b[ITEMS * 8], o[ITEMS * 8 + 8];
  int32_t said[ITEMS] = {0};
  const size_t bytes = (size_t)t->bits / 8;
  memset(o, 0xAA, sizeof o);
  for (int i = 0; i < ITEMS; i++) {
    const uint64_t x = operand(t, i + rotation, false), y = operand(t, i + rotation, true);
    memcpy(a + (size_t)i * bytes, &x, bytes);
    memcpy(b + (size_t)i * bytes, &y, bytes);
  }
  struct dispatch dispatch = {
      .kernel = kernel,
      .global = {ITEMS},
      .buffers = {{a, ITEMS * bytes}, {b, ITEMS * bytes}, {o, (ITEMS + 1) * bytes}, {said, sizeof said}}};
  run_kernel(compiled, &dispatch);
  for (int i = 0; i < ITEMS; i++) {
    const uint64_t x = operand(t, i + rotation, false), y = operand(t, i + rotation, true);
    const bool is_usual = has_quotient(t, x, y);
    uint64_t got = 0;
    memcpy(&got, o + (size_t)i * bytes, bytes);
    cr_expect_eq(said[i], is_usual ? 2 : 1, "%s %s, %s: %lld and %lld: what follows the division came to %d", t->name,
                 operator, kernel, (long long)extended(t, x), (long long)extended(t, y), said[i]);
    if (is_usual) {
      cr_expect_eq(extended(t, got), extended(t, expected(t, x, y, *operator == '%')), "%s: %lld %s %lld is %lld",
                   kernel, (long long)extended(t, x), operator, (long long)extended(t, y), (long long)extended(t, got));
    }
  }
  cr_expect_eq(o[ITEMS * bytes], 0xAA, "%s %s, %s: a neighbour was written", t->name, operator, kernel);
}

static void check_operator(const char *operator, const char *option) {
  static char source[TEXT];
  for (int type = 0; type < TYPES; type++) {
    write_divisions(source, &types[type], operator);
    struct result compiled = compile_well(source, "-cl-std=CL3.0", option, NULL);
    for (int form = 0; form < FORMS; form++) {
      char kernel[8];
      snprintf(kernel, sizeof kernel, "k%d", form);
      check_divisions(&compiled, kernel, &types[type], operator, 0);
      check_divisions(&compiled, kernel, &types[type], operator, 8);
    }
    for (int n = 2; n <= 16; n *= 2) {
      char kernel[8];
      snprintf(kernel, sizeof kernel, "v%d", n);
      check_divisions(&compiled, kernel, &types[type], operator, 0);
    }
    result_free(&compiled);
  }
}

Test(defined, what_surrounds_a_division_that_has_no_value_runs) {
  check_operator("/", "-w");
}

Test(defined, what_surrounds_a_remainder_that_has_no_value_runs) {
  check_operator("%", "-w");
}

Test(defined, what_surrounds_a_division_that_has_no_value_runs_unoptimised) {
  check_operator("/", "-cl-opt-disable");
}

// Results of divisions that the compiler knows all of, or that it learns of when it has put functions into another.
Test(defined, divisions_of_constants_leave_the_rest_alone) {
  static const char source[] =
      "int by(int a, int b) { return a / b; }\n"
      "long of(long a, long b) { return a % b; }\n"
      "kernel void k(global int *o, int n) {\n"
      "  int z = 0, low = -2147483647 - 1;\n"
      "  o[0] = 7 / 0; o[1] = 11; if (7 / 0 == 3) o[2] = 5; o[3] = 12;\n"
      "  int q = n / z; if (q == 9) o[2] = 6; o[4] = 13;\n"
      "  int r = by(n, 0); o[5] = r == r ? 14 : 15; o[6] = by(n, -1); o[7] = by(n, 16);\n"
      "  o[8] = by(low, -1) == 77 ? 16 : 17; o[9] = of(n, 0) == 5 ? 18 : 19; o[10] = (int)of(n, 10);\n"
      "  int4 v = (int4)(1, 2, 3, 4) / (int4)(0, 1, 0, 2); o[11] = v.y; o[12] = v.w;\n"
      "  v = (int4)(n) / (int4)(0, 3, -1, n); o[13] = v.y; o[14] = v.z; o[15] = v.w;\n"
      "  o[16] = (low / -1 == 5) ? 20 : 21; o[17] = n % -1;\n"
      "}\n";
  int32_t o[18] = {0};
  struct result compiled = compile_well(source, "-cl-std=CL3.0", "-w", NULL);
  struct dispatch dispatch = {.kernel = "k", .buffers = {{o, sizeof o}}, .values = {123}};
  run_kernel(&compiled, &dispatch);
  result_free(&compiled);
  const struct {
    int at, value, other;
  } all[] = {{1, 11, 11},      {3, 12, 12}, {4, 13, 13},  {5, 14, 14}, {6, -123, -123}, {7, 7, 7},
             {8, 16, 17},      {9, 18, 19}, {10, 3, 3},   {11, 2, 2},  {12, 2, 2},      {13, 41, 41},
             {14, -123, -123}, {15, 1, 1},  {16, 20, 21}, {17, 0, 0}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const int got = o[all[i].at];
    cr_expect(got == all[i].value || got == all[i].other, "o[%d] is %d, not %d", all[i].at, got, all[i].value);
  }
}

// An array of 256 elements is indexed by what fits 8 bits, whatever is divided.
Test(defined, a_quotient_without_value_is_one_of_its_type) {
  static const char source[] =
      "kernel void k(global const uint *a, global uint *o) {\n"
      "  size_t i = get_global_id(0); uint x = a[2 * i] & 255, y = a[2 * i + 1];\n"
      "  o[4 * i] = (uchar)(x / y); o[4 * i + 1] = (x / y) & 255; o[4 * i + 2] = (uchar)(x % y);\n"
      "  o[4 * i + 3] = (ushort)((ushort)x / (short)y);\n"
      "}\n";
  uint32_t a[] = {255, 0, 200, 1, 7, 0, 0, 0}, o[16] = {0};
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  struct dispatch dispatch = {.kernel = "k", .global = {4}, .buffers = {{a, sizeof a}, {o, sizeof o}}};
  run_kernel(&compiled, &dispatch);
  result_free(&compiled);
  for (int i = 0; i < 16; i++)
    cr_expect_leq(o[i], i % 4 == 3 ? 0xFFFF : 0xFF, "o[%d] is %u", i, o[i]);
  cr_expect(o[4] == 200 && o[5] == 200 && o[6] == 0 && o[7] == 200);
}

static void check_conversions(const char *from, const char *suffix, const char *option) {
  static char source[TEXT];
  int used = snprintf(source, TEXT, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
  for (int type = 0; type < TYPES; type++) {
    const char *t = types[type].name;
    used += snprintf(source + used, TEXT - (size_t)used,
                     "kernel void %s_(global const float *x, global long *o, global %s *narrow, global int *said) {\n"
                     "  size_t i = get_global_id(0); %s v = (%s)x[i];\n"
                     "  o[4 * i] = convert_%s%s(v); o[4 * i + 1] = (%s)v;\n"
                     "  o[4 * i + 2] = convert_%s4%s((%s4)(v)).z; %s c = v; o[4 * i + 3] = c;\n"
                     "  vstore2(convert_%s2%s((%s2)(v)), i, narrow);\n"
                     "  said[i] = c == (%s)v ? 1 : 2; }\n",
                     t, t, from, from, t, suffix, t, t, suffix, from, t, t, suffix, from, t);
  }
  float x[ITEMS] = {300.0f, -1.0f,    1e9f,     -1e9f,  1e20f, -1e20f, INFINITY, -INFINITY,
                    NAN,    65535.0f, 65504.0f, 256.0f, 7.0f,  100.0f, 0.0f,     3.0f};
  struct result compiled = compile_well(source, "-cl-std=CL3.0", "--double", option, NULL);
  for (int type = 0; type < TYPES; type++) {
    const struct type *t = &types[type];
    int64_t o[4 * ITEMS] = {0};
    int32_t said[ITEMS] = {0};
    uint8_t narrow[16 * ITEMS + 8];
    char kernel[16];
    memset(narrow, 0xAA, sizeof narrow);
    snprintf(kernel, sizeof kernel, "%s_", t->name);
    const size_t bytes = 2 * ITEMS * (size_t)t->bits / 8;
    struct dispatch dispatch = {.kernel = kernel,
                                .global = {ITEMS},
                                .buffers = {{x, sizeof x}, {o, sizeof o}, {narrow, bytes + 8}, {said, sizeof said}}};
    run_kernel(&compiled, &dispatch);
    for (int i = 0; i < 4 * ITEMS; i++) {
      cr_expect_eq(o[i], extended(t, (uint64_t)o[i]), "%s to %s%s: %g becomes %lld", from, t->name, suffix,
                   (double)x[i / 4], (long long)o[i]);
      if (i / 4 >= ITEMS - 4) {
        cr_expect_eq(o[i], (int64_t)x[i / 4], "%s to %s%s: %g becomes %lld", from, t->name, suffix, (double)x[i / 4],
                     (long long)o[i]);
      }
    }
    for (int i = 0; i < ITEMS; i++)
      cr_expect(said[i] == 1 || said[i] == 2, "%s to %s: what follows did not run", from, t->name);
    cr_expect_eq(narrow[bytes], 0xAA, "%s to %s: a neighbour was written", from, t->name);
  }
  result_free(&compiled);
}

Test(defined, a_conversion_out_of_range_is_some_value_of_its_type) {
  static const char *const sources[] = {"float", "half", "double"};
  for (int i = 0; i < 3; i++) {
    check_conversions(sources[i], "", "-w");
    check_conversions(sources[i], "_rte", "-w");
  }
  check_conversions("float", "_rtp", "-cl-opt-disable");
}

// What does not fit is a constant, or nearly.
Test(defined, an_index_that_is_converted_stays_in_the_table) {
  static const char source[] =
      "kernel void k(global int *o, int zero) {\n"
      "  float f = as_float(zero + 0x43960000); global int *table = o + 16;\n"
      "  o[0] = table[convert_uchar(f)]; o[1] = table[convert_uchar_rte(f + 1)]; o[2] = table[(uchar)f];\n"
      "  o[3] = table[(uchar)300.0f]; if ((uchar)300.0f > 5) o[4] = 1; o[5] = 1;\n"
      "}\n";
  int32_t o[16 + 600];
  for (int i = 0; i < 16 + 600; i++)
    o[i] = i - 16;
  struct result compiled = compile_well(source, "-cl-std=CL3.0", "-w", NULL);
  struct dispatch dispatch = {.kernel = "k", .buffers = {{o, sizeof o}}, .values = {0}};
  run_kernel(&compiled, &dispatch);
  result_free(&compiled);
  for (int i = 0; i < 4; i++)
    cr_expect(o[i] >= 0 && o[i] < 256, "o[%d] is %d", i, o[i]);
  cr_expect_eq(o[5], 1);
}

// Section 6.3: as many of the low bits of the amount count as the width needs.
Test(defined, shifts_beyond_the_width_take_the_amount_modulo_the_width) {
  static char source[TEXT];
  int used = 0;
  for (int type = 0; type < TYPES; type++) {
    const char *t = types[type].name;
    used += snprintf(source + used, TEXT - (size_t)used,
                     "kernel void %s_(global const %s *x, global const %s *n, global long *o) {\n"
                     "  size_t i = get_global_id(0); %s2 a = x[i], b = n[i]; a <<= b; o[4 * i] = a.y;\n"
                     "  a = (%s2)(x[i]) >> (%s2)(n[i]); o[4 * i + 1] = a.x;\n"
                     "  o[4 * i + 2] = x[i] << n[i]; o[4 * i + 3] = x[i] >> n[i]; }\n",
                     t, t, t, t, t, t);
  }
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  for (int type = 0; type < TYPES; type++) {
    const struct type *t = &types[type];
    uint8_t x[ITEMS * 8] = {0}, n[ITEMS * 8] = {0};
    int64_t o[4 * ITEMS];
    char kernel[16];
    const size_t bytes = (size_t)t->bits / 8;
    const uint64_t value = 0x8BCDEF0123456789ull;
    for (int i = 0; i < ITEMS; i++) {
      const uint64_t amount = (uint64_t)i * 11;
      memcpy(x + (size_t)i * bytes, (const uint8_t *)&value + 8 - bytes, bytes);
      memcpy(n + (size_t)i * bytes, &amount, bytes);
    }
    snprintf(kernel, sizeof kernel, "%s_", t->name);
    struct dispatch dispatch = {
        .kernel = kernel, .global = {ITEMS}, .buffers = {{x, ITEMS * bytes}, {n, ITEMS * bytes}, {o, sizeof o}}};
    run_kernel(&compiled, &dispatch);
    const int64_t a = extended(t, value >> (64 - t->bits));
    for (int i = 0; i < ITEMS; i++) {
      // Vectors keep their type; scalars of fewer than 32 bits become int.
      const int width = t->bits, wide = width < 32 ? 32 : width;
      const int64_t amount = extended(t, (uint64_t)i * 11);
      const int own = (int)(amount & (width - 1)), promoted = (int)(amount & (wide - 1));
      const struct type *result = width < 32 ? &types[4] : t;
      cr_expect_eq(o[4 * i], extended(t, (uint64_t)a << own), "%s vector << %d", t->name, (int)amount);
      cr_expect_eq(o[4 * i + 1], t->is_signed ? a >> own : (int64_t)((uint64_t)a >> own), "%s vector >> %d", t->name,
                   (int)amount);
      cr_expect_eq(o[4 * i + 2], extended(result, (uint64_t)a << promoted), "%s << %d", t->name, (int)amount);
      cr_expect_eq(o[4 * i + 3], t->is_signed ? a >> promoted : (int64_t)((uint64_t)a >> promoted), "%s >> %d", t->name,
                   (int)amount);
    }
  }
  result_free(&compiled);
}

// Products and sums that wrap, in functions of the library.
Test(defined, built_in_sums_and_products_wrap) {
  static const char source[] =
      "kernel void k(global int *o, int a, int b, int c) {\n"
      "  o[0] = mul24(a, a); o[1] = mul24(a, a) < 0 ? 1 : 2; o[2] = mad24(a, a, b);\n"
      "  o[3] = mad_hi(b, b, b) ; o[4] = mad_hi(b, b, c) < c ? 1 : 2; int4 v = mul24((int4)(a), (int4)(a)); o[5] = "
      "v.w;\n"
      "}\n";
  int32_t o[6] = {0};
  const int32_t a = 0x7FFFFF, b = 0x7FFFFFFF, c = 0x7FFFFFF0;
  struct result compiled = compile_well(source, "-cl-std=CL3.0", NULL);
  struct dispatch dispatch = {
      .kernel = "k", .buffers = {{o, sizeof o}}, .values = {(uint32_t)a, (uint32_t)b, (uint32_t)c}};
  run_kernel(&compiled, &dispatch);
  result_free(&compiled);
  const int32_t product = (int32_t)(uint32_t)((int64_t)a * a);
  const int32_t high = (int32_t)((int64_t)b * b >> 32);
  cr_expect_eq(o[0], product);
  cr_expect_eq(o[1], product < 0 ? 1 : 2);
  cr_expect_eq(o[2], (int32_t)((uint32_t)product + (uint32_t)b));
  cr_expect_eq(o[3], (int32_t)((uint32_t)high + (uint32_t)b));
  cr_expect_eq(o[4], 1);
  cr_expect_eq(o[5], product);
}

// Section 6.15.12: elements of 3 are copied as those of 4.
Test(defined, asynchronous_copies_of_3_component_vectors_copy_what_lies_in_the_fourth_place) {
  static const char *const names[] = {"char", "ushort", "int", "ulong", "float", "half", "double"};
  static const size_t sizes[] = {1, 2, 4, 8, 4, 2, 8};
  static char source[TEXT];
  int used = snprintf(source, TEXT, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
  for (int i = 0; i < 7; i++) {
    const char *t = names[i];
    used += snprintf(source + used, TEXT - (size_t)used,
                     "kernel void %s_(global %s3 *x, global %s3 *y) { local %s3 l[8]; event_t e;\n"
                     "  e = async_work_group_copy(l, x, 4, 0); wait_group_events(1, &e);\n"
                     "  e = async_work_group_copy(y, l, 4, 0); wait_group_events(1, &e);\n"
                     "  e = async_work_group_strided_copy(l, x, 4, 2, 0); wait_group_events(1, &e);\n"
                     "  e = async_work_group_strided_copy(y + 4, l, 4, 2, 0); wait_group_events(1, &e); }\n",
                     t, t, t, t);
  }
  struct result compiled = compile_well(source, "-cl-std=CL3.0", "--double", NULL);
  for (int i = 0; i < 7; i++) {
    const size_t element = 4 * sizes[i];
    uint8_t x[8 * 32], y[12 * 32], expect[12 * 32];
    char kernel[16];
    for (size_t j = 0; j < sizeof x; j++)
      x[j] = (uint8_t)(j * 7 + 1);
    memset(y, 0xEE, sizeof y);
    memcpy(expect, y, sizeof y);
    memcpy(expect, x, 4 * element);
    for (size_t j = 0; j < 4; j++)
      memcpy(expect + (4 + 2 * j) * element, x + 2 * j * element, element);
    snprintf(kernel, sizeof kernel, "%s_", names[i]);
    struct dispatch dispatch = {
        .kernel = kernel, .global = {4}, .local = {4}, .buffers = {{x, 8 * element}, {y, 12 * element}}};
    run_kernel(&compiled, &dispatch);
    cr_expect_arr_eq(y, expect, 12 * element, "%s3", names[i]);
  }
  result_free(&compiled);
}

// What is protected costs nothing where the divisor turns out to be a number.
Test(defined, a_known_divisor_is_divided_by_as_ever) {
  static const char source[] =
      "uint up(uint a, uint b) { return (a + b - 1) / b; }\n"
      "kernel void k(global uint *o) { size_t i = get_global_id(0); uint tile = 16; o[i] = up(o[i], tile) % tile; }\n";
  struct result compiled = compile_well(source, "-cl-std=CL3.0", "--emit=asm", NULL);
  char *text = strndup((const char *)compiled.bytes, compiled.size);
  cr_expect_null(strstr(text, "divu"), "a division by 16 is no shift");
  cr_expect_null(strstr(text, "remu"), "a remainder of 16 is no mask");
  free(text);
  result_free(&compiled);
}
