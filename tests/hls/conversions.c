// SPDX-License-Identifier: Apache-2.0
// Explicit conversions and half loads and stores, run on the golden model, against arithmetic in long double.
#include <criterion/criterion.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/random.h"

enum { POINTS = 256 };

static const struct type {
  const char *name;
  unsigned bytes;
  int is_signed;  // 2: real
} types[] = {{"char", 1, 1}, {"uchar", 1, 0}, {"short", 2, 1}, {"ushort", 2, 0}, {"int", 4, 1},   {"uint", 4, 0},
             {"long", 8, 1}, {"ulong", 8, 0}, {"float", 4, 2}, {"half", 2, 2},   {"double", 8, 2}};
enum { TYPES = 11, FLOAT = 8, HALF = 9, DOUBLE = 10 };

static float half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float x = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
            : exponent == 0 ? ldexpf((float)fraction, -24)
                            : ldexpf((float)(fraction + 1024), exponent - 25);
  return (bits & 0x8000) != 0 ? -x : x;
}

static long double load(const struct type *type, const void *at) {
  if (type == &types[HALF]) {
    uint16_t bits;
    memcpy(&bits, at, 2);
    return half_value(bits);
  }
  if (type == &types[DOUBLE]) {
    double x;
    memcpy(&x, at, 8);
    return x;
  }
  if (type->is_signed == 2) {
    float x;
    memcpy(&x, at, 4);
    return x;
  }
  uint64_t bits = 0;
  memcpy(&bits, at, type->bytes);
  unsigned shift = 64 - 8 * type->bytes;
  return type->is_signed ? (long double)((int64_t)(bits << shift) >> shift) : (long double)bits;
}

static long double lowest(const struct type *type) {
  return type->is_signed ? -ldexpl(1, (int)(8 * type->bytes) - 1) : 0;
}

static long double highest(const struct type *type) {
  return ldexpl(1, (int)(8 * type->bytes) - (type->is_signed ? 1 : 0)) - 1;
}

static const struct mode {
  const char *suffix;
  int to_integer, to_float;
} modes[] = {{"", FE_TOWARDZERO, FE_TONEAREST},
             {"_rte", FE_TONEAREST, FE_TONEAREST},
             {"_rtz", FE_TOWARDZERO, FE_TOWARDZERO},
             {"_rtp", FE_UPWARD, FE_UPWARD},
             {"_rtn", FE_DOWNWARD, FE_DOWNWARD}};
enum { MODES = 5 };

static long double rounded(long double x, int mode) {
  fesetround(mode);
  volatile long double in = x;
  long double result = rintl(in);
  fesetround(FE_TONEAREST);
  return result;
}

static float rounded_to_float(long double x, int mode) {
  fesetround(mode);
  volatile long double in = x;
  volatile float result = (float)in;
  fesetround(FE_TONEAREST);
  return result;
}

static double rounded_to_double(long double x, int mode) {
  fesetround(mode);
  volatile long double in = x;
  volatile double result = (double)in;
  fesetround(FE_TONEAREST);
  return result;
}

static uint16_t expected_half(long double x, int mode) {
  if (isnan(x))
    return 0x7E00;
  uint16_t sign = signbit(x) ? 0x8000 : 0;
  long double magnitude = fabsl(x);
  int below = 0;  // the largest half that is not above, a bit at a time
  for (int bit = 0x4000; bit != 0; bit >>= 1)
    below += below + bit <= 0x7C00 && half_value((uint16_t)(below + bit)) <= magnitude ? bit : 0;
  if (half_value((uint16_t)below) == magnitude)
    return sign | (uint16_t)below;
  // Infinity counts as 65536 when it comes to the nearest.
  long double low = half_value((uint16_t)below), high = below == 0x7BFF ? 65536 : half_value((uint16_t)(below + 1));
  bool up = mode == FE_TOWARDZERO ? false
            : mode == FE_UPWARD   ? sign == 0
            : mode == FE_DOWNWARD
                ? sign != 0
                : magnitude - low > high - magnitude || (magnitude - low == high - magnitude && (below & 1) != 0);
  return sign | (uint16_t)(below + (up ? 1 : 0));
}

// Next to a float or half and to what is halfway between two of them, any bits, or within the range of integers.
static double random_double(void) {
  uint64_t low = random_64();
  double step = ldexp((double)(random_word() % 5) - 2, -52);
  switch (random_word() % 4) {
    case 0:
      return (double)(float)ldexp((double)(low >> 39), (int)(random_word() % 300) - 180) * (1 + step);
    case 1:
      return (double)half_value((uint16_t)low) * (1 + step) + ldexp(1, -25 - (int)(random_word() % 3));
    case 2: {
      double x;
      memcpy(&x, &low, 8);
      return x;
    }
    default:
      return ldexp((double)(int64_t)low, -(int)(random_word() % 70));
  }
}

static void fill(const struct type *type, unsigned char *at) {
  static const float values[] = {0.0f,    -0.0f,    0.5f,     1.5f,    2.5f,     -0.5f,          -1.5f,
                                 127.5f,  128.0f,   -128.5f,  255.5f,  32767.5f, -32769.0f,      65535.5f,
                                 0x1p31f, -0x1p31f, 0x1p32f,  0x1p63f, 0x1p64f,  0x1.fffffep30f, 0x1.fffffep62f,
                                 1e30f,   -1e30f,   INFINITY, NAN,     0x1p-149f};
  for (int i = 0; i < POINTS; i++) {
    if (type == &types[HALF]) {
      uint16_t bits = i < 26 ? expected_half(values[i], FE_TONEAREST) : (uint16_t)random_word();
      memcpy(at + (size_t)i * 2, &bits, 2);
    } else if (type == &types[DOUBLE]) {
      double x = i < 26   ? (double)values[i]
                 : i < 30 ? (double[]){65520, 0x1.ffffffp127, 0x1p-150, 0x1p-1074}[i - 26]
                          : random_double();
      memcpy(at + (size_t)i * 8, &x, 8);
    } else if (type->is_signed == 2) {
      float x = i < 26 ? values[i] : (float)(int32_t)random_word() * ldexpf(1, (int)(random_word() % 40) - 31);
      memcpy(at + i * 4, &x, 4);
    } else {
      uint64_t bits = i < 8 ? (uint64_t[]){0, 1, ~0ull, 1ull << 63, ~0ull >> 1, 0x80, 0x7F, 0x8000}[i]
                            : random_64() >> random_word() % 64;
      bits = i % 3 == 2 ? 0 - bits : bits;
      memcpy(at + (size_t)i * type->bytes, &bits, type->bytes);
    }
  }
}

// One kernel a destination type: every source, mode and saturation, one after the other.
static void check_destination(const struct type *to) {
  static char source[65536] = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";
  static unsigned char in[TYPES][POINTS * 8], out[TYPES][MODES][2][POINTS * 8];
  int sats = to->is_signed == 2 ? 1 : 2, used = (int)strcspn(source, "\n") + 1;
  for (int from = 0; from < TYPES; from++) {
    fill(&types[from], in[from]);
    used += snprintf(source + used, sizeof source - (size_t)used,
                     "kernel void from_%s(global const %s *in, global uchar *bytes) { size_t i = get_global_id(0);\n"
                     "  global %s *out = (global %s *)bytes; %s x = in[i];\n",
                     types[from].name, types[from].name, to->name, to->name, types[from].name);
    for (int m = 0; m < MODES; m++) {
      for (int s = 0; s < sats; s++) {
        used += snprintf(source + used, sizeof source - (size_t)used, "  out[%d + i] = convert_%s%s%s(x);\n",
                         (m * 2 + s) * (int)(POINTS * 8 / to->bytes), to->name, s ? "_sat" : "", modes[m].suffix);
      }
    }
    used += snprintf(source + used, sizeof source - (size_t)used, "}\n");
  }
  struct result result = compile_well(source, "--double", NULL);
  for (int from = 0; from < TYPES; from++) {
    char kernel[32];
    snprintf(kernel, sizeof kernel, "from_%s", types[from].name);
    run_kernel(&result, &(struct dispatch){.kernel = kernel,
                                           .global = {POINTS},
                                           .local = {64},
                                           .buffers = {{in[from], sizeof in[from]}, {out[from], sizeof out[from]}}});
  }
  result_free(&result);

  for (int from = 0; from < TYPES; from++) {
    for (int m = 0; m < MODES; m++) {
      for (int s = 0; s < sats; s++) {
        for (int i = 0; i < POINTS; i++) {
          long double x = load(&types[from], in[from] + (size_t)i * types[from].bytes);
          const unsigned char *at = out[from][m][s] + (size_t)i * to->bytes;
          long double got = load(to, at);
          if (to == &types[HALF]) {
            uint16_t expected = expected_half(x, modes[m].to_float);
            cr_assert((isnan(x) && isnan(got)) || got == half_value(expected),
                      "convert_half%s(%s %La): %04x expected, got %La", modes[m].suffix, types[from].name, x, expected,
                      got);
            continue;
          }
          if (to == &types[DOUBLE]) {
            double expected = rounded_to_double(x, modes[m].to_float);
            cr_assert((isnan(x) && isnan(got)) || got == (long double)expected,
                      "convert_double%s(%s %La): %a expected, got %La", modes[m].suffix, types[from].name, x, expected,
                      got);
            continue;
          }
          if (to->is_signed == 2) {
            float expected = rounded_to_float(x, modes[m].to_float);
            cr_assert((isnan(x) && isnan(got)) || got == (long double)expected,
                      "convert_float%s(%s %La): %a expected, got %La", modes[m].suffix, types[from].name, x, expected,
                      got);
            continue;
          }
          long double whole = isnan(x) ? 0 : rounded(x, modes[m].to_integer);
          bool is_outside = whole < lowest(to) || whole > highest(to);
          if (s == 0 && (isnan(x) || is_outside)) {
            if (types[from].is_signed == 2)
              continue;                                             // implementation-defined
            whole = fmodl(whole, ldexpl(1, (int)(8 * to->bytes)));  // modulo 2^n between integers
            whole += whole < lowest(to) ? ldexpl(1, (int)(8 * to->bytes)) : 0;
            whole -= whole > highest(to) ? ldexpl(1, (int)(8 * to->bytes)) : 0;
          } else {
            whole = fminl(fmaxl(whole, lowest(to)), highest(to));
          }
          cr_assert(got == whole, "convert_%s%s%s(%s %La): %Lf expected, got %Lf", to->name, s ? "_sat" : "",
                    modes[m].suffix, types[from].name, x, whole, got);
        }
      }
    }
  }
}

Test(conversions, to_integers_round_and_saturate, .timeout = 600) {
  for (int to = 0; to < FLOAT; to++)
    check_destination(&types[to]);
}

Test(conversions, to_float_round, .timeout = 600) {
  check_destination(&types[FLOAT]);
}

Test(conversions, to_half_round, .timeout = 600) {
  check_destination(&types[HALF]);
}

Test(conversions, to_double_round, .timeout = 600) {
  check_destination(&types[DOUBLE]);
}

Test(conversions, vectors_convert_element_by_element) {
  static const char source[] =
      "kernel void k(global float *out, global int *ints) { float3 f = (float3)(1.5f, -2.5f, 1e20f);\n"
      "  f.x = out[0]; vstore3(convert_int3_sat_rte(f), 0, ints); vstore3(convert_uchar3_sat(f), 0, (global uchar "
      "*)(ints + 3));\n"
      "  vstore16(convert_float16(convert_char16((int16)(ints[4]))), 0, out); }\n";
  struct result result = compile_well(source, NULL);
  float out[16] = {1.5f};
  int ints[5] = {0, 0, 0, 0, 0x1FF};
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}, {ints, sizeof ints}}});
  cr_expect_arr_eq(ints, ((int[]){2, -2, INT32_MAX, 0x00FF0001}), 16);
  cr_expect_float_eq(out[15], -1, 0);
  result_free(&result);
}

// All halves there are; and floats around every half, in every mode.
Test(conversions, vload_half_is_exact_for_every_half) {
  enum { HALVES = 65536 };
  static const char source[] =
      "kernel void k(global const half *in, global float *out) { size_t i = get_global_id(0);\n"
      "  vstore4(vload_half4(i, in), i, out); }\n";
  struct result result = compile_well(source, NULL);
  static uint16_t in[HALVES];
  static float out[HALVES];
  for (int i = 0; i < HALVES; i++)
    in[i] = (uint16_t)i;
  run_kernel(
      &result,
      &(struct dispatch){
          .kernel = "k", .global = {HALVES / 4}, .local = {64}, .buffers = {{in, sizeof in}, {out, sizeof out}}});
  for (int i = 0; i < HALVES; i++) {
    float expected = half_value((uint16_t)i);
    cr_assert((isnan(out[i]) && isnan(expected)) || (out[i] == expected && signbit(out[i]) == signbit(expected)),
              "half %x: %a expected, got %a", i, expected, out[i]);
  }
  result_free(&result);
}

// The halves on both sides of x, from which the mode chooses.
Test(conversions, vstore_half_rounds_in_every_mode, .timeout = 600) {
  enum { HALVES = 1024 };
  static const char source[] =
      "kernel void k(global const float *in, global half *out) { size_t i = get_global_id(0); float x = in[i];\n"
      "  vstore_half(x, i, out); vstore_half_rte(x, i, out + 1024); vstore_half_rtz(x, i, out + 2048);\n"
      "  vstore_half_rtp(x, i, out + 3072); vstore_half_rtn(x, i, out + 4096); }\n";
  struct result result = compile_well(source, NULL);
  static float in[HALVES];
  static uint16_t out[MODES][HALVES];
  for (int i = 0; i < HALVES; i++) {
    float at = half_value((uint16_t)random_word());
    float step = ldexpf(1, (int)(random_word() % 8) - 12);
    in[i] = i < 6        ? (float[]){65504.0f, 65519.0f, 65520.0f, 1e10f, 0x1p-25f, 0x1p-149f}[i]
            : i % 2 == 0 ? at * (1 + step)
                         : at + (random_word() % 3 - 1.0f) * 0x1p-25f;
  }
  run_kernel(&result,
             &(struct dispatch){
                 .kernel = "k", .global = {HALVES}, .local = {64}, .buffers = {{in, sizeof in}, {out, sizeof out}}});
  for (int m = 0; m < MODES; m++) {
    for (int i = 0; i < HALVES; i++) {
      uint16_t expected = expected_half(in[i], modes[m].to_float);
      cr_assert(out[m][i] == expected || (isnan(in[i]) && isnan(half_value(out[m][i]))),
                "vstore_half%s(%a): %04x expected, got %04x", modes[m].suffix, in[i], expected, out[m][i]);
    }
  }
  result_free(&result);
}

// Around the largest half, 65504: beyond it is the largest or infinity, as the mode says on that side (OpenCL C 3.0,
// 6.15.9, and IEEE 754's overflow). In the order of the stores: default, rte, rtz, rtp, rtn.
Test(conversions, vstore_half_at_the_largest_half) {
  enum { MAX = 0x7BFF, INF = 0x7C00 };
  static const struct {
    float value;
    uint16_t positive[5], negative[5];  // without and with the sign of the result
  } cases[] = {
      {65504.0f, {MAX, MAX, MAX, MAX, MAX}, {MAX, MAX, MAX, MAX, MAX}},
      {65505.0f, {MAX, MAX, MAX, INF, MAX}, {MAX, MAX, MAX, MAX, INF}},
      {65519.996f, {MAX, MAX, MAX, INF, MAX}, {MAX, MAX, MAX, MAX, INF}},
      {65520.0f, {INF, INF, MAX, INF, MAX}, {INF, INF, MAX, MAX, INF}},
      {65535.996f, {INF, INF, MAX, INF, MAX}, {INF, INF, MAX, MAX, INF}},
      {65536.0f, {INF, INF, MAX, INF, MAX}, {INF, INF, MAX, MAX, INF}},
      {65568.0f, {INF, INF, MAX, INF, MAX}, {INF, INF, MAX, MAX, INF}},
      {65600.0f, {INF, INF, MAX, INF, MAX}, {INF, INF, MAX, MAX, INF}},
      {131072.0f, {INF, INF, MAX, INF, MAX}, {INF, INF, MAX, MAX, INF}},
      {FLT_MAX, {INF, INF, MAX, INF, MAX}, {INF, INF, MAX, MAX, INF}},
      {INFINITY, {INF, INF, INF, INF, INF}, {INF, INF, INF, INF, INF}},
  };
  enum { CASES = sizeof cases / sizeof *cases, WAYS = 3 };
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "#define STORE(m, way) vstore_half##way(x, 0, o + m); vstorea_half4##way((float4)(x), 0, v); o[5 + m] = v[3];\n"
      "kernel void k(global const float *in, global half *out) { size_t i = get_global_id(0); float x = in[i];\n"
      "  global half *o = out + 15 * i; half4 w; private half *v = (private half *)&w;\n"
      "  STORE(0, ) STORE(1, _rte) STORE(2, _rtz) STORE(3, _rtp) STORE(4, _rtn)\n"
      "  o[10] = convert_half(x); o[11] = convert_half_rte(x); o[12] = convert_half_rtz(x); o[13] = "
      "convert_half_rtp(x);\n"
      "  o[14] = convert_half_rtn(x); }\n";
  static const char *const ways[WAYS] = {"vstore_half", "vstorea_half4", "convert_half"};
  struct result result = compile_well(source, NULL);
  float in[2 * CASES];
  uint16_t out[2 * CASES][WAYS][5];
  for (int i = 0; i < 2 * CASES; i++)
    in[i] = i % 2 ? -cases[i / 2].value : cases[i / 2].value;
  run_kernel(&result,
             &(struct dispatch){
                 .kernel = "k", .global = {2 * CASES}, .local = {2}, .buffers = {{in, sizeof in}, {out, sizeof out}}});
  for (int i = 0; i < 2 * CASES; i++) {
    for (int way = 0; way < WAYS; way++) {
      for (int m = 0; m < 5; m++) {
        const uint16_t expected = i % 2 ? 0x8000 | cases[i / 2].negative[m] : cases[i / 2].positive[m];
        cr_assert_eq(out[i][way][m], expected, "%s%s(%a): %04x expected, got %04x", ways[way], modes[m].suffix, in[i],
                     expected, out[i][way][m]);
      }
    }
  }
  result_free(&result);
}

Test(conversions, vstore_half_of_double_rounds_in_every_mode, .timeout = 600) {
  enum { DOUBLES = 1024 };
  static const char source[] =
      "kernel void k(global const double *in, global half *out) { size_t i = get_global_id(0); double x = in[i];\n"
      "  vstore_half(x, i, out); vstore_half_rte(x, i, out + 1024); vstore_half_rtz(x, i, out + 2048);\n"
      "  vstorea_half2_rtp((double2)(x), i, out + 3072); vstore_half2_rtn((double2)(x), i, out + 5120); }\n";
  struct result result = compile_well(source, "--double", NULL);
  static double in[DOUBLES];
  static uint16_t out[7 * DOUBLES];
  for (int i = 0; i < DOUBLES; i++)
    in[i] = i < 6 ? (double[]){65504, 65519.99, 65520, 1e300, 0x1p-25, 0x1.0000000000001p-25}[i] : random_double();
  run_kernel(&result,
             &(struct dispatch){
                 .kernel = "k", .global = {DOUBLES}, .local = {64}, .buffers = {{in, sizeof in}, {out, sizeof out}}});
  for (int m = 0; m < MODES; m++) {
    for (int i = 0; i < DOUBLES; i++) {
      uint16_t expected = expected_half(in[i], modes[m].to_float);
      const uint16_t got = m < 3 ? out[m * DOUBLES + i] : out[(m == 3 ? 3 : 5) * DOUBLES + 2 * i + 1];
      cr_assert(got == expected || (isnan(in[i]) && isnan(half_value(got))),
                "vstore_half%s(%a): %04x expected, got %04x", modes[m].suffix, in[i], expected, got);
    }
  }
  result_free(&result);
}
