// SPDX-License-Identifier: Apache-2.0
// Integers of any width, as a header of Intel's SDK for FPGAs has them (hls/lib/include/ihc_apint.h): what they hold
// and compute is what the bits below their width say.
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/opencl/harness.h"

enum { ITEMS = 24, VALUES = 12 };

#define WIDTHS(DO) \
  DO(2) DO(3) DO(5) DO(7) DO(9) DO(10) DO(12) DO(15) DO(17) DO(20) DO(24) DO(31) DO(33) DO(37) DO(48) DO(63)
#define COUNT(width) +1
enum { WIDTH_COUNT = WIDTHS(COUNT), RESULTS = WIDTH_COUNT * VALUES };

// A value's bits below the width, as a number without and with a sign.
static uint64_t plain(uint64_t value, unsigned width) {
  return value & (~UINT64_C(0) >> (64 - width));
}

static uint64_t with_sign(uint64_t value, unsigned width) {
  const uint64_t sign = UINT64_C(1) << (width - 1);
  return (plain(value, width) ^ sign) - sign;
}

static uint64_t *compute(uint64_t x, uint64_t y, unsigned width, uint64_t *to) {
  const uint64_t a = with_sign(x, width), b = with_sign(y, width), c = plain(x, width), d = plain(y, width);
  const int64_t by = (int64_t)(b & 1) + 1;
  const uint64_t values[VALUES] = {
      with_sign(a + b, width),
      with_sign(a - b, width),
      with_sign(a * b, width),
      (uint64_t)((int64_t)a >> 1),
      plain(c + d, width),
      plain(c * d, width),
      c >> 1,
      c / (d | 1),
      c % (d | 1),
      (uint64_t)((int64_t)a / by),
      (uint64_t)(((int64_t)a < (int64_t)b) + 2 * (c < d)),
      plain(~c, width),
  };
  for (unsigned i = 0; i < VALUES; i++)
    *to++ = values[i];
  return to;
}

// The text of one width's results.
#define KERNEL(n)                                                                                        \
  "{ int" #n "_t a = (int" #n "_t)x, b = (int" #n "_t)y; uint" #n "_t c = (uint" #n "_t)x, d = (uint" #n \
  "_t)y; local_" #n                                                                                      \
  " s = {a, d};\n"                                                                                       \
  "*to++ = (long)(a + b); *to++ = (long)(a - s.b); *to++ = (long)(s.a * b); *to++ = (long)(a >> 1);\n"   \
  "*to++ = c + d; *to++ = c * s.c; *to++ = c >> 1; *to++ = c / (d | (uint" #n                            \
  "_t)1);\n"                                                                                             \
  "*to++ = c % (d | (uint" #n                                                                            \
  "_t)1); *to++ = (long)a / (1 + (int)((uint)d & 1));\n"                                                 \
  "*to++ = (a < b) + 2 * (c < d); *to++ = (uint" #n "_t)~c; }\n"
#define STRUCTURE(n) "typedef struct { int" #n "_t a; union { int" #n "_t b; uint" #n "_t c; }; } local_" #n ";\n"

static const char body[] = WIDTHS(STRUCTURE) "kernel void k(global const ulong *in, global ulong *out) {\n"
                                             "  ulong x = in[2 * get_global_id(0)], y = in[2 * get_global_id(0) + 1];\n"
                                             "  global ulong *to = out + RESULTS * get_global_id(0);\n" WIDTHS(KERNEL) "}\n";

static void check(const char *begin, const char *options) {
  char source[sizeof body + 256];
  snprintf(source, sizeof source, "#define RESULTS %d\n%s%s", RESULTS, begin, body);
  cl_kernel kernel = kernel_of(build(source, options), "k");
  uint64_t in[2 * ITEMS], expected[ITEMS * RESULTS], got[ITEMS * RESULTS];
  uint32_t state = 5;
  for (unsigned i = 0; i < 2 * ITEMS; i++)
    in[i] = (uint64_t)random_u32(&state) << 32 | random_u32(&state);
  for (unsigned i = 0; i < ITEMS; i++) {
    uint64_t *to = expected + RESULTS * i;
#define COMPUTE(n) to = compute(in[2 * i], in[2 * i + 1], n, to);
    WIDTHS(COMPUTE)
  }
  cl_mem a = buffer_with(in, sizeof in), b = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, ITEMS, 4);
  read_buffer(b, got, sizeof got);
  for (unsigned i = 0; i < ITEMS * RESULTS; i++)
    cr_expect_eq(got[i], expected[i], "work-item %u, width number %u, value %u: %016llx, not %016llx", i / RESULTS,
                 i % RESULTS / VALUES, i % VALUES, (unsigned long long)got[i], (unsigned long long)expected[i]);
}

Test(odd_integers, have_the_bits_below_their_width) {
  check("#include \"ihc_apint.h\"\n", "-cl-std=CL3.0");
  check("#include <ihc_apint.h>\n", "");
}

Test(odd_integers, are_there_by_the_extension_of_the_sdk) {
  check("#pragma OPENCL EXTENSION cl_intel_arbitrary_precision_integers : enable\n", "-cl-std=CL1.2");
}

// Of the SDK's loads and stores each names one.
Test(odd_integers, loads_and_stores_of_the_sdk_are_loads_and_stores) {
  cl_kernel kernel = kernel_of(build("#include \"ihc_apint.h\"\n"
                                     "kernel void k(global const int *in, global uint *out) {\n"
                                     "  uint1_t one = __pipelined_load(in + 3);\n"
                                     "  __pipelined_store(out, __prefetching_load(&in[1]) + one);\n"
                                     "  __burst_coalesced_store(&out[1], __burst_coalesced_load(in + 2));\n"
                                     "  out[2] = __burst_coalesced_cached_load(in, 4096) * 3;\n}\n",
                                     ""),
                               "k");
  const uint32_t in[4] = {5, 6, 7, 9};
  uint32_t got[3];
  cl_mem a = buffer_with(in, sizeof in), b = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(b, got, sizeof got);
  cr_expect_eq(got[0], 7);
  cr_expect_eq(got[1], 7);
  cr_expect_eq(got[2], 15);
}

// A header of the program goes before the device's.
Test(odd_integers, a_header_of_the_program_has_the_name_first) {
  cl_int error;
  const char *text = "#define ANSWER 42\n",
             *source = "#include \"ihc_apint.h\"\nkernel void k(global int *o) { *o = ANSWER; }\n",
             *name = "ihc_apint.h";
  cl_program header = clCreateProgramWithSource(harness()->context, 1, &text, NULL, &error),
             program = clCreateProgramWithSource(harness()->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(clCompileProgram(program, 1, &harness()->device, "", 1, &header, &name, NULL, NULL));
  EXPECT_SUCCESS(clReleaseProgram(header));
  EXPECT_SUCCESS(clReleaseProgram(program));
}
