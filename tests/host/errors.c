// SPDX-License-Identifier: Apache-2.0
// The errors that OpenCL 3.0 lists, entry point by entry point, on the fake device: each row is a call and the code
// that it returns. What needs a state of its own is in api.c; what depends on a compiler, in tests/opencl.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools/error_name.h"
#include "tests/host/elf_builder.h"
#include "tests/host/fake_device.h"

static cl_platform_id platform;
static cl_device_id device;
static cl_context context, other_context;
static cl_command_queue queue;
static cl_mem memory, part, foreign;
static cl_program program;
static cl_kernel kernel;
static cl_event event, foreign_event;
static char bytes[256];
static size_t size;
static cl_int error;

#define OK(call) cr_assert_eq((call), CL_SUCCESS)

static void set_up(void) {
  static const struct built_kernel kernels[] = {{.name = "plain"},
                                                {.name = "fixed", .reqd_work_group_size = {4, 2, 1}}};
  const cl_buffer_region region = {128, 64};
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  other_context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
  memory = clCreateBuffer(context, 0, 256, NULL, NULL);
  part = clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
  foreign = clCreateBuffer(other_context, 0, 256, NULL, NULL);
  event = clCreateUserEvent(context, NULL);
  foreign_event = clCreateUserEvent(other_context, NULL);
  size_t length;
  uint8_t *elf = build_elf(kernels, 2, "rv32im_zicsr", &length);
  const unsigned char *binary = elf;
  program = clCreateProgramWithBinary(context, 1, &device, &length, &binary, NULL, &error);
  OK(error);
  OK(clBuildProgram(program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL));
  free(elf);
  kernel = clCreateKernel(program, "plain", &error);
  OK(error);
}

static void tear_down(void) {
  OK(clSetUserEventStatus(event, CL_COMPLETE));
  OK(clSetUserEventStatus(foreign_event, CL_COMPLETE));
  OK(clReleaseEvent(event));
  OK(clReleaseEvent(foreign_event));
  OK(clReleaseKernel(kernel));
  OK(clReleaseProgram(program));
  OK(clReleaseMemObject(part));
  OK(clReleaseMemObject(memory));
  OK(clReleaseMemObject(foreign));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseContext(other_context));
  OK(clReleaseContext(context));
}

// cppcheck-suppress unknownMacro
TestSuite(errors, .init = set_up, .fini = tear_down);

struct row {
  const char *call;
  cl_int expected, got;
};

// A call that returns its code, and one that leaves it in `error`, and may not return an object.
#define ROW(expected, call) {#call, expected, (call)}
#define MADE(expected, call) {#call, expected, (error = CL_SUCCESS, (call) ? CL_SUCCESS : error)}
// Calls are made in the order of the rows.
#define CHECK(...)                                                                         \
  do {                                                                                     \
    const struct row rows[] = {__VA_ARGS__};                                               \
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)                                \
      cr_expect_eq(rows[i].got, rows[i].expected, "%s: expected %s, got %s", rows[i].call, \
                   error_name(rows[i].expected), error_name(rows[i].got));                 \
  } while (0)

#define NONE(type) ((type)(uintptr_t)bytes)
#define WAIT(count, list) count, list
static const size_t zero3[3] = {0, 0, 0}, one3[3] = {1, 1, 1}, odd3[3] = {1, 0, 1};
static const size_t far3[3] = {256, 0, 0}, box3[3] = {8, 2, 2}, row3[3] = {64, 0, 0}, next3[3] = {16, 0, 0};

static void CL_CALLBACK on_program(cl_program of, void *user) {
  (void)of, (void)user;
}
static void CL_CALLBACK on_memory(cl_mem of, void *user) {
  (void)of, (void)user;
}
static void CL_CALLBACK on_context(cl_context of, void *user) {
  (void)of, (void)user;
}
static void CL_CALLBACK on_event(cl_event of, cl_int status, void *user) {
  (void)of, (void)status, (void)user;
}
static void CL_CALLBACK native(void *arguments) {
  (void)arguments;
}

Test(errors, of_platform_and_device) {
  cl_uint count;
  cl_device_id found[2];
  cl_ulong time;
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  CHECK(ROW(CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL)),
        ROW(CL_INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL)),
        ROW(CL_INVALID_PLATFORM, clGetPlatformInfo(NONE(cl_platform_id), CL_PLATFORM_NAME, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, bytes, &size)),
        ROW(CL_INVALID_PLATFORM, clGetDeviceIDs(NONE(cl_platform_id), CL_DEVICE_TYPE_ALL, 2, found, &count)),
        ROW(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 2, found, &count)),
        ROW(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, found, &count)),
        ROW(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL)),
        ROW(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 2, found, &count)),
        ROW(CL_INVALID_DEVICE, clGetDeviceInfo(NONE(cl_device_id), CL_DEVICE_TYPE, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_TYPE, 4, bytes, &size)),
        ROW(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(NULL, &time, &time)),
        ROW(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, &time)),
        ROW(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &time, NULL)),
        ROW(CL_INVALID_DEVICE, clGetHostTimer(NULL, &time)), ROW(CL_INVALID_VALUE, clGetHostTimer(device, NULL)),
        ROW(CL_INVALID_DEVICE, clCreateSubDevices(NULL, equally, 2, found, &count)),
        ROW(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 2, found, &count)),
        ROW(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(device, equally, 2, found, &count)),
        ROW(CL_INVALID_DEVICE, clRetainDevice(NULL)), ROW(CL_INVALID_DEVICE, clReleaseDevice(NULL)),
        ROW(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(NULL)));
  cr_expect_null(clGetExtensionFunctionAddressForPlatform(NONE(cl_platform_id), "clIcdGetPlatformIDsKHR"));
  cr_expect_null(clGetExtensionFunctionAddressForPlatform(platform, "clNothing"));
}

Test(errors, of_contexts) {
  const cl_context_properties unknown[] = {0x7001, 1, 0}, wrong[] = {CL_CONTEXT_PLATFORM, 1, 0};
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, CL_CONTEXT_PLATFORM,
                                         (cl_context_properties)platform, 0};
  const cl_context_properties sync[] = {CL_CONTEXT_INTEROP_USER_SYNC, 7, 0};
  const cl_device_id none = NONE(cl_device_id);
  CHECK(MADE(CL_INVALID_PLATFORM, clCreateContext(wrong, 1, &device, NULL, NULL, &error)),
        MADE(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &error)),
        MADE(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &error)),
        MADE(CL_INVALID_PROPERTY, clCreateContext(sync, 1, &device, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateContext(NULL, 0, &device, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateContext(NULL, 1, &device, NULL, bytes, &error)),
        MADE(CL_INVALID_DEVICE, clCreateContext(NULL, 1, &none, NULL, NULL, &error)),
        MADE(CL_INVALID_PLATFORM, clCreateContextFromType(wrong, CL_DEVICE_TYPE_ALL, NULL, NULL, &error)),
        MADE(CL_INVALID_PROPERTY, clCreateContextFromType(unknown, CL_DEVICE_TYPE_ALL, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, bytes, &error)),
        MADE(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(NULL, 1 << 9, NULL, NULL, &error)),
        MADE(CL_DEVICE_NOT_FOUND, clCreateContextFromType(NULL, CL_DEVICE_TYPE_CPU, NULL, NULL, &error)),
        ROW(CL_INVALID_CONTEXT, clRetainContext(NULL)), ROW(CL_INVALID_CONTEXT, clReleaseContext(NULL)),
        ROW(CL_INVALID_CONTEXT, clGetContextInfo(NULL, CL_CONTEXT_DEVICES, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetContextInfo(context, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetContextInfo(context, CL_CONTEXT_DEVICES, 1, bytes, &size)),
        ROW(CL_INVALID_CONTEXT, clSetContextDestructorCallback(NULL, on_context, NULL)),
        ROW(CL_INVALID_VALUE, clSetContextDestructorCallback(context, NULL, NULL)));
}

Test(errors, of_queues) {
  const cl_queue_properties unknown[] = {0x7001, 1, 0}, bits[] = {CL_QUEUE_PROPERTIES, 1 << 12, 0};
  const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES,
                                           CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue_properties before;
  CHECK(MADE(CL_INVALID_CONTEXT, clCreateCommandQueueWithProperties(NULL, device, NULL, &error)),
        MADE(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(context, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, unknown, &error)),
        MADE(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, bits, &error)),
        MADE(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueueWithProperties(context, device, on_device, &error)),
        MADE(CL_INVALID_CONTEXT, clCreateCommandQueue(NULL, device, 0, &error)),
        MADE(CL_INVALID_DEVICE, clCreateCommandQueue(context, NULL, 0, &error)),
        MADE(CL_INVALID_VALUE, clCreateCommandQueue(context, device, 1 << 12, &error)),
        ROW(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, device, queue)),
        ROW(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, NULL, queue)),
        ROW(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(context, device, queue)),
        ROW(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(NULL, CL_QUEUE_CONTEXT, 0, NULL, &size)),
        ROW(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 1, bytes, &size)),
        ROW(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty(NULL, 0, CL_TRUE, &before)),
        ROW(CL_INVALID_OPERATION, clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &before)),
        ROW(CL_INVALID_COMMAND_QUEUE, clFlush(NULL)), ROW(CL_INVALID_COMMAND_QUEUE, clFinish(NULL)));
}

Test(errors, of_memory_objects) {
  const cl_mem_properties unknown[] = {0x7001, 1, 0};
  const cl_buffer_region good = {0, 64}, none = {0, 0}, outside = {128, 129}, odd = {4, 64};
  CHECK(
      MADE(CL_INVALID_CONTEXT, clCreateBuffer(NULL, 0, 16, NULL, &error)),
      MADE(CL_INVALID_PROPERTY, clCreateBufferWithProperties(context, unknown, 0, 16, NULL, &error)),
      MADE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, 16, NULL, &error)),
      MADE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 16, bytes, &error)),
      MADE(CL_INVALID_VALUE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 16, bytes, &error)),
      MADE(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &error)),
      MADE(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 16, NULL, &error)),
      MADE(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 16, bytes, &error)),
      MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(NULL, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &error)),
      MADE(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &error)),
      MADE(CL_INVALID_VALUE,
           clCreateSubBuffer(memory, CL_MEM_USE_HOST_PTR, CL_BUFFER_CREATE_TYPE_REGION, &good, &error)),
      MADE(CL_INVALID_VALUE, clCreateSubBuffer(memory, 0, 0x7001, &good, &error)),
      MADE(CL_INVALID_VALUE, clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &error)),
      MADE(CL_INVALID_VALUE, clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &error)),
      MADE(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &none, &error)),
      MADE(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error)),
      MADE(CL_INVALID_CONTEXT, clCreatePipe(NULL, 0, 4, 4, NULL, &error)),
      MADE(CL_INVALID_OPERATION, clCreatePipe(context, 0, 4, 4, NULL, &error)),
      ROW(CL_INVALID_MEM_OBJECT, clGetPipeInfo(memory, CL_PIPE_MAX_PACKETS, 0, NULL, &size)),
      ROW(CL_INVALID_MEM_OBJECT, clRetainMemObject(NULL)), ROW(CL_INVALID_MEM_OBJECT, clReleaseMemObject(NULL)),
      ROW(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(NULL, CL_MEM_SIZE, 0, NULL, &size)),
      ROW(CL_INVALID_VALUE, clGetMemObjectInfo(memory, 0x7001, 0, NULL, &size)),
      ROW(CL_INVALID_VALUE, clGetMemObjectInfo(memory, CL_MEM_SIZE, 1, bytes, &size)),
      ROW(CL_INVALID_MEM_OBJECT, clSetMemObjectDestructorCallback(NULL, on_memory, NULL)),
      ROW(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(memory, NULL, NULL)));
}

Test(errors, of_reads_and_writes) {
  CHECK(ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(NULL, memory, 1, 0, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, foreign, 1, 0, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, memory, 1, 0, 4, bytes, 1, &foreign_event, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, NULL, 1, 0, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, memory, 1, 253, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, memory, 1, 0, 4, NULL, 0, NULL, NULL)),
        ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, memory, 1, 0, 4, bytes, 1, NULL, NULL)),
        ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, memory, 1, 0, 4, bytes, 0, &event, NULL)),
        ROW(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueReadBuffer(queue, memory, 1, 0, 4, bytes, 1, &NONE(cl_event *)[0], NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBuffer(NULL, memory, 1, 0, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_CONTEXT, clEnqueueWriteBuffer(queue, foreign, 1, 0, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_CONTEXT, clEnqueueWriteBuffer(queue, memory, 1, 0, 4, bytes, 1, &foreign_event, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(queue, NULL, 1, 0, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, part, 1, 61, 4, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, memory, 1, 0, 4, NULL, 0, NULL, NULL)),
        ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueWriteBuffer(queue, memory, 1, 0, 4, bytes, 0, &event, NULL)));
#define READ_RECT(q, m, origin, region, row, slice, host) \
  clEnqueueReadBufferRect(q, m, 1, origin, zero3, region, row, slice, 0, 0, host, 0, NULL, NULL)
#define WRITE_RECT(q, m, origin, region, row, slice, host) \
  clEnqueueWriteBufferRect(q, m, 1, origin, zero3, region, row, slice, 0, 0, host, 0, NULL, NULL)
#define RECT_ROWS(RECT)                                                              \
  CHECK(ROW(CL_INVALID_COMMAND_QUEUE, RECT(NULL, memory, zero3, one3, 0, 0, bytes)), \
        ROW(CL_INVALID_CONTEXT, RECT(queue, foreign, zero3, one3, 0, 0, bytes)),     \
        ROW(CL_INVALID_MEM_OBJECT, RECT(queue, NULL, zero3, one3, 0, 0, bytes)),     \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, far3, one3, 0, 0, bytes)),         \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, zero3, odd3, 0, 0, bytes)),        \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, zero3, one3, 0, 0, NULL)),         \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, NULL, one3, 0, 0, bytes)),         \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, zero3, NULL, 0, 0, bytes)),        \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, zero3, box3, 7, 0, bytes)),        \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, zero3, box3, 8, 15, bytes)),       \
        ROW(CL_INVALID_VALUE, RECT(queue, memory, zero3, box3, 8, SIZE_MAX, bytes)))
  RECT_ROWS(READ_RECT);
  RECT_ROWS(WRITE_RECT);
}

Test(errors, of_copies_fills_and_migration) {
  const cl_mem list[] = {memory, NULL}, mixed[] = {memory, foreign};
#define COPY(q, from, to, a, b, n) clEnqueueCopyBuffer(q, from, to, a, b, n, 0, NULL, NULL)
#define FILL(q, m, pattern, n, at, length) clEnqueueFillBuffer(q, m, pattern, n, at, length, 0, NULL, NULL)
#define BOX(q, from, to, a, b, region, row, slice, to_row) \
  clEnqueueCopyBufferRect(q, from, to, a, b, region, row, slice, to_row, 0, 0, NULL, NULL)
  CHECK(ROW(CL_INVALID_COMMAND_QUEUE, COPY(NULL, memory, part, 0, 0, 4)),
        ROW(CL_INVALID_CONTEXT, COPY(queue, memory, foreign, 0, 0, 4)),
        ROW(CL_INVALID_CONTEXT, COPY(queue, foreign, memory, 0, 0, 4)),
        ROW(CL_INVALID_MEM_OBJECT, COPY(queue, NULL, memory, 0, 0, 4)),
        ROW(CL_INVALID_MEM_OBJECT, COPY(queue, memory, NULL, 0, 0, 4)),
        ROW(CL_INVALID_VALUE, COPY(queue, memory, part, 0, 61, 4)),
        ROW(CL_INVALID_VALUE, COPY(queue, part, memory, 61, 0, 4)),
        ROW(CL_MEM_COPY_OVERLAP, COPY(queue, memory, memory, 0, 3, 4)),
        ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCopyBuffer(queue, memory, part, 0, 0, 4, 1, NULL, NULL)),
        ROW(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(queue, memory, part, 0, 0, 4, 1, &foreign_event, NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, BOX(NULL, memory, part, zero3, zero3, one3, 0, 0, 0)),
        ROW(CL_INVALID_CONTEXT, BOX(queue, memory, foreign, zero3, zero3, one3, 0, 0, 0)),
        ROW(CL_INVALID_MEM_OBJECT, BOX(queue, memory, NULL, zero3, zero3, one3, 0, 0, 0)),
        ROW(CL_INVALID_VALUE, BOX(queue, memory, part, zero3, NULL, one3, 0, 0, 0)),
        ROW(CL_INVALID_VALUE, BOX(queue, memory, part, zero3, zero3, odd3, 0, 0, 0)),
        ROW(CL_INVALID_VALUE, BOX(queue, memory, part, zero3, row3, one3, 0, 0, 0)),
        ROW(CL_INVALID_VALUE, BOX(queue, memory, memory, zero3, next3, one3, 8, 0, 16)),
        ROW(CL_MEM_COPY_OVERLAP, BOX(queue, memory, memory, zero3, zero3, one3, 8, 0, 8)),
        ROW(CL_INVALID_COMMAND_QUEUE, FILL(NULL, memory, bytes, 4, 0, 8)),
        ROW(CL_INVALID_CONTEXT, FILL(queue, foreign, bytes, 4, 0, 8)),
        ROW(CL_INVALID_CONTEXT, clEnqueueFillBuffer(queue, memory, bytes, 4, 0, 8, 1, &foreign_event, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, FILL(queue, NULL, bytes, 4, 0, 8)),
        ROW(CL_INVALID_VALUE, FILL(queue, memory, bytes, 4, 256, 8)),
        ROW(CL_INVALID_VALUE, FILL(queue, memory, NULL, 4, 0, 8)),
        ROW(CL_INVALID_VALUE, FILL(queue, memory, bytes, 0, 0, 8)),
        ROW(CL_INVALID_VALUE, FILL(queue, memory, bytes, 256, 0, 256)),
        ROW(CL_INVALID_VALUE, FILL(queue, memory, bytes, 12, 0, 24)),
        ROW(CL_INVALID_VALUE, FILL(queue, memory, bytes, 8, 4, 8)),
        ROW(CL_INVALID_VALUE, FILL(queue, memory, bytes, 8, 8, 12)),
        ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillBuffer(queue, memory, bytes, 4, 0, 8, 1, NULL, NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueMigrateMemObjects(NULL, 1, list, 0, 0, NULL, NULL)),
        ROW(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 2, mixed, 0, 0, NULL, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(queue, 2, list, 0, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, list, 0, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, NULL, 0, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, list, 1 << 5, 0, NULL, NULL)),
        ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMigrateMemObjects(queue, 1, list, 0, 1, NULL, NULL)));
}

Test(errors, of_mappings) {
#define MAP(q, m, flags, at, n) clEnqueueMapBuffer(q, m, CL_TRUE, flags, at, n, 0, NULL, NULL, &error)
  cl_mem write_only = clCreateBuffer(context, CL_MEM_HOST_WRITE_ONLY, 64, NULL, NULL);
  cl_mem read_only = clCreateBuffer(context, CL_MEM_HOST_READ_ONLY, 64, NULL, NULL);
  CHECK(
      MADE(CL_INVALID_COMMAND_QUEUE, MAP(NULL, memory, CL_MAP_READ, 0, 4)),
      MADE(CL_INVALID_CONTEXT, MAP(queue, foreign, CL_MAP_READ, 0, 4)),
      MADE(CL_INVALID_CONTEXT,
           clEnqueueMapBuffer(queue, memory, 1, CL_MAP_READ, 0, 4, 1, &foreign_event, NULL, &error)),
      MADE(CL_INVALID_MEM_OBJECT, MAP(queue, NULL, CL_MAP_READ, 0, 4)),
      MADE(CL_INVALID_VALUE, MAP(queue, memory, CL_MAP_READ, 253, 4)),
      MADE(CL_INVALID_VALUE, MAP(queue, memory, CL_MAP_READ, 0, 0)),
      MADE(CL_INVALID_VALUE, MAP(queue, memory, 1 << 9, 0, 4)),
      MADE(CL_INVALID_VALUE, MAP(queue, memory, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4)),
      MADE(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMapBuffer(queue, memory, 1, CL_MAP_READ, 0, 4, 1, NULL, NULL, &error)),
      MADE(CL_INVALID_OPERATION, MAP(queue, write_only, CL_MAP_READ, 0, 4)),
      MADE(CL_INVALID_OPERATION, MAP(queue, read_only, CL_MAP_WRITE, 0, 4)),
      MADE(CL_INVALID_OPERATION, MAP(queue, read_only, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4)),
      ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueUnmapMemObject(NULL, memory, bytes, 0, NULL, NULL)),
      ROW(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, NULL, bytes, 0, NULL, NULL)),
      ROW(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, memory, bytes, 0, NULL, NULL)),
      ROW(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, memory, NULL, 0, NULL, NULL)),
      ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueUnmapMemObject(queue, memory, bytes, 1, NULL, NULL)),
      ROW(CL_INVALID_CONTEXT, clEnqueueUnmapMemObject(queue, foreign, bytes, 0, NULL, NULL)));
  OK(clReleaseMemObject(write_only));
  OK(clReleaseMemObject(read_only));
}

Test(errors, of_programs) {
  const char *text = "kernel void k(void) {}", *nothing = NULL, *names[] = {"h", NULL};
  const unsigned char *binary = (const unsigned char *)bytes, *no_binary = NULL;
  const size_t length = sizeof bytes, no_length = 0;
  cl_program source = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  OK(error);
  CHECK(MADE(CL_INVALID_CONTEXT, clCreateProgramWithSource(NULL, 1, &text, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, &text, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, &nothing, NULL, &error)),
        MADE(CL_INVALID_CONTEXT, clCreateProgramWithIL(NULL, bytes, 4, &error)),
        MADE(CL_INVALID_CONTEXT, clCreateProgramWithBinary(NULL, 1, &device, &length, &binary, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 0, &device, &length, &binary, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, NULL, &length, &binary, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, NULL, &binary, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &length, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &no_length, &binary, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &length, &no_binary, NULL, &error)),
        MADE(CL_INVALID_DEVICE,
             clCreateProgramWithBinary(context, 1, &NONE(cl_device_id *)[0], &length, &binary, NULL, &error)),
        MADE(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &length, &binary, NULL, &error)),
        MADE(CL_INVALID_CONTEXT, clCreateProgramWithBuiltInKernels(NULL, 1, &device, "k", &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 0, &device, "k", &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &error)),
        MADE(CL_INVALID_DEVICE, clCreateProgramWithBuiltInKernels(context, 1, &NONE(cl_device_id *)[0], "k", &error)),
        ROW(CL_INVALID_PROGRAM, clRetainProgram(NULL)), ROW(CL_INVALID_PROGRAM, clReleaseProgram(NULL)),
        ROW(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(NULL, on_program, NULL)),
        ROW(CL_INVALID_VALUE, clSetProgramReleaseCallback(source, NULL, NULL)),
        ROW(CL_INVALID_OPERATION, clSetProgramReleaseCallback(source, on_program, NULL)),
        ROW(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(NULL, 0, 4, bytes)),
        ROW(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(source, 0, 4, bytes)),
        ROW(CL_INVALID_PROGRAM, clBuildProgram(NULL, 0, NULL, NULL, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clBuildProgram(source, 1, NULL, NULL, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clBuildProgram(source, 0, &device, NULL, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clBuildProgram(source, 0, NULL, NULL, NULL, bytes)),
        ROW(CL_INVALID_DEVICE, clBuildProgram(source, 1, &NONE(cl_device_id *)[0], NULL, NULL, NULL)),
        ROW(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, NULL, NULL, NULL)),
        ROW(CL_INVALID_PROGRAM, clCompileProgram(NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clCompileProgram(source, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clCompileProgram(source, 0, NULL, NULL, 1, NULL, NULL, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clCompileProgram(source, 0, NULL, NULL, 0, &source, names, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clCompileProgram(source, 0, NULL, NULL, 1, &source, NULL, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clCompileProgram(source, 0, NULL, NULL, 0, NULL, NULL, NULL, bytes)),
        ROW(CL_INVALID_DEVICE, clCompileProgram(source, 1, &NONE(cl_device_id *)[0], NULL, 0, NULL, NULL, NULL, NULL)),
        ROW(CL_INVALID_OPERATION, clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL)),
        MADE(CL_INVALID_CONTEXT, clLinkProgram(NULL, 0, NULL, NULL, 1, &source, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clLinkProgram(context, 1, NULL, NULL, 1, &source, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clLinkProgram(context, 0, &device, NULL, 1, &source, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 0, &source, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 1, NULL, NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 1, &source, NULL, bytes, &error)),
        MADE(CL_INVALID_PROGRAM, clLinkProgram(context, 0, NULL, NULL, 1, &NONE(cl_program *)[0], NULL, NULL, &error)),
        MADE(CL_INVALID_DEVICE,
             clLinkProgram(context, 1, &NONE(cl_device_id *)[0], NULL, 1, &source, NULL, NULL, &error)),
        ROW(CL_INVALID_PROGRAM, clGetProgramInfo(NULL, CL_PROGRAM_SOURCE, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetProgramInfo(source, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetProgramInfo(source, CL_PROGRAM_SOURCE, 1, bytes, &size)),
        ROW(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(source, CL_PROGRAM_NUM_KERNELS, 0, NULL, &size)),
        ROW(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(source, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size)),
        ROW(CL_INVALID_PROGRAM, clGetProgramBuildInfo(NULL, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size)),
        ROW(CL_INVALID_DEVICE, clGetProgramBuildInfo(source, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetProgramBuildInfo(source, device, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetProgramBuildInfo(source, device, CL_PROGRAM_BUILD_STATUS, 1, bytes, &size)));
  OK(clReleaseProgram(source));
}

Test(errors, of_kernels) {
  const char *text = "kernel void k(void) {}";
  cl_program source = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  cl_kernel made[2];
  cl_uint count;
  OK(error);
  CHECK(MADE(CL_INVALID_PROGRAM, clCreateKernel(NULL, "plain", &error)),
        MADE(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(source, "k", &error)),
        MADE(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "missing", &error)),
        MADE(CL_INVALID_VALUE, clCreateKernel(program, NULL, &error)),
        ROW(CL_INVALID_PROGRAM, clCreateKernelsInProgram(NULL, 2, made, &count)),
        ROW(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(source, 2, made, &count)),
        ROW(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, made, &count)),
        MADE(CL_INVALID_KERNEL, clCloneKernel(NULL, &error)), ROW(CL_INVALID_KERNEL, clRetainKernel(NULL)),
        ROW(CL_INVALID_KERNEL, clReleaseKernel(NULL)), ROW(CL_INVALID_KERNEL, clSetKernelArg(NULL, 0, 4, bytes)),
        ROW(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 4, 4, bytes)),
        ROW(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, 4, NULL)),
        ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 8, bytes)),
        ROW(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof queue, &queue)),
        ROW(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof foreign, &foreign)),
        ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 4, &memory)),
        ROW(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 0, NULL)),
        ROW(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, 4, bytes)),
        ROW(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(NULL, 1, bytes)),
        ROW(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(kernel, 99, bytes)),
        ROW(CL_INVALID_KERNEL, clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL)),
        ROW(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof bytes, bytes)),
        ROW(CL_INVALID_KERNEL, clGetKernelInfo(NULL, CL_KERNEL_NUM_ARGS, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetKernelInfo(kernel, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, 1, bytes, &size)),
        ROW(CL_INVALID_KERNEL, clGetKernelArgInfo(NULL, 0, CL_KERNEL_ARG_NAME, 0, NULL, &size)),
        ROW(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 4, CL_KERNEL_ARG_NAME, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, 1, bytes, &size)),
        ROW(CL_INVALID_KERNEL, clGetKernelWorkGroupInfo(NULL, device, CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, &size)),
        ROW(CL_INVALID_DEVICE,
            clGetKernelWorkGroupInfo(kernel, NONE(cl_device_id), CL_KERNEL_WORK_GROUP_SIZE, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, 0x7001, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE, 0, NULL, &size)),
        ROW(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, 1, bytes, &size)));
  OK(clReleaseProgram(source));
}

Test(errors, of_enqueueing_kernels) {
  const cl_uint n = 1;
  const size_t eight[3] = {8, 8, 8}, huge[1] = {(size_t)1 << 32}, far[1] = {UINT32_MAX - 3}, none[1] = {0};
  cl_kernel fixed = clCreateKernel(program, "fixed", &error), unset = clCreateKernel(program, "plain", NULL);
#define ENQUEUE(q, k, dim, offset, global, local) \
  clEnqueueNDRangeKernel(q, k, dim, offset, global, local, 0, NULL, NULL)
  for (int i = 0; i < 2; i++) {
    cl_kernel of = i == 0 ? kernel : fixed;
    OK(clSetKernelArg(of, 0, sizeof n, &n));
    OK(clSetKernelArg(of, 1, sizeof memory, &memory));
    OK(clSetKernelArg(of, 2, sizeof memory, NULL));
    OK(clSetKernelArg(of, 3, 64, NULL));
  }
  cl_command_queue other = clCreateCommandQueueWithProperties(other_context, device, NULL, NULL);
  CHECK(ROW(CL_INVALID_COMMAND_QUEUE, ENQUEUE(NULL, kernel, 1, NULL, eight, NULL)),
        ROW(CL_INVALID_KERNEL, ENQUEUE(queue, NULL, 1, NULL, eight, NULL)),
        ROW(CL_INVALID_CONTEXT, ENQUEUE(other, kernel, 1, NULL, eight, NULL)),
        ROW(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, eight, NULL, 1, &foreign_event, NULL)),
        ROW(CL_INVALID_KERNEL_ARGS, ENQUEUE(queue, unset, 1, NULL, eight, NULL)),
        ROW(CL_INVALID_WORK_DIMENSION, ENQUEUE(queue, kernel, 0, NULL, eight, NULL)),
        ROW(CL_INVALID_WORK_DIMENSION, ENQUEUE(queue, kernel, 4, NULL, eight, NULL)),
        ROW(CL_INVALID_GLOBAL_WORK_SIZE, ENQUEUE(queue, kernel, 1, NULL, huge, NULL)),
        ROW(CL_INVALID_GLOBAL_OFFSET, ENQUEUE(queue, kernel, 1, far, eight, NULL)),
        ROW(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(queue, fixed, 2, NULL, eight, eight)),
        ROW(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(queue, fixed, 1, NULL, eight, NULL)),
        ROW(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(queue, kernel, 3, NULL, eight, eight)),
        ROW(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(queue, kernel, 1, NULL, eight, none)),
        ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, eight, NULL, 1, NULL, NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueTask(NULL, kernel, 0, NULL, NULL)),
        ROW(CL_INVALID_KERNEL, clEnqueueTask(queue, NULL, 0, NULL, NULL)),
        ROW(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, unset, 0, NULL, NULL)),
        ROW(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, fixed, 0, NULL, NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueNativeKernel(NULL, native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL)),
        ROW(CL_INVALID_OPERATION, clEnqueueNativeKernel(queue, native, NULL, 0, 0, NULL, NULL, 0, NULL, NULL)));
  OK(clReleaseCommandQueue(other));
  OK(clReleaseKernel(fixed));
  OK(clReleaseKernel(unset));
}

Test(errors, of_events) {
  const cl_event list[] = {event, NULL}, mixed[] = {event, foreign_event};
  cl_event marker;
  OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
  CHECK(
      MADE(CL_INVALID_CONTEXT, clCreateUserEvent(NULL, &error)),
      ROW(CL_INVALID_EVENT, clSetUserEventStatus(NULL, CL_COMPLETE)),
      ROW(CL_INVALID_EVENT, clSetUserEventStatus(marker, CL_COMPLETE)),
      ROW(CL_INVALID_VALUE, clSetUserEventStatus(event, CL_QUEUED)), ROW(CL_INVALID_VALUE, clWaitForEvents(0, list)),
      ROW(CL_INVALID_VALUE, clWaitForEvents(1, NULL)), ROW(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed)),
      ROW(CL_INVALID_EVENT, clWaitForEvents(2, list)),
      ROW(CL_INVALID_EVENT, clGetEventInfo(NULL, CL_EVENT_CONTEXT, 0, NULL, &size)),
      ROW(CL_INVALID_VALUE, clGetEventInfo(event, 0x7001, 0, NULL, &size)),
      ROW(CL_INVALID_VALUE, clGetEventInfo(event, CL_EVENT_CONTEXT, 1, bytes, &size)),
      ROW(CL_INVALID_EVENT, clSetEventCallback(NULL, CL_COMPLETE, on_event, NULL)),
      ROW(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, NULL, NULL)),
      ROW(CL_INVALID_VALUE, clSetEventCallback(event, CL_QUEUED, on_event, NULL)),
      ROW(CL_INVALID_VALUE, clSetEventCallback(event, -1, on_event, NULL)), ROW(CL_INVALID_EVENT, clRetainEvent(NULL)),
      ROW(CL_INVALID_EVENT, clReleaseEvent(NULL)),
      ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(NULL, 0, NULL, NULL)),
      ROW(CL_INVALID_CONTEXT, clEnqueueMarkerWithWaitList(queue, 1, &foreign_event, NULL)),
      ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL)),
      ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(queue, 2, list, NULL)),
      ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(NULL, 0, NULL, NULL)),
      ROW(CL_INVALID_CONTEXT, clEnqueueBarrierWithWaitList(queue, 1, &foreign_event, NULL)),
      ROW(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue, 0, list, NULL)),
      ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(NULL, &marker)),
      ROW(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL)), ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(NULL)),
      ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(NULL, 1, list)),
      ROW(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, list)),
      ROW(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 1, &foreign_event)),
      ROW(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 2, list)),
      ROW(CL_INVALID_EVENT, clGetEventProfilingInfo(NULL, CL_PROFILING_COMMAND_END, 8, bytes, NULL)),
      ROW(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, bytes, NULL)),
      ROW(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(marker, CL_PROFILING_COMMAND_END, 8, bytes, NULL)));
  OK(clReleaseEvent(marker));
}

Test(errors, of_images_and_of_what_the_device_lacks) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  void *pointer = bytes;
  cl_uint count;
#define AT queue, memory
  // More on images is in tests/opencl/image_errors.c.
  CHECK(MADE(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &format, &desc, NULL, &error)),
        MADE(CL_INVALID_CONTEXT, clCreateSamplerWithProperties(NULL, NULL, &error)),
        MADE(CL_INVALID_VALUE, clCreateSampler(context, 2, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error)),
        ROW(CL_INVALID_CONTEXT, clGetSupportedImageFormats(NULL, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count)),
        ROW(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 1 << 14, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count)),
        ROW(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                                         CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count)),
        ROW(CL_SUCCESS,
            clGetSupportedImageFormats(context, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count)),
        ROW(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &count)),
        ROW(CL_INVALID_VALUE,
            clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, (cl_image_format *)bytes, &count)),
        ROW(CL_INVALID_MEM_OBJECT, clGetImageInfo(memory, CL_IMAGE_WIDTH, 0, NULL, &size)),
        ROW(CL_INVALID_SAMPLER, clRetainSampler(NULL)), ROW(CL_INVALID_SAMPLER, clReleaseSampler(NULL)),
        ROW(CL_INVALID_SAMPLER, clGetSamplerInfo(NULL, CL_SAMPLER_CONTEXT, 0, NULL, &size)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(AT, 1, zero3, one3, 0, 0, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueWriteImage(AT, 1, zero3, one3, 0, 0, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueFillImage(AT, bytes, zero3, one3, 0, NULL, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueCopyImage(AT, memory, zero3, zero3, one3, 0, NULL, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer(AT, memory, zero3, one3, 0, 0, NULL, NULL)),
        ROW(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(AT, memory, 0, zero3, one3, 0, NULL, NULL)),
        MADE(CL_INVALID_MEM_OBJECT,
             clEnqueueMapImage(AT, 1, CL_MAP_READ, zero3, one3, &size, &size, 0, NULL, NULL, &error)),
        ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueReadImage(NULL, memory, 1, zero3, one3, 0, 0, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMFree(NULL, 1, &pointer, NULL, NULL, 0, NULL, NULL)),
        // More on shared virtual memory is in tests/opencl/svm.c.
        ROW(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, 1, NULL, bytes + 8, 4, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, bytes, bytes, 3, 8, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueSVMMap(queue, 1, CL_MAP_READ, bytes, 8, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, bytes, 0, NULL, NULL)),
        ROW(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 1, (const void **)&pointer, NULL, 0, 0, NULL, NULL)));
  cr_expect_null(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
}

static void CL_CALLBACK note(const char *text, const void *info, size_t info_bytes, void *user) {
  (void)info, (void)info_bytes;
  strncat(user, text, 100);
}

// What $HEDDLE_DEVICE_TYPE says, in every query and by every way to ask; the variable is read once in a process.
static void expect_type(const char *text, cl_device_type type) {
  const cl_device_type asked[] = {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR};
  cl_device_type told = 0;
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  if (text)
    setenv("HEDDLE_DEVICE_TYPE", text, 1);
  else
    unsetenv("HEDDLE_DEVICE_TYPE");
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
  OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof told, &told, NULL));
  cr_expect_eq(told, type);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
    cl_device_id found = NULL;
    const bool there = (type & asked[i]) != 0;
    cr_expect_eq(clGetDeviceIDs(platform, asked[i], 1, &found, NULL), there ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
    cr_expect_eq(found, there ? device : NULL);
    cl_context made = clCreateContextFromType(NULL, asked[i], NULL, NULL, &error);
    cr_expect_eq(error, there ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
    if (made)
      OK(clReleaseContext(made));
  }
  cl_uint count = 0;
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count));
  cr_expect_eq(count, 1);
}

Test(device_type, is_accelerator_by_default) {
  expect_type(NULL, CL_DEVICE_TYPE_ACCELERATOR);
}

Test(device_type, can_be_said_to_be_accelerator) {
  expect_type("accelerator", CL_DEVICE_TYPE_ACCELERATOR);
}

Test(device_type, can_be_said_to_be_gpu) {
  expect_type("gpu", CL_DEVICE_TYPE_GPU);
}

Test(device_type, can_be_said_to_be_both) {
  expect_type("all", CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR);
}

Test(device_type, that_is_none_keeps_the_device_from_being_opened) {
  char notes[256] = "";
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  setenv("HEDDLE_DEVICE_TYPE", "cpu", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cr_expect_null(clCreateContext(NULL, 1, &device, note, notes, &error));
  cr_expect_eq(error, CL_DEVICE_NOT_AVAILABLE);
  cr_expect_str_eq(notes, "HEDDLE_DEVICE_TYPE must be accelerator, gpu or all, not 'cpu'");
}

// What the platform is called; the variable is read once in a process.
static void expect_platform(const char *text, const char *name) {
  char told[128] = "", vendor[128] = "";
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  if (text)
    setenv("HEDDLE_PLATFORM_NAME", text, 1);
  else
    unsetenv("HEDDLE_PLATFORM_NAME");
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof told, told, NULL));
  OK(clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof vendor, vendor, NULL));
  cr_expect_str_eq(told, name);
  cr_expect_str_eq(vendor, "Heddle");
}

Test(platform_name, is_heddle_by_default) {
  expect_platform(NULL, "Heddle");
}

Test(platform_name, that_is_empty_is_heddle) {
  expect_platform("", "Heddle");
}

Test(platform_name, is_what_a_program_looks_for) {
  expect_platform("Intel(R) FPGA SDK for OpenCL(TM)", "Intel(R) FPGA SDK for OpenCL(TM)");
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
  OK(clReleaseContext(context));
}

Test(platform_name, that_is_none_keeps_the_device_from_being_opened) {
  char notes[256] = "", name[102];
  memset(name, 'x', 101);
  name[101] = 0;
  expect_platform(name, "Heddle");
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cr_expect_null(clCreateContext(NULL, 1, &device, note, notes, &error));
  cr_expect_eq(error, CL_DEVICE_NOT_AVAILABLE);
  cr_expect(strstr(notes, "HEDDLE_PLATFORM_NAME must be a name of up to 100 printable characters of ASCII"), "%s",
            notes);
}

// A device that is there and cannot be opened.
Test(errors_of_a_device_that_is_not_available, are_those_of_the_context) {
  cl_bool available = CL_TRUE;
  char notes[256] = "";
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  setenv("HEDDLE_DOUBLE", "perhaps", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  OK(clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL));
  cr_expect_eq(available, CL_FALSE);
  CHECK(MADE(CL_DEVICE_NOT_AVAILABLE, clCreateContext(NULL, 1, &device, NULL, NULL, &error)),
        MADE(CL_DEVICE_NOT_AVAILABLE, clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, &error)),
        MADE(CL_DEVICE_NOT_AVAILABLE, clCreateContext(NULL, 1, &device, note, notes, &error)));
  cr_expect_str_eq(notes, "HEDDLE_DOUBLE must be 0 or 1, not 'perhaps'");
}
