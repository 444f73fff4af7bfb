// SPDX-License-Identifier: Apache-2.0
// cl_khr_command_buffer: what was recorded runs as often as it is enqueued, with the arguments it was recorded with, as
// one command that waits, ends, fails and is measured like others; and each error of the text.
#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

// The extension's functions, by name.
static struct {
#define FUNCTION(name) name##_fn name
  FUNCTION(clCreateCommandBufferKHR);
  FUNCTION(clFinalizeCommandBufferKHR);
  FUNCTION(clRetainCommandBufferKHR);
  FUNCTION(clReleaseCommandBufferKHR);
  FUNCTION(clEnqueueCommandBufferKHR);
  FUNCTION(clCommandBarrierWithWaitListKHR);
  FUNCTION(clCommandCopyBufferKHR);
  FUNCTION(clCommandCopyBufferRectKHR);
  FUNCTION(clCommandCopyBufferToImageKHR);
  FUNCTION(clCommandCopyImageKHR);
  FUNCTION(clCommandCopyImageToBufferKHR);
  FUNCTION(clCommandFillBufferKHR);
  FUNCTION(clCommandFillImageKHR);
  FUNCTION(clCommandNDRangeKernelKHR);
  FUNCTION(clGetCommandBufferInfoKHR);
#undef FUNCTION
} cb;

static void *found(const char *name) {
  void *function = clGetExtensionFunctionAddressForPlatform(harness()->platform, name);
  if (!function)
    fail("clGetExtensionFunctionAddressForPlatform: %s is not found", name);
  return function;
}

static void set_up(void) {
#define FIND(name) cb.name = (name##_fn)found(#name)
  FIND(clCreateCommandBufferKHR);
  FIND(clFinalizeCommandBufferKHR);
  FIND(clRetainCommandBufferKHR);
  FIND(clReleaseCommandBufferKHR);
  FIND(clEnqueueCommandBufferKHR);
  FIND(clCommandBarrierWithWaitListKHR);
  FIND(clCommandCopyBufferKHR);
  FIND(clCommandCopyBufferRectKHR);
  FIND(clCommandCopyBufferToImageKHR);
  FIND(clCommandCopyImageKHR);
  FIND(clCommandCopyImageToBufferKHR);
  FIND(clCommandFillBufferKHR);
  FIND(clCommandFillImageKHR);
  FIND(clCommandNDRangeKernelKHR);
  FIND(clGetCommandBufferInfoKHR);
#undef FIND
}

// cppcheck-suppress unknownMacro
TestSuite(command_buffers, .init = set_up);

static const char source[] =
    "kernel void add(global int *x, int y) { x[get_global_id(0)] += y; }\n"
    "kernel void mix(global int *x, global const int *y, int z) { size_t i = get_global_id(0);\n"
    "  x[i] = x[i] * 3 + y[i] + z; }\n"
    "kernel void fault(global int *x) { *(global int *)4 = x[0]; }\n"
    "kernel void spin(global int *x, int n) { for (int i = 0; i < n; i++) ((volatile global int *)x)[0]++; }\n";

static cl_command_buffer_khr recorder(cl_command_queue queue, bool simultaneous) {
  const cl_command_buffer_properties_khr properties[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                                         CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
  cl_int error;
  cl_command_buffer_khr buffer = cb.clCreateCommandBufferKHR(1, &queue, simultaneous ? properties : NULL, &error);
  EXPECT_SUCCESS(error);
  return buffer;
}

static cl_sync_point_khr record_kernel(cl_command_buffer_khr buffer, cl_kernel kernel, size_t items,
                                       const cl_sync_point_khr *after) {
  cl_sync_point_khr point = 0;
  EXPECT_SUCCESS(cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &items, NULL, after ? 1 : 0, after,
                                              &point, NULL));
  return point;
}

static void enqueue(cl_command_buffer_khr buffer, cl_event *event) {
  EXPECT_SUCCESS(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, event));
}

static void finish(void) {
  EXPECT_SUCCESS(clFinish(harness()->queue));
}

static cl_command_buffer_state_khr state_of(cl_command_buffer_khr buffer) {
  cl_command_buffer_state_khr state = 99;
  EXPECT_SUCCESS(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL));
  return state;
}

static void expect_state(cl_command_buffer_state_khr expected, cl_command_buffer_khr buffer) {
  if (state_of(buffer) != expected)
    fail("CL_COMMAND_BUFFER_STATE_KHR: expected %u, got %u", expected, state_of(buffer));
}

static void expect_words(cl_mem memory, uint32_t expected, size_t count) {
  uint32_t *got = allocate(4 * count), *all = allocate(4 * count);
  read_buffer(memory, got, 4 * count);
  for (size_t i = 0; i < count; i++)
    all[i] = expected;
  expect_u32("memory", all, got, count);
}

static cl_int status_of(cl_event event) {
  cl_int status = 99;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

Test(command_buffers, what_a_device_can_is_told) {
  cl_device_command_buffer_capabilities_khr capabilities = 0;
  cl_command_queue_properties required = 99;
  const cl_device_command_buffer_capabilities_khr all =
      CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR |
      CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_CAPABILITY_OUT_OF_ORDER_KHR;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof capabilities,
                                 &capabilities, NULL));
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR,
                                 sizeof required, &required, NULL));
  if (capabilities != all || required != 0)
    fail("expected capabilities 0x%" PRIx64 " and no required properties, got 0x%" PRIx64 " and 0x%" PRIx64, all,
         capabilities, required);
}

Test(command_buffers, every_enqueue_runs_all_that_was_recorded) {
  cl_kernel add = kernel_of(build(source, NULL), "add");
  cl_mem x = buffer_with(NULL, 256);
  const cl_int one = 1;
  set_args(add, ARG(x), ARG(one), END_ARGS);
  cl_command_buffer_khr buffer = recorder(harness()->queue, false);
  // More kernels than are on a device at a time.
  for (int i = 0; i < 20; i++)
    record_kernel(buffer, add, 64, NULL);
  expect_words(x, 0, 64);  // nothing has run
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  for (uint32_t i = 1; i <= 3; i++) {
    enqueue(buffer, NULL);
    finish();
    expect_words(x, 20 * i, 64);
  }
  EXPECT_SUCCESS(cb.clReleaseCommandBufferKHR(buffer));
}

Test(command_buffers, arguments_and_objects_are_those_of_the_recording) {
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add");
  cl_mem x = buffer_with(NULL, 256), y = buffer_with(NULL, 256), from = buffer_with(NULL, 256);
  const cl_int two = 2, seven = 7;
  cl_command_buffer_khr buffer = recorder(harness()->queue, false);
  EXPECT_SUCCESS(cb.clCommandFillBufferKHR(buffer, NULL, from, &seven, 4, 0, 256, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(cb.clCommandCopyBufferKHR(buffer, NULL, from, x, 0, 0, 256, 0, NULL, NULL, NULL));
  set_args(add, ARG(x), ARG(two), END_ARGS);
  record_kernel(buffer, add, 64, NULL);
  set_args(add, ARG(y), ARG(seven), END_ARGS);
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  // What was recorded holds what it needs.
  EXPECT_SUCCESS(clReleaseMemObject(from));
  EXPECT_SUCCESS(clReleaseKernel(add));
  EXPECT_SUCCESS(clReleaseProgram(program));
  for (int i = 0; i < 2; i++) {
    enqueue(buffer, NULL);
    finish();
    expect_words(x, 9, 64);
  }
  expect_words(y, 0, 64);
  // One that is released while it is enqueued still runs.
  const cl_int zero = 0;
  EXPECT_SUCCESS(clEnqueueFillBuffer(harness()->queue, x, &zero, 4, 0, 256, 0, NULL, NULL));
  enqueue(buffer, NULL);
  EXPECT_SUCCESS(cb.clReleaseCommandBufferKHR(buffer));
  finish();
  expect_words(x, 9, 64);
}

// Commands in random order on a few buffers: as one command buffer, and one by one.
static void random_commands(cl_command_buffer_khr buffer, cl_command_queue queue, cl_kernel mix, const cl_mem *memory,
                            uint32_t seed) {
  enum { BYTES = 256, BUFFERS = 4 };
  uint32_t state = seed;
  cl_sync_point_khr last = 0;
  for (int i = 0; i < 40; i++) {
    const uint32_t to = random_u32(&state) % BUFFERS, from = (to + 1 + random_u32(&state) % (BUFFERS - 1)) % BUFFERS;
    const cl_int value = (cl_int)random_u32(&state);
    const size_t offset = random_u32(&state) % 32 * 4, size = random_u32(&state) % 33 * 4, items = BYTES / 4;
    const size_t origin[3] = {random_u32(&state) % 2 * 4, random_u32(&state) % 4, 0}, region[3] = {8, 3, 1};
    const size_t place[3] = {16, 2, 0};
    // Each waits for the one before it, or for nothing, which comes to the same where commands run in their order.
    const cl_uint count = random_u32(&state) % 2 && last != 0 ? 1 : 0;
    const cl_sync_point_khr *after = count ? &last : NULL;
    cl_sync_point_khr point = 0;
    switch (random_u32(&state) % 5) {
      case 0:
        EXPECT_SUCCESS(buffer ? cb.clCommandFillBufferKHR(buffer, NULL, memory[to], &value, 4, offset, size, count,
                                                          after, &point, NULL)
                              : clEnqueueFillBuffer(queue, memory[to], &value, 4, offset, size, 0, NULL, NULL));
        break;
      case 1:
        EXPECT_SUCCESS(buffer
                           ? cb.clCommandCopyBufferKHR(buffer, NULL, memory[from], memory[to], 4, offset, size + 4,
                                                       count, after, &point, NULL)
                           : clEnqueueCopyBuffer(queue, memory[from], memory[to], 4, offset, size + 4, 0, NULL, NULL));
        break;
      case 2:
        EXPECT_SUCCESS(buffer ? cb.clCommandCopyBufferRectKHR(buffer, NULL, memory[from], memory[to], origin, place,
                                                              region, 16, 0, 32, 0, count, after, &point, NULL)
                              : clEnqueueCopyBufferRect(queue, memory[from], memory[to], origin, place, region, 16, 0,
                                                        32, 0, 0, NULL, NULL));
        break;
      case 3:
        EXPECT_SUCCESS(buffer ? cb.clCommandBarrierWithWaitListKHR(buffer, NULL, count, after, &point, NULL)
                              : clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
        break;
      default:
        set_args(mix, ARG(memory[to]), ARG(memory[from]), ARG(value), END_ARGS);
        EXPECT_SUCCESS(buffer ? cb.clCommandNDRangeKernelKHR(buffer, NULL, NULL, mix, 1, NULL, &items, NULL, count,
                                                             after, &point, NULL)
                              : clEnqueueNDRangeKernel(queue, mix, 1, NULL, &items, NULL, 0, NULL, NULL));
    }
    if (buffer && point == last)
      fail("command %d: expected a sync point of its own, got %u again", i, point);
    last = point;
  }
}

Test(command_buffers, commands_do_what_they_do_one_by_one) {
  cl_kernel mix = kernel_of(build(source, NULL), "mix");
  cl_int error;
  cl_command_queue out_of_order =
      clCreateCommandQueue(harness()->context, harness()->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  EXPECT_SUCCESS(error);
  for (uint32_t seed = 1; seed <= 3; seed++) {
    uint32_t start[64], results[2][64], state = seed;
    cl_mem memory[2][4];
    for (int i = 0; i < 64; i++)
      start[i] = random_u32(&state);
    for (int i = 0; i < 8; i++)
      memory[i / 4][i % 4] = buffer_with(start, sizeof start);
    cl_command_queue queue = seed % 2 ? harness()->queue : out_of_order;
    cl_command_buffer_khr buffer = recorder(queue, true);
    random_commands(buffer, NULL, mix, memory[0], seed);
    EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
    for (int i = 0; i < 2; i++) {
      enqueue(buffer, NULL);
      EXPECT_SUCCESS(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
      random_commands(NULL, harness()->queue, mix, memory[1], seed);
    }
    EXPECT_SUCCESS(clFinish(queue));
    finish();
    for (int i = 0; i < 4; i++) {
      for (int k = 0; k < 2; k++)
        read_buffer(memory[k][i], results[k], sizeof results[k]);
      expect_u32("recorded against enqueued", results[1], results[0], 64);
    }
    EXPECT_SUCCESS(cb.clReleaseCommandBufferKHR(buffer));
  }
}

// Twice, each time from a buffer that has other bytes: to an image, to another one, and back to a buffer.
Test(command_buffers, commands_of_images_do_what_they_do_one_by_one) {
  static const size_t zero[3] = {0, 0, 0}, all[3] = {4, 4, 1}, corner[3] = {1, 2, 0}, part[3] = {3, 1, 1};
  static const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  static const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  static const cl_uint colour[4] = {77, 0, 0, 0};
  struct harness *h = harness();
  uint32_t words[16], got[16];
  cl_int error;
  cl_mem from = buffer_with(NULL, sizeof words), to = buffer_with(NULL, sizeof words), images[2];
  for (int i = 0; i < 2; i++) {
    images[i] = clCreateImage(h->context, 0, &format, &desc, NULL, &error);
    EXPECT_SUCCESS(error);
  }
  cl_command_buffer_khr buffer = recorder(h->queue, false);
  EXPECT_SUCCESS(cb.clCommandCopyBufferToImageKHR(buffer, NULL, from, images[0], 0, zero, all, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(cb.clCommandFillImageKHR(buffer, NULL, images[0], colour, corner, part, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(cb.clCommandCopyImageKHR(buffer, NULL, images[0], images[1], zero, zero, all, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(cb.clCommandCopyImageToBufferKHR(buffer, NULL, images[1], to, zero, all, 0, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  // The recording keeps them.
  EXPECT_SUCCESS(clReleaseMemObject(images[0]));
  EXPECT_SUCCESS(clReleaseMemObject(images[1]));
  for (uint32_t round = 1; round < 3; round++) {
    for (uint32_t i = 0; i < 16; i++)
      words[i] = 100 * round + i;
    EXPECT_SUCCESS(clEnqueueWriteBuffer(h->queue, from, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL));
    enqueue(buffer, NULL);
    read_buffer(to, got, sizeof got);
    for (int i = 9; i < 12; i++)
      words[i] = 77;
    expect_u32("copied through two images", words, got, 16);
  }
  EXPECT_SUCCESS(cb.clReleaseCommandBufferKHR(buffer));
}

Test(command_buffers, states_follow_each_other) {
  struct harness *h = harness();
  cl_kernel add = kernel_of(build(source, NULL), "add");
  cl_mem x = buffer_with(NULL, 256);
  const cl_int one = 1;
  cl_int error;
  cl_event gate = clCreateUserEvent(h->context, &error), events[2];
  EXPECT_SUCCESS(error);
  set_args(add, ARG(x), ARG(one), END_ARGS);
  for (int simultaneous = 0; simultaneous < 2; simultaneous++) {
    cl_command_buffer_khr buffer = recorder(h->queue, simultaneous);
    expect_state(CL_COMMAND_BUFFER_STATE_RECORDING_KHR, buffer);
    record_kernel(buffer, add, 64, NULL);
    EXPECT_CODE(CL_INVALID_OPERATION, cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
    EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
    expect_state(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, buffer);
    gate = clCreateUserEvent(h->context, &error);
    EXPECT_SUCCESS(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &events[0]));
    expect_state(CL_COMMAND_BUFFER_STATE_PENDING_KHR, buffer);
    // More than one is pending only where that was asked for.
    EXPECT_CODE(simultaneous ? CL_SUCCESS : CL_INVALID_OPERATION,
                cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &events[1]));
    if (status_of(events[0]) < CL_SUBMITTED)
      fail("a command buffer behind a user event: expected it not to have run, got status %d", status_of(events[0]));
    EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT_SUCCESS(clWaitForEvents(simultaneous ? 2 : 1, events));
    expect_state(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, buffer);
    expect_words(x, simultaneous ? 3 : 1, 64);
  }
}

Test(command_buffers, a_wait_that_fails_keeps_all_from_running) {
  struct harness *h = harness();
  cl_kernel add = kernel_of(build(source, NULL), "add");
  cl_mem x = buffer_with(NULL, 256);
  const cl_int one = 1;
  cl_int error;
  cl_event gate = clCreateUserEvent(h->context, &error), event;
  set_args(add, ARG(x), ARG(one), END_ARGS);
  cl_command_buffer_khr buffer = recorder(h->queue, false);
  record_kernel(buffer, add, 64, NULL);
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  EXPECT_SUCCESS(cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &event));
  EXPECT_SUCCESS(clSetUserEventStatus(gate, -5));
  finish();
  if (status_of(event) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
    fail("expected CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, got %s", error_name(status_of(event)));
  expect_words(x, 0, 64);
  enqueue(buffer, NULL);
  finish();
  expect_words(x, 1, 64);
}

Test(command_buffers, the_event_is_of_the_whole) {
  struct harness *h = harness();
  cl_kernel spin = kernel_of(build(source, NULL), "spin");
  cl_mem x = buffer_with(NULL, 4);
  cl_ulong alone = 0, cycles = 0, start = 0, end = 0, groups = 0;
  cl_uint khz = 0;
  const cl_int rounds = 200;
  const size_t one = 1;
  cl_event event;
  set_args(spin, ARG(x), ARG(rounds), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, spin, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof alone, &alone, NULL));
  cl_command_buffer_khr buffer = recorder(h->queue, false);
  for (int i = 0; i < 10; i++)
    record_kernel(buffer, spin, 1, NULL);
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  for (int i = 0; i < 2; i++) {  // a second run counts anew
    enqueue(buffer, &event);
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    cl_command_type type = 0;
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    if (type != CL_COMMAND_COMMAND_BUFFER_KHR)
      fail("CL_EVENT_COMMAND_TYPE: expected CL_COMMAND_COMMAND_BUFFER_KHR, got 0x%x", type);
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_GROUPS_DONE_HEDDLE, sizeof groups, &groups, NULL));
    EXPECT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    EXPECT_SUCCESS(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_CLOCK_KHZ_HEDDLE, sizeof khz, &khz, NULL));
    // Kernels of one kind differ by what the cache has: by less than one of them.
    if (cycles < 9 * alone || cycles > 11 * alone || groups != 10)
      fail("10 kernels of %" PRIu64 " cycles: expected the sum, got %" PRIu64 " cycles and %" PRIu64 " work-groups",
           alone, cycles, groups);
    const double expected = (double)cycles * 1e6 / khz;
    if ((double)(end - start) < expected || (double)(end - start) > expected + 20)
      fail("%" PRIu64 " cycles at %u kHz: expected %.0f ns, got %" PRIu64, cycles, khz, expected, end - start);
  }
}

Test(command_buffers, a_fault_ends_it_and_is_told) {
  struct harness *h = harness();
  cl_program program = build(source, NULL);
  cl_kernel add = kernel_of(program, "add"), fault = kernel_of(program, "fault");
  const cl_int one = 1, many = 100;
  cl_event event;
  // Behind a kernel, and behind something else.
  for (int filled = 0; filled < 2; filled++) {
    cl_mem x = buffer_with(NULL, 256), y = buffer_with(NULL, 256);
    cl_command_buffer_khr buffer = recorder(h->queue, false);
    set_args(add, ARG(x), ARG(one), END_ARGS);
    record_kernel(buffer, add, 64, NULL);
    set_args(fault, ARG(x), END_ARGS);
    record_kernel(buffer, fault, 1, NULL);
    if (filled)
      EXPECT_SUCCESS(cb.clCommandFillBufferKHR(buffer, NULL, y, &many, 4, 0, 256, 0, NULL, NULL, NULL));
    set_args(add, ARG(y), ARG(many), END_ARGS);
    record_kernel(buffer, add, 64, NULL);
    EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
    for (cl_int i = 1; i <= 2; i++) {
      char text[1024] = "";
      enqueue(buffer, &event);
      finish();
      if (status_of(event) != CL_EVENT_STATUS_FAULT_HEDDLE)
        fail("expected CL_EVENT_STATUS_FAULT_HEDDLE, got %s", error_name(status_of(event)));
      EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
      if (!strstr(text, "'fault'") || !strstr(text, "unmapped"))
        fail("the fault's text: expected the kernel and the reason, got \"%s\"", text);
      expect_words(x, (uint32_t)i, 64);
      expect_words(y, 0, 64);
      EXPECT_SUCCESS(clReleaseEvent(event));
    }
    EXPECT_SUCCESS(cb.clReleaseCommandBufferKHR(buffer));
  }
}

Test(command_buffers, kernels_print_and_enqueue_kernels) {
  struct harness *h = harness();
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error;
  cl_program program = build(
      "kernel void parent(global int *x) { x[1] = printf(\"recorded\\n\");\n"
      "  x[2] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ x[0] += 5; }); }\n",
      "-cl-std=CL3.0");
  cl_kernel parent = kernel_of(program, "parent");
  cl_mem x = buffer_with(NULL, 12);
  set_args(parent, ARG(x), END_ARGS);
  cl_command_buffer_khr buffer = recorder(h->queue, false);
  record_kernel(buffer, parent, 1, NULL);
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  (void)clCreateCommandQueueWithProperties(h->context, h->device, on_device, &error);  // the one that there is then
  EXPECT_SUCCESS(error);
  for (uint32_t i = 1; i <= 2; i++) {
    const uint32_t expected[3] = {5 * i, 0, 0};
    uint32_t got[3];
    enqueue(buffer, NULL);
    finish();
    read_buffer(x, got, sizeof got);
    expect_u32("sum of what was enqueued, result of printf, of enqueue_kernel", expected, got, 3);
  }
}

Test(command_buffers, compatible_queues_may_take_its_place) {
  struct harness *h = harness();
  cl_kernel add = kernel_of(build(source, NULL), "add");
  cl_mem x = buffer_with(NULL, 256);
  const cl_int one = 1;
  cl_int error;
  cl_context other = clCreateContext(NULL, 1, &h->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue alike = clCreateCommandQueue(h->context, h->device, CL_QUEUE_PROFILING_ENABLE, &error);
  cl_command_queue unlike = clCreateCommandQueue(h->context, h->device, 0, &error);
  cl_command_queue foreign = clCreateCommandQueue(other, h->device, CL_QUEUE_PROFILING_ENABLE, &error);
  cl_command_queue none = (cl_command_queue)h->context, two[2] = {alike, alike};
  cl_event of_other = clCreateUserEvent(other, &error), event;
  EXPECT_SUCCESS(error);
  set_args(add, ARG(x), ARG(one), END_ARGS);
  cl_command_buffer_khr buffer = recorder(h->queue, false);
  record_kernel(buffer, add, 64, NULL);
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  EXPECT_SUCCESS(cb.clEnqueueCommandBufferKHR(1, &alike, buffer, 0, NULL, &event));
  cl_command_queue queue = NULL;
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
  cr_assert_eq(queue, alike, "the event is of another queue than was asked for");
  EXPECT_SUCCESS(clFinish(alike));
  expect_words(x, 1, 64);
  EXPECT_CODE(CL_INVALID_COMMAND_BUFFER_KHR, cb.clEnqueueCommandBufferKHR(1, NULL, NULL, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, cb.clEnqueueCommandBufferKHR(1, NULL, buffer, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, cb.clEnqueueCommandBufferKHR(0, &alike, buffer, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, cb.clEnqueueCommandBufferKHR(2, two, buffer, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, cb.clEnqueueCommandBufferKHR(1, &none, buffer, 1, NULL, NULL));
  EXPECT_CODE(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, cb.clEnqueueCommandBufferKHR(1, &unlike, buffer, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_CONTEXT, cb.clEnqueueCommandBufferKHR(1, &foreign, buffer, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_CONTEXT, cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &of_other, NULL));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, &event, NULL));
  expect_state(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, buffer);
}

enum { THREADS = 4, ENQUEUES = 10 };

static void *enqueue_often(void *argument) {
  cl_command_buffer_khr buffer = argument;
  for (int i = 0; i < ENQUEUES; i++)
    if (cb.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL) != CL_SUCCESS ||
        cb.clRetainCommandBufferKHR(buffer) != CL_SUCCESS || cb.clReleaseCommandBufferKHR(buffer) != CL_SUCCESS)
      return buffer;
  return NULL;
}

Test(command_buffers, threads_may_enqueue_one_together) {
  cl_kernel add = kernel_of(build(source, NULL), "add");
  cl_mem x = buffer_with(NULL, 256);
  const cl_int one = 1;
  pthread_t threads[THREADS];
  set_args(add, ARG(x), ARG(one), END_ARGS);
  cl_command_buffer_khr buffer = recorder(harness()->queue, true);
  record_kernel(buffer, add, 64, NULL);
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(buffer));
  for (int i = 0; i < THREADS; i++)
    cr_assert_eq(pthread_create(&threads[i], NULL, enqueue_often, buffer), 0);
  for (int i = 0; i < THREADS; i++) {
    void *failed;
    cr_assert_eq(pthread_join(threads[i], &failed), 0);
    cr_assert_null(failed, "a call of a thread failed");
  }
  finish();
  expect_words(x, THREADS * ENQUEUES, 64);
  expect_state(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, buffer);
}

static cl_int creating(cl_uint count, const cl_command_queue *queues, const cl_command_buffer_properties_khr *list) {
  cl_int error = 99;
  cl_command_buffer_khr buffer = cb.clCreateCommandBufferKHR(count, queues, list, &error);
  if (!!buffer != (error == CL_SUCCESS))
    fail("clCreateCommandBufferKHR: %s with buffer %p", error_name(error), (void *)buffer);
  return error;
}

Test(command_buffers, creating_has_the_errors_of_the_text) {
  struct harness *h = harness();
  const cl_command_queue two[2] = {h->queue, h->queue}, none = (cl_command_queue)h->context;
  const cl_command_buffer_properties_khr unknown[] = {0x7001, 1, 0}, bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 8, 0};
  const cl_command_buffer_properties_khr twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};
  const cl_command_buffer_properties_khr empty[] = {0};
  EXPECT_CODE(CL_INVALID_VALUE, creating(0, two, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, creating(2, two, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, creating(1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, creating(1, &none, unknown));
  EXPECT_CODE(CL_INVALID_VALUE, creating(1, two, unknown));
  EXPECT_CODE(CL_INVALID_VALUE, creating(1, two, bits));
  EXPECT_CODE(CL_INVALID_VALUE, creating(1, two, twice));
  EXPECT_SUCCESS(creating(1, two, empty));
}

Test(command_buffers, queries_have_their_answers) {
  struct harness *h = harness();
  const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR,
                                                   0};
  cl_command_buffer_properties_khr got[4] = {0};
  cl_command_queue queue = NULL;
  cl_uint number = 99;
  size_t bytes = 99;
  cl_command_buffer_khr buffer = recorder(h->queue, true);
  EXPECT_SUCCESS(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof got, got, &bytes));
  cr_assert_eq(bytes, sizeof list);
  cr_assert_arr_eq(got, list, sizeof list);
  EXPECT_SUCCESS(
      cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof number, &number, &bytes));
  cr_assert_eq(number, 1);
  cr_assert_eq(bytes, sizeof number);
  EXPECT_SUCCESS(cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof queue, &queue, &bytes));
  cr_assert_eq(queue, h->queue);
  cr_assert_eq(bytes, sizeof queue);
  EXPECT_SUCCESS(cb.clRetainCommandBufferKHR(buffer));
  EXPECT_SUCCESS(
      cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof number, &number, NULL));
  cr_assert_eq(number, 2);
  EXPECT_SUCCESS(cb.clReleaseCommandBufferKHR(buffer));
  EXPECT_SUCCESS(
      cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof number, &number, NULL));
  cr_assert_eq(number, 1);
  EXPECT_CODE(CL_INVALID_VALUE, cb.clGetCommandBufferInfoKHR(buffer, 0x7001, sizeof number, &number, NULL));
  EXPECT_CODE(CL_INVALID_VALUE,
              cb.clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof number - 1, &number, NULL));
  EXPECT_SUCCESS(cb.clReleaseCommandBufferKHR(buffer));
  // Gone, and never there.
  EXPECT_CODE(CL_INVALID_COMMAND_BUFFER_KHR, cb.clReleaseCommandBufferKHR(buffer));
  EXPECT_CODE(CL_INVALID_COMMAND_BUFFER_KHR, cb.clRetainCommandBufferKHR(NULL));
  EXPECT_CODE(CL_INVALID_COMMAND_BUFFER_KHR, cb.clFinalizeCommandBufferKHR((cl_command_buffer_khr)h->queue));
  EXPECT_CODE(CL_INVALID_COMMAND_BUFFER_KHR,
              cb.clGetCommandBufferInfoKHR(NULL, CL_COMMAND_BUFFER_STATE_KHR, sizeof number, &number, NULL));
}

// Every call that records, as a barrier or a copy would be: by number.
enum { RECORDERS = 9 };
static cl_int record(int call, cl_command_buffer_khr buffer, cl_command_queue queue, cl_kernel kernel, cl_mem a,
                     cl_mem b, cl_uint num_points, const cl_sync_point_khr *points, cl_mutable_command_khr *handle) {
  static const size_t zero[3] = {0, 0, 0}, region[3] = {4, 1, 1}, one = 1;
  static const cl_int pattern = 3;
  cl_sync_point_khr point;
  switch (call) {
    case 0:
      return cb.clCommandBarrierWithWaitListKHR(buffer, queue, num_points, points, &point, handle);
    case 1:
      return cb.clCommandCopyBufferKHR(buffer, queue, a, b, 0, 0, 4, num_points, points, &point, handle);
    case 2:
      return cb.clCommandCopyBufferRectKHR(buffer, queue, a, b, zero, zero, region, 0, 0, 0, 0, num_points, points,
                                           &point, handle);
    case 3:
      return cb.clCommandFillBufferKHR(buffer, queue, a, &pattern, 4, 0, 4, num_points, points, &point, handle);
    case 4:
      return cb.clCommandNDRangeKernelKHR(buffer, queue, NULL, kernel, 1, NULL, &one, NULL, num_points, points, &point,
                                          handle);
    case 5:
      return cb.clCommandCopyBufferToImageKHR(buffer, queue, a, b, 0, zero, region, num_points, points, &point, handle);
    case 6:
      return cb.clCommandCopyImageKHR(buffer, queue, a, b, zero, zero, region, num_points, points, &point, handle);
    case 7:
      return cb.clCommandCopyImageToBufferKHR(buffer, queue, a, b, zero, region, 0, num_points, points, &point, handle);
    default:
      return cb.clCommandFillImageKHR(buffer, queue, a, &pattern, zero, region, num_points, points, &point, handle);
  }
}

Test(command_buffers, recording_has_the_errors_of_the_text_in_its_order) {
  struct harness *h = harness();
  cl_program program = build(source, NULL);
  cl_kernel kernel = kernel_of(program, "spin"), unset = kernel_of(program, "add");
  cl_mem a = buffer_with(NULL, 64), b = buffer_with(NULL, 64);
  const cl_int rounds = 1;
  cl_int error;
  cl_mutable_command_khr handle = NULL;
  cl_context other = clCreateContext(NULL, 1, &h->device, NULL, NULL, &error);
  cl_mem foreign = clCreateBuffer(other, 0, 64, NULL, &error);
  EXPECT_SUCCESS(error);
  set_args(kernel, ARG(a), ARG(rounds), END_ARGS);
  cl_command_buffer_khr open = recorder(h->queue, false), closed = recorder(h->queue, false);
  EXPECT_SUCCESS(cb.clFinalizeCommandBufferKHR(closed));
  EXPECT_CODE(CL_INVALID_OPERATION, cb.clFinalizeCommandBufferKHR(closed));
  for (int call = 0; call < RECORDERS; call++) {
    const cl_sync_point_khr none = 0, future = 1000;
    EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, record(call, NULL, h->queue, NULL, NULL, NULL, 1, NULL, &handle));
    EXPECT_CODE(CL_INVALID_COMMAND_BUFFER_KHR, record(call, NULL, NULL, NULL, NULL, NULL, 1, NULL, &handle));
    EXPECT_CODE(CL_INVALID_OPERATION, record(call, closed, NULL, NULL, NULL, NULL, 1, NULL, &handle));
    EXPECT_CODE(CL_INVALID_VALUE, record(call, open, NULL, kernel, a, b, 1, NULL, &handle));
    EXPECT_CODE(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(call, open, NULL, kernel, a, b, 1, NULL, NULL));
    EXPECT_CODE(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(call, open, NULL, kernel, a, b, 0, &none, NULL));
    EXPECT_CODE(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(call, open, NULL, kernel, a, b, 1, &none, NULL));
    EXPECT_CODE(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, record(call, open, NULL, kernel, a, b, 1, &future, NULL));
    // Neither of them is an image.
    EXPECT_CODE(call < 5 ? CL_SUCCESS : CL_INVALID_MEM_OBJECT, record(call, open, NULL, kernel, a, b, 0, NULL, NULL));
    if (call >= 1 && call <= 3) {
      EXPECT_CODE(CL_INVALID_MEM_OBJECT, record(call, open, NULL, kernel, NULL, b, 0, NULL, NULL));
      EXPECT_CODE(CL_INVALID_CONTEXT, record(call, open, NULL, kernel, foreign, b, 0, NULL, NULL));
    }
  }
  const size_t one = 1, far = 64;
  const cl_ndrange_kernel_command_properties_khr properties[] = {0x7001, 1, 0}, empty[] = {0};
  EXPECT_CODE(CL_INVALID_VALUE,
              cb.clCommandNDRangeKernelKHR(open, NULL, properties, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(cb.clCommandNDRangeKernelKHR(open, NULL, empty, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_KERNEL, record(4, open, NULL, NULL, a, b, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_KERNEL_ARGS, record(4, open, NULL, unset, a, b, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_WORK_DIMENSION,
              cb.clCommandNDRangeKernelKHR(open, NULL, NULL, kernel, 4, NULL, &one, NULL, 0, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, cb.clCommandCopyBufferKHR(open, NULL, a, b, far, 0, 4, 0, NULL, NULL, NULL));
  EXPECT_CODE(CL_MEM_COPY_OVERLAP, cb.clCommandCopyBufferKHR(open, NULL, a, a, 0, 2, 4, 0, NULL, NULL, NULL));
  // What failed was not recorded.
  cl_sync_point_khr point = 0;
  EXPECT_SUCCESS(cb.clCommandBarrierWithWaitListKHR(open, NULL, 0, NULL, &point, NULL));
  if (point != 7)
    fail("five commands, one and a barrier: expected sync point 7, got %u", point);
}
