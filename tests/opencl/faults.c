// SPDX-License-Identifier: Apache-2.0
// Wrong kernels are reported, not hung on: the event ends with an error, the context callback gets kernel, reason and
// work-item, and the next kernel on the same queue works.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

static const char good_source[] =
    "kernel void good(global uint *out) { out[get_global_id(0)] = get_global_id(0) + 1; }\n";

static void expect_good_kernel_works(cl_kernel good) {
  enum { N = 16 };
  uint32_t expected[N], got[N];
  for (uint32_t i = 0; i < N; i++)
    expected[i] = i + 1;
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(good, ARG(out), END_ARGS);
  run_1d(good, N, 4);
  read_buffer(out, got, sizeof got);
  expect_u32("of the next kernel: out", expected, got, N);
}

// The place in the NDRange that a notice names is one that there is: its numbers say the same, and only a reason that
// is about memory comes with an address.
static void expect_place(cl_kernel kernel, const char *notice, size_t global, size_t local) {
  unsigned x, y, z, group, group_y, group_z, sub_group, lane;
  const char *place = strstr(notice, ", work-item (");
  if (!place || sscanf(place, ", work-item (%u, %u, %u), work-group (%u, %u, %u), sub-group %u, lane %u", &x, &y, &z,
                       &group, &group_y, &group_z, &sub_group, &lane) != 8)
    fail("the context callback: expected work-item, work-group, sub-group and lane in it, got \"%s\"", notice);
  size_t size = 0;
  EXPECT_SUCCESS(clGetKernelSubGroupInfo(kernel, harness()->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                         sizeof local, &local, sizeof size, &size, NULL));
  if (y + z + group_y + group_z != 0 || x >= global || lane >= size || sub_group * size + lane >= local ||
      x != group * local + sub_group * size + lane)
    fail("a range of %zu in work-groups of %zu, sub-groups of %zu: expected a place in it, got \"%s\"", global, local,
         size, notice);
  if (strstr(notice, "divergent") && strstr(notice, "address"))
    fail("a divergent collective: expected no address, got \"%s\"", notice);
}

// A pipeline whose budget is spent names the work-group that was still running, by its first work-item.
static bool names_work_group(const char *notice, const char *work_item, size_t local) {
  char group[40];
  snprintf(group, sizeof group, "work-group (%zu,", (size_t)strtoul(work_item, NULL, 10) / local);
  return strstr(notice, "budget") && strstr(notice, "of its pipeline") && strstr(notice, group);
}

// Runs `wrong(global uint *out)` of source over a range of one dimension and expects a fault whose notice names the
// kernel and holds `reason`, and, when not NULL, `work_item`.
static void expect_fault(const char *source, size_t global, size_t local, const char *reason, const char *work_item) {
  struct harness *h = harness();
  char text[3000];
  snprintf(text, sizeof text, "%s%s", good_source, source);
  cl_program program = build(text, "-cl-std=CL3.0");
  cl_kernel wrong = kernel_of(program, "wrong"), good = kernel_of(program, "good");
  cl_mem out = buffer_with(NULL, 4096);
  set_args(wrong, ARG(out), END_ARGS);
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, wrong, 1, NULL, &global, &local, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  cl_int status = 99;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  if (status >= 0)
    fail("execution status of a kernel that faults: expected a negative value, got %d", status);
  if (h->notice_count != 1)
    fail("the context callback: expected one call, got %d", h->notice_count);
  if (!strstr(h->notices[0], "wrong") || !strstr(h->notices[0], reason) ||
      (work_item && !strstr(h->notices[0], work_item) && !names_work_group(h->notices[0], work_item, local)))
    fail(
        "the context callback: expected the kernel \"wrong\", the reason \"%s\" and the work-item \"%s\" in it, got "
        "\"%s\"",
        reason, work_item ? work_item : "(any)", h->notices[0]);
  expect_place(wrong, h->notices[0], global, local);
  char again[NOTICE_BYTES] = "";
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, sizeof again, again, NULL));
  if (strcmp(again, h->notices[0]) != 0)
    fail("CL_EVENT_FAULT_TEXT_HEDDLE: expected \"%s\", got \"%s\"", h->notices[0], again);
  expect_good_kernel_works(good);
  if (h->notice_count != 1)
    fail("after the next kernel: expected no further notice, got \"%s\"", h->notices[1]);
}

Test(faults, unmapped_address) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  if (get_global_id(0) == 5) *(global uint *)0x70000000 = 1;\n"
      "  out[get_global_id(0)] = 1;\n}\n",
      8, 4, "unmapped", "5");
}

Test(faults, names_the_line_of_source) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  out[get_global_id(0)] = 1;\n"
      "#line 70 \"kernels/wild.cl\"\n"
      "  *(volatile global uint *)0x70000000 = 1;\n}\n",
      8, 4, "kernels/wild.cl:70,", NULL);
}

Test(faults, null_pointer_read) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  volatile global uint *none = (global uint *)(get_global_id(0) == 3 ? 16 : (size_t)out);\n"
      "  out[get_global_id(0)] = *none;\n}\n",
      8, 4, "unmapped", "3");
}

Test(faults, misaligned_address) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  volatile global uint *odd = (global uint *)((size_t)out + get_global_id(0));\n"
      "  *odd = 1;\n}\n",
      4, 4, "misaligned", "1");
}

Test(faults, outside_local_memory) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  local uint t[16];\n"
      "  volatile local uint *p = t;\n"
      "  p[get_local_id(0) * 4096] = 1;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[get_global_id(0)] = p[0];\n}\n",
      2, 2, "local memory", "1");
}

// Far beyond an array of its own a work-item leaves its private window at the top.
Test(faults, outside_private_memory) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  volatile uint own[16];\n"
      "  own[get_global_id(0) * 1000000] = 1;\n"
      "  out[get_global_id(0)] = own[get_global_id(0)];\n}\n",
      4, 4, "private memory", "1");
}

// A stack that grows until its window is full. Recursion is no OpenCL C, so assembly does it: it never stops to push.
Test(faults, stack_overflow) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  if (get_global_id(0) == 3)\n"
      "    __asm__ volatile(\"1: addi sp, sp, -16; sw ra, 0(sp); j 1b\" ::: \"memory\");\n"
      "  out[get_global_id(0)] = 1;\n}\n",
      4, 4, "stack overflow", "3");
}

// Below an array of its own a work-item leaves its private window where a stack would.
Test(faults, below_private_memory) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  volatile uint own[16];\n"
      "  own[(int)get_global_id(0) * -1000000] = 1;\n"
      "  out[get_global_id(0)] = own[get_global_id(0)];\n}\n",
      4, 4, "private memory", "1");
}

// A stack that no work-item can have is refused before the kernel runs: by the build, in words, or by the enqueue.
Test(faults, too_large_a_stack_is_refused) {
  struct harness *h = harness();
  const char *source =
      "kernel void k(global uint *out, uint n) {\n"
      "  volatile uint own[1 << 20];\n"
      "  own[n] = n;\n"
      "  out[0] = own[n];\n}\n";
  cl_int error;
  cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  error = clBuildProgram(program, 1, &h->device, NULL, NULL, NULL);
  if (error == CL_BUILD_PROGRAM_FAILURE) {
    char log[1000] = "";
    EXPECT_SUCCESS(clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    if (!strstr(log, "private memory"))
      fail("build log: expected \"private memory\" in it, got \"%s\"", log);
    return;
  }
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(program, "k");
  cl_mem out = buffer_with(NULL, 4);
  const cl_uint n = 5;
  set_args(kernel, ARG(out), ARG(n), END_ARGS);
  const size_t one = 1;
  EXPECT_CODE(CL_OUT_OF_RESOURCES, clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
}

Test(faults, divergent_sub_group_collective) {
  if (harness()->lanes < 2)
    cr_skip_test("a sub-group of one work-item cannot diverge");
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  uint i = get_global_id(0);\n"
      "  if (get_sub_group_local_id() == 0) out[i] = sub_group_reduce_add(i);\n"
      "  else out[i] = sub_group_scan_inclusive_max(i + 1);\n}\n",
      4, 4, "divergent", NULL);
}

Test(faults, divergent_work_group_barrier) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  if (get_local_id(0) == 0) { barrier(CLK_GLOBAL_MEM_FENCE); out[0] = 1; }\n"
      "  else { out[1] = work_group_reduce_add(2); }\n}\n",
      4, 4, "divergent", NULL);
}

// The first sub-group of a work-group misses a collective that the others come to, and comes to the next one.
Test(faults, divergent_work_group_collective_names_one_that_came) {
  const size_t lanes = harness()->lanes, local = 2 * lanes, global = 3 * local;
  if (harness()->max_work_group_size < local)
    cr_skip_test("a work-group has one sub-group");
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  uint i = get_global_id(0);\n"
      "  if (get_sub_group_id() != 0) out[i] = work_group_reduce_add(i);\n"
      "  out[i] += work_group_scan_inclusive_max(i + 1);\n}\n",
      global, local, "divergent", NULL);
}

// 2^27 cycles are less than two seconds on a board: a kernel that takes them and ends is right. Simulated RTL takes
// minutes.
Test(faults, long_kernels_end_by_default) {
  struct harness *h = harness();
  cl_ulong budget = 0, cycles = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_BUDGET_CYCLES_HEDDLE, sizeof budget, &budget, NULL));
  if (h->is_rtl ? budget == 0 : budget < (cl_ulong)1 << 32)
    fail("CL_DEVICE_BUDGET_CYCLES_HEDDLE: expected minutes, got %llu cycles", (unsigned long long)budget);
  if (h->is_rtl)
    return;
  cl_kernel kernel = kernel_of(build("kernel void k(global volatile uint *out, uint n) {\n"
                                     "  for (uint i = 0; i < n; i++) out[0] = i;\n}\n",
                                     NULL),
                               "k");
  const uint32_t rounds = 1 << 26;
  cl_mem out = buffer_with(NULL, 4);
  set_args(kernel, ARG(out), ARG(rounds), END_ARGS);
  const size_t one = 1;
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
  if (cycles < (cl_ulong)1 << 27)
    fail("a kernel of %u rounds: expected more than 2^27 cycles, got %llu", rounds, (unsigned long long)cycles);
}

static void set_small_budget(void) {
  setenv("HEDDLE_BUDGET_CYCLES", "100000", 1);
}
Test(faults, endless_loop, .init = set_small_budget) {
  expect_fault(
      "kernel void wrong(global uint *out) {\n"
      "  volatile global uint *flag = out + 100;\n"
      "  while (get_global_id(0) == 6 && *flag == 0) {}\n"
      "  out[get_global_id(0)] = 1;\n}\n",
      8, 4, "budget", "6");
}

// Two wrong kernels and two good ones in turn: a report does not leak into the next.
Test(faults, one_after_the_other) {
  struct harness *h = harness();
  char text[2000];
  snprintf(text, sizeof text,
           "%s"
           "kernel void wrong(global uint *out, uint address) { *(volatile global uint *)(size_t)address = 1; }\n",
           good_source);
  cl_program program = build(text, "-cl-std=CL3.0");
  cl_kernel wrong = kernel_of(program, "wrong"), good = kernel_of(program, "good");
  cl_mem out = buffer_with(NULL, 4096);
  static const cl_uint addresses[2] = {0x7FFFFFF0, 0x7FFFFFF1};
  static const char *const reasons[2] = {"unmapped", "misaligned"};
  for (int round = 0; round < 2; round++) {
    set_args(wrong, ARG(out), ARG(addresses[round]), END_ARGS);
    const size_t one = 1;
    cl_event event;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, wrong, 1, NULL, &one, &one, 0, NULL, &event));
    EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    if (h->notice_count != round + 1 || !strstr(h->notices[round], reasons[round]))
      fail("notice %d: expected one with \"%s\", got %d notices, the last \"%s\"", round, reasons[round],
           h->notice_count, h->notice_count ? h->notices[h->notice_count - 1] : "");
    expect_good_kernel_works(good);
  }
}

// A command that waits for a kernel that faulted does not run, and says so.
Test(faults, command_that_waits_for_a_fault_fails_too) {
  struct harness *h = harness();
  cl_program program =
      build("kernel void wrong(global uint *out) { *(volatile global uint *)0x70000000 = 1; }\n", "-cl-std=CL3.0");
  cl_kernel wrong = kernel_of(program, "wrong");
  const uint32_t before = 7;
  cl_mem out = buffer_with(&before, 4);
  set_args(wrong, ARG(out), END_ARGS);
  const size_t one = 1;
  cl_event fault, fill;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, wrong, 1, NULL, &one, &one, 0, NULL, &fault));
  const uint32_t pattern = 9;
  EXPECT_SUCCESS(clEnqueueFillBuffer(h->queue, out, &pattern, 4, 0, 4, 1, &fault, &fill));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &fill));
  uint32_t after = 0;
  read_buffer(out, &after, 4);
  if (after != 7)
    fail("the buffer that the waiting command would have filled: expected 7, got %u", after);
}

Test(faults, too_much_local_memory_is_refused) {
  struct harness *h = harness();
  cl_kernel kernel = kernel_of(
      build("kernel void k(global uint *out, local uint *l) { l[0] = 1; out[0] = l[0]; }\n", "-cl-std=CL3.0"), "k");
  cl_ulong local_bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes, NULL));
  cl_mem out = buffer_with(NULL, 4);
  const size_t one = 1;
  cl_int error = clSetKernelArg(kernel, 1, local_bytes + 4, NULL);
  if (error == CL_SUCCESS) {
    EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof out, &out));
    error = clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
  }
  if (error != CL_OUT_OF_RESOURCES && error != CL_INVALID_ARG_SIZE && error != CL_MAX_SIZE_RESTRICTION_EXCEEDED)
    fail("%llu bytes of local memory more than there are: expected CL_OUT_OF_RESOURCES, got %s",
         (unsigned long long)local_bytes + 4, error_name(error));
  char both[64];
  snprintf(both, sizeof both, "%llu bytes; a work-group has %llu bytes", (unsigned long long)local_bytes + 4,
           (unsigned long long)local_bytes);
  if (error == CL_OUT_OF_RESOURCES && !strstr(h->notices[h->notice_count - 1], both))
    fail("expected a notice with \"%s\", got: %s", both, h->notices[h->notice_count - 1]);
  set_args(kernel, ARG(out), LOCAL_ARG(local_bytes), END_ARGS);
  run_1d(kernel, 1, 1);
}

// An instruction that the device does not have.
Test(faults, illegal_instruction) {
  expect_fault(
      "kernel void wrong(global uint *out) { out[0] = 1; if (get_global_id(0) == 2) __asm__ volatile(\".word 0\"); }\n",
      4, 4, "illegal instruction", "2");
}

// Its constants are behind its code; `where` tells their address.
static const char overwritten_source[] =
    "constant uint behind[4] = {1, 2, 3, 4};\n"
    "kernel void where(global uint *out) { out[0] = (uint)&behind[out[0] & 3]; }\n";
static const char overwriting_source[] =
    "kernel void wrong(global uint *out, uint end) {\n"
    "  for (uint at = end - 1024; at != end; at += 4)\n"
    "    *(global volatile uint *)at = 0xFFFFFFFF;\n"
    "  *(global volatile uint *)0 = 1;\n"
    "}\n";

Test(faults, code_that_a_kernel_overwrote_is_there_again_for_the_next_launches) {
  enum { N = 16, LAUNCHES = 4 };
  struct harness *h = harness();
  const size_t global = N, one = 1;
  char text[1024];
  snprintf(text, sizeof text, "%s%s", good_source, overwritten_source);
  cl_program program = build(text, "-cl-std=CL3.0");
  cl_kernel good = kernel_of(program, "good"), where = kernel_of(program, "where");
  uint32_t end = 0;
  cl_mem room = buffer_with(&end, sizeof end);
  set_args(where, ARG(room), END_ARGS);
  run_1d(where, 1, 1);
  read_buffer(room, &end, sizeof end);
  expect_good_kernel_works(good);
  cl_kernel wrong = kernel_of(build(overwriting_source, "-cl-std=CL3.0"), "wrong");
  set_args(wrong, ARG(room), ARG(end), END_ARGS);
  for (int round = 0; round < 3; round++) {
    cl_event events[LAUNCHES];
    cl_mem outs[LAUNCHES];
    uint32_t expected[N], got[N];
    // The others are on the device while the wrong one runs.
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, wrong, 1, NULL, &one, NULL, 0, NULL, NULL));
    for (int i = 0; i < LAUNCHES; i++) {
      outs[i] = buffer_with(NULL, sizeof got);
      set_args(good, ARG(outs[i]), END_ARGS);
      EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, good, 1, NULL, &global, NULL, 0, NULL, &events[i]));
    }
    clFinish(h->queue);
    for (uint32_t i = 0; i < N; i++)
      expected[i] = i + 1;
    for (int i = 0; i < LAUNCHES; i++) {
      cl_int status = 99;
      EXPECT_SUCCESS(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
      if (status != CL_COMPLETE)
        fail("launch %d behind the kernel that overwrote it: expected CL_COMPLETE, got %d", i, status);
      read_buffer(outs[i], got, sizeof got);
      expect_u32("of a launch behind it: out", expected, got, N);
      clReleaseEvent(events[i]);
      clReleaseMemObject(outs[i]);
    }
    expect_good_kernel_works(good);
  }
}

Test(faults, program_scope_variables_keep_their_values_behind_one) {
  struct harness *h = harness();
  const size_t one = 1;
  uint32_t got = 0;
  cl_kernel count = kernel_of(build("global uint counted;\n"
                                    "kernel void count(global uint *out) { out[0] = ++counted; }\n",
                                    "-cl-std=CL3.0"),
                              "count");
  cl_kernel wrong = kernel_of(
      build("kernel void wrong(global uint *out) { *(global volatile uint *)0 = out[0]; }\n", "-cl-std=CL3.0"),
      "wrong");
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(count, ARG(out), END_ARGS);
  set_args(wrong, ARG(out), END_ARGS);
  for (uint32_t round = 1; round <= 3; round++) {
    run_1d(count, 1, 1);
    read_buffer(out, &got, sizeof got);
    expect_u32("of the count: out", &round, &got, 1);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, wrong, 1, NULL, &one, NULL, 0, NULL, NULL));
    clFinish(h->queue);
  }
}

// Events of a wait list that failed are no reason to run, whatever ran before.
Test(faults, a_command_that_waits_for_one_does_not_run) {
  struct harness *h = harness();
  const size_t one = 1;
  cl_program program = build(
      "kernel void wrong(global uint *out) { *(global volatile uint *)0 = out[0]; }\n"
      "kernel void mark(global uint *out) { out[0] = 7; }\n",
      "-cl-std=CL3.0");
  cl_kernel wrong = kernel_of(program, "wrong"), mark = kernel_of(program, "mark");
  uint32_t zero = 0, got = 99;
  cl_mem out = buffer_with(&zero, sizeof zero), other = buffer_with(NULL, sizeof zero);
  cl_event failed, waited, free_one;
  cl_int status = 99;
  set_args(wrong, ARG(out), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, wrong, 1, NULL, &one, NULL, 0, NULL, &failed));
  set_args(mark, ARG(out), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, mark, 1, NULL, &one, NULL, 1, &failed, &waited));
  set_args(mark, ARG(other), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, mark, 1, NULL, &one, NULL, 0, NULL, &free_one));
  clFinish(h->queue);
  EXPECT_SUCCESS(clGetEventInfo(waited, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_expect_eq(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  read_buffer(out, &got, sizeof got);
  expect_u32("of the command that waits: out", &zero, &got, 1);
  EXPECT_SUCCESS(clGetEventInfo(free_one, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_expect_eq(status, CL_COMPLETE, "one behind it that does not wait: %d", status);
}
