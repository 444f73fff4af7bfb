// SPDX-License-Identifier: Apache-2.0
// Extensions that add calls rather than something to OpenCL C: each is listed with its version, its functions are found
// by name, and they do what their texts say. (Command buffers have a suite of their own.) And the host's timers.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

static void *found(const char *name) {
  void *function = clGetExtensionFunctionAddressForPlatform(harness()->platform, name);
  if (!function)
    fail("clGetExtensionFunctionAddressForPlatform: %s is not found", name);
  return function;
}

Test(extension_calls, each_is_listed_with_the_version_of_its_text) {
  static const cl_name_version expected[] = {
      {CL_MAKE_VERSION(1, 0, 0), "cl_khr_create_command_queue"},
      {CL_MAKE_VERSION(1, 0, 0), "cl_khr_suggested_local_work_size"},
      {CL_MAKE_VERSION(1, 0, 0), "cl_khr_extended_bit_ops"},
      {CL_MAKE_VERSION(2, 0, 0), "cl_khr_integer_dot_product"},
      {CL_MAKE_VERSION(1, 0, 0), "cl_khr_expect_assume"},
      {CL_MAKE_VERSION(1, 0, 0), "cl_khr_extended_async_copies"},
      {CL_MAKE_VERSION(1, 0, 0), "cl_khr_spirv_linkonce_odr"},
      {CL_MAKE_VERSION(0, 9, 0), "cl_khr_command_buffer"},
      {CL_MAKE_VERSION(1, 0, 0), "cl_khr_image2d_from_buffer"},
      {CL_MAKE_VERSION(1, 0, 0), "cl_intel_unified_shared_memory"},
  };
  cl_name_version listed[128];
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof listed, listed, &bytes));
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    cl_version version = 0;
    for (size_t j = 0; j < bytes / sizeof *listed; j++)
      if (strcmp(listed[j].name, expected[i].name) == 0)
        version = listed[j].version;
    if (version != expected[i].version)
      fail("%s: expected version 0x%x in CL_DEVICE_EXTENSIONS_WITH_VERSION, got 0x%x", expected[i].name,
           expected[i].version, version);
  }
}

Test(extension_calls, dot_products_are_described) {
  cl_device_id device = harness()->device;
  cl_device_integer_dot_product_capabilities_khr capabilities = 0;
  cl_device_integer_dot_product_acceleration_properties_khr faster;
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, sizeof capabilities,
                                 &capabilities, NULL));
  // Version 2 has both.
  if (capabilities !=
      (CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR))
    fail("CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: expected 3, got 0x%" PRIx64, capabilities);
  static const cl_device_info names[] = {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                                         CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR};
  static const cl_device_integer_dot_product_acceleration_properties_khr none = {0};
  for (int i = 0; i < 2; i++) {
    size_t bytes = 0;
    memset(&faster, 0xFF, sizeof faster);
    EXPECT_SUCCESS(clGetDeviceInfo(device, names[i], sizeof faster, &faster, &bytes));
    // The device has no instruction for it.
    if (bytes != sizeof faster || memcmp(&faster, &none, sizeof none) != 0)
      fail("device query 0x%x: expected %zu bytes of CL_FALSE, got %zu bytes, the first word %u", names[i],
           sizeof faster, bytes, faster.signed_accelerated);
    EXPECT_CODE(CL_INVALID_VALUE, clGetDeviceInfo(device, names[i], sizeof faster - 1, &faster, NULL));
  }
}

// ---- cl_khr_create_command_queue

Test(extension_calls, queues_are_created_with_properties) {
  struct harness *h = harness();
  const clCreateCommandQueueWithPropertiesKHR_fn create =
      (clCreateCommandQueueWithPropertiesKHR_fn)found("clCreateCommandQueueWithPropertiesKHR");
  const cl_queue_properties_khr out_of_order[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
  const cl_queue_properties_khr unknown[] = {0x7001, 1, 0}, wrong[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
  cl_int error;
  cl_command_queue queue = create(h->context, h->device, out_of_order, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue_properties properties = 0;
  EXPECT_SUCCESS(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
  if (properties != (cl_command_queue_properties)out_of_order[1])
    fail("CL_QUEUE_PROPERTIES: expected 0x%" PRIx64 ", got 0x%" PRIx64, out_of_order[1], properties);
  EXPECT_SUCCESS(clReleaseCommandQueue(queue));
  queue = create(h->context, h->device, NULL, NULL);
  EXPECT_SUCCESS(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
  if (properties != 0)
    fail("CL_QUEUE_PROPERTIES without a list: expected 0, got 0x%" PRIx64, properties);
  EXPECT_SUCCESS(clReleaseCommandQueue(queue));
  (void)create(NULL, h->device, NULL, &error);
  EXPECT_CODE(CL_INVALID_CONTEXT, error);
  (void)create(h->context, NULL, unknown, &error);
  EXPECT_CODE(CL_INVALID_DEVICE, error);
  (void)create(h->context, h->device, unknown, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  (void)create(h->context, h->device, wrong, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
}

// ---- cl_khr_suggested_local_work_size

static clGetKernelSuggestedLocalWorkSizeKHR_fn suggest(void) {
  return (clGetKernelSuggestedLocalWorkSizeKHR_fn)found("clGetKernelSuggestedLocalWorkSizeKHR");
}

// Each kernel says of what size its work-group is: the largest of them, since the last one may be smaller.
static const char sizes[] =
    "#define BODY for (uint i = 0; i < 3; i++) atomic_max(&out[i], (int)get_enqueued_local_size(i));\n"
    "kernel void plain(global int *out) { BODY }\n"
    "kernel __attribute__((intel_reqd_sub_group_size(1))) void narrow(global int *out) { BODY }\n"
    "kernel __attribute__((reqd_work_group_size(2, 2, 1))) void fixed(global int *out) { BODY }\n";

static void expect_suggestion(cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global) {
  struct harness *h = harness();
  size_t suggested[4] = {99, 99, 99, 99};
  int32_t got[3];
  cl_mem out = buffer_with(NULL, sizeof got);
  set_args(kernel, ARG(out), END_ARGS);
  EXPECT_SUCCESS(suggest()(h->queue, kernel, dimensions, offset, global, suggested));
  run(kernel, dimensions, offset, global, NULL);
  read_buffer(out, got, sizeof got);
  for (cl_uint i = 0; i < 3; i++)
    if (suggested[i] != (i < dimensions ? (size_t)got[i] : 99))
      fail("%u dimensions of %zu …, dimension %u: the kernel had work-groups of %d, suggested was %zu", dimensions,
           global[0], i, got[i], suggested[i]);
  EXPECT_SUCCESS(clReleaseMemObject(out));
}

Test(extension_calls, suggested_local_sizes_are_those_of_a_launch_without_one) {
  static const char *const versions[] = {"-cl-std=CL3.0", "-cl-std=CL1.2 -D get_enqueued_local_size=get_local_size",
                                         "-cl-std=CL3.0 -cl-uniform-work-group-size"};
  static const size_t globals[][3] = {{1, 1, 1}, {64, 1, 1}, {100, 6, 2}, {97, 3, 1}, {12, 34, 5}, {1000, 1, 4}};
  static const size_t offset[3] = {5, 0, 7};
  for (size_t v = 0; v < sizeof versions / sizeof *versions; v++) {
    cl_program program = build(sizes, versions[v]);
    cl_kernel plain = kernel_of(program, "plain"), narrow = kernel_of(program, "narrow");
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
      for (cl_uint dimensions = 1; dimensions <= 3; dimensions++) {
        expect_suggestion(plain, dimensions, i % 2 ? offset : NULL, globals[i]);
        expect_suggestion(narrow, dimensions, NULL, globals[i]);
      }
    }
    static const size_t even[3] = {8, 4, 2};
    expect_suggestion(kernel_of(program, "fixed"), 3, NULL, even);
  }
}

Test(extension_calls, suggestions_have_the_errors_of_their_text_in_its_order) {
  struct harness *h = harness();
  cl_program program = build(sizes, "-cl-std=CL3.0");
  cl_kernel kernel = kernel_of(program, "plain");
  const size_t global[3] = {64, 8, 1}, none[3] = {64, 0, 1}, large[3] = {(size_t)1 << 33, 1, 1};
  const size_t far_away[3] = {(size_t)0xFFFFFFFF, 0, 0};
  size_t out[3];
  cl_int error;
  cl_context other = clCreateContext(NULL, 1, &h->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue foreign = clCreateCommandQueue(other, h->device, 0, &error);
  EXPECT_SUCCESS(error);
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, suggest()(NULL, NULL, 9, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_KERNEL, suggest()(h->queue, NULL, 9, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_CONTEXT, suggest()(foreign, kernel, 9, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_KERNEL_ARGS, suggest()(h->queue, kernel, 9, NULL, NULL, NULL));
  cl_mem memory = buffer_with(NULL, 12);
  set_args(kernel, ARG(memory), END_ARGS);
  EXPECT_CODE(CL_INVALID_WORK_DIMENSION, suggest()(h->queue, kernel, 0, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_WORK_DIMENSION, suggest()(h->queue, kernel, 4, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_GLOBAL_WORK_SIZE, suggest()(h->queue, kernel, 2, far_away, NULL, NULL));
  EXPECT_CODE(CL_INVALID_GLOBAL_WORK_SIZE, suggest()(h->queue, kernel, 2, far_away, none, NULL));
  EXPECT_CODE(CL_INVALID_GLOBAL_WORK_SIZE, suggest()(h->queue, kernel, 1, far_away, large, NULL));
  EXPECT_CODE(CL_INVALID_GLOBAL_OFFSET, suggest()(h->queue, kernel, 1, far_away, global, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, suggest()(h->queue, kernel, 3, NULL, global, NULL));
  EXPECT_SUCCESS(suggest()(h->queue, kernel, 1, NULL, none, out));  // the other sizes are not looked at
}

// ---- Timers

static void timers(cl_ulong *device, cl_ulong *host) {
  EXPECT_SUCCESS(clGetDeviceAndHostTimer(harness()->device, device, host));
}

static void rest(long milliseconds) {
  nanosleep(&(struct timespec){.tv_nsec = 1000000 * milliseconds}, NULL);
}

Test(extension_calls, timers_of_device_and_host_go_together) {
  cl_ulong resolution = 0, device[2], host[2], alone[3];
  EXPECT_SUCCESS(
      clGetPlatformInfo(harness()->platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof resolution, &resolution, NULL));
  if (resolution == 0)
    fail("CL_PLATFORM_HOST_TIMER_RESOLUTION: expected some nanoseconds, got 0");
  EXPECT_SUCCESS(clGetHostTimer(harness()->device, &alone[0]));
  timers(&device[0], &host[0]);
  EXPECT_SUCCESS(clGetHostTimer(harness()->device, &alone[1]));
  rest(20);
  timers(&device[1], &host[1]);
  EXPECT_SUCCESS(clGetHostTimer(harness()->device, &alone[2]));
  // One time base for both calls, and one pace where the device is idle.
  if (!(alone[0] <= host[0] && host[0] <= alone[1] && alone[1] < host[1] && host[1] <= alone[2]))
    fail("host times: expected each after the one before it, got %" PRIu64 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
         ", %" PRIu64,
         alone[0], host[0], alone[1], host[1], alone[2]);
  if (device[1] - device[0] != host[1] - host[0])
    fail("between two calls %" PRIu64 " ns passed on the host, expected the same on the device, got %" PRIu64,
         host[1] - host[0], device[1] - device[0]);
}

Test(extension_calls, profiling_and_device_timer_have_one_time_base) {
  struct harness *h = harness();
  cl_kernel kernel = kernel_of(
      build("kernel void k(global int *x) { for (int i = 0; i < 500; i++) ((volatile global int *)x)[0]++; }\n", NULL),
      "k");
  cl_mem x = buffer_with(NULL, 4);
  const size_t one = 1;
  cl_event events[12];
  cl_ulong before, after, host, last = 0;
  set_args(kernel, ARG(x), END_ARGS);
  EXPECT_SUCCESS(clFinish(h->queue));
  timers(&before, &host);
  // Some at once, so that they are on the device together, then some with rest between them.
  for (int i = 0; i < 12; i++) {
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &one, &one, 0, NULL, &events[i]));
    if (i > 8) {
      EXPECT_SUCCESS(clFinish(h->queue));
      rest(1);
    }
  }
  EXPECT_SUCCESS(clFinish(h->queue));
  timers(&after, &host);
  for (int i = 0; i < 12; i++) {
    cl_ulong times[5] = {0}, cycles = 0;
    static const cl_profiling_info names[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT,
                                              CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
                                              CL_PROFILING_COMMAND_COMPLETE};
    for (int k = 0; k < 5; k++) {
      EXPECT_SUCCESS(clGetEventProfilingInfo(events[i], names[k], sizeof times[k], &times[k], NULL));
      if (times[k] < before || times[k] > after || (k != 0 && times[k] < times[k - 1]))
        fail("kernel %d, time %d: expected %" PRIu64 " to %" PRIu64 ", not before the one above it, got %" PRIu64, i, k,
             before, after, times[k]);
    }
    if (times[2] < last)
      fail("kernel %d starts at %" PRIu64 ", before the one before it ends, %" PRIu64, i, times[2], last);
    last = times[3];
    // However long the simulation took.
    EXPECT_SUCCESS(clGetEventInfo(events[i], CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
    cl_uint khz = 0;
    EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_CLOCK_KHZ_HEDDLE, sizeof khz, &khz, NULL));
    const double expected = (double)cycles * 1e6 / khz, took = (double)(times[3] - times[2]);
    if (took < expected - 2 || took > expected + 2)
      fail("kernel %d: %" PRIu64 " cycles at %u kHz are %.0f ns, got %.0f", i, cycles, khz, expected, took);
  }
}

Test(extension_calls, timers_have_the_errors_of_their_text) {
  cl_device_id device = harness()->device;
  cl_ulong time;
  EXPECT_CODE(CL_INVALID_DEVICE, clGetDeviceAndHostTimer((cl_device_id)harness()->context, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, &time));
  EXPECT_CODE(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &time, NULL));
  EXPECT_CODE(CL_INVALID_DEVICE, clGetHostTimer((cl_device_id)harness()->context, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clGetHostTimer(device, NULL));
}
