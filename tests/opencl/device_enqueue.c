// SPDX-License-Identifier: Apache-2.0
// Kernels that enqueue kernels: what a block captures, its range and local memory, the order that events and wait lists
// make, what a full queue and wrong calls are answered with, and what becomes of a tree of kernels that faults or
// hangs.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

enum { QUEUE_SIZE = 16 << 10, WORDS = 4096 };

#define NO_WAIT "CLK_ENQUEUE_FLAGS_NO_WAIT"

// The default queue of the context, of `size` bytes.
static cl_command_queue device_queue(cl_uint size) {
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
      CL_QUEUE_SIZE, size, 0};
  cl_int error;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(harness()->context, harness()->device, properties, &error);
  EXPECT_SUCCESS(error);
  return queue;
}

// The test makes mistakes that are findings where kernels are checked (check.c).
static void skip_if_checked(void) {
  if (kernels_are_checked())
    cr_skip_test("HEDDLE_CHECK=1 finds what the kernel does wrong, so that it does not complete");
}

static cl_kernel kernel_from(const char *source, const char *options) {
  char all[128];
  snprintf(all, sizeof all, "-cl-std=CL3.0 %s", options);
  return kernel_of(build(source, all), "k");
}

// Runs kernel k(global int *out) on one work-item, with a default queue, and compares what it left with `expected`.
static void expect_words(const char *source, const uint32_t *expected, size_t count) {
  device_queue(QUEUE_SIZE);
  cl_kernel kernel = kernel_from(source, "-g");
  cl_mem out = buffer_with(NULL, WORDS * 4);
  uint32_t *got = allocate(WORDS * 4);
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, got, count * 4);
  expect_u32("out", expected, got, count);
  free(got);
}
#define EXPECT_WORDS(source, ...)                                    \
  do {                                                               \
    const uint32_t expected_words[] = {__VA_ARGS__};                 \
    expect_words(source, expected_words, sizeof expected_words / 4); \
  } while (0)

// ---- what runs

Test(device_enqueue, block_has_what_it_captures) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  int a = 5; long b = 0x100000002l; short16 c = (short16)(7); char d = 9;\n"
      "  out[0] = enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), ^{\n"
      "    out[1] = a; out[2] = (int)(b >> 32); out[3] = (int)b; out[4] = c.sf; out[5] = d; });\n"
      "  a = 6;\n}\n",
      0, 5, 1, 2, 7, 9);
}

Test(device_enqueue, block_without_captures_and_block_of_program_scope) {
  EXPECT_WORDS(
      "global int word = 3;\n"
      "void (^const add)(void) = ^{ word += 4; };\n"
      "kernel void k(global int *out) {\n"
      "  add();\n"
      "  out[0] = enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), add);\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT ", ndrange_1D(1), ^{ out[1] = word; });\n}\n",
      0, 11);
}

Test(device_enqueue, every_flag_is_taken_and_others_are_not) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  queue_t q = get_default_queue(); ndrange_t one = ndrange_1D(1);\n"
      "  out[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, ^{ out[4] = 1; });\n"
      "  out[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, one, ^{ out[5] = out[8] + 1; });\n"
      "  out[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, one, ^{ out[6] = out[8] + 2; });\n"
      "  out[3] = enqueue_kernel(q, 3, one, ^{ out[7] = 1; });\n"
      "  out[8] = 10;\n}\n",
      0, 0, 0, (uint32_t)-101, 1, 11, 12, 0);
}

// How many: on the RTL in `make test`, there in `make test-long`, and on the model.
static size_t on_rtl(size_t few, size_t more, size_t all) {
  return !harness()->is_rtl ? all : harness()->is_long ? more : few;
}

// Each work-item enqueues one, and each of those two.
Test(device_enqueue, all_work_items_enqueue_and_blocks_do_too) {
  device_queue(128 << 10);
  cl_kernel kernel = kernel_from(
      "kernel void k(global int *out, global int *codes) {\n"
      "  int i = get_global_id(0);\n"
      "  codes[i] = enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(2, 1), ^{\n"
      "    int j = get_global_id(0);\n"
      "    int code = enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(3, 3),\n"
      "      ^{ out[(i * 2 + j) * 3 + get_global_id(0)] = i * 100 + j * 10 + get_local_id(0); });\n"
      "    if (code != 0) codes[i] = code;\n"
      "  });\n}\n",
      "");
  const size_t count = on_rtl(12, 24, 100);
  cl_mem out = buffer_with(NULL, count * 6 * 4), codes = buffer_with(NULL, count * 4);
  uint32_t *expected = allocate(count * 6 * 4), *got = allocate(count * 6 * 4);
  set_args(kernel, ARG(out), ARG(codes), END_ARGS);
  run_1d(kernel, count, harness()->max_work_group_size < 8 ? harness()->max_work_group_size : 8);
  read_buffer(codes, got, count * 4);
  expect_u32("results", expected, got, count);
  for (uint32_t i = 0; i < count * 6; i++)
    expected[i] = i / 6 * 100 + i / 3 % 2 * 10 + i % 3;
  read_buffer(out, got, count * 6 * 4);
  expect_u32("out", expected, got, count * 6);
  free(expected);
  free(got);
}

Test(device_enqueue, block_enqueues_itself_through_a_function) {
  EXPECT_WORDS(
      "void count(global int *out, int n) {\n"
      "  out[n] = n + 1;\n"
      "  if (n < 7) enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), ^{ count(out, n + 1); });\n"
      "}\n"
      "kernel void k(global int *out) { count(out, 0); }\n",
      1, 2, 3, 4, 5, 6, 7, 8, 0);
}

Test(device_enqueue, ranges_of_three_dimensions_have_offset_and_local_size) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  queue_t q = get_default_queue();\n"
      "  size_t o[3] = {1, 2, 3}, g[3] = {2, 1, 2}, l[3] = {1, 1, 2};\n"
      "  void (^const b)(void) = ^{\n"
      "    int i = get_global_linear_id();\n"
      "    atomic_fetch_add((volatile global atomic_int *)out, 1);\n"
      "    if (i == 0) {\n"
      "      int n = 1 + out[63] * 10;\n"
      "      out[n++] = get_work_dim(); out[n++] = get_global_id(0); out[n++] = get_global_id(1);\n"
      "      out[n++] = get_global_id(2); out[n++] = get_global_size(0); out[n++] = get_global_size(2);\n"
      "      out[n++] = get_local_size(0); out[n++] = get_local_size(2);\n"
      "      out[63]++;\n"
      "    }\n  };\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", ndrange_3D(o, g, l), b);\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", ndrange_2D(g, l), b);\n"
      "  enqueue_kernel(q, " NO_WAIT ", ndrange_1D(4, 2, 1), b);\n}\n",
      4 + 2 + 2, 3, 1, 2, 3, 2, 2, 1, 2, 0, 0, 2, 0, 0, 0, 2, 1, 1, 1, 0, 0, 1, 4, 0, 0, 2, 1, 1, 1);
}

// Arrays in every address space, through pointers of functions, and mixed.
Test(device_enqueue, ranges_take_arrays_in_any_address_space) {
  EXPECT_WORDS(
      "constant size_t c[3] = {4, 1, 2};\n"
      "global size_t program_scope[3] = {2, 3, 1};\n"
      "uint volume(ndrange_t r) {\n"
      "  return r.globalWorkSize[0] * 1000 + r.globalWorkSize[1] * 100 + r.globalWorkSize[2] * 10 + "
      "r.localWorkSize[0];\n"
      "}\n"
      "ndrange_t of_pointer(const size_t *g) { return ndrange_2D(g); }\n"
      "kernel void k(global int *out) {\n"
      "  local size_t l[3]; size_t p[3] = {5, 6, 7}; const size_t one[3] = {1, 1, 1};\n"
      "  l[0] = 8; l[1] = 9; l[2] = 1;\n"
      "  global size_t *g = (global size_t *)out + 64; g[0] = 3; g[1] = 2; g[2] = 4;\n"
      "  int n = 0;\n"
      "  out[n++] = volume(ndrange_2D(p)); out[n++] = volume(ndrange_2D(g)); out[n++] = volume(ndrange_2D(l));\n"
      "  out[n++] = volume(ndrange_2D(c)); out[n++] = volume(ndrange_2D(program_scope));\n"
      "  out[n++] = volume(of_pointer(p)); out[n++] = volume(of_pointer(g)); out[n++] = volume(of_pointer(l));\n"
      "  out[n++] = volume(ndrange_2D((const size_t[2]){1, 2}));\n"
      "  out[n++] = volume(ndrange_3D(p, one)); out[n++] = volume(ndrange_3D(g, c)); out[n++] = volume(ndrange_3D(c, "
      "l));\n"
      "  out[n++] = volume(ndrange_3D(l, g)); out[n++] = volume(ndrange_3D(c, c));\n"
      "  out[n++] = volume(ndrange_3D(p, g, c)); out[n++] = volume(ndrange_3D(c, l, p));\n"
      "  out[n++] = volume(ndrange_3D(g, c, l)); out[n++] = volume(ndrange_3D(NULL, g, one));\n"
      "  out[n++] = ndrange_3D(c, g, l).globalWorkOffset[2]; out[n++] = ndrange_2D(g, p, l).globalWorkOffset[1];\n"
      "  out[n++] = enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_2D(g, c), ^{ out[40 + get_global_id(1)] = get_local_size(0) + get_global_size(0); });\n"
      "}\n",
      5600, 3200, 8900, 4100, 2300, 5600, 3200, 8900, 1200, 5671, 3244, 4128, 8913, 4124, 3244, 8915, 4128, 3241, 2, 2,
      0);
}

Test(device_enqueue, empty_range_runs_nothing_and_completes) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  clk_event_t e;\n"
      "  out[0] = enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(0), 0, 0, &e, ^{ out[1] = 1; });\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), 1, &e, 0, ^{ out[2] = 1; });\n"
      "  release_event(e);\n}\n",
      0, 0, 1);
}

Test(device_enqueue, local_arguments_are_apart_and_as_large_as_asked) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  int n = 20;\n"
      "  out[0] = enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(2, 2),\n"
      "    ^(local void *a, local void *b) {\n"
      "      local int *x = a, *y = b; int i = get_local_id(0);\n"
      "      x[i] = n + i; y[i] = 40 + i; y[n - 1 - i] = 60 + i;\n"
      "      barrier(CLK_LOCAL_MEM_FENCE);\n"
      "      out[1 + i] = x[1 - i]; out[3 + i] = y[1 - i]; out[5 + i] = y[18 + i];\n"
      "    }, 8u, n * 4u);\n}\n",
      0, 21, 20, 41, 40, 61, 60);
}

Test(device_enqueue, queue_is_an_argument_whatever_its_type_is_called) {
  static const char *const types[] = {"-DQUEUE=queue_t", "-DQUEUE=mine"};
  cl_command_queue queue = device_queue(QUEUE_SIZE);
  for (int i = 0; i < 2; i++) {
    cl_kernel kernel = kernel_from(
        "typedef queue_t mine;\n"
        "kernel void k(QUEUE q, global int *out) {\n"
        "  out[0] = enqueue_kernel(q, " NO_WAIT ", ndrange_1D(1), ^{ out[1] = 7; });\n}\n",
        types[i]);
    cl_mem out = buffer_with(NULL, 8);
    const uint32_t expected[2] = {0, 7};
    uint32_t got[2];
    set_args(kernel, ARG(queue), ARG(out), END_ARGS);
    run_1d(kernel, 1, 1);
    read_buffer(out, got, 8);
    expect_u32("out", expected, got, 2);
  }
}

Test(device_enqueue, without_a_queue_nothing_is_enqueued) {
  skip_if_checked();
  cl_kernel kernel = kernel_from(
      "kernel void k(global int *out) {\n"
      "  out[0] = enqueue_kernel(get_default_queue(), " NO_WAIT ", ndrange_1D(1), ^{ out[1] = 7; });\n}\n",
      "-g");
  cl_mem out = buffer_with(NULL, 8);
  const uint32_t expected[2] = {(uint32_t)-102, 0};
  uint32_t got[2];
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, got, 8);
  expect_u32("out", expected, got, 2);
}

// ---- order

Test(device_enqueue, wait_lists_make_the_order) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  queue_t q = get_default_queue(); ndrange_t one = ndrange_1D(1);\n"
      "  clk_event_t user = create_user_event(), first, second, both, w[2];\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 1, &user, &first, ^{ out[++out[0]] = 1; });\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 1, &first, &second, ^{ out[++out[0]] = 2; });\n"
      "  w[0] = first; w[1] = second;\n"
      "  enqueue_marker(q, 2, w, &both);\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 1, &both, 0, ^{ out[++out[0]] = 3; });\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, ^{ out[++out[0]] = 4; set_user_event_status(user, CL_COMPLETE); });\n"
      "  release_event(first); release_event(second); release_event(both);\n}\n",
      4, 4, 1, 2, 3);
}

// An event is complete when all that its kernel enqueued is.
Test(device_enqueue, event_waits_for_the_children_of_its_kernel) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  queue_t q = get_default_queue(); ndrange_t one = ndrange_1D(1);\n"
      "  clk_event_t e;\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 0, 0, &e, ^{\n"
      "    out[++out[0]] = 1;\n"
      "    enqueue_kernel(q, " NO_WAIT
      ", one, ^{ out[++out[0]] = 2;\n"
      "      enqueue_kernel(q, " NO_WAIT
      ", one, ^{ out[++out[0]] = 3; }); });\n  });\n"
      "  enqueue_kernel(q, " NO_WAIT ", one, 1, &e, 0, ^{ out[++out[0]] = 4; });\n}\n",
      4, 1, 2, 3, 4);
}

Test(device_enqueue, what_waits_for_a_failed_event_does_not_run) {
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  queue_t q = get_default_queue(); ndrange_t one = ndrange_1D(1);\n"
      "  clk_event_t user = create_user_event(), e;\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 1, &user, &e, ^{ out[0] = 1; });\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 1, &e, 0, ^{ out[1] = 1; });\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, ^{ out[2] = 1; });\n"
      "  set_user_event_status(user, -1);\n}\n",
      0, 0, 1);
}

Test(device_enqueue, events_are_valid_until_released) {
  // More than there can be at a time, one after the other and together; on the slow device few.
  const bool is_few = harness()->is_rtl && !harness()->is_long;
  const uint32_t in_turn = is_few ? 20 : 1100, together = is_few ? 20 : 1026, most = 1024;
  const uint32_t expected[] = {1, 0, 1, 0, in_turn, together < most ? together : most};
  char source[1000];
  snprintf(source, sizeof source,
           "kernel void k(global int *out) {\n"
           "  clk_event_t user = create_user_event(), none = CLK_NULL_EVENT;\n"
           "  out[0] = is_valid_event(user); out[1] = is_valid_event(none);\n"
           "  retain_event(user); release_event(user); out[2] = is_valid_event(user);\n"
           "  release_event(user); out[3] = is_valid_event(user);\n"
           "  out[4] = 0;\n"
           "  for (int i = 0; i < %u; i++) { clk_event_t e = create_user_event(); out[4] += is_valid_event(e); "
           "release_event(e); }\n"
           "  for (int i = 0; i < %u; i++) out[5] += is_valid_event(create_user_event());\n}\n",
           in_turn, together);
  expect_words(source, expected, sizeof expected / 4);
}

Test(device_enqueue, profiling_information_is_captured) {
  device_queue(QUEUE_SIZE);
  cl_kernel kernel = kernel_from(
      "kernel void k(global ulong *out) {\n"
      "  queue_t q = get_default_queue(); ndrange_t one = ndrange_1D(1);\n"
      "  clk_event_t e;\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 0, 0, &e, ^{\n"
      "    enqueue_kernel(q, " NO_WAIT
      ", one, ^{ for (int i = 0; i < 50; i++) ((volatile global ulong *)out)[9]++; }); });\n"
      "  capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, out);\n"
      "  capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, out + 2);\n"
      "  enqueue_kernel(q, " NO_WAIT
      ", one, 1, &e, 0,\n"
      "    ^{ capture_event_profiling_info(e, CLK_PROFILING_COMMAND_EXEC_TIME, out + 4); });\n}\n",
      "");
  cl_mem out = buffer_with(NULL, 80);
  uint64_t got[10];
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, got, sizeof got);
  if (got[0] == 0 || got[1] <= got[0])
    fail("the kernel took %llu ns, with its child %llu", (unsigned long long)got[0], (unsigned long long)got[1]);
  if (memcmp(got, got + 2, 16) != 0 || memcmp(got, got + 4, 16) != 0)
    fail("captured thrice, the times differ");
}

// ---- what is refused

Test(device_enqueue, full_queue_refuses_and_runs_what_it_has) {
  const struct {
    const char *options;
    uint32_t code;
  } forms[] = {{"", (uint32_t)-101}, {"-g", (uint32_t)-161}};
  device_queue(3000);  // whole times 128 bytes; a command with a small literal takes 256
  for (int i = 0; i < 2; i++) {
    cl_kernel kernel = kernel_from(
        "kernel void k(global int *out) {\n"
        "  out[1 + get_global_id(0)] = enqueue_kernel(get_default_queue(), " NO_WAIT
        ", ndrange_1D(1),\n"
        "    ^{ atomic_fetch_add((volatile global atomic_int *)out, 1); });\n}\n",
        forms[i].options);
    cl_mem out = buffer_with(NULL, 31 * 4);
    uint32_t got[31], refused = 0;
    set_args(kernel, ARG(out), END_ARGS);
    run_1d(kernel, 30, 1);
    read_buffer(out, got, sizeof got);
    for (int j = 1; j < 31; j++)
      refused += got[j] == forms[i].code;
    if (got[0] != 11 || refused != 19)
      fail("%u commands ran, %u were refused with %d", got[0], refused, (int)forms[i].code);
  }
}

// A recursion: each work-item of a kernel enqueues one, `width` wide, until the level is 0. Returns how many calls
// succeeded; none may fail.
static uint32_t recurse(cl_uint queue_size, cl_int level, cl_int width, size_t first) {
  cl_command_queue queue = device_queue(queue_size);
  cl_kernel kernel = kernel_from(
      "void node(int level, int width, global int *n) {\n"
      "  if (level == 0) return;\n"
      "  int r = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(width),\n"
      "                         ^{ node(level - 1, width, n); });\n"
      "  atomic_inc(&n[r == CLK_SUCCESS ? 0 : 1]);\n"
      "}\n"
      "kernel void k(global int *n, int level, int width) { node(level, width, n); }\n",
      "");
  cl_mem out = buffer_with(NULL, 8);
  uint32_t got[2];
  set_args(kernel, ARG(out), ARG(level), ARG(width), END_ARGS);
  run(kernel, 1, NULL, &first, NULL);
  read_buffer(out, got, sizeof got);
  if (got[1] != 0)
    fail("%d levels of %d from %zu work-items: %u calls succeeded, %u failed", level, width, first, got[0], got[1]);
  EXPECT_SUCCESS(clReleaseCommandQueue(queue));
  return got[0];
}

Test(device_enqueue, a_queue_of_the_maximum_size_takes_4096_kernels) {
  cl_uint most = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof most, &most, NULL));
  const size_t count = on_rtl(32, 64, 4096);
  const uint32_t succeeded = recurse(harness()->is_rtl ? 16 << 10 : most, 1, 1, count);
  if (succeeded != count)
    fail("expected %zu kernels to be enqueued, got %u", count, succeeded);
}

// 8,190 kernels, of which 4,096 in the last generation, in room for 32.
Test(device_enqueue, a_recursion_takes_room_for_a_branch) {
  const cl_int levels = (cl_int)on_rtl(4, 5, 12);
  const uint32_t expected = (2u << levels) - 2, succeeded = recurse(8 << 10, levels, 2, 2);
  if (succeeded != expected)
    fail("expected %u kernels to be enqueued, got %u", expected, succeeded);
}

Test(device_enqueue, wrong_calls_are_told_why_with_g) {
  skip_if_checked();
  EXPECT_WORDS(
      "kernel void k(global int *out) {\n"
      "  queue_t q = get_default_queue(), none = CLK_NULL_QUEUE;\n"
      "  clk_event_t e, never = CLK_NULL_EVENT;\n"
      "  void (^const b)(void) = ^{ out[20] = 1; };\n"
      "  void (^const l)(local void *) = ^(local void *p) { out[20] = 1; };\n"
      "  ndrange_t one = ndrange_1D(1), four = one;\n"
      "  four.workDimension = 4;\n"
      "  out[0] = enqueue_kernel(none, " NO_WAIT
      ", one, b);\n"
      "  out[1] = enqueue_kernel(q, " NO_WAIT
      ", four, b);\n"
      "  out[2] = enqueue_kernel(q, " NO_WAIT
      ", ndrange_1D(4, get_kernel_work_group_size(b) + 1), b);\n"
      "  out[3] = enqueue_kernel(q, " NO_WAIT
      ", one, 1, &never, &e, b);\n"
      "  out[4] = enqueue_kernel(q, " NO_WAIT
      ", one, 1, 0, &e, b);\n"
      "  out[5] = enqueue_kernel(q, " NO_WAIT
      ", one, l, 0u);\n"
      "  out[6] = enqueue_kernel(q, " NO_WAIT
      ", one, l, 1u << 30);\n"
      "  out[7] = enqueue_marker(q, 0, 0, &e);\n"
      "  size_t g[2] = {2, 2}, z[2] = {1, 0};\n"
      "  out[8] = enqueue_kernel(q, " NO_WAIT
      ", ndrange_2D(g, z), b);\n"
      "  out[9] = enqueue_kernel(q, " NO_WAIT
      ", ndrange_1D(0xFFFFFFFFu, 2u, 1u), b);\n"
      "  for (int i = 0; i < 1024; i++) create_user_event();\n"
      "  out[10] = enqueue_kernel(q, " NO_WAIT ", one, 0, 0, &e, b);\n}\n",
      (uint32_t)-102, (uint32_t)-160, (uint32_t)-160, (uint32_t)-57, (uint32_t)-57, (uint32_t)-51, (uint32_t)-5,
      (uint32_t)-57, (uint32_t)-160, (uint32_t)-160, (uint32_t)-100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

// ---- what can be asked

// The answers before, and what the kernel then finds.
Test(device_enqueue, queries_say_what_a_kernel_will_have) {
  device_queue(QUEUE_SIZE);
  cl_kernel kernel = kernel_from(
      "kernel void k(global int *out, int n, int local_size) {\n"
      "  queue_t q = get_default_queue();\n"
      "  void (^const b)(void) = ^{ if (get_global_id(0) == 0) { out[4] = get_enqueued_num_sub_groups();\n"
      "                                                          out[5] = get_max_sub_group_size(); } };\n"
      "  ndrange_t r = local_size ? ndrange_1D(n, local_size) : ndrange_1D(n);\n"
      "  out[0] = get_kernel_sub_group_count_for_ndrange(r, b);\n"
      "  out[1] = get_kernel_max_sub_group_size_for_ndrange(r, b);\n"
      "  out[2] = get_kernel_work_group_size(b);\n"
      "  out[3] = get_kernel_preferred_work_group_size_multiple(b);\n"
      "  enqueue_kernel(q, " NO_WAIT ", r, b);\n}\n",
      "");
  const cl_int cases[][2] = {{100, 0}, {7, 0}, {64, 0}, {1, 0}, {1000, 0}, {257, 0}, {60, 1}, {60, 3}, {60, 13}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (cases[i][1] > (cl_int)harness()->max_work_group_size)
      continue;
    cl_mem out = buffer_with(NULL, 24);
    uint32_t got[6];
    set_args(kernel, ARG(out), ARG(cases[i][0]), ARG(cases[i][1]), END_ARGS);
    run_1d(kernel, 1, 1);
    read_buffer(out, got, sizeof got);
    if (got[0] != got[4] || got[1] != got[5] || got[2] != harness()->max_work_group_size || got[3] != harness()->lanes)
      fail("range %d by %d: %u sub-groups of %u were promised, %u of %u came; work-groups up to %u, multiple %u",
           cases[i][0], cases[i][1], got[0], got[1], got[4], got[5], got[2], got[3]);
  }
}

// ---- what goes wrong

static void expect_failure(const char *source, cl_int status, const char *notice) {
  device_queue(QUEUE_SIZE);
  cl_kernel kernel = kernel_from(source, "");
  cl_mem out = buffer_with(NULL, WORDS * 4);
  const size_t one = 1;
  cl_event event;
  cl_int got;
  set_args(kernel, ARG(out), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  clWaitForEvents(1, &event);
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof got, &got, NULL));
  if (got != status)
    fail("expected status %d, got %d", status, got);
  if (harness()->notice_count != 1 || !strstr(harness()->notices[0], notice))
    fail("expected one notice with \"%s\", got %d: %s", notice, harness()->notice_count, harness()->notices[0]);
  uint32_t after[2];
  read_buffer(out, after, 8);
  if (after[0] != 1 || after[1] != 0)
    fail("what was enqueued before is %u, behind the fault %u", after[0], after[1]);
}

Test(device_enqueue, fault_of_a_block_names_it_and_ends_all) {
  expect_failure(
      "kernel void k(global int *out) {\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), ^{ out[0] = 1; });\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), ^{ *(global int *)16 = 1; });\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT ", ndrange_1D(1), ^{ out[1] = 1; });\n}\n",
      CL_OUT_OF_RESOURCES, "_kernel': access to unmapped memory, program.cl:3");
}

Test(device_enqueue, fault_of_a_kernel_drops_what_it_enqueued) {
  expect_failure(
      "kernel void k(global int *out) {\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), ^{ out[1] = 1; });\n"
      "  out[0] = 1; *(global int *)16 = 1;\n}\n",
      CL_OUT_OF_RESOURCES, "kernel 'k': access to unmapped memory, program.cl:3");
}

Test(device_enqueue, event_that_is_never_set_is_an_error) {
  expect_failure(
      "kernel void k(global int *out) {\n"
      "  clk_event_t never = create_user_event();\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), 1, &never, 0, ^{ out[1] = 1; });\n"
      "  out[0] = 1;\n}\n",
      CL_OUT_OF_RESOURCES, "waits for an event that nobody sets");
}

Test(device_enqueue, kernels_that_enqueue_for_ever_spend_the_budget) {
  setenv("HEDDLE_BUDGET_CYCLES", "60000", 1);
  expect_failure(
      "void again(global int *out) {\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1), ^{ again(out); });\n"
      "}\n"
      "kernel void k(global int *out) { out[0] = 1; again(out); }\n",
      CL_OUT_OF_RESOURCES, "budget spent");
}

// ---- programs

Test(device_enqueue, blocks_are_no_kernels_of_the_program_and_binaries_have_them) {
  device_queue(QUEUE_SIZE);
  cl_program source = build(
      "kernel void k(global int *out) {\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT ", ndrange_1D(1), ^{ out[0] = 9; });\n}\n",
      "-cl-std=CL3.0");
  size_t bytes, count;
  EXPECT_SUCCESS(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
  unsigned char *binary = allocate(bytes);
  EXPECT_SUCCESS(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_int error;
  const unsigned char *given = binary;
  cl_program program =
      clCreateProgramWithBinary(harness()->context, 1, &harness()->device, &bytes, &given, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  char names[64];
  cl_uint num_kernels;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  EXPECT_SUCCESS(clCreateKernelsInProgram(program, 0, NULL, &num_kernels));
  if (count != 1 || num_kernels != 1 || strcmp(names, "k") != 0)
    fail("expected the kernel k, got %zu and %u: %s", count, num_kernels, names);
  cl_kernel kernel = kernel_of(program, "k");
  cl_mem out = buffer_with(NULL, 4);
  const uint32_t expected = 9;
  uint32_t got;
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, &got, 4);
  expect_u32("out", &expected, &got, 1);
  free(binary);
}

// What the host is told of a kernel is of all that it enqueued, too.
Test(device_enqueue, figures_and_times_are_with_the_children) {
  device_queue(QUEUE_SIZE);
  cl_kernel kernel = kernel_from(
      "kernel void k(global int *out) {\n"
      "  enqueue_kernel(get_default_queue(), " NO_WAIT
      ", ndrange_1D(1),\n"
      "    ^{ for (int i = 0; i < 1000; i++) ((volatile global int *)out)[0]++; });\n}\n",
      "");
  cl_mem out = buffer_with(NULL, 4);
  const size_t one = 1;
  cl_event event;
  cl_ulong start, end, complete;
  set_args(kernel, ARG(out), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
  EXPECT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  EXPECT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof complete, &complete, NULL));
  if (end <= start || complete - end < end - start)
    fail("start %llu, end %llu, complete %llu", (unsigned long long)start, (unsigned long long)end,
         (unsigned long long)complete);
}
