// SPDX-License-Identifier: Apache-2.0
// A child of fork has its parent's handles, but neither its device nor its threads: every call with them is an error,
// none waits without end, and what the child makes anew works. The parent's go on as before.
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/opencl/harness.h"

enum { N = 8, SECONDS = 60 };

static const char source[] = "kernel void fill(global uint *out, uint what) { out[get_global_id(0)] = what; }\n";

// What a child makes of its own; 0, or the line that went wrong.
#define TRY(call)           \
  if ((call) != CL_SUCCESS) \
  return __LINE__

static int run_anew(void) {
  const char *text = source;
  const size_t global = N;
  const uint32_t what = 9;
  uint32_t got[N] = {0};
  cl_int error;
  // The device is the same; who has it is not.
  cl_device_id device = harness()->device;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  TRY(error);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  TRY(error);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  TRY(error);
  TRY(clBuildProgram(program, 1, &device, "", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "fill", &error);
  TRY(error);
  cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof got, NULL, &error);
  TRY(error);
  TRY(clSetKernelArg(kernel, 0, sizeof out, &out));
  TRY(clSetKernelArg(kernel, 1, sizeof what, &what));
  TRY(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  TRY(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  return got[N - 1] == what ? 0 : __LINE__;
}

// Calls that would wait for the parent's worker, and some that would not. 0, or the line of the first that is no error.
static int use_inherited(cl_kernel kernel, cl_mem out, cl_event event) {
  struct harness *h = harness();
  const size_t global = N;
  uint32_t word = 0;
  const struct {
    int line;
    cl_int code;
  } calls[] = {
      {__LINE__, clFinish(h->queue)},
      {__LINE__, clFlush(h->queue)},
      {__LINE__, clWaitForEvents(1, &event)},
      {__LINE__, clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL)},
      {__LINE__, clEnqueueReadBuffer(h->queue, out, CL_TRUE, 0, 4, &word, 0, NULL, NULL)},
      {__LINE__, clEnqueueWriteBuffer(h->queue, out, CL_TRUE, 0, 4, &word, 0, NULL, NULL)},
      {__LINE__, clEnqueueMarkerWithWaitList(h->queue, 0, NULL, NULL)},
      {__LINE__, clSetKernelArg(kernel, 0, sizeof out, &out)},
      {__LINE__, clReleaseKernel(kernel)},
      {__LINE__, clReleaseMemObject(out)},
      {__LINE__, clReleaseCommandQueue(h->queue)},
      {__LINE__, clReleaseContext(h->context)},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (calls[i].code == CL_SUCCESS)
      return calls[i].line;
  return 0;
}

// The status that a child ends with is no more than a byte: lines go through a pipe.
static int in_child(int (*first)(cl_kernel, cl_mem, cl_event), cl_kernel kernel, cl_mem out, cl_event event) {
  int ends[2], line = -1;
  cr_assert_eq(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS);
    line = first ? first(kernel, out, event) : run_anew();
    _exit(write(ends[1], &line, sizeof line) == sizeof line ? 0 : 1);
  }
  close(ends[1]);
  const ssize_t come = read(ends[0], &line, sizeof line);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  cr_assert(come == sizeof line && WIFEXITED(status), "the child hangs or died (status 0x%x)", (unsigned)status);
  return line;
}

Test(fork, a_child_gets_errors_for_inherited_handles_and_can_begin_anew, .timeout = 300) {
  struct harness *h = harness();
  const size_t global = N;
  const uint32_t what = 7;
  uint32_t got[N], expected[N];
  cl_kernel kernel = kernel_of(build(source, ""), "fill");
  cl_mem out = buffer_with(NULL, sizeof got);
  cl_int error;
  cl_event gate = clCreateUserEvent(h->context, &error), event;
  set_args(kernel, ARG(out), ARG(what), END_ARGS);
  // A command waits meanwhile.
  EXPECT_SUCCESS(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &global, NULL, 1, &gate, &event));
  int line = in_child(use_inherited, kernel, out, event);
  cr_expect_eq(line, 0, "line %d: the call with an inherited handle is no error", line);
  line = in_child(NULL, NULL, NULL, NULL);
  cr_expect_eq(line, 0, "line %d: what the child made anew does not work", line);
  EXPECT_SUCCESS(clSetUserEventStatus(gate, CL_COMPLETE));
  read_buffer(out, got, sizeof got);
  for (int i = 0; i < N; i++)
    expected[i] = what;
  expect_u32("of the parent: out", expected, got, N);
}
