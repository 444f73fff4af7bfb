// SPDX-License-Identifier: Apache-2.0
// Calls from many threads at once: OpenCL 3.0 says that all of them are thread-safe, but clSetKernelArg of one kernel.
// Run by `make test-tsan` too, which sees what goes right by chance here.
#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host/tools/checkout.h"
#include "tests/opencl/harness.h"

enum { THREADS = 6 };

static const char source[] =
    "kernel void add(global uint *x, uint y) { x[get_global_id(0)] += y; }\n"
    "kernel void wild(global uint *x) { *(global volatile uint *)16 = 1; }\n";

// A thread's part of a test; what goes wrong is told by the thread that started it.
struct part {
  int number;
  int rounds;
  cl_program program;
  cl_command_queue shared;  // queue
  cl_mem buffer;
  cl_event gate;
  cl_int error;
  int line;
  atomic_int *callbacks;
};

// Notes the first error, and ends the thread.
#define TRY(call)                                 \
  do {                                            \
    const cl_int code = (call);                   \
    if (code != CL_SUCCESS && part->error == 0) { \
      part->error = code;                         \
      part->line = __LINE__;                      \
    }                                             \
    if (part->error != 0)                         \
      return NULL;                                \
  } while (0)

// Starts a thread for each part and waits for all.
static void run_parts(struct part *parts, void *(*body)(void *)) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    if (pthread_create(&threads[i], NULL, body, &parts[i]) != 0)
      fail("no thread");
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    if (parts[i].error != 0)
      fail("%s:%d: thread %d: expected CL_SUCCESS, got %s", __FILE__, parts[i].line, i, error_name(parts[i].error));
}

static void fill_parts(struct part *parts, struct part common) {
  for (int i = 0; i < THREADS; i++) {
    parts[i] = common;
    parts[i].number = i;
    parts[i].rounds = harness()->is_rtl ? 4 : harness()->is_long ? 200 : 25;
  }
}

static void CL_CALLBACK count_callback(cl_event event, cl_int status, void *user) {
  (void)event;
  (void)status;
  atomic_fetch_add((atomic_int *)user, 1);
}

static void CL_CALLBACK count_destructor(cl_mem memory, void *user) {
  (void)memory;
  atomic_fetch_add((atomic_int *)user, 1);
}

// All that a program does, each thread with objects of its own, on queues of its own and on a shared one.
static void *whole_life(void *user) {
  struct part *part = user;
  struct harness *h = harness();
  enum { COUNT = 16 };
  for (int round = 0; round < part->rounds; round++) {
    cl_int error;
    uint32_t data[COUNT], got[COUNT], step = (uint32_t)(part->number + 1);
    for (uint32_t i = 0; i < COUNT; i++)
      data[i] = i * (uint32_t)round;
    cl_command_queue own = clCreateCommandQueueWithProperties(h->context, h->device, NULL, &error);
    TRY(error);
    cl_command_queue queue = round % 2 ? own : part->shared;
    cl_mem buffer = clCreateBuffer(h->context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &error);
    TRY(error);
    TRY(clSetMemObjectDestructorCallback(buffer, count_destructor, part->callbacks));
    cl_kernel kernel = clCreateKernel(part->program, "add", &error);
    TRY(error);
    TRY(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    TRY(clSetKernelArg(kernel, 1, sizeof step, &step));
    const size_t count = COUNT;
    cl_event first, second, read;
    TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, &first));
    TRY(clSetEventCallback(first, CL_COMPLETE, count_callback, part->callbacks));
    TRY(clEnqueueNDRangeKernel(own, kernel, 1, NULL, &count, NULL, 1, &first, &second));
    TRY(clEnqueueReadBuffer(part->shared, buffer, CL_FALSE, 0, sizeof got, got, 1, &second, &read));
    TRY(clReleaseKernel(kernel));
    TRY(clFlush(own));
    TRY(clWaitForEvents(1, &read));
    for (uint32_t i = 0; i < COUNT; i++)
      TRY(got[i] == data[i] + 2 * step ? CL_SUCCESS : CL_INVALID_VALUE);
    cl_int status;
    cl_ulong end;
    TRY(clGetEventInfo(first, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRY(status);
    if (queue == part->shared)
      TRY(clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    TRY(clReleaseEvent(first));
    TRY(clReleaseEvent(second));
    TRY(clReleaseEvent(read));
    TRY(clReleaseMemObject(buffer));
    TRY(clReleaseCommandQueue(own));
  }
  return NULL;
}

Test(threads, do_all_that_a_program_does_side_by_side) {
  struct part parts[THREADS];
  atomic_int callbacks = 0;
  fill_parts(parts, (struct part){.program = build(source, NULL), .shared = harness()->queue, .callbacks = &callbacks});
  run_parts(parts, whole_life);
  EXPECT_SUCCESS(clFinish(harness()->queue));
  for (int i = 0; atomic_load(&callbacks) != 2 * THREADS * parts[0].rounds && i < 1000; i++)
    sched_yield();
  if (atomic_load(&callbacks) != 2 * THREADS * parts[0].rounds)
    fail("callbacks: expected %d, got %d", 2 * THREADS * parts[0].rounds, atomic_load(&callbacks));
}

// Kernels of one buffer, from all threads through one queue: none is lost.
static void *add_one(void *user) {
  struct part *part = user;
  cl_int error;
  const uint32_t one = 1;
  const size_t count = 1;
  cl_kernel kernel = clCreateKernel(part->program, "add", &error);
  TRY(error);
  TRY(clSetKernelArg(kernel, 0, sizeof part->buffer, &part->buffer));
  TRY(clSetKernelArg(kernel, 1, sizeof one, &one));
  for (int round = 0; round < part->rounds; round++) {
    TRY(clEnqueueNDRangeKernel(part->shared, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    TRY(round % 5 == 0 ? clFinish(part->shared) : clFlush(part->shared));
  }
  TRY(clReleaseKernel(kernel));
  return NULL;
}

Test(threads, enqueue_to_one_queue_and_nothing_is_lost) {
  struct part parts[THREADS];
  cl_mem buffer = buffer_with(NULL, 4);
  fill_parts(parts, (struct part){.program = build(source, NULL), .shared = harness()->queue, .buffer = buffer});
  run_parts(parts, add_one);
  const uint32_t expected = (uint32_t)(THREADS * parts[0].rounds);
  uint32_t got;
  read_buffer(buffer, &got, sizeof got);
  expect_u32("sum", &expected, &got, 1);
}

// Everybody waits for one user event, which the last thread sets.
static void *wait_at_gate(void *user) {
  struct part *part = user;
  cl_event marker;
  for (int round = 0; round < 4; round++) {
    TRY(clEnqueueMarkerWithWaitList(part->shared, 1, &part->gate, &marker));
    TRY(clSetEventCallback(marker, CL_COMPLETE, count_callback, part->callbacks));
    TRY(clRetainEvent(part->gate));
    if (part->number == THREADS - 1 && round == 3)
      TRY(clSetUserEventStatus(part->gate, CL_COMPLETE));
    if (round == 3)
      TRY(clWaitForEvents(1, &marker));
    TRY(clReleaseEvent(part->gate));
    TRY(clReleaseEvent(marker));
  }
  return NULL;
}

Test(threads, wait_for_a_user_event_that_one_of_them_sets) {
  struct part parts[THREADS];
  atomic_int callbacks = 0;
  cl_int error;
  cl_event gate = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  fill_parts(parts, (struct part){.shared = harness()->queue, .gate = gate, .callbacks = &callbacks});
  run_parts(parts, wait_at_gate);
  EXPECT_SUCCESS(clReleaseEvent(gate));
  EXPECT_SUCCESS(clFinish(harness()->queue));
  if (atomic_load(&callbacks) > 4 * THREADS)
    fail("callbacks: expected at most %d, got %d", 4 * THREADS, atomic_load(&callbacks));
}

static void *finish_and_end(void *queue) {
  clFinish(queue);
  pthread_testcancel();
  return NULL;
}

// A thread that is cancelled in a call ends behind it, and leaves no lock.
Test(threads, that_are_cancelled_end_behind_a_call, .timeout = 60) {
  cl_int error;
  cl_event gate = clCreateUserEvent(harness()->context, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clEnqueueMarkerWithWaitList(harness()->queue, 1, &gate, NULL));
  pthread_t thread;
  void *result;
  cr_assert_eq(pthread_create(&thread, NULL, finish_and_end, harness()->queue), 0);
  nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);  // it waits in the call now
  cr_assert_eq(pthread_cancel(thread), 0);
  nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  cr_assert_eq(pthread_join(thread, &result), 0);
  cr_assert_eq(result, PTHREAD_CANCELED);
  EXPECT_SUCCESS(clFinish(harness()->queue));
  EXPECT_SUCCESS(clReleaseEvent(gate));
}

// Programs of their own are built while kernels of others run and some fault.
static void *build_and_fault(void *user) {
  struct part *part = user;
  struct harness *h = harness();
  for (int round = 0; round < 2; round++) {
    const char *text = source;
    const size_t one = 1;
    cl_int error, status;
    cl_event event;
    size_t bytes;
    cl_program program = clCreateProgramWithSource(h->context, 1, &text, NULL, &error);
    TRY(error);
    TRY(clBuildProgram(program, 1, &h->device, part->number % 2 ? "-DODD" : "", NULL, NULL));
    TRY(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    cl_kernel kernel = clCreateKernel(program, "wild", &error);
    TRY(error);
    TRY(clSetKernelArg(kernel, 0, sizeof part->buffer, &part->buffer));
    TRY(clEnqueueNDRangeKernel(part->shared, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
    TRY(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ? CL_SUCCESS : CL_INVALID_VALUE);
    TRY(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRY(status == CL_OUT_OF_RESOURCES ? CL_SUCCESS : CL_INVALID_VALUE);
    TRY(clReleaseEvent(event));
    TRY(clReleaseKernel(kernel));
    TRY(clReleaseProgram(program));
  }
  return NULL;
}

Test(threads, build_programs_while_kernels_fault) {
  struct part parts[THREADS];
  fill_parts(parts, (struct part){.shared = harness()->queue, .buffer = buffer_with(NULL, 4)});
  run_parts(parts, build_and_fault);
}

// One kernel object is enqueued by all of them, with arguments that are set; the buffer is mapped meanwhile.
static void *share_kernel(void *user) {
  struct part *part = user;
  cl_int error;
  size_t bytes;
  char name[16];
  for (int round = 0; round < part->rounds; round++) {
    void *mapped = clEnqueueMapBuffer(part->shared, part->buffer, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error);
    TRY(error);
    TRY(clEnqueueUnmapMemObject(part->shared, part->buffer, mapped, 0, NULL, NULL));
    cl_mem part_of = clCreateSubBuffer(part->buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                       &(cl_buffer_region){128, 4}, &error);
    TRY(error);
    TRY(clGetMemObjectInfo(part_of, CL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    TRY(clReleaseMemObject(part_of));
    cl_kernel kernel = clCreateKernel(part->program, "add", &error);
    TRY(error);
    TRY(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    TRY(clReleaseKernel(kernel));
    TRY(clGetDeviceInfo(harness()->device, CL_DEVICE_AVAILABLE, sizeof error, &error, NULL));
  }
  return NULL;
}

Test(threads, map_one_buffer_and_make_parts_of_it) {
  struct part parts[THREADS];
  fill_parts(parts, (struct part){
                        .program = build(source, NULL), .shared = harness()->queue, .buffer = buffer_with(NULL, 256)});
  run_parts(parts, share_kernel);
  EXPECT_SUCCESS(clFinish(harness()->queue));
}

// The first calls of a process, from all threads: devices are found and opened once.
static void *open_everything(void *user) {
  struct part *part = user;
  cl_platform_id platform;
  cl_device_id devices[2];
  cl_uint count, units;
  cl_int error;
  TRY(clGetPlatformIDs(1, &platform, NULL));
  TRY(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
  cl_device_id device = devices[count - 1];
  TRY(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  TRY(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  TRY(error);
  TRY(clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
  TRY(clFinish(queue));
  TRY(clReleaseCommandQueue(queue));
  TRY(clReleaseContext(context));
  return NULL;
}

Test(threads, make_the_first_calls_of_a_process) {
  struct part parts[THREADS] = {0};
  heddle_use_checkout();
  run_parts(parts, open_everything);
}
