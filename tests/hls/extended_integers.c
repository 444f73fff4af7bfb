// SPDX-License-Identifier: Apache-2.0
// cl_khr_extended_bit_ops and cl_khr_integer_dot_product, run on the golden model, against references that go bit by
// bit and element by element, as the texts of the extensions do.
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/random.h"

// ---- cl_khr_extended_bit_ops

enum { POINTS = 256, WIDTHS = 6, FUNCTIONS = 4 };

struct type {
  const char *name, *signed_name, *unsigned_name;
  uint32_t bits;
};
static const struct type types[] = {{"char", "char", "uchar", 8},     {"uchar", "char", "uchar", 8},
                                    {"short", "short", "ushort", 16}, {"ushort", "short", "ushort", 16},
                                    {"int", "int", "uint", 32},       {"uint", "int", "uint", 32},
                                    {"long", "long", "ulong", 64},    {"ulong", "long", "ulong", 64}};
static const int widths[WIDTHS] = {1, 2, 3, 4, 8, 16};
static const char *const functions[FUNCTIONS] = {"bitfield_insert", "bitfield_extract_signed",
                                                 "bitfield_extract_unsigned", "bit_reverse"};

static uint64_t bit(uint64_t value, uint32_t number) {
  return value >> number & 1;
}

static uint64_t insert(uint32_t bits, uint64_t base, uint64_t from, uint32_t offset, uint32_t count) {
  uint64_t result = 0;
  for (uint32_t i = 0; i < bits; i++)
    result |= (i >= offset && i < offset + count ? bit(from, i - offset) : bit(base, i)) << i;
  return result;
}

static uint64_t extract(uint32_t bits, uint64_t base, uint32_t offset, uint32_t count, int is_signed) {
  uint64_t result = 0;
  for (uint32_t i = 0; i < bits && count != 0; i++) {
    uint64_t beyond = is_signed ? bit(base, offset + count - 1) : 0;
    result |= (i < count ? bit(base, offset + i) : beyond) << i;
  }
  return result;
}

static uint64_t reverse(uint32_t bits, uint64_t base) {
  uint64_t result = 0;
  for (uint32_t i = 0; i < bits; i++)
    result |= bit(base, bits - 1 - i) << i;
  return result;
}

static uint64_t expected_of(int function, uint32_t bits, uint64_t base, uint64_t from, uint32_t offset,
                            uint32_t count) {
  switch (function) {
    case 0:
      return insert(bits, base, from, offset, count);
    case 1:
      return extract(bits, base, offset, count, 1);
    case 2:
      return extract(bits, base, offset, count, 0);
    default:
      return reverse(bits, base);
  }
}

// Every element of a vector is a number of its own: element e of point i is word i + e, around the end.
static int write_width(char *source, size_t size, const struct type *type, int width, int index) {
  char vector[12] = "";
  int used = 0;
  if (width > 1)
    snprintf(vector, sizeof vector, "%d", width);
  used += snprintf(source + used, size - (size_t)used, "  { %s%s a, b; %s%s s; %s%s u;\n", type->name, vector,
                   type->signed_name, vector, type->unsigned_name, vector);
  for (int e = 0; e < width; e++) {
    char element[12] = "";
    if (width > 1)
      snprintf(element, sizeof element, ".s%X", (unsigned)e);
    used += snprintf(source + used, size - (size_t)used,
                     "    a%s = (T)in[(i + %d) %% 256]; b%s = (T)in[256 + (i + %d) %% 256];\n", element, e, element, e);
  }
  // A result is the sum of its elements, each times a number of its own.
  static const char *const calls[FUNCTIONS] = {"a = bitfield_insert(c, b, offset, count)",
                                               "s = bitfield_extract_signed(c, offset, count)",
                                               "u = bitfield_extract_unsigned(c, offset, count)", "a = bit_reverse(c)"};
  static const char results[FUNCTIONS] = {'a', 's', 'u', 'a'};
  used += snprintf(source + used, size - (size_t)used, "    const %s%s c = a;\n", type->name, vector);
  for (int f = 0; f < FUNCTIONS; f++) {
    used += snprintf(source + used, size - (size_t)used, "    %s; out[%d + i] = 0", calls[f],
                     (f * WIDTHS + index) * POINTS);
    for (int e = 0; e < width; e++) {
      if (width > 1) {
        used +=
            snprintf(source + used, size - (size_t)used, " + %d * (ulong)%c.s%X", 2 * e + 1, results[f], (unsigned)e);
      } else {
        used += snprintf(source + used, size - (size_t)used, " + (ulong)%c", results[f]);
      }
    }
    used += snprintf(source + used, size - (size_t)used, ";\n");
  }
  used += snprintf(source + used, size - (size_t)used, "  }\n");
  return used;
}

// As the kernel's (ulong) of a type does.
static uint64_t widened(uint64_t value, uint32_t bits, int is_signed) {
  uint32_t shift = 64 - bits;
  return is_signed ? (uint64_t)((int64_t)(value << shift) >> shift) : value << shift >> shift;
}

static void check_type(const struct type *type) {
  static uint64_t in[2 * POINTS], out[FUNCTIONS * WIDTHS * POINTS];
  static uint32_t places[2 * POINTS];
  static char source[1 << 16];
  int is_signed = strcmp(type->name, type->signed_name) == 0;
  int used =
      snprintf(source, sizeof source,
               "typedef %s T;\nkernel void k(global const ulong *in, global const uint *places, global ulong *out) "
               "{\n  size_t i = get_global_id(0); const uint offset = places[i], count = places[256 + i];\n",
               type->name);
  for (int w = 0; w < WIDTHS; w++)
    used += write_width(source + used, sizeof source - (size_t)used, type, widths[w], w);
  snprintf(source + used, sizeof source - (size_t)used, "}\n");
  for (int i = 0; i < POINTS; i++) {
    in[i] = random_64();
    in[POINTS + i] = random_64();
    // Whatever is defined, the ends often: offset + count is at most the number of bits.
    uint32_t count = random_64() % 4 == 0 ? type->bits : (uint32_t)(random_64() % (type->bits + 1));
    count = random_64() % 8 == 0 ? 0 : count;
    places[i] = random_64() % 4 == 0 ? type->bits - count : (uint32_t)(random_64() % (type->bits - count + 1));
    places[POINTS + i] = count;
  }
  struct result result = compile_well(source, "-cl-std=CL1.2", NULL);
  run_kernel(&result, &(struct dispatch){.kernel = "k",
                                         .global = {POINTS},
                                         .local = {64},
                                         .buffers = {{in, sizeof in}, {places, sizeof places}, {out, sizeof out}}});
  result_free(&result);
  for (int f = 0; f < FUNCTIONS; f++) {
    int result_is_signed = f == 1 || (f != 2 && is_signed);
    for (int w = 0; w < WIDTHS; w++) {
      for (uint32_t i = 0; i < POINTS; i++) {
        uint64_t expected = 0;
        for (uint32_t e = 0; e < (uint32_t)widths[w]; e++) {
          uint64_t one = expected_of(f, type->bits, in[(i + e) % POINTS], in[POINTS + (i + e) % POINTS], places[i],
                                     places[POINTS + i]);
          expected += (2 * e + 1) * widened(one, type->bits, result_is_signed);
        }
        uint64_t got = out[((uint32_t)f * WIDTHS + (uint32_t)w) * POINTS + i];
        cr_assert_eq(got, expected,
                     "%s of %s, %d elements, base %llx, insert %llx, offset %u, count %u: %llx expected, "
                     "got %llx",
                     functions[f], type->name, widths[w], (unsigned long long)in[i], (unsigned long long)in[POINTS + i],
                     places[i], places[POINTS + i], (unsigned long long)expected, (unsigned long long)got);
      }
    }
  }
}

Test(extended_integers, bit_fields_are_moved_bit_by_bit_in_every_type_and_width, .timeout = 600) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    check_type(&types[i]);
}

// What is left open is some value, and the next kernel runs.
Test(extended_integers, bit_fields_beyond_the_type_are_harmless) {
  static const char source[] =
      "kernel void k(global int *out, uint offset, uint count) {\n"
      "  out[0] = bitfield_insert(out[1], out[2], offset, count) | bitfield_extract_signed(out[1], offset, count)\n"
      "    | bitfield_extract_unsigned(out[1], offset, count); out[3] = 7; }\n";
  struct result result = compile_well(source, "-cl-std=CL3.0", NULL);
  static const uint32_t beyond[][2] = {{33, 0}, {0, 33}, {31, 31}, {0xFFFFFFFF, 1}, {1, 0xFFFFFFFF}};
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++) {
    int out[4] = {0, 5, 6, 0};
    run_kernel(&result, &(struct dispatch){
                            .kernel = "k", .buffers = {{out, sizeof out}}, .values = {beyond[i][0], beyond[i][1]}});
    cr_expect_eq(out[3], 7);
  }
  result_free(&result);
}

// ---- cl_khr_integer_dot_product

static const struct form {
  const char *letters, *result;  // of the packed functions
  int a_is_signed, b_is_signed;
} forms[] = {{"uu", "uint", 0, 0}, {"ss", "int", 1, 1}, {"us", "int", 0, 1}, {"su", "int", 1, 0}};
enum { FORMS = 4, CALLS = 4 };  // each with and without an accumulator, of vectors and packed

static int64_t element(uint32_t word, int number, int is_signed) {
  uint32_t byte = word >> 8 * number & 0xFF;
  return is_signed ? (int8_t)byte : (int64_t)byte;
}

static uint32_t dot(const struct form *form, uint32_t a, uint32_t b, uint32_t sum, int accumulates) {
  int is_signed = form->a_is_signed || form->b_is_signed;
  int64_t total = 0;
  for (int i = 0; i < 4; i++)
    total += element(a, i, form->a_is_signed) * element(b, i, form->b_is_signed);
  if (accumulates) {
    total += is_signed ? (int32_t)sum : (int64_t)sum;
    int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
    total = total < low ? low : total > high ? high : total;
  }
  return (uint32_t)total;
}

Test(extended_integers, dot_products_widen_multiply_add_and_saturate) {
  static uint32_t in[3 * POINTS], out[FORMS * CALLS * POINTS];
  static char source[1 << 14];
  int used = snprintf(source, sizeof source,
                      "kernel void k(global const uint *in, global uint *out) {\n  size_t i = get_global_id(0);\n"
                      "  const uint a = in[i], b = in[256 + i], sum = in[512 + i];\n");
  for (int f = 0; f < FORMS; f++) {
    const struct form *form = &forms[f];
    const char *ta = form->a_is_signed ? "char4" : "uchar4", *tb = form->b_is_signed ? "char4" : "uchar4";
    used += snprintf(
        source + used, sizeof source - (size_t)used,
        "  out[%d + i] = dot(as_%s(a), as_%s(b)); out[%d + i] = dot_acc_sat(as_%s(a), as_%s(b), (%s)sum);\n"
        "  out[%d + i] = dot_4x8packed_%s_%s(a, b); out[%d + i] = dot_acc_sat_4x8packed_%s_%s(a, b, (%s)sum);\n",
        (f * CALLS + 0) * POINTS, ta, tb, (f * CALLS + 1) * POINTS, ta, tb, form->result, (f * CALLS + 2) * POINTS,
        form->letters, form->result, (f * CALLS + 3) * POINTS, form->letters, form->result, form->result);
  }
  snprintf(source + used, sizeof source - (size_t)used, "}\n");
  for (int i = 0; i < 3 * POINTS; i++) {
    static const uint32_t ends[] = {0,          0x80808080, 0x7F7F7F7F, 0xFFFFFFFF,
                                    0x80000000, 0x7FFFFFFF, 0xFFFFFF00, 0x7FFFFF00};
    in[i] = random_64() % 3 == 0 ? ends[random_64() % 8] : (uint32_t)random_64();
  }
  static const char *const versions[] = {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int v = 0; v < 3; v++) {
    struct result result = compile_well(source, versions[v], NULL);
    run_kernel(&result,
               &(struct dispatch){
                   .kernel = "k", .global = {POINTS}, .local = {64}, .buffers = {{in, sizeof in}, {out, sizeof out}}});
    result_free(&result);
    for (int f = 0; f < FORMS * CALLS * POINTS; f++) {
      const struct form *form = &forms[f / POINTS / CALLS];
      int i = f % POINTS, call = f / POINTS % CALLS;
      uint32_t expected = dot(form, in[i], in[POINTS + i], in[2 * POINTS + i], call % 2);
      cr_assert_eq(out[f], expected, "%s %s, form %d of %x, %x and %x: %x expected, got %x", versions[v], form->letters,
                   call, in[i], in[POINTS + i], in[2 * POINTS + i], expected, out[f]);
    }
  }
}

// ---- cl_khr_expect_assume has no functions of OpenCL C of its own; clang's are what its text names.
Test(extended_integers, hints_change_no_value) {
  static const char source[] =
      "#if !__has_builtin(__builtin_expect) || !__has_builtin(__builtin_assume)\n#error no hints\n#endif\n"
      "kernel void k(global int *out, int x) { int value = (int)__builtin_expect(x, 0); __builtin_assume(value >= 0);\n"
      "  out[0] = value % 4; if (__builtin_expect(x == 6, 0)) out[1] = 5; }\n";
  static const char *const versions[] = {"-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0"};
  for (int v = 0; v < 3; v++) {
    struct result result = compile_well(source, versions[v], NULL);
    int out[2] = {0, 0};
    run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{out, sizeof out}}, .values = {6}});
    cr_expect_arr_eq(out, ((int[]){2, 5}), sizeof out);
    result_free(&result);
  }
}
