// SPDX-License-Identifier: Apache-2.0
// OpenCL programs on a device that has pipelines of the kernels of programs.cl, and no programmable unit: Verilated.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/include/CL/cl_heddle.h"

enum { ITEMS = 150, LANES = 4, LOG_BYTES = 4096 };

#define OK(call) cr_assert_eq((call), CL_SUCCESS, #call)

static cl_context context;
static cl_device_id device;

static void set_up(void) {
  cl_platform_id platform;
  cl_int error;
  setenv("HEDDLE_HARDWARE", BUILD "/tests/pipeline/programs.so", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  OK(error);
}

TestSuite(programs, .init = set_up, .timeout = 60);

static char *read_source(void) {
  char *text = calloc(1, LOG_BYTES);
  FILE *file = fopen("tests/pipeline/programs.cl", "r");
  cr_assert(text && file, "tests run in the top folder");
  fread(text, 1, LOG_BYTES - 1, file);
  fclose(file);
  return text;
}

// Builds a source; its log is in `log`.
static cl_program build(const char *source, cl_int expected, char log[LOG_BYTES]) {
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
  OK(error);
  error = clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL);
  OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, LOG_BYTES, log, NULL));
  cr_assert_eq(error, expected, "%d: %s", error, log);
  return program;
}

static cl_program build_all(void) {
  char *source = read_source(), log[LOG_BYTES];
  cl_program program = build(source, CL_SUCCESS, log);
  free(source);
  cr_assert(strstr(log, "Kernel add runs on its pipeline: 4 lanes, 64 slots."), "%s", log);
  cr_assert(strstr(log, "Kernel count runs on its pipeline: 4 lanes, 64 slots."), "%s", log);
  return program;
}

// Runs a kernel of one result with ITEMS work-items in groups of `local`, and waits.
static void run(cl_kernel kernel, cl_uint num_inputs, int inputs[][ITEMS], int result[ITEMS], size_t local,
                cl_int expected) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  cl_mem buffers[3];
  for (cl_uint i = 0; i <= num_inputs; i++) {
    const bool is_input = i < num_inputs;
    buffers[i] = clCreateBuffer(context, is_input ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE, sizeof *inputs,
                                is_input ? inputs[i] : NULL, &error);
    OK(error);
    OK(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
  }
  const size_t global = ITEMS;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL));
  cr_assert_eq(clFinish(queue), expected);
  OK(clEnqueueReadBuffer(queue, buffers[num_inputs], CL_TRUE, 0, sizeof *inputs, result, 0, NULL, NULL));
}

static void fill(int values[ITEMS], int factor) {
  for (int i = 0; i < ITEMS; i++)
    values[i] = i * factor + 1;
}

Test(programs, kernels_run_on_their_pipelines) {
  int inputs[2][ITEMS], result[ITEMS];
  fill(inputs[0], 3);
  fill(inputs[1], -70000);
  cl_int error;
  cl_kernel kernel = clCreateKernel(build_all(), "add", &error);
  OK(error);
  run(kernel, 2, inputs, result, 0, CL_SUCCESS);
  for (int i = 0; i < ITEMS; i++)
    cr_assert_eq(result[i], inputs[0][i] + inputs[1][i], "%d: %d", i, result[i]);
}

// Whatever the range and its work-groups.
Test(programs, a_kernel_of_one_work_item_need_not_say_so) {
  static const size_t ranges[][2] = {{1, 0}, {1, 1}, {3, 1}, {7, 0}, {64, 16}, {64, 64}, {50, 20}};
  char *source = read_source(), log[LOG_BYTES];
  cl_program program = build(source, CL_SUCCESS, log);
  free(source);
  cr_assert(strstr(log, "Kernel total runs on its pipeline: 1 lane, 128 slots."), "%s", log);
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "total", &error);
  OK(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  int values[ITEMS], sum = 0;
  fill(values, 9);
  for (int i = 0; i < ITEMS; i++)
    sum += values[i];
  const int items = ITEMS;
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  OK(error);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof sum, NULL, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof in, &in));
  OK(clSetKernelArg(kernel, 1, sizeof out, &out));
  OK(clSetKernelArg(kernel, 2, sizeof items, &items));
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    const int none = 0;
    int result;
    OK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, sizeof none, &none, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &ranges[i][0], ranges[i][1] != 0 ? &ranges[i][1] : NULL, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
    cr_assert_eq(result, sum, "%zu work-items, %zu in a work-group: %d", ranges[i][0], ranges[i][1], result);
  }
}

enum { ROWS = 2048, ROW_WORDS = 4 };

// Runs a kernel of one work-item that moves rows of memory. Returns its event's status, and the cycles that it took.
static cl_int move(const char *name, cl_int rows, int words[ROWS * ROW_WORDS], cl_ulong *cycles) {
  cl_int error, status;
  cl_kernel kernel = clCreateKernel(build_all(), name, &error);
  OK(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  const size_t bytes = ROWS * ROW_WORDS * sizeof *words, one = 1;
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, bytes, words, &error);
  OK(error);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof in, &in));
  OK(clSetKernelArg(kernel, 1, sizeof out, &out));
  OK(clSetKernelArg(kernel, 2, sizeof rows, &rows));
  cl_event event;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  clWaitForEvents(1, &event);
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  if (status == CL_COMPLETE) {
    OK(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof *cycles, cycles, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, words, 0, NULL, NULL));
  }
  return status;
}

Test(programs, one_work_item_moves_memory_by_rows) {
  static const char *const names[] = {"vectors", "words"};
  static int words[ROWS * ROW_WORDS];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < ROWS * ROW_WORDS; i++)
      words[i] = i * 40503;
    cl_ulong cycles;
    cr_assert_eq(move(names[k], ROWS, words, &cycles), CL_COMPLETE);
    for (int i = 0; i < ROWS * ROW_WORDS; i++)
      cr_assert_eq(words[i], i * 40503 + i / ROW_WORDS, "%s: word %d is %d", names[k], i, words[i]);
    // A row is read and one is written, each half of a beat of this device's memory. By words they would be eight.
    cr_expect(cycles >= 2 * ROWS && cycles < 3 * ROWS * 21 / 20 + 300, "%s: %lu cycles for %d rows", names[k],
              (unsigned long)cycles, ROWS);
  }
}

static void CL_CALLBACK keep(const char *text, const void *info, size_t bytes, void *user) {
  (void)info, (void)bytes;
  snprintf(user, LOG_BYTES, "%s", text);
}

// The port's lanes are words of one work-item, and the kernel file has been compiled without knowing how many.
Test(programs, a_fault_among_words_of_one_access_has_its_line_and_work_item) {
  static char note[LOG_BYTES];
  cl_int error;
  context = clCreateContext(NULL, 1, &device, keep, note, &error);
  OK(error);
  static int words[ROWS * ROW_WORDS];
  cl_ulong cycles;
  cr_assert_lt(move("vectors", 1 << 28, words, &cycles), 0);
  char *source = read_source();
  int line = 1;
  for (const char *at = strstr(source, "c[i] = a[i] + i;"); at > source; at--)
    line += at[-1] == '\n';
  free(source);
  char wanted[64];
  snprintf(wanted, sizeof wanted, "program.cl:%d,", line);
  cr_expect(strstr(note, wanted), "no '%s' in: %s", wanted, note);
  cr_expect(strstr(note, "work-item (0, 0, 0)"), "%s", note);
  // The next one runs.
  cr_assert_eq(move("words", ROWS, words, &cycles), CL_COMPLETE);
}

typedef int expected_of(const int *values, int i);

static int smoothed(const int *values, int i) {
  return values[i > 0 ? i - 1 : 0] + 2 * values[i] + values[i + 1 < ITEMS ? i + 1 : i];
}

enum { COLUMNS = 16 };  // a line

static int row_sum(const int *values, int i) {
  int sum = 0;
  for (int k = 0; k < COLUMNS; k++)
    sum += values[i * COLUMNS + k];
  return sum;
}

// Three dispatches, each of other values in the same buffer.
static void dispatch_again(cl_kernel kernel, int items, expected_of *expected) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  int values[ITEMS], result[ITEMS];
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof values, NULL, &error);
  OK(error);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof result, NULL, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof in, &in));
  OK(clSetKernelArg(kernel, 1, sizeof out, &out));
  for (int round = 1; round <= 3; round++) {
    fill(values, round * 17);
    OK(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    const size_t global = (size_t)items;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    for (int i = 0; i < items; i++)
      cr_assert_eq(result[i], expected(values, i), "round %d, result %d: %d", round, i, result[i]);
  }
  OK(clReleaseMemObject(in));
  OK(clReleaseMemObject(out));
  OK(clReleaseCommandQueue(queue));
  OK(clReleaseKernel(kernel));
}

Test(programs, what_a_pipeline_has_kept_of_memory_is_not_there_in_the_next_dispatch) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(build_all(), "smooth", &error);
  OK(error);
  dispatch_again(kernel, ITEMS, smoothed);
}

Test(programs, lines_that_lanes_have_kept_are_not_there_in_the_next_dispatch) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(build_all(), "sum_rows", &error);
  OK(error);
  const cl_int columns = COLUMNS;
  OK(clSetKernelArg(kernel, 2, sizeof columns, &columns));
  dispatch_again(kernel, ITEMS / COLUMNS, row_sum);
}

Test(programs, sub_groups_are_as_large_as_the_pipeline_has_lanes) {
  enum { LOCAL = 14 };  // sub-groups of 4, 4, 4 and 2; a last group of 10
  int inputs[1][ITEMS], result[ITEMS], sum = 0;
  fill(inputs[0], 5);
  cl_int error;
  cl_kernel kernel = clCreateKernel(build_all(), "count", &error);
  OK(error);
  run(kernel, 1, inputs, result, LOCAL, CL_SUCCESS);
  for (int i = 0; i < ITEMS; i++) {
    sum = i % LOCAL % LANES == 0 ? inputs[0][i] : sum + inputs[0][i];
    cr_assert_eq(result[i], sum, "%d: %d, not %d", i, result[i], sum);
  }
}

Test(programs, queries_answer_for_the_kind_of_unit) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(build_all(), "count", &error);
  OK(error);
  size_t size = 0, local = 64;
  cl_uint kind = 0, units = 1;
  OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size, NULL));
  cr_assert_eq(size, 256, "%zu", size);
  OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local, &local,
                             sizeof size, &size, NULL));
  cr_assert_eq(size, LANES, "%zu", size);
  OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_KIND_HEDDLE, sizeof kind, &kind, NULL));
  cr_assert_eq(kind, 2, "%u", kind);
  OK(clGetDeviceInfo(device, CL_DEVICE_UNITS_HEDDLE, sizeof units, &units, NULL));
  cr_assert_eq(units, 0);
  OK(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  cr_assert_eq(units, 12);
}

Test(programs, a_kernel_that_is_not_there_does_not_build_and_the_log_says_what_to_do) {
  char log[LOG_BYTES];
  build(
      "kernel void add(global const int *a, global const int *b, global int *c) { size_t i = get_global_id(0); c[i] = "
      "a[i] - b[i]; }",
      CL_BUILD_PROGRAM_FAILURE, log);
  cr_assert(strstr(log, "Kernel add is not in this device"), "%s", log);
  cr_assert(strstr(log, "make bitstream"), "%s", log);
}

Test(programs, pipelines_can_be_switched_off) {
  char log[LOG_BYTES], *source = read_source();
  setenv("HEDDLE_PIPELINES", "0", 1);
  build(source, CL_BUILD_PROGRAM_FAILURE, log);
  cr_assert(strstr(log, "Kernel count is not in this device"), "%s", log);
  setenv("HEDDLE_PIPELINES", "no", 1);
  build(source, CL_BUILD_PROGRAM_FAILURE, log);
  cr_assert(strstr(log, "HEDDLE_PIPELINES must be 0 or 1, not 'no'"), "%s", log);
  free(source);
}

Test(programs, a_binary_of_a_program_runs_on_its_pipelines_too) {
  cl_program program = build_all();
  size_t size = 0;
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *binary = malloc(size);
  cr_assert_not_null(binary);
  OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_int status, error;
  program = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, &status, &error);
  OK(error);
  OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "add", &error);
  OK(error);
  cl_uint kind = 0;
  OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_KIND_HEDDLE, sizeof kind, &kind, NULL));
  cr_assert_eq(kind, 1);
  free(binary);
}

// What a kernel prints, a line for each call: sorted, as work-items may come in any order.
static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *sorted_lines(char *text) {
  char *lines[2 * ITEMS] = {0};
  size_t count = 0, bytes = strlen(text) + 2;
  for (char *line = strtok(text, "\n"); line && count < 2 * ITEMS; line = strtok(NULL, "\n"))
    lines[count++] = line;
  qsort(lines, count, sizeof *lines, by_text);
  char *sorted = calloc(1, bytes);
  for (size_t i = 0; i < count; i++)
    strcat(strcat(sorted, lines[i]), "\n");
  return sorted;
}

static char *printed_by_say(cl_program program, int inputs[][ITEMS], int result[ITEMS]) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "say", &error);
  OK(error);
  FILE *capture = tmpfile();
  fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  cr_assert(capture && kept >= 0 && dup2(fileno(capture), STDOUT_FILENO) >= 0);
  run(kernel, 1, inputs, result, 0, CL_SUCCESS);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  char *text = calloc(1, 100 * ITEMS);
  cr_assert(fseek(capture, 0, SEEK_SET) == 0);
  cr_assert_lt(fread(text, 1, 100 * ITEMS, capture), 100 * ITEMS);
  fclose(capture);
  return sorted_lines(text);
}

// The pipeline is that of the kernel, whatever else a program has that prints.
Test(programs, a_pipeline_prints_in_each_program_that_has_its_kernel) {
  int inputs[1][ITEMS], result[ITEMS];
  fill(inputs[0], 3);
  char expected[100 * ITEMS] = "", log[LOG_BYTES];
  for (int i = 0; i < ITEMS; i++) {
    for (int k = 0; k < i % 3; k++)
      sprintf(expected + strlen(expected), "item %d: %d,%d, %d,%d,%d, %s %s\n", i, inputs[0][i], k, i, -i, k,
              inputs[0][i] & 1 ? "odd" : "even", i > 9 ? "large" : "small");
    if (i % 50 == 49)
      strcat(expected, "fifty\n");
  }
  const char *sorted = sorted_lines(expected);
  char *source = read_source();
  const cl_program programs[] = {build_all(), build(strstr(source, "constant char *constant sizes"), CL_SUCCESS, log)};
  for (int i = 0; i < 2; i++) {
    const char *got = printed_by_say(programs[i], inputs, result);
    cr_assert_str_eq(got, sorted, "program %d: expected:\n%s\ngot:\n%s", i, sorted, got);
    for (int k = 0; k < ITEMS; k++)
      cr_assert_eq(result[k], 0, "printf returned %d", result[k]);
  }
}

// What kernels remember and recall find after `turns` runs of the first.
static void expect_remembered(cl_program program, int inputs[1][ITEMS], int turns) {
  int result[ITEMS], sum = 1000, rows[4] = {1, 2, 3, 4};
  cl_int error;
  cl_kernel remember = clCreateKernel(program, "remember", &error);
  OK(error);
  cl_kernel recall = clCreateKernel(program, "recall", &error);
  OK(error);
  for (int turn = 0; turn < turns; turn++) {
    run(remember, 1, inputs, result, 0, CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++) {
      // The one that changes it may come before others.
      const int expected = (i & 1 ? 7 : i & 2 ? 5 : 0) + turn, got = result[i];
      cr_assert(got == expected || got == expected + (i != 0), "turn %d: %d: %d, not %d", turn, i, got, expected);
      sum += inputs[0][i];
    }
    rows[1 + turn] += 40;
    rows[3] = -turn;
  }
  run(recall, 0, inputs, result, 0, CL_SUCCESS);
  for (int i = 0; i < ITEMS; i++) {
    const int expected = i == 0 ? sum : i < 5 ? rows[i - 1] : 1 + turns;
    cr_assert_eq(result[i], expected, "%d: %d, not %d", i, result[i], expected);
  }
  OK(clReleaseKernel(remember));
  OK(clReleaseKernel(recall));
}

Test(programs, variables_of_a_program_keep_their_values_from_kernel_to_kernel) {
  int inputs[1][ITEMS];
  fill(inputs[0], 3);
  cl_program one = build_all(), other = build_all();
  expect_remembered(one, inputs, 2);
  expect_remembered(other, inputs, 1);  // each program has its own
}

// The pipeline is that of the kernel, whatever a program calls its variables and wherever it has them.
Test(programs, variables_are_found_in_each_program_that_has_the_kernel) {
  static const char *const renamed[][2] = {{"sum_of_all", "zeros_to_a"}, {"rows", "sum_of_all"}, {"far", "seldom"}};
  char *source = read_source(), log[LOG_BYTES], text[2 * LOG_BYTES] = "global int in_front[500] = {1};\n";
  size_t used = strlen(text);
  for (const char *at = strstr(source, "global int sum_of_all"); *at;) {
    size_t i = 0;
    while (i < 3 && strncmp(at, renamed[i][0], strlen(renamed[i][0])) != 0)
      i++;
    used += (size_t)sprintf(text + used, "%.*s", i < 3 ? 20 : 1, i < 3 ? renamed[i][1] : at);
    at += i < 3 ? strlen(renamed[i][0]) : 1;
  }
  int inputs[1][ITEMS];
  fill(inputs[0], -9);
  expect_remembered(build(text, CL_SUCCESS, log), inputs, 2);
  cr_assert(strstr(log, "Kernel remember runs on its pipeline"), "%s", log);
  free(source);
}

Test(programs, a_fault_has_its_source_line) {
  char note[LOG_BYTES] = "";
  int inputs[1][ITEMS], result[ITEMS];
  cl_int error;
  fill(inputs[0], 1);
  context = clCreateContext(NULL, 1, &device, keep, note, &error);
  OK(error);
  cl_kernel kernel = clCreateKernel(build_all(), "add", &error);
  OK(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  const size_t global = ITEMS;
  for (cl_uint i = 0; i < 3; i++)
    OK(clSetKernelArg(kernel, i, sizeof(cl_mem), NULL));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  clFinish(queue);
  cr_assert(strstr(note, "kernel 'add': access to unmapped memory, program.cl:5"), "%s", note);
  // And the next one runs.
  kernel = clCreateKernel(build_all(), "count", &error);
  OK(error);
  run(kernel, 1, inputs, result, 0, CL_SUCCESS);
  cr_assert_eq(result[1], 3, "%d", result[1]);
}

// Work-groups of one sub-group, so that most have ended when the store is noticed.
Test(programs, a_store_without_a_right_is_a_fault_and_changes_nothing) {
  char note[LOG_BYTES] = "";
  int inputs[2][ITEMS], kept[ITEMS], result[ITEMS];
  cl_int error;
  fill(inputs[0], 1);
  fill(inputs[1], 7);
  context = clCreateContext(NULL, 1, &device, keep, note, &error);
  OK(error);
  cl_program program = build_all();
  cl_kernel kernel = clCreateKernel(program, "add", &error), count = clCreateKernel(program, "count", &error);
  OK(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  const cl_mem_flags flags[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_READ_ONLY};
  const size_t global = ITEMS, local = LANES;
  cl_mem buffers[3];
  for (cl_uint i = 0; i < 3; i++) {
    buffers[i] = clCreateBuffer(context, flags[i] | CL_MEM_COPY_HOST_PTR, sizeof *inputs, inputs[i % 2], &error);
    OK(error);
    OK(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
  }
  for (int again = 0; again < 2; again++) {
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    clFinish(queue);
    cr_assert(strstr(note, "kernel 'add': access without a right (a write to a buffer") &&
                  strstr(note, "CL_MEM_READ_ONLY") && strstr(note, "program.cl:5") &&
                  strstr(note, "work-item (0, 0, 0), work-group (0, 0, 0), sub-group 0, lane 0"),
              "%s", note);
    OK(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, sizeof kept, kept, 0, NULL, NULL));
    cr_assert_arr_eq(kept, inputs[0], sizeof kept);
    run(count, 1, inputs, result, LANES, CL_SUCCESS);
    cr_assert_eq(result[1], inputs[0][0] + inputs[0][1]);
  }
}

// A pipeline that is stopped ends, as a programmable unit does.
Test(programs, a_kernel_that_never_ends_is_stopped_by_its_budget) {
  int inputs[1][ITEMS], result[ITEMS];
  cl_int error, status;
  setenv("HEDDLE_BUDGET_CYCLES", "20000", 1);
  cl_program program = build_all();
  cl_kernel kernel = clCreateKernel(program, "wait_for_ever", &error), count = clCreateKernel(program, "count", &error);
  OK(error);
  const int zero = 0;
  cl_event event;
  cl_mem flag = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, (void *)&zero, &error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof flag, &flag));
  const size_t global = ITEMS;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
  OK(clFinish(queue));
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_assert_eq(status, CL_EVENT_STATUS_FAULT_HEDDLE);
  fill(inputs[0], 5);
  run(count, 1, inputs, result, LANES, CL_SUCCESS);
  cr_assert_eq(result[0], inputs[0][0]);
  cr_assert_eq(result[1], inputs[0][0] + inputs[0][1]);
}
