// SPDX-License-Identifier: Apache-2.0
// See board_checks.h.
#include "tests/transport/board_checks.h"

#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

const char scan_source[] =
    "kernel void scan(global const uint *p, global uint *sums) {"
    "  size_t i = get_global_id(0);"
    "  sums[i] = work_group_scan_inclusive_add(p[i]);"
    "}";

const char spin_source[] = "kernel void spin(global volatile int *p) { while (p[0] == 0); }";

void expect_scan(size_t count) {
  expect_scan_by(build(scan_source, "-cl-std=CL3.0"), count);
}

void expect_scan_by(cl_program program, size_t count) {
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

void expect_faults(const char *source, const char *what) {
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_mem buffer = buffer_with(NULL, 8);
  cl_kernel kernel = kernel_of(program, "k");
  const size_t two = 2;
  const int before = harness()->notice_count;
  cl_event event;
  set_args(kernel, ARG(buffer), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &two, &two, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  cr_assert(harness()->notice_count == before + 1 && strstr(harness()->notices[before], what),
            "the context was told \"%s\" of %s", harness()->notices[before], source);
}

void expect_fault(void) {
  cr_assert(harness()->notice_count == 0);
  expect_faults("kernel void k(global int *p) { p[0x10000000] = 1; }", "unmapped");
}

cl_uint devices_now(cl_device_id *devices) {
  enum { MOST = 32 };
  cl_uint count = 0;
  EXPECT_SUCCESS(clGetDeviceIDs(heddle_platform(), CL_DEVICE_TYPE_ALL, MOST, devices, &count));
  return count;
}

bool is_called(cl_device_id device, const char *name) {
  char whole[256] = "";
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof whole, whole, NULL));
  return strncmp(whole, name, strlen(name)) == 0;
}

cl_device_id board_now(void) {
  cl_device_id device = NULL;
  char name[256] = "";
  EXPECT_SUCCESS(clGetDeviceIDs(heddle_platform(), CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
  cr_assert(strncmp(name, "Heddle board", 12) == 0, "the default device is \"%s\", not the board", name);
  return device;
}

bool is_available(cl_device_id device) {
  cl_bool available = CL_FALSE;
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL));
  return available;
}

void expect_unavailable(const char *reason) {
  cl_device_id device = board_now();
  char why[512] = "";
  cl_int error;
  const bool available = is_available(device);
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_UNAVAILABLE_HEDDLE, sizeof why, why, NULL));
  cr_assert(!available && strstr(why, reason), "expected a device that is not available: %s; it says \"%s\"", reason,
            why);
  cr_assert(!clCreateContext(NULL, 1, &device, NULL, NULL, &error));
  EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE, error);
}

void expect_events_to_end(cl_program program, void (*pull_out)(void)) {
  enum { COMMANDS = 4 };
  const cl_uint pattern = 7;
  cl_mem buffer = buffer_with(NULL, 4), other = buffer_with(NULL, 4);
  cl_kernel kernel = kernel_of(program, "spin");
  const size_t one = 1;
  cl_event events[COMMANDS];
  cl_int status = 1;
  int word = 0;
  set_args(kernel, ARG(buffer), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &one, &one, 0, NULL, &events[0]));
  EXPECT_SUCCESS(clEnqueueCopyBuffer(harness()->queue, buffer, other, 0, 0, 4, 0, NULL, &events[1]));
  EXPECT_SUCCESS(clEnqueueFillBuffer(harness()->queue, other, &pattern, 4, 0, 4, 0, NULL, &events[2]));
  EXPECT_SUCCESS(clEnqueueReadBuffer(harness()->queue, buffer, CL_FALSE, 0, 4, &word, 0, NULL, &events[3]));
  EXPECT_SUCCESS(clFlush(harness()->queue));
  while (status != CL_RUNNING)
    EXPECT_SUCCESS(clGetEventInfo(events[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  pull_out();
  for (size_t i = 0; i < COMMANDS; i++) {
    EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &events[i]));
    EXPECT_SUCCESS(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE, status);
  }
  EXPECT_CODE(CL_DEVICE_NOT_AVAILABLE,
              clEnqueueWriteBuffer(harness()->queue, buffer, CL_TRUE, 0, 4, &word, 0, NULL, NULL));
}

unsigned pull_out_in_flight(cl_command_queue queue, cl_program program, uint32_t *seed, void (*pull_out)(void)) {
  enum { ROUNDS = 6, EVENTS = 3 * ROUNDS, WORDS = 1024, MOST_MICROSECONDS = 2000 };
  static uint32_t words[WORDS], back[WORDS];
  cl_event events[EVENTS];
  cl_context context;
  cl_int error;
  unsigned well = 0;
  EXPECT_SUCCESS(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL));
  cl_kernel kernel = kernel_of(program, "scan");
  cl_mem from = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof words, NULL, &error);
  EXPECT_SUCCESS(error);
  set_args(kernel, ARG(from), ARG(to), END_ARGS);
  const size_t global = WORDS, local = 8;
  for (int i = 0; i < ROUNDS; i++) {
    cl_event *e = &events[3 * i];
    EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, from, CL_FALSE, 0, sizeof words, words, 0, NULL, &e[0]));
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &e[1]));
    EXPECT_SUCCESS(clEnqueueReadBuffer(queue, to, CL_FALSE, 0, sizeof back, back, 0, NULL, &e[2]));
  }
  EXPECT_SUCCESS(clFlush(queue));
  const unsigned wait_for = random_u32(seed) % EVENTS;
  EXPECT_SUCCESS(clWaitForEvents(1, &events[wait_for]));
  usleep(random_u32(seed) % MOST_MICROSECONDS);
  pull_out();
  for (unsigned i = 0; i < EVENTS; i++) {
    cl_int status = 1;
    clWaitForEvents(1, &events[i]);
    EXPECT_SUCCESS(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    cr_assert(status == CL_COMPLETE || (i > wait_for && status == CL_DEVICE_NOT_AVAILABLE), "event %u ended with %s", i,
              error_name(status));
    well += status == CL_COMPLETE;
    EXPECT_SUCCESS(clReleaseEvent(events[i]));
  }
  EXPECT_SUCCESS(clReleaseMemObject(from));
  EXPECT_SUCCESS(clReleaseMemObject(to));
  EXPECT_SUCCESS(clReleaseKernel(kernel));
  return well;
}
