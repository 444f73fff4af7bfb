// SPDX-License-Identifier: Apache-2.0
// Channels of Intel's SDK for FPGAs, and programs that wait in unusual ways: threads, rounds whose events are set in
// another order, callbacks, command buffers, several devices. Which kernels meet goes by what was enqueued, never by
// who waits, and no wait is for ever.
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/opencl/harness.h"

enum { COUNT = 20 };  // packets
static const cl_int count = COUNT, none = 0;

#define TASK "__attribute__((max_global_work_dim(0))) kernel void "
#define NAMED(c)                                                                                                 \
  TASK "w" #c "(int n, int k) { for (int i = 0; i < n; i++) write_channel_intel(" #c ", k + i); }\n" TASK "r" #c \
       "(global int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(" #c "); }\n"

// Writers and readers of two channels; `late` begins to write after a while.
static const char two[] =
    "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
    "channel int a __attribute__((depth(1))), b;\n" NAMED(a) NAMED(b) TASK
    "late(int n, int k, int rounds) {\n"
    "  int x = 1;\n"
    "  for (int i = 0; i < rounds; i++) x = x * 5 + i;\n"
    "  for (int i = 0; i < n; i++) write_channel_intel(b, k + i + (x == 0));\n"
    "}\n" TASK
    "slow(global int *y, int rounds) {\n"
    "  int x = 1;\n"
    "  for (int i = 0; i < rounds; i++) x = x * 5 + i;\n"
    "  y[0] = x;\n"
    "}\n";

TestSuite(channel_waits, .timeout = 120);

static cl_kernel writer(cl_program program, const char *name, cl_int k) {
  cl_kernel kernel = kernel_of(program, name);
  set_args(kernel, ARG(count), ARG(k), END_ARGS);
  return kernel;
}

static cl_kernel reader(cl_program program, const char *name, cl_mem out) {
  cl_kernel kernel = kernel_of(program, name);
  set_args(kernel, ARG(out), ARG(count), END_ARGS);
  return kernel;
}

static cl_event start(cl_command_queue queue, cl_kernel kernel, cl_uint num_waits, const cl_event *waits) {
  const size_t one = 1;
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, num_waits, waits, &event));
  return event;
}

static cl_int status_of(cl_event event) {
  cl_int status;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

static cl_mem output(void) {
  return buffer_with(NULL, COUNT * sizeof(cl_int));
}

static void expect_from(cl_mem out, cl_int k, const char *what) {
  cl_int found[COUNT];
  read_buffer(out, found, sizeof found);
  for (int i = 0; i < COUNT; i++)
    cr_assert_eq(found[i], k + i, "%s: packet %d is %d, not %d", what, i, found[i], k + i);
}

static cl_event gate(void) {
  cl_int error;
  cl_event event = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  return event;
}

static bool is_told(const char *text) {
  bool is = false;
  for (int i = 0; i < harness()->notice_count; i++)
    is = is || strstr(harness()->notices[i], text);
  return is;
}

// ---- what comes while a thread waits already

static void *finish(void *queue) {
  EXPECT_SUCCESS(clFinish(queue));
  return NULL;
}

// The second thread only flushes: what it has enqueued waits for itself, or for a kernel that nobody enqueues.
Test(channel_waits, what_another_thread_enqueues_later_is_waited_for_too) {
  static const char *const writers[] = {"wb", "wa"};
  cl_program program = build(two, "");
  for (int reads_both = 0; reads_both < 2; reads_both++) {
    cl_command_queue writes = new_queue(0), reads = new_queue(0);
    cl_mem a = output(), b = output();
    pthread_t thread;
    start(reads, reader(program, "ra", a), 0, NULL);
    if (reads_both)
      start(reads, reader(program, "rb", b), 0, NULL);
    cr_assert_eq(pthread_create(&thread, NULL, finish, reads), 0);
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    for (int i = 0; i < 2; i++)
      start(writes, writer(program, writers[i], 10 * i), 0, NULL);
    EXPECT_SUCCESS(clFlush(writes));
    cr_assert_eq(pthread_join(thread, NULL), 0);
    expect_from(a, 10, "a");
    if (reads_both)
      expect_from(b, 0, "b");
    else
      start(reads, reader(program, "rb", b), 0, NULL), EXPECT_SUCCESS(clFinish(reads));
  }
}

static void CL_CALLBACK note(cl_event event, cl_int status, void *noted) {
  (void)event;
  atomic_store((atomic_int *)noted, status == CL_COMPLETE ? 1 : 2);
}

Test(channel_waits, a_reader_that_only_a_callback_waits_for_fails_in_time_too) {
  static atomic_int noted;
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  cl_program program = build(two, "");
  cl_command_queue queue = new_queue(0);
  cl_mem out = output();
  EXPECT_SUCCESS(clSetEventCallback(start(queue, reader(program, "ra", out), 0, NULL), CL_COMPLETE, note, &noted));
  EXPECT_SUCCESS(clFlush(queue));
  while (atomic_load(&noted) == 0)
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  cr_expect_eq(atomic_load(&noted), 2);
  cr_expect(is_told("no kernel that writes its channel 'a'"));
  start(queue, writer(program, "wa", 5), 0, NULL);
  start(queue, reader(program, "ra", out), 0, NULL);
  EXPECT_SUCCESS(clFinish(queue));
  expect_from(out, 5, "the next one");
}

static atomic_bool is_over;

static void *wait_for(void *event) {
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, (cl_event *)event));
  atomic_store(&is_over, true);
  return NULL;
}

// Whatever goes on meanwhile.
Test(channel_waits, a_reader_without_writer_fails_in_time_while_other_queues_are_busy) {
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  cl_program program = build(two, "");
  cl_command_queue queue = new_queue(0), busy = new_queue(0);
  cl_mem out = output();
  cl_event event = start(queue, reader(program, "ra", out), 0, NULL);
  pthread_t thread;
  const time_t begin = time(NULL);
  cr_assert_eq(pthread_create(&thread, NULL, wait_for, &event), 0);
  while (!atomic_load(&is_over)) {
    EXPECT_SUCCESS(clEnqueueWriteBuffer(busy, out, CL_FALSE, 0, sizeof none, &none, 0, NULL, NULL));
    EXPECT_SUCCESS(clFlush(busy));
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    cr_assert_lt(time(NULL), begin + 60, "it waits still");
  }
  cr_assert_eq(pthread_join(thread, NULL), 0);
}

// The two groups are crosswise, so that each kernel runs alone.
Test(channel_waits, what_takes_long_in_front_of_a_writer_is_no_reason_to_give_its_reader_up) {
  static const char *const names[2][2] = {{"wb", "wa"}, {"ra", "rb"}};
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  const cl_int rounds = harness()->is_rtl ? 800 : 1500000;
  cl_program program = build(two, "");
  cl_command_queue writes = new_queue(0), reads = new_queue(0);
  cl_mem out[2] = {output(), output()};
  cl_kernel slow = kernel_of(program, "slow");
  set_args(slow, ARG(out[0]), ARG(rounds), END_ARGS);
  for (int i = 0; i < 30; i++)
    start(writes, slow, 0, NULL);
  for (int i = 0; i < 2; i++) {
    start(writes, writer(program, names[0][i], i), 0, NULL);
    start(reads, reader(program, names[1][i], out[i]), 0, NULL);
  }
  EXPECT_SUCCESS(clFinish(reads));
  expect_from(out[0], 1, "a");
  expect_from(out[1], 0, "b");
  cr_expect_eq(harness()->notice_count, 0, "%s", harness()->notices[0]);
}

// ---- rounds

Test(channel_waits, rounds_whose_events_are_set_in_another_order_keep_their_packets) {
  enum { ROUNDS = 3 };
  const cl_int late = harness()->is_rtl ? 3000 : 100000;
  cl_program program = build(two, "");
  cl_event gates[ROUNDS], writes[ROUNDS];
  cl_mem out[ROUNDS];
  cl_command_queue queues[2 * ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    const cl_int k = 100 * i;
    cl_kernel kernel = kernel_of(program, "late");
    set_args(kernel, ARG(count), ARG(k), ARG(late), END_ARGS);
    gates[i] = gate();
    writes[i] = start(queues[2 * i] = new_queue(0), kernel, 1, &gates[i]);
    start(queues[2 * i + 1] = new_queue(0), reader(program, "rb", out[i] = output()), 0, NULL);
  }
  // Each as the one before has begun.
  for (int i = ROUNDS - 1; i >= 0; i--) {
    EXPECT_SUCCESS(clSetUserEventStatus(gates[i], CL_COMPLETE));
    while (status_of(writes[i]) == CL_QUEUED && i == ROUNDS - 1)
      ;
  }
  for (int i = 0; i < 2 * ROUNDS; i++)
    EXPECT_SUCCESS(clFinish(queues[i]));
  for (int i = 0; i < ROUNDS; i++)
    expect_from(out[i], 100 * i, "round");
}

// What commands depend on is looked at by their number, not by its square, and not anew at each question.
Test(channel_waits, many_rounds_before_anyone_waits_hold_up_no_question) {
  enum { ROUNDS = 4000, OTHERS = 20000, QUESTIONS = 300 };
  cl_program program = build(two, "");
  cl_mem out = output();
  cl_kernel writes = writer(program, "wa", 0), reads = reader(program, "ra", out);
  cl_command_queue in_order = new_queue(0), other = new_queue(0),
                   out_of_order = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event event = gate(), last = NULL, failed = gate();
  for (int i = 0; i < ROUNDS; i++) {
    clReleaseEvent(start(in_order, writes, 1, &event));
    last = start(other, reads, 0, NULL);
  }
  for (int i = 0; i < OTHERS; i++)
    EXPECT_SUCCESS(clEnqueueWriteBuffer(out_of_order, out, CL_FALSE, 0, sizeof none, &none, 1, &failed, NULL));
  for (int i = 0; i < QUESTIONS; i++)
    cr_assert_eq(status_of(last), CL_QUEUED);
  EXPECT_SUCCESS(clSetUserEventStatus(failed, -5));
  EXPECT_SUCCESS(clFinish(out_of_order));
  EXPECT_SUCCESS(clSetUserEventStatus(event, -5));
  EXPECT_SUCCESS(clFinish(other));
  cr_assert_lt(status_of(last), 0);
}

// Its group is not whole, as another reader has not come: it is waited for all the same.
Test(channel_waits, a_reader_gets_its_writer_before_the_writers_other_reader_has_come) {
  static const char source[] =
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "channel int a, b;\n" TASK
      "deal(int n, int k) { for (int i = 0; i < n; i++) { write_channel_intel(a, k + i); write_channel_intel(b, i); } "
      "}\n" TASK
      "ra(global int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(a); }\n" TASK
      "rb(global int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = read_channel_intel(b); }\n";
  setenv("HEDDLE_CHANNEL_SECONDS", "10", 1);
  cl_program program = build(source, "");
  cl_command_queue reads = new_queue(0), writes = new_queue(0);
  cl_mem a = output(), b = output();
  for (int round = 0; round < 4; round++) {
    const bool writes_first = round % 2 != 0;
    if (writes_first)
      start(writes, writer(program, "deal", 10 * round), 0, NULL);
    start(reads, reader(program, "ra", a), 0, NULL);
    if (!writes_first)
      start(writes, writer(program, "deal", 10 * round), 0, NULL);
    EXPECT_SUCCESS(clFinish(reads));
    expect_from(a, 10 * round, "a");
    start(reads, reader(program, "rb", b), 0, NULL);
    EXPECT_SUCCESS(clFinish(reads));
    expect_from(b, 0, "b");
  }
}

// ---- ends of other kinds

Test(channel_waits, a_kernel_without_work_items_is_an_end_that_sends_nothing) {
  const size_t zero = 0;
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  cl_program program = build(two, "");
  cl_mem out = output();
  cl_command_queue queue = new_queue(0), other = new_queue(0);
  cl_kernel kernel = kernel_of(program, "ra");
  set_args(kernel, ARG(out), ARG(none), END_ARGS);
  cl_event event = start(queue, kernel, 0, NULL);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(other, writer(program, "wa", 0), 1, NULL, &zero, NULL, 0, NULL, NULL));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  start(queue, reader(program, "ra", out), 0, NULL);
  start(other, writer(program, "wa", 3), 0, NULL);
  EXPECT_SUCCESS(clFinish(queue));
  expect_from(out, 3, "the next ones");
}

Test(channel_waits, what_a_command_buffer_has_written_is_read_by_a_kernel_behind_it) {
  const size_t one = 1;
  cl_int error;
  cl_program program = build(two, "");
  cl_platform_id platform = harness()->platform;
#define EXTENSION(name) ((name##_fn)clGetExtensionFunctionAddressForPlatform(platform, #name))
  cl_command_queue queue = new_queue(0), other = new_queue(0);
  cl_command_buffer_khr buffer = EXTENSION(clCreateCommandBufferKHR)(1, &queue, NULL, &error);
  EXPECT_SUCCESS(error);
  setenv("HEDDLE_CHANNEL_SECONDS", "5", 1);
  EXPECT_SUCCESS(EXTENSION(clCommandNDRangeKernelKHR)(buffer, NULL, NULL, writer(program, "wa", 9), 1, NULL, &one, &one,
                                                      0, NULL, NULL, NULL));
  EXPECT_SUCCESS(EXTENSION(clFinalizeCommandBufferKHR)(buffer));
  for (int round = 0; round < 2; round++) {
    cl_mem out = output();
    if (round == 0)
      EXPECT_SUCCESS(EXTENSION(clEnqueueCommandBufferKHR)(0, NULL, buffer, 0, NULL, NULL));
    start(other, reader(program, "ra", out), 0, NULL);
    if (round == 1)
      EXPECT_SUCCESS(EXTENSION(clEnqueueCommandBufferKHR)(0, NULL, buffer, 0, NULL, NULL));
    EXPECT_SUCCESS(clFinish(other));
    expect_from(out, 9, "the reader");
    EXPECT_SUCCESS(clFinish(queue));
  }
}

// ---- programs and devices

Test(channel_waits, packets_of_an_earlier_build_are_gone) {
  struct harness *h = harness();
  const char *source = two;
  cl_int error;
  cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  for (int round = 0; round < 2; round++) {
    EXPECT_SUCCESS(clBuildProgram(program, 1, &h->device, round == 0 ? "" : "-DNAME=1", NULL, NULL));
    cl_mem out = output();
    cl_kernel writes = writer(program, "wa", 100 * round), reads = kernel_of(program, "ra");
    const cl_int taken = round == 0 ? COUNT / 2 : COUNT;
    set_args(reads, ARG(out), ARG(taken), END_ARGS);
    cl_command_queue queues[2] = {new_queue(0), new_queue(0)};
    start(queues[0], writes, 0, NULL);
    start(queues[1], reads, 0, NULL);
    for (int i = 0; i < 2; i++)
      EXPECT_SUCCESS(clFinish(queues[i]));
    if (round == 1)
      expect_from(out, 100, "the second build");
    EXPECT_SUCCESS(clReleaseKernel(writes));
    EXPECT_SUCCESS(clReleaseKernel(reads));
  }
}

// One program, and kernels on two devices at the same time.
Test(channel_waits, devices_of_a_context_have_channels_of_their_own) {
  cl_platform_id platform;
  cl_device_id devices[2];
  cl_int error;
  const char *source = two;
  heddle_devices(&platform, &devices[0], &devices[1]);
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(program, 2, devices, "", NULL, NULL));
  for (int round = 0; round < 3; round++) {
    cl_command_queue queues[2][2];
    cl_mem out[2];
    for (int d = 0; d < 2; d++) {
      out[d] = clCreateBuffer(context, CL_MEM_READ_WRITE, COUNT * sizeof(cl_int), NULL, &error);
      EXPECT_SUCCESS(error);
      for (int i = 0; i < 2; i++) {
        queues[d][i] = clCreateCommandQueueWithProperties(context, devices[d], NULL, &error);
        EXPECT_SUCCESS(error);
        start(queues[d][i], i == 0 ? writer(program, "wa", 1000 * d + round) : reader(program, "ra", out[d]), 0, NULL);
      }
    }
    for (int d = 0; d < 2; d++) {
      cl_int found[COUNT];
      EXPECT_SUCCESS(clFinish(queues[d][0]));
      EXPECT_SUCCESS(clEnqueueReadBuffer(queues[d][1], out[d], CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
      for (int i = 0; i < COUNT; i++)
        cr_assert_eq(found[i], 1000 * d + round + i, "round %d, device %d: packet %d is %d", round, d, i, found[i]);
    }
  }
}

// A clone may be run when the kernel is gone.
Test(channel_waits, clones_of_kernels_have_the_same_channels) {
  cl_int error;
  cl_program program = build(two, "");
  cl_mem out = output();
  cl_kernel kernels[2] = {writer(program, "wa", 77), reader(program, "ra", out)}, clones[2];
  for (int i = 0; i < 2; i++) {
    clones[i] = clCloneKernel(kernels[i], &error);
    EXPECT_SUCCESS(error);
    EXPECT_SUCCESS(clReleaseKernel(kernels[i]));
  }
  cl_command_queue queue = new_queue(0);
  start(queue, clones[0], 0, NULL);
  start(queue, clones[1], 0, NULL);
  EXPECT_SUCCESS(clFinish(queue));
  expect_from(out, 77, "clones");
}
