// SPDX-License-Identifier: Apache-2.0
// OpenCL C arithmetic against C: 32- and 64-bit integers with their corner cases, narrow types, float to the accuracy
// that the text asks for, vectors, and arguments of every kind.
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

static const uint32_t corners[] = {0,          1,          2,          3,          7,          31,
                                   0x7FFF,     0x8000,     0xFFFF,     0x10000,    0x7FFFFFFE, 0x7FFFFFFF,
                                   0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0xAAAAAAAA, 0x12345678};
enum { CORNERS = sizeof corners / sizeof corners[0] };

// All pairs of corners, then random pairs.
static size_t pairs(uint32_t **a, uint32_t **b) {
  const size_t random_pairs = harness()->is_long ? 20000 : harness()->is_rtl ? 60 : 1000;
  const size_t count = CORNERS * CORNERS + random_pairs;
  *a = allocate(count * 4);
  *b = allocate(count * 4);
  uint32_t state = 31;
  for (size_t i = 0; i < count; i++) {
    (*a)[i] = i < CORNERS * CORNERS ? corners[i / CORNERS] : random_u32(&state) >> random_u32(&state) % 32;
    (*b)[i] = i < CORNERS * CORNERS ? corners[i % CORNERS] : random_u32(&state) >> random_u32(&state) % 32;
  }
  return count;
}

// Runs `k(a, b, out)` over all pairs; out has `words` for each pair.
static uint32_t *run_pairs(const char *source, const uint32_t *a, const uint32_t *b, size_t count, size_t words) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  uint32_t *out = allocate(count * words * 4);
  cl_mem a_buffer = buffer_with(a, count * 4), b_buffer = buffer_with(b, count * 4);
  cl_mem out_buffer = buffer_with(NULL, count * words * 4);
  set_args(kernel, ARG(a_buffer), ARG(b_buffer), ARG(out_buffer), END_ARGS);
  const size_t limit = work_group_limit(kernel);
  run_1d(kernel, count, limit < 32 ? limit : 32);
  read_buffer(out_buffer, out, count * words * 4);
  return out;
}

static void expect_word(const char *what, uint32_t a, uint32_t b, uint32_t expected, uint32_t got) {
  if (expected != got)
    fail("%s of 0x%08x, 0x%08x: expected 0x%08x, got 0x%08x", what, a, b, expected, got);
}

Test(arithmetic, int32) {
  uint32_t *a, *b;
  const size_t count = pairs(&a, &b);
  enum { RESULTS = 14 };
  uint32_t *out = run_pairs(
      "kernel void k(global const uint *pa, global const uint *pb, global uint *out) {\n"
      "  size_t i = get_global_id(0); uint a = pa[i], b = pb[i]; int s = (int)a, t = (int)b;\n"
      "  out += 14 * i;\n"
      "  out[0] = a + b; out[1] = a - b; out[2] = a * b; out[3] = mul_hi(a, b); out[4] = (uint)mul_hi(s, t);\n"
      "  out[5] = a << (b & 31); out[6] = a >> (b & 31); out[7] = (uint)(s >> (t & 31));\n"
      "  out[8] = a < b; out[9] = s < t;\n"
      "  out[10] = b ? a / b : 0; out[11] = b ? a % b : 0;\n"
      "  int ok = t != 0 && !(s == INT_MIN && t == -1);\n"
      "  out[12] = ok ? (uint)(s / t) : 0; out[13] = ok ? (uint)(s % t) : 0;\n}\n",
      a, b, count, RESULTS);
  for (size_t i = 0; i < count; i++) {
    const uint32_t x = a[i], y = b[i], *got = out + RESULTS * i;
    const int32_t s = (int32_t)x, t = (int32_t)y;
    const int ok = t != 0 && !(s == INT32_MIN && t == -1);
    expect_word("+", x, y, x + y, got[0]);
    expect_word("-", x, y, x - y, got[1]);
    expect_word("*", x, y, x * y, got[2]);
    expect_word("mul_hi(uint)", x, y, (uint32_t)((uint64_t)x * y >> 32), got[3]);
    expect_word("mul_hi(int)", x, y, (uint32_t)((int64_t)s * t >> 32), got[4]);
    expect_word("<<", x, y, x << (y & 31), got[5]);
    expect_word(">> (uint)", x, y, x >> (y & 31), got[6]);
    expect_word(">> (int)", x, y, (uint32_t)(s >> (t & 31)), got[7]);
    expect_word("< (uint)", x, y, x < y, got[8]);
    expect_word("< (int)", x, y, s < t, got[9]);
    expect_word("/ (uint)", x, y, y ? x / y : 0, got[10]);
    expect_word("% (uint)", x, y, y ? x % y : 0, got[11]);
    expect_word("/ (int)", x, y, ok ? (uint32_t)(s / t) : 0, got[12]);
    expect_word("% (int)", x, y, ok ? (uint32_t)(s % t) : 0, got[13]);
  }
}

Test(arithmetic, int64) {
  uint32_t *a, *b;
  const size_t count = pairs(&a, &b);
  enum { RESULTS = 16 };
  uint32_t *out = run_pairs(
      "void put(global uint *out, ulong x) { out[0] = (uint)x; out[1] = (uint)(x >> 32); }\n"
      "kernel void k(global const uint *pa, global const uint *pb, global uint *out) {\n"
      "  size_t i = get_global_id(0);\n"
      "  ulong a = (ulong)pa[i] << 32 | pb[i], b = (ulong)pb[i] << 13 | 1; long s = (long)a, t = (long)b;\n"
      "  out += 16 * i;\n"
      "  put(out, a + b); put(out + 2, a - b); put(out + 4, a * b); put(out + 6, a / b); put(out + 8, a % b);\n"
      "  put(out + 10, (ulong)(s / t)); put(out + 12, (ulong)(s >> (t & 63))); put(out + 14, a << (b & 63));\n}\n",
      a, b, count, RESULTS);
  for (size_t i = 0; i < count; i++) {
    const uint64_t x = (uint64_t)a[i] << 32 | b[i], y = (uint64_t)b[i] << 13 | 1;
    const int64_t s = (int64_t)x, t = (int64_t)y;
    const uint64_t expected[RESULTS / 2] = {
        x + y, x - y, x * y, x / y, x % y, (uint64_t)(s / t), (uint64_t)(s >> (t & 63)), x << (y & 63)};
    static const char *const names[] = {"+", "-", "*", "/ (ulong)", "% (ulong)", "/ (long)", ">> (long)", "<<"};
    for (int r = 0; r < RESULTS / 2; r++) {
      const uint64_t got = out[RESULTS * i + 2 * (size_t)r] | (uint64_t)out[RESULTS * i + 2 * (size_t)r + 1] << 32;
      if (got != expected[r])
        fail("64-bit %s of 0x%016llx, 0x%016llx: expected 0x%016llx, got 0x%016llx", names[r], (unsigned long long)x,
             (unsigned long long)y, (unsigned long long)expected[r], (unsigned long long)got);
    }
  }
}

Test(arithmetic, narrow_types_and_integer_functions) {
  uint32_t *a, *b;
  const size_t count = pairs(&a, &b);
  enum { RESULTS = 8 };
  uint32_t *out = run_pairs(
      "kernel void k(global const uint *pa, global const uint *pb, global uint *out) {\n"
      "  size_t i = get_global_id(0); uint a = pa[i], b = pb[i];\n"
      "  out += 8 * i;\n"
      "  out[0] = (uint)(char)a; out[1] = (uint)(short)(a + b); out[2] = (uchar)(a * b); out[3] = (ushort)(a - b);\n"
      "  out[4] = popcount(a); out[5] = clz(a); out[6] = min(a, b) ^ (uint)max((int)a, (int)b); out[7] = rotate(a, "
      "b);\n}\n",
      a, b, count, RESULTS);
  for (size_t i = 0; i < count; i++) {
    const uint32_t x = a[i], y = b[i], *got = out + RESULTS * i;
    const int32_t greater = (int32_t)x > (int32_t)y ? (int32_t)x : (int32_t)y;
    expect_word("(char)", x, y, (uint32_t)(int8_t)x, got[0]);
    expect_word("(short)(a + b)", x, y, (uint32_t)(int16_t)(x + y), got[1]);
    expect_word("(uchar)(a * b)", x, y, (uint8_t)(x * y), got[2]);
    expect_word("(ushort)(a - b)", x, y, (uint16_t)(x - y), got[3]);
    expect_word("popcount", x, y, (uint32_t)__builtin_popcount(x), got[4]);
    expect_word("clz", x, y, x ? (uint32_t)__builtin_clz(x) : 32, got[5]);
    expect_word("min(uint) ^ max(int)", x, y, (x < y ? x : y) ^ (uint32_t)greater, got[6]);
    expect_word("rotate", x, y, x << (y & 31) | (y & 31 ? x >> (32 - (y & 31)) : 0), got[7]);
  }
}

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

static void expect_float(const char *what, float x, float y, float expected, uint32_t got_bits) {
  const float got = float_of(got_bits);
  if (isnan(expected) ? isnan(got) : expected == got && signbit(expected) == signbit(got))
    return;
  fail("float %s of %a, %a: expected %a, got %a", what, (double)x, (double)y, (double)expected, (double)got);
}

// Any bits in a third of them, else numbers near each other, and all pairs of special ones.
static size_t float_pairs(uint32_t **a, uint32_t **b) {
  const size_t all = pairs(a, b), count = harness()->is_rtl && !harness()->is_long ? 128 : all;
  for (size_t i = 0; count < all && i < count; i++) {  // a sample that still has every corner and random values
    (*a)[i] = (*a)[i * (all / count)];
    (*b)[i] = (*b)[i * (all / count)];
  }
  uint32_t state = 77;
  for (size_t i = 100; i < count; i++) {
    if (i % 3 != 0) {
      (*a)[i] = ((*a)[i] & 0x807FFFFF) | (uint32_t)(115 + random_u32(&state) % 24) << 23;
      (*b)[i] = ((*b)[i] & 0x807FFFFF) | (uint32_t)(115 + random_u32(&state) % 24) << 23;
    }
  }
  static const uint32_t special[] = {0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                     0x00800000, 0x7F7FFFFF, 0x4B800000, 0x3F000001, 0x80000000};
  for (size_t i = 0; i < 100 && i < count; i++) {
    (*a)[i] = special[i / 10];
    (*b)[i] = special[i % 10];
  }
  return count;
}

// Add, subtract, multiply and conversions are correctly rounded in OpenCL, divide where the device says so (else it may
// be 2.5 ulp off), subnormals kept where the device says CL_FP_DENORM; subnormal operands and results are left out here
// when it does not.
Test(arithmetic, float_operations) {
  cl_device_fp_config config = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL));
  uint32_t *a, *b;
  const size_t count = float_pairs(&a, &b);
  enum { RESULTS = 9 };
  uint32_t *out = run_pairs(
      "kernel void k(global const uint *pa, global const uint *pb, global uint *out) {\n"
      "  size_t i = get_global_id(0); float a = as_float(pa[i]), b = as_float(pb[i]);\n"
      "  out += 9 * i;\n"
      "  out[0] = as_uint(a + b); out[1] = as_uint(a - b); out[2] = as_uint(a * b); out[3] = as_uint(a / b);\n"
      "  out[4] = as_uint((float)(int)pa[i]); out[5] = as_uint((float)pb[i]);\n"
      "  out[6] = a < b; out[7] = a == b; out[8] = fabs(a) < 1e9f ? (uint)(int)a : 0;\n}\n",
      a, b, count, RESULTS);
  for (size_t i = 0; i < count; i++) {
    const float x = float_of(a[i]), y = float_of(b[i]);
    const uint32_t *got = out + RESULTS * i;
    expect_float("from int", x, y, (float)(int32_t)a[i], got[4]);
    expect_float("from uint", x, y, (float)b[i], got[5]);
    expect_word("float <", a[i], b[i], x < y, got[6]);
    expect_word("float ==", a[i], b[i], x == y, got[7]);
    expect_word("int from float", a[i], b[i], fabsf(x) < 1e9f ? (uint32_t)(int32_t)x : 0, got[8]);
    const float results[4] = {x + y, x - y, x * y, x / y};
    bool subnormal = fpclassify(x) == FP_SUBNORMAL || fpclassify(y) == FP_SUBNORMAL;
    for (int r = 0; r < 4; r++)
      subnormal |= fpclassify(results[r]) == FP_SUBNORMAL;
    if (subnormal && !(config & CL_FP_DENORM))
      continue;
    expect_float("+", x, y, results[0], got[0]);
    expect_float("-", x, y, results[1], got[1]);
    expect_float("*", x, y, results[2], got[2]);
    const float quotient = float_of(got[3]);
    if (!isfinite(results[3]) || results[3] == 0 || (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT))
      expect_float("/", x, y, results[3], got[3]);
    else if (!(fabs((double)quotient - (double)x / (double)y) <=
               2.5 * (double)(nextafterf(fabsf(results[3]), INFINITY) - fabsf(results[3]))))
      fail("float / of %a, %a: expected %a within 2.5 ulp, got %a", (double)x, (double)y, (double)results[3],
           (double)quotient);
  }
}

// What a float unit does in one or a few instructions, and the run-time library where there is none: exact.
Test(arithmetic, float_functions_that_are_exact) {
  uint32_t *a, *b;
  const size_t count = float_pairs(&a, &b);
  enum { RESULTS = 16 };
  uint32_t *out = run_pairs(
      "kernel void k(global const uint *pa, global const uint *pb, global uint *out) {\n"
      "  size_t i = get_global_id(0); float a = as_float(pa[i]), b = as_float(pb[i]);\n"
      "  out += 16 * i;\n"
      "  out[0] = as_uint(fma(a, b, a)); out[1] = as_uint(sqrt(a)); out[2] = as_uint(floor(a));\n"
      "  out[3] = as_uint(ceil(a)); out[4] = as_uint(trunc(a)); out[5] = as_uint(rint(a)); out[6] = "
      "as_uint(round(a));\n"
      "  out[7] = (uint)convert_int_sat_rte(a); out[8] = convert_uint_sat_rtp(a);\n"
      "  out[9] = as_uint(ldexp(a, (int)(pb[i] % 600) - 300)); out[10] = as_uint(fmin(a, b)) & 0x7FFFFFFF;\n"
      "  out[11] = as_uint(fmax(a, b)) & 0x7FFFFFFF; out[12] = as_uint(convert_float_rtz((int)pa[i]));\n"
      "  out[13] = as_uint(convert_float_rtp(pa[i])); out[14] = as_uint(copysign(a, b)); out[15] = "
      "(uint)isnan(a);\n}\n",
      a, b, count, RESULTS);
  for (size_t i = 0; i < count; i++) {
    const float x = float_of(a[i]), y = float_of(b[i]);
    const uint32_t *got = out + RESULTS * i;
    const struct {
      const char *name;
      float expected;
    } floats[] = {{"fma", fmaf(x, y, x)}, {"sqrt", sqrtf(x)}, {"floor", floorf(x)}, {"ceil", ceilf(x)},
                  {"trunc", truncf(x)},   {"rint", rintf(x)}, {"round", roundf(x)}};
    for (size_t f = 0; f < sizeof floats / sizeof floats[0]; f++)
      expect_float(floats[f].name, x, y, floats[f].expected, got[f]);
    const double nearest = rint((double)x), up = ceil((double)x);
    const uint32_t as_int = isnan(x)                   ? 0
                            : nearest >= 2147483647.0  ? 0x7FFFFFFF
                            : nearest <= -2147483648.0 ? 0x80000000
                                                       : (uint32_t)(int32_t)nearest;
    expect_word("convert_int_sat_rte", a[i], b[i], as_int, got[7]);
    expect_word("convert_uint_sat_rtp", a[i], b[i],
                isnan(x) || up <= 0  ? 0
                : up >= 4294967295.0 ? 0xFFFFFFFF
                                     : (uint32_t)up,
                got[8]);
    expect_float("ldexp", x, y, ldexpf(x, (int)(b[i] % 600) - 300), got[9]);
    expect_float("fmin", x, y, fabsf(fminf(x, y)), got[10]);  // of zeros either may win
    expect_float("fmax", x, y, fabsf(fmaxf(x, y)), got[11]);
    const int32_t number = (int32_t)a[i];
    float cut = (float)number, above = (float)a[i];
    cut = fabs((double)cut) > fabs((double)number) ? nextafterf(cut, 0) : cut;
    above = (double)above < (double)a[i] ? nextafterf(above, INFINITY) : above;
    expect_float("convert_float_rtz", x, y, cut, got[12]);
    expect_float("convert_float_rtp", x, y, above, got[13]);
    expect_float("copysign", x, y, copysignf(x, y), got[14]);
    expect_word("isnan", a[i], b[i], isnan(x) != 0, got[15]);
  }
}

// libclc's maths reaches the kernel: a few functions within the accuracy of the full profile, which is 4 ulp or less.
Test(arithmetic, float_functions) {
  enum { N = 32 };
  uint32_t in[N], zero[N] = {0};
  for (uint32_t i = 0; i < N; i++) {
    const float x = 0.05f + 0.31f * (float)i;
    memcpy(&in[i], &x, 4);
  }
  uint32_t *out = run_pairs(
      "kernel void k(global const uint *pa, global const uint *pb, global uint *out) {\n"
      "  size_t i = get_global_id(0); float a = as_float(pa[i]);\n"
      "  out += 6 * i;\n"
      "  out[0] = as_uint(sin(a)); out[1] = as_uint(exp(a)); out[2] = as_uint(log(a)); out[3] = as_uint(sqrt(a));\n"
      "  out[4] = as_uint(floor(a)); out[5] = as_uint(fma(a, a, -1.0f));\n}\n",
      in, zero, N, 6);
  static const char *const names[] = {"sin", "exp", "log", "sqrt", "floor", "fma(a, a, -1)"};
  static const double ulps[] = {4, 3, 3, 3, 0, 0};
  for (size_t i = 0; i < N; i++) {
    const double x = (double)float_of(in[i]);
    const double expected[] = {sin(x), exp(x), log(x), sqrt(x), floor(x), (double)fmaf((float)x, (float)x, -1)};
    for (size_t f = 0; f < 6; f++) {
      const float got = float_of(out[6 * i + f]), near = fabsf((float)expected[f]);
      const double ulp = (double)(nextafterf(near, INFINITY) - near);
      if (!(fabs((double)got - expected[f]) <= ulps[f] * ulp + (ulps[f] != 0 ? 0.5 * ulp : 0)))
        fail("%s(%a): expected %a within %g ulp, got %a", names[f], x, expected[f], ulps[f], (double)got);
    }
  }
}

Test(arithmetic, vectors) {
  cl_kernel kernel = kernel_of(
      build("kernel void k(global const int4 *a, global const int4 *b, global int4 *out, global int *flat) {\n"
            "  size_t i = get_global_id(0);\n"
            "  int4 x = a[i] * 3 - b[i].wzyx;\n"
            "  x.even += (int2)(1, 2);\n"
            "  out[i] = select(x, b[i], x < 0) + convert_int4(convert_uchar4_sat(a[i]));\n"
            "  vstore3(vload3(i, flat) + x.s012, i, flat);\n}\n",
            "-cl-std=CL3.0"),
      "k");
  enum { N = 16 };
  int a[N][4], b[N][4], flat[N * 3];
  uint32_t expected[N * 4], expected_flat[N * 3], got[N * 4];
  uint32_t state = 8;
  for (int i = 0; i < N; i++) {
    int x[4];
    for (int c = 0; c < 4; c++) {
      a[i][c] = (int)(random_u32(&state) % 1001) - 300;
      b[i][c] = (int)(random_u32(&state) % 1001) - 300;
    }
    for (int c = 0; c < 4; c++)
      x[c] = a[i][c] * 3 - b[i][3 - c];
    x[0] += 1;
    x[2] += 2;
    for (int c = 0; c < 4; c++)
      expected[i * 4 + c] = (uint32_t)((x[c] < 0 ? b[i][c] : x[c]) + (a[i][c] < 0 ? 0 : a[i][c] > 255 ? 255 : a[i][c]));
    for (int c = 0; c < 3; c++) {
      flat[i * 3 + c] = (int)random_u32(&state);
      expected_flat[i * 3 + c] = (uint32_t)flat[i * 3 + c] + (uint32_t)x[c];
    }
  }
  cl_mem a_buffer = buffer_with(a, sizeof a), b_buffer = buffer_with(b, sizeof b), out = buffer_with(NULL, sizeof got);
  cl_mem flat_buffer = buffer_with(flat, sizeof flat);
  set_args(kernel, ARG(a_buffer), ARG(b_buffer), ARG(out), ARG(flat_buffer), END_ARGS);
  run_1d(kernel, N, 4);
  read_buffer(out, got, sizeof got);
  expect_u32("component", expected, got, N * 4);
  read_buffer(flat_buffer, got, sizeof flat);
  expect_u32("component through vload3 and vstore3", expected_flat, got, N * 3);
}

// Scalars of every width, vectors with their alignment, a structure by value, a NULL buffer, constant memory.
struct by_value {
  cl_char c;
  cl_short s;
  cl_int i[3];
  cl_long l;
  cl_float f;
};

Test(arithmetic, arguments_of_every_kind) {
  cl_kernel kernel = kernel_of(
      build("struct by_value { char c; short s; int i[3]; long l; float f; };\n"
            "kernel void k(global uint *out, char c, uchar uc, short s, ushort us, int i, uint ui, long l, ulong ul, "
            "float f,\n"
            "    char3 c3, short2 s2, int4 i4, long2 l2, float3 f3, struct by_value v, global uint *none,\n"
            "    constant uint *table, int last) {\n"
            "  out[0] = (uint)c; out[1] = uc; out[2] = (uint)s; out[3] = us; out[4] = (uint)i; out[5] = ui;\n"
            "  out[6] = (uint)l; out[7] = (uint)(l >> 32); out[8] = (uint)ul; out[9] = (uint)(ul >> 32); out[10] = "
            "as_uint(f);\n"
            "  out[11] = (uint)c3.z; out[12] = (uint)s2.y; out[13] = (uint)i4.w; out[14] = (uint)l2.y; out[15] = "
            "as_uint(f3.z);\n"
            "  out[16] = (uint)v.c; out[17] = (uint)v.s; out[18] = (uint)v.i[2]; out[19] = (uint)(v.l >> 32);\n"
            "  out[20] = as_uint(v.f); out[21] = none == 0; out[22] = table[2]; out[23] = (uint)last;\n}\n",
            "-cl-std=CL3.0"),
      "k");
  const cl_char c = -5;
  const cl_uchar uc = 250;
  const cl_short s = -3000;
  const cl_ushort us = 60000;
  const cl_int i = -7000000, last = 424242;
  const cl_uint ui = 4000000000u;
  const cl_long l = -0x123456789ABCLL;
  const cl_ulong ul = 0xFEDCBA9876543210ull;
  const cl_float f = 1.5f;
  const cl_char4 c3 = {{1, 2, -3, 0}};
  const cl_short2 s2 = {{5, -6}};
  const cl_int4 i4 = {{1, 2, 3, -4}};
  const cl_long2 l2 = {{1, -9}};
  const cl_float4 f3 = {{1, 2, 3.25f, 0}};
  const struct by_value v = {-1, -2, {1, 2, -33}, 0x0123456789ABCDEFLL, -0.5f};
  const uint32_t table[3] = {10, 20, 30};
  cl_mem out = buffer_with(NULL, 24 * 4), constant_table = buffer_with(table, sizeof table), none = NULL;
  set_args(kernel, ARG(out), ARG(c), ARG(uc), ARG(s), ARG(us), ARG(i), ARG(ui), ARG(l), ARG(ul), ARG(f), ARG(c3),
           ARG(s2), ARG(i4), ARG(l2), ARG(f3), ARG(v), ARG(none), ARG(constant_table), ARG(last), END_ARGS);
  run_1d(kernel, 1, 1);
  const uint32_t expected[24] = {(uint32_t)-5,
                                 250,
                                 (uint32_t)-3000,
                                 60000,
                                 (uint32_t)i,
                                 ui,
                                 (uint32_t)l,
                                 (uint32_t)(l >> 32),
                                 (uint32_t)ul,
                                 (uint32_t)(ul >> 32),
                                 0x3FC00000,
                                 (uint32_t)-3,
                                 (uint32_t)-6,
                                 (uint32_t)-4,
                                 (uint32_t)-9,
                                 0x40500000,
                                 (uint32_t)-1,
                                 (uint32_t)-2,
                                 (uint32_t)-33,
                                 0x01234567,
                                 0xBF000000,
                                 1,
                                 30,
                                 424242};
  uint32_t got[24];
  read_buffer(out, got, sizeof got);
  expect_u32("argument", expected, got, 24);
}

Test(arithmetic, argument_errors) {
  cl_kernel kernel = kernel_of(
      build("kernel void k(global uint *out, int i, local uint *l) { out[0] = i + (l == 0); }\n", "-cl-std=CL3.0"),
      "k");
  cl_mem out = buffer_with(NULL, 4);
  const cl_int i = 1;
  EXPECT_CODE(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 3, sizeof i, &i));
  EXPECT_CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 8, (const cl_long[]){1}));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof i, NULL));
  EXPECT_CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 0, NULL));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, 4, &i));
  EXPECT_CODE(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, sizeof out, &out));
  EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof out, &out));
}
