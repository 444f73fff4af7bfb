// SPDX-License-Identifier: Apache-2.0
// See board_checks.h.
#include "tests/transport/board_checks.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/opencl/harness.h"

const char scan_source[] =
    "kernel void scan(global const uint *p, global uint *sums) {"
    "  size_t i = get_global_id(0);"
    "  sums[i] = work_group_scan_inclusive_add(p[i]);"
    "}";

void expect_scan(size_t count) {
  cl_program program = build(scan_source, "-cl-std=CL3.0");
  uint32_t *in = allocate(4 * count), *sums = allocate(4 * count), *expected = allocate(4 * count), seed = 1;
  for (size_t i = 0; i < count; i++) {
    in[i] = random_u32(&seed);
    expected[i] = in[i] + (i % 8 != 0 ? expected[i - 1] : 0);
  }
  cl_mem from = buffer_with(in, 4 * count), to = buffer_with(NULL, 4 * count);
  cl_kernel kernel = kernel_of(program, "scan");
  set_args(kernel, ARG(from), ARG(to), END_ARGS);
  run_1d(kernel, count, 8);
  read_buffer(to, sums, 4 * count);
  expect_u32("sums", expected, sums, count);
}

void expect_words_back(size_t count) {
  uint32_t *out = allocate(4 * count), *back = allocate(4 * count), seed = 7;
  for (size_t i = 0; i < count; i++)
    out[i] = random_u32(&seed);
  cl_mem buffer = buffer_with(out, 4 * count);
  // Its contents move when the device wants them.
  EXPECT_SUCCESS(clEnqueueMigrateMemObjects(harness()->queue, 1, &buffer, 0, 0, NULL, NULL));
  read_buffer(buffer, back, 4 * count);
  expect_u32("what came back", out, back, count);
}

void expect_fault(void) {
  cl_program program = build("kernel void bad(global int *p) { p[0x10000000] = 1; }", "-cl-std=CL3.0");
  cl_mem buffer = buffer_with(NULL, 4);
  cl_kernel kernel = kernel_of(program, "bad");
  const size_t one = 1;
  cl_event event;
  set_args(kernel, ARG(buffer), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  cr_assert(harness()->notice_count == 1 && strstr(harness()->notices[0], "unmapped"), "the context was told \"%s\"",
            harness()->notices[0]);
}
