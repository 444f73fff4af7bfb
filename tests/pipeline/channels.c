// SPDX-License-Identifier: Apache-2.0
// Programs as they are written for Intel's SDK for FPGAs, on a Verilated device that has their kernels as a chain:
// channels are queues on the chip. The same on the model, where they are in memory. The device has no programmable
// unit.
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/include/CL/cl_heddle.h"

enum { SOURCE_BYTES = 4096, ROWS = 700, ROW_WORDS = 4, KERNELS = 3 };

#define OK(call) cr_assert_eq((call), CL_SUCCESS, #call)

// A device, the program on it, and what the context was told last.
struct side {
  cl_device_id device;
  cl_context context;
  cl_program program;
  char told[1024];
};

static void CL_CALLBACK tell(const char *text, const void *data, size_t bytes, void *user) {
  struct side *side = user;
  (void)data, (void)bytes;
  snprintf(side->told, sizeof side->told, "%s", text);
}

static void open_side(struct side *side, cl_device_id device) {
  static char source[SOURCE_BYTES];
  const char *text = source;
  cl_int error;
  *side = (struct side){.device = device};
  FILE *file = fopen("tests/pipeline/channels.cl", "r");
  cr_assert(file, "tests run in the top folder");
  source[fread(source, 1, sizeof source - 1, file)] = 0;
  fclose(file);
  side->context = clCreateContext(NULL, 1, &device, tell, side, &error);
  OK(error);
  side->program = clCreateProgramWithSource(side->context, 1, &text, NULL, &error);
  OK(error);
  OK(clBuildProgram(side->program, 1, &device, "", NULL, NULL));
}

// The device with pipelines, then the model.
static void open_sides(struct side sides[2]) {
  cl_platform_id platform;
  cl_device_id devices[2];
  setenv("HEDDLE_HARDWARE", BUILD "/tests/pipeline/channels.so", 1);
  OK(clGetPlatformIDs(1, &platform, NULL));
  OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, NULL));
  for (int i = 0; i < 2; i++)
    open_side(&sides[i], devices[i]);
}

TestSuite(pipeline_channels, .timeout = 120);

static cl_command_queue queue_of(const struct side *side) {
  cl_int error;
  cl_command_queue queue = clCreateCommandQueueWithProperties(side->context, side->device, NULL, &error);
  OK(error);
  return queue;
}

// Each kernel in a queue of its own, in this order. Returns the cycles of the last one.
static cl_ulong run(const struct side *side, const int order[KERNELS], cl_uint count, cl_mem in, cl_mem out) {
  static const char *const names[] = {"load", "add_up", "store"};
  cl_command_queue queues[KERNELS] = {NULL};
  cl_event event = NULL;
  cl_ulong cycles = 0;
  const size_t one = 1;
  for (int i = 0; i < KERNELS; i++) {
    const int which = order[i];
    cl_int error;
    cl_kernel kernel = clCreateKernel(side->program, names[which], &error);
    OK(error);
    OK(clSetKernelArg(kernel, 0, sizeof count, &count));
    if (which != 1)
      OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), which == 0 ? &in : &out));
    queues[which] = queue_of(side);
    OK(clEnqueueNDRangeKernel(queues[which], kernel, 1, NULL, &one, &one, 0, NULL, which == 2 ? &event : NULL));
    OK(clFlush(queues[which]));
    clReleaseKernel(kernel);
  }
  for (int i = 0; i < KERNELS; i++)
    OK(clFinish(queues[i]));
  OK(clGetEventInfo(event, CL_EVENT_CYCLES_HEDDLE, sizeof cycles, &cycles, NULL));
  return cycles;
}

Test(pipeline_channels, kernels_run_at_once_whichever_is_enqueued_first) {
  static const int orders[][KERNELS] = {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}};
  static cl_uint rows[ROW_WORDS * ROWS], sums[ROWS];
  static struct side sides[2];
  open_sides(sides);
  for (int d = 0; d < 2; d++)
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
      cl_int error;
      for (cl_uint k = 0; k < ROW_WORDS * ROWS; k++)
        rows[k] = (k + (cl_uint)i) * 2654435761u;
      cl_mem in = clCreateBuffer(sides[d].context, CL_MEM_COPY_HOST_PTR, sizeof rows, rows, &error);
      OK(error);
      cl_mem out = clCreateBuffer(sides[d].context, CL_MEM_READ_WRITE, sizeof sums, NULL, &error);
      OK(error);
      const cl_ulong cycles = run(&sides[d], orders[i], ROWS, in, out);
      OK(clEnqueueReadBuffer(queue_of(&sides[d]), out, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
      for (cl_uint k = 0, sum = 0; k < ROWS; k++) {
        const cl_uint *row = &rows[ROW_WORDS * k];
        sum += row[0] + row[1] * 3 + row[2] * 5 + row[3] * 7;
        cr_assert_eq(sums[k], sum, "device %d: sum %u is %u, not %u", d, k, sums[k], sum);
      }
      // A row is loaded and a sum stored in each round, each by a port of its own.
      cr_expect(d != 0 || cycles < 3 * ROWS, "%lu cycles for %d rows", (unsigned long)cycles, ROWS);
      clReleaseMemObject(in);
      clReleaseMemObject(out);
    }
}

Test(pipeline_channels, one_end_alone_says_which_kernel_is_missing_and_the_next_kernels_run) {
  static const int order[KERNELS] = {0, 1, 2};
  static struct side sides[2];
  open_sides(sides);
  cl_int error, status;
  cl_event event = NULL;
  const size_t one = 1;
  const cl_uint count = 10;
  setenv("HEDDLE_CHANNEL_SECONDS", "1", 1);
  cl_kernel kernel = clCreateKernel(sides[0].program, "add_up", &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof count, &count));
  cl_command_queue queue = queue_of(&sides[0]);
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, &event));
  clFinish(queue);
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  cr_expect_eq(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "%d", status);
  cr_expect(strstr(sides[0].told, "'add_up'") && strstr(sides[0].told, "no kernel that writes its channel 'rows'"),
            "%s", sides[0].told);
  cl_mem in = clCreateBuffer(sides[0].context, CL_MEM_READ_WRITE, 16 * count, NULL, &error);
  OK(error);
  cl_mem out = clCreateBuffer(sides[0].context, CL_MEM_READ_WRITE, 4 * count, NULL, &error);
  OK(error);
  run(&sides[0], order, count, in, out);
}
