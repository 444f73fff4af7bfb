// SPDX-License-Identifier: Apache-2.0
// What separate compilation and linking refuse (OpenCL API 3.0, section 5.8.5): calls in the specification's words, and
// programs that do not fit together by the name of what does not.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

Test(linking_errors, recursion_through_two_programs_is_refused) {
  const cl_program parts[] = {compiled("int b(int); int a(int x) { return x ? b(x - 1) : 0; }\n", NULL),
                              compiled("int a(int); int b(int x) { return x ? a(x - 1) : 1; }\n"
                                       "kernel void k(global int *out) { out[0] = b(out[0]); }\n",
                                       NULL)};
  expect_link_failure(parts, 2, "recursion");
}

Test(linking_errors, a_function_that_no_program_defines_is_named) {
  const cl_program parts[] = {
      compiled("int absent(int); kernel void k(global int *out) { out[0] = absent(1); }\n", NULL)};
  expect_link_failure(parts, 1, "'absent'");
}

Test(linking_errors, a_variable_that_no_program_defines_is_named) {
  const cl_program parts[] = {
      compiled("extern constant int missing[2]; kernel void k(global int *out) { out[0] = missing[out[1]]; }\n", NULL)};
  expect_link_failure(parts, 1, "'missing'");
}

Test(linking_errors, a_function_that_two_programs_define_is_named) {
  const cl_program parts[] = {
      compiled("int shared_name(int x) { return x; }\n", NULL),
      compiled("int shared_name(int x) { return x + 1; } kernel void k(global int *out) { out[0] = 1; }\n", NULL)};
  expect_link_failure(parts, 2, "'shared_name'");
}

Test(linking_errors, a_kernel_that_two_programs_define_is_named) {
  const cl_program parts[] = {compiled("kernel void same(global int *out) { out[0] = 1; }\n", NULL),
                              compiled("kernel void same(global int *out) { out[0] = 2; }\n", NULL)};
  expect_link_failure(parts, 2, "'same'");
}

Test(linking_errors, a_function_declared_with_another_type_is_named) {
  const cl_program parts[] = {
      compiled("float f(float); kernel void k(global float *out) { out[0] = f(1.0f); }\n", NULL),
      compiled("int f(int x, int y) { return x + y; }\n", NULL)};
  expect_link_failure(parts, 2, "'f'");
}

Test(linking_errors, a_program_that_did_not_link_links_after_its_reason_is_gone) {
  cl_program user = compiled("int late(int); kernel void k(global int *out) { out[0] = late(1); }\n", NULL);
  expect_link_failure(&user, 1, "'late'");
  const cl_program parts[] = {user, compiled("int late(int x) { return x + 8; }\n", NULL)};
  expect_word(9, link_well(parts, 2, NULL), "k");
}

Test(linking_errors, options_of_the_specification_are_accepted_and_others_are_not) {
  const cl_program part = compiled("kernel void k(global int *out) { out[0] = (int)(1.5f * out[0]) + 4; }\n", NULL);
  expect_word(4,
              link_well(&part, 1,
                        "-cl-denorms-are-zero -cl-no-signed-zeroes -cl-unsafe-math-optimizations "
                        "-cl-finite-math-only -cl-fast-relaxed-math -cl-no-subgroup-ifp"),
              "k");
  static const char *const wrong[] = {"-no-such-option", "-D X", "-cl-std=CL3.0", "-enable-link-options", "x.o"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    cl_int error = CL_SUCCESS;
    cl_program program =
        clLinkProgram(harness()->context, 1, &harness()->device, wrong[i], 1, &part, NULL, NULL, &error);
    EXPECT_CODE(CL_INVALID_LINKER_OPTIONS, error);
    if (program)
      fail("clLinkProgram with \"%s\": expected no program", wrong[i]);
  }
}

Test(linking_errors, a_program_that_is_linked_is_not_built_or_compiled) {
  const cl_program part = compiled("kernel void k(global int *out) { out[0] = 6; }\n", NULL);
  cl_program program = link_well(&part, 1, NULL);
  EXPECT_CODE(CL_INVALID_OPERATION, clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_OPERATION, clCompileProgram(program, 1, &harness()->device, NULL, 0, NULL, NULL, NULL, NULL));
  expect_word(6, program, "k");
}

Test(linking_errors, an_object_is_no_executable_to_build) {
  cl_program object = loaded(saved(compiled("kernel void k(global int *out) { out[0] = 6; }\n", NULL)));
  EXPECT_CODE(CL_INVALID_BINARY, clBuildProgram(object, 1, &harness()->device, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_OPERATION, clCompileProgram(object, 1, &harness()->device, NULL, 0, NULL, NULL, NULL, NULL));
}

Test(linking_errors, what_is_not_compiled_does_not_link) {
  struct harness *h = harness();
  cl_int error = CL_SUCCESS;
  const cl_program parts[] = {compiled("int f(void) { return 1; }\n", NULL), source_of("int g(void) { return 1; }\n"),
                              build("kernel void k(global int *out) { out[0] = 1; }\n", NULL)};
  if (clLinkProgram(h->context, 1, &h->device, NULL, 2, parts, NULL, NULL, &error))
    fail("clLinkProgram with a program that is not compiled: expected no program");
  EXPECT_CODE(CL_INVALID_OPERATION, error);
  const cl_program executable_among[] = {parts[0], parts[2]};
  (void)clLinkProgram(h->context, 1, &h->device, NULL, 2, executable_among, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_OPERATION, error);
  (void)clLinkProgram(h->context, 1, &h->device, NULL, 1, &parts[1], NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_OPERATION, error);
}

Test(linking_errors, a_program_with_kernels_is_not_compiled_again) {
  cl_program program = build("kernel void k(global int *out) { out[0] = 1; }\n", NULL);
  cl_kernel kernel = kernel_of(program, "k");
  EXPECT_CODE(CL_INVALID_OPERATION, clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_SUCCESS(clReleaseKernel(kernel));
  EXPECT_SUCCESS(clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
}

Test(linking_errors, arguments_that_are_wrong_are_refused_in_the_specifications_order) {
  struct harness *h = harness();
  cl_program part = compiled("int f(void) { return 1; }\n", NULL), none = (cl_program)h->context;
  const char *name = "a.h", *no_name = NULL;
  cl_device_id wrong = (cl_device_id)h->context;
  int user = 0;
  cl_int error;
  EXPECT_CODE(CL_INVALID_PROGRAM, clCompileProgram(none, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 0, &wrong, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 1, &wrong, NULL, 0, &part, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 1, &wrong, NULL, 0, NULL, &name, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 1, &wrong, NULL, 1, &part, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 1, &wrong, NULL, 1, NULL, &name, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 1, &wrong, NULL, 0, NULL, NULL, NULL, &user));
  EXPECT_CODE(CL_INVALID_DEVICE, clCompileProgram(part, 1, &wrong, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_PROGRAM, clCompileProgram(part, 0, NULL, NULL, 1, &none, &name, NULL, NULL));
  EXPECT_CODE(CL_INVALID_VALUE, clCompileProgram(part, 0, NULL, NULL, 1, &part, &no_name, NULL, NULL));
  EXPECT_CODE(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(part, 0, NULL, "-nothing", 0, NULL, NULL, NULL, NULL));
  EXPECT_CODE(CL_INVALID_COMPILER_OPTIONS,
              clCompileProgram(part, 0, NULL, "-create-library", 0, NULL, NULL, NULL, NULL));
  EXPECT_SUCCESS(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));

  (void)clLinkProgram((cl_context)part, 1, NULL, NULL, 0, NULL, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_CONTEXT, error);
  (void)clLinkProgram(h->context, 1, NULL, NULL, 1, &none, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  (void)clLinkProgram(h->context, 0, NULL, NULL, 0, &part, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  (void)clLinkProgram(h->context, 0, NULL, NULL, 1, NULL, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  (void)clLinkProgram(h->context, 1, &wrong, NULL, 1, &none, NULL, &user, &error);
  EXPECT_CODE(CL_INVALID_PROGRAM, error);
  (void)clLinkProgram(h->context, 1, &wrong, NULL, 1, &part, NULL, &user, &error);
  EXPECT_CODE(CL_INVALID_VALUE, error);
  (void)clLinkProgram(h->context, 1, &wrong, NULL, 1, &part, NULL, NULL, &error);
  EXPECT_CODE(CL_INVALID_DEVICE, error);
}
