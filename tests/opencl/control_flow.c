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

// ---- collectives wherever a sub-group goes as one

// Runs `k(global const uint *in, global uint *out)`; `expect` fills in what a work-group's work-items get, the first of
// which is items[0].
typedef void expected_of_group(const struct work_item *items, const uint32_t *in, uint32_t *out);

static void check_groups(const char *source, expected_of_group *expect) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  const size_t lanes = harness()->lanes, limit = work_group_limit(kernel);
  const size_t local = 5 * lanes + lanes / 2 < limit ? 5 * lanes + lanes / 2 : limit;
  const struct ndrange range = {1, {2 * local + lanes + 1}, {0}, {local}};
  size_t count;
  struct work_item *items = reference_items(&range, harness()->lanes, &count);
  uint32_t state = 8, *in = allocate(count * 4), *got = allocate(count * 4), *expected = allocate(count * 4);
  for (size_t i = 0; i < count; i++)
    in[i] = random_u32(&state);
  for (size_t i = 0; i < count; i += items[i].group_count)
    expect(items + i, in + i, expected + i);
  cl_mem a = buffer_with(in, count * 4), b = buffer_with(NULL, count * 4);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run(kernel, 1, NULL, range.global, range.local);
  read_buffer(b, got, count * 4);
  expect_u32("work-item", expected, got, count);
}

static uint32_t sum_of(const uint32_t *x, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += x[i];
  return sum;
}

static uint32_t largest_of(const uint32_t *x, size_t count) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; i++)
    largest = x[i] > largest ? x[i] : largest;
  return largest;
}

// Each sub-group takes a case of its own, one falls through to the next; then all of the work-group meet in another.
static void in_a_switch(const struct work_item *items, const uint32_t *in, uint32_t *out) {
  const size_t count = items->group_count;
  uint32_t all = 0;
  for (size_t i = 0; i < count; i += items[i].sub_group_size) {
    const size_t size = items[i].sub_group_size;
    for (size_t l = 0; l < size; l++) {
      const uint32_t scanned = sum_of(in + i, l + 1), sum = sum_of(in + i, size);
      switch (items[i].sub_group_id % 5) {
        case 0:
          out[i + l] = scanned;
          break;
        case 1:
          out[i + l] = sum + in[i + size - 1];
          break;
        case 2:
          out[i + l] = in[i + size - 1];
          break;
        case 3:
          out[i + l] = largest_of(in + i, size) >> 1;
          break;
        default:
          out[i + l] = in[i + l];
      }
    }
  }
  all = sum_of(out, count);
  for (size_t i = 0; i < count; i++)
    out[i] ^= all;
}
Test(control_flow, collectives_in_a_switch) {
  check_groups(
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint x = in[get_global_id(0)], r = 0;\n"
      "  switch (get_sub_group_id() % 5) {\n"
      "    case 0: r = sub_group_scan_inclusive_add(x); break;\n"
      "    case 1: r = sub_group_reduce_add(x);\n"
      "    case 2: r += sub_group_broadcast(x, get_sub_group_size() - 1); break;\n"
      "    case 3: r = sub_group_reduce_max(x); if (sub_group_all(r >= x)) r >>= 1; break;\n"
      "    default: r = x;\n"
      "  }\n"
      "  switch (get_enqueued_local_size(0) > 0) {\n"
      "    case 1: r ^= work_group_reduce_add(r); break;\n"
      "    default: r = work_group_reduce_max(x);\n"
      "  }\n"
      "  out[get_global_id(0)] = r;\n}\n",
      in_a_switch);
}

// A function with a collective that calls another with one, from both arms of a branch and from a loop.
static uint32_t inner_of(const uint32_t *x, size_t size) {
  return sum_of(x, size) + 1;
}
static void in_nested_calls(const struct work_item *items, const uint32_t *in, uint32_t *out) {
  for (size_t i = 0; i < items->group_count; i += items[i].sub_group_size) {
    const size_t size = items[i].sub_group_size;
    uint32_t x[32], y[32];
    memcpy(x, in + i, size * 4);
    for (uint32_t round = 0; round <= items[i].sub_group_id; round++) {
      for (size_t l = 0; l < size; l++)
        y[l] = items[i].sub_group_id % 2 ? ~x[l] : x[l];
      const uint32_t inner = inner_of(y, size);
      for (size_t l = 0; l < size; l++)
        y[l] += inner;
      const uint32_t largest = largest_of(y, size);
      for (size_t l = 0; l < size; l++)
        x[l] = items[i].sub_group_id % 2 ? x[l] - (largest ^ y[l]) : x[l] * 3 + (largest ^ y[l]);
    }
    memcpy(out + i, x, size * 4);
  }
}
Test(control_flow, collectives_in_nested_calls) {
  check_groups(
      "__attribute__((noinline)) uint inner(uint x) { return sub_group_reduce_add(x) + 1; }\n"
      "__attribute__((noinline)) uint outer(uint x) { x += inner(x); return sub_group_reduce_max(x) ^ x; }\n"
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint x = in[get_global_id(0)];\n"
      "  for (uint round = 0; round <= get_sub_group_id(); round++) {\n"
      "    if (get_sub_group_id() % 2) x -= outer(~x); else x = x * 3 + outer(x);\n"
      "  }\n"
      "  out[get_global_id(0)] = x;\n}\n",
      in_nested_calls);
}

// Work-items return from the middle of a loop, one sooner than another; who is left goes on, as long as its sub-group
// says, and at last there is a collective of those of the whole work-group that are left.
static void in_a_loop_with_returns(const struct work_item *items, const uint32_t *in, uint32_t *out) {
  const size_t count = items->group_count;
  bool *live = allocate(count);
  uint32_t left = 0;
  memcpy(out, in, count * 4);
  for (size_t i = 0; i < count; i += items[i].sub_group_size) {
    const size_t size = items[i].sub_group_size;
    for (size_t l = 0; l < size; l++)
      live[i + l] = true;
    for (uint32_t round = 0;; round++) {
      uint32_t sum = 0;
      bool any = false;
      for (size_t l = i; l < i + size; l++)
        if (live[l] && out[l] % 8 == round % 8) {
          live[l] = false;
          out[l] = round + 1000;
        } else if (live[l]) {
          sum += out[l];
        }
      for (size_t l = i; l < i + size; l++)
        if (live[l]) {
          out[l] = (out[l] >> 1) + sum;
          any = any || out[l] % 4 == 1;
        }
      if (!any || round == 5)
        break;
    }
    for (size_t l = i; l < i + size; l++)
      left += live[l];
  }
  for (size_t i = 0; i < count; i++)
    if (live[i])
      out[i] += left;
  free(live);
}
Test(control_flow, collectives_in_a_loop_that_work_items_return_from) {
  check_groups(
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint i = get_global_id(0), x = in[i];\n"
      "  for (uint round = 0; ; round++) {\n"
      "    if (x % 8 == round % 8) { out[i] = round + 1000; return; }\n"
      "    x = (x >> 1) + sub_group_reduce_add(x);\n"
      "    if (!sub_group_any(x % 4 == 1) || round == 5) break;\n"
      "  }\n"
      "  out[i] = x + work_group_reduce_add(1u);\n}\n",
      in_a_loop_with_returns);
}

// Lanes choose between values, each for itself, then shuffle what they have chosen: all are there again.
static void chosen(const struct work_item *items, const uint32_t *in, uint32_t *out) {
  for (size_t i = 0; i < items->group_count; i += items[i].sub_group_size) {
    const size_t size = items[i].sub_group_size;
    uint16_t a[32][8], b[32][8], r[32][8];
    for (size_t l = 0; l < size; l++)
      for (uint32_t e = 0; e < 8; e++) {
        a[l][e] = (uint16_t)(in[i + l] * (e + 1));
        b[l][e] = (uint16_t)(in[i + l] >> e);
      }
    for (uint32_t step = 1; step <= 4; step++) {
      for (size_t l = 0; l < size; l++)
        memcpy(r[l], in[i + l] >> step & 1 ? a[l] : b[l], sizeof r[l]);
      for (size_t l = 0; l < size; l++)
        for (size_t e = 0; e < 8; e++) {
          b[l][e] = a[l][e];
          a[l][e] = (uint16_t)(r[(l + step) % size][e] + step);
        }
    }
    for (size_t l = 0; l < size; l++) {
      out[i + l] = 0;
      for (size_t e = 0; e < 8; e++)
        out[i + l] = out[i + l] * 31 + a[l][e];
    }
  }
}
Test(control_flow, choices_between_shuffles) {
  check_groups(
      "#define STEP(n) { \\\n"
      "  uint4 w = as_uint4(x >> n & 1 ? a : b); uint from = (get_sub_group_local_id() + n) % get_sub_group_size(); "
      "\\\n"
      "  w.x = sub_group_shuffle(w.x, from); w.y = sub_group_shuffle(w.y, from); \\\n"
      "  w.z = sub_group_shuffle(w.z, from); w.w = sub_group_shuffle(w.w, from); \\\n"
      "  b = a; a = as_ushort8(w) + (ushort)n; }\n"
      "kernel void k(global const uint *in, global uint *out) {\n"
      "  uint x = in[get_global_id(0)], h = 0;\n"
      "  ushort8 a = convert_ushort8(x * (uint8)(1, 2, 3, 4, 5, 6, 7, 8));\n"
      "  ushort8 b = convert_ushort8((uint8)x >> (uint8)(0, 1, 2, 3, 4, 5, 6, 7));\n"
      "  STEP(1) STEP(2) STEP(3) STEP(4)\n"
      "  for (int e = 0; e < 8; e++) h = h * 31 + a[e];\n"
      "  out[get_global_id(0)] = h;\n}\n",
      chosen);
}
