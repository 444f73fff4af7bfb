// SPDX-License-Identifier: Apache-2.0
// Limits of the device (OpenCL API 3.0, clGetDeviceInfo and the chapter on the embedded profile): none is below the
// minimum of the profile that the device reports, and what it promises it does.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"

static cl_ulong number(cl_device_info name) {
  cl_ulong value = 0;
  size_t bytes;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, name, sizeof value, &value, &bytes));
  if (bytes != 4 && bytes != 8)
    fail("device query %x: expected 4 or 8 bytes, got %zu", name, bytes);
  return value;
}

static bool has(cl_device_info name) {
  return number(name) != 0;
}

// Minima: those of the embedded profile, and of the full one, which also hold for what an embedded device offers of
// that.
struct minimum {
  cl_device_info name;
  const char *text;
  cl_ulong embedded, full;
};
#define MINIMUM(name, embedded, full) {name, #name, embedded, full}

static const struct minimum minima[] = {
    MINIMUM(CL_DEVICE_MAX_COMPUTE_UNITS, 1, 1),
    MINIMUM(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3, 3),
    MINIMUM(CL_DEVICE_MAX_WORK_GROUP_SIZE, 1, 1),
    MINIMUM(CL_DEVICE_MAX_PARAMETER_SIZE, 256, 1024),
    MINIMUM(CL_DEVICE_MEM_BASE_ADDR_ALIGN, 512, 1024),
    MINIMUM(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 1 << 10, 64 << 10),
    MINIMUM(CL_DEVICE_MAX_CONSTANT_ARGS, 4, 8),
    MINIMUM(CL_DEVICE_LOCAL_MEM_SIZE, 1 << 10, 32 << 10),
    MINIMUM(CL_DEVICE_PRINTF_BUFFER_SIZE, 1 << 10, 1 << 20),
    MINIMUM(CL_DEVICE_GLOBAL_MEM_SIZE, 1 << 20, 32 << 20),
    MINIMUM(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1, 1),
};

// What there is only together with something else.
static const struct minimum with_pipes[] = {MINIMUM(CL_DEVICE_MAX_PIPE_ARGS, 16, 16),
                                            MINIMUM(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 1, 1),
                                            MINIMUM(CL_DEVICE_PIPE_MAX_PACKET_SIZE, 1024, 1024)};
static const struct minimum with_device_queues[] = {
    MINIMUM(CL_DEVICE_MAX_ON_DEVICE_QUEUES, 1, 1), MINIMUM(CL_DEVICE_MAX_ON_DEVICE_EVENTS, 1024, 1024),
    MINIMUM(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 16 << 10, 16 << 10),
    MINIMUM(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 64 << 10, 256 << 10)};

static bool is_embedded(void) {
  char profile[32];
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_PROFILE, sizeof profile, profile, NULL));
  if (strcmp(profile, "EMBEDDED_PROFILE") != 0 && strcmp(profile, "FULL_PROFILE") != 0)
    fail("CL_DEVICE_PROFILE: got \"%s\"", profile);
  return profile[0] == 'E';
}

static void check_minima(const struct minimum *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const cl_ulong least = is_embedded() ? list[i].embedded : list[i].full, got = number(list[i].name);
    if (got < least)
      fail("%s: expected at least %llu, got %llu", list[i].text, (unsigned long long)least, (unsigned long long)got);
  }
}

Test(limits, none_is_below_the_minimum_of_the_profile) {
  const cl_ulong global = number(CL_DEVICE_GLOBAL_MEM_SIZE), quarter = global / 4;
  const cl_ulong least_alloc = quarter < 1 << 30 ? quarter : 1 << 30, floor = is_embedded() ? 1 << 20 : 32 << 20;
  check_minima(minima, sizeof minima / sizeof *minima);
  if (number(CL_DEVICE_MAX_MEM_ALLOC_SIZE) < (least_alloc > floor ? least_alloc : floor))
    fail("CL_DEVICE_MAX_MEM_ALLOC_SIZE: expected a quarter of %llu at least, got %llu", (unsigned long long)global,
         (unsigned long long)number(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  if (has(CL_DEVICE_PIPE_SUPPORT))
    check_minima(with_pipes, sizeof with_pipes / sizeof *with_pipes);
  if (has(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES))
    check_minima(with_device_queues, sizeof with_device_queues / sizeof *with_device_queues);
  const cl_ulong variables = number(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE);
  if (variables != 0 && variables < 64 << 10)
    fail("CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE: expected none or 65536 at least, got %llu",
         (unsigned long long)variables);
}

Test(limits, abilities_are_the_least_that_the_profile_asks_for) {
  const cl_device_fp_config single = number(CL_DEVICE_SINGLE_FP_CONFIG), both = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
  const cl_command_queue_properties queue = number(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
  if ((single & both) != both && !(is_embedded() && (single & CL_FP_ROUND_TO_ZERO) != 0))
    fail("CL_DEVICE_SINGLE_FP_CONFIG: got 0x%llx", (unsigned long long)single);
  if ((queue & CL_QUEUE_PROFILING_ENABLE) == 0)
    fail("CL_DEVICE_QUEUE_ON_HOST_PROPERTIES: got 0x%llx", (unsigned long long)queue);
  if ((number(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL) == 0 || !has(CL_DEVICE_AVAILABLE))
    fail("expected a device that is available and runs kernels");
  if (number(CL_DEVICE_ADDRESS_BITS) != 32 && number(CL_DEVICE_ADDRESS_BITS) != 64)
    fail("CL_DEVICE_ADDRESS_BITS: got %llu", (unsigned long long)number(CL_DEVICE_ADDRESS_BITS));
  if (!is_embedded() && !has(CL_DEVICE_COMPILER_AVAILABLE))
    fail("a full profile has a compiler");
}

// A kernel of `count` arguments of a type, the sum of whose words it stores.
static char *source_of(size_t count, const char *type, const char *value) {
  const size_t room = 256 + count * 64;
  char *text = allocate(room);
  size_t used = (size_t)snprintf(text, room, "kernel void k(global uint *out");
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, room - used, ", %s a%zu", type, i);
  used += (size_t)snprintf(text + used, room - used, ") { uint s = 0;\n");
  for (size_t i = 0; i < count; i++)
    used += (size_t)snprintf(text + used, room - used, "s += %sa%zu;\n", value, i);
  snprintf(text + used, room - used, "out[0] = s; }\n");
  return text;
}

static uint32_t run_one(cl_kernel kernel) {
  uint32_t got = 0;
  cl_mem out = buffer_with(NULL, 4);
  EXPECT_SUCCESS(clSetKernelArg(kernel, 0, sizeof out, &out));
  run_1d(kernel, 1, 1);
  read_buffer(out, &got, sizeof got);
  EXPECT_SUCCESS(clReleaseMemObject(out));
  return got;
}

static void expect_sum(const char *what, uint32_t expected, uint32_t got) {
  if (got != expected)
    fail("%s: expected a sum of %u, got %u", what, expected, got);
}

Test(limits, a_kernel_may_have_all_the_parameters_that_are_promised) {
  // One is a pointer, of 4 or 8 bytes; the others are to fill the rest.
  const size_t count = (size_t)(number(CL_DEVICE_MAX_PARAMETER_SIZE) - 8) / sizeof(cl_uint);
  cl_kernel kernel = kernel_of(build(source_of(count, "uint", ""), NULL), "k");
  uint32_t expected = 0;
  for (cl_uint i = 0; i < count; i++) {
    const cl_uint value = 3 * i + 1;
    expected += value;
    EXPECT_SUCCESS(clSetKernelArg(kernel, i + 1, sizeof value, &value));
  }
  expect_sum("CL_DEVICE_MAX_PARAMETER_SIZE", expected, run_one(kernel));
}

Test(limits, a_kernel_may_have_all_the_constant_arguments_that_are_promised) {
  // The first argument is to global memory.
  const size_t most = (size_t)number(CL_DEVICE_MAX_CONSTANT_ARGS), count = most < 64 ? most : most - 1;
  cl_kernel kernel = kernel_of(build(source_of(count, "constant uint *", "*"), NULL), "k");
  uint32_t values[16], expected = 0;
  cl_mem memories[16];
  for (uint32_t i = 0; i < 16; i++) {
    values[i] = i * i + 7;
    memories[i] = buffer_with(&values[i], sizeof values[i]);
  }
  for (cl_uint i = 0; i < count; i++) {
    expected += values[i % 16];
    EXPECT_SUCCESS(clSetKernelArg(kernel, i + 1, sizeof *memories, &memories[i % 16]));
  }
  expect_sum("CL_DEVICE_MAX_CONSTANT_ARGS", expected, run_one(kernel));
}

Test(limits, all_of_local_memory_and_of_a_constant_buffer_can_be_used) {
  cl_int error;
  const cl_uint words = (cl_uint)(number(CL_DEVICE_LOCAL_MEM_SIZE) / 4), value = 12345;
  const size_t constant_bytes = (size_t)number(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  cl_program program = build(
      "kernel void k(global uint *out, local uint *x, uint n) { x[0] = 1; x[n - 1] = n; out[0] = x[0] + x[n - 1]; }\n"
      "kernel void c(global uint *out, constant uint *x, uint n) { out[0] = x[n - 1]; }\n",
      NULL);
  cl_kernel kernel = kernel_of(program, "k");
  EXPECT_SUCCESS(clSetKernelArg(kernel, 1, (size_t)words * 4, NULL));
  EXPECT_SUCCESS(clSetKernelArg(kernel, 2, sizeof words, &words));
  expect_sum("CL_DEVICE_LOCAL_MEM_SIZE", words + 1, run_one(kernel));

  const cl_uint last = (cl_uint)(constant_bytes / 4);
  cl_mem constant = clCreateBuffer(harness()->context, CL_MEM_READ_ONLY, constant_bytes, NULL, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(clEnqueueWriteBuffer(harness()->queue, constant, CL_TRUE, (size_t)(last - 1) * 4, sizeof value, &value,
                                      0, NULL, NULL));
  kernel = kernel_of(program, "c");
  EXPECT_SUCCESS(clSetKernelArg(kernel, 1, sizeof constant, &constant));
  EXPECT_SUCCESS(clSetKernelArg(kernel, 2, sizeof last, &last));
  expect_sum("CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", value, run_one(kernel));
}

Test(limits, a_work_group_may_be_as_large_as_promised) {
  const size_t most = (size_t)number(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  size_t sizes[3];
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL));
  cl_kernel kernel =
      kernel_of(build("kernel void k(global uint *out) { out[get_local_linear_id()] = get_local_linear_id(); }\n",
                      "-cl-std=CL3.0"),
                "k");
  cl_mem out = buffer_with(NULL, most * 4);
  uint32_t *got = allocate(most * 4), *expected = allocate(most * 4);
  set_args(kernel, ARG(out), END_ARGS);
  for (uint32_t i = 0; i < most; i++)
    expected[i] = i;
  for (int dimension = 0; dimension < 3; dimension++) {
    size_t local[3] = {1, 1, 1};
    local[dimension] = sizes[dimension] < most ? sizes[dimension] : most;
    run(kernel, 3, NULL, local, local);
    read_buffer(out, got, local[dimension] * 4);
    expect_u32("local ids", expected, got, local[dimension]);
  }
}
