// SPDX-License-Identifier: Apache-2.0
// Separate compilation and linking (OpenCL API 3.0, section 5.8.5): what is compiled in pieces runs as if it were one
// program.
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/opencl/harness.h"
#include "tests/opencl/pieces.h"

Test(linking, there_is_a_linker_where_there_is_a_compiler) {
  cl_bool compiler = CL_FALSE, linker = CL_FALSE;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_COMPILER_AVAILABLE, sizeof compiler, &compiler, NULL));
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_LINKER_AVAILABLE, sizeof linker, &linker, NULL));
  if (!compiler || !linker)
    fail("compiler and linker: expected both, got %u and %u", compiler, linker);
}

Test(linking, a_function_of_another_program_is_called) {
  const cl_program parts[] = {
      compiled("int twice(int); kernel void k(global int *out) { out[0] = twice(21); }\n", NULL),
      compiled("int twice(int x) { return 2 * x; }\n", NULL)};
  expect_word(42, link_well(parts, 2, NULL), "k");
}

Test(linking, variables_of_another_program_are_read_and_written) {
  const cl_program parts[] = {
      compiled("extern constant int table[3]; extern global int counter; int next(void);\n"
               "kernel void k(global int *out) { counter = table[1]; out[0] = next() + next(); }\n",
               "-cl-std=CL3.0"),
      compiled("constant int table[3] = {10, 20, 30}; global int counter = 5; int next(void) { return ++counter; }\n",
               "-cl-std=CL3.0")};
  expect_word(21 + 22, link_well(parts, 2, NULL), "k");
}

Test(linking, what_is_static_in_two_programs_stays_two) {
  const cl_program parts[] = {
      compiled("static int own(void) { return 1; } int other(void);\n"
               "kernel void k(global int *out) { local int a[1]; a[0] = own(); out[0] = 10 * other() + a[0]; }\n",
               NULL),
      compiled("static int own(void) { return 2; } int other(void) { return own(); }\n", NULL)};
  expect_word(21, link_well(parts, 2, NULL), "k");
}

Test(linking, kernels_of_all_programs_are_there_with_their_arguments) {
  const cl_program parts[] = {
      compiled("kernel void first(global const float *in, local int *scratch) {}\n", "-cl-kernel-arg-info"),
      compiled("kernel __attribute__((reqd_work_group_size(4, 2, 1))) void second(uint4 v) {}\n",
               "-cl-kernel-arg-info")};
  cl_program program = link_well(parts, 2, NULL);
  char names[64] = "", type[32] = "", name[32] = "";
  size_t count = 0, sizes[3] = {0};
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
  EXPECT_SUCCESS(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
  if (count != 2 || !strstr(names, "first") || !strstr(names, "second"))
    fail("kernels: expected first and second, got %zu: \"%s\"", count, names);
  cl_kernel first = kernel_of(program, "first"), second = kernel_of(program, "second");
  EXPECT_SUCCESS(clGetKernelArgInfo(first, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
  EXPECT_SUCCESS(clGetKernelArgInfo(first, 1, CL_KERNEL_ARG_NAME, sizeof name, name, NULL));
  if (strcmp(type, "float*") != 0 || strcmp(name, "scratch") != 0)
    fail("arguments of first: expected \"float*\" and \"scratch\", got \"%s\" and \"%s\"", type, name);
  EXPECT_SUCCESS(clGetKernelWorkGroupInfo(second, harness()->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes,
                                          sizes, NULL));
  if (sizes[0] != 4 || sizes[1] != 2 || sizes[2] != 1)
    fail("work-group size of second: expected 4,2,1, got %zu,%zu,%zu", sizes[0], sizes[1], sizes[2]);
}

Test(linking, collectives_and_built_in_functions_work_across_programs) {
  const cl_program parts[] = {
      compiled("float total(float); kernel void k(global int *out) {\n"
               "  local int seen[64]; seen[get_local_id(0)] = (int)get_local_id(0); barrier(CLK_LOCAL_MEM_FENCE);\n"
               "  out[get_global_id(0)] = (int)total(sqrt((float)(seen[63 - get_local_id(0)] * seen[63 - "
               "get_local_id(0)])));\n}\n",
               "-cl-std=CL3.0"),
      compiled("float total(float x) { return work_group_reduce_add(sqrt(x * x)); }\n", "-cl-std=CL3.0")};
  cl_kernel kernel = kernel_of(link_well(parts, 2, NULL), "k");
  cl_mem out = buffer_with(NULL, 64 * 4);
  uint32_t got[64], expected[64];
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 64, 64);
  read_buffer(out, got, sizeof got);
  for (size_t i = 0; i < 64; i++)
    expected[i] = 63 * 64 / 2;
  expect_u32("total", expected, got, 64);
}

// Both print, and each has layouts of its own.
Test(linking, programs_that_print_do_so_together) {
  const cl_program parts[] = {
      compiled("void say(float); kernel void k(global int *out) { printf(\"%d \", 7); say(0.5f); out[0] = 1; }\n",
               "-cl-std=CL3.0"),
      compiled("void say(float x) { printf(\"%s %.2f\\n\", \"half\", x); }\n", "-cl-std=CL3.0")};
  cl_program program = link_well(parts, 2, NULL);
  char text[64] = "";
  FILE *capture = tmpfile();
  fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  cr_assert(capture && before >= 0);
  dup2(fileno(capture), STDOUT_FILENO);
  expect_word(1, program, "k");
  dup2(before, STDOUT_FILENO);
  cr_assert_geq(pread(fileno(capture), text, sizeof text - 1, 0), 0);
  if (strcmp(text, "7 half 0.50\n") != 0)
    fail("printed: expected \"7 half 0.50\", got \"%s\"", text);
}

Test(linking, pipes_are_passed_between_programs) {
  if (!has_feature("__opencl_c_pipes"))
    cr_skip_test("the device has no pipes");
  const cl_program parts[] = {
      compiled("void put(write_only pipe int, int); kernel void producer(write_only pipe int p) { put(p, 77); }\n"
               "int take(read_only pipe int); kernel void consumer(read_only pipe int p, global int *out) { out[0] = "
               "take(p); }\n",
               "-cl-std=CL3.0"),
      compiled("void put(write_only pipe int p, int x) { write_pipe(p, &x); }\n"
               "int take(read_only pipe int p) { int x = -1; read_pipe(p, &x); return x; }\n",
               "-cl-std=CL3.0")};
  cl_program program = link_well(parts, 2, NULL);
  cl_int error;
  cl_mem pipe = clCreatePipe(harness()->context, 0, 4, 8, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem out = buffer_with(NULL, 4);
  cl_kernel producer = kernel_of(program, "producer"), consumer = kernel_of(program, "consumer");
  set_args(producer, ARG(pipe), END_ARGS);
  set_args(consumer, ARG(pipe), ARG(out), END_ARGS);
  run_1d(producer, 1, 1);
  run_1d(consumer, 1, 1);
  uint32_t got, expected = 77;
  read_buffer(out, &got, 4);
  expect_u32("packet", &expected, &got, 1);
}

Test(linking, blocks_of_all_programs_are_enqueued) {
  if (!has_feature("__opencl_c_device_enqueue"))
    cr_skip_test("the device has no device queue");
  const cl_program parts[] = {
      compiled("void more(queue_t, global int *); kernel void k(global int *out, queue_t queue) {\n"
               "  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[0] = 3; });\n"
               "  more(queue, out);\n}\n",
               "-cl-std=CL3.0"),
      compiled("void more(queue_t queue, global int *out) {\n"
               "  enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[1] = 4; });\n}\n",
               "-cl-std=CL3.0")};
  cl_program program = link_well(parts, 2, NULL);
  cl_command_queue queue = new_queue(CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem out = buffer_with(NULL, 8);
  cl_kernel kernel = kernel_of(program, "k");
  set_args(kernel, ARG(out), ARG(queue), END_ARGS);
  run_1d(kernel, 1, 1);
  uint32_t got[2];
  const uint32_t expected[2] = {3, 4};
  read_buffer(out, got, 8);
  expect_u32("out", expected, got, 2);
}

static void CL_CALLBACK note_program(cl_program program, void *user) {
  *(cl_program *)user = program;
}

Test(linking, callbacks_are_called_with_the_program) {
  cl_program part = source_of("kernel void k(global int *out) { out[0] = 6; }\n"), told = NULL;
  EXPECT_SUCCESS(clCompileProgram(part, 0, NULL, NULL, 0, NULL, NULL, note_program, &told));
  if (told != part)
    fail("callback of clCompileProgram: expected the program %p, got %p", (void *)part, (void *)told);
  cl_int error;
  cl_program linked = clLinkProgram(harness()->context, 0, NULL, NULL, 1, &part, note_program, &told, &error);
  EXPECT_SUCCESS(error);
  if (!linked || told != linked)
    fail("callback of clLinkProgram: expected the program %p, got %p", (void *)linked, (void *)told);
  expect_word(6, linked, "k");
}

Test(linking, every_kind_of_binary_says_its_type) {
  cl_program part = source_of("kernel void k(global int *out) { out[0] = 6; }\n");
  expect_type(CL_PROGRAM_BINARY_TYPE_NONE, part);
  EXPECT_SUCCESS(clCompileProgram(part, 1, &harness()->device, NULL, 0, NULL, NULL, NULL, NULL));
  expect_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, part);
  expect_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, link_well(&part, 1, NULL));
  expect_type(CL_PROGRAM_BINARY_TYPE_LIBRARY, link_well(&part, 1, "-create-library"));
  EXPECT_SUCCESS(clBuildProgram(part, 1, &harness()->device, NULL, NULL, NULL));
  expect_type(CL_PROGRAM_BINARY_TYPE_EXECUTABLE, part);
  EXPECT_SUCCESS(clCompileProgram(part, 1, &harness()->device, NULL, 0, NULL, NULL, NULL, NULL));
  expect_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, part);
  cl_int error;
  (void)clCreateKernel(part, "k", &error);
  EXPECT_CODE(CL_INVALID_PROGRAM_EXECUTABLE, error);
}

Test(linking, build_options_and_status_are_those_of_the_last_step) {
  cl_program part = source_of("kernel void k(global int *out) { out[0] = V; }\n");
  EXPECT_CODE(CL_COMPILE_PROGRAM_FAILURE,
              clCompileProgram(part, 1, &harness()->device, "-cl-mad-enable", 0, NULL, NULL, NULL, NULL));
  expect_build(CL_BUILD_ERROR, "-cl-mad-enable", part);
  EXPECT_SUCCESS(clCompileProgram(part, 1, &harness()->device, "-D V=9", 0, NULL, NULL, NULL, NULL));
  expect_build(CL_BUILD_SUCCESS, "-D V=9", part);
  expect_build(CL_BUILD_SUCCESS, "-cl-finite-math-only", link_well(&part, 1, "-cl-finite-math-only"));
}

Test(linking, objects_and_libraries_are_saved_and_loaded) {
  const cl_program parts[] = {compiled("int inner(int x) { return x * 3; }\n", NULL),
                              compiled("int inner(int); int outer(int x) { return inner(x) + 1; }\n", NULL)};
  cl_program library = loaded(saved(link_well(parts, 2, "-create-library")));
  expect_type(CL_PROGRAM_BINARY_TYPE_LIBRARY, library);
  cl_program object =
      loaded(saved(compiled("int outer(int); kernel void k(global int *out) { out[0] = outer(5); }\n", NULL)));
  expect_type(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, object);
  const cl_program all[] = {object, library};
  cl_program program = link_well(all, 2, NULL);
  expect_word(16, program, "k");
  cl_program again = loaded(saved(program));
  EXPECT_SUCCESS(clBuildProgram(again, 1, &harness()->device, NULL, NULL, NULL));
  expect_word(16, again, "k");
}

Test(linking, a_library_may_lack_what_the_executable_brings) {
  const cl_program part = compiled("int given(int); int user(int x) { return given(x) + 1; }\n", NULL);
  const cl_program parts[] = {
      link_well(&part, 1, "-create-library -enable-link-options"),
      compiled(
          "int user(int); int given(int x) { return 7 * x; } kernel void k(global int *out) { out[0] = user(6); }\n",
          NULL)};
  expect_word(43, link_well(parts, 2, "-cl-fast-relaxed-math"), "k");
}

// 0.0f - 0.0f * x is taken for a constant only where signed zeros, infinities and NaNs may be forgotten.
static const char forgetful[] = "int f(float x) { return as_int(x - x); }\n";
static const char asks[] = "int f(float); kernel void k(global int *out) { out[0] = f(as_float(out[1])); }\n";

static uint32_t of_infinity(cl_program program) {
  const uint32_t input[2] = {0, 0x7F800000};
  cl_kernel kernel = kernel_of(program, "k");
  cl_mem out = buffer_with(input, sizeof input);
  uint32_t got;
  set_args(kernel, ARG(out), END_ARGS);
  run_1d(kernel, 1, 1);
  read_buffer(out, &got, 4);
  return got;
}

Test(linking, link_options_leave_libraries_alone_that_do_not_allow_them) {
  const cl_program function = compiled(forgetful, NULL);
  const cl_program parts[] = {link_well(&function, 1, "-create-library"), compiled(asks, NULL)};
  const uint32_t got = of_infinity(link_well(parts, 2, "-cl-fast-relaxed-math"));
  if ((got & 0x7FFFFFFF) <= 0x7F800000)
    fail("infinity - infinity in a library without -enable-link-options: expected a NaN, got 0x%08X", got);
}

struct work {
  pthread_t thread;
  cl_program library;
  cl_program program;
  cl_int errors[3];
  int number;
};

// Everything but assertions, which are for the test's own thread.
static void *compile_and_link(void *context) {
  struct work *work = context;
  struct harness *h = harness();
  char text[128];
  const char *source = text;
  snprintf(text, sizeof text, "int f(int); kernel void k(global int *out) { out[0] = f(%d); }\n", work->number);
  const cl_program part = clCreateProgramWithSource(h->context, 1, &source, NULL, &work->errors[0]);
  work->errors[1] = clCompileProgram(part, 1, &h->device, NULL, 0, NULL, NULL, NULL, NULL);
  const cl_program parts[] = {part, work->library};
  work->program = clLinkProgram(h->context, 1, &h->device, NULL, 2, parts, NULL, NULL, &work->errors[2]);
  clReleaseProgram(part);
  return NULL;
}

Test(linking, many_threads_compile_and_link_with_one_library) {
  enum { THREADS = 6 };
  struct work works[THREADS] = {0};
  const cl_program function = compiled("int f(int x) { return 10 * x; }\n", NULL);
  const cl_program library = link_well(&function, 1, "-create-library");
  for (int i = 0; i < THREADS; i++) {
    works[i].library = library;
    works[i].number = i + 1;
    cr_assert_eq(pthread_create(&works[i].thread, NULL, compile_and_link, &works[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    cr_assert_eq(pthread_join(works[i].thread, NULL), 0);
    for (int j = 0; j < 3; j++)
      EXPECT_SUCCESS(works[i].errors[j]);
  }
  for (int i = 0; i < THREADS; i++)
    expect_word(10 * (uint32_t)(i + 1), works[i].program, "k");
}

Test(linking, handles_can_be_released_in_any_order) {
  const cl_program parts[] = {compiled("int f(void) { return 8; }\n", NULL),
                              compiled("int f(void); kernel void k(global int *out) { out[0] = f(); }\n", NULL)};
  cl_program program = link_well(parts, 2, NULL);
  EXPECT_SUCCESS(clReleaseProgram(parts[0]));
  EXPECT_SUCCESS(clReleaseProgram(parts[1]));
  expect_word(8, program, "k");
}
