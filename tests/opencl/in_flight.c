// SPDX-License-Identifier: Apache-2.0
// Kernels that go to the device while others are under way there: each sees what those before it have left, failures
// reach those that wait and no others, and times are in order.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/rtl/random_word.h"

enum { SLOW_ROUNDS = 2000, MOST_WAITS = 7 };

static const char source[] =
    "kernel void slow(global uint *x, uint rounds) {\n"
    "  uint v = x[0];\n"
    "  for (uint i = 0; i < rounds; i++) v = v * 5 + i;\n"
    "  x[0] = v;\n"
    "}\n"
    "kernel void add(global uint *x, uint n) { x[get_global_id(0)] += n; }\n"
    "kernel void times(global uint *x, uint n) { x[get_global_id(0)] *= n; }\n"
    "kernel void wild(global uint *x, uint n) { *(volatile global uint *)(n * 4) = x[0]; }\n"
    "kernel void gather(global uint *out, global const uint *from, uint first, uint count, uint own) {\n"
    "  uint sum = own;\n"
    "  for (uint i = 0; i < count; i++) sum += out[from[first + i]];\n"
    "  out[own] = sum;\n"
    "}\n";

static cl_event enqueue(cl_command_queue queue, cl_kernel kernel, cl_mem x, cl_uint n, cl_uint num_waits,
                        const cl_event *waits) {
  const size_t one = 1;
  cl_event event;
  set_args(kernel, ARG(x), ARG(n), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, num_waits, waits, &event));
  return event;
}

static cl_int status_of(cl_event event) {
  cl_int status = 99;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

static uint32_t word_of(cl_mem x) {
  uint32_t value = 0;
  read_buffer(x, &value, sizeof value);
  return value;
}

Test(in_flight, only_what_waits_for_a_kernel_that_faults_does_not_run) {
  cl_program program = build(source, NULL);
  cl_kernel slow = kernel_of(program, "slow"), add = kernel_of(program, "add"), wild = kernel_of(program, "wild");
  cl_mem x = buffer_with(NULL, 4), y = buffer_with(NULL, 4), scratch = buffer_with(NULL, 4);
  cl_command_queue queue = harness()->queue;
  cl_event first = enqueue(queue, slow, scratch, SLOW_ROUNDS, 0, NULL);
  cl_event faults = enqueue(queue, wild, scratch, 1, 1, &first);
  cl_event waits = enqueue(queue, add, x, 1, 1, &faults);
  cl_event waits_for_that = enqueue(queue, add, x, 10, 1, &waits);
  cl_event alone = enqueue(queue, add, y, 100, 0, NULL);
  cl_event faults_again = enqueue(queue, wild, scratch, 2, 0, NULL);
  cl_event behind = enqueue(queue, add, y, 1000, 1, &alone);
  clFinish(queue);
  cr_expect_eq(status_of(first), CL_COMPLETE);
  cr_expect_lt(status_of(faults), 0);
  cr_expect_eq(status_of(waits), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cr_expect_eq(status_of(waits_for_that), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cr_expect_eq(status_of(alone), CL_COMPLETE);
  cr_expect_lt(status_of(faults_again), 0);
  cr_expect_eq(status_of(behind), CL_COMPLETE);
  cr_expect_eq(word_of(x), 0, "what waits for a kernel that faulted ran");
  cr_expect_eq(word_of(y), 1100);
  cr_expect_eq(harness()->notice_count, 2, "%d notices", harness()->notice_count);
}

Test(in_flight, kernels_reads_and_writes_of_a_queue_keep_their_order) {
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add"), times = kernel_of(program, "times");
  cl_mem x = buffer_with(NULL, 4);
  cl_command_queue queue = harness()->queue;
  static uint32_t given[40], got[40];
  uint32_t expected[40], value = 0;
  for (uint32_t i = 0; i < 40; i++) {
    enqueue(queue, add, x, i, 0, NULL);
    enqueue(queue, times, x, 3, 0, NULL);
    value = (value + i) * 3;
    if (i % 5 == 4) {
      given[i] = value = i * 1000;
      EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, x, CL_FALSE, 0, 4, &given[i], 0, NULL, NULL));
    }
    enqueue(queue, add, x, 1, 0, NULL);
    expected[i] = value += 1;
    EXPECT_SUCCESS(clEnqueueReadBuffer(queue, x, CL_FALSE, 0, 4, &got[i], 0, NULL, NULL));
  }
  EXPECT_SUCCESS(clFinish(queue));
  expect_u32("x after each round", expected, got, 40);
}

// Each kernel adds up what some of those before it have left, on two queues that do not keep their order.
Test(in_flight, any_graph_of_kernels_on_two_queues_runs_as_its_wait_lists_say) {
  const uint32_t kernels = harness()->is_rtl ? 100 : 400;
  cl_program program = build(source, NULL);
  cl_kernel gather = kernel_of(program, "gather");
  uint32_t *from = allocate((size_t)kernels * MOST_WAITS * sizeof *from),
           *expected = allocate(kernels * sizeof *expected);
  uint32_t *got = allocate(kernels * sizeof *got), used = 0;
  uint32_t *counts = allocate(kernels * sizeof *counts);
  cl_event *events = allocate(kernels * sizeof(cl_event));
  cl_command_queue queues[2];
  random_seed(7);
  for (uint32_t i = 0; i < kernels; i++) {
    counts[i] = i < MOST_WAITS ? i : random_below(MOST_WAITS + 1);
    expected[i] = i;
    for (uint32_t k = 0; k < counts[i]; k++) {
      const uint32_t near = i < 12 ? i : 12;
      from[i * MOST_WAITS + k] = i < MOST_WAITS ? k : i - 1 - random_below(near);
      expected[i] += expected[from[i * MOST_WAITS + k]];
    }
  }
  for (int q = 0; q < 2; q++)
    queues[q] = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem list = buffer_with(from, (size_t)kernels * MOST_WAITS * sizeof *from), out = buffer_with(NULL, kernels * 4);
  for (uint32_t i = 0; i < kernels; i++, used += MOST_WAITS) {
    const size_t one = 1;
    cl_event waits[MOST_WAITS];
    for (uint32_t k = 0; k < counts[i]; k++)
      waits[k] = events[from[used + k]];
    set_args(gather, ARG(out), ARG(list), ARG(used), ARG(counts[i]), ARG(i), END_ARGS);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queues[random_below(2)], gather, 1, NULL, &one, &one, counts[i],
                                          counts[i] ? waits : NULL, &events[i]));
  }
  for (int q = 0; q < 2; q++)
    EXPECT_SUCCESS(clFinish(queues[q]));
  for (uint32_t i = 0; i < kernels; i++)
    cr_assert_eq(status_of(events[i]), CL_COMPLETE, "kernel %u ended with %d", i, status_of(events[i]));
  read_buffer(out, got, kernels * 4);
  expect_u32("what each kernel left", expected, got, kernels);
}

Test(in_flight, times_of_kernels_of_a_queue_are_one_after_the_other) {
  enum { KERNELS = 20 };
  cl_program program = build(source, NULL);
  cl_kernel slow = kernel_of(program, "slow");
  cl_mem x = buffer_with(NULL, 4);
  cl_event events[KERNELS];
  cl_ulong before = 0;
  for (uint32_t i = 0; i < KERNELS; i++)
    events[i] = enqueue(harness()->queue, slow, x, 10 * (i + 1), 0, NULL);
  EXPECT_SUCCESS(clFinish(harness()->queue));
  for (uint32_t i = 0; i < KERNELS; i++) {
    static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END};
    cl_ulong times[4];
    for (int k = 0; k < 4; k++) {
      EXPECT_SUCCESS(clGetEventProfilingInfo(events[i], names[k], sizeof times[k], &times[k], NULL));
      cr_expect(k == 0 || times[k] >= times[k - 1], "kernel %u: time %d is before the one above it", i, k);
    }
    cr_expect_geq(times[2], before, "kernel %u starts before the one before it ends", i);
    cr_expect_gt(times[3], times[2], "kernel %u takes no time", i);
    before = times[3];
  }
}

Test(in_flight, a_context_can_be_given_up_while_kernels_are_on_the_device) {
  cl_program program = build(source, NULL);
  cl_kernel slow = kernel_of(program, "slow");
  cl_mem x = buffer_with(NULL, 4);
  for (int i = 0; i < 12; i++)
    EXPECT_SUCCESS(clReleaseEvent(enqueue(harness()->queue, slow, x, SLOW_ROUNDS, 0, NULL)));
  EXPECT_SUCCESS(clFlush(harness()->queue));
  EXPECT_SUCCESS(clReleaseMemObject(x));
  EXPECT_SUCCESS(clReleaseKernel(slow));
  EXPECT_SUCCESS(clReleaseProgram(program));
  EXPECT_SUCCESS(clReleaseCommandQueue(harness()->queue));
  EXPECT_SUCCESS(clReleaseContext(harness()->context));
}
