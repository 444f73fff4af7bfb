// SPDX-License-Identifier: Apache-2.0
// Lanes that part and meet again: loops of different length, early returns, nested calls, switches, and collectives
// inside loops and branches that the whole group takes.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/reference.h"

typedef uint32_t expected_of(uint32_t x, size_t i, size_t local);

// Runs `k(global const uint *in, global uint *out)` over random words and compares each with what C computes.
static void check(const char *source, expected_of *expect) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  const size_t limit = work_group_limit(kernel), local = limit < 24 ? limit : 24, count = 2 * local + local / 2 + 1;
  uint32_t state = 5, *in = allocate(count * 4), *got = allocate(count * 4), *expected = allocate(count * 4);
  for (size_t i = 0; i < count; i++) {
    in[i] = random_u32(&state);
    expected[i] = expect(in[i], i, local);
  }
  cl_mem a = buffer_with(in, count * 4), b = buffer_with(NULL, count * 4);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(b, got, count * 4);
  expect_u32("result of work-item", expected, got, count);
}

static uint32_t collatz(uint32_t x, size_t i, size_t local) {
  (void)i, (void)local;
  uint32_t steps = 0;
  for (x = x % 27 + 1; x != 1; steps++)
    x = x % 2 ? 3 * x + 1 : x / 2;
  return steps;
}
Test(control_flow, loops_of_different_length) {
  check(
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint x = in[get_global_id(0)] % 27 + 1, steps = 0;\n"
      "  while (x != 1) { x = x % 2 ? 3 * x + 1 : x / 2; steps++; }\n"
      "  out[get_global_id(0)] = steps;\n}\n",
      collatz);
}

static uint32_t returned_early(uint32_t x, size_t i, size_t local) {
  (void)local;
  return i % 3 == 0 ? 0 : i % 3 == 1 ? x : ~x;
}
Test(control_flow, early_return) {
  check(
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint i = get_global_id(0);\n"
      "  if (i % 3 == 0) return;\n"
      "  uint x = in[i];\n"
      "  if (i % 3 == 1) { out[i] = x; return; }\n"
      "  out[i] = ~x;\n}\n",
      returned_early);
}

static uint32_t gcd(uint32_t a, uint32_t b) {
  return b ? gcd(b, a % b) : a;
}
static uint32_t nested(uint32_t x, size_t i, size_t local) {
  (void)local;
  return i % 2 ? gcd(x >> 16, x & 0xFFFF) : gcd(x & 0xFF, x >> 24) + 1000;
}
Test(control_flow, nested_calls_from_both_arms) {
  check(
      "__attribute__((noinline)) uint rest(uint a, uint b) { return a % b; }\n"
      "__attribute__((noinline)) uint gcd(uint a, uint b) { while (b) { uint r = rest(a, b); a = b; b = r; } return a; "
      "}\n"
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint i = get_global_id(0), x = in[i];\n"
      "  if (i % 2) out[i] = gcd(x >> 16, x & 0xFFFF);\n"
      "  else out[i] = gcd(x & 0xFF, x >> 24) + 1000;\n}\n",
      nested);
}

static uint32_t cases(uint32_t x, size_t i, size_t local) {
  (void)i, (void)local;
  switch (x % 7) {
    case 0:
      return x + 1;
    case 1:
      return x * 3;
    case 2:
      x ^= 0x55;  // falls through
    case 3:
      return x >> 3;
    case 4:
      return x / 10;
    case 5:
      return ~x;
    default:
      return 42;
  }
}
Test(control_flow, switch_with_fall_through) {
  check(
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint x = in[get_global_id(0)], r;\n"
      "  switch (x % 7) {\n"
      "    case 0: r = x + 1; break;\n    case 1: r = x * 3; break;\n    case 2: x ^= 0x55;\n    case 3: r = x >> 3; "
      "break;\n"
      "    case 4: r = x / 10; break;\n    case 5: r = ~x; break;\n    default: r = 42;\n  }\n"
      "  out[get_global_id(0)] = r;\n}\n",
      cases);
}

static uint32_t broken_out(uint32_t x, size_t i, size_t local) {
  (void)i, (void)local;
  uint32_t sum = 0;
  for (uint32_t a = 0; a < 8; a++) {
    for (uint32_t b = 0; b < 8; b++) {
      if ((x >> (a * 4) & 15) == b)
        break;
      if ((x + b) % 3 == 0)
        continue;
      sum += a * 8 + b;
    }
    if (sum > 200)
      break;
  }
  return sum;
}
Test(control_flow, break_and_continue_in_nested_loops) {
  check(
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint x = in[get_global_id(0)], sum = 0;\n"
      "  for (uint a = 0; a < 8; a++) {\n"
      "    for (uint b = 0; b < 8; b++) {\n"
      "      if ((x >> (a * 4) & 15) == b) break;\n"
      "      if ((x + b) % 3 == 0) continue;\n"
      "      sum += a * 8 + b;\n"
      "    }\n"
      "    if (sum > 200) break;\n"
      "  }\n"
      "  out[get_global_id(0)] = sum;\n}\n",
      broken_out);
}

// Work-items that returned no longer count: the rest still converge, and the scan is over them alone.
Test(control_flow, collective_after_some_returned) {
  cl_kernel kernel =
      kernel_of(build("kernel void k(global uint *out) {\n"
                      "  uint i = get_global_id(0);\n"
                      "  if (get_sub_group_local_id() % 2) return;\n"
                      "  for (uint n = 0; n < i % 5; n++) out[i] += 0;\n"
                      "  out[i] = sub_group_scan_inclusive_add(i + 1) + 100 * (sub_group_all(i < 1000) != 0);\n}\n",
                      "-cl-std=CL3.0"),
                "k");
  const uint32_t lanes = harness()->lanes;
  uint32_t expected[64] = {0}, got[64];
  const uint32_t count = lanes * 2;
  for (uint32_t i = 0, sum = 0; i < count; i++) {
    if (i % lanes == 0)
      sum = 0;
    if (i % lanes % 2)
      continue;
    sum += i + 1;
    expected[i] = sum + 100;
  }
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, count, lanes);
  read_buffer(out, got, count * 4);
  expect_u32("scan over the even lanes", expected, got, count);
}

// Lanes part (loops of different length) and meet at the collectives, again and again, at both scopes.
Test(control_flow, collectives_in_a_loop_after_divergence) {
  cl_kernel kernel =
      kernel_of(build("kernel void k(global uint *out) {\n"
                      "  uint i = get_global_id(0), x = i;\n"
                      "  for (uint round = 0; round < 4; round++) {\n"
                      "    for (uint n = 0; n < (i * 7 + round) % 6; n++) x = x * 1664525 + 1013904223;\n"
                      "    if (x & 4) x ^= 0x5A5A; else x += round;\n"
                      "    x += work_group_reduce_add(x) ^ sub_group_reduce_min(x);\n"
                      "  }\n"
                      "  out[i] = x;\n}\n",
                      "-cl-std=CL3.0"),
                "k");
  const size_t limit = work_group_limit(kernel), local = limit < 21 ? limit : 21;
  const struct ndrange range = {1, {2 * local + 3}, {0}, {local}};
  size_t count;
  struct work_item *items = reference_items(&range, harness()->lanes, &count);
  uint32_t *x = allocate(count * 4), *sum = allocate(count * 4), *least = allocate(count * 4),
           *got = allocate(count * 4);
  for (uint32_t i = 0; i < count; i++)
    x[i] = i;
  for (uint32_t round = 0; round < 4; round++) {
    for (uint32_t i = 0; i < count; i++) {
      for (uint32_t n = 0; n < (i * 7 + round) % 6; n++)
        x[i] = x[i] * 1664525 + 1013904223;
      x[i] = x[i] & 4 ? x[i] ^ 0x5A5A : x[i] + round;
    }
    for (size_t i = 0; i < count; i += items[i].group_count)
      reference_collective(MODE_REDUCE, OP_ADD, 0, x + i, sum + i, items[i].group_count);
    for (size_t i = 0; i < count; i += items[i].sub_group_size)
      reference_collective(MODE_REDUCE, OP_MIN, 0, x + i, least + i, items[i].sub_group_size);
    for (size_t i = 0; i < count; i++)
      x[i] += sum[i] ^ least[i];
  }
  cl_mem out = buffer_with(NULL, count * 4);
  set_args(kernel, ARG(out), END_ARGS);
  run(kernel, 1, NULL, range.global, range.local);
  read_buffer(out, got, count * 4);
  expect_u32("after four rounds, work-item", x, got, count);
}

// A branch that a whole sub-group takes together, while the next one does not.
Test(control_flow, sub_group_collective_in_a_branch_of_some_sub_groups) {
  cl_kernel kernel = kernel_of(build("kernel void k(global uint *out) {\n"
                                     "  uint i = get_global_id(0), x = 7;\n"
                                     "  if (get_sub_group_id() % 2 == 0) x = sub_group_scan_inclusive_add(i);\n"
                                     "  else if (sub_group_any(i == 3)) x = 1;\n"
                                     "  out[i] = x + work_group_reduce_max(i);\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  const uint32_t lanes = harness()->lanes;
  uint32_t expected[128], got[128];
  const uint32_t local = lanes * 4, count = local;
  for (uint32_t i = 0, sum = 0; i < count; i++) {
    if (i % lanes == 0)
      sum = 0;
    sum += i;
    const uint32_t first = i / lanes * lanes;
    expected[i] = (i / lanes % 2 == 0 ? sum : first <= 3 && 3 < first + lanes ? 1 : 7) + count - 1;
  }
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(out, got, count * 4);
  expect_u32("work-item", expected, got, count);
}

// A collective in the body of a function that two places call: both calls reach it together.
Test(control_flow, collective_in_a_called_function) {
  cl_kernel kernel =
      kernel_of(build("__attribute__((noinline)) int total(int x) { return sub_group_reduce_add(x) * 2; }\n"
                      "kernel void k(global int *out) {\n"
                      "  int i = get_global_id(0);\n"
                      "  int a = total(i), b = total(-a);\n"
                      "  out[i] = a + 3 * b;\n}\n",
                      "-cl-std=CL3.0"),
                "k");
  const uint32_t lanes = harness()->lanes;
  uint32_t expected[32], got[32];
  const int sum = (int)(lanes * (lanes - 1) / 2) * 2;
  for (uint32_t i = 0; i < lanes; i++)
    expected[i] = (uint32_t)(sum + 3 * (-sum * (int)lanes * 2));
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, lanes, lanes);
  read_buffer(out, got, lanes * 4);
  expect_u32("work-item", expected, got, lanes);
}
