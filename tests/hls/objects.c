// SPDX-License-Identifier: Apache-2.0
// heddlec -c and --link: what is compiled in pieces, what is kept of how it was compiled, and what does not fit.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/object_file.h"
#include "tests/hls/compiler.h"
#include "tests/hls/kernel_file_reader.h"
#include "tests/temporary.h"

static const char user[] = "int f(int); kernel void k(global int *a) { a[0] = f(a[1]); }\n";
static const char function[] = "int f(int x) { return x + 1; }\n";

static struct heddle_object_file object_of(const struct result *result) {
  struct heddle_object_file object;
  struct heddle_error error;
  cr_assert_eq(heddle_object_file_read(result->bytes, result->size, &object, &error), 0, "%s", error.text);
  return object;
}

static struct result linked(const struct result *objects, size_t count) {
  struct result result = link_all(objects, count, NULL);
  cr_assert_eq(result.code, 0, "heddlec ended with %d: %s", result.code, result.messages);
  return result;
}

Test(objects, an_object_says_what_it_is_and_for_what_device) {
  struct result result = compile_well(user, "-c", "-cl-std=CL1.2", "--isa", "rv32im_zicsr", NULL);
  struct heddle_object_file object = object_of(&result);
  cr_expect_eq(object.kind, HEDDLE_COMPILED_OBJECT);
  cr_expect_eq(object.flags, HEDDLE_OBJECT_UNIFORM);
  cr_expect_str_eq(object.isa, "rv32im_zicsr");
  cr_expect_arr_eq(object.compiler, "heddlec ", 8);
  result_free(&result);
}

Test(objects, an_object_keeps_the_options_that_the_link_needs) {
  static const struct {
    const char *option;
    uint32_t flag;
  } cases[] = {{"-g", HEDDLE_OBJECT_UNIFORM | HEDDLE_OBJECT_DEBUG},
               {"-cl-opt-disable", HEDDLE_OBJECT_UNIFORM | HEDDLE_OBJECT_UNOPTIMIZED},
               {"--double", HEDDLE_OBJECT_UNIFORM | HEDDLE_OBJECT_DOUBLE},
               {"-w", HEDDLE_OBJECT_UNIFORM},  // OpenCL C 1.2
               {"-cl-std=CL1.1", HEDDLE_OBJECT_UNIFORM},
               {"-cl-uniform-work-group-size", HEDDLE_OBJECT_UNIFORM},
               {"-cl-std=CL3.0", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct result result = compile_well(user, "-c", "-cl-std=CL1.2", cases[i].option, NULL);
    cr_expect_eq(object_of(&result).flags, cases[i].flag, "%s", cases[i].option);
    result_free(&result);
  }
}

Test(objects, one_source_is_the_same_kernel_file_in_one_step_and_in_two) {
  struct result whole = compile_well("kernel void k(global float *a) { a[0] = sin(a[1]) / a[2]; }\n", NULL);
  struct result object = compile_well("kernel void k(global float *a) { a[0] = sin(a[1]) / a[2]; }\n", "-c", NULL);
  struct result again = linked(&object, 1);
  cr_expect_eq(again.size, whole.size);
  cr_expect_arr_eq(again.bytes, whole.bytes, whole.size);
}

Test(objects, the_same_source_makes_the_same_object) {
  struct result one = compile_well(user, "-c", "--header", "a.h", "/dev/null", NULL);
  struct result two = compile_well(user, "-c", "--header", "a.h", "/dev/null", NULL);
  cr_expect_eq(one.size, two.size);
  cr_expect_arr_eq(one.bytes, two.bytes, two.size);
}

Test(objects, the_last_step_can_be_looked_at) {
  struct result objects[] = {compile_well(user, "-c", NULL), compile_well(function, "-c", NULL)};
  struct result assembly = link_all(objects, 2, "--emit=asm", NULL);
  cr_assert_eq(assembly.code, 0, "%s", assembly.messages);
  cr_expect(strstr((char *)assembly.bytes, "csrr"));
}

Test(objects, what_is_missing_or_there_twice_is_named_with_its_place) {
  struct result objects[] = {compile_well(user, "-c", NULL), compile_well(function, "-c", NULL),
                             compile_well(function, "-c", NULL)};
  expect_refusal(link_all(objects, 1, NULL), 1, "test.cl:1:51: error: function 'f' is not defined");
  expect_refusal(link_all(objects, 3, NULL), 1, "function 'f' is defined in 2.o and again in 3.o");
}

Test(objects, declarations_may_say_less_than_definitions_but_nothing_else) {
  static const struct {
    const char *declaration, *use, *definition;
    bool fits;
  } cases[] = {
      {"extern constant int x[];", "a[0] = x[a[1]]", "constant int x[3] = {1, 2, 3};", true},
      {"extern constant int x[3];", "a[0] = x[a[1]]", "constant int x[3] = {1, 2, 3};", true},
      {"extern constant int x[4];", "a[0] = x[a[1]]", "constant int x[3] = {1, 2, 3};", false},
      {"extern constant float x[];", "a[0] = (int)x[a[1]]", "constant int x[3] = {1, 2, 3};", false},
      {"extern constant struct s { int m; } x[];", "a[0] = x[a[1]].m", "constant struct s { int m; } x[1] = {{1}};",
       true},
      // A variable that has a value has its padding written out, and is of a union's first member.
      {"extern constant struct s { char c; int m; } x;", "a[0] = x.m",
       "constant struct s { char c; int m; } x = {1, 2};", true},
      {"extern constant struct s { char c; int m; } x;", "a[0] = x.m", "constant struct s { char c; int m; } x = {0};",
       true},
      {"extern constant struct s { char c; long m; } x;", "a[0] = x.m", "constant struct s { char c; int m; } x = {1};",
       false},
      {"extern constant struct s { char c; int m; } x[];", "a[0] = x[a[1]].m",
       "constant struct s { char c; int m; } x[2] = {{1, 2}, {3, 4}};", true},
      {"extern constant struct s { struct { char c; int m; } t[2]; } x;", "a[0] = x.t[a[1]].m",
       "constant struct s { struct { char c; int m; } t[2]; } x = {{{1, 2}, {3, 4}}};", true},
      {"extern constant union u { char c[8]; int m; } x;", "a[0] = x.m",
       "constant union u { char c[8]; int m; } x = {{1}};", true},
      {"extern constant union u { int m; char c[12]; } x;", "a[0] = x.m",
       "constant union u { int m; char c[8]; } x = {1};", false},
      {"struct s { int m[9]; }; void x(struct s);", "struct s v; v.m[2] = a[0]; x(v)",
       "struct s { int m[9]; }; void x(struct s v) { }", true},
      {"int x(int);", "a[0] = x(1)", "int x(int v) { return v; }", true},
      {"int x(int);", "a[0] = x(1)", "long x(int v) { return v; }", false},
      {"int x(global int *);", "a[0] = x(a)", "int x(local int *v) { return *v; }", false},
      {"int2 x(int2);", "a[0] = x((int2)(1, 2)).x", "int2 x(int2 v) { return v; }", true},
      {"int2 x(int2);", "a[0] = x((int2)(1, 2)).x", "int4 x(int4 v) { return v; }", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s\nkernel void k(global int *a) { %s; }\n", cases[i].declaration, cases[i].use);
    struct result objects[] = {compile_well(text, "-c", NULL), compile_well(cases[i].definition, "-c", NULL)};
    if (cases[i].fits) {
      struct result whole = linked(objects, 2);
      result_free(&whole);
    } else {
      expect_refusal(link_all(objects, 2, NULL), 1, "'x' is declared in 1.o with another type");
    }
  }
}

Test(objects, a_library_of_libraries_is_a_library) {
  struct result objects[] = {compile_well(function, "-c", "-cl-std=CL1.2", NULL),
                             compile_well("int g(int x) { return x * 5; }\n", "-c", "-cl-std=CL1.2", "-g", NULL)};
  struct result inner = link_all(objects, 2, "-create-library", NULL);
  cr_assert_eq(inner.code, 0, "%s", inner.messages);
  cr_expect_eq(object_of(&inner).kind, HEDDLE_LIBRARY);
  cr_expect_eq(object_of(&inner).flags, HEDDLE_OBJECT_UNIFORM | HEDDLE_OBJECT_DEBUG);
  struct result outer = link_all(&inner, 1, "-create-library", "-enable-link-options", NULL);
  cr_assert_eq(outer.code, 0, "%s", outer.messages);
  cr_expect_eq(object_of(&outer).flags, HEDDLE_OBJECT_UNIFORM | HEDDLE_OBJECT_DEBUG | HEDDLE_OBJECT_TAKES_LINK_OPTIONS);
  struct result both[] = {compile_well(user, "-c", NULL), outer};
  linked(both, 2);
}

Test(objects, double_is_linked_where_an_object_may_use_it) {
  struct result object =
      compile_well("kernel void k(global double *a) { a[0] = sin(a[1]); }\n", "-c", "--double", "-cl-std=CL3.0", NULL);
  linked(&object, 1);
}

Test(objects, wrong_command_lines_are_explained) {
  struct result object = compile_well(function, "-c", NULL);
  expect_refusal(link_all(&object, 1, "-D", "X", NULL), 2, "-D");
  expect_refusal(link_all(&object, 1, "-enable-link-options", NULL), 2, "-create-library");
  expect_refusal(link_all(&object, 1, "-create-library", "--emit=asm", NULL), 2, "--emit");
  expect_refusal(compile(function, "-c", "--emit=asm", NULL), 2, "--emit");
  expect_refusal(compile(function, "-create-library", NULL), 2, "-create-library");
  expect_refusal(compile(function, "-c", "--header", "a.h", NULL), 2, "--header");
  expect_refusal(compile(function, "-c", "--header", "a.h", "/nonexistent/a.h", NULL), 2, "/nonexistent/a.h");
  expect_refusal(compile(function, "second.cl", NULL), 2, "second.cl");
}

Test(objects, what_is_no_object_is_not_linked) {
  struct result source = {.bytes = (unsigned char *)function, .size = sizeof function};
  expect_refusal(link_all(&source, 1, NULL), 1, "1.o: not an object file");
  struct result object = compile_well(user, "-c", NULL);
  object.bytes[object.size / 2] ^= 4;
  expect_refusal(link_all(&object, 1, NULL), 1, "changed");
}

Test(objects, what_another_version_or_device_made_is_not_linked) {
  struct result result = compile_well(function, "-c", "--isa", "rv32ima_zicsr", NULL);
  expect_refusal(link_all(&result, 1, "--isa", "rv32im_zicsr", NULL), 1, "compiled for rv32ima_zicsr");
  struct heddle_object_file object = object_of(&result);
  strcpy(object.compiler, "heddlec 0.0, LLVM 1.2.3");
  heddle_object_file_header(&object, result.bytes);
  expect_refusal(link_all(&result, 1, NULL), 1, "heddlec 0.0, LLVM 1.2.3");
}

Test(objects, what_no_device_can_have_is_refused_when_it_is_compiled) {
  expect_refusal(compile("__attribute__((intel_reqd_sub_group_size(3))) kernel void k(void) {}\n", "-c", NULL), 1,
                 "powers of two");
}

Test(objects, embedded_headers_are_for_builds_too) {
  char path[TEMPORARY_BYTES];
  int file = mkstemp(temporary_name(path));
  cr_assert_eq(write(file, "#define A 3\n", 12), 12);
  struct result result = compile_well("#include <deep/a.h>\nkernel void k(global int *a) { a[0] = A; }\n", "--header",
                                      "deep/a.h", path, NULL);
  cr_expect(result.size > 0);
  close(file);
  unlink(path);
}
