// SPDX-License-Identifier: Apache-2.0
// What a kernel may not access: buffers created with CL_MEM_READ_ONLY and constants it cannot write, and memory of
// other contexts, or of nobody, it cannot reach at all. It ends with a fault that says so, the memory keeps its
// contents, and the next kernel runs. Under HEDDLE_CHECK=1 the model checks kernels by other means; then there is
// nothing here to do.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

enum { N = 64 };

static const char source[] =
    "kernel void address_of(global uint *data, global ulong *out) { *out = (ulong)data; }\n"
    "kernel void write_at(ulong at, uint from) {\n"
    "  if (get_global_id(0) >= from)\n"
    "    ((volatile global uint *)at)[get_global_id(0)] = 0xBAD;\n"
    "}\n"
    "kernel void add_at(ulong at, uint from) {\n"
    "  if (get_global_id(0) >= from)\n"
    "    atomic_inc((volatile global uint *)at + get_global_id(0));\n"
    "}\n"
    "kernel void read_at(ulong at, global uint *out) {\n"
    "  out[get_global_id(0)] = ((volatile global uint *)at)[get_global_id(0)];\n"
    "}\n"
    "kernel void copy(global const uint *in, global uint *out) { out[get_global_id(0)] = in[get_global_id(0)]; }\n"
    "constant uint table[4] = {1, 2, 3, 4};\n"
    "kernel void table_at(uint i, global ulong *out) { *out = (ulong)&table[i & 3]; }\n"
    "kernel void table_of(global uint *out) { out[get_global_id(0)] = table[get_global_id(0) & 3]; }\n";

static bool is_checked(void) {
  const char *check = getenv("HEDDLE_CHECK");
  return check && strcmp(check, "1") == 0;
}

static cl_mem filled(cl_context context, cl_mem_flags flags) {
  uint32_t data[N];
  cl_int error;
  for (uint32_t i = 0; i < N; i++)
    data[i] = i + 100;
  cl_mem memory = clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, sizeof data, data, &error);
  EXPECT_SUCCESS(error);
  return memory;
}

static void expect_filled(cl_command_queue queue, cl_mem memory) {
  uint32_t expected[N], got[N];
  for (uint32_t i = 0; i < N; i++)
    expected[i] = i + 100;
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  expect_u32("what a kernel may not write", expected, got, N);
}

static cl_ulong address_of(cl_program program, cl_mem memory) {
  cl_kernel kernel = kernel_of(program, "address_of");
  cl_mem out = buffer_with(NULL, 8);
  cl_ulong address = 0;
  set_args(kernel, ARG(memory), ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, &address, sizeof address);
  return address;
}

// Its arguments are set. The notice names the kernel, these words and, if not NULL, the work-item.
static void expect_refused(cl_kernel kernel, const char *name, const char *words, const char *work_item) {
  struct harness *h = harness();
  const size_t global = N, local = 8 <= h->max_work_group_size ? 8 : 1;
  const int before = h->notice_count;
  cl_int status = 99;
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  if (status != CL_EVENT_STATUS_FAULT_HEDDLE)
    fail("%s: expected the status of a fault, got %d", name, status);
  if (h->notice_count != before + 1)
    fail("%s: expected one notice, got %d", name, h->notice_count - before);
  const char *notice = h->notices[before];
  if (!strstr(notice, name) || !strstr(notice, "without a right") || !strstr(notice, words) ||
      !strstr(notice, "program.cl:") || (work_item && !strstr(notice, work_item)))
    fail("%s: expected \"%s\", a line of source and \"%s\", got \"%s\"", name, words, work_item ? work_item : "",
         notice);
}

static void expect_copies(cl_program program, cl_mem from) {
  cl_kernel copy = kernel_of(program, "copy");
  cl_mem out = buffer_with(NULL, N * 4);
  set_args(copy, ARG(from), ARG(out), END_ARGS);
  run_1d(copy, N, 4);
  expect_filled(harness()->queue, out);
}

Test(isolation, kernels_cannot_write_a_buffer_that_is_read_only) {
  struct harness *h = harness();
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_mem memory = filled(h->context, CL_MEM_READ_ONLY);
  const char *const writers[] = {"write_at", "add_at"};
  const cl_ulong at = address_of(program, memory);
  for (int i = 0; i < 2 && !is_checked(); i++) {
    const cl_uint from = i == 0 ? 0 : 13;
    cl_kernel kernel = kernel_of(program, writers[i]);
    set_args(kernel, ARG(at), ARG(from), END_ARGS);
    expect_refused(kernel, writers[i], "CL_MEM_READ_ONLY", i == 0 ? NULL : "work-item (13, 0, 0)");
    expect_filled(h->queue, memory);
    expect_copies(program, memory);
  }
  // The host may.
  const uint32_t one = 7;
  EXPECT_SUCCESS(clEnqueueFillBuffer(h->queue, memory, &one, sizeof one, 0, N * 4, 0, NULL, NULL));
  uint32_t got[N], expected[N];
  for (int i = 0; i < N; i++)
    expected[i] = one;
  read_buffer(memory, got, sizeof got);
  expect_u32("what the host filled", expected, got, N);
}

Test(isolation, kernels_reach_memory_of_their_own_context_alone) {
  struct harness *h = harness();
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_int error;
  cl_context other = clCreateContext(NULL, 1, &h->device, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(other, h->device, NULL, &error);
  EXPECT_SUCCESS(error);
  // Its address is that which a kernel of its own context has seen.
  const char *text = source;
  cl_program others = clCreateProgramWithSource(other, 1, &text, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(others, 1, &h->device, "-cl-std=CL3.0", NULL, NULL));
  cl_kernel address = clCreateKernel(others, "address_of", &error);
  EXPECT_SUCCESS(error);
  cl_mem memory = filled(other, CL_MEM_READ_WRITE), out = clCreateBuffer(other, CL_MEM_READ_WRITE, 8, NULL, &error);
  EXPECT_SUCCESS(error);
  const size_t one = 1;
  cl_ulong at = 0;
  set_args(address, ARG(memory), ARG(out), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, address, 1, NULL, &one, &one, 0, NULL, NULL));
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof at, &at, 0, NULL, NULL));

  cl_mem own = filled(h->context, CL_MEM_READ_WRITE);
  cl_kernel read_at = kernel_of(program, "read_at"), write_at = kernel_of(program, "write_at");
  const cl_uint from = 5;
  for (int again = 0; again < 2 && !is_checked(); again++) {
    set_args(write_at, ARG(at), ARG(from), END_ARGS);
    expect_refused(write_at, "write_at", "another context", "work-item (5, 0, 0)");
    expect_filled(queue, memory);
    cl_mem seen = filled(h->context, CL_MEM_READ_WRITE);
    set_args(read_at, ARG(at), ARG(seen), END_ARGS);
    expect_refused(read_at, "read_at", "another context", NULL);
    expect_filled(h->queue, seen);
    expect_copies(program, own);
  }
  // The other context's own kernels still do.
  cl_kernel mine = clCreateKernel(others, "write_at", &error);
  EXPECT_SUCCESS(error);
  const size_t all = N;
  set_args(mine, ARG(at), ARG(from), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, mine, 1, NULL, &all, NULL, 0, NULL, NULL));
  EXPECT_SUCCESS(clFinish(queue));
}

Test(isolation, a_wild_address_is_a_fault) {
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_mem memory = filled(harness()->context, CL_MEM_READ_WRITE);
  const cl_ulong at = address_of(program, memory) + (32 << 20);
  const cl_uint from = 9;
  cl_kernel kernel = kernel_of(program, "write_at");
  if (is_checked())
    return;
  set_args(kernel, ARG(at), ARG(from), END_ARGS);
  expect_refused(kernel, "write_at", "nothing is there", "work-item (9, 0, 0)");
  expect_copies(program, memory);
}

Test(isolation, kernels_cannot_write_constants_or_code) {
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_kernel table_at = kernel_of(program, "table_at"), table_of = kernel_of(program, "table_of");
  cl_kernel kernel = kernel_of(program, "write_at");
  cl_mem out = buffer_with(NULL, 8), values = buffer_with(NULL, 16);
  cl_ulong at = 0;
  const cl_uint zero = 0;
  uint32_t got[4];
  static const uint32_t expected[4] = {1, 2, 3, 4};
  if (is_checked())
    return;
  set_args(table_at, ARG(zero), ARG(out), END_ARGS);
  run_1d(table_at, 1, 1);
  read_buffer(out, &at, sizeof at);
  for (cl_ulong below = 0; below < 2048; below += 512) {
    const cl_ulong place = (at - below) & ~(cl_ulong)3;
    set_args(kernel, ARG(place), ARG(zero), END_ARGS);
    expect_refused(kernel, "write_at", "constants", NULL);
  }
  set_args(table_of, ARG(values), END_ARGS);
  run_1d(table_of, 4, 1);
  read_buffer(values, got, sizeof got);
  expect_u32("constants", expected, got, 4);
}

// Contexts that come and go get domains again; buffers of all rights stand beside each other.
Test(isolation, buffers_of_many_contexts_work_side_by_side) {
  struct harness *h = harness();
  enum { CONTEXTS = 140, KEPT = 6, BUFFERS = 5 };
  cl_context kept[KEPT] = {0};
  for (int c = 0; c < (h->is_rtl ? 12 : CONTEXTS); c++) {
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &h->device, NULL, NULL, &error);
    EXPECT_SUCCESS(error);
    cl_mem memories[BUFFERS];
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, h->device, NULL, &error);
    EXPECT_SUCCESS(error);
    for (int i = 0; i < BUFFERS; i++)
      memories[i] = filled(context, i % 2 ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE);
    for (int i = 0; i < BUFFERS; i++) {
      expect_filled(queue, memories[i]);
      EXPECT_SUCCESS(clReleaseMemObject(memories[i]));
    }
    EXPECT_SUCCESS(clReleaseCommandQueue(queue));
    if (kept[c % KEPT])
      EXPECT_SUCCESS(clReleaseContext(kept[c % KEPT]));
    kept[c % KEPT] = context;
  }
  cl_program program = build(source, "-cl-std=CL3.0");
  expect_copies(program, filled(h->context, CL_MEM_READ_ONLY));
}

Test(isolation, what_a_kernel_enqueues_has_its_rights) {
  struct harness *h = harness();
  cl_device_device_enqueue_capabilities can = 0;
  clGetDeviceInfo(h->device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL);
  if (can == 0 || is_checked())
    return;
  cl_program program = build(
      "kernel void parent(global uint *out, global const uint *in) {\n"
      "  ndrange_t range = ndrange_1D(4);\n"
      "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, ^{\n"
      "    out[get_global_id(0)] = in[get_global_id(0)];\n"
      "  });\n"
      "}\n"
      "kernel void wrong(global uint *in) {\n"
      "  ndrange_t range = ndrange_1D(4);\n"
      "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range, ^{\n"
      "    in[get_global_id(0)] = 1;\n"
      "  });\n"
      "}\n",
      "-cl-std=CL3.0");
  const cl_queue_properties on_device[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error;
  clCreateCommandQueueWithProperties(h->context, h->device, on_device, &error);
  EXPECT_SUCCESS(error);
  cl_mem in = filled(h->context, CL_MEM_READ_ONLY), out = buffer_with(NULL, 16);
  cl_kernel parent = kernel_of(program, "parent"), wrong = kernel_of(program, "wrong");
  static const uint32_t expected[4] = {100, 101, 102, 103};
  uint32_t got[4];
  const size_t one = 1;
  cl_event event;
  set_args(parent, ARG(out), ARG(in), END_ARGS);
  run_1d(parent, 1, 1);
  read_buffer(out, got, sizeof got);
  expect_u32("what the block copied", expected, got, 4);
  set_args(wrong, ARG(in), END_ARGS);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, wrong, 1, NULL, &one, &one, 0, NULL, &event));
  EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  if (h->notice_count != 1 || !strstr(h->notices[0], "CL_MEM_READ_ONLY"))
    fail("a block that writes what is read-only: got \"%s\"", h->notices[0]);
  expect_filled(h->queue, in);
}
