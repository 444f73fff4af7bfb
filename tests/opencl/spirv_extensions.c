// SPDX-License-Identifier: Apache-2.0
// SPIR-V's extensions that come with those of OpenCL (SPV_KHR_bit_instructions, SPV_KHR_integer_dot_product,
// SPV_KHR_expect_assume, SPV_KHR_linkonce_odr): modules that declare them give what they should.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

static cl_program of_il(const void *il, size_t size) {
  cl_int error;
  cl_program program = clCreateProgramWithIL(harness()->context, il, size, &error);
  EXPECT_SUCCESS(error);
  return program;
}

static cl_program built(cl_program program) {
  const cl_int error = clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL);
  if (error != CL_SUCCESS)
    fail("clBuildProgram: expected CL_SUCCESS, got %s:\n%s", error_name(error), log_of(program));
  return program;
}

#define CLANG                                                                                                       \
  "clang-22 --target=spirv32-unknown-unknown -O1 -mllvm "                                                           \
  "-spirv-ext=+SPV_KHR_bit_instructions,+SPV_KHR_integer_dot_product,+SPV_KHR_expect_assume,+SPV_KHR_linkonce_odr " \
  "-D cl_khr_extended_bit_ops -D __opencl_c_integer_dot_product_input_4x8bit "                                      \
  "-D __opencl_c_integer_dot_product_input_4x8bit_packed -c -o %s "

static void expect_declared(const struct binary *il, const char *extension) {
  if (!memmem(il->bytes, il->size, extension, strlen(extension)))
    fail("the module does not declare %s: nothing would be tested", extension);
}

// A kernel k(int *x) as SPIR-V and from source leaves the same in the words it begins with. (Other suites check the
// source's against references.)
static void expect_same(const char *source, const char *extension) {
  enum { WORDS = 512 };
  const struct binary il = made_by(CLANG "-x cl -cl-std=CL3.0 -", source);
  expect_declared(&il, extension);
  const cl_program programs[2] = {build(source, "-cl-std=CL3.0"), built(of_il(il.bytes, il.size))};
  uint32_t results[2][WORDS], input[WORDS], state = 5;
  for (int i = 0; i < WORDS; i++)
    input[i] = random_u32(&state);
  for (int i = 0; i < 2; i++) {
    cl_kernel kernel = kernel_of(programs[i], "k");
    cl_mem x = buffer_with(input, sizeof input);
    set_args(kernel, ARG(x), END_ARGS);
    run_1d(kernel, WORDS / 8, 16);
    read_buffer(x, results[i], sizeof input);
  }
  expect_u32("SPIR-V against source", results[0], results[1], WORDS);
}

Test(spirv_extensions, bit_instructions_are_those_of_the_source) {
  static const char *const types[] = {"char", "ushort", "int", "ulong", "uchar4", "long2"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char source[1024];
    snprintf(
        source, sizeof source,
        "kernel void k(global int *x) { global int *o = x + 8 * get_global_id(0);\n"
        "  typedef union { %s t; int w[8]; } U; U a = {0}, b = {0}, r = {0};\n"
        "  for (int i = 0; i < 8; i++) { a.w[i] = o[i]; b.w[i] = ~o[7 - i]; }\n"
        "  uint offset = (uint)o[0] %% 5, count = (uint)o[1] %% 4;\n"
        "  r.t = bit_reverse(bitfield_insert(a.t, b.t, offset, count)); for (int i = 0; i < 4; i++) o[i] = r.w[i];\n"
        "  union { __typeof__(bitfield_extract_signed(a.t, 0u, 1u)) t; int w[8]; } s = {0};\n"
        "  union { __typeof__(bitfield_extract_unsigned(a.t, 0u, 1u)) t; int w[8]; } u = {0};\n"
        "  s.t = bitfield_extract_signed(a.t, offset, count); u.t = bitfield_extract_unsigned(a.t, offset, count);\n"
        "  for (int i = 0; i < 4; i++) o[4 + i] = s.w[i] + 3 * u.w[i]; }\n",
        types[i]);
    expect_same(source, "SPV_KHR_bit_instructions");
  }
}

// kernel void k(global uint *out), with offset and count of every width: insert of its low bits into ~x, x =
// 0xF1E2D3C4, and both extractions, for offset 3 and count 5.
#define OP(opcode, length) ((uint32_t)(length) << 16 | (opcode))

Test(spirv_extensions, bit_fields_take_offset_and_count_of_every_width) {
  enum { INSERT = 201, SIGNED_EXTRACT = 202, UNSIGNED_EXTRACT = 203, TYPES = 4 };
  static const uint32_t bits[TYPES] = {8, 16, 32, 64}, capabilities[] = {4, 5, 6, 39, 22, 11, 6025};
  for (uint32_t offset = 0; offset < TYPES; offset++) {
    const uint32_t count = (offset * 3 + 1) % TYPES, x = 0xF1E2D3C4;
    uint32_t words[256];
    size_t n = 0;
#define PUT(...)                                                       \
  do {                                                                 \
    const uint32_t put[] = {__VA_ARGS__};                              \
    memcpy(words + n, put, sizeof put), n += sizeof put / sizeof *put; \
  } while (0)
    PUT(0x07230203, 0x00010000, 0, 100, 0);
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
      PUT(OP(17, 2), capabilities[i]);
    static const char name[28] = "SPV_KHR_bit_instructions";
    PUT(OP(10, 8));  // OpExtension, 25 bytes with their zero
    memcpy(words + n, name, 28), n += 7;
    PUT(OP(14, 3), 1, 2, OP(15, 4), 6, 40, 'k', OP(19, 2), 1);  // model, entry point, %1 = OpTypeVoid
    for (uint32_t i = 0; i < TYPES; i++)                        // %2 to %5
      PUT(OP(21, 4), 2 + i, bits[i], 0);
    PUT(OP(32, 4), 7, 5, 4, OP(33, 4), 8, 1, 7);  // pointer to %4, function type
    for (uint32_t i = 0; i < TYPES; i++) {        // 3 and 5 of each type
      PUT(OP(43, bits[i] == 64 ? 5 : 4), 2 + i, 10 + i, 3);
      if (bits[i] == 64)
        PUT(0);
      PUT(OP(43, bits[i] == 64 ? 5 : 4), 2 + i, 20 + i, 5);
      if (bits[i] == 64)
        PUT(0);
    }
    PUT(OP(43, 4), 4, 30, x, OP(43, 4), 4, 31, ~x, OP(43, 4), 4, 32, 1, OP(43, 4), 4, 33, 2);
    PUT(OP(54, 5), 1, 40, 0, 8, OP(55, 3), 7, 41, OP(248, 2), 44);
    PUT(OP(INSERT, 7), 4, 50, 31, 30, 10 + offset, 20 + count);
    PUT(OP(SIGNED_EXTRACT, 6), 4, 51, 30, 10 + offset, 20 + count);
    PUT(OP(UNSIGNED_EXTRACT, 6), 4, 52, 30, 10 + offset, 20 + count);
    PUT(OP(70, 5), 7, 53, 41, 32, OP(70, 5), 7, 54, 41, 33);  // OpInBoundsPtrAccessChain
    PUT(OP(62, 5), 41, 50, 2, 4, OP(62, 5), 53, 51, 2, 4, OP(62, 5), 54, 52, 2, 4, OP(253, 1), OP(56, 1));
#undef PUT
    cl_kernel kernel = kernel_of(built(of_il(words, n * 4)), "k");
    cl_mem out = buffer_with(NULL, 12);
    const uint32_t field = x >> 3 & 31;
    const uint32_t expected[3] = {(~x & ~(31u << 3)) | (x & 31) << 3, field >= 16 ? field | ~31u : field, field};
    uint32_t got[3];
    set_args(kernel, ARG(out), END_ARGS);
    run_1d(kernel, 1, 1);
    read_buffer(out, got, sizeof got);
    expect_u32("insert, signed and unsigned extraction", expected, got, 3);
  }
}

Test(spirv_extensions, dot_products_are_those_of_the_source) {
  expect_same(
      "kernel void k(global int *x) { global int *o = x + 8 * get_global_id(0);\n"
      "  uint a = (uint)o[0], b = (uint)o[1]; int c = o[2]; char4 sa = as_char4(a), sb = as_char4(b);\n"
      "  uchar4 ua = as_uchar4(a), ub = as_uchar4(b);\n"
      "  o[0] = (int)dot_4x8packed_uu_uint(a, b) + 3 * dot_4x8packed_ss_int(a, b);\n"
      "  o[1] = dot_4x8packed_us_int(a, b) + 3 * dot_4x8packed_su_int(a, b);\n"
      "  o[2] = (int)dot_acc_sat_4x8packed_uu_uint(a, b, (uint)c); o[3] = dot_acc_sat_4x8packed_ss_int(a, b, c);\n"
      "  o[4] = dot_acc_sat_4x8packed_us_int(a, b, c) ^ dot_acc_sat_4x8packed_su_int(a, b, c);\n"
      "  o[5] = (int)dot(ua, ub) + 3 * dot(sa, sb) + 5 * dot(ua, sb) + 7 * dot(sa, ub);\n"
      "  o[6] = (int)dot_acc_sat(ua, ub, (uint)c) ^ dot_acc_sat(sa, sb, c);\n"
      "  o[7] = dot_acc_sat(ua, sb, c) ^ dot_acc_sat(sa, ub, c); }\n",
      "SPV_KHR_integer_dot_product");
}

// Results of every width. kernel void k(global ulong *out, uint a, uint b): for each width of four, two words of a
// product, then the same with an accumulator, which is a, narrowed or widened with zeros.
enum { DOT = 4450, PACKED_FORMAT = 0 };
enum { SIGNED, UNSIGNED, MIXED, KINDS };

static size_t write_module(uint32_t *words, uint32_t kind, bool packed) {
  static const uint32_t bits[] = {8, 16, 32, 64}, capabilities[] = {4, 5, 6, 39, 22, 11, 6017, 6018, 6019};
  size_t n = 0;
#define PUT(...)                                                       \
  do {                                                                 \
    const uint32_t put[] = {__VA_ARGS__};                              \
    memcpy(words + n, put, sizeof put), n += sizeof put / sizeof *put; \
  } while (0)
  PUT(0x07230203, 0x00010000, 0, 100, 0);
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
    PUT(OP(17, 2), capabilities[i]);
  static const char name[32] = "SPV_KHR_integer_dot_product";
  PUT(OP(10, 8));  // OpExtension, 28 bytes with their zero
  memcpy(words + n, name, 28), n += 7;
  PUT(OP(14, 3), 1, 2);             // OpMemoryModel Physical32 OpenCL
  PUT(OP(15, 4), 6, 40, 'k');       // OpEntryPoint Kernel %40 "k"
  PUT(OP(19, 2), 1);                // %1 = OpTypeVoid
  for (uint32_t i = 0; i < 4; i++)  // %2 to %5
    PUT(OP(21, 4), 2 + i, bits[i], 0);
  PUT(OP(23, 4), 6, 2, 4);        // %6 = OpTypeVector %2 4
  PUT(OP(32, 4), 7, 5, 5);        // %7 = OpTypePointer CrossWorkgroup %5
  PUT(OP(33, 6), 8, 1, 7, 4, 4);  // %8 = OpTypeFunction %1 %7 %4 %4
  for (uint32_t i = 1; i < 8; i++)
    PUT(OP(43, 4), 4, 10 + i, i);  // %10 + i = OpConstant %4 i
  PUT(OP(54, 5), 1, 40, 0, 8);     // %40 = OpFunction
  PUT(OP(55, 3), 7, 41, OP(55, 3), 4, 42, OP(55, 3), 4, 43);
  PUT(OP(248, 2), 44);                                // OpLabel
  PUT(OP(124, 4), 6, 45, 42, OP(124, 4), 6, 46, 43);  // OpBitcast: the vectors
  const uint32_t a = packed ? 42 : 45, b = packed ? 43 : 46;
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t type = 2 + i, id = 50 + 8 * i;
    uint32_t sum = 42;
    if (bits[i] != 32) {
      PUT(OP(113, 4), type, id, 42);  // OpUConvert
      sum = id;
    }
    PUT(OP(DOT + kind, packed ? 6 : 5), type, id + 1, a, b);
    if (packed)
      PUT(PACKED_FORMAT);
    PUT(OP(DOT + 3 + kind, packed ? 7 : 6), type, id + 2, a, b, sum);
    if (packed)
      PUT(PACKED_FORMAT);
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t result = id + 1 + k, place = 41;
      if (bits[i] != 64) {
        PUT(OP(113, 4), 5, id + 3 + k, result);
        result = id + 3 + k;
      }
      if (2 * i + k != 0) {
        PUT(OP(70, 5), 7, id + 5 + k, 41, 10 + 2 * i + k);  // OpInBoundsPtrAccessChain
        place = id + 5 + k;
      }
      PUT(OP(62, 5), place, result, 2, 8);  // OpStore Aligned 8
    }
  }
  PUT(OP(253, 1), OP(56, 1));
#undef PUT
  return n;
}

static int64_t element(uint32_t word, int number, bool is_signed) {
  const uint32_t byte = word >> 8 * number & 0xFF;
  return is_signed ? (int8_t)byte : (int64_t)byte;
}

// The low bits of the sum; with an accumulator the saturated sum of those and it.
static uint64_t reference(uint32_t kind, uint32_t bits, uint32_t a, uint32_t b, bool accumulates) {
  const uint32_t shift = 64 - bits;
  const uint64_t mask = UINT64_MAX >> shift;
  int64_t sum = 0;
  for (int i = 0; i < 4; i++)
    sum += element(a, i, kind != UNSIGNED) * element(b, i, kind == SIGNED);
  if (!accumulates)
    return (uint64_t)sum & mask;
  const uint64_t given = (uint64_t)a & mask;
  if (kind == UNSIGNED) {
    const unsigned __int128 total = (unsigned __int128)((uint64_t)sum & mask) + given;
    return total > mask ? mask : (uint64_t)total;
  }
  const int64_t narrow = (int64_t)((uint64_t)sum << shift) >> shift, other = (int64_t)(given << shift) >> shift;
  const __int128 total = (__int128)narrow + other, high = (__int128)(mask >> 1), low = -high - 1;
  return (uint64_t)(total > high ? high : total < low ? low : total) & mask;
}

Test(spirv_extensions, dot_products_have_results_of_every_width) {
  static const uint32_t operands[][2] = {{0x01020304, 0x05060708}, {0x80808080, 0x80808080}, {0x7F7F7F7F, 0x80FF01FE},
                                         {0xFFFFFFFF, 0xFFFFFFFF}, {0x7FFFFFFF, 0x01010101}, {0x0000007F, 0x00000001}};
  for (uint32_t variant = 0; variant < 2 * KINDS; variant++) {
    uint32_t words[1024];
    const uint32_t kind = variant / 2;
    const size_t count = write_module(words, kind, variant % 2 != 0);
    cl_kernel kernel = kernel_of(built(of_il(words, count * 4)), "k");
    cl_mem out = buffer_with(NULL, 64);
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
      const cl_uint a = operands[i][0], b = operands[i][1];
      uint64_t got[8];
      set_args(kernel, ARG(out), ARG(a), ARG(b), END_ARGS);
      run_1d(kernel, 1, 1);
      read_buffer(out, got, sizeof got);
      for (uint32_t k = 0; k < 8; k++) {
        const uint32_t bits = 8u << k / 2;
        const uint64_t expected = reference(kind, bits, a, b, k % 2 != 0);
        // An accumulating one whose product does not fit is undefined.
        const bool fits =
            reference(kind, 64, a, b, false) == reference(kind, bits, a, b, false) ||
            (kind != UNSIGNED && (int64_t)reference(kind, 64, a, b, false) ==
                                     (int64_t)(reference(kind, bits, a, b, false) << (64 - bits)) >> (64 - bits));
        if (got[k] != expected && (k % 2 == 0 || fits))
          fail("kind %u, %s, %u bits%s, of %08x and %08x: expected %" PRIx64 ", got %" PRIx64, kind,
               variant % 2 ? "packed" : "vectors", bits, k % 2 ? " with an accumulator" : "", a, b, expected, got[k]);
      }
    }
  }
}

Test(spirv_extensions, hints_change_no_value) {
  expect_same(
      "kernel void k(global int *x) { global int *o = x + get_global_id(0); int v = *o & 0xFFFF;\n"
      "  __builtin_assume(get_global_id(0) < 64); if (__builtin_expect(v == 6, 0)) *o = 1; else *o = "
      "(int)__builtin_expect(v, 3) % 5; "
      "}\n",
      "SPV_KHR_expect_assume");
}

// Two modules with the same inline function, and a source that calls it as well: there is one of it.
static void expect_once(const cl_program *parts, cl_uint count) {
  cl_program program = link_well(parts, count, NULL);
  expect_word(2 * 7 + 3 * 5 + 2 * 1 + 3 * 2, program, "k");
}

Test(spirv_extensions, functions_of_many_modules_are_linked_once) {
  static const char *const sources[] = {
      "inline int shared(int x) { return 2 * x; }\nint one(int x) { return shared(x) + shared(1); }\n",
      "inline int shared(int x) { return 2 * x; }\ntemplate<typename T> T thrice(T x) { return 3 * x; }\n"
      "int two(int x) { return thrice(x) + thrice(2) + shared(0); }\n"};
  cl_program parts[3];
  for (int i = 0; i < 2; i++) {
    const struct binary il = made_by(CLANG "-Xclang -disable-llvm-passes -x clcpp -cl-std=CLC++2021 -", sources[i]);
    expect_declared(&il, "SPV_KHR_linkonce_odr");
    parts[i] = of_il(il.bytes, il.size);
    EXPECT_SUCCESS(clCompileProgram(parts[i], 1, &harness()->device, NULL, 0, NULL, NULL, NULL, NULL));
  }
  parts[2] = compiled(
      "#define FROM int __attribute__((overloadable))\nFROM one(int); FROM two(int); FROM shared(int);\n"
      "kernel void k(global int *out) { out[0] = one(7) + two(5) + shared(out[1]); }\n",
      NULL);
  expect_once(parts, 3);
  const cl_program reversed[] = {parts[2], parts[1], parts[0]};
  expect_once(reversed, 3);
  // By way of a library.
  const cl_program through[] = {link_well(parts, 2, "-create-library"), parts[2]};
  expect_once(through, 2);
}
