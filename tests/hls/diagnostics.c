// SPDX-License-Identifier: Apache-2.0
// What is wrong with a kernel is said in words that its author can act on.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/hls/compiler.h"

#define REFUSED(source, words) expect_refusal(compile(source, "-cl-std=CL3.0", NULL), 1, words)

Test(diagnostics, a_syntax_error_has_the_users_file_name_and_line) {
  REFUSED("kernel void k(global int *a) {\n  a[0] = b;\n}\n", "test.cl:2:10: error: use of undeclared identifier 'b'");
}

Test(diagnostics, warnings_are_shown_and_fail_nothing) {
  struct result result = compile_well("#warning mind this\nkernel void k(global int *a) { a[0] = 0; }\n", NULL);
  cr_expect(strstr(result.messages, "test.cl:1:2: warning: mind this"), "%s", result.messages);
  result_free(&result);
  expect_refusal(compile("#warning mind this\n", "-Werror", NULL), 1, "mind this");
}

// Programs that other compilers of OpenCL C take with a warning.
Test(diagnostics, a_pointer_that_needs_a_cast_is_warned_of_but_refused_where_an_atomic_takes_it) {
  static const char *const warned[] = {
      "global float2 *b = a; b[0] = 1;",
      "int e; float x; x = fract(a[0], &x) + modf(a[1], &e); a[2] = x;",
      "global int *b; b = a; b[0] = 1;",
  };
  for (size_t i = 0; i < sizeof warned / sizeof *warned; i++) {
    char source[200];
    snprintf(source, sizeof source, "kernel void k(global float *a) {\n  %s\n}\n", warned[i]);
    struct result result = compile_well(source, NULL);
    cr_expect(strstr(result.messages, "test.cl:2:") && strstr(result.messages, "warning: incompatible pointer types"),
              "%s: no warning: %s", warned[i], result.messages);
    result_free(&result);
    expect_refusal(compile(source, "-Werror", NULL), 1, "error: incompatible pointer types");
    result = compile_well(source, "-w", NULL);
    cr_expect_str_eq(result.messages, "");
    result_free(&result);
  }
  static const char *const refused[] = {
      "atomic_or((global long *)a, 1);",
      "global int *b = a; atomic_or((global short *)a, 1);",
      "atomic_inc((global ulong *)a);",
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    char source[200];
    snprintf(source, sizeof source, "kernel void k(global float *a) {\n  %s\n}\n", refused[i]);
    expect_refusal(compile(source, NULL), 1, "atomic_");
    expect_refusal(compile(source, "-w", NULL), 1, "atomic_");
  }
  REFUSED("kernel void k(global long *a) {\n  atomic_fetch_add(a, 1);\n}\n", "test.cl:2:");
  REFUSED("kernel void k(global long *a) {\n  global int *b = a;\n  b[0] = nothing;\n}\n", "test.cl:3:10: error:");
}

Test(diagnostics, recursion_is_refused) {
  REFUSED("int f(int x) { return x > 0 ? f(x - 1) + x : 0; }\nkernel void k(global int *a) { a[0] = f(a[1]); }\n",
          "test.cl:1: error: function 'f' calls itself");
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
  REFUSED("kernel void k(global float2 *a) { a[0] = sub_group_reduce_add(a[0]); }\n", "'sub_group_reduce_add'");
  REFUSED("kernel void k(global long2 *a) { a[0] = work_group_scan_inclusive_max(a[0]); }\n",
          "'work_group_scan_inclusive_max'");
}

Test(diagnostics, double_is_refused_with_the_switch_that_offers_it) {
  static const char source[] = "kernel void k(global double *a) {\n  a[0] = 1;\n}\n";
  REFUSED(source, "test.cl:1:22: error: use of type 'double' requires cl_khr_fp64");
  REFUSED(source, "--double for heddlec");
  REFUSED("kernel void k(global float *a) { a[0] = convert_double(a[0]); }\n", "--double for heddlec");
  struct result result = compile_well(source, "--double", NULL);
  result_free(&result);
  // What is wrong for other reasons is not explained so.
  result = compile("kernel void k(global float *a) { a[0] = nothing; } // double the trouble\n", NULL);
  cr_expect(!strstr(result.messages, "--double"), "a wrong explanation: %s", result.messages);
  result_free(&result);
}

// Of a kernel without double the code is the same, whether double is offered or not.
Test(diagnostics, offering_double_changes_nothing_for_a_kernel_without) {
  static const char source[] =
      "kernel void k(global float *a, global long *b) { size_t i = get_global_id(0);\n"
      "  a[i] = exp(a[i]) + work_group_reduce_add(a[i]); b[i] = convert_long_sat(a[i]) + sub_group_reduce_min(b[i]); "
      "}\n";
  struct result without = compile_well(source, "-cl-std=CL3.0", NULL);
  struct result with = compile_well(source, "-cl-std=CL3.0", "--double", NULL);
  cr_expect(without.size == with.size && memcmp(without.bytes, with.bytes, with.size) == 0);
  result_free(&without);
  result_free(&with);
}

Test(diagnostics, without_atomic_instructions_atomics_are_refused_by_name) {
#define REFUSED_ATOMIC(source, version, words) \
  expect_refusal(compile(source, "--isa", "rv32im_zicsr_zfinx", version, NULL), 1, words)
  REFUSED_ATOMIC("kernel void k(volatile global int *a) {\n  atomic_add(a, 1);\n}\n", "-cl-std=CL1.2",
                 "test.cl:2:3: error: function 'atomic_add' needs atomic instructions (A), which this device "
                 "(rv32im_zicsr_zfinx) does not have");
  REFUSED_ATOMIC(
      "int f(volatile local int *a) { return atomic_cmpxchg(a, 1, 2); }\n"
      "kernel void k(local int *a) { a[1] = f(a); }\n",
      "-cl-std=CL1.2", "'atomic_cmpxchg'");
  REFUSED_ATOMIC("kernel void k(global atomic_int *a) { atomic_fetch_add(a, 1); }\n", "-cl-std=CL3.0",
                 "no atomic instructions (A)");
  REFUSED_ATOMIC(
      "int f(global atomic_int *a) { return __opencl_atomic_load(a, memory_order_relaxed, "
      "memory_scope_work_group); }\nkernel void k(global atomic_int *a) { f(a); }\n",
      "-cl-std=CL3.0", "'f' needs atomic instructions (A)");
}

Test(diagnostics, atomics_that_are_not_offered_are_refused) {
  expect_refusal(compile("kernel void k(global atomic_float *a) { atomic_fetch_add(a, 1.0f); }\n", "-cl-std=CL3.0",
                         "--isa", "rv32ima_zicsr", NULL),
                 1, "atomic_fetch_add");
  expect_refusal(
      compile("kernel void k(volatile global long *a) { atom_add(a, 1); }\n", "--isa", "rv32ima_zicsr", NULL), 1,
      "atom_add");
}

Test(diagnostics, wrong_calls_of_printf_are_warned_of_or_refused) {
  static const char *const warned[][2] = {
      {"printf(\"%d\\n\", 1.0f)", "format specifies type 'int' but the argument has type 'float'"},
      {"printf(\"%d %d\\n\", 1)", "more '%' conversions than data arguments"},
      {"printf(\"%d\\n\", 1, 2)", "data argument not used by format string"},
      {"printf(\"%n\\n\", &x)", "invalid conversion specifier 'n'"},
      {"printf(\"%v4hld\\n\", x)", "format specifies type"},
  };
  for (size_t i = 0; i < sizeof warned / sizeof *warned; i++) {
    char source[200];
    snprintf(source, sizeof source, "kernel void k(void) { int x = 0;\n  %s; }\n", warned[i][0]);
    struct result result = compile_well(source, NULL);
    cr_expect(strstr(result.messages, "test.cl:2:") && strstr(result.messages, warned[i][1]),
              "%s: expected a warning \"%s\", got: %s", warned[i][0], warned[i][1], result.messages);
    result_free(&result);
  }
  REFUSED("kernel void k(global char *how) {\n  printf(how, 1);\n}\n", "test.cl:2:10: error: passing");
  REFUSED("struct s { int a; };\nkernel void k(void) { struct s s = {1};\n  printf(\"%d\", 1, s);\n}\n",
          "test.cl:3:3: error: printf: argument 3 has a type that no conversion prints");
}

Test(diagnostics, images_that_the_device_does_not_have_are_refused_by_name) {
  REFUSED(
      "#pragma OPENCL EXTENSION cl_khr_gl_msaa_sharing : enable\n"
      "kernel void draw(read_only image2d_msaa_t picture) {}\n",
      "image2d_msaa_t");
}

// Which powers of two a device has is the host's to say.
Test(diagnostics, a_required_sub_group_size_must_be_a_power_of_two) {
  REFUSED("__attribute__((intel_reqd_sub_group_size(3))) kernel void k(void) {}\n", "intel_reqd_sub_group_size(3)");
  REFUSED("__attribute__((intel_reqd_sub_group_size(48))) kernel void k(void) {}\n", "intel_reqd_sub_group_size(48)");
  struct result large =
      compile_well("__attribute__((intel_reqd_sub_group_size(64))) kernel void k(void) {}\n", "-cl-std=CL3.0", NULL);
  result_free(&large);
}

Test(diagnostics, wrong_inline_assembly_is_the_kernels_fault) {
  REFUSED("kernel void k(void) { __asm__ volatile(\"no.such.instruction\"); }\n", "error");
}

// Processor time of compiling a kernel of 1,000 variables, with `end` behind every statement and `last` at its end.
static double seconds_to_compile(const char *end, const char *last) {
  enum { VARIABLES = 1000, TEXT = 65536 };
  static char source[TEXT];
  size_t used = (size_t)snprintf(source, TEXT, "kernel void k(global int *o) { int x = o[0];");
  for (int i = 0; i < VARIABLES; i++)
    used += (size_t)snprintf(source + used, TEXT - used, " int v%d = o[%d] * x;%s", i, i, end);
  for (int i = 0; i < VARIABLES; i++)
    used += (size_t)snprintf(source + used, TEXT - used, " o[%d] = v%d;%s", VARIABLES - i, i, end);
  snprintf(source + used, TEXT - used, " }%s", last);
  struct rusage before, after;
  getrusage(RUSAGE_CHILDREN, &before);
  struct result result = compile_well(source, "-c", NULL);
  getrusage(RUSAGE_CHILDREN, &after);
  result_free(&result);
  return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
         1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
}

// Programs put their source together of strings, often with no end of line in it.
Test(diagnostics, a_source_in_one_line_takes_no_longer_to_compile) {
  const double in_lines = seconds_to_compile("\n", "\n"), in_one = seconds_to_compile("", "");
  cr_expect_lt(in_one, 3 * in_lines + 0.1, "%.2f s in one line, %.2f s in a line for each statement", in_one, in_lines);
}
