// SPDX-License-Identifier: Apache-2.0
// Which programs have work-groups of one size: those of OpenCL C before 2.0, which is the language of a build without
// options, those built with -cl-uniform-work-group-size, and what is linked of any of them (OpenCL 3.0, section 3.2.1).
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

// What is written is the local size of each work-item's work-group.
static const char source[] = "kernel void k(global uint *out) { out[get_global_id(0)] = get_local_size(0); }\n";

enum { WORK_ITEMS = 10, LOCAL = 4, PRIME = 1009 };

static cl_int enqueue(cl_kernel kernel, cl_mem out, size_t global, const size_t *local) {
  set_args(kernel, ARG(out), END_ARGS);
  const cl_int error = clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &global, local, 0, NULL, NULL);
  EXPECT_SUCCESS(clFinish(harness()->queue));
  return error;
}

// Ten work-items in groups of four, and a size that the library chooses for a prime number of them.
static void check_program(cl_program program, bool is_uniform, const char *what) {
  cl_kernel kernel = kernel_of(program, "k");
  cl_mem out = buffer_with(NULL, PRIME * 4);
  const size_t local = LOCAL;
  static uint32_t got[PRIME];
  const cl_int expected = is_uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS;
  const cl_int error = enqueue(kernel, out, WORK_ITEMS, &local);
  if (error != expected)
    fail("%s: 10 work-items in groups of 4: expected %s, got %s", what, error_name(expected), error_name(error));
  read_buffer(out, got, WORK_ITEMS * 4);
  for (uint32_t i = 0; i < WORK_ITEMS && !is_uniform; i++)
    if (got[i] != (i < 8 ? 4 : 2))
      fail("%s: get_local_size of work-item %u: expected %u, got %u", what, i, i < 8 ? 4 : 2, got[i]);
  EXPECT_SUCCESS(enqueue(kernel, out, PRIME, NULL));
  read_buffer(out, got, sizeof got);
  for (size_t i = 0; i < PRIME && is_uniform; i++)
    if (got[i] == 0 || PRIME % got[i] != 0 || got[i] != got[0])
      fail("%s: 1,009 work-items, no local size: work-item %zu is in a group of %u, the first of %u", what, i, got[i],
           got[0]);
}

static const struct {
  const char *options;
  bool is_uniform;
} builds[] = {
    {NULL, true},
    {"", true},
    {"-w", true},
    {"-cl-std=CL1.1", true},
    {"-cl-std=CL1.2", true},
    {"-cl-std=CL3.0", false},
    {"-cl-std=CL3.0 -cl-uniform-work-group-size", true},
    {"-cl-uniform-work-group-size -cl-std=CL3.0", true},
    {" \t-cl-std=CL3.0\t-cl-uniform-work-group-size ", true},
    {"-cl-uniform-work-group-size", true},
    {"-cl-std=CL1.2 -cl-std=CL3.0", false},  // the last one counts
    {"-cl-std=CL3.0 -cl-std=CL1.2", true},
    // Values, which are no options.
    {"-cl-std=CL3.0 -DX=-cl-uniform-work-group-size", false},
    {"-cl-std=CL3.0 -D X=-cl-std=CL1.2", false},
    {"-cl-std=CL3.0 -I /tmp/-cl-uniform-work-group-size", false},
    {"-cl-std=CL3.0 -D X='a -cl-std=CL1.2 b'", false},
    {"-D X=-cl-std=CL3.0", true},
};

Test(uniform_work_groups, are_those_of_languages_before_2_0_and_of_the_option) {
  for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
    check_program(build(source, builds[i].options), builds[i].is_uniform,
                  builds[i].options ? builds[i].options : "NULL");
  }
}

Test(uniform_work_groups, are_those_of_a_binary_whatever_it_is_built_with) {
  for (int uniform = 0; uniform < 2; uniform++) {
    cl_program program = build(source, uniform ? "" : "-cl-std=CL3.0");
    size_t size;
    cl_int error, status;
    EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_program again = clCreateProgramWithBinary(harness()->context, 1, &harness()->device, &size,
                                                 (const unsigned char **)&binary, &status, &error);
    EXPECT_SUCCESS(error);
    EXPECT_SUCCESS(clBuildProgram(again, 0, NULL, NULL, NULL, NULL));
    check_program(again, uniform != 0, "a binary");
    free(binary);
  }
}

// Linked of two parts, and of a library of two and a third.
Test(uniform_work_groups, are_those_of_what_is_linked_of_a_part_that_has_them) {
  const char *kernel =
      "uint f(uint); kernel void k(global uint *out) { out[get_global_id(0)] = "
      "f(get_local_size(0)); }\n";
  const char *function = "uint g(uint); uint f(uint x) { return g(x); }\n", *other = "uint g(uint x) { return x; }\n";
  static const char *const options[] = {"-cl-std=CL3.0", "", "-cl-std=CL3.0 -cl-uniform-work-group-size"};
  for (int i = 0; i < 27; i++) {
    const int of[3] = {i % 3, i / 3 % 3, i / 9};
    const bool is_uniform = i != 0;
    cl_program parts[] = {compiled(kernel, options[of[0]]), compiled(function, options[of[1]]),
                          compiled(other, options[of[2]])};
    if (i % 2 == 0) {
      check_program(link_well(parts, 3, NULL), is_uniform, "three parts");
    } else {
      cl_program again[] = {link_well(parts, 2, "-create-library"), parts[2]};
      check_program(link_well(again, 2, NULL), is_uniform, "a library and a part");
    }
  }
}

// What kernels enqueue is held to the same.
Test(uniform_work_groups, are_those_of_kernels_that_kernels_enqueue) {
  for (int uniform = 0; uniform < 2; uniform++) {
    cl_command_queue queue =
        new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT);
    cl_program program = build(
        "kernel void k(global int *out) {\n"
        "  out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(10, 4), ^{ out[1] = 1; "
        "});\n"
        "}\n",
        uniform ? "-cl-std=CL3.0 -g -cl-uniform-work-group-size -DX=-cl-std=CL3.0" : "-cl-std=CL3.0 -g");
    cl_kernel kernel = kernel_of(program, "k");
    cl_mem out = buffer_with(NULL, 8);
    const int32_t invalid_range = -160;  // CLK_INVALID_NDRANGE
    const uint32_t expected[2] = {uniform ? (uint32_t)invalid_range : 0, uniform ? 0 : 1};
    uint32_t got[2];
    set_args(kernel, ARG(out), END_ARGS);
    run_1d(kernel, 1, 1);
    read_buffer(out, got, sizeof got);
    expect_u32(uniform ? "uniform" : "not uniform", expected, got, 2);
    EXPECT_SUCCESS(clReleaseCommandQueue(queue));
  }
}

// ---- Sizes that wrap

Test(work_group_sizes, that_are_more_than_a_number_holds_are_not_taken_for_small_ones) {
  static const char *const required[] = {"4194304, 2097152, 2097152", "65536, 65536, 1", "2147483648u, 2, 1",
                                         "4294967295u, 4294967295u, 4294967295u", "65536, 65536, 65536"};
  for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "__attribute__((reqd_work_group_size(%s))) kernel void k(global uint *out) { out[0] = 1; }", required[i]);
    cl_kernel kernel = kernel_of(build(text, "-cl-std=CL3.0"), "k");
    cl_mem out = buffer_with(NULL, 4);
    size_t sizes[3];
    set_args(kernel, ARG(out), END_ARGS);
    EXPECT_SUCCESS(
        clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
    for (int with_local = 0; with_local < 2; with_local++)
      EXPECT_CODE(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(harness()->queue, kernel, 3, NULL, sizes,
                                                                     with_local ? sizes : NULL, 0, NULL, NULL));
  }
}

Test(work_group_sizes, of_queries_are_refused_where_their_product_wraps) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  const size_t half = (size_t)1 << 32, sizes[][3] = {{half, half, 1}, {half * 2, half, 3}, {SIZE_MAX, SIZE_MAX, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t answer = 77;
    EXPECT_CODE(CL_INVALID_VALUE,
                clGetKernelSubGroupInfo(kernel, harness()->device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                        sizeof sizes[i], sizes[i], sizeof answer, &answer, NULL));
    EXPECT_CODE(CL_INVALID_VALUE,
                clGetKernelSubGroupInfo(kernel, harness()->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                        sizeof sizes[i], sizes[i], sizeof answer, &answer, NULL));
    if (answer != 77)
      fail("a refused query wrote %zu", answer);
  }
}

Test(work_group_sizes, and_offsets_beyond_32_bits_are_refused) {
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  cl_mem out = buffer_with(NULL, 64);
  const size_t one = 1, four = 4, large[] = {(size_t)1 << 32, ((size_t)1 << 32) + 4, SIZE_MAX, SIZE_MAX - 3};
  set_args(kernel, ARG(out), END_ARGS);
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    EXPECT_CODE(CL_INVALID_GLOBAL_WORK_SIZE,
                clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &large[i], &one, 0, NULL, NULL));
    EXPECT_CODE(CL_INVALID_GLOBAL_OFFSET,
                clEnqueueNDRangeKernel(harness()->queue, kernel, 1, &large[i], &four, &one, 0, NULL, NULL));
    const cl_int error = clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &four, &large[i], 0, NULL, NULL);
    if (error != CL_INVALID_WORK_GROUP_SIZE && error != CL_INVALID_WORK_ITEM_SIZE)
      fail("local size %zu: expected CL_INVALID_WORK_GROUP_SIZE or CL_INVALID_WORK_ITEM_SIZE, got %s", large[i],
           error_name(error));
    cl_kernel with_local = kernel_of(build("kernel void k(local int *a, local int *b) { a[0] = b[0]; }", NULL), "k");
    EXPECT_CODE(CL_INVALID_ARG_SIZE, clSetKernelArg(with_local, 0, large[i], NULL));
  }
  cl_kernel with_local = kernel_of(build("kernel void k(local int *a, local int *b) { a[0] = b[0]; }", NULL), "k");
  EXPECT_SUCCESS(clSetKernelArg(with_local, 0, (size_t)1 << 31, NULL));
  EXPECT_SUCCESS(clSetKernelArg(with_local, 1, (size_t)1 << 31, NULL));
  EXPECT_CODE(CL_OUT_OF_RESOURCES,
              clEnqueueNDRangeKernel(harness()->queue, with_local, 1, NULL, &one, &one, 0, NULL, NULL));
}
