// SPDX-License-Identifier: Apache-2.0
// The OpenCL calls on the fake device: error codes, events, queues, buffers and binaries, without a compiler.
// The library's objects are linked in: no ICD loader between.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_heddle.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/device_map.h"
#include "contract/isa.h"
#include "host/cl/object.h"
#include "tests/host/elf_builder.h"
#include "tests/host/fake_device.h"

#define OK(call) cr_assert_eq((call), CL_SUCCESS)
#define FAILS(code, call) cr_assert_eq((call), (code), #call ": expected " #code)

struct setup {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  char notes[1024];
};
static struct setup s;

static void CL_CALLBACK note(const char *text, const void *info, size_t bytes, void *user) {
  (void)info, (void)bytes, (void)user;
  strncat(s.notes, text, sizeof s.notes - strlen(s.notes) - 1);
}

static void set_up(void) {
  const cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_platform_id platform;
  cl_int error;
  setenv("HEDDLE_RTL_DIR", "/nonexistent", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &s.device, NULL));
  s.context = clCreateContext(NULL, 1, &s.device, note, NULL, &error);
  OK(error);
  s.queue = clCreateCommandQueueWithProperties(s.context, s.device, profiling, &error);
  OK(error);
}

static void tear_down(void) {
  OK(clReleaseCommandQueue(s.queue));
  OK(clReleaseContext(s.context));
}

// cppcheck-suppress unknownMacro
TestSuite(api, .init = set_up, .fini = tear_down);

// Kernels: "plain"; "faults"; "forever"; "fixed" with reqd_work_group_size (4, 2, 1); "narrow" with sub-groups of 2.
static cl_program program(void) {
  static const struct built_kernel kernels[] = {
      {.name = "plain", .local_bytes = 100},
      {.name = "faults", .instruction = FAKE_FAULT + 3},
      {.name = "forever", .instruction = FAKE_FOREVER},
      {.name = "fixed", .reqd_work_group_size = {4, 2, 1}},
      {.name = "narrow", .sub_group_size = 2},
  };
  size_t bytes;
  uint8_t *elf = build_elf(kernels, sizeof kernels / sizeof *kernels, "rv32im_zicsr", &bytes);
  const unsigned char *binary = elf;
  cl_int error, status;
  cl_program made = clCreateProgramWithBinary(s.context, 1, &s.device, &bytes, &binary, &status, &error);
  OK(error);
  OK(status);
  OK(clBuildProgram(made, 0, NULL, NULL, NULL, NULL));
  free(elf);
  return made;
}

static cl_mem buffer(cl_mem_flags flags, size_t size) {
  cl_int error;
  cl_mem made = clCreateBuffer(s.context, flags, size, NULL, &error);
  OK(error);
  return made;
}

// A kernel with its four arguments set.
static cl_kernel kernel(cl_program from, const char *name, cl_mem out) {
  const cl_int n = 5;
  cl_int error;
  cl_kernel made = clCreateKernel(from, name, &error);
  OK(error);
  OK(clSetKernelArg(made, 0, sizeof n, &n));
  OK(clSetKernelArg(made, 1, sizeof out, &out));
  OK(clSetKernelArg(made, 2, sizeof out, NULL));
  OK(clSetKernelArg(made, 3, 64, NULL));
  return made;
}

Test(api, every_entry_of_the_dispatch_table_is_filled) {
  void *const *entries = (void *const *)(const void *)&heddle_dispatch_table;
  for (size_t i = 0; i < sizeof heddle_dispatch_table / sizeof *entries; i++)
    cr_assert_not_null(entries[i], "entry %zu", i);
}

Test(api, handles_that_are_none_are_refused) {
  // Neither NULL, nor an object of another kind, nor any address.
  cl_event user = clCreateUserEvent(s.context, NULL);
  FAILS(CL_INVALID_CONTEXT, clRetainContext(NULL));
  FAILS(CL_INVALID_CONTEXT, clRetainContext((cl_context)s.queue));
  FAILS(CL_INVALID_CONTEXT, clReleaseContext((cl_context)0x1234));
  FAILS(CL_INVALID_COMMAND_QUEUE, clFinish((cl_command_queue)s.context));
  FAILS(CL_INVALID_COMMAND_QUEUE, clFlush(NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clReleaseMemObject((cl_mem)user));
  FAILS(CL_INVALID_PROGRAM, clReleaseProgram((cl_program)user));
  FAILS(CL_INVALID_KERNEL, clReleaseKernel((cl_kernel)user));
  FAILS(CL_INVALID_EVENT, clReleaseEvent((cl_event)s.context));
  FAILS(CL_INVALID_DEVICE, clRetainDevice((cl_device_id)s.context));
  FAILS(CL_INVALID_SAMPLER, clRetainSampler((cl_sampler)user));
  OK(clReleaseEvent(user));
  FAILS(CL_INVALID_EVENT, clReleaseEvent(user));
}

Test(api, info_sizes_are_checked) {
  cl_uint count;
  size_t bytes;
  FAILS(CL_INVALID_VALUE, clGetContextInfo(s.context, CL_CONTEXT_NUM_DEVICES, 1, &count, NULL));
  OK(clGetContextInfo(s.context, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, &bytes));
  cr_assert(count == 1 && bytes == sizeof count);
  OK(clGetContextInfo(s.context, CL_CONTEXT_DEVICES, 0, NULL, &bytes));
  cr_assert_eq(bytes, sizeof(cl_device_id));
  FAILS(CL_INVALID_VALUE, clGetContextInfo(s.context, 0xBAD, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clGetDeviceInfo(s.device, 0xBAD, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clGetDeviceInfo(s.device, CL_DEVICE_NAME, 3, &count, NULL));
}

Test(api, device_shape_is_told) {
  char name[64], isa[64];
  cl_uint lanes;
  size_t sizes[3], group;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_NAME, sizeof name, name, NULL));
  cr_assert_str_eq(name, "Heddle model (4 lanes, 8 slots)");
  OK(clGetDeviceInfo(s.device, CL_DEVICE_LANES_HEDDLE, sizeof lanes, &lanes, NULL));
  cr_assert_eq(lanes, FAKE_LANES);
  OK(clGetDeviceInfo(s.device, CL_DEVICE_ISA_HEDDLE, sizeof isa, isa, NULL));
  cl_device_mem_cache_type cache = CL_NONE;
  cl_ulong cache_bytes = 0;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, sizeof cache, &cache, NULL));
  OK(clGetDeviceInfo(s.device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof cache_bytes, &cache_bytes, NULL));
  cr_assert_eq(cache, CL_READ_WRITE_CACHE);
  cr_assert_eq(cache_bytes, FAKE_CACHE_BYTES);
  cr_assert_str_eq(isa, "rv32im_zicsr");
  OK(clGetDeviceInfo(s.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL));
  cr_assert_eq(group, FAKE_LANES * FAKE_SLOTS);
  OK(clGetDeviceInfo(s.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, NULL));
  cr_assert(sizes[0] == 1 && sizes[1] == 2 && sizes[2] == 4);
}

static cl_uint device_number(cl_device_info which) {
  cl_uint value = 0;
  OK(clGetDeviceInfo(s.device, which, sizeof value, &value, NULL));
  return value;
}

Test(api, device_memory_is_told) {
  cr_assert_eq(device_number(CL_DEVICE_MEMORY_CHANNELS_HEDDLE), FAKE_MEMORY_CHANNELS);
  cr_assert_eq(device_number(CL_DEVICE_LINE_BYTES_HEDDLE), 32);
}

// The compute units are told; what a work-group may have is one unit's.
Test(api_of_three_units, device_shape_is_told) {
  char name[64];
  size_t group = 0, sub_groups = 0;
  cl_ulong local_bytes = 0;
  fake_device_lie(HEDDLE_REG_UNITS, 3);
  set_up();
  OK(clGetDeviceInfo(s.device, CL_DEVICE_NAME, sizeof name, name, NULL));
  cr_assert_str_eq(name, "Heddle model (3 units of 4 lanes, 8 slots)");
  cr_assert_eq(device_number(CL_DEVICE_MAX_COMPUTE_UNITS), 3);
  cr_assert_eq(device_number(CL_DEVICE_UNITS_HEDDLE), 3);
  cr_assert_eq(device_number(CL_DEVICE_SLOTS_HEDDLE), FAKE_SLOTS);
  cr_assert_eq(device_number(CL_DEVICE_MAX_NUM_SUB_GROUPS), FAKE_SLOTS);
  OK(clGetDeviceInfo(s.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof group, &group, NULL));
  cr_assert_eq(group, FAKE_LANES * FAKE_SLOTS);
  OK(clGetDeviceInfo(s.device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes, NULL));
  cr_assert_eq(local_bytes, FAKE_LOCAL_BYTES);

  cl_program from = program();
  cl_mem out = buffer(0, 64);
  cl_kernel plain = kernel(from, "plain", out);
  OK(clGetKernelWorkGroupInfo(plain, s.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL));
  cr_assert_eq(group, FAKE_LANES * FAKE_SLOTS);
  OK(clGetKernelSubGroupInfo(plain, s.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof sub_groups, &sub_groups,
                             NULL));
  cr_assert_eq(sub_groups, FAKE_SLOTS);
  FAILS(CL_INVALID_WORK_GROUP_SIZE,
        clEnqueueNDRangeKernel(s.queue, plain, 1, NULL, (const size_t[]){66}, (const size_t[]){33}, 0, NULL, NULL));
  OK(clSetKernelArg(plain, 3, FAKE_LOCAL_BYTES, NULL));
  FAILS(CL_OUT_OF_RESOURCES,
        clEnqueueNDRangeKernel(s.queue, plain, 1, NULL, (const size_t[]){66}, NULL, 0, NULL, NULL));
  OK(clReleaseKernel(plain));
  OK(clReleaseMemObject(out));
  OK(clReleaseProgram(from));
  tear_down();
}

Test(api, contexts_check_their_arguments) {
  cl_int error;
  const cl_context_properties unknown[] = {0x7777, 1, 0}, twice[] = {CL_CONTEXT_PLATFORM, 1, 0};
  cr_assert_null(clCreateContext(unknown, 1, &s.device, NULL, NULL, &error));
  cr_assert_eq(error, CL_INVALID_PROPERTY);
  cr_assert_null(clCreateContext(twice, 1, &s.device, NULL, NULL, &error));
  cr_assert_eq(error, CL_INVALID_PLATFORM);
  clCreateContext(NULL, 0, NULL, NULL, NULL, &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  clCreateContext(NULL, 1, &s.device, NULL, &error, &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  clCreateContextFromType(NULL, CL_DEVICE_TYPE_GPU, NULL, NULL, &error);
  cr_assert_eq(error, CL_DEVICE_NOT_FOUND);
  clCreateContextFromType(NULL, 0x100, NULL, NULL, &error);
  cr_assert_eq(error, CL_INVALID_DEVICE_TYPE);
}

Test(api, buffers_check_their_arguments) {
  char bytes[16];
  cl_int error;
  clCreateBuffer(NULL, 0, 16, NULL, &error);
  cr_assert_eq(error, CL_INVALID_CONTEXT);
  clCreateBuffer(s.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  clCreateBuffer(s.context, 1u << 20, 16, NULL, &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  clCreateBuffer(s.context, 0, 0, NULL, &error);
  cr_assert_eq(error, CL_INVALID_BUFFER_SIZE);
  clCreateBuffer(s.context, 0, (size_t)1 << 40, NULL, &error);
  cr_assert_eq(error, CL_INVALID_BUFFER_SIZE);
  clCreateBuffer(s.context, CL_MEM_COPY_HOST_PTR, 16, NULL, &error);
  cr_assert_eq(error, CL_INVALID_HOST_PTR);
  clCreateBuffer(s.context, 0, 16, bytes, &error);
  cr_assert_eq(error, CL_INVALID_HOST_PTR);
  // What fits once does not fit three times.
  cl_mem half = buffer(0, FAKE_GLOBAL_BYTES / 2);
  clCreateBuffer(s.context, 0, FAKE_GLOBAL_BYTES / 2, NULL, &error);
  cr_assert_eq(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
  OK(clReleaseMemObject(half));
  half = buffer(0, FAKE_GLOBAL_BYTES / 2);
  OK(clReleaseMemObject(half));
}

Test(api, sub_buffers_share_their_buffer) {
  const cl_buffer_region good = {128, 64}, odd = {4, 64}, out = {128, 1024}, none = {128, 0};
  const cl_uint word = 0xABCD;
  cl_uint got = 0;
  cl_int error;
  cl_mem whole = buffer(CL_MEM_READ_ONLY, 256);
  cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &error);
  OK(error);
  cl_mem_flags flags;
  OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
  cr_assert_eq(flags, CL_MEM_READ_ONLY);
  clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &error);
  cr_assert_eq(error, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &out, &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &none, &error);
  cr_assert_eq(error, CL_INVALID_BUFFER_SIZE);
  clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &good, &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  clCreateSubBuffer(part, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &error);
  cr_assert_eq(error, CL_INVALID_MEM_OBJECT);
  OK(clEnqueueWriteBuffer(s.queue, part, CL_TRUE, 8, 4, &word, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(s.queue, whole, CL_TRUE, 136, 4, &got, 0, NULL, NULL));
  cr_assert_eq(got, word);
  OK(clReleaseMemObject(whole));
  OK(clEnqueueReadBuffer(s.queue, part, CL_TRUE, 8, 4, &got, 0, NULL, NULL));
  OK(clReleaseMemObject(part));
}

Test(api, transfers_check_their_arguments) {
  cl_mem open = buffer(0, 64), closed = buffer(CL_MEM_HOST_NO_ACCESS, 64);
  char bytes[64];
  FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(NULL, open, 1, 0, 4, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(s.queue, NULL, 1, 0, 4, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(s.queue, open, 1, 61, 4, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(s.queue, open, 1, SIZE_MAX, 4, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueReadBuffer(s.queue, open, 1, 0, 4, NULL, 0, NULL, NULL));
  FAILS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(s.queue, open, 1, 0, 4, bytes, 1, NULL, NULL));
  FAILS(CL_INVALID_OPERATION, clEnqueueReadBuffer(s.queue, closed, 1, 0, 4, bytes, 0, NULL, NULL));
  FAILS(CL_INVALID_OPERATION, clEnqueueWriteBuffer(s.queue, closed, 1, 0, 4, bytes, 0, NULL, NULL));
  FAILS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(s.queue, open, open, 0, 4, 8, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueCopyBuffer(s.queue, open, closed, 60, 0, 8, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(s.queue, open, bytes, 3, 0, 6, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(s.queue, open, bytes, 4, 2, 8, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueFillBuffer(s.queue, open, NULL, 4, 0, 8, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(s.queue, open, bytes, 0, NULL, NULL));
  OK(clReleaseMemObject(open));
  OK(clReleaseMemObject(closed));
}

Test(api, boxes_land_where_they_should) {
  const size_t origin[3] = {2, 1, 1}, host_origin[3] = {0, 0, 0}, region[3] = {3, 2, 2}, wide[3] = {9, 2, 2};
  unsigned char in[12], all[128];
  const unsigned char zero = 0;
  cl_mem box = buffer(0, sizeof all);
  for (int i = 0; i < 12; i++)
    in[i] = (unsigned char)(i + 1);
  OK(clEnqueueFillBuffer(s.queue, box, &zero, 1, 0, sizeof all, 0, NULL, NULL));
  OK(clEnqueueWriteBufferRect(s.queue, box, CL_TRUE, origin, host_origin, region, 8, 32, 0, 0, in, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(s.queue, box, CL_TRUE, 0, sizeof all, all, 0, NULL, NULL));
  int next = 0;
  for (int z = 0; z < 4; z++) {
    for (int y = 0; y < 4; y++) {
      for (int x = 0; x < 8; x++) {
        const bool inside = x >= 2 && x < 5 && y >= 1 && y < 3 && z >= 1 && z < 3;
        const int expected = inside ? ++next : 0, got = all[z * 32 + y * 8 + x];
        cr_assert_eq(got, expected, "(%d, %d, %d): expected %d, got %d", x, y, z, expected, got);
      }
    }
  }
  FAILS(CL_INVALID_VALUE,
        clEnqueueReadBufferRect(s.queue, box, 1, origin, host_origin, wide, 8, 32, 0, 0, all, 0, NULL, NULL));
  FAILS(CL_MEM_COPY_OVERLAP,
        clEnqueueCopyBufferRect(s.queue, box, box, origin, origin, region, 8, 32, 8, 32, 0, NULL, NULL));
  OK(clReleaseMemObject(box));
}

Test(api, mapping_shows_and_unmapping_stores) {
  cl_int error;
  cl_uint count;
  cl_mem memory = buffer(0, 64);
  unsigned char *mapped = clEnqueueMapBuffer(s.queue, memory, CL_TRUE, CL_MAP_WRITE, 16, 16, 0, NULL, NULL, &error);
  OK(error);
  memset(mapped, 0x5A, 16);
  OK(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
  cr_assert_eq(count, 1);
  OK(clEnqueueUnmapMemObject(s.queue, memory, mapped, 0, NULL, NULL));
  unsigned char got[16];
  OK(clEnqueueReadBuffer(s.queue, memory, CL_TRUE, 16, 16, got, 0, NULL, NULL));
  cr_assert(got[0] == 0x5A && got[15] == 0x5A);
  clEnqueueMapBuffer(s.queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, 0, NULL, NULL,
                     &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  clEnqueueMapBuffer(s.queue, memory, CL_TRUE, CL_MAP_READ, 60, 8, 0, NULL, NULL, &error);
  cr_assert_eq(error, CL_INVALID_VALUE);
  OK(clReleaseMemObject(memory));
}

static cl_uint map_count(cl_mem memory) {
  cl_uint count = 0;
  OK(clGetMemObjectInfo(memory, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
  return count;
}

Test(api, what_is_mapped_for_writing_is_mapped_for_writing_once) {
  const cl_buffer_region region = {128, 128};
  cl_int error;
  cl_mem whole = buffer(0, 256), part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  OK(error);
#define MAP(memory, flags, offset, size) \
  clEnqueueMapBuffer(s.queue, memory, CL_TRUE, flags, offset, size, 0, NULL, NULL, &error)
  void *first = MAP(whole, CL_MAP_WRITE, 64, 128);
  OK(error);
  cr_assert_null(MAP(whole, CL_MAP_WRITE, 191, 1));
  cr_assert_eq(error, CL_INVALID_OPERATION);
  cr_assert_null(MAP(part, CL_MAP_WRITE_INVALIDATE_REGION, 0, 64));
  cr_assert_eq(error, CL_INVALID_OPERATION);
  cr_assert_eq(map_count(whole), 1);
  cr_assert_eq(map_count(part), 0);
  // Beside it, and for reading, it may be.
  void *beside = MAP(part, CL_MAP_READ | CL_MAP_WRITE, 64, 64);
  OK(error);
  void *read = MAP(whole, CL_MAP_READ, 0, 256);
  OK(error);
  OK(clEnqueueUnmapMemObject(s.queue, whole, first, 0, NULL, NULL));
  void *again = MAP(whole, CL_MAP_WRITE, 64, 64);
  OK(error);
  OK(clEnqueueUnmapMemObject(s.queue, whole, again, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(s.queue, whole, read, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(s.queue, part, beside, 0, NULL, NULL));
  OK(clReleaseMemObject(part));
  OK(clReleaseMemObject(whole));
}

Test(api, a_mapping_is_undone_with_the_object_that_was_mapped) {
  const cl_buffer_region region = {0, 128};
  cl_int error;
  cl_mem whole = buffer(0, 256), part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  OK(error);
  void *of_whole = MAP(whole, CL_MAP_READ, 0, 256);
  OK(error);
  FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(s.queue, part, of_whole, 0, NULL, NULL));
  void *of_part = MAP(part, CL_MAP_READ, 0, 128);
  OK(error);
  cr_assert_eq(of_part, of_whole);
  cr_assert_eq(map_count(whole), 1);
  cr_assert_eq(map_count(part), 1);
  OK(clEnqueueUnmapMemObject(s.queue, whole, of_whole, 0, NULL, NULL));
  FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(s.queue, whole, of_whole, 0, NULL, NULL));
  cr_assert_eq(map_count(whole), 0);
  cr_assert_eq(map_count(part), 1);
  // One that goes while it is mapped leaves nothing for the next.
  OK(clReleaseMemObject(part));
  part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  OK(error);
  FAILS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(s.queue, part, of_part, 0, NULL, NULL));
  OK(clReleaseMemObject(part));
  OK(clReleaseMemObject(whole));
}

Test(api, a_blocking_call_that_fails_leaves_no_event) {
  char bytes[16];
  cl_int error;
  cl_event gate = clCreateUserEvent(s.context, &error), event = NULL;
  cl_mem memory = buffer(0, 64);
  OK(error);
  OK(clSetUserEventStatus(gate, -5));
  FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReadBuffer(s.queue, memory, CL_TRUE, 0, sizeof bytes, bytes, 1, &gate, &event));
  cr_assert_null(event);
  cr_assert_null(clEnqueueMapBuffer(s.queue, memory, CL_TRUE, CL_MAP_READ, 0, 16, 1, &gate, &event, &error));
  cr_assert_eq(error, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  cr_assert_null(event);
  cr_assert_eq(map_count(memory), 0);
  OK(clReleaseMemObject(memory));
  OK(clReleaseEvent(gate));
}

Test(api, kernel_arguments_are_checked) {
  cl_program from = program();
  cl_mem out = buffer(0, 64);
  cl_int n = 0, error;
  cl_kernel made = clCreateKernel(from, "plain", &error);
  OK(error);
  const size_t one = 1;
  FAILS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(s.queue, made, 1, NULL, &one, NULL, 0, NULL, NULL));
  FAILS(CL_INVALID_ARG_INDEX, clSetKernelArg(made, 4, 4, &n));
  FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(made, 0, 8, &n));
  FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(made, 0, 4, NULL));
  FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(made, 1, 4, &out));
  FAILS(CL_INVALID_MEM_OBJECT, clSetKernelArg(made, 1, sizeof out, &s.queue));
  FAILS(CL_INVALID_ARG_VALUE, clSetKernelArg(made, 3, 4, &n));
  FAILS(CL_INVALID_ARG_SIZE, clSetKernelArg(made, 3, 0, NULL));
  cr_assert_null(clCreateKernel(from, "missing", &error));
  cr_assert_eq(error, CL_INVALID_KERNEL_NAME);
  FAILS(CL_INVALID_OPERATION, clBuildProgram(from, 0, NULL, NULL, NULL, NULL));
  OK(clReleaseKernel(made));
  OK(clReleaseMemObject(out));
  OK(clReleaseProgram(from));
}

Test(api, ndrange_errors_are_the_specifications) {
  cl_program from = program();
  cl_mem out = buffer(0, 64);
  cl_kernel plain = kernel(from, "plain", out), fixed = kernel(from, "fixed", out),
            narrow = kernel(from, "narrow", out);
  const size_t eight[3] = {8, 8, 8}, four_two[2] = {4, 2}, most[1] = {33}, zero[1] = {0}, huge[1] = {(size_t)1 << 33};
  const size_t far[1] = {UINT32_MAX};
#define ENQUEUE(kernel, dim, offset, global, local) \
  clEnqueueNDRangeKernel(s.queue, kernel, dim, offset, global, local, 0, NULL, NULL)
  FAILS(CL_INVALID_KERNEL, ENQUEUE((cl_kernel)s.queue, 1, NULL, eight, NULL));
  FAILS(CL_INVALID_WORK_DIMENSION, ENQUEUE(plain, 0, NULL, eight, NULL));
  FAILS(CL_INVALID_WORK_DIMENSION, ENQUEUE(plain, 4, NULL, eight, NULL));
  FAILS(CL_INVALID_GLOBAL_WORK_SIZE, ENQUEUE(plain, 1, NULL, huge, NULL));
  FAILS(CL_INVALID_GLOBAL_OFFSET, ENQUEUE(plain, 1, far, eight, NULL));
  FAILS(CL_INVALID_GLOBAL_OFFSET, ENQUEUE(plain, 1, far, (const size_t[]){1}, NULL));
  FAILS(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(plain, 1, NULL, eight, most));
  FAILS(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(plain, 1, NULL, eight, zero));
  FAILS(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(plain, 3, NULL, eight, eight));
  FAILS(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(fixed, 2, NULL, eight, eight));
  FAILS(CL_INVALID_WORK_GROUP_SIZE, ENQUEUE(narrow, 1, NULL, most, (const size_t[]){17}));
  OK(ENQUEUE(plain, 1, NULL, zero, NULL));
  OK(ENQUEUE(plain, 3, NULL, eight, NULL));
  OK(ENQUEUE(fixed, 2, NULL, eight, four_two));
  OK(ENQUEUE(fixed, 2, NULL, eight, NULL));
  OK(ENQUEUE(narrow, 1, NULL, most, (const size_t[]){16}));
  OK(clSetKernelArg(plain, 3, FAKE_LOCAL_BYTES, NULL));
  FAILS(CL_OUT_OF_RESOURCES, ENQUEUE(plain, 1, NULL, eight, NULL));
  OK(clFinish(s.queue));
  OK(clReleaseKernel(plain));
  OK(clReleaseKernel(fixed));
  OK(clReleaseKernel(narrow));
  OK(clReleaseMemObject(out));
  OK(clReleaseProgram(from));
}

static cl_ulong figure(cl_event event, cl_event_info which) {
  cl_ulong value = 0;
  OK(clGetEventInfo(event, which, sizeof value, &value, NULL));
  return value;
}

Test(api, a_dispatch_leaves_its_figures_and_times) {
  cl_program from = program();
  cl_mem out = buffer(0, 64);
  cl_kernel plain = kernel(from, "plain", out);
  const size_t global = 100, local = 10;
  cl_ulong times[5];
  cl_event event;
  OK(clEnqueueNDRangeKernel(s.queue, plain, 1, NULL, &global, &local, 0, NULL, &event));
  OK(clWaitForEvents(1, &event));
  cr_assert_eq(figure(event, CL_EVENT_GROUPS_TOTAL_HEDDLE), 10);
  cr_assert_eq(figure(event, CL_EVENT_GROUPS_DONE_HEDDLE), 10);
  cr_assert_eq(figure(event, CL_EVENT_CYCLES_HEDDLE), 10);
  cr_assert_eq(figure(event, CL_EVENT_ISSUES_HEDDLE), 30);
  cr_assert_eq(figure(event, CL_EVENT_MEMORY_REQUESTS_HEDDLE), 50);
  cr_assert_eq(figure(event, CL_EVENT_MEMORY_WAIT_CYCLES_HEDDLE), 70);
  cr_assert_eq(figure(event, CL_EVENT_CONFLICT_CYCLES_HEDDLE), 110);
  cr_assert_eq(figure(event, CL_EVENT_CACHE_REQUESTS_HEDDLE), 130);
  cr_assert_eq(figure(event, CL_EVENT_CACHE_MISSES_HEDDLE), 170);
  cr_assert_eq(figure(event, CL_EVENT_LANES_HEDDLE), 4, "of the programmable unit");
  cr_assert_eq(figure(event, CL_EVENT_UNITS_HEDDLE), 1, "the kernel ran on one of one");
  for (cl_profiling_info i = 0; i < 4; i++)
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, &times[i], NULL));
  OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, sizeof *times, &times[4], NULL));
  for (int i = 1; i < 5; i++)
    cr_assert(times[i] >= times[i - 1]);
  cr_assert_geq(times[3] - times[2], 200, "ten cycles of 20 ns");
  OK(clReleaseEvent(event));
  OK(clReleaseKernel(plain));
  OK(clReleaseMemObject(out));
  OK(clReleaseProgram(from));
}

// Recorded objects are held, replayed, and given back: also those of a replay that faulted, and of a buffer that was
// not finalized.
Test(api, command_buffers_hold_what_they_record) {
  cl_program from = program();
  cl_mem out = buffer(0, 64), other = buffer(0, 64);
  cl_kernel plain = kernel(from, "plain", out), faults = kernel(from, "faults", out);
  const size_t global = 100, local = 10;
  const cl_int pattern = 5;
  cl_int error, status;
  char text[1024];
  cl_event event;
  for (int i = 0; i < 3; i++) {
    cl_command_buffer_khr recorded = clCreateCommandBufferKHR(1, &s.queue, NULL, &error);
    OK(error);
    OK(clCommandNDRangeKernelKHR(recorded, NULL, NULL, plain, 1, NULL, &global, &local, 0, NULL, NULL, NULL));
    OK(clCommandFillBufferKHR(recorded, NULL, other, &pattern, 4, 0, 64, 0, NULL, NULL, NULL));
    OK(clCommandCopyBufferKHR(recorded, NULL, other, out, 0, 0, 64, 0, NULL, NULL, NULL));
    if (i == 1)
      OK(clCommandNDRangeKernelKHR(recorded, NULL, NULL, faults, 1, NULL, &global, &local, 0, NULL, NULL, NULL));
    OK(clCommandNDRangeKernelKHR(recorded, NULL, NULL, plain, 1, NULL, &global, &local, 0, NULL, NULL, NULL));
    if (i != 2)
      OK(clFinalizeCommandBufferKHR(recorded));
    for (int round = 0; round < 2 && i != 2; round++) {
      OK(clEnqueueCommandBufferKHR(0, NULL, recorded, 0, NULL, &event));
      OK(clFinish(s.queue));
      OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
      cr_assert_eq(status, i == 1 ? CL_EVENT_STATUS_FAULT_HEDDLE : CL_COMPLETE);
      OK(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
      cr_assert_eq(!!strstr(text, "'faults'"), i == 1);
      OK(clReleaseEvent(event));
    }
    OK(clReleaseCommandBufferKHR(recorded));
  }
  OK(clReleaseKernel(plain));
  OK(clReleaseKernel(faults));
  OK(clReleaseMemObject(out));
  OK(clReleaseMemObject(other));
  OK(clReleaseProgram(from));
}

Test(api, a_fault_is_told_and_the_queue_goes_on) {
  cl_program from = program();
  cl_mem out = buffer(0, 64);
  cl_kernel faults = kernel(from, "faults", out), plain = kernel(from, "plain", out);
  const size_t global = 16, local = 8;
  cl_event bad, good;
  cl_int status;
  char text[1024];
  OK(clEnqueueNDRangeKernel(s.queue, faults, 1, NULL, &global, &local, 0, NULL, &bad));
  OK(clEnqueueNDRangeKernel(s.queue, plain, 1, NULL, &global, &local, 0, NULL, &good));
  FAILS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &bad));
  OK(clGetEventInfo(bad, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_eq(status, CL_EVENT_STATUS_FAULT_HEDDLE);
  OK(clGetEventInfo(bad, CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
  cr_assert_str_eq(s.notes, text);
  cr_assert(strstr(text, "'faults'") && strstr(text, "unmapped") && strstr(text, "work-item (6, 0, 0)"), "%s", text);
  cr_assert_eq(figure(bad, CL_EVENT_FAULT_PC_HEDDLE), 0x140);
  // Times are those of commands that completed.
  FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(bad, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &(cl_ulong){0}, NULL));
  OK(clWaitForEvents(1, &good));
  // Who waits for what failed fails in turn.
  cl_event after;
  OK(clEnqueueMarkerWithWaitList(s.queue, 1, &bad, &after));
  OK(clFinish(s.queue));
  OK(clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_eq(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  OK(clReleaseEvent(bad));
  OK(clReleaseEvent(good));
  OK(clReleaseEvent(after));
  OK(clReleaseKernel(faults));
  OK(clReleaseKernel(plain));
  OK(clReleaseMemObject(out));
  OK(clReleaseProgram(from));
}

Test(api, binaries_make_the_round_trip_and_others_are_refused) {
  cl_program from = program();
  size_t bytes;
  cl_int error, status;
  char names[64];
  OK(clGetProgramInfo(from, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  cr_assert_str_eq(names, "plain;faults;forever;fixed;narrow");
  OK(clGetProgramInfo(from, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
  unsigned char *binary = malloc(bytes);
  OK(clGetProgramInfo(from, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_program again =
      clCreateProgramWithBinary(s.context, 1, &s.device, &bytes, (const unsigned char **)&binary, &status, &error);
  OK(error);
  OK(clReleaseProgram(again));
  binary[0] = 'X';
  cr_assert_null(
      clCreateProgramWithBinary(s.context, 1, &s.device, &bytes, (const unsigned char **)&binary, &status, &error));
  cr_assert(error == CL_INVALID_BINARY && status == CL_INVALID_BINARY);
  free(binary);
  OK(clReleaseProgram(from));
  // Code for what the device has not, or sub-groups larger than it has.
  const struct built_kernel wide = {.name = "wide", .sub_group_size = 8};
  for (int i = 0; i < 2; i++) {
    unsigned char *other = build_elf(&wide, 1, i == 0 ? "rv32im_zicsr" : "rv32imf_zicsr", &bytes);
    cr_assert_null(
        clCreateProgramWithBinary(s.context, 1, &s.device, &bytes, (const unsigned char **)&other, &status, &error));
    cr_assert(error == CL_INVALID_BINARY && status == CL_INVALID_BINARY);
    free(other);
  }
}

Test(api, a_device_runs_what_its_extensions_cover) {
  static const char all[] = "rv32ima_zicsr_zfinx_zba_zbb_xindex";
  static const char *const covered[] = {"rv32i",
                                        "rv32im_zicsr",
                                        "rv32ima_zicsr",
                                        "rv32im_zicsr_zfinx",
                                        "rv32im_zba_zbb",
                                        "rv32i_zicsr_zmmul",
                                        "rv32i_zfinx",
                                        "rv32ima_zba_xindex",
                                        all};
  static const char *const not_covered[] = {"rv32imf_zicsr", "rv32imc", "rv32im_zbs", "rv32im_zfin", "rv32im_zfinxx",
                                            "rv64im",        ""};
  for (size_t i = 0; i < sizeof covered / sizeof *covered; i++)
    cr_expect(heddle_isa_covers(all, covered[i]), "%s", covered[i]);
  for (size_t i = 0; i < sizeof not_covered / sizeof *not_covered; i++)
    cr_expect(!heddle_isa_covers(all, not_covered[i]), "%s", not_covered[i]);
  // Fewer extensions: each that is missing counts.
  cr_expect(!heddle_isa_covers("rv32im_zicsr", all));
  cr_expect(!heddle_isa_covers("rv32im_zicsr_zfinx_zba_zbb", all));
  cr_expect(!heddle_isa_covers("rv32ima_zicsr_zba_zbb", all));
  cr_expect(!heddle_isa_covers("rv32ima_zicsr_zfinx_zba_zbb", all));
  cr_expect(!heddle_isa_covers("rv32ima_zicsr_zfinx", all));
  cr_expect(!heddle_isa_covers("rv32i_zicsr_zmmul", "rv32im_zicsr"));
  cr_expect(!heddle_isa_covers("rv32i_zicsr", "rv32i_zicsr_zmmul"));
  cr_expect(heddle_isa_has(all, "a") && heddle_isa_has(all, "zfinx") && !heddle_isa_has(all, "f"));
}

Test(api, extensions_are_listed_with_and_without_their_versions) {
  static const char *const active_sets[] = {"cl_khr_subgroup_non_uniform_vote",       "cl_khr_subgroup_ballot",
                                            "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_shuffle",
                                            "cl_khr_subgroup_shuffle_relative",       "cl_khr_subgroup_rotate",
                                            "cl_khr_subgroup_clustered_reduce"};
  char list[2048] = " ", name[CL_NAME_VERSION_MAX_NAME_SIZE + 2];
  cl_name_version versions[64];
  size_t bytes;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_EXTENSIONS, sizeof list - 2, list + 1, NULL));
  OK(clGetDeviceInfo(s.device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof versions, versions, &bytes));
  strcat(list, " ");
  size_t words = 0;
  for (const char *space = list + 1; (space = strchr(space, ' ')); space++)
    words++;
  cr_expect_eq(bytes / sizeof versions[0], words, "%zu with versions, but listed: %s", bytes / sizeof versions[0],
               list);
  for (size_t i = 0; i < bytes / sizeof versions[0]; i++) {
    snprintf(name, sizeof name, " %s ", versions[i].name);
    cr_expect(strstr(list, name), "%s is not in%s", versions[i].name, list);
  }
  for (size_t i = 0; i < sizeof active_sets / sizeof *active_sets; i++) {
    size_t at = 0;
    while (at < bytes / sizeof versions[0] && strcmp(versions[at].name, active_sets[i]) != 0)
      at++;
    cr_assert(at < bytes / sizeof versions[0], "%s is missing in%s", active_sets[i], list);
    cr_expect_eq(versions[at].version, CL_MAKE_VERSION(1, 0, 0), "%s", active_sets[i]);
  }
}

Test(api, half_arithmetic_is_an_extension_with_what_goes_with_it) {
  char list[2048];
  cl_device_fp_config config;
  cl_uint preferred, native;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_EXTENSIONS, sizeof list, list, NULL));
  OK(clGetDeviceInfo(s.device, CL_DEVICE_HALF_FP_CONFIG, sizeof config, &config, NULL));
  OK(clGetDeviceInfo(s.device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, sizeof preferred, &preferred, NULL));
  OK(clGetDeviceInfo(s.device, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, sizeof native, &native, NULL));
  cr_expect(strstr(list, "cl_khr_fp16"), "cl_khr_fp16 is not in %s", list);
  // The text asks for infinities and NaN, and rounding to nearest even or to zero.
  cr_expect_eq(config, CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA | CL_FP_SOFT_FLOAT);
  cr_expect_eq(preferred, 1);
  cr_expect_eq(native, 1);
}

Test(api, sub_group_queries_check_their_arguments) {
  cl_program from = program();
  cl_int error;
  cl_kernel plain = clCreateKernel(from, "plain", &error), narrow = clCreateKernel(from, "narrow", &error);
  const size_t local[3] = {7, 2, 1}, count = 3;
  size_t got[3], bytes;
#define QUERY(kernel, device, name, input_bytes, input, size) \
  clGetKernelSubGroupInfo(kernel, device, name, input_bytes, input, size, got, &bytes)
  FAILS(CL_INVALID_KERNEL, QUERY(NULL, s.device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof *got));
  FAILS(CL_INVALID_DEVICE, QUERY(plain, (cl_device_id)s.context, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof *got));
  FAILS(CL_INVALID_VALUE, QUERY(plain, NULL, 0xBAD, 0, NULL, sizeof *got));
  FAILS(CL_INVALID_VALUE, QUERY(plain, NULL, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 1));
  FAILS(CL_INVALID_VALUE, QUERY(plain, NULL, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, NULL, sizeof *got));
  FAILS(CL_INVALID_VALUE, QUERY(plain, NULL, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 5, local, sizeof *got));
  FAILS(CL_INVALID_VALUE, QUERY(plain, NULL, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 0, local, sizeof *got));
  OK(QUERY(plain, NULL, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, local, sizeof *got));
  cr_assert_eq(got[0], 4);
  OK(QUERY(narrow, NULL, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, local, sizeof *got));
  cr_assert_eq(got[0], 7);
  OK(QUERY(narrow, NULL, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, local, sizeof *got));
  cr_assert_eq(got[0], 2);
  OK(QUERY(plain, NULL, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count, sizeof got));
  cr_assert(got[0] == 12 && got[1] == 1 && got[2] == 1 && bytes == sizeof got);
  OK(QUERY(plain, NULL, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof *got));
  cr_assert_eq(got[0], FAKE_SLOTS);
  OK(QUERY(narrow, NULL, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL, sizeof *got));
  cr_assert_eq(got[0], 2);
  OK(clReleaseKernel(plain));
  OK(clReleaseKernel(narrow));
  OK(clReleaseProgram(from));
}

Test(api, what_the_device_lacks_fails_as_specified) {
  cl_int error;
  clCreatePipe(s.context, 0, 4, 4, NULL, &error);
  cr_assert_eq(error, CL_INVALID_OPERATION);
  setenv("HEDDLEC", "/nonexistent/heddlec", 1);
  clCreateProgramWithIL(s.context, "IL", 2, &error);
  cr_assert_eq(error, CL_INVALID_OPERATION);
  cr_assert_null(clSVMAlloc(s.context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
}

static cl_int on_device_error(const cl_queue_properties *list) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(s.context, s.device, list, &error);
  if (queue)
    OK(clReleaseCommandQueue(queue));
  return error;
}

enum {
  ON_DEVICE = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE,
  DEFAULT = ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT
};
#define LIST(...) ((const cl_queue_properties[]){CL_QUEUE_PROPERTIES, __VA_ARGS__, 0})

Test(api, without_atomics_there_are_no_on_device_queues) {
  cl_ulong capabilities = 9;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof capabilities, &capabilities, NULL));
  cr_assert_eq(capabilities, 0);
  cr_assert_eq(device_number(CL_DEVICE_MAX_ON_DEVICE_QUEUES), 0);
  cr_assert_eq(device_number(CL_DEVICE_MAX_ON_DEVICE_EVENTS), 0);
  cr_assert_eq(device_number(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE), 0);
  FAILS(CL_INVALID_QUEUE_PROPERTIES, on_device_error(LIST(ON_DEVICE)));
  FAILS(CL_INVALID_VALUE, on_device_error(LIST(0, CL_QUEUE_SIZE, 1024)));
  FAILS(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(s.context, s.device, s.queue));
}

// "rv32im_zicsr", with A for M.
static void set_up_with_atomics(void) {
  uint32_t letters;
  memcpy(&letters, "ia_z", 4);
  fake_device_lie(HEDDLE_REG_ISA + 4, letters);
  set_up();
}

TestSuite(api_with_atomics, .init = set_up_with_atomics, .fini = tear_down);

Test(api_with_atomics, on_device_queues_check_their_properties) {
  cl_ulong capabilities = 0;
  OK(clGetDeviceInfo(s.device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof capabilities, &capabilities, NULL));
  cr_assert_eq(capabilities, CL_DEVICE_QUEUE_SUPPORTED);
  const cl_uint most = device_number(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE);
  cr_assert_geq(most, 64 << 10);
  cr_assert_geq(device_number(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE), 16 << 10);
  cr_assert_eq(device_number(CL_DEVICE_MAX_ON_DEVICE_QUEUES), 1);
  cr_assert_eq(device_number(CL_DEVICE_MAX_ON_DEVICE_EVENTS), 1024);
  FAILS(CL_INVALID_VALUE, on_device_error(LIST(CL_QUEUE_ON_DEVICE)));
  FAILS(CL_INVALID_VALUE, on_device_error(LIST(CL_QUEUE_ON_DEVICE_DEFAULT)));
  FAILS(CL_INVALID_VALUE, on_device_error(LIST(0, CL_QUEUE_SIZE, 1024)));
  FAILS(CL_INVALID_VALUE, on_device_error(LIST(ON_DEVICE, CL_QUEUE_SIZE, 0)));
  FAILS(CL_INVALID_VALUE, on_device_error(LIST(ON_DEVICE, 0x9999, 1)));
  FAILS(CL_INVALID_VALUE, on_device_error(LIST(ON_DEVICE | 1 << 20)));
  FAILS(CL_INVALID_QUEUE_PROPERTIES, on_device_error(LIST(ON_DEVICE, CL_QUEUE_SIZE, most + 1)));
  OK(on_device_error(LIST(ON_DEVICE, CL_QUEUE_SIZE, most)));
  OK(on_device_error(LIST(DEFAULT)));
}

Test(api_with_atomics, there_is_one_on_device_queue_and_it_is_told) {
  cl_int error;
  cl_uint size = 0;
  cl_command_queue found = s.queue;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(s.context, s.device, LIST(ON_DEVICE, CL_QUEUE_SIZE, 20000), &error);
  OK(error);
  FAILS(CL_OUT_OF_RESOURCES, on_device_error(LIST(ON_DEVICE)));
  OK(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
  cr_assert_eq(size, 20000);
  FAILS(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(s.queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
  OK(clGetCommandQueueInfo(s.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
  cr_assert_null(found);
  FAILS(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, s.device, queue));
  FAILS(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(s.context, NULL, queue));
  // There is one, so that no other could replace it: CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT is not reported.
  FAILS(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(s.context, s.device, s.queue));
  FAILS(CL_INVALID_OPERATION, clSetDefaultDeviceCommandQueue(s.context, s.device, queue));
  OK(clReleaseCommandQueue(queue));
  queue = clCreateCommandQueueWithProperties(s.context, s.device, LIST(DEFAULT), &error);
  OK(error);
  OK(clGetCommandQueueInfo(s.queue, CL_QUEUE_DEVICE_DEFAULT, sizeof found, &found, NULL));
  cr_assert_eq(found, queue);
  // Asked for again, the default is the one that there is.
  found = clCreateCommandQueueWithProperties(s.context, s.device, LIST(DEFAULT), &error);
  OK(error);
  cr_assert_eq(found, queue);
  OK(clReleaseCommandQueue(found));
  OK(clReleaseCommandQueue(queue));
  OK(on_device_error(LIST(ON_DEVICE)));
}

Test(api_with_atomics, commands_of_the_host_go_to_host_queues) {
  cl_int error;
  const cl_uint pattern = 1;
  cl_command_queue queue = clCreateCommandQueueWithProperties(s.context, s.device, LIST(DEFAULT), &error);
  OK(error);
  cl_mem out = buffer(0, 64);
  FAILS(CL_INVALID_COMMAND_QUEUE,
        clEnqueueNDRangeKernel(queue, NULL, 1, NULL, (const size_t[]){1}, NULL, 0, NULL, NULL));
  FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, 4, &pattern, 0, NULL, NULL));
  FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueFillBuffer(queue, out, &pattern, 4, 0, 64, 0, NULL, NULL));
  FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
  FAILS(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
  FAILS(CL_INVALID_COMMAND_QUEUE, clFlush(queue));
  FAILS(CL_INVALID_COMMAND_QUEUE, clFinish(queue));
  OK(clReleaseMemObject(out));
  OK(clReleaseCommandQueue(queue));
}

static void CL_CALLBACK count_call(cl_event event, cl_int status, void *user) {
  (void)event;
  *(cl_int *)user = status;
}

Test(api, user_events_hold_commands_back) {
  cl_int error, heard = 99, status;
  cl_event gate = clCreateUserEvent(s.context, &error), held;
  OK(error);
  OK(clEnqueueMarkerWithWaitList(s.queue, 1, &gate, &held));
  OK(clSetEventCallback(held, CL_COMPLETE, count_call, &heard));
  OK(clGetEventInfo(held, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_eq(status, CL_QUEUED);
  FAILS(CL_PROFILING_INFO_NOT_AVAILABLE,
        clGetEventProfilingInfo(held, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &(cl_ulong){0}, NULL));
  FAILS(CL_INVALID_VALUE, clSetUserEventStatus(gate, CL_RUNNING));
  FAILS(CL_INVALID_EVENT, clSetUserEventStatus(held, CL_COMPLETE));
  OK(clSetUserEventStatus(gate, -5));
  FAILS(CL_INVALID_OPERATION, clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clFinish(s.queue));
  OK(clGetEventInfo(held, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_eq(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(held));
}

Test(api, an_out_of_order_queue_passes_what_waits_but_not_barriers) {
  cl_int error, status;
  cl_command_queue queue = clCreateCommandQueue(s.context, s.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &error);
  OK(error);
  cl_event gate = clCreateUserEvent(s.context, &error), held, free_to_go, behind;
  OK(clEnqueueMarkerWithWaitList(queue, 1, &gate, &held));
  const cl_uint word = 7;
  cl_mem memory = buffer(0, 64);
  OK(clEnqueueFillBuffer(queue, memory, &word, 4, 0, 64, 0, NULL, &free_to_go));
  OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
  OK(clEnqueueFillBuffer(queue, memory, &word, 4, 0, 64, 0, NULL, &behind));
  OK(clWaitForEvents(1, &free_to_go));
  OK(clGetEventInfo(behind, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_eq(status, CL_QUEUED);
  OK(clSetUserEventStatus(gate, CL_COMPLETE));
  OK(clWaitForEvents(1, &behind));
  OK(clReleaseEvent(gate));
  OK(clReleaseEvent(held));
  OK(clReleaseEvent(free_to_go));
  OK(clReleaseEvent(behind));
  OK(clReleaseMemObject(memory));
  OK(clReleaseCommandQueue(queue));
}

static int order[4], num_called;
static void CL_CALLBACK remember(cl_mem memory, void *user) {
  (void)memory;
  order[num_called++] = *(int *)user;
}

Test(api, destructor_callbacks_run_in_reverse) {
  int one = 1, two = 2;
  cl_mem memory = buffer(0, 64);
  OK(clSetMemObjectDestructorCallback(memory, remember, &one));
  OK(clSetMemObjectDestructorCallback(memory, remember, &two));
  OK(clReleaseMemObject(memory));
  cr_assert(num_called == 2 && order[0] == 2 && order[1] == 1);
}

Test(api, without_the_compiler_a_build_says_so) {
  const char *source = "kernel void k(void) {}";
  cl_bool available;
  cl_int error;
  char log[1024];
  setenv("HEDDLEC", "/nonexistent/heddlec", 1);
  OK(clGetDeviceInfo(s.device, CL_DEVICE_COMPILER_AVAILABLE, sizeof available, &available, NULL));
  cr_assert_not(available);
  cl_program from = clCreateProgramWithSource(s.context, 1, &source, NULL, &error);
  OK(error);
  FAILS(CL_COMPILER_NOT_AVAILABLE, clBuildProgram(from, 0, NULL, "", NULL, NULL));
  OK(clGetProgramBuildInfo(from, s.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  cr_assert(strstr(log, "clang-22"), "%s", log);
  cr_assert_null(clCreateKernel(from, "k", &error));
  cr_assert_eq(error, CL_INVALID_PROGRAM_EXECUTABLE);
  OK(clReleaseProgram(from));
}
