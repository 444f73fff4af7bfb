// SPDX-License-Identifier: Apache-2.0
// What is wrong with a kernel is said in words that its author can act on.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/hls/compiler.h"

#define REFUSED(source, words) expect_refusal(compile(source, "-cl-std=CL3.0", NULL), 1, words)

Test(diagnostics, a_syntax_error_has_the_users_file_name_and_line) {
  REFUSED("kernel void k(global int *a) {\n  a[0] = b;\n}\n", "test.cl:2:10: error: use of undeclared identifier 'b'");
}

Test(diagnostics, warnings_are_shown_and_fail_nothing) {
  struct result result = compile_well("#warning mind this\nkernel void k(global int *a) { a[0] = 0; }\n", NULL);
  cr_expect(strstr(result.messages, "test.cl:1:2: warning: mind this") != NULL, "%s", result.messages);
  result_free(&result);
  expect_refusal(compile("#warning mind this\n", "-Werror", NULL), 1, "mind this");
}

Test(diagnostics, recursion_is_refused) {
  REFUSED("int f(int x) { return x > 0 ? f(x - 1) + x : 0; }\nkernel void k(global int *a) { a[0] = f(a[1]); }\n",
          "'f' calls itself");
  REFUSED(
      "int g(int x);\nint f(int x) { return x > 0 ? g(x - 1) + x : 0; }\nint g(int x) { return f(x) * 2; }\n"
      "kernel void k(global int *a) { a[0] = f(a[1]); }\n",
      "calls itself");
}

Test(diagnostics, an_undefined_function_is_named_with_its_place) {
  REFUSED("int missing(int);\nkernel void k(global int *a) {\n  a[0] = missing(1);\n}\n",
          "test.cl:3:10: error: function 'missing'");
}

Test(diagnostics, what_the_device_lacks_is_refused_not_wrong) {
  REFUSED("kernel void k(global float *a) { a[0] = sub_group_reduce_add(a[0]); }\n", "'sub_group_reduce_add'");
  REFUSED("kernel void k(global long *a) { a[0] = work_group_scan_inclusive_max(a[0]); }\n",
          "'work_group_scan_inclusive_max'");
  REFUSED("kernel void k(volatile global int *a) { atomic_add(a, 1); }\n", "'atomic_add'");
  REFUSED("kernel void k(global double *a) { a[0] = 1; }\n", "double");
}

Test(diagnostics, image_and_other_opaque_arguments_are_refused_by_name) {
  expect_refusal(compile("kernel void draw(read_only image2d_t picture) {}\n", NULL), 1,
                 "kernel 'draw', argument 'picture': image2d_t");
  expect_refusal(compile("kernel void draw(sampler_t how) {}\n", NULL), 1, "kernel 'draw', argument 'how': sampler_t");
}

Test(diagnostics, a_required_sub_group_size_must_be_possible) {
  REFUSED("__attribute__((intel_reqd_sub_group_size(3))) kernel void k(void) {}\n", "intel_reqd_sub_group_size(3)");
  REFUSED("__attribute__((intel_reqd_sub_group_size(64))) kernel void k(void) {}\n", "intel_reqd_sub_group_size(64)");
}

Test(diagnostics, wrong_inline_assembly_is_the_kernels_fault) {
  REFUSED("kernel void k(void) { __asm__ volatile(\"no.such.instruction\"); }\n", "error");
}
