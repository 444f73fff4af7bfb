// SPDX-License-Identifier: Apache-2.0
// The device under test and the small steps that every OpenCL suite repeats (harness.h).
#include "tests/opencl/harness.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "host/tools/checkout.h"

void fail(const char *format, ...) {
  char message[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  cr_assert_fail("%s", message);
  abort();  // not reached: cr_assert_fail ends the test
}

void expect_code(cl_int expected, cl_int got, const char *call, const char *file, int line) {
  if (got == expected)
    return;
  fail("%s:%d: %s: expected %s (%d), got %s (%d)", file, line, call, error_name(expected), expected, error_name(got),
       got);
}

// What a test does not free stays until it ends. It is known here, so that LeakSanitizer does not take it for lost.
static void keep(void *memory) {
  static void **all;
  static size_t count;
  void **longer = realloc(all, (count + 1) * sizeof *longer);
  if (!longer)
    fail("no memory");
  all = longer;
  all[count++] = memory;
}

void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes ? bytes : 1);
  if (!memory)
    fail("no memory for %zu bytes", bytes);
  keep(memory);
  return memory;
}

static cl_device_id device_named(cl_platform_id platform, const char *beginning) {
  cl_device_id devices[16];
  cl_uint count = 0;
  EXPECT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count));
  for (cl_uint i = 0; i < count && i < 16; i++) {
    char name[256] = "";
    EXPECT_SUCCESS(clGetDeviceInfo(devices[i], CL_DEVICE_NAME, sizeof name, name, NULL));
    if (strncmp(name, beginning, strlen(beginning)) == 0)
      return devices[i];
  }
  fail("the platform has %u devices, none with a name that begins with \"%s\"", count, beginning);
}

cl_platform_id heddle_platform(void) {
  heddle_use_checkout();
  // What the compiler does now is tested, not what it did; `cache` sets it for itself.
  setenv("HEDDLE_CACHE_BYTES", "0", 0);
  cl_platform_id platforms[16];
  cl_uint count = 0;
  EXPECT_SUCCESS(clGetPlatformIDs(16, platforms, &count));
  for (cl_uint i = 0; i < count && i < 16; i++) {
    char name[256] = "";
    EXPECT_SUCCESS(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL));
    if (strcmp(name, "Heddle") == 0)
      return platforms[i];
  }
  fail("the ICD loader lists %u platforms, none named Heddle (OCL_ICD_VENDORS=%s)", count, getenv("OCL_ICD_VENDORS"));
}

bool kernels_are_checked(void) {
  const char *checks = getenv("HEDDLE_CHECK");
  return checks && strcmp(checks, "1") == 0;
}

void heddle_devices(cl_platform_id *platform, cl_device_id *sim, cl_device_id *model) {
  if (kernels_are_checked())
    cr_skip_test("HEDDLE_CHECK=1: the platform has the golden model alone");
  *platform = heddle_platform();
  *sim = device_named(*platform, "Heddle sim");
  *model = device_named(*platform, "Heddle model");
}

static void CL_CALLBACK take_notice(const char *text, const void *private_info, size_t bytes, void *user) {
  (void)private_info;
  (void)bytes;
  struct harness *h = user;
  if (h->notice_count == NOTICES_MAX)
    return;
  snprintf(h->notices[h->notice_count], NOTICE_BYTES, "%s", text);
  h->notice_count++;
}

static struct harness self;

void harness_forget(void) {
  EXPECT_SUCCESS(clReleaseCommandQueue(self.queue));
  EXPECT_SUCCESS(clReleaseContext(self.context));
  self = (struct harness){.platform = self.platform};
}

struct harness *harness(void) {
  if (self.queue)
    return &self;
  const char *which = getenv("HEDDLE_TEST_DEVICE");
  if (!which)
    which = "sim";
  const bool is_model = strcmp(which, "model") == 0, is_board = strcmp(which, "board") == 0;
  self.is_rtl = strcmp(which, "sim") == 0 || is_board || getenv("HEDDLE_TEST_AS_RTL");
  self.is_long = getenv("HEDDLE_TEST_LONG");
  self.is_short = getenv("HEDDLE_TEST_SHORT") && !self.is_long;
  self.platform = heddle_platform();
  if (!self.is_rtl && !is_model)
    fail("HEDDLE_TEST_DEVICE is \"%s\"; it must be sim, model or board", which);
  self.device = device_named(self.platform, is_board ? "Heddle board" : is_model ? "Heddle model" : "Heddle sim");

  cl_int error;
  const cl_context_properties on_platform[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)self.platform, 0};
  self.context = clCreateContext(on_platform, 1, &self.device, take_notice, &self, &error);
  EXPECT_SUCCESS(error);
  const cl_queue_properties profiled[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  self.queue = clCreateCommandQueueWithProperties(self.context, self.device, profiled, &error);
  EXPECT_SUCCESS(error);

  cl_uint value = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(self.device, CL_DEVICE_LANES_HEDDLE, sizeof value, &value, NULL));
  self.lanes = value;
  EXPECT_SUCCESS(clGetDeviceInfo(self.device, CL_DEVICE_SLOTS_HEDDLE, sizeof value, &value, NULL));
  self.slots = value;
  EXPECT_SUCCESS(clGetDeviceInfo(self.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof self.max_work_group_size,
                                 &self.max_work_group_size, NULL));
  const char *asked = getenv("HEDDLE_SIM_LANES");  // a test of LANES=16 that ran at 8 would prove nothing
  if (asked && (uint32_t)atoi(asked) != self.lanes)
    fail("HEDDLE_SIM_LANES=%s, but the device has %u lanes", asked, self.lanes);
  asked = getenv("HEDDLE_SIM_UNITS");
  EXPECT_SUCCESS(clGetDeviceInfo(self.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof value, &value, NULL));
  if (asked && (uint32_t)atoi(asked) != value)
    fail("HEDDLE_SIM_UNITS=%s, but the device has %u compute units", asked, value);
  self.units = value;
  return &self;
}

uint32_t smallest_tested_size(void) {
  return harness()->is_short ? harness()->lanes : 1;
}

cl_command_queue new_queue(cl_command_queue_properties properties) {
  cl_int error;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(harness()->context, harness()->device, list, &error);
  EXPECT_SUCCESS(error);
  return queue;
}

cl_program build(const char *source, const char *options) {
  struct harness *h = harness();
  cl_int error;
  cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  error = clBuildProgram(program, 1, &h->device, options, NULL, NULL);
  if (error != CL_SUCCESS) {
    char log[3000] = "";
    clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    fail("clBuildProgram: expected CL_SUCCESS, got %s; build log:\n%s", error_name(error), log);
  }
  return program;
}

cl_program build_file(const char *path) {
  enum { MOST_BYTES = 1 << 20 };
  struct harness *h = harness();
  cl_int error;
  unsigned char *bytes = allocate(MOST_BYTES);
  const unsigned char *given = bytes;
  FILE *file = fopen(path, "rbe");
  const size_t count = file ? fread(bytes, 1, MOST_BYTES, file) : 0;
  if (file)
    fclose(file);
  if (count == 0 || count == MOST_BYTES)
    fail("%s is no kernel file", path);
  cl_program program = clCreateProgramWithBinary(h->context, 1, &h->device, &count, &given, NULL, &error);
  if (!program)
    fail("%s: %s: %s", path, error_name(error), h->notices[0]);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &h->device, NULL, NULL, NULL));
  return program;
}

cl_kernel kernel_of(cl_program program, const char *name) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  if (error != CL_SUCCESS)
    fail("clCreateKernel(\"%s\"): expected CL_SUCCESS, got %s", name, error_name(error));
  return kernel;
}

cl_mem buffer_with(const void *data, size_t bytes) {
  struct harness *h = harness();
  void *zeros = data ? NULL : allocate(bytes);
  cl_int error;
  cl_mem buffer = clCreateBuffer(h->context, CL_MEM_READ_WRITE | (bytes ? CL_MEM_COPY_HOST_PTR : 0), bytes ? bytes : 4,
                                 !bytes ? NULL
                                 : data ? (void *)(uintptr_t)data
                                        : zeros,
                                 &error);
  EXPECT_SUCCESS(error);
  free(zeros);
  return buffer;
}

void read_buffer(cl_mem buffer, void *data, size_t bytes) {
  EXPECT_SUCCESS(clEnqueueReadBuffer(harness()->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

void set_args(cl_kernel kernel, ...) {
  va_list arguments;
  va_start(arguments, kernel);
  for (cl_uint index = 0;; index++) {
    size_t size = va_arg(arguments, size_t);
    if (size == END_ARGS)
      break;
    const void *value = va_arg(arguments, const void *);
    cl_int error = clSetKernelArg(kernel, index, size, value);
    if (error != CL_SUCCESS)
      fail("clSetKernelArg of argument %u (%zu bytes): expected CL_SUCCESS, got %s", index, size, error_name(error));
  }
  va_end(arguments);
}

void run(cl_kernel kernel, cl_uint dim, const size_t *offset, const size_t *global, const size_t *local) {
  struct harness *h = harness();
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, dim, offset, global, local, 0, NULL, &event));
  cl_int error = clWaitForEvents(1, &event);
  cl_int status = CL_QUEUED;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  if (error != CL_SUCCESS || status != CL_COMPLETE)
    fail("the kernel did not complete: clWaitForEvents gave %s, status %d; the context said: %s", error_name(error),
         status, h->notice_count ? h->notices[h->notice_count - 1] : "(nothing)");
  clReleaseEvent(event);
}

void run_1d(cl_kernel kernel, size_t global, size_t local) {
  run(kernel, 1, NULL, &global, local ? &local : NULL);
}

size_t work_group_limit(cl_kernel kernel) {
  size_t limit = 0;
  EXPECT_SUCCESS(
      clGetKernelWorkGroupInfo(kernel, harness()->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit, &limit, NULL));
  return limit;
}

uint32_t random_u32(uint32_t *state) {
  uint32_t x = *state ? *state : 0x9E3779B9u;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  *state = x;
  return x * 0x2545F491u;
}

void expect_u32(const char *what, const uint32_t *expected, const uint32_t *got, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (expected[i] != got[i])
      fail("%s[%zu]: expected %d (0x%08x), got %d (0x%08x)", what, i, (int32_t)expected[i], expected[i],
           (int32_t)got[i], got[i]);
}
