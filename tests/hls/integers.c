// SPDX-License-Identifier: Apache-2.0
// Integer, relational and vector memory functions, run on the golden model, against arithmetic of 128 bits.
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/random.h"

typedef __int128 wide;
enum { POINTS = 512 };

struct type {
  const char *name, *unsigned_name;
  int bits, is_signed;
};
static const struct type types[] = {{"char", "uchar", 8, 1},     {"uchar", "uchar", 8, 0}, {"short", "ushort", 16, 1},
                                    {"ushort", "ushort", 16, 0}, {"int", "uint", 32, 1},   {"uint", "uint", 32, 0},
                                    {"long", "ulong", 64, 1},    {"ulong", "ulong", 64, 0}};
enum { TYPES = 8 };

// The type under test in the references below.
static const struct type *t;

static wide low(void) {
  return t->is_signed ? -((wide)1 << (t->bits - 1)) : 0;
}

static wide high(void) {
  return ((wide)1 << (t->bits - (t->is_signed ? 1 : 0))) - 1;
}

static wide clip(wide x) {
  return x < low() ? low() : x > high() ? high() : x;
}

static wide mask(wide x) {
  return x & (((wide)1 << t->bits) - 1);
}

static wide half_down(wide x) {
  return x >> 1;
}

static wide ref_popcount(wide a) {
  return __builtin_popcountll((uint64_t)mask(a));
}

static wide ref_clz(wide a) {
  int count = 0;
  while (count < t->bits && (mask(a) >> (t->bits - 1 - count) & 1) == 0)
    count++;
  return count;
}

static wide ref_ctz(wide a) {
  int count = 0;
  while (count < t->bits && (mask(a) >> count & 1) == 0)
    count++;
  return count;
}

static wide ref_rotate(wide a, wide b) {
  int left = (int)(mask(b) % t->bits);
  return left == 0 ? a : mask(a) << left | mask(a) >> (t->bits - left);
}

#define REFERENCE(name, expression)              \
  static wide f_##name(wide a, wide b, wide c) { \
    (void)a, (void)b, (void)c;                   \
    return expression;                           \
  }
REFERENCE(add, a + b)
REFERENCE(multiply, a *b)
REFERENCE(divide, b == 0 || (b == -1 && a == low()) ? 0 : a / b)
REFERENCE(modulo, b == 0 || (b == -1 && a == low()) ? 0 : a % b)
REFERENCE(min, a < b ? a : b)
REFERENCE(max, a > b ? a : b)
REFERENCE(abs, a < 0 ? -a : a)
REFERENCE(abs_diff, a < b ? b - a : a - b)
REFERENCE(add_sat, clip(a + b))
REFERENCE(sub_sat, clip(a - b))
REFERENCE(hadd, half_down(a + b))
REFERENCE(rhadd, half_down(a + b + 1))
REFERENCE(mul_hi, (a * b) >> t->bits)
REFERENCE(mad_hi, ((a * b) >> t->bits) + c)
REFERENCE(mad_sat, clip(a *b + c))
REFERENCE(clz, ref_clz(a))
REFERENCE(ctz, ref_ctz(a))
REFERENCE(popcount, ref_popcount(a))
REFERENCE(rotate, ref_rotate(a, b))
REFERENCE(bitselect, (mask(a) & ~mask(c)) | (mask(b) & mask(c)))
REFERENCE(select, c != 0 ? b : a)
REFERENCE(clamp, b <= c ? (a < b ? b : a > c ? c : a) : 0)

static const struct {
  const char *expression;
  wide (*reference)(wide a, wide b, wide c);
} functions[] = {
    {"a + b", f_add},
    {"a * b", f_multiply},
    {"b == 0 || (b == (T)-1 && (T)-1 < 0 && a == (T)((T)1 << (sizeof(T) * 8 - 1))) ? (T)0 : (T)(a / b)", f_divide},
    {"b == 0 || (b == (T)-1 && (T)-1 < 0 && a == (T)((T)1 << (sizeof(T) * 8 - 1))) ? (T)0 : (T)(a % b)", f_modulo},
    {"min(a, b)", f_min},
    {"max(a, b)", f_max},
    {"abs(a)", f_abs},
    {"abs_diff(a, b)", f_abs_diff},
    {"add_sat(a, b)", f_add_sat},
    {"sub_sat(a, b)", f_sub_sat},
    {"hadd(a, b)", f_hadd},
    {"rhadd(a, b)", f_rhadd},
    {"mul_hi(a, b)", f_mul_hi},
    {"mad_hi(a, b, c)", f_mad_hi},
    {"mad_sat(a, b, c)", f_mad_sat},
    {"clz(a)", f_clz},
    {"ctz(a)", f_ctz},
    {"popcount(a)", f_popcount},
    {"rotate(a, b)", f_rotate},
    {"bitselect(a, b, c)", f_bitselect},
    {"select(a, b, c)", f_select},
    {"b <= c ? clamp(a, b, c) : (T)0", f_clamp},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static wide value(uint64_t bits) {
  int shift = 64 - t->bits;
  return t->is_signed ? (wide)((int64_t)(bits << shift) >> shift) : (wide)(bits << shift >> shift);
}

static uint64_t random_bits(void) {
  uint64_t x = random_64() >> random_64() % 64;
  x = random_64() % 3 == 0 ? 0 - x : x;
  return random_64() % 8 == 0 ? (uint64_t)high() + random_64() % 3 - 1 : x;
}

// Products of 64-bit numbers fit 128 bits signed, but unsigned ones need all of them: kept below by taking them apart.
static wide checked(int f, wide a, wide b, wide c) {
  if (t->bits == 64 && !t->is_signed && (functions[f].reference == f_mul_hi || functions[f].reference == f_mad_hi)) {
    wide product_high = (wide)((unsigned __int128)a * (unsigned __int128)b >> 64);
    return functions[f].reference == f_mul_hi ? product_high : product_high + c;
  }
  if (t->bits == 64 && !t->is_signed && functions[f].reference == f_mad_sat) {
    unsigned __int128 product = (unsigned __int128)a * (unsigned __int128)b;
    return product > (unsigned __int128)(high() - c) ? high() : (wide)product + c;
  }
  if (t->bits == 64 && functions[f].reference == f_multiply)
    return (wide)(uint64_t)((uint64_t)a * (uint64_t)b);
  return functions[f].reference(a, b, c);
}

Test(integers, functions_are_right_for_every_type, .timeout = 600) {
  static uint64_t in[3][POINTS], out[FUNCTIONS][POINTS];
  for (t = types; t < types + TYPES; t++) {
    char source[8192];
    int used = snprintf(source, sizeof source,
                        "typedef %s T;\nkernel void k(global const ulong *in, global ulong *out) {\n"
                        "  size_t i = get_global_id(0); T a = (T)in[i], b = (T)in[512 + i], c = (T)in[1024 + i];\n",
                        t->name);
    for (int f = 0; f < FUNCTIONS; f++) {
      used += snprintf(source + used, sizeof source - (size_t)used, "  out[%d + i] = (ulong)(%s);\n", f * POINTS,
                       functions[f].expression);
    }
    snprintf(source + used, sizeof source - (size_t)used, "}\n");
    for (int i = 0; i < 3 * POINTS; i++)
      in[i / POINTS][i % POINTS] = random_bits();
    struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
    run_kernel(&result,
               &(struct dispatch){
                   .kernel = "k", .global = {POINTS}, .local = {64}, .buffers = {{in, sizeof in}, {out, sizeof out}}});
    result_free(&result);
    for (int f = 0; f < FUNCTIONS; f++) {
      for (int i = 0; i < POINTS; i++) {
        wide a = value(in[0][i]), b = value(in[1][i]), c = value(in[2][i]);
        uint64_t expected = (uint64_t)mask(checked(f, a, b, c)), got = (uint64_t)mask((wide)out[f][i]);
        cr_assert_eq(got, expected, "%s of %s a = %llx, b = %llx, c = %llx: %llx expected, got %llx",
                     functions[f].expression, t->name, (unsigned long long)a, (unsigned long long)b,
                     (unsigned long long)c, (unsigned long long)expected, (unsigned long long)got);
      }
    }
  }
}

Test(integers, vectors_and_mixed_forms_work_element_by_element) {
  static const char source[] =
      "kernel void k(global int *out, int n) { int4 v = (int4)(1, -2, 3, n);\n"
      "  vstore4(max(v, 0), 0, out); vstore4(clamp(v, -1, 2), 1, out); vstore4(convert_int4(abs(v)), 2, out);\n"
      "  vstore3(mul24(v.xyz, v.zyx), 0, out + 12); out[15] = upsample((short)n, (ushort)3);\n"
      "  vstore4(v < 2, 4, out); vstore4(select(v, -v, v < 0), 5, out); out[24] = any(v < 0); out[25] = all(v < 9);\n"
      "  vstore2(isless((float2)(1, n), (float2)(2)), 13, out); out[28] = isless(1.0f, (float)n); out[29] = "
      "signbit(-0.0f);\n"
      "  out[30] = isordered(1.0f, NAN); out[31] = popcount(n) + ctz(n) + clz(n);\n"
      "  out[32] = mad24(n, n, 1); vstore3(rotate((int3)(1), (int3)(n, 1, 2)), 11, out); }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  int out[36] = {0};
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}, .values = {4}});
  const int expected[36] = {1, 0, 3, 4, 1, -1, 2, 2, 1,  2, 3, 4, 3, 4,          3,  4 << 16 | 3, -1, -1,
                            0, 0, 1, 2, 3, 4,  1, 1, -1, 0, 1, 1, 0, 1 + 2 + 29, 17, 16,          2,  4};
  for (int i = 0; i < 36; i++)
    cr_expect_eq(out[i], expected[i], "value %d: %d expected, got %d", i, expected[i], out[i]);
  result_free(&result);
}

Test(integers, vloads_and_vstores_need_only_element_alignment_in_every_address_space) {
  static const char source[] =
      "constant uchar table[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};\n"
      "kernel void k(global ushort *data) { local ushort l[20]; ushort p[20];\n"
      "  vstore16(convert_ushort16(vload16(0, table + 1)), 0, l + 1); vstore8(vload8(1, l + 1), 0, p + 3);\n"
      "  vstore3(vload3(2, p + 3), 1, data + 1); ushort *generic_pointer = p + 3; vstore2(vload2(0, generic_pointer), "
      "0, data); }\n";
  static const char *const versions[] = {"-cl-std=CL3.0", "-cl-opt-disable"};
  for (int v = 0; v < 2; v++) {
    struct result result = compile_well(source, versions[v], NULL);
    uint16_t data[8] = {0};
    run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{data, sizeof data}}});
    cr_expect_eq(data[0], 10);
    cr_expect_eq(data[1], 11);
    cr_expect_eq(data[4], 16);
    cr_expect_eq(data[5], 17);
    result_free(&result);
  }
}

Test(integers, shuffles_take_the_elements_the_mask_names) {
  static const char source[] =
      "kernel void k(global int *out, uint n) { int4 a = (int4)(10, 11, 12, 13), b = a + 10;\n"
      "  vstore2(shuffle(a, (uint2)(n, n + 4)), 0, out); vstore4(shuffle2(a, b, (uint4)(0, n + 4, 7, n + 8)), 0, out + "
      "2); }\n";
  struct result result = compile_well(source, NULL);
  int out[6];
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}, .values = {3}});
  cr_expect_arr_eq(out, ((int[]){13, 13, 10, 23, 23, 13}), sizeof out);
  result_free(&result);
}

Test(integers, generic_pointers_know_their_address_space) {
  static const char source[] =
      "kernel void k(global int *out, int n) { local int l; int p = n;\n"
      "  int *any[3] = {out, &l, &p};\n"
      "  for (int i = 0; i < 3; i++) { out[i] = (to_global(any[i]) != 0) | (to_local(any[i]) != 0) << 1 |\n"
      "    (to_private(any[i]) != 0) << 2; out[3 + i] = get_fence(any[i]); } }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  int out[6];
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}, .values = {3}});
  cr_expect_arr_eq(out, ((int[]){1, 2, 4, 2, 1, 0}), sizeof out);
  result_free(&result);
}
