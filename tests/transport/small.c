// SPDX-License-Identifier: Apache-2.0
// What an OpenCL program is promised of a board with a small device (rtl/small), at the pins of simulated ones: the
// instructions that the core carries out, lanes that part and meet again, collectives of every kind against loops
// written here, barriers, faults.
#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/transport/board_checks.h"
#include "tests/transport/small_board.h"

enum { LANES = 2, GROUP = 8, ITEMS = 24 };  // of heddle-icebreaker

// Runs `k` of a source over ITEMS work-items in groups of GROUP with random words, and gives back `words` of results
// for each.
static uint32_t *results(const char *source, const uint32_t *in, size_t words) {
  uint32_t *out = allocate(4 * ITEMS * words);
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_mem from = buffer_with(in, 4 * ITEMS), to = buffer_with(NULL, 4 * ITEMS * words);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(from), ARG(to), END_ARGS);
  run_1d(kernel, ITEMS, GROUP);
  read_buffer(to, out, 4 * ITEMS * words);
  return out;
}

static uint32_t *random_words(uint32_t seed) {
  uint32_t *in = allocate(4 * ITEMS);
  for (size_t i = 0; i < ITEMS; i++)
    in[i] = random_u32(&seed);
  return in;
}

Test(small_device, reports_a_fault_and_runs_the_next_kernel, .timeout = 120) {
  small_board_plug_in("icebreaker");
  expect_fault();
  expect_scan(8);
}

enum { ARITHMETIC = 20 };
static void arithmetic(uint32_t a, uint32_t b, uint32_t *r) {
  const uint32_t n = b & 31;
  const int32_t s = (int32_t)a, t = (int32_t)b;
  const uint32_t values[ARITHMETIC] = {a + b,
                                       a - b,
                                       a & b,
                                       a | b,
                                       a ^ b,
                                       a << n,
                                       a >> n,
                                       (uint32_t)(s >> n),
                                       a < b,
                                       s < t,
                                       (uint32_t)(int8_t)a,
                                       (uint8_t)a,
                                       (uint32_t)(int16_t)a,
                                       (uint16_t)a,
                                       a * b,
                                       a / (b | 1),
                                       a % (b | 1),
                                       a == b   ? 1
                                       : s >= t ? 2
                                                : 3,
                                       a >= b ? a : b,
                                       (uint32_t)((uint64_t)a * b >> 32)};
  memcpy(r, values, sizeof values);
}

Test(small_device, computes_with_words_of_any_value, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = random_words(5), expected[ITEMS * ARITHMETIC];
  in[1] = 0;
  in[2] = 0x80000000u;
  in[3] = UINT32_MAX;
  in[4] = in[3];
  in[5] = 31;
  for (size_t i = 0; i < ITEMS; i++)
    arithmetic(in[i], in[(i + 1) % ITEMS], expected + i * ARITHMETIC);
  const uint32_t *got = results(
      "kernel void k(global const uint *in, global uint *out) {"
      "  size_t i = get_global_id(0);"
      "  uint a = in[i], b = in[(i + 1) % get_global_size(0)], n = b & 31;"
      "  int s = (int)a, t = (int)b;"
      "  global uint *r = out + 20 * i;"
      "  r[0] = a + b; r[1] = a - b; r[2] = a & b; r[3] = a | b; r[4] = a ^ b; r[5] = a << n; r[6] = a >> n; r[7] = s "
      ">> n;"
      "  r[8] = a < b; r[9] = s < t;"
      "  volatile uint word = a; volatile private char *bytes = (volatile private char *)&word;"
      "  r[10] = bytes[0]; r[11] = (uchar)bytes[0];"
      "  volatile private short *halves = (volatile private short *)&word;"
      "  r[12] = halves[0]; r[13] = (ushort)halves[0];"
      "  r[14] = a * b; r[15] = a / (b | 1); r[16] = a % (b | 1);"
      "  r[17] = a == b ? 1 : s >= t ? 2 : 3; r[18] = max(a, b); r[19] = mul_hi(a, b);"
      "}",
      in, ARITHMETIC);
  expect_u32("results", expected, got, ITEMS * ARITHMETIC);
}

Test(small_device, keeps_bytes_and_half_words_of_private_and_local_memory_apart, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = random_words(6), expected[2 * ITEMS];
  for (size_t i = 0; i < ITEMS; i++) {
    const size_t other = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
    uint32_t sum = 0;
    for (uint32_t b = 0; b < 4; b++)
      sum = sum * 3 + (in[i] >> 8 * b & 0xFF);
    expected[2 * i] = sum;
    expected[2 * i + 1] = (in[other] & 0xFFFF) * 2 + (in[other] >> 16);
  }
  const uint32_t *got = results(
      "kernel void k(global const uint *in, global uint *out) {"
      "  size_t i = get_global_id(0), l = get_local_id(0), n = get_local_size(0);"
      "  local ushort halves[16];"
      "  uchar bytes[4];"
      "  uint sum = 0;"
      "  for (volatile int b = 0; b < 4; b++) bytes[b] = in[i] >> (8 * b);"
      "  for (volatile int b = 0; b < 4; b++) sum = sum * 3 + bytes[b];"
      "  halves[2 * l] = in[i]; halves[2 * l + 1] = in[i] >> 16;"
      "  barrier(CLK_LOCAL_MEM_FENCE);"
      "  out[2 * i] = sum;"
      "  out[2 * i + 1] = halves[2 * (n - 1 - l)] * 2u + halves[2 * (n - 1 - l) + 1];"
      "}",
      in, 2);
  expect_u32("results", expected, got, 2 * ITEMS);
}

Test(small_device, lanes_that_part_meet_again_at_a_collective, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = random_words(7), expected[ITEMS], steps[ITEMS];
  for (size_t i = 0; i < ITEMS; i++) {
    uint32_t value = in[i] & 0xFF;
    for (steps[i] = 0; value > 3; steps[i]++)
      value = value & 1 ? value - 3 : value / 2;
  }
  for (size_t i = 0; i < ITEMS; i++)
    expected[i] = steps[i & ~(size_t)1] + steps[i | 1];
  const uint32_t *got = results(
      "kernel void k(global const uint *in, global uint *out) {"
      "  size_t i = get_global_id(0);"
      "  uint value = in[i] & 0xFF, steps = 0;"
      "  while (value > 3) { if (value & 1) value -= 3; else value /= 2; steps++; }"
      "  out[i] = sub_group_reduce_add(steps);"
      "}",
      in, 1);
  expect_u32("sums of steps", expected, got, ITEMS);
}

// Reductions and scans of `size` neighbours: add, minimum of ints, maximum of uints, and of 64 bits.
enum { COLLECTIVES = 14 };
static void expected_collectives(const uint32_t *in, size_t size, uint32_t *all) {
  for (size_t first = 0; first < ITEMS; first += size)
    for (size_t i = first; i < first + size; i++) {
      uint32_t *r = all + i * COLLECTIVES, sum = 0, most = 0, before_sum = 0, before_most = 0, some = 0, every = 1;
      int32_t least = INT32_MAX, prefix_least = INT32_MAX, before_least = INT32_MAX;
      uint64_t wide = 0, wide_before = 0;
      int64_t wide_least = INT64_MAX;
      for (size_t j = first; j < first + size; j++) {
        const uint64_t value = (uint64_t)in[j] << 32 | in[(j + 5) % ITEMS];
        if (j < i) {
          before_sum += in[j];
          before_most = in[j] > before_most ? in[j] : before_most;
          before_least = (int32_t)in[j] < before_least ? (int32_t)in[j] : before_least;
          wide_before += value;
        }
        if (j <= i)
          prefix_least = (int32_t)in[j] < prefix_least ? (int32_t)in[j] : prefix_least;
        sum += in[j];
        most = in[j] > most ? in[j] : most;
        least = (int32_t)in[j] < least ? (int32_t)in[j] : least;
        wide += value;
        wide_least = (int64_t)value < wide_least ? (int64_t)value : wide_least;
        some |= in[j] & 1;
        every &= in[j] & 1;
      }
      const uint32_t values[COLLECTIVES] = {sum,
                                            (uint32_t)least,
                                            most,
                                            before_sum + in[i],
                                            before_sum,
                                            (uint32_t)prefix_least,
                                            (uint32_t)before_least,
                                            before_most,
                                            some,
                                            every,
                                            in[first + 1],
                                            (uint32_t)(wide >> 32),
                                            (uint32_t)(wide_before >> 32),
                                            (uint32_t)((uint64_t)wide_least)};
      memcpy(r, values, sizeof values);
    }
}

#define OF(GROUP_KIND, BROADCAST)                                                                             \
  "kernel void k(global const uint *in, global uint *out) {"                                                  \
  "  size_t i = get_global_id(0);"                                                                            \
  "  uint a = in[i];"                                                                                         \
  "  ulong wide = (ulong)a << 32 | in[(i + 5) % get_global_size(0)];"                                         \
  "  global uint *r = out + 14 * i;"                                                                          \
  "  r[0] = " GROUP_KIND "_reduce_add(a); r[1] = " GROUP_KIND "_reduce_min((int)a); r[2] = " GROUP_KIND       \
  "_reduce_max(a); r[3] = " GROUP_KIND "_scan_inclusive_add(a); r[4] = " GROUP_KIND                           \
  "_scan_exclusive_add(a); r[5] = " GROUP_KIND "_scan_inclusive_min((int)a); r[6] = " GROUP_KIND              \
  "_scan_exclusive_min((int)a); r[7] = " GROUP_KIND "_scan_exclusive_max(a); r[8] = " GROUP_KIND              \
  "_any(a & 1); r[9] = " GROUP_KIND "_all(a & 1); r[10] = " BROADCAST "; r[11] = " GROUP_KIND                 \
  "_reduce_add(wide) >> 32; r[12] = " GROUP_KIND "_scan_exclusive_add(wide) >> 32; r[13] = (uint)" GROUP_KIND \
  "_reduce_min((long)wide);"                                                                                  \
  "}"

Test(small_device, collectives_of_sub_groups_are_those_of_loops, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = random_words(8), expected[ITEMS * COLLECTIVES];
  expected_collectives(in, LANES, expected);
  expect_u32("results", expected, results(OF("sub_group", "sub_group_broadcast(a, 1)"), in, COLLECTIVES),
             ITEMS * COLLECTIVES);
}

Test(small_device, collectives_of_work_groups_are_those_of_loops, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = random_words(9), expected[ITEMS * COLLECTIVES];
  expected_collectives(in, GROUP, expected);
  expect_u32("results", expected, results(OF("work_group", "work_group_broadcast(a, 1)"), in, COLLECTIVES),
             ITEMS * COLLECTIVES);
}

Test(small_device, shuffles_and_ballots_are_of_the_lanes_that_are_there, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = random_words(10), expected[3 * ITEMS];
  for (size_t i = 0; i < ITEMS; i++) {
    const bool odd = in[i] & 1, both = (in[i] & 1) == (in[i ^ 1] & 1);
    expected[3 * i] = in[i ^ 1];
    expected[3 * i + 1] = (in[i & ~(size_t)1] & 1) | (in[i | 1] & 1) << 1;
    expected[3 * i + 2] = odd ? (both ? in[i] + in[i ^ 1] : in[i]) : 0;
  }
  const uint32_t *got = results(
      "kernel void k(global const uint *in, global uint *out) {"
      "  size_t i = get_global_id(0);"
      "  uint a = in[i], some = 0;"
      "  out[3 * i] = sub_group_shuffle_xor(a, 1);"
      "  out[3 * i + 1] = sub_group_ballot(a & 1).x;"
      "  if (a & 1) some = sub_group_non_uniform_reduce_add(a);"
      "  out[3 * i + 2] = some;"
      "}",
      in, 3);
  expect_u32("results", expected, got, 3 * ITEMS);
}

Test(small_device, groups_at_the_edge_are_smaller_and_ids_know_the_offset, .timeout = 120) {
  small_board_plug_in("icebreaker");
  enum { X = 5, Y = 3, WORDS = 6 };
  uint32_t out[X * Y * WORDS], expected[X * Y * WORDS];
  const size_t sizes[2] = {X, Y}, local[2] = {2, 2}, offset[2] = {7, 100};
  for (uint32_t y = 0; y < Y; y++)
    for (uint32_t x = 0; x < X; x++) {
      const uint32_t width = x / 2 == X / 2 ? 1 : 2, height = y / 2 == Y / 2 ? 1 : 2;
      const uint32_t values[WORDS] = {
          x + 7, y + 100, x / 2 * 10 + y / 2, x % 2 * 10 + y % 2, width * 10 + height, (width * height + 1) / 2};
      memcpy(expected + (y * X + x) * WORDS, values, sizeof values);
    }
  cl_program program = build(
      "kernel void k(global uint *out) {"
      "  size_t x = get_global_id(0), y = get_global_id(1);"
      "  global uint *r = out + ((y - 100) * 5 + x - 7) * 6;"
      "  r[0] = x; r[1] = y; r[2] = get_group_id(0) * 10 + get_group_id(1); r[3] = get_local_id(0) * 10 + "
      "get_local_id(1);"
      "  r[4] = get_local_size(0) * 10 + get_local_size(1); r[5] = get_num_sub_groups();"
      "}",
      "-cl-std=CL3.0");
  cl_mem to = buffer_with(NULL, sizeof out);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(to), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 2, offset, sizes, local, 0, NULL, NULL));
  read_buffer(to, out, sizeof out);
  expect_u32("ids", expected, out, X * Y * WORDS);
}

// Lanes of a sub-group, and sub-groups, that wait for each other in a loop, whichever of them comes first.
Test(small_device, lanes_wait_for_each_other, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = allocate(4 * ITEMS), expected[ITEMS];
  for (uint32_t backwards = 0; backwards < 2; backwards++) {
    for (uint32_t i = 0; i < ITEMS; i++) {
      in[i] = backwards ? GROUP - 1 - i % GROUP : i % GROUP;
      expected[i] = in[i];
    }
    const uint32_t *got = results(
        "kernel void k(global const uint *in, global uint *out) {"
        "  local volatile uint flags[8];"
        "  uint me = get_local_id(0), turn = in[get_global_id(0)], before = 0;"
        "  flags[me] = 0;"
        "  barrier(CLK_LOCAL_MEM_FENCE);"
        "  if (turn != 0) while ((before = flags[turn - 1]) == 0) ;"
        "  out[get_global_id(0)] = before;"
        "  flags[turn] = before + 1;"
        "}",
        in, 1);
    expect_u32(backwards ? "work-items before this one, last first" : "work-items before this one", expected, got,
               ITEMS);
  }
}

// Of lanes that part those at the smallest PC run, so they are together again behind the condition, without a
// collective that waits.
Test(small_device, lanes_are_together_behind_a_condition, .timeout = 120) {
  small_board_plug_in("icebreaker");
  uint32_t *in = random_words(11), expected[ITEMS];
  for (size_t i = 0; i < ITEMS; i++)
    expected[i] = LANES;
  const uint32_t *got = results(
      "kernel void k(global const uint *in, global uint *out) {"
      "  size_t i = get_global_id(0);"
      "  volatile uint value = in[i];"
      "  if (i & 1) for (uint n = 0; n < (value & 7) + 1; n++) value = value * 3;"
      "  out[i] = sub_group_non_uniform_reduce_add(1u);"
      "}",
      in, 1);
  expect_u32("lanes that are there", expected, got, ITEMS);
}

Test(small_device, accesses_that_are_not_aligned_or_out_of_bounds_are_faults, .timeout = 120) {
  small_board_plug_in("icebreaker");
  expect_faults("kernel void k(global char *p) { *(global volatile ushort *)(p + 1) = 1; }", "misaligned");
  expect_faults("kernel void k(global char *p) { *(global volatile uint *)(p + 2) = 1; }", "misaligned");
  expect_faults("kernel void k(global uint *p) { p[0] = *(global volatile uint *)0xFFC; }", "unmapped");
  expect_faults("kernel void k(global uint *p) { p[0] = *(global volatile uint *)0x20000; }", "unmapped");
  expect_faults("kernel void k(global uint *p) { local uint l[4]; p[0] = ((local volatile uint *)l)[p[1] + 256]; }",
                "local");
  expect_faults("kernel void k(global uint *p) { *(private volatile uint *)(0xC0000000 + 0x1000000 + p[0]) = 1; }",
                "private");
  expect_scan(8);
}

Test(small_device, a_collective_that_only_some_reach_is_a_fault, .timeout = 120) {
  small_board_plug_in("icebreaker");
  expect_faults(
      "kernel void k(global uint *out) {"
      "  size_t i = get_local_id(0);"
      "  if (i == 1) out[0] = sub_group_reduce_add(1u); else out[1] = sub_group_reduce_max(2u);"
      "}",
      "divergent");
}
