// SPDX-License-Identifier: Apache-2.0
// Events: wait lists, user events, markers and barriers, callbacks, profiling times, and two queues that wait for each
// other.
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

static const char source[] =
    "kernel void add(global uint *x, uint n) { x[get_global_id(0)] += n; }\n"
    "kernel void times(global uint *x, uint n) { x[get_global_id(0)] *= n; }\n";

static cl_int status_of(cl_event event) {
  cl_int status = 99;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

// The worker's own step on x, after `waits`.
static cl_event enqueue(cl_command_queue queue, cl_kernel kernel, cl_mem x, cl_uint n, cl_uint wait_count,
                        const cl_event *waits) {
  set_args(kernel, ARG(x), ARG(n), END_ARGS);
  const size_t items = 8, local = 4;
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, wait_count, waits, &event));
  return event;
}

static void expect_all(cl_mem x, uint32_t value) {
  uint32_t expected[8], got[8];
  for (int i = 0; i < 8; i++)
    expected[i] = value;
  read_buffer(x, got, sizeof got);
  expect_u32("x", expected, got, 8);
}

Test(events, in_order_queue_keeps_its_order_and_the_argument_values_of_each_enqueue) {
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add"), times = kernel_of(program, "times");
  cl_mem x = buffer_with(NULL, 32);
  for (cl_uint i = 1; i <= 5; i++) {
    enqueue(harness()->queue, add, x, i, 0, NULL);
    enqueue(harness()->queue, times, x, 10, 0, NULL);
  }
  EXPECT_SUCCESS(clFinish(harness()->queue));
  expect_all(x, 123450);
}

Test(events, wait_list_orders_two_queues) {
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add"), times = kernel_of(program, "times");
  cl_command_queue a = harness()->queue, b = new_queue(0);
  cl_mem x = buffer_with(NULL, 32);
  cl_event last = enqueue(a, add, x, 1, 0, NULL);
  for (cl_uint i = 2; i <= 6; i++) {
    last = enqueue(i % 2 ? a : b, times, x, 10, 1, &last);
    last = enqueue(i % 2 ? b : a, add, x, i, 1, &last);
  }
  EXPECT_SUCCESS(clFlush(a));
  EXPECT_SUCCESS(clFlush(b));
  EXPECT_SUCCESS(clWaitForEvents(1, &last));
  expect_all(x, 123456);
}

Test(events, out_of_order_queue_obeys_wait_lists) {
  cl_queue_properties supported = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_QUEUE_PROPERTIES, sizeof supported, &supported, NULL));
  if (!(supported & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    cr_skip_test("the device has no out-of-order queues");
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add"), times = kernel_of(program, "times");
  cl_command_queue queue = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem x = buffer_with(NULL, 32);
  cl_event last = enqueue(queue, add, x, 4, 0, NULL);
  last = enqueue(queue, times, x, 10, 1, &last);
  last = enqueue(queue, add, x, 2, 1, &last);
  EXPECT_SUCCESS(clWaitForEvents(1, &last));
  expect_all(x, 42);
}

Test(events, user_event_holds_a_command_back) {
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add");
  cl_mem x = buffer_with(NULL, 32);
  cl_int error;
  cl_event gate = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  cl_event event = enqueue(harness()->queue, add, x, 9, 1, &gate);
  EXPECT_SUCCESS(clFlush(harness()->queue));
  nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
  if (status_of(event) == CL_COMPLETE)
    fail("a kernel that waits for a user event: expected it not complete yet");
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  expect_all(x, 9);
  EXPECT_CODE(CL_INVALID_OPERATION, clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_CODE(CL_INVALID_EVENT, clSetUserEventStatus(event, CL_COMPLETE));
}

Test(events, failed_user_event_fails_what_waits_for_it) {
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add");
  cl_mem x = buffer_with(NULL, 32);
  cl_int error;
  cl_event gate = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  cl_event event = enqueue(harness()->queue, add, x, 9, 1, &gate);
  EXPECT_SUCCESS(clFlush(harness()->queue));
  EXPECT_SUCCESS(clSetUserEventStatus(gate, -77));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  if (status_of(event) >= 0)
    fail("the status of the command that waited: expected a negative value, got %d", status_of(event));
  expect_all(x, 0);
}

Test(events, marker_and_barrier_wait_for_all_before) {
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add");
  cl_mem x = buffer_with(NULL, 32);
  cl_event first = enqueue(harness()->queue, add, x, 1, 0, NULL), marker, barrier;
  EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(harness()->queue, 0, NULL, &marker));
  EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(harness()->queue, 1, &first, &barrier));
  EXPECT_SUCCESS(clWaitForEvents(1, &marker));
  if (status_of(first) != CL_COMPLETE)
    fail("a kernel before a completed marker: expected CL_COMPLETE, got %d", status_of(first));
  EXPECT_SUCCESS(clWaitForEvents(1, &barrier));
  expect_all(x, 1);
}

static atomic_int called_with = 99;
static void CL_CALLBACK note_status(cl_event event, cl_int status, void *user) {
  (void)event;
  atomic_store((atomic_int *)user, status);
}
Test(events, callback_is_called_on_completion) {
  cl_program program = build(source, NULL);
  cl_mem x = buffer_with(NULL, 32);
  cl_event event = enqueue(harness()->queue, kernel_of(program, "add"), x, 1, 0, NULL);
  EXPECT_SUCCESS(clSetEventCallback(event, CL_COMPLETE, note_status, &called_with));
  EXPECT_SUCCESS(clFinish(harness()->queue));
  for (int i = 0; i < 200 && atomic_load(&called_with) == 99; i++)
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  if (atomic_load(&called_with) != CL_COMPLETE)
    fail("the event's callback: expected a call with CL_COMPLETE (0), got %d", atomic_load(&called_with));
  EXPECT_CODE(CL_INVALID_VALUE, clSetEventCallback(event, 7, note_status, &called_with));
}

static cl_ulong time_of(cl_event event, cl_profiling_info name) {
  cl_ulong time = 0;
  EXPECT_SUCCESS(clGetEventProfilingInfo(event, name, sizeof time, &time, NULL));
  return time;
}

Test(events, profiling_times_follow_one_another_and_measure_cycles) {
  struct harness *h = harness();
  cl_program program = build(
      "kernel void spin(global uint *x, uint n) { volatile global uint *p = x + get_global_id(0);\n"
      "  for (uint i = 0; i < n; i++) *p += i; }\n",
      NULL);
  cl_kernel spin = kernel_of(program, "spin");
  cl_mem x = buffer_with(NULL, 32);
  cl_ulong lengths[2];
  cl_uint khz = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_CLOCK_KHZ_HEDDLE, sizeof khz, &khz, NULL));
  for (int i = 0; i < 2; i++) {
    cl_event event = enqueue(h->queue, spin, x, i ? 200 : 10, 0, NULL);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    const cl_ulong queued = time_of(event, CL_PROFILING_COMMAND_QUEUED),
                   submit = time_of(event, CL_PROFILING_COMMAND_SUBMIT);
    const cl_ulong start = time_of(event, CL_PROFILING_COMMAND_START), end = time_of(event, CL_PROFILING_COMMAND_END);
    if (!(queued <= submit && submit <= start && start < end))
      fail("profiling: expected queued <= submit <= start < end, got %llu, %llu, %llu, %llu",
           (unsigned long long)queued, (unsigned long long)submit, (unsigned long long)start, (unsigned long long)end);
    lengths[i] = end - start;
    cl_ulong cycles = 0;
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
    const double expected = (double)cycles * 1e6 / khz;
    if ((double)lengths[i] < expected - 2 || (double)lengths[i] > expected + 2)
      fail("end - start of %llu cycles at %u kHz: expected %.0f ns, got %llu", (unsigned long long)cycles, khz,
           expected, (unsigned long long)lengths[i]);
  }
  if (lengths[1] < 4 * lengths[0])
    fail("20 times the work: expected at least 4 times the time, got %llu after %llu ns",
         (unsigned long long)lengths[1], (unsigned long long)lengths[0]);
  cl_event unprofiled = enqueue(new_queue(0), spin, x, 1, 0, NULL);
  EXPECT_SUCCESS(clWaitForEvents(1, &unprofiled));
  cl_ulong time;
  EXPECT_CODE(CL_PROFILING_INFO_NOT_AVAILABLE,
              clGetEventProfilingInfo(unprofiled, CL_PROFILING_COMMAND_START, sizeof time, &time, NULL));
}

Test(events, figures_of_a_kernel_fit_each_other) {
  struct harness *h = harness();
  cl_program program = build(source, NULL);
  cl_mem x = buffer_with(NULL, 32);
  cl_event event = enqueue(h->queue, kernel_of(program, "add"), x, 1, 0, NULL);
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  cl_ulong cycles, issues, lanes, done, total;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_ISSUES_HEDDLE, sizeof issues, &issues, NULL));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_ACTIVE_LANES_HEDDLE, sizeof lanes, &lanes, NULL));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_GROUPS_DONE_HEDDLE, sizeof done, &done, NULL));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_GROUPS_TOTAL_HEDDLE, sizeof total, &total, NULL));
  if (done != 2 || total != 2)
    fail("work-groups of 8 work-items in groups of 4: expected 2 of 2, got %llu of %llu", (unsigned long long)done,
         (unsigned long long)total);
  if (issues == 0 || issues > cycles)
    fail("issues: expected 1 to %llu (cycles), got %llu", (unsigned long long)cycles, (unsigned long long)issues);
  if (lanes < issues || lanes > issues * h->lanes)
    fail("active lanes: expected %llu to %llu, got %llu", (unsigned long long)issues,
         (unsigned long long)issues * h->lanes, (unsigned long long)lanes);
}
