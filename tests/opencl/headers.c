// SPDX-License-Identifier: Apache-2.0
// Embedded headers (OpenCL API 3.0, clCompileProgram): programs that #include finds by a name.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"
#include "tests/temporary.h"

enum { HEADERS_MAX = 8 };

// Name, source, name, source, ..., NULL.
static cl_int compile_with(cl_program program, const char *options, const char *const *list) {
  const char *names[HEADERS_MAX];
  cl_program headers[HEADERS_MAX];
  cl_uint count = 0;
  for (; list[2 * count]; count++) {
    names[count] = list[2 * count];
    headers[count] = source_of(list[2 * count + 1]);
  }
  return clCompileProgram(program, 1, &harness()->device, options, count, headers, names, NULL, NULL);
}

static void expect_value(uint32_t expected, const char *source, const char *options, const char *const *list) {
  cl_program program = source_of(source);
  const cl_int error = compile_with(program, options, list);
  if (error != CL_SUCCESS)
    fail("clCompileProgram: expected CL_SUCCESS, got %s:\n%s", error_name(error), log_of(program));
  expect_word(expected, link_well(&program, 1, NULL), "k");
}

#define HEADERS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define KERNEL "\nkernel void k(global int *out) { out[0] = A; }\n"

Test(headers, both_forms_of_include_find_them) {
  expect_value(3, "#include <a.h>" KERNEL, NULL, HEADERS("a.h", "#define A 3\n"));
  expect_value(4, "#include \"a.h\"" KERNEL, NULL, HEADERS("a.h", "#define A 4\n"));
}

Test(headers, names_may_have_folders_and_blanks) {
  expect_value(5, "#include <my dir/in c.h>" KERNEL, NULL, HEADERS("my dir/in c.h", "#define A 5\n"));
  expect_value(6, "#include \"../up.h\"" KERNEL, NULL, HEADERS("../up.h", "#define A 6\n"));
  expect_value(7, "#include \"/etc/passwd\"" KERNEL, NULL, HEADERS("/etc/passwd", "#define A 7\n"));
  expect_value(8, "#include <\303\244.h>" KERNEL, NULL, HEADERS("\303\244.h", "#define A 8\n"));
}

Test(headers, they_include_each_other) {
  expect_value(9, "#include <one.h>" KERNEL, NULL,
               HEADERS("one.h", "#include \"sub/two.h\"\n#define A (B + 1)\n", "sub/two.h",
                       "#pragma once\n#include \"three.h\"\n#include \"three.h\"\n", "sub/three.h",
                       "#ifndef B\n#define B 8\n#else\n#error again\n#endif\n#pragma once\n"));
}

Test(headers, the_first_of_one_name_counts) {
  expect_value(10, "#include <a.h>" KERNEL, NULL, HEADERS("a.h", "#define A 10\n", "a.h", "#define A 11\n"));
}

Test(headers, they_come_before_folders_of_the_disk) {
  char folder[TEMPORARY_BYTES], path[TEMPORARY_BYTES + 16], options[TEMPORARY_BYTES + 16];
  cr_assert_not_null(mkdtemp(temporary_name(folder)));
  snprintf(path, sizeof path, "%s/a.h", folder);
  snprintf(options, sizeof options, "-I %s", folder);
  FILE *file = fopen(path, "w");
  fputs("#define A 12\n", file);
  fclose(file);
  expect_value(13, "#include <a.h>" KERNEL, options, HEADERS("a.h", "#define A 13\n"));
  expect_value(12, "#include <a.h>" KERNEL, options, HEADERS("b.h", "#define A 13\n"));
  unlink(path);
  rmdir(folder);
}

Test(headers, one_that_is_not_there_is_named) {
  cl_program program = source_of("#include <absent.h>" KERNEL);
  EXPECT_CODE(CL_COMPILE_PROGRAM_FAILURE, compile_with(program, NULL, HEADERS("a.h", "#define A 1\n")));
  if (!strstr(log_of(program), "absent.h"))
    fail("log: expected \"absent.h\" in it, got:\n%s", log_of(program));
}

Test(headers, messages_call_them_by_their_names) {
  cl_program program = source_of("#include <sub/wrong.h>\n");
  EXPECT_CODE(CL_COMPILE_PROGRAM_FAILURE, compile_with(program, NULL, HEADERS("sub/wrong.h", "\nint f( {}\n")));
  const char *log = log_of(program);
  if (!strstr(log, "sub/wrong.h:2:") || strstr(log, "/tmp") || strstr(log, "/heddle-"))
    fail("log: expected \"sub/wrong.h:2:\" and no path of this machine in it, got:\n%s", log);
}

Test(headers, names_that_no_include_can_have_do_no_harm) {
  expect_value(1, "#define A 1" KERNEL, NULL,
               HEADERS("", "#error 1\n", "\"quoted\\", "#error 2\n", "two\nlines", "#error 3\n", "dir/", "#error 4\n",
                       "..", "#error 5\n"));
  cl_program program = source_of("#define A 1" KERNEL);
  const cl_int error =
      compile_with(program, NULL, HEADERS("a", "#error 1\n", "a/b", "#error 2\n", "\377\376", "#error 3\n"));
  if (error != CL_SUCCESS && error != CL_COMPILE_PROGRAM_FAILURE)
    fail("clCompileProgram with odd names: expected CL_SUCCESS or CL_COMPILE_PROGRAM_FAILURE, got %s",
         error_name(error));
}

Test(headers, a_program_without_source_is_none) {
  cl_program part = compiled("int f(void) { return 1; }\n", NULL), linked = link_well(&part, 1, "-create-library");
  const char *name = "a.h";
  EXPECT_CODE(CL_INVALID_PROGRAM, clCompileProgram(part, 1, &harness()->device, NULL, 1, &linked, &name, NULL, NULL));
}
