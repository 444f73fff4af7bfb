// SPDX-License-Identifier: Apache-2.0
// Programs that do not build say why in clang's own words; options, logs and queries of those that do; a machine
// without clang hears which package to install.
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/opencl/harness.h"

static cl_program program_of(const char *source) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(harness()->context, 1, &source, NULL, &error);
  EXPECT_SUCCESS(error);
  return program;
}

static const char *log_of(cl_program program) {
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes));
  char *log = allocate(bytes + 1);
  EXPECT_SUCCESS(clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_LOG, bytes, log, NULL));
  return log;
}

static void expect_build_failure(const char *source, const char *options, const char *words[], size_t count) {
  cl_program program = program_of(source);
  EXPECT_CODE(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 1, &harness()->device, options, NULL, NULL));
  const char *log = log_of(program);
  for (size_t i = 0; i < count; i++)
    if (!strstr(log, words[i]))
      fail("build log: expected \"%s\" in it, got:\n%s", words[i], log);
  cl_build_status status = CL_BUILD_SUCCESS;
  EXPECT_SUCCESS(
      clGetProgramBuildInfo(program, harness()->device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
  if (status != CL_BUILD_ERROR)
    fail("CL_PROGRAM_BUILD_STATUS: expected CL_BUILD_ERROR (%d), got %d", CL_BUILD_ERROR, status);
  cl_int error;
  (void)clCreateKernel(program, "k", &error);
  EXPECT_CODE(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

Test(build, undeclared_name_in_clangs_words) {
  const char *words[] = {"error:", "use of undeclared identifier 'nothing'", ":2:"};
  expect_build_failure("kernel void k(global int *out) {\n  out[0] = nothing;\n}\n", "", words, 3);
}

Test(build, syntax_error_in_clangs_words) {
  const char *words[] = {"error: expected ';'"};
  expect_build_failure("kernel void k(global int *out) { out[0] = 1 }\n", NULL, words, 1);
}

Test(build, error_directive_and_define_option) {
  const char *source = "#ifdef STOP\n#error stopped as asked\n#endif\nkernel void k(global int *out) { out[0] = V; }\n";
  const char *words[] = {"stopped as asked"};
  expect_build_failure(source, "-D STOP -DV=3", words, 1);
  build(source, "-DV=3");
}

Test(build, function_that_nobody_defines) {
  const char *words[] = {"absent"};
  expect_build_failure("int absent(int); kernel void k(global int *out) { out[0] = absent(1); }\n", NULL, words, 1);
}

Test(build, wrong_options_are_refused) {
  cl_program program = program_of("kernel void k(global int *out) { out[0] = 1; }\n");
  EXPECT_CODE(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 1, &harness()->device, "-no-such-option", NULL, NULL));
}

Test(build, warnings_are_in_the_log_of_a_program_that_builds) {
  cl_program program = build("#warning look here\nkernel void k(global int *out) { out[0] = 1; }\n", NULL);
  const char *log = log_of(program);
  if (!strstr(log, "look here"))
    fail("build log: expected the warning \"look here\" in it, got \"%s\"", log);
}

Test(build, no_such_kernel) {
  cl_program program = build("kernel void k(global int *out) { out[0] = 1; }\n", NULL);
  cl_int error;
  (void)clCreateKernel(program, "K", &error);
  EXPECT_CODE(CL_INVALID_KERNEL_NAME, error);
}

Test(build, kernels_and_their_arguments_are_listed) {
  cl_program program = build(
      "kernel void first(global const float *restrict in, local int *scratch, constant uint *table, uint4 v) {}\n"
      "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void second(void) {}\n",
      "-cl-kernel-arg-info");
  size_t count = 0;
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
  if (count != 2)
    fail("CL_PROGRAM_NUM_KERNELS: expected 2, got %zu", count);
  char names[100] = "";
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  if (strcmp(names, "first;second") != 0 && strcmp(names, "second;first") != 0)
    fail("CL_PROGRAM_KERNEL_NAMES: expected \"first;second\", got \"%s\"", names);

  cl_kernel kernel = kernel_of(program, "first");
  static const struct {
    cl_kernel_arg_address_qualifier address;
    cl_kernel_arg_type_qualifier type_qualifier;
    const char *type, *name;
  } expected[4] = {
      {CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, "float*", "in"},
      {CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE, "int*", "scratch"},
      {CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST, "uint*", "table"},
      {CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE, "uint4", "v"}};
  for (cl_uint i = 0; i < 4; i++) {
    cl_kernel_arg_address_qualifier address = 0;
    cl_kernel_arg_type_qualifier qualifier = 99;
    char type[64] = "", name[64] = "";
    EXPECT_SUCCESS(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL));
    EXPECT_SUCCESS(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    EXPECT_SUCCESS(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    EXPECT_SUCCESS(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
    if (address != expected[i].address || qualifier != expected[i].type_qualifier ||
        strcmp(type, expected[i].type) != 0 || strcmp(name, expected[i].name) != 0)
      fail("argument %u: expected address space 0x%x, qualifiers %u, \"%s %s\", got 0x%x, %u, \"%s %s\"", i,
           expected[i].address, (unsigned)expected[i].type_qualifier, expected[i].type, expected[i].name, address,
           (unsigned)qualifier, type, name);
  }
  size_t required[3] = {0};
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(kernel_of(program, "second"), harness()->device,
                                          CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL));
  if (required[0] != 4 || required[1] != 2 || required[2] != 1)
    fail("CL_KERNEL_COMPILE_WORK_GROUP_SIZE: expected 4,2,1, got %zu,%zu,%zu", required[0], required[1], required[2]);
}

// OpenCL 3.0, 5.9.4: "only available if ... built with the -cl-kernel-arg-info option"; a binary says what it knows.
Test(build, arguments_are_described_where_the_program_asked_for_it) {
  static const char text[] = "kernel void k(global int *out) {}\n";
  static const char *const without[] = {NULL, "", "-cl-std=CL3.0", "-Dx=-cl-kernel-arg-info"};
  char name[8] = "none";
  for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
    cl_kernel kernel = kernel_of(build(text, without[i]), "k");
    EXPECT_CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
    EXPECT_CODE(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME + 1, sizeof name, name, NULL));
    EXPECT_CODE(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
  }
  if (strcmp(name, "none") != 0)
    fail("what is not available was written");
  EXPECT_SUCCESS(clGetKernelArgInfo(kernel_of(build(text, "-cl-std=CL3.0 -cl-kernel-arg-info"), "k"), 0,
                                    CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
  if (strcmp(name, "out") != 0)
    fail("expected \"out\", got \"%s\"", name);
}

// A built program's binary is a program without a compiler.
Test(build, binary_runs_like_its_source) {
  struct harness *h = harness();
  cl_program from_source =
      build("kernel void k(global int *out) { out[get_global_id(0)] = 3 * (int)get_global_id(0) + 1; }\n", NULL);
  size_t bytes = 0;
  EXPECT_SUCCESS(clGetProgramInfo(from_source, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
  if (bytes == 0)
    fail("CL_PROGRAM_BINARY_SIZES of a built program: expected more than 0");
  unsigned char *binary = allocate(bytes);
  EXPECT_SUCCESS(clGetProgramInfo(from_source, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  const unsigned char *input = binary;
  cl_int error, status;
  cl_program program = clCreateProgramWithBinary(h->context, 1, &h->device, &bytes, &input, &status, &error);
  EXPECT_SUCCESS(error);
  EXPECT_SUCCESS(status);
  EXPECT_SUCCESS(clBuildProgram(program, 1, &h->device, NULL, NULL, NULL));
  cl_kernel kernel = kernel_of(program, "k");
  cl_mem out = buffer_with(NULL, 32);
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 8, 4);
  uint32_t got[8];
  const uint32_t expected[8] = {1, 4, 7, 10, 13, 16, 19, 22};
  read_buffer(out, got, sizeof got);
  expect_u32("out", expected, got, 8);

  static const unsigned char junk[64] = "this is no kernel file";
  input = junk;
  bytes = sizeof junk;
  (void)clCreateProgramWithBinary(h->context, 1, &h->device, &bytes, &input, &status, &error);
  EXPECT_CODE(CL_INVALID_BINARY, error);
}

Test(build, compile_and_link_separately_or_say_that_they_are_missing) {
  struct harness *h = harness();
  cl_program a = program_of("int twice(int); kernel void k(global int *out) { out[0] = twice(21); }\n");
  cl_program b = program_of("int twice(int x) { return 2 * x; }\n");
  cl_bool available = CL_TRUE;
  EXPECT_SUCCESS(clGetDeviceInfo(h->device, CL_DEVICE_LINKER_AVAILABLE, sizeof available, &available, NULL));
  cl_int error;
  if (!available) {  // then the calls say so
    EXPECT_CODE(CL_COMPILER_NOT_AVAILABLE, clCompileProgram(a, 1, &h->device, NULL, 0, NULL, NULL, NULL, NULL));
    (void)clLinkProgram(h->context, 1, &h->device, NULL, 1, &a, NULL, NULL, &error);
    EXPECT_CODE(CL_LINKER_NOT_AVAILABLE, error);
    return;
  }
  EXPECT_SUCCESS(clCompileProgram(a, 1, &h->device, NULL, 0, NULL, NULL, NULL, NULL));
  EXPECT_SUCCESS(clCompileProgram(b, 1, &h->device, NULL, 0, NULL, NULL, NULL, NULL));
  const cl_program parts[2] = {a, b};
  cl_program linked = clLinkProgram(h->context, 1, &h->device, NULL, 2, parts, NULL, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel = kernel_of(linked, "k");
  cl_mem out = buffer_with(NULL, 4);
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  uint32_t got, expected = 42;
  read_buffer(out, &got, 4);
  expect_u32("out", &expected, &got, 1);
}

// As it is of a service: no file may be longer than a page, and whoever writes one is ended.
Test(build, a_limit_on_the_size_of_files_is_an_error_and_no_end) {
  enum { MOST = 4096, LINES = 1000 };
  static char source[64 * LINES];
  size_t used = 0;
  for (int i = 0; i < LINES; i++)
    used += (size_t)snprintf(source + used, sizeof source - used, "// line %d\n", i);
  snprintf(source + used, sizeof source - used, "kernel void k(global int *out) { out[0] = 5; }\n");
  harness();
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){MOST, MOST});
  cl_program program = program_of(source);
  const cl_int error = clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL);
  if (error != CL_BUILD_PROGRAM_FAILURE && error != CL_OUT_OF_HOST_MEMORY)
    fail("expected an error of the build, got %s", error_name(error));
  if (!*log_of(program))
    fail("expected a build log with the reason, got none");
  sigset_t pending;
  if (sigpending(&pending) != 0 || sigismember(&pending, SIGXFSZ))
    fail("a signal of the limit waits for the program");
}

static void collect_all(int number) {
  (void)number;
  const int error = errno;
  while (waitpid(-1, NULL, WNOHANG) > 0) {
  }
  errno = error;
}

// As servers do: they ignore the ends of their children, have the system collect them, or collect any that there is.
Test(build, the_compilers_end_is_known_whoever_collects_children) {
  const struct sigaction ways[] = {{.sa_handler = SIG_IGN},
                                   {.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDWAIT},
                                   {.sa_handler = collect_all, .sa_flags = SA_RESTART}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    sigaction(SIGCHLD, &ways[i], NULL);
    build("kernel void k(global int *out) { out[0] = 5; }\n", NULL);
    const char *words[] = {"undeclared identifier 'nowhere'"};
    expect_build_failure("kernel void k(global int *out) { out[0] = nowhere; }\n", NULL, words, 1);
  }
}

static void hide_the_compiler(void) {
  setenv("PATH", "/nowhere", 1);
}

Test(build, without_clang_the_log_names_the_package, .init = hide_the_compiler) {
  cl_program program = program_of("kernel void k(global int *out) { out[0] = 1; }\n");
  cl_int error = clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL);
  const char *log = log_of(program);
  if (error != CL_COMPILER_NOT_AVAILABLE && error != CL_BUILD_PROGRAM_FAILURE)
    fail("clBuildProgram without clang: expected CL_COMPILER_NOT_AVAILABLE or CL_BUILD_PROGRAM_FAILURE, got %s",
         error_name(error));
  if (!strstr(log, "clang-22"))
    fail("build log without clang: expected the package clang-22 named in it, got \"%s\"", log);
}

static void hide_heddlec(void) {
  setenv("HEDDLEC", "/nowhere/heddlec", 1);
}
Test(build, without_heddlec_the_log_says_what_is_missing, .init = hide_heddlec) {
  cl_program program = program_of("kernel void k(global int *out) { out[0] = 1; }\n");
  cl_int error = clBuildProgram(program, 1, &harness()->device, NULL, NULL, NULL);
  const char *log = log_of(program);
  if (error != CL_COMPILER_NOT_AVAILABLE && error != CL_BUILD_PROGRAM_FAILURE)
    fail("clBuildProgram without heddlec: expected CL_COMPILER_NOT_AVAILABLE or CL_BUILD_PROGRAM_FAILURE, got %s",
         error_name(error));
  if (!strstr(log, "heddlec"))
    fail("build log without heddlec: expected its name in it, got \"%s\"", log);
}
