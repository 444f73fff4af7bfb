// SPDX-License-Identifier: Apache-2.0
// Pipes as the host has them, on the fake device: error codes, queries, arguments, and what a kernel finds in memory.
#include <CL/cl.h>
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "host/cl/memory.h"
#include "host/include/CL/cl_heddle.h"
#include "tests/host/elf_builder.h"
#include "tests/host/fake_device.h"

#define OK(call) cr_assert_eq((call), CL_SUCCESS)
#define FAILS(code, call) cr_assert_eq((call), (code), #call ": expected " #code)

struct setup {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
};
static struct setup s;

static void open_device(void) {
  cl_platform_id platform;
  cl_int error;
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &s.device, NULL));
  s.context = clCreateContext(NULL, 1, &s.device, NULL, NULL, &error);
  OK(error);
  s.queue = clCreateCommandQueueWithProperties(s.context, s.device, NULL, &error);
  OK(error);
}

// With atomic instructions, which the fake device has not: the ISA string becomes "rv32ima".
static void set_up(void) {
  uint32_t word;
  memcpy(&word, "ima", 4);
  fake_device_lie(HEDDLE_REG_ISA + 4, word);
  open_device();
}

static void tear_down(void) {
  OK(clReleaseCommandQueue(s.queue));
  OK(clReleaseContext(s.context));
}

// cppcheck-suppress unknownMacro
TestSuite(pipes, .init = set_up, .fini = tear_down);
TestSuite(pipes_without_atomics, .init = open_device, .fini = tear_down);

static cl_uint number(cl_device_info which) {
  cl_uint value = 77;
  OK(clGetDeviceInfo(s.device, which, sizeof value, &value, NULL));
  return value;
}

static cl_mem pipe_of(cl_uint packet_bytes, cl_uint max_packets) {
  cl_int error;
  cl_mem made = clCreatePipe(s.context, 0, packet_bytes, max_packets, NULL, &error);
  OK(error);
  return made;
}

static cl_mem buffer_of(size_t bytes) {
  cl_int error;
  cl_mem made = clCreateBuffer(s.context, 0, bytes, NULL, &error);
  OK(error);
  return made;
}

static void expect_no_pipe(cl_int code, cl_context context, cl_mem_flags flags, cl_uint packet_bytes,
                           cl_uint max_packets, const cl_pipe_properties *properties) {
  cl_int error = 77;
  cr_expect_null(clCreatePipe(context, flags, packet_bytes, max_packets, properties, &error));
  cr_expect_eq(error, code, "flags %lx, packets of %u, %u of them: expected %d, got %d", (long)flags, packet_bytes,
               max_packets, code, error);
}

Test(pipes, are_created_or_refused_as_specified) {
  const cl_pipe_properties none = 0;
  const cl_uint most = number(CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  expect_no_pipe(CL_INVALID_CONTEXT, NULL, 0, 4, 4, NULL);
  expect_no_pipe(CL_INVALID_CONTEXT, (cl_context)s.queue, 0, 4, 4, NULL);
  static const cl_mem_flags others[] = {CL_MEM_READ_ONLY,       CL_MEM_WRITE_ONLY,    CL_MEM_USE_HOST_PTR,
                                        CL_MEM_ALLOC_HOST_PTR,  CL_MEM_COPY_HOST_PTR, CL_MEM_HOST_READ_ONLY,
                                        CL_MEM_HOST_WRITE_ONLY, (cl_mem_flags)1 << 40};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    expect_no_pipe(CL_INVALID_VALUE, s.context, CL_MEM_READ_WRITE | others[i], 4, 4, NULL);
  expect_no_pipe(CL_INVALID_VALUE, s.context, 0, 4, 4, &none);
  expect_no_pipe(CL_INVALID_PIPE_SIZE, s.context, 0, 0, 4, NULL);
  expect_no_pipe(CL_INVALID_PIPE_SIZE, s.context, 0, most + 1, 4, NULL);
  expect_no_pipe(CL_INVALID_PIPE_SIZE, s.context, 0, 4, 0, NULL);
  // What is wrong first is told.
  expect_no_pipe(CL_INVALID_VALUE, s.context, CL_MEM_READ_ONLY, 0, 0, NULL);
  // A packet more than there is room for, and far more than any device has.
  expect_no_pipe(CL_MEM_OBJECT_ALLOCATION_FAILURE, s.context, 0, 1024, FAKE_GLOBAL_BYTES / 2 / 1024, NULL);
  expect_no_pipe(CL_MEM_OBJECT_ALLOCATION_FAILURE, s.context, 0, most, 0xFFFFFFFF, NULL);
  static const cl_mem_flags allowed[] = {0, CL_MEM_READ_WRITE, CL_MEM_HOST_NO_ACCESS,
                                         CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS};
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    cl_mem made = clCreatePipe(s.context, allowed[i], most, 3, NULL, NULL);
    cr_assert_not_null(made);
    OK(clReleaseMemObject(made));
  }
}

// CL/cl_heddle.h has the one property that there is.
Test(pipes, have_the_property_that_they_were_made_with) {
  const cl_pipe_properties twice[] = {CL_PIPE_CONCURRENT_HEDDLE, CL_TRUE, CL_PIPE_CONCURRENT_HEDDLE, CL_TRUE, 0},
                           unknown[] = {CL_PIPE_PACKET_SIZE, CL_TRUE, 0}, value[] = {CL_PIPE_CONCURRENT_HEDDLE, 2, 0};
  expect_no_pipe(CL_INVALID_VALUE, s.context, 0, 4, 4, twice);
  expect_no_pipe(CL_INVALID_VALUE, s.context, 0, 4, 4, unknown);
  expect_no_pipe(CL_INVALID_VALUE, s.context, 0, 4, 4, value);
  for (cl_pipe_properties is = CL_FALSE; is <= CL_TRUE; is++) {
    const cl_pipe_properties wanted[] = {CL_PIPE_CONCURRENT_HEDDLE, is, 0};
    cl_pipe_properties found[3] = {77, 77, 77};
    size_t size = 0;
    cl_int error;
    cl_mem made = clCreatePipe(s.context, 0, 4, 4, wanted, &error);
    OK(error);
    OK(clGetPipeInfo(made, CL_PIPE_PROPERTIES, sizeof found, found, &size));
    cr_expect_eq(size, sizeof found);
    cr_expect_arr_eq(found, wanted, sizeof wanted);
    cr_expect_eq(clGetPipeInfo(made, CL_PIPE_PROPERTIES, sizeof found - 1, found, NULL), CL_INVALID_VALUE);
    OK(clReleaseMemObject(made));
  }
}

Test(pipes, one_that_does_not_fit_beside_others_leaves_nothing_behind) {
  cl_mem half = buffer_of(FAKE_GLOBAL_BYTES / 2), quarter = buffer_of(FAKE_GLOBAL_BYTES / 4);
  expect_no_pipe(CL_MEM_OBJECT_ALLOCATION_FAILURE, s.context, 0, 1024, FAKE_GLOBAL_BYTES / 4 / 1024, NULL);
  OK(clReleaseMemObject(half));
  cl_mem made = pipe_of(1024, FAKE_GLOBAL_BYTES / 4 / 1024);
  OK(clReleaseMemObject(made));
  OK(clReleaseMemObject(quarter));
}

Test(pipes, limits_are_told_and_hold) {
  cl_bool has_pipes = CL_FALSE;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, NULL));
  cr_assert_eq(has_pipes, CL_TRUE);
  cr_assert_geq(number(CL_DEVICE_MAX_PIPE_ARGS), 16);
  cr_assert_geq(number(CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1024);
  // A pipe that has room for all those reservations can be made.
  OK(clReleaseMemObject(pipe_of(4, number(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS))));
  OK(clReleaseMemObject(pipe_of(number(CL_DEVICE_PIPE_MAX_PACKET_SIZE), 1)));
}

Test(pipes_without_atomics, there_are_none) {
  cl_bool has_pipes = CL_TRUE;
  char features[4096] = "";
  size_t bytes = 0;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_PIPE_SUPPORT, sizeof has_pipes, &has_pipes, NULL));
  cr_assert_eq(has_pipes, CL_FALSE);
  cr_assert_eq(number(CL_DEVICE_MAX_PIPE_ARGS), 0);
  cr_assert_eq(number(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS), 0);
  cr_assert_eq(number(CL_DEVICE_PIPE_MAX_PACKET_SIZE), 0);
  OK(clGetDeviceInfo(s.device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &bytes));
  for (size_t i = 0; i < bytes; i += sizeof(cl_name_version))
    cr_expect_str_neq(((const cl_name_version *)(features + i))->name, "__opencl_c_pipes");
  expect_no_pipe(CL_INVALID_CONTEXT, NULL, 0, 4, 4, NULL);
  expect_no_pipe(CL_INVALID_OPERATION, s.context, 0, 4, 4, NULL);
  expect_no_pipe(CL_INVALID_OPERATION, s.context, CL_MEM_READ_ONLY, 0, 0, NULL);
}

Test(pipes, queries_answer_and_check) {
  cl_mem made = pipe_of(12, 5), other = buffer_of(64);
  cl_uint value = 0;
  cl_mem_object_type type = 0;
  cl_mem_flags flags = 0;
  cl_context context = NULL;
  cl_image_format format;
  size_t size = 77;
  void *pointer = &size;
  OK(clGetPipeInfo(made, CL_PIPE_PACKET_SIZE, sizeof value, &value, &size));
  cr_assert(value == 12 && size == sizeof value);
  OK(clGetPipeInfo(made, CL_PIPE_MAX_PACKETS, sizeof value, &value, NULL));
  cr_assert_eq(value, 5);
  OK(clGetPipeInfo(made, CL_PIPE_PROPERTIES, 0, NULL, &size));
  cr_assert_eq(size, 0);
  FAILS(CL_INVALID_VALUE, clGetPipeInfo(made, CL_PIPE_PACKET_SIZE, 3, &value, NULL));
  FAILS(CL_INVALID_VALUE, clGetPipeInfo(made, CL_MEM_TYPE, sizeof value, &value, NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, sizeof value, &value, NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(other, CL_PIPE_PACKET_SIZE, sizeof value, &value, NULL));
  OK(clGetMemObjectInfo(made, CL_MEM_TYPE, sizeof type, &type, NULL));
  cr_assert_eq(type, CL_MEM_OBJECT_PIPE);
  OK(clGetMemObjectInfo(made, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
  cr_assert_eq(flags, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS);
  OK(clGetMemObjectInfo(made, CL_MEM_SIZE, sizeof size, &size, NULL));
  cr_assert_geq(size, 12 * 5);
  OK(clGetMemObjectInfo(made, CL_MEM_HOST_PTR, sizeof pointer, &pointer, NULL));
  cr_assert_null(pointer);
  OK(clGetMemObjectInfo(made, CL_MEM_CONTEXT, sizeof context, &context, NULL));
  cr_assert_eq(context, s.context);
  OK(clRetainMemObject(made));
  OK(clGetMemObjectInfo(made, CL_MEM_REFERENCE_COUNT, sizeof value, &value, NULL));
  cr_assert_eq(value, 2);
  FAILS(CL_INVALID_MEM_OBJECT, clGetImageInfo(made, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
  OK(clReleaseMemObject(made));
  OK(clReleaseMemObject(made));
  FAILS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(made, CL_PIPE_PACKET_SIZE, sizeof value, &value, NULL));
  OK(clReleaseMemObject(other));
}

// The host has no access.
Test(pipes, are_no_buffers) {
  cl_mem made = pipe_of(16, 16), buffer = buffer_of(64);
  const size_t zero[3] = {0}, box[3] = {4, 1, 1};
  const cl_buffer_region region = {0, 4};
  const cl_uint pattern = 1;
  char bytes[64];
  cl_int error = 0;
  FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(s.queue, made, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clEnqueueWriteBuffer(s.queue, made, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT,
        clEnqueueReadBufferRect(s.queue, made, CL_TRUE, zero, zero, box, 0, 0, 0, 0, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT,
        clEnqueueWriteBufferRect(s.queue, made, CL_TRUE, zero, zero, box, 0, 0, 0, 0, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(s.queue, made, buffer, 0, 0, 4, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(s.queue, buffer, made, 0, 0, 4, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT,
        clEnqueueCopyBufferRect(s.queue, made, buffer, zero, zero, box, 0, 0, 0, 0, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT,
        clEnqueueCopyBufferRect(s.queue, buffer, made, zero, zero, box, 0, 0, 0, 0, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(s.queue, made, &pattern, 4, 0, 4, 0, NULL, NULL));
  cr_assert_null(clEnqueueMapBuffer(s.queue, made, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &error));
  cr_assert_eq(error, CL_INVALID_MEM_OBJECT);
  FAILS(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(s.queue, made, bytes, 0, NULL, NULL));
  cr_assert_null(clCreateSubBuffer(made, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  cr_assert_eq(error, CL_INVALID_MEM_OBJECT);
  OK(clEnqueueMigrateMemObjects(s.queue, 1, &made, 0, 0, NULL, NULL));
  OK(clFinish(s.queue));
  OK(clReleaseMemObject(made));
  OK(clReleaseMemObject(buffer));
}

// "reads" has a pipe where "plain" has a pointer to const.
static cl_kernel kernel_of(const char *name, cl_program *program) {
  static const struct built_kernel kernels[] = {{.name = "plain"}, {.name = "reads", .takes_pipe = 1}};
  size_t bytes;
  uint8_t *elf = build_elf(kernels, 2, "rv32ima", &bytes);
  const unsigned char *binary = elf;
  cl_int error, status;
  *program = clCreateProgramWithBinary(s.context, 1, &s.device, &bytes, &binary, &status, &error);
  OK(error);
  OK(clBuildProgram(*program, 0, NULL, NULL, NULL, NULL));
  free(elf);
  cl_kernel made = clCreateKernel(*program, name, &error);
  OK(error);
  return made;
}

Test(pipes, arguments_are_checked) {
  cl_program program, other_program;
  cl_kernel reads = kernel_of("reads", &program), plain = kernel_of("plain", &other_program);
  cl_mem made = pipe_of(4, 4), buffer = buffer_of(64), nothing = NULL;
  cl_int error, n = 1;
  const size_t one = 1;
  cl_context other = clCreateContext(NULL, 1, &s.device, NULL, NULL, &error);
  OK(error);
  cl_mem of_other = clCreatePipe(other, 0, 4, 4, NULL, &error);
  OK(error);
  FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(reads, 2, sizeof made, NULL));
  FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(reads, 2, sizeof buffer, &buffer));
  FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(reads, 2, 4, &made));
  FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(reads, 2, sizeof nothing, &nothing));
  FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(reads, 2, sizeof(cl_mem), &s.queue));
  FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(reads, 2, sizeof of_other, &of_other));
  FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(plain, 1, sizeof made, &made));
  FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(plain, 2, sizeof made, &made));
  OK(clSetKernelArg(reads, 0, 4, &n));
  OK(clSetKernelArg(reads, 1, sizeof buffer, &buffer));
  OK(clSetKernelArg(reads, 3, 16, NULL));
  FAILS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(s.queue, reads, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clSetKernelArg(reads, 2, sizeof made, &made));
  OK(clEnqueueNDRangeKernel(s.queue, reads, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clFinish(s.queue));
  OK(clReleaseMemObject(made));
  FAILS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(s.queue, reads, 1, NULL, &one, NULL, 0, NULL, NULL));
  OK(clReleaseMemObject(of_other));
  OK(clReleaseContext(other));
  OK(clReleaseMemObject(buffer));
  OK(clReleaseKernel(reads));
  OK(clReleaseKernel(plain));
  OK(clReleaseProgram(program));
  OK(clReleaseProgram(other_program));
}

// contract/DEVICE.md, "Pipes", word by word; and where memory was used before.
Test(pipes, a_kernel_finds_an_empty_pipe) {
  enum { MARKS = 8, WORDS = HEDDLE_PIPE_HEADER_WORDS + MARKS };
  const size_t bytes = 64 * 1024;
  const cl_uint ones = 0xFFFFFFFF;
  cl_mem before = buffer_of(bytes);
  OK(clEnqueueFillBuffer(s.queue, before, &ones, 4, 0, bytes, 0, NULL, NULL));
  OK(clFinish(s.queue));
  OK(clReleaseMemObject(before));
  cl_mem made = pipe_of(12, 5);
  uint32_t words[WORDS], expected[WORDS] = {[0] = 12, [1] = 5, [2] = MARKS - 1, [3] = 128, [16] = 0xA0000000};
  OK(clEnqueueMigrateMemObjects(s.queue, 1, &made, 0, 0, NULL, NULL));
  OK(clFinish(s.queue));
  const uint32_t address = heddle_memory_address(made, s.device);
  cr_assert_eq(address % 128, 0);
  cr_assert_eq(heddle_device_read(heddle_open(s.device), address, words, sizeof words), 0);
  for (size_t i = 0; i < WORDS; i++)
    cr_expect_eq(words[i], expected[i], "word %zu: expected %x, got %x", i, expected[i], words[i]);
  OK(clReleaseMemObject(made));
}
