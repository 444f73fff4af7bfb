// SPDX-License-Identifier: Apache-2.0
// HEDDLE_CHECK=1: each kind of mistake with memory is found in kernels that have it planted, with the lines of source
// that make it; and nothing is found in the same kernels without it. Only the model checks.
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"
#include "tests/checks/planted.h"
#include "tests/opencl/harness.h"

// Both of HEDDLE_CHECK and what it finds; the text of the event. False: nothing.
static bool run_planted(const struct planted *program, bool is_wrong, char text[8192]) {
  setenv("HEDDLE_CHECK", "1", 1);
  struct harness *h = harness();
  char source[4096], options[64];
  uint32_t values[ITEMS];
  const size_t global = ITEMS, local = LOCAL;
  const int32_t n = ITEMS;
  for (uint32_t i = 0; i < ITEMS; i++)
    values[i] = i;
  snprintf(source, sizeof source, "%s%s}\n", head,
           !is_wrong && program->otherwise ? program->otherwise : program->body);
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DW=%d", is_wrong);
  cl_kernel kernel = kernel_of(build(source, options), "k");
  cl_int error;
  cl_mem out = clCreateBuffer(h->context, CL_MEM_READ_WRITE, sizeof values, NULL, &error);
  cl_mem in = buffer_with(values, sizeof values), zeros = buffer_with(NULL, sizeof values);
  cl_mem scratch = clCreateBuffer(h->context, CL_MEM_READ_WRITE, sizeof values, NULL, &error);
  set_args(kernel, ARG(out), ARG(in), ARG(scratch), ARG(zeros), LOCAL_ARG(4 * LOCAL), ARG(n), END_ARGS);
  cl_event event;
  cl_int status;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
  EXPECT_SUCCESS(clFinish(h->queue));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, 8192, text, NULL));
  cr_assert_eq(status < 0, text[0] != 0, "the event's status is %d, its text \"%s\"", status, text);
  if ((h->notice_count > 0) != (text[0] != 0))
    fail("%s: the context callback had %d calls, the event's text is \"%s\"", program->name, h->notice_count, text);
  return text[0] != 0;
}

// By number: a test is a process of its own, where pointers of this one mean nothing.
static struct criterion_test_params all_programs(void) {
  enum { COUNT = sizeof programs / sizeof *programs };
  static int numbers[COUNT];
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i;
  return cr_make_param_array(int, numbers, COUNT);
}

ParameterizedTestParameters(check, finds_what_is_planted) {
  return all_programs();
}

ParameterizedTest(const int *number, check, finds_what_is_planted) {
  const struct planted *program = &programs[*number];
  char text[8192];
  if (!run_planted(program, true, text))
    fail("%s: nothing was found", program->name);
  for (int i = 0; i < WORDS_MOST && program->words[i]; i++)
    if (!strstr(text, program->words[i]))
      fail("%s: expected \"%s\" in \"%s\"", program->name, program->words[i], text);
}

ParameterizedTestParameters(check, finds_nothing_where_nothing_is) {
  return all_programs();
}

ParameterizedTest(const int *number, check, finds_nothing_where_nothing_is) {
  const struct planted *program = &programs[*number];
  char text[8192];
  if (run_planted(program, false, text))
    fail("%s: expected nothing, got \"%s\"", program->name, text);
}

// ---- what needs more than one kernel, or a look at the host's side

static cl_event run_kernel(cl_kernel kernel, size_t global, size_t local) {
  cl_event event;
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(harness()->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
  EXPECT_SUCCESS(clFinish(harness()->queue));
  return event;
}

static void expect_text(cl_event event, const char *words) {
  char text[16384] = "";
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
  if (words[0] == 0 ? text[0] != 0 : !strstr(text, words))
    fail("expected \"%s\", got \"%s\"", words, text);
}

// A kernel keeps the address of a buffer, which is released, and another takes its place.
Test(check, use_of_a_released_buffer) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "kernel void keep(global uint *cell, global int *b) { *cell = (uint)(size_t)b; }\n"
      "kernel void use(global uint *cell, global int *out) { *out = *(global int *)(size_t)*cell; }\n",
      "-cl-std=CL3.0");
  cl_kernel keep = kernel_of(program, "keep"), use = kernel_of(program, "use");
  cl_mem cell = buffer_with(NULL, 4), out = buffer_with(NULL, 4), kept = buffer_with(NULL, 64);
  set_args(keep, ARG(cell), ARG(kept), END_ARGS);
  set_args(use, ARG(cell), ARG(out), END_ARGS);
  expect_text(run_kernel(keep, 1, 1), "");
  expect_text(run_kernel(use, 1, 1), "");
  EXPECT_SUCCESS(clReleaseMemObject(kept));
  // The kernel `keep` still has it as an argument, which is no reference by OpenCL's text.
  cl_mem next = buffer_with(NULL, 64);
  set_args(keep, ARG(cell), ARG(next), END_ARGS);
  expect_text(run_kernel(use, 1, 1), "use of a released buffer: load of 4 bytes at byte 0 of 'b'");
}

Test(check, sub_buffers_have_bounds_of_their_own) {
  setenv("HEDDLE_CHECK", "1", 1);
  const cl_buffer_region region = {0, 128};
  cl_int error;
  cl_mem whole = buffer_with(NULL, 1024);
  cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_SUCCESS(error);
  cl_kernel kernel =
      kernel_of(build("kernel void k(global int *o, int n) { o[get_global_id(0) + n] = 1; }\n", NULL), "k");
  int32_t n = 0;
  set_args(kernel, ARG(part), ARG(n), END_ARGS);
  expect_text(run_kernel(kernel, 32, 16), "");
  n = 1;
  set_args(kernel, ARG(part), ARG(n), END_ARGS);
  expect_text(run_kernel(kernel, 32, 16), "byte 128 of 'o', which has 128 bytes");
}

Test(check, buffers_are_for_what_they_were_made_for) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(
      build("kernel void k(global int *a, global int *b) { b[get_global_id(0)] = a[get_global_id(0)]; }\n", NULL), "k");
  cl_int error;
  cl_mem a = clCreateBuffer(harness()->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 64, (char[64]){0}, &error);
  cl_mem b = clCreateBuffer(harness()->context, CL_MEM_WRITE_ONLY, 64, NULL, &error), both = buffer_with(NULL, 64);
  set_args(kernel, ARG(a), ARG(b), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "");
  set_args(kernel, ARG(both), ARG(a), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "store of 4 bytes at byte 0 of 'b', which the program has made read-only");
  set_args(kernel, ARG(b), ARG(both), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "load of 4 bytes at byte 0 of 'a', which the program has made write-only");
}

// A pointer to constant memory whose qualifier a cast has taken away.
Test(check, arguments_in_constant_memory_stay_as_they_are) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(constant int *c, global int *o, int wrong) {\n"
                                     "  o[get_global_id(0)] = c[get_global_id(0)];\n"
                                     "  if (wrong)\n"
                                     "    ((global int *)(size_t)c)[get_global_id(0)] = 7;\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  cl_mem constants = buffer_with(NULL, 64), out = buffer_with(NULL, 64);
  for (cl_int wrong = 0; wrong <= 1; wrong++) {
    set_args(kernel, ARG(constants), ARG(out), ARG(wrong), END_ARGS);
    cl_event event = run_kernel(kernel, 16, 16);
    expect_text(event, wrong ? "store of 4 bytes at byte 0 of 'c', which is constant, program.cl:4" : "");
  }
}

// What is read and written element by element, or said to be packed, may lie anywhere.
Test(check, elements_lie_where_elements_may) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("struct __attribute__((packed)) packed { int a; long b; };\n"
                                     "typedef int4 __attribute__((aligned(4))) any4;\n"
                                     "kernel void k(global int *a, global int *o, local int *t) {\n"
                                     "  const int i = get_global_id(0);\n"
                                     "  private long4 p[3];\n"
                                     "  local float8 l[2];\n"
                                     "  for (int j = 0; j < 3; j++) p[j] = (long4)(a[j]);\n"
                                     "  vstore8((float8)(1), i, (local float *)l + 0 * i);\n"
                                     "  vstore4(vload4(0, a + i), 0, t + 4 * i);\n"
                                     "  any4 v = *(global any4 *)(a + i);\n"
                                     "  o[i] = v.x + p[a[i] % 3].w + ((global struct packed *)(a + 1))[0].b +\n"
                                     "         t[4 * i] + l[i].s0;\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  cl_mem in = buffer_with(NULL, 64), out = buffer_with(NULL, 64);
  set_args(kernel, ARG(in), ARG(out), LOCAL_ARG(64), END_ARGS);
  expect_text(run_kernel(kernel, 2, 2), "");
}

// Element by element, in any memory; also by several work-items that share a vector.
#define ELEMENTS_OF(type, convert)                                                                      \
  "kernel void " #type "_elements(global " #type "4 *a, local " #type                                   \
  "2 *b, global float *o, int at) {\n"                                                                  \
  "  const int i = get_global_id(0);\n"                                                                 \
  "  private " #type                                                                                    \
  "4 p[3];\n"                                                                                           \
  "  a[i].x = " convert "(1); a[i].w = " convert "(2); a[i].zy = (" #type "2)(" convert "(3), " convert \
  "(4));\n"                                                                                             \
  "  if ((i & 1) == 0) b[i / 2].y = " convert "(5); else b[i / 2].x = " convert                         \
  "(6);\n"                                                                                              \
  "  for (int j = 0; j < 3; j++) { p[j].w = a[i].x; p[j].x = a[i].y; p[j].yz = a[i].lo; }\n"            \
  "  ((global " #type                                                                                   \
  "3 *)a)[i].z = a[i].y;\n"                                                                             \
  "  barrier(CLK_LOCAL_MEM_FENCE);\n"                                                                   \
  "  a[i].hi = b[i / 2];\n"                                                                             \
  "  o[i] = convert_float(p[at % 3].w) + convert_float(a[i].y);\n"                                      \
  "  a[i] = p[at % 3];\n}\n"

Test(check, elements_of_a_vector_are_written_one_by_one) {
  setenv("HEDDLE_CHECK", "1", 1);
  static const char *const names[] = {"char_elements", "ushort_elements", "int_elements", "float_elements",
                                      "long_elements"};
  cl_program program =
      build(ELEMENTS_OF(char, "convert_char") ELEMENTS_OF(ushort, "convert_ushort") ELEMENTS_OF(int, "convert_int")
                ELEMENTS_OF(float, "convert_float") ELEMENTS_OF(long, "convert_long"),
            "-cl-std=CL3.0");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cl_int error, at = 1;
    cl_mem a = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 32 * 16, NULL, &error);
    cl_mem out = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 64, NULL, &error);
    cl_kernel kernel = kernel_of(program, names[i]);
    set_args(kernel, ARG(a), LOCAL_ARG(16 * 8), ARG(out), ARG(at), END_ARGS);
    expect_text(run_kernel(kernel, 16, 16), "");
    cl_float values[16];
    read_buffer(out, values, sizeof values);
    for (int k = 0; k < 16; k++)
      cr_expect_float_eq(values[k], 5, 0, "%s: work-item %d has %f", names[i], k, values[k]);
  }
}

// What one kernel has in local memory takes no room of others; nor does a check.
Test(check, kernels_have_local_memory_of_their_own_alone) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_ulong most, bytes;
  EXPECT_SUCCESS(clGetDeviceInfo(harness()->device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL));
  char options[64];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DWORDS=%d", (int)(most / 4 * 3 / 4));
#define LARGE(name)                 \
  "kernel void " name               \
  "(global int *o) {\n"             \
  "  local int large[WORDS];\n"     \
  "  large[get_local_id(0)] = 3;\n" \
  "  o[get_global_id(0)] = large[get_local_id(0)] + table[get_local_id(0) % 4];\n}\n"
  cl_program program =
      build("constant int table[4] = {1, 2, 3, 4};\n" LARGE("one")
                LARGE("two") "kernel void small(global int *o) { o[get_global_id(0)] = table[o[0] & 3]; }\n",
            options);
  static const char *const names[] = {"one", "two", "small"};
  for (size_t i = 0; i < 3; i++) {
    cl_kernel kernel = kernel_of(program, names[i]);
    cl_mem out = buffer_with(NULL, 64);
    EXPECT_SUCCESS(
        clGetKernelWorkGroupInfo(kernel, harness()->device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    if (i == 2)
      cr_expect_eq(bytes, 0, "%s: %zu bytes", names[i], (size_t)bytes);
    set_args(kernel, ARG(out), END_ARGS);
    expect_text(run_kernel(kernel, 16, 16), i == 2 ? "data race" : "");
  }
}

struct padded {
  cl_char c;
  cl_int x;
  cl_short d;
  cl_long y __attribute__((aligned(8)));
  cl_char z[3];
};

// Sub-groups of other sizes than the last one that copied.
Test(check, padding_is_nobodys_mistake_in_part_of_a_sub_group) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("struct s { char c; int x; short d; long y; char3 z; };\n"
                                     "kernel void k(global struct s *o, global const int *in, int n) {\n"
                                     "  const int i = get_global_id(0);\n"
                                     "  struct s a[2];\n"
                                     "  a[in[i] % n].c = i; a[in[i] % n].x = i; a[in[i] % n].d = i;\n"
                                     "  for (int j = 0; j < in[i]; j++) a[in[i] % n].y = a[in[i] % n].x;\n"
                                     "  a[in[i] % n].z = (char3)(1, 2, i);\n"
                                     "  o[i] = a[in[i] % n];\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  cl_uint values[61];
  for (cl_uint i = 0; i < 61; i++)
    values[i] = 1 + i % 5;
  cl_int error, n = 2;
  cl_mem out = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 61 * sizeof(struct padded), NULL, &error);
  cl_mem in = buffer_with(values, sizeof values);
  set_args(kernel, ARG(out), ARG(in), ARG(n), END_ARGS);
  for (size_t local = 3; local < 32; local += 4)
    expect_text(run_kernel(kernel, 61, local), "");
}

// In whatever order the words of a vector meet.
Test(check, a_race_of_two_lines_is_told_once) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(global int8 *b, global int8 *o) {\n"
                                     "  const int i = get_global_id(0), n = get_global_size(0);\n"
                                     "  o[i] = b[(i + 2) % n];\n"
                                     "  b[i] = (int8)(i + 1);\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  for (size_t local = 1; local <= 4; local++) {
    cl_mem b = buffer_with(NULL, 32 * 13), out = buffer_with(NULL, 32 * 13);
    char text[4096] = "";
    set_args(kernel, ARG(b), ARG(out), END_ARGS);
    EXPECT_SUCCESS(clGetEventInfo(run_kernel(kernel, 13, local), CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
    if (!strstr(text, "data race") || strchr(text, '\n'))
      fail("expected one race, got \"%s\"", text);
  }
}

// An access that the device cannot make either ends the kernel; one line says both.
Test(check, what_faults_is_told_once) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(local int *t, global int *o) {\n"
                                     "  o[0] = t[(int)get_local_id(0) - 4];\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  cl_mem out = buffer_with(NULL, 64);
  set_args(kernel, LOCAL_ARG(64), ARG(out), END_ARGS);
  cl_event event = run_kernel(kernel, 1, 1);
  char text[4096] = "";
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
  if (!strstr(text, "16 bytes before the start of 't' in local memory") || !strstr(text, "; the kernel ended there") ||
      strchr(text, '\n'))
    fail("got \"%s\"", text);
  cr_expect_eq(harness()->notice_count, 1);
}

// Vectors of three take the room of four. What is behind the third, nobody writes and nobody uses.
Test(check, what_is_behind_the_third_of_three_is_nobodys) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_int error;
  cl_kernel kernel = kernel_of(build("kernel void k(global short *a, global float3 *o, int wrong) {\n"
                                     "  const int i = get_global_id(0);\n"
                                     "  a[4 * i] = a[4 * i + 1] = i;\n"
                                     "  if (!wrong) a[4 * i + 2] = i;\n"
                                     "  private short3 p[2];\n"
                                     "  p[i % 2] = ((global short3 *)a)[i];\n"
                                     "  o[i] = convert_float3(p[i % 2]);\n"
                                     "  o[i] = o[i].zyx;\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  for (cl_int wrong = 0; wrong <= 1; wrong++) {
    cl_mem a = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 64, NULL, &error);
    cl_mem out = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 128, NULL, &error);
    set_args(kernel, ARG(a), ARG(out), ARG(wrong), END_ARGS);
    expect_text(run_kernel(kernel, 8, 8), wrong ? "use of memory that nobody has written" : "");
  }
}

#define CHANNELS "#pragma OPENCL EXTENSION cl_intel_channels : enable\n"

// Of which loops are unrolled before anything else is done.
Test(check, kernels_with_channels_are_checked_as_others) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build(CHANNELS "channel short3 c[2]; channel float3 d;\n"
                                              "kernel void k(global int *o, int n, int wrong) {\n"
                                              "  float3 sum;\n"
                                              "  if (!wrong) sum = (float3)(0);\n"
                                              "#pragma unroll\n"
                                              "  for (int i = 0; i < 2; i++) {\n"
                                              "    write_channel_intel(c[i], (short3)(i, 2, n));\n"
                                              "    sum += convert_float3(read_channel_intel(c[i]));\n"
                                              "  }\n"
                                              "  write_channel_intel(d, sum);\n"
                                              "  o[0] = read_channel_intel(d).z;\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  for (cl_int wrong = 0, n = 4; wrong <= 1; wrong++) {
    cl_mem out = buffer_with(NULL, 64);
    set_args(kernel, ARG(out), ARG(n), ARG(wrong), END_ARGS);
    expect_text(run_kernel(kernel, 1, 1), wrong ? "nobody has written" : "");
    cl_int sum = 8;
    if (!wrong)
      read_buffer(out, &sum, sizeof sum);
    cr_expect_eq(sum, 8);
  }
}

static cl_mem new_pipe(cl_uint packet_bytes, cl_uint packets) {
  cl_int error;
  cl_mem pipe =
      clCreatePipe(harness()->context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, packet_bytes, packets, NULL, &error);
  EXPECT_SUCCESS(error);
  return pipe;
}

// The default queue of the device.
static void make_device_queue(void) {
  new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT);
}

Test(check, reservations_of_a_pipe_are_committed) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "kernel void put(write_only pipe int p, int commits) {\n"
      "  reserve_id_t r = reserve_write_pipe(p, 2);\n"
      "  int x = 7;\n"
      "  write_pipe(p, r, 0, &x);\n"
      "  write_pipe(p, r, 1, &x);\n"
      "  if (commits) commit_write_pipe(p, r);\n}\n",
      "-cl-std=CL3.0");
  cl_kernel put = kernel_of(program, "put");
  cl_int commits = 1;
  cl_mem pipe = new_pipe(4, 16);
  set_args(put, ARG(pipe), ARG(commits), END_ARGS);
  expect_text(run_kernel(put, 1, 1), "");
  commits = 0;
  set_args(put, ARG(pipe), ARG(commits), END_ARGS);
  expect_text(run_kernel(put, 1, 1),
              "a reservation for writing is not committed when the kernel ends: nobody ever reads");
  expect_text(run_kernel(put, 1, 1), ":2, work-item (0, 0, 0)");
}

// What is read of an image that nobody has written, and an image by its name.
Test(check, images_have_the_names_of_their_arguments) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "kernel void sum(read_only image2d_t first, read_only image2d_t second, global int *o) {\n"
      "  int2 at = (int2)(get_global_id(0), 0);\n"
      "  o[get_global_id(0)] = read_imagei(first, at).x + read_imagei(second, at).x;\n}\n",
      "-cl-std=CL3.0");
  const cl_image_format format = {CL_R, CL_SIGNED_INT32};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 1};
  cl_int error;
  cl_mem written = clCreateImage(harness()->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc,
                                 (cl_int[16]){0}, &error);
  EXPECT_SUCCESS(error);
  cl_mem unwritten = clCreateImage(harness()->context, CL_MEM_READ_ONLY, &format, &desc, NULL, &error);
  EXPECT_SUCCESS(error);
  cl_mem out = buffer_with(NULL, 64);
  cl_kernel kernel = kernel_of(program, "sum");
  set_args(kernel, ARG(written), ARG(written), ARG(out), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "");
  set_args(kernel, ARG(written), ARG(unwritten), ARG(out), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "of image 'second'");
}

// Beside plain reads and writes, which use the same slots before; of several work-items the one that forgot it. A
// kernel that faults is not told that it has not come to its commit.
Test(check, what_was_reserved_and_not_committed_has_its_line_and_direction) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "kernel void put(write_only pipe int p) { int x = 7; write_pipe(p, &x); }\n"
      "kernel void get(read_only pipe int p, int forgets, global int *o) {\n"
      "  int x = 0;\n"
      "  reserve_id_t r = reserve_read_pipe(p, 1);\n"
      "  read_pipe(p, r, 0, &x);\n"
      "  if (forgets == 9) o[1 << 28] = 1;\n"
      "  if (get_global_id(0) != forgets) commit_read_pipe(p, r);\n"
      "  o[get_global_id(0)] = x;\n}\n",
      "-cl-std=CL3.0");
  cl_kernel put = kernel_of(program, "put"), get = kernel_of(program, "get");
  const char *wrong =
      "misuse of a pipe: a reservation for reading is not committed when the kernel ends: nobody ever "
      "writes to the places of its packets, nor of those behind it, ";
  cl_mem pipe = new_pipe(4, 16), out = buffer_with(NULL, 64);
  cl_int forgets = 8;
  set_args(put, ARG(pipe), END_ARGS);
  set_args(get, ARG(pipe), ARG(forgets), ARG(out), END_ARGS);
  for (int i = 0; i < 3; i++) {
    expect_text(run_kernel(put, 8, 8), "");
    expect_text(run_kernel(get, 8, 8), "");
  }
  forgets = 3;
  set_args(get, ARG(pipe), ARG(forgets), ARG(out), END_ARGS);
  expect_text(run_kernel(put, 8, 8), "");
  expect_text(run_kernel(get, 8, 8), wrong);
  cl_mem other = new_pipe(4, 16);
  set_args(put, ARG(other), END_ARGS);
  expect_text(run_kernel(put, 8, 8), "");
  forgets = 9;
  set_args(get, ARG(other), ARG(forgets), ARG(out), END_ARGS);
  char text[4096] = "";
  EXPECT_SUCCESS(clGetEventInfo(run_kernel(get, 8, 8), CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
  if (!strstr(text, "out of bounds") || strstr(text, "not committed"))
    fail("got \"%s\"", text);
}

// On a pipe of its own. `mistake` chooses what the kernel does wrong; 0 is nothing.
enum { PIPE_PACKETS = 8 };
static cl_event run_pipe_kernel(cl_kernel kernel, cl_uint packet_bytes, cl_int mistake) {
  cl_mem pipe = new_pipe(packet_bytes, PIPE_PACKETS);
  set_args(kernel, ARG(pipe), ARG(mistake), END_ARGS);
  return run_kernel(kernel, 1, 1);
}

// Each with the line that it is in.
Test(check, reservations_are_used_for_what_they_are) {
  setenv("HEDDLE_CHECK", "1", 1);
  static const char *const wrong[] = {
      ":5, work-item (0, 0, 0)",   // an index behind the last packet
      ":8, work-item (0, 0, 0)",   // after its commit
      ":9, work-item (0, 0, 0)",   // committed again
      ":10, work-item (0, 0, 0)",  // CLK_NULL_RESERVE_ID
      ":11, work-item (0, 0, 0)",
  };
  static const char *const kinds[] = {"the reservation has no packet", "the reservation has no packet", "commit of a",
                                      "the reservation has no packet", "commit of a"};
  cl_kernel put = kernel_of(build("kernel void put(write_only pipe int p, int mistake) {\n"
                                  "  reserve_id_t r = reserve_write_pipe(p, 2), none = CLK_NULL_RESERVE_ID;\n"
                                  "  int x = 7;\n"
                                  "  write_pipe(p, r, 0, &x);\n"
                                  "  write_pipe(p, r, mistake == 1 ? 2 : 1, &x);\n"
                                  "  if (mistake == 1) write_pipe(p, r, 1, &x);\n"
                                  "  commit_write_pipe(p, r);\n"
                                  "  if (mistake == 2) write_pipe(p, r, 0, &x);\n"
                                  "  if (mistake == 3) commit_write_pipe(p, r);\n"
                                  "  if (mistake == 4) write_pipe(p, none, 0, &x);\n"
                                  "  if (mistake == 5) commit_write_pipe(p, none);\n}\n",
                                  "-cl-std=CL3.0"),
                            "put");
  expect_text(run_pipe_kernel(put, 4, 0), "");
  for (cl_int i = 0; i < 5; i++) {
    cl_event event = run_pipe_kernel(put, 4, i + 1);
    expect_text(event, kinds[i]);
    expect_text(event, wrong[i]);
  }
}

// A reservation for writing is none for reading, and the other way round.
Test(check, reservations_have_a_direction) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "kernel void put(write_only pipe int p, global uint *id) {\n"
      "  reserve_id_t r = reserve_write_pipe(p, 1);\n"
      "  int x = 7;\n  write_pipe(p, r, 0, &x);\n  commit_write_pipe(p, r);\n"
      "  r = reserve_write_pipe(p, 1);\n  write_pipe(p, r, 0, &x);\n  id[0] = *(uint *)&r;\n}\n"
      "kernel void get(read_only pipe int p, global uint *id) {\n"
      "  uint word = id[0];\n  reserve_id_t r = *(reserve_id_t *)&word;\n  int x;\n"
      "  id[1] = read_pipe(p, r, 0, &x);\n}\n",
      "-cl-std=CL3.0");
  cl_mem pipe = new_pipe(4, 16), id = buffer_with(NULL, 8);
  cl_kernel put = kernel_of(program, "put"), get = kernel_of(program, "get");
  set_args(put, ARG(pipe), ARG(id), END_ARGS);
  expect_text(run_kernel(put, 1, 1), ":6, work-item (0, 0, 0)");
  set_args(get, ARG(pipe), ARG(id), END_ARGS);
  expect_text(run_kernel(get, 1, 1), "is for the other direction");
}

// Instructions that the compiler has made of one line are one finding.
Test(check, a_line_is_told_once_however_often_it_is_unrolled) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(global int *o, global int *a) {\n"
                                     "  a[get_global_id(0)] = 1;\n  int sum = 0;\n"
                                     "#pragma unroll\n  for (int i = 0; i < 16; i++)\n    sum += a[i];\n"
                                     "#pragma unroll\n  for (int i = 0; i < 16; i++)\n    sum ^= a[15 - i];\n"
                                     "  o[get_global_id(0) + 1] = sum;\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  cl_mem out = buffer_with(NULL, 64), a = buffer_with(NULL, 64);
  set_args(kernel, ARG(out), ARG(a), END_ARGS);
  cl_event event = run_kernel(kernel, 16, 16);
  expect_text(event, "byte 64 of 'o'");
  char text[8192] = "";
  EXPECT_SUCCESS(clGetEventInfo(event, CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
  int lines = 1;
  for (const char *c = text; *c != 0; c++)
    lines += *c == '\n';
  cr_assert(lines <= 3, "%s", text);
}

Test(check, reservations_of_groups_are_committed_once) {
  setenv("HEDDLE_CHECK", "1", 1);
  static const char *const names[] = {"sub_group", "work_group"};
  for (int i = 0; i < 2; i++) {
    char source[1024];
    snprintf(source, sizeof source,
             "kernel void get(read_only pipe int p, int mistake) {\n"
             "  reserve_id_t r = %s_reserve_read_pipe(p, 1);\n"
             "  if (is_valid_reserve_id(r)) %s_commit_read_pipe(p, r);\n"
             "  if (mistake)\n"
             "    %s_commit_read_pipe(p, r);\n}\n",
             names[i], names[i], names[i]);
    cl_kernel get = kernel_of(build(source, "-cl-std=CL3.0"), "get");
    expect_text(run_pipe_kernel(get, 4, 0), "");
    expect_text(run_pipe_kernel(get, 4, 1), "commit of a reservation that is none");
    expect_text(run_pipe_kernel(get, 4, 1), ":5, work-item (0, 0, 0)");
  }
}

Test(check, packets_have_the_size_of_the_parameter) {
  setenv("HEDDLE_CHECK", "1", 1);
  static const char *const bodies[] = {
      "read_only pipe int2 p, int mistake) {\n  int2 x;\n  read_pipe(p, &x);\n}\n",
      "write_only pipe int2 p, int mistake) {\n  int2 x = 0;\n  write_pipe(p, &x);\n}\n",
      "write_only pipe int2 p, int mistake) {\n  int2 x = 0;\n  is_valid_reserve_id(reserve_write_pipe(p, 9));\n}\n"};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    char source[256];
    snprintf(source, sizeof source, "kernel void k(%s", bodies[i]);
    cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
    expect_text(run_pipe_kernel(kernel, 8, 0), "");
    cl_event event = run_pipe_kernel(kernel, 4, 1);
    expect_text(event, "its packets have another size than those of the kernel's parameter");
    expect_text(event, ":3, work-item (0, 0, 0)");
  }
}

Test(check, device_queues_are_used_for_what_they_are) {
  setenv("HEDDLE_CHECK", "1", 1);
  static const char *const wrong[] = {
      "the block cannot run in this range", "misuse of an event",           "misuse of an event",
      "the wait list has what is no event", "a local argument has 0 bytes", "the wait list has what is no event"};
  cl_kernel kernel = kernel_of(build("kernel void k(global int *out, int mistake) {\n"
                                     "  queue_t q = get_default_queue(); ndrange_t one = ndrange_1D(1);\n"
                                     "  clk_event_t e = create_user_event(), gone = create_user_event();\n"
                                     "  release_event(gone);\n"
                                     "  if (mistake == 1)\n"
                                     "    enqueue_kernel(q, 0, ndrange_1D(16, 5000), ^{ out[0] = 1; });\n"
                                     "  if (mistake == 2)\n"
                                     "    release_event(gone);\n"
                                     "  set_user_event_status(e, CL_COMPLETE);\n"
                                     "  if (mistake == 3)\n"
                                     "    set_user_event_status(e, CL_COMPLETE);\n"
                                     "  enqueue_kernel(q, 0, one, ^{ out[0] = 2; });\n"
                                     "  if (mistake == 4)\n"
                                     "    enqueue_kernel(q, 0, one, 1, &gone, 0, ^{ out[0] = 3; });\n"
                                     "  if (mistake == 5)\n"
                                     "    enqueue_kernel(q, 0, one, ^(local void *a) { out[0] = 4; }, (uint)0);\n"
                                     "  if (mistake == 6)\n"
                                     "    enqueue_marker(q, 1, &gone, 0);\n"
                                     "  release_event(e);\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  make_device_queue();
  cl_mem out = buffer_with(NULL, 4);
  for (cl_int mistake = 0; mistake <= 6; mistake++) {
    set_args(kernel, ARG(out), ARG(mistake), END_ARGS);
    cl_event event = run_kernel(kernel, 1, 1);
    expect_text(event, mistake == 0 ? "" : wrong[mistake - 1]);
    if (mistake != 0) {
      char line[32];
      snprintf(line, sizeof line, ":%d, work-item", (int[]){6, 8, 11, 14, 16, 18}[mistake - 1]);
      expect_text(event, line);
    }
  }
}

// By the block's own range.
Test(check, work_items_of_enqueued_blocks_are_named) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(global int *out) {\n"
                                     "  const size_t offset[2] = {100, 200}, global_size[2] = {8, 8}, local_size[2] = "
                                     "{4, 4};\n"
                                     "  enqueue_kernel(get_default_queue(), 0, ndrange_2D(offset, global_size, "
                                     "local_size), ^{\n"
                                     "    out[get_global_id(0) == 105 && get_global_id(1) == 206 ? 16 : 0] = 1; });\n"
                                     "}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  make_device_queue();
  cl_mem out = buffer_with(NULL, 64);
  set_args(kernel, ARG(out), END_ARGS);
  cl_event event = run_kernel(kernel, 1, 1);
  expect_text(event, "kernel 'k', in a block that it enqueued: store of 4 bytes out of bounds: byte 64 of");
  expect_text(event, "work-item (105, 206, 0), work-group (1, 1, 0)");
}

// An array that is reached by constant indices alone is no array to the compiler.
Test(check, offsets_are_those_in_the_variable) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("struct pair { int a, b; };\n"
                                     "kernel void k(global int *o) {\n"
                                     "  local int t[4]; local struct pair p;\n"
                                     "  const int i = get_local_id(0);\n"
                                     "  if (i == 0) { t[0] = 1; t[3] = 4; p.a = 5; }\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "  if (i == 1) p.b = 6;\n"
                                     "  o[i] = t[0] + t[3] + p.a +\n"
                                     "         p.b;\n"
                                     "  o[i] += t[2] + 1;\n"
                                     "}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  cl_mem out = buffer_with(NULL, 64);
  set_args(kernel, ARG(out), END_ARGS);
  cl_event event = run_kernel(kernel, 16, 16);
  expect_text(event, "load of 4 bytes at byte 8 of a variable in local memory");
  expect_text(event, "data race on byte 4 of a variable in local memory");
}

// Functions of the built-in library that are no part of their callers have no lines of their own.
Test(check, accesses_in_library_functions_have_the_line_of_the_call) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(global float *o, global int *q, int n) {\n"
                                     "  int i = get_global_id(0);\n"
                                     "  o[i] = n == 1 ? sincos((float)i, o + i + 8)\n"
                                     "         : n == 2 ?\n"
                                     "             remquo((float)i, 3.0f, q + i + 8)\n"
                                     "         : 0;\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  for (cl_int n = 0; n <= 2; n++) {
    cl_mem out = buffer_with(NULL, 32), quotients = buffer_with(NULL, 32);
    set_args(kernel, ARG(out), ARG(quotients), ARG(n), END_ARGS);
    cl_event event = run_kernel(kernel, 8, 8);
    expect_text(event, n == 0 ? "" : n == 1 ? "byte 32 of 'o'" : "byte 32 of 'q'");
    if (n != 0)
      expect_text(event, n == 1 ? ":3, work-item" : ":5, work-item");
  }
}

Test(check, a_finding_is_told_once_and_fails_each_event) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(global int *o) { o[get_global_id(0) + 1] = 1; }\n", NULL), "k");
  cl_mem out = buffer_with(NULL, 64);
  set_args(kernel, ARG(out), END_ARGS);
  for (int i = 0; i < 3; i++)
    expect_text(run_kernel(kernel, 16, 16), "byte 64 of 'o'");
  cr_assert_eq(harness()->notice_count, 1);
}

static cl_event run_lines_of_mistakes(unsigned lines) {
  char *source = calloc(1, 64 + 64 * lines);
  size_t used = (size_t)sprintf(source, "kernel void k(global int *o) {\n  int x = 0;\n");
  for (unsigned i = 0; i < lines; i++)
    used += (size_t)sprintf(source + used, "  x ^= o[get_global_id(0) + %u];\n", 16 + i);
  strcpy(source + used, "  o[get_global_id(0)] = x;\n}\n");
  cl_kernel kernel = kernel_of(build(source, NULL), "k");
  free(source);
  cl_mem out = buffer_with(NULL, 64);
  set_args(kernel, ARG(out), END_ARGS);
  return run_kernel(kernel, 16, 16);
}

// Twenty are told, and 256 at most are counted.
Test(check, how_many_are_not_told_is_said) {
  setenv("HEDDLE_CHECK", "1", 1);
  char text[16384] = "";
  EXPECT_SUCCESS(clGetEventInfo(run_lines_of_mistakes(50), CL_EVENT_FAULT_TEXT_HEDDLE, sizeof text, text, NULL));
  const char *end = strrchr(text, '\n');
  if (!end || strcmp(end + 1, "kernel 'k': 30 findings more") != 0)
    fail("got \"%s\"", text);
  expect_text(run_lines_of_mistakes(300), "236 findings more, at least");
}

// Heddle's collectives are for those that have not returned; OpenCL's are for all.
Test(check, a_return_before_a_collective_is_a_note) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(global int *o) {\n"
                                     "  if (get_global_id(0) > 12) return;\n"
                                     "  o[get_global_id(0)] = work_group_reduce_add(1);\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  cl_mem out = buffer_with(NULL, 64);
  set_args(kernel, ARG(out), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "");
  cr_assert_eq(harness()->notice_count, 1);
  cr_assert(strstr(harness()->notices[0], "note:") && strstr(harness()->notices[0], ":3,"), "%s",
            harness()->notices[0]);
}

// Whatever it does last, and from wherever; and not who goes round a collective in a kernel without a return.
Test(check, who_returns_goes_round_nothing) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "kernel void last_store(global int *o, int n) {\n"
      "  const int i = get_global_id(0);\n"
      "  int x = o[i];\n"
      "  if (i % 3 == 2) { o[i] = ~x; return; }\n"
      "  x += sub_group_reduce_add(n);\n"
      "  o[i] = x;\n}\n"
      "kernel void from_a_loop(global int *o, int n) {\n"
      "  const int i = get_global_id(0);\n"
      "  for (int r = 0; r < 8; r++) {\n"
      "    int x[2] = {r, n};\n"
      "    if (i % 8 == r) { o[i] = x[i & 1]; return; }\n"
      "    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);\n"
      "  }\n"
      "  o[i] = n;\n}\n"
      "kernel void in_a_condition(global int *o, int n) {\n"
      "  const int i = get_global_id(0);\n"
      "  if (i < n) o[i] = work_group_reduce_max(i);\n}\n"
      "kernel void goes_round(global int *o, int n) {\n"
      "  const int i = get_global_id(0);\n"
      "  int x = n;\n"
      "  for (int r = 0; r < i; r++)\n"
      "    x += sub_group_scan_inclusive_add(r);\n"
      "  o[i] = x;\n}\n",
      "-cl-std=CL3.0");
  static const char *const names[] = {"last_store", "from_a_loop", "in_a_condition", "goes_round"};
  cl_int n = 11;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cl_kernel kernel = kernel_of(program, names[i]);
    cl_mem out = buffer_with(NULL, 64);
    set_args(kernel, ARG(out), ARG(n), END_ARGS);
    expect_text(run_kernel(kernel, 16, 16), i == 3 ? "a work-item has gone on without it, program.cl:25" : "");
  }
}

// More of them than findings that there is room for.
Test(check, notes_are_no_mistakes_however_many) {
  setenv("HEDDLE_CHECK", "1", 1);
  char *source = calloc(1, 1 << 15);
  strcat(source, "kernel void k(global int *o) {\n  if (get_global_id(0) > 12) return;\n  int x = 1;\n");
  for (int i = 0; i < 300; i++)
    strcat(source, "  x = work_group_scan_inclusive_max(x);\n");
  strcat(source, "  o[get_global_id(0)] = x;\n}\n");
  cl_kernel kernel = kernel_of(build(source, "-cl-std=CL3.0"), "k");
  free(source);
  cl_mem out = buffer_with(NULL, 64);
  set_args(kernel, ARG(out), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "");
  cr_assert_eq(harness()->notice_count, 1);
}

// Some take many steps, through local memory of their own; a kernel's own is not confused with it.
Test(check, work_group_functions_order_what_they_use) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel =
      kernel_of(build("__attribute__((intel_reqd_sub_group_size(4)))\n"
                      "kernel void k(global float *o, global long *m) {\n"
                      "  local float tile[24];\n"
                      "  const int i = get_global_id(0), l = get_local_id(0);\n"
                      "  float x = 1;\n"
                      "  if (i == 2 || i / 4 == 7) return;\n"
                      "  for (int j = 0; j < 3; j++) {\n"
                      "    x += work_group_reduce_add(x) + work_group_scan_inclusive_add(x);\n"
                      "    x = work_group_scan_exclusive_add(x) / 64;\n"
                      "    m[i] = work_group_scan_inclusive_max((long)i) + work_group_scan_exclusive_min((long)l);\n"
                      "  }\n"
                      "  tile[l] = x;\n"
                      "  o[i] = work_group_reduce_add(tile[l]);\n}\n",
                      "-cl-std=CL3.0"),
                "k");
  cl_mem out = buffer_with(NULL, 256), most = buffer_with(NULL, 512);
  set_args(kernel, ARG(out), ARG(most), END_ARGS);
  expect_text(run_kernel(kernel, 61, 24), "");
}

Test(check, variables_of_the_program_have_bounds_and_races) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "global int counter, arr[16], next[16];\n"
      "kernel void fill(global int *o, int n) { arr[get_global_id(0)] = next[get_global_id(0)] = n; }\n"
      "kernel void far(global int *o, int n) { o[get_global_id(0)] = arr[get_global_id(0) + n] + next[n]; }\n"
      "kernel void plain(global int *o, int n) { o[get_global_id(0)] = counter; counter += n; }\n"
      "kernel void atomic(global int *o, int n) { o[get_global_id(0)] = atomic_add(&counter, n); }\n",
      "-cl-std=CL3.0");
  cl_kernel far = kernel_of(program, "far"), plain = kernel_of(program, "plain"), atomic = kernel_of(program, "atomic");
  cl_mem out = buffer_with(NULL, 64);
  int32_t n = 0;
  set_args(far, ARG(out), ARG(n), END_ARGS);
  set_args(atomic, ARG(out), ARG(n), END_ARGS);
  expect_text(run_kernel(far, 16, 16), "");
  expect_text(run_kernel(atomic, 16, 16), "");
  n = 1;
  set_args(far, ARG(out), ARG(n), END_ARGS);
  set_args(plain, ARG(out), ARG(n), END_ARGS);
  expect_text(run_kernel(far, 16, 16), "byte 64 of a variable of the program, which has 64 bytes");
  expect_text(run_kernel(plain, 16, 16), "data race on byte 0 of a variable of the program");
}

// Structures are copied with what lies between their members.
Test(check, padding_is_nobodys_mistake) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel =
      kernel_of(build("struct s { char c; int x; long y; char z; };\n"
                      "kernel void k(global struct s *o, global const int *in) {\n"
                      "  struct s a[4];\n"
                      "  for (int j = 0; j < 4; j++) { a[j].c = j; a[j].x = in[j]; a[j].y = j; a[j].z = j; }\n"
                      "  o[get_global_id(0)] = a[in[get_global_id(0)] & 3];\n}\n",
                      NULL),
                "k");
  const uint32_t values[16] = {3, 2, 1, 0, 1, 2, 3, 0, 1, 1, 2, 2, 3, 3, 0, 0};
  cl_int error;
  cl_mem out = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 16 * 24, NULL, &error);
  cl_mem in = buffer_with(values, sizeof values);
  set_args(kernel, ARG(out), ARG(in), END_ARGS);
  expect_text(run_kernel(kernel, 16, 16), "");
}

Test(check, atomics_of_opencl_c_2_order) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(
      build(
          "kernel void k(global int *data, global atomic_int *flag, global int *out) {\n"
          "  int g = get_group_id(0);\n"
          "  if (g == 0) { data[0] = 9; atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device); }\n"
          "  else { while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) ; out[g] = data[0]; "
          "}\n"
          "}\n",
          "-cl-std=CL3.0"),
      "k");
  cl_mem data = buffer_with(NULL, 64), flag = buffer_with(NULL, 4), out = buffer_with(NULL, 64);
  set_args(kernel, ARG(data), ARG(flag), ARG(out), END_ARGS);
  expect_text(run_kernel(kernel, 4, 1), "");
}

Test(check, the_wrong_switch_opens_no_device) {
  setenv("HEDDLE_CHECK", "maybe", 1);
  cl_platform_id platform = heddle_platform();
  cl_device_id devices[4];
  cl_uint count = 0;
  EXPECT_SUCCESS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 4, devices, &count));
  char why[512] = "";
  EXPECT_SUCCESS(clGetDeviceInfo(devices[count - 1], CL_DEVICE_UNAVAILABLE_HEDDLE, sizeof why, why, NULL));
  cr_assert(strstr(why, "HEDDLE_CHECK must be 0 or 1, not 'maybe'"), "%s", why);
}

// What the compiler has made of two lines has the line in front of it.
Test(check, a_finding_has_a_line_where_an_instruction_is_of_several) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_kernel kernel = kernel_of(build("kernel void k(global const int *a, global int *o) {\n"
                                     "  int i = get_global_id(0), t[4];\n"
                                     "  t[0] = a[i];\n"
                                     "  t[1] = a[i] + 1;\n"
                                     "  t[3] = a[i] * 2;\n"
                                     "  int v = a[i] * 3 + 1;\n"
                                     "  if (v > 10) {\n"
                                     "    o[2 * i] = v;\n"
                                     "    o[2 * i + 1] = t[2];\n"
                                     "  } else {\n"
                                     "    o[2 * i] = t[0] + t[1] + t[3];\n"
                                     "  }\n}\n",
                                     "-cl-std=CL3.0"),
                               "k");
  const uint32_t values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  cl_mem in = buffer_with(values, sizeof values), out = buffer_with(NULL, 64);
  set_args(kernel, ARG(in), ARG(out), END_ARGS);
  cl_event event = run_kernel(kernel, 8, 8);
  expect_text(event, "nobody has written: a variable in private memory, program.cl:2");
  expect_text(event, "; used at program.cl:");
}

// Whoever copies a structure word by word copies what lies between its members as well.
Test(check, padding_that_is_copied_as_words_is_nobodys_mistake) {
  setenv("HEDDLE_CHECK", "1", 1);
  cl_program program = build(
      "struct s { int c; long y; };\n"
      "union u { struct s s; uint words[4]; };\n"
      "kernel void by_pointer(global uint *o, global const int *in) {\n"
      "  struct s a[4];\n"
      "  for (int j = 0; j < 4; j++) { a[j].c = j; a[j].y = in[j]; }\n"
      "  for (int j = 0; j < 4; j++) o[4 * get_global_id(0) + j] = ((uint *)&a[in[get_global_id(0)] & 3])[j];\n}\n"
      "kernel void by_union(global uint *o, global const int *in) {\n"
      "  union u a[4];\n"
      "  for (int j = 0; j < 4; j++) { a[j].s.c = j; a[j].s.y = in[j]; }\n"
      "  for (int j = 0; j < 4; j++) o[4 * get_global_id(0) + j] = a[in[get_global_id(0)] & 3].words[j];\n}\n"
      "kernel void local_memory(global uint4 *o, global const int *in) {\n"
      "  local struct s a[4];\n"
      "  const int i = get_global_id(0);\n"
      "  if (i < 4) { a[i].c = i; a[i].y = in[i]; }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  o[i] = ((local uint4 *)a)[i & 3];\n}\n"
      "kernel void three(global float3 *o, global const int *in) {\n"
      "  float3 a[4];\n"
      "  for (int j = 0; j < 4; j++) a[j] = (float3)(j, in[j], in[j + 1]);\n"
      "  o[get_global_id(0)] = a[in[get_global_id(0)] & 3];\n}\n",
      NULL);
  static const char *const names[] = {"by_pointer", "by_union", "local_memory", "three"};
  const uint32_t values[16] = {3, 2, 1, 0, 1, 2, 3, 0, 1, 1, 2, 2, 3, 3, 0, 0};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    cl_int error;
    cl_mem out = clCreateBuffer(harness()->context, CL_MEM_READ_WRITE, 16 * 16, NULL, &error);
    cl_mem in = buffer_with(values, sizeof values);
    cl_kernel kernel = kernel_of(program, names[i]);
    set_args(kernel, ARG(out), ARG(in), END_ARGS);
    expect_text(run_kernel(kernel, 16, 16), "");
  }
}
