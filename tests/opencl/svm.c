// SPDX-License-Identifier: Apache-2.0
// Coarse-grained shared virtual memory (OpenCL API 3.0, section 5.6): a pointer has one value on host and device, also
// inside of memory, and what one side has written the other sees once it is mapped or unmapped. Device pointers have 4
// bytes (CL_DEVICE_ADDRESS_BITS), so structures that both use have pointers of 4 bytes.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/rtl/random_word.h"

static cl_int error;

static void begin(void) {
  random_seed(40);
}
TestSuite(svm, .init = begin);

static void *allocated(size_t bytes) {
  void *memory = clSVMAlloc(harness()->context, CL_MEM_READ_WRITE, bytes, 0);
  if (!memory)
    fail("clSVMAlloc of %zu bytes: NULL", bytes);
  return memory;
}

static void map(void *memory, size_t bytes, cl_map_flags flags) {
  EXPECT_SUCCESS(clEnqueueSVMMap(harness()->queue, CL_TRUE, flags, memory, bytes, 0, NULL, NULL));
}

static void unmap(void *memory) {
  EXPECT_SUCCESS(clEnqueueSVMUnmap(harness()->queue, memory, 0, NULL, NULL));
}

static uint32_t as_word(const void *pointer) {
  if ((uintptr_t)pointer >> 32 != 0)
    fail("%p is no address of the device", pointer);
  return (uint32_t)(uintptr_t)pointer;
}

Test(svm, the_device_says_that_it_is_coarse_grained) {
  cl_device_svm_capabilities got = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_SVM_CAPABILITIES, sizeof got, &got, NULL));
  cr_assert_eq(got, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
}

static const char simple[] =
    "kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }\n"
    "kernel void where(global int *x, global uint *out) { out[0] = (uint)x; }\n";

Test(svm, a_pointer_has_one_value_on_both_sides_and_may_lead_into_the_memory) {
  cl_program program = build(simple, NULL);
  cl_kernel add = kernel_of(program, "add"), where = kernel_of(program, "where");
  int32_t *x = allocated(400);
  uint32_t got = 0;
  const cl_int n = 5;
  cl_mem out = buffer_with(NULL, 4);
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(where, 0, x + 7));
  EXPECT_SUCCESS(clSetKernelArg(where, 1, sizeof out, &out));
  run_1d(where, 1, 1);
  read_buffer(out, &got, sizeof got);
  cr_assert_eq(got, as_word(x + 7), "the host has %p, the kernel 0x%x", (void *)(x + 7), got);
  map(x, 400, CL_MAP_WRITE);
  for (int i = 0; i < 100; i++)
    x[i] = i;
  unmap(x);
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(add, 0, x + 10));
  EXPECT_SUCCESS(clSetKernelArg(add, 1, sizeof n, &n));
  run_1d(add, 20, 0);
  map(x, 400, CL_MAP_READ);
  for (int i = 0; i < 100; i++)
    cr_assert_eq(x[i], i + (i >= 10 && i < 30 ? 5 : 0), "x[%d]: got %d", i, x[i]);
  unmap(x);
  clSVMFree(harness()->context, x);
}

// ---- Pointers in memory

struct node {
  uint32_t next;  // a pointer
  int32_t value;
};
static const char lists[] =
    "struct node { global struct node *next; int value; };\n"
    "kernel void walk(global struct node *first, global int *out) {\n"
    "  int sum = 0, count = 0;\n"
    "  for (global struct node *at = first; at; at = at->next) { sum += at->value; at->value = -at->value; count++; }\n"
    "  out[0] = sum; out[1] = count;\n"
    "}\n"
    "kernel void make(global struct node *nodes, int n) {\n"
    "  for (int i = 0; i < n; i++) { nodes[i].next = i ? &nodes[i - 1] : 0; nodes[i].value = 3 * i; }\n"
    "}\n";

Test(svm, lists_that_the_host_has_made_kernels_walk_through_several_allocations) {
  enum { PIECES = 6, EACH = 9 };
  cl_program program = build(lists, NULL);
  cl_kernel walk = kernel_of(program, "walk");
  struct node *pieces[PIECES];
  int32_t *out = allocated(8);
  int32_t sum = 0;
  for (int i = 0; i < PIECES; i++) {
    pieces[i] = allocated(EACH * sizeof **pieces);
    map(pieces[i], EACH * sizeof **pieces, CL_MAP_WRITE);
  }
  // From one piece to the next one and back.
  struct node *last = NULL, *first = NULL;
  for (int i = 0; i < PIECES * EACH; i++) {
    struct node *node = &pieces[i % PIECES][i / PIECES];
    *node = (struct node){.value = i * i};
    sum += i * i;
    if (last)
      last->next = as_word(node);
    else
      first = node;
    last = node;
  }
  for (int i = 0; i < PIECES; i++)
    unmap(pieces[i]);
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(walk, 0, first));
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(walk, 1, out));
  EXPECT_SUCCESS(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pieces, pieces));
  // A copy of the kernel knows them, too.
  cl_kernel copy = clCloneKernel(walk, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clReleaseKernel(walk));
  run_1d(copy, 1, 1);
  map(out, 8, CL_MAP_READ);
  cr_assert(out[0] == sum && out[1] == PIECES * EACH, "expected a sum of %d over %d nodes, got %d over %d", sum,
            PIECES * EACH, out[0], out[1]);
  unmap(out);
  for (int i = 0; i < PIECES; i++) {
    map(pieces[i], EACH * sizeof **pieces, CL_MAP_READ);
    for (int k = 0; k < EACH; k++) {
      const int n = k * PIECES + i;
      cr_assert_eq(pieces[i][k].value, -n * n, "node %d: expected %d, got %d", n, -n * n, pieces[i][k].value);
    }
    unmap(pieces[i]);
    clSVMFree(harness()->context, pieces[i]);
  }
  clSVMFree(harness()->context, out);
}

Test(svm, lists_that_a_kernel_has_made_the_host_walks) {
  enum { NODES = 50 };
  cl_kernel make = kernel_of(build(lists, NULL), "make");
  struct node *nodes = allocated(NODES * sizeof *nodes);
  const cl_int n = NODES;
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(make, 0, nodes));
  EXPECT_SUCCESS(clSetKernelArg(make, 1, sizeof n, &n));
  run_1d(make, 1, 1);
  map(nodes, NODES * sizeof *nodes, CL_MAP_READ);
  int count = 0;
  for (const struct node *at = &nodes[NODES - 1]; at; at = (const struct node *)(uintptr_t)at->next) {
    const int i = (int)(at - nodes);
    cr_assert(i == NODES - 1 - count && at->value == 3 * i, "step %d: node %d, value %d", count, i, at->value);
    count++;
  }
  cr_assert_eq(count, NODES);
  unmap(nodes);
}

// ---- Commands

Test(svm, commands_move_bytes_as_memcpy_and_memset_do) {
  enum { BYTES = 9000, STEPS = 120 };
  const cl_command_queue queue = harness()->queue;
  uint8_t *memories[2], expected[2][BYTES], host[BYTES];
  for (int i = 0; i < 2; i++) {
    memories[i] = allocated(BYTES);
    memset(expected[i], 0, BYTES);  // nobody says so, but it is so
  }
  for (int step = 0; step < STEPS; step++) {
    const uint32_t which = random_below(2), from = random_below(BYTES), to = random_below(BYTES);
    const uint32_t most = BYTES - (from > to ? from : to), bytes = 1 + random_below(most);
    uint8_t *memory = memories[which], *mirror = expected[which];
    switch (random_below(5)) {
      case 0:  // from the host
        for (uint32_t i = 0; i < bytes; i++)
          host[i] = (uint8_t)random_word();
        EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, memory + to, host, bytes, 0, NULL, NULL));
        memcpy(mirror + to, host, bytes);
        break;
      case 1:  // to the host
        EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, host, memory + from, bytes, 0, NULL, NULL));
        cr_assert_arr_eq(host, mirror + from, bytes, "step %d: %u bytes from %u differ", step, bytes, from);
        break;
      case 2:  // from one to the other
        EXPECT_SUCCESS(
            clEnqueueSVMMemcpy(queue, CL_FALSE, memory + to, memories[1 - which] + from, bytes, 0, NULL, NULL));
        memcpy(mirror + to, expected[1 - which] + from, bytes);
        break;
      case 3: {
        const uint32_t size = 1u << random_below(8), first = to / size * size, count = bytes / size;
        uint8_t pattern[128];
        for (uint32_t i = 0; i < size; i++)
          pattern[i] = (uint8_t)random_word();
        EXPECT_SUCCESS(clEnqueueSVMMemFill(queue, memory + first, pattern, size, (size_t)count * size, 0, NULL, NULL));
        for (uint32_t i = 0; i < count; i++)
          memcpy(mirror + first + i * size, pattern, size);
        break;
      }
      default:
        map(memory + from, bytes, CL_MAP_READ | CL_MAP_WRITE);
        cr_assert_arr_eq(memory + from, mirror + from, bytes, "step %d: %u mapped bytes from %u differ", step, bytes,
                         from);
        for (uint32_t i = 0; i < bytes; i += 3)
          memory[from + i] = mirror[from + i] = (uint8_t)random_word();
        unmap(memory + from);
    }
  }
  for (int i = 0; i < 2; i++) {
    map(memories[i], BYTES, CL_MAP_READ);
    cr_assert_arr_eq(memories[i], expected[i], BYTES, "memory %d differs in the end", i);
    unmap(memories[i]);
    clSVMFree(harness()->context, memories[i]);
  }
  memset(host, 1, 100);  // memory of the host alone
  EXPECT_SUCCESS(clEnqueueSVMMemcpy(queue, CL_TRUE, host + 200, host, 100, 0, NULL, NULL));
  cr_assert_arr_eq(host + 200, host, 100);
}

Test(svm, buffers_on_it_are_it) {
  cl_program program = build(simple, NULL);
  cl_kernel add = kernel_of(program, "add");
  const cl_int n = 9;
  int32_t *x = allocated(4096), got[4];
  cl_mem buffer = clCreateBuffer(harness()->context, CL_MEM_USE_HOST_PTR, 256, x + 32, &error), none = NULL, found;
  EXPECT_SUCCESS(error);
  cl_bool uses = CL_FALSE;
  size_t offset = 99;
  void *host = NULL;
  EXPECT_SUCCESS(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
  EXPECT_SUCCESS(clGetMemObjectInfo(buffer, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
  EXPECT_SUCCESS(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof host, &host, NULL));
  EXPECT_SUCCESS(clGetMemObjectInfo(buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &found, NULL));
  cr_assert(uses && offset == 0 && host == x + 32 && found == none, "uses %u, offset %zu, host %p, of %p", uses, offset,
            host, (void *)found);
  const cl_buffer_region region = {128, 16};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clGetMemObjectInfo(part, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
  EXPECT_SUCCESS(clGetMemObjectInfo(part, CL_MEM_OFFSET, sizeof offset, &offset, NULL));
  EXPECT_SUCCESS(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(cl_mem), &found, NULL));
  cr_assert(uses && offset == 128 && found == buffer, "a part: uses %u, offset %zu", uses, offset);
  map(x, 4096, CL_MAP_WRITE);
  for (int i = 0; i < 1024; i++)
    x[i] = i;
  unmap(x);
  set_args(add, ARG(part), ARG(n), END_ARGS);
  run_1d(add, 4, 0);
  read_buffer(part, got, sizeof got);
  map(x, 4096, CL_MAP_READ);
  for (int i = 0; i < 4; i++)
    cr_assert(got[i] == 64 + i + n && x[64 + i] == got[i], "word %d: the buffer has %d, the memory %d", i, got[i],
              x[64 + i]);
  cr_assert(x[63] == 63 && x[68] == 68, "words beside the part have changed");
  unmap(x);
  // The buffer keeps the memory.
  clSVMFree(harness()->context, x);
  read_buffer(part, got, sizeof got);
  cr_assert_eq(got[3], 67 + n);
  EXPECT_SUCCESS(clReleaseMemObject(part));
  EXPECT_SUCCESS(clReleaseMemObject(buffer));
  cl_mem plain = buffer_with(NULL, 64);
  EXPECT_SUCCESS(clGetMemObjectInfo(plain, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
  cr_assert_not(uses);
}

// ---- Freeing

static int frees;
static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count, void *pointers[], void *user) {
  cr_assert(queue == harness()->queue && count == 2 && user == &frees);
  for (cl_uint i = 0; i < count; i++)
    clSVMFree(harness()->context, pointers[i]);
  frees++;
}

Test(svm, is_given_back_at_once_or_by_a_command) {
  void *two[2] = {allocated(100), allocated(5000)}, *one = allocated(100);
  EXPECT_SUCCESS(clEnqueueSVMFree(harness()->queue, 2, two, on_free, &frees, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueSVMFree(harness()->queue, 1, &one, NULL, NULL, 0, NULL, NULL));
  EXPECT_SUCCESS(clFinish(harness()->queue));
  cr_assert_eq(frees, 1);
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueSVMMap(harness()->queue, 1, CL_MAP_READ, one, 4, 0, NULL, NULL));
  clSVMFree(harness()->context, NULL);
  clSVMFree(harness()->context, &frees);  // none: ignored
  // Neither the device's memory nor addresses run out.
  cl_ulong most = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  for (int i = 0; i < 300; i++)
    clSVMFree(harness()->context, allocated((size_t)most / 4));
}

// A context of both devices, a queue and a program on each.
struct pair {
  cl_device_id devices[2];
  cl_context context;
  cl_command_queue queues[2];
};

static struct pair both_devices(void) {
  struct pair pair;
  cl_platform_id platform;
  heddle_devices(&platform, &pair.devices[0], &pair.devices[1]);
  pair.context = clCreateContext(NULL, 2, pair.devices, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  for (int i = 0; i < 2; i++) {
    pair.queues[i] = clCreateCommandQueueWithProperties(pair.context, pair.devices[i], NULL, &error);
    EXPECT_SUCCESS(error);
  }
  return pair;
}

static cl_kernel built(const struct pair *pair, const char *text, const char *name) {
  cl_program program = clCreateProgramWithSource(pair->context, 1, &text, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT_SUCCESS(error);
  return kernel;
}

// The second device has something where the first one has room, which stays as it is.
Test(svm, of_two_devices_has_one_address_and_follows_the_queues) {
  enum { BYTES = 1 << 20 };
  const struct pair pair = both_devices();
  const unsigned char filled = 0x77;
  unsigned char *left = allocate(BYTES);
  cl_context alone = clCreateContext(NULL, 1, &pair.devices[1], NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue own = clCreateCommandQueueWithProperties(alone, pair.devices[1], NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem other = clCreateBuffer(alone, 0, BYTES, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clEnqueueFillBuffer(own, other, &filled, 1, 0, BYTES, 0, NULL, NULL));
  EXPECT_SUCCESS(clFinish(own));
  cl_kernel add = built(&pair, simple, "add");
  int32_t *x = clSVMAlloc(pair.context, 0, 64, 128);
  cr_assert_not_null(x);
  const size_t items = 16;
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(add, 0, x));
  for (int i = 0; i < 2; i++) {
    const cl_int n = i == 0 ? 1 : 10;
    EXPECT_SUCCESS(clSetKernelArg(add, 1, sizeof n, &n));
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(pair.queues[i], add, 1, NULL, &items, NULL, 0, NULL, NULL));
    EXPECT_SUCCESS(clFinish(pair.queues[i]));
  }
  EXPECT_SUCCESS(clEnqueueSVMMap(pair.queues[0], CL_TRUE, CL_MAP_READ, x, 64, 0, NULL, NULL));
  for (int i = 0; i < 16; i++)
    cr_assert_eq(x[i], 11, "x[%d]: expected 11, got %d", i, x[i]);
  EXPECT_SUCCESS(clEnqueueReadBuffer(own, other, CL_TRUE, 0, BYTES, left, 0, NULL, NULL));
  for (int i = 0; i < BYTES; i++)
    cr_assert_eq(left[i], filled, "byte %d of another buffer has changed", i);
}

Test(svm, what_one_device_has_a_kernel_of_the_other_reaches_by_pointers) {
  enum { NODES = 5 };
  const struct pair pair = both_devices();
  cl_kernel walk = built(&pair, lists, "walk");
  struct node *nodes[NODES];
  int32_t *out = clSVMAlloc(pair.context, 0, 8, 0), sum = 0;
  const size_t one = 1;
  cr_assert_not_null(out);
  for (int i = 0; i < NODES; i++) {
    nodes[i] = clSVMAlloc(pair.context, 0, sizeof **nodes, 0);
    cr_assert_not_null(nodes[i]);
    EXPECT_SUCCESS(clEnqueueSVMMap(pair.queues[0], CL_TRUE, CL_MAP_WRITE, nodes[i], sizeof **nodes, 0, NULL, NULL));
    *nodes[i] = (struct node){.next = i == 0 ? 0 : as_word(nodes[i - 1]), .value = i + 40};
    sum += i + 40;
    EXPECT_SUCCESS(clEnqueueSVMUnmap(pair.queues[0], nodes[i], 0, NULL, NULL));
  }
  EXPECT_SUCCESS(clFinish(pair.queues[0]));
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(walk, 0, nodes[NODES - 1]));
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(walk, 1, out));
  // The last one of the list is the first to be followed to.
  void *const list[NODES] = {nodes[0], nodes[1], nodes[2], nodes[4], nodes[3]};
  EXPECT_SUCCESS(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(pair.queues[1], walk, 1, NULL, &one, NULL, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueSVMMap(pair.queues[1], CL_TRUE, CL_MAP_READ, out, 8, 0, NULL, NULL));
  cr_assert(out[0] == sum && out[1] == NODES, "expected a sum of %d over %d nodes, got %d over %d", sum, NODES, out[0],
            out[1]);
}

// ---- Errors

Test(svm, what_is_no_allocation_is_refused) {
  const cl_context context = harness()->context;
  cl_ulong most = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  cr_assert_null(clSVMAlloc(NULL, 0, 64, 0));
  cr_assert_null(clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
  cr_assert_null(clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0));
  cr_assert_null(clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0));
  cr_assert_null(clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0));
  cr_assert_null(clSVMAlloc(context, 0, 0, 0));
  cr_assert_null(clSVMAlloc(context, 0, (size_t)most + 1, 0));
  cr_assert_null(clSVMAlloc(context, 0, SIZE_MAX, 0));
  cr_assert_null(clSVMAlloc(context, 0, 64, 3));
  cr_assert_null(clSVMAlloc(context, 0, 64, 256));
  for (cl_uint alignment = 1; alignment <= 128; alignment *= 2) {
    void *memory = clSVMAlloc(context, 0, 64, alignment);
    cr_assert(memory && (uintptr_t)memory % alignment == 0, "alignment %u: %p", alignment, memory);
  }
}

Test(svm, commands_have_the_errors_of_the_text_in_its_order) {
  const cl_command_queue queue = harness()->queue;
  char *memory = allocated(100), host[256] = {0};
  void *list[2] = {memory, NULL};
  const void *found = memory, *strange = host;
  const size_t fits = 100, too_long = 101;
#define COPY(queue, to, from, bytes, waits) clEnqueueSVMMemcpy((queue), 1, (to), (from), (bytes), (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, COPY(NULL, NULL, NULL, 1, 1));
  EXPECT_CODE(CL_INVALID_VALUE, COPY(queue, NULL, host, 1, 1));
  EXPECT_CODE(CL_INVALID_VALUE, COPY(queue, memory, NULL, 1, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, COPY(queue, memory, memory, 4, 1));
  EXPECT_CODE(CL_MEM_COPY_OVERLAP, COPY(queue, memory, memory + 3, 4, 0));
  EXPECT_CODE(CL_INVALID_VALUE, COPY(queue, memory + 1, host, 100, 0));
  EXPECT_CODE(CL_INVALID_VALUE, COPY(queue, host, memory + 1, 100, 0));
  EXPECT_SUCCESS(COPY(queue, memory, host, 100, 0));
  EXPECT_SUCCESS(COPY(queue, memory, host, 0, 0));
#define FILL(queue, to, pattern, size, bytes, waits) \
  clEnqueueSVMMemFill((queue), (to), (pattern), (size), (bytes), (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, FILL(NULL, NULL, NULL, 1, 1, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, NULL, host, 1, 1, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, memory, NULL, 1, 1, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, memory, host, 0, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, memory, host, 3, 3, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, memory, host, 256, 256, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, memory + 2, host, 4, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, memory, host, 4, 6, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, FILL(queue, memory, host, 4, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, memory, host, 4, 104, 0));
  EXPECT_CODE(CL_INVALID_VALUE, FILL(queue, host, "", 1, SIZE_MAX, 0));  // wraps, and no end is shared memory
#define MAP(queue, flags, memory, bytes, waits) \
  clEnqueueSVMMap((queue), 1, (flags), (memory), (bytes), (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, MAP(NULL, 99, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MAP(queue, CL_MAP_READ, NULL, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MAP(queue, CL_MAP_READ, memory, 0, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MAP(queue, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, memory, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MAP(queue, 1 << 5, memory, 4, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, MAP(queue, CL_MAP_READ, memory, 4, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MAP(queue, CL_MAP_READ, host, 4, 0));
  EXPECT_CODE(CL_INVALID_VALUE, MAP(queue, CL_MAP_READ, memory, 101, 0));
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(NULL, NULL, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, NULL, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMUnmap(queue, memory, 1, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));  // it is not mapped
#define FREE(queue, count, list, waits) clEnqueueSVMFree((queue), (count), (list), NULL, NULL, (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, FREE(NULL, 1, NULL, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FREE(queue, 1, NULL, 1));
  EXPECT_CODE(CL_INVALID_VALUE, FREE(queue, 0, list, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, FREE(queue, 1, list, 1));
#define MIGRATE(queue, count, list, sizes, flags, waits) \
  clEnqueueSVMMigrateMem((queue), (count), (list), (sizes), (flags), (waits), NULL, NULL)
  EXPECT_CODE(CL_INVALID_COMMAND_QUEUE, MIGRATE(NULL, 0, NULL, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MIGRATE(queue, 0, &found, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MIGRATE(queue, 1, NULL, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MIGRATE(queue, 1, &found, NULL, 1 << 5, 1));
  EXPECT_CODE(CL_INVALID_EVENT_WAIT_LIST, MIGRATE(queue, 1, &found, NULL, 0, 1));
  EXPECT_CODE(CL_INVALID_VALUE, MIGRATE(queue, 1, &strange, NULL, 0, 0));
  EXPECT_CODE(CL_INVALID_VALUE, MIGRATE(queue, 1, &found, &too_long, 0, 0));
  EXPECT_SUCCESS(MIGRATE(queue, 1, &found, &fits, 0, 0));
  EXPECT_SUCCESS(MIGRATE(queue, 1, &found, NULL, CL_MIGRATE_MEM_OBJECT_HOST, 0));
  (void)clCreateBuffer(harness()->context, CL_MEM_USE_HOST_PTR, 101, memory, &error);
  EXPECT_CODE(CL_INVALID_BUFFER_SIZE, error);
}

Test(svm, kernels_refuse_what_is_none) {
  cl_program program = build(simple, NULL);
  cl_kernel add = kernel_of(program, "add");
  int host = 0;
  void *memory = allocated(64), *list[2] = {memory, &host};
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  const size_t one = 1;
  EXPECT_CODE(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(NULL, 9, memory));
  EXPECT_CODE(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(add, 9, memory));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 0, &host));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 0, (char *)memory + 64));
  EXPECT_CODE(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 1, memory));
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(add, 0, NULL));
  EXPECT_SUCCESS(clSetKernelArgSVMPointer(add, 0, (char *)memory + 60));
  EXPECT_CODE(CL_INVALID_KERNEL, clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, list));
  EXPECT_CODE(CL_INVALID_VALUE, clSetKernelExecInfo(add, 0xBAD, 8, list));
  EXPECT_CODE(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 7, list));
  EXPECT_CODE(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
  EXPECT_SUCCESS(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof *list, list));
  EXPECT_CODE(CL_INVALID_OPERATION,
              clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  EXPECT_SUCCESS(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no));
  EXPECT_CODE(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &no));
  // What was freed is no argument any more.
  EXPECT_SUCCESS(clSetKernelArg(add, 1, sizeof host, &host));
  clSVMFree(harness()->context, memory);
  EXPECT_CODE(CL_INVALID_KERNEL_ARGS,
              clEnqueueNDRangeKernel(harness()->queue, add, 1, NULL, &one, NULL, 0, NULL, NULL));
}
