// SPDX-License-Identifier: Apache-2.0
// Pipelines as options of heddlec make them. Several copies share out the work-groups of a dispatch: a kernel with
// enough work is as many times as fast, until memory limits it. Several rounds of a loop in one are fewer places in its
// ring. Results are those of the golden model. The device is Verilated, with the kernels of shapes.cl and no
// programmable unit; its cache has one bank, as those of boards.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"

enum { COPIES = 3, LOCAL = 64, GROUPS = 48, ITEMS = GROUPS * LOCAL, COUNTS = 16, TEXT_BYTES = 8192 };

#define OK(call) cr_assert_eq((call), CL_SUCCESS, #call)

// A device with its context.
struct side {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
};

static struct side pipelines, model;

static char *read_source(void) {
  char *text = calloc(1, TEXT_BYTES);
  FILE *file = fopen("tests/pipeline/shapes.cl", "r");
  cr_assert(text && file, "tests run in the top folder");
  fread(text, 1, TEXT_BYTES - 1, file);
  fclose(file);
  return text;
}

static struct side open_side(cl_device_id device, const char *source) {
  cl_int error;
  struct side side = {.device = device, .context = clCreateContext(NULL, 1, &device, NULL, NULL, &error)};
  OK(error);
  side.queue = clCreateCommandQueueWithProperties(side.context, device, NULL, &error);
  OK(error);
  side.program = clCreateProgramWithSource(side.context, 1, &source, NULL, &error);
  OK(error);
  OK(clBuildProgram(side.program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
  return side;
}

static void set_up(void) {
  cl_platform_id platform;
  cl_device_id devices[2];
  setenv("HEDDLE_HARDWARE", BUILD "/tests/pipeline/shapes.so", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL));
  char *source = read_source();
  pipelines = open_side(devices[0], source);
  model = open_side(devices[1], source);
  free(source);
}

TestSuite(shapes, .init = set_up, .timeout = 120);

static cl_mem buffer_of(const struct side *side, const void *contents, size_t bytes) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(side->context, CL_MEM_COPY_HOST_PTR, bytes, (void *)contents, &error);
  OK(error);
  return buffer;
}

// Runs ITEMS work-items of a kernel, which has its arguments, in groups of LOCAL. Returns the cycles that it took.
static cl_ulong run(const struct side *side, cl_kernel kernel) {
  const size_t global = ITEMS, local = LOCAL;
  cl_ulong cycles = 0;
  cl_event event;
  OK(clEnqueueNDRangeKernel(side->queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
  OK(clWaitForEvents(1, &event));
  OK(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
  clReleaseEvent(event);
  return cycles;
}

// A kernel from `words` words in to as many out.
static cl_ulong run_plain(const struct side *side, const char *name, size_t words, cl_uint *out) {
  cl_int error;
  cl_uint *in = malloc(words * sizeof *in);
  cr_assert_not_null(in);
  for (size_t i = 0; i < words; i++)
    in[i] = (cl_uint)(i * 2654435761u);
  cl_kernel kernel = clCreateKernel(side->program, name, &error);
  OK(error);
  cl_mem buffers[] = {buffer_of(side, in, words * sizeof *in), buffer_of(side, in, words * sizeof *in)};
  for (cl_uint i = 0; i < 2; i++)
    OK(clSetKernelArg(kernel, i, sizeof *buffers, &buffers[i]));
  const cl_ulong cycles = run(side, kernel);
  OK(clEnqueueReadBuffer(side->queue, buffers[1], CL_TRUE, 0, words * sizeof *out, out, 0, NULL, NULL));
  clReleaseMemObject(buffers[0]);
  clReleaseMemObject(buffers[1]);
  clReleaseKernel(kernel);
  free(in);
  return cycles;
}

static cl_ulong compare(const char *name, size_t words) {
  cl_uint *got = malloc(words * sizeof *got), *wanted = malloc(words * sizeof *wanted);
  cr_assert(got && wanted);
  const cl_ulong cycles = run_plain(&pipelines, name, words, got);
  run_plain(&model, name, words, wanted);
  for (size_t i = 0; i < words; i++)
    cr_assert_eq(got[i], wanted[i], "%s: word %zu is %u, of the model %u", name, i, got[i], wanted[i]);
  free(got);
  free(wanted);
  return cycles;
}

Test(shapes, a_kernel_with_enough_work_is_as_many_times_as_fast) {
  const cl_ulong several = compare("work", ITEMS), one = compare("work_alone", ITEMS);
  // Of one, a sub-group takes a place of the ring in each of 100 rounds.
  cr_expect(one > ITEMS / 4 * 100 && one < ITEMS / 4 * 102, "one takes %lu cycles", (unsigned long)one);
  const double ratio = (double)one / (double)several;
  cr_expect(ratio > COPIES * 0.97 && ratio < COPIES * 1.01, "%d copies take %lu cycles, one %lu: %.3f times as fast",
            COPIES, (unsigned long)several, (unsigned long)one, ratio);
}

Test(shapes, memory_that_gives_no_more_is_what_limits_them) {
  const cl_ulong several = compare("stream", 4 * ITEMS), one = compare("stream_alone", 4 * ITEMS);
  // A work-item reads a row of memory, and writes one.
  cr_expect(several >= 2 * ITEMS, "more than a row a cycle: %lu cycles", (unsigned long)several);
  cr_expect(several < one * 11 / 10, "%d copies take %lu cycles, one %lu", COPIES, (unsigned long)several,
            (unsigned long)one);
}

struct totals {
  cl_uint out[ITEMS], counts[COUNTS];
};

static void run_totals(const struct side *side, struct totals *totals) {
  cl_int error;
  cl_uint *in = malloc(ITEMS * sizeof *in);
  cr_assert_not_null(in);
  for (cl_uint i = 0; i < ITEMS; i++)
    in[i] = i * 40503u >> 3;
  *totals = (struct totals){{0}, {0}};
  cl_kernel kernel = clCreateKernel(side->program, "totals", &error);
  OK(error);
  cl_mem buffers[] = {buffer_of(side, in, ITEMS * sizeof *in), buffer_of(side, totals->out, sizeof totals->out),
                      buffer_of(side, totals->counts, sizeof totals->counts)};
  for (cl_uint i = 0; i < 3; i++)
    OK(clSetKernelArg(kernel, i, sizeof *buffers, &buffers[i]));
  OK(clSetKernelArg(kernel, 3, LOCAL * sizeof(cl_uint), NULL));
  run(side, kernel);
  OK(clEnqueueReadBuffer(side->queue, buffers[1], CL_TRUE, 0, sizeof totals->out, totals->out, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(side->queue, buffers[2], CL_TRUE, 0, sizeof totals->counts, totals->counts, 0, NULL, NULL));
  free(in);
}

Test(shapes, a_work_group_is_in_one_copy_and_atomics_hold_between_copies) {
  static struct totals got, wanted;
  run_totals(&pipelines, &got);
  run_totals(&model, &wanted);
  cl_uint sum = 0;
  for (int i = 0; i < ITEMS; i++)
    cr_assert_eq(got.out[i], wanted.out[i], "work-item %d has %u, of the model %u", i, got.out[i], wanted.out[i]);
  for (int i = 0; i < COUNTS; i++) {
    cr_expect_eq(got.counts[i], wanted.counts[i], "count %d is %u, of the model %u", i, got.counts[i],
                 wanted.counts[i]);
    sum += got.counts[i];
  }
  cr_expect_eq(sum, ITEMS);
}

Test(shapes, a_fault_in_one_copy_ends_the_dispatch_and_the_next_one_runs) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(pipelines.program, "work", &error);
  OK(error);
  const size_t global = ITEMS, local = LOCAL;
  for (cl_uint i = 0; i < 2; i++)
    OK(clSetKernelArg(kernel, i, sizeof(cl_mem), NULL));
  cl_event event;
  OK(clEnqueueNDRangeKernel(pipelines.queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
  cr_expect_eq(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  compare("work", ITEMS);
}

Test(shapes, the_device_and_the_build_say_how_many_there_are) {
  char text[TEXT_BYTES];
  cl_uint units = 0;
  OK(clGetProgramBuildInfo(pipelines.program, pipelines.device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
  cr_expect(strstr(text, "Kernel work runs on its pipeline: 4 lanes, 64 slots, 3 copies.\n"), "%s", text);
  cr_expect(strstr(text, "Kernel work_alone runs on its pipeline: 4 lanes, 64 slots.\n"), "%s", text);
  OK(clGetDeviceInfo(pipelines.device, CL_DEVICE_PIPELINES_HEDDLE, sizeof text, text, NULL));
  cr_expect(strstr(text, " (4 lanes, 64 slots, 3 copies), "), "%s", text);
  OK(clGetDeviceInfo(pipelines.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  cr_expect_eq(units, 4 * COPIES + 3, "%u", units);
}

static void CL_CALLBACK keep(const char *text, const void *info, size_t bytes, void *user) {
  (void)info, (void)bytes;
  snprintf(user, TEXT_BYTES, "%s", text);
}

// The loop asks memory in each round, so a pipeline of four rounds in one has other sites than the source alone says.
Test(shapes, rounds_in_one_leave_the_same_and_their_sites_have_the_lines_of_the_source) {
  compare("sums", ITEMS);
  compare("sums_by_round", ITEMS);
  static char note[TEXT_BYTES];
  cl_int error;
  cl_context context = clCreateContext(NULL, 1, &pipelines.device, keep, note, &error);
  OK(error);
  char *source = read_source();
  const char *texts[] = {source};
  cl_program program = clCreateProgramWithSource(context, 1, texts, NULL, &error);
  OK(error);
  OK(clBuildProgram(program, 1, &pipelines.device, "-cl-std=CL3.0", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "sums", &error);
  OK(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, pipelines.device, NULL, &error);
  OK(error);
  // The store's site is the last; of a pipeline with fewer sites it would be none.
  cl_uint in[ITEMS + 256] = {0};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  OK(clSetKernelArg(kernel, 1, sizeof buffer, NULL));
  const size_t global = ITEMS, local = LOCAL;
  cl_event event;
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
  cr_expect_eq(clWaitForEvents(1, &event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  int line = 1;
  for (const char *at = strstr(source, "out[get_global_id(0)] = sum"); at > source; at--)
    line += at[-1] == '\n';
  char wanted[64];
  snprintf(wanted, sizeof wanted, "access to unmapped memory, program.cl:%d,", line);
  cr_expect(strstr(note, wanted), "no '%s' in: %s", wanted, note);
  free(source);
}
