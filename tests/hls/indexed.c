// SPDX-License-Identifier: Apache-2.0
// Accesses at an index (custom-1 of contract/DEVICE.md): which of a kernel's become one instruction, and that every
// width of them, and loops that reach rows by multiples of a pitch or end by a pointer, give what the source says.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/hls/compiler.h"
#include "tests/hls/device.h"
#include "tests/hls/kernel_file_reader.h"

#define ALL "rv32ima_zicsr_zfinx_zba_zbb_xindex"
#define NO_INDEX "rv32ima_zicsr_zfinx_zba_zbb"

enum { CUSTOM_1 = 0x2B, OPCODE = 0x7F, STORES = 1u << 31 };

// How many loads and stores at an index a kernel of one file has.
static void expect_in(const char *source, const char *isa, int loads, int stores) {
  struct result result = compile_well(source, "--isa", isa, NULL);
  const struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const int got_loads = kernel_file_count(&file, STORES | OPCODE, CUSTOM_1);
  const int got_stores = kernel_file_count(&file, STORES | OPCODE, STORES | CUSTOM_1);
  cr_expect(got_loads == loads && got_stores == stores, "%s: expected %d loads and %d stores, got %d and %d in\n%s",
            isa, loads, stores, got_loads, got_stores, source);
  result_free(&result);
}

static const char sum[] =
    "kernel void k(global const float *a, global const float *b, global float *c) {\n"
    "  int i = get_global_id(0); c[i] = a[i] + b[i]; }\n";

Test(indexed, an_index_that_nothing_else_needs_is_part_of_the_access) {
  expect_in(sum, ALL, 2, 1);
  expect_in(
      "kernel void k(global const uchar *a, global const short *b, global char *c) {\n"
      "  int i = get_global_id(0); c[i] = (a[i] * b[i]) >> 15; }\n",
      ALL, 2, 1);
}

Test(indexed, a_device_without_them_gets_none) {
  expect_in(sum, NO_INDEX, 0, 0);
  expect_in(sum, "rv32im_zicsr", 0, 0);
}

Test(indexed, without_float_instructions_only_loads_have_an_index) {
  expect_in("kernel void k(global const int *a, global int *c) { int i = get_global_id(0); c[i] = a[i]; }\n",
            "rv32ima_zicsr_zba_zbb_xindex", 1, 0);
}

Test(indexed, an_address_with_other_uses_is_computed_once) {
  expect_in(
      "kernel void k(global const int4 *a, global int *c) { int i = get_global_id(0);\n"
      "  c[0] = a[i].x + a[i].y + a[i].z + a[i].w; }\n",
      ALL, 0, 0);
  expect_in(
      "kernel void k(global const int *a, global int *c) { int i = get_global_id(0);\n"
      "  c[0] = a[i + 1] + a[i + 2]; }\n",
      ALL, 0, 0);
}

Test(indexed, volatile_and_atomic_accesses_stay_as_they_are) {
  expect_in(
      "kernel void k(volatile global int *a, global int *c) { int i = get_global_id(0); c[0] = a[i]; a[i] = 1;\n"
      "  atomic_inc(a + i); }\n",
      ALL, 0, 0);
}

// Each width, sign and shift.
Test(indexed, every_width_gives_what_the_source_says) {
  static const char source[] =
      "kernel void k(global const uchar *a, global const char *b, global const ushort *c, global const short *d,\n"
      "              global const uint *e, global int *sums, global uchar *bytes, global ushort *halves) {\n"
      "  int i = 63 - get_global_id(0); sums[i] = a[i] + b[i] * 3 + c[i] * 5 + d[i] * 7 + (int)e[i];\n"
      "  bytes[i] = sums[i]; halves[i] = sums[i] * 3; }\n";
  uint8_t a[64], bytes[64];
  int8_t b[64];
  uint16_t c[64], halves[64];
  int16_t d[64];
  uint32_t e[64];
  int32_t sums[64];
  for (uint32_t i = 0; i < 64; i++) {
    const uint32_t random = (i + 1) * 2654435761u;
    a[i] = (uint8_t)(random >> 24);
    b[i] = (int8_t)(random >> 16);
    c[i] = (uint16_t)(random >> 8);
    d[i] = (int16_t)(random >> 12);
    e[i] = random;
  }
  struct result result = compile_well(source, NULL);
  run_kernel(&result, &(struct dispatch){.kernel = "k",
                                         .global = {64},
                                         .local = {16},
                                         .buffers = {{a, sizeof a},
                                                     {b, sizeof b},
                                                     {c, sizeof c},
                                                     {d, sizeof d},
                                                     {e, sizeof e},
                                                     {sums, sizeof sums},
                                                     {bytes, sizeof bytes},
                                                     {halves, sizeof halves}}});
  for (uint32_t i = 0; i < 64; i++) {
    const int32_t expected = (int32_t)((uint32_t)(a[i] + b[i] * 3 + c[i] * 5 + d[i] * 7) + e[i]);
    cr_assert(sums[i] == expected && bytes[i] == (uint8_t)expected && halves[i] == (uint16_t)(expected * 3),
              "%u: expected %d, got %d, %u, %u", i, expected, sums[i], bytes[i], halves[i]);
  }
  result_free(&result);
}

// Rows a pitch apart, of any number of rounds: the unrolled loop, what is left over, and none.
Test(indexed, rows_of_any_number_are_reached_by_the_pitch) {
  static const char source[] =
      "kernel void k(global const int *a, global const int *b, global int *c, int n, int columns) {\n"
      "  int x = get_global_id(0), s = 0;\n"
      "  for (int i = 0; i < n; i++) s += a[i] * b[i * columns + x];\n"
      "  c[x] = s; }\n";
  enum { COLUMNS = 8, MOST = 35 };
  int32_t a[MOST], b[MOST * COLUMNS], c[COLUMNS];
  for (int32_t i = 0; i < MOST * COLUMNS; i++) {
    a[i % MOST] = i * 7919 % 101;
    b[i] = i * 104729 % 103;
  }
  struct result result = compile_well(source, NULL);
  for (uint32_t n = 0; n <= MOST; n++) {
    run_kernel(&result, &(struct dispatch){.kernel = "k",
                                           .global = {COLUMNS},
                                           .local = {COLUMNS},
                                           .buffers = {{a, sizeof a}, {b, sizeof b}, {c, sizeof c}},
                                           .values = {n, COLUMNS}});
    for (uint32_t x = 0; x < COLUMNS; x++) {
      int32_t expected = 0;
      for (uint32_t i = 0; i < n; i++)
        expected += a[i] * b[i * COLUMNS + x];
      cr_assert_eq(c[x], expected, "n %u, column %u: expected %d, got %d", n, x, expected, c[x]);
    }
  }
  result_free(&result);
}

// Loops that end at a number, upwards and downwards, by one and by more.
static void expect_ends(const char *option) {
  static const char source[] =
      "kernel void k(global const int *a, global int *out, int n) {\n"
      "  int s = 0; HINT for (int i = n; i != 0; i--) s = s * 3 + a[i];\n"
      "  out[0] = s; s = 0; HINT for (int i = 0; i != n; i++) s = s * 3 + a[i];\n"
      "  out[1] = s; s = 0; HINT for (int i = 2 * n; i != 0; i -= 2) s = s * 3 + a[i];\n"
      "  out[2] = s; s = 0; int i = 0; HINT for (; i != 2 * n; i += 2) s = s * 3 + a[i];\n"
      "  out[3] = s; out[4] = i; s = 0; HINT for (int j = -n; j != 0; j++) s = s * 3 + a[j + 64];\n"
      "  out[5] = s; }\n";
  enum { MOST = 20 };
  int32_t a[64], out[6];
  for (int32_t i = 0; i < 64; i++)
    a[i] = i * 31 % 29 - 7;
  struct result result = compile_well(source, option, NULL);
  for (int32_t n = 0; n <= MOST; n++) {
    uint32_t expected[6] = {0};
    for (int32_t i = n; i != 0; i--)
      expected[0] = expected[0] * 3 + (uint32_t)a[i];
    for (int32_t i = 0; i != n; i++)
      expected[1] = expected[1] * 3 + (uint32_t)a[i];
    for (int32_t i = 2 * n; i != 0; i -= 2)
      expected[2] = expected[2] * 3 + (uint32_t)a[i];
    for (int32_t i = 0; i != 2 * n; i += 2)
      expected[3] = expected[3] * 3 + (uint32_t)a[i];
    expected[4] = (uint32_t)(2 * n);
    for (int32_t i = -n; i != 0; i++)
      expected[5] = expected[5] * 3 + (uint32_t)a[i + 64];
    run_kernel(&result, &(struct dispatch){
                            .kernel = "k", .buffers = {{a, sizeof a}, {out, sizeof out}}, .values = {(uint32_t)n}});
    for (size_t i = 0; i < 6; i++)
      cr_expect_eq((uint32_t)out[i], expected[i], "n %d: out[%zu] is %d, expected %d", n, i, out[i], (int)expected[i]);
  }
  result_free(&result);
}

Test(indexed, loops_end_where_their_counters_do) {
  expect_ends("-DHINT=");
  expect_ends("-DHINT=__attribute__((opencl_unroll_hint(1)))");
}

// A store between loads of the same place, and lanes at different numbers of rounds.
Test(indexed, loads_do_not_pass_stores) {
  static const char source[] =
      "kernel void k(global int *a, global const int *at, int n) {\n"
      "  int x = get_global_id(0) * n, s = 0;\n"
      "  for (int i = 0; i < get_global_id(0) + 3; i++) { s += a[x + at[i]]; a[x + at[i]] = s; s += a[x + at[i + 1]]; "
      "}\n"
      "  a[x] = s; }\n";
  enum { ITEMS = 16, N = 4 };
  int32_t a[ITEMS * N], expected[ITEMS * N], at[ITEMS + 4];
  for (int32_t i = 0; i < ITEMS * N; i++)
    expected[i] = a[i] = i * 31 % 17;
  for (int32_t i = 0; i < ITEMS + 4; i++)
    at[i] = i * i % N;
  for (int32_t item = 0; item < ITEMS; item++) {
    int32_t s = 0, x = item * N;
    for (int32_t i = 0; i < item + 3; i++) {
      s = (int32_t)((uint32_t)s + (uint32_t)expected[x + at[i]]);
      expected[x + at[i]] = s;
      s = (int32_t)((uint32_t)s + (uint32_t)expected[x + at[i + 1]]);
    }
    expected[x] = s;
  }
  struct result result = compile_well(source, NULL);
  run_kernel(&result, &(struct dispatch){.kernel = "k",
                                         .global = {ITEMS},
                                         .local = {ITEMS},
                                         .buffers = {{a, sizeof a}, {at, sizeof at}},
                                         .values = {N}});
  cr_expect_arr_eq(a, expected, sizeof a);
  result_free(&result);
}

// (z n + y) n of three z and three y: z n n and y n, three of each.
Test(indexed, rows_of_neighbours_share_their_products) {
  static const char source[] =
      "kernel void k(global const int *in, global int *out, int n) {\n"
      "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), sum = 0;\n"
      "  for (int dz = -1; dz <= 1; dz++) for (int dy = -1; dy <= 1; dy++) {\n"
      "    int ny = clamp(y + dy, 0, n - 1), nz = clamp(z + dz, 0, n - 1);\n"
      "    sum = sum * 3 + in[(nz * n + ny) * n + x]; }\n"
      "  out[(z * n + y) * n + x] = sum; }\n";
  enum { N = 4, CELLS = N * N * N, MULTIPLY = 0x02000033, FUNCT7_FUNCT3_OPCODE = 0xFE00707F };
  int32_t in[CELLS], out[CELLS];
  for (int32_t i = 0; i < CELLS; i++)
    in[i] = i * 40503 % 257;
  struct result result = compile_well(source, NULL);
  run_kernel(&result, &(struct dispatch){.kernel = "k",
                                         .global = {N, N, N},
                                         .local = {N, N, 1},
                                         .buffers = {{in, sizeof in}, {out, sizeof out}},
                                         .values = {N}});
  for (int32_t cell = 0; cell < CELLS; cell++) {
    const int32_t x = cell % N, y = cell / N % N, z = cell / N / N;
    int32_t expected = 0;
    for (int32_t near = 0; near < 9; near++) {
      const int32_t ny = y + near % 3 - 1, nz = z + near / 3 - 1;
      const int32_t in_y = ny < 0 ? 0 : ny >= N ? N - 1 : ny, in_z = nz < 0 ? 0 : nz >= N ? N - 1 : nz;
      expected = expected * 3 + in[(in_z * N + in_y) * N + x];
    }
    cr_assert_eq(out[cell], expected, "cell %d: expected %d, got %d", cell, expected, out[cell]);
  }
  struct kernel_file file = kernel_file_open(result.bytes, result.size);
  const int products = kernel_file_count(&file, FUNCT7_FUNCT3_OPCODE, MULTIPLY);
  cr_expect_leq(products, 3 + 3 + 1 + 3, "at most 10 multiplications expected, got %d", products);
  result_free(&result);
}

// A product that is part of a sum that is multiplied again.
Test(indexed, products_of_products_are_what_the_source_says) {
  static const char source[] =
      "kernel void k(global const int *p, global int *out, int n) {\n"
      "  int a = p[0], b = p[1], c = p[2], d = p[3];\n"
      "  out[0] = ((a + b) * n + c) * n; out[1] = ((a + d) * n + c) * n; out[2] = ((b + d) * n + c) * n;\n"
      "  out[3] = ((a + b) * n + d) * n; out[4] = ((a + d) * n + b) * n; out[5] = p[(a + b) * n + 16];\n"
      "  out[6] = p[(a + d) * n + 16]; out[7] = p[(b + d) * n + 16]; }\n";
  int32_t p[64], out[8];
  for (int32_t i = 0; i < 64; i++)
    p[i] = i < 4 ? i + 2 : i * 1001;
  const int32_t a = p[0], b = p[1], c = p[2], d = p[3], n = 3;
  const int32_t expected[8] = {((a + b) * n + c) * n, ((a + d) * n + c) * n, ((b + d) * n + c) * n,
                               ((a + b) * n + d) * n, ((a + d) * n + b) * n, p[(a + b) * n + 16],
                               p[(a + d) * n + 16],   p[(b + d) * n + 16]};
  struct result result = compile_well(source, NULL);
  run_kernel(&result, &(struct dispatch){.kernel = "k", .buffers = {{p, sizeof p}, {out, sizeof out}}, .values = {n}});
  cr_expect_arr_eq(out, expected, sizeof out);
  result_free(&result);
}
