// SPDX-License-Identifier: Apache-2.0
// Barriers, local memory (static variables and arguments), private arrays and stacks: what one work-item writes is what
// the right others read, and nobody else.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

// Every kernel below gets in and out and treats a work-group as a row; groups have different sizes at the end.
static size_t items_of(size_t local) {
  return 3 * local + local / 2;
}

static size_t local_of(cl_kernel kernel) {
  const size_t limit = work_group_limit(kernel);
  return limit < 40 ? limit : 40;  // five sub-groups at 8 lanes
}

static uint32_t *random_words(size_t count) {
  uint32_t state = 99, *words = allocate(count * 4);
  for (size_t i = 0; i < count; i++)
    words[i] = random_u32(&state);
  return words;
}

// out[i] = in[the mirror image of i in its work-group]
static void check_mirror(const char *source, const char *what, size_t local_bytes_per_item) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "mirror");
  const size_t local = local_of(kernel), count = items_of(local);
  uint32_t *in = random_words(count), *got = allocate(count * 4), *expected = allocate(count * 4);
  for (size_t i = 0; i < count; i++) {
    const size_t first = i / local * local, last = first + local < count ? first + local - 1 : count - 1;
    expected[i] = in[first + last - i];
  }
  cl_mem a = buffer_with(in, count * 4), b = buffer_with(NULL, count * 4);
  if (local_bytes_per_item)
    set_args(kernel, ARG(a), ARG(b), LOCAL_ARG(local * local_bytes_per_item), END_ARGS);
  else
    set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(b, got, count * 4);
  expect_u32(what, expected, got, count);
}

Test(barriers, local_argument) {
  check_mirror(
      "kernel void mirror(global const uint *in, global uint *out, local uint *row) {\n"
      "  size_t l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);\n"
      "  row[l] = in[i];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[i] = row[n - 1 - l];\n}\n",
      "mirror through a local argument", 4);
}

Test(barriers, local_variable) {
  check_mirror(
      "kernel void mirror(global const uint *in, global uint *out) {\n"
      "  local uint row[64];\n"
      "  size_t l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);\n"
      "  row[l] = in[i];\n"
      "  work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[i] = row[n - 1 - l];\n}\n",
      "mirror through a local variable", 0);
}

Test(barriers, global_memory_is_ordered_too) {
  check_mirror(
      "kernel void mirror(global const uint *in, global uint *out) {\n"
      "  size_t l = get_local_id(0), n = get_local_size(0), i = get_global_id(0), m = i - l + n - 1 - l;\n"
      "  out[m] = in[i];\n"
      "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
      "  uint x = out[i];\n"
      "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
      "  out[i] = x;\n}\n",
      "mirror through global memory", 0);
}

Test(barriers, bytes_and_halfwords_of_local_memory) {
  check_mirror(
      "kernel void mirror(global const uint *in, global uint *out) {\n"
      "  local uchar low[64]; local ushort middle[64]; local uchar high[64];\n"
      "  size_t l = get_local_id(0), n = get_local_size(0), i = get_global_id(0), m = n - 1 - l;\n"
      "  low[l] = in[i]; middle[l] = in[i] >> 8; high[l] = in[i] >> 24;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[i] = low[m] | (uint)middle[m] << 8 | (uint)high[m] << 24;\n}\n",
      "mirror through bytes and halfwords", 0);
}

// Two local arguments and a variable of three types: if they overlapped, the sums would differ.
Test(barriers, local_arguments_and_variables_do_not_overlap) {
  cl_kernel kernel =
      kernel_of(build("kernel void k(global uint *out, local uchar *a, local ulong *b, local uint *c) {\n"
                      "  local uint v[16]; local ulong w[4];\n"
                      "  size_t l = get_local_id(0);\n"
                      "  a[l] = l + 1; b[l] = l + 100; c[l] = l + 10000; v[l] = l + 1000000; if (l < 4) w[l] = l + 5;\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "  uint sum = 0;\n"
                      "  for (int i = 0; i < 4; i++) sum += a[i] + b[i] + c[i] + v[i] + w[i];\n"
                      "  out[get_global_id(0)] = sum;\n}\n",
                      "-cl-std=CL3.0"),
                "k");
  uint32_t expected[8], got[8];
  for (int i = 0; i < 8; i++)
    expected[i] = 4 * (1 + 100 + 10000 + 1000000 + 5) + 5 * 6;
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(out), LOCAL_ARG(5), LOCAL_ARG(4 * 8), LOCAL_ARG(4 * 4), END_ARGS);
  run_1d(kernel, 8, 4);
  read_buffer(out, got, sizeof got);
  expect_u32("sum", expected, got, 8);
}

// A tree reduction: a barrier in a loop, with fewer and fewer work-items busy between them.
Test(barriers, in_a_loop) {
  cl_kernel kernel = kernel_of(build("kernel void tree(global const uint *in, global uint *out, local uint *t) {\n"
                                     "  uint l = get_local_id(0), n = get_local_size(0);\n"
                                     "  t[l] = in[get_global_id(0)];\n"
                                     "  while (n > 1) {\n"
                                     "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "    uint half_n = (n + 1) / 2;\n"
                                     "    if (l + half_n < n) t[l] += t[l + half_n];\n"
                                     "    n = half_n;\n"
                                     "  }\n"
                                     "  if (l == 0) out[get_group_id(0)] = t[0];\n}\n",
                                     "-cl-std=CL3.0"),
                               "tree");
  const size_t local = local_of(kernel), count = items_of(local), groups = (count + local - 1) / local;
  uint32_t *in = random_words(count), *got = allocate(groups * 4), *expected = allocate(groups * 4);
  for (size_t i = 0; i < count; i++)
    expected[i / local] += in[i];
  cl_mem a = buffer_with(in, count * 4), b = buffer_with(NULL, groups * 4);
  set_args(kernel, ARG(a), ARG(b), LOCAL_ARG(local * 4), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(b, got, groups * 4);
  expect_u32("sum of work-group", expected, got, groups);
}

// The neighbour in the sub-group, through local memory and sub_group_barrier alone.
Test(barriers, sub_group_barrier) {
  cl_kernel kernel =
      kernel_of(build("kernel void k(global const uint *in, global uint *out, local uint *t) {\n"
                      "  uint l = get_local_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size();\n"
                      "  uint first = l - lane, x = in[get_global_id(0)];\n"
                      "  for (int i = 0; i < 3; i++) {\n"
                      "    t[l] = x;\n"
                      "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "    x = t[first + (lane + 1) % n] + 1;\n"
                      "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "  }\n"
                      "  out[get_global_id(0)] = x;\n}\n",
                      "-cl-std=CL3.0"),
                "k");
  const size_t local = local_of(kernel), count = items_of(local), lanes = harness()->lanes;
  uint32_t *in = random_words(count), *got = allocate(count * 4), *expected = allocate(count * 4);
  for (size_t i = 0; i < count; i++) {
    const size_t group = i / local * local, group_end = group + local < count ? group + local : count;
    const size_t first = group + (i - group) / lanes * lanes;
    const size_t n = first + lanes < group_end ? lanes : group_end - first;
    expected[i] = in[first + (i - first + 3) % n] + 3;
  }
  cl_mem a = buffer_with(in, count * 4), b = buffer_with(NULL, count * 4);
  set_args(kernel, ARG(a), ARG(b), LOCAL_ARG(local * 4), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(b, got, count * 4);
  expect_u32("three steps round the sub-group", expected, got, count);
}

// ---- sub_group_barrier in all its forms

// Those of a sub-group that stay pass words round, each to the one before it, in a loop as long as the sub-group likes.
static const char ring_source[] =
    "#define KERNEL(name, space, base, ...) \\\n"
    "  kernel void name(global const uint *in, global uint *out, space uint *t) { \\\n"
    "    uint l = get_local_id(0), i = get_global_id(0), lane = get_sub_group_local_id(); \\\n"
    "    uint stay = (2 * get_sub_group_size() + 2) / 3, me = lane - lane / 3, next = (me + 1) % stay; \\\n"
    "    uint at = base + l, from = at - lane + next + next / 2, x = in[i]; \\\n"
    "    if (lane % 3 == 2) { out[i] = ~x; return; } \\\n"
    "    for (uint round = 0; round < 2 + get_sub_group_id() % 3; round++) { \\\n"
    "      for (uint k = 0; k < (lane + round) % 4; k++) x = x * 5 + k; \\\n"
    "      t[at] = x; \\\n"
    "      sub_group_barrier(__VA_ARGS__); \\\n"
    "      x = t[from]; \\\n"
    "      sub_group_barrier(__VA_ARGS__); \\\n"
    "    } \\\n"
    "    out[i] = x; }\n"
    "#define LOCAL(name, ...) KERNEL(name, local, 0, __VA_ARGS__)\n"
    "#define GLOBAL(name, ...) KERNEL(name, global, i - l, __VA_ARGS__)\n"
    "LOCAL(local_0, CLK_LOCAL_MEM_FENCE)\n"
    "GLOBAL(global_0, CLK_GLOBAL_MEM_FENCE)\n"
    "LOCAL(local_1, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
    "GLOBAL(global_1, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
    "#if __OPENCL_C_VERSION__ >= 300\n"
    "LOCAL(local_2, CLK_LOCAL_MEM_FENCE, memory_scope_sub_group)\n"
    "GLOBAL(global_2, CLK_GLOBAL_MEM_FENCE, memory_scope_sub_group)\n"
    "LOCAL(local_3, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group)\n"
    "GLOBAL(global_3, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group)\n"
    "LOCAL(local_4, CLK_LOCAL_MEM_FENCE, memory_scope_device)\n"
    "GLOBAL(global_4, CLK_GLOBAL_MEM_FENCE, memory_scope_device)\n"
    "#ifdef __opencl_c_atomic_scope_all_devices\n"
    "LOCAL(local_5, CLK_LOCAL_MEM_FENCE, memory_scope_all_svm_devices)\n"
    "GLOBAL(global_5, CLK_GLOBAL_MEM_FENCE, memory_scope_all_devices)\n"
    "#else\n"
    "LOCAL(local_5, CLK_LOCAL_MEM_FENCE)\n"
    "GLOBAL(global_5, CLK_GLOBAL_MEM_FENCE)\n"
    "#endif\n"
    "#endif\n";

// The sub-group `id` of `size` work-items, whose words are x.
static void pass_round(uint32_t *x, size_t size, size_t id) {
  uint32_t old[32];
  for (size_t round = 0; round < 2 + id % 3; round++) {
    for (size_t lane = 0; lane < size; lane++) {
      old[lane] = x[lane];
      for (uint32_t k = 0; k < (lane + round) % 4; k++)
        old[lane] = old[lane] * 5 + k;
    }
    for (size_t lane = 0; lane < size; lane++) {
      size_t next = lane + 1;
      while (next < size && next % 3 == 2)
        next++;
      if (lane % 3 != 2)
        x[lane] = old[next < size ? next : 0];
    }
  }
}

static void check_rings(const char *version, int forms, bool is_uniform) {
  const size_t lanes = harness()->lanes;
  cl_program program = build(ring_source, version);
  for (int form = 0; form < 2 * forms; form++) {
    char name[16];
    snprintf(name, sizeof name, "%s_%d", form % 2 ? "global" : "local", form / 2);
    cl_kernel kernel = kernel_of(program, name);
    const size_t local = local_of(kernel), count = is_uniform ? 2 * local : items_of(local);
    uint32_t *in = random_words(count), *got = allocate(count * 4), *expected = allocate(count * 4);
    memcpy(expected, in, count * 4);
    for (size_t group = 0; group < count; group += local)
      for (size_t first = group; first < group + local && first < count; first += lanes) {
        const size_t end = group + local < count ? group + local : count;
        const size_t size = first + lanes < end ? lanes : end - first;
        pass_round(expected + first, size, (first - group) / lanes);
        for (size_t lane = 2; lane < size; lane += 3)
          expected[first + lane] = ~in[first + lane];
      }
    cl_mem a = buffer_with(in, count * 4), b = buffer_with(NULL, count * 4), t = buffer_with(NULL, count * 4);
    if (form % 2)
      set_args(kernel, ARG(a), ARG(b), ARG(t), END_ARGS);
    else
      set_args(kernel, ARG(a), ARG(b), LOCAL_ARG(local * 4), END_ARGS);
    run_1d(kernel, count, local);
    read_buffer(b, got, count * 4);
    expect_u32(name, expected, got, count);
    free(in);
    free(got);
    free(expected);
  }
}

Test(barriers, sub_group_barrier_with_flags_and_scopes) {
  check_rings("-cl-std=CL3.0", 6, false);
}

Test(barriers, sub_group_barrier_in_opencl_c_1_2) {
  check_rings("-cl-std=CL1.2", 2, true);
}

// Each work-item sorts an array of its own, indexed with what only it knows.
Test(barriers, private_arrays_are_private) {
  cl_kernel kernel =
      kernel_of(build("kernel void sort(global const uint *in, global uint *out) {\n"
                      "  uint a[12], i = get_global_id(0);\n"
                      "  for (uint n = 0; n < 12; n++) a[(n * 5 + i) % 12] = in[i] * (n + 1) ^ n << 13;\n"
                      "  for (uint n = 1; n < 12; n++) {\n"
                      "    uint x = a[n], m = n;\n"
                      "    for (; m > 0 && a[m - 1] > x; m--) a[m] = a[m - 1];\n"
                      "    a[m] = x;\n"
                      "  }\n"
                      "  for (uint n = 0; n < 12; n++) out[i * 12 + n] = a[n];\n}\n",
                      "-cl-std=CL3.0"),
                "sort");
  const size_t local = local_of(kernel), count = items_of(local);
  uint32_t *in = random_words(count), *got = allocate(count * 48), *expected = allocate(count * 48);
  for (size_t i = 0; i < count; i++)
    for (uint32_t n = 0; n < 12; n++) {
      const uint32_t x = in[i] * (n + 1) ^ n << 13;
      uint32_t m = n;
      for (; m > 0 && expected[i * 12 + m - 1] > x; m--)
        expected[i * 12 + m] = expected[i * 12 + m - 1];
      expected[i * 12 + m] = x;
    }
  cl_mem a = buffer_with(in, count * 4), b = buffer_with(NULL, count * 48);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  run_1d(kernel, count, local);
  read_buffer(b, got, count * 48);
  expect_u32("sorted arrays", expected, got, count * 12);
}
