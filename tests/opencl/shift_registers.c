// SPDX-License-Identifier: Apache-2.0
// Long private arrays whose elements a loop moves, which the compiler makes rings of (hls/shift_registers.h): each
// work-item has what the same text gives when this machine's compiler translates it. Of pipelines
// tests/pipeline/rounds.py says that they do what the golden model does.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

enum { STEPS = 260, ITEMS = 5 };

typedef void body(const uint32_t *in, uint32_t *out, uint32_t n);

// Words of the work-item. C and OpenCL C translate the body alike.
#define FORM(name, text)                                                                                     \
  static void host_##name(const uint32_t *in, uint32_t *out, uint32_t n){text} Test(shift_registers, name) { \
    check(host_##name, #text);                                                                               \
  }

static void check_with(body *host, const char *text, const char *options) {
  char source[8192];
  snprintf(source, sizeof source,
           "#pragma OPENCL FP_CONTRACT OFF\n"
           "typedef uint uint32_t; typedef uchar uint8_t; typedef ushort uint16_t;\n"
           "kernel void k(global const uint *all_in, global uint *all_out, uint n) {\n"
           "  global const uint *in = all_in + get_global_id(0) * 256;\n"
           "  global uint *out = all_out + get_global_id(0) * %d;\n  %s\n}\n",
           STEPS, text);
  cl_kernel kernel = kernel_of(build(source, options), "k");
  uint32_t state = 3, *in = allocate(ITEMS * 256 * 4), *got = allocate(ITEMS * STEPS * 4),
           *expected = allocate(ITEMS * STEPS * 4);
  for (size_t i = 0; i < ITEMS * 256; i++)
    in[i] = random_u32(&state) >> 7;
  const uint32_t n = STEPS;
  for (size_t i = 0; i < ITEMS; i++)
    host(in + 256 * i, expected + STEPS * i, n);
  cl_mem a = buffer_with(in, ITEMS * 256 * 4), b = buffer_with(NULL, ITEMS * STEPS * 4);
  set_args(kernel, ARG(a), ARG(b), ARG(n), END_ARGS);
  run_1d(kernel, ITEMS, 1);
  read_buffer(b, got, ITEMS * STEPS * 4);
  expect_u32(options, expected, got, ITEMS * STEPS);
  free(in);
  free(got);
  free(expected);
}

static void check(body *host, const char *text) {
  check_with(host, text, "-cl-std=CL3.0");
  if (!harness()->is_rtl)
    check_with(host, text, "-cl-std=CL3.0 -cl-opt-disable");
}

// clang-format off
FORM(by_one_with_zeros_first, uint32_t r[100]; for (int k = 0; k < 100; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int k = 99; k > 0; k--) r[k] = r[k - 1];
    r[0] = in[i & 255]; out[i] = r[0] + r[1] * 3 + r[50] * 5 + r[99] * 7; })

FORM(towards_the_first_element, float r[80]; for (int k = 0; k < 80; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int k = 0; k < 79; k++) r[k] = r[k + 1];
    r[79] = (float)(in[i & 255] & 0xFFFF); out[i] = (uint32_t)(r[0] + r[30] * 2 + r[78]); })

FORM(bytes_of_three_lines_of_a_picture, uint8_t r[83]; for (int k = 0; k < 83; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int k = 82; k > 0; k--) r[k] = r[k - 1];
    r[0] = (uint8_t)in[i & 255]; uint32_t s = 0;
    for (int y = 0; y < 3; y++) for (int x = 0; x < 3; x++) s += r[40 * y + x] * (uint32_t)(3 * y + x + 1);
    out[i] = s; })

FORM(the_first_element_stays_where_nothing_is_stored, uint16_t r[70]; for (int k = 0; k < 70; k++) r[k] = 0; r[0] = 9;
  for (uint32_t i = 0; i < n; i++) { for (int k = 69; k > 0; k--) r[k] = r[k - 1];
    if (in[i & 255] & 1) r[0] = (uint16_t)in[i & 255]; out[i] = r[69] + r[1] * 3u; })

FORM(by_three, uint32_t r[99]; for (int k = 0; k < 99; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int k = 98; k > 2; k--) r[k] = r[k - 3];
    r[2] = in[i & 255]; r[1] = in[(i + 5) & 255]; r[0] = i; out[i] = r[96] + r[97] * 3 + r[98] * 5 + r[50]; })

FORM(a_part_of_an_array, uint32_t r[90]; for (int k = 0; k < 90; k++) r[k] = 0; r[5] = 77; r[85] = 99;
  for (uint32_t i = 0; i < n; i++) { for (int k = 80; k > 10; k--) r[k] = r[k - 1];
    r[10] = in[i & 255]; out[i] = r[5] + r[80] * 3 + r[11] + r[85]; })

FORM(twice_a_step_and_not_always, uint32_t r[75]; for (int k = 0; k < 75; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int t = 0; t < 2; t++) if ((in[i & 255] >> t & 3) != 0) {
      for (int k = 74; k > 0; k--) r[k] = r[k - 1]; r[0] = in[i & 255] + (uint32_t)t; }
    out[i] = r[74] * 3 + r[20]; })

FORM(a_store_in_the_middle, uint32_t r[120]; for (int k = 0; k < 120; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int k = 119; k > 0; k--) r[k] = r[k - 1];
    r[0] = in[i & 255]; if (in[i & 255] & 4) r[60] = i; out[i] = r[119] + r[61] * 3 + r[59] * 5; })

FORM(emptied_now_and_then, uint32_t r[70];
  for (uint32_t i = 0; i < n; i++) { if (i % 100 == 0) for (int k = 0; k < 70; k++) r[k] = 0;
    for (int k = 69; k > 0; k--) r[k] = r[k - 1]; r[0] = in[i & 255]; out[i] = r[69] + r[33] * 3; })

FORM(with_what_each_element_begins_with, uint32_t r[66]; for (int k = 0; k < 66; k++) r[k] = (uint32_t)k * 3 + 1;
  for (uint32_t i = 0; i < n; i++) { for (int k = 65; k > 0; k--) r[k] = r[k - 1]; r[0] = in[i & 255]; out[i] = r[65] + r[30]; })

FORM(two_in_one_loop, uint32_t a[64]; uint16_t b[64]; for (int k = 0; k < 64; k++) { a[k] = 0; b[k] = 0; }
  for (uint32_t i = 0; i < n; i++) { for (int k = 63; k > 0; k--) { a[k] = a[k - 1]; b[k] = b[k - 1]; }
    a[0] = in[i & 255]; b[0] = (uint16_t)a[63]; out[i] = a[31] + b[63] * 3u + b[1]; })

FORM(what_leaves_comes_back, uint32_t r[72]; for (int k = 0; k < 72; k++) r[k] = 0; r[3] = 5;
  for (uint32_t i = 0; i < n; i++) { uint32_t x = r[71] * 3 + r[40] + (in[i & 255] & 1);
    for (int k = 71; k > 0; k--) r[k] = r[k - 1]; r[0] = x; out[i] = x; })

FORM(an_index_that_is_not_known, uint32_t r[64]; for (int k = 0; k < 64; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int k = 63; k > 0; k--) r[k] = r[k - 1];
    r[0] = in[i & 255]; out[i] = r[in[i & 255] & 63]; })

FORM(one_word_that_goes_through_all, uint32_t r[64];
  for (uint32_t i = 0; i < n; i++) { for (int k = 0; k < 64; k++) r[k] = in[k] + i;
    for (int k = 1; k < 64; k++) r[k] = r[k - 1]; out[i] = r[63] + r[20]; })

FORM(two_in_one_array, uint32_t r[128]; for (int k = 0; k < 128; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { for (int k = 63; k > 0; k--) r[k] = r[k - 1]; for (int k = 127; k > 64; k--) r[k] = r[k - 1];
    r[0] = in[i & 255]; r[64] = r[63] * 3; out[i] = r[127] + r[20]; })

FORM(moves_of_which_one_is_another_one, uint32_t r[80]; for (int k = 0; k < 80; k++) r[k] = 0;
  for (uint32_t i = 0; i < n; i++) { if (in[i & 255] & 1) { for (int k = 79; k > 0; k--) r[k] = r[k - 1]; r[0] = in[i & 255]; }
    else { for (int k = 0; k < 79; k++) r[k] = r[k + 1]; r[79] = i; } out[i] = r[79] + r[0] * 3 + r[40] * 5; })
// clang-format on
