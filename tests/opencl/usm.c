// SPDX-License-Identifier: Apache-2.0
// cl_intel_unified_shared_memory: memory of the device, and memory of host and device that moves by itself: what the
// host has written a kernel sees, and behind the kernel the host sees what that has written. Pointers have one value on
// both sides; on the device they have 4 bytes.
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/command_table.h"

static struct {
#define FUNCTION(name) name##_fn name
  FUNCTION(clHostMemAllocINTEL);
  FUNCTION(clDeviceMemAllocINTEL);
  FUNCTION(clSharedMemAllocINTEL);
  FUNCTION(clMemFreeINTEL);
  FUNCTION(clMemBlockingFreeINTEL);
  FUNCTION(clGetMemAllocInfoINTEL);
  FUNCTION(clSetKernelArgMemPointerINTEL);
  FUNCTION(clEnqueueMemFillINTEL);
  FUNCTION(clEnqueueMemcpyINTEL);
  FUNCTION(clEnqueueMigrateMemINTEL);
  FUNCTION(clEnqueueMemAdviseINTEL);
  FUNCTION(clCreateCommandBufferKHR);
  FUNCTION(clCommandNDRangeKernelKHR);
  FUNCTION(clFinalizeCommandBufferKHR);
  FUNCTION(clEnqueueCommandBufferKHR);
  FUNCTION(clReleaseCommandBufferKHR);
#undef FUNCTION
} usm;

static cl_int error;

static void *found(const char *name) {
  void *function = clGetExtensionFunctionAddressForPlatform(harness()->platform, name);
  if (!function)
    fail("clGetExtensionFunctionAddressForPlatform: %s is not found", name);
  return function;
}

static void begin(void) {
#define FIND(name) usm.name = (name##_fn)found(#name)
  FIND(clHostMemAllocINTEL);
  FIND(clDeviceMemAllocINTEL);
  FIND(clSharedMemAllocINTEL);
  FIND(clMemFreeINTEL);
  FIND(clMemBlockingFreeINTEL);
  FIND(clGetMemAllocInfoINTEL);
  FIND(clSetKernelArgMemPointerINTEL);
  FIND(clEnqueueMemFillINTEL);
  FIND(clEnqueueMemcpyINTEL);
  FIND(clEnqueueMigrateMemINTEL);
  FIND(clEnqueueMemAdviseINTEL);
  FIND(clCreateCommandBufferKHR);
  FIND(clCommandNDRangeKernelKHR);
  FIND(clFinalizeCommandBufferKHR);
  FIND(clEnqueueCommandBufferKHR);
  FIND(clReleaseCommandBufferKHR);
#undef FIND
}
// cppcheck-suppress unknownMacro
TestSuite(usm, .init = begin);

enum kind { HOST, DEVICE, SHARED, KINDS };
static const char *const kind_names[] = {"host", "device", "shared"};

static void *allocated(enum kind kind, size_t bytes) {
  struct harness *h = harness();
  void *memory = kind == HOST     ? usm.clHostMemAllocINTEL(h->context, NULL, bytes, 0, &error)
                 : kind == DEVICE ? usm.clDeviceMemAllocINTEL(h->context, h->device, NULL, bytes, 0, &error)
                                  : usm.clSharedMemAllocINTEL(h->context, h->device, NULL, bytes, 0, &error);
  if (error != CL_SUCCESS || !memory)
    fail("%zu bytes of %s memory: %s, %p", bytes, kind_names[kind], error_name(error), memory);
  return memory;
}

static void copy(void *to, const void *from, size_t bytes) {
  EXPECT_SUCCESS(usm.clEnqueueMemcpyINTEL(harness()->queue, CL_TRUE, to, from, bytes, 0, NULL, NULL));
}

static const char kernels[] =
    "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }\n"
    "struct node { global struct node *next; int value; };\n"
    "kernel void walk(global struct node *at, global int *out) {\n"
    "  int sum = 0;\n"
    "  for (; at; at = at->next) { sum += at->value; at->value++; }\n"
    "  out[0] = sum;\n"
    "}\n"
    "kernel void follow(global uint *pointers, uint n) {\n"
    "  for (uint i = 0; i < n; i++) { global int *x = (global int *)pointers[i]; x[0] *= 2; }\n"
    "}\n";

static void set_pointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  EXPECT_SUCCESS(usm.clSetKernelArgMemPointerINTEL(kernel, index, pointer));
}

Test(usm, the_device_says_what_it_can) {
  static const cl_uint plain[] = {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
                                  CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL};
  static const cl_uint none[] = {CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
                                 CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL};
  cl_device_unified_shared_memory_capabilities_intel got = 0;
  for (int i = 0; i < 2; i++) {
    EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, plain[i], sizeof got, &got, NULL));
    cr_assert_eq(got, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL, "query 0x%x: 0x%llx", plain[i], (unsigned long long)got);
    EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, none[i], sizeof got, &got, NULL));
    cr_assert_eq(got, 0, "query 0x%x: 0x%llx", none[i], (unsigned long long)got);
  }
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, sizeof got, &got, NULL));
  cr_assert_eq(got, CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL);
}

Test(usm, host_and_kernels_see_each_others_changes_in_turn) {
  enum { WORDS = 3000 };
  cl_kernel add = kernel_of(build(kernels, NULL), "add");
  for (int k = 0; k < KINDS; k++) {
    int32_t *x = allocated(k, 4 * WORDS), *expected = allocate(4 * WORDS), *host = allocate(4 * WORDS);
    for (int round = 0; round < 6; round++) {
      const cl_int n = 1000 + round;
      // Some words here and there, or all.
      for (int i = round; i < WORDS; i += round % 2 ? 1 : 97 + round)
        expected[i] += i * (round + 1);
      if (k == DEVICE)
        copy(x, expected, 4 * WORDS);
      else
        memcpy(x, expected, 4 * WORDS);
      set_pointer(add, 0, x + 10);
      EXPECT_SUCCESS(clSetKernelArg(add, 1, sizeof n, &n));
      // Twice, one behind the other on the device.
      const size_t items = WORDS / 2;
      EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
      run_1d(add, items, 0);
      for (int i = 10; i < 10 + WORDS / 2; i++)
        expected[i] += 2 * n;
      if (k == DEVICE)
        copy(host, x, 4 * WORDS);
      else
        memcpy(host, x, 4 * WORDS);
      expect_u32(kind_names[k], (uint32_t *)expected, (uint32_t *)host, WORDS);
    }
    EXPECT_SUCCESS(usm.clMemFreeINTEL(harness()->context, x));
  }
}

struct node {
  uint32_t next;
  int32_t value;
};

Test(usm, kernels_follow_pointers_into_memory_that_they_were_told_of) {
  enum { NODES = 40 };
  cl_program program = build(kernels, NULL);
  for (int k = 0; k < 2; k++) {
    const enum kind kind = k == 0 ? HOST : SHARED;
    cl_kernel walk = kernel_of(program, "walk");
    struct node *nodes[NODES];
    int32_t *out = allocated(SHARED, 4), sum = 0;
    for (int i = 0; i < NODES; i++) {
      nodes[i] = allocated(kind, sizeof **nodes);
      nodes[i]->value = i * 7;
      nodes[i]->next = i ? (uint32_t)(uintptr_t)nodes[i - 1] : 0;
      sum += i * 7;
    }
    set_pointer(walk, 0, nodes[NODES - 1]);
    set_pointer(walk, 1, out);
    // By their kind, or each by its address.
    const cl_bool yes = CL_TRUE;
    if (kind == HOST)
      EXPECT_SUCCESS(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof yes, &yes));
    else
      EXPECT_SUCCESS(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof nodes, nodes));
    run_1d(walk, 1, 1);
    cr_assert_eq(out[0], sum, "%s memory: expected %d, got %d", kind_names[kind], sum, out[0]);
    for (int i = 0; i < NODES; i++)
      cr_assert_eq(nodes[i]->value, i * 7 + 1, "%s memory, node %d: got %d", kind_names[kind], i, nodes[i]->value);
    // Once more, with what the host has changed.
    nodes[3]->value += 1000;
    run_1d(walk, 1, 1);
    cr_assert_eq(out[0], sum + NODES + 1000, "%s memory: got %d", kind_names[kind], out[0]);
  }
}

Test(usm, pointers_to_the_devices_memory_may_be_in_buffers) {
  cl_kernel follow = kernel_of(build(kernels, NULL), "follow");
  uint32_t pointers[5];
  int32_t *memories[5], value;
  const cl_bool yes = CL_TRUE;
  const cl_uint n = 5;
  for (int i = 0; i < 5; i++) {
    value = 100 + i;
    memories[i] = allocated(DEVICE, 4);
    pointers[i] = (uint32_t)(uintptr_t)memories[i];
    copy(memories[i], &value, sizeof value);
  }
  cl_mem buffer = buffer_with(pointers, sizeof pointers);
  EXPECT_SUCCESS(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes));
  set_args(follow, ARG(buffer), ARG(n), END_ARGS);
  run_1d(follow, 1, 1);
  for (int i = 0; i < 5; i++) {
    copy(&value, memories[i], sizeof value);
    cr_assert_eq(value, 2 * (100 + i), "memory %d: got %d", i, value);
  }
}

Test(usm, commands_fill_and_copy_between_all_kinds_and_the_host) {
  cl_kernel add = kernel_of(build(kernels, NULL), "add");
  const cl_int n = 3;
  for (int from = 0; from <= KINDS; from++)
    for (int to = 0; to <= KINDS; to++) {
      int32_t got[16], *a = from == KINDS ? allocate(64) : allocated(from, 64);
      int32_t *b = to == KINDS ? allocate(64) : allocated(to, 64);
      const int32_t pattern[2] = {5, 6};
      EXPECT_SUCCESS(usm.clEnqueueMemFillINTEL(harness()->queue, a, pattern, sizeof pattern, 64, 0, NULL, NULL));
      if (from != KINDS) {  // a kernel has it in between
        set_pointer(add, 0, a);
        EXPECT_SUCCESS(clSetKernelArg(add, 1, sizeof n, &n));
        const size_t items = 16;
        EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
      }
      EXPECT_SUCCESS(usm.clEnqueueMemcpyINTEL(harness()->queue, CL_FALSE, b, a, 64, 0, NULL, NULL));
      copy(got, b, 64);
      for (int i = 0; i < 16; i++)
        cr_assert_eq(got[i], pattern[i % 2] + (from != KINDS ? n : 0), "from %d to %d, word %d: got %d", from, to, i,
                     got[i]);
    }
}

// What the calls of buffers and images take for the host's memory may be the device's: it goes there and comes back.
Test(usm, buffers_and_images_are_read_into_memory_of_the_device_and_written_from_it) {
  const cl_command_queue queue = harness()->queue;
  static const size_t origin[3] = {0}, region[3] = {8, 8, 1}, box[3] = {4, 3, 2}, second[3] = {4, 0, 0};
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  unsigned char *memory = allocated(DEVICE, 100), given[64], got[100];
  for (int i = 0; i < 64; i++)
    given[i] = (unsigned char)(3 * i + 1);
  cl_mem buffer = buffer_with(given, 64), copied = buffer_with(NULL, 64);
  cl_mem image = clCreateImage(harness()->context, 0, &format, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 64, memory + 3, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueWriteImage(queue, image, CL_FALSE, origin, region, 0, 0, memory + 3, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 9, 0, memory + 20, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueWriteBuffer(queue, copied, CL_FALSE, 0, 8, memory + 29, 0, NULL, NULL));
  copy(got, memory, 100);
  for (int i = 0; i < 64; i++)
    cr_assert_eq(got[20 + i / 8 * 9 + i % 8], given[i], "pixel %d is %u", i, got[20 + i / 8 * 9 + i % 8]);
  read_buffer(copied, got, 8);
  cr_assert_eq(memcmp(got, given + 8, 8), 0, "the second row of the image");
  // Boxes of 4 x 3 x 2 bytes, with rows of 8 and slices of 32 on both sides.
  EXPECT_SUCCESS(
      clEnqueueReadBufferRect(queue, buffer, CL_TRUE, origin, second, box, 8, 32, 8, 32, memory, 0, NULL, NULL));
  EXPECT_SUCCESS(
      clEnqueueWriteBufferRect(queue, copied, CL_TRUE, origin, second, box, 8, 32, 8, 32, memory, 0, NULL, NULL));
  read_buffer(copied, got, 64);
  for (size_t z = 0; z < 2; z++)
    for (size_t y = 0; y < 3; y++)
      cr_assert_eq(memcmp(got + 32 * z + 8 * y, given + 32 * z + 8 * y, 4), 0, "row %zu of slice %zu", y, z);
  // Not behind its end.
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64, memory + 37, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 64, memory + 37, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE,
              clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 9, 0, memory + 30, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 9, 0, memory + 29, 0, NULL, NULL));
}

Test(usm, no_buffer_and_no_image_is_made_of_memory_of_the_device) {
  const cl_context context = harness()->context;
  const cl_mem_flags flags[] = {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR};
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  for (int i = 0; i < 2; i++) {
    cr_expect_null(clCreateBuffer(context, flags[i], 64, (char *)allocated(DEVICE, 128) + 8, &error));
    EXPECT_CODE(CL_INVALID_HOST_PTR, error);
    cr_expect_null(clCreateImage(context, flags[i], &format, &desc, allocated(DEVICE, 64), &error));
    EXPECT_CODE(CL_INVALID_HOST_PTR, error);
    for (enum kind kind = 0; kind < KINDS; kind++) {
      if (kind == DEVICE)
        continue;
      cl_mem buffer = clCreateBuffer(context, flags[i], 64, allocated(kind, 64), &error);
      EXPECT_SUCCESS(error);
      EXPECT_SUCCESS(clReleaseMemObject(buffer));
    }
  }
}

Test(usm, memory_says_what_it_is) {
  struct harness *h = harness();
  static const cl_uint types[] = {CL_MEM_TYPE_HOST_INTEL, CL_MEM_TYPE_DEVICE_INTEL, CL_MEM_TYPE_SHARED_INTEL};
  for (int k = 0; k < KINDS; k++) {
    char *memory = allocated(k, 1000), *other = NULL;
    void *base = NULL;
    cl_uint type = 0;
    size_t size = 0;
    cl_device_id device = NULL;
    cl_mem_alloc_flags_intel flags = 9;
    other = memory + 500;  // any pointer into it
    EXPECT_SUCCESS(usm.clGetMemAllocInfoINTEL(h->context, other, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
    EXPECT_SUCCESS(
        usm.clGetMemAllocInfoINTEL(h->context, other, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, NULL));
    EXPECT_SUCCESS(usm.clGetMemAllocInfoINTEL(h->context, other, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, NULL));
    EXPECT_SUCCESS(
        usm.clGetMemAllocInfoINTEL(h->context, other, CL_MEM_ALLOC_DEVICE_INTEL, sizeof device, (void *)&device, NULL));
    EXPECT_SUCCESS(usm.clGetMemAllocInfoINTEL(h->context, other, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags, NULL));
    cr_assert(
        type == types[k] && base == memory && size == 1000 && device == (k == HOST ? NULL : h->device) && flags == 0,
        "%s memory: type 0x%x, base %p of %p, %zu bytes, device %p, flags %llu", kind_names[k], type, base,
        (void *)memory, size, (void *)device, (unsigned long long)flags);
    EXPECT_CODE(CL_INVALID_VALUE, usm.clGetMemAllocInfoINTEL(h->context, other, 0xBAD, sizeof size, &size, NULL));
    EXPECT_CODE(CL_INVALID_VALUE,
                usm.clGetMemAllocInfoINTEL(h->context, other, CL_MEM_ALLOC_SIZE_INTEL, 1, &size, NULL));
    EXPECT_CODE(CL_INVALID_CONTEXT,
                usm.clGetMemAllocInfoINTEL(NULL, other, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, NULL));
    // A pointer to nothing of that.
    EXPECT_SUCCESS(usm.clGetMemAllocInfoINTEL(h->context, &size, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL));
    EXPECT_SUCCESS(
        usm.clGetMemAllocInfoINTEL(h->context, memory + 1000, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, NULL));
    cr_assert(type == CL_MEM_TYPE_UNKNOWN_INTEL && size == 0, "no such memory: type 0x%x, %zu bytes", type, size);
  }
  const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
  void *memory = usm.clDeviceMemAllocINTEL(h->context, h->device, combined, 64, 128, &error);
  EXPECT_SUCCESS(error);
  cl_mem_alloc_flags_intel flags = 0;
  EXPECT_SUCCESS(usm.clGetMemAllocInfoINTEL(h->context, memory, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags, NULL));
  cr_assert_eq(flags, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
}

static void expect_memory_stays(enum kind kind) {
  unsigned char *memory = allocated(kind, 64), got[64] = {0};
  const unsigned char pattern = 0x5A;
  cl_event gate = user_event(), events[2];
  EXPECT_SUCCESS(usm.clEnqueueMemFillINTEL(queue_with(0), memory, &pattern, 1, 64, 1, &gate, &events[0]));
  EXPECT_SUCCESS(usm.clEnqueueMemcpyINTEL(queue_with(0), CL_FALSE, got, memory, 64, 0, NULL, &events[1]));
  EXPECT_SUCCESS(usm.clMemFreeINTEL(harness()->context, memory));
  let_run_what_can();
  cr_assert(event_status(events[0]) > CL_RUNNING && got[0] == 0, "%s: it did not wait", kind_names[kind]);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_SUCCESS(clWaitForEvents(2, events));
  for (int i = 0; i < 64; i++)
    cr_assert_eq(got[i], pattern, "%s", kind_names[kind]);
  static const cl_command_type types[] = {CL_COMMAND_MEMFILL_INTEL, CL_COMMAND_MEMCPY_INTEL};
  for (int i = 0; i < 2; i++) {
    cl_command_type type = 0;
    EXPECT_SUCCESS(clGetEventInfo(events[i], CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    cr_assert_eq(type, types[i], "command %d is 0x%x", i, type);
  }
}

Test(usm, commands_wait_and_memory_stays_as_long_as_they_need_it) {
  for (enum kind kind = 0; kind < KINDS; kind++)
    expect_memory_stays(kind);
}

Test(usm, a_blocking_free_waits_for_commands) {
  enum { WORDS = 1 << 14 };
  cl_kernel add = kernel_of(build(kernels, NULL), "add");
  int32_t *memory = allocated(SHARED, 4 * WORDS);
  const cl_int n = 1;
  const size_t items = harness()->is_rtl ? 256 : WORDS;
  cl_event event;
  set_pointer(add, 0, memory);
  EXPECT_SUCCESS(clSetKernelArg(add, 1, sizeof n, &n));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, add, 1, NULL, &items, NULL, 0, NULL, &event));
  EXPECT_SUCCESS(usm.clMemBlockingFreeINTEL(harness()->context, memory));
  // The command lets go of the memory just before its end is told.
  EXPECT_SUCCESS(clWaitForEvents(1, &event));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clMemFreeINTEL(harness()->context, memory));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clMemBlockingFreeINTEL(harness()->context, memory));
  EXPECT_SUCCESS(usm.clMemBlockingFreeINTEL(harness()->context, NULL));
}

static atomic_bool is_open;

static void *open_late(void *gate) {
  let_run_what_can();
  atomic_store(&is_open, true);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  return NULL;
}

// Commands that use the second half of memory in all ways that there are.
enum use { FILLS, COPIES_FROM, COPIES_TO, READS_BUFFER, WRITES_BUFFER, READS_IMAGE, WRITES_IMAGE, USES };
static void enqueue_use(enum use use, unsigned char *memory, cl_event gate) {
  static unsigned char other[64];
  static const size_t origin[3] = {0}, region[3] = {8, 8, 1};
  const cl_command_queue queue = harness()->queue;
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  const unsigned char zero = 0;
  cl_mem buffer = buffer_with(NULL, 64), image = clCreateImage(harness()->context, 0, &format, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  memory += 64;
  EXPECT_SUCCESS(use == FILLS           ? usm.clEnqueueMemFillINTEL(queue, memory, &zero, 1, 64, 1, &gate, NULL)
                 : use == COPIES_FROM   ? usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, other, memory, 64, 1, &gate, NULL)
                 : use == COPIES_TO     ? usm.clEnqueueMemcpyINTEL(queue, CL_FALSE, memory, other, 64, 1, &gate, NULL)
                 : use == READS_BUFFER  ? clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 64, memory, 1, &gate, NULL)
                 : use == WRITES_BUFFER ? clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 64, memory, 1, &gate, NULL)
                 : use == READS_IMAGE
                     ? clEnqueueReadImage(queue, image, CL_FALSE, origin, region, 0, 0, memory, 1, &gate, NULL)
                     : clEnqueueWriteImage(queue, image, CL_FALSE, origin, region, 0, 0, memory, 1, &gate, NULL));
}

Test(usm, a_blocking_free_waits_for_every_command_that_uses_the_memory) {
  for (enum kind kind = 0; kind < KINDS; kind++) {
    for (enum use use = 0; use < (kind == DEVICE ? READS_BUFFER : USES); use++) {
      unsigned char *memory = allocated(kind, 128);
      cl_event gate = user_event();
      pthread_t thread;
      atomic_store(&is_open, false);
      enqueue_use(use, memory, gate);
      cr_assert_eq(pthread_create(&thread, NULL, open_late, gate), 0);
      EXPECT_SUCCESS(usm.clMemBlockingFreeINTEL(harness()->context, memory));
      cr_expect(atomic_load(&is_open), "%s memory, use %d: it did not wait", kind_names[kind], use);
      pthread_join(thread, NULL);
      EXPECT_SUCCESS(clFinish(harness()->queue));
    }
  }
}

struct copying {
  void *memory;
  cl_event gate;
};

static void *copy_behind_gate(void *argument) {
  const struct copying *copying = argument;
  char got[64];
  EXPECT_SUCCESS(
      usm.clEnqueueMemcpyINTEL(harness()->queue, CL_TRUE, got, copying->memory, sizeof got, 1, &copying->gate, NULL));
  return NULL;
}

// The thread that copies lets go of the memory behind the end of its command.
Test(usm, a_blocking_free_ends_beside_a_blocking_copy_of_another_thread, .timeout = 60) {
  for (int i = 0; i < (harness()->is_rtl ? 10 : 100); i++) {
    struct copying copying = {.memory = allocated(SHARED, 64), .gate = user_event()};
    pthread_t copies, opens;
    cr_assert_eq(pthread_create(&copies, NULL, copy_behind_gate, &copying), 0);
    for (cl_uint references = 0; references < 2;)  // until the command has the gate
      EXPECT_SUCCESS(clGetEventInfo(copying.gate, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    cr_assert_eq(pthread_create(&opens, NULL, open_late, copying.gate), 0);
    EXPECT_SUCCESS(usm.clMemBlockingFreeINTEL(harness()->context, copying.memory));
    pthread_join(copies, NULL);
    pthread_join(opens, NULL);
  }
}

static cl_command_buffer_khr buffer_that_adds(int32_t *memory) {
  cl_kernel add = kernel_of(build(kernels, NULL), "add");
  const cl_int n = 1;
  const size_t items = 4;
  cl_command_buffer_khr buffer = usm.clCreateCommandBufferKHR(1, &harness()->queue, NULL, &error);
  EXPECT_SUCCESS(error);
  set_pointer(add, 0, memory);
  EXPECT_SUCCESS(clSetKernelArg(add, 1, sizeof n, &n));
  EXPECT_SUCCESS(usm.clCommandNDRangeKernelKHR(buffer, NULL, NULL, add, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(usm.clFinalizeCommandBufferKHR(buffer));
  return buffer;
}

// A command buffer uses memory as long as it is enqueued.
Test(usm, a_blocking_free_waits_for_command_buffers_that_are_enqueued_alone, .timeout = 60) {
  for (int way = 0; way < 3; way++) {
    int32_t *memory = allocated(SHARED, 64);
    cl_command_buffer_khr buffer = buffer_that_adds(memory);
    if (way == 1) {  // it was enqueued before
      EXPECT_SUCCESS(usm.clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL));
      EXPECT_SUCCESS(clFinish(harness()->queue));
    }
    cl_event gate = user_event();
    pthread_t thread;
    atomic_store(&is_open, false);
    if (way == 2) {
      EXPECT_SUCCESS(usm.clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL));
      cr_assert_eq(pthread_create(&thread, NULL, open_late, gate), 0);
    }
    EXPECT_SUCCESS(usm.clMemBlockingFreeINTEL(harness()->context, memory));
    cr_expect(way != 2 || atomic_load(&is_open), "it did not wait");
    if (way == 2)
      pthread_join(thread, NULL);
    EXPECT_SUCCESS(clFinish(harness()->queue));
    EXPECT_SUCCESS(usm.clReleaseCommandBufferKHR(buffer));
  }
  // One that is released lets go of it.
  int32_t *memory = allocated(SHARED, 64);
  EXPECT_SUCCESS(usm.clReleaseCommandBufferKHR(buffer_that_adds(memory)));
  EXPECT_SUCCESS(usm.clMemBlockingFreeINTEL(harness()->context, memory));
}

// A reader of a channel uses the memory, and its writer never comes.
Test(usm, a_blocking_free_ends_where_a_kernel_that_uses_the_memory_cannot_run) {
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  cl_program program = build(
      "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"
      "channel int c;\n"
      "kernel void put(int x) { write_channel_intel(c, x); }\n"
      "kernel void take(global int *x) { x[0] = read_channel_intel(c); }\n",
      NULL);
  cl_kernel take = kernel_of(program, "take");
  int32_t *memory = allocated(SHARED, 64);
  const size_t one = 1;
  cl_event event;
  set_pointer(take, 0, memory);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, take, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_SUCCESS(usm.clMemBlockingFreeINTEL(harness()->context, memory));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
}

Test(usm, calls_have_the_errors_of_the_text) {
  struct harness *h = harness();
  cl_platform_id platform;
  cl_device_id devices[2];
  cl_ulong most = 0;
  heddle_devices(&platform, &devices[0], &devices[1]);
  const cl_device_id other = devices[0] == h->device ? devices[1] : devices[0];
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  const cl_mem_properties_intel unknown[] = {0x7001, 1, 0}, wrong[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 9, 0};
  const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
#define NONE(expected, call)                 \
  do {                                       \
    cr_assert_null(call, #call ": no NULL"); \
    EXPECT_CODE((expected), error);          \
  } while (0)
  NONE(CL_INVALID_CONTEXT, usm.clHostMemAllocINTEL(NULL, unknown, 0, 3, &error));
  NONE(CL_INVALID_VALUE, usm.clHostMemAllocINTEL(h->context, unknown, 0, 3, &error));
  NONE(CL_INVALID_VALUE, usm.clHostMemAllocINTEL(h->context, unknown, 0, 256, &error));
  NONE(CL_INVALID_PROPERTY, usm.clHostMemAllocINTEL(h->context, unknown, 0, 0, &error));
  NONE(CL_INVALID_PROPERTY, usm.clHostMemAllocINTEL(h->context, wrong, 0, 0, &error));
  NONE(CL_INVALID_PROPERTY, usm.clHostMemAllocINTEL(h->context, twice, 0, 0, &error));
  NONE(CL_INVALID_BUFFER_SIZE, usm.clHostMemAllocINTEL(h->context, NULL, 0, 0, &error));
  NONE(CL_INVALID_BUFFER_SIZE, usm.clHostMemAllocINTEL(h->context, NULL, (size_t)most + 1, 0, &error));
  NONE(CL_INVALID_DEVICE, usm.clDeviceMemAllocINTEL(h->context, NULL, NULL, 64, 0, &error));
  NONE(CL_INVALID_DEVICE, usm.clDeviceMemAllocINTEL(h->context, other, NULL, 64, 0, &error));
  NONE(CL_INVALID_DEVICE, usm.clSharedMemAllocINTEL(h->context, other, NULL, 64, 0, &error));
  const cl_bitfield places[] = {CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL};
  const cl_mem_properties_intel both[] = {CL_MEM_ALLOC_FLAGS_INTEL, places[0] | places[1], 0};
  NONE(CL_INVALID_PROPERTY, usm.clSharedMemAllocINTEL(h->context, NULL, both, 64, 0, &error));
  for (int i = 0; i < 2; i++) {
    const cl_mem_properties_intel place[] = {CL_MEM_ALLOC_FLAGS_INTEL, places[i], 0};
    NONE(CL_INVALID_PROPERTY, usm.clHostMemAllocINTEL(h->context, place, 64, 0, &error));
    NONE(CL_INVALID_PROPERTY, usm.clDeviceMemAllocINTEL(h->context, h->device, place, 64, 0, &error));
    void *placed = usm.clSharedMemAllocINTEL(h->context, NULL, place, 64, 0, &error);
    EXPECT_SUCCESS(error);
    EXPECT_SUCCESS(usm.clMemFreeINTEL(h->context, placed));
  }
  void *of_any = usm.clSharedMemAllocINTEL(h->context, NULL, NULL, 64, 0, &error);
  EXPECT_SUCCESS(error);
  char *memory = allocated(DEVICE, 100), host[200];
  void *svm = clSVMAlloc(h->context, 0, 64, 0);
  cl_kernel add = kernel_of(build(kernels, NULL), "add");
  EXPECT_CODE(CL_INVALID_KERNEL, usm.clSetKernelArgMemPointerINTEL(NULL, 0, memory));
  EXPECT_CODE(CL_INVALID_ARG_INDEX, usm.clSetKernelArgMemPointerINTEL(add, 2, memory));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, usm.clSetKernelArgMemPointerINTEL(add, 0, host));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, usm.clSetKernelArgMemPointerINTEL(add, 0, svm));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 0, memory));
  EXPECT_CODE(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof svm, &svm));
  EXPECT_CODE(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, 1, host));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, usm.clEnqueueMemcpyINTEL(NULL, 1, NULL, NULL, 4, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clEnqueueMemcpyINTEL(h->queue, 1, NULL, host, 4, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, usm.clEnqueueMemcpyINTEL(h->queue, 1, memory, host, 4, 1, NULL, NULL));
  EXPECT_CODE(CL_MEM_COPY_OVERLAP, usm.clEnqueueMemcpyINTEL(h->queue, 1, memory, memory + 3, 4, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clEnqueueMemcpyINTEL(h->queue, 1, memory, host, 101, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clEnqueueMemFillINTEL(h->queue, memory, host, 3, 3, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, usm.clEnqueueMigrateMemINTEL(NULL, NULL, 4, 0, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clEnqueueMigrateMemINTEL(h->queue, memory, 4, 1 << 5, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clEnqueueMigrateMemINTEL(h->queue, host, 4, 0, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clEnqueueMigrateMemINTEL(h->queue, memory, 101, 0, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, usm.clEnqueueMigrateMemINTEL(h->queue, memory, 100, 0, 1, NULL, NULL));
  EXPECT_SUCCESS(usm.clEnqueueMigrateMemINTEL(h->queue, memory, 100, 0, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, usm.clEnqueueMemAdviseINTEL(NULL, NULL, 4, 1, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clEnqueueMemAdviseINTEL(h->queue, memory, 4, 1, 1, NULL, NULL));
  EXPECT_SUCCESS(usm.clEnqueueMemAdviseINTEL(h->queue, of_any, 4, 0, 0, NULL, NULL));
  EXPECT_CODE(CL_INVALID_CONTEXT, usm.clMemFreeINTEL(NULL, memory));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clMemFreeINTEL(h->context, host));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clMemFreeINTEL(h->context, memory + 4));
  EXPECT_CODE(CL_INVALID_VALUE, usm.clMemFreeINTEL(h->context, svm));
  EXPECT_SUCCESS(usm.clMemFreeINTEL(h->context, NULL));
  EXPECT_SUCCESS(usm.clMemFreeINTEL(h->context, memory));
  EXPECT_SUCCESS(clFinish(h->queue));
}
