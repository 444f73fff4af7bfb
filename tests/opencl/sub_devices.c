// SPDX-License-Identifier: Apache-2.0
// Sub-devices (OpenCL 3.0, section 4.3): how a device is divided, what each part says of itself, and that kernels of a
// part run on its compute units and on no other.
//
// Which unit a work-item is on it finds out itself: it stores a mark in its private memory and looks where in global
// memory that is. DEVICE.md ("Addresses") says which unit's private memory lies there.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/opencl/harness.h"

enum { MOST = 8, MANY = 8, FEW = 3 };  // units; work-groups for each, and on the RTL, which is slow

static const char where[] =
    "uint unit(uint units, uint slots, uint lanes, uint nonce) {\n"
    "  uint packet, lane, found = 0, times = 0;\n"
    "  __asm__ volatile(\"csrr %0, 0xccd\" : \"=r\"(packet));\n"
    "  __asm__ volatile(\"csrr %0, 0xcca\" : \"=r\"(lane));\n"
    "  const volatile global uint *dispatch = (const volatile global uint *)(packet - 64);\n"
    "  const uint base = dispatch[3], log2 = dispatch[4], value = nonce + (uint)get_global_id(0);\n"
    "  volatile private uint mark = value;\n"
    "  const uint word = ((uint)&mark - 0xC0000000u) / 4;\n"
    "  for (uint slot = 0; slot < units * slots; slot++)\n"
    "    if (*(const volatile global uint *)(base + 4 * (((slot << (log2 - 2)) + word) * lanes + lane)) == value)\n"
    "      found = slot / slots, times++;\n"
    "  mark = 0;\n"
    "  return times == 1 ? found : 1000 + times;\n"
    "}\n"
    "kernel void k(global uint *out, uint units, uint slots, uint lanes, uint nonce) {\n"
    "  const uint here = unit(units, slots, lanes, nonce);\n"
    "  if (get_local_id(0) == 0) out[get_group_id(0)] = here;\n"
    "}\n"
    "#ifdef ENQUEUES\n"
    "kernel void parent(global uint *out, uint units, uint slots, uint lanes, uint nonce) {\n"
    "  const uint groups = get_num_groups(0);\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(groups * lanes, lanes), ^{\n"
    "    const uint here = unit(units, slots, lanes, nonce + 100000);\n"
    "    if (get_local_id(0) == 0) out[get_group_id(0)] = here; });\n"
    "}\n"
    "#endif\n";

static cl_uint number(cl_device_id device, cl_device_info name) {
  cl_uint value = 0;
  EXPECT_SUCCESS(clGetDeviceInfo(device, name, sizeof value, &value, NULL));
  return value;
}

static cl_uint units_of(cl_device_id device) {
  return number(device, CL_DEVICE_MAX_COMPUTE_UNITS);
}

// Divides a device; the test fails unless it has so many parts then.
static void divide(cl_device_id device, const cl_device_partition_property *properties, cl_uint expected,
                   cl_device_id *parts) {
  cl_uint count = 0;
  EXPECT_SUCCESS(clCreateSubDevices(device, properties, 0, NULL, &count));
  cr_assert_eq(count, expected, "%u sub-devices, expected %u", count, expected);
  EXPECT_SUCCESS(clCreateSubDevices(device, properties, expected, parts, NULL));
}
#define EQUALLY(n) ((const cl_device_partition_property[]){CL_DEVICE_PARTITION_EQUALLY, (n), 0})
#define BY_COUNTS(...) ((const cl_device_partition_property[]){CL_DEVICE_PARTITION_BY_COUNTS, __VA_ARGS__, 0, 0})

// The device under test if it has several units, else the test ends.
static struct harness *several_units(void) {
  struct harness *h = harness();
  if (h->units < 2)
    cr_skip_test("the device has one unit");
  return h;
}

// The same where the promise is the host's: on the golden model, which is quick.
static struct harness *several_units_of_the_model(void) {
  if (harness()->is_rtl)
    cr_skip_test("the model shows it");
  return several_units();
}

static cl_context context_of(cl_uint count, const cl_device_id *devices) {
  cl_int error;
  cl_context context = clCreateContext(NULL, count, devices, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  return context;
}

static cl_command_queue queue_on(cl_context context, cl_device_id device) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  EXPECT_SUCCESS(error);
  return queue;
}

static cl_program program_in(cl_context context, const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  return program;
}

static cl_kernel kernel_in(cl_context context, const char *source) {
  cl_program program = program_in(context, source);
  EXPECT_SUCCESS(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  return kernel_of(program, "k");
}

static void set_where(cl_kernel kernel, cl_mem out) {
  static uint32_t nonce;
  const struct harness *h = harness();
  nonce += 0x01000000;
  set_args(kernel, ARG(out), ARG(h->units), ARG(h->slots), ARG(h->lanes), ARG(nonce), END_ARGS);
}

static cl_mem out_in(cl_context context) {
  cl_int error;
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, MANY * MOST * sizeof(cl_uint), NULL, &error);
  EXPECT_SUCCESS(error);
  return out;
}

static uint32_t work_groups(void) {
  return (harness()->is_rtl ? FEW : MANY) * harness()->units;
}

// The units that work-groups noted, as a mask.
static uint32_t units_noted(cl_command_queue queue, cl_mem out, uint32_t groups) {
  cl_uint noted[MANY * MOST];
  uint32_t mask = 0;
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, groups * sizeof *noted, noted, 0, NULL, NULL));
  for (uint32_t i = 0; i < groups; i++) {
    cr_assert_lt(noted[i], harness()->units, "work-group %u noted unit %u", i, noted[i]);
    mask |= 1u << noted[i];
  }
  return mask;
}

// The units that ran work-groups of a kernel on this queue.
static uint32_t units_used(cl_command_queue queue, cl_kernel kernel, cl_mem out) {
  const struct harness *h = harness();
  const size_t local = h->lanes, global = work_groups() * local;
  set_where(kernel, out);
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
  return units_noted(queue, out, work_groups());
}

static void expect_units(const char *what, uint32_t expected, uint32_t came) {
  cr_assert_eq(came, expected, "%s: work-groups ran on units 0x%x, expected 0x%x", what, came, expected);
}

// ---- what runs where

Test(sub_devices, a_kernel_runs_on_the_units_of_its_sub_device_and_on_no_other) {
  struct harness *h = several_units();
  const uint32_t all = (1u << h->units) - 1;
  cl_device_id devices[3] = {NULL, NULL, h->device};
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, devices);
  cl_context context = context_of(3, devices);
  cl_kernel kernel = kernel_in(context, where);
  cl_mem out = out_in(context);
  for (int round = 0; round < 2; round++) {
    expect_units("first", 1, units_used(queue_on(context, devices[0]), kernel, out));
    expect_units("second", all & ~1u, units_used(queue_on(context, devices[1]), kernel, out));
    expect_units("whole device", all, units_used(queue_on(context, h->device), kernel, out));
  }
}

Test(sub_devices, parts_are_disjoint_and_parts_of_parts_lie_in_them) {
  struct harness *h = several_units();
  cl_device_id equal[MOST], part, inner[MOST];
  divide(h->device, EQUALLY(1), h->units, equal);
  cl_context context = context_of(h->units, equal);
  cl_kernel kernel = kernel_in(context, where);
  cl_mem out = out_in(context);
  for (uint32_t i = 0; i < h->units; i++)
    expect_units("of one unit", 1u << i, units_used(queue_on(context, equal[i]), kernel, out));
  if (h->units < 3)
    return;
  cl_device_id both[2];
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, both);
  part = both[1];
  divide(part, EQUALLY(1), h->units - 1, inner);
  cl_context inside = context_of(h->units - 1, inner);
  kernel = kernel_in(inside, where);
  out = out_in(inside);
  for (uint32_t i = 0; i < h->units - 1; i++)
    expect_units("of a part", 2u << i, units_used(queue_on(inside, inner[i]), kernel, out));
}

// A work-group size that the library chooses is for the units that there are; so are figures.
Test(sub_devices, a_launch_is_made_for_the_units_of_the_sub_device) {
  struct harness *h = several_units_of_the_model();
  cl_device_id parts[2];
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, parts);
  cl_context context = context_of(2, parts);
  cl_kernel kernel = kernel_in(context, "kernel void k(global uint *out) { out[get_global_id(0)] = 1; }");
  cl_int error;
  cl_mem out = clCreateBuffer(context, 0, 4096, NULL, &error);
  set_args(kernel, ARG(out), END_ARGS);
  for (uint32_t i = 0; i < 2; i++) {
    const size_t global = h->lanes * 4 * units_of(parts[i]);
    cl_event event;
    cl_ulong units = 0, groups = 0;
    cl_command_queue queue = queue_on(context, parts[i]);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    EXPECT_SUCCESS(clWaitForEvents(1, &event));
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_UNITS_HEDDLE, sizeof units, &units, NULL));
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_GROUPS_DONE_HEDDLE, sizeof groups, &groups, NULL));
    cr_assert_eq(units, units_of(parts[i]));
    cr_assert(groups % units == 0, "%lu work-groups on %lu units", (unsigned long)groups, (unsigned long)units);
  }
}

Test(sub_devices, what_kernels_enqueue_runs_on_the_units_of_their_queue) {
  struct harness *h = several_units();
  cl_device_id parts[2];
  divide(h->device, BY_COUNTS(h->units - 1, 1), 2, parts);
  cl_context context = context_of(2, parts);
  cl_program program = program_in(context, where);
  EXPECT_SUCCESS(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0 -DENQUEUES", NULL, NULL));
  cl_kernel kernel = kernel_of(program, "parent");
  cl_mem out = out_in(context);
  const uint32_t all = (1u << h->units) - 1, last = 1u << (h->units - 1), masks[2] = {all & ~last, last};
  for (uint32_t i = 0; i < 2; i++) {
    const cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
        0};
    cl_int error;
    clCreateCommandQueueWithProperties(context, parts[i], on_device, &error);
    EXPECT_SUCCESS(error);
    // Each work-item of the parent enqueues as many work-groups as the parent has: one.
    const size_t one = 1;
    cl_command_queue queue = queue_on(context, parts[i]);
    uint32_t came = 0;
    for (uint32_t run = 0; run < 4; run++) {
      set_where(kernel, out);
      EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
      came |= units_noted(queue, out, 1);
    }
    cr_assert_eq(came & ~masks[i], 0, "children ran on units 0x%x, expected some of 0x%x", came, masks[i]);
  }
}

Test(sub_devices, a_recorded_kernel_runs_on_the_units_of_its_queue) {
  struct harness *h = several_units();
  cl_device_id parts[2];
  divide(h->device, BY_COUNTS(h->units - 1, 1), 2, parts);
  cl_context context = context_of(2, parts);
  cl_kernel kernel = kernel_in(context, where);
  cl_mem out = out_in(context);
  cl_command_queue queue = queue_on(context, parts[1]);
  clCreateCommandBufferKHR_fn create =
      (clCreateCommandBufferKHR_fn)clGetExtensionFunctionAddressForPlatform(h->platform, "clCreateCommandBufferKHR");
  clCommandNDRangeKernelKHR_fn record =
      (clCommandNDRangeKernelKHR_fn)clGetExtensionFunctionAddressForPlatform(h->platform, "clCommandNDRangeKernelKHR");
  clFinalizeCommandBufferKHR_fn finalize = (clFinalizeCommandBufferKHR_fn)clGetExtensionFunctionAddressForPlatform(
      h->platform, "clFinalizeCommandBufferKHR");
  clEnqueueCommandBufferKHR_fn enqueue =
      (clEnqueueCommandBufferKHR_fn)clGetExtensionFunctionAddressForPlatform(h->platform, "clEnqueueCommandBufferKHR");
  cl_int error;
  cl_command_buffer_khr buffer = create(1, &queue, NULL, &error);
  EXPECT_SUCCESS(error);
  const size_t local = h->lanes, global = work_groups() * local;
  set_where(kernel, out);
  EXPECT_SUCCESS(record(buffer, NULL, NULL, kernel, 1, NULL, &global, &local, 0, NULL, NULL, NULL));
  EXPECT_SUCCESS(finalize(buffer));
  EXPECT_SUCCESS(enqueue(0, NULL, buffer, 0, NULL, NULL));
  expect_units("recorded", 1u << (h->units - 1), units_noted(queue, out, work_groups()));
}

Test(sub_devices, a_kernel_that_faults_on_one_leaves_the_others_running) {
  struct harness *h = several_units();
  cl_device_id parts[MOST];
  divide(h->device, EQUALLY(1), h->units, parts);
  cl_context context = context_of(h->units, parts);
  cl_kernel wrong = kernel_in(context, "kernel void k(global uint *out) { *(global uint *)4 = out[0]; }");
  cl_kernel right = kernel_in(context, where);
  cl_mem out = out_in(context);
  set_args(wrong, ARG(out), END_ARGS);
  for (uint32_t i = 0; i < h->units; i++) {
    const size_t one = 1;
    cl_event event;
    cl_int status = 0;
    const uint32_t next = (i + 1) % h->units;
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue_on(context, parts[i]), wrong, 1, NULL, &one, NULL, 0, NULL, &event));
    EXPECT_CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
    EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    cr_assert_eq(status, CL_EVENT_STATUS_FAULT_HEDDLE);
    expect_units("after a fault", 1u << next, units_used(queue_on(context, parts[next]), right, out));
  }
}

// ---- memory and programs

Test(sub_devices, a_buffer_is_one_for_all_sub_devices_of_a_context) {
  struct harness *h = several_units_of_the_model();
  cl_device_id devices[MOST + 1];
  divide(h->device, EQUALLY(1), h->units, devices);
  devices[h->units] = h->device;
  const cl_uint count = h->units + 1;
  cl_context context = context_of(count, devices);
  cl_kernel kernel = kernel_in(context, "kernel void k(global uint *x, uint n) { x[get_global_id(0)] += n; }");
  cl_uint first[64] = {0}, got[64], expected[64];
  cl_ulong addresses[MOST + 1];
  size_t size;
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof first, first, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clGetMemObjectInfo(buffer, CL_MEM_DEVICE_ADDRESSES_HEDDLE, sizeof addresses, addresses, &size));
  cr_assert_eq(size, count * sizeof *addresses);
  cl_event before = NULL;
  cl_uint sum = 0;
  for (cl_uint i = 0; i < count; i++) {
    const size_t global = 64;
    const cl_uint n = 1u << i;
    cl_event event;
    set_args(kernel, ARG(buffer), ARG(n), END_ARGS);
    EXPECT_SUCCESS(clEnqueueNDRangeKernel(queue_on(context, devices[i]), kernel, 1, NULL, &global, NULL, before ? 1 : 0,
                                          before ? &before : NULL, &event));
    before = event;
    sum += n;
    cr_assert_eq(addresses[i], addresses[0]);
  }
  for (int i = 0; i < 64; i++)
    expected[i] = sum;
  EXPECT_SUCCESS(
      clEnqueueReadBuffer(queue_on(context, devices[0]), buffer, CL_TRUE, 0, sizeof got, got, 1, &before, NULL));
  expect_u32("x", expected, got, 64);
}

static cl_build_status status_of(cl_program program, cl_device_id device) {
  cl_build_status status = CL_BUILD_ERROR;
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  return status;
}

// What the kernel of a program stores on a device, or the error of enqueueing it.
static cl_int value_on(cl_context context, cl_device_id device, cl_kernel kernel) {
  const size_t one = 1;
  cl_int value = 0, error;
  cl_mem out = clCreateBuffer(context, 0, 4, NULL, &error);
  cl_command_queue queue = queue_on(context, device);
  set_args(kernel, ARG(out), END_ARGS);
  error = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
  if (error != CL_SUCCESS)
    return error;
  EXPECT_SUCCESS(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  return value;
}

static const char valued[] = "kernel void k(global int *out) { *out = VALUE; }";

Test(sub_devices, a_program_of_the_parent_is_one_of_its_parts_until_they_have_their_own) {
  struct harness *h = several_units_of_the_model();
  cl_device_id devices[3] = {NULL, NULL, h->device};
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, devices);
  cl_context context = context_of(3, devices);
  cl_program program = program_in(context, valued);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &devices[0], "-DVALUE=1", NULL, NULL));
  cr_assert_eq(status_of(program, devices[0]), CL_BUILD_SUCCESS);
  cr_assert_eq(status_of(program, devices[1]), CL_BUILD_NONE);
  cr_assert_eq(status_of(program, h->device), CL_BUILD_NONE);
  cl_kernel kernel = kernel_of(program, "k");
  cr_assert_eq(value_on(context, devices[0], kernel), 1);
  cr_assert_eq(value_on(context, devices[1], kernel), CL_INVALID_PROGRAM_EXECUTABLE);
  cr_assert_eq(value_on(context, h->device, kernel), CL_INVALID_PROGRAM_EXECUTABLE);
  EXPECT_SUCCESS(clReleaseKernel(kernel));
  EXPECT_SUCCESS(clBuildProgram(program, 1, &h->device, "-DVALUE=2", NULL, NULL));
  char options[64];
  size_t sizes[3], work_group;
  cr_assert_eq(status_of(program, devices[1]), CL_BUILD_SUCCESS);
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, devices[1], CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL));
  cr_assert_str_eq(options, "-DVALUE=2");
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
  cr_assert(sizes[1] != 0 && sizes[1] == sizes[2]);
  kernel = kernel_of(program, "k");
  cr_assert_eq(value_on(context, devices[0], kernel), 1);
  cr_assert_eq(value_on(context, devices[1], kernel), 2);
  cr_assert_eq(value_on(context, h->device, kernel), 2);
  EXPECT_SUCCESS(
      clGetKernelWorkGroupInfo(kernel, devices[1], CL_KERNEL_WORK_GROUP_SIZE, sizeof work_group, &work_group, NULL));
  cr_assert_eq(work_group, h->max_work_group_size);
}

// The binary that a program has for a device of its list.
static unsigned char *binary_of(cl_program program, cl_uint index, cl_uint count, size_t *size) {
  size_t sizes[MOST];
  unsigned char *binaries[MOST] = {NULL};
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL));
  binaries[index] = allocate(sizes[index]);
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries, (void *)binaries, NULL));
  *size = sizes[index];
  return binaries[index];
}

Test(sub_devices, a_binary_of_the_parent_is_one_of_its_parts_and_the_other_way_round) {
  struct harness *h = several_units_of_the_model();
  cl_device_id parts[2];
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, parts);
  cl_context of_parts = context_of(2, parts), of_both = context_of(2, (cl_device_id[]){h->device, parts[0]});
  size_t size;
  cl_int status, error;
  cl_program built = program_in(h->context, valued);
  EXPECT_SUCCESS(clBuildProgram(built, 0, NULL, "-DVALUE=7", NULL, NULL));
  unsigned char *binary = binary_of(built, 0, 1, &size);
  const unsigned char *both[] = {binary, binary};
  cl_program loaded = clCreateProgramWithBinary(of_parts, 2, parts, (size_t[]){size, size}, both, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(loaded, 0, NULL, NULL, NULL, NULL));
  for (int i = 0; i < 2; i++)
    cr_assert_eq(value_on(of_parts, parts[i], kernel_of(loaded, "k")), 7);
  // One that was loaded for the parent alone runs on a part of the same context.
  loaded = clCreateProgramWithBinary(of_both, 1, &h->device, &size, both, &status, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(loaded, 0, NULL, NULL, NULL, NULL));
  cr_assert_eq(value_on(of_both, parts[0], kernel_of(loaded, "k")), 7);
  // And back.
  built = program_in(of_parts, valued);
  EXPECT_SUCCESS(clBuildProgram(built, 1, &parts[1], "-DVALUE=8", NULL, NULL));
  const unsigned char *one = binary_of(built, 1, 2, &size);
  loaded = clCreateProgramWithBinary(h->context, 1, &h->device, &size, &one, &status, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clBuildProgram(loaded, 0, NULL, NULL, NULL, NULL));
  cr_assert_eq(value_on(h->context, h->device, kernel_of(loaded, "k")), 8);
}

Test(sub_devices, what_was_compiled_for_the_parent_is_linked_for_its_parts) {
  struct harness *h = several_units_of_the_model();
  cl_device_id devices[2] = {h->device, NULL}, parts[2];
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, parts);
  devices[1] = parts[1];
  cl_context context = context_of(2, devices);
  cl_program object = program_in(context, valued);
  EXPECT_SUCCESS(clCompileProgram(object, 1, devices, "-DVALUE=9", 0, NULL, NULL, NULL, NULL));
  cl_int error;
  cl_program linked = clLinkProgram(context, 0, NULL, NULL, 1, &object, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  for (int i = 0; i < 2; i++)
    cr_assert_eq(value_on(context, devices[i], kernel_of(linked, "k")), 9);
}

// ---- what can be asked, and what cannot be

Test(sub_devices, a_sub_device_says_what_its_root_says_but_for_its_units_and_how_it_was_made) {
  struct harness *h = several_units_of_the_model();
  static const cl_device_info differ[] = {
      CL_DEVICE_MAX_COMPUTE_UNITS, CL_DEVICE_PARTITION_PROPERTIES, CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
      CL_DEVICE_PARENT_DEVICE,     CL_DEVICE_PARTITION_TYPE,       CL_DEVICE_UNITS_HEDDLE,
      CL_DEVICE_REFERENCE_COUNT};
  static const struct {
    cl_device_info first, last;
  } names[] = {{0x1000, 0x10FF}, {0x4000, 0x41FF}, {0x4DD0, 0x4DEF}, {0x1200, 0x12FF}};
  cl_device_id parts[2];
  cl_uint compared = 0;
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, parts);
  for (size_t r = 0; r < sizeof names / sizeof *names; r++) {
    for (cl_device_info name = names[r].first; name <= names[r].last; name++) {
      unsigned char root[4096] = {0}, part[4096] = {0};
      size_t of_root = 0, of_part = 0;
      bool differs = false;
      for (size_t i = 0; i < sizeof differ / sizeof *differ; i++)
        differs = differs || differ[i] == name;
      const cl_int expected = clGetDeviceInfo(h->device, name, sizeof root, root, &of_root);
      const cl_int came = clGetDeviceInfo(parts[0], name, sizeof part, part, &of_part);
      cr_assert_eq(came, expected, "query 0x%x: %s, of the root %s", name, error_name(came), error_name(expected));
      if (came != CL_SUCCESS || differs)
        continue;
      cr_assert(of_part == of_root && memcmp(part, root, of_root) == 0, "query 0x%x differs", name);
      compared++;
    }
  }
  cr_assert_gt(compared, 80);
}

static void expect_partition(cl_device_id device, cl_device_id parent, const cl_device_partition_property *type,
                             size_t words) {
  cl_device_partition_property got[8], ways[4];
  cl_device_id up = device;
  size_t size;
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, sizeof up, (void *)&up, NULL));
  cr_assert_eq(up, parent);
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_PARTITION_TYPE, sizeof got, got, &size));
  cr_assert_eq(size, words * sizeof *type);
  cr_assert_eq(memcmp(got, type, size), 0);
  const cl_uint units = units_of(device);
  EXPECT_SUCCESS(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof ways, ways, &size));
  if (units > 1)
    cr_assert(size == 2 * sizeof *ways && ways[0] == CL_DEVICE_PARTITION_EQUALLY &&
              ways[1] == CL_DEVICE_PARTITION_BY_COUNTS);
  else
    cr_assert(size == sizeof *ways && ways[0] == 0);
  cr_assert_eq(number(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES), units > 1 ? units : 0);
  cr_assert_eq(number(device, CL_DEVICE_UNITS_HEDDLE), units);
}

Test(sub_devices, queries_say_how_a_device_was_and_can_be_divided) {
  struct harness *h = harness();
  const cl_device_partition_property none = 0;
  cr_assert_eq(units_of(h->device), h->units);
  expect_partition(h->device, NULL, &none, 1);
  if (h->units < 2)
    return;
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, (intptr_t)h->units - 1, 0, 0};
  cl_device_id parts[2], inner[MOST];
  divide(h->device, counts, 2, parts);
  cr_assert_eq(units_of(parts[0]), 1);
  cr_assert_eq(units_of(parts[1]), h->units - 1);
  expect_partition(parts[0], h->device, counts, 5);
  expect_partition(parts[1], h->device, counts, 5);
  if (h->units > 2) {
    divide(parts[1], EQUALLY(1), h->units - 1, inner);
    for (uint32_t i = 0; i < h->units - 1; i++) {
      cr_assert_eq(units_of(inner[i]), 1);
      expect_partition(inner[i], parts[1], EQUALLY(1), 3);
    }
    // What does not divide evenly is of no part.
    divide(h->device, EQUALLY(h->units - 1), 1, inner);
    cr_assert_eq(units_of(inner[0]), h->units - 1);
  }
  // Sub-devices are in no list of the platform.
  cl_device_id found[16];
  cl_uint count;
  EXPECT_SUCCESS(clGetDeviceIDs(h->platform, CL_DEVICE_TYPE_ALL, 16, found, &count));
  for (cl_uint i = 0; i < count; i++)
    cr_assert(found[i] != parts[0] && found[i] != parts[1]);
}

Test(sub_devices, wrong_divisions_have_the_errors_of_the_text) {
  struct harness *h = harness();
  const intptr_t units = h->units;
  const bool whole = units < 2;  // cannot be divided at all
  const cl_int failed = CL_DEVICE_PARTITION_FAILED, count_error = CL_INVALID_DEVICE_PARTITION_COUNT;
  const struct {
    cl_int expected;
    cl_device_partition_property properties[16];
  } rows[] = {
      {CL_INVALID_VALUE, {0}},
      {CL_INVALID_VALUE, {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE, 0}},
      {CL_INVALID_VALUE, {CL_DEVICE_PARTITION_BY_COUNTS + 100, 1, 0}},
      {CL_INVALID_VALUE, {-1, 1, 0}},
      {CL_INVALID_VALUE, {CL_DEVICE_PARTITION_EQUALLY, 0, 0}},
      {CL_INVALID_VALUE, {CL_DEVICE_PARTITION_EQUALLY, -1, 0}},
      {CL_INVALID_VALUE, {CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 1, 0}},
      {failed, {CL_DEVICE_PARTITION_EQUALLY, units, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_EQUALLY, units + 1, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_EQUALLY, INTPTR_MAX, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_BY_COUNTS, units + 1, 0, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_BY_COUNTS, units, 1, 0, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_BY_COUNTS, -1, 0, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_BY_COUNTS, 1, -1, 0, 0}},
      {whole ? failed : count_error, {CL_DEVICE_PARTITION_BY_COUNTS, INTPTR_MAX, INTPTR_MAX, 2, 0, 0}},
      {whole ? failed : CL_INVALID_VALUE, {CL_DEVICE_PARTITION_BY_COUNTS, 0, 0}},
      {whole ? failed : CL_INVALID_VALUE, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, CL_DEVICE_PARTITION_EQUALLY, 1, 0}},
      {whole ? failed : CL_SUCCESS, {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}},
  };
  cl_device_id made[16];
  cl_uint count;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    count = 77;
    const cl_int came = clCreateSubDevices(h->device, rows[i].properties, 16, made, &count);
    cr_expect_eq(came, rows[i].expected, "row %zu: %s, expected %s", i, error_name(came), error_name(rows[i].expected));
    if (came == CL_SUCCESS)
      EXPECT_SUCCESS(clReleaseDevice(made[0]));
    else
      cr_expect_eq(count, 77, "row %zu wrote a number of devices", i);
  }
  EXPECT_CODE(CL_INVALID_VALUE, clCreateSubDevices(h->device, NULL, 16, made, &count));
  EXPECT_CODE(CL_INVALID_DEVICE, clCreateSubDevices(NULL, EQUALLY(1), 16, made, &count));
  if (whole)
    return;
  made[0] = NULL;
  EXPECT_CODE(CL_INVALID_VALUE, clCreateSubDevices(h->device, EQUALLY(1), h->units - 1, made, &count));
  EXPECT_CODE(CL_INVALID_VALUE, clCreateSubDevices(h->device, EQUALLY(1), 0, made, &count));
  cr_expect_null(made[0]);
  EXPECT_SUCCESS(clCreateSubDevices(h->device, EQUALLY(1), 0, NULL, NULL));
  divide(h->device, EQUALLY(1), h->units, made);
  EXPECT_CODE(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(made[0], EQUALLY(1), 16, made + 8, &count));
}

Test(sub_devices, only_devices_of_a_context_are_taken_by_it) {
  struct harness *h = several_units_of_the_model();
  cl_device_id parts[2];
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, parts);
  cl_context context = context_of(1, parts);
  cl_int error;
  clCreateCommandQueueWithProperties(context, parts[1], NULL, &error);
  EXPECT_CODE(CL_INVALID_DEVICE, error);
  clCreateCommandQueueWithProperties(context, h->device, NULL, &error);
  EXPECT_CODE(CL_INVALID_DEVICE, error);
  clCreateCommandQueueWithProperties(h->context, parts[0], NULL, &error);
  EXPECT_CODE(CL_INVALID_DEVICE, error);
  EXPECT_CODE(CL_INVALID_DEVICE, clBuildProgram(program_in(context, valued), 1, &h->device, "-DVALUE=1", NULL, NULL));
  cl_device_id of_context = NULL;
  EXPECT_SUCCESS(clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof of_context, (void *)&of_context, NULL));
  cr_assert_eq(of_context, parts[0]);
}

// ---- how long they live

static cl_uint references(cl_device_id device) {
  return number(device, CL_DEVICE_REFERENCE_COUNT);
}

Test(sub_devices, are_counted_and_live_as_long_as_somebody_has_them) {
  struct harness *h = several_units();
  cl_device_id parts[2], inner[MOST];
  divide(h->device, BY_COUNTS(1, h->units - 1), 2, parts);
  cr_assert_eq(references(parts[0]), 1);
  EXPECT_SUCCESS(clRetainDevice(parts[0]));
  cr_assert_eq(references(parts[0]), 2);
  EXPECT_SUCCESS(clReleaseDevice(parts[0]));
  EXPECT_SUCCESS(clReleaseDevice(parts[0]));
  // A context has its devices, and a sub-device the one that it was made of.
  if (h->units > 2)
    divide(parts[1], EQUALLY(1), h->units - 1, inner);
  else
    inner[0] = parts[1], EXPECT_SUCCESS(clRetainDevice(parts[1]));
  cl_context context = context_of(1, inner);
  EXPECT_SUCCESS(clReleaseDevice(inner[0]));
  EXPECT_SUCCESS(clReleaseDevice(parts[1]));
  cl_kernel kernel = kernel_in(context, where);
  expect_units("released", 2, units_used(queue_on(context, inner[0]), kernel, out_in(context)));
  // Roots are not counted.
  EXPECT_SUCCESS(clReleaseDevice(h->device));
  EXPECT_SUCCESS(clReleaseDevice(h->device));
  cr_assert_eq(references(h->device), 1);
}

Test(sub_devices, a_context_has_a_limit_of_devices_and_says_so) {
  enum { LIMIT = 128 };
  struct harness *h = several_units_of_the_model();
  cl_device_id devices[LIMIT + MOST];
  cl_uint count = 0;
  cl_int error;
  for (; count <= LIMIT; count += h->units)
    divide(h->device, EQUALLY(1), h->units, devices + count);
  clCreateContext(NULL, count, devices, NULL, NULL, &error);
  EXPECT_CODE(CL_OUT_OF_RESOURCES, error);
  cl_context context = context_of(LIMIT, devices);
  cl_kernel kernel = kernel_in(context_of(1, devices + LIMIT - 1), where);
  EXPECT_SUCCESS(clReleaseKernel(kernel));
  EXPECT_SUCCESS(clReleaseContext(context));
  for (cl_uint i = 0; i < count; i++)
    if (i != LIMIT - 1)
      EXPECT_SUCCESS(clReleaseDevice(devices[i]));
}
